//! The engine `explicit`, and confirmation of what other engines suspect.

use crate::approximate::Approximation;
use crate::machine::{Machine, MachineOptions, Unasked};
use crate::observe::{Observer, Run, replay};
use crate::search::{Goal, Limits, Persistence, Place, Search};
use crate::trace::MOST_STEPS;
use heapwise_engine::reason::{Assumption, CallGap, Doing, Extent, Note};
use heapwise_engine::{
    AllocationFailure, Choice, ChoiceQuestion, Control, Dumps, Engine, EngineEntry, Exhausted, Finding, Gap, InAuto,
    Kind, Options, Outcome, Parts, Stats, Stopped,
};
use heapwise_ir::{Body, EdgeId, FunctionId, Program, Span};

/// Runs the program with all inputs and choices, as far as the limits go.
#[derive(Clone, Copy, Default, Debug)]
pub struct Explicit {
    /// How far.
    pub limits: Limits,
    /// Whether it goes on where they are met, if the question does not say. Only [`Engine::check`] does: whoever looks for one
    /// error has others to look for.
    pub persistence: Option<Persistence>,
}

/// The engine `explicit`, as it presents itself.
pub static ENTRY: EngineEntry = EngineEntry {
    name: "explicit",
    help: "concrete runs over all inputs and failures of allocation, within bounds: finds errors, proves small programs",
    auto: InAuto::Asked,
    settings: &[],
    make: |_| Box::new(Explicit::default()),
    dumps: Dumps::NONE,
    parts: Parts::OneEntry,
};

impl Engine for Explicit {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn check(&self, program: &Program, options: &Options, control: &Control) -> Outcome {
        self.explore(program, options, control, None)
    }
}

fn in_order(findings: &mut [Finding]) {
    findings.sort_by(|left, right| {
        (left.span, left.kind, left.function, &left.message).cmp(&(
            right.span,
            right.kind,
            right.function,
            &right.message,
        ))
    });
}

/// Where C goes on behind an error that nobody asked for, the run does.
fn unasked(options: &Options, kind: Kind) -> Unasked {
    if options.asks_for(kind) { Unasked::Ends } else { Unasked::GoesOn }
}

fn machine<'p>(
    program: &'p Program,
    options: &Options,
    control: &'p Control,
    approximation: Approximation,
) -> Result<Machine<'p>, Exhausted> {
    Machine::within(program, machine_options(options, approximation), control)
}

fn machine_options(options: &Options, approximation: Approximation) -> MachineOptions {
    MachineOptions {
        allocation_failure: options.allocation_failure,
        approximation,
        uninitialised: unasked(options, Kind::Uninitialised),
        dangling_return: unasked(options, Kind::DanglingReturn),
        overflow: unasked(options, Kind::Overflow),
        shapes: unasked(options, Kind::Shape),
        ..MachineOptions::new(options.entry)
    }
}

