//! Comparisons of integers whose outcome engines may remember: the integers themselves are not part of a cell program.

use crate::program::Access;
use heapwise_ir::CompareOperator;

/// A comparison that is made at several points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComparisonId(u32);
heapwise_ir::entity::entity_impl!(ComparisonId, "compare");

/// What is compared with an integer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// What is compared, and what with, in words of the C text.
    pub words: [String; 2],
    /// A field of cells, of each on its own; without it, another integer.
    pub field: Option<Access>,
}

/// The outcomes of a comparison that an operator leaves open, one bit each: less, equal, greater.
pub fn outcomes(operator: CompareOperator) -> u8 {
    match operator {
        CompareOperator::Less => 0b001,
        CompareOperator::Equal => 0b010,
        CompareOperator::LessEqual => 0b011,
        CompareOperator::Greater => 0b100,
        CompareOperator::NotEqual => 0b101,
        CompareOperator::GreaterEqual => 0b110,
    }
}

/// All outcomes.
pub const OUTCOMES: u8 = 0b111;
