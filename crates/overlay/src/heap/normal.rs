//! Normal form: what is not reached goes, what is left is numbered in the order in which it is found.

use super::{Content, Heap, Instance, Life, Node, NodeId, Pointer, PortId, Region, Size, Storage, SymbolId, Value};
use crate::number::Range;
use crate::predicate::Definitions;
use std::rc::Rc;

/// What became unreachable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lost {
    /// Nothing that must be freed.
    Nothing,
    /// Heap cells.
    Cells,
}

/// What an instance that may be empty surely leads to, and what only its cells do.
struct Reach<'h> {
    heap: &'h Heap,
    definitions: &'h Definitions,
    /// Nodes in the order of discovery.
    order: Vec<NodeId>,
    seen: Vec<bool>,
    /// Also by way of the cells of instances that may be empty.
    through_possible: bool,
}

impl Reach<'_> {
    fn value(&mut self, value: Value) {
        let mut work = vec![value];
        while let Some(value) = work.pop() {
            let Some(pointer) = (match value {
                Value::Pointer(pointer) | Value::Indexed { pointer, .. } => Some(pointer),
                _ => None,
            }) else {
                continue;
            };
            if pointer.node.level() > 0 {
                continue;
            }
            self.node(pointer, &mut work);
        }
    }

    fn node(&mut self, Pointer { node, port, .. }: Pointer, work: &mut Vec<Value>) {
        let is_new = !std::mem::replace(&mut self.seen[node.index()], true);
        if is_new {
            self.order.push(node);
        }
        match self.heap.node(node) {
            Node::Object(_) | Node::Instance(Instance { least: 1.., .. }) => {
                if is_new {
                    push_values(self.heap.node(node), work);
                }
            }
            Node::Instance(instance) => {
                if self.through_possible {
                    if is_new {
                        push_values(self.heap.node(node), work);
                    }
                } else if let Some(input) = self.definitions.get(instance.layout.definition).port(port).empty {
                    // Where it is empty, this is all that the port leads to. Each port matters by itself.
                    let value = instance.inputs[input];
                    if is_new || !matches!(value, Value::Pointer(inner) if self.seen[inner.node.index()]) {
                        work.push(value);
                    }
                }
            }
        }
    }
}

/// The values of a node, the last one first, so that the first is taken first from the stack.
fn push_values(node: &Node, work: &mut Vec<Value>) {
    let first = work.len();
    node.for_each_value(&mut |value| work.push(value));
    work[first..].reverse();
}

/// Whether it has cells that must be freed.
pub(crate) fn is_owned(node: &Node) -> bool {
    match node {
        Node::Object(object) => object.storage == Storage::Heap && object.life == Life::Alive,
        Node::Instance(_) => true,
    }
}

impl Heap {
    /// Brings the heap into normal form and says what was lost. Fails with an instance that may be empty or not where it
    /// matters which: the caller splits.
    pub fn normalise(&mut self, definitions: &Definitions) -> Result<Lost, NodeId> {
        self.forget_unused_inputs(definitions);
        let all = self.reach(definitions, true);
        let surely = self.reach(definitions, false);
        let is_owned = |id: NodeId| is_owned(self.node(id));
        if let Some(doubtful) = all
            .iter()
            .copied()
            .find(|id| is_owned(*id) && !surely.contains(id))
            .and_then(|id| self.possible_holder(id, &surely))
        {
            return Err(doubtful);
        }
        let lost = self.nodes().any(|(id, _)| is_owned(id) && !all.contains(&id));
        self.renumber(&all);
        Ok(if lost { Lost::Cells } else { Lost::Nothing })
    }

    /// The regions of the cells that nothing leads to.
    pub fn unreached_regions(&self, definitions: &Definitions) -> Vec<Region> {
        let reached = self.reach(definitions, true);
        let lost = self.nodes().filter(|(id, node)| is_owned(node) && !reached.contains(id));
        lost.map(|(_, node)| node.region()).collect()
    }

    /// An input that no cell holds matters only for a port; where nothing leads to that port, it is any value.
    fn forget_unused_inputs(&mut self, definitions: &Definitions) {
        let mut ports: Vec<(NodeId, PortId)> = Vec::new();
        self.for_each_value(&mut |value| {
            if let Value::Pointer(pointer) | Value::Indexed { pointer, .. } = value
                && pointer.node.level() == 0
            {
                ports.push((pointer.node, pointer.port));
            }
        });
        let mut unused: Vec<(NodeId, usize)> = Vec::new();
        for (id, node) in self.nodes() {
            let Node::Instance(instance) = node else { continue };
            let definition = definitions.get(instance.layout.definition);
            for (input, value) in instance.inputs.iter().enumerate() {
                let is_port = |port: usize| port == 0 || ports.contains(&(id, PortId(port as u8)));
                let matters = definition.is_held(input)
                    || definition
                        .ports
                        .iter()
                        .enumerate()
                        .any(|(number, port)| port.empty == Some(input) && is_port(number));
                if !matters && *value != Value::Any {
                    unused.push((id, input));
                }
            }
        }
        for (id, input) in unused {
            if let Some(instance) = self.instance_mut(id) {
                instance.inputs[input] = Value::Any;
            }
        }
    }

    /// An instance that may be empty and whose cells lead to something that nothing else is sure to lead to.
    fn possible_holder(&self, _held: NodeId, surely: &[NodeId]) -> Option<NodeId> {
        surely.iter().copied().find(|id| match self.node(*id) {
            Node::Object(_) | Node::Instance(Instance { least: 1.., .. }) => false,
            Node::Instance(_) => {
                let mut holds = false;
                self.node(*id).for_each_value(&mut |value| {
                    holds |= value.node().is_some_and(|node| node.level() == 0 && !surely.contains(&node));
                });
                holds
            }
        })
    }

