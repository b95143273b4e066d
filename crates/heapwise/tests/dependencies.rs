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
    ("heapwise-confirm", &["heapwise-ir", "heapwise-engine", "heapwise-interp"]),
    ("heapwise-pointsto", &["heapwise-ir"]),
    ("heapwise-fixpoint", &["heapwise-ir", "heapwise-engine"]),
    ("heapwise-numbers", &["heapwise-ir"]),
    ("heapwise-logic", &[]),
    ("heapwise-prover", &["heapwise-logic"]),
    (
        "heapwise-cells",
        &[
            "heapwise-dataflow",
            "heapwise-ir",
            "heapwise-engine",
            "heapwise-confirm",
            "heapwise-numbers",
            "heapwise-pointsto",
        ],
    ),
    ("heapwise-graph", &["heapwise-ir", "heapwise-engine", "heapwise-cells", "heapwise-confirm", "heapwise-fixpoint"]),
    (
        "heapwise-overlay",
        &["heapwise-dataflow", "heapwise-ir", "heapwise-engine", "heapwise-confirm", "heapwise-fixpoint"],
    ),
    (
        "heapwise-region",
        &[
            "heapwise-dataflow",
            "heapwise-ir",
            "heapwise-engine",
            "heapwise-confirm",
            "heapwise-fixpoint",
            "heapwise-pointsto",
        ],
    ),
    (
        "heapwise-tvl",
        &[
            "heapwise-dataflow",
            "heapwise-ir",
            "heapwise-engine",
            "heapwise-cells",
            "heapwise-confirm",
            "heapwise-fixpoint",
            "heapwise-logic",
            "heapwise-prover",
        ],
    ),
    (
        "heapwise-refine",
        &[
            "heapwise-ir",
            "heapwise-engine",
            "heapwise-interp",
            "heapwise-numbers",
            "heapwise-confirm",
            "heapwise-fixpoint",
            "heapwise-tvl",
            "heapwise-shapes",
            "heapwise-certificate",
        ],
    ),
    (
        "heapwise-shapes",
        &[
            "heapwise-ir",
            "heapwise-engine",
            "heapwise-fixpoint",
            "heapwise-pointsto",
            "heapwise-logic",
            "heapwise-numbers",
            "heapwise-tvl",
        ],
    ),
    // The checker knows nothing of the search.
    (
        "heapwise-certificate",
        &["heapwise-ir", "heapwise-engine", "heapwise-fixpoint", "heapwise-tvl", "heapwise-shapes"],
    ),
    ("heapwise-report", &["heapwise-ir", "heapwise-engine"]),
];

/// The library knows every crate above.
const LIBRARY: &str = "heapwise";

/// The top of the house, which may know the library, too, and each other.
const TOP: &[&str] = &["heapwise-cli", "heapwise-testkit", "heapwise-bench"];

/// Third-party crates that only these may know.
const ONLY_KNOWN_TO: &[(&str, &[&str])] = &[
    ("serde", &["heapwise-report", "heapwise-models"]),
    ("serde_json", &["heapwise-report", "heapwise-cli", "heapwise-testkit", "heapwise-bench"]),
    ("toml", &["heapwise-models", "heapwise-cli"]),
    ("clap", &["heapwise-cli", "heapwise-bench"]),
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
    assert!(!may_know("heapwise", "heapwise-bench") && !may_know("heapwise", "heapwise-cli"));
    assert!(may_know("heapwise-cli", "heapwise"));
}

/// Whoever analyses C from a program of their own gets no command line, no benchmarks and no test tools with it.
#[test]
fn the_library_pulls_neither_clap_nor_benchmarks() {
    let metadata = metadata(&["--filter-platform", &host()]);
    let id_of = |name: &str| {
        let mut packages = metadata["packages"].as_array().unwrap().iter();
        packages.find(|package| package["name"] == name).map(|package| package["id"].as_str().unwrap().to_owned())
    };
    let mut pulled = vec![id_of(LIBRARY).unwrap()];
    let mut next = 0;
    while let Some(id) = pulled.get(next) {
        let mut nodes = metadata["resolve"]["nodes"].as_array().unwrap().iter();
        let node = nodes.find(|node| node["id"] == id.as_str()).unwrap();
        for dependency in node["deps"].as_array().unwrap() {
            let id = dependency["pkg"].as_str().unwrap().to_owned();
            let is_normal = dependency["dep_kinds"].as_array().unwrap().iter().any(|kind| kind["kind"].is_null());
            if is_normal && !pulled.contains(&id) {
                pulled.push(id);
            }
        }
        next += 1;
    }
    assert!(pulled.contains(&id_of("annotate-snippets").unwrap()), "cargo metadata told too little");
    for unwanted in ["clap", "ctrlc", "heapwise-cli", "heapwise-bench", "heapwise-testkit", "proptest"] {
        assert!(!pulled.contains(&id_of(unwanted).unwrap()), "the library pulls {unwanted}");
    }
}

/// The platform that this is compiled for, as rustc calls it.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
}

fn may_know(package: &str, dependency: &str) -> bool {
    if TOP.contains(&package) {
        return true;
    }
    if package == LIBRARY {
        return MAY_KNOW.iter().any(|(name, _)| *name == dependency);
    }
    MAY_KNOW.iter().any(|(name, known)| *name == package && known.contains(&dependency))
}

/// What cargo says about the workspace.
fn metadata(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--format-version", "1"])
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The dependencies of all packages of the workspace; those of tests are free.
fn edges() -> Vec<(String, String)> {
    let metadata = metadata(&["--no-deps"]);
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
