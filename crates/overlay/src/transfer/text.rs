//! Texts: what is known of a byte by its place in one, and what becomes of a text that is written into.

use super::memory::Located;
use super::{Executor, Numbering, Step, Stop};
use crate::heap::{
    Bound, Exactness, Heap, Life, NodeId, Object, Pointer, Size, Storage, SymbolId, Text, TextKind, Value,
};
use crate::number::{Range, type_range};
use heapwise_ir::{CompareOperator, Initializer, Place, Type, TypeId};

/// A text, and how far behind its first byte an address lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Within {
    pub node: NodeId,
    pub text: Text,
    pub position: Bound,
}

/// What is known of a byte that is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Byte {
    Zero,
    NotZero,
    Any,
    /// Perhaps none: what was never written is copied.
    Unset,
}

/// How far behind the start of a stretch at `offset` an address lies.
fn position(address: Value, offset: u64) -> Option<(NodeId, Bound)> {
    let (pointer, index) = match address {
        Value::Pointer(pointer) => (pointer, None),
        Value::Indexed { pointer, index, scale: 1 } => (pointer, Some(index)),
        _ => return None,
    };
    let further = pointer.offset.checked_sub(i64::try_from(offset).ok()?)?;
    let position = match index {
        None => Bound::number(i128::from(further)),
        Some(index) => Bound::new(Value::Symbol(index), further),
    };
    Some((pointer.node, position))
}

impl Heap {
    /// Whether `x <= y` is known to hold.
    pub(crate) fn is_at_most(&self, x: Bound, y: Bound) -> bool {
        x == y || self.is_below(y, x) == Some(false)
    }

    /// A new number that is at most each of these.
    pub(crate) fn fresh_at_most(&mut self, low: i128, bounds: &[Value]) -> Value {
        let highs = bounds.iter().filter_map(|bound| self.range(*bound)).map(|range| range.high);
        let high = highs.min().unwrap_or(i128::MAX).max(low);
        let value = self.fresh(Range { low, high, without_zero: false });
        if let Value::Symbol(number) = value {
            for bound in bounds.iter().filter_map(|bound| bound.symbol()) {
                self.remember(number, CompareOperator::LessEqual, bound);
            }
        }
        value
    }
}

impl Executor<'_, '_> {
    /// Whether bytes of the cell stay as they are until they are written.
    fn holds_texts(&self, object: &Object) -> bool {
        let is_foreign = matches!(object.storage, Storage::Global(global)
            if matches!(self.context.program.globals[global].initializer, Initializer::Unknown | Initializer::Library(_)));
        // How far an index is from the end of a text is known by how it was computed.
        self.context.numbering == Numbering::On
            && object.life == Life::Alive
            && object.storage != Storage::Outside
            && !is_foreign
    }

