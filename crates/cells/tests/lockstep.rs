//! The law of `cells`: every run of a program is a run of its cell program, up to the first gap or error on its way.
//!
//! `HEAPWISE_LOCKSTEP_PROGRAMS=10000 cargo test --release -p heapwise-cells --test lockstep -- --nocapture` is a long run, and
//! `HEAPWISE_LOCKSTEP_ROOT=DIR` takes C programs from elsewhere.

#![allow(clippy::unwrap_used)]

use heapwise_engine::Options;
use heapwise_ir::{FunctionId, Program};
use heapwise_testkit::annotated::c_files;
use heapwise_testkit::differential::load;
use heapwise_testkit::expectation::{self, Role};
use heapwise_testkit::lockstep::{Effort, Mode, Tally, check};
use heapwise_testkit::parallel;
use heapwise_testkit::random::{Knobs, Recursion, generate};
use heapwise_testkit::random_memory_c;
use std::path::{Path, PathBuf};

/// What was compared, one for each way of translation; or the runs that were lost.
type Compared = Result<[Tally; 4], String>;

/// All ways of translation, on one program.
fn check_all(program: &Program, entry: FunctionId, effort: Effort) -> Compared {
    let mut tallies: [Tally; 4] = Default::default();
    let mut lost = Vec::new();
    for (mode, tally) in Mode::ALL.into_iter().zip(&mut tallies) {
        match check(program, &Options::new(entry), mode, effort) {
            Ok(found) => *tally = found,
            Err(words) => lost.push(words.to_string()),
        }
    }
    if lost.is_empty() { Ok(tallies) } else { Err(lost.join("\n")) }
}

/// Prints how much was compared; the runs that were lost fail the test.
fn conclude(results: Vec<Compared>) -> [Tally; 4] {
    let mut total: [Tally; 4] = Default::default();
    let mut lost = Vec::new();
    for result in results {
        match result {
            Ok(tallies) => total.iter_mut().zip(&tallies).for_each(|(total, tally)| total.add(tally)),
            Err(words) => lost.push(words),
        }
    }
    for (mode, tally) in Mode::ALL.iter().zip(&total) {
        println!("{mode}: {tally}\n{}", tally.reasons(25));
    }
    assert!(lost.is_empty(), "runs of {} programs are lost:\n{}", lost.len(), lost.join("\n"));
    total
}

/// Each way of translation follows most of what programs do.
fn compares_most(total: &[Tally; 4]) {
    for (mode, tally) in Mode::ALL.into_iter().zip(total) {
        assert!(tally.share() >= 70, "{mode}: only {} % of the steps were compared", tally.share());
    }
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn c_programs(root: &Path) -> Vec<(PathBuf, Vec<PathBuf>)> {
    let mut programs = Vec::new();
    for file in c_files(root) {
        match expectation::read(&file) {
            Ok(Role::Analysed(expectation)) => programs.push((file, expectation.units)),
            Ok(Role::Differential { units }) => programs.push((file, units)),
            Ok(Role::PartOf(_)) => {}
            Err(_) => programs.push((file.clone(), vec![file])),
        }
    }
    programs
}

#[test]
fn no_run_of_a_c_test_is_lost() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let root = std::env::var_os("HEAPWISE_LOCKSTEP_ROOT").map_or(root, PathBuf::from);
    let programs = c_programs(&root);
    let results = parallel::map(threads(), &programs, |(file, units)| {
        // Programs that need options of the compiler are not read here.
        let Ok(program) = load(units) else { return Ok(Default::default()) };
        let Some(entry) = program.function_named("main") else { return Ok(Default::default()) };
        let found = check_all(&program, entry, Effort { runs: 400, steps: 4_000, max_steps: 400 });
        found.map_err(|lost| format!("{}:\n{lost}", file.display()))
    });
    conclude(results);
}

/// How many random programs are tried.
fn n_programs(usual: u64) -> u64 {
    std::env::var("HEAPWISE_LOCKSTEP_PROGRAMS").map_or(usual, |number| number.parse().unwrap())
}

#[test]
fn no_run_of_a_random_c_program_is_lost() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lockstep");
    std::fs::create_dir_all(&directory).unwrap();
    let seeds: Vec<u64> = (0..n_programs(150)).collect();
    let results = parallel::map(threads(), &seeds, |seed| {
        let text = random_memory_c::program(*seed);
        let file = directory.join(format!("{seed}.c"));
        std::fs::write(&file, &text).unwrap();
        let program = load(std::slice::from_ref(&file)).unwrap();
        let entry = program.function_named("main").unwrap();
        let found = check_all(&program, entry, Effort { runs: 100, steps: 2_000, max_steps: 400 });
        std::fs::remove_file(&file).unwrap();
        found.map_err(|lost| format!("seed {seed}:\n{lost}\n{text}"))
    });
    // Half of the rest is behind accesses of arrays at an index that is not known.
    compares_most(&conclude(results));
}

#[test]
fn no_run_of_a_random_program_is_lost() {
    let knobs = [
        Knobs::everything(),
        Knobs { recursion: Recursion::Forbidden, ..Knobs::everything() },
        Knobs::lists_with_globals_and_data(),
    ];
    let seeds: Vec<u64> = (0..n_programs(300)).collect();
    let results = parallel::map(threads(), &seeds, |seed| {
        let lowered = generate(&knobs[(*seed % 3) as usize], *seed).lower();
        let found = check_all(&lowered.program, lowered.main, Effort { runs: 400, steps: 2_000, max_steps: 200 });
        found.map_err(|lost| format!("seed {seed}:\n{lost}\n{}", lowered.c_text()))
    });
    compares_most(&conclude(results));
}
