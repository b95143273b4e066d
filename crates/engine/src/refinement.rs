//! How an engine came to the abstraction that answers: one entry per refinement, in order.

use crate::finding::Statement;
use crate::reason::AskedShape;

/// One refinement: why, what is told apart since then, and what came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefinementStep {
    /// The suspicion whose way was looked at; `None` where it was for several.
    pub because: Option<Statement>,
    /// What is told apart more finely.
    pub refinement: Refinement,
    /// What came of it.
    pub result: RefinementResult,
}

/// What an abstraction tells apart that it did not before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refinement {
    /// Lengths of list segments are exact up to this one.
    ExactLength(u32),
    /// So many variables are tracked together.
    Together(usize),
    /// All variables are.
    AllTogether,
    /// Pointers of the program are tracked, and fields looked at.
    Tracked {
        /// The variables, as C names them.
        pointers: Vec<String>,
        /// The fields.
        fields: Vec<String>,
    },
    /// Concrete heaps of sampled runs have a shape, which is taken for the structure of these pointers.
    Sampled {
        /// The shape.
        shape: ShapeName,
        /// So many heaps were looked at.
        samples: usize,
    },
    /// Families of instrumentation predicates of a shape are used.
    Predicates {
        /// The shape.
        shape: ShapeName,
        /// Names of the families, as the library of shapes has them.
        families: Vec<String>,
    },
}

/// A shape by its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ShapeName {
    /// One that every engine knows.
    Known(AskedShape),
    /// One of the user's own, as they call it.
    Own(String),
}

/// What came of a refinement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefinementResult {
    /// The analysis was made again.
    Done {
        /// Elements computed.
        elements: u64,
        /// So many suspicions were excluded by it.
        excluded: usize,
        /// Of so many.
        suspicions: usize,
    },
    /// It did not end within the budget.
    Cut,
}
