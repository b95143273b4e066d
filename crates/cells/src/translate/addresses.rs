//! Which addresses of static and local objects, and which integers, variables and the links of cells may hold on any way: a
//! fixpoint over all steps that knows no order.

use super::Translator;
use crate::atom::{Atom, Var};
use crate::program::{Access, Command, Source, StepId};
use heapwise_engine::Exhausted;
use heapwise_ir::entity::EntityRef;
use heapwise_ir::{BoundedSet, Growth};
use rustc_hash::FxHashMap;

/// A pointer that may hold more addresses than this is not followed.
const MAX_ADDRESSES: usize = 16;

/// Constants, null apart.
pub(super) type Constants = BoundedSet<Atom, MAX_ADDRESSES>;

/// What variables and the links of cells may hold.
#[derive(Default)]
pub(super) struct Addresses {
    of_var: FxHashMap<Var, Constants>,
    pub(super) in_cells: Constants,
}

impl Addresses {
    /// What an operand may hold.
    pub(super) fn of(&self, source: Source) -> Constants {
        match source {
            Source::Var(var) => self.of_var.get(&var).cloned().unwrap_or_default(),
            Source::Atom(atom) if is_constant(atom) => Constants::one(atom),
            Source::Atom(_) => Constants::default(),
        }
    }

    /// The variables that may hold an address.
    pub(super) fn holders(&self, place: Atom) -> impl Iterator<Item = Var> + '_ {
        self.of_var.iter().filter(move |(_, known)| known.may_contain(&place)).map(|(var, _)| *var)
    }

    fn add(&mut self, target: Var, atoms: &Constants) -> Growth {
        if atoms.is_empty() { Growth::Same } else { self.of_var.entry(target).or_default().union(atoms) }
    }
}

fn is_constant(atom: Atom) -> bool {
    match atom {
        Atom::Place(_) => true,
        Atom::Int(value) => value != 0,
        Atom::Freed
        | Atom::Ended(_)
        | Atom::Gone
        | Atom::Uninit
        | Atom::Opaque
        | Atom::Library(_)
        | Atom::NoLink
        | Atom::Outside => false,
    }
}

impl Translator<'_> {
    /// Computes them.
    pub(super) fn addresses(&mut self) -> Result<Addresses, Exhausted> {
        let mut addresses = Addresses::default();
        let mut growth = Growth::Grew;
        while growth.grew() {
            growth = Growth::Same;
            for (var, value) in self.global_values() {
                growth |= addresses.add(var, &addresses.of(Source::Atom(value)));
            }
            for index in 0..self.out.steps.len() {
                self.lookout.look()?;
                growth |= self.flow_addresses(&mut addresses, StepId::new(index));
            }
        }
        Ok(addresses)
    }

    fn flow_addresses(&mut self, addresses: &mut Addresses, id: StepId) -> Growth {
        match self.out.steps[id].command.clone() {
            Command::Set { target, value } => addresses.add(target, &addresses.of(Source::Atom(value))),
            Command::Copy { target, source } => {
                let mut atoms = addresses.of(Source::Var(source));
                if let (Some(bytes), Some(known)) = (self.shifted.get(&id).copied(), atoms.known()) {
                    let mut moved = Constants::default();
                    for atom in known.iter().copied() {
                        if let Some(atom) = self.shift_atom(atom, bytes) {
                            moved.insert(atom);
                        }
                    }
                    atoms = moved;
                }
                addresses.add(target, &atoms)
            }
            Command::Call { procedure, arguments, target, references } => {
                let procedure = self.out.procedures[procedure].clone();
                let mut growth = Growth::Same;
                for (parameter, argument) in procedure.parameters.iter().zip(arguments) {
                    if let Some(parameter) = parameter {
                        growth |= addresses.add(*parameter, &addresses.of(argument));
                    }
                }
                if let (Some(target), Some(result)) = (target, procedure.result) {
                    growth |= addresses.add(target, &addresses.of(Source::Var(result)));
                }
                for (own, outer) in references {
                    growth |= addresses.add(own, &addresses.of(Source::Var(outer)));
                    growth |= addresses.add(outer, &addresses.of(Source::Var(own)));
                }
                growth
            }
            Command::Load { target: Some(target), base, access } => {
                let mut growth = addresses.add(target, &addresses.in_cells.clone());
                for slot in self.slots_behind(addresses, base, access) {
                    growth |= addresses.add(target, &addresses.of(Source::Var(slot)));
                }
                growth
            }
            Command::Store { base, access, value } => {
                let atoms = addresses.of(value);
                let mut growth = addresses.in_cells.union(&atoms);
                for slot in self.slots_behind(addresses, base, access) {
                    growth |= addresses.add(slot, &atoms);
                }
                growth
            }
            Command::Skip
            | Command::Load { target: None, .. }
            | Command::Touch { .. }
            | Command::Fill { .. }
            | Command::Alloc { .. }
            | Command::Free { .. }
            | Command::Assume { .. }
            | Command::Case { .. }
            | Command::Compare { .. }
            | Command::Forget { .. }
            | Command::Shape { .. }
            | Command::FailWhen { .. }
            | Command::Fail { .. }
            | Command::Use { .. }
            | Command::EndScope { .. }
            | Command::Retire { .. }
            | Command::End(_)
            | Command::Contract { .. }
            | Command::Enter { .. }
            | Command::Leave { .. }
            | Command::Gap { .. } => Growth::Same,
        }
    }

    /// The variables that an access through a pointer may go to. A pointer that may hold too many addresses is not followed:
    /// an engine that meets an address there says so.
    fn slots_behind(&mut self, addresses: &Addresses, base: Var, access: Access) -> Vec<Var> {
        let atoms = addresses.of(Source::Var(base));
        let Some(atoms) = atoms.known() else { return Vec::new() };
        let mut slots = Vec::new();
        for atom in atoms {
            if let Some((object, offset)) = self.object_behind(base, access, *atom) {
                slots.extend(self.variable_at(object, offset, access.size));
            }
        }
        slots
    }

    /// An address some bytes further. It may lie outside its object, as the `container_of` of a list's head does: what is
    /// accessed there is out of bounds.
    pub(super) fn shift_atom(&mut self, atom: Atom, bytes: i64) -> Option<Atom> {
        match atom {
            Atom::Int(value) => Some(Atom::int(i128::from(value) + i128::from(bytes))),
            Atom::Place(place) => {
                let (object, offset) = self.object_at(place)?;
                Some(self.place(super::Address::Object(object, offset.checked_add(bytes)?)))
            }
            Atom::Freed
            | Atom::Ended(_)
            | Atom::Gone
            | Atom::Uninit
            | Atom::Opaque
            | Atom::Library(_)
            | Atom::NoLink
            | Atom::Outside => None,
        }
    }
}
