//! What an engine is asked.

use crate::finding::Kind;
use heapwise_ir::FunctionId;

/// Whether `malloc` and kin may return null.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AllocationFailure {
    /// They may: error paths are real.
    Possible,
    /// They never do: an assumption that is printed with the verdict.
    Never,
}

/// What becomes of the time that is left where more of it would hardly help.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Patience {
    /// An engine may give up before: nobody should wait for a minute where nothing is to be hoped for.
    #[default]
    WhileItHelps,
    /// It is used: whoever gives a time wants it used.
    UntilTimeIsUp,
}

/// What is asked about a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Where execution starts. Parameters of an entry function are inputs; `main`'s are a well-formed `argc`/`argv`.
    pub entry: FunctionId,
    /// The kinds of error that count, sorted.
    pub properties: Vec<Kind>,
    /// Whether allocation may fail.
    pub allocation_failure: AllocationFailure,
    /// Whether time is used up.
    pub patience: Patience,
    /// Seed of the random parts.
    pub seed: u64,
}

impl Options {
    /// All kinds but [`Kind::LeakAtExit`], allocation may fail.
    pub fn new(entry: FunctionId) -> Options {
        Options {
            entry,
            properties: Kind::asked_by_default(),
            allocation_failure: AllocationFailure::Possible,
            patience: Patience::default(),
            seed: 0,
        }
    }

    /// Whether errors of this kind count.
    pub fn asks_for(&self, kind: Kind) -> bool {
        self.properties.contains(&kind)
    }
}
