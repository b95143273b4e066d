//! `heapwise-testkit`: what the other crates are tested with: annotated C, random programs, oracles, compiled runs.
//!
//! **What it is.** Ways to be proved wrong: the runner of annotated C files ([`annotated`]), compiled runs of the same
//! C files under the sanitizers ([`compiled`]), programs whose runs are compared with gcc's ([`differential`],
//! [`random_c`]), random heap programs in `ir` ([`random`]), random memory programs in C and mutants of C tests that verdicts are
//! held against ([`random_memory_c`], [`soundness`]), cell programs run beside the program they were made from
//! ([`lockstep`]), and programs that play others ([`script`]).
//!
//! **What it is not.** It is never part of a release, and it decides nothing about programs itself: what is expected
//! stands in the C files, or comes from gcc.
//!
//! **The law it keeps.** Nothing is skipped silently: a C file that no runner claims is a failure, and so is a finding
//! that no marker announces.
//!
//! **Where to start.** [`annotated`] for the format of the C files under `tests/c`; [`random`] for heap
//! programs in `ir`, and [`oracle`] for what engines are compared with on them.

pub mod annotated;
pub mod compiled;
pub mod differential;
pub mod expectation;
pub mod lockstep;
pub mod oracle;
pub mod outside;
pub mod parallel;
pub mod random;
pub mod random_c;
pub mod random_memory_c;
pub mod script;
pub mod soundness;
