//! What a procedure gets, and what its caller keeps.

use super::super::frame::{NamedLink, closure_along};
use super::super::heap::Known;
use super::super::links::Coerced;
use super::super::predicates::Predicates;
use super::super::slots::Slot;
use super::super::step::{Applied, Stepper};
use super::outward::{Loose, OutsideCells};
use crate::structure::{Bounds, Structure};
use heapwise_cells::Issue;
use heapwise_cells::atom::Var;
use heapwise_cells::procedure::ProcedureId;
use heapwise_cells::program::{Command, KindId, Point, Source, StepId};
use heapwise_engine::reason::{CallGap, CutGap};
use smallvec::SmallVec;

/// A link of a cell that the procedure has, which it does not look behind, into the rest.
#[derive(Clone, Debug)]
pub(super) struct OutwardLink {
    pub(super) ghost: Slot,
    pub(super) kind: KindId,
    pub(super) link: usize,
    /// Where it leads.
    pub(super) to: Bounds,
    /// Whether it may also lead to a cell that the caller was not given.
    pub(super) further: bool,
}

/// What the caller keeps.
#[derive(Clone, Debug)]
pub struct Rest {
    pub(super) structure: Structure,
    /// Slots that point to a cell that the procedure has, with the ghost that does.
    pub(super) slots: Vec<(Slot, Slot)>,
    /// Links that lead to one.
    pub(super) links: Vec<NamedLink>,
    /// Links of its cells into the rest.
    pub(super) outward: Vec<OutwardLink>,
    /// Where they lead if they are not told apart.
    pub(super) outside_cells: Option<OutsideCells>,
    /// Links of which nothing is known any more in what the procedure had.
    pub(super) forgotten: Vec<(KindId, usize)>,
    /// Such links of the rest into it.
    pub(super) loose: Vec<Loose>,
}

impl Rest {
    /// Whether there may be cells in it.
    pub fn has_cells(&self) -> bool {
        self.structure.active().may != 0
    }
}

/// A heap, divided.
#[derive(Clone, Debug)]
pub struct Cut {
    /// What the procedure starts with, not blurred.
    pub entry: Structure,
    /// What its caller keeps.
    pub rest: Rest,
}

/// A call step.
pub(super) struct Call<'a> {
    pub(super) procedure: ProcedureId,
    pub(super) arguments: &'a [Source],
    pub(super) target: Option<Var>,
    pub(super) references: &'a [(Var, Var)],
    pub(super) from: Point,
    pub(super) to: Point,
}

