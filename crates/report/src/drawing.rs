//! Drawable heaps as pictures: [`dot`] for Graphviz users, [`svg`] with a layout of its own, so that nothing need be
//! installed.

pub mod dot;
mod layout;
pub mod svg;
pub mod words;
