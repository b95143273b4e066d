//! Integers that are compared more than once: `key < p->key` decides which way a search goes down, and again where the new
//! node is put. Integers themselves are not tracked, but what the first comparison found out is: for a field of a cell
//! compared with an integer, and for two integers. A field is one of bytes *as a type*: what was found out of an `int` says
//! nothing of the same bytes as an `unsigned`, and a write to them ends what is known of both.
//!
//! Whether two comparisons compare the same integers is found out by global value numbering ([`numbering`]), on what steps do to
//! integers ([`crate::integers`]).

mod numbering;

use crate::atom::Var;
use crate::compare::{Comparison, ComparisonId};
use crate::integers::{IntegerStep, Integers, View};
use crate::program::{Access, CellProgram, Command, DataField, Origin, Point, Step, StepId};
use heapwise_engine::{BudgetMeter, Exhausted};
use heapwise_ir::CompareOperator;
use heapwise_ir::entity::EntityRef;
use indexmap::IndexMap;
use numbering::{Name, Numbers, number};

/// No more comparisons than this are tracked.
const MAX_COMPARISONS: usize = 12;

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
pub(super) fn track(cells: &mut CellProgram, meter: &BudgetMeter<'_>) -> Result<(), Exhausted> {
    let Some(integers) = cells.integers.take() else { return Ok(()) };
    let numbers = number(cells, &integers, meter)?;
    let comparing = Comparing { cells, integers: &integers, numbers: &numbers };
    let tests = comparing.tests();
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
            Compared::Field(view, key) => [format!("->{}", field_name(cells, view.access())), comparing.word(key, at)],
            Compared::Integers(left, right) => [comparing.word(left, at), comparing.word(right, at)],
        };
        for step in comparing.renewals(&names) {
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
    Ok(())
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

struct Comparing<'a> {
    cells: &'a CellProgram,
    integers: &'a Integers,
    numbers: &'a Numbers<'a>,
}

impl Comparing<'_> {
    /// All comparisons, with the steps that make them.
    fn tests(&self) -> IndexMap<Compared, Vec<Test>> {
        let mut tests: IndexMap<Compared, Vec<Test>> = IndexMap::new();
        for id in self.cells.outgoing.values().flatten() {
            for (compared, cell, operator) in self.test(*id).into_iter().flatten() {
                tests.entry(compared).or_default().push(Test { step: *id, cell, operator });
            }
        }
        tests
    }

    /// What a step compares, seen from either operand: it is not clear which one will be compared again.
    fn test(&self, id: StepId) -> Option<Vec<(Compared, Option<Var>, CompareOperator)>> {
        let Some(IntegerStep::Compare { operator, left, right }) = self.integers.step(id) else { return None };
        let row = self.numbers.at(self.cells.steps[id].from)?;
        let (first, second) = (row.operand(*left), row.operand(*right));
        let mut seen = Vec::new();
        if let Some((base, view)) = first.field {
            seen.push((Compared::Field(view, second.name), Some(base), *operator));
        }
        if let Some((base, view)) = second.field {
            seen.push((Compared::Field(view, first.name), Some(base), operator.mirrored()));
        }
        if seen.is_empty() {
            match (first.name, second.name) {
                (Name::Constant(_), Name::Constant(_)) => {}
                (left, right) if left <= right => seen.push((Compared::Integers(left, right), None, *operator)),
                (left, right) => seen.push((Compared::Integers(right, left), None, operator.mirrored())),
            }
        }
        Some(seen)
    }

    /// An integer in words: a constant, or the register that holds it at a point, a variable of the C text if there is one.
    fn word(&self, name: Name, at: Point) -> String {
        if let Name::Constant(value) = name {
            return value.to_string();
        }
        let Some(row) = self.numbers.at(at) else { return "a value".to_owned() };
        let registers = row.integers.iter().zip(&self.integers.registers);
        let holders = registers.filter(|(integer, _)| integer.name == name).map(|(_, register)| register);
        let best = holders.min_by_key(|register| !register.is_variable);
        best.map_or_else(|| "a value".to_owned(), |register| register.name.clone())
    }

    /// The steps after which names stand for new values.
    fn renewals(&self, names: &[Name]) -> Vec<StepId> {
        let mut renewals = Vec::new();
        let mut cursor = self.numbers.cursor(self.cells);
        for name in names {
            match *name {
                Name::Constant(_) => {}
                Name::Step(step) => renewals.push(step),
                Name::Merge(point, register) => {
                    let steps = self.cells.outgoing.values().flatten();
                    for step in steps.filter(|step| self.cells.steps[**step].to == point) {
                        let row = cursor.behind(*step);
                        if row.is_none_or(|row| row.integers[register as usize].name != *name) {
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
