//! `heapwise tvla` from outside: exit statuses and files.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

fn heapwise(arguments: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Command::new(env!("CARGO_BIN_EXE_heapwise")).current_dir(root).arg("tvla").args(arguments).output().unwrap()
}

#[test]
fn verified_is_0_and_violated_is_1() {
    // The input beside the program is found by name, and the extension may be left out.
    assert_eq!(heapwise(&["tests/tvp/lists/reverse"]).status.code(), Some(0));
    let violated = heapwise(&["tests/tvp/lists/search.tvp", "tests/tvp/lists/search.tvs"]);
    assert_eq!(violated.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&violated.stdout).contains("null dereference of p"));
}

#[test]
fn a_malformed_file_is_2_with_its_line() {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("p.tvp");
    std::fs::write(&program, "%p x(v)\n%i y(v) =\n%%\n").unwrap();
    let output = heapwise(&[program.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("p.tvp:3: error: expected a formula, found `%%`"));
}

#[test]
fn structures_are_written_and_drawn() {
    let directory = tempfile::tempdir().unwrap();
    let (tvs, pictures) = (directory.path().join("out.tvs"), directory.path().join("pictures"));
    let arguments =
        ["tests/tvp/lists/create.tvp", "--output", tvs.to_str().unwrap(), "--draw", pictures.to_str().unwrap()];
    assert_eq!(heapwise(&arguments).status.code(), Some(0));
    assert!(std::fs::read_to_string(tvs).unwrap().starts_with("%location \"start\" = {"));
    assert!(std::fs::read_to_string(pictures.join("0001.svg")).unwrap().contains("<svg"));
    assert!(std::fs::read_to_string(pictures.join("structures.dot")).unwrap().contains("digraph"));
}
