//! The engine: regions, sites, and what is said about them.

use crate::acyclic::unproved_steps;
use crate::first_run::FirstRun;
use crate::index::{Count, Referrer};
use crate::memory::Memory;
use crate::procedure::{Operation, UnknownCall};
use crate::sites::{Analysed, Coverage, Demand, SiteReport, analyse};
use crate::text;
use crate::tracker::Suspicion;
use crate::world::World;
use heapwise_confirm::{Confirmer, EdgePath, Effort, possible};
use heapwise_engine::reason::{Assumption, CallGap, Doing, GapReason, Note, RegionGap};
use heapwise_engine::{
    AllocationFailure, AlsoAt, Arrow, ArrowStyle, BudgetMeter, Certainty, Control, Drawing, Dumps, Elsewhere, Engine,
    EngineEntry, Exhausted, Finding, Followed, Gap, InAuto, Invariant, Invariants, Kind, Node, NodeStyle, Options,
    Outcome, Parts, Setting, SettingValues, SiteCoverage, SiteExtent, Start, Statement, Stats, Stopped, Subject,
    TraceStep, Unbegun, Values,
};
use heapwise_fixpoint::{FactId, ProgramFlow, StepId, TraceKind};
use heapwise_ir::entity::EntityRef;
use heapwise_ir::{Body, CallGraph, EdgeId, FunctionId, Instruction, Operand, Program, ResultStorage, Span};
use heapwise_pointsto::{Arithmetic, Entries, Mode, Object, PointsTo};

/// The kinds of error that this engine looks for.
pub const KINDS: [Kind; 4] = [Kind::Leak, Kind::DoubleFree, Kind::UseAfterFree, Kind::InvalidFree];

/// A run with more configurations is not made again.
const MOST_REFINED: usize = 400_000;

/// So many suspicions are tried in `interp`.
const MOST_CONFIRMED: usize = 24;

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
        Settings { k: 2, site_budget: 20_000 }
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
        let flow = ProgramFlow::tabulated(program, options.entry, &pointsto);
        let graph = CallGraph::of(program, &pointsto);
        let memory = Memory::new(program, &pointsto, &graph);
        let most_registers = program.functions.values().map(|function| function.registers.len()).max().unwrap_or(0);
        if !Referrer::fit(most_registers, memory.cells.len()) {
            return Err(Gap { span: Span::NONE, reason: RegionGap::TooLarge.into() }.into());
        }
        let Settings { k, site_budget } = self.settings;
        let demand = Demand { site_budget, followed: options.followed };
        let world = World::new(memory, &graph, k, FirstRun::default());
        let first = analyse(&world, &flow, &graph, demand, control);
        // What holds of all cells is not seen where only some are followed.
        let is_refined = first.exhausted.is_none()
            && options.followed == Followed::All
            && first.solver.n_facts() < MOST_REFINED
            && (!first.solver.analysis.suspicions.is_empty() || !unproved_steps(&first, &flow).is_empty());
        let shown = if is_refined { FirstRun::of(&first, &flow) } else { FirstRun::default() };
        if shown.is_empty() {
            return Ok(use_it(&first, &flow));
        }
        // What the first run found holds for all runs, so the second one may rely on it.
        let memory = Memory::new(program, &pointsto, &graph);
        let world = World::new(memory, &graph, k, shown);
        let second = analyse(&world, &flow, &graph, demand, control);
        Ok(use_it(&second, &flow))
    }
}

struct Conclusion<'c, 'w> {
    program: &'c Program,
    options: &'c Options,
    control: &'c Control,
    analysed: &'c Analysed<'w>,
    flow: &'c ProgramFlow,
}

impl Conclusion<'_, '_> {
    fn write(&self, outcome: &mut Outcome) {
        let analysed = self.analysed;
        outcome.stats = Stats {
            elements: analysed.solver.n_facts() as u64,
            locations: self.flow.points.keys().filter(|point| analysed.solver.facts_at(*point).next().is_some()).count()
                as u64,
        };
        outcome.reached = self.flow.contexts.values().map(|context| context.function).collect();
        outcome.reached.sort_unstable();
        let complete = analysed.sites.iter().filter(|site| site.coverage == Coverage::Complete).count();
        outcome.notes.push(Note::Sites {
            sites: analysed.sites.len(),
            complete,
            configurations: outcome.stats.elements,
            reused: analysed.reused,
        });
        if let Some(why) = analysed.exhausted {
            let doing = Doing::Running { engine: "region".to_owned() };
            outcome.stopped = Some(Stopped { why, span: Span::NONE, doing });
        }
        outcome.sites = analysed
            .sites
            .iter()
            .map(|site| SiteCoverage {
                site: Statement { function: site.function, span: site.span },
                extent: match site.coverage {
                    Coverage::Complete => SiteExtent::Full,
                    Coverage::Cut => SiteExtent::Cut(Exhausted::Elements),
                },
            })
            .collect();
        outcome.sites.sort_by_key(|site| site.site.span);
        self.gaps(outcome);
        self.suspicions(outcome);
        for finding in &mut outcome.findings {
            finding.also.sort_by_key(|also| also.at.span);
        }
        // A short way is more likely to be a real one.
        outcome.findings.sort_by_key(|finding| match finding.certainty {
            Certainty::Confirmed => (finding.certainty, 0, finding.span, finding.kind),
            Certainty::Possible => (finding.certainty, finding.trace.len(), finding.span, finding.kind),
        });
    }

