//! What holds at each location, drawn: the places are those of the program, the drawings an engine's.

use crate::program::{CellProgram, Point};
use crate::translate::Translation;
use heapwise_engine::{Arrow, Drawing, Node, NodeStyle};
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
    /// The elements of the location.
    pub drawings: Vec<Drawing>,
}

/// The invariants of all locations that `draw` has drawings for, in the order of the program. It is given the name of
/// the location and its point; `None` if the point is not reached.
pub fn invariants(
    translation: &Translation,
    program: &Program,
    mut draw: impl FnMut(&str, Point) -> Option<Vec<Drawing>>,
) -> Vec<Invariant> {
    let cells = &translation.program;
    let mut places: Vec<((u32, LocationId), Point)> =
        translation.points.iter().map(|(key, point)| (*key, *point)).collect();
    places.sort_unstable();
    let mut found = Vec::new();
    for ((frame, location), point) in places {
        let function = cells.frames[frame as usize].function;
        let name = format!("{} {location}", program.functions[function].name);
        if let Some(drawings) = draw(&name, point) {
            let span = span_at(program, function, location);
            found.push(Invariant { function, location, span, call_string: call_string(cells, frame), drawings });
        }
    }
    found
}

fn span_at(program: &Program, function: FunctionId, location: LocationId) -> Span {
    let Some(automaton) = program.functions[function].automaton() else { return Span::NONE };
    automaton.outgoing[location].first().map_or(Span::NONE, |edge| automaton.edges[*edge].span)
}

fn call_string(cells: &CellProgram, frame: u32) -> Vec<FunctionId> {
    let mut functions = Vec::new();
    let mut at = cells.frames[frame as usize].caller;
    while let Some((caller, _)) = at {
        functions.push(cells.frames[caller as usize].function);
        at = cells.frames[caller as usize].caller;
    }
    functions.reverse();
    functions
}

/// Several drawings as one picture. Those of more than one part are numbered, so that it is seen what belongs together.
pub fn side_by_side(title: String, drawings: &[Drawing]) -> Drawing {
    let mut whole = Drawing { title, ..Drawing::default() };
    let is_numbered = drawings.len() > 1 && drawings.iter().any(has_parts);
    for (index, drawing) in drawings.iter().enumerate() {
        if is_numbered {
            let heading = format!("{} of {}:", index + 1, drawings.len());
            whole.nodes.push(Node { lines: vec![heading], style: NodeStyle::Variable });
        }
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

/// Whether a drawing falls apart, sentinels not counting as a connection.
fn has_parts(drawing: &Drawing) -> bool {
    let is_sentinel = |node: usize| matches!(drawing.nodes[node].style, NodeStyle::Sentinel | NodeStyle::Dead);
    let mut part: Vec<usize> = (0..drawing.nodes.len()).collect();
    for _ in 0..drawing.nodes.len() {
        for arrow in drawing.arrows.iter().filter(|arrow| !is_sentinel(arrow.to)) {
            let least = part[arrow.from].min(part[arrow.to]);
            (part[arrow.from], part[arrow.to]) = (least, least);
        }
    }
    let mut parts = (0..drawing.nodes.len()).filter(|node| !is_sentinel(*node)).map(|node| part[node]);
    let first = parts.next();
    parts.any(|other| Some(other) != first)
}
