//! Floating-point numbers. `float` and `double` are computed exactly as the machine does; `long double` only where a
//! double holds the exact result, otherwise the caller stops.

use heapwise_ir::{BinaryOperator, FloatType, Target};

/// Rounds to the type.
pub fn round(value: f64, float: FloatType) -> f64 {
    match float {
        FloatType::Single => f64::from(value as f32),
        FloatType::Double | FloatType::Extended | FloatType::Quad => value,
    }
}

/// `left operator right`; `None` where the result is not exact in a wider type than `double` (and where the machine computes in
/// such a type), or there is no such operator.
pub fn binary(operator: BinaryOperator, float: FloatType, target: Target, left: f64, right: f64) -> Option<f64> {
    // What the x87 of i386 computes has 64 bits, until it is stored somewhere.
    let is_wider = target == Target::ILP32 || matches!(float, FloatType::Extended | FloatType::Quad);
    let (result, error) = match operator {
        BinaryOperator::Add => (left + right, sum_error(left, right)),
        BinaryOperator::Subtract => (left - right, sum_error(left, -right)),
        BinaryOperator::Multiply => (left * right, left.mul_add(right, -(left * right))),
        BinaryOperator::Divide => (left / right, (left / right).mul_add(right, -left)),
        _ => return None,
    };
    // Near zero the error itself may be too small for a double.
    let is_tiny = matches!(operator, BinaryOperator::Multiply | BinaryOperator::Divide)
        && left != 0.0
        && right.is_finite()
        && result.abs() < f64::MIN_POSITIVE / f64::EPSILON;
    let is_exact = error == 0.0 && result.is_finite() && !is_tiny;
    let is_kept = round(result, float).to_bits() == result.to_bits();
    match (float, is_wider) {
        (FloatType::Single, false) => single(operator, left as f32, right as f32).map(f64::from),
        (FloatType::Double, false) => Some(result),
        // Infinities and what is no number are so everywhere, where they come from such.
        (_, true) if target == Target::ILP32 && !(left.is_finite() && right.is_finite()) => Some(result),
        (_, _) => (is_exact && is_kept).then_some(result),
    }
}

fn single(operator: BinaryOperator, left: f32, right: f32) -> Option<f32> {
    Some(match operator {
        BinaryOperator::Add => left + right,
        BinaryOperator::Subtract => left - right,
        BinaryOperator::Multiply => left * right,
        BinaryOperator::Divide => left / right,
        _ => return None,
    })
}

/// Knuth's two-sum: the rounding error of `left + right`.
fn sum_error(left: f64, right: f64) -> f64 {
    let sum = left + right;
    let virtual_right = sum - left;
    (left - (sum - virtual_right)) + (right - virtual_right)
}

/// The bytes of a value.
pub fn to_bits(value: f64, float: FloatType) -> u128 {
    match float {
        FloatType::Single => u128::from((value as f32).to_bits()),
        FloatType::Double => u128::from(value.to_bits()),
        FloatType::Extended => extended_bits(value),
        FloatType::Quad => quad_bits(value),
    }
}

/// The value of bytes; `None` if a double cannot hold it.
pub fn from_bits(bits: u128, float: FloatType) -> Option<f64> {
    match float {
        FloatType::Single => Some(f64::from(f32::from_bits(bits as u32))),
        FloatType::Double => Some(f64::from_bits(bits as u64)),
        FloatType::Extended => {
            let exponent = (bits >> 64 & 0x7fff) as i32;
            let mantissa = bits as u64;
            let sign = if bits >> 79 & 1 == 1 { -1.0 } else { 1.0 };
            match (exponent, mantissa) {
                (0, 0) => Some(sign * 0.0),
                (0x7fff, 0x8000_0000_0000_0000) => Some(sign * f64::INFINITY),
                (0x7fff, _) => Some(f64::NAN),
                _ => {
                    let value = sign * scale(mantissa as f64, exponent - 16383 - 63);
                    (extended_bits(value) == bits & low80()).then_some(value)
                }
            }
        }
        FloatType::Quad => {
            let exponent = (bits >> 112 & 0x7fff) as i32;
            let sign = if bits >> 127 == 1 { -1.0 } else { 1.0 };
            if bits << 1 == 0 {
                return Some(sign * 0.0);
            }
            let mantissa = bits & ((1 << 112) - 1) | 1 << 112;
            let value = sign * scale(mantissa as f64, exponent - 16383 - 112);
            (quad_bits(value) == bits).then_some(value)
        }
    }
}

