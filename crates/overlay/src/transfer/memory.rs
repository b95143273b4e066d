//! Memory: where accesses go, checked loads and copies.

use super::bits::shrink_unit;
use super::{Executor, Step, Stop};
use crate::heap::{Life, Node, NodeId, Object, Pointer, Size, Storage, SymbolId, Text, TextKind, Value};
use crate::number::{Range, type_range, wrap};
use heapwise_engine::Kind;
use heapwise_engine::reason::SymbolicGap;
use heapwise_ir::{
    CompareOperator, CopySource, Extent, Initializer, IntType, NullResult, PathUse, Place, Type, TypeId,
};

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    /// Reads.
    Read,
    /// Writes.
    Write,
}

/// Where an access goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Located {
    /// To these bytes.
    Exact(NodeId, u64),
    /// To some bytes of the stretch.
    Somewhere {
        /// In this cell.
        node: NodeId,
        /// The first byte of the stretch.
        start: u64,
        /// How many.
        bytes: u64,
    },
    /// To storage of the library.
    Library,
}

/// Below this, a number used as a pointer counts as null plus an offset.
const NULL_PAGES: i128 = 1 << 32;

/// A longer stretch of a literal is copied as bytes of any value.
const LONG_LITERAL: u64 = 64;

/// So many values of an index are looked at one by one.
const FEW: u128 = 16;

impl Executor<'_, '_> {
    /// Where an access of `bytes` bytes goes, or the error that it is.
    pub(crate) fn locate(&mut self, address: Value, bytes: u64, access: Access) -> Step<Located> {
        let address = self.used(address, None)?;
        let (pointer, open) = match address {
            Value::Pointer(pointer) => (pointer, None),
            Value::Indexed { pointer, index, scale } => (pointer, Some((index, scale))),
            Value::Number(number) => return self.locate_number(number),
            Value::Symbol(symbol) => {
                let range = self.heap.symbol(symbol);
                if range.low >= 0 && range.high < NULL_PAGES {
                    return self.error(Kind::NullDereference, "memory is accessed through a null pointer");
                }
                return self.gap(SymbolicGap::NumberAsPointer);
            }
            Value::Library => return Ok(Located::Library),
            Value::Function(_) => return self.error(Kind::OutOfBounds, "the code of a function is accessed as data"),
            Value::Any | Value::Top | Value::Uninitialised => {
                return self.gap(SymbolicGap::UnknownPointerDereferenced);
            }
        };
        let Some(object) = self.heap.object(pointer.node) else { return self.expose(pointer) };
        match object.life {
            Life::Alive => {}
            Life::Freed => return self.error(Kind::UseAfterFree, "a heap object is accessed after it was freed"),
            Life::Ended => return self.error(Kind::UseAfterFree, "a local is accessed after its lifetime ended"),
        }
        let storage = object.storage;
        let size = object.size;
        if storage == Storage::Outside {
            return self.gap(SymbolicGap::CellNotGiven);
        }
        if storage == Storage::Library && access == Access::Write {
            return self.gap(SymbolicGap::LibraryStorageWritten);
        }
        if storage == Storage::Element {
            let is_inside = open.is_none()
                && matches!(size, Size::Constant(size) if bytes > 0
                    && pointer.offset >= 0 && i128::from(pointer.offset) + i128::from(bytes) <= i128::from(size));
            return match self.heap.seen_from_cell(pointer) {
                _ if is_inside => Ok(Located::Exact(pointer.node, pointer.offset as u64)),
                Some(from) => {
                    let address = self.shifted(from, 0, open)?;
                    self.locate(address, bytes, access)
                }
                None => self.gap(SymbolicGap::AddressIsNotFollowed),
            };
        }
        self.overwrite_array(address, bytes, access)?;
        let located = match open {
            None => {
                let located = self.locate_exact(pointer, size, bytes)?;
                self.locate_element(pointer, None, bytes)?.unwrap_or(located)
            }
            Some((index, scale)) => self.locate_indexed(pointer, index, scale, size, bytes)?,
        };
        if access == Access::Write && bytes > 0 && matches!(storage, Storage::Literal(_)) {
            return self.error(Kind::OutOfBounds, "a string literal is written: it is read-only");
        }
        Ok(located)
    }

