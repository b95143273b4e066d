//! Pointers that hold the address of a static or local object on some ways only: `tail = &head; … tail = node`. An access
//! through such a pointer is split: for each address that it may hold, into an access of that object's own variables;
//! the rest is an access of a cell.

use super::addresses::Addresses;
use super::constants::Object;
use super::transfer::{Stretch, Written};
use super::{Cursor, Translator};
use crate::atom::{Atom, Var};
use crate::program::{Access, Command, Contents, Held, Purpose, Source, StepId};
use heapwise_engine::reason::PointerGap;
use heapwise_ir::entity::EntityRef;

impl Translator<'_> {
    /// Splits the accesses and shifts of pointers that may hold addresses.
    pub(super) fn split_accesses(&mut self, addresses: &Addresses, wandering: &[u32]) {
        for index in 0..self.out.steps.len() {
            if self.meter.is_over() {
                return;
            }
            let id = StepId::new(index);
            let base = match &self.out.steps[id].command {
                Command::Load { base, .. }
                | Command::Store { base, .. }
                | Command::Fill { base, .. }
                | Command::Touch { base, .. } => *base,
                Command::Copy { source, .. } if self.shifted.contains_key(&id) => *source,
                _ => continue,
            };
            let held = addresses.of(Source::Var(base));
            let is_shift = self.shifted.contains_key(&id);
            let known = held.known().filter(|_| self.out.steps.len() < super::MAX_STEPS);
            let Some(atoms) = known else {
                // Too many to tell apart: the engine meets an address where it expects a cell, which is a gap.
                if self.walks.contains(&id) {
                    self.lose_walk(id);
                } else if is_shift {
                    self.out.steps[id].command = Command::Gap { reason: PointerGap::ManyAddresses.into() };
                }
                continue;
            };
            if self.walks.contains(&id) {
                let atoms = atoms.to_vec();
                self.split_walk(id, base, &atoms);
                continue;
            }
            let mut atoms = atoms.to_vec();
            if !is_shift {
                atoms.retain(|atom| matches!(atom, Atom::Place(_)));
            }
            if !atoms.is_empty() {
                self.split(id, base, &atoms, wandering);
            }
        }
        for (step, shift) in std::mem::take(&mut self.shapes) {
            self.add_shape_objects(step, shift, addresses);
        }
    }

    /// Pointers to the end of a cell, or past it, may equal the address of what is there: such comparisons go either way.
    pub(super) fn open_comparisons_at_ends(&mut self, addresses: &Addresses) {
        let smallest = self.out.kinds.values().map(|kind| kind.size).min().unwrap_or(u64::MAX);
        let is_at_end = |shift: i64| u64::try_from(shift).map_or(true, |shift| shift > 0 && shift >= smallest);
        for index in 0..self.out.steps.len() {
            let id = StepId::new(index);
            let Command::Assume { left, right, .. } = self.out.steps[id].command else { continue };
            let vars: Vec<Var> = [left, right].iter().filter_map(|source| source.var()).collect();
            let may_be_address = [left, right].iter().any(|source| !addresses.of(*source).is_empty());
            if !may_be_address || !vars.iter().any(|var| self.places_of(*var).into_iter().any(is_at_end)) {
                continue;
            }
            let uses = vars.into_iter().map(|var| Command::Use { var, purpose: Purpose::Operation });
            let uses: Vec<Command> = uses.collect();
            self.replace(id, &uses);
        }
    }

    /// One step becomes one way per address, and itself for everything else.
    fn split(&mut self, id: StepId, base: Var, atoms: &[Atom], wandering: &[u32]) {
        let step = &self.out.steps[id];
        let command = step.command.clone();
        let mut rest = Cursor { at: step.from, to: step.to, span: step.span, frame: step.frame, edge: step.edge };
        self.out.outgoing[rest.at].retain(|other| *other != id);
        for atom in atoms {
            let mut there = Cursor { ..rest };
            self.then(&mut there, Command::Case { var: base, atom: *atom, held: Held::Yes });
            match &command {
                Command::Copy { target, .. } => {
                    let bytes = self.shifted.get(&id).copied().unwrap_or(0);
                    let command = match self.shift_atom(*atom, bytes) {
                        Some(value) => Command::Set { target: *target, value },
                        None => Command::Gap { reason: PointerGap::LeavesObject.into() },
                    };
                    self.close(&mut there, command);
                }
                _ if self.is_foreign(*atom, rest.frame, wandering) => {
                    self.close(&mut there, Command::Gap { reason: PointerGap::OutlivesRecursiveCall.into() });
                }
                _ => {
                    let last = self.access_address(&mut there, &command, base, *atom);
                    self.close(&mut there, last);
                }
            }
            self.then(&mut rest, Command::Case { var: base, atom: *atom, held: Held::No });
            if let (Command::Copy { target, .. }, Atom::Place(place)) = (&command, *atom) {
                // A pointer that dangles is moved to some other one that does.
                let atom = Atom::Ended(place);
                let mut there = Cursor { ..rest };
                self.then(&mut there, Command::Case { var: base, atom, held: Held::Yes });
                self.close(&mut there, Command::Set { target: *target, value: Atom::Gone });
                self.then(&mut rest, Command::Case { var: base, atom, held: Held::No });
            }
        }
        self.out.steps[id].from = rest.at;
        self.out.outgoing[rest.at].push(id);
    }

    /// An access through a pointer that holds this address, up to its last command.
    fn access_address(&mut self, cursor: &mut Cursor, command: &Command, base: Var, atom: Atom) -> Command {
        let (Command::Load { access, .. }
        | Command::Store { access, .. }
        | Command::Fill { access, .. }
        | Command::Touch { access, .. }) = command
        else {
            return Command::Skip;
        };
        let access = *access;
        let Atom::Place(place) = atom else {
            return Command::Gap { reason: PointerGap::DereferencedBesideListCells.into() };
        };
        let behind = self.object_at(place).and_then(|address| self.object_behind(base, access, address));
        let Some((object, offset)) = behind else {
            return Command::Gap { reason: PointerGap::DereferencedBesideListCells.into() };
        };
        let stretch = Stretch::Object(object, offset);
        let ended = match command {
            Command::Load { target, .. } => match self.load_through(cursor, (object, offset), access.size, *target) {
                Ok(Source::Var(var)) => match target {
                    None => return Command::Use { var, purpose: Purpose::Operation },
                    Some(target) => {
                        self.check_shift(cursor, *target, var);
                        if self.fields.contains_key(&base) {
                            self.through.insert(StepId::new(self.out.steps.len()), base);
                        }
                        return Command::Copy { target: *target, source: var };
                    }
                },
                Ok(Source::Atom(value)) => match target {
                    None => Ok(()),
                    Some(target) => return Command::Set { target: *target, value },
                },
                Err(command) => Err(command),
            },
            Command::Store { value, .. } => {
                let what = self.stored(*value, access.size);
                self.write(cursor, stretch, what, access.size, None)
            }
            Command::Fill { contents, .. } => {
                let what = match contents {
                    Contents::Zeroed => Written::Zeros,
                    Contents::Opaque => Written::Any,
                    Contents::Perhaps | Contents::Uninitialised => Written::Perhaps,
                };
                self.write(cursor, stretch, what, access.size, None)
            }
            Command::Touch { purpose, .. } => self.touch_object(cursor, (object, offset), access.size, *purpose),
            _ => Ok(()),
        };
        ended.err().unwrap_or(Command::Skip)
    }

    /// Where an access through an address goes.
    pub(super) fn object_behind(
        &self,
        base: Var,
        access: Access,
        (object, offset): (Object, i64),
    ) -> Option<(Object, i64)> {
        if self.is_library(object) {
            return None;
        }
        // The access speaks of a cell, into which the variable points; an address is what it is.
        let offset = access.offset.checked_sub(self.shift(base))?.checked_add(offset)?;
        Some((object, offset))
    }
}
