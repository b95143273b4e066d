//! Calls by contract alone.
//!
//! The callee can change the cells that are reached from its arguments and from the globals it uses, and fresh ones.
//! Their links become unknown among themselves, what it ensures narrows them again. All other cells, and the caller's
//! variables, stay; what is reached from those variables may change.

use super::super::heap::Value;
use super::super::links::{Coerced, Linking};
use super::super::predicates::Predicates;
use super::super::slots::{Slot, Slots};
use super::super::step::{Applied, Stepper, TOO_LARGE};
use super::ContractCode;
use super::detach::Entering;
use super::ghosts::GhostSet;
use super::narrow::{EFFORT, Narrowing, without};
use crate::blur::Abstraction;
use crate::coerce::Constraints;
use crate::structure::{Bounds, Structure, members};
use crate::tables::Tables;
use crate::vocabulary::{ACTIVE, SUMMARY};
use heapwise_cells::Issue;
use heapwise_cells::atom::Atom;
use heapwise_cells::contract::{ContractId, Frees};
use heapwise_cells::program::{CellProgram, Point, StepId};
use heapwise_engine::Control;
use heapwise_engine::reason::{ContractBreach, ContractGap, GapReason};
use heapwise_logic::Kleene;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

const NOTHING: Bounds = Bounds { may: 0, must: 0 };

/// The reason for which a call or a body is not followed: its contract was not compiled.
pub(super) const UNKNOWN_CONTRACT: GapReason = GapReason::Contract(ContractGap::Unknown);

/// What calls do to the cells that they reach: the same wherever nothing else leads to those.
#[derive(Default)]
pub struct CallMemory {
    known: IndexMap<(ContractId, Structure), Vec<Structure>, FxBuildHasher>,
}