/// `value * 2^exponent`, in two steps so that the power itself does not underflow.
fn scale(value: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    value * 2f64.powi(half) * 2f64.powi(exponent - half)
}

fn low80() -> u128 {
    (1 << 80) - 1
}

/// Sign, unbiased exponent and the 53-bit significand (leading one included) of a finite non-zero double.
fn parts(value: f64) -> (u128, i32, u64) {
    let bits = value.to_bits();
    let sign = u128::from(bits >> 63);
    let raw = (bits >> 52 & 0x7ff) as i32;
    let fraction = bits & ((1 << 52) - 1);
    if raw == 0 {
        let shift = fraction.leading_zeros() as i32 - 11;
        (sign, -1022 - shift, fraction << shift)
    } else {
        (sign, raw - 1023, fraction | 1 << 52)
    }
}

fn extended_bits(value: f64) -> u128 {
    let sign = u128::from(value.to_bits() >> 63) << 79;
    if value == 0.0 {
        return sign;
    }
    if value.is_nan() {
        return sign | 0x7fff << 64 | 0xc000_0000_0000_0000;
    }
    if value.is_infinite() {
        return sign | 0x7fff << 64 | 0x8000_0000_0000_0000;
    }
    let (_, exponent, significand) = parts(value);
    sign | ((exponent + 16383) as u128) << 64 | u128::from(significand << 11)
}

fn quad_bits(value: f64) -> u128 {
    let sign = u128::from(value.to_bits() >> 63) << 127;
    if value == 0.0 {
        return sign;
    }
    if value.is_nan() {
        return sign | 0x7fff << 112 | 1 << 111;
    }
    if value.is_infinite() {
        return sign | 0x7fff << 112;
    }
    let (_, exponent, significand) = parts(value);
    let fraction = u128::from(significand & ((1 << 52) - 1)) << 60;
    sign | ((exponent + 16383) as u128) << 112 | fraction
}

#[cfg(test)]
mod tests {
    use super::{binary, from_bits, to_bits};
    use heapwise_ir::{BinaryOperator, FloatType, Target};

    #[test]
    fn what_a_wider_type_may_hold_is_not_said() {
        let of = |operator, float, target, left, right| binary(operator, float, target, left, right);
        let (add, divide, multiply) = (BinaryOperator::Add, BinaryOperator::Divide, BinaryOperator::Multiply);
        let tiny = 2f64.powi(-700);
        assert_eq!(of(multiply, FloatType::Extended, Target::LP64, tiny, tiny), None);
        assert_eq!(of(multiply, FloatType::Double, Target::LP64, tiny, tiny), Some(0.0));
        assert_eq!(of(multiply, FloatType::Double, Target::ILP32, tiny, tiny), None);
        assert_eq!(of(multiply, FloatType::Extended, Target::LP64, 0.0, tiny), Some(0.0));
        assert_eq!(of(divide, FloatType::Double, Target::LP64, 1.0, 3.0), Some(1.0 / 3.0));
        assert_eq!(of(divide, FloatType::Double, Target::ILP32, 1.0, 3.0), None);
        assert_eq!(of(divide, FloatType::Double, Target::ILP32, 1.0, 4.0), Some(0.25));
        assert_eq!(of(add, FloatType::Single, Target::ILP32, 16_777_216.0, 1.0), None);
        assert_eq!(of(add, FloatType::Single, Target::LP64, 16_777_216.0, 1.0), Some(16_777_216.0));
        assert_eq!(of(add, FloatType::Single, Target::ILP32, 1.5, 1.25), Some(2.75));
        assert_eq!(of(add, FloatType::Double, Target::ILP32, f64::INFINITY, 1.0), Some(f64::INFINITY));
    }

    #[test]
    fn wide_types_keep_every_double() {
        for value in [0.0, -0.0, 1.0, -1.5, 1e300, 5e-324, f64::MAX, f64::INFINITY, 0.1] {
            for float in [FloatType::Double, FloatType::Extended, FloatType::Quad] {
                if value.is_infinite() && float == FloatType::Quad {
                    continue;
                }
                let back = from_bits(to_bits(value, float), float);
                assert_eq!(back.map(f64::to_bits), Some(value.to_bits()), "{value} as {float:?}");
            }
        }
        // 1.0L on x87: exponent 0x3fff, explicit leading one.
        assert_eq!(to_bits(1.0, FloatType::Extended), 0x3fff_8000_0000_0000_0000);
    }
}
