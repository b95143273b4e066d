//! Questions to the result.

use crate::freeze::function_of;
use crate::generate::path_range;
use crate::graph::{AccessKind, CallMap, GraphId, Others, PointsTo, RegionId, Targets, Value};
use crate::object::{Object, Site};
use crate::offsets::{Count, Offsets, Range, gcd};
use crate::solver::Arithmetic;
use heapwise_ir::entity::SecondaryMap;
use heapwise_ir::{
    EdgeId, FunctionId, GlobalId, IndirectTargets, MayCall, Operand, PathUse, Place, Program, RegisterId,
};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What refers to an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Holder {
    /// A register.
    Register(FunctionId, RegisterId),
    /// The cell of a region at this offset.
    Cell(RegionId, i64),
    /// Something that nothing is known of.
    Outside,
}

/// How far the address of a local gets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Escape {
    /// Only registers of its own function hold it.
    No,
    /// Functions that are called from there hold it in registers, too; memory holds it at most in locals of the function.
    PassedDown,
    /// Memory that is not a local of the function may hold it, or code without a body.
    Stored,
}

/// What a function and those that it calls may do to memory, by region and cell.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Effects {
    /// Cells that may be read: region and offset; `None` for all of the region.
    pub reads: BTreeSet<(RegionId, Option<i64>)>,
    /// Cells that may be written.
    pub writes: BTreeSet<(RegionId, Option<i64>)>,
    /// Regions of which objects may be freed.
    pub frees: BTreeSet<RegionId>,
    /// A function without body and model is called, or an address of unknown origin is used: what has escaped may be read,
    /// written and freed.
    pub anything: bool,
}

impl IndirectTargets for PointsTo {
    fn targets(&self, caller: FunctionId, edge: EdgeId) -> MayCall<'_> {
        match self.indirect_calls.get(&Site { function: caller, edge }) {
            Some(Targets { functions, others: Others::None }) => MayCall::These(functions),
            Some(Targets { others: Others::AnyAddressTaken, .. }) | None => MayCall::AnyAddressTaken,
        }
    }
}

impl PointsTo {
    /// Whom a call through a pointer may reach. A call that is not there reaches anybody.
    pub fn targets(&self, site: Site) -> Targets {
        let unknown = || Targets { functions: Arc::default(), others: Others::AnyAddressTaken };
        self.indirect_calls.get(&site).cloned().unwrap_or_else(unknown)
    }

    /// What an operand of a function may hold.
    pub fn operand(&self, function: FunctionId, operand: Operand) -> Value {
        match operand {
            Operand::Register(register) => self.register(function, register),
            Operand::Int(_) | Operand::Float(_) => Value::default(),
            Operand::Global(global) => self.constant(function, Object::Global(global)),
            Operand::Function(callee) => self.constant(function, Object::Function(callee)),
        }
    }

    fn constant(&self, function: FunctionId, object: Object) -> Value {
        let own = self.constants.get(Some(self.graph_of[function]), object);
        match own.or_else(|| self.constants.of_all(object)) {
            Some((region, offset)) => Value { region: Some(region), offsets: Offsets::at(offset), unknown: false },
            None => Value { unknown: true, ..Value::default() },
        }
    }

    /// The region of a global, and where in it the global begins, if the program mentions it.
    pub fn global(&self, global: GlobalId) -> Option<(RegionId, i64)> {
        let object = Object::Global(global);
        self.constants.of_all(object).or_else(|| self.constants.get(Some(GraphId::from_u32(0)), object))
    }

    /// Where a place lies.
    pub fn place(&self, program: &Program, function: FunctionId, place: &Place) -> Value {
        let base = self.operand(function, place.base);
        let path = path_range(program, &place.path, PathUse::Access, Arithmetic::WithinObjects);
        let mut offsets = Offsets::default();
        for range in base.offsets.iter() {
            offsets.insert(range.plus(path));
        }
        // A number as an address leads nobody knows where.
        let unknown = base.unknown || base.region.is_none();
        Value { region: base.region, offsets, unknown }
    }

    /// Whether two places of a function may share a byte.
    pub fn may_alias(&self, program: &Program, function: FunctionId, left: &Place, right: &Place) -> bool {
        let (left_value, right_value) = (self.place(program, function, left), self.place(program, function, right));
        let sizes = (program.size_of(left.ty).unwrap_or(u64::MAX), program.size_of(right.ty).unwrap_or(u64::MAX));
        self.values_may_meet((&left_value, sizes.0), (&right_value, sizes.1))
    }

    /// Whether so many bytes behind two addresses of one graph may overlap.
    pub fn values_may_meet(&self, left: (&Value, u64), right: (&Value, u64)) -> bool {
        let has_escaped =
            |value: &Value| value.unknown || value.region.is_some_and(|region| self.regions[region].escaped);
        if (left.0.unknown && has_escaped(right.0)) || (right.0.unknown && has_escaped(left.0)) {
            return true;
        }
        if left.0.region.is_none() || left.0.region != right.0.region {
            return false;
        }
        let meet = |one: Range, other: Range| ranges_meet((one, left.1), (other, right.1));
        left.0.offsets.iter().any(|one| right.0.offsets.iter().any(|other| meet(one, other)))
    }

