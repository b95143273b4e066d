//! Links that are read later: which ones, and the variables that hold them until then.

use super::facts::{Fact, Row, is_link};
use crate::atom::Var;
use crate::program::{
    Access, CellKind, CellProgram, Command, Point, StepId, Variable, VariableSource, VariableStorage,
};
use crate::touch::Touched;
use heapwise_ir::entity::EntityRef;
use rustc_hash::FxHashSet;

/// A link that is read: the pointer, and where in the cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Wanted {
    pub(super) base: Var,
    offset: i64,
    size: u64,
}

impl Wanted {
    pub(super) fn access(self) -> Access {
        Access { offset: self.offset, size: self.size }
    }

    /// Whether every kind of cell that has the bytes that were read through the pointer has a link there.
    pub(super) fn is_readable(self, cells: &CellProgram, row: &Row) -> bool {
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
    pub(super) fn holder(self, row: &Row) -> Option<Var> {
        row.iter().find_map(|fact| match *fact {
            Fact::Held { base, offset, size, by } if (Wanted { base, offset, size }) == self => Some(by),
            _ => None,
        })
    }

    /// A new variable that will hold it; at a point of this frame.
    pub(super) fn new_holder(self, cells: &mut CellProgram, frame: u32) -> Var {
        let base = &cells.vars[self.base];
        let links = cells.kinds.values().filter_map(|kind| match kind.touched(self.access()) {
            Touched::Link(link) => Some(kind.links[link].name.as_str()),
            Touched::Data { .. } | Touched::Outside | Touched::Part => None,
        });
        let link = links.min().unwrap_or("a link");
        let (name, frame) = (format!("{}->{link}", base.name), base.frame.unwrap_or(frame));
        let (storage, source) = (VariableStorage::Temporary, VariableSource::Ghost);
        cells.vars.push(Variable { name, storage, frame: Some(frame), source })
    }
}

/// The steps that lead to each point.
pub(super) fn incoming(cells: &CellProgram) -> Vec<Vec<StepId>> {
    let mut incoming = vec![Vec::new(); cells.outgoing.len()];
    for id in cells.outgoing.values().flatten() {
        incoming[cells.steps[*id].to.index()].push(*id);
    }
    incoming
}

/// The links that may be read from each point on before anything could change them.
pub(super) fn wanted(cells: &CellProgram) -> Vec<Vec<Wanted>> {
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
pub(super) fn may_change(command: &Command, wanted: Wanted) -> bool {
    match command {
        Command::Free { .. } | Command::Contract { .. } | Command::Call { .. } | Command::Enter { .. } => true,
        Command::Store { access, .. } | Command::Fill { access, .. } => {
            Fact::held(wanted.base, wanted.access(), wanted.base).overlaps(*access)
        }
        Command::EndScope { vars } => vars.contains(&wanted.base),
        _ => command.writes() == Some(wanted.base),
    }
}
