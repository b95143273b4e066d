//! What functions touch, with those that they call: what of a configuration a call can see or change.

use crate::memory::{CellId, Memory};
use crate::procedure::{Call, Operation, Procedure};
use heapwise_ir::entity::SecondaryMap;
use heapwise_ir::{Automaton, CallGraph, EdgeId, FunctionId, Operand, Termination};
use heapwise_pointsto::{RegionId, Site};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::rc::Rc;

/// The cells, in the graph of the function.
#[derive(Clone, Default, Debug)]
pub struct Effects {
    /// Read, written or freed.
    pub touched: FxHashSet<CellId>,
    /// Written, but not by the end of their objects: whoever looks at a freed object fails before what it held matters.
    pub written: FxHashSet<CellId>,
    /// Regions of objects that are freed, but for those behind parameters that callers know of.
    pub freed: FxHashSet<RegionId>,
    /// Code that nothing is known of is called.
    pub unknown: bool,
}

/// How the cells of a callee lie in those of a caller, at one call.
#[derive(Clone, Default, Debug)]
pub struct CellMap {
    to_callee: FxHashMap<CellId, SmallVec<[CellId; 1]>>,
    to_caller: FxHashMap<CellId, CellId>,
    /// What the callee writes, in the cells of the caller.
    pub written: FxHashSet<CellId>,
    /// Cells of the caller that the callee does not know, in objects some of which it frees.
    pub freed: Vec<CellId>,
    /// Whether it calls code that nothing is known of.
    pub unknown: bool,
}

impl CellMap {
    /// The cells of the callee that a cell of the caller is there.
    pub fn in_callee(&self, cell: CellId) -> &[CellId] {
        self.to_callee.get(&cell).map_or(&[], SmallVec::as_slice)
    }

    /// The cells of the caller that the callee reads, writes or frees.
    pub fn touched(&self) -> impl Iterator<Item = CellId> + '_ {
        self.to_callee.keys().chain(&self.freed).copied()
    }

    /// The cell of the caller that a cell of the callee is there.
    pub fn in_caller(&self, cell: CellId) -> Option<CellId> {
        self.to_caller.get(&cell).copied()
    }
}

/// The effects of all functions, and the maps of calls.
pub struct AllEffects {
    of: SecondaryMap<FunctionId, Rc<Effects>>,
    /// Functions that come back, if all goes well.
    pub returns: SecondaryMap<FunctionId, bool>,
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
    let own = pointsto.regions[region].graph;
    if own.is_none() || pointsto.graph_of[site.function] == pointsto.graph_of[callee] {
        return Some((region, 0));
    }
    pointsto.map(site, callee)?.regions.get(&region).copied()
}

/// The cells of a region that hold pointers.
fn pointers_of(memory: &Memory<'_>, region: RegionId) -> Vec<CellId> {
    memory.of_region(region).filter(|cell| memory.cells[*cell].holds_pointer).collect()
}

