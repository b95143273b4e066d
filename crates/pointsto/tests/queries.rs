//! The questions that a graph answers, by examples. `UPDATE_EXPECT=1 cargo test -p heapwise-pointsto` rewrites what is expected.

#![allow(clippy::unwrap_used)]

mod common;

use common::program;
use expect_test::{Expect, expect};
use heapwise_ir::{CallGraph, Instruction, Place, Program, reachable_functions};
use heapwise_pointsto::{Holder, Mode, Object, Options, Others, PointsTo, analyse};

const MODES: [Mode; 2] = [Mode::ContextInsensitive, Mode::ContextSensitive];

fn graph(program: &Program, mode: Mode) -> PointsTo {
    let graph = analyse(program, &Options::new(mode, program.function_named("main").unwrap()));
    graph.verify().unwrap();
    graph
}

/// The stores of `main` behind the call of `start`, with their lines.
fn stores(program: &Program) -> Vec<(u32, Place)> {
    let main = program.function_named("main").unwrap();
    let automaton = program.functions[main].automaton().unwrap();
    let start = program.function_named("start").unwrap();
    let is_start = |instruction: &Instruction| matches!(instruction, Instruction::Call { callee, .. } if *callee == heapwise_ir::Callee::Direct(start));
    let first = automaton.edges.values().find(|edge| is_start(&edge.instruction)).unwrap().span.line;
    let mut found: Vec<(u32, Place)> = automaton
        .edges
        .values()
        .filter_map(|edge| match &edge.instruction {
            Instruction::Store { place, .. } if edge.span.line > first => Some((edge.span.line - first, place.clone())),
            _ => None,
        })
        .collect();
    found.sort_by_key(|(line, _)| *line);
    found
}

/// Which of the stores behind `start` may meet, in each mode.
fn aliases(text: &str, expected: Expect) {
    let program = program(text);
    let main = program.function_named("main").unwrap();
    let mut found = String::new();
    for mode in MODES {
        let graph = graph(&program, mode);
        found += &format!("{mode:?}:");
        let stores = stores(&program);
        for (index, (line, place)) in stores.iter().enumerate() {
            for (other, their) in &stores[..index] {
                if graph.may_alias(&program, main, place, their) {
                    found += &format!(" {other}~{line}");
                }
            }
        }
        found += "\n";
    }
    expected.assert_eq(&found);
}

