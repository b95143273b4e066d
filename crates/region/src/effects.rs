//! What functions touch, with those that they call: what of a configuration a call can see or change.

use crate::memory::{CellId, Memory};
use crate::procedure::{Call, Operation, Procedure};
use heapwise_ir::entity::{EntityRef, SecondaryMap};
use heapwise_ir::{Automaton, CallGraph, EdgeId, FunctionId, Operand, Termination};
use heapwise_pointsto::{RegionId, Site};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::rc::Rc;

/// A set of cells, a bit for each: what global variables lead to is many cells, and most functions touch most of them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CellSet(Vec<u64>);

impl CellSet {
    /// Whether a cell is in it.
    pub fn contains(&self, cell: CellId) -> bool {
        let index = cell.index();
        self.0.get(index / 64).is_some_and(|bits| bits >> (index % 64) & 1 == 1)
    }

    fn insert(&mut self, cell: CellId) {
        let word = cell.index() / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (cell.index() % 64);
    }

    fn extend_from(&mut self, other: &CellSet) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(bits, more)| *bits |= more);
    }
}

/// Cells of a function's own graph, and those that belong to all graphs: a caller has these under the same name.
#[derive(Clone, Default, Debug)]
pub struct Cells {
    shared: CellSet,
    own: FxHashSet<CellId>,
}

impl Cells {
    fn contains(&self, cell: CellId) -> bool {
        self.shared.contains(cell) || self.own.contains(&cell)
    }

    fn insert(&mut self, memory: &Memory<'_>, cell: CellId) {
        if is_shared(memory, memory.cells[cell].region) {
            self.shared.insert(cell);
        } else {
            self.own.insert(cell);
        }
    }

    fn extend(&mut self, memory: &Memory<'_>, cells: impl IntoIterator<Item = CellId>) {
        cells.into_iter().for_each(|cell| self.insert(memory, cell));
    }
}

/// What functions that call each other touch, in their graph.
#[derive(Clone, Default, Debug)]
pub struct Effects {
    /// Read, written or freed.
    touched: Cells,
    /// Written, but not by the end of their objects: whoever looks at a freed object fails before what it held matters.
    written: Cells,
    /// Regions of objects that are freed, but for those behind parameters that callers know of.
    freed: FxHashSet<RegionId>,
    /// Cells of those that are in the same place for callers, and not touched.
    freed_untouched: Vec<CellId>,
    /// Code that nothing is known of is called.
    unknown: bool,
}

/// How the cells of a callee lie in those of a caller, at one call.
#[derive(Clone, Default, Debug)]
pub struct CellMap {
    callee: Rc<Effects>,
    /// Whether all cells of the callee have the same name in the caller.
    is_same_graph: bool,
    /// Where a cell of the callee has another name in the caller: all that this one is there.
    to_callee: FxHashMap<CellId, SmallVec<[CellId; 1]>>,
    to_caller: FxHashMap<CellId, CellId>,
    written: FxHashSet<CellId>,
    /// Cells of the caller that the callee does not know, in objects some of which it frees.
    pub freed: Vec<CellId>,
    /// Whether it calls code that nothing is known of.
    pub unknown: bool,
}

impl CellMap {
    /// The cells of the callee that a cell of the caller is there.
    pub fn in_callee<'s>(&'s self, cell: &'s CellId) -> &'s [CellId] {
        match self.to_callee.get(cell) {
            Some(cells) => cells,
            None if self.has_same_name(*cell) => std::slice::from_ref(cell),
            None => &[],
        }
    }

    /// Whether the callee reads, writes or frees a cell of the caller.
    pub fn touches(&self, cell: CellId) -> bool {
        !self.in_callee(&cell).is_empty() || self.freed.contains(&cell)
    }

    /// Whether the callee writes a cell of the caller.
    pub fn writes(&self, cell: CellId) -> bool {
        let written = &self.callee.written;
        let by_name = if self.is_same_graph { written.contains(cell) } else { written.shared.contains(cell) };
        by_name || self.written.contains(&cell)
    }

    /// The cell of the caller that a cell of the callee is there.
    pub fn in_caller(&self, cell: CellId) -> Option<CellId> {
        self.to_caller.get(&cell).copied().or_else(|| self.has_same_name(cell).then_some(cell))
    }

