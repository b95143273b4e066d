//! The engine: run, look for concrete runs behind what is suspected, report.

use crate::analysis::{Fixpoint, Retention, Suspicion, run};
use crate::footprint::Given;
use crate::groups::{Grouping, Groups};
use crate::layouts::{layouts, told};
use crate::predicate::{Colours, Definitions, Layout, TreeLinks};
use crate::product::engine::ProductEngine;
use crate::product::solve::Mode;
use crate::transfer::{Arrays, Comparisons, Context, Entries, Numbering};
use heapwise_confirm::{ConcreteProbe, Confirmer, EdgePath, Effort, is_about, judge, possible, report_possible};
use heapwise_engine::reason::{Assumption, CallGap, ContractGap, Doing, GapReason, GroupMisfit, Note, SymbolicGap};
use heapwise_engine::{
    AllocationFailure, Certainty, Control, Dumps, Elsewhere, Engine, EngineEntry, Finding, Gap, InAuto, Kind, Options,
    Outcome, Parts, Setting, Statement, Stats, Stopped, TraceStep, Values, Verdict, perhaps,
};
use heapwise_fixpoint::{ProgramFlow, StepOrigin, TraceKind};
use heapwise_ir::callbacks::Expansion;
use heapwise_ir::{AnyAddressTaken, Body, EdgeId, FunctionId, Program, Span};

/// The engine `overlay`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct OverlayEngine;

impl Engine for OverlayEngine {
    fn name(&self) -> &'static str {
        "overlay"
    }

    fn check(&self, program: &Program, options: &Options, control: &Control) -> Outcome {
        check_with(Definitions::shipped(), program, options, control)
    }
}

/// The same with predicates of a user's own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WithPredicates {
    /// All of them.
    pub definitions: Definitions,
    /// Groups of fields that were asked for: they do not know predicates of a user's own.
    pub grouping: Grouping,
}

impl Engine for WithPredicates {
    fn name(&self) -> &'static str {
        "overlay"
    }

    fn check(&self, program: &Program, options: &Options, control: &Control) -> Outcome {
        let mut outcome = check_with(self.definitions.clone(), program, options, control);
        if self.grouping != Grouping::Single {
            let reason = SymbolicGap::GroupsCannotBeUsed { why: GroupMisfit::OwnPredicates }.into();
            outcome.gaps.push(Gap { span: program.functions[options.entry].span, reason });
        }
        for (name, layout) in told(program, &self.definitions) {
            if let Err(why) = layout {
                outcome.notes.push(Note::PredicateUnused { name, why });
            }
        }
        outcome
    }
}

