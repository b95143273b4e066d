//! From choices to a trace: the run is made again, this time with everything written down.

use crate::chooser::Script;
use crate::drawing::drawing;
use crate::machine::{Derived, Event, EventKind, Machine, Made, RunError, Sink, Stop};
use crate::search::Shown;
use crate::state::State;
use crate::value::SymbolId;
use heapwise_engine::{Answer, Certainty, Choice, Exhausted, Finding, TraceStep, perhaps};
use rustc_hash::FxHashMap;

/// No trace has more steps than this: the start and the end of the run.
const LONGEST: usize = 100_000;
/// A replay stops here at the latest.
pub(crate) const MOST_STEPS: u64 = 20_000_000;

/// When time is up, a run is still made again that takes no more steps than this.
const GRACE: u64 = 50_000;

/// The finding with its trace.
pub(crate) fn finding(machine: &Machine<'_>, shown: &Shown) -> Finding {
    let error = &shown.error;
    let Replay { mut events, choices, model, state, is_whole, is_doubtful } =
        machine.with_grace(GRACE, || replay(machine, shown));
    let is_doubtful = is_doubtful || shown.is_doubtful;
    for event in &mut events {
        if let Some(symbol) = event.symbol {
            let value = model.get(&symbol).map_or_else(|| "some value".to_owned(), i128::to_string);
            event.message = event.message.replace("{}", &value);
        }
    }
    let mut trace = steps(events);
    if !is_whole {
        let message = "… the rest of the way is not told: the budget ran out".to_owned();
        trace.push(TraceStep { span: error.span, function: error.function, message, heap: None });
    }
    // What depends on a doubt is not said as if it were so.
    let message = if is_doubtful { perhaps(&error.message) } else { error.message.clone() };
    trace.push(TraceStep {
        span: error.span,
        function: error.function,
        message: message.clone(),
        heap: state.map(|state| drawing(machine, &state)),
    });
    Finding {
        kind: error.kind,
        certainty: if is_doubtful { Certainty::Possible } else { Certainty::Confirmed },
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
    /// Whether it got as far as the error. If the budget ran out before, there are neither choices nor values.
    is_whole: bool,
    /// Whether it did not come to the error, or no values were found that lead it there: exploration takes an input to have
    /// all values between its ends when it forgets what others say of it, and the sets of bytes have holes.
    is_doubtful: bool,
}

impl Replay {
    /// All that is known where the budget ran out.
    fn cut(events: Option<Vec<Event>>) -> Replay {
        let events = events.unwrap_or_default();
        Replay {
            events,
            choices: Vec::new(),
            model: FxHashMap::default(),
            state: None,
            is_whole: false,
            is_doubtful: false,
        }
    }
}

fn replay(machine: &Machine<'_>, shown: &Shown) -> Replay {
    let mut script = Script::new(shown.decisions.clone());
    let mut sink = Sink { events: Some(Vec::new()), choices: Some(Vec::new()), ..Sink::default() };
    let is_it = |error: &RunError| {
        (error.kind, error.function, error.span) == (shown.error.kind, shown.error.function, shown.error.span)
    };
    let Ok(mut state) = machine.start(&mut script, &mut sink) else {
        return Replay::cut(None);
    };
    let mut is_shown = false;
    for _ in 0..MOST_STEPS {
        let result = machine.step(&mut state, &mut script, &mut sink);
        if let Err(Stop::Exhausted(_)) = result {
            return Replay::cut(sink.events);
        }
        is_shown = sink.errors.iter().any(is_it) || matches!(&result, Err(Stop::Error(error)) if is_it(error));
        if is_shown || result.is_err() {
            break;
        }
    }
    let Ok(found) = model(machine, &state, &sink.derived) else { return Replay::cut(sink.events) };
    let is_doubtful = !is_shown || found.is_none();
    let model = found.unwrap_or_default();
    let choices = sink.choices.unwrap_or_default().into_iter().map(|made| valued(made, &model)).collect();
    let events = sink.events.unwrap_or_default();
    Replay { events, choices, model, state: Some(state), is_whole: true, is_doubtful }
}

/// The choice with the value that its input has.
fn valued(made: Made, model: &FxHashMap<SymbolId, i128>) -> Choice {
    let Made { mut choice, symbol } = made;
    if let Some(value) = symbol.and_then(|symbol| model.get(&symbol)) {
        choice.answer = Answer::Integer(*value);
    }
    choice
}

/// Values for all inputs; those that others were computed from get a value that gives the result. `None` if no such values
/// were found.
fn model(
    machine: &Machine<'_>,
    state: &State,
    derived: &[Derived],
) -> Result<Option<FxHashMap<SymbolId, i128>>, Exhausted> {
    let Some(known) = state.constraints.model(&|| machine.check_budget())? else { return Ok(None) };
    let mut model: FxHashMap<_, _> = known.into_iter().collect();
    for Derived { from, operation, result } in derived.iter().rev() {
        let Some(wanted) = model.get(result).copied() else { continue };
        let (low, high) = state.constraints.bounds(from.symbol);
        let addend = i128::from(from.addend);
        let Some(operand) = operation.operand_of(wanted, (low + addend, high + addend)) else { return Ok(None) };
        model.insert(from.symbol, operand - addend);
    }
    Ok(Some(model))
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
