//! What of pointers, objects, bytes and numbers is not followed.

/// What of pointers is not followed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PointerGap {
    /// A pointer may hold one of many addresses.
    ManyAddresses,
    /// A pointer leaves its object.
    LeavesObject,
    /// A pointer to a local outlives a call of a recursive function.
    OutlivesRecursiveCall,
    /// What is dereferenced may be something else than a cell of a list.
    DereferencedBesideListCells,
    /// What is dereferenced may be something else than a heap cell.
    DereferencedBesideHeapCells,
    /// What is freed may be something else than a cell of a list.
    FreedBesideListCells,
    /// What is freed may be something else than a heap cell.
    FreedBesideHeapCells,
    /// What is freed is not followed.
    FreedUnfollowed,
    /// A pointer to the inside of a cell.
    IntoCell,
    /// A pointer to a cell is converted.
    BecomesInteger,
    /// A cell goes to a function that may do anything with it.
    HandedOver,
    /// An integer is used as a pointer.
    FromInteger,
    /// An input is used as a pointer.
    FromInput,
    /// A pointer that may be anything is dereferenced.
    NondeterministicDereferenced,
    /// A pointer that may be anything is freed.
    NondeterministicFreed,
    /// A pointer that may be anything is compared.
    NondeterministicCompared,
    /// A pointer that may be anything is computed with.
    NondeterministicBits,
    /// The bits of an address are computed with.
    AddressBits,
    /// The address of storage of the library is computed with.
    LibraryAddressBits,
    /// Two addresses within the library are compared.
    LibraryAddressesCompared,
    /// Which of two addresses is the lower one is asked, and one of them is the library's.
    LibraryAddressOrder,
    /// Which of two functions lies lower is asked.
    FunctionAddressOrder,
    /// The address of what the library has given up is compared.
    ClosedStreamCompared,
    /// What is freed is an integer.
    FreedNoPointer,
    /// A pointer may lead to too many cells.
    ManyCells,
    /// A pointer to somewhere in an object is tried with a few offsets.
    FewOffsets,
    /// Arithmetic in steps of a type without size.
    IncompleteArithmetic,
    /// A difference in steps of a type without size.
    IncompleteDifference,
    /// The address of a fresh object goes into an integer.
    AllocatedIntoInteger,
}

/// What of objects and their bytes is not followed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MemoryGap {
    /// An object of unknown size is accessed.
    UnknownSizeAccessed,
    /// An aggregate of unknown size is copied.
    UnknownSizeCopied,
    /// A block of unknown size is allocated.
    UnknownSizeAllocated,
    /// An array on the heap, or less than one element.
    ArrayAllocated {
        /// The type of an element.
        element: String,
    },
    /// An array of pointers on the heap.
    PointerArrayAllocated {
        /// The variable.
        variable: String,
    },
    /// Several objects of one `alloca` exist at a time.
    SeveralAllocas,
    /// A local's storage ends that is not known.
    UnknownLocalEnds,
    /// An index lies outside its array.
    IndexOutside,
    /// An array is accessed at an index that is not known.
    UnknownIndex,
    /// The address of an element is taken at an index that is not known.
    ElementAddress,
    /// A function is accessed as data.
    FunctionAsData,
    /// A function is written to.
    FunctionWritten,
    /// An object is copied over itself.
    CopiedOverItself,
    /// Bytes are copied between cells.
    BytesBetweenCells,
    /// Part of a variable, an array or a union is accessed.
    Part,
    /// A function of the library looks at part of a variable, an array or a union.
    PartByLibrary,
    /// A pointer to a cell is stored where it is not followed.
    CellUntracked,
    /// A value that may be uninitialised is stored where that is not followed.
    NoValueUntracked,
    /// Padding of a record is read, which may hold no value.
    PaddingRead,
    /// Bytes are laid over a field of which it is not known whether they were ever written.
    PerhapsNoValue,
    /// The contents of an array in a cell are not tracked.
    ArrayInCell,
    /// Part of a link field is read.
    PartOfLinkRead,
    /// Part of a link field is written.
    PartOfLinkWritten,
    /// A pointer to a heap cell is stored in a field that is not followed.
    CellInUnfollowedField,
    /// A pointer to a heap cell is stored in a field that is not its list link.
    CellInOtherField,
    /// Links where they are not told apart.
    LinksInArray {
        /// The record.
        record: String,
    },
    /// An object is too large to follow its bytes.
    TooLargeToFollow,
    /// An object is too large to copy.
    TooLargeToCopy,
    /// A value that is no scalar is loaded.
    NoScalarLoaded,
    /// A value that is no scalar is stored.
    NoScalarStored,
    /// An object of incomplete type is copied.
    IncompleteCopied,
    /// An object of no known type is initialised.
    UnknownTypeInitialised,
    /// A local object of negative or huge size.
    HugeLocal,
    /// A value of which some bits were never written is read.
    PartlyWritten,
    /// A bit-field that was never written is read.
    BitFieldUnwritten,
    /// A path does not fit its type.
    PathMisfit,
    /// How far storage of the library goes is not known.
    LibraryStorageExtent,
    /// A text has no end.
    TextWithoutEnd,
}

/// What of arithmetic has no value that is followed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ArithmeticGap {
    /// Whether results of signed arithmetic fit is not looked at.
    OverflowNotLookedFor,
    /// The quotient does not fit its type.
    QuotientOverflow,
    /// A shift by a negative count, or by the width of its operand or more.
    ShiftCount,
    /// A number is read in a base that there is none of.
    NumberBase,
    /// An operator on a type without it.
    NoOperator,
    /// A floating-point number does not fit the integer type it is converted to.
    FloatToInteger,
    /// A `long double` that a double cannot hold.
    LongDouble,
    /// `long double` arithmetic whose result a double cannot hold.
    LongDoubleResult,
    /// `_Float128` arithmetic whose result a double cannot hold.
    Float128Result,
    /// Arithmetic of i386 whose result has more bits than its type, until it is stored.
    ExcessPrecision,
}
