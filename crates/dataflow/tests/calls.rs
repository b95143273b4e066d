//! Three ways across calls, on the same two functions: `main` writes 1, calls `set`, writes 2, calls `set` and reads; `set`
//! writes 7, or leaves all as it is.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Edges, Node};
use cranelift_entity::EntityRef;
use heapwise_dataflow::{Analysis, Direction, Flow, JoinSemiLattice, MaySet, iterate_to_fixpoint, unlimited};

/// What a variable may hold.
#[derive(Clone, Copy)]
enum Effect {
    Write(u32),
    Nothing,
    /// Of a call, by the summary of the callee.
    Call,
}

/// What a function makes of a variable: it may write these, and may leave it.
#[derive(Clone, PartialEq, Debug)]
struct Summary {
    writes: MaySet<u32>,
    leaves: bool,
}

impl JoinSemiLattice for Summary {
    fn join(&mut self, other: &Summary) -> bool {
        let before = self.clone();
        self.writes.join(&other.writes);
        self.leaves |= other.leaves;
        *self != before
    }
}

struct Values<'a> {
    effects: &'a [Effect],
    summary: Option<Summary>,
}

impl Analysis<Edges> for Values<'_> {
    type Domain = Summary;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self, _: &Edges, node: Node) -> Option<Summary> {
        (node.index() == 0).then(|| Summary { writes: MaySet::default(), leaves: true })
    }

    fn apply(&self, _: &Edges, edge: usize, state: &mut Summary) -> Flow {
        match (self.effects[edge], &self.summary) {
            (Effect::Write(value), _) => *state = Summary { writes: MaySet::from_iter([value]), leaves: false },
            (Effect::Call, Some(summary)) => {
                if !summary.leaves {
                    *state = Summary { writes: MaySet::default(), leaves: false };
                }
                state.writes.join(&summary.writes);
            }
            (Effect::Nothing, _) | (Effect::Call, None) => {}
        }
        Flow::Continues
    }
}

fn at(graph: &Edges, analysis: Values<'_>, node: usize) -> Summary {
    let Ok(results) = iterate_to_fixpoint(graph, analysis, unlimited);
    results.at(Node::new(node)).unwrap().clone()
}

#[test]
fn calls_are_edges_with_a_summary() {
    use Effect::{Call, Nothing, Write};
    let set = Edges::new(2, &[(0, 1), (0, 1)]);
    let summary = at(&set, Values { effects: &[Write(7), Nothing], summary: None }, 1);
    assert_eq!(summary, Summary { writes: MaySet::from_iter([7]), leaves: true });
    let main = Edges::new(5, &[(0, 1), (1, 2), (2, 3), (3, 4)]);
    let effects = [Write(1), Call, Write(2), Call];
    let found = at(&main, Values { effects: &effects, summary: Some(summary) }, 4);
    assert_eq!(found, Summary { writes: MaySet::from_iter([2, 7]), leaves: false });
}

#[test]
fn a_supergraph_mixes_its_callers_up() {
    use Effect::{Nothing, Write};
    // main: 0 to 4; set: 5 and 6. Calls lead from 1 and 3 to 5, and back from 6 to 2 and 4.
    let graph = Edges::new(7, &[(0, 1), (2, 3), (1, 5), (3, 5), (5, 6), (5, 6), (6, 2), (6, 4)]);
    let effects = [Write(1), Write(2), Nothing, Nothing, Write(7), Nothing, Nothing, Nothing];
    let found = at(&graph, Values { effects: &effects, summary: None }, 4);
    assert_eq!(found, Summary { writes: MaySet::from_iter([1, 2, 7]), leaves: false });
}

/// What functions touch, with what they call.
struct Touched;

impl Analysis<Edges> for Touched {
    type Domain = MaySet<usize>;
    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&self, _: &Edges, node: Node) -> Option<MaySet<usize>> {
        Some(MaySet::from_iter([node.index()]))
    }

    fn apply(&self, _: &Edges, _: usize, _: &mut MaySet<usize>) -> Flow {
        Flow::Continues
    }
}

#[test]
fn functions_are_nodes_and_calls_are_edges() {
    // 0 calls 1; 1 and 2 call each other; 2 calls 3.
    let graph = Edges::new(4, &[(0, 1), (1, 2), (2, 1), (2, 3)]);
    let Ok(results) = iterate_to_fixpoint(&graph, Touched, unlimited);
    let touched: Vec<Vec<usize>> = (0..4).map(|node| results.at(Node::new(node)).unwrap().to_vec()).collect();
    assert_eq!(touched, [vec![0, 1, 2, 3], vec![1, 2, 3], vec![1, 2, 3], vec![3]]);
}
