//! Orders of the locations of a function: in which to visit them so that few are visited again.

use crate::function::Automaton;
use crate::ids::{EdgeId, LocationId};
pub use heapwise_dataflow::order::{components_of, loop_order_of, reverse_post_order_of};

/// The reachable locations in reverse post order of a depth-first search along the outgoing edges.
pub fn reverse_post_order(automaton: &Automaton) -> Vec<LocationId> {
    let order = reverse_post_order_of(automaton.entry.as_u32(), &successors(automaton));
    order.into_iter().map(LocationId::from_u32).collect()
}

/// The reachable locations in a weak topological order ([`loop_order_of`]).
pub fn loop_order(automaton: &Automaton) -> Vec<LocationId> {
    let order = loop_order_of(automaton.entry.as_u32(), &successors(automaton));
    order.into_iter().map(LocationId::from_u32).collect()
}

fn successors(automaton: &Automaton) -> Vec<Vec<u32>> {
    let targets = |edges: &Vec<EdgeId>| edges.iter().map(|edge| automaton.edges[*edge].to.as_u32()).collect();
    automaton.outgoing.values().map(targets).collect()
}
