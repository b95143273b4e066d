//! Abstraction, `moveRgn` that is found on the way, and joins.

use super::{HeapId, MOST_HEAPS, MOST_ROWS, Mode, MoveRegion, Row, Solution};
use crate::analysis::policy;
use crate::chunk::Merging;
use crate::fold::{Trees, fold_all_but};
use crate::heap::{Heap, Lost, is_owned};
use crate::unify::join;
use heapwise_engine::reason::SymbolicGap;
use heapwise_fixpoint::{PointId, StepId};
use heapwise_ir::entity::EntityRef;
use std::collections::BTreeSet;

impl<'p, 'c> Solution<'p, 'c> {
    /// abs, after the `moveRgn` of the point.
    pub(super) fn abstracted(&self, point: PointId, group: usize, heap: &Heap) -> Heap {
        let mut heap = heap.clone();
        for MoveRegion { from, to } in self.merges.get(&point).into_iter().flatten() {
            heap.merge_region(*from, *to);
        }
        self.folded(group, &heap)
    }

    pub(super) fn folded(&self, group: usize, heap: &Heap) -> Heap {
        let folded =
            fold_all_but(heap, Trees::Unnamed, &self.layouts[group], &self.context.definitions, Merging::Alternatives);
        let mut normal = self.normalised(folded);
        match (normal.pop(), normal.is_empty()) {
            (Some(folded), true) => folded,
            _ => heap.clone(),
        }
    }

    /// enableAbs: pairs of regions that must be one for cells to fold.
    pub(super) fn enabled(&self, group: usize, heap: &Heap) -> Option<MoveRegion> {
        let mut pairs = BTreeSet::new();
        for (_, node) in heap.nodes().filter(|(_, node)| is_owned(node)) {
            node.for_each_value(&mut |value| {
                if let Some(target) = value.node().filter(|target| target.level() == 0) {
                    let (x, y) = (node.region(), heap.node(target).region());
                    if is_owned(heap.node(target)) && x != y {
                        // The fresher into the older.
                        pairs.insert(MoveRegion { from: x.max(y), to: x.min(y) });
                    }
                }
            });
        }
        pairs.into_iter().find(|MoveRegion { from, to }| {
            let mut apart = self.folded(group, heap);
            apart.merge_region(*from, *to);
            let mut together = heap.clone();
            together.merge_region(*from, *to);
            self.folded(group, &together) != apart
        })
    }

    pub(super) fn join_into(&mut self, step: StepId, point: PointId, row: Row) -> bool {
        let is_abstracted = self.is_abstracted(point);
        let mut row = row;
        if is_abstracted {
            // New `moveRgn` are run in all components, on what is there already too.
            loop {
                row = self.abstract_row(point, &row);
                let found = row
                    .iter()
                    .enumerate()
                    .find_map(|(group, heaps)| heaps.iter().find_map(|id| self.enabled(group, self.heap(*id))));
                match found {
                    Some(found) if self.mode == Mode::Product => {
                        self.merges.entry(point).or_default().push(found);
                        let older = std::mem::take(&mut self.rows[point.index()]);
                        let older: Vec<Row> = older.iter().map(|row| self.abstract_row(point, row)).collect();
                        self.rows[point.index()] = older;
                    }
                    Some(_) | None => break,
                }
            }
        }
        match self.mode {
            Mode::Product => self.join_product(step, point, &row),
            Mode::Coupled => self.join_coupled(step, point, row),
        }
    }

    pub(super) fn abstract_row(&mut self, point: PointId, row: &Row) -> Row {
        let mut abstracted = Vec::new();
        for (group, heaps) in row.iter().enumerate() {
            let mut ids: Vec<HeapId> = Vec::new();
            for id in heaps {
                let heap = self.abstracted(point, group, self.heap(*id));
                let id = self.intern(heap);
                if !ids.contains(&id) {
                    ids.push(id);
                }
            }
            abstracted.push(ids);
        }
        abstracted
    }

    pub(super) fn join_product(&mut self, step: StepId, point: PointId, row: &Row) -> bool {
        if self.rows[point.index()].is_empty() {
            let empty = vec![Vec::new(); row.len()];
            self.rows[point.index()].push(empty);
        }
        let mut changed = false;
        for (group, heaps) in row.iter().enumerate() {
            for id in heaps {
                changed |= self.join_heap(step, point, group, *id);
            }
        }
        changed
    }

    pub(super) fn join_heap(&mut self, step: StepId, point: PointId, group: usize, id: HeapId) -> bool {
        let older = self.rows[point.index()][0][group].clone();
        let heap = self.heap(id).clone();
        if older.contains(&id) || older.iter().any(|known| self.context.entails(&heap, self.heap(*known))) {
            return false;
        }
        if older.len() > MOST_HEAPS {
            self.gaps.insert((step, SymbolicGap::TooManyCases.into()));
            return false;
        }
        let mut new = heap;
        let mut kept = older.clone();
        if self.loop_heads[point.index()]
            && let Some(policy) = policy(older.len())
        {
            for (index, known) in older.iter().enumerate().rev() {
                if let Some(joined) = self.joined(self.heap(*known), &new, policy) {
                    kept.remove(index);
                    new = joined;
                    break;
                }
            }
        }
        kept.retain(|known| !self.context.entails(self.heap(*known), &new));
        let id = self.intern(new);
        if !kept.contains(&id) {
            kept.push(id);
        }
        self.rows[point.index()][0][group] = kept;
        true
    }

    pub(super) fn joined(&self, older: &Heap, newer: &Heap, policy: crate::unify::Policy) -> Option<Heap> {
        let (older, newer) = self.context.aligned(older, newer);
        let joined = join(&older, &newer, &self.context.definitions, policy, &self.context.thresholds)?;
        let mut normal = self.context.normalised(joined);
        match (normal.pop(), normal.is_empty()) {
            (Some((heap, Lost::Nothing)), true) => Some(heap),
            _ => None,
        }
    }

    pub(super) fn join_coupled(&mut self, step: StepId, point: PointId, row: Row) -> bool {
        let covers = |solution: &Solution<'_, '_>, small: &Row, large: &Row| {
            small.iter().zip(large).all(|(small, large)| {
                let (small, large) = (small[0], large[0]);
                small == large || solution.context.entails(solution.heap(small), solution.heap(large))
            })
        };
        let older = std::mem::take(&mut self.rows[point.index()]);
        if older.iter().any(|known| covers(self, &row, known)) {
            self.rows[point.index()] = older;
            return false;
        }
        if older.len() >= MOST_ROWS {
            self.gaps.insert((step, SymbolicGap::TooManyCases.into()));
            self.rows[point.index()] = older;
            return false;
        }
        let mut new = row;
        let mut kept = older;
        // Tuples are joined where they differ in one component.
        if self.loop_heads[point.index()]
            && let Some(policy) = policy(kept.len())
        {
            for index in (0..kept.len()).rev() {
                let differing: Vec<usize> =
                    (0..new.len()).filter(|component| kept[index][*component] != new[*component]).collect();
                let [component] = differing.as_slice() else { continue };
                let (x, y) = (kept[index][*component][0], new[*component][0]);
                if let Some(joined) = self.joined(self.heap(x), self.heap(y), policy) {
                    let joined = self.intern(joined);
                    new[*component] = vec![joined];
                    kept.remove(index);
                    break;
                }
            }
        }
        kept.retain(|known| !covers(self, known, &new));
        kept.push(new);
        self.rows[point.index()] = kept;
        true
    }
}
