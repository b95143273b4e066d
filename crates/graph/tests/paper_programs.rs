//! The programs of the paper's table, and their buggy twins.

use expect_test::expect;
use heapwise_cfront::{Flags, FrontOptions, Unit, load};
use heapwise_engine::{Certainty, Control, Engine, Options, Outcome};
use heapwise_graph::{Feasibility, GraphEngine, Mode, Settings};
use heapwise_ir::Program;
use heapwise_models::Models;
use heapwise_report::words;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> Program {
    let directories = [root().join("include"), root().join("benchmarks/graph")];
    let flags = Flags { include_directories: directories.to_vec(), ..Flags::default() };
    let unit = Unit { path: path.to_owned(), flags };
    let options = FrontOptions { entries: vec!["main".into()], ..FrontOptions::default() };
    match load(&[unit], &options, &Models::shipped()) {
        Ok(loaded) => loaded.program,
        Err(diagnostics) => panic!("{}: {diagnostics:?}", path.display()),
    }
}

fn programs(directory: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(root().join(directory))
        .expect("the directory of the programs")
        .map(|entry| entry.expect("a directory entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    assert_eq!(files.len(), 21);
    files
}

fn check(program: &Program, mode: Mode, feasibility: Feasibility) -> Outcome {
    let options = Options::new(program.function_named("main").expect("a main"));
    let engine = GraphEngine { settings: Settings { mode, feasibility } };
    engine.check(program, &options, &Control::unlimited())
}

fn findings(mode: Mode, feasibility: Feasibility) -> String {
    let mut text = String::new();
    for path in programs("benchmarks/graph") {
        let outcome = check(&read(&path), mode, feasibility);
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        for finding in &outcome.findings {
            let _ = writeln!(text, "{name}:{}: {}: {}", finding.span.line, finding.kind.name(), finding.message);
        }
        for gap in &outcome.gaps {
            let _ = writeln!(text, "{name}:{}: gap: {}", gap.span.line, words::gap(&gap.reason));
        }
    }
    text
}

#[test]
fn only_the_real_error_is_reported() {
    let expected = expect![[r#"
        search_nulldref:7: null-deref: memory is read through a null pointer
    "#]];
    expected.assert_eq(&findings(Mode::Full, Feasibility::Exact));
    expected.assert_eq(&findings(Mode::Decomposed, Feasibility::Exact));
}

#[test]
fn without_feasibility_the_two_false_alarms_of_the_paper_are_there() {
    expect![[r#"
        getLast:19: assert: the assertion may fail
        queue_2_stacks:21: null-deref: `first` may be dereferenced while null
        search_nulldref:7: null-deref: memory is read through a null pointer
    "#]]
    .assert_eq(&findings(Mode::Decomposed, Feasibility::Weak));
    expect![[r#"
        search_nulldref:7: null-deref: memory is read through a null pointer
    "#]]
    .assert_eq(&findings(Mode::Full, Feasibility::Weak));
}

/// The findings that the comments of a file announce: line and kind.
fn announced(path: &Path) -> Vec<(u32, String)> {
    let text = std::fs::read_to_string(path).expect("a readable file");
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if let Some((_, kind)) = line.split_once("//~^ ") {
            found.push((number - 1, kind.trim().to_owned()));
        } else if let Some((_, kind)) = line.split_once("//~ ") {
            found.push((number, kind.trim().to_owned()));
        }
    }
    found.sort();
    found
}

#[test]
fn every_buggy_twin_is_found_at_its_line_in_both_modes() {
    for path in programs("benchmarks/graph/buggy") {
        let program = read(&path);
        for mode in [Mode::Full, Mode::Decomposed] {
            let outcome = check(&program, mode, Feasibility::Exact);
            let mut found: Vec<(u32, String)> =
                outcome.findings.iter().map(|f| (f.span.line, f.kind.name().to_owned())).collect();
            found.sort();
            assert_eq!(found, announced(&path), "{} {mode:?} {:?}", path.display(), outcome.gaps);
            for finding in &outcome.findings {
                assert_eq!(finding.certainty, Certainty::Confirmed, "{} {mode:?} {finding:?}", path.display());
            }
        }
    }
}
