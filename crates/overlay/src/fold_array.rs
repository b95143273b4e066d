//! Abstraction of arrays: elements that nobody looks at and whose index has no name any more go back into segments, and segments that the program does not tell
//! apart become one.

use crate::arguments::LONGEST_ARGUMENT;
use crate::chunk::{MOST_ALTERNATIVES, Merging, Space, extract_cell, merge_elements};
use crate::fold::fold_element;
use crate::heap::{
    Array, Bound, Content, Elements, Heap, Mentioned, Node, NodeId, Prototype, Segment, Storage, Value, is_owned,
    is_uniform, tidy,
};
use crate::predicate::{Definitions, Layout};
use crate::unify::{Policy, join_prototypes};
use heapwise_ir::RegisterId;
use smallvec::smallvec;
use std::rc::Rc;

/// Folds elements of arrays, and joins segments that need not be told apart.
pub(crate) fn fold_arrays(
    heap: &mut Heap,
    layouts: &[Rc<Layout>],
    definitions: &Definitions,
    is_number: &dyn Fn(RegisterId) -> bool,
) {
    if heap.arrays().is_empty() {
        return;
    }
    let mentioned = heap.mentioned(is_number);
    heap.rebind_bounds(&mentioned);
    heap.drop_empty_segments();
    let mentioned = heap.mentioned(is_number);
    for id in heap.arrays() {
        // It may have become a part of an element of another one.
        if heap.nodes[id.index()].is_none() {
            continue;
        }
        while let Some(slot) = foldable_slot(heap, id, &mentioned) {
            fold_slot(heap, id, slot, layouts, definitions);
        }
        merge_segments(heap, id, definitions, &mentioned);
    }
}

/// An element that can go back: its place among the segments, what it is like, and the nodes that belong to it.
struct Folded {
    index: usize,
    prototype: Prototype,
    nodes: Vec<NodeId>,
}

fn foldable_slot(heap: &Heap, id: NodeId, mentioned: &Mentioned) -> Option<Folded> {
    let array = heap.array(id)?;
    let slot_of = |segment: &Segment| match segment.content {
        Content::Slot(value) => value.node(),
        Content::Summary(_) => None,
    };
    if !array.segments.iter().any(|segment| slot_of(segment).is_some()) {
        return None;
    }
    let space = Space::of_heap(heap);
    // The null pointer behind the arguments of the program ends the list, whether their number has a name or not.
    let is_list = heap.object(id)?.storage == Storage::Environment;
    let n_foldable = array.segments.len() - usize::from(is_list);
    array.parts().take(n_foldable).enumerate().find_map(|(index, (start, segment))| {
        let slot = slot_of(segment)?;
        if mentioned.has(start) || matches!(start.base, Value::Number(_)) && is_measured(heap, slot, mentioned) {
            return None;
        }
        let mut element = heap.object(slot)?.clone();
        element.fields.retain(|field| field.value != element.rest || !is_uniform(field.value));
        let (prototype, mut nodes, own_references) = extract_cell(&space, slot, element);
        // The array itself leads there once.
        let is_private = space.references[slot.index()] == 1 + own_references;
        let mut leads_out = false;
        for node in &prototype.nodes {
            node.for_each_value(&mut |value| {
                let target = value.node().filter(|target| target.level() == 0 && *target != id);
                leads_out |= target.is_some_and(|target| is_owned(heap.node(target)) || is_argument(heap.node(target)));
            });
        }
        nodes.push(slot);
        (is_private && !leads_out).then_some(Folded { index, prototype, nodes })
    })
}

/// Whether it is a text of the environment, or what the library made: an element that leads there is that very one.
fn is_argument(node: &Node) -> bool {
    matches!(node, Node::Object(object) if matches!(object.storage, Storage::Environment | Storage::Library))
}

/// Whether an element leads to a text of which the program knows how long it is: `if (strlen(argv[1]) < sizeof name)` means
/// that argument.
fn is_measured(heap: &Heap, slot: NodeId, mentioned: &Mentioned) -> bool {
    let Some(element) = heap.object(slot) else { return false };
    let cells = element.fields.iter().filter_map(|field| field.value.node().filter(|node| node.level() == 0));
    cells.filter_map(|cell| heap.object(cell)).flat_map(|cell| &cell.texts).any(|text| match text.length {
        Value::Number(_) => true,
        Value::Symbol(length) => {
            heap.symbol(length).high < LONGEST_ARGUMENT - 1
                || mentioned.has(Bound::new(text.length, 0))
                || heap
                    .registers
                    .iter()
                    .any(|(_, value)| value.symbol().is_some_and(|known| heap.linear(known).base == length))
        }
        _ => false,
    })
}

fn fold_slot(heap: &mut Heap, id: NodeId, folded: Folded, layouts: &[Rc<Layout>], definitions: &Definitions) {
    let Some(mut array) = heap.array(id).map(|array| Array::clone(array)) else { return };
    // Of elements in any number, lists of any length: what lies in one is folded at once.
    let prototype = fold_element(&Rc::new(folded.prototype), heap, layouts, definitions, Merging::Alternatives);
    array.segments[folded.index].content = Content::Summary(smallvec![prototype]);
    heap.set_array(id, array);
    for node in folded.nodes {
        heap.remove(node);
    }
}

