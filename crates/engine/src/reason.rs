//! Why something is not known, as data. `report` gives words to it, and hints: nothing else compares or prints
//! sentences.
//!
//! A reason names what it is about (a function, a record), not where: that is [`Gap::span`](crate::Gap).

use crate::control::Exhausted;
use crate::finding::{Certainty, Kind};
use heapwise_ir::{Span, UnsupportedReason};

/// Why an engine could not see through a place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GapReason {
    /// C text that is not lowered.
    Text(UnsupportedReason),
    /// Calls and functions.
    Call(CallGap),
    /// The heap of a call cannot be cut out of its caller's.
    Cut(CutGap),
    /// Pointers.
    Pointer(PointerGap),
    /// Objects and their bytes.
    Memory(MemoryGap),
    /// Arithmetic.
    Arithmetic(ArithmeticGap),
    /// A function of the library.
    Library {
        /// Its name.
        function: String,
        /// What of it.
        gap: LibraryGap,
    },
    /// Contracts.
    Contract(ContractGap),
    /// Shapes.
    Shape(ShapeGap),
    /// Inputs that are not tried.
    Input(InputGap),
    /// Runs that are not tried.
    Search(SearchGap),
    /// A limit of an abstraction.
    Limit(LimitGap),
    /// Symbolic heaps.
    Symbolic(SymbolicGap),
    /// Something that heapwise itself did not do.
    Defect(DefectGap),
}

impl GapReason {
    /// What of a function of the library is not followed.
    pub fn library(function: &str, gap: LibraryGap) -> GapReason {
        GapReason::Library { function: function.to_owned(), gap }
    }
}

impl From<CallGap> for GapReason {
    fn from(gap: CallGap) -> GapReason {
        GapReason::Call(gap)
    }
}

impl From<CutGap> for GapReason {
    fn from(gap: CutGap) -> GapReason {
        GapReason::Cut(gap)
    }
}

impl From<PointerGap> for GapReason {
    fn from(gap: PointerGap) -> GapReason {
        GapReason::Pointer(gap)
    }
}

impl From<MemoryGap> for GapReason {
    fn from(gap: MemoryGap) -> GapReason {
        GapReason::Memory(gap)
    }
}

impl From<ArithmeticGap> for GapReason {
    fn from(gap: ArithmeticGap) -> GapReason {
        GapReason::Arithmetic(gap)
    }
}

impl From<ContractGap> for GapReason {
    fn from(gap: ContractGap) -> GapReason {
        GapReason::Contract(gap)
    }
}

impl From<ShapeGap> for GapReason {
    fn from(gap: ShapeGap) -> GapReason {
        GapReason::Shape(gap)
    }
}

impl From<InputGap> for GapReason {
    fn from(gap: InputGap) -> GapReason {
        GapReason::Input(gap)
    }
}

impl From<SearchGap> for GapReason {
    fn from(gap: SearchGap) -> GapReason {
        GapReason::Search(gap)
    }
}

impl From<LimitGap> for GapReason {
    fn from(gap: LimitGap) -> GapReason {
        GapReason::Limit(gap)
    }
}

impl From<SymbolicGap> for GapReason {
    fn from(gap: SymbolicGap) -> GapReason {
        GapReason::Symbolic(gap)
    }
}

impl From<DefectGap> for GapReason {
    fn from(gap: DefectGap) -> GapReason {
        GapReason::Defect(gap)
    }
}

impl From<UnsupportedReason> for GapReason {
    fn from(gap: UnsupportedReason) -> GapReason {
        GapReason::Text(gap)
    }
}

impl From<MemoryGap> for ContractMisfit {
    fn from(gap: MemoryGap) -> ContractMisfit {
        ContractMisfit::Cells { gap }
    }
}

impl From<MemoryGap> for ShapeGap {
    fn from(gap: MemoryGap) -> ShapeGap {
        ShapeGap::Cells { gap }
    }
}

