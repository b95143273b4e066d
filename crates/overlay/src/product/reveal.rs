//! The weak reduction (paper, section 6): what one heap knows about a variable, told to a heap of another component.
//!
//! `caseID` (Fig. 4) is made from the definition of a predicate: a segment is cut in two and shows the first cell of its second
//! half; a whole with a `closing` rule becomes a segment whose hole is the cell; what hangs beside the way of a segment is
//! looked into as well (the cases off the path, which Fig. 4 leaves out). The convention for empty segments is that of the
//! definitions: either half may be empty.

use super::variable::Variable;
use crate::chunk::last_port;
use crate::heap::{Heap, Instance, Life, Node, NodeId, Object, Pointer, PortId, Region, Size, Storage, Value};
use crate::predicate::{Closing, Definition, DefinitionId, Definitions, Layout};
use crate::unfold::{replace_pointers, unfold};
use smallvec::SmallVec;
use std::rc::Rc;

/// What a heap says about the cell that a variable points to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Known {
    /// Nothing (`NoInfo`).
    Nothing,
    /// It is null.
    Null,
    /// An allocated cell.
    Cell {
        /// Its region.
        region: Region,
        /// How many bytes it has.
        size: u64,
        /// Where in it the variable points.
        offset: i64,
    },
}

/// `getRegion`: all that may be the case.
pub fn known(heap: &Heap, value: Value, definitions: &Definitions) -> Vec<Known> {
    let pointer = match value {
        Value::Number(0) => return vec![Known::Null],
        Value::Pointer(pointer) => pointer,
        Value::Uninitialised
        | Value::Top
        | Value::Any
        | Value::Number(_)
        | Value::Symbol(_)
        | Value::Function(_)
        | Value::Indexed { .. }
        | Value::Library => return vec![Known::Nothing],
    };
    match heap.node(pointer.node) {
        Node::Object(Object {
            storage: Storage::Heap, life: Life::Alive, size: Size::Constant(size), region, ..
        }) => {
            vec![Known::Cell { region: *region, size: *size, offset: pointer.offset }]
        }
        Node::Instance(instance) => {
            let Some(size) = size_of_cells(instance) else { return vec![Known::Nothing] };
            let cell = Known::Cell { region: instance.region, size, offset: pointer.offset };
            let port = definitions.get(instance.layout.definition).port(pointer.port);
            let empty = port.empty.map_or(Value::ZERO, |input| instance.inputs[input]);
            let is_plain = pointer.offset == instance.layout.offset(port.anchor);
            match (instance.least, empty) {
                (1.., _) => vec![cell],
                (0, Value::Number(0)) if is_plain => vec![Known::Null, cell],
                (0, _) => vec![Known::Nothing],
            }
        }
        Node::Object(_) => vec![Known::Nothing],
    }
}

