//! Where the time of an examination goes.

use std::fmt;
use std::time::{Duration, Instant};

/// What is done with a program beside asking engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Reading it.
    FrontEnd,
    /// Runs of `interp`.
    Runs,
    /// The lock-step test.
    LockStep,
    /// gcc.
    Compiling,
    /// Runs of what gcc made.
    CompiledRuns,
}

impl Stage {
    /// All of them.
    pub const ALL: [Stage; 5] = [Stage::FrontEnd, Stage::Runs, Stage::LockStep, Stage::Compiling, Stage::CompiledRuns];
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stage::FrontEnd => "front end",
            Stage::Runs => "runs of interp",
            Stage::LockStep => "lock-step",
            Stage::Compiling => "gcc",
            Stage::CompiledRuns => "compiled runs",
        })
    }
}

/// The time of each stage.
#[derive(Clone, Copy, Default, Debug)]
pub struct Spent([Duration; Stage::ALL.len()]);

impl Spent {
    /// Does some work of a stage.
    pub(super) fn time<T>(&mut self, stage: Stage, work: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let result = work();
        self.0[stage as usize] += begun.elapsed();
        result
    }

    /// What a stage took.
    pub fn of(&self, stage: Stage) -> Duration {
        self.0[stage as usize]
    }

    /// Adds what else was spent.
    pub(super) fn add(&mut self, other: &Spent) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, time)| *sum += time);
    }

    /// A share of work for several programs.
    pub(super) fn add_share(&mut self, stage: Stage, time: Duration) {
        self.0[stage as usize] += time;
    }
}
