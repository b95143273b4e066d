//! Footprint and frame of a call: the cells that it may reach, all others, and the cutpoints between them. Calls of
//! procedures ([`super::calls`]) and calls by contract ([`super::contract`]) divide a heap and put it together again with
//! what is here.
//!
//! The *footprint* is what is reached from the slots that a callee is given. The *frame* is the rest, which the caller
//! keeps. A cell of the footprint that the frame leads to is a *cutpoint*, named by a *ghost*: a slot that
//! the callee does not know. When the call is over, links of the frame lead again to where their ghosts point.

use super::predicates::Predicates;
use super::roles::Role;
use super::slots::Slot;
use crate::structure::{Bounds, Structure, members};
use crate::vocabulary::Arity;
use heapwise_cells::atom::Atom;
use heapwise_cells::program::KindId;
use heapwise_logic::{Kleene, Predicate};

/// The cells that may be reached from some along these edges.
pub(super) fn closure_along(structure: &Structure, from: u64, edges: &[usize]) -> u64 {
    let mut reached = from;
    loop {
        let next = members(reached)
            .fold(reached, |next, u| edges.iter().fold(next, |next, edge| next | structure.row(*edge, u).may));
        if next == reached {
            return reached;
        }
        reached = next;
    }
}

/// A link of the frame into the footprint.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameLink {
    /// The cell that it leaves.
    pub(super) from: usize,
    pub(super) kind: KindId,
    pub(super) link: usize,
    /// The cutpoint that it leads to.
    pub(super) to: usize,
    /// Whether it surely does.
    pub(super) value: Kleene,
}

/// A link of the frame, with the ghost of the cutpoint that it leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct NamedLink {
    /// The cell that it leaves.
    pub(super) from: usize,
    pub(super) kind: KindId,
    pub(super) link: usize,
    pub(super) ghost: Slot,
    /// Whether it surely leads there.
    pub(super) value: Kleene,
}

impl FrameLink {
    /// The link, with its cutpoint's ghost.
    pub(super) fn named(self, ghost: Slot) -> NamedLink {
        let FrameLink { from, kind, link, value, .. } = self;
        NamedLink { from, kind, link, ghost, value }
    }
}

impl Predicates {
    /// The footprint: the cells that may be reached from slots along any links.
    pub fn footprint(&self, structure: &Structure, roots: &[Slot]) -> u64 {
        self.closure(structure, self.pointed_to(structure, roots))
    }

    /// The cells that slots may point to.
    pub(super) fn pointed_to(&self, structure: &Structure, slots: &[Slot]) -> u64 {
        let points = slots.iter().filter_map(|slot| self.slots[*slot].points);
        points.fold(0, |mask, points| mask | structure.unary(self.index(points)).may)
    }

    /// The cells that may be reached from some along any links.
    pub(super) fn closure(&self, structure: &Structure, from: u64) -> u64 {
        let edges: Vec<usize> = self.links.values().flatten().map(|link| self.index(link.edge)).collect();
        closure_along(structure, from, &edges)
    }

