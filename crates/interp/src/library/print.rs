//! The `printf` family.

use crate::access::Access;
use crate::machine::{Executor, Step};
use crate::value::{Scalar, Value};
use heapwise_engine::Kind;
use heapwise_engine::reason::{GapReason, LibraryGap};
use heapwise_ir::{ExternEffects, FloatType, Format, FormatLanguage, IntType};
use std::rc::Rc;

/// Where arguments come from.
enum Arguments<'a> {
    /// The call itself.
    Values(std::slice::Iter<'a, Value>),
    /// A `va_list`: x86-64's `__va_list_tag`, which is behind a pointer and moves on for the caller too.
    List(Value),
    /// A `va_list` of i386: a pointer to the next argument, by value.
    Next(Value),
}

/// One conversion of a format.
struct Conversion {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    length: Length,
    letter: u8,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    Char,
    Short,
    Int,
    Long,
    LongLong,
    LongDouble,
}

/// Where text goes.
enum Target {
    Stream(Value),
    Memory(Value, Option<u64>),
}

impl Executor<'_, '_> {
    pub(crate) fn print_function(&mut self, name: &str, arguments: &[Value], result: Scalar) -> Step<Option<Value>> {
        let standard_output = self.standard_stream("stdout");
        match (name, arguments) {
            ("putchar" | "putchar_unlocked", [byte]) => self.put_byte(name, *byte, standard_output).map(Some),
            ("putc" | "fputc" | "_IO_putc", [byte, stream]) => self.put_byte(name, *byte, *stream).map(Some),
            ("puts", [text]) => {
                if self.state.output.is_none() {
                    self.check_text(name, *text, u64::MAX)?;
                    return Ok(None);
                }
                let mut text = self.read_string(name, *text, u64::MAX)?;
                text.push(b'\n');
                self.put(standard_output, &text);
                Ok(Some(Value::Int(text.len() as i128)))
            }
            ("fputs", [text, stream]) => {
                if self.state.output.is_none() {
                    self.check_text(name, *text, u64::MAX)?;
                    return Ok(None);
                }
                let text = self.read_string(name, *text, u64::MAX)?;
                self.put(*stream, &text);
                Ok(Some(Value::Int(1)))
            }
            ("fwrite", [data, size, count, stream]) => {
                let (size, count) = (self.size_argument(name, *size)?, self.size_argument(name, *count)?);
                let bytes = size.saturating_mul(count);
                if bytes > 0 {
                    self.locate(*data, bytes, Access::Read)?;
                }
                if self.state.output.is_none() {
                    return Ok(None);
                }
                let text = self.read_exactly(name, *data, bytes)?;
                self.put(*stream, &text);
                Ok(Some(Value::Int(i128::from(count))))
            }
            ("fflush", [_]) => Ok(Some(Value::ZERO)),
            ("perror", [text]) => {
                if *text != Value::ZERO {
                    self.check_text(name, *text, u64::MAX)?;
                }
                Ok(Some(Value::ZERO))
            }
            ("printf", [format, rest @ ..]) => {
                self.print(name, Target::Stream(standard_output), *format, Arguments::Values(rest.iter()), result)
            }
            ("fprintf", [stream, format, rest @ ..]) => {
                self.print(name, Target::Stream(*stream), *format, Arguments::Values(rest.iter()), result)
            }
            ("sprintf", [to, format, rest @ ..]) => {
                self.print(name, Target::Memory(*to, None), *format, Arguments::Values(rest.iter()), result)
            }
            ("snprintf", [to, size, format, rest @ ..]) => {
                let size = self.size_argument(name, *size)?;
                self.print(name, Target::Memory(*to, Some(size)), *format, Arguments::Values(rest.iter()), result)
            }
            ("vprintf", [format, list]) => {
                self.print(name, Target::Stream(standard_output), *format, self.argument_list(*list), result)
            }
            ("vfprintf", [stream, format, list]) => {
                self.print(name, Target::Stream(*stream), *format, self.argument_list(*list), result)
            }
            ("vsprintf", [to, format, list]) => {
                self.print(name, Target::Memory(*to, None), *format, self.argument_list(*list), result)
            }
            ("vsnprintf", [to, size, format, list]) => {
                let size = self.size_argument(name, *size)?;
                self.print(name, Target::Memory(*to, Some(size)), *format, self.argument_list(*list), result)
            }
            _ => Ok(None),
        }
    }

