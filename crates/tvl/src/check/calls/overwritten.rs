//! Links that nobody reads again after a call before they are overwritten, or freed with their cell: the `t->left` of
//! `t->left = insert(t->left, key)`. What becomes of the cell that such a link led to need not be remembered, so the call
//! starts with the link forgotten, and the procedure is entered with a heap without cutpoints.
//!
//! *Soundness.* A forgotten link holds any value: whoever dereferences it all the same meets a gap. So what is
//! decided here costs precision at worst.

use super::super::heap::{Known, Value};
use super::super::memory::Stored;
use super::super::step::Stepper;
use crate::structure::Structure;
use heapwise_cells::Issue;
use heapwise_cells::atom::{Atom, Var};
use heapwise_cells::program::{Access, CellProgram, Command, Ending, Point, Source, StepId};
use heapwise_cells::touch::Touched;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// A link of the cell that a variable points to.
type LinkOf = (Var, Access);

/// The arguments of a call, and the objects whose addresses it is given.
type Given<'a> = (&'a [Source], &'a [(Var, Var)]);

/// So many locations behind a call are looked at.
const FAR: usize = 200;

/// For each call step, the links that are not read behind it.
pub(super) fn overwritten(program: &CellProgram) -> FxHashMap<StepId, Vec<LinkOf>> {
    let mut links = FxHashMap::default();
    for (id, step) in &program.steps {
        let called: Option<Given<'_>> = match &step.command {
            Command::Call { arguments, references, .. } => Some((arguments, references)),
            Command::Contract { arguments, .. } => Some((arguments, &[])),
            _ => None,
        };
        if let Some((arguments, references)) = called {
            let is_given = |var: Var| {
                arguments.iter().any(|argument| argument.var() == Some(var))
                    || references.iter().any(|(_, outer)| *outer == var)
            };
            let mut found = written(program, step.to);
            found.retain(|link| !is_given(link.0) && is_overwritten(program, step.to, *link));
            if !found.is_empty() {
                links.insert(id, found);
            }
        }
    }
    links
}

/// The links that are written, or freed with their cells, not far behind a location.
fn written(program: &CellProgram, from: Point) -> Vec<LinkOf> {
    let mut found: Vec<LinkOf> = Vec::new();
    let mut seen = FxHashSet::default();
    let mut open = vec![from];
    while let Some(point) = open.pop().filter(|_| seen.len() < FAR) {
        if !seen.insert(point) {
            continue;
        }
        for step in &program.outgoing[point] {
            let step = &program.steps[*step];
            match &step.command {
                Command::Store { base, access, .. } => found.push((*base, *access)),
                Command::Free { pointer } => {
                    for kind in program.kinds.values() {
                        for link in &kind.links {
                            if let Ok(offset) = i64::try_from(link.offset) {
                                found.push((*pointer, Access { offset, size: kind.pointer_bytes }));
                            }
                        }
                    }
                }
                _ => {}
            }
            open.push(step.to);
        }
    }
    found.sort_by_key(|(var, access)| (*var, access.offset, access.size));
    found.dedup();
    found
}

/// What a step does with a link.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// Nobody reads it any more.
    Over,
    /// It may be read.
    Read,
    /// Nothing.
    Stays,
}

/// Whether a link is overwritten, or freed with its cell, on every way from a location before it is read.
fn is_overwritten(program: &CellProgram, from: Point, link: LinkOf) -> bool {
    let mut seen = FxHashSet::default();
    let mut open = vec![from];
    while let Some(point) = open.pop() {
        if !seen.insert(point) {
            continue;
        }
        let steps = &program.outgoing[point];
        if steps.is_empty() || seen.len() > FAR {
            return false;
        }
        for step in steps {
            let step = &program.steps[*step];
            match fate(program, &step.command, link) {
                Fate::Over => {}
                Fate::Read => return false,
                Fate::Stays => open.push(step.to),
            }
        }
    }
    true
}

fn fate(program: &CellProgram, command: &Command, (var, access): LinkOf) -> Fate {
    let overlaps = |other: &Access| {
        let end = |access: &Access| access.offset.saturating_add_unsigned(access.size);
        other.offset < end(&access) && access.offset < end(other)
    };
    let is_written = command.writes() == Some(var);
    match command {
        Command::Store { base, access: stored, .. } if *base == var && *stored == access => Fate::Over,
        Command::Free { pointer } if *pointer == var => Fate::Over,
        Command::Load { access: read, .. } | Command::Touch { access: read, .. } if overlaps(read) => Fate::Read,
        Command::EndScope { vars } if vars.contains(&var) => Fate::Read,
        // Passed on, it is followed there.
        Command::Call { .. } | Command::Copy { .. } if command.reads().contains(&var) => Fate::Read,
        Command::End(Ending::Abort) | Command::Fail { .. } | Command::FailWhen { .. } | Command::Gap { .. } => {
            Fate::Over
        }
        Command::End(Ending::Return | Ending::Exit)
        | Command::Shape { .. }
        | Command::Contract { .. }
        | Command::Enter { .. }
        | Command::Leave { .. } => Fate::Read,
        Command::Store { .. }
        | Command::Free { .. }
        | Command::Load { .. }
        | Command::Touch { .. }
        | Command::Case { .. }
        | Command::Retire { .. }
        | Command::EndScope { .. }
        | Command::Call { .. }
        | Command::Copy { .. }
        | Command::Skip
        | Command::Set { .. }
        | Command::Fill { .. }
        | Command::Alloc { .. }
        | Command::Assume { .. }
        | Command::Compare { .. }
        | Command::Forget { .. }
        | Command::Use { .. } => {
            let is_link = program.kinds.values().any(|kind| matches!(kind.touched(access), Touched::Link(_)));
            if is_written || !is_link { Fate::Read } else { Fate::Stays }
        }
    }
}

impl Stepper<'_> {
    /// The heap before a call, without the links into what the procedure gets that are not read behind it.
    pub(in super::super) fn without_overwritten(
        &mut self,
        step: StepId,
        structure: Structure,
        part: u64,
        issues: &mut SmallVec<[Issue; 1]>,
    ) -> Vec<Structure> {
        // The way back of a list would still have a ghost.
        let of_trees = self.predicates.backs.iter().all(|back| back.reach.is_none());
        let links = match self.procedures.overwritten.get(&step) {
            Some(links) if of_trees => links.clone(),
            _ => return vec![structure],
        };
        let mut open = vec![structure];
        for (var, access) in links {
            let slot = self.slots.of(var);
            if !self.slots.is_kept(self.program.steps[step].from, var) {
                continue;
            }
            let mut next = Vec::new();
            for structure in open {
                let cell = match self.predicates.value(&structure, slot) {
                    Known::Value(Value::Cell(cell)) if part >> cell & 1 == 0 => cell,
                    Known::Value(_) | Known::Indefinite => {
                        next.push(structure);
                        continue;
                    }
                };
                let kind = self.predicates.kind(&structure, cell);
                let link = match self.program.kinds[kind].touched(access) {
                    Touched::Link(link) => link,
                    Touched::Data { .. } | Touched::Outside | Touched::Part => {
                        next.push(structure);
                        continue;
                    }
                };
                let row = structure.row(self.predicates.index(self.predicates.links[kind][link].edge), cell);
                if row.may & part == 0 {
                    next.push(structure);
                    continue;
                }
                let any = Stored { value: Value::Atom(Atom::Opaque), slot: None };
                let applied = self.store_link(structure, slot, cell, (kind, link), any);
                issues.extend(applied.issues);
                next.extend(applied.structures);
            }
            open = next;
        }
        open
    }
}
