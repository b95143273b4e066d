//! One command on one structure.

use super::calls::CallCodes;
use super::claims;
use super::compare::Outcome;
use super::contract::{CallMemory, ContractCodes};
use super::heap::{Known, Value};
use super::links::{Changed, Coerced, Linking, SpineEdge};
use super::predicates::Predicates;
use super::roles::Role;
use super::slots::{BASE, OLD, Slot, Slots, VALUE};
use super::values::held;
use crate::structure::{Bounds, Structure};
use crate::tables::Tables;
use crate::vocabulary::ACTIVE;
use heapwise_cells::Issue;
use heapwise_cells::atom::{Atom, Equality, Var};
use heapwise_cells::program::{
    Access, CellProgram, Command, Contents, Ending, KindId, Point, Purpose, ShapeMode, Source, StepId,
};
use heapwise_cells::touch::{Touched, bit};
use heapwise_engine::Kind;
use heapwise_ir::CompareOperator;
use heapwise_logic::Kleene;
use smallvec::{SmallVec, smallvec};

/// What the variables hold that a command reads.
type Read = SmallVec<[(Var, Value); 2]>;

/// What a command does to a structure.
#[derive(Default, Debug)]
pub struct Applied {
    /// The structures afterwards, not blurred; dead variables are still there.
    pub structures: Vec<Structure>,
    /// What went wrong.
    pub issues: SmallVec<[Issue; 1]>,
}

/// Everything that steps need.
pub struct Stepper<'a> {
    /// The program.
    pub program: &'a CellProgram,
    /// Which slot holds which variable.
    pub slots: Slots,
    /// The predicates.
    pub predicates: Predicates,
    /// The actions on links, and the rules.
    pub linking: Linking,
    /// The contracts.
    pub contracts: ContractCodes,
    /// What calls by contract do to the cells they reach.
    pub calls: CallMemory,
    /// What calls of procedures need.
    pub procedures: CallCodes,
    /// The memory of running programs.
    pub tables: Tables,
}

/// The reason for which a structure cannot be kept.
pub(super) const TOO_LARGE: &str = "a structure needs more than 64 individuals";

impl Applied {
    pub(super) fn one(structure: Structure) -> Applied {
        Applied { structures: vec![structure], issues: SmallVec::new() }
    }

    fn issue(issue: Issue) -> Applied {
        Applied { structures: Vec::new(), issues: smallvec![issue] }
    }

    pub(super) fn error(kind: Kind) -> Applied {
        Applied::issue(Issue::Error(kind))
    }

    pub(super) fn gap(reason: &str) -> Applied {
        Applied::issue(Issue::Gap(reason.to_owned()))
    }

    pub(super) fn add(&mut self, other: Applied) {
        self.structures.extend(other.structures);
        for issue in other.issues {
            if !self.issues.contains(&issue) {
                self.issues.push(issue);
            }
        }
    }
}

impl From<Changed> for Applied {
    fn from(changed: Changed) -> Applied {
        let issues = if changed.too_large { smallvec![Issue::Gap(TOO_LARGE.to_owned())] } else { SmallVec::new() };
        Applied { structures: changed.structures, issues }
    }
}

