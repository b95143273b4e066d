//! `heapwise doctor`, on machines made up by the PATH.

#![allow(clippy::unwrap_used)]

use expect_test::expect;
use heapwise_testkit::script::executable_script;
use std::path::Path;
use std::process::Command;

fn doctor(path: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_heapwise")).arg("doctor").env("PATH", path).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap().replace(path.to_str().unwrap(), "BIN");
    // The headers are those of this machine.
    text.lines().skip(4).map(|line| format!("{line}\n")).collect()
}

fn program(directory: &Path, name: &str, script: &str) {
    executable_script(&directory.join(name), script);
}

#[test]
fn a_bare_machine_lacks_nothing_that_is_needed() {
    let directory = tempfile::tempdir().unwrap();
    expect![[r#"
        gcc                  not found
                               `heapwise bench cfront` and `layout` cannot run; analyses do not need it (install gcc)
        prover builtin       always there
                               the default prover: exact where existential quantifiers come first, fast, shows models
        prover z3            not found
                               questions to it are answered `unknown`; nothing else changes (install z3)
        prover cvc5          not found
                               questions to it are answered `unknown`; nothing else changes (install cvc5)
        prover spass         not found
                               questions to it are answered `unknown`; nothing else changes (install spass)
        dot                  not found
                               DOT output can be written, not drawn here (install graphviz); HTML and SVG need nothing
    "#]]
    .assert_eq(&doctor(directory.path()));
}

#[test]
fn what_is_there_is_listed_with_its_version() {
    let directory = tempfile::tempdir().unwrap();
    program(directory.path(), "gcc", "echo 12.2.0");
    program(directory.path(), "z3", "echo 'Z3 version 4.99.1 - 64 bit'");
    program(directory.path(), "cvc5", "exec /bin/sleep 100");
    program(directory.path(), "SPASS", "echo; echo '\tSPASS V 3.9 '; exit 1");
    program(directory.path(), "dot", "exit 0");
    expect![[r#"
        gcc                  12.2.0 (BIN/gcc)
                               `heapwise bench` and the tests compare with it; analyses do not need it
        prover builtin       always there
                               the default prover: exact where existential quantifiers come first, fast, shows models
        prover z3            4.99.1 (BIN/z3)
                               can be asked in its place; a second opinion, no more precise on the questions of shape analysis
        prover cvc5          of unknown version (BIN/cvc5)
                               can be asked in its place; a second opinion, strong at finding finite models
        prover spass         3.9 (BIN/SPASS)
                               can be asked in its place; slow (a process per question), used to compare with published figures
        dot                  BIN/dot
                               draws what `--format dot` and `heapwise tvla` print; HTML and SVG need nothing
    "#]].assert_eq(&doctor(directory.path()));
}
