//! Words for gaps.

use heapwise_engine::reason::{
    ArithmeticGap, CallGap, ContractBreach, ContractGap, ContractMisfit, CutGap, DefectGap, GapReason, GroupMisfit,
    InputGap, LibraryGap, LimitGap, MemoryGap, PointerGap, PredicateMisfit, RefineGap, RegionGap, SearchGap, ShapeGap,
    SymbolicGap,
};
use heapwise_ir::{ClaimFault, Construct, UnsupportedReason};

use super::exhausted;

/// Why an engine could not see through a place.
pub fn gap(reason: &GapReason) -> String {
    match reason {
        GapReason::Text(reason) => unsupported(reason),
        GapReason::Library { function, gap } => library(function, *gap),
        GapReason::Call(gap) => call(gap),
        GapReason::Cut(gap) => cut(gap),
        GapReason::Pointer(gap) => pointer(*gap).to_owned(),
        GapReason::Memory(gap) => memory(gap),
        GapReason::Arithmetic(gap) => arithmetic(*gap).to_owned(),
        GapReason::Contract(gap) => contract(gap),
        GapReason::Shape(gap) => shape(gap),
        GapReason::Input(gap) => input(*gap).to_owned(),
        GapReason::Search(gap) => search(*gap),
        GapReason::Limit(gap) => limit(*gap),
        GapReason::Symbolic(gap) => symbolic(gap),
        GapReason::Region(gap) => region(*gap),
        GapReason::Refine(gap) => refine(*gap),
        GapReason::Defect(gap) => defect(gap),
    }
}

fn call(gap: &CallGap) -> String {
    match gap {
        CallGap::EntryWithoutBody { function } => format!("the entry point `{function}` has no body"),
        CallGap::EntryWithVariableArguments { function } => {
            format!("the entry point `{function}` takes variable arguments")
        }
        CallGap::WithoutBody { function } => format!("`{function}` has no body"),
        CallGap::WithoutModel { function } => format!("`{function}` has no body and no model"),
        CallGap::CallsBack { function } => {
            format!("`{function}` calls a function that it is given, which is not followed")
        }
        CallGap::AnythingMayHappen { function } => {
            format!("`{function}` has no body and no model: anything may happen in it")
        }
        CallGap::NoBodyToRun { function } => format!("`{function}` has no body to run"),
        CallGap::WithoutBodyRuns => "a function without a body runs".to_owned(),
        CallGap::CannotBeCalledHere { function } => format!("`{function}` cannot be called here"),
        CallGap::ThroughPointer { function } => format!("`{function}` is called through a pointer"),
        CallGap::ManyTargets { functions } => {
            format!("a call through a function pointer that may name {functions} functions")
        }
        CallGap::PerhapsNoFunction => "what is called may be no function".to_owned(),
        CallGap::UnknownTarget => "a call through a function pointer whose value is not known".to_owned(),
        CallGap::NondeterministicTarget => "a nondeterministic function pointer is called".to_owned(),
        CallGap::LibraryStorageCalled => "storage of the library is called".to_owned(),
        CallGap::TooFewArguments { function } => format!("`{function}` is called with too few arguments"),
        CallGap::OtherType { function } => {
            format!("`{function}` is called through a pointer of another type than its own")
        }
        CallGap::Recursion { function } => format!("`{function}` calls itself"),
        CallGap::ManyForms { function } => {
            format!("`{function}` calls itself with too many different forms of arguments")
        }
        CallGap::LocalStoredElsewhere { function } => {
            format!("`{function}` calls itself, and the address of a local that it is given is stored elsewhere")
        }
        CallGap::GivenUnfollowedPointer { function } => format!("`{function}` is given a pointer that is not followed"),
        CallGap::TooDeep { depth } => format!("calls nest deeper than {depth}"),
        CallGap::TooLargeInlined => "the program is too large once calls are inlined".to_owned(),
        CallGap::RecursionNotFollowed => "a call of a recursive function is not followed here".to_owned(),
        CallGap::RecursionWithoutContract => {
            "a body that is checked against a contract calls a recursive function without one".to_owned()
        }
        CallGap::CallbackTooLong => "a callback runs too long".to_owned(),
    }
}

