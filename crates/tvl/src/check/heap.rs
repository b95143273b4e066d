//! Structures as heaps: what a slot or a link holds, and the changes that need no formula.
//!
//! Copying, overwriting and forgetting a variable moves whole predicates: the reachability of the copy is that of the
//! original. Only changes of links need update formulas ([`super::links`]).

use super::predicates::Predicates;
use super::slots::{OLD, Slot};
use super::values::held;
use crate::blur::Abstraction;
use crate::structure::{Bounds, Structure, TooManyIndividuals, members};
use crate::vocabulary::{ACTIVE, Arity, SUMMARY};
use heapwise_cells::atom::Atom;
use heapwise_cells::program::{Contents, KindId};
use heapwise_ir::entity::EntityRef;
use heapwise_logic::Kleene;

const NOTHING: Bounds = Bounds { may: 0, must: 0 };

/// What a slot or a link holds: a pointer to the cell that an individual is, or anything else.
pub type Value = heapwise_cells::value::Value<usize>;

/// What is known of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// It is this.
    Value(Value),
    /// It may be several things.
    Indefinite,
}

impl Predicates {
    /// What a slot holds.
    pub fn value(&self, structure: &Structure, slot: Slot) -> Known {
        let predicates = &self.slots[slot];
        let mut found = None;
        for (atom, predicate) in &predicates.atoms {
            match structure.nullary(self.index(*predicate)) {
                Kleene::False => {}
                Kleene::True => found = Some(*atom),
                Kleene::Unknown => return Known::Indefinite,
            }
        }
        let Some(points) = predicates.points else {
            return Known::Value(Value::Atom(found.unwrap_or(Atom::NULL)));
        };
        let at = structure.unary(self.index(points));
        if at.may == 0 {
            return Known::Value(Value::Atom(found.unwrap_or(Atom::NULL)));
        }
        let exists = at.must & structure.active().must;
        if at.may == exists && exists.is_power_of_two() && exists & structure.summaries() == 0 {
            return Known::Value(Value::Cell(exists.trailing_zeros() as usize));
        }
        Known::Indefinite
    }

    /// The slot holds null, and nothing is reached from it.
    pub fn clear(&self, structure: &mut Structure, slot: Slot) {
        let predicates = &self.slots[slot];
        for predicate in predicates.points.iter().chain(&predicates.reach) {
            structure.set_unary(self.index(*predicate), NOTHING);
        }
        self.share_with_all(structure, slot);
        self.clear_atoms(structure, slot);
    }

    /// The slot points to no cell that leads anywhere: sharing without it is sharing.
    fn share_with_all(&self, structure: &mut Structure, slot: Slot) {
        if let Some(without) = self.slots[slot].shared_without {
            let shared = structure.unary(self.index(self.shared));
            structure.set_unary(self.index(without), shared);
        }
    }

    /// It is not clear where the slot points: what is shared may not be without it.
    pub(super) fn doubt_sharing(&self, structure: &mut Structure, slot: Slot) {
        if let Some(without) = self.slots[slot].shared_without {
            let index = self.index(without);
            let may = structure.unary(index).may | structure.unary(self.index(self.shared)).may;
            structure.set_unary(index, Bounds { may, must: 0 });
        }
    }

    /// The slot holds no atom but null.
    pub fn clear_atoms(&self, structure: &mut Structure, slot: Slot) {
        for predicate in self.slots[slot].atoms.values() {
            structure.set_nullary(self.index(*predicate), Kleene::False);
        }
    }

    /// The slot holds an atom.
    pub fn set_atom(&self, structure: &mut Structure, slot: Slot, atom: Atom) {
        self.clear(structure, slot);
        let atoms = &self.slots[slot].atoms;
        if let Some(predicate) = atoms.get(&Predicates::known(atoms, atom)) {
            structure.set_nullary(self.index(*predicate), Kleene::True);
        }
    }

