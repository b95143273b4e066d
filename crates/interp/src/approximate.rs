//! Operations on inputs with many values. Comparisons split an input exactly; a product or a cut does not fit
//! `input + constant`. Exploration then goes two ways: some values of the input, which runs have, and one way on which the
//! result is any number between its bounds. That way covers all values, so nothing is left out; what depends on it is in
//! doubt, so nothing is confirmed by it.

use crate::chooser::Question;
use crate::inputs::Doubt;
use crate::integer;
use crate::machine::{Executor, Step};
use crate::value::{Term, Value};
use heapwise_ir::{BinaryOperator, IntType, UnaryOperator};
use std::rc::Rc;

/// Whether results may be taken for any number between their bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Approximation {
    /// Never: every run is one that exists.
    Never,
    /// Beside runs that exist, in doubt.
    Beside,
}

/// How an operation on inputs goes on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Treatment {
    /// The result is this.
    Open(Value),
    /// With some values of the inputs; another way covers them all.
    Sampled,
    /// With the values of the inputs, whatever they are.
    Exact,
}

/// What is known of a result.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Open {
    /// It lies between two bounds.
    Between(Range),
    /// It is a multiple of an input, and does not wrap around: `k * sizeof *a` says how many elements there are.
    Product((Term, i128)),
}

/// Inputs with more values than this are not tried one by one.
pub(crate) const ALL_TRIED_UP_TO: i128 = 64;

/// The least and the greatest value.
pub(crate) type Range = (i128, i128);

impl Executor<'_, '_> {
    /// `left operator right`, where one of them may be an input with many values.
    pub(crate) fn approximate_binary(
        &mut self,
        operator: BinaryOperator,
        int: IntType,
        left: Value,
        right: Value,
    ) -> Step<Treatment> {
        let product = multiple(operator, self.known(left), self.known(right));
        let (Some(left), Some(right)) = (self.bounds_of(left), self.bounds_of(right)) else {
            return Ok(Treatment::Exact);
        };
        match binary_range(operator, int, left, right) {
            Some(range) if is_wide(left) || is_wide(right) => match product {
                Some(product) if self.is_exact(product, int) => self.approximate(Open::Product(product)),
                Some(_) | None => self.approximate(Open::Between(range)),
            },
            Some(_) | None => Ok(Treatment::Exact),
        }
    }

    /// Whether no product wraps around.
    fn is_exact(&self, (term, factor): (Term, i128), int: IntType) -> bool {
        let (low, high) = self.term_bounds(term);
        let range = (low * factor, high * factor);
        fitted(range, int) == range
    }

    /// `operator value`, where it may be an input with many values.
    pub(crate) fn approximate_unary(&mut self, operator: UnaryOperator, int: IntType, value: Value) -> Step<Treatment> {
        let Some((low, high)) = self.bounds_of(value).filter(|range| is_wide(*range)) else {
            return Ok(Treatment::Exact);
        };
        let range = match operator {
            UnaryOperator::Negate => (-high, -low),
            UnaryOperator::Complement => (!high, !low),
        };
        self.approximate(Open::Between(fitted(range, int)))
    }

    /// A result that is not computed, or the way that computes it.
    pub(crate) fn approximate(&mut self, open: Open) -> Step<Treatment> {
        if self.machine.options.approximation == Approximation::Never {
            return Ok(Treatment::Exact);
        }
        if self.choose(Question::Branch, 2)? == 0 {
            return Ok(Treatment::Sampled);
        }
        let constraints = Rc::make_mut(&mut self.state.constraints);
        let symbol = match open {
            Open::Between((low, high)) => constraints.add_symbol(low, high),
            Open::Product((term, factor)) => constraints.add_product(term.symbol, term.addend.into(), factor),
        };
        let value = Value::Symbol(Term { symbol, addend: 0 });
        self.doubt(value, Doubt::Some);
        Ok(Treatment::Open(value))
    }

    /// Between what a number lies.
    pub(crate) fn bounds_of(&self, value: Value) -> Option<Range> {
        match self.known(value) {
            Value::Int(value) => Some((value, value)),
            Value::Symbol(term) => Some(self.term_bounds(term)),
            Value::Uninitialised(_)
            | Value::Float(_)
            | Value::Pointer(_)
            | Value::Function(_)
            | Value::Fragment(_)
            | Value::Opaque => None,
        }
    }
}

