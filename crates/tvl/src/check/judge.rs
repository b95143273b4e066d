//! From suspicions to findings: search for a concrete way, put the rest into words.

use super::Settings;
use super::predicates::Naming;
use super::run::stepper;
use super::search::search;
use heapwise_cells::live::Retention;
use heapwise_cells::program::StepId;
use heapwise_cells::search::SearchLimits;
use heapwise_cells::translate::Translation;
use heapwise_cells::{Issue, Suspect, Suspected, edge_path, suspected};
use heapwise_confirm::{ConcreteProbe, Confirmer, Effort, is_about, report_possible};
use heapwise_engine::{Finding, Outcome};
use std::cell::Cell;

/// How far a search for a concrete way goes.
const LIMITS: SearchLimits = SearchLimits { cells: 10, states: 1_000 };

/// How many suspects are looked into in vain: where nothing holds together, ever more of them tell a reader nothing.
pub const SEARCHES: usize = 3;

/// Reports the suspects: confirmed where a concrete run shows them. Runs along the suspected path come first, then
/// what short runs show anywhere, then a search of its own.
pub fn judge(
    settings: Settings,
    confirmer: Confirmer<'_>,
    translation: &Translation,
    suspects: Vec<Suspect>,
    probe: &ConcreteProbe<'_>,
    outcome: &mut Outcome,
) {
    let cells = &translation.program;
    if suspects.is_empty() {
        add_seen(probe, outcome);
        return;
    }
    let control = confirmer.control;
    let mut concrete =
        stepper(cells, &translation.liveness, settings.shape, Retention::Holders, Naming::Plain, control).ok();
    let effort = if probe.is_open() { Effort::Glance } else { Effort::Search };
    let fruitless = Cell::new(0);
    let mut look = |suspected: &Suspected<'_>| {
        let Suspect { step, issue, path, .. } = &suspected.suspect;
        let along = |path: &[StepId]| suspected.confirm(confirmer, path, effort);
        if let Some(finding) = along(path) {
            return Some(finding);
        }
        let shown = probe.shown();
        if !shown.is_empty() {
            return shown.iter().find(|finding| is_about(finding, suspected)).cloned();
        }
        // By contracts and through recursion there is no flat path to be searched for: the place alone must do.
        if !cells.contracts.is_empty() || !cells.procedures.is_empty() {
            return along(&path[path.len() - 1..]);
        }
        if fruitless.get() >= SEARCHES {
            return None;
        }
        along(&search(concrete.as_mut()?, *step, issue, LIMITS, control)?)
    };
    let doubtful = heapwise_confirm::judge(suspected(cells, suspects), &mut outcome.findings, |suspected| {
        let found = look(suspected);
        fruitless.set(fruitless.get() + usize::from(found.is_none()));
        found
    });
    add_seen(probe, outcome);
    report_possible(doubtful, &mut outcome.findings);
}

/// What runs have shown that nobody suspected at that place.
pub(super) fn add_seen(probe: &ConcreteProbe<'_>, outcome: &mut Outcome) {
    for finding in probe.seen() {
        heapwise_confirm::add(&mut outcome.findings, finding.clone());
    }
    outcome.findings.sort_by_key(|finding| (finding.span, finding.kind));
}

/// Looks for concrete runs that lose cells, until so many were looked for in vain.
pub fn confirm_losses(
    confirmer: Confirmer<'_>,
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
        match confirmer.loss(&edge_path(confirmer.program, cells, &suspect.path)) {
            None => fruitless += 1,
            Some(finding) => heapwise_confirm::add(&mut confirmed, finding),
        }
    }
    confirmed
}
