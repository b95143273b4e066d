//! `heapwise-logic`: first-order formulas with transitive closure over nullary, unary and binary predicates.
//!
//! **What it is.** The formula type ([`Formula`]), its text form (TVP syntax: [`text::Parser`], [`print`](print::print)),
//! simplification, normal forms, and evaluation in Kleene's 3-valued logic against anything that is a
//! [`Structure`](evaluate::Structure).
//!
//! **What it is not.** It knows neither how structures are stored nor how satisfiability is decided, and it gives
//! predicates no meaning beyond their number.
//!
//! **The law it keeps.** Every rewriting keeps the Kleene value on every 3-valued structure or makes it more definite,
//! and never changes the value on a 2-valued one. What is parsed from a printed formula is that formula.
//!
//! **Where to start.** [`formula`], then [`evaluate`].

pub mod evaluate;
pub mod formula;
pub mod kleene;
pub mod matching;
pub mod minimize;
pub mod normal;
pub mod print;
pub mod simplify;
pub mod text;

pub use formula::{Arity, Formula, Predicate, Steps, Variable};
pub use kleene::Kleene;
