//! The solver: regions and nodes in union-find tables, values that flow along edges between nodes, and a worklist.
//!
//! A *node* holds a value: a register, a cell of a region, an address computed on the way. What a node points to is one
//! region and a few offsets in it; two regions that one node points to become one (Steensgaard), laid over each other so
//! that the two pointers point to the same byte. Only nodes that hold a pointer make regions one: a node that holds none
//! waits (Steensgaard's conditional join), so integers and null tie nothing together.
//!
//! Regions that became one keep their own coordinates: [`Solver::shift`] says where the origin of each lies in the class.

mod cells;
mod copy;
mod lists;
mod outside;
mod region;
mod stamps;

use crate::GraphId;
use crate::layout::{Change, Fold, Layout};
use crate::nodes::{NodeKey, RegionKey};
use crate::object::{Collapse, CollapseReason, Object, Site};
use crate::offsets::{Offsets, Range};
use crate::watch::Watch;
use ena::unify::InPlaceUnificationTable;
use heapwise_ir::{Function, FunctionId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

use cells::Cells;
use lists::{List, Lists};
use stamps::Stamps;

pub(crate) use cells::Cell;
pub(crate) use copy::CopyConstraint;

/// How an offset changes on the way from one node to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Move {
    /// One of these is added.
    Add(Range),
    /// One of these is added, by pointer arithmetic in units of so many bytes.
    Index { by: Range, unit: u64 },
    /// Some of these low bits are set.
    SetBits(u16),
    /// These low bits are cleared.
    ClearBits(u16),
    /// Computed in a way that is not followed: anywhere in the region.
    Scramble,
}

impl Move {
    pub(crate) const STILL: Move = Move::Add(Range::exact(0));

    /// Whether it sets or clears low bits.
    pub(crate) fn is_of_bits(self) -> bool {
        matches!(self, Move::SetBits(_) | Move::ClearBits(_))
    }
}

/// Whether a flow is known is looked up in the list of its node up to this length, else in a table of all nodes.
const MOST_LISTED: usize = 8;

/// The arrays of a region grow up to so many times.
const MOST_FOLDS: u16 = 2048;

/// The objects of a region are looked at for their alignment up to so many.
const MOST_ALIGNED: u32 = 256;

/// A move, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct MoveId(u32);

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

/// What is known of a node of the constraint graph.
#[derive(Clone, Default, Debug)]
pub(crate) struct Node {
    /// The region that the value points into.
    pub(crate) target: Option<RegionKey>,
    /// Where, in the coordinates of `target`.
    pub(crate) offsets: Offsets,
    /// Where the value goes.
    flows: List,
    /// What is done through it.
    uses: List,
    /// The value may come from where nothing is known of it.
    pub(crate) unknown: bool,
    /// What the value points to is handed to code that nothing is known of.
    pub(crate) escapes: bool,
    /// It is a cell of a shared region: what it points to is shared.
    pub(crate) shared: bool,
    /// What changed since it was visited last; if anything did, it is in the queue.
    changed: News,
}

/// What is new about a node. A node may have thousands of flows and uses: they are told what they do not know.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct News {
    /// It points to something, or to more offsets, or became one with another node.
    value: bool,
    unknown: bool,
    escapes: bool,
}

impl News {
    const VALUE: News = News { value: true, unknown: false, escapes: false };
    const UNKNOWN: News = News { value: false, unknown: true, escapes: false };
    const ESCAPES: News = News { value: false, unknown: false, escapes: true };

    fn and(self, other: News) -> News {
        News {
            value: self.value || other.value,
            unknown: self.unknown || other.unknown,
            escapes: self.escapes || other.escapes,
        }
    }
}

/// Regions that are one. The members, and the objects that they are, stand in tables of the solver.
#[derive(Clone, Default, Debug)]
pub(crate) struct Class {
    n_members: u32,
    /// Code that nothing is known of may read and write it.
    pub(crate) escaped: bool,
    /// A copy reads it, here or in a graph that is mapped to this one: cells of callers are of interest.
    pub(crate) copied: bool,
    /// Whose graph it is in; `None`: it is reached from a global, and shared by all.
    pub(crate) owner: Option<GraphId>,
    /// How often its arrays grew.
    n_folds: u16,
    pub(crate) cells: Cells,
    pub(crate) layout: Layout,
    /// What few have.
    rare: Option<Box<Rare>>,
}

