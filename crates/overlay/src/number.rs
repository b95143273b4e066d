//! Ranges of integers: what is known of a number that is not a constant.

use heapwise_ir::{BinaryOperator, CompareOperator, IntType, UnaryOperator};

/// All integers from `low` to `high`; perhaps without zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Range {
    /// The least one.
    pub low: i128,
    /// The greatest one.
    pub high: i128,
    /// Zero is not among them, though it lies between.
    pub without_zero: bool,
}

/// The values of an integer type.
pub fn type_range(int: IntType) -> Range {
    let (low, high) = match int {
        IntType::Bool => (0, 1),
        // An unsigned number of 16 bytes is kept as the signed one with the same bits (`is_kept_in_order`).
        IntType::Signed(16) | IntType::Unsigned(16) => (i128::MIN, i128::MAX),
        IntType::Signed(bytes) => {
            let bits = 8 * u32::from(bytes);
            (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
        }
        IntType::Unsigned(bytes) => (0, (1i128 << (8 * u32::from(bytes))) - 1),
    };
    Range { low, high, without_zero: false }
}

/// Whether the order of two numbers of a type is that of the numbers that they are kept as.
pub fn is_kept_in_order(int: IntType, left: Range, right: Range) -> bool {
    int != IntType::Unsigned(16) || left.low >= 0 && right.low >= 0
}

/// The value of the type that is equal to `value` modulo its width. (A `_Bool` stores its byte.)
pub fn wrap(value: i128, int: IntType) -> i128 {
    match int {
        IntType::Bool => value & 0xff,
        IntType::Signed(16) | IntType::Unsigned(16) => value,
        IntType::Unsigned(bytes) => value & ((1i128 << (8 * u32::from(bytes))) - 1),
        IntType::Signed(bytes) => {
            let unused = 128 - 8 * u32::from(bytes);
            value << unused >> unused
        }
    }
}

impl Range {
    /// From `low` to `high`; `None` if there is nothing between.
    pub fn new(low: i128, high: i128) -> Option<Range> {
        (low <= high).then_some(Range { low, high, without_zero: false })
    }

    /// One number.
    pub fn constant(value: i128) -> Range {
        Range { low: value, high: value, without_zero: false }
    }

    /// The number, if it is only one.
    pub fn single(self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }

    /// Whether the number is one of them.
    pub fn contains(self, value: i128) -> bool {
        (self.low..=self.high).contains(&value) && !(self.without_zero && value == 0)
    }

    /// Whether all of `other` are among them.
    pub fn includes(self, other: Range) -> bool {
        self.low <= other.low && other.high <= self.high && !(self.without_zero && other.contains(0))
    }

    /// How many there are, roughly.
    pub fn count(self) -> u128 {
        (self.high as u128).wrapping_sub(self.low as u128).saturating_add(1)
    }

    fn normal(self) -> Option<Range> {
        let mut range = self;
        if range.without_zero {
            if range.low == 0 {
                range.low = 1;
            }
            if range.high == 0 {
                range.high = -1;
            }
            range.without_zero = range.low < 0 && range.high > 0;
        }
        (range.low <= range.high).then_some(range)
    }

    /// What both have.
    pub fn meet(self, other: Range) -> Option<Range> {
        Range {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            without_zero: self.without_zero || other.without_zero,
        }
        .normal()
    }

    /// The least range with both.
    pub fn join(self, other: Range) -> Range {
        let zero = self.contains(0) || other.contains(0);
        let (low, high) = (self.low.min(other.low), self.high.max(other.high));
        Range { low, high, without_zero: !zero && low < 0 && high > 0 }
    }

    /// As `join`, but an end that moves goes to the next of the thresholds (in order), so that it moves finitely often.
    pub fn widen(self, other: Range, thresholds: &[i128]) -> Range {
        let joined = self.join(other);
        let low = if joined.low < self.low {
            thresholds.iter().rev().copied().find(|end| *end <= joined.low).unwrap_or(i128::MIN)
        } else {
            joined.low
        };
        let high = if joined.high > self.high {
            thresholds.iter().copied().find(|end| *end >= joined.high).unwrap_or(i128::MAX)
        } else {
            joined.high
        };
        let zero = self.contains(0) || other.contains(0);
        Range { low, high, without_zero: !zero && low < 0 && high > 0 }
    }

    /// Whether the comparison holds for all pairs, for none, or (`None`) for some.
    pub fn compare(self, operator: CompareOperator, other: Range) -> Option<bool> {
        let disjoint = self.meet(other).is_none();
        let decide = |holds: bool, fails: bool| {
            if holds {
                Some(true)
            } else if fails {
                Some(false)
            } else {
                None
            }
        };
        match operator {
            CompareOperator::Equal => decide(self.single().is_some() && self.single() == other.single(), disjoint),
            CompareOperator::NotEqual => decide(disjoint, self.single().is_some() && self.single() == other.single()),
            CompareOperator::Less => decide(self.high < other.low, self.low >= other.high),
            CompareOperator::LessEqual => decide(self.high <= other.low, self.low > other.high),
            CompareOperator::Greater => decide(self.low > other.high, self.high <= other.low),
            CompareOperator::GreaterEqual => decide(self.low >= other.high, self.high < other.low),
        }
    }

    /// The numbers of `self` for which some number of `other` makes the comparison true.
    pub fn refine(self, operator: CompareOperator, other: Range) -> Option<Range> {
        match operator {
            CompareOperator::Equal => self.meet(other),
            CompareOperator::NotEqual => match other.single() {
                Some(0) => Range { without_zero: true, ..self }.normal(),
                Some(value) if value == self.low => Range { low: self.low.checked_add(1)?, ..self }.normal(),
                Some(value) if value == self.high => Range { high: self.high.checked_sub(1)?, ..self }.normal(),
                Some(_) | None => Some(self),
            },
            CompareOperator::Less => Range { high: self.high.min(other.high.saturating_sub(1)), ..self }.normal(),
            CompareOperator::LessEqual => Range { high: self.high.min(other.high), ..self }.normal(),
            CompareOperator::Greater => Range { low: self.low.max(other.low.saturating_add(1)), ..self }.normal(),
            CompareOperator::GreaterEqual => Range { low: self.low.max(other.low), ..self }.normal(),
        }
    }

    /// The results of an operation at a type; everything that the type has where they may wrap around.
    pub fn binary(operator: BinaryOperator, int: IntType, left: Range, right: Range) -> Range {
        let whole = type_range(int);
        let within = |low: Option<i128>, high: Option<i128>| match (low, high) {
            (Some(low), Some(high)) if low >= whole.low && high <= whole.high && low <= high => {
                Range { low, high, without_zero: false }
            }
            // All of them wrap around as often.
            (Some(low), Some(high))
                if matches!(int, IntType::Signed(1..=8) | IntType::Unsigned(1..=8))
                    && high.checked_sub(low).is_some_and(|width| width <= whole.high - whole.low) =>
            {
                Range::new(wrap(low, int), wrap(high, int)).unwrap_or(whole)
            }
            _ => whole,
        };
        let looks_at_order =
            matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder | BinaryOperator::ShiftRight);
        if looks_at_order && !is_kept_in_order(int, left, right) {
            return whole;
        }
        match operator {
            BinaryOperator::Add => within(left.low.checked_add(right.low), left.high.checked_add(right.high)),
            BinaryOperator::Subtract => within(left.low.checked_sub(right.high), left.high.checked_sub(right.low)),
            BinaryOperator::Multiply => {
                let products: Option<Vec<i128>> =
                    [(left.low, right.low), (left.low, right.high), (left.high, right.low), (left.high, right.high)]
                        .iter()
                        .map(|(x, y)| x.checked_mul(*y))
                        .collect();
                products.map_or(whole, |all| within(all.iter().min().copied(), all.iter().max().copied()))
            }
            BinaryOperator::Divide => match right.single() {
                Some(by) if by > 0 => within(Some(left.low / by), Some(left.high / by)),
                _ => whole,
            },
            BinaryOperator::Remainder => match right.single() {
                Some(by) if by > 0 && left.low >= 0 => within(Some(0), Some((by - 1).min(left.high))),
                Some(by) if by > 0 => within(Some(-(by - 1)), Some(by - 1)),
                None if right.low >= 1 && left.low >= 0 => within(Some(0), Some((right.high - 1).min(left.high))),
                _ => whole,
            },
            BinaryOperator::And => match (left.low >= 0, right.low >= 0) {
                (true, true) => within(Some(0), Some(left.high.min(right.high))),
                (true, false) => within(Some(0), Some(left.high)),
                (false, true) => within(Some(0), Some(right.high)),
                (false, false) => whole,
            },
            BinaryOperator::Or | BinaryOperator::Xor if left.low >= 0 && right.low >= 0 => {
                let most = left.high.max(right.high);
                let bits = 128 - most.leading_zeros();
                within(Some(0), if bits < 126 { Some((1i128 << bits) - 1) } else { None })
            }
            BinaryOperator::ShiftRight => match right.single() {
                Some(by) if (0..127).contains(&by) => within(Some(left.low >> by), Some(left.high >> by)),
                _ => whole,
            },
            BinaryOperator::ShiftLeft => match right.single() {
                Some(by) if (0..64).contains(&by) => {
                    within(left.low.checked_mul(1 << by), left.high.checked_mul(1 << by))
                }
                _ => whole,
            },
            BinaryOperator::Or | BinaryOperator::Xor => whole,
        }
    }

    /// The results of an operation on one number.
    pub fn unary(operator: UnaryOperator, int: IntType, value: Range) -> Range {
        let whole = type_range(int);
        let (low, high) = match operator {
            UnaryOperator::Negate => (value.high.checked_neg(), value.low.checked_neg()),
            UnaryOperator::Complement => (Some(!value.high), Some(!value.low)),
        };
        match (low, high) {
            (Some(low), Some(high)) if low >= whole.low && high <= whole.high => {
                Range { low, high, without_zero: false }
            }
            _ => whole,
        }
    }
}

