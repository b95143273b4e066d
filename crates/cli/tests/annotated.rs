//! Every annotated C file of `tests/c`, in every engine that it names, through the command line.
//!
//! `HEAPWISE_ANNOTATED=overlay cargo test -p heapwise-cli --test annotated` runs one of its directories alone; the root may lie
//! anywhere (`HEAPWISE_ANNOTATED=/tmp/mine`).

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
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let part = std::env::var_os("HEAPWISE_ANNOTATED");
    let root = part.as_ref().map_or_else(|| all.clone(), |part| all.join(part));
    let Summary { passed, failures } = runner.run_all(&root);
    println!("{passed} runs passed, {} failed", failures.len());
    assert!(failures.is_empty(), "{passed} runs passed, {} failed:\n{}", failures.len(), failures.join("\n"));
    let fewest = if part.is_some() { 1 } else { 120 };
    assert!(passed >= fewest, "only {passed} runs: the files are missing");
}