    fn locate_number(&self, number: i128) -> Step<Located> {
        let highest = wrap(-1, IntType::Unsigned(self.context.pointer_bytes() as u8));
        if number < NULL_PAGES || number > highest - 4096 {
            return self.error(Kind::NullDereference, "memory is accessed through a null pointer");
        }
        self.error(Kind::OutOfBounds, "memory is accessed at an address where no object is")
    }

    fn locate_exact(&mut self, pointer: Pointer, size: Size, bytes: u64) -> Step<Located> {
        const OUTSIDE: &str = "bytes outside of an object are accessed";
        let end = i128::from(pointer.offset) + i128::from(bytes);
        if pointer.offset < 0 {
            return self.error(Kind::OutOfBounds, OUTSIDE);
        }
        match size {
            Size::Constant(size) if end > i128::from(size) => return self.error(Kind::OutOfBounds, OUTSIDE),
            Size::Constant(_) => {}
            Size::Symbol(symbol) if self.least_size(symbol).max(self.least_by_texts(pointer.node)) >= end => {}
            Size::Symbol(symbol) => {
                let of = self.heap.linear(symbol);
                if of.base != symbol && of.scale > 0 {
                    let least = -((of.constant - end).div_euclid(of.scale));
                    let large_enough = Range { low: least, high: i128::MAX, without_zero: false };
                    self.require_within(Value::Symbol(of.base), large_enough, Kind::OutOfBounds, OUTSIDE)?;
                    return Ok(Located::Exact(pointer.node, pointer.offset as u64));
                }
                let large_enough = Range { low: end, high: i128::MAX, without_zero: false };
                self.require_within(Value::Symbol(symbol), large_enough, Kind::OutOfBounds, OUTSIDE)?;
            }
        }
        Ok(Located::Exact(pointer.node, pointer.offset as u64))
    }

    fn locate_indexed(
        &mut self,
        pointer: Pointer,
        index: crate::heap::SymbolId,
        scale: i64,
        size: Size,
        bytes: u64,
    ) -> Step<Located> {
        const OUTSIDE: &str = "bytes outside of an object are accessed";
        if scale == 0 {
            return self.locate_exact(pointer, size, bytes);
        }
        if let Size::Symbol(symbol) = size
            && self.is_below_size(pointer.offset, (index, scale), symbol, bytes)
        {
            if let Some(located) = self.locate_element(pointer, Some((index, scale)), bytes)? {
                return Ok(located);
            }
            let range = self.heap.symbol(index);
            if range.count() <= FEW {
                return self.split_index(Value::Indexed { pointer, index, scale });
            }
            let (offset, scale) = (i128::from(pointer.offset), i128::from(scale));
            let at = |index: i128| index.checked_mul(scale).and_then(|bytes| u64::try_from(offset + bytes).ok());
            let (Some(start), Some(end)) = (at(range.low), at(range.high)) else {
                return self.gap(SymbolicGap::OffsetIsTooLarge);
            };
            return Ok(Located::Somewhere { node: pointer.node, start, bytes: end - start + bytes });
        }
        let size = match size {
            Size::Constant(size) => i128::from(size),
            Size::Symbol(symbol) => self.least_size(symbol).max(self.least_by_texts(pointer.node)),
        };
        // The indices that stay within: 0 <= offset + scale * index <= size - bytes.
        let (offset, scale) = (i128::from(pointer.offset), i128::from(scale));
        let last = size - i128::from(bytes);
        let ceiling = |x: i128, by: i128| -((-x).div_euclid(by));
        let (low, high) = if scale > 0 {
            (ceiling(-offset, scale), (last - offset).div_euclid(scale))
        } else {
            (ceiling(offset - last, -scale), offset.div_euclid(-scale))
        };
        let Some(allowed) = Range::new(low, high) else { return self.error(Kind::OutOfBounds, OUTSIDE) };
        self.require_within(Value::Symbol(index), allowed, Kind::OutOfBounds, OUTSIDE)?;
        if let Some(located) = self.locate_element(pointer, Some((index, scale as i64)), bytes)? {
            return Ok(located);
        }
        let range = self.heap.symbol(index);
        if range.count() <= FEW {
            return self.split_index(Value::Indexed { pointer, index, scale: scale as i64 });
        }
        let ends = [offset + scale * range.low, offset + scale * range.high];
        let start = ends[0].min(ends[1]) as u64;
        let end = ends[0].max(ends[1]) as u64 + bytes;
        Ok(Located::Somewhere { node: pointer.node, start, bytes: end - start })
    }