fn cut(gap: &CutGap) -> String {
    match gap {
        CutGap::UnclearVariable => "it is not clear where a variable points that a call keeps".to_owned(),
        CutGap::UnclearTarget { function } => {
            format!("what a variable points to is not clear where `{function}` is called")
        }
        CutGap::EnteredElsewhere { function } => format!(
            "cells that `{function}` does not reach lead to some that it does, and not only to those it is given"
        ),
        CutGap::LeadsBack { function } => format!("cells that `{function}` reaches lead back to some that it does not"),
        CutGap::LeadsBackSeveralWays { function } => {
            format!("`{function}` is called with cells that lead back to others in several ways")
        }
        CutGap::ManyCutpoints { function, most } => {
            format!("`{function}` is called where more than {most} cells lead into what it reaches")
        }
    }
}

fn pointer(gap: PointerGap) -> &'static str {
    match gap {
        PointerGap::ManyAddresses => "a pointer may hold many addresses",
        PointerGap::LeavesObject => "a pointer leaves its object",
        PointerGap::OutlivesRecursiveCall => {
            "a local is reached through a pointer that outlives a call of a recursive function"
        }
        PointerGap::DereferencedBesideListCells => "a pointer is dereferenced that may point to more than list cells",
        PointerGap::DereferencedBesideHeapCells => "a pointer is dereferenced that may point to more than heap cells",
        PointerGap::FreedBesideListCells => "a pointer is freed that may point to more than list cells",
        PointerGap::FreedBesideHeapCells => "a pointer is freed that may point to more than heap cells",
        PointerGap::FreedUnfollowed => "a pointer is freed that is not followed",
        PointerGap::IntoCell => "a pointer to the inside of a cell is not followed",
        PointerGap::BecomesInteger => "a pointer to a cell becomes an integer",
        PointerGap::HandedOver => "a cell is handed over to a function without a body",
        PointerGap::FromInteger => "an integer is used as a pointer",
        PointerGap::FromInput => "an input is used as a pointer",
        PointerGap::NondeterministicDereferenced => "a nondeterministic pointer is dereferenced",
        PointerGap::NondeterministicFreed => "a nondeterministic pointer is freed",
        PointerGap::NondeterministicCompared => "a nondeterministic pointer is compared with another",
        PointerGap::NondeterministicBits => "the program computes with a nondeterministic pointer",
        PointerGap::AddressBits => "the program computes with the bits of an address: one layout of memory is tried",
        PointerGap::LibraryAddressBits => "the program computes with the address of storage of the library",
        PointerGap::LibraryAddressesCompared => "two pointers to storage of the library are compared",
        PointerGap::LibraryAddressOrder => "the order of addresses of storage of the library is not known",
        PointerGap::FunctionAddressOrder => "the order of addresses of functions is not known",
        PointerGap::ClosedStreamCompared => "the address of a stream or directory that was closed is compared",
        PointerGap::FreedNoPointer => "what is freed is no pointer",
        PointerGap::ManyCells => "it cannot be told which cells a pointer may lead to: there are too many",
        PointerGap::FewOffsets => "a pointer into an object is tried with a few offsets only",
        PointerGap::IncompleteArithmetic => "pointer arithmetic on an incomplete type",
        PointerGap::IncompleteDifference => "pointer difference on an incomplete or empty type",
        PointerGap::AllocatedIntoInteger => "an address is allocated into an integer",
    }
}

