//! `heapwise-overlay`: separation logic for lists, trees, and structures laid over each other: the engine `overlay`.
//!
//! **What it is.** An engine on `ir` itself: a state is a symbolic heap ([`heap::Heap`]), in which a pointer is a cell and a
//! byte offset, so that the inside of a cell, `container_of` and the address of a link are values like others. Structures of
//! any size are instances of inductive predicates, which are data ([`predicate`]).
//!
//! **What it is not.** It does not know C, `cells`, or any other engine.
//!
//! **The law it keeps.** Every concrete state that a run comes to is described by a heap at its location, or a gap names the
//! statement from which on that may not be so.
//!
//! **Where to start.** [`heap`], then [`predicate`], [`unfold`] (instances show their cells), [`transfer`] (the eleven
//! instructions), [`analysis`] (the fixpoint), [`engine`].

pub mod analysis;
mod arguments;
pub mod calls;
mod chunk;
mod colours;
mod draw;
pub mod engine;
mod fold;
mod fold_array;
pub mod footprint;
pub mod groups;
pub mod heap;
mod hole;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod laws_array;
#[cfg(test)]
mod laws_runs;
#[cfg(test)]
mod laws_texts;
#[cfg(test)]
mod laws_walks;
mod layouts;
mod measures;
pub mod number;
pub mod predicate;
pub mod product;
mod reread;
mod thresholds;
pub mod transfer;
pub mod unfold;
mod unify;

pub use engine::{ENTRY, OverlayEngine};
