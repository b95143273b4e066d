//! Assignments.

use crate::arithmetic;
use crate::equalities::Contradiction;
use crate::expression::{Expression, Operand};
use crate::range::Range;
use crate::state::{Facts, State, Variable};
use heapwise_ir::{BinaryOperator, IntType, integer};

/// Whether something holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Truth {
    /// For every valuation that is possible.
    Yes,
    /// For none.
    No,
    /// It may hold or not.
    Unknown,
}

impl<V: Variable> State<V> {
    /// The variable gets the value of the expression. Valuations for which it has none (a division by zero, a shift by too
    /// much) are left out: ask [`State::is_defined`] first where that is an error.
    pub fn assign(&mut self, variable: V, expression: &Expression<V>) {
        self.change(|facts| facts.assign(variable, expression));
    }

    /// Whether the expression has a value.
    pub fn is_defined(&self, expression: &Expression<V>) -> Truth {
        let Some(facts) = self.facts() else { return Truth::Yes };
        let (operator, int, left, right) = match expression {
            Expression::Binary(operator, int, left, right) => (*operator, *int, left, right),
            Expression::Operand(..) | Expression::Unary(..) | Expression::Convert { .. } | Expression::Any(_) => {
                return Truth::Yes;
            }
        };
        let (left, right) = (facts.operand(left, int), facts.operand(right, right_type(operator, int)));
        if let (Some(left), Some(right)) = (left.as_constant(), right.as_constant()) {
            let is_defined = integer::binary(operator, int, left, right).is_ok();
            return if is_defined { Truth::Yes } else { Truth::No };
        }
        let is_always = match operator {
            BinaryOperator::Add
            | BinaryOperator::Subtract
            | BinaryOperator::Multiply
            | BinaryOperator::And
            | BinaryOperator::Or
            | BinaryOperator::Xor => true,
            BinaryOperator::Divide | BinaryOperator::Remainder => {
                let overflows =
                    matches!(int, IntType::Signed(_)) && left.contains(integer::range(int).0) && right.contains(-1);
                !right.contains(0) && !overflows
            }
            BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => {
                right.least() >= 0 && right.greatest() < int.bytes() as i128 * 8
            }
        };
        match (is_always, arithmetic::binary(operator, int, &left, &right)) {
            (true, _) => Truth::Yes,
            (false, Some(_)) => Truth::Unknown,
            (false, None) => Truth::No,
        }
    }
}

/// The count of a shift has a type of its own; any is as good that holds every count.
fn right_type(operator: BinaryOperator, int: IntType) -> IntType {
    match operator {
        BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => IntType::Signed(16),
        BinaryOperator::Add
        | BinaryOperator::Subtract
        | BinaryOperator::Multiply
        | BinaryOperator::Divide
        | BinaryOperator::Remainder
        | BinaryOperator::And
        | BinaryOperator::Or
        | BinaryOperator::Xor => int,
    }
}

/// The value of an expression, as far as it is one variable and a constant: value ≡ variable + distance (mod 2^bits).
struct Linear<V> {
    variable: V,
    distance: i128,
    bits: u32,
}

/// How many bits an equality of values of this type is about.
pub(crate) fn equality_bits(int: IntType) -> u32 {
    (int.bytes() as u32 * 8).min(64)
}

impl<V: Variable> Facts<V> {
    /// The values of an operand of this type. A variable of which nothing is known has a value of the type; where more is
    /// known that does not fit the type, the operand is converted.
    pub fn operand(&self, operand: &Operand<V>, int: IntType) -> Range {
        match operand {
            Operand::Constant(value) => Range::constant(integer::wrap(*value, int)),
            Operand::Variable(variable) => {
                let range = self.range(variable);
                if range.is_all() { Range::of_type(int) } else { arithmetic::convert(&range, int) }
            }
        }
    }

    /// Operands have values of their type: notes that for variables of which nothing was known.
    pub fn declare(&mut self, operand: &Operand<V>, int: IntType) {
        if let Operand::Variable(variable) = operand
            && self.range(variable).is_all()
        {
            self.set_range(variable, Range::of_type(int));
        }
    }

    fn evaluate(&self, expression: &Expression<V>) -> Option<Range> {
        Some(match expression {
            Expression::Operand(int, operand) => self.operand(operand, *int),
            Expression::Unary(operator, int, value) => arithmetic::unary(*operator, *int, &self.operand(value, *int)),
            Expression::Binary(operator, int, left, right) => {
                let (from, to) = (self.operand(left, *int), self.operand(right, right_type(*operator, *int)));
                return match self.same_operands(*operator, *int, left, right) {
                    Some(difference) => Some(difference),
                    None => arithmetic::binary(*operator, *int, &from, &to),
                };
            }
            Expression::Convert { from, to, value } => arithmetic::convert(&self.operand(value, *from), *to),
            Expression::Any(int) => Range::of_type(*int),
        })
    }

    /// `x - y` where the difference is known, whatever the values are.
    fn same_operands(
        &self,
        operator: BinaryOperator,
        int: IntType,
        left: &Operand<V>,
        right: &Operand<V>,
    ) -> Option<Range> {
        let (Operand::Variable(x), Operand::Variable(y)) = (left, right) else { return None };
        if operator != BinaryOperator::Subtract || int == IntType::Bool {
            return None;
        }
        let known = if x == y { Some((0, 64)) } else { self.equalities.offset(x, y) };
        let (offset, bits) = known?;
        (bits >= int.bytes() as u32 * 8 || (x == y)).then(|| Range::constant(integer::wrap(offset, int)))
    }

