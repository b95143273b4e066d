//! Texts of cells side by side.

use super::{Mode, Numbers, Policy, Side, Unifier};
use crate::heap::{Exactness, Life, Object, Size, Storage, SymbolId, Text, TextKind, Value};
use crate::number::Range;

/// What is known of the bytes from an offset on, by what is remembered of them and by the bytes themselves: the stronger first.
fn texts_at(object: &Object, offset: u64) -> Vec<Text> {
    let mut texts: Vec<Text> = object.texts_at(offset).collect();
    // What lies behind the end of a cell of unknown size is not known.
    let Size::Constant(size) = object.size else { return texts };
    let known = |kind: TextKind, length: u64| Text {
        offset,
        kind,
        length: Value::Number(i128::from(length)),
        room: length.saturating_add(u64::from(kind.has_zero())),
    };
    if !texts.iter().any(|text| text.kind == TextKind::Ended)
        && let Some((Exactness::Exact, length)) = object.text_by_bytes(offset, size)
    {
        texts.insert(0, known(TextKind::Ended, length));
    }
    texts.push(known(TextKind::Written, object.written_by_bytes(offset, size)));
    texts
}

/// The text that begins at a byte of a cell, up to the first zero.
fn text_at(object: &Object, offset: u64) -> Option<Text> {
    texts_at(object, offset).into_iter().find(|text| text.kind == TextKind::Ended)
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
        Numbers::Keep | Numbers::WidenRanges => Numbers::Widen,
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
                let mut ours = texts_at(a, theirs.offset);
                ours.retain(|ours| ours.kind.weaker(theirs.kind) == theirs.kind);
                match ours.as_slice() {
                    [ours] => self.text_follows(ours, theirs)?,
                    ours => ours.iter().find_map(|ours| self.attempt(|unifier| unifier.text_follows(ours, theirs)))?,
                }
            }
            return Some(b.texts.clone());
        }
        let mut offsets: Vec<u64> = a.texts.iter().chain(&b.texts).map(|text| text.offset).collect();
        // What a loop fills from the start on.
        if a.is_walked_along() && b.is_walked_along() {
            offsets.push(0);
        }
        offsets.sort_unstable();
        offsets.dedup();
        let mut texts = Vec::new();
        for offset in offsets {
            let (left, right) = (texts_at(a, offset), texts_at(b, offset));
            for has_no_zero in [true, false] {
                let is_one = |text: &&Text| text.kind.has_no_zero_within() == has_no_zero;
                let is_remembered = |object: &Object| object.texts_at(offset).any(|text| is_one(&&text));
                // What is known of a text up to its first zero holds where others have one somewhere.
                let found = |object: &Object, texts: &[Text], other: &[Text]| -> Option<Text> {
                    let has_other_zero = other.iter().any(|text| text.kind == TextKind::Terminated);
                    let ended = texts.first().filter(|text| text.kind == TextKind::Ended);
                    match ended.filter(|_| !has_no_zero && !is_remembered(object) && has_other_zero) {
                        Some(text) => Some(*text),
                        None => texts.iter().find(is_one).copied(),
                    }
                };
                let (Some(x), Some(y)) = (found(a, &left, &right), found(b, &right, &left)) else { continue };
                if !is_remembered(a) && !is_remembered(b) && !self.is_pair(x.length, y.length) {
                    continue;
                }
                if let Some(length) = self.lengths(&x, &y) {
                    texts.push(Text { offset, kind: x.kind.weaker(y.kind), length, room: x.room.max(y.room) });
                }
            }
        }
        Some(texts)
    }

    /// Whether two different numbers are one in the result.
    fn is_pair(&mut self, x: Value, y: Value) -> bool {
        x != y && self.level(self.closed).pairs.contains_key(&(x, y))
    }

    /// Whether a text of the left side says all that one of the right side does.
    fn text_follows(&mut self, ours: &Text, theirs: &Text) -> Option<()> {
        // Fewer bytes were written, too.
        if theirs.kind == TextKind::Written
            && let Some(wanted) = self.asked(theirs.length)
            && let (Some(wanted), Some(known)) = (self.range(Side::Left, wanted), self.range(Side::Left, ours.length))
            && wanted.high <= known.low
            && (theirs.room == Text::WHOLE || wanted.high <= i128::from(theirs.room))
        {
            return Some(());
        }
        if theirs.room != Text::WHOLE && ours.end() > theirs.end() {
            return None;
        }
        self.numbers(ours.length, theirs.length).map(|_| ())
    }

    /// What a number of the right side stands for on the left one, if that is decided.
    fn asked(&mut self, theirs: Value) -> Option<Value> {
        match theirs {
            Value::Symbol(symbol) if symbol.level() >= self.closed => {
                self.level(symbol.level()).bound.get(&symbol).copied()
            }
            Value::Number(_) => Some(theirs),
            _ => None,
        }
    }
}