    fn reach(&self, definitions: &Definitions, through_possible: bool) -> Vec<NodeId> {
        let mut reach =
            Reach { heap: self, definitions, order: Vec::new(), seen: vec![false; self.nodes.len()], through_possible };
        for (_, value) in &self.registers {
            reach.value(*value);
        }
        for value in &self.ghosts {
            reach.value(*value);
        }
        for (_, node) in &self.globals {
            reach.value(Value::pointer(*node, 0));
        }
        for (id, node) in self.nodes() {
            if let Node::Object(object) = node
                && matches!(object.storage, Storage::Local | Storage::CallersLocal)
                && object.life == Life::Alive
            {
                reach.value(Value::pointer(id, 0));
            }
        }
        reach.order
    }

    /// Keeps these nodes in this order, and the symbols that are left in the order of their first use.
    fn renumber(&mut self, order: &[NodeId]) {
        let mut names: Vec<Option<NodeId>> = vec![None; self.nodes.len()];
        for (index, id) in order.iter().enumerate() {
            names[id.index()] = Some(NodeId::new(0, index));
        }
        let kept: Vec<Option<Rc<Node>>> = order.iter().map(|id| self.nodes[id.index()].take()).collect();
        self.nodes = kept;
        let mut symbols: Vec<Option<SymbolId>> = vec![None; self.symbols.len()];
        let mut ranges: Vec<Range> = Vec::new();
        let old = std::mem::take(&mut self.symbols);
        let mut rename = |value: Value| {
            value.renamed(&mut |id| if id.level() == 0 { names[id.index()].unwrap_or(id) } else { id }, &mut |symbol| {
                if symbol.level() > 0 {
                    return symbol;
                }
                *symbols[symbol.index()].get_or_insert_with(|| {
                    ranges.push(old[symbol.index()]);
                    SymbolId::new(0, ranges.len() - 1)
                })
            })
        };
        self.registers.iter_mut().for_each(|(_, value)| *value = rename(*value));
        self.ghosts.iter_mut().for_each(|value| *value = rename(*value));
        for node in self.nodes.iter_mut().flatten() {
            let mut changes = false;
            node.for_each_value(&mut |value| changes |= rename(value) != value);
            if changes {
                *node = Rc::new(node.map_values(&mut rename));
            }
        }
        for (_, node) in &mut self.globals {
            *node = names[node.index()].unwrap_or(*node);
        }
        self.symbols = ranges;
        for symbol in self.sums_in_use(|symbol| symbols[symbol.index()].is_some()) {
            symbols[symbol.index()].get_or_insert_with(|| {
                self.symbols.push(old[symbol.index()]);
                SymbolId::new(0, self.symbols.len() - 1)
            });
        }
        self.rename_facts(|symbol| symbols[symbol.index()]);
        self.rename_terms(|symbol| symbols[symbol.index()]);
    }

    /// Takes away all locals of waiting functions, and what only they lead to, unless something else leads there.
    pub fn keep_reachable(&mut self) {
        let mut seen = vec![false; self.nodes.len()];
        let mut work: Vec<NodeId> = self.registers.iter().filter_map(|(_, value)| value.node()).collect();
        work.extend(self.globals.iter().map(|(_, node)| *node));
        work.extend(self.nodes().filter_map(|(id, node)| match node {
            Node::Object(object) if object.storage == Storage::Local => Some(id),
            Node::Object(_) | Node::Instance(_) => None,
        }));
        while let Some(id) = work.pop() {
            if id.level() == 0 && !std::mem::replace(&mut seen[id.index()], true) {
                self.node(id).for_each_value(&mut |value| work.extend(value.node()));
            }
        }
        for (index, seen) in seen.into_iter().enumerate() {
            if !seen {
                self.nodes[index] = None;
            }
        }
    }

    /// The end of a local's storage, or of a heap cell's: what leads there dangles.
    pub fn kill(&mut self, id: NodeId, life: Life) {
        self.take_elements(id, life);
        if let Some(object) = self.object_mut(id) {
            object.life = life;
            object.region = Region::NONE;
            object.fields.clear();
            object.texts.clear();
            object.rest = Value::Uninitialised;
            object.view = None;
            if let Size::Symbol(_) = object.size {
                object.size = Size::Constant(0);
            }
        }
    }

    /// The end of the elements of an array. What belongs to elements that may be there is left behind, so that it is seen to be
    /// lost.
    pub(crate) fn take_elements(&mut self, id: NodeId, life: Life) {
        let Some(array) = self.object_mut(id).and_then(|object| object.array.take()) else { return };
        for (start, segment) in array.parts() {
            match &segment.content {
                Content::Slot(value) => {
                    if let Some(slot) = value.node() {
                        self.kill(slot, life);
                    }
                }
                Content::Summary(elements) if self.is_below(start, segment.end) != Some(false) => {
                    for element in elements.iter().filter(|element| element.nodes.iter().any(|node| is_owned(node))) {
                        crate::unfold::instantiate(self, element, Region::NONE);
                    }
                }
                Content::Summary(_) => {}
            }
        }
    }

    /// A pointer to a node.
    pub fn port(node: NodeId, port: PortId, offset: i64) -> Value {
        Value::Pointer(Pointer { node, port, offset })
    }
}
