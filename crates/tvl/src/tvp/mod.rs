//! Specifications in TVLA's file formats: TVP (predicates, actions, control-flow graph) and TVS (structures).

mod actions;
mod declarations;
mod library;
pub mod preprocess;
mod program;
pub mod properties;
pub mod tvs;

pub use library::{Library, parse_library};
pub use program::{Edge, Specification, parse};
