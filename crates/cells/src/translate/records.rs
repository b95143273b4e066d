//! Whole records: filled, and copied between cells and objects, one scalar at a time.

use super::constants::{Environment, Life, Object};
use super::kinds::scalars;
use super::memory::{Slot, life};
use super::{Cursor, Translator};
use crate::atom::{Atom, Var};
use crate::program::{Access, Command, Contents, DataExtent, Source};
use heapwise_engine::Kind;
use heapwise_ir::TypeId;

impl Translator<'_> {
    /// Writes all tracked scalars of a stretch of an object.
    pub(super) fn fill_object(
        &mut self,
        environment: &Environment,
        cursor: &mut Cursor,
        object: Object,
        offset: i64,
        size: u64,
        value: &mut dyn FnMut(u64) -> Option<Source>,
    ) {
        let end = offset.saturating_add(size as i64);
        if let Some(command) = self.stretch_error(environment, object, offset, size) {
            return self.close(cursor, command);
        }
        for scalar in self.object_scalars(object) {
            let at = scalar.offset as i64;
            if at + scalar.size as i64 <= offset || end <= at {
                continue;
            }
            let Slot::Var(var) = self.slot(environment, object, at, scalar.size) else { continue };
            let whole = offset <= at && at + scalar.size as i64 <= end;
            let source = if whole { value((at - offset) as u64) } else { None };
            let command = match source.unwrap_or(Source::Atom(Atom::Opaque)) {
                Source::Atom(value) => Command::Set { target: var, value },
                Source::Var(source) => {
                    self.check_shift(cursor, var, source);
                    Command::Copy { target: var, source }
                }
            };
            self.then(cursor, command);
        }
        self.close(cursor, Command::Skip);
    }

    /// Unknown bytes may be written anywhere in an object.
    pub(super) fn overwrite_object(&mut self, environment: &Environment, cursor: &mut Cursor, object: Object) {
        for scalar in self.object_scalars(object) {
            if let Slot::Var(var) = self.slot(environment, object, scalar.offset as i64, scalar.size) {
                self.then(cursor, Command::Set { target: var, value: Atom::Opaque });
            }
        }
    }

    pub(super) fn copy_object(
        &mut self,
        environment: &Environment,
        cursor: &mut Cursor,
        to: (Object, i64),
        from: (Object, i64),
        size: u64,
    ) {
        let mut sources: Vec<(u64, Var)> = Vec::new();
        for scalar in self.object_scalars(from.0) {
            let at = scalar.offset as i64;
            let inside = from.1 <= at && at + scalar.size as i64 <= from.1.saturating_add(size as i64);
            if inside && let Slot::Var(var) = self.slot(environment, from.0, at, scalar.size) {
                sources.push(((at - from.1) as u64, var));
            }
        }
        if to.0 == from.0 {
            self.close(cursor, Command::Gap { reason: "an object is copied into itself".into() });
            return;
        }
        self.fill_object(environment, cursor, to.0, to.1, size, &mut |at| {
            sources.iter().find(|(offset, _)| *offset == at).map(|(_, var)| Source::Var(*var))
        });
    }

    /// What is wrong with a stretch of an object, if anything.
    fn stretch_error(&self, environment: &Environment, object: Object, offset: i64, size: u64) -> Option<Command> {
        match life(environment, object) {
            Life::Alive => {}
            Life::Gone => return Some(Command::Fail { kind: Kind::UseAfterFree }),
            Life::Perhaps => {
                let reason = "a local object is accessed that may not exist any more".into();
                return Some(Command::Gap { reason });
            }
        }
        let Some(object_size) = self.object_size(object) else {
            return Some(Command::Gap { reason: "an object of unknown size is accessed".into() });
        };
        let inside = u64::try_from(offset).is_ok_and(|offset| offset.saturating_add(size) <= object_size);
        (!inside).then_some(Command::Fail { kind: Kind::OutOfBounds })
    }

    /// A record is copied from a cell into an object.
    pub(super) fn copy_from_cell(
        &mut self,
        environment: &Environment,
        cursor: &mut Cursor,
        (object, offset): (Object, i64),
        (base, from): (Var, i64),
        size: u64,
    ) {
        if let Some(command) = self.stretch_error(environment, object, offset, size) {
            return self.close(cursor, command);
        }
        self.then(cursor, Command::Load { target: None, base, access: Access { offset: from, size: 0 } });
        for scalar in self.object_scalars(object) {
            let at = scalar.offset as i64 - offset;
            if at < 0 || at as u64 + scalar.size > size {
                continue;
            }
            let access = Access { offset: from.wrapping_add(at), size: scalar.size };
            if let Slot::Var(var) = self.slot_at(object, scalar.offset as i64, scalar.size) {
                let read = self.load_link(cursor, base, access);
                self.check_shift(cursor, var, read);
                self.then(cursor, Command::Copy { target: var, source: read });
            }
        }
        self.close(cursor, Command::Skip);
    }

    /// A record is copied from an object into a cell.
    pub(super) fn copy_into_cell(
        &mut self,
        environment: &Environment,
        cursor: &mut Cursor,
        (base, offset): (Var, i64),
        (object, from): (Object, i64),
        size: u64,
    ) {
        if let Some(command) = self.stretch_error(environment, object, from, size) {
            return self.close(cursor, command);
        }
        self.then(cursor, Command::Load { target: None, base, access: Access { offset, size: 0 } });
        for scalar in self.object_scalars(object) {
            let at = scalar.offset as i64 - from;
            if at < 0 || at as u64 + scalar.size > size {
                continue;
            }
            let access = Access { offset: offset.wrapping_add(at), size: scalar.size };
            let command = match (self.slot_at(object, scalar.offset as i64, scalar.size), object) {
                (Slot::Var(var), _) => {
                    self.check_link(cursor, base, access, Source::Var(var));
                    Command::Store { base, access, value: Source::Var(var) }
                }
                (Slot::Data, Object::Global(_)) => Command::Fill { base, access, contents: Contents::Opaque },
                // What an array of a local holds is not known: perhaps nothing.
                (Slot::Data | Slot::Gap(_) | Slot::Fails(_), _) => {
                    Command::Store { base, access, value: Source::Atom(Atom::Uninit) }
                }
            };
            self.then(cursor, command);
        }
        self.close(cursor, Command::Skip);
    }

    /// A record is copied from one cell into another (or the same).
    pub(super) fn copy_cell(
        &mut self,
        cursor: &mut Cursor,
        (base, offset): (Var, i64),
        (other, from): (Var, i64),
        ty: TypeId,
    ) {
        let touch = |base, offset| Command::Load { target: None, base, access: Access { offset, size: 0 } };
        self.then(cursor, touch(other, from));
        self.then(cursor, touch(base, offset));
        for scalar in scalars(self.program, ty) {
            let at = scalar.offset as i64;
            let to = Access { offset: offset.wrapping_add(at), size: scalar.size };
            let value = match scalar.extent {
                DataExtent::Scalar => {
                    let access = Access { offset: from.wrapping_add(at), size: scalar.size };
                    Source::Var(self.load_link(cursor, other, access))
                }
                // What an array holds is not known: perhaps nothing.
                DataExtent::Aggregate => Source::Atom(Atom::Uninit),
            };
            self.check_link(cursor, base, to, value);
            self.then(cursor, Command::Store { base, access: to, value });
        }
        self.close(cursor, Command::Skip);
    }
}
