//! The analysis on the fixpoint core: an element is a configuration, its key the index (paper 004, Figs 8, 9, 13–15).

use crate::acyclic::links;
use crate::constants::{Constants, Numbers};
use crate::effects::{AllEffects, CellMap};
use crate::equalities::{EqualTerms, Equalities, MOST_EXPRESSIONS, Reading};
use crate::expressions::Base;
use crate::facts::{About, Aim, FactSets, FactsId};
use crate::first_run::FirstRun;
use crate::index::{Count, IndexId, Indices, Slot};
use crate::memory::{CellId, Memory};
use crate::number::Number;
use crate::procedure::{Call, ExternCall, Operation, Procedure, Stored};
use crate::transfer::{Decision, Notice, State, Step};
use heapwise_dataflow::{iterate_to_fixpoint, unlimited};
use heapwise_engine::Kind;
use heapwise_engine::reason::RegionGap;
use heapwise_fixpoint::{Analysis, At, FactId, Leaving, Origin, PointId, ProgramFlow, StepId, StepOrigin, Successors};
use heapwise_ir::entity::{EntityRef, SecondaryMap};
use heapwise_ir::{CallGraph, EdgeId, FunctionId, LocationId, RegisterId, Termination};
use heapwise_pointsto::Site;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A configuration: what the core propagates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Configuration {
    /// Counts and flags: configurations that agree on it are one.
    pub index: IndexId,
    /// Hits, misses and numbers.
    pub facts: FactsId,
}

/// What becomes of a cell that is handed to code that nothing is known of. The verdict is *unknown* either way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnknownCalls {
    /// It may keep or free it: nothing is reported about it any more.
    Havoc,
    /// It does nothing.
    Pure,
}

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
    /// What becomes of cells that are handed out.
    pub unknown_calls: UnknownCalls,
    /// What a first run has shown.
    pub first_run: FirstRun,
    equalities: SecondaryMap<FunctionId, Vec<Option<Equalities>>>,
    numbers: SecondaryMap<FunctionId, Vec<Option<Numbers>>>,
}

impl<'p> World<'p> {
    /// Prepares all functions.
    pub fn new(
        memory: Memory<'p>,
        graph: &CallGraph,
        k: u8,
        unknown_calls: UnknownCalls,
        first_run: FirstRun,
    ) -> World<'p> {
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
                Operation::Call(call) => {
                    let written = |map: CellMap| map.written.into_iter().collect();
                    cells_of_call(&memory, &effects, (function, edge), call, written)
                }
                _ => Some(FxHashSet::default()),
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
        World { memory, procedures, effects, k, unknown_calls, first_run, equalities, numbers }
    }

    /// The registers whose cells a call cannot reach.
    fn private(&self, function: FunctionId, edge: EdgeId) -> &[RegisterId] {
        self.first_run.private((function, edge))
    }

    /// The cells that a call touches; none if it may touch anything.
    pub fn touched_by_call(&self, function: FunctionId, edge: EdgeId, call: &Call) -> Option<FxHashSet<CellId>> {
        let touched = |map: CellMap| map.touched().collect::<Vec<CellId>>();
        let mut cells = cells_of_call(&self.memory, &self.effects, (function, edge), call, touched)?;
        let fields = call.frees.iter().flat_map(|freed| &freed.fields);
        cells.extend(fields.flat_map(|field| field.target.cells.iter().copied()));
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
            _ => Some(FxHashSet::default()),
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

fn cells_of_call(
    memory: &Memory<'_>,
    effects: &AllEffects,
    (function, edge): (FunctionId, EdgeId),
    call: &Call,
    of_map: impl Fn(CellMap) -> Vec<CellId>,
) -> Option<FxHashSet<CellId>> {
    if call.unknown.is_some() {
        return None;
    }
    let mut cells = FxHashSet::default();
    for callee in &call.callees {
        let map = effects.map(memory, Site { function, edge }, *callee);
        if map.unknown {
            return None;
        }
        cells.extend(of_map(map));
    }
    for found in &call.externs {
        cells.extend(found.overwrites.iter().copied());
        cells.extend(found.stores.iter().flat_map(|(place, _)| place.target.cells.iter().copied()));
    }
    Some(cells)
}

/// An error that the analysis cannot exclude.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suspicion {
    /// The facts before the step that fails, in the order in which they were found.
    pub facts: Vec<FactId>,
    /// The seeds that fail at once.
    pub seeds: Vec<usize>,
}