/// What of calls and functions is not followed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CallGap {
    /// The entry point has no body.
    EntryWithoutBody {
        /// The function.
        function: String,
    },
    /// A function has no body.
    WithoutBody {
        /// The function.
        function: String,
    },
    /// A function has no body, and no model says what it does.
    WithoutModel {
        /// The function.
        function: String,
    },
    /// The same, in a run.
    AnythingMayHappen {
        /// The function.
        function: String,
    },
    /// A run would enter a function without a body.
    NoBodyToRun {
        /// The function.
        function: String,
    },
    /// A run is in a function without a body.
    WithoutBodyRuns,
    /// A function of the library is called where it cannot be.
    CannotBeCalledHere {
        /// The function.
        function: String,
    },
    /// A function is called through a pointer that must be called by its name.
    ThroughPointer {
        /// The function.
        function: String,
    },
    /// It is not known which function a pointer names.
    UnknownTarget,
    /// A function pointer may name too many functions to look at each.
    ManyTargets {
        /// How many.
        functions: usize,
    },
    /// What is called may be no function.
    PerhapsNoFunction,
    /// A function pointer may be anything.
    NondeterministicTarget,
    /// What is called is data of the library.
    LibraryStorageCalled,
    /// A call has fewer arguments than the function has parameters.
    TooFewArguments {
        /// The function.
        function: String,
    },
    /// A function calls itself, and calls are inlined.
    Recursion {
        /// The function.
        function: String,
    },
    /// A recursive function is entered in too many ways.
    ManyForms {
        /// The function.
        function: String,
    },
    /// A recursive function is given the address of a local that is found by another way, too.
    LocalStoredElsewhere {
        /// The function.
        function: String,
    },
    /// A recursive function is given a pointer that is not followed.
    GivenUnfollowedPointer {
        /// The function.
        function: String,
    },
    /// Calls nest too deep.
    TooDeep {
        /// The limit.
        depth: usize,
    },
    /// Inlining makes the program too large.
    TooLargeInlined,
    /// A recursive call stands where none is followed.
    RecursionNotFollowed,
    /// A body is checked against its contract and calls a recursive function that has none.
    RecursionWithoutContract,
    /// A function that the library calls back does not come to its end.
    CallbackTooLong,
}

/// Why the heap of a call cannot be cut out of its caller's.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CutGap {
    /// A variable of the caller may point to several cells.
    UnclearVariable,
    /// What a variable points to may be one of several cells of the part that is cut out.
    UnclearTarget {
        /// The function.
        function: String,
    },
    /// Cells of the caller lead to cells of the call that are not told apart.
    EnteredElsewhere {
        /// The function.
        function: String,
    },
    /// Cells of the call lead back to cells of the caller, and are not told apart.
    LeadsBack {
        /// The function.
        function: String,
    },
    /// Cells of the call lead back in several ways.
    LeadsBackSeveralWays {
        /// The function.
        function: String,
    },
    /// More cutpoints than are kept.
    ManyCutpoints {
        /// The function.
        function: String,
        /// The limit.
        most: usize,
    },
}

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
    /// Division by zero.
    DivisionByZero,
    /// The quotient does not fit its type.
    QuotientOverflow,
    /// A shift by a negative count, or by the width of its operand or more.
    ShiftCount,
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
}

/// What of a function of the library is not followed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LibraryGap {
    /// What the function looks through is in a list of arguments, which is not followed.
    ArgumentList,
    /// Which conversions of the function succeed is not followed.
    Conversions,
    /// What the function does to memory is not followed.
    Effect,
    /// The function writes through a pointer that its format names.
    FormatWrites,
    /// How many bytes the function looks at is not followed.
    BytesRead,
    /// How many bytes the function writes is not followed.
    BytesWritten,
    /// How many bytes the function writes is not known.
    UnknownExtent,
    /// How many bytes the function reads is not known.
    UnknownBytesRead,
    /// Where the function writes is not known.
    UnknownTarget,
    /// What the function reads behind an argument is not followed.
    ReadUnfollowed,
    /// What the function reads behind an argument is not known.
    UnknownRead,
    /// The function may look at what was never written.
    PerhapsReadsUnwritten,
    /// The function gets a record with members that were never written, and may look at them.
    RecordUnwritten,
    /// The function gets a format that ends in the middle of a conversion.
    FormatEnds,
    /// The function gets fewer arguments than its format names.
    FewArguments,
    /// The function gets an argument that is no floating-point number.
    NoFloat,
    /// A conversion of a format that is not known.
    Conversion {
        /// Its letter.
        letter: u8,
    },
    /// The function reads text in a way that is not followed.
    ReadsText,
    /// The function reads wide characters, which is not followed.
    ReadsWideText,
    /// A nondeterministic pointer is handed to the function, which looks behind it.
    NondeterministicPointer,
}

