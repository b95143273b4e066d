//! Rearrangement: an instance shows the cell at one of its ports, or that it is empty.

use crate::heap::{Heap, Instance, Measure, Node, NodeId, Object, Pointer, PortId, Prototype, Region, SymbolId, Value};
use crate::number::wrap;
use crate::predicate::{Definition, Definitions, Equation, Layout, MeasureOf, MeasureTerm, Rule, Term};
use heapwise_ir::IntType;
use smallvec::SmallVec;
use std::rc::Rc;

/// `value + bytes`, where the value is an address or what stands in the place of one.
pub fn add_bytes(value: Value, bytes: i64) -> Value {
    match value {
        _ if bytes == 0 => value,
        Value::Pointer(pointer) => Value::Pointer(Pointer { offset: pointer.offset.wrapping_add(bytes), ..pointer }),
        Value::Indexed { pointer, index, scale } => {
            let pointer = Pointer { offset: pointer.offset.wrapping_add(bytes), ..pointer };
            Value::Indexed { pointer, index, scale }
        }
        Value::Number(number) => Value::Number(wrap(number.wrapping_add(i128::from(bytes)), IntType::Unsigned(8))),
        Value::Symbol(_) | Value::Any | Value::Function(_) | Value::Library => Value::Any,
        Value::Uninitialised | Value::Top => value,
    }
}

/// Puts something in the place of all pointers into a node.
pub fn replace_pointers(heap: &mut Heap, node: NodeId, by: &mut dyn FnMut(Pointer) -> Value) {
    heap.map_values(&mut |value| match value {
        Value::Pointer(pointer) if pointer.node == node => by(pointer),
        Value::Indexed { pointer, index, scale } if pointer.node == node => match by(pointer) {
            Value::Pointer(pointer) => Value::Indexed { pointer, index, scale },
            _ => Value::Any,
        },
        _ => value,
    });
}

/// Whether an input of the instance leads back to itself: a ring, which is never empty, or a list whose last cell leads to itself.
pub fn is_circular(instance: &Instance, id: NodeId) -> bool {
    instance.inputs.iter().any(|value| value.node() == Some(id))
}

/// Where a port of an instance leads while that is empty. An input may lead to another port, whose input says it then: a list whose
/// last cell leads to itself is entered, while it is empty, where the cell before it is. `None` if that goes round in a circle.
fn port_of_empty(instance: &Instance, id: NodeId, port: PortId, definition: &Definition) -> Option<Value> {
    let at = |port: PortId| definition.port(port).empty.map_or(Value::ZERO, |input| instance.inputs[input]);
    let mut value = at(port);
    for _ in 0..definition.ports.len() {
        match value {
            Value::Pointer(pointer) if pointer.node == id => {
                let anchor = instance.layout.offset(definition.port(pointer.port).anchor);
                value = add_bytes(at(pointer.port), pointer.offset.wrapping_sub(anchor));
            }
            _ if value.node() == Some(id) => return None,
            _ => return Some(value),
        }
    }
    None
}

/// The heap in which the instance is empty, if it may be: a ring has a cell.
pub fn empty(heap: &Heap, id: NodeId, definitions: &Definitions) -> Option<Heap> {
    let instance = heap.instance(id)?;
    let definition = definitions.get(instance.layout.definition);
    if instance.least > 0 || port_of_empty(instance, id, PortId::FIRST, definition).is_none() {
        return None;
    }
    let instance = instance.clone();
    let mut heap = heap.clone();
    if !equate(&mut heap, id, &[], &definition.empty) {
        return None;
    }
    replace_pointers(&mut heap, id, &mut |pointer| {
        let anchor = instance.layout.offset(definition.port(pointer.port).anchor);
        let value = port_of_empty(&instance, id, pointer.port, definition).unwrap_or(Value::Any);
        add_bytes(value, pointer.offset.wrapping_sub(anchor))
    });
    heap.remove(id);
    Some(heap)
}

