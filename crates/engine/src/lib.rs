//! `heapwise-engine`: what an engine is asked and what it answers: options, budgets, findings, gaps, verdicts.
//!
//! **What it is.** The vocabulary of questions ([`Options`], [`Control`]) and answers ([`Outcome`]: findings with
//! traces, gaps, statistics; [`Drawing`]: a heap that can be drawn). Every engine implements [`Engine`], and presents itself
//! with an [`EngineEntry`]: name, help, settings as data, what of it can be dumped.
//!
//! **What it is not.** It knows no abstraction and no output format: `report` renders what is said here.
//!
//! **The law it keeps.** *Safe* is built in exactly one place, [`Outcome::verdict`], and only from an outcome that has
//! no finding, no gap, no site that was not fully followed, and a search that came to its end within the budget. What an engine hands out before its end
//! ([`Control::hand_out`]) is confirmed, so it can only make a verdict *unsafe*.

mod cause;
pub mod certificate;
pub mod choice;
pub mod control;
pub mod coverage;
pub mod drawing;
pub mod early;
pub mod finding;
pub mod options;
pub mod outcome;
pub mod reason;
pub mod refinement;
pub mod registry;

pub use cause::by_cause;
pub use certificate::Certificate;
pub use choice::{Answer, Choice, ChoiceQuestion, InputSource, Writer};
pub use control::{Budget, BudgetMeter, Cancel, Control, Exhausted, MemoryAlarm};
pub use coverage::{SiteCoverage, SiteExtent};
pub use drawing::{Arrow, ArrowStyle, Drawing, Invariant, Invariants, Node, NodeStyle};
pub use early::EarlyFindings;
pub use finding::{
    AccessPlace, AlsoAt, Certainty, FailedAccess, Finding, Kind, Statement, Subject, SubjectStorage, TraceStep,
    has_text, perhaps,
};
pub use options::{AllocationFailure, Followed, HandedIn, Options, Patience, Start};
pub use outcome::{Gap, Outcome, Stats, Stopped, Unbegun, Verdict};
pub use reason::{Assumption, Doing, GapReason, Note};
pub use refinement::{Refinement, RefinementResult, RefinementStep, ShapeName};
pub use registry::{
    Dumps, Elsewhere, EngineEntry, InAuto, NamedValue, Parts, ProgramText, Setting, SettingValues, Values,
};

use heapwise_ir::Program;

/// An analysis of whole programs. Engines do no input or output and cannot fail: what they cannot decide is a
/// [`Gap`] in the outcome. Several may run at once, so what an engine is asked it keeps to itself.
pub trait Engine: Sync {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// Analyses `program` from the entry point of `options`.
    fn check(&self, program: &Program, options: &Options, control: &Control) -> Outcome;
}
