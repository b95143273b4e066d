//! Anticipated loads: links that are read later (partially anticipated expressions, backward and may), and the variables that
//! hold them until then.

use super::available::{Fact, Row, is_link};
use crate::atom::Var;
use crate::program::{
    Access, CellKind, CellProgram, Command, Declared, Point, StepId, Variable, VariableSource, VariableStorage,
};
use crate::touch::Touched;
use heapwise_dataflow::{Analysis, Direction, Flow, MaySet, Results, iterate_to_fixpoint};
use heapwise_engine::{BudgetMeter, Exhausted};
use heapwise_ir::entity::EntityRef;

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
        let declared = Declared::Other;
        cells.vars.push(Variable { name, storage, frame: Some(frame), source, declared })
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
pub(super) type Anticipated = Results<CellProgram, AnticipatedLoads>;

/// Computes them.
pub(super) fn anticipated(cells: &CellProgram, meter: &BudgetMeter<'_>) -> Result<Anticipated, Exhausted> {
    iterate_to_fixpoint(cells, AnticipatedLoads, |_| meter.check())
}

/// The analysis.
pub(super) struct AnticipatedLoads;

impl Analysis<CellProgram> for AnticipatedLoads {
    type Domain = MaySet<Wanted>;
    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&self, _: &CellProgram, _: Point) -> Option<MaySet<Wanted>> {
        Some(MaySet::default())
    }

    fn apply(&self, cells: &CellProgram, step: StepId, wanted: &mut MaySet<Wanted>) -> Flow {
        let command = &cells.steps[step].command;
        wanted.retain(|wanted| !may_change(command, *wanted));
        if let Command::Load { target: Some(_), base, access } = command
            && is_link(cells, *access)
        {
            wanted.insert(Wanted { base: *base, offset: access.offset, size: access.size });
        }
        Flow::Continues
    }
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
