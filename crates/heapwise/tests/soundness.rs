//! Verdicts against runs. Random memory programs in C, and mutants of the C tests, go through every engine: nobody says *safe*
//! where a run fails, and what is confirmed happens in the compiled program too.
//!
//! Long runs, with a summary (`--nocapture`; add `--release`):
//!
//! * `HEAPWISE_RANDOM_C=100000 cargo test -p heapwise --test soundness random`
//! * `HEAPWISE_MUTANTS=2000 cargo test -p heapwise --test soundness mutant`
//!
//! `HEAPWISE_FIRST_SEED` is where they begin; programs that show a problem go, made small, to the directory `HEAPWISE_KEEP`.

use heapwise_engine::Engine;
use heapwise_graph::{Feasibility, GraphEngine, Mode};
use heapwise_testkit::annotated::c_files;
use heapwise_testkit::expectation::{self, Role};
use heapwise_testkit::soundness::campaign::{Campaign, Case, Summary};
use heapwise_testkit::soundness::{Examiner, Sanitizing, mutate, syntax};
use heapwise_testkit::{differential, random_memory_c};
use heapwise_tvl::check::TvlEngine;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How many programs CI tries.
const RANDOM_PROGRAMS: u64 = 300;
/// How many numbers of mutants CI tries; about half of them are C.
const MUTANTS: u64 = 40;
/// For each engine, in CI and in a long run.
const SHORT: Duration = Duration::from_millis(400);
const LONG: Duration = Duration::from_secs(2);

#[test]
fn nobody_says_safe_where_a_run_of_a_random_program_fails() {
    // One program in twenty is compiled whatever the verdicts are; of those with a confirmed finding, all in a long run.
    let all = |seed: u64| if seed.is_multiple_of(20) { Sanitizing::Always(6) } else { Sanitizing::Confirmed };
    let some = |seed: u64| match seed % 20 {
        0 => Sanitizing::Always(6),
        1..=5 => Sanitizing::Confirmed,
        _ => Sanitizing::Never,
    };
    let is_long = std::env::var_os("HEAPWISE_RANDOM_C").is_some();
    let sanitizing: fn(u64) -> Sanitizing = if is_long { all } else { some };
    let text = |seed: u64| Some(random_memory_c::program(seed));
    conclude(&campaign("HEAPWISE_RANDOM_C", RANDOM_PROGRAMS, sanitizing, text));
}

#[test]
fn nobody_says_safe_where_a_run_of_a_mutant_fails() {
    let tests = tests_to_mutate();
    assert!(tests.len() > 200, "only {} files", tests.len());
    let text = |seed: u64| {
        let test = &tests[(seed % tests.len() as u64) as usize];
        let mutated = mutate::mutant(test, seed)?;
        is_accepted(&mutated).then_some(mutated)
    };
    conclude(&campaign("HEAPWISE_MUTANTS", MUTANTS, |_| Sanitizing::Streams(8), text));
}

fn conclude(summary: &Summary) {
    println!("{summary}");
    let wrong: Vec<String> = summary.wrong().map(ToString::to_string).collect();
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

/// Examines as many programs as the variable says, or else as CI does.
fn campaign(
    variable: &str,
    in_ci: u64,
    sanitizing: fn(u64) -> Sanitizing,
    text: impl Fn(u64) -> Option<String> + Sync,
) -> Summary {
    let engines = engines();
    let number = |variable: &str| std::env::var(variable).ok().and_then(|text| text.parse().ok());
    let first = number("HEAPWISE_FIRST_SEED").unwrap_or(0);
    let asked = number(variable);
    let examiner = Examiner { engines: &engines, time: if asked.is_some() { LONG } else { SHORT } };
    let keep = std::env::var_os("HEAPWISE_KEEP").map(PathBuf::from);
    let report = |case: &Case| {
        if let Some(directory) = &keep {
            let title = case.problem.title().replace([' ', ',', ':'], "-");
            let file = directory.join(format!("{}-{title}.c", case.seed));
            let text = format!("// seed {}: {}\n{}", case.seed, case.problem, case.text);
            std::fs::write(&file, text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        }
    };
    Campaign { examiner, threads: 2, sanitizing }.run(first..first + asked.unwrap_or(in_ci), text, report)
}

fn engines() -> Vec<(&'static str, Box<dyn Engine>)> {
    let decomposed = heapwise_graph::Settings { mode: Mode::Decomposed, feasibility: Feasibility::Exact };
    vec![
        ("graph", Box::new(GraphEngine::default())),
        ("graph-decomposed", Box::new(GraphEngine { settings: decomposed })),
        ("tvl", Box::new(TvlEngine::default())),
        ("explicit", Box::new(heapwise_interp::Explicit::default())),
    ]
}

/// The texts of the C tests that stand alone, need no options, and touch nothing but memory when they run. Those with a bug come
/// once, those without three times: a mutant of a buggy program is hardly ever called safe.
fn tests_to_mutate() -> Vec<String> {
    const OUTSIDE: [&str; 9] = ["fork", "exec", "system", "open", "unlink", "remove(", "kill", "socket", "write("];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let mut texts = Vec::new();
    for file in c_files(&root) {
        let Ok(Role::Analysed(expectation)) = expectation::read(&file) else { continue };
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        let stands_alone = expectation.units.len() == 1 && expectation.arguments.is_empty();
        if stands_alone && !OUTSIDE.iter().any(|word| text.contains(word)) {
            let times = if expectation.markers.is_empty() { 3 } else { 1 };
            texts.extend(std::iter::repeat_n(text, times));
        }
    }
    texts
}

/// Whether gcc and the front end take a text.
fn is_accepted(text: &str) -> bool {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("mutant.c");
    std::fs::write(&file, text).expect("a file");
    syntax(&file).is_ok() && differential::load(&[file]).is_ok()
}
