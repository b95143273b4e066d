//! Pieces of a heap that are seen as instances: a cell as an instance of one, instances end to end as a longer one.

use crate::heap::{
    Elements, Heap, Instance, Life, Measure, Node, NodeId, Object, Pointer, PortId, Prototype, Region, Size, Storage,
    SymbolId, Value, tidy,
};
use crate::measures::{Known, of_part};
use crate::number::Range;
use crate::predicate::{Definition, Definitions, Equation, Layout, MeasureOf, Rule, Term};
use crate::unfold::add_bytes;
use crate::unify::{Policy, join_prototypes};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::rc::Rc;

/// The nodes of one level of a heap, with how often values lead to each.
#[derive(Clone, Debug)]
pub(crate) struct Space {
    pub level: u32,
    pub nodes: Vec<Option<Rc<Node>>>,
    pub symbols: Vec<Range>,
    pub references: Vec<u32>,
    /// How often values speak of each symbol.
    pub mentions: Vec<u32>,
    /// How often values lead to each port of a node.
    pub ports: FxHashMap<(NodeId, PortId), u32>,
}

impl Space {
    pub fn of_heap(heap: &Heap) -> Space {
        let mut mentions = vec![0; heap.symbols.len()];
        heap.for_each_value(&mut |value| {
            if let Some(symbol) = value.symbol().filter(|symbol| symbol.level() == 0) {
                mentions[symbol.index()] += 1;
            }
        });
        let mut ports = FxHashMap::default();
        heap.for_each_value(&mut |value| count_port(value, 0, &mut ports));
        let references = heap.references();
        Space { level: 0, nodes: heap.nodes.clone(), symbols: heap.symbols.clone(), references, mentions, ports }
    }

    pub fn of_prototype(prototype: &Prototype, level: u32) -> Space {
        let nodes: Vec<Option<Rc<Node>>> = prototype.nodes.iter().cloned().map(Some).collect();
        let mut references = vec![0; nodes.len()];
        let mut mentions = vec![0; prototype.symbols.len()];
        let mut ports = FxHashMap::default();
        for node in nodes.iter().flatten() {
            node.for_each_value(&mut |value| {
                if let Some(id) = value.node().filter(|id| id.level() == level) {
                    references[id.index()] += 1;
                }
                if let Some(symbol) = value.symbol().filter(|symbol| symbol.level() == level) {
                    mentions[symbol.index()] += 1;
                }
                count_port(value, level, &mut ports);
            });
        }
        Space { level, nodes, symbols: prototype.symbols.clone(), references, mentions, ports }
    }

    pub fn node(&self, id: NodeId) -> Option<&Node> {
        debug_assert_eq!(id.level(), self.level);
        self.nodes.get(id.index())?.as_deref()
    }

    /// How often values lead to a port.
    pub fn count(&self, node: NodeId, port: PortId) -> u32 {
        self.ports.get(&(node, port)).copied().unwrap_or(0)
    }

    /// Whether a cell may be one of the layout: as far as is known, the program sees that record in it.
    pub fn is_element(&self, object: &Object, layout: &Layout) -> bool {
        let least_size = match object.size {
            Size::Constant(size) => i128::from(size),
            Size::Symbol(symbol) if symbol.level() == self.level => {
                self.symbols.get(symbol.index()).map_or(0, |range| range.low)
            }
            Size::Symbol(_) => 0,
        };
        let holds_links = layout.places().all(|(link, bytes)| i128::from(link) + i128::from(bytes) <= least_size);
        let is_seen_so = match object.view {
            Some(record) => layout.records().any(|(known, _)| known == record),
            None => layout.records().any(|(_, size)| object.size == Size::Constant(size)),
        };
        let is_free = |(link, bytes): (u64, u64)| {
            let overlaps = |array: &Rc<crate::heap::Array>| array.overlaps(link, bytes);
            !object.array.as_ref().is_some_and(overlaps)
        };
        object.storage == Storage::Heap
            && object.life == Life::Alive
            && holds_links
            && is_seen_so
            && layout.places().all(is_free)
    }

