//! A body starts with every heap that its contract admits, and must return with what the contract says.

use super::super::heap::{Known, Value};
use super::super::links::Coerced;
use super::super::predicates::Predicates;
use super::super::slots::{OLD, Slot};
use super::super::step::{Applied, INDEFINITE, Stepper, TOO_LARGE};
use super::call::UNKNOWN_CONTRACT;
use super::ghosts::OldLink;
use super::narrow::{EFFORT, Narrowing, without};
use crate::structure::{Bounds, Structure, members};
use crate::vocabulary::{ACTIVE, Arity, Role, SUMMARY};
use heapwise_cells::Issue;
use heapwise_cells::atom::{Atom, Var};
use heapwise_cells::contract::{CellClaim, CellContract, CellTerm, Frees};
use heapwise_cells::program::{CellProgram, KindId, LinkTarget};
use heapwise_engine::reason::{ContractBreach, ContractGap};
use heapwise_ir::ShapeKind;
use heapwise_logic::{Kleene, Predicate};
use smallvec::SmallVec;

impl Predicates {
    /// Whether an edge can lead between two individuals by the declared types of links.
    pub(super) fn fits(&self, program: &CellProgram, (kind, link): (KindId, usize), target: KindId) -> bool {
        match program.kinds[kind].links[link].target {
            LinkTarget::Same => kind == target,
            LinkTarget::Other(ty) => program.record_kinds.get(&ty) == Some(&target),
        }
    }

    /// Links of individuals become unknown within a set: each may be null or lead to any cell of its declared type.
    pub(super) fn forget_links(&self, program: &CellProgram, structure: &mut Structure, part: u64) {
        let kinds: Vec<KindId> = (0..structure.size()).map(|u| self.kind(structure, u)).collect();
        let spine = self.index(self.spine);
        for u in members(part) {
            let mut along_spine = 0;
            for (kind, links) in &self.links {
                for (position, link) in links.iter().enumerate() {
                    let targets = members(part)
                        .filter(|w| kind == kinds[u] && self.fits(program, (kind, position), kinds[*w]))
                        .fold(0, |mask, w| mask | 1 << w);
                    structure.set_row(self.index(link.edge), u, Bounds { may: targets, must: 0 });
                    if link.role == super::super::roles::Role::Spine {
                        along_spine |= targets;
                    }
                    for atom in link.atoms.values() {
                        self.put(structure, *atom, u, Kleene::False);
                    }
                }
            }
            structure.set_row(spine, u, Bounds { may: along_spine, must: 0 });
            for raw in self.raw.values().flatten().flatten() {
                self.put(structure, *raw, u, Kleene::False);
            }
        }
    }

    /// What instrumentation predicates say of individuals becomes unknown, but for what is reached from slots.
    pub(super) fn forget_shape(&self, structure: &mut Structure, part: u64) {
        let reach: Vec<Predicate> = self.slots.values().flat_map(|slot| slot.reach.iter().copied()).collect();
        for predicate in self.vocabulary.predicates() {
            let slot = self.vocabulary.slot(predicate);
            let is_defined = self.vocabulary.declaration(predicate).definition.is_some();
            if slot.arity == Arity::Unary && is_defined && !reach.contains(&predicate) {
                let bounds = structure.unary(slot.index);
                structure.set_unary(slot.index, Bounds { may: bounds.may | part, must: bounds.must & !part });
            }
        }
    }

    /// A slot may be null, or point to any cell of a kind within a set.
    pub(super) fn forget_slot(&self, structure: &mut Structure, slot: Slot, kind: KindId, part: u64) {
        self.clear(structure, slot);
        let predicates = &self.slots[slot];
        let targets = members(part).filter(|u| self.kind(structure, *u) == kind).fold(0, |mask, u| mask | 1 << u);
        if let Some(points) = predicates.points {
            structure.set_unary(self.index(points), Bounds { may: targets, must: 0 });
        }
        for reach in &predicates.reach {
            structure.set_unary(self.index(*reach), Bounds { may: part, must: 0 });
        }
        self.doubt_sharing(structure, slot);
    }

