//! Whether a predicate means one thing.
//!
//! The rules at its ports must describe the same structures, and two structures end to end must be one: folding builds from
//! the first port alone, unfolding looks from where the program does. Both are tried on all structures of up to four
//! cells. The shipped predicates are held to laws on random heaps besides.

use super::{Definition, DefinitionId, Definitions, Layout};
use crate::heap::{
    Heap, Instance, Life, Measure, Node, NodeId, Object, PortId, Prototype, Region, Size, Storage, Value,
};
use crate::unfold::{empty, unfold};
use heapwise_ir::RegisterId;
use heapwise_ir::entity::EntityRef;
use smallvec::smallvec;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The largest structures that are looked at.
const MOST_CELLS: usize = 4;
const LINK_BYTES: u8 = 8;

/// What is wrong with a predicate, if anything is.
pub(super) fn problem(definitions: &Definitions, id: DefinitionId) -> Option<String> {
    let definition = definitions.get(id);
    if definition.rules_at(PortId::FIRST).next().is_none() {
        return Some(format!("`{}` has no rule at its first port", definition.name));
    }
    if definition.ports.len() > 2 {
        return Some(format!("`{}` has more than two ports", definition.name));
    }
    if definition.is_segment() && 2 * definition.measure_pairs().len() != definition.measures.len() {
        return Some(format!(
            "the measures of `{}` are not pairs that are equal while it is empty, as those of a segment must be",
            definition.name
        ));
    }
    let from_first = structures(definitions, one(definitions, id), PortId::FIRST);
    for (number, port) in definition.ports.iter().enumerate().skip(1) {
        let port_id = PortId(number as u8);
        if definition.rules_at(port_id).next().is_none() {
            return Some(format!("`{}` has no rule at `{}`", definition.name, port.name));
        }
        if structures(definitions, one(definitions, id), port_id) != from_first {
            let first = &definition.ports[0].name;
            return Some(format!(
                "the rules of `{}` at `{}` and at `{first}` describe different structures",
                definition.name, port.name
            ));
        }
    }
    if let Some(two) = end_to_end(definitions, id)
        && !structures(definitions, two, PortId::FIRST).is_subset(&from_first)
    {
        return Some(format!("two structures of `{}` end to end are not one", definition.name));
    }
    None
}

fn layout(definition: &Definition, id: DefinitionId) -> Rc<Layout> {
    let links = (0..definition.links.len()).map(|link| link as i64 * i64::from(LINK_BYTES)).collect();
    let size = definition.links.len() as u64 * u64::from(LINK_BYTES);
    let record = heapwise_ir::RecordId::new(0);
    let widths = definition.links.iter().map(|_| LINK_BYTES).collect();
    Rc::new(Layout { definition: id, record, size, derived: Rc::default(), entry: 0, links, widths })
}

fn instance(definition: &Definition, layout: &Rc<Layout>, inputs: Vec<Value>, measures: Vec<Measure>) -> Node {
    let cell = Object::new(Storage::Heap, Size::Constant(layout.size), Value::ZERO);
    let elements = smallvec![Rc::new(Prototype { nodes: vec![Rc::new(Node::Object(cell))], symbols: Vec::new() })];
    debug_assert_eq!(inputs.len(), definition.inputs.len());
    Node::Instance(Instance {
        layout: layout.clone(),
        inputs: inputs.into(),
        measures,
        least: 0,
        region: Region::NONE,
        elements,
    })
}

/// A heap with cells for the inputs, each of which a register holds.
fn around(definition: &Definition) -> (Heap, Vec<Value>) {
    let mut heap = Heap::default();
    let inputs: Vec<Value> = (0..definition.inputs.len())
        .map(|_| {
            // Nothing is known of them but that they are there.
            let cell =
                Object { life: Life::Alive, ..Object::new(Storage::CallersLocal, Size::Constant(64), Value::Any) };
            Value::pointer(heap.add(Node::Object(cell)), 0)
        })
        .collect();
    for (number, value) in inputs.iter().enumerate() {
        heap.set_register(RegisterId::new(number), *value);
    }
    (heap, inputs)
}

fn port(node: NodeId, number: usize, definition: &Definition, layout: &Layout) -> Value {
    let port = PortId(number as u8);
    Heap::port(node, port, layout.offset(definition.port(port).anchor))
}

