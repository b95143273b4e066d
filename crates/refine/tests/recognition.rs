//! Data structures are recognised from heaps that sampled runs build, not from types: the records of several of these
//! programs are the same.

#![allow(clippy::unwrap_used)]

use heapwise_cfront::{Flags, FrontOptions, Unit, load};
use heapwise_engine::{Control, Options};
use heapwise_ir::reachable_functions;
use heapwise_models::Models;
use heapwise_pointsto::Mode;
use heapwise_refine::samples::{HeapSamples, Thresholds};
use heapwise_shapes::classes::{ClassLibrary, SHIPPED};
use heapwise_shapes::memory::{Memory, ScalarVariable};

/// A program: its name, the links of its record, what `main` does with the root `s` and fresh cells `n`, and the class.
type Built = (&'static str, &'static str, &'static str, &'static str);

const LOOP: &str = "while (any()) { struct node *n = cell();";

/// Goes down from `s` and hangs `n` where there is room; `up` is what is done with the place.
macro_rules! hang {
    ($left:literal, $right:literal, $up:literal) => {
        concat!(
            "struct node *s = cell(); while (any()) { struct node *n = cell(); struct node *at = s; while (n) { ",
            "if (any()) { if (!at->",
            $left,
            ") { at->",
            $left,
            " = n; ",
            $up,
            " n = 0; } else at = at->",
            $left,
            "; } ",
            "else { if (!at->",
            $right,
            ") { at->",
            $right,
            " = n; ",
            $up,
            " n = 0; } else at = at->",
            $right,
            "; } } }"
        )
    };
}

const PROGRAMS: [Built; 25] = [
    ("a list by its front", "a", "struct node *s = 0; {LOOP} n->a = s; s = n; }", "sll"),
    ("a list by its end", "a", "struct node *s = cell(), *e = s; {LOOP} e->a = n; e = n; }", "sll"),
    ("a list behind its head", "a", "struct node *s = cell(); {LOOP} n->a = s->a; s->a = n; }", "sll"),
    ("a list in a record with two links", "a, *b", "struct node *s = 0; {LOOP} n->a = s; s = n; }", "sll"),
    ("a list along the second link", "a, *b", "struct node *s = 0; {LOOP} n->b = s; s = n; }", "sll"),
    ("a ring behind its head", "a", "struct node *s = cell(); s->a = s; {LOOP} n->a = s->a; s->a = n; }", "cyclic"),
    ("a ring that turns", "a", "struct node *s = cell(); s->a = s; {LOOP} n->a = s->a; s->a = n; s = n; }", "cyclic"),
    (
        "a ring along the second link",
        "a, *b",
        "struct node *s = cell(); s->b = s; {LOOP} n->b = s->b; s->b = n; }",
        "cyclic",
    ),
    (
        "a ring that is walked",
        "a",
        "struct node *s = cell(); s->a = s; {LOOP} n->a = s->a; s->a = n; if (any()) s = s->a; }",
        "cyclic",
    ),
    (
        "a ring from which cells go",
        "a",
        "struct node *s = cell(); s->a = s; {LOOP} n->a = s->a; s->a = n; \
         if (any() && s->a->a != s) s->a = s->a->a; }",
        "cyclic",
    ),
    ("both ways by the front", "a, *b", "struct node *s = cell(); {LOOP} n->a = s; s->b = n; s = n; }", "dll"),
    ("both ways by the end", "a, *b", "struct node *s = cell(), *e = s; {LOOP} e->a = n; n->b = e; e = n; }", "dll"),
    (
        "both ways behind the head",
        "a, *b",
        "struct node *s = cell(); {LOOP} n->a = s->a; if (s->a) s->a->b = n; s->a = n; n->b = s; }",
        "dll",
    ),
    (
        "both ways, and cells go",
        "a, *b",
        "struct node *s = cell(); {LOOP} n->a = s; s->b = n; s = n; \
         if (any() && s->a->a) { s->a = s->a->a; s->a->b = s; } }",
        "dll",
    ),
    (
        "both ways along other links of three",
        "a, *b, *c",
        "struct node *s = cell(); {LOOP} n->c = s; s->a = n; s = n; }",
        "dll",
    ),
    ("a tree by its leaves", "a, *b", hang!("a", "b", ""), "tree"),
    ("a tree by its root", "a, *b", "struct node *s = cell(); {LOOP} n->a = s; n->b = cell(); s = n; }", "tree"),
    (
        "a tree by its root, the other way",
        "a, *b",
        "struct node *s = cell(); {LOOP} n->b = s; n->a = cell(); s = n; }",
        "tree",
    ),
    ("a tree along two of three links", "a, *b, *c", hang!("a", "c", ""), "tree"),
    ("a tree along the last two links", "a, *b, *c", hang!("b", "c", ""), "tree"),
    ("a tree with parents by its leaves", "a, *b, *c", hang!("a", "b", "n->c = at;"), "tree-parent"),
    ("a tree whose first link is the parent", "a, *b, *c", hang!("b", "c", "n->a = at;"), "tree-parent"),
    ("a tree whose second link is the parent", "a, *b, *c", hang!("a", "c", "n->b = at;"), "tree-parent"),
    (
        "a tree with parents by its root",
        "a, *b, *c",
        "struct node *s = cell(); {LOOP} n->a = s; s->c = n; n->b = cell(); n->b->c = n; s = n; }",
        "tree-parent",
    ),
    (
        "a tree with parents that is turned",
        "a, *b, *c",
        "struct node *s = cell(); {LOOP} n->a = s; s->c = n; n->b = cell(); n->b->c = n; s = n; \
         if (any()) { struct node *t = s->a; s->a = s->b; s->b = t; } }",
        "tree-parent",
    ),
];

