//! When slots and regions changed last: what did not change since a call was mapped need not be mapped again.
//!
//! A time is a number of changes. Nothing rests on it being complete: before the analysis ends every call is mapped once more.

use super::Solver;
use crate::nodes::{RegionKey, SlotKey};

/// The times, by root.
#[derive(Clone, Default, Debug)]
pub(crate) struct Stamps {
    slots: Vec<u64>,
    regions: Vec<u64>,
    /// The region that a slot is a cell of.
    home: Vec<Option<RegionKey>>,
}

fn set<T: Clone + Default>(table: &mut Vec<T>, index: usize, value: T) {
    if table.len() <= index {
        table.resize((index + 1).max(2 * table.len()), T::default());
    }
    table[index] = value;
}

impl Solver<'_> {
    /// A slot changed, and with it the region that it is a cell of.
    pub(super) fn stamp_slot(&mut self, root: SlotKey) {
        let Some(stamps) = &mut self.stamps else { return };
        set(&mut stamps.slots, root.at(), self.changes);
        if let Some(home) = stamps.home.get(root.at()).copied().flatten() {
            self.stamp_region(home);
        }
    }

    pub(super) fn stamp_region(&mut self, region: RegionKey) {
        if self.stamps.is_none() {
            return;
        }
        let root = self.root(region);
        if let Some(stamps) = &mut self.stamps {
            set(&mut stamps.regions, root.at(), self.changes);
        }
    }

    /// A slot is a cell of a region.
    pub(super) fn stamp_cell(&mut self, slot: SlotKey, region: RegionKey) {
        if self.stamps.is_none() {
            return;
        }
        let root = self.slot_root(slot);
        if let Some(stamps) = &mut self.stamps {
            set(&mut stamps.home, root.at(), Some(region));
        }
        self.stamp_region(region);
    }

    /// Two slots became one: it is a cell where one of them was.
    pub(super) fn stamp_merged(&mut self, root: SlotKey, other: SlotKey) {
        let Some(stamps) = &mut self.stamps else { return };
        if let Some(home) = stamps.home.get(other.at()).copied().flatten() {
            set(&mut stamps.home, root.at(), Some(home));
        }
    }

    /// When a slot changed last.
    pub(crate) fn slot_changed(&mut self, slot: SlotKey) -> u64 {
        let root = self.slot_root(slot);
        self.stamps.as_ref().and_then(|stamps| stamps.slots.get(root.at()).copied()).unwrap_or(0)
    }

    /// When a region, or a cell of it, changed last.
    pub(crate) fn region_changed(&mut self, region: RegionKey) -> u64 {
        let root = self.root(region);
        self.stamps.as_ref().and_then(|stamps| stamps.regions.get(root.at()).copied()).unwrap_or(0)
    }
}