/// The same heap, in which the instance is known to have a cell.
pub fn not_empty(heap: &Heap, id: NodeId) -> Heap {
    let mut heap = heap.clone();
    if let Some(instance) = heap.instance_mut(id) {
        instance.least = instance.least.max(1);
    }
    heap
}

/// Makes measures of an instance and of its parts equal; false if they cannot be.
fn equate(heap: &mut Heap, whole: NodeId, parts: &[NodeId], equations: &[Equation]) -> bool {
    equations.iter().all(|equation| {
        let value = |heap: &Heap, term: MeasureTerm| {
            let measure = match term.of {
                None => Measure::constant(0),
                Some(MeasureOf::Own(number)) => *heap.instance(whole)?.measures.get(number)?,
                Some(MeasureOf::Part(part, number)) => *heap.instance(*parts.get(part)?)?.measures.get(number)?,
            };
            measure.plus(term.plus)
        };
        match (value(heap, equation.left), value(heap, equation.right)) {
            (Some(left), Some(right)) => heap.equate(left, right),
            // Too large to be written down: less is known than could be.
            _ => true,
        }
    })
}

/// The heaps in which the instance is not empty, one per rule at the port that its measures allow: the cell there is a node by
/// itself. None if there is no rule at the port.
pub fn unfold(heap: &Heap, id: NodeId, port: PortId, definitions: &Definitions) -> Vec<Heap> {
    let Some(instance) = heap.instance(id).cloned() else { return Vec::new() };
    let definition = definitions.get(instance.layout.definition);
    let rules = definition.rules_at(port);
    let cases = rules.flat_map(|rule| instance.elements.iter().map(move |element| (rule, element)));
    cases.filter_map(|(rule, element)| apply(heap, id, &instance, element, rule, definitions)).collect()
}

fn apply(
    heap: &Heap,
    id: NodeId,
    instance: &Instance,
    element: &Prototype,
    rule: &Rule,
    definitions: &Definitions,
) -> Option<Heap> {
    let mut heap = heap.clone();
    let cell = instantiate(&mut heap, element, instance.region);
    let layouts: Vec<Rc<Layout>> = rule
        .parts
        .iter()
        .map(|part| {
            if part.definition == instance.layout.definition {
                instance.layout.clone()
            } else {
                Rc::new(instance.layout.of(part.definition, definitions))
            }
        })
        .collect();
    // A link of a tree's cell that is known to be null leads to no part.
    let keeps_null = definitions.keeps_null_links(definitions.get(instance.layout.definition));
    let is_null = |link: u64, bytes: u64| match element.nodes.first().map(|node| &**node) {
        Some(Node::Object(object)) => object.load(link, bytes) == Value::ZERO,
        Some(Node::Instance(_)) | None => false,
    };
    let mut absent = vec![false; rule.parts.len()];
    for ((link, bytes), term) in instance.layout.places().zip(&rule.links) {
        if let Term::Part(part, port) = term
            && keeps_null
            && is_null(link, bytes)
            && definitions.get(layouts[*part].definition).port(*port).empty.is_none()
        {
            absent[*part] = true;
        }
    }
    // The parts get their places first, so that terms can speak of them.
    let parts: Vec<NodeId> = layouts
        .iter()
        .enumerate()
        .map(|(index, layout)| {
            let least = if rule.spine == Some(index) { instance.least.saturating_sub(1) } else { 0 };
            let names = &definitions.get(layout.definition).measures;
            let measures = names.iter().map(|measure| heap.fresh_measure(measure.below)).collect();
            heap.add(Node::Instance(Instance {
                layout: layout.clone(),
                inputs: SmallVec::new(),
                measures,
                least,
                region: instance.region,
                elements: instance.elements.clone(),
            }))
        })
        .collect();
    if !equate(&mut heap, id, &parts, &rule.equations) {
        return None;
    }
    for (part, _) in parts.iter().zip(&absent).filter(|(_, absent)| **absent) {
        let definition = heap.instance(*part).map(|instance| instance.layout.definition);
        if !definition.is_none_or(|id| equate(&mut heap, *part, &[], &definitions.get(id).empty)) {
            return None;
        }
    }
    let value = |term: Term| match term {
        Term::Null => Value::ZERO,
        Term::Input(input) => instance.inputs[input],
        Term::Own(anchor) => Value::pointer(cell, instance.layout.offset(anchor)),
        Term::Part(part, _) if absent[part] => Value::ZERO,
        Term::Part(part, port) => {
            let anchor = definitions.get(layouts[part].definition).port(port).anchor;
            Heap::port(parts[part], port, layouts[part].offset(anchor))
        }
    };
    for (part, node) in rule.parts.iter().zip(&parts) {
        if let Some(found) = heap.instance_mut(*node) {
            found.inputs = part.inputs.iter().map(|term| value(*term)).collect();
        }
    }
    if let Some(object) = heap.object_mut(cell) {
        for (((link, bytes), term), tag) in instance.layout.places().zip(&rule.links).zip(&rule.tags) {
            object.store(link, bytes, add_bytes(value(*term), i64::from(*tag)));
        }
    }
    let definition = definitions.get(instance.layout.definition);
    replace_pointers(&mut heap, id, &mut |pointer| {
        let anchor = definition.port(pointer.port).anchor;
        let moved = pointer.offset.wrapping_sub(instance.layout.offset(anchor));
        add_bytes(value(rule.ports[usize::from(pointer.port.0)]), moved)
    });
    for (part, _) in parts.iter().zip(&absent).filter(|(_, absent)| **absent) {
        heap.remove(*part);
    }
    heap.remove(id);
    Some(heap)
}

