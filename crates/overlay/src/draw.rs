//! Symbolic heaps as drawings, for `heapwise dump invariants --engine overlay`.

use crate::analysis::{Retention, run};
use crate::footprint::Given;
use crate::groups::{Grouping, Groups};
use crate::heap::{Heap, Life, Node, NodeId, Object, PortId, Region, Size, Storage, Value};
use crate::predicate::Definitions;
use crate::product::engine::prepare;
use crate::product::solve::Mode;
use crate::transfer::{Arrays, Context, Numbering};
use heapwise_engine::reason::Note;
use heapwise_engine::{
    Arrow, ArrowStyle, Control, Drawing, Invariant, Invariants, Node as DrawnNode, NodeStyle, Options,
};
use heapwise_fixpoint::{ContextId, ProgramFlow};
use heapwise_ir::{AnyAddressTaken, Function, FunctionId, LocationId, Program, Span, Type};

/// What holds at each location that is reached: by groups of fields where those are asked for and can be had.
pub(crate) fn invariants(
    program: &Program,
    options: &Options,
    control: &Control,
    definitions: Definitions,
    (grouping, mode): (&Grouping, Mode),
) -> Invariants {
    let groups = Groups::of(program, grouping).ok().filter(|groups| groups.len() > 1);
    let prepared = groups.and_then(|groups| prepare(program, options.entry, groups).ok());
    let context = Context::new(program, options, definitions);
    let mut found = Invariants::default();
    let Some(prepared) = prepared else {
        let context = Context { numbering: Numbering::On, arrays: Arrays::On, ..context };
        let flow = ProgramFlow::tabulated(program, options.entry, &AnyAddressTaken);
        let fixpoint = run(&context, &flow, Retention::Live, Given::Everything, control);
        for origin in flow.points.values() {
            let function = flow.contexts[origin.context].function;
            let heaps = fixpoint.heaps_at(function, origin.location);
            let drawings = numbered(&heaps, "", |heap, title| draw(&context, function, heap, title, Vec::new()));
            found.places.extend(place(program, function, origin.location, Vec::new(), drawings));
        }
        return found;
    };
    let solution = prepared.solve(&context, (mode, Retention::Live), control);
    let names: Vec<String> = prepared.groups.ids().map(|group| prepared.groups.name(program, group)).collect();
    found.notes.push(Note::FieldGroups { groups: names.clone() });
    found.notes.push(Note::GhostInstructions { instructions: solution.ghosts_text() });
    for (point, origin) in &prepared.flow.points {
        let function = prepared.flow.contexts[origin.context].function;
        let mut drawings = Vec::new();
        for row in solution.rows_at(point) {
            for ((group, name), ids) in prepared.groups.ids().zip(&names).zip(row) {
                let texts: Vec<(&Heap, String)> =
                    ids.iter().map(|id| (solution.heap(*id), solution.heap_text(group, *id, origin.context))).collect();
                drawings.extend(numbered(&texts, name, |(heap, text), title| {
                    draw(&context, function, heap, title, vec![text.clone()])
                }));
            }
        }
        let calls = call_string(&prepared.flow, origin.context);
        found.places.extend(place(program, function, origin.location, calls, drawings));
    }
    found
}

fn numbered<T>(heaps: &[T], name: &str, draw: impl Fn(&T, String) -> Drawing) -> Vec<Drawing> {
    let total = heaps.len();
    let prefix = if name.is_empty() { String::new() } else { format!("{name}: ") };
    heaps.iter().enumerate().map(|(index, heap)| draw(heap, format!("{prefix}{} of {total}", index + 1))).collect()
}

fn place(
    program: &Program,
    function: FunctionId,
    location: LocationId,
    call_string: Vec<FunctionId>,
    drawings: Vec<Drawing>,
) -> Option<Invariant> {
    let automaton = program.functions[function].automaton()?;
    let span = automaton.outgoing[location].first().map_or(Span::NONE, |edge| automaton.edges[*edge].span);
    (!drawings.is_empty()).then_some(Invariant { function, location, span, call_string, drawings })
}

fn call_string(flow: &ProgramFlow, context: ContextId) -> Vec<FunctionId> {
    let mut calls = Vec::new();
    let mut at = context;
    while let Some((caller, _)) = flow.contexts[at].caller {
        calls.push(flow.contexts[caller].function);
        at = caller;
    }
    calls.reverse();
    calls
}

