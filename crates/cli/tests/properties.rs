//! What is not asked for with `--property` hides nothing that is: each kind of error before each other one, in each engine.

#![allow(clippy::unwrap_used)]

use heapwise_engine::Kind;
use std::fmt::Write as _;
use std::process::Command;

const PRELUDE: &str = r#"
#include <assert.h>
#include <stdlib.h>
#include <heapwise.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };
struct wide { struct node *next; struct node *more; };
struct node *kept;
static int *address_of_a_local(void) {
    int local = 1;
    return &local;
}
"#;

/// A function in which an error of the kind happens; where memory runs out it returns before that.
fn body(kind: Kind) -> &'static str {
    match kind {
        Kind::NullDereference => "struct node *p = NULL; p->next = NULL;",
        Kind::UseAfterFree => {
            "struct node *p = malloc(sizeof *p); if (!p) return; p->next = NULL; free(p); p->next = NULL;"
        }
        Kind::DoubleFree => "struct node *p = malloc(sizeof *p); if (!p) return; free(p); free(p);",
        Kind::InvalidFree => "struct node object; object.next = NULL; free(&object);",
        Kind::Leak => "struct node *p = malloc(sizeof *p); if (!p) return; p->next = NULL; p = NULL;",
        Kind::LeakAtExit => "kept = malloc(sizeof *kept); if (!kept) return; kept->next = NULL;",
        Kind::OutOfBounds => {
            "struct node *p = malloc(sizeof *p); if (!p) return; ((struct wide *)p)->more = NULL; free(p);"
        }
        Kind::Uninitialised => "int x; if (x) kept = NULL;",
        Kind::DanglingReturn => "int *p = address_of_a_local(); if (p == NULL) kept = NULL;",
        Kind::DivisionByZero => "int x = __VERIFIER_nondet_int(); if (7 / x == 3) kept = NULL;",
        Kind::Overflow => "int x = __VERIFIER_nondet_int(); if (x + 1 == 3) kept = NULL;",
        Kind::Assertion => "int x = __VERIFIER_nondet_int(); assert(x == 5);",
        Kind::Shape => {
            "struct node *p = malloc(sizeof *p); if (!p) return; p->next = p; hw_assert_acyclic(p); p->next = NULL; free(p);"
        }
    }
}

/// Whether C goes on behind an error of the kind.
fn goes_on(kind: Kind) -> bool {
    match kind {
        Kind::Leak | Kind::LeakAtExit | Kind::Uninitialised | Kind::DanglingReturn | Kind::Overflow | Kind::Shape => {
            true
        }
        Kind::NullDereference
        | Kind::UseAfterFree
        | Kind::DoubleFree
        | Kind::InvalidFree
        | Kind::OutOfBounds
        | Kind::DivisionByZero
        | Kind::Assertion => false,
    }
}

struct Answer {
    status: i32,
    text: String,
}

