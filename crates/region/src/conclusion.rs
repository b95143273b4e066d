//! What is said about a program that was analysed: findings with their ways, gaps, how far each site was followed.

use crate::acyclic::unproved_steps;
use crate::index::Referrer;
use crate::integers::Numbers;
use crate::memory::Memory;
use crate::procedure::{Operation, UnknownCall};
use crate::sites::{Analysed, Coverage, SiteReport};
use crate::text;
use crate::tracker::Suspicion;
use heapwise_confirm::{Confirmer, EdgePath, Effort, possible};
use heapwise_engine::reason::{CallGap, Doing, GapReason, Note, RegionGap};
use heapwise_engine::{
    AlsoAt, BudgetMeter, Certainty, Control, Exhausted, Finding, Followed, Gap, Kind, Options, Outcome, SiteCoverage,
    SiteExtent, Start, Statement, Stats, Stopped, Subject, TraceStep,
};
use heapwise_fixpoint::{FactId, ProgramFlow, StepId, TraceKind};
use heapwise_ir::format::{ScanConversion, Scanned, scan_conversions};
use heapwise_ir::{
    Body, EdgeId, Format, FormatLanguage, FunctionId, Initializer, Instruction, Mutability, Operand, Program,
    ResultStorage, Span, Termination,
};
use heapwise_pointsto::{Object, PointsTo};

/// So many suspicions are tried in `interp`.
const MOST_CONFIRMED: usize = 24;

/// What is said of a program that was analysed.
pub struct Conclusion<'c, 'w> {
    /// The program.
    pub program: &'c Program,
    /// What was asked.
    pub options: &'c Options,
    /// The budget.
    pub control: &'c Control,
    /// What was found.
    pub analysed: &'c Analysed<'w>,
    /// Its points and steps.
    pub flow: &'c ProgramFlow,
}

impl Conclusion<'_, '_> {
    /// Writes it down.
    pub fn write(&self, outcome: &mut Outcome) {
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
            entered: analysed.solver.analysis.entered,
            entered_before: analysed.solver.analysis.entered_before,
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
        let functions: Vec<FunctionId> = self.flow.contexts.values().map(|context| context.function).collect();
        let numbers = self
            .options
            .asks_for(Kind::InvalidFree)
            .then(|| Numbers::of(memory, &functions, &BudgetMeter::new(self.control)));
        for function in functions {
            self.gaps_of_text(function, numbers.as_ref(), outcome);
        }
    }

