//! The house rule of ARCHITECTURE.md: which crate may know which.

#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::process::Command;

/// What each crate may depend on, of this workspace.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("heapwise-dataflow", &[]),
    ("heapwise-ir", &["heapwise-dataflow"]),
    ("heapwise-engine", &["heapwise-ir"]),
    ("heapwise-models", &["heapwise-ir"]),
    ("heapwise-cfront", &["heapwise-ir", "heapwise-models"]),
    ("heapwise-interp", &["heapwise-ir", "heapwise-engine"]),
    ("heapwise-fixpoint", &["heapwise-ir", "heapwise-engine"]),
    ("heapwise-numbers", &["heapwise-ir"]),
    ("heapwise-logic", &[]),
    ("heapwise-prover", &["heapwise-logic"]),
    ("heapwise-cells", &["heapwise-dataflow", "heapwise-ir", "heapwise-engine", "heapwise-interp"]),
    ("heapwise-graph", &["heapwise-ir", "heapwise-engine", "heapwise-cells", "heapwise-fixpoint"]),
    (
        "heapwise-tvl",
        &[
            "heapwise-dataflow",
            "heapwise-ir",
            "heapwise-engine",
            "heapwise-cells",
            "heapwise-fixpoint",
            "heapwise-logic",
            "heapwise-prover",
        ],
    ),
    ("heapwise-report", &["heapwise-ir", "heapwise-engine"]),
];

/// The top of the house, which may know every crate above.
const TOP: &[&str] = &["heapwise", "heapwise-testkit", "heapwise-bench"];

/// Third-party crates that only these may know.
const ONLY_KNOWN_TO: &[(&str, &[&str])] = &[
    ("serde", &["heapwise-report", "heapwise-models"]),
    ("serde_json", &["heapwise-report", "heapwise", "heapwise-testkit", "heapwise-bench"]),
    ("toml", &["heapwise-models", "heapwise"]),
    ("clap", &["heapwise", "heapwise-bench"]),
    ("annotate-snippets", &["heapwise-report"]),
    ("rucc-", &["heapwise-cfront"]),
    ("batsat", &["heapwise-prover"]),
];

#[test]
fn no_crate_depends_on_what_it_must_not_know() {
    let mut broken = Vec::new();
    for (package, dependency) in edges() {
        if dependency.starts_with("heapwise") && !may_know(&package, &dependency) {
            broken.push(format!("{package} -> {dependency}"));
        }
        for (guarded, users) in ONLY_KNOWN_TO {
            let is_guarded =
                if guarded.ends_with('-') { dependency.starts_with(guarded) } else { dependency == *guarded };
            if is_guarded && !users.contains(&package.as_str()) {
                broken.push(format!("{package} -> {dependency}"));
            }
        }
    }
    assert!(broken.is_empty(), "edges that ARCHITECTURE.md forbids: {broken:#?}");
}

#[test]
fn the_rule_catches_an_engine_that_knows_the_front_end() {
    assert!(!may_know("heapwise-graph", "heapwise-cfront"));
    assert!(!may_know("heapwise-ir", "heapwise-engine"));
    assert!(!may_know("heapwise-new", "heapwise-ir"), "a new crate must be entered in the table");
    assert!(may_know("heapwise-tvl", "heapwise-logic"));
    assert!(may_know("heapwise", "heapwise-report"));
}

fn may_know(package: &str, dependency: &str) -> bool {
    if TOP.contains(&package) {
        return true;
    }
    MAY_KNOW.iter().any(|(name, known)| *name == package && known.contains(&dependency))
}

/// The dependencies of all packages of the workspace; those of tests are free.
fn edges() -> Vec<(String, String)> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut edges = Vec::new();
    for package in metadata["packages"].as_array().unwrap() {
        for dependency in package["dependencies"].as_array().unwrap() {
            if dependency["kind"].is_null() {
                let name = |value: &Value| value["name"].as_str().unwrap().to_owned();
                edges.push((name(package), name(dependency)));
            }
        }
    }
    assert!(edges.len() > 10, "cargo metadata told too little");
    edges
}