    /// What a function reads by its format, where the text goes to nobody who is followed (`warn`, `syslog`).
    pub(super) fn check_printed(&mut self, name: &str, effects: &ExternEffects, arguments: &[Value]) -> Step<()> {
        let Some(Format { parameter, language }) = effects.format else { return Ok(()) };
        let Some((format, rest)) = arguments.get(parameter as usize..).and_then(|from| from.split_first()) else {
            return self.gap(GapReason::library(name, LibraryGap::FewArguments));
        };
        let printed = match (language, rest) {
            (FormatLanguage::Scan, _) => return Ok(()),
            // Without a format there is nothing to print (`warn(NULL)`); whether it may be null is said elsewhere.
            (FormatLanguage::Print | FormatLanguage::PrintList, _) if *format == Value::ZERO => return Ok(()),
            (FormatLanguage::Print, rest) => Arguments::Values(rest.iter()),
            (FormatLanguage::PrintList, [list, ..]) => self.argument_list(*list),
            (FormatLanguage::PrintList, []) => return self.gap(GapReason::library(name, LibraryGap::FewArguments)),
        };
        let format = self.read_string(name, *format, u64::MAX)?;
        self.format(name, &format, printed, false).map(drop)
    }

    /// What the variable `stdout` (or `stderr`) holds.
    fn standard_stream(&self, name: &str) -> Value {
        let stream = self.machine.streams.iter().find(|(known, _)| *known == name);
        stream.map_or(Value::ZERO, |(_, object)| Value::Pointer(crate::value::Pointer { object: *object, offset: 0 }))
    }

    fn put_byte(&mut self, name: &str, byte: Value, stream: Value) -> Step<Value> {
        if self.state.output.is_none() && !byte.is_uninitialised() {
            return self.convert(byte, Scalar::Int(IntType::Signed(4)), Scalar::Int(IntType::Unsigned(1)));
        }
        let byte = self.integer_argument(name, byte)? as u8;
        self.put(stream, &[byte]);
        Ok(Value::Int(i128::from(byte)))
    }

    /// Keeps text for `stdout`; other streams are not compared.
    fn put(&mut self, stream: Value, text: &[u8]) {
        if stream == self.standard_stream("stdout")
            && let Some(output) = &mut self.state.output
        {
            Rc::make_mut(output).extend_from_slice(text);
        }
    }

    fn print(
        &mut self,
        name: &str,
        target: Target,
        format: Value,
        arguments: Arguments<'_>,
        result: Scalar,
    ) -> Step<Option<Value>> {
        // When nobody sees the text, arguments are only checked: inputs among them stay open.
        let is_wanted = match &target {
            Target::Stream(_) => self.state.output.is_some() || result != Scalar::None,
            Target::Memory(..) => true,
        };
        let format = self.read_string(name, format, u64::MAX)?;
        let text = self.format(name, &format, arguments, is_wanted)?;
        match target {
            Target::Stream(stream) => self.put(stream, &text),
            Target::Memory(to, limit) => {
                let fits = limit.map_or(text.len() as u64 + 1, |limit| limit.min(text.len() as u64 + 1));
                if fits > 0 {
                    let mut written = text[..fits as usize - 1].to_vec();
                    written.push(0);
                    self.write_text(to, 0, &written)?;
                }
            }
        }
        Ok(Some(Value::Int(text.len() as i128)))
    }

