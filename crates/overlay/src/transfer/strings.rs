//! Functions of the library that look at texts and write them.

use super::memory::{Access, Located};
use super::{Executor, Numbering, Step, Stop};
use crate::heap::{Exactness, Heap, Node, NodeId, Object, Pointer, Size, Storage, Text, TextKind, Value};
use crate::number::Range;
use heapwise_engine::Kind;
use heapwise_engine::reason::SymbolicGap;
use heapwise_ir::{CompareOperator, ExternEffects, MemoryEffect, RangeEnd, RegisterId, ResultRange, WrittenBytes};

/// Whether a function of the library was followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Followed {
    /// The heap is the one behind the call.
    Done,
    /// What its model says is all that is known.
    ByModel,
}

/// Bytes of a cell that a function may write.
#[derive(Clone, Copy, Debug)]
struct Target {
    node: NodeId,
    offset: u64,
    /// So many.
    most: u64,
}

/// What is known of what a format gives.
#[derive(Clone, Copy, Debug)]
struct Printed {
    /// So many characters, at most.
    most: Value,
    exactness: Exactness,
}

impl Executor<'_, '_> {
    /// Calls one of the functions of which more is known than models say. All checks come before anything is written.
    pub(super) fn call_string(
        &mut self,
        name: &str,
        effects: &ExternEffects,
        values: &[Value],
        target: Option<RegisterId>,
    ) -> Step<Followed> {
        if self.context.numbering == Numbering::Off {
            return Ok(Followed::ByModel);
        }
        match (name, values) {
            ("strlen", [text]) => {
                let Some(length) = self.text_length(*text)? else { return Ok(Followed::ByModel) };
                self.returns(target, length)
            }
            ("strcspn" | "strspn", [text, set]) => {
                self.check_text(name, *set)?;
                let Some(length) = self.text_length(*text)? else { return Ok(Followed::ByModel) };
                let result = self.heap.fresh_at_most(0, &[length]);
                self.returns(target, result)
            }
            ("strchr" | "strrchr" | "index" | "rindex", [text, character]) => {
                let character = match character {
                    Value::Number(number) => Some(*number & 0xff != 0),
                    _ => None,
                };
                self.found_in_text(*text, character, target)
            }
            ("strpbrk", [text, set]) => {
                self.check_text(name, *set)?;
                self.found_in_text(*text, Some(true), target)
            }
            ("strstr" | "strcasestr", [text, other]) => {
                self.check_text(name, *other)?;
                self.found_in_text(*text, None, target)
            }
            ("strcmp", [one, other]) => self.compared(*one, *other, None, target),
            ("strncmp", [one, other, Value::Number(most)]) if *most > 0 => {
                self.compared(*one, *other, Some(*most), target)
            }
            ("fgets" | "fgets_unlocked", [buffer, size, stream]) => self.fgets(*buffer, *size, *stream, target),
            ("snprintf", [buffer, size, format, ..]) => {
                self.check_text(name, *format)?;
                self.snprintf(effects, values, *buffer, *size, target)
            }
            ("sprintf", [buffer, format, rest @ ..]) => {
                self.check_text(name, *format)?;
                self.sprintf(effects, values, (*buffer, *format, rest), target)
            }
            ("strcat", [to, from]) => {
                let Some(added) = self.text_length(*from)? else { return Ok(Followed::ByModel) };
                self.append(name, *to, added, target)
            }
            ("strncat", [to, from, most]) => {
                let Some(added) = self.text_length(*from)? else { return Ok(Followed::ByModel) };
                let added = match (self.heap.range(added), self.heap.range(*most)) {
                    (Some(length), Some(limit)) if length.high <= limit.low => added,
                    (Some(length), Some(limit)) if limit.low >= 0 => {
                        let low = length.low.min(limit.low);
                        self.heap.fresh_at_most(low, &[added, *most])
                    }
                    _ => return Ok(Followed::ByModel),
                };
                self.append(name, *to, added, target)
            }
            ("strncpy", [to, from, Value::Number(bytes)]) if *bytes > 0 => {
                let Ok(bytes) = u64::try_from(*bytes) else { return Ok(Followed::ByModel) };
                let Some(length) = self.text_length(*from)? else { return Ok(Followed::ByModel) };
                self.strncpy(name, *to, length, bytes, target)
            }
            ("__ctype_b_loc", []) => self.character_table(2, target),
            ("__ctype_tolower_loc" | "__ctype_toupper_loc", []) => self.character_table(4, target),
            _ => self.counted(name, effects, values, target),
        }
    }

