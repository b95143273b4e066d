//! `<string.h>`.

use crate::access::Access;
use crate::chooser::Question;
use crate::contents::Loaded;
use crate::heap::ObjectKind;
use crate::inputs::{Arrival, Doubt, Origin, SHORT_TEXT};
use crate::integer;
use crate::machine::{Executor, Step, Unasked};
use crate::value::{ObjectId, Scalar, Value};
use heapwise_engine::reason::{InputGap, MemoryGap};
use heapwise_engine::{Answer, ChoiceQuestion, InputSource, Kind};
use heapwise_ir::{CompareOperator, IntType};
use std::cmp::Ordering;

const BYTE: Scalar = Scalar::Int(IntType::Unsigned(1));
const INT: IntType = IntType::Signed(4);

impl Executor<'_, '_> {
    /// One byte that a library function looks at; inputs stay open.
    pub(crate) fn look_at_byte(&mut self, name: &str, pointer: Value, index: u64) -> Step<Value> {
        self.check_budget()?;
        let at = self.place_address(pointer, i128::from(index))?;
        let (object, offset) = self.locate(at, 1, Access::Read)?;
        self.end_outside_text(object, offset, index)?;
        match self.load_at(object, offset, BYTE)? {
            Value::Uninitialised(_) => {
                self.error(Kind::Uninitialised, format!("`{name}` reads an uninitialised byte"), Some(object))
            }
            value => Ok(self.known(value)),
        }
    }

    /// Texts in storage of the library and arguments of the program are tried as short ones and with the lengths that the
    /// program suggests, so that reading them ends. What the bytes of the longer ones are is then chosen at once.
    fn end_outside_text(&mut self, object: ObjectId, offset: u64, index: u64) -> Step<()> {
        let object_kind = self.state.heap.object(object).kind;
        if index < SHORT_TEXT || !matches!(object_kind, ObjectKind::Library | ObjectKind::Environment) {
            return Ok(());
        }
        let Loaded::Any(origin) = self.state.heap.object(object).contents().load(offset, 1) else { return Ok(()) };
        if self.state.inputs.seen(origin, 1).is_some() {
            return Ok(());
        }
        self.incomplete(InputGap::LibraryText);
        let byte = match self.state.inputs.get(origin.input) {
            Some(input) if input.doubt == Doubt::None => self.ask_outside_byte(origin, index)?,
            Some(_) | None => 0,
        };
        self.state.heap.write(object, |contents, changes| contents.store_bits(offset, 1, byte, changes));
        Ok(())
    }

    fn ask_outside_byte(&mut self, origin: Origin, index: u64) -> Step<u128> {
        const LETTER: u128 = b'x' as u128;
        if self.is_last_of_text(origin) {
            return Ok(0);
        }
        let lengths = &self.machine.code.text_lengths;
        let may_end = index == SHORT_TEXT || lengths.binary_search(&index).is_ok();
        let may_go_on = lengths.last().is_some_and(|longest| index < *longest);
        let bytes: &[u128] = match (may_end, may_go_on) {
            (true, true) => &[0, LETTER],
            (false, true) => &[LETTER],
            (true | false, false) => &[0],
        };
        let Some(writer) = self.writer_of(origin.input) else { return Ok(0) };
        let question = ChoiceQuestion::Input(InputSource::Bytes { writer, offset: u64::from(origin.first) });
        let answers: Vec<Answer> = bytes.iter().map(|byte| Answer::Integer(*byte as i128)).collect();
        Ok(bytes[self.ask(Question::Input, question, &answers)?])
    }

    /// One byte that a library function reads.
    pub(crate) fn read_byte(&mut self, name: &str, pointer: Value, index: u64) -> Step<u8> {
        let value = self.look_at_byte(name, pointer, index)?;
        Ok(self.integer(value)? as u8)
    }

    /// The bytes before the NUL, at most `limit` of them.
    pub(crate) fn read_string(&mut self, name: &str, pointer: Value, limit: u64) -> Step<Vec<u8>> {
        let mut text = Vec::new();
        while (text.len() as u64) < limit {
            match self.read_byte(name, pointer, text.len() as u64)? {
                0 => break,
                byte => text.push(byte),
            }
        }
        Ok(text)
    }

    fn byte_is(&mut self, byte: Value, wanted: u8) -> Step<bool> {
        let truth = self.compare(CompareOperator::Equal, BYTE, byte, Value::Int(i128::from(wanted)))?;
        self.decide_condition(truth)
    }