    fn format(&mut self, name: &str, format: &[u8], mut arguments: Arguments<'_>, is_wanted: bool) -> Step<Vec<u8>> {
        let mut text = Vec::new();
        let mut rest = format;
        while let Some((&byte, tail)) = rest.split_first() {
            if byte != b'%' {
                text.push(byte);
                rest = tail;
                continue;
            }
            let (conversion, tail) = self.parse_conversion(name, tail, &mut arguments)?;
            rest = tail;
            self.convert_argument(name, &conversion, &mut arguments, is_wanted, &mut text)?;
        }
        Ok(text)
    }

    fn parse_conversion<'f>(
        &mut self,
        name: &str,
        format: &'f [u8],
        arguments: &mut Arguments<'_>,
    ) -> Step<(Conversion, &'f [u8])> {
        let mut conversion = Conversion {
            left: false,
            plus: false,
            space: false,
            alternate: false,
            zero: false,
            width: 0,
            precision: None,
            length: Length::Int,
            letter: 0,
        };
        let mut at = 0;
        let byte = |at: usize| format.get(at).copied().unwrap_or(0);
        loop {
            match byte(at) {
                b'-' => conversion.left = true,
                b'+' => conversion.plus = true,
                b' ' => conversion.space = true,
                b'#' => conversion.alternate = true,
                b'0' => conversion.zero = true,
                _ => break,
            }
            at += 1;
        }
        if byte(at) == b'*' {
            let width = self.int_argument(name, arguments)?;
            conversion.left |= width < 0;
            conversion.width = width.unsigned_abs().min(1 << 16) as usize;
            at += 1;
        } else {
            (conversion.width, at) = digits(format, at);
        }
        if byte(at) == b'.' {
            at += 1;
            if byte(at) == b'*' {
                let precision = self.int_argument(name, arguments)?;
                conversion.precision = usize::try_from(precision).ok();
                at += 1;
            } else {
                let precision;
                (precision, at) = digits(format, at);
                conversion.precision = Some(precision);
            }
        }
        loop {
            conversion.length = match byte(at) {
                b'h' if conversion.length == Length::Short => Length::Char,
                b'h' => Length::Short,
                b'l' if conversion.length == Length::Long => Length::LongLong,
                b'l' | b'z' | b't' => Length::Long,
                b'q' | b'j' => Length::LongLong,
                b'L' => Length::LongDouble,
                _ => break,
            };
            at += 1;
        }
        conversion.letter = byte(at);
        if conversion.letter == 0 {
            return self.gap(GapReason::library(name, LibraryGap::FormatEnds));
        }
        Ok((conversion, &format[at + 1..]))
    }

    fn int_argument(&mut self, name: &str, arguments: &mut Arguments<'_>) -> Step<i128> {
        let value = self.next_argument(name, arguments, Scalar::Int(IntType::Signed(4)))?;
        self.integer_argument(name, value)
    }

    fn next_argument(&mut self, name: &str, arguments: &mut Arguments<'_>, scalar: Scalar) -> Step<Value> {
        let value = match arguments {
            Arguments::Values(values) => match values.next() {
                Some(value) => *value,
                None => return self.gap(GapReason::library(name, LibraryGap::FewArguments)),
            },
            Arguments::List(list) => {
                let pointer = self.machine.pointer_scalar();
                let tag = self.add_bytes(*list, 8)?;
                let (tag, offset) = self.locate(tag, pointer.bytes(), Access::Read)?;
                let area = self.load_at(tag, offset, pointer)?;
                let (value, next) = self.listed_argument(area, scalar)?;
                self.write_value(tag, offset, pointer, next)?;
                value
            }
            Arguments::Next(area) => {
                let (value, next) = self.listed_argument(*area, scalar)?;
                *area = next;
                value
            }
        };
        if value.is_uninitialised() {
            return self.error(Kind::Uninitialised, format!("an uninitialised value is passed to `{name}`"), None);
        }
        Ok(value)
    }

    /// An argument of a `va_list`, and where the next one is.
    fn listed_argument(&mut self, area: Value, scalar: Scalar) -> Step<(Value, Value)> {
        let (slot, offset) = self.locate(area, scalar.bytes(), Access::Read)?;
        let value = self.load_at(slot, offset, scalar)?;
        let next = self.add_bytes(area, i128::from(scalar.bytes().next_multiple_of(8)))?;
        Ok((value, next))
    }

    /// What a function that takes a `va_list` is given.
    fn argument_list(&self, list: Value) -> Arguments<'static> {
        if self.machine.word_bytes() == 8 { Arguments::List(list) } else { Arguments::Next(list) }
    }

    fn convert_argument(
        &mut self,
        name: &str,
        conversion: &Conversion,
        arguments: &mut Arguments<'_>,
        is_wanted: bool,
        text: &mut Vec<u8>,
    ) -> Step<()> {
        match conversion.letter {
            b'%' => text.push(b'%'),
            // What `errno` says, in words that nobody sees.
            b'm' if !is_wanted => {}
            b's' | b'c' if conversion.length == Length::Long => {
                return self.gap(GapReason::library(name, LibraryGap::ReadsWideText));
            }
            letter @ (b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c') => {
                let is_signed = matches!(letter, b'd' | b'i');
                let bytes = match conversion.length {
                    Length::Char => 1,
                    Length::Short => 2,
                    Length::Int => 4,
                    Length::Long => self.machine.word_bytes(),
                    Length::LongLong | Length::LongDouble => 8,
                };
                let int = if is_signed { IntType::Signed(bytes) } else { IntType::Unsigned(bytes) };
                let passed = if bytes == 8 { IntType::Signed(8) } else { IntType::Signed(4) };
                let value = self.next_argument(name, arguments, Scalar::Int(passed))?;
                if !is_wanted {
                    return Ok(());
                }
                let value = self.integer(value)?;
                if letter == b'c' {
                    pad(text, conversion, vec![value as u8]);
                } else {
                    format_integer(text, conversion, crate::integer::wrap(value, int));
                }
            }
            b's' => {
                let pointer = self.next_argument(name, arguments, self.machine.pointer_scalar())?;
                let limit = conversion.precision.map_or(u64::MAX, |precision| precision as u64);
                let string = match pointer {
                    // glibc prints this; other libraries crash.
                    Value::Int(0) => {
                        return self.error(Kind::NullDereference, format!("`{name}` gets NULL for %s"), None);
                    }
                    pointer if !is_wanted => {
                        return self.check_text(name, pointer, limit);
                    }
                    pointer => self.read_string(name, pointer, limit)?,
                };
                pad(text, conversion, string);
            }
            b'p' => {
                let pointer = self.next_argument(name, arguments, self.machine.pointer_scalar())?;
                if is_wanted {
                    let shown = match pointer {
                        Value::Int(0) => "(nil)".to_owned(),
                        pointer => format!("{:#x}", self.integer(pointer)?),
                    };
                    pad(text, conversion, shown.into_bytes());
                }
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' => {
                let float =
                    if conversion.length == Length::LongDouble { FloatType::Extended } else { FloatType::Double };
                match self.next_argument(name, arguments, Scalar::Float(float))? {
                    Value::Float(value) => format_float(text, conversion, value),
                    _ => return self.gap(GapReason::library(name, LibraryGap::NoFloat)),
                }
            }
            other => {
                return self.gap(GapReason::library(name, LibraryGap::Conversion { letter: other }));
            }
        }
        Ok(())
    }
}

