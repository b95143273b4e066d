//! Specifications in TVLA's file formats: TVP (predicates, actions, control-flow graph) and TVS (structures).

mod actions;
mod declarations;
pub mod preprocess;
mod program;
pub mod tvs;

pub use program::{Edge, Specification, parse};
