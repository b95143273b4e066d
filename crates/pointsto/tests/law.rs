//! The law of `pointsto`: every pointer that a run of `interp` holds lies where the graph says, in both modes.
//!
//! `HEAPWISE_POINTSTO_PROGRAMS=10000 cargo test --release -p heapwise-pointsto --test law -- --nocapture` is a long run.

#![allow(clippy::unwrap_used)]

#[path = "law/check.rs"]
mod check;

use check::{Tally, check};
use heapwise_testkit::annotated::c_files;
use heapwise_testkit::differential::load;
use heapwise_testkit::expectation::{self, Role};
use heapwise_testkit::parallel;
use heapwise_testkit::random::{Knobs, generate};
use heapwise_testkit::random_memory_c;
use std::path::{Path, PathBuf};

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn n_programs(usual: u64) -> u64 {
    std::env::var("HEAPWISE_POINTSTO_PROGRAMS").map_or(usual, |number| number.parse().unwrap())
}

/// Prints how much was compared; what broke the law fails the test.
fn conclude(results: Vec<Result<Tally, String>>) -> Tally {
    let mut total = Tally::default();
    let mut broken = Vec::new();
    for result in results {
        match result {
            Ok(tally) => total.add(tally),
            Err(words) => broken.push(words),
        }
    }
    println!("{total:?}");
    assert!(
        broken.is_empty(),
        "{} programs break the law:\n{}",
        broken.len(),
        broken[..broken.len().min(3)].join("\n")
    );
    assert!(total.pointers > 1000, "few pointers were compared: {total:?}");
    total
}

#[test]
fn pointers_of_c_tests_are_where_they_may_be() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let mut programs: Vec<(PathBuf, Vec<PathBuf>)> = Vec::new();
    for file in c_files(&root) {
        match expectation::read(&file) {
            Ok(Role::Analysed(expectation)) => programs.push((file, expectation.units)),
            Ok(Role::Differential { units }) => programs.push((file, units)),
            Ok(Role::PartOf(_)) => {}
            Err(_) => programs.push((file.clone(), vec![file])),
        }
    }
    let results = parallel::map(threads(), &programs, |(file, units)| {
        // Programs that need options of the compiler are not read here.
        let Ok(program) = load(units) else { return Ok(Tally::default()) };
        let Some(entry) = program.function_named("main") else { return Ok(Tally::default()) };
        check(&program, entry, 6, 600).map_err(|words| format!("{}:\n{words}", file.display()))
    });
    let total = conclude(results);
    assert!(total.unknown * 5 < total.pointers, "nothing is claimed of too many: {total:?}");
}

#[test]
fn pointers_of_random_c_programs_are_where_they_may_be() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pointsto");
    std::fs::create_dir_all(&directory).unwrap();
    // The last one has a cell over the end of an array that no folding makes room for: it was placed without end.
    let seeds: Vec<u64> = (0..n_programs(200)).chain([120_015_846]).collect();
    let results = parallel::map(threads(), &seeds, |seed| {
        let text = random_memory_c::program(*seed);
        let file = directory.join(format!("{seed}.c"));
        std::fs::write(&file, &text).unwrap();
        let program = load(std::slice::from_ref(&file)).unwrap();
        let entry = program.function_named("main").unwrap();
        let found = check(&program, entry, 8, 600);
        std::fs::remove_file(&file).unwrap();
        found.map_err(|words| format!("seed {seed}:\n{words}\n{text}"))
    });
    let total = conclude(results);
    assert!(total.unknown * 5 < total.pointers, "nothing is claimed of too many: {total:?}");
}

#[test]
fn pointers_of_random_programs_are_where_they_may_be() {
    let knobs = [Knobs::everything(), Knobs::lists_with_globals_and_data()];
    let seeds: Vec<u64> = (0..n_programs(300)).collect();
    let results = parallel::map(threads(), &seeds, |seed| {
        let lowered = generate(&knobs[(*seed % 2) as usize], *seed).lower();
        check(&lowered.program, lowered.main, 6, 400)
            .map_err(|words| format!("seed {seed}:\n{words}\n{}", lowered.c_text()))
    });
    conclude(results);
}

