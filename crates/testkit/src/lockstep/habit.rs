//! Random choices with a habit: a run that is likely to say no again and again gets to the end of a long chain of
//! questions, where even odds would not.

use heapwise_interp::{Chooser, Question};

/// Of 32 answers, how many are the first option, by run.
const FIRST: [usize; 5] = [16, 30, 2, 8, 24];

/// Chooses at random.
pub(super) struct Habit {
    state: u64,
    first: usize,
}

impl Habit {
    pub(super) fn new(seed: u64) -> Habit {
        Habit { state: seed, first: FIRST[(seed % FIRST.len() as u64) as usize] }
    }

    /// splitmix64
    fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.state;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((value ^ (value >> 31)) % limit.max(1) as u64) as usize
    }
}

impl Chooser for Habit {
    fn option(&mut self, question: Question, n: usize) -> Option<usize> {
        Some(match question {
            // Allocations fail seldom, or no run gets anywhere.
            Question::Allocation => usize::from(self.below(16) == 0),
            Question::Branch | Question::Input | Question::Arguments | Question::Address => {
                if self.below(32) < self.first { 0 } else { 1 + self.below(n - 1) }
            }
        })
    }

    fn value(&mut self, low: i128, high: i128, candidates: &[i128]) -> Option<i128> {
        let fallback = 0i128.clamp(low, high);
        Some(if candidates.is_empty() { fallback } else { candidates[self.below(candidates.len())] })
    }
}
