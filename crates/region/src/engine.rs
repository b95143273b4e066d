//! The engine: regions, sites, and what is said about them.

use crate::acyclic::unproved_steps;
use crate::conclusion::Conclusion;
use crate::first_run::FirstRun;
use crate::index::{Count, Referrer};
use crate::memory::Memory;
use crate::sites::{Analysed, Demand, analyse};
use crate::targets::SuitableTargets;
use crate::text;
use crate::world::World;
use heapwise_engine::reason::{Assumption, CallGap, Doing, GapReason, RegionGap};
use heapwise_engine::{
    AllocationFailure, Arrow, ArrowStyle, BudgetMeter, Control, Drawing, Dumps, Elsewhere, Engine, EngineEntry,
    Followed, Gap, InAuto, Invariant, Invariants, Kind, Node, NodeStyle, Options, Outcome, Parts, Setting,
    SettingValues, Start, Stopped, Unbegun, Values,
};
use heapwise_fixpoint::ProgramFlow;
use heapwise_ir::entity::EntityRef;
use heapwise_ir::{Body, CallGraph, Program, Span};
use heapwise_pointsto::{Arithmetic, Entries, Mode};

/// The kinds of error that this engine looks for.
pub const KINDS: [Kind; 4] = [Kind::Leak, Kind::DoubleFree, Kind::UseAfterFree, Kind::InvalidFree];

/// A run with more configurations is not made again.
const MOST_REFINED: usize = 400_000;

/// Each run relies on what the one before it has shown; so often at most.
const MOST_RUNS: u32 = 3;

/// What can be set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Up to where references are counted.
    pub k: u8,
    /// At most so many new configurations for one site.
    pub site_budget: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { k: 2, site_budget: 200_000 }
    }
}

/// The engine `region`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RegionEngine {
    /// What was set.
    pub settings: Settings,
}

impl Engine for RegionEngine {
    fn name(&self) -> &'static str {
        "region"
    }

    fn check(&self, program: &Program, options: &Options, control: &Control) -> Outcome {
        let mut outcome = Outcome::default();
        if options.allocation_failure == AllocationFailure::Never {
            outcome.assumptions.push(Assumption::AllocationSucceeds);
        }
        outcome.assumptions.push(Assumption::OtherErrorsFirst);
        outcome.gaps.extend(
            program.gaps.iter().map(|(span, reason)| Gap { span: *span, reason: GapReason::Text(reason.clone()) }),
        );
        for kind in options.properties.iter().filter(|kind| !KINDS.contains(kind)) {
            let reason = RegionGap::KindNotLookedFor { kind: *kind }.into();
            outcome.gaps.push(Gap { span: Span::NONE, reason });
        }
        if options.start == Start::AnyCaller {
            outcome.gaps.push(Gap { span: Span::NONE, reason: RegionGap::AnyCaller.into() });
        }
        if let Followed::Line(..) = options.followed {
            outcome.gaps.push(Gap { span: Span::NONE, reason: RegionGap::OtherSites.into() });
        }
        let entry = &program.functions[options.entry];
        if let Body::Extern(_) = entry.body {
            let reason = CallGap::EntryWithoutBody { function: entry.name.clone() }.into();
            outcome.gaps.push(Gap { span: entry.span, reason });
            return outcome;
        }
        self.with_analysis(program, options, control, |analysed, flow| {
            let conclusion = Conclusion { program, options, control, analysed, flow };
            conclusion.write(&mut outcome);
        })
        .unwrap_or_else(|unbegun| unbegun.write(&mut outcome));
        outcome.gaps.sort();
        outcome.gaps.dedup();
        outcome
    }
}

impl RegionEngine {
    /// Made from what was given.
    pub fn from_values(values: &SettingValues) -> RegionEngine {
        let settings = Settings { k: values.get(&K), site_budget: values.get(&SITE_BUDGET) };
        RegionEngine { settings }
    }

