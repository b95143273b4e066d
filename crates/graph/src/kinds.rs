//! Sets of kinds of cells: what the cells within a segment may be.

use heapwise_cells::program::KindId;
use heapwise_ir::entity::EntityRef;

/// A set of kinds, one bit each. Kinds beyond the 31st share one: a set that has one of them may have all of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct KindSet(u32);

/// The bit that many kinds share.
const SHARED: usize = 31;

impl KindSet {
    /// No kind.
    pub const EMPTY: KindSet = KindSet(0);

    /// One kind.
    pub fn of(kind: KindId) -> KindSet {
        KindSet(1 << kind.index().min(SHARED))
    }

    /// The kinds of both.
    #[must_use]
    pub fn union(self, other: KindSet) -> KindSet {
        KindSet(self.0 | other.0)
    }

    /// Whether it has this kind, or none: cells of a segment are then all alike.
    pub fn is_at_most(self, kind: KindId) -> bool {
        self.0 == 0 || (self == KindSet::of(kind) && kind.index() < SHARED)
    }

    /// Its kinds, of all that a program has.
    pub fn iter(self, n_kinds: usize) -> impl Iterator<Item = KindId> {
        (0..n_kinds).map(KindId::new).filter(move |kind| self.0 & KindSet::of(*kind).0 != 0)
    }
}
