//! The engine `tvl`: programs over cells, analysed with structures whose predicates are made from the program.
//!
//! A step is: what the command reads is made definite, the command changes a few predicates (links by actions whose effect
//! on instrumentation predicates is derived), dead variables and lost cells go, blur. Findings are suspicions that a
//! concrete run confirms, or that nothing excludes.

pub mod attempt;
mod branches;
pub mod calls;
mod claims;
pub mod compare;
pub mod contract;
pub mod draw;
mod focus;
mod frame;
mod free;
mod heap;
mod images;
mod insertions;
mod judge;
mod links;
mod memory;
pub mod modular;
pub mod predicates;
pub mod roles;
pub mod run;
mod search;
pub mod settings;
pub mod slots;
mod step;
mod values;

pub use settings::{ENTRY, Settings};

use attempt::Attempt;
use heapwise_cells::describe::unasked_ends;
use heapwise_cells::live::Retention;
use heapwise_cells::program::{CellProgram, Command, Point, VariableStorage};
use heapwise_cells::translate::{Calls, Links, Translation, translate_within};
use heapwise_cells::{Issue, Suspect};
use heapwise_confirm::{ConcreteProbe, Confirmer, is_leak};
use heapwise_engine::reason::{Assumption, ContractGap, Element, LimitGap, Note};
use heapwise_engine::{
    AllocationFailure, Certainty, Control, Engine, Finding, Gap, Kind, Options, Outcome, Stats, Stopped,
};
use heapwise_ir::entity::{EntitySet, SecondaryMap};
use heapwise_ir::{Program, Span};
use judge::add_seen;
use modular::ContractUse;
use run::{Fixpoint, RunOptions, Suspicion, run};

/// The engine `tvl`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TvlEngine {
    /// Its settings.
    pub settings: Settings,
}

/// Everything a run computed, for dumps and tests.
pub struct CheckedProgram {
    /// The cell program.
    pub translation: Translation,
    /// The structures of each point.
    pub fixpoint: Fixpoint,
    /// How they were joined and named.
    pub attempt: Attempt,
}

impl Engine for TvlEngine {
    fn name(&self) -> &'static str {
        "tvl"
    }

    fn check(&self, program: &Program, options: &Options, control: &Control) -> Outcome {
        self.check_all(program, options, control)
    }
}

impl TvlEngine {
    /// The structures of every location.
    pub fn analyse(&self, program: &Program, options: &Options, control: &Control) -> CheckedProgram {
        self.analyse_once(program, options, control, self.settings.join.first())
    }

    /// The structures of every location, computed in one way.
    pub fn analyse_once(
        &self,
        program: &Program,
        options: &Options,
        control: &Control,
        attempt: Attempt,
    ) -> CheckedProgram {
        let translation = self.translation(program, options, control);
        let fixpoint = self.run(&translation, Retention::Live, control, attempt);
        CheckedProgram { translation, fixpoint, attempt }
    }

    /// The cell program that the engine runs on.
    pub fn translation(&self, program: &Program, options: &Options, control: &Control) -> Translation {
        let calls = match self.settings.contracts {
            ContractUse::Modular | ContractUse::Trusted => Calls::ByContract,
            ContractUse::Ignored => Calls::Procedures,
        };
        translate_within(program, options, Links::Every, calls, control)
    }

    fn run(&self, translation: &Translation, retention: Retention, control: &Control, attempt: Attempt) -> Fixpoint {
        let Settings { shape, transformer, .. } = self.settings;
        let options = RunOptions { attempt, shape, retention, transformer };
        run(&translation.program, &translation.liveness, options, control)
    }

    /// Judges what the analysis suspects, each suspicion by itself.
    pub fn conclude(
        &self,
        program: &Program,
        options: &Options,
        control: &Control,
        analysis: &CheckedProgram,
    ) -> Outcome {
        self.conclude_with(program, options, control, analysis, &ConcreteProbe::none())
    }