fn check_with(definitions: Definitions, program: &Program, options: &Options, control: &Control) -> Outcome {
    let opened = match opening(program, options) {
        Ok(outcome) => outcome,
        Err(outcome) => return *outcome,
    };
    let probe = ConcreteProbe::of(Confirmer { program, options, control });
    let expansion = Expansion::of(program, 0);
    let analysed = expansion.as_ref().map_or(program, |expansion| &expansion.program);
    let flow = ProgramFlow::tabulated(analysed, options.entry, &AnyAddressTaken);
    let mut best: Option<Outcome> = None;
    let is_coloured = is_coloured(program, &definitions);
    let mut is_large = false;
    for attempt in Attempt::ALL {
        if attempt.colours() != Colours::Ignored && !is_coloured || attempt == Attempt::MoreRounds && is_large {
            continue;
        }
        let definitions = definitions.clone().keeping(attempt.tree_links()).colouring(attempt.colours());
        let plain = Context::new(analysed, options, definitions);
        let context = Context {
            numbering: Numbering::On,
            arrays: Arrays::On,
            comparisons: attempt.comparisons(),
            entries: attempt.entries(),
            unrolled: attempt.unrolled(),
            few_elements: attempt.few_elements(),
            ..plain
        };
        let mut outcome = opened.clone();
        let part = attempt.part(control);
        let mut fixpoint = match attempt {
            Attempt::First => run(&context, &flow, Retention::Live, Given::Footprint, &part.with_elements(GLANCE)),
            Attempt::OneIsBlack | Attempt::ZeroIsBlack => match run_without_doubt(&context, &flow, &part) {
                Some(fixpoint) => fixpoint,
                None => continue,
            },
            Attempt::MoreRounds | Attempt::FewerComparisons | Attempt::NullLinks => {
                run(&context, &flow, Retention::Live, Given::Footprint, &part)
            }
        };
        if attempt == Attempt::First && fixpoint.exhausted.is_some() {
            // Most errors show in small heaps: there is no need to go through all that large ones can be.
            let shown = probe.shown();
            if !shown.is_empty() {
                outcome.findings = shown.to_vec();
                outcome.stats.elements = fixpoint.solver.n_facts() as u64;
                outcome.notes.push(Note::EndedAtErrors);
                return outcome;
            }
            if let Some(outcome) = by_groups(program, options, control) {
                return outcome;
            }
            fixpoint.go_on(&part);
        }
        let mut given = Given::Footprint;
        let not_given: GapReason = SymbolicGap::CellNotGiven.into();
        if fixpoint.solver.analysis.gaps.iter().any(|(_, reason)| *reason == not_given) {
            given = Given::Everything;
            fixpoint = run(&context, &flow, Retention::Live, given, &part);
        }
        if fixpoint.exhausted.is_some() && attempt != Attempt::NullLinks {
            is_large = true;
            continue;
        }
        let has_gap = !opened.gaps.is_empty() || !fixpoint.solver.analysis.gaps.is_empty();
        let effort = if has_gap || attempt == Attempt::NullLinks { Effort::Search } else { Effort::Glance };
        let confirmer = Confirmer { program, options, control: &part };
        conclude(&context, &flow, fixpoint, given, &Runs { confirmer, effort, probe: &probe }, &mut outcome);
        // Of attempts that decide nothing, the one that came to its end says most.
        let is_decided = outcome.verdict() != Verdict::Unknown;
        if best.as_ref().is_none_or(|best| is_decided || best.stopped.is_some() && outcome.stopped.is_none()) {
            best = Some(outcome);
        }
        // What is not followed will not be followed next time.
        if is_decided
            || attempt.colours() == Colours::Ignored && best.as_ref().is_some_and(|best| !best.gaps.is_empty())
        {
            break;
        }
    }
    best.unwrap_or(opened)
}

/// Whether the program may have red-black trees.
fn is_coloured(program: &Program, definitions: &Definitions) -> bool {
    let has_measures = |layout: &Layout| !definitions.get(layout.definition).measures.is_empty();
    let coloured = layouts(program, &definitions.clone().colouring(Colours::OneIsBlack));
    coloured.iter().any(|layout| has_measures(layout))
}

/// Runs the analysis, and gives it up at the first error that it cannot exclude: trees that are none of the kind that is looked for
/// do not fold, and heaps of all sizes would be gone through.
fn run_without_doubt<'f, 'p, 'c>(
    context: &'c Context<'p>,
    flow: &'c ProgramFlow,
    part: &Control,
) -> Option<Fixpoint<'f, 'p, 'c>>
where
    'c: 'f,
{
    let mut most = GLANCE;
    let mut fixpoint = run(context, flow, Retention::Live, Given::Footprint, &part.with_elements(most));
    loop {
        let shapes = &fixpoint.solver.analysis;
        let is_doubt = |suspicion: &Suspicion| suspicion.kind != Kind::Leak;
        if shapes.suspicions.values().any(is_doubt) || !shapes.gaps.is_empty() {
            return None;
        }
        match &fixpoint.exhausted {
            None => return Some(fixpoint),
            Some(_) if part.check(0, 0).is_err() => return None,
            Some(_) => {
                most += GLANCE;
                fixpoint.go_on(&part.with_elements(most));
            }
        }
    }
}

/// The analysis is tried as coarse as often does, then finer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Attempt {
    /// Trees whose cells have a colour are red-black trees.
    OneIsBlack,
    /// The same, and 0 is black.
    ZeroIsBlack,
    /// All comparisons are remembered.
    First,
    /// Each round of short loops is told from the others: of an array of four all elements are filled then.
    MoreRounds,
    /// Only those that may be asked again: where heaps differ in little else.
    FewerComparisons,
    /// And it is kept which links of trees are null.
    NullLinks,
}