/// The heaps of another component once it is told. A heap that already knows the variable stays, unless both cannot be true.
/// `write` sets the variable.
pub fn told(
    heap: &Heap,
    value: Value,
    known_there: Known,
    definitions: &Definitions,
    write: &dyn Fn(&mut Heap, Value),
) -> Vec<Heap> {
    let (region, size, offset) = match known_there {
        Known::Nothing => return vec![heap.clone()],
        Known::Null => {
            return match value {
                Value::Any => {
                    let mut heap = heap.clone();
                    write(&mut heap, Value::ZERO);
                    vec![heap]
                }
                _ => vec![heap.clone()],
            };
        }
        Known::Cell { region, size, offset } => (region, size, offset),
    };
    match value {
        Value::Any => {}
        // What it knows is known better than what it could be told.
        _ => return vec![heap.clone()],
    }
    let mut cases = Vec::new();
    for (id, node) in heap.nodes() {
        if node.region() != region {
            continue;
        }
        match node {
            Node::Object(object) => {
                let fits = match object.size {
                    Size::Constant(bytes) => bytes == size,
                    // It may be of that size.
                    Size::Symbol(_) => true,
                };
                if object.storage == Storage::Heap && object.life == Life::Alive && fits {
                    let mut case = heap.clone();
                    write(&mut case, Value::pointer(id, offset));
                    cases.push(case);
                }
            }
            Node::Instance(instance) if size_of_cells(instance).is_some_and(|bytes| bytes != size) => {}
            Node::Instance(_) => match cells_within(heap, id, definitions) {
                Some(shown) => {
                    for (mut case, cell) in shown {
                        write(&mut case, Value::pointer(cell, offset));
                        cases.push(case);
                    }
                }
                // Nothing is lost by not telling.
                None => return vec![heap.clone()],
            },
        }
    }
    if heap.truths.contains(&region) {
        // A cell of which nothing is known, and all others.
        let mut case = heap.clone();
        let mut object = Object::new(Storage::Heap, Size::Constant(size), Value::Top);
        object.region = region;
        let id = case.add(Node::Object(object));
        write(&mut case, Value::pointer(id, offset));
        cases.push(case);
    }
    cases
}

/// How many bytes every cell of an instance has, if that is known and nothing else belongs to them. A cell may be larger than
/// the record that its links are in.
pub fn size_of_cells(instance: &Instance) -> Option<u64> {
    let mut sizes = instance.elements.iter().map(|element| match element.nodes.as_slice() {
        [cell] => match &**cell {
            Node::Object(Object { size: Size::Constant(size), .. }) => Some(*size),
            Node::Object(_) | Node::Instance(_) => None,
        },
        _ => None,
    });
    let first = sizes.next()??;
    sizes.all(|size| size == Some(first)).then_some(first)
}

/// All ways to see one cell of an instance, with the cell; `None` if that is not known for its predicate.
fn cells_within(heap: &Heap, id: NodeId, definitions: &Definitions) -> Option<Vec<(Heap, NodeId)>> {
    let instance = heap.instance(id)?.clone();
    if instance.elements.iter().any(|element| element.nodes.len() > 1) {
        return None;
    }
    let definition = definitions.get(instance.layout.definition);
    if definition.is_segment() {
        return of_segment(heap, id, &instance, definition, definitions);
    }
    if let Some((segment, closing)) = closing_into(instance.layout.definition, definitions) {
        return Some(of_whole(heap, id, &instance, segment, closing, definitions));
    }
    let is_single = definition.rules.iter().all(|rule| rule.parts.is_empty());
    is_single.then(|| shown(heap, id, definitions))
}

/// The heaps in which the first cell of an instance is a node, with that node.
fn shown(heap: &Heap, id: NodeId, definitions: &Definitions) -> Vec<(Heap, NodeId)> {
    let cell = NodeId::new(0, heap.nodes.len());
    unfold(heap, id, PortId::FIRST, definitions).into_iter().map(|heap| (heap, cell)).collect()
}

fn closing_into(whole: DefinitionId, definitions: &Definitions) -> Option<(DefinitionId, &Closing)> {
    definitions.iter().find_map(|(id, definition)| {
        let closing = definition.closing.as_ref()?;
        (closing.whole == whole && closing.part == whole).then_some((id, closing))
    })
}

fn port(layout: &Layout, definition: &Definition, node: NodeId, port: PortId) -> Value {
    Heap::port(node, port, layout.offset(definition.port(port).anchor))
}