    fn is_here(&self, value: Value) -> Option<NodeId> {
        value.node().filter(|id| id.level() == self.level)
    }
}

/// A part of a heap as an instance.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    /// All nodes that it is made of.
    pub nodes: SmallVec<[NodeId; 4]>,
    /// The node with its first port.
    pub first: NodeId,
    /// The node with its other ports.
    pub last: NodeId,
    /// The inputs, where known.
    pub inputs: SmallVec<[Option<Value>; 2]>,
    /// The measures; one that is not known may be any.
    pub measures: Vec<Option<Measure>>,
    pub least: u8,
    /// That of all its cells.
    pub region: Region,
    pub elements: Elements,
    /// How often it leads to its own first cell, links aside.
    pub own_references: u32,
}

/// How elements of two chunks are put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Merging {
    /// Nothing is given up: each kind of element stays.
    Exact,
    /// Kinds of elements must be nearly the same: what is known of constants is kept.
    Similar,
    /// Kinds that are not nearly the same become alternatives, and where there are too many of them, one.
    Alternatives,
}

/// Most kinds of elements of one instance that a fold makes.
pub(crate) const MOST_ALTERNATIVES: usize = 3;
/// Most kinds of elements of a run that is compared with an instance.
const MOST_COMPARED: usize = 8;

/// The elements of two chunks of one instance.
pub(crate) fn merge_elements(
    left: &Elements,
    right: &Elements,
    space: &Space,
    definitions: &Definitions,
    merging: Merging,
) -> Option<Elements> {
    if left == right {
        return Some(left.clone());
    }
    let mut merged = left.clone();
    for element in right {
        if merged.contains(element) {
            continue;
        }
        let similar = match merging {
            Merging::Exact => None,
            Merging::Similar | Merging::Alternatives => merged.iter().enumerate().find_map(|(index, known)| {
                let joined = join_prototypes(known, element, space, definitions, Policy::SIMILAR)?;
                Some((index, joined))
            }),
        };
        match (similar, merging) {
            (Some((index, joined)), _) => merged[index] = Rc::new(joined),
            (None, Merging::Similar) => return None,
            (None, Merging::Exact | Merging::Alternatives) => merged.push(element.clone()),
        }
    }
    tidy(&mut merged);
    match merging {
        Merging::Exact if merged.len() > MOST_COMPARED => None,
        Merging::Alternatives if merged.len() > MOST_ALTERNATIVES => {
            let mut all = merged.into_iter();
            let mut one = (*all.next()?).clone();
            for element in all {
                one = join_prototypes(&one, &element, space, definitions, Policy::ROUGH)?;
            }
            Some(smallvec![Rc::new(one)])
        }
        Merging::Exact | Merging::Similar | Merging::Alternatives => Some(merged),
    }
}

/// Where a pointer to the port of a node of a chunk points.
pub(crate) fn port_pointer(
    space: &Space,
    node: NodeId,
    port: PortId,
    layout: &Layout,
    definition: &Definition,
) -> Pointer {
    let offset = layout.offset(definition.port(port).anchor);
    match space.node(node) {
        Some(Node::Instance(_)) => Pointer { node, port, offset },
        Some(Node::Object(_)) | None => Pointer { node, port: PortId::FIRST, offset },
    }
}

/// All ways to see a node as an instance.
pub(crate) fn chunks_at(
    space: &Space,
    id: NodeId,
    layout: &Rc<Layout>,
    definitions: &Definitions,
    depth: u32,
    merging: Merging,
) -> Vec<Chunk> {
    match space.node(id) {
        Some(Node::Instance(instance)) if instance.layout == *layout => vec![Chunk {
            nodes: smallvec![id],
            first: id,
            last: id,
            inputs: instance.inputs.iter().copied().map(Some).collect(),
            measures: instance.measures.iter().copied().map(Some).collect(),
            least: instance.least,
            region: instance.region,
            elements: instance.elements.clone(),
            own_references: 0,
        }],
        Some(Node::Object(object)) if space.is_element(object, layout) => {
            let definition = definitions.get(layout.definition);
            let rules = definition.rules_at(PortId::FIRST);
            rules.filter_map(|rule| cell_chunk(space, id, object, rule, layout, definitions, depth, merging)).collect()
        }
        Some(_) | None => Vec::new(),
    }
}

