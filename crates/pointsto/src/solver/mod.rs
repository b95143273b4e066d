//! The solver: regions and slots in union-find tables, values that flow along edges between slots, and a worklist.
//!
//! A *slot* holds a value: a register, a cell of a region, an address computed on the way. What a slot points to is one
//! region and a few offsets in it; two regions that one slot points to become one (Steensgaard), laid over each other so
//! that the two pointers point to the same byte. Only slots that hold a pointer make regions one: a slot that holds none
//! waits (Steensgaard's conditional join), so integers and null tie nothing together.
//!
//! Regions that became one keep their own coordinates: [`Solver::shift`] says where the origin of each lies in the class.

mod copy;
mod outside;
mod region;

use crate::GraphId;
use crate::layout::Layout;
use crate::nodes::{RegionKey, SlotKey};
use crate::object::{Collapse, Object, Site};
use crate::offsets::{Offsets, Range};
use ena::unify::InPlaceUnificationTable;
use heapwise_ir::{FunctionId, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::{BTreeMap, VecDeque};

pub(crate) use copy::CopyConstraint;

/// How an offset changes on the way from one slot to another.
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

/// Whether a flow is known is looked up in the list of its slot up to this length, else in a table of all slots.
const MOST_LISTED: usize = 8;

/// A move, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct MoveId(u32);

/// What is done through an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Use {
    /// So many bytes are read into a slot.
    Load { into: SlotKey, size: u64, site: Site },
    /// So many bytes are written from a slot, or hold no pointer.
    Store { from: Option<SlotKey>, size: u64, site: Site },
    /// Bytes of any value are written.
    Anything { bytes: Option<u64> },
    /// A copy reads or writes there.
    Copy(u32),
    /// What is there is called.
    Call(u32),
    /// It is added as an index.
    Index(u32),
}

/// A slot.
#[derive(Clone, Default, Debug)]
pub(crate) struct Slot {
    /// The region that the value points into.
    pub(crate) target: Option<RegionKey>,
    /// Where, in the coordinates of `target`.
    pub(crate) offsets: Offsets,
    /// Where the value goes.
    pub(crate) flows: SmallVec<[(SlotKey, MoveId); 2]>,
    /// What is done through it.
    pub(crate) uses: SmallVec<[Use; 1]>,
    /// The value may come from where nothing is known of it.
    pub(crate) unknown: bool,
    /// What the value points to is handed to code that nothing is known of.
    pub(crate) escapes: bool,
    /// It is a cell of a shared region: what it points to is shared.
    pub(crate) shared: bool,
    queued: bool,
}

/// A cell of a region: bytes that hold one value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    pub(crate) slot: SlotKey,
    pub(crate) size: u64,
}

/// Regions that are one.
#[derive(Clone, Default, Debug)]
pub(crate) struct Class {
    pub(crate) members: Vec<RegionKey>,
    pub(crate) layout: Layout,
    pub(crate) cells: BTreeMap<i64, Cell>,
    /// Objects, each with the region it was made as: its origin is the object's first byte.
    pub(crate) objects: Vec<(Object, RegionKey)>,
    /// Parameters and result of the functions in it, once it is called.
    pub(crate) signature: Option<Signature>,
    /// Functions that are in `objects` and not yet tied to the signature.
    pub(crate) functions: Vec<FunctionId>,
    /// Copies that read it.
    pub(crate) copies: Vec<u32>,
    /// Stretches that hold bytes of any value: start and end (`None`: to both ends of everything).
    pub(crate) anything: Vec<Option<(i64, i64)>>,
    /// Code that nothing is known of may read and write it.
    pub(crate) escaped: bool,
    /// Why it is one cell, or has cells that two views cut differently.
    pub(crate) collapses: Vec<Collapse>,
    /// A copy reads it, here or in a graph that is mapped to this one: cells of callers are of interest.
    pub(crate) copied: bool,
    /// Whose graph it is in; `None`: it is reached from a global, and shared by all.
    pub(crate) owner: Option<GraphId>,
}

/// Parameters and result of all functions of a class.
#[derive(Clone, Default, Debug)]
pub(crate) struct Signature {
    pub(crate) parameters: Vec<SlotKey>,
    pub(crate) result: Option<SlotKey>,
    /// A function among them does something unknown with arguments beyond its parameters.
    pub(crate) rest_escapes: bool,
}

