//! What was not tried, which limit was met, what went wrong.

use crate::control::Exhausted;

/// Which inputs are not tried.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum InputGap {
    /// Program arguments: tried with up to two of at most seven bytes.
    ProgramArguments,
    /// An input of 16 bytes is tried with small values only.
    WideInteger,
    /// A floating-point input is tried with a few values only.
    Float,
    /// An input with many values is tried with a few of them only.
    ManyValues,
    /// Texts of the library are tried with up to seven bytes.
    LibraryText,
    /// Text of any length is read into an object of fixed size: only what fits is tried.
    LongText,
    /// Bytes of an input that is not known any more.
    Forgotten,
    /// A choice that was given does not fit.
    NotOpen,
}

/// Which runs are not tried.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SearchGap {
    /// A run without any choice was left.
    LongRun {
        /// After so many steps.
        steps: u64,
    },
    /// Runs part at a place again and again.
    RunsPart {
        /// So often.
        times: u64,
    },
    /// Not every run was tried.
    NotAll,
}

/// Which limit of an abstraction was met.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LimitGap {
    /// A structure needs more than 64 individuals.
    StructureTooLarge,
    /// A joined structure needs more than 64 individuals.
    JoinTooLarge,
    /// A budget ran out before there was anything to run on.
    Translation {
        /// Which one.
        why: Exhausted,
    },
}

/// What heapwise itself did not do.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DefectGap {
    /// No engine was asked.
    NoEngine,
    /// An engine was left behind.
    NotAtItsEnd {
        /// The engine.
        engine: String,
    },
    /// A run of the explicit search could not be made again.
    RunNotRepeated,
    /// A pass broke its law.
    NoValueOnSomeWay {
        /// The variable.
        variable: String,
    },
}
