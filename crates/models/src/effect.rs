//! What a call of a modelled function does.
//!
//! Parameters are named by position, counted from 0, as the C prototype has them (before hidden parameters).

use heapwise_ir::{ExternEffects, Failure, Format, InitialContents, ResultRange, Storage};

/// What a call does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Makes a fresh object.
    Allocate(Allocate),
    /// Frees the object that a parameter points to; null is allowed and does nothing.
    Deallocate {
        /// The parameter.
        pointer: u32,
    },
    /// Makes an object grow or shrink, moving it.
    Reallocate(Reallocate),
    /// `getline`: `*pointer` is null or a heap object; afterwards it is the same, or the old object is freed and a
    /// fresh one of at least one byte is there. Its bytes are any. The result of the call is any value.
    GrowBuffer {
        /// The parameter that points to the pointer.
        pointer: u32,
        /// The parameter that points to the capacity, which is then any value.
        capacity: u32,
        /// The parameter from which it reads.
        stream: Option<u32>,
    },
    /// Copies bytes, pointers among them included; source and target may overlap.
    Copy {
        /// The parameter that says where to.
        to: u32,
        /// The parameter that says where from.
        from: u32,
        /// How many.
        bytes: CopyLength,
        /// What the call returns.
        returns: CopyResult,
    },
    /// Sets bytes.
    Fill {
        /// The parameter that says where.
        to: u32,
        /// To what.
        byte: FillByte,
        /// How many.
        bytes: Size,
        /// What the call returns.
        returns: CopyResult,
    },
    /// Makes a fresh object that holds the bytes of another one.
    Duplicate(Duplicate),
    /// A failed assertion (`__assert_fail`, `reach_error`): a finding wherever it is reached.
    AssertionFailure,
    /// Execution goes on only if the parameter is not zero.
    Assume {
        /// The parameter.
        parameter: u32,
    },
    /// The result is any value of its type; nothing else happens.
    Nondet,
    /// Stays a call, with these effects.
    Extern(ExternEffects),
}

/// What surrounds a call that stays one: the front end makes instructions of it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CallParts {
    /// Arguments that the model is about: with others the call is a gap.
    pub only_if: Option<ArgumentTest>,
    /// Arguments with which the call does not come back: the program is gone, as by a signal.
    pub ends: Option<ArgumentTest>,
    /// Arguments with which it may not come back. Whether it does is not a run's to choose.
    pub may_end: Option<ArgumentTest>,
    /// An array that it reads and writes.
    pub elements: Option<Elements>,
    /// A result that it never gives.
    pub never: Option<Never>,
    /// Texts that it looks at.
    pub texts: Vec<Texts>,
    /// Where it stores a pointer to storage of the library if it succeeds.
    pub gives: Option<Gift>,
    /// The parameter whose very value is the result, where that is not null (`localtime_r`).
    pub returns_unless_null: Option<u32>,
    /// The parameter whose storage it opens anew (`freopen`): the result is that very argument, or null, and then the storage may
    /// be gone.
    pub reopens: Option<u32>,
}

/// A result that a call with certain arguments never gives (`waitpid` without options: zero).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Never {
    /// The result.
    pub result: i64,
    /// The arguments.
    pub test: ArgumentTest,
}

/// Texts that a call looks at beside what its dereferences say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Texts {
    /// The one that a parameter points to.
    Parameter(u32),
    /// Those of a list of pointers that ends with null; nothing is read where the list is null and that is allowed.
    List {
        /// The parameter that points to the first one.
        parameter: u32,
        /// What null means there.
        null: heapwise_ir::NullArgument,
    },
    /// The arguments from this position on, up to one that is null (`execl`).
    Arguments(u32),
}

/// A pointer to storage of the library that a call stores (`getaddrinfo`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gift {
    /// The parameter that says where.
    pub parameter: u32,
    /// Whether it may be null.
    pub null: heapwise_ir::NullResult,
}

/// A condition on an argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArgumentTest {
    /// The parameter.
    pub parameter: u32,
    /// Whether the argument is one of the values, or none of them.
    pub membership: Membership,
    /// The values.
    pub values: Vec<i64>,
}

/// Whether something is in a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Membership {
    /// It is.
    OneOf,
    /// It is not.
    NoneOf,
}

/// An array that a call reads before it does anything, and writes if it succeeds ([`ExternEffects::success`]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Elements {
    /// The parameter that points to the first one; its type says what they are.
    pub pointer: u32,
    /// How many there are.
    pub count: ElementCount,
    /// The members of each that are read.
    pub reads: Vec<String>,
    /// The members of each that are written. None: elements are numbers, and written whole.
    pub writes: Vec<String>,
    /// What is written lies in here.
    pub range: Option<ResultRange>,
}

/// How many elements there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ElementCount {
    /// So many.
    Constant(u32),
    /// The value of a parameter.
    Parameter(u32),
}

