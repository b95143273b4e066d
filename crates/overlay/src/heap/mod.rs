//! Symbolic heaps: ∃ symbols. ranges ∧ cells ∗ instances of predicates.
//!
//! A [`Heap`] is a set of nodes that do not overlap: cells with their bytes ([`Object`]) and instances of predicates
//! ([`Instance`]), each of which stands for any number of cells. Values in registers and cells lead to nodes. All cells of the
//! program that can be reached are there: a heap that is not is lost.

mod array;
mod measure;
mod normal;
mod object;
mod order;
mod region;
mod terms;
mod text;
mod texts;
mod value;
mod walk;

pub(crate) use array::Mentioned;
pub use array::{Array, Bound, Content, Segment};
pub use measure::Measure;
pub use normal::Lost;
pub(crate) use normal::is_owned;
pub use object::{Field, Life, Object, Size, Storage, is_uniform};
pub use order::Order;
pub(crate) use order::{Fact, MOST_FACTS};
pub use region::Region;
pub(crate) use terms::{Linear, Operation};
pub use texts::{Exactness, Text, TextKind};
pub use value::{NodeId, Pointer, PortId, SymbolId, Value};

use crate::number::Range;
use crate::predicate::Layout;
use heapwise_ir::{GlobalId, RegisterId};
use smallvec::SmallVec;
use std::rc::Rc;

/// An instance of a predicate.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Instance {
    /// The predicate, and where its links are.
    pub layout: Rc<Layout>,
    /// The inputs.
    pub inputs: SmallVec<[Value; 2]>,
    /// The measures: what they are is a matter of the predicate.
    pub measures: Vec<Measure>,
    /// It has at least so many cells: 0, 1 or 2.
    pub least: u8,
    /// The region that its cells make up, or a part of it.
    pub region: Region,
    /// What each cell holds besides its links, and what belongs to it.
    pub elements: Elements,
}

/// What cells of an instance may be like: each is one of these. Sorted, each once, at least one.
pub type Elements = SmallVec<[Rc<Prototype>; 1]>;

/// One cell of an instance, and the nodes that only it leads to. Its ids are one level up.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Prototype {
    /// The first one is the cell.
    pub nodes: Vec<Rc<Node>>,
    /// Numbers of their own.
    pub symbols: Vec<Range>,
}

/// A cell, or an instance of a predicate.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Node {
    /// A cell.
    Object(Object),
    /// An instance.
    Instance(Instance),
}

impl Node {
    /// Every value in it, those of prototypes included.
    pub fn for_each_value(&self, visit: &mut dyn FnMut(Value)) {
        match self {
            Node::Object(object) => {
                object.fields.iter().for_each(|field| visit(field.value));
                if let Size::Symbol(symbol) = object.size {
                    visit(Value::Symbol(symbol));
                }
                object.texts.iter().for_each(|text| visit(text.length));
                if let Some(array) = &object.array {
                    array.for_each_value(visit);
                }
            }
            Node::Instance(instance) => {
                instance.inputs.iter().for_each(|value| visit(*value));
                let symbols = instance.measures.iter().filter_map(|measure| measure.base);
                symbols.for_each(|symbol| visit(Value::Symbol(symbol)));
                let nodes = instance.elements.iter().flat_map(|element| &element.nodes);
                nodes.for_each(|node| node.for_each_value(visit));
            }
        }
    }

    /// The same with other values.
    pub fn map_values(&self, map: &mut dyn FnMut(Value) -> Value) -> Node {
        match self {
            Node::Object(object) => {
                let fields = object.fields.iter().map(|field| Field { value: map(field.value), ..*field }).collect();
                let size = match object.size {
                    Size::Constant(_) => object.size,
                    Size::Symbol(symbol) => match map(Value::Symbol(symbol)) {
                        Value::Symbol(symbol) => Size::Symbol(symbol),
                        Value::Number(number) => Size::Constant(u64::try_from(number).unwrap_or(0)),
                        _ => object.size,
                    },
                };
                let array = object.array.as_ref().map(|array| Rc::new(array.map_values(map)));
                let mut texts = Vec::new();
                for text in &object.texts {
                    // Of a length that is no number any more nothing is known.
                    if let length @ (Value::Number(_) | Value::Symbol(_)) = map(text.length) {
                        texts.push(Text { length, ..*text });
                    }
                }
                texts.sort_unstable();
                Node::Object(Object { fields, size, array, texts, ..object.clone() })
            }
            Node::Instance(instance) => {
                let mut elements: Elements =
                    instance.elements.iter().map(|element| Prototype::mapped(element, map)).collect();
                tidy(&mut elements);
                Node::Instance(Instance {
                    layout: instance.layout.clone(),
                    inputs: instance.inputs.iter().map(|value| map(*value)).collect(),
                    measures: instance.measures.iter().map(|measure| measure.mapped(map)).collect(),
                    least: instance.least,
                    region: instance.region,
                    elements,
                })
            }
        }
    }

