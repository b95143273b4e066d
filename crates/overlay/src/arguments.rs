//! What a program is given: `argv` is an array of `argc` texts, and a null pointer behind them.

use crate::heap::{
    Array, Bound, Content, Heap, Node, NodeId, Object, Prototype, Segment, Size, Storage, SymbolId, Text, TextKind,
    Value,
};
use crate::number::Range;
use smallvec::smallvec;
use std::rc::Rc;

/// Linux hands over no longer argument, its zero included.
pub(crate) const LONGEST_ARGUMENT: i128 = 1 << 17;

/// The number of arguments, and the address of the list of them.
pub(crate) fn arguments(heap: &mut Heap, pointer_bytes: u64) -> (Value, Value) {
    let count = heap.fresh(Range { low: 1, high: i128::from(i32::MAX), without_zero: false });
    let word = i128::from(pointer_bytes);
    let bytes = |count: i128| (count + 1) * word;
    let size = heap.fresh(Range { low: bytes(1), high: bytes(i128::from(i32::MAX)), without_zero: false });
    heap.note_linear(size, count, word, word);
    let mut last = Object::new(Storage::Element, Size::Constant(pointer_bytes), Value::Uninitialised);
    last.store(0, pointer_bytes, Value::ZERO);
    let last = heap.add(Node::Object(last));
    let end = Bound::new(count, 0);
    let segments = vec![
        Segment { end, content: Content::Summary(smallvec![Rc::new(argument(pointer_bytes))]) },
        Segment { end: end.moved(1), content: Content::Slot(Value::pointer(last, 0)) },
    ];
    let size = size.symbol().map_or(Size::Constant(0), Size::Symbol);
    let array = Array { start: 0, stride: pointer_bytes, segments };
    let list = Object { array: Some(Rc::new(array)), ..Object::new(Storage::Environment, size, Value::Uninitialised) };
    let list = heap.add(Node::Object(list));
    (count, Value::pointer(list, 0))
}

/// One argument: a pointer to a text.
fn argument(pointer_bytes: u64) -> Prototype {
    let (text, size, length) = (NodeId::new(1, 1), SymbolId::new(1, 0), SymbolId::new(1, 1));
    let mut slot = Object::new(Storage::Element, Size::Constant(pointer_bytes), Value::Uninitialised);
    slot.store(0, pointer_bytes, Value::pointer(text, 0));
    let mut cell = Object::new(Storage::Environment, Size::Symbol(size), Value::Any);
    cell.set_text(Text { offset: 0, kind: TextKind::Ended, length: Value::Symbol(length), room: Text::WHOLE });
    Prototype {
        nodes: vec![Rc::new(Node::Object(slot)), Rc::new(Node::Object(cell))],
        symbols: vec![
            Range { low: 1, high: LONGEST_ARGUMENT, without_zero: false },
            Range { low: 0, high: LONGEST_ARGUMENT - 1, without_zero: false },
        ],
    }
}
