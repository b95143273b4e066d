//! What `realloc` moves: as much of the old cell as the new one has room for. The old cell is freed right behind it.

use super::{Executor, Step, Stop};
use crate::heap::{
    Array, Bound, Content, Elements, Heap, Life, Node, NodeId, Object, PortId, Prototype, Segment, Size, Storage,
    Value, is_uniform,
};
use crate::number::Range;
use heapwise_engine::reason::SymbolicGap;
use smallvec::smallvec;
use std::rc::Rc;

impl Executor<'_, '_> {
    /// Moves what both cells have room for, where how much that is depends on a symbol or an array is moved. False where it does not.
    pub(super) fn move_common(&mut self, to: Value, from: Value) -> Step<bool> {
        let (Value::Pointer(to), Value::Pointer(from)) = (to, from) else { return Ok(false) };
        let source = from.node;
        let (Some(new), Some(old)) = (self.heap.object(to.node), self.heap.object(source)) else { return Ok(false) };
        // What is no whole cell is an error, or is not followed: who copies says so.
        let is_whole = from.offset == 0 && old.life == Life::Alive && old.storage == Storage::Heap;
        let is_plain = matches!((new.size, old.size), (Size::Constant(_), Size::Constant(_))) && old.array.is_none();
        let is_fresh = new.fields.is_empty() && new.array.is_none() && new.storage == Storage::Heap && to.offset == 0;
        if is_plain || !is_whole || !is_fresh || to.port != PortId::FIRST || source == to.node {
            return Ok(false);
        }
        match old.array.clone() {
            Some(array) => self.move_array((to.node, source), &array)?,
            None => self.move_bytes(to.node, source)?,
        }
        Ok(true)
    }

    fn move_array(&mut self, (target, source): (NodeId, NodeId), array: &Array) -> Step<()> {
        let Some(new) = self.heap.object(target) else { return self.gap(SymbolicGap::CellIsNotFollowed) };
        let Some(count) = self.elements_of(new.size, array.stride).filter(|_| array.start == 0) else {
            return self.gap(SymbolicGap::UnknownSizeCopied);
        };
        let is_smaller = match self.heap.is_below(count, array.count()) {
            Some(known) => known,
            None => match self.heap.told_apart(count, array.count()) {
                Some(cases) => return Err(Stop::Split(cases.into_iter().flatten().collect())),
                None => return self.gap(SymbolicGap::UnknownSizeCopied),
            },
        };
        let mut segments = if is_smaller { self.cut(array, count)? } else { array.segments.clone() };
        for segment in &mut segments {
            if let Content::Slot(value) = segment.content {
                let copied = value.node().and_then(|slot| self.heap.object(slot).cloned());
                let Some(object) = copied else { return self.gap(SymbolicGap::CellIsNotFollowed) };
                segment.content = Content::Slot(Value::pointer(self.heap.add(Node::Object(object)), 0));
            }
        }
        if !is_smaller && self.heap.is_below(array.count(), count) != Some(false) {
            let rest = self.heap.object(target).map_or(Value::Top, |object| object.rest);
            segments.push(Segment { end: count, content: Content::Summary(elements_with(array.stride, rest)) });
        }
        self.heap.set_array(target, Array { segments, start: 0, stride: array.stride });
        // What belongs to elements is where they are now; elements that are nodes were copied as bytes are.
        let kept = array.segments.iter().map(|segment| match segment.content {
            Content::Slot(_) => segment.clone(),
            Content::Summary(_) => {
                Segment { end: segment.end, content: Content::Summary(elements_with(array.stride, Value::Top)) }
            }
        });
        let left = Array { segments: kept.collect(), ..array.clone() };
        if !is_smaller {
            self.heap.set_array(source, left);
        }
        Ok(())
    }

    /// The elements below a bound; what they own must not be cut off.
    fn cut(&self, array: &Array, count: Bound) -> Step<Vec<Segment>> {
        let owns = |segment: &Segment| match &segment.content {
            Content::Slot(_) => false,
            Content::Summary(elements) => elements.iter().any(|element| element.nodes.len() > 1),
        };
        let mut segments = Vec::new();
        for (start, segment) in array.parts() {
            match (self.heap.is_below(start, count), self.heap.is_below(count, segment.end)) {
                _ if owns(segment) => return self.gap(SymbolicGap::UnknownSizeCopied),
                (Some(false), _) => break,
                (Some(true), Some(false)) => segments.push(segment.clone()),
                (Some(true), Some(true)) => {
                    segments.push(Segment { end: count, ..segment.clone() });
                    break;
                }
                _ => return self.gap(SymbolicGap::UnknownSizeCopied),
            }
        }
        if segments.is_empty() { self.gap(SymbolicGap::UnknownSizeCopied) } else { Ok(segments) }
    }