/// What few classes have.
#[derive(Clone, Default, Debug)]
struct Rare {
    /// Parameters and result of the functions in it, once it is called.
    signature: Option<Signature>,
    /// Copies that read it.
    copies: Vec<u32>,
    /// Where low bits of addresses in it are cleared.
    clears: Vec<u32>,
    /// Stretches that hold bytes of any value.
    anything: Vec<Stretch>,
    /// Why it is one cell, or has cells that two views cut differently.
    collapses: Vec<Collapse>,
}

/// Bytes of a region: start and end; `None`: to both ends of everything.
pub(crate) type Stretch = Option<(i64, i64)>;

impl Class {
    fn rare(&mut self) -> &mut Rare {
        self.rare.get_or_insert_default()
    }

    pub(crate) fn anything(&self) -> &[Stretch] {
        self.rare.as_ref().map_or(&[], |rare| &rare.anything)
    }

    pub(crate) fn collapses(&self) -> &[Collapse] {
        self.rare.as_ref().map_or(&[], |rare| &rare.collapses)
    }

    fn copies(&self) -> &[u32] {
        self.rare.as_ref().map_or(&[], |rare| &rare.copies)
    }

    /// The elements of an array become one. Copies within a region, and calls that are given several places of it, can make
    /// arrays grow again and again: beyond a number of times there is one array, as long as the region.
    fn fold(&mut self, fold: Fold, site: Option<Site>) -> Change {
        let change = self.layout.fold(fold);
        if change == Change::Coarser {
            self.n_folds += 1;
            if self.n_folds > MOST_FOLDS {
                self.n_folds = 0;
                self.layout.fold_all(self.layout.common_stride());
                self.rare().collapses.push(Collapse { reason: CollapseReason::Endless, site });
            }
        }
        change
    }

    fn is_called(&self) -> bool {
        self.rare.as_ref().is_some_and(|rare| rare.signature.is_some())
    }
}