fn digits(format: &[u8], mut at: usize) -> (usize, usize) {
    let mut number = 0usize;
    while let Some(digit) = format.get(at).filter(|byte| byte.is_ascii_digit()) {
        number = (number * 10 + usize::from(digit - b'0')).min(1 << 16);
        at += 1;
    }
    (number, at)
}

fn pad(text: &mut Vec<u8>, conversion: &Conversion, shown: Vec<u8>) {
    let missing = conversion.width.saturating_sub(shown.len());
    if conversion.left {
        text.extend(shown);
        text.extend(std::iter::repeat_n(b' ', missing));
    } else {
        text.extend(std::iter::repeat_n(b' ', missing));
        text.extend(shown);
    }
}

/// Pads a number: zeros go between its prefix (sign, `0x`) and its digits.
fn pad_number(text: &mut Vec<u8>, conversion: &Conversion, prefix: &str, digits: &str, may_zero: bool) {
    let length = prefix.len() + digits.len();
    let zeros =
        if conversion.zero && !conversion.left && may_zero { conversion.width.saturating_sub(length) } else { 0 };
    let shown = format!("{prefix}{}{digits}", "0".repeat(zeros));
    pad(text, conversion, shown.into_bytes());
}

fn sign_prefix(conversion: &Conversion, is_negative: bool) -> &'static str {
    match (is_negative, conversion.plus, conversion.space) {
        (true, _, _) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        (false, false, false) => "",
    }
}

