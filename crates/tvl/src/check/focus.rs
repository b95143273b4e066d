//! A structure is divided until it is clear what a command reads: the focus of the engine.

use super::heap::Known;
use super::links::{Coerced, SpineEdge};
use super::roles::Role;
use super::slots::Slot;
use super::step::{Read, Stepper};
use crate::structure::{Bounds, Structure};
use crate::vocabulary::ACTIVE;
use heapwise_cells::atom::Var;
use heapwise_cells::program::KindId;
use heapwise_logic::Kleene;

impl Stepper<'_> {
    /// The structure divided until it is clear what each variable holds; where that cannot be made clear, nothing is read.
    pub(super) fn focused(&mut self, structure: &Structure, vars: &[Var]) -> Vec<(Structure, Option<Read>)> {
        let mut open = vec![structure.clone()];
        for var in vars {
            let slot = self.slots.of(*var);
            open = open.into_iter().flat_map(|structure| self.focus_slot(structure, slot)).collect();
        }
        let valued = |structure: Structure| {
            let read = vars.iter().map(|var| match self.predicates.value(&structure, self.slots.of(*var)) {
                Known::Value(value) => Some((*var, value)),
                Known::Indefinite => None,
            });
            let values = read.collect();
            (structure, values)
        };
        open.into_iter().map(valued).collect()
    }

    /// Divides a structure until it is clear what a slot holds.
    pub(super) fn focus_slot(&mut self, structure: Structure, slot: Slot) -> Vec<Structure> {
        if self.predicates.value(&structure, slot) != Known::Indefinite {
            return vec![structure];
        }
        let atoms: Vec<usize> =
            self.predicates.slots[slot].atoms.values().map(|predicate| self.predicates.index(*predicate)).collect();
        let mut open = vec![structure];
        for atom in atoms {
            let mut next = Vec::new();
            for structure in open {
                if structure.nullary(atom).is_definite() {
                    next.push(structure);
                    continue;
                }
                for value in [Kleene::False, Kleene::True] {
                    let mut case = structure.clone();
                    case.set_nullary(atom, value);
                    if self.linking.coerce(&mut case, &mut self.tables) == Coerced::Kept {
                        next.push(case);
                    }
                }
            }
            open = next;
        }
        let mut focused = Vec::new();
        for structure in open {
            for located in self.linking.locate(structure, slot, &mut self.tables) {
                focused.extend(self.present(located, slot));
            }
        }
        focused
    }

    /// Divides a structure until the cell that a slot points to surely exists: individuals that may be absent are there
    /// or not, one after the other.
    fn present(&mut self, structure: Structure, slot: Slot) -> Vec<Structure> {
        let Some(points) = self.predicates.slots[slot].points else { return vec![structure] };
        let index = self.predicates.index(points);
        let mut open = vec![structure];
        let mut focused = Vec::new();
        while let Some(structure) = open.pop() {
            let doubtful = structure.unary(index).must & !structure.active().must;
            if doubtful == 0 {
                focused.push(structure);
                continue;
            }
            let one = doubtful & doubtful.wrapping_neg();
            let active = structure.active();
            let mut there = structure.clone();
            there.set_unary(ACTIVE, Bounds { may: active.may, must: active.must | one });
            // The others keep their numbers: steps know cells by them.
            for mut case in [there, self.predicates.emptied(&structure, one)] {
                if self.linking.coerce(&mut case, &mut self.tables) == Coerced::Kept {
                    open.push(case);
                }
            }
        }
        focused
    }

    /// Divides a structure until it is clear which atom a link holds, if any.
    pub(super) fn focus_link(
        &mut self,
        structure: Structure,
        cell: usize,
        kind: KindId,
        link: usize,
    ) -> Vec<Structure> {
        let mut open = vec![structure];
        let mut focused = Vec::new();
        while let Some(structure) = open.pop() {
            if self.predicates.link_atom(&structure, cell, kind, link) != Known::Indefinite {
                focused.push(structure);
                continue;
            }
            let unknown = self.predicates.links[kind][link].atoms.values().copied().find(|predicate| {
                let bounds = structure.unary(self.predicates.index(*predicate));
                (bounds.may & !bounds.must) >> cell & 1 == 1
            });
            let Some(unknown) = unknown else {
                focused.push(structure);
                continue;
            };
            for value in [Kleene::False, Kleene::True] {
                let mut case = structure.clone();
                self.predicates.put(&mut case, unknown, cell, value);
                if self.linking.coerce_about(&mut case, unknown, &mut self.tables) == Coerced::Kept {
                    open.push(case);
                }
            }
        }
        focused
    }

    /// Whether cutting a link between two single cells takes the edge out of the spine.
    pub(super) fn spine_edge(
        &mut self,
        structure: Structure,
        from: usize,
        to: usize,
        (kind, link): (KindId, usize),
    ) -> Vec<(Structure, SpineEdge)> {
        let links = &self.predicates.links[kind];
        if links[link].role != Role::Spine {
            return vec![(structure, SpineEdge::Goes)];
        }
        let others: Vec<_> = links
            .iter()
            .enumerate()
            .filter(|(other, predicates)| *other != link && predicates.role == Role::Spine)
            .map(|(_, predicates)| self.predicates.vocabulary.slot(predicates.edge))
            .collect();
        let mut open = vec![structure];
        let mut focused = Vec::new();
        while let Some(structure) = open.pop() {
            if others.iter().any(|other| structure.get(*other, &[from, to]) == Kleene::True) {
                focused.push((structure, SpineEdge::Stays));
                continue;
            }
            match others.iter().find(|other| structure.get(**other, &[from, to]) == Kleene::Unknown) {
                None => focused.push((structure, SpineEdge::Goes)),
                Some(other) => {
                    for value in [Kleene::False, Kleene::True] {
                        let mut case = structure.clone();
                        case.set(*other, &[from, to], value);
                        if self.linking.coerce(&mut case, &mut self.tables) == Coerced::Kept {
                            open.push(case);
                        }
                    }
                }
            }
        }
        focused
    }
}
