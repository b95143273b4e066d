//! Ways that meet: `if (x) x->parent = y->parent;` reads a link on one way only, and the same link is read again behind.
//!
//! Where a link is known on some of the ways to a point and may be read again from there on, a variable of its own holds it
//! from that point on: on the ways where it is known it is a copy, on the others the link is read there. Such a read does not
//! fail, since something was read through the same pointer before, and all cells that have it have the link. Points that ways come back to are left as they are: what a
//! round leaves behind is read by the next one anyhow.

use super::Pointers;
use super::facts::{Fact, Row, after, facts, is_impossible, is_link};
use crate::atom::Var;
use crate::program::{
    Access, CellKind, CellProgram, Command, Origin, Point, Step, StepId, Variable, VariableSource, VariableStorage,
};
use crate::touch::Touched;
use heapwise_ir::Program;
use heapwise_ir::entity::EntityRef;
use rustc_hash::FxHashSet;

/// What is known behind a join makes more known at the next one, as often as this.
const ROUNDS: usize = 4;

/// A link that is read: the pointer, and where in the cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct Wanted {
    base: Var,
    offset: i64,
    size: u64,
}

impl Wanted {
    fn access(self) -> Access {
        Access { offset: self.offset, size: self.size }
    }

    /// Whether every kind of cell that has the bytes that were read through the pointer has a link there.
    fn is_readable(self, cells: &CellProgram, row: &Row) -> bool {
        let leads = row.iter().filter_map(|fact| match *fact {
            Fact::Leads { base, offset, size } if base == self.base => Some(Access { offset, size }),
            _ => None,
        });
        let seen: Vec<Access> = leads.collect();
        let is_another = |kind: &CellKind| seen.iter().any(|access| kind.touched(*access) == Touched::Outside);
        let has_it = |kind: &CellKind| matches!(kind.touched(self.access()), Touched::Link(_));
        !seen.is_empty() && cells.kinds.values().all(|kind| is_another(kind) || has_it(kind))
    }

    /// A variable that holds it.
    fn holder(self, row: &Row) -> Option<Var> {
        row.iter().find_map(|fact| match *fact {
            Fact::Held { base, offset, size, by } if (Wanted { base, offset, size }) == self => Some(by),
            _ => None,
        })
    }
}

/// Makes links known where ways meet.
pub(super) fn settle(program: &Program, cells: &mut CellProgram, pointers: &Pointers) {
    let forward = forward_only(cells);
    for _ in 0..ROUNDS {
        let Some(rows) = facts(program, cells, pointers) else { return };
        let wanted = wanted(cells);
        let incoming = incoming(cells);
        let mut changed = false;
        for point in 0..forward.len() {
            let point = Point::new(point);
            if !forward[point.index()] || incoming[point.index()].len() < 2 {
                continue;
            }
            let ways = ways(program, cells, pointers, &rows, &incoming[point.index()]);
            for wanted in &wanted[point.index()] {
                changed |= hold(cells, point, &ways, *wanted);
            }
        }
        if !changed {
            break;
        }
    }
}

/// The steps that lead to a point, with what holds after each; without those that are never taken.
fn ways(
    program: &Program,
    cells: &CellProgram,
    pointers: &Pointers,
    rows: &[Option<Row>],
    incoming: &[StepId],
) -> Vec<(StepId, Row)> {
    let way = |id: &StepId| {
        let row = rows[cells.steps[*id].from.index()].as_ref()?;
        (!is_impossible(cells, *id, row)).then(|| (*id, after(program, cells, pointers, *id, row)))
    };
    incoming.iter().filter_map(way).collect()
}

