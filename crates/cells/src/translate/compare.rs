//! Integers that are compared more than once: `key < p->key` decides which way a search goes down, and again where the new
//! node is put. Integers themselves are not tracked, but what the first comparison found out is: for a field of a cell
//! compared with an integer, and for two integers. A field is one of bytes *as a type*: what was found out of an `int` says
//! nothing of the same bytes as an `unsigned`, and a write to them ends what is known of both.
//!
//! Integers are named by where they come from (a step, or a point where ways with different ones meet). A name that is seen
//! by several steps stands for one value until its step is taken again, or its point is reached again: no register can
//! hold a name before the step that makes it, so at that step none holds an older value of the same name.

use super::flags::widens;
use crate::atom::Var;
use crate::compare::{Comparison, ComparisonId};
use crate::program::{Access, CellProgram, Command, DataField, Origin, Point, Step, StepId};
use heapwise_engine::Lookout;
use heapwise_ir::entity::EntityRef;
use heapwise_ir::{
    BitRange, CompareOperator, Condition, EdgeId, Expression, Instruction, IntType, Operand, Place, Program,
    RegisterId, RegisterOrigin, Type,
};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashMap;

/// Programs with more integers at more points than this are left alone.
const MAX_ENTRIES: usize = 2_000_000;
/// No more comparisons than this are tracked.
const MAX_COMPARISONS: usize = 12;
/// Rounds in which names may still become more general, before they only become more special.
const FREE_ROUNDS: usize = 6;

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Name {
    Constant(i128),
    /// What the step gave its target.
    Step(StepId),
    /// What the register held when the point was reached.
    Merge(Point, u32),
}

/// A field of cells as it is read: the same bytes are other integers as another type, or as other bits of their unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct View {
    /// First byte and size.
    bytes: (i64, u64),
    ty: IntType,
    bits: Option<BitRange>,
}

impl View {
    /// The view that a place of integers is accessed by; nothing if it is one of other values.
    fn of(program: &Program, place: &Place, access: Access) -> Option<View> {
        match program.ty(place.ty) {
            Type::Int(ty) => Some(View { bytes: (access.offset, access.size), ty: *ty, bits: place.bits }),
            Type::Void | Type::Float(_) | Type::Pointer(_) | Type::Array(..) | Type::Record(_) | Type::Function(_) => {
                None
            }
        }
    }

    fn access(self) -> Access {
        let (offset, size) = self.bytes;
        Access { offset, size }
    }
}

/// What is known of an integer register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Integer {
    name: Name,
    /// The field of a cell that holds the same value.
    field: Option<(Var, View)>,
}

/// What is known at a point.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Row {
    /// Of each register.
    integers: Vec<Integer>,
    /// The fields of which it is known what they hold, through which variable.
    fields: Vec<(Var, View, Name)>,
}

impl Row {
    /// The field holds this.
    fn note(&mut self, base: Var, view: View, name: Name) {
        self.fields.retain(|(var, field, _)| (*var, *field) != (base, view));
        self.fields.push((base, view, name));
        self.fields.sort_unstable();
    }

    /// What a field holds.
    fn field(&self, base: Var, view: View) -> Option<Name> {
        self.fields.iter().find(|(var, field, _)| (*var, *field) == (base, view)).map(|(.., name)| *name)
    }
}

/// What is compared: an integer with a field of a cell, or with another integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Compared {
    Field(View, Name),
    Integers(Name, Name),
}

/// A step that compares.
struct Test {
    step: StepId,
    cell: Option<Var>,
    operator: CompareOperator,
}

