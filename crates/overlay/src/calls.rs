//! Calls with local heaps: a function gets the part of the heap that its arguments and the globals it can name lead to; the
//! rest waits for it.
//!
//! What waits keeps, for every place in the part that was handed over to which it leads, a *ghost*: a value that the function
//! carries along without looking at it. At the end ghosts say where those places are now.

use crate::arguments::arguments;
use crate::footprint::Footprint;
use crate::heap::{Heap, Life, Linear, Node, NodeId, Object, Pointer, PortId, Storage, SymbolId, Value};
use crate::predicate::{Definitions, Term};
use crate::transfer::{Arrays, Context, Numbering};
use crate::unfold::add_bytes;
use heapwise_ir::{CallGraph, FunctionId, GlobalId, Initializer, Operand, Program, RegisterId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What a ghost stands for in the heap of the caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ghost {
    /// The start of the cell at a port.
    Place(NodeId, crate::heap::PortId),
    /// A number.
    Number(SymbolId),
    /// A cell that is not handed over, though something that is leads to it.
    Outside(NodeId),
}

/// A heap that is cut at a call.
pub struct Cut {
    /// What is handed over.
    passed: Vec<bool>,
    ghosts: Vec<Ghost>,
}

/// The globals that a run of a function may name.
pub struct UsedGlobals {
    pub(crate) graph: CallGraph,
    by_function: FxHashMap<FunctionId, Rc<BTreeSet<GlobalId>>>,
}

impl UsedGlobals {
    /// Nothing is known yet.
    pub fn new(graph: CallGraph) -> UsedGlobals {
        UsedGlobals { graph, by_function: FxHashMap::default() }
    }

    /// Those of one function and all that it may call.
    pub fn of(&mut self, program: &Program, function: FunctionId) -> Rc<BTreeSet<GlobalId>> {
        let graph = &self.graph;
        let used = || Rc::new(used_globals(program, graph, function));
        self.by_function.entry(function).or_insert_with(used).clone()
    }
}

/// A function, and all that a call of it may execute. Its caller may have taken the address of what it calls: those that the
/// function itself can name are not enough.
pub(crate) fn called_from(graph: &CallGraph, function: FunctionId) -> BTreeSet<FunctionId> {
    let mut called = BTreeSet::new();
    let mut work = vec![function];
    while let Some(function) = work.pop() {
        if called.insert(function) {
            work.extend_from_slice(&graph.callees[function]);
        }
    }
    called
}

fn used_globals(program: &Program, graph: &CallGraph, function: FunctionId) -> BTreeSet<GlobalId> {
    let mut used = BTreeSet::new();
    let mut work = Vec::new();
    for reached in called_from(graph, function) {
        let Some(automaton) = program.functions[reached].automaton() else { continue };
        for edge in automaton.edges.values() {
            edge.instruction.for_each_operand(|operand| {
                if let Operand::Global(global) = operand {
                    work.push(global);
                }
            });
        }
    }
    // A global that leads to others makes them reachable from its first look on.
    while let Some(global) = work.pop() {
        if used.insert(global)
            && let Initializer::Items(items) = &program.globals[global].initializer
        {
            work.extend(items.iter().filter_map(|item| match item.value {
                Operand::Global(other) => Some(other),
                Operand::Register(_) | Operand::Int(_) | Operand::Float(_) | Operand::Function(_) => None,
            }));
        }
    }
    used
}

impl Cut {
    /// Cuts a heap at a call of a function with these arguments. `kept` says which registers the caller keeps.
    pub fn new(
        heap: &Heap,
        arguments: &[Value],
        used: &BTreeSet<GlobalId>,
        handed: &Handed<'_>,
        kept: impl Fn(RegisterId) -> bool,
    ) -> Cut {
        let (passed, outside) = handed_over(heap, arguments, used, handed);
        // A local variable must be found again.
        let mut ghosts: Vec<Ghost> = Vec::new();
        for (id, node) in heap.nodes() {
            if let Node::Object(object) = node
                && passed[id.index()]
                && object.storage == Storage::Local
            {
                ghosts.push(Ghost::Place(id, crate::heap::PortId::FIRST));
            }
        }
        let mut symbols_passed: BTreeSet<SymbolId> = arguments.iter().filter_map(|value| value.symbol()).collect();
        for (id, node) in heap.nodes() {
            if passed[id.index()] {
                node.for_each_value(&mut |value| {
                    symbols_passed.extend(value.symbol().filter(|symbol| symbol.level() == 0));
                });
            }
        }
        let mut meet = |value: Value| {
            if let Value::Pointer(pointer) | Value::Indexed { pointer, .. } = value
                && pointer.node.level() == 0
                && passed[pointer.node.index()]
            {
                let ghost = Ghost::Place(pointer.node, pointer.port);
                if !ghosts.contains(&ghost) {
                    ghosts.push(ghost);
                }
            }
            if let Some(symbol) = value.symbol()
                && symbols_passed.contains(&symbol)
                && !ghosts.contains(&Ghost::Number(symbol))
            {
                ghosts.push(Ghost::Number(symbol));
            }
        };
        heap.registers.iter().filter(|(register, _)| kept(*register)).for_each(|(_, value)| meet(*value));
        heap.ghosts.iter().for_each(|value| meet(*value));
        for (id, node) in heap.nodes() {
            if !passed[id.index()] {
                node.for_each_value(&mut meet);
            }
        }
        ghosts.extend(outside.into_iter().map(Ghost::Outside));
        Cut { passed, ghosts }
    }

    /// The heap with which the function is entered.
    pub fn entry(&self, heap: &Heap, parameters: &[RegisterId], arguments: &[Value]) -> Heap {
        let mut entry = heap.clone();
        entry.registers = parameters.iter().copied().zip(arguments.iter().copied()).collect();
        entry.registers.sort_unstable_by_key(|(register, _)| *register);
        entry.ghosts = self
            .ghosts
            .iter()
            .map(|ghost| match ghost {
                Ghost::Place(node, port) => Heap::port(*node, *port, 0),
                Ghost::Number(symbol) => Value::Symbol(*symbol),
                Ghost::Outside(node) => Value::pointer(*node, 0),
            })
            .collect();
        entry.globals.retain(|(_, node)| self.passed[node.index()]);
        for index in 0..entry.nodes.len() {
            if !self.passed[index] {
                let id = NodeId::new(0, index);
                let stands_for_itself = self.ghosts.contains(&Ghost::Outside(id));
                let stub = entry.nodes[index].as_deref().filter(|_| stands_for_itself).and_then(outside_of);
                entry.nodes[index] = stub.map(|stub| Rc::new(Node::Object(stub)));
                continue;
            }
            if let Some(object) = entry.object_mut_if(NodeId::new(0, index), |object| object.storage == Storage::Local)
            {
                object.storage = Storage::CallersLocal;
            }
        }
        entry.forget_terms();
        entry
    }

    /// The heap of the caller after the function has come to its exit.
    pub fn leave(
        &self,
        caller: &Heap,
        exit: &Heap,
        result: Option<(RegisterId, Value)>,
        kept: impl Fn(RegisterId) -> bool,
    ) -> Heap {
        let mut heap = caller.clone();
        let first_node = heap.nodes.len();
        let first_symbol = heap.symbols.len();
        // Cells that were not handed over are where they were.
        let mut outside: FxHashMap<NodeId, NodeId> = FxHashMap::default();
        for (ghost, value) in self.ghosts.iter().zip(&exit.ghosts) {
            if let (Ghost::Outside(node), Value::Pointer(Pointer { node: stub, offset: 0, .. })) = (ghost, value) {
                outside.insert(*stub, *node);
            }
        }
        let rename = |value: Value| {
            value.renamed(
                &mut |id: NodeId| match (id.level(), outside.get(&id)) {
                    (0, Some(node)) => *node,
                    (0, None) => NodeId::new(0, first_node + id.index()),
                    _ => id,
                },
                &mut |symbol: SymbolId| {
                    if symbol.level() == 0 { SymbolId::new(0, first_symbol + symbol.index()) } else { symbol }
                },
            )
        };
        let ghosts: Vec<Value> = exit.ghosts.iter().map(|value| rename(*value)).collect();
        let place = |pointer: Pointer| {
            let found = self.ghosts.iter().position(|ghost| *ghost == Ghost::Place(pointer.node, pointer.port));
            match found {
                Some(index) => add_bytes(ghosts[index], pointer.offset),
                None => Value::Any,
            }
        };
        let number = |symbol: SymbolId| {
            let found = self.ghosts.iter().position(|ghost| *ghost == Ghost::Number(symbol));
            found.map_or(Value::Symbol(symbol), |index| ghosts[index])
        };
        let is_passed = |node: NodeId| node.level() == 0 && node.index() < first_node && self.passed[node.index()];
        heap.registers.retain(|(register, _)| kept(*register));
        for index in 0..first_node {
            if self.passed[index] {
                heap.nodes[index] = None;
            }
        }
        heap.map_values(&mut |value| match value {
            Value::Pointer(pointer) if is_passed(pointer.node) => place(pointer),
            Value::Symbol(symbol) if symbol.level() == 0 => number(symbol),
            Value::Indexed { pointer, index, scale } => {
                let base = if is_passed(pointer.node) { place(pointer) } else { Value::Pointer(pointer) };
                let index = if index.level() == 0 { number(index) } else { Value::Symbol(index) };
                match (base, index) {
                    (Value::Pointer(pointer), Value::Symbol(index)) => Value::Indexed { pointer, index, scale },
                    (Value::Pointer(pointer), Value::Number(number)) => {
                        let bytes = i64::try_from(number).unwrap_or(0).wrapping_mul(scale);
                        add_bytes(Value::Pointer(pointer), bytes)
                    }
                    _ => Value::Any,
                }
            }
            value => value,
        });
        heap.symbols.extend(exit.symbols.iter().copied());
        let later = |symbol: SymbolId| SymbolId::new(0, first_symbol + symbol.index());
        heap.facts.extend(exit.facts.iter().map(|(x, y, order)| (later(*x), later(*y), *order)));
        heap.linears.extend(exit.linears.iter().map(|linear| Linear {
            result: later(linear.result),
            base: later(linear.base),
            ..*linear
        }));
        for (index, node) in exit.nodes.iter().enumerate() {
            let is_outside = outside.contains_key(&NodeId::new(0, index));
            let node =
                node.as_ref().filter(|_| !is_outside).map(|node| Rc::new(node.map_values(&mut |value| rename(value))));
            heap.nodes.push(node);
        }
        heap.globals.retain(|(_, node)| !self.passed[node.index()]);
        for (global, node) in &exit.globals {
            heap.globals.push((*global, NodeId::new(0, first_node + node.index())));
        }
        heap.globals.sort_unstable();
        heap.globals.dedup_by_key(|(global, _)| *global);
        for (ghost, value) in self.ghosts.iter().zip(&ghosts) {
            if let (Ghost::Place(node, _), Some(now)) = (ghost, value.node())
                && caller.object(*node).is_some_and(|object| object.storage == Storage::Local)
                && let Some(object) = heap.object_mut_if(now, |object| object.storage == Storage::CallersLocal)
            {
                object.storage = Storage::Local;
            }
        }
        if let Some((register, value)) = result {
            heap.set_register(register, rename(value));
        }
        heap
    }
}

/// Which part of what is reachable from its arguments a function is given.
#[derive(Clone, Copy)]
pub enum Handed<'f> {
    /// Everything.
    All,
    /// What its footprint says.
    Footprint(&'f Footprint, &'f Definitions),
}

