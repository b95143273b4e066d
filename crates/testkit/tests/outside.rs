//! What `explicit` confirms behind inputs (`tests/c/input`) is what the compiled program does when it gets them: with the
//! choices of the finding it fails under gcc's sanitizers, as far as they see that kind of error; and the choices make the
//! run again in `interp`.

use heapwise_engine::{Budget, Cancel, Control, Kind, Options};
use heapwise_interp::{Explicit, Machine, MachineOptions, replay};
use heapwise_testkit::annotated::c_files;
use heapwise_testkit::expectation::{self, Role};
use heapwise_testkit::outside::Outside;
use heapwise_testkit::{differential, parallel};
use std::path::Path;
use std::time::Duration;

/// For each program: some have more inputs than anybody goes through, and show their errors long before.
const ENOUGH: Duration = Duration::from_secs(15);

#[test]
fn compiled_programs_fail_on_the_inputs_of_their_findings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/input");
    let files = c_files(&root);
    let answers = parallel::map(2, &files, |file| check(file));
    let failures: Vec<&String> = answers.iter().filter_map(|answer| answer.as_ref().err()).collect();
    assert!(failures.is_empty(), "{failures:#?}");
    let n_seen: usize = answers.iter().flatten().sum();
    assert!(n_seen >= 30, "only {n_seen} findings were seen by the sanitizers");
}

/// How many findings of a file the compiled program shows.
fn check(file: &Path) -> Result<usize, String> {
    let complain = |what: String| format!("{}: {what}", file.display());
    let Role::Analysed(expected) = expectation::read(file).map_err(|error| complain(error.to_string()))? else {
        return Err(complain("is not analysed".into()));
    };
    let program = differential::load(&[file.to_path_buf()])?;
    let entry = program.function_named("main").ok_or_else(|| complain("has no main".into()))?;
    let control = Control::start(Budget { time: Some(ENOUGH), ..Budget::default() }, Cancel::default());
    let findings = Explicit::default().failures(&program, &Options::new(entry), &control);
    let mut n_seen = 0;
    for finding in &findings {
        if !expected.markers.iter().any(|it| (it.kind, it.line) == (finding.kind, finding.span.line)) {
            return Err(complain(format!("{} on line {}", finding.kind.name(), finding.span.line)));
        }
        let machine = Machine::new(&program, MachineOptions::new(entry));
        let run = replay(&machine, &finding.choices, 1_000_000)
            .map_err(|(question, span)| complain(format!("{question:?} on line {} is not answered", span.line)))?;
        if !run.all_errors().any(|error| (error.kind, error.span) == (finding.kind, finding.span)) {
            return Err(complain(format!("the choices do not make the run again: {:?}", run.stop)));
        }
        if is_seen(finding.kind) {
            let directory = tempfile::tempdir().map_err(|error| complain(error.to_string()))?;
            let outside = Outside::new(&finding.choices);
            let run = outside.run(directory.path(), file).map_err(complain)?;
            if !run.went_wrong() {
                return Err(complain(format!("does not fail on {outside:?}")));
            }
            n_seen += 1;
        }
    }
    Ok(n_seen)
}

/// Whether gcc's sanitizers see this kind of error.
fn is_seen(kind: Kind) -> bool {
    match kind {
        Kind::NullDereference | Kind::UseAfterFree | Kind::DoubleFree | Kind::InvalidFree | Kind::OutOfBounds => true,
        Kind::DivisionByZero | Kind::Overflow | Kind::Assertion => true,
        // A lost block may still be in a stale slot of the stack.
        Kind::Leak | Kind::LeakAtExit => false,
        Kind::Uninitialised | Kind::DanglingReturn | Kind::Shape => false,
    }
}