/// Finds the comparisons that are worth tracking and puts them into the program.
pub(super) fn track(program: &Program, cells: &mut CellProgram, lookout: &Lookout<'_>) {
    let Some(mut numbering) = Numbering::new(program, cells) else { return };
    numbering.run(lookout);
    let tests = numbering.tests();
    let chosen: Vec<(Compared, Vec<Test>)> = tests
        .into_iter()
        .filter(|(_, tests)| {
            let mut places: Vec<Point> = tests.iter().map(|test| cells.steps[test.step].from).collect();
            places.sort_unstable();
            places.dedup();
            places.len() > 1
        })
        .take(MAX_COMPARISONS)
        .collect();
    let mut behind: IndexMap<StepId, Vec<Command>> = IndexMap::new();
    let mut comparisons = Vec::new();
    for (index, (compared, tests)) in chosen.into_iter().enumerate() {
        let comparison = ComparisonId::new(index);
        let (field, names) = match compared {
            Compared::Field(view, key) => (Some(view.access()), vec![key]),
            Compared::Integers(left, right) => (None, vec![left, right]),
        };
        let at = tests.first().map_or(cells.entry(), |test| cells.steps[test.step].from);
        let words = match compared {
            Compared::Field(view, key) => [format!("->{}", field_name(cells, view.access())), numbering.word(key, at)],
            Compared::Integers(left, right) => [numbering.word(left, at), numbering.word(right, at)],
        };
        for step in numbering.renewals(&names) {
            behind.entry(step).or_default().push(Command::Forget { comparison });
        }
        for Test { step, cell, operator } in tests {
            behind.entry(step).or_default().push(Command::Compare { comparison, cell, operator });
        }
        comparisons.push(Comparison { words, field });
    }
    for comparison in comparisons {
        cells.comparisons.push(comparison);
    }
    for (step, commands) in behind {
        for command in commands {
            put_behind(cells, step, command);
        }
    }
}

/// The name of a data field, in the first record that has it.
fn field_name(cells: &CellProgram, access: Access) -> String {
    let fields = cells.kinds.values().flat_map(|kind| &kind.data);
    let mut known =
        fields.filter(|field| i64::try_from(field.offset) == Ok(access.offset) && field.size == access.size);
    known.next().map_or_else(|| format!("byte {}", access.offset), DataField::words)
}

/// The command happens after the step, before its target.
fn put_behind(cells: &mut CellProgram, id: StepId, command: Command) {
    let Step { to, span, frame, edge, .. } = cells.steps[id];
    let between = cells.add_point(Origin { frame, location: None });
    cells.steps[id].to = between;
    cells.add_step(Step { from: between, to, command, span, frame, edge });
}

struct Numbering<'a> {
    program: &'a Program,
    cells: &'a CellProgram,
    /// The integer registers of every call string.
    registers: IndexSet<(u32, RegisterId)>,
    callees: FxHashMap<(u32, EdgeId), u32>,
    incoming: Vec<Vec<StepId>>,
    order: Vec<Point>,
    rows: Vec<Option<Row>>,
}