/// What of contracts is not followed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ContractGap {
    /// A contract is not used.
    NotUsed {
        /// The function.
        function: String,
        /// Why.
        misfit: ContractMisfit,
    },
    /// The function is called with a pointer into a cell, of which contracts do not speak.
    PointerIntoCell {
        /// The function.
        function: String,
    },
    /// The engine does not check contracts.
    Unchecked {
        /// The function.
        function: String,
    },
    /// The engine follows no contract.
    NotFollowed,
    /// A contract is not known.
    Unknown,
    /// The function is called with a pointer that is neither null nor its cell.
    ArgumentNoCell {
        /// The function.
        function: String,
    },
    /// The function may be called with cells that contracts do not speak of: not initialised, or dangling.
    CalledWithOtherCells {
        /// The function.
        function: String,
    },
    /// The function may return cells whose links or data may be uninitialised, dangle or point to what is no struct; its contract cannot say so.
    LeavesIllFormed {
        /// The function.
        function: String,
    },
    /// The function may leave a global without a cell or null in it.
    LeavesGlobal {
        /// The function.
        function: String,
    },
    /// The function may return what is neither null nor a cell.
    ResultNoCell {
        /// The function.
        function: String,
    },
    /// Which cells the function frees is not clear.
    UnclearFrees {
        /// The function.
        function: String,
    },
    /// A cell may be lost here, and contracts take for granted that functions lose none.
    CellLost,
    /// A claim that may not be kept, where nobody asks about shapes.
    Breach {
        /// The claim, as its finding would say it.
        claim: String,
    },
    /// A contract that cannot be read, with the error of its parser.
    Unreadable {
        /// The error.
        error: String,
    },
    /// `old` in a claim about the start of a call.
    OldAtStart,
    /// A link of a claim does not fit its type.
    LinkMisfit,
    /// A claim about all cells of a record of which there are arrays.
    RecordInArrays,
}

/// Why a contract is not used.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ContractMisfit {
    /// A clause that cannot be read, with the error of its parser.
    Unreadable {
        /// The clause.
        clause: String,
        /// The error.
        error: String,
    },
    /// A link of a record points to what is no struct.
    LinkToNoStruct {
        /// The link.
        link: String,
        /// The record.
        record: String,
    },
    /// A record is not reached from parameters, result or globals.
    RecordNotReached {
        /// The record.
        record: String,
    },
    /// It names a link of a record that is not followed.
    UnfollowedLink {
        /// The record.
        record: String,
    },
    /// It names no parameter.
    NoParameter,
    /// It speaks of the global it, which is not followed.
    UnfollowedGlobal {
        /// The global.
        global: String,
    },
    /// It names a field that is not followed.
    UnfollowedField,
    /// Cells that it speaks of are not followed.
    Cells {
        /// Why not.
        gap: MemoryGap,
    },
}

/// What of shapes is not followed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ShapeGap {
    /// This shape is not one of singly-linked lists.
    NoList,
    /// A record is not complete.
    Incomplete {
        /// The record.
        record: String,
    },
    /// The shape names several links of a record.
    SeveralLinks {
        /// The record.
        record: String,
    },
    /// The shape names a link of a record that is not followed.
    UnfollowedLink {
        /// The record.
        record: String,
    },
    /// A tree assertion without links.
    TreeWithoutLinks,
    /// A doubly-linked assertion needs two links.
    NotTwoLinks,
    /// Cells that it speaks of are not followed.
    Cells {
        /// Why not.
        gap: MemoryGap,
    },
}

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

