//! Regions: becoming one, and their cells.

use super::{Cell, Solver, Use};
use crate::layout::{Change, Fold};
use crate::nodes::{RegionKey, SlotKey};
use crate::object::{Collapse, CollapseReason, Site};
use crate::offsets::{Count, Range, gcd};

/// A region with more cells than this is folded.
const MOST_CELLS: usize = 1024;

impl Solver<'_> {
    /// Two regions become one, so that these two bytes are the same.
    pub(crate) fn unify(&mut self, left: (RegionKey, i64), right: (RegionKey, i64)) {
        let (left_root, right_root) = (self.root(left.0), self.root(right.0));
        if left_root == right_root {
            return;
        }
        self.changes += 1;
        self.unions += 1;
        let take = |solver: &mut Solver<'_>, root: RegionKey| {
            let class = solver.classes[root.at()].take();
            *class.expect("a root has its class")
        };
        let (mut large, mut small) = (take(self, left_root), take(self, right_root));
        let in_class = |solver: &Solver<'_>, place: (RegionKey, i64)| place.1 + solver.shift[place.0.at()];
        // Where the origin of the smaller class lies in the larger one.
        let mut by = in_class(self, left) - in_class(self, right);
        if large.members.len() < small.members.len() {
            std::mem::swap(&mut large, &mut small);
            by = -by;
        }
        for member in &small.members {
            self.shift[member.at()] += by;
        }
        self.region_table.union(left_root, right_root);
        let root = self.root(left_root);
        large.members.append(&mut small.members);
        large.objects.append(&mut small.objects);
        large.functions.append(&mut small.functions);
        large.copies.append(&mut small.copies);
        large.copied |= small.copied;
        large.collapses.append(&mut small.collapses);
        large.anything.extend(small.anything.iter().map(|stretch| stretch.map(|(start, end)| (start + by, end + by))));
        let had_cells = !large.cells.is_empty();
        let escaped = large.escaped || small.escaped;
        let becomes_escaped = escaped && !(large.escaped && small.escaped);
        large.escaped = escaped;
        let (shared, private) = match (large.owner, small.owner) {
            (None, Some(graph)) | (Some(graph), None) => (true, Some(graph)),
            (None, None) => (false, None),
            (Some(left), Some(right)) => {
                debug_assert_eq!(left, right, "graphs meet in shared regions only");
                (false, None)
            }
        };
        if shared {
            large.owner = None;
        }
        let signatures = (large.signature.take(), small.signature.take());
        let mut change = match small.layout.stride {
            0 => Change::Same,
            stride => large.layout.fold_all(stride),
        };
        for fold in &small.layout.folds {
            let moved = Fold { start: fold.start + by, end: fold.end + by, ..*fold };
            if large.layout.fold(moved) == Change::Coarser {
                change = Change::Coarser;
            }
        }
        let anything = large.anything.clone();
        let copies = large.copies.clone();
        self.classes[root.at()] = Some(Box::new(large));
        if change == Change::Coarser && had_cells {
            self.place_cells_again(root);
        }
        for (offset, cell) in small.cells {
            self.place_cell(root, offset + by, cell, None);
        }
        match signatures {
            (Some(left), Some(right)) => {
                self.class_mut(root).signature = Some(left);
                self.tie_signature(root, &right);
            }
            (Some(signature), None) | (None, Some(signature)) => self.class_mut(root).signature = Some(signature),
            (None, None) => {}
        }
        if self.class(root).signature.is_some() {
            self.call_functions(root);
        }
        if becomes_escaped {
            self.class_mut(root).escaped = false;
            self.escape(root);
        }
        if !anything.is_empty() {
            self.mark_anything(root, i64::MIN);
        }
        if let Some(graph) = private {
            self.touched.push((graph, root));
            self.share_cells(root);
        }
        copies.into_iter().for_each(|copy| self.enqueue_copy(copy));
    }

    /// A region is shared by all graphs, and so is what it points to.
    pub(crate) fn share(&mut self, region: RegionKey) {
        let Some(graph) = self.class_mut(region).owner.take() else { return };
        self.touched.push((graph, region));
        self.changes += 1;
        self.share_cells(region);
    }

    /// The cells of a region that is shared now. At once: other graphs may read them next.
    fn share_cells(&mut self, region: RegionKey) {
        let mut pending = vec![region];
        while let Some(region) = pending.pop() {
            let slots: Vec<SlotKey> = self.class(region).cells.values().map(|cell| cell.slot).collect();
            for slot in slots {
                self.slot_mut(slot).shared = true;
                let Some(target) = self.slot(slot).target else { continue };
                if let Some(graph) = self.class_mut(target).owner.take() {
                    self.touched.push((graph, target));
                    self.changes += 1;
                    pending.push(target);
                }
            }
        }
    }

    /// The cell that an access of so many bytes goes to.
    pub(crate) fn access(&mut self, region: RegionKey, range: Range, size: u64, site: Option<Site>) -> SlotKey {
        let here = self.shift[region.at()];
        let range = range.shifted(here);
        let change = match range.count {
            Count::Unbounded => {
                let stride = range.stride.max(1);
                let class = self.class_mut(region);
                let change = class.layout.fold_all(stride);
                let is_wide = size > 1 || class.cells.values().any(|cell| cell.size > 1);
                if change == Change::Coarser && class.layout.stride == 1 && is_wide {
                    class.collapses.push(Collapse { reason: CollapseReason::UnknownOffset, site });
                }
                change
            }
            Count::Exactly(1) => Change::Same,
            Count::Exactly(count) => {
                let count = count - u64::from(range.past_end && count > 1);
                let len = range.stride.saturating_mul(count - 1).saturating_add(size).min(1 << 40) as i64;
                let fold = Fold { start: range.start, end: range.start.saturating_add(len), stride: range.stride };
                self.class_mut(region).layout.fold(fold)
            }
        };
        if change == Change::Coarser {
            self.place_cells_again(region);
        }
        let size = size + u64::from(range.slack);
        self.cell_at(region, range.start, size, site)
    }

    /// The cell of so many bytes at an offset of the class; made if there is none.
    pub(crate) fn cell_at(&mut self, region: RegionKey, offset: i64, size: u64, site: Option<Site>) -> SlotKey {
        let class = self.class(region);
        let spot = class.layout.spot(offset);
        let lump = class.layout.lump(spot.offset);
        // All of a lump is one cell, if the access does not reach beyond it.
        let end = class.layout.within_lump(offset).saturating_add(size as i64);
        let fits = |lump: Fold| class.layout.stride == 1 || end <= lump.end;
        let start = lump.map_or(spot.offset, |lump| lump.start);
        let reaches = |at: i64, cell: &Cell| at + cell.size as i64 >= start.saturating_add(size.max(1) as i64);
        if let Some((at, cell)) = class.cells.range(..=start).next_back()
            && (reaches(*at, cell) || (*at == start && lump.is_some_and(fits)))
        {
            return cell.slot;
        }
        let slot = self.new_slot();
        self.place_cell(region, offset, Cell { slot, size }, site);
        slot
    }

    /// Puts a cell where it belongs; it becomes one with those that it overlaps.
    fn place_cell(&mut self, region: RegionKey, offset: i64, cell: Cell, site: Option<Site>) {
        let Cell { slot, size } = cell;
        let size = size.max(1);
        let mut spot = self.class(region).layout.spot(offset);
        if self.class(region).layout.lump(spot.offset).is_none() && spot.room.is_some_and(|room| room < size) {
            let class = self.class_mut(region);
            class.layout.collapse_at(spot.offset);
            class.collapses.push(Collapse { reason: CollapseReason::OverElement, site });
            self.place_cells_again(region);
            spot = self.class(region).layout.spot(offset);
            if self.class(region).layout.lump(spot.offset).is_none() && spot.room.is_some_and(|room| room < size) {
                // Over the end of the collapsed array, too.
                return self.place_cell(region, offset, Cell { slot, size }, site);
            }
        }
        let class = self.class_mut(region);
        if site.is_some() && size > 1 && class.layout.lump(spot.offset).is_some() && class.collapses.is_empty() {
            class.collapses.push(Collapse { reason: CollapseReason::OverElement, site });
        }
        if let Some(lump) = class.layout.lump(spot.offset)
            && class.layout.stride != 1
        {
            let end = class.layout.within_lump(offset).saturating_add(size as i64);
            if end > lump.end {
                class.layout.fold(Fold { end, ..lump });
                class.collapses.push(Collapse { reason: CollapseReason::OverElement, site });
                self.place_cells_again(region);
                return self.place_cell(region, offset, Cell { slot, size }, site);
            }
        }
        let class = self.class_mut(region);
        let (mut start, mut end) = match class.layout.lump(spot.offset) {
            Some(fold) => (fold.start, fold.end.max(fold.start.saturating_add(1))),
            None => (spot.offset, spot.offset.saturating_add(size as i64)),
        };
        // A cell that begins outside an array and reaches into it makes it one cell.
        let into = class.layout.folds.iter().find(|fold| fold.start > start && fold.start < end).copied();
        if let Some(fold) = into
            && (fold.stride > 1 || fold.end > end)
        {
            let all = Fold { start, end: fold.end.max(end), stride: 1 };
            class.layout.fold(all);
            class.collapses.push(Collapse { reason: CollapseReason::ViewsDisagree, site });
            self.place_cells_again(region);
            return self.place_cell(region, offset, Cell { slot, size }, site);
        }
        let mut overlapping: Vec<(i64, Cell)> = Vec::new();
        // Cells are disjoint, so at most one begins before and reaches here.
        if let Some((before, cell)) = class.cells.range(..start).next_back()
            && *before + cell.size as i64 > start
        {
            overlapping.push((*before, *cell));
        }
        overlapping.extend(class.cells.range(start..end).map(|(offset, cell)| (*offset, *cell)));
        if overlapping.iter().any(|(other, _)| *other != start) && class.layout.lump(spot.offset).is_none() {
            class.collapses.push(Collapse { reason: CollapseReason::ViewsDisagree, site });
        }
        for (other, cell) in &overlapping {
            start = start.min(*other);
            end = end.max(*other + cell.size as i64);
            class.cells.remove(other);
        }
        class.cells.insert(start, Cell { slot, size: (end - start) as u64 });
        let is_crowded = class.cells.len() > MOST_CELLS;
        let (escaped, has_anything, copies) = (class.escaped, !class.anything.is_empty(), class.copies.clone());
        let is_shared = class.owner.is_none();
        for (_, cell) in overlapping {
            self.same_slot(cell.slot, slot);
        }
        self.changes += 1;
        if escaped {
            self.hand_out(slot);
        }
        if is_shared {
            self.slot_mut(slot).shared = true;
            if let Some(target) = self.slot(slot).target {
                self.share(target);
            }
        }
        if has_anything {
            self.mark_anything(region, start);
        }
        copies.into_iter().for_each(|copy| self.enqueue_copy(copy));
        if is_crowded {
            let offsets: Vec<i64> = self.class(region).cells.keys().copied().collect();
            let stride = offsets.windows(2).fold(0, |stride, pair| gcd(stride, pair[1].abs_diff(pair[0])));
            let class = self.class_mut(region);
            class.layout.fold_all(stride);
            class.collapses.push(Collapse { reason: CollapseReason::TooManyCells, site });
            self.place_cells_again(region);
        }
    }

    /// The layout became coarser: cells move.
    pub(super) fn place_cells_again(&mut self, region: RegionKey) {
        let cells = std::mem::take(&mut self.class_mut(region).cells);
        for (offset, cell) in cells {
            self.place_cell(region, offset, cell, None);
        }
    }

    /// What is one element of `from` is one element of `to`, where its origin lies at `by`.
    pub(crate) fn adopt_layout(&mut self, from: RegionKey, to: RegionKey, by: i64) {
        let layout = self.class(from).layout.clone();
        let class = self.class_mut(to);
        let mut change = match layout.stride {
            0 => Change::Same,
            stride => class.layout.fold_all(stride),
        };
        for fold in layout.folds {
            let fold = Fold { start: fold.start + by, end: fold.end + by, ..fold };
            if class.layout.fold(fold) == Change::Coarser {
                change = Change::Coarser;
            }
        }
        if change == Change::Coarser {
            self.changes += 1;
            self.place_cells_again(to);
        }
    }

    pub(super) fn apply(&mut self, address: SlotKey, what: Use) {
        if self.slot(address).unknown {
            match what {
                Use::Load { into, .. } => self.mark_unknown(into),
                Use::Store { from: Some(from), .. } => self.hand_out_value(from),
                Use::Store { from: None, .. } | Use::Anything { .. } => {}
                Use::Copy(copy) => self.enqueue_copy(copy),
                Use::Call(call) => self.call_unknown(call),
                Use::Index(index) => self.pointing_indices.push(index),
            }
        }
        let Some(target) = self.slot(address).target else { return };
        let offsets = self.slot(address).offsets.clone();
        let ranges = offsets.ranges().iter().copied();
        match what {
            Use::Load { into, size, site } => {
                for range in ranges {
                    let cell = self.access(target, range, size, Some(site));
                    self.flow(cell, into, super::Move::STILL);
                }
            }
            Use::Store { from, size, site } => {
                for range in ranges {
                    let cell = self.access(target, range, size, Some(site));
                    if let Some(from) = from {
                        self.flow(from, cell, super::Move::STILL);
                    }
                }
            }
            Use::Anything { bytes } => {
                for range in ranges {
                    let start = range.start + self.shift[target.at()];
                    let stretch = match (range.count, bytes) {
                        (Count::Exactly(1), Some(bytes)) => {
                            Some((start, start.saturating_add(i64::try_from(bytes).unwrap_or(i64::MAX))))
                        }
                        (Count::Exactly(_) | Count::Unbounded, _) => None,
                    };
                    self.add_anything(target, stretch);
                }
            }
            Use::Copy(copy) => {
                self.enqueue_copy(copy);
                let (from, _) = self.copies[copy as usize].slots();
                // A slot points into one class for good.
                if self.slot_root(from) == self.slot_root(address)
                    && !std::mem::replace(&mut self.copy_marks[copy as usize].is_registered, true)
                {
                    let class = self.class_mut(target);
                    class.copies.push(copy);
                    class.copied = true;
                    self.changes += 1;
                }
            }
            Use::Call(call) => self.call_region(target, call),
            Use::Index(index) => self.pointing_indices.push(index),
        }
    }
}