    fn span(&self, step: StepId) -> Span {
        self.edge(step).map_or(Span::NONE, |(_, _, span)| span)
    }

    fn edge(&self, step: StepId) -> Option<(FunctionId, EdgeId, Span)> {
        let (function, edge) = self.analysed.solver.analysis.edge(step)?;
        Some((function, edge, self.program.functions[function].automaton()?.edges[edge].span))
    }

    fn gaps(&self, outcome: &mut Outcome) {
        let tracker = &self.analysed.solver.analysis;
        let gap = |span: Span, reason: RegionGap| Gap { span, reason: reason.into() };
        for (step, reason) in &tracker.gaps {
            outcome.gaps.push(gap(self.span(*step), *reason));
        }
        let memory = &tracker.world.memory;
        for site in self.analysed.sites.iter().filter(|site| site.wrapper.is_none()) {
            let Some(automaton) = self.program.functions[site.function].automaton() else { continue };
            if let Instruction::Alloc { target, .. } = &automaton.edges[site.edge].instruction {
                let value = memory.operand(site.function, Operand::Register(*target));
                if value.region.is_some_and(|region| memory.pointsto.regions[region].escaped) {
                    outcome.gaps.push(gap(site.span, RegionGap::Escapes));
                }
            }
        }
        if self.options.asks_for(Kind::Leak) && self.options.followed == Followed::All {
            for step in unproved_steps(self.analysed, self.flow) {
                outcome.gaps.push(gap(self.span(step), RegionGap::Cycle));
            }
        }
        for context in self.flow.contexts.values() {
            self.gaps_of_text(context.function, outcome);
        }
    }

    /// What the instructions themselves say, whatever the configurations.
    fn gaps_of_text(&self, function: FunctionId, outcome: &mut Outcome) {
        let tracker = &self.analysed.solver.analysis;
        let (Some(procedure), Some(automaton)) =
            (&tracker.world.procedures[function], self.program.functions[function].automaton())
        else {
            return;
        };
        for (edge, operation) in &procedure.operations {
            let found = &automaton.edges[edge];
            match (operation, &found.instruction) {
                (Operation::Unsupported, Instruction::Unsupported(reason)) => {
                    outcome.gaps.push(Gap { span: found.span, reason: GapReason::Text(reason.clone()) });
                }
                (Operation::Call(call), _)
                    if call.externs.iter().any(|called| self.ends_with_argument(called.function)) =>
                {
                    outcome.gaps.push(Gap { span: found.span, reason: RegionGap::LibraryStorage.into() });
                }
                (Operation::Call(call), _) => match call.unknown {
                    Some(UnknownCall::WithoutModel(callee)) => {
                        let reason = CallGap::of_extern(&self.program.functions[callee]).into();
                        outcome.gaps.push(Gap { span: found.span, reason });
                    }
                    Some(UnknownCall::Pointer) => {
                        outcome.gaps.push(Gap { span: found.span, reason: CallGap::UnknownTarget.into() });
                    }
                    None => {}
                },
                (Operation::Free { pointer, .. }, _) if self.options.asks_for(Kind::InvalidFree) => {
                    match freed(&tracker.world.memory, function, Operand::Register(*pointer)) {
                        Freed::Start => {}
                        Freed::Unclear => {
                            outcome.gaps.push(Gap { span: found.span, reason: RegionGap::FreedObject.into() });
                        }
                        Freed::Wrong => {
                            let message = "what is freed is not the start of a heap cell".to_owned();
                            let guide = [(function, edge)];
                            self.report(
                                Kind::InvalidFree,
                                (function, found.span),
                                message,
                                &[],
                                &guide,
                                Subject::default(),
                                outcome,
                            );
                        }
                    }
                }
                (_, Instruction::Free { pointer: pointer @ (Operand::Global(_) | Operand::Function(_)) })
                    if freed(&tracker.world.memory, function, *pointer) != Freed::Start =>
                {
                    let message = "what is freed is no heap cell".to_owned();
                    let guide = [(function, edge)];
                    let at = (function, found.span);
                    self.report(Kind::InvalidFree, at, message, &[], &guide, Subject::default(), outcome);
                }
                _ => {}
            }
        }
    }

