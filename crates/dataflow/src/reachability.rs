//! Which nodes paths lead to.

use crate::analysis::{Analysis, Direction, Flow};
use crate::graph::Graph;

/// Forward reachability: the nodes that paths from the graph's entries lead to.
pub struct Reachability<N> {
    entries: Vec<N>,
}

impl<N> Reachability<N> {
    /// From the entries of a graph.
    pub fn of<G: Graph<Node = N>>(graph: &G) -> Reachability<N> {
        Reachability { entries: graph.entries().collect() }
    }
}

impl<G: Graph> Analysis<G> for Reachability<G::Node> {
    type Domain = ();
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self, _: &G, node: G::Node) -> Option<()> {
        self.entries.contains(&node).then_some(())
    }

    fn apply(&self, _: &G, _: G::Edge, (): &mut ()) -> Flow {
        Flow::Continues
    }
}
