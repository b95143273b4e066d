//! Regions: becoming one, and their cells.

use super::{Cell, Solver, Use};
use crate::layout::{Change, Fold};
use crate::nodes::{NodeKey, RegionKey};
use crate::object::{Collapse, CollapseReason, Site};
use crate::offsets::{Count, Range};
use heapwise_ir::FunctionId;

/// A region with more cells than this is folded.
const MOST_CELLS: usize = 1024;

/// A region with a longer cell outside arrays is one cell. No scalar is as long: cells were laid over each other, and a copy
/// within the region, or between two, may do that for ever, a few bytes further each time.
const MOST_BYTES: u64 = 4096;

impl Solver<'_> {
    /// Two regions become one, so that these two bytes are the same.
    pub(crate) fn unify(&mut self, left: (RegionKey, i64), right: (RegionKey, i64)) {
        let (left_root, right_root) = (self.root(left.0), self.root(right.0));
        if left_root == right_root {
            return;
        }
        self.changes += 1;
        self.unions += 1;
        let (mut large_root, mut small_root) = (left_root, right_root);
        let in_class = |solver: &Solver<'_>, place: (RegionKey, i64)| place.1 + solver.shift[place.0.at()];
        // Where the origin of the smaller class lies in the larger one.
        let mut by = in_class(self, left) - in_class(self, right);
        if self.classes[large_root.at()].n_members < self.classes[small_root.at()].n_members {
            std::mem::swap(&mut large_root, &mut small_root);
            by = -by;
        }
        let mut large = std::mem::take(&mut self.classes[large_root.at()]);
        let mut small = std::mem::take(&mut self.classes[small_root.at()]);
        let members: Vec<RegionKey> = self.members(small_root).collect();
        for member in &members {
            self.shift[member.at()] += by;
        }
        // Functions that are called, or reached from outside, because they are now one with others that are.
        let newly_called = self.functions_of_other((large_root, large.is_called()), (small_root, small.is_called()));
        let newly_outside = self.functions_of_other((large_root, large.escaped), (small_root, small.escaped));
        // Two rings become one.
        self.next_member.swap(large_root.at(), small_root.at());
        self.region_table.union(left_root, right_root);
        let root = self.root(left_root);
        large.n_members += small.n_members;
        large.copied |= small.copied;
        let had_cells = !large.cells.is_empty();
        let large_becomes_escaped = small.escaped && !large.escaped;
        large.escaped |= small.escaped;
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
        let mut signature = None;
        let mut copies_of_small = Vec::new();
        if let Some(mut rare) = small.rare.take() {
            let mine = large.rare();
            mine.copies.extend(&rare.copies);
            copies_of_small = std::mem::take(&mut rare.copies);
            mine.clears.extend(&rare.clears);
            mine.collapses.extend(&rare.collapses);
            mine.anything.extend(rare.anything.iter().map(|part| part.map(|(start, end)| (start + by, end + by))));
            signature = rare.signature;
        }
        let mut change = match small.layout.stride {
            0 => Change::Same,
            stride => large.layout.fold_all(stride),
        };
        for fold in &small.layout.folds {
            let moved = Fold { start: fold.start + by, end: fold.end + by, ..*fold };
            if large.fold(moved, None) == Change::Coarser {
                change = Change::Coarser;
            }
        }
        let has_anything = !large.anything().is_empty();
        if large.rare.as_ref().is_some_and(|rare| !rare.clears.is_empty()) {
            self.stale_clears.push(root);
        }
        // What the larger class's copies read is new to them only where cells change, which `place_cell` sees: else each union
        // would cost as much as there are copies of a class that grows with the program.
        match change {
            Change::Coarser if !large.copies().is_empty() => self.stale_copies.push(root),
            Change::Coarser | Change::Same => copies_of_small.into_iter().for_each(|copy| self.enqueue_copy(copy)),
        }
        let own_cells: Vec<NodeKey> = if large_becomes_escaped { large.cells.nodes().collect() } else { Vec::new() };
        self.classes[root.at()] = large;
        self.stamp_region(root);
        if change == Change::Coarser && had_cells {
            self.place_cells_again(root);
        }
        for (offset, cell) in small.cells {
            self.place_cell(root, offset + by, cell, None);
        }
        if let Some(signature) = signature {
            self.tie_signature(root, &signature);
        }
        self.call_functions(newly_called, root);
        self.call_from_outside(newly_outside);
        own_cells.into_iter().for_each(|cell| self.hand_out(cell));
        if has_anything {
            self.mark_anything(root, i64::MIN);
        }
        if let Some(graph) = private {
            self.touched.push((graph, root));
            self.share_cells(root);
        }
    }

    /// Of two classes that become one, the functions of that for which something does not hold yet that holds for the other.
    fn functions_of_other(
        &self,
        (left, left_holds): (RegionKey, bool),
        (right, right_holds): (RegionKey, bool),
    ) -> Vec<FunctionId> {
        match (left_holds, right_holds) {
            (true, false) => self.functions_in(right),
            (false, true) => self.functions_in(left),
            (true, true) | (false, false) => Vec::new(),
        }
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
            let nodes: Vec<NodeKey> = self.class(region).cells.nodes().collect();
            for node in nodes {
                self.node_mut(node).shared = true;
                let Some(target) = self.node(node).target else { continue };
                if let Some(graph) = self.class_mut(target).owner.take() {
                    self.touched.push((graph, target));
                    self.changes += 1;
                    pending.push(target);
                }
            }
        }
    }

    /// The cell that an access of so many bytes goes to.
    pub(crate) fn access(&mut self, region: RegionKey, range: Range, size: u64, site: Option<Site>) -> NodeKey {
        let here = self.shift[region.at()];
        let range = range.shifted(here);
        let change = match range.count {
            Count::Unbounded => {
                let stride = range.stride.max(1);
                let class = self.class_mut(region);
                let change = class.layout.fold_all(stride);
                let is_wide = size > 1 || class.cells.iter().any(|(_, cell)| cell.size > 1);
                if change == Change::Coarser && class.layout.stride == 1 && is_wide {
                    class.rare().collapses.push(Collapse { reason: CollapseReason::UnknownOffset, site });
                }
                change
            }
            Count::Exactly(1) => Change::Same,
            Count::Exactly(count) => {
                let count = count - u64::from(range.past_end && count > 1);
                let len = range.stride.saturating_mul(count - 1).saturating_add(size).min(1 << 40) as i64;
                let fold = Fold { start: range.start, end: range.start.saturating_add(len), stride: range.stride };
                self.class_mut(region).fold(fold, site)
            }
        };
        if change == Change::Coarser {
            self.place_cells_again(region);
        }
        let size = size + u64::from(range.slack);
        self.cell_at(region, range.start, size, site)
    }

    /// The cell of so many bytes at an offset of the class; made if there is none.
    pub(crate) fn cell_at(&mut self, region: RegionKey, offset: i64, size: u64, site: Option<Site>) -> NodeKey {
        let class = self.class(region);
        let spot = class.layout.spot(offset);
        let lump = class.layout.lump(spot.offset);
        // All of a lump is one cell, if the access does not reach beyond it.
        let end = class.layout.within_lump(offset).saturating_add(size as i64);
        let fits = |lump: Fold| class.layout.stride == 1 || end <= lump.end;
        let start = lump.map_or(spot.offset, |lump| lump.start);
        let reaches = |at: i64, cell: Cell| at + cell.size as i64 >= start.saturating_add(size.max(1) as i64);
        if let Some((at, cell)) = class.cells.last_up_to(start)
            && (reaches(at, cell) || (at == start && lump.is_some_and(fits)))
        {
            return cell.node;
        }
        let node = self.new_node();
        self.place_cell(region, offset, Cell { node, size }, site);
        node
    }

    /// Puts a cell where it belongs; it becomes one with those that it overlaps.
    fn place_cell(&mut self, region: RegionKey, offset: i64, cell: Cell, site: Option<Site>) {
        let Cell { node, size } = cell;
        let size = size.max(1);
        let mut spot = self.class(region).layout.spot(offset);
        if self.class(region).layout.lump(spot.offset).is_none() && spot.room.is_some_and(|room| room < size) {
            let class = self.class_mut(region);
            let before = class.layout.clone();
            class.layout.collapse_at(spot.offset);
            class.rare().collapses.push(Collapse { reason: CollapseReason::OverElement, site });
            self.place_cells_again(region);
            spot = self.class(region).layout.spot(offset);
            if self.class(region).layout.lump(spot.offset).is_none() && spot.room.is_some_and(|room| room < size) {
                // Over the end of the collapsed array, too.
                if self.class(region).layout == before {
                    self.make_one_cell(region, site);
                }
                return self.place_cell(region, offset, Cell { node, size }, site);
            }
        }
        let class = self.class_mut(region);
        if site.is_some() && size > 1 && class.layout.lump(spot.offset).is_some() && class.collapses().is_empty() {
            class.rare().collapses.push(Collapse { reason: CollapseReason::OverElement, site });
        }
        if let Some(lump) = class.layout.lump(spot.offset)
            && class.layout.stride != 1
        {
            let end = class.layout.within_lump(offset).saturating_add(size as i64);
            if end > lump.end {
                let change = class.fold(Fold { end, ..lump }, site);
                class.rare().collapses.push(Collapse { reason: CollapseReason::OverElement, site });
                self.place_cells_again(region);
                if change == Change::Same {
                    self.make_one_cell(region, site);
                }
                return self.place_cell(region, offset, Cell { node, size }, site);
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
            let change = class.fold(all, site);
            class.rare().collapses.push(Collapse { reason: CollapseReason::ViewsDisagree, site });
            self.place_cells_again(region);
            if change == Change::Same {
                self.make_one_cell(region, site);
            }
            return self.place_cell(region, offset, Cell { node, size }, site);
        }
        let mut overlapping: Vec<(i64, Cell)> = Vec::new();
        // Cells are disjoint, so at most one begins before and reaches here.
        if let Some((before, cell)) = class.cells.last_up_to(start.saturating_sub(1))
            && before + cell.size as i64 > start
        {
            overlapping.push((before, cell));
        }
        overlapping.extend(class.cells.starting_in(start, end));
        if overlapping.iter().any(|(other, _)| *other != start) && class.layout.lump(spot.offset).is_none() {
            class.rare().collapses.push(Collapse { reason: CollapseReason::ViewsDisagree, site });
        }
        for (other, cell) in &overlapping {
            start = start.min(*other);
            end = end.max(*other + cell.size as i64);
            class.cells.remove(*other);
        }
        let size = end.abs_diff(start);
        class.cells.insert(start, Cell { node, size });
        let is_copied = !class.copies().is_empty();
        // A cell that takes the place of another one becomes one with it: copies have seen it.
        let is_elsewhere = !matches!(overlapping.as_slice(), [(at, cell)] if *at == start && cell.size == size);
        if is_copied && is_elsewhere {
            self.stale_copies.push(region);
        }
        for (_, cell) in overlapping {
            self.same_node(cell.node, node);
        }
        self.enter_cell(region, (start, Cell { node, size }), spot.offset, site);
    }

    /// A cell is new in a region, where it was put for the sake of `offset`: it is told what holds for all of them, and a region
    /// with too many, or too long a one outside arrays, is folded.
    fn enter_cell(&mut self, region: RegionKey, (start, cell): (i64, Cell), offset: i64, site: Option<Site>) {
        let Cell { node, size } = cell;
        let class = self.class(region);
        let is_lump = class.layout.lump(offset).is_some();
        let too_much = match class.cells.len() > MOST_CELLS {
            true => Some(CollapseReason::TooManyCells),
            false => (size > MOST_BYTES && !is_lump).then_some(CollapseReason::Endless),
        };
        let (escaped, has_anything) = (class.escaped, !class.anything().is_empty());
        let is_shared = class.owner.is_none();
        self.changes += 1;
        self.stamp_cell(node, region);
        if escaped {
            self.hand_out(node);
        }
        if is_shared {
            self.node_mut(node).shared = true;
            if let Some(target) = self.node(node).target {
                self.share(target);
            }
        }
        if has_anything {
            self.mark_anything(region, start);
        }
        if let Some(reason) = too_much {
            let class = self.class_mut(region);
            let is_crowded = reason == CollapseReason::TooManyCells;
            let stride = if is_crowded { class.cells.common_stride() } else { 1 };
            class.layout.fold_all(stride);
            class.rare().collapses.push(Collapse { reason, site });
            self.place_cells_again(region);
        }
    }

    /// All bytes of a region become one cell: where folding an array changes nothing, a cell that does not fit would be placed
    /// again and again.
    fn make_one_cell(&mut self, region: RegionKey, site: Option<Site>) {
        let class = self.class_mut(region);
        class.layout.fold_all(1);
        class.rare().collapses.push(Collapse { reason: CollapseReason::Endless, site });
        self.place_cells_again(region);
    }

    /// The layout became coarser: cells move.
    pub(super) fn place_cells_again(&mut self, region: RegionKey) {
        if !self.class(region).copies().is_empty() {
            self.stale_copies.push(region);
        }
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
            if class.fold(fold, None) == Change::Coarser {
                change = Change::Coarser;
            }
        }
        if change == Change::Coarser {
            self.changes += 1;
            self.stamp_region(to);
            self.place_cells_again(to);
        }
    }

    pub(super) fn apply(&mut self, address: NodeKey, what: Use) {
        if self.node(address).unknown {
            self.apply_unknown(what);
        }
        self.apply_value(address, what);
    }

    /// Something is done through an address of which nothing is known.
    pub(super) fn apply_unknown(&mut self, what: Use) {
        match what {
            Use::Load { into, .. } => self.mark_unknown(into),
            Use::Store { from: Some(from), .. } => self.hand_out_value(from),
            Use::Store { from: None, .. } | Use::Anything(_) => {}
            Use::Copy(copy) => self.enqueue_copy(copy),
            Use::Call(call) => self.call_unknown(call),
            Use::Index(index) => self.pointing_indices.push(index),
        }
    }

    /// Something is done where an address points.
    pub(super) fn apply_value(&mut self, address: NodeKey, what: Use) {
        let Some(target) = self.node(address).target else { return };
        let offsets = self.node(address).offsets.clone();
        let ranges = offsets.iter();
        match what {
            Use::Load { into, size, site } => {
                for range in ranges {
                    let cell = self.access(target, range, u64::from(size), Some(site));
                    self.flow(cell, into, super::Move::STILL);
                }
            }
            Use::Store { from, size, site } => {
                for range in ranges {
                    let cell = self.access(target, range, u64::from(size), Some(site));
                    if let Some(from) = from {
                        self.flow(from, cell, super::Move::STILL);
                    }
                }
            }
            Use::Anything(stretch) => {
                let bytes = self.stretches[stretch as usize];
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
                let (from, _) = self.copies[copy as usize].nodes();
                // A node points into one class for good.
                if self.node_root(from) == self.node_root(address)
                    && !std::mem::replace(&mut self.copy_marks[copy as usize].is_registered, true)
                {
                    let class = self.class_mut(target);
                    class.rare().copies.push(copy);
                    class.copied = true;
                    self.changes += 1;
                    self.stamp_region(target);
                }
            }
            Use::Call(call) => self.call_region(target, call),
            Use::Index(index) => self.pointing_indices.push(index),
        }
    }
}
