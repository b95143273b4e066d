//! One command on one structure.

use super::calls::CallCodes;
use super::claims;
use super::compare::Outcome;
use super::contract::{CallMemory, ContractCodes};
use super::heap::Value;
use super::links::{Changed, Linking};
use super::memory::{LoadedInto, Stored};
use super::predicates::Predicates;
use super::slots::{OLD, Slot, Slots};
use crate::structure::Structure;
use crate::tables::Tables;
use heapwise_cells::Issue;
use heapwise_cells::atom::{Atom, Var};
use heapwise_cells::program::{
    CellProgram, Command, Contents, Ending, KindId, Point, Purpose, ShapeMode, ShapeObject, Source, StepId, Untracked,
};
use heapwise_engine::reason::{CallGap, ContractGap, GapReason, LimitGap, MemoryGap, PointerGap};
use heapwise_engine::{Control, Kind};
use heapwise_ir::{CompareOperator, ShapeKind};
use heapwise_logic::Kleene;
use smallvec::{SmallVec, smallvec};

/// What the variables hold that a command reads.
pub(super) type Read = SmallVec<[(Var, Value); 2]>;

/// The same, to be asked.
#[derive(Clone, Copy)]
struct Values<'a>(&'a [(Var, Value)]);

impl Values<'_> {
    /// The value of a variable; any, of one that was not read.
    fn of(self, var: Var) -> Value {
        self.0.iter().find(|(known, _)| *known == var).map_or(Value::Atom(Atom::Opaque), |(_, value)| *value)
    }

    fn source(self, source: Source) -> Value {
        match source {
            Source::Var(var) => self.of(var),
            Source::Atom(atom) => Value::Atom(atom),
        }
    }
}

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
    /// How long steps may take.
    pub control: Control,
}

/// The reason for which a structure cannot be followed.
pub(super) const INDEFINITE: GapReason = GapReason::Pointer(PointerGap::ManyCells);

/// The reason for which a structure cannot be kept.
pub(super) const TOO_LARGE: GapReason = GapReason::Limit(LimitGap::StructureTooLarge);

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

    pub(super) fn gap(reason: impl Into<GapReason>) -> Applied {
        Applied::issue(Issue::Gap(reason.into()))
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
        let issues = if changed.too_large { smallvec![Issue::Gap(TOO_LARGE)] } else { SmallVec::new() };
        Applied { structures: changed.structures, issues }
    }
}

