//! How a program is analysed. A partial join settles most programs with few structures. Where it leaves a doubt, cells
//! get finer names, and then every structure is kept apart, as far as time allows; where it does
//! not soon come to an end, cells get coarser names, and if that leaves a doubt, structures are kept apart by names alone. What is reported is one attempt's answer, not a mixture.

use super::TvlEngine;
use super::predicates::Naming;
use super::roles::{ShapeChoice, has_coarser_names};
use crate::join::Join;
use heapwise_confirm::{ConcreteProbe, Confirmer};
use heapwise_engine::reason::{LastAttempt, Note};
use heapwise_engine::{Certainty, Control, Exhausted, Finding, Options, Outcome};
use heapwise_ir::Program;

/// How structures of one location are joined, as asked for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum JoinChoice {
    /// As the program needs it.
    #[default]
    Automatic,
    /// Always so.
    Fixed(Join),
}

/// What structures of one location must have in common to be joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grouping {
    /// What the join says; for a partial one, what is known of named cells too.
    Facts(Join),
    /// Canonical names alone.
    Names,
}

/// How the program is looked at, once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// What is joined.
    pub grouping: Grouping,
    /// How cells are named.
    pub naming: Naming,
}

impl JoinChoice {
    /// What is tried first.
    pub fn first(self) -> Attempt {
        let join = match self {
            JoinChoice::Automatic => Join::Partial,
            JoinChoice::Fixed(join) => join,
        };
        Attempt { grouping: Grouping::Facts(join), naming: Naming::Plain }
    }

    /// What is tried after an attempt that ended so.
    fn next(self, last: Attempt, ended: Ended) -> Option<Attempt> {
        let fine = |join: Join| Some(Attempt { grouping: Grouping::Facts(join), naming: Naming::Fine });
        match (self, last.grouping, last.naming, ended) {
            (JoinChoice::Automatic, Grouping::Facts(Join::Partial), Naming::Plain, Ended::Exhausted) => {
                Some(Attempt { grouping: Grouping::Names, naming: Naming::Plain })
            }
            // One structure for everything is coarse by choice: names do not help it.
            (_, Grouping::Facts(Join::Single), _, _) => None,
            (_, Grouping::Facts(join), Naming::Plain, Ended::Doubtful) => fine(join),
            (JoinChoice::Automatic, Grouping::Facts(Join::Partial), Naming::Fine, Ended::Doubtful) => {
                fine(Join::Relational)
            }
            (_, _, _, Ended::Settled | Ended::Doubtful | Ended::Exhausted) => None,
        }
    }
}

impl Grouping {
    /// The join.
    pub fn join(self) -> Join {
        match self {
            Grouping::Facts(join) => join,
            Grouping::Names => Join::Partial,
        }
    }
}

impl Attempt {
    fn noted(self) -> LastAttempt {
        match (self.grouping, self.naming) {
            (Grouping::Names, _) | (_, Naming::Coarse) => LastAttempt::FewerApart,
            (Grouping::Facts(Join::Relational), Naming::Fine) => LastAttempt::FinerNamesAllApart,
            (Grouping::Facts(_), Naming::Fine) => LastAttempt::FinerNames,
            (Grouping::Facts(_), Naming::Plain) => LastAttempt::AllApart,
        }
    }
}

/// After so many structures, what is suspected is looked into before the analysis goes on: a heap that has lost cells often
/// has no end of shapes, and a run that shows the loss makes them beside the point.
pub(super) const GLANCE: u64 = 10_000;

/// The same where fewer names may do.
const SHORT_GLANCE: u64 = 1_000;

/// The part of the time that the first attempt may take, in tenths.
const FIRST_TENTHS: u32 = 6;

/// How an attempt ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ended {
    /// There is nothing that another join would do better.
    Settled,
    /// Something may be wrong, and no run shows it.
    Doubtful,
    /// It was stopped.
    Exhausted,
}

