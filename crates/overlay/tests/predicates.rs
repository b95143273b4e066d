//! Predicates of a user: text alone, no Rust.

use heapwise_cfront::{Flags, FrontOptions, Unit, load};
use heapwise_engine::{Control, Engine, Options, Verdict};
use heapwise_ir::Program;
use heapwise_models::Models;
use heapwise_overlay::engine::{WithPredicates, dump};
use heapwise_overlay::groups::Grouping;
use heapwise_overlay::predicate::Definitions;
use std::path::{Path, PathBuf};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

fn program(path: PathBuf) -> Program {
    let unit = Unit { path, flags: Flags::default() };
    load(&[unit], &FrontOptions { entries: vec!["main".into()], ..FrontOptions::default() }, &Models::shipped())
        .expect("C")
        .program
}

fn definitions() -> Definitions {
    let text = std::fs::read_to_string(example("queue.pred")).expect("the example");
    Definitions::with(&text).expect("well-formed")
}

fn verdict(program: &Program, definitions: Definitions) -> Verdict {
    let options = Options::new(program.function_named("main").expect("main"));
    let engine = WithPredicates { definitions, grouping: Grouping::Single };
    engine.check(program, &options, &Control::unlimited()).verdict()
}

#[test]
fn a_queue_with_its_last_cell_in_the_header_is_described_by_the_users_predicate() {
    let program = program(example("queue.c"));
    let options = Options::new(program.function_named("main").expect("main"));
    assert_eq!(verdict(&program, definitions()), Verdict::Safe);
    let invariants = dump(&program, &options, definitions(), &Control::unlimited());
    assert!(invariants.contains("queue"), "{invariants}");
    let shipped = dump(&program, &options, Definitions::shipped(), &Control::unlimited());
    assert!(!shipped.contains("queue"), "{shipped}");
}

#[test]
fn a_queue_whose_header_keeps_a_freed_last_cell_is_not() {
    let text = std::fs::read_to_string(example("queue.c")).expect("the example");
    let broken = text.replace("    if (!header->first)\n        header->last = NULL;\n", "");
    let again = broken.replace("    free(header);\n", "    append(header, 1);\n    free(header);\n");
    assert_ne!(text, again);
    let directory = std::env::temp_dir().join(format!("heapwise-predicates-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory");
    let path = directory.join("queue.c");
    std::fs::write(&path, again).expect("a file");
    let verdict = verdict(&program(path), definitions());
    std::fs::remove_dir_all(&directory).expect("gone");
    assert_eq!(verdict, Verdict::Unsafe);
}

#[test]
fn what_is_wrong_with_a_text_is_said_with_its_line() {
    let error = |text: &str| Definitions::with(text).expect_err("a wrong text").to_string();
    assert_eq!(
        error("# nothing\npredicate ls(p, y)\n  links next\n  ports x = y\n  at x { next: y }"),
        "line 2: `ls` is defined twice"
    );
    assert_eq!(
        error(
            "predicate mine(p, y)\n  links next\n  ports x = y, l = p\n  at x { prev: y } R = mine(self, y) with l = R.l\n"
        ),
        "line 4: the rule does not say what `next` is"
    );
    assert_eq!(
        error(
            "predicate mine(p, y)\n  links next\n  ports x = y, l = p\n  at x { next: R.x } R = mine(self, y) with l = R.l\n"
        ),
        "line 1: `mine` has no rule at `l`"
    );
}
