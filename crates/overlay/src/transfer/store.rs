//! Memory: checked stores.

use super::bits::shrink_unit;
use super::memory::{Access, Located};
use super::{Executor, Step};
use crate::heap::{NodeId, Size, Storage, Value};
use heapwise_engine::reason::SymbolicGap;
use heapwise_ir::{Operand, PathUse, Place, Type};

impl Executor<'_, '_> {
    /// Stores a scalar.
    pub(crate) fn store(&mut self, place: &Place, value: Operand) -> Step<()> {
        let value = self.typed(value, place.ty)?;
        let (address, resolved) = self.place_address(place)?;
        let Some(bytes) = self.context.program.size_of(place.ty) else {
            return self.gap(SymbolicGap::NoScalarStored);
        };
        if let Some(bits) = place.bits {
            let (skip, unit, bits) = shrink_unit(bytes, bits);
            let address = self.shifted(address, skip, None)?;
            let located = self.locate(address, unit, Access::Write)?;
            self.check_bounds(&resolved.bounds, PathUse::Access)?;
            return self.store_bits(located, unit, bits, value);
        }
        if self.is_made_by_library(address) {
            return self.gap(SymbolicGap::LibraryStorageWritten);
        }
        let in_text = if bytes == 1 { self.located_in_text(address)? } else { None };
        let located = match in_text {
            Some(located) => located,
            None => self.locate(address, bytes, Access::Write)?,
        };
        self.check_bounds(&resolved.bounds, PathUse::Access)?;
        self.note_view(place, located, resolved.offset);
        let value = match (value, self.context.program.ty(place.ty)) {
            (Value::Any | Value::Symbol(_) | Value::Number(_), Type::Float(_)) => Value::Any,
            (value, _) => value,
        };
        let texts = if bytes == 1 { self.texts_after(address, value) } else { Vec::new() };
        self.write(located, bytes, value)?;
        if let Located::Exact(node, _) | Located::Somewhere { node, .. } = located
            && address.node() == Some(node)
        {
            self.set_texts(node, texts);
        }
        if let (Located::Exact(node, _), 1, Value::ZERO) = (located, bytes, value) {
            self.see_text_ended_in(node)?;
        }
        Ok(())
    }

    /// Whether an address leads to what the library made.
    pub(crate) fn is_made_by_library(&self, address: Value) -> bool {
        let object = address.node().and_then(|node| self.heap.object(node));
        object.is_some_and(|object| object.storage == Storage::Library)
    }

    /// Heap storage of no known type that is written as a record is one.
    fn note_view(&mut self, place: &Place, located: Located, offset: i64) {
        let (Located::Exact(node, at), Type::Record(record)) = (located, self.context.program.ty(place.path.view))
        else {
            return;
        };
        let size = self.context.program.records[*record].size;
        let is_new = self.heap.object(node).is_some_and(|object| {
            // A cell with a variable tail is at least as large as its record.
            let is_large_enough = match object.size {
                Size::Constant(bytes) => bytes == size,
                Size::Symbol(symbol) => self.heap.symbol(symbol).low >= i128::from(size),
            };
            object.view.is_none() && object.storage == Storage::Heap && is_large_enough
        });
        if is_new
            && i64::try_from(at) == Ok(offset)
            && let Some(object) = self.heap.object_mut(node)
        {
            object.view = Some(*record);
        }
    }

    /// Writes bytes that are known to lie within their cell.
    pub(crate) fn write(&mut self, located: Located, bytes: u64, value: Value) -> Step<()> {
        match located {
            Located::Exact(node, offset) => {
                if let Some(object) = self.heap.object_mut(node) {
                    object.store(offset, bytes, value);
                }
                Ok(())
            }
            Located::Somewhere { node, start, bytes } => {
                let Some(object) = self.heap.object(node) else { return self.gap(SymbolicGap::CellIsNotFollowed) };
                let holds_pointers = |value: Value| value.node().is_some() || matches!(value, Value::Function(_));
                if holds_pointers(value) || object.pieces(start, bytes).iter().any(|piece| holds_pointers(piece.value))
                {
                    return self.gap(SymbolicGap::PointersWrittenAtUnknownIndex);
                }
                self.havoc(node, start, bytes, value);
                Ok(())
            }
            Located::Library => self.gap(SymbolicGap::LibraryStorageWritten),
        }
    }

    /// Some bytes of a stretch are written: whether all were ever written is not known if it was not before.
    pub(crate) fn havoc(&mut self, node: NodeId, start: u64, bytes: u64, value: Value) {
        let Some(object) = self.heap.object_mut(node) else { return };
        for piece in object.pieces(start, bytes) {
            let unset = |value: Value| matches!(value, Value::Uninitialised | Value::Top);
            let value = match (unset(piece.value), unset(value)) {
                _ if piece.value == value && crate::heap::is_uniform(value) => value,
                (false, false) => Value::Any,
                _ => Value::Top,
            };
            object.store(piece.offset, piece.bytes, value);
        }
    }
}
