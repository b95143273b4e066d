//! Tables: static objects that nobody writes, so that they hold their initial values for good. A table of operations, of
//! commands or of classes is one. It is not taken apart into variables: a pointer that is loaded from it is what its
//! initialiser says. Where the index is not known, an instruction becomes one way per row, in the range of the index; and a pointer
//! that goes from row to row holds the address of one after the other.

use super::constants::{self, Environment, Known, Object};
use super::{Cursor, Instance, Translator, inside};
use crate::atom::{Atom, Var};
use crate::program::{Command, Held, Source, StepId};
use heapwise_engine::reason::PointerGap;
use heapwise_ir::entity::SecondaryMap;
use heapwise_ir::{
    CompareOperator, EdgeId, Expression, GlobalId, Index, Initializer, Instruction, Mutability, Operand, Path, Program,
    RegisterId, Type, TypeId,
};
use heapwise_pointsto::PointsTo;
use rustc_hash::FxHashMap;

/// Rows of longer tables are not told apart: each is a way of its own.
const MAX_ROWS: u64 = 64;

/// A pointer has at most so many addresses of rows.
const MAX_ADDRESSES: u64 = 16;

/// The globals that hold their initial values for good: what is read-only, and what no code writes.
pub(super) fn constant_globals(program: &Program, known: Option<&PointsTo>) -> SecondaryMap<GlobalId, bool> {
    let written = known.map(PointsTo::written);
    let mut constant = SecondaryMap::with_capacity(program.globals.len());
    for (id, global) in &program.globals {
        let is_never_written = || {
            let region = known.and_then(|known| known.global(id));
            matches!((&written, region), (Some(written), Some((region, _))) if !written[region])
        };
        constant[id] = matches!(global.initializer, Initializer::Items(_))
            && (global.mutability == Mutability::ReadOnly || is_never_written());
    }
    constant
}

/// Tables of several rows, with their sizes: pointers may go along them. Records and pointers make rows, bytes of a text do not.
pub(super) fn walked_tables(program: &Program, constant: &SecondaryMap<GlobalId, bool>) -> FxHashMap<Object, i64> {
    let sizes = program.globals.iter().filter_map(|(id, global)| {
        let Type::Array(row, Some(count)) = program.ty(global.ty) else { return None };
        let is_followed =
            constant[id] && *count <= MAX_ADDRESSES && matches!(program.ty(*row), Type::Record(_) | Type::Pointer(_));
        Some((Object::Global(id), i64::try_from(global.size).ok().filter(|_| is_followed)?))
    });
    sizes.collect()
}

/// Where an instruction goes in a table: the row is not known.
pub(super) struct Row {
    table: GlobalId,
    /// Of row 0.
    offset: i64,
    index: Operand,
    /// From row to row.
    stride: i64,
    /// How many values of the index are allowed.
    count: u64,
}

/// What an instruction gets from a table.
#[derive(Clone, Copy)]
enum Got {
    /// The pointer there.
    Pointer(TypeId),
    /// A number.
    Number,
    /// The address of the row.
    Address,
}

impl Got {
    fn of(program: &Program, instruction: &Instruction) -> Option<(RegisterId, Got)> {
        match instruction {
            Instruction::Load { target, place } => match program.ty(place.ty) {
                Type::Pointer(_) => Some((*target, Got::Pointer(place.ty))),
                Type::Int(_) | Type::Float(_) => Some((*target, Got::Number)),
                Type::Void | Type::Array(..) | Type::Record(_) | Type::Function(_) => None,
            },
            Instruction::Assign { target, value: Expression::AddPath { .. } } => Some((*target, Got::Address)),
            Instruction::Assign { .. }
            | Instruction::Store { .. }
            | Instruction::Copy { .. }
            | Instruction::Alloc { .. }
            | Instruction::Free { .. }
            | Instruction::End { .. }
            | Instruction::Assume(_)
            | Instruction::Call { .. }
            | Instruction::Assert(_)
            | Instruction::Unsupported(_) => None,
        }
    }
}

impl<'p> Translator<'p> {
    /// Whether an object is a table.
    fn is_table(&self, object: Object) -> bool {
        // With a contract, the entry point starts with any values of what can be written.
        matches!(object, Object::Global(global) if self.constant[global] && !self.is_open(global))
    }

