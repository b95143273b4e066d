//! One action of the `tvl` core per edge of the program: what an instruction does to a structure, and how it can fail.
//!
//! What is not tracked has the value 1/2 in every formula, so an action is sound for every precision.

use crate::abstraction::{ScalarPredicates, ShapeAbstraction, UNKNOWN};
use crate::memory::{Access, FieldId, Memory, ScalarKind, Slot};
use crate::shapes;
use heapwise_engine::reason::{CallGap, PointerGap, RefineGap};
use heapwise_engine::{AllocationFailure, GapReason, Kind, Options};
use heapwise_ir::{
    Automaton, Body, CompareOperator, Condition, EdgeId, Expression, ExternEffects, ExternResult, Failure, FunctionId,
    InitialContents, Instruction, IntType, Liveness, LocationId, MemoryEffect, Mutability, Operand, Program,
    RegisterId, Storage, Termination, Type, TypeId,
};
use heapwise_logic::{Formula, Kleene, Predicate, Variable};
use heapwise_tvl::action::{ActionSpecification, Creation, Message};
use heapwise_tvl::structure::Structure;
use heapwise_tvl::vocabulary::{Definition, NEW};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;

/// A step, without the calls that led to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StepKey {
    /// An instruction; a call of an extern function.
    Instruction(FunctionId, EdgeId, Option<FunctionId>),
    /// Into the called function.
    Enter(FunctionId, EdgeId, FunctionId),
    /// Back from the called function.
    Leave(FunctionId, EdgeId, FunctionId),
}

/// What is seen on a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// An error.
    Error(Kind),
    /// Something that is not followed.
    Gap(GapReason),
}

/// One thing that a step may do.
#[derive(Clone, Debug)]
pub struct Case {
    /// What is wrong if it does that; nothing if the run goes on.
    pub problem: Option<Problem>,
    /// What it does; in order, each on what the one before left.
    pub actions: Vec<ActionSpecification>,
}

/// Updates of predicates.
type Updates = IndexMap<Predicate, Definition>;

/// Makes actions.
pub struct Transfer<'a> {
    /// The memory of the program.
    pub memory: &'a Memory<'a>,
    /// The predicates.
    pub abstraction: &'a ShapeAbstraction,
    /// The question.
    pub options: &'a Options,
    /// Which registers matter where.
    pub relevance: Relevance<'a>,
    /// Some cell is lost, if that is asked for: nothing leads to it any more.
    pub lost: Option<Formula>,
}

/// Which registers matter where.
#[derive(Clone, Copy)]
pub struct Relevance<'a> {
    /// Live and held registers, per function.
    pub liveness: &'a FxHashMap<FunctionId, Liveness>,
    /// The question.
    pub options: &'a Options,
    /// The program.
    pub program: &'a Program,
}

impl Relevance<'_> {
    /// Whether what a register holds at a location matters: it is read again, or it is a reference in scope and leaks are
    /// asked for. Where the entry function returns, nothing does.
    pub fn matters(&self, function: FunctionId, location: LocationId, register: RegisterId) -> bool {
        let automaton = self.program.functions[function].automaton();
        if function == self.options.entry && automaton.is_some_and(|automaton| automaton.exit == location) {
            return false;
        }
        self.liveness.get(&function).is_none_or(|liveness| {
            if self.options.asks_for(Kind::Leak) {
                liveness.is_held(location, register)
            } else {
                liveness.is_live(location, register)
            }
        })
    }
}

pub(crate) fn v() -> Variable {
    Variable::new("v")
}

pub(crate) fn w() -> Variable {
    Variable::new("w")
}

pub(crate) fn u() -> Variable {
    Variable::new("u")
}

/// What is known of an operand: where it points, whether it was never written, which constants it equals.
#[derive(Clone, Debug)]
struct Scalar {
    kind: ScalarKind,
    /// With the variable `v` for the cell.
    points: Formula,
    bad: Formula,
    number: Number,
}

#[derive(Clone, Debug)]
enum Number {
    /// This one.
    Constant(i128),
    /// Equal to one of these if the predicate holds, to none of them otherwise.
    Tracked(Vec<(i128, Formula)>),
    /// Any.
    Unknown,
}

impl Number {
    /// Whether it equals a constant.
    fn equals(&self, constant: i128) -> Formula {
        self.compare(CompareOperator::Equal, constant)
    }

    /// Whether it compares so with a constant.
    fn compare(&self, operator: CompareOperator, constant: i128) -> Formula {
        let literal = |holds: bool| if holds { Formula::TRUE } else { Formula::FALSE };
        match self {
            Number::Constant(own) => literal(operator.holds(own.cmp(&constant))),
            Number::Unknown => UNKNOWN,
            Number::Tracked(known) => {
                let mut cases: Vec<Formula> = known
                    .iter()
                    .filter(|(own, _)| operator.holds(own.cmp(&constant)))
                    .map(|(_, is)| is.clone())
                    .collect();
                let is_known = known.iter().any(|(own, _)| *own == constant);
                let otherwise = match operator {
                    CompareOperator::Equal if is_known => Formula::FALSE,
                    CompareOperator::NotEqual if is_known => Formula::TRUE,
                    _ => UNKNOWN,
                };
                let mut none: Vec<Formula> = known.iter().map(|(_, is)| !is.clone()).collect();
                none.push(otherwise);
                cases.push(Formula::And(none));
                Formula::Or(cases)
            }
        }
    }
}