    /// A size is at least this, by its own range or by that of the count that it depends on.
    fn least_size(&self, size: SymbolId) -> i128 {
        let of = self.heap.linear(size);
        let by_count =
            self.heap.symbol(of.base).low.checked_mul(of.scale).and_then(|least| least.checked_add(of.constant));
        self.heap.symbol(size).low.max(by_count.filter(|_| of.scale > 0).unwrap_or(0))
    }

    /// A cell is at least so large that its texts lie in it.
    fn least_by_texts(&self, node: NodeId) -> i128 {
        let texts = self.heap.object(node).map_or(&[][..], |object| &object.texts);
        let end = |text: &Text| {
            let length = self.heap.range(text.length)?.low.max(0);
            length.checked_add(i128::from(text.offset) + i128::from(text.kind.has_zero()))
        };
        texts.iter().filter_map(end).max().unwrap_or(0)
    }

    /// Whether what was compared says that `offset + scale * index + bytes` is at most a size.
    pub(crate) fn is_below_size(
        &self,
        offset: i64,
        (index, scale): (SymbolId, i64),
        size: SymbolId,
        bytes: u64,
    ) -> bool {
        let (scale, end) = (i128::from(scale), i128::from(offset) + i128::from(bytes));
        if self.heap.symbol(index).low < 0 || scale <= 0 || offset < 0 {
            return false;
        }
        // The size is `of.scale * base + of.constant`.
        let of = self.heap.linear(size);
        if of.scale < scale || self.heap.symbol(of.base).low < 0 {
            return false;
        }
        let is_less = self.heap.is_known(index, CompareOperator::Less, of.base);
        let is_at_most = index == of.base || self.heap.is_known(index, CompareOperator::LessEqual, of.base);
        // index <= base - 1, where base >= 1; or index <= base.
        is_less && end <= of.scale + of.constant || is_at_most && end <= of.constant
    }

    /// The address of a place.
    pub(crate) fn place_address(&mut self, place: &Place) -> Step<(Value, heapwise_ir::ResolvedPath)> {
        let base = self.operand(place.base, None)?;
        let (resolved, offset, open) = self.path_offset(&place.path)?;
        // One record of its type is there, however far storage of the library goes.
        let is_member = base == Value::Library
            && open.is_none()
            && matches!(self.context.program.ty(place.path.view), Type::Record(_));
        let address = if is_member { base } else { self.shifted(base, offset, open)? };
        let address = self.element_address(base, &place.path, address)?;
        Ok((address, resolved))
    }

    /// Loads a scalar.
    pub(crate) fn load(&mut self, place: &Place) -> Step<Value> {
        let (address, resolved) = self.place_address(place)?;
        let Some(bytes) = self.context.program.size_of(place.ty) else {
            return self.gap(SymbolicGap::NoScalarLoaded);
        };
        if let Some(bits) = place.bits {
            let (skip, unit, bits) = shrink_unit(bytes, bits);
            let address = self.shifted(address, skip, None)?;
            let located = self.locate(address, unit, Access::Read)?;
            self.check_bounds(&resolved.bounds, PathUse::Access)?;
            return self.load_bits(located, unit, bits, place.ty);
        }
        if let Some(character) = self.load_character(place, address)? {
            self.check_bounds(&resolved.bounds, PathUse::Access)?;
            return Ok(character);
        }
        let located = self.locate(address, bytes, Access::Read)?;
        self.check_bounds(&resolved.bounds, PathUse::Access)?;
        let value = self.load_at(located, bytes, place.ty)?;
        if value == Value::Top && self.leads_to_text(address) {
            // It may be one of the text's.
            return self.gap(SymbolicGap::ByteOfText);
        }
        Ok(value)
    }