    /// The address of a pointer into a table with an entry for each character, signed or not, as glibc has it.
    fn character_table(&mut self, entry_bytes: u64, target: Option<RegisterId>) -> Step<Followed> {
        const FIRST: u64 = 128;
        const ENTRIES: u64 = 384;
        let size = Size::Constant(ENTRIES * entry_bytes);
        let table = self.heap.add(Node::Object(Object::new(Storage::Environment, size, Value::Any)));
        let word = self.context.pointer_bytes();
        let mut holder = Object::new(Storage::Environment, Size::Constant(word), Value::Any);
        holder.store(0, word, Value::pointer(table, (FIRST * entry_bytes) as i64));
        let holder = self.heap.add(Node::Object(holder));
        self.returns(target, Value::pointer(holder, 0))
    }

    fn returns(&mut self, target: Option<RegisterId>, value: Value) -> Step<Followed> {
        if let Some(target) = target {
            self.heap.set_register(target, value);
        }
        Ok(Followed::Done)
    }

    /// Ends with these results.
    fn returns_any(
        &self,
        target: Option<RegisterId>,
        results: impl IntoIterator<Item = (Heap, Value)>,
    ) -> Step<Followed> {
        let heaps = results.into_iter().map(|(mut heap, value)| {
            if let Some(target) = target {
                heap.set_register(target, value);
            }
            heap
        });
        Err(Stop::Done(heaps.collect()))
    }

    /// Compares a text with one whose length is known, up to so many characters: where both are equal, it is as long.
    fn compared(&mut self, one: Value, other: Value, most: Option<i128>, target: Option<RegisterId>) -> Step<Followed> {
        let (Some(x), Some(y)) = (self.text_length(one)?, self.text_length(other)?) else {
            return Ok(Followed::ByModel);
        };
        let (symbol, number) = match (x, y) {
            (Value::Symbol(symbol), Value::Number(number)) | (Value::Number(number), Value::Symbol(symbol)) => {
                (symbol, number)
            }
            _ => return Ok(Followed::ByModel),
        };
        let length = match most {
            Some(most) if most <= number => Range { low: most, high: i128::MAX, without_zero: false },
            Some(_) | None => Range::constant(number),
        };
        let mut results = Vec::new();
        if let Some(length) = self.heap.symbol(symbol).meet(length) {
            let mut equal = self.heap.clone();
            equal.narrow(symbol, length);
            results.push((equal, Value::ZERO));
        }
        let difference = Range { low: i128::from(i32::MIN), high: i128::from(i32::MAX), without_zero: true };
        let difference = self.heap.fresh(difference);
        results.push((self.heap.clone(), difference));
        self.returns_any(target, results)
    }

