//! What a run does not determine itself, and what it was decided to be: inputs, failing allocations, addresses.
//!
//! A confirmed finding rests on such choices alone: a machine that is given them makes the same run again.

use heapwise_ir::{FunctionId, Span};
use std::fmt;

/// A choice made in a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// What was asked.
    pub question: ChoiceQuestion,
    /// Where: the statement that ran.
    pub span: Span,
    /// In which function.
    pub function: FunctionId,
    /// What was decided.
    pub answer: Answer,
}

/// What is open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChoiceQuestion {
    /// A value that comes from outside the program.
    Input(InputSource),
    /// Whether an allocation succeeds.
    Allocation,
    /// How two addresses compare that C leaves open.
    Address {
        /// One of them, in words.
        left: String,
        /// The other one.
        right: String,
    },
    /// Where something lies, once the program computes with its address.
    Place {
        /// What, in words.
        object: String,
    },
}

/// Where a value comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputSource {
    /// A parameter of the function where execution starts.
    Parameter(String),
    /// How many arguments the program gets, its own name included.
    ArgumentCount,
    /// What a function of the library returns.
    Result(String),
    /// How many conversions of this call of the `scanf` family succeed, or whether its input ends.
    Conversions(String),
    /// Bytes that somebody else wrote.
    Bytes {
        /// Who.
        writer: Writer,
        /// How many bytes behind the first one.
        offset: u64,
    },
    /// A value that the program itself asks for (`__VERIFIER_nondet_int`), or that nobody gave.
    Unspecified,
}

/// Who fills storage that the program looks at.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Writer {
    /// Whoever starts the program: an argument, by its number.
    Argument(u32),
    /// A function of the library (`fgets`, `getenv`); calls that read are counted, over all functions.
    Function {
        /// Its name.
        name: String,
        /// Which of these calls it is, from 0.
        call: u32,
    },
    /// Nobody: what lies between the members of a record that an initialiser wrote.
    Padding,
    /// Nobody: the program never wrote it, and uses of such values were not asked about.
    Nobody,
    /// Other code: an extern variable.
    Elsewhere,
}

/// What was decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// This number.
    Integer(i128),
    /// The floating-point number with these bits.
    Float(u64),
    /// A null pointer.
    Null,
    /// A pointer that is not null.
    NotNull,
    /// The allocation succeeds.
    Succeeds,
    /// The allocation fails.
    Fails,
    /// The addresses are the same.
    Same,
    /// The addresses differ.
    Distinct,
    /// The first lies below the second.
    Below,
    /// The first lies above the second.
    Above,
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.question {
            ChoiceQuestion::Input(source) => write!(f, "{source} is {}", self.answer),
            ChoiceQuestion::Allocation => write!(f, "the allocation {}", self.answer),
            ChoiceQuestion::Address { left, right } => match self.answer {
                Answer::Same => write!(f, "{left} and {right} have the same address"),
                Answer::Distinct => write!(f, "{left} and {right} have different addresses"),
                _ => write!(f, "{left} {} {right}", self.answer),
            },
            ChoiceQuestion::Place { object } => match self.answer {
                Answer::Integer(address) => write!(f, "{object} lies at address {address:#x}"),
                _ => write!(f, "{object} {}", self.answer),
            },
        }
    }
}

impl fmt::Display for InputSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputSource::Parameter(name) => write!(f, "parameter `{name}`"),
            InputSource::ArgumentCount => f.write_str("argc"),
            InputSource::Result(name) => write!(f, "the result of `{name}`"),
            InputSource::Conversions(name) => write!(f, "the number of conversions of `{name}`"),
            InputSource::Bytes { writer: Writer::Argument(index), offset } => write!(f, "argv[{index}][{offset}]"),
            InputSource::Bytes { writer: Writer::Function { name, .. }, offset } => {
                write!(f, "byte {offset} of what `{name}` gave")
            }
            InputSource::Bytes { writer: Writer::Padding, offset } => {
                write!(f, "byte {offset}, which lies between initialised members and which C leaves open,")
            }
            InputSource::Bytes { writer: Writer::Nobody, .. } => {
                f.write_str("the value here, which was never written and which C leaves open,")
            }
            InputSource::Bytes { writer: Writer::Elsewhere, .. } => f.write_str("the value read"),
            InputSource::Unspecified => f.write_str("the input here"),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Integer(value) => write!(f, "{value}"),
            Answer::Float(bits) => write!(f, "{}", f64::from_bits(*bits)),
            Answer::Null => f.write_str("NULL"),
            Answer::NotNull => f.write_str("not NULL"),
            Answer::Succeeds => f.write_str("succeeds"),
            Answer::Fails => f.write_str("fails"),
            Answer::Same => f.write_str("has the address of"),
            Answer::Distinct => f.write_str("does not have the address of"),
            Answer::Below => f.write_str("lies below"),
            Answer::Above => f.write_str("lies above"),
        }
    }
}