/// A call through a pointer.
#[derive(Clone, Debug)]
pub(crate) struct IndirectCall {
    pub(crate) arguments: Vec<Option<SlotKey>>,
    pub(crate) target: Option<SlotKey>,
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
    region_table: InPlaceUnificationTable<RegionKey>,
    pub(crate) shift: Vec<i64>,
    classes: Vec<Option<Box<Class>>>,
    slot_table: InPlaceUnificationTable<SlotKey>,
    slots: Vec<Slot>,
    /// The moves by number: there are few, and each takes much more room than a number.
    moves: Vec<Move>,
    move_ids: FxHashMap<Move, MoveId>,
    /// The flows from slots that have many.
    known_flows: FxHashSet<(SlotKey, SlotKey, MoveId)>,
    /// Addresses that the function at hand computes.
    moved: FxHashMap<(SlotKey, MoveId), SlotKey>,
    queue: VecDeque<SlotKey>,
    /// Values on their way into slots.
    incoming: VecDeque<(SlotKey, RegionKey, Offsets)>,
    slot_merges: VecDeque<(SlotKey, SlotKey)>,
    pub(crate) copies: Vec<CopyConstraint>,
    copy_queue: VecDeque<u32>,
    /// Whether each copy is in the queue, and whether the region that it reads knows it.
    copy_marks: Vec<copy::Marks>,
    pub(crate) calls: Vec<IndirectCall>,
    /// Low bits cleared: where from, where to, which.
    clears: Vec<(SlotKey, SlotKey, u16)>,
    known_clears: FxHashSet<(SlotKey, SlotKey, u16)>,
    /// How often regions had become one when these were looked at last.
    unions_at_clears: u64,
    /// An index, the base that it is added to, and the sum: the index points where the base does not.
    indices: Vec<(SlotKey, Option<SlotKey>, SlotKey)>,
    /// The indices that turned out to point.
    pointing_indices: Vec<u32>,
    /// Functions that code from outside may call.
    pub(crate) called_from_outside: Vec<FunctionId>,
    outside: FxHashSet<FunctionId>,
    /// Functions newly in a class that is called.
    pub(crate) newly_called: Vec<(FunctionId, RegionKey)>,
    /// Regions that became shared, and in whose graph they are.
    pub(crate) touched: Vec<(GraphId, RegionKey)>,
    /// Something changed since the last look.
    pub(crate) changes: u64,
    /// How often two regions became one.
    pub(crate) unions: u64,
}