    fn conclude_with(
        &self,
        program: &Program,
        options: &Options,
        control: &Control,
        analysis: &CheckedProgram,
        probe: &ConcreteProbe<'_>,
    ) -> Outcome {
        let CheckedProgram { translation, fixpoint, .. } = analysis;
        let confirmer = Confirmer { program, options, control };
        let mut outcome = Outcome::default();
        if options.allocation_failure == AllocationFailure::Never {
            outcome.assumptions.push(Assumption::AllocationSucceeds);
        }
        if translation.exhausted.is_some() {
            outcome.stopped = translation.stopped();
            add_seen(probe, &mut outcome);
            return outcome;
        }
        self.account(program, options, analysis, &mut outcome);
        let mut suspects = suspects(options, translation, fixpoint);
        match LossPolicy::choose(options, fixpoint, &suspects, probe) {
            LossPolicy::Confirm => {
                let lost = losses(options, translation, fixpoint);
                let confirmed = judge::confirm_losses(confirmer, translation, lost.clone(), judge::SEARCHES);
                if confirmed.is_empty() {
                    suspects.extend(lost);
                }
                outcome.findings.extend(confirmed);
            }
            LossPolicy::AlreadyShown => {}
            LossPolicy::Stop => outcome.notes.push(Note::EndedAtErrors),
            LossPolicy::SecondPass => {
                let second = self.second_pass(confirmer, analysis, probe, &mut outcome);
                suspects.extend(
                    second.map_or_else(Vec::new, |second| {
                        losses_of_second_pass(options, analysis, &second, &mut outcome)
                    }),
                );
            }
            LossPolicy::AsFound => suspects.extend(losses(options, translation, fixpoint)),
        }
        outcome.gaps.sort();
        outcome.gaps.dedup();
        judge::judge(self.settings, confirmer, translation, suspects, probe, &mut outcome);
        let is_confirmed = |finding: &Finding| finding.certainty == Certainty::Confirmed;
        if fixpoint.exhausted.is_some() && outcome.findings.iter().any(is_confirmed) {
            // What an analysis that did not end suspects besides says nothing: the heap is broken already.
            outcome.findings.retain(is_confirmed);
        }
        outcome
    }

    /// What was reached, what could not be followed, and what the user should know of the run.
    fn account(&self, program: &Program, options: &Options, analysis: &CheckedProgram, outcome: &mut Outcome) {
        let CheckedProgram { translation, fixpoint, .. } = analysis;
        outcome.reached = translation.reached_functions(program, |point| fixpoint.n_structures(point) > 0);
        outcome.stats = Stats { elements: fixpoint.n_elements(), locations: fixpoint.n_reached() };
        let known = translation.gaps.iter().map(|(span, reason)| Gap { span: *span, reason: reason.clone() });
        outcome.gaps.extend(known);
        gaps(translation, fixpoint, outcome);
        outcome.notes.extend(roles::misfit(&translation.program, self.settings.shape));
        unasked_losses(options, translation, fixpoint, outcome);
        endless_bodies(options, translation, fixpoint, outcome);
        unasked_breaks(options, translation, fixpoint, outcome);
        let ends = fixpoint.suspicions.iter().map(|found| (found.step, &found.issue));
        outcome.notes.extend(unasked_ends(options, &translation.program, ends));
        outcome.notes.extend(fixpoint.notes.iter().cloned());
    }
}

/// What is done about cells that a run seems to lose.
enum LossPolicy {
    /// They are suspects as they are: none is lost where a dead variable may still have held it.
    AsFound,
    /// The run did not end: a concrete run must show them.
    Confirm,
    /// The same, and one has shown a leak already, which is reported as such.
    AlreadyShown,
    /// A concrete run shows a leak, and other errors are suspected: more would be worked out in vain.
    Stop,
    /// A second pass says whether variables still held them.
    SecondPass,
}

impl LossPolicy {
    fn choose(options: &Options, fixpoint: &Fixpoint, suspects: &[Suspect], probe: &ConcreteProbe<'_>) -> LossPolicy {
        let is_asked = options.asks_for(Kind::Leak) || options.asks_for(Kind::LeakAtExit);
        let is_suspected = fixpoint.suspicions.iter().any(|suspicion| suspicion.issue == Issue::Lost);
        if !is_asked || !is_suspected {
            LossPolicy::AsFound
        } else if fixpoint.exhausted.is_some() {
            if probe.shown_far().iter().any(is_leak) { LossPolicy::AlreadyShown } else { LossPolicy::Confirm }
        } else if !suspects.is_empty() && probe.shown().iter().any(is_leak) {
            LossPolicy::Stop
        } else {
            LossPolicy::SecondPass
        }
    }
}

