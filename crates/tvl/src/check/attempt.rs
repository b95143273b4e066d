//! Which join a program is analysed with. A partial join settles most programs with few structures. Where it leaves a
//! doubt, every structure is kept apart as far as time allows; where it does not come to an end, structures are kept
//! apart by names alone. What is reported is one attempt's answer, not a mixture.

use super::TvlEngine;
use crate::join::Join;
use heapwise_engine::{Certainty, Control, Options, Outcome};
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

impl JoinChoice {
    /// What is tried first.
    pub fn first(self) -> Grouping {
        match self {
            JoinChoice::Automatic => Grouping::Facts(Join::Partial),
            JoinChoice::Fixed(join) => Grouping::Facts(join),
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
        let automatic = self.settings.join == JoinChoice::Automatic;
        let part = if automatic { control.part(FIRST_TENTHS, 10) } else { control.clone() };
        let (first, ended) = self.attempt(program, entry, options, &part, self.settings.join.first());
        let next = match ended {
            Ended::Doubtful if automatic => Grouping::Facts(Join::Relational),
            Ended::Exhausted if automatic => Grouping::Names,
            Ended::Settled | Ended::Doubtful | Ended::Exhausted => return first,
        };
        let (mut second, ended) = self.attempt(program, entry, options, control, next);
        let is_better = match next {
            Grouping::Facts(_) => doubts(&second) < doubts(&first),
            Grouping::Names => true,
        };
        if ended == Ended::Exhausted || !is_better {
            return first;
        }
        second.notes.push(match next {
            Grouping::Facts(_) => "analysed twice: the second time with every structure apart".to_owned(),
            Grouping::Names => "analysed twice: the second time with fewer structures kept apart".to_owned(),
        });
        second
    }

    fn attempt(
        &self,
        program: &Program,
        entry: &Options,
        options: &Options,
        control: &Control,
        grouping: Grouping,
    ) -> (Outcome, Ended) {
        let analysis = self.analyse_grouped(program, entry, control, grouping);
        let outcome = self.conclude(program, options, control, &analysis);
        let confirmed = outcome.findings.iter().any(|finding| finding.certainty == Certainty::Confirmed);
        let ended = if analysis.fixpoint.exhausted.is_some() {
            Ended::Exhausted
        } else if doubts(&outcome) > 0 && !confirmed {
            Ended::Doubtful
        } else {
            Ended::Settled
        };
        (outcome, ended)
    }
}

/// Findings that no run shows.
fn doubts(outcome: &Outcome) -> usize {
    outcome.findings.iter().filter(|finding| finding.certainty == Certainty::Possible).count()
}