/// A table of twelve functions: more than are told apart.
const MANY_TARGETS: &str = r#"
void *malloc(unsigned long); void free(void *); void *memcpy(void *, const void *, unsigned long);
int __VERIFIER_nondet_int(void);
struct node { struct node *next; void *data; struct node *(*op)(struct node **, void *); };
static void *kept; static struct node *all;
typedef struct node *operation(struct node **, void *);
static operation push, pop, keep, last, swap, nothing, wrap, copy, again, fresh, both, first;
static operation *const table[] = { push, pop, keep, last, swap, nothing, wrap, copy, again, fresh, both, first };
static struct node *push(struct node **head, void *data) {
    struct node *it = malloc(sizeof *it);
    if (!it) return 0;
    it->next = *head; it->data = data; it->op = nothing; *head = it;
    return it;
}
static struct node *pop(struct node **head, void *data) {
    struct node *it = *head;
    if (it) { *head = it->next; it->next = all; all = it; }
    return it;
}
static struct node *keep(struct node **head, void *data) { kept = data; if (*head) all = *head; return *head; }
static struct node *last(struct node **head, void *data) {
    struct node *it = *head;
    while (it && it->next) it = it->next;
    return it;
}
static struct node *swap(struct node **head, void *data) { struct node *it = *head; *head = all; all = it; return it; }
static struct node *nothing(struct node **head, void *data) { return 0; }
static struct node *wrap(struct node **head, void *data) { return push(head, head); }
static struct node *copy(struct node **head, void *data) {
    struct node *it = push(head, data);
    if (it && it->next) memcpy(it, it->next, sizeof *it);
    return it;
}
static struct node *again(struct node **head, void *data) {
    struct node *mine = 0, *it;
    it = table[(unsigned)__VERIFIER_nondet_int() % 8](&mine, &mine);
    if (it && it->op) it = it->op(&mine, data);
    all = mine;
    return it;
}
static struct node *fresh(struct node **head, void *data) { static struct node one; one.data = data; return &one; }
static struct node *both(struct node **head, void *data) { push(head, data); push(&all, data); return all; }
static struct node *first(struct node **head, void *data) { if (*head) (*head)->op = table[1]; return *head; }
static struct node *direct(void *data) { struct node *list = 0; push(&list, data); push(&list, &list); return last(&list, 0); }
int main(void) {
    struct node *left = 0, *right = 0; int x, y;
    struct node *one = direct(&x), *two = direct(&y);
    for (int i = 0; i < 6; i++) {
        one = table[(unsigned)__VERIFIER_nondet_int() % 12](&left, &x);
        two = table[(unsigned)__VERIFIER_nondet_int() % 12](&right, &y);
        if (one && __VERIFIER_nondet_int()) one->op = push;
        if (two && two->op) two = two->op(&left, one);
    }
    return kept == &x;
}
"#;

#[test]
fn pointers_through_calls_of_one_of_many_are_where_they_may_be() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("many-targets.c");
    std::fs::write(&file, MANY_TARGETS).unwrap();
    let program = load(std::slice::from_ref(&file)).unwrap();
    let entry = program.function_named("main").unwrap();
    let total = conclude(vec![check(&program, entry, n_programs(200), 800)]);
    assert!(total.calls > 200, "few calls through pointers: {total:?}");
    let options = heapwise_pointsto::Options::new(heapwise_pointsto::Mode::ContextSensitive, entry);
    let found = heapwise_pointsto::analyse(&program, &options);
    let together = program.functions.keys().filter(|function| found.stands_for[*function].is_some()).count();
    assert!(together >= 12, "{together} functions are called together");
}
