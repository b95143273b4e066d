//! Cells: bytes with values in them.

use super::array::Array;
use super::region::Region;
use super::texts::Text;
use super::value::{SymbolId, Value};
use heapwise_ir::{GlobalId, RecordId};
use std::rc::Rc;

/// What kind of storage a cell is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Storage {
    /// From `malloc`: it must be freed.
    Heap,
    /// From `malloc`, but somebody else will free it.
    GivenAway,
    /// A local of the function that runs.
    Local,
    /// A local of a function that waits for the one that runs.
    CallersLocal,
    /// A global.
    Global(GlobalId),
    /// A string literal.
    Literal(GlobalId),
    /// Storage that the function was not given: it knows its address alone.
    Outside,
    /// A part of another cell: an element of its array.
    Element,
    /// Of the process or the library, as long as the program runs: its arguments, tables of characters.
    Environment,
    /// The library made it and may look at it, or hand it out again: a stream, a text that it keeps. The program may read it.
    Library,
}

/// Whether a cell can be used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Life {
    /// It can.
    Alive,
    /// It was freed.
    Freed,
    /// The local's storage ended.
    Ended,
}

/// How many bytes a cell has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Size {
    /// So many.
    Constant(u64),
    /// As many as the symbol says.
    Symbol(SymbolId),
}

/// A stretch of bytes with a value. [`Value::Uninitialised`], [`Value::Top`], [`Value::Any`] and zero may be of any length: all
/// bytes are like that.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Field {
    /// The first byte.
    pub offset: u64,
    /// How many.
    pub bytes: u64,
    /// What they hold.
    pub value: Value,
}

impl Field {
    /// The byte behind it.
    pub fn end(&self) -> u64 {
        self.offset + self.bytes
    }
}

/// A cell.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Object {
    /// What kind.
    pub storage: Storage,
    /// Whether it can be used.
    pub life: Life,
    /// The region that it belongs to.
    pub region: Region,
    /// Its size.
    pub size: Size,
    /// The record that the program sees in it, if known. A hint for folding: it says nothing about the bytes.
    pub view: Option<RecordId>,
    /// What bytes hold that no field covers: one of the values that any length can have.
    pub rest: Value,
    /// Sorted, without overlap.
    pub fields: Vec<Field>,
    /// A stretch of it that is seen as an array. No field covers any of its bytes.
    pub array: Option<Rc<Array>>,
    /// Bytes of which more is known than fields say. Sorted. What is written over one takes it away ([`Object::store`]); who knows
    /// that it is still there puts it back ([`Object::set_text`]).
    pub texts: Vec<Text>,
}

/// Whether bytes of any number can hold it.
pub fn is_uniform(value: Value) -> bool {
    matches!(value, Value::Uninitialised | Value::Top | Value::Any | Value::Number(0))
}

/// Some bytes of a value.
fn slice(field: &Field, from: u64, bytes: u64) -> Value {
    if from == field.offset && bytes == field.bytes || is_uniform(field.value) {
        return field.value;
    }
    match field.value {
        Value::Number(number) if field.bytes <= 16 && bytes < 16 => {
            let shifted = (number as u128) >> (8 * (from - field.offset));
            Value::Number((shifted & ((1u128 << (8 * bytes)) - 1)) as i128)
        }
        _ => Value::Any,
    }
}

impl Object {
    /// A cell without fields.
    pub fn new(storage: Storage, size: Size, rest: Value) -> Object {
        Object {
            storage,
            life: Life::Alive,
            region: Region::NONE,
            size,
            view: None,
            rest,
            fields: Vec::new(),
            array: None,
            texts: Vec::new(),
        }
    }

    /// The field that is exactly there.
    pub fn field(&self, offset: u64, bytes: u64) -> Option<Value> {
        let index = self.fields.binary_search_by_key(&offset, |field| field.offset).ok()?;
        Some(self.fields[index]).filter(|field| field.bytes == bytes).map(|field| field.value)
    }

    fn overlapping(&self, offset: u64, end: u64) -> std::ops::Range<usize> {
        let first = self.fields.partition_point(|field| field.end() <= offset);
        let last = self.fields.partition_point(|field| field.offset < end);
        first..last.max(first)
    }

