//! A class of shapes of a user's own: a text, and no change of the engine.

#![allow(clippy::unwrap_used)]

use heapwise_cfront::{Flags, FrontOptions, Unit, load};
use heapwise_engine::{Budget, Cancel, Control, Engine, Options, Outcome, Refinement, ShapeName, Verdict};
use heapwise_models::Models;
use heapwise_refine::{RefineEngine, Settings};
use heapwise_shapes::classes::ClassLibrary;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

fn check(path: &Path, classes: ClassLibrary, seconds: u64) -> Outcome {
    let unit = Unit { path: path.to_owned(), flags: Flags::default() };
    let options = FrontOptions { entries: vec!["main".to_owned()], ..FrontOptions::default() };
    let program = load(&[unit], &options, &Models::shipped()).unwrap().program;
    let options = Options::new(program.function_named("main").unwrap());
    let budget = Budget { time: Some(Duration::from_secs(seconds)), ..Budget::default() };
    let engine = RefineEngine { settings: Settings { classes, ..Settings::default() } };
    engine.check(&program, &options, &Control::start(budget, Cancel::default()))
}

#[test]
fn lists_whose_cells_know_the_last_one_are_proved_by_a_class_of_ones_own() {
    let text = std::fs::read_to_string(example("tailed-list.shapes")).unwrap();
    let own = ClassLibrary::shipped_and(&text).unwrap();
    let with = check(&example("tailed-list.c"), own.clone(), 100);
    assert_eq!(with.verdict(), Verdict::Safe, "{:?} {:?}", with.findings, with.gaps);
    let name = ShapeName::Own("tailed-list".to_owned());
    let is_told = |step: &Refinement| matches!(step, Refinement::Predicates { shape, .. } if *shape == name);
    assert!(with.refinements.iter().any(|step| is_told(&step.refinement)), "{:?}", with.refinements);
    let without = check(&example("tailed-list.c"), ClassLibrary::shipped(), 8);
    assert_eq!(without.verdict(), Verdict::Unknown);
    let program = std::fs::read_to_string(example("tailed-list.c")).unwrap();
    let twin = std::env::temp_dir().join(format!("heapwise-tailed-{}.c", std::process::id()));
    std::fs::write(&twin, program.replace("node->last = head->last;", "node->last = node;")).unwrap();
    let outcome = check(&twin, own, 100);
    std::fs::remove_file(&twin).unwrap();
    assert_eq!(outcome.verdict(), Verdict::Unsafe, "{:?}", outcome.gaps);
}
