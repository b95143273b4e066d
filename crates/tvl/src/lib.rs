//! `heapwise-tvl`: parametric shape analysis over 3-valued logical structures (Sagiv, Reps and Wilhelm): the engine `tvl`.
//!
//! **What it is.** Bit-packed structures of at most 64 individuals ([`structure`]), predicates and instrumentation
//! predicates as data ([`vocabulary`]), the operations focus, coerce, update, blur, join and embedding, update
//! formulas derived by finite differencing ([`difference`]), a driver for specifications in TVLA's own file formats
//! ([`tvla`]), an engine for programs over cells ([`check`]), and the most-precise operations on structures
//! ([`symbolic`]).
//!
//! **What it is not.** It decides no satisfiability itself and prints no reports; drawings leave it as
//! [`heapwise_engine::Drawing`].
//!
//! **The law it keeps.** Every operation keeps all concrete structures that satisfy the rules: what a structure
//! represents before a step is represented, after the step, by the results.
//!
//! **Where to start.** [`action::Action::apply`] is one step; [`tvla::run`] is a whole analysis; [`check::TvlEngine`] is
//! the engine.

pub mod action;
pub mod blur;
pub mod check;
pub mod coerce;
pub mod compile;
pub mod difference;
pub mod drawing;
mod driver;
pub mod embed;
pub mod focus;
pub mod fold;
pub mod join;
mod paths;
mod query;
pub mod rules;
pub mod structure;
mod summary;
pub mod symbolic;
mod symmetry;
pub mod tables;
pub mod tvla;
pub mod tvp;
pub mod vocabulary;