impl<'a> Numbering<'a> {
    /// Nothing if no integers are compared, or if there are too many.
    fn new(program: &'a Program, cells: &'a CellProgram) -> Option<Numbering<'a>> {
        let n_points = cells.outgoing.len();
        let mut registers = IndexSet::new();
        let mut callees = FxHashMap::default();
        for (frame, call) in cells.frames.iter().enumerate() {
            let function = &program.functions[call.function];
            for (register, description) in &function.registers {
                if matches!(program.ty(description.ty), Type::Int(_)) {
                    registers.insert((frame as u32, register));
                }
            }
            if let Some(caller) = call.caller {
                callees.insert(caller, frame as u32);
            }
        }
        if registers.is_empty() || registers.len() * n_points > MAX_ENTRIES {
            return None;
        }
        let mut incoming = vec![Vec::new(); n_points];
        for id in cells.outgoing.values().flatten() {
            incoming[cells.steps[*id].to.index()].push(*id);
        }
        let order = forwards(cells, &incoming);
        Some(Numbering { program, cells, registers, callees, incoming, order, rows: vec![None; n_points] })
    }

    fn run(&mut self, lookout: &Lookout<'_>) {
        let mut round = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for position in 0..self.order.len() {
                if lookout.is_over() {
                    return;
                }
                let point = self.order[position];
                let row = self.joined(point, round);
                if self.rows[point.index()].as_ref() != Some(&row) {
                    self.rows[point.index()] = Some(row);
                    changed = true;
                }
            }
            round += 1;
        }
    }

    /// What is known at a point, from the points before it.
    fn joined(&self, point: Point, round: usize) -> Row {
        let merge = |register: usize| Name::Merge(point, register as u32);
        let mut row: Option<Row> = None;
        for step in &self.incoming[point.index()] {
            let Some(after) = self.after(*step) else { continue };
            match &mut row {
                None => row = Some(after),
                Some(row) => {
                    row.fields.retain(|field| after.fields.contains(field));
                    for (register, (known, new)) in row.integers.iter_mut().zip(after.integers).enumerate() {
                        if known.name != new.name {
                            known.name = merge(register);
                        }
                        if known.field != new.field {
                            known.field = None;
                        }
                    }
                }
            }
        }
        let old = self.rows[point.index()].as_ref();
        let mut row = row.unwrap_or_else(|| {
            let unknown = |register| Integer { name: merge(register), field: None };
            Row { integers: (0..self.registers.len()).map(unknown).collect(), fields: Vec::new() }
        });
        if let (Some(old), true) = (old, round >= FREE_ROUNDS) {
            row.fields.retain(|field| old.fields.contains(field));
            for (register, (known, old)) in row.integers.iter_mut().zip(&old.integers).enumerate() {
                if known.name != old.name {
                    known.name = merge(register);
                }
                if old.field.is_none() {
                    known.field = None;
                }
            }
        }
        row
    }

    /// What is known after a step.
    fn after(&self, id: StepId) -> Option<Row> {
        let step = &self.cells.steps[id];
        let before = self.rows[step.from.index()].as_ref()?;
        let mut row = before.clone();
        let spoilt = |base: Var, access: Access| match &step.command {
            Command::Store { access: stored, .. } | Command::Fill { access: stored, .. } => overlap(access, *stored),
            Command::Free { .. } | Command::Contract { .. } | Command::Call { .. } | Command::Enter { .. } => true,
            // A field that a callee read is not reached through its variable once it has returned.
            Command::EndScope { vars } => vars.contains(&base),
            command => command.writes() == Some(base),
        };
        row.fields.retain(|(base, view, _)| !spoilt(*base, view.access()));
        for integer in &mut row.integers {
            integer.field = integer.field.filter(|(base, view)| !spoilt(*base, view.access()));
        }
        if let Some(edge) = step.edge {
            self.instruct(id, step, edge, before, &mut row);
        }
        if let Command::Copy { target, source } = step.command {
            let copied: Vec<_> = row.fields.iter().filter(|(base, ..)| *base == source).copied().collect();
            row.fields.extend(copied.into_iter().map(|(_, view, name)| (target, view, name)));
            row.fields.sort_unstable();
        }
        Some(row)
    }

    fn instruct(&self, id: StepId, step: &Step, edge: EdgeId, before: &Row, row: &mut Row) {
        let function = self.cells.frames[step.frame as usize].function;
        let Some(automaton) = self.program.functions[function].automaton() else { return };
        let fresh = Integer { name: Name::Step(id), field: None };
        let mut give = |frame: u32, register: RegisterId, value: Integer| {
            if let Some(index) = self.registers.get_index_of(&(frame, register)) {
                row.integers[index] = value;
            }
        };
        match &automaton.edges[edge].instruction {
            Instruction::Assign { target, value } => {
                give(step.frame, *target, self.value(before, step.frame, value).unwrap_or(fresh));
            }
            Instruction::Load { target, place } => {
                let is_integer = self.registers.contains(&(step.frame, *target));
                let seen = match &step.command {
                    Command::Load { base, access, .. } if is_integer => {
                        View::of(self.program, place, *access).map(|view| (*base, view))
                    }
                    _ => None,
                };
                match seen {
                    Some((base, view)) => {
                        let name = before.field(base, view).unwrap_or(fresh.name);
                        give(step.frame, *target, Integer { name, field: Some((base, view)) });
                        row.note(base, view, name);
                    }
                    None => give(step.frame, *target, fresh),
                }
            }
            // What is stored into a bit-field is cut to its bits: it is read as another integer.
            Instruction::Store { value, place } if place.bits.is_none() => {
                if let (Command::Store { base, access, .. }, Some(integer)) =
                    (&step.command, self.operand(before, step.frame, *value))
                    && let Some(view) = View::of(self.program, place, *access)
                {
                    row.note(*base, view, integer.name);
                }
            }
            Instruction::Call { target, arguments, .. } => match self.callees.get(&(step.frame, edge)) {
                Some(callee) if !matches!(step.command, Command::Call { .. }) => {
                    let called = &self.cells.frames[*callee as usize];
                    let definition = &self.program.functions[called.function];
                    if self.cells.origins[step.to].frame == *callee {
                        for (parameter, argument) in definition.parameters.iter().zip(arguments) {
                            give(*callee, *parameter, self.operand(before, step.frame, *argument).unwrap_or(fresh));
                        }
                    } else if called.returns == Some(step.from)
                        && let (Some(target), Some(result)) = (target, definition.result)
                    {
                        let result = self.operand(before, *callee, Operand::Register(result));
                        give(step.frame, *target, result.unwrap_or(fresh));
                    }
                }
                // A call that is not inlined: names of the callee stand for other values each time.
                Some(_) | None => {
                    if let Some(target) = target {
                        give(step.frame, *target, fresh);
                    }
                }
            },
            Instruction::Alloc { target, .. } => give(step.frame, *target, fresh),
            Instruction::Store { .. }
            | Instruction::Copy { .. }
            | Instruction::Free { .. }
            | Instruction::End { .. }
            | Instruction::Assume(_)
            | Instruction::Assert(_)
            | Instruction::Unsupported(_) => {}
        }
    }

    fn value(&self, row: &Row, frame: u32, value: &Expression) -> Option<Integer> {
        match value {
            Expression::Operand(operand) => self.operand(row, frame, *operand),
            Expression::Convert { from, to, value: Operand::Register(register) }
                if widens(self.program, *from, *to) =>
            {
                self.operand(row, frame, Operand::Register(*register))
            }
            _ => None,
        }
    }

    fn operand(&self, row: &Row, frame: u32, operand: Operand) -> Option<Integer> {
        match operand {
            Operand::Int(value) => Some(Integer { name: Name::Constant(value), field: None }),
            Operand::Register(register) => {
                self.registers.get_index_of(&(frame, register)).map(|index| row.integers[index])
            }
            Operand::Float(_) | Operand::Global(_) | Operand::Function(_) => None,
        }
    }

    /// All comparisons, with the steps that make them.
    fn tests(&self) -> IndexMap<Compared, Vec<Test>> {
        let mut tests: IndexMap<Compared, Vec<Test>> = IndexMap::new();
        for id in self.cells.outgoing.values().flatten() {
            for (compared, cell, operator) in self.test(&self.cells.steps[*id]).into_iter().flatten() {
                tests.entry(compared).or_default().push(Test { step: *id, cell, operator });
            }
        }
        tests
    }

    /// What a step compares, seen from either operand: it is not clear which one will be compared again.
    fn test(&self, step: &Step) -> Option<Vec<(Compared, Option<Var>, CompareOperator)>> {
        let edge = step.edge?;
        let is_same = |other: &StepId| {
            let other = &self.cells.steps[*other];
            other.edge == step.edge && other.frame == step.frame
        };
        if !matches!(step.command, Command::Skip | Command::Assume { .. })
            || self.cells.outgoing[step.to].iter().any(is_same)
        {
            return None;
        }
        let row = self.rows[step.from.index()].as_ref()?;
        let function = &self.program.functions[self.cells.frames[step.frame as usize].function];
        let Instruction::Assume(Condition::Compare { operator, ty, left, right }) =
            &function.automaton()?.edges[edge].instruction
        else {
            return None;
        };
        if !matches!(self.program.ty(*ty), Type::Int(_)) {
            return None;
        }
        let (first, second) = (self.operand(row, step.frame, *left)?, self.operand(row, step.frame, *right)?);
        let mut seen = Vec::new();
        if let Some((base, view)) = first.field {
            seen.push((Compared::Field(view, second.name), Some(base), *operator));
        }
        if let Some((base, view)) = second.field {
            seen.push((Compared::Field(view, first.name), Some(base), flipped(*operator)));
        }
        if seen.is_empty() {
            match (first.name, second.name) {
                (Name::Constant(_), Name::Constant(_)) => {}
                (left, right) if left <= right => seen.push((Compared::Integers(left, right), None, *operator)),
                (left, right) => seen.push((Compared::Integers(right, left), None, flipped(*operator))),
            }
        }
        Some(seen)
    }

    /// An integer in words: a constant, or the register that holds it at a point, a variable of the C text if there is one.
    fn word(&self, name: Name, at: Point) -> String {
        if let Name::Constant(value) = name {
            return value.to_string();
        }
        let Some(row) = &self.rows[at.index()] else { return "a value".to_owned() };
        let holders = row.integers.iter().enumerate().filter(|(_, integer)| integer.name == name);
        let registers = holders.filter_map(|(index, _)| {
            let (frame, register) = self.registers.get_index(index)?;
            let function = self.cells.frames[*frame as usize].function;
            Some(&self.program.functions[function].registers[*register])
        });
        let best = registers.min_by_key(|register| !matches!(register.origin, RegisterOrigin::Variable(_)));
        best.map_or_else(|| "a value".to_owned(), |register| register.name.clone())
    }

    /// The steps after which names stand for new values.
    fn renewals(&self, names: &[Name]) -> Vec<StepId> {
        let mut renewals = Vec::new();
        for name in names {
            match *name {
                Name::Constant(_) => {}
                Name::Step(step) => renewals.push(step),
                Name::Merge(point, register) => {
                    for step in &self.incoming[point.index()] {
                        let is_new = self.after(*step).is_none_or(|row| row.integers[register as usize].name != *name);
                        if is_new {
                            renewals.push(*step);
                        }
                    }
                }
            }
        }
        renewals.sort_unstable();
        renewals.dedup();
        renewals
    }
}

