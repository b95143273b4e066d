//! Random heap programs.
//!
//! A [`RandomProgram`] is a tree of statements over pointer variables: well-typed by construction, and so is everything that
//! shrinking makes of it. [`RandomProgram::lower`] makes an `ir` program of it, with a C text beside it whose lines the
//! spans point into. [`programs`] is a proptest strategy; [`generate`] and [`shrink`] work without proptest.
//!
//! What a run may do is up to the program: it may dereference null, free twice, leak, loop for ever. That is the point.

mod descend;
mod generate;
mod lower;
mod memory;
mod reduce;
mod strategy;

pub use generate::generate;
pub use lower::Lowered;
pub use reduce::{reductions, shrink};
pub use strategy::{Programs, programs};

/// What programs are made of.
#[derive(Clone, Debug)]
pub struct Knobs {
    /// How many record types there may be.
    pub records: std::ops::RangeInclusive<usize>,
    /// Which pointer fields a record has.
    pub fields: Fields,
    /// Whether records have an integer field, and programs read and write it.
    pub data: Data,
    /// How many functions there may be besides `main`.
    pub functions: std::ops::RangeInclusive<usize>,
    /// Whether functions may call themselves and each other in circles.
    pub recursion: Recursion,
    /// What functions are called for.
    pub calling: Calling,
    /// How many pointer variables a function may have.
    pub variables: std::ops::RangeInclusive<usize>,
    /// How many pointer variables are global.
    pub globals: std::ops::RangeInclusive<usize>,
    /// How many statements a function may have.
    pub statements: std::ops::RangeInclusive<usize>,
    /// How deep branches and loops may nest.
    pub depth: usize,
    /// How often statements occur.
    pub weights: Weights,
    /// Of a hundred dereferences, how many stand behind a check for null.
    pub guarded: u32,
    /// Of a hundred allocations, how many are zeroed.
    pub zeroed: u32,
    /// Whether variables are null when a function starts, or hold nothing.
    pub locals: Locals,
    /// Whether records are allocated as they are, or lie within what is allocated.
    pub placement: Placement,
}

/// Which pointer fields a record has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fields {
    /// One, to its own type: singly-linked lists.
    OneToItself,
    /// So many, to any record.
    ToAny(std::ops::RangeInclusive<usize>),
}

/// Whether there is data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Data {
    /// Only pointers.
    None,
    /// An integer in each record.
    Integers,
    /// The same, and programs copy it, count it, read it from inputs, and compare it with each other.
    Compared,
}

/// Whether functions may call themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recursion {
    /// A function calls only functions before it.
    Forbidden,
    /// A function calls any function but `main`.
    Allowed,
}

/// What functions are called for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calling {
    /// Anything.
    Anyhow,
    /// For the subtrees of a tree with parents: records, fields, functions and variables are as that needs them.
    DownTrees,
}

/// What fresh cells hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fresh {
    Zeroed,
    Uninitialised,
}

/// What local variables hold at first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Locals {
    /// Null.
    Null,
    /// Nothing: using them is an error.
    Uninitialised,
}

/// Where records lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Placement {
    /// Each is what is allocated.
    Whole,
    /// Each lies some bytes into what is allocated, as the `list_head` of an item does.
    Within,
}

/// How often statements occur, relative to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weights {
    /// `x = NULL`, `x = y`.
    pub assign: u32,
    /// `x = malloc(…)`.
    pub allocate: u32,
    /// `x = y->f`.
    pub load: u32,
    /// `x->f = y`.
    pub store: u32,
    /// `free(x)`.
    pub free: u32,
    /// `if`.
    pub branch: u32,
    /// `while`.
    pub repeat: u32,
    /// `x = f(y)`.
    pub call: u32,
    /// `assert(x != NULL)` and the like.
    pub assert: u32,
}

impl Knobs {
    /// A little of everything.
    pub fn everything() -> Knobs {
        Knobs {
            records: 1..=3,
            fields: Fields::ToAny(1..=3),
            data: Data::Integers,
            functions: 0..=2,
            recursion: Recursion::Allowed,
            calling: Calling::Anyhow,
            variables: 2..=4,
            globals: 0..=1,
            statements: 4..=14,
            depth: 2,
            weights: Weights {
                assign: 3,
                allocate: 4,
                load: 4,
                store: 4,
                free: 2,
                branch: 2,
                repeat: 2,
                call: 2,
                assert: 1,
            },
            guarded: 70,
            zeroed: 70,
            locals: Locals::Null,
            placement: Placement::Whole,
        }
    }