/// p(x … y) is p(x … c) ∗ p(c … y), and the second is not empty.
fn of_segment(
    heap: &Heap,
    id: NodeId,
    instance: &Instance,
    definition: &Definition,
    definitions: &Definitions,
) -> Option<Vec<(Heap, NodeId)>> {
    let end = definition.port(PortId::FIRST).empty?;
    let last = last_port(definition)?;
    let before = definition.port(last).empty?;
    let mut cut = heap.clone();
    let front = cut.add(Node::Instance(Instance { least: 0, ..instance.clone() }));
    let back = cut.add(Node::Instance(Instance { least: 1, ..instance.clone() }));
    cut.instance_mut(front)?.inputs[end] = port(&instance.layout, definition, back, PortId::FIRST);
    cut.instance_mut(back)?.inputs[before] = port(&instance.layout, definition, front, last);
    replace_pointers(&mut cut, id, &mut |pointer| {
        let node = if pointer.port == PortId::FIRST { front } else { back };
        Value::Pointer(Pointer { node, ..pointer })
    });
    cut.remove(id);
    let mut cases = Vec::new();
    // The rules at the first port, each with all kinds of elements, in the order in which `unfold` goes through them.
    let rules = definition.rules_at(PortId::FIRST).flat_map(|rule| instance.elements.iter().map(move |_| rule));
    let rules: Vec<_> = rules.collect();
    for ((shown, cell), rule) in shown(&cut, back, definitions).into_iter().zip(rules) {
        // Each kind of element is one cell.
        let first_part = cut.nodes.len() + 1;
        for (index, _) in rule.parts.iter().enumerate().filter(|(index, _)| rule.spine != Some(*index)) {
            cases.extend(cells_within(&shown, NodeId::new(0, first_part + index), definitions)?);
        }
        cases.push((shown, cell));
    }
    Some(cases)
}

/// tr(x) is tseg(x … c) ∗ tr(c), and the second is not empty.
fn of_whole(
    heap: &Heap,
    id: NodeId,
    instance: &Instance,
    segment: DefinitionId,
    closing: &Closing,
    definitions: &Definitions,
) -> Vec<(Heap, NodeId)> {
    let definition = definitions.get(segment);
    let layout = Rc::new(instance.layout.of(segment, definitions));
    let mut cut = heap.clone();
    let mut inputs: SmallVec<[Value; 2]> = definition.inputs.iter().map(|_| Value::Any).collect();
    for (outer, inner) in closing.whole_inputs.iter().enumerate() {
        inputs[*inner] = instance.inputs[outer];
    }
    let front = cut.add(Node::Instance(Instance { layout: layout.clone(), inputs, least: 0, ..instance.clone() }));
    let part_inputs = closing.part_inputs.iter().map(|found| port(&layout, definition, front, *found)).collect();
    let back = cut.add(Node::Instance(Instance { inputs: part_inputs, least: 1, ..instance.clone() }));
    let part = definitions.get(closing.part);
    if let Some(front) = cut.instance_mut(front) {
        front.inputs[closing.hole] = port(&instance.layout, part, back, PortId::FIRST);
    }
    replace_pointers(&mut cut, id, &mut |pointer| Value::Pointer(Pointer { node: front, ..pointer }));
    cut.remove(id);
    shown(&cut, back, definitions)
}

/// The value of a variable.
pub fn read(heap: &Heap, variable: Variable, address: Option<(NodeId, i64)>, bytes: u64) -> Value {
    match (variable, address) {
        (Variable::Register(register), _) => heap.register(register),
        (Variable::Memory(..), Some((node, offset))) => match (heap.object(node), u64::try_from(offset)) {
            (Some(object), Ok(offset)) => object.load(offset, bytes),
            _ => Value::Top,
        },
        (Variable::Memory(..), None) => Value::Top,
    }
}

/// Sets a variable.
pub fn write(heap: &mut Heap, variable: Variable, address: Option<(NodeId, i64)>, bytes: u64, value: Value) {
    match (variable, address) {
        (Variable::Register(register), _) => heap.set_register(register, value),
        (Variable::Memory(..), Some((node, offset))) => {
            if let (Some(object), Ok(offset)) = (heap.object_mut(node), u64::try_from(offset)) {
                object.store(offset, bytes, value);
            }
        }
        (Variable::Memory(..), None) => {}
    }
}
