//! Findings that follow from one cause are one, in every engine and format; others are not.

// A panic is how a test fails, in its helper functions too.
#![allow(clippy::unwrap_used)]

use expect_test::{Expect, expect};
use std::fmt::Write as _;
use std::process::Command;

const PRELUDE: &str =
    "#include <stdlib.h>\nint __VERIFIER_nondet_int(void);\nstruct node { struct node *next; int v; };\n";

fn run(body: &str, arguments: &[&str]) -> String {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("a.c"), format!("{PRELUDE}{body}")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_heapwise"))
        .args(["check", "a.c"])
        .args(arguments)
        .current_dir(directory.path())
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The findings, the same in every engine, and what each stands for. The text starts on line 4.
fn check(body: &str, expected: Expect) {
    for engine in ["explicit", "graph", "tvl", "auto"] {
        check_in(engine, body, &expected);
    }
}

fn check_in(engine: &str, body: &str, expected: &Expect) {
    let report: serde_json::Value =
        serde_json::from_str(&run(body, &["--engine", engine, "--format", "json"])).unwrap();
    let mut text = format!("{}\n", report["verdict"].as_str().unwrap());
    for finding in report["findings"].as_array().unwrap() {
        let _ = write!(text, "{} {}", finding["line"], finding["kind"].as_str().unwrap());
        for also in finding["also"].as_array().unwrap() {
            let _ = write!(text, ", also {} {}", also["line"], also["kind"].as_str().unwrap());
        }
        text.push('\n');
    }
    expected.assert_eq(&text);
}

const FREED_ONCE: &str = "int main(void) {
  struct node *p = malloc(sizeof *p);
  if (!p) return 1;
  p->v = 1;
  free(p);
  if (__VERIFIER_nondet_int())
    return p->v;
  if (__VERIFIER_nondet_int())
    free(p);
  return p->next != NULL;
}
";

#[test]
fn uses_of_what_one_statement_freed() {
    let expected = expect![[r#"
        unsafe
        10 use-after-free, also 12 double-free, also 13 use-after-free
    "#]];
    check(FREED_ONCE, expected);
}

#[test]
fn two_frees_are_two_causes() {
    let body = "int main(void) {
  struct node *p = malloc(sizeof *p);
  if (!p) return 1;
  p->v = 1;
  if (__VERIFIER_nondet_int()) {
    free(p);
    return p->v;
  }
  free(p);
  return p->v;
}
";
    let expected = expect![[r#"
        unsafe
        10 use-after-free
        13 use-after-free
    "#]];
    check(body, expected);
}

#[test]
fn one_allocation_that_is_not_checked() {
    let body = "int main(void) {
  struct node *p = malloc(sizeof *p);
  if (__VERIFIER_nondet_int())
    p->v = 1;
  else
    p->next = NULL;
  free(p);
  struct node *q = malloc(sizeof *q);
  q->v = 1;
  free(q);
  return 0;
}
";
    let expected = expect![[r#"
        unsafe
        7 null-deref, also 9 null-deref
        12 null-deref
    "#]];
    check(body, expected);
}

#[test]
fn one_cell_that_is_lost_at_two_ends_of_its_function() {
    let body = "int main(void) {
  struct node *p = malloc(sizeof *p);
  if (!p) return 1;
  if (__VERIFIER_nondet_int())
    return 2;
  struct node *q = malloc(sizeof *q);
  if (!q)
    return 3;
  free(p);
  return 4;
}
";
    let expected = expect![[r#"
        unsafe
        8 leak, also 11 leak
        13 leak
    "#]];
    check(body, expected);
}

#[test]
fn one_variable_that_was_never_written() {
    let body = "int main(void) {
  int x, y;
  if (__VERIFIER_nondet_int())
    return x + 1;
  if (__VERIFIER_nondet_int())
    return x > 2;
  return y + 3;
}
";
    let expected = expect![[r#"
        unsafe
        7 uninitialised, also 9 uninitialised
        10 uninitialised
    "#]];
    check(body, expected);
}

#[test]
fn one_defect_behind_two_callers() {
    let body = "static int value(struct node *p) { return p->v; }
int main(void) {
  if (__VERIFIER_nondet_int())
    return value(NULL);
  return value(NULL);
}
";
    let expected = expect![[r#"
        unsafe
        4 null-deref
    "#]];
    check(body, expected);
}

#[test]
fn every_format_names_the_other_places() {
    let text = run(FREED_ONCE, &["--engine", "explicit"]);
    assert!(text.contains("for the same reason also at line 12 (double-free), line 13\n"), "{text}");
    assert!(text.contains("unsafe: 1 confirmed finding"), "{text}");
    let sarif: serde_json::Value =
        serde_json::from_str(&run(FREED_ONCE, &["--engine", "explicit", "--format", "sarif"])).unwrap();
    let related = sarif["runs"][0]["results"][0]["relatedLocations"].as_array().unwrap().clone();
    let lines: Vec<_> = related.iter().map(|at| at["physicalLocation"]["region"]["startLine"].as_u64()).collect();
    assert_eq!(lines, [Some(12), Some(13)]);
}
