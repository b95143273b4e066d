//! Sites of allocation, followed one after the other (Hackett and Rugina, section 5.4.1).
//!
//! A site is an allocation, or a call of a function that hands out a cell it made: a wrapper of an allocator is found by what
//! its own cells are at its exit. Functions are taken callees first. What one site found is reused by the next; what was cut
//! is open, and whoever arrives there is not fully analysed either.

use crate::facts::About;
use crate::index::{Count, Referrer};
use crate::memory::Memory;
use crate::procedure::Operation;
use crate::tracker::{Configuration, Tracker};
use crate::transfer::State;
use crate::world::World;
use heapwise_engine::{Budget, Control, Exhausted, Followed};
use heapwise_fixpoint::{Completeness, Ended, FactId, Origin, ProgramFlow, Solver, StepId};
use heapwise_ir::entity::SecondaryMap;
use heapwise_ir::{CallGraph, EdgeId, FunctionId, InitialContents, Instruction, Operand, Span, Storage};
use heapwise_pointsto::{Holder, Object, RegionId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Whether a site was followed to the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// All that becomes of its cells was found.
    Complete,
    /// Its budget was used up, or it led to where another site was cut.
    Cut,
}

/// A site.
#[derive(Clone, Debug)]
pub struct SiteReport {
    /// In which function.
    pub function: FunctionId,
    /// The allocation or call.
    pub edge: EdgeId,
    /// The step of it.
    pub step: StepId,
    /// Its text.
    pub span: Span,
    /// The function that is called and hands out its cell.
    pub wrapper: Option<FunctionId>,
    /// How far it was followed.
    pub coverage: Coverage,
    /// Where its cells start.
    pub seeds: Vec<FactId>,
}

/// What the analysis found.
pub struct Analysed<'w> {
    /// All configurations.
    pub solver: Solver<'w, Tracker<'w>>,
    /// All sites, callees first.
    pub sites: Vec<SiteReport>,
    /// The site of each seed.
    pub site_of: FxHashMap<FactId, usize>,
    /// What of the whole budget ran out.
    pub exhausted: Option<Exhausted>,
    /// Seeds whose configuration was known.
    pub reused: u64,
    /// Whether cells were asked for that functions make which are called on a line.
    pub is_call_asked_for: bool,
}

/// Which sites are followed, and how far.
#[derive(Clone, Copy, Debug)]
pub struct Demand {
    /// At most so many new configurations for one site.
    pub site_budget: u64,
    /// Whose cells are followed.
    pub followed: Followed,
}

/// Follows all sites in the functions of the flow.
pub fn analyse<'w>(
    world: &'w World<'w>,
    flow: &'w ProgramFlow,
    graph: &CallGraph,
    demand: Demand,
    control: &Control,
) -> Analysed<'w> {
    let mut steps: FxHashMap<(FunctionId, EdgeId), StepId> = FxHashMap::default();
    let tracker = Tracker::new(world, flow);
    for step in flow.steps.keys() {
        if let Some(place) = tracker.edge(step) {
            steps.insert(place, step);
        }
    }
    let outliving = outliving_locals(&world.memory);
    let asked = AskedFor::new(world, graph, demand.followed);
    let mut run = Run {
        outliving,
        found: Analysed {
            solver: Solver::new(&flow.flow, tracker),
            sites: Vec::new(),
            site_of: FxHashMap::default(),
            exhausted: None,
            reused: 0,
            is_call_asked_for: false,
        },
        world,
        flow,
        demand,
        steps,
        exports: SecondaryMap::new(),
        known: FxHashMap::default(),
        asked,
    };
    run.found.is_call_asked_for = run.asked.as_ref().is_some_and(|asked| !asked.calls.is_empty());
    run.announce_calls();
    for component in &graph.components {
        run.component(component, control);
        if run.found.exhausted.is_some() {
            break;
        }
    }
    run.found
}

