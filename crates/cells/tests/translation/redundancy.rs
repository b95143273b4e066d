//! What is computed again: comparisons by global value numbering, loads by partial redundancy elimination.

use super::{NODE, check};
use expect_test::expect;

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