fn memory(gap: &MemoryGap) -> String {
    match gap {
        MemoryGap::UnknownSizeAccessed => "an object of unknown size is accessed".to_owned(),
        MemoryGap::UnknownSizeCopied => "an aggregate of unknown size is copied".to_owned(),
        MemoryGap::UnknownSizeAllocated => "a block of unknown size is allocated".to_owned(),
        MemoryGap::ArrayAllocated { element } => format!("an array (or a part) of `{element}` is allocated"),
        MemoryGap::PointerArrayAllocated { variable } => format!("an array of pointers is allocated: `{variable}`"),
        MemoryGap::SeveralAllocas => "several objects of one `alloca` exist at a time".to_owned(),
        MemoryGap::UnknownLocalEnds => "a local's storage ends that is not known".to_owned(),
        MemoryGap::IndexOutside => "an index lies outside its array".to_owned(),
        MemoryGap::UnknownIndex => "an array is accessed at an index that is not known".to_owned(),
        MemoryGap::ElementAddress => "the address of an element is taken at an index that is not known".to_owned(),
        MemoryGap::FunctionAsData => "a function is accessed as data".to_owned(),
        MemoryGap::FunctionWritten => "a function is written to".to_owned(),
        MemoryGap::CopiedOverItself => "an object is copied over itself".to_owned(),
        MemoryGap::BytesBetweenCells => "bytes are copied between cells".to_owned(),
        MemoryGap::Part => "part of a variable, an array or a union is accessed".to_owned(),
        MemoryGap::PartByLibrary => {
            "a function of the library looks at part of a variable, an array or a union".to_owned()
        }
        MemoryGap::CellUntracked => "a pointer to a cell is stored where it is not followed".to_owned(),
        MemoryGap::NoValueUntracked => {
            "a value that may be uninitialised is stored where that is not followed".to_owned()
        }
        MemoryGap::PaddingRead => "padding of a record is read, which may hold no value".to_owned(),
        MemoryGap::PerhapsNoValue => {
            "bytes are laid over a field of which it is not known whether they were ever written".to_owned()
        }
        MemoryGap::ArrayInCell => "the contents of an array in a cell are not tracked".to_owned(),
        MemoryGap::PartOfLinkRead => "part of a link field is read".to_owned(),
        MemoryGap::PartOfLinkWritten => "part of a link field is written".to_owned(),
        MemoryGap::CellInUnfollowedField => {
            "a pointer to a heap cell is stored in a field that is not followed".to_owned()
        }
        MemoryGap::CellInOtherField => {
            "a pointer to a heap cell is stored in a field that is not its list link".to_owned()
        }
        MemoryGap::LinksInArray { record } => format!("the links of `{record}` lie in a long array or a union"),
        MemoryGap::TooLargeToFollow => "an object is too large to follow its bytes".to_owned(),
        MemoryGap::TooLargeToCopy => "an object is too large to copy".to_owned(),
        MemoryGap::NoScalarLoaded => "a value that is no scalar is loaded".to_owned(),
        MemoryGap::NoScalarStored => "a value that is no scalar is stored".to_owned(),
        MemoryGap::IncompleteCopied => "an object of incomplete type is copied".to_owned(),
        MemoryGap::UnknownTypeInitialised => "an object of no known type is initialised".to_owned(),
        MemoryGap::HugeLocal => "a local object of negative or huge size".to_owned(),
        MemoryGap::PartlyWritten => "a value of which some bits were never written is read".to_owned(),
        MemoryGap::BitFieldUnwritten => "a bit-field that was never written is read".to_owned(),
        MemoryGap::PathMisfit => "a path does not fit its type".to_owned(),
        MemoryGap::LibraryStorageExtent => "how far storage of the library goes is not known".to_owned(),
        MemoryGap::TextWithoutEnd => "a text has no end".to_owned(),
    }
}

fn arithmetic(gap: ArithmeticGap) -> &'static str {
    match gap {
        ArithmeticGap::OverflowNotLookedFor => "this engine does not look for errors of the kind overflow",
        ArithmeticGap::QuotientOverflow => "the quotient does not fit its type",
        ArithmeticGap::NumberBase => "a number is read in a base that is not 0 and not between 2 and 36",
        ArithmeticGap::ShiftCount => "a shift by a negative count, or by the width of its operand or more",
        ArithmeticGap::NoOperator => "an operator on a type without it",
        ArithmeticGap::FloatToInteger => "a floating-point number does not fit the integer type it is converted to",
        ArithmeticGap::LongDouble => "a `long double` that a double cannot hold",
        ArithmeticGap::LongDoubleResult => "`long double` arithmetic whose result a double cannot hold",
        ArithmeticGap::ExcessPrecision => "the result of arithmetic has more bits than its type on i386",
        ArithmeticGap::Float128Result => "`_Float128` arithmetic whose result a double cannot hold",
    }
}

