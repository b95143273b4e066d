//! The graph by examples: C text in, regions out. `UPDATE_EXPECT=1 cargo test -p heapwise-pointsto` rewrites what is expected.

#![allow(clippy::unwrap_used)]

mod common;

use common::program;
use expect_test::{Expect, expect};
use heapwise_ir::{FunctionId, Instruction, Program};
use heapwise_pointsto::{Arithmetic, Entries, Escape, Mode, Options, Others, PointsTo, Site, analyse};

fn graph(program: &Program, mode: Mode) -> PointsTo {
    graph_with(program, mode, Arithmetic::WithinObjects)
}

fn graph_with(program: &Program, mode: Mode, arithmetic: Arithmetic) -> PointsTo {
    let graph = analyse(program, &Options { mode, arithmetic, entries: Entries::Uncalled });
    graph.verify().unwrap();
    graph
}

/// The regions and what named variables point to; temporaries are left out.
fn shown(program: &Program, graph: &PointsTo) -> String {
    let is_temporary = |line: &str| line.trim_start().starts_with('$');
    graph.text(program).lines().filter(|line| !is_temporary(line)).map(|line| format!("{line}\n")).collect()
}

fn check(text: &str, expected: Expect) {
    let program = program(text);
    expected.assert_eq(&shown(&program, &graph(&program, Mode::ContextInsensitive)));
}

fn check_contexts(text: &str, expected: Expect) {
    let program = program(text);
    expected.assert_eq(&shown(&program, &graph(&program, Mode::ContextSensitive)));
}

/// Whom the calls through pointers of a function may reach, in order.
fn targets(text: &str, function: &str, expected: Expect) {
    let program = program(text);
    let graph = graph(&program, Mode::ContextInsensitive);
    let function = program.function_named(function).unwrap();
    let mut found = String::new();
    for (site, targets) in graph.indirect_calls.iter().filter(|(site, _)| site.function == function) {
        let names: Vec<&str> =
            targets.functions.iter().map(|callee| program.functions[*callee].name.as_str()).collect();
        let more = if targets.others == Others::None { "" } else { " and any" };
        found += &format!("{}: {}{more}\n", site.edge, names.join(", "));
    }
    expected.assert_eq(&found);
}

const LIST: &str = "
    #include <stdlib.h>
    struct node { struct node *next; int *data; };
";

