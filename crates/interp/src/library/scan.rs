//! The `scanf` family: what the conversions write is input, as far as the format lets it through.

use crate::access::{Access, FillValue};
use crate::chooser::Question;
use crate::constraints::ByteSet;
use crate::inputs::{Among, Arrival, Doubt, PointersInside};
use crate::integer;
use crate::machine::{Executor, Step};
use crate::value::Value;
use heapwise_engine::reason::{GapReason, LibraryGap};
use heapwise_engine::{Answer, ChoiceQuestion, InputSource};
use heapwise_ir::IntType;

/// One conversion of a format, and whether other text stands before it.
struct Conversion {
    letter: u8,
    width: Option<u64>,
    /// `hh`, `l` …
    length: Vec<u8>,
    /// The members of `[set]`.
    set: ByteSet,
    is_skipped: bool,
    is_behind_text: bool,
}

/// All bytes but the six that are white space, and NUL.
const WORD: ByteSet = {
    let white: u64 = 1 << 9 | 1 << 10 | 1 << 11 | 1 << 12 | 1 << 13 | 1 << 32;
    [!(white | 1), !0, !0, !0]
};

/// The conversions of a format, as far as they can be read: a format that ends within one has it as the last.
fn conversions(mut rest: &[u8]) -> Vec<Conversion> {
    let mut found = Vec::new();
    while let Some(start) = rest.iter().position(|byte| *byte == b'%') {
        let is_behind_text = rest[..start].iter().any(|byte| !byte.is_ascii_whitespace());
        rest = &rest[start + 1..];
        let is_skipped = rest.first() == Some(&b'*');
        rest = &rest[usize::from(is_skipped)..];
        let n_digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let width = std::str::from_utf8(&rest[..n_digits]).ok().and_then(|digits| digits.parse().ok());
        rest = &rest[n_digits..];
        let n_length = rest.iter().take_while(|byte| b"hlqjztL".contains(byte)).count();
        let length = rest[..n_length].to_vec();
        let Some(letter) = rest.get(n_length).copied() else { break };
        rest = &rest[n_length + 1..];
        let mut set = WORD;
        if letter == b'[' {
            let (members, after) = members(rest);
            (set, rest) = (members, after);
        }
        found.push(Conversion { letter, width, length, set, is_skipped, is_behind_text });
    }
    found
}

/// The members of `[set]`, and what follows it. A `]` right behind the `[` (or `[^`) is a member.
fn members(text: &[u8]) -> (ByteSet, &[u8]) {
    let (is_negated, text) = match text.strip_prefix(b"^") {
        Some(after) => (true, after),
        None => (false, text),
    };
    let end = text.iter().skip(1).position(|byte| *byte == b']').map_or(text.len(), |end| end + 1);
    let (inside, after) = (&text[..end], text.get(end + 1..).unwrap_or_default());
    let mut set = [0u64; 4];
    let mut add = |byte: u8| set[usize::from(byte) / 64] |= 1 << (byte % 64);
    let mut at = 0;
    while at < inside.len() {
        match inside[at..] {
            [low, b'-', high, ..] if low <= high => {
                (low..=high).for_each(&mut add);
                at += 3;
            }
            [byte, ..] => {
                add(byte);
                at += 1;
            }
            [] => break,
        }
    }
    if is_negated {
        set.iter_mut().for_each(|bits| *bits = !*bits);
    }
    set[0] &= !1;
    (set, after)
}