/// The way an instruction can fail, and the condition for it.
type Failing = (Problem, Formula);

/// An instruction before it is cut into cases.
#[derive(Default)]
struct Draft {
    focus: Vec<Formula>,
    failing: Vec<Failing>,
    /// What goes on: a condition and what changes.
    going_on: Vec<(Formula, Vec<Change>)>,
}

/// A change of the state.
#[derive(Default)]
struct Change {
    focus: Vec<Formula>,
    creates: bool,
    updates: Updates,
}

impl Draft {
    fn focus(&mut self, formula: Formula) {
        // What is not tracked cannot be made definite.
        if !formula.has_written_unknown() {
            self.focus.push(formula);
        }
    }

    fn cases(self, name: &str, lost: Option<&Formula>) -> Vec<Case> {
        let action = |precondition: Formula, focus: &[Formula], change: Change| ActionSpecification {
            name: name.to_owned(),
            title: name.to_owned(),
            focus: focus.iter().cloned().chain(change.focus).collect(),
            precondition: Some(precondition),
            creations: if change.creates { vec![Creation::One] } else { Vec::new() },
            updates: change.updates,
            ..ActionSpecification::default()
        };
        let mut cases = Vec::new();
        let mut passed = Vec::new();
        for (problem, condition) in self.failing {
            let mut here = passed.clone();
            here.push(condition.clone());
            let precondition = Formula::And(here);
            cases.push(Case {
                problem: Some(problem),
                actions: vec![action(precondition, &self.focus, Change::default())],
            });
            passed.push(!condition);
        }
        for (condition, changes) in self.going_on {
            let mut here = passed.clone();
            here.push(condition);
            let mut precondition = Formula::And(here);
            let mut actions = Vec::new();
            let mut focus = self.focus.as_slice();
            for change in changes {
                actions.push(action(std::mem::replace(&mut precondition, Formula::TRUE), focus, change));
                focus = &[];
            }
            if actions.is_empty() {
                actions.push(action(precondition, focus, Change::default()));
            }
            // On every step: what is not tracked may be forgotten there, too.
            if let (Some(lost), Some(last)) = (lost, actions.last_mut()) {
                last.after.push(Message { condition: lost.clone(), text: Kind::Leak.name().to_owned() });
            }
            cases.push(Case { problem: None, actions });
        }
        cases
    }
}

fn gap(reason: impl Into<GapReason>) -> Vec<Case> {
    let action = ActionSpecification { name: "gap".to_owned(), ..ActionSpecification::default() };
    vec![Case { problem: Some(Problem::Gap(reason.into())), actions: vec![action] }]
}