/// One record with two links, used in different ways; the root is looked at where other structures of the same type are.
const ONE_TYPE: [Built; 12] = [
    (
        "a list beside a tree",
        "a, *b",
        "struct node *s = 0, *t = cell(); while (any()) { struct node *n = cell(); n->a = s; s = n; \
         struct node *m = cell(); m->a = t; m->b = cell(); t = m; }",
        "sll",
    ),
    (
        "a tree beside a list",
        "a, *b",
        "struct node *t = 0, *s = cell(); while (any()) { struct node *n = cell(); n->a = t; t = n; \
         struct node *m = cell(); m->a = s; m->b = cell(); s = m; }",
        "tree",
    ),
    (
        "both ways beside a ring",
        "a, *b",
        "struct node *r = cell(), *s = cell(); r->a = r; {LOOP} n->a = s; s->b = n; s = n; \
         struct node *m = cell(); m->a = r->a; r->a = m; }",
        "dll",
    ),
    (
        "a ring beside both ways",
        "a, *b",
        "struct node *d = cell(), *s = cell(); s->a = s; {LOOP} n->a = d; d->b = n; d = n; \
         struct node *m = cell(); m->a = s->a; s->a = m; }",
        "cyclic",
    ),
    (
        "a search tree by keys",
        "a, *b",
        "struct node *s = cell(); s->data = 50; {LOOP} n->data = __VERIFIER_nondet_int(); struct node *at = s; \
         for (;;) { if (n->data < at->data) { if (!at->a) { at->a = n; break; } at = at->a; } \
         else { if (!at->b) { at->b = n; break; } at = at->b; } } }",
        "tree",
    ),
    (
        "a list that is turned around",
        "a, *b",
        "struct node *l = 0, *s = 0; {LOOP} n->a = l; l = n; } \
         while (l) { struct node *n = l->a; l->a = s; s = l; l = n; }",
        "sll",
    ),
    (
        "both ways with a switch over inputs",
        "a, *b",
        "struct node *s = cell(), *e = s; while (any()) { struct node *n = cell(); switch (any() + any()) { \
         case 0: n->b = s; s->a = n; s = n; break; default: n->a = e; e->b = n; e = n; break; } }",
        "dll",
    ),
    (
        "a queue by both ends",
        "a, *b",
        "struct node *s = 0, *e = 0; {LOOP} if (e) e->b = n; else s = n; e = n; }",
        "sll",
    ),
    (
        "a list of which every other cell goes",
        "a, *b",
        "struct node *s = cell(); {LOOP} n->a = s; s = n; struct node *m = cell(); m->a = s->a; s->a = m; \
         s->a = m->a; free(m); }",
        "sll",
    ),
    (
        "a tree of which a leaf goes",
        "a, *b",
        "struct node *s = cell(); {LOOP} n->b = s; n->a = cell(); s = n; \
         if (any()) { free(s->a); s->a = 0; } }",
        "tree",
    ),
    (
        "both ways, made by cells of a chain",
        "a, *b",
        "struct node *s = cell(); while (any()) { struct node *e = s; while (e->a) e = e->a; e->a = cell(); \
         e->a->b = e; }",
        "dll",
    ),
    (
        "a ring both ways",
        "a, *b",
        "struct node *s = cell(); s->a = s; s->b = s; {LOOP} n->a = s->a; n->b = s; s->a->b = n; s->a = n; }",
        "dll",
    ),
];