impl Explicit {
    /// Like [`Engine::check`], and shows every state to `observer`.
    pub fn explore<'o>(
        &self,
        program: &Program,
        options: &Options,
        control: &Control,
        observer: Option<&'o mut (dyn Observer + 'o)>,
    ) -> Outcome {
        let mut outcome = Outcome::default();
        if options.allocation_failure == AllocationFailure::Never {
            outcome.assumptions.push(Assumption::AllocationSucceeds);
        }
        for (span, reason) in &program.gaps {
            outcome.gaps.push(Gap { span: *span, reason: reason.clone().into() });
        }
        let entry = &program.functions[options.entry];
        if let Body::Extern(_) = entry.body {
            let reason = CallGap::EntryWithoutBody { function: entry.name.clone() };
            outcome.gaps.push(Gap { span: entry.span, reason: reason.into() });
            return outcome;
        }
        // Whoever watches wants to see what runs come to, and nothing else.
        let approximation = if observer.is_some() { Approximation::Never } else { Approximation::Beside };
        let machine = match machine(program, options, control, approximation) {
            Ok(machine) => machine,
            Err(why) => {
                outcome.stopped = Some(Stopped { why, span: Span::NONE, doing: Doing::FirstRun });
                return outcome;
            }
        };
        let reach = (self.limits, self.persistence.unwrap_or(Persistence::asked(options.patience)));
        let mut search = Search::new(&machine, options, control, reach, Goal::All, &[], observer);
        search.run();
        outcome.findings = search.found.values().map(|shown| shown.finding(&machine)).collect();
        in_order(&mut outcome.findings);
        outcome.gaps.append(&mut search.gaps);
        outcome.stopped = search.stopped();
        outcome.gaps.extend(search.left_out());
        let (states, depth) = (search.states, search.depth);
        let is_whole = outcome.gaps.is_empty() && outcome.stopped.is_none();
        let extent = if is_whole { Extent::Whole } else { Extent::Part };
        outcome.notes.push(Note::Explored { states, depth, extent });
        outcome.reached = search.visited.iter().map(|(function, _)| *function).collect();
        outcome.reached.extend(search.called_back());
        outcome.reached.sort_unstable();
        outcome.reached.dedup();
        outcome.notes.extend(search.unasked_notes());
        if search.walks > 0 {
            outcome.notes.push(Note::RandomRuns { runs: search.walks });
        }
        outcome.gaps.sort();
        outcome.gaps.dedup();
        outcome.stats = Stats { elements: search.states, locations: search.visited.len() as u64 };
        outcome
    }

    fn reach(&self) -> (Limits, Persistence) {
        (self.limits, Persistence::WithinLimits)
    }

    /// Some errors that runs show without doubt: those that show not long after the first one.
    pub fn concrete_probe(&self, program: &Program, options: &Options, control: &Control) -> Vec<Finding> {
        if let Body::Extern(_) = program.functions[options.entry].body {
            return Vec::new();
        }
        let Ok(machine) = machine(program, options, control, Approximation::Never) else { return Vec::new() };
        let mut search = Search::new(&machine, options, control, self.reach(), Goal::Some, &[], None);
        search.run();
        let shown = search.found.values().filter(|shown| !shown.is_doubtful);
        let mut findings: Vec<Finding> = shown.map(|shown| shown.finding(&machine)).collect();
        in_order(&mut findings);
        findings
    }

    /// The errors that runs show without doubt. What each run chose is in its finding, so that it can be run
    /// elsewhere: by a compiled program that gets the same inputs.
    pub fn failures(&self, program: &Program, options: &Options, control: &Control) -> Vec<Finding> {
        let Ok(machine) = machine(program, options, control, Approximation::Never) else { return Vec::new() };
        let mut search = Search::new(&machine, options, control, self.reach(), Goal::All, &[], None);
        search.run();
        let shown = search.found.values().filter(|shown| !shown.is_doubtful);
        let mut findings: Vec<Finding> = shown.map(|shown| shown.finding(&machine)).collect();
        in_order(&mut findings);
        findings
    }

    /// Makes the run of a confirmed finding again, from its choices; the question is the one that it answered. Fails with the
    /// first choice that the list does not have where the run needs one.
    pub fn replay(program: &Program, options: &Options, choices: &[Choice]) -> Result<Run, (ChoiceQuestion, Span)> {
        replay(&Machine::new(program, machine_options(options, Approximation::Never)), choices, MOST_STEPS)
    }

    /// Looks for a concrete run that shows an error of this kind there, preferring the edges of `guide` (an
    /// abstract path; may be empty).
    pub fn confirm(
        &self,
        program: &Program,
        options: &Options,
        control: &Control,
        kind: Kind,
        place: Place,
        guide: &[(FunctionId, EdgeId)],
    ) -> Option<Finding> {
        if let Body::Extern(_) = program.functions[options.entry].body {
            return None;
        }
        let mut options = options.clone();
        if !options.asks_for(kind) {
            options.properties.push(kind);
            options.properties.sort_unstable();
        }
        let machine = machine(program, &options, control, Approximation::Never).ok()?;
        let mut search = Search::new(&machine, &options, control, self.reach(), Goal::One(kind, place), guide, None);
        search.run();
        let shown = search
            .found
            .iter()
            .find(|((found, _, span), shown)| *found == kind && place.is(*span) && !shown.is_doubtful)?
            .1;
        Some(shown.finding(&machine))
    }
}
