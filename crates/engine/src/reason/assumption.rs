//! What a verdict rests on.

/// What a verdict assumes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Assumption {
    /// The function in which execution starts gets arguments that its types and tests allow.
    ValidArguments,
    /// No allocation ever fails.
    AllocationSucceeds,
    /// What is said of heap cells holds up to the first access out of bounds, null dereference or use of a value that was
    /// never written.
    OtherErrorsFirst,
    /// Functions keep their contracts, though nobody checked that.
    ContractsKept {
        /// The functions, at least one.
        functions: Vec<String>,
        /// Why nobody did.
        unchecked: Unchecked,
    },
}

/// Why a body was not checked against its contract.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unchecked {
    /// There is none.
    NoBody,
    /// The user said that it need not be.
    Trusted,
}
