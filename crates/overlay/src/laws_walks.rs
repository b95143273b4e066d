//! The law of addresses that walk along a cell: joining heaps loses no place that one of them may have, and what is said to follow does.

use crate::heap::{Heap, Node, Object, Size, Storage, Text, TextKind, Value};
use crate::number::Range;
use crate::predicate::Definitions;
use crate::unify::{Numbers, Policy, entails, join};
use heapwise_ir::RegisterId;
use heapwise_ir::entity::EntityRef;

const SIZE: i64 = 12;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// A place in a cell, how many of its bytes from the start on were written, and a number beside.
type State = (i64, i64, i128);

/// A heap that describes the state: the place is a constant, or lies at a number that may be the one beside it.
fn described(random: &mut Random, (place, written, number): State) -> Heap {
    let mut heap = Heap::default();
    let mut object = Object::new(Storage::Heap, Size::Constant(SIZE as u64), Value::Uninitialised);
    let around = |number: i128, random: &mut Random| Range {
        low: number - i128::from(random.below(2) as u8),
        high: number + 1,
        without_zero: false,
    };
    let beside = match random.below(2) {
        0 => Value::Number(number),
        _ => heap.fresh(around(number, random)),
    };
    let length = match random.below(3) {
        0 if number == i128::from(written) => beside,
        1 => {
            let range = around(i128::from(written), random);
            heap.fresh(Range { low: range.low.max(0), ..range })
        }
        _ => Value::Number(i128::from(written)),
    };
    if random.below(3) == 0 {
        object.store(0, written as u64, Value::Any);
    } else {
        object.rest = Value::Top;
        object.set_text(Text { offset: 0, kind: TextKind::Written, length, room: SIZE as u64 });
    }
    let node = heap.add(Node::Object(object));
    let scale = 1 + random.below(3) as i64;
    let start = random.below(3) as i64;
    let Value::Pointer(pointer) = Value::pointer(node, start) else { return heap };
    let steps = i128::from((place - start) / scale);
    let index = match (beside, random.below(2)) {
        (Value::Symbol(symbol), 0) if number == steps => Some(symbol),
        (_, 1) => heap.fresh(around(steps, random)).symbol(),
        _ => None,
    };
    let address = match index.filter(|_| (place - start) % scale == 0) {
        Some(index) => Value::Indexed { pointer, index, scale },
        None => Value::pointer(node, place),
    };
    heap.set_register(RegisterId::new(0), Value::pointer(node, 0));
    heap.set_register(RegisterId::new(1), beside);
    heap.set_register(RegisterId::new(2), address);
    heap
}

fn describes(heap: &Heap, (place, written, number): State) -> bool {
    let beside = heap.register(RegisterId::new(1));
    let is_number = |value: Value, asked: i128| {
        heap.range(value).is_some_and(|range| range.contains(asked)) && (value != beside || asked == number)
    };
    let has_place = match heap.register(RegisterId::new(2)) {
        Value::Pointer(pointer) => pointer.offset == place,
        Value::Indexed { pointer, index, scale } => {
            let bytes = place - pointer.offset;
            bytes % scale == 0 && is_number(Value::Symbol(index), i128::from(bytes / scale))
        }
        _ => false,
    };
    let Some(object) = heap.register(RegisterId::new(0)).node().and_then(|node| heap.object(node)) else {
        return false;
    };
    let has_byte = |at: i64| match object.load(at as u64, 1) {
        Value::Top => true,
        Value::Any => at < written,
        Value::Uninitialised => at >= written,
        _ => false,
    };
    // Fewer bytes may be known to be written.
    let has_text = |text: &Text| {
        text.kind == TextKind::Written && (0..=written).any(|length| is_number(text.length, i128::from(length)))
    };
    is_number(beside, number) && has_place && (0..SIZE).all(has_byte) && object.texts.iter().all(has_text)
}

#[test]
fn joins_and_entailments_of_walks_lose_no_place() {
    let definitions = Definitions::shipped();
    let mut random = Random(5);
    let (mut n_walks, mut n_entailed, mut n_refused, mut n_texts) = (0, 0, 0, 0);
    for round in 0..8_000 {
        let state = |random: &mut Random| -> State {
            let place = random.below(6) as i64;
            let written = if random.below(2) == 0 { place } else { random.below(6) as i64 };
            (place, written, if random.below(2) == 0 { i128::from(place) } else { i128::from(random.below(6) as u8) })
        };
        let (a, b) = (state(&mut random), state(&mut random));
        let (x, y) = (described(&mut random, a), described(&mut random, b));
        assert!(describes(&x, a) && describes(&y, b), "{x:?} {a:?} {y:?} {b:?}");
        if entails(&x, &y, &definitions) {
            n_entailed += 1;
            assert!(describes(&y, a), "wrongly entailed: {x:?}\nby {y:?}: {a:?}");
        } else {
            n_refused += 1;
        }
        let numbers = [Numbers::Keep, Numbers::Join, Numbers::Widen][round % 3];
        let policy = Policy { numbers, emptiness: true, values: round % 2 == 0 };
        if let Some(joined) = join(&x, &y, &definitions, policy, &[0, 100]) {
            n_walks += usize::from(matches!(joined.register(RegisterId::new(2)), Value::Indexed { .. }));
            n_texts += joined.nodes().filter(|(_, node)| !node.ends().is_empty()).count();
            assert!(describes(&joined, a), "joining lost {a:?} of\n{x:?}\nin {joined:?}");
            assert!(describes(&joined, b), "joining lost {b:?} of\n{y:?}\nin {joined:?}");
            let mut centred = joined.clone();
            centred.recentre_walks();
            assert!(describes(&centred, a), "counting from elsewhere lost {a:?} of\n{joined:?}\nin {centred:?}");
        }
    }
    let counts = (n_walks, n_entailed, n_refused, n_texts);
    assert!(n_walks > 300 && n_entailed > 5 && n_refused > 300 && n_texts > 100, "{counts:?}");
}