/// The analysis.
pub struct Tracker<'w> {
    /// What it reads.
    pub world: &'w World<'w>,
    /// Points and steps.
    pub flow: &'w ProgramFlow,
    /// All indices.
    pub indices: Indices,
    /// All sets of facts.
    pub fact_sets: FactSets,
    /// What was suspected, by kind and step.
    pub suspicions: IndexMap<(Kind, StepId), Suspicion, FxBuildHasher>,
    /// What was not followed.
    pub gaps: BTreeSet<(StepId, RegionGap)>,
    maps: FxHashMap<(StepId, FunctionId), Rc<CellMap>>,
}

/// Most facts that are kept for one suspicion.
const MOST_FACTS: usize = 16;

impl<'w> Tracker<'w> {
    /// An analysis that has seen nothing.
    pub fn new(world: &'w World<'w>, flow: &'w ProgramFlow) -> Tracker<'w> {
        Tracker {
            world,
            flow,
            indices: Indices::default(),
            fact_sets: FactSets::default(),
            suspicions: IndexMap::default(),
            gaps: BTreeSet::new(),
            maps: FxHashMap::default(),
        }
    }

    /// The configuration as it is changed.
    pub fn state(&self, configuration: Configuration) -> State {
        State { index: self.indices.get(configuration.index), facts: self.fact_sets.get(configuration.facts) }
    }

    /// The configuration as it is kept.
    pub fn configuration(&mut self, state: &State) -> Configuration {
        Configuration { index: self.indices.intern(&state.index), facts: self.fact_sets.intern(&state.facts) }
    }

    /// The function and edge of a step.
    pub fn edge(&self, step: StepId) -> Option<(FunctionId, EdgeId)> {
        match self.flow.steps[step] {
            StepOrigin::Instruction { context, edge, .. } => Some((self.flow.contexts[context].function, edge)),
            StepOrigin::Enter { .. } | StepOrigin::Leave { .. } => None,
        }
    }

    fn map(&mut self, step: StepId, site: Site, callee: FunctionId) -> Rc<CellMap> {
        let world = self.world;
        let found = self.maps.entry((step, callee));
        found.or_insert_with(|| Rc::new(world.effects.map(&world.memory, site, callee))).clone()
    }

    fn step<'s>(&'s self, function: FunctionId, procedure: &'s Procedure, edge: EdgeId) -> Option<(Step<'s>, Ends)> {
        let world = self.world;
        let automaton = world.memory.program.functions[function].automaton()?;
        let found = &automaton.edges[edge];
        let step = Step {
            memory: &world.memory,
            procedure,
            edge,
            from: found.from,
            equalities: world.equalities(function, found.from),
            equalities_after: world.equalities(function, found.to),
            first_run: &world.first_run,
            k: world.k,
            notices: Vec::new(),
        };
        Some((step, Ends { to: found.to, exit: automaton.exit }))
    }

    /// Files what a step noticed.
    fn file(&mut self, step: StepId, fact: Option<FactId>, seed: Option<usize>, notices: Vec<Notice>) {
        for notice in notices {
            match notice {
                Notice::Gap(gap) => {
                    self.gaps.insert((step, gap));
                }
                Notice::Error(kind) => {
                    let known = self
                        .suspicions
                        .entry((kind, step))
                        .or_insert_with(|| Suspicion { facts: Vec::new(), seeds: Vec::new() });
                    if known.facts.len() < MOST_FACTS {
                        known.facts.extend(fact);
                    }
                    known.seeds.extend(seed);
                }
            }
        }
    }

