//! Available loads: what is known of links at each point (available expressions, forward and must).
//!
//! A fact says that the link of what a variable points to is held by another variable, or that two variables hold the same.
//! It comes from a read, a write or a copy, holds on all ways to a point, and ends where either variable is written; for a
//! link also where anything is stored in a link of the same place in some cell, cells are freed, or a call is not inlined.
//!
//! What is read through a pointer to one of several fields ([`super::super::fields`]) is known too, whichever field it is, and
//! also where the pointer leads to an object: the ways that such a read is split into agree on it.

use super::Pointers;
use crate::atom::{Atom, Var};
use crate::program::{
    Access, CellProgram, Command, Declared, Point, Source, StepId, Variable, VariableSource, VariableStorage,
};
use crate::touch::Touched;
use heapwise_dataflow::{Analysis, Direction, Flow, Graph, MustSet, Progress, Results, iterate_to_fixpoint};
use heapwise_engine::{BudgetMeter, Exhausted};
use heapwise_ir::CompareOperator;

/// Programs with more facts at their points than this are left alone.
const MAX_FACTS: usize = 2_000_000;

/// What is known at a point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Fact {
    /// Two variables hold the same; the lesser one comes first.
    Same(Var, Var),
    /// The link of what the variable points to is held by another variable.
    Held { base: Var, offset: i64, size: u64, by: Var },
    /// What the variable, which points to one of several fields or to an object, leads to is held by another variable.
    Led { by: Var, pointer: Var },
    /// The variable points to a cell that has these bytes: they were read or written through it.
    Leads { base: Var, offset: i64, size: u64 },
    /// The variable holds this number.
    Is(Var, i32),
}

impl Fact {
    fn same(one: Var, other: Var) -> Fact {
        Fact::Same(one.min(other), one.max(other))
    }

    pub(super) fn held(base: Var, access: Access, by: Var) -> Fact {
        Fact::Held { base, offset: access.offset, size: access.size, by }
    }

    pub(super) fn mentions(self, var: Var) -> bool {
        match self {
            Fact::Same(one, other) => one == var || other == var,
            Fact::Held { base, by, .. } => base == var || by == var,
            Fact::Led { pointer, by } => pointer == var || by == var,
            Fact::Is(known, _) | Fact::Leads { base: known, .. } => known == var,
        }
    }

    pub(super) fn overlaps(self, access: Access) -> bool {
        let end = |offset: i64, size: u64| i128::from(offset) + i128::from(size);
        match self {
            Fact::Same(..) | Fact::Is(..) | Fact::Leads { .. } => false,
            Fact::Led { .. } => true,
            Fact::Held { offset, size, .. } => {
                i128::from(offset) < end(access.offset, access.size) && i128::from(access.offset) < end(offset, size)
            }
        }
    }
}

/// The facts of a point.
pub(super) type Row = MustSet<Fact>;

/// What is taken for granted of calls that are not inlined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Calls {
    /// They may change every link.
    Change,
    /// They leave links as they are: a guess, which is not to be relied on.
    Leave,
}

/// What holds at each point on all ways to it.
pub(super) type Available<'a> = Results<CellProgram, AvailableLoads<'a>>;

/// Computes it; nothing if there is too much of it.
pub(super) fn available<'a>(
    cells: &CellProgram,
    pointers: &'a Pointers,
    calls: Calls,
    meter: &BudgetMeter<'_>,
) -> Result<Option<Available<'a>>, Exhausted> {
    let check = |progress: Progress| {
        meter.check().map_err(Some)?;
        if progress.weight > MAX_FACTS { Err(None) } else { Ok(()) }
    };
    match iterate_to_fixpoint(cells, AvailableLoads { pointers, calls }, check) {
        Ok(results) => Ok(Some(results)),
        Err(Some(exhausted)) => Err(exhausted),
        Err(None) => Ok(None),
    }
}

/// The analysis.
pub(super) struct AvailableLoads<'a> {
    pointers: &'a Pointers,
    calls: Calls,
}

impl Analysis<CellProgram> for AvailableLoads<'_> {
    type Domain = Row;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self, cells: &CellProgram, point: Point) -> Option<Row> {
        cells.entries().any(|entry| entry == point).then(Row::default)
    }

    fn apply(&self, cells: &CellProgram, step: StepId, row: &mut Row) -> Flow {
        if is_impossible(cells, step, row) {
            return Flow::Ends;
        }
        match (&cells.steps[step].command, self.calls) {
            (Command::Call { references, .. }, Calls::Leave) => guess(cells, step, references, row),
            _ => self.step(cells, step, row),
        }
        Flow::Continues
    }

    fn weight(&self, row: &Row) -> usize {
        row.len()
    }
}

