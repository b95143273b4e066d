//! `heapwise-numbers`: a value domain for C integers: constants, ranges, x = y + c, and what follows from comparisons.
//!
//! **What it is.** A small value domain. A [`State`] stands for a set of valuations of variables, which are named by whatever
//! the engine has (registers, symbolic values of a heap). Integers are gcc's on x86-64: two's complement, arithmetic
//! wraps around (`-fwrapv`), conversions are modulo 2^n. **What it is not.** It knows no program, no memory and no
//! pointers, and decides nothing about sums of variables or products.
//!
//! **The laws it keeps** (each is a property test in `tests/laws.rs`, against valuations computed with
//! [`heapwise_ir::integer`]):
//! - a valuation of a state, put through [`State::assign`], [`State::assume`], [`State::forget`] or [`State::rename`], is one
//!   of the new state;
//! - [`State::join`] and [`State::widen`] have the valuations of both; a chain of widenings becomes stable;
//! - [`State::entails`] and [`State::leq`] say yes only if it is so; states that include each other are equal.
//!
//! **What a user owes.** An operand has a value of the type that the operation names, as the verifier of `ir` demands. A
//! variable of which nothing is known is taken to have one.
//!
//! ```
//! use heapwise_numbers::{Truth, parse_comparison, parse_expression, parse_state};
//!
//! let name = |name: &str| Some(name.to_owned());
//! let mut state = parse_state("n in 0..10, i = 0", name).unwrap();
//! state.assume(&parse_comparison("i < n : i32", name).unwrap());
//! assert_eq!(state.to_string(), "i = 0, n in 1..10");
//! state.assign("i".to_owned(), &parse_expression("n + 1 : i32", name).unwrap());
//! assert_eq!(state.to_string(), "i in 2..11, n in 1..10, n = i - 1");
//! assert_eq!(state.entails(&parse_comparison("n < i : i32", name).unwrap()), Truth::Yes);
//! ```
//!
//! **Where to start.** [`State`], then `range.rs` and `arithmetic.rs` (one variable), `equalities.rs` (several), and
//! `assign.rs`, `assume.rs`, `lattice.rs` that put both together. A new kind of fact (congruences, bounds of differences,
//! sizes) is a module beside `equalities.rs` and a field of `Facts` in `state.rs`, which `reduce` carries ranges to and from.

pub mod arithmetic;
mod assign;
mod assume;
mod equalities;
mod expression;
mod lattice;
mod range;
mod state;
mod text;

pub use assign::Truth;
pub use expression::{Comparison, Expression, Operand};
pub use range::{MAX_HOLES, Range};
pub use state::{State, Variable};
pub use text::{ParseError, parse_comparison, parse_expression, parse_state};
