//! Invariants and ghost instructions in readable separation logic.

use super::insert::Trans;
use super::solve::{HeapId, MoveRegion, Row, Solution};
use super::variable::{Base, Variable};
use crate::groups::GroupId;
use crate::heap::{Heap, Instance, Life, Node, NodeId, Object, PortId, Storage, Value};
use heapwise_fixpoint::{ContextId, PointId};
use heapwise_ir::{EdgeId, Function, Program, Type};
use std::fmt::Write as _;

/// Names for the nodes of one heap: the variable that leads there, or a letter.
struct Names<'h> {
    heap: &'h Heap,
    names: Vec<(NodeId, PortId, String)>,
}

impl<'h> Names<'h> {
    fn of(heap: &'h Heap, program: &Program, function: &Function) -> Names<'h> {
        let mut names: Vec<(NodeId, PortId, String)> = Vec::new();
        let mut name = |value: Value, text: &str| {
            if let Value::Pointer(pointer) = value
                && pointer.node.level() == 0
                && !matches!(heap.node(pointer.node), Node::Object(object) if is_variable(object))
                && !names.iter().any(|(node, port, _)| (*node, *port) == (pointer.node, pointer.port))
            {
                names.push((pointer.node, pointer.port, text.to_owned()));
            }
        };
        for (global, node) in &heap.globals {
            if let Some(object) = heap.object(*node) {
                let global_name = &program.globals[*global].name;
                for field in &object.fields {
                    let text = match field.offset {
                        0 => global_name.clone(),
                        offset => format!("{global_name}+{offset}"),
                    };
                    name(field.value, &text);
                }
            }
        }
        for (register, value) in &heap.registers {
            name(*value, &function.registers[*register].name);
        }
        let mut n_letters = 0;
        for (id, node) in heap.nodes() {
            let is_variable = matches!(node, Node::Object(object) if is_variable(object));
            if !is_variable && !names.iter().any(|(known, ..)| *known == id) {
                let letter = char::from(b'a' + (n_letters % 26) as u8);
                n_letters += 1;
                names.push((id, PortId::FIRST, letter.to_string()));
            }
        }
        Names { heap, names }
    }

    fn value(&self, value: Value) -> String {
        match value {
            Value::Pointer(pointer) if pointer.node.level() == 0 => {
                if let Node::Object(Object { storage: Storage::Global(_) | Storage::Local, .. }) =
                    self.heap.node(pointer.node)
                {
                    return format!("&{:?}", pointer.node);
                }
                let exact = self.names.iter().find(|(node, port, _)| (*node, *port) == (pointer.node, pointer.port));
                let known = self.names.iter().find(|(node, ..)| *node == pointer.node);
                match (exact, known) {
                    (Some((.., name)), _) => name.clone(),
                    (None, Some((.., name))) => format!("last({name})"),
                    (None, None) => "?".to_owned(),
                }
            }
            Value::Any => "_".to_owned(),
            other => format!("{other:?}"),
        }
    }
}

/// Whether an object is a variable of the program, not a cell.
fn is_variable(object: &Object) -> bool {
    matches!(object.storage, Storage::Global(_) | Storage::Literal(_) | Storage::Local | Storage::CallersLocal)
}

impl Solution<'_, '_> {
    /// A heap of a component: equations of variables, then `∗` of cells and predicates with their regions.
    pub fn heap_text(&self, group: GroupId, id: HeapId, context: ContextId) -> String {
        let heap = self.heap(id);
        let program = self.context.program;
        let function = &program.functions[self.flow.contexts[context].function];
        let names = Names::of(heap, program, function);
        let mut pure: Vec<String> = Vec::new();
        for (global, node) in &heap.globals {
            let Some(object) = heap.object(*node) else { continue };
            let name = &program.globals[*global].name;
            if object.fields.is_empty() && object.rest == Value::ZERO && is_pointer(program, *global) {
                pure.push(format!("{name} = 0"));
            }
            for field in &object.fields {
                let text = names.value(field.value);
                let is_name = text == *name;
                if !is_name && field.value != Value::Any && field.offset == 0 {
                    pure.push(format!("{name} = {text}"));
                }
            }
        }
        for (register, value) in &heap.registers {
            let name = &function.registers[*register].name;
            let text = names.value(*value);
            if matches!(value, Value::Pointer(_) | Value::Number(0)) && text != *name {
                pure.push(format!("{name} = {text}"));
            }
        }
        let mut spatial: Vec<String> = Vec::new();
        for (id, node) in heap.nodes() {
            match node {
                Node::Object(object) if is_variable(object) => {}
                Node::Object(object) if object.life != Life::Alive => {
                    spatial.push(format!("{} freed", names.value(Value::pointer(id, 0))));
                }
                Node::Object(object) => spatial.push(self.cell_text(group, &names, id, object)),
                Node::Instance(instance) => spatial.push(self.instance_text(&names, id, instance)),
            }
        }
        spatial.extend(heap.truths.iter().map(|region| format!("true_{region}")));
        if spatial.is_empty() {
            spatial.push("emp".to_owned());
        }
        let spatial = spatial.join(" ∗ ");
        if pure.is_empty() { spatial } else { format!("{} ∧ {spatial}", pure.join(" ∧ ")) }
    }

