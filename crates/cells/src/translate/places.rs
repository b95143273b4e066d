//! Pointers that hold the address of a static or local object on some ways only: `tail = &head; … tail = node`. An access
//! through such a pointer is split: for each address that it may hold, into an access of that object's own variables;
//! the rest is an access of a cell.

use super::constants::Object;
use super::memory::Slot;
use super::{Address, Cursor, Leave, Pending, Translator};
use crate::atom::{Atom, Var};
use crate::program::{
    Access, Command, Purpose, ShapeObject, Source, StepId, Variable, VariableSource, VariableStorage,
};
use heapwise_engine::Kind;
use heapwise_ir::entity::EntityRef;
use heapwise_ir::{CompareOperator, ShapeKind};
use rustc_hash::FxHashMap;

/// A pointer that may hold more addresses than this is not followed.
const MAX_ADDRESSES: usize = 16;

/// The constants, null apart, that variables and the links of cells may hold on any way.
#[derive(Default)]
struct Constants {
    of_var: FxHashMap<Var, Vec<Atom>>,
    in_cells: Vec<Atom>,
}

impl Constants {
    fn of(&self, source: Source) -> Vec<Atom> {
        match source {
            Source::Var(var) => self.of_var.get(&var).cloned().unwrap_or_default(),
            Source::Atom(atom) if is_constant(atom) => vec![atom],
            Source::Atom(_) => Vec::new(),
        }
    }

    fn add(&mut self, target: Var, atoms: &[Atom]) -> bool {
        let known = self.of_var.entry(target).or_default();
        let before = known.len();
        for atom in atoms {
            if known.len() <= MAX_ADDRESSES && !known.contains(atom) {
                known.push(*atom);
            }
        }
        known.len() > before
    }

    fn add_to_cells(&mut self, atoms: &[Atom]) -> bool {
        let before = self.in_cells.len();
        for atom in atoms {
            if self.in_cells.len() <= MAX_ADDRESSES && !self.in_cells.contains(atom) {
                self.in_cells.push(*atom);
            }
        }
        self.in_cells.len() > before
    }
}

fn is_constant(atom: Atom) -> bool {
    matches!(atom, Atom::Place(_)) || matches!(atom, Atom::Int(value) if value != 0)
}

