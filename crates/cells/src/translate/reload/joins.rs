//! Join points: `if (x) x->parent = y->parent;` reads a link on one way only, and the same link is read again behind.
//!
//! Where a link is known on some of the ways to a point and may be read again from there on, a variable of its own holds it
//! from that point on: on the ways where it is known it is a copy, on the others the link is read there. Such a read does not
//! fail, since something was read through the same pointer before, and all cells that have it have the link. Points that ways come back to are left as they are: what a
//! round leaves behind is read by the next one anyhow.

use super::anticipated::{Anticipated, Wanted, incoming, may_change};
use super::available::{Available, Row};
use crate::atom::Var;
use crate::program::{CellProgram, Command, Origin, Point, Step, StepId};
use heapwise_ir::entity::EntityRef;

/// Inserts loads so that links are available at join points; says whether it did anything.
pub(super) fn insert(cells: &mut CellProgram, known: &Available<'_>, anticipated: &Anticipated) -> bool {
    let (forward, incoming) = (forward_only(cells), incoming(cells));
    let mut changed = false;
    for (index, forward) in forward.into_iter().enumerate() {
        let point = Point::new(index);
        let Some(read) = anticipated.at(point).filter(|_| forward && incoming[index].len() >= 2) else { continue };
        // What holds behind each of the steps that lead to the point; without those that are never taken.
        let mut cursor = known.cursor(cells);
        let ways = incoming[index].iter().filter_map(|step| Some((*step, cursor.behind(*step)?.clone())));
        let ways: Vec<(StepId, Row)> = ways.collect();
        for wanted in read.iter() {
            changed |= hold(cells, &incoming, point, &ways, *wanted);
        }
    }
    changed
}

/// Has a link held by a variable from a point on, if it is known on some ways to it but not on all.
fn hold(
    cells: &mut CellProgram,
    incoming: &[Vec<StepId>],
    point: Point,
    ways: &[(StepId, Row)],
    wanted: Wanted,
) -> bool {
    let holders: Vec<Option<Var>> = ways.iter().map(|(_, row)| wanted.holder(row)).collect();
    let n_known = holders.iter().flatten().count();
    let is_readable = |(way, holder): (&(StepId, Row), &Option<Var>)| {
        holder.is_some() || (wanted.is_readable(cells, &way.1) && !may_change_on_way(cells, incoming, way.0, wanted))
    };
    if n_known == 0 || n_known == ways.len() || !ways.iter().zip(&holders).all(is_readable) {
        return false;
    }
    let frame = cells.origins[point].frame;
    let target = wanted.new_holder(cells, frame);
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

/// Whether a link may have been changed since a way branched off: what was stored is at hand then, and to read the link
/// would only keep more cells apart.
fn may_change_on_way(cells: &CellProgram, incoming: &[Vec<StepId>], last: StepId, wanted: Wanted) -> bool {
    let mut at = last;
    // A way without a branch has an end; rings of points that no entry leads to are never looked at.
    loop {
        if may_change(&cells.steps[at].command, wanted) {
            return true;
        }
        let from = cells.steps[at].from;
        match incoming.get(from.index()).map(Vec::as_slice) {
            Some([before]) if cells.outgoing[from].len() == 1 => at = *before,
            _ => return false,
        }
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
