//! The analysis on the fixpoint core: an element is a configuration, its key the index (Hackett and Rugina, Figs 8, 9, 13–15).

use crate::acyclic::links;
use crate::effects::CellMap;
use crate::facts::{FactSets, Facts, FactsId};
use crate::index::{Count, IndexId, Indices, Referrer};
use crate::procedure::{Operation, Procedure};
use crate::transfer::{Notice, State, Step};
use crate::world::World;
use heapwise_engine::Kind;
use heapwise_engine::reason::RegionGap;
use heapwise_fixpoint::{Analysis, At, FactId, Leaving, Origin, PointId, ProgramFlow, StepId, StepOrigin, Successors};
use heapwise_ir::entity::EntityRef;
use heapwise_ir::{EdgeId, FunctionId, LocationId, RegisterId};
use heapwise_pointsto::Site;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

mod calls;
mod externs;

/// A configuration: what the core propagates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Configuration {
    /// Counts and flags: configurations that agree on it are one.
    pub index: IndexId,
    /// Hits, misses and numbers.
    pub facts: FactsId,
}

/// The signs of some variables, three bits each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Statuses(u32);

/// An error that the analysis cannot exclude.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Suspicion {
    /// The facts before the step that fails, in the order in which they were found.
    pub facts: Vec<FactId>,
    /// The seeds that fail at once.
    pub seeds: Vec<usize>,
    /// The same as the facts, on ways that are likely to be none that a run takes.
    pub doubts: Vec<FactId>,
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
    /// How often a configuration was handed to a function.
    pub entered: u64,
    /// How often one like it had been handed to it before: what was found then is used again.
    pub entered_before: u64,
    entries: FxHashSet<(FunctionId, IndexId, Statuses)>,
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
            entered: 0,
            entered_before: 0,
            entries: FxHashSet::default(),
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

    /// The signs of the variables that configurations are kept apart by.
    fn statuses(&self, point: PointId, facts: FactsId) -> Statuses {
        let procedure = &self.world.procedures[self.flow.function_at(point)];
        let registers = procedure.as_ref().map_or(&[][..], |procedure| procedure.statuses.as_slice());
        let signs = |register: &RegisterId| self.fact_sets.number(facts, *register).signs();
        Statuses(registers.iter().fold(0, |all, register| all << 3 | signs(register)))
    }

    fn map(&self, site: Site, callee: FunctionId) -> Rc<CellMap> {
        self.world.effects.map(&self.world.memory, site, callee)
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

    /// A cell that was there when the procedure was entered has lost its last reference here. Whether it is lost callers know, and they
    /// are asked at once: the procedure may not return.
    fn ask_callers(&mut self, before: &State, after: &State, out: &mut Successors<Configuration>) {
        let is_there = !after.index.has(Referrer::Freed) && !after.index.has(Referrer::Local);
        if is_there && after.index.is_unreferenced() && !before.index.is_unreferenced() {
            self.ask_callers_of(after, out);
        }
    }

    fn ask_callers_of(&mut self, state: &State, out: &mut Successors<Configuration>) {
        if !state.index.has(Referrer::Existed) {
            return;
        }
        let mut index = state.index.clone();
        index.forget_counted();
        index.set(Referrer::Ended, Count::ONE);
        let configuration = self.configuration(&State { index, facts: Facts::default() });
        out.push_at_exit(configuration);
    }

    /// Files what a step noticed.
    fn file(&mut self, step: StepId, fact: Option<FactId>, seed: Option<usize>, notices: Vec<Notice>) {
        for notice in notices {
            match notice {
                Notice::Gap(gap) => {
                    self.gaps.insert((step, gap));
                }
                Notice::Error(kind) => {
                    let known = self.suspicions.entry((kind, step)).or_default();
                    if known.facts.len() < MOST_FACTS {
                        known.facts.extend(fact);
                    }
                    known.seeds.extend(seed);
                }
                Notice::Doubt(kind) => {
                    let known = self.suspicions.entry((kind, step)).or_default();
                    if known.doubts.len() < MOST_FACTS {
                        known.doubts.extend(fact);
                    }
                    // Seeds are few, and have no way that could be doubted here.
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
            if state.index.has(Referrer::Ended) && !state.index.is_out_of_sight(|cell| links(step.memory, cell)) {
                // Somebody holds it.
                continue;
            }
            if state.index.has(Referrer::Existed) && step.procedure.is_endless[ends.to.index()] {
                let is_paired = |cell| step.memory.inverses_with(cell).next().is_some();
                if state.index.is_out_of_sight(is_paired) && !state.index.is_unreferenced() {
                    // Whether callers keep it from being lost they are not asked.
                    step.gap(RegionGap::LostWithoutReturn);
                }
            }
            if state.index.is_unreferenced() && !state.index.has(Referrer::Existed) {
                if !state.index.has(Referrer::Freed) && !state.index.has(Referrer::Local) {
                    step.error(&state, Kind::Leak);
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
}

#[cfg(test)]
impl Tracker<'_> {
    /// What a state says of an expression before an edge, by counts, facts and equalities.
    pub fn decided(
        &self,
        function: FunctionId,
        edge: EdgeId,
        state: &State,
        expression: crate::expressions::ExpressionId,
    ) -> Option<crate::facts::Aim> {
        let procedure = self.world.procedures[function].clone()?;
        let (step, _) = self.step(function, &procedure, edge)?;
        match step.decide_expression(state, expression) {
            crate::transfer::Decision::Hit => Some(crate::facts::Aim::Hit),
            crate::transfer::Decision::Miss => Some(crate::facts::Aim::Miss),
            crate::transfer::Decision::Maybe => None,
        }
    }

    /// What a state becomes on an edge, as it is kept behind it; nothing for calls.
    pub fn after(&self, function: FunctionId, edge: EdgeId, state: State) -> Option<Vec<State>> {
        let procedure = self.world.procedures[function].clone()?;
        let (mut step, ends) = self.step(function, &procedure, edge)?;
        let operation = &procedure.operations[edge];
        if matches!(operation, Operation::Call(_)) {
            return None;
        }
        let mut states = Vec::new();
        step.apply(operation, state, &mut states);
        Some(Tracker::end_step(&mut step, ends, states))
    }
}

/// Where a step leads, and the exit of its procedure.
#[derive(Clone, Copy)]
struct Ends {
    to: LocationId,
    exit: LocationId,
}

impl Analysis for Tracker<'_> {
    type Element = Configuration;
    type Key = (IndexId, Statuses);

    fn key(&self, point: PointId, configuration: &Configuration) -> Option<(IndexId, Statuses)> {
        Some((configuration.index, self.statuses(point, configuration.facts)))
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
        if state.index.has(Referrer::Ended) {
            return;
        }
        let before = state.clone();
        let mut states = Vec::new();
        let mut entered: Vec<(FunctionId, State)> = Vec::new();
        let maps: Vec<Rc<CellMap>> = match &procedure.operations[edge] {
            Operation::Call(call) => {
                let site = Site { function, edge };
                call.callees.iter().map(|callee| self.map(site, *callee)).collect()
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
                            let mut after = self.bypassed(&step, call, map, private, state.clone());
                            if let (Some(target), true) = (call.target, inner.returns_fresh) {
                                step.fresh_fields_miss(&mut after, target);
                            }
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
        // Behind a condition that does not hold the other one goes on.
        let may_end = matches!(procedure.operations[edge], Operation::Stop | Operation::Call(_));
        let has_ended = may_end && states.is_empty() && entered.is_empty() && step.notices.is_empty();
        let kept = Tracker::end_step(&mut step, ends, states);
        let notices = step.notices;
        self.file(at.step(), Some(at.fact()), None, notices);
        for state in &kept {
            let configuration = self.configuration(state);
            out.push(configuration);
            self.ask_callers(&before, state, out);
        }
        if has_ended && before.index.is_out_of_sight(|cell| links(&self.world.memory, cell)) {
            self.ask_callers_of(&before, out);
        }
        for (callee, state) in &entered {
            if let Some(inner) = self.flow.procedure(*callee) {
                let configuration = self.configuration(state);
                let statuses = self.statuses(self.flow.flow.entry(inner), configuration.facts);
                self.entered += 1;
                self.entered_before += u64::from(!self.entries.insert((*callee, configuration.index, statuses)));
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
        let map = self.map(Site { function, edge }, callee);
        let (before, exit) = (self.state(*caller), self.state(*leaving.exit()));
        let private = self.world.private(function, edge);
        let mut state = self.returned(&procedure, call, (&inner, &map), private, &before, &exit);
        let Some((mut step, ends)) = self.step(function, &procedure, edge) else { return };
        if let (Some(target), true) = (call.target, inner.returns_fresh) {
            step.fresh_fields_miss(&mut state, target);
        }
        let mut states = Vec::new();
        if state.index.has(Referrer::Ended) {
            states.push(state);
        } else {
            step.lose_fields(&before, state, (call, callee), &map, &mut states);
        }
        let kept = Tracker::end_step(&mut step, ends, states);
        let notices = step.notices;
        self.file(leaving.step(), Some(leaving.exit_fact()), None, notices);
        for state in &kept {
            if state.index.has(Referrer::Ended) {
                let configuration = self.configuration(state);
                out.push(configuration);
                self.ask_callers_of(state, out);
                continue;
            }
            let configuration = self.configuration(state);
            out.push(configuration);
            self.ask_callers(&before, state, out);
        }
    }
}