impl Translator<'_> {
    /// Splits the accesses and shifts of pointers that may hold addresses.
    pub(super) fn split_accesses(&mut self) {
        let constants = self.constants();
        let wandering = self.wandering(&constants);
        self.forbid_wandering(&wandering);
        let mut checks: FxHashMap<u32, Option<Var>> = FxHashMap::default();
        for index in 0..self.out.steps.len() {
            let id = StepId::new(index);
            let base = match &self.out.steps[id].command {
                Command::Load { base, .. } | Command::Store { base, .. } => *base,
                Command::Copy { source, .. } if self.shifted.contains_key(&id) => *source,
                _ => continue,
            };
            let mut atoms = constants.of(Source::Var(base));
            if !self.shifted.contains_key(&id) {
                atoms.retain(|atom| matches!(atom, Atom::Place(_)));
            }
            if atoms.is_empty() || atoms.len() > MAX_ADDRESSES {
                // Too many to tell apart: the engine meets an address where it expects a cell, which is a gap.
                if atoms.len() > MAX_ADDRESSES && self.shifted.contains_key(&id) {
                    self.out.steps[id].command = Command::Gap { reason: "a pointer may hold many addresses".into() };
                }
                continue;
            }
            self.split(id, base, &atoms, &wandering, &mut checks);
        }
        for (step, shift) in std::mem::take(&mut self.shapes) {
            self.add_shape_objects(step, shift, &constants);
        }
        for Leave { step, result } in std::mem::take(&mut self.leaves) {
            self.forbid_own_locals(step, result, &constants.of(Source::Var(result)));
        }
    }

    /// Which objects a doubly linked list may close through, or two lists may meet in: those that their pointers or links of
    /// cells may hold the address of. (Other shapes do not go through objects.)
    fn add_shape_objects(&mut self, id: StepId, shift: i64, constants: &Constants) {
        let Command::Shape { kind, arguments, cell, links, .. } = &self.out.steps[id].command else { return };
        if !matches!(kind, ShapeKind::DoublyLinked | ShapeKind::Disjoint) {
            return;
        }
        let mut places: Vec<Atom> = arguments.iter().flat_map(|argument| constants.of(*argument)).collect();
        places.extend(&constants.in_cells);
        let kind = &self.out.kinds[*cell];
        let offsets: Vec<u64> = links.iter().map(|link| kind.links[*link].offset).collect();
        let bytes = kind.pointer_bytes;
        let mut found: Vec<ShapeObject> = Vec::new();
        for place in places {
            if found.iter().any(|object| object.place == place) {
                continue;
            }
            let vars = offsets.iter().map(|offset| self.link_of_object(place, *offset as i64 - shift, bytes));
            if let Some(links) = vars.collect() {
                found.push(ShapeObject { place, links });
            }
        }
        if let Command::Shape { objects, .. } = &mut self.out.steps[id].command {
            *objects = found;
        }
    }

    /// The variable of a pointer within an object, some bytes behind an address in it.
    fn link_of_object(&mut self, place: Atom, bytes: i64, size: u64) -> Option<Var> {
        let Atom::Place(place) = place else { return None };
        let (object, offset) = self.object_at(place)?;
        // Locals of functions that call themselves are there many times.
        if matches!(object, Object::Auto(_)) && !self.out.procedures.is_empty() {
            return None;
        }
        match self.slot_at(object, offset.checked_add(bytes)?, size) {
            Slot::Var(var) => Some(var),
            Slot::Data | Slot::Fails(_) | Slot::Gap(_) => None,
        }
    }

    /// A function must not return the address of a local of its own.
    fn forbid_own_locals(&mut self, id: StepId, result: Var, atoms: &[Atom]) {
        let step = &self.out.steps[id];
        let mut rest = Cursor { at: step.from, to: step.to, span: step.span, frame: step.frame, edge: step.edge };
        let is_own = |atom: &&Atom| match atom {
            Atom::Place(place) => match self.object_at(*place) {
                Some((Object::Auto(auto), _)) => self.autos[auto as usize].frame == rest.frame,
                _ => false,
            },
            _ => false,
        };
        let own: Vec<Atom> = atoms.iter().filter(is_own).copied().collect();
        if own.is_empty() {
            return;
        }
        self.out.outgoing[rest.at].retain(|other| *other != id);
        for atom in own {
            let is = |operator| Command::Assume { operator, left: Source::Var(result), right: Source::Atom(atom) };
            let mut there = Cursor { ..rest };
            self.then(&mut there, is(CompareOperator::Equal));
            self.close(&mut there, Command::Fail { kind: Kind::DanglingReturn });
            self.then(&mut rest, is(CompareOperator::NotEqual));
        }
        self.out.steps[id].from = rest.at;
        self.out.outgoing[rest.at].push(id);
    }

    /// One step becomes one way per address, and itself for everything else.
    fn split(
        &mut self,
        id: StepId,
        base: Var,
        atoms: &[Atom],
        wandering: &[u32],
        checks: &mut FxHashMap<u32, Option<Var>>,
    ) {
        let step = &self.out.steps[id];
        let command = step.command.clone();
        let mut rest = Cursor { at: step.from, to: step.to, span: step.span, frame: step.frame, edge: step.edge };
        let is = |operator, atom| Command::Assume { operator, left: Source::Var(base), right: Source::Atom(atom) };
        self.out.outgoing[rest.at].retain(|other| *other != id);
        for atom in atoms {
            let mut there = Cursor { ..rest };
            self.then(&mut there, is(CompareOperator::Equal, *atom));
            match &command {
                Command::Copy { target, .. } => {
                    let bytes = self.shifted.get(&id).copied().unwrap_or(0);
                    let command = match self.shift_atom(*atom, bytes) {
                        Some(value) => Command::Set { target: *target, value },
                        None => Command::Gap { reason: "a pointer leaves its object".into() },
                    };
                    self.close(&mut there, command);
                }
                _ if self.is_foreign(*atom, rest.frame, wandering) => {
                    let reason = "a local is reached through a pointer that outlives a call of a recursive function";
                    self.close(&mut there, Command::Gap { reason: reason.into() });
                }
                _ => self.access_address(&mut there, &command, base, *atom, checks),
            }
            self.then(&mut rest, is(CompareOperator::NotEqual, *atom));
        }
        self.out.steps[id].from = rest.at;
        self.out.outgoing[rest.at].push(id);
    }

    /// A load or store through a pointer that holds this address.
    fn access_address(
        &mut self,
        cursor: &mut Cursor,
        command: &Command,
        base: Var,
        atom: Atom,
        checks: &mut FxHashMap<u32, Option<Var>>,
    ) {
        let (access, is_store) = match command {
            Command::Load { access, .. } => (*access, false),
            Command::Store { access, .. } => (*access, true),
            _ => return,
        };
        let slot = match self.address_slot(base, access, atom) {
            Some((object, slot)) => {
                self.check_life(cursor, object, checks);
                if is_store && self.is_read_only(object) {
                    Slot::Gap("a constant object is written".into())
                } else {
                    slot
                }
            }
            None => Slot::Gap("a pointer is dereferenced that may point to more than list cells".into()),
        };
        match (slot, command) {
            (Slot::Fails(kind), _) => self.close(cursor, Command::Fail { kind }),
            (Slot::Gap(reason), _) => self.close(cursor, Command::Gap { reason }),
            (Slot::Var(var), Command::Load { target: None, .. }) => {
                self.close(cursor, Command::Use { var, purpose: Purpose::Operation });
            }
            (Slot::Var(var), Command::Load { target: Some(target), .. }) => {
                self.copy_var(cursor, *target, var);
                if self.fields.contains_key(&base) {
                    self.through.insert(StepId::new(self.out.steps.len() - 1), base);
                }
            }
            (Slot::Data, Command::Load { target: Some(target), .. }) => {
                self.close(cursor, Command::Set { target: *target, value: Atom::Opaque });
            }
            (Slot::Var(var), Command::Store { value, .. }) => match value {
                Source::Var(value) => self.copy_var(cursor, var, *value),
                Source::Atom(value) => self.close(cursor, Command::Set { target: var, value: *value }),
            },
            (Slot::Data, Command::Store { value: Source::Var(var), .. }) => {
                let purpose = Purpose::Escape("a pointer to a cell is stored where it is not followed");
                self.close(cursor, Command::Use { var: *var, purpose });
            }
            (Slot::Data | Slot::Var(_), _) => self.close(cursor, Command::Skip),
        }
    }

    /// What lies where an access through an address goes.
    fn address_slot(&mut self, base: Var, access: Access, atom: Atom) -> Option<(Object, Slot)> {
        let Atom::Place(place) = atom else { return None };
        let (object, offset) = self.object_at(place)?;
        if self.is_library(object) {
            return None;
        }
        // The access speaks of a cell, into which the variable points; an address is what it is.
        let offset = access.offset.checked_sub(self.shift(base))?.checked_add(offset)?;
        let slot = if access.size == 0 {
            self.touched_slot(object, offset)
        } else {
            self.slot_at(object, offset, access.size)
        };
        Some((object, slot))
    }

    fn touched_slot(&mut self, object: Object, offset: i64) -> Slot {
        let size = self.object_size(object);
        match (size, u64::try_from(offset)) {
            (Some(size), Ok(offset)) if offset <= size => Slot::Data,
            (Some(_), _) => Slot::Fails(Kind::OutOfBounds),
            (None, _) => Slot::Gap("an object of unknown size is accessed".into()),
        }
    }

    fn object_at(&self, place: u32) -> Option<(Object, i64)> {
        let (address, _) = self.places.iter().find(|(_, index)| **index == place)?;
        match address {
            Address::Object(object, offset) => Some((*object, *offset)),
            Address::Function(_) => None,
        }
    }

    /// An address some bytes further. It may lie outside its object, as the `container_of` of a list's head does: what is
    /// accessed there is out of bounds.
    fn shift_atom(&mut self, atom: Atom, bytes: i64) -> Option<Atom> {
        match atom {
            Atom::Int(value) => Some(Atom::int(i128::from(value) + i128::from(bytes))),
            Atom::Place(place) => {
                let (object, offset) = self.object_at(place)?;
                Some(self.place(Address::Object(object, offset.checked_add(bytes)?)))
            }
            Atom::Freed | Atom::Uninit | Atom::Opaque | Atom::Library | Atom::NoLink | Atom::Outside => None,
        }
    }

    /// Goes on only if a local object exists; an access after its end is an error.
    fn check_life(&mut self, cursor: &mut Cursor, object: Object, checks: &mut FxHashMap<u32, Option<Var>>) {
        let Object::Auto(auto) = object else { return };
        let flag = match checks.get(&auto) {
            Some(flag) => *flag,
            None => {
                let flag = self.add_life_flag(auto);
                checks.insert(auto, flag);
                flag
            }
        };
        let Some(flag) = flag else { return };
        let is_alive =
            |operator| Command::Assume { operator, left: Source::Var(flag), right: Source::Atom(Atom::NULL) };
        let mut ended = Cursor { ..*cursor };
        self.then(&mut ended, is_alive(CompareOperator::Equal));
        self.close(&mut ended, Command::Fail { kind: Kind::UseAfterFree });
        self.then(cursor, is_alive(CompareOperator::NotEqual));
    }

    /// A flag that says whether a local object exists: set where it begins and ends. `None` if it never ends before the
    /// program does.
    fn add_life_flag(&mut self, auto: u32) -> Option<Var> {
        let ends: Vec<StepId> = self.ends.iter().filter(|(other, _)| *other == auto).map(|(_, step)| *step).collect();
        if ends.is_empty() {
            return None;
        }
        let description = &self.autos[auto as usize];
        let variable = Variable {
            name: format!("{} exists", description.name),
            storage: VariableStorage::Temporary,
            frame: Some(description.frame),
            source: VariableSource::Local(description.edge?, u64::MAX),
        };
        let (frame, edge, slots) = (description.frame, description.edge?, description.slots.clone());
        let flag = self.out.vars.push(variable);
        for slot in &mut self.pending {
            if let Pending::Auto { frame: other, edge: other_edge, life, .. } = &mut slot.pending
                && (*other, *other_edge) == (frame, edge)
            {
                *life = Some(flag);
            }
        }
        for id in ends {
            let step = &self.out.steps[id];
            let (to, span, frame, edge) = (step.to, step.span, step.frame, step.edge);
            let after = self.between(frame);
            self.out.steps[id].to = after;
            let mut cursor = Cursor { at: after, to, span, frame, edge };
            // Ways that ask for the flag first still name the slots.
            for slot in &slots {
                self.then(&mut cursor, Command::Set { target: *slot, value: Atom::Uninit });
            }
            self.close(&mut cursor, Command::Set { target: flag, value: Atom::NULL });
        }
        Some(flag)
    }

    /// The local objects whose addresses go where calls of procedures may find them: globals, cells, arguments, results.
    fn wandering(&self, constants: &Constants) -> Vec<u32> {
        let mut places: Vec<Atom> = constants.in_cells.clone();
        for (var, variable) in self.out.vars.iter() {
            if variable.storage == VariableStorage::Global {
                places.extend(constants.of(Source::Var(var)));
            }
        }
        for step in self.out.steps.values() {
            if let Command::Call { procedure, arguments, references, .. } = &step.command {
                let procedure = &self.out.procedures[*procedure];
                let known = |var: &Var| constants.of(Source::Var(*var));
                places.extend(arguments.iter().flat_map(|argument| constants.of(*argument)));
                places.extend(references.iter().flat_map(|(own, outer)| [known(own), known(outer)]).flatten());
                places.extend(procedure.result.iter().flat_map(known));
            }
        }
        let autos = places.into_iter().filter_map(|atom| match atom {
            Atom::Place(place) => match self.object_at(place)? {
                (Object::Auto(auto), _) => Some(auto),
                (Object::Global(_), _) => None,
            },
            _ => None,
        });
        let mut autos: Vec<u32> = autos.collect();
        autos.sort_unstable();
        autos.dedup();
        autos
    }

    /// Whether an address is that of a local of another activation than the one that runs, or may be.
    fn is_foreign(&self, atom: Atom, frame: u32, wandering: &[u32]) -> bool {
        let Atom::Place(place) = atom else { return false };
        let Some((Object::Auto(auto), _)) = self.object_at(place) else { return false };
        let procedure = |frame: u32| self.out.frames[frame as usize].procedure;
        let owner = procedure(self.autos[auto as usize].frame);
        owner != procedure(frame) || (owner.is_some() && wandering.contains(&auto))
    }

    /// Objects that a procedure works on as its own must not be found by another way.
    fn forbid_wandering(&mut self, wandering: &[u32]) {
        let is_found = |var: Var, slots: &FxHashMap<(Object, u64), Var>| {
            wandering
                .iter()
                .any(|auto| slots.iter().any(|((object, _), slot)| *slot == var && *object == Object::Auto(*auto)))
        };
        let mut gaps = Vec::new();
        for (id, step) in &self.out.steps {
            if let Command::Call { references, procedure, .. } = &step.command
                && references.iter().any(|(own, outer)| is_found(*own, &self.slots) || is_found(*outer, &self.slots))
            {
                gaps.push((id, self.out.procedures[*procedure].name.clone()));
            }
        }
        for (id, name) in gaps {
            let reason =
                format!("`{name}` calls itself, and the address of a local that it is given is stored elsewhere");
            self.out.steps[id].command = Command::Gap { reason };
        }
    }

    /// Which constants may be where, on any way: a fixpoint over all steps that knows no order.
    fn constants(&mut self) -> Constants {
        let mut constants = Constants::default();
        let mut changed = true;
        while changed {
            changed = false;
            for (var, value) in self.global_values() {
                changed |= constants.add(var, &constants.of(Source::Atom(value)));
            }
            for index in 0..self.out.steps.len() {
                let id = StepId::new(index);
                changed |= self.flow_constants(&mut constants, id);
            }
        }
        constants
    }

    fn flow_constants(&mut self, constants: &mut Constants, id: StepId) -> bool {
        match self.out.steps[id].command.clone() {
            Command::Set { target, value } if is_constant(value) => constants.add(target, &[value]),
            Command::Copy { target, source } => {
                let mut atoms = constants.of(Source::Var(source));
                if let Some(bytes) = self.shifted.get(&id).copied() {
                    atoms = atoms.into_iter().filter_map(|atom| self.shift_atom(atom, bytes)).collect();
                }
                constants.add(target, &atoms)
            }
            Command::Call { procedure, arguments, target, references } => {
                let procedure = self.out.procedures[procedure].clone();
                let mut changed = false;
                for (parameter, argument) in procedure.parameters.iter().zip(arguments) {
                    if let Some(parameter) = parameter {
                        changed |= constants.add(*parameter, &constants.of(argument));
                    }
                }
                if let (Some(target), Some(result)) = (target, procedure.result) {
                    changed |= constants.add(target, &constants.of(Source::Var(result)));
                }
                for (own, outer) in references {
                    changed |= constants.add(own, &constants.of(Source::Var(outer)));
                    changed |= constants.add(outer, &constants.of(Source::Var(own)));
                }
                changed
            }
            Command::Load { target: Some(target), base, access } => {
                let mut changed = constants.add(target, &constants.in_cells.clone());
                for atom in constants.of(Source::Var(base)) {
                    if let Some((_, Slot::Var(slot))) = self.address_slot(base, access, atom) {
                        changed |= constants.add(target, &constants.of(Source::Var(slot)));
                    }
                }
                changed
            }
            Command::Store { base, access, value } => {
                let atoms = constants.of(value);
                let mut changed = constants.add_to_cells(&atoms);
                for atom in constants.of(Source::Var(base)) {
                    if let Some((_, Slot::Var(slot))) = self.address_slot(base, access, atom) {
                        changed |= constants.add(slot, &atoms);
                    }
                }
                changed
            }
            _ => false,
        }
    }
}
