//! Division of a heap at a call: footprint of the procedure, frame of the caller, and the cutpoints between them.

use super::super::frame::FrameLink;
use super::super::heap::{Known, Value};
use super::super::predicates::Predicates;
use super::super::roles::Role;
use super::super::slots::Slot;
use super::super::step::Stepper;
use super::cut::{Call, Cut, OutwardLink, Rest};
use super::outward::{Loose, Outward};
use super::{Move, ProcedureCode};
use crate::structure::{Bounds, Structure, members};
use heapwise_cells::atom::Var;
use heapwise_cells::live::Retention;
use heapwise_cells::program::{KindId, Source, StepId, VariableStorage};
use heapwise_engine::reason::CutGap;
use heapwise_logic::Kleene;

/// What is divided, and where.
struct Division<'a> {
    call: Call<'a>,
    /// The name of the procedure.
    name: &'a str,
    whole: &'a Structure,
    /// The cells that the procedure gets.
    part: u64,
    /// The slots from which it reaches them.
    roots: Vec<Slot>,
}

/// The cells that ghosts name, in order.
struct Cutpoints<'a> {
    cells: Vec<usize>,
    ghosts: &'a [Var],
}

impl Stepper<'_> {
    /// Divides a heap into what the procedure starts with and what its caller keeps.
    pub(super) fn divide(
        &self,
        step: StepId,
        whole: &Structure,
        part: u64,
        hidden: &[(KindId, usize)],
    ) -> Result<Option<Cut>, CutGap> {
        let Some(call) = self.call_of(step) else { return Ok(None) };
        let procedure = &self.program.procedures[call.procedure];
        let ProcedureCode { carried, forgotten, .. } = &self.procedures.procedures[call.procedure];
        let division = Division { call, name: &procedure.name, whole, part, roots: self.roots(step) };
        let is_tree = self.is_tree(whole, part);
        let (forgotten, shown): (Vec<_>, Vec<_>) = hidden.iter().partition(|link| is_tree && forgotten.contains(link));
        let kept = self.kept_by_caller(&division);
        let slots = self.slots_into(&division, &kept)?;
        let (inward, loose) = self.links_into(&division, &forgotten)?;
        let outward = self.outward(whole, part, &shown, &division.roots);
        let outside_cells = self.outside_cells(whole, part, &outward, carried, &division.roots);
        // Each of them has a ghost, or all of them one value.
        let remembered: &[Outward] = if outside_cells.is_some() { &[] } else { &outward };
        check_remembered(&division, remembered, carried)?;
        let named = slots.iter().map(|(_, cell)| *cell).chain(inward.iter().map(|link| link.to));
        let named: Vec<usize> = named.chain(remembered.iter().map(|link| link.cell)).collect();
        let cutpoints = Cutpoints { cells: self.cutpoints(&division, &slots, named), ghosts: &procedure.ghosts };
        if cutpoints.cells.len() > procedure.ghosts.len() {
            let most = cutpoints.cells.len() - 1;
            return Err(CutGap::ManyCutpoints { function: procedure.name.clone(), most });
        }
        let (inner, outer): (Vec<usize>, Vec<usize>) =
            (members(part).collect(), members(whole.active().may & !part).collect());
        let rest = Rest {
            structure: kept.quotient(&singles(&outer)),
            loose: loose.into_iter().map(|link| Loose { from: place(&outer, link.from), ..link }).collect(),
            slots: slots.iter().map(|(slot, cell)| (*slot, self.ghost(&cutpoints, *cell))).collect(),
            links: inward
                .iter()
                .map(|link| {
                    FrameLink { from: place(&outer, link.from), ..*link }.named(self.ghost(&cutpoints, link.to))
                })
                .collect(),
            outward: remembered.iter().map(|link| self.way_out(&division, &cutpoints, link, &outer)).collect(),
            outside_cells: outside_cells.map(|outside_cells| outside_cells.in_rest(&outer)),
            forgotten: forgotten.clone(),
        };
        let mut entry = self.named_entry(&division, &cutpoints, &inner);
        self.doubt_predecessors(&mut entry, &inward, &inner);
        self.hide(&mut entry, &outward, &inner);
        self.pretend_ways_back(&mut entry, &forgotten);
        if !hidden.is_empty() {
            self.predicates.doubt_ways_back(&mut entry);
        }
        Ok(Some(Cut { entry, rest }))
    }

    /// The heap with the slots that hold something for the caller once the call is over.
    fn kept_by_caller(&self, Division { call, whole, .. }: &Division<'_>) -> Structure {
        let mut kept = Structure::clone(whole);
        self.bury(&mut kept, call.to);
        // A variable that gets the result holds what it held until the call is over.
        let is_holder = |target: &Var| {
            self.slots.retention() == Retention::Holders
                && self.program.vars[*target].storage != VariableStorage::Temporary
                && self.slots.is_kept(call.from, *target)
        };
        let overwritten = call.target.filter(|target| !is_holder(target));
        let written = call.references.iter().map(|(_, outer)| *outer).chain(overwritten);
        let globals = self.procedures.procedures[call.procedure].globals.iter().copied();
        for slot in written.map(|var| self.slots.of(var)).chain(globals) {
            self.predicates.clear(&mut kept, slot);
        }
        kept
    }

    /// The slots of the caller that point to a cell of the procedure.
    fn slots_into(&self, division: &Division<'_>, kept: &Structure) -> Result<Vec<(Slot, usize)>, CutGap> {
        let predicates = &self.predicates;
        let mut slots = Vec::new();
        for slot in predicates.slots.keys() {
            let Some(points) = predicates.slots[slot].points else { continue };
            if kept.unary(predicates.index(points)).may & division.part == 0 {
                continue;
            }
            match predicates.value(kept, slot) {
                Known::Value(Value::Cell(cell)) => slots.push((slot, cell)),
                _ => return Err(CutGap::UnclearTarget { function: division.name.to_owned() }),
            }
        }
        Ok(slots)
    }

    /// The links of the rest to cells of the procedure; apart, those of which it is not remembered where they lead.
    fn links_into(
        &self,
        division: &Division<'_>,
        forgotten: &[(KindId, usize)],
    ) -> Result<(Vec<FrameLink>, Vec<Loose>), CutGap> {
        let Division { name, whole, part, roots, .. } = division;
        let predicates = &self.predicates;
        let (mut links, mut loose) = (Vec::new(), Vec::new());
        for from in members(whole.active().may & !part) {
            for (kind, of_kind) in &predicates.links {
                for (link, known) in of_kind.iter().enumerate() {
                    if forgotten.contains(&(kind, link)) {
                        let row = whole.row(predicates.index(known.edge), from);
                        if row.may & part != 0 && !self.comes_back(whole, (kind, link), from) {
                            let value = Kleene::from_bounds(true, row.must & part != 0);
                            loose.push(Loose { from, kind, link, value });
                        }
                        continue;
                    }
                    for found in predicates.links_of_frame(whole, *part, (from, kind, link), roots) {
                        // The spine would lead from there to here, and the procedure have this cell too.
                        if known.role == Role::Back && self.comes_back(whole, (kind, link), from) {
                            continue;
                        }
                        if !Predicates::is_single(whole, found.to) {
                            return Err(CutGap::EnteredElsewhere { function: (*name).to_owned() });
                        }
                        links.push(found);
                    }
                }
            }
        }
        Ok((links, loose))
    }

    /// The cells to name. Those that slots name come first, in the order of slots: the same heap gets the same ghosts.
    fn cutpoints(&self, division: &Division<'_>, slots: &[(Slot, usize)], mut named: Vec<usize>) -> Vec<usize> {
        let mut order: Vec<usize> = Vec::new();
        for slot in division.roots.iter().copied().chain(slots.iter().map(|(slot, _)| *slot)) {
            if let Known::Value(Value::Cell(cell)) = self.predicates.value(division.whole, slot)
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
        order
    }

    /// The ghost that names a cell.
    fn ghost(&self, cutpoints: &Cutpoints<'_>, cell: usize) -> Slot {
        self.slots.of(cutpoints.ghosts[place(&cutpoints.cells, cell)])
    }

    /// A link into the rest, with the ghost of its cell.
    fn way_out(
        &self,
        division: &Division<'_>,
        cutpoints: &Cutpoints<'_>,
        &Outward { cell, kind, link, to }: &Outward,
        outer: &[usize],
    ) -> OutwardLink {
        let outside = self.predicates.outside_of(kind, link);
        let further =
            outside.is_some_and(|atom| division.whole.unary(self.predicates.index(atom)).may >> cell & 1 == 1);
        OutwardLink { ghost: self.ghost(cutpoints, cell), kind, link, to: Move::Onto(outer).apply(to), further }
    }

    /// What the procedure starts with, and ghosts that name the cutpoints.
    fn named_entry(&self, division: &Division<'_>, cutpoints: &Cutpoints<'_>, inner: &[usize]) -> Structure {
        let (predicates, whole) = (&self.predicates, division.whole);
        let globals = &self.procedures.procedures[division.call.procedure].globals;
        let mut entry = self.entry(&division.call, whole, inner, globals);
        for cell in &cutpoints.cells {
            let pointing = |slot: &Slot| predicates.value(whole, *slot) == Known::Value(Value::Cell(*cell));
            let known = predicates.slots.keys().find(pointing);
            self.name(&mut entry, whole, (self.ghost(cutpoints, *cell), known, *cell), inner);
        }
        entry
    }

    /// What is said of the cells that lead to a cell may be less without those of the rest.
    fn doubt_predecessors(&self, entry: &mut Structure, inward: &[FrameLink], inner: &[usize]) {
        let predicates = &self.predicates;
        let entered = inward.iter().fold(0u64, |mask, link| mask | 1 << link.to);
        let alone = Move::Onto(inner).apply(Bounds { may: entered, must: entered }).may;
        for predicate in predicates.by_predecessors() {
            let index = predicates.index(predicate);
            let bounds = entry.unary(index);
            entry.set_unary(index, Bounds { may: bounds.may, must: bounds.must & !alone });
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

/// Links of the procedure's cells into the rest must be told apart.
fn check_remembered(
    Division { name, whole, .. }: &Division<'_>,
    remembered: &[Outward],
    carried: &[(KindId, usize)],
) -> Result<(), CutGap> {
    if remembered.iter().any(|link| !Predicates::is_single(whole, link.cell)) {
        return Err(CutGap::LeadsBack { function: (*name).to_owned() });
    }
    if remembered.iter().any(|link| carried.contains(&(link.kind, link.link))) {
        return Err(CutGap::LeadsBackSeveralWays { function: (*name).to_owned() });
    }
    Ok(())
}

/// Where a cell is among others.
fn place(cells: &[usize], cell: usize) -> usize {
    cells.iter().position(|other| *other == cell).unwrap_or(0)
}

/// The individuals, each a class of its own.
fn singles(cells: &[usize]) -> Vec<u64> {
    cells.iter().map(|cell| 1 << cell).collect()
}