fn library(function: &str, gap: LibraryGap) -> String {
    match gap {
        LibraryGap::ArgumentList => {
            format!("what `{function}` looks through is in a list of arguments, which is not followed")
        }
        LibraryGap::Conversions => format!("which conversions of `{function}` succeed is not followed"),
        LibraryGap::Effect => format!("what `{function}` does to memory is not followed"),
        LibraryGap::FormatWrites => format!("`{function}` writes through a pointer that its format names"),
        LibraryGap::BytesRead => format!("how many bytes `{function}` looks at is not followed"),
        LibraryGap::BytesWritten => format!("how many bytes `{function}` writes is not followed"),
        LibraryGap::UnknownExtent => format!("how many bytes `{function}` writes is not known"),
        LibraryGap::UnknownBytesRead => format!("how many bytes `{function}` reads is not known"),
        LibraryGap::ReadUnfollowed => format!("what `{function}` reads behind an argument is not followed"),
        LibraryGap::UnknownRead => format!("what `{function}` reads behind an argument is not known"),
        LibraryGap::PerhapsReadsUnwritten => format!("`{function}` may look at what was never written"),
        LibraryGap::UnknownTarget => format!("where `{function}` writes is not known"),
        LibraryGap::RecordUnwritten => {
            format!("`{function}` gets a record with members that were never written, and may look at them")
        }
        LibraryGap::UnknownFormat => format!("`{function}` gets a format that is not understood"),
        LibraryGap::FormatEnds => format!("`{function}` gets a format that ends in the middle of a conversion"),
        LibraryGap::FewArguments => format!("`{function}` gets fewer arguments than its format names"),
        LibraryGap::NoFloat => format!("`{function}` gets an argument that is no floating-point number"),
        LibraryGap::Conversion { letter } => {
            format!("`{function}` with the conversion %{}", char::from(letter).escape_default())
        }
        LibraryGap::ReadsText => format!("`{function}` reads text in a way that is not followed"),
        LibraryGap::ReadsWideText => format!("`{function}` reads wide characters, which is not followed"),
        LibraryGap::NondeterministicPointer => {
            format!("a nondeterministic pointer is handed to `{function}`, which looks behind it")
        }
    }
}

fn contract(gap: &ContractGap) -> String {
    match gap {
        ContractGap::NotUsed { function, misfit } => {
            format!("the contract of `{function}` is not used: {}", misfit_words(misfit))
        }
        ContractGap::PointerIntoCell { function } => {
            format!("`{function}` is called with a pointer into a cell, of which contracts do not speak")
        }
        ContractGap::Unchecked { function } => format!("the contract of `{function}` is not checked by this engine"),
        ContractGap::NotFollowed => "contracts are not followed by this engine".to_owned(),
        ContractGap::Unknown => "a contract is not known".to_owned(),
        ContractGap::UnknownCells => "a contract speaks of what a parameter of the entry point may lead to".to_owned(),
        ContractGap::ArgumentNoCell { function } => {
            format!("`{function}` is called with a pointer that is neither null nor its cell")
        }
        ContractGap::CalledWithOtherCells { function } => format!(
            "`{function}` may be called with cells that contracts do not speak of: not initialised, or dangling"
        ),
        ContractGap::LeavesIllFormed { function } => format!(
            "`{function}` may return cells whose links or data may be uninitialised, dangle or point to what is no struct; its contract cannot say so"
        ),
        ContractGap::LeavesGlobal { function } => {
            format!("`{function}` may leave a global without a cell or null in it")
        }
        ContractGap::ResultNoCell { function } => format!("`{function}` may return what is neither null nor a cell"),
        ContractGap::UnclearFrees { function } => format!("which cells `{function}` frees is not clear"),
        ContractGap::CellLost => {
            "a cell may be lost here, and contracts take for granted that functions lose none".to_owned()
        }
        ContractGap::Breach(breach) => format!("{}; calls go by contracts", breach_words(breach)),
        ContractGap::Unreadable { error } => format!("a contract cannot be read: {error}"),
        ContractGap::OldAtStart => "`old` in a claim about the start of a call".to_owned(),
        ContractGap::LinkMisfit => "a link of a claim does not fit its type".to_owned(),
        ContractGap::RecordInArrays => "a claim about all cells of a record of which there are arrays".to_owned(),
    }
}

fn breach_words(breach: &ContractBreach) -> String {
    match breach {
        ContractBreach::Requires { function, clause } => {
            format!("`{function}` may be called without what it requires: {clause}")
        }
        ContractBreach::Ensures { function, clause } => {
            format!("`{function}` may return without what it ensures: {clause}")
        }
        ContractBreach::FreesUnsaid { function } => {
            format!("`{function}` may free a cell, but nothing it ensures speaks of `freed`")
        }
    }
}

