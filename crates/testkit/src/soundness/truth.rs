//! Errors that runs of `interp` show.

use super::Shown;
use heapwise_engine::Options;
use heapwise_interp::{Machine, MachineOptions, RandomChooser, State, run};
use heapwise_ir::Program;

/// Runs with random choices.
const RUNS: u64 = 24;
/// Steps of a run.
const MOST_STEPS: u64 = 3000;

/// The errors of some random runs, without those of runs that are in doubt.
pub(super) fn runs(program: &Program, options: &Options) -> Vec<Shown> {
    let machine_options =
        MachineOptions { allocation_failure: options.allocation_failure, ..MachineOptions::new(options.entry) };
    let machine = Machine::new(program, machine_options);
    let mut shown = Vec::new();
    for seed in 0..RUNS {
        let mut is_doubtful = false;
        let mut observe = |_: &Machine<'_>, state: &State| is_doubtful |= state.is_doubtful();
        let run = run(&machine, &mut RandomChooser::new(seed), Some(&mut observe), MOST_STEPS);
        if is_doubtful || !run.gaps.is_empty() {
            continue;
        }
        for error in run.all_errors().filter(|error| options.asks_for(error.kind)) {
            shown.push(Shown {
                kind: error.kind,
                line: error.span.line,
                message: error.message.clone(),
                storage: error.about.storage,
            });
        }
    }
    shown
}
