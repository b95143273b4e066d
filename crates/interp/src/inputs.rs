//! Bytes that come from outside: what `fgets` reads, what `getenv` points to, the program's arguments.
//!
//! Memory holds such bytes as *any* bytes with their origin: which input, and which byte of it. Nothing is decided before
//! the program looks at a byte; then it stays what it was decided to be, in every copy.

use crate::access::Access;
use crate::constraints::ByteSet;
use crate::contents::{CellValue, Loaded};
use crate::float;
use crate::heap::ObjectKind;
use crate::integer;
use crate::machine::{Executor, Step, Unasked};
use crate::value::{ObjectId, Pointer, Scalar, Value};
use heapwise_engine::reason::InputGap;
use heapwise_engine::{Answer, ChoiceQuestion, InputSource, Writer};
use heapwise_ir::{CompareOperator, IntType};
use std::rc::Rc;

const BYTE: Scalar = Scalar::Int(IntType::Unsigned(1));

/// How far storage of the library is followed.
pub(crate) const LIBRARY_SIZE: u64 = 1100;

/// Texts from outside are tried with up to so many bytes, and with those lengths that the program suggests.
pub(crate) const SHORT_TEXT: u64 = 7;

/// One input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct InputId(u32);

impl InputId {
    /// What other code writes whenever it likes: every look at it is a new input.
    pub const ELSEWHERE: InputId = InputId(u32::MAX);
}

/// Where any bytes come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Origin {
    /// The input.
    pub input: InputId,
    /// Which byte of it the first one is.
    pub first: u32,
}

impl Origin {
    /// The origin of what starts so many bytes later.
    pub fn shifted(self, by: u32) -> Origin {
        Origin { first: self.first.wrapping_add(by), ..self }
    }
}

/// A value that the program never wrote, where such uses were not asked about.
pub(crate) const NEVER_WRITTEN: InputSource = InputSource::Bytes { writer: Writer::Nobody, offset: 0 };

/// Whether a value may be what it likes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Doubt {
    /// The outside decides: any value is one that a run can have.
    None,
    /// It depends on what nobody computes here: a run that depends on the value is only possible.
    Some,
}

/// What a pointer among the bytes of an input is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum PointersInside {
    /// Null, or one that nothing is known of.
    Opaque,
    /// Null, or one to storage of the library.
    Library,
}

/// How many bytes a call read: its result, in units of so many bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Length {
    pub(crate) result: Value,
    pub(crate) unit: u64,
}

/// How much of an input came in; behind that memory is as it was.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arrival {
    /// All of it.
    All,
    /// As much as a result says.
    Counted(Length),
    /// A text with its NUL, which is at this byte at the latest.
    Text {
        limit: u32,
        /// From this byte on nothing came in, where that was decided.
        kept_from: Option<u32>,
    },
}

/// What memory held before an input was written over it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Beneath {
    /// Bytes that were never written.
    Unset,
    /// This byte.
    Bits(u8),
    /// Bytes of another input; the first of the run is this one.
    Any(Origin),
    /// Parts of values, which are not kept.
    Other,
}

/// All bytes but NUL.
pub(crate) const NOT_ZERO: ByteSet = [!1, !0, !0, !0];

/// What the bytes of an input are among.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Among {
    /// All.
    Anything,
    /// Each is one of these, a NUL at the end of a text aside.
    Bytes {
        /// What the first one is among.
        first: ByteSet,
        /// What the others are among.
        others: ByteSet,
    },
    /// So many bytes are a number in this range.
    Number { bytes: u64, low: i128, high: i128 },
    /// Between these bytes there is a text that is not empty.
    TextWithin { first: u32, last: u32 },
}

/// Bytes that were looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) offset: u32,
    len: u32,
    pub(crate) value: Value,
}