    /// Where one link of a cell of the frame may lead in the footprint.
    pub(super) fn links_of_frame<'a>(
        &'a self,
        whole: &'a Structure,
        footprint: u64,
        (from, kind, link): (usize, KindId, usize),
        roots: &'a [Slot],
    ) -> impl Iterator<Item = FrameLink> + 'a {
        let known = &self.links[kind][link];
        let row = whole.row(self.index(known.edge), from);
        members(row.may & footprint)
            // Another cell of the footprint leads there, and no second one does.
            .filter(move |to| known.role != Role::Spine || !self.has_predecessor(whole, roots, *to))
            .map(move |to| {
                let value = Kleene::from_bounds(true, row.must >> to & 1 == 1);
                FrameLink { from, kind, link, to, value }
            })
    }

    /// Whether a cell of the footprint is led to by another one of them, and by no second cell.
    pub(super) fn has_predecessor(&self, whole: &Structure, roots: &[Slot], cell: usize) -> bool {
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
    pub(super) fn by_predecessors(&self) -> impl Iterator<Item = Predicate> + '_ {
        let without = self.slots.values().filter_map(|slot| slot.shared_without);
        [self.shared].into_iter().chain(self.twin).chain(self.incoming.iter().copied()).chain(without)
    }

    /// Predicates of a cell whose definitions speak of the cells that one of its links leads to, spine apart.
    pub(super) fn by_successors(&self, kind: KindId, link: usize) -> impl Iterator<Item = Predicate> + '_ {
        let edge = self.links[kind][link].edge;
        let has = self.outgoing.iter().filter(move |(known, _)| *known == edge).map(|(_, has)| *has);
        let backs = self.backs.iter().filter(move |back| back.link.0 == kind).flat_map(move |back| {
            let forth = back.forth.iter().filter(move |(forth, _)| *forth == link).map(|(_, predicate)| *predicate);
            forth.chain((back.link.1 == link).then_some(back.back))
        });
        has.chain(backs)
    }

    /// Whether the reachability predicate of this number follows a link.
    pub(super) fn is_followed(&self, reach: usize, (kind, link): (KindId, usize)) -> bool {
        if reach == 0 {
            return self.links[kind][link].role == Role::Spine;
        }
        self.backs.iter().any(|back| back.reach == Some(reach) && back.link == (kind, link))
    }

    /// Frame and footprint as one heap, the footprint's cells behind the frame's, with no link between them. What
    /// `is_left_out` excludes is not taken from the footprint. `None` if there are too many individuals.
    pub(super) fn side_by_side(
        &self,
        frame: &Structure,
        footprint: &Structure,
        is_left_out: impl Fn(Predicate) -> bool,
    ) -> Option<Structure> {
        let shift = frame.size();
        let here = frame.universe();
        let mut whole = frame.extended(&vec![None; footprint.size()]).ok()?;
        for predicate in self.vocabulary.predicates() {
            let slot = self.vocabulary.slot(predicate);
            match slot.arity {
                // What is said without cells is said of the whole.
                Arity::Nullary => {}
                Arity::Unary if is_left_out(predicate) => {}
                Arity::Unary => {
                    let (mine, other) = (whole.unary(slot.index), footprint.unary(slot.index));
                    let may = mine.may & here | other.may << shift;
                    let must = mine.must & here | other.must << shift;
                    whole.set_unary(slot.index, Bounds { may, must });
                }
                Arity::Binary => {
                    for u in 0..footprint.size() {
                        let row = footprint.row(slot.index, u);
                        let row = Bounds { may: row.may << shift, must: row.must << shift };
                        whole.set_row(slot.index, u + shift, row);
                    }
                }
            }
        }
        Some(whole)
    }

    /// Predicates of the cell that a link leaves, which speak of where it leads, are looked at again.
    pub(super) fn doubt_successors(&self, whole: &mut Structure, from: usize, (kind, link): (KindId, usize)) {
        for predicate in self.by_successors(kind, link) {
            self.put(whole, predicate, from, Kleene::Unknown);
        }
    }

    /// A link of the frame leads again to where its ghost points now.
    pub(super) fn lead_again(&self, whole: &mut Structure, link: NamedLink, at: Bounds) {
        let known = &self.links[link.kind][link.link];
        let edges = [Some(known.edge), (known.role == Role::Spine).then_some(self.spine)];
        for index in edges.into_iter().flatten().map(|edge| self.index(edge)) {
            let row = whole.row(index, link.from);
            let must = if link.value.must() { at.must } else { 0 };
            whole.set_row(index, link.from, Bounds { may: row.may | at.may, must: row.must | must });
        }
        for predicate in self.by_predecessors() {
            let bounds = whole.unary(self.index(predicate));
            whole.set_unary(self.index(predicate), Bounds { may: bounds.may | at.may, must: bounds.must });
        }
    }

    /// A link of the frame dangles: its cutpoint was freed.
    pub(super) fn dangle(&self, whole: &mut Structure, link: NamedLink) {
        let atoms = &self.links[link.kind][link.link].atoms;
        if let Some(freed) = atoms.get(&Predicates::known(atoms, Atom::Freed)) {
            self.put(whole, *freed, link.from, link.value);
        }
    }

    /// What is reached from a slot by way of a link of the frame: all that is reached from its ghost. `value` is whether
    /// the slot reaches the cell that the link leaves, `behind` what the ghost reaches in `whole`.
    pub(super) fn reach_over(
        &self,
        whole: &mut Structure,
        (slot, way): (Slot, usize),
        link: NamedLink,
        value: Kleene,
        mut behind: Bounds,
    ) {
        let Some(reach) = self.slots[slot].reach.get(way) else { return };
        if !(value.must() && link.value.must()) {
            behind.must = 0;
        }
        let index = self.index(*reach);
        let known = whole.unary(index);
        whole.set_unary(index, Bounds { may: known.may | behind.may, must: known.must | behind.must });
    }
}
