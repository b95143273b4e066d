//! Freeing cells: what led to them dangles, and what nobody uses any more holds nothing.

use super::heap::Value;
use super::links::Changed;
use super::memory::Stored;
use super::slots::{BASE, Slot};
use super::step::{Applied, INDEFINITE, Stepper};
use crate::structure::{Bounds, Structure};
use heapwise_cells::atom::Atom;
use heapwise_cells::program::Point;

/// It cannot be made clear whether a slot points to a cell.
struct StillIndefinite;

impl Stepper<'_> {
    /// Every variable and link that led to the cell dangles afterwards.
    pub(super) fn free(&mut self, structure: Structure, pointer: Slot, cell: usize) -> Applied {
        let kind = self.predicates.kind(&structure, cell);
        let null = Stored { value: Value::Atom(Atom::NULL), slot: None };
        let mut open = Applied::one(structure);
        for link in 0..self.predicates.links[kind].len() {
            let mut next = Applied { structures: Vec::new(), issues: open.issues };
            for structure in open.structures {
                next.add(self.store_link(structure, pointer, cell, (kind, link), null));
            }
            open = next;
        }
        let mut applied = Applied { structures: Vec::new(), issues: open.issues };
        for mut structure in open.structures {
            self.predicates.copy(&mut structure, BASE, pointer);
            let mut changed = Changed::default();
            self.linking.cut_into(structure, &mut self.tables, &mut changed);
            let mut isolated = Applied::from(changed);
            let structures = std::mem::take(&mut isolated.structures);
            applied.add(isolated);
            for mut structure in structures {
                self.predicates.clear(&mut structure, BASE);
                match self.dangling(structure, cell) {
                    Ok(dangling) => {
                        let buried = dangling.iter().map(|structure| self.predicates.buried(structure, cell));
                        applied.structures.extend(buried);
                    }
                    Err(StillIndefinite) => applied.add(Applied::gap(INDEFINITE)),
                }
            }
        }
        applied
    }

    /// Slots that point to a cell get a dangling pointer.
    fn dangling(&mut self, structure: Structure, cell: usize) -> Result<Vec<Structure>, StillIndefinite> {
        let mut open = vec![structure];
        // A contract remembers what its function was called with, freed or not.
        for slot in self.slots.cells() {
            if self.slots.is_ghost(slot) {
                continue;
            }
            let Some(points) = self.predicates.slots[slot].points else { continue };
            let index = self.predicates.index(points);
            let mut next = Vec::new();
            for structure in open {
                let bounds = structure.unary(index);
                if bounds.may >> cell & 1 == 0 {
                    next.push(structure);
                } else {
                    for mut structure in self.focus_slot(structure, slot) {
                        let Bounds { may, must } = structure.unary(index);
                        match (may >> cell & 1 == 1, must >> cell & 1 == 1) {
                            (true, true) => self.predicates.set_atom(&mut structure, slot, Atom::Freed),
                            (true, false) => return Err(StillIndefinite),
                            (false, _) => {}
                        }
                        next.push(structure);
                    }
                }
            }
            open = next;
        }
        Ok(open)
    }

    /// Empties the slots that nobody uses at a point.
    pub fn bury(&self, structure: &mut Structure, to: Point) {
        let occupied = self.slots.occupied(to);
        for slot in self.predicates.slots.keys() {
            if occupied.live.contains(&slot) || self.slots.is_ghost(slot) {
                continue;
            }
            if occupied.holders.contains(&slot) {
                self.predicates.clear_atoms(structure, slot);
            } else {
                self.predicates.clear(structure, slot);
            }
        }
    }
}