/// What is known of one input.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    writer: Writer,
    pub(crate) doubt: Doubt,
    pub(crate) pointers: PointersInside,
    /// How much of it came in.
    pub(crate) arrival: Arrival,
    /// What was there before, in runs that start at these bytes; empty where all came in.
    pub(crate) beneath: Rc<Vec<(u32, Beneath)>>,
    /// What its bytes are among.
    pub(crate) among: Among,
    /// Sorted and disjoint.
    pub(crate) seen: Vec<Seen>,
}

/// All inputs that memory still mentions.
#[derive(Clone, Default, Debug)]
pub(crate) struct Inputs {
    table: Vec<(InputId, Rc<Input>)>,
    next: u32,
    /// How many calls of library functions gave bytes.
    calls: u32,
}

impl Inputs {
    /// What is known of an input.
    pub(crate) fn get(&self, id: InputId) -> Option<&Input> {
        let index = self.table.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(&self.table[index].1)
    }

    fn get_mut(&mut self, id: InputId) -> Option<&mut Input> {
        let index = self.table.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(Rc::make_mut(&mut self.table[index].1))
    }

    /// All values that bytes were seen to have, and lengths.
    pub(crate) fn values(&self) -> impl Iterator<Item = Value> + '_ {
        let inputs = self.table.iter();
        inputs.flat_map(|(_, input)| {
            let length = match input.arrival {
                Arrival::Counted(length) => Some(length.result),
                Arrival::All | Arrival::Text { .. } => None,
            };
            input.seen.iter().map(|seen| seen.value).chain(length)
        })
    }

    /// Forgets all inputs but these, which must be sorted.
    pub(crate) fn retain(&mut self, live: &[InputId]) {
        if self.table.len() != live.len() {
            self.table.retain(|(id, _)| live.binary_search(id).is_ok());
        }
    }

    /// The value that these bytes were seen to have.
    pub(crate) fn seen(&self, origin: Origin, len: u64) -> Option<Value> {
        let mut seen = self.get(origin.input)?.seen.iter();
        seen.find(|seen| seen.offset == origin.first && u64::from(seen.len) == len).map(|seen| seen.value)
    }

    fn see(&mut self, id: InputId, new: Seen) {
        let Some(input) = self.get_mut(id) else { return };
        let at = input.seen.partition_point(|seen| seen.offset < new.offset);
        input.seen.insert(at, new);
    }
}

impl Executor<'_, '_> {
    /// New bytes that `writer` decides.
    pub(crate) fn add_input(&mut self, writer: Writer, doubt: Doubt, pointers: PointersInside) -> InputId {
        let inputs = Rc::make_mut(&mut self.state.inputs);
        let id = InputId(inputs.next);
        inputs.next += 1;
        let (arrival, among) = (Arrival::All, Among::Anything);
        let input = Input { writer, doubt, pointers, arrival, beneath: Rc::default(), among, seen: Vec::new() };
        inputs.table.push((id, Rc::new(input)));
        id
    }

    /// New bytes that a function of the library gives.
    pub(crate) fn add_call_input(&mut self, name: &str, doubt: Doubt, pointers: PointersInside) -> InputId {
        let inputs = Rc::make_mut(&mut self.state.inputs);
        let call = inputs.calls;
        inputs.calls += 1;
        self.add_input(Writer::Function { name: name.to_owned(), call }, doubt, pointers)
    }

    /// A pointer to fresh storage of the library, of which nothing is known yet.
    pub(crate) fn library_pointer(&mut self, input: InputId) -> Value {
        let object = self.state.heap.add(ObjectKind::Library, LIBRARY_SIZE, crate::contents::Fill::Any(input), None);
        // How far it goes is not known before somebody says what it is.
        self.state.heap.object_mut(object).size = 0;
        Value::Pointer(Pointer { object, offset: 0 })
    }

    /// Whether the object is storage of the library.
    pub(crate) fn is_library(&self, object: ObjectId) -> bool {
        self.state.heap.object(object).kind == ObjectKind::Library
    }

