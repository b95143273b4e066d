//! What holds at each location, drawn: the places are those of the program, the drawings an engine's.

use crate::program::{CellProgram, Point};
use crate::translate::Translation;
use heapwise_engine::{Drawing, Invariant};
use heapwise_ir::{FunctionId, LocationId, Program, Span};

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