impl Stepper<'_> {
    pub(super) fn call_of(&self, step: StepId) -> Option<Call<'_>> {
        let step = &self.program.steps[step];
        match &step.command {
            Command::Call { procedure, arguments, target, references } => {
                let target = target.filter(|target| self.slots.is_kept(step.to, *target));
                Some(Call { procedure: *procedure, arguments, target, references, from: step.from, to: step.to })
            }
            _ => None,
        }
    }

    /// Divides a heap at a call step.
    pub fn cut(&mut self, step: StepId, structure: &Structure) -> (Vec<Cut>, SmallVec<[Issue; 1]>) {
        let mut issues = SmallVec::new();
        let mut cuts = Vec::new();
        if self.predicates.ghosts.own.is_some() {
            issues.extend(Applied::gap(CallGap::RecursionWithoutContract).issues);
            return (cuts, issues);
        }
        let reads = self.program.steps[step].command.reads();
        let mut open: Vec<Structure> = self.focused(structure, &reads).into_iter().map(|(s, _)| s).collect();
        while let Some(structure) = open.pop() {
            let part = self.part(step, &structure);
            match self.indefinite_slot(step, &structure, part) {
                Some(slot) => {
                    let divided = self.focus_slot(structure.clone(), slot);
                    if divided.iter().any(|case| self.predicates.value(case, slot) == Known::Indefinite) {
                        issues.extend(Applied::gap(CutGap::UnclearVariable).issues);
                    } else {
                        open.extend(divided);
                    }
                }
                None => {
                    let part = self.read_part(step, &structure, &self.hidden(step));
                    for structure in self.without_overwritten(step, structure, part, &mut issues) {
                        let part = self.part(step, &structure);
                        match self.cut_anyhow(step, &structure, part) {
                            Ok(cut) => cuts.extend(cut),
                            Err(reason) => issues.extend(Applied::gap(reason).issues),
                        }
                    }
                }
            }
        }
        (cuts, issues)
    }

    pub(super) fn roots(&self, step: StepId) -> Vec<Slot> {
        let Some(call) = self.call_of(step) else { return Vec::new() };
        let arguments = call.arguments.iter().filter_map(|source| source.var());
        let vars = arguments.chain(call.references.iter().map(|(_, outer)| *outer));
        let globals = self.procedures.procedures[call.procedure].globals.iter().copied();
        let mut roots: Vec<Slot> = vars.map(|var| self.slots.of(var)).chain(globals).collect();
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    /// The cells that the procedure could reach by any link.
    fn part(&self, step: StepId, structure: &Structure) -> u64 {
        self.predicates.footprint(structure, &self.roots(step))
    }

    /// The cells that the procedure gets: those that it reaches by links that it may look behind.
    fn read_part(&self, step: StepId, structure: &Structure, hidden: &[(KindId, usize)]) -> u64 {
        let predicates = &self.predicates;
        let mut edges: Vec<usize> = Vec::new();
        for (kind, links) in &predicates.links {
            let read = (0..links.len()).filter(|link| !hidden.contains(&(kind, *link)));
            edges.extend(read.map(|link| predicates.index(links[link].edge)));
        }
        closure_along(structure, predicates.pointed_to(structure, &self.roots(step)), &edges)
    }

    /// The links that the procedure does not look behind.
    fn hidden(&self, step: StepId) -> Vec<(KindId, usize)> {
        match self.program.steps[step].command {
            Command::Call { procedure, .. } => self.procedures.procedures[procedure].hidden.clone(),
            _ => Vec::new(),
        }
    }

    /// Divides by the links that the procedure looks behind; where that is not clear, by all links.
    fn cut_anyhow(&mut self, step: StepId, whole: &Structure, part: u64) -> Result<Option<Cut>, CutGap> {
        let hidden = self.hidden(step);
        let less = self.read_part(step, whole, &hidden);
        if less == part {
            return self.cut_one(step, whole, part, &[]);
        }
        self.cut_one(step, whole, less, &hidden).or_else(|_| self.cut_one(step, whole, part, &[]))
    }

    /// A slot that the caller keeps, and that may or may not point to a cell of the procedure.
    fn indefinite_slot(&self, step: StepId, structure: &Structure, part: u64) -> Option<Slot> {
        let occupied = self.slots.occupied(self.program.steps[step].to);
        let kept = occupied.live.iter().chain(&occupied.holders).copied().chain(self.roots(step));
        kept.into_iter().find(|slot| {
            let points = self.predicates.slots[*slot].points;
            let may = points.map_or(0, |points| structure.unary(self.predicates.index(points)).may);
            may & part != 0 && self.predicates.value(structure, *slot) == Known::Indefinite
        })
    }

    /// `None` if the structure stands for no heap.
    fn cut_one(
        &mut self,
        step: StepId,
        whole: &Structure,
        part: u64,
        hidden: &[(KindId, usize)],
    ) -> Result<Option<Cut>, CutGap> {
        let Some(mut cut) = self.divide(step, whole, part, hidden)? else { return Ok(None) };
        match self.linking.coerce(&mut cut.entry, &mut self.tables) {
            Coerced::Kept => Ok(Some(cut)),
            Coerced::Empty => Ok(None),
        }
    }
}

impl Predicates {
    /// What is reached along ways back may be less in a part of the heap, and cycles of them may be open.
    pub(super) fn doubt_ways_back(&self, part: &mut Structure) {
        for slot in self.slots.values() {
            let Some(points) = slot.points else { continue };
            let at = part.unary(self.index(points)).must;
            for reach in slot.reach.iter().skip(1) {
                let bounds = part.unary(self.index(*reach));
                part.set_unary(self.index(*reach), Bounds { may: bounds.may, must: bounds.must & at });
            }
        }
        for cycle in self.backs.iter().filter_map(|back| back.cycle) {
            let bounds = part.unary(self.index(cycle));
            part.set_unary(self.index(cycle), Bounds { may: bounds.may, must: 0 });
        }
    }
}