    /// Whether any byte of the stretch holds something else than [`Object::rest`].
    pub fn pieces(&self, offset: u64, bytes: u64) -> Vec<Field> {
        if self.array.as_ref().is_some_and(|array| array.overlaps(offset, bytes)) {
            // What elements hold is asked of them.
            return vec![Field { offset, bytes, value: Value::Top }];
        }
        let end = offset.saturating_add(bytes);
        let mut pieces = Vec::new();
        let mut at = offset;
        for field in &self.fields[self.overlapping(offset, end)] {
            let (from, to) = (field.offset.max(offset), field.end().min(end));
            if from > at {
                pieces.push(Field { offset: at, bytes: from - at, value: self.rest });
            }
            pieces.push(Field { offset: from, bytes: to - from, value: slice(field, from, to - from) });
            at = to;
        }
        if at < end {
            pieces.push(Field { offset: at, bytes: end - at, value: self.rest });
        }
        pieces
    }

    /// What bytes hold together. Several values are put together if all are constants.
    pub fn load(&self, offset: u64, bytes: u64) -> Value {
        if let Some(value) = self.field(offset, bytes) {
            return value;
        }
        let pieces = self.pieces(offset, bytes);
        if let [piece] = pieces.as_slice() {
            return piece.value;
        }
        if pieces.iter().any(|piece| piece.value == Value::Uninitialised) {
            return Value::Uninitialised;
        }
        if pieces.iter().any(|piece| piece.value == Value::Top) {
            return Value::Top;
        }
        let mut number: u128 = 0;
        for piece in &pieces {
            match piece.value {
                Value::Number(part) if piece.bytes <= 16 && bytes <= 16 => {
                    let mask = if piece.bytes >= 16 { u128::MAX } else { (1u128 << (8 * piece.bytes)) - 1 };
                    number |= (part as u128 & mask) << (8 * (piece.offset - offset));
                }
                _ => return Value::Any,
            }
        }
        Value::Number(number as i128)
    }

    /// Writes a value. Texts that this may change are forgotten.
    pub fn store(&mut self, offset: u64, bytes: u64, value: Value) {
        if bytes == 0 {
            return;
        }
        debug_assert!(!self.array.as_ref().is_some_and(|array| array.overlaps(offset, bytes)), "an element is a node");
        let end = offset.saturating_add(bytes);
        self.forget_texts(offset, end);
        let range = self.overlapping(offset, end);
        let mut replacement: Vec<Field> = Vec::new();
        if let Some(first) = self.fields[range.clone()].first().copied()
            && first.offset < offset
        {
            let bytes = offset - first.offset;
            replacement.push(Field { offset: first.offset, bytes, value: slice(&first, first.offset, bytes) });
        }
        if value != self.rest || !is_uniform(value) {
            replacement.push(Field { offset, bytes, value });
        }
        if let Some(last) = self.fields[range.clone()].last().copied()
            && last.end() > end
        {
            let bytes = last.end() - end;
            replacement.push(Field { offset: end, bytes, value: slice(&last, end, bytes) });
        }
        self.fields.splice(range, replacement);
    }

    /// Forgets what a stretch holds, but not whether it was ever written.
    pub fn havoc(&mut self, offset: u64, bytes: u64, with: Value) {
        self.store(offset, bytes, with);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell() -> Object {
        Object::new(Storage::Heap, Size::Constant(16), Value::Uninitialised)
    }

    #[test]
    fn what_is_written_is_read_and_parts_of_constants_are_known() {
        let mut object = cell();
        object.store(0, 4, Value::Number(0x0102_0304));
        assert_eq!(object.load(0, 4), Value::Number(0x0102_0304));
        assert_eq!(object.load(1, 2), Value::Number(0x0203));
        assert_eq!(object.load(2, 4), Value::Uninitialised);
        object.store(4, 4, Value::Number(1));
        assert_eq!(object.load(0, 8), Value::Number(0x1_0102_0304));
        object.store(3, 2, Value::Any);
        assert_eq!(object.load(0, 2), Value::Number(0x0304));
        assert_eq!(object.load(5, 3), Value::Number(0));
        assert_eq!(object.load(0, 4), Value::Any);
    }

    #[test]
    fn a_pointer_that_is_half_overwritten_is_no_pointer() {
        let mut object = cell();
        let pointer = Value::pointer(super::super::value::NodeId::new(0, 3), 0);
        object.store(0, 8, pointer);
        object.store(8, 8, pointer);
        object.store(4, 8, Value::ZERO);
        assert_eq!(object.load(0, 8), Value::Any);
        assert_eq!(object.load(4, 8), Value::ZERO);
        assert_eq!(object.load(6, 2), Value::ZERO);
    }
}
