//! What C's operators make of ranges: exact where that is cheap, else a range that has every result.
//!
//! Operands are values of the type of the operation; results wrap around as with gcc's `-fwrapv`. Where no pair of operands
//! has a result (a division by zero, a shift by too much) there is no range.

use crate::range::Range;
use heapwise_ir::{BinaryOperator, CompareOperator, IntType, UnaryOperator, integer};

/// The values, converted to the type.
pub fn convert(range: &Range, to: IntType) -> Range {
    if range.fits(to) {
        return range.clone();
    }
    if to == IntType::Bool {
        // A conversion to `_Bool` asks for zero. One range holds all booleans that are left.
        let truth = |value: i128| i128::from(value != 0);
        return match range.as_constant() {
            Some(value) => Range::constant(truth(value)),
            None if !range.contains(0) => Range::constant(1),
            None => Range::of_type(IntType::Bool),
        };
    }
    wrapped(range.least(), range.greatest(), to)
}

/// The range from `least` to `greatest`, modulo the type: all of the type if it crosses a limit.
fn wrapped(least: i128, greatest: i128, to: IntType) -> Range {
    let bits = to.bytes() as u32 * 8;
    let all = Range::of_type(to);
    let Some(size) = greatest.checked_sub(least) else { return all };
    if bits < 127 && size >= 1i128 << bits {
        return all;
    }
    Range::between(integer::wrap(least, to), integer::wrap(greatest, to)).unwrap_or(all)
}

/// `operator value` in type `int`.
pub fn unary(operator: UnaryOperator, int: IntType, value: &Range) -> Range {
    if let Some(value) = value.as_constant() {
        return Range::constant(integer::unary(operator, int, value));
    }
    let flipped = match operator {
        UnaryOperator::Negate => value.greatest().checked_neg().zip(value.least().checked_neg()),
        UnaryOperator::Complement => Some((!value.greatest(), !value.least())),
    };
    of_results(flipped, int)
}

/// `left operator right` in type `int` (that of the left operand, for shifts); `None` if no pair has a result.
pub fn binary(operator: BinaryOperator, int: IntType, left: &Range, right: &Range) -> Option<Range> {
    if let (Some(left), Some(right)) = (left.as_constant(), right.as_constant()) {
        return integer::binary(operator, int, left, right).ok().map(Range::constant);
    }
    if int == IntType::Unsigned(16) {
        // Their order is not that of the numbers they are kept as.
        return Some(Range::all());
    }
    let corners = |compute: fn(i128, i128) -> Option<i128>| of_results(corners(left, right, compute), int);
    Some(match operator {
        BinaryOperator::Add | BinaryOperator::Subtract => {
            let moved = match operator {
                BinaryOperator::Add => {
                    right.as_constant().map(|by| (left, by)).or(left.as_constant().map(|by| (right, by)))
                }
                _ => right.as_constant().and_then(i128::checked_neg).map(|by| (left, by)),
            };
            // Moved as a whole it keeps its holes.
            match moved.and_then(|(range, by)| range.shifted(by)).filter(|range| range.fits(int)) {
                Some(range) => range,
                None if operator == BinaryOperator::Add => corners(i128::checked_add),
                None => of_results(
                    left.least().checked_sub(right.greatest()).zip(left.greatest().checked_sub(right.least())),
                    int,
                ),
            }
        }
        BinaryOperator::Multiply => corners(i128::checked_mul),
        BinaryOperator::Divide => divided(int, left, right)?,
        BinaryOperator::Remainder => remainder(left, right)?,
        BinaryOperator::And => and(int, left, right),
        BinaryOperator::Or => or(int, left, right),
        BinaryOperator::Xor => xor(int, left, right),
        BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => shifted(operator, int, left, right)?,
    })
}

/// Whether all values of two ranges compare so in type `int`; `None` if only some do.
pub fn compare(operator: CompareOperator, int: IntType, left: &Range, right: &Range) -> Option<bool> {
    let is_equal = || match (left.as_constant(), right.as_constant()) {
        (Some(a), Some(b)) => Some(a == b),
        _ => left.meet(right).is_none().then_some(false),
    };
    let is_less = |left: &Range, right: &Range| {
        if int == IntType::Unsigned(16) {
            // Their order is not that of the numbers they are kept as.
            None
        } else if left.greatest() < right.least() {
            Some(true)
        } else {
            (left.least() >= right.greatest()).then_some(false)
        }
    };
    match operator {
        CompareOperator::Equal => is_equal(),
        CompareOperator::NotEqual => is_equal().map(|is| !is),
        CompareOperator::Less => is_less(left, right),
        CompareOperator::Greater => is_less(right, left),
        CompareOperator::LessEqual => is_less(right, left).map(|is| !is),
        CompareOperator::GreaterEqual => is_less(left, right).map(|is| !is),
    }
}