impl Stepper<'_> {
    /// Applies the command of a step.
    pub fn apply(&mut self, step: StepId, structure: &Structure) -> Applied {
        let program = self.program;
        let step = &program.steps[step];
        let mut applied = Applied::default();
        for (structure, values) in self.clarified(structure, &step.command.reads()) {
            let written = step.command.writes().filter(|var| self.slots.is_kept(step.to, *var));
            let target = written.map(|var| self.slots.of(var));
            applied.add(self.command(&step.command, (step.from, step.to), structure, &values, target));
        }
        applied
    }

    /// The structure divided until it is clear what each variable holds.
    pub(super) fn clarified(&mut self, structure: &Structure, vars: &[Var]) -> Vec<(Structure, Read)> {
        let mut open = vec![structure.clone()];
        for var in vars {
            let slot = self.slots.of(*var);
            open = open.into_iter().flat_map(|structure| self.clear(structure, slot)).collect();
        }
        let valued = |structure: Structure| {
            let mut values = Read::new();
            for var in vars {
                match self.predicates.value(&structure, self.slots.of(*var)) {
                    Known::Value(value) => values.push((*var, value)),
                    Known::Unclear => values.push((*var, Value::Atom(Atom::Opaque))),
                }
            }
            (structure, values)
        };
        open.into_iter().map(valued).collect()
    }

    /// Divides a structure until it is clear what a slot holds.
    pub(super) fn clear(&mut self, structure: Structure, slot: Slot) -> Vec<Structure> {
        if self.predicates.value(&structure, slot) != Known::Unclear {
            return vec![structure];
        }
        let atoms: Vec<usize> =
            self.predicates.slots[slot].atoms.values().map(|predicate| self.predicates.index(*predicate)).collect();
        let mut open = vec![structure];
        for atom in atoms {
            let mut next = Vec::new();
            for structure in open {
                if structure.nullary(atom).is_definite() {
                    next.push(structure);
                    continue;
                }
                for value in [Kleene::False, Kleene::True] {
                    let mut case = structure.clone();
                    case.set_nullary(atom, value);
                    if self.linking.coerce(&mut case, &mut self.tables) == Coerced::Kept {
                        next.push(case);
                    }
                }
            }
            open = next;
        }
        let mut clear = Vec::new();
        for structure in open {
            for located in self.linking.locate(structure, slot, &mut self.tables) {
                clear.extend(self.present(located, slot));
            }
        }
        clear
    }

    /// Divides a structure until the cell that a slot points to surely exists: individuals that may be absent are there
    /// or not, one after the other.
    fn present(&mut self, structure: Structure, slot: Slot) -> Vec<Structure> {
        let Some(points) = self.predicates.slots[slot].points else { return vec![structure] };
        let index = self.predicates.index(points);
        let mut open = vec![structure];
        let mut clear = Vec::new();
        while let Some(structure) = open.pop() {
            let doubtful = structure.unary(index).must & !structure.active().must;
            if doubtful == 0 {
                clear.push(structure);
                continue;
            }
            let one = doubtful & doubtful.wrapping_neg();
            let active = structure.active();
            let mut there = structure.clone();
            there.set_unary(ACTIVE, Bounds { may: active.may, must: active.must | one });
            // The others keep their numbers: steps know cells by them.
            for mut case in [there, self.predicates.emptied(&structure, one)] {
                if self.linking.coerce(&mut case, &mut self.tables) == Coerced::Kept {
                    open.push(case);
                }
            }
        }
        clear
    }

    fn command(
        &mut self,
        command: &Command,
        (from, to): (Point, Point),
        structure: Structure,
        values: &[(Var, Value)],
        target: Option<Slot>,
    ) -> Applied {
        let value_of = |var: Var| {
            values.iter().find(|(known, _)| *known == var).map_or(Value::Atom(Atom::Opaque), |(_, value)| *value)
        };
        let source_of = |source: Source| match source {
            Source::Var(var) => value_of(var),
            Source::Atom(atom) => Value::Atom(atom),
        };
        match command {
            Command::Skip => Applied::one(structure),
            Command::Set { value, .. } => self.set(structure, target, *value),
            Command::Copy { source, .. } => {
                let mut structure = structure;
                if let Some(target) = target {
                    self.predicates.copy(&mut structure, target, self.slots.of(*source));
                }
                Applied::one(structure)
            }
            Command::Load { base, access, .. } => {
                if value_of(*base) == Value::Atom(Atom::Library) {
                    return self.set(structure, target, Atom::Opaque);
                }
                match dereferenced(value_of(*base)) {
                    Ok(cell) => self.load(structure, self.slots.of(*base), cell, *access, target),
                    Err(applied) => applied,
                }
            }
            Command::Store { base, access, value } => match dereferenced(value_of(*base)) {
                Ok(cell) => {
                    let stored = Stored { value: source_of(*value), slot: value.var().map(|var| self.slots.of(var)) };
                    self.store(structure, self.slots.of(*base), cell, *access, stored)
                }
                Err(applied) => applied,
            },
            Command::Fill { base, access, contents } => match dereferenced(value_of(*base)) {
                Ok(cell) => self.fill(structure, self.slots.of(*base), cell, *access, *contents),
                Err(applied) => applied,
            },
            Command::Alloc { kind, contents, .. } => {
                let slot = target.unwrap_or(OLD);
                match self.predicates.allocate(&structure, slot, *kind, *contents) {
                    Ok(mut new) => {
                        if target.is_none() {
                            self.predicates.clear(&mut new, OLD);
                        }
                        Applied::one(new)
                    }
                    Err(_) => Applied::gap(TOO_LARGE),
                }
            }
            Command::Free { pointer } => match value_of(*pointer) {
                Value::Cell(cell) => self.free(structure, self.slots.of(*pointer), cell),
                Value::Atom(Atom::NULL) => Applied::one(structure),
                Value::Atom(Atom::Int(_) | Atom::Place(_) | Atom::Library) => Applied::error(Kind::InvalidFree),
                Value::Atom(Atom::Freed) => Applied::error(Kind::DoubleFree),
                Value::Atom(Atom::Uninit) => Applied::error(Kind::Uninitialised),
                Value::Atom(Atom::Opaque | Atom::NoLink | Atom::Outside) => {
                    Applied::gap("a pointer is freed that may point to more than heap cells")
                }
            },
            Command::Assume { operator, left, right } => {
                let (left, right) = (source_of(*left), source_of(*right));
                if [left, right].contains(&Value::Atom(Atom::Uninit)) {
                    Applied::error(Kind::Uninitialised)
                } else if may_hold(*operator, left, right) {
                    Applied::one(structure)
                } else {
                    Applied::default()
                }
            }
            Command::Compare { comparison, cell, operator } => {
                let mut structure = structure;
                let cell = match cell.map(value_of) {
                    Some(Value::Cell(cell)) => Some(cell),
                    None => None,
                    // The field was read through it, so it is one of a cell.
                    Some(Value::Atom(_)) => return Applied::one(structure),
                };
                match self.predicates.compare(&mut structure, *comparison, cell, *operator) {
                    Outcome::Possible => Applied::one(structure),
                    Outcome::Excluded => Applied::default(),
                }
            }
            Command::Forget { comparison } => {
                let mut structure = structure;
                self.predicates.forget(&mut structure, *comparison);
                Applied::one(structure)
            }
            Command::FailWhen { operator, left, right, kind } => {
                let (left, right) = (source_of(*left), source_of(*right));
                if [left, right].contains(&Value::Atom(Atom::Uninit)) {
                    Applied::error(Kind::Uninitialised)
                } else if may_hold(*operator, left, right) {
                    Applied::error(*kind)
                } else {
                    Applied::default()
                }
            }
            Command::Shape { kind, arguments, cell, links, mode } => {
                let values: SmallVec<[(Value, Option<Slot>); 2]> = arguments
                    .iter()
                    .map(|argument| (source_of(*argument), argument.var().map(|var| self.slots.of(var))))
                    .collect();
                if values.iter().any(|(value, _)| *value == Value::Atom(Atom::Uninit)) {
                    return Applied::error(Kind::Uninitialised);
                }
                let truth = claims::evaluate(&self.predicates, &structure, (*kind, *cell, links), &values);
                let mut applied = Applied::default();
                if truth != Kleene::False {
                    applied.structures.push(structure);
                }
                if *mode == ShapeMode::Assert && truth != Kleene::True {
                    applied.issues.push(Issue::Error(Kind::Shape));
                }
                applied
            }
            Command::Fail { kind } => Applied::error(*kind),
            Command::Use { var, purpose } => used(structure, value_of(*var), *purpose),
            Command::EndScope { vars } => {
                let mut structure = structure;
                for var in vars {
                    let slot = self.slots.of(*var);
                    // A variable that holds nothing here has lent its slot to others.
                    if self.slots.is_kept(from, *var) {
                        self.predicates.clear(&mut structure, slot);
                    }
                }
                Applied::one(structure)
            }
            Command::End(Ending::Return | Ending::Exit) if structure.active().may != 0 => {
                Applied::issue(Issue::StillReachable)
            }
            Command::End(_) => Applied::default(),
            Command::Contract { contract, arguments, .. } => {
                let arguments: SmallVec<[(Value, Option<Slot>); 2]> = arguments
                    .iter()
                    .map(|argument| (source_of(*argument), argument.var().map(|var| self.slots.of(var))))
                    .collect();
                let mut structure = structure;
                self.predicates.forget_all(&mut structure);
                self.call_by_contract(*contract, structure, &arguments, target, to)
            }
            Command::Enter { contract, parameters } => {
                let program = self.program;
                self.enter(&structure, &program.contracts[*contract], parameters)
            }
            Command::Leave { contract, .. } => {
                let program = self.program;
                self.leave(&program.contracts[*contract], structure)
            }
            // The fixpoint divides the heap and puts it together again.
            Command::Call { .. } => Applied::gap("a call of a recursive function is not followed here"),
            Command::Gap { reason } => Applied::gap(reason),
        }
    }

    fn set(&self, mut structure: Structure, target: Option<Slot>, atom: Atom) -> Applied {
        if let Some(target) = target {
            self.predicates.set_atom(&mut structure, target, atom);
        }
        Applied::one(structure)
    }

    fn load(&mut self, structure: Structure, base: Slot, cell: usize, access: Access, target: Option<Slot>) -> Applied {
        let kind = self.predicates.kind(&structure, cell);
        match self.program.kinds[kind].touched(access) {
            Touched::Link(link) => {
                if target.is_none() {
                    return Applied::one(structure);
                }
                let mut applied = Applied::default();
                for (mut structure, atom) in self.loaded(structure, base, cell, (kind, link), &mut applied) {
                    if let Some(target) = target {
                        match atom {
                            Value::Cell(_) => self.predicates.copy(&mut structure, target, OLD),
                            Value::Atom(atom) => self.predicates.set_atom(&mut structure, target, atom),
                        }
                    }
                    self.clear_scratch(&mut structure);
                    applied.structures.push(structure);
                }
                applied
            }
            Touched::Data { scalars, aggregates } => {
                let raw = self.raw(&structure, kind, cell);
                if raw & aggregates != 0 {
                    return Applied::gap("the contents of an array in a cell are not tracked");
                }
                let mut applied = self.set(structure, target, Atom::Opaque);
                if raw & scalars != 0 {
                    applied.issues.push(Issue::Error(Kind::Uninitialised));
                }
                applied
            }
            Touched::Outside => Applied::error(Kind::OutOfBounds),
            Touched::Part => Applied::gap("part of a link field is read"),
        }
    }

    /// The data fields of a cell that may hold nothing.
    fn raw(&self, structure: &Structure, kind: KindId, cell: usize) -> u32 {
        let fields = self.predicates.raw[kind].iter().enumerate();
        fields.fold(0, |mask, (position, predicate)| {
            let may = predicate
                .is_some_and(|predicate| structure.unary(self.predicates.index(predicate)).may >> cell & 1 == 1);
            if may { mask | bit(position) } else { mask }
        })
    }

    /// [`BASE`] becomes the base, [`OLD`] what its link leads to; what the link holds comes with the structure.
    pub(super) fn loaded(
        &mut self,
        mut structure: Structure,
        base: Slot,
        cell: usize,
        (kind, link): (KindId, usize),
        applied: &mut Applied,
    ) -> Vec<(Structure, Value)> {
        self.predicates.copy(&mut structure, BASE, base);
        let mut changed = Changed::default();
        for structure in self.clear_link(structure, cell, kind, link) {
            self.linking.load(structure, kind, link, &mut self.tables, &mut changed);
        }
        if changed.too_large {
            applied.issues.push(Issue::Gap(TOO_LARGE.to_owned()));
        }
        let mut loaded = Vec::new();
        for structure in changed.structures {
            for structure in self.clear(structure, OLD) {
                let value = match self.predicates.value(&structure, OLD) {
                    Known::Value(Value::Cell(cell)) => Value::Cell(cell),
                    Known::Value(Value::Atom(_)) => match self.predicates.link_atom(&structure, cell, kind, link) {
                        Known::Value(value) => value,
                        Known::Unclear => Value::Atom(Atom::Opaque),
                    },
                    Known::Unclear => Value::Atom(Atom::Opaque),
                };
                loaded.push((structure, value));
            }
        }
        loaded
    }

    /// Divides a structure until it is clear which atom a link holds, if any.
    pub(super) fn clear_link(
        &mut self,
        structure: Structure,
        cell: usize,
        kind: KindId,
        link: usize,
    ) -> Vec<Structure> {
        let mut open = vec![structure];
        let mut clear = Vec::new();
        while let Some(structure) = open.pop() {
            if self.predicates.link_atom(&structure, cell, kind, link) != Known::Unclear {
                clear.push(structure);
                continue;
            }
            let unknown = self.predicates.links[kind][link].atoms.values().copied().find(|predicate| {
                let bounds = structure.unary(self.predicates.index(*predicate));
                (bounds.may & !bounds.must) >> cell & 1 == 1
            });
            let Some(unknown) = unknown else {
                clear.push(structure);
                continue;
            };
            for value in [Kleene::False, Kleene::True] {
                let mut case = structure.clone();
                self.predicates.put(&mut case, unknown, cell, value);
                if self.linking.coerce(&mut case, &mut self.tables) == Coerced::Kept {
                    open.push(case);
                }
            }
        }
        clear
    }

    pub(super) fn clear_scratch(&self, structure: &mut Structure) {
        for slot in [BASE, OLD, VALUE] {
            self.predicates.clear(structure, slot);
        }
    }

    fn store(&mut self, mut structure: Structure, base: Slot, cell: usize, access: Access, stored: Stored) -> Applied {
        let kind = self.predicates.kind(&structure, cell);
        match self.program.kinds[kind].touched(access) {
            Touched::Link(link) => self.store_link(structure, base, cell, (kind, link), stored),
            Touched::Data { scalars, aggregates } => match stored.value {
                Value::Cell(_) if scalars | aggregates != 0 => {
                    Applied::gap("a pointer to a heap cell is stored in a field that is not followed")
                }
                value => {
                    self.predicates.forget_field(&mut structure, cell, access);
                    let raw = Kleene::from(value == Value::Atom(Atom::Uninit));
                    self.set_raw(&mut structure, kind, cell, scalars, raw);
                    Applied::one(structure)
                }
            },
            Touched::Outside => Applied::error(Kind::OutOfBounds),
            Touched::Part => Applied::gap("part of a link field is written"),
        }
    }

    fn set_raw(&self, structure: &mut Structure, kind: KindId, cell: usize, fields: u32, value: Kleene) {
        for (position, predicate) in self.predicates.raw[kind].iter().enumerate() {
            if let Some(predicate) = predicate
                && fields & bit(position) != 0
                && position < 31
            {
                self.predicates.put(structure, *predicate, cell, value);
            }
        }
    }

    fn store_link(
        &mut self,
        mut structure: Structure,
        base: Slot,
        cell: usize,
        (kind, link): (KindId, usize),
        stored: Stored,
    ) -> Applied {
        match (stored.value, stored.slot) {
            (Value::Cell(_), Some(slot)) => self.predicates.copy(&mut structure, VALUE, slot),
            _ => self.predicates.clear(&mut structure, VALUE),
        }
        let mut applied = Applied::default();
        for (mut structure, old) in self.loaded(structure, base, cell, (kind, link), &mut applied) {
            let mut changed = Changed::default();
            if old != stored.value {
                self.predicates.overwrite(&mut structure, cell, (kind, link));
            }
            match old {
                // The same cell again: nothing changes.
                Value::Cell(_) if old == stored.value => changed.structures.push(structure),
                Value::Cell(target) => {
                    let mut cut = Changed::default();
                    for (structure, spine) in self.spine_edge(structure, cell, target, (kind, link)) {
                        self.linking.cut(&structure, kind, link, spine, &mut self.tables, &mut cut);
                    }
                    changed.too_large |= cut.too_large;
                    for structure in cut.structures {
                        self.make(structure, cell, (kind, link), stored.value, &mut changed);
                    }
                }
                Value::Atom(_) => self.make(structure, cell, (kind, link), stored.value, &mut changed),
            }
            changed.structures.iter_mut().for_each(|structure| self.clear_scratch(structure));
            applied.add(changed.into());
        }
        applied
    }

    /// The link of the base, which leads nowhere, gets a value.
    fn make(
        &mut self,
        mut structure: Structure,
        cell: usize,
        (kind, link): (KindId, usize),
        value: Value,
        out: &mut Changed,
    ) {
        match value {
            Value::Cell(_) => {
                self.predicates.set_link_atom(&mut structure, cell, kind, link, Atom::NULL);
                self.linking.make(&structure, kind, link, &mut self.tables, out);
            }
            Value::Atom(atom) => {
                self.predicates.set_link_atom(&mut structure, cell, kind, link, atom);
                out.structures.push(structure);
            }
        }
    }

    /// Whether cutting a link between two single cells takes the edge out of the spine.
    fn spine_edge(
        &mut self,
        structure: Structure,
        from: usize,
        to: usize,
        (kind, link): (KindId, usize),
    ) -> Vec<(Structure, SpineEdge)> {
        let links = &self.predicates.links[kind];
        if links[link].role != Role::Spine {
            return vec![(structure, SpineEdge::Goes)];
        }
        let others: Vec<_> = links
            .iter()
            .enumerate()
            .filter(|(other, predicates)| *other != link && predicates.role == Role::Spine)
            .map(|(_, predicates)| self.predicates.vocabulary.slot(predicates.edge))
            .collect();
        let mut open = vec![structure];
        let mut clear = Vec::new();
        while let Some(structure) = open.pop() {
            if others.iter().any(|other| structure.get(*other, &[from, to]) == Kleene::True) {
                clear.push((structure, SpineEdge::Stays));
                continue;
            }
            match others.iter().find(|other| structure.get(**other, &[from, to]) == Kleene::Unknown) {
                None => clear.push((structure, SpineEdge::Goes)),
                Some(other) => {
                    for value in [Kleene::False, Kleene::True] {
                        let mut case = structure.clone();
                        case.set(*other, &[from, to], value);
                        if self.linking.coerce(&mut case, &mut self.tables) == Coerced::Kept {
                            open.push(case);
                        }
                    }
                }
            }
        }
        clear
    }

    fn fill(
        &mut self,
        mut structure: Structure,
        base: Slot,
        cell: usize,
        access: Access,
        contents: Contents,
    ) -> Applied {
        let kind = self.predicates.kind(&structure, cell);
        let layout = &self.program.kinds[kind];
        let (start, end) = match u64::try_from(access.offset) {
            Ok(start) if start.saturating_add(access.size) <= layout.size => (start, start + access.size),
            _ => return Applied::error(Kind::OutOfBounds),
        };
        self.predicates.forget_field(&mut structure, cell, access);
        let covers = |offset: u64, size: u64| start <= offset && offset + size <= end;
        let part = layout.links.iter().any(|link| {
            start < link.offset + layout.pointer_bytes
                && link.offset < end
                && !covers(link.offset, layout.pointer_bytes)
        });
        if part {
            return Applied::gap("part of a link field is written");
        }
        let whole = layout.data.iter().enumerate().filter(|(_, field)| covers(field.offset, field.size));
        let fields = whole.fold(0, |mask, (position, _)| mask | bit(position));
        self.set_raw(&mut structure, kind, cell, fields, Kleene::from(contents == Contents::Uninitialised));
        let value = Stored { value: Value::Atom(held(contents)), slot: None };
        let mut open = Applied::one(structure);
        for link in 0..layout.links.len() {
            if covers(layout.links[link].offset, layout.pointer_bytes) {
                let mut next = Applied { structures: Vec::new(), issues: open.issues };
                for structure in open.structures {
                    next.add(self.store_link(structure, base, cell, (kind, link), value));
                }
                open = next;
            }
        }
        open
    }

    /// Every variable and link that led to the cell dangles afterwards.
    fn free(&mut self, structure: Structure, pointer: Slot, cell: usize) -> Applied {
        let kind = self.predicates.kind(&structure, cell);
        let null = Stored { value: Value::Atom(Atom::NULL), slot: None };
        let mut open = Applied::one(structure);
        for link in 0..self.predicates.links[kind].len() {
            let mut next = Applied { structures: Vec::new(), issues: open.issues };
            for structure in open.structures {
                next.add(self.store_link(structure, pointer, cell, (kind, link), null));
            }
            open = next;
        }
        let mut applied = Applied { structures: Vec::new(), issues: open.issues };
        for mut structure in open.structures {
            self.predicates.copy(&mut structure, BASE, pointer);
            let mut changed = Changed::default();
            self.linking.cut_into(structure, &mut self.tables, &mut changed);
            let mut isolated = Applied::from(changed);
            let structures = std::mem::take(&mut isolated.structures);
            applied.add(isolated);
            for mut structure in structures {
                self.predicates.clear(&mut structure, BASE);
                for dangling in self.dangling(structure, cell) {
                    applied.structures.push(self.predicates.buried(&dangling, cell));
                }
            }
        }
        applied
    }

    /// Slots that point to a cell get a dangling pointer.
    fn dangling(&mut self, structure: Structure, cell: usize) -> Vec<Structure> {
        let mut open = vec![structure];
        // A contract remembers what its function was called with, freed or not.
        for slot in self.slots.cells() {
            if self.slots.is_ghost(slot) {
                continue;
            }
            let Some(points) = self.predicates.slots[slot].points else { continue };
            let index = self.predicates.index(points);
            let mut next = Vec::new();
            for structure in open {
                let bounds = structure.unary(index);
                if bounds.may >> cell & 1 == 0 {
                    next.push(structure);
                } else {
                    for mut structure in self.clear(structure, slot) {
                        if structure.unary(index).must >> cell & 1 == 1 {
                            self.predicates.set_atom(&mut structure, slot, Atom::Freed);
                        }
                        next.push(structure);
                    }
                }
            }
            open = next;
        }
        open
    }

    /// Empties the slots that nobody uses at a point.
    pub fn bury(&self, structure: &mut Structure, to: Point) {
        let occupied = self.slots.occupied(to);
        for slot in self.predicates.slots.keys() {
            if occupied.live.contains(&slot) || self.slots.is_ghost(slot) {
                continue;
            }
            if occupied.holders.contains(&slot) {
                self.predicates.clear_atoms(structure, slot);
            } else {
                self.predicates.clear(structure, slot);
            }
        }
    }
}

