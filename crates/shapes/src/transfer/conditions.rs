//! Comparisons and claims about shapes.

use super::{Draft, Scalar, Transfer, u, v};
use crate::abstraction::UNKNOWN;
use crate::claims;
use crate::memory::ScalarKind;
use heapwise_engine::GapReason;
use heapwise_engine::reason::RefineGap;
use heapwise_ir::{CompareOperator, Condition, FunctionId, Type};
use heapwise_logic::Formula;

impl Transfer<'_> {
    /// When a condition may hold, and when it may fail.
    pub(super) fn condition(
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
                let (one, other) = (self.operand(function, *left, *ty)?, self.operand(function, *right, *ty)?);
                self.use_value(draft, &one);
                self.use_value(draft, &other);
                Ok(match kind {
                    ScalarKind::Pointer => self.compare_pointers(*operator, &one, &other, draft),
                    ScalarKind::Number => self.compare_numbers(*operator, &one, &other, draft),
                })
            }
            Condition::NotCompare { ty, left, right, .. } => {
                for operand in [left, right] {
                    let value = self.operand(function, *operand, *ty)?;
                    self.use_value(draft, &value);
                }
                Ok((UNKNOWN, UNKNOWN))
            }
            Condition::Shape(shape) => {
                let mut pointers = Vec::new();
                for argument in &shape.arguments {
                    let pointer = self.pointer(function, *argument)?;
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
                    links.push(claims::Link { edge: self.edge(field), bad });
                }
                let holds = claims::formula(shape.kind, &pointers, &links, &self.abstraction.is_freed(&v()))
                    .ok_or(RefineGap::SeveralTypes)?;
                Ok((holds.clone(), !holds))
            }
        }
    }

    pub(super) fn compare_pointers(
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

    pub(super) fn compare_numbers(
        &self,
        operator: CompareOperator,
        one: &Scalar,
        other: &Scalar,
        draft: &mut Draft,
    ) -> (Formula, Formula) {
        for side in [one, other] {
            self.asked(side).into_iter().for_each(|formula| draft.focus(formula));
        }
        match operator {
            CompareOperator::Equal => {
                let same = self.same(one, other);
                draft.focus(same.clone());
                (same.clone(), !same)
            }
            CompareOperator::NotEqual => {
                let same = self.same(one, other);
                draft.focus(same.clone());
                (!same.clone(), same)
            }
            CompareOperator::Less
            | CompareOperator::LessEqual
            | CompareOperator::Greater
            | CompareOperator::GreaterEqual => {
                let compare = |operator| one.number.compare(operator, &other.number, one.int);
                (compare(operator), compare(operator.negated()))
            }
        }
    }
}