    /// Whether a cell that is touched has the same name in caller and callee.
    fn has_same_name(&self, cell: CellId) -> bool {
        let touched = &self.callee.touched;
        if self.is_same_graph { touched.contains(cell) } else { touched.shared.contains(cell) }
    }
}

/// The effects of all functions, and the maps of calls.
pub struct AllEffects {
    of: SecondaryMap<FunctionId, Rc<Effects>>,
    /// Functions that come back, if all goes well.
    pub returns: SecondaryMap<FunctionId, bool>,
    /// The maps that were asked for: by call, or by callee where all cells have the same name.
    maps: RefCell<Maps>,
}

/// Maps by call (none where caller and callee are in one graph) and callee.
type Maps = FxHashMap<(Option<Site>, FunctionId), Rc<CellMap>>;

/// Whether a region is in all graphs.
fn is_shared(memory: &Memory<'_>, region: RegionId) -> bool {
    memory.pointsto.regions[region].graph.is_none()
}

/// Where a cell of a callee lies in the caller.
fn caller_cell(memory: &Memory<'_>, site: Site, callee: FunctionId, cell: CellId) -> Option<CellId> {
    let known = &memory.cells[cell];
    match caller_region(memory, site, callee, known.region)? {
        (region, 0) if region == known.region => Some(cell),
        (region, by) => memory.at(region, known.offset + by),
    }
}

/// The region of a callee in the caller, and what is added to offsets.
fn caller_region(memory: &Memory<'_>, site: Site, callee: FunctionId, region: RegionId) -> Option<(RegionId, i64)> {
    let pointsto = memory.pointsto;
    if is_shared(memory, region) || is_same_graph(memory, site, callee) {
        return Some((region, 0));
    }
    pointsto.map(site, callee)?.regions.get(&region).copied()
}

/// The cells of a region that hold pointers.
fn pointers_of(memory: &Memory<'_>, region: RegionId) -> Vec<CellId> {
    memory.of_region(region).filter(|cell| memory.cells[*cell].holds_pointer).collect()
}

/// Whether caller and callee have the same regions.
fn is_same_graph(memory: &Memory<'_>, site: Site, callee: FunctionId) -> bool {
    memory.pointsto.graph_of[site.function] == memory.pointsto.graph_of[callee]
}

impl AllEffects {
    /// Callees first. Those that call each other are in one graph: each does what all of them do.
    pub fn new(
        memory: &Memory<'_>,
        graph: &CallGraph,
        procedures: &SecondaryMap<FunctionId, Option<Rc<Procedure>>>,
    ) -> AllEffects {
        let mut all =
            AllEffects { of: SecondaryMap::new(), returns: SecondaryMap::with_default(true), maps: RefCell::default() };
        for component in &graph.components {
            let effects = Rc::new(all.of_component(memory, component, procedures));
            for function in component {
                if procedures[*function].is_some() {
                    all.of[*function] = effects.clone();
                }
            }
            // Those that call each other are taken to come back.
            for function in component {
                if let (Some(procedure), Some(automaton)) =
                    (&procedures[*function], memory.program.functions[*function].automaton())
                {
                    let comes_back = returns(procedure, automaton, &all.returns);
                    all.returns[*function] = comes_back;
                }
            }
        }
        all
    }