/// What a second pass leaves of the losses, and what it could not follow.
fn losses_of_second_pass(
    options: &Options,
    analysis: &CheckedProgram,
    second: &Fixpoint,
    outcome: &mut Outcome,
) -> Vec<Suspect> {
    let CheckedProgram { translation, fixpoint, .. } = analysis;
    outcome.notes.push(Note::SecondPass { elements: second.n_elements(), of: Element::Structure });
    gaps(translation, second, outcome);
    let mut suspects = Vec::new();
    if second.exhausted.is_some() && outcome.findings.is_empty() {
        suspects.extend(losses(options, translation, fixpoint));
    }
    suspects.extend(losses(options, translation, second));
    suspects
}

impl TvlEngine {
    /// Dead variables may still have held what was lost: a run that keeps them says where. Often a few will do. Where there
    /// is no end of structures and concrete runs lose cells, those leaks are reported, and it stops there.
    fn second_pass(
        &self,
        confirmer: Confirmer<'_>,
        analysis: &CheckedProgram,
        probe: &ConcreteProbe<'_>,
        outcome: &mut Outcome,
    ) -> Option<Fixpoint> {
        let Confirmer { options, control, .. } = confirmer;
        let CheckedProgram { translation, attempt, .. } = analysis;
        let is_lost = |found: &Suspicion| found.issue == Issue::Lost;
        for most in [Some(attempt::GLANCE), None] {
            let within = most.map_or_else(|| control.clone(), |most| control.with_elements(most));
            let few = self.run(translation, Retention::Passed, &within, *attempt);
            let is_whole = few.exhausted.is_none();
            if is_whole && !few.suspicions.iter().any(is_lost) {
                return Some(few);
            }
            let shown = if is_whole { probe.shown() } else { probe.shown_far() };
            if shown.iter().any(is_leak) {
                outcome.notes.push(Note::EndedAtErrors);
                return None;
            }
            if is_whole {
                break;
            }
            let lost = losses(options, translation, &few);
            let confirmed = judge::confirm_losses(confirmer, translation, lost, 1);
            if !confirmed.is_empty() {
                outcome.findings.extend(confirmed);
                outcome.notes.push(Note::EndedAtErrors);
                return None;
            }
        }
        Some(self.run(translation, Retention::Holders, control, *attempt))
    }
}

/// What a run could not follow.
fn gaps(translation: &Translation, fixpoint: &Fixpoint, outcome: &mut Outcome) {
    if outcome.stopped.is_none() {
        outcome.stopped = stopped(translation, fixpoint);
    }
    if fixpoint.too_large {
        outcome.gaps.push(Gap { span: Span::NONE, reason: LimitGap::JoinTooLarge.into() });
    }
    for suspicion in &fixpoint.suspicions {
        if let Issue::Gap(reason) = &suspicion.issue {
            let span = translation.program.steps[suspicion.step].span;
            outcome.gaps.push(Gap { span, reason: reason.clone() });
        }
    }
}

/// What ran out during a run, and where most of its structures are.
fn stopped(translation: &Translation, fixpoint: &Fixpoint) -> Option<Stopped> {
    let why = fixpoint.exhausted?;
    Some(translation.stopped_in_run(why, |point| fixpoint.n_structures(point), Element::Structure))
}

/// Claims speak of all cells, also of those that a body loses: where nobody asks about leaks, losses are gaps.
fn unasked_losses(options: &Options, translation: &Translation, fixpoint: &Fixpoint, outcome: &mut Outcome) {
    let steps = &translation.program.steps;
    let is_body = steps.values().any(|step| matches!(step.command, Command::Enter { .. }));
    if options.asks_for(Kind::Leak) || !is_body {
        return;
    }
    for suspicion in fixpoint.suspicions.iter().filter(|suspicion| suspicion.issue == Issue::Lost) {
        outcome.gaps.push(Gap { span: steps[suspicion.step].span, reason: ContractGap::CellLost.into() });
    }
}

