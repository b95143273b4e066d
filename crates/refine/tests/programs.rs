//! Whole programs: what is proved, by which refinements, and what fails.

#![allow(clippy::unwrap_used)]

use heapwise_cfront::{Flags, FrontOptions, Unit, load};
use heapwise_engine::reason::{AskedShape, RefineGap};
use heapwise_engine::{Budget, Cancel, Control, Engine, Kind, Options, Outcome, Refinement, ShapeName, Verdict};
use heapwise_models::Models;
use heapwise_refine::RefineEngine;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn check(path: &Path, properties: Vec<Kind>) -> Outcome {
    let unit = Unit { path: path.to_owned(), flags: Flags::default() };
    let options = FrontOptions { entries: vec!["main".to_owned()], ..FrontOptions::default() };
    let program = load(&[unit], &options, &Models::shipped()).unwrap().program;
    let options = Options { properties, ..Options::new(program.function_named("main").unwrap()) };
    let budget = Budget { time: Some(Duration::from_secs(200)), ..Budget::default() };
    RefineEngine::default().check(&program, &options, &Control::start(budget, Cancel::default()))
}

fn benchmark(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/refine").join(name)
}

/// A program of this text, asked for all kinds that count by default.
fn check_text(name: &str, text: &str) -> Outcome {
    let path = std::env::temp_dir().join(format!("heapwise-refine-{}-{name}.c", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let outcome = check(&path, Kind::asked_by_default());
    std::fs::remove_file(&path).unwrap();
    outcome
}

#[test]
fn the_papers_example_is_proved_from_nothing() {
    let outcome = check(&benchmark("example.c"), vec![Kind::Assertion]);
    assert_eq!(outcome.verdict(), Verdict::Safe, "{outcome:?}");
    let log: Vec<Refinement> = outcome.refinements.iter().map(|step| step.refinement.clone()).collect();
    // First which pointers and fields, then which data structure, then which predicates.
    let tracked = log.iter().take_while(|step| matches!(step, Refinement::Tracked { .. })).count();
    let [Refinement::Sampled { shape, samples }, Refinement::Predicates { shape: of, families }] = &log[tracked..]
    else {
        panic!("{log:?}")
    };
    assert!(tracked > 0 && *samples >= 5);
    let dll = ShapeName::Known(AskedShape::DoublyLinked);
    assert_eq!((shape, of), (&dll, &dll));
    assert_eq!(families.as_slice(), ["cancellation"]);
}

#[test]
fn lists_and_trees_are_proved_and_their_twins_are_not() {
    for name in ["cancel_list_remove.c", "acyclic_list_link.c", "bintree_rotate_left.c", "treep_rotate_right.c"] {
        let outcome = check(&benchmark(name), vec![Kind::Assertion]);
        assert_eq!(outcome.verdict(), Verdict::Safe, "{name}: {:?} {:?}", outcome.findings, outcome.gaps);
    }
    for name in ["cancel_list_remove.c", "acyclic_list_link.c", "treep_rotate_right.c"] {
        let outcome = check(&benchmark("buggy").join(name), vec![Kind::Assertion]);
        assert_eq!(outcome.verdict(), Verdict::Unsafe, "{name}: {:?}", outcome.gaps);
    }
}

/// One error ends the search before another one is excluded or shown.
const TWO_ERRORS: &str = r"
#include <stdlib.h>
struct cell { int v; struct cell *next; };
static struct cell *make(int v) {
  struct cell r = { .v = v };
  struct cell *p = malloc(sizeof *p);
  if (p) *p = r;
  return p;
}
int main(void) {
  struct cell *c = make(3);
  int v = c->v;
  free(c);
  free(c);
  return v == 3;
}
";

#[test]
fn what_is_not_decided_behind_an_error_is_a_gap() {
    let outcome = check_text("two-errors", TWO_ERRORS);
    assert_eq!(outcome.verdict(), Verdict::Unsafe, "{outcome:?}");
    let is_found = outcome.findings.iter().any(|finding| finding.kind == Kind::DoubleFree);
    let is_gap = outcome.gaps.iter().any(|gap| gap.reason == RefineGap::Undecided.into());
    assert!(is_found || is_gap, "{outcome:?}");
}

/// A list whose cells hold ones up to the last, which holds a three.
const ONES: &str = r"
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int v; struct node *next; };
int main(void) {
  struct node *head = malloc(sizeof *head);
  if (!head) return 0;
  head->v = 3; head->next = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) break;
    n->v = 1; n->next = head; head = n;
  }
  struct node *p = head;
  while (p->v == 1) p = p->next;
  assert(p->v == 3);
  while (head) { struct node *t = head->next; free(head); head = t; }
  return 0;
}
";

