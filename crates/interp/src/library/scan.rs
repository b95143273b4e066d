//! The `scanf` family: what the conversions write is input, as far as the format lets it through.

use super::streams::Turn;
use crate::access::{Access, FillValue};
use crate::chooser::Question;
use crate::constraints::ByteSet;
use crate::inputs::{Among, Arrival, Doubt, PointersInside};
use crate::integer;
use crate::machine::{Executor, Step};
use crate::value::Value;
use heapwise_engine::reason::{GapReason, LibraryGap};
use heapwise_engine::{Answer, ChoiceQuestion, InputSource};
use heapwise_ir::format::{ALL, Before, ScanConversion, Scanned, scan_conversions, without};
use heapwise_ir::{FloatType, IntType, Target};

/// What a number of so many characters lies between, where that is less than its type has. `Err`: it is not said here.
fn number_range(letter: u8, width: Option<u64>, int: IntType) -> Result<Option<(i128, i128)>, ()> {
    const WIDEST: u64 = 18;
    let range = match (letter, width) {
        (b'p', _) => return Err(()),
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

/// A text that is scanned for several things has room for each of them if it has so many characters per conversion.
const AMPLE: u64 = 32;

/// What conversions take characters from.
struct ScanSource {
    doubt: Doubt,
    /// How many characters there are at most.
    room: u64,
    /// What the next one is among, where an earlier call says it.
    next: Option<ByteSet>,
}

/// What a character that is read begins with: it fits the conversion, and what stands before it in the format left it there.
fn first_byte(conversion: &ScanConversion, set: &ByteSet, source: &ScanSource) -> (ByteSet, Doubt) {
    let doubt = source.doubt;
    match (conversion.before, source.next) {
        // `%s` passes over white space itself, so nothing was left behind.
        _ if conversion.letter == b's' => (*set, doubt),
        // What an earlier call left there.
        (Before::Text, Some(next)) if !conversion.is_behind_text => match without(set, &without(&ALL, &next)) {
            [0, 0, 0, 0] => (*set, Doubt::Some),
            first => (first, doubt),
        },
        (before, _) => first_byte_behind(before, set, doubt),
    }
}

fn first_byte_behind(before: Before, set: &ByteSet, doubt: Doubt) -> (ByteSet, Doubt) {
    match before {
        Before::Text | Before::Counted => (*set, doubt),
        Before::Leaves(left) => match without(set, &without(&ALL, &left)) {
            // It never matches.
            [0, 0, 0, 0] => (*set, Doubt::Some),
            first => (first, doubt),
        },
        Before::Open => (*set, Doubt::Some),
    }
}

impl Executor<'_, '_> {
    /// Writes input through the arguments that the format names: through all of them, or only the first ones, or none
    /// where the input ends at once. The result says through how many.
    pub(crate) fn scan(
        &mut self,
        name: &str,
        arguments: &[Value],
        format: usize,
        doubt: Doubt,
        turn: Turn,
    ) -> Step<Value> {
        let Some(text) = arguments.get(format) else { return Ok(Value::ZERO) };
        let text = self.read_string(name, *text, u64::MAX)?;
        let Some(conversions) = scan_conversions(&text) else {
            return self.gap(GapReason::library(name, LibraryGap::UnknownFormat));
        };
        let n_counting = conversions.iter().filter(|conversion| conversion.is_counted()).count();
        // A text that nobody has looked at yet says what it likes, as far as it goes.
        let (doubt, room) = match (doubt, arguments.first().copied()) {
            (Doubt::Some, Some(source @ Value::Pointer(_))) if format > 0 => {
                let (object, offset) = self.locate(source, 1, Access::Read)?;
                match self.take_unread_text(object, offset) {
                    Some(length) if n_counting <= 1 || length >= AMPLE * n_counting as u64 => (Doubt::None, length),
                    Some(length) => (Doubt::Some, length),
                    None => (Doubt::Some, u64::MAX),
                }
            }
            (doubt, _) => (doubt, u64::MAX),
        };
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
        let mut source = ScanSource { doubt, room, next: turn.first() };
        let mut n_left = result.max(0);
        let mut has_failed = false;
        // Whether something stands before that may not have matched, though nothing is counted there.
        let mut may_have_failed = false;
        let mut targets = arguments[format + 1..].iter();
        for (index, conversion) in conversions.iter().enumerate() {
            source.next = source.next.filter(|_| index == 0);
            let scanned = conversion.stores(self.machine.program.target);
            may_have_failed |= conversion.is_behind_text;
            if scanned == Scanned::Nothing {
                may_have_failed = true;
                continue;
            }
            let Some(target) = targets.next() else {
                return self.gap(GapReason::library(name, LibraryGap::FewArguments));
            };
            if let Scanned::Count(_) = scanned {
                // It stores as soon as it is reached, also where the input ends behind it. What stands before it has matched if
                // a conversion behind it succeeds.
                let is_reached = !has_failed && {
                    let open = [Answer::Integer(1), Answer::Integer(0)];
                    let options = if may_have_failed && n_left == 0 { &open[..] } else { &open[..1] };
                    self.ask(Question::Input, ChoiceQuestion::Input(InputSource::Unspecified), options)? == 0
                };
                match is_reached {
                    true => self.scan_value(name, *target, (conversion, scanned), &source)?,
                    false => has_failed = true,
                }
                may_have_failed = false;
                continue;
            }
            if n_left == 0 {
                has_failed = true;
                continue;
            }
            n_left -= 1;
            may_have_failed = false;
            self.scan_value(name, *target, (conversion, scanned), &source)?;
        }
        Ok(Value::Int(result))
    }

    fn scan_value(
        &mut self,
        name: &str,
        target: Value,
        (conversion, scanned): (&ScanConversion, Scanned),
        source: &ScanSource,
    ) -> Step<()> {
        let &ScanSource { doubt, room, .. } = source;
        // No conversion takes more characters than there are.
        let widest = match conversion.width {
            None | Some(0) if room == u64::MAX => None,
            None | Some(0) => Some(room),
            Some(width) => Some(width.min(room)),
        };
        match scanned {
            Scanned::Nothing => Ok(()),
            Scanned::Allocated => self.gap(GapReason::library(name, LibraryGap::ReadsText)),
            Scanned::WideText => self.gap(GapReason::library(name, LibraryGap::ReadsWideText)),
            Scanned::Text { .. } => {
                let (first, doubt) = first_byte(conversion, &conversion.set, source);
                // Perhaps nothing is left that fits: that it matched at all is in doubt.
                self.state.doubtful |= doubt == Doubt::Some && conversion.before != Before::Text;
                self.scan_text(name, target, (conversion.width, room), (first, conversion.set), doubt)
            }
            Scanned::Characters(count) => {
                let (first, doubt) = first_byte(conversion, &ALL, source);
                self.scan_bytes(name, target, count, doubt, Among::Bytes { first, others: ALL })
            }
            Scanned::Float(float) => {
                // A `long double` has 12 bytes on i386, and 16 on x86-64.
                let bytes = match (float, self.machine.program.target) {
                    (FloatType::Extended, Target::ILP32) => 12,
                    (float, _) => float.bytes(),
                };
                self.scan_bytes(name, target, bytes, doubt, Among::Anything)
            }
            Scanned::Count(int) => {
                let among = Among::Number { bytes: int.bytes(), low: 0, high: integer::range(int).1 };
                self.scan_bytes(name, target, int.bytes(), Doubt::Some, among)
            }
            Scanned::Integer(int) => {
                let (among, doubt) = match number_range(conversion.letter, widest, int) {
                    Ok(Some((low, high))) => (Among::Number { bytes: int.bytes(), low, high }, doubt),
                    Ok(None) => (Among::Anything, doubt),
                    Err(()) => (Among::Anything, Doubt::Some),
                };
                self.scan_bytes(name, target, int.bytes(), doubt, among)
            }
        }
    }

    fn scan_bytes(&mut self, name: &str, target: Value, len: u64, doubt: Doubt, among: Among) -> Step<()> {
        let input = self.add_call_input(name, doubt, PointersInside::Opaque);
        self.set_among(input, among);
        self.fill_bytes(target, len, FillValue::Any(input))
    }

    /// A text of these bytes, not empty, with its NUL; without a width it may be longer than the object, if there are so many characters.
    fn scan_text(
        &mut self,
        name: &str,
        target: Value,
        (width, available): (Option<u64>, u64),
        (first, others): (ByteSet, ByteSet),
        doubt: Doubt,
    ) -> Step<()> {
        let input = self.add_call_input(name, doubt, PointersInside::Opaque);
        let len = match width {
            Some(width) => width.min(available).saturating_add(1),
            None => {
                let room = self.rest_of(target)?;
                // Whether it goes on behind the object.
                let options = [Answer::Integer(0), Answer::Integer(i128::from(b'a'))];
                let is_long = match self.writer_of(input) {
                    _ if available < room => false,
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
                room.min(available.saturating_add(1))
            }
        };
        if len == 0 {
            return Ok(());
        }
        let limit = u32::try_from(len - 1).unwrap_or(u32::MAX);
        self.set_among(input, Among::Bytes { first, others });
        self.set_arrival(input, Arrival::Text { limit, kept_from: None }, target, len)?;
        self.fill_bytes(target, len, FillValue::Any(input))
    }
}