impl Stepper<'_> {
    /// Applies the command of a step.
    pub fn apply(&mut self, id: StepId, structure: &Structure) -> Applied {
        let program = self.program;
        let step = &program.steps[id];
        let mut applied = Applied::default();
        for (structure, values) in self.focused(structure, &step.command.reads()) {
            let Some(values) = values else {
                applied.add(Applied::gap(INDEFINITE));
                continue;
            };
            let written = step.command.writes().filter(|var| self.slots.is_kept(step.to, *var));
            let target = written.map(|var| self.slots.of(var));
            applied.add(self.command(&step.command, (id, step.from, step.to), structure, Values(&values), target));
        }
        applied
    }

    /// What a command does. (Long: one case for each.)
    fn command(
        &mut self,
        command: &Command,
        (id, from, to): (StepId, Point, Point),
        structure: Structure,
        values: Values<'_>,
        target: Option<Slot>,
    ) -> Applied {
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
            Command::Load { base, access, target: variable } => {
                if let Value::Atom(atom) = values.of(*base)
                    && access.is_in_library(Some(atom))
                {
                    return self.set(structure, target, Atom::Opaque);
                }
                match dereferenced(values.of(*base)) {
                    Ok(cell) => {
                        let into = variable.map_or(LoadedInto::Nothing, |_| LoadedInto::Variable);
                        self.load(structure, self.slots.of(*base), cell, *access, (target, into))
                    }
                    Err(applied) => applied,
                }
            }
            Command::Touch { base, access, purpose } => {
                if let Value::Atom(atom) = values.of(*base)
                    && access.is_in_library(Some(atom))
                {
                    return Applied::one(structure);
                }
                match dereferenced(values.of(*base)) {
                    Ok(cell) => self.touch(structure, cell, *access, *purpose),
                    Err(applied) => applied,
                }
            }
            Command::Store { base, access, value } => match dereferenced(values.of(*base)) {
                Ok(cell) => {
                    let stored =
                        Stored { value: values.source(*value), slot: value.var().map(|var| self.slots.of(var)) };
                    self.store(structure, self.slots.of(*base), cell, *access, stored)
                }
                Err(applied) => applied,
            },
            Command::Fill { base, access, contents } => match dereferenced(values.of(*base)) {
                Ok(cell) => self.fill(structure, self.slots.of(*base), cell, *access, *contents),
                Err(applied) => applied,
            },
            Command::Alloc { kind, contents, .. } => self.alloc(&structure, target, *kind, *contents),
            Command::Free { pointer } => self.free_value(structure, self.slots.of(*pointer), values.of(*pointer)),
            Command::Assume { operator, left, right } => match self.compare(values, *operator, (*left, *right)) {
                Ok(Outcome::Possible) => Applied::one(structure),
                Ok(Outcome::Excluded) => Applied::default(),
                Err(applied) => applied,
            },
            Command::Case { var, atom, held } => {
                let value = match values.of(*var) {
                    Value::Cell(_) => None,
                    Value::Atom(value) => Some(value),
                };
                // An atom that the slot cannot tell apart is kept as some value.
                if held.may_be(value, *atom) { Applied::one(structure) } else { Applied::default() }
            }
            Command::Compare { comparison, cell, operator } => {
                let mut structure = structure;
                let cell = match cell.map(|cell| values.of(cell)) {
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
                match self.compare(values, *operator, (*left, *right)) {
                    Ok(Outcome::Possible) => Applied::error(*kind),
                    Ok(Outcome::Excluded) => Applied::default(),
                    Err(applied) => applied,
                }
            }
            Command::Shape { kind, arguments, cell, links, objects, mode } => {
                let arguments = self.arguments(values, arguments);
                self.claim(structure, (*kind, *cell, links), &arguments, objects, *mode)
            }
            Command::Fail { kind } => Applied::error(*kind),
            Command::Use { var, purpose } => used(structure, values.of(*var), *purpose),
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
            Command::Retire { atoms } => {
                let mut structure = structure;
                self.predicates.rename(&mut structure, atoms);
                Applied::one(structure)
            }
            // The contract speaks of the return, and there is none: whether the caller holds what is given up here nobody asks.
            Command::End(Ending::Exit) if self.predicates.given_up(&structure) != 0 => {
                Applied::gap(ContractGap::CellLost)
            }
            Command::End(Ending::Return | Ending::Exit) if structure.active().may != 0 => {
                Applied::issue(Issue::StillReachable)
            }
            Command::End(_) => Applied::default(),
            Command::Contract { contract, arguments, .. } => {
                let arguments = self.arguments(values, arguments);
                let mut structure = structure;
                self.predicates.forget_all(&mut structure);
                self.call_by_contract(*contract, structure, &arguments, target, (id, to))
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
            Command::Call { .. } => Applied::gap(CallGap::RecursionNotFollowed),
            Command::Gap { reason } => Applied::gap(reason.clone()),
        }
    }

    /// A new cell goes into a slot, or is lost at once.
    fn alloc(&self, structure: &Structure, target: Option<Slot>, kind: KindId, contents: Contents) -> Applied {
        match self.predicates.allocate(structure, target.unwrap_or(OLD), kind, contents) {
            Ok(mut new) => {
                if target.is_none() {
                    self.predicates.clear(&mut new, OLD);
                }
                Applied::one(new)
            }
            Err(_) => Applied::gap(TOO_LARGE),
        }
    }

    /// What a slot holds is freed.
    fn free_value(&mut self, structure: Structure, pointer: Slot, value: Value) -> Applied {
        match value {
            Value::Cell(cell) => self.free(structure, pointer, cell),
            Value::Atom(Atom::NULL) => Applied::one(structure),
            Value::Atom(Atom::Int(_) | Atom::Place(_) | Atom::Library(_) | Atom::Ended(_) | Atom::Gone) => {
                Applied::error(Kind::InvalidFree)
            }
            Value::Atom(Atom::Freed) => Applied::error(Kind::DoubleFree),
            Value::Atom(Atom::Uninit) => Applied::error(Kind::Uninitialised),
            Value::Atom(Atom::Opaque | Atom::NoLink | Atom::Outside) => Applied::gap(PointerGap::FreedBesideHeapCells),
        }
    }

    /// Compares two values; `Err` where one is not there.
    fn compare(
        &self,
        values: Values<'_>,
        operator: CompareOperator,
        (left, right): (Source, Source),
    ) -> Result<Outcome, Applied> {
        let (left, right) = (values.source(left), values.source(right));
        if [left, right].contains(&Value::Atom(Atom::Uninit)) {
            return Err(Applied::error(Kind::Uninitialised));
        }
        let is_possible = left.may_compare(operator, right, &self.program.places);
        Ok(if is_possible { Outcome::Possible } else { Outcome::Excluded })
    }

    /// Arguments, with the slots that hold them.
    fn arguments(&self, values: Values<'_>, arguments: &[Source]) -> SmallVec<[(Value, Option<Slot>); 2]> {
        let slot = |argument: &Source| argument.var().map(|var| self.slots.of(var));
        arguments.iter().map(|argument| (values.source(*argument), slot(argument))).collect()
    }

    /// A shape is asserted or assumed.
    fn claim(
        &self,
        structure: Structure,
        shape: (ShapeKind, KindId, &[usize]),
        arguments: &[(Value, Option<Slot>)],
        objects: &[ShapeObject],
        mode: ShapeMode,
    ) -> Applied {
        if arguments.iter().any(|(value, _)| *value == Value::Atom(Atom::Uninit)) {
            return Applied::error(Kind::Uninitialised);
        }
        let objects: Vec<claims::Object> = objects
            .iter()
            .map(|object| claims::Object {
                place: object.place,
                links: object.links.iter().map(|var| self.slots.of(*var)).collect(),
            })
            .collect();
        let truth = claims::evaluate(&self.predicates, &structure, shape, arguments, &objects);
        let mut applied = Applied::default();
        if truth != Kleene::False {
            applied.structures.push(structure);
        }
        if mode == ShapeMode::Assert && truth != Kleene::True {
            applied.issues.push(Issue::Error(Kind::Shape));
        }
        applied
    }

    pub(super) fn set(&self, mut structure: Structure, target: Option<Slot>, atom: Atom) -> Applied {
        if let Some(target) = target {
            self.predicates.set_atom(&mut structure, target, atom);
        }
        Applied::one(structure)
    }
}