    /// Ends a step for the states that it led to: those that go on, as configurations.
    fn end_step(step: &mut Step<'_>, ends: Ends, states: Vec<State>) -> Vec<State> {
        let mut kept = Vec::new();
        for mut state in states {
            step.finish(&mut state, ends.to, ends.exit);
            if state.index.is_unreferenced() && !state.index.has(Slot::Existed) {
                if !state.index.has(Slot::Freed) && !state.index.has(Slot::Local) {
                    step.notices.push(Notice::Error(Kind::Leak));
                }
                // Nobody can touch it any more.
                continue;
            }
            if !kept.contains(&state) {
                kept.push(state);
            }
        }
        kept
    }

    /// A cell that comes to life on an edge: at its end, as a seed. `seed` names it where it is lost at once.
    pub fn born(
        &mut self,
        step_id: StepId,
        function: FunctionId,
        edge: EdgeId,
        state: State,
        seed: usize,
    ) -> Vec<State> {
        let Some(procedure) = self.world.procedures[function].clone() else { return Vec::new() };
        let Some((mut step, ends)) = self.step(function, &procedure, edge) else { return Vec::new() };
        let kept = Tracker::end_step(&mut step, ends, vec![state]);
        let notices = step.notices;
        self.file(step_id, None, Some(seed), notices);
        kept
    }

    /// What a cell that a callee made is in the caller, at a call.
    pub fn handed_out(
        &mut self,
        step_id: StepId,
        function: FunctionId,
        edge: EdgeId,
        callee: FunctionId,
        exit: &State,
    ) -> Option<State> {
        let procedure = self.world.procedures[function].clone()?;
        let inner = self.world.procedures[callee].clone()?;
        let Operation::Call(call) = &procedure.operations[edge] else { return None };
        // A cell that is made only where an argument is null is not made where it is not.
        let is_made = inner.parameters.iter().zip(&call.arguments).all(|(parameter, argument)| {
            !inner.constant_parameters.contains(*parameter) || exit.facts.number(*parameter).meets(argument.number)
        });
        if !is_made {
            return None;
        }
        let map = self.map(step_id, Site { function, edge }, callee);
        let private = self.world.private(function, edge);
        let mut state = self.returned(&procedure, call, (&inner, &map), private, &State::default(), exit);
        if exit.facts.is_visible() {
            state.facts.set_visible();
        }
        Some(state)
    }

