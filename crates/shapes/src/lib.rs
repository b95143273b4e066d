//! `heapwise-shapes`: heaps as 3-valued structures, for a precision that is data.
//!
//! **What it is.** Which memory of a program is followed ([`memory`]), what of it is told apart ([`precision`]), classes of shapes
//! and their families of predicates as data ([`classes`]), the predicates of a precision ([`abstraction`]), one action of the
//! `tvl` core per edge ([`transfer`]), compiled and applied ([`step`]), and the program with its question ([`subject`]).
//!
//! **What it is not.** It searches for nothing: which precision is wanted, and which structures hold where, is what `refine`
//! finds and what a certificate says.
//!
//! **The law it keeps.** For every precision, whatever its predicates: what a structure describes before a step is described by one
//! of the structures behind it, or the step has a problem. What is not tracked is 1/2 in every formula.
//!
//! **Where to start.** [`step::Stepper::step`], then [`transfer`].

pub mod abstraction;
mod allocation;
mod claims;
pub mod classes;
mod grown;
pub mod memory;
pub mod precision;
pub mod step;
pub mod subject;
pub mod transfer;