/// Structures of structures of structures: more is not folded.
const DEEPEST: u32 = 3;

/// How deep trees of single cells are looked into.
pub(crate) const DEEP: u32 = 12;

#[expect(clippy::too_many_arguments, reason = "the parts of one match")]
fn cell_chunk(
    space: &Space,
    id: NodeId,
    object: &Object,
    rule: &Rule,
    layout: &Rc<Layout>,
    definitions: &Definitions,
    depth: u32,
    merging: Merging,
) -> Option<Chunk> {
    let definition = definitions.get(layout.definition);
    if definition.is_segment() && rule.spine.is_none() {
        return None;
    }
    let mut inputs: SmallVec<[Option<Value>; 2]> = smallvec![None; definition.inputs.len()];
    let set = |inputs: &mut SmallVec<[Option<Value>; 2]>, input: usize, value: Value| match inputs[input] {
        Some(known) => known == value,
        None => {
            inputs[input] = Some(value);
            true
        }
    };
    let mut nodes: SmallVec<[NodeId; 4]> = smallvec![id];
    let (prototype, private, own_references) = extract(space, id, object, layout, definitions);
    if prototype.nodes.iter().any(|node| node.depth() >= DEEPEST) {
        return None;
    }
    let mut elements: Elements = smallvec![Rc::new(prototype)];
    nodes.extend(private);
    let mut known = Known::default();
    let mut equations: Vec<Equation> = rule.equations.clone();
    for (number, ((link, bytes), term)) in layout.places().zip(&rule.links).enumerate() {
        let value = untagged(definition, rule, number, object.load(link, bytes))?;
        let fits = match *term {
            Term::Null => value == Value::ZERO,
            Term::Input(input) => set(&mut inputs, input, value),
            Term::Own(anchor) => value == Value::pointer(id, layout.offset(anchor)),
            Term::Part(part, port) if rule.spine == Some(part) => {
                // The rest is empty: the port is what its input says.
                let rest = &rule.parts[part];
                equations.extend(of_part(&definition.empty, part));
                match definition.port(port).empty.map(|input| rest.inputs[input]) {
                    Some(Term::Input(input)) => set(&mut inputs, input, value),
                    Some(Term::Null | Term::Own(_) | Term::Part(..)) | None => false,
                }
            }
            Term::Part(part, port) => {
                let side = &rule.parts[part];
                let side_definition = definitions.get(side.definition);
                let port_definition = side_definition.port(port);
                if value == Value::ZERO && port_definition.empty.is_none() {
                    equations.extend(of_part(&side_definition.empty, part));
                    continue;
                }
                let target = space.is_here(value)?;
                if depth == 0 && !matches!(space.node(target), Some(Node::Instance(_))) {
                    return None;
                }
                let side_layout = Rc::new(layout.of(side.definition, definitions));
                let found = chunks_at(space, target, &side_layout, definitions, depth.saturating_sub(1), merging)
                    .into_iter()
                    .next()?;
                let expected = port_pointer(space, found.first, port, &side_layout, side_definition);
                if value != Value::Pointer(expected)
                    || found.region != object.region
                    || space.references[target.index()]
                        != 1 + found.own_references + back_references(space, &found, target)
                {
                    return None;
                }
                let agrees = side.inputs.iter().zip(&found.inputs).all(|(term, value)| match (*term, *value) {
                    (_, None) => true,
                    (Term::Own(anchor), Some(value)) => value == Value::pointer(id, layout.offset(anchor)),
                    (Term::Input(input), Some(value)) => set(&mut inputs, input, value),
                    (Term::Null, Some(value)) => value == Value::ZERO,
                    (Term::Part(..), Some(_)) => false,
                });
                nodes.extend(found.nodes.iter().copied());
                for (measure, value) in found.measures.iter().enumerate() {
                    known.set(MeasureOf::Part(part, measure), *value);
                }
                elements = merge_elements(&elements, &found.elements, space, definitions, merging)?;
                agrees
            }
        };
        if !fits {
            return None;
        }
    }
    known.solve(&equations)?;
    let (region, measures) = (object.region, known.own(definition));
    Some(Chunk { nodes, first: id, last: id, inputs, measures, least: 1, region, elements, own_references })
}

