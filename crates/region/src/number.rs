//! What is known of the number in a register: its sign, and the number itself where it is small.

use heapwise_ir::{CompareOperator, IntType};

/// A set of numbers: those of some signs, or one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Number {
    signs: u8,
    constant: Option<i32>,
}

const NEGATIVE: u8 = 1;
const ZERO: u8 = 2;
const POSITIVE: u8 = 4;
/// Constants have so many bits.
const CONSTANT_BITS: u32 = 28;

impl Number {
    /// Any.
    pub const ANY: Number = Number { signs: 7, constant: None };
    /// None at all: no run comes here.
    pub const NONE: Number = Number { signs: 0, constant: None };
    /// Zero, null.
    pub const ZERO: Number = Number { signs: ZERO, constant: Some(0) };
    /// Not zero.
    pub const NONZERO: Number = Number { signs: NEGATIVE | POSITIVE, constant: None };

    /// This one.
    pub fn of(value: i128) -> Number {
        let signs = match value.signum() {
            -1 => NEGATIVE,
            0 => ZERO,
            _ => POSITIVE,
        };
        let most = 1i128 << (CONSTANT_BITS - 1);
        let constant = (-most..most).contains(&value).then_some(value as i32);
        Number { signs, constant }
    }

    /// Those between two.
    pub fn between(low: i128, high: i128) -> Number {
        if low == high {
            return Number::of(low);
        }
        let signs = [(low < 0, NEGATIVE), (low <= 0 && high >= 0, ZERO), (high > 0, POSITIVE)];
        Number { signs: signs.iter().filter(|(is, _)| *is).map(|(_, sign)| sign).sum(), constant: None }
    }

    /// Whether zero is one of them.
    pub fn may_be_zero(self) -> bool {
        self.signs & ZERO != 0
    }

    /// Whether some number is in both.
    pub fn meets(self, other: Number) -> bool {
        let same = match (self.constant, other.constant) {
            (Some(one), Some(two)) => one == two,
            _ => true,
        };
        same && self.signs & other.signs != 0
    }

    /// Those that are in both; all of the first if there are none.
    pub fn meet(self, other: Number) -> Number {
        if !self.meets(other) {
            return self;
        }
        Number { signs: self.signs & other.signs, constant: self.constant.or(other.constant) }
    }

    /// Packed.
    pub fn bits(self) -> u32 {
        let constant = self.constant.map_or(0, |value| (value as u32) << 4 | 8);
        constant | u32::from(self.signs)
    }

    /// Unpacked.
    pub fn from_bits(bits: u32) -> Number {
        let constant = (bits & 8 != 0).then_some((bits as i32) >> 4);
        Number { signs: (bits & 7) as u8, constant }
    }

    /// Which signs they may have, as three bits: negative, zero, positive.
    pub fn signs(self) -> u32 {
        u32::from(self.signs)
    }

    /// The number, if there is only one and it is small.
    pub fn constant(self) -> Option<i128> {
        self.constant.map(i128::from)
    }

    /// The sum with a constant, as a number of a type: what does not fit may be any.
    pub fn plus(self, by: i128, ty: IntType) -> Number {
        let (low, high) = heapwise_ir::integer::range(ty);
        match self.constant() {
            Some(number) if (low..=high).contains(&(number + by)) => Number::of(number + by),
            _ => Number::ANY,
        }
    }

    /// All of both.
    pub fn join(self, other: Number) -> Number {
        let constant = if self.constant == other.constant { self.constant } else { None };
        Number { signs: self.signs | other.signs, constant }
    }

    /// Those that stand so to a constant; [`Number::NONE`] if there are none. Unsigned comparisons of values that may be
    /// negative are the caller's business.
    pub fn assume(self, operator: CompareOperator, constant: i128) -> Number {
        if let Some(own) = self.constant {
            return if operator.holds(i128::from(own).cmp(&constant)) { self } else { Number::NONE };
        }
        let below = |bound: i128| Number::signs_of(i128::MIN, bound);
        let above = |bound: i128| Number::signs_of(bound, i128::MAX);
        let allowed = match operator {
            CompareOperator::Equal => {
                let only = Number::of(constant);
                return if self.signs & only.signs == 0 { Number::NONE } else { only };
            }
            CompareOperator::NotEqual if constant == 0 => NEGATIVE | POSITIVE,
            CompareOperator::NotEqual => 7,
            CompareOperator::Less => below(constant.saturating_sub(1)),
            CompareOperator::LessEqual => below(constant),
            CompareOperator::Greater => above(constant.saturating_add(1)),
            CompareOperator::GreaterEqual => above(constant),
        };
        let signs = self.signs & allowed;
        Number { signs, constant: (signs == ZERO).then_some(0) }
    }

    fn signs_of(low: i128, high: i128) -> u8 {
        let signs = [(low < 0, NEGATIVE), (low <= 0 && high >= 0, ZERO), (high > 0, POSITIVE)];
        signs.iter().filter(|(is, _)| *is).map(|(_, sign)| sign).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meeting_never_loses_a_number_that_is_in_both() {
        let numbers = [Number::ANY, Number::NONZERO, Number::between(0, 9), Number::between(-3, 0), Number::of(2)];
        for one in numbers {
            for two in numbers {
                for value in (-4..=4i128).map(Number::of) {
                    if one.join(value) == one && two.join(value) == two {
                        assert_eq!(one.meet(two).join(value), one.meet(two), "{one:?} {two:?} {value:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn packing_gives_the_same_number_back() {
        for value in [0, 1, -1, 17, -300, (1 << 27) - 1, -(1 << 27), 1 << 40, -(1 << 40)] {
            assert_eq!(Number::from_bits(Number::of(value).bits()), Number::of(value));
        }
        assert_eq!(Number::from_bits(Number::ANY.bits()), Number::ANY);
    }

    #[test]
    fn assuming_never_loses_a_number_for_which_it_holds() {
        use CompareOperator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        let numbers = [Number::ANY, Number::NONZERO, Number::between(0, 9), Number::between(-3, 0), Number::of(2)];
        for number in numbers {
            for value in -4..=4i128 {
                if number.join(Number::of(value)) != number {
                    continue;
                }
                for constant in -3..=3i128 {
                    for operator in [Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual] {
                        let left = number.assume(operator, constant);
                        if operator.holds(value.cmp(&constant)) {
                            assert_eq!(
                                left.join(Number::of(value)),
                                left,
                                "{number:?} {operator:?} {constant}: {value}"
                            );
                        }
                    }
                }
            }
        }
    }
}