impl<'p> Solver<'p> {
    pub(crate) fn new(program: &'p Program, arithmetic: Arithmetic) -> Solver<'p> {
        Solver {
            program,
            arithmetic,
            region_table: InPlaceUnificationTable::new(),
            shift: Vec::new(),
            classes: Vec::new(),
            slot_table: InPlaceUnificationTable::new(),
            slots: Vec::new(),
            moves: vec![Move::STILL],
            move_ids: FxHashMap::default(),
            known_flows: FxHashSet::default(),
            moved: FxHashMap::default(),
            queue: VecDeque::new(),
            incoming: VecDeque::new(),
            slot_merges: VecDeque::new(),
            copies: Vec::new(),
            copy_queue: VecDeque::new(),
            copy_marks: Vec::new(),
            calls: Vec::new(),
            clears: Vec::new(),
            known_clears: FxHashSet::default(),
            indices: Vec::new(),
            pointing_indices: Vec::new(),
            unions_at_clears: 0,
            called_from_outside: Vec::new(),
            outside: FxHashSet::default(),
            newly_called: Vec::new(),
            touched: Vec::new(),
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
        self.classes.push(Some(Box::new(Class { members: vec![key], owner, ..Class::default() })));
        key
    }

    /// A region with one object.
    pub(crate) fn new_object(&mut self, owner: Option<GraphId>, object: Object) -> RegionKey {
        let key = self.new_region(owner);
        let class = self.class_mut(key);
        class.objects.push((object, key));
        if let Object::Function(function) = object {
            class.functions.push(function);
        }
        key
    }

    pub(crate) fn new_slot(&mut self) -> SlotKey {
        let key = self.slot_table.new_key(());
        self.slots.push(Slot::default());
        key
    }

    /// A slot that points to the start of a region.
    pub(crate) fn slot_to(&mut self, region: RegionKey) -> SlotKey {
        let slot = self.new_slot();
        self.incoming.push_back((slot, region, Offsets::one(Range::exact(0))));
        slot
    }

    pub(crate) fn n_slots(&self) -> usize {
        self.slots.len()
    }

    pub(crate) fn n_regions(&self) -> usize {
        self.shift.len()
    }

    pub(crate) fn root(&mut self, region: RegionKey) -> RegionKey {
        self.region_table.find(region)
    }

    pub(crate) fn slot_root(&mut self, slot: SlotKey) -> SlotKey {
        self.slot_table.find(slot)
    }

    pub(crate) fn class(&mut self, region: RegionKey) -> &Class {
        let root = self.root(region);
        self.classes[root.at()].as_ref().expect("a root has its class")
    }

    pub(crate) fn class_mut(&mut self, region: RegionKey) -> &mut Class {
        let root = self.root(region);
        self.classes[root.at()].as_mut().expect("a root has its class")
    }

    pub(crate) fn slot(&mut self, slot: SlotKey) -> &Slot {
        let root = self.slot_root(slot);
        &self.slots[root.at()]
    }

    fn slot_mut(&mut self, slot: SlotKey) -> &mut Slot {
        let root = self.slot_root(slot);
        &mut self.slots[root.at()]
    }

    fn enqueue(&mut self, slot: SlotKey) {
        let root = self.slot_root(slot);
        self.changes += 1;
        if !std::mem::replace(&mut self.slots[root.at()].queued, true) {
            self.queue.push_back(root);
        }
    }

    /// The value of `from`, moved, goes to `to`.
    pub(crate) fn flow(&mut self, from: SlotKey, to: SlotKey, by: Move) {
        let (from, to) = (self.slot_root(from), self.slot_root(to));
        let id = self.move_id(by);
        if from == to && by == Move::STILL {
            return;
        }
        let flows = &mut self.slots[from.at()].flows;
        let is_known = match flows.len() {
            0..=MOST_LISTED => flows.contains(&(to, id)),
            _ => !self.known_flows.insert((from, to, id)),
        };
        if is_known {
            return;
        }
        flows.push((to, id));
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

    /// Whether low bits of the slot's value are looked at.
    pub(crate) fn has_moves_of_bits(&mut self, slot: SlotKey) -> bool {
        let root = self.slot_root(slot);
        self.slots[root.at()].flows.iter().any(|(_, by)| self.moves[by.0 as usize].is_of_bits())
    }

    /// The address that is `by` away from one: the same slot each time in a function.
    pub(crate) fn moved(&mut self, from: SlotKey, by: Move) -> SlotKey {
        if by == Move::STILL {
            return from;
        }
        let id = self.move_id(by);
        if let Some(slot) = self.moved.get(&(from, id)) {
            return *slot;
        }
        let slot = self.new_slot();
        self.moved.insert((from, id), slot);
        self.flow(from, slot, by);
        slot
    }

    /// An index that is added to a base: where the base is no pointer, it is the index that points.
    pub(crate) fn index_flow(&mut self, index: SlotKey, base: Option<SlotKey>, sum: SlotKey) {
        let id = self.indices.len() as u32;
        self.indices.push((index, base, sum));
        self.add_use(index, Use::Index(id));
    }

    /// Something is done through an address.
    pub(crate) fn add_use(&mut self, address: SlotKey, what: Use) {
        let root = self.slot_root(address);
        self.slots[root.at()].uses.push(what);
        self.apply(root, what);
    }

    pub(crate) fn mark_unknown(&mut self, slot: SlotKey) {
        if !std::mem::replace(&mut self.slot_mut(slot).unknown, true) {
            self.enqueue(slot);
        }
    }

    /// Runs until nothing changes.
    pub(crate) fn solve(&mut self) {
        loop {
            self.flow_on();
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
            if let Some((left, right)) = self.slot_merges.pop_front() {
                self.merge_slots(left, right);
            } else if let Some((slot, region, offsets)) = self.incoming.pop_front() {
                self.receive(slot, region, &offsets);
            } else if let Some(slot) = self.queue.pop_front() {
                self.visit(slot);
            } else {
                return;
            }
        }
    }

    /// A function is read to its end: its values flow while its slots are near at hand. Slots of its moves are of no use to
    /// the next.
    pub(crate) fn end_function(&mut self) {
        self.moved.clear();
        self.flow_on();
    }

    /// A class that is of no more use to the solver.
    pub(crate) fn take_class(&mut self, root: RegionKey) -> Class {
        *self.classes[root.at()].take().expect("a root has its class")
    }

    fn visit(&mut self, slot: SlotKey) {
        let slot = self.slot_root(slot);
        self.slots[slot.at()].queued = false;
        if self.slots[slot.at()].escapes
            && let Some(target) = self.slots[slot.at()].target
        {
            self.escape(target);
        }
        let mut index = 0;
        while let Some((to, by)) = self.slots[slot.at()].flows.get(index).copied() {
            self.propagate(slot, to, self.move_of(by));
            index += 1;
        }
        let mut index = 0;
        while let Some(what) = self.slots[slot.at()].uses.get(index).copied() {
            self.apply(slot, what);
            index += 1;
        }
    }

    fn propagate(&mut self, from: SlotKey, to: SlotKey, by: Move) {
        if self.slot(from).unknown {
            self.mark_unknown(to);
        }
        let Some(target) = self.slot(from).target else { return };
        let mut moved = Offsets::default();
        for range in self.slot(from).offsets.clone().ranges().iter().copied() {
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
                        self.clears.push(constraint);
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
        let objects = self.class(region).objects.clone();
        let mask = i64::from(bits);
        let mut found = Vec::new();
        for (object, key) in objects {
            let origin = self.shift[key.at()] - here;
            let alignment = object.alignment(self.program);
            let block = u64::from(bits) + 1;
            let is_aligned = alignment.is_multiple_of(block) && range.stride.is_multiple_of(block);
            found.push(if is_aligned && range.slack <= bits {
                let start = origin + ((range.start - origin) & !mask);
                Range { start, slack: 0, past_end: false, ..range }
            } else if range.is_exact() {
                Range::elements(range.start - mask, 1, u64::from(bits) + u64::from(range.slack) + 1)
            } else {
                Range::anywhere(range.start, 1)
            });
        }
        if found.is_empty() {
            found.push(Range { slack: if range.slack <= bits { 0 } else { range.slack }, past_end: false, ..range });
        }
        found
    }

    /// A value arrives in a slot.
    pub(crate) fn receive(&mut self, slot: SlotKey, region: RegionKey, offsets: &Offsets) {
        let slot = self.slot_root(slot);
        if offsets.ranges().is_empty() {
            return;
        }
        if self.slots[slot.at()].shared {
            self.share(region);
        }
        let Some(target) = self.slots[slot.at()].target else {
            self.slots[slot.at()].target = Some(region);
            self.slots[slot.at()].offsets = offsets.clone();
            self.enqueue(slot);
            return;
        };
        if self.root(target) != self.root(region) {
            let first = self.slots[slot.at()].offsets.ranges()[0].start;
            self.unify((target, first), (region, offsets.ranges()[0].start));
        }
        let by = self.shift[region.at()] - self.shift[target.at()];
        let mut grew = false;
        for range in offsets.ranges() {
            grew |= self.slots[slot.at()].offsets.insert(range.shifted(by));
        }
        if grew {
            self.enqueue(slot);
        }
    }

    /// Two slots become one, soon.
    pub(crate) fn same_slot(&mut self, left: SlotKey, right: SlotKey) {
        self.slot_merges.push_back((left, right));
    }

    fn merge_slots(&mut self, left: SlotKey, right: SlotKey) {
        let (left, right) = (self.slot_root(left), self.slot_root(right));
        if left == right {
            return;
        }
        self.slot_table.union(left, right);
        let root = self.slot_root(left);
        let other = if root == left { right } else { left };
        let mut old = std::mem::take(&mut self.slots[other.at()]);
        let slot = &mut self.slots[root.at()];
        // The longer lists stay where they are.
        if old.flows.len() > slot.flows.len() {
            std::mem::swap(&mut slot.flows, &mut old.flows);
        }
        slot.flows.append(&mut old.flows);
        if old.uses.len() > slot.uses.len() {
            std::mem::swap(&mut slot.uses, &mut old.uses);
        }
        slot.uses.append(&mut old.uses);
        slot.unknown |= old.unknown;
        slot.escapes |= old.escapes;
        slot.shared |= old.shared;
        let (is_shared, target) = (slot.shared, slot.target);
        if let (true, Some(target)) = (is_shared, target) {
            self.share(target);
        }
        if let Some(target) = old.target {
            self.incoming.push_back((root, target, old.offsets));
        }
        self.enqueue(root);
    }

    /// What waits until everything else is done: whether there was something.
    fn resume_deferred(&mut self) -> bool {
        let before = self.changes;
        // What clearing bits does depends on the objects of a region: it has others only once it became one with another.
        if self.unions != self.unions_at_clears {
            self.unions_at_clears = self.unions;
            for index in 0..self.clears.len() {
                let (from, to, bits) = self.clears[index];
                self.propagate(from, to, Move::ClearBits(bits));
            }
        }
        for index in std::mem::take(&mut self.pointing_indices) {
            let (index, base, sum) = self.indices[index as usize];
            // A base that points does so for good.
            if base.is_none_or(|base| self.slot(base).target.is_none()) {
                self.flow(index, sum, Move::Scramble);
            }
        }
        self.changes != before
    }
}
