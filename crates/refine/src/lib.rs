//! `heapwise-refine`: shape abstractions found by sampling heaps and by refinement along contradictions: the engine `refine`.
//!
//! After Beyer, Henzinger, Théoduloz and Zufferey 2010, *Shape refinement through explicit heap analysis*.
//!
//! **What it is.** It starts with no heap abstraction at all. Where the abstraction suspects an error on a path that cannot be
//! taken, the contradiction of that path ([`path`]) names pointers, fields and constants to track; concrete
//! heaps of sampled runs ([`samples`]) say which data structure they form; and a search along the path finds the fewest families of
//! instrumentation predicates that exclude it ([`search`]). What steps do to structures, and the classes of shapes, are
//! `heapwise-shapes`; the tree that proves *safe* is a certificate of `heapwise-certificate`.
//!
//! **What it is not.** It knows no `cells`, and of `tvl` only the core. Sampled heaps choose an abstraction, they prove nothing.
//!
//! **The law it keeps.** For every precision the structures at a location describe every state that a run has there, up to the
//! first error or gap: what is not tracked is 1/2 in every formula.
//!
//! **Where to start.** [`search`], then [`explore`].

mod engine;
pub mod explore;
pub mod path;
pub mod samples;
pub mod search;
mod tree;

pub use engine::{CertificateWish, ENTRY, RefineEngine, Settings};