struct Run<'w> {
    /// Locals to whose storage a pointer may be left when it ends.
    outliving: FxHashSet<(FunctionId, EdgeId)>,
    found: Analysed<'w>,
    world: &'w World<'w>,
    flow: &'w ProgramFlow,
    demand: Demand,
    steps: FxHashMap<(FunctionId, EdgeId), StepId>,
    /// What cells that a function made are at its exit.
    exports: SecondaryMap<FunctionId, Vec<Configuration>>,
    /// The site of an edge and a wrapper.
    known: FxHashMap<(StepId, Option<FunctionId>), usize>,
    /// Which cells are followed; none: all.
    asked: Option<AskedFor>,
}

/// The cells of one line.
struct AskedFor {
    /// The calls on the line that hand out cells.
    calls: FxHashSet<(FunctionId, EdgeId)>,
    /// The allocations on it.
    allocations: FxHashSet<(FunctionId, EdgeId)>,
    /// The functions that are called there, and those that they call.
    below: FxHashSet<FunctionId>,
}

impl AskedFor {
    fn new(world: &World<'_>, graph: &CallGraph, followed: Followed) -> Option<AskedFor> {
        let Followed::Line(file, line) = followed else { return None };
        let mut asked =
            AskedFor { calls: FxHashSet::default(), allocations: FxHashSet::default(), below: FxHashSet::default() };
        let mut pending = Vec::new();
        for function in graph.components.iter().flatten() {
            let (Some(procedure), Some(automaton)) =
                (&world.procedures[*function], world.memory.program.functions[*function].automaton())
            else {
                continue;
            };
            for (edge, operation) in &procedure.operations {
                let span = automaton.edges[edge].span;
                match operation {
                    _ if (span.file, span.line) != (Some(file), line) => {}
                    Operation::Alloc { storage: Storage::Heap, .. } => {
                        asked.allocations.insert((*function, edge));
                    }
                    Operation::Call(call) if !call.callees.is_empty() => {
                        asked.calls.insert((*function, edge));
                        pending.extend(call.callees.iter().copied());
                    }
                    _ => {}
                }
            }
        }
        while let Some(function) = pending.pop() {
            if !asked.below.insert(function) {
                continue;
            }
            let Some(procedure) = &world.procedures[function] else { continue };
            for operation in procedure.operations.values() {
                if let Operation::Call(call) = operation {
                    pending.extend(call.callees.iter().copied());
                }
            }
        }
        Some(asked)
    }

    /// Whether cells of an allocation matter.
    fn has_allocation(&self, function: FunctionId, edge: EdgeId) -> bool {
        self.allocations.contains(&(function, edge)) || self.below.contains(&function)
    }

    /// Whether cells that a call hands out matter.
    fn has_call(&self, function: FunctionId, edge: EdgeId) -> bool {
        self.calls.is_empty() || self.calls.contains(&(function, edge)) || self.below.contains(&function)
    }
}