/// A cell of an instance with all that belongs to it, its links not yet set.
pub(crate) fn instantiate(heap: &mut Heap, prototype: &Prototype, region: Region) -> NodeId {
    let first_node = heap.nodes.len();
    let first_symbol = heap.symbols.len();
    heap.symbols.extend(prototype.symbols.iter().copied());
    let mut lower = |value: Value| {
        value.renamed(
            &mut |id: NodeId| match id.level() {
                0 => id,
                1 => NodeId::new(0, first_node + id.index()),
                level => NodeId::new(level - 1, id.index()),
            },
            &mut |symbol: SymbolId| match symbol.level() {
                0 => symbol,
                1 => SymbolId::new(0, first_symbol + symbol.index()),
                level => SymbolId::new(level - 1, symbol.index()),
            },
        )
    };
    for node in &prototype.nodes {
        heap.nodes.push(Some(Rc::new(node.map_values(&mut lower).in_region(region))));
    }
    NodeId::new(0, first_node)
}

/// All heaps in which the pointer leads to a cell or to what is behind the instance if that is empty.
pub fn expose(heap: &Heap, pointer: Pointer, definitions: &Definitions) -> Vec<Heap> {
    let mut heaps: Vec<Heap> = empty(heap, pointer.node, definitions).into_iter().collect();
    heaps.extend(unfold(heap, pointer.node, pointer.port, definitions));
    heaps
}

/// Both heaps: the instance is empty, or it is not.
pub fn decide_empty(heap: &Heap, id: NodeId, definitions: &Definitions) -> Vec<Heap> {
    let mut heaps: Vec<Heap> = empty(heap, id, definitions).into_iter().collect();
    heaps.push(not_empty(heap, id));
    heaps
}

/// What a cell of the instance is like, if all are alike.
pub fn element(instance: &Instance) -> Option<&Object> {
    let [element] = instance.elements.as_slice() else { return None };
    match element.nodes.first().map(|node| &**node) {
        Some(Node::Object(object)) => Some(object),
        Some(Node::Instance(_)) | None => None,
    }
}
