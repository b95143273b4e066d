//! Budgets and cancellation. Running out gives *unknown*, never *safe*.

use crate::early::EarlyFindings;
use crate::finding::Finding;
use crate::options::Options;
use std::borrow::Cow;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How much a run may use.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Budget {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Bytes of memory that the process holds. An engine that counts its own bytes stops at this many, too.
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

/// A flag that whoever looks at the memory of the process raises while it is more than the budget. An engine does no
/// input or output, so it cannot look by itself.
#[derive(Clone, Default, Debug)]
pub struct MemoryAlarm(Arc<AtomicBool>);

impl MemoryAlarm {
    /// Says whether the process holds more than it may.
    pub fn set(&self, is_over: bool) {
        self.0.store(is_over, Ordering::Relaxed);
    }

    /// What was said last.
    pub fn is_over(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What ran out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
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

/// A running budget.
#[derive(Clone, Debug)]
pub struct Control {
    budget: Budget,
    cancel: Cancel,
    alarm: MemoryAlarm,
    early: Option<EarlyFindings>,
    started: Instant,
}

impl Control {
    /// Starts the clock.
    pub fn start(budget: Budget, cancel: Cancel) -> Control {
        Control { budget, cancel, alarm: MemoryAlarm::default(), early: None, started: Instant::now() }
    }

    /// The same run, which also stops when this alarm is raised.
    pub fn with_alarm(self, alarm: MemoryAlarm) -> Control {
        Control { alarm, ..self }
    }

    /// The same run, which hands out there what it confirms on its way.
    pub fn with_early_findings(self, early: EarlyFindings) -> Control {
        Control { early: Some(early), ..self }
    }

    /// Hands out a finding that answers `options`. Engines do so as soon as a run has shown it: it is not lost then if the
    /// engine does not come to its end.
    pub fn hand_out(&self, options: &Options, finding: &Finding) {
        if let Some(early) = &self.early {
            early.take(options, finding);
        }
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
        if self.alarm.is_over() || self.budget.memory.is_some_and(|limit| bytes > limit) {
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
        Control { budget: Budget { time, ..self.budget }, ..self.clone() }
    }

    /// The same, with so many elements at most.
    pub fn with_elements(&self, most: u64) -> Control {
        let elements = Some(self.budget.elements.map_or(most, |own| own.min(most)));
        Control { budget: Budget { elements, ..self.budget }, ..self.clone() }
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

/// A budget that a long computation asks for in its loops: the clock is read every few hundred calls only, and what ran
/// out stays so. What is computed behind it is not complete and must be thrown away, with [`BudgetMeter::end`].
#[derive(Debug)]
pub struct BudgetMeter<'c> {
    control: Cow<'c, Control>,
    calls: Cell<u32>,
    pause: u32,
    exhausted: Cell<Option<Exhausted>>,
}

impl<'c> BudgetMeter<'c> {
    /// So many calls between two readings of the clock, unless rounds are long.
    const PAUSE: u32 = 256;

    /// Measures that budget.
    pub fn new(control: &'c Control) -> BudgetMeter<'c> {
        BudgetMeter::over(Cow::Borrowed(control))
    }

    /// The same for what outlives the place that it was made at.
    pub fn owning(control: Control) -> BudgetMeter<'static> {
        BudgetMeter::over(Cow::Owned(control))
    }

    fn over(control: Cow<'c, Control>) -> BudgetMeter<'c> {
        BudgetMeter { control, calls: Cell::new(0), pause: Self::PAUSE, exhausted: Cell::new(None) }
    }

    /// The same with the clock read at every so many calls: for loops whose rounds may be long, and mostly are not.
    pub fn every(self, pause: u32) -> BudgetMeter<'c> {
        BudgetMeter { pause, ..self }
    }

    /// Whether the computation must stop.
    pub fn is_over(&self) -> bool {
        let calls = self.calls.get();
        self.calls.set(calls.wrapping_add(1));
        if calls.is_multiple_of(self.pause) { self.is_over_now() } else { self.exhausted.get().is_some() }
    }

    /// The same, for loops whose rounds are long.
    pub fn is_over_now(&self) -> bool {
        if self.exhausted.get().is_none() {
            self.exhausted.set(self.control.check(0, 0).err());
        }
        self.exhausted.get().is_some()
    }

    /// The same as a result, for computations that have none if they are stopped.
    pub fn check(&self) -> Result<(), Exhausted> {
        if self.is_over() { self.end() } else { Ok(()) }
    }

    /// The same, for loops whose rounds are long.
    pub fn check_now(&self) -> Result<(), Exhausted> {
        if self.is_over_now() { self.end() } else { Ok(()) }
    }

    /// How often it was asked.
    pub fn calls(&self) -> u32 {
        self.calls.get()
    }

    /// What ran out, if anything did on the way.
    pub fn end(&self) -> Result<(), Exhausted> {
        self.exhausted.get().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alarm_stops_a_run_whatever_it_counts_itself_and_parts_of_it_too() {
        let alarm = MemoryAlarm::default();
        let control = Control::unlimited().with_alarm(alarm.clone());
        let part = control.part(1, 2).with_elements(7);
        assert_eq!(part.check(0, u64::MAX), Ok(()));
        alarm.set(true);
        assert_eq!(part.check(0, 0), Err(Exhausted::Memory));
        alarm.set(false);
        assert_eq!(part.check(8, 0), Err(Exhausted::Elements));
    }

    #[test]
    fn a_meter_remembers_what_ran_out() {
        let cancel = Cancel::default();
        let control = Control::start(Budget::default(), cancel.clone());
        let meter = BudgetMeter::new(&control);
        assert!(!meter.is_over());
        cancel.cancel();
        let calls = (0..2 * BudgetMeter::PAUSE).take_while(|_| !meter.is_over()).count();
        assert!(calls < BudgetMeter::PAUSE as usize);
        assert_eq!(meter.end(), Err(Exhausted::Cancelled));
        assert_eq!(meter.check(), Err(Exhausted::Cancelled));
    }
}
