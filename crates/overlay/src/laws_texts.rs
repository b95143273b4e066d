//! The law of texts: what is remembered of bytes is so, whatever is stored, joined or said to follow.
//!
//! A concrete cell has a value for each byte, or none. Whether a cell with texts describes it is found out byte by byte.

use crate::heap::{Exactness, Heap, Node, Object, Size, Storage, Text, TextKind, Value};
use crate::number::Range;
use crate::predicate::Definitions;
use crate::unify::{Numbers, Policy, entails, join};
use heapwise_ir::RegisterId;
use heapwise_ir::entity::EntityRef;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

type Bytes = Vec<Option<u8>>;

/// Few different bytes, zeros among them, and some that were never written.
fn bytes(random: &mut Random, size: u64) -> Bytes {
    (0..size).map(|_| [None, Some(0), Some(b'a'), Some(b'a'), Some(b'b')][random.below(5) as usize]).collect()
}

/// How many bytes from there on are of a kind, if a text of that kind with so many begins there.
fn is_text(bytes: &Bytes, text: &Text, length: usize) -> bool {
    let start = text.offset as usize;
    let Some(own) = bytes.get(start..start + length) else { return false };
    let needed = length + usize::from(text.kind.has_zero());
    (text.room == Text::WHOLE || needed as u64 <= text.room)
        && match text.kind {
            TextKind::Written => own.iter().all(Option::is_some),
            TextKind::Terminated => own.iter().all(Option::is_some) && bytes.get(start + length) == Some(&Some(0)),
            TextKind::Characters => own.iter().all(|byte| byte.is_some_and(|byte| byte != 0)),
            TextKind::Ended => {
                own.iter().all(|byte| byte.is_some_and(|byte| byte != 0)) && bytes.get(start + length) == Some(&Some(0))
            }
        }
}

fn object_describes(heap: &Heap, object: &Object, bytes: &Bytes) -> bool {
    bytes.iter().enumerate().all(|(at, byte)| match (object.load(at as u64, 1), byte) {
        (Value::Top, _) | (Value::Any, Some(_)) | (Value::Uninitialised, None) => true,
        (Value::Number(number), Some(byte)) => number == i128::from(*byte),
        (Value::Symbol(symbol), Some(byte)) => heap.symbol(symbol).contains(i128::from(*byte)),
        _ => false,
    })
}

/// Whether the cell that the first register leads to describes the bytes, where the second register holds a number.
fn describes(heap: &Heap, bytes: &Bytes, number: i128) -> bool {
    let Value::Pointer(pointer) = heap.register(RegisterId::new(0)) else { return false };
    let Some(object) = heap.object(pointer.node) else { return false };
    let has_size = match object.size {
        Size::Constant(size) => size == bytes.len() as u64,
        Size::Symbol(symbol) => heap.symbol(symbol).contains(bytes.len() as i128),
    };
    let named = heap.register(RegisterId::new(1));
    let has_number = heap.range(named).is_some_and(|range| range.contains(number));
    let has_text = |text: &Text| match heap.range(text.length) {
        Some(_) if text.length == named => is_text(bytes, text, number as usize),
        Some(range) => (0..=bytes.len()).any(|length| range.contains(length as i128) && is_text(bytes, text, length)),
        None => false,
    };
    has_size && has_number && object_describes(heap, object, bytes) && object.texts.iter().all(has_text)
}

/// A cell that describes the bytes: some of them are forgotten, texts among them are remembered, and a register may hold the
/// length of one.
fn described(random: &mut Random, bytes: &Bytes) -> (Heap, i128) {
    let mut heap = Heap::default();
    let mut object = Object::new(Storage::Heap, Size::Constant(bytes.len() as u64), Value::Uninitialised);
    for (at, byte) in bytes.iter().enumerate() {
        let value = match (byte, random.below(3)) {
            (_, 0) => Value::Top,
            (None, _) => Value::Uninitialised,
            (Some(_), 1) => Value::Any,
            (Some(byte), _) => Value::Number(i128::from(*byte)),
        };
        object.store(at as u64, 1, value);
    }
    let mut number = i128::from(random.below(4));
    let mut named = heap.fresh(Range { low: 0, high: 8, without_zero: false });
    for offset in 0..bytes.len() as u64 {
        let kind =
            [TextKind::Written, TextKind::Terminated, TextKind::Characters, TextKind::Ended][random.below(4) as usize];
        let room = if random.below(2) == 0 { Text::WHOLE } else { bytes.len() as u64 - offset };
        let found = Text { offset, kind, length: Value::ZERO, room };
        let lengths: Vec<usize> = (0..=bytes.len()).filter(|length| is_text(bytes, &found, *length)).collect();
        let Some(length) = lengths.last().map(|last| *last as i128).filter(|_| random.below(2) == 0) else { continue };
        let value = match random.below(3) {
            0 => Value::Number(length),
            1 => heap.fresh(Range { low: 0.max(length - 1), high: length + 1, without_zero: false }),
            _ => {
                number = length;
                named = heap.fresh(Range { low: 0, high: 8, without_zero: false });
                named
            }
        };
        object.set_text(Text { length: value, ..found });
    }
    let node = heap.add(Node::Object(object));
    heap.set_register(RegisterId::new(0), Value::pointer(node, 0));
    heap.set_register(RegisterId::new(1), named);
    (heap, number)
}