/// What a link holds without its tag; `None` if it has another tag, or is neither an address nor a number.
pub(crate) fn untagged(definition: &Definition, rule: &Rule, link: usize, value: Value) -> Option<Value> {
    let (tag, modulus) = (rule.tags[link], definition.tag_modulus(link));
    let fits = match value {
        Value::Number(number) if rule.links[link] == Term::Null => number == i128::from(tag),
        Value::Number(number) => number.rem_euclid(i128::from(modulus)) == i128::from(tag),
        Value::Pointer(pointer) => pointer.offset.rem_euclid(i64::from(modulus)) == i64::from(tag),
        _ => false,
    };
    fits.then(|| add_bytes(value, -i64::from(tag)))
}

/// How often the parts of a tree of single cells lead back to its root.
fn back_references(space: &Space, chunk: &Chunk, root: NodeId) -> u32 {
    let mut count = 0;
    for node in chunk.nodes.iter().filter(|node| **node != root) {
        if let Some(node) = space.node(*node) {
            node.for_each_value(&mut |value| count += u32::from(value.node() == Some(root)));
        }
    }
    // Those of what belongs to the root are counted as its own.
    count.saturating_sub(chunk.own_references.min(count))
}

/// What a cell holds besides its links, with the nodes that only it leads to; those nodes; and how often it leads to itself.
///
/// Of a cell of a tree it may be kept which of its links are null ([`crate::predicate::TreeLinks`]).
fn extract(
    space: &Space,
    id: NodeId,
    object: &Object,
    layout: &Layout,
    definitions: &Definitions,
) -> (Prototype, Vec<NodeId>, u32) {
    let mut stripped = object.clone();
    let keeps_null = definitions.keeps_null_links(definitions.get(layout.definition));
    for (link, bytes) in layout.places() {
        let value = match (keeps_null, stripped.load(link, bytes)) {
            (false, _) => Value::Uninitialised,
            (true, Value::ZERO) => Value::ZERO,
            (true, _) => Value::Any,
        };
        stripped.store(link, bytes, value);
    }
    extract_cell(space, id, stripped)
}

/// The nodes that only a cell leads to, as it is given.
fn nodes_inside(space: &Space, id: NodeId, region: Region, cell: &Node) -> Vec<NodeId> {
    let mut inside: Vec<NodeId> = Vec::new();
    let mut work: Vec<Value> = Vec::new();
    cell.for_each_value(&mut |value| work.push(value));
    while let Some(value) = work.pop() {
        let Some(node) = space.is_here(value).filter(|node| *node != id && !inside.contains(node)) else { continue };
        match space.node(node) {
            // (What was freed has no region any more; each cell may lead to one of its own.)
            Some(Node::Object(object)) if object.storage == Storage::Heap && object.life == Life::Freed => {
                inside.push(node);
            }
            Some(Node::Object(object))
                if !matches!(
                    object.storage,
                    Storage::Heap | Storage::Element | Storage::Environment | Storage::Library
                ) => {}
            Some(found) if found.region() == region => {
                inside.push(node);
                found.for_each_value(&mut |value| work.push(value));
            }
            Some(_) | None => {}
        }
    }
    loop {
        let mut counts: Vec<u32> = vec![0; inside.len()];
        let mut count = |value: Value| {
            if let Some(index) = space.is_here(value).and_then(|node| inside.iter().position(|known| *known == node)) {
                counts[index] += 1;
            }
        };
        cell.for_each_value(&mut count);
        for node in &inside {
            if let Some(node) = space.node(*node) {
                node.for_each_value(&mut count);
            }
        }
        let before = inside.len();
        let mut index = 0;
        inside.retain(|node| {
            index += 1;
            counts[index - 1] == space.references[node.index()]
        });
        if inside.len() == before {
            return inside;
        }
    }
}