/// A body that stays in a loop without end never comes to where its contract is asked for: what it gave up before is a gap.
fn endless_bodies(options: &Options, translation: &Translation, fixpoint: &Fixpoint, outcome: &mut Outcome) {
    let program = &translation.program;
    let is_body = program.steps.values().any(|step| matches!(step.command, Command::Enter { .. }));
    if !options.asks_for(Kind::Leak) || !is_body {
        return;
    }
    let changes = |command: &Command| match command {
        Command::Store { .. } | Command::Free { .. } | Command::Contract { .. } | Command::Call { .. } => true,
        other => other.writes().is_some_and(|var| program.vars[var].storage == VariableStorage::Global),
    };
    let ends = |command: &Command| {
        matches!(command, Command::Leave { .. } | Command::End(_) | Command::Fail { .. } | Command::Gap { .. })
    };
    let last = program.steps.values().filter(|step| ends(&step.command)).map(|step| step.from);
    let ending = reaching(program, last);
    for step in program.steps.values() {
        let is_stuck = fixpoint.n_structures(step.to) > 0 && !ending.contains(step.to);
        if is_stuck && reaching(program, [step.to]).iter().any(|from| leads_to_change(program, from, &changes)) {
            outcome.gaps.push(Gap { span: step.span, reason: ContractGap::CellLost.into() });
        }
    }
    outcome.gaps.sort();
    outcome.gaps.dedup();
}

/// Whether a step from here changes what cells or globals hold.
fn leads_to_change(program: &CellProgram, from: Point, changes: &impl Fn(&Command) -> bool) -> bool {
    program.outgoing[from].iter().any(|step| changes(&program.steps[*step].command))
}

/// The points from which one of these is reached, themselves among them.
fn reaching(program: &CellProgram, to: impl IntoIterator<Item = Point>) -> EntitySet<Point> {
    let mut incoming: SecondaryMap<Point, Vec<Point>> = SecondaryMap::new();
    program.steps.values().for_each(|step| incoming[step.to].push(step.from));
    let mut worklist: Vec<Point> = to.into_iter().collect();
    let mut found = EntitySet::new();
    worklist.iter().for_each(|point| {
        found.insert(*point);
    });
    while let Some(point) = worklist.pop() {
        worklist.extend(incoming[point].iter().copied().filter(|from| found.insert(*from)));
    }
    found
}

/// Calls go by contracts whether or not anybody asks about them: those that may not be kept are gaps then.
fn unasked_breaks(options: &Options, translation: &Translation, fixpoint: &Fixpoint, outcome: &mut Outcome) {
    if options.asks_for(Kind::Shape) {
        return;
    }
    for suspicion in &fixpoint.suspicions {
        if let Issue::Broken(breach) = &suspicion.issue {
            let span = translation.program.steps[suspicion.step].span;
            outcome.gaps.push(Gap { span, reason: ContractGap::Breach(breach.clone()).into() });
        }
    }
}

/// The errors that a fixpoint shows, without losses.
fn suspects(options: &Options, translation: &Translation, fixpoint: &Fixpoint) -> Vec<Suspect> {
    let asked = |issue: &Issue| match issue {
        Issue::Error(kind) => options.asks_for(*kind),
        Issue::Broken(_) => options.asks_for(Kind::Shape),
        Issue::Lost | Issue::StillReachable | Issue::Gap(_) => false,
    };
    suspects_if(translation, fixpoint, asked)
}

/// The leaks that a fixpoint shows.
fn losses(options: &Options, translation: &Translation, fixpoint: &Fixpoint) -> Vec<Suspect> {
    let asked = |issue: &Issue| match issue {
        Issue::Lost => options.asks_for(Kind::Leak),
        Issue::StillReachable => options.asks_for(Kind::LeakAtExit),
        Issue::Error(_) | Issue::Broken(_) | Issue::Gap(_) => false,
    };
    suspects_if(translation, fixpoint, asked)
}

fn suspects_if(translation: &Translation, fixpoint: &Fixpoint, asked: impl Fn(&Issue) -> bool) -> Vec<Suspect> {
    let found = fixpoint.suspicions.iter().filter(|suspicion| asked(&suspicion.issue));
    found
        .map(|suspicion| Suspect {
            step: suspicion.step,
            issue: suspicion.issue.clone(),
            path: fixpoint.path(suspicion),
            heap: matches!(suspicion.issue, Issue::Broken(_))
                .then(|| draw::before(&translation.program, fixpoint, suspicion)),
        })
        .collect()
}
