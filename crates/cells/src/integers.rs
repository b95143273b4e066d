//! What the steps of a cell program do to integers that it does not track: the translation says so while it knows the program
//! that the cells come from, and passes over cells find it in the cell program.

use crate::atom::Var;
use crate::program::{Access, StepId};
use heapwise_ir::entity::SecondaryMap;
use heapwise_ir::{BitRange, CompareOperator, IntType};
use smallvec::SmallVec;

/// A field of cells as it is read: the same bytes are other integers as another type, or as other bits of their unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct View {
    /// First byte and size.
    pub(crate) bytes: (i64, u64),
    pub(crate) ty: IntType,
    pub(crate) bits: Option<BitRange>,
}

impl View {
    pub(crate) fn access(self) -> Access {
        let (offset, size) = self.bytes;
        Access { offset, size }
    }
}

/// An integer that is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum IntegerOperand {
    Constant(i128),
    /// What a register holds, by its number in [`Integers`].
    Register(usize),
}

/// What a register gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum IntegerValue {
    /// The same integer.
    Same(IntegerOperand),
    /// Another one, of which nothing is known.
    New,
}

/// What a step does to integers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum IntegerStep {
    /// Registers get values, all at once.
    Assign(SmallVec<[(usize, IntegerValue); 1]>),
    /// A register gets what a field of a cell holds.
    Load { target: usize, base: Var, view: View },
    /// A field of a cell gets an integer.
    Store { base: Var, view: View, value: IntegerOperand },
    /// Goes on if the comparison holds.
    Compare { operator: CompareOperator, left: IntegerOperand, right: IntegerOperand },
}

/// The name of an integer register.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RegisterName {
    pub(crate) name: String,
    /// Whether it is a variable of the C text.
    pub(crate) is_variable: bool,
}

/// The integer registers of every call string, and what steps do to them.
#[derive(Clone, Debug)]
pub(crate) struct Integers {
    pub(crate) registers: Vec<RegisterName>,
    pub(crate) steps: SecondaryMap<StepId, Option<IntegerStep>>,
}

impl Integers {
    /// What a step does.
    pub(crate) fn step(&self, id: StepId) -> Option<&IntegerStep> {
        self.steps[id].as_ref()
    }
}