    /// What the bytes of an input are, as a scalar.
    pub(crate) fn read_input(&mut self, origin: Origin, scalar: Scalar) -> Step<Value> {
        let len = scalar.bytes() as u32;
        let Some(input) = self.state.inputs.get(origin.input) else {
            // A variable that nobody here defines: other code knows what it holds.
            let source = InputSource::Bytes { writer: Writer::Elsewhere, offset: u64::from(origin.first) };
            let value = self.nondet_scalar(scalar, source)?;
            self.doubt(value, Doubt::Some);
            return Ok(value);
        };
        let is_whole = matches!(input.arrival, Arrival::All);
        let is_among_bytes = match input.among {
            Among::Bytes { .. } => true,
            Among::TextWithin { first, .. } => first == origin.first && len == 1,
            Among::Anything | Among::Number { .. } => false,
        };
        if !is_whole && !self.arrives(origin, scalar.bytes())? {
            return self.read_beneath(origin, scalar);
        }
        let Some(input) = self.state.inputs.get(origin.input) else { return self.gap(InputGap::Forgotten) };
        let end = origin.first.saturating_add(len);
        let mut touching = input.seen.iter().filter(|seen| seen.offset < end && seen.offset + seen.len > origin.first);
        match (touching.next().copied(), scalar) {
            // Bytes that are not all bytes are decided one by one.
            (None, _) if is_among_bytes && len > 1 => self.read_input_bytes(origin, scalar),
            (None, _) => {
                let decided = if is_among_bytes { Scalar::Int(IntType::Unsigned(1)) } else { scalar };
                let value = self.decide_bytes(origin, decided)?;
                Rc::make_mut(&mut self.state.inputs).see(origin.input, Seen { offset: origin.first, len, value });
                match (value, scalar) {
                    (Value::Symbol(term), Scalar::Int(int)) if is_among_bytes => self.fit(term, int),
                    (Value::Int(byte), Scalar::Int(_)) if is_among_bytes => self.bits_as(byte as u128, scalar),
                    (value, _) => Ok(value),
                }
            }
            (Some(Seen { offset, len: known, value }), _) if (offset, known) == (origin.first, len) => {
                match (self.known(value), scalar) {
                    (Value::Symbol(term), Scalar::Int(int)) => self.fit(term, int),
                    (value @ (Value::Pointer(_) | Value::Opaque), Scalar::Int(_) | Scalar::Pointer(_)) => Ok(value),
                    (value @ Value::Float(_), Scalar::Float(_)) => Ok(value),
                    _ => self.read_input_bytes(origin, scalar),
                }
            }
            (Some(_), _) => self.read_input_bytes(origin, scalar),
        }
    }

