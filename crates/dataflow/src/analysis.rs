//! What a pass says of itself.

use crate::graph::Graph;
use crate::lattice::JoinSemiLattice;

/// Which way states flow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// Along the edges: what holds at a node comes from the paths that lead to it.
    Forward,
    /// Against them: it comes from the paths that leave it.
    Backward,
}

/// Whether anything gets past an edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// The state holds behind the edge.
    Continues,
    /// Nothing does: no path goes this way.
    Ends,
}

/// How a state changes when its node is visited again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Iteration {
    /// What arrives is joined into it: states only grow.
    Ascending,
    /// For so many rounds over the graph, what arrives (joined with the boundary) takes its place; from then on it is joined
    /// into it. For optimistic analyses, which first see less than all paths and name what they find by that: a name that is
    /// given up may be replaced by one that is as good.
    Replacing {
        /// How many rounds.
        rounds: u32,
    },
}

/// A dataflow analysis. *Behind* an edge means: in the direction of the analysis.
///
/// # Convergence
/// [`Analysis::apply`] must be monotone: of a greater state it makes a greater one, or the same; and what continues does so
/// for all greater states. Then the iteration ends, since chains have an end, and its result does not depend on the order.
/// Where an analysis is not monotone (as one that is [`Iteration::Replacing`] may be), it still ends, for states only grow from
/// some round on; the result is then a solution, but perhaps not the least one.
pub trait Analysis<G: Graph> {
    /// What is known at a node.
    type Domain: JoinSemiLattice;

    /// Which way it flows.
    const DIRECTION: Direction;

    /// How states change.
    const ITERATION: Iteration = Iteration::Ascending;

    /// What holds at a node whatever its edges say; nothing for nodes that are reached by edges alone. A forward
    /// analysis of a function has it at the entry. A backward analysis that speaks of endless loops too, as
    /// liveness does, has it everywhere.
    fn boundary(&self, graph: &G, node: G::Node) -> Option<Self::Domain>;

    /// Makes what holds behind an edge of what holds in front of it.
    fn apply(&self, graph: &G, edge: G::Edge, state: &mut Self::Domain) -> Flow;

    /// How much memory a state takes, in units of the analysis. The sum over the first states of all nodes is told to whoever
    /// may stop the iteration.
    fn weight(&self, state: &Self::Domain) -> usize {
        let _ = state;
        0
    }
}