    /// How many bytes come before the NUL, at most `limit`. Only whether a byte is zero matters, so inputs stay open.
    pub(crate) fn string_length(&mut self, name: &str, pointer: Value, limit: u64) -> Step<u64> {
        let mut length = 0;
        while length < limit {
            let byte = self.look_at_byte(name, pointer, length)?;
            if self.byte_is(byte, 0)? {
                break;
            }
            length += 1;
        }
        Ok(length)
    }

    /// Whether a text that is only read ends where it may be read: nothing is decided where a NUL is surely there.
    pub(crate) fn check_text(&mut self, name: &str, pointer: Value, limit: u64) -> Step<()> {
        if limit == 0 {
            return Ok(());
        }
        let (object, start) = self.locate(pointer, 1, Access::Read)?;
        if self.is_library(object) {
            return Ok(());
        }
        let end = start.saturating_add(limit).min(self.state.heap.object(object).size);
        for offset in start..end {
            self.check_budget()?;
            match self.state.heap.object(object).contents().load(offset, 1) {
                Loaded::Bits(0) => return Ok(()),
                Loaded::Any(origin) => match self.arrival(origin.input) {
                    Arrival::All => {}
                    // It has its end.
                    Arrival::Text { .. } if origin.first == 0 => return Ok(()),
                    Arrival::Text { .. } | Arrival::Counted(_) => {
                        return self.string_length(name, pointer, limit).map(drop);
                    }
                },
                Loaded::Bits(_) | Loaded::Mixed => {}
                Loaded::Value(value) if self.known(value) == Value::ZERO => return Ok(()),
                Loaded::Value(_) => {}
                Loaded::Uninitialised => return self.string_length(name, pointer, limit).map(drop),
            }
        }
        if end - start == limit { Ok(()) } else { self.string_length(name, pointer, limit).map(drop) }
    }

    /// All of these bytes have a value.
    fn check_written(&mut self, name: &str, object: ObjectId, offset: u64, len: u64) -> Step<()> {
        if self.machine.options.uninitialised == Unasked::GoesOn || self.is_library(object) {
            return Ok(());
        }
        self.decide_arrival(object, offset, len)?;
        for at in offset..offset + len {
            self.check_budget()?;
            if self.state.heap.object(object).contents().load(at, 1) == Loaded::Uninitialised {
                return self.error(Kind::Uninitialised, format!("`{name}` reads an uninitialised byte"), Some(object));
            }
        }
        Ok(())
    }

    pub(crate) fn write_text(&mut self, pointer: Value, index: u64, text: &[u8]) -> Step<()> {
        if text.is_empty() {
            return Ok(());
        }
        let at = self.place_address(pointer, i128::from(index))?;
        let (object, offset) = self.locate(at, text.len() as u64, Access::Write)?;
        for (index, byte) in text.iter().enumerate() {
            self.write_value(object, offset + index as u64, BYTE, Value::Int(i128::from(*byte)))?;
        }
        Ok(())
    }

    fn read_bytes(&mut self, name: &str, pointer: Value, len: u64) -> Step<Vec<u8>> {
        (0..len).map(|index| self.read_byte(name, pointer, index)).collect()
    }

    /// Compares byte by byte, so that bytes behind the first difference are not read.
    fn compare_text(
        &mut self,
        name: &str,
        left: Value,
        right: Value,
        limit: u64,
        end: End,
        fold: Fold,
    ) -> Step<Ordering> {
        for index in 0..limit {
            let left = self.look_at_byte(name, left, index)?;
            let right = self.look_at_byte(name, right, index)?;
            let (left, right) = match fold {
                Fold::Exact => (left, right),
                Fold::IgnoreCase => (self.lower_case(left)?, self.lower_case(right)?),
            };
            let same = self.compare(CompareOperator::Equal, BYTE, left, right)?;
            if !self.decide_condition(same)? {
                let less = self.compare(CompareOperator::Less, BYTE, left, right)?;
                return Ok(if self.decide_condition(less)? { Ordering::Less } else { Ordering::Greater });
            }
            if end == End::Nul && (self.byte_is(left, 0)? || self.byte_is(right, 0)?) {
                return Ok(Ordering::Equal);
            }
        }
        Ok(Ordering::Equal)
    }

