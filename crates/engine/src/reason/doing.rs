//! What was being done when a budget ran out.

/// What was being done when a budget ran out.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Doing {
    /// Nothing that need be told.
    Something,
    /// The C text was read.
    Reading,
    /// An engine ran, of which no more is known.
    Running {
        /// Its name.
        engine: String,
    },
    /// Calls were inlined, and objects became cells.
    Translating,
    /// A fixpoint grew: most of all at the place of [`Stopped::span`](crate::Stopped).
    Growing {
        /// So many elements are there.
        elements: u64,
        /// What an element is.
        of: Element,
    },
    /// Concrete runs were tried, and parted at the place of [`Stopped::span`](crate::Stopped) most often.
    Parting {
        /// So often.
        times: u64,
    },
    /// The first concrete run was made.
    FirstRun,
}

/// What an engine computes sets of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Element {
    /// Shape graphs, or parts of them.
    ShapeGraph,
    /// 3-valued structures.
    Structure,
}
