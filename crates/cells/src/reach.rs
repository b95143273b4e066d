//! What of a program a run over its cells has seen: the functions that it entered, and where it was when a budget ran out.

use crate::program::{CellProgram, Point};
use crate::translate::Translation;
use heapwise_engine::reason::Element;
use heapwise_engine::{Doing, Exhausted, Stopped};
use heapwise_ir::{FunctionId, Program, Span};

impl Translation {
    /// The functions that a reached location begins, sorted.
    pub fn reached_functions(&self, program: &Program, is_reached: impl Fn(Point) -> bool) -> Vec<FunctionId> {
        let begun = self.points.iter().filter_map(|((frame, location), point)| {
            let function = self.program.frames[*frame as usize].function;
            let automaton = program.functions[function].automaton()?;
            (*location == automaton.entry && is_reached(*point)).then_some(function)
        });
        let mut functions: Vec<FunctionId> = begun.collect();
        functions.sort_unstable();
        functions.dedup();
        functions
    }

    /// What ran out before there was anything to run on.
    pub fn stopped(&self) -> Option<Stopped> {
        let why = self.exhausted?;
        Some(Stopped { why, span: Span::NONE, doing: Doing::Translating })
    }

    /// What ran out in a run, and the location with the most elements: a loop that has no end of heaps, as a rule.
    pub fn stopped_in_run(&self, why: Exhausted, n_elements: impl Fn(Point) -> usize, of: Element) -> Stopped {
        // Of equal ones, `max_by_key` takes the last: the first is nearer to where they come from.
        let busiest = self.program.outgoing.keys().rev().max_by_key(|point| n_elements(*point));
        match busiest.map(|point| (span(&self.program, point), n_elements(point))) {
            Some((span, most)) if most > 1 => {
                Stopped { why, span, doing: Doing::Growing { elements: most as u64, of } }
            }
            Some(_) | None => Stopped { why, span: Span::NONE, doing: Doing::Something },
        }
    }
}

/// The text that a location is in front of.
fn span(cells: &CellProgram, point: Point) -> Span {
    let mut spans = cells.outgoing[point].iter().map(|step| cells.steps[*step].span);
    spans.find(|span| *span != Span::NONE).unwrap_or(Span::NONE)
}
