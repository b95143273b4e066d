//! Pointers to one of several fields: `struct tree **link` leads to the left or to the right link of a cell. Beside such a
//! variable there is another one that holds the offset of the field, and an access through the pointer is split into one
//! per field. (Which field it is, no structure has to say: offsets are constants like any others.)

use super::{Cursor, Translator};
use crate::atom::{Atom, Var};
use crate::program::{Access, Command, Declared, Purpose, Source, StepId, Variable, VariableSource, VariableStorage};
use heapwise_engine::reason::PointerGap;
use heapwise_ir::CompareOperator;
use heapwise_ir::entity::EntityRef;

/// Where a variable points that points to one of several fields.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// Holds the offset; of no meaning while the variable does not point to a cell.
    pub(super) offset: Var,
    /// The offsets.
    pub(super) places: Vec<i64>,
}

fn atom(bytes: i64) -> Atom {
    Atom::int(i128::from(bytes))
}

impl Translator<'_> {
    /// The variable points to one of several fields.
    pub(super) fn add_field(&mut self, frame: u32, var: Var, places: Vec<i64>) {
        let name = format!("the field of {}", self.out.vars[var].name);
        let (storage, source) = (VariableStorage::Temporary, VariableSource::Ghost);
        let (frame, declared) = (Some(frame), Declared::Other);
        let offset = self.out.vars.push(Variable { name, storage, frame, source, declared });
        self.fields.insert(var, Field { offset, places });
    }

    /// Whether a variable may point to the inside of a cell.
    pub(super) fn is_inside(&self, var: Var) -> bool {
        self.shift(var) != 0 || self.fields.contains_key(&var)
    }

    /// How many bytes into cells a variable may point.
    pub(super) fn places_of(&self, var: Var) -> Vec<i64> {
        self.fields.get(&var).map_or_else(|| vec![self.shift(var)], |field| field.places.clone())
    }

    /// How many bytes into cells an argument may point; nothing for a constant.
    pub(super) fn places_of_source(&self, source: Source) -> Vec<i64> {
        match source {
            Source::Var(var) => self.places_of(var),
            Source::Atom(Atom::Place(_) | Atom::Int(_)) => Vec::new(),
            Source::Atom(_) => vec![0],
        }
    }

    /// Puts in what the offsets are, and splits accesses.
    pub(super) fn split_fields(&mut self) {
        if self.fields.is_empty() {
            return;
        }
        for index in 0..self.out.steps.len() {
            let id = StepId::new(index);
            match self.out.steps[id].command.clone() {
                Command::Copy { target, source } => self.split_copy(id, target, source),
                command => {
                    if let Some(field) = command.writes().and_then(|target| self.fields.get(&target)) {
                        let offset = field.offset;
                        self.put_behind(id, Command::Set { target: offset, value: Atom::NULL });
                    }
                    self.split_access(id, &command);
                }
            }
        }
    }

    fn split_access(&mut self, id: StepId, command: &Command) {
        let (Command::Load { base, .. }
        | Command::Store { base, .. }
        | Command::Fill { base, .. }
        | Command::Touch { base, .. }) = command
        else {
            return;
        };
        let further = |access: Access, bytes: i64| Access { offset: access.offset.wrapping_add(bytes), ..access };
        let at = |bytes: i64| match command.clone() {
            Command::Load { target, base, access } => Command::Load { target, base, access: further(access, bytes) },
            Command::Store { base, access, value } => Command::Store { base, access: further(access, bytes), value },
            Command::Fill { base, access, contents } => {
                Command::Fill { base, access: further(access, bytes), contents }
            }
            Command::Touch { base, access, purpose } => {
                Command::Touch { base, access: further(access, bytes), purpose }
            }
            other => other,
        };
        self.split_by_field(id, *base, &mut |bytes| vec![at(bytes)]);
    }

    fn split_copy(&mut self, id: StepId, target: Var, source: Var) {
        let bytes = self.shifted.get(&id).copied().unwrap_or(0);
        let copy = Command::Copy { target, source };
        let lost = [Command::Use { var: source, purpose: Purpose::Escape(PointerGap::IntoCell) }, copy.clone()];
        let (field, shift) = (self.fields.get(&target).cloned(), self.shift(target));
        let copied = |place: i64| match (&field, place.checked_add(bytes)) {
            (Some(field), Some(place)) if field.places.contains(&place) => {
                vec![copy.clone(), Command::Set { target: field.offset, value: atom(place) }]
            }
            (None, Some(place)) if place == shift => vec![copy.clone()],
            (Some(_) | None, _) => lost.to_vec(),
        };
        if self.fields.contains_key(&source) {
            self.split_by_field(id, source, &mut |place| copied(place));
            if let Some(field) = field {
                self.put_behind(id, Command::Set { target: field.offset, value: Atom::NULL });
            }
        } else if field.is_some() {
            let commands = copied(self.shift(source));
            self.replace(id, &commands);
        }
    }

    /// One way per field that the variable may point to; the step itself for everything that is no cell.
    fn split_by_field(&mut self, id: StepId, var: Var, at: &mut dyn FnMut(i64) -> Vec<Command>) {
        let Some(Field { offset, places }) = self.fields.get(&var).cloned() else { return };
        let step = &self.out.steps[id];
        let mut rest = Cursor { at: step.from, to: step.to, span: step.span, frame: step.frame, edge: step.edge };
        let is =
            |operator, place| Command::Assume { operator, left: Source::Var(offset), right: Source::Atom(atom(place)) };
        self.out.outgoing[rest.at].retain(|other| *other != id);
        for place in places {
            let mut there = Cursor { ..rest };
            self.then(&mut there, is(CompareOperator::Equal, place));
            for command in at(place) {
                self.then(&mut there, command);
            }
            self.close(&mut there, Command::Skip);
            self.then(&mut rest, is(CompareOperator::NotEqual, place));
        }
        self.then(&mut rest, Command::Use { var, purpose: Purpose::Escape(PointerGap::IntoCell) });
        self.out.steps[id].from = rest.at;
        self.out.outgoing[rest.at].push(id);
    }

    /// The command happens behind the step.
    fn put_behind(&mut self, id: StepId, command: Command) {
        let step = &self.out.steps[id];
        let mut cursor = Cursor { at: step.from, to: step.to, span: step.span, frame: step.frame, edge: step.edge };
        cursor.at = self.between(cursor.frame);
        self.out.steps[id].to = cursor.at;
        self.close(&mut cursor, command);
    }

    /// The commands happen instead of that of the step.
    pub(super) fn replace(&mut self, id: StepId, commands: &[Command]) {
        let Some((first, behind)) = commands.split_first() else { return };
        self.out.steps[id].command = first.clone();
        for command in behind.iter().rev() {
            self.put_behind(id, command.clone());
        }
    }
}