    /// Bytes that nobody has looked at yet.
    fn decide_bytes(&mut self, origin: Origin, scalar: Scalar) -> Step<Value> {
        let Some(Input { writer, doubt, pointers, arrival, among, .. }) = self.state.inputs.get(origin.input).cloned()
        else {
            return self.gap(InputGap::Forgotten);
        };
        let is_end = matches!(arrival, Arrival::Text { limit, .. } if origin.first == limit);
        if scalar.bytes() == 1 && (is_end || self.is_behind_a_line(&writer, origin)?) {
            return Ok(Value::ZERO);
        }
        if let Among::TextWithin { first, last } = among
            && (scalar.bytes(), origin.first) == (1, last)
            && self.is_text_before(origin, first)
        {
            return Ok(Value::ZERO);
        }
        // A byte that was skipped is no newline, if more of the line came in.
        let is_line = matches!(&writer, Writer::Function { name, .. } if name == "fgets");
        let is_before = self
            .state
            .inputs
            .get(origin.input)
            .is_some_and(|input| input.seen.iter().any(|seen| seen.offset > origin.first));
        let doubt = match among {
            _ if is_line && is_before => Doubt::Some,
            Among::Number { bytes, .. } if origin.first != 0 || scalar.bytes() != bytes => Doubt::Some,
            Among::Number { .. } | Among::Anything | Among::Bytes { .. } | Among::TextWithin { .. } => doubt,
        };
        let source = InputSource::Bytes { writer, offset: u64::from(origin.first) };
        let value = match (scalar, pointers) {
            (Scalar::Pointer(_), PointersInside::Library) => {
                let question = ChoiceQuestion::Input(source);
                match self.ask(crate::chooser::Question::Input, question, &[Answer::Null, Answer::NotNull])? {
                    // Which members of a record of the library are ever null is not known.
                    0 => {
                        self.state.doubtful = true;
                        Value::ZERO
                    }
                    _ => {
                        let inner = self.add_input(Writer::Elsewhere, doubt, pointers);
                        self.library_pointer(inner)
                    }
                }
            }
            (_, _) => match among {
                Among::Number { bytes, low, high } if origin.first == 0 && scalar.bytes() == bytes => {
                    let Scalar::Int(int) = scalar else { return self.gap(InputGap::Forgotten) };
                    let (least, greatest) = integer::range(int);
                    // Read with the other sign, numbers wrap around.
                    match low >= least && high <= greatest {
                        true => self.new_input_between((low, high), source)?,
                        false => self.nondet_scalar(scalar, source)?,
                    }
                }
                Among::Bytes { first, others } if scalar.bytes() == 1 => {
                    let set = if origin.first == 0 { first } else { others };
                    // Behind the first byte of a text its end may be.
                    let may_end = origin.first > 0 && matches!(arrival, Arrival::Text { .. });
                    let set = if may_end { [set[0] | 1, set[1], set[2], set[3]] } else { set };
                    self.new_byte_among(set, source)?
                }
                Among::TextWithin { first, .. } if scalar.bytes() == 1 && first == origin.first => {
                    self.new_byte_among(NOT_ZERO, source)?
                }
                Among::Number { .. } | Among::Bytes { .. } | Among::Anything | Among::TextWithin { .. } => {
                    self.nondet_scalar(scalar, source)?
                }
            },
        };
        self.doubt(value, doubt);
        Ok(value)
    }

    /// Whether a text that lies between two bytes has its NUL here at the latest.
    pub(crate) fn is_last_of_text(&self, origin: Origin) -> bool {
        let among = self.state.inputs.get(origin.input).map(|input| input.among);
        matches!(among, Some(Among::TextWithin { last, .. }) if last == origin.first)
    }

    /// Whether a text was seen from this byte on, and has not ended yet.
    fn is_text_before(&self, origin: Origin, first: u32) -> bool {
        let before = |offset: u32| Origin { first: offset, ..origin };
        (first..origin.first).all(|offset| {
            let seen = self.state.inputs.seen(before(offset), 1);
            seen.is_some_and(|value| self.is_surely_not_zero(value))
        })
    }

    /// Whether so many bytes of an input came in. Where that is open, it is decided now.
    fn arrives(&mut self, origin: Origin, bytes: u64) -> Step<bool> {
        const RESULT: Scalar = Scalar::Int(IntType::Signed(8));
        let Some(input) = self.state.inputs.get(origin.input) else { return Ok(true) };
        match input.arrival {
            Arrival::All => Ok(true),
            Arrival::Counted(Length { unit: 0, .. }) => Ok(false),
            Arrival::Counted(Length { result, unit }) => {
                let needed = i128::from((u64::from(origin.first) + bytes).div_ceil(unit));
                let truth = self.compare(CompareOperator::GreaterEqual, RESULT, result, Value::Int(needed))?;
                self.decide_condition(truth)
            }
            Arrival::Text { .. } if bytes != 1 => Ok(false),
            Arrival::Text { kept_from: Some(first), .. } if first <= origin.first => Ok(false),
            Arrival::Text { kept_from, limit } => {
                let input = input.clone();
                if self.text_arrives(&input, origin.first)? {
                    return Ok(true);
                }
                let kept_from = Some(kept_from.map_or(origin.first, |first| first.min(origin.first)));
                if let Some(input) = Rc::make_mut(&mut self.state.inputs).get_mut(origin.input) {
                    input.arrival = Arrival::Text { limit, kept_from };
                }
                Ok(false)
            }
        }
    }

