//! The solver: regions and nodes in union-find tables, values that flow along edges between nodes, and a worklist.
//!
//! A *node* holds a value: a register, a cell of a region, an address computed on the way. What a node points to is one
//! region and a few offsets in it; two regions that one node points to become one (Steensgaard), laid over each other so
//! that the two pointers point to the same byte. Only nodes that hold a pointer make regions one: a node that holds none
//! waits (Steensgaard's conditional join), so integers and null tie nothing together.
//!
//! Regions that became one keep their own coordinates: [`Solver::shift`] says where the origin of each lies in the class.

mod cells;
mod class;
mod copy;
mod lists;
mod moves;
mod node;
mod outside;
mod region;
mod stamps;

use crate::GraphId;
use crate::nodes::{NodeKey, RegionKey};
use crate::object::{Object, Site};
use crate::offsets::Offsets;
use crate::watch::Watch;
use ena::unify::InPlaceUnificationTable;
use heapwise_ir::{Function, FunctionId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

use class::Class;
use lists::Lists;
use moves::MoveId;
use node::{News, Node};
use stamps::Stamps;

pub(crate) use cells::Cell;
pub(crate) use class::{Signature, Stretch};
pub(crate) use copy::CopyConstraint;
pub(crate) use moves::Move;

/// Whether a flow is known is looked up in the list of its node up to this length, else in a table.
const MOST_LISTED: usize = 8;

/// The table of addresses that a function computes is kept for the next one up to this size.
const MOST_KEPT: usize = 128;

/// What is done through an address. There are as many as instructions that access memory: small numbers keep them small.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Use {
    /// So many bytes are read into a node.
    Load { into: NodeKey, size: u32, site: Site },
    /// So many bytes are written from a node, or hold no pointer.
    Store { from: Option<NodeKey>, size: u32, site: Site },
    /// Bytes of any value are written; how many is in [`Solver::stretches`].
    Anything(u32),
    /// A copy reads or writes there.
    Copy(u32),
    /// What is there is called.
    Call(u32),
    /// It is added as an index.
    Index(u32),
}

/// A call through a pointer.
#[derive(Clone, Debug)]
pub(crate) struct IndirectCall {
    pub(crate) arguments: Vec<Option<NodeKey>>,
    pub(crate) target: Option<NodeKey>,
    /// It is tied to the region that the pointer points to.
    pub(crate) is_tied: bool,
}

/// Pointer arithmetic: whether a pointer into an array of a record stays there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    /// It may be moved all over its object, as ASSUMPTIONS.md has it.
    WithinObjects,
    /// It stays within its array, as C demands. What is answered holds up to the first step outside.
    WithinArrays,
}