/// What a function is given, and the cells that it is not given though something that it is given leads there.
fn handed_over(
    heap: &Heap,
    arguments: &[Value],
    used: &BTreeSet<GlobalId>,
    handed: &Handed<'_>,
) -> (Vec<bool>, Vec<NodeId>) {
    let mut passed = vec![false; heap.nodes.len()];
    let mut outside: Vec<NodeId> = Vec::new();
    let mut work: Vec<NodeId> = Vec::new();
    let ports = match handed {
        Handed::All => Vec::new(),
        Handed::Footprint(..) => ports_led_to(heap),
    };
    let mut lead = |value: Value, is_followed: bool, work: &mut Vec<NodeId>| {
        let Some(node) = value.node().filter(|node| node.level() == 0) else { return };
        match is_followed || outside_of(heap.node(node)).is_none() {
            true => work.push(node),
            false => outside.push(node),
        }
    };
    for (index, argument) in arguments.iter().enumerate() {
        let is_followed = match handed {
            Handed::All => true,
            Handed::Footprint(footprint, _) => !footprint.is_opaque.get(index).copied().unwrap_or(false),
        };
        lead(*argument, is_followed, &mut work);
    }
    work.extend(heap.globals.iter().filter(|(global, _)| used.contains(global)).map(|(_, node)| *node));
    while let Some(id) = work.pop() {
        if std::mem::replace(&mut passed[id.index()], true) {
            continue;
        }
        match (heap.node(id), handed) {
            (Node::Object(object), Handed::Footprint(footprint, _)) => {
                for field in &object.fields {
                    let is_followed = footprint.follows(object.view, field.offset as i64);
                    lead(field.value, is_followed, &mut work);
                }
                if let Some(array) = &object.array {
                    array.for_each_value(&mut |value| lead(value, true, &mut work));
                }
            }
            (Node::Instance(instance), Handed::Footprint(footprint, definitions)) => {
                let definition = definitions.get(instance.layout.definition);
                for (input, value) in instance.inputs.iter().enumerate() {
                    let is_loaded = definition.rules.iter().any(|rule| {
                        rule.links.iter().zip(&instance.layout.links).any(|(term, offset)| {
                            *term == Term::Input(input)
                                && instance.layout.records().any(|(record, _)| footprint.follows(Some(record), *offset))
                        })
                    });
                    let is_port = definition.ports.iter().enumerate().any(|(port, found)| {
                        found.empty == Some(input) && (port == 0 || ports.contains(&(id, PortId(port as u8))))
                    });
                    lead(*value, is_loaded || is_port, &mut work);
                }
                let nodes = instance.elements.iter().flat_map(|element| &element.nodes);
                nodes.for_each(|node| node.for_each_value(&mut |value| lead(value, true, &mut work)));
            }
            (node, Handed::All) => node.for_each_value(&mut |value| lead(value, true, &mut work)),
        }
    }
    outside.retain(|node| !passed[node.index()]);
    outside.sort_unstable();
    outside.dedup();
    (passed, outside)
}

