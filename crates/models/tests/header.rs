//! `heapwise.h` compiles everywhere, with and without the tool, and says what the tool understands.

use heapwise_models::{Builtin, HEADER, LinkFields};
use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

const PROGRAM: &str = r##"
#include "heapwise.h"
struct cell { struct cell *next, *prev, *left, *right, *parent; struct { struct cell *next; } list; };
void use(struct cell *x, const struct cell *y);
void use(struct cell *x, const struct cell *y) {
    struct cell *only = x;
    hw_requires("true"); hw_ensures("true"); hw_dump("here");
    hw_assert_acyclic(only); hw_assert_cyclic(x); hw_assert_reach(x, y); hw_assert_disjoint(x, y);
    hw_assert_dll(x); hw_assert_tree(x); hw_assert_tree_parent(x);
    hw_assert_acyclic_by(x, list.next); hw_assert_cyclic_by(x, next); hw_assert_reach_by(x, y, next);
    hw_assert_disjoint_by(x, y, next); hw_assert_dll_by(x, next, prev); hw_assert_tree_by(x, left, right);
    hw_assert_tree_parent_by(x, left, right, parent);
    hw_assume_acyclic(x); hw_assume_cyclic(x); hw_assume_reach(x, y); hw_assume_disjoint(x, y);
    hw_assume_dll(x); hw_assume_tree(x); hw_assume_tree_parent(x);
    hw_assume_acyclic_by(x, list.next); hw_assume_cyclic_by(x, next); hw_assume_reach_by(x, y, next);
    hw_assume_disjoint_by(x, y, next); hw_assume_dll_by(x, next, prev); hw_assume_tree_by(x, left, right);
    hw_assume_tree_parent_by(x, left, right, parent);
}
"##;

/// Whether the compiler takes the program without a word, and what it printed.
fn compile(language: &str, options: &[&str], program: &str) -> (bool, String) {
    let include = concat!(env!("CARGO_MANIFEST_DIR"), "/../../include");
    let mut compiler = Command::new("cc")
        .args(["-x", language, "-Wall", "-Wextra", "-pedantic", "-Werror", "-I", include])
        .args(options)
        .args(["-fsyntax-only", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a C compiler");
    compiler.stdin.take().expect("piped").write_all(program.as_bytes()).expect("the compiler reads");
    let output = compiler.wait_with_output().expect("the compiler ends");
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn compiles_as_every_c_with_and_without_the_tool() {
    for standard in ["c89", "gnu89", "c99", "c11", "c17", "gnu17", "c2x"] {
        let standard = format!("-std={standard}");
        for tool in [&[][..], &["-D__HEAPWISE__"]] {
            let options: Vec<&str> = [standard.as_str()].into_iter().chain(tool.iter().copied()).collect();
            let (accepted, complaints) = compile("c", &options, PROGRAM);
            assert!(accepted, "{options:?}:\n{complaints}");
        }
    }
}

#[test]
fn compiles_as_cpp() {
    // A machine without a C++ compiler still has the C one tested above.
    let (present, _) = compile("c++", &[], "int main() { return 0; }\n");
    if present {
        for tool in [&[][..], &["-D__HEAPWISE__"]] {
            let (accepted, complaints) = compile("c++", tool, PROGRAM);
            assert!(accepted, "{complaints}");
        }
    }
}

#[test]
fn a_field_that_does_not_exist_is_an_error_without_the_tool() {
    let program = "#include \"heapwise.h\"\nstruct cell { int value; };\nvoid f(struct cell *x) { hw_assert_acyclic_by(x, next); }\n";
    let (accepted, complaints) = compile("c", &[], program);
    assert!(!accepted && complaints.contains("next"), "{complaints}");
}

/// The `__hw_…` names that the header declares, with the number of their parameters.
fn declared() -> BTreeSet<(String, usize)> {
    HEADER
        .lines()
        .filter_map(|line| line.strip_prefix("extern void ")?.strip_suffix(");")?.split_once('('))
        .map(|(name, parameters)| (name.to_owned(), parameters.split(',').count()))
        .collect()
}

#[test]
fn every_declared_function_is_understood() {
    let declared = declared();
    assert_eq!(declared.len(), 2 * 2 * 7 + 3);
    for (name, n_parameters) in declared {
        let n_expected = match Builtin::named(&name).unwrap_or_else(|| panic!("{name} is not understood")) {
            Builtin::Requires | Builtin::Ensures | Builtin::Dump => 1,
            Builtin::Shape { kind, fields, .. } => {
                let n_fields = match fields {
                    LinkFields::FromType => 0,
                    LinkFields::Named(n_fields) => n_fields as usize,
                };
                kind.n_arguments() + n_fields
            }
        };
        assert_eq!(n_parameters, n_expected, "{name}");
    }
}
