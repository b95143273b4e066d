//! From choices to a trace: the run is made again, this time with everything written down.

use crate::chooser::Script;
use crate::drawing::drawing;
use crate::machine::{Derived, Event, EventKind, Machine, Made, RunError, Sink};
use crate::search::Shown;
use crate::state::State;
use crate::value::SymbolId;
use heapwise_engine::{Answer, Certainty, Choice, Finding, TraceStep};
use rustc_hash::FxHashMap;

/// No trace has more steps than this: the start and the end of the run.
const LONGEST: usize = 100_000;
/// A replay stops here at the latest.
pub(crate) const MOST_STEPS: u64 = 20_000_000;

/// The finding with its trace.
pub(crate) fn finding(machine: &Machine<'_>, shown: &Shown) -> Finding {
    let error = &shown.error;
    let Replay { mut events, choices, model, state } = replay(machine, shown);
    for event in &mut events {
        if let Some(value) = event.symbol.and_then(|symbol| model.get(&symbol)) {
            event.message = event.message.replace("{}", &value.to_string());
        }
    }
    let mut trace = steps(events);
    // What depends on a doubt is not said as if it were so.
    let message = if shown.is_doubtful { format!("it may be that {}", error.message) } else { error.message.clone() };
    trace.push(TraceStep {
        span: error.span,
        function: error.function,
        message: message.clone(),
        heap: state.map(|state| drawing(machine, &state)),
    });
    Finding {
        kind: error.kind,
        certainty: if shown.is_doubtful { Certainty::Possible } else { Certainty::Confirmed },
        span: error.span,
        function: error.function,
        message,
        trace,
        choices,
        about: error.about,
        also: Vec::new(),
    }
}

/// A run up to an error, made again.
struct Replay {
    events: Vec<Event>,
    /// What it chose.
    choices: Vec<Choice>,
    /// Values for all inputs.
    model: FxHashMap<SymbolId, i128>,
    /// The last state before the error.
    state: Option<State>,
}

fn replay(machine: &Machine<'_>, shown: &Shown) -> Replay {
    let mut script = Script::new(shown.decisions.clone());
    let mut sink = Sink { events: Some(Vec::new()), choices: Some(Vec::new()), ..Sink::default() };
    let is_it = |error: &RunError| {
        (error.kind, error.function, error.span) == (shown.error.kind, shown.error.function, shown.error.span)
    };
    let Ok(mut state) = machine.start(&mut script, &mut sink) else {
        return Replay { events: Vec::new(), choices: Vec::new(), model: FxHashMap::default(), state: None };
    };
    for _ in 0..MOST_STEPS {
        let result = machine.step(&mut state, &mut script, &mut sink);
        if sink.errors.iter().any(is_it) || result.is_err() {
            break;
        }
    }
    let model = model(&state, &sink.derived);
    let choices = sink.choices.unwrap_or_default().into_iter().map(|made| valued(made, &model)).collect();
    Replay { events: sink.events.unwrap_or_default(), choices, model, state: Some(state) }
}

/// The choice with the value that its input has.
fn valued(made: Made, model: &FxHashMap<SymbolId, i128>) -> Choice {
    let Made { mut choice, symbol } = made;
    if let Some(value) = symbol.and_then(|symbol| model.get(&symbol)) {
        choice.answer = Answer::Integer(*value);
    }
    choice
}

/// Values for all inputs; those that others were computed from get a value that gives the result.
fn model(state: &State, derived: &[Derived]) -> FxHashMap<SymbolId, i128> {
    let mut model: FxHashMap<_, _> = state.constraints.model().into_iter().collect();
    for Derived { from, operation, result } in derived.iter().rev() {
        let Some(wanted) = model.get(result).copied() else { continue };
        let (low, high) = state.constraints.bounds(from.symbol);
        let addend = i128::from(from.addend);
        if let Some(operand) = operation.operand_of(wanted, (low + addend, high + addend)) {
            model.insert(from.symbol, operand - addend);
        }
    }
    model
}

/// The whole run, in steps. One that is too long to be read or stored loses its middle, and says so.
fn steps(events: Vec<Event>) -> Vec<TraceStep> {
    let is_shown = |event: &Event| match event.kind {
        EventKind::Return => false,
        EventKind::Call
        | EventKind::Branch
        | EventKind::Allocate
        | EventKind::Free
        | EventKind::Input
        | EventKind::Write => true,
    };
    let step =
        |event: Event| TraceStep { span: event.span, function: event.function, message: event.message, heap: None };
    let mut steps: Vec<TraceStep> = events.into_iter().filter(is_shown).map(step).collect();
    if steps.len() > LONGEST {
        let left_out = LONGEST / 2..steps.len() - LONGEST / 2;
        let message = format!("… {} steps are left out here", left_out.len());
        let TraceStep { span, function, .. } = steps[left_out.start];
        steps.splice(left_out, [TraceStep { span, function, message, heap: None }]);
    }
    steps
}
