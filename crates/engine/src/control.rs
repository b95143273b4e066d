//! Budgets and cancellation. Running out gives *unknown*, never *safe*.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How much a run may use.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Budget {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Bytes of memory, by the engine's own count.
    pub memory: Option<u64>,
    /// Elements (graphs, structures, states).
    pub elements: Option<u64>,
}

/// A flag that another thread may raise.
#[derive(Clone, Default, Debug)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks the run to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked to.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What ran out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exhausted {
    /// The time budget.
    Time,
    /// The memory budget.
    Memory,
    /// The element budget.
    Elements,
    /// Somebody cancelled.
    Cancelled,
}

impl std::fmt::Display for Exhausted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Exhausted::Time => "the time budget ran out",
            Exhausted::Memory => "the memory budget ran out",
            Exhausted::Elements => "the element budget ran out",
            Exhausted::Cancelled => "the run was cancelled",
        })
    }
}

/// A running budget.
#[derive(Clone, Debug)]
pub struct Control {
    budget: Budget,
    cancel: Cancel,
    started: Instant,
}

impl Control {
    /// Starts the clock.
    pub fn start(budget: Budget, cancel: Cancel) -> Control {
        Control { budget, cancel, started: Instant::now() }
    }

    /// A control that never stops a run.
    pub fn unlimited() -> Control {
        Control::start(Budget::default(), Cancel::default())
    }

    /// Whether the run must stop now. Reads the clock: call it every few hundred steps.
    pub fn check(&self, elements: u64, bytes: u64) -> Result<(), Exhausted> {
        if self.cancel.is_cancelled() {
            return Err(Exhausted::Cancelled);
        }
        if self.budget.elements.is_some_and(|limit| elements > limit) {
            return Err(Exhausted::Elements);
        }
        if self.budget.memory.is_some_and(|limit| bytes > limit) {
            return Err(Exhausted::Memory);
        }
        if self.budget.time.is_some_and(|limit| self.started.elapsed() > limit) {
            return Err(Exhausted::Time);
        }
        Ok(())
    }

    /// The same run with a part of its time, for an attempt that others may follow.
    pub fn part(&self, parts: u32, whole: u32) -> Control {
        let time = self.budget.time.map(|time| time * parts / whole.max(1));
        Control { budget: Budget { time, ..self.budget }, cancel: self.cancel.clone(), started: self.started }
    }

    /// The same, with so many elements at most.
    pub fn with_elements(&self, most: u64) -> Control {
        let elements = Some(self.budget.elements.map_or(most, |own| own.min(most)));
        Control { budget: Budget { elements, ..self.budget }, cancel: self.cancel.clone(), started: self.started }
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The budget.
    pub fn budget(&self) -> Budget {
        self.budget
    }
}