    /// What the instructions themselves say, whatever the configurations.
    fn gaps_of_text(&self, function: FunctionId, numbers: Option<&Numbers<'_, '_>>, outcome: &mut Outcome) {
        let tracker = &self.analysed.solver.analysis;
        let (Some(procedure), Some(automaton)) =
            (&tracker.world.procedures[function], self.program.functions[function].automaton())
        else {
            return;
        };
        for (edge, operation) in &procedure.operations {
            let found = &automaton.edges[edge];
            if let (Some(numbers), Instruction::Free { pointer }) = (numbers, &found.instruction)
                && numbers.may_be(function, *pointer)
            {
                outcome.gaps.push(Gap { span: found.span, reason: RegionGap::FreedNumber.into() });
            }
            if let (Operation::Call(call), Instruction::Call { arguments, .. }) = (operation, &found.instruction)
                && call.externs.iter().any(|called| self.may_make_cells(called.function, arguments))
            {
                outcome.gaps.push(Gap { span: found.span, reason: RegionGap::ScannedCell.into() });
            }
            if let Some(left_out) = tracker.world.memory.targets.left_out(function, edge) {
                let function = self.program.functions[left_out].name.clone();
                outcome.gaps.push(Gap { span: found.span, reason: CallGap::OtherType { function }.into() });
            }
            if let Operation::Call(call) = operation
                && call.externs.iter().any(|called| self.ends_with_list(called.function))
                && self.options.asks_for(Kind::UseAfterFree)
            {
                outcome.gaps.push(Gap { span: found.span, reason: RegionGap::FormatArgument.into() });
            }
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
                            let at = Statement { function, span: found.span };
                            self.report(Failure::of_text(Kind::InvalidFree, at, edge, message), outcome);
                        }
                    }
                }
                (_, Instruction::Free { pointer: pointer @ (Operand::Global(_) | Operand::Function(_)) })
                    if freed(&tracker.world.memory, function, *pointer) != Freed::Start =>
                {
                    let message = "what is freed is no heap cell".to_owned();
                    let at = Statement { function, span: found.span };
                    self.report(Failure::of_text(Kind::InvalidFree, at, edge, message), outcome);
                }
                _ => {}
            }
        }
    }

    /// Whether a function with these arguments may put a text that it reads into a heap cell of its own.
    fn may_make_cells(&self, function: FunctionId, arguments: &[Operand]) -> bool {
        let Body::Extern(effects) = &self.program.functions[function].body else { return false };
        let Some(Format { parameter, language: FormatLanguage::Scan }) = effects.format else { return false };
        let literal = match arguments.get(parameter as usize) {
            Some(Operand::Global(global)) => Some(&self.program.globals[*global]),
            Some(Operand::Register(_) | Operand::Int(_) | Operand::Float(_) | Operand::Function(_)) | None => None,
        };
        let conversions = match literal.map(|literal| (&literal.initializer, literal.mutability)) {
            Some((Initializer::Bytes(text), Mutability::ReadOnly)) => scan_conversions(text),
            Some(_) | None => None,
        };
        let allocates = |conversion: &ScanConversion| conversion.stores(self.program.target) == Scanned::Allocated;
        conversions.is_none_or(|conversions| conversions.iter().any(allocates))
    }

    /// Whether a function prints the arguments of a `va_list` and does not come back (`verrx`). That it looks through them is seen of
    /// functions that come back alone: those write the list.
    fn ends_with_list(&self, function: FunctionId) -> bool {
        match &self.program.functions[function].body {
            Body::Extern(effects) => {
                effects.termination != Termination::Returns
                    && matches!(effects.format, Some(Format { language: FormatLanguage::PrintList, .. }))
            }
            Body::Defined(_) => false,
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
                // Where it is surely suspected, doubts add nothing.
                let is_sure = !suspicion.facts.is_empty() || !suspicion.seeds.is_empty();
                if is_sure && way.suspected == Suspected::InDoubt {
                    continue;
                }
                if told.contains(&way.site) || !self.is_asked_for(way.site) {
                    continue;
                }
                told.push(way.site);
                let site = way.site.map(|site| &self.analysed.sites[site]);
                let message = self.message(*kind, site);
                let mut guide = way.edges;
                guide.push((function, edge));
                let mut trace = site.map_or(Vec::new(), |site| vec![self.made(site)]);
                trace.extend(way.lines);
                let about = Subject {
                    made: site.map(|site| Statement { function: site.function, span: site.span }),
                    gone: way.freed,
                    ..Subject::default()
                };
                let at = Statement { function, span };
                let suspected = way.suspected;
                self.report(Failure { kind: *kind, at, message, trace, guide, about, suspected }, outcome);
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
        let in_doubt = |fact: &FactId| ErrorPath { suspected: Suspected::InDoubt, ..self.way(*fact) };
        let sure = suspicion.facts.iter().map(|fact| self.way(*fact));
        at_once.chain(sure).chain(suspicion.doubts.iter().map(in_doubt)).collect()
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

    fn report(&self, failure: Failure, outcome: &mut Outcome) {
        let Failure { kind, at: Statement { function, span }, message, mut trace, guide, about, suspected } = failure;
        let is_here = |finding: &Finding| (finding.kind, finding.span, finding.function) == (kind, span, function);
        let is_known = |finding: &Finding| {
            is_here(finding)
                && (finding.certainty == Certainty::Confirmed
                    || finding.about.made.map(|made| made.span) == about.made.map(|made| made.span))
        };
        if outcome.findings.iter().any(is_known) {
            return;
        }
        trace.push(TraceStep { span, function, message: message.clone(), heap: None });
        let finding = Finding { about, ..possible(kind, Statement { function, span }, message, trace) };
        let possible = Possible { finding };
        // A caller that was made for a library does not know what is freed: its runs show nothing. A run may also show an
        // error of a cell that was not asked for.
        let is_confirmable = self.options.start != Start::AnyCaller && self.options.followed == Followed::All;
        if outcome.findings.len() < MOST_CONFIRMED && is_confirmable {
            let confirmer = Confirmer { program: self.program, options: self.options, control: self.control };
            let path = EdgePath::new(self.program, guide.iter().copied());
            if let Some(found) = confirmer.along(&possible, &path, Effort::Search) {
                // What a run shows stands for what is suspected there of other sites.
                outcome.findings.retain(|finding| !is_here(finding));
                heapwise_confirm::add(&mut outcome.findings, found);
                return;
            }
        }
        if suspected == Suspected::InDoubt {
            outcome.gaps.push(Gap { span, reason: RegionGap::DoubtfulWay.into() });
            return;
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
            None => outcome.findings.push(possible.finding),
        }
    }
}

/// How likely it is that a run takes the way to an error.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Suspected {
    /// Nothing speaks against it.
    #[default]
    Plainly,
    /// It is likely that none does.
    InDoubt,
}

/// An error that is not excluded.
struct Failure {
    kind: Kind,
    at: Statement,
    message: String,
    /// The lines before the error itself.
    trace: Vec<TraceStep>,
    /// The edges that a run is led along.
    guide: Vec<(FunctionId, EdgeId)>,
    about: Subject,
    suspected: Suspected,
}

impl Failure {
    /// One that an instruction itself shows.
    fn of_text(kind: Kind, at: Statement, edge: EdgeId, message: String) -> Failure {
        let guide = vec![(at.function, edge)];
        let about = Subject::default();
        Failure { kind, at, message, trace: Vec::new(), guide, about, suspected: Suspected::Plainly }
    }
}

/// An error that is not excluded, as a possible finding.
struct Possible {
    finding: Finding,
}

impl heapwise_confirm::Suspicion for Possible {
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
    suspected: Suspected,
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
