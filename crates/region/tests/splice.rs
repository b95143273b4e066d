//! `splice` of Hackett and Rugina, Fig. 2: the indices at every line, as Figs 10–11 give them (Fig. 5).

use heapwise_cfront::{Flags, FrontOptions, Unit, load};
use heapwise_engine::reason::Note;
use heapwise_engine::{Control, Engine, Options, SettingValues};
use heapwise_ir::Program;
use heapwise_models::Models;
use heapwise_region::{ENTRY, RegionEngine};
use std::collections::{BTreeMap, BTreeSet};

const PROGRAM: &str = "
typedef struct list { struct list *n; int data; } List;
void *malloc(unsigned long);
void abort(void);
List *splice(List *x, List *y) {
    List *t = 0;
    List *h = y;
    while (x != 0) {
        t = x;
        x = NEXT;
        t->n = y->n;
        y->n = t;
        y = y->n->n;
    }
    return h;
}
List *keep;
List *cons(List *r) { List *c = malloc(sizeof *c); if (!c) abort(); c->n = r; c->data = 0; return c; }
int main(int argc, char **argv) {
    List *a = 0, *b = cons(0);
    for (int i = 0; i < argc; i++) { a = cons(a); b = cons(b); }
    keep = splice(a, b);
    AGAIN
    return 0;
}
";

/// The same with another list, whose last cell leads back to its first.
const CYCLIC: &str = "
    List *first = cons(0), *ring = first, *other = 0;
    for (int i = 0; i < argc; i++) { ring = cons(ring); other = cons(other); }
    first->n = ring;
    keep = splice(other, ring);
";

fn program(next: &str, again: &str) -> Program {
    let directory = std::env::temp_dir().join(format!("heapwise-splice-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory");
    let path = directory.join(format!("splice-{}-{}.c", &next[..1], again.len()));
    std::fs::write(&path, PROGRAM.replace("NEXT", next).replace("AGAIN", again)).expect("a file");
    let units = [Unit { path, flags: Flags::default() }];
    let loaded =
        load(&units, &FrontOptions { entries: vec!["main".to_owned()], ..FrontOptions::default() }, &Models::shipped());
    loaded.expect("it is C").program
}

/// The indices at each location of `splice`, in the paper's letters; the list's own field is `L`.
fn indices(next: &str) -> BTreeMap<u32, BTreeSet<String>> {
    let program = program(next, "");
    let main = program.function_named("main").expect("a main");
    let splice = program.function_named("splice").expect("the function");
    let invariants = ENTRY.dumps.invariants.expect("it draws");
    let drawn = invariants(&SettingValues::default(), &program, &Options::new(main), &Control::unlimited());
    let mut found: BTreeMap<u32, BTreeSet<String>> = BTreeMap::new();
    for place in drawn.places.into_iter().filter(|place| place.function == splice) {
        for drawing in &place.drawings {
            let mut letters = BTreeSet::new();
            for arrow in &drawing.arrows {
                let name = &drawing.nodes[arrow.from].lines[0];
                let letter = match name.as_str() {
                    "$result" => "R".to_owned(),
                    name if name.starts_with('R') => format!("L{}", arrow.label),
                    name if name.starts_with('$') => continue,
                    name => name.to_uppercase(),
                };
                letters.insert(letter);
            }
            found.entry(place.location.as_u32()).or_default().insert(letters.into_iter().collect());
        }
    }
    found
}

fn set(words: &str) -> BTreeSet<String> {
    words.split_whitespace().map(str::to_owned).collect()
}

/// The loop head, and the locations behind `t = x`, `x = t->n`, `t->n = …`, `y->n = t`, as the lowering numbers them.
const HEAD: u32 = 3;
const AFTER_T: u32 = 6;
const AFTER_X: u32 = 7;
const AFTER_TN: u32 = 9;
const AFTER_YN: u32 = 10;
const EXIT: u32 = 1;

#[test]
fn splice_has_the_configurations_of_the_paper_at_most() {
    let found = indices("t->n");
    // What the paper's rules give; ours may exclude more, and must keep what runs show.
    let paper: [(u32, &str, &str); 5] = [
        (HEAD, "X H HY L LT LY LTY", "X H HY L"),
        (AFTER_T, "TX H HY L LY", "TX H HY L"),
        (AFTER_X, "T H HY L LX LXY LY", "T H HY L LX"),
        (AFTER_TN, "T H HY X XY L LY LX LXY L2 L2Y", "T H HY L X"),
        (AFTER_YN, "H HY X XY L LY LT", "H HY X L LT"),
    ];
    for (location, at_most, at_least) in paper {
        let here = &found[&location];
        assert!(here.is_subset(&set(at_most)), "L{location}: {here:?}");
        assert!(here.is_superset(&set(at_least)), "L{location}: {here:?}");
    }
    assert_eq!(found[&EXIT], set("R L"));
}

#[test]
fn a_list_that_is_advanced_by_its_own_variable_is_spliced_as_well() {
    assert_eq!(indices("x->n")[&EXIT], set("R L"));
}

/// How many configurations calls handed to functions, and how many of them where one like it had been handed before.
fn entered(again: &str) -> (u64, u64) {
    let program = program("t->n", again);
    let main = program.function_named("main").expect("a main");
    let outcome = RegionEngine::default().check(&program, &Options::new(main), &Control::unlimited());
    let counts = outcome.notes.iter().find_map(|note| match note {
        Note::Sites { entered, entered_before, .. } => Some((*entered, *entered_before)),
        _ => None,
    });
    counts.expect("it counts")
}

#[test]
fn a_ring_is_spliced_by_what_is_known_of_lists() {
    let (of_lists, reused_by_lists) = entered("");
    let (of_both, reused_by_both) = entered(CYCLIC);
    assert!(reused_by_both > reused_by_lists, "{reused_by_both} of {of_both}, {reused_by_lists} of {of_lists}");
    // Only the first cell of the ring is what no cell of a list is: two references lead to it.
    let is_new = (of_both - reused_by_both) - (of_lists - reused_by_lists);
    assert!(is_new <= 2, "{is_new}");
}