fn format_integer(text: &mut Vec<u8>, conversion: &Conversion, value: i128) {
    let mut digits = match conversion.letter {
        b'x' => format!("{value:x}"),
        b'X' => format!("{value:X}"),
        b'o' => format!("{value:o}"),
        _ => value.unsigned_abs().to_string(),
    };
    if value == 0 && conversion.precision == Some(0) {
        digits.clear();
    }
    if let Some(precision) = conversion.precision {
        digits.insert_str(0, &"0".repeat(precision.saturating_sub(digits.len())));
    }
    let prefix = match conversion.letter {
        b'd' | b'i' => sign_prefix(conversion, value < 0),
        b'x' if conversion.alternate && value != 0 => "0x",
        b'X' if conversion.alternate && value != 0 => "0X",
        b'o' if conversion.alternate && !digits.starts_with('0') => "0",
        _ => "",
    };
    pad_number(text, conversion, prefix, &digits, conversion.precision.is_none());
}

fn format_float(text: &mut Vec<u8>, conversion: &Conversion, value: f64) {
    let prefix = sign_prefix(conversion, value.is_sign_negative());
    let magnitude = value.abs();
    let is_upper = conversion.letter.is_ascii_uppercase();
    if !value.is_finite() {
        let shown = if value.is_nan() { "nan" } else { "inf" };
        let shown = if is_upper { shown.to_uppercase() } else { shown.to_owned() };
        return pad_number(text, conversion, prefix, &shown, false);
    }
    let precision = conversion.precision.unwrap_or(6);
    let mut shown = match conversion.letter.to_ascii_lowercase() {
        b'f' => fixed(magnitude, precision, conversion.alternate),
        b'e' => exponential(magnitude, precision, conversion.alternate),
        _ => general(magnitude, precision.max(1), conversion.alternate),
    };
    if is_upper {
        shown = shown.to_uppercase();
    }
    pad_number(text, conversion, prefix, &shown, true);
}

fn fixed(value: f64, precision: usize, keep_point: bool) -> String {
    let shown = format!("{value:.precision$}");
    if precision == 0 && keep_point { shown + "." } else { shown }
}

fn exponential(value: f64, precision: usize, keep_point: bool) -> String {
    let shown = format!("{value:.precision$e}");
    let (mantissa, exponent) = shown.split_once('e').unwrap_or((&shown, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let point = if precision == 0 && keep_point { "." } else { "" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}{point}e{sign}{:02}", exponent.abs())
}

fn general(value: f64, precision: usize, keep_zeros: bool) -> String {
    let scientific = exponential(value, precision - 1, false);
    let exponent: i32 = scientific.rsplit_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    if exponent < -4 || exponent >= precision as i32 {
        let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "+00"));
        let mantissa = if keep_zeros { mantissa } else { trim_zeros(mantissa) };
        return format!("{mantissa}e{exponent}");
    }
    let shown = fixed(value, (precision as i32 - 1 - exponent).max(0) as usize, keep_zeros);
    if keep_zeros { shown } else { trim_zeros(&shown).to_owned() }
}

fn trim_zeros(shown: &str) -> &str {
    if shown.contains('.') { shown.trim_end_matches('0').trim_end_matches('.') } else { shown }
}