impl TvlEngine {
    /// Analyses the program from `entry`'s entry point and judges what is suspected.
    pub(super) fn attempt_all(
        &self,
        program: &Program,
        entry: &Options,
        options: &Options,
        control: &Control,
    ) -> Outcome {
        let mut attempt = self.settings.join.first();
        let part = match self.settings.join {
            JoinChoice::Automatic => control.part(FIRST_TENTHS, 10),
            JoinChoice::Fixed(_) => control.clone(),
        };
        // Runs of the whole program say nothing of a body that is checked by itself.
        let is_whole = entry.entry == options.entry;
        let probe =
            if is_whole { ConcreteProbe::of(Confirmer { program, options, control }) } else { ConcreteProbe::none() };
        let has_coarse = self.has_coarse_names(program, entry, control);
        let glance = part.with_elements(if has_coarse { SHORT_GLANCE } else { GLANCE });
        let (mut best, mut ended) = self.attempt(program, entry, options, (&glance, control), attempt, &probe);
        if ended == Ended::Exhausted {
            // Long runs are for what is suspected: most programs that are merely large have no error to show.
            let shown = if doubts(&best) > 0 { probe.shown_far() } else { probe.shown() };
            if !shown.is_empty() {
                best.findings = shown.to_vec();
                best.stopped.take_if(|stopped| stopped.why == Exhausted::Elements);
                best.notes.push(Note::EndedAtErrors);
                return best;
            }
        }
        if ended != Ended::Settled && has_coarse {
            let coarse = Attempt { grouping: Grouping::Facts(Join::Partial), naming: Naming::Coarse };
            let within = part.with_elements(GLANCE);
            let (mut outcome, ended) = self.attempt(program, entry, options, (&within, control), coarse, &probe);
            if ended == Ended::Settled {
                outcome.notes.push(Note::Attempts { attempts: 2, last: coarse.noted() });
                return outcome;
            }
        }
        if ended == Ended::Exhausted {
            let seen = best.stats;
            (best, ended) = self.attempt(program, entry, options, (&part, control), attempt, &probe);
            if best.stats.elements < seen.elements {
                best.stats = seen;
            }
        }
        let mut n_attempts = 1;
        while let Some(next) = self.settings.join.next(attempt, ended) {
            let after = ended;
            let (outcome, next_ended) = self.attempt(program, entry, options, (control, control), next, &probe);
            n_attempts += 1;
            (attempt, ended) = (next, next_ended);
            let is_better = after == Ended::Exhausted || doubts(&outcome) < doubts(&best);
            if ended != Ended::Exhausted && is_better {
                best = outcome;
                best.notes.push(Note::Attempts { attempts: n_attempts, last: attempt.noted() });
            }
        }
        best
    }

    /// Where lists hold lists, or cells have links beside those that hold the heap together, most names answer no question that is asked:
    /// with fewer of them there may soon be an end, and no doubt.
    fn has_coarse_names(&self, program: &Program, entry: &Options, control: &Control) -> bool {
        if self.settings.join != JoinChoice::Automatic || self.settings.shape != ShapeChoice::Inferred {
            return false;
        }
        let cells = self.translation(program, entry, control).program;
        cells.procedures.is_empty() && cells.contracts.is_empty() && has_coarser_names(&cells)
    }

    /// One attempt in its part of the time. What it suspects when that is over is looked into with what is left of all.
    fn attempt(
        &self,
        program: &Program,
        entry: &Options,
        options: &Options,
        (part, control): (&Control, &Control),
        attempt: Attempt,
        probe: &ConcreteProbe<'_>,
    ) -> (Outcome, Ended) {
        let analysis = self.analyse_once(program, entry, part, attempt);
        let is_exhausted = analysis.translation.exhausted.or(analysis.fixpoint.exhausted).is_some();
        let rest = if is_exhausted { control } else { part };
        let mut outcome = self.conclude_with(program, options, rest, &analysis, probe);
        let confirmed = outcome.findings.iter().any(is_confirmed);
        if confirmed {
            leave_out_doubts(&mut outcome);
        }
        if is_exhausted && confirmed {
            outcome.stopped = None;
            outcome.notes.push(Note::EndedAtErrors);
        }
        let ended = if is_exhausted && !confirmed {
            Ended::Exhausted
        } else if doubts(&outcome) > 0 && !confirmed {
            Ended::Doubtful
        } else {
            Ended::Settled
        };
        (outcome, ended)
    }
}

fn is_confirmed(finding: &Finding) -> bool {
    finding.certainty == Certainty::Confirmed
}

/// Beside errors that runs show, what is only possible is mostly what the broken heap looks like afterwards.
fn leave_out_doubts(outcome: &mut Outcome) {
    let doubts = doubts(outcome);
    if doubts > 0 {
        outcome.findings.retain(is_confirmed);
        outcome.notes.push(Note::LeftOut { findings: doubts });
    }
}

/// Findings that no run shows.
fn doubts(outcome: &Outcome) -> usize {
    outcome.findings.iter().filter(|finding| finding.certainty == Certainty::Possible).count()
}