/// All points, each behind those that lead to it as far as there are no cycles.
fn forwards(cells: &CellProgram, incoming: &[Vec<StepId>]) -> Vec<Point> {
    let mut seen = vec![false; cells.outgoing.len()];
    let mut order = Vec::with_capacity(cells.outgoing.len());
    let roots = cells.outgoing.keys().filter(|point| incoming[point.index()].is_empty());
    for root in roots.collect::<Vec<_>>().into_iter().chain([cells.entry()]).rev() {
        let mut stack = vec![(root, 0)];
        if std::mem::replace(&mut seen[root.index()], true) {
            continue;
        }
        while let Some((point, next)) = stack.pop() {
            match cells.outgoing[point].get(next) {
                None => order.push(point),
                Some(step) => {
                    stack.push((point, next + 1));
                    let to = cells.steps[*step].to;
                    if !std::mem::replace(&mut seen[to.index()], true) {
                        stack.push((to, 0));
                    }
                }
            }
        }
    }
    order.reverse();
    order
}

fn overlap(left: Access, right: Access) -> bool {
    let end = |access: Access| i128::from(access.offset) + i128::from(access.size);
    i128::from(left.offset) < end(right) && i128::from(right.offset) < end(left)
}

fn flipped(operator: CompareOperator) -> CompareOperator {
    match operator {
        CompareOperator::Equal => CompareOperator::Equal,
        CompareOperator::NotEqual => CompareOperator::NotEqual,
        CompareOperator::Less => CompareOperator::Greater,
        CompareOperator::LessEqual => CompareOperator::GreaterEqual,
        CompareOperator::Greater => CompareOperator::Less,
        CompareOperator::GreaterEqual => CompareOperator::LessEqual,
    }
}