fn recognised((name, links, body, _): Built) -> Option<String> {
    let text = format!(
        "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n\
         struct node {{ int data; struct node *{links}; }};\n\
         static int any(void) {{ return __VERIFIER_nondet_int() != 0; }}\n\
         static struct node *cell(void) {{ struct node *n = calloc(1, sizeof(struct node)); if (!n) exit(1); return n; }}\n\
         int main(void) {{ {} return s == 0; }}\n",
        body.replace("{LOOP}", LOOP)
    );
    let path =
        std::env::temp_dir().join(format!("heapwise-recognition-{}-{}.c", std::process::id(), name.replace(' ', "-")));
    std::fs::write(&path, text).unwrap();
    let units = [Unit { path: path.clone(), flags: Flags::default() }];
    let loaded =
        load(&units, &FrontOptions { entries: vec!["main".to_owned()], ..FrontOptions::default() }, &Models::shipped());
    std::fs::remove_file(&path).unwrap();
    let program = loaded.unwrap_or_else(|problems| panic!("{name}: {problems:?}")).program;
    let options = Options::new(program.function_named("main").unwrap());
    let pointsto =
        heapwise_pointsto::analyse(&program, &heapwise_pointsto::Options::new(Mode::ContextInsensitive, options.entry));
    let functions = reachable_functions(&program, options.entry, &pointsto);
    let memory = Memory::new(&program, &pointsto, functions);
    let samples = HeapSamples::take(&memory, &options, Thresholds::default(), &Control::unlimited()).unwrap();
    let library = ClassLibrary::parse(SHIPPED).unwrap();
    let main = &program.functions[options.entry];
    let (root, _) = main.registers.iter().find(|(_, register)| register.name == "s").unwrap();
    let variable = ScalarVariable::Register(options.entry, root);
    let (_, found) = samples.of.iter().find(|((_, of), _)| *of == variable)?;
    found.recognise(&library).map(|recognised| library.class(recognised.class).name.clone())
}

fn are_recognised(programs: &[Built]) {
    let wrong: Vec<(&str, Option<String>)> = programs
        .iter()
        .map(|built| (built, recognised(*built)))
        .filter(|(built, class)| class.as_deref() != Some(built.3))
        .map(|(built, class)| (built.0, class))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_class_of_25_programs_is_recognised() {
    are_recognised(&PROGRAMS);
}

#[test]
fn the_use_of_one_type_is_recognised_where_it_is_used_otherwise_too() {
    are_recognised(&ONE_TYPE);
}
