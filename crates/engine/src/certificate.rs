//! A proof that can be looked at without the engine that made it: an abstract reachability tree (Henzinger, Jhala,
//! Majumdar and Sutre 2002, *Lazy abstraction*).
//!
//! Whoever checks it takes each node's abstract state, goes along each edge of its location, and sees that a child or
//! the node that covers it holds what comes out.

use crate::drawing::Drawing;
use heapwise_ir::{EdgeId, FunctionId, LocationId, Span};

/// An abstract reachability tree: the root is the entry, every other node has an earlier one as its parent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    nodes: Vec<CertificateNode>,
}

/// A node of a certificate, by its position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct NodeIndex(pub usize);

/// A location with what holds there on the way to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CertificateNode {
    /// The function.
    pub function: FunctionId,
    /// The location.
    pub location: LocationId,
    /// The text of the first edge that leaves it.
    pub span: Span,
    /// The node and the edge that lead here; `None` for the root alone.
    pub parent: Option<(NodeIndex, EdgeId)>,
    /// A node that holds all that this one does: nothing needs to follow from here.
    pub covered_by: Option<NodeIndex>,
    /// What holds.
    pub state: Drawing,
}

/// Why nodes are no reachability tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CertificateFault {
    /// There is no root.
    Empty,
    /// A node that is not the first has no parent, or the first has one.
    Root(NodeIndex),
    /// A parent does not stand before its child.
    ParentBehind(NodeIndex),
    /// A node is covered by itself, by one that is covered, by one of another location, or by none that there is.
    Cover(NodeIndex),
    /// A covered node has a child.
    CoveredParent(NodeIndex),
}

impl Certificate {
    /// The tree of these nodes.
    ///
    /// # Errors
    /// They are none.
    pub fn new(nodes: Vec<CertificateNode>) -> Result<Certificate, CertificateFault> {
        if nodes.is_empty() {
            return Err(CertificateFault::Empty);
        }
        for (position, node) in nodes.iter().enumerate() {
            let index = NodeIndex(position);
            match node.parent {
                None if position == 0 => {}
                Some((parent, _)) if position > 0 => {
                    if parent >= index {
                        return Err(CertificateFault::ParentBehind(index));
                    }
                    if nodes[parent.0].covered_by.is_some() {
                        return Err(CertificateFault::CoveredParent(parent));
                    }
                }
                _ => return Err(CertificateFault::Root(index)),
            }
            if let Some(cover) = node.covered_by {
                let covers = nodes.get(cover.0).is_some_and(|other| {
                    let same_place = (other.function, other.location) == (node.function, node.location);
                    cover != index && other.covered_by.is_none() && same_place
                });
                if !covers {
                    return Err(CertificateFault::Cover(index));
                }
            }
        }
        Ok(Certificate { nodes })
    }

    /// The nodes, the root first.
    pub fn nodes(&self) -> &[CertificateNode] {
        &self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(location: u32, parent: Option<usize>, covered_by: Option<usize>) -> CertificateNode {
        CertificateNode {
            function: FunctionId::from_u32(0),
            location: LocationId::from_u32(location),
            span: Span::NONE,
            parent: parent.map(|parent| (NodeIndex(parent), EdgeId::from_u32(0))),
            covered_by: covered_by.map(NodeIndex),
            state: Drawing::default(),
        }
    }

    #[test]
    fn a_loop_is_a_tree_with_a_covered_leaf() {
        let nodes =
            vec![node(0, None, None), node(1, Some(0), None), node(0, Some(1), Some(0)), node(2, Some(0), None)];
        assert_eq!(Certificate::new(nodes.clone()).map(|tree| tree.nodes().len()), Ok(4));
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        let cases = [
            (vec![], CertificateFault::Empty),
            (vec![node(0, Some(0), None)], CertificateFault::Root(NodeIndex(0))),
            (vec![node(0, None, None), node(1, None, None)], CertificateFault::Root(NodeIndex(1))),
            (vec![node(0, None, None), node(1, Some(1), None)], CertificateFault::ParentBehind(NodeIndex(1))),
            (vec![node(0, None, None), node(1, Some(0), Some(0))], CertificateFault::Cover(NodeIndex(1))),
            (vec![node(0, None, None), node(0, Some(0), Some(1))], CertificateFault::Cover(NodeIndex(1))),
            (vec![node(0, None, None), node(0, Some(0), Some(7))], CertificateFault::Cover(NodeIndex(1))),
            (
                vec![node(0, None, None), node(0, Some(0), Some(0)), node(1, Some(1), None)],
                CertificateFault::CoveredParent(NodeIndex(1)),
            ),
        ];
        for (nodes, fault) in cases {
            assert_eq!(Certificate::new(nodes), Err(fault));
        }
    }
}
