//! What a front end could not lower, as data: `report` has the words.

use crate::links::LinkError;

/// Why something could not be lowered.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum UnsupportedReason {
    /// Inline assembly that may write memory or jump.
    InlineAssembly,
    /// `setjmp`, `longjmp` and kin.
    NonLocalJump,
    /// `goto *p` where the targets cannot be listed.
    ComputedGoto,
    /// A nested function that uses its parent's locals.
    NestedFunction,
    /// Complex or decimal numbers, vectors: the type as C spells it.
    ScalarType(String),
    /// The front end found an error in the function (or the file): what the C parser or checker says of it. Its sentence is kept
    /// as it is, as a compiler's would be: the tool has no words of its own for what is no C, and nothing compares it.
    FrontEndError(String),
    /// A compiler option may change what the text means.
    CompilerOption {
        /// The option.
        option: String,
        /// The file that it is given for.
        file: String,
    },
    /// A claim or contract of `heapwise.h`.
    Claim(ClaimFault),
    /// Something else of C.
    Construct(Construct),
}

impl UnsupportedReason {
    /// Of a gap of the whole program: whether it concerns one object, which holds any value then or is as its definition says, or
    /// what runs when the program ends, so that the rest of a run is as the text says. Any other leaves open what the text means.
    pub fn is_confined(&self) -> bool {
        match self {
            UnsupportedReason::Construct(construct) => matches!(
                construct,
                Construct::InitializedAgain
                    | Construct::InitializerOfUnknownPart
                    | Construct::InitializerNotConstant
                    | Construct::WeakObject { .. }
                    | Construct::DefinedOtherwise { .. }
                    | Construct::IncompleteSize
                    | Construct::Constructor
            ),
            UnsupportedReason::InlineAssembly
            | UnsupportedReason::NonLocalJump
            | UnsupportedReason::ComputedGoto
            | UnsupportedReason::NestedFunction
            | UnsupportedReason::ScalarType(_)
            | UnsupportedReason::FrontEndError(_)
            | UnsupportedReason::CompilerOption { .. }
            | UnsupportedReason::Claim(_) => false,
        }
    }
}

impl From<Construct> for UnsupportedReason {
    fn from(construct: Construct) -> UnsupportedReason {
        UnsupportedReason::Construct(construct)
    }
}

impl From<ClaimFault> for UnsupportedReason {
    fn from(fault: ClaimFault) -> UnsupportedReason {
        UnsupportedReason::Claim(fault)
    }
}

impl From<LinkError> for ClaimFault {
    fn from(error: LinkError) -> ClaimFault {
        ClaimFault::Links(error)
    }
}

/// Why a claim or contract of `heapwise.h` says nothing.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ClaimFault {
    /// There is none of this name.
    Unknown {
        /// The name, without `__hw_`.
        name: String,
    },
    /// A contract is not a string literal.
    ContractNoLiteral,
    /// A field is not named by a string literal.
    FieldNoLiteral,
    /// It is not clear which links it speaks of.
    Links(LinkError),
}

/// A construct of C that is not lowered.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Construct {
    /// The address of what is kept in a register.
    AddressOfRegister,
    /// `alloca`, called as a function.
    AllocaCalled,
    /// An atomic operation on what is no pointer.
    AtomicOperation,
    /// An atomic operation on an aggregate.
    AtomicAggregate,
    /// A builtin operation of the compiler.
    Builtin,
    /// The bits of a floating-point value.
    FloatBits,
    /// An overflow check on 128-bit integers.
    WideOverflowCheck,
    /// A call with a wrong number of arguments.
    ArgumentCount,
    /// A variadic function of the library is called through a pointer.
    VariadicThroughPointer {
        /// The function.
        function: String,
    },
    /// A call with an argument with which its model does not say what it does.
    ArgumentNotModelled {
        /// The function.
        function: String,
    },
    /// A call as another type than the function's.
    CalledAsOtherType,
    /// Files that do not agree about what a name is.
    DeclaredOtherwise {
        /// The name.
        name: String,
    },
    /// Files that do not agree about how many elements an array has, or whether a function has a result. What is there is as the
    /// definition says: no value is read as another type.
    DefinedOtherwise {
        /// The name.
        name: String,
    },
    /// A weak object that none of the files defines: its address may be null.
    WeakObject {
        /// The name.
        name: String,
    },
    /// An operand of `sizeof` or `typeof`, or a size in the type of a cast, that may be evaluated because it has to do with
    /// variable-length arrays, and changes something.
    EvaluatedInType,
    /// `va_start` in a function without variable arguments.
    VaStartWithoutEllipsis,
    /// A function that runs before or after `main`.
    Constructor,
    /// `break` outside a loop.
    StrayBreak,
    /// `continue` outside a loop.
    StrayContinue,
    /// An expression with an error.
    ErroneousExpression,
    /// A statement with an error.
    ErroneousStatement,
    /// The initializer of a static object is not a constant.
    InitializerNotConstant,
    /// An initializer of a part that is not known.
    InitializerOfUnknownPart,
    /// An argument of another kind than the conversion of the format that takes it.
    FormatMisfit,
    /// An initializer that goes back into a part which it has initialised before.
    InitializedAgain,
    /// An initializer of a member in reverse byte order.
    InitializerReversed,
    /// A member in reverse byte order.
    MemberReversed,
    /// A member of something that is not a record.
    MemberOfNoRecord,
    /// A member of a record without a fixed layout.
    MemberWithoutLayout,
    /// The size of an incomplete type.
    IncompleteSize,
    /// Arithmetic on a pointer to an incomplete type.
    IncompleteArithmetic,
}
