//! The law of folding, joining and entailment for arrays: no concrete heap is lost.
//!
//! In a concrete heap every element of the array is a node at a constant index. Whether a heap describes one is found out by
//! taking elements out of segments one by one, in all ways: it shares nothing with what is tested.

use crate::chunk::Merging;
use crate::fold::fold;
use crate::fold_array::fold_arrays;
use crate::heap::{
    Array, Bound, Content, Heap, Life, Lost, Node, NodeId, Object, PortId, Region, Segment, Size, Storage, SymbolId,
    Value,
};
use crate::predicate::{Definitions, Layout};
use crate::unfold::{empty, instantiate, unfold};
use crate::unify::{Numbers, Policy, entails, join};
use heapwise_ir::entity::EntityRef;
use heapwise_ir::{RecordId, RegisterId};
use std::collections::HashMap;
use std::rc::Rc;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// Elements of the array, and bytes of one and of a cell of a list.
const COUNT: i128 = 3;
const STRIDE: u64 = 16;
const CELL: u64 = 16;

fn layout(definitions: &Definitions) -> Rc<Layout> {
    Rc::new(Layout {
        definition: definitions.named("ls").expect("a shipped predicate"),
        record: RecordId::new(0),
        size: CELL,
        derived: Rc::default(),
        entry: 0,
        links: [0].into_iter().collect(),
        widths: [8].into_iter().collect(),
    })
}

/// What an element leads to: nothing, a list, a cell that was freed, itself, or the cell with the array.
fn element(heap: &mut Heap, random: &mut Random, whole: NodeId, kind: u64) -> NodeId {
    let slot = heap.add(Node::Object(Object::new(Storage::Element, Size::Constant(STRIDE), Value::ZERO)));
    let mut next = Value::ZERO;
    let value = match kind {
        0 => Value::ZERO,
        1 => {
            for _ in 0..1 + random.below(2) {
                let mut cell = Object::new(Storage::Heap, Size::Constant(CELL), Value::ZERO);
                cell.store(0, 8, next);
                cell.store(8, 8, if random.below(3) == 0 { Value::pointer(slot, 0) } else { Value::ZERO });
                next = Value::pointer(heap.add(Node::Object(cell)), 0);
            }
            next
        }
        2 => {
            let cell = heap.add(Node::Object(Object::new(Storage::Heap, Size::Constant(CELL), Value::ZERO)));
            heap.kill(cell, Life::Freed);
            Value::pointer(cell, 0)
        }
        3 => Value::pointer(slot, 0),
        _ => Value::pointer(whole, 8),
    };
    let number = random.below(2);
    if let Some(object) = heap.object_mut(slot) {
        object.store(0, 8, value);
        object.store(8, 8, Value::Number(i128::from(number)));
    }
    slot
}

/// A heap cell with an array of elements of one kind up to an index and of another behind it (or of any): registers hold the cell, a number that may divide the array, and perhaps an address in it.
fn concrete(random: &mut Random, (below, above): (u64, u64)) -> Heap {
    let mut heap = Heap::default();
    let whole = heap.add(Node::Object(Object::new(Storage::Heap, Size::Constant(8 + 3 * STRIDE), Value::ZERO)));
    let divide = random.below(COUNT as u64 + 1);
    let is_mixed = random.below(6) == 0;
    let mut segments = Vec::new();
    let mut looked_at = Value::ZERO;
    for index in 0..COUNT as u64 {
        let kind = match is_mixed {
            true => random.below(3),
            false if index < divide => below,
            false => above,
        };
        let slot = element(&mut heap, random, whole, kind);
        if random.below(30) == 0 {
            looked_at = Value::pointer(slot, 0);
        }
        let end = Bound::number(i128::from(index) + 1);
        segments.push(Segment { end, content: Content::Slot(Value::pointer(slot, 0)) });
    }
    heap.set_array(whole, Array { start: 8, stride: STRIDE, segments });
    heap.set_register(RegisterId::new(0), Value::pointer(whole, 0));
    heap.set_register(RegisterId::new(1), Value::Number(i128::from(divide)));
    heap.set_register(RegisterId::new(2), looked_at);
    heap
}

