//! `heapwise assume`, `meet` and `transform` from outside.

#![allow(clippy::unwrap_used)]

use std::process::Command;
use tempfile::TempDir;

/// Runs in the root of the repository; the status, standard output and standard error.
fn heapwise(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_heapwise"))
        .args(arguments)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

const LIST: &str = "examples/most-precise/list.tvp";
const FIGURE_2: &str = "examples/most-precise/figure2.tvs";
const CONDITION: &str = "E(v, w) x(v) & n(v, w) & y(w)";

fn structures(text: &str) -> usize {
    text.matches("%n = {").count()
}

#[test]
fn the_running_example() {
    let (status, out, error) =
        heapwise(&["assume", "--vocabulary", LIST, "--structures", FIGURE_2, "--formula", CONDITION]);
    assert_eq!((status, structures(&out), error.as_str()), (0, 8, ""));
    assert!(out.starts_with("// 8 structures; the most precise result\n"), "{out}");
}

#[test]
fn the_output_is_read_back_and_drawn() {
    let directory = TempDir::new().unwrap();
    let out = directory.path().join("out");
    let path = out.to_str().unwrap();
    let arguments =
        ["assume", "--vocabulary", LIST, "--structures", FIGURE_2, "--formula", CONDITION, "--minimal", "--out", path];
    let (status, text, _) = heapwise(&arguments);
    assert_eq!(status, 0);
    let n = structures(&text);
    assert!(n < 8, "{text}");
    assert!(out.join(format!("{n:04}.svg")).exists());
    assert!(std::fs::read_to_string(out.join("structures.dot")).unwrap().contains("digraph"));
    // What all of it has in common with itself is what it represents: the eight structures again.
    let result = out.join("structures.tvs");
    let result = result.to_str().unwrap();
    let (status, again, _) =
        heapwise(&["meet", "--vocabulary", LIST, "--structures", result, "--structures2", FIGURE_2]);
    assert_eq!((status, structures(&again)), (0, 8));
}

#[test]
fn without_structures_the_formula_itself_is_abstracted() {
    let (status, out, _) = heapwise(&["assume", "--vocabulary", LIST, "--formula", "!(E(v) v == v)"]);
    assert_eq!((status, structures(&out)), (0, 1), "the empty structure: {out}");
}

#[test]
fn a_statement_and_the_same_as_a_formula() {
    let by_action =
        heapwise(&["transform", "--vocabulary", LIST, "--structures", FIGURE_2, "--action", "Get_Next(y, x)"]);
    let formula = "(E(v) x(v)) & (A(v) next[y](v) <-> (E(u) x(u) & n(u, v))) & (A(v) next[x](v) <-> x(v)) \
                   & (A(v, w) next[n](v, w) <-> n(v, w))";
    let by_formula = heapwise(&["transform", "--vocabulary", LIST, "--structures", FIGURE_2, "--formula", formula]);
    let body = |text: &str| text.lines().filter(|line| !line.starts_with("//")).collect::<Vec<_>>().join("\n");
    assert_eq!((by_action.0, by_formula.0), (0, 0), "{}{}", by_action.2, by_formula.2);
    assert_eq!(body(&by_action.1), body(&by_formula.1));
}

#[test]
fn a_limit_leaves_a_sound_result_and_says_so() {
    let (status, out, _) = heapwise(&[
        "assume",
        "--vocabulary",
        LIST,
        "--structures",
        FIGURE_2,
        "--formula",
        CONDITION,
        "--query-time",
        "0",
    ]);
    assert_eq!(status, 3);
    assert!(out.contains("there may be a more precise result"), "{out}");
}

fn complains(arguments: &[&str], expected: &str) {
    let (status, out, error) = heapwise(arguments);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(error.contains(expected), "{error}");
}

#[test]
fn bad_input_is_named() {
    let base = ["assume", "--vocabulary", LIST, "--structures", FIGURE_2, "--formula"];
    let with = |formula: &'static str| base.iter().copied().chain([formula]).collect::<Vec<_>>();
    complains(&with("E(v) z(v)"), "the predicate `z` is not declared");
    complains(&with("x(v)"), "the variable `v` of the formula is free");
    complains(&with("E(v) x(v) &"), "--formula:1: error:");
    complains(&["assume", "--vocabulary", "nowhere.tvp", "--formula", "1"], "cannot read `nowhere.tvp`");
    complains(&["assume", "--vocabulary", LIST, "--formula", "1", "--prover", "z4"], "no prover is called `z4`");
    complains(&["assume", "--vocabulary", FIGURE_2, "--formula", "1"], "hint: TVP syntax");
    complains(&["assume", "--vocabulary", LIST, "--structures", LIST, "--formula", "1"], "predicates: ");
    let transform = ["transform", "--vocabulary", LIST, "--structures", FIGURE_2, "--action"];
    let action = |call: &'static str| transform.iter().copied().chain([call]).collect::<Vec<_>>();
    complains(&action("Get_Next(x)"), "takes 2 argument(s), here it has 1");
    complains(&action("Forget(x)"), "the action `Forget` is not declared");
}
