//! The analysis ends, whatever moves memory within itself; and it ends at once where it is told to.

#![allow(clippy::unwrap_used)]

mod common;

use common::program;
use heapwise_pointsto::{Arithmetic, Entries, Mode, Options, analyse_while};
use std::cell::Cell;

/// What a program of a few lines needs is a small part of that.
const MOST_STEPS: u64 = 3_000_000;

const PRELUDE: &str = "
    #include <stdlib.h>
    #include <string.h>
    struct pair { char *left; char *right; };
    struct table { char *name; long count; char *entries[4]; char *last; };
    extern unsigned long any(void);
";

/// Bytes are moved within a region, or to another and back, so that what is copied is copied again, further on.
const MOVES: &[&str] = &[
    // Down and up by less than a pointer, by a pointer, by more.
    "char *p = malloc(64); *(char **)p = p; memmove(p, p + 4, any());",
    "char *p = malloc(64); *(char **)p = p; memmove(p + 4, p, any());",
    "char *p = malloc(64); *(char **)(p + 8) = p; memmove(p + 8, p, any());",
    "char *p = malloc(64); *(char **)(p + 8) = p; memmove(p + 1, p, any());",
    "char *p = malloc(64); *(char **)(p + 8) = p; memmove(p + 24, p, any()); memmove(p, p + 20, any());",
    // With arrays in it.
    "struct table *t = malloc(sizeof *t); for (int i = 0; i < 4; i++) t->entries[i] = t->name;
     memmove(&t->count, &t->name, any());",
    "struct table *t = malloc(sizeof *t); for (int i = 0; i < 4; i++) t->entries[i] = (char *)t;
     memmove(&t->entries[1], &t->entries[0], any()); memmove((char *)t + 3, t, any());",
    "char *p = malloc(64); for (int i = 0; i < 8; i++) p[16 + i] = 0; *(char **)p = p; memmove(p + 12, p, any());",
    "char *p = malloc(64); for (int i = 0; i < 8; i++) p[16 + i] = 0; memmove(p + 100, p, any());",
    // Between two regions, one of them shifted.
    "char *p = malloc(64), *q = malloc(64); *(char **)p = p; memcpy(q + 4, p, any()); memcpy(p, q, any());",
    "char *p = malloc(64), *q = malloc(64); for (int i = 0; i < 4; i++) ((char **)p)[i] = q;
     memcpy(q + 4, p, any()); memcpy(p, q, any());",
    "struct table *t = malloc(sizeof *t), *u = malloc(sizeof *u); for (int i = 0; i < 4; i++) t->entries[i] = u->name;
     memcpy(&u->count, t, any()); memcpy(t, u, any());",
    // At several places.
    "char *p = malloc(64), *q = p; if (any()) q = p + 4; if (any()) q = p + 12; *(char **)q = p; memmove(q, p, any());",
    "char *p = malloc(64), *q = p; while (any()) q += 12; *(char **)q = p; memmove(q, p, any());",
    // By offsets at the ends of all numbers.
    "char *p = malloc(64), *q = p + 0x7ffffffffffffff0; *(char **)q = p; memmove(q, p, any()); memmove(p, q, any());",
    "char *p = malloc(64), *q = p - 0x7ffffffffffffff0; *(char **)q = p; memmove(q, p, any()); memmove(p, q, any());",
];

/// The same by calls.
const CALLS: &str = "
    static void move(char *to, char *from) { memmove(to, from, any()); }
    static void set(char **p, char *q, int n) { for (int i = 0; i < 4; i++) p[i] = q; if (n) set(p, q, n - 1); }
    static char *walk(struct pair *p, int n) { while (n--) p = (struct pair *)(&p->left + (n & 1)); return p->left; }
    static void again(char *p, int n) { move(p, p + 4); if (n) again(p + 4, n - 1); }
    static struct table *clone(struct table *t) { struct table *u = malloc(sizeof *u); memcpy(u, t, any()); return u; }
    int main(void) {
        char *p = malloc(640), *q = malloc(640);
        set((char **)p, q, 3); set((char **)(p + 8), p, 3); set((char **)(p + 4), p, 3);
        move(p, p + 8); move(p + 12, p); move(p, q + 4); move(q, p);
        again(p, 5); again(q + 1, 5);
        walk((struct pair *)p, 8);
        struct table *t = clone((struct table *)p), *u = clone((struct table *)(p + 8)), *v = clone((struct table *)(q + 4));
        memcpy(t, clone(u), any()); memcpy((char *)u + 4, clone(v), any());
        return t->last == u->name;
    }
";

fn steps(text: &str, mode: Mode, most: u64) -> Result<u64, u64> {
    let program = program(text);
    let taken = Cell::new(0);
    let arithmetic = Arithmetic::WithinObjects;
    let found = analyse_while(&program, &Options { mode, arithmetic, entries: Entries::Uncalled }, || {
        taken.set(taken.get() + 1);
        if taken.get() > most { Err(taken.get()) } else { Ok(()) }
    });
    found.map(|found| {
        found.verify().unwrap();
        taken.get()
    })
}

#[test]
fn memory_that_is_moved_within_itself() {
    let mut texts: Vec<String> =
        MOVES.iter().map(|body| format!("{PRELUDE} int main(void) {{ {body} return 0; }}")).collect();
    texts.push(format!("{PRELUDE} {CALLS}"));
    for text in texts {
        for mode in [Mode::ContextInsensitive, Mode::ContextSensitive] {
            assert!(steps(&text, mode, MOST_STEPS).is_ok(), "{mode:?} does not end on {text}");
        }
    }
}

#[test]
fn an_analysis_that_is_told_to_stop_has_no_result() {
    let text = format!("{PRELUDE} {CALLS}");
    for mode in [Mode::ContextInsensitive, Mode::ContextSensitive] {
        let all = steps(&text, mode, MOST_STEPS).unwrap();
        for most in [0, 1, 10, all / 2, all - 1] {
            assert_eq!(steps(&text, mode, most), Err(most + 1), "asked no more once it is told to stop");
        }
    }
}
