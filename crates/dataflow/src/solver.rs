//! The one loop.

use crate::analysis::{Analysis, Direction, Flow, Iteration};
use crate::graph::{Graph, Incoming};
use crate::lattice::JoinSemiLattice;
use crate::order;
use crate::results::Results;
use cranelift_entity::EntityRef;
use std::convert::Infallible;

/// How far an iteration has come.
#[derive(Clone, Copy, Default, Debug)]
pub struct Progress {
    /// Visits of nodes.
    pub n_visits: usize,
    /// The sum of [`Analysis::weight`] over the first states of the nodes reached so far.
    pub weight: usize,
}

/// For iterations that nobody stops.
pub fn unlimited(_: Progress) -> Result<(), Infallible> {
    Ok(())
}

/// Solves an analysis on a graph. `check` is asked before each visit of a node; its error ends the iteration, and then there
/// is no result: states that are not stable yet say something wrong about the program.
///
/// Nodes are visited in rounds, in reverse post-order for the direction of the analysis, and only if something changed
/// behind one of their edges since their last visit. The invariant of the loop, for every node *n* that is not waiting:
///
/// *state(n) ⊒ edge(state(m)) for all edges from m to n that state(m) gets past*,
///
/// and state(n) ⊒ boundary(n). When nothing is waiting it holds for all nodes: the states solve the equations. For a monotone
/// analysis no state is ever greater than in the least solution, since each is made of states that are not.
pub fn iterate_to_fixpoint<G: Graph, A: Analysis<G>, E>(
    graph: &G,
    analysis: A,
    mut check: impl FnMut(Progress) -> Result<(), E>,
) -> Result<Results<G, A>, E> {
    let n_nodes = graph.n_nodes();
    let incoming = Incoming::of(graph);
    let mut order = order::reverse_post_order_of_all(graph);
    if A::DIRECTION == Direction::Backward {
        order.reverse();
    }
    let mut position = vec![0u32; n_nodes];
    for (index, node) in order.iter().enumerate() {
        position[*node as usize] = index as u32;
    }
    let mut states: Vec<Option<A::Domain>> =
        (0..n_nodes).map(|node| analysis.boundary(graph, G::Node::new(node))).collect();
    let mut waiting = Waiting::new(n_nodes);
    for (node, _) in states.iter().enumerate().filter(|(_, state)| state.is_some()) {
        behind::<G, A>(graph, &incoming, node).for_each(|next| waiting.insert(position[next]));
    }
    let mut progress = Progress::default();
    let mut round = 0;
    // Where what arrives at a node is put together; kept, so that little is allocated.
    let (mut arrived, mut one) = (None, None);
    while !waiting.is_empty() {
        let mut next = 0;
        while let Some(at) = waiting.take_from(next) {
            next = at + 1;
            progress.n_visits += 1;
            check(progress)?;
            let node = order[at as usize] as usize;
            if !gather(graph, &analysis, &incoming, &states, node, (&mut arrived, &mut one)) {
                continue;
            }
            let (Some(arrived), state) = (&mut arrived, &mut states[node]) else { continue };
            let changed = match (&mut *state, A::ITERATION) {
                (None, _) => {
                    progress.weight += analysis.weight(arrived);
                    *state = Some(arrived.clone());
                    true
                }
                (Some(state), Iteration::Replacing { rounds }) if round < rounds => {
                    if let Some(boundary) = analysis.boundary(graph, G::Node::new(node)) {
                        arrived.join(&boundary);
                    }
                    let changed = state != arrived;
                    if changed {
                        std::mem::swap(state, arrived);
                    }
                    changed
                }
                (Some(state), Iteration::Ascending | Iteration::Replacing { .. }) => state.join(arrived),
            };
            if changed {
                behind::<G, A>(graph, &incoming, node).for_each(|next| waiting.insert(position[next]));
            }
        }
        round += 1;
    }
    Ok(Results::new(analysis, states))
}

/// Puts together what arrives at a node over all its edges; says whether anything does.
fn gather<G: Graph, A: Analysis<G>>(
    graph: &G,
    analysis: &A,
    incoming: &Incoming<G::Edge>,
    states: &[Option<A::Domain>],
    node: usize,
    (arrived, one): (&mut Option<A::Domain>, &mut Option<A::Domain>),
) -> bool {
    let mut is_any = false;
    let edges = match A::DIRECTION {
        Direction::Forward => incoming.of_node(node),
        Direction::Backward => graph.outgoing(G::Node::new(node)),
    };
    for edge in edges {
        let source = match A::DIRECTION {
            Direction::Forward => graph.source(*edge),
            Direction::Backward => graph.target(*edge),
        };
        let state = &states[source.index()];
        if state.is_none() {
            continue;
        }
        let behind = if is_any { &mut *one } else { &mut *arrived };
        behind.clone_from(state);
        let Some(behind) = behind else { continue };
        if analysis.apply(graph, *edge, behind) == Flow::Ends {
            continue;
        }
        if is_any && let (Some(arrived), Some(one)) = (&mut *arrived, &*one) {
            arrived.join(one);
        }
        is_any = true;
    }
    is_any
}

/// The nodes that depend on one.
fn behind<'a, G: Graph, A: Analysis<G>>(
    graph: &'a G,
    incoming: &'a Incoming<G::Edge>,
    node: usize,
) -> impl Iterator<Item = usize> + 'a {
    let edges = match A::DIRECTION {
        Direction::Forward => graph.outgoing(G::Node::new(node)),
        Direction::Backward => incoming.of_node(node),
    };
    edges.iter().map(move |edge| match A::DIRECTION {
        Direction::Forward => graph.target(*edge).index(),
        Direction::Backward => graph.source(*edge).index(),
    })
}

/// The nodes that are to be visited, by their position in the order.
struct Waiting {
    words: Vec<u64>,
    n_waiting: usize,
}

impl Waiting {
    fn new(n_nodes: usize) -> Waiting {
        Waiting { words: vec![0; n_nodes.div_ceil(64)], n_waiting: 0 }
    }

    fn is_empty(&self) -> bool {
        self.n_waiting == 0
    }

    fn insert(&mut self, position: u32) {
        let (word, bit) = (&mut self.words[position as usize / 64], 1u64 << (position % 64));
        self.n_waiting += usize::from(*word & bit == 0);
        *word |= bit;
    }

    /// Takes out the first that is not before a position.
    fn take_from(&mut self, position: u32) -> Option<u32> {
        let mut index = position as usize / 64;
        let mut mask = u64::MAX << (position % 64);
        while let Some(word) = self.words.get_mut(index) {
            let found = *word & mask;
            if found != 0 {
                let bit = found.trailing_zeros();
                *word &= !(1 << bit);
                self.n_waiting -= 1;
                return Some(index as u32 * 64 + bit);
            }
            mask = u64::MAX;
            index += 1;
        }
        None
    }
}
