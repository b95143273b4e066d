//! Concrete states as symbolic heaps.

use heapwise_interp::heap::{Life as ConcreteLife, Object as ConcreteObject, ObjectKind};
use heapwise_interp::{Loaded, ObjectId, Value as Concrete};
use heapwise_overlay::heap::{Heap, Life, Node, NodeId, Object, Size, Storage, Value};
use heapwise_overlay::number::Range;
use heapwise_testkit::oracle::ConcreteState;
use std::collections::HashMap;

/// The part of a concrete state that the function on top of the stack sees.
pub fn concrete(state: &ConcreteState<'_>) -> Heap {
    let mut conversion = Conversion { state, heap: Heap::default(), nodes: HashMap::new(), wild: None };
    let Some(frame) = state.state().top() else { return conversion.heap };
    let function = &state.program().functions[frame.function];
    for register in function.registers.keys() {
        let value = conversion.value(state.register(register));
        conversion.heap.set_register(register, value);
    }
    let own: Vec<ObjectId> = state
        .state()
        .heap()
        .objects()
        .filter(|(_, object)| object.kind == ObjectKind::Auto && object.life == ConcreteLife::Alive)
        .filter(|(_, object)| conversion.is_own(object))
        .map(|(id, _)| id)
        .collect();
    for id in own {
        conversion.node(id);
    }
    for global in state.program().globals.keys() {
        if let Some(object) = state.global(global) {
            let node = conversion.node(object);
            conversion.heap.globals.push((global, node));
        }
    }
    conversion.heap
}

struct Conversion<'s> {
    state: &'s ConcreteState<'s>,
    heap: Heap,
    nodes: HashMap<ObjectId, NodeId>,
    wild: Option<Value>,
}

impl Conversion<'_> {
    fn is_own(&self, object: &ConcreteObject) -> bool {
        self.state.state().top().is_some_and(|frame| frame.serial == object.owner)
    }

    fn value(&mut self, value: Concrete) -> Value {
        match value {
            Concrete::Uninitialised(_) => Value::Uninitialised,
            Concrete::Int(number) => Value::Number(number),
            Concrete::Pointer(pointer) => Value::pointer(self.node(pointer.object), pointer.offset),
            Concrete::Function(function) => Value::Function(function),
            Concrete::Symbol(_) => {
                let nothing = Range { low: i128::MAX, high: i128::MIN, without_zero: false };
                match self.wild {
                    Some(value) => value,
                    None => {
                        let value = self.heap.fresh(nothing);
                        self.wild = Some(value);
                        value
                    }
                }
            }
            Concrete::Float(_) | Concrete::Fragment(_) | Concrete::Opaque => Value::Any,
        }
    }

    fn node(&mut self, id: ObjectId) -> NodeId {
        if let Some(node) = self.nodes.get(&id) {
            return *node;
        }
        let object = self.state.object(id);
        let storage = match object.kind {
            ObjectKind::Heap => Storage::Heap,
            ObjectKind::Auto if self.is_own(object) => Storage::Local,
            ObjectKind::Auto => Storage::CallersLocal,
            ObjectKind::Global(global) => Storage::Global(global),
            ObjectKind::Literal(global) => Storage::Literal(global),
            ObjectKind::Environment | ObjectKind::Library => panic!("no such object in random programs"),
        };
        let node = self.heap.add(Node::Object(Object::new(storage, Size::Constant(object.size), Value::Uninitialised)));
        self.nodes.insert(id, node);
        let life = match object.life {
            ConcreteLife::Alive => Life::Alive,
            ConcreteLife::Freed | ConcreteLife::Vacant => Life::Freed,
            ConcreteLife::Ended => Life::Ended,
        };
        if life != Life::Alive {
            self.heap.kill(node, life);
            return node;
        }
        let mut offset = 0;
        while offset < object.size {
            let mut bytes = 8u64.min(object.size - offset);
            let loaded = loop {
                match object.contents().load(offset, bytes) {
                    // A value shorter than the stretch, or only some bytes written.
                    Loaded::Mixed | Loaded::Uninitialised | Loaded::Any(_) if bytes > 4 => bytes = 4,
                    Loaded::Mixed | Loaded::Uninitialised if bytes > 1 => bytes = 1,
                    loaded => break loaded,
                }
            };
            let value = match loaded {
                Loaded::Bits(bits) => Value::Number(bits as i128),
                Loaded::Value(value) => self.value(value),
                Loaded::Uninitialised => Value::Uninitialised,
                Loaded::Any(_) | Loaded::Mixed => Value::Any,
            };
            if let Some(object) = self.heap.object_mut(node) {
                object.store(offset, bytes, value);
            }
            offset += bytes;
        }
        node
    }
}
