//! From suspicions to findings: search for a concrete way, put the rest into words.

use super::Settings;
use super::predicates::Naming;
use super::probe::ConcreteProbe;
use super::run::stepper;
use super::search::{SearchLimits, search};
use heapwise_cells::Issue;
use heapwise_cells::confirm::{Effort, confirm, confirm_loss};
use heapwise_cells::describe::{issue_message, trace};
use heapwise_cells::live::Retention;
use heapwise_cells::program::{CellProgram, Command, StepId};
use heapwise_cells::translate::Translation;
use heapwise_engine::{Certainty, Control, Drawing, Finding, Kind, Options, Outcome, Subject};
use heapwise_ir::Program;

/// An error that may be real, with the abstract way to it.
#[derive(Clone, Debug)]
pub struct Suspect {
    /// The step that fails.
    pub step: StepId,
    /// What.
    pub issue: Issue,
    /// Steps from the start of the program, the failing one last.
    pub path: Vec<StepId>,
    /// The heap that shows it, where the words alone do not.
    pub heap: Option<Drawing>,
}

/// How far a search for a concrete way goes.
const LIMITS: SearchLimits = SearchLimits { cells: 10, states: 1_000 };

/// How many suspects are looked into in vain: where nothing holds together, ever more of them tell a reader nothing.
pub const SEARCHES: usize = 3;

/// Reports the suspects: confirmed where a concrete run shows them. Runs along the suspected path come first, then
/// what short runs show anywhere, then a search of its own.
pub fn judge(
    settings: Settings,
    (program, options, control): (&Program, &Options, &Control),
    translation: &Translation,
    mut suspects: Vec<Suspect>,
    probe: &ConcreteProbe<'_>,
    outcome: &mut Outcome,
) {
    let cells = &translation.program;
    if suspects.is_empty() {
        add_seen(probe, outcome);
        return;
    }
    suspects.sort_by_key(|suspect| (cells.steps[suspect.step].span, suspect.issue.kind(), suspect.step));
    let mut concrete =
        stepper(cells, &translation.liveness, settings.shape, Retention::Holders, Naming::Plain, control).ok();
    let mut doubtful: Vec<Suspect> = Vec::new();
    let mut fruitless = 0;
    for suspect in suspects {
        if outcome.findings.iter().any(|finding| is_at(finding, cells, &suspect)) {
            continue;
        }
        let kind = suspect.issue.kind();
        let effort = if probe.is_open() { Effort::Glance } else { Effort::Search };
        let along = |path: &[StepId]| confirm(program, options, control, cells, path, kind, effort);
        // By contracts and through recursion there is no flat path to be searched for: the place alone must do.
        let by_place = || along(&suspect.path[suspect.path.len() - 1..]);
        let seen = || probe.shown().iter().find(|finding| is_at(finding, cells, &suspect)).cloned();
        let found = along(&suspect.path).or_else(seen).or_else(|| {
            if !probe.shown().is_empty() {
                return None;
            }
            if !cells.contracts.is_empty() || !cells.procedures.is_empty() {
                return by_place();
            }
            if fruitless >= SEARCHES {
                return None;
            }
            let path = search(concrete.as_mut()?, suspect.step, &suspect.issue, LIMITS, control)?;
            along(&path)
        });
        match found {
            Some(finding) => {
                doubtful.retain(|other| !is_at(&finding, cells, other));
                outcome.findings.push(finding);
            }
            None => {
                fruitless += 1;
                doubtful.push(suspect);
            }
        }
    }
    add_seen(probe, outcome);
    let misused = outcome.findings.iter().any(|finding| {
        finding.certainty == Certainty::Confirmed && matches!(finding.kind, Kind::UseAfterFree | Kind::DoubleFree)
    });
    for suspect in doubtful {
        // What is used after it was freed has no leak besides: what the freed cell led to is the same error.
        let by_free = matches!(cells.steps[suspect.step].command, Command::Free { .. });
        if misused && suspect.issue == Issue::Lost && by_free {
            continue;
        }
        if !outcome.findings.iter().any(|finding| is_at(finding, cells, &suspect)) {
            outcome.findings.push(possible(cells, &suspect));
        }
    }
    outcome.findings.sort_by_key(|finding| (finding.span, finding.kind));
}

/// What runs have shown that nobody suspected at that place.
pub(super) fn add_seen(probe: &ConcreteProbe<'_>, outcome: &mut Outcome) {
    for finding in probe.seen() {
        let is_same = |other: &Finding| {
            (other.kind, other.span, other.function) == (finding.kind, finding.span, finding.function)
        };
        if !outcome.findings.iter().any(is_same) {
            outcome.findings.push(finding.clone());
        }
    }
    outcome.findings.sort_by_key(|finding| (finding.span, finding.kind));
}

/// Looks for concrete runs that lose cells, until so many were looked for in vain.
pub fn confirm_losses(
    program: &Program,
    options: &Options,
    control: &Control,
    translation: &Translation,
    mut suspects: Vec<Suspect>,
    in_vain: usize,
) -> Vec<Finding> {
    let cells = &translation.program;
    suspects.retain(|suspect| suspect.issue == Issue::Lost);
    suspects.sort_by_key(|suspect| (cells.steps[suspect.step].span, suspect.step));
    suspects.dedup_by_key(|suspect| cells.steps[suspect.step].span);
    let mut confirmed: Vec<Finding> = Vec::new();
    let mut fruitless = 0;
    for suspect in suspects {
        if fruitless == in_vain {
            break;
        }
        match confirm_loss(program, options, control, cells, &suspect.path) {
            None => fruitless += 1,
            Some(finding) => {
                let is_same = |other: &Finding| (other.span, other.function) == (finding.span, finding.function);
                if !confirmed.iter().any(is_same) {
                    confirmed.push(finding);
                }
            }
        }
    }
    confirmed
}

/// Whether a finding is about the same error at the same place (in any call string).
fn is_at(finding: &Finding, cells: &CellProgram, suspect: &Suspect) -> bool {
    let step = &cells.steps[suspect.step];
    let function = cells.frames[step.frame as usize].function;
    (finding.kind, finding.span, finding.function) == (suspect.issue.kind(), step.span, function)
}

/// A finding that no run was found for.
fn possible(cells: &CellProgram, suspect: &Suspect) -> Finding {
    let step = &cells.steps[suspect.step];
    let message = issue_message(cells, step, &suspect.issue);
    let function = cells.frames[step.frame as usize].function;
    let mut trace = trace(cells, &suspect.path, &message);
    if let Some(last) = trace.last_mut() {
        last.heap.clone_from(&suspect.heap);
    }
    Finding {
        kind: suspect.issue.kind(),
        certainty: Certainty::Possible,
        span: step.span,
        function,
        message,
        trace,
        choices: Vec::new(),
        about: Subject::default(),
        also: Vec::new(),
    }
}