/// Neighbours become one where they are alike, or where the program has no name for the bound between them.
fn merge_segments(heap: &mut Heap, id: NodeId, definitions: &Definitions, mentioned: &Mentioned) {
    let Some(array) = heap.array(id) else { return };
    let space = Space::of_heap(heap);
    let mut merged: Vec<Segment> = Vec::new();
    for segment in &array.segments {
        let joined = merged.last().and_then(|last: &Segment| match (&last.content, &segment.content) {
            (Content::Summary(left), Content::Summary(right)) if left == right => Some(left.clone()),
            (Content::Summary(left), Content::Summary(right)) if !mentioned.has(last.end) => {
                merge(left, right, &space, definitions)
            }
            _ => None,
        });
        match (joined, merged.last_mut()) {
            (Some(elements), Some(last)) => {
                *last = Segment { end: segment.end, content: Content::Summary(elements) };
            }
            _ => merged.push(segment.clone()),
        }
    }
    if merged.len() < array.segments.len() {
        let array = Array { segments: merged, ..Array::clone(array) };
        heap.set_array(id, array);
    }
}

/// Kinds of elements of two segments: those that are nearly the same are one.
fn merge(left: &Elements, right: &Elements, space: &Space, definitions: &Definitions) -> Option<Elements> {
    let mut kinds = left.clone();
    kinds.extend(right.iter().cloned());
    tidy(&mut kinds);
    reduce(&mut kinds, |x, y| join_prototypes(x, y, space, definitions, Policy::SIMILAR));
    if kinds.len() <= MOST_ALTERNATIVES {
        return Some(kinds);
    }
    merge_elements(&kinds, &kinds.clone(), space, definitions, Merging::Alternatives)
        .filter(|kinds| kinds.len() <= MOST_ALTERNATIVES)
        .or_else(|| (kinds.len() <= 2 * MOST_ALTERNATIVES).then_some(kinds))
}

/// Joins kinds of elements as long as two of them can be.
pub(crate) fn reduce(kinds: &mut Elements, mut join: impl FnMut(&Prototype, &Prototype) -> Option<Prototype>) {
    'again: loop {
        for x in 0..kinds.len() {
            for y in x + 1..kinds.len() {
                if let Some(joined) = join(&kinds[x], &kinds[y]) {
                    kinds.remove(y);
                    kinds[x] = Rc::new(joined);
                    tidy(kinds);
                    continue 'again;
                }
            }
        }
        return;
    }
}

/// The elements of a cell that is not seen as an array yet, as segments: equal neighbours are one.
pub(crate) fn segments_of(
    heap: &mut Heap,
    id: NodeId,
    (start, stride, count): (u64, u64, Bound),
) -> Option<Vec<Segment>> {
    const MOST: usize = 8;
    let object = heap.object(id)?.clone();
    let end = match count.base {
        Value::Number(count) => start.checked_add(u64::try_from(count).ok()?.checked_mul(stride)?)?,
        _ => u64::MAX,
    };
    let mut fields: Vec<crate::heap::Field> = Vec::new();
    for field in object.fields.iter().filter(|field| field.offset < end && field.end() > start) {
        let (first, last) = ((field.offset.max(start) - start) / stride, (field.end().min(end) - 1 - start) / stride);
        let is_whole = field.offset >= start && field.end() <= end && first == last;
        if !is_whole && !is_uniform(field.value) {
            return None;
        }
        // As many pieces as elements: a long one is not taken apart.
        if last - first > 64 {
            return None;
        }
        for index in first..=last {
            let from = field.offset.max(start + index * stride);
            let to = field.end().min(start + (index + 1) * stride);
            fields.push(crate::heap::Field { offset: from, bytes: to - from, value: field.value });
        }
    }
    let element = |fields: &[crate::heap::Field], index: u64| {
        let size = crate::heap::Size::Constant(stride);
        let mut element = crate::heap::Object::new(crate::heap::Storage::Element, size, object.rest);
        for field in fields {
            element.store(field.offset - start - index * stride, field.bytes, field.value);
        }
        element
    };
    let summary = |object: crate::heap::Object| -> Content {
        let prototype = Prototype { nodes: vec![Rc::new(Node::Object(object))], symbols: Vec::new() };
        Content::Summary(smallvec![Rc::new(prototype)])
    };
    let mut segments: Vec<Segment> = Vec::new();
    let mut push = |end: Bound, content: Content| match segments.last_mut() {
        Some(last) if last.content == content => last.end = end,
        _ => segments.push(Segment { end, content }),
    };
    let mut at: u64 = 0;
    for group in fields.chunk_by(|x, y| (x.offset - start) / stride == (y.offset - start) / stride) {
        let index = (group.first()?.offset - start) / stride;
        if index > at {
            push(Bound::number(i128::from(index)), summary(element(&[], at)));
        }
        let found = element(group, index);
        let speaks = found.fields.iter().any(|field| field.value.node().is_some() || field.value.symbol().is_some());
        let content = match speaks {
            true => Content::Slot(Value::pointer(heap.add(Node::Object(found)), 0)),
            false => summary(found),
        };
        at = index + 1;
        push(Bound::number(i128::from(at)), content);
    }
    if Bound::number(i128::from(at)) != count {
        push(count, summary(element(&[], at)));
    }
    // Where the count is a symbol, elements that are looked at one by one may not be there at all.
    if segments.len() > 1
        && !matches!(count.base, Value::Number(_))
        && heap.is_below(Bound::number(i128::from(at)), count.moved(1)) != Some(true)
    {
        return None;
    }
    if segments.len() > MOST {
        segments = as_alternatives(segments)?;
    }
    Some(segments)
}

/// One segment of all kinds of elements, if there are few and no element is a node.
fn as_alternatives(segments: Vec<Segment>) -> Option<Vec<Segment>> {
    const MOST_KINDS: usize = 12;
    let end = segments.last()?.end;
    let mut kinds = Elements::new();
    for segment in segments {
        match segment.content {
            Content::Summary(elements) => kinds.extend(elements),
            Content::Slot(_) => return None,
        }
    }
    tidy(&mut kinds);
    (kinds.len() <= MOST_KINDS).then(|| vec![Segment { end, content: Content::Summary(kinds) }])
}