    /// The objects that a region holds, with the offsets at which they begin. In a graph of single procedures, those of callers
    /// and callees included.
    pub fn objects(&self, region: RegionId) -> BTreeSet<(Object, i64)> {
        let mut found: BTreeSet<(Object, i64)> = self.regions[region].objects.iter().copied().collect();
        if self.maps.is_empty() {
            return found;
        }
        // Up to all callers, and from each of them down to all callees.
        let mut above = BTreeSet::from([(region, 0)]);
        let mut pending = vec![(region, 0i64)];
        while let Some((at, by)) = pending.pop() {
            for (caller, more) in &self.in_callers[at] {
                // The origin of the callee's region lies at `more` in the caller's.
                let next = (*caller, by - more);
                if above.insert(next) {
                    pending.push(next);
                }
            }
        }
        let mut all = above.clone();
        let mut pending: Vec<(RegionId, i64)> = above.into_iter().collect();
        while let Some((at, by)) = pending.pop() {
            for (callee, more) in &self.in_callees[at] {
                let next = (*callee, by + more);
                if all.insert(next) {
                    pending.push(next);
                }
            }
        }
        for (at, by) in all {
            found.extend(self.regions[at].objects.iter().map(|(object, offset)| (*object, offset + by)));
        }
        found
    }

    /// From where each region is referred to.
    pub fn holders(&self) -> SecondaryMap<RegionId, Vec<Holder>> {
        let mut found: SecondaryMap<RegionId, Vec<Holder>> = SecondaryMap::with_capacity(self.regions.len());
        for function in self.registers.keys() {
            for (register, value) in self.known_registers(function) {
                if let Some(region) = value.region {
                    found[region].push(Holder::Register(function, register));
                }
            }
        }
        for (id, region) in &self.regions {
            for cell in &region.cells {
                if let Some(target) = cell.value.region {
                    found[target].push(Holder::Cell(id, cell.offset));
                }
            }
            if region.escaped {
                found[id].push(Holder::Outside);
            }
        }
        found
    }

    /// How far the addresses of locals get, by the `alloc auto` that makes them.
    pub fn local_escapes(&self) -> BTreeMap<Site, Escape> {
        let holders = self.holders();
        let mut found = BTreeMap::new();
        for (id, region) in &self.regions {
            for (object, _) in &region.objects {
                let Object::Local(local) = object else { continue };
                let is_own = |region: RegionId| {
                    let objects = self.regions[region].objects.iter();
                    let mut objects = objects.map(|(object, _)| object);
                    objects.all(|object| matches!(object, Object::Local(site) if site.function == local.function))
                };
                let held = holders[id].iter().map(|holder| match holder {
                    Holder::Register(function, _) if *function == local.function => Escape::No,
                    Holder::Register(..) => Escape::PassedDown,
                    // A region without objects is that of a caller.
                    Holder::Cell(region, _) if is_own(*region) && !self.regions[*region].objects.is_empty() => {
                        Escape::PassedDown
                    }
                    Holder::Cell(..) | Holder::Outside => Escape::Stored,
                });
                let escape = held.max().unwrap_or(Escape::No);
                let passed = if self.in_callees[id].is_empty() { Escape::No } else { Escape::PassedDown };
                // One with others, or of a caller: who holds those may hold this one.
                let mixed = if is_own(id) && self.in_callers[id].is_empty() { Escape::No } else { Escape::Stored };
                let all = escape.max(passed).max(mixed);
                let known = found.entry(*local).or_insert(Escape::No);
                *known = all.max(*known);
            }
        }
        found
    }

    /// What a function and those that it calls may do, in the graph of the function.
    pub fn effects(&self, function: FunctionId) -> Effects {
        let mut reached: BTreeSet<FunctionId> = BTreeSet::from([function]);
        let mut pending = vec![function];
        // Calls share lists.
        let mut seen: FxHashSet<*const FunctionId> = FxHashSet::default();
        while let Some(at) = pending.pop() {
            let lists = self.calls(at).map(|(_, callees)| callees).filter(|callees| seen.insert(callees.as_ptr()));
            let callees = lists.flatten().copied().filter(|callee| self.has_body[*callee]);
            pending.extend(callees.filter(|callee| reached.insert(*callee)));
        }
        // Graphs are numbered callees first.
        let mut of_graph: BTreeMap<GraphId, Effects> = BTreeMap::new();
        let mut ordered: Vec<FunctionId> = reached.iter().copied().collect();
        ordered.sort_by_key(|function| self.graph_of[*function]);
        for at in ordered {
            let graph = self.graph_of[at];
            let mut effects = of_graph.remove(&graph).unwrap_or_default();
            self.own_effects(at, &mut effects);
            for (site, callees) in self.calls(at) {
                for callee in callees.iter().filter(|callee| self.has_body[**callee]) {
                    if let (Some(map), Some(inner)) = (self.map(site, *callee), of_graph.get(&self.graph_of[*callee])) {
                        self.add_mapped(inner, map, &mut effects);
                    }
                }
            }
            of_graph.insert(graph, effects);
        }
        let mut effects = of_graph.remove(&self.graph_of[function]).unwrap_or_default();
        let is_unknown = |(site, targets): (&Site, &Targets)| {
            reached.contains(&site.function) && targets.others == Others::AnyAddressTaken
        };
        effects.anything |= self.indirect_calls.iter().any(is_unknown);
        effects
    }

