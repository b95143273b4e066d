//! What refined shape abstractions do not see.

use crate::finding::Kind;

/// What the engine that finds its abstraction by refinement does not see.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RefineGap {
    /// Errors of this kind are not looked for.
    KindNotLookedFor {
        /// The kind.
        kind: Kind,
    },
    /// A local variable lives in memory.
    LocalInMemory,
    /// The address of a variable is a value.
    AddressOfVariable,
    /// What a global holds at first is not followed.
    InitialValue,
    /// A cell is accessed as several types.
    SeveralTypes,
    /// Two fields that are accessed share bytes.
    SharedBytes,
    /// A bit-field or an element of an array is accessed.
    PartOfField,
    /// Something is allocated that is not one cell of a known type.
    NotOneCell,
    /// An aggregate is copied.
    AggregateCopied,
    /// A value that was never written is used, and that was not asked for: any value follows.
    AnyValue,
    /// What is divided by may be zero.
    DivisorMayBeZero,
    /// A pointer goes to a function without a body.
    HandedOver,
    /// Neither pointers, nor fields, nor classes of shapes exclude the way to here.
    RefinementFailed,
    /// One way to an error here cannot be taken; others were not looked for, because an error elsewhere ended the search.
    Undecided,
    /// A class of shapes cannot be used: a defect of the library of classes.
    ClassUnusable,
    /// No class of shapes was found for a structure: no long enough heap was sampled, or none fits.
    NoClass,
}
