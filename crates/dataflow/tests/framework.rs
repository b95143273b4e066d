//! The framework by a mock analysis: each edge adds its own number, so that a state names the edges that lead to it.
//!
//! ```text
//!          0            e0: 0 → 1
//!          │e0          e1: 1 → 2    e2: 1 → 3
//!    ┌───► 1 ──e2──┐    e3: 2 → 1   (a loop)
//!  e3│     │e1     │    e4: 2 → 4    e5: 3 → 4
//!    └──── 2       3    e6: 5 → 4   (5: nothing leads there)
//!          │e4     │e5
//!          └─► 4 ◄─┘◄── 5
//!
//!  forward    | may            | must          backward | may
//!  0          | {}             | {}            0        | {0 1 2 3 4 5}
//!  1          | {0 1 3}        | {0}           1        | {1 2 3 4 5}
//!  2          | {0 1 3}        | {0 1}         2        | {1 2 3 4 5}
//!  3          | {0 1 2 3}      | {0 2}         3        | {5}
//!  4          | {0 1 2 3 4 5}  | {0}           4        | {}
//!  5          | not reached                    5        | {6}
//! ```

#![allow(clippy::unwrap_used)]

mod common;

use common::{Edges, Node};
use cranelift_entity::EntityRef;
use heapwise_dataflow::{
    Analysis, Direction, Flow, Graph, Iteration, JoinSemiLattice, MaySet, MustSet, Progress, Reachability, Visitor,
    iterate_to_fixpoint, unlimited,
};

fn example() -> Edges {
    Edges::new(6, &[(0, 1), (1, 2), (1, 3), (2, 1), (2, 4), (3, 4), (5, 4)])
}

struct Forward;
struct Backward;
struct Must;

macro_rules! mock {
    ($name:ident, $domain:ty, $direction:expr, $start:expr) => {
        impl Analysis<Edges> for $name {
            type Domain = $domain;
            const DIRECTION: Direction = $direction;

            fn boundary(&self, _: &Edges, node: Node) -> Option<$domain> {
                (node.index() == $start).then(Default::default)
            }

            fn apply(&self, _: &Edges, edge: usize, state: &mut $domain) -> Flow {
                state.insert(edge);
                Flow::Continues
            }

            fn weight(&self, state: &$domain) -> usize {
                state.len()
            }
        }
    };
}

mock!(Forward, MaySet<usize>, Direction::Forward, 0);
mock!(Backward, MaySet<usize>, Direction::Backward, 4);
mock!(Must, MustSet<usize>, Direction::Forward, 0);

fn states<A: Analysis<Edges>>(graph: &Edges, analysis: A) -> Vec<Option<Vec<usize>>>
where
    A::Domain: std::ops::Deref<Target = [usize]>,
{
    let Ok(results) = iterate_to_fixpoint(graph, analysis, unlimited);
    results.into_states().into_iter().map(|state| state.map(|state| state.to_vec())).collect()
}

#[test]
fn forward_may() {
    let all = || Some(vec![0, 1, 3]);
    let expected = [Some(vec![]), all(), all(), Some(vec![0, 1, 2, 3]), Some(vec![0, 1, 2, 3, 4, 5]), None];
    assert_eq!(states(&example(), Forward), expected);
}

#[test]
fn forward_must() {
    let expected = [Some(vec![]), Some(vec![0]), Some(vec![0, 1]), Some(vec![0, 2]), Some(vec![0]), None];
    assert_eq!(states(&example(), Must), expected);
}

#[test]
fn backward_may() {
    let loops = || Some(vec![1, 2, 3, 4, 5]);
    let expected = [Some(vec![0, 1, 2, 3, 4, 5]), loops(), loops(), Some(vec![5]), Some(vec![]), Some(vec![6])];
    assert_eq!(states(&example(), Backward), expected);
}

#[test]
fn reachability() {
    let graph = example();
    let Ok(results) = iterate_to_fixpoint(&graph, Reachability::of(&graph), unlimited);
    let reached: Vec<usize> = (0..6).filter(|node| results.is_reached(Node::new(*node))).collect();
    assert_eq!(reached, [0, 1, 2, 3, 4]);
    assert!(!results.is_reached(Node::new(6)), "a node that came later");
}

/// Past edge 2 there is nothing.
struct Blocked;

impl Analysis<Edges> for Blocked {
    type Domain = ();
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self, _: &Edges, node: Node) -> Option<()> {
        (node.index() == 0).then_some(())
    }

    fn apply(&self, _: &Edges, edge: usize, (): &mut ()) -> Flow {
        if edge == 2 { Flow::Ends } else { Flow::Continues }
    }
}

