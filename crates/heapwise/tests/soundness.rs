//! Verdicts against runs. Random memory programs in C, and mutants of the C tests, go through every engine: nobody says *safe*
//! where a run fails, and what is confirmed happens in the compiled program too.
//!
//! Long runs, with a summary (`--nocapture`; add `--release`):
//!
//! * `HEAPWISE_RANDOM_C=100000 cargo test -p heapwise --test soundness random`
//! * `HEAPWISE_MUTANTS=4000 cargo test -p heapwise --test soundness mutant`
//!
//! In a long run of random programs each goes through the lock-step test as well. `HEAPWISE_FIRST_SEED` is where they begin: every
//! half minute a line says what was seen so far, and where to begin again if the run is stopped. Programs that show a problem
//! go, when it is found, and again when they are smaller, to the directory `HEAPWISE_KEEP`.

use heapwise_engine::Engine;
use heapwise_graph::{Feasibility, GraphEngine, Mode};
use heapwise_testkit::annotated::c_files;
use heapwise_testkit::expectation::{self, Role};
use heapwise_testkit::lockstep::Effort;
use heapwise_testkit::soundness::campaign::{Audience, Campaign, Case};
use heapwise_testkit::soundness::summary::Summary;
use heapwise_testkit::soundness::{Claim, Examined, Sanitizing, mutate, syntax};
use heapwise_testkit::{differential, random_memory_c};
use heapwise_tvl::check::TvlEngine;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How many programs CI tries.
const RANDOM_PROGRAMS: u64 = 300;
/// How many numbers of mutants CI tries; about half of them are C.
const MUTANTS: u64 = 40;
/// For each engine, in CI.
const SHORT: Duration = Duration::from_millis(400);
/// For each engine in a long run. Programs whose lists grow as the input says use up whatever `explicit` is given, and most
/// of what is decided is decided in a tenth of a second: one random program in fifty and one mutant in ten is given all of it, the
/// others a part.
const LONG: Duration = Duration::from_secs(2);
const PART: Duration = Duration::from_millis(100);
/// How many random programs gcc is given together.
const TOGETHER: usize = 25;
/// In a long run, for each way of translation.
const LOCKSTEP: Effort = Effort { runs: 60, steps: 1_200, max_steps: 400 };

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
    let time: fn(u64) -> Duration = |seed| if seed.is_multiple_of(50) { LONG } else { PART };
    let scale = Scale { programs: RANDOM_PROGRAMS, together: TOGETHER, time, lockstep: is_long.then_some(LOCKSTEP) };
    conclude(&campaign("HEAPWISE_RANDOM_C", scale, sanitizing, text));
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
    // Mutants are compiled one by one: tests define what they like.
    let time: fn(u64) -> Duration = |seed| if seed.is_multiple_of(10) { LONG } else { SHORT };
    let scale = Scale { programs: MUTANTS, together: 1, time, lockstep: None };
    conclude(&campaign("HEAPWISE_MUTANTS", scale, |_| Sanitizing::Streams(8), text));
}

fn conclude(summary: &Summary) {
    println!("{summary}");
    let wrong: Vec<String> = summary.wrong().map(ToString::to_string).collect();
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

/// How much is examined.
struct Scale {
    /// Unless the variable says how many.
    programs: u64,
    together: usize,
    /// For each engine in a long run.
    time: fn(u64) -> Duration,
    lockstep: Option<Effort>,
}

/// Examines as many programs as the variable says, or else as CI does.
fn campaign(
    variable: &str,
    scale: Scale,
    sanitizing: fn(u64) -> Sanitizing,
    text: impl Fn(u64) -> Option<String> + Sync,
) -> Summary {
    let engines = engines();
    let number = |variable: &str| std::env::var(variable).ok().and_then(|text| text.parse().ok());
    let first = number("HEAPWISE_FIRST_SEED").unwrap_or(0);
    let asked = number(variable);
    let time = if asked.is_some() { scale.time } else { |_| SHORT };
    let told = Told { keep: std::env::var_os("HEAPWISE_KEEP").map(PathBuf::from) };
    let threads = number("HEAPWISE_THREADS").unwrap_or(2) as usize;
    let Scale { lockstep, together: batch, .. } = scale;
    let campaign = Campaign { engines: &engines, time, lockstep, threads, sanitizing, batch };
    campaign.run(first..first + asked.unwrap_or(scale.programs), text, &told)
}

/// Tells what a campaign finds.
struct Told {
    keep: Option<PathBuf>,
}

impl Audience for Told {
    fn problem(&self, case: &Case) {
        eprintln!("seed {}: {}", case.seed, case.problem);
        if let Some(directory) = &self.keep {
            let title = case.problem.title().replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
            let file = directory.join(format!("{}-{title}.c", case.seed));
            let problem: String = case.problem.to_string().lines().map(|line| format!("// {line}\n")).collect();
            let text = format!("// seed {}\n{problem}{}", case.seed, case.text);
            let written = std::fs::create_dir_all(directory).and_then(|()| std::fs::write(&file, text));
            written.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        }
    }

    fn progress(&self, summary: &Summary, resume: u64) {
        eprintln!("all before seed {resume} are done, {} problems\n{summary}", summary.cases.len());
    }
}

fn engines() -> Vec<Examined> {
    let decomposed = heapwise_graph::Settings { mode: Mode::Decomposed, feasibility: Feasibility::Exact };
    vec![
        asked_for_all("graph", GraphEngine::default()),
        asked_for_all("graph-decomposed", GraphEngine { settings: decomposed }),
        asked_for_all("tvl", TvlEngine::default()),
        asked_for_all("overlay", heapwise_overlay::OverlayEngine),
        // It has nothing to say about other kinds.
        Examined { claim: Claim::HeapCells, ..asked_for_all("region", heapwise_region::RegionEngine::default()) },
        asked_for_all("refine", heapwise_refine::RefineEngine::default()),
        asked_for_all("explicit", heapwise_interp::Explicit::default()),
    ]
}

fn asked_for_all(name: &'static str, engine: impl Engine + 'static) -> Examined {
    Examined { name, engine: Box::new(engine), claim: Claim::AllKinds }
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