impl Transfer<'_> {
    fn program(&self) -> &Program {
        self.memory.program
    }

    fn automaton(&self, function: FunctionId) -> Option<&Automaton> {
        self.program().functions[function].automaton()
    }

    fn is_live(&self, function: FunctionId, location: LocationId, register: RegisterId) -> bool {
        self.relevance.matters(function, location, register)
    }

    /// What holds before the first step; a gap if that is not followed.
    pub fn start(&self) -> Result<Structure, GapReason> {
        let mut structure = self.abstraction.empty();
        let function = &self.program().functions[self.options.entry];
        let entry = self.automaton(self.options.entry).map(|automaton| automaton.entry);
        for (slot, predicates) in &self.abstraction.slots {
            match slot {
                Slot::Global(global, offset) => {
                    let value = self.memory.initial(*global, *offset)?;
                    let is_plain = self.memory.is_plain(value);
                    for (constant, predicate) in &predicates.equals {
                        let is = if is_plain {
                            Kleene::from_bounds(*constant == value, *constant == value)
                        } else {
                            Kleene::Unknown
                        };
                        self.abstraction.set(&mut structure, *predicate, is);
                    }
                }
                Slot::Register(owner, register) if *owner == self.options.entry => {
                    let is_live = entry.is_some_and(|entry| self.is_live(*owner, entry, *register));
                    if !is_live {
                        continue;
                    }
                    if function.parameters.contains(register) {
                        for (_, predicate) in &predicates.equals {
                            self.abstraction.set(&mut structure, *predicate, Kleene::Unknown);
                        }
                    } else {
                        self.abstraction.set(&mut structure, predicates.bad, Kleene::True);
                    }
                }
                Slot::Register(..) => {}
            }
        }
        Ok(structure)
    }

    /// The cases of a step.
    pub fn step(&self, key: StepKey) -> Vec<Case> {
        let result = match key {
            StepKey::Instruction(function, edge, callee) => self.instruction(function, edge, callee),
            StepKey::Enter(function, edge, callee) => self.enter(function, edge, callee),
            StepKey::Leave(function, edge, callee) => self.leave(function, edge, callee),
        };
        match result {
            Ok(draft) => draft.cases(&format!("{key:?}"), self.lost.as_ref()),
            Err(reason) => gap(reason),
        }
    }

    // Operands.

    fn slot_scalar(&self, slot: Slot) -> Scalar {
        let mut scalar = self.tracked_scalar(slot);
        if self.memory.written.contains(&slot) {
            scalar.bad = Formula::FALSE;
        }
        scalar
    }

    fn tracked_scalar(&self, slot: Slot) -> Scalar {
        let kind = self.memory.slot_kind(slot);
        match self.abstraction.slots.get(&slot) {
            Some(predicates) => Scalar {
                kind,
                points: predicates.points.map_or(Formula::FALSE, |points| Formula::atom(points, &[v()])),
                bad: Formula::atom(predicates.bad, &[]),
                number: Number::Tracked(
                    predicates.equals.iter().map(|(c, is)| (*c, Formula::atom(*is, &[]))).collect(),
                ),
            },
            None => Scalar {
                kind,
                points: if kind == ScalarKind::Pointer { UNKNOWN } else { Formula::FALSE },
                bad: UNKNOWN,
                number: Number::Unknown,
            },
        }
    }

    /// An operand in a place for a scalar of that kind.
    fn operand(&self, function: FunctionId, operand: Operand, kind: ScalarKind) -> Result<Scalar, GapReason> {
        let constant = |number| Scalar { kind, points: Formula::FALSE, bad: Formula::FALSE, number };
        match operand {
            Operand::Register(register) => {
                let scalar = self.slot_scalar(Slot::Register(function, register));
                match (scalar.kind, kind) {
                    (ScalarKind::Pointer, ScalarKind::Number) => Err(PointerGap::BecomesInteger.into()),
                    (ScalarKind::Number, ScalarKind::Pointer) => Err(PointerGap::FromInteger.into()),
                    _ => Ok(scalar),
                }
            }
            Operand::Int(0) => Ok(constant(Number::Constant(0))),
            Operand::Int(number) if kind == ScalarKind::Number => {
                let is_plain = self.memory.is_plain(number);
                Ok(constant(if is_plain { Number::Constant(number) } else { Number::Unknown }))
            }
            Operand::Int(_) => Err(PointerGap::FromInteger.into()),
            Operand::Float(_) => Ok(constant(Number::Unknown)),
            Operand::Global(_) | Operand::Function(_) => Err(RefineGap::AddressOfVariable.into()),
        }
    }

    fn type_of(&self, function: FunctionId, register: RegisterId) -> TypeId {
        self.program().functions[function].registers[register].ty
    }

    fn problem_of(&self, kind: Kind) -> Problem {
        if kind == Kind::Uninitialised && !self.options.asks_for(kind) {
            // The run would go on with any value.
            return Problem::Gap(RefineGap::AnyValue.into());
        }
        Problem::Error(kind)
    }

    fn use_value(&self, draft: &mut Draft, scalar: &Scalar) {
        if scalar.bad != Formula::FALSE {
            draft.failing.push((self.problem_of(Kind::Uninitialised), scalar.bad.clone()));
        }
    }

    /// The base is dereferenced.
    fn dereference(&self, draft: &mut Draft, base: &Scalar) {
        self.use_value(draft, base);
        let exists = Formula::exists(vec![v()], base.points.clone());
        draft.failing.push((Problem::Error(Kind::NullDereference), !exists));
        if self.abstraction.freed.is_some() {
            let freed = Formula::and(base.points.clone(), self.abstraction.is_freed(&v()));
            draft.failing.push((Problem::Error(Kind::UseAfterFree), Formula::exists(vec![v()], freed)));
        }
    }

    // Fields.

    /// `f(v, w)`.
    fn edge(&self, field: FieldId) -> Formula {
        if self.memory.fields[field].kind == ScalarKind::Number {
            return Formula::FALSE;
        }
        match self.abstraction.fields.get(&field) {
            Some(ScalarPredicates { points: Some(points), .. }) => Formula::atom(*points, &[v(), w()]),
            _ => UNKNOWN,
        }
    }

    /// The field of the cell that `base` points to. If there is no such cell, nothing holds.
    fn field_scalar(&self, base: &Scalar, field: FieldId) -> Scalar {
        let here = base.points.clone();
        let of_base = |formula: Formula| Formula::exists(vec![v()], Formula::and(here.clone(), formula));
        let kind = self.memory.fields[field].kind;
        let swap = |formula: Formula| formula.instantiate(&[v(), w()], &[u(), v()]);
        let points = match self.edge(field) {
            Formula::Literal(value) => Formula::Literal(value),
            edge => Formula::exists(vec![u()], Formula::and(here.instantiate(&[v()], &[u()]), swap(edge))),
        };
        match self.abstraction.fields.get(&field) {
            Some(predicates) => {
                let equals = predicates.equals.iter().map(|(c, is)| (*c, of_base(Formula::atom(*is, &[v()]))));
                Scalar {
                    kind,
                    points,
                    bad: of_base(Formula::atom(predicates.bad, &[v()])),
                    number: Number::Tracked(equals.collect()),
                }
            }
            None => Scalar { kind, points, bad: UNKNOWN, number: Number::Unknown },
        }
    }

    // Changes.

    fn set_slot(&self, updates: &mut Updates, slot: Slot, value: &Scalar) {
        let Some(predicates) = self.abstraction.slots.get(&slot) else { return };
        if let Some(points) = predicates.points {
            updates.insert(points, Definition { params: vec![v()], formula: value.points.clone() });
        }
        updates.insert(predicates.bad, Definition { params: Vec::new(), formula: value.bad.clone() });
        for (constant, is) in &predicates.equals {
            updates.insert(*is, Definition { params: Vec::new(), formula: value.number.equals(*constant) });
        }
    }

    /// The slot holds nothing that anybody looks at.
    fn forget(&self, updates: &mut Updates, slot: Slot) {
        let Some(predicates) = self.abstraction.slots.get(&slot) else { return };
        if let Some(points) = predicates.points {
            updates.insert(points, Definition { params: vec![v()], formula: Formula::FALSE });
        }
        for predicate in predicates.equals.iter().map(|(_, is)| *is).chain([predicates.bad]) {
            updates.insert(predicate, Definition { params: Vec::new(), formula: Formula::FALSE });
        }
    }

    /// The registers of a function that are tracked.
    fn registers(&self, function: FunctionId) -> impl Iterator<Item = RegisterId> + '_ {
        self.abstraction.slots.keys().filter_map(move |slot| match slot {
            Slot::Register(owner, register) if *owner == function => Some(*register),
            _ => None,
        })
    }

    /// Forgets the tracked registers that are not live behind an edge, but were before it or are written by it.
    fn forget_dead(&self, function: FunctionId, edge: EdgeId) -> Updates {
        let mut updates = Updates::new();
        let Some(edge) = self.automaton(function).map(|automaton| &automaton.edges[edge]) else { return updates };
        for register in self.registers(function) {
            let mattered = self.is_live(function, edge.from, register) || edge.instruction.target() == Some(register);
            if mattered && !self.is_live(function, edge.to, register) {
                self.forget(&mut updates, Slot::Register(function, register));
            }
        }
        updates
    }

    /// The value of a target register, unless it is dead at once; and what is dead behind the edge is forgotten.
    fn assigned(&self, function: FunctionId, edge: EdgeId, target: Option<RegisterId>, value: &Scalar) -> Change {
        let mut updates = Updates::new();
        if let Some(target) = target {
            self.set_slot(&mut updates, Slot::Register(function, target), value);
        }
        // What is dead wins over what is written.
        updates.extend(self.forget_dead(function, edge));
        Change { updates, ..Change::default() }
    }

    /// A change of cells, and then what is dead is forgotten: together they are harder to derive.
    fn then_forget(&self, function: FunctionId, edge: EdgeId, change: Change) -> Vec<Change> {
        let updates = self.forget_dead(function, edge);
        if updates.is_empty() { vec![change] } else { vec![change, Change { updates, ..Change::default() }] }
    }

    // Instructions.

    fn instruction(&self, function: FunctionId, id: EdgeId, callee: Option<FunctionId>) -> Result<Draft, GapReason> {
        let automaton = self.automaton(function).ok_or(CallGap::WithoutBodyRuns)?;
        let edge = &automaton.edges[id];
        let mut draft = Draft::default();
        match &edge.instruction {
            Instruction::Assign { target, value } => {
                let value = self.expression(function, *target, value, &mut draft)?;
                draft.going_on.push((Formula::TRUE, vec![self.assigned(function, id, Some(*target), &value)]));
            }
            Instruction::Load { target, place } => {
                let kind = self.memory.kind(self.type_of(function, *target));
                let value = match self.memory.access(function, place)? {
                    Access::Slot(slot) => self.slot_scalar(slot),
                    Access::Field(base, field) => {
                        let base = self.operand(function, base, ScalarKind::Pointer)?;
                        self.dereference(&mut draft, &base);
                        let value = self.field_scalar(&base, field);
                        draft.focus(value.points.clone());
                        draft.focus(value.bad.clone());
                        if let Number::Tracked(known) = &value.number {
                            known.iter().for_each(|(_, is)| draft.focus(is.clone()));
                        }
                        value
                    }
                };
                if value.kind != kind {
                    return Err(PointerGap::BecomesInteger.into());
                }
                draft.going_on.push((Formula::TRUE, vec![self.assigned(function, id, Some(*target), &value)]));
            }
            Instruction::Store { place, value } => {
                let kind = self.memory.kind(place.ty);
                let value = self.operand(function, *value, kind)?;
                match self.memory.access(function, place)? {
                    Access::Slot(slot) => {
                        let mut change = self.assigned(function, id, None, &value);
                        self.set_slot(&mut change.updates, slot, &value);
                        draft.going_on.push((Formula::TRUE, vec![change]));
                    }
                    Access::Field(base, field) => {
                        let base = self.operand(function, base, ScalarKind::Pointer)?;
                        self.dereference(&mut draft, &base);
                        let change = self.stored(&mut draft, &base, field, &value);
                        draft.going_on.push((Formula::TRUE, self.then_forget(function, id, change)));
                    }
                }
            }
            Instruction::Copy { .. } => return Err(RefineGap::AggregateCopied.into()),
            Instruction::Alloc { target, bytes, storage, contents, failure, view } => {
                if *storage == Storage::Auto {
                    return Err(RefineGap::LocalInMemory.into());
                }
                let view = view.as_ref().ok_or(RefineGap::NotOneCell)?;
                let size = self.program().size_of(view.element).map(i128::from);
                let is_one =
                    matches!((view.count, bytes), (Operand::Int(1), Operand::Int(bytes)) if Some(*bytes) == size);
                if !is_one || view.has_tail || *contents == InitialContents::Nondet {
                    return Err(RefineGap::NotOneCell.into());
                }
                let change = self.allocated(function, *target, view.element, *contents);
                draft.going_on.push((Formula::TRUE, self.then_forget(function, id, change)));
                if *failure == Failure::Possible && self.options.allocation_failure == AllocationFailure::Possible {
                    let null = self.operand(function, Operand::ZERO, ScalarKind::Pointer)?;
                    draft.going_on.push((Formula::TRUE, vec![self.assigned(function, id, Some(*target), &null)]));
                }
            }
            Instruction::Free { pointer } => {
                let pointer = self.operand(function, *pointer, ScalarKind::Pointer)?;
                self.use_value(&mut draft, &pointer);
                draft.focus(pointer.points.clone());
                let here = pointer.points.clone();
                let freed = Formula::exists(vec![v()], Formula::and(here.clone(), self.abstraction.is_freed(&v())));
                draft.failing.push((Problem::Error(Kind::DoubleFree), freed));
                let exists = Formula::exists(vec![v()], here);
                let forget = Change { updates: self.forget_dead(function, id), ..Change::default() };
                draft.going_on.push((!exists.clone(), vec![forget]));
                let change = self.freed(&pointer);
                draft.going_on.push((exists, self.then_forget(function, id, change)));
            }
            Instruction::End { .. } => return Err(RefineGap::LocalInMemory.into()),
            Instruction::Assume(condition) => {
                let (holds, _) = match condition {
                    // Not relied on: it may hold where the formula does not say so.
                    Condition::Shape(_) => (UNKNOWN, UNKNOWN),
                    _ => self.condition(function, condition, &mut draft)?,
                };
                let forget = Change { updates: self.forget_dead(function, id), ..Change::default() };
                draft.going_on.push((holds, vec![forget]));
            }
            Instruction::Assert(condition) => {
                let (holds, fails) = self.condition(function, condition, &mut draft)?;
                let kind = match condition {
                    Condition::Shape(_) => Kind::Shape,
                    _ => Kind::Assertion,
                };
                let forget = Change { updates: self.forget_dead(function, id), ..Change::default() };
                if kind == Kind::Shape && !self.options.asks_for(kind) {
                    // Claims that are not asked for are passed over.
                    draft = Draft::default();
                    draft.going_on.push((Formula::TRUE, vec![forget]));
                } else {
                    draft.failing.push((Problem::Error(kind), fails));
                    draft.going_on.push((holds, vec![forget]));
                }
            }
            Instruction::Call { target, arguments, .. } => {
                let callee = callee.ok_or(CallGap::UnknownTarget)?;
                let called = &self.program().functions[callee];
                let Body::Extern(effects) = &called.body else { return Err(CallGap::UnknownTarget.into()) };
                self.external(function, &called.name, effects, arguments, &mut draft)?;
                if effects.termination == Termination::Returns {
                    let value = match target {
                        Some(target) => self.result(function, *target, effects)?,
                        None => self.operand(function, Operand::ZERO, ScalarKind::Number)?,
                    };
                    draft.going_on.push((Formula::TRUE, vec![self.assigned(function, id, *target, &value)]));
                }
            }
            Instruction::Unsupported(reason) => return Err(reason.clone().into()),
        }
        Ok(draft)
    }

    fn expression(
        &self,
        function: FunctionId,
        target: RegisterId,
        value: &Expression,
        draft: &mut Draft,
    ) -> Result<Scalar, GapReason> {
        let kind = self.memory.kind(self.type_of(function, target));
        let any = || Scalar { kind, points: Formula::FALSE, bad: Formula::FALSE, number: Number::Unknown };
        Ok(match value {
            Expression::Operand(operand) => self.operand(function, *operand, kind)?,
            Expression::AddPath { base, path } | Expression::SubtractPath { base, path } => {
                let resolved = self.program().resolve(path).ok_or(PointerGap::IntoCell)?;
                if resolved.offset != 0 || !resolved.indices.is_empty() {
                    return Err(PointerGap::IntoCell.into());
                }
                let value = self.operand(function, *base, kind)?;
                self.use_value(draft, &value);
                value
            }
            Expression::AddBytes { .. } | Expression::AddIndex { .. } => return Err(PointerGap::IntoCell.into()),
            Expression::PointerDifference { .. } => return Err(PointerGap::BecomesInteger.into()),
            Expression::Unary { value, .. } => {
                let value = self.operand(function, *value, ScalarKind::Number)?;
                self.use_value(draft, &value);
                any()
            }
            Expression::Binary { left, right, .. } => {
                for operand in [left, right] {
                    let value = self.operand(function, *operand, ScalarKind::Number)?;
                    self.use_value(draft, &value);
                }
                any()
            }
            Expression::Convert { from, to, value } => {
                if kind == ScalarKind::Pointer || self.memory.kind(*to) == ScalarKind::Pointer {
                    return Err(PointerGap::FromInteger.into());
                }
                if self.memory.kind(*from) == ScalarKind::Pointer {
                    return Err(PointerGap::BecomesInteger.into());
                }
                let value = self.operand(function, *value, ScalarKind::Number)?;
                self.use_value(draft, &value);
                Scalar { number: self.converted(*from, *to, &value.number), ..any() }
            }
            Expression::Nondet { .. } if kind == ScalarKind::Pointer => return Err(PointerGap::FromInput.into()),
            Expression::Nondet { .. } => any(),
            Expression::Uninitialised => Scalar { bad: Formula::TRUE, number: Number::Tracked(Vec::new()), ..any() },
        })
    }

    /// What is known of a number after its conversion.
    fn converted(&self, from: TypeId, to: TypeId, number: &Number) -> Number {
        let (Type::Int(from), Type::Int(to)) = (self.program().ty(from), self.program().ty(to)) else {
            return Number::Unknown;
        };
        // Small numbers are the same in every type but `_Bool`.
        let keeps = |c: i128| if *to == IntType::Bool { (0..=1).contains(&c) } else { (0..=127).contains(&c) };
        // Then different numbers stay different.
        let is_exact = *to != IntType::Bool && to.bytes() >= from.bytes();
        match number {
            Number::Constant(c) if keeps(*c) => Number::Constant(*c),
            Number::Constant(_) | Number::Unknown => Number::Unknown,
            Number::Tracked(known) => {
                let known = known.iter().filter(|(c, _)| keeps(*c));
                let weaken = |is: &Formula| if is_exact { is.clone() } else { Formula::or(is.clone(), UNKNOWN) };
                Number::Tracked(known.map(|(c, is)| (*c, weaken(is))).collect())
            }
        }
    }

    fn stored(&self, draft: &mut Draft, base: &Scalar, field: FieldId, value: &Scalar) -> Change {
        let mut change = Change::default();
        let Some(predicates) = self.abstraction.fields.get(&field) else { return change };
        draft.focus(base.points.clone());
        draft.focus(value.points.clone());
        let here = base.points.clone();
        let chosen = |new: Formula, old: Formula| Formula::if_then_else(here.clone(), new, old);
        if let Some(points) = predicates.points {
            draft.focus(self.field_scalar(base, field).points);
            let new = value.points.instantiate(&[v()], &[w()]);
            let formula = chosen(new, Formula::atom(points, &[v(), w()]));
            change.updates.insert(points, Definition { params: vec![v(), w()], formula });
        }
        let formula = chosen(value.bad.clone(), Formula::atom(predicates.bad, &[v()]));
        change.updates.insert(predicates.bad, Definition { params: vec![v()], formula });
        for (constant, is) in &predicates.equals {
            let formula = chosen(value.number.equals(*constant), Formula::atom(*is, &[v()]));
            change.updates.insert(*is, Definition { params: vec![v()], formula });
        }
        change
    }

    fn allocated(&self, function: FunctionId, target: RegisterId, view: TypeId, contents: InitialContents) -> Change {
        let is_new = Formula::atom(Predicate::new(NEW), &[v()]);
        let mut change = Change { creates: true, ..Change::default() };
        let cell = Scalar {
            kind: ScalarKind::Pointer,
            points: is_new.clone(),
            bad: Formula::FALSE,
            number: Number::Tracked(Vec::new()),
        };
        self.set_slot(&mut change.updates, Slot::Register(function, target), &cell);
        for field in self.memory.fields_of(view) {
            let Some(predicates) = self.abstraction.fields.get(&field) else { continue };
            let mut hold = |predicate: Predicate| {
                let formula = Formula::or(Formula::atom(predicate, &[v()]), is_new.clone());
                change.updates.insert(predicate, Definition { params: vec![v()], formula });
            };
            match contents {
                InitialContents::Uninitialised => hold(predicates.bad),
                InitialContents::Zeroed => {
                    predicates.equals.iter().filter(|(c, _)| *c == 0).for_each(|(_, is)| hold(*is))
                }
                // Refused before.
                InitialContents::Nondet => {}
            }
        }
        change
    }

    /// A freed cell holds nothing that may be looked at.
    fn freed(&self, pointer: &Scalar) -> Change {
        let mut change = Change::default();
        let here = pointer.points.clone();
        if let Some(freed) = self.abstraction.freed {
            let formula = Formula::or(Formula::atom(freed, &[v()]), here.clone());
            change.updates.insert(freed, Definition { params: vec![v()], formula });
        }
        for predicates in self.abstraction.fields.values() {
            if let Some(points) = predicates.points {
                let formula = Formula::and(Formula::atom(points, &[v(), w()]), !here.clone());
                change.updates.insert(points, Definition { params: vec![v(), w()], formula });
            }
            for predicate in predicates.equals.iter().map(|(_, is)| *is).chain([predicates.bad]) {
                let formula = Formula::and(Formula::atom(predicate, &[v()]), !here.clone());
                change.updates.insert(predicate, Definition { params: vec![v()], formula });
            }
        }
        change
    }

    // Conditions.

    /// When a condition may hold, and when it may fail.
    fn condition(
        &self,
        function: FunctionId,
        condition: &Condition,
        draft: &mut Draft,
    ) -> Result<(Formula, Formula), GapReason> {
        match condition {
            Condition::True => Ok((Formula::TRUE, Formula::FALSE)),
            Condition::False => Ok((Formula::FALSE, Formula::TRUE)),
            Condition::Compare { operator, ty, left, right } => {
                let kind = self.memory.kind(*ty);
                let (one, other) = (self.operand(function, *left, kind)?, self.operand(function, *right, kind)?);
                self.use_value(draft, &one);
                self.use_value(draft, &other);
                Ok(match kind {
                    ScalarKind::Pointer => self.compare_pointers(*operator, &one, &other, draft),
                    ScalarKind::Number => self.compare_numbers(*operator, &one, &other, draft),
                })
            }
            Condition::NotCompare { ty, left, right, .. } => {
                for operand in [left, right] {
                    let value = self.operand(function, *operand, self.memory.kind(*ty))?;
                    self.use_value(draft, &value);
                }
                Ok((UNKNOWN, UNKNOWN))
            }
            Condition::Shape(shape) => {
                let mut pointers = Vec::new();
                for argument in &shape.arguments {
                    let pointer = self.operand(function, *argument, ScalarKind::Pointer)?;
                    self.use_value(draft, &pointer);
                    draft.focus(pointer.points.clone());
                    pointers.push(pointer.points);
                }
                let record = self.program().types.lookup(&Type::Record(shape.record)).ok_or(RefineGap::SeveralTypes)?;
                let mut links = Vec::new();
                for link in &shape.links {
                    let field = self.memory.link(record, link)?;
                    let bad = match self.abstraction.fields.get(&field) {
                        Some(predicates) => Formula::atom(predicates.bad, &[v()]),
                        None => UNKNOWN,
                    };
                    links.push(shapes::Link { edge: self.edge(field), bad });
                }
                let holds = shapes::formula(shape.kind, &pointers, &links, &self.abstraction.is_freed(&v()))
                    .ok_or(RefineGap::SeveralTypes)?;
                Ok((holds.clone(), !holds))
            }
        }
    }

    fn compare_pointers(
        &self,
        operator: CompareOperator,
        one: &Scalar,
        other: &Scalar,
        draft: &mut Draft,
    ) -> (Formula, Formula) {
        draft.focus(one.points.clone());
        draft.focus(other.points.clone());
        let same = Formula::forall(vec![v()], Formula::iff(one.points.clone(), other.points.clone()));
        // A new object may lie where a freed one lay: a dangling pointer may equal one to another cell.
        let dangling = |left: &Scalar, right: &Scalar| {
            let exists = Formula::exists(vec![u()], right.points.instantiate(&[v()], &[u()]));
            let apart = Formula::And(vec![left.points.clone(), self.abstraction.is_freed(&v()), !right.points.clone()]);
            Formula::and(exists, Formula::exists(vec![v()], apart))
        };
        let mut equal = vec![same.clone()];
        if self.abstraction.freed.is_some() {
            equal.push(Formula::and(UNKNOWN, Formula::or(dangling(one, other), dangling(other, one))));
        }
        let equal = Formula::Or(equal);
        match operator {
            CompareOperator::Equal => (equal, !same),
            CompareOperator::NotEqual => (!same, equal),
            CompareOperator::Less
            | CompareOperator::LessEqual
            | CompareOperator::Greater
            | CompareOperator::GreaterEqual => (UNKNOWN, UNKNOWN),
        }
    }

    fn compare_numbers(
        &self,
        operator: CompareOperator,
        one: &Scalar,
        other: &Scalar,
        draft: &mut Draft,
    ) -> (Formula, Formula) {
        for side in [one, other] {
            if let Number::Tracked(known) = &side.number {
                known.iter().for_each(|(_, is)| draft.focus(is.clone()));
            }
        }
        let holds = match (&one.number, &other.number) {
            (number, Number::Constant(c)) => number.compare(operator, *c),
            (Number::Constant(c), number) => number.compare(mirrored(operator), *c),
            _ => UNKNOWN,
        };
        (holds.clone(), !holds)
    }

    // Calls.

    /// A function without a body that touches no memory of the program.
    fn external(
        &self,
        function: FunctionId,
        name: &str,
        effects: &ExternEffects,
        arguments: &[Operand],
        draft: &mut Draft,
    ) -> Result<(), GapReason> {
        if !effects.modelled {
            return Err(CallGap::WithoutModel { function: name.to_owned() }.into());
        }
        if effects.memory != MemoryEffect::Pure || !effects.takes_ownership.is_empty() {
            return Err(RefineGap::HandedOver.into());
        }
        // A literal is read as far as its NUL, unless a number says how far (`memcmp`), which is not followed.
        let is_number = |argument: &Operand| match argument {
            Operand::Int(_) | Operand::Float(_) => true,
            Operand::Register(register) => self.memory.kind(self.type_of(function, *register)) == ScalarKind::Number,
            Operand::Global(_) | Operand::Function(_) => false,
        };
        let ends_at_nul = effects.format.is_some() || !arguments.iter().any(is_number);
        for argument in arguments {
            match argument {
                Operand::Global(global)
                    if ends_at_nul && self.program().globals[*global].mutability == Mutability::ReadOnly => {}
                Operand::Int(_) | Operand::Float(_) => {}
                Operand::Register(register)
                    if self.memory.kind(self.type_of(function, *register)) == ScalarKind::Number =>
                {
                    let value = self.operand(function, *argument, ScalarKind::Number)?;
                    self.use_value(draft, &value);
                }
                Operand::Register(_) | Operand::Global(_) | Operand::Function(_) => {
                    return Err(RefineGap::HandedOver.into());
                }
            }
        }
        if effects
            .format
            .is_some_and(|format| !matches!(arguments.get(format.parameter as usize), Some(Operand::Global(_))))
        {
            return Err(RefineGap::HandedOver.into());
        }
        Ok(())
    }

    fn result(&self, function: FunctionId, target: RegisterId, effects: &ExternEffects) -> Result<Scalar, GapReason> {
        let kind = self.memory.kind(self.type_of(function, target));
        if kind == ScalarKind::Pointer || effects.result != ExternResult::Any {
            return Err(RefineGap::HandedOver.into());
        }
        Ok(Scalar { kind, points: Formula::FALSE, bad: Formula::FALSE, number: Number::Unknown })
    }

    fn enter(&self, function: FunctionId, edge: EdgeId, callee: FunctionId) -> Result<Draft, GapReason> {
        let mut draft = Draft::default();
        let automaton = self.automaton(function).ok_or(CallGap::WithoutBodyRuns)?;
        let edge = &automaton.edges[edge];
        let Instruction::Call { target, arguments, callee: called } = &edge.instruction else {
            return Err(CallGap::UnknownTarget.into());
        };
        if !matches!(called, heapwise_ir::Callee::Direct(_)) {
            return Err(CallGap::UnknownTarget.into());
        }
        let inner = &self.program().functions[callee];
        if inner.variadic || inner.parameters.len() != arguments.len() {
            return Err(CallGap::TooFewArguments { function: inner.name.clone() }.into());
        }
        let mut updates = Updates::new();
        for register in self.registers(function) {
            if Some(register) == *target || !self.is_live(function, edge.to, register) {
                self.forget(&mut updates, Slot::Register(function, register));
            }
        }
        let entry = self.automaton(callee).map(|automaton| automaton.entry).ok_or(CallGap::WithoutBodyRuns)?;
        for (parameter, argument) in inner.parameters.iter().zip(arguments) {
            let value = self.operand(function, *argument, self.memory.kind(inner.registers[*parameter].ty))?;
            if self.is_live(callee, entry, *parameter) {
                self.set_slot(&mut updates, Slot::Register(callee, *parameter), &value);
            }
        }
        let never = Scalar {
            kind: ScalarKind::Pointer,
            points: Formula::FALSE,
            bad: Formula::TRUE,
            number: Number::Tracked(Vec::new()),
        };
        for register in self.registers(callee) {
            if !inner.parameters.contains(&register) && self.is_live(callee, entry, register) {
                self.set_slot(&mut updates, Slot::Register(callee, register), &never);
            }
        }
        draft.going_on.push((Formula::TRUE, vec![Change { updates, ..Change::default() }]));
        Ok(draft)
    }

    fn leave(&self, function: FunctionId, id: EdgeId, callee: FunctionId) -> Result<Draft, GapReason> {
        let mut draft = Draft::default();
        let automaton = self.automaton(function).ok_or(CallGap::WithoutBodyRuns)?;
        let edge = &automaton.edges[id];
        let mut updates = Updates::new();
        for register in self.registers(callee) {
            self.forget(&mut updates, Slot::Register(callee, register));
        }
        if let Some(target) = edge.instruction.target() {
            let result = self.program().functions[callee].result;
            let kind = self.memory.kind(self.type_of(function, target));
            let value = match result {
                Some(result) => self.operand(callee, Operand::Register(result), kind)?,
                None => return Err(RefineGap::AnyValue.into()),
            };
            if self.is_live(function, edge.to, target) {
                self.set_slot(&mut updates, Slot::Register(function, target), &value);
            }
        }
        draft.going_on.push((Formula::TRUE, vec![Change { updates, ..Change::default() }]));
        Ok(draft)
    }
}

fn mirrored(operator: CompareOperator) -> CompareOperator {
    match operator {
        CompareOperator::Equal => CompareOperator::Equal,
        CompareOperator::NotEqual => CompareOperator::NotEqual,
        CompareOperator::Less => CompareOperator::Greater,
        CompareOperator::LessEqual => CompareOperator::GreaterEqual,
        CompareOperator::Greater => CompareOperator::Less,
        CompareOperator::GreaterEqual => CompareOperator::LessEqual,
    }
}