fn misfit_words(misfit: &ContractMisfit) -> String {
    match misfit {
        ContractMisfit::Unreadable { clause, error } => format!("`{clause}`: {error}"),
        ContractMisfit::LinkToNoStruct { link, record } => {
            format!("`{link}` of `{record}` points to what is no struct")
        }
        ContractMisfit::RecordNotReached { record } => {
            format!("`struct {record}` is not reached from parameters, result or globals")
        }
        ContractMisfit::UnfollowedLink { record } => format!("it names a link of `{record}` that is not followed"),
        ContractMisfit::NoParameter => "it names no parameter".to_owned(),
        ContractMisfit::UnfollowedGlobal { global } => {
            format!("it speaks of the global `{global}`, which is not followed")
        }
        ContractMisfit::UnfollowedField => "it names a field that is not followed".to_owned(),
        ContractMisfit::Cells { gap } => memory(gap),
    }
}

fn shape(gap: &ShapeGap) -> String {
    match gap {
        ShapeGap::NoList => "this shape is not one of singly-linked lists".to_owned(),
        ShapeGap::Incomplete { record } => format!("`struct {record}` is not complete"),
        ShapeGap::SeveralLinks { record } => format!("the shape names several links of `struct {record}`"),
        ShapeGap::UnfollowedLink { record } => {
            format!("the shape names a link of `struct {record}` that is not followed")
        }
        ShapeGap::TreeWithoutLinks => "a tree assertion without links".to_owned(),
        ShapeGap::NotTwoLinks => "a doubly-linked assertion needs two links".to_owned(),
        ShapeGap::Cells { gap } => memory(gap),
    }
}

fn input(gap: InputGap) -> &'static str {
    match gap {
        InputGap::ProgramArguments => "program arguments: tried with up to two of at most seven bytes",
        InputGap::WideInteger => "an input of 16 bytes is tried with small values only",
        InputGap::Float => "a floating-point input is tried with a few values only",
        InputGap::ManyValues => "an input with many values is tried with a few of them only",
        InputGap::LibraryText => "texts of the library are tried with up to seven bytes",
        InputGap::LongText => "text of any length is read into an object of fixed size: only what fits is tried",
        InputGap::Forgotten => "bytes of an input that is not known any more",
        InputGap::NotOpen => "a choice of the list is none that is open here",
    }
}

fn search(gap: SearchGap) -> String {
    match gap {
        SearchGap::LongRun { steps } => {
            format!("a run was left here after {steps} steps that nothing outside the program decides")
        }
        SearchGap::RunsPart { times } => {
            format!("not every run was tried: they part here again and again ({times} times)")
        }
        SearchGap::NotAll => "not every run was tried".to_owned(),
    }
}

fn limit(gap: LimitGap) -> String {
    match gap {
        LimitGap::StructureTooLarge => "a structure needs more than 64 individuals".to_owned(),
        LimitGap::JoinTooLarge => "a joined structure needs more than 64 individuals".to_owned(),
        LimitGap::Translation { why } => {
            format!("{} while calls were inlined and objects became cells", exhausted(why))
        }
    }
}

/// What `refine` does not see.
fn refine(gap: RefineGap) -> String {
    let words = match gap {
        RefineGap::KindNotLookedFor { kind } => {
            return format!("this engine does not look for errors of the kind {}", kind.name());
        }
        RefineGap::LocalInMemory => {
            "a local variable lives in memory, because its address is taken or it is an aggregate"
        }
        RefineGap::AddressOfVariable => "the address of a variable or function is a value",
        RefineGap::InitialValue => "what a global variable holds at first is not followed",
        RefineGap::SeveralTypes => "a heap cell may be accessed as several types",
        RefineGap::SharedBytes => "fields that are accessed share bytes",
        RefineGap::PartOfField => "a bit-field or an element of an array is accessed",
        RefineGap::NotOneCell => "what is allocated is not one cell of a known type",
        RefineGap::AggregateCopied => "an aggregate is copied",
        RefineGap::AnyValue => "a value that was never written may be used here, and was not asked for",
        RefineGap::DivisorMayBeZero => "what is divided by may be zero, as far as is known",
        RefineGap::HandedOver => "a pointer goes to a function without a body",
        RefineGap::Undecided => "whether an error is possible here was not decided: one elsewhere ended the search",
        RefineGap::RefinementFailed => "no refinement of the abstraction excludes the way to here",
        RefineGap::ClassUnusable => "a class of shapes cannot be used",
        RefineGap::NoClass => "no class of shapes fits what runs build here",
    };
    words.to_owned()
}