    /// The pointer that a table holds at an offset, where its bytes are one of its initialiser, or zeros.
    pub(super) fn pointer_in_table(&mut self, object: Object, offset: i64, (size, ty): (u64, TypeId)) -> Option<Atom> {
        let Object::Global(global) = object else { return None };
        let Initializer::Items(items) = &self.program.globals[global].initializer else { return None };
        if !self.is_table(object) || !matches!(self.program.ty(ty), Type::Pointer(_)) {
            return None;
        }
        let start = u64::try_from(offset).ok()?;
        let end = start.checked_add(size).filter(|end| *end <= self.program.globals[global].size)?;
        let program = self.program;
        let mut there = items.iter().filter(|item| {
            let bytes = program.size_of(item.ty).unwrap_or(u64::MAX);
            item.offset < end && start < item.offset.saturating_add(bytes)
        });
        let Some(item) = there.next() else { return Some(Atom::NULL) };
        let is_whole = item.offset == start
            && item.bits.is_none()
            && program.size_of(item.ty) == Some(size)
            && matches!(program.ty(item.ty), Type::Pointer(_));
        if !is_whole || there.next().is_some() {
            return None;
        }
        let item = item.clone();
        Some(self.initial_value(&item))
    }

    /// Where an instruction goes, if that is a table, and one index on the way there is not known.
    pub(super) fn row_of(&self, environment: &Environment, instruction: &Instruction) -> Option<Row> {
        let (base, path, past): (Operand, &Path, u64) = match instruction {
            Instruction::Load { place, .. } => (place.base, &place.path, 0),
            // One past the last row has an address, too.
            Instruction::Assign { value: Expression::AddPath { base, path }, .. } => (*base, path, 1),
            _ => return None,
        };
        let Known::Address(object @ Object::Global(table), start) = environment.operand(base) else { return None };
        let resolved = self.program.resolve(path).filter(|_| self.is_table(object))?;
        let path_use = if past == 0 { heapwise_ir::PathUse::Access } else { heapwise_ir::PathUse::Address };
        if constants::leaves_an_array(environment, &resolved, path_use) {
            return None;
        }
        let mut offset = start.checked_add(resolved.offset)?;
        let mut unknown = None;
        for (operand, stride) in &resolved.indices {
            let stride = i64::try_from(*stride).ok()?;
            match environment.operand(*operand) {
                Known::Int(index) => {
                    offset = offset.checked_add(i64::try_from(index).ok()?.checked_mul(stride)?)?;
                }
                _ if unknown.is_some() => return None,
                _ => unknown = Some((*operand, stride)),
            }
        }
        let (index, stride) = unknown?;
        let mut bounds = resolved.bounds.iter().filter(|bound| bound.index == Index::Operand(index));
        let (Some(bound), None) = (bounds.next(), bounds.next()) else { return None };
        let count = bound.count.checked_add(past).filter(|_| bound.count <= MAX_ROWS)?;
        Some(Row { table, offset, index, stride, count })
    }

    /// The commands of an instruction that goes to a row, one way for each that it may be. Whether these are there; what goes to
    /// no row ends as the instruction does.
    pub(super) fn by_rows(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        cursor: &mut Cursor,
        (edge, instruction): (EdgeId, &Instruction),
        row: &Row,
    ) -> bool {
        let Some((target, got)) = Got::of(self.program, instruction) else { return false };
        if matches!(got, Got::Address) && row.count > MAX_ADDRESSES {
            return false;
        }
        let index = self.source(instance, environment, row.index).var();
        let range = self.range_of(instance, environment, edge, row.index);
        let count = i128::from(row.count);
        let is_within = range.as_ref().is_some_and(|range| range.least() >= 0 && range.greatest() < count);
        if index.is_none() && !is_within {
            return false;
        }
        let is_possible = |number: &i128| range.as_ref().is_none_or(|range| range.contains(*number));
        let mut values: Vec<(i128, Atom)> = Vec::new();
        for number in (0..count).filter(is_possible) {
            let Some(value) = self.value_in_row(row, number, got) else { return false };
            values.push((number, value));
        }
        match index {
            Some(index) => {
                for (number, value) in values {
                    let is = |operator| Command::Assume {
                        operator,
                        left: Source::Var(index),
                        right: Source::Atom(Atom::int(number)),
                    };
                    let mut there = Cursor { ..*cursor };
                    self.then(&mut there, is(CompareOperator::Equal));
                    self.write_register(instance, &mut there, target, Source::Atom(value));
                    self.then(cursor, is(CompareOperator::NotEqual));
                }
                if !is_within {
                    self.instruction(instance, environment, cursor, edge, instruction);
                }
            }
            None => {
                let mut values: Vec<Atom> = values.into_iter().map(|(_, value)| value).collect();
                values.sort_unstable();
                values.dedup();
                for value in values {
                    let mut there = Cursor { ..*cursor };
                    self.write_register(instance, &mut there, target, Source::Atom(value));
                }
            }
        }
        true
    }

