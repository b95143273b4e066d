//! Comparisons: what follows from them, and which follow.

use crate::assign::Truth;
use crate::equalities::Contradiction;
use crate::expression::{Comparison, Operand};
use crate::range::Range;
use crate::state::{Facts, State, Variable};
use heapwise_ir::{CompareOperator, IntType, integer};

impl<V: Variable> State<V> {
    /// Leaves the valuations for which the comparison holds, as far as that can be said.
    pub fn assume(&mut self, comparison: &Comparison<V>) {
        self.change(|facts| facts.assume(comparison));
    }

    /// Whether the comparison holds. In a state that is not possible everything does.
    pub fn entails(&self, comparison: &Comparison<V>) -> Truth {
        let is_possible = |comparison: &Comparison<V>| {
            let mut state = self.clone();
            state.assume(comparison);
            !state.is_bottom()
        };
        if !is_possible(&comparison.negated()) {
            Truth::Yes
        } else if !is_possible(comparison) {
            Truth::No
        } else {
            Truth::Unknown
        }
    }
}

impl<V: Variable> Facts<V> {
    fn assume(&mut self, comparison: &Comparison<V>) -> Result<(), Contradiction> {
        let Comparison { operator, int, left, right } = comparison;
        for operand in [left, right] {
            self.declare(operand, *int);
            // What does not fit is converted before it is compared: nothing is learnt about what it was.
            if let Operand::Variable(variable) = operand
                && !self.range(variable).fits(*int)
            {
                return Ok(());
            }
        }
        match operator {
            CompareOperator::Equal => self.assume_equal(*int, left, right),
            CompareOperator::NotEqual => self.assume_distinct(*int, left, right),
            CompareOperator::Less => self.assume_below(*int, left, right, 1),
            CompareOperator::LessEqual => self.assume_below(*int, left, right, 0),
            CompareOperator::Greater => self.assume_below(*int, right, left, 1),
            CompareOperator::GreaterEqual => self.assume_below(*int, right, left, 0),
        }
    }

    fn assume_equal(&mut self, int: IntType, left: &Operand<V>, right: &Operand<V>) -> Result<(), Contradiction> {
        let both = self.operand(left, int).meet(&self.operand(right, int)).ok_or(Contradiction)?;
        for operand in [left, right] {
            if let Operand::Variable(variable) = operand {
                self.meet_range(variable, &both)?;
            }
        }
        match (left, right) {
            (Operand::Variable(x), Operand::Variable(y)) if x != y => {
                // Ranges first say what they can: a class with a small modulus knows less than they do.
                self.carry(x, y, 0, 0)?;
                self.reduce_by_classes()?;
                self.equalities.relate(x, y, 0, 64)
            }
            _ => Ok(()),
        }
    }

    fn assume_distinct(&mut self, int: IntType, left: &Operand<V>, right: &Operand<V>) -> Result<(), Contradiction> {
        match (left, right) {
            (Operand::Variable(x), Operand::Variable(y)) if x == y => Err(Contradiction),
            (Operand::Variable(x), Operand::Variable(y)) => {
                if self.difference(x, y) == Some(0) {
                    return Err(Contradiction);
                }
                self.add_distinct(x, y);
                Ok(())
            }
            (Operand::Variable(x), Operand::Constant(value)) | (Operand::Constant(value), Operand::Variable(x)) => {
                let range = self.range(x).without(integer::wrap(*value, int)).ok_or(Contradiction)?;
                self.set_range(x, range);
                Ok(())
            }
            (Operand::Constant(x), Operand::Constant(y)) => {
                if integer::wrap(*x, int) == integer::wrap(*y, int) {
                    Err(Contradiction)
                } else {
                    Ok(())
                }
            }
        }
    }

    /// `left + gap <= right`, where the gap is 0 or 1.
    fn assume_below(
        &mut self,
        int: IntType,
        left: &Operand<V>,
        right: &Operand<V>,
        gap: i128,
    ) -> Result<(), Contradiction> {
        let (low, high) = (self.operand(left, int), self.operand(right, int));
        if int == IntType::Unsigned(16) {
            // Their order is not that of the numbers they are kept as.
            let is_refuted = match (low.as_constant(), high.as_constant()) {
                (Some(low), Some(high)) => integer::less(int, high, low) || (gap == 1 && low == high),
                _ => gap == 1 && left == right,
            };
            return if is_refuted { Err(Contradiction) } else { Ok(()) };
        }
        let most = high.greatest().checked_sub(gap).ok_or(Contradiction)?;
        let least = low.least().checked_add(gap).ok_or(Contradiction)?;
        let below = Range::between(i128::MIN, most).ok_or(Contradiction)?;
        let above = Range::between(least, i128::MAX).ok_or(Contradiction)?;
        low.meet(&below).and(high.meet(&above)).ok_or(Contradiction)?;
        if let Operand::Variable(variable) = left {
            self.meet_range(variable, &below)?;
        }
        if let Operand::Variable(variable) = right {
            self.meet_range(variable, &above)?;
        }
        if let (Operand::Variable(x), Operand::Variable(y)) = (left, right) {
            if x == y {
                return if gap == 1 { Err(Contradiction) } else { Ok(()) };
            }
            // x - y <= -gap.
            self.carry(x, y, i128::MIN, -gap)?;
            self.carry(y, x, gap, i128::MAX)?;
            if gap == 1 {
                self.add_distinct(x, y);
            }
        }
        Ok(())
    }
}