    /// Whether a text goes as far as this byte. A text that was read without a gap up to there does, or has just ended.
    fn text_arrives(&mut self, input: &Input, offset: u32) -> Step<bool> {
        let is_line = matches!(&input.writer, Writer::Function { name, .. } if name == "fgets");
        let mut n_before = 0;
        let mut is_behind_character = false;
        for seen in &input.seen {
            let value = self.known(seen.value);
            if seen.offset < offset {
                let is_newline = value == Value::Int(i128::from(b'\n'));
                if is_line && is_newline {
                    // The NUL is right behind it.
                    return Ok(offset == seen.offset + 1);
                }
                n_before += u32::from(self.is_surely_not_zero(value));
                // However many bytes before it were never looked at.
                is_behind_character |= seen.len == 1 && seen.offset + 1 == offset && self.is_surely_not_zero(value);
            } else if self.is_surely_not_zero(value) {
                return Ok(true);
            }
        }
        // There is at least one character, and a NUL behind it.
        let is_word = is_line || matches!(input.among, Among::Bytes { .. });
        let is_seen = input.seen.iter().any(|seen| seen.offset == offset);
        if is_word && offset <= 1 || n_before == offset || is_behind_character || is_seen {
            return Ok(true);
        }
        let options = [Answer::Integer(1), Answer::Integer(0)];
        let question = ChoiceQuestion::Input(InputSource::Unspecified);
        self.state.doubtful |= input.doubt == Doubt::Some;
        Ok(self.ask(crate::chooser::Question::Input, question, &options)? == 0)
    }

    /// Whether a value is known not to be zero.
    pub(crate) fn is_surely_not_zero(&self, value: Value) -> bool {
        match self.known(value) {
            Value::Int(number) => number != 0,
            Value::Pointer(_) | Value::Function(_) => true,
            Value::Symbol(term) => {
                let (low, high) = self.state.constraints.bounds(term.symbol);
                let addend = i128::from(term.addend);
                low + addend > 0 || high + addend < 0
            }
            Value::Uninitialised(_) | Value::Float(_) | Value::Fragment(_) | Value::Opaque => false,
        }
    }

    /// Bytes of which not all came in: the others are what they were.
    fn read_beneath(&mut self, origin: Origin, scalar: Scalar) -> Step<Value> {
        let size = scalar.bytes() as u32;
        let mut bits: u128 = 0;
        for index in 0..size {
            let origin = origin.shifted(index);
            let byte = if size > 1 && self.arrives(origin, 1)? {
                self.input_byte(origin)?
            } else {
                match self.beneath(origin) {
                    Beneath::Unset => match self.machine.options.uninitialised {
                        Unasked::Ends => return Ok(Value::Uninitialised(self.site())),
                        Unasked::GoesOn => {
                            let value = self.nondet_scalar(BYTE, NEVER_WRITTEN)?;
                            self.integer(value)? as u8
                        }
                    },
                    Beneath::Bits(byte) => byte,
                    Beneath::Any(origin) if size == 1 => return self.read_input(origin, scalar),
                    Beneath::Any(origin) => self.input_byte(origin)?,
                    Beneath::Other => return self.gap(InputGap::Forgotten),
                }
            };
            bits |= u128::from(byte) << (8 * index);
        }
        self.bits_as(bits, scalar)
    }

    /// What a byte was before the input.
    fn beneath(&self, origin: Origin) -> Beneath {
        let Some(input) = self.state.inputs.get(origin.input) else { return Beneath::Other };
        let run = input.beneath.partition_point(|(start, _)| *start <= origin.first);
        match run.checked_sub(1).map(|run| input.beneath[run]) {
            Some((start, Beneath::Any(first))) => Beneath::Any(first.shifted(origin.first - start)),
            Some((_, beneath)) => beneath,
            None => Beneath::Other,
        }
    }

