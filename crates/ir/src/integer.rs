//! Integers as gcc has them on x86-64 Linux: two's complement, conversions modulo 2^n, signed overflow wraps
//! (as with `-fwrapv`), `>>` on signed types is arithmetic.

use crate::types::IntType;
use crate::value::{BinaryOperator, UnaryOperator};

/// The least and the greatest value of a type. A 16-byte unsigned value is kept as the `i128` with the same bits,
/// so its range is that of `i128` here.
pub fn range(int: IntType) -> (i128, i128) {
    match int {
        IntType::Bool => (0, 1),
        IntType::Signed(bytes) if bytes < 16 => {
            let bits = u32::from(bytes) * 8;
            (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
        }
        IntType::Unsigned(bytes) if bytes < 16 => (0, (1i128 << (u32::from(bytes) * 8)) - 1),
        IntType::Signed(_) | IntType::Unsigned(_) => (i128::MIN, i128::MAX),
    }
}

/// `value` converted to `int`.
pub fn wrap(value: i128, int: IntType) -> i128 {
    match int {
        IntType::Bool => i128::from(value != 0),
        IntType::Signed(bytes) if bytes < 16 => {
            let unused = 128 - u32::from(bytes) * 8;
            value << unused >> unused
        }
        IntType::Unsigned(bytes) if bytes < 16 => value & ((1i128 << (u32::from(bytes) * 8)) - 1),
        IntType::Signed(_) | IntType::Unsigned(_) => value,
    }
}

/// Why an integer operation has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undefined {
    /// Division or remainder by zero.
    DivisionByZero,
    /// `INT_MIN / -1`: the machine traps.
    DivisionOverflow,
    /// A shift by a negative count or by the width or more.
    ShiftCount,
}

/// `left operator right` in type `int` (of the left operand, for shifts).
pub fn binary(operator: BinaryOperator, int: IntType, left: i128, right: i128) -> Result<i128, Undefined> {
    let wide_unsigned = int == IntType::Unsigned(16);
    let result = match operator {
        BinaryOperator::Add => left.wrapping_add(right),
        BinaryOperator::Subtract => left.wrapping_sub(right),
        BinaryOperator::Multiply => left.wrapping_mul(right),
        BinaryOperator::Divide | BinaryOperator::Remainder => {
            let is_division = operator == BinaryOperator::Divide;
            if right == 0 {
                return Err(Undefined::DivisionByZero);
            }
            if wide_unsigned {
                let (left, right) = (left as u128, right as u128);
                (if is_division { left / right } else { left % right }) as i128
            } else {
                if right == -1 && left == range(int).0 && matches!(int, IntType::Signed(_)) {
                    return Err(Undefined::DivisionOverflow);
                }
                if is_division { left / right } else { left % right }
            }
        }
        BinaryOperator::And => left & right,
        BinaryOperator::Or => left | right,
        BinaryOperator::Xor => left ^ right,
        BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => {
            let bits = int.bytes() as i128 * 8;
            if !(0..bits).contains(&right) {
                return Err(Undefined::ShiftCount);
            }
            match operator {
                BinaryOperator::ShiftLeft => left << right,
                _ if wide_unsigned => ((left as u128) >> right) as i128,
                _ => left >> right,
            }
        }
    };
    Ok(wrap(result, int))
}

/// Whether the result of signed arithmetic on two values of a type does not fit it.
pub fn overflows(operator: BinaryOperator, int: IntType, left: i128, right: i128) -> bool {
    let IntType::Signed(_) = int else { return false };
    let result = match operator {
        BinaryOperator::Add => left.checked_add(right),
        BinaryOperator::Subtract => left.checked_sub(right),
        BinaryOperator::Multiply => left.checked_mul(right),
        BinaryOperator::Divide | BinaryOperator::Remainder => return right == -1 && left == range(int).0,
        BinaryOperator::And
        | BinaryOperator::Or
        | BinaryOperator::Xor
        | BinaryOperator::ShiftLeft
        | BinaryOperator::ShiftRight => return false,
    };
    let (least, greatest) = range(int);
    result.is_none_or(|result| !(least..=greatest).contains(&result))
}

/// `operator value` in type `int`.
pub fn unary(operator: UnaryOperator, int: IntType, value: i128) -> i128 {
    match operator {
        UnaryOperator::Negate => wrap(value.wrapping_neg(), int),
        UnaryOperator::Complement => wrap(!value, int),
    }
}

/// Whether `left < right` in type `int`.
pub fn less(int: IntType, left: i128, right: i128) -> bool {
    if int == IntType::Unsigned(16) { (left as u128) < (right as u128) } else { left < right }
}