    /// Null, or an address in the text: of a character if that is not zero, perhaps of its end otherwise.
    fn found_in_text(&mut self, text: Value, is_character: Option<bool>, target: Option<RegisterId>) -> Step<Followed> {
        if self.text_length(text)?.is_none() {
            return Ok(Followed::ByModel);
        }
        let Some((pointer, length, first)) = self.place_in_text(text) else { return Ok(Followed::ByModel) };
        let (Some(range), Some(from)) = (self.heap.range(length), self.heap.range(first)) else {
            return Ok(Followed::ByModel);
        };
        let nothing = (self.heap.clone(), Value::ZERO);
        let last = if is_character == Some(true) { range.high - 1 } else { range.high };
        if last < from.low {
            return self.returns_any(target, [nothing]);
        }
        let index = match is_character {
            Some(false) if self.is_up_to_zero(text) => length,
            _ => {
                let index = self.heap.fresh(Range { low: from.low.max(0), high: last, without_zero: false });
                if let (Value::Symbol(index), Value::Symbol(first)) = (index, first) {
                    self.heap.remember(first, CompareOperator::LessEqual, index);
                }
                if let Value::Symbol(length) = length {
                    let is_less = is_character == Some(true);
                    let least = from.low.max(0) + i128::from(is_less);
                    if let Some(longer) = range.meet(Range { low: least, high: i128::MAX, without_zero: false }) {
                        self.heap.narrow(length, longer);
                    }
                    if let Value::Symbol(index) = index {
                        let operator = if is_less { CompareOperator::Less } else { CompareOperator::LessEqual };
                        self.heap.remember(index, operator, length);
                    }
                }
                index
            }
        };
        let address = match index {
            Value::Symbol(index) => Value::Indexed { pointer, index, scale: 1 },
            Value::Number(number) => {
                let moved = i64::try_from(number).ok().and_then(|number| pointer.offset.checked_add(number));
                let Some(offset) = moved else { return Ok(Followed::ByModel) };
                Value::Pointer(Pointer { offset, ..pointer })
            }
            _ => return Ok(Followed::ByModel),
        };
        let found = (self.heap.clone(), address);
        match is_character {
            Some(false) => self.returns_any(target, [found]),
            Some(true) | None => self.returns_any(target, [nothing, found]),
        }
    }

    /// The bytes behind an address, as many as a size says, lie within their cell and can be written.
    fn target(&mut self, address: Value, size: Value) -> Step<Option<Target>> {
        let (node, offset, most) = match size {
            Value::Number(number) => {
                let Ok(most) = u64::try_from(number) else { return Ok(None) };
                match self.locate(address, most, Access::Write)? {
                    Located::Exact(node, offset) => (node, offset, most),
                    Located::Somewhere { .. } | Located::Library => return Ok(None),
                }
            }
            Value::Symbol(symbol) => {
                let Ok(most) = u64::try_from(self.heap.symbol(symbol).high) else { return Ok(None) };
                let (node, offset) = self.locate_length(address, symbol, Access::Write)?;
                (node, offset, most)
            }
            _ => return Ok(None),
        };
        let Some(object) = self.heap.object(node) else { return Ok(None) };
        let holds_pointers = |value: Value| value.node().is_some() || matches!(value, Value::Function(_));
        let is_in_array = object.array.as_ref().is_some_and(|array| array.overlaps(offset, most));
        let is_plain = !is_in_array && !object.pieces(offset, most).iter().any(|piece| holds_pointers(piece.value));
        Ok(is_plain.then_some(Target { node, offset, most }))
    }

    /// Some of these bytes are written, and hold a text now.
    fn write_text(&mut self, Target { node, offset, most }: Target, kind: TextKind, length: Value) {
        self.havoc(node, offset, most, Value::Any);
        self.set_texts(node, [Text { offset, kind, length, room: most }]);
    }

    fn fgets(&mut self, buffer: Value, size: Value, stream: Value, target: Option<RegisterId>) -> Step<Followed> {
        let Some(range) = self.heap.range(size).filter(|range| range.low >= 1) else { return Ok(Followed::ByModel) };
        self.locate(stream, 0, Access::Read)?;
        let Some(written) = self.target(buffer, size)? else { return Ok(Followed::ByModel) };
        let failed = (self.heap.clone(), Value::ZERO);
        // The line may begin with a zero.
        let length = self.heap.fresh(Range { low: 0, high: range.high - 1, without_zero: false });
        if let (Value::Symbol(length), Value::Symbol(size)) = (length, size) {
            self.heap.remember(length, CompareOperator::Less, size);
        }
        self.write_text(written, TextKind::Ended, length);
        let read = (self.heap.clone(), buffer);
        self.returns_any(target, [read, failed])
    }

    fn snprintf(
        &mut self,
        effects: &ExternEffects,
        values: &[Value],
        buffer: Value,
        size: Value,
        target: Option<RegisterId>,
    ) -> Step<Followed> {
        let Some(range) = self.heap.range(size).filter(|range| range.low >= 1) else { return Ok(Followed::ByModel) };
        let Some(written) = self.target(buffer, size)? else { return Ok(Followed::ByModel) };
        let length = self.heap.fresh(Range { low: 0, high: range.high - 1, without_zero: false });
        if let (Value::Symbol(length), Value::Symbol(size)) = (length, size) {
            self.heap.remember(length, CompareOperator::Less, size);
        }
        self.write_text(written, TextKind::Ended, length);
        self.result_by_model("snprintf", effects, values, target)
    }

