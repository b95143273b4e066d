//! `heapwise-prover`: satisfiability of first-order formulas over finite structures: built in, SMT-LIB solvers, SPASS.
//!
//! **What it is.** One trait, [`Prover`], that opens a [`Session`] on a [`Theory`] (a signature and closed axioms) and
//! answers questions "is the theory, with these further formulas, satisfiable?" with an [`Answer`]. Behind it, the
//! [built-in prover](builtin::Builtin), in process, on an incremental SAT solver, and [external] ones: those that speak SMT-LIB,
//! and SPASS. [`Backend`] lists them all.
//!
//! **What it is not.** It knows no 3-valued structures and no shape analysis, and no formula is special to it.
//!
//! **The law it keeps.** Every answer is about *finite* structures, the empty one included: a theory that excludes the
//! empty universe says so (`E(v) v == v`). *Satisfiable* and *unsatisfiable* are never wrong; what a prover cannot
//! settle, or says in words that cannot be read, is [`Answer::Unknown`] with its [`Reason`].
//!
//! **Where to start.** [`Prover`], then [`builtin`].
//!
//! ```
//! use heapwise_logic::{Arity, Formula, Predicate, Variable};
//! use heapwise_prover::{Answer, Limits, Prover, Session, Signature, Theory, builtin::Builtin};
//!
//! let x = Predicate::new(0);
//! let v = Variable::new("v");
//! let mut signature = Signature::new();
//! signature.declare(x, "x", Arity::Unary);
//! let somewhere = Formula::exists(vec![v.clone()], Formula::atom(x, &[v.clone()]));
//! let nowhere = Formula::forall(vec![v.clone()], !Formula::atom(x, &[v]));
//!
//! let mut prover = Builtin::new(Limits::default());
//! let mut session = prover.open(&Theory { signature, axioms: vec![somewhere] });
//! assert!(matches!(session.check(&[]), Answer::Satisfiable(Some(model)) if model.size() == 1));
//! assert_eq!(session.check(&[&nowhere]), Answer::Unsatisfiable);
//! ```

mod answer;
mod backend;
pub mod builtin;
pub mod external;
mod model;
mod theory;

pub use answer::{Answer, Limits, Reason, Statistics};
pub use backend::Backend;
pub use model::Model;
pub use theory::{Signature, Theory};

use heapwise_logic::Formula;

/// Something that decides satisfiability over finite structures, as far as it can.
pub trait Prover {
    /// What it is called on the command line and in reports.
    fn name(&self) -> &str;

    /// Starts asking about a theory. Opening never fails: a theory that the prover cannot read gives
    /// [`Answer::Unknown`] to every question.
    fn open(&mut self, theory: &Theory) -> Box<dyn Session + '_>;

    /// What was asked and answered since the prover was made.
    fn statistics(&self) -> Statistics;
}

/// Questions about one theory.
pub trait Session {
    /// Whether the theory together with the closed formulas `extra` has a finite model. The extras hold for this
    /// question only. It makes no difference to the answer, and little to the time, what is in the theory and what is an
    /// extra; formulas are read once per session.
    fn check(&mut self, extra: &[&Formula]) -> Answer;
}
