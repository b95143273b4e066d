//! Links from cells that a call cannot reach into those that it can: they lead to the same cells when it is over.
//!
//! Where they all lead to cells that parameters name, they are taken off before the call and put back behind it. So what the
//! call does is worked out on the cells it reaches alone, as often as other cells lead there, and once for all of
//! these heaps. (The cells are cutpoints, as in calls of procedures.)

use super::super::predicates::Predicates;
use super::super::roles::Role;
use super::super::slots::Slot;
use super::call::Call;
use crate::structure::{Bounds, Structure, members};
use heapwise_cells::atom::Atom;
use heapwise_cells::program::KindId;
use heapwise_logic::Kleene;

/// A link into what a call can reach.
#[derive(Clone, Debug)]
pub(super) struct Entering {
    /// The cell it leaves, by its number before the call.
    from: usize,
    kind: KindId,
    link: usize,
    /// The slot of the call that points where it leads.
    ghost: Slot,
    value: Kleene,
    /// What is reached from slots that reach the cell it leaves, by slot and way.
    reached_by: Vec<(Slot, usize, Kleene)>,
}

impl Entering {
    /// The slot of the call that points where it leads.
    pub(super) fn ghost(&self) -> Slot {
        self.ghost
    }
}

impl Call<'_> {
    /// The links into a part of a heap. `None` if some lead to cells that no parameter surely points to, or slots of the caller do.
    pub(super) fn entering(&self, structure: &Structure, part: u64) -> Option<Vec<Entering>> {
        let predicates = self.predicates;
        for (slot, own) in &predicates.slots {
            let points = own.points.filter(|_| !self.set.slots.contains(&slot) && !self.is_global(slot));
            if points.is_some_and(|points| structure.unary(predicates.index(points)).may & part != 0) {
                return None;
            }
        }
        let mut found = Vec::new();
        for u in members(structure.active().may & !part) {
            for (kind, links) in &predicates.links {
                for (link, known) in links.iter().enumerate() {
                    let row = structure.row(predicates.index(known.edge), u);
                    for w in members(row.may & part) {
                        let roots: Vec<Slot> = self.roots().collect();
                        if known.role == Role::Spine && predicates.has_predecessor(structure, &roots, w) {
                            continue;
                        }
                        let ghost = self.naming(structure, w)?;
                        let value = Kleene::from_bounds(true, row.must >> w & 1 == 1);
                        let reached_by = self.reaching(structure, u);
                        found.push(Entering { from: u, kind, link, ghost, value, reached_by });
                    }
                }
            }
        }
        Some(found)
    }

    /// The slots from which it reaches what it can change.
    fn roots(&self) -> impl Iterator<Item = Slot> + '_ {
        let parameters = self.code.contract.parameters.iter().flatten().map(|(slot, _)| *slot);
        parameters.chain(self.globals.iter().map(|(slot, _)| *slot)).chain(self.named.iter().copied())
    }

    /// The parameter that surely points to a single cell.
    fn naming(&self, structure: &Structure, cell: usize) -> Option<Slot> {
        let predicates = self.predicates;
        let at = Bounds { may: 1 << cell, must: 1 << cell };
        let mut parameters = self.code.contract.parameters.iter().flatten().map(|(slot, _)| *slot);
        parameters.find(|slot| {
            let points = predicates.slots[*slot].points;
            points.is_some_and(|points| structure.unary(predicates.index(points)) == at)
                && Predicates::is_single(structure, cell)
        })
    }

    /// The slots of the caller that reach a cell, and on which way.
    fn reaching(&self, structure: &Structure, cell: usize) -> Vec<(Slot, usize, Kleene)> {
        let predicates = self.predicates;
        let exists = structure.active().must >> cell & 1 == 1;
        let mut found = Vec::new();
        for (slot, own) in &predicates.slots {
            for (way, reach) in own.reach.iter().enumerate() {
                let bounds = structure.unary(predicates.index(*reach));
                if bounds.may >> cell & 1 == 1 {
                    let must = exists && bounds.must >> cell & 1 == 1;
                    found.push((slot, way, Kleene::from_bounds(true, must)));
                }
            }
        }
        found
    }

    /// Takes them off.
    pub(super) fn detach(&self, structure: &mut Structure, part: u64) {
        let predicates = self.predicates;
        let edges = predicates.links.values().flatten().map(|link| link.edge).chain([predicates.spine]);
        for index in edges.map(|edge| predicates.index(edge)) {
            for u in members(structure.active().may & !part) {
                let row = structure.row(index, u);
                structure.set_row(index, u, Bounds { may: row.may & !part, must: row.must & !part });
            }
        }
        for (slot, own) in &predicates.slots {
            if self.set.slots.contains(&slot) || self.is_global(slot) {
                continue;
            }
            for reach in &own.reach {
                let bounds = structure.unary(predicates.index(*reach));
                let bounds = Bounds { may: bounds.may & !part, must: bounds.must & !part };
                structure.set_unary(predicates.index(*reach), bounds);
            }
        }
    }

    /// Puts them back, where `place` says which number a cell has now. Rules have to be looked at again.
    pub(super) fn attach(&self, whole: &mut Structure, entering: &[Entering], place: impl Fn(usize) -> usize) {
        let predicates = self.predicates;
        let freed = whole.unary(predicates.index(self.set.freed)).must;
        for link in entering {
            let from = place(link.from);
            let known = &predicates.links[link.kind][link.link];
            let points = predicates.slots[link.ghost].points;
            let at = points.map_or(Bounds { may: 0, must: 0 }, |points| whole.unary(predicates.index(points)));
            // What it leads to may have been changed: predicates that speak of that are looked at again.
            for predicate in predicates.by_successors(link.kind, link.link) {
                predicates.put(whole, predicate, from, Kleene::Unknown);
            }
            if at.may & freed != 0 {
                let atoms = &known.atoms;
                if let Some(atom) = atoms.get(&Predicates::known(atoms, Atom::Freed)) {
                    predicates.put(whole, *atom, from, link.value);
                }
                continue;
            }
            let edges = [Some(known.edge), (known.role == Role::Spine).then_some(predicates.spine)];
            for index in edges.into_iter().flatten().map(|edge| predicates.index(edge)) {
                let row = whole.row(index, from);
                let must = if link.value.must() { at.must } else { 0 };
                whole.set_row(index, from, Bounds { may: row.may | at.may, must: row.must | must });
            }
            for predicate in predicates.by_predecessors() {
                let bounds = whole.unary(predicates.index(predicate));
                whole.set_unary(predicates.index(predicate), Bounds { may: bounds.may | at.may, must: bounds.must });
            }
            self.reach_over(whole, link);
        }
    }

    /// What is reached from the caller's slots by way of a link.
    fn reach_over(&self, whole: &mut Structure, link: &Entering) {
        let predicates = self.predicates;
        for (slot, way, value) in &link.reached_by {
            if self.set.slots.contains(slot) || !predicates.is_followed(*way, (link.kind, link.link)) {
                continue;
            }
            let (Some(reach), Some(behind)) =
                (predicates.slots[*slot].reach.get(*way), predicates.slots[link.ghost].reach.get(*way))
            else {
                continue;
            };
            let mut behind = whole.unary(predicates.index(*behind));
            if !(value.must() && link.value.must()) {
                behind.must = 0;
            }
            let known = whole.unary(predicates.index(*reach));
            let bounds = Bounds { may: known.may | behind.may, must: known.must | behind.must };
            whole.set_unary(predicates.index(*reach), bounds);
        }
    }
}
