//! Links of the procedure's cells that lead to cells which it does not get: ways back that it does not look behind.
//!
//! Where they all are ways back of trees, nothing is remembered of each: they hold [`Atom::Outside`] while the procedure
//! runs, which stands for any of the cells that they led to, and wherever that is found at the exit, it leads there again.
//! For the root of a subtree that is one cell, its parent, so this is exact. The links of a list's cells have ghosts.

use super::super::predicates::Predicates;
use super::super::slots::Slot;
use super::super::step::Stepper;
use super::Move;
use super::cut::Rest;
use crate::structure::{Bounds, Structure, members};
use heapwise_cells::atom::Atom;
use heapwise_cells::program::KindId;
use heapwise_logic::{Kleene, Predicate};

/// A hidden link of a cell that leads to cells which the procedure does not get.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outward {
    pub(super) cell: usize,
    pub(super) kind: KindId,
    pub(super) link: usize,
    /// Where it leads.
    pub(super) to: Bounds,
}

/// What [`Atom::Outside`] stands for while a procedure runs, as its caller knows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutsideCells {
    /// Cells of the rest; the lower bound is the one that it surely is.
    pub(super) to: Bounds,
    /// Whether it may also be what it stands for in the caller.
    pub(super) further: bool,
}

/// A link of the rest into what the procedure has, by a way back of which it is not remembered where it leads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loose {
    pub(super) from: usize,
    pub(super) kind: KindId,
    pub(super) link: usize,
    pub(super) value: Kleene,
}