    fn of_component(
        &self,
        memory: &Memory<'_>,
        component: &[FunctionId],
        procedures: &SecondaryMap<FunctionId, Option<Rc<Procedure>>>,
    ) -> Effects {
        let mut found = Effects::default();
        // What has the same name here as in the callees, and is touched as a whole.
        let mut freed_below: FxHashSet<RegionId> = FxHashSet::default();
        let members: FxHashSet<FunctionId> = component.iter().copied().collect();
        let mut merged: FxHashSet<*const Effects> = FxHashSet::default();
        // Calls among them.
        let (mut is_recursive, mut renaming) = (false, Vec::new());
        for function in component {
            let Some(procedure) = &procedures[*function] else { continue };
            add_own_effects(&mut found, memory, procedure);
            for (edge, operation) in &procedure.operations {
                let Operation::Call(call) = operation else { continue };
                let site = Site { function: *function, edge };
                for callee in &call.callees {
                    if let Some(inner) = &procedures[*callee] {
                        found.free_arguments(memory, procedure, call, inner);
                    }
                    if members.contains(callee) {
                        is_recursive = true;
                        if !is_same_graph(memory, site, *callee) {
                            renaming.push((site, *callee));
                        }
                        continue;
                    }
                    let below = &self.of[*callee];
                    found.unknown |= below.unknown;
                    if merged.insert(Rc::as_ptr(below)) {
                        found.touched.shared.extend_from(&below.touched.shared);
                        found.written.shared.extend_from(&below.written.shared);
                        freed_below.extend(below.freed.iter().copied().filter(|region| is_shared(memory, *region)));
                    }
                    let map = |cell: &CellId| caller_cell(memory, site, *callee, *cell);
                    found.touched.extend(memory, below.touched.own.iter().filter_map(map));
                    found.written.extend(memory, below.written.own.iter().filter_map(map));
                    let own_freed = below.freed.iter().filter(|region| !is_shared(memory, **region));
                    freed_below
                        .extend(own_freed.filter_map(|region| Some(caller_region(memory, site, *callee, *region)?.0)));
                }
            }
        }
        found.freed.extend(&freed_below);
        found.rename_among(memory, &renaming);
        let as_a_whole = if is_recursive { &found.freed } else { &freed_below };
        for region in as_a_whole {
            found.touched.extend(memory, pointers_of(memory, *region));
        }
        let untouched = found.freed.iter().flat_map(|region| pointers_of(memory, *region));
        found.freed_untouched = untouched.filter(|cell| !found.touched.contains(*cell)).collect();
        found.freed_untouched.sort_unstable();
        found
    }

    /// The map of a call.
    pub fn map(&self, memory: &Memory<'_>, site: Site, callee: FunctionId) -> Rc<CellMap> {
        let is_same_graph = is_same_graph(memory, site, callee);
        let key = ((!is_same_graph).then_some(site), callee);
        if let Some(known) = self.maps.borrow().get(&key) {
            return known.clone();
        }
        let map = Rc::new(self.new_map(memory, (site, callee), is_same_graph));
        self.maps.borrow_mut().insert(key, map.clone());
        map
    }

    fn new_map(&self, memory: &Memory<'_>, (site, callee): (Site, FunctionId), is_same_graph: bool) -> CellMap {
        let effects = self.of[callee].clone();
        let mut map =
            CellMap { is_same_graph, unknown: effects.unknown, callee: effects.clone(), ..CellMap::default() };
        if is_same_graph {
            map.freed.clone_from(&effects.freed_untouched);
            return map;
        }
        for cell in &effects.touched.own {
            if let Some(caller) = caller_cell(memory, site, callee, *cell) {
                map.to_caller.insert(*cell, caller);
                let known = map.to_callee.entry(caller).or_default();
                if known.is_empty() && effects.touched.shared.contains(caller) {
                    known.push(caller);
                }
                known.push(*cell);
            }
        }
        map.to_callee.values_mut().for_each(|cells| cells.sort_unstable());
        map.written = effects.written.own.iter().filter_map(|cell| map.to_caller.get(cell).copied()).collect();
        let own_freed = effects.freed.iter().filter(|region| !is_shared(memory, **region));
        let own_freed = own_freed.filter_map(|region| caller_region(memory, site, callee, *region));
        let shared = effects.freed_untouched.iter().copied();
        let shared = shared.filter(|cell| is_shared(memory, memory.cells[*cell].region));
        let mut freed: Vec<CellId> =
            own_freed.flat_map(|(region, _)| pointers_of(memory, region)).chain(shared).collect();
        freed.retain(|cell| map.in_callee(cell).is_empty());
        freed.sort_unstable();
        freed.dedup();
        map.freed = freed;
        map
    }
}

impl Effects {
    /// Functions that call each other and are not in one graph: under the names of all of them, until nothing is new.
    fn rename_among(&mut self, memory: &Memory<'_>, calls: &[(Site, FunctionId)]) {
        loop {
            let before = (self.touched.own.len(), self.written.own.len(), self.freed.len());
            for (site, callee) in calls {
                let map = |cell: &CellId| caller_cell(memory, *site, *callee, *cell);
                let touched: Vec<CellId> = self.touched.own.iter().filter_map(map).collect();
                let written: Vec<CellId> = self.written.own.iter().filter_map(map).collect();
                let region = |region: &RegionId| Some(caller_region(memory, *site, *callee, *region)?.0);
                let freed: Vec<RegionId> = self.freed.iter().filter_map(region).collect();
                self.touched.extend(memory, touched);
                self.written.extend(memory, written);
                self.freed.extend(freed);
            }
            if before == (self.touched.own.len(), self.written.own.len(), self.freed.len()) {
                return;
            }
        }
    }