    /// Whether all that a function can reach when it is called is doubly linked, along all links that there are.
    fn goes_two_ways(&self, program: &CellProgram, contract: &CellContract) -> bool {
        let [kind] = contract.kinds.as_slice() else { return false };
        let required: Vec<&CellTerm> =
            contract.requires.iter().flat_map(|clause| doubly_linked(&clause.claim, program, *kind)).collect();
        let parameters = contract.parameters.iter().enumerate().filter(|(_, kind)| kind.is_some());
        let globals = contract.globals.iter().filter(|(_, kind)| kind.is_some());
        let mut roots: Vec<CellTerm> = parameters.map(|(position, _)| CellTerm::Parameter(position)).collect();
        roots.extend(globals.map(|(var, _)| CellTerm::Global(*var)));
        roots.extend(contract.named.iter().map(|(var, _)| CellTerm::Global(*var)));
        let has_ways = self.backs.iter().any(|back| back.link.0 == *kind && back.reach.is_some());
        has_ways && self.spine_is_function && roots.iter().all(|root| required.contains(&root))
    }

    /// Unary predicates that names consist of: those of the given slots, and all others that are not definite.
    pub(super) fn names(&self, structure: &Structure, roots: &[Slot]) -> (Vec<Predicate>, Vec<Predicate>) {
        let mut names: Vec<Predicate> = roots.iter().filter_map(|slot| self.slots[*slot].points).collect();
        names.extend(roots.iter().flat_map(|slot| self.slots[*slot].reach.iter().copied()));
        let mut others = Vec::new();
        for predicate in self.vocabulary.predicates() {
            let slot = self.vocabulary.slot(predicate);
            let bounds = if slot.arity == Arity::Unary { structure.unary(slot.index) } else { continue };
            let is_name = self.vocabulary.declaration(predicate).role == Role::Abstraction;
            let is_reserved = [SUMMARY, ACTIVE, crate::vocabulary::NEW].contains(&slot.index);
            if is_name && !is_reserved && bounds.may != bounds.must && !names.contains(&predicate) {
                others.push(predicate);
            }
        }
        // Whether cells are shared follows where it is known which lie on cycles, and which are the way back.
        let is_back = |predicate: &Predicate| {
            self.backs.iter().any(|back| back.back == *predicate || back.forth.iter().any(|(_, f)| f == predicate))
        };
        others.sort_by_key(|predicate| (!is_back(predicate), *predicate == self.shared));
        (names, others)
    }

    /// Whether all cells of a set have the form that contracts take for granted.
    pub(super) fn is_well_formed(&self, program: &CellProgram, structure: &Structure, part: u64) -> bool {
        let mut broken = 0;
        for (kind, links) in &self.links {
            for (position, link) in links.iter().enumerate() {
                for atom in link.atoms.values() {
                    broken |= structure.unary(self.index(*atom)).may;
                }
                for u in members(part) {
                    let targets = members(structure.row(self.index(link.edge), u).may);
                    let fits = |w: usize| self.fits(program, (kind, position), self.kind(structure, w));
                    if !targets.into_iter().all(fits) {
                        return false;
                    }
                }
            }
        }
        for raw in self.raw.values().flatten().flatten() {
            broken |= structure.unary(self.index(*raw)).may;
        }
        broken & part == 0
    }
}

/// The pointers that a claim says to be doubly linked, along all links of their kind.
fn doubly_linked<'a>(claim: &'a CellClaim, program: &CellProgram, kind: KindId) -> Vec<&'a CellTerm> {
    match claim {
        CellClaim::Shape { kind: ShapeKind::DoublyLinked, arguments, cell, links }
            if *cell == kind && links.len() == program.kinds[kind].links.len() =>
        {
            arguments.iter().collect()
        }
        CellClaim::And(claims) => claims.iter().flat_map(|claim| doubly_linked(claim, program, kind)).collect(),
        _ => Vec::new(),
    }
}

