//! Verdicts against runs: never *safe* where a run of a random program fails, whatever the abstraction was refined to.
//!
//! `HEAPWISE_REFINE_PROGRAMS=5000 cargo test --release -p heapwise-refine --test soundness` is a long run.

use heapwise_engine::{Budget, Cancel, Control, Engine, Kind, Options, Verdict};
use heapwise_interp::{Machine, MachineOptions, RandomChooser, State, run};
use heapwise_ir::Program;
use heapwise_refine::RefineEngine;
use heapwise_testkit::random::{Knobs, generate};
use std::time::Duration;

/// The errors that random runs show.
fn shown(program: &Program, options: &Options) -> Vec<(Kind, u32)> {
    let machine = Machine::new(program, MachineOptions::new(options.entry));
    let mut shown = Vec::new();
    for seed in 0..60 {
        let mut is_doubtful = false;
        let mut observe = |_: &Machine<'_>, state: &State| is_doubtful |= state.is_doubtful();
        let run = run(&machine, &mut RandomChooser::new(seed), Some(&mut observe), 2_000);
        if !is_doubtful && run.gaps.is_empty() {
            shown.extend(run.all_errors().map(|error| (error.kind, error.span.line)));
        }
    }
    shown.retain(|(kind, _)| options.asks_for(*kind));
    shown
}

#[test]
fn no_random_list_program_that_fails_is_safe() {
    let told = std::env::var("HEAPWISE_REFINE_PROGRAMS").ok().and_then(|text| text.parse().ok());
    let n_programs: u64 = told.unwrap_or(30);
    let (mut safe, mut found, mut unknown, mut failing) = (0, 0, 0, 0);
    for (index, knobs) in [
        Knobs::singly_linked_lists(),
        Knobs::lists_with_calls(),
        Knobs::lists_with_globals_and_data(),
        Knobs::everything(),
    ]
    .iter()
    .enumerate()
    {
        for seed in 0..n_programs {
            let random = generate(knobs, seed).lower();
            let program = &random.program;
            let Some(entry) = program.function_named("main") else { continue };
            let options = Options::new(entry);
            let budget = Budget { time: Some(Duration::from_secs(4)), ..Budget::default() };
            let outcome = RefineEngine::default().check(program, &options, &Control::start(budget, Cancel::default()));
            let errors = shown(program, &options);
            failing += u32::from(!errors.is_empty());
            match outcome.verdict() {
                Verdict::Safe => {
                    let text = random.c_text();
                    assert!(errors.is_empty(), "knobs {index}, seed {seed}: safe, but {errors:?}\n{text}");
                    safe += 1;
                }
                Verdict::Unsafe => found += 1,
                Verdict::Unknown => unknown += 1,
            }
        }
    }
    println!("{safe} safe, {found} unsafe, {unknown} unknown, {failing} of them fail in random runs");
    assert!(safe > 0 && found > 0 && failing > 0);
}
