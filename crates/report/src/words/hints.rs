//! What a user can do about what kept an engine from a proof.

use heapwise_engine::Exhausted;
use heapwise_engine::reason::{
    CallGap, ContractGap, GapReason, InputGap, MemoryGap, PointerGap, RegionGap, SearchGap, ShapeGap,
};
use heapwise_ir::{ClaimFault, Construct, LinkError, UnsupportedReason};

const DEFINE: &str =
    "give the file that defines it, or say what it does in a file of models (--models, docs/models.md)";
const MODEL_WRITES: &str = "give the file that defines it, or a model of what it writes (--models, docs/models.md)";
const RECURSION: &str = "state a contract of the function (docs/contracts.md), or ask --engine tvl";
const CONTRACTS: &str = "docs/contracts.md says what contracts can say, and which engines read them";
const INLINING: &str = "check one function at a time with --entry, or state contracts (docs/contracts.md)";
const BY_NAME: &str = "call the function by its name where only one is meant";
const OPTION: &str = "leave the option out if the program does not depend on it";
const BOUND: &str = "bound the loop or the input with hw_assume or __VERIFIER_assume, or check less with --entry";
const RANGE: &str = "bound the input with __VERIFIER_assume to the values that matter, or ask --engine overlay";
const LENGTH: &str = "other engines look at texts of any length: try --engine auto";
const SMALLER: &str = "make the loop or the array smaller: a macro for its size can be set with -D";
const ARRAYS: &str = "elements of long arrays are not told apart: try with a small one (-D of its size)";

/// What helps against a gap.
pub fn against_gap(reason: &GapReason) -> Option<&'static str> {
    match reason {
        GapReason::Text(reason) => text(reason),
        GapReason::Call(gap) => call(gap),
        GapReason::Pointer(gap) => pointer(*gap),
        GapReason::Memory(gap) => memory(gap),
        GapReason::Contract(gap) => contract(gap),
        GapReason::Shape(gap) => shape(gap),
        GapReason::Search(gap) => search(*gap),
        GapReason::Input(gap) => input(*gap),
        GapReason::Cut(_)
        | GapReason::Arithmetic(_)
        | GapReason::Library { .. }
        | GapReason::Limit(_)
        | GapReason::Symbolic(_)
        | GapReason::Refine(_)
        | GapReason::Defect(_) => None,
        GapReason::Region(gap) => region(*gap),
    }
}

fn region(gap: RegionGap) -> Option<&'static str> {
    match gap {
        RegionGap::KindNotLookedFor { .. } => Some("ask for the kinds it knows: --property heap"),
        RegionGap::OtherSites => Some("leave out --site"),
        RegionGap::Escapes
        | RegionGap::ArrayElement
        | RegionGap::PiecesOfPointer
        | RegionGap::UnknownPointer
        | RegionGap::CopiedMemory
        | RegionGap::ComputedPointer
        | RegionGap::DanglingCompared
        | RegionGap::FormatArgument
        | RegionGap::CellsOfCallee
        | RegionGap::FreedObject
        | RegionGap::FreedNumber
        | RegionGap::Cycle
        | RegionGap::LostWithoutReturn
        | RegionGap::DoubtfulWay
        | RegionGap::ScannedCell
        | RegionGap::LibraryStorage
        | RegionGap::AnyCaller
        | RegionGap::TooLarge => None,
    }
}

/// What helps where a budget ran out.
pub fn against_budget(why: Exhausted) -> Option<&'static str> {
    match why {
        Exhausted::Time => Some("give more time with --time SECONDS, or check one function at a time with --entry"),
        Exhausted::Memory => Some("give more memory with --memory SIZE, or check one function at a time with --entry"),
        Exhausted::Elements => Some("check one function at a time with --entry"),
        Exhausted::Cancelled => None,
    }
}

fn text(reason: &UnsupportedReason) -> Option<&'static str> {
    match reason {
        UnsupportedReason::CompilerOption { .. } => Some(OPTION),
        UnsupportedReason::Claim(fault) => claim(fault),
        UnsupportedReason::Construct(construct) => construct_hint(construct),
        UnsupportedReason::InlineAssembly
        | UnsupportedReason::NonLocalJump
        | UnsupportedReason::ComputedGoto
        | UnsupportedReason::NestedFunction
        | UnsupportedReason::ScalarType(_)
        | UnsupportedReason::FrontEndError(_) => None,
    }
}