/// What the symbolic heaps of `overlay` do not say.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SymbolicGap {
    /// A function pointer is called that is not followed.
    UnknownFunctionCalled,
    /// Heap cells may be reachable at the end, and this engine does not say which.
    ReachableAtExit,
    /// A heap has too many cells that no predicate describes.
    TooManyCells,
    /// A function is called that was not expected here.
    UnexpectedCallee,
    /// A function is called with too few arguments.
    TooFewArguments,
    /// A path does not fit its type.
    PathDoesNotFitItsType,
    /// An index is not followed.
    IndexIsNotFollowed,
    /// An offset is too large.
    OffsetIsTooLarge,
    /// A number is not followed.
    NumberIsNotFollowed,
    /// An address is not followed.
    AddressIsNotFollowed,
    /// An index has too many values to look at each.
    ManyIndices,
    /// Pointer arithmetic on an incomplete type.
    ArithmeticOnIncompleteType,
    /// Pointer difference on an incomplete or empty type.
    DifferenceOfIncompleteType,
    /// A call is not followed.
    CallNotFollowed,
    /// A local object of negative or huge size.
    LocalOfUnknownSize,
    /// A pointer is freed that is not followed.
    UnknownPointerFreed,
    /// An end of a structure is used for which its predicate has no rule.
    NoRuleForThisEnd,
    /// One statement makes too many cases.
    TooManyCases,
    /// A number is used as a pointer.
    NumberAsPointer,
    /// A pointer is dereferenced that is not followed.
    UnknownPointerDereferenced,
    /// A value that is no scalar is loaded.
    NoScalarLoaded,
    /// A cell is not followed.
    CellIsNotFollowed,
    /// A pointer in storage of the library is not followed.
    PointerInLibraryStorage,
    /// A value that is no scalar is stored.
    NoScalarStored,
    /// Pointers in an array are written with an index that is not known.
    PointersWrittenAtUnknownIndex,
    /// Storage of the library is written.
    LibraryStorageWritten,
    /// A bit-field is written with an index that is not known.
    BitFieldWrittenAtUnknownIndex,
    /// An object of incomplete type is copied.
    IncompleteTypeCopied,
    /// How many bytes are copied is not known.
    UnknownCopyLength,
    /// An object of no known type is initialised.
    UnknownTypeInitialised,
    /// A copy with an index that is not known.
    CopyAtUnknownIndex,
    /// A variable of other code is copied.
    ForeignVariableCopied,
    /// How large a copied object is is not known.
    UnknownSizeCopied,
    /// A pointer is handed over that is not followed.
    UnknownPointerHandedOver,
    /// A claim about a shape names a link that is not followed.
    ClaimNamesUnknownLink,
    /// A claim about a pointer that is not followed.
    ClaimAboutUnknownPointer,
    /// A tree without links.
    TreeWithoutLinks,
    /// The shape reaches a link that is not followed.
    ClaimReachesUnknownLink,
    /// A claim follows several links from the end of a structure.
    ClaimFollowsSeveralLinks,
    /// The shape reaches a cell that is too small for its links.
    ClaimReachesSmallCell,
    /// A structure is looked at in another way than it is known.
    StructureSeenOtherwise,
    /// A tree is followed from the middle.
    TreeFromTheMiddle,
    /// A link that is not the structure's own is followed.
    ForeignLinkFollowed,
    /// A doubly linked list has two links.
    DoublyLinkedNeedsTwoLinks,
    /// A structure is no doubly linked list.
    NotDoublyLinked,
    /// A link is not followed.
    LinkIsNotFollowed,
    /// A structure without links to parents.
    NoParentLinks,
    /// How many bytes a function looks at is not followed.
    LibraryReads {
        /// The function.
        function: String,
    },
    /// A function has no body and no model.
    WithoutModel {
        /// The function.
        function: String,
    },
    /// What a function stores is not followed.
    LibraryStores {
        /// The function.
        function: String,
    },
    /// Storage of the library is given back by a function.
    LibraryStorageGivenBack {
        /// The function.
        function: String,
    },
    /// Where a function writes is not followed.
    LibraryWrites {
        /// The function.
        function: String,
    },
    /// Where the result of a function points is not followed.
    LibraryResult {
        /// The function.
        function: String,
    },
    /// What a function looks through is in a list of arguments, which is not followed.
    LibraryArgumentList {
        /// The function.
        function: String,
    },
    /// Which conversions of a function succeed is not followed.
    LibraryConversions {
        /// The function.
        function: String,
    },
    /// The format of a function is not known.
    LibraryFormat {
        /// The function.
        function: String,
    },
    /// A function writes through a pointer that its format names.
    LibraryFormatWrites {
        /// The function.
        function: String,
    },
    /// A function is given too few arguments.
    LibraryTooFewArguments {
        /// The function.
        function: String,
    },
}

/// What a verdict assumes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Assumption {
    /// No allocation ever fails.
    AllocationSucceeds,
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