impl Stepper<'_> {
    /// All heaps with which the function may be called.
    pub(in super::super) fn enter(
        &mut self,
        before: &Structure,
        contract: &CellContract,
        parameters: &[Option<Var>],
    ) -> Applied {
        let Some(code) = &self.contracts.entered else { return Applied::gap(UNKNOWN_CONTRACT) };
        let (predicates, program) = (&self.predicates, self.program);
        let Some(own) = &predicates.ghosts.own else { return Applied::gap(UNKNOWN_CONTRACT) };
        let Ok(mut start) = before.extended(&vec![None; contract.kinds.len()]) else {
            return Applied::gap(TOO_LARGE);
        };
        let everyone = start.universe();
        start.set_unary(SUMMARY, Bounds { may: everyone, must: 0 });
        start.set_unary(ACTIVE, Bounds { may: everyone, must: 0 });
        for (u, kind) in contract.kinds.iter().enumerate() {
            if let Some(predicate) = predicates.kinds[*kind] {
                predicates.put(&mut start, predicate, u, Kleene::True);
            }
        }
        start.set_unary(predicates.index(own.existed), Bounds { may: everyone, must: everyone });
        predicates.forget_links(program, &mut start, everyone);
        predicates.forget_shape(&mut start, everyone);
        let mut roots = Vec::new();
        for (slot, kind) in code.contract.parameters.iter().flatten() {
            predicates.forget_slot(&mut start, *slot, *kind, everyone);
            roots.push(*slot);
        }
        for (var, kind) in &contract.globals {
            let slot = self.slots.of(*var);
            match kind {
                Some(kind) => {
                    predicates.forget_slot(&mut start, slot, *kind, everyone);
                    roots.push(slot);
                }
                None => predicates.set_atom(&mut start, slot, Atom::Opaque),
            }
        }
        for (var, kind) in &contract.named {
            let slot = self.slots.of(*var);
            predicates.forget_slot(&mut start, slot, *kind, everyone);
            roots.push(slot);
        }
        let (first, rest) = predicates.names(&start, &roots);
        let two_ways = predicates.goes_two_ways(program, contract);
        let mut narrowing = Narrowing {
            predicates,
            constraints: code.admitting(predicates, &self.slots, &self.linking.framework.constraints),
            code,
            tests: &code.requires,
            tables: &mut self.tables,
            control: &self.control,
            effort: EFFORT,
        };
        // Only what the function can reach is looked at.
        let within = |structure: Structure| {
            let mut reached = predicates.footprint(&structure, &roots);
            if two_ways {
                // Of what is doubly linked no mixed way leads further than going on or going back does.
                let ways = roots.iter().flat_map(|slot| &predicates.slots[*slot].reach);
                reached &= ways.fold(0, |mask, way| mask | structure.unary(predicates.index(*way)).may);
            }
            if structure.active().may & !reached == 0 { structure } else { without(&structure, !reached) }
        };
        let reached = |structures: Vec<Structure>| -> Vec<Structure> {
            let mut structures: Vec<Structure> = structures.into_iter().map(within).collect();
            structures.sort();
            structures.dedup();
            structures
        };
        let mut narrowed = Vec::new();
        for structure in reached(narrowing.narrow(start, &first, &within)) {
            narrowed.extend(narrowing.narrow(structure, &rest, &within));
        }
        let mut structures = reached(narrowing.present(reached(narrowed)));
        structures.retain_mut(|structure| narrowing.sharpen(structure));
        for structure in &mut structures {
            for (var, parameter) in parameters.iter().zip(&code.contract.parameters) {
                if let (Some(var), Some((slot, _))) = (var, parameter) {
                    predicates.copy(structure, self.slots.of(*var), *slot);
                }
            }
        }
        let old_links = code.contract.old_links.clone();
        let mut applied = Applied::default();
        applied.structures = self.remember_links(structures, &old_links, &mut applied.issues);
        if let Some(code) = &self.contracts.entered {
            let kept = self.predicates.ghosts.own.as_ref().map_or(&[][..], |own| &own.kept);
            for structure in &mut applied.structures {
                code.remember(&self.predicates, structure, kept, &mut self.tables);
            }
        }
        applied
    }

    /// Slots get what links hold; structures are divided until it is clear.
    pub(super) fn remember_links(
        &mut self,
        structures: Vec<Structure>,
        links: &[OldLink],
        issues: &mut SmallVec<[Issue; 1]>,
    ) -> Vec<Structure> {
        let mut open = structures;
        for link in links {
            let target = (link.base, link.kind, link.link);
            let mut next = Vec::new();
            for structure in open {
                next.extend(self.look_through(structure, target, Some(link.slot), issues));
            }
            open = next;
        }
        if links.is_empty() { open } else { open.into_iter().map(|s| self.without_impossible(s)).collect() }
    }

    /// Where it is clear what links hold, some cells that may have been there cannot: nothing leads to them any more, and
    /// what leads to no cell would not belong to what the callee can reach.
    fn without_impossible(&mut self, structure: Structure) -> Structure {
        let active = structure.active();
        let mut gone = 0;
        for u in members(active.may & !active.must) {
            let mut there = structure.clone();
            there.set_unary(ACTIVE, Bounds { may: active.may, must: active.must | 1 << u });
            if self.linking.coerce(&mut there, &mut self.tables) == Coerced::Empty {
                gone |= 1 << u;
            }
        }
        if gone == 0 { structure } else { without(&structure, gone) }
    }

    /// Divides a structure until it is clear what a link of the cell that a slot points to holds.
    fn look_through(
        &mut self,
        structure: Structure,
        (base, kind, link): (Slot, KindId, usize),
        target: Option<Slot>,
        issues: &mut SmallVec<[Issue; 1]>,
    ) -> Vec<Structure> {
        let mut applied = Applied::default();
        let mut seen = Vec::new();
        for mut structure in self.focus_slot(structure, base) {
            let cell = match self.predicates.value(&structure, base) {
                Known::Value(Value::Cell(cell)) if self.predicates.kind(&structure, cell) == kind => cell,
                Known::Indefinite => {
                    applied.add(Applied::gap(INDEFINITE));
                    continue;
                }
                // What has no such link holds nothing that a claim could speak of.
                Known::Value(Value::Cell(_) | Value::Atom(_)) => {
                    target.into_iter().for_each(|target| self.predicates.clear(&mut structure, target));
                    seen.push(structure);
                    continue;
                }
            };
            for (mut structure, value) in self.loaded(structure, base, cell, (kind, link), &mut applied) {
                if let Some(target) = target {
                    match value {
                        Value::Cell(_) => self.predicates.copy(&mut structure, target, OLD),
                        Value::Atom(_) => self.predicates.clear(&mut structure, target),
                    }
                }
                self.clear_scratch(&mut structure);
                seen.push(structure);
            }
        }
        issues.extend(applied.issues);
        seen
    }

    /// What the function that was entered does not keep.
    pub(in super::super) fn leave(&mut self, contract: &CellContract, structure: Structure) -> Applied {
        let links = self.contracts.entered.as_ref().map_or_else(Vec::new, |code| code.contract.links.clone());
        let mut applied = Applied::default();
        let mut open = vec![structure];
        for link in links {
            let mut next = Vec::new();
            for structure in open {
                next.extend(self.look_through(structure, link, None, &mut applied.issues));
            }
            open = next;
        }
        for structure in open {
            applied.add(self.leave_with(contract, &structure));
        }
        applied
    }

    fn leave_with(&mut self, contract: &CellContract, structure: &Structure) -> Applied {
        let (Some(code), Some(own)) = (&self.contracts.entered, &self.predicates.ghosts.own) else {
            return Applied::gap(UNKNOWN_CONTRACT);
        };
        let predicates = &self.predicates;
        let name = &contract.name;
        let mut applied = Applied::default();
        let freed = structure.unary(predicates.index(own.freed));
        let live = structure.active().may & !freed.must;
        let foreign = members(live).any(|u| !contract.kinds.contains(&predicates.kind(structure, u)));
        if foreign || !predicates.is_well_formed(self.program, structure, live) {
            applied.issues.push(Issue::Gap(ContractGap::LeavesIllFormed { function: name.clone() }.into()));
        }
        let is_open = |slot: Slot| {
            let mut atoms = predicates.slots[slot].atoms.values();
            atoms.any(|atom| structure.nullary(predicates.index(*atom)) != Kleene::False)
        };
        if contract.globals.iter().any(|(var, kind)| kind.is_some() && is_open(self.slots.of(*var))) {
            applied.issues.push(Issue::Gap(ContractGap::LeavesGlobal { function: name.clone() }.into()));
        }
        if let Some((slot, kind)) = code.contract.result {
            let is_kept = match predicates.value(structure, slot) {
                Known::Value(Value::Cell(cell)) => predicates.kind(structure, cell) == kind,
                Known::Value(Value::Atom(atom)) => atom == Atom::NULL,
                Known::Indefinite => false,
            };
            if !is_kept {
                applied.issues.push(Issue::Gap(ContractGap::ResultNoCell { function: name.clone() }.into()));
            }
        }
        if contract.frees == Frees::Nothing && freed.may & structure.active().may != 0 {
            applied.issues.push(Issue::Broken(ContractBreach::FreesUnsaid { function: name.clone() }));
        }
        for test in &code.ensures {
            if code.evaluate(predicates, structure, test, &mut self.tables) != Kleene::True {
                let (function, clause) = (name.clone(), test.text.clone());
                applied.issues.push(Issue::Broken(ContractBreach::Ensures { function, clause }));
            }
        }
        applied
    }
}
