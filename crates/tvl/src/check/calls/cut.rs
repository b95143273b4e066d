//! What a procedure gets, and what its caller keeps.

use super::super::heap::{Known, Value};
use super::super::links::Coerced;
use super::super::predicates::Predicates;
use super::super::roles::Role;
use super::super::slots::Slot;
use super::super::step::{Applied, Stepper};
use super::beyond::{Beyond, Loose, Outward};
use super::{Move, ProcedureCode};
use crate::structure::{Bounds, Structure, members};
use heapwise_cells::Issue;
use heapwise_cells::atom::Var;
use heapwise_cells::live::Retention;
use heapwise_cells::procedure::ProcedureId;
use heapwise_cells::program::{Command, KindId, Point, Source, StepId, VariableStorage};
use heapwise_logic::{Kleene, Predicate};
use smallvec::SmallVec;

/// A link of the rest into a cell that the procedure has.
#[derive(Clone, Debug)]
pub(super) struct Entering {
    pub(super) from: usize,
    pub(super) kind: KindId,
    pub(super) link: usize,
    pub(super) ghost: Slot,
    pub(super) value: Kleene,
}

/// A link of a cell that the procedure has, which it does not look behind, into the rest.
#[derive(Clone, Debug)]
pub(super) struct Leading {
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
    pub(super) links: Vec<Entering>,
    /// Links of its cells into the rest.
    pub(super) outward: Vec<Leading>,
    /// Where they lead if they are not told apart.
    pub(super) beyond: Option<Beyond>,
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
            let reason = "a body that is checked against a contract calls a recursive function without one";
            issues.extend(Applied::gap(reason).issues);
            return (cuts, issues);
        }
        let reads = self.program.steps[step].command.reads();
        let mut open: Vec<Structure> = self.clarified(structure, &reads).into_iter().map(|(s, _)| s).collect();
        while let Some(structure) = open.pop() {
            let part = self.part(step, &structure);
            match self.unclear_slot(step, &structure, part) {
                Some(slot) => {
                    let divided = self.clear(structure.clone(), slot);
                    if divided.iter().any(|case| self.predicates.value(case, slot) == Known::Unclear) {
                        issues.extend(Applied::gap("it is not clear where a variable points that a call keeps").issues);
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
                            Err(reason) => issues.extend(Applied::gap(&reason).issues),
                        }
                    }
                }
            }
        }
        (cuts, issues)
    }

    fn roots(&self, step: StepId) -> Vec<Slot> {
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
    fn cut_anyhow(&mut self, step: StepId, whole: &Structure, part: u64) -> Result<Option<Cut>, String> {
        let hidden = self.hidden(step);
        let less = self.read_part(step, whole, &hidden);
        if less == part {
            return self.cut_one(step, whole, part, &[]);
        }
        self.cut_one(step, whole, less, &hidden).or_else(|_| self.cut_one(step, whole, part, &[]))
    }

    /// A slot that the caller keeps, and that may or may not point to a cell of the procedure.
    fn unclear_slot(&self, step: StepId, structure: &Structure, part: u64) -> Option<Slot> {
        let occupied = self.slots.occupied(self.program.steps[step].to);
        let kept = occupied.live.iter().chain(&occupied.holders).copied().chain(self.roots(step));
        kept.into_iter().find(|slot| {
            let points = self.predicates.slots[*slot].points;
            let may = points.map_or(0, |points| structure.unary(self.predicates.index(points)).may);
            may & part != 0 && self.predicates.value(structure, *slot) == Known::Unclear
        })
    }

    /// `None` if the structure stands for no heap.
    fn cut_one(
        &mut self,
        step: StepId,
        whole: &Structure,
        part: u64,
        hidden: &[(KindId, usize)],
    ) -> Result<Option<Cut>, String> {
        let roots = self.roots(step);
        let Some(call) = self.call_of(step) else { return Ok(None) };
        let (predicates, program) = (&self.predicates, self.program);
        let procedure = &program.procedures[call.procedure];
        let name = &procedure.name;
        let globals = &self.procedures.procedures[call.procedure].globals;
        let mut kept = whole.clone();
        self.bury(&mut kept, call.to);
        // A variable that gets the result holds what it held until the call is over.
        let is_holder = |target: &Var| {
            self.slots.retention() == Retention::Holders
                && program.vars[*target].storage != VariableStorage::Temporary
                && self.slots.is_kept(call.from, *target)
        };
        let overwritten = call.target.filter(|target| !is_holder(target));
        let written = call.references.iter().map(|(_, outer)| *outer).chain(overwritten);
        for slot in written.map(|var| self.slots.of(var)).chain(globals.iter().copied()) {
            predicates.clear(&mut kept, slot);
        }
        let mut named: Vec<usize> = Vec::new();
        let mut slots: Vec<(Slot, usize)> = Vec::new();
        for slot in predicates.slots.keys() {
            let Some(points) = predicates.slots[slot].points else { continue };
            if kept.unary(predicates.index(points)).may & part == 0 {
                continue;
            }
            match predicates.value(&kept, slot) {
                Known::Value(Value::Cell(cell)) => {
                    slots.push((slot, cell));
                    named.push(cell);
                }
                _ => return Err(format!("what a variable points to is not clear where `{name}` is called")),
            }
        }
        let ProcedureCode { carried, forgotten, .. } = &self.procedures.procedures[call.procedure];
        let is_tree = self.is_tree(whole, part);
        let (forgotten, shown): (Vec<_>, Vec<_>) = hidden.iter().partition(|link| is_tree && forgotten.contains(link));
        let outside = whole.active().may & !part;
        let mut links: Vec<(usize, KindId, usize, usize, Kleene)> = Vec::new();
        let mut loose: Vec<(usize, KindId, usize, Kleene)> = Vec::new();
        for u in members(outside) {
            for (kind, of_kind) in &predicates.links {
                for (link, known) in of_kind.iter().enumerate() {
                    let row = whole.row(predicates.index(known.edge), u);
                    if forgotten.contains(&(kind, link)) {
                        if row.may & part != 0 && !self.comes_back(whole, (kind, link), u) {
                            loose.push((u, kind, link, Kleene::from_bounds(true, row.must & part != 0)));
                        }
                        continue;
                    }
                    for w in members(row.may & part) {
                        let is_impossible = match known.role {
                            Role::Spine => predicates.has_predecessor(whole, &roots, w),
                            // The spine would lead from there to here, and the procedure have this cell too.
                            Role::Back => self.comes_back(whole, (kind, link), u),
                            Role::Side => false,
                        };
                        if is_impossible {
                            continue;
                        }
                        if !Predicates::is_single(whole, w) {
                            return Err(format!(
                                "cells that `{name}` does not reach lead to some that it does, and not only to those it is given"
                            ));
                        }
                        let value = Kleene::from_bounds(true, row.must >> w & 1 == 1);
                        links.push((u, kind, link, w, value));
                        named.push(w);
                    }
                }
            }
        }
        let outward = self.outward(whole, part, &shown, &roots);
        let beyond = self.beyond(whole, part, &outward, carried, &roots);
        // Each of them has a ghost, or all of them one value.
        let remembered: &[Outward] = if beyond.is_some() { &[] } else { &outward };
        if remembered.iter().any(|link| !Predicates::is_single(whole, link.cell)) {
            return Err(format!("cells that `{name}` reaches lead back to some that it does not"));
        }
        if remembered.iter().any(|link| carried.contains(&(link.kind, link.link))) {
            return Err(format!("`{name}` is called with cells that lead back to others in several ways"));
        }
        named.extend(remembered.iter().map(|link| link.cell));
        // Cells that slots name first, in the order of slots: the same heap gets the same ghosts.
        let mut order: Vec<usize> = Vec::new();
        for slot in roots.iter().copied().chain(slots.iter().map(|(slot, _)| *slot)) {
            if let Known::Value(Value::Cell(cell)) = predicates.value(whole, slot)
                && named.contains(&cell)
                && !order.contains(&cell)
            {
                order.push(cell);
            }
        }
        named.sort_unstable();
        named.dedup();
        named.retain(|cell| !order.contains(cell));
        order.extend(named);
        if order.len() > procedure.ghosts.len() {
            return Err(format!(
                "`{name}` is called where more than {} cells lead into what it reaches",
                order.len() - 1
            ));
        }
        let ghost = |cell: usize| {
            let position = order.iter().position(|other| *other == cell).unwrap_or(0);
            self.slots.of(procedure.ghosts[position])
        };
        let (inner, outer): (Vec<usize>, Vec<usize>) = (members(part).collect(), members(outside).collect());
        let position = |u: usize| outer.iter().position(|other| *other == u).unwrap_or(0);
        let loose = loose.into_iter().map(|(u, kind, link, value)| Loose { from: position(u), kind, link, value });
        let rest = Rest {
            structure: kept.quotient(&singles(&outer)),
            loose: loose.collect(),
            slots: slots.iter().map(|(slot, cell)| (*slot, ghost(*cell))).collect(),
            links: links
                .iter()
                .map(|(u, kind, link, w, value)| Entering {
                    from: position(*u),
                    kind: *kind,
                    link: *link,
                    ghost: ghost(*w),
                    value: *value,
                })
                .collect(),
            outward: remembered
                .iter()
                .map(|leading| Leading {
                    ghost: ghost(leading.cell),
                    kind: leading.kind,
                    link: leading.link,
                    to: Move::Onto(&outer).apply(leading.to),
                    further: predicates
                        .outside_of(leading.kind, leading.link)
                        .is_some_and(|atom| whole.unary(predicates.index(atom)).may >> leading.cell & 1 == 1),
                })
                .collect(),
            beyond: beyond.map(|beyond| beyond.in_rest(&outer)),
            forgotten: forgotten.clone(),
        };
        let entered = links.iter().fold(0u64, |mask, (_, _, _, w, _)| mask | 1 << w);
        let mut entry = self.entry(&call, whole, &inner, globals);
        for cell in &order {
            let pointing = |slot: &Slot| predicates.value(whole, *slot) == Known::Value(Value::Cell(*cell));
            let known = predicates.slots.keys().find(pointing);
            self.name(&mut entry, whole, (ghost(*cell), known, *cell), &inner);
        }
        let alone = Move::Onto(&inner).apply(Bounds { may: entered, must: entered }).may;
        for predicate in predicates.by_predecessors() {
            let index = predicates.index(predicate);
            let bounds = entry.unary(index);
            entry.set_unary(index, Bounds { may: bounds.may, must: bounds.must & !alone });
        }
        self.hide(&mut entry, &outward, &inner);
        self.pretend_ways_back(&mut entry, &forgotten);
        if !hidden.is_empty() {
            predicates.doubt_ways_back(&mut entry);
        }
        match self.linking.coerce(&mut entry, &mut self.tables) {
            Coerced::Kept => Ok(Some(Cut { entry, rest })),
            Coerced::Empty => Ok(None),
        }
    }

    /// The cells of the procedure, with its parameters, the globals it touches and the objects it is given.
    fn entry(&self, call: &Call<'_>, whole: &Structure, cells: &[usize], globals: &[Slot]) -> Structure {
        let predicates = &self.predicates;
        let procedure = &self.program.procedures[call.procedure];
        let mut entry = whole.quotient(&singles(cells));
        for slot in predicates.slots.keys().filter(|slot| !globals.contains(slot)) {
            predicates.clear(&mut entry, slot);
        }
        let parameters = procedure.parameters.iter().zip(call.arguments);
        let given = parameters.filter_map(|(parameter, argument)| parameter.map(|parameter| (parameter, *argument)));
        let referred = call.references.iter().map(|(inner, outer)| (*inner, Source::Var(*outer)));
        for (var, source) in given.chain(referred).filter(|(var, _)| self.slots.is_kept(procedure.entry, *var)) {
            let slot = self.slots.of(var);
            match source {
                Source::Atom(atom) => predicates.set_atom(&mut entry, slot, atom),
                Source::Var(source) => {
                    let source = self.slots.of(source);
                    predicates.move_cells((whole, source), (&mut entry, slot), Move::Onto(cells));
                    predicates.move_atoms((whole, source), (&mut entry, slot));
                }
            }
        }
        entry
    }

    /// A ghost names a cell that a slot of the caller points to, or only a link.
    fn name(
        &self,
        entry: &mut Structure,
        whole: &Structure,
        (ghost, known, cell): (Slot, Option<Slot>, usize),
        cells: &[usize],
    ) {
        let predicates = &self.predicates;
        if let Some(slot) = known {
            predicates.move_cells((whole, slot), (entry, ghost), Move::Onto(cells));
            return;
        }
        let at = cells.iter().position(|other| *other == cell).map_or(0, |new| 1 << new);
        if let Some(points) = predicates.slots[ghost].points {
            entry.set_unary(predicates.index(points), Bounds { may: at, must: at });
        }
        for reach in &predicates.slots[ghost].reach {
            entry.set_unary(predicates.index(*reach), Bounds { may: entry.universe(), must: at });
        }
        predicates.doubt_sharing(entry, ghost);
    }
}

/// The individuals, each a class of its own.
fn singles(cells: &[usize]) -> Vec<u64> {
    cells.iter().map(|cell| 1 << cell).collect()
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
    fn doubt_ways_back(&self, part: &mut Structure) {
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