    /// What a comparison returns: of the sign any number, which is chosen when it matters.
    fn comparison_result(&mut self, name: &str, order: Ordering) -> Step<Value> {
        let (least, greatest) = integer::range(INT);
        let source = InputSource::Result(name.to_owned());
        // `bcmp` only says whether bytes differ: its sign is open too.
        let order = match order {
            Ordering::Less | Ordering::Greater if name == "bcmp" => {
                let signs = [Answer::Integer(1), Answer::Integer(-1)];
                match self.ask(Question::Input, ChoiceQuestion::Input(source.clone()), &signs)? {
                    0 => Ordering::Greater,
                    _ => Ordering::Less,
                }
            }
            order => order,
        };
        match order {
            Ordering::Less => self.new_input_between((least, -1), source),
            Ordering::Equal => Ok(Value::ZERO),
            Ordering::Greater => self.new_input_between((1, greatest), source),
        }
    }

    fn lower_case(&mut self, byte: Value) -> Step<Value> {
        let byte = self.integer(byte)? as u8;
        Ok(Value::Int(i128::from(byte.to_ascii_lowercase())))
    }

    pub(crate) fn text_function(&mut self, name: &str, arguments: &[Value]) -> Step<Option<Value>> {
        const ALL: u64 = u64::MAX;
        let value = match (name, arguments) {
            ("strlen", [text]) => Value::Int(i128::from(self.string_length(name, *text, ALL)?)),
            ("strnlen", [text, limit]) => {
                let limit = self.size_argument(name, *limit)?;
                Value::Int(i128::from(self.string_length(name, *text, limit)?))
            }
            ("strcmp" | "strcasecmp", [left, right]) => {
                let fold = if name == "strcmp" { Fold::Exact } else { Fold::IgnoreCase };
                let order = self.compare_text(name, *left, *right, ALL, End::Nul, fold)?;
                self.comparison_result(name, order)?
            }
            ("strncmp" | "strncasecmp", [left, right, limit]) => {
                let limit = self.size_argument(name, *limit)?;
                let fold = if name == "strncmp" { Fold::Exact } else { Fold::IgnoreCase };
                let order = self.compare_text(name, *left, *right, limit, End::Nul, fold)?;
                self.comparison_result(name, order)?
            }
            ("memcmp" | "bcmp", [left, right, limit]) => {
                let limit = self.size_argument(name, *limit)?;
                // Both are objects of so many bytes, however early they differ.
                if limit > 0 {
                    for compared in [*left, *right] {
                        let (object, offset) = self.locate(compared, limit, Access::Read)?;
                        self.check_written(name, object, offset, limit)?;
                    }
                }
                let order = self.compare_text(name, *left, *right, limit, End::Count, Fold::Exact)?;
                self.comparison_result(name, order)?
            }
            ("strcpy" | "stpcpy", [to, from]) => {
                let length = self.string_length(name, *from, ALL)?;
                self.copy_bytes(*to, *from, length + 1)?;
                if name == "strcpy" { *to } else { self.add_bytes(*to, i128::from(length))? }
            }
            ("strncpy", [to, from, limit]) => {
                let limit = self.size_argument(name, *limit)?;
                let length = self.string_length(name, *from, limit)?;
                if limit > 0 {
                    self.locate(*to, limit, Access::Write)?;
                }
                self.copy_bytes(*to, *from, length)?;
                let rest = self.add_bytes(*to, i128::from(length))?;
                self.fill_bytes(rest, limit - length, crate::access::FillValue::Byte(0))?;
                *to
            }
            ("strcat", [to, from]) | ("strncat", [to, from, _]) => {
                let limit = match arguments {
                    [_, _, limit] => self.size_argument(name, *limit)?,
                    _ => ALL,
                };
                let length = self.string_length(name, *from, limit)?;
                let end = self.string_length(name, *to, ALL)?;
                let end = self.add_bytes(*to, i128::from(end))?;
                self.locate(end, length + 1, Access::Write)?;
                self.copy_bytes(end, *from, length)?;
                self.write_text(end, length, &[0])?;
                *to
            }
            ("memcpy" | "memmove" | "mempcpy", [to, from, len]) => {
                let len = self.size_argument(name, *len)?;
                self.copy_bytes(*to, *from, len)?;
                if name == "mempcpy" { self.add_bytes(*to, i128::from(len))? } else { *to }
            }
            ("memset", [to, byte, len]) => {
                let (byte, len) = (self.integer_argument(name, *byte)?, self.size_argument(name, *len)?);
                self.fill_bytes(*to, len, crate::access::FillValue::Byte(byte as u8))?;
                *to
            }
            ("bzero", [to, len]) => {
                let len = self.size_argument(name, *len)?;
                self.fill_bytes(*to, len, crate::access::FillValue::Byte(0))?;
                *to
            }
            _ => return self.search_function(name, arguments),
        };
        Ok(Some(value))
    }

