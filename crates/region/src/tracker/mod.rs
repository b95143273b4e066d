//! The analysis on the fixpoint core: an element is a configuration, its key the index (Hackett and Rugina, Figs 8, 9, 13–15).

use crate::effects::CellMap;
use crate::facts::{FactSets, FactsId};
use crate::index::{IndexId, Indices, Referrer};
use crate::procedure::{Operation, Procedure};
use crate::transfer::{Notice, State, Step};
use crate::world::World;
use heapwise_engine::Kind;
use heapwise_engine::reason::RegionGap;
use heapwise_fixpoint::{Analysis, At, FactId, Leaving, Origin, PointId, ProgramFlow, StepId, StepOrigin, Successors};
use heapwise_ir::{EdgeId, FunctionId, LocationId};
use heapwise_pointsto::Site;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
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
            if state.index.is_unreferenced() && !state.index.has(Referrer::Existed) {
                if !state.index.has(Referrer::Freed) && !state.index.has(Referrer::Local) {
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