fn value_of(bound: Bound, symbols: &HashMap<SymbolId, i128>) -> Option<i128> {
    match bound.base {
        Value::Number(number) => Some(number),
        Value::Symbol(symbol) => symbols.get(&symbol).map(|number| number + i128::from(bound.plus)),
        _ => None,
    }
}

/// Whether a heap describes the concrete one, where the symbols in registers stand for what it has there.
fn represents(heap: &Heap, concrete: &Heap, definitions: &Definitions) -> bool {
    let mut symbols = HashMap::new();
    for (register, value) in &heap.registers {
        if let (Value::Symbol(symbol), Value::Number(number)) = (value, concrete.register(*register)) {
            symbols.insert(*symbol, number);
        }
    }
    // Bounds that nothing else speaks of may be any.
    let mut open: Vec<SymbolId> = Vec::new();
    for id in heap.arrays() {
        let ends = heap.array(id).expect("an array").segments.iter().map(|segment| segment.end);
        open.extend(ends.filter_map(|end| end.base.symbol()).filter(|symbol| !symbols.contains_key(symbol)));
    }
    open.sort_unstable();
    open.dedup();
    with_open(heap, concrete, definitions, &open, &symbols)
}

fn with_open(
    heap: &Heap,
    concrete: &Heap,
    definitions: &Definitions,
    open: &[SymbolId],
    symbols: &HashMap<SymbolId, i128>,
) -> bool {
    let Some((symbol, rest)) = open.split_first() else { return expanded(heap, concrete, definitions, symbols) };
    let range = heap.symbol(*symbol);
    (-1..=COUNT + 1).filter(|number| range.contains(*number)).any(|number| {
        let mut symbols = symbols.clone();
        symbols.insert(*symbol, number);
        with_open(heap, concrete, definitions, rest, &symbols)
    })
}

fn expanded(heap: &Heap, concrete: &Heap, definitions: &Definitions, symbols: &HashMap<SymbolId, i128>) -> bool {
    for id in heap.arrays() {
        let array = heap.array(id).expect("an array").clone();
        for (place, (start, segment)) in array.parts().enumerate() {
            let (Some(from), Some(to)) = (value_of(start, symbols), value_of(segment.end, symbols)) else {
                return false;
            };
            let Content::Summary(elements) = &segment.content else {
                if to != from + 1 {
                    return false;
                }
                continue;
            };
            if from > to {
                return false;
            }
            let with = |parts: Vec<Segment>, mut heap: Heap| {
                let mut changed = Array::clone(&array);
                changed.segments.splice(place..=place, parts);
                heap.set_array(id, changed);
                expanded(&heap, concrete, definitions, symbols)
            };
            if from == to {
                return with(Vec::new(), heap.clone());
            }
            return elements.iter().any(|element| {
                let mut heap = heap.clone();
                let slot = instantiate(&mut heap, element, Region::NONE);
                let first = Segment { end: Bound::number(from + 1), content: Content::Slot(Value::pointer(slot, 0)) };
                with(vec![first, Segment { end: Bound::number(to), ..segment.clone() }], heap)
            });
        }
    }
    unfolded(heap, concrete, definitions)
}

fn unfolded(heap: &Heap, concrete: &Heap, definitions: &Definitions) -> bool {
    let instance = heap.nodes().find(|(_, node)| matches!(node, Node::Instance(_))).map(|(id, _)| id);
    let Some(id) = instance else { return is_same(heap, concrete) };
    if heap.n_nodes() > concrete.n_nodes() + 6 {
        return false;
    }
    empty(heap, id, definitions).is_some_and(|case| unfolded(&case, concrete, definitions))
        || unfold(heap, id, PortId::FIRST, definitions).iter().any(|case| unfolded(case, concrete, definitions))
}

