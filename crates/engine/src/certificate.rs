//! A proof that can be checked without the engine that made it.

/// An abstract reachability tree (Henzinger, Jhala, Majumdar and Sutre 2002, *Lazy abstraction*), in the text form of the
/// checker, `heapwise verify-certificate`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// The text.
    pub text: String,
    /// How many abstract states it has.
    pub nodes: usize,
    /// How many edges lead from one to another that covers what comes out.
    pub edges: usize,
}
