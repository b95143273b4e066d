//! Abstraction: runs of cells become instances.
//!
//! A cell to which something else leads than its neighbours stays, at an end of a run it becomes a port: nothing that can be
//! reached is lost.

use crate::chunk::{Chunk, Space, chunks_at, compose, last_port, port_pointer};
use crate::heap::{Heap, Instance, Node, NodeId, Pointer, PortId, Value};
use crate::predicate::{Definitions, Layout};
use crate::unfold::replace_pointers;
use crate::unify::join_prototypes;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Folds as long as anything folds. The layouts are tried in their order.
pub(crate) fn fold(heap: &Heap, layouts: &[Rc<Layout>], definitions: &Definitions) -> Heap {
    let mut heap = heap.clone();
    const MOST: usize = 200;
    for _ in 0..MOST {
        let Some(folded) = layouts.iter().find_map(|layout| fold_once(&heap, layout, definitions)) else { break };
        heap = folded;
    }
    heap
}

fn fold_once(heap: &Heap, layout: &Rc<Layout>, definitions: &Definitions) -> Option<Heap> {
    let definition = definitions.get(layout.definition);
    let fold = Fold { heap, space: Space::of_heap(heap), ports: port_references(heap), layout, definitions };
    if definition.is_segment() {
        fold.closed().or_else(|| fold.longest_run().map(|chunk| fold.apply(&chunk)))
    } else {
        fold.tree().map(|chunk| fold.apply(&chunk))
    }
}

struct Fold<'h> {
    heap: &'h Heap,
    space: Space,
    /// How often values lead to each port.
    ports: FxHashMap<(NodeId, PortId), u32>,
    layout: &'h Rc<Layout>,
    definitions: &'h Definitions,
}

fn port_references(heap: &Heap) -> FxHashMap<(NodeId, PortId), u32> {
    let mut counts = FxHashMap::default();
    heap.for_each_value(&mut |value| {
        if let Value::Pointer(pointer) | Value::Indexed { pointer, .. } = value
            && pointer.node.level() == 0
        {
            *counts.entry((pointer.node, pointer.port)).or_insert(0) += 1;
        }
    });
    counts
}

