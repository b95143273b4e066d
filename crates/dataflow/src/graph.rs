//! What an analysis runs on.

use cranelift_entity::EntityRef;

/// A directed graph. The nodes are numbered from 0; several edges may join the same two nodes.
pub trait Graph {
    /// A node.
    type Node: EntityRef;
    /// An edge.
    type Edge: Copy;

    /// How many nodes there are.
    fn n_nodes(&self) -> usize;

    /// The edges that leave a node.
    fn outgoing(&self, node: Self::Node) -> &[Self::Edge];

    /// Where an edge comes from.
    fn source(&self, edge: Self::Edge) -> Self::Node;

    /// Where it leads.
    fn target(&self, edge: Self::Edge) -> Self::Node;

    /// Where a walk over the graph starts. This decides in which order nodes are visited, and nothing else; nodes that it
    /// does not lead to are visited too.
    fn entries(&self) -> impl Iterator<Item = Self::Node>;
}

/// The edges that enter each node, in one block of memory.
pub(crate) struct Incoming<E> {
    first: Vec<u32>,
    edges: Vec<E>,
}

impl<E: Copy> Incoming<E> {
    pub(crate) fn of<G: Graph<Edge = E>>(graph: &G) -> Incoming<E> {
        let n_nodes = graph.n_nodes();
        let mut first = vec![0u32; n_nodes + 1];
        let all = || (0..n_nodes).flat_map(|node| graph.outgoing(G::Node::new(node)).iter().copied());
        for edge in all() {
            first[graph.target(edge).index() + 1] += 1;
        }
        for node in 0..n_nodes {
            first[node + 1] += first[node];
        }
        // Any edge will do to fill the block with; each place is written below.
        let mut edges: Vec<E> = all().collect();
        let mut next = first.clone();
        for edge in all() {
            let place = &mut next[graph.target(edge).index()];
            edges[*place as usize] = edge;
            *place += 1;
        }
        Incoming { first, edges }
    }

    pub(crate) fn of_node(&self, node: usize) -> &[E] {
        &self.edges[self.first[node] as usize..self.first[node + 1] as usize]
    }
}