impl Run<'_> {
    /// All calls are known before the first slice, so that what is complete stays so.
    fn announce_calls(&mut self) {
        for function in self.world.memory.program.functions.keys() {
            let Some(procedure) = self.world.procedures[function].clone() else { continue };
            for (edge, operation) in &procedure.operations {
                let (Operation::Call(call), Some(step)) = (operation, self.steps.get(&(function, edge)).copied())
                else {
                    continue;
                };
                for callee in &call.callees {
                    if let Some(inner) = self.flow.procedure(*callee) {
                        self.found.solver.add_call(step, inner);
                    }
                }
            }
        }
    }

    /// Functions that call each other: until what they hand out is all known.
    fn component(&mut self, functions: &[FunctionId], control: &Control) {
        loop {
            let mut changed = false;
            for function in functions {
                if self.flow.procedure(*function).is_none() {
                    continue;
                }
                self.function(*function, control);
                if self.found.exhausted.is_some() {
                    return;
                }
                let exports = self.exits(*function);
                changed |= exports != self.exports[*function];
                self.exports[*function] = exports;
            }
            if !changed || (functions.len() == 1 && !self.calls_itself(functions[0])) {
                return;
            }
        }
    }

    fn calls_itself(&self, function: FunctionId) -> bool {
        self.world.procedures[function].as_ref().is_some_and(|procedure| {
            procedure.operations.values().any(|operation| match operation {
                Operation::Call(call) => call.callees.contains(&function),
                _ => false,
            })
        })
    }

    /// What cells that the function made are at its exit, as far as callers can see them.
    fn exits(&self, function: FunctionId) -> Vec<Configuration> {
        let Some(procedure) = self.flow.procedure(function) else { return Vec::new() };
        let exit = self.flow.flow.exit(procedure);
        let solver = &self.found.solver;
        let fresh = solver.facts_at(exit).filter(|fact| solver.origin(solver.entry_of(*fact)) == Origin::Fresh);
        fresh.map(|fact| *solver.element_of(fact)).collect()
    }

    fn function(&mut self, function: FunctionId, control: &Control) {
        let Some(procedure) = self.world.procedures[function].clone() else { return };
        let Some(automaton) = self.world.memory.program.functions[function].automaton() else { return };
        for (edge, operation) in &procedure.operations {
            let Some(step) = self.steps.get(&(function, edge)).copied() else { continue };
            let from = automaton.edges[edge].from;
            // Where no run comes nothing is made.
            let Some(numbers) = self.world.numbers(function, from) else { continue };
            match operation {
                Operation::Alloc { target, storage, contents } => {
                    if *storage == Storage::Auto && !self.outliving.contains(&(function, edge)) {
                        continue;
                    }
                    if self.asked.as_ref().is_some_and(|asked| !asked.has_allocation(function, edge)) {
                        continue;
                    }
                    let mut state = State { facts: numbers.0.clone(), ..State::default() };
                    for (parameter, number) in procedure.given(from, &numbers.0) {
                        state.facts.set_given(parameter, number);
                    }
                    state.facts.forget(About::Register(*target));
                    state.facts.set_leaf(0);
                    state.facts.set_visible();
                    let made = self.world.memory.operand(function, Operand::Register(*target));
                    if let Some(region) = made.region {
                        // Its links hold nothing yet.
                        let memory = &self.world.memory;
                        memory.inverses_of(region).iter().for_each(|inverse| state.facts.set_inverse(*inverse));
                        memory.paired_links(region).for_each(|link| state.facts.learn(About::Apart(link)));
                    }
                    if let (Some(region), InitialContents::Zeroed) = (made.region, contents) {
                        let counters = self.world.memory.counters.of_region(region);
                        counters.iter().for_each(|cell| state.index.set_counted(*cell, Some(0)));
                    }
                    state.index.set(Referrer::Register(*target), Count::ONE);
                    if *storage == Storage::Auto {
                        state.index.set(Referrer::Local, Count::ONE);
                    }
                    self.site((function, edge, step), None, vec![state], control);
                }
                Operation::Call(call) => {
                    if self.asked.as_ref().is_some_and(|asked| !asked.has_call(function, edge)) {
                        continue;
                    }
                    for callee in &call.callees {
                        let exports = self.exports[*callee].clone();
                        if exports.is_empty() {
                            continue;
                        }
                        let mut states = Vec::new();
                        for export in exports {
                            let exit = self.found.solver.analysis.state(export);
                            let tracker = &mut self.found.solver.analysis;
                            if let Some(mut state) = tracker.handed_out(function, edge, *callee, &exit) {
                                for (register, number) in numbers.0.numbers() {
                                    if call.target != Some(register) {
                                        let both = number.meet(state.facts.number(register));
                                        state.facts.set_number(register, both);
                                    }
                                }
                                for (parameter, number) in procedure.given(from, &numbers.0) {
                                    state.facts.set_given(parameter, number);
                                }
                                let is_seen = !state.index.is_unreferenced() || exit.index.has_result();
                                if is_seen && !states.contains(&state) {
                                    states.push(state);
                                }
                            }
                        }
                        if !states.is_empty() {
                            self.site((function, edge, step), Some(*callee), states, control);
                        }
                    }
                }
                _ => {}
            }
            if self.found.exhausted.is_some() {
                return;
            }
        }
    }

    fn site(
        &mut self,
        (function, edge, step): (FunctionId, EdgeId, StepId),
        wrapper: Option<FunctionId>,
        states: Vec<State>,
        control: &Control,
    ) {
        let Some(automaton) = self.world.memory.program.functions[function].automaton() else { return };
        let span = automaton.edges[edge].span;
        let number = *self.known.entry((step, wrapper)).or_insert_with(|| {
            self.found.sites.push(SiteReport {
                function,
                edge,
                step,
                span,
                wrapper,
                coverage: Coverage::Complete,
                seeds: Vec::new(),
            });
            self.found.sites.len() - 1
        });
        let to = self.flow.flow.step(step).to;
        let mut seeds = Vec::new();
        for state in states {
            let kept = self.found.solver.analysis.born(step, function, edge, state, number);
            for state in kept {
                let configuration = self.found.solver.analysis.configuration(&state);
                let before = self.found.solver.n_facts();
                let fact = self.found.solver.seed(to, Origin::Fresh, configuration);
                if self.found.solver.n_facts() == before {
                    self.found.reused += 1;
                }
                self.found.site_of.entry(fact).or_insert(number);
                seeds.push(fact);
            }
        }
        let slice = Budget { elements: Some(self.demand.site_budget), ..Budget::default() };
        // All that waits in a slice is this site's: one that was cut, or came to what an earlier one left open, is not complete,
        // whichever of its facts are known to be.
        let is_whole = match self.found.solver.run_slice(control, slice) {
            Ok(Ended::Complete) => true,
            Ok(Ended::AtOpen | Ended::Cut(_)) => false,
            Err(exhausted) => {
                self.found.exhausted = Some(exhausted);
                false
            }
        };
        let is_open = |seed: &FactId| self.found.solver.completeness(*seed) == Completeness::Open;
        let is_cut = !is_whole || seeds.iter().any(is_open);
        let site = &mut self.found.sites[number];
        site.coverage = if is_cut { Coverage::Cut } else { Coverage::Complete };
        for seed in seeds {
            if !site.seeds.contains(&seed) {
                site.seeds.push(seed);
            }
        }
    }
}

