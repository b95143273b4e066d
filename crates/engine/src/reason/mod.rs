//! Why something is not known, as data. `report` gives words to it, and hints: nothing else compares or prints
//! sentences.
//!
//! A reason names what it is about (a function, a record), not where: that is [`Gap::span`](crate::Gap).

mod assumption;
mod calls;
mod contracts;
mod doing;
mod library;
mod memory;
mod note;
mod refine;
mod region;
mod search;
mod shapes;
mod symbolic;

pub use assumption::{Assumption, Unchecked};
pub use calls::{CallGap, CutGap};
pub use contracts::{ContractBreach, ContractGap, ContractMisfit};
pub use doing::{Doing, Element};
pub use library::LibraryGap;
pub use memory::{ArithmeticGap, MemoryGap, PointerGap};
pub use note::{AskedShape, Extent, LastAttempt, Note};
pub use refine::RefineGap;
pub use region::RegionGap;
pub use search::{DefectGap, InputGap, LimitGap, SearchGap};
pub use shapes::ShapeGap;
pub use symbolic::{GroupMisfit, PredicateMisfit, SymbolicGap};

use heapwise_ir::UnsupportedReason;

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
    /// Tracked locations over regions.
    Region(RegionGap),
    /// Refined shape abstractions.
    Refine(RefineGap),
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

impl From<RegionGap> for GapReason {
    fn from(gap: RegionGap) -> GapReason {
        GapReason::Region(gap)
    }
}

impl From<RefineGap> for GapReason {
    fn from(gap: RefineGap) -> GapReason {
        GapReason::Refine(gap)
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
