//! Arrays: a cell becomes one where the program indexes it with a variable, and elements that are accessed become nodes.

use super::memory::{Access, Located};
use super::{Arrays, Executor, Step, Stop};
use crate::fold_array::segments_of;
use crate::heap::{
    Array, Bound, Content, Field, Heap, Life, Node, NodeId, Object, Pointer, PortId, Segment, Size, Storage, SymbolId,
    Value, is_uniform,
};
use crate::unfold::{instantiate, replace_pointers};
use heapwise_engine::reason::SymbolicGap;
use heapwise_ir::{Index, Path, Program, Step as PathStep, Type, TypeId};
use std::rc::Rc;

/// Where a path enters an array.
struct Indexing {
    /// Bytes before the array.
    prefix: i64,
    element: TypeId,
    stride: u64,
    count: Option<u64>,
    index: Index,
}

/// The array that a path goes through, if it is one.
fn indexing(program: &Program, path: &Path) -> Option<Indexing> {
    let (mut prefix, mut ty) = (0i64, path.view);
    let mut found: Option<Indexing> = None;
    for step in &path.steps {
        match (step, program.ty(ty)) {
            (PathStep::Field(record, field), Type::Record(_)) => {
                let field = program.records[*record].fields().get(*field as usize)?;
                prefix = prefix.checked_add(i64::try_from(field.offset).ok()?)?;
                ty = field.ty;
            }
            (PathStep::Index(index), Type::Array(element, count)) => {
                if found.is_some() {
                    return None;
                }
                let stride = program.stride_of(*element).filter(|stride| *stride > 0)?;
                found = Some(Indexing { prefix, element: *element, stride, count: *count, index: *index });
                ty = *element;
            }
            _ => return None,
        }
    }
    found
}

/// Whether values of a type hold addresses.
fn holds_pointers(program: &Program, ty: TypeId) -> bool {
    match program.ty(ty) {
        Type::Pointer(_) => true,
        Type::Array(element, _) => holds_pointers(program, *element),
        Type::Record(record) => program.records[*record].fields().iter().any(|field| holds_pointers(program, field.ty)),
        Type::Void | Type::Int(_) | Type::Float(_) | Type::Function(_) => false,
    }
}

impl Executor<'_, '_> {
    /// The address of a place: where it lies in an element of an array that is a node, in that node.
    pub(crate) fn element_address(&mut self, base: Value, path: &Path, address: Value) -> Step<Value> {
        if self.context.arrays == Arrays::Off {
            return Ok(address);
        }
        let (Value::Pointer(start), Some(indexing)) = (base, indexing(self.context.program, path)) else {
            return Ok(address);
        };
        let Some(object) = self.heap.object(start.node).filter(|object| object.life == Life::Alive) else {
            return Ok(address);
        };
        if object.array.is_none() {
            if matches!(indexing.index, Index::Operand(_))
                && let Some(heap) = self.as_array(start, &indexing)
            {
                return Err(Stop::Split(vec![heap]));
            }
            return Ok(address);
        }
        let Some((index, rest)) = self.index_in(address) else { return Ok(address) };
        let Some(array) = self.heap.array(start.node) else { return Ok(address) };
        let is_inside = self.heap.is_below(index, array.count()) == Some(true)
            && self.heap.is_below(index, Bound::ZERO) == Some(false);
        if !is_inside {
            return Ok(address);
        }
        Ok(match self.focus(start.node, index)? {
            Some(slot) => Value::pointer(slot, rest),
            None => address,
        })
    }

    /// The heap in which the cell has an array there.
    fn as_array(&self, start: Pointer, indexing: &Indexing) -> Option<Heap> {
        let object = self.heap.object(start.node)?;
        let is_writable = matches!(
            object.storage,
            Storage::Heap | Storage::GivenAway | Storage::Local | Storage::CallersLocal | Storage::Global(_)
        );
        let first = u64::try_from(start.offset.checked_add(indexing.prefix)?).ok()?;
        let (first, count) = match (indexing.count.filter(|count| *count > 0), object.size) {
            (Some(count), _) => (first, Bound::number(i128::from(count))),
            // All of the cell: it has no other parts.
            (None, _) if object.view.is_some() || first % indexing.stride != 0 => return None,
            (None, Size::Constant(size)) => {
                let is_plain = object.storage == Storage::Heap && first % indexing.stride == 0;
                if !is_plain || size % indexing.stride != 0 {
                    return None;
                }
                (0, Bound::number(i128::from(size / indexing.stride)))
            }
            (None, Size::Symbol(symbol)) => {
                let linear = self.heap.linear(symbol);
                if linear.scale != i128::from(indexing.stride) || linear.constant != 0 {
                    return None;
                }
                (0, Bound::new(Value::Symbol(linear.base), 0))
            }
        };
        let is_large = match count.base {
            Value::Number(count) => count > self.context.few_elements,
            _ => true,
        };
        if let (Size::Constant(size), Value::Number(count)) = (object.size, count.base)
            && i128::from(first) + count * i128::from(indexing.stride) > i128::from(size)
        {
            return None;
        }
        if !object.texts.is_empty() {
            return None;
        }
        let bytes = match count.base {
            Value::Number(count) => u64::try_from(count).ok()?.checked_mul(indexing.stride)?,
            _ => u64::MAX - first,
        };
        let pieces = object.pieces(first, bytes);
        let has = |value: Value| pieces.iter().any(|piece| piece.value == value);
        let is_wanted =
            holds_pointers(self.context.program, indexing.element) || has(Value::Uninitialised) && !has(Value::Top);
        if !is_writable || !is_large || !is_wanted {
            return None;
        }
        let mut heap = self.heap.clone();
        let segments = segments_of(&mut heap, start.node, (first, indexing.stride, count))?;
        let array = Array { start: first, stride: indexing.stride, segments };
        let object = heap.object_mut(start.node)?;
        // What reaches beyond the array is the same in every byte: that of it which lies outside stays.
        let outside: Vec<Field> = object.fields.iter().flat_map(|field| array.outside(*field)).collect();
        object.fields.retain(|field| !array.overlaps(field.offset, field.bytes));
        for field in outside {
            object.store(field.offset, field.bytes, field.value);
        }
        object.array = Some(Rc::new(array));
        Some(heap)
    }