    /// Loads a scalar that is known to lie within its cell. Bytes that are any become one number that stays.
    pub(crate) fn load_at(&mut self, located: Located, bytes: u64, ty: TypeId) -> Step<Value> {
        let (node, offset) = match located {
            Located::Exact(node, offset) => (node, offset),
            Located::Somewhere { node, .. } if self.is_opaque(node) => return self.load_library(ty),
            Located::Somewhere { node, start, bytes } => return self.load_somewhere(node, start, bytes, ty),
            Located::Library => return self.load_library(ty),
        };
        let Some(object) = self.heap.object(node) else { return self.gap(SymbolicGap::CellIsNotFollowed) };
        match object.storage {
            Storage::Literal(global) => {
                let value = self.literal_bytes(global, offset, bytes);
                return Ok(match (value, self.context.integer_type(ty)) {
                    (Some(number), Some(int)) => Value::Number(wrap(number, int)),
                    _ => self.context.any_of(&mut self.heap, ty),
                });
            }
            Storage::Global(global) => match self.context.program.globals[global].initializer {
                Initializer::Unknown => return Ok(self.context.any_of(&mut self.heap, ty)),
                Initializer::Library(null) if object.load(offset, bytes) == Value::Any => {
                    return self.library_variable(node, offset, bytes, null);
                }
                Initializer::Library(_) | Initializer::Items(_) | Initializer::Bytes(_) => {}
            },
            Storage::Heap
            | Storage::GivenAway
            | Storage::Local
            | Storage::CallersLocal
            | Storage::Element
            | Storage::Environment => {}
            // What it holds changes with each call, unless it is a text that stays.
            Storage::Library if self.is_opaque(node) => return self.load_library(ty),
            Storage::Library => {}
            Storage::Outside => return self.gap(SymbolicGap::CellNotGiven),
        }
        let value = object.load(offset, bytes);
        let typed = self.retype(value, bytes, ty);
        if value == Value::Any
            && typed != value
            && let Some(object) = self.heap.object_mut(node)
        {
            object.refine(offset, bytes, typed);
        }
        Ok(typed)
    }

    fn library_variable(&mut self, node: NodeId, offset: u64, bytes: u64, null: NullResult) -> Step<Value> {
        let mut cases = Vec::new();
        for value in [Value::Library, Value::ZERO] {
            if value == Value::ZERO && null == NullResult::Never {
                continue;
            }
            let mut heap = self.heap.clone();
            if let Some(object) = heap.object_mut(node) {
                object.store(offset, bytes, value);
            }
            cases.push(heap);
        }
        Err(Stop::Split(cases))
    }

    /// Whether the library may change what a cell holds at any call.
    pub(crate) fn is_opaque(&self, node: NodeId) -> bool {
        self.heap.object(node).is_some_and(|object| object.storage == Storage::Library && object.texts.is_empty())
    }

    fn load_library(&mut self, ty: TypeId) -> Step<Value> {
        match self.context.program.ty(ty) {
            Type::Pointer(_) => self.gap(SymbolicGap::PointerInLibraryStorage),
            Type::Void | Type::Int(_) | Type::Float(_) | Type::Array(..) | Type::Record(_) | Type::Function(_) => {
                Ok(self.context.any_of(&mut self.heap, ty))
            }
        }
    }

