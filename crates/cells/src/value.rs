//! What a variable or a link holds, and how two such values compare. Cells are what the one who asks calls a cell: a node of a
//! shape graph, an individual of a structure, a number.

use crate::atom::Atom;
use crate::place::{Equality, Place};
use heapwise_ir::CompareOperator;

/// A value of a variable or a link.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value<Cell> {
    /// A pointer to this cell.
    Cell(Cell),
    /// Anything else.
    Atom(Atom),
}

impl<Cell: PartialEq> Value<Cell> {
    /// How it compares with another one for equality.
    pub fn equals(self, other: Value<Cell>, places: &[Place]) -> Equality {
        match (self, other) {
            (Value::Cell(left), Value::Cell(right)) if left == right => Equality::Equal,
            (Value::Cell(_), Value::Cell(_)) => Equality::Different,
            (Value::Cell(_), Value::Atom(atom)) | (Value::Atom(atom), Value::Cell(_)) => atom.equals_cell(places),
            (Value::Atom(left), Value::Atom(right)) => left.equals(right, places),
        }
    }

    /// Whether it may compare so with another one.
    pub fn may_compare(self, operator: CompareOperator, other: Value<Cell>, places: &[Place]) -> bool {
        match (self, other) {
            (Value::Atom(Atom::Int(left)), Value::Atom(Atom::Int(right))) => operator.holds(left.cmp(&right)),
            (left @ (Value::Cell(_) | Value::Atom(_)), right) => left.equals(right, places).may_hold(operator),
        }
    }
}