    /// What a caller's configuration and one at the exit of the callee make (Fig. 15).
    fn returned(
        &self,
        procedure: &Procedure,
        call: &Call,
        (callee, map): (&Procedure, &CellMap),
        private: &[RegisterId],
        caller: &State,
        exit: &State,
    ) -> State {
        let k = self.world.k;
        let mut state = State::default();
        for (slot, count) in caller.index.iter() {
            match slot {
                Slot::Register(register) if call.target == Some(register) => {}
                Slot::Register(_) | Slot::Local | Slot::Existed => state.index.set(slot, count),
                Slot::Cell(cell) if map.in_callee(cell).is_empty() => state.index.set(slot, count),
                Slot::Cell(cell) if is_held_back(procedure, private, caller, cell) => state.index.set(slot, Count::ONE),
                Slot::Cell(_) => {}
                Slot::Outside | Slot::Freed => state.index.set(slot, count),
            }
        }
        let mut result_hits = false;
        for (slot, count) in exit.index.iter() {
            match slot {
                Slot::Register(register) => result_hits |= callee.result == Some(register),
                Slot::Cell(cell) => {
                    // What only the callee's own memory refers to cannot be reached any more.
                    if let Some(cell) = map.in_caller(cell) {
                        state.index.add(Slot::Cell(cell), count, k);
                    }
                }
                Slot::Outside | Slot::Local | Slot::Freed => state.index.set(slot, count),
                Slot::Existed => {}
            }
        }
        let expressions = &procedure.expressions;
        state.facts = caller.facts.clone();
        state.facts.forget(About::Leaf);
        if let Some(mask) = exit.facts.leaf().and_then(|mask| argument_leaf(procedure, call, caller, mask)) {
            state.facts.set_leaf(mask);
        }
        state.facts.retain(|about, _| match about {
            About::Expression(id) => {
                let expression = expressions.all[id];
                let is_kept = !map.written.contains(&expression.cell) || is_private(private, expression.base);
                is_kept && Some(expression.base) != call.target.map(Base::Register)
            }
            About::Register(register) => call.target != Some(register),
            About::Inverse(id) => {
                let pair = self.world.memory.inverses[id];
                !map.written.contains(&pair.back) && !map.written.contains(&pair.forth)
            }
            About::Apart(link) | About::Filled(link) => !map.written.contains(&link),
            About::Visible | About::Leaf => true,
        });
        for (link, about) in exit.facts.links() {
            if let Some(outer) = map.in_caller(link) {
                state.facts.learn(about(outer));
            }
        }
        for id in exit.facts.inverses() {
            let pair = self.world.memory.inverses[id];
            if let (Some(back), Some(forth)) = (map.in_caller(pair.back), map.in_caller(pair.forth))
                && let Some(outer) = self.world.memory.inverse(back, forth)
            {
                state.facts.set_inverse(outer);
            }
        }
        for register in private.iter().filter(|register| call.target != Some(**register)) {
            // What counts alone decided before is no longer decided by them, but the callee did not change it.
            for id in expressions.from(Base::Register(*register)) {
                if !caller.index.has(Slot::Cell(expressions.all[*id].cell)) {
                    state.facts.set_aim(*id, Aim::Miss);
                }
            }
        }
        if let Some(target) = call.target {
            if result_hits {
                state.index.set(Slot::Register(target), Count::ONE);
            } else if let Some(result) = callee.result
                && procedure.tested.contains(target)
            {
                state.facts.set_number(target, exit.facts.number(result));
            }
        }
        for (id, aim) in exit.facts.aims() {
            let expression = callee.expressions.all[id];
            let mut hand = |base: Base| {
                if let Some(same) = expressions.find(base, expression.offset) {
                    state.facts.set_aim(same, aim);
                }
            };
            match expression.base {
                Base::Global(global) => hand(Base::Global(global)),
                Base::Register(register) if callee.result == Some(register) => {
                    call.target.into_iter().for_each(|target| hand(Base::Register(target)));
                }
                Base::Register(register) => {
                    for (parameter, argument) in callee.parameters.iter().zip(&call.arguments) {
                        if *parameter == register
                            && let Some(argument) = argument.register
                            && call.target != Some(argument)
                        {
                            hand(Base::Register(argument));
                        }
                    }
                }
            }
        }
        state
    }

