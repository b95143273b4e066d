//! Each pass of the translation by examples: a program in the text form of `ir`, and the cell program it becomes.
//! `UPDATE_EXPECT=1 cargo test -p heapwise-cells` rewrites what is expected.

#![allow(clippy::unwrap_used)]

mod calls;
mod damage;
mod objects;
mod redundancy;

use expect_test::{Expect, expect};
use heapwise_cells::live::Liveness;
use heapwise_cells::translate::{Calls, Translation, translate_calls};
use heapwise_cells::{Links, mapped, text, verifier};
use heapwise_engine::Options;
use heapwise_ir::Program;
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
    let source = translation.source(&program);
    assert!(wrong.is_empty(), "{}\n{}", wrong[0].describe(source, cells), text::print(source, cells));
    assert_eq!(mapped::unmapped(cells, &Liveness::new(cells)), None);
    (program, translation)
}

fn check_as(program: &str, links: Links, calls: Calls, expected: Expect) {
    let (program, translation) = translated(program, links, calls);
    let mut printed = text::print(translation.source(&program), &translation.program);
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
