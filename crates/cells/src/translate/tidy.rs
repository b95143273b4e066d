//! The last touches: stretches that waited for the variables to be known, and points that nothing happens at.

use super::lives::{Holders, drop_idle};
use super::{Pending, PendingStretch, Translation, unasked};
use crate::atom::{Atom, Var};
use crate::live::{LiveVariables, Liveness};
use crate::mapped::unmapped;
use crate::program::{
    Access, CellProgram, Command, Contents, Origin, Point, Step, StepId, TouchPurpose, VariableStorage,
};
use crate::touch::Covered;
use heapwise_engine::reason::{DefectGap, GapReason};
use heapwise_engine::{BudgetMeter, Exhausted, Options};
use heapwise_ir::entity::{EntityRef, PrimaryMap};
use heapwise_ir::{EdgeId, LocationId, Span};
use rustc_hash::FxHashMap;

/// Fills in what was pending, puts in comparisons of integers and finds links that are read again if the program is given,
/// merges points, computes liveness.
pub(super) fn finish(
    remembered: Option<(&heapwise_ir::Program, &super::reload::Pointers)>,
    (options, meter): (&Options, &BudgetMeter<'_>),
    mut program: CellProgram,
    points: FxHashMap<(u32, LocationId), Point>,
    pending: Vec<PendingStretch>,
    holders: &Holders,
    gaps: Vec<(Span, GapReason)>,
) -> Result<Translation, Exhausted> {
    let mut entries = Vec::new();
    for PendingStretch { pending, globals } in pending {
        match pending {
            Pending::Globals { from, to } => sets(&mut program, (from, to), (Span::NONE, 0, None), &globals),
            Pending::Auto { from, to, span, frame, edge, slots, value } => {
                let values: Vec<(Var, Atom)> = slots.into_iter().map(|var| (var, value)).collect();
                sets(&mut program, (from, to), (span, frame, Some(edge)), &values);
            }
            Pending::Entry { from, to, frame, parameters } => entries.push((from, to, frame, parameters)),
        }
    }
    // Liveness at the entries says which locals may be read before they are written.
    for (from, to, frame, _) in &entries {
        let step = Step { from: *from, to: *to, command: Command::Skip, span: Span::NONE, frame: *frame, edge: None };
        program.add_step(step);
    }
    let live = LiveVariables::within(&program, meter)?;
    unset_out_of_scope(&mut program, &live);
    drop_idle(&mut program, &live, holders);
    drop_untouched(&mut program);
    for (from, to, frame, parameters) in entries {
        // Variables of calls that are yet to come, too, where a pointer may hold their addresses on some way: not on this one.
        let is_outermost = frame == 0 || program.frames[frame as usize].returns.is_none();
        let is_unset = |var: &Var| match program.vars[*var].frame {
            None => false,
            Some(own) => (own == frame || is_outermost) && !parameters.contains(var),
        };
        let unset: Vec<(Var, Atom)> = live.at(to).filter(is_unset).map(|var| (var, Atom::Uninit)).collect();
        if !unset.is_empty() {
            detach_skip(&mut program, from, to);
            sets(&mut program, (from, to), (Span::NONE, frame, None), &unset);
        }
    }
    unasked::go_on(&mut program, options);
    if let Some((source, pointers)) = remembered {
        super::integers::carry(source, &mut program);
        super::compare::track(&mut program, meter)?;
        super::reload::reuse(&mut program, pointers, meter)?;
    }
    let live = LiveVariables::within(&program, meter)?;
    let (program, alias) = merge(&program, &live);
    let points = points.into_iter().map(|(key, point)| (key, alias[point])).collect();
    let liveness = Liveness::within(&program, meter)?;
    let mut gaps = gaps;
    if let Some((point, var)) = unmapped(&program, &liveness) {
        let span = program.outgoing[point].first().map_or(Span::NONE, |step| program.steps[*step].span);
        let variable = program.var_name(var).to_owned();
        gaps.push((span, DefectGap::NoValueOnSomeWay { variable }.into()));
    }
    Ok(Translation { program, written_out: None, liveness, points, gaps, exhausted: None })
}

/// A variable that goes out of scope has no value any more. Where a pointer may hold its address on some way, but not on this
/// one, it is still read; so it is said.
fn unset_out_of_scope(program: &mut CellProgram, live: &LiveVariables) {
    for index in 0..program.steps.len() {
        let id = StepId::new(index);
        let Step { to, span, frame, edge, ref command, .. } = program.steps[id];
        let Command::EndScope { vars } = command else { continue };
        let read: Vec<(Var, Atom)> =
            vars.iter().filter(|var| live.is_live(to, **var)).map(|var| (*var, Atom::Uninit)).collect();
        if !read.is_empty() {
            let between = program.add_point(Origin { frame, location: None });
            program.steps[id].to = between;
            sets(program, (between, to), (span, frame, edge), &read);
        }
    }
}

/// Bytes that are no field of any cell are neither copied nor filled.
fn drop_untouched(program: &mut CellProgram) {
    let is_padding = |access: Access, is_kept: &dyn Fn(&Covered) -> bool| {
        program.kinds.values().filter_map(|kind| kind.covered(access)).all(|covered| !is_kept(&covered))
    };
    let idle = |command: &Command| match command {
        Command::Touch { access, purpose: TouchPurpose::Copy, .. } => is_padding(*access, &Covered::has_link),
        Command::Fill { access, contents: Contents::Perhaps, .. } => {
            is_padding(*access, &|covered| covered.has_link() || covered.data() != 0)
        }
        _ => false,
    };
    let idle: Vec<StepId> = program.steps.iter().filter(|(_, step)| idle(&step.command)).map(|(id, _)| id).collect();
    for id in idle {
        program.steps[id].command = Command::Skip;
    }
}

fn detach_skip(program: &mut CellProgram, from: Point, to: Point) {
    let steps = std::mem::take(&mut program.outgoing[from]);
    program.outgoing[from] = steps
        .into_iter()
        .filter(|step| program.steps[*step].to != to || program.steps[*step].command != Command::Skip)
        .collect();
}

/// A chain of assignments of constants between two points.
fn sets(
    program: &mut CellProgram,
    (from, to): (Point, Point),
    (span, frame, edge): (Span, u32, Option<EdgeId>),
    values: &[(Var, Atom)],
) {
    let mut at = from;
    for (target, value) in values {
        let next = program.add_point(Origin { frame, location: None });
        let command = Command::Set { target: *target, value: *value };
        program.add_step(Step { from: at, to: next, command, span, frame, edge });
        at = next;
    }
    program.add_step(Step { from: at, to, command: Command::Skip, span, frame, edge });
}

/// Merges a point whose only step does nothing (or writes a dead variable) with the point behind it.
fn merge(program: &CellProgram, live: &LiveVariables) -> (CellProgram, PrimaryMap<Point, Point>) {
    let idle = |point: Point| -> Option<Point> {
        let [step] = program.outgoing[point].as_slice() else { return None };
        let step = &program.steps[*step];
        let nothing = match &step.command {
            Command::Skip => true,
            Command::Set { target, .. } => {
                !live.is_live(step.to, *target) && program.vars[*target].storage == VariableStorage::Temporary
            }
            _ => false,
        };
        (nothing && step.to != point).then_some(step.to)
    };
    let representative = ends(program.outgoing.len(), idle);
    let mut merged = CellProgram {
        vars: program.vars.clone(),
        kinds: program.kinds.clone(),
        record_kinds: program.record_kinds.clone(),
        places: program.places.clone(),
        frames: program.frames.clone(),
        contracts: program.contracts.clone(),
        procedures: program.procedures.clone(),
        comparisons: program.comparisons.clone(),
        ..CellProgram::default()
    };
    // The entry comes first.
    let mut new_point: Vec<Option<Point>> = vec![None; program.outgoing.len()];
    let mut kept: Vec<Point> = vec![representative[program.entry()]];
    kept.extend(program.outgoing.keys().filter(|point| representative[*point] == *point));
    for point in kept {
        if new_point[point.index()].is_none() {
            new_point[point.index()] = Some(merged.add_point(program.origins[point]));
        }
    }
    let mut alias: PrimaryMap<Point, Point> = PrimaryMap::new();
    for point in program.outgoing.keys() {
        alias.push(new_point[representative[point].index()].unwrap_or(merged.entry()));
    }
    for frame in &mut merged.frames {
        frame.returns = frame.returns.map(|point| alias[point]);
    }
    for procedure in merged.procedures.values_mut() {
        procedure.entry = alias[procedure.entry];
        procedure.exit = alias[procedure.exit];
    }
    let failing = failing_points(program, &representative);
    for (point, steps) in &program.outgoing {
        if representative[point] != point || failing[point].is_some() {
            continue;
        }
        for step in steps {
            let step = &program.steps[*step];
            let (from, to) = (alias[step.from], alias[step.to]);
            if let (Some(fails), Command::Assume { operator, left, right }) =
                (failing[representative[step.to]], &step.command)
                && let Step { command: Command::Fail { kind }, .. } = &program.steps[fails]
            {
                let (operator, left, right, kind) = (*operator, *left, *right, *kind);
                let command = Command::FailWhen { operator, left, right, kind };
                merged.add_step(Step { from, to, command, ..program.steps[fails] });
            }
            merged.add_step(Step { from, to, command: step.command.clone(), ..*step });
        }
    }
    (merged, alias)
}

/// Where the way from each point ends that `next` leads along; a point on a circle, or on the way into one, is its own end.
/// Each point is looked at once, however long the ways are.
fn ends(n_points: usize, next: impl Fn(Point) -> Option<Point>) -> PrimaryMap<Point, Point> {
    #[derive(Clone, Copy)]
    enum Way {
        Unseen,
        Walked,
        EndsAt(Point),
        Circles,
    }
    let mut ways = vec![Way::Unseen; n_points];
    for start in (0..n_points).map(Point::new) {
        let mut walked = Vec::new();
        let mut at = start;
        let way = loop {
            match (ways[at.index()], next(at)) {
                (Way::Unseen, Some(behind)) => {
                    ways[at.index()] = Way::Walked;
                    walked.push(at);
                    at = behind;
                }
                (Way::Unseen, None) => break Way::EndsAt(at),
                (Way::Walked, _) => break Way::Circles,
                (known @ (Way::EndsAt(_) | Way::Circles), _) => break known,
            }
        };
        walked.push(start);
        for point in walked {
            ways[point.index()] = way;
        }
    }
    let end = |(index, way)| match way {
        Way::EndsAt(end) => end,
        Way::Unseen | Way::Walked | Way::Circles => Point::new(index),
    };
    ways.into_iter().enumerate().map(end).collect()
}

/// Points where nothing happens but a failure, and that only branches lead to: the branches fail themselves, for there
/// all variables are still at hand that say whether they can be taken (the paper's note 5).
fn failing_points(
    program: &CellProgram,
    representative: &PrimaryMap<Point, Point>,
) -> PrimaryMap<Point, Option<StepId>> {
    let mut failing: PrimaryMap<Point, Option<StepId>> = PrimaryMap::new();
    for steps in program.outgoing.values() {
        failing.push(match steps.as_slice() {
            [only] if matches!(program.steps[*only].command, Command::Fail { .. }) => Some(*only),
            _ => None,
        });
    }
    for entry in program.procedures.values().map(|procedure| procedure.entry).chain([program.entry()]) {
        failing[representative[entry]] = None;
    }
    for (point, steps) in &program.outgoing {
        if representative[point] == point {
            for step in steps {
                let step = &program.steps[*step];
                if !matches!(step.command, Command::Assume { .. }) {
                    failing[representative[step.to]] = None;
                }
            }
        }
    }
    failing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_end_where_nothing_leads_on_and_circles_stay() {
        // 0 → 3 → 1 (an end), 2 → 0, 4 → 5 → 6 → 5 (a circle), 7 (an end).
        let next = [Some(3), None, Some(0), Some(1), Some(5), Some(6), Some(5), None];
        let ends = ends(next.len(), |point| next[point.index()].map(Point::new));
        let ends: Vec<usize> = ends.values().map(|end| end.index()).collect();
        assert_eq!(ends, [1, 1, 1, 1, 4, 5, 6, 7]);
    }
}