    /// Analyses and hands over what was found, if the program is not too large to be numbered.
    pub fn with_analysis<T>(
        &self,
        program: &Program,
        options: &Options,
        control: &Control,
        use_it: impl FnOnce(&Analysed<'_>, &ProgramFlow) -> T,
    ) -> Result<T, Unbegun> {
        let asked = heapwise_pointsto::Options {
            mode: Mode::ContextSensitive,
            arithmetic: Arithmetic::WithinObjects,
            entries: Entries::Listed(vec![options.entry]),
        };
        let meter = BudgetMeter::new(control);
        let pointsto = heapwise_pointsto::analyse_while(program, &asked, || meter.check()).map_err(|why| {
            let doing = Doing::Running { engine: "region".to_owned() };
            Unbegun::Stopped(Stopped { why, span: Span::NONE, doing })
        })?;
        let targets = SuitableTargets::of(program, &pointsto);
        let flow = ProgramFlow::tabulated(program, options.entry, &targets);
        let graph = CallGraph::of(program, &targets);
        let memory = Memory::new(program, &pointsto, &graph);
        let most_registers = program.functions.values().map(|function| function.registers.len()).max().unwrap_or(0);
        if !Referrer::fit(most_registers, memory.cells.len()) {
            return Err(Gap { span: Span::NONE, reason: RegionGap::TooLarge.into() }.into());
        }
        let Settings { k, site_budget } = self.settings;
        let demand = Demand { site_budget, followed: options.followed };
        let mut shown = FirstRun::default();
        let mut rounds = 0;
        loop {
            rounds += 1;
            let memory = Memory::new(program, &pointsto, &graph);
            let world = World::new(memory, &graph, k, shown.clone());
            let analysed = analyse(&world, &flow, &graph, demand, control);
            // What holds of all cells is not seen where only some are followed.
            let is_refined = rounds < MOST_RUNS
                && analysed.exhausted.is_none()
                && options.followed == Followed::All
                && analysed.solver.n_facts() < MOST_REFINED
                && (!analysed.solver.analysis.suspicions.is_empty() || !unproved_steps(&analysed, &flow).is_empty());
            let next = if is_refined { FirstRun::of(&analysed, &flow) } else { FirstRun::default() };
            if next.is_empty() || next == shown {
                return Ok(use_it(&analysed, &flow));
            }
            // What one run found holds for all runs, so the next one may rely on it.
            shown = next;
        }
    }
}

/// The configurations at every location, drawn (the graph of the paper's Fig. 5, a row for each location).
fn invariants(values: &SettingValues, program: &Program, options: &Options, control: &Control) -> Invariants {
    let engine = RegionEngine::from_values(values);
    let drawn = engine.with_analysis(program, options, control, |analysed, flow| {
        let mut places = Vec::new();
        let tracker = &analysed.solver.analysis;
        for (point, origin) in &flow.points {
            let function = flow.contexts[origin.context].function;
            let Some(procedure) = &tracker.world.procedures[function] else { continue };
            let mut drawings: Vec<Drawing> = Vec::new();
            for fact in analysed.solver.facts_at(point) {
                let state = tracker.state(*analysed.solver.element_of(fact));
                let title = text::configuration(&tracker.world.memory, procedure, &state);
                if drawings.iter().any(|drawing| drawing.title == title) {
                    continue;
                }
                let style = if state.index.has(Referrer::Freed) { NodeStyle::Dead } else { NodeStyle::Cell };
                let mut drawing = Drawing { title, ..Drawing::default() };
                let known = text::known(&tracker.world.memory, procedure, &state);
                let lines = std::iter::once("tracked".to_owned()).chain(known).collect();
                drawing.nodes.push(Node { lines, style });
                for (referrer, count) in state.index.iter() {
                    let (name, style) = match referrer {
                        Referrer::Register(register) => {
                            (text::register(program, function, register), NodeStyle::Variable)
                        }
                        Referrer::Cell(cell) => {
                            let known = &tracker.world.memory.cells[cell];
                            (format!("{}+{}", known.region, known.offset), NodeStyle::Summary)
                        }
                        Referrer::Outside => ("outside".to_owned(), NodeStyle::Sentinel),
                        Referrer::Local
                        | Referrer::Existed
                        | Referrer::Freed
                        | Referrer::Ended
                        | Referrer::Overwritten
                        | Referrer::Doubtful
                        | Referrer::Counter(_) => {
                            continue;
                        }
                    };
                    drawing.nodes.push(Node { lines: vec![name], style });
                    let label = match count.number() {
                        Some(1) => String::new(),
                        Some(number) => number.to_string(),
                        None => "many".to_owned(),
                    };
                    let style = if count == Count::MANY { ArrowStyle::Segment } else { ArrowStyle::Solid };
                    let from = drawing.nodes.len() - 1;
                    drawing.arrows.push(Arrow { from, from_line: None, to: 0, label, style });
                }
                drawings.push(drawing);
            }
            if drawings.is_empty() {
                continue;
            }
            drawings.sort_by(|left, right| left.title.cmp(&right.title));
            let automaton = program.functions[function].automaton();
            let edges = automaton.and_then(|automaton| {
                automaton.outgoing[origin.location].first().map(|edge| automaton.edges[*edge].span)
            });
            places.push(Invariant {
                function,
                location: origin.location,
                span: edges.unwrap_or(Span::NONE),
                call_string: Vec::new(),
                drawings,
            });
        }
        places.sort_by_key(|place| (place.function.index(), place.location.index()));
        places
    });
    Invariants { places: drawn.unwrap_or_default(), notes: Vec::new() }
}

/// Up to where references are counted.
pub static K: Setting<u8> = Setting {
    name: "k",
    help: "Engine region: references from one region are counted up to this number",
    values: Values::Parsed {
        placeholder: "NUMBER",
        expected: "a number from 1 to 14",
        default: "2",
        parse: |text| text.parse().ok().filter(|k| (1..=Count::MAX_K).contains(k)),
    },
    elsewhere: Elsewhere::Lacking("counts of references"),
};

/// How far one site is followed.
pub static SITE_BUDGET: Setting<u64> = Setting {
    name: "site-budget",
    help: "Engine region: one allocation site is followed for this many configurations",
    values: Values::Parsed {
        placeholder: "NUMBER",
        expected: "a whole number",
        default: "200000",
        parse: |text| text.parse().ok(),
    },
    elsewhere: Elsewhere::Lacking("allocation sites to follow"),
};

/// How the engine presents itself.
pub static ENTRY: EngineEntry = EngineEntry {
    name: "region",
    help: "one heap cell at a time, by counts of references from regions: leaks and dangling pointers in large programs",
    auto: InAuto::ByNameOnly,
    settings: &[&K, &SITE_BUDGET],
    make: |values| Box::new(RegionEngine::from_values(values)),
    dumps: Dumps { program: None, invariants: Some(invariants) },
    parts: Parts::Libraries,
};