impl Attempt {
    const ALL: [Attempt; 6] = [
        Attempt::OneIsBlack,
        Attempt::ZeroIsBlack,
        Attempt::First,
        Attempt::MoreRounds,
        Attempt::FewerComparisons,
        Attempt::NullLinks,
    ];

    /// So many rounds more are told apart.
    fn unrolled(self) -> usize {
        match self {
            Attempt::MoreRounds => 2,
            Attempt::OneIsBlack
            | Attempt::ZeroIsBlack
            | Attempt::First
            | Attempt::FewerComparisons
            | Attempt::NullLinks => 0,
        }
    }

    /// Up to so many elements of an array are told apart by constants.
    fn few_elements(self) -> i128 {
        match self {
            Attempt::OneIsBlack | Attempt::ZeroIsBlack | Attempt::First | Attempt::MoreRounds => 4,
            // So often goes a loop round before its heaps are joined.
            Attempt::FewerComparisons | Attempt::NullLinks => 3,
        }
    }

    fn colours(self) -> Colours {
        match self {
            Attempt::OneIsBlack => Colours::OneIsBlack,
            Attempt::ZeroIsBlack => Colours::ZeroIsBlack,
            Attempt::First | Attempt::MoreRounds | Attempt::FewerComparisons | Attempt::NullLinks => Colours::Ignored,
        }
    }

    fn tree_links(self) -> TreeLinks {
        match self {
            Attempt::OneIsBlack
            | Attempt::ZeroIsBlack
            | Attempt::First
            | Attempt::MoreRounds
            | Attempt::FewerComparisons => TreeLinks::Forgotten,
            Attempt::NullLinks => TreeLinks::NullKept,
        }
    }

    fn comparisons(self) -> Comparisons {
        match self {
            Attempt::First | Attempt::MoreRounds => Comparisons::All,
            Attempt::OneIsBlack | Attempt::ZeroIsBlack | Attempt::FewerComparisons | Attempt::NullLinks => {
                Comparisons::AskedAgain
            }
        }
    }

    fn entries(self) -> Entries {
        match self {
            Attempt::First | Attempt::MoreRounds => Entries::AsTheyCome,
            Attempt::OneIsBlack | Attempt::ZeroIsBlack | Attempt::FewerComparisons | Attempt::NullLinks => {
                Entries::Folded
            }
        }
    }

    /// What it may use.
    fn part(self, control: &Control) -> Control {
        match self {
            Attempt::OneIsBlack => control.part(2, 5),
            Attempt::ZeroIsBlack => control.part(3, 5),
            Attempt::First => control.part(1, 3).with_elements(FIRST_ELEMENTS),
            Attempt::MoreRounds => control.part(1, 2).with_elements(FIRST_ELEMENTS),
            Attempt::FewerComparisons => control.part(2, 3),
            Attempt::NullLinks => control.clone(),
        }
    }
}

/// The first attempt makes so many heaps at most.
const FIRST_ELEMENTS: u64 = 4_000;

/// Structures that are laid over each other are often too much for one analysis, and little for one of each.
fn by_groups(program: &Program, options: &Options, control: &Control) -> Option<Outcome> {
    let groups = Groups::of(program, &Grouping::Inferred).ok().filter(|groups| groups.len() > 1)?;
    let product = ProductEngine { grouping: Grouping::Inferred, mode: Mode::Product };
    let outcome = product.attempt(program, options, &control.part(1, 4), &groups)?;
    (outcome.verdict() != Verdict::Unknown).then_some(outcome)
}

/// After so many heaps, short concrete runs are looked at.
const GLANCE: u64 = 1_000;

