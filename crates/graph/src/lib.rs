//! `heapwise-graph`: shape graphs of singly-linked lists, whole and decomposed: the engine `graph`.
//!
//! **What it is.** An engine for programs over (possibly cyclic) singly-linked lists: records with one link to their own
//! type, any number of lists and record types, any data. A location holds a set of whole shape graphs
//! ([`Mode::Full`]) or of subgraphs, one per connected component or null variable ([`Mode::Decomposed`], after Manevich,
//! Berdine, Cook, Ramalingam and Sagiv, *Shape Analysis by Graph Decomposition*).
//!
//! **What it is not.** It does not follow records with two links, cells that point to cells of another type, variables
//! that point to different bytes of cells at different times, or recursion: such a program gets a gap that names the
//! place and the reason.
//!
//! **The law it keeps.** Every concrete heap that reaches a location is represented there: by one graph in full mode, by a
//! choice of subgraphs that maps every variable once in decomposed mode.
//!
//! **Where to start.** [`shape`] for the graphs and their canonical form, [`apply`](mod@apply) for the transformers,
//! [`run`](mod@run) for the fixpoint, [`translate`] for how a program becomes a list program, [`engine`] for the whole.

pub mod apply;
pub mod decompose;
pub mod draw;
pub mod engine;
pub mod feasible;
mod judge;
pub mod kinds;
pub mod predicate;
pub mod run;
pub mod search;
pub mod settings;
pub mod shape;
pub mod store;

#[cfg(test)]
mod tests;

pub use engine::{Analysis, GraphEngine};
pub use settings::{ENTRY, Feasibility, Mode, Settings};
