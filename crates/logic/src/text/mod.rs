//! The text form of formulas: TVP syntax. Names of predicates may carry bracketed names (`reach[n,x]`), and names
//! are substituted while parsing, so a `foreach` or an action is parsed once per use, each time with its own bindings.

mod lexer;
mod parser;
mod sets;

pub use lexer::{Origin, Source, Token, TokenKind, lex};
pub use parser::{Names, Parser};

use std::fmt;
use std::sync::Arc;

/// A predicate or set-element name: an identifier, perhaps with bracketed names.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Name {
    /// The identifier.
    pub id: Arc<str>,
    /// What stands in brackets behind it, if there are brackets.
    pub parameters: Option<Vec<Name>>,
}

impl Name {
    /// A name without brackets.
    #[must_use]
    pub fn plain(id: &str) -> Name {
        Name { id: id.into(), parameters: None }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id)?;
        if let Some(parameters) = &self.parameters {
            f.write_str("[")?;
            for (i, parameter) in parameters.iter().enumerate() {
                write!(f, "{}{parameter}", if i == 0 { "" } else { "," })?;
            }
            f.write_str("]")?;
        }
        Ok(())
    }
}

/// What is wrong with a text, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct TextError {
    /// The file, after `#include`.
    pub file: Arc<str>,
    /// The line in it, from 1.
    pub line: u32,
    /// What was expected and what was found, or what does not hold.
    pub message: String,
}

impl TextError {
    /// An error at a line.
    #[must_use]
    pub fn at(origin: &Origin, message: String) -> TextError {
        TextError { file: origin.file.clone(), line: origin.line, message }
    }
}