/// What is stored, and the slot it comes from.
#[derive(Clone, Copy)]
struct Stored {
    value: Value,
    slot: Option<Slot>,
}

/// The cell that a pointer leads to, or what is wrong with it.
fn dereferenced(value: Value) -> Result<usize, Applied> {
    match value {
        Value::Cell(cell) => Ok(cell),
        Value::Atom(Atom::Int(_)) => Err(Applied::error(Kind::NullDereference)),
        Value::Atom(Atom::Freed) => Err(Applied::error(Kind::UseAfterFree)),
        Value::Atom(Atom::Uninit) => Err(Applied::error(Kind::Uninitialised)),
        Value::Atom(Atom::Opaque | Atom::Place(_) | Atom::Library | Atom::NoLink | Atom::Outside) => {
            Err(Applied::gap("a pointer is dereferenced that may point to more than heap cells"))
        }
    }
}

/// Whether two values may compare so.
fn may_hold(operator: CompareOperator, left: Value, right: Value) -> bool {
    if let (Value::Atom(Atom::Int(left)), Value::Atom(Atom::Int(right))) = (left, right) {
        return match operator {
            CompareOperator::Equal => left == right,
            CompareOperator::NotEqual => left != right,
            CompareOperator::Less => left < right,
            CompareOperator::LessEqual => left <= right,
            CompareOperator::Greater => left > right,
            CompareOperator::GreaterEqual => left >= right,
        };
    }
    let equality = match (left, right) {
        (Value::Cell(left), Value::Cell(right)) if left == right => Equality::Equal,
        (Value::Cell(_), Value::Cell(_)) => Equality::Different,
        (Value::Cell(_), Value::Atom(atom)) | (Value::Atom(atom), Value::Cell(_)) => atom.equals_cell(),
        (Value::Atom(left), Value::Atom(right)) => left.equals(right),
    };
    match operator {
        CompareOperator::Equal => equality != Equality::Different,
        CompareOperator::NotEqual => equality != Equality::Equal,
        CompareOperator::LessEqual | CompareOperator::GreaterEqual => true,
        CompareOperator::Less | CompareOperator::Greater => equality != Equality::Equal,
    }
}

fn used(structure: Structure, value: Value, purpose: Purpose) -> Applied {
    match (value, purpose) {
        (_, Purpose::Discard) => Applied::one(structure),
        (Value::Cell(_), Purpose::Escape(reason)) => Applied::gap(reason),
        (Value::Atom(Atom::Uninit), _) => Applied::error(Kind::Uninitialised),
        (Value::Cell(_) | Value::Atom(_), _) => Applied::one(structure),
    }
}
