//! `heapwise-region`: one heap cell at a time, over regions of memory (Hackett and Rugina 2005).
//!
//! **What it is.** The engine for large, ordinary C programs. `pointsto` splits memory into disjoint regions; this crate follows
//! the state of *one* heap cell through the program: how many references to it come from each register and each field of a
//! region (0…k, or more), which expressions surely hit or miss it, and whether it was freed. Configurations are
//! independent of each other, so the cost is that of a worklist over (location, index) pairs, and sites of allocation are
//! followed one after the other, each with a budget of its own.
//!
//! **What it is not.** It does not know other cells than the tracked one, except by region; it looks for leaks, double frees, uses
//! after free and invalid frees of heap cells, and names every other kind as a gap.
//!
//! **The law it keeps.** Up to the first access out of bounds, null dereference or use of a value that was never written: for
//! every run, every heap cell and every location that the run comes to, some configuration there describes the cell, unless
//! there is a gap. An error of the four kinds is a step that no configuration gets past without a suspicion.
//!
//! **Where to start.** `tracker` is the analysis on the fixpoint core, with calls; `transfer` has the instructions,
//! `procedure` how `ir` becomes operations, `world.rs` all that the analysis reads, `sites.rs` how sites are followed, `first_run.rs` what a first run shows for a second one, `engine.rs` how it is asked, `conclusion.rs` what is reported.

mod accessed;
mod acyclic;
mod conclusion;
mod constants;
mod counters;
mod descent;
mod effects;
mod engine;
mod equalities;
mod expressions;
mod facts;
mod first_run;
mod frees;
mod index;
mod integers;
#[cfg(test)]
mod laws;
mod memory;
mod number;
mod procedure;
mod sites;
mod targets;
mod text;
mod tracker;
mod transfer;
mod world;

pub use engine::{ENTRY, RegionEngine, Settings};
pub use sites::{Analysed, Coverage, SiteReport, analyse};
