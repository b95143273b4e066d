//! Short concrete runs, looked at once for all suspicions and attempts: what they show needs no search of its own.

use heapwise_cells::confirm::{Distance, concrete_probe};
use heapwise_engine::{Control, Finding, Kind, Options};
use heapwise_ir::Program;
use std::cell::OnceCell;

/// The errors that short runs from the entry point show; they are run when somebody asks first.
pub(super) struct ConcreteProbe<'a> {
    whole: Option<(&'a Program, &'a Options, &'a Control)>,
    near: OnceCell<Vec<Finding>>,
    far: OnceCell<Vec<Finding>>,
}

impl<'a> ConcreteProbe<'a> {
    /// Runs of a program.
    pub(super) fn of(program: &'a Program, options: &'a Options, control: &'a Control) -> ConcreteProbe<'a> {
        ConcreteProbe { whole: Some((program, options, control)), near: OnceCell::new(), far: OnceCell::new() }
    }

    /// No runs: every suspicion is looked into by itself.
    pub(super) fn none() -> ConcreteProbe<'a> {
        ConcreteProbe { whole: None, near: OnceCell::new(), far: OnceCell::new() }
    }

    /// Whether there are runs to be looked at.
    pub(super) fn is_open(&self) -> bool {
        self.whole.is_some()
    }

    fn run(&self, distance: Distance) -> Vec<Finding> {
        match self.whole {
            Some((program, options, control)) => concrete_probe(program, options, control, distance),
            None => Vec::new(),
        }
    }

    /// What they show.
    pub(super) fn shown(&self) -> &[Finding] {
        let near = self.near.get_or_init(|| self.run(Distance::Near));
        if near.is_empty() { self.far.get().map_or(near.as_slice(), Vec::as_slice) } else { near }
    }

    /// What they show, long ones too if the others show nothing.
    pub(super) fn shown_far(&self) -> &[Finding] {
        if self.shown().is_empty() {
            self.far.get_or_init(|| self.run(Distance::Far));
        }
        self.shown()
    }

    /// What they have shown so far, if anybody asked.
    pub(super) fn seen(&self) -> &[Finding] {
        if self.near.get().is_some() { self.shown() } else { &[] }
    }
}

/// Whether a cell is lost.
pub(super) fn is_leak(finding: &Finding) -> bool {
    matches!(finding.kind, Kind::Leak | Kind::LeakAtExit)
}
