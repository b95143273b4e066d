//! What an analysis found.

use crate::analysis::{Analysis, Direction, Flow};
use crate::graph::Graph;
use cranelift_entity::EntityRef;

/// A solution. It belongs to the graph that it was computed on; new nodes have no state.
pub struct Results<G: Graph, A: Analysis<G>> {
    analysis: A,
    states: Vec<Option<A::Domain>>,
}

impl<G: Graph, A: Analysis<G>> Results<G, A> {
    pub(crate) fn new(analysis: A, states: Vec<Option<A::Domain>>) -> Results<G, A> {
        Results { analysis, states }
    }

    /// The analysis.
    pub fn analysis(&self) -> &A {
        &self.analysis
    }

    /// What holds at a node; nothing if it is not reached.
    pub fn at(&self, node: G::Node) -> Option<&A::Domain> {
        self.states.get(node.index())?.as_ref()
    }

    /// Whether anything reaches a node.
    pub fn is_reached(&self, node: G::Node) -> bool {
        self.at(node).is_some()
    }

    /// What holds at each node, in order.
    pub fn into_states(self) -> Vec<Option<A::Domain>> {
        self.states
    }

    /// For a look at what holds behind some edges.
    pub fn cursor<'r>(&'r self, graph: &'r G) -> Cursor<'r, G, A> {
        Cursor { graph, results: self, state: None }
    }

    /// Shows a visitor what holds in front of and behind every edge whose node is reached, nodes in order.
    pub fn visit(&self, graph: &G, visitor: &mut impl Visitor<G, A>) {
        let mut cursor = self.cursor(graph);
        for node in 0..graph.n_nodes() {
            for edge in graph.outgoing(G::Node::new(node)) {
                if let Some(front) = self.at(front::<G, A>(graph, *edge)) {
                    visitor.edge(*edge, front, cursor.behind(*edge));
                }
            }
        }
    }
}

/// The node whose state an edge is applied to.
fn front<G: Graph, A: Analysis<G>>(graph: &G, edge: G::Edge) -> G::Node {
    match A::DIRECTION {
        Direction::Forward => graph.source(edge),
        Direction::Backward => graph.target(edge),
    }
}

/// Looks at single places of a solution. What holds behind an edge is computed when it is asked for.
pub struct Cursor<'r, G: Graph, A: Analysis<G>> {
    graph: &'r G,
    results: &'r Results<G, A>,
    state: Option<A::Domain>,
}

impl<'r, G: Graph, A: Analysis<G>> Cursor<'r, G, A> {
    /// What holds in front of an edge.
    pub fn front(&self, edge: G::Edge) -> Option<&'r A::Domain> {
        self.results.at(front::<G, A>(self.graph, edge))
    }

    /// What holds behind an edge, before it meets what comes over other edges; nothing if no path goes this way.
    pub fn behind(&mut self, edge: G::Edge) -> Option<&A::Domain> {
        let front = self.results.states.get(front::<G, A>(self.graph, edge).index())?;
        self.state.clone_from(front);
        let state = self.state.as_mut()?;
        match self.results.analysis.apply(self.graph, edge, state) {
            Flow::Continues => Some(state),
            Flow::Ends => None,
        }
    }
}

/// Sees all of a solution.
pub trait Visitor<G: Graph, A: Analysis<G>> {
    /// An edge, with what holds in front of it and behind it; nothing behind if no path goes this way.
    fn edge(&mut self, edge: G::Edge, front: &A::Domain, behind: Option<&A::Domain>);
}