#[test]
fn a_list_is_one_region() {
    check(
        &format!(
            "{LIST}
            struct node *push(struct node *list, int *data) {{
                struct node *node = malloc(sizeof *node);
                if (!node) return list;
                node->next = list;
                node->data = data;
                return node;
            }}
            int main(void) {{
                int one = 1, two = 2;
                struct node *list = push(push(0, &one), &two);
                return *list->data;
            }}"
        ),
        expect![[r#"
            graph
              R0: local main:one, local main:two
              R1: heap push:e0
                0..8 -> R1+0
                8..16 -> R0+0
              fn main
                one -> R0+0
                two -> R0+0
                list -> R1+0
              fn push
                list -> R1+0
                data -> R0+0
                node -> R1+0
        "#]],
    );
}

#[test]
fn lists_of_two_callers_stay_apart_in_graphs_of_procedures() {
    check_contexts(
        &format!(
            "{LIST}
            void link(struct node *first, struct node *second) {{ first->next = second; }}
            int main(void) {{
                struct node a, b, c, d;
                link(&a, &b);
                link(&c, &d);
                return a.next == &b;
            }}"
        ),
        expect![[r#"
            graph of link
              R4:
                0..8 -> R5+0
              fn link
                first -> R4+0
                second -> R5+0
            graph of main
              R0: local main:a
                0..8 -> R1+0
              R1: local main:b
              R2: local main:c
                0..8 -> R3+0
              R3: local main:d
              fn main
                a -> R0+0
                b -> R1+0
                c -> R2+0
                d -> R3+0
                link at e4: R4=R0, R5=R1
                link at e5: R4=R2, R5=R3
        "#]],
    );
}

#[test]
fn embedded_lists_and_container_of() {
    check(
        "
        #include <stddef.h>
        #include <stdlib.h>
        struct head { struct head *next; };
        struct entry { int *data; struct head link; };
        int main(void) {
            struct head head = { &head };
            int number = 3;
            struct entry *entry = malloc(sizeof *entry);
            if (!entry) return 1;
            entry->data = &number;
            entry->link.next = head.next;
            head.next = &entry->link;
            struct head *at = head.next;
            struct entry *found = (struct entry *)((char *)at - offsetof(struct entry, link));
            return *found->data;
        }",
        expect![[r#"
            graph
              R0: heap main:e4 at -8, local main:head
                -8..0 -> R1+0
                0..8 -> R0+0
              R1: local main:number
              fn main
                head -> R0+0
                number -> R1+0
                entry -> R0+-8
                at -> R0+0
                found -> R0+-8
        "#]],
    );
}

#[test]
fn flags_in_the_low_bits_of_a_pointer() {
    check(
        "
        #include <stdint.h>
        #include <stdlib.h>
        struct rb { uintptr_t parent_color; struct rb *left; } __attribute__((aligned(8)));
        int main(void) {
            struct rb *parent = calloc(1, sizeof *parent), *child = calloc(1, sizeof *child);
            if (!parent || !child) return 1;
            child->parent_color = (uintptr_t)parent | 1;
            struct rb *back = (struct rb *)(child->parent_color & ~3UL);
            back->left = child;
            return child->parent_color & 1;
        }",
        expect![[r#"
            graph
              R0: heap main:e0
                8..16 -> R1+0
              R1: heap main:e1
                0..8 -> R0+0|1 with flag bits
              fn main
                parent -> R0+0
                child -> R1+0
                back -> R0+0
        "#]],
    );
}

#[test]
fn pointers_at_one_offset_of_a_union_do_not_collapse_it() {
    check(
        "
        union link { struct { union link *next; } list; struct { union link *left, *right; } tree; };
        int main(void) {
            union link a, b;
            a.list.next = &b;
            b.tree.left = &a;
            b.tree.right = &b;
            return a.list.next == &b;
        }",
        expect![[r#"
            graph
              R0: local main:a
                0..8 -> R1+0
              R1: local main:b
                0..8 -> R0+0
                8..16 -> R1+0
              fn main
                a -> R0+0
                b -> R1+0
        "#]],
    );
}

#[test]
fn an_array_is_one_element() {
    check(
        "
        struct pair { int *left, *right; };
        int main(int argc, char **argv) {
            struct pair pairs[4];
            int one = 1, two = 2;
            struct { int *before; struct pair inner[3]; int *after; } record;
            for (int i = 0; i < 4; i++) { pairs[i].left = &one; pairs[i].right = &two; }
            for (int i = 0; i < 3; i++) record.inner[i] = pairs[i];
            record.before = &two;
            record.after = &one;
            return *record.inner[argc % 3].left;
        }",
        expect![[r#"
            graph
              R0: local main:pairs array 0..64 of 16
                0..8 -> R1+0
                8..16 -> R2+0
              R1: local main:one
              R2: local main:two
              R3: local main:record array 8..56 of 16
                0..8 -> R2+0
                8..16 -> R1+0
                16..24 -> R2+0
                56..64 -> R1+0
              fn main
                argc -> unknown
                argv -> unknown
                pairs -> R0+0
                one -> R1+0
                two -> R2+0
                record -> R3+0
        "#]],
    );
}

#[test]
fn bytes_read_at_any_offset_collapse_a_record_unless_arithmetic_stays_in_arrays() {
    let text = "
        #include <stdlib.h>
        struct named { struct named *next; char name[8]; void (*drop)(struct named *); };
        void drop(struct named *it) { free(it); }
        int main(void) {
            struct named *it = calloc(1, sizeof *it);
            if (!it) return 1;
            it->next = it;
            it->drop = drop;
            char *p = it->name;
            for (int i = 0; i < 8; i++) *p++ = 'x';
            it->drop(it);
            return 0;
        }";
    let program = program(text);
    let mut found = String::new();
    for arithmetic in [Arithmetic::WithinObjects, Arithmetic::WithinArrays] {
        let graph = graph_with(&program, Mode::ContextInsensitive, arithmetic);
        for region in graph.regions.values().filter(|region| region.holds_pointers()) {
            found += &format!("{arithmetic:?}: collapsed {}, {:?}\n", region.is_collapsed(), region.collapses);
        }
        let targets = graph.indirect_calls.values().next().unwrap();
        found += &format!("  calls {:?} {:?}\n", targets.functions.len(), targets.others);
    }
    expect![[r#"
        WithinObjects: collapsed true, [Collapse { reason: UnknownOffset, site: Some(Site { function: fn0, edge: e11 }) }]
          calls 1 None
        WithinArrays: collapsed false, [Collapse { reason: OverElement, site: None }]
          calls 1 None
    "#]]
    .assert_eq(&found);
}

#[test]
fn copies_of_records_copy_what_they_point_to() {
    check(
        "
        #include <string.h>
        struct pair { int *left, *right; };
        void copy(void *to, const void *from, unsigned long n) { memcpy(to, from, n); }
        int main(void) {
            int one = 1, two = 2;
            struct pair a = { &one, &two }, b, c;
            b = a;
            copy(&c, &b, sizeof c);
            return *c.left;
        }",
        expect![[r#"
            graph
              R0: local main:one
              R1: local main:two
              R2: local main:a
                0..8 -> R0+0
                8..16 -> R1+0
              R3: local main:b
                0..8 -> R0+0
                8..16 -> R1+0
              R4: local main:c
                0..8 -> R0+0
                8..16 -> R1+0
              fn main
                one -> R0+0
                two -> R1+0
                a -> R2+0
                b -> R3+0
                c -> R4+0
              fn copy
                to -> R4+0
                from -> R3+0
        "#]],
    );
}

const OPS: &str = "
    #include <stdlib.h>
    struct object { const struct ops *ops; };
    struct ops { void (*drop)(struct object *); int (*size)(struct object *); };
    static void drop(struct object *it) { free(it); }
    static int size(struct object *it) { return 1; }
    static int other(struct object *it) { return 2; }
    static const struct ops table = { drop, size };
    int (*unused)(struct object *) = other;
";

#[test]
fn an_ops_table_in_a_static_struct() {
    targets(
        &format!(
            "{OPS}
            int main(void) {{
                struct object *it = malloc(sizeof *it);
                if (!it) return 1;
                it->ops = &table;
                int n = it->ops->size(it);
                it->ops->drop(it);
                return n;
            }}"
        ),
        "main",
        expect![[r#"
            e6: size
            e9: drop
        "#]],
    );
}

#[test]
fn a_callback_handed_down_two_calls() {
    targets(
        "
        typedef void visit(int *, void *);
        static void leaf(visit *f, int *value, void *context) { f(value, context); }
        static void walk(visit *f, int *value, void *context) { leaf(f, value, context); }
        static void add(int *value, void *context) { *(int *)context += *value; }
        static void never(int *value, void *context) { }
        int main(void) { int sum = 0, one = 1; walk(add, &one, &sum); visit *spare = never; return sum + !spare; }",
        "leaf",
        expect![[r#"
            e0: add
        "#]],
    );
}

#[test]
fn an_array_of_functions_null_or_one_function_and_an_unknown_one() {
    targets(
        "
        static int zero(void) { return 0; }
        static int one(void) { return 1; }
        static int hidden(void) { return 2; }
        int (*spare)(void) = hidden;
        extern int (*given(void))(void);
        int main(int argc, char **argv) {
            int (*all[2])(void) = { zero, one };
            int (*maybe)(void) = argc > 1 ? one : 0;
            int (*unknown)(void) = given();
            int n = all[argc % 2]();
            if (maybe) n += maybe();
            return n + unknown();
        }",
        "main",
        expect![[r#"
            e10: zero, one
            e13: one
            e15:  and any
        "#]],
    );
}

#[test]
fn arguments_of_functions_without_body_escape() {
    check(
        "
        struct node { struct node *next; };
        extern void keep(struct node *);
        int main(void) {
            struct node a, b, c;
            a.next = &b;
            keep(&a);
            c.next = a.next;
            return c.next == &b;
        }",
        expect![[r#"
            graph
              R0: local main:a escaped
                0..8 -> R1+0 or unknown
              R1: local main:b escaped
              R2: local main:c
                0..8 -> R1+0 or unknown
              fn main
                a -> R0+0
                b -> R1+0
                c -> R2+0
        "#]],
    );
}

#[test]
fn locals_that_escape() {
    let text = "
        int *kept;
        static void use(int *p) { *p = 1; }
        int main(void) {
            int own = 0, passed = 0, stored = 0;
            int *p = &own;
            use(&passed);
            kept = &stored;
            return *p;
        }";
    let program = program(text);
    let graph = graph(&program, Mode::ContextSensitive);
    let escapes = graph.local_escapes();
    let main = program.function_named("main").unwrap();
    let mut found = Vec::new();
    for (edge, step) in &program.functions[main].automaton().unwrap().edges {
        if let Instruction::Alloc { target, .. } = &step.instruction {
            let name = program.functions[main].registers[*target].name.clone();
            found.push((name, escapes[&Site { function: main, edge }]));
        }
    }
    let expected = [("own", Escape::No), ("passed", Escape::PassedDown), ("stored", Escape::Stored)];
    assert_eq!(found, expected.map(|(name, escape)| (name.to_owned(), escape)));
}

#[test]
fn what_a_function_reads_and_writes() {
    let text = format!(
        "{LIST}
        int total;
        static void put(struct node *node, int *data) {{ node->data = data; }}
        static int get(struct node *node) {{ total++; return *node->data; }}
        int main(void) {{
            struct node a;
            int number = 1;
            a.next = 0;
            put(&a, &number);
            return get(&a);
        }}"
    );
    let program = program(&text);
    let mut found = String::new();
    for mode in [Mode::ContextInsensitive, Mode::ContextSensitive] {
        let graph = graph(&program, mode);
        for name in ["put", "get", "main"] {
            let function: FunctionId = program.function_named(name).unwrap();
            let effects = graph.effects(function);
            found += &format!("{mode:?} {name}: reads {:?} writes {:?}\n", effects.reads, effects.writes);
        }
    }
    expect![[r#"
        ContextInsensitive put: reads {} writes {(R1, Some(8))}
        ContextInsensitive get: reads {(R0, Some(0)), (R1, Some(8)), (R2, Some(0))} writes {(R0, Some(0))}
        ContextInsensitive main: reads {(R0, Some(0)), (R1, Some(8)), (R2, Some(0))} writes {(R0, Some(0)), (R1, Some(0)), (R1, Some(8)), (R2, Some(0))}
        ContextSensitive put: reads {} writes {(R3, Some(8))}
        ContextSensitive get: reads {(R0, Some(0)), (R5, Some(8)), (R6, Some(0))} writes {(R0, Some(0))}
        ContextSensitive main: reads {(R0, Some(0)), (R1, Some(8)), (R2, Some(0))} writes {(R0, Some(0)), (R1, Some(0)), (R1, Some(8)), (R2, Some(0))}
    "#]].assert_eq(&found);
}
