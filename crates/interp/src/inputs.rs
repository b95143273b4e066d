//! Bytes that come from outside: what `fgets` reads, what `getenv` points to, the program's arguments.
//!
//! Memory holds such bytes as *any* bytes with their origin: which input, and which byte of it. Nothing is decided before
//! the program looks at a byte; then it stays what it was decided to be, in every copy.

use crate::constraints::Difference;
use crate::contents::CellValue;
use crate::float;
use crate::heap::ObjectKind;
use crate::machine::{Executor, Step};
use crate::value::{ObjectId, Pointer, Scalar, Value};
use heapwise_engine::reason::InputGap;
use heapwise_engine::{Answer, ChoiceQuestion, InputSource, Writer};
use heapwise_ir::IntType;
use std::rc::Rc;

/// How far storage of the library is followed.
pub(crate) const LIBRARY_SIZE: u64 = 512;

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
    /// How much of it came in, where the call that read it says so.
    pub(crate) length: Option<Length>,
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
            input.seen.iter().map(|seen| seen.value).chain(input.length.map(|length| length.result))
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
        inputs.table.push((id, Rc::new(Input { writer, doubt, pointers, length: None, seen: Vec::new() })));
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
            let source = InputSource::Bytes { writer: Writer::Elsewhere, offset: u64::from(origin.first) };
            return self.nondet_scalar(scalar, source);
        };
        let end = origin.first.saturating_add(len);
        let mut touching = input.seen.iter().filter(|seen| seen.offset < end && seen.offset + seen.len > origin.first);
        match (touching.next().copied(), scalar) {
            (None, _) => {
                let value = self.decide_bytes(origin, scalar)?;
                Rc::make_mut(&mut self.state.inputs).see(origin.input, Seen { offset: origin.first, len, value });
                Ok(value)
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
        let Some(Input { writer, doubt, pointers, length, .. }) = self.state.inputs.get(origin.input).cloned() else {
            return self.gap(InputGap::Forgotten);
        };
        let doubt = match length {
            Some(length) if !self.reads_as_far_as(length, u64::from(origin.first) + scalar.bytes()) => Doubt::Some,
            Some(_) | None => doubt,
        };
        if self.is_behind_a_line(&writer, origin) && scalar.bytes() == 1 {
            return Ok(Value::ZERO);
        }
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
            (_, _) => self.nondet_scalar(scalar, source)?,
        };
        self.doubt(value, doubt);
        Ok(value)
    }

    /// Whether a call read so many bytes. Where that is open it did: what a short read left is not looked at.
    fn reads_as_far_as(&mut self, length: Length, bytes: u64) -> bool {
        let needed = i128::from(bytes.div_ceil(length.unit.max(1)));
        match self.known(length.result) {
            Value::Symbol(term) => {
                let (x, y) = (None, Some(term.symbol));
                let enough = [Difference { x, y, bound: i128::from(term.addend) - needed }];
                let can = self.state.constraints.allows(&enough);
                if can {
                    self.refine(&enough);
                }
                can
            }
            Value::Int(result) => result >= needed,
            Value::Uninitialised(_)
            | Value::Float(_)
            | Value::Pointer(_)
            | Value::Function(_)
            | Value::Fragment(_)
            | Value::Opaque => false,
        }
    }

    /// Says how much of an input came in.
    pub(crate) fn set_length(&mut self, input: InputId, length: Length) {
        if let Some(input) = Rc::make_mut(&mut self.state.inputs).get_mut(input) {
            input.length = Some(length);
        }
    }

    /// `fgets` reads no further than a newline, and puts its NUL behind it.
    fn is_behind_a_line(&self, writer: &Writer, origin: Origin) -> bool {
        const NEWLINE: Value = Value::Int(b'\n' as i128);
        let is_line = matches!(writer, Writer::Function { name, .. } if name == "fgets");
        let before = origin.first.checked_sub(1).filter(|_| is_line);
        let seen = before.and_then(|before| {
            let input = self.state.inputs.get(origin.input)?;
            input.seen.iter().find(|seen| seen.offset == before && seen.len == 1)
        });
        seen.is_some_and(|seen| self.known(seen.value) == NEWLINE)
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
        let is_closed =
            self.is_library(object) || end < size && contents.load(end, 1) == crate::contents::Loaded::Bits(0);
        let input = self.state.inputs.get(origin.input)?;
        let is_unread = input.seen.is_empty() && input.doubt == Doubt::None;
        if !starts_here || !is_closed || !is_unread {
            return None;
        }
        Rc::make_mut(&mut self.state.inputs).get_mut(origin.input)?.doubt = Doubt::Some;
        Some(end - offset)
    }
}
