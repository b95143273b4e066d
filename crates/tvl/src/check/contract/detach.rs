//! Links from cells that a call cannot reach into those that it can: they lead to the same cells when it is over.
//!
//! Where they all lead to cells that parameters name, they are taken off before the call and put back behind it. So what the
//! call does is worked out on the cells it reaches alone, as often as other cells lead there, and once for all of
//! these heaps. (The cells are cutpoints, as in calls of procedures.)

use super::super::frame::NamedLink;
use super::super::predicates::Predicates;
use super::super::slots::Slot;
use super::call::Call;
use crate::structure::{Bounds, Structure, members};
use heapwise_logic::Kleene;

/// A link into what a call can reach.
#[derive(Clone, Debug)]
pub(super) struct Entering {
    /// The link, from a cell by its number before the call; the ghost is a slot of the call.
    link: NamedLink,
    /// What is reached from slots that reach the cell it leaves, by slot and way.
    reached_by: Vec<(Slot, usize, Kleene)>,
}

impl Entering {
    /// The slot of the call that points where it leads.
    pub(super) fn ghost(&self) -> Slot {
        self.link.ghost
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
        let roots: Vec<Slot> = self.roots().collect();
        let mut found = Vec::new();
        for u in members(structure.active().may & !part) {
            for (kind, links) in &predicates.links {
                for link in 0..links.len() {
                    for link in predicates.links_of_frame(structure, part, (u, kind, link), &roots) {
                        let link = link.named(self.naming(structure, link.to)?);
                        found.push(Entering { link, reached_by: self.reaching(structure, u) });
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
        for Entering { link, reached_by } in entering {
            let link = NamedLink { from: place(link.from), ..*link };
            let points = predicates.slots[link.ghost].points;
            let at = points.map_or(Bounds { may: 0, must: 0 }, |points| whole.unary(predicates.index(points)));
            // What it leads to may have been changed: predicates that speak of that are looked at again.
            predicates.doubt_successors(whole, link.from, (link.kind, link.link));
            if at.may & freed != 0 {
                predicates.dangle(whole, link);
                continue;
            }
            predicates.lead_again(whole, link, at);
            self.reach_behind(whole, link, reached_by);
        }
    }

    /// What is reached from the caller's slots by way of a link.
    fn reach_behind(&self, whole: &mut Structure, link: NamedLink, reached_by: &[(Slot, usize, Kleene)]) {
        let predicates = self.predicates;
        for (slot, way, value) in reached_by {
            if self.set.slots.contains(slot) || !predicates.is_followed(*way, (link.kind, link.link)) {
                continue;
            }
            let Some(behind) = predicates.slots[link.ghost].reach.get(*way) else { continue };
            let behind = whole.unary(predicates.index(*behind));
            predicates.reach_over(whole, (*slot, *way), link, *value, behind);
        }
    }
}
