//! Shape graphs and their normal form: graphs that stand for the same heaps have equal ones.
//!
//! Nodes are the interruptions of the paper's §3.1 (pointed to by a variable, or shared); an edge is an
//! uninterrupted segment of length `1` or `>1`. A graph may be partial (a shape *sub*graph): it then maps only
//! some of the variables. Where the kind of cells changes within a list, the segment is interrupted too, so that all its cells
//! are alike; only where the kinds of one list change more often than [`MOST_CHANGES`] times is it one segment of cells of any
//! of its kinds.

use crate::kinds::KindSet;
use heapwise_cells::atom::{Atom, Var};
use heapwise_cells::program::KindId;
use heapwise_ir::entity::EntityRef;
use heapwise_ir::entity::packed_option::PackedOption;
use smallvec::SmallVec;
use std::ops::{Index, IndexMut};

/// The label of an edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Length {
    /// So many links, at least one.
    Exactly(u8),
    /// More links than that: `>1`, unless a refinement tells longer segments apart.
    MoreThan(u8),
}

impl Length {
    /// The link field of the cell itself leads to the target.
    pub const ONE: Length = Length::Exactly(1);

    /// The length of two segments one after the other, told apart up to `exact`.
    fn plus(self, other: Length, exact: u8) -> Length {
        match (self, other) {
            (Length::Exactly(left), Length::Exactly(right)) if left + right <= exact => Length::Exactly(left + right),
            _ => Length::MoreThan(exact),
        }
    }
}

/// A node of one graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);
heapwise_ir::entity::entity_impl!(NodeId, "n");

/// What a variable or a link field holds: a pointer to the cell of a node, or anything else.
pub type Value = heapwise_cells::value::Value<NodeId>;

/// An interruption and the segment that leaves it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    /// What the segment ends in.
    pub next: Value,
    /// Its length.
    pub length: Length,
    /// The kind of the cell.
    pub kind: KindId,
    /// The kinds of the cells between this one and `next`.
    pub inner_kinds: KindSet,
    /// Data fields of the cell that may hold no value yet, one bit each.
    pub raw: u32,
    /// The same for the cells between this one and `next`.
    pub inner_raw: u32,
}

/// How often the kind of cells may change along one list before its cells are not told apart any more.
const MOST_CHANGES: usize = 2;

/// A shape (sub)graph. Both parts are flat, so that a graph of the usual size is copied and dropped without a call.
#[derive(PartialEq, Eq, Hash, Default, Debug)]
pub struct Graph {
    /// The cells.
    pub nodes: SmallVec<[Node; 3]>,
    /// What the variables hold that it maps, sorted by variable.
    vars: SmallVec<[(Var, Value); 4]>,
}

impl Clone for Graph {
    fn clone(&self) -> Graph {
        // All at once, not one by one as `SmallVec` does without this.
        Graph { nodes: SmallVec::from_slice(&self.nodes), vars: SmallVec::from_slice(&self.vars) }
    }
}

impl Index<NodeId> for Graph {
    type Output = Node;

    fn index(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }
}

impl IndexMut<NodeId> for Graph {
    fn index_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }
}

/// Whether segments are folded into `>1` edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Folding {
    /// As the abstraction says; lengths up to this one are told apart. The paper's is 1.
    Segments(u8),
    /// Never: every cell stays a node. The graphs are then concrete heaps.
    Exact,
}

/// Whether normalisation dropped cells that no variable reaches any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum Reachability {
    /// All cells are still reached.
    Kept,
    /// Some were lost.
    Lost,
}

impl Graph {
    /// What a variable holds, if the graph maps it.
    pub fn value(&self, var: Var) -> Option<Value> {
        self.vars.iter().find(|(other, _)| *other == var).map(|(_, value)| *value)
    }

    /// Stops mapping a variable.
    pub fn unmap(&mut self, var: Var) {
        self.retain(|other, _| other != var);
    }

    /// Maps only the variables that are chosen.
    pub fn retain(&mut self, mut chosen: impl FnMut(Var, Value) -> bool) {
        self.vars.retain(|(var, value)| chosen(*var, *value));
    }

    /// Maps a variable to a value.
    pub fn set(&mut self, var: Var, value: Value) {
        let position = self.vars.iter().position(|(other, _)| *other >= var).unwrap_or(self.vars.len());
        match self.vars.get_mut(position) {
            Some((other, held)) if *other == var => *held = value,
            _ => self.vars.insert(position, (var, value)),
        }
    }

