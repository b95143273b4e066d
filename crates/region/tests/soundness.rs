//! Verdicts against runs: whatever a concrete run shows of the four kinds is among the findings, or there is a gap; and never
//! *safe* where a run fails.
//!
//! `HEAPWISE_REGION_PROGRAMS=20000 cargo test --release -p heapwise-region --test soundness` is a long run.

use heapwise_cfront::{Flags, FrontOptions, Unit, load};
use heapwise_engine::{Budget, Cancel, Control, Engine, Kind, Options, Verdict};
use heapwise_interp::{Machine, MachineOptions, RandomChooser, State, run};
use heapwise_ir::Program;
use heapwise_models::Models;
use heapwise_region::RegionEngine;
use heapwise_testkit::random::{Knobs, Recursion, Weights, generate};
use heapwise_testkit::random_memory_c;
use std::path::PathBuf;
use std::time::Duration;

const KINDS: [Kind; 4] = [Kind::UseAfterFree, Kind::DoubleFree, Kind::InvalidFree, Kind::Leak];

/// How often each answer was given.
#[derive(Default, Debug)]
struct Tally {
    safe: u32,
    found: u32,
    gaps: u32,
    failing: u32,
}

/// The kinds of error that random runs show.
fn shown(program: &Program, options: &Options) -> Vec<(Kind, u32)> {
    let machine = Machine::new(program, MachineOptions::new(options.entry));
    let mut shown = Vec::new();
    for seed in 0..40 {
        let mut is_doubtful = false;
        let mut observe = |_: &Machine<'_>, state: &State| is_doubtful |= state.is_doubtful();
        let run = run(&machine, &mut RandomChooser::new(seed), Some(&mut observe), 2_000);
        if is_doubtful || !run.gaps.is_empty() {
            continue;
        }
        shown.extend(
            run.all_errors().filter(|error| KINDS.contains(&error.kind)).map(|error| (error.kind, error.span.line)),
        );
    }
    shown.sort_unstable();
    shown.dedup();
    shown
}

fn examine(name: &str, text: &str, program: &Program, tally: &mut Tally) {
    let main = program.function_named("main").expect("every program has a main");
    let options = Options { properties: KINDS.to_vec(), ..Options::new(main) };
    let budget = Budget { time: Some(Duration::from_secs(20)), ..Budget::default() };
    let outcome = RegionEngine::default().check(program, &options, &Control::start(budget, Cancel::default()));
    let shown = shown(program, &options);
    tally.failing += u32::from(!shown.is_empty());
    match outcome.verdict() {
        Verdict::Safe => tally.safe += 1,
        Verdict::Unsafe => tally.found += 1,
        Verdict::Unknown if outcome.findings.is_empty() => tally.gaps += 1,
        Verdict::Unknown => tally.found += 1,
    }
    assert!(outcome.verdict() != Verdict::Safe || shown.is_empty(), "{name}: safe, but {shown:?}\n{text}");
    if outcome.gaps.is_empty() && outcome.stopped.is_none() {
        for (kind, line) in shown {
            let is_found = outcome
                .findings
                .iter()
                .any(|finding| finding.kind == kind || finding.also.iter().any(|also| also.kind == kind));
            let found: Vec<_> = outcome.findings.iter().map(|finding| (finding.kind, finding.span.line)).collect();
            assert!(is_found, "{name}: {kind:?} at line {line} is missed, found are {found:?}\n{text}");
        }
    }
}

fn n_programs(unless_told: u64) -> u64 {
    let told = std::env::var("HEAPWISE_REGION_PROGRAMS").ok().and_then(|text| text.parse().ok());
    told.unwrap_or(unless_told)
}

fn read(text: &str, name: &str) -> Program {
    let directory: PathBuf = std::env::temp_dir().join(format!("heapwise-region-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory");
    let path = directory.join(format!("{name}.c"));
    std::fs::write(&path, text).expect("a file");
    let units = [Unit { path: path.clone(), flags: Flags::default() }];
    let loaded =
        load(&units, &FrontOptions { entries: vec!["main".to_owned()], ..FrontOptions::default() }, &Models::shipped());
    let program = loaded.expect("random programs are C").program;
    std::fs::remove_file(&path).expect("it was there");
    program
}

#[test]
fn what_runs_of_random_c_show_is_reported() {
    let mut tally = Tally::default();
    for seed in 0..n_programs(60) {
        let text = random_memory_c::program(seed);
        let program = read(&text, &format!("memory-{seed}"));
        examine(&format!("random memory C, seed {seed}"), &text, &program, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.failing > 0 && tally.found > 0);
}

#[test]
fn what_runs_of_random_list_programs_with_calls_show_is_reported() {
    let calls =
        Knobs { functions: 1..=2, weights: Weights { call: 2, ..Knobs::everything().weights }, ..Knobs::everything() };
    let all = [
        Knobs::singly_linked_lists(),
        Knobs::lists_with_calls(),
        Knobs::lists_with_globals_and_data(),
        Knobs { recursion: Recursion::Allowed, ..calls.clone() },
        Knobs { recursion: Recursion::Allowed, functions: 1..=2, ..Knobs::lists_with_calls() },
        Knobs::everything(),
    ];
    let mut tally = Tally::default();
    for (index, knobs) in all.iter().enumerate() {
        for seed in 0..n_programs(60) {
            let random = generate(knobs, seed).lower();
            let text = random.c_text().to_owned();
            examine(&format!("random lists, knobs {index}, seed {seed}"), &text, &random.program, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.safe > 0 && tally.found > 0 && tally.failing > 0);
}