    fn value_in_row(&mut self, row: &Row, number: i128, got: Got) -> Option<Atom> {
        let bytes = i64::try_from(number).ok()?.checked_mul(row.stride)?;
        let offset = row.offset.checked_add(bytes)?;
        let object = Object::Global(row.table);
        match got {
            Got::Pointer(ty) => {
                let size = self.program.size_of(ty)?;
                // A table that is taken apart has a variable there.
                let value = match self.variable_at(object, offset, size) {
                    Some(_) => None,
                    None => self.pointer_in_table(object, offset, (size, ty)),
                };
                value.filter(|value| *value != Atom::Opaque)
            }
            Got::Number => Some(Atom::Opaque),
            Got::Address => Some(self.place(super::Address::Object(object, offset))),
        }
    }

    /// A pointer goes on to another row of a table, if it points to one: whether it may. Its commands are put then.
    pub(super) fn walk(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        cursor: &mut Cursor,
        target: RegisterId,
        value: &Expression,
    ) -> bool {
        let Expression::AddIndex { element, .. } = value else { return false };
        let Some((base, bytes)) = inside::bytes_added(self.program, environment, value) else { return false };
        let (Source::Var(source), Some(target)) =
            (self.source(instance, environment, base), instance.vars.get(&target).copied())
        else {
            return false;
        };
        let is_of_rows = |object: &Object| match object {
            Object::Global(global) => {
                matches!(self.program.ty(self.program.globals[*global].ty), Type::Array(row, _) if row == element)
            }
            Object::Auto(_) => false,
        };
        if bytes == 0 || !self.tables.keys().any(is_of_rows) {
            return false;
        }
        self.use_operands(instance, environment, cursor, &[base]);
        self.escape(instance, environment, cursor, base, PointerGap::IntoCell);
        let step = self.step(cursor, cursor.to, Command::Copy { target, source });
        self.shifted.insert(step, bytes);
        self.walks.insert(step);
        true
    }

    /// One way per address of a row; of what else the pointer may be nothing is known behind the step.
    pub(super) fn split_walk(&mut self, id: StepId, base: Var, atoms: &[Atom]) {
        let Command::Copy { target, .. } = self.out.steps[id].command else { return };
        let bytes = self.shifted.get(&id).copied().unwrap_or(0);
        let step = &self.out.steps[id];
        let mut rest = Cursor { at: step.from, to: step.to, span: step.span, frame: step.frame, edge: step.edge };
        self.out.outgoing[rest.at].retain(|other| *other != id);
        for atom in atoms {
            let moved = self.constant_of(*atom).and_then(|constant| constant.walked(bytes, &self.tables));
            let Some(moved) = moved else { continue };
            let value = self.atom_of(moved);
            let mut there = Cursor { ..rest };
            self.then(&mut there, Command::Case { var: base, atom: *atom, held: Held::Yes });
            self.close(&mut there, Command::Set { target, value });
            self.then(&mut rest, Command::Case { var: base, atom: *atom, held: Held::No });
        }
        self.out.steps[id].from = rest.at;
        self.out.outgoing[rest.at].push(id);
        self.lose_walk(id);
    }

    /// Nothing is known of where the pointer is.
    pub(super) fn lose_walk(&mut self, id: StepId) {
        if let Command::Copy { target, .. } = self.out.steps[id].command {
            self.out.steps[id].command = Command::Set { target, value: Atom::Opaque };
        }
    }
}
