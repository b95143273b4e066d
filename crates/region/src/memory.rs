//! The cells of regions as small numbers: what references to the tracked cell are counted by.
//!
//! A register is a region of its own, with one reference at most. Memory is counted by region *and* cell (field), as
//! `pointsto` has them; Hackett and Rugina call both regions.

use crate::counters::Counters;
use crate::targets::SuitableTargets;
use heapwise_ir::entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};
use heapwise_ir::{Body, CallGraph, FunctionId, Operand, Place, Program, RegisterOrigin};
use heapwise_pointsto::{Count, Object, PointsTo, RegionId, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A cell of a region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(u32);
entity_impl!(CellId, "c");

/// Two links of a region that may lead there and back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InverseId(u32);
entity_impl!(InverseId, "inverse");

/// Two links of a region's objects to objects of the same region: `x->back->forth` may be `x` for all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inverse {
    /// The link that leads there.
    pub back: CellId,
    /// The link that leads back.
    pub forth: CellId,
    /// How far from the start of the region both point.
    pub distance: i64,
}

impl Inverse {
    /// How far `forth` lies from where `back` points.
    pub fn offset_of_forth(&self, memory: &Memory<'_>) -> i64 {
        memory.cells[self.forth].offset - self.distance
    }

    /// The same of `back`, from where `forth` points.
    pub fn offset_of_back(&self, memory: &Memory<'_>) -> i64 {
        memory.cells[self.back].offset - self.distance
    }
}

/// Regions with more links are not looked at for inverse pairs.
const MOST_LINKS: usize = 4;

/// How many locations of a run a cell stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// One: a count of it is exact knowledge of what it holds.
    One,
    /// The same field of many objects.
    Many,
    /// Elements of an array, or bytes that are not told apart: which one an access means is never known.
    Folded,
}

/// What is known of a cell whatever the configuration.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The region.
    pub region: RegionId,
    /// Where it begins there.
    pub offset: i64,
    /// How many bytes it has.
    pub size: u64,
    /// How many locations it stands for.
    pub extent: Extent,
    /// Whether following pointers from here may lead back to the region: it may be part of a cycle.
    pub is_cyclic: bool,
    /// Whether it may hold a pointer.
    pub holds_pointer: bool,
}

/// Where an access goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// The cells that it may mean, of those that hold pointers.
    pub cells: SmallVec<[CellId; 2]>,
    /// Whether it may also go to memory that nothing is known of.
    pub unknown: bool,
    /// Whether it reads or writes pieces of pointers.
    pub in_pieces: bool,
}

/// All cells of a program.
pub struct Memory<'p> {
    /// The program.
    pub program: &'p Program,
    /// Its regions.
    pub pointsto: &'p PointsTo,
    /// The cells, those of a region next to each other.
    pub cells: PrimaryMap<CellId, Cell>,
    /// The pairs of links that may be inverse to each other.
    pub inverses: PrimaryMap<InverseId, Inverse>,
    /// Whom calls through pointers reach.
    pub targets: SuitableTargets<'p>,
    /// The fields that are reference counts.
    pub counters: Counters,
    inverses_of: FxHashMap<RegionId, Vec<InverseId>>,
    first: SecondaryMap<RegionId, u32>,
}