fn draw(context: &Context<'_>, function: FunctionId, heap: &Heap, title: String, text: Vec<String>) -> Drawing {
    let program = context.program;
    let function = &program.functions[function];
    let mut drawing = Drawing { title, ..Drawing::default() };
    let mut places: Vec<Option<usize>> = vec![None; heap.nodes.len()];
    for (id, node) in heap.nodes() {
        let (lines, style) = match node {
            Node::Object(object) => object_lines(program, object),
            Node::Instance(instance) => {
                let definition = context.definitions.get(instance.layout.definition);
                let least = if instance.least > 0 { format!(" ≥ {}", instance.least) } else { String::new() };
                (vec![format!("{}{least}{}", definition.name, subscript(instance.region))], NodeStyle::Summary)
            }
        };
        places[id.index()] = Some(drawing.nodes.len());
        drawing.nodes.push(DrawnNode { lines, style });
    }
    for region in &heap.truths {
        let lines = vec![format!("true{}", subscript(*region))];
        drawing.nodes.push(DrawnNode { lines, style: NodeStyle::Summary });
    }
    for (id, node) in heap.nodes() {
        let Some(from) = places[id.index()] else { continue };
        match node {
            Node::Object(object) => {
                for field in &object.fields {
                    let label = field_name(program, object, field.offset);
                    arrow(heap, &places, &mut drawing, from, field.value, label, ArrowStyle::Solid);
                }
            }
            Node::Instance(instance) => {
                let definition = context.definitions.get(instance.layout.definition);
                for (name, value) in definition.inputs.iter().zip(&instance.inputs) {
                    arrow(heap, &places, &mut drawing, from, *value, name.clone(), ArrowStyle::Segment);
                }
            }
        }
    }
    for (register, value) in &heap.registers {
        variable(heap, &places, &mut drawing, function, *register, *value);
    }
    if !text.is_empty() {
        drawing.nodes.push(DrawnNode { lines: text, style: NodeStyle::Variable });
    }
    drawing
}

fn subscript(region: Region) -> String {
    if region == Region::NONE { String::new() } else { format!(" {region}") }
}

fn variable(
    heap: &Heap,
    places: &[Option<usize>],
    drawing: &mut Drawing,
    function: &Function,
    register: heapwise_ir::RegisterId,
    value: Value,
) {
    let name = &function.registers[register].name;
    let from = drawing.nodes.len();
    let line = if value.node().is_some() { name.clone() } else { format!("{name} = {value:?}") };
    drawing.nodes.push(DrawnNode { lines: vec![line], style: NodeStyle::Variable });
    arrow(heap, places, drawing, from, value, String::new(), ArrowStyle::Solid);
}

fn arrow(
    heap: &Heap,
    places: &[Option<usize>],
    drawing: &mut Drawing,
    from: usize,
    value: Value,
    label: String,
    style: ArrowStyle,
) {
    let Value::Pointer(pointer) = value else { return };
    let Some(to) = target(heap, pointer.node, places) else { return };
    let end = if pointer.port == PortId::FIRST { "" } else { " (last)" };
    drawing.arrows.push(Arrow { from, from_line: None, to, label: format!("{label}{end}"), style });
}

fn target(heap: &Heap, node: NodeId, places: &[Option<usize>]) -> Option<usize> {
    (node.level() == 0 && node.index() < heap.nodes.len()).then(|| places[node.index()])?
}

fn object_lines(program: &Program, object: &Object) -> (Vec<String>, NodeStyle) {
    let (name, style) = match object.storage {
        Storage::Heap | Storage::GivenAway => (format!("cell{}", subscript(object.region)), NodeStyle::Cell),
        Storage::Outside => ("outside".to_owned(), NodeStyle::Cell),
        Storage::Element => ("element".to_owned(), NodeStyle::Cell),
        Storage::Environment => ("environment".to_owned(), NodeStyle::Variable),
        Storage::Library => ("library".to_owned(), NodeStyle::Cell),
        Storage::Local | Storage::CallersLocal => ("local".to_owned(), NodeStyle::Variable),
        Storage::Global(global) | Storage::Literal(global) => {
            (program.globals[global].name.clone(), NodeStyle::Variable)
        }
    };
    if object.life != Life::Alive {
        return (vec!["freed".to_owned()], NodeStyle::Dead);
    }
    let mut lines = vec![name];
    for field in &object.fields {
        if field.value.node().is_none() {
            lines.push(format!("{} = {:?}", field_name(program, object, field.offset), field.value));
        }
    }
    for text in &object.texts {
        lines.push(format!("{} {:?} {:?}", field_name(program, object, text.offset), text.kind, text.length));
    }
    (lines, style)
}

/// The name of the bytes at an offset, by the first record of that size that has one.
fn field_name(program: &Program, object: &Object, offset: u64) -> String {
    let record = match object.storage {
        Storage::Global(global) | Storage::Literal(global) => match program.ty(program.globals[global].ty) {
            Type::Record(record) => Some(&program.records[*record]),
            _ if offset == 0 => return String::new(),
            _ => None,
        },
        Storage::Heap
        | Storage::GivenAway
        | Storage::Local
        | Storage::CallersLocal
        | Storage::Outside
        | Storage::Element
        | Storage::Environment
        | Storage::Library => program.records.values().find(|record| object.size == Size::Constant(record.size)),
    };
    let field = record.and_then(|record| record.fields().iter().find(|field| field.offset == offset));
    field.map_or_else(|| format!("+{offset}"), |field| field.name.clone())
}