    /// How many prototypes lie within each other.
    pub fn depth(&self) -> u32 {
        match self {
            Node::Object(Object { array: None, .. }) => 0,
            Node::Object(Object { array: Some(array), .. }) => {
                let nodes = array.prototypes().flat_map(|element| &element.nodes);
                1 + nodes.map(|node| node.depth()).max().unwrap_or(0)
            }
            Node::Instance(instance) => {
                let nodes = instance.elements.iter().flat_map(|element| &element.nodes);
                1 + nodes.map(|node| node.depth()).max().unwrap_or(0)
            }
        }
    }

    /// Whether it has a value with an id.
    fn has_values(&self) -> bool {
        let mut found = false;
        self.for_each_value(&mut |value| found |= value.node().is_some() || value.symbol().is_some());
        found
    }
}

impl Prototype {
    fn mapped(element: &Rc<Prototype>, map: &mut dyn FnMut(Value) -> Value) -> Rc<Prototype> {
        if !element.nodes.iter().any(|node| node.has_values()) {
            return element.clone();
        }
        let nodes = element.nodes.iter().map(|node| Rc::new(node.map_values(map))).collect();
        Rc::new(Prototype { nodes, symbols: element.symbols.clone() })
    }
}

/// Sorts alternatives and keeps each once.
pub(crate) fn tidy(elements: &mut Elements) {
    elements.sort();
    elements.dedup();
}

/// A symbolic heap. In normal form (after [`Heap::normalise`]) two heaps that differ in names only are equal.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Heap {
    /// What registers hold, sorted.
    pub registers: Vec<(RegisterId, Value)>,
    /// What those who wait for this function know of its heap.
    pub ghosts: Vec<Value>,
    /// The globals that were looked at, sorted: the others hold what they held at the start.
    pub globals: Vec<(GlobalId, NodeId)>,
    /// Regions of which there may be cells that no node describes (`true` with that subscript), sorted.
    pub truths: Vec<Region>,
    pub(crate) nodes: Vec<Option<Rc<Node>>>,
    pub(crate) symbols: Vec<Range>,
    /// What comparisons of symbols found out.
    pub(crate) facts: Vec<Fact>,
    /// How symbols were computed.
    pub(crate) terms: Vec<terms::Term>,
    pub(crate) linears: Vec<Linear>,
}

impl Heap {
    /// What a register holds.
    pub fn register(&self, register: RegisterId) -> Value {
        match self.registers.binary_search_by_key(&register, |(id, _)| *id) {
            Ok(index) => self.registers[index].1,
            Err(_) => Value::Uninitialised,
        }
    }

    /// Writes a register.
    pub fn set_register(&mut self, register: RegisterId, value: Value) {
        match self.registers.binary_search_by_key(&register, |(id, _)| *id) {
            Ok(index) => self.registers[index].1 = value,
            Err(index) => self.registers.insert(index, (register, value)),
        }
    }

    /// A node. It must be there.
    pub fn node(&self, id: NodeId) -> &Node {
        debug_assert_eq!(id.level(), 0);
        self.nodes[id.index()].as_deref().expect("a value leads to a node that is there")
    }

    /// A cell; `None` if it is an instance.
    pub fn object(&self, id: NodeId) -> Option<&Object> {
        match self.node(id) {
            Node::Object(object) => Some(object),
            Node::Instance(_) => None,
        }
    }

    /// A cell, to be changed.
    pub fn object_mut(&mut self, id: NodeId) -> Option<&mut Object> {
        match self.nodes[id.index()].as_mut().map(Rc::make_mut) {
            Some(Node::Object(object)) => Some(object),
            Some(Node::Instance(_)) | None => None,
        }
    }

    /// An instance; `None` if it is a cell.
    pub fn instance(&self, id: NodeId) -> Option<&Instance> {
        match self.node(id) {
            Node::Object(_) => None,
            Node::Instance(instance) => Some(instance),
        }
    }

    /// An instance, to be changed.
    pub fn instance_mut(&mut self, id: NodeId) -> Option<&mut Instance> {
        match self.nodes[id.index()].as_mut().map(Rc::make_mut) {
            Some(Node::Instance(instance)) => Some(instance),
            Some(Node::Object(_)) | None => None,
        }
    }