/// The result of an operation on constants; `None` where C leaves it open.
pub fn constant_binary(operator: BinaryOperator, int: IntType, left: i128, right: i128) -> Option<i128> {
    if int == IntType::Unsigned(16) {
        return heapwise_ir::integer::binary(operator, int, left, right).ok();
    }
    let bits = i128::from(8 * int.bytes());
    let unsigned = matches!(int, IntType::Unsigned(_) | IntType::Bool);
    Some(wrap(
        match operator {
            BinaryOperator::Add => left.wrapping_add(right),
            BinaryOperator::Subtract => left.wrapping_sub(right),
            BinaryOperator::Multiply => left.wrapping_mul(right),
            BinaryOperator::Divide => left.checked_div(right)?,
            BinaryOperator::Remainder => left.checked_rem(right)?,
            BinaryOperator::And => left & right,
            BinaryOperator::Or => left | right,
            BinaryOperator::Xor => left ^ right,
            BinaryOperator::ShiftLeft if (0..bits).contains(&right) => left << right,
            BinaryOperator::ShiftRight if (0..bits).contains(&right) && (!unsigned || left >= 0) => left >> right,
            BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => return None,
        },
        int,
    ))
}

/// The result of an operation on a constant.
pub fn constant_unary(operator: UnaryOperator, int: IntType, value: i128) -> i128 {
    wrap(
        match operator {
            UnaryOperator::Negate => value.wrapping_neg(),
            UnaryOperator::Complement => !value,
        },
        int,
    )
}