/// Whether a step is never taken where this holds.
fn is_impossible(cells: &CellProgram, id: StepId, row: &Row) -> bool {
    let Command::Assume { operator, left: Source::Var(var), right: Source::Atom(Atom::Int(other)) } =
        cells.steps[id].command
    else {
        return false;
    };
    let Some(number) = number(row, var) else { return false };
    match operator {
        CompareOperator::Equal => number != i64::from(other),
        CompareOperator::NotEqual => number == i64::from(other),
        _ => false,
    }
}

impl AvailableLoads<'_> {
    /// What holds after a step.
    fn step(&self, cells: &CellProgram, id: StepId, row: &mut Row) {
        let pointers = self.pointers;
        let step = &cells.steps[id];
        if let Some(target) = step.command.writes() {
            row.retain(|fact| !fact.mentions(target));
            forget_led(cells, pointers, row, target);
        }
        if let Some((base, Access { offset, size })) = leads_after(&step.command) {
            same_as(row, base).into_iter().for_each(|base| add(row, Fact::Leads { base, offset, size }));
        }
        match &step.command {
            Command::Load { target: Some(target), base, access } if target != base => {
                if is_link(cells, *access) {
                    hold(row, *base, *access, *target);
                }
                if let Some(offset) = pointers.offset_of.get(base) {
                    // Where it points to no field, nothing is read: such a step fails.
                    let is_there = number(row, *offset).unwrap_or(0) == access.offset;
                    if is_there && cells.kinds.values().any(|kind| kind.pointer_bytes == access.size) {
                        add(row, Fact::Led { pointer: *base, by: *target });
                    }
                }
            }
            Command::Store { base, access, value } => {
                end_by_store(row, *access, *value);
                if let Source::Var(value) = value
                    && is_link(cells, *access)
                    && is_pointer(cells, *value)
                {
                    hold(row, *base, *access, *value);
                }
            }
            Command::Fill { access, .. } => row.retain(|fact| !fact.overlaps(*access)),
            Command::Copy { target, source } if target != source => {
                hold_for_copy(row, *target, *source);
                add(row, Fact::same(*target, *source));
                if let Some(pointer) = pointers.through.get(&id).copied() {
                    add(row, Fact::Led { pointer, by: *target });
                }
            }
            Command::Set { target, value: Atom::Int(number) }
            | Command::Assume {
                operator: CompareOperator::Equal,
                left: Source::Var(target),
                right: Source::Atom(Atom::Int(number)),
            } => add(row, Fact::Is(*target, *number)),
            Command::EndScope { vars } => {
                row.retain(|fact| !vars.iter().any(|var| fact.mentions(*var)));
                vars.iter().for_each(|var| forget_led(cells, pointers, row, *var));
            }
            Command::Free { .. } => row.retain(|fact| matches!(fact, Fact::Same(..) | Fact::Is(..))),
            Command::Contract { .. } | Command::Call { .. } | Command::Enter { .. } => row.clear(),
            // What two places hold that held the same becomes the same.
            Command::Retire { .. }
            | Command::Touch { .. }
            | Command::Case { .. }
            | Command::Skip
            | Command::Set { .. }
            | Command::Load { .. }
            | Command::Alloc { .. }
            | Command::Copy { .. }
            | Command::Assume { .. }
            | Command::Compare { .. }
            | Command::Forget { .. }
            | Command::Shape { .. }
            | Command::FailWhen { .. }
            | Command::Fail { .. }
            | Command::Use { .. }
            | Command::End(_)
            | Command::Leave { .. }
            | Command::Gap { .. } => {}
        }
        propagate_led(cells, pointers, row);
    }
}

/// A store ends what is known of links that it may overwrite. Where the same value is stored, it does not matter whether it
/// is the same cell.
fn end_by_store(row: &mut Row, access: Access, value: Source) {
    let same = value.var().map_or_else(Vec::new, |value| same_as(row, value));
    let is_same = |fact: Fact| match fact {
        Fact::Same(..) | Fact::Is(..) | Fact::Leads { .. } => true,
        Fact::Led { by, .. } => same.contains(&by),
        Fact::Held { base, by, .. } => same.contains(&by) && fact == Fact::held(base, access, by),
    };
    row.retain(|fact| !fact.overlaps(access) || is_same(*fact));
}

/// What is known of a variable is known of its copy.
fn hold_for_copy(row: &mut Row, target: Var, source: Var) {
    let copied: Vec<Fact> = row.iter().filter(|fact| fact.mentions(source)).copied().collect();
    for fact in copied {
        match fact {
            Fact::Same(one, other) => add(row, Fact::same(target, if one == source { other } else { one })),
            Fact::Is(_, number) => add(row, Fact::Is(target, number)),
            Fact::Led { pointer, by } if by == source => add(row, Fact::Led { pointer, by: target }),
            Fact::Led { .. } => {}
            Fact::Leads { offset, size, .. } => add(row, Fact::Leads { base: target, offset, size }),
            Fact::Held { base, offset, size, by } => {
                if base == source {
                    add(row, Fact::Held { base: target, offset, size, by });
                }
                if by == source {
                    add(row, Fact::Held { base, offset, size, by: target });
                }
            }
        }
    }
}