impl AllEffects {
    /// Callees first, those that call each other until nothing is new.
    pub fn new(
        memory: &Memory<'_>,
        graph: &CallGraph,
        procedures: &SecondaryMap<FunctionId, Option<Rc<Procedure>>>,
    ) -> AllEffects {
        let mut all = AllEffects { of: SecondaryMap::new(), returns: SecondaryMap::with_default(true) };
        for component in &graph.components {
            let mut of_component: Vec<(FunctionId, Effects)> = Vec::new();
            for function in component {
                let Some(procedure) = &procedures[*function] else { continue };
                of_component.push((*function, own_effects(memory, procedure)));
            }
            let is_recursive = component.iter().any(|function| graph.is_recursive(*function));
            loop {
                let before: usize = of_component.iter().map(|(_, found)| found.size()).sum();
                for (function, found) in &mut of_component {
                    let Some(procedure) = &procedures[*function] else { continue };
                    for (edge, operation) in &procedure.operations {
                        let Operation::Call(call) = operation else { continue };
                        let site = Site { function: *function, edge };
                        for callee in &call.callees {
                            let below = all.of[*callee].clone();
                            found.unknown |= below.unknown;
                            let map = |cell: &CellId| caller_cell(memory, site, *callee, *cell);
                            found.touched.extend(below.touched.iter().filter_map(map));
                            found.written.extend(below.written.iter().filter_map(map));
                            let freed = below.freed.iter().filter_map(|region| {
                                caller_region(memory, site, *callee, *region).map(|(region, _)| region)
                            });
                            for region in freed {
                                found.freed.insert(region);
                                found.touched.extend(pointers_of(memory, region));
                            }
                            if let Some(inner) = &procedures[*callee] {
                                found.free_arguments(memory, procedure, call, inner);
                            }
                        }
                    }
                }
                for (function, found) in &of_component {
                    all.of[*function] = Rc::new(found.clone());
                }
                let after: usize = of_component.iter().map(|(_, found)| found.size()).sum();
                if !is_recursive || before == after {
                    break;
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

    /// What a function does.
    pub fn of(&self, function: FunctionId) -> &Effects {
        &self.of[function]
    }

    /// The map of a call.
    pub fn map(&self, memory: &Memory<'_>, site: Site, callee: FunctionId) -> CellMap {
        let mut map = CellMap { unknown: self.of[callee].unknown, ..CellMap::default() };
        for cell in &self.of[callee].touched {
            if let Some(caller) = caller_cell(memory, site, callee, *cell) {
                map.to_caller.insert(*cell, caller);
                map.to_callee.entry(caller).or_default().push(*cell);
            }
        }
        for cells in map.to_callee.values_mut() {
            cells.sort_unstable();
        }
        map.written = self.of[callee].written.iter().filter_map(|cell| map.in_caller(*cell)).collect();
        let freed = self.of[callee].freed.iter().filter_map(|region| caller_region(memory, site, callee, *region));
        map.freed = freed.flat_map(|(region, _)| pointers_of(memory, region)).collect();
        map.freed.retain(|cell| map.to_callee.get(cell).is_none_or(SmallVec::is_empty));
        map.freed.sort_unstable();
        map.freed.dedup();
        map
    }
}

impl Effects {
    fn size(&self) -> usize {
        self.touched.len() + self.written.len() + self.freed.len()
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

fn own_effects(memory: &Memory<'_>, procedure: &Procedure) -> Effects {
    let mut effects = Effects::default();
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
                effects.touched.extend(place.target.cells.iter().chain(place.counter.cells()).copied());
            }
            Operation::Store { place, .. } => {
                effects.touched.extend(place.target.cells.iter().chain(place.counter.cells()).copied());
                effects.written.extend(place.target.cells.iter().copied());
            }
            Operation::CopyCells { written, read, counters: (_, counters), .. } => {
                effects.touched.extend(read.iter().chain(written).chain(counters).copied());
                effects.written.extend(written.iter().copied());
            }
            Operation::Free { pointer, fields } => {
                effects.touched.extend(fields.iter().flat_map(|field| field.target.cells.iter().copied()));
                if procedure.parameter_behind(memory, *pointer).is_none() {
                    effects.freed.extend(memory.operand(procedure.function, Operand::Register(*pointer)).region);
                }
            }
            Operation::End { fields, .. } => {
                effects.touched.extend(fields.iter().flat_map(|field| field.target.cells.iter().copied()));
            }
            Operation::Call(call) => {
                effects.unknown |= call.unknown.is_some();
                let fields = call.frees.iter().flat_map(|freed| &freed.fields);
                effects.touched.extend(fields.flat_map(|field| field.target.cells.iter().copied()));
                for found in &call.externs {
                    effects.touched.extend(found.overwrites.iter().copied());
                    effects.written.extend(found.overwrites.iter().copied());
                    if let Some((place, _)) = &found.stores {
                        effects.touched.extend(place.target.cells.iter().copied());
                        effects.written.extend(place.target.cells.iter().copied());
                    }
                }
            }
        }
    }
    effects
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
