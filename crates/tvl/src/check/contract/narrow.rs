//! Narrowing: from a structure of which little is known to structures with definite names, without what rules and
//! claims exclude. It is the search of `assume` with coerce and three-valued evaluation in the place of a prover.
//!
//! *Soundness.* Dividing an individual loses nothing; a part goes only if, were there a cell in it, a rule would be
//! broken or a claim be false.

use super::super::predicates::Predicates;
use super::super::roles::Role;
use super::terms::Extent;
use super::{ContractCode, Test};
use crate::coerce::{Agenda, Constraints};
use crate::structure::{Bounds, Structure, members};
use crate::tables::Tables;
use crate::vocabulary::{ACTIVE, PredicateIndex, SUMMARY};
use heapwise_engine::Control;
use heapwise_logic::{Kleene, Predicate};

/// Structures are not divided beyond so many individuals, nor sets of them beyond so many structures.
const INDIVIDUALS: usize = 12;
const STRUCTURES: usize = 64;
/// Nor one structure into more than so many by which individuals exist.
const PRESENCES: usize = 8;

/// What narrowing needs.
pub(super) struct Narrowing<'a> {
    pub(super) predicates: &'a Predicates,
    /// The rules that are looked at.
    pub(super) constraints: &'a Constraints,
    pub(super) code: &'a ContractCode,
    /// The claims that hold.
    pub(super) tests: &'a [Test],
    pub(super) tables: &'a mut Tables,
    /// Whether there is time left.
    pub(super) control: &'a Control,
    /// How many more structures are looked at: beyond, they stay as they are, which is sound.
    pub(super) effort: usize,
}

/// The effort for one call, or for the start of one body.
pub(super) const EFFORT: usize = 4_000;

