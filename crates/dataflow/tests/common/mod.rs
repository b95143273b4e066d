//! Graphs for tests, and the textbook's way to solve them.

#![allow(dead_code)]

use cranelift_entity::{EntityRef, entity_impl};
use heapwise_dataflow::{Analysis, Direction, Flow, Graph, JoinSemiLattice};

/// A node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(u32);
entity_impl!(Node, "n");

/// A graph of numbered edges.
#[derive(Clone, Debug)]
pub struct Edges {
    pub edges: Vec<(usize, usize)>,
    outgoing: Vec<Vec<usize>>,
}

impl Edges {
    pub fn new(n_nodes: usize, edges: &[(usize, usize)]) -> Edges {
        let mut outgoing = vec![Vec::new(); n_nodes];
        for (index, (from, _)) in edges.iter().enumerate() {
            outgoing[*from].push(index);
        }
        Edges { edges: edges.to_vec(), outgoing }
    }
}

impl Graph for Edges {
    type Node = Node;
    type Edge = usize;

    fn n_nodes(&self) -> usize {
        self.outgoing.len()
    }

    fn outgoing(&self, node: Node) -> &[usize] {
        &self.outgoing[node.index()]
    }

    fn source(&self, edge: usize) -> Node {
        Node::new(self.edges[edge].0)
    }

    fn target(&self, edge: usize) -> Node {
        Node::new(self.edges[edge].1)
    }

    fn entries(&self) -> impl Iterator<Item = Node> {
        (self.n_nodes() > 0).then(|| Node::new(0)).into_iter()
    }
}

/// All edges again and again until nothing changes, in the order of their numbers.
pub fn round_robin<A: Analysis<Edges>>(graph: &Edges, analysis: &A) -> Vec<Option<A::Domain>> {
    let mut states: Vec<Option<A::Domain>> =
        (0..graph.n_nodes()).map(|node| analysis.boundary(graph, Node::new(node))).collect();
    loop {
        let mut changed = false;
        for (edge, (from, to)) in graph.edges.iter().enumerate() {
            let (front, behind) = match A::DIRECTION {
                Direction::Forward => (*from, *to),
                Direction::Backward => (*to, *from),
            };
            let Some(mut state) = states[front].clone() else { continue };
            if analysis.apply(graph, edge, &mut state) == Flow::Ends {
                continue;
            }
            changed |= match &mut states[behind] {
                Some(known) => known.join(&state),
                unreached => {
                    *unreached = Some(state);
                    true
                }
            };
        }
        if !changed {
            return states;
        }
    }
}
