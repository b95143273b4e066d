//! All choices of a program, those runs first that differ from the first one in the fewest of them: a way that one value of an
//! input takes among many, or that needs two addresses to coincide, is not left to chance.

use heapwise_interp::{Chooser, Decision, Question};
use std::collections::VecDeque;

/// No more runs than this wait for their turn.
const MAX_PENDING: usize = 10_000;

/// Runs that were not made yet.
pub(super) struct Systematic {
    /// How each of them starts.
    pending: VecDeque<Vec<Decision>>,
    is_complete: bool,
}

/// The choices of one run.
pub(super) struct Choices {
    /// Those that were made before.
    start: Vec<Decision>,
    /// All that were made so far.
    pub(super) made: Vec<Decision>,
    /// What else could have been chosen behind the start: the number of choices before it, and the other answer.
    others: Vec<(usize, Decision)>,
}

impl Systematic {
    pub(super) fn new() -> Systematic {
        Systematic { pending: VecDeque::from([Vec::new()]), is_complete: true }
    }

    /// The next run.
    pub(super) fn next(&mut self) -> Option<Choices> {
        let start = self.pending.pop_front()?;
        Some(Choices { start, made: Vec::new(), others: Vec::new() })
    }

    /// A run was made: those that leave its way are still to be made.
    pub(super) fn finish(&mut self, run: Choices) {
        for (before, other) in run.others {
            if self.pending.len() == MAX_PENDING {
                self.is_complete = false;
                return;
            }
            let mut start = run.made[..before].to_vec();
            start.push(other);
            self.pending.push_back(start);
        }
    }

    /// Whether there is no other run.
    pub(super) fn is_done(&self) -> bool {
        self.is_complete && self.pending.is_empty()
    }
}

impl Choices {
    /// The answer that was made before, or the first one.
    fn make(&mut self, answers: impl IntoIterator<Item = Decision>) -> Option<Decision> {
        let mut answers = answers.into_iter();
        let position = self.made.len();
        let decision = match self.start.get(position) {
            Some(decision) => *decision,
            None => {
                let first = answers.next()?;
                self.others.extend(answers.filter(|other| *other != first).map(|other| (position, other)));
                first
            }
        };
        self.made.push(decision);
        Some(decision)
    }
}

impl Chooser for Choices {
    fn option(&mut self, _question: Question, n: usize) -> Option<usize> {
        match self.make((0..n as u32).map(Decision::Option))? {
            Decision::Option(option) if (option as usize) < n => Some(option as usize),
            Decision::Option(_) | Decision::Value(_) => None,
        }
    }

    fn value(&mut self, low: i128, high: i128, candidates: &[i128]) -> Option<i128> {
        let fallback = [0i128.clamp(low, high)];
        let answers = if candidates.is_empty() { &fallback[..] } else { candidates };
        match self.make(answers.iter().copied().map(Decision::Value))? {
            Decision::Value(value) => Some(value),
            Decision::Option(_) => None,
        }
    }
}