    /// Says how much of an input that is about to be written here came in, and keeps what was there.
    pub(crate) fn set_arrival(&mut self, input: InputId, arrival: Arrival, to: Value, len: u64) -> Step<()> {
        let (object, offset) = self.locate(to, len, Access::Write)?;
        let mut runs: Vec<(u32, Beneath)> = Vec::new();
        let is_too_large = self.state.heap.object(object).contents().is_too_large();
        if is_too_large {
            runs.push((0, Beneath::Other));
        }
        for at in (0..len).filter(|_| !is_too_large) {
            self.check_budget()?;
            let held = match self.state.heap.object(object).contents().load(offset + at, 1) {
                Loaded::Uninitialised => Beneath::Unset,
                Loaded::Bits(bits) => Beneath::Bits(bits as u8),
                Loaded::Any(origin) => Beneath::Any(origin),
                Loaded::Value(_) | Loaded::Mixed => Beneath::Other,
            };
            let goes_on = match (runs.last(), held) {
                (Some((start, Beneath::Any(first))), Beneath::Any(origin)) => {
                    first.shifted(at as u32 - start) == origin
                }
                (Some((_, last)), held) => *last == held,
                (None, _) => false,
            };
            if !goes_on {
                runs.push((at as u32, held));
            }
        }
        if let Some(input) = Rc::make_mut(&mut self.state.inputs).get_mut(input) {
            input.arrival = arrival;
            input.beneath = Rc::new(runs);
        }
        Ok(())
    }

    /// Says what the bytes of an input are among.
    pub(crate) fn set_among(&mut self, input: InputId, among: Among) {
        if let Some(input) = Rc::make_mut(&mut self.state.inputs).get_mut(input) {
            input.among = among;
        }
    }

    /// Decides for bytes that somebody looks at as a whole which of them came in: those that did not, and were never
    /// written before, are without a value.
    pub(crate) fn decide_arrival(&mut self, object: ObjectId, offset: u64, len: u64) -> Step<()> {
        let cells: Vec<_> = self.state.heap.object(object).contents().cells_in(offset, len).collect();
        for cell in cells {
            let CellValue::Any(origin) = cell.value else { continue };
            let is_open = |input: &Input| !matches!(input.arrival, Arrival::All);
            if !self.state.inputs.get(origin.input).is_some_and(is_open) {
                continue;
            }
            let start = u64::from(cell.offset).max(offset);
            let end = (u64::from(cell.offset) + u64::from(cell.len)).min(offset + len);
            for at in (start..end).rev() {
                self.check_budget()?;
                let origin = origin.shifted((at - u64::from(cell.offset)) as u32);
                if self.arrives(origin, 1)? {
                    break;
                }
                if self.beneath(origin) == Beneath::Unset {
                    let unset = Value::Uninitialised(self.site());
                    self.write_value(object, at, BYTE, unset)?;
                }
            }
        }
        Ok(())
    }

    /// Who writes an input.
    pub(crate) fn writer_of(&self, input: InputId) -> Option<Writer> {
        self.state.inputs.get(input).map(|input| input.writer.clone())
    }

    /// How much of an input came in.
    pub(crate) fn arrival(&self, input: InputId) -> Arrival {
        self.state.inputs.get(input).map_or(Arrival::All, |input| input.arrival)
    }

    /// `fgets` reads no further than a newline, and puts its NUL behind it: whether the byte before is one is decided now.
    fn is_behind_a_line(&mut self, writer: &Writer, origin: Origin) -> Step<bool> {
        const NEWLINE: Value = Value::Int(b'\n' as i128);
        let is_line = matches!(writer, Writer::Function { name, .. } if name == "fgets");
        let before = origin.first.checked_sub(1).filter(|_| is_line);
        let seen = before.and_then(|before| {
            let input = self.state.inputs.get(origin.input)?;
            input.seen.iter().find(|seen| seen.offset == before && seen.len == 1).copied()
        });
        let Some(seen) = seen else { return Ok(false) };
        let truth = self.compare(CompareOperator::Equal, BYTE, seen.value, NEWLINE)?;
        self.decide_condition(truth)
    }

