//! Keys of the union-find tables. One more than the index is kept, so that a key that may be missing takes no more room.

use ena::unify::UnifyKey;
use std::num::NonZeroU32;

/// A region while the analysis runs, which may have become one with others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct RegionKey(NonZeroU32);

/// A node of the constraint graph, which is a place that holds a value: a register, a cell of a region, an address computed on the way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct NodeKey(NonZeroU32);

impl RegionKey {
    pub(crate) fn at(self) -> usize {
        self.0.get() as usize - 1
    }
}

impl NodeKey {
    pub(crate) fn at(self) -> usize {
        self.0.get() as usize - 1
    }
}

impl UnifyKey for RegionKey {
    type Value = ();

    fn index(&self) -> u32 {
        self.0.get() - 1
    }

    fn from_index(index: u32) -> RegionKey {
        RegionKey(NonZeroU32::MIN.saturating_add(index))
    }

    fn tag() -> &'static str {
        "region"
    }
}

impl UnifyKey for NodeKey {
    type Value = ();

    fn index(&self) -> u32 {
        self.0.get() - 1
    }

    fn from_index(index: u32) -> NodeKey {
        NodeKey(NonZeroU32::MIN.saturating_add(index))
    }

    fn tag() -> &'static str {
        "node"
    }
}
