//! What a variable can be assigned, and what can be compared: the integer part of `ir`, over variables of any kind.

use heapwise_ir::{BinaryOperator, CompareOperator, IntType, UnaryOperator};

/// A value that needs no computation.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operand<V> {
    /// An integer.
    Constant(i128),
    /// The value of a variable.
    Variable(V),
}

/// What a variable is assigned.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expression<V> {
    /// The operand itself, of this type.
    Operand(IntType, Operand<V>),
    /// `operator value` in this type.
    Unary(UnaryOperator, IntType, Operand<V>),
    /// `left operator right` in this type (that of the left operand, for shifts).
    Binary(BinaryOperator, IntType, Operand<V>, Operand<V>),
    /// A value of the first type, converted to the second.
    Convert {
        /// The type of the value.
        from: IntType,
        /// The type of the result.
        to: IntType,
        /// The value.
        value: Operand<V>,
    },
    /// Any value of this type.
    Any(IntType),
}

/// `left operator right`, where both are of type `int`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Comparison<V> {
    /// The operator.
    pub operator: CompareOperator,
    /// The type of both operands: whether the order is that of signed or of unsigned numbers.
    pub int: IntType,
    /// Left operand.
    pub left: Operand<V>,
    /// Right operand.
    pub right: Operand<V>,
}

impl<V> Expression<V> {
    /// The type of the result.
    pub fn result_type(&self) -> IntType {
        match self {
            Expression::Operand(int, _)
            | Expression::Unary(_, int, _)
            | Expression::Binary(_, int, _, _)
            | Expression::Any(int)
            | Expression::Convert { to: int, .. } => *int,
        }
    }
}

impl<V: Clone> Comparison<V> {
    /// The comparison that holds exactly when this one does not.
    pub fn negated(&self) -> Comparison<V> {
        Comparison { operator: self.operator.negated(), ..self.clone() }
    }
}
