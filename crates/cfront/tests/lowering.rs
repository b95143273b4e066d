//! What C constructs become: each test lowers a small file and compares the text form. The verifier runs on all of them.

use expect_test::{Expect, expect};
use heapwise_cfront::{Flags, FrontOptions, Unit, load};
use heapwise_ir::text::{Spans, print};
use heapwise_models::Models;

/// The functions that `text` becomes (records, globals and extern functions are left out).
fn check(text: &str, expected: Expect) {
    let printed = lower(text);
    let functions: Vec<&str> = printed.split("\n\n").filter(|part| part.trim_start().starts_with("fn ")).collect();
    expected.assert_eq(&(functions.join("\n\n").trim().to_owned() + "\n"));
}

fn lower(text: &str) -> String {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("test.c");
    std::fs::write(&path, text).expect("written");
    let unit = Unit { path, flags: Flags::default() };
    let loaded = load(&[unit], &FrontOptions::default(), &Models::shipped()).expect("lowers");
    let problems: Vec<String> =
        heapwise_ir::verify(&loaded.program).iter().map(|problem| problem.describe(&loaded.program)).collect();
    assert_eq!(problems, Vec::<String>::new());
    print(&loaded.program, Spans::Hidden)
}

#[test]
fn a_list_is_built_and_freed() {
    check(
        "#include <stdlib.h>
        struct node { int data; struct node *next; };
        struct node *push(struct node *head, int data) {
            struct node *n = malloc(sizeof *n);
            if (!n) return head;
            n->data = data;
            n->next = head;
            return n;
        }
        void destroy(struct node *p) { while (p) { struct node *next = p->next; free(p); p = next; } }",
        expect![[r#"
            fn push(head, data) -> temp $result : ptr node {
              var head : ptr node
              var data : i32
              var n : ptr node
              L0 -> L2: n = alloc heap 16 as node
              L2 -> L3: assume n != 0
              L2 -> L4: assume n == 0
              L3 -> L5: store n->data = data : i32
              L5 -> L6: store n->next = head : ptr node
              L6 -> L1: $result = n
              L4 -> L1: $result = head
            }

            fn destroy(p : ptr node) {
              var next : ptr node
              L0 -> L2: assume p != 0
              L0 -> L1: assume p == 0
              L2 -> L3: next = load p->next : ptr node
              L3 -> L4: free p
              L4 -> L0: p = next
            }
        "#]],
    );
}

#[test]
fn container_of_takes_a_path_away() {
    check(
        "#include <stddef.h>
        struct list { struct list *next, *prev; };
        struct item { int key; struct list link; };
        struct item *of(struct list *l) { return (struct item *)((char *)l - offsetof(struct item, link)); }
        struct list *to(struct item *i) { return &i->link; }",
        expect![[r#"
            fn of(l) -> temp $result : ptr item {
              var l : ptr list
              L0 -> L1: $result = container_of(l, item, link)
            }

            fn to(i) -> temp $result : ptr list {
              var i : ptr item
              L0 -> L1: $result = &i->link
            }
        "#]],
    );
}
