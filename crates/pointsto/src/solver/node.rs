//! Nodes: what is known of values, what is new about them, and two that become one.

use super::Solver;
use super::lists::List;
use super::moves::MoveId;
use crate::nodes::{NodeKey, RegionKey};
use crate::offsets::Offsets;

/// What is known of a node of the constraint graph.
#[derive(Clone, Default, Debug)]
pub(crate) struct Node {
    /// The region that the value points into.
    pub(crate) target: Option<RegionKey>,
    /// Where, in the coordinates of `target`.
    pub(crate) offsets: Offsets,
    /// The last flow to this node that was asked for: a load that is looked at again asks for the same one.
    pub(super) came_from: Option<(NodeKey, MoveId)>,
    /// Where the value goes.
    pub(super) flows: List,
    /// What is done through it.
    pub(super) uses: List,
    /// The value may come from where nothing is known of it.
    pub(crate) unknown: bool,
    /// What the value points to is handed to code that nothing is known of.
    pub(crate) escapes: bool,
    /// It is a cell of a shared region: what it points to is shared.
    pub(crate) shared: bool,
    /// What changed since it was visited last; if anything did, it is in the queue.
    pub(super) changed: News,
}

/// What is new about a node. A node may have thousands of flows and uses: they are told what they do not know.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct News {
    /// It points to something, or to more offsets, or became one with another node.
    value: bool,
    unknown: bool,
    escapes: bool,
}

impl News {
    pub(super) const VALUE: News = News { value: true, unknown: false, escapes: false };
    pub(super) const UNKNOWN: News = News { value: false, unknown: true, escapes: false };
    pub(super) const ESCAPES: News = News { value: false, unknown: false, escapes: true };

    pub(super) fn and(self, other: News) -> News {
        News {
            value: self.value || other.value,
            unknown: self.unknown || other.unknown,
            escapes: self.escapes || other.escapes,
        }
    }
}

impl Solver<'_> {
    pub(super) fn visit(&mut self, node: NodeKey) {
        let node = self.node_root(node);
        let changed = std::mem::take(&mut self.nodes[node.at()].changed);
        if (changed.escapes || changed.value)
            && self.nodes[node.at()].escapes
            && let Some(target) = self.nodes[node.at()].target
        {
            self.escape(target);
        }
        let Node { flows, uses, .. } = self.nodes[node.at()];
        self.tell(node, (flows, uses), changed);
    }

    /// Tells what is new about a node to some of its flows and uses.
    pub(super) fn tell(&mut self, node: NodeKey, (flows, uses): (List, List), changed: News) {
        if !changed.value && !changed.unknown {
            return;
        }
        let mut entry = flows.first();
        while let Some(at) = entry {
            let (to, by) = self.flows.get(at);
            if changed.unknown {
                self.mark_unknown(to);
            }
            if changed.value {
                self.propagate_value(node, to, self.move_of(by));
            }
            entry = self.flows.next(at);
        }
        let mut entry = uses.first();
        while let Some(at) = entry {
            let what = self.uses.get(at);
            if changed.unknown {
                self.apply_unknown(what);
            }
            if changed.value {
                self.apply_value(node, what);
            }
            entry = self.uses.next(at);
        }
    }

    /// Two nodes become one, soon.
    pub(crate) fn same_node(&mut self, left: NodeKey, right: NodeKey) {
        self.node_merges.push_back((left, right));
    }

    pub(super) fn merge_nodes(&mut self, left: NodeKey, right: NodeKey) {
        let (left, right) = (self.node_root(left), self.node_root(right));
        if left == right {
            return;
        }
        self.node_table.union(left, right);
        let root = self.node_root(left);
        let other = if root == left { right } else { left };
        let old = std::mem::take(&mut self.nodes[other.at()]);
        let is_same = self.is_same_value(root, &old);
        let node = &mut self.nodes[root.at()];
        // Each side is told what only the other one knew: a node with thousands of flows becomes one with many others.
        let own_news = News {
            value: node.target.is_none() && old.target.is_some(),
            unknown: old.unknown && !node.unknown,
            ..News::default()
        };
        let others_news = News {
            value: old.changed.value || (node.target.is_some() && !is_same),
            unknown: old.changed.unknown || (node.unknown && !old.unknown),
            ..News::default()
        };
        node.unknown |= old.unknown;
        node.escapes |= old.escapes;
        node.shared |= old.shared;
        match (node.target, old.target) {
            (None, Some(target)) => {
                node.target = Some(target);
                node.offsets = old.offsets;
            }
            (Some(_), Some(target)) if !is_same => self.incoming.push_back((root, target, old.offsets)),
            (_, Some(_) | None) => {}
        }
        let Node { target, shared, escapes, flows, uses, .. } = self.nodes[root.at()];
        self.changes += 1;
        self.stamp_merged(root, other);
        self.stamp_node(root);
        if let Some(target) = target {
            if shared {
                self.share(target);
            }
            if escapes {
                self.escape(target);
            }
        }
        self.tell(root, (flows, uses), own_news);
        self.tell(root, (old.flows, old.uses), others_news);
        let node = &mut self.nodes[root.at()];
        self.flows.append(&mut node.flows, old.flows);
        self.uses.append(&mut node.uses, old.uses);
    }

    /// Whether a node holds the value of another one that is about to become one with it.
    pub(super) fn is_same_value(&mut self, node: NodeKey, other: &Node) -> bool {
        match (self.nodes[node.at()].target, other.target) {
            (None, None) => true,
            (Some(left), Some(right)) => {
                self.root(left) == self.root(right) && {
                    let by = self.shift[right.at()] - self.shift[left.at()];
                    self.nodes[node.at()].offsets == other.offsets.shifted(by)
                }
            }
            (None, Some(_)) | (Some(_), None) => false,
        }
    }
}
