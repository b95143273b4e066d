//! What a procedure gets, and what its caller keeps.

use super::super::heap::Known;
use super::super::links::Coerced;
use super::super::predicates::Predicates;
use super::super::slots::Slot;
use super::super::step::{Applied, Stepper};
use super::outward::{Loose, OutsideCells};
use crate::structure::{Bounds, Structure, members};
use heapwise_cells::Issue;
use heapwise_cells::atom::Var;
use heapwise_cells::procedure::ProcedureId;
use heapwise_cells::program::{Command, KindId, Point, Source, StepId};
use heapwise_engine::reason::{CallGap, CutGap};
use heapwise_logic::{Kleene, Predicate};
use smallvec::SmallVec;

/// A link of the rest into a cell that the procedure has.
#[derive(Clone, Debug)]
pub(super) struct InwardLink {
    pub(super) from: usize,
    pub(super) kind: KindId,
    pub(super) link: usize,
    pub(super) ghost: Slot,
    pub(super) value: Kleene,
}

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
    pub(super) links: Vec<InwardLink>,
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
        self.predicates.reached_from_slots(structure, &self.roots(step))
    }

    /// The cells that the procedure gets: those that it reaches by links that it may look behind.
    fn read_part(&self, step: StepId, structure: &Structure, hidden: &[(KindId, usize)]) -> u64 {
        let predicates = &self.predicates;
        let mut edges: Vec<usize> = Vec::new();
        for (kind, links) in &predicates.links {
            let read = (0..links.len()).filter(|link| !hidden.contains(&(kind, *link)));
            edges.extend(read.map(|link| predicates.index(links[link].edge)));
        }
        let roots = self.roots(step);
        let points = roots.iter().filter_map(|slot| predicates.slots[*slot].points);
        let mut reached = points.fold(0, |mask, points| mask | structure.unary(predicates.index(points)).may);
        loop {
            let next = members(reached)
                .fold(reached, |next, u| edges.iter().fold(next, |next, edge| next | structure.row(*edge, u).may));
            if next == reached {
                return reached;
            }
            reached = next;
        }
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
    /// Whether a cell of the procedure's is led to by another one of them, and by no second cell.
    pub(in super::super) fn has_predecessor(&self, whole: &Structure, roots: &[Slot], cell: usize) -> bool {
        let is_root = |slot: &Slot| {
            let points = self.slots[*slot].points;
            points.is_some_and(|points| whole.unary(self.index(points)).may >> cell & 1 == 1)
        };
        let is_reached = |slot: &Slot| {
            let reach = self.slots[*slot].reach.first();
            reach.is_some_and(|reach| whole.unary(self.index(*reach)).must >> cell & 1 == 1)
        };
        whole.unary(self.index(self.shared)).may >> cell & 1 == 0
            && !roots.iter().any(is_root)
            && roots.iter().any(is_reached)
    }

    /// Predicates of a cell whose definitions speak of the cells that lead to it.
    pub(in super::super) fn by_predecessors(&self) -> impl Iterator<Item = Predicate> + '_ {
        let without = self.slots.values().filter_map(|slot| slot.shared_without);
        [self.shared].into_iter().chain(self.twin).chain(self.incoming.iter().copied()).chain(without)
    }
    /// Predicates of a cell whose definitions speak of the cells that one of its links leads to, spine apart.
    pub(in super::super) fn by_successors(&self, kind: KindId, link: usize) -> impl Iterator<Item = Predicate> + '_ {
        let edge = self.links[kind][link].edge;
        let has = self.outgoing.iter().filter(move |(known, _)| *known == edge).map(|(_, has)| *has);
        let backs = self.backs.iter().filter(move |back| back.link.0 == kind).flat_map(move |back| {
            let forth = back.forth.iter().filter(move |(forth, _)| *forth == link).map(|(_, predicate)| *predicate);
            forth.chain((back.link.1 == link).then_some(back.back))
        });
        has.chain(backs)
    }

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
