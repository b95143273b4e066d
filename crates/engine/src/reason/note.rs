//! What does not touch a verdict.

use super::{Element, PredicateMisfit};
use crate::finding::{Certainty, Kind};
use heapwise_ir::Span;

/// Something that the user may want to know, and that does not touch the verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Note {
    /// Ways end in an error of a kind that was not asked for: the verdict says nothing of what would follow.
    UnaskedEnd {
        /// The kind.
        kind: Kind,
        /// Where.
        span: Span,
        /// Whether a run shows it.
        certainty: Certainty,
    },
    /// How far concrete states were explored.
    Explored {
        /// So many of them.
        states: u64,
        /// So many steps deep.
        depth: u32,
        /// Whether nothing was left.
        extent: Extent,
    },
    /// How many allocation sites were followed.
    Sites {
        /// So many there are.
        sites: usize,
        /// So many were followed to the end.
        complete: usize,
        /// Configurations that were found.
        configurations: u64,
        /// Seeds whose configuration another site had led to before.
        reused: u64,
        /// Configurations that calls handed to functions.
        entered: u64,
        /// Those of them that some call had handed to the same function before: what was found then is used again.
        entered_before: u64,
    },
    /// Groups of fields that were followed apart.
    FieldGroups {
        /// The links of each.
        groups: Vec<String>,
    },
    /// Ghost instructions that tie groups of fields together.
    GhostInstructions {
        /// Where, and which.
        instructions: Vec<String>,
    },
    /// Random runs were made.
    RandomRuns {
        /// So many.
        runs: u64,
    },
    /// The analysis ended at errors that runs show.
    EndedAtErrors,
    /// A predicate of the user is about nothing in this program.
    PredicateUnused {
        /// Its name.
        name: String,
        /// Why.
        why: PredicateMisfit,
    },
    /// Possible findings were left out beside confirmed ones, because they may follow from them.
    LeftOut {
        /// So many.
        findings: usize,
    },
    /// A second pass that keeps dead variables.
    SecondPass {
        /// So many elements.
        elements: u64,
        /// What an element is.
        of: Element,
    },
    /// The program was analysed more than once.
    Attempts {
        /// So often.
        attempts: u32,
        /// How the last time.
        last: LastAttempt,
    },
    /// Contracts were not looked at.
    ContractsIgnored,
    /// Bodies were checked against their contracts.
    BodiesChecked {
        /// So many.
        bodies: usize,
    },
    /// Best transformers were asked for, and calls that are not inlined do not have them.
    NoBestTransformers,
    /// Best transformers were asked for, and the prover left structures open.
    LeftByProver {
        /// So many.
        structures: usize,
    },
    /// The shape that was asked for fits no record.
    ShapeMisfit {
        /// The shape.
        shape: AskedShape,
        /// The record with the most links to itself.
        record: String,
        /// These links.
        links: Vec<String>,
    },
}

/// Whether everything was explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Nothing was left.
    Whole,
    /// Something was.
    Part,
}

/// How a program was analysed once more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LastAttempt {
    /// With fewer structures kept apart.
    FewerApart,
    /// With finer names of cells.
    FinerNames,
    /// With every structure apart.
    AllApart,
    /// With both.
    FinerNamesAllApart,
}

/// A shape that a user asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AskedShape {
    /// Singly-linked lists.
    SinglyLinked,
    /// Cyclic lists.
    Cyclic,
    /// Doubly-linked lists.
    DoublyLinked,
    /// Trees.
    Tree,
    /// Trees with parent pointers.
    TreeWithParent,
}

impl AskedShape {
    /// How many links to its own type a record of that shape has.
    pub fn links(self) -> usize {
        match self {
            AskedShape::SinglyLinked | AskedShape::Cyclic => 1,
            AskedShape::DoublyLinked | AskedShape::Tree => 2,
            AskedShape::TreeWithParent => 3,
        }
    }
}
