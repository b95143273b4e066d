//! Every annotated C file of `tests/c`, in every engine that it names, through the command line.

use heapwise_testkit::annotated::{Runner, Summary};
use std::path::Path;

#[test]
fn every_annotated_file_goes_as_announced() {
    let runner = Runner {
        heapwise: env!("CARGO_BIN_EXE_heapwise").into(),
        // A time that is given is used up where runs are many.
        arguments: Vec::new(),
        threads: 2,
    };
    let Summary { passed, failures } = runner.run_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c"));
    assert!(failures.is_empty(), "{passed} runs passed, {} failed:\n{}", failures.len(), failures.join("\n"));
    assert!(passed >= 120, "only {passed} runs: the files are missing");
}