impl Narrowing<'_> {
    /// Whether the structure may stand for a heap; it is sharpened.
    pub(super) fn is_possible(&mut self, structure: &mut Structure, agenda: Agenda) -> bool {
        // What is said of pairs and triples of cells costs more where there are more of them.
        self.effort = self.effort.saturating_sub(1 + structure.size().pow(3) / 64);
        if self.control.check(0, 0).is_err() {
            self.effort = 0;
        }
        // Claims cost less than rules.
        if self.is_excluded(structure) || self.constraints.coerce(structure, agenda, self.tables).is_err() {
            return false;
        }
        !self.is_excluded(structure)
    }

    /// Whether some claim does not hold.
    fn is_excluded(&mut self, structure: &Structure) -> bool {
        let (code, tables) = (self.code, &mut *self.tables);
        let mut whole: Option<Option<Structure>> = None;
        self.tests.iter().any(|test| {
            let value = match test.extent {
                Extent::Reached => test.evaluate(structure, tables),
                Extent::All => match whole.get_or_insert_with(|| code.outside.with(self.predicates, structure)) {
                    Some(whole) => test.evaluate(whole, tables),
                    None => Kleene::Unknown,
                },
            };
            value == Kleene::False
        })
    }

    fn everything(&self) -> Agenda {
        self.constraints.everything()
    }

    fn about(&self, predicate: Predicate) -> Agenda {
        let constraints = self.constraints;
        let mut agenda = constraints.about(predicate).clone();
        agenda.extend(constraints.about_equality());
        agenda
    }

    /// Makes the predicates definite, one after the other. `relevant` takes away, in between, what nothing leads to.
    pub(super) fn narrow(
        &mut self,
        mut start: Structure,
        names: &[Predicate],
        relevant: &dyn Fn(Structure) -> Structure,
    ) -> Vec<Structure> {
        let everything = self.everything();
        if !self.is_possible(&mut start, everything) {
            return Vec::new();
        }
        let mut open = vec![start];
        for name in names {
            let mut next: Vec<Structure> = Vec::new();
            for structure in open {
                let mut structure = relevant(structure);
                if !self.conclude(&mut structure) {
                    continue;
                }
                self.divide(structure, *name, &mut next);
            }
            next.sort();
            next.dedup();
            open = next;
        }
        let mut done: Vec<Structure> = Vec::new();
        for structure in open {
            let mut structure = relevant(structure);
            if self.conclude(&mut structure) {
                done.push(self.without_impossible(structure));
            }
        }
        done.sort();
        done.dedup();
        done
    }

    /// Applies what is known of lists and trees as wholes, until nothing new comes of it. False if nothing is left.
    fn conclude(&mut self, structure: &mut Structure) -> bool {
        loop {
            let before = structure.clone();
            self.untie(structure);
            self.turn_back(structure);
            self.unshare(structure);
            self.unloop(structure);
            if *structure == before {
                return true;
            }
            let everything = self.everything();
            if !self.is_possible(structure, everything) {
                return false;
            }
        }
    }

    fn divide(&mut self, structure: Structure, name: Predicate, out: &mut Vec<Structure>) {
        let slot = self.predicates.vocabulary.slot(name);
        let mut open = vec![structure];
        while let Some(structure) = open.pop() {
            let bounds = structure.unary(slot.index);
            let unknown = bounds.may & !bounds.must & structure.active().may;
            let is_large = structure.size() > INDIVIDUALS || open.len() + out.len() > STRUCTURES || self.effort == 0;
            let Some(u) = members(unknown).next().filter(|_| !is_large) else {
                out.push(structure);
                continue;
            };
            if structure.summaries() >> u & 1 == 1 {
                match structure.extended(&[Some(u)]) {
                    Ok(divided) => open.extend(self.divide_summary(divided, name, slot, u)),
                    Err(_) => out.push(structure),
                }
                continue;
            }
            let active = structure.active();
            let there = Bounds { may: active.may, must: active.must | 1 << u };
            let mut cases: Vec<Structure> = Vec::new();
            if active.must >> u & 1 == 0 {
                cases.push(without(&structure, 1 << u));
            }
            for value in [Kleene::False, Kleene::True] {
                let mut case = structure.clone();
                case.set(slot, &[u], value);
                case.set_unary(ACTIVE, there);
                cases.push(case);
            }
            for mut case in cases {
                let agenda = if active.must == there.must { self.about(name) } else { self.everything() };
                if self.is_possible(&mut case, agenda) {
                    open.push(case);
                }
            }
        }
    }

    /// Individuals that cannot exist go.
    fn without_impossible(&mut self, structure: Structure) -> Structure {
        let active = structure.active();
        let mut gone = 0;
        for u in members(active.may & !active.must) {
            if !self.may_exist(&structure, 1 << u) {
                gone |= 1 << u;
            }
        }
        if gone == 0 { structure } else { without(&structure, gone) }
    }

    /// The cells of a summary that have the property, and those that do not; each part may be empty.
    /// `divided` has a copy of the summary already.
    fn divide_summary(
        &mut self,
        mut divided: Structure,
        name: Predicate,
        slot: PredicateIndex,
        u: usize,
    ) -> Option<Structure> {
        let twin = divided.size() - 1;
        let (one, other) = (1u64 << u, 1u64 << twin);
        let existed = divided.active().must & one != 0;
        divided.set(slot, &[u], Kleene::False);
        divided.set(slot, &[twin], Kleene::True);
        let active = divided.active();
        divided.set_unary(ACTIVE, Bounds { may: active.may, must: active.must & !(one | other) });
        let agenda = self.about(name);
        if !self.is_possible(&mut divided, agenda) {
            return None;
        }
        let mut gone = 0;
        for part in [one, other] {
            if !self.may_exist(&divided, part) {
                gone |= part;
            }
        }
        if gone == one | other && existed {
            return None;
        }
        if existed && gone != 0 {
            let stays = (one | other) & !gone;
            let active = divided.active();
            divided.set_unary(ACTIVE, Bounds { may: active.may, must: active.must | stays });
        }
        if gone != 0 {
            divided = without(&divided, gone);
            let everything = self.everything();
            if !self.is_possible(&mut divided, everything) {
                return None;
            }
        }
        Some(divided)
    }

    /// Whether there may be a cell in an individual.
    pub(super) fn may_exist(&mut self, structure: &Structure, individual: u64) -> bool {
        let mut there = structure.clone();
        let active = there.active();
        there.set_unary(ACTIVE, Bounds { may: active.may, must: active.must | individual });
        let everything = self.everything();
        self.is_possible(&mut there, everything)
    }

    /// Divides by which individuals exist; where little is known of a structure that says nothing, and it stays whole.
    pub(super) fn present(&mut self, structures: Vec<Structure>) -> Vec<Structure> {
        let mut done: Vec<Structure> =
            structures.into_iter().flat_map(|structure| self.present_in(structure)).collect();
        done.sort();
        done.dedup();
        done
    }

    fn present_in(&mut self, whole: Structure) -> Vec<Structure> {
        let mut open = vec![whole.clone()];
        let mut done = Vec::new();
        while let Some(structure) = open.pop() {
            let active = structure.active();
            let doubtful = active.may & !active.must;
            if open.len() + done.len() > PRESENCES || self.effort == 0 {
                return vec![whole];
            }
            if doubtful == 0 {
                done.push(structure);
                continue;
            }
            let one = doubtful & doubtful.wrapping_neg();
            let mut there = structure.clone();
            there.set_unary(ACTIVE, Bounds { may: active.may, must: active.must | one });
            for mut case in [there, without(&structure, one)] {
                let everything = self.everything();
                if self.is_possible(&mut case, everything) {
                    open.push(case);
                }
            }
        }
        done
    }

    /// Says all that is known of a structure whose names are definite. False if nothing is left.
    pub(super) fn sharpen(&mut self, structure: &mut Structure) -> bool {
        self.conclude(structure) && self.sharpen_links(structure) && self.conclude(structure)
    }

    /// Makes links of single cells definite where one of the two values is excluded. False if nothing is left.
    fn sharpen_links(&mut self, structure: &mut Structure) -> bool {
        let predicates = self.predicates;
        let edges: Vec<Predicate> = predicates.links.values().flatten().map(|link| link.edge).collect();
        for edge in edges {
            let slot = predicates.vocabulary.slot(edge);
            for u in 0..structure.size() {
                for w in 0..structure.size() {
                    let is_open = structure.get(slot, &[u, w]) == Kleene::Unknown;
                    if !is_open || self.effort == 0 || !Predicates::is_single(structure, u) {
                        continue;
                    }
                    let Some(value) = self.forced(structure, edge, u, w) else { continue };
                    structure.set(slot, &[u, w], value);
                    let agenda = self.about(edge);
                    if !self.is_possible(structure, agenda) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// The only possible value of an edge from a single cell, if there is one. To a summary that can only be 0: an edge
    /// to one of its cells says nothing of the others.
    fn forced(&mut self, structure: &Structure, edge: Predicate, u: usize, w: usize) -> Option<Kleene> {
        let slot = self.predicates.vocabulary.slot(edge);
        if Predicates::is_single(structure, w) {
            for (tried, otherwise) in [(Kleene::True, Kleene::False), (Kleene::False, Kleene::True)] {
                let mut case = structure.clone();
                case.set(slot, &[u, w], tried);
                let agenda = self.about(edge);
                if !self.is_possible(&mut case, agenda) {
                    return Some(otherwise);
                }
            }
            return None;
        }
        let mut case = structure.extended(&[Some(w)]).ok()?;
        let (one, rest) = (structure.size(), w);
        case.set(slot, &[u, one], Kleene::True);
        let (summary, active) = (case.unary(SUMMARY), case.active());
        case.set_unary(SUMMARY, Bounds { may: summary.may & !(1 << one), must: 0 });
        let must = (active.must | 1 << one) & !(1 << rest);
        case.set_unary(ACTIVE, Bounds { may: active.may, must });
        let everything = self.everything();
        (!self.is_possible(&mut case, everything)).then_some(Kleene::False)
    }

    /// What is reached from a cell that lies on no cycle does not lead back to it.
    fn untie(&self, structure: &mut Structure) {
        let predicates = self.predicates;
        let on_cycle = structure.unary(predicates.index(predicates.cyclic)).may;
        let edges: Vec<usize> = predicates
            .links
            .values()
            .flatten()
            .filter(|link| link.role == Role::Spine)
            .map(|link| predicates.index(link.edge))
            .chain([predicates.index(predicates.spine)])
            .collect();
        for slot in predicates.slots.values() {
            let (Some(points), Some(reach)) = (slot.points, slot.reach.first()) else { continue };
            let at = structure.unary(predicates.index(points)).must & !on_cycle;
            let reached = structure.unary(predicates.index(*reach)).must;
            for u in members(at) {
                if !Predicates::is_single(structure, u) {
                    continue;
                }
                for (v, edge) in members(reached).flat_map(|v| edges.iter().map(move |edge| (v, *edge))) {
                    let row = structure.row(edge, v);
                    structure.set_row(edge, v, Bounds { may: row.may & !(1 << u), must: row.must & !(1 << u) });
                }
            }
        }
    }

    /// Where every step along the way from a pointer is returned, the way back from a cell on it leads to cells on it.
    fn turn_back(&self, structure: &mut Structure) {
        let predicates = self.predicates;
        let spine = predicates.index(predicates.spine);
        for back in &predicates.backs {
            let (kind, link) = back.link;
            let returning = |(f, forth): &(usize, Predicate)| {
                let edge = predicates.index(predicates.links[kind][*f].edge);
                (edge, structure.unary(predicates.index(*forth)).must)
            };
            let forth: Vec<(usize, u64)> = back.forth.iter().map(returning).collect();
            let edge = predicates.index(predicates.links[kind][link].edge);
            let mut rows: Vec<(usize, Bounds)> = Vec::new();
            for slot in predicates.slots.values() {
                let (Some(points), Some(reach)) = (slot.points, slot.reach.first()) else { continue };
                let start = structure.unary(predicates.index(points)).may;
                let way = structure.unary(predicates.index(*reach));
                for v in members(way.must & !start & structure.active().may) {
                    // The last step to the cell is one that is returned.
                    let mut before = members(way.may).filter(|u| structure.row(spine, *u).may >> v & 1 == 1);
                    let is_returned = before.all(|u| {
                        predicates.kind(structure, u) == kind
                            && predicates.links[kind].iter().filter(|link| link.role == Role::Spine).all(|link| {
                                let index = predicates.index(link.edge);
                                structure.row(index, u).may >> v & 1 == 0
                                    || forth.iter().any(|(edge, must)| *edge == index && must >> u & 1 == 1)
                            })
                    });
                    if is_returned && predicates.kind(structure, v) == kind {
                        let row = structure.row(edge, v);
                        rows.push((v, Bounds { may: row.may & way.may, must: row.must & way.may }));
                    }
                }
            }
            for (v, row) in rows {
                let known = structure.row(edge, v);
                let must = known.must & row.may;
                structure.set_row(edge, v, Bounds { may: known.may & row.may, must });
            }
        }
    }

    /// A cell whose predecessors all lie on the way from one pointer has one at most, unless it lies on a cycle; so has one
    /// to which all of them are the way back.
    fn unshare(&self, structure: &mut Structure) {
        let predicates = self.predicates;
        let (shared, spine) = (predicates.index(predicates.shared), predicates.index(predicates.spine));
        let on_cycle = structure.unary(predicates.index(predicates.cyclic)).may;
        let exist = structure.active().may;
        let reached = predicates.slots.values().filter_map(|slot| slot.reach.first());
        let ways: Vec<u64> = reached
            .filter(|_| predicates.spine_is_function)
            .map(|reach| structure.unary(predicates.index(*reach)).must)
            .collect();
        let returning = |(f, back): (usize, Predicate), kind| {
            let bounds = structure.unary(predicates.index(back));
            let link = predicates.index(predicates.links[kind][f].edge);
            members(exist).filter(|u| structure.row(link, *u).may == 0).fold(bounds.must, |mask, u| mask | 1 << u)
        };
        let spine_links = predicates.links.values().flatten().filter(|link| link.role == Role::Spine).count();
        let backs: Vec<u64> = predicates
            .backs
            .iter()
            .filter(|back| back.forth.len() == spine_links)
            .map(|back| back.forth.iter().fold(!0, |mask, forth| mask & returning(*forth, back.link.0)))
            .collect();
        let bounds = structure.unary(shared);
        let mut may = bounds.may;
        for v in members(bounds.may & !bounds.must) {
            let before = members(exist).filter(|u| structure.row(spine, *u).may >> v & 1 == 1);
            let before = before.fold(0, |mask, u| mask | 1 << u);
            let in_line = on_cycle >> v & 1 == 0 && ways.iter().any(|way| before & !way == 0);
            if in_line || backs.iter().any(|back| before & !back == 0) {
                may &= !(1 << v);
            }
        }
        structure.set_unary(shared, Bounds { may, must: bounds.must });
    }

    /// Where no cell is shared, a way that does not start on a cycle comes to none; and a cycle of ways back, each of
    /// which the spine returns, is one of the spine.
    fn unloop(&self, structure: &mut Structure) {
        let predicates = self.predicates;
        if !predicates.spine_is_function {
            return;
        }
        let cyclic = predicates.index(predicates.cyclic);
        let shared = structure.unary(predicates.index(predicates.shared)).may;
        for slot in predicates.slots.values() {
            let (Some(points), Some(reach)) = (slot.points, slot.reach.first()) else { continue };
            let way = structure.unary(predicates.index(*reach));
            let start = structure.unary(predicates.index(points)).may;
            let bounds = structure.unary(cyclic);
            if start & bounds.may == 0 && way.may & shared == 0 {
                let may = bounds.may & !(way.must & !bounds.must);
                structure.set_unary(cyclic, Bounds { may, must: bounds.must });
            }
        }
        let on_cycle = structure.unary(cyclic).may;
        for back in &predicates.backs {
            let Some(cycle) = back.cycle else { continue };
            let returned = structure.unary(predicates.index(back.back)).must;
            if structure.active().may & !returned == 0 {
                let bounds = structure.unary(predicates.index(cycle));
                let may = bounds.may & (on_cycle | bounds.must);
                structure.set_unary(predicates.index(cycle), Bounds { may, must: bounds.must });
            }
        }
    }
}

/// The structure without individuals that stand for nothing.
pub(super) fn without(structure: &Structure, gone: u64) -> Structure {
    let classes: Vec<u64> = members(structure.active().may & !gone).map(|u| 1 << u).collect();
    structure.quotient(&classes)
}
