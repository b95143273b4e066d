//! When nodes and regions changed last: what did not change since a call was mapped need not be mapped again.
//!
//! A time is a number of changes. Nothing rests on it being complete: before the analysis ends every call is mapped once more.

use super::Solver;
use crate::nodes::{NodeKey, RegionKey};

/// The times, by root.
#[derive(Clone, Default, Debug)]
pub(crate) struct Stamps {
    nodes: Vec<u64>,
    regions: Vec<u64>,
    /// The region that a node is a cell of.
    home: Vec<Option<RegionKey>>,
}

fn set<T: Clone + Default>(table: &mut Vec<T>, index: usize, value: T) {
    if table.len() <= index {
        table.resize((index + 1).max(2 * table.len()), T::default());
    }
    table[index] = value;
}

impl Solver<'_> {
    /// A node changed, and with it the region that it is a cell of.
    pub(super) fn stamp_node(&mut self, root: NodeKey) {
        let Some(stamps) = &mut self.stamps else { return };
        set(&mut stamps.nodes, root.at(), self.changes);
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

    /// A node is a cell of a region.
    pub(super) fn stamp_cell(&mut self, node: NodeKey, region: RegionKey) {
        if self.stamps.is_none() {
            return;
        }
        let root = self.node_root(node);
        if let Some(stamps) = &mut self.stamps {
            set(&mut stamps.home, root.at(), Some(region));
        }
        self.stamp_region(region);
    }

    /// Two nodes became one: it is a cell where one of them was.
    pub(super) fn stamp_merged(&mut self, root: NodeKey, other: NodeKey) {
        let Some(stamps) = &mut self.stamps else { return };
        if let Some(home) = stamps.home.get(other.at()).copied().flatten() {
            set(&mut stamps.home, root.at(), Some(home));
        }
    }

    /// When a node changed last.
    pub(crate) fn node_changed(&mut self, node: NodeKey) -> u64 {
        let root = self.node_root(node);
        self.stamps.as_ref().and_then(|stamps| stamps.nodes.get(root.at()).copied()).unwrap_or(0)
    }

    /// When a region, or a cell of it, changed last.
    pub(crate) fn region_changed(&mut self, region: RegionKey) -> u64 {
        let root = self.root(region);
        self.stamps.as_ref().and_then(|stamps| stamps.regions.get(root.at()).copied()).unwrap_or(0)
    }
}