/// Has a link held by a variable from a point on, if it is known on some ways to it but not on all.
fn hold(cells: &mut CellProgram, point: Point, ways: &[(StepId, Row)], wanted: Wanted) -> bool {
    let holders: Vec<Option<Var>> = ways.iter().map(|(_, row)| wanted.holder(row)).collect();
    let n_known = holders.iter().flatten().count();
    let is_readable =
        |(way, holder): (&(StepId, Row), &Option<Var>)| holder.is_some() || wanted.is_readable(cells, &way.1);
    if n_known == 0 || n_known == ways.len() || !ways.iter().zip(&holders).all(is_readable) {
        return false;
    }
    let name = format!("a link of {}", cells.vars[wanted.base].name);
    let (storage, source) = (VariableStorage::Temporary, VariableSource::Ghost);
    let frame = cells.origins[point].frame;
    let target = cells.vars.push(Variable { name, storage, frame: Some(frame), source });
    for ((id, _), holder) in ways.iter().zip(holders) {
        let Step { span, frame, edge, .. } = cells.steps[*id];
        let between = cells.add_point(Origin { frame, location: None });
        // The last of the steps that were put in between, if there are any.
        let mut last = *id;
        while cells.steps[last].to != point {
            last = cells.outgoing[cells.steps[last].to][0];
        }
        cells.steps[last].to = between;
        let command = match holder {
            Some(source) => Command::Copy { target, source },
            None => Command::Load { target: Some(target), base: wanted.base, access: wanted.access() },
        };
        cells.add_step(Step { from: between, to: point, command, span, frame, edge });
    }
    true
}

/// The steps that lead to each point.
fn incoming(cells: &CellProgram) -> Vec<Vec<StepId>> {
    let mut incoming = vec![Vec::new(); cells.outgoing.len()];
    for id in cells.outgoing.values().flatten() {
        incoming[cells.steps[*id].to.index()].push(*id);
    }
    incoming
}

/// The links that may be read from each point on before anything could change them.
fn wanted(cells: &CellProgram) -> Vec<Vec<Wanted>> {
    let incoming = incoming(cells);
    let mut rows: Vec<FxHashSet<Wanted>> = vec![FxHashSet::default(); cells.outgoing.len()];
    let mut worklist: Vec<(Point, Wanted)> = Vec::new();
    for id in cells.outgoing.values().flatten() {
        let step = &cells.steps[*id];
        if let Command::Load { target: Some(_), base, access } = step.command
            && is_link(cells, access)
        {
            worklist.push((step.from, Wanted { base, offset: access.offset, size: access.size }));
        }
    }
    while let Some((point, wanted)) = worklist.pop() {
        if !rows[point.index()].insert(wanted) {
            continue;
        }
        for id in &incoming[point.index()] {
            let step = &cells.steps[*id];
            if !may_change(&step.command, wanted) {
                worklist.push((step.from, wanted));
            }
        }
    }
    let sorted = |row: FxHashSet<Wanted>| {
        let mut row: Vec<Wanted> = row.into_iter().collect();
        row.sort_unstable();
        row
    };
    rows.into_iter().map(sorted).collect()
}

/// Whether a link may be another one after a command.
fn may_change(command: &Command, wanted: Wanted) -> bool {
    match command {
        Command::Free { .. } | Command::Contract { .. } | Command::Call { .. } | Command::Enter { .. } => true,
        Command::Store { access, .. } | Command::Fill { access, .. } => {
            Fact::held(wanted.base, wanted.access(), wanted.base).overlaps(*access)
        }
        Command::EndScope { vars } => vars.contains(&wanted.base),
        _ => command.writes() == Some(wanted.base),
    }
}

/// The points that no way comes back to.
fn forward_only(cells: &CellProgram) -> Vec<bool> {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        No,
        OnTheWay,
        Done,
    }
    let mut forward = vec![true; cells.outgoing.len()];
    let mut seen = vec![Seen::No; cells.outgoing.len()];
    let entries = cells.procedures.values().map(|procedure| procedure.entry).chain([cells.entry()]);
    for entry in entries.collect::<Vec<_>>() {
        let mut stack = vec![(entry, 0)];
        while let Some((point, next)) = stack.pop() {
            seen[point.index()] = Seen::OnTheWay;
            let Some(id) = cells.outgoing[point].get(next) else {
                seen[point.index()] = Seen::Done;
                continue;
            };
            stack.push((point, next + 1));
            let to = cells.steps[*id].to;
            match seen[to.index()] {
                Seen::No => stack.push((to, 0)),
                Seen::OnTheWay => forward[to.index()] = false,
                Seen::Done => {}
            }
        }
    }
    forward
}