/// What a cell (as it is given) holds, with the nodes that only it leads to; those nodes; and how often they and it lead to it.
pub(crate) fn extract_cell(space: &Space, id: NodeId, object: Object) -> (Prototype, Vec<NodeId>, u32) {
    let region = object.region;
    let cell = Node::Object(object);
    let inside = nodes_inside(space, id, region, &cell);
    let level = space.level;
    // Numbers that nothing else speaks of are each cell's own.
    let mut mentions: FxHashMap<SymbolId, u32> = FxHashMap::default();
    let mut mention = |value: Value| {
        if let Some(symbol) = value.symbol().filter(|symbol| symbol.level() == level) {
            *mentions.entry(symbol).or_default() += 1;
        }
    };
    cell.for_each_value(&mut mention);
    for node in &inside {
        if let Some(node) = space.node(*node) {
            node.for_each_value(&mut mention);
        }
    }
    let is_own = |symbol: SymbolId| mentions.get(&symbol) == space.mentions.get(symbol.index());
    let mut symbols: Vec<Range> = Vec::new();
    let mut names: FxHashMap<SymbolId, SymbolId> = FxHashMap::default();
    let mut own_references = 0;
    let mut raise = |value: Value| {
        value.renamed(
            &mut |node: NodeId| {
                if node.level() > level {
                    NodeId::new(node.level() + 1, node.index())
                } else if node == id {
                    own_references += 1;
                    NodeId::new(level + 1, 0)
                } else if node.level() < level {
                    node
                } else {
                    match inside.iter().position(|known| *known == node) {
                        Some(index) => NodeId::new(level + 1, index + 1),
                        None => node,
                    }
                }
            },
            &mut |symbol: SymbolId| {
                if symbol.level() > level {
                    SymbolId::new(symbol.level() + 1, symbol.index())
                } else if symbol.level() == level && is_own(symbol) {
                    *names.entry(symbol).or_insert_with(|| {
                        symbols.push(space.symbols[symbol.index()]);
                        SymbolId::new(level + 1, symbols.len() - 1)
                    })
                } else {
                    symbol
                }
            },
        )
    };
    // Elements of one region and of another look the same: the instance says which.
    let mut nodes = vec![Rc::new(cell.map_values(&mut raise).in_region(Region::NONE))];
    for node in &inside {
        if let Some(node) = space.node(*node) {
            nodes.push(Rc::new(node.map_values(&mut raise).in_region(Region::NONE)));
        }
    }
    (Prototype { nodes, symbols }, inside, own_references)
}

/// The other ports of a segment end at its last cell: the second port, if there is one.
pub(crate) fn last_port(definition: &Definition) -> Option<PortId> {
    (definition.ports.len() == 2).then_some(PortId(1))
}

fn count_port(value: Value, level: u32, ports: &mut FxHashMap<(NodeId, PortId), u32>) {
    if let Value::Pointer(pointer) | Value::Indexed { pointer, .. } = value
        && pointer.node.level() == level
    {
        *ports.entry((pointer.node, pointer.port)).or_insert(0) += 1;
    }
}

/// The run with one more item behind it, and that item. `item` is the last one of the run. A run that would have something
/// in its middle to which others lead is none.
#[expect(clippy::too_many_arguments, reason = "the parts of one match")]
pub(crate) fn next_item(
    space: &Space,
    run: &Chunk,
    item: &Chunk,
    is_first: bool,
    layout: &Rc<Layout>,
    definitions: &Definitions,
    depth: u32,
    merging: Merging,
) -> Option<(Chunk, Chunk)> {
    let definition = definitions.get(layout.definition);
    let end = definition.port(PortId::FIRST).empty.filter(|_| definition.is_segment())?;
    let last = last_port(definition)?;
    let before = definition.port(last).empty?;
    let Some(Value::Pointer(next)) = run.inputs[end] else { return None };
    if next.node.level() != space.level {
        return None;
    }
    let last_of_item = Value::Pointer(port_pointer(space, item.last, last, layout, definition));
    chunks_at(space, next.node, layout, definitions, depth, merging).into_iter().find_map(|back| {
        let is_instance = matches!(space.node(back.first), Some(Node::Instance(_)));
        let back_links = u32::from(back.inputs[before] == Some(last_of_item));
        if is_instance && space.count(back.first, PortId::FIRST) != 1
            || !may_be_inside(space, item, is_first, last, back_links)
        {
            return None;
        }
        let composed = compose(space, run, &back, layout, definitions, merging)?;
        Some((composed, back))
    })
}

