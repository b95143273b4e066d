//! The annotated C files about this engine, in both modes.

use heapwise_cfront::{Flags, FrontOptions, Unit, load};
use heapwise_engine::{Control, Engine, Options, Verdict};
use heapwise_graph::{Feasibility, GraphEngine, Mode, Settings};
use heapwise_models::Models;
use std::path::Path;

#[test]
fn both_modes_give_the_verdict_that_a_file_announces() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/graph");
    let mut n_files = 0;
    for entry in std::fs::read_dir(directory).expect("the directory of the tests") {
        let path = entry.expect("a directory entry").path();
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let first = text.lines().next().unwrap_or_default();
        let expected = match first.rsplit_once("verdict: ").map(|(_, verdict)| verdict) {
            Some("safe") => Verdict::Safe,
            Some("unsafe") => Verdict::Unsafe,
            Some("unknown") => Verdict::Unknown,
            other => panic!("{}: no verdict that this test knows: {other:?}", path.display()),
        };
        let unit = Unit { path: path.clone(), flags: Flags::default() };
        let loaded = load(&[unit], &FrontOptions { entries: vec!["main".into()] }, &Models::shipped());
        let program = loaded.expect("a program that parses").program;
        let options = Options::new(program.function_named("main").expect("a main"));
        for mode in [Mode::Full, Mode::Decomposed] {
            let engine = GraphEngine { settings: Settings { mode, feasibility: Feasibility::Exact } };
            let outcome = engine.check(&program, &options, &Control::unlimited());
            let said = (&outcome.findings, &outcome.gaps);
            assert_eq!(outcome.verdict(), expected, "{} {mode:?}: {said:#?}", path.display());
        }
        n_files += 1;
    }
    assert!(n_files > 0);
}
