//! Arrays whose elements are told apart by position as far as the program does: segmentation (Cousot, Cousot, Logozzo 2011) with
//! elements as in instances of predicates.
//!
//! A stretch of a cell is a sequence of segments between bounds, which are numbers of the program (`i`, `n`, `top`). Of a segment
//! it is known what each element of it may be like; an element that the program looks at is a segment by itself, and a node.

use super::{Elements, Field, Heap, Node, NodeId, Pointer, Prototype, SymbolId, Value, tidy};
use crate::number::Range;
use heapwise_ir::{CompareOperator, RegisterId};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// `base + plus`: a number of elements.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bound {
    /// A number or a symbol; anything else is a bound that nothing is known of.
    pub base: Value,
    /// Added to a symbol.
    pub plus: i64,
}

/// What the elements between two bounds are.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Content {
    /// Each is one of these; it may be that there is none.
    Summary(Elements),
    /// One element, which is the node that this leads to.
    Slot(Value),
}

/// Elements up to a bound.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Segment {
    /// The index behind the last one.
    pub end: Bound,
    /// What they are.
    pub content: Content,
}

/// A stretch of a cell that is seen as an array. The bounds do not decrease; the last one is how many elements there are.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Array {
    /// Its first byte.
    pub start: u64,
    /// Bytes of an element.
    pub stride: u64,
    /// At least one.
    pub segments: Vec<Segment>,
}

impl Bound {
    /// The first element's index.
    pub const ZERO: Bound = Bound { base: Value::ZERO, plus: 0 };

    /// In normal form: nothing is added to a number.
    pub fn new(base: Value, plus: i64) -> Bound {
        match base {
            Value::Number(number) => match number.checked_add(i128::from(plus)) {
                Some(number) => Bound { base: Value::Number(number), plus: 0 },
                None => Bound { base: Value::Any, plus: 0 },
            },
            Value::Symbol(_) => Bound { base, plus },
            _ => Bound { base: Value::Any, plus: 0 },
        }
    }

    /// A number.
    pub fn number(number: i128) -> Bound {
        Bound { base: Value::Number(number), plus: 0 }
    }

    /// So many further.
    #[must_use]
    pub fn moved(self, by: i64) -> Bound {
        match self.plus.checked_add(by) {
            Some(plus) => Bound::new(self.base, plus),
            None => Bound::new(Value::Any, 0),
        }
    }
}

impl Array {
    /// How many elements there are.
    pub fn count(&self) -> Bound {
        self.segments.last().map_or(Bound::ZERO, |segment| segment.end)
    }

    /// Each segment with the index of its first element.
    pub fn parts(&self) -> impl Iterator<Item = (Bound, &Segment)> {
        let starts = std::iter::once(Bound::ZERO).chain(self.segments.iter().map(|segment| segment.end));
        starts.zip(&self.segments)
    }

    /// Every value in it: bounds, and those of elements.
    pub(crate) fn for_each_value(&self, visit: &mut dyn FnMut(Value)) {
        for segment in &self.segments {
            visit(segment.end.base);
            match &segment.content {
                Content::Slot(value) => visit(*value),
                Content::Summary(elements) => {
                    let nodes = elements.iter().flat_map(|element| &element.nodes);
                    nodes.for_each(|node| node.for_each_value(visit));
                }
            }
        }
    }

    pub(super) fn map_values(&self, map: &mut dyn FnMut(Value) -> Value) -> Array {
        let segments = self.segments.iter().map(|segment| {
            let content = match &segment.content {
                Content::Slot(value) => Content::Slot(map(*value)),
                Content::Summary(elements) => {
                    let mut elements: Elements =
                        elements.iter().map(|element| Prototype::mapped(element, map)).collect();
                    tidy(&mut elements);
                    Content::Summary(elements)
                }
            };
            Segment { end: Bound::new(map(segment.end.base), segment.end.plus), content }
        });
        Array { start: self.start, stride: self.stride, segments: segments.collect() }
    }

    pub(super) fn prototypes(&self) -> impl Iterator<Item = &Rc<Prototype>> {
        self.segments.iter().flat_map(|segment| match &segment.content {
            Content::Summary(elements) => elements.as_slice(),
            Content::Slot(_) => &[],
        })
    }

    /// Whether bytes of the cell belong to it. (Where its end is not known, all behind its start do.)
    pub fn overlaps(&self, offset: u64, bytes: u64) -> bool {
        offset < self.end() && offset.saturating_add(bytes) > self.start
    }

    /// The parts of a field that overlaps the array before and behind it.
    pub(crate) fn outside(&self, field: Field) -> impl Iterator<Item = Field> {
        let part = |from: u64, to: u64| (from < to).then(|| Field { offset: from, bytes: to - from, ..field });
        let overlaps = self.overlaps(field.offset, field.bytes);
        let parts = [part(field.offset, self.start), part(self.end(), field.end())];
        parts.into_iter().flatten().filter(move |_| overlaps)
    }

