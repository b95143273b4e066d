//! `heapwise-pointsto`: points-to analysis of whole programs, unification-based and field-sensitive: regions, aliases, targets of calls.
//!
//! **What it is.** One points-to analysis of the whole program, for everybody: unification-based (Steensgaard), without
//! order, field-sensitive by byte offset, near-linear. Memory is split into disjoint [`Region`]s; a register or a cell of
//! a region points into one region, at a few [`Offsets`]. Arrays are folded onto one element; other cells become one only
//! where two accesses overlap that begin at different bytes, or where the offset of an access is not known, and that is
//! counted ([`Collapse`]). Functions are objects, so what a function pointer may call is what was stored in it; no
//! signature takes a function away.
//!
//! **Two modes, one solver.** [`Mode::ContextInsensitive`]: one graph, in which arguments flow to parameters.
//! [`Mode::ContextSensitive`]: a graph for each set of functions that call each other, and at each call a one-to-one map
//! of the callee's regions to the caller's ([`CallMap`]; Hackett and Rugina, section 4).
//!
//! **What it is not.** It knows no shapes and no engine; it does not know which pointers are null, freed or out of bounds.
//! It reads effects of functions without a body as `ir` has them ([`heapwise_ir::ExternEffects`], which the front end takes
//! from the models); a function without a model may do anything with what its arguments reach.
//!
//! **It ends.** A region has a limited number of cells, none is longer than a page outside arrays, arrays grow a limited number
//! of times, and so do the offsets of a pointer; what would go on becomes one. [`analyse_while`] can be stopped before.
//!
//! **The law it keeps.** At every moment of every run, up to its first error, gap or `unsupported` edge: a pointer to an
//! object that a register or a cell holds lies in the region and at an offset that is given for it, unless the value is
//! said to be [`Value::unknown`]. `tests/law.rs` compares that with runs of `interp`.
//!
//! **Where to start.** [`analyse`], then [`PointsTo`] and its queries; `generate.rs` for what each instruction means,
//! `solver/mod.rs` for how regions become one, `contexts.rs` for calls.

mod analysis;
mod calls;
mod constants;
mod contexts;
mod freeze;
mod generate;
mod graph;
mod layout;
mod nodes;
mod object;
mod offsets;
mod query;
mod solver;
mod text;
mod verifier;
mod watch;

pub use analysis::{Entries, Options, analyse, analyse_while};
pub use graph::{Access, AccessKind, CallMap, Cell, GraphId, Mode, Others, PointsTo, Region, RegionId, Targets, Value};
pub use layout::{Fold, Layout};
pub use object::{Collapse, CollapseReason, Object, Site};
pub use offsets::{Count, Offsets, Range};
pub use query::{Effects, Escape, Holder};
pub use solver::Arithmetic;
