//! Copies of stretches of memory: every cell of the source flows to the cell at the same distance in the target.

use super::{Cell, Move, Solver};
use crate::layout::{Change, Fold};
use crate::nodes::{NodeKey, RegionKey};
use crate::object::Site;
use crate::offsets::{Count, Range};

/// A copy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct CopyConstraint {
    pub(crate) from: NodeKey,
    pub(crate) to: NodeKey,
    /// How many bytes; `None` if that is not known.
    pub(crate) bytes: Option<u64>,
    pub(crate) site: Site,
}

/// What is done for a copy.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Marks {
    pub(super) is_queued: bool,
    pub(super) is_registered: bool,
}

impl CopyConstraint {
    pub(crate) fn nodes(&self) -> (NodeKey, NodeKey) {
        (self.from, self.to)
    }
}

impl Solver<'_> {
    /// Bytes are copied from where one address points to where another does.
    pub(crate) fn copy(&mut self, constraint: CopyConstraint) {
        let id = self.copies.len() as u32;
        self.copies.push(constraint);
        self.copy_marks.push(Marks::default());
        self.add_use(constraint.from, super::Use::Copy(id));
        self.add_use(constraint.to, super::Use::Copy(id));
    }

    /// The copy is made again once nothing else is to do.
    pub(super) fn enqueue_copy(&mut self, id: u32) {
        if !std::mem::replace(&mut self.copy_marks[id as usize].is_queued, true) {
            self.copy_queue.push_back(id);
        }
    }

    pub(super) fn run_copy(&mut self, id: u32) {
        self.copy_marks[id as usize].is_queued = false;
        let constraint = self.copies[id as usize];
        let (source, target) = (self.node(constraint.from).target, self.node(constraint.to).target);
        if self.node(constraint.to).unknown
            && let Some(source) = source
        {
            // To who knows where: what is copied is known there.
            let cells: Vec<NodeKey> = self.class(source).cells.nodes().collect();
            cells.into_iter().for_each(|cell| self.hand_out_value(cell));
        }
        if self.node(constraint.from).unknown
            && let Some(target) = target
        {
            self.add_anything(target, None);
        }
        let (Some(source), Some(target)) = (source, target) else { return };
        let from_ranges = self.node(constraint.from).offsets.clone();
        let to_ranges = self.node(constraint.to).offsets.clone();
        for from in from_ranges.iter() {
            for to in to_ranges.iter() {
                self.copy_stretch((source, from), (target, to), &constraint);
            }
        }
    }

    /// Folds a region as an access at this range does, and says where the range begins in the class.
    fn fold_range(&mut self, region: RegionKey, range: Range) -> i64 {
        let range = range.shifted(self.shift[region.at()]);
        let change = match range.count {
            Count::Unbounded => self.class_mut(region).layout.fold_all(range.stride.max(1)),
            Count::Exactly(1) => Change::Same,
            Count::Exactly(count) => {
                let len = range.stride.saturating_mul(count).min(1 << 40) as i64;
                let fold = Fold { start: range.start, end: range.start.saturating_add(len), stride: range.stride };
                self.class_mut(region).fold(fold, None)
            }
        };
        if change == Change::Coarser {
            self.place_cells_again(region);
        }
        range.start
    }

    fn copy_stretch(&mut self, from: (RegionKey, Range), to: (RegionKey, Range), constraint: &CopyConstraint) {
        let start = self.fold_range(from.0, from.1);
        let target = self.fold_range(to.0, to.1);
        // Folding one may have folded the other.
        let len = constraint.bytes.and_then(|bytes| i64::try_from(bytes).ok());
        let end = len.map_or(i64::MAX, |len| start.saturating_add(len));
        let by = target.wrapping_sub(start);
        let layout = self.class(from.0).layout.clone();
        let mut change = Change::Same;
        let class = self.class_mut(to.0);
        if layout.stride > 0 && len.is_none_or(|len| len as u64 > layout.spot(start).room.unwrap_or(0)) {
            change = class.layout.fold_all(layout.stride);
        }
        for fold in &layout.folds {
            let (low, high) = match layout.stride {
                0 => (fold.start.max(start), fold.end.min(end)),
                _ => (fold.start, fold.end),
            };
            // Where elements begin behind the start of the copy.
            let low = low + (fold.start - low).rem_euclid(fold.stride as i64);
            if low < high {
                let fold = Fold { start: low.saturating_add(by), end: high.saturating_add(by), stride: fold.stride };
                if class.fold(fold, Some(constraint.site)) == Change::Coarser {
                    change = Change::Coarser;
                }
            }
        }
        if change == Change::Coarser {
            self.place_cells_again(to.0);
        }
        let cells: Vec<(i64, Cell)> = self.class(from.0).cells.iter().collect();
        for (offset, cell) in cells {
            for (offset, size) in self.positions(from.0, (offset, cell.size), (start, end)) {
                let into = self.cell_at(to.0, offset.wrapping_add(by), size, Some(constraint.site));
                self.flow(cell.node, into, Move::STILL);
            }
        }
    }

    /// Where in a stretch the bytes of a cell lie, with how many of them: its own place, and one in each array around it.
    fn positions(
        &mut self,
        region: RegionKey,
        (offset, size): (i64, u64),
        (start, end): (i64, i64),
    ) -> Vec<(i64, u64)> {
        let layout = self.class(region).layout.clone();
        if layout.stride > 0 {
            // It repeats: the first place at or behind the start, and what of it lies before that.
            let stride = layout.stride as i64;
            let first = start.saturating_add((offset - start).rem_euclid(stride));
            let before = first - stride;
            let mut found = Vec::new();
            if before + size as i64 > start {
                found.push((start, (before + size as i64 - start) as u64));
            }
            if first < end {
                found.push((first, size));
            }
            return found;
        }
        let mut found = Vec::new();
        let mut push = |at: i64| {
            let (low, high) = (at.max(start), at.saturating_add(size as i64).min(end));
            if low < high {
                found.push((low, (high - low) as u64));
            }
        };
        push(offset);
        for fold in layout.folds.iter().filter(|fold| (fold.start..fold.end).contains(&offset)) {
            // The elements at which the stretch begins: those behind are folded onto them.
            let stride = fold.stride as i64;
            if start > offset && stride > 1 {
                let at = start.saturating_add((offset - start).rem_euclid(stride));
                for at in [at - stride, at] {
                    if at < fold.end {
                        push(at);
                    }
                }
            }
        }
        found
    }
}