    /// Where the array ends, as far as it is known.
    fn end(&self) -> u64 {
        match self.count().base {
            Value::Number(count) => {
                let count = u64::try_from(count).unwrap_or(0);
                self.start.saturating_add(count.saturating_mul(self.stride))
            }
            _ => u64::MAX,
        }
    }
}

/// What values outside of arrays speak of.
#[derive(Default)]
pub(crate) struct Mentioned {
    symbols: FxHashSet<SymbolId>,
    numbers: FxHashSet<i128>,
}

impl Mentioned {
    fn note(&mut self, value: Value) {
        match value {
            Value::Number(number) => {
                self.numbers.insert(number);
            }
            value => self.symbols.extend(value.symbol().filter(|symbol| symbol.level() == 0)),
        }
    }

    /// Whether the program has a name for the bound.
    pub fn has(&self, bound: Bound) -> bool {
        match bound.base {
            Value::Number(number) => self.numbers.contains(&number),
            Value::Symbol(symbol) => bound.plus == 0 && self.symbols.contains(&symbol),
            _ => false,
        }
    }
}

impl Heap {
    /// The cells with an array.
    pub(crate) fn arrays(&self) -> Vec<NodeId> {
        let has_array = |node: &Node| matches!(node, Node::Object(object) if object.array.is_some());
        self.nodes().filter(|(_, node)| has_array(node)).map(|(id, _)| id).collect()
    }

    /// The array of a cell.
    pub(crate) fn array(&self, id: NodeId) -> Option<&Rc<Array>> {
        self.object(id)?.array.as_ref()
    }

    pub(crate) fn set_array(&mut self, id: NodeId, array: Array) {
        if let Some(object) = self.object_mut(id) {
            object.array = Some(Rc::new(array));
        }
    }

    /// The cell whose array has that node as an element, and the index.
    pub(crate) fn array_of(&self, slot: NodeId) -> Option<(NodeId, Bound)> {
        self.nodes().find_map(|(id, node)| {
            let Node::Object(object) = node else { return None };
            let mut parts = object.array.as_ref()?.parts();
            parts.find(|(_, segment)| segment.content == Content::Slot(Value::pointer(slot, 0))).map(|(at, _)| (id, at))
        })
    }

    /// An address in an element, seen from the cell with the array.
    pub(crate) fn seen_from_cell(&self, pointer: Pointer) -> Option<Value> {
        let (cell, index) = self.array_of(pointer.node)?;
        let array = self.array(cell)?;
        let stride = i64::try_from(array.stride).ok()?;
        let start = i64::try_from(array.start).ok()?.checked_add(pointer.offset)?;
        match index.base {
            Value::Number(number) => {
                let bytes = i64::try_from(number).ok()?.checked_mul(stride)?;
                Some(Value::pointer(cell, start.checked_add(bytes)?))
            }
            Value::Symbol(symbol) => {
                let offset = start.checked_add(index.plus.checked_mul(stride)?)?;
                let Value::Pointer(pointer) = Value::pointer(cell, offset) else { return None };
                Some(Value::Indexed { pointer, index: symbol, scale: stride })
            }
            _ => None,
        }
    }

    /// What is mentioned outside of arrays. Null pointers are not meant, nor what is not read again: who calls says which registers
    /// hold numbers that are.
    pub(crate) fn mentioned(&self, is_number: &dyn Fn(RegisterId) -> bool) -> Mentioned {
        let mut mentioned = Mentioned::default();
        let without_null = |value: &Value| *value != Value::ZERO;
        for (register, value) in &self.registers {
            if matches!(value, Value::Indexed { .. }) || is_number(*register) {
                mentioned.note(*value);
            }
        }
        self.ghosts.iter().filter(|value| without_null(value)).for_each(|value| mentioned.note(*value));
        for (_, node) in self.nodes() {
            match node {
                Node::Object(object) => {
                    let values = object.fields.iter().map(|field| field.value);
                    values.filter(without_null).for_each(|value| mentioned.note(value));
                    if let super::Size::Symbol(symbol) = object.size {
                        mentioned.note(Value::Symbol(symbol));
                        mentioned.note(Value::Symbol(self.linear(symbol).base));
                    }
                }
                Node::Instance(instance) => instance.inputs.iter().for_each(|value| mentioned.note(*value)),
            }
        }
        mentioned
    }

    /// `bound` by a number of which it is a constant away, if there is one.
    fn by_base(&self, bound: Bound) -> Bound {
        let Value::Symbol(symbol) = bound.base else { return bound };
        let linear = self.linear(symbol);
        match (linear.scale, i64::try_from(linear.constant)) {
            (1, Ok(constant)) => Bound::new(Value::Symbol(linear.base), bound.plus).moved(constant),
            _ => bound,
        }
    }

