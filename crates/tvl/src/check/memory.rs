//! Reading and writing the links and the data of one cell.

use super::heap::{Known, Value};
use super::links::Changed;
use super::roles::Role;
use super::slots::{BASE, OLD, Slot, VALUE};
use super::step::{Applied, INDEFINITE, Stepper, TOO_LARGE};
use super::values::held;
use crate::structure::Structure;
use heapwise_cells::Issue;
use heapwise_cells::atom::Atom;
use heapwise_cells::program::{Access, Contents, DataField, KindId, TouchPurpose};
use heapwise_cells::touch::{Padding, Touched, bit};
use heapwise_engine::Kind;
use heapwise_engine::reason::MemoryGap;
use heapwise_logic::Kleene;

/// What is stored, and the slot it comes from.
#[derive(Clone, Copy)]
pub(super) struct Stored {
    pub(super) value: Value,
    pub(super) slot: Option<Slot>,
}

/// Where a value goes that is loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LoadedInto {
    /// A variable, which may be dead.
    Variable,
    /// Nowhere that is followed: it is used where it is read.
    Nothing,
}

impl Stepper<'_> {
    pub(super) fn load(
        &mut self,
        structure: Structure,
        base: Slot,
        cell: usize,
        access: Access,
        (target, into): (Option<Slot>, LoadedInto),
    ) -> Applied {
        let kind = self.predicates.kind(&structure, cell);
        match self.program.kinds[kind].touched(access) {
            Touched::Link(link) => {
                if target.is_none() {
                    let is_missing = into == LoadedInto::Nothing && self.may_be_unset(&structure, cell, (kind, link));
                    let mut applied = Applied::one(structure);
                    if is_missing {
                        applied.issues.push(Issue::Error(Kind::Uninitialised));
                    }
                    return applied;
                }
                let mut applied = Applied::default();
                for (mut structure, atom) in self.loaded(structure, base, cell, (kind, link), &mut applied) {
                    if let Some(target) = target {
                        match atom {
                            Value::Cell(_) => self.predicates.copy(&mut structure, target, OLD),
                            Value::Atom(atom) => self.predicates.set_atom(&mut structure, target, atom),
                        }
                    }
                    self.clear_scratch(&mut structure);
                    applied.structures.push(structure);
                }
                applied
            }
            Touched::Data { padding: Padding::Some, .. } => Applied::gap(MemoryGap::PaddingRead),
            Touched::Data { scalars, aggregates, padding: Padding::None } => {
                let raw = self.raw(&structure, kind, cell);
                if raw & aggregates != 0 {
                    return Applied::gap(MemoryGap::ArrayInCell);
                }
                if raw & scalars == 0 {
                    return self.set(structure, target, Atom::Opaque);
                }
                match (into, target) {
                    (LoadedInto::Nothing, _) => {
                        let mut applied = Applied::one(structure);
                        applied.issues.push(Issue::Error(Kind::Uninitialised));
                        applied
                    }
                    // A value that is copied is no error yet, whether it is there or not.
                    (LoadedInto::Variable, Some(_)) => {
                        let mut applied = self.set(structure.clone(), target, Atom::Uninit);
                        applied.add(self.set(structure, target, Atom::Opaque));
                        applied
                    }
                    (LoadedInto::Variable, None) => Applied::one(structure),
                }
            }
            Touched::Outside => Applied::error(Kind::OutOfBounds),
            Touched::Part => Applied::gap(MemoryGap::PartOfLinkRead),
        }
    }

    /// Whether a link of a cell may never have been written.
    fn may_be_unset(&self, structure: &Structure, cell: usize, (kind, link): (KindId, usize)) -> bool {
        let unset = self.predicates.links[kind][link].atoms.get(&Atom::Uninit);
        unset.is_some_and(|unset| structure.unary(self.predicates.index(*unset)).may >> cell & 1 == 1)
    }

    /// Bytes of a cell are touched.
    pub(super) fn touch(&self, structure: Structure, cell: usize, access: Access, purpose: TouchPurpose) -> Applied {
        let kind = self.predicates.kind(&structure, cell);
        let Some(covered) = self.program.kinds[kind].covered(access) else {
            return Applied::error(Kind::OutOfBounds);
        };
        let may_lead = |link: &usize| {
            let predicates = &self.predicates.links[kind][*link];
            let outside = predicates.atoms.get(&Atom::Outside).map(|p| structure.unary(self.predicates.index(*p)));
            structure.row(self.predicates.index(predicates.edge), cell).may != 0
                || outside.is_some_and(|outside| outside.may >> cell & 1 == 1)
        };
        match purpose {
            TouchPurpose::Copy if covered.links.iter().chain(&covered.parts_of_links).any(may_lead) => {
                Applied::gap(MemoryGap::CellUntracked)
            }
            TouchPurpose::Copy | TouchPurpose::Access => Applied::one(structure),
        }
    }

    /// The data fields of a cell that may hold nothing.
    fn raw(&self, structure: &Structure, kind: KindId, cell: usize) -> u32 {
        let fields = self.predicates.raw[kind].iter().enumerate();
        fields.fold(0, |mask, (position, predicate)| {
            let may = predicate
                .is_some_and(|predicate| structure.unary(self.predicates.index(predicate)).may >> cell & 1 == 1);
            if may { mask | bit(position) } else { mask }
        })
    }

    /// [`BASE`] becomes the base, [`OLD`] what its link leads to; what the link holds comes with the structure.
    pub(super) fn loaded(
        &mut self,
        mut structure: Structure,
        base: Slot,
        cell: usize,
        (kind, link): (KindId, usize),
        applied: &mut Applied,
    ) -> Vec<(Structure, Value)> {
        self.predicates.copy(&mut structure, BASE, base);
        let mut changed = Changed::default();
        for structure in self.focus_link(structure, cell, kind, link) {
            self.linking.load(&self.predicates, structure, (kind, link), &mut self.tables, &mut changed);
        }
        if changed.too_large {
            applied.issues.push(Issue::Gap(TOO_LARGE));
        }
        let mut loaded = Vec::new();
        for structure in changed.structures {
            for mut structure in self.focus_slot(structure, OLD) {
                if self.predicates.links[kind][link].role != Role::Spine {
                    self.predicates.reach_below(&mut structure, OLD);
                }
                let value = match self.predicates.value(&structure, OLD) {
                    Known::Value(Value::Atom(_)) => self.predicates.link_atom(&structure, cell, kind, link),
                    known @ (Known::Value(Value::Cell(_)) | Known::Indefinite) => known,
                };
                match value {
                    Known::Value(value) => loaded.push((structure, value)),
                    Known::Indefinite => applied.add(Applied::gap(INDEFINITE)),
                }
            }
        }
        loaded
    }

    pub(super) fn clear_scratch(&self, structure: &mut Structure) {
        for slot in [BASE, OLD, VALUE] {
            self.predicates.clear(structure, slot);
        }
    }

    pub(super) fn store(
        &mut self,
        mut structure: Structure,
        base: Slot,
        cell: usize,
        access: Access,
        stored: Stored,
    ) -> Applied {
        let kind = self.predicates.kind(&structure, cell);
        match self.program.kinds[kind].touched(access) {
            Touched::Link(link) => self.store_link(structure, base, cell, (kind, link), stored),
            Touched::Data { scalars, aggregates, padding: _ } => match stored.value {
                Value::Cell(_) | Value::Atom(Atom::Outside) if scalars | aggregates != 0 => {
                    Applied::gap(MemoryGap::CellInUnfollowedField)
                }
                value => {
                    self.predicates.forget_field(&mut structure, cell, access);
                    if value == Value::Atom(Atom::Uninit) {
                        self.set_raw(&mut structure, kind, cell, scalars | aggregates, Kleene::True);
                    } else {
                        self.set_raw(&mut structure, kind, cell, scalars, Kleene::False);
                    }
                    Applied::one(structure)
                }
            },
            Touched::Outside => Applied::error(Kind::OutOfBounds),
            Touched::Part => Applied::gap(MemoryGap::PartOfLinkWritten),
        }
    }

    fn set_raw(&self, structure: &mut Structure, kind: KindId, cell: usize, fields: u32, value: Kleene) {
        for (position, predicate) in self.predicates.raw[kind].iter().enumerate() {
            if let Some(predicate) = predicate
                && fields & bit(position) != 0
                // Fields that share a bit are never known to be written.
                && (position < 31 || value != Kleene::False)
            {
                self.predicates.put(structure, *predicate, cell, value);
            }
        }
    }

    pub(super) fn store_link(
        &mut self,
        mut structure: Structure,
        base: Slot,
        cell: usize,
        (kind, link): (KindId, usize),
        stored: Stored,
    ) -> Applied {
        match (stored.value, stored.slot) {
            (Value::Cell(_), Some(slot)) => self.predicates.copy(&mut structure, VALUE, slot),
            _ => self.predicates.clear(&mut structure, VALUE),
        }
        let mut applied = Applied::default();
        for (mut structure, old) in self.loaded(structure, base, cell, (kind, link), &mut applied) {
            let mut changed = Changed::default();
            if old != stored.value {
                self.predicates.overwrite(&mut structure, cell, (kind, link));
            }
            match old {
                // The same cell again: nothing changes.
                Value::Cell(_) if old == stored.value => changed.structures.push(structure),
                Value::Cell(target) => {
                    let mut cut = Changed::default();
                    for (structure, spine) in self.spine_edge(structure, cell, target, (kind, link)) {
                        self.linking.cut(&structure, kind, link, spine, &mut self.tables, &mut cut);
                    }
                    changed.too_large |= cut.too_large;
                    for structure in cut.structures {
                        self.make(structure, cell, (kind, link), stored.value, &mut changed);
                    }
                }
                Value::Atom(_) => self.make(structure, cell, (kind, link), stored.value, &mut changed),
            }
            changed.structures.iter_mut().for_each(|structure| self.clear_scratch(structure));
            applied.add(changed.into());
        }
        applied
    }

    /// The link of the base, which leads nowhere, gets a value.
    fn make(
        &mut self,
        mut structure: Structure,
        cell: usize,
        (kind, link): (KindId, usize),
        value: Value,
        out: &mut Changed,
    ) {
        match value {
            Value::Cell(_) => {
                self.predicates.set_link_atom(&mut structure, cell, kind, link, Atom::NULL);
                self.linking.make(&structure, kind, link, &mut self.tables, out);
            }
            Value::Atom(atom) => {
                self.predicates.set_link_atom(&mut structure, cell, kind, link, atom);
                out.structures.push(structure);
            }
        }
    }

    pub(super) fn fill(
        &mut self,
        mut structure: Structure,
        base: Slot,
        cell: usize,
        access: Access,
        contents: Contents,
    ) -> Applied {
        let kind = self.predicates.kind(&structure, cell);
        let layout = &self.program.kinds[kind];
        let Some(covered) = layout.covered(access) else { return Applied::error(Kind::OutOfBounds) };
        self.predicates.forget_field(&mut structure, cell, access);
        if !covered.parts_of_links.is_empty() {
            return Applied::gap(MemoryGap::PartOfLinkWritten);
        }
        match contents {
            Contents::Zeroed | Contents::Opaque => {
                let end = access.offset as u64 + access.size;
                let is_whole =
                    |field: &DataField| access.offset as u64 <= field.offset && field.offset + field.size <= end;
                let whole = layout.data.iter().enumerate().filter(|(_, field)| is_whole(field));
                let fields = whole.fold(0, |mask, (position, _)| mask | bit(position));
                self.set_raw(&mut structure, kind, cell, fields, Kleene::False);
            }
            Contents::Uninitialised => self.set_raw(&mut structure, kind, cell, covered.data(), Kleene::True),
            Contents::Perhaps => {
                if covered.has_link() || (covered.scalars | covered.parts_of_scalars) != 0 {
                    return Applied::gap(MemoryGap::PerhapsNoValue);
                }
                self.set_raw(&mut structure, kind, cell, covered.aggregates, Kleene::True);
            }
        }
        let value = Stored { value: Value::Atom(held(contents)), slot: None };
        let mut open = Applied::one(structure);
        for link in covered.links {
            let mut next = Applied { structures: Vec::new(), issues: open.issues };
            for structure in open.structures {
                next.add(self.store_link(structure, base, cell, (kind, link), value));
            }
            open = next;
        }
        open
    }
}