/// What is said before anything is looked at; an error if there is nothing to look at.
pub(crate) fn opening(program: &Program, options: &Options) -> Result<Outcome, Box<Outcome>> {
    let mut outcome = Outcome::default();
    if options.allocation_failure == AllocationFailure::Never {
        outcome.assumptions.push(Assumption::AllocationSucceeds);
    }
    outcome
        .gaps
        .extend(program.gaps.iter().map(|(span, reason)| Gap { span: *span, reason: GapReason::Text(reason.clone()) }));
    let entry = &program.functions[options.entry];
    if let Body::Extern(_) = entry.body {
        let reason = CallGap::EntryWithoutBody { function: entry.name.clone() }.into();
        outcome.gaps.push(Gap { span: entry.span, reason });
        return Err(Box::new(outcome));
    }
    if options.asks_for(Kind::Shape) {
        outcome.gaps.extend(program.contracts.iter().map(|contract| {
            let name = &program.functions[contract.function].name;
            Gap { span: contract.span, reason: ContractGap::Unchecked { function: name.clone() }.into() }
        }));
    }
    Ok(outcome)
}

/// The concrete runs that are looked for behind suspicions: of the program as it was given.
struct Runs<'a> {
    confirmer: Confirmer<'a>,
    effort: Effort,
    probe: &'a ConcreteProbe<'a>,
}

fn conclude(
    context: &Context<'_>,
    flow: &ProgramFlow,
    first: Fixpoint<'_, '_, '_>,
    given: Given,
    runs: &Runs<'_>,
    outcome: &mut Outcome,
) {
    let (program, options) = (context.program, context.options);
    let original = runs.confirmer.program;
    outcome.stats = Stats {
        elements: first.solver.n_facts() as u64,
        locations: flow.points.keys().filter(|point| first.solver.facts_at(*point).next().is_some()).count() as u64,
    };
    outcome.reached = flow
        .contexts
        .iter()
        .filter(|(id, _)| {
            let mut points = flow.points.iter().filter(|(_, origin)| origin.context == *id);
            points.any(|(point, _)| first.solver.facts_at(point).next().is_some())
        })
        .map(|(_, found)| found.function)
        .collect();
    outcome.reached.sort_unstable();
    outcome.reached.dedup();
    let mut suspects: Vec<Suspected> = Vec::new();
    let is_lost = |suspicion: &Suspicion| suspicion.kind == Kind::Leak;
    let asked = |suspicion: &&Suspicion| options.asks_for(suspicion.kind);
    let mut exhausted = first.exhausted;
    let suspicions: Vec<Suspicion> = first.solver.analysis.suspicions.values().cloned().collect();
    for suspicion in suspicions.iter().filter(asked).filter(|suspicion| !is_lost(suspicion)) {
        suspects.extend(Suspected::new(flow, (program, original), &first, suspicion));
    }
    for suspicion in suspicions.iter().filter(|suspicion| !options.asks_for(suspicion.kind)) {
        let span = span_of(flow, program, suspicion);
        if !matches!(suspicion.kind, Kind::Leak | Kind::LeakAtExit) {
            outcome.notes.push(Note::UnaskedEnd { kind: suspicion.kind, span, certainty: Certainty::Possible });
        }
    }
    gaps(flow, program, &first, outcome);
    if options.asks_for(Kind::Leak) && suspicions.iter().any(is_lost) && exhausted.is_none() {
        let second = run(context, flow, Retention::Held, given, runs.confirmer.control);
        exhausted = second.exhausted;
        gaps(flow, program, &second, outcome);
        let lost: Vec<Suspicion> =
            second.solver.analysis.suspicions.values().filter(|found| is_lost(found)).cloned().collect();
        for suspicion in &lost {
            suspects.extend(Suspected::new(flow, (program, original), &second, suspicion));
        }
    }
    if let Some(why) = exhausted {
        outcome.stopped =
            Some(Stopped { why, span: Span::NONE, doing: Doing::Running { engine: "overlay".to_owned() } });
    }
    confirm_by_runs(runs, suspects, outcome);
    outcome.gaps.sort();
    outcome.gaps.dedup();
}

/// Looks for concrete runs behind suspicions and reports them; what no run shows is possible.
pub(crate) fn confirm_or_suspect(
    context: &Context<'_>,
    control: &Control,
    suspects: Vec<Suspected>,
    outcome: &mut Outcome,
) {
    let confirmer = Confirmer { program: context.program, options: context.options, control };
    let probe = ConcreteProbe::of(confirmer);
    confirm_by_runs(&Runs { confirmer, effort: Effort::Search, probe: &probe }, suspects, outcome);
}

