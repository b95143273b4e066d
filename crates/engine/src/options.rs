//! What an engine is asked.

use crate::finding::Kind;
use heapwise_ir::{FileId, FunctionId};

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

/// What the function is in which execution starts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Start {
    /// A function of the program.
    #[default]
    Function,
    /// A caller that was made for a function of the program: it hands in arguments that its types and tests allow.
    ValidArguments(HandedIn),
    /// A caller that was made for a library: it calls the exported functions in any order, and hands in what it got from them. It
    /// uses nothing that a function has freed, which its text does not say: no run of it confirms anything.
    AnyCaller,
}

/// How much of what the arguments of a function lead to its caller made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HandedIn {
    /// All of it.
    Whole,
    /// What lies deeper is any memory, or there are pointers to any function: what is found may rest on what no caller hands in.
    Part,
}

/// The cells that are followed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Followed {
    /// Those of all allocations.
    #[default]
    All,
    /// Those of the allocations on one line.
    Line(FileId, u32),
}

/// What is asked about a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Where execution starts. Parameters of an entry function are inputs; `main`'s are a well-formed `argc`/`argv`.
    pub entry: FunctionId,
    /// What that function is.
    pub start: Start,
    /// Which heap cells are followed, for an engine that follows one at a time.
    pub followed: Followed,
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
    /// The kinds of [`Kind::asked_by_default`], allocation may fail.
    pub fn new(entry: FunctionId) -> Options {
        Options {
            entry,
            start: Start::default(),
            followed: Followed::default(),
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
