//! Provers that are other programs.
//!
//! None of them is trusted beyond its words `sat` and `unsat` (and SPASS's): a program that is missing, dies, hangs
//! or prints anything else leads to [`Answer::Unknown`] for that question, and the next question starts it anew. They
//! know no empty universe, so that one structure is tried by the built-in prover.

mod encode;
mod instances;
mod process;
mod smtlib;
mod spass;
mod text;

pub(crate) use process::Conversation;
pub use smtlib::SmtLib;
pub use spass::Spass;

use crate::builtin::Builtin;
use crate::{Answer, Limits, Prover, Theory};
use heapwise_logic::{Formula, Variable};

/// The largest universe that is tried when *satisfiable* must be shown to hold in a finite one.
const LARGEST_UNIVERSE: usize = 8;

/// So many doublings of paths reach across [`LARGEST_UNIVERSE`].
const DOUBLINGS: usize = 3;

/// Whether the structure without elements is a model.
fn empty_structure(theory: &Theory, extra: &[&Formula], limits: &Limits) -> Answer {
    let nobody = Formula::forall(vec![Variable::new("v")], Formula::FALSE);
    let mut axioms = vec![nobody];
    axioms.extend(theory.axioms.iter().chain(extra.iter().copied()).cloned());
    let theory = Theory { signature: theory.signature.clone(), axioms };
    Builtin::new(limits.clone()).open(&theory).check(&[])
}