impl Stepper<'_> {
    /// The heaps after a call, as far as the contract tells.
    pub(in super::super) fn call_by_contract(
        &mut self,
        contract: ContractId,
        mut structure: Structure,
        arguments: &[(Value, Option<Slot>)],
        target: Option<Slot>,
        (step, to): (StepId, Point),
    ) -> Applied {
        let (Some(code), Some(set)) = (&self.contracts.calls[contract], &self.predicates.ghosts.call) else {
            return Applied::gap(UNKNOWN_CONTRACT);
        };
        let predicates = &self.predicates;
        let name = &code.contract.name;
        for (parameter, (value, slot)) in code.contract.parameters.iter().zip(arguments) {
            let Some((ghost, kind)) = parameter else { continue };
            match (value, slot) {
                (Value::Cell(cell), Some(slot)) if predicates.kind(&structure, *cell) == *kind => {
                    predicates.copy(&mut structure, *ghost, *slot);
                }
                (Value::Atom(Atom::NULL), _) => predicates.clear(&mut structure, *ghost),
                (Value::Atom(Atom::Uninit), _) => {
                    return Applied::error(heapwise_engine::Kind::Uninitialised);
                }
                _ => {
                    return Applied::gap(ContractGap::ArgumentNoCell { function: name.clone() });
                }
            }
        }
        let gone = predicates.ghosts.own.as_ref().map_or(0, |own| structure.unary(predicates.index(own.freed)).may);
        let live = structure.universe() & !gone;
        structure.set_unary(predicates.index(set.existed), Bounds { may: live, must: live });
        let old_links = code.contract.old_links.clone();
        let mut applied = Applied::default();
        for structure in self.remember_links(vec![structure], &old_links, &mut applied.issues) {
            if !self.is_admitted(contract, &structure, &mut applied.issues) {
                continue;
            }
            let part = self.called_with(contract, &structure);
            for structure in self.without_overwritten(step, structure, part, &mut applied.issues) {
                applied.add(self.call_with(contract, structure, target, to));
            }
        }
        applied
    }

    /// Whether what a function requires may hold. What may not is an issue.
    fn is_admitted(&mut self, contract: ContractId, structure: &Structure, issues: &mut SmallVec<[Issue; 1]>) -> bool {
        let Some(code) = &self.contracts.calls[contract] else {
            issues.push(Issue::Gap(UNKNOWN_CONTRACT));
            return false;
        };
        let name = &code.contract.name;
        for test in &code.requires {
            match code.evaluate(&self.predicates, structure, test, &mut self.tables) {
                Kleene::True => {}
                value => {
                    let (function, clause) = (name.clone(), test.text.clone());
                    let broken = Issue::Broken(ContractBreach::Requires { function, clause });
                    if !issues.contains(&broken) {
                        issues.push(broken);
                    }
                    if value == Kleene::False {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// The slots from which a function reaches what it can change.
    fn called_roots(&self, code: &ContractCode) -> Vec<Slot> {
        let mut roots: Vec<Slot> = code.contract.parameters.iter().flatten().map(|(slot, _)| *slot).collect();
        roots.extend(code.contract.globals.iter().map(|(var, _)| self.slots.of(*var)));
        roots.extend(code.contract.named.iter().map(|(var, _)| self.slots.of(*var)));
        roots
    }

    /// The cells that a function reaches when it is called.
    fn called_with(&self, contract: ContractId, structure: &Structure) -> u64 {
        let code = self.contracts.calls[contract].as_ref();
        code.map_or(0, |code| self.predicates.footprint(structure, &self.called_roots(code)))
    }

    /// The heaps after a call whose arguments are in place.
    fn call_with(
        &mut self,
        contract: ContractId,
        mut structure: Structure,
        target: Option<Slot>,
        to: Point,
    ) -> Applied {
        let (Some(code), Some(set)) = (&self.contracts.calls[contract], &self.predicates.ghosts.call) else {
            return Applied::gap(UNKNOWN_CONTRACT);
        };
        let (predicates, program) = (&self.predicates, self.program);
        let name = &code.contract.name;
        let mut applied = Applied::default();
        let roots = self.called_roots(code);
        let part = predicates.footprint(&structure, &roots);
        let foreign = members(part).any(|u| !code.contract.kinds.contains(&predicates.kind(&structure, u)));
        if foreign || !predicates.is_well_formed(program, &structure, part) {
            let reason = ContractGap::CalledWithOtherCells { function: name.clone() };
            applied.issues.push(Issue::Gap(reason.into()));
            return applied;
        }
        structure.set_unary(predicates.index(set.within), Bounds { may: part, must: part });
        code.remember(predicates, &mut structure, &set.kept, &mut self.tables);
        // What is not needed behind the call need not be followed through it.
        self.bury(&mut structure, to);
        if let Some(target) = target {
            predicates.clear(&mut structure, target);
        }
        let call =
            Call { predicates, program, code, set, globals: self.global_slots(code), named: self.named_slots(code) };
        let aliases = call.take_aliases(&mut structure, part);
        let entering = call.entering(&structure, part);
        if entering.is_some() {
            call.detach(&mut structure, part);
        }
        let entering = entering.unwrap_or_default();
        call.drop_unasked(&mut structure, &aliases, &entering);
        let Some(mut open) = call.havoc(&structure, part) else {
            applied.issues.push(Issue::Gap(TOO_LARGE));
            return applied;
        };
        let work = Work { linking: &self.linking, slots: &self.slots, control: &self.control, roots: &roots };
        let after = if call.is_separate(&structure, part) {
            let memory = (&mut self.calls, &mut self.tables);
            let after = call.by_footprint(contract, &open, &entering, &work, memory);
            let is_too_large = after.iter().any(Option::is_none);
            applied.issues.extend(is_too_large.then_some(Issue::Gap(TOO_LARGE)));
            after.into_iter().flatten().collect()
        } else {
            call.attach(&mut open, &entering, |u| u);
            let constraints = code.ensuring_among(predicates, &self.linking.framework.constraints);
            call.narrowed(work.narrowing(&call, constraints, &mut self.tables), open, &roots)
        };
        for structure in after {
            match call.returned(structure, &aliases, target) {
                Ok(structure) => applied.structures.push(structure),
                Err(reason) => applied.issues.push(Issue::Gap(reason)),
            }
        }
        applied
    }

    fn named_slots(&self, code: &ContractCode) -> Vec<Slot> {
        code.contract.named.iter().map(|(var, _)| self.slots.of(*var)).collect()
    }

    fn global_slots(&self, code: &ContractCode) -> Vec<(Slot, Option<heapwise_cells::program::KindId>)> {
        code.contract.globals.iter().map(|(var, kind)| (self.slots.of(*var), *kind)).collect()
    }
}

/// Cells of which the same is known as one; there is one if there is one of some.
fn summarised(abstraction: &Abstraction, structure: &Structure) -> Structure {
    let classes = abstraction.classes(structure);
    let mut summarised = structure.quotient(&classes);
    let exist = structure.active().must;
    let surely = classes.iter().enumerate().filter(|(_, class)| **class & exist != 0);
    let must = surely.fold(0, |mask, (i, _)| mask | 1 << i);
    summarised.set_unary(ACTIVE, Bounds { may: summarised.active().may, must });
    summarised
}

/// One call.
pub(super) struct Call<'a> {
    pub(super) predicates: &'a Predicates,
    program: &'a CellProgram,
    pub(super) code: &'a ContractCode,
    pub(super) set: &'a GhostSet,
    pub(super) globals: Vec<(Slot, Option<heapwise_cells::program::KindId>)>,
    /// Globals that the callee cannot change, but claims speak of.
    pub(super) named: Vec<Slot>,
}

/// What calls are worked out with.
struct Work<'a> {
    linking: &'a Linking,
    slots: &'a Slots,
    control: &'a Control,
    /// The slots from which the callee reaches what it can change.
    roots: &'a [Slot],
}

impl<'a> Work<'a> {
    fn narrowing(&self, call: &Call<'a>, constraints: &'a Constraints, tables: &'a mut Tables) -> Narrowing<'a> {
        let (predicates, code, control) = (call.predicates, call.code, self.control);
        Narrowing { predicates, constraints, code, tests: &code.ensures, tables, control, effort: EFFORT }
    }
}

impl Call<'_> {
    /// The heaps after a call that is worked out on its footprint alone, and put together with the frame. `None` for one
    /// that gets too large.
    fn by_footprint(
        &self,
        contract: ContractId,
        open: &Structure,
        entering: &[Entering],
        work: &Work<'_>,
        (memory, tables): (&mut CallMemory, &mut Tables),
    ) -> Vec<Option<Structure>> {
        let (local, frame) = self.separated(open);
        let known = self.known_results(contract, &local, work, memory, tables);
        let outer = open.active().may & !self.part(open);
        let place = |u: usize| (outer & ((1 << u) - 1)).count_ones() as usize;
        let mut after = Vec::new();
        for result in known {
            let Some(mut whole) = self.predicates.side_by_side(&frame, result, |_| false) else {
                after.push(None);
                continue;
            };
            self.attach(&mut whole, entering, place);
            if entering.is_empty() || work.linking.coerce(&mut whole, tables) == Coerced::Kept {
                after.push(Some(whole));
            }
        }
        after
    }

    /// What becomes of the cells that the callee reaches where nothing else leads to them: worked out once.
    fn known_results<'m>(
        &self,
        contract: ContractId,
        local: &Structure,
        work: &Work<'_>,
        memory: &'m mut CallMemory,
        tables: &mut Tables,
    ) -> &'m [Structure] {
        // Cells of which the same is known before the call are one: more of their past would be worked out in vain.
        let key = (contract, summarised(&work.linking.framework.abstraction, local));
        memory.known.entry(key).or_insert_with_key(|(_, local)| {
            let constraints = self.code.ensuring(self.predicates, work.slots, &work.linking.framework.constraints);
            self.narrowed(work.narrowing(self, constraints, tables), local.clone(), work.roots)
        })
    }

    /// The heap when the call has returned: the caller has its slots again, and the result.
    fn returned(
        &self,
        mut structure: Structure,
        aliases: &[(Slot, Slot)],
        target: Option<Slot>,
    ) -> Result<Structure, GapReason> {
        let predicates = self.predicates;
        let freed = structure.unary(predicates.index(self.set.freed));
        if freed.may != freed.must {
            return Err(ContractGap::UnclearFrees { function: self.code.contract.name.clone() }.into());
        }
        for (slot, ghost) in aliases {
            let points = predicates.slots[*ghost].points;
            let at = points.map_or(0, |points| structure.unary(predicates.index(points)).may);
            if at & freed.must == 0 {
                predicates.copy(&mut structure, *slot, *ghost);
            } else {
                predicates.set_atom(&mut structure, *slot, Atom::Freed);
            }
        }
        if let (Some(target), Some((result, _))) = (target, self.code.contract.result) {
            predicates.copy(&mut structure, target, result);
        }
        Ok(self.finish(structure))
    }

    /// The slots of the caller that hold what a parameter holds: they are emptied, and get it back after the call.
    fn take_aliases(&self, structure: &mut Structure, part: u64) -> Vec<(Slot, Slot)> {
        let predicates = self.predicates;
        let mut aliases = Vec::new();
        for (slot, own) in &predicates.slots {
            let Some(points) = own.points.filter(|_| !self.is_own(slot)) else { continue };
            let at = structure.unary(predicates.index(points));
            if at.may & part == 0 || at.may != at.must || !at.may.is_power_of_two() {
                continue;
            }
            let same = self.code.contract.parameters.iter().flatten().find(|(ghost, _)| {
                predicates.slots[*ghost].points.is_some_and(|points| structure.unary(predicates.index(points)) == at)
            });
            if let Some((ghost, _)) = same {
                aliases.push((slot, *ghost));
                predicates.clear(structure, slot);
            }
        }
        aliases
    }

    /// Empties the call's slots that neither claims nor the caller ask about any more. Where there are ways back, what is
    /// reached from them both ways helps to tell cells apart.
    fn drop_unasked(&self, structure: &mut Structure, aliases: &[(Slot, Slot)], entering: &[Entering]) {
        if !self.predicates.backs.is_empty() {
            return;
        }
        let contract = &self.code.contract;
        let parameters = contract.parameters.iter().flatten().map(|(slot, _)| *slot);
        for slot in parameters.chain(contract.old_links.iter().map(|link| link.slot)) {
            let is_alias = aliases.iter().any(|(_, ghost)| *ghost == slot);
            let is_led_to = entering.iter().any(|link| link.ghost() == slot);
            if !contract.asked.contains(&slot) && !is_alias && !is_led_to {
                self.predicates.clear(structure, slot);
            }
        }
    }

    /// Whether a slot belongs to the call, to the function whose body is checked, or is a global that the callee uses.
    fn is_own(&self, slot: Slot) -> bool {
        self.predicates.ghosts.sets().any(|set| set.slots.contains(&slot)) || self.is_global(slot)
    }

    pub(super) fn is_global(&self, slot: Slot) -> bool {
        self.globals.iter().any(|(global, _)| *global == slot) || self.named.contains(&slot)
    }

    /// Whether nothing but the call's own slots leads into what it can change.
    fn is_separate(&self, structure: &Structure, part: u64) -> bool {
        let predicates = self.predicates;
        let mut leads = 0;
        for (slot, own) in &predicates.slots {
            let is_own = self.set.slots.contains(&slot) || self.is_global(slot);
            for predicate in own.points.iter().chain(&own.reach).filter(|_| !is_own) {
                leads |= structure.unary(predicates.index(*predicate)).may;
            }
        }
        for u in members(structure.active().may & !part) {
            for link in predicates.links.values().flatten() {
                leads |= structure.row(predicates.index(link.edge), u).may;
            }
        }
        leads & part == 0 && !self.is_remembered_across(structure, part)
    }

    /// Whether the body that is checked remembers something of pairs of which the call can change one.
    fn is_remembered_across(&self, structure: &Structure, part: u64) -> bool {
        let outside = structure.active().may & !part;
        let mut pairs = self.predicates.ghosts.own.iter().flat_map(|own| &own.olds[2]);
        pairs.any(|old| {
            let index = self.predicates.index(*old);
            members(outside).any(|u| structure.row(index, u).may & part != 0)
                || members(part).any(|u| structure.row(index, u).may & outside != 0)
        })
    }

    /// What the call can change, and the rest.
    fn separated(&self, open: &Structure) -> (Structure, Structure) {
        let predicates = self.predicates;
        let part = self.part(open);
        let mut local = without(open, !part);
        for (_, own) in &predicates.slots {
            for atom in own.atoms.values() {
                local.set_nullary(predicates.index(*atom), Kleene::False);
            }
        }
        (local, without(open, part))
    }

    /// What the call can change, with fresh cells.
    fn part(&self, open: &Structure) -> u64 {
        let within = open.unary(self.predicates.index(self.set.within)).may;
        let existed = open.unary(self.predicates.index(self.set.existed)).may;
        within | open.active().may & !existed & !self.graves(open)
    }

    fn graves(&self, structure: &Structure) -> u64 {
        let own = self.predicates.ghosts.own.as_ref();
        own.map_or(0, |own| structure.unary(self.predicates.index(own.freed)).may)
    }

    /// What the callee ensures, applied to what it may have changed.
    fn narrowed(&self, mut narrowing: Narrowing<'_>, open: Structure, roots: &[Slot]) -> Vec<Structure> {
        let mut first: Vec<Slot> = self.code.contract.result.iter().map(|(slot, _)| *slot).collect();
        first.extend(roots);
        let mut narrowed = Vec::new();
        let relevant = |structure| self.without_lost(structure);
        for structure in narrowing.narrow(open, &[self.set.freed], &|structure| structure) {
            let structure = self.bury(structure);
            let (first, rest) = self.predicates.names(&structure, &first);
            for structure in narrowing.narrow(structure, &first, &relevant) {
                narrowed.extend(narrowing.narrow(self.without_lost(structure), &rest, &relevant));
            }
        }
        let narrowed = narrowed.into_iter().map(|structure| self.without_lost(structure)).collect();
        let mut structures = narrowing.present(narrowed);
        structures.retain_mut(|structure| narrowing.sharpen(structure));
        structures
    }

    /// The globals that the callee may change, and its result, may be anything.
    fn havoc_pointers(&self, open: &mut Structure, part: u64) {
        let predicates = self.predicates;
        for (slot, kind) in &self.globals {
            match kind {
                Some(kind) => predicates.forget_slot(open, *slot, *kind, part),
                None => predicates.set_atom(open, *slot, Atom::Opaque),
            }
        }
        if let Some((slot, kind)) = self.code.contract.result {
            predicates.forget_slot(open, slot, kind, part);
        }
    }

    /// The structure with fresh cells, in which nothing is known of what the callee may change.
    fn havoc(&self, structure: &Structure, part: u64) -> Option<Structure> {
        let predicates = self.predicates;
        if self.code.contract.keeps {
            let mut open = structure.clone();
            self.havoc_pointers(&mut open, part);
            return Some(open);
        }
        let kinds = &self.code.contract.kinds;
        let mut open = structure.extended(&vec![None; kinds.len()]).ok()?;
        let mut fresh = 0;
        for (i, kind) in kinds.iter().enumerate() {
            let u = structure.size() + i;
            fresh |= 1 << u;
            if let Some(predicate) = predicates.kinds[*kind] {
                predicates.put(&mut open, predicate, u, Kleene::True);
            }
        }
        for index in [SUMMARY, ACTIVE] {
            let bounds = open.unary(index);
            open.set_unary(index, Bounds { may: bounds.may | fresh, must: bounds.must & !fresh });
        }
        let before = part;
        let part = part | fresh;
        predicates.forget_links(self.program, &mut open, part);
        predicates.forget_shape(&mut open, part);
        // Cells that stay, and lead to some that may be freed.
        let edges: Vec<usize> = predicates.links.values().flatten().map(|link| predicates.index(link.edge)).collect();
        let into = members(open.universe() & !part)
            .filter(|u| edges.iter().any(|edge| open.row(*edge, *u).may & part != 0))
            .fold(0, |mask, u| mask | 1 << u);
        predicates.forget_shape(&mut open, into);
        for slot in predicates.slots.values() {
            for reach in &slot.reach {
                let index = predicates.index(*reach);
                let bounds = open.unary(index);
                if bounds.may & before != 0 {
                    open.set_unary(index, Bounds { may: bounds.may | part, must: bounds.must & !part });
                }
            }
        }
        self.havoc_pointers(&mut open, part);
        for (_, kept) in predicates.ghosts.sets().flat_map(|set| &set.kept) {
            let bounds = open.unary(predicates.index(*kept));
            open.set_unary(predicates.index(*kept), Bounds { may: bounds.may & !fresh, must: bounds.must & !part });
        }
        if self.code.contract.frees == Frees::Cells {
            open.set_unary(predicates.index(self.set.freed), Bounds { may: before, must: 0 });
        }
        Some(open)
    }

    /// Freed cells have no links, nothing well-formed leads to them, and what else led to them dangles.
    fn bury(&self, mut structure: Structure) -> Structure {
        let predicates = self.predicates;
        let freed = structure.unary(predicates.index(self.set.freed)).must;
        if freed == 0 {
            return structure;
        }
        let spine = predicates.index(predicates.spine);
        for link in predicates.links.values().flatten() {
            let index = predicates.index(link.edge);
            for u in 0..structure.size() {
                let row = structure.row(index, u);
                if freed >> u & 1 == 1 {
                    structure.set_row(index, u, NOTHING);
                    continue;
                }
                let dangling = Bounds { may: row.may & freed, must: row.must & freed };
                if dangling.may == 0 {
                    continue;
                }
                structure.set_row(index, u, Bounds { may: row.may & !freed, must: row.must & !freed });
                let could_change = structure.unary(predicates.index(self.set.within)).must;
                let is_fresh = structure.unary(predicates.index(self.set.existed)).may >> u & 1 == 0;
                if !is_fresh
                    && could_change >> u & 1 == 0
                    && let Some(atom) = link.atoms.get(&Atom::Freed).or_else(|| link.atoms.get(&Atom::Opaque))
                {
                    let value = Kleene::from_bounds(true, dangling.must != 0);
                    predicates.put(&mut structure, *atom, u, value);
                }
            }
        }
        for u in 0..structure.size() {
            let row = structure.row(spine, u);
            let row = if freed >> u & 1 == 1 { NOTHING } else { row };
            structure.set_row(spine, u, Bounds { may: row.may & !freed, must: row.must & !freed });
        }
        predicates.forget_shape(&mut structure, freed);
        for (slot, own) in &predicates.slots {
            let Some(points) = own.points else { continue };
            if predicates.ghosts.sets().any(|set| set.slots.contains(&slot)) {
                continue;
            }
            let at = structure.unary(predicates.index(points));
            if at.must & freed != 0 {
                predicates.set_atom(&mut structure, slot, Atom::Freed);
            } else if at.may & freed != 0 {
                structure.set_unary(predicates.index(points), Bounds { may: at.may & !freed, must: at.must });
                predicates.doubt_sharing(&mut structure, slot);
                if let Some(atom) = own.atoms.get(&Atom::Freed) {
                    structure.set_nullary(predicates.index(*atom), Kleene::Unknown);
                }
            }
        }
        structure
    }

    /// Without fresh cells that nothing leads to: the callee leaks none.
    fn without_lost(&self, structure: Structure) -> Structure {
        let predicates = self.predicates;
        let mut slots: Vec<Slot> = predicates.slots.keys().collect();
        slots.retain(|slot| predicates.slots[*slot].points.is_some());
        let existed = structure.unary(predicates.index(self.set.existed)).may;
        let reached = predicates.closure(&structure, existed | predicates.pointed_to(&structure, &slots));
        let lost = structure.active().may & !reached;
        if lost == 0 { structure } else { without(&structure, lost) }
    }

    /// Forgets the call: cells that it freed go, or become graves of the function whose body is checked.
    fn finish(&self, mut structure: Structure) -> Structure {
        let predicates = self.predicates;
        let freed = structure.unary(predicates.index(self.set.freed)).must;
        for slot in &self.set.slots {
            predicates.clear(&mut structure, *slot);
        }
        let kept = self.set.kept.iter().map(|(_, kept)| kept);
        for predicate in [self.set.existed, self.set.freed, self.set.within].iter().chain(kept).chain(&self.set.olds[1])
        {
            structure.set_unary(predicates.index(*predicate), NOTHING);
        }
        for predicate in &self.set.olds[0] {
            structure.set_nullary(predicates.index(*predicate), Kleene::False);
        }
        for predicate in &self.set.olds[2] {
            for u in 0..structure.size() {
                structure.set_row(predicates.index(*predicate), u, NOTHING);
            }
        }
        let mut gone = freed;
        if let Some(own) = &predicates.ghosts.own {
            let graves = freed & structure.unary(predicates.index(own.existed)).may;
            for u in members(graves) {
                structure = predicates.buried(&structure, u);
            }
            gone &= !graves;
        }
        if gone == 0 { structure } else { without(&structure, gone) }
    }
}