/// The cell that a pointer leads to, or what is wrong with it.
fn dereferenced(value: Value) -> Result<usize, Applied> {
    match value {
        Value::Cell(cell) => Ok(cell),
        Value::Atom(Atom::Int(_)) => Err(Applied::error(Kind::NullDereference)),
        Value::Atom(Atom::Freed | Atom::Ended(_) | Atom::Gone) => Err(Applied::error(Kind::UseAfterFree)),
        Value::Atom(Atom::Uninit) => Err(Applied::error(Kind::Uninitialised)),
        Value::Atom(Atom::Opaque | Atom::Place(_) | Atom::Library(_) | Atom::NoLink | Atom::Outside) => {
            Err(Applied::gap(PointerGap::DereferencedBesideHeapCells))
        }
    }
}

fn used(structure: Structure, value: Value, purpose: Purpose) -> Applied {
    match (value, purpose) {
        (_, Purpose::Discard) => Applied::one(structure),
        (Value::Cell(_) | Value::Atom(Atom::Outside), Purpose::Escape(reason)) => Applied::gap(reason),
        (Value::Cell(_) | Value::Atom(Atom::Outside), Purpose::Copy(_)) => Applied::gap(MemoryGap::CellUntracked),
        (Value::Atom(Atom::Uninit), Purpose::Copy(Untracked::Initialised)) => Applied::gap(MemoryGap::NoValueUntracked),
        (Value::Atom(_), Purpose::Copy(_)) => Applied::one(structure),
        (Value::Atom(Atom::Uninit), Purpose::Operation | Purpose::Escape(_)) => Applied::error(Kind::Uninitialised),
        (Value::Cell(_) | Value::Atom(_), Purpose::Operation | Purpose::Escape(_)) => Applied::one(structure),
    }
}