impl Fold<'_> {
    fn count(&self, node: NodeId, port: PortId) -> u32 {
        self.ports.get(&(node, port)).copied().unwrap_or(0)
    }

    /// A cell whose subtrees are instances or null.
    fn tree(&self) -> Option<Chunk> {
        self.heap
            .nodes()
            .filter(|(_, node)| matches!(node, Node::Object(_)))
            .find_map(|(id, _)| chunks_at(&self.space, id, self.layout, self.definitions, 0).into_iter().next())
    }

    fn longest_run(&self) -> Option<Chunk> {
        let mut best: Option<(usize, Chunk)> = None;
        for (id, _) in self.heap.nodes() {
            for chunk in chunks_at(&self.space, id, self.layout, self.definitions, 0) {
                let (n_items, chunk) = self.extended(chunk);
                if n_items > 1 && best.as_ref().is_none_or(|(n_best, _)| n_items > *n_best) {
                    best = Some((n_items, chunk));
                }
            }
        }
        best.map(|(_, chunk)| chunk)
    }

    /// The longest run that starts with a chunk.
    fn extended(&self, first: Chunk) -> (usize, Chunk) {
        let definition = self.definitions.get(self.layout.definition);
        let (Some(end), Some(last)) = (definition.port(PortId::FIRST).empty, last_port(definition)) else {
            return (1, first);
        };
        let Some(before) = definition.port(last).empty else { return (1, first) };
        let mut run = first.clone();
        // The last item by itself.
        let mut item = first;
        let mut n_items = 1;
        while let Some(Value::Pointer(next)) = run.inputs[end] {
            if next.node.level() > 0 {
                break;
            }
            let last_of_item = Value::Pointer(port_pointer(&self.space, item.last, last, self.layout, definition));
            let longer =
                chunks_at(&self.space, next.node, self.layout, self.definitions, 0).into_iter().find_map(|back| {
                    let is_instance = matches!(self.heap.node(back.first), Node::Instance(_));
                    let back_links = u32::from(back.inputs[before] == Some(last_of_item));
                    if is_instance && self.count(back.first, PortId::FIRST) != 1
                        || !self.may_be_inside(&item, n_items == 1, last, back_links)
                    {
                        return None;
                    }
                    let composed = compose(&self.space, &run, &back, self.layout, self.definitions)?;
                    Some((composed, back))
                });
            let Some((composed, back)) = longer else { break };
            run = composed;
            item = back;
            n_items += 1;
        }
        (n_items, run)
    }

    /// Whether an item may have another one behind it: nothing leads to it but its neighbours.
    fn may_be_inside(&self, item: &Chunk, is_first: bool, last: PortId, back_links: u32) -> bool {
        match self.heap.node(item.first) {
            Node::Instance(_) => {
                self.count(item.first, last) == back_links && (is_first || self.count(item.first, PortId::FIRST) == 1)
            }
            Node::Object(_) => {
                is_first || self.space.references[item.first.index()] == 1 + item.own_references + back_links
            }
        }
    }

    /// A segment with something in its hole.
    fn closed(&self) -> Option<Heap> {
        let definition = self.definitions.get(self.layout.definition);
        let closing = definition.closing.as_ref()?;
        let last = last_port(definition)?;
        for (id, node) in self.heap.nodes() {
            let Node::Instance(segment) = node else { continue };
            if segment.layout != *self.layout {
                continue;
            }
            let whole_layout = Rc::new(self.layout.of(closing.whole, self.definitions));
            let inputs = closing.whole_inputs.iter().map(|input| segment.inputs[*input]).collect();
            let to_last = self.count(id, last);
            let (part, least, prototype, own) = match segment.inputs[closing.hole] {
                Value::Number(0) => (None, segment.least, segment.prototype.clone(), 0),
                Value::Pointer(pointer) if pointer.node.level() == 0 && pointer.node != id => {
                    let Node::Instance(part) = self.heap.node(pointer.node) else { continue };
                    let part_layout = self.layout.of(closing.part, self.definitions);
                    let part_definition = self.definitions.get(closing.part);
                    let expected =
                        port_pointer(&self.space, pointer.node, PortId::FIRST, &part_layout, part_definition);
                    let ports_fit = closing.part_inputs.iter().zip(&part.inputs).all(|(port, value)| {
                        *value == Value::Pointer(port_pointer(&self.space, id, *port, self.layout, definition))
                    });
                    if *part.layout != part_layout
                        || pointer != expected
                        || !ports_fit
                        || self.count(pointer.node, PortId::FIRST) != 1
                    {
                        continue;
                    }
                    let Some(prototype) =
                        join_prototypes(&segment.prototype, &part.prototype, &self.space, self.definitions)
                    else {
                        continue;
                    };
                    let least = (segment.least + part.least).min(2);
                    (Some(pointer.node), least, Rc::new(prototype), closing.part_inputs.len() as u32)
                }
                _ => continue,
            };
            if to_last != own {
                continue;
            }
            let mut heap = self.heap.clone();
            let new = heap.add(Node::Instance(Instance { layout: whole_layout, inputs, least, prototype }));
            heap.remove(id);
            if let Some(part) = part {
                heap.remove(part);
            }
            replace_pointers(&mut heap, id, &mut |pointer| Value::Pointer(Pointer { node: new, ..pointer }));
            return Some(heap);
        }
        None
    }

    /// The heap with an instance in the place of a chunk.
    fn apply(&self, chunk: &Chunk) -> Heap {
        let definition = self.definitions.get(self.layout.definition);
        let mut heap = self.heap.clone();
        let new = heap.add(Node::Instance(chunk.instance(self.layout)));
        for node in &chunk.nodes {
            heap.remove(*node);
        }
        let last = last_port(definition).unwrap_or(PortId::FIRST);
        if chunk.last != chunk.first {
            replace_pointers(&mut heap, chunk.last, &mut |pointer| {
                Value::Pointer(Pointer { node: new, port: last, ..pointer })
            });
        }
        replace_pointers(&mut heap, chunk.first, &mut |pointer| {
            Value::Pointer(Pointer { node: new, port: PortId::FIRST, ..pointer })
        });
        heap
    }
}
