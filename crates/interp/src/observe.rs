//! Watching runs, and running a program once.

use crate::chooser::{Chooser, Replayer};
use crate::machine::{Machine, RunError, Sink, Stop};
use crate::state::State;
use heapwise_engine::{Choice, ChoiceQuestion, Gap};
use heapwise_ir::Span;

/// Sees every state that a run or an exploration comes to.
pub trait Observer {
    /// Called at each location, before its out-edge is taken.
    fn at_location(&mut self, machine: &Machine<'_>, state: &State);
}

impl<F: FnMut(&Machine<'_>, &State)> Observer for F {
    fn at_location(&mut self, machine: &Machine<'_>, state: &State) {
        self(machine, state);
    }
}

/// How one run went.
#[derive(Clone, Debug)]
pub struct Run {
    /// Why it stopped; `None` if the limit of steps was reached.
    pub stop: Option<Stop>,
    /// Errors that did not stop it (leaks, dangling returns).
    pub errors: Vec<RunError>,
    /// What was not followed exactly.
    pub gaps: Vec<Gap>,
    /// What was printed, if output is kept.
    pub output: Vec<u8>,
    /// The exit status, if the program ended.
    pub exit_code: Option<i128>,
    /// How many steps it took.
    pub steps: u64,
}

impl Run {
    /// All errors, the one that stopped the run last.
    pub fn all_errors(&self) -> impl Iterator<Item = &RunError> {
        let last = match &self.stop {
            Some(Stop::Error(error)) => Some(&**error),
            _ => None,
        };
        self.errors.iter().chain(last)
    }
}

/// Runs a program once with the given choices.
pub fn run(
    machine: &Machine<'_>,
    chooser: &mut dyn Chooser,
    observer: Option<&mut dyn Observer>,
    max_steps: u64,
) -> Run {
    let mut sink = Sink::default();
    let mut observer = observer;
    let mut run =
        Run { stop: None, errors: Vec::new(), gaps: Vec::new(), output: Vec::new(), exit_code: None, steps: 0 };
    match machine.start(chooser, &mut sink) {
        Ok(mut state) => {
            while run.steps < max_steps {
                if let Some(observer) = &mut observer {
                    observer.at_location(machine, &state);
                }
                run.steps += 1;
                if let Err(stop) = machine.step(&mut state, chooser, &mut sink) {
                    run.stop = Some(stop);
                    break;
                }
            }
            run.output = state.output().to_vec();
            run.exit_code = state.exit_code();
        }
        Err(stop) => run.stop = Some(stop),
    }
    run.errors = sink.errors;
    run.gaps = sink.gaps;
    run
}

/// Makes a run again from the list of its choices ([`heapwise_engine::Finding::choices`]). The error of the finding is among
/// [`Run::all_errors`] of the answer.
///
/// Fails with the first question that the list does not answer, and where it was asked: then the choices are not those of
/// a run of this program.
pub fn replay(machine: &Machine<'_>, choices: &[Choice], max_steps: u64) -> Result<Run, (ChoiceQuestion, Span)> {
    let mut replayer = Replayer::new(choices);
    let run = run(machine, &mut replayer, None, max_steps);
    // The list ends with the error: what a run asks behind it (a leak does not stop it) is nobody's concern.
    match replayer.missing() {
        Some(missing) if replayer.used() < choices.len() => Err(missing.clone()),
        _ => Ok(run),
    }
}
