//! `heapwise-interp`: the concrete semantics: an interpreter with open inputs, exact errors, and the engine `explicit`.
//!
//! **What it is.** A [`Machine`] runs a program on exact heaps: every object with its bytes, every pointer with its
//! object and offset, every uninitialised bit. It detects every error that heapwise has a name for, exactly where it
//! happens. Whatever is not determined (inputs, failing allocations, addresses that C leaves open) goes through a
//! [`Chooser`]. The engine [`Explicit`] tries the choices systematically.
//!
//! **What it is not.** It abstracts nothing that a finding is confirmed by: inputs that were not looked at yet are kept open, but
//! only so that one run stands for all inputs that behave the same. What stands for more (`approximate.rs`) is in doubt.
//!
//! **The law it keeps.** An error reported without doubt is shown by a run that exists. What cannot be followed exactly
//! stops the run with a gap that names it; *safe* is possible only if every choice was tried.
//!
//! **Decisions.** Signed overflow wraps (gcc's `-fwrapv`). Division by zero, shifts by too much and conversions of
//! floats that do not fit end a run as a gap. Addresses from `malloc` are multiples of 16, others of their type's
//! alignment; live objects do not overlap but may touch, string literals may share bytes, a later object may lie where a
//! dead one lay, and the order of two objects is open: `addresses.rs` has the rules. Copying an uninitialised value is no
//! error, any other use is. Writing to a string literal is `out-of-bounds`.
//!
//! **Where to start.** [`machine`] for the pieces, `step.rs` for the eleven instructions, `search.rs` for the engine.

mod access;
mod addresses;
mod approximate;
mod canonical;
mod choices;
pub mod chooser;
mod code;
mod compare;
mod constraints;
pub mod contents;
mod contract;
mod describe;
mod drawing;
mod entry;
mod evaluate;
mod explicit;
mod float;
mod globals;
pub mod heap;
mod inputs;
mod library;
mod lost;
pub mod machine;
pub mod observe;
mod search;
mod shape;
pub mod state;
mod step;
mod trace;
pub mod value;

use heapwise_ir::integer;

pub use approximate::Approximation;
pub use chooser::{Chooser, Decision, FirstChooser, Listed, Question, RandomChooser, Replayer, Script};
pub use contents::Loaded;
pub use drawing::drawing;
pub use explicit::{ENTRY, Explicit};
pub use machine::{Ending, Machine, MachineOptions, OutputMode, RunError, Sink, Stop, Unasked};
pub use observe::{Observer, Run, replay, run};
pub use search::{Limits, Persistence, Place};
pub use state::State;
pub use value::{ObjectId, Pointer, Value};
