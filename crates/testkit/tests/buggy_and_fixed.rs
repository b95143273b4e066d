//! The buggy programs of `tests/c/buggy` really fail where they say they do: with the choices that `explicit` reports, the
//! compiled program fails too, as far as gcc's sanitizers see that kind of error. Their fixed twins run clean. Both
//! compile without warnings.

use heapwise_engine::Kind;
use heapwise_testkit::annotated::c_files;
use heapwise_testkit::compiled::{self, Choices, Executable, Instrumentation, Warnings};
use heapwise_testkit::expectation::{self, ExpectedVerdict, Marker, Role};
use heapwise_testkit::{differential, parallel};
use std::path::{Path, PathBuf};

/// Runs of a fixed program; all must end well.
const FIXED_RUNS: u64 = 12;

#[test]
fn every_bug_shows_and_every_twin_runs_clean() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let buggy = c_files(&root.join("buggy"));
    let fixed = c_files(&root.join("fixed"));
    let names =
        |files: &[PathBuf]| files.iter().map(|file| file.file_name().map(ToOwned::to_owned)).collect::<Vec<_>>();
    assert_eq!(names(&buggy), names(&fixed), "every buggy program has a fixed twin");
    assert!(buggy.len() >= 60);

    let failures: Vec<String> = parallel::map(2, &buggy, |file| check_buggy(file).err())
        .into_iter()
        .chain(parallel::map(2, &fixed, |file| check_fixed(file).err()))
        .flatten()
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn check_buggy(file: &Path) -> Result<(), String> {
    let complain = |what: String| format!("{}: {what}", file.display());
    let marker = only_marker(file)?;
    let directory = tempfile::tempdir().map_err(|error| complain(error.to_string()))?;
    let executable = build(directory.path(), file)?;
    let failures = differential::failures(&[file.to_path_buf()])?;
    let [failure] = &failures[..] else { return Err(complain(format!("explicit confirms {failures:?}"))) };
    if (failure.kind, failure.line) != (marker.kind, marker.line) {
        return Err(complain(format!("explicit confirms {failure:?}")));
    }
    let run = executable.run(&failure.choices)?;
    let reported = run.reported_line(&file.file_name().unwrap_or_default().to_string_lossy());
    match sanitizer_says(marker.kind) {
        SanitizerSays::TheLine | SanitizerSays::ThatItFails if !run.went_wrong() => {
            Err(complain(format!("does not fail with {:?}", failure.choices)))
        }
        SanitizerSays::TheLine if reported != Some(marker.line) => {
            Err(complain(format!("fails on line {reported:?}, not on line {}\n{}", marker.line, run.stderr)))
        }
        SanitizerSays::TheLine | SanitizerSays::ThatItFails | SanitizerSays::LaterAtBest => Ok(()),
    }
}

fn check_fixed(file: &Path) -> Result<(), String> {
    let complain = |what: String| format!("{}: {what}", file.display());
    match expectation::read(file).map_err(|error| error.to_string())? {
        Role::Analysed(it)
            if it.markers.is_empty() && it.engines.iter().all(|(_, verdict)| has_no_finding(*verdict)) => {}
        _ => return Err(complain("is not announced as free of findings".into())),
    }
    let directory = tempfile::tempdir().map_err(|error| complain(error.to_string()))?;
    let executable = build(directory.path(), file)?;
    for seed in 0..FIXED_RUNS {
        let run = executable.run(&Choices::Seed(seed))?;
        if run.went_wrong() {
            return Err(complain(format!("fails with seed {seed}\n{}", run.stderr)));
        }
    }
    Ok(())
}

fn has_no_finding(verdict: ExpectedVerdict) -> bool {
    match verdict {
        ExpectedVerdict::Safe | ExpectedVerdict::Clean => true,
        ExpectedVerdict::Unsafe | ExpectedVerdict::Unknown => false,
    }
}

/// How much the sanitizers see of a kind of error.
enum SanitizerSays {
    /// They stop at the marked line.
    TheLine,
    /// They stop, elsewhere: a leak is reported with its allocation, a dangling result where it is used.
    ThatItFails,
    /// Nothing, or what follows from it: uninitialised memory and shapes.
    LaterAtBest,
}

fn sanitizer_says(kind: Kind) -> SanitizerSays {
    match kind {
        Kind::NullDereference
        | Kind::UseAfterFree
        | Kind::DoubleFree
        | Kind::InvalidFree
        | Kind::OutOfBounds
        | Kind::DivisionByZero
        | Kind::Overflow
        | Kind::Assertion => SanitizerSays::TheLine,
        Kind::Leak | Kind::LeakAtExit | Kind::DanglingReturn => SanitizerSays::ThatItFails,
        Kind::Uninitialised | Kind::Shape => SanitizerSays::LaterAtBest,
    }
}

fn only_marker(file: &Path) -> Result<Marker, String> {
    match expectation::read(file).map_err(|error| error.to_string())? {
        Role::Analysed(it) if it.markers.len() == 1 => Ok(it.markers[0].clone()),
        _ => Err(format!("{}: a buggy program has one marker", file.display())),
    }
}

fn build(directory: &Path, file: &Path) -> Result<Executable, String> {
    compiled::compile(directory, "program", &[file.to_path_buf()], Instrumentation::Sanitizers, Warnings::Errors)
}