/// A call leaves links as they are.
fn guess(cells: &CellProgram, id: StepId, references: &[(Var, Var)], row: &mut Row) {
    let target = cells.steps[id].command.writes();
    let is_set = |fact: &Fact| {
        target.is_some_and(|target| fact.mentions(target)) || references.iter().any(|(_, outer)| fact.mentions(*outer))
    };
    row.retain(|fact| !is_set(fact));
}

/// The variable that something was read or written through, if it still holds what it held.
fn leads_after(command: &Command) -> Option<(Var, Access)> {
    match command {
        Command::Load { target, base, access } => (*target != Some(*base)).then_some((*base, *access)),
        Command::Store { base, access, .. }
        | Command::Fill { base, access, .. }
        | Command::Touch { base, access, .. } => Some((*base, *access)),
        _ => None,
    }
}

/// What pointers to a variable lead to is not known any more when it is written, nor where they point to another field.
fn forget_led(cells: &CellProgram, pointers: &Pointers, row: &mut Row, written: Var) {
    let variable = &cells.vars[written];
    let is_object = match variable.source {
        VariableSource::Register(_) => false,
        VariableSource::Global(..) | VariableSource::Local(..) => true,
        // What a procedure was called with is never written through a pointer; objects of its callers are.
        VariableSource::Ghost => variable.storage != VariableStorage::Temporary,
    };
    row.retain(|fact| match fact {
        Fact::Led { pointer, .. } => !is_object && pointers.offset_of.get(pointer) != Some(&written),
        Fact::Same(..) | Fact::Held { .. } | Fact::Is(..) | Fact::Leads { .. } => true,
    });
}

/// Where it is known which field a pointer leads to, what is known of the field and of the pointer is the same.
fn propagate_led(cells: &CellProgram, pointers: &Pointers, row: &mut Row) {
    if pointers.offset_of.is_empty() {
        return;
    }
    let before = row.clone();
    for fact in before.iter().copied() {
        let (Fact::Led { pointer, by } | Fact::Held { base: pointer, by, .. }) = fact else { continue };
        let Some(offset) = pointers.offset_of.get(&pointer) else { continue };
        let Some(number) = number(row, *offset) else { continue };
        match fact {
            Fact::Led { .. } => {
                for kind in cells.kinds.values() {
                    let access = Access { offset: number, size: kind.pointer_bytes };
                    if is_link(cells, access) {
                        add(row, Fact::held(pointer, access, by));
                    }
                }
            }
            Fact::Held { offset, size, .. }
                if offset == number && cells.kinds.values().any(|k| k.pointer_bytes == size) =>
            {
                add(row, Fact::Led { pointer, by });
            }
            Fact::Held { .. } | Fact::Same(..) | Fact::Is(..) | Fact::Leads { .. } => {}
        }
    }
}

/// The link is held by a variable, and by all that hold the same.
fn hold(row: &mut Row, base: Var, access: Access, by: Var) {
    for base in same_as(row, base) {
        for by in same_as(row, by) {
            add(row, Fact::held(base, access, by));
        }
    }
}

/// The number that a variable holds.
fn number(row: &Row, var: Var) -> Option<i64> {
    row.iter().find_map(|fact| match *fact {
        Fact::Is(known, number) if known == var => Some(i64::from(number)),
        Fact::Is(..) | Fact::Same(..) | Fact::Held { .. } | Fact::Led { .. } | Fact::Leads { .. } => None,
    })
}

/// The variables that hold the same as one of them.
fn same_as(row: &Row, var: Var) -> Vec<Var> {
    let others = row.iter().filter_map(|fact| match *fact {
        Fact::Same(one, other) if one == var => Some(other),
        Fact::Same(one, other) if other == var => Some(one),
        Fact::Same(..) | Fact::Held { .. } | Fact::Led { .. } | Fact::Is(..) | Fact::Leads { .. } => None,
    });
    others.chain([var]).collect()
}

fn add(row: &mut Row, fact: Fact) {
    row.insert(fact);
}

/// Whether some cells have a link there.
pub(super) fn is_link(cells: &CellProgram, access: Access) -> bool {
    cells.kinds.values().any(|kind| matches!(kind.touched(access), Touched::Link(_)))
}

/// Whether what is stored is read back as it is, whatever the type that it is read with.
fn is_pointer(cells: &CellProgram, var: Var) -> bool {
    let Variable { source, declared, .. } = &cells.vars[var];
    matches!(source, VariableSource::Register(_)) && *declared == Declared::Pointer
}
