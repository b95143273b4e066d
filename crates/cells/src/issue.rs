//! What an engine finds wrong at a step.

use heapwise_engine::Kind;
use heapwise_engine::reason::{ContractBreach, GapReason};

/// What went wrong.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Issue {
    /// An error at the command.
    Error(Kind),
    /// Cells lost their last reference.
    Lost,
    /// Cells are still referenced as the program ends.
    StillReachable,
    /// A contract is not kept.
    Broken(ContractBreach),
    /// The analysis cannot follow.
    Gap(GapReason),
}

impl Issue {
    /// The kind of finding that it becomes.
    pub fn kind(&self) -> Kind {
        match self {
            Issue::Error(kind) => *kind,
            Issue::Broken(_) => Kind::Shape,
            Issue::StillReachable => Kind::LeakAtExit,
            Issue::Lost | Issue::Gap(_) => Kind::Leak,
        }
    }
}
