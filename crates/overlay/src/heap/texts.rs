//! Texts in cells: bytes of which more is known than what each of them holds.
//!
//! What `fgets` leaves in a buffer is a text: some characters that are not zero, then a zero, all of them written; what lies behind
//! that is as it was. How many characters there are is a number like others, mostly a symbol, so that a block of
//! `strlen(s) + 1` bytes is large enough for `s`, and `s[i]` was written where `i` is at most its length.

use super::{Object, Value};

/// What is known of the bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TextKind {
    /// They were written (what `read` leaves).
    Written,
    /// They were written, and the byte behind them is zero: a text begins at each of them, and ends there at the latest.
    Terminated,
    /// They were written, and none is zero.
    Characters,
    /// The same, and the byte behind them is zero.
    Ended,
}

impl TextKind {
    /// Whether the byte behind them is one of the text.
    pub fn has_zero(self) -> bool {
        match self {
            TextKind::Terminated | TextKind::Ended => true,
            TextKind::Written | TextKind::Characters => false,
        }
    }

    /// Whether none of the bytes is zero.
    pub fn has_no_zero_within(self) -> bool {
        match self {
            TextKind::Characters | TextKind::Ended => true,
            TextKind::Written | TextKind::Terminated => false,
        }
    }

    /// What is known of bytes of which either is.
    #[must_use]
    pub fn weaker(self, other: TextKind) -> TextKind {
        let has_zero = self.has_zero() && other.has_zero();
        match (self.has_no_zero_within() && other.has_no_zero_within(), has_zero) {
            (true, true) => TextKind::Ended,
            (true, false) => TextKind::Characters,
            (false, true) => TextKind::Terminated,
            (false, false) => TextKind::Written,
        }
    }

    /// The same without the zero.
    #[must_use]
    pub fn cut(self) -> TextKind {
        self.weaker(TextKind::Characters)
    }
}

/// A stretch of bytes of a cell that were written: all of them lie within the cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Text {
    /// The first byte.
    pub offset: u64,
    /// What is known of them.
    pub kind: TextKind,
    /// How many there are, without the zero: a number or a symbol.
    pub length: Value,
    /// They and the zero are at most so many; [`Text::WHOLE`] where only the end of the cell is a bound.
    pub room: u64,
}

impl Text {
    /// As far as the cell goes.
    pub const WHOLE: u64 = u64::MAX;

    /// The byte behind the last that belongs to it, at most.
    pub fn end(&self) -> u64 {
        let room = match (self.length, self.kind) {
            (Value::Number(length), kind) => {
                u64::try_from(length + i128::from(kind.has_zero())).unwrap_or(self.room).min(self.room)
            }
            _ => self.room,
        };
        self.offset.saturating_add(room)
    }

    /// Whether only one of both is remembered: they begin at the same byte, and say the same of zeros in them.
    pub fn is_instead_of(&self, other: &Text) -> bool {
        self.offset == other.offset && self.kind.has_no_zero_within() == other.kind.has_no_zero_within()
    }

    /// Whether one of these bytes may belong to it.
    pub fn may_overlap(&self, offset: u64, end: u64) -> bool {
        self.offset < end && offset < self.end()
    }
}

/// So many are remembered of one cell.
const MOST: usize = 6;

impl Object {
    /// The texts that begin there: the one up to the first zero comes first, if there is one.
    pub fn texts_at(&self, offset: u64) -> impl Iterator<Item = Text> {
        self.texts.iter().rev().filter(move |text| text.offset == offset).copied()
    }

    /// Remembers a text, instead of one that begins at the same byte and says the same of zeros in it.
    pub fn set_text(&mut self, text: Text) {
        self.texts.retain(|known| !known.is_instead_of(&text));
        if self.texts.len() < MOST {
            self.texts.push(text);
            self.texts.sort_unstable();
        }
    }

    /// Forgets the texts to which one of these bytes may belong.
    pub fn forget_texts(&mut self, offset: u64, end: u64) {
        self.texts.retain(|text| !text.may_overlap(offset, end));
    }

    /// The bytes of a text of which it is known how many there are.
    pub fn settle_text(&mut self, text: Text) {
        let Value::Number(length) = text.length else { return };
        let Ok(length) = u64::try_from(length) else { return };
        for piece in self.pieces(text.offset, length) {
            if matches!(piece.value, Value::Uninitialised | Value::Top) {
                self.refine(piece.offset, piece.bytes, Value::Any);
            }
        }
        if text.kind.has_zero() {
            self.refine(text.offset + length, 1, Value::ZERO);
        }
    }

    /// The same bytes, of which more is known: texts stay.
    pub fn refine(&mut self, offset: u64, bytes: u64, value: Value) {
        let texts = std::mem::take(&mut self.texts);
        self.store(offset, bytes, value);
        self.texts = texts;
    }

    /// So many bytes from there on were written, by what the bytes hold.
    pub fn written_by_bytes(&self, offset: u64, size: u64) -> u64 {
        let pieces = self.pieces(offset, size.saturating_sub(offset));
        let unset = pieces.iter().find(|piece| matches!(piece.value, Value::Uninitialised | Value::Top));
        unset.map_or(size, |piece| piece.offset).saturating_sub(offset)
    }

    /// The text that begins there, as far as what the bytes hold says it: constants that are not zero, then one that is.
    /// Where some bytes before the first zero may be anything, how many characters it has at most.
    pub fn text_by_bytes(&self, offset: u64, size: u64) -> Option<(Exactness, u64)> {
        let mut exactness = Exactness::Exact;
        for piece in self.pieces(offset, size.saturating_sub(offset)) {
            let start = piece.offset - offset;
            match piece.value {
                Value::Uninitialised | Value::Top => return None,
                Value::Number(0) => return Some((exactness, start)),
                Value::Number(number) => {
                    let bytes = (number as u128).to_le_bytes();
                    let bytes = &bytes[..bytes.len().min(usize::try_from(piece.bytes).unwrap_or(bytes.len()))];
                    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
                        return Some((exactness, start + at as u64));
                    }
                    if piece.bytes > 16 {
                        exactness = Exactness::AtMost;
                    }
                }
                Value::Any
                | Value::Symbol(_)
                | Value::Function(_)
                | Value::Pointer(_)
                | Value::Indexed { .. }
                | Value::Library => exactness = Exactness::AtMost,
            }
        }
        None
    }
}

/// Whether a number of characters is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exactness {
    /// So many.
    Exact,
    /// Perhaps fewer.
    AtMost,
}
