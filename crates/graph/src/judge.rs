//! From suspicions to findings: search for a concrete way, refine what has none, put the rest into words.

use crate::decompose::Grouping;
use crate::engine::{Analysis, GraphEngine};
use crate::run::{Fixpoint, RunOptions, Suspicion, run};
use crate::search::search;
use crate::settings::{Feasibility, Mode, Settings};
use heapwise_cells::atom::Var;
use heapwise_cells::live::Retention;
use heapwise_cells::program::{CellProgram, Command};
use heapwise_cells::search::SearchLimits;
use heapwise_cells::{Issue, Suspect, Suspected, suspected};
use heapwise_confirm::{Confirmer, Effort, report_possible};
use heapwise_engine::refinement::{Refinement, RefinementResult, RefinementStep};
use heapwise_engine::{Control, Finding, Outcome};

/// An error that may be real, with one line of the abstract way to it: through the parents of the first composition.
pub(crate) fn suspect(fixpoint: &Fixpoint, suspicion: &Suspicion) -> Suspect {
    let mut path = vec![suspicion.step];
    let mut at = suspicion.compositions.first().and_then(|composition| composition.first()).copied();
    while let Some((step, parent)) = at.and_then(|fact| fixpoint.fact(fact).parent) {
        path.push(step);
        at = Some(parent);
    }
    path.reverse();
    Suspect { step: suspicion.step, issue: suspicion.issue.clone(), path, heap: None }
}

/// How far a search for a concrete way goes.
const LIMITS: SearchLimits = SearchLimits { cells: 12, states: 60_000 };

/// Reports the suspects that survive: those that a concrete run shows, and those that no refinement excludes.
pub(crate) fn judge(
    settings: Settings,
    confirmer: Confirmer<'_>,
    analysis: &mut Analysis,
    suspects: Vec<Suspect>,
    outcome: &mut Outcome,
) {
    let list = &analysis.translation.program;
    let look = |suspect: &Suspected<'_>| confirm(confirmer, analysis, suspect);
    let doubtful = heapwise_confirm::judge(suspected(list, suspects), &mut outcome.findings, look);
    let mut doubtful: Vec<Suspect> = doubtful.into_iter().map(|suspected| suspected.suspect).collect();
    if settings.feasibility == Feasibility::Exact && !doubtful.is_empty() {
        doubtful = refine(settings, analysis, confirmer.control, doubtful, outcome);
    }
    report_possible(suspected(&analysis.translation.program, doubtful), &mut outcome.findings);
}

/// Looks for a concrete run: first among concrete lists, then with `interp` along the way that was found.
fn confirm(confirmer: Confirmer<'_>, analysis: &Analysis, suspected: &Suspected<'_>) -> Option<Finding> {
    let Suspect { step, issue, .. } = &suspected.suspect;
    let liveness = &analysis.translation.liveness;
    let path = search(suspected.cells, liveness, *step, issue, LIMITS, confirmer.control)?;
    suspected.confirm(confirmer, &path, Effort::Search)
}

/// What a refinement tracks more precisely.
struct Rerun {
    what: Refinement,
    grouping: Grouping,
    exact_length: u8,
}

/// Segments up to this length are told apart where a finding needs it.
const REFINED_LENGTH: u8 = 3;

/// What is tried, one after the other: the correlation among the variables that the ways to the suspects compare, then
/// longer segments, then the correlation of everything.
fn refinements(settings: Settings, program: &CellProgram, suspects: &[Suspect]) -> Vec<Rerun> {
    let longer = |grouping| Rerun {
        what: Refinement::ExactLength(REFINED_LENGTH.into()),
        grouping,
        exact_length: REFINED_LENGTH,
    };
    match settings.mode {
        Mode::Full => vec![longer(Grouping::Whole)],
        Mode::Decomposed => {
            let group = correlated(program, suspects);
            let what = Refinement::Together(group.len());
            vec![
                Rerun { what, grouping: Grouping::Components(vec![group]), exact_length: 1 },
                longer(Grouping::decomposed()),
                Rerun { what: Refinement::AllTogether, grouping: Grouping::Whole, exact_length: 1 },
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
        if left.is_empty() || control.check(0, 0).is_err() {
            break;
        }
        let has_loss = left.iter().any(|suspect| matches!(suspect.issue, Issue::Lost | Issue::StillReachable));
        let retention = if has_loss { Retention::Holders } else { Retention::Live };
        let Rerun { what, grouping, exact_length } = refinement;
        let options = RunOptions { grouping, retention, exact_length };
        let heapwise_cells::translate::Translation { program, liveness, .. } = &analysis.translation;
        let fixpoint = run(program, liveness, &mut analysis.store, options, control);
        if fixpoint.exhausted.is_some() {
            outcome.refinements.push(RefinementStep { because: None, refinement: what, result: RefinementResult::Cut });
            continue;
        }
        let engine = GraphEngine::default();
        let before = left.len();
        left.retain(|suspect| {
            fixpoint.suspicions.iter().any(|suspicion| {
                suspicion.step == suspect.step
                    && suspicion.issue == suspect.issue
                    && engine.is_real(analysis, &fixpoint, suspicion, control)
            })
        });
        let excluded = before - left.len();
        let (elements, suspicions) = (fixpoint.n_elements, before);
        let result = RefinementResult::Done { elements, excluded, suspicions };
        outcome.refinements.push(RefinementStep { because: None, refinement: what, result });
    }
    left
}

/// The variables that the ways to the suspects compare or read through.
fn correlated(program: &CellProgram, suspects: &[Suspect]) -> Vec<Var> {
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
