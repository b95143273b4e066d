//! Elements as pictures: variables, cells, segment lengths, null.

use crate::engine::Analysis;
use crate::shape::{Graph, Length, Value};
use heapwise_cells::atom::Atom;
use heapwise_cells::program::{CellProgram, Point};
use heapwise_engine::{Arrow, ArrowStyle, Drawing, Node, NodeStyle};
use heapwise_ir::{FunctionId, LocationId, Program, Span};

/// What holds at one location of one call string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// The function.
    pub function: FunctionId,
    /// The location.
    pub location: LocationId,
    /// The text of the first edge that leaves it.
    pub span: Span,
    /// The calls that lead to the function, outermost first.
    pub call_string: Vec<FunctionId>,
    /// The graphs, or the subgraphs.
    pub drawings: Vec<Drawing>,
}

/// The invariants of all locations that are reached, in the order of the program.
pub fn invariants(analysis: &Analysis, program: &Program) -> Vec<Invariant> {
    let list = &analysis.translation.program;
    let mut places: Vec<((u32, LocationId), Point)> =
        analysis.translation.points.iter().map(|(key, point)| (*key, *point)).collect();
    places.sort_unstable();
    let mut found = Vec::new();
    for ((frame, location), point) in places {
        if !analysis.fixpoint.is_reached(point) {
            continue;
        }
        let function = list.frames[frame as usize].function;
        let mut graphs: Vec<Graph> = analysis
            .fixpoint
            .elements(point)
            .map(|id| analysis.store.get(id))
            .filter(|graph| graph.vars().next().is_some())
            .collect();
        // Cells first, facts after them.
        graphs.sort_by_key(|graph| (graph.nodes.is_empty(), graph.vars().min()));
        let name = &program.functions[function].name;
        let drawings = graphs
            .iter()
            .enumerate()
            .map(|(index, graph)| draw(list, graph, format!("{name} {location}: {} of {}", index + 1, graphs.len())))
            .collect();
        found.push(Invariant {
            function,
            location,
            span: span_at(program, function, location),
            call_string: call_string(list, frame),
            drawings,
        });
    }
    found
}

fn span_at(program: &Program, function: FunctionId, location: LocationId) -> Span {
    let Some(automaton) = program.functions[function].automaton() else { return Span::NONE };
    automaton.outgoing[location].first().map_or(Span::NONE, |edge| automaton.edges[*edge].span)
}

fn call_string(list: &CellProgram, frame: u32) -> Vec<FunctionId> {
    let mut functions = Vec::new();
    let mut at = list.frames[frame as usize].caller;
    while let Some((caller, _)) = at {
        functions.push(list.frames[caller as usize].function);
        at = list.frames[caller as usize].caller;
    }
    functions.reverse();
    functions
}

/// Several drawings as one picture.
pub fn side_by_side(title: String, drawings: &[Drawing]) -> Drawing {
    let mut whole = Drawing { title, ..Drawing::default() };
    for drawing in drawings {
        let shift = whole.nodes.len();
        whole.nodes.extend(drawing.nodes.iter().cloned());
        whole.arrows.extend(drawing.arrows.iter().cloned().map(|arrow| Arrow {
            from: arrow.from + shift,
            to: arrow.to + shift,
            ..arrow
        }));
    }
    whole
}

/// One graph.
pub fn draw(list: &CellProgram, graph: &Graph, title: String) -> Drawing {
    let mut drawing = Drawing { title, ..Drawing::default() };
    for node in &graph.nodes {
        let kind = &list.kinds[node.kind];
        drawing.nodes.push(Node { lines: vec![kind.name.clone()], style: NodeStyle::Cell });
    }
    let mut sentinels: Vec<(Atom, usize)> = Vec::new();
    for (index, node) in graph.nodes.iter().enumerate() {
        let Some(to) = end(list, node.next, &mut drawing, &mut sentinels) else { continue };
        let link = list.kinds[node.kind].only_link().map_or("", |link| link.name.as_str());
        let (label, style) = match node.length {
            Length::Exactly(links) => (format!("{link} {links}"), ArrowStyle::Solid),
            Length::MoreThan(links) => (format!("{link} >{links}"), ArrowStyle::Segment),
        };
        drawing.arrows.push(Arrow { from: index, from_line: None, to, label, style });
    }
    for (index, node) in graph.nodes.iter().enumerate() {
        for var in &node.vars {
            variable(list, *var, index, &mut drawing);
        }
    }
    for (var, atom) in &graph.facts {
        if let Some(to) = end(list, Value::Atom(*atom), &mut drawing, &mut sentinels) {
            variable(list, *var, to, &mut drawing);
        }
    }
    drawing
}

fn variable(list: &CellProgram, var: heapwise_cells::atom::Var, to: usize, drawing: &mut Drawing) {
    let from = drawing.nodes.len();
    drawing.nodes.push(Node { lines: vec![list.var_name(var).to_owned()], style: NodeStyle::Variable });
    drawing.arrows.push(Arrow { from, from_line: None, to, label: String::new(), style: ArrowStyle::Solid });
}

/// The picture of what a value points to; each sentinel is drawn once.
fn end(list: &CellProgram, value: Value, drawing: &mut Drawing, sentinels: &mut Vec<(Atom, usize)>) -> Option<usize> {
    let atom = match value {
        Value::Node(index) => return Some(index),
        Value::Atom(Atom::NoLink) => return None,
        Value::Atom(atom) => atom,
    };
    if let Some((_, index)) = sentinels.iter().find(|(other, _)| *other == atom) {
        return Some(*index);
    }
    let (name, style) = match atom {
        Atom::NULL => ("null".to_owned(), NodeStyle::Sentinel),
        Atom::Int(value) => (value.to_string(), NodeStyle::Sentinel),
        Atom::Freed => ("freed".to_owned(), NodeStyle::Dead),
        Atom::Uninit => ("uninitialised".to_owned(), NodeStyle::Dead),
        Atom::Opaque => ("any value".to_owned(), NodeStyle::Sentinel),
        Atom::Library => ("library".to_owned(), NodeStyle::Sentinel),
        Atom::Place(place) => (list.places[place as usize].clone(), NodeStyle::Sentinel),
        Atom::NoLink => (String::new(), NodeStyle::Sentinel),
    };
    sentinels.push((atom, drawing.nodes.len()));
    drawing.nodes.push(Node { lines: vec![name], style });
    Some(drawing.nodes.len() - 1)
}
