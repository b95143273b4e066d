//! Each pass of the translation by examples: a program in the text form of `ir`, and the cell program it becomes.
//! `UPDATE_EXPECT=1 cargo test -p heapwise-cells` rewrites what is expected.

#![allow(clippy::unwrap_used)]

use expect_test::{Expect, expect};
use heapwise_cells::atom::Atom;
use heapwise_cells::live::Liveness;
use heapwise_cells::program::{Command, Point};
use heapwise_cells::translate::{Calls, Translation, translate_calls};
use heapwise_cells::{Links, mapped, text, verifier};
use heapwise_engine::Options;
use heapwise_ir::{EdgeId, LocationId, Program};
use heapwise_report::words;

/// The records that most programs use.
const NODE: &str = "struct node { next : ptr node, value : i32 }\n";
const TREE: &str = "struct twig { left : ptr twig, right : ptr twig, key : i32 }\n";

fn translated(program: &str, links: Links, calls: Calls) -> (Program, Translation) {
    let program = heapwise_ir::text::parse(program).unwrap_or_else(|error| panic!("{error}"));
    let wrong = heapwise_ir::verifier::verify(&program);
    assert!(wrong.is_empty(), "{}", wrong[0].describe(&program));
    let options = Options::new(program.function_named("main").unwrap());
    let translation = translate_calls(&program, &options, links, calls);
    let wrong = verifier::verify(&program, &translation);
    let cells = &translation.program;
    assert!(wrong.is_empty(), "{}\n{}", wrong[0].describe(&program, cells), text::print(&program, cells));
    assert_eq!(mapped::unmapped(cells, &Liveness::new(cells)), None);
    (program, translation)
}

fn check_as(program: &str, links: Links, calls: Calls, expected: Expect) {
    let (program, translation) = translated(program, links, calls);
    let mut printed = text::print(&program, &translation.program);
    for (_, reason) in &translation.gaps {
        printed += &format!("gap of the whole program: {}\n", words::gap(reason));
    }
    expected.assert_eq(&printed);
}

/// As the engine `graph` asks for it.
fn check_lists(program: &str, expected: Expect) {
    check_as(program, Links::OneToItself, Calls::Inlined, expected);
}

/// As the engine `tvl` asks for it.
fn check(program: &str, expected: Expect) {
    check_as(program, Links::Every, Calls::ByContract, expected);
}

