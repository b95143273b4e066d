//! Elements as pictures: variables, cells, segment lengths, null.

use crate::engine::Analysis;
use crate::shape::{Graph, Length, Value};
use heapwise_cells::atom::Atom;
use heapwise_cells::invariant;
use heapwise_cells::program::CellProgram;
use heapwise_engine::{Arrow, ArrowStyle, Drawing, Invariant, Node, NodeStyle};
use heapwise_ir::Program;
use heapwise_ir::entity::EntityRef;

/// The invariants of all locations that are reached, in the order of the program.
pub fn invariants(analysis: &Analysis, program: &Program) -> Vec<Invariant> {
    let list = &analysis.translation.program;
    invariant::invariants(&analysis.translation, program, |name, point| {
        if !analysis.fixpoint.is_reached(point) {
            return None;
        }
        let mut graphs: Vec<&Graph> = analysis
            .fixpoint
            .elements(point)
            .map(|id| analysis.store.get(id))
            .filter(|graph| !graph.vars().is_empty())
            .collect();
        // Cells first, facts after them.
        graphs.sort_by_key(|graph| (graph.nodes.is_empty(), graph.vars().first().map(|(var, _)| *var)));
        let drawn = graphs.iter().enumerate();
        Some(drawn.map(|(i, graph)| draw(list, graph, format!("{name}: {} of {}", i + 1, graphs.len()))).collect())
    })
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
    for (var, value) in graph.vars() {
        if let Some(to) = end(list, *value, &mut drawing, &mut sentinels) {
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
        Value::Cell(node) => return Some(node.index()),
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
        Atom::Ended(_) | Atom::Gone => ("ended".to_owned(), NodeStyle::Dead),
        Atom::Uninit => ("uninitialised".to_owned(), NodeStyle::Dead),
        Atom::Opaque => ("any value".to_owned(), NodeStyle::Sentinel),
        Atom::Library(_) => ("library".to_owned(), NodeStyle::Sentinel),
        Atom::Place(place) => (list.places[place as usize].name.clone(), NodeStyle::Sentinel),
        Atom::NoLink | Atom::Outside => (String::new(), NodeStyle::Sentinel),
    };
    sentinels.push((atom, drawing.nodes.len()));
    drawing.nodes.push(Node { lines: vec![name], style });
    Some(drawing.nodes.len() - 1)
}