#[test]
fn fields_and_elements_of_other_offsets_do_not_alias() {
    aliases(
        "
        static void start(void) {}
        struct pair { int left, right; };
        int main(int argc, char **argv) {
            struct pair one, pairs[4], *p = argc > 1 ? &one : &pairs[argc & 3];
            start();
            p->left = 1;
            p->right = 2;
            one.left = 3;
            pairs[argc & 3].right = 4;
            return one.right;
        }",
        expect![[r#"
            ContextInsensitive: 1~3 2~4
            ContextSensitive: 1~3 2~4
        "#]],
    );
}

#[test]
fn a_pointer_kept_in_an_integer_with_flag_bits_still_aliases() {
    aliases(
        "
        #include <stdint.h>
        #include <stdlib.h>
        static void start(void) {}
        struct node { uintptr_t parent; long value; };
        int main(void) {
            static struct node root, leaf, other;
            leaf.parent = (uintptr_t)&root | 1;
            struct node *up = (struct node *)(leaf.parent & ~(uintptr_t)3);
            start();
            up->value = 1;
            root.value = 2;
            other.value = 3;
            leaf.value = 4;
            return 0;
        }",
        expect![[r#"
            ContextInsensitive: 1~2
            ContextSensitive: 1~2
        "#]],
    );
}

#[test]
fn where_an_expression_lies() {
    let program = program(
        "
        static void start(void) {}
        struct item { long key; char name[8]; };
        struct table { int n; struct item items[4]; };
        int main(int argc, char **argv) {
            static struct table table;
            start();
            table.n = 1;
            table.items[argc & 3].key = 2;
            table.items[2].name[argc & 7] = 3;
            return 0;
        }",
    );
    let main = program.function_named("main").unwrap();
    let mut found = String::new();
    for mode in MODES {
        let graph = graph(&program, mode);
        for (line, place) in stores(&program) {
            let value = graph.place(&program, main, &place);
            found += &format!(
                "{mode:?} {line}: {:?}+{}{}\n",
                value.region.unwrap(),
                value.offsets,
                if value.unknown { " or unknown" } else { "" }
            );
        }
    }
    expect![[r#"
        ContextInsensitive 1: R0+0
        ContextInsensitive 2: R0+8+16*?
        ContextInsensitive 3: R0+?
        ContextSensitive 1: R0+0
        ContextSensitive 2: R0+8+16*?
        ContextSensitive 3: R0+?
    "#]]
    .assert_eq(&found);
}

#[test]
fn from_where_an_object_is_referred_to() {
    let program = program(
        "
        #include <stdlib.h>
        struct node { struct node *next; int *data; };
        static struct node *list;
        int main(void) {
            static int number, alone;
            struct node *node = malloc(sizeof *node);
            if (!node) return 1;
            node->data = &number;
            node->next = list;
            list = node;
            int *own = &alone;
            return *own + *list->data;
        }",
    );
    let mut found = String::new();
    let graph = graph(&program, Mode::ContextInsensitive);
    let holders = graph.holders();
    for (id, region) in &graph.regions {
        for (object, _) in &region.objects {
            let name = match object {
                Object::Global(global) => program.globals[*global].name.clone(),
                Object::Heap(_) => "heap".to_owned(),
                _ => continue,
            };
            let mut held: Vec<String> = holders[id]
                .iter()
                .map(|holder| match holder {
                    Holder::Register(function, register) => {
                        program.functions[*function].registers[*register].name.clone()
                    }
                    Holder::Cell(region, offset) => format!("{region}+{offset}"),
                    Holder::Outside => "outside".to_owned(),
                })
                .filter(|holder| !holder.starts_with('$'))
                .collect();
            held.sort();
            held.dedup();
            found += &format!("{id} {name}: {}\n", held.join(", "));
        }
    }
    expect![[r#"
        R0 number: R3+8
        R1 list: 
        R2 alone: own
        R3 heap: R1+0, R3+0, node
    "#]]
    .assert_eq(&found);
}

#[test]
fn a_signature_removes_no_target() {
    let program = program(
        "
        typedef void (*plain)(void);
        struct entry { plain run; };
        static int add(int a, long b) { return a + (int)b; }
        static double *none(char *text) { return 0; }
        static void nothing(void) {}
        static struct entry entries[] = { { (plain)add }, { (plain)none }, { nothing } };
        int main(int argc, char **argv) {
            entries[argc % 3].run();
            return ((int (*)(int, long))entries[0].run)(1, 2);
        }",
    );
    for mode in MODES {
        let graph = graph(&program, mode);
        assert_eq!(graph.indirect_calls.len(), 2);
        for targets in graph.indirect_calls.values() {
            let names: Vec<&str> = targets.functions.iter().map(|it| program.functions[*it].name.as_str()).collect();
            assert_eq!(names, ["add", "none", "nothing"], "{mode:?}");
            assert_eq!(targets.others, Others::None, "{mode:?}");
        }
    }
}

#[test]
fn collapses_are_counted_with_their_reason() {
    let program = program(
        "
        #include <string.h>
        struct view { int *first; int *second; };
        struct other { int tag; int *at_four; } __attribute__((packed));
        union both { struct view view; struct other other; };
        union links { struct view list; struct view tree; };
        int main(int argc, char **argv) {
            static int number;
            static union both disagreeing;
            static union links agreeing;
            static struct view bytes;
            disagreeing.view.first = &number;
            disagreeing.other.at_four = &number;
            agreeing.list.first = &number;
            agreeing.tree.second = &number;
            bytes.first = &number;
            *(int **)((char *)&bytes + argc) = &number;
            return 0;
        }",
    );
    let graph = graph(&program, Mode::ContextInsensitive);
    let mut found = String::new();
    for region in graph.regions.values() {
        for (object, _) in &region.objects {
            let Object::Global(global) = object else { continue };
            let reasons: Vec<String> = region.collapses.iter().map(|it| format!("{:?}", it.reason)).collect();
            found += &format!("{}: {:?}\n", program.globals[*global].name, reasons);
        }
    }
    expect![[r#"
        disagreeing: ["ViewsDisagree"]
        number: []
        agreeing: []
        bytes: ["UnknownOffset"]
    "#]]
    .assert_eq(&found);
}

/// What a comparator of the library may reach is what the array holds; nothing escapes.
#[test]
fn a_callback_is_called_with_pointers_into_the_array() {
    let program = program(
        "#include <stdlib.h>
        struct entry { int key; int (*use)(int); };
        static int *seen;
        static int twice(int n) { return 2 * n; }
        static int other(const void *left, const void *right) { return left < right; }
        static int by_key(const void *left, const void *right) {
            const struct entry *a = left, *b = right;
            seen = (int *)&b->key;
            return a->key - b->key;
        }
        int main(void) {
            struct entry table[2] = { { 2, twice }, { 1, twice } };
            int alone = 0;
            int (*unused)(const void *, const void *) = other;
            qsort(table, 2, sizeof table[0], by_key);
            struct entry key = { 1, 0 };
            struct entry *found = bsearch(&key, table, 2, sizeof table[0], by_key);
            return (found ? found->use(1) : 0) + alone + (unused != 0);
        }",
    );
    let named = |name: &str| program.function_named(name).unwrap();
    let main = named("main");
    for mode in MODES {
        let graph = graph(&program, mode);
        let calls = CallGraph::of(&program, &graph);
        let back: Vec<_> = calls.sites[main].iter().filter(|site| !site.callbacks.is_empty()).collect();
        assert_eq!(back.len(), 2, "{mode:?}: qsort and bsearch");
        assert!(back.iter().all(|site| site.callbacks == [named("by_key")]), "{mode:?}: {back:?}");
        assert!(calls.callees[main].contains(&named("by_key")) && !calls.callees[main].contains(&named("other")));
        assert_eq!(graph.called_from_outside, [], "{mode:?}");
        let reached = reachable_functions(&program, main, &graph);
        assert!(
            reached.contains(&named("by_key"))
                && reached.contains(&named("twice"))
                && !reached.contains(&named("other"))
        );
        // The comparator is given pointers into the table, which `found` points into, too.
        let registers = &program.functions[main].registers;
        let found = registers.iter().find(|(_, register)| register.name == "found").map(|(id, _)| id).unwrap();
        assert!(graph.register(main, found).region.is_some() && !graph.register(main, found).unknown, "{mode:?}");
        let first = program.functions[named("by_key")].parameters[0];
        assert!(graph.register(named("by_key"), first).region.is_some(), "{mode:?}");
        assert!(!graph.register(named("by_key"), first).unknown, "{mode:?}");
    }
}
