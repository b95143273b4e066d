//! Calls: inlined, as calls of procedures, by contract.

use super::{NODE, TREE, check, check_lists};
use expect_test::expect;

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
