//! All that the analysis reads: regions, functions, what they touch, and what holds at their locations whatever cell is tracked.

use crate::constants::{Constants, Numbers};
use crate::effects::{AllEffects, CellMap};
use crate::equalities::{EqualTerms, Equalities, MOST_EXPRESSIONS, Reading};
use crate::first_run::FirstRun;
use crate::memory::{CellId, Memory};
use crate::procedure::{Call, Operation, Procedure};
use heapwise_dataflow::{iterate_to_fixpoint, unlimited};
use heapwise_ir::entity::{EntityRef, SecondaryMap};
use heapwise_ir::{CallGraph, EdgeId, FunctionId, LocationId, RegisterId};
use heapwise_pointsto::Site;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// All that the analysis reads.
pub struct World<'p> {
    /// The regions.
    pub memory: Memory<'p>,
    /// The functions.
    pub procedures: SecondaryMap<FunctionId, Option<Rc<Procedure>>>,
    /// What they touch.
    pub effects: AllEffects,
    /// Up to where references are counted.
    pub k: u8,
    /// What a first run has shown.
    pub first_run: FirstRun,
    equalities: SecondaryMap<FunctionId, Vec<Option<Equalities>>>,
    numbers: SecondaryMap<FunctionId, Vec<Option<Numbers>>>,
}

impl<'p> World<'p> {
    /// Prepares all functions.
    pub fn new(memory: Memory<'p>, graph: &CallGraph, k: u8, first_run: FirstRun) -> World<'p> {
        let mut procedures: SecondaryMap<FunctionId, Option<Rc<Procedure>>> = SecondaryMap::new();
        for function in graph.components.iter().flatten() {
            let procedure = Procedure::new(&memory, *function, &|callee| procedures[callee].clone());
            procedures[*function] = procedure.map(Rc::new);
        }
        let effects = AllEffects::new(&memory, graph, &procedures);
        let mut equalities: SecondaryMap<FunctionId, Vec<Option<Equalities>>> = SecondaryMap::new();
        let mut numbers: SecondaryMap<FunctionId, Vec<Option<Numbers>>> = SecondaryMap::new();
        for function in memory.program.functions.keys() {
            let (Some(procedure), Some(automaton)) =
                (&procedures[function], memory.program.functions[function].automaton())
            else {
                continue;
            };
            let Ok(found) = iterate_to_fixpoint(automaton, Constants(procedure), unlimited);
            numbers[function] = found.into_states();
            let n_terms = procedure.expressions.all.len();
            if n_terms == 0 || n_terms > MOST_EXPRESSIONS {
                continue;
            }
            let written = |edge: EdgeId| match &procedure.operations[edge] {
                Operation::Call(call) => CellsOfCall::new(&memory, &effects, (function, edge), call, Which::Written),
                _ => Some(CellsOfCall::default()),
            };
            let Ok(results) = iterate_to_fixpoint(
                automaton,
                EqualTerms {
                    procedure,
                    changed: &written,
                    memory: &memory,
                    first_run: &first_run,
                    reading: Reading::UnlessNull,
                },
                unlimited,
            );
            equalities[function] = results.into_states();
        }
        World { memory, procedures, effects, k, first_run, equalities, numbers }
    }

    /// The registers whose cells a call cannot reach.
    pub fn private(&self, function: FunctionId, edge: EdgeId) -> &[RegisterId] {
        self.first_run.private((function, edge))
    }

    /// The cells that a call touches; none if it may touch anything.
    pub fn touched_by_call(&self, function: FunctionId, edge: EdgeId, call: &Call) -> Option<CellsOfCall> {
        let mut cells = CellsOfCall::new(&self.memory, &self.effects, (function, edge), call, Which::Touched)?;
        let fields = call.frees.iter().flat_map(|freed| &freed.fields);
        cells.others.extend(fields.flat_map(|field| field.target.cells.iter().copied()));
        Some(cells)
    }

    /// What is equal at the locations of a function whatever is null, and as long as nothing is freed behind it.
    pub fn strict_equalities(&self, function: FunctionId) -> Vec<Option<Equalities>> {
        let (Some(procedure), Some(automaton)) =
            (&self.procedures[function], self.memory.program.functions[function].automaton())
        else {
            return Vec::new();
        };
        let n_terms = procedure.expressions.all.len();
        if n_terms == 0 || n_terms > MOST_EXPRESSIONS {
            return Vec::new();
        }
        let changed = |edge: EdgeId| match &procedure.operations[edge] {
            Operation::Call(call) => self.touched_by_call(function, edge, call),
            _ => Some(CellsOfCall::default()),
        };
        let strict = EqualTerms {
            procedure,
            changed: &changed,
            memory: &self.memory,
            first_run: &self.first_run,
            reading: Reading::Strict,
        };
        let Ok(results) = iterate_to_fixpoint(automaton, strict, unlimited);
        results.into_states()
    }

    /// What numbers registers hold at a location; nothing if no run comes there.
    pub fn numbers(&self, function: FunctionId, location: LocationId) -> Option<&Numbers> {
        self.numbers[function].get(location.index())?.as_ref()
    }

    /// What is equal at a location.
    pub fn equalities(&self, function: FunctionId, location: LocationId) -> Option<&Equalities> {
        self.equalities[function].get(location.index())?.as_ref()
    }
}

/// Which cells of a call.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Which {
    /// Read, written or freed.
    #[default]
    Touched,
    /// Written.
    Written,
}

/// The cells of a caller that a call touches or writes.
#[derive(Default, Debug)]
pub struct CellsOfCall {
    which: Which,
    by_callees: Vec<Rc<CellMap>>,
    others: FxHashSet<CellId>,
}

impl CellsOfCall {
    /// None if it may be any.
    fn new(
        memory: &Memory<'_>,
        effects: &AllEffects,
        (function, edge): (FunctionId, EdgeId),
        call: &Call,
        which: Which,
    ) -> Option<CellsOfCall> {
        if call.unknown.is_some() {
            return None;
        }
        let mut cells = CellsOfCall { which, ..CellsOfCall::default() };
        for callee in &call.callees {
            let map = effects.map(memory, Site { function, edge }, *callee);
            if map.unknown {
                return None;
            }
            cells.by_callees.push(map);
        }
        for found in &call.externs {
            cells.others.extend(found.overwrites.iter().copied());
            cells.others.extend(found.stores.iter().flat_map(|(place, _)| place.target.cells.iter().copied()));
        }
        Some(cells)
    }

    /// Whether a cell is among them.
    pub fn contains(&self, cell: CellId) -> bool {
        let is_of = |map: &Rc<CellMap>| match self.which {
            Which::Touched => map.touches(cell),
            Which::Written => map.writes(cell),
        };
        self.others.contains(&cell) || self.by_callees.iter().any(is_of)
    }
}