/// What a number of so many characters lies between, where that is less than its type has. `Err`: it is not said here.
fn number_range(letter: u8, width: Option<u64>, int: IntType) -> Result<Option<(i128, i128)>, ()> {
    const WIDEST: u64 = 18;
    let range = match (letter, width) {
        (b'p' | b'n', _) => return Err(()),
        (_, None) => return Ok(None),
        (_, Some(width)) if width > WIDEST => return Ok(None),
        (b'd' | b'i', Some(width)) => {
            let most = 10i128.pow(width as u32) - 1;
            (-(most / 10), most)
        }
        (b'x' | b'X', Some(1)) => (0, 15),
        (b'o', Some(1)) => (0, 7),
        (b'u', Some(1)) => (0, 9),
        // A sign makes large numbers of small ones.
        (_, Some(_)) => return Err(()),
    };
    let (least, greatest) = integer::range(int);
    Ok((range.0 >= least && range.1 <= greatest).then_some(range))
}

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
        let conversions = conversions(&text);
        let counts = |conversion: &&Conversion| !conversion.is_skipped && !b"%n".contains(&conversion.letter);
        let n_counting = conversions.iter().filter(counts).count();
        // A word or a character is there unless the input has ended.
        let needs_end = conversions.first().is_some_and(|first| {
            !first.is_behind_text && !first.is_skipped && matches!(first.letter, b'c' | b's') && doubt == Doubt::None
        });
        let results: Vec<i128> =
            (-1..=n_counting as i128).rev().filter(|result| *result != 0 || !needs_end || n_counting == 0).collect();
        let answers: Vec<Answer> = results.iter().copied().map(Answer::Integer).collect();
        let question = ChoiceQuestion::Input(InputSource::Conversions(name.to_owned()));
        let result = results[self.ask(Question::Input, question, &answers)?];
        self.state.doubtful |= doubt == Doubt::Some;
        let mut n_left = result.max(0);
        let mut has_failed = false;
        let mut targets = arguments[format + 1..].iter();
        for conversion in &conversions {
            if conversion.letter == b'%' || conversion.is_skipped {
                continue;
            }
            let Some(target) = targets.next() else {
                return self.gap(GapReason::library(name, LibraryGap::FewArguments));
            };
            if conversion.letter == b'n' {
                // It stores as soon as it is reached; what stands before it may not have matched.
                let is_reached = !has_failed && result >= 0 && {
                    let open = [Answer::Integer(1), Answer::Integer(0)];
                    let options = if conversion.is_behind_text { &open[..] } else { &open[..1] };
                    self.ask(Question::Input, ChoiceQuestion::Input(InputSource::Unspecified), options)? == 0
                };
                if is_reached {
                    self.scan_value(name, *target, conversion, doubt)?;
                }
                continue;
            }
            if n_left == 0 {
                has_failed = true;
                continue;
            }
            n_left -= 1;
            self.scan_value(name, *target, conversion, doubt)?;
        }
        Ok(Value::Int(result))
    }

    fn scan_value(&mut self, name: &str, target: Value, conversion: &Conversion, doubt: Doubt) -> Step<()> {
        let Conversion { letter, width, length, set, .. } = conversion;
        match letter {
            b'm' | b'S' | b'C' => self.gap(GapReason::library(name, LibraryGap::ReadsText)),
            b's' | b'[' | b'c' if length.contains(&b'l') => {
                self.gap(GapReason::library(name, LibraryGap::ReadsWideText))
            }
            b's' | b'[' => self.scan_text(name, target, *width, *set, doubt),
            b'c' => self.scan_bytes(name, target, width.unwrap_or(1), doubt, Among::Anything),
            b'f' | b'e' | b'g' | b'a' | b'F' | b'E' | b'G' | b'A' => {
                let size = match length.as_slice() {
                    b"l" => 8,
                    b"L" => 16,
                    _ => 4,
                };
                self.scan_bytes(name, target, size, doubt, Among::Anything)
            }
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'p' | b'n' => {
                let bytes: u8 = match length.as_slice() {
                    b"hh" => 1,
                    b"h" => 2,
                    b"" if *letter == b'p' => 8,
                    b"" => 4,
                    _ => 8,
                };
                let int = match letter {
                    b'd' | b'i' | b'n' => IntType::Signed(bytes),
                    _ => IntType::Unsigned(bytes),
                };
                let (among, doubt) = match number_range(*letter, *width, int) {
                    Ok(Some((low, high))) => (Among::Number { bytes: u64::from(bytes), low, high }, doubt),
                    Ok(None) => (Among::Anything, doubt),
                    Err(()) if *letter == b'n' => {
                        let high = integer::range(int).1;
                        (Among::Number { bytes: u64::from(bytes), low: 0, high }, Doubt::Some)
                    }
                    Err(()) => (Among::Anything, Doubt::Some),
                };
                self.scan_bytes(name, target, u64::from(bytes), doubt, among)
            }
            other => self.gap(GapReason::library(name, LibraryGap::Conversion { letter: *other })),
        }
    }

    fn scan_bytes(&mut self, name: &str, target: Value, len: u64, doubt: Doubt, among: Among) -> Step<()> {
        let input = self.add_call_input(name, doubt, PointersInside::Opaque);
        self.set_among(input, among);
        self.fill_bytes(target, len, FillValue::Any(input))
    }

    /// A text of these bytes, not empty, with its NUL; without a width it may be longer than the object.
    fn scan_text(&mut self, name: &str, target: Value, width: Option<u64>, set: ByteSet, doubt: Doubt) -> Step<()> {
        let input = self.add_call_input(name, doubt, PointersInside::Opaque);
        let len = match width {
            Some(width) => width.saturating_add(1),
            None => {
                let room = self.rest_of(target)?;
                // Whether it goes on behind the object.
                let options = [Answer::Integer(0), Answer::Integer(i128::from(b'a'))];
                let is_long = match self.writer_of(input) {
                    Some(writer) => {
                        let source = InputSource::Bytes { writer, offset: room };
                        self.ask(Question::Input, ChoiceQuestion::Input(source), &options)? == 1
                    }
                    None => false,
                };
                if is_long {
                    self.state.doubtful |= doubt == Doubt::Some;
                    self.locate(target, room + 1, Access::Write)?;
                }
                room
            }
        };
        if len == 0 {
            return Ok(());
        }
        let limit = u32::try_from(len - 1).unwrap_or(u32::MAX);
        self.set_among(input, Among::Bytes(set));
        self.set_arrival(input, Arrival::Text { limit, kept_from: None }, target, len)?;
        self.fill_bytes(target, len, FillValue::Any(input))
    }
}
