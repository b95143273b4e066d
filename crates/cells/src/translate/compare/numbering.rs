//! Global value numbering of integers: two that have the same name hold the same value.
//!
//! Integers are named by where they come from: a step, or a join point of paths with different ones. A name that is seen
//! by several steps stands for one value until its step is taken again, or its point is reached again: no register can
//! hold a name before the step that makes it, so at that step none holds an older value of the same name.
//!
//! The analysis is optimistic: a loop's head first sees what comes from before the loop alone, and keeps that name unless the
//! loop brings another one.

use crate::atom::Var;
use crate::integers::{IntegerOperand, IntegerStep, IntegerValue, Integers, View};
use crate::program::{Access, CellProgram, Command, Point, Step, StepId};
use heapwise_dataflow::{Analysis, Direction, Flow, Iteration, JoinSemiLattice, Results, iterate_to_fixpoint};
use heapwise_engine::{BudgetMeter, Exhausted};
use heapwise_ir::entity::EntityRef;

/// Rounds in which names may still become more general, before they only become more special.
const FREE_ROUNDS: u32 = 6;

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Name {
    Constant(i128),
    /// What the step gave its target.
    Step(StepId),
    /// What the register held when the point was reached.
    Merge(Point, u32),
}

/// What is known of an integer register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Integer {
    pub(super) name: Name,
    /// The field of a cell that holds the same value.
    pub(super) field: Option<(Var, View)>,
}

/// What is known at a point.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Row {
    /// The point: different names get one of their own there.
    point: Point,
    /// Of each register.
    pub(super) integers: Vec<Integer>,
    /// The fields of which it is known what they hold, through which variable.
    fields: Vec<(Var, View, Name)>,
}

impl Clone for Row {
    fn clone(&self) -> Row {
        Row { point: self.point, integers: self.integers.clone(), fields: self.fields.clone() }
    }

    /// Keeps the memory.
    fn clone_from(&mut self, other: &Row) {
        self.point = other.point;
        self.integers.clone_from(&other.integers);
        self.fields.clone_from(&other.fields);
    }
}

impl JoinSemiLattice for Row {
    fn join(&mut self, other: &Row) -> bool {
        let n_fields = self.fields.len();
        self.fields.retain(|field| other.fields.contains(field));
        let mut changed = self.fields.len() != n_fields;
        for (register, (known, new)) in self.integers.iter_mut().zip(&other.integers).enumerate() {
            let before = *known;
            if known.name != new.name {
                known.name = Name::Merge(self.point, register as u32);
            }
            if known.field != new.field {
                known.field = None;
            }
            changed |= *known != before;
        }
        changed
    }
}

impl Row {
    /// What an operand holds.
    pub(super) fn operand(&self, operand: IntegerOperand) -> Integer {
        match operand {
            IntegerOperand::Constant(value) => Integer { name: Name::Constant(value), field: None },
            IntegerOperand::Register(register) => self.integers[register],
        }
    }

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

    /// What was known of fields that a step may write, or of variables that it does.
    fn forget(&mut self, step: &Step) {
        let spoilt = |base: Var, access: Access| match &step.command {
            Command::Store { access: stored, .. } | Command::Fill { access: stored, .. } => overlap(access, *stored),
            Command::Free { .. } | Command::Contract { .. } | Command::Call { .. } | Command::Enter { .. } => true,
            // A field that a callee read is not reached through its variable once it has returned.
            Command::EndScope { vars } => vars.contains(&base),
            command => command.writes() == Some(base),
        };
        self.fields.retain(|(base, view, _)| !spoilt(*base, view.access()));
        for integer in &mut self.integers {
            integer.field = integer.field.filter(|(base, view)| !spoilt(*base, view.access()));
        }
    }
}

/// The names at each point.
pub(super) type Numbers<'a> = Results<CellProgram, ValueNumbering<'a>>;

/// The analysis.
pub(super) struct ValueNumbering<'a> {
    integers: &'a Integers,
    /// Whether no step leads to a point: nothing is known there.
    is_start: Vec<bool>,
}

/// Numbers the integers of a program.
pub(super) fn number<'a>(
    cells: &CellProgram,
    integers: &'a Integers,
    meter: &BudgetMeter<'_>,
) -> Result<Numbers<'a>, Exhausted> {
    let mut is_start = vec![true; cells.outgoing.len()];
    for id in cells.outgoing.values().flatten() {
        is_start[cells.steps[*id].to.index()] = false;
    }
    is_start[cells.entry().index()] = true;
    iterate_to_fixpoint(cells, ValueNumbering { integers, is_start }, |_| meter.check())
}

impl Analysis<CellProgram> for ValueNumbering<'_> {
    type Domain = Row;
    const DIRECTION: Direction = Direction::Forward;
    const ITERATION: Iteration = Iteration::Replacing { rounds: FREE_ROUNDS };

    fn boundary(&self, _: &CellProgram, point: Point) -> Option<Row> {
        let unknown = |register| Integer { name: Name::Merge(point, register as u32), field: None };
        self.is_start[point.index()].then(|| Row {
            point,
            integers: (0..self.integers.registers.len()).map(unknown).collect(),
            fields: Vec::new(),
        })
    }

    fn apply(&self, cells: &CellProgram, id: StepId, row: &mut Row) -> Flow {
        let step = &cells.steps[id];
        let fresh = Integer { name: Name::Step(id), field: None };
        // What is read is read before anything is forgotten.
        match self.integers.step(id) {
            None | Some(IntegerStep::Compare { .. }) => row.forget(step),
            Some(IntegerStep::Assign(values)) => {
                let value = |value: &IntegerValue| match value {
                    IntegerValue::Same(operand) => row.operand(*operand),
                    IntegerValue::New => fresh,
                };
                let given: smallvec::SmallVec<[(usize, Integer); 2]> =
                    values.iter().map(|(target, given)| (*target, value(given))).collect();
                row.forget(step);
                for (target, integer) in given {
                    row.integers[target] = integer;
                }
            }
            Some(IntegerStep::Load { target, base, view }) => {
                let name = row.field(*base, *view).unwrap_or(fresh.name);
                row.forget(step);
                row.integers[*target] = Integer { name, field: Some((*base, *view)) };
                row.note(*base, *view, name);
            }
            Some(IntegerStep::Store { base, view, value }) => {
                let name = row.operand(*value).name;
                row.forget(step);
                row.note(*base, *view, name);
            }
        }
        if let Command::Copy { target, source } = step.command {
            let copied: Vec<_> = row.fields.iter().filter(|(base, ..)| *base == source).copied().collect();
            row.fields.extend(copied.into_iter().map(|(_, view, name)| (target, view, name)));
            row.fields.sort_unstable();
        }
        row.point = step.to;
        Flow::Continues
    }
}

fn overlap(left: Access, right: Access) -> bool {
    let end = |access: Access| i128::from(access.offset) + i128::from(access.size);
    i128::from(left.offset) < end(right) && i128::from(right.offset) < end(left)
}