impl<'p> Memory<'p> {
    /// Numbers the cells of all regions.
    pub fn new(program: &'p Program, pointsto: &'p PointsTo, graph: &CallGraph) -> Memory<'p> {
        let mut cells: PrimaryMap<CellId, Cell> = PrimaryMap::new();
        let mut first = SecondaryMap::with_capacity(pointsto.regions.len());
        let mut instances = Instances::new(program, pointsto, graph);
        for (id, region) in &pointsto.regions {
            first[id] = cells.len() as u32;
            let is_one = instances.is_one(id);
            for cell in &region.cells {
                let is_folded = region.layout.stride > 0
                    || region.layout.folds.iter().any(|fold| (fold.start..fold.end).contains(&cell.offset));
                let extent = if is_folded {
                    Extent::Folded
                } else if is_one {
                    Extent::One
                } else {
                    Extent::Many
                };
                cells.push(Cell {
                    region: id,
                    offset: cell.offset,
                    size: cell.size,
                    extent,
                    is_cyclic: false,
                    holds_pointer: cell.value.region.is_some() || cell.value.unknown,
                });
            }
        }
        let inverses = PrimaryMap::new();
        let counters = Counters::default();
        let targets = SuitableTargets::of(program, pointsto);
        let inverses_of = FxHashMap::default();
        let mut memory = Memory { program, pointsto, cells, inverses, targets, counters, inverses_of, first };
        memory.mark_cycles();
        memory.pair_links();
        memory.counters = Counters::of(&memory);
        memory
    }

    /// Links of a region to itself that all point to the same distance from its start, in pairs.
    fn pair_links(&mut self) {
        for (id, region) in &self.pointsto.regions {
            let links: Vec<(CellId, i64)> = self
                .of_region(id)
                .zip(&region.cells)
                .filter(|(cell, found)| {
                    let is_link = found.value.region == Some(id) && !found.value.unknown;
                    is_link && self.cells[*cell].extent == Extent::Many
                })
                .filter_map(|(cell, found)| Some((cell, exact(&found.value)?)))
                .collect();
            if region.escaped || links.len() > MOST_LINKS {
                continue;
            }
            for (back, distance) in &links {
                for (forth, _) in links.iter().filter(|(forth, other)| forth != back && other == distance) {
                    let inverse = Inverse { back: *back, forth: *forth, distance: *distance };
                    let id_of_pair = self.inverses.push(inverse);
                    self.inverses_of.entry(id).or_default().push(id_of_pair);
                }
            }
        }
    }

    /// The pairs of links that a region's objects have.
    pub fn inverses_of(&self, region: RegionId) -> &[InverseId] {
        self.inverses_of.get(&region).map_or(&[], Vec::as_slice)
    }

    /// The links of a region's objects to objects of the same region that pairs are made of.
    pub fn paired_links(&self, region: RegionId) -> impl Iterator<Item = CellId> + '_ {
        self.inverses_of(region).iter().map(|id| self.inverses[*id].back)
    }

    /// The pairs of which a cell is one.
    pub fn inverses_with(&self, cell: CellId) -> impl Iterator<Item = (InverseId, Inverse)> + '_ {
        let all = self.inverses_of(self.cells[cell].region).iter().map(|id| (*id, self.inverses[*id]));
        all.filter(move |(_, pair)| pair.back == cell || pair.forth == cell)
    }

    /// The pair of these two.
    pub fn inverse(&self, back: CellId, forth: CellId) -> Option<InverseId> {
        let mut with = self.inverses_with(back).filter(|(_, pair)| pair.back == back && pair.forth == forth);
        with.next().map(|(id, _)| id)
    }

    fn mark_cycles(&mut self) {
        let successors: Vec<Vec<u32>> = self
            .pointsto
            .regions
            .values()
            .map(|region| region.cells.iter().filter_map(|cell| cell.value.region).map(RegionId::as_u32).collect())
            .collect();
        let mut component = vec![0u32; successors.len()];
        for (index, members) in heapwise_ir::order::components_of(&successors).into_iter().enumerate() {
            for member in members {
                component[member as usize] = index as u32;
            }
        }
        for (id, region) in &self.pointsto.regions {
            let first = self.first[id];
            for (index, cell) in region.cells.iter().enumerate() {
                let leads_back =
                    cell.value.region.is_some_and(|target| component[target.index()] == component[id.index()]);
                self.cells[CellId::from_u32(first + index as u32)].is_cyclic = leads_back || cell.value.unknown;
            }
        }
        self.mark_cycles_of_callers();
    }

    /// A callee knows only the cells that it accesses itself: what is part of a cycle in a caller is so in the callee, too.
    fn mark_cycles_of_callers(&mut self) {
        let mut callee_cells: FxHashMap<CellId, Vec<CellId>> = FxHashMap::default();
        for map in self.pointsto.maps.values() {
            for (callee, (caller, by)) in &map.regions {
                for inner in self.of_region(*callee) {
                    if let Some(outer) = self.at(*caller, self.cells[inner].offset + by) {
                        callee_cells.entry(outer).or_default().push(inner);
                    }
                }
            }
        }
        let mut pending: Vec<CellId> = self.cells.keys().filter(|cell| self.cells[*cell].is_cyclic).collect();
        while let Some(outer) = pending.pop() {
            for inner in callee_cells.get(&outer).into_iter().flatten() {
                if !std::mem::replace(&mut self.cells[*inner].is_cyclic, true) {
                    pending.push(*inner);
                }
            }
        }
    }

    /// The cells of a region.
    pub fn of_region(&self, region: RegionId) -> impl Iterator<Item = CellId> + use<> {
        let first = self.first[region];
        (first..first + self.pointsto.regions[region].cells.len() as u32).map(CellId::from_u32)
    }

    /// The cell at an offset of a region.
    pub fn at(&self, region: RegionId, offset: i64) -> Option<CellId> {
        let found = &self.pointsto.regions[region];
        let cell = found.cell_at(offset)?;
        let index = found.cells.partition_point(|other| other.offset < cell.offset);
        Some(CellId::from_u32(self.first[region] + index as u32))
    }

    /// Where a value of so many bytes at this address lies.
    pub fn target(&self, address: &Value, size: Option<u64>) -> Target {
        let mut target = Target { cells: SmallVec::new(), unknown: address.unknown, in_pieces: false };
        let Some(region) = address.region else { return target };
        let found = &self.pointsto.regions[region];
        let pointer = u64::from(self.program.target.pointer_bytes);
        let add = |cell: CellId, target: &mut Target| {
            if self.cells[cell].holds_pointer && !target.cells.contains(&cell) {
                target.cells.push(cell);
            }
        };
        for range in address.offsets.iter() {
            let is_element = found.layout.spot(range.start).room.is_some();
            match (range.count, size) {
                (Count::Exactly(1), Some(size)) if range.slack == 0 => {
                    for cell in self.of_region(region) {
                        let known = &self.cells[cell];
                        let start = found.layout.spot(range.start).offset;
                        let meets = (start < known.offset + known.size as i64 && known.offset < start + size as i64)
                            || self.at(region, range.start) == Some(cell);
                        if meets && known.holds_pointer {
                            target.in_pieces |= size != pointer || known.size != size || known.offset != start;
                            add(cell, &mut target);
                        }
                    }
                }
                (_, Some(size)) if is_element && size <= pointer => {
                    let mut any = false;
                    for cell in self.of_region(region) {
                        // Elements of one array are one cell; another stride may reach any.
                        let known = &self.cells[cell];
                        let is_it = self.at(region, range.start) == Some(cell);
                        if is_it || known.extent == Extent::Folded {
                            any = true;
                            target.in_pieces |= known.holds_pointer && (size != pointer || known.size != size);
                            add(cell, &mut target);
                        }
                    }
                    if !any || range.stride == 0 || range.count == Count::Unbounded {
                        self.of_region(region).for_each(|cell| add(cell, &mut target));
                    }
                }
                _ => {
                    target.in_pieces |= found.holds_pointers() && size.is_some_and(|size| size != pointer);
                    self.of_region(region).for_each(|cell| add(cell, &mut target));
                }
            }
        }
        target
    }

    /// Where a place lies.
    pub fn place(&self, function: FunctionId, place: &Place) -> Target {
        let address = self.pointsto.place(self.program, function, place);
        let mut target = self.target(&address, self.program.size_of(place.ty));
        target.in_pieces |= place.bits.is_some() && !target.cells.is_empty();
        target
    }

    /// What an operand may point to.
    pub fn operand(&self, function: FunctionId, operand: Operand) -> Value {
        self.pointsto.operand(function, operand)
    }

    /// Whether heap objects are in the region, here, in callers or in callees.
    pub fn heap_objects(&self, region: RegionId) -> (bool, bool) {
        let (mut heap, mut other) = (false, false);
        for (object, _) in self.pointsto.objects(region) {
            match object {
                Object::Heap(_) => heap = true,
                Object::Global(_) | Object::Local(_) | Object::Library(_) | Object::LibraryVariable(_) => other = true,
                Object::Function(_) => other = true,
            }
        }
        (heap, other)
    }
}