    /// Adds a node that no variable points to.
    pub fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId::new(self.nodes.len() - 1)
    }

    /// The variables that the graph maps and what they hold, sorted.
    pub fn vars(&self) -> &[(Var, Value)] {
        &self.vars
    }

    /// Bytes held.
    pub fn bytes(&self) -> u64 {
        let nodes = if self.nodes.spilled() { size_of_val(self.nodes.as_slice()) } else { 0 };
        let vars = if self.vars.spilled() { size_of_val(self.vars.as_slice()) } else { 0 };
        (size_of::<Graph>() + nodes + vars) as u64
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.vars.is_empty()
    }

    /// Takes out a node; whatever led to it is dangling then.
    pub fn remove(&mut self, id: NodeId) {
        let last = NodeId::new(self.nodes.len() - 1);
        self.nodes.swap_remove(id.index());
        let links = self.nodes.iter_mut().map(|node| &mut node.next);
        for value in links.chain(self.vars.iter_mut().map(|(_, value)| value)) {
            if *value == Value::Cell(id) {
                *value = Value::Atom(Atom::Freed);
            } else if *value == Value::Cell(last) {
                *value = Value::Cell(id);
            }
        }
    }

    /// Every variable and link that holds the first of two atoms holds the second.
    pub fn rename(&mut self, atoms: &[(Atom, Atom)]) {
        let links = self.nodes.iter_mut().map(|node| &mut node.next);
        for value in links.chain(self.vars.iter_mut().map(|(_, value)| value)) {
            if let Value::Atom(atom) = value
                && let Some((_, new)) = atoms.iter().find(|(old, _)| old == atom)
            {
                *atom = *new;
            }
        }
    }

    /// Puts another graph, which maps none of the same variables, beside this one.
    pub fn beside(&mut self, other: &Graph) {
        let shift = self.nodes.len();
        let shifted = |value: Value| match value {
            Value::Cell(node) => Value::Cell(NodeId::new(node.index() + shift)),
            Value::Atom(_) => value,
        };
        self.nodes.extend(other.nodes.iter().map(|node| Node { next: shifted(node.next), ..*node }));
        self.vars.extend(other.vars.iter().map(|(var, value)| (*var, shifted(*value))));
        self.vars.sort_unstable_by_key(|(var, _)| *var);
    }

    /// Puts the graph into the normal form: only cells that variables reach, only interruptions as nodes, named
    /// nodes first by their smallest variable, then shared anonymous ones in the order in which the named ones
    /// reach them (each node has one successor, so that order is unique).
    pub fn normalise(&mut self, folding: Folding) -> Reachability {
        let n_nodes = self.nodes.len();
        let named = |(_, value): &(Var, Value)| matches!(value, Value::Cell(_));
        if n_nodes == 0 || (n_nodes == 1 && self.vars.iter().any(named)) {
            return Reachability::Kept;
        }
        let (order, mut marks) = self.reached_in_order();
        let reachability = if order.len() < n_nodes { Reachability::Lost } else { Reachability::Kept };
        if folding != Folding::Exact {
            self.mark_changes(&order, &mut marks);
        }
        let mut kept: SmallVec<[NodeId; 8]> = SmallVec::new();
        for id in &order {
            let mark = &mut marks[id.index()];
            if folding == Folding::Exact || mark.is_interruption() {
                mark.position = Some(NodeId::new(kept.len())).into();
                kept.push(*id);
            }
        }
        if kept.len() == n_nodes && kept.iter().enumerate().all(|(new, old)| new == old.index()) {
            return reachability;
        }
        let nodes = kept.iter().map(|id| self.folded(self[*id], folding, &marks)).collect();
        self.nodes = nodes;
        for (_, value) in &mut self.vars {
            if let Value::Cell(node) = value
                && let Some(position) = marks[node.index()].position.expand()
            {
                *node = position;
            }
        }
        reachability
    }

    /// A node with what is folded into its segment; the end of it is numbered anew.
    fn folded(&self, mut node: Node, folding: Folding, marks: &[Mark]) -> Node {
        let exact = match folding {
            Folding::Segments(exact) => exact,
            Folding::Exact => 1,
        };
        while let Value::Cell(next) = node.next {
            if let Some(position) = marks[next.index()].position.expand() {
                node.next = Value::Cell(position);
                break;
            }
            let folded = self[next];
            node.length = node.length.plus(folded.length, exact);
            node.inner_kinds = node.inner_kinds.union(KindSet::of(folded.kind)).union(folded.inner_kinds);
            node.inner_raw |= folded.raw | folded.inner_raw;
            node.next = folded.next;
        }
        node
    }

    /// Marks the cells of another kind than the one before them, in lists where there are few.
    fn mark_changes(&self, order: &[NodeId], marks: &mut [Mark]) {
        let first = self.nodes[0].kind;
        if self.nodes.iter().all(|node| node.kind == first && node.inner_kinds.is_at_most(first)) {
            return;
        }
        for id in order {
            if !marks[id.index()].is_interruption() {
                continue;
            }
            let mut changes: SmallVec<[NodeId; MOST_CHANGES]> = SmallVec::new();
            let mut at = self[*id];
            let is_told_apart = loop {
                if !at.inner_kinds.is_at_most(at.kind) {
                    break false;
                }
                let next = match at.next {
                    Value::Cell(next) if !marks[next.index()].is_interruption() => next,
                    Value::Cell(_) | Value::Atom(_) => break true,
                };
                if self[next].kind != at.kind {
                    if changes.len() == MOST_CHANGES {
                        break false;
                    }
                    changes.push(next);
                }
                at = self[next];
            };
            if is_told_apart {
                changes.iter().for_each(|change| marks[change.index()].is_change = true);
            }
        }
    }

    /// The nodes that variables reach: named ones by smallest variable, then anonymous ones as reached.
    fn reached_in_order(&self) -> (SmallVec<[NodeId; 8]>, SmallVec<[Mark; 8]>) {
        let mut marks: SmallVec<[Mark; 8]> = SmallVec::from_elem(Mark::default(), self.nodes.len());
        let mut order: SmallVec<[NodeId; 8]> = SmallVec::new();
        for (_, value) in &self.vars {
            if let Value::Cell(node) = value
                && !std::mem::replace(&mut marks[node.index()].is_named, true)
            {
                order.push(*node);
            }
        }
        let mut position = 0;
        while position < order.len() {
            if let Value::Cell(next) = self[order[position]].next {
                let mark = &mut marks[next.index()];
                mark.predecessors = mark.predecessors.saturating_add(1);
                if mark.predecessors == 1 && !mark.is_named {
                    order.push(next);
                }
            }
            position += 1;
        }
        (order, marks)
    }

    /// Replaces the `>1` segment that leaves a node by its two cases, `1·1` and `1·(>1)`; the node's own link then
    /// leads to the materialised cell, of each kind that it may have (of `n_kinds` that there are). A segment of length `1`
    /// is left as it is.
    pub fn unfold(self, id: NodeId, n_kinds: usize) -> SmallVec<[Graph; 1]> {
        let (shorter, longer) = match self[id].length {
            Length::Exactly(1) => return smallvec::smallvec![self],
            Length::Exactly(links) => (Length::Exactly(links - 1), None),
            Length::MoreThan(links) => (Length::Exactly(links), Some(Length::MoreThan(links))),
        };
        let mut graphs: SmallVec<[Graph; 1]> = SmallVec::new();
        let mut kinds = self[id].inner_kinds.iter(n_kinds);
        let Some(mut kind) = kinds.next() else { return graphs };
        for next in kinds {
            self.clone().unfold_as(id, std::mem::replace(&mut kind, next), (shorter, longer), &mut graphs);
        }
        self.unfold_as(id, kind, (shorter, longer), &mut graphs);
        graphs
    }

    /// The cases in which the next cell of a segment is of one kind, and what is left of it is as long as that.
    fn unfold_as(
        mut self,
        id: NodeId,
        kind: KindId,
        (shorter, longer): (Length, Option<Length>),
        graphs: &mut SmallVec<[Graph; 1]>,
    ) {
        let Node { inner_kinds, inner_raw, .. } = self[id];
        let (rest_kinds, rest_raw) =
            if shorter == Length::ONE { (KindSet::EMPTY, 0) } else { (inner_kinds, inner_raw) };
        let first =
            Node { length: shorter, kind, inner_kinds: rest_kinds, raw: inner_raw, inner_raw: rest_raw, ..self[id] };
        let cell = self.add(first);
        let node = &mut self[id];
        node.inner_kinds = KindSet::EMPTY;
        node.inner_raw = 0;
        node.length = Length::ONE;
        node.next = Value::Cell(cell);
        let long = longer.map(|length| {
            let mut long = self.clone();
            long[cell] = Node { length, inner_kinds, inner_raw, ..long[cell] };
            long
        });
        graphs.push(self);
        graphs.extend(long);
    }
}

/// What normalisation knows of a node.
#[derive(Clone, Copy, Default)]
struct Mark {
    /// A variable points to it.
    is_named: bool,
    /// How many links of cells that are reached lead to it; two stand for more.
    predecessors: u8,
    /// It is of another kind than the cell before it, and the two are told apart.
    is_change: bool,
    /// Its number in the normal form, if it is a node there.
    position: PackedOption<NodeId>,
}

impl Mark {
    /// Whether a segment ends there.
    fn is_interruption(self) -> bool {
        self.is_named || self.predecessors >= 2 || self.is_change
    }
}