    fn linear(&self, expression: &Expression<V>) -> Option<Linear<V>> {
        let (variable, distance, int) = match expression {
            Expression::Operand(int, Operand::Variable(variable)) => {
                // As a `_Bool`, what is neither 0 nor 1 becomes 1: that is no conversion modulo anything.
                if *int == IntType::Bool && !self.range(variable).fits(*int) {
                    return None;
                }
                (variable, 0, *int)
            }
            Expression::Convert { from, to, value: Operand::Variable(variable) } => {
                let (is_read, range) = (self.range(variable).fits(*from), self.range(variable));
                match (is_read, range.fits(*to)) {
                    (true, false) if *to == IntType::Bool => return None,
                    (true, _) => (variable, 0, *to),
                    (false, _) if *from == IntType::Bool || *to == IntType::Bool => return None,
                    (false, _) => (variable, 0, if to.bytes() < from.bytes() { *to } else { *from }),
                }
            }
            Expression::Binary(_, IntType::Bool, _, _) => return None,
            Expression::Binary(BinaryOperator::Add, int, Operand::Variable(variable), Operand::Constant(distance))
            | Expression::Binary(BinaryOperator::Add, int, Operand::Constant(distance), Operand::Variable(variable)) => {
                (variable, *distance, *int)
            }
            Expression::Binary(
                BinaryOperator::Subtract,
                int,
                Operand::Variable(variable),
                Operand::Constant(distance),
            ) => (variable, distance.checked_neg()?, *int),
            Expression::Operand(_, Operand::Constant(_))
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Convert { value: Operand::Constant(_), .. }
            | Expression::Any(_) => return self.linear_by_constants(expression),
        };
        Some(Linear { variable: variable.clone(), distance, bits: equality_bits(int) })
    }

    /// `x + y` and `x - y` where one of them is a variable with one value.
    fn linear_by_constants(&self, expression: &Expression<V>) -> Option<Linear<V>> {
        let Expression::Binary(operator, int, Operand::Variable(left), Operand::Variable(right)) = expression else {
            return None;
        };
        let constant = |variable: &V| self.range(variable).as_constant();
        let (variable, distance) = match (operator, constant(left), constant(right)) {
            (BinaryOperator::Add, _, Some(distance)) => (left, distance),
            (BinaryOperator::Add, Some(distance), None) => (right, distance),
            (BinaryOperator::Subtract, _, Some(distance)) => (left, distance.checked_neg()?),
            _ => return None,
        };
        Some(Linear { variable: variable.clone(), distance, bits: equality_bits(*int) })
    }

    pub fn assign(&mut self, variable: V, expression: &Expression<V>) -> Result<(), Contradiction> {
        match expression {
            Expression::Operand(int, operand) | Expression::Unary(_, int, operand) => self.declare(operand, *int),
            Expression::Convert { from, value, .. } => self.declare(value, *from),
            Expression::Binary(operator, int, left, right) => {
                self.declare(left, *int);
                if right_type(*operator, *int) == *int {
                    self.declare(right, *int);
                }
            }
            Expression::Any(_) => {}
        }
        let range = self.evaluate(expression).ok_or(Contradiction)?;
        let linear = self.linear(expression);
        match linear {
            Some(linear) if linear.variable == variable => self.increase(&linear, range),
            Some(linear) => {
                self.forget(&variable);
                let Linear { variable: from, distance, bits } = linear;
                // Nothing wrapped around: then it holds modulo anything.
                let is_exact = self.range(&from).shifted(distance).is_some_and(|moved| moved == range);
                let bits = if is_exact { 64 } else { bits };
                if self.has_room_for(&from, bits) {
                    self.equalities.define(variable.clone(), &from, distance, bits);
                }
                self.set_range(&variable, range);
            }
            None => {
                self.forget(&variable);
                self.set_range(&variable, range);
            }
        }
        Ok(())
    }

    /// `x = x + c`: what is known of x relative to others moves along.
    fn increase(&mut self, linear: &Linear<V>, range: Range) {
        let Linear { variable, distance, bits } = linear;
        if *distance == 0 && self.range(variable) == range {
            return;
        }
        let is_exact = self.range(variable).shifted(*distance).is_some_and(|moved| moved == range);
        let keeps_class = self.has_room_for(variable, if is_exact { 64 } else { *bits });
        if keeps_class && self.equalities.find(variable).is_some() {
            // Pairs speak of values, not of differences.
            let class = self.equalities.clone();
            self.forget(variable);
            self.equalities = class;
            self.equalities.shift(variable, *distance);
        } else {
            self.forget(variable);
        }
        self.set_range(variable, range);
    }

    /// Whether the class of the variable can take an equality modulo 2^bits. A class with a larger modulus gives it up if its
    /// members are so few bits wide that their ranges tell the rest.
    fn has_room_for(&mut self, variable: &V, bits: u32) -> bool {
        let Some((index, _)) = self.equalities.find(variable) else { return true };
        let class = &self.equalities.classes()[index];
        if class.bits <= bits {
            return true;
        }
        let is_narrow = class.members.iter().all(|(member, _)| self.range(member).is_within_bits(bits));
        if is_narrow {
            self.equalities.lower(variable, bits);
        }
        is_narrow
    }
}