#[test]
fn joins_and_entailments_of_texts_lose_no_bytes() {
    let definitions = Definitions::shipped();
    let mut random = Random(7);
    let (mut n_joined, mut n_texts, mut n_entailed, mut n_refused) = (0, 0, 0, 0);
    for round in 0..6_000 {
        let size = 1 + random.below(5);
        let other_size = if random.below(3) == 0 { 1 + random.below(5) } else { size };
        let (a, b) = (bytes(&mut random, size), bytes(&mut random, other_size));
        let ((x, a_number), (y, b_number)) = (described(&mut random, &a), described(&mut random, &b));
        assert!(describes(&x, &a, a_number) && describes(&y, &b, b_number), "{x:?} {a:?} {y:?} {b:?}");
        if entails(&x, &y, &definitions) {
            n_entailed += 1;
            assert!(describes(&y, &a, a_number), "wrongly entailed: {x:?}\nby {y:?}: {a:?}");
        } else {
            n_refused += 1;
        }
        let numbers = [Numbers::Keep, Numbers::Join, Numbers::Widen][round % 3];
        let policy = Policy { numbers, emptiness: true, values: round % 2 == 0 };
        if let Some(joined) = join(&x, &y, &definitions, policy, &[0, 100]) {
            n_joined += 1;
            n_texts +=
                joined.nodes().filter(|(_, node)| matches!(node, Node::Object(it) if !it.texts.is_empty())).count();
            assert!(describes(&joined, &a, a_number), "joining lost {a:?} of\n{x:?}\nin {joined:?}");
            assert!(describes(&joined, &b, b_number), "joining lost {b:?} of\n{y:?}\nin {joined:?}");
        }
    }
    let counts = (n_joined, n_texts, n_entailed, n_refused);
    assert!(n_joined > 500 && n_texts > 100 && n_entailed > 5 && n_refused > 500, "{counts:?}");
}

#[test]
fn what_is_stored_leaves_true_texts() {
    let mut random = Random(11);
    let (mut n_kept, mut n_lost) = (0, 0);
    for _ in 0..4_000 {
        let size = 2 + random.below(6);
        let mut concrete = bytes(&mut random, size);
        let (mut heap, number) = described(&mut random, &concrete);
        let Value::Pointer(pointer) = heap.register(RegisterId::new(0)) else { continue };
        let Some(object) = heap.object_mut(pointer.node) else { continue };
        let before = object.texts.len();
        let (offset, value) = (random.below(size), [None, Some(0), Some(b'c')][random.below(3) as usize]);
        let bytes = 1 + random.below(size - offset);
        concrete[offset as usize..(offset + bytes) as usize].fill(value);
        for at in offset..offset + bytes {
            object.store(at, 1, value.map_or(Value::Uninitialised, |byte| Value::Number(i128::from(byte))));
        }
        let after = object.texts.len();
        n_kept += after;
        n_lost += before - after;
        if let Some((exactness, length)) = object.text_by_bytes(offset, size) {
            let text = Text { offset, kind: TextKind::Ended, length: Value::ZERO, room: length + 1 };
            let lengths = match exactness {
                Exactness::Exact => length..=length,
                Exactness::AtMost => 0..=length,
            };
            assert!(lengths.into_iter().any(|length| is_text(&concrete, &text, length as usize)), "{object:?}");
        }
        assert!(describes(&heap, &concrete, number), "{heap:?} {concrete:?}");
    }
    assert!(n_kept > 500 && n_lost > 500, "{n_kept} {n_lost}");
}