#[test]
fn nothing_gets_past_an_edge_that_ends() {
    let graph = example();
    let Ok(results) = iterate_to_fixpoint(&graph, Blocked, unlimited);
    assert!(!results.is_reached(Node::new(3)));
    assert!(results.is_reached(Node::new(4)));
    let mut cursor = results.cursor(&graph);
    assert_eq!((cursor.front(2), cursor.behind(2)), (Some(&()), None));
    assert_eq!((cursor.front(5), cursor.behind(5)), (None, None), "an edge of a node that is not reached");
}

/// What a cursor says of each edge, as the visitor sees it.
struct Seen(Vec<(usize, Vec<usize>, Option<Vec<usize>>)>);

impl<A: Analysis<Edges, Domain = MaySet<usize>>> Visitor<Edges, A> for Seen {
    fn edge(&mut self, edge: usize, front: &MaySet<usize>, behind: Option<&MaySet<usize>>) {
        self.0.push((edge, front.to_vec(), behind.map(|state| state.to_vec())));
    }
}

fn by_visitor_and_cursor<A: Analysis<Edges, Domain = MaySet<usize>>>(analysis: A) {
    let graph = example();
    let Ok(results) = iterate_to_fixpoint(&graph, analysis, unlimited);
    let mut seen = Seen(Vec::new());
    results.visit(&graph, &mut seen);
    let mut asked = Vec::new();
    for edge in (0..graph.n_nodes()).flat_map(|node| graph.outgoing(Node::new(node)).to_vec()) {
        let mut cursor = results.cursor(&graph);
        if let Some(front) = cursor.front(edge).map(|state| state.to_vec()) {
            asked.push((edge, front, cursor.behind(edge).map(|state| state.to_vec())));
        }
    }
    assert_eq!(seen.0, asked);
    assert!(seen.0.iter().all(|(edge, front, behind)| {
        behind.as_ref().is_some_and(|behind| behind.contains(edge) && front.iter().all(|e| behind.contains(e)))
    }));
}

#[test]
fn a_cursor_says_what_a_visitor_sees() {
    by_visitor_and_cursor(Forward);
    by_visitor_and_cursor(Backward);
}

#[test]
fn an_interrupted_run_has_no_result() {
    let mut n_visits = 0;
    let whole = iterate_to_fixpoint(&example(), Forward, |progress| {
        n_visits = progress.n_visits;
        Ok::<(), usize>(())
    });
    assert!(whole.is_ok());
    assert!(n_visits >= 4);
    for most in 0..n_visits {
        let stop = |progress: Progress| if progress.n_visits > most { Err(progress.n_visits) } else { Ok(()) };
        assert_eq!(iterate_to_fixpoint(&example(), Forward, stop).err(), Some(most + 1));
    }
}

#[test]
fn who_may_stop_a_run_is_told_what_it_holds() {
    let mut weight = 0;
    let note = |progress: Progress| {
        weight = progress.weight;
        Ok::<(), ()>(())
    };
    assert!(iterate_to_fixpoint(&example(), Must, note).is_ok());
    // At the first arrivals: {0}, {0 1}, {0 2}, and {0} where two paths meet.
    assert_eq!(weight, 6);
}

/// Of the greatest number on any path, edge 0 makes 5 if it is 0, and 1 otherwise: no monotone analysis.
struct Turning<const ROUNDS: u32>;

#[derive(Clone, PartialEq, Debug)]
struct Greatest(usize);

impl JoinSemiLattice for Greatest {
    fn join(&mut self, other: &Greatest) -> bool {
        let before = self.0;
        self.0 = before.max(other.0);
        before != self.0
    }
}

impl<const ROUNDS: u32> Analysis<Edges> for Turning<ROUNDS> {
    type Domain = Greatest;
    const DIRECTION: Direction = Direction::Forward;
    const ITERATION: Iteration = Iteration::Replacing { rounds: ROUNDS };

    fn boundary(&self, _: &Edges, node: Node) -> Option<Greatest> {
        (node.index() == 0).then_some(Greatest(0))
    }

    fn apply(&self, _: &Edges, edge: usize, state: &mut Greatest) -> Flow {
        match edge {
            0 if state.0 == 0 => *state = Greatest(5),
            0 => *state = Greatest(1),
            _ => {}
        }
        Flow::Continues
    }
}

#[test]
fn states_are_replaced_for_some_rounds_and_then_they_only_grow() {
    // 0 → 1 → 0: node 0 starts with 0, so that node 1 gets 5, and node 0 with it; then node 1 gets 1.
    let graph = Edges::new(2, &[(0, 1), (1, 0)]);
    let Ok(growing) = iterate_to_fixpoint(&graph, Turning::<0>, unlimited);
    assert_eq!(growing.into_states(), [Some(Greatest(5)), Some(Greatest(5))]);
    let Ok(replaced) = iterate_to_fixpoint(&graph, Turning::<9>, unlimited);
    assert_eq!(replaced.into_states(), [Some(Greatest(1)), Some(Greatest(1))]);
}

#[test]
fn a_graph_without_nodes_has_a_result_without_states() {
    assert!(states(&Edges::new(0, &[]), Forward).is_empty());
}