/// Locals whose address is in memory, or in another register of their function than the one that was made for it: pointers to them
/// may be used after their storage ended. Registers of callees do not last longer than the call.
fn outliving_locals(memory: &Memory<'_>) -> FxHashSet<(FunctionId, EdgeId)> {
    let pointsto = memory.pointsto;
    let holders = pointsto.holders();
    let mut callees: FxHashMap<RegionId, Vec<RegionId>> = FxHashMap::default();
    for map in pointsto.maps.values() {
        for (callee, (caller, _)) in &map.regions {
            callees.entry(*caller).or_default().push(*callee);
        }
    }
    let mut found = FxHashSet::default();
    for (id, region) in &pointsto.regions {
        for (object, _) in &region.objects {
            let Object::Local(site) = object else { continue };
            let Some(Instruction::Alloc { target, .. }) = site.instruction(memory.program) else { continue };
            let own = Holder::Register(site.function, *target);
            let mut is_kept = holders[id].iter().any(|holder| *holder != own);
            let mut seen = FxHashSet::default();
            let mut pending = vec![id];
            while let Some(at) = pending.pop() {
                for callee in callees.get(&at).into_iter().flatten() {
                    if seen.insert(*callee) {
                        let in_memory = |holder: &Holder| !matches!(holder, Holder::Register(..));
                        is_kept |= holders[*callee].iter().any(in_memory);
                        pending.push(*callee);
                    }
                }
            }
            if is_kept {
                found.insert((site.function, site.edge));
            }
        }
    }
    found
}
