//! `heapwise-cells`: programs over heap cells, with calls inlined and bytes resolved: what shape engines run on.
//!
//! **What it is.** A translation of heapwise's language: calls are inlined by call string (functions that call themselves are
//! procedures for engines that ask for it), constant addresses are resolved so that static and local objects become
//! variables, functions without a body act by their models, integers that are no flags are dropped. What is left is one
//! flat automaton over variables that hold cells or [`atom::Atom`]s, with the liveness
//! of its variables, and with an explicit gap wherever the translation cannot follow.
//!
//! **What it is not.** It is no analysis and knows no abstraction: which cells an engine can tell apart is the engine's
//! business, and so is which [`Links`] of a cell it follows. Pointers to the inside of cells, to one field or to one of
//! several, pointers that hold an object's address on some ways only, and short arrays of links are resolved here
//! (`translate/inside.rs`, `translate/fields.rs`, `translate/places.rs`, `translate/elements.rs`). What the bytes of an access or a
//! copy cover is decided in `translate/transfer.rs` and `translate/objects.rs` for objects, in [`touch`] for cells.
//!
//! **The law it keeps.** Every run of the program is a run of the cell program, up to the first gap or error on its way.
//!
//! **Where to start.** [`program::Command`] is what a step does, [`translate::translate`] makes a program,
//! [`text::print`] shows it, [`verifier::verify`] says whether it is well-formed,
//! [`Suspect`] is what an engine does not exclude at a step, with a path that `heapwise-confirm` looks for a run along.

pub mod atom;
pub mod compare;
pub mod contract;
pub mod describe;
mod integers;
pub mod invariant;
mod issue;
pub mod live;
pub mod mapped;
pub mod place;
pub mod procedure;
pub mod program;
mod reach;
pub mod search;
mod suspect;
pub mod text;
pub mod touch;
pub mod translate;
pub mod value;
pub mod verifier;

pub use issue::Issue;
pub use suspect::{Suspect, Suspected, edge_path, suspected};
pub use translate::Links;
