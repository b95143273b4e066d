//! Texts: what is known of a byte by its place in one, and what becomes of a text that is written into.

use super::array::dissolved;
use super::memory::Located;
use super::{Executor, Numbering, Step, Stop};
use crate::heap::{
    Bound, Content, Exactness, Heap, Life, Node, NodeId, Object, Pointer, PortId, Prototype, Segment, Size, Storage,
    SymbolId, Text, TextKind, Value,
};
use crate::number::{Range, type_range};
use heapwise_engine::Kind;
use heapwise_ir::{CompareOperator, Initializer, Place, Type, TypeId};
use smallvec::{SmallVec, smallvec};
use std::rc::Rc;

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
        let known = object.texts_at(offset).find(|text| text.kind.has_zero());
        if let Some(text) = known {
            if text.kind == TextKind::Ended {
                return Some(text);
            }
            // Its first zero is that one or another before it.
            let ended = Text { kind: TextKind::Ended, length: self.heap.fresh_at_most(0, &[text.length]), ..text };
            if let Some(object) = self.heap.object_mut(node) {
                object.set_text(ended);
            }
            return Some(ended);
        }
        let object = self.heap.object(node)?;
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

    /// The texts that an address may lie in: those of which more is known come first.
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
        found.sort_by_key(|within| std::cmp::Reverse(within.text.kind));
        found
    }

    /// The text of which an address is a part or the end: it begins there for who looks at it from there on.
    fn text_around(&self, address: Value) -> Option<Within> {
        self.texts_around(address).into_iter().find(|within| {
            within.text.kind.has_zero()
                && self.heap.is_at_most(Bound::ZERO, within.position)
                && self.heap.is_at_most(within.position, Bound::new(within.text.length, 0))
        })
    }

    /// Where the text begins that an address is a place of, how long it is, and how far behind its start the place lies.
    pub(crate) fn place_in_text(&mut self, address: Value) -> Option<(Pointer, Value, Value)> {
        let Within { node, text, position } = self.text_around(address)?;
        let first = match position.base {
            Value::Symbol(index) => self.heap.stepped(index, position.plus)?,
            base => base,
        };
        let offset = i64::try_from(text.offset).ok()?;
        let Value::Pointer(pointer) = Value::pointer(node, offset) else { return None };
        Some((pointer, text.length, first))
    }

    /// Whether the text around an address is known up to its first zero.
    pub(crate) fn is_up_to_zero(&self, address: Value) -> bool {
        self.text_around(address).is_some_and(|within| within.text.kind == TextKind::Ended)
    }

    /// A text of which the byte at an address is one.
    fn text_holding(&self, address: Value) -> Option<Within> {
        self.texts_around(address).into_iter().find(|Within { text, position, .. }| {
            let end = Bound::new(text.length, 0);
            let is_inside = self.heap.is_below(*position, end) == Some(true)
                || text.kind.has_zero() && self.heap.is_at_most(*position, end);
            is_inside && self.heap.is_at_most(Bound::ZERO, *position)
        })
    }

    /// How many characters the text at an address has, if there is one.
    pub(crate) fn text_length(&mut self, address: Value) -> Step<Option<Value>> {
        if let Value::Pointer(pointer) | Value::Indexed { pointer, .. } = address {
            self.cell(pointer)?;
        }
        if let Value::Pointer(pointer) = address {
            self.see_text_of_array(pointer)?;
        }
        let around = self.text_around(address);
        if let Some(Within { text, position, .. }) = around.filter(|within| within.text.kind == TextKind::Ended) {
            return Ok(Some(self.length_from(text.length, position)));
        }
        if let Value::Pointer(pointer) = address
            && let Ok(offset) = u64::try_from(pointer.offset)
            && let Some(text) = self.text_from(pointer.node, offset)
        {
            return Ok(Some(text.length));
        }
        let Some(Within { text, position, .. }) = around else { return Ok(None) };
        let most = self.length_from(text.length, position);
        Ok(Some(self.heap.fresh_at_most(0, &[most])))
    }

    /// `length - position`, where that is not negative. That both together are `length` is remembered.
    fn length_from(&mut self, length: Value, position: Bound) -> Value {
        match (length, position.base) {
            (_, Value::Number(0)) => length,
            (Value::Number(length), Value::Number(number)) => Value::Number((length - number).max(0)),
            (Value::Symbol(symbol), Value::Number(number)) => {
                let range = self.heap.symbol(symbol);
                if range.low >= number
                    && let Some(rest) = i64::try_from(-number).ok().and_then(|steps| self.heap.stepped(symbol, steps))
                {
                    return rest;
                }
                let moved =
                    Range { low: (range.low - number).max(0), high: (range.high - number).max(0), without_zero: false };
                let rest = self.heap.fresh(moved);
                self.heap.note_linear(rest, length, 1, -number);
                rest
            }
            (length, Value::Symbol(index)) => {
                let Some(index) = self.heap.stepped(index, position.plus) else {
                    return self.heap.fresh_at_most(0, &[length]);
                };
                let high = self.heap.range(length).map_or(i128::MAX, |range| range.high);
                let low = self.heap.range(index).map_or(0, |range| range.low.max(0));
                let most = Range { low: 0, high: (high - low).max(0), without_zero: false };
                let rest = self.heap.computed(Heap::DIFFERENCE, length, index, most);
                if let (Value::Symbol(rest), Value::Symbol(length)) = (rest, length) {
                    self.heap.remember(rest, CompareOperator::LessEqual, length);
                }
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
                    TextKind::Written | TextKind::Terminated => whole,
                    TextKind::Characters | TextKind::Ended if whole.low < 0 => Range { without_zero: true, ..whole },
                    TextKind::Characters | TextKind::Ended => Range { low: 1, ..whole },
                };
                return Ok(Some(match exact {
                    Some(known) => known,
                    None => self.heap.fresh(range),
                }));
            }
            if !text.kind.has_zero() || !self.heap.is_at_most(position, end) {
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
        let Some(Within { node, text, position }) = self.text_holding(address) else {
            return match self.located_at_end(address)? {
                Some(located) => Ok(Some(located)),
                None => Ok(self.located_below_size(address)),
            };
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

    /// The same for the byte behind what was written: it is one of the cell, or that is an error.
    fn located_at_end(&mut self, address: Value) -> Step<Option<Located>> {
        let Value::Indexed { pointer, index, scale: 1 } = address else { return Ok(None) };
        let is_end = |Within { text, position, .. }: &Within| {
            let end = Bound::new(text.length, 0);
            !text.kind.has_zero() && self.heap.is_at_most(*position, end) && self.heap.is_at_most(end, *position)
        };
        let Some(object) = self.heap.object(pointer.node).filter(|object| object.array.is_none()) else {
            return Ok(None);
        };
        let (Size::Constant(size), false) = (object.size, matches!(object.storage, Storage::Literal(_))) else {
            return Ok(None);
        };
        if !self.texts_around(address).iter().any(is_end) {
            return Ok(None);
        }
        let (first, last) = (-i128::from(pointer.offset), i128::from(size) - 1 - i128::from(pointer.offset));
        let allowed = Range { low: first, high: last, without_zero: false };
        const OUTSIDE: &str = "bytes outside of an object are accessed";
        self.require_within(Value::Symbol(index), allowed, Kind::OutOfBounds, OUTSIDE)?;
        let range = self.heap.symbol(index);
        let at = |number: i128| u64::try_from(number + i128::from(pointer.offset)).ok();
        let (Some(start), Some(end)) = (at(range.low), at(range.high)) else { return Ok(None) };
        Ok(Some(Located::Somewhere { node: pointer.node, start, bytes: end - start + 1 }))
    }

    /// A zero was written to an element of an array: where it ends characters, they are a text. (Where all before it is zero,
    /// as in a table of flags, what each element holds says more.)
    pub(crate) fn see_text_ended_in(&mut self, slot: NodeId) -> Step<()> {
        if self.heap.object(slot).is_none_or(|object| object.storage != Storage::Element) {
            return Ok(());
        }
        let Some((cell, _)) = self.heap.array_of(slot) else { return Ok(()) };
        let Some(array) = self.heap.array(cell).filter(|array| array.stride == 1) else { return Ok(()) };
        let Ok(offset) = i64::try_from(array.start) else { return Ok(()) };
        let holds_other = |content: &Content| match content {
            Content::Slot(value) => {
                let found = value.node().and_then(|node| self.heap.object(node));
                found.is_some_and(|object| object.load(0, 1) != Value::ZERO)
            }
            Content::Summary(elements) => {
                elements.iter().any(|element| match element.nodes.first().map(|node| &**node) {
                    Some(Node::Object(object)) => object.load(0, 1) != Value::ZERO,
                    Some(Node::Instance(_)) | None => false,
                })
            }
        };
        let is_here = |segment: &&Segment| segment.content == Content::Slot(Value::pointer(slot, 0));
        let before: Vec<&Segment> = array.segments.iter().take_while(|segment| !is_here(segment)).collect();
        if !before.is_empty() && !before.iter().any(|segment| holds_other(&segment.content)) {
            return Ok(());
        }
        self.see_text_of_array(Pointer { node: cell, port: PortId::FIRST, offset })
    }

    /// An array of characters of which the first ones were written, and then a zero, is a text from now on.
    fn see_text_of_array(&mut self, pointer: Pointer) -> Step<()> {
        let Some(array) = self.heap.array(pointer.node) else { return Ok(()) };
        if array.stride != 1 || i64::try_from(array.start) != Ok(pointer.offset) {
            return Ok(());
        }
        let mut zero = None;
        for (start, segment) in array.parts() {
            let values: Vec<Value> = match &segment.content {
                Content::Slot(value) => {
                    let slot = value.node().and_then(|slot| self.heap.object(slot));
                    slot.map(|slot| slot.load(0, 1)).into_iter().collect()
                }
                Content::Summary(elements) => {
                    let first = |element: &Rc<Prototype>| match element.nodes.first().map(|node| &**node) {
                        Some(Node::Object(object)) => object.load(0, 1),
                        Some(Node::Instance(_)) | None => Value::Top,
                    };
                    elements.iter().map(first).collect()
                }
            };
            if values.is_empty() || values.iter().any(|value| matches!(value, Value::Uninitialised | Value::Top)) {
                break;
            }
            let is_there = self.heap.is_below(start, segment.end) == Some(true);
            if is_there && values.iter().all(|value| *value == Value::ZERO) {
                zero = Some(start);
                break;
            }
        }
        let Some(zero) = zero else { return Ok(()) };
        let offset = array.start;
        let Some(mut heap) = dissolved(&self.heap, pointer.node) else { return Ok(()) };
        let length = match zero.base {
            Value::Symbol(symbol) => heap.stepped(symbol, zero.plus),
            base => Some(base),
        };
        let (Some(length), Some(object)) = (length, heap.object_mut(pointer.node)) else { return Ok(()) };
        object.set_text(Text { offset, kind: TextKind::Terminated, length, room: Text::WHOLE });
        Err(Stop::Split(vec![heap]))
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
        let mut found: SmallVec<[(Text, TextKind); 4]> = SmallVec::new();
        for within in self.texts_around(address) {
            found.extend(self.text_after(within, byte).into_iter().map(|text| (text, within.text.kind)));
        }
        if byte == Byte::Zero {
            found.extend(self.text_ended_by(address).map(|text| (text, TextKind::Written)));
        }
        // Each of them is true: of those that say the same of zeros, one that ends with one says more, and so does the longer one.
        found.sort_by_key(|(text, before)| {
            let is_longer = before.has_no_zero_within() == text.kind.has_no_zero_within();
            std::cmp::Reverse((text.kind.has_zero(), is_longer))
        });
        let mut texts: Vec<Text> = Vec::new();
        for (text, _) in found {
            if !texts.iter().any(|known| known.is_instead_of(&text)) {
                texts.push(text);
            }
        }
        texts
    }

    /// What becomes of a text when a byte is written there.
    fn text_after(&mut self, Within { node, text, position }: Within, byte: Byte) -> SmallVec<[Text; 2]> {
        let end = Bound::new(text.length, 0);
        let heap = &self.heap;
        if heap.is_below(position, Bound::ZERO) == Some(true) {
            return smallvec![text];
        }
        let is_behind = match text.kind.has_zero() {
            true => heap.is_below(end, position) == Some(true),
            false => heap.is_at_most(end, position),
        };
        let is_inside = heap.is_below(position, end) == Some(true);
        let is_not_behind = heap.is_at_most(position, end);
        let is_at_end = is_not_behind && heap.is_at_most(end, position);
        if !heap.is_at_most(Bound::ZERO, position) || byte == Byte::Unset && !is_behind {
            return SmallVec::new();
        }
        let with = |kind: TextKind| Text { kind, ..text };
        match (text.kind, byte) {
            // The byte that ends the characters makes a text of them.
            (TextKind::Characters, Byte::Zero) if is_at_end => {
                smallvec![Text { kind: TextKind::Ended, room: text.room.saturating_add(1), ..text }]
            }
            (TextKind::Written, Byte::Zero) if is_at_end => {
                smallvec![Text { kind: TextKind::Terminated, room: text.room.saturating_add(1), ..text }]
            }
            // One more.
            (TextKind::Characters | TextKind::Ended, Byte::NotZero) if is_at_end => {
                self.longer(node, text, TextKind::Characters).into_iter().collect()
            }
            (TextKind::Characters | TextKind::Ended, Byte::Any) if is_at_end => {
                let written = self.longer(node, text, TextKind::Written);
                [with(TextKind::Characters)].into_iter().chain(written).collect()
            }
            (TextKind::Written | TextKind::Terminated, Byte::NotZero | Byte::Any) if is_at_end => {
                self.longer(node, text, TextKind::Written).into_iter().collect()
            }
            _ if is_behind => smallvec![text],
            // The first zero is here now: the characters before it are as they were.
            (TextKind::Ended | TextKind::Characters, Byte::Zero) if is_not_behind => {
                let length = match position.base {
                    Value::Symbol(index) => self.heap.stepped(index, position.plus),
                    base => Some(base),
                };
                let length = length.unwrap_or_else(|| self.heap.fresh_at_most(0, &[text.length]));
                let ended = Text { kind: TextKind::Ended, length, room: text.room.saturating_add(1), ..text };
                let whole = with(if text.kind == TextKind::Ended { TextKind::Terminated } else { TextKind::Written });
                if is_at_end { smallvec![ended] } else { smallvec![ended, whole] }
            }
            // The first zero is here or where it was.
            (TextKind::Ended, Byte::Zero) => {
                let mut bounds = vec![text.length];
                bounds.extend(Some(position.base).filter(|_| position.plus == 0));
                let length = self.heap.fresh_at_most(0, &bounds);
                smallvec![Text { length, ..text }, with(TextKind::Terminated)]
            }
            (TextKind::Ended, Byte::Any) if is_inside => {
                let length = self.heap.fresh_at_most(0, &[text.length]);
                smallvec![Text { length, ..text }, with(TextKind::Terminated)]
            }
            (TextKind::Ended, Byte::NotZero) if is_inside => smallvec![text],
            // What was no zero is none now.
            (TextKind::Ended | TextKind::Characters, Byte::NotZero) => smallvec![with(TextKind::Characters)],
            (TextKind::Ended | TextKind::Characters, Byte::Any | Byte::Zero) => smallvec![with(TextKind::Written)],
            (TextKind::Terminated, Byte::Zero) => smallvec![text],
            (TextKind::Terminated, Byte::NotZero | Byte::Any) if is_inside => smallvec![text],
            (TextKind::Terminated, Byte::NotZero | Byte::Any) => smallvec![with(TextKind::Written)],
            (TextKind::Written, Byte::Zero) if is_not_behind => {
                let mut bounds = vec![text.length];
                bounds.extend(Some(position.base).filter(|_| position.plus == 0));
                let length = self.heap.fresh_at_most(0, &bounds);
                smallvec![Text { kind: TextKind::Ended, length, room: text.room.saturating_add(1), ..text }, text]
            }
            (TextKind::Written, Byte::Zero | Byte::NotZero | Byte::Any) => smallvec![text],
            (TextKind::Ended | TextKind::Terminated | TextKind::Characters | TextKind::Written, Byte::Unset) => {
                SmallVec::new()
            }
        }
    }

    /// The text and the byte behind its characters, as a stretch of that kind.
    fn longer(&mut self, node: NodeId, text: Text, kind: TextKind) -> Option<Text> {
        let length = match text.length {
            Value::Symbol(symbol) => self.heap.stepped(symbol, 1)?,
            Value::Number(number) => Value::Number(number + 1),
            _ => return None,
        };
        let room = match self.heap.object(node)?.size {
            Size::Constant(size) => size.saturating_sub(text.offset),
            Size::Symbol(_) => Text::WHOLE,
        };
        Some(Text { kind, length, room, ..text })
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
        if !self.heap.object(node).is_some_and(|object| self.holds_texts(object)) {
            return;
        }
        for text in texts {
            let array = self.heap.array(node);
            if array.is_some_and(|array| array.overlaps(text.offset, text.end().saturating_sub(text.offset))) {
                continue;
            }
            let is_whole = array.is_none() && self.is_whole(node, text);
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
    pub(crate) fn text_copied(&mut self, address: Value, len: SymbolId) -> Option<(TextKind, Value)> {
        self.texts_around(address).into_iter().find_map(|within| {
            let Value::Number(0..) = within.position.base else { return None };
            let Text { kind, length, .. } = within.text;
            if !self.heap.is_at_most(within.position, Bound::new(length, 0)) {
                return None;
            }
            let length = self.length_from(length, within.position);
            let (copied, end) = (Bound::new(Value::Symbol(len), 0), Bound::new(length, 0));
            let is_whole = self.heap.is_at_most(copied, end.moved(1)) && self.heap.is_at_most(end.moved(1), copied);
            if kind.has_zero() && is_whole {
                return Some((kind, length));
            }
            let kind = match (self.heap.is_at_most(copied, end), kind.has_zero()) {
                (true, _) => kind.cut(),
                (false, true) if self.heap.is_at_most(copied, end.moved(1)) => TextKind::Written,
                (false, _) => return None,
            };
            Some((kind, Value::Symbol(len)))
        })
    }

    /// Whether a text fills a cell whose size is a symbol: all its bytes were written.
    fn is_whole(&self, node: NodeId, text: Text) -> bool {
        let Some(Size::Symbol(size)) = self.heap.object(node).map(|object| object.size) else { return false };
        let (size, end) = (Bound::new(Value::Symbol(size), 0), Bound::new(text.length, 0));
        let end = if text.kind.has_zero() { end.moved(1) } else { end };
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
        let kind = text.kind.cut();
        is_covered.then_some(Text { kind, length, room: copied, ..text })
    }

    /// Whether something is known of the bytes behind an address that fields do not say.
    pub(crate) fn leads_to_text(&self, address: Value) -> bool {
        !self.texts_around(address).is_empty()
    }
}
