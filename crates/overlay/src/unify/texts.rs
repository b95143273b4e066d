//! Texts of cells side by side.

use super::{Mode, Numbers, Policy, Unifier};
use crate::heap::{Exactness, Life, Object, Size, Storage, SymbolId, Text, TextKind, Value};
use crate::number::Range;

/// The text that begins at a byte of a cell, by what is remembered of it or by its bytes.
fn text_at(object: &Object, offset: u64) -> Option<Text> {
    if let Some(text) = object.text(offset) {
        return Some(text);
    }
    // What lies behind the end of a cell of unknown size is not known.
    let Size::Constant(size) = object.size else { return None };
    match object.text_by_bytes(offset, size)? {
        (Exactness::Exact, length) => Some(Text {
            offset,
            kind: TextKind::Ended,
            length: Value::Number(i128::from(length)),
            room: length.saturating_add(1),
        }),
        (Exactness::AtMost, _) => None,
    }
}

/// Whether all bytes of a cell are characters, as far as a list of names is concerned: it is one that was made for a text.
fn is_block(object: &Object) -> bool {
    let is_plain = |value: Value| value.node().is_none() && !matches!(value, Value::Function(_) | Value::Library);
    object.storage == Storage::Heap
        && object.life == Life::Alive
        && object.view.is_none()
        && object.array.is_none()
        && object.fields.iter().all(|field| is_plain(field.value))
}

/// Numbers of which it keeps no heaps apart that they differ. Where constants are kept, nobody sees to it that ranges stop
/// to grow.
fn widened(numbers: Numbers) -> Numbers {
    match numbers {
        Numbers::Keep => Numbers::Widen,
        Numbers::Join | Numbers::Widen => numbers,
    }
}

/// No object is larger.
const LARGEST: i128 = 1 << 47;

impl Unifier<'_> {
    /// The length of a text that is either.
    fn lengths(&mut self, x: &Text, y: &Text) -> Option<Value> {
        let Mode::Join(policy) = self.mode else { return None };
        self.mode = Mode::Join(Policy { numbers: widened(policy.numbers), ..policy });
        let length = self.numbers(x.length, y.length);
        self.mode = Mode::Join(policy);
        match length? {
            Value::Symbol(symbol) => {
                let room = match x.room.max(y.room) {
                    Text::WHOLE => LARGEST,
                    room => i128::from(room),
                };
                self.keep_between(symbol, 0, room);
                Some(Value::Symbol(symbol))
            }
            length @ Value::Number(_) => Some(length),
            _ => None,
        }
    }

    /// A number of the result that lies within these bounds, however far its range was widened.
    fn keep_between(&mut self, symbol: SymbolId, low: i128, high: i128) {
        if symbol.level() < self.closed {
            return;
        }
        if let Some(range) = self.level(symbol.level()).symbols.get_mut(symbol.index())
            && let Some(less) = range.meet(Range { low, high, without_zero: false })
            && less.single().is_none()
        {
            *range = less;
        }
    }

    /// Two heap cells of different sizes with texts in them, as one of which only that is known.
    pub(super) fn text_blocks(&mut self, a: &Object, b: &Object) -> Option<Object> {
        let Mode::Join(policy) = self.mode else { return None };
        let is_same_size = matches!((a.size, b.size), (Size::Constant(x), Size::Constant(y)) if x == y);
        if is_same_size || !is_block(a) || !is_block(b) {
            return None;
        }
        let (x, y) = (text_at(a, 0)?, text_at(b, 0)?);
        if x.kind != TextKind::Ended || y.kind != TextKind::Ended {
            return None;
        }
        let number = |size: Size| match size {
            Size::Constant(bytes) => Value::Number(i128::from(bytes)),
            Size::Symbol(symbol) => Value::Symbol(symbol),
        };
        self.mode = Mode::Join(Policy { numbers: widened(policy.numbers), ..policy });
        let size = self.numbers(number(a.size), number(b.size));
        self.mode = Mode::Join(policy);
        let Some(Value::Symbol(size)) = size else { return None };
        self.keep_between(size, 1, LARGEST);
        let length = self.lengths(&x, &y)?;
        let is_written = |object: &Object| {
            let bytes = match object.size {
                Size::Constant(bytes) => bytes,
                Size::Symbol(_) => u64::MAX,
            };
            let unset = |value: Value| matches!(value, Value::Uninitialised | Value::Top);
            !object.pieces(0, bytes).iter().any(|piece| unset(piece.value))
        };
        let rest = if is_written(a) && is_written(b) { Value::Any } else { Value::Top };
        let mut block = Object { region: a.region, ..Object::new(a.storage, Size::Symbol(size), rest) };
        block.set_text(Text { offset: 0, kind: TextKind::Ended, length, room: Text::WHOLE });
        Some(block)
    }

    /// The texts that both cells have; where the right one is to describe the left one, all that it has.
    pub(super) fn texts(&mut self, a: &Object, b: &Object) -> Option<Vec<Text>> {
        if self.mode == Mode::Entails {
            for theirs in &b.texts {
                let ours = text_at(a, theirs.offset)?;
                if ours.kind < theirs.kind || theirs.room != Text::WHOLE && ours.end() > theirs.end() {
                    return None;
                }
                self.numbers(ours.length, theirs.length)?;
            }
            return Some(b.texts.clone());
        }
        let mut offsets: Vec<u64> = a.texts.iter().chain(&b.texts).map(|text| text.offset).collect();
        offsets.sort_unstable();
        offsets.dedup();
        let mut texts = Vec::new();
        for offset in offsets {
            let (Some(x), Some(y)) = (text_at(a, offset), text_at(b, offset)) else { continue };
            if let Some(length) = self.lengths(&x, &y) {
                texts.push(Text { offset, kind: x.kind.min(y.kind), length, room: x.room.max(y.room) });
            }
        }
        Some(texts)
    }
}
