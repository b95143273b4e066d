//! A concrete heap as a picture.

use crate::contents::{CellValue, Loaded};
use crate::heap::{Life, Object, ObjectKind};
use crate::machine::Machine;
use crate::state::State;
use crate::value::{ObjectId, Pointer, Scalar, Value};
use heapwise_engine::{Arrow, ArrowStyle, Drawing, Node, NodeStyle};
use heapwise_ir::entity::EntityRef;
use heapwise_ir::{Program, RegisterId, RegisterOrigin, Type, TypeId};
use rustc_hash::FxHashMap;

/// Pictures show at most this many objects.
const MOST_OBJECTS: usize = 60;
/// And at most this many rows of one.
const MOST_ROWS: usize = 12;

struct Painter<'a, 'p> {
    machine: &'a Machine<'p>,
    state: &'a State,
    drawing: Drawing,
    nodes: FxHashMap<ObjectId, usize>,
    null: Option<usize>,
    work: Vec<ObjectId>,
}

/// Draws the variables of all calls, the globals that point somewhere, and the objects that they reach.
pub fn drawing(machine: &Machine<'_>, state: &State) -> Drawing {
    let mut painter = Painter {
        machine,
        state,
        drawing: Drawing::default(),
        nodes: FxHashMap::default(),
        null: None,
        work: Vec::new(),
    };
    painter.variables();
    painter.globals();
    let mut next = 0;
    while next < painter.work.len() {
        let id = painter.work[next];
        next += 1;
        painter.rows(id);
    }
    painter.drawing
}

impl Painter<'_, '_> {
    fn node(&mut self, lines: Vec<String>, style: NodeStyle) -> usize {
        self.drawing.nodes.push(Node { lines, style });
        self.drawing.nodes.len() - 1
    }

    fn variables(&mut self) {
        let state = self.state;
        for (depth, frame) in state.frames.iter().enumerate() {
            let function = &self.machine.program.functions[frame.function];
            for (index, value) in frame.registers.iter().enumerate() {
                let register = &function.registers[RegisterId::new(index)];
                let is_shown = matches!(register.origin, RegisterOrigin::Variable(_))
                    && matches!(self.machine.program.ty(register.ty), Type::Pointer(_));
                if !is_shown || value.is_uninitialised() {
                    continue;
                }
                let is_top = depth + 1 == state.frames.len();
                let name = if is_top { register.name.clone() } else { format!("{}:{}", function.name, register.name) };
                let node = self.node(vec![name], NodeStyle::Variable);
                self.arrow(node, None, *value);
            }
        }
    }

    fn globals(&mut self) {
        for (id, global) in &self.machine.program.globals {
            let object = ObjectId(id.as_u32());
            if self.state.heap.object(object).contents().references().next().is_some()
                && !global.name.starts_with("std")
            {
                self.object_node(object);
            }
        }
    }

    /// The node of an object, made on first sight.
    fn object_node(&mut self, id: ObjectId) -> Option<usize> {
        if let Some(node) = self.nodes.get(&id) {
            return Some(*node);
        }
        if self.nodes.len() >= MOST_OBJECTS {
            return None;
        }
        let object = self.state.heap.object(id);
        let (title, style) = self.title(object);
        let node = self.node(vec![title], style);
        self.nodes.insert(id, node);
        self.work.push(id);
        Some(node)
    }

    fn title(&self, object: &Object) -> (String, NodeStyle) {
        let type_name = object.view.and_then(|view| record_name(self.machine.program, view));
        let what = type_name.unwrap_or_else(|| format!("{} bytes", object.size));
        let title = match object.kind {
            ObjectKind::Heap => what,
            ObjectKind::Auto => format!("local {what}"),
            ObjectKind::Global(global) => self.machine.program.globals[global].name.clone(),
            ObjectKind::Literal(_) => "string literal".to_owned(),
            ObjectKind::Environment => "environment".to_owned(),
            ObjectKind::Library => "library".to_owned(),
        };
        match object.life {
            Life::Alive => (title, NodeStyle::Cell),
            Life::Freed | Life::Vacant => (format!("{title} (freed)"), NodeStyle::Dead),
            Life::Ended => (format!("{title} (ended)"), NodeStyle::Dead),
        }
    }

