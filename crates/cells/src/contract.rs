//! Contracts over cells: what the formulas of `hw_requires` and `hw_ensures` say, with records and fields resolved to
//! kinds and links.

use crate::atom::Var;
use crate::program::KindId;
use heapwise_ir::claim::Quantifier;
use heapwise_ir::{FunctionId, ShapeKind, Span};

/// A contract of a cell program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContractId(u32);
heapwise_ir::entity::entity_impl!(ContractId, "contract");

/// The contract of a function.
///
/// Beside what is written it says: every cell that the function can reach, when it is called and when it returns, is of
/// one of [`CellContract::kinds`], its links lead to cells of their declared types or hold null, and its data is initialised.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellContract {
    /// The function.
    pub function: FunctionId,
    /// Its name.
    pub name: String,
    /// Where the contract is written.
    pub span: Span,
    /// The kind that each parameter points to; `None` for parameters that are no pointers to cells.
    pub parameters: Vec<Option<KindId>>,
    /// The kind that the result points to, if it is a pointer to cells.
    pub result: Option<KindId>,
    /// What callers establish.
    pub requires: Vec<ContractClause>,
    /// What the function establishes.
    pub ensures: Vec<ContractClause>,
    /// The kinds of cells it can reach.
    pub kinds: Vec<KindId>,
    /// The global pointers that it may read or write, with the kind of cells they point to, if they do.
    pub globals: Vec<(Var, Option<KindId>)>,
    /// The global pointers to cells that only its formulas name: it cannot change them.
    pub named: Vec<(Var, KindId)>,
    /// Whether it may free cells: only a contract that speaks of `freed` allows it.
    pub frees: Frees,
}

/// Whether a function may free cells that exist when it is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frees {
    /// No.
    Nothing,
    /// It may.
    Cells,
}

/// A formula of a contract.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContractClause {
    /// As it is written.
    pub text: String,
    /// What it says.
    pub claim: CellClaim,
}

/// What a formula claims; see [`heapwise_ir::claim::Claim`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CellClaim {
    /// Always, or never.
    Constant(bool),
    /// Both are null, or the same cell.
    Equal(CellTerm, CellTerm),
    /// A shape.
    Shape {
        /// Which.
        kind: ShapeKind,
        /// Its pointers.
        arguments: Vec<CellTerm>,
        /// The cells it speaks of.
        cell: KindId,
        /// The links it names.
        links: Vec<usize>,
    },
    /// Allocated during the call.
    Fresh(CellTerm),
    /// Freed during the call.
    Freed(CellTerm),
    /// Not.
    Not(Box<CellClaim>),
    /// All of them.
    And(Vec<CellClaim>),
    /// One of them.
    Or(Vec<CellClaim>),
    /// Both or none.
    Iff(Box<CellClaim>, Box<CellClaim>),
    /// For all cells of a kind, or some.
    Quantified {
        /// All or some.
        quantifier: Quantifier,
        /// The variable.
        variable: u32,
        /// Of which kind.
        cell: KindId,
        /// What.
        body: Box<CellClaim>,
    },
    /// It held when the function was called.
    Old(Box<CellClaim>),
}

/// A pointer value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CellTerm {
    /// Null.
    Null,
    /// What the parameter at this position was called with.
    Parameter(usize),
    /// A global.
    Global(Var),
    /// What the function returns.
    Result,
    /// A quantified variable.
    Bound(u32),
    /// A link of a cell.
    Link(Box<CellTerm>, KindId, usize),
    /// What the term meant when the function was called.
    Old(Box<CellTerm>),
}

impl CellClaim {
    /// The quantified variables that it mentions and does not bind itself, ascending.
    #[must_use]
    pub fn bound_variables(&self) -> Vec<u32> {
        let mut found = Vec::new();
        self.collect_variables(&mut found);
        found.sort_unstable();
        found.dedup();
        found
    }

    fn collect_variables(&self, found: &mut Vec<u32>) {
        match self {
            CellClaim::Constant(_) => {}
            CellClaim::Equal(left, right) => {
                found.extend(left.bound_variable().into_iter().chain(right.bound_variable()))
            }
            CellClaim::Shape { arguments, .. } => found.extend(arguments.iter().filter_map(CellTerm::bound_variable)),
            CellClaim::Fresh(term) | CellClaim::Freed(term) => found.extend(term.bound_variable()),
            CellClaim::Not(claim) | CellClaim::Old(claim) => claim.collect_variables(found),
            CellClaim::And(claims) | CellClaim::Or(claims) => {
                claims.iter().for_each(|claim| claim.collect_variables(found));
            }
            CellClaim::Iff(left, right) => {
                left.collect_variables(found);
                right.collect_variables(found);
            }
            CellClaim::Quantified { variable, body, .. } => {
                found.extend(body.bound_variables().into_iter().filter(|inner| inner != variable));
            }
        }
    }
}

impl CellTerm {
    fn bound_variable(&self) -> Option<u32> {
        match self {
            CellTerm::Bound(variable) => Some(*variable),
            CellTerm::Link(base, ..) | CellTerm::Old(base) => base.bound_variable(),
            CellTerm::Null | CellTerm::Parameter(_) | CellTerm::Global(_) | CellTerm::Result => None,
        }
    }
}
