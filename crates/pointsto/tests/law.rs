//! The law of `pointsto`: every pointer that a run of `interp` holds lies where the graph says, in both modes.
//!
//! `HEAPWISE_POINTSTO_PROGRAMS=10000 cargo test --release -p heapwise-pointsto --test law -- --nocapture` is a long run.

#![allow(clippy::unwrap_used)]

#[path = "law/check.rs"]
mod check;

use check::{Tally, check};
use heapwise_testkit::annotated::c_files;
use heapwise_testkit::differential::load;
use heapwise_testkit::expectation::{self, Role};
use heapwise_testkit::parallel;
use heapwise_testkit::random::{Knobs, generate};
use heapwise_testkit::random_memory_c;
use std::path::{Path, PathBuf};

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn n_programs(usual: u64) -> u64 {
    std::env::var("HEAPWISE_POINTSTO_PROGRAMS").map_or(usual, |number| number.parse().unwrap())
}

/// Prints how much was compared; what broke the law fails the test.
fn conclude(results: Vec<Result<Tally, String>>) -> Tally {
    let mut total = Tally::default();
    let mut broken = Vec::new();
    for result in results {
        match result {
            Ok(tally) => total.add(tally),
            Err(words) => broken.push(words),
        }
    }
    println!("{total:?}");
    assert!(
        broken.is_empty(),
        "{} programs break the law:\n{}",
        broken.len(),
        broken[..broken.len().min(3)].join("\n")
    );
    assert!(total.pointers > 1000, "few pointers were compared: {total:?}");
    total
}

#[test]
fn pointers_of_c_tests_are_where_they_may_be() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let mut programs: Vec<(PathBuf, Vec<PathBuf>)> = Vec::new();
    for file in c_files(&root) {
        match expectation::read(&file) {
            Ok(Role::Analysed(expectation)) => programs.push((file, expectation.units)),
            Ok(Role::Differential { units }) => programs.push((file, units)),
            Ok(Role::PartOf(_)) => {}
            Err(_) => programs.push((file.clone(), vec![file])),
        }
    }
    let results = parallel::map(threads(), &programs, |(file, units)| {
        // Programs that need options of the compiler are not read here.
        let Ok(program) = load(units) else { return Ok(Tally::default()) };
        let Some(entry) = program.function_named("main") else { return Ok(Tally::default()) };
        check(&program, entry, 6, 600).map_err(|words| format!("{}:\n{words}", file.display()))
    });
    let total = conclude(results);
    assert!(total.unknown * 5 < total.pointers, "nothing is claimed of too many: {total:?}");
}

#[test]
fn pointers_of_random_c_programs_are_where_they_may_be() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pointsto");
    std::fs::create_dir_all(&directory).unwrap();
    let seeds: Vec<u64> = (0..n_programs(200)).collect();
    let results = parallel::map(threads(), &seeds, |seed| {
        let text = random_memory_c::program(*seed);
        let file = directory.join(format!("{seed}.c"));
        std::fs::write(&file, &text).unwrap();
        let program = load(std::slice::from_ref(&file)).unwrap();
        let entry = program.function_named("main").unwrap();
        let found = check(&program, entry, 8, 600);
        std::fs::remove_file(&file).unwrap();
        found.map_err(|words| format!("seed {seed}:\n{words}\n{text}"))
    });
    let total = conclude(results);
    assert!(total.unknown * 5 < total.pointers, "nothing is claimed of too many: {total:?}");
}

#[test]
fn pointers_of_random_programs_are_where_they_may_be() {
    let knobs = [Knobs::everything(), Knobs::lists_with_globals_and_data()];
    let seeds: Vec<u64> = (0..n_programs(300)).collect();
    let results = parallel::map(threads(), &seeds, |seed| {
        let lowered = generate(&knobs[(*seed % 2) as usize], *seed).lower();
        check(&lowered.program, lowered.main, 6, 400)
            .map_err(|words| format!("seed {seed}:\n{words}\n{}", lowered.c_text()))
    });
    conclude(results);
}
