//! `heapwise-models`: library models: what functions without a body do, as data.
//!
//! **What it is.** A [`Models`] table from function names to [`Effect`]s, read from TOML files (the format is described
//! in `docs/models.md`), and the file shipped for libc, POSIX and the allocation wrappers that C programs commonly share.
//! The front end lowers an effect to instructions of the language; what has none becomes a call of an extern function
//! with [`heapwise_ir::ExternEffects`].
//!
//! **What it is not.** It knows no analysis and no C syntax. A function that has a body in the program is analysed from
//! its body; its model is not looked at.
//!
//! **The law it keeps.** A model never claims more than is true of every conforming implementation: where the
//! documentation of a function leaves something open, the model leaves it open.
//!
//! **Where to start.** [`effect`] for what can be said, [`Models::shipped`] and [`Models::parse`] to get a table.

pub mod builtin;
pub mod effect;
mod error;
mod file;
pub mod format;
mod phrase;

pub use builtin::{Builtin, Claim, HEADER, LinkFields};
pub use effect::{
    Allocate, CopyLength, CopyResult, Destination, Duplicate, DuplicateLength, Effect, FillByte, OldObject, OutSuccess,
    Reallocate, Size, ZeroAllocation, ZeroSize,
};
pub use error::ModelError;

use heapwise_ir::NullResult;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// What one function does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    /// The name in C, without any `__builtin_` prefix.
    pub name: String,
    /// What a call does.
    pub effect: Effect,
}

/// A table of models.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Models {
    table: IndexMap<String, Model, FxBuildHasher>,
    variables: IndexMap<String, NullResult, FxBuildHasher>,
}

/// The shipped file.
const SHIPPED: &str = include_str!("../data/libc.toml");

impl Models {
    /// The models that come with heapwise: libc, POSIX, common wrappers, the functions of verification benchmarks.
    pub fn shipped() -> Models {
        match Models::parse("libc.toml", SHIPPED) {
            Ok(models) => models,
            Err(error) => unreachable!("the shipped models are read in tests: {error}"),
        }
    }

    /// Reads a file of models. `file` is its name, for errors.
    pub fn parse(file: &str, text: &str) -> Result<Models, ModelError> {
        file::parse(file, text)
    }

    /// Adds the models of `other`; where both know a function, `other` wins.
    pub fn extend(&mut self, other: Models) {
        self.table.extend(other.table);
        self.variables.extend(other.variables);
    }

    /// What is known of the function of that name.
    pub fn get(&self, name: &str) -> Option<&Model> {
        self.table.get(name)
    }

    /// What is known of the `extern` pointer variable of that name: that it points to storage of the library
    /// ([`heapwise_ir::Initializer::Library`]), perhaps null.
    pub fn variable(&self, name: &str) -> Option<NullResult> {
        self.variables.get(name).copied()
    }

    /// All models of functions, in the order of their files.
    pub fn iter(&self) -> impl Iterator<Item = &Model> {
        self.table.values()
    }
}

#[cfg(test)]
mod tests;
