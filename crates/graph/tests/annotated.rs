//! The annotated C files about this engine, in both modes: verdicts, and every finding at its line.

use heapwise_cfront::{Flags, FrontOptions, Unit, load};
use heapwise_engine::{Certainty, Control, Engine, Finding, Options, Verdict};
use heapwise_graph::{Feasibility, GraphEngine, Mode, Settings};
use heapwise_models::Models;
use heapwise_testkit::annotated::c_files;
use heapwise_testkit::expectation::{Expectation, ExpectedVerdict, Marker, Necessity, Role, read};
use std::fmt::Write as _;
use std::path::Path;

#[test]
fn both_modes_say_what_a_file_announces() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let files = c_files(&root.join("tests/c/graph"));
    assert!(files.len() > 90, "only {} files", files.len());
    let mut complaints = String::new();
    for path in files {
        let Ok(Role::Analysed(expectation)) = read(&path) else { panic!("{}: no expectation", path.display()) };
        let flags = Flags { include_directories: vec![root.join("include")], ..Flags::default() };
        let unit = Unit { path: path.clone(), flags };
        let loaded = load(
            &[unit],
            &FrontOptions { entries: vec!["main".into()], ..FrontOptions::default() },
            &Models::shipped(),
        );
        let program = loaded.expect("a program that parses").program;
        let options = Options::new(program.function_named("main").expect("a main"));
        for mode in [Mode::Full, Mode::Decomposed] {
            let engine = GraphEngine { settings: Settings { mode, feasibility: Feasibility::Exact } };
            let outcome = engine.check(&program, &options, &Control::unlimited());
            let differences = differences(&expectation, outcome.verdict(), &outcome.findings);
            if !differences.is_empty() {
                let _ = writeln!(complaints, "{} {mode:?}\n{differences}  {:?}", path.display(), outcome.gaps);
            }
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
}

/// What was not announced, or is not there; a finding that must be there must be confirmed.
fn differences(expectation: &Expectation, verdict: Verdict, findings: &[Finding]) -> String {
    let expected = match expectation.engines.iter().find(|(engine, _)| engine == "graph") {
        Some((_, ExpectedVerdict::Safe)) => Verdict::Safe,
        Some((_, ExpectedVerdict::Unsafe)) => Verdict::Unsafe,
        Some((_, ExpectedVerdict::Unknown)) => Verdict::Unknown,
        other => panic!("no verdict that this test knows: {other:?}"),
    };
    let mut text = String::new();
    if verdict != expected {
        let _ = writeln!(text, "  {verdict:?}, not {expected:?}");
    }
    let is = |finding: &Finding, marker: &Marker| (finding.span.line, finding.kind) == (marker.line, marker.kind);
    for marker in expectation.markers.iter().filter(|marker| marker.necessity == Necessity::Must) {
        let shows = |finding: &Finding| is(finding, marker) && finding.certainty == Certainty::Confirmed;
        if !findings.iter().any(shows) {
            let _ = writeln!(text, "  line {}: no confirmed {}", marker.line, marker.kind.name());
        }
    }
    for finding in findings.iter().filter(|finding| !expectation.markers.iter().any(|marker| is(finding, marker))) {
        let _ = writeln!(text, "  line {}: {} {}", finding.span.line, finding.kind.name(), finding.message);
    }
    text
}
