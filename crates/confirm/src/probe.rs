//! Short concrete runs, looked at once for all suspicions and attempts: what they show needs no search of its own.

use crate::run::{Confirmer, Distance};
use heapwise_engine::{Finding, Kind};
use std::cell::OnceCell;

/// The errors that short runs from the entry point show; they are run when somebody asks first.
pub struct ConcreteProbe<'a> {
    runs: Option<Confirmer<'a>>,
    near: OnceCell<Vec<Finding>>,
    far: OnceCell<Vec<Finding>>,
}

impl<'a> ConcreteProbe<'a> {
    /// Runs of a program.
    pub fn of(runs: Confirmer<'a>) -> ConcreteProbe<'a> {
        ConcreteProbe { runs: Some(runs), near: OnceCell::new(), far: OnceCell::new() }
    }

    /// No runs: every suspicion is looked into by itself.
    pub fn none() -> ConcreteProbe<'a> {
        ConcreteProbe { runs: None, near: OnceCell::new(), far: OnceCell::new() }
    }

    /// Whether there are runs to be looked at.
    pub fn is_open(&self) -> bool {
        self.runs.is_some()
    }

    fn run(&self, distance: Distance) -> Vec<Finding> {
        self.runs.map_or_else(Vec::new, |runs| runs.probe(distance))
    }

    /// What they show.
    pub fn shown(&self) -> &[Finding] {
        let near = self.near.get_or_init(|| self.run(Distance::Near));
        if near.is_empty() { self.far.get().map_or(near.as_slice(), Vec::as_slice) } else { near }
    }

    /// What they show, long ones too if the others show nothing.
    pub fn shown_far(&self) -> &[Finding] {
        if self.shown().is_empty() {
            self.far.get_or_init(|| self.run(Distance::Far));
        }
        self.shown()
    }

    /// What they have shown so far, if anybody asked.
    pub fn seen(&self) -> &[Finding] {
        if self.near.get().is_some() { self.shown() } else { &[] }
    }
}

/// Whether a cell is lost.
pub fn is_leak(finding: &Finding) -> bool {
    matches!(finding.kind, Kind::Leak | Kind::LeakAtExit)
}