    /// Every slot and link that holds the first of two atoms holds the second.
    pub fn rename(&self, structure: &mut Structure, atoms: &[(Atom, Atom)]) {
        for (old, new) in atoms {
            for slot in self.slots.values() {
                let Some(from) = slot.atoms.get(old) else { continue };
                let held = structure.nullary(self.index(*from));
                if held == Kleene::False {
                    continue;
                }
                structure.set_nullary(self.index(*from), Kleene::False);
                if let Some(to) = slot.atoms.get(&Predicates::known(&slot.atoms, *new)) {
                    let both = structure.nullary(self.index(*to)).or(held);
                    structure.set_nullary(self.index(*to), both);
                }
            }
            for link in self.links.values().flatten() {
                let Some(from) = link.atoms.get(old) else { continue };
                let held = structure.unary(self.index(*from));
                structure.set_unary(self.index(*from), NOTHING);
                if let Some(to) = link.atoms.get(&Predicates::known(&link.atoms, *new)) {
                    let own = structure.unary(self.index(*to));
                    let both = Bounds { may: own.may | held.may, must: own.must | held.must };
                    structure.set_unary(self.index(*to), both);
                }
            }
        }
    }

    /// The slot holds what another one holds.
    pub fn copy(&self, structure: &mut Structure, target: Slot, source: Slot) {
        if target == source {
            return;
        }
        let (to, from) = (&self.slots[target], &self.slots[source]);
        let own: Vec<(Atom, Kleene)> =
            from.atoms.iter().map(|(atom, p)| (*atom, structure.nullary(self.index(*p)))).collect();
        self.clear_atoms(structure, target);
        for (atom, value) in own {
            if let Some(predicate) = to.atoms.get(&Predicates::known(&to.atoms, atom))
                && value != Kleene::False
            {
                structure.set_nullary(self.index(*predicate), value);
            }
        }
        for (i, predicate) in to.points.iter().chain(&to.reach).enumerate() {
            let source = from.points.iter().chain(&from.reach).nth(i);
            let bounds = source.map_or(NOTHING, |source| structure.unary(self.index(*source)));
            structure.set_unary(self.index(*predicate), bounds);
        }
        match (to.shared_without, from.shared_without) {
            (Some(to), Some(from)) => {
                let bounds = structure.unary(self.index(from));
                structure.set_unary(self.index(to), bounds);
            }
            (Some(_), None) => self.share_with_all(structure, target),
            (None, _) => {}
        }
    }

    /// A slot that surely points to the cell that [`OLD`] does.
    pub fn same_as_old(&self, structure: &Structure) -> Option<Slot> {
        match self.value(structure, OLD) {
            Known::Value(Value::Cell(cell)) => self.slot_at(structure, cell),
            Known::Value(Value::Atom(_)) | Known::Indefinite => None,
        }
    }

    /// A slot, other than [`OLD`], that surely points to a cell.
    fn slot_at(&self, structure: &Structure, cell: usize) -> Option<Slot> {
        let points_there = |slot: &Slot| {
            let points = self.slots[*slot].points.map(|points| structure.unary(self.index(points)));
            points.is_some_and(|points| (points.may, points.must) == (1 << cell, 1 << cell))
        };
        self.slots.keys().filter(|slot| *slot != OLD).find(points_there)
    }

    /// In a list, what is reached from [`OLD`] is what is reached from another slot that points to the same cell, or the cell
    /// and what is reached from one that points to the next cell: a list that is reversed link by link is left by its ways
    /// back alone, which say nothing of what lies along the spine.
    pub fn reach_of_old(&self, structure: &mut Structure, same: Option<Slot>) {
        let Known::Value(Value::Cell(cell)) = self.value(structure, OLD) else { return };
        for (index, reach) in self.slots[OLD].reach.iter().enumerate() {
            let next = || {
                let row = structure.row(self.index(self.reach_field(index)?), cell);
                let is_one = row.may == row.must && row.may.count_ones() == 1;
                is_one.then(|| self.slot_at(structure, row.may.trailing_zeros() as usize)).flatten()
            };
            let (slot, own) = match (same, next()) {
                (Some(slot), _) => (slot, 0),
                (None, Some(slot)) => (slot, 1 << cell),
                (None, None) => continue,
            };
            let Some(other) = self.slots[slot].reach.get(index) else { continue };
            let other = structure.unary(self.index(*other));
            let known = structure.unary(self.index(*reach));
            let met = Bounds { may: known.may & (other.may | own), must: known.must | other.must | own };
            if met.must & !met.may == 0 {
                structure.set_unary(self.index(*reach), met);
            }
        }
    }