    /// Whether a function hands out storage of the library that ends with one of its arguments (`readdir`).
    fn ends_with_argument(&self, function: FunctionId) -> bool {
        match &self.program.functions[function].body {
            Body::Extern(effects) => matches!(effects.storage, Some(ResultStorage::OfArgument(_))),
            Body::Defined(_) => false,
        }
    }

    fn suspicions(&self, outcome: &mut Outcome) {
        let tracker = &self.analysed.solver.analysis;
        for ((kind, step), suspicion) in &tracker.suspicions {
            if !self.options.asks_for(*kind) {
                continue;
            }
            let Some((function, edge, span)) = self.edge(*step) else { continue };
            // One for each site.
            let mut told: Vec<Option<usize>> = Vec::new();
            for way in self.ways(suspicion) {
                if told.contains(&way.site) || !self.is_asked_for(way.site) {
                    continue;
                }
                told.push(way.site);
                let site = way.site.map(|site| &self.analysed.sites[site]);
                let message = self.message(*kind, site);
                let mut guide: Vec<(FunctionId, EdgeId)> = way.edges.clone();
                guide.push((function, edge));
                let mut trace = site.map_or(Vec::new(), |site| vec![self.made(site)]);
                trace.extend(way.lines);
                let about = Subject {
                    made: site.map(|site| Statement { function: site.function, span: site.span }),
                    gone: way.freed,
                };
                self.report(*kind, (function, span), message, &trace, &guide, about, outcome);
            }
        }
    }

    /// Whether the cells of a site were asked for: they are made on the line, or by functions that are called there.
    fn is_asked_for(&self, site: Option<usize>) -> bool {
        let Followed::Line(file, line) = self.options.followed else { return true };
        let is_there = |span: Span| (span.file, span.line) == (Some(file), line);
        let Some(site) = site.map(|site| &self.analysed.sites[site]) else { return false };
        is_there(site.span) || site.wrapper.is_some() && !self.analysed.is_call_asked_for
    }

    fn made(&self, site: &SiteReport) -> TraceStep {
        let message = match site.wrapper {
            Some(wrapper) => format!("`{}` makes the cell", self.program.functions[wrapper].name),
            None => "the cell is allocated".to_owned(),
        };
        TraceStep { span: site.span, function: site.function, message, heap: None }
    }

    fn message(&self, kind: Kind, site: Option<&SiteReport>) -> String {
        let cell = match site {
            Some(site) if site.span.line > 0 => match site.wrapper {
                Some(wrapper) => {
                    let name = &self.program.functions[wrapper].name;
                    format!("the heap cell that `{name}` made at line {}", site.span.line)
                }
                None => format!("the heap cell allocated at line {}", site.span.line),
            },
            _ => "a heap cell".to_owned(),
        };
        match kind {
            Kind::Leak => format!("{cell} is lost: nothing points to it any more"),
            Kind::DoubleFree => format!("{cell} is freed again"),
            Kind::UseAfterFree => format!("{cell} is accessed after it was freed"),
            _ => format!("{cell}: {}", kind.name()),
        }
    }

    fn ways(&self, suspicion: &Suspicion) -> Vec<ErrorPath> {
        let at_once = suspicion.seeds.iter().map(|site| ErrorPath { site: Some(*site), ..ErrorPath::default() });
        at_once.chain(suspicion.facts.iter().map(|fact| self.way(*fact))).collect()
    }

    /// From the allocation to a fact, one line for each step that changes the index.
    fn way(&self, fact: FactId) -> ErrorPath {
        let solver = &self.analysed.solver;
        let mut way = ErrorPath::default();
        let mut before = None;
        for line in solver.trace(fact) {
            let after = solver.analysis.state(*solver.element_of(line.fact));
            match line.kind {
                TraceKind::Start => way.site = self.analysed.site_of.get(&line.fact).copied().or(way.site),
                TraceKind::Step(step) => {
                    if let (Some((function, edge, span)), Some(before)) = (self.edge(step), &before) {
                        let automaton = self.program.functions[function].automaton();
                        let instruction = automaton.map(|automaton| &automaton.edges[edge].instruction);
                        if let Some(instruction) = instruction {
                            if !matches!(instruction, Instruction::Call { .. }) {
                                way.edges.push((function, edge));
                            }
                            if let Some(message) = text::step(self.program, function, instruction, before, &after) {
                                way.lines.push(TraceStep { span, function, message, heap: None });
                            }
                        }
                        if !before.index.has(Referrer::Freed) && after.index.has(Referrer::Freed) {
                            way.freed = Some(Statement { function, span });
                        }
                    }
                }
                TraceKind::Enter(step) | TraceKind::Leave(step) => {
                    if let Some((function, _, span)) = self.edge(step) {
                        let entered = matches!(line.kind, TraceKind::Enter(_));
                        let message = if entered { "a function is called" } else { "it returns" };
                        way.lines.push(TraceStep { span, function, message: message.to_owned(), heap: None });
                    }
                }
            }
            before = Some(after);
        }
        way
    }