/// What was being done when a budget ran out.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Doing {
    /// Nothing that need be told.
    Something,
    /// The C text was read.
    Reading,
    /// An engine ran, of which no more is known.
    Running {
        /// Its name.
        engine: String,
    },
    /// Calls were inlined, and objects became cells.
    Translating,
    /// A fixpoint grew: most of all at the place of [`Stopped::span`](crate::Stopped).
    Growing {
        /// So many elements are there.
        elements: u64,
        /// What an element is.
        of: Element,
    },
    /// Concrete runs were tried, and parted at the place of [`Stopped::span`](crate::Stopped) most often.
    Parting {
        /// So often.
        times: u64,
    },
    /// The first concrete run was made.
    FirstRun,
}

/// What an engine computes sets of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Element {
    /// Shape graphs, or parts of them.
    ShapeGraph,
    /// 3-valued structures.
    Structure,
}

/// Something that the user may want to know, and that does not touch the verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Note {
    /// Ways end in an error of a kind that was not asked for: the verdict says nothing of what would follow.
    UnaskedEnd {
        /// The kind.
        kind: Kind,
        /// Where.
        span: Span,
        /// Whether a run shows it.
        certainty: Certainty,
    },
    /// How far concrete states were explored.
    Explored {
        /// So many of them.
        states: u64,
        /// So many steps deep.
        depth: u32,
        /// Whether nothing was left.
        extent: Extent,
    },
    /// Random runs were made.
    RandomRuns {
        /// So many.
        runs: u64,
    },
    /// The analysis ended at errors that runs show.
    EndedAtErrors,
    /// Possible findings were left out beside confirmed ones, because they may follow from them.
    LeftOut {
        /// So many.
        findings: usize,
    },
    /// A second pass that keeps dead variables.
    SecondPass {
        /// So many elements.
        elements: u64,
        /// What an element is.
        of: Element,
    },
    /// The program was analysed more than once.
    Attempts {
        /// So often.
        attempts: u32,
        /// How the last time.
        last: LastAttempt,
    },
    /// Contracts were not looked at.
    ContractsIgnored,
    /// Bodies were checked against their contracts.
    BodiesChecked {
        /// So many.
        bodies: usize,
    },
    /// Best transformers were asked for, and calls that are not inlined do not have them.
    NoBestTransformers,
    /// Best transformers were asked for, and the prover left structures open.
    LeftByProver {
        /// So many.
        structures: usize,
    },
    /// The shape that was asked for fits no record.
    ShapeMisfit {
        /// The shape.
        shape: AskedShape,
        /// The record with the most links to itself.
        record: String,
        /// These links.
        links: Vec<String>,
    },
    /// A refinement came to its end.
    Refined {
        /// Which one.
        refinement: GraphRefinement,
        /// Elements computed.
        elements: u64,
        /// So many suspicions were excluded by it.
        excluded: usize,
        /// Of so many.
        suspicions: usize,
    },
    /// A refinement did not come to its end.
    RefinementCut {
        /// Which one.
        refinement: GraphRefinement,
    },
}

/// Whether everything was explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Nothing was left.
    Whole,
    /// Something was.
    Part,
}

/// How a program was analysed once more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LastAttempt {
    /// With fewer structures kept apart.
    FewerApart,
    /// With finer names of cells.
    FinerNames,
    /// With every structure apart.
    AllApart,
    /// With both.
    FinerNamesAllApart,
}

/// A shape that a user asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AskedShape {
    /// Singly-linked lists.
    SinglyLinked,
    /// Cyclic lists.
    Cyclic,
    /// Doubly-linked lists.
    DoublyLinked,
    /// Trees.
    Tree,
    /// Trees with parent pointers.
    TreeWithParent,
}

impl AskedShape {
    /// How many links to its own type a record of that shape has.
    pub fn links(self) -> usize {
        match self {
            AskedShape::SinglyLinked | AskedShape::Cyclic => 1,
            AskedShape::DoublyLinked | AskedShape::Tree => 2,
            AskedShape::TreeWithParent => 3,
        }
    }
}

/// How shape graphs are told apart more finely.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GraphRefinement {
    /// Lengths of segments are exact up to this one.
    ExactLength(u32),
    /// So many variables are tracked together.
    Together(usize),
    /// All variables are.
    AllTogether,
}
