//! The engine: run, look for concrete runs behind what is suspected, report.

use crate::analysis::{Fixpoint, Retention, Suspicion, run};
use crate::predicate::Definitions;
use crate::transfer::Context;
use heapwise_engine::reason::{Assumption, CallGap, ContractGap, Doing, GapReason, Note};
use heapwise_engine::{
    AllocationFailure, Certainty, Control, Dumps, Engine, EngineEntry, Finding, Gap, InAuto, Kind, Options, Outcome,
    Stats, Stopped, Subject, TraceStep,
};
use heapwise_fixpoint::{ProgramFlow, StepOrigin, TraceKind};
use heapwise_interp::{Explicit, Limits, Place};
use heapwise_ir::{AnyAddressTaken, Body, EdgeId, FunctionId, Instruction, Program, Span};

/// The engine `overlay`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct OverlayEngine;

/// How far `interp` looks for the run behind a suspicion.
const LIMITS: Limits = Limits { states: 2_000, steps: 300_000, segment: 20_000, random_steps: 0, walk: 0 };

impl Engine for OverlayEngine {
    fn name(&self) -> &'static str {
        "overlay"
    }

    fn check(&self, program: &Program, options: &Options, control: &Control) -> Outcome {
        let mut outcome = Outcome::default();
        if options.allocation_failure == AllocationFailure::Never {
            outcome.assumptions.push(Assumption::AllocationSucceeds);
        }
        outcome.gaps.extend(
            program.gaps.iter().map(|(span, reason)| Gap { span: *span, reason: GapReason::Text(reason.clone()) }),
        );
        let entry = &program.functions[options.entry];
        if let Body::Extern(_) = entry.body {
            let reason = CallGap::EntryWithoutBody { function: entry.name.clone() }.into();
            outcome.gaps.push(Gap { span: entry.span, reason });
            return outcome;
        }
        if options.asks_for(Kind::Shape) {
            outcome.gaps.extend(program.contracts.iter().map(|contract| {
                let name = &program.functions[contract.function].name;
                Gap { span: contract.span, reason: ContractGap::Unchecked { function: name.clone() }.into() }
            }));
        }
        let context = Context::new(program, options, Definitions::shipped());
        let flow = ProgramFlow::tabulated(program, options.entry, &AnyAddressTaken);
        let fixpoint = run(&context, &flow, Retention::Live, control);
        conclude(&context, &flow, fixpoint, control, &mut outcome);
        outcome
    }
}