    fn bound_range(&self, bound: Bound) -> Option<Range> {
        let range = self.range(bound.base)?;
        let plus = i128::from(bound.plus);
        Range::new(range.low.checked_add(plus)?, range.high.checked_add(plus)?)
    }

    /// Whether `x < y`, if that is known.
    pub(crate) fn is_below(&self, x: Bound, y: Bound) -> Option<bool> {
        // x.base - y.base < further
        let further = i128::from(y.plus) - i128::from(x.plus);
        if self.difference(x.base, y.base).is_some_and(|most| most < further) {
            return Some(true);
        }
        self.difference(y.base, x.base).is_some_and(|most| most <= -further).then_some(false)
    }

    /// The heaps in which `x < y` and in which not; none if that cannot be remembered.
    pub(crate) fn told_apart(&self, x: Bound, y: Bound) -> Option<[Option<Heap>; 2]> {
        let case = |is_below: bool| -> Option<Option<Heap>> {
            let mut heap = self.clone();
            let operator = if is_below { CompareOperator::Less } else { CompareOperator::GreaterEqual };
            let (left, right) = (self.bound_range(x)?, self.bound_range(y)?);
            let (new_left, new_right) = (left.refine(operator, right), right.refine(operator.mirrored(), left));
            let (Some(new_left), Some(new_right)) = (new_left, new_right) else { return Some(None) };
            for (bound, range) in [(x, new_left), (y, new_right)] {
                let Value::Symbol(symbol) = bound.base else { continue };
                let plus = i128::from(bound.plus);
                let own = Range { low: range.low - plus, high: range.high - plus, without_zero: false };
                let Some(own) = heap.symbol(symbol).meet(own) else { return Some(None) };
                heap.narrow(symbol, own);
            }
            if let (Value::Symbol(left), Value::Symbol(right)) = (x.base, y.base)
                && new_left.single().is_none()
                && new_right.single().is_none()
            {
                let further = y.plus.checked_sub(x.plus)?;
                match is_below {
                    true => heap.remember_difference(left, right, further.checked_sub(1)?),
                    false => heap.remember_difference(right, left, further.checked_neg()?),
                }
                if heap.is_below(x, y) != Some(is_below) {
                    return None;
                }
            }
            Some(Some(heap))
        };
        Some([case(true)?, case(false)?])
    }

    /// Segments without elements go, and numbers that are the same for that reason are one.
    pub(crate) fn drop_empty_segments(&mut self) {
        for id in self.arrays() {
            while let Some((index, start)) = self.empty_segment(id) {
                let Some(mut array) = self.array(id).map(|array| Array::clone(array)) else { break };
                let end = array.segments[index].end;
                array.segments.remove(index);
                if let Some(before) = index.checked_sub(1) {
                    array.segments[before].end = end;
                }
                self.set_array(id, array);
                // The bounds do not decrease: they are equal.
                match (start.base, end.base) {
                    (Value::Symbol(x), Value::Symbol(y)) if x != y && start.plus == end.plus => {
                        self.substitute_symbol(x, Value::Symbol(y));
                    }
                    (Value::Symbol(x), Value::Number(y)) => {
                        self.substitute_symbol(x, Value::Number(y - i128::from(start.plus)));
                    }
                    (Value::Number(x), Value::Symbol(y)) => {
                        self.substitute_symbol(y, Value::Number(x - i128::from(end.plus)));
                    }
                    _ => {}
                }
            }
        }
    }

    fn empty_segment(&self, id: NodeId) -> Option<(usize, Bound)> {
        let array = self.array(id)?;
        // One segment stays: it says where the array is.
        if array.segments.len() < 2 {
            return None;
        }
        array.parts().enumerate().find_map(|(index, (start, segment))| {
            let is_summary = matches!(segment.content, Content::Summary(_));
            (is_summary && self.is_below(start, segment.end) == Some(false)).then_some((index, start))
        })
    }

    /// Bounds by numbers that something else than an array speaks of, where they differ from one by a constant.
    pub(crate) fn rebind_bounds(&mut self, mentioned: &Mentioned) {
        for id in self.arrays() {
            let Some(array) = self.array(id) else { continue };
            let rebound = |bound: Bound| {
                let Value::Symbol(symbol) = bound.base else { return bound };
                if mentioned.symbols.contains(&symbol) {
                    return bound;
                }
                let own = self.by_base(bound);
                let by = mentioned.symbols.iter().filter_map(|other| {
                    let other_base = self.by_base(Bound::new(Value::Symbol(*other), 0));
                    let further = own.plus.checked_sub(other_base.plus)?;
                    (own.base == other_base.base).then_some(Bound::new(Value::Symbol(*other), further))
                });
                by.min_by_key(|bound| (bound.plus.unsigned_abs(), bound.base)).unwrap_or(bound)
            };
            let mut changed = Array::clone(array);
            changed.segments.iter_mut().for_each(|segment| segment.end = rebound(segment.end));
            if changed != **array {
                self.set_array(id, changed);
            }
        }
    }
}