/// The one distance from the start of its region at which a value points.
pub fn exact(value: &Value) -> Option<i64> {
    value.offsets.exact()
}

/// Which regions hold one object at a time.
struct Instances<'p> {
    program: &'p Program,
    pointsto: &'p PointsTo,
    graph: &'p CallGraph,
    callers: FxHashMap<RegionId, Vec<RegionId>>,
    callees: FxHashMap<RegionId, Vec<RegionId>>,
    known: FxHashMap<RegionId, bool>,
}

impl<'p> Instances<'p> {
    fn new(program: &'p Program, pointsto: &'p PointsTo, graph: &'p CallGraph) -> Instances<'p> {
        let mut callers: FxHashMap<RegionId, Vec<RegionId>> = FxHashMap::default();
        let mut callees: FxHashMap<RegionId, Vec<RegionId>> = FxHashMap::default();
        for map in pointsto.maps.values() {
            for (callee, (caller, _)) in &map.regions {
                if callee != caller {
                    callers.entry(*callee).or_default().push(*caller);
                    callees.entry(*caller).or_default().push(*callee);
                }
            }
        }
        for list in callers.values_mut().chain(callees.values_mut()) {
            list.sort_unstable();
            list.dedup();
        }
        Instances { program, pointsto, graph, callers, callees, known: FxHashMap::default() }
    }

    /// Whether the region holds at most one object at any moment of a run.
    fn is_one(&mut self, region: RegionId) -> bool {
        if let Some(known) = self.known.get(&region) {
            return *known;
        }
        // A region that is its own caller's: not one, until shown otherwise.
        self.known.insert(region, false);
        let is_one = self.decide(region);
        self.known.insert(region, is_one);
        is_one
    }

    fn decide(&mut self, region: RegionId) -> bool {
        let found = &self.pointsto.regions[region];
        if found.escaped {
            return false;
        }
        // What callees make and hand out.
        let mut below = vec![region];
        let mut seen = vec![region];
        let mut objects: Vec<Object> = Vec::new();
        while let Some(at) = below.pop() {
            objects.extend(self.pointsto.regions[at].objects.iter().map(|(object, _)| *object));
            for callee in self.callees.get(&at).into_iter().flatten() {
                if !seen.contains(callee) {
                    seen.push(*callee);
                    below.push(*callee);
                }
            }
            if objects.len() > 1 {
                return false;
            }
        }
        let callers = self.callers.get(&region).cloned().unwrap_or_default();
        match objects.first() {
            None => !callers.is_empty() && callers.iter().all(|caller| self.is_one(*caller)),
            Some(object) => self.is_single(*object) && callers.iter().all(|caller| self.is_one(*caller)),
        }
    }

    fn is_single(&self, object: Object) -> bool {
        match object {
            Object::Global(_) => true,
            Object::Local(site) => {
                let function = &self.program.functions[site.function];
                let Body::Defined(automaton) = &function.body else { return false };
                let is_variable = match &automaton.edges[site.edge].instruction {
                    heapwise_ir::Instruction::Alloc { target, .. } => {
                        matches!(function.registers[*target].origin, RegisterOrigin::AddressOfLocal(_))
                    }
                    _ => false,
                };
                is_variable && !self.graph.is_recursive(site.function)
            }
            Object::Heap(_) | Object::Function(_) | Object::Library(_) | Object::LibraryVariable(_) => false,
        }
    }
}