#[test]
fn safety_that_depends_on_values_in_cells_is_proved() {
    let safe = check_text("ones", ONES);
    assert_eq!(safe.verdict(), Verdict::Safe, "{:?} {:?}", safe.findings, safe.gaps);
    let twins = [
        ("never-three", ONES.replace("head->v = 3;", "head->v = 1;")),
        ("used-after-free", ONES.replace("*t = head->next; free(head);", "*t = head; free(head); t = t->next;")),
        ("lost", ONES.replace("free(head); head = t;", "head = t;")),
        ("never-written", ONES.replace("n->v = 1;", "")),
    ];
    for (name, text) in twins {
        let outcome = check_text(name, &text);
        assert_eq!(outcome.verdict(), Verdict::Unsafe, "{name}: {:?} {:?}", outcome.findings, outcome.gaps);
    }
}

#[test]
fn what_is_not_followed_is_never_safe() {
    let programs = [
        (
            "address-of-global",
            "static int x; static void set(int *p) { *p = 1; } int main(void) { set(&x); return x - 1; }",
        ),
        ("array", "#include <stdlib.h>\nint main(void) { int *p = malloc(40); if (p) p[3] = 1; free(p); return 0; }"),
        (
            "union",
            "#include <stdlib.h>\nunion u { long n; long *p; };\nint main(void) { union u *c = malloc(sizeof *c); \
                   if (!c) return 0; c->n = 0; long *q = c->p; free(c); return q != 0; }",
        ),
        ("recursion", "static int f(int n) { return n ? f(n - 1) : 0; }\nint main(void) { return f(3); }"),
        ("number", "int main(void) { int *p = (int *)8; return p == 0; }"),
    ];
    for (name, text) in programs {
        let outcome = check_text(name, text);
        assert_eq!(outcome.verdict(), Verdict::Unknown, "{name}");
        assert!(!outcome.gaps.is_empty(), "{name}");
    }
}

#[test]
fn a_cell_that_only_untracked_variables_held_is_lost() {
    // Nothing is tracked at first, so no predicate changes where the last reference goes.
    let head = "#include <stdlib.h>\nstruct node { struct node *next; };\n";
    let programs = [
        (
            "global",
            "static struct node *cache;\nint main(void) { cache = calloc(1, sizeof *cache); cache = 0; exit(0); }",
        ),
        ("local", "int main(void) { struct node *n = calloc(1, sizeof *n); return 0; }"),
        (
            "result",
            "static struct node *f(void) { return calloc(1, sizeof(struct node)); }\nint main(void) { f(); exit(0); }",
        ),
        (
            "cell",
            "int main(void) { struct node *n = calloc(1, sizeof *n); if (!n) return 0; \
                  n->next = calloc(1, sizeof *n); free(n); return 0; }",
        ),
    ];
    for (name, text) in programs {
        let outcome = check_text(name, &format!("{head}{text}"));
        assert_eq!(outcome.verdict(), Verdict::Unsafe, "{name}: {:?} {:?}", outcome.findings, outcome.gaps);
    }
}