    fn load_somewhere(&mut self, node: NodeId, start: u64, bytes: u64, ty: TypeId) -> Step<Value> {
        let Some(object) = self.heap.object(node) else { return self.gap(SymbolicGap::CellIsNotFollowed) };
        let pieces = object.pieces(start, bytes);
        if pieces.iter().any(|piece| matches!(piece.value, Value::Uninitialised | Value::Top)) {
            return Ok(Value::Top);
        }
        if let [piece] = pieces.as_slice()
            && piece.value == Value::ZERO
        {
            return Ok(Value::ZERO);
        }
        Ok(self.context.any_of(&mut self.heap, ty))
    }

    pub(crate) fn literal_bytes(&self, global: heapwise_ir::GlobalId, offset: u64, bytes: u64) -> Option<i128> {
        let Initializer::Bytes(text) = &self.context.program.globals[global].initializer else { return None };
        if bytes > 15 {
            return None;
        }
        let byte = |at: u64| usize::try_from(at).ok().and_then(|at| text.get(at)).copied().unwrap_or(0);
        Some((0..bytes).fold(0, |number, index| number | i128::from(byte(offset + index)) << (8 * index)))
    }

    /// A value as one of a type.
    fn retype(&mut self, value: Value, bytes: u64, ty: TypeId) -> Value {
        let Some(int) = self.context.integer_type(ty) else {
            return match value {
                Value::Uninitialised | Value::Top => value,
                _ => Value::Any,
            };
        };
        let is_pointer = matches!(self.context.program.ty(ty), Type::Pointer(_));
        match value {
            Value::Number(number) => Value::Number(wrap(number, int)),
            Value::Symbol(symbol) => {
                if type_range(int).includes(self.heap.symbol(symbol)) {
                    value
                } else {
                    self.heap.fresh(type_range(int))
                }
            }
            Value::Any if is_pointer => Value::Any,
            Value::Any => self.heap.fresh(type_range(int)),
            Value::Pointer(_) | Value::Indexed { .. } | Value::Function(_) | Value::Library
                if bytes < self.context.pointer_bytes() =>
            {
                self.heap.fresh(type_range(int))
            }
            Value::Pointer(_)
            | Value::Indexed { .. }
            | Value::Function(_)
            | Value::Library
            | Value::Uninitialised
            | Value::Top => value,
        }
    }

    /// How many bytes a copy moves; `None` for as many as both have.
    fn extent(&mut self, extent: Extent) -> Step<Option<u64>> {
        match extent {
            Extent::Type(ty) => match self.context.program.size_of(ty) {
                Some(size) => Ok(Some(size)),
                None => self.gap(SymbolicGap::IncompleteTypeCopied),
            },
            Extent::Bytes(operand) => match self.index(operand)? {
                Value::Number(number) => Ok(Some(u64::try_from(number).unwrap_or(u64::MAX >> 1))),
                Value::Symbol(symbol) if self.heap.symbol(symbol).count() <= FEW => {
                    let range = self.heap.symbol(symbol);
                    Err(Stop::Split(self.cases_of(symbol, (range.low..=range.high).map(Range::constant))))
                }
                _ => self.gap(SymbolicGap::UnknownCopyLength),
            },
            Extent::Common => Ok(None),
        }
    }