/// What `region` does not see.
fn region(gap: RegionGap) -> String {
    let words = match gap {
        RegionGap::KindNotLookedFor { kind } => {
            return format!("this engine does not look for errors of the kind {}", kind.name());
        }
        RegionGap::Escapes => "cells made here are reached by code that nothing is known of",
        RegionGap::ArrayElement => {
            "it is not known which element of an array is meant, and it may refer to a heap cell"
        }
        RegionGap::PiecesOfPointer => "a part of a pointer is read or written",
        RegionGap::UnknownPointer => "memory is accessed that nothing is known of",
        RegionGap::CopiedMemory => "bytes with pointers in them are copied or overwritten, and it is not known which",
        RegionGap::ComputedPointer => "a pointer to a heap cell is computed from numbers",
        RegionGap::DanglingCompared => "a pointer to a freed cell is compared with another pointer",
        RegionGap::FormatArgument => "a pointer to a freed cell is printed, perhaps what it points to",
        RegionGap::CellsOfCallee => "fields are kept apart in a function that are one in its caller",
        RegionGap::FreedNumber => "a number becomes an address, and whether that is freed is not followed",
        RegionGap::FreedObject => "what is freed may be no heap cell, or not its start",
        RegionGap::Cycle => "a cycle of cells may be made here, and losing it is not noticed",
        RegionGap::DoubtfulWay => {
            "an error is not excluded where a reference count is not known, a destructor spares the cell, or `realloc` gets 0 bytes"
        }
        RegionGap::LostWithoutReturn => "a function that may not return loses a cell that its callers may hold or not",
        RegionGap::ScannedCell => "heap cells that conversions of a format may make (`%ms`) are not followed",
        RegionGap::LibraryStorage => "storage of the library is handed out that ends with an argument",
        RegionGap::AnyCaller => {
            "callers of exported functions hand in any values, and objects only that they got from such functions"
        }
        RegionGap::OtherSites => "only the cells that were asked for are followed",
        RegionGap::TooLarge => "there are more registers or fields than can be numbered",
    };
    words.to_owned()
}

fn group_misfit(why: &GroupMisfit) -> String {
    match why {
        GroupMisfit::OwnPredicates => "predicates of your own are followed in one analysis of all fields".to_owned(),
        GroupMisfit::TooMany { groups, most } => {
            format!("there are {groups} of them, more than {most}; name those that matter")
        }
        GroupMisfit::InTwoGroups { field } => format!("the field `{field}` is in two groups"),
        GroupMisfit::NoSuchField { field } => format!("no record of the program has a field `{field}`"),
    }
}

/// Why a predicate of the user is about nothing.
pub(crate) fn predicate_misfit(why: &PredicateMisfit) -> String {
    match why {
        PredicateMisfit::NoRecord { record } => format!("the program has no record `{record}`"),
        PredicateMisfit::NoMember { record, member } => format!("`{record}` has no member `{member}`"),
        PredicateMisfit::NoLink { record, link } => format!("`{record}` has no pointer or number `{link}`"),
    }
}

