//! `heapwise-dataflow`: dataflow analysis on any directed graph: lattices, direction, one fixpoint iteration, cursors.
//!
//! **What it is.** A pass that computes something for each node of a graph from what its neighbours have (liveness, available
//! expressions, constant propagation, value numbering) is an [`Analysis`]: a lattice, a direction, what holds at the
//! boundary, and what an edge does to it. [`iterate_to_fixpoint`] is the only loop. It is told by its caller when to stop,
//! and then has no result. What it found is read from [`Results`]: at a node, behind an edge by a [`Cursor`], or all in
//! one walk by a [`Visitor`].
//!
//! **What it is not.** It knows no instruction and no program. It keeps one element of a lattice per node; *sets* of elements
//! that are never joined, calls by tabulation and traces to findings are what `heapwise-fixpoint` is for.
//!
//! **The law it keeps.** If edges are monotone, the result is the least solution of the equations
//! *state(n) = boundary(n) ⊔ ⨆ { edge(state(m)) | edge from m to n }*, whatever the order. The order is deterministic anyway.
//!
//! **Where to start.** [`Analysis`], then `tests/framework.rs`. Which part for which job:
//!
//! | to ask | use |
//! |---|---|
//! | which of many things *may* hold (on some path) | [`MaySet`], or [`SparseBits`] for dense ids |
//! | which of many things *must* hold (on all paths) | [`MustSet`] |
//! | which nodes are reached at all | [`Reachability`] |
//! | a graph of your own | implement [`Graph`] |
//! | in which order to visit a graph | [`order`] |
//!
//! **Across calls.** The graph may be any: a supergraph, with edges from calls to entries and from exits back, gives an
//! analysis that does not tell callers apart. Or calls are edges of the caller, and [`Analysis::apply`] looks the callee's
//! effect up in a table of summaries, callees first ([`order::components_of`] of the call graph). Or the nodes
//! are the functions themselves, and what a callee does flows along the call to its callers. `tests/calls.rs` has one of each.

mod analysis;
mod graph;
mod lattice;
pub mod order;
mod reachability;
mod results;
mod sets;
mod solver;

pub use analysis::{Analysis, Direction, Flow, Iteration};
pub use graph::Graph;
pub use lattice::JoinSemiLattice;
pub use reachability::Reachability;
pub use results::{Cursor, Results, Visitor};
pub use sets::{MaySet, MustSet, SparseBits};
pub use solver::{Progress, iterate_to_fixpoint, unlimited};