    /// What a configuration is at the entry of a callee; nothing if the callee cannot touch the cell.
    fn entering(
        &self,
        step: &mut Step<'_>,
        call: &Call,
        callee: &Procedure,
        map: &CellMap,
        private: &[RegisterId],
        caller: &State,
    ) -> Option<State> {
        let mut state = State::default();
        for (slot, count) in caller.index.iter() {
            match slot {
                Slot::Cell(cell) => match map.in_callee(cell) {
                    [] => {}
                    [inner] => match count.number() {
                        Some(number) if is_held_back(step.procedure, private, caller, cell) => {
                            state.index.set(Slot::Cell(*inner), Count::exactly((number - 1) as u8));
                        }
                        _ => state.index.set(Slot::Cell(*inner), count),
                    },
                    _ => {
                        step.gap(RegionGap::CellsOfCallee);
                        return None;
                    }
                },
                Slot::Register(_) | Slot::Outside | Slot::Local | Slot::Existed | Slot::Freed => {}
            }
        }
        for (parameter, argument) in callee.parameters.iter().zip(&call.arguments) {
            match argument.register {
                Some(register) if caller.index.has(Slot::Register(register)) => {
                    state.index.set(Slot::Register(*parameter), Count::ONE);
                }
                register => {
                    if callee.tested.contains(*parameter) {
                        let known = register.map_or(Number::ANY, |register| caller.facts.number(register));
                        state.facts.set_number(*parameter, if known == Number::ANY { argument.number } else { known });
                    }
                }
            }
        }
        if state.index.is_unreferenced() {
            return None;
        }
        state.index.set(Slot::Existed, Count::ONE);
        for slot in [Slot::Freed, Slot::Outside, Slot::Local] {
            state.index.set(slot, caller.index.get(slot));
        }
        for (parameter, argument) in callee.parameters.iter().zip(&call.arguments) {
            let Some(register) = argument.register else { continue };
            self.tell(step, callee, caller, (Base::Register(register), Base::Register(*parameter)), &mut state);
        }
        let globals: BTreeSet<Base> = caller
            .facts
            .aims()
            .map(|(id, _)| step.procedure.expressions.all[id].base)
            .filter(|base| matches!(base, Base::Global(_)))
            .collect();
        for base in globals {
            self.tell(step, callee, caller, (base, base), &mut state);
        }
        if caller.facts.is_leaf() {
            state.facts.set_leaf(0);
        }
        for (link, about) in caller.facts.links() {
            if let [inner] = map.in_callee(link) {
                state.facts.learn(about(*inner));
            }
        }
        for id in caller.facts.inverses() {
            let pair = self.world.memory.inverses[id];
            if let ([back], [forth]) = (map.in_callee(pair.back), map.in_callee(pair.forth))
                && let Some(inner) = self.world.memory.inverse(*back, *forth)
            {
                state.facts.set_inverse(inner);
            }
        }
        let is_hidden = |slot: Slot| match slot {
            Slot::Cell(cell) => map.in_callee(cell).is_empty() && links(&self.world.memory, cell),
            Slot::Outside => true,
            Slot::Register(_) | Slot::Local | Slot::Existed | Slot::Freed => false,
        };
        if caller.facts.is_visible() && !caller.index.iter().any(|(slot, _)| is_hidden(slot)) {
            state.facts.set_visible();
        }
        Some(state)
    }

    /// Tells a callee what the caller knows of fields behind an argument or a global.
    fn tell(
        &self,
        step: &Step<'_>,
        callee: &Procedure,
        caller: &State,
        (here, there): (Base, Base),
        state: &mut State,
    ) {
        for inner in callee.expressions.from(there) {
            let known = callee.expressions.all[*inner];
            if !state.index.has(Slot::Cell(known.cell)) {
                continue;
            }
            let Some(own) = step.procedure.expressions.find(here, known.offset) else { continue };
            match step.decide_expression(caller, own) {
                Decision::Hit => state.facts.set_aim(*inner, Aim::Hit),
                Decision::Miss => state.facts.set_aim(*inner, Aim::Miss),
                Decision::Maybe => {}
            }
        }
    }

    /// The callee cannot touch the cell: what the caller knows afterwards.
    fn bypassed(&self, step: &Step<'_>, call: &Call, map: &CellMap, private: &[RegisterId], mut state: State) -> State {
        let expressions = &step.procedure.expressions;
        state.facts.retain(|about, _| match about {
            About::Expression(id) => {
                !map.written.contains(&expressions.all[id].cell) || is_private(private, expressions.all[id].base)
            }
            About::Register(_)
            | About::Apart(_)
            | About::Filled(_)
            | About::Inverse(_)
            | About::Visible
            | About::Leaf => true,
        });
        if let Some(target) = call.target {
            step.assign(&mut state, target, false, Number::ANY);
        }
        state
    }