fn claim(fault: &ClaimFault) -> Option<&'static str> {
    match fault {
        ClaimFault::Unknown { .. } => Some("include/heapwise.h has the claims that there are"),
        ClaimFault::ContractNoLiteral | ClaimFault::FieldNoLiteral => Some("write it as a string literal"),
        ClaimFault::Links(
            LinkError::NoParent { .. }
            | LinkError::UnclearCycle { .. }
            | LinkError::UnclearNeighbours { .. }
            | LinkError::TooMany { .. },
        ) => Some("name the links with the claim that ends in _by (include/heapwise.h)"),
        ClaimFault::Links(LinkError::NoStruct | LinkError::NoField { .. } | LinkError::NoLink { .. }) => None,
    }
}

fn construct_hint(construct: &Construct) -> Option<&'static str> {
    match construct {
        Construct::VariadicThroughPointer { .. } => Some(BY_NAME),
        Construct::ArgumentNotModelled { .. } => {
            Some("say what such a call does in a file for --models; docs/models.md")
        }
        Construct::ArgumentCount | Construct::DeclaredOtherwise { .. } | Construct::DefinedOtherwise { .. } => {
            Some("give the files that are one program, and only these")
        }
        Construct::WeakObject { .. } => Some("give the file that defines it"),
        Construct::AddressOfRegister
        | Construct::AllocaCalled
        | Construct::EvaluatedInType
        | Construct::AtomicOperation
        | Construct::AtomicAggregate
        | Construct::Builtin
        | Construct::FloatBits
        | Construct::WideOverflowCheck
        | Construct::CalledAsOtherType
        | Construct::VaStartWithoutEllipsis
        | Construct::Constructor
        | Construct::StrayBreak
        | Construct::StrayContinue
        | Construct::ErroneousExpression
        | Construct::ErroneousStatement
        | Construct::InitializerNotConstant
        | Construct::InitializerOfUnknownPart
        | Construct::FormatMisfit
        | Construct::InitializedAgain
        | Construct::InitializerReversed
        | Construct::MemberReversed
        | Construct::MemberOfNoRecord
        | Construct::MemberWithoutLayout
        | Construct::IncompleteSize
        | Construct::IncompleteArithmetic => None,
    }
}

fn call(gap: &CallGap) -> Option<&'static str> {
    match gap {
        CallGap::EntryWithoutBody { .. }
        | CallGap::EntryWithVariableArguments { .. }
        | CallGap::WithoutBody { .. }
        | CallGap::WithoutModel { .. }
        | CallGap::AnythingMayHappen { .. }
        | CallGap::NoBodyToRun { .. } => Some(DEFINE),
        CallGap::WithoutBodyRuns => Some(MODEL_WRITES),
        CallGap::Recursion { .. } | CallGap::ManyForms { .. } | CallGap::LocalStoredElsewhere { .. } => Some(RECURSION),
        CallGap::RecursionWithoutContract => Some(CONTRACTS),
        CallGap::TooLargeInlined => Some(INLINING),
        CallGap::UnknownTarget
        | CallGap::ManyTargets { .. }
        | CallGap::PerhapsNoFunction
        | CallGap::NondeterministicTarget
        | CallGap::ThroughPointer { .. } => Some(BY_NAME),
        CallGap::CallsBack { .. }
        | CallGap::CannotBeCalledHere { .. }
        | CallGap::LibraryStorageCalled
        | CallGap::TooFewArguments { .. }
        | CallGap::OtherType { .. }
        | CallGap::GivenUnfollowedPointer { .. }
        | CallGap::TooDeep { .. }
        | CallGap::RecursionNotFollowed
        | CallGap::CallbackTooLong => None,
    }
}

fn pointer(gap: PointerGap) -> Option<&'static str> {
    match gap {
        PointerGap::HandedOver => Some(MODEL_WRITES),
        PointerGap::ManyAddresses
        | PointerGap::LeavesObject
        | PointerGap::OutlivesRecursiveCall
        | PointerGap::DereferencedBesideListCells
        | PointerGap::DereferencedBesideHeapCells
        | PointerGap::FreedBesideListCells
        | PointerGap::FreedBesideHeapCells
        | PointerGap::FreedUnfollowed
        | PointerGap::IntoCell
        | PointerGap::BecomesInteger
        | PointerGap::FromInteger
        | PointerGap::FromInput
        | PointerGap::NondeterministicDereferenced
        | PointerGap::NondeterministicFreed
        | PointerGap::NondeterministicCompared
        | PointerGap::NondeterministicBits
        | PointerGap::AddressBits
        | PointerGap::LibraryAddressBits
        | PointerGap::LibraryAddressesCompared
        | PointerGap::LibraryAddressOrder
        | PointerGap::FunctionAddressOrder
        | PointerGap::ClosedStreamCompared
        | PointerGap::FreedNoPointer
        | PointerGap::ManyCells
        | PointerGap::FewOffsets
        | PointerGap::IncompleteArithmetic
        | PointerGap::IncompleteDifference
        | PointerGap::AllocatedIntoInteger => None,
    }
}