    /// How many elements a cell has room for, if it is a whole number of them.
    fn elements_of(&self, size: Size, stride: u64) -> Option<Bound> {
        match size {
            Size::Constant(size) if stride > 0 && size % stride == 0 => Some(Bound::number(i128::from(size / stride))),
            Size::Constant(_) => None,
            Size::Symbol(symbol) => {
                let linear = self.heap.linear(symbol);
                let is_whole = linear.scale == i128::from(stride) && linear.constant == 0;
                is_whole.then(|| Bound::new(Value::Symbol(linear.base), 0))
            }
        }
    }

    fn move_bytes(&mut self, target: NodeId, source: NodeId) -> Step<()> {
        let (Some(new), Some(old)) = (self.heap.object(target), self.heap.object(source)) else {
            return self.gap(SymbolicGap::CellIsNotFollowed);
        };
        let (new_size, old) = (new.size, old.clone());
        let is_large_enough = match (new_size, old.size) {
            (Size::Constant(new), Size::Constant(old)) => Some(old <= new),
            (Size::Symbol(new), Size::Constant(old)) => {
                let range = self.heap.symbol(new);
                let old = i128::from(old);
                if !(range.low >= old || range.high < old) {
                    let parts = [Range::new(range.low, old - 1), Range::new(old, range.high)];
                    return Err(Stop::Split(self.cases_of(new, parts.into_iter().flatten())));
                }
                Some(range.low >= old)
            }
            (_, Size::Symbol(_)) => None,
        };
        match (is_large_enough, old.size) {
            (Some(true), Size::Constant(bytes)) => {
                let pieces = old.pieces(0, bytes);
                if let Some(object) = self.heap.object_mut(target) {
                    for piece in pieces {
                        object.store(piece.offset, piece.bytes, piece.value);
                    }
                    object.texts = old.texts;
                }
                Ok(())
            }
            _ if old.fields.is_empty() && is_uniform(old.rest) => {
                // As much as both have, and what is behind it was never written.
                let rest = if old.rest == Value::Uninitialised { Value::Uninitialised } else { Value::Top };
                if let Some(object) = self.heap.object_mut(target) {
                    object.rest = rest;
                }
                Ok(())
            }
            _ => self.gap(SymbolicGap::UnknownSizeCopied),
        }
    }
}

/// Elements that hold nothing but this.
fn elements_with(stride: u64, rest: Value) -> Elements {
    let object = Object::new(Storage::Element, Size::Constant(stride), rest);
    smallvec![Rc::new(Prototype { nodes: vec![Rc::new(Node::Object(object))], symbols: Vec::new() })]
}

impl Heap {
    /// What is known of a number is known of what it was computed from, and of what else was computed from that.
    pub(crate) fn narrow_relatives(&mut self, symbol: crate::heap::SymbolId) {
        let of = self.linear(symbol);
        if of.scale <= 0 || of.base == symbol {
            return;
        }
        let range = self.symbol(symbol);
        let low = range.low.checked_sub(of.constant).map(|low| -((-low).div_euclid(of.scale)));
        let high = range.high.checked_sub(of.constant).map(|high| high.div_euclid(of.scale));
        let Some(base) = low.zip(high).and_then(|(low, high)| Range::new(low, high)?.meet(self.symbol(of.base))) else {
            return;
        };
        // One value that is left is found out by who compares next.
        if base.single().is_some() {
            return;
        }
        self.narrow(of.base, base);
        for linear in self.linears.clone().into_iter().filter(|linear| linear.base == of.base && linear.scale > 0) {
            let end = |end: i128| end.checked_mul(linear.scale)?.checked_add(linear.constant);
            let range = end(base.low).zip(end(base.high)).and_then(|(low, high)| Range::new(low, high));
            let known = self.symbol(linear.result);
            if let Some(range) = range.and_then(|range| range.meet(known)).filter(|range| range.single().is_none()) {
                self.narrow(linear.result, range);
            }
        }
    }
}
