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

/// Where an instruction goes in a table: the row is not known; nor the column, in a table of tables.
pub(super) struct Row {
    table: GlobalId,
    /// Of row 0.
    offset: i64,
    /// One at least.
    indices: Vec<Unknown>,
}

impl Row {
    /// How many places it may be.
    fn n_places(&self) -> Option<u64> {
        self.indices.iter().try_fold(1u64, |places, unknown| places.checked_mul(unknown.count))
    }
}

/// An index that is not known.
struct Unknown {
    index: Operand,
    /// From row to row.
    stride: i64,
    /// How many values of the index are allowed.
    count: u64,
}

/// What is known of one all the same.
struct Choice {
    /// Where it is tracked.
    index: Option<Var>,
    /// The values that it may have, with how many bytes each leads on.
    values: Vec<(i128, i64)>,
    /// Whether it may have no other one.
    is_within: bool,
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

/// An instruction that gets one of several values.
struct Ways<'a, 'p> {
    site: (&'a Instance<'p>, &'a Environment),
    edge: (EdgeId, &'a Instruction),
    target: RegisterId,
    /// By offset in the table.
    values: &'a FxHashMap<i64, Atom>,
}

/// The offsets that a choice leads to.
fn behind(offsets: &[i64], choice: &Choice) -> Vec<i64> {
    let bytes = choice.values.iter().map(|(_, bytes)| *bytes);
    offsets.iter().flat_map(|offset| bytes.clone().map(move |bytes| offset.saturating_add(bytes))).collect()
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
        let mut indices = Vec::new();
        for (operand, stride) in &resolved.indices {
            let stride = i64::try_from(*stride).ok()?;
            if let Known::Int(index) = environment.operand(*operand) {
                offset = offset.checked_add(i64::try_from(index).ok()?.checked_mul(stride)?)?;
                continue;
            }
            let mut bounds = resolved.bounds.iter().filter(|bound| bound.index == Index::Operand(*operand));
            let (Some(bound), None) = (bounds.next(), bounds.next()) else { return None };
            let count = bound.count.checked_add(past).filter(|_| bound.count <= MAX_ROWS)?;
            indices.push(Unknown { index: *operand, stride, count });
        }
        // Which of several indices may be one past the last row depends on the path.
        let row = Row { table, offset, indices };
        let is_told_apart = match row.indices.as_slice() {
            [] => false,
            [_] => true,
            [_, _, ..] => past == 0 && row.n_places().is_some_and(|places| places <= MAX_ROWS),
        };
        is_told_apart.then_some(row)
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
        if matches!(got, Got::Address) && row.n_places().is_none_or(|places| places > MAX_ADDRESSES) {
            return false;
        }
        let choices = row.indices.iter().map(|unknown| self.choice(instance, environment, edge, unknown));
        let Some(mut choices) = choices.collect::<Option<Vec<Choice>>>() else { return false };
        let offsets = choices.iter().fold(vec![row.offset], |offsets, choice| behind(&offsets, choice));
        let values = offsets.into_iter().map(|offset| Some((offset, self.value_in_row(row.table, offset, got)?)));
        let Some(values) = values.collect::<Option<FxHashMap<i64, Atom>>>() else { return false };
        // Those that are asked for come first.
        choices.sort_by_key(|choice| choice.index.is_none());
        let ways = Ways { site: (instance, environment), edge: (edge, instruction), target, values: &values };
        self.choose(&ways, cursor, &choices, row.offset);
        true
    }

    /// What an index may be; nothing if that is neither tracked nor sure to be in the table.
    fn choice(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        edge: EdgeId,
        unknown: &Unknown,
    ) -> Option<Choice> {
        let index = self.source(instance, environment, unknown.index).var();
        let range = self.range_of(instance, environment, edge, unknown.index);
        let count = i128::from(unknown.count);
        let is_within = range.as_ref().is_some_and(|range| range.least() >= 0 && range.greatest() < count);
        if index.is_none() && !is_within {
            return None;
        }
        let is_possible = |number: &i128| range.as_ref().is_none_or(|range| range.contains(*number));
        let bytes = |number: i128| i64::try_from(number).ok()?.checked_mul(unknown.stride);
        let values = (0..count).filter(is_possible).map(|number| Some((number, bytes(number)?)));
        Some(Choice { index, values: values.collect::<Option<_>>()?, is_within })
    }

    /// One way per value of the indices that are asked for, and behind it one per value that the table may have there.
    fn choose(&mut self, ways: &Ways<'_, 'p>, cursor: &mut Cursor, choices: &[Choice], offset: i64) {
        let (instance, environment) = ways.site;
        let [Choice { index: Some(index), values, is_within }, others @ ..] = choices else {
            let offsets = choices.iter().fold(vec![offset], |offsets, choice| behind(&offsets, choice));
            let value = |at: i64| ways.values.get(&at).copied().unwrap_or(Atom::Opaque);
            let mut values: Vec<Atom> = offsets.into_iter().map(value).collect();
            values.sort_unstable();
            values.dedup();
            for value in values {
                let mut there = Cursor { ..*cursor };
                self.write_register(instance, &mut there, ways.target, Source::Atom(value));
            }
            return;
        };
        for (number, bytes) in values {
            let is = |operator| Command::Assume {
                operator,
                left: Source::Var(*index),
                right: Source::Atom(Atom::int(*number)),
            };
            let mut there = Cursor { ..*cursor };
            self.then(&mut there, is(CompareOperator::Equal));
            self.choose(ways, &mut there, others, offset.saturating_add(*bytes));
            self.then(cursor, is(CompareOperator::NotEqual));
        }
        if !is_within {
            let (edge, instruction) = ways.edge;
            self.instruction(instance, environment, cursor, edge, instruction);
        }
    }

    fn value_in_row(&mut self, table: GlobalId, offset: i64, got: Got) -> Option<Atom> {
        let object = Object::Global(table);
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
