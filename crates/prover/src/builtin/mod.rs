//! The built-in prover: grounding over a growing universe into an incremental SAT solver.
//!
//! # What is exact
//! - ∃*∀* formulas over nullary, unary and binary predicates with equality: both answers, always ([`ground`] has the proof).
//! - Beyond them *satisfiable* is exact (the model is there to see), and *unsatisfiable* is exact because it is only
//!   said of a relaxation that every finite model satisfies: witnesses of existential quantifiers below universal ones may be
//!   elements about which nothing is claimed ([`ground`]), and the relation of a closure satisfies axioms that all true closures
//!   satisfy ([`closure`]).
//!   A model that is as small as possible has no long runs of elements that are all alike, where paths are those of one partial function
//!   ([`runs`]).
//!   Counting edges and elements of a kind adds facts that hold in finite models only ([`types`]); where it leaves few elements in all,
//!   or few whose existential demands are open ([`demand`]), the question is one of the first sort.
//! - What neither settles while the universe grows to [`Limits::individuals`] is unknown.
//!
//! # In which order
//! Most questions are settled by a universe that grows by what an assignment wants. Where it does not end soon ([`search`]): each
//! existential formula by itself, models in a universe with elements to spare, counting, counting by names, cases.

mod closure;
mod compile;
mod demand;
mod ground;
mod problem;
mod runs;
mod sat;
mod search;
mod shape;
mod simplex;
mod types;

use crate::{Answer, Limits, Prover, Reason, Session, Statistics, Theory};
use heapwise_logic::Formula;
use problem::Problem;
pub(crate) use shape::{Functions, Shape};
use std::time::Instant;

/// The prover that needs nothing but this process.
#[derive(Debug)]
pub struct Builtin {
    limits: Limits,
    statistics: Statistics,
}

impl Builtin {
    /// A prover with these limits.
    #[must_use]
    pub fn new(limits: Limits) -> Builtin {
        Builtin { limits, statistics: Statistics::default() }
    }
}

impl Prover for Builtin {
    fn name(&self) -> &str {
        "builtin"
    }

    fn open(&mut self, theory: &Theory) -> Box<dyn Session + '_> {
        let started = Instant::now();
        let problem = Problem::new(theory);
        self.statistics.sessions += 1;
        self.statistics.time += started.elapsed();
        Box::new(BuiltinSession { problem, limits: &self.limits, statistics: &mut self.statistics })
    }

    fn statistics(&self) -> Statistics {
        self.statistics.clone()
    }
}

struct BuiltinSession<'a> {
    problem: Result<Problem, String>,
    limits: &'a Limits,
    statistics: &'a mut Statistics,
}

impl Session for BuiltinSession<'_> {
    fn check(&mut self, extra: &[&Formula]) -> Answer {
        let started = Instant::now();
        let answer = match &mut self.problem {
            Ok(problem) => problem
                .check(extra, self.limits)
                .unwrap_or_else(|objection| Answer::Unknown(Reason::OutsideFragment(objection))),
            Err(objection) => Answer::Unknown(Reason::OutsideFragment(objection.clone())),
        };
        self.statistics.record(&answer, started);
        answer
    }
}
