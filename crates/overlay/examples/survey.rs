//! Runs the engine on C files and says, per file, what it answers, how long it takes, and what stops it. Where a file announces
//! a verdict that some engine reaches, the answers are compared.
//!
//! `cargo run --release -p heapwise-overlay --example survey -- [--heaps] FILES OR DIRECTORIES`

use heapwise_cfront::{Flags, FrontOptions, Unit, load};
use heapwise_engine::{AllocationFailure, Budget, Cancel, Certainty, Control, Engine, Options, Verdict};
use heapwise_models::Models;
use heapwise_overlay::OverlayEngine;
use heapwise_report::words;
use heapwise_testkit::annotated::c_files;
use heapwise_testkit::expectation::{ExpectedVerdict, Role, read};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn main() {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut dump = false;
    for argument in std::env::args().skip(1) {
        if argument == "--heaps" {
            dump = true;
            continue;
        }
        let path = PathBuf::from(&argument);
        if path.is_dir() { files.extend(c_files(&path)) } else { files.push(path) }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut decided, mut agreed, mut wrong) = (0, 0, Vec::new());
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let mut times = Vec::new();
    for path in files {
        let expectation = match read(&path) {
            Ok(Role::Analysed(expectation)) => Some(expectation),
            Ok(_) => continue,
            Err(_) => None,
        };
        let flags = Flags { include_directories: vec![root.join("include")], ..Flags::default() };
        let units: Vec<Unit> = match &expectation {
            Some(expectation) => expectation.units.clone(),
            None => vec![path.clone()],
        }
        .into_iter()
        .map(|path| Unit { path, flags: flags.clone() })
        .collect();
        let Ok(loaded) =
            load(&units, &FrontOptions { entries: vec!["main".into()], ..FrontOptions::default() }, &Models::shipped())
        else {
            continue;
        };
        let program = loaded.program;
        let Some(main) = program.function_named("main") else { continue };
        let mut options = Options::new(main);
        let arguments = expectation.as_ref().map(|found| found.arguments.clone()).unwrap_or_default();
        if arguments.iter().any(|argument| argument == "--assume-malloc-succeeds") {
            options.allocation_failure = AllocationFailure::Never;
        } else if !arguments.is_empty() {
            continue;
        }
        if dump {
            println!(
                "{}",
                heapwise_overlay::engine::dump(
                    &program,
                    &options,
                    heapwise_overlay::predicate::Definitions::shipped(),
                    &Control::unlimited().with_elements(700)
                )
            );
        }
        let budget = Budget {
            time: Some(Duration::from_millis(
                std::env::var("SURVEY_MS").ok().and_then(|ms| ms.parse().ok()).unwrap_or(10_000),
            )),
            ..Budget::default()
        };
        let control = Control::start(budget, Cancel::default());
        let before = Instant::now();
        let outcome = OverlayEngine.check(&program, &options, &control);
        let took = before.elapsed();
        times.push(took);
        let verdict = outcome.verdict();
        let truth = expectation.iter().flat_map(|found| &found.engines).find_map(|(_, verdict)| match verdict {
            ExpectedVerdict::Safe => Some(Verdict::Safe),
            ExpectedVerdict::Unsafe => Some(Verdict::Unsafe),
            ExpectedVerdict::Unknown | ExpectedVerdict::Clean => None,
        });
        let mark = match truth {
            Some(truth) => {
                decided += 1;
                if truth == verdict {
                    agreed += 1;
                    "ok"
                } else if verdict == Verdict::Unknown {
                    "--"
                } else {
                    wrong.push(path.display().to_string());
                    "WRONG"
                }
            }
            None if expectation.as_ref().is_some_and(|found| {
                found.markers.iter().any(|marker| marker.necessity == heapwise_testkit::expectation::Necessity::Must)
            }) && verdict == Verdict::Safe =>
            {
                wrong.push(path.display().to_string());
                "WRONG"
            }
            None => "?",
        };
        println!(
            "{mark:5} {verdict:?} {:.3}s {} [{} heaps]",
            took.as_secs_f64(),
            path.display(),
            outcome.stats.elements
        );
        for finding in &outcome.findings {
            let certainty = if finding.certainty == Certainty::Possible { "possible" } else { "confirmed" };
            println!("        line {}: {certainty} {} {}", finding.span.line, finding.kind.name(), finding.message);
        }
        if verdict == Verdict::Unknown || mark == "WRONG" {
            for finding in outcome.findings.iter().filter(|finding| finding.certainty == Certainty::Possible) {
                *reasons.entry(format!("possible {}", finding.kind.name())).or_default() += 1;
            }
            for gap in &outcome.gaps {
                println!("        line {}: gap {}", gap.span.line, words::gap(&gap.reason));
            }
            let distinct: std::collections::BTreeSet<String> =
                outcome.gaps.iter().map(|gap| words::gap(&gap.reason)).collect();
            for reason in distinct {
                *reasons.entry(format!("gap {reason}")).or_default() += 1;
            }
            if let Some(stopped) = &outcome.stopped {
                println!("        {}", words::stopped(stopped));
                *reasons.entry(words::stopped(stopped)).or_default() += 1;
            }
        }
    }
    times.sort_unstable();
    let mut ranked: Vec<(usize, String)> = reasons.into_iter().map(|(reason, count)| (count, reason)).collect();
    ranked.sort_unstable_by(|left, right| right.cmp(left));
    for (count, reason) in ranked {
        println!("{count:5} {reason}");
    }
    println!(
        "decided by somebody: {decided}, agreed: {agreed}, wrong: {wrong:?}, median {:?}",
        times.get(times.len() / 2)
    );
}