    /// What a callee frees behind its parameters, where callers are not told so by [`Procedure::freed_parameters`].
    fn free_arguments(&mut self, memory: &Memory<'_>, procedure: &Procedure, call: &Call, callee: &Procedure) {
        for freed in &callee.freed_parameters {
            let Some(register) = call.arguments.get(freed.position).and_then(|argument| argument.register) else {
                continue;
            };
            let is_told = procedure
                .parameter_behind(memory, register)
                .is_some_and(|position| procedure.freed_parameters.iter().any(|freed| freed.position == position));
            let value = memory.operand(procedure.function, Operand::Register(register));
            if let (Some(region), false) = (value.region, is_told) {
                self.freed.insert(region);
            }
        }
    }
}

fn add_own_effects(effects: &mut Effects, memory: &Memory<'_>, procedure: &Procedure) {
    for operation in procedure.operations.values() {
        match operation {
            Operation::Skip
            | Operation::Stop
            | Operation::Unsupported
            | Operation::Copy { .. }
            | Operation::Add { .. }
            | Operation::Blend { .. }
            | Operation::Alloc { .. }
            | Operation::AssumeNumber { .. }
            | Operation::AssumeNoBytes { .. }
            | Operation::AssumePointers { .. } => {}
            Operation::Load { place, .. } => {
                effects.touched.extend(memory, place.target.cells.iter().chain(place.counter.cells()).copied());
            }
            Operation::Store { place, .. } => {
                effects.touched.extend(memory, place.target.cells.iter().chain(place.counter.cells()).copied());
                effects.written.extend(memory, place.target.cells.iter().copied());
            }
            Operation::CopyCells { written, read, counters: (_, counters), .. } => {
                effects.touched.extend(memory, read.iter().chain(written).chain(counters).copied());
                effects.written.extend(memory, written.iter().copied());
            }
            Operation::Free { pointer, fields } => {
                effects.touched.extend(memory, fields.iter().flat_map(|field| field.target.cells.iter().copied()));
                if procedure.parameter_behind(memory, *pointer).is_none() {
                    effects.freed.extend(memory.operand(procedure.function, Operand::Register(*pointer)).region);
                }
            }
            Operation::End { fields, .. } => {
                effects.touched.extend(memory, fields.iter().flat_map(|field| field.target.cells.iter().copied()));
            }
            Operation::Call(call) => {
                effects.unknown |= call.unknown.is_some();
                let fields = call.frees.iter().flat_map(|freed| &freed.fields);
                effects.touched.extend(memory, fields.flat_map(|field| field.target.cells.iter().copied()));
                for found in &call.externs {
                    effects.touched.extend(memory, found.overwrites.iter().copied());
                    effects.written.extend(memory, found.overwrites.iter().copied());
                    if let Some((place, _)) = &found.stores {
                        effects.touched.extend(memory, place.target.cells.iter().copied());
                        effects.written.extend(memory, place.target.cells.iter().copied());
                    }
                }
            }
        }
    }
}

/// Whether some path leads to the exit.
fn returns(procedure: &Procedure, automaton: &Automaton, known: &SecondaryMap<FunctionId, bool>) -> bool {
    let passes = |edge: EdgeId| match &procedure.operations[edge] {
        Operation::Stop => false,
        Operation::Call(call) => {
            call.unknown.is_some()
                || call.callees.iter().any(|callee| known[*callee])
                || call.externs.iter().any(|found| found.termination == Termination::Returns)
        }
        _ => true,
    };
    let mut seen = vec![false; automaton.n_locations()];
    let mut pending = vec![automaton.entry];
    while let Some(location) = pending.pop() {
        if std::mem::replace(&mut seen[location.as_u32() as usize], true) {
            continue;
        }
        let edges = automaton.outgoing[location].iter();
        pending.extend(edges.filter(|edge| passes(**edge)).map(|edge| automaton.edges[*edge].to));
    }
    seen[automaton.exit.as_u32() as usize]
}