    /// The index of the element that an address in a cell with an array lies in, and how far in it.
    fn index_in(&self, address: Value) -> Option<(Bound, i64)> {
        let (pointer, open) = match address {
            Value::Pointer(pointer) => (pointer, None),
            Value::Indexed { pointer, index, scale } => (pointer, Some((index, scale))),
            _ => return None,
        };
        let array = self.heap.array(pointer.node)?;
        let stride = i64::try_from(array.stride).ok()?;
        let within = pointer.offset.checked_sub(i64::try_from(array.start).ok()?)?;
        let (number, rest) = (within.div_euclid(stride), within.rem_euclid(stride));
        match open {
            None => Some((Bound::number(i128::from(number)), rest)),
            Some((index, scale)) if scale == stride => Some((Bound::new(Value::Symbol(index), number), rest)),
            Some(_) => None,
        }
    }

    /// The node of an element; none if the index is behind the last one. Elements become nodes in cases.
    fn focus(&mut self, cell: NodeId, index: Bound) -> Step<Option<NodeId>> {
        let Some(array) = self.heap.array(cell).cloned() else { return Ok(None) };
        let mut found = None;
        for (place, (start, segment)) in array.parts().enumerate() {
            match self.heap.is_below(index, segment.end) {
                Some(true) => {
                    found = Some((place, start, segment));
                    break;
                }
                Some(false) => {}
                None => return self.tell_apart(index, segment.end),
            }
        }
        let Some((place, start, segment)) = found else { return Ok(None) };
        match &segment.content {
            Content::Slot(value) => Ok(value.node()),
            Content::Summary(elements) => {
                let cases = elements.iter().map(|element| {
                    let mut heap = self.heap.clone();
                    let slot = instantiate(&mut heap, element, crate::heap::Region::NONE);
                    let slot_segment = Segment { end: index.moved(1), content: Content::Slot(Value::pointer(slot, 0)) };
                    let mut parts = vec![slot_segment];
                    if heap.is_below(start, index) != Some(false) {
                        parts.insert(0, Segment { end: index, content: segment.content.clone() });
                    }
                    if heap.is_below(index.moved(1), segment.end) != Some(false) {
                        parts.push(segment.clone());
                    } else if let Some(last) = parts.last_mut() {
                        last.end = segment.end;
                    }
                    let mut array = Array::clone(&array);
                    array.segments.splice(place..=place, parts);
                    heap.set_array(cell, array);
                    heap
                });
                Err(Stop::Split(cases.collect()))
            }
        }
    }

    fn tell_apart<T>(&self, index: Bound, bound: Bound) -> Step<T> {
        match self.heap.told_apart(index, bound) {
            Some(cases) => Err(Stop::Split(cases.into_iter().flatten().collect())),
            None => self.gap(SymbolicGap::ManyIndices),
        }
    }

    /// Where an access to a cell with an array goes, if it goes there.
    pub(crate) fn locate_element(
        &mut self,
        pointer: Pointer,
        open: Option<(SymbolId, i64)>,
        bytes: u64,
    ) -> Step<Option<Located>> {
        let Some(array) = self.heap.array(pointer.node) else { return Ok(None) };
        let address = match open {
            None => Value::Pointer(pointer),
            Some((index, scale)) => Value::Indexed { pointer, index, scale },
        };
        if open.is_none() && !u64::try_from(pointer.offset).is_ok_and(|offset| array.overlaps(offset, bytes.max(1))) {
            return Ok(None);
        }
        let stride = array.stride;
        let found = self.index_in(address);
        let Some((index, rest)) = found.filter(|(_, rest)| bytes > 0 && *rest as u64 + bytes <= stride) else {
            return self.dissolve(pointer.node);
        };
        match self.heap.is_below(index, Bound::ZERO) {
            Some(true) => return self.gap(SymbolicGap::ManyIndices),
            Some(false) => {}
            None => return self.tell_apart(index, Bound::ZERO),
        }
        match self.focus(pointer.node, index)? {
            Some(slot) => Ok(Some(Located::Exact(slot, rest as u64))),
            None if open.is_none() => Ok(None),
            None => self.gap(SymbolicGap::ManyIndices),
        }
    }

