//! Objects and parts of cells: addresses, bytes, fields, short arrays, records within cells.

use super::{NODE, TREE, check, check_lists};
use expect_test::expect;

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

/// What the tests of tables begin with: functions, and rows of numbers and functions.
fn with_table(mutability: &str, main: &str) -> String {
    format!(
        "struct command {{ code : i32, run : ptr fn() }}
         fn add() {{
           entry -> exit: assume true
         }}
         fn take() {{
           entry -> exit: assume true
         }}
         global table : [command; 3] {mutability} = {{ 0 : i32 = 97, 8 : ptr fn() = @add, 16 : i32 = 98, 24 : ptr fn() = @take, 32 : i32 = 99 }}
         {main}"
    )
}

#[test]
fn a_row_of_a_table_is_one_of_those_in_the_range_of_the_index() {
    let main = "fn main() {
                  temp i : i32
                  temp run : ptr fn()
                  temp row : ptr command
                  entry -> a: i = nondet : i32
                  a -> b: assume i >= 1
                  b -> c: assume i < 3
                  c -> d: run = load (&table)->[i].run : ptr fn()
                  d -> exit: row = &(&table)->[i]
                }";
    check_lists(
        &with_table("readonly", main),
        expect![[r#"
        main:
          l0 -> l2: run = 0
          l0 -> l2: run = &take
          l2 -> l3: row = &table+16
          l2 -> l3: row = &table+32
          l3 -> l1: end run, row
          l1 -> l4: the program returns
    "#]],
    );
}

#[test]
fn in_a_table_of_tables_row_and_column_are_told_apart() {
    check_lists(
        "fn add() {
           entry -> exit: assume true
         }
         fn take() {
           entry -> exit: assume true
         }
         global table : [[ptr fn(); 2]; 2] readonly = { 0 : ptr fn() = @add, 8 : ptr fn() = @take, 16 : ptr fn() = @add }
         fn main() {
           temp row : i32
           temp column : i32
           temp run : ptr fn()
           entry -> a: row = 0
           entry -> a: row = 1
           a -> b: column = nondet : i32
           b -> c: assume column >= 0
           c -> d: assume column < 2
           d -> e: run = load (&table)->[row][column] : ptr fn()
           e -> exit: call *run()
         }",
        expect![[r#"
            main:
              l0 -> l2: row = 0
              l0 -> l2: row = 1
              l2 -> l4: assume row == 0
              l2 -> l5: assume row != 0
              l4 -> l3: run = &add
              l4 -> l3: run = &take
              l3 -> l9: use run
              l9 -> l10: case run is opaque
              l9 -> l11: case run is not opaque
              l10 -> l8: gap Call(UnknownTarget)
              l8 -> l1: end row, run
              l1 -> l18: the program returns
              l11 -> l12: case run is 0
              l11 -> l13: case run is not 0
              l12 -> l8: fail null-deref
              l13 -> l15: case run is &add
              l13 -> l14: case run is not &add
              l14 -> l17: case run is &take
              l14 -> l16: case run is not &take
              l16 -> l8: gap Call(PerhapsNoFunction)
              l5 -> l6: assume row == 1
              l5 -> l7: assume row != 1
              l6 -> l3: run = 0
              l6 -> l3: run = &add
            add, called in main:
              l15 -> l8: end 
            take, called in main:
              l17 -> l8: end 
        "#]],
    );
}

#[test]
fn a_pointer_that_goes_along_a_table_holds_one_row_after_the_other() {
    let main = "fn main() {
                  var row : ptr command
                  temp run : ptr fn()
                  entry -> a: row = &table
                  a -> b: run = load row->run : ptr fn()
                  b -> a: row = index row + 1 : command
                  b -> exit: call *run()
                }";
    check_lists(
        &with_table("", main),
        expect![[r#"
        main:
          l0 -> l2: run = uninitialised
          l2 -> l3: row = &table
          l3 -> l17: case row is &table
          l3 -> l18: case row is not &table
          l17 -> l4: run = &add
          l4 -> l5: escape row IntoCell
          l4 -> l7: use run
          l5 -> l25: case row is &table
          l5 -> l26: case row is not &table
          l25 -> l3: row = &table+16
          l26 -> l27: case row is &table+16
          l26 -> l28: case row is not &table+16
          l27 -> l3: row = &table+32
          l28 -> l29: case row is &table+32
          l28 -> l30: case row is not &table+32
          l29 -> l3: row = &table+48
          l30 -> l3: row = opaque
          l7 -> l8: case run is opaque
          l7 -> l9: case run is not opaque
          l8 -> l6: gap Call(UnknownTarget)
          l6 -> l1: end row, run
          l1 -> l16: the program returns
          l9 -> l10: case run is 0
          l9 -> l11: case run is not 0
          l10 -> l6: fail null-deref
          l11 -> l13: case run is &add
          l11 -> l12: case run is not &add
          l12 -> l15: case run is &take
          l12 -> l14: case run is not &take
          l14 -> l6: gap Call(PerhapsNoFunction)
          l18 -> l19: case row is &table+16
          l18 -> l20: case row is not &table+16
          l19 -> l4: run = &take
          l20 -> l21: case row is &table+32
          l20 -> l22: case row is not &table+32
          l21 -> l4: run = 0
          l22 -> l23: case row is &table+48
          l22 -> l24: case row is not &table+48
          l23 -> l4: fail out-of-bounds
          l24 -> l4: run = row->[8..16]
        add, called in main:
          l13 -> l6: end 
        take, called in main:
          l15 -> l6: end 
    "#]],
    );
}
