//! Claims: what the formulas of `hw_requires` and `hw_ensures` say, with names resolved.
//!
//! A formula is written like a condition of C over pointers, with quantifiers, implication and shapes added:
//!
//! ```text
//! claim  := claim "<==>" claim | claim "==>" claim | claim "||" claim | claim "&&" claim | "!" claim
//!         | ("forall" | "exists") ["struct" NAME "*"] NAME {"," NAME} ":" claim
//!         | term "==" term | term "!=" term | term                       (alone: it is not null)
//!         | "true" | "false" | "old" "(" claim ")" | "(" claim ")"
//!         | ("acyclic" | "cyclic" | "dll" | "tree" | "tree_parent") "(" term {"," FIELD} ")"
//!         | ("reach" | "disjoint") "(" term "," term {"," FIELD} ")"
//!         | ("fresh" | "freed") "(" term ")"
//! term   := "NULL" | "0" | NAME | "result" | term "->" FIELD | "old" "(" term ")"
//! ```
//!
//! A parameter means the value it was called with, also in `hw_ensures`; a global means its value now, and `old(…)` what
//! was meant when the function was called. Quantified variables range over the cells that exist when the function is called or
//! when it returns. A field of null, or of a cell that was freed, equals nothing, not even null.

mod lexer;
mod parser;
mod print;

use crate::ids::{FunctionId, GlobalId, RecordId, RegisterId, TypeId};
use crate::instruction::ShapeKind;
use crate::path::Path;
use crate::program::Program;

/// What a formula claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// Always, or never.
    Constant(bool),
    /// Both are null, or point to the same cell.
    Equal(Term, Term),
    /// A shape of `heapwise.h`.
    Shape {
        /// Which.
        kind: ShapeKind,
        /// One pointer, or two for [`ShapeKind::Reach`] and [`ShapeKind::Disjoint`].
        arguments: Vec<Term>,
        /// The record whose cells are linked.
        record: RecordId,
        /// The link fields, as in [`crate::ShapePredicate::links`].
        links: Vec<Path>,
    },
    /// The cell was allocated during the call.
    Fresh(Term),
    /// The cell was freed during the call.
    Freed(Term),
    /// Not.
    Not(Box<Claim>),
    /// All of them.
    And(Vec<Claim>),
    /// One of them.
    Or(Vec<Claim>),
    /// Both or none.
    Iff(Box<Claim>, Box<Claim>),
    /// For all cells of the record, or some.
    Quantified {
        /// All or some.
        quantifier: Quantifier,
        /// The variable, counted from 0 along the formula.
        variable: BoundVariable,
        /// Of which record.
        record: RecordId,
        /// What.
        body: Box<Claim>,
    },
    /// It held when the function was called.
    Old(Box<Claim>),
}

/// All or some.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    /// All.
    ForAll,
    /// Some.
    Exists,
}

/// A quantified variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BoundVariable(pub u32);

/// A pointer value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// Null.
    Null,
    /// What a parameter was called with.
    Parameter(RegisterId),
    /// A global pointer variable.
    Global(GlobalId),
    /// What the function returns.
    Result,
    /// A quantified variable: the address of the cell.
    Bound(BoundVariable),
    /// A field of the cell that a pointer points to.
    Field(Box<Term>, Path),
    /// What the term meant when the function was called.
    Old(Box<Term>),
}

/// Which half of a contract a formula belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Clause {
    /// `hw_requires`: no `old`, `result`, `fresh`, `freed`.
    Requires,
    /// `hw_ensures`.
    Ensures,
}

/// Why a formula could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message} (at character {column} of the formula)")]
pub struct ClaimError {
    /// Counted from 1.
    pub column: usize,
    /// What was expected.
    pub message: String,
}

impl Claim {
    /// Reads a formula of a function's contract.
    ///
    /// # Errors
    /// Where the formula does not follow the grammar above, or names what does not exist.
    pub fn parse(program: &Program, function: FunctionId, clause: Clause, text: &str) -> Result<Claim, ClaimError> {
        parser::parse(program, function, clause, text)
    }

    /// Calls `visit` with every term, the parts of terms included.
    pub fn for_each_term(&self, visit: &mut impl FnMut(&Term)) {
        match self {
            Claim::Constant(_) => {}
            Claim::Equal(left, right) => {
                left.for_each_part(visit);
                right.for_each_part(visit);
            }
            Claim::Iff(left, right) => {
                left.for_each_term(visit);
                right.for_each_term(visit);
            }
            Claim::Shape { arguments, .. } => arguments.iter().for_each(|term| term.for_each_part(visit)),
            Claim::Fresh(term) | Claim::Freed(term) => term.for_each_part(visit),
            Claim::Not(claim) | Claim::Old(claim) | Claim::Quantified { body: claim, .. } => claim.for_each_term(visit),
            Claim::And(claims) | Claim::Or(claims) => claims.iter().for_each(|claim| claim.for_each_term(visit)),
        }
    }
}

impl Term {
    /// Calls `visit` with the term and the terms it is made of.
    pub fn for_each_part(&self, visit: &mut impl FnMut(&Term)) {
        visit(self);
        match self {
            Term::Null | Term::Parameter(_) | Term::Global(_) | Term::Result | Term::Bound(_) => {}
            Term::Field(base, _) | Term::Old(base) => base.for_each_part(visit),
        }
    }
}

/// The record behind a pointer type.
fn record_behind(program: &Program, ty: TypeId) -> Option<(TypeId, RecordId)> {
    let view = program.pointee(ty)?;
    match program.ty(view) {
        crate::types::Type::Record(record) => Some((view, *record)),
        _ => None,
    }
}