/// The answer of an engine about a program if nothing is asked but this kind.
fn ask(text: &str, engine: &str, kind: Kind) -> Answer {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("program.c");
    std::fs::write(&file, text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_heapwise"))
        .args(["check", "--engine", engine, "--property", kind.name()])
        .arg(&file)
        .output()
        .unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    Answer { status: output.status.code().unwrap(), text }
}

const SAFE: i32 = 0;
const UNSAFE: i32 = 1;
const UNKNOWN: i32 = 3;

const ENGINES: [&str; 4] = ["explicit", "graph", "tvl", "auto"];

#[test]
fn an_error_before_another_hides_it_only_where_the_run_ends_and_says_so() {
    let mut wrong = String::new();
    for first in Kind::ALL {
        for second in Kind::ALL {
            let (before, after) = (body(first), body(second));
            let text = format!(
                "{PRELUDE}static void first(void) {{ {before} }}\nstatic void second(void) {{ {after} }}\n\
                 int main(void) {{ first(); second(); return 0; }}\n"
            );
            for engine in ENGINES {
                let Answer { status, text } = ask(&text, engine, second);
                let named = format!("in {} at", heapwise_report::words::one_error(first));
                let is_right = match status {
                    UNSAFE | UNKNOWN => true,
                    SAFE => !goes_on(first) && first != second && text.contains(&named),
                    _ => false,
                };
                if !is_right {
                    let _ = writeln!(wrong, "{} then {} in {engine}: {text}", first.name(), second.name());
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The error that was not asked for and the one that was are about the same value.
#[test]
fn what_follows_from_an_error_that_was_not_asked_for_is_found() {
    let cases = [
        ("a dangling result is used", "int *p = address_of_a_local(); return *p;", Kind::UseAfterFree),
        ("a dangling result is freed", "int *p = address_of_a_local(); free(p); return 0;", Kind::InvalidFree),
        ("a claim fails behind an input that was never set", "int x; if (x) assert(0); return 0;", Kind::Assertion),
        ("another one", "int x; if (x) return 0; assert(0); return 0;", Kind::Assertion),
        (
            "null where a field was never set",
            "struct wide *p = malloc(sizeof *p); if (!p) return 0; \
          struct node *q = NULL; if (p->more) q->next = NULL; free(p); return 0;",
            Kind::NullDereference,
        ),
        ("a pointer that was never set is used", "struct node *p; p->next = NULL; return 0;", Kind::NullDereference),
        ("a pointer that was never set is freed", "struct node *p; free(p); return 0;", Kind::InvalidFree),
        (
            "a ring that was claimed to be a list",
            "struct node *p = malloc(sizeof *p); if (!p) return 0; p->next = p; \
          hw_assert_acyclic(p); struct node *q = p->next; free(p); free(q); return 0;",
            Kind::DoubleFree,
        ),
    ];
    let mut wrong = String::new();
    for (what, main, kind) in cases {
        let text = format!("{PRELUDE}int main(void) {{ {main} }}\n");
        for engine in ENGINES {
            let Answer { status, text } = ask(&text, engine, kind);
            if status != UNSAFE && status != UNKNOWN {
                let _ = writeln!(wrong, "{what}, in {engine}: {text}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Calls go by contracts whatever is asked: one that is not kept is no ground for *safe*.
#[test]
fn a_contract_that_is_not_kept_proves_nothing() {
    let text = format!(
        "{PRELUDE}struct node *pick(struct node *list) {{
            hw_requires(\"acyclic(list)\");
            hw_ensures(\"acyclic(result) && result != NULL\");
            return list;
        }}
        int main(void) {{ struct node *p = pick(NULL); p->next = NULL; return 0; }}\n"
    );
    for engine in ENGINES {
        let Answer { status, text } = ask(&text, engine, Kind::NullDereference);
        assert!(status == UNSAFE || status == UNKNOWN, "{engine}: {text}");
    }
}

/// What is right stays right whatever else is wrong.
#[test]
fn what_is_asked_for_and_right_is_safe() {
    let text = format!(
        "{PRELUDE}int main(void) {{
            int *q = address_of_a_local();
            int x;
            struct node *list = NULL;
            while (x) {{
                struct node *n = malloc(sizeof *n);
                if (!n) break;
                n->next = list;
                list = n;
                x = __VERIFIER_nondet_int();
            }}
            if (q) while (list) {{ struct node *next = list->next; free(list); list = next; }}
            while (list) {{ struct node *next = list->next; free(list); list = next; }}
            return 0;
        }}\n"
    );
    for engine in ["graph", "tvl"] {
        for kind in [Kind::NullDereference, Kind::UseAfterFree, Kind::DoubleFree, Kind::Leak, Kind::OutOfBounds] {
            let Answer { status, text } = ask(&text, engine, kind);
            assert_eq!(status, SAFE, "{} in {engine}: {text}", kind.name());
        }
        for kind in [Kind::Uninitialised, Kind::DanglingReturn] {
            let Answer { status, text } = ask(&text, engine, kind);
            assert_eq!(status, UNSAFE, "{} in {engine}: {text}", kind.name());
        }
    }
}