/// The same, with short runs that show errors anywhere.
fn confirm_by_runs(runs: &Runs<'_>, suspects: Vec<Suspected>, outcome: &mut Outcome) {
    let Runs { confirmer, effort: most, probe } = *runs;
    let look = |suspected: &Suspected| {
        let along = |effort| confirmer.along(suspected, &suspected.path, effort);
        along(Effort::Glance).or_else(|| {
            let shown = probe.shown();
            let found = shown.iter().find(|finding| is_about(finding, suspected)).cloned();
            if shown.is_empty() && most == Effort::Search { along(Effort::Search) } else { found }
        })
    };
    let doubtful = judge(suspects, &mut outcome.findings, look);
    let is_confirmed = |finding: &Finding| finding.certainty == Certainty::Confirmed;
    let is_open = most == Effort::Search && (!doubtful.is_empty() || outcome.stopped.is_some());
    let seen = match is_open && !outcome.findings.iter().any(is_confirmed) {
        true => probe.shown_far(),
        false => probe.seen(),
    };
    for finding in seen {
        heapwise_confirm::add(&mut outcome.findings, finding.clone());
    }
    outcome.findings.sort_by_key(|finding| (finding.span, finding.kind));
    report_possible(doubtful, &mut outcome.findings);
}

fn gaps(flow: &ProgramFlow, program: &Program, fixpoint: &Fixpoint<'_, '_, '_>, outcome: &mut Outcome) {
    for (step, reason) in &fixpoint.solver.analysis.gaps {
        let span = edge_of(flow, program, *step).map_or(Span::NONE, |(_, _, span)| span);
        outcome.gaps.push(Gap { span, reason: reason.clone() });
    }
}

fn edge_of(
    flow: &ProgramFlow,
    program: &Program,
    step: heapwise_fixpoint::StepId,
) -> Option<(FunctionId, EdgeId, Span)> {
    let StepOrigin::Instruction { context, edge, .. } = flow.steps[step] else { return None };
    let function = flow.contexts[context].function;
    Some((function, edge, program.functions[function].automaton()?.edges[edge].span))
}

fn span_of(flow: &ProgramFlow, program: &Program, suspicion: &Suspicion) -> Span {
    edge_of(flow, program, suspicion.step).map_or(Span::NONE, |(_, _, span)| span)
}

/// The edges of one abstract way to a suspicion.
fn path(
    flow: &ProgramFlow,
    (program, original): (&Program, &Program),
    fixpoint: &Fixpoint<'_, '_, '_>,
    suspicion: &Suspicion,
) -> EdgePath {
    let trace = fixpoint.solver.trace(suspicion.fact);
    let steps = trace.into_iter().filter_map(|step| match step.kind {
        TraceKind::Step(step) => Some(step),
        TraceKind::Start | TraceKind::Enter(_) | TraceKind::Leave(_) => None,
    });
    let edges = steps.chain([suspicion.step]).filter_map(|step| edge_of(flow, program, step));
    let edges = edges.map(|(function, edge, _)| (function, edge));
    EdgePath::new(original, edges.filter(|(function, edge)| !Expansion::is_new(original, *function, *edge)))
}

/// A suspicion at a statement, with the way to it.
pub(crate) struct Suspected {
    pub kind: Kind,
    pub message: String,
    pub at: Statement,
    pub path: EdgePath,
}

impl Suspected {
    /// None for what happens at no edge: there is no text to show.
    fn new(
        flow: &ProgramFlow,
        (program, original): (&Program, &Program),
        fixpoint: &Fixpoint<'_, '_, '_>,
        suspicion: &Suspicion,
    ) -> Option<Suspected> {
        let (function, _, span) = edge_of(flow, program, suspicion.step)?;
        let path = path(flow, (program, original), fixpoint, suspicion);
        let message = suspicion.message.clone();
        Some(Suspected { kind: suspicion.kind, message, at: Statement { function, span }, path })
    }
}

impl heapwise_confirm::Suspicion for Suspected {
    fn kind(&self) -> Kind {
        self.kind
    }

    fn at(&self) -> Statement {
        self.at
    }