    /// Adds what a callee does, in the regions of the caller.
    fn add_mapped(&self, callee: &Effects, map: &CallMap, effects: &mut Effects) {
        let cell = |(region, offset): &(RegionId, Option<i64>)| match map.regions.get(region) {
            Some((caller, by)) => {
                Some((*caller, offset.map(|offset| self.regions[*caller].layout.spot(offset + by).offset)))
            }
            // Shared by all; else made and lost in the callee.
            None => self.regions[*region].graph.is_none().then_some((*region, *offset)),
        };
        effects.reads.extend(callee.reads.iter().filter_map(cell));
        effects.writes.extend(callee.writes.iter().filter_map(cell));
        effects.frees.extend(callee.frees.iter().filter_map(|region| Some(cell(&(*region, None))?.0)));
        effects.anything |= callee.anything;
    }

    /// For each region, whether any code of the program, or code that nothing is known of, may write it or free an object of it.
    pub fn written(&self) -> SecondaryMap<RegionId, bool> {
        let mut found: SecondaryMap<RegionId, bool> = SecondaryMap::with_capacity(self.regions.len());
        let mut is_anything_written = false;
        for access in self.accesses.iter().filter(|access| access.kind != AccessKind::Read) {
            match access.address.map(|address| self.value(address)) {
                None => is_anything_written = true,
                Some(address) => {
                    is_anything_written |= address.unknown;
                    if let Some(region) = address.region {
                        found[region] = true;
                    }
                }
            }
        }
        let is_unknown = |targets: &Targets| targets.others == Others::AnyAddressTaken;
        is_anything_written |= self.indirect_calls.values().any(is_unknown);
        for (id, region) in &self.regions {
            found[id] |= region.escaped && is_anything_written;
        }
        found
    }

    fn own_effects(&self, function: FunctionId, effects: &mut Effects) {
        let start = self.accesses.partition_point(|access| access.site.function < function);
        for access in self.accesses[start..].iter().take_while(|access| access.site.function == function) {
            let Some(address) = access.address.map(|address| self.value(address)) else {
                effects.anything |= access.kind == AccessKind::Anything;
                continue;
            };
            effects.anything |= address.unknown;
            let Some(region) = address.region else { continue };
            let set = match access.kind {
                AccessKind::Read => &mut effects.reads,
                AccessKind::Write => &mut effects.writes,
                AccessKind::Free | AccessKind::Anything => {
                    effects.frees.insert(region);
                    continue;
                }
            };
            let layout = &self.regions[region].layout;
            for range in address.offsets.iter() {
                // A stretch of unknown length, or over several cells, is all of the region.
                let is_cell = |size: u64| {
                    let spot = layout.spot(range.start).offset;
                    self.regions[region]
                        .cells
                        .iter()
                        .any(|cell| cell.offset <= spot && spot + size as i64 <= cell.offset + cell.size as i64)
                };
                set.insert((
                    region,
                    access.size.filter(|size| is_cell(*size)).map(|_| layout.spot(range.start).offset),
                ));
            }
        }
    }

    /// The words that hold pointers with flags in their low bits.
    pub fn words_with_flag_bits(&self) -> Vec<(RegionId, i64)> {
        let words = self.regions.iter().flat_map(|(id, region)| {
            region.cells.iter().filter(|cell| cell.has_flag_bits).map(move |cell| (id, cell.offset))
        });
        words.collect()
    }

    /// The functions among the objects of a region.
    pub fn functions(&self, region: RegionId) -> Vec<FunctionId> {
        self.objects(region).into_iter().filter_map(|(object, _)| function_of(object)).collect()
    }
}

/// Whether bytes at one of these offsets overlap bytes at one of those.
fn ranges_meet((left, left_size): (Range, u64), (right, right_size): (Range, u64)) -> bool {
    let left_size = left_size.saturating_add(u64::from(left.slack));
    let right_size = right_size.saturating_add(u64::from(right.slack));
    let distance = i128::from(right.start) - i128::from(left.start);
    let span = |range: Range| match range.count {
        Count::Exactly(count) => Some(i128::from(range.stride) * i128::from(count - 1)),
        Count::Unbounded => None,
    };
    // `right - left` lies between these.
    let low = span(left).map(|span| distance - span);
    let high = span(right).map(|span| distance + span);
    let low = if span(right).is_none() { None } else { low };
    let high = if span(left).is_none() { None } else { high };
    if low.is_some_and(|low| low >= i128::from(left_size)) || high.is_some_and(|high| -high >= i128::from(right_size)) {
        return false;
    }
    let stride = gcd(left.stride, right.stride);
    if stride == 0 {
        return true;
    }
    let rest = distance.rem_euclid(i128::from(stride));
    rest < i128::from(left_size) || i128::from(stride) - rest < i128::from(right_size)
}
