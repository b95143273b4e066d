//! Operands and the right-hand sides of assignments.

use crate::ids::{FunctionId, GlobalId, RegisterId, TypeId};
use crate::path::Path;
use std::cmp::Ordering;

/// A scalar that needs no computation. A constant takes its type from its context (the register assigned, the
/// `ty` of the operation or place).
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    /// The value of a register.
    Register(RegisterId),
    /// An integer; as a pointer, 0 is null and any other value is an address that no object has.
    Int(i128),
    /// A floating-point number.
    Float(f64),
    /// The address of a global.
    Global(GlobalId),
    /// The address of a function.
    Function(FunctionId),
}

impl Operand {
    /// Null, zero, false.
    pub const ZERO: Operand = Operand::Int(0);

    /// The register, if it is one.
    pub fn register(self) -> Option<RegisterId> {
        match self {
            Operand::Register(register) => Some(register),
            Operand::Int(_) | Operand::Float(_) | Operand::Global(_) | Operand::Function(_) => None,
        }
    }
}

// Floats compare by their bits: equality here is "the same operand", not C's `==`.
impl PartialEq for Operand {
    fn eq(&self, other: &Operand) -> bool {
        match (self, other) {
            (Operand::Register(left), Operand::Register(right)) => left == right,
            (Operand::Int(left), Operand::Int(right)) => left == right,
            (Operand::Float(left), Operand::Float(right)) => left.to_bits() == right.to_bits(),
            (Operand::Global(left), Operand::Global(right)) => left == right,
            (Operand::Function(left), Operand::Function(right)) => left == right,
            (
                Operand::Register(_) | Operand::Int(_) | Operand::Float(_) | Operand::Global(_) | Operand::Function(_),
                _,
            ) => false,
        }
    }
}

impl Eq for Operand {}

impl std::hash::Hash for Operand {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Operand::Register(register) => register.hash(state),
            Operand::Int(value) => value.hash(state),
            Operand::Float(value) => value.to_bits().hash(state),
            Operand::Global(global) => global.hash(state),
            Operand::Function(function) => function.hash(state),
        }
    }
}

/// What a register can be assigned.
#[derive(Clone, PartialEq, Debug)]
pub enum Expression {
    /// The operand itself.
    Operand(Operand),
    /// `&base->path`.
    AddPath {
        /// A pointer.
        base: Operand,
        /// The path added.
        path: Path,
    },
    /// `container_of`: the pointer `p` with `&p->path == base`.
    SubtractPath {
        /// A pointer.
        base: Operand,
        /// The path taken away.
        path: Path,
    },
    /// `(char *)base + bytes`: an offset that names no field.
    AddBytes {
        /// A pointer.
        base: Operand,
        /// An integer, signed.
        bytes: Operand,
    },
    /// `base + index` in units of `element`: pointer arithmetic.
    AddIndex {
        /// A pointer.
        base: Operand,
        /// An integer, signed.
        index: Operand,
        /// What the pointer steps over.
        element: TypeId,
    },
    /// `left - right` in units of `element`.
    PointerDifference {
        /// A pointer.
        left: Operand,
        /// A pointer.
        right: Operand,
        /// What the pointers step over.
        element: TypeId,
    },
    /// `operator value` on operands of type `ty`.
    Unary {
        /// The operator.
        operator: UnaryOperator,
        /// The type of operand and result.
        ty: TypeId,
        /// The operand.
        value: Operand,
    },
    /// `left operator right` on operands of type `ty`.
    Binary {
        /// The operator.
        operator: BinaryOperator,
        /// The type of the operands and the result (of the left one and the result, for shifts).
        ty: TypeId,
        /// Left operand.
        left: Operand,
        /// Right operand.
        right: Operand,
    },
    /// A scalar conversion that may change the value: integer width or sign, integer to float, pointer to
    /// integer and back. Pointer to pointer is [`Expression::Operand`].
    Convert {
        /// The type of `value`.
        from: TypeId,
        /// The type of the result.
        to: TypeId,
        /// The operand.
        value: Operand,
    },
    /// Any value of the type: an input. A nondeterministic pointer is any value at all, so engines treat what is
    /// reached through it as unknown.
    Nondet {
        /// The type.
        ty: TypeId,
    },
    /// No value: the variable's scope ends (what it held may be lost there), or it is declared anew without an
    /// initialiser.
    Uninitialised,
}

/// Unary operators. `!` is control flow by the time a program is in this language.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOperator {
    /// `-`
    Negate,
    /// `~`
    Complement,
}

/// Binary operators. Comparisons, `&&` and `||` are control flow by now.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOperator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `<<`
    ShiftLeft,
    /// `>>`, arithmetic on signed types
    ShiftRight,
}

/// Comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CompareOperator {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

impl CompareOperator {
    /// The operator that holds exactly when this one does not (on integers and pointers).
    pub fn negated(self) -> CompareOperator {
        match self {
            CompareOperator::Equal => CompareOperator::NotEqual,
            CompareOperator::NotEqual => CompareOperator::Equal,
            CompareOperator::Less => CompareOperator::GreaterEqual,
            CompareOperator::LessEqual => CompareOperator::Greater,
            CompareOperator::Greater => CompareOperator::LessEqual,
            CompareOperator::GreaterEqual => CompareOperator::Less,
        }
    }

    /// The operator that says the same with its operands exchanged.
    pub fn mirrored(self) -> CompareOperator {
        match self {
            CompareOperator::Equal | CompareOperator::NotEqual => self,
            CompareOperator::Less => CompareOperator::Greater,
            CompareOperator::LessEqual => CompareOperator::GreaterEqual,
            CompareOperator::Greater => CompareOperator::Less,
            CompareOperator::GreaterEqual => CompareOperator::LessEqual,
        }
    }

    /// Whether it asks which operand is the lesser one.
    pub fn is_ordering(self) -> bool {
        match self {
            CompareOperator::Equal | CompareOperator::NotEqual => false,
            CompareOperator::Less
            | CompareOperator::LessEqual
            | CompareOperator::Greater
            | CompareOperator::GreaterEqual => true,
        }
    }

    /// Whether it holds for operands that compare like this.
    pub fn holds(self, ordering: Ordering) -> bool {
        match self {
            CompareOperator::Equal => ordering == Ordering::Equal,
            CompareOperator::NotEqual => ordering != Ordering::Equal,
            CompareOperator::Less => ordering == Ordering::Less,
            CompareOperator::LessEqual => ordering != Ordering::Greater,
            CompareOperator::Greater => ordering == Ordering::Greater,
            CompareOperator::GreaterEqual => ordering != Ordering::Less,
        }
    }
}