    /// An array of plain numbers becomes bytes again; others stay, and what is done to them as a whole is not followed.
    fn dissolve<T>(&mut self, cell: NodeId) -> Step<T> {
        match dissolved(&self.heap, cell) {
            Some(heap) => Err(Stop::Split(vec![heap])),
            None => self.gap(SymbolicGap::CopyAtUnknownIndex),
        }
    }

    /// Which elements a stretch of unknown length has is not followed: an array that it may reach becomes bytes.
    pub(crate) fn dissolve_within(&mut self, cell: NodeId, offset: u64, len: SymbolId) -> Step<()> {
        let most = u64::try_from(self.heap.symbol(len).high.max(0)).unwrap_or(u64::MAX);
        match self.heap.array(cell).is_some_and(|array| array.overlaps(offset, most)) {
            true => self.dissolve(cell),
            false => Ok(()),
        }
    }

    /// All of an array is overwritten: it is none any more, and what only its elements led to is lost.
    pub(crate) fn overwrite_array(&mut self, address: Value, bytes: u64, access: Access) -> Step<()> {
        let Value::Pointer(pointer) = address else { return Ok(()) };
        if access != Access::Write || bytes == 0 || !matches!(self.heap.node(pointer.node), Node::Object(_)) {
            return Ok(());
        }
        let Some(array) = self.heap.array(pointer.node) else { return Ok(()) };
        let Value::Number(count) = array.count().base else { return Ok(()) };
        let (start, end) = (i128::from(array.start), i128::from(array.start) + count * i128::from(array.stride));
        let is_covered = i128::from(pointer.offset) <= start
            && i128::from(pointer.offset) + i128::from(bytes) >= end
            && pointer.port == PortId::FIRST
            && bytes > array.stride;
        let is_seen = array.segments.iter().any(|segment| matches!(segment.content, Content::Slot(_)));
        if !is_covered {
            return Ok(());
        }
        if is_seen {
            return self.gap(SymbolicGap::CopyAtUnknownIndex);
        }
        self.heap.take_elements(pointer.node, Life::Freed);
        Ok(())
    }
}

/// The heap in which an array without addresses is plain bytes.
pub(super) fn dissolved(heap: &Heap, cell: NodeId) -> Option<Heap> {
    let array = heap.array(cell)?.clone();
    let mut heap = heap.clone();
    let mut values: Vec<Value> = Vec::new();
    let is_plain = |object: &Object| object.array.is_none() && object.fields.iter().all(|field| is_number(field.value));
    let note = |object: &Object, values: &mut Vec<Value>| {
        let pieces = object.pieces(0, array.stride);
        values.extend(pieces.iter().map(|Field { value, .. }| if is_uniform(*value) { *value } else { Value::Any }));
    };
    let mut slots = Vec::new();
    for segment in &array.segments {
        match &segment.content {
            Content::Slot(value) => {
                let slot = value.node()?;
                let object = heap.object(slot).filter(|object| is_plain(object))?;
                note(object, &mut values);
                slots.push(slot);
            }
            Content::Summary(elements) => {
                for element in elements {
                    let [node] = element.nodes.as_slice() else { return None };
                    let Node::Object(object) = &**node else { return None };
                    if !is_plain(object) {
                        return None;
                    }
                    note(object, &mut values);
                }
            }
        }
    }
    for slot in slots {
        let seen = |heap: &Heap, pointer: Pointer| heap.seen_from_cell(pointer).unwrap_or(Value::Any);
        let before = heap.clone();
        replace_pointers(&mut heap, slot, &mut |pointer| seen(&before, pointer));
        heap.map_values(&mut |value| value);
        heap.remove(slot);
    }
    values.dedup();
    let unset = |value: &Value| matches!(value, Value::Uninitialised | Value::Top);
    let value = match values.as_slice() {
        [value] => *value,
        values if values.iter().any(unset) => Value::Top,
        _ => Value::Any,
    };
    let object = heap.object_mut(cell)?;
    object.array = None;
    match array.count().base {
        Value::Number(count) => {
            let bytes = u64::try_from(count).ok()?.checked_mul(array.stride)?;
            object.store(array.start, bytes, value);
        }
        _ => {
            let before = object.pieces(0, array.start);
            object.fields.clear();
            object.texts.clear();
            object.rest = value;
            for piece in before {
                object.store(piece.offset, piece.bytes, piece.value);
            }
        }
    }
    Some(heap)
}

fn is_number(value: Value) -> bool {
    matches!(value, Value::Number(_) | Value::Symbol(_) | Value::Any | Value::Top | Value::Uninitialised)
}