    /// The field that a slot's reachability predicates follow.
    pub(super) fn reach_field(&self, index: usize) -> Option<heapwise_logic::Predicate> {
        if index == 0 {
            return self.spine_is_function.then_some(self.spine);
        }
        let (kind, link) = self.backs.iter().find(|back| back.reach == Some(index))?.link;
        Some(self.links[kind][link].edge)
    }

    /// The kind of a cell.
    pub fn kind(&self, structure: &Structure, cell: usize) -> KindId {
        let found = self.kinds.iter().find(|(_, predicate)| {
            predicate.is_none_or(|predicate| structure.unary(self.index(predicate)).must >> cell & 1 == 1)
        });
        found.map_or(KindId::new(0), |(kind, _)| kind)
    }

    /// The atom that a link of a single cell holds if it leads nowhere.
    pub fn link_atom(&self, structure: &Structure, cell: usize, kind: KindId, link: usize) -> Known {
        for (atom, predicate) in &self.links[kind][link].atoms {
            let bounds = structure.unary(self.index(*predicate));
            match (bounds.may >> cell & 1 == 1, bounds.must >> cell & 1 == 1) {
                (_, true) => return Known::Value(Value::Atom(*atom)),
                (true, false) => return Known::Indefinite,
                (false, false) => {}
            }
        }
        Known::Value(Value::Atom(Atom::NULL))
    }

    /// The link holds no atom but this one.
    pub fn set_link_atom(&self, structure: &mut Structure, cell: usize, kind: KindId, link: usize, atom: Atom) {
        let atoms = &self.links[kind][link].atoms;
        let atom = Predicates::known(atoms, atom);
        for (known, predicate) in atoms {
            self.put(structure, *predicate, cell, Kleene::from(*known == atom));
        }
    }

    /// Sets a unary predicate of one individual.
    pub fn put(&self, structure: &mut Structure, predicate: heapwise_logic::Predicate, cell: usize, value: Kleene) {
        structure.set(self.vocabulary.slot(predicate), &[cell], value);
    }

    /// A new cell that a slot points to.
    pub fn allocate(
        &self,
        structure: &Structure,
        slot: Slot,
        kind: KindId,
        contents: Contents,
    ) -> Result<Structure, TooManyIndividuals> {
        let mut new = structure.extended(&[None])?;
        let cell = structure.size();
        if let Some(predicate) = self.kinds[kind] {
            self.put(&mut new, predicate, cell, Kleene::True);
        }
        for predicate in &self.vacuous {
            self.put(&mut new, *predicate, cell, Kleene::True);
        }
        for link in 0..self.links[kind].len() {
            self.set_link_atom(&mut new, cell, kind, link, held(contents));
        }
        if matches!(contents, Contents::Uninitialised | Contents::Perhaps) {
            for predicate in self.raw[kind].iter().flatten() {
                self.put(&mut new, *predicate, cell, Kleene::True);
            }
        }
        self.point_to(&mut new, slot, cell);
        Ok(new)
    }

    /// The slot points to a cell without links.
    fn point_to(&self, structure: &mut Structure, slot: Slot, cell: usize) {
        self.clear(structure, slot);
        let predicates = &self.slots[slot];
        for predicate in predicates.points.iter().chain(&predicates.reach) {
            structure.set_unary(self.index(*predicate), Bounds { may: 1 << cell, must: 1 << cell });
        }
    }

    /// The cells that surely all are referenced from a slot, and those of which some may be. What a function was called with, its caller
    /// still refers to.
    pub fn referenced(&self, structure: &Structure) -> Bounds {
        let own = self.ghosts.own.as_ref();
        self.reached_with(structure, own.map_or(NOTHING, |own| structure.unary(self.index(own.existed))))
    }

    /// The cells that a function was called with, has not freed, and may have no reference to any more.
    pub fn given_up(&self, structure: &Structure) -> u64 {
        let Some(own) = &self.ghosts.own else { return 0 };
        let given = structure.unary(self.index(own.existed)).may & structure.active().may;
        given & !structure.unary(self.index(own.freed)).must & !self.reached_with(structure, NOTHING).must
    }

