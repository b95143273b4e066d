//! What a procedure leaves behind, together with what its caller kept.

use super::super::frame::NamedLink;
use super::super::heap::{Known, Value};
use super::super::links::Coerced;
use super::super::predicates::Predicates;
use super::super::slots::Slot;
use super::super::step::{INDEFINITE, Stepper, TOO_LARGE};
use super::Move;
use super::cut::{OutwardLink, Rest};
use crate::structure::{Bounds, Structure};
use heapwise_cells::Issue;
use heapwise_cells::atom::Atom;
use heapwise_cells::program::{KindId, StepId};
use heapwise_logic::Kleene;
use smallvec::{SmallVec, smallvec};

impl Stepper<'_> {
    /// The heaps behind a call step.
    pub fn paste(&mut self, step: StepId, rest: &Rest, exit: &Structure) -> (Vec<Structure>, SmallVec<[Issue; 1]>) {
        let mut used: Vec<Slot> = rest.slots.iter().map(|(_, ghost)| *ghost).collect();
        used.extend(rest.links.iter().map(|link| link.ghost));
        used.extend(rest.outward.iter().map(|link| link.ghost));
        used.sort_unstable();
        used.dedup();
        let mut exit = exit.clone();
        self.forget_links(&mut exit, &rest.forgotten);
        let mut open = vec![exit];
        for ghost in &used {
            open = open.into_iter().flat_map(|structure| self.focus_slot(structure, *ghost)).collect();
        }
        let is_unclear = |structure: &Structure| {
            used.iter().any(|ghost| self.predicates.value(structure, *ghost) == Known::Indefinite)
        };
        if open.iter().any(is_unclear) {
            return (Vec::new(), smallvec![Issue::Gap(INDEFINITE)]);
        }
        for link in &rest.outward {
            open = open
                .into_iter()
                .flat_map(|structure| match self.predicates.value(&structure, link.ghost) {
                    Known::Value(Value::Cell(cell)) => self.focus_link(structure, cell, link.kind, link.link),
                    Known::Value(Value::Atom(_)) | Known::Indefinite => vec![structure],
                })
                .collect();
        }
        let mut pasted = Vec::new();
        for exit in open {
            let Some(mut whole) = self.paste_one(step, rest, &exit) else {
                return (pasted, smallvec![Issue::Gap(TOO_LARGE)]);
            };
            if self.linking.coerce(&mut whole, &mut self.tables) == Coerced::Kept {
                pasted.push(whole);
            }
        }
        (pasted, SmallVec::new())
    }

    /// `None` if there are too many individuals.
    fn paste_one(&self, step: StepId, rest: &Rest, exit: &Structure) -> Option<Structure> {
        let predicates = &self.predicates;
        let call = self.call_of(step)?;
        let procedure = &self.program.procedures[call.procedure];
        let shift = rest.structure.size();
        let mut whole = predicates.side_by_side(&rest.structure, exit, |of| self.procedures.of_slots.contains(&of))?;
        let mut returned: Vec<(Slot, Slot)> =
            self.procedures.procedures[call.procedure].globals.iter().map(|slot| (*slot, *slot)).collect();
        returned.extend(call.references.iter().map(|(inner, outer)| (self.slots.of(*outer), self.slots.of(*inner))));
        if let (Some(target), Some(result)) = (call.target, procedure.result) {
            returned.push((self.slots.of(target), self.slots.of(result)));
        }
        let shared = exit.unary(predicates.index(predicates.shared));
        for slot in predicates.slots.keys() {
            if let Some((_, from)) = returned.iter().find(|(to, _)| *to == slot) {
                predicates.clear(&mut whole, slot);
                predicates.move_cells((exit, *from), (&mut whole, slot), Move::Up(shift));
                predicates.move_atoms((exit, *from), (&mut whole, slot));
            } else if let Some((_, ghost)) = rest.slots.iter().find(|(kept, _)| *kept == slot) {
                match predicates.value(exit, *ghost) {
                    Known::Value(Value::Atom(atom)) => predicates.set_atom(&mut whole, slot, atom),
                    Known::Value(Value::Cell(_)) | Known::Indefinite => {
                        predicates.move_cells((exit, *ghost), (&mut whole, slot), Move::Up(shift));
                    }
                }
            } else {
                if let Some(without) = predicates.slots[slot].shared_without {
                    add(&mut whole, predicates.index(without), Move::Up(shift).apply(shared));
                }
                self.reach_behind(&mut whole, slot, rest, exit);
            }
        }
        for link in &rest.links {
            self.link_again(&mut whole, *link, exit, shift);
        }
        let sources: Vec<(Slot, Slot)> = returned.into_iter().chain(rest.slots.iter().copied()).collect();
        self.ways_back(&mut whole, rest, exit, &sources);
        for link in &rest.outward {
            self.lead_out_again(&mut whole, rest, link, exit);
        }
        if let Some(outside_cells) = rest.outside_cells {
            self.lead_beyond(&mut whole, rest, outside_cells, exit);
        }
        self.loosen(&mut whole, rest, exit);
        if rest.outside_cells.is_some() || !rest.forgotten.is_empty() {
            self.doubt_return(&mut whole, rest);
        }
        Some(whole)
    }

    /// The cell whose link led into the rest, if it still does.
    fn leading(&self, exit: &Structure, link: &OutwardLink) -> Option<usize> {
        let predicates = &self.predicates;
        let Known::Value(Value::Cell(cell)) = predicates.value(exit, link.ghost) else { return None };
        let atoms = &predicates.links[link.kind][link.link].atoms;
        let outside = atoms.get(&Predicates::known(atoms, Atom::Outside))?;
        let is_outside = exit.unary(predicates.index(*outside)).may >> cell & 1 == 1;
        is_outside.then_some(cell)
    }

    /// A link that the procedure did not read leads into the rest again, unless it was overwritten.
    fn lead_out_again(&self, whole: &mut Structure, rest: &Rest, link: &OutwardLink, exit: &Structure) {
        let predicates = &self.predicates;
        let Some(cell) = self.leading(exit, link) else {
            // Cells that led here and back again do not any more.
            for entering in rest.links.iter().filter(|entering| entering.ghost == link.ghost) {
                predicates.doubt_successors(whole, entering.from, (entering.kind, entering.link));
            }
            return;
        };
        let at = cell + rest.structure.size();
        let known = &predicates.links[link.kind][link.link];
        if let Some(outside) = known.atoms.get(&Predicates::known(&known.atoms, Atom::Outside)) {
            predicates.put(whole, *outside, at, if link.further { Kleene::Unknown } else { Kleene::False });
        }
        let index = predicates.index(known.edge);
        let row = whole.row(index, at);
        let must = if link.further { 0 } else { link.to.must };
        whole.set_row(index, at, Bounds { may: row.may | link.to.may, must: row.must | must });
        predicates.doubt_successors(whole, at, (link.kind, link.link));
    }

    /// What is reached in the rest along ways back, from slots that point to what the procedure left.
    fn ways_back(&self, whole: &mut Structure, rest: &Rest, exit: &Structure, sources: &[(Slot, Slot)]) {
        let predicates = &self.predicates;
        let here = rest.structure.universe();
        for back in &predicates.backs {
            let Some(kind) = back.reach else { continue };
            let enters = rest.links.iter().any(|link| (link.kind, link.link) == back.link);
            for (slot, known) in &predicates.slots {
                let (Some(points), Some(reach)) = (known.points, known.reach.get(kind)) else { continue };
                let index = predicates.index(*reach);
                let source = sources.iter().find(|(to, _)| *to == slot).map(|(_, from)| *from);
                let old = whole.unary(index);
                if enters {
                    // The way may lead through both parts, more than once.
                    let at = whole.unary(predicates.index(points)).must;
                    whole.set_unary(index, Bounds { may: whole.active().may, must: old.must & at });
                } else if let Some(source) = source {
                    let behind = self.reached_back(rest, exit, source, (kind, back.link));
                    let bounds = Bounds { may: old.may & !here | behind.may, must: old.must & !here | behind.must };
                    whole.set_unary(index, bounds);
                }
            }
            if let Some(cycle) = back.cycle.filter(|_| enters) {
                whole.set_unary(predicates.index(cycle), Bounds { may: whole.active().may, must: 0 });
            }
        }
    }

    fn reached_back(
        &self,
        rest: &Rest,
        exit: &Structure,
        source: Slot,
        (kind, back): (usize, (KindId, usize)),
    ) -> Bounds {
        let predicates = &self.predicates;
        let mut behind = Bounds { may: 0, must: 0 };
        let Some(reach) = predicates.slots[source].reach.get(kind) else { return behind };
        let reached = exit.unary(predicates.index(*reach));
        for link in rest.outward.iter().filter(|link| (link.kind, link.link) == back) {
            let Some(cell) = self.leading(exit, link).filter(|cell| reached.may >> cell & 1 == 1) else { continue };
            let pointing = |slot: &Slot| match predicates.value(&rest.structure, *slot) {
                Known::Value(Value::Cell(at)) => link.to.must == 1 << at,
                Known::Value(Value::Atom(_)) | Known::Indefinite => false,
            };
            let named = predicates.slots.keys().find(pointing).and_then(|slot| predicates.slots[slot].reach.get(kind));
            let mut onward = match named {
                Some(reach) => rest.structure.unary(predicates.index(*reach)),
                None => Bounds { may: rest.structure.active().may, must: link.to.must },
            };
            if reached.must >> cell & 1 == 0 {
                onward.must = 0;
            }
            behind = Bounds { may: behind.may | onward.may, must: behind.must | onward.must };
        }
        behind
    }

    /// What is reached from a slot that points into the rest, by way of links into what the procedure had.
    fn reach_behind(&self, whole: &mut Structure, slot: Slot, rest: &Rest, exit: &Structure) {
        let predicates = &self.predicates;
        let exist = rest.structure.active().must;
        for (way, reach) in predicates.slots[slot].reach.iter().enumerate() {
            let reached = rest.structure.unary(predicates.index(*reach));
            for link in &rest.links {
                let bit = 1u64 << link.from;
                if !predicates.is_followed(way, (link.kind, link.link)) || reached.may & bit == 0 {
                    continue;
                }
                let Some(behind) = predicates.slots[link.ghost].reach.get(way) else { continue };
                let behind = Move::Up(rest.structure.size()).apply(exit.unary(predicates.index(*behind)));
                let value = Kleene::from_bounds(true, reached.must & exist & bit != 0);
                predicates.reach_over(whole, (slot, way), *link, value, behind);
            }
        }
    }

    /// A link of the rest leads again to the cell that it led to, or dangles.
    fn link_again(&self, whole: &mut Structure, link: NamedLink, exit: &Structure, shift: usize) {
        let predicates = &self.predicates;
        let points = predicates.slots[link.ghost].points;
        let at = points.map_or(Bounds { may: 0, must: 0 }, |points| exit.unary(predicates.index(points)));
        if at.may == 0 {
            predicates.dangle(whole, link);
            predicates.doubt_successors(whole, link.from, (link.kind, link.link));
            return;
        }
        predicates.lead_again(whole, link, Move::Up(shift).apply(at));
    }
}

fn add(structure: &mut Structure, index: usize, bounds: Bounds) {
    let old = structure.unary(index);
    structure.set_unary(index, Bounds { may: old.may | bounds.may, must: old.must | bounds.must });
}
