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
mod phrase;
mod shipped;

pub use builtin::{Builtin, Claim, HEADER, LinkFields};
pub use effect::{
    Alignment, Allocate, ArgumentTest, CallParts, CopyLength, CopyResult, Destination, Duplicate, DuplicateLength,
    Effect, ElementCount, Elements, FillByte, Gift, Membership, Never, OldObject, Original, OutSuccess, Reallocate,
    Size, Texts, ZeroAllocation, ZeroFlag, ZeroSize,
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
    /// What surrounds it, where it stays a call.
    pub parts: CallParts,
}

/// A table of models.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Models {
    beneath: Beneath,
    table: IndexMap<String, Model, FxBuildHasher>,
    variables: IndexMap<String, NullResult, FxBuildHasher>,
}

/// What is asked where no file that was read knows a function.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Beneath {
    #[default]
    Nothing,
    /// The shipped file.
    Shipped,
}

impl Models {
    /// The models that come with heapwise: libc, POSIX, common wrappers, the functions of verification benchmarks.
    pub fn shipped() -> Models {
        Models { beneath: Beneath::Shipped, ..Models::default() }
    }

    /// Reads a file of models. `file` is its name, for errors.
    pub fn parse(file: &str, text: &str) -> Result<Models, ModelError> {
        file::parse(file, text)
    }

    /// Adds the models of `other`; where both know a function, `other` wins.
    pub fn extend(&mut self, other: Models) {
        if other.beneath == Beneath::Shipped {
            // It knows these functions, and wins.
            self.table.retain(|name, _| shipped::get(name).is_none());
            self.variables.retain(|name, _| shipped::variable(name).is_none());
            self.beneath = Beneath::Shipped;
        }
        self.table.extend(other.table);
        self.variables.extend(other.variables);
    }

    /// What is known of the function of that name.
    pub fn get(&self, name: &str) -> Option<&Model> {
        self.table.get(name).or_else(|| match self.beneath {
            Beneath::Nothing => None,
            Beneath::Shipped => shipped::get(name),
        })
    }

    /// What is known of the `extern` pointer variable of that name: that it points to storage of the library
    /// ([`heapwise_ir::Initializer::Library`]), perhaps null.
    pub fn variable(&self, name: &str) -> Option<NullResult> {
        self.variables.get(name).copied().or_else(|| match self.beneath {
            Beneath::Nothing => None,
            Beneath::Shipped => shipped::variable(name),
        })
    }

    /// All models of functions, in the order of their files, the shipped one first.
    pub fn iter(&self) -> impl Iterator<Item = &Model> {
        let beneath = match self.beneath {
            Beneath::Nothing => None,
            Beneath::Shipped => Some(shipped::iter()),
        };
        let beneath = beneath.into_iter().flatten().map(|model| -> &Model { model });
        beneath.filter(|model| !self.table.contains_key(&model.name)).chain(self.table.values())
    }
}

#[cfg(test)]
mod tests;