/// Whether an item may have another one behind it: nothing leads to it but its neighbours.
fn may_be_inside(space: &Space, item: &Chunk, is_first: bool, last: PortId, back_links: u32) -> bool {
    match space.node(item.first) {
        Some(Node::Instance(_)) => {
            space.count(item.first, last) == back_links && (is_first || space.count(item.first, PortId::FIRST) == 1)
        }
        Some(Node::Object(_)) | None => {
            is_first || space.references[item.first.index()] == 1 + item.own_references + back_links
        }
    }
}

/// Two chunks end to end.
fn compose(
    space: &Space,
    front: &Chunk,
    back: &Chunk,
    layout: &Layout,
    definitions: &Definitions,
    merging: Merging,
) -> Option<Chunk> {
    let definition = definitions.get(layout.definition);
    if !definition.is_segment()
        || front.region != back.region
        || front.nodes.iter().any(|node| back.nodes.contains(node))
    {
        return None;
    }
    let end = definition.port(PortId::FIRST).empty?;
    let last = last_port(definition)?;
    let before = definition.port(last).empty?;
    let first_of_back = port_pointer(space, back.first, PortId::FIRST, layout, definition);
    if front.inputs[end] != Some(Value::Pointer(first_of_back)) {
        return None;
    }
    let last_of_front = Value::Pointer(port_pointer(space, front.last, last, layout, definition));
    let is_tied = back.inputs[before] == Some(last_of_front);
    // Where the back may be empty, its last port is what comes before it: that matters only if somebody looks at it.
    let is_last_unseen = back.nodes.len() == 1 && space.references[back.first.index()] == 1;
    if !is_tied && (definition.is_held(before) || back.least == 0 && !is_last_unseen) {
        return None;
    }
    let elements = merge_elements(&front.elements, &back.elements, space, definitions, merging)?;
    let mut inputs = front.inputs.clone();
    inputs[end] = back.inputs[end];
    for (index, input) in inputs.iter_mut().enumerate() {
        if index != end && index != before && *input != back.inputs[index] {
            return None;
        }
    }
    let mut measures = back.measures.clone();
    for (upper, lower) in definition.measure_pairs() {
        if let (Some(x), Some(y)) = (front.measures[lower], back.measures[upper])
            && x != y
        {
            return None;
        }
        measures[upper] = front.measures[upper];
    }
    let mut nodes = front.nodes.clone();
    nodes.extend(back.nodes.iter().copied());
    Some(Chunk {
        measures,
        nodes,
        first: front.first,
        last: back.last,
        inputs,
        least: (front.least + back.least).min(2),
        region: front.region,
        elements,
        own_references: front.own_references,
    })
}

impl Chunk {
    /// The chunk as an instance. Inputs that no cell holds and nobody knows are any value, and so are measures.
    pub fn instance(&self, layout: &Rc<Layout>, heap: &mut Heap, definitions: &Definitions) -> Instance {
        let names = &definitions.get(layout.definition).measures;
        let known = self.measures.iter().zip(names);
        let measures = known.map(|(measure, name)| measure.unwrap_or_else(|| heap.fresh_measure(name.below))).collect();
        Instance {
            measures,
            layout: layout.clone(),
            inputs: self.inputs.iter().map(|input| input.unwrap_or(Value::Any)).collect(),
            least: self.least,
            region: self.region,
            elements: self.elements.clone(),
        }
    }
}