    fn result_by_model(
        &mut self,
        name: &str,
        effects: &ExternEffects,
        values: &[Value],
        target: Option<RegisterId>,
    ) -> Step<Followed> {
        match target {
            Some(target) => self.extern_result(name, effects, values, target).map(|()| Followed::Done),
            None => Ok(Followed::Done),
        }
    }

    /// `sprintf` fits where the longest text that the format can give does.
    fn sprintf(
        &mut self,
        effects: &ExternEffects,
        values: &[Value],
        (buffer, format, rest): (Value, Value, &[Value]),
        target: Option<RegisterId>,
    ) -> Step<Followed> {
        let Some(format) = self.format_text(Some(format)) else { return Ok(Followed::ByModel) };
        let Some(Printed { most, exactness }) = self.printed(&format, rest)? else { return Ok(Followed::ByModel) };
        let Some(written) = self.room_for_text("sprintf", buffer, most)? else { return Ok(Followed::ByModel) };
        let length = match exactness {
            Exactness::Exact => most,
            Exactness::AtMost => self.heap.fresh_at_most(0, &[most]),
        };
        self.write_text(written, TextKind::Ended, length);
        self.result_by_model("sprintf", effects, values, target)
    }

    /// How many characters a format gives; none where that is not known.
    fn printed(&mut self, format: &[u8], arguments: &[Value]) -> Step<Option<Printed>> {
        let mut printed = Printed { most: Value::Number(0), exactness: Exactness::Exact };
        let mut arguments = arguments.iter().copied();
        let mut rest = format;
        while let [first, behind @ ..] = rest {
            if *first != b'%' {
                printed.most = self.sum(printed.most, Value::Number(1));
                rest = behind;
                continue;
            }
            let n_flags = behind.iter().take_while(|byte| b"-+ #0".contains(byte)).count();
            let (flags, behind) = behind.split_at(n_flags);
            let n_digits = behind.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let digits = std::str::from_utf8(&behind[..n_digits]).unwrap_or_default();
            let Some(width) = (if digits.is_empty() { Some(0) } else { digits.parse::<i128>().ok() }) else {
                return Ok(None);
            };
            let behind = &behind[n_digits..];
            let n_long = behind.iter().take_while(|byte| b"lhz".contains(byte)).count();
            let [conversion, behind @ ..] = &behind[n_long..] else { return Ok(None) };
            let part = match conversion {
                b'%' => Some(Value::Number(1)),
                // A zero among the characters would end the text.
                b'c' if n_long == 0 => {
                    arguments.next();
                    printed.exactness = Exactness::AtMost;
                    Some(Value::Number(1))
                }
                b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
                    let Some(argument) = arguments.next() else { return Ok(None) };
                    printed.exactness = Exactness::AtMost;
                    let is_long = n_long > 0;
                    Some(Value::Number(self.most_digits(*conversion, flags, is_long, argument)))
                }
                b's' if n_long == 0 => {
                    let Some(text) = arguments.next() else { return Ok(None) };
                    self.text_length(text)?
                }
                _ => None,
            };
            let part = match part {
                Some(part) if width == 0 => part,
                Some(part) => {
                    let Some(range) = self.heap.range(part) else { return Ok(None) };
                    printed.exactness = Exactness::AtMost;
                    Value::Number(range.high.max(width))
                }
                None => return Ok(None),
            };
            printed.most = self.sum(printed.most, part);
            rest = behind;
        }
        Ok(Some(printed))
    }

    /// How many characters a number takes at most, its sign or what a flag puts in front of it included.
    fn most_digits(&self, conversion: u8, flags: &[u8], is_long: bool, argument: Value) -> i128 {
        let in_front = match conversion {
            b'd' | b'i' => i128::from(flags.iter().any(|flag| b"+ ".contains(flag))),
            b'o' => i128::from(flags.contains(&b'#')),
            b'x' | b'X' => 2 * i128::from(flags.contains(&b'#')),
            _ => 0,
        };
        let (low, high) = if is_long {
            (i128::from(i64::MIN), i128::from(i64::MAX))
        } else {
            (i128::from(i32::MIN), i128::from(i32::MAX))
        };
        let range = self.heap.range(argument).filter(|range| low <= range.low && range.high <= high);
        let (low, high) = range.map_or((low, high), |range| (range.low, range.high));
        // What is negative is a large number without its sign.
        let largest = match (low < 0, is_long) {
            (false, _) => high.unsigned_abs(),
            (true, true) => u128::from(u64::MAX),
            (true, false) => u128::from(u32::MAX),
        };
        let digits = match conversion {
            b'd' | b'i' => low.to_string().len().max(high.to_string().len()),
            b'o' => format!("{largest:o}").len(),
            b'x' | b'X' => format!("{largest:x}").len(),
            _ => largest.to_string().len(),
        };
        digits as i128 + in_front
    }

    /// The sum of two lengths: the number that the program computed, or a new one.
    fn sum(&mut self, x: Value, y: Value) -> Value {
        if let Some(sum) = self.heap.known_sum(x, y) {
            return sum;
        }
        let (Some(own), Some(more)) = (self.heap.range(x), self.heap.range(y)) else { return Value::Any };
        let whole = Range { low: own.low + more.low, high: own.high.saturating_add(more.high), without_zero: false };
        let sum = self.heap.fresh(whole);
        for part in [x, y] {
            if let (Value::Symbol(part), Value::Symbol(sum)) = (part, sum) {
                self.heap.remember(part, CompareOperator::LessEqual, sum);
            }
        }
        sum
    }

    /// Room for a text of at most so many characters, and its zero.
    fn room_for_text(&mut self, name: &str, to: Value, length: Value) -> Step<Option<Target>> {
        let Some(range) = self.heap.range(length) else { return Ok(None) };
        let node = to.node().and_then(|node| self.heap.object(node));
        // The size may have been computed from lengths.
        if let (Some(Object { size: Size::Symbol(_), .. }), Value::Symbol(symbol)) = (node, length)
            && let Some(whole @ Value::Symbol(_)) = self.heap.stepped(symbol, 1)
        {
            let before = self.heap.clone();
            match self.target(to, whole) {
                Ok(Some(written)) => return Ok(Some(written)),
                Err(stop @ (Stop::Split(_) | Stop::Infeasible)) => return Err(stop),
                Ok(None) | Err(_) => self.heap = before,
            }
        }
        match self.target(to, Value::Number(range.high.saturating_add(1))) {
            Ok(Some(written)) => Ok(Some(written)),
            Err(stop @ (Stop::Split(_) | Stop::Infeasible)) => Err(stop),
            Err(Stop::Error(..)) if self.has_room(to, range.low + 1) == Some(false) => {
                self.error(Kind::OutOfBounds, format!("`{name}` writes behind the end of an object"))
            }
            Ok(None) | Err(_) => self.gap(SymbolicGap::LibraryWrites { function: name.to_owned() }),
        }
    }

    /// Puts so many characters behind a text, and a zero.
    fn append(&mut self, name: &str, to: Value, added: Value, target: Option<RegisterId>) -> Step<Followed> {
        let Some(length) = self.text_length(to)? else { return Ok(Followed::ByModel) };
        if self.heap.range(length).is_none() || self.heap.range(added).is_none() {
            return Ok(Followed::ByModel);
        }
        let sum = self.sum(length, added);
        let Some(written) = self.room_for_text(name, to, sum)? else { return Ok(Followed::ByModel) };
        self.write_text(written, TextKind::Ended, sum);
        self.returns(target, to)
    }

    /// Whether so many bytes fit behind an address, if that is sure.
    fn has_room(&self, address: Value, bytes: i128) -> Option<bool> {
        let Value::Pointer(pointer) = address else { return None };
        match self.heap.object(pointer.node)?.size {
            Size::Constant(size) => Some(i128::from(pointer.offset) + bytes <= i128::from(size)),
            Size::Symbol(_) => None,
        }
    }

    /// All of so many bytes are written: what is left behind a shorter text is zero.
    fn strncpy(
        &mut self,
        name: &str,
        to: Value,
        length: Value,
        bytes: u64,
        target: Option<RegisterId>,
    ) -> Step<Followed> {
        let Some(written) = self.target(to, Value::Number(i128::from(bytes)))? else {
            return self.gap(SymbolicGap::LibraryWrites { function: name.to_owned() });
        };
        if let Some(object) = self.heap.object_mut(written.node) {
            object.store(written.offset, bytes, Value::Any);
        }
        let is_ended = self.heap.range(length).is_some_and(|range| range.high < i128::from(bytes));
        if is_ended {
            let text = Text { offset: written.offset, kind: TextKind::Ended, length, room: bytes };
            self.set_texts(written.node, [text]);
        }
        self.returns(target, to)
    }

    /// Functions that write as many bytes as their result says (`read`).
    fn counted(
        &mut self,
        name: &str,
        effects: &ExternEffects,
        values: &[Value],
        target: Option<RegisterId>,
    ) -> Step<Followed> {
        let (MemoryEffect::Writes(written), Some(ResultRange { low, high: RangeEnd::Argument(most) })) =
            (&effects.memory, effects.range)
        else {
            return Ok(Followed::ByModel);
        };
        let is_known = matches!(name, "read" | "pread" | "pread64" | "recv" | "fread" | "fread_unlocked" | "readlink");
        let ([parameter], true) = (written.as_slice(), is_known) else { return Ok(Followed::ByModel) };
        let (Some(buffer), Some(most)) = (values.get(*parameter as usize).copied(), values.get(most as usize).copied())
        else {
            return Ok(Followed::ByModel);
        };
        let size = match (name, values.get(1), most) {
            ("fread" | "fread_unlocked", Some(Value::Number(1)), size) => size,
            ("fread" | "fread_unlocked", Some(Value::Number(unit)), Value::Number(count)) => {
                Value::Number(unit.saturating_mul(count))
            }
            ("fread" | "fread_unlocked", _, _) => return Ok(Followed::ByModel),
            (_, _, size) => size,
        };
        let Some(range) = self.heap.range(size).filter(|range| range.low >= 1 && range.high < 1 << 62) else {
            return Ok(Followed::ByModel);
        };
        if !effects
            .dereferences
            .iter()
            .all(|it| it.parameter == *parameter || name == "readlink" || name.starts_with('f'))
        {
            return Ok(Followed::ByModel);
        }
        for dereference in effects.dereferences.iter().filter(|it| it.parameter != *parameter) {
            let Some(value) = values.get(dereference.parameter as usize).copied() else { continue };
            match name {
                "readlink" => self.check_text(name, value)?,
                _ => drop(self.locate(value, 0, Access::Read)?),
            }
        }
        let Some(bytes) = self.target(buffer, size)? else { return Ok(Followed::ByModel) };
        let kind = match effects.written {
            WrittenBytes::Characters => TextKind::Characters,
            WrittenBytes::Any => TextKind::Written,
            WrittenBytes::Text => return Ok(Followed::ByModel),
        };
        let failed = (low < 0).then(|| (self.heap.clone(), Value::Number(i128::from(low))));
        let high = self.heap.range(most).map_or(range.high, |range| range.high);
        let count = self.heap.fresh(Range { low: 0, high, without_zero: false });
        if let (Value::Symbol(count), Value::Symbol(most)) = (count, most) {
            self.heap.remember(count, CompareOperator::LessEqual, most);
        }
        self.write_text(bytes, kind, count);
        let read = (self.heap.clone(), count);
        self.returns_any(target, [read].into_iter().chain(failed))
    }

    /// A text of less than so many bytes is written: how, nothing says.
    pub(super) fn write_any_text(&mut self, address: Value, bytes: u64) -> Step<Option<()>> {
        let is_followed = self.context.numbering == Numbering::On;
        let written = self.target(address, Value::Number(i128::from(bytes)))?;
        let Some(written) = written.filter(|it| is_followed && it.most > 0) else {
            return Ok(None);
        };
        let length = self.heap.fresh_at_most(0, &[Value::Number(i128::from(bytes) - 1)]);
        self.write_text(written, TextKind::Ended, length);
        Ok(Some(()))
    }
}