    pub(crate) fn copy(&mut self, place: &Place, source: &CopySource, extent: Extent) -> Step<()> {
        if let Extent::Bytes(operand) = extent
            && let Value::Symbol(len) = self.index(operand)?
        {
            let is_text = match source {
                CopySource::Place(from) => {
                    let (from, _) = self.place_address(from)?;
                    self.leads_to_text(from)
                }
                CopySource::Fill(_) | CopySource::Members | CopySource::Nondet => false,
            };
            if is_text || self.heap.symbol(len).count() > FEW {
                return self.copy_unknown_length(place, source, len);
            }
        }
        let len = self.extent(extent)?;
        if len == Some(0) {
            return Ok(());
        }
        let (to, resolved) = self.place_address(place)?;
        match source {
            CopySource::Place(from) => {
                let (from, from_resolved) = self.place_address(from)?;
                let len = match len {
                    Some(len) => len,
                    None if self.move_common(to, from)? => return Ok(()),
                    None => self.rest_of(to)?.min(self.rest_of(from)?),
                };
                if len == 0 {
                    return Ok(());
                }
                let from = self.locate(from, len, Access::Read)?;
                let to = self.locate(to, len, Access::Write)?;
                self.check_bounds(&from_resolved.bounds, PathUse::Access)?;
                self.check_bounds(&resolved.bounds, PathUse::Access)?;
                self.copy_bytes(to, from, len)
            }
            CopySource::Fill(byte) => {
                let byte = self.operand(*byte, Some(IntType::Signed(4)))?;
                let byte = self.used(byte, None)?;
                let len = match len {
                    Some(len) => len,
                    None => self.rest_of(to)?,
                };
                let to = self.locate(to, len, Access::Write)?;
                self.check_bounds(&resolved.bounds, PathUse::Access)?;
                let value = match byte {
                    Value::Number(number) if number & 0xff == 0 => Value::ZERO,
                    _ => Value::Any,
                };
                if let (Value::Number(number), Located::Exact(node, offset)) = (byte, to)
                    && value == Value::Any
                    && len <= 16
                {
                    for at in offset..offset + len {
                        self.write(Located::Exact(node, at), 1, Value::Number(number & 0xff))?;
                    }
                    return Ok(());
                }
                self.write(to, len, value)
            }
            CopySource::Members => {
                let (Extent::Type(ty), Some(len)) = (extent, len) else {
                    return self.gap(SymbolicGap::UnknownTypeInitialised);
                };
                let to = self.locate(to, len, Access::Write)?;
                self.check_bounds(&resolved.bounds, PathUse::Access)?;
                self.write(to, len, Value::ZERO)?;
                if let Located::Exact(node, offset) = to {
                    for (start, bytes) in self.context.program.padding(ty) {
                        self.write(Located::Exact(node, offset + start), bytes, Value::Any)?;
                    }
                }
                Ok(())
            }
            CopySource::Nondet => {
                let len = match len {
                    Some(len) => len,
                    None => self.rest_of(to)?,
                };
                let to = self.locate(to, len, Access::Write)?;
                self.check_bounds(&resolved.bounds, PathUse::Access)?;
                self.write(to, len, Value::Any)
            }
        }
    }