fn conclude(
    context: &Context<'_>,
    flow: &ProgramFlow,
    first: Fixpoint<'_, '_, '_>,
    control: &Control,
    outcome: &mut Outcome,
) {
    let (program, options) = (context.program, context.options);
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
    let mut suspects: Vec<(Suspicion, Vec<(FunctionId, EdgeId)>)> = Vec::new();
    let is_lost = |suspicion: &Suspicion| suspicion.kind == Kind::Leak;
    let asked = |suspicion: &&Suspicion| options.asks_for(suspicion.kind);
    let mut exhausted = first.exhausted;
    let suspicions: Vec<Suspicion> = first.solver.analysis.suspicions.values().cloned().collect();
    for suspicion in suspicions.iter().filter(asked).filter(|suspicion| !is_lost(suspicion)) {
        suspects.push((suspicion.clone(), guide(flow, program, &first, suspicion)));
    }
    for suspicion in suspicions.iter().filter(|suspicion| !options.asks_for(suspicion.kind)) {
        let span = span_of(flow, program, suspicion);
        if !matches!(suspicion.kind, Kind::Leak | Kind::LeakAtExit) {
            outcome.notes.push(Note::UnaskedEnd { kind: suspicion.kind, span, certainty: Certainty::Possible });
        }
    }
    gaps(flow, program, &first, outcome);
    if options.asks_for(Kind::Leak) && suspicions.iter().any(is_lost) && exhausted.is_none() {
        let second = run(context, flow, Retention::Held, control);
        exhausted = second.exhausted;
        gaps(flow, program, &second, outcome);
        let lost: Vec<Suspicion> =
            second.solver.analysis.suspicions.values().filter(|found| is_lost(found)).cloned().collect();
        for suspicion in &lost {
            suspects.push((suspicion.clone(), guide(flow, program, &second, suspicion)));
        }
    }
    if let Some(why) = exhausted {
        outcome.stopped =
            Some(Stopped { why, span: Span::NONE, doing: Doing::Running { engine: "overlay".to_owned() } });
    }
    for (suspicion, guide) in suspects {
        report(context, flow, control, &suspicion, &guide, outcome);
    }
    outcome.gaps.sort();
    outcome.gaps.dedup();
    outcome.findings.sort_by_key(|finding| (finding.span, finding.kind));
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
fn guide(
    flow: &ProgramFlow,
    program: &Program,
    fixpoint: &Fixpoint<'_, '_, '_>,
    suspicion: &Suspicion,
) -> Vec<(FunctionId, EdgeId)> {
    let mut guide = Vec::new();
    for step in fixpoint.solver.trace(suspicion.fact) {
        if let TraceKind::Step(step) = step.kind
            && let Some((function, edge, _)) = edge_of(flow, program, step)
            && !is_call(program, function, edge)
        {
            guide.push((function, edge));
        }
    }
    guide.extend(edge_of(flow, program, suspicion.step).map(|(function, edge, _)| (function, edge)));
    guide
}

fn is_call(program: &Program, function: FunctionId, edge: EdgeId) -> bool {
    program.functions[function]
        .automaton()
        .is_some_and(|automaton| matches!(automaton.edges[edge].instruction, Instruction::Call { .. }))
}

fn report(
    context: &Context<'_>,
    flow: &ProgramFlow,
    control: &Control,
    suspicion: &Suspicion,
    guide: &[(FunctionId, EdgeId)],
    outcome: &mut Outcome,
) {
    let program = context.program;
    let Some((function, _, span)) = edge_of(flow, program, suspicion.step) else { return };
    let is_known =
        |finding: &Finding| (finding.kind, finding.span, finding.function) == (suspicion.kind, span, function);
    if outcome.findings.iter().any(is_known) {
        return;
    }
    let explicit = Explicit { limits: LIMITS, ..Explicit::default() };
    let confirmed = explicit.confirm(program, context.options, control, suspicion.kind, Place::At(span), guide);
    if let Some(found) = confirmed {
        let is_same = |finding: &Finding| {
            (finding.kind, finding.span, finding.function) == (found.kind, found.span, found.function)
        };
        if !outcome.findings.iter().any(is_same) {
            outcome.findings.push(found);
        }
        return;
    }
    let trace = vec![TraceStep { span, function, message: suspicion.message.clone(), heap: None }];
    outcome.findings.push(Finding {
        kind: suspicion.kind,
        certainty: Certainty::Possible,
        span,
        function,
        message: suspicion.message.clone(),
        trace,
        choices: Vec::new(),
        about: Subject::default(),
        also: Vec::new(),
    });
}

/// The heaps at every location, as text.
pub fn dump(program: &Program, options: &Options, control: &Control) -> String {
    use std::fmt::Write as _;
    let context = Context::new(program, options, Definitions::shipped());
    let flow = ProgramFlow::tabulated(program, options.entry, &AnyAddressTaken);
    let fixpoint = run(&context, &flow, Retention::Live, control);
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

/// How the engine presents itself.
pub const ENTRY: EngineEntry = EngineEntry {
    name: "overlay",
    help: "symbolic heaps of separation logic with inductive predicates, over bytes: lists and trees of all kinds, embedded heads",
    auto: InAuto::ByNameOnly,
    settings: &[],
    make: |_| Box::new(OverlayEngine),
    dumps: Dumps::NONE,
};
