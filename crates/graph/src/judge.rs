//! From suspicions to findings: search for a concrete way, refine what has none, put the rest into words.

use crate::apply::Issue;
use crate::atom::Var;
use crate::decompose::Grouping;
use crate::describe::{issue_message, trace};
use crate::engine::{Analysis, Feasibility, GraphEngine, Mode, Settings};
use crate::list::{Command, ListProgram, StepId};
use crate::live::Retention;
use crate::run::{Fixpoint, RunOptions, Suspicion, run};
use crate::search::{Bounds, search};
use heapwise_engine::{Certainty, Control, Finding, Kind, Options, Outcome};
use heapwise_ir::Program;

/// An error that may be real, with one line of the abstract way to it.
#[derive(Clone, Debug)]
pub struct Suspect {
    /// The step that fails.
    pub step: StepId,
    /// What.
    pub issue: Issue,
    /// Steps from the start of the program, the failing one last.
    pub path: Vec<StepId>,
}

impl Suspect {
    /// Picks one line through the parents of the first composition.
    pub fn new(fixpoint: &Fixpoint, suspicion: &Suspicion) -> Suspect {
        let mut path = vec![suspicion.step];
        let mut at = suspicion.compositions.first().and_then(|composition| composition.first()).copied();
        while let Some((step, parent)) = at.and_then(|fact| fixpoint.fact(fact).parent) {
            path.push(step);
            at = Some(parent);
        }
        path.reverse();
        Suspect { step: suspicion.step, issue: suspicion.issue.clone(), path }
    }

    fn kind(&self) -> Kind {
        match &self.issue {
            Issue::Error(kind) => *kind,
            Issue::StillReachable => Kind::LeakAtExit,
            Issue::Lost | Issue::Gap(_) => Kind::Leak,
        }
    }
}

/// How far a search for a concrete way goes.
const BOUNDS: Bounds = Bounds { cells: 12, states: 60_000 };

/// Reports the suspects that survive.
pub(crate) fn judge(
    settings: Settings,
    program: &Program,
    options: &Options,
    control: &Control,
    analysis: &mut Analysis,
    suspects: Vec<Suspect>,
    outcome: &mut Outcome,
) {
    let list = &analysis.translation.program;
    let liveness = &analysis.translation.liveness;
    let mut confirmed: Vec<(Suspect, Vec<StepId>, Certainty)> = Vec::new();
    let mut doubtful: Vec<Suspect> = Vec::new();
    let mut suspects = suspects;
    suspects.sort_by_key(|suspect| (list.steps[suspect.step].span, suspect.kind(), suspect.step));
    for suspect in suspects {
        let place = |step: StepId| (list.steps[step].span, list.frames[list.steps[step].frame as usize].function);
        let known = confirmed.iter().any(|(other, _, certainty)| {
            place(other.step) == place(suspect.step)
                && other.kind() == suspect.kind()
                && *certainty == Certainty::Confirmed
        });
        if known {
            continue;
        }
        match search(list, liveness, suspect.step, &suspect.issue, BOUNDS, control) {
            Some(path) => confirmed.push((suspect, path, Certainty::Possible)),
            None => doubtful.push(suspect),
        }
    }
    if settings.feasibility == Feasibility::Exact && !doubtful.is_empty() {
        doubtful = refine(settings, analysis, control, doubtful, outcome);
    }
    let list = &analysis.translation.program;
    let _ = (program, options);
    for suspect in doubtful {
        let path = suspect.path.clone();
        confirmed.push((suspect, path, Certainty::Possible));
    }
    for (suspect, path, certainty) in confirmed {
        let step = &list.steps[suspect.step];
        let message = issue_message(list, step, &suspect.issue);
        let function = list.frames[step.frame as usize].function;
        let trace = trace(list, &path, &message);
        let finding = Finding { kind: suspect.kind(), certainty, span: step.span, function, message, trace };
        let same = outcome
            .findings
            .iter_mut()
            .find(|other| (other.kind, other.span, other.function) == (finding.kind, finding.span, finding.function));
        match same {
            Some(other) if other.certainty == Certainty::Possible && certainty == Certainty::Confirmed => {
                *other = finding
            }
            Some(_) => {}
            None => outcome.findings.push(finding),
        }
    }
    outcome.findings.sort_by_key(|finding| (finding.span, finding.kind));
}

/// What a refinement tracks more precisely.
struct Refinement {
    what: String,
    grouping: Grouping,
    exact_length: u8,
}

/// Segments up to this length are told apart where a finding needs it.
const REFINED_LENGTH: u8 = 3;

/// What is tried, one after the other: the correlation among the variables that the ways to the suspects compare, then
/// longer segments, then the correlation of everything.
fn refinements(settings: Settings, program: &ListProgram, suspects: &[Suspect]) -> Vec<Refinement> {
    let longer = |grouping| Refinement {
        what: format!("segments told apart up to length {REFINED_LENGTH}"),
        grouping,
        exact_length: REFINED_LENGTH,
    };
    match settings.mode {
        Mode::Full => vec![longer(Grouping::Whole)],
        Mode::Decomposed => {
            let group = correlated(program, suspects);
            let what = format!("{} variables tracked together", group.len());
            vec![
                Refinement { what, grouping: Grouping::Components(vec![group]), exact_length: 1 },
                longer(Grouping::decomposed()),
                Refinement {
                    what: "all variables tracked together".into(),
                    grouping: Grouping::Whole,
                    exact_length: 1,
                },
                longer(Grouping::Whole),
            ]
        }
    }
}

/// Runs again with what a finding needs; keeps the suspects that are still there.
fn refine(
    settings: Settings,
    analysis: &mut Analysis,
    control: &Control,
    suspects: Vec<Suspect>,
    outcome: &mut Outcome,
) -> Vec<Suspect> {
    let mut left = suspects;
    for refinement in refinements(settings, &analysis.translation.program, &left) {
        if left.is_empty() {
            break;
        }
        let has_loss = left.iter().any(|suspect| matches!(suspect.issue, Issue::Lost | Issue::StillReachable));
        let retention = if has_loss { Retention::Holders } else { Retention::Live };
        let Refinement { what, grouping, exact_length } = refinement;
        let options = RunOptions { grouping, retention, exact_length };
        let crate::translate::Translation { program, liveness, .. } = &analysis.translation;
        let fixpoint = run(program, liveness, &mut analysis.store, options, control);
        if fixpoint.exhausted.is_some() {
            outcome.notes.push(format!("a refinement ({what}) did not end within the budget"));
            continue;
        }
        let engine = GraphEngine::default();
        let before = left.len();
        left.retain(|suspect| {
            fixpoint.suspicions.iter().any(|suspicion| {
                suspicion.step == suspect.step
                    && suspicion.issue == suspect.issue
                    && engine.is_real(analysis, &fixpoint, suspicion)
            })
        });
        let excluded = before - left.len();
        outcome.notes.push(format!(
            "refinement: {what}, {} elements, {excluded} of {before} suspicions excluded",
            fixpoint.n_elements
        ));
    }
    left
}

/// The variables that the ways to the suspects compare or read through.
fn correlated(program: &ListProgram, suspects: &[Suspect]) -> Vec<Var> {
    let mut vars: Vec<Var> = Vec::new();
    for suspect in suspects {
        vars.extend(program.steps[suspect.step].command.reads());
        for step in &suspect.path {
            if let Command::Assume { .. } = program.steps[*step].command {
                vars.extend(program.steps[*step].command.reads());
            }
        }
    }
    vars.sort_unstable();
    vars.dedup();
    vars
}