    /// A copy of as many bytes as a symbol says: they lie within both objects, and what they hold is forgotten.
    fn copy_unknown_length(&mut self, place: &Place, source: &CopySource, len: SymbolId) -> Step<()> {
        let (to, resolved) = self.place_address(place)?;
        let (node, offset) = self.locate_length(to, len, Access::Write)?;
        self.check_bounds(&resolved.bounds, PathUse::Access)?;
        let most = u64::try_from(self.heap.symbol(len).high).unwrap_or(u64::MAX >> 8);
        let mut copied: Option<(TextKind, Value)> = None;
        let value = match source {
            CopySource::Fill(byte) => {
                let byte = self.operand(*byte, Some(IntType::Signed(4)))?;
                match self.used(byte, None)? {
                    Value::Number(number) if number & 0xff == 0 => Value::ZERO,
                    _ => Value::Any,
                }
            }
            CopySource::Nondet => Value::Any,
            CopySource::Place(from) => {
                let (from, resolved) = self.place_address(from)?;
                self.check_bounds(&resolved.bounds, PathUse::Access)?;
                match from {
                    Value::Library => Value::Any,
                    from => {
                        copied = self.text_copied(from, len);
                        let (node, offset) = match (copied, from) {
                            // All of it lies in a text.
                            (Some(_), Value::Pointer(Pointer { node, offset, .. })) if offset >= 0 => {
                                (node, offset.unsigned_abs())
                            }
                            _ => self.locate_length(from, len, Access::Read)?,
                        };
                        let Some(object) = self.heap.object(node) else {
                            return self.gap(SymbolicGap::CellIsNotFollowed);
                        };
                        let pieces = object.pieces(offset, most);
                        let is_foreign = matches!(object.storage, Storage::Global(global)
                            if matches!(self.context.program.globals[global].initializer, Initializer::Unknown | Initializer::Library(_)));
                        let holds_pointers = |value: Value| {
                            value.node().is_some() || matches!(value, Value::Function(_) | Value::Library)
                        };
                        if is_foreign || pieces.iter().any(|piece| holds_pointers(piece.value)) {
                            return self.gap(SymbolicGap::UnknownCopyLength);
                        }
                        let unset = |value: Value| matches!(value, Value::Uninitialised | Value::Top);
                        let is_set = copied.is_some() || !pieces.iter().any(|piece| unset(piece.value));
                        if is_set { Value::Any } else { Value::Top }
                    }
                }
            }
            CopySource::Members => return self.gap(SymbolicGap::UnknownTypeInitialised),
        };
        let Some(object) = self.heap.object(node) else { return self.gap(SymbolicGap::CellIsNotFollowed) };
        let ends_with_object = match object.size {
            Size::Symbol(size) => {
                let (whole, part) = (self.heap.linear(size), self.heap.linear(len));
                (whole.base, whole.scale, whole.constant) == (part.base, part.scale, part.constant + i128::from(offset))
            }
            Size::Constant(_) => false,
        };
        let holds_pointers = |value: Value| value.node().is_some() || matches!(value, Value::Function(_));
        if object.pieces(offset, most).iter().any(|piece| holds_pointers(piece.value)) {
            return self.gap(SymbolicGap::UnknownCopyLength);
        }
        let room = match object.size {
            Size::Constant(size) => size.saturating_sub(offset).min(most),
            Size::Symbol(_) => Text::WHOLE,
        };
        if value != Value::Top && copied.is_none() {
            copied = Some((TextKind::Written, Value::Symbol(len)));
        }
        let text = copied.map(|(kind, length)| Text { offset, kind, length, room });
        if !ends_with_object {
            self.havoc(node, offset, most, value);
            self.set_texts(node, text);
            return Ok(());
        }
        // All bytes from there on.
        if let Some(object) = self.heap.object_mut(node) {
            let before = object.pieces(0, offset);
            object.fields.clear();
            object.texts.clear();
            object.rest = value;
            for piece in before {
                object.store(piece.offset, piece.bytes, piece.value);
            }
        }
        self.set_texts(node, text);
        Ok(())
    }

    /// Where a stretch of as many bytes as a symbol says begins.
    pub(crate) fn locate_length(&mut self, address: Value, len: SymbolId, access: Access) -> Step<(NodeId, u64)> {
        const OUTSIDE: &str = "bytes outside of an object are accessed";
        let Located::Exact(node, offset) = self.locate(address, 0, access)? else {
            return self.gap(SymbolicGap::UnknownCopyLength);
        };
        if access == Access::Write
            && self.heap.object(node).is_some_and(|object| matches!(object.storage, Storage::Literal(_)))
        {
            return self.error(Kind::OutOfBounds, "a string literal is written: it is read-only");
        }
        let room = match self.heap.object(node).map(|object| object.size) {
            Some(Size::Constant(size)) => i128::from(size) - i128::from(offset),
            Some(Size::Symbol(size)) => {
                let (whole, part) = (self.heap.linear(size), self.heap.linear(len));
                let fits = whole.base == part.base
                    && part.scale <= whole.scale
                    && part.constant + i128::from(offset) <= whole.constant
                    && self.heap.symbol(whole.base).low >= 0
                    && self.heap.symbol(len).low >= 0;
                if fits {
                    self.dissolve_within(node, offset, len)?;
                    return Ok((node, offset));
                }
                self.heap.symbol(size).low - i128::from(offset)
            }
            None => return self.gap(SymbolicGap::CellIsNotFollowed),
        };
        let allowed = Range { low: 0, high: room.max(0), without_zero: false };
        self.require_within(Value::Symbol(len), allowed, Kind::OutOfBounds, OUTSIDE)?;
        self.dissolve_within(node, offset, len)?;
        Ok((node, offset))
    }

