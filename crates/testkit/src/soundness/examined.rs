//! Who is examined, and what its *safe* speaks of.

use super::{Shown, sanitizers};
use heapwise_engine::{Engine, Kind, Options, SubjectStorage};

/// An engine, under the name that its problems are told with.
pub struct Examined {
    /// The name.
    pub name: &'static str,
    /// The engine.
    pub engine: Box<dyn Engine>,
    /// What it is asked for.
    pub claim: Claim,
}

/// What *safe* speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// Every kind of error that is asked for by default.
    AllKinds,
    /// Heap cells that are lost, freed twice or wrongly, or used when they are freed, up to the first error of another kind.
    HeapCells,
}

impl Claim {
    /// The same question about these kinds alone.
    pub(super) fn question(self, options: &Options) -> Options {
        let mut question = options.clone();
        question.properties.retain(|kind| self.speaks_of(*kind));
        question
    }

    fn speaks_of(self, kind: Kind) -> bool {
        match (self, kind) {
            (Claim::AllKinds, _) => true,
            (Claim::HeapCells, Kind::Leak | Kind::DoubleFree | Kind::InvalidFree | Kind::UseAfterFree) => true,
            (
                Claim::HeapCells,
                Kind::NullDereference
                | Kind::LeakAtExit
                | Kind::OutOfBounds
                | Kind::Uninitialised
                | Kind::DanglingReturn
                | Kind::DivisionByZero
                | Kind::Overflow
                | Kind::Assertion
                | Kind::Shape,
            ) => false,
        }
    }

    /// Whether an error that a run shows stands against *safe*.
    pub(super) fn is_broken_by(self, shown: &Shown) -> bool {
        match self {
            Claim::AllKinds => true,
            Claim::HeapCells => self.speaks_of(shown.kind) && shown.storage != Some(SubjectStorage::Local),
        }
    }

    /// Whether a report of a sanitizer does.
    pub(super) fn is_broken_by_report(self, report: &str) -> bool {
        match self {
            Claim::AllKinds => true,
            // `attempting double-free`, `attempting free on address`, `detected memory leaks`.
            Claim::HeapCells => {
                matches!(sanitizers::class(report), "heap-use-after-free" | "attempting" | "detected")
            }
        }
    }
}
