//! The `scanf` family: what the conversions write is input.

use crate::access::{Access, FillValue};
use crate::chooser::Question;
use crate::inputs::{Doubt, PointersInside};
use crate::machine::{Executor, Step};
use crate::value::Value;
use heapwise_engine::reason::{GapReason, InputGap, LibraryGap};
use heapwise_engine::{Answer, ChoiceQuestion, InputSource};

impl Executor<'_, '_> {
    /// Writes input through the arguments that the format names: through all of them, or only the first ones, or none
    /// where the input ends at once. The result says through how many.
    pub(crate) fn scan(&mut self, name: &str, arguments: &[Value], format: usize, doubt: Doubt) -> Step<Value> {
        let Some(text) = arguments.get(format) else { return Ok(Value::ZERO) };
        let text = self.read_string(name, *text, u64::MAX)?;
        // A text that nobody has looked at yet says what it likes.
        let doubt = match (doubt, arguments.first().copied()) {
            (Doubt::Some, Some(source @ Value::Pointer(_))) if format > 0 => {
                let (object, offset) = self.locate(source, 1, Access::Read)?;
                self.take_unread_text(object, offset).map_or(Doubt::Some, |_| Doubt::None)
            }
            (doubt, _) => doubt,
        };
        let n_targets = arguments.len() - format - 1;
        let counts: Vec<Answer> = (-1..=n_targets as i128).rev().map(Answer::Integer).collect();
        let question = ChoiceQuestion::Input(InputSource::Conversions(name.to_owned()));
        let n_missing = self.ask(Question::Input, question, &counts)?;
        self.state.doubtful |= doubt == Doubt::Some;
        let mut n_left = n_targets.saturating_sub(n_missing);
        // `%n` stores, and is no conversion that counts.
        let mut n_converted = 0;
        let n_wanted = n_left;
        let mut targets = arguments[format + 1..].iter();
        let mut rest = text.as_slice();
        while let Some(start) = rest.iter().position(|byte| *byte == b'%') {
            rest = &rest[start + 1..];
            let is_skipped = rest.first() == Some(&b'*');
            let n_digits = rest.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'*').count();
            let width: Option<u64> =
                std::str::from_utf8(&rest[..n_digits]).ok().and_then(|digits| digits.trim_matches('*').parse().ok());
            rest = &rest[n_digits..];
            let n_length = rest.iter().take_while(|byte| b"hlqjztL".contains(byte)).count();
            let length = &rest[..n_length];
            let Some(letter) = rest.get(n_length).copied() else { break };
            rest = &rest[n_length + 1..];
            if letter == b'[' {
                // A `]` right behind the `[` (or `[^`) is part of the set.
                let skip = if rest.first() == Some(&b'^') { 2 } else { 1 };
                let end =
                    rest.iter().skip(skip).position(|byte| *byte == b']').map_or(rest.len(), |end| end + skip + 1);
                rest = &rest[end.min(rest.len())..];
            }
            if letter == b'%' || is_skipped {
                continue;
            }
            let Some(target) = targets.next() else {
                return self.gap(GapReason::library(name, LibraryGap::FewArguments));
            };
            if n_left == 0 {
                continue;
            }
            n_left -= 1;
            n_converted += i128::from(letter != b'n');
            match letter {
                b'm' | b'S' | b'C' => return self.gap(GapReason::library(name, LibraryGap::ReadsText)),
                b's' | b'[' | b'c' if length.contains(&b'l') => {
                    return self.gap(GapReason::library(name, LibraryGap::ReadsWideText));
                }
                b's' | b'[' => self.scan_text(name, *target, width, doubt)?,
                b'c' => self.scan_bytes(name, *target, width.unwrap_or(1), doubt)?,
                b'f' | b'e' | b'g' | b'a' | b'F' | b'E' | b'G' | b'A' => {
                    let size = match length {
                        b"l" => 8,
                        b"L" => 16,
                        _ => 4,
                    };
                    self.scan_bytes(name, *target, size, doubt)?;
                }
                b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'p' | b'n' => {
                    let size = match length {
                        b"hh" => 1,
                        b"h" => 2,
                        b"" => {
                            if letter == b'p' {
                                8
                            } else {
                                4
                            }
                        }
                        _ => 8,
                    };
                    self.scan_bytes(name, *target, size, doubt)?;
                }
                other => {
                    return self.gap(GapReason::library(name, LibraryGap::Conversion { letter: other }));
                }
            }
        }
        let is_at_end = n_wanted == 0 && n_missing == n_targets + 1;
        Ok(Value::Int(if is_at_end { -1 } else { n_converted }))
    }

    fn scan_bytes(&mut self, name: &str, target: Value, len: u64, doubt: Doubt) -> Step<()> {
        let input = self.add_call_input(name, doubt, PointersInside::Opaque);
        self.fill_bytes(target, len, FillValue::Any(input))
    }

    /// Any text that fits the width (or, without one, the object), with its NUL.
    fn scan_text(&mut self, name: &str, target: Value, width: Option<u64>, doubt: Doubt) -> Step<()> {
        let room = self.rest_of(target)?;
        if width.is_none() {
            self.incomplete(InputGap::LongText);
        }
        let len = width.map_or(room, |width| width + 1);
        self.scan_bytes(name, target, len, doubt)?;
        match len {
            0 => Ok(()),
            len => self.write_text(target, len - 1, &[0]),
        }
    }
}