impl Stepper<'_> {
    /// The hidden links that lead out of a part of the heap.
    pub(super) fn outward(
        &self,
        whole: &Structure,
        part: u64,
        hidden: &[(KindId, usize)],
        roots: &[Slot],
    ) -> Vec<Outward> {
        let predicates = &self.predicates;
        let outside = whole.active().may & !part;
        let spine = predicates.index(predicates.spine);
        let mut outward = Vec::new();
        for (cell, (kind, link)) in members(part).flat_map(|cell| hidden.iter().map(move |link| (cell, *link))) {
            let row = whole.row(predicates.index(predicates.links[kind][link].edge), cell);
            let is_possible = |u: &usize| {
                let spine =
                    whole.row(spine, *u).may >> cell & 1 == 1 && !predicates.has_predecessor(whole, roots, cell);
                spine || !self.comes_back(whole, (kind, link), cell)
            };
            let may = members(row.may & outside).filter(is_possible).fold(0, |mask, u| mask | 1 << u);
            if may != 0 {
                outward.push(Outward { cell, kind, link, to: Bounds { may, must: row.must & may } });
            }
        }
        outward
    }

    /// What [`Atom::Outside`] is to stand for, with cells by their numbers in the whole heap; `None` if the links are to be
    /// remembered one by one.
    pub(super) fn outside_cells(
        &self,
        whole: &Structure,
        part: u64,
        outward: &[Outward],
        carried: &[(KindId, usize)],
        roots: &[Slot],
    ) -> Option<OutsideCells> {
        let is_of_tree = |link: &Outward| self.predicates.is_way_back_of_tree((link.kind, link.link));
        if outward.is_empty() || !outward.iter().all(is_of_tree) {
            return None;
        }
        let may = outward.iter().fold(0, |mask, link| mask | link.to.may);
        let further = self.predicates.holds_outside(whole, part, roots);
        let is_one = may.count_ones() == 1 && Predicates::is_single(whole, may.trailing_zeros() as usize);
        let is_vague =
            |link: &Outward| !Predicates::is_single(whole, link.cell) || carried.contains(&(link.kind, link.link));
        if !is_one && !outward.iter().any(is_vague) {
            return None;
        }
        Some(OutsideCells { to: Bounds { may, must: if is_one && !further { may } else { 0 } }, further })
    }

    /// The links hold [`Atom::Outside`] in what the procedure gets.
    pub(super) fn hide(&self, entry: &mut Structure, outward: &[Outward], inner: &[usize]) {
        let predicates = &self.predicates;
        for Outward { cell, kind, link, to } in outward {
            let cell = inner.iter().position(|other| other == cell).unwrap_or(0);
            if let Some(atom) = predicates.outside_of(*kind, *link) {
                predicates.put(entry, atom, cell, Kleene::from_bounds(true, to.must != 0));
            }
            predicates.doubt_successors(entry, cell, (*kind, *link));
        }
    }

    /// Wherever the procedure left [`Atom::Outside`], links lead into the rest again.
    pub(super) fn lead_beyond(
        &self,
        whole: &mut Structure,
        rest: &Rest,
        outside_cells: OutsideCells,
        exit: &Structure,
    ) {
        let predicates = &self.predicates;
        let shift = rest.structure.size();
        for (kind, links) in &predicates.links {
            for (link, known) in links.iter().enumerate() {
                let Some(atom) = predicates.outside_of(kind, link) else { continue };
                let held = exit.unary(predicates.index(atom));
                let index = predicates.index(known.edge);
                for cell in members(held.may) {
                    let at = cell + shift;
                    let must = if held.must >> cell & 1 == 1 { outside_cells.to.must } else { 0 };
                    let row = whole.row(index, at);
                    whole.set_row(index, at, Bounds { may: row.may | outside_cells.to.may, must: row.must | must });
                    predicates.put(
                        whole,
                        atom,
                        at,
                        if outside_cells.further { Kleene::Unknown } else { Kleene::False },
                    );
                    predicates.doubt_successors(whole, at, (kind, link));
                }
            }
        }
    }

    /// Cells that led into what the procedure had may not be led back to any more.
    pub(super) fn doubt_return(&self, whole: &mut Structure, rest: &Rest) {
        for entering in &rest.links {
            self.predicates.doubt_successors(whole, entering.from, (entering.kind, entering.link));
        }
    }

    /// Whether the cells of a part are a tree: none has two that lead to it.
    pub(super) fn is_tree(&self, whole: &Structure, part: u64) -> bool {
        let predicates = &self.predicates;
        let tangled = [predicates.shared, predicates.cyclic].into_iter().chain(predicates.twin);
        tangled.into_iter().all(|predicate| whole.unary(predicates.index(predicate)).may & part == 0)
    }

    /// Ways back lead to the cells that lead here, as they should: whether they do makes no difference to a procedure that
    /// does not read them.
    pub(super) fn pretend_ways_back(&self, entry: &mut Structure, links: &[(KindId, usize)]) {
        let predicates = &self.predicates;
        let cells = entry.active().may;
        for back in predicates.backs.iter().filter(|back| links.contains(&back.link)) {
            let (kind, link) = back.link;
            let own: Vec<usize> = members(cells).filter(|cell| predicates.kind(entry, *cell) == kind).collect();
            let forth: Vec<usize> =
                back.forth.iter().map(|(f, _)| predicates.index(predicates.links[kind][*f].edge)).collect();
            for cell in &own {
                let mut above = Bounds { may: 0, must: 0 };
                for (from, f) in own.iter().flat_map(|from| forth.iter().map(move |f| (*from, *f))) {
                    let row = entry.row(f, from);
                    above.may |= (row.may >> cell & 1) << from;
                    above.must |= (row.must >> cell & 1) << from;
                }
                entry.set_row(predicates.index(predicates.links[kind][link].edge), *cell, above);
                predicates.set_link_atom(entry, *cell, kind, link, Atom::NULL);
                predicates.doubt_successors(entry, *cell, (kind, link));
                for predicate in back.forth.iter().map(|(_, predicate)| *predicate).chain([back.back]) {
                    predicates.put(entry, predicate, *cell, Kleene::True);
                }
            }
        }
    }

    /// Links of the rest that led into what the procedure had, and have no ghosts, dangle if nothing is left of that, and
    /// hold any value otherwise.
    pub(super) fn loosen(&self, whole: &mut Structure, rest: &Rest, exit: &Structure) {
        let predicates = &self.predicates;
        let held = if exit.active().may == 0 { Atom::Freed } else { Atom::Opaque };
        for Loose { from, kind, link, value } in &rest.loose {
            let atoms = &predicates.links[*kind][*link].atoms;
            if let Some(atom) = atoms.get(&Predicates::known(atoms, held)) {
                predicates.put(whole, *atom, *from, *value);
            }
            predicates.doubt_successors(whole, *from, (*kind, *link));
        }
    }

    /// Some links of all cells hold any value.
    pub(super) fn forget_links(&self, entry: &mut Structure, links: &[(KindId, usize)]) {
        let predicates = &self.predicates;
        let nothing = Bounds { may: 0, must: 0 };
        for (cell, (kind, link)) in members(entry.active().may).flat_map(|u| links.iter().map(move |link| (u, *link))) {
            if predicates.kind(entry, cell) != kind {
                continue;
            }
            entry.set_row(predicates.index(predicates.links[kind][link].edge), cell, nothing);
            predicates.set_link_atom(entry, cell, kind, link, Atom::Opaque);
            predicates.doubt_successors(entry, cell, (kind, link));
            let forth = predicates.backs.iter().filter(|back| back.link == (kind, link)).flat_map(|back| &back.forth);
            for (_, predicate) in forth {
                predicates.put(entry, *predicate, cell, Kleene::Unknown);
            }
        }
    }

    /// Whether the spine leads back from where a way back leads.
    pub(super) fn comes_back(&self, whole: &Structure, link: (KindId, usize), cell: usize) -> bool {
        let predicates = &self.predicates;
        let back = predicates.backs.iter().find(|back| back.link == link);
        back.is_some_and(|back| whole.unary(predicates.index(back.back)).must >> cell & 1 == 1)
    }
}

impl OutsideCells {
    /// The same, with cells by their numbers in the rest.
    pub(super) fn in_rest(self, outer: &[usize]) -> OutsideCells {
        OutsideCells { to: Move::Onto(outer).apply(self.to), ..self }
    }
}

impl Predicates {
    /// Whether a link is a way back, and not that of a list.
    pub(super) fn is_way_back_of_tree(&self, link: (KindId, usize)) -> bool {
        self.backs.iter().any(|back| back.link == link && back.reach.is_none())
    }

    /// The predicate that says that a link holds [`Atom::Outside`].
    pub(super) fn outside_of(&self, kind: KindId, link: usize) -> Option<Predicate> {
        self.links[kind][link].atoms.get(&Atom::Outside).copied()
    }

    /// Whether a cell of a part of the heap, or a slot, may hold [`Atom::Outside`].
    fn holds_outside(&self, whole: &Structure, part: u64, slots: &[Slot]) -> bool {
        let of_cells = self.links.values().flatten().filter_map(|link| link.atoms.get(&Atom::Outside));
        let mut cells = of_cells.map(|atom| whole.unary(self.index(*atom)).may & part);
        let is_held = |slot: &Slot| {
            let atom = self.slots[*slot].atoms.get(&Atom::Outside);
            atom.is_some_and(|atom| whole.nullary(self.index(*atom)) != Kleene::False)
        };
        cells.any(|cells| cells != 0) || slots.iter().any(is_held)
    }
}
