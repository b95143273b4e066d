//! Numbers from `<stdlib.h>` and the exact part of `<math.h>`.

use crate::access::Access;
use crate::integer;
use crate::machine::{Ending, Executor, Step, Stop};
use crate::state::LibraryObject;
use crate::value::{Scalar, Term, Value};
use heapwise_engine::InputSource;
use heapwise_engine::reason::{ArithmeticGap, InputGap};
use heapwise_ir::{CompareOperator, IntType, Target};

/// `EDOM`.
const OUT_OF_DOMAIN: i128 = 33;
/// `ERANGE`.
const OUT_OF_RANGE: i128 = 34;

impl Executor<'_, '_> {
    pub(crate) fn number_function(&mut self, name: &str, arguments: &[Value]) -> Step<Option<Value>> {
        let value = match (name, arguments) {
            ("abs" | "labs" | "llabs", [value]) => {
                let value = self.integer_argument(name, *value)?;
                let int = self.result_type(name);
                Value::Int(integer::wrap(integer::wrap(value, int).wrapping_abs(), int))
            }
            ("atoi" | "atol" | "atoll", [text]) => {
                if let Some(value) = self.unread_number(name, *text)? {
                    return Ok(Some(value));
                }
                if let Some((value, _)) = self.parse_decimal(name, *text)? {
                    let int = self.result_type(name);
                    return match value {
                        Value::Symbol(term) => self.fit(term, int).map(Some),
                        value => Ok(Some(value)),
                    };
                }
                let (value, _) = self.parse_integer(name, *text, 10)?;
                // `atoi` cuts what `strtol` gives.
                let (least, greatest) = match name {
                    "atoll" => integer::range(IntType::Signed(8)),
                    _ => integer::range(IntType::Signed(self.machine.word_bytes())),
                };
                if !(least..=greatest).contains(&value) {
                    self.set_errno(OUT_OF_RANGE)?;
                }
                Value::Int(integer::wrap(value.clamp(least, greatest), self.result_type(name)))
            }
            ("strtol" | "strtoll" | "strtoul" | "strtoull" | "strtoimax" | "strtoumax", [text, end, base]) => {
                let base = self.integer_argument(name, *base)?;
                if !matches!(base, 0 | 2..=36) {
                    return self.gap(ArithmeticGap::NumberBase);
                }
                let decimal = if base == 10 { self.parse_decimal(name, *text)? } else { None };
                if let Some((value, used)) = decimal {
                    self.store_end(*end, *text, used)?;
                    return Ok(Some(value));
                }
                let (value, used) = self.parse_integer(name, *text, base as u32)?;
                self.store_end(*end, *text, used)?;
                let int = self.result_type(name);
                let (least, greatest) = integer::range(int);
                let is_unsigned = matches!(int, IntType::Unsigned(_));
                let is_out_of_range = match is_unsigned {
                    true => value.abs() > greatest,
                    false => !(least..=greatest).contains(&value),
                };
                if is_out_of_range {
                    self.set_errno(OUT_OF_RANGE)?;
                }
                Value::Int(match (is_unsigned, is_out_of_range) {
                    (true, true) => greatest,
                    (true, false) => integer::wrap(value, int),
                    (false, _) => value.clamp(least, greatest),
                })
            }
            (_, [Value::Float(value)]) => match exact_function(name, *value) {
                // On i386 it has more bits than its type.
                Some(exact)
                    if self.machine.program.target == Target::ILP32 && exact * exact != *value && is_root(name) =>
                {
                    return self.gap(ArithmeticGap::ExcessPrecision);
                }
                Some(exact) => {
                    if exact.is_nan() && !value.is_nan() {
                        self.set_errno(OUT_OF_DOMAIN)?;
                    }
                    Value::Float(exact)
                }
                None => return Ok(None),
            },
            ("fmod", [Value::Float(left), Value::Float(right)]) => {
                let rest = left % right;
                if rest.is_nan() && !left.is_nan() && !right.is_nan() {
                    self.set_errno(OUT_OF_DOMAIN)?;
                }
                Value::Float(rest)
            }
            ("fmin", [Value::Float(left), Value::Float(right)]) => Value::Float(left.min(*right)),
            ("fmax", [Value::Float(left), Value::Float(right)]) => Value::Float(left.max(*right)),
            _ => return Ok(None),
        };
        Ok(Some(value))
    }

    /// A function says why it failed.
    fn set_errno(&mut self, number: i128) -> Step<()> {
        let pointer = self.library_object(LibraryObject::ErrorNumber)?;
        let (object, offset) = self.locate(pointer, 4, Access::Write)?;
        self.write_value(object, offset, Scalar::Int(IntType::Signed(4)), Value::Int(number))
    }

    /// The type of the number that a function gives.
    fn result_type(&self, name: &str) -> IntType {
        match name {
            "abs" | "atoi" => IntType::Signed(4),
            "llabs" | "atoll" | "strtoll" | "strtoimax" => IntType::Signed(8),
            "strtoull" | "strtoumax" => IntType::Unsigned(8),
            "strtoul" => IntType::Unsigned(self.machine.word_bytes()),
            _ => IntType::Signed(self.machine.word_bytes()),
        }
    }