/// The ports of instances that values lead to.
fn ports_led_to(heap: &Heap) -> Vec<(NodeId, PortId)> {
    let mut ports = Vec::new();
    heap.for_each_value(&mut |value| {
        if let Value::Pointer(pointer) | Value::Indexed { pointer, .. } = value {
            ports.push((pointer.node, pointer.port));
        }
    });
    ports
}

/// What stands for a cell that is not handed over; none for what always is.
fn outside_of(node: &Node) -> Option<Object> {
    match node {
        Node::Object(object) if object.life == Life::Alive => match object.storage {
            Storage::Heap
            | Storage::GivenAway
            | Storage::Local
            | Storage::CallersLocal
            | Storage::Outside
            | Storage::Element
            | Storage::Environment
            | Storage::Library => {
                Some(Object { region: object.region, ..Object::new(Storage::Outside, object.size, Value::Any) })
            }
            Storage::Global(_) | Storage::Literal(_) => None,
        },
        Node::Object(_) | Node::Instance(_) => None,
    }
}

impl Heap {
    fn object_mut_if(
        &mut self,
        id: NodeId,
        wanted: impl Fn(&crate::heap::Object) -> bool,
    ) -> Option<&mut crate::heap::Object> {
        if self.nodes[id.index()].is_some() && self.object(id).is_some_and(wanted) { self.object_mut(id) } else { None }
    }

