//! What provers answer, how long they may take, and what they count.

use crate::Model;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The answer to "is there a finite structure that satisfies all of this?".
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is one; the built-in prover always shows it, external ones may not.
    Satisfiable(Option<Model>),
    /// There is none.
    Unsatisfiable,
    /// Not settled: the caller must take it for "perhaps".
    Unknown(Reason),
}

impl Answer {
    /// Whether there may be a structure: everything but [`Answer::Unsatisfiable`].
    #[must_use]
    pub fn may_be_satisfiable(&self) -> bool {
        !matches!(self, Answer::Unsatisfiable)
    }
}

/// Why a question was not settled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The time for the question or for the whole run is over.
    TimeLimit,
    /// The conflicts for the question are used up.
    ConflictLimit,
    /// The run was cancelled.
    Cancelled,
    /// The formula is none this prover reads; the text says what is in the way.
    OutsideFragment(String),
    /// No model of that many individuals exists, and none larger was excluded.
    NotFoundUpTo(usize),
    /// The prover answered that it does not know, or only about infinite structures.
    GaveUp(String),
    /// The prover is missing, died, or printed what cannot be read.
    Failed(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::TimeLimit => f.write_str("the time limit was reached"),
            Reason::ConflictLimit => f.write_str("the limit on conflicts was reached"),
            Reason::Cancelled => f.write_str("the run was cancelled"),
            Reason::OutsideFragment(what) => write!(f, "outside the fragment: {what}"),
            Reason::NotFoundUpTo(n) => write!(f, "no model with up to {n} individuals, and larger ones not excluded"),
            Reason::GaveUp(what) => write!(f, "the prover gave up: {what}"),
            Reason::Failed(what) => write!(f, "the prover failed: {what}"),
        }
    }
}

/// How long a prover may take and how far it may search.
#[derive(Clone, Debug)]
pub struct Limits {
    /// For one question.
    pub per_query: Duration,
    /// For everything, if so.
    pub deadline: Option<Instant>,
    /// Set from outside to stop.
    pub cancel: Option<Arc<AtomicBool>>,
    /// The largest universe that the built-in prover builds (64 at most).
    pub individuals: usize,
    /// So many conflicts the solver of the built-in prover may run into for one question, if so. Unlike time, they are the same in
    /// every run.
    pub conflicts: Option<u64>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { per_query: Duration::from_secs(2), deadline: None, cancel: None, individuals: 24, conflicts: None }
    }
}

impl Limits {
    /// When a question that starts now must end.
    pub(crate) fn end_of_query(&self) -> Instant {
        let own = Instant::now() + self.per_query;
        self.deadline.map_or(own, |deadline| own.min(deadline))
    }

    /// Why work that must end at `end` must stop now, if it must.
    pub(crate) fn exhausted(&self, end: Instant) -> Option<Reason> {
        if self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            Some(Reason::Cancelled)
        } else if Instant::now() >= end {
            Some(Reason::TimeLimit)
        } else {
            None
        }
    }
}

/// What was asked and answered.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// Sessions opened.
    pub sessions: u64,
    /// Questions answered "satisfiable".
    pub satisfiable: u64,
    /// Questions answered "unsatisfiable".
    pub unsatisfiable: u64,
    /// Questions not settled.
    pub unknown: u64,
    /// Time spent in the prover, opening sessions included.
    pub time: Duration,
    /// The reason of the first question not settled, to be shown as a note.
    pub first_unknown: Option<Reason>,
}

impl Statistics {
    /// How many questions were asked.
    #[must_use]
    pub fn queries(&self) -> u64 {
        self.satisfiable + self.unsatisfiable + self.unknown
    }

    pub(crate) fn record(&mut self, answer: &Answer, started: Instant) {
        self.time += started.elapsed();
        match answer {
            Answer::Satisfiable(_) => self.satisfiable += 1,
            Answer::Unsatisfiable => self.unsatisfiable += 1,
            Answer::Unknown(reason) => {
                self.unknown += 1;
                self.first_unknown.get_or_insert_with(|| reason.clone());
            }
        }
    }
}