fn is_same(heap: &Heap, concrete: &Heap) -> bool {
    let mut nodes: HashMap<NodeId, NodeId> = HashMap::new();
    let mut work: Vec<(Value, Value)> =
        heap.registers.iter().map(|(register, value)| (*value, concrete.register(*register))).collect();
    while let Some((value, known)) = work.pop() {
        match (value, known) {
            (Value::Any | Value::Top, _) => {}
            (Value::Symbol(symbol), Value::Number(number)) => {
                if !heap.symbol(symbol).contains(number) {
                    return false;
                }
            }
            (Value::Pointer(x), Value::Pointer(y)) => {
                if x.offset != y.offset {
                    return false;
                }
                if let Some(paired) = nodes.insert(x.node, y.node) {
                    if paired != y.node {
                        return false;
                    }
                    continue;
                }
                let (Some(a), Some(b)) = (heap.object(x.node), concrete.object(y.node)) else { return false };
                if (a.storage, a.life, a.size) != (b.storage, b.life, b.size) {
                    return false;
                }
                match (&a.array, &b.array) {
                    (None, None) if a.life == Life::Alive => {
                        work.extend([0, 8].map(|offset| (a.load(offset, 8), b.load(offset, 8))));
                    }
                    (None, None) => {}
                    (Some(x), Some(y)) => {
                        let slots = |array: &Array| -> Vec<Value> {
                            let slot = |segment: &Segment| match segment.content {
                                Content::Slot(value) => value,
                                Content::Summary(_) => unreachable!("all elements are nodes by now"),
                            };
                            array.segments.iter().map(slot).collect()
                        };
                        let (x, y) = (slots(x), slots(y));
                        if x.len() != y.len() {
                            return false;
                        }
                        work.extend(x.into_iter().zip(y));
                    }
                    _ => return false,
                }
            }
            (value, known) if value == known => {}
            _ => return false,
        }
    }
    let mut images: Vec<NodeId> = nodes.values().copied().collect();
    images.sort_unstable();
    images.dedup();
    let n_alive = |heap: &Heap| {
        heap.nodes().filter(|(_, node)| !matches!(node, Node::Object(object) if object.life != Life::Alive)).count()
    };
    images.len() == nodes.len() && n_alive(heap) == n_alive(concrete)
}

fn normal(mut heap: Heap, definitions: &Definitions) -> Option<Heap> {
    match heap.normalise(definitions) {
        Ok(Lost::Nothing) => Some(heap),
        Ok(Lost::Cells) | Err(_) => None,
    }
}

#[test]
fn no_concrete_array_is_lost() {
    let definitions = Definitions::shipped();
    let layouts = [layout(&definitions)];
    let mut random = Random(7);
    let (mut n_folded, mut n_joined, mut n_entailed, mut n_refused) = (0, 0, 0, 0);
    for round in 0..200 {
        let folded = |heap: &Heap| {
            let mut heap = fold(heap, &layouts, &definitions, Merging::Alternatives);
            let is_number = |register: RegisterId| register == RegisterId::new(1);
            fold_arrays(&mut heap, &layouts, &definitions, &is_number);
            normal(heap, &definitions)
        };
        let kinds = (random.below(5), random.below(2));
        let all: Vec<Heap> = (0..3).filter_map(|_| normal(concrete(&mut random, kinds), &definitions)).collect();
        let [first, second, other] = all.as_slice() else { panic!("concrete heaps have a normal form") };
        let (Some(x), Some(y), Some(z)) = (folded(first), folded(second), folded(other)) else { continue };
        n_folded += usize::from(x != *first);
        assert!(represents(&x, first, &definitions), "folding lost\n{first:?}\nin {x:?}");
        let numbers = if round % 3 == 0 { Numbers::Widen } else { Numbers::Join };
        let policy = Policy { numbers, emptiness: round % 4 != 0, values: round % 5 == 0 };
        let Some(joined) = join(&x, &y, &definitions, policy, &[0, COUNT]) else { continue };
        let Some(joined) = normal(joined, &definitions) else { continue };
        n_joined += 1;
        for witness in [first, second] {
            assert!(represents(&joined, witness, &definitions), "joining lost\n{witness:?}\nin {joined:?}");
        }
        for (left, witness) in [(other, other), (&z, other)] {
            match entails(left, &joined, &definitions) {
                true => {
                    n_entailed += 1;
                    assert!(represents(&joined, witness, &definitions), "wrongly entailed:\n{left:?}\nby {joined:?}");
                }
                false => n_refused += 1,
            }
        }
    }
    let counts = (n_folded, n_joined, n_entailed, n_refused);
    assert!(n_folded > 100 && n_joined > 40 && n_entailed > 5 && n_refused > 5, "{counts:?}");
}