    /// The locals of the function end.
    pub fn end_locals(&mut self) {
        let locals: Vec<NodeId> = self
            .nodes()
            .filter(|(_, node)| {
                matches!(node, Node::Object(object) if object.storage == Storage::Local && object.life == Life::Alive)
            })
            .map(|(id, _)| id)
            .collect();
        for local in locals {
            self.kill(local, Life::Ended);
        }
    }
}

/// The heap with which the program starts.
pub fn start(context: &Context<'_>) -> Heap {
    let function = &context.program.functions[context.options.entry];
    let mut heap = Heap::default();
    let is_main = function.name == "main";
    if let ("main", [count, list, rest @ ..]) = (function.name.as_str(), function.parameters.as_slice())
        && matches!((context.numbering, context.arrays), (Numbering::On, Arrays::On))
    {
        let (n_arguments, arguments) = arguments(&mut heap, context.pointer_bytes());
        heap.set_register(*count, n_arguments);
        heap.set_register(*list, arguments);
        for parameter in rest {
            heap.set_register(*parameter, Value::Library);
        }
        return heap;
    }
    for (index, parameter) in function.parameters.iter().enumerate() {
        let ty = function.registers[*parameter].ty;
        let value = match (is_main, index) {
            (true, 0) => heap.fresh(crate::number::Range { low: 1, high: i128::from(i32::MAX), without_zero: false }),
            (true, 1 | 2) => Value::Library,
            _ => context.any_of(&mut heap, ty),
        };
        heap.set_register(*parameter, value);
    }
    heap
}