    fn possible(&self) -> Finding {
        let message = perhaps(&self.message);
        let Statement { function, span } = self.at;
        let trace = vec![TraceStep { span, function, message: message.clone(), heap: None }];
        possible(self.kind, self.at, message, trace)
    }
}

/// The heaps at every location, as text.
pub fn dump(program: &Program, options: &Options, definitions: Definitions, control: &Control) -> String {
    use std::fmt::Write as _;
    let plain = Context::new(program, options, definitions);
    let context = Context { numbering: Numbering::On, arrays: Arrays::On, ..plain };
    let flow = ProgramFlow::tabulated(program, options.entry, &AnyAddressTaken);
    let fixpoint = run(&context, &flow, Retention::Live, Given::Footprint, control);
    let mut text = String::new();
    for found in flow.contexts.values() {
        let function = &program.functions[found.function];
        let Some(automaton) = function.automaton() else { continue };
        for location in automaton.outgoing.keys() {
            let heaps = fixpoint.heaps_at(found.function, location);
            if heaps.is_empty() {
                continue;
            }
            let line = automaton.outgoing[location].first().map_or(0, |edge| automaton.edges[*edge].span.line);
            let _ = writeln!(text, "== {} {location} (line {line}): {} heaps", function.name, heaps.len());
            for heap in heaps {
                let name = |register: heapwise_ir::RegisterId| function.registers[register].name.clone();
                let _ = writeln!(text, "{}--", heap.text(&context.definitions, &name));
            }
        }
    }
    text
}

static GROUPS: Setting<Grouping> = Setting {
    name: "groups",
    help: "Which fields the engine overlay follows in sub-analyses of their own",
    values: Values::Parsed {
        placeholder: "GROUPS",
        expected: "`single`, `infer`, or groups of fields like `next+prev,left+right+parent`",
        default: "single",
        parse: Grouping::parse,
    },
    elsewhere: Elsewhere::Lacking("groups of fields"),
};

static COUPLED: Setting<Mode> = Setting {
    name: "coupled",
    help: "Keep the sub-analyses of the engine overlay together as tuples of heaps: slow, to compare with",
    values: Values::Switch { off: Mode::Product, on: Mode::Coupled },
    elsewhere: Elsewhere::Lacking("groups of fields"),
};

/// Predicates of a user's own, with the text that they were read from.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Predicates {
    Shipped,
    Own(Definitions),
}

impl Predicates {
    fn definitions(self) -> Definitions {
        match self {
            Predicates::Shipped => Definitions::shipped(),
            Predicates::Own(definitions) => definitions,
        }
    }
}

static PREDICATES: Setting<Predicates> = Setting {
    name: "predicates",
    help: "File with predicates of your own for the engine overlay (docs/predicates.md)",
    values: Values::File {
        parse: |text| match text.trim().is_empty() {
            true => Ok(Predicates::Shipped),
            false => Definitions::with(text).map(Predicates::Own).map_err(|error| error.to_string()),
        },
    },
    elsewhere: Elsewhere::Lacking("predicates"),
};

/// How the engine presents itself.
pub const ENTRY: EngineEntry = EngineEntry {
    name: "overlay",
    help: "symbolic heaps of separation logic with inductive predicates, over bytes: lists and trees of all kinds, embedded heads",
    auto: InAuto::Asked,
    settings: &[&GROUPS, &COUPLED, &PREDICATES],
    make: |values| match (values.get(&PREDICATES), values.get(&GROUPS)) {
        (Predicates::Own(definitions), grouping) => Box::new(WithPredicates { definitions, grouping }),
        (Predicates::Shipped, Grouping::Single) => Box::new(OverlayEngine),
        (Predicates::Shipped, grouping) => Box::new(ProductEngine { grouping, mode: values.get(&COUPLED) }),
    },
    dumps: Dumps {
        program: None,
        invariants: Some(|values, program, options, control| {
            let definitions = values.get(&PREDICATES).definitions();
            let groups = (&values.get(&GROUPS), values.get(&COUPLED));
            crate::draw::invariants(program, options, control, definitions, groups)
        }),
    },
    parts: Parts::OneEntry,
};