    fn search_function(&mut self, name: &str, arguments: &[Value]) -> Step<Option<Value>> {
        const ALL: u64 = u64::MAX;
        let (pointer, found) = match (name, arguments) {
            ("strchr" | "index" | "strrchr" | "rindex" | "strchrnul", [text, byte]) => {
                let byte = self.integer_argument(name, *byte)? as u8;
                let mut found = None;
                for index in 0.. {
                    let value = self.look_at_byte(name, *text, index)?;
                    if self.byte_is(value, byte)? {
                        found = Some(index as usize);
                        if !matches!(name, "strrchr" | "rindex") {
                            break;
                        }
                    }
                    if self.byte_is(value, 0)? {
                        found = found.or_else(|| (name == "strchrnul").then_some(index as usize));
                        break;
                    }
                }
                (*text, found)
            }
            ("memchr", [text, byte, len]) => {
                let (byte, len) = (self.integer_argument(name, *byte)? as u8, self.size_argument(name, *len)?);
                let mut found = None;
                for index in 0..len {
                    let value = self.look_at_byte(name, *text, index)?;
                    if self.byte_is(value, byte)? {
                        found = Some(index as usize);
                        break;
                    }
                }
                (*text, found)
            }
            ("strstr", [text, needle]) => {
                let (bytes, needle) = (self.read_string(name, *text, ALL)?, self.read_string(name, *needle, ALL)?);
                let found = (0..=bytes.len()).find(|start| bytes[*start..].starts_with(&needle));
                (*text, found)
            }
            ("strpbrk", [text, set]) => {
                let set = self.read_string(name, *set, ALL)?;
                let (length, is_end) = self.span(name, *text, &set, Span::UntilIn)?;
                (*text, (!is_end).then_some(length as usize))
            }
            ("strspn" | "strcspn", [text, set]) => {
                let set = self.read_string(name, *set, ALL)?;
                let span = if name == "strcspn" { Span::UntilIn } else { Span::WhileIn };
                let (length, _) = self.span(name, *text, &set, span)?;
                return Ok(Some(Value::Int(i128::from(length))));
            }
            ("strtok", [text, set]) => return self.tokenize(*text, *set).map(Some),
            _ => return Ok(None),
        };
        match found {
            Some(index) => self.add_bytes(pointer, index as i128).map(Some),
            None => Ok(Some(Value::ZERO)),
        }
    }

    /// How many bytes at the start of a text are in the set, or are not; and whether that is all of it.
    fn span(&mut self, name: &str, text: Value, set: &[u8], span: Span) -> Step<(u64, bool)> {
        for index in 0.. {
            let value = self.look_at_byte(name, text, index)?;
            if self.byte_is(value, 0)? {
                return Ok((index, true));
            }
            let mut is_in = false;
            for byte in set {
                if self.byte_is(value, *byte)? {
                    is_in = true;
                    break;
                }
            }
            if is_in == (span == Span::UntilIn) {
                return Ok((index, false));
            }
        }
        self.gap(MemoryGap::TextWithoutEnd)
    }

    /// `strtok`: what it keeps is where the rest of the text begins, at last the NUL of the text, which it reads at the next call.
    fn tokenize(&mut self, text: Value, set: Value) -> Step<Value> {
        const NAME: &str = "strtok";
        let start = if text == Value::ZERO { self.state.token } else { text };
        if start == Value::ZERO {
            let message = format!("`{NAME}` is told to go on with a text, and was never given one");
            return self.error(Kind::NullDereference, message, None);
        }
        let set = self.read_string(NAME, set, u64::MAX)?;
        let bytes = self.read_string(NAME, start, u64::MAX)?;
        let first = bytes.iter().position(|byte| !set.contains(byte));
        let end =
            first.and_then(|first| bytes[first..].iter().position(|byte| set.contains(byte)).map(|at| first + at));
        let rest = match end {
            Some(end) => {
                self.write_text(start, end as u64, &[0])?;
                end + 1
            }
            None => bytes.len(),
        };
        // Not counted as a reference: a saved place keeps nothing alive.
        self.state.token = self.add_bytes(start, rest as i128)?;
        match first {
            Some(first) => self.add_bytes(start, first as i128),
            None => Ok(Value::ZERO),
        }
    }

    /// Reads bytes for comparison by other parts of the library.
    pub(crate) fn read_exactly(&mut self, name: &str, pointer: Value, len: u64) -> Step<Vec<u8>> {
        self.read_bytes(name, pointer, len)
    }
}

/// Which bytes belong to a span.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Span {
    WhileIn,
    UntilIn,
}

/// What ends a comparison.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Nul,
    Count,
}

/// How bytes compare.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fold {
    Exact,
    IgnoreCase,
}
