//! The product of sub-analyses (Lee, Yang, Petersen: A divide-and-conquer approach for analysing overlaid data structures).
//!
//! One sub-analysis (*component*) per group of fields, each with sets of symbolic heaps in which it follows its own bytes
//! only. Regions, which all components share, name sets of cells; ghost instructions carry facts from one component to
//! another (`trans`) and put cells into other regions (`move`, `moveRgn`).

pub mod component;
pub mod engine;
pub mod insert;
pub mod reveal;
pub mod solve;
mod text;
pub mod variable;
