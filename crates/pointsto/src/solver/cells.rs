//! The cells of a region, by offset.

use crate::nodes::NodeKey;
use crate::offsets::gcd;

/// A cell of a region: bytes that hold one value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    pub(crate) node: NodeKey,
    pub(crate) size: u64,
}

/// Cells in the order of their offsets. Most regions have a few, and none has many.
#[derive(Clone, Default, Debug)]
pub(crate) struct Cells(Vec<(i64, Cell)>);

impl Cells {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (i64, Cell)> + '_ {
        self.0.iter().copied()
    }

    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeKey> + '_ {
        self.0.iter().map(|(_, cell)| cell.node)
    }

    /// The last cell that begins at or before an offset.
    pub(crate) fn last_up_to(&self, offset: i64) -> Option<(i64, Cell)> {
        let end = self.0.partition_point(|(at, _)| *at <= offset);
        end.checked_sub(1).map(|index| self.0[index])
    }

    /// The cells that begin in a stretch.
    pub(crate) fn starting_in(&self, start: i64, end: i64) -> &[(i64, Cell)] {
        let first = self.0.partition_point(|(at, _)| *at < start);
        let last = self.0.partition_point(|(at, _)| *at < end);
        &self.0[first..last.max(first)]
    }

    /// What all distances between them are a multiple of.
    pub(crate) fn common_stride(&self) -> u64 {
        self.0.windows(2).fold(0, |stride, pair| gcd(stride, pair[1].0.abs_diff(pair[0].0)))
    }

    pub(crate) fn insert(&mut self, offset: i64, cell: Cell) {
        match self.0.binary_search_by_key(&offset, |(at, _)| *at) {
            Ok(index) => self.0[index].1 = cell,
            Err(index) => self.0.insert(index, (offset, cell)),
        }
    }

    pub(crate) fn remove(&mut self, offset: i64) {
        if let Ok(index) = self.0.binary_search_by_key(&offset, |(at, _)| *at) {
            self.0.remove(index);
        }
    }
}

impl IntoIterator for Cells {
    type Item = (i64, Cell);
    type IntoIter = std::vec::IntoIter<(i64, Cell)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