    /// All nodes.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        let nodes = self.nodes.iter().enumerate();
        nodes.filter_map(|(index, node)| Some((NodeId::new(0, index), node.as_deref()?)))
    }

    /// How many nodes there are.
    pub fn n_nodes(&self) -> usize {
        self.nodes.iter().flatten().count()
    }

    /// A new node.
    pub fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(Some(Rc::new(node)));
        NodeId::new(0, self.nodes.len() - 1)
    }

    /// Takes a node away. Nothing may lead to it.
    pub fn remove(&mut self, id: NodeId) {
        self.nodes[id.index()] = None;
    }

    /// A new symbol, or the number if the range has only one.
    pub fn fresh(&mut self, range: Range) -> Value {
        match range.single() {
            Some(number) => Value::Number(number),
            None => {
                self.symbols.push(range);
                Value::Symbol(SymbolId::new(0, self.symbols.len() - 1))
            }
        }
    }

    /// The range of a symbol.
    pub fn symbol(&self, symbol: SymbolId) -> Range {
        debug_assert_eq!(symbol.level(), 0);
        self.symbols[symbol.index()]
    }

    /// What is known of a number; `None` if it is none.
    pub fn range(&self, value: Value) -> Option<Range> {
        match value {
            Value::Number(number) => Some(Range::constant(number)),
            Value::Symbol(symbol) => Some(self.symbol(symbol)),
            Value::Uninitialised
            | Value::Top
            | Value::Any
            | Value::Function(_)
            | Value::Pointer(_)
            | Value::Indexed { .. }
            | Value::Library => None,
        }
    }

    /// Less is possible for a symbol now.
    pub fn narrow(&mut self, symbol: SymbolId, range: Range) {
        self.narrow_compared(symbol, range);
        match range.single() {
            Some(number) => self.substitute_symbol(symbol, Value::Number(number)),
            None => self.symbols[symbol.index()] = range,
        }
    }

    /// Puts a number in the place of a symbol.
    pub fn substitute_symbol(&mut self, symbol: SymbolId, by: Value) {
        if let (Value::Number(number), SymbolId { .. }) = (by, symbol) {
            self.narrow_others(symbol, number);
            self.symbols[symbol.index()] = self.range(by).unwrap_or(self.symbols[symbol.index()]);
        }
        // A block that was made for a text of known length has a known size. (Other sizes stay symbols: cells of different sizes
        // are not put together.)
        if let Value::Number(number) = by {
            let dependent = self.linears.iter().find(|linear| linear.base == symbol).copied();
            if let Some(linear) = dependent.filter(|_| self.is_length(symbol)) {
                self.linears.retain(|known| known.result != linear.result);
                let result = linear.scale.checked_mul(number).and_then(|result| result.checked_add(linear.constant));
                if let Some(result) = result {
                    self.substitute_symbol(linear.result, Value::Number(result));
                }
                return self.substitute_symbol(symbol, by);
            }
            // What a size is that stays a symbol is known all the same.
            for linear in self.linears.iter().filter(|linear| linear.base == symbol) {
                let result = linear.scale.checked_mul(number).and_then(|result| result.checked_add(linear.constant));
                if let Some(result) = result {
                    self.symbols[linear.result.index()] = Range::constant(result);
                }
            }
        }
        self.rename_facts(|found| match by {
            _ if found != symbol => Some(found),
            Value::Symbol(new) => Some(new),
            _ => None,
        });
        self.rename_terms(|found| match by {
            _ if found != symbol => Some(found),
            Value::Symbol(new) => Some(new),
            _ => None,
        });
        self.map_values(&mut |value| match value {
            Value::Symbol(found) if found == symbol => by,
            Value::Indexed { pointer, index, scale } if index == symbol => match by {
                Value::Number(number) => {
                    let moved = i64::try_from(number).ok().and_then(|number| number.checked_mul(scale));
                    match moved.and_then(|moved| pointer.offset.checked_add(moved)) {
                        Some(offset) => Value::Pointer(Pointer { offset, ..pointer }),
                        None => Value::Any,
                    }
                }
                Value::Symbol(index) => Value::Indexed { pointer, index, scale },
                _ => value,
            },
            _ => value,
        });
    }

    /// Whether a text of a cell has so many characters, or the list of the program's arguments so many elements.
    fn is_length(&self, symbol: SymbolId) -> bool {
        let has_text = |node: &Node| match node {
            Node::Object(object) if object.storage == Storage::Environment => node.ends().contains(&symbol),
            Node::Object(object) => object.texts.iter().any(|text| text.length == Value::Symbol(symbol)),
            Node::Instance(_) => false,
        };
        self.nodes().any(|(_, node)| has_text(node))
    }

    /// Every value of level 0 in the heap and of all levels in prototypes.
    pub fn for_each_value(&self, visit: &mut dyn FnMut(Value)) {
        self.registers.iter().for_each(|(_, value)| visit(*value));
        self.ghosts.iter().for_each(|value| visit(*value));
        self.nodes.iter().flatten().for_each(|node| node.for_each_value(visit));
    }

    /// Other values in all places.
    pub fn map_values(&mut self, map: &mut dyn FnMut(Value) -> Value) {
        self.registers.iter_mut().for_each(|(_, value)| *value = map(*value));
        self.ghosts.iter_mut().for_each(|value| *value = map(*value));
        for node in self.nodes.iter_mut().flatten() {
            let mut changes = false;
            node.for_each_value(&mut |value| changes |= map(value) != value);
            if changes {
                *node = Rc::new(node.map_values(map));
            }
        }
    }

    /// How often values lead to each node, by index; globals count once.
    pub fn references(&self) -> Vec<u32> {
        let mut counts = vec![0; self.nodes.len()];
        self.for_each_value(&mut |value| {
            if let Some(node) = value.node().filter(|node| node.level() == 0) {
                counts[node.index()] += 1;
            }
        });
        for (_, node) in &self.globals {
            counts[node.index()] += 1;
        }
        counts
    }
}