/// Least and greatest result at the corners: right for operators that are monotone in each operand.
fn corners(left: &Range, right: &Range, compute: impl Fn(i128, i128) -> Option<i128>) -> Option<(i128, i128)> {
    let mut bounds: Option<(i128, i128)> = None;
    for a in [left.least(), left.greatest()] {
        for b in [right.least(), right.greatest()] {
            let result = compute(a, b)?;
            bounds = Some(bounds.map_or((result, result), |(low, high)| (low.min(result), high.max(result))));
        }
    }
    bounds
}

/// The results between these bounds, in the type; all of the type if the bounds could not be computed.
fn of_results(bounds: Option<(i128, i128)>, int: IntType) -> Range {
    match bounds {
        Some((least, greatest)) if int == IntType::Bool => {
            Range::between(least, greatest).map_or(Range::of_type(int), |range| convert(&range, int))
        }
        Some((least, greatest)) => wrapped(least, greatest, int),
        None => Range::of_type(int),
    }
}

/// Divisors below and above zero: division by zero has no result.
fn divisors(right: &Range) -> impl Iterator<Item = Range> {
    let below = Range::between(right.least(), right.greatest().min(-1));
    let above = Range::between(right.least().max(1), right.greatest());
    below.into_iter().chain(above)
}

fn divided(int: IntType, left: &Range, right: &Range) -> Option<Range> {
    let parts = divisors(right).map(|divisors| match corners(left, &divisors, i128::checked_div) {
        // The least value by -1 has no result, so nothing wraps around.
        Some((least, greatest)) => {
            let (low, high) = integer::range(int);
            Range::between(least.max(low), greatest.min(high)).unwrap_or(Range::of_type(int))
        }
        None => Range::of_type(int),
    });
    parts.reduce(|one, other| one.join(&other)).map(|range| convert(&range, int))
}

fn remainder(left: &Range, right: &Range) -> Option<Range> {
    let farthest = divisors(right).map(|part| part.least().unsigned_abs().max(part.greatest().unsigned_abs())).max()?;
    let nearest = divisors(right).map(|part| part.least().unsigned_abs().min(part.greatest().unsigned_abs())).min()?;
    if left.least() >= 0 && left.greatest().unsigned_abs() < nearest {
        return Some(left.clone());
    }
    // The sign is that of the left operand, and no remainder is farther from zero than it.
    let most = i128::try_from(farthest - 1).unwrap_or(i128::MAX);
    let least = if left.least() < 0 { left.least().max(-most) } else { 0 };
    let greatest = if left.greatest() > 0 { left.greatest().min(most) } else { 0 };
    Range::between(least, greatest)
}

/// The least 2^k - 1 that is not below a natural number.
fn mask_of(value: i128) -> i128 {
    match value.leading_zeros() {
        0 | 1 => i128::MAX,
        zeros => (1i128 << (128 - zeros)) - 1,
    }
}

fn and(int: IntType, left: &Range, right: &Range) -> Range {
    let natural = |range: &Range| (range.least() >= 0).then_some(range.greatest());
    let most = match (natural(left), natural(right)) {
        (Some(left), Some(right)) => left.min(right),
        (Some(most), None) | (None, Some(most)) => most,
        (None, None) => return Range::of_type(int),
    };
    Range::between(0, most).unwrap_or(Range::of_type(int))
}

fn or(int: IntType, left: &Range, right: &Range) -> Range {
    let (least, _) = integer::range(int);
    let found = if left.least() >= 0 && right.least() >= 0 {
        Range::between(left.least().max(right.least()), mask_of(left.greatest().max(right.greatest())))
    } else if left.greatest() < 0 || right.greatest() < 0 {
        Range::between(least, -1)
    } else {
        None
    };
    found.unwrap_or(Range::of_type(int))
}

fn xor(int: IntType, left: &Range, right: &Range) -> Range {
    let naturals = left.least() >= 0 && right.least() >= 0;
    let found = Range::between(0, mask_of(left.greatest().max(right.greatest()))).filter(|_| naturals);
    found.unwrap_or(Range::of_type(int))
}

fn shifted(operator: BinaryOperator, int: IntType, left: &Range, right: &Range) -> Option<Range> {
    let counts = right.meet(&Range::between(0, int.bytes() as i128 * 8 - 1)?)?;
    let compute = |value: i128, count: i128| match operator {
        BinaryOperator::ShiftLeft => {
            u32::try_from(count).ok().and_then(|count| 2i128.checked_pow(count)?.checked_mul(value))
        }
        _ => u32::try_from(count).ok().map(|count| value >> count.min(127)),
    };
    Some(of_results(corners(left, &counts, compute), int))
}
