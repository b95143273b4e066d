//! Keys of the union-find tables.

use ena::unify::UnifyKey;

/// A region while the analysis runs: a node that may have become one with others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct RegionKey(pub(crate) u32);

/// A place that holds a value: a register, a cell of a region, an address computed on the way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct SlotKey(pub(crate) u32);

impl RegionKey {
    pub(crate) fn at(self) -> usize {
        self.0 as usize
    }
}

impl SlotKey {
    pub(crate) fn at(self) -> usize {
        self.0 as usize
    }
}

impl UnifyKey for RegionKey {
    type Value = ();

    fn index(&self) -> u32 {
        self.0
    }

    fn from_index(index: u32) -> RegionKey {
        RegionKey(index)
    }

    fn tag() -> &'static str {
        "region"
    }
}

impl UnifyKey for SlotKey {
    type Value = ();

    fn index(&self) -> u32 {
        self.0
    }

    fn from_index(index: u32) -> SlotKey {
        SlotKey(index)
    }

    fn tag() -> &'static str {
        "slot"
    }
}
