//! `heapwise-certificate`: reachability trees that prove a program safe, as text, and their checker.
//!
//! **What it is.** A certificate says for every point of a program which structures hold there, and for every structure and every step
//! which structures cover what the step makes of it: an abstract reachability tree whose leaves are covered (Henzinger, Jhala,
//! Majumdar and Sutre 2002, *Lazy abstraction*). [`format`] is its text form, [`verify`] checks it in one pass: each structure goes
//! through each step once, and what comes out is compared with the structures that the certificate names.
//!
//! **What it is not.** There is no search here, no worklist and no refinement: nothing is computed that the certificate
//! does not have. What a step does is `heapwise-shapes`, which the search uses, too.
//!
//! **The law it keeps.** What is accepted is inductive and free of errors for the program, the models and the question at hand, whoever
//! wrote it. The hashes in it say early that it is about something else; nothing depends on them.
//!
//! **Where to start.** [`verify::verify`].

pub mod binding;
pub mod format;
mod read;
pub mod verify;

pub use binding::Binding;
pub use format::{Certificate, Edge, Node, NodeId};
pub use verify::{Rejected, Verified, verify};