/// The input, and the number above zero that it is multiplied by.
fn multiple(operator: BinaryOperator, left: Value, right: Value) -> Option<(Term, i128)> {
    let (term, factor) = match (operator, left, right) {
        (BinaryOperator::Multiply, Value::Symbol(term), Value::Int(factor))
        | (BinaryOperator::Multiply, Value::Int(factor), Value::Symbol(term)) => (term, factor),
        (BinaryOperator::ShiftLeft, Value::Symbol(term), Value::Int(bits @ 0..=62)) => (term, 1 << bits),
        _ => return None,
    };
    (1..1 << 63).contains(&factor).then_some((term, factor))
}

fn is_wide((low, high): Range) -> bool {
    high - low >= ALL_TRIED_UP_TO
}

/// The range, if it fits the type; otherwise results wrap around, and may be any.
fn fitted((low, high): Range, int: IntType) -> Range {
    let (least, greatest) = integer::range(int);
    if low >= least && high <= greatest { (low, high) } else { (least, greatest) }
}

/// What results lie between; `None` where operands must be looked at one by one (a divisor may be zero).
fn binary_range(operator: BinaryOperator, int: IntType, left: Range, right: Range) -> Option<Range> {
    if int.bytes() > 8 {
        return None;
    }
    let corners = |compute: fn(i128, i128) -> i128| {
        let all =
            [compute(left.0, right.0), compute(left.0, right.1), compute(left.1, right.0), compute(left.1, right.1)];
        all.iter().fold((all[0], all[0]), |(low, high), value| (low.min(*value), high.max(*value)))
    };
    let bits = int.bytes() as i128 * 8;
    let are_natural = left.0 >= 0 && right.0 >= 0;
    let below_power = |value: i128| (1i128 << (128 - value.leading_zeros())) - 1;
    let range = match operator {
        BinaryOperator::Add => corners(|left, right| left + right),
        BinaryOperator::Subtract => corners(|left, right| left - right),
        BinaryOperator::Multiply => corners(|left, right| left * right),
        BinaryOperator::Divide | BinaryOperator::Remainder if right.0 <= 0 && right.1 >= -1 => return None,
        BinaryOperator::Divide => corners(|left, right| left / right),
        BinaryOperator::Remainder => {
            let most = right.0.abs().max(right.1.abs()) - 1;
            (if left.0 < 0 { -most.min(-left.0) } else { 0 }, if left.1 > 0 { most.min(left.1) } else { 0 })
        }
        BinaryOperator::And if left.0 >= 0 || right.0 >= 0 => {
            let most = |range: Range| if range.0 >= 0 { range.1 } else { i128::MAX };
            (0, most(left).min(most(right)))
        }
        BinaryOperator::Or if are_natural => (left.0.max(right.0), below_power(left.1 | right.1)),
        BinaryOperator::Xor if are_natural => (0, below_power(left.1 | right.1)),
        BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor => integer::range(int),
        BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight if right.0 < 0 || right.1 >= bits => return None,
        BinaryOperator::ShiftLeft => corners(|left, right| left << right.min(63)),
        BinaryOperator::ShiftRight => corners(|left, right| left >> right),
    };
    Some(fitted(range, int))
}

#[cfg(test)]
mod tests {
    use super::binary_range;
    use crate::integer;
    use heapwise_ir::{BinaryOperator, IntType};
    use proptest::prelude::*;

    const OPERATORS: [BinaryOperator; 10] = [
        BinaryOperator::Add,
        BinaryOperator::Subtract,
        BinaryOperator::Multiply,
        BinaryOperator::Divide,
        BinaryOperator::Remainder,
        BinaryOperator::And,
        BinaryOperator::Or,
        BinaryOperator::Xor,
        BinaryOperator::ShiftLeft,
        BinaryOperator::ShiftRight,
    ];

    proptest! {
        /// No result lies outside the range, for types of one byte.
        #[test]
        fn all_results_lie_in_the_range(
            operator in 0usize..10, signed: bool, left in any::<(i8, i8)>(), right in any::<(i8, i8)>()
        ) {
            let int = if signed { IntType::Signed(1) } else { IntType::Unsigned(1) };
            let operator = OPERATORS[operator];
            let range = |(a, b): (i8, i8)| {
                let (a, b) = (integer::wrap(i128::from(a), int), integer::wrap(i128::from(b), int));
                (a.min(b), a.max(b))
            };
            let (left, right) = (range(left), range(right));
            let Some((low, high)) = binary_range(operator, int, left, right) else { return Ok(()) };
            for x in left.0..=left.1 {
                for y in right.0..=right.1 {
                    if let Ok(result) = integer::binary(operator, int, x, y) {
                        prop_assert!((low..=high).contains(&result), "{x} {operator:?} {y} = {result}");
                    } else {
                        prop_assert!(false, "{x} {operator:?} {y} has no result");
                    }
                }
            }
        }
    }
}