    fn extern_call(
        &self,
        step: &mut Step<'_>,
        call: &Call,
        found: &ExternCall,
        mut state: State,
        out: &mut Vec<State>,
    ) {
        let hits = |state: &State, register: &heapwise_ir::RegisterId| state.index.has(Slot::Register(*register));
        if state.index.has(Slot::Freed) {
            if found.looks_through.iter().any(|register| hits(&state, register)) {
                step.notices.push(Notice::Error(Kind::UseAfterFree));
                return;
            }
            if found.may_look_through.iter().any(|register| hits(&state, register)) {
                step.gap(RegionGap::FormatArgument);
            }
        }
        match found.termination {
            Termination::Returns => {}
            Termination::Exits | Termination::Aborts => return,
        }
        if found.takes.iter().any(|register| hits(&state, register)) {
            state.index.set(Slot::Outside, Count::MANY);
        }
        if found.overwrites.iter().any(|cell| state.index.has(Slot::Cell(*cell))) {
            step.gap(RegionGap::CopiedMemory);
        }
        step.forget_cells(&mut state, &found.overwrites);
        let mut states = Vec::new();
        match &found.stores {
            Some((place, value)) => {
                let is_hit = value.is_some_and(|value| hits(&state, &value));
                step.store(state, place, is_hit, value.map_or(Stored::Copied, Stored::Register), &mut states);
            }
            None => states.push(state),
        }
        for mut state in states {
            let Some(target) = call.target else {
                out.push(state);
                continue;
            };
            let is_hit = found.result.is_some_and(|register| hits(&state, &register));
            if is_hit && found.result_may_be_null {
                let mut null = state.clone();
                step.assign(&mut null, target, false, Number::ZERO);
                out.push(null);
            }
            step.assign(&mut state, target, is_hit, found.number);
            out.push(state);
        }
    }

    fn unknown_call(&self, step: &Step<'_>, call: &Call, mut state: State) -> State {
        let memory = &self.world.memory;
        let escaped = |cell: CellId| memory.pointsto.regions[memory.cells[cell].region].escaped;
        if self.world.unknown_calls == UnknownCalls::Havoc {
            let is_handed =
                call.arguments.iter().any(|argument| {
                    argument.register.is_some_and(|register| state.index.has(Slot::Register(register)))
                }) || state.index.iter().any(|(slot, _)| matches!(slot, Slot::Cell(cell) if escaped(cell)));
            if is_handed {
                state.index.set(Slot::Outside, Count::MANY);
            }
            let expressions = &step.procedure.expressions;
            state.facts.retain(|about, _| match about {
                About::Expression(id) => !escaped(expressions.all[id].cell),
                // Regions that unknown code has are not looked at for pairs.
                About::Register(_) | About::Apart(_) | About::Filled(_) | About::Inverse(_) => true,
                About::Visible | About::Leaf => !is_handed,
            });
        }
        if let Some(target) = call.target {
            step.assign(&mut state, target, false, Number::ANY);
        }
        state
    }
}

fn is_private(private: &[RegisterId], base: Base) -> bool {
    matches!(base, Base::Register(register) if private.contains(&register))
}

/// Whether one of the references from a cell lies where the callee cannot reach it: it stays with the caller.
fn is_held_back(procedure: &Procedure, private: &[RegisterId], caller: &State, cell: CellId) -> bool {
    !private.is_empty()
        && caller.index.get(Slot::Cell(cell)).number().is_some_and(|number| number > 0)
        && caller.facts.aims().any(|(id, aim)| {
            let expression = procedure.expressions.all[id];
            aim == Aim::Hit && expression.cell == cell && is_private(private, expression.base)
        })
}

/// The parameters of a caller whose values may be in links of a cell, where those of a callee may be; none if other values may.
fn argument_leaf(procedure: &Procedure, call: &Call, caller: &State, mask: u32) -> Option<u32> {
    let mut own = 0;
    for position in (0..u32::BITS).filter(|position| mask >> position & 1 == 1) {
        let argument = call.arguments.get(position as usize)?;
        match argument.register {
            None if argument.number == Number::ZERO => {}
            Some(register) if caller.facts.number(register) == Number::ZERO => {}
            Some(register) if procedure.constant_parameters.contains(register) => {
                let at = procedure.parameters.iter().position(|parameter| *parameter == register)?;
                own |= 1u32.checked_shl(u32::try_from(at).ok()?)?;
            }
            Some(_) | None => return None,
        }
    }
    Some(own)
}

/// Where a step leads, and the exit of its procedure.
#[derive(Clone, Copy)]
struct Ends {
    to: LocationId,
    exit: LocationId,
}