    /// The same as [`Predicates::referenced`], for slots and these cells.
    fn reached_with(&self, structure: &Structure, mut start: Bounds) -> Bounds {
        let mut reached = NOTHING;
        for slot in self.slots.values() {
            for predicate in &slot.reach {
                let bounds = structure.unary(self.index(*predicate));
                reached = Bounds { may: reached.may | bounds.may, must: reached.must | bounds.must };
            }
            if let Some(points) = slot.points {
                let bounds = structure.unary(self.index(points));
                start = Bounds { may: start.may | bounds.may, must: start.must | bounds.must };
            }
        }
        // What a link leads down to is referenced if the cell of the link is. That one is of a kind above, and is lost itself
        // if it is not: links lead down in one direction only, so the argument comes to an end.
        for held in self.links.values().flatten().filter_map(|link| link.held) {
            let [held, below] = [held.reached, held.below].map(|predicate| structure.unary(self.index(predicate)).must);
            reached.must |= held & below;
        }
        // Reachability predicates follow some links only: the others are followed here.
        let edges: Vec<usize> = self.links.values().flatten().map(|link| self.index(link.edge)).collect();
        let close = |mut set: u64, row: &dyn Fn(usize, usize) -> u64| loop {
            let next = members(set).fold(set, |next, u| edges.iter().fold(next, |next, e| next | row(*e, u)));
            if next == set {
                return set;
            }
            set = next;
        };
        // A cell that may be absent holds nothing where it is.
        let present = structure.active().must;
        let held = |edge: usize, u: usize| if present >> u & 1 == 1 { structure.row(edge, u).must } else { 0 };
        let must = close(reached.must | start.must, &held);
        let below = self.below(structure, must);
        let must = if below == 0 { must } else { close(must | below, &held) };
        let may = close(reached.may | start.may, &|edge, u| structure.row(edge, u).may);
        Bounds { may, must: must & may }
    }

    /// Cells to which the spine surely leads, in the end from these. Going back from cell to cell must leave them,
    /// for there is no cycle among them.
    fn below(&self, structure: &Structure, from: u64) -> u64 {
        let Some(entered) = self.entered else { return 0 };
        let (entered, cyclic) = (structure.unary(self.index(entered)), structure.unary(self.index(self.cyclic)));
        let spine = self.index(self.spine);
        let mut below = structure.active().may & entered.must & !cyclic.may & !from;
        loop {
            let elsewhere = members(structure.active().may & !(from | below));
            let next = elsewhere.fold(below, |below, u| below & !structure.row(spine, u).may);
            if next == below {
                return below;
            }
            below = next;
        }
    }

    /// What lies below the cells that a slot surely reaches, it reaches.
    pub(super) fn reach_below(&self, structure: &mut Structure, slot: Slot) {
        let Some(reach) = self.slots[slot].reach.first() else { return };
        let reached = structure.unary(self.index(*reach));
        let below = self.below(structure, reached.must);
        let bounds = Bounds { may: reached.may | below, must: reached.must | below };
        structure.set_unary(self.index(*reach), bounds);
    }

    /// The structure without a cell that is freed and to which nothing leads. If a contract may ask about it, it stays,
    /// as a grave.
    pub fn buried(&self, structure: &Structure, cell: usize) -> Structure {
        let asked =
            self.ghosts.own.as_ref().filter(|own| structure.unary(self.index(own.existed)).may >> cell & 1 == 1);
        let Some(own) = asked else { return self.without(structure, 1 << cell) };
        let mut structure = structure.clone();
        self.put(&mut structure, own.freed, cell, Kleene::True);
        for raw in self.raw.values().flatten().flatten() {
            self.put(&mut structure, *raw, cell, Kleene::False);
        }
        for atom in self.links.values().flatten().flat_map(|link| link.atoms.values()) {
            self.put(&mut structure, *atom, cell, Kleene::False);
        }
        structure
    }