/// What the symbolic heaps of `overlay` do not say.
fn symbolic(gap: &SymbolicGap) -> String {
    let words = match gap {
        SymbolicGap::NoGroupKnowsTheCell => "no group of fields knows the cell that is accessed",
        SymbolicGap::SeveralGroupsAccessed => "bytes of several groups of fields are accessed at once",
        SymbolicGap::GroupsCannotBeUsed { why } => {
            return format!("groups of fields cannot be used: {}", group_misfit(why));
        }
        SymbolicGap::UnknownFunctionCalled => "a function pointer is called that is not followed",
        SymbolicGap::ReachableAtExit => "heap cells may be reachable at the end, and this engine does not say which",
        SymbolicGap::TooManyCells => "a heap has too many cells that no predicate describes",
        SymbolicGap::UnexpectedCallee => "a function is called that was not expected here",
        SymbolicGap::TooFewArguments => "a function is called with too few arguments",
        SymbolicGap::PathDoesNotFitItsType => "a path does not fit its type",
        SymbolicGap::IndexIsNotFollowed => "an index is not followed",
        SymbolicGap::OffsetIsTooLarge => "an offset is too large",
        SymbolicGap::NumberIsNotFollowed => "a number is not followed",
        SymbolicGap::AddressIsNotFollowed => "an address is not followed",
        SymbolicGap::ManyIndices => "an index has too many values to look at each",
        SymbolicGap::ArithmeticOnIncompleteType => "pointer arithmetic on an incomplete type",
        SymbolicGap::DifferenceOfIncompleteType => "pointer difference on an incomplete or empty type",
        SymbolicGap::CallNotFollowed => "a call is not followed",
        SymbolicGap::LocalOfUnknownSize => "a local object of negative or huge size",
        SymbolicGap::UnknownPointerFreed => "a pointer is freed that is not followed",
        SymbolicGap::NoRuleForThisEnd => "an end of a structure is used for which its predicate has no rule",
        SymbolicGap::TooManyCases => "one statement makes too many cases",
        SymbolicGap::NumberAsPointer => "a number is used as a pointer",
        SymbolicGap::UnknownPointerDereferenced => "a pointer is dereferenced that is not followed",
        SymbolicGap::NoScalarLoaded => "a value that is no scalar is loaded",
        SymbolicGap::CellIsNotFollowed => "a cell is not followed",
        SymbolicGap::PointerInLibraryStorage => "a pointer in storage of the library is not followed",
        SymbolicGap::ByteOfText => "whether a byte is one of a text is not known",
        SymbolicGap::NoScalarStored => "a value that is no scalar is stored",
        SymbolicGap::PointersWrittenAtUnknownIndex => {
            "pointers in an array are written with an index that is not known"
        }
        SymbolicGap::LibraryStorageWritten => "storage of the library is written",
        SymbolicGap::BitFieldWrittenAtUnknownIndex => "a bit-field is written with an index that is not known",
        SymbolicGap::IncompleteTypeCopied => "an object of incomplete type is copied",
        SymbolicGap::UnknownCopyLength => "how many bytes are copied is not known",
        SymbolicGap::UnknownTypeInitialised => "an object of no known type is initialised",
        SymbolicGap::CopyAtUnknownIndex => "a copy with an index that is not known",
        SymbolicGap::ForeignVariableCopied => "a variable of other code is copied",
        SymbolicGap::UnknownSizeCopied => "how large a copied object is is not known",
        SymbolicGap::UnknownPointerHandedOver => "a pointer is handed over that is not followed",
        SymbolicGap::ClaimNamesUnknownLink => "a claim about a shape names a link that is not followed",
        SymbolicGap::ClaimAboutUnknownPointer => "a claim about a pointer that is not followed",
        SymbolicGap::ClaimAboutOtherLinks => "a shape that cannot be about so many links",
        SymbolicGap::ClaimReachesUnknownLink => "the shape reaches a link that is not followed",
        SymbolicGap::ClaimFollowsSeveralLinks => "a claim follows several links from the end of a structure",
        SymbolicGap::ClaimReachesSmallCell => "the shape reaches a cell that is too small for its links",
        SymbolicGap::StructureSeenOtherwise => "a structure is looked at in another way than it is known",
        SymbolicGap::TreeFromTheMiddle => "a tree is followed from the middle",
        SymbolicGap::ForeignLinkFollowed => "a link that is not the structure's own is followed",
        SymbolicGap::NotDoublyLinked => "a structure is no doubly linked list",
        SymbolicGap::LinkIsNotFollowed => "a link is not followed",
        SymbolicGap::CellNotGiven => "a function that calls itself looks at a cell that it was not given",
        SymbolicGap::NoParentLinks => "a structure without links to parents",
        SymbolicGap::LibraryReads { function } => {
            return format!("how many bytes `{function}` looks at is not followed");
        }
        SymbolicGap::LibraryStores { function } => return format!("what `{function}` stores is not followed"),
        SymbolicGap::LibraryStorageGivenBack { function } => {
            return format!("storage of the library is given back by `{function}`");
        }
        SymbolicGap::LibraryWrites { function } => return format!("where `{function}` writes is not followed"),
        SymbolicGap::LibraryResult { function } => {
            return format!("where the result of `{function}` points is not followed");
        }
        SymbolicGap::LibraryArgumentList { function } => {
            return format!("what `{function}` looks through is in a list of arguments, which is not followed");
        }
        SymbolicGap::LibraryConversions { function } => {
            return format!("which conversions of `{function}` succeed is not followed");
        }
        SymbolicGap::LibraryFormat { function } => return format!("the format of `{function}` is not known"),
        SymbolicGap::LibraryFormatWrites { function } => {
            return format!("`{function}` writes through a pointer that its format names");
        }
        SymbolicGap::LibraryTooFewArguments { function } => return format!("`{function}` is given too few arguments"),
    };
    words.to_owned()
}

