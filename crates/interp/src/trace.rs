//! From choices to a trace: the run is made again, this time with everything written down.

use crate::chooser::Script;
use crate::drawing::drawing;
use crate::machine::{Derived, Event, EventKind, Machine, Made, RunError, Sink, Stop};
use crate::search::Shown;
use crate::state::State;
use crate::value::SymbolId;
use heapwise_engine::{Answer, Certainty, Choice, Finding, TraceStep};
use rustc_hash::FxHashMap;

/// Traces are cut to this many steps: the start, what concerns the object at fault, and the end.
const LONGEST: usize = 60;
/// A replay stops here at the latest.
const MOST_STEPS: u64 = 20_000_000;

/// The finding with its trace.
pub(crate) fn finding(machine: &Machine<'_>, shown: &Shown) -> Finding {
    let error = &shown.error;
    let Replay { mut events, choices, model, state, birth } = replay(machine, shown);
    for event in &mut events {
        if let Some(value) = event.symbol.and_then(|symbol| model.get(&symbol)) {
            event.message = event.message.replace("{}", &value.to_string());
        }
    }
    let mut trace = select(events, birth);
    trace.push(TraceStep {
        span: error.span,
        function: error.function,
        message: error.message.clone(),
        heap: state.map(|state| drawing(machine, &state)),
    });
    Finding {
        kind: error.kind,
        certainty: if shown.is_doubtful { Certainty::Possible } else { Certainty::Confirmed },
        span: error.span,
        function: error.function,
        message: error.message.clone(),
        trace,
        choices,
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
    /// The object at fault.
    birth: Option<u64>,
}

fn replay(machine: &Machine<'_>, shown: &Shown) -> Replay {
    let mut script = Script::new(shown.decisions.clone());
    let mut sink = Sink { events: Some(Vec::new()), choices: Some(Vec::new()), ..Sink::default() };
    let is_it = |error: &RunError| {
        (error.kind, error.function, error.span) == (shown.error.kind, shown.error.function, shown.error.span)
    };
    let mut birth = shown.error.birth;
    let Ok(mut state) = machine.start(&mut script, &mut sink) else {
        return Replay { events: Vec::new(), choices: Vec::new(), model: FxHashMap::default(), state: None, birth };
    };
    for _ in 0..MOST_STEPS {
        let result = machine.step(&mut state, &mut script, &mut sink);
        if let Some(error) = sink.errors.iter().find(|error| is_it(error)) {
            birth = error.birth;
            break;
        }
        match result {
            Ok(()) => {}
            Err(Stop::Error(error)) => {
                birth = error.birth;
                break;
            }
            Err(Stop::Ended(_) | Stop::Gap(_) | Stop::NeedsChoice) => break,
        }
    }
    let model = model(&state, &sink.derived);
    let choices = sink.choices.unwrap_or_default().into_iter().map(|made| valued(made, &model)).collect();
    Replay { events: sink.events.unwrap_or_default(), choices, model, state: Some(state), birth }
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

/// Keeps what matters: repeated branches at one place are shown for their last rounds only.
fn select(events: Vec<Event>, birth: Option<u64>) -> Vec<TraceStep> {
    let concerns = |event: &Event| birth.is_some() && event.birth == birth;
    let mut kept: Vec<&Event> = events
        .iter()
        .filter(|event| match event.kind {
            EventKind::Return => false,
            EventKind::Call | EventKind::Branch | EventKind::Allocate | EventKind::Free | EventKind::Input => true,
            EventKind::Write => true,
        })
        .collect();
    if kept.len() > LONGEST {
        let important: Vec<bool> = kept.iter().map(|event| concerns(event)).collect();
        let n_important = important.iter().filter(|is| **is).count().min(LONGEST / 2);
        let room = LONGEST - n_important;
        let (head, tail) = (room / 4, room - room / 4);
        let total = kept.len();
        let mut left = n_important;
        let mut index = 0;
        kept.retain(|_| {
            let at = index;
            index += 1;
            if at < head || at >= total - tail {
                return true;
            }
            if important[at] && left > 0 {
                left -= 1;
                return true;
            }
            false
        });
    }
    kept.into_iter()
        .map(|event| TraceStep {
            span: event.span,
            function: event.function,
            message: event.message.clone(),
            heap: None,
        })
        .collect()
}