    /// The text that begins at a byte of a cell. What the bytes themselves say is remembered from now on.
    pub(crate) fn text_from(&mut self, node: NodeId, offset: u64) -> Option<Text> {
        let object = self.heap.object(node).filter(|object| self.holds_texts(object))?;
        if let Storage::Literal(global) = object.storage {
            let Size::Constant(size) = object.size else { return None };
            let Initializer::Bytes(bytes) = &self.context.program.globals[global].initializer else { return None };
            let bytes = bytes.get(usize::try_from(offset).ok()?..)?;
            // Behind the bytes that are written out there are zeros.
            let length = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len()) as u64;
            let is_ended = offset.saturating_add(length) < size;
            let kind = TextKind::Ended;
            let length = i128::from(length);
            return is_ended.then_some(Text { offset, kind, length: Value::Number(length), room: Text::WHOLE });
        }
        if let Some(text) = object.text(offset).filter(|text| text.kind == TextKind::Ended) {
            return Some(text);
        }
        let size = match object.size {
            Size::Constant(size) => size,
            Size::Symbol(symbol) => u64::try_from(self.heap.symbol(symbol).low).unwrap_or(0),
        };
        let (exactness, length) = object.text_by_bytes(offset, size)?;
        let most = Value::Number(i128::from(length));
        let length = match exactness {
            Exactness::Exact => most,
            Exactness::AtMost => self.heap.fresh_at_most(0, &[most]),
        };
        let room = match most {
            Value::Number(most) => u64::try_from(most + 1).unwrap_or(Text::WHOLE),
            _ => Text::WHOLE,
        };
        let text = Text { offset, kind: TextKind::Ended, length, room };
        if let Some(object) = self.heap.object_mut(node) {
            object.set_text(text);
        }
        Some(text)
    }

    /// The texts that an address may lie in.
    fn texts_around(&self, address: Value) -> Vec<Within> {
        let Some(node) = address.node().filter(|node| node.level() == 0) else { return Vec::new() };
        let Some(object) = self.heap.object(node).filter(|object| self.holds_texts(object)) else { return Vec::new() };
        let within =
            |text: &Text| position(address, text.offset).map(|(node, position)| Within { node, text: *text, position });
        let mut found: Vec<Within> = object.texts.iter().filter_map(within).collect();
        if let (Storage::Literal(global), Size::Constant(size)) = (object.storage, object.size)
            && let Initializer::Bytes(bytes) = &self.context.program.globals[global].initializer
        {
            let length = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
            let length = Value::Number(length as i128);
            let text = Text { offset: 0, kind: TextKind::Ended, length, room: Text::WHOLE };
            found.extend(within(&text).filter(|_| text.end() <= size));
        }
        found
    }

    /// The text of which an address is a part or the end: it begins there for who looks at it from there on.
    fn text_around(&self, address: Value) -> Option<Within> {
        self.texts_around(address).into_iter().find(|within| {
            within.text.kind == TextKind::Ended
                && self.heap.is_at_most(Bound::ZERO, within.position)
                && self.heap.is_at_most(within.position, Bound::new(within.text.length, 0))
        })
    }

    /// How many characters the text at an address has, if there is one.
    pub(crate) fn text_length(&mut self, address: Value) -> Step<Option<Value>> {
        if let Value::Pointer(pointer) | Value::Indexed { pointer, .. } = address {
            self.cell(pointer)?;
        }
        if let Some(Within { text, position, .. }) = self.text_around(address) {
            return Ok(Some(self.length_from(text.length, position)));
        }
        let Value::Pointer(pointer) = address else { return Ok(None) };
        let Ok(offset) = u64::try_from(pointer.offset) else { return Ok(None) };
        Ok(self.text_from(pointer.node, offset).map(|text| text.length))
    }

    /// `length - position`, where that is not negative.
    fn length_from(&mut self, length: Value, position: Bound) -> Value {
        match (length, position.base) {
            (_, Value::Number(0)) => length,
            (Value::Number(length), Value::Number(number)) => Value::Number((length - number).max(0)),
            (Value::Symbol(symbol), Value::Number(number)) => {
                let range = self.heap.symbol(symbol);
                let moved =
                    Range { low: (range.low - number).max(0), high: (range.high - number).max(0), without_zero: false };
                let rest = self.heap.fresh(moved);
                self.heap.note_linear(rest, length, 1, -number);
                rest
            }
            (length, _) => self.heap.fresh_at_most(0, &[length]),
        }
    }

    /// A byte that is loaded by what is known of the text that it lies in; none if that says nothing of it.
    pub(crate) fn load_character(&mut self, place: &Place, address: Value) -> Step<Option<Value>> {
        let Some(int) = self.context.integer_type(place.ty).filter(|int| int.bytes() == 1) else { return Ok(None) };
        if let Value::Pointer(pointer) | Value::Indexed { pointer, .. } = address {
            self.cell(pointer)?;
        }
        self.note_text(place, address);
        for Within { node, text, position } in self.texts_around(address) {
            let end = Bound::new(text.length, 0);
            if !self.heap.is_at_most(Bound::ZERO, position) {
                continue;
            }
            let is_before_end = self.heap.is_below(position, end);
            if is_before_end == Some(true) {
                self.keep_within(position, end);
                let exact = match address {
                    Value::Pointer(pointer) => self.known_byte(node, pointer, place.ty)?,
                    _ => None,
                };
                let whole = type_range(int);
                let range = match text.kind {
                    TextKind::Written => whole,
                    TextKind::Characters | TextKind::Ended if whole.low < 0 => Range { without_zero: true, ..whole },
                    TextKind::Characters | TextKind::Ended => Range { low: 1, ..whole },
                };
                return Ok(Some(match exact {
                    Some(known) => known,
                    None => self.heap.fresh(range),
                }));
            }
            if text.kind != TextKind::Ended || !self.heap.is_at_most(position, end) {
                continue;
            }
            if is_before_end == Some(false) {
                self.keep_within(position, end);
                return Ok(Some(Value::ZERO));
            }
            if let Some(cases) = self.heap.told_apart(position, end) {
                let [before, at_end] = cases;
                let at_end = at_end.map(|mut heap| {
                    if let (Value::Symbol(index), Value::Symbol(length), 0) = (position.base, end.base, position.plus)
                        && let Some(range) = heap.symbol(index).meet(heap.symbol(length))
                        && range.single().is_none()
                    {
                        heap.narrow(length, range);
                        heap.substitute_symbol(index, Value::Symbol(length));
                    }
                    heap
                });
                return Err(Stop::Split(before.into_iter().chain(at_end).collect()));
            }
        }
        Ok(None)
    }

    /// What a byte holds if that is known better than by the text around it.
    fn known_byte(&mut self, node: NodeId, pointer: Pointer, ty: TypeId) -> Step<Option<Value>> {
        let Ok(offset) = u64::try_from(pointer.offset) else { return Ok(None) };
        let Some(object) = self.heap.object(node) else { return Ok(None) };
        let is_literal = matches!(object.storage, Storage::Literal(_));
        let is_free = !object.array.as_ref().is_some_and(|array| array.overlaps(offset, 1));
        if is_literal || is_free && matches!(object.load(offset, 1), Value::Number(_)) {
            return self.load_at(Located::Exact(node, offset), 1, ty).map(Some);
        }
        Ok(None)
    }

    /// An index that is not beyond the end of a text has not more values than that.
    fn keep_within(&mut self, position: Bound, end: Bound) {
        let (Value::Symbol(index), Some(range)) = (position.base, self.heap.range(end.base)) else { return };
        let high = range.high.saturating_sub(i128::from(position.plus));
        let known = self.heap.symbol(index);
        if high < known.high
            && let Some(less) = known.meet(Range { low: i128::MIN, high, without_zero: false })
        {
            self.heap.narrow(index, less);
        }
    }

    /// A text that the bytes of an array of characters say, where its first one is looked at.
    fn note_text(&mut self, place: &Place, address: Value) {
        let program = self.context.program;
        let is_character = |ty: TypeId| matches!(program.ty(ty), Type::Int(int) if int.bytes() == 1);
        let is_array = match program.ty(place.path.view) {
            Type::Array(element, _) => is_character(*element),
            Type::Int(int) => int.bytes() == 1,
            Type::Void | Type::Float(_) | Type::Pointer(_) | Type::Record(_) | Type::Function(_) => false,
        };
        let Value::Pointer(pointer) = address else { return };
        let Ok(offset) = u64::try_from(pointer.offset) else { return };
        if is_array
            && self.texts_around(address).is_empty()
            && self.heap.object(pointer.node).is_some_and(|object| object.size != Size::Constant(1))
        {
            self.text_from(pointer.node, offset);
        }
    }

    /// The stretch of bytes that an address lies in where a text says that it lies within its cell.
    pub(crate) fn located_in_text(&mut self, address: Value) -> Step<Option<Located>> {
        let Value::Indexed { pointer, .. } = address else { return Ok(None) };
        self.cell(pointer)?;
        let Some(Within { node, text, position }) = self.text_around(address) else {
            return Ok(self.located_below_size(address));
        };
        let Some(object) = self.heap.object(node).filter(|object| object.array.is_none()) else { return Ok(None) };
        if matches!(object.storage, Storage::Literal(_)) {
            return Ok(None);
        }
        self.keep_within(position, Bound::new(text.length, 0));
        let Some(range) = self.heap.range(position.base) else { return Ok(None) };
        let at = |number: i128| {
            let further = number.checked_add(i128::from(position.plus))?.max(0);
            u64::try_from(further).ok()?.checked_add(text.offset)
        };
        let (Some(start), Some(last)) = (at(range.low), at(range.high)) else { return Ok(None) };
        Ok(Some(if start == last {
            Located::Exact(node, start)
        } else {
            Located::Somewhere { node, start, bytes: last - start + 1 }
        }))
    }

    /// The same, where the size of the cell says so.
    fn located_below_size(&mut self, address: Value) -> Option<Located> {
        let Value::Indexed { pointer, index, scale: 1 } = address else { return None };
        let object = self.heap.object(pointer.node).filter(|object| self.holds_texts(object))?;
        let Size::Symbol(size) = object.size else { return None };
        if object.texts.is_empty() || object.array.is_some() || !self.is_below_size(pointer.offset, (index, 1), size, 1)
        {
            return None;
        }
        let range = self.heap.symbol(index);
        let at = |number: i128| u64::try_from(number.checked_add(i128::from(pointer.offset))?).ok();
        let (start, last) = (at(range.low)?, at(range.high)?);
        Some(Located::Somewhere { node: pointer.node, start, bytes: last - start + 1 })
    }

    /// The texts of a cell after one byte of it is written, by what was known of them before.
    pub(crate) fn texts_after(&mut self, address: Value, value: Value) -> Vec<Text> {
        let byte = match value {
            Value::Uninitialised | Value::Top => Byte::Unset,
            Value::Number(number) if number & 0xff == 0 => Byte::Zero,
            Value::Number(_) => Byte::NotZero,
            Value::Symbol(symbol) => {
                let range = self.heap.symbol(symbol);
                let is_byte = range.low >= -128 && range.high <= 255;
                if is_byte && !range.contains(0) { Byte::NotZero } else { Byte::Any }
            }
            Value::Any | Value::Function(_) | Value::Pointer(_) | Value::Indexed { .. } | Value::Library => Byte::Any,
        };
        let mut texts = Vec::new();
        for within in self.texts_around(address) {
            texts.extend(self.text_after(within, byte));
        }
        if byte == Byte::Zero
            && let Some(text) = self.text_ended_by(address)
            && !texts.iter().any(|known: &Text| known.offset == text.offset && known.kind == TextKind::Ended)
        {
            texts.retain(|known| known.offset != text.offset);
            texts.push(text);
        }
        texts
    }

    /// What becomes of a text when a byte is written there.
    fn text_after(&mut self, Within { text, position, .. }: Within, byte: Byte) -> Option<Text> {
        let end = Bound::new(text.length, 0);
        let heap = &self.heap;
        if heap.is_below(position, Bound::ZERO) == Some(true) {
            return Some(text);
        }
        let is_behind = match text.kind {
            TextKind::Ended => heap.is_below(end, position) == Some(true),
            TextKind::Written | TextKind::Characters => heap.is_at_most(end, position),
        };
        let is_inside = heap.is_below(position, end) == Some(true);
        let is_not_behind = heap.is_at_most(position, end);
        let is_at_end = is_not_behind && heap.is_at_most(end, position);
        if !heap.is_at_most(Bound::ZERO, position) || byte == Byte::Unset && !is_behind {
            return None;
        }
        let plain_position = match position {
            Bound { base: base @ Value::Number(_), .. } | Bound { base: base @ Value::Symbol(_), plus: 0 } => {
                Some(base)
            }
            _ => None,
        };
        match (text.kind, byte) {
            // The byte that ends the characters makes a text of them.
            (TextKind::Characters, Byte::Zero) if is_at_end => {
                Some(Text { kind: TextKind::Ended, room: text.room.saturating_add(1), ..text })
            }
            _ if is_behind && !(is_at_end && byte == Byte::Zero) => Some(text),
            (TextKind::Ended | TextKind::Characters, Byte::Zero) if is_not_behind => {
                // The first zero is here now: the characters before it are as they were.
                let length = match plain_position {
                    Some(length) => length,
                    None => self.heap.fresh_at_most(0, &[text.length]),
                };
                let room = text.room.saturating_add(1);
                Some(Text { kind: TextKind::Ended, length, room, ..text })
            }
            // The first zero is here or where it was.
            (TextKind::Ended, Byte::Zero) => {
                let mut bounds = vec![text.length];
                bounds.extend(plain_position);
                let length = self.heap.fresh_at_most(0, &bounds);
                Some(Text { length, ..text })
            }
            (TextKind::Ended, Byte::NotZero) if is_inside => Some(text),
            (TextKind::Ended, Byte::Any) if is_inside => {
                let length = self.heap.fresh_at_most(0, &[text.length]);
                Some(Text { length, ..text })
            }
            (TextKind::Characters, Byte::NotZero) => Some(text),
            (TextKind::Characters, Byte::Any | Byte::Zero) => Some(Text { kind: TextKind::Written, ..text }),
            (TextKind::Written, Byte::Zero) if is_not_behind => {
                let mut bounds = vec![text.length];
                bounds.extend(plain_position);
                let length = self.heap.fresh_at_most(0, &bounds);
                let room = text.room.saturating_add(1);
                Some(Text { kind: TextKind::Ended, length, room, ..text })
            }
            (TextKind::Written, Byte::Zero | Byte::NotZero | Byte::Any) => Some(text),
            (TextKind::Ended, Byte::NotZero | Byte::Any) => None,
            (TextKind::Ended | TextKind::Characters | TextKind::Written, Byte::Unset) => None,
        }
    }

    /// A zero behind bytes all of which were written ends a text.
    fn text_ended_by(&mut self, address: Value) -> Option<Text> {
        let Value::Indexed { pointer, index, scale: 1 } = address else { return None };
        let offset = u64::try_from(pointer.offset).ok()?;
        let range = self.heap.symbol(index);
        let most = u64::try_from(range.high).ok().filter(|_| range.low >= 0)?;
        let object = self.heap.object(pointer.node).filter(|object| self.holds_texts(object))?;
        let unset = |value: Value| matches!(value, Value::Uninitialised | Value::Top);
        if object.pieces(offset, most).iter().any(|piece| unset(piece.value)) {
            return None;
        }
        let length = self.heap.fresh_at_most(0, &[Value::Symbol(index)]);
        Some(Text { offset, kind: TextKind::Ended, length, room: most.saturating_add(1) })
    }

    /// Puts texts back, or new ones in.
    pub(crate) fn set_texts(&mut self, node: NodeId, texts: impl IntoIterator<Item = Text>) {
        let is_held = self.heap.object(node).is_some_and(|object| self.holds_texts(object) && object.array.is_none());
        if !is_held {
            return;
        }
        for text in texts {
            let is_whole = self.is_whole(node, text);
            let Some(object) = self.heap.object_mut(node) else { return };
            object.set_text(text);
            if is_whole {
                object.fields.clear();
                object.rest = Value::Any;
            }
            object.settle_text(text);
        }
    }

    /// What is known of so many bytes from an address on, by a text that begins there.
    pub(crate) fn text_copied(&self, address: Value, len: SymbolId) -> Option<(TextKind, Value)> {
        let copied = Bound::new(Value::Symbol(len), 0);
        self.texts_around(address).into_iter().filter(|within| within.position == Bound::ZERO).find_map(|within| {
            let Text { kind, length, .. } = within.text;
            let end = Bound::new(length, 0);
            let is_whole = self.heap.is_at_most(copied, end.moved(1)) && self.heap.is_at_most(end.moved(1), copied);
            match kind {
                TextKind::Ended if is_whole => Some((TextKind::Ended, length)),
                TextKind::Ended | TextKind::Characters if self.heap.is_at_most(copied, end) => {
                    Some((TextKind::Characters, Value::Symbol(len)))
                }
                TextKind::Ended if self.heap.is_at_most(copied, end.moved(1)) => {
                    Some((TextKind::Written, Value::Symbol(len)))
                }
                TextKind::Written if self.heap.is_at_most(copied, end) => Some((TextKind::Written, Value::Symbol(len))),
                TextKind::Ended | TextKind::Characters | TextKind::Written => None,
            }
        })
    }

    /// Whether a text fills a cell whose size is a symbol: all its bytes were written.
    fn is_whole(&self, node: NodeId, text: Text) -> bool {
        let Some(Size::Symbol(size)) = self.heap.object(node).map(|object| object.size) else { return false };
        let (size, end) = (Bound::new(Value::Symbol(size), 0), Bound::new(text.length, 0));
        let end = if text.kind == TextKind::Ended { end.moved(1) } else { end };
        text.offset == 0 && self.heap.is_at_most(size, end)
    }

    /// What is known of a text of which the bytes between two are copied.
    pub(crate) fn part_copied(&self, text: Text, from: u64, end: u64) -> Option<Text> {
        if text.offset >= from && text.end() <= end {
            return Some(Text { room: text.end() - text.offset, ..text });
        }
        let copied = end.checked_sub(text.offset).filter(|_| text.offset >= from)?;
        let length = Value::Number(i128::from(copied));
        let is_covered = self.heap.is_at_most(Bound::new(length, 0), Bound::new(text.length, 0));
        let kind = text.kind.min(TextKind::Characters);
        is_covered.then_some(Text { kind, length, room: copied, ..text })
    }

    /// Whether something is known of the bytes behind an address that fields do not say.
    pub(crate) fn leads_to_text(&self, address: Value) -> bool {
        !self.texts_around(address).is_empty()
    }
}
