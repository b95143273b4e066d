//! C means the same to `interp` and to gcc: hand-written and random programs print the same and end the same way.

use heapwise_testkit::annotated::c_files;
use heapwise_testkit::expectation::{self, Role};
use heapwise_testkit::{differential, parallel, random_c};
use std::path::{Path, PathBuf};

/// How many random programs are compared.
const RANDOM_PROGRAMS: u64 = 150;

#[test]
fn hand_written_programs_print_the_same() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let mut programs = Vec::new();
    for path in c_files(&root) {
        if let Role::Differential { units } = expectation::read(&path).expect("its header is well-formed") {
            programs.push(units);
        }
    }
    assert!(programs.len() >= 80, "{} programs", programs.len());
    let results = parallel::map(2, &programs, |units| {
        let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
        differential::compare(directory.path(), units)
            .map_err(|difference| format!("{}: {difference}", units[0].display()))
    });
    report(results);
}

#[test]
fn random_programs_print_the_same() {
    let seeds: Vec<u64> = (0..RANDOM_PROGRAMS).collect();
    let results = parallel::map(2, &seeds, |seed| {
        let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
        let source: PathBuf = directory.path().join("random.c");
        std::fs::write(&source, random_c::program(*seed)).map_err(|error| error.to_string())?;
        differential::compare(directory.path(), &[source]).map_err(|difference| format!("seed {seed}: {difference}"))
    });
    report(results);
}

fn report(results: Vec<Result<(), String>>) {
    let total = results.len();
    let failures: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    assert!(failures.is_empty(), "{} of {total} differ:\n{}", failures.len(), failures.join("\n"));
}