    /// A link of a cell gets another value than it has: what it was it is no more, but it may be again what it was before.
    pub fn overwrite(&self, structure: &mut Structure, cell: usize, link: (KindId, usize)) {
        let own = self.ghosts.own.iter().flat_map(|own| &own.kept).find(|(known, _)| *known == link);
        let Some((_, kept)) = own else { return };
        let bounds = structure.unary(self.index(*kept));
        let was_kept = bounds.must >> cell & 1 == 1;
        let existed =
            self.ghosts.own.as_ref().is_some_and(|own| structure.unary(self.index(own.existed)).may >> cell & 1 == 1);
        self.put(structure, *kept, cell, if was_kept || !existed { Kleene::False } else { Kleene::Unknown });
    }

    /// The structure in which some individuals do not exist; all keep their numbers until it is blurred.
    pub fn emptied(&self, structure: &Structure, gone: u64) -> Structure {
        let mut emptied = structure.clone();
        let without = |bounds: Bounds| Bounds { may: bounds.may & !gone, must: bounds.must & !gone };
        for predicate in self.vocabulary.predicates() {
            let slot = self.vocabulary.slot(predicate);
            match slot.arity {
                Arity::Nullary => {}
                Arity::Unary => emptied.set_unary(slot.index, without(structure.unary(slot.index))),
                Arity::Binary => {
                    for u in 0..structure.size() {
                        let row = if gone >> u & 1 == 1 { NOTHING } else { without(structure.row(slot.index, u)) };
                        emptied.set_row(slot.index, u, row);
                    }
                }
            }
        }
        emptied
    }

    /// The abstraction by kinds and by the variables that point to a cell.
    pub fn by_variables(&self) -> Abstraction {
        let points = self.slots.values().filter_map(|slot| slot.points);
        let unary = points.chain(self.kinds.values().copied().flatten()).map(|p| self.index(p)).collect();
        Abstraction { unary, nullary: Vec::new() }
    }

    /// What a partial join keeps apart besides canonical names: what is known of comparisons, and of the cells that
    /// variables point to. What is left to be merged is how the other cells are linked.
    pub fn told_apart(&self, structure: &Structure) -> Vec<u64> {
        let points = self.slots.values().filter_map(|slot| slot.points);
        let named = points.fold(0, |mask, points| mask | structure.unary(self.index(points)).must);
        let mut words = Vec::with_capacity(2 * self.plain_unary.len() + self.plain_nullary.len());
        for index in &self.plain_unary {
            let bounds = structure.unary(*index);
            words.extend([bounds.may & named, bounds.must & named]);
        }
        words.extend(self.plain_nullary.iter().map(|index| structure.nullary(*index) as u64));
        words
    }

    /// The structure without some individuals to which nothing leads.
    pub fn without(&self, structure: &Structure, gone: u64) -> Structure {
        let mut structure = structure.clone();
        // What the gone ones led to is not shared any more, perhaps, nor led to at all.
        let edges: Vec<usize> = self.links.values().flatten().map(|link| self.index(link.edge)).collect();
        let entered =
            members(gone).fold(0, |mask, u| edges.iter().fold(mask, |mask, edge| mask | structure.row(*edge, u).may));
        for index in self.by_predecessors().map(|predicate| self.index(predicate)).collect::<Vec<_>>() {
            let bounds = structure.unary(index);
            structure.set_unary(index, Bounds { may: bounds.may, must: bounds.must & !entered });
        }
        self.release(&mut structure, entered);
        let classes: Vec<u64> = members(structure.active().may & !gone).map(|u| 1 << u).collect();
        structure.quotient(&classes)
    }

    /// What is reached from these cells may not be held any more.
    fn release(&self, structure: &mut Structure, from: u64) {
        let held: Vec<usize> =
            self.links.values().flatten().filter_map(|link| link.held).map(|held| self.index(held.reached)).collect();
        if held.is_empty() {
            return;
        }
        let spine = self.index(self.spine);
        let mut released = from;
        loop {
            let next = members(released).fold(released, |next, u| next | structure.row(spine, u).may);
            if next == released {
                break;
            }
            released = next;
        }
        for index in held {
            let bounds = structure.unary(index);
            structure.set_unary(index, Bounds { may: bounds.may, must: bounds.must & !released });
        }
    }

    /// Whether an individual is one cell that surely exists.
    pub fn is_single(structure: &Structure, cell: usize) -> bool {
        structure.unary(SUMMARY).may >> cell & 1 == 0 && structure.unary(ACTIVE).must >> cell & 1 == 1
    }
}