    #[allow(clippy::too_many_arguments, reason = "what a finding is made of")]
    fn report(
        &self,
        kind: Kind,
        (function, span): (FunctionId, Span),
        message: String,
        trace: &[TraceStep],
        guide: &[(FunctionId, EdgeId)],
        about: Subject,
        outcome: &mut Outcome,
    ) {
        let is_here = |finding: &Finding| (finding.kind, finding.span, finding.function) == (kind, span, function);
        let is_known = |finding: &Finding| {
            is_here(finding)
                && (finding.certainty == Certainty::Confirmed
                    || finding.about.made.map(|made| made.span) == about.made.map(|made| made.span))
        };
        if outcome.findings.iter().any(is_known) {
            return;
        }
        let mut trace = trace.to_vec();
        trace.push(TraceStep { span, function, message: message.clone(), heap: None });
        let finding = Finding { about, ..possible(kind, Statement { function, span }, message, trace) };
        let suspected = Suspected { finding };
        // A caller that was made for a library does not know what is freed: its runs show nothing. A run may also show an
        // error of a cell that was not asked for.
        let is_confirmable = self.options.start == Start::Function && self.options.followed == Followed::All;
        if outcome.findings.len() < MOST_CONFIRMED && is_confirmable {
            let confirmer = Confirmer { program: self.program, options: self.options, control: self.control };
            let path = EdgePath::new(self.program, guide.iter().copied());
            if let Some(found) = confirmer.along(&suspected, &path, Effort::Search) {
                // What a run shows stands for what is suspected there of other sites.
                outcome.findings.retain(|finding| !is_here(finding));
                heapwise_confirm::add(&mut outcome.findings, found);
                return;
            }
        }
        // What is lost at many places is one finding, which names the others.
        let is_same = |finding: &Finding| {
            kind == Kind::Leak
                && finding.kind == kind
                && finding.certainty == Certainty::Possible
                && finding.about.made.is_some()
                && finding.about.made == about.made
        };
        match outcome.findings.iter_mut().find(|finding| is_same(finding)) {
            Some(finding) => {
                let at = Statement { function, span };
                finding.also.push(AlsoAt { kind, certainty: Certainty::Possible, at });
            }
            None => outcome.findings.push(suspected.finding),
        }
    }
}

/// An error that is not excluded, as a possible finding.
struct Suspected {
    finding: Finding,
}

impl heapwise_confirm::Suspicion for Suspected {
    fn kind(&self) -> Kind {
        self.finding.kind
    }

    fn at(&self) -> Statement {
        Statement { function: self.finding.function, span: self.finding.span }
    }

    fn possible(&self) -> Finding {
        self.finding.clone()
    }
}

/// One way to an error.
#[derive(Default)]
struct ErrorPath {
    site: Option<usize>,
    lines: Vec<TraceStep>,
    edges: Vec<(FunctionId, EdgeId)>,
    freed: Option<Statement>,
}

/// What a pointer that is freed points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Freed {
    /// The start of a heap cell, or nothing.
    Start,
    /// Surely something else.
    Wrong,
    /// Perhaps.
    Unclear,
}

fn freed(memory: &Memory<'_>, function: FunctionId, pointer: Operand) -> Freed {
    let value = memory.operand(function, pointer);
    if value.unknown {
        return Freed::Unclear;
    }
    let Some(region) = value.region else { return Freed::Start };
    let pointsto: &PointsTo = memory.pointsto;
    let objects = pointsto.objects(region);
    let is_heap = |object: &Object| matches!(object, Object::Heap(_));
    if !objects.iter().any(|(object, _)| is_heap(object)) {
        return if objects.is_empty() { Freed::Unclear } else { Freed::Wrong };
    }
    match value.offsets.exact() {
        Some(at) if objects.iter().all(|(object, start)| is_heap(object) && *start == at) => Freed::Start,
        Some(at) if objects.iter().all(|(object, start)| is_heap(object) && *start != at) => Freed::Wrong,
        _ => Freed::Unclear,
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
                        Referrer::Local | Referrer::Existed | Referrer::Freed => continue,
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
        default: "20000",
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