/// The state of the analysis.
pub(crate) struct Solver<'p> {
    pub(crate) program: &'p Program,
    pub(crate) arithmetic: Arithmetic,
    /// Whether to stop before the end.
    pub(crate) watch: &'p Watch<'p>,
    region_table: InPlaceUnificationTable<RegionKey>,
    pub(crate) shift: Vec<i64>,
    /// The next member of the same class, in a ring.
    next_member: Vec<RegionKey>,
    /// The object that a region was made for: it begins at the region's origin.
    object: Vec<Option<Object>>,
    /// By root.
    classes: Vec<Class>,
    node_table: InPlaceUnificationTable<NodeKey>,
    nodes: Vec<Node>,
    flows: Lists<(NodeKey, MoveId)>,
    uses: Lists<Use>,
    /// How many bytes of any value are written, by use.
    stretches: Vec<Option<u64>>,
    /// The moves by number: there are few, and each takes much more room than a number.
    moves: Vec<Move>,
    move_ids: FxHashMap<Move, MoveId>,
    /// The flows from nodes that have many: a table for each, since one of all would be as large as the program.
    known_flows: FxHashMap<NodeKey, FxHashSet<(NodeKey, MoveId)>>,
    /// Addresses that the function at hand computes.
    moved: FxHashMap<(NodeKey, MoveId), NodeKey>,
    queue: VecDeque<NodeKey>,
    /// Values on their way into nodes.
    incoming: VecDeque<(NodeKey, RegionKey, Offsets)>,
    node_merges: VecDeque<(NodeKey, NodeKey)>,
    pub(crate) copies: Vec<CopyConstraint>,
    copy_queue: VecDeque<u32>,
    /// Whether each copy is in the queue, and whether the region that it reads knows it.
    copy_marks: Vec<copy::Marks>,
    pub(crate) calls: Vec<IndirectCall>,
    /// Low bits cleared: where from, where to, which.
    clears: Vec<(NodeKey, NodeKey, u16)>,
    known_clears: FxHashSet<(NodeKey, NodeKey, u16)>,
    /// Regions with some of these that became one with others: what is cleared depends on the objects of a region.
    stale_clears: Vec<RegionKey>,
    /// Regions that copies read and that have other cells now.
    stale_copies: Vec<RegionKey>,
    /// An index, the base that it is added to, and the sum: the index points where the base does not.
    indices: Vec<(NodeKey, Option<NodeKey>, NodeKey)>,
    /// The indices that turned out to point.
    pointing_indices: Vec<u32>,
    /// Functions that code from outside may call.
    pub(crate) called_from_outside: Vec<FunctionId>,
    outside: FxHashSet<FunctionId>,
    /// Functions newly in a class that is called.
    pub(crate) newly_called: Vec<(FunctionId, RegionKey)>,
    /// Regions that became shared, and in whose graph they are.
    pub(crate) touched: Vec<(GraphId, RegionKey)>,
    /// When nodes and regions changed last, if somebody wants to know.
    pub(crate) stamps: Option<Box<Stamps>>,
    /// Something changed since the last look.
    pub(crate) changes: u64,
    /// How often two regions became one.
    pub(crate) unions: u64,
}

