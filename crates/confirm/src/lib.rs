//! `heapwise-confirm`: from suspicion to finding: the concrete runs behind what engines suspect.
//!
//! **What it is.** An abstraction *suspects* an error that it does not exclude ([`Suspicion`]: the kind, the statement, a
//! path of `ir` edges). A concrete run of `interp` is looked for, along the path ([`Confirmer::along`]), to a loss somewhere
//! behind it ([`Confirmer::loss`]), or anywhere near the entry ([`ConcreteProbe`]). [`judge`] goes through all suspicions:
//! what a run shows is *confirmed*, and [`report_possible`] reports the rest as *possible*. Findings that follow from one
//! cause become one in [`heapwise_engine::by_cause`], which whoever asks engines calls for all of them.
//!
//! **What it is not.** It knows no abstraction: how an engine comes to a path, and what it does to exclude a suspicion
//! (a refinement, a second pass), is the engine's.
//!
//! **The law it keeps.** Only a run of `interp` makes a finding *confirmed*; no suspicion is dropped but one that a
//! confirmed finding stands for, or follows from.
//!
//! **Where to start.** `src/judge.rs`, and `heapwise-overlay`'s `engine.rs` for the shortest use.

mod judge;
mod path;
mod probe;
mod run;

pub use judge::{Suspicion, add, is_about, judge, possible, report_possible};
pub use path::EdgePath;
pub use probe::{ConcreteProbe, is_leak};
pub use run::{Confirmer, Effort};