    /// Singly-linked lists of one or two types in `main` alone: no calls, no globals, no data.
    pub fn singly_linked_lists() -> Knobs {
        let everything = Knobs::everything();
        Knobs {
            records: 1..=2,
            fields: Fields::OneToItself,
            data: Data::None,
            functions: 0..=0,
            recursion: Recursion::Forbidden,
            globals: 0..=0,
            weights: Weights { call: 0, ..everything.weights },
            ..everything
        }
    }

    /// Singly-linked lists with calls that can be inlined.
    pub fn lists_with_calls() -> Knobs {
        let lists = Knobs::singly_linked_lists();
        Knobs { functions: 1..=2, weights: Weights { call: 2, ..lists.weights }, ..lists }
    }

    /// Lists and other structures of one or two types whose integers are copied, counted, and compared with each other.
    pub fn compared_data() -> Knobs {
        let lists = Knobs::lists_with_globals_and_data();
        let weights = Weights { assert: 3, store: 8, ..lists.weights };
        Knobs { data: Data::Compared, fields: Fields::ToAny(1..=2), weights, ..lists }
    }

    /// Singly-linked lists that globals hold too, with an integer in each cell.
    pub fn lists_with_globals_and_data() -> Knobs {
        let lists = Knobs::lists_with_calls();
        Knobs { functions: 0..=1, globals: 1..=2, data: Data::Integers, ..lists }
    }
}

/// A program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RandomProgram {
    pub(crate) records: Vec<RandomRecord>,
    /// The record that each global variable points to.
    pub(crate) globals: Vec<usize>,
    /// `main` is the last.
    pub(crate) functions: Vec<RandomFunction>,
    pub(crate) locals: Locals,
    pub(crate) placement: Placement,
}

/// A record type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RandomRecord {
    /// The record that each pointer field points to.
    pub pointers: Vec<usize>,
    pub data: Data,
}

/// A function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RandomFunction {
    /// The record that each variable points to; the parameters come first.
    pub variables: Vec<usize>,
    pub n_parameters: usize,
    /// The variable that is returned.
    pub result: Option<usize>,
    pub body: Vec<Statement>,
}

/// A local or global variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Variable {
    Local(usize),
    Global(usize),
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Statement {
    SetNull(Variable),
    Copy(Variable, Variable),
    Allocate(Variable, Fresh),
    Load { target: Variable, base: Variable, field: usize },
    Store { base: Variable, field: usize, value: Option<Variable> },
    StoreData { base: Variable, value: i64 },
    CopyData { base: Variable, source: DataSource },
    Free(Variable),
    If(Test, Vec<Statement>, Vec<Statement>),
    While(Test, Vec<Statement>),
    Call { function: usize, arguments: Vec<Variable>, target: Option<Variable> },
    Assert(Test),
}

/// Where the data of a record comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DataSource {
    /// An input.
    Any,
    /// Another record.
    Of(Variable),
    /// One more than that of another record.
    OneMoreThan(Variable),
}

/// A condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Test {
    IsNull(Variable),
    IsNotNull(Variable),
    Same(Variable, Variable),
    Different(Variable, Variable),
    /// Compares the data of a record with a number.
    DataLess(Variable, i64),
    /// Whether the data of a record is a number.
    DataIs(Variable, i64),
    /// Whether two records have the same data.
    DataSame(Variable, Variable),
    /// An input.
    Any,
}

impl RandomProgram {
    /// How many statements there are.
    pub fn n_statements(&self) -> usize {
        self.functions.iter().map(|function| count(&function.body)).sum()
    }
}

fn count(block: &[Statement]) -> usize {
    let inner = block.iter().map(|statement| match statement {
        Statement::If(_, then, otherwise) => count(then) + count(otherwise),
        Statement::While(_, body) => count(body),
        _ => 0,
    });
    block.len() + inner.sum::<usize>()
}
