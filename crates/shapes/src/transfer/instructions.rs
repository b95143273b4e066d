//! What each instruction does.

use super::{Change, Draft, Number, Origin, Problem, Scalar, Transfer, v, w};
use crate::abstraction::UNKNOWN;
use crate::memory::{Access, FieldId, ScalarKind, ScalarVariable};
use heapwise_engine::reason::{CallGap, PointerGap, RefineGap};
use heapwise_engine::{AllocationFailure, GapReason, Kind};
use heapwise_ir::{
    BinaryOperator, Body, Condition, CopySource, EdgeId, Expression, Extent, Failure, FunctionId, InitialContents,
    Instruction, Operand, RegisterId, Storage, Termination, TypeId, View,
};
use heapwise_logic::{Formula, Predicate};
use heapwise_numbers::Range;
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
                        let base = self.pointer(function, base)?;
                        self.dereference(&mut draft, &base);
                        let value = self.field_scalar(&base, field);
                        self.focus_field(&mut draft, &base, field);
                        draft.focus(value.bad.clone());
                        self.asked(&value).into_iter().for_each(|formula| draft.focus(formula));
                        value
                    }
                };
                if value.kind != kind {
                    return Err(PointerGap::BecomesInteger.into());
                }
                draft.going_on.push((Formula::TRUE, vec![self.assigned(function, id, Some(*target), &value)]));
            }
            Instruction::Store { place, value } => {
                let value = self.operand(function, *value, place.ty)?;
                match self.memory.access(function, place)? {
                    Access::Variable(variable) => {
                        let mut change = Change::default();
                        self.set_variable(&mut change.updates, variable, &value);
                        draft.going_on.push((Formula::TRUE, self.then_forget(function, id, change)));
                    }
                    Access::Field(base, field) => {
                        let base = self.pointer(function, base)?;
                        self.dereference(&mut draft, &base);
                        let mut change = self.stored(&mut draft, &base, field, &value);
                        let cut = self.cut_and_grown(&base, field, &value, &mut change);
                        let changes = cut.into_iter().chain(self.then_forget(function, id, change));
                        draft.going_on.push((Formula::TRUE, changes.collect()));
                    }
                }
            }
            Instruction::Copy { place, source, extent } => {
                let Extent::Type(ty) = extent else { return Err(RefineGap::AggregateCopied.into()) };
                let target = self.pointer(function, self.memory.whole(function, place, *ty)?)?;
                self.dereference(&mut draft, &target);
                let source = match source {
                    CopySource::Place(source) => {
                        let source = self.pointer(function, self.memory.whole(function, source, *ty)?)?;
                        self.dereference(&mut draft, &source);
                        Some(source)
                    }
                    CopySource::Members | CopySource::Fill(Operand::Int(0)) => None,
                    CopySource::Fill(_) | CopySource::Nondet => return Err(RefineGap::AggregateCopied.into()),
                };
                let mut change = Change::default();
                for field in self.memory.fields_of(*ty) {
                    let value = match &source {
                        Some(source) => self.field_scalar(source, field),
                        None => self.zero(field),
                    };
                    change.updates.extend(self.stored(&mut draft, &target, field, &value).updates);
                }
                draft.going_on.push((Formula::TRUE, self.then_forget(function, id, change)));
            }
            Instruction::Alloc { target, bytes, storage, contents, failure, align: _, view } => {
                let is_one = |view: &View| {
                    let size = self.program().size_of(view.element).map(i128::from);
                    let is_size =
                        matches!((view.count, bytes), (Operand::Int(1), Operand::Int(bytes)) if Some(*bytes) == size);
                    is_size && !view.has_tail
                };
                let element = match view {
                    Some(view) => is_one(view).then_some(view.element),
                    None => self.memory.inferred.get(&(function, id)).copied(),
                };
                let element = element.ok_or(RefineGap::NotOneCell)?;
                if *contents == InitialContents::Nondet {
                    return Err(RefineGap::NotOneCell.into());
                }
                let mut change = self.allocated(function, *target, element, *contents);
                if *storage == Storage::Auto
                    && let Some(local) = self.abstraction.locals.get(&function)
                {
                    let is_new = Formula::atom(Predicate::new(NEW), &[v()]);
                    let formula = Formula::or(Formula::atom(*local, &[v()]), is_new);
                    change.updates.insert(*local, Definition { params: vec![v()], formula });
                }
                draft.going_on.push((Formula::TRUE, self.then_forget(function, id, change)));
                if *failure == Failure::Possible && self.options.allocation_failure == AllocationFailure::Possible {
                    let null = self.pointer(function, Operand::ZERO)?;
                    draft.going_on.push((Formula::TRUE, vec![self.assigned(function, id, Some(*target), &null)]));
                }
            }
            Instruction::Free { pointer } => {
                let pointer = self.pointer(function, *pointer)?;
                self.use_value(&mut draft, &pointer);
                draft.focus(pointer.points.clone());
                let here = pointer.points.clone();
                if !self.abstraction.locals.is_empty() {
                    let local = Formula::and(here.clone(), self.abstraction.is_local(&v()));
                    draft.failing.push((Problem::Error(Kind::InvalidFree), Formula::exists(vec![v()], local)));
                }
                let freed = Formula::exists(vec![v()], Formula::and(here.clone(), self.abstraction.is_freed(&v())));
                draft.failing.push((Problem::Error(Kind::DoubleFree), freed));
                let exists = Formula::exists(vec![v()], here);
                let forget = Change { updates: self.forget_dead(function, id), ..Change::default() };
                draft.going_on.push((!exists.clone(), vec![forget]));
                let change = self.freed(&pointer.points);
                draft.going_on.push((exists, self.then_forget(function, id, change)));
            }
            Instruction::End { pointer } => {
                let pointer = self.pointer(function, *pointer)?;
                draft.focus(pointer.points.clone());
                let change = self.freed(&pointer.points);
                draft.going_on.push((Formula::TRUE, self.then_forget(function, id, change)));
            }
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
                        None => self.computed(ScalarKind::Number, None, Number::any(None)),
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
        let ty = self.type_of(function, target);
        let (kind, int) = (self.memory.kind(ty), self.memory.int(ty));
        Ok(match value {
            Expression::Operand(operand) => self.operand(function, *operand, ty)?,
            Expression::AddPath { base, path } | Expression::SubtractPath { base, path } => {
                let resolved = self.program().resolve(path).ok_or(PointerGap::IntoCell)?;
                if resolved.offset != 0 || !resolved.indices.is_empty() {
                    return Err(PointerGap::IntoCell.into());
                }
                let value = self.operand(function, *base, ty)?;
                self.use_value(draft, &value);
                value
            }
            Expression::AddBytes { .. } | Expression::AddIndex { .. } => return Err(PointerGap::IntoCell.into()),
            Expression::PointerDifference { .. } => return Err(PointerGap::BecomesInteger.into()),
            Expression::Unary { operator, ty, value } => {
                let value = self.operand(function, *value, *ty)?;
                self.use_value(draft, &value);
                self.computed(kind, int, value.number.unary(*operator, self.memory.int(*ty)))
            }
            Expression::Binary { operator, ty, left, right } => {
                let left = self.operand(function, *left, *ty)?;
                let right = match right {
                    // A count of shifts has a type of its own.
                    Operand::Register(register) => self.operand(function, *right, self.type_of(function, *register))?,
                    _ => self.operand(function, *right, *ty)?,
                };
                if right.kind == ScalarKind::Pointer {
                    return Err(PointerGap::BecomesInteger.into());
                }
                for value in [&left, &right] {
                    self.use_value(draft, value);
                    self.asked(value).into_iter().for_each(|formula| draft.focus(formula));
                }
                let is_division = matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder);
                if is_division
                    && self.options.asks_for(Kind::DivisionByZero)
                    && self.memory.int(*ty).is_some()
                    && right.number.may_be(0)
                {
                    return Err(RefineGap::DivisorMayBeZero.into());
                }
                self.computed(kind, int, left.number.binary(*operator, self.memory.int(*ty), &right.number))
            }
            Expression::Convert { from, to, value } => {
                if kind == ScalarKind::Pointer || self.memory.kind(*to) == ScalarKind::Pointer {
                    return Err(PointerGap::FromInteger.into());
                }
                if self.memory.kind(*from) == ScalarKind::Pointer {
                    return Err(PointerGap::BecomesInteger.into());
                }
                let value = self.operand(function, *value, *from)?;
                self.use_value(draft, &value);
                self.converted(*from, *to, &value)
            }
            Expression::Nondet { .. } if kind == ScalarKind::Pointer => return Err(PointerGap::FromInput.into()),
            Expression::Nondet { .. } => self.computed(kind, int, Number::any(int)),
            Expression::Uninitialised => self.never_written(kind, int),
        })
    }

    /// A value after its conversion: the same number if each of its type is one of the other, too.
    fn converted(&self, from: TypeId, to: TypeId, value: &Scalar) -> Scalar {
        let (from, to) = (self.memory.int(from), self.memory.int(to));
        let number = match from {
            Some(_) => value.number.converted(to),
            None => Number::any(to),
        };
        let keeps = from.zip(to).is_some_and(|(from, to)| Range::of_type(from).fits(to));
        let origin = if keeps { value.origin.clone() } else { Origin::Computed };
        Scalar { origin, ..self.computed(ScalarKind::Number, to, number) }
    }

    pub(super) fn stored(&self, draft: &mut Draft, base: &Scalar, field: FieldId, value: &Scalar) -> Change {
        let mut change = Change::default();
        let Some(predicates) = self.abstraction.fields.get(&field) else { return change };
        draft.focus(base.points.clone());
        draft.focus(value.points.clone());
        let here = base.points.clone();
        let chosen = |new: Formula, old: Formula| Formula::if_then_else(here.clone(), new, old);
        if let Some(points) = predicates.points {
            self.focus_field(draft, base, field);
            let new = value.points.instantiate(&[v()], &[w()]);
            let formula = chosen(new, Formula::atom(points, &[v(), w()]));
            change.updates.insert(points, Definition { params: vec![v(), w()], formula });
        }
        let formula = chosen(value.bad.clone(), Formula::atom(predicates.bad, &[v()]));
        change.updates.insert(predicates.bad, Definition { params: vec![v()], formula });
        for (test, predicate) in &predicates.tests {
            let formula = chosen(self.passes(value, *test), Formula::atom(*predicate, &[v()]));
            change.updates.insert(*predicate, Definition { params: vec![v()], formula });
        }
        change
    }

    /// A field that leads to cells of another type leads nowhere before it is written (the change that comes back), and then only
    /// more is held by it: what that does to paths is easy to derive ([`crate::grown`]).
    fn cut_and_grown(&self, base: &Scalar, field: FieldId, value: &Scalar, change: &mut Change) -> Option<Change> {
        let points = self.abstraction.fields.get(&field)?.points.filter(|_| self.memory.leads_elsewhere(field))?;
        let (old, params) = (Formula::atom(points, &[v(), w()]), vec![v(), w()]);
        let added = Formula::and(base.points.clone(), value.points.instantiate(&[v()], &[w()]));
        change.updates.insert(points, Definition { params: params.clone(), formula: Formula::or(old.clone(), added) });
        let formula = Formula::and(old, !base.points.clone());
        let updates = [(points, Definition { params, formula })].into_iter().collect();
        Some(Change { updates, ..Change::default() })
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
        let cell = Scalar { points: is_new.clone(), ..self.computed(ScalarKind::Pointer, None, Number::any(None)) };
        self.set_variable(&mut change.updates, ScalarVariable::Register(function, target), &cell);
        for field in self.memory.fields_of(view) {
            let Some(predicates) = self.abstraction.fields.get(&field) else { continue };
            let mut hold = |predicate: Predicate, holds: Formula| {
                let here = Formula::and(is_new.clone(), holds);
                let formula = Formula::or(Formula::atom(predicate, &[v()]), here);
                change.updates.insert(predicate, Definition { params: vec![v()], formula });
            };
            match contents {
                InitialContents::Uninitialised => hold(predicates.bad, Formula::TRUE),
                InitialContents::Zeroed => {
                    let zero = self.zero(field);
                    predicates.tests.iter().for_each(|(test, is)| hold(*is, self.passes(&zero, *test)));
                }
                // Refused before.
                InitialContents::Nondet => {}
            }
        }
        change
    }

    /// What a field of a cell of zeros holds.
    fn zero(&self, field: FieldId) -> Scalar {
        let (kind, int) = (self.memory.fields[field].kind, self.memory.field_int(field));
        let number = int.map_or_else(|| Number::any(None), |_| Number::constant(0));
        self.computed(kind, int, number)
    }

    /// A freed cell holds nothing that may be looked at: all those at which `here` holds, with the variable `v` for them.
    pub(super) fn freed(&self, here: &Formula) -> Change {
        let mut change = Change::default();
        if let Some(freed) = self.abstraction.freed {
            let formula = Formula::or(Formula::atom(freed, &[v()]), here.clone());
            change.updates.insert(freed, Definition { params: vec![v()], formula });
        }
        for predicates in self.abstraction.fields.values() {
            if let Some(points) = predicates.points {
                let formula = Formula::and(Formula::atom(points, &[v(), w()]), !here.clone());
                change.updates.insert(points, Definition { params: vec![v(), w()], formula });
            }
            for predicate in predicates.tests.iter().map(|(_, is)| *is).chain([predicates.bad]) {
                let formula = Formula::and(Formula::atom(predicate, &[v()]), !here.clone());
                change.updates.insert(predicate, Definition { params: vec![v()], formula });
            }
        }
        change
    }
}