    fn copy_bytes(&mut self, to: Located, from: Located, len: u64) -> Step<()> {
        let (Located::Exact(target, to), Located::Exact(source, from)) = (to, from) else {
            return match to {
                Located::Exact(..) if from == Located::Library => self.write(to, len, Value::Any),
                Located::Exact(..) | Located::Somewhere { .. } | Located::Library => {
                    self.gap(SymbolicGap::CopyAtUnknownIndex)
                }
            };
        };
        let Some(object) = self.heap.object(source) else { return self.gap(SymbolicGap::CellIsNotFollowed) };
        let pieces = match object.storage {
            Storage::Literal(global) => self.literal_pieces(global, from, len),
            Storage::Global(global)
                if matches!(
                    self.context.program.globals[global].initializer,
                    Initializer::Unknown | Initializer::Library(_)
                ) =>
            {
                return self.gap(SymbolicGap::ForeignVariableCopied);
            }
            Storage::Outside => return self.gap(SymbolicGap::CellNotGiven),
            Storage::Heap
            | Storage::GivenAway
            | Storage::Local
            | Storage::CallersLocal
            | Storage::Element
            | Storage::Environment
            | Storage::Library
            | Storage::Global(_) => object.pieces(from, len),
        };
        // Texts that are copied as a whole, or from their start; that of a literal is found by its bytes where it is short.
        let is_literal = matches!(object.storage, Storage::Literal(_));
        let whole = from.saturating_add(len);
        let mut texts: Vec<Text> =
            object.texts.iter().copied().filter_map(|text| self.part_copied(text, from, whole)).collect();
        if is_literal && len > LONG_LITERAL {
            texts.extend(self.text_from(source, from).and_then(|text| self.part_copied(text, from, whole)));
        }
        if let Some(object) = self.heap.object_mut(target) {
            for piece in pieces {
                object.store(to + (piece.offset - from), piece.bytes, piece.value);
            }
        }
        let moved: Vec<Text> =
            texts.into_iter().map(|text| Text { offset: to + (text.offset - from), ..text }).collect();
        self.set_texts(target, moved);
        Ok(())
    }

    fn literal_pieces(&self, global: heapwise_ir::GlobalId, from: u64, len: u64) -> Vec<crate::heap::Field> {
        if len > LONG_LITERAL {
            return vec![crate::heap::Field { offset: from, bytes: len, value: Value::Any }];
        }
        (from..from + len)
            .map(|offset| {
                let byte = self.literal_bytes(global, offset, 1);
                crate::heap::Field { offset, bytes: 1, value: byte.map_or(Value::Any, Value::Number) }
            })
            .collect()
    }

    /// How many bytes there are from an address to the end of its cell.
    pub(crate) fn rest_of(&mut self, address: Value) -> Step<u64> {
        match self.locate(address, 0, Access::Read)? {
            Located::Exact(node, offset) => match self.heap.object(node).map(|object| object.size) {
                Some(Size::Constant(size)) => Ok(size - offset),
                Some(Size::Symbol(symbol)) if self.heap.symbol(symbol).count() <= FEW => {
                    let range = self.heap.symbol(symbol);
                    Err(Stop::Split(self.cases_of(symbol, (range.low..=range.high).map(Range::constant))))
                }
                Some(Size::Symbol(_)) | None => self.gap(SymbolicGap::UnknownSizeCopied),
            },
            Located::Somewhere { .. } | Located::Library => self.gap(SymbolicGap::UnknownSizeCopied),
        }
    }

    /// The cell that a pointer leads to, as it stands: in cases if it is an instance.
    pub(crate) fn cell(&self, pointer: Pointer) -> Step<&Object> {
        match self.heap.node(pointer.node) {
            Node::Object(Object { storage: Storage::Outside, .. }) => self.gap(SymbolicGap::CellNotGiven),
            Node::Object(object) => Ok(object),
            Node::Instance(_) => self.expose(pointer),
        }
    }
}