    /// What a text says as a number that nobody has looked at yet: any number that fits it.
    fn unread_number(&mut self, name: &str, text: Value) -> Step<Option<Value>> {
        let (object, offset) = self.locate(text, 1, Access::Read)?;
        let Some(length) = self.take_unread_text(object, offset) else { return Ok(None) };
        let (least, greatest) = integer::range(self.result_type(name));
        let most = 10i128.pow(length.min(30) as u32) - 1;
        let range = (least.max(-(most / 10)), greatest.min(most));
        self.new_input_between(range, InputSource::Result(name.to_owned())).map(Some)
    }

    /// Where a number ended.
    fn store_end(&mut self, end: Value, text: Value, used: u64) -> Step<()> {
        if end == Value::ZERO {
            return Ok(());
        }
        let stop = self.add_bytes(text, i128::from(used))?;
        let pointer = self.machine.pointer_scalar();
        let (object, offset) = self.locate(end, pointer.bytes(), Access::Write)?;
        self.write_value(object, offset, pointer, stop)
    }

    /// A decimal number in a text that is input, at its start, without a sign: which digits there are is asked, not which
    /// bytes, and the last of them stays open. `None` where it is something else, which is read byte by byte.
    fn parse_decimal(&mut self, name: &str, text: Value) -> Step<Option<(Value, u64)>> {
        const MOST_DIGITS: u64 = 3;
        let mut byte = self.look_at_byte(name, text, 0)?;
        if !matches!(byte, Value::Symbol(_)) {
            return Ok(None);
        }
        if !self.is_digit(byte)? {
            for (low, high) in [(b'-', b'-'), (b'+', b'+'), (b' ', b' '), (0x09, 0x0d)] {
                if self.is_between(byte, low, high)? {
                    return Ok(None);
                }
            }
            return Ok(Some((Value::ZERO, 0)));
        }
        let mut before: i128 = 0;
        for at in 0..MOST_DIGITS {
            let next = self.look_at_byte(name, text, at + 1)?;
            if !self.is_digit(next)? {
                let value = match self.known(byte) {
                    Value::Symbol(term) => {
                        let addend = term.addend - i64::from(b'0') + before as i64 * 10;
                        Value::Symbol(Term { addend, ..term })
                    }
                    byte => Value::Int(before * 10 + self.integer(byte)? - i128::from(b'0')),
                };
                return Ok(Some((value, at + 1)));
            }
            before = before * 10 + self.integer(byte)? - i128::from(b'0');
            byte = next;
        }
        // Longer numbers are too many.
        self.incomplete(InputGap::ManyValues);
        Err(Stop::Ended(Ending::Infeasible))
    }

    fn is_digit(&mut self, byte: Value) -> Step<bool> {
        self.is_between(byte, b'0', b'9')
    }

    fn is_between(&mut self, byte: Value, low: u8, high: u8) -> Step<bool> {
        const BYTE: Scalar = Scalar::Int(IntType::Unsigned(1));
        let reaches = self.compare(CompareOperator::GreaterEqual, BYTE, byte, Value::Int(i128::from(low)))?;
        if !self.decide_condition(reaches)? {
            return Ok(false);
        }
        let stays = self.compare(CompareOperator::LessEqual, BYTE, byte, Value::Int(i128::from(high)))?;
        self.decide_condition(stays)
    }

    /// `strtol` without its limits: the value, and how many bytes it took.
    fn parse_integer(&mut self, name: &str, text: Value, base: u32) -> Step<(i128, u64)> {
        let mut at = 0;
        let mut byte = self.read_byte(name, text, at)?;
        while byte.is_ascii_whitespace() || byte == 0x0b {
            at += 1;
            byte = self.read_byte(name, text, at)?;
        }
        let is_negative = byte == b'-';
        if matches!(byte, b'-' | b'+') {
            at += 1;
            byte = self.read_byte(name, text, at)?;
        }
        let mut base = base;
        if byte == b'0' && matches!(base, 0 | 16) {
            let next = self.read_byte(name, text, at + 1)?;
            if matches!(next, b'x' | b'X') && self.read_byte(name, text, at + 2)?.is_ascii_hexdigit() {
                base = 16;
                at += 2;
                byte = self.read_byte(name, text, at)?;
            } else if base == 0 {
                base = 8;
            }
        }
        let base = if base == 0 { 10 } else { base.clamp(2, 36) };
        let mut value: i128 = 0;
        let mut n_digits = 0;
        while let Some(digit) = char::from(byte).to_digit(base) {
            value = value.saturating_mul(i128::from(base)).saturating_add(i128::from(digit)).min(1 << 70);
            n_digits += 1;
            at += 1;
            byte = self.read_byte(name, text, at)?;
        }
        Ok(if n_digits == 0 { (0, 0) } else { (if is_negative { -value } else { value }, at) })
    }
}

fn is_root(name: &str) -> bool {
    matches!(name, "sqrt" | "sqrtf")
}

/// Functions whose result every C library agrees on to the last bit.
fn exact_function(name: &str, value: f64) -> Option<f64> {
    Some(match name {
        "sqrt" => value.sqrt(),
        "sqrtf" => f64::from((value as f32).sqrt()),
        "fabs" | "fabsf" => value.abs(),
        "floor" | "floorf" => value.floor(),
        "ceil" | "ceilf" => value.ceil(),
        "trunc" | "truncf" => value.trunc(),
        "round" | "roundf" => value.round(),
        _ => return None,
    })
}