impl Analysis for Tracker<'_> {
    type Element = Configuration;
    type Key = IndexId;

    fn key(&self, _point: PointId, configuration: &Configuration) -> Option<IndexId> {
        Some(configuration.index)
    }

    fn join(&mut self, _point: PointId, old: &Configuration, new: &Configuration) -> Option<Configuration> {
        if old.facts == new.facts {
            return None;
        }
        let joined = self.fact_sets.get(old.facts).join(&self.fact_sets.get(new.facts));
        let facts = self.fact_sets.intern(&joined);
        (facts != old.facts).then_some(Configuration { index: old.index, facts })
    }

    fn post(&mut self, at: &At<'_, Configuration>, out: &mut Successors<Configuration>) {
        let Some((function, edge)) = self.edge(at.step()) else { return };
        let Some(procedure) = self.world.procedures[function].clone() else { return };
        let state = self.state(*at.element());
        let mut states = Vec::new();
        let mut entered: Vec<(FunctionId, State)> = Vec::new();
        let maps: Vec<Rc<CellMap>> = match &procedure.operations[edge] {
            Operation::Call(call) => {
                let site = Site { function, edge };
                call.callees.iter().map(|callee| self.map(at.step(), site, *callee)).collect()
            }
            _ => Vec::new(),
        };
        let Some((mut step, ends)) = self.step(function, &procedure, edge) else { return };
        match &procedure.operations[edge] {
            Operation::Call(call) => {
                for (callee, map) in call.callees.iter().zip(&maps) {
                    let Some(inner) = &self.world.procedures[*callee] else { continue };
                    let private = self.world.private(function, edge);
                    match self.entering(&mut step, call, inner, map, private, &state) {
                        Some(entering) => entered.push((*callee, entering)),
                        None if self.world.effects.returns[*callee] => {
                            let after = self.bypassed(&step, call, map, private, state.clone());
                            step.lose_fields(&state, after, (call, *callee), map, &mut states);
                        }
                        None => {}
                    }
                }
                for found in &call.externs {
                    self.extern_call(&mut step, call, found, state.clone(), &mut states);
                }
                if call.unknown.is_some() {
                    states.push(self.unknown_call(&step, call, state));
                }
            }
            operation => step.apply(operation, state, &mut states),
        }
        let kept = Tracker::end_step(&mut step, ends, states);
        let notices = step.notices;
        self.file(at.step(), Some(at.fact()), None, notices);
        for state in &kept {
            let configuration = self.configuration(state);
            out.push(configuration);
        }
        for (callee, state) in &entered {
            if let Some(inner) = self.flow.procedure(*callee) {
                let configuration = self.configuration(state);
                out.enter_keyed(inner, configuration);
            }
        }
    }

    fn leave(&mut self, leaving: &Leaving<'_, Configuration>, out: &mut Successors<Configuration>) {
        // Cells that the callee made become seeds of their own in its callers.
        if leaving.origin() == Origin::Fresh {
            return;
        }
        let Some(caller) = leaving.caller() else { return };
        let Some((function, edge)) = self.edge(leaving.step()) else { return };
        let callee = self.flow.function_at(self.flow.flow.entry(leaving.procedure()));
        let (Some(procedure), Some(inner)) =
            (self.world.procedures[function].clone(), self.world.procedures[callee].clone())
        else {
            return;
        };
        let Operation::Call(call) = &procedure.operations[edge] else { return };
        let map = self.map(leaving.step(), Site { function, edge }, callee);
        let (before, exit) = (self.state(*caller), self.state(*leaving.exit()));
        let private = self.world.private(function, edge);
        let state = self.returned(&procedure, call, (&inner, &map), private, &before, &exit);
        let Some((mut step, ends)) = self.step(function, &procedure, edge) else { return };
        let mut states = Vec::new();
        step.lose_fields(&before, state, (call, callee), &map, &mut states);
        let kept = Tracker::end_step(&mut step, ends, states);
        let notices = step.notices;
        self.file(leaving.step(), Some(leaving.exit_fact()), None, notices);
        for state in &kept {
            let configuration = self.configuration(state);
            out.push(configuration);
        }
    }
}
