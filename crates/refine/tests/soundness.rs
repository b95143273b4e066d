//! Verdicts against runs: never *safe* where a run of a random program fails, whatever the abstraction was refined to.
//!
//! `HEAPWISE_REFINE_PROGRAMS=5000 cargo test --release -p heapwise-refine --test soundness` is a long run; with it all C tests are
//! tried, too, otherwise every twelfth.

use heapwise_cfront::{Flags, FrontOptions, Unit, load};
use heapwise_engine::{Budget, Cancel, Control, Engine, Kind, Options, Verdict};
use heapwise_interp::{Machine, MachineOptions, RandomChooser, State, run};
use heapwise_ir::Program;
use heapwise_models::Models;
use heapwise_refine::RefineEngine;
use heapwise_testkit::annotated::c_files;
use heapwise_testkit::expectation::{self, Necessity, Role};
use heapwise_testkit::random::{Knobs, generate};
use std::path::{Path, PathBuf};
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

#[test]
fn no_c_test_with_an_error_is_safe() {
    let every = if std::env::var_os("HEAPWISE_REFINE_PROGRAMS").is_some() { 1 } else { 12 };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../include");
    let (mut safe, mut failing) = (0, 0);
    let mut wrong: Vec<PathBuf> = Vec::new();
    for file in c_files(&root).into_iter().step_by(every) {
        let Ok(Role::Analysed(expected)) = expectation::read(&file) else { continue };
        if expected.units.len() != 1 || !expected.arguments.is_empty() {
            continue;
        }
        let flags = Flags { include_directories: vec![include.clone()], ..Flags::default() };
        let units = [Unit { path: file.clone(), flags }];
        let Ok(loaded) = load(&units, &FrontOptions { entries: vec!["main".to_owned()] }, &Models::shipped()) else {
            continue;
        };
        let Some(entry) = loaded.program.function_named("main") else { continue };
        let options = Options::new(entry);
        let budget = Budget { time: Some(Duration::from_secs(2)), ..Budget::default() };
        let control = Control::start(budget, Cancel::default());
        let outcome = RefineEngine::default().check(&loaded.program, &options, &control);
        let fails =
            expected.markers.iter().any(|marker| marker.necessity == Necessity::Must && options.asks_for(marker.kind));
        failing += u32::from(fails);
        if outcome.verdict() == Verdict::Safe {
            safe += 1;
            if fails {
                wrong.push(file);
            }
        }
    }
    println!("{safe} safe, {failing} fail");
    assert!(wrong.is_empty(), "safe, but they fail: {wrong:#?}");
    assert!(safe > 0 && failing > 0);
}
