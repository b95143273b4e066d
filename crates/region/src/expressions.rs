//! The expressions of a procedure that configurations speak of: `base->offset`, one step from a register or a global.
//!
//! Longer ones do not occur: `y->n->n` is read in two steps by way of a temporary. Registers themselves need no facts, their
//! counts are exact.

use crate::memory::CellId;
use heapwise_ir::entity::{PrimaryMap, entity_impl};
use heapwise_ir::{GlobalId, RegisterId};
use rustc_hash::FxHashMap;

/// An expression of one procedure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExpressionId(u32);
entity_impl!(ExpressionId, "x");

/// What an expression starts from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Base {
    /// The value of a register.
    Register(RegisterId),
    /// The address of a global.
    Global(GlobalId),
}

/// The value in memory at a constant distance from its base.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expression {
    /// Where it starts.
    pub base: Base,
    /// How many bytes further it lies.
    pub offset: i64,
    /// The cell of the region there.
    pub cell: CellId,
}

/// The expressions of one procedure.
#[derive(Clone, Default, Debug)]
pub struct Expressions {
    /// All of them.
    pub all: PrimaryMap<ExpressionId, Expression>,
    by_base: FxHashMap<Base, Vec<ExpressionId>>,
}

impl Expressions {
    /// Adds one, unless it is there.
    pub fn add(&mut self, base: Base, offset: i64, cell: CellId) -> ExpressionId {
        if let Some(known) = self.find(base, offset) {
            return known;
        }
        let id = self.all.push(Expression { base, offset, cell });
        self.by_base.entry(base).or_default().push(id);
        id
    }

    /// The one at that distance from the base.
    pub fn find(&self, base: Base, offset: i64) -> Option<ExpressionId> {
        self.from(base).iter().copied().find(|expression| self.all[*expression].offset == offset)
    }

    /// All that start from there.
    pub fn from(&self, base: Base) -> &[ExpressionId] {
        self.by_base.get(&base).map_or(&[], Vec::as_slice)
    }
}