fn defect(gap: &DefectGap) -> String {
    match gap {
        DefectGap::NoEngine => "no engine was asked".to_owned(),
        DefectGap::NotAtItsEnd { engine } => format!("`{engine}` did not come to its end"),
        DefectGap::RunNotRepeated => "a run cannot be made again: a defect of the search".to_owned(),
        DefectGap::NoValueOnSomeWay { variable } => {
            format!("`{variable}` has no value on some way: a defect of the translation")
        }
    }
}

/// C text that is not lowered.
/// What a front end could not lower.
pub fn unsupported(reason: &UnsupportedReason) -> String {
    match reason {
        UnsupportedReason::InlineAssembly => "inline assembly that may write memory".to_owned(),
        UnsupportedReason::NonLocalJump => "non-local jump (setjmp/longjmp)".to_owned(),
        UnsupportedReason::ComputedGoto => "computed goto".to_owned(),
        UnsupportedReason::NestedFunction => "nested function that captures locals".to_owned(),
        UnsupportedReason::ScalarType(what) => format!("scalar type `{what}`"),
        UnsupportedReason::FrontEndError(what) => format!("error in the C text: {what}"),
        UnsupportedReason::CompilerOption { option, file } => {
            format!("compiler option `{option}` of {file} may change what the text means")
        }
        UnsupportedReason::Claim(fault) => claim(fault),
        UnsupportedReason::Construct(what) => construct(what),
    }
}

fn claim(fault: &ClaimFault) -> String {
    match fault {
        ClaimFault::Unknown { name } => format!("claim __hw_{name}"),
        ClaimFault::ContractNoLiteral => "contract that is not a string literal".to_owned(),
        ClaimFault::FieldNoLiteral => "field that is not named by a string literal".to_owned(),
        ClaimFault::Links(error) => error.to_string(),
    }
}

fn construct(construct: &Construct) -> String {
    let words = match construct {
        Construct::VariadicThroughPointer { function } => {
            return format!("call of the variadic function `{function}` through a pointer");
        }
        Construct::DeclaredOtherwise { name } => {
            return format!("declaration of `{name}` with another type than in another file");
        }
        Construct::DefinedOtherwise { name } => {
            return format!("declaration of `{name}` with more or less than another file says");
        }
        Construct::WeakObject { name } => {
            return format!("weak object `{name}`, which none of the files defines: its address may be null");
        }
        Construct::ArgumentNotModelled { function } => {
            return format!(
                "call of `{function}` with an argument with which it does something else than its model says"
            );
        }
        Construct::AddressOfRegister => "address of a register",
        Construct::AllocaCalled => "alloca called as a function",
        Construct::EvaluatedInType => {
            "side effect within a type, or in an operand of sizeof or typeof, beside a variable-length array"
        }
        Construct::AtomicOperation => "atomic operation",
        Construct::AtomicAggregate => "atomic operation on an aggregate",
        Construct::Builtin => "builtin operation of the compiler",
        Construct::FloatBits => "bits of a floating-point value",
        Construct::WideOverflowCheck => "overflow check on 128-bit integers",
        Construct::CalledAsOtherType => "call of a function as another type than its own",
        Construct::ArgumentCount => "call with a wrong number of arguments",
        Construct::VaStartWithoutEllipsis => "va_start in a function without variable arguments",
        Construct::Constructor => "constructor or destructor function",
        Construct::StrayBreak => "break outside a loop",
        Construct::StrayContinue => "continue outside a loop",
        Construct::ErroneousExpression => "error in the C text: erroneous expression",
        Construct::ErroneousStatement => "error in the C text: erroneous statement",
        Construct::InitializerNotConstant => "initializer that is not a constant",
        Construct::InitializerOfUnknownPart => "initializer of an unknown part",
        Construct::FormatMisfit => "argument of another kind than its conversion of the format",
        Construct::InitializedAgain => "initializer of a part that was initialised before",
        Construct::InitializerReversed => "initializer of a member in reverse byte order",
        Construct::MemberReversed => "member in reverse byte order",
        Construct::MemberOfNoRecord => "member of something that is not a record",
        Construct::MemberWithoutLayout => "member of a record without a fixed layout",
        Construct::IncompleteSize => "size of an incomplete type",
        Construct::IncompleteArithmetic => "arithmetic on a pointer to an incomplete type",
    };
    words.to_owned()
}
