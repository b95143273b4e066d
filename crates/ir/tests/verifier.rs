//! What the verifier accepts and what it says about the rest.

#[path = "text/arbitrary.rs"]
mod arbitrary;

use expect_test::{Expect, expect};
use heapwise_ir::{EdgeId, Instruction, Operand, RegisterId, TypeId, text, verify};
use proptest::prelude::*;

/// The problems of a function body over a list and a few registers.
fn check(body: &str, expected: Expect) {
    let text = format!(
        "struct inner {{ a : [i32; 4] }}
         struct node {{ next : ptr node; data : i32; low : u32; inner : inner }}
         struct opaque
         extern fn abort() aborts pure modelled
         extern fn log(format : ptr i8, ...) pure modelled
         fn length(list : ptr node) -> n : i32 {{ L0 -> L1: n = 0 }}
         fn f(p : ptr node, i : i32, u : u64, d : f64) -> i {{
           temp o : ptr opaque
           {body}
         }}"
    );
    let program = text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let lines: Vec<String> = verify(&program).iter().map(|problem| problem.describe(&program)).collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn sound_instructions_have_no_problem() {
    check(
        "L0 -> L2: p = alloc heap sizeof node as node
         L2 -> L3: p = load p->next
         L3 -> L4: store p->inner.a[i] = i
         L4 -> L5: i = call length(p)
         L5 -> L6: call log(0, i, p)
         L6 -> L7: u = convert p : ptr node to u64
         L7 -> L8: assert acyclic(p) over node via next
         L8 -> L9: o = p
         L9 -> L10: call abort()
         L8 -> L1: assume not d < 0",
        expect![""],
    );
}

#[test]
fn types_that_do_not_fit() {
    check("L0 -> L1: i = p", expect!["f: L0 -> L1: i = p: the register has type i32, but is given ptr node"]);
    check("L0 -> L1: i = u", expect!["f: L0 -> L1: i = u: the register has type i32, but is given u64"]);
    check(
        "L0 -> L1: i = 1.5",
        expect!["f: L0 -> L1: i = 1.5: the register has type i32, but is given a constant that is no value of it"],
    );
    check(
        "L0 -> L1: i = load p->next",
        expect!["f: L0 -> L1: i = load p->next : ptr node: loads ptr node into a register of type i32"],
    );
    check(
        "L0 -> L1: i = load p->data : u32",
        expect![
            "f: L0 -> L1: i = load p->data : u32: the path leads to i32, not to u32\nf: L0 -> L1: i = load p->data : u32: loads u32 into a register of type i32"
        ],
    );
    check("L0 -> L1: store p->inner = 0", expect!["f: L0 -> L1: store p->inner = 0 : inner: inner is no scalar"]);
    check("L0 -> L1: d = d % d", expect!["f: L0 -> L1: d = d % d: there is no such operation on f64"]);
    check("L0 -> L1: free i", expect!["f: L0 -> L1: free i: what is freed is a pointer, but is given i32"]);
    check(
        "L0 -> L1: assume p < i",
        expect!["f: L0 -> L1: assume p < i: the right operand has type ptr node, but is given i32"],
    );
    check(
        "L0 -> L1: o = index o + i : opaque",
        expect!["f: L0 -> L1: o = index o + i : opaque: the element opaque has no size"],
    );
    check(
        "L0 -> L1: assert dll(p) over node via next",
        expect!["f: L0 -> L1: assert dll(p) over node via next: the shape cannot have 1 links"],
    );
}

#[test]
fn calls_that_do_not_fit() {
    check(
        "L0 -> L1: i = call length(p, i)",
        expect!["f: L0 -> L1: i = call length(p, i): `length` has 1 parameters, but is given 2"],
    );
    check(
        "L0 -> L1: u = call length(p)",
        expect!["f: L0 -> L1: u = call length(p): i32 goes into a register of type u64"],
    );
    check(
        "L0 -> L1: i = call length(i)",
        expect!["f: L0 -> L1: i = call length(i): argument 1 has type ptr node, but is given i32"],
    );
    check("L0 -> L1: i = call abort()", expect!["f: L0 -> L1: i = call abort(): `abort` returns nothing"]);
    check("L0 -> L1: call log()", expect!["f: L0 -> L1: call log(): `log` has 1 parameters, but is given 0"]);
}

#[test]
fn dead_ends() {
    check("L0 -> L2: i = 0", expect!["f: L0 -> L2: i = 0: L2 has no outgoing edge, but the run is not over there"]);
    check(
        "L0 -> L2: call log(0)",
        expect!["f: L0 -> L2: call log(0): L2 has no outgoing edge, but the run is not over there"],
    );
    check("L0 -> L2: call abort()", expect![""]);
    check("L1 -> L0: skip", expect!["f: the exit L1 has outgoing edges"]);
    check("", expect!["f: the entry L0 has no outgoing edge"]);
}

#[test]
fn tables() {
    let check = |text: &str, expected: Expect| {
        let program = text::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let lines: Vec<String> = verify(&program).iter().map(|problem| problem.describe(&program)).collect();
        expected.assert_eq(&lines.join("\n"));
    };
    check(
        "struct s size 4 align 3 { a : i64 @ 0 }",
        expect!["the alignment of `s` is 3\n`s.a` reaches past the end of its record (4 bytes)"],
    );
    check(
        "global g : i32 = { 0 : i64 = 5, 0 : i32 = &g }",
        expect![
            "`g` at 0 reaches past the end (4 bytes)\n`g` at 0 has type i32, but is given a constant that is no value of it"
        ],
    );
    check("global g : u64 = { 0 : u64 = &g + 4 }", expect![""]);
    check("extern fn f(p : ptr void) writes(1)", expect!["f: its effects speak of parameter 1, but it has 1"]);
}

#[test]
fn ids_that_point_nowhere() {
    let mut program = text::parse("fn f(x : i32) {\n L0 -> L1: x = 1\n}").unwrap();
    let function = program.function_named("f").unwrap();
    let heapwise_ir::Body::Defined(automaton) = &mut program.functions[function].body else { panic!() };
    automaton.edges[EdgeId::from_u32(0)].instruction =
        Instruction::Free { pointer: Operand::Register(RegisterId::from_u32(7)) };
    program.functions[function].registers[RegisterId::from_u32(0)].ty = TypeId::from_u32(99);
    let lines: Vec<String> = verify(&program).iter().map(|problem| problem.describe(&program)).collect();
    expect![[r#"
        f: `x` has type99, which does not exist
        f: L0 -> L1: free ?: r7 does not exist"#]]
    .assert_eq(&lines.join("\n"));
}

proptest! {
    #[test]
    fn nonsense_gives_problems_not_panics(seed: u64) {
        let program = arbitrary::program(seed);
        for problem in verify(&program) {
            prop_assert!(!problem.describe(&program).is_empty());
        }
    }
}
