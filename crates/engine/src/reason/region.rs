//! What tracked locations over regions do not see.

use crate::finding::Kind;

/// What the engine that follows one cell at a time does not see.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RegionGap {
    /// Errors of this kind are not looked for.
    KindNotLookedFor {
        /// The kind.
        kind: Kind,
    },
    /// Cells made here are reached from code that nothing is known of.
    Escapes,
    /// An element of an array is overwritten, freed or read, and it is not known which.
    ArrayElement,
    /// A part of a pointer is read or written.
    PiecesOfPointer,
    /// Memory is accessed that nothing is known of.
    UnknownPointer,
    /// Bytes with pointers in them are copied or overwritten, and it is not known which.
    CopiedMemory,
    /// A pointer is computed from numbers.
    ComputedPointer,
    /// A pointer to a freed cell is compared with another.
    DanglingCompared,
    /// A pointer to a freed cell is printed, perhaps what it points to.
    FormatArgument,
    /// Fields are kept apart in a callee that are one in its caller.
    CellsOfCallee,
    /// What is freed may be no heap cell, or not its start.
    FreedObject,
    /// A number becomes an address, and it is not known whether that is freed.
    FreedNumber,
    /// A cycle may be made here; if it is lost, no count becomes zero.
    Cycle,
    /// An error is not excluded on a way that is likely to be none that a run takes.
    DoubtfulWay,
    /// A function that does not return loses a cell that callers may hold.
    LostWithoutReturn,
    /// Storage of the library is handed out that ends with an argument.
    LibraryStorage,
    /// A conversion of `scanf` may put its text into a fresh heap cell (`%ms`).
    ScannedCell,
    /// Callers of a library may hand in objects that they made themselves.
    AnyCaller,
    /// The cells of other allocations are not followed.
    OtherSites,
    /// There are more registers or cells than can be numbered.
    TooLarge,
}
