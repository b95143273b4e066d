//! Every C program under `tests/c` becomes a well-formed cell program, in each way that an engine asks for.

#![allow(clippy::unwrap_used)]

use heapwise_cells::Links;
use heapwise_cells::translate::{Calls, translate_calls};
use heapwise_cells::verifier;
use heapwise_engine::Options;
use heapwise_testkit::annotated::c_files;
use heapwise_testkit::differential::load;
use heapwise_testkit::expectation::{self, Role};
use std::path::Path;

#[test]
fn c_programs_become_well_formed_cell_programs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let (mut n_programs, mut failures) = (0, Vec::new());
    for file in c_files(&root) {
        let units = match expectation::read(&file) {
            Ok(Role::Analysed(expectation)) => expectation.units,
            Ok(Role::Differential { units }) => units,
            Ok(Role::PartOf(_)) | Err(_) => continue,
        };
        // Programs that need options of the compiler are not read here.
        let Ok(program) = load(&units) else { continue };
        let Some(entry) = program.function_named("main") else { continue };
        n_programs += 1;
        for (links, calls) in [
            (Links::OneToItself, Calls::Inlined),
            (Links::Every, Calls::Inlined),
            (Links::Every, Calls::Procedures),
            (Links::Every, Calls::ByContract),
        ] {
            let translation = translate_calls(&program, &Options::new(entry), links, calls);
            for problem in verifier::verify(&program, &translation) {
                let words = problem.describe(translation.source(&program), &translation.program);
                failures.push(format!("{} ({links:?}, {calls:?}): {words}", file.display()));
            }
        }
    }
    assert!(failures.is_empty(), "{} problems:\n{}", failures.len(), failures.join("\n"));
    assert!(n_programs > 500, "only {n_programs} programs were read");
}