/// Parameters and result of all functions of a class.
#[derive(Clone, Default, Debug)]
pub(crate) struct Signature {
    pub(crate) parameters: Vec<NodeKey>,
    pub(crate) result: Option<NodeKey>,
    /// A function among them does something unknown with arguments beyond its parameters.
    pub(crate) rest_escapes: bool,
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
    /// The flows from nodes that have many.
    known_flows: FxHashSet<(NodeKey, NodeKey, MoveId)>,
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
            known_flows: FxHashSet::default(),
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
        if from == to && by == Move::STILL {
            return;
        }
        let flows = self.nodes[from.at()].flows;
        let is_known = match flows.len() {
            0..=MOST_LISTED => self.flows.iter(flows).any(|known| known == (to, id)),
            _ => !self.known_flows.insert((from, to, id)),
        };
        if is_known {
            return;
        }
        self.flows.push(&mut self.nodes[from.at()].flows, (to, id));
        self.propagate(from, to, by);
    }

    fn move_id(&mut self, by: Move) -> MoveId {
        if by == Move::STILL {
            return MoveId(0);
        }
        *self.move_ids.entry(by).or_insert_with(|| {
            self.moves.push(by);
            MoveId(self.moves.len() as u32 - 1)
        })
    }

    pub(crate) fn move_of(&self, id: MoveId) -> Move {
        self.moves[id.0 as usize]
    }

    /// Whether low bits of the node's value are looked at.
    pub(crate) fn has_moves_of_bits(&mut self, node: NodeKey) -> bool {
        let root = self.node_root(node);
        self.flows.iter(self.nodes[root.at()].flows).any(|(_, by)| self.moves[by.0 as usize].is_of_bits())
    }

    /// Where the node's value goes.
    pub(crate) fn flows_of(&mut self, node: NodeKey) -> Vec<(NodeKey, MoveId)> {
        let root = self.node_root(node);
        self.flows.iter(self.nodes[root.at()].flows).collect()
    }

    /// The address that is `by` away from one: the same node each time in a function.
    pub(crate) fn moved(&mut self, from: NodeKey, by: Move) -> NodeKey {
        if by == Move::STILL {
            return from;
        }
        let id = self.move_id(by);
        if let Some(node) = self.moved.get(&(from, id)) {
            return *node;
        }
        let node = self.new_node();
        self.moved.insert((from, id), node);
        self.flow(from, node, by);
        node
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
        self.moved.clear();
        self.flow_on();
    }

    /// A class that is of no more use to the solver.
    pub(crate) fn take_class(&mut self, root: RegionKey) -> Class {
        std::mem::take(&mut self.classes[root.at()])
    }

    fn visit(&mut self, node: NodeKey) {
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
    fn tell(&mut self, node: NodeKey, (flows, uses): (List, List), changed: News) {
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

    fn propagate(&mut self, from: NodeKey, to: NodeKey, by: Move) {
        if self.node(from).unknown {
            self.mark_unknown(to);
        }
        self.propagate_value(from, to, by);
    }

    fn propagate_value(&mut self, from: NodeKey, to: NodeKey, by: Move) {
        let Node { target, offsets, .. } = self.node(from);
        let Some(target) = *target else { return };
        let offsets = offsets.clone();
        if by == Move::STILL {
            return self.receive(to, target, &offsets);
        }
        let mut moved = Offsets::default();
        for range in offsets.iter() {
            match by {
                Move::Add(bytes) => {
                    moved.insert(range.plus(bytes));
                }
                Move::Index { by: bytes, unit } => {
                    let stays = self.arithmetic == Arithmetic::WithinArrays
                        && !range.is_exact()
                        && range.stride > 0
                        && unit.is_multiple_of(range.stride);
                    moved.insert(if stays { range } else { range.plus(bytes) });
                }
                Move::SetBits(bits) => {
                    moved.insert(range.with_flags(bits));
                }
                Move::ClearBits(bits) => {
                    for cleared in self.cleared(target, range, bits) {
                        moved.insert(cleared);
                    }
                    let constraint = (from, to, bits);
                    if self.known_clears.insert(constraint) {
                        let id = self.clears.len() as u32;
                        self.clears.push(constraint);
                        self.class_mut(target).rare().clears.push(id);
                    }
                }
                Move::Scramble => {
                    moved.insert(Range::anywhere(range.start, 1));
                }
            }
        }
        self.receive(to, target, &moved);
    }

    /// What an offset is without some low bits: for each object of the region, as far as its alignment is known.
    fn cleared(&mut self, region: RegionKey, range: Range, bits: u16) -> Vec<Range> {
        let here = self.shift[region.at()];
        let mask = i64::from(bits);
        let mut found = Vec::new();
        let unaligned = match range.is_exact() {
            true => Range::elements(range.start - mask, 1, u64::from(bits) + u64::from(range.slack) + 1),
            false => Range::anywhere(range.start, 1),
        };
        let root = self.root(region);
        if self.classes[root.at()].n_members > MOST_ALIGNED {
            // To look at each again whenever there is one more would take the square of their number.
            return vec![unaligned];
        }
        for (object, key) in self.objects(region) {
            let origin = self.shift[key.at()] - here;
            let alignment = object.alignment(self.program);
            let block = u64::from(bits) + 1;
            let is_aligned = alignment.is_multiple_of(block) && range.stride.is_multiple_of(block);
            found.push(if is_aligned && range.slack <= bits {
                let start = origin + ((range.start - origin) & !mask);
                Range { start, slack: 0, past_end: false, ..range }
            } else {
                unaligned
            });
        }
        if found.is_empty() {
            found.push(Range { slack: if range.slack <= bits { 0 } else { range.slack }, past_end: false, ..range });
        }
        found
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

    /// Two nodes become one, soon.
    pub(crate) fn same_node(&mut self, left: NodeKey, right: NodeKey) {
        self.node_merges.push_back((left, right));
    }

    fn merge_nodes(&mut self, left: NodeKey, right: NodeKey) {
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
    fn is_same_value(&mut self, node: NodeKey, other: &Node) -> bool {
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

    /// What waits until everything else is done: whether there was something.
    fn resume_deferred(&mut self) -> bool {
        let before = self.changes;
        let stale = std::mem::take(&mut self.stale_clears);
        for region in self.roots(stale) {
            for index in self.class(region).rare.as_ref().map_or_else(Vec::new, |rare| rare.clears.clone()) {
                let (from, to, bits) = self.clears[index as usize];
                self.propagate(from, to, Move::ClearBits(bits));
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