impl<'p> Solver<'p> {
    pub(crate) fn new(program: &'p Program, arithmetic: Arithmetic, watch: &'p Watch<'p>) -> Solver<'p> {
        let edges = |function: &Function| function.automaton().map_or(0, |automaton| automaton.edges.len());
        let n_registers: usize = program.functions.values().map(|function| function.registers.len()).sum();
        let n_edges: usize = program.functions.values().map(edges).sum();
        Solver {
            program,
            arithmetic,
            watch,
            region_table: InPlaceUnificationTable::new(),
            shift: Vec::new(),
            next_member: Vec::new(),
            object: Vec::new(),
            classes: Vec::new(),
            node_table: InPlaceUnificationTable::new(),
            nodes: Vec::with_capacity(n_registers + n_edges / 2),
            flows: Lists::with_capacity(n_edges),
            uses: Lists::with_capacity(n_edges / 2),
            stretches: Vec::new(),
            moves: vec![Move::STILL],
            move_ids: FxHashMap::default(),
            known_flows: FxHashMap::default(),
            moved: FxHashMap::default(),
            queue: VecDeque::new(),
            incoming: VecDeque::new(),
            node_merges: VecDeque::new(),
            copies: Vec::new(),
            copy_queue: VecDeque::new(),
            copy_marks: Vec::new(),
            calls: Vec::new(),
            clears: Vec::new(),
            known_clears: FxHashSet::default(),
            stale_clears: Vec::new(),
            stale_copies: Vec::new(),
            indices: Vec::new(),
            pointing_indices: Vec::new(),
            called_from_outside: Vec::new(),
            outside: FxHashSet::default(),
            newly_called: Vec::new(),
            touched: Vec::new(),
            stamps: None,
            changes: 0,
            unions: 0,
        }
    }

    pub(crate) fn pointer_bytes(&self) -> u64 {
        u64::from(self.program.target.pointer_bytes)
    }

    /// A region with nothing in it.
    pub(crate) fn new_region(&mut self, owner: Option<GraphId>) -> RegionKey {
        let key = self.region_table.new_key(());
        self.shift.push(0);
        self.next_member.push(key);
        self.object.push(None);
        self.classes.push(Class { n_members: 1, owner, ..Class::default() });
        key
    }

    /// A region with one object.
    pub(crate) fn new_object(&mut self, owner: Option<GraphId>, object: Object) -> RegionKey {
        let key = self.new_region(owner);
        self.object[key.at()] = Some(object);
        key
    }

    /// The regions that are one with this one, itself among them.
    fn members(&self, region: RegionKey) -> impl Iterator<Item = RegionKey> {
        let rest = move |member: &RegionKey| Some(self.next_member[member.at()]).filter(|next| *next != region);
        std::iter::successors(Some(region), rest)
    }

    /// The objects in a region, each with the region it was made as: its origin is the object's first byte.
    pub(crate) fn objects(&self, region: RegionKey) -> impl Iterator<Item = (Object, RegionKey)> {
        self.members(region).filter_map(|member| Some((self.object[member.at()]?, member)))
    }

    pub(crate) fn new_node(&mut self) -> NodeKey {
        let key = self.node_table.new_key(());
        self.nodes.push(Node::default());
        key
    }

    /// A node that points to the start of a region.
    pub(crate) fn node_to(&mut self, region: RegionKey) -> NodeKey {
        let node = self.new_node();
        self.incoming.push_back((node, region, Offsets::at(0)));
        node
    }

    pub(crate) fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn n_regions(&self) -> usize {
        self.shift.len()
    }

    pub(crate) fn root(&mut self, region: RegionKey) -> RegionKey {
        self.region_table.find(region)
    }

    /// The classes of some regions, each once.
    fn roots(&mut self, mut regions: Vec<RegionKey>) -> Vec<RegionKey> {
        regions.iter_mut().for_each(|region| *region = self.region_table.find(*region));
        regions.sort_unstable();
        regions.dedup();
        regions
    }

    pub(crate) fn node_root(&mut self, node: NodeKey) -> NodeKey {
        self.node_table.find(node)
    }

    pub(crate) fn class(&mut self, region: RegionKey) -> &Class {
        let root = self.root(region);
        &self.classes[root.at()]
    }

    pub(crate) fn class_mut(&mut self, region: RegionKey) -> &mut Class {
        let root = self.root(region);
        &mut self.classes[root.at()]
    }

    pub(crate) fn node(&mut self, node: NodeKey) -> &Node {
        let root = self.node_root(node);
        &self.nodes[root.at()]
    }

    fn node_mut(&mut self, node: NodeKey) -> &mut Node {
        let root = self.node_root(node);
        &mut self.nodes[root.at()]
    }

    fn enqueue(&mut self, node: NodeKey, news: News) {
        let root = self.node_root(node);
        self.changes += 1;
        self.stamp_node(root);
        let changed = &mut self.nodes[root.at()].changed;
        if *changed == News::default() {
            self.queue.push_back(root);
        }
        *changed = changed.and(news);
    }

    /// The value of `from`, moved, goes to `to`.
    pub(crate) fn flow(&mut self, from: NodeKey, to: NodeKey, by: Move) {
        let (from, to) = (self.node_root(from), self.node_root(to));
        let id = self.move_id(by);
        if from == to && by == Move::STILL || self.nodes[to.at()].came_from == Some((from, id)) {
            return;
        }
        self.nodes[to.at()].came_from = Some((from, id));
        let flows = self.nodes[from.at()].flows;
        let is_known = match flows.len() {
            0..=MOST_LISTED => self.flows.iter(flows).any(|known| known == (to, id)),
            _ => !self.known_flows.entry(from).or_default().insert((to, id)),
        };
        if is_known {
            return;
        }
        self.flows.push(&mut self.nodes[from.at()].flows, (to, id));
        self.propagate(from, to, by);
    }

    /// Where the node's value goes.
    pub(crate) fn flows_of(&mut self, node: NodeKey) -> Vec<(NodeKey, MoveId)> {
        let root = self.node_root(node);
        self.flows.iter(self.nodes[root.at()].flows).collect()
    }

    /// An index that is added to a base: where the base is no pointer, it is the index that points.
    pub(crate) fn index_flow(&mut self, index: NodeKey, base: Option<NodeKey>, sum: NodeKey) {
        let id = self.indices.len() as u32;
        self.indices.push((index, base, sum));
        self.add_use(index, Use::Index(id));
    }

    /// Something is done through an address.
    pub(crate) fn add_use(&mut self, address: NodeKey, what: Use) {
        let root = self.node_root(address);
        self.uses.push(&mut self.nodes[root.at()].uses, what);
        self.apply(root, what);
    }

    /// Bytes of any value are written through an address.
    pub(crate) fn add_use_anything(&mut self, address: NodeKey, bytes: Option<u64>) {
        let stretch = self.stretches.len() as u32;
        self.stretches.push(bytes);
        self.add_use(address, Use::Anything(stretch));
    }

    pub(crate) fn mark_unknown(&mut self, node: NodeKey) {
        if !std::mem::replace(&mut self.node_mut(node).unknown, true) {
            self.enqueue(node, News::UNKNOWN);
        }
    }

    /// Runs until nothing changes, or until it is to stop.
    pub(crate) fn solve(&mut self) {
        loop {
            self.flow_on();
            if self.watch.is_over() {
                return;
            }
            let stale = std::mem::take(&mut self.stale_copies);
            for region in self.roots(stale) {
                self.class(region).copies().to_vec().into_iter().for_each(|copy| self.enqueue_copy(copy));
            }
            if let Some(copy) = self.copy_queue.pop_front() {
                self.run_copy(copy);
            } else if !self.resume_deferred() {
                return;
            }
        }
    }

    /// Runs until no value is on its way: what else there is to do waits.
    pub(crate) fn flow_on(&mut self) {
        loop {
            if self.watch.is_over() {
                return;
            }
            if let Some((left, right)) = self.node_merges.pop_front() {
                self.merge_nodes(left, right);
            } else if let Some((node, region, offsets)) = self.incoming.pop_front() {
                self.receive(node, region, &offsets);
            } else if let Some(node) = self.queue.pop_front() {
                self.visit(node);
            } else {
                return;
            }
        }
    }

    /// A function is read to its end: its values flow while its nodes are near at hand. Nodes of its moves are of no use to
    /// the next.
    pub(crate) fn end_function(&mut self) {
        // A large table is given up: to clear it costs as much as it is large, for every function that comes.
        match self.moved.capacity() > MOST_KEPT {
            true => self.moved = FxHashMap::default(),
            false => self.moved.clear(),
        }
        self.flow_on();
    }

    /// A class that is of no more use to the solver.
    pub(crate) fn take_class(&mut self, root: RegionKey) -> Class {
        std::mem::take(&mut self.classes[root.at()])
    }

    /// A value arrives in a node.
    pub(crate) fn receive(&mut self, node: NodeKey, region: RegionKey, offsets: &Offsets) {
        let node = self.node_root(node);
        let Some(start) = offsets.first() else { return };
        if self.nodes[node.at()].shared {
            self.share(region);
        }
        let (Some(target), Some(first)) = (self.nodes[node.at()].target, self.nodes[node.at()].offsets.first()) else {
            self.nodes[node.at()].target = Some(region);
            self.nodes[node.at()].offsets = offsets.clone();
            self.enqueue(node, News::VALUE);
            return;
        };
        if self.root(target) != self.root(region) {
            self.unify((target, first), (region, start));
        }
        let by = self.shift[region.at()] - self.shift[target.at()];
        let mut grew = false;
        for range in offsets.iter() {
            grew |= self.nodes[node.at()].offsets.insert(range.shifted(by));
        }
        if grew {
            self.enqueue(node, News::VALUE);
        }
    }

    /// What waits until everything else is done: whether there was something.
    fn resume_deferred(&mut self) -> bool {
        let before = self.changes;
        let stale = std::mem::take(&mut self.stale_clears);
        for region in self.roots(stale) {
            for index in self.class(region).rare.as_ref().map_or_else(Vec::new, |rare| rare.clears.clone()) {
                let (from, to, bits) = self.clears[index as usize];
                self.propagate(from, to, Move::ClearBits(bits));
            }
            // Of so many objects none is looked at any more: nothing changes for those that there are.
            let class = self.class_mut(region);
            if class.n_members > moves::MOST_ALIGNED {
                class.rare().clears.clear();
            }
        }
        for index in std::mem::take(&mut self.pointing_indices) {
            let (index, base, sum) = self.indices[index as usize];
            // A base that points does so for good.
            if base.is_none_or(|base| self.node(base).target.is_none()) {
                self.flow(index, sum, Move::Scramble);
            }
        }
        self.changes != before
    }
}
