//! Heaps in readable separation logic.

use super::{
    Array, Bound, Content, Heap, Instance, Life, Node, NodeId, Object, Pointer, PortId, Prototype, Size, Storage, Text,
    TextKind, Value,
};
use crate::number::Range;
use crate::predicate::Definitions;
use std::fmt::Write;
use std::rc::Rc;

impl Heap {
    /// The heap as text: registers and ghosts, then `∗` of nodes, then what is known of numbers.
    pub fn text(&self, definitions: &Definitions, register_name: &dyn Fn(heapwise_ir::RegisterId) -> String) -> String {
        let mut text = String::new();
        for (register, value) in &self.registers {
            let _ = writeln!(text, "{} = {}", register_name(*register), self.value(definitions, *value));
        }
        for (index, value) in self.ghosts.iter().enumerate() {
            let _ = writeln!(text, "ghost{index} = {}", self.value(definitions, *value));
        }
        for (id, node) in self.nodes() {
            let _ = writeln!(text, "* {}", self.node_text(definitions, id, node));
        }
        for (index, range) in self.symbols.iter().enumerate() {
            let _ = writeln!(text, "s{index} in {}", range_text(*range));
        }
        text
    }

    fn node_text(&self, definitions: &Definitions, id: NodeId, node: &Node) -> String {
        match node {
            Node::Object(object) => format!("{id:?} -> {}", self.object_text(definitions, object)),
            Node::Instance(instance) => format!("{id:?}: {}", self.instance_text(definitions, instance)),
        }
    }

    fn object_text(&self, definitions: &Definitions, object: &Object) -> String {
        let kind = match object.storage {
            Storage::Heap => "heap".to_owned(),
            Storage::Outside => "outside".to_owned(),
            Storage::Element => "element".to_owned(),
            Storage::GivenAway => "given".to_owned(),
            Storage::Environment => "environment".to_owned(),
            Storage::Library => "library".to_owned(),
            Storage::Local => "local".to_owned(),
            Storage::CallersLocal => "outer".to_owned(),
            Storage::Global(global) => format!("{global}"),
            Storage::Literal(global) => format!("literal {global}"),
        };
        let life = match object.life {
            Life::Alive => "",
            Life::Freed => " freed",
            Life::Ended => " ended",
        };
        let size = match object.size {
            Size::Constant(size) => size.to_string(),
            Size::Symbol(symbol) => format!("{symbol:?}"),
        };
        let fields: Vec<String> = object
            .fields
            .iter()
            .map(|field| format!("{}:{} = {}", field.offset, field.bytes, self.value(definitions, field.value)))
            .collect();
        let array = object.array.as_ref().map(|array| self.array_text(definitions, array)).unwrap_or_default();
        let texts: String = object.texts.iter().map(text_text).collect();
        format!("{kind}{life}[{size}]{{{}{array}{texts}; {:?}}}", fields.join(", "), object.rest)
    }

    fn array_text(&self, definitions: &Definitions, array: &Array) -> String {
        let bound = |bound: Bound| match bound.plus {
            0 => format!("{:?}", bound.base),
            plus => format!("{:?}{plus:+}", bound.base),
        };
        let parts: Vec<String> = array
            .parts()
            .map(|(start, segment)| {
                let content = match &segment.content {
                    Content::Slot(value) => self.value(definitions, *value),
                    Content::Summary(elements) => self.elements_text(definitions, elements),
                };
                format!("[{}, {}) {content}", bound(start), bound(segment.end))
            })
            .collect();
        format!(" array {} of {}: {}", array.start, array.stride, parts.join("; "))
    }

    fn elements_text(&self, definitions: &Definitions, elements: &[Rc<Prototype>]) -> String {
        let element_text = |element: &Prototype| {
            let cells: Vec<String> = element
                .nodes
                .iter()
                .enumerate()
                .map(|(index, node)| match &**node {
                    Node::Object(object) => format!("'n{index} -> {}", self.object_text(definitions, object)),
                    Node::Instance(inner) => format!("'n{index}: {}", self.instance_text(definitions, inner)),
                })
                .collect();
            cells.join(" * ")
        };
        let elements: Vec<String> = elements.iter().map(|element| element_text(element)).collect();
        elements.join(" or ")
    }

    fn instance_text(&self, definitions: &Definitions, instance: &Instance) -> String {
        let definition = definitions.get(instance.layout.definition);
        let inputs: Vec<String> = instance.inputs.iter().map(|value| self.value(definitions, *value)).collect();
        let measures: Vec<String> = instance.measures.iter().map(ToString::to_string).collect();
        let measures = if measures.is_empty() { String::new() } else { format!(" | {}", measures.join(", ")) };
        let links: Vec<String> = instance.layout.links.iter().map(ToString::to_string).collect();
        format!(
            "{}>={}({}{measures})@{}[{}] of {}",
            definition.name,
            instance.least,
            inputs.join(", "),
            instance.layout.entry,
            links.join(","),
            self.elements_text(definitions, &instance.elements)
        )
    }

    fn value(&self, definitions: &Definitions, value: Value) -> String {
        match value {
            Value::Pointer(pointer) if pointer.node.level() == 0 => self.pointer_text(definitions, pointer),
            value => format!("{value:?}"),
        }
    }

    fn pointer_text(&self, definitions: &Definitions, pointer: Pointer) -> String {
        match self.nodes[pointer.node.index()].as_deref() {
            Some(Node::Instance(instance)) => {
                let PortId(port) = pointer.port;
                let name = &definitions.get(instance.layout.definition).ports[usize::from(port)].name;
                format!("&{:?}.{name}{:+}", pointer.node, pointer.offset)
            }
            Some(Node::Object(_)) => format!("&{pointer:?}"),
            None => format!("&{pointer:?}?"),
        }
    }
}

fn text_text(text: &Text) -> String {
    let kind = match text.kind {
        TextKind::Written => "written",
        TextKind::Terminated => "terminated",
        TextKind::Characters => "characters",
        TextKind::Ended => "text",
    };
    let room = if text.room == Text::WHOLE { String::new() } else { format!(" within {}", text.room) };
    format!(" {kind} {}: {:?}{room}", text.offset, text.length)
}

fn range_text(range: Range) -> String {
    let zero = if range.without_zero { " without 0" } else { "" };
    format!("[{}, {}]{zero}", range.low, range.high)
}