    fn cell_text(&self, group: GroupId, names: &Names<'_>, id: NodeId, object: &Object) -> String {
        let program = self.context.program;
        let mut fields: Vec<String> = Vec::new();
        for (record, index) in self.groups.fields(group) {
            let found = &program.records[*record];
            let field = &found.fields()[*index as usize];
            let is_link = matches!(program.ty(field.ty), Type::Pointer(_));
            if heap_size(object) == Some(found.size) && is_link {
                let value = object.load(field.offset, program.size_of(field.ty).unwrap_or(8));
                if !matches!(value, Value::Uninitialised | Value::Top | Value::Any) {
                    fields.push(format!("{}: {}", field.name, names.value(value)));
                }
            }
        }
        format!("{} ↦ {{{}}}_{}", names.value(Value::pointer(id, 0)), fields.join(", "), object.region)
    }

    fn instance_text(&self, names: &Names<'_>, id: NodeId, instance: &Instance) -> String {
        let definition = self.context.definitions.get(instance.layout.definition);
        let mut arguments: Vec<String> = vec![names.value(Heap::port(id, PortId::FIRST, instance.layout.entry))];
        for (input, value) in instance.inputs.iter().enumerate() {
            if *value != Value::Any {
                arguments.push(format!("{}: {}", definition.inputs[input], names.value(*value)));
            }
        }
        let least = match instance.least {
            0 => String::new(),
            least => format!("≥{least}"),
        };
        format!("{}{least}({})_{}", definition.name, arguments.join(", "), instance.region)
    }

    /// The invariant of a point: a disjunction per component.
    pub fn row_text(&self, row: &Row, context: ContextId) -> String {
        let mut text = String::new();
        for (group, heaps) in self.groups.ids().zip(row) {
            let name = self.groups.name(self.context.program, group);
            let mut all: Vec<String> = heaps.iter().map(|id| self.heap_text(group, *id, context)).collect();
            all.sort();
            all.dedup();
            let _ = writeln!(text, "  [{name}]");
            for heap in all {
                let _ = writeln!(text, "    {heap}");
            }
        }
        text
    }

    /// A variable by its name.
    pub fn variable_text(&self, context: ContextId, variable: Variable) -> String {
        variable_text(self.context.program, |context| self.flow.contexts[context].function, context, variable)
    }

    /// All ghost instructions that were run: where, and which.
    pub fn ghosts_text(&self) -> Vec<String> {
        let program = self.context.program;
        let mut lines: Vec<String> = Vec::new();
        let place = |context: ContextId, edge: EdgeId| {
            let function = &program.functions[self.flow.contexts[context].function];
            let line = function.automaton().map_or(0, |automaton| automaton.edges[edge].span.line);
            format!("{}:{line}", function.name)
        };
        for ((context, edge), all) in &self.insertions.trans {
            for Trans { from, to, variable } in all {
                let name = self.variable_text(*context, *variable);
                let (from, to) = (self.groups.name(program, *from), self.groups.name(program, *to));
                lines.push(format!("before {}: trans({from} → {to})({name})", place(*context, *edge)));
            }
        }
        for ((context, edge), registers) in &self.insertions.moves {
            for register in registers {
                let name = self.variable_text(*context, Variable::Register(*register));
                lines.push(format!("after {}: move({name}, fresh)", place(*context, *edge)));
            }
        }
        for (point, merges) in &self.merges {
            for MoveRegion { from, to } in merges {
                lines.push(format!("at {}: moveRgn({from}, {to})", self.point_text(*point)));
            }
        }
        lines.sort();
        lines.dedup();
        lines
    }

    /// A point by its function and line.
    pub fn point_text(&self, point: PointId) -> String {
        let origin = self.flow.points[point];
        let function = &self.context.program.functions[self.flow.contexts[origin.context].function];
        let automaton = function.automaton();
        if automaton.is_some_and(|automaton| automaton.exit == origin.location) {
            return format!("the end of {}", function.name);
        }
        let line = automaton
            .and_then(|automaton| Some(automaton.edges[*automaton.outgoing[origin.location].first()?].span.line));
        format!("{}:{}", function.name, line.unwrap_or(0))
    }
}

/// A variable by its name.
pub fn variable_text(
    program: &Program,
    function_of: impl Fn(ContextId) -> heapwise_ir::FunctionId,
    context: ContextId,
    variable: Variable,
) -> String {
    let name = |context: ContextId, register| program.functions[function_of(context)].registers[register].name.clone();
    match variable {
        Variable::Register(register) => name(context, register),
        Variable::Memory(base, offset) => {
            let base = match base {
                Base::Global(global) => program.globals[global].name.clone(),
                Base::Local(owner, register) => name(owner, register),
            };
            if offset == 0 { base } else { format!("{base}+{offset}") }
        }
    }
}

fn heap_size(object: &Object) -> Option<u64> {
    match object.size {
        crate::heap::Size::Constant(size) => Some(size),
        crate::heap::Size::Symbol(_) => None,
    }
}

fn is_pointer(program: &Program, global: heapwise_ir::GlobalId) -> bool {
    matches!(program.ty(program.globals[global].ty), Type::Pointer(_))
}