/// Measures of which nothing is known.
fn measures(heap: &mut Heap, definition: &Definition) -> Vec<Measure> {
    definition.measures.iter().map(|measure| heap.fresh_measure(measure.below)).collect()
}

/// One structure; registers hold its inputs and its ports.
fn one(definitions: &Definitions, id: DefinitionId) -> Heap {
    let definition = definitions.get(id);
    let layout = layout(definition, id);
    let (mut heap, inputs) = around(definition);
    let measures = measures(&mut heap, definition);
    let node = heap.add(instance(definition, &layout, inputs, measures));
    for number in 0..definition.ports.len() {
        heap.set_register(RegisterId::new(definition.inputs.len() + number), port(node, number, definition, &layout));
    }
    heap
}

/// Two of them, where the first one leads to the second; none if they cannot be put so.
fn end_to_end(definitions: &Definitions, id: DefinitionId) -> Option<Heap> {
    let definition = definitions.get(id);
    let layout = layout(definition, id);
    let end = definition.port(PortId::FIRST).empty.filter(|_| definition.is_segment())?;
    let before = definition.ports.get(1)?.empty?;
    let (mut heap, inputs) = around(definition);
    let (of_front, mut of_back) = (measures(&mut heap, definition), measures(&mut heap, definition));
    for (upper, lower) in definition.measure_pairs() {
        of_back[upper] = of_front[lower];
    }
    let front = heap.add(instance(definition, &layout, inputs.clone(), of_front));
    let back = heap.add(instance(definition, &layout, inputs, of_back));
    let (first_of_back, last_of_front) = (port(back, 0, definition, &layout), port(front, 1, definition, &layout));
    heap.instance_mut(front)?.inputs[end] = first_of_back;
    heap.instance_mut(back)?.inputs[before] = last_of_front;
    let n_inputs = definition.inputs.len();
    heap.set_register(RegisterId::new(n_inputs), port(front, 0, definition, &layout));
    heap.set_register(RegisterId::new(n_inputs + 1), port(back, 1, definition, &layout));
    Some(heap)
}

/// All concrete heaps with few cells, as seen from a port where there are rules.
fn structures(definitions: &Definitions, heap: Heap, from: PortId) -> BTreeSet<Heap> {
    let mut found = BTreeSet::new();
    let mut work = vec![heap];
    while let Some(mut heap) = work.pop() {
        let is_cell = |node: &Node| matches!(node, Node::Object(object) if object.storage == Storage::Heap);
        if heap.nodes().filter(|(_, node)| is_cell(node)).count() > MOST_CELLS {
            continue;
        }
        let instance = heap.nodes().find_map(|(id, node)| match node {
            Node::Instance(instance) => Some((id, instance.layout.definition)),
            Node::Object(_) => None,
        });
        let Some((id, definition)) = instance else {
            if heap.normalise(definitions).is_ok() {
                found.insert(heap);
            }
            continue;
        };
        let has_rules = definitions.get(definition).rules_at(from).next().is_some();
        let port = if has_rules { from } else { PortId::FIRST };
        work.extend(empty(&heap, id, definitions));
        work.extend(unfold(&heap, id, port, definitions));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_predicates_mean_one_thing() {
        let definitions = Definitions::shipped();
        for (id, definition) in definitions.iter() {
            assert_eq!(problem(&definitions, id), None, "{}", definition.name);
        }
    }

    #[test]
    fn rules_that_do_not_fit_are_found() {
        // Seen from its end, the list forgets that links lead back.
        let text = "predicate wrong(p, y)\n links next, prev\n ports x = y, l = p\n\
                    at x { next: R.x, prev: p } R = wrong(self, y) with l = R.l\n\
                    at l { next: y, prev: p } R = wrong(p, self) with x = R.x\n";
        let found = Definitions::with(text).unwrap_err();
        assert!(found.message.contains("different structures"), "{found}");
        // All cells lead back to the start: two such lists end to end are none.
        let text = "predicate star(p, y)\n links next, prev\n ports x = y, l = p\n\
                    at x { next: R.x, prev: p } R = star(p, y) with l = R.l\n\
                    at l { next: y, prev: p } R = star(p, self) with x = R.x\n";
        assert!(Definitions::with(text).is_err());
    }
}
