//! Assignments, and signed arithmetic whose result may not fit its type.

use super::{Executor, Step, Stop};
use crate::heap::Value;
use crate::number::{Range, type_range};
use heapwise_engine::Kind;
use heapwise_engine::reason::SymbolicGap;
use heapwise_ir::{BinaryOperator, Expression, IntType, Operand, RegisterId, TypeId, UnaryOperator, integer};

const OVERFLOWS: &str = "the result of signed arithmetic does not fit its type";

/// What the result of signed arithmetic may be.
enum Computed {
    /// It fits.
    Fits,
    /// It may not fit; where it does, it lies in this range.
    MayFit(Range),
    /// It never fits.
    Never,
}

impl Executor<'_, '_> {
    /// A register gets a value.
    pub(super) fn assign(&mut self, target: RegisterId, expression: &Expression) -> Step<()> {
        let result = if self.context.options.asks_for(Kind::Overflow) {
            self.signed_result(expression)?
        } else {
            Computed::Fits
        };
        if matches!(result, Computed::Never) {
            return self.error(Kind::Overflow, OVERFLOWS);
        }
        let value = self.expression(expression, target)?;
        self.heap.set_register(target, value);
        let Computed::MayFit(fitting) = result else { return Ok(()) };
        if let Value::Symbol(symbol) = value {
            match self.heap.symbol(symbol).meet(fitting) {
                Some(range) => self.heap.narrow(symbol, range),
                None => return self.error(Kind::Overflow, OVERFLOWS),
            }
        }
        Err(Stop::Both(Kind::Overflow, OVERFLOWS.to_owned(), Box::new(self.heap.clone())))
    }

    fn signed_result(&mut self, expression: &Expression) -> Step<Computed> {
        let (operator, ty, left, right) = match expression {
            Expression::Binary { operator, ty, left, right } => (*operator, *ty, *left, *right),
            Expression::Unary { operator: UnaryOperator::Negate, ty, value } => {
                (BinaryOperator::Subtract, *ty, Operand::ZERO, *value)
            }
            Expression::Unary { operator: UnaryOperator::Complement, .. }
            | Expression::Operand(_)
            | Expression::AddPath { .. }
            | Expression::SubtractPath { .. }
            | Expression::AddBytes { .. }
            | Expression::AddIndex { .. }
            | Expression::PointerDifference { .. }
            | Expression::Convert { .. }
            | Expression::Nondet { .. }
            | Expression::Uninitialised => return Ok(Computed::Fits),
        };
        let is_arithmetic = matches!(
            operator,
            BinaryOperator::Add
                | BinaryOperator::Subtract
                | BinaryOperator::Multiply
                | BinaryOperator::Divide
                | BinaryOperator::Remainder
        );
        let Some(int @ IntType::Signed(_)) = self.context.integer_type(ty).filter(|_| is_arithmetic) else {
            return Ok(Computed::Fits);
        };
        let (left, right) = (self.arithmetic_range(left, ty)?, self.arithmetic_range(right, ty)?);
        Ok(signed_result(operator, int, left, right))
    }

    fn arithmetic_range(&mut self, operand: Operand, ty: TypeId) -> Step<Range> {
        let value = self.typed(operand, ty)?;
        let value = self.used(value, Some(ty))?;
        match self.heap.range(value) {
            Some(range) => Ok(range),
            None => self.gap(SymbolicGap::NumberIsNotFollowed),
        }
    }
}

/// What two numbers of a signed type give.
fn signed_result(operator: BinaryOperator, int: IntType, left: Range, right: Range) -> Computed {
    let whole = type_range(int);
    let compute = |left: i128, right: i128| match operator {
        BinaryOperator::Add => left.checked_add(right),
        BinaryOperator::Subtract => left.checked_sub(right),
        _ => left.checked_mul(right),
    };
    if matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder) {
        // The least number by -1.
        let least = integer::range(int).0;
        return match (left.contains(least) && right.contains(-1), left.single(), right.single()) {
            (false, _, _) => Computed::Fits,
            (true, Some(_), Some(_)) => Computed::Never,
            (true, _, _) => Computed::MayFit(whole),
        };
    }
    let corners = [(left.low, right.low), (left.low, right.high), (left.high, right.low), (left.high, right.high)];
    let (mut low, mut high) = (i128::MAX, i128::MIN);
    for (left, right) in corners {
        let Some(result) = compute(left, right) else { return Computed::MayFit(whole) };
        (low, high) = (low.min(result), high.max(result));
    }
    let Some(exact) = Range::new(low, high) else { return Computed::MayFit(whole) };
    match exact.meet(whole) {
        _ if whole.includes(exact) => Computed::Fits,
        Some(fitting) => Computed::MayFit(fitting),
        None => Computed::Never,
    }
}
