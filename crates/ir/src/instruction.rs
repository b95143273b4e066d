//! The eleven instructions. Nothing else exists, so a transfer function is one `match`.

use crate::ids::{FunctionId, RecordId, RegisterId, TypeId};
use crate::path::Path;
use crate::types::BitRange;
use crate::unsupported::UnsupportedReason;
use crate::value::{CompareOperator, Expression, Operand};

/// What an edge does.
#[derive(Clone, PartialEq, Debug)]
pub enum Instruction {
    /// `target = value`. Also the neutral edge, as `target = target` never occurs: see [`Instruction::Assume`]
    /// with [`Condition::True`].
    Assign {
        /// The register written.
        target: RegisterId,
        /// The right-hand side.
        value: Expression,
    },
    /// `target = place`: load of a scalar.
    Load {
        /// The register written.
        target: RegisterId,
        /// Where from.
        place: Place,
    },
    /// `place = value`: store of a scalar.
    Store {
        /// Where to.
        place: Place,
        /// What.
        value: Operand,
    },
    /// `place = source : extent`: copy of an aggregate. Source and target may overlap (`memmove`).
    Copy {
        /// Where to.
        place: Place,
        /// Where from.
        source: CopySource,
        /// How much.
        extent: Extent,
    },
    /// `target = alloc bytes`.
    Alloc {
        /// The register that receives the address (or null).
        target: RegisterId,
        /// The size in bytes.
        bytes: Operand,
        /// Heap, or the storage of a local.
        storage: Storage,
        /// What the bytes hold at first.
        contents: InitialContents,
        /// Whether the result may be null.
        failure: Failure,
        /// What the address is a multiple of, where a declaration, the machine or the call says so (a value that is a power of two);
        /// else what the view or the storage asks for.
        align: Option<Operand>,
        /// As what the bytes are seen, if known. May disagree with `bytes`: both are kept.
        view: Option<View>,
    },
    /// `free(pointer)`. Freeing null does nothing.
    Free {
        /// A pointer to the start of a heap object.
        pointer: Operand,
    },
    /// The local's storage ends (scope exit, next loop iteration, function exit for `alloca`).
    End {
        /// The pointer that the `alloc auto` returned.
        pointer: Operand,
    },
    /// Execution goes on only if the condition holds.
    Assume(Condition),
    /// `target = callee(arguments)`.
    Call {
        /// The register that receives the result, if it is used.
        target: Option<RegisterId>,
        /// Who is called.
        callee: Callee,
        /// The arguments, hidden ones included.
        arguments: Vec<Operand>,
    },
    /// The program claims the condition: a finding where it may not hold; afterwards it holds.
    Assert(Condition),
    /// What could not be lowered soundly. Every engine answers *unknown* past it.
    Unsupported(UnsupportedReason),
}

/// A place in memory: `base->path`, a scalar of type `ty` (or an aggregate, in [`Instruction::Copy`]).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// A pointer value.
    pub base: Operand,
    /// From the base pointer down to the place.
    pub path: Path,
    /// The type at the end of the path.
    pub ty: TypeId,
    /// The bits of it, for a bit-field (`ty` is then the storage unit).
    pub bits: Option<BitRange>,
}

/// What an aggregate is copied from.
#[derive(Clone, PartialEq, Debug)]
pub enum CopySource {
    /// Another place, with its own view.
    Place(Place),
    /// Every byte is this integer (`memset`); zero is `Fill(Operand::ZERO)`.
    Fill(Operand),
    /// What an initialiser gives to members that it does not name: zeros, and any bytes between members. The copy is of a type.
    Members,
    /// Any bytes: input.
    Nondet,
}

/// How much is copied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// The size of the type.
    Type(TypeId),
    /// So many bytes.
    Bytes(Operand),
    /// As many as source and target objects both have (`realloc`).
    Common,
}

/// What kind of storage an allocation makes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Storage {
    /// Must be freed, may leak.
    Heap,
    /// A local variable or `alloca`: ended by [`Instruction::End`], must not be freed, cannot leak.
    Auto,
}

/// What fresh storage holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InitialContents {
    /// Nothing: reading it is an error.
    Uninitialised,
    /// Zero bytes.
    Zeroed,
    /// Bytes that are unknown but readable (`strdup`, `getline`).
    Nondet,
}

/// Whether an allocation may return null.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Failure {
    /// May return null.
    Possible,
    /// Never does.
    Never,
}

/// As what an object's bytes are seen: `count` elements of `element`, then a tail of bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// The element type.
    pub element: TypeId,
    /// How many.
    pub count: Operand,
    /// Whether more bytes follow the elements (`malloc(sizeof(T) + n)`).
    pub has_tail: bool,
}

/// Who is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    /// A function by name.
    Direct(FunctionId),
    /// Through a function pointer: engines read the value; else all address-taken functions of that arity.
    Indirect(Operand),
}

/// What `assume` and `assert` say.
#[derive(Clone, PartialEq, Debug)]
pub enum Condition {
    /// Always holds: the neutral edge.
    True,
    /// Never holds (`assert(0)`, `reach_error()`).
    False,
    /// One comparison of scalars.
    Compare {
        /// The operator.
        operator: CompareOperator,
        /// The type of both operands.
        ty: TypeId,
        /// Left operand.
        left: Operand,
        /// Right operand.
        right: Operand,
    },
    /// The comparison does not hold. Only floats need it: `!(a < b)` is not `a >= b` where NaN exists.
    NotCompare {
        /// The operator.
        operator: CompareOperator,
        /// The type of both operands.
        ty: TypeId,
        /// Left operand.
        left: Operand,
        /// Right operand.
        right: Operand,
    },
    /// A shape predicate of `heapwise.h`.
    Shape(ShapePredicate),
}

/// A shape that `heapwise.h` can name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ShapeKind {
    /// Following the fields from the first pointer never comes back.
    Acyclic,
    /// Following the field from the first pointer comes back to it.
    Cyclic,
    /// The second pointer is reached from the first (in zero or more steps).
    Reach,
    /// No cell is reached from both pointers.
    Disjoint,
    /// Forward and backward fields are inverse on all that is reached; null-terminated or circular.
    DoublyLinked,
    /// Every cell reached is reached by exactly one path along the child fields.
    Tree,
    /// A tree whose parent field points back to the parent.
    TreeWithParent,
}

impl ShapeKind {
    /// How many pointers the shape speaks of.
    pub fn n_arguments(self) -> usize {
        match self {
            ShapeKind::Reach | ShapeKind::Disjoint => 2,
            ShapeKind::Acyclic
            | ShapeKind::Cyclic
            | ShapeKind::DoublyLinked
            | ShapeKind::Tree
            | ShapeKind::TreeWithParent => 1,
        }
    }
}

/// A shape predicate over pointers, with the fields it speaks of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShapePredicate {
    /// The shape.
    pub kind: ShapeKind,
    /// The pointers: one, or two for [`ShapeKind::Reach`] and [`ShapeKind::Disjoint`].
    pub arguments: Vec<Operand>,
    /// The record whose cells are linked.
    pub record: RecordId,
    /// The link fields as paths within the record, forward ones first. [`ShapeKind::DoublyLinked`]: next, prev.
    /// [`ShapeKind::TreeWithParent`]: the children, the parent last.
    pub links: Vec<Path>,
}
