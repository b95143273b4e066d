//! Most-precise operations by satisfiability (Yorsh, Reps and Sagiv, "Symbolically computing most-precise abstract
//! operations for shape analysis").
//!
//! **What it is.** [`assume`](operations::assume), [`alpha_hat`](operations::alpha_hat), [`meet`](operations::meet), and
//! best transformers of actions and of loop-free blocks ([`transform`]), each one a search ([`explore`]) that asks a
//! [`Prover`](heapwise_prover::Prover) whether γ̂(S) ∧ φ has a finite model.
//!
//! **What it is not.** It decides nothing itself: an answer *unknown* keeps the structure that the question was about.
//!
//! **The law it keeps.** Every concrete structure that satisfies the integrity rules, the formula and an input structure
//! is represented by a result, whatever the prover answers; a result that is not called doubtful is the canonical
//! abstraction of such a concrete structure, which was seen.
//!
//! **Where to start.** [`problem::Problem`] is the question; [`explore`] is the algorithm.

pub mod bounded;
pub mod cell;
pub mod characteristic;
mod counting;
pub mod explore;
pub mod fragment;
pub mod integrity;
pub mod operations;
pub mod printed;
pub mod problem;
pub mod refine;
pub mod step;
pub mod stores;
pub mod transform;
