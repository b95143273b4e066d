//! What each instruction does.

use super::{Change, Draft, Number, Problem, Scalar, Transfer, v, w};
use crate::abstraction::UNKNOWN;
use crate::memory::{Access, FieldId, ScalarKind, ScalarVariable};
use heapwise_engine::reason::{CallGap, PointerGap, RefineGap};
use heapwise_engine::{AllocationFailure, GapReason, Kind};
use heapwise_ir::{
    Body, Condition, EdgeId, Expression, Failure, FunctionId, InitialContents, Instruction, IntType, Operand,
    RegisterId, Storage, Termination, Type, TypeId,
};
use heapwise_logic::{Formula, Predicate};
use heapwise_tvl::vocabulary::{Definition, NEW};

impl Transfer<'_> {
    /// The action of an instruction. (Long: one case for each.)
    pub(super) fn instruction(
        &self,
        function: FunctionId,
        id: EdgeId,
        callee: Option<FunctionId>,
    ) -> Result<Draft, GapReason> {
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
                    Access::Variable(variable) => self.variable_scalar(variable),
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
                    Access::Variable(variable) => {
                        let mut change = self.assigned(function, id, None, &value);
                        self.set_variable(&mut change.updates, variable, &value);
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
                self.external(function, (called, effects), arguments, &mut draft)?;
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

    pub(super) fn expression(
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
    pub(super) fn converted(&self, from: TypeId, to: TypeId, number: &Number) -> Number {
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

    pub(super) fn stored(&self, draft: &mut Draft, base: &Scalar, field: FieldId, value: &Scalar) -> Change {
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

    pub(super) fn allocated(
        &self,
        function: FunctionId,
        target: RegisterId,
        view: TypeId,
        contents: InitialContents,
    ) -> Change {
        let is_new = Formula::atom(Predicate::new(NEW), &[v()]);
        let mut change = Change { creates: true, ..Change::default() };
        let cell = Scalar {
            kind: ScalarKind::Pointer,
            points: is_new.clone(),
            bad: Formula::FALSE,
            number: Number::Tracked(Vec::new()),
        };
        self.set_variable(&mut change.updates, ScalarVariable::Register(function, target), &cell);
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
    pub(super) fn freed(&self, pointer: &Scalar) -> Change {
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
}