#[test]
fn an_allocation_may_fail() {
    check_lists(
        &(NODE.to_owned()
            + "fn main() {
                 var p : ptr node
                 entry -> a: p = alloc heap sizeof node as node
                 a -> b: assume p != null
                 a -> exit: assume p == null
                 b -> c: store p->next = null
                 c -> exit: free p
               }"),
        expect![[r#"
            cell struct node, 16 bytes: next -> struct node, value

            main:
              l0 -> l2: p = 0
              l0 -> l2: p = alloc struct node
              l2 -> l3: assume p != 0
              l2 -> l5: assume p == 0
              l3 -> l4: p->next = 0
              l4 -> l6: free p
              l6 -> l1: end p
              l1 -> l7: the program returns
              l5 -> l1: end p
        "#]],
    );
}

#[test]
fn calls_are_inlined_by_call_string() {
    check_lists(
        &(NODE.to_owned()
            + "fn rest(list : ptr node) -> r : ptr node {
                 entry -> exit: r = load list->next
               }
               fn main() {
                 var p : ptr node
                 var q : ptr node
                 entry -> a: p = alloc heap sizeof node zeroed nofail as node
                 a -> b: q = call rest(p)
                 b -> exit: q = call rest(q)
               }"),
        expect![[r#"
            cell struct node, 16 bytes: next -> struct node, value

            main:
              l0 -> l2: p = alloc struct node of zeros
              l2 -> l5: rest/1.list = p
              l4 -> l7: q = rest/1.r
              l7 -> l3: end rest/1.r
              l3 -> l10: rest/2.list = q
              l9 -> l12: q = rest/2.r
              l12 -> l8: end rest/2.r
              l8 -> l1: end p, q
              l1 -> l13: the program returns
            rest/1, called in main:
              l5 -> l6: r = list->next
              l6 -> l4: end list
            rest/2, called in main:
              l10 -> l11: r = list->next
              l11 -> l9: end list
        "#]],
    );
}

#[test]
fn addresses_that_are_known_become_variables() {
    check_lists(
        &(NODE.to_owned()
            + "global head : ptr node
               fn set(where : ptr ptr node, what : ptr node) {
                 entry -> exit: store *where = what
               }
               fn main() {
                 addr local : ptr ptr node
                 var p : ptr node
                 entry -> a: local = alloc auto sizeof ptr node as ptr node
                 a -> b: call set(&head, null)
                 b -> c: call set(local, null)
                 c -> d: p = load *local
                 d -> exit: end local
               }"),
        expect![[r#"
            main:
              l0 -> l5: head = 0
              l5 -> l2: local = uninitialised
              l2 -> l8: set/1.where = &head
              l8 -> l6: set/1.what = 0
              l3 -> l11: set/2.where = &local
              l11 -> l9: set/2.what = 0
              l4 -> l13: p = local
              l13 -> l12: end local
              l12 -> l1: end local.address, p
              l1 -> l14: the program returns
            set/1, called in main:
              l6 -> l7: head = 0
              l7 -> l3: end where, what
            set/2, called in main:
              l9 -> l10: main.local = 0
              l10 -> l4: end where, what
        "#]],
    );
}

#[test]
fn a_pointer_that_holds_an_address_on_some_ways_is_split() {
    check_lists(
        &(NODE.to_owned()
            + "global first : node
               fn main() {
                 var p : ptr node
                 temp i : i32
                 temp n : ptr node
                 entry -> a: i = nondet : i32
                 a -> b: assume i == 0
                 a -> c: assume i != 0
                 b -> d: p = &first
                 c -> d: p = alloc heap sizeof node zeroed nofail as node
                 d -> exit: n = load p->next
               }"),
        expect![[r#"
            cell struct node, 16 bytes: next -> struct node, value

            main:
              l0 -> l2: first.next = 0
              l2 -> l3: skip
              l2 -> l4: skip
              l3 -> l5: p = &first
              l5 -> l8: case p is &first
              l5 -> l9: case p is not &first
              l8 -> l6: n = first.next
              l6 -> l1: end p, n
              l1 -> l7: the program returns
              l9 -> l6: n = p->next
              l4 -> l5: p = alloc struct node of zeros
        "#]],
    );
}

#[test]
fn functions_without_a_body_act_by_their_models() {
    check_lists(
        "extern fn puts(s : ptr i8) -> r : i32 pure reads(0) modelled
         extern fn getenv(s : ptr i8) -> r : ptr i8 pure reads(0) gives library or null modelled
         extern fn stop() exits pure modelled
         extern fn odd(p : ptr i32)
         global text : [i8; 3] readonly = bytes \"ab\"
         fn main() {
           var s : ptr i8
           var c : i8
           entry -> a: call puts(&text)
           a -> b: s = call getenv(&text)
           b -> c: c = load *s
           c -> d: call odd(null)
           c -> d: call stop()
           d -> exit: skip
         }",
        expect![[r#"
            main:
              l0 -> l2: s = 0
              l0 -> l2: s = library
              l2 -> l3: touch s->[0..1]
              l3 -> l4: gap Call(WithoutModel { function: "odd" })
              l3 -> l4: the program exits
              l4 -> l1: end s
              l1 -> l5: the program returns
        "#]],
    );
}

#[test]
fn records_are_copied_scalar_by_scalar() {
    check(
        &(NODE.to_owned()
            + "fn main() {
                 addr a : ptr node
                 addr b : ptr node
                 var p : ptr node
                 entry -> l1: a = alloc auto sizeof node zeroed as node
                 l1 -> l2: b = alloc auto sizeof node as node
                 l2 -> l3: copy *b = *a size node
                 l3 -> l4: p = alloc heap sizeof node nofail as node
                 l4 -> l5: copy *p = *b size node
                 l5 -> l6: copy *a = *p size node
                 l6 -> l7: end b
                 l7 -> exit: end a
               }"),
        expect![[r#"
            cell struct node, 16 bytes: next -> struct node, value

            main:
              l0 -> l19: a.next = 0
              l19 -> l6: a.value = 0
              l6 -> l20: b.next = uninitialised
              l20 -> l2: b.value = uninitialised
              l2 -> l7: b.next = a.next
              l7 -> l3: b.value = a.value
              l3 -> l4: p = alloc struct node
              l4 -> l8: touch p->[0..16]
              l8 -> l9: p->next = b.next
              l9 -> l5: p->value = b.value
              l5 -> l10: touch p->[0..16]
              l10 -> l11: `a copy` = p->next
              l11 -> l12: `a copy`#2 = p->value
              l12 -> l13: copy `a copy`#2 away, or nothing
              l13 -> l14: a.next = `a copy`
              l14 -> l15: a.value = `a copy`#2
              l15 -> l17: end b.next, b.value
              l17 -> l16: end a.next, a.value
              l16 -> l1: end a.address, b.address, p
              l1 -> l18: the program returns
        "#]],
    );
}

#[test]
fn bytes_are_filled() {
    check(
        &(NODE.to_owned()
            + "fn main() {
                 addr a : ptr node
                 var p : ptr node
                 entry -> l1: a = alloc auto sizeof node as node
                 l1 -> l2: copy *a = fill 0 size node
                 l2 -> l3: p = alloc heap sizeof node nofail as node
                 l3 -> l4: copy *p = fill 0 size node
                 l4 -> exit: end a
               }"),
        expect![[r#"
            cell struct node, 16 bytes: next -> struct node, value

            main:
              l0 -> l9: a.next = uninitialised
              l9 -> l2: a.value = uninitialised
              l2 -> l5: a.next = 0
              l5 -> l3: a.value = 0
              l3 -> l4: p = alloc struct node
              l4 -> l7: fill p->[0..16] with zeros
              l7 -> l6: end a.next, a.value
              l6 -> l1: end a.address, p
              l1 -> l8: the program returns
        "#]],
    );
}

#[test]
fn a_pointer_to_a_field_is_a_shifted_pointer_to_its_cell() {
    check(
        "struct item { key : i64, next : ptr item }
         fn main() {
           var p : ptr item
           var q : ptr ptr item
           entry -> a: p = alloc heap sizeof item zeroed nofail as item
           a -> b: q = &p->next
           b -> exit: store *q = p
         }",
        expect![[r#"
            cell struct item, 16 bytes: key, next -> struct item

            main:
              l0 -> l2: p = alloc struct item of zeros
              l2 -> l4: assume p == 0
              l2 -> l5: assume p != 0
              l4 -> l3: q = 8
              l3 -> l6: q->next = p
              l6 -> l1: end p, q
              l1 -> l7: the program returns
              l5 -> l3: q = p
        "#]],
    );
}

#[test]
fn a_pointer_to_one_of_several_fields_is_split() {
    check(
        &(TREE.to_owned()
            + "fn main() {
                 var p : ptr twig
                 var q : ptr ptr twig
                 temp i : i32
                 entry -> a: p = alloc heap sizeof twig zeroed nofail as twig
                 a -> b: i = nondet : i32
                 b -> c: assume i == 0
                 b -> d: assume i != 0
                 c -> e: q = &p->left
                 d -> e: q = &p->right
                 e -> exit: store *q = p
               }"),
        expect![[r#"
            cell struct twig, 24 bytes: left -> struct twig, right -> struct twig, key

            main:
              l0 -> l2: p = alloc struct twig of zeros
              l2 -> l3: skip
              l2 -> l4: skip
              l3 -> l10: q = p
              l10 -> l5: `the field of q` = 0
              l5 -> l13: assume `the field of q` == 0
              l5 -> l14: assume `the field of q` != 0
              l13 -> l8: q->left = p
              l8 -> l1: end p, q
              l1 -> l9: the program returns
              l14 -> l15: assume `the field of q` == 8
              l14 -> l16: assume `the field of q` != 8
              l15 -> l8: q->right = p
              l16 -> l17: escape q IntoCell
              l17 -> l8: q->left = p
              l4 -> l6: assume p == 0
              l4 -> l7: assume p != 0
              l6 -> l11: q = 8
              l11 -> l5: `the field of q` = 0
              l7 -> l12: q = p
              l12 -> l5: `the field of q` = 8
        "#]],
    );
}

#[test]
fn short_arrays_of_links_are_links() {
    check(
        "struct trie { child : [ptr trie; 2], end : i32 }
         fn main() {
           var p : ptr trie
           var i : i64
           temp x : i32
           temp q : ptr trie
           entry -> a: p = alloc heap sizeof trie zeroed nofail as trie
           a -> b: x = nondet : i32
           b -> c: assume x == 0
           b -> d: assume x != 0
           c -> e: i = 0
           d -> e: i = 1
           e -> exit: q = load p->child[i]
         }",
        expect![[r#"
            cell struct trie, 24 bytes: child[0] -> struct trie, child[1] -> struct trie, end

            main:
              l0 -> l2: p = alloc struct trie of zeros
              l2 -> l3: skip
              l2 -> l4: skip
              l3 -> l5: i = 0
              l5 -> l7: assume i == 0
              l5 -> l8: assume i != 0
              l7 -> l6: q = p->child[0]
              l6 -> l1: end p, i, q
              l1 -> l12: the program returns
              l8 -> l9: assume i == 1
              l8 -> l10: assume i != 1
              l9 -> l6: q = p->child[1]
              l10 -> l11: touch p->[0..0]
              l11 -> l6: gap Memory(UnknownIndex)
              l4 -> l5: i = 1
        "#]],
    );
}

#[test]
fn records_within_cells_are_reached_from_their_links() {
    check(
        "struct link { next : ptr link }
         struct item { key : i64, hook : link }
         fn main() {
           var p : ptr item
           var h : ptr link
           var q : ptr item
           entry -> a: p = alloc heap sizeof item zeroed nofail as item
           a -> b: h = &p->hook
           b -> c: store h->next = h
           c -> d: h = load h->next
           d -> e: q = container_of(h, item, hook)
           e -> exit: store q->key = 1
         }",
        expect![[r#"
            cell struct item, 16 bytes: key, hook.next -> struct item

            main:
              l0 -> l2: p = alloc struct item of zeros
              l2 -> l6: assume p == 0
              l2 -> l7: assume p != 0
              l6 -> l3: h = 8
              l3 -> l4: h->hook.next = h
              l4 -> l8: assume h == 0
              l4 -> l9: assume h != 0
              l8 -> l5: q = -8
              l5 -> l10: q->key = 1
              l10 -> l1: end p, h, q
              l1 -> l11: the program returns
              l9 -> l12: case h is 1
              l9 -> l13: case h is not 1
              l12 -> l5: q = -7
              l13 -> l14: case h is 8
              l13 -> l15: case h is not 8
              l14 -> l5: q = 0
              l15 -> l5: q = h
              l7 -> l3: h = p
        "#]],
    );
}

#[test]
fn comparisons_that_are_made_again_are_remembered() {
    check(
        &(NODE.to_owned()
            + "fn main() {
                 var p : ptr node
                 var k : i32
                 temp v : i32
                 temp w : i32
                 entry -> a: p = alloc heap sizeof node zeroed nofail as node
                 a -> b: k = nondet : i32
                 b -> c: v = load p->value
                 c -> d: assume v < k
                 c -> exit: assume v >= k
                 d -> e: w = load p->value
                 e -> f: assume w < k
                 e -> g: assume w >= k
                 f -> exit: skip
                 g -> exit: free null
               }"),
        expect![[r#"
            cell struct node, 16 bytes: next -> struct node, value

            main:
              l0 -> l10: p = alloc struct node of zeros
              l10 -> l2: forget ->value ? k
              l2 -> l3: read p->value
              l3 -> l11: skip
              l3 -> l12: skip
              l11 -> l4: compare p->value < k
              l4 -> l5: read p->value
              l5 -> l13: skip
              l5 -> l14: skip
              l13 -> l7: compare p->value < k
              l7 -> l1: end p
              l1 -> l9: the program returns
              l14 -> l8: compare p->value >= k
              l8 -> l1: end p
              l12 -> l6: compare p->value >= k
              l6 -> l1: end p
        "#]],
    );
}

#[test]
fn a_field_is_not_compared_through_a_variable_of_a_function_that_has_returned() {
    check(
        &(NODE.to_owned()
            + "fn get(list : ptr node) -> r : i32 {
                 entry -> exit: r = load list->value
               }
               fn main() {
                 var p : ptr node
                 var v : i32
                 entry -> a: p = alloc heap sizeof node zeroed nofail as node
                 a -> b: v = call get(p)
                 b -> c: assume v < 3
                 b -> exit: assume v >= 3
                 c -> d: v = call get(p)
                 d -> exit: assume v < 3
                 d -> e: assume v >= 3
                 e -> exit: free p
               }"),
        expect![[r#"
            cell struct node, 16 bytes: next -> struct node, value

            main:
              l0 -> l2: p = alloc struct node of zeros
              l2 -> l8: get/1.list = p
              l7 -> l10: v = get/1.r
              l10 -> l3: end get/1.r
              l3 -> l4: assume v < 3
              l3 -> l11: assume v >= 3
              l4 -> l13: get/2.list = p
              l12 -> l15: v = get/2.r
              l15 -> l5: end get/2.r
              l5 -> l16: assume v < 3
              l5 -> l6: assume v >= 3
              l16 -> l1: end p, v
              l1 -> l18: the program returns
              l6 -> l17: free p
              l17 -> l1: end p, v
              l11 -> l1: end p, v
            get/1, called in main:
              l8 -> l9: r = list->value
              l9 -> l7: end list
            get/2, called in main:
              l13 -> l14: r = list->value
              l14 -> l12: end list
        "#]],
    );
}

#[test]
fn links_that_are_read_again_are_the_same() {
    check(
        &(NODE.to_owned()
            + "fn main() {
                 var p : ptr node
                 temp a : ptr node
                 temp b : ptr node
                 temp v : i32
                 entry -> l1: p = alloc heap sizeof node zeroed nofail as node
                 l1 -> l2: a = load p->next
                 l2 -> l3: assume a != null
                 l2 -> exit: assume a == null
                 l3 -> l4: b = load p->next
                 l4 -> exit: v = load b->value
               }"),
        expect![[r#"
            cell struct node, 16 bytes: next -> struct node, value

            main:
              l0 -> l2: p = alloc struct node of zeros
              l2 -> l3: a = p->next
              l3 -> l4: assume a != 0
              l3 -> l6: assume a == 0
              l4 -> l5: b = a
              l5 -> l7: touch b->value
              l7 -> l1: end p, a, b
              l1 -> l8: the program returns
              l6 -> l1: end p, a, b
        "#]],
    );
}

#[test]
fn functions_that_call_themselves_are_procedures() {
    check(
        &(TREE.to_owned()
            + "fn drop(t : ptr twig) {
                 temp l : ptr twig
                 temp r : ptr twig
                 entry -> exit: assume t == null
                 entry -> a: assume t != null
                 a -> b: l = load t->left
                 b -> c: call drop(l)
                 c -> d: r = load t->right
                 d -> e: call drop(r)
                 e -> exit: free t
               }
               fn main() {
                 var p : ptr twig
                 entry -> a: p = alloc heap sizeof twig zeroed nofail as twig
                 a -> exit: call drop(p)
               }"),
        expect![[r#"
            cell struct twig, 24 bytes: left -> struct twig, right -> struct twig, key
            procedure drop(t): l5 to l4

            main:
              l0 -> l2: p = alloc struct twig of zeros
              l2 -> l3: call drop(p)
              l3 -> l1: end p
              l1 -> l13: the program returns
            drop:
              l5 -> l11: assume t == 0
              l5 -> l6: assume t != 0
              l11 -> l4: end t, l, r
              l6 -> l7: l = t->left
              l7 -> l8: call drop(l)
              l8 -> l9: r = t->right
              l9 -> l10: call drop(r)
              l10 -> l12: free t
              l12 -> l4: end t, l, r
        "#]],
    );
    check_lists(
        "fn main() {
           entry -> exit: call main()
         }",
        expect![[r#"
            main:
              l0 -> l2: gap Call(Recursion { function: "main" })
              l2 -> l1: end 
              l1 -> l3: the program returns
        "#]],
    );
}

#[test]
fn a_procedure_works_on_objects_whose_addresses_it_is_given() {
    check(
        &(TREE.to_owned()
            + "fn insert(where : ptr ptr twig) {
                 temp t : ptr twig
                 temp n : ptr ptr twig
                 entry -> a: t = load *where
                 a -> b: assume t == null
                 b -> c: t = alloc heap sizeof twig zeroed nofail as twig
                 c -> exit: store *where = t
                 a -> d: assume t != null
                 d -> e: n = &t->left
                 e -> exit: call insert(n)
               }
               fn main() {
                 addr root : ptr ptr twig
                 entry -> a: root = alloc auto sizeof ptr twig zeroed as ptr twig
                 a -> b: call insert(root)
                 b -> exit: end root
               }"),
        expect![[r#"
            cell struct twig, 24 bytes: left -> struct twig, right -> struct twig, key
            procedure insert/1(where) with *where: l3 to l4
            procedure insert/2(where): l14 to l13

            main:
              l0 -> l2: root = 0
              l2 -> l23: call insert/1(opaque) with root for *where
              l23 -> l22: end root
              l22 -> l1: end root.address
              l1 -> l24: the program returns
            insert/1:
              l3 -> l5: where = &*where
              l5 -> l6: t = *where
              l6 -> l7: assume t == 0
              l6 -> l9: assume t != 0
              l7 -> l8: t = alloc struct twig of zeros
              l8 -> l11: *where = t
              l11 -> l4: end where, t, n
              l9 -> l10: n = t
              l10 -> l12: call insert/2(n)
              l12 -> l4: end where, t, n
            insert/2:
              l14 -> l15: t = where->left
              l15 -> l16: assume t == 0
              l15 -> l18: assume t != 0
              l16 -> l17: t = alloc struct twig of zeros
              l17 -> l20: where->left = t
              l20 -> l13: end where, t, n
              l18 -> l19: n = t
              l19 -> l21: call insert/2(n)
              l21 -> l13: end where, t, n
        "#]],
    );
}

#[test]
fn calls_go_by_contracts() {
    check(
        &(NODE.to_owned()
            + "contract push requires \"acyclic(list)\" ensures \"acyclic(result)\"
               fn push(var list : ptr node) -> n : ptr node {
                 entry -> a: n = alloc heap sizeof node zeroed nofail as node
                 a -> exit: store n->next = list
               }
               fn main() {
                 var p : ptr node
                 entry -> a: p = call push(null)
                 a -> exit: p = call push(p)
               }"),
        expect![[r#"
            cell struct node, 16 bytes: next -> struct node, value
            contract push: requires acyclic(list), ensures acyclic(result)

            main:
              l0 -> l2: p = contract push(0)
              l2 -> l3: p = contract push(p)
              l3 -> l1: end p
              l1 -> l4: the program returns
        "#]],
    );
}

#[test]
fn what_is_not_followed_is_a_gap() {
    check_lists(
        &(TREE.to_owned()
            + "fn main() {
                 var p : ptr twig
                 var f : ptr fn()
                 temp i : i64
                 entry -> a: f = nondet : ptr fn()
                 a -> b: call *f()
                 b -> c: p = alloc heap sizeof twig nofail as twig
                 c -> exit: unsupported inline_assembly
               }"),
        expect![[r#"
            cell struct twig, 24 bytes: left -> struct twig, right, key

            main:
              l0 -> l2: f = opaque
              l2 -> l5: use f
              l5 -> l6: case f is opaque
              l5 -> l7: case f is not opaque
              l6 -> l3: gap Call(UnknownTarget)
              l3 -> l4: p = alloc struct twig
              l4 -> l10: gap Text(InlineAssembly)
              l10 -> l1: end p, f, i
              l1 -> l11: the program returns
              l7 -> l8: case f is 0
              l7 -> l9: case f is not 0
              l8 -> l3: fail null-deref
              l9 -> l3: gap Call(PerhapsNoFunction)
        "#]],
    );
}

#[test]
fn of_two_links_the_one_that_is_read_is_followed() {
    check_lists(
        &(TREE.to_owned()
            + "fn main() {
                 var p : ptr twig
                 entry -> a: p = alloc heap sizeof twig zeroed nofail as twig
                 a -> b: store p->left = null
                 b -> exit: p = load p->right
               }"),
        expect![[r#"
            cell struct twig, 24 bytes: left, right -> struct twig, key

            main:
              l0 -> l2: p = alloc struct twig of zeros
              l2 -> l3: p->left = 0
              l3 -> l4: p = p->right
              l4 -> l1: end p
              l1 -> l5: the program returns
        "#]],
    );
}

#[test]
fn an_assertion_may_fail() {
    check_lists(
        &(NODE.to_owned()
            + "fn main() {
                 var p : ptr node
                 entry -> a: p = alloc heap sizeof node zeroed as node
                 a -> b: assert p != null
                 b -> exit: assert acyclic(p) over node via next
               }"),
        expect![[r#"
            cell struct node, 16 bytes: next -> struct node, value

            main:
              l0 -> l2: p = 0
              l0 -> l2: p = alloc struct node of zeros
              l2 -> l4: fail assert when p == 0
              l2 -> l4: assume p == 0
              l2 -> l3: assume p != 0
              l3 -> l5: assert acyclic(p) over struct node via next
              l5 -> l1: end p
              l1 -> l6: the program returns
        "#]],
    );
}

/// The first problem of a program that was damaged after its translation.
fn check_problem(damage: impl FnOnce(&mut Translation), expected: Expect) {
    let text = NODE.to_owned()
        + "fn rest(list : ptr node) -> r : ptr node {
             entry -> exit: r = load list->next
           }
           fn main() {
             var p : ptr node
             entry -> a: p = alloc heap sizeof node zeroed nofail as node
             a -> exit: p = call rest(p)
           }";
    let (program, mut translation) = translated(&text, Links::Every, Calls::Inlined);
    damage(&mut translation);
    let wrong = verifier::verify(&program, &translation);
    let words: Vec<String> = wrong.iter().map(|problem| problem.describe(&program, &translation.program)).collect();
    expected.assert_eq(words.first().map_or("", |words| words));
}

#[test]
fn the_verifier_finds_what_is_broken() {
    let first = heapwise_cells::program::StepId::from_u32;
    let list = |translation: &Translation| {
        translation.program.vars.iter().find(|(_, var)| var.name == "list").map(|(var, _)| var).unwrap()
    };
    check_problem(
        |translation| translation.program.steps[first(0)].to = Point::from_u32(99),
        expect!["l1 -> l99: the program returns: from, to or in what does not exist"],
    );
    check_problem(
        |translation| translation.program.outgoing[Point::from_u32(0)].clear(),
        expect!["l0 -> l2: p = alloc struct node of zeros: l0 lists the step 0 times"],
    );
    check_problem(
        |translation| translation.program.kinds.clear(),
        expect!["l0 -> l2: p = alloc ? of zeros: a kind of cells that does not exist"],
    );
    check_problem(
        |translation| translation.program.kinds.values_mut().for_each(|kind| kind.size = 8),
        expect!["a field of `struct node` at byte 8 ends outside of it"],
    );
    // `main` does not know the variables of `rest` before it calls it.
    check_problem(
        |translation| {
            let target = list(translation);
            translation.program.steps[first(0)].command = Command::Set { target, value: Atom::NULL };
        },
        expect!["l1 -> l8: rest.list = 0: `list` is of a function that does not run here"],
    );
    check_problem(
        |translation| {
            let target = list(translation);
            translation.program.steps[first(0)].command = Command::Set { target, value: Atom::Place(7) };
        },
        expect!["l1 -> l8: rest.list = ?&7: `list` is of a function that does not run here"],
    );
    check_problem(
        |translation| translation.program.frames[1].caller = Some((5, EdgeId::from_u32(0))),
        expect!["call string 1 is called by a later one"],
    );
    check_problem(
        |translation| {
            translation.points.insert((0, LocationId::from_u32(77)), Point::from_u32(0));
        },
        expect!["a point is named for L77 of call string 0, which is not there"],
    );
}