    fn arrow(&mut self, from: usize, from_line: Option<usize>, value: Value) {
        let (to, label) = match value {
            Value::Int(0) => {
                let null = match self.null {
                    Some(null) => null,
                    None => {
                        let null = self.node(vec!["NULL".to_owned()], NodeStyle::Sentinel);
                        self.null = Some(null);
                        null
                    }
                };
                (null, String::new())
            }
            Value::Pointer(Pointer { object, offset }) => match self.object_node(object) {
                Some(node) => (node, if offset == 0 { String::new() } else { format!("+{offset}") }),
                None => return,
            },
            Value::Uninitialised(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::Function(_)
            | Value::Symbol(_)
            | Value::Fragment(_)
            | Value::Opaque => return,
        };
        self.drawing.arrows.push(Arrow { from, from_line, to, label, style: ArrowStyle::Solid });
    }

    /// The fields of a record, or the pointers of anything else.
    fn rows(&mut self, id: ObjectId) {
        let state = self.state;
        let object = state.heap.object(id);
        let Some(node) = self.nodes.get(&id).copied() else { return };
        if object.life != Life::Alive {
            return;
        }
        let mut fields = Vec::new();
        if let Some(view) = object.view {
            scalar_fields(self.machine.program, view, 0, String::new(), &mut fields);
        }
        if fields.is_empty() {
            for cell in object.contents().cells().iter().take(MOST_ROWS) {
                if let CellValue::Value(value) = cell.value {
                    self.row(node, &format!("+{}", cell.offset), value);
                }
            }
            return;
        }
        for (name, offset, ty) in fields.into_iter().take(MOST_ROWS) {
            let scalar = Scalar::of(self.machine.program, ty);
            if offset + scalar.bytes() > object.size {
                continue;
            }
            let value = match object.contents().load(offset, scalar.bytes()) {
                Loaded::Bits(bits) => match scalar.integer() {
                    Some(int) => Value::Int(crate::integer::wrap(bits as i128, int)),
                    None => continue,
                },
                Loaded::Value(value) => value,
                Loaded::Uninitialised => Value::UNSET,
                Loaded::Any(_) | Loaded::Mixed => continue,
            };
            match (value, scalar) {
                (Value::Int(number), Scalar::Int(_)) => {
                    self.drawing.nodes[node].lines.push(format!("{name} = {number}"));
                }
                (value, _) => self.row(node, &name, value),
            }
        }
    }

    fn row(&mut self, node: usize, name: &str, value: Value) {
        let text = match value {
            Value::Uninitialised(_) => format!("{name} = ?"),
            Value::Function(function) => format!("{name} = {}", self.machine.program.functions[function].name),
            _ => name.to_owned(),
        };
        self.drawing.nodes[node].lines.push(text);
        let line = self.drawing.nodes[node].lines.len() - 1;
        self.arrow(node, Some(line), value);
    }
}

fn record_name(program: &Program, ty: TypeId) -> Option<String> {
    match program.ty(ty) {
        Type::Record(record) => Some(program.records[*record].name.clone()),
        _ => None,
    }
}

/// The scalar members of a record, nested ones by path.
fn scalar_fields(program: &Program, ty: TypeId, base: u64, prefix: String, fields: &mut Vec<(String, u64, TypeId)>) {
    let Type::Record(record) = program.ty(ty) else { return };
    for field in program.records[*record].fields() {
        let name = if prefix.is_empty() { field.name.clone() } else { format!("{prefix}.{}", field.name) };
        match program.ty(field.ty) {
            Type::Record(_) => scalar_fields(program, field.ty, base + field.offset, name, fields),
            Type::Int(_) | Type::Pointer(_) if field.bits.is_none() => {
                fields.push((name, base + field.offset, field.ty))
            }
            Type::Void | Type::Int(_) | Type::Pointer(_) | Type::Float(_) | Type::Array(..) | Type::Function(_) => {}
        }
    }
}