/// Makes a fresh object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Allocate {
    /// Its size.
    pub bytes: Size,
    /// What it holds.
    pub contents: InitialContents,
    /// It holds zeros instead if a bit of an argument is set (Linux' `__GFP_ZERO`).
    pub zero_flag: Option<ZeroFlag>,
    /// Whether the allocation may fail.
    pub failure: Failure,
    /// What a size of zero means.
    pub zero: ZeroAllocation,
    /// Heap, or the caller's frame (`alloca`).
    pub storage: Storage,
    /// Where its address goes.
    pub destination: Destination,
    /// What its address is a multiple of. With a destination ([`Destination::OutParameter`]) an argument must be a power of two and a
    /// multiple of the size of a pointer: with any other value it fails (`posix_memalign`).
    pub alignment: Option<Alignment>,
    /// The parameter that is a format string (`asprintf`).
    pub format: Option<Format>,
    /// The function that prints by this format into a buffer of a size (`snprintf`): the fresh object holds what it
    /// prints, and the result is its length.
    pub printed_by: Option<String>,
}

/// What an address is a multiple of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alignment {
    /// This power of two (`valloc`: a page).
    Constant(u64),
    /// The value of a parameter, where that is a power of two (`memalign`).
    Parameter(u32),
}

/// Bits of an argument of which one asks for zeros.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ZeroFlag {
    /// The parameter.
    pub parameter: u32,
    /// The bits.
    pub mask: u64,
}

/// What an allocation of zero bytes does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ZeroAllocation {
    /// Makes an object of no bytes (or fails, where it may).
    Object,
    /// Returns null (`g_malloc`).
    Null,
}

/// A number of bytes. Products that overflow do not wrap: no object is that large, so the allocation fails (or, where
/// it never fails, does not return).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// So many.
    Constant(u64),
    /// The value of a parameter.
    Parameter(u32),
    /// The product of two parameters.
    Product(u32, u32),
    /// Any number that is at least one (`asprintf`).
    Any,
}

/// How many bytes a copy moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CopyLength {
    /// So many.
    Bytes(Size),
    /// The string at the source, its terminator included (`strcpy`).
    String,
}

/// Where the address of a fresh object goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Destination {
    /// It is the result; null on failure.
    Return,
    /// It is stored where a parameter points; on failure nothing is stored. The result tells which.
    OutParameter {
        /// The parameter.
        parameter: u32,
        /// What the result is on success; on failure it is any other value.
        success: OutSuccess,
    },
}

/// Which results mean that an allocation went well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutSuccess {
    /// Zero (`posix_memalign`).
    Zero,
    /// Not negative (`asprintf`).
    NonNegative,
    /// Not zero.
    NonZero,
}

/// Makes an object grow or shrink. A null `pointer` makes a fresh object. On success the old object is freed and the
/// common bytes are in the new one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reallocate {
    /// The parameter that points to the old object.
    pub pointer: u32,
    /// The new size.
    pub bytes: Size,
    /// What the bytes that the old object did not have hold.
    pub contents: InitialContents,
    /// Whether it may fail and return null.
    pub failure: Failure,
    /// What becomes of the old object on failure.
    pub old_on_failure: OldObject,
    /// What a size of zero means.
    pub zero: ZeroSize,
}

/// What becomes of the old object when a reallocation fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OldObject {
    /// It stays as it was (`realloc`).
    Kept,
    /// It is freed (`reallocf`).
    Freed,
}

/// What a reallocation to zero bytes does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ZeroSize {
    /// Frees the old object and returns null; where there is no old object, makes one of no bytes (glibc's `realloc`).
    Frees,
    /// Frees the old object, if there is one, and returns null (`g_realloc`).
    Null,
    /// Makes an object, as any other size does (`xrealloc`).
    Allocates,
}

/// What a copy or fill returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CopyResult {
    /// Nothing that may be relied on (or `void`).
    Nothing,
    /// The value of a parameter (`memcpy`).
    Argument(u32),
    /// The target plus the number of bytes (`mempcpy`).
    End,
}

/// What bytes are set to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FillByte {
    /// This one.
    Constant(u8),
    /// The low eight bits of a parameter.
    Parameter(u32),
    /// Any bytes: input.
    Any,
}

/// Makes a fresh heap object that holds the bytes of another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Duplicate {
    /// The original.
    pub from: Original,
    /// How much of it.
    pub length: DuplicateLength,
    /// What a null original means.
    pub null: heapwise_ir::NullArgument,
    /// Whether it may fail and return null.
    pub failure: Failure,
    /// Heap, or the caller's frame (`strdupa`).
    pub storage: Storage,
}

/// What a fresh object gets its bytes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Original {
    /// The object that a parameter points to.
    Parameter(u32),
    /// A text that the library makes; null where it has none (`realpath`).
    Library,
}

/// How much a duplication copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DuplicateLength {
    /// The string, its terminator included.
    String,
    /// At most so many characters of the string as the parameter says, and a terminator.
    StringUpTo(u32),
    /// As many bytes as this says.
    Bytes(Size),
}
