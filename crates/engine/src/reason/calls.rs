//! What of calls is not followed, and why the heap of a call cannot be cut out.

use heapwise_ir::{Body, Function};

/// What of calls and functions is not followed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CallGap {
    /// The entry point has no body.
    EntryWithoutBody {
        /// The function.
        function: String,
    },
    /// The entry point takes variable arguments, of which nobody says what they are.
    EntryWithVariableArguments {
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
    /// A function without a body calls one that it is given, and that is not followed.
    CallsBack {
        /// The function.
        function: String,
    },
    /// A function without a body and model is called in a run.
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
    /// A function is called through a pointer of another type, which passes values in another way.
    OtherType {
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

impl CallGap {
    /// Why a call of a function without a body is not followed: it calls back, or nothing is known of it.
    pub fn of_extern(function: &Function) -> CallGap {
        let name = function.name.clone();
        match &function.body {
            Body::Extern(effects) if effects.callback.is_some() => CallGap::CallsBack { function: name },
            Body::Extern(_) | Body::Defined(_) => CallGap::WithoutModel { function: name },
        }
    }
}
