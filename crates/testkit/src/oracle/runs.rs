//! Which runs of a program are looked at.

use heapwise_interp::{Chooser, Machine, Observer, Question, RunError, Script, run};

/// How many runs, and how long. All choices are tried in order first; random runs get further into the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Runs in which the choices are tried one after the other, the shortest first.
    pub systematic_runs: usize,
    /// Runs with random choices.
    pub random_runs: u64,
    /// Steps of a run.
    pub max_steps: u64,
}

impl Effort {
    /// Some milliseconds per program.
    pub const QUICK: Effort = Effort { systematic_runs: 64, random_runs: 16, max_steps: 200 };

    /// Runs the program; every state goes to `observer`. Returns the errors that runs showed.
    pub(super) fn runs(&self, machine: &Machine<'_>, observer: &mut dyn Observer) -> Vec<RunError> {
        let mut errors = Vec::new();
        let mut scripts = std::collections::VecDeque::from([Vec::new()]);
        for _ in 0..self.systematic_runs {
            let Some(decisions) = scripts.pop_front() else { break };
            let mut script = Script::new(decisions.clone());
            let run = run(machine, &mut script, Some(observer), self.max_steps);
            errors.extend(run.all_errors().cloned());
            if let Some(asked) = script.take_asked() {
                for answer in asked.answers() {
                    let mut longer = decisions.clone();
                    longer.push(answer);
                    scripts.push_back(longer);
                }
            }
        }
        // Nothing is left to choose: random runs would be the same again.
        if scripts.is_empty() {
            return errors;
        }
        for seed in 0..self.random_runs {
            let run = run(machine, &mut Dice { state: seed }, Some(observer), self.max_steps);
            errors.extend(run.all_errors().cloned());
        }
        errors
    }
}

/// Chooses at random; one allocation in four fails.
struct Dice {
    state: u64,
}

impl Dice {
    /// splitmix64
    fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.state;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((value ^ (value >> 31)) % limit.max(1) as u64) as usize
    }
}

impl Chooser for Dice {
    fn option(&mut self, question: Question, n: usize) -> Option<usize> {
        Some(match question {
            Question::Allocation => usize::from(self.below(4) == 0),
            Question::Branch | Question::Input | Question::Arguments | Question::Address => self.below(n),
        })
    }

    fn value(&mut self, low: i128, high: i128, candidates: &[i128]) -> Option<i128> {
        let fallback = 0i128.clamp(low, high);
        Some(if candidates.is_empty() { fallback } else { candidates[self.below(candidates.len())] })
    }
}