    /// Whatever depends on a doubtful value from here on is only possible.
    pub(crate) fn doubt(&mut self, value: Value, doubt: Doubt) {
        match (doubt, value) {
            (Doubt::None, _) => {}
            (Doubt::Some, Value::Symbol(term)) => {
                Rc::make_mut(&mut self.state.constraints).mark_doubtful(term.symbol);
            }
            (Doubt::Some, _) => self.state.doubtful = true,
        }
    }

    /// Bytes that were looked at in other pieces: one by one, each with its value.
    fn read_input_bytes(&mut self, origin: Origin, scalar: Scalar) -> Step<Value> {
        let mut bits: u128 = 0;
        for index in 0..scalar.bytes() as u32 {
            let byte = self.input_byte(origin.shifted(index))?;
            bits |= u128::from(byte) << (8 * index);
        }
        self.bits_as(bits, scalar)
    }

    /// The value of one byte of an input.
    pub(crate) fn input_byte(&mut self, origin: Origin) -> Step<u8> {
        let covers = |seen: &&Seen| (seen.offset..seen.offset + seen.len).contains(&origin.first);
        let found = self.state.inputs.get(origin.input).and_then(|input| input.seen.iter().find(covers)).copied();
        let Some(Seen { offset, len, value }) = found else {
            let value = self.read_input(origin, Scalar::Int(IntType::Unsigned(1)))?;
            return Ok(self.integer(value)? as u8);
        };
        let bits = match value {
            Value::Float(value) if len == 4 => float::to_bits(value, heapwise_ir::FloatType::Single),
            Value::Float(value) => float::to_bits(value, heapwise_ir::FloatType::Double),
            value => self.integer(value)? as u128,
        };
        if len > 1
            && let Some(input) = Rc::make_mut(&mut self.state.inputs).get_mut(origin.input)
        {
            let at = input.seen.partition_point(|seen| seen.offset < offset);
            let bytes = (0..len).map(|index| {
                let value = Value::Int((bits >> (8 * index) & 0xff) as i128);
                Seen { offset: offset + index, len: 1, value }
            });
            input.seen.splice(at..=at, bytes);
        }
        Ok((bits >> (8 * (origin.first - offset))) as u8)
    }

    /// Whether the text at a place, up to a NUL that is surely there, is input that nobody has looked at: then what it
    /// says is open as a whole. The answer is how long it may be. From here on its bytes are in doubt, as they belong to
    /// what it was read as.
    pub(crate) fn take_unread_text(&mut self, object: ObjectId, offset: u64) -> Option<u64> {
        let contents = self.state.heap.object(object).contents();
        let size = self.state.heap.object(object).size;
        let cell = contents.cells_in(offset, size.checked_sub(offset)?).next()?;
        let CellValue::Any(origin) = cell.value else { return None };
        let end = u64::from(cell.offset) + u64::from(cell.len);
        let starts_here = u64::from(cell.offset) <= offset;
        let input = self.state.inputs.get(origin.input)?;
        let (is_closed, end) = match input.arrival {
            Arrival::All => {
                let is_zero_behind = end < size && contents.load(end, 1) == Loaded::Bits(0);
                (self.is_library(object) || is_zero_behind, end)
            }
            Arrival::Text { limit, .. } => (origin.first == 0, offset + u64::from(limit)),
            Arrival::Counted(_) => (false, end),
        };
        let is_unread = input.seen.is_empty() && input.doubt == Doubt::None && input.among == Among::Anything;
        if !starts_here || !is_closed || !is_unread {
            return None;
        }
        Rc::make_mut(&mut self.state.inputs).get_mut(origin.input)?.doubt = Doubt::Some;
        Some(end - offset)
    }
}