fn memory(gap: &MemoryGap) -> Option<&'static str> {
    match gap {
        MemoryGap::ArrayAllocated { .. }
        | MemoryGap::PointerArrayAllocated { .. }
        | MemoryGap::IndexOutside
        | MemoryGap::UnknownIndex
        | MemoryGap::Part
        | MemoryGap::PartByLibrary
        | MemoryGap::ArrayInCell
        | MemoryGap::LinksInArray { .. } => Some(ARRAYS),
        MemoryGap::UnknownSizeAccessed
        | MemoryGap::UnknownSizeCopied
        | MemoryGap::UnknownSizeAllocated
        | MemoryGap::SeveralAllocas
        | MemoryGap::UnknownLocalEnds
        | MemoryGap::ElementAddress
        | MemoryGap::FunctionAsData
        | MemoryGap::FunctionWritten
        | MemoryGap::CopiedOverItself
        | MemoryGap::BytesBetweenCells
        | MemoryGap::CellUntracked
        | MemoryGap::NoValueUntracked
        | MemoryGap::PaddingRead
        | MemoryGap::PerhapsNoValue
        | MemoryGap::PartOfLinkRead
        | MemoryGap::PartOfLinkWritten
        | MemoryGap::CellInUnfollowedField
        | MemoryGap::CellInOtherField
        | MemoryGap::TooLargeToFollow
        | MemoryGap::TooLargeToCopy
        | MemoryGap::NoScalarLoaded
        | MemoryGap::NoScalarStored
        | MemoryGap::IncompleteCopied
        | MemoryGap::UnknownTypeInitialised
        | MemoryGap::HugeLocal
        | MemoryGap::PartlyWritten
        | MemoryGap::BitFieldUnwritten
        | MemoryGap::PathMisfit
        | MemoryGap::LibraryStorageExtent
        | MemoryGap::TextWithoutEnd => None,
    }
}

fn contract(gap: &ContractGap) -> Option<&'static str> {
    match gap {
        ContractGap::NotUsed { .. }
        | ContractGap::PointerIntoCell { .. }
        | ContractGap::Unchecked { .. }
        | ContractGap::NotFollowed
        | ContractGap::Unknown
        | ContractGap::CalledWithOtherCells { .. }
        | ContractGap::LeavesIllFormed { .. }
        | ContractGap::CellLost
        | ContractGap::Breach(_)
        | ContractGap::Unreadable { .. } => Some(CONTRACTS),
        ContractGap::RecordInArrays => Some(ARRAYS),
        ContractGap::ArgumentNoCell { .. }
        | ContractGap::LeavesGlobal { .. }
        | ContractGap::ResultNoCell { .. }
        | ContractGap::UnclearFrees { .. }
        | ContractGap::OldAtStart
        | ContractGap::UnknownCells
        | ContractGap::LinkMisfit => None,
    }
}

fn shape(gap: &ShapeGap) -> Option<&'static str> {
    match gap {
        ShapeGap::Cells { gap } => memory(gap),
        ShapeGap::NoList
        | ShapeGap::Incomplete { .. }
        | ShapeGap::SeveralLinks { .. }
        | ShapeGap::UnfollowedLink { .. }
        | ShapeGap::TreeWithoutLinks
        | ShapeGap::NotTwoLinks => None,
    }
}

fn input(gap: InputGap) -> Option<&'static str> {
    match gap {
        InputGap::ManyValues | InputGap::WideInteger | InputGap::Float => Some(RANGE),
        InputGap::ProgramArguments | InputGap::LibraryText | InputGap::LongText => Some(LENGTH),
        InputGap::Forgotten | InputGap::NotOpen => None,
    }
}

fn search(gap: SearchGap) -> Option<&'static str> {
    match gap {
        SearchGap::RunsPart { .. } => Some(BOUND),
        SearchGap::LongRun { .. } => Some(SMALLER),
        SearchGap::NotAll => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_tried_of_an_input_has_a_hint() {
        let open = [
            InputGap::ProgramArguments,
            InputGap::WideInteger,
            InputGap::Float,
            InputGap::ManyValues,
            InputGap::LibraryText,
            InputGap::LongText,
        ];
        for gap in open {
            assert!(against_gap(&gap.into()).is_some(), "{gap:?}");
        }
        assert!(against_gap(&InputGap::ManyValues.into()).is_some_and(|hint| hint.contains("__VERIFIER_assume")));
    }
}
