//! The text form: examples, errors, and the round trip of arbitrary programs.

#[path = "text/arbitrary.rs"]
mod arbitrary;

use expect_test::{Expect, expect};
use heapwise_ir::text::{Spans, parse, print, type_name};
use heapwise_ir::{Program, TypeId};
use proptest::prelude::*;

fn check(text: &str, expected: Expect) {
    let program = parse(text).unwrap_or_else(|error| panic!("{error}"));
    let printed = print(&program, Spans::Shown);
    expected.assert_eq(&printed);
    let again = parse(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    assert_eq!(structure(&program), structure(&again));
}

fn check_error(text: &str, expected: Expect) {
    match parse(text) {
        Ok(program) => panic!("parsed:\n{program}"),
        Err(error) => expected.assert_eq(&error.to_string()),
    }
}

/// Everything a program holds, with types by name: their numbers depend on the order in which they were first seen.
fn structure(program: &Program) -> String {
    // What nothing calls is not in the text.
    let Program { target, files, types: _, records, globals, functions, contracts, gaps, uncalled: _ } = program;
    let debug =
        format!("{target:#?}\n{files:#?}\n{records:#?}\n{globals:#?}\n{functions:#?}\n{contracts:#?}\n{gaps:#?}");
    let mut out = String::new();
    let mut rest = debug.as_str();
    while let Some(start) = rest.find(" type") {
        let (before, after) = rest.split_at(start + 5);
        out.push_str(before);
        let digits = after.len() - after.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
        if let Ok(number) = after[..digits].parse::<u32>() {
            let id = TypeId::from_u32(number);
            assert!(program.types.contains(id), "{after:.40}");
            out.push_str(&type_name(program, id));
        }
        rest = &after[digits..];
    }
    out.push_str(rest);
    out
}

#[test]
fn a_list_program() {
    check(
        "
        struct node { next : ptr node, data : i32 }
        global head : ptr node
        fn push(value : i32) {
          var n : ptr node
          temp t : ptr node
          entry -> made: n = alloc heap sizeof node as node
          made -> failed: assume n == null
          failed -> exit: call abort()
          made -> good: assume n != 0
          good -> a: store n->data = value
          a -> b: t = load *(&head)
          b -> c: store n->next = t
          c -> exit: store *(&head) = n : ptr node
        }
        extern fn abort() aborts pure modelled",
        expect![[r#"
            target lp64

            struct node size 16 align 8 {
              next : ptr node @ 0
              data : i32 @ 8
            }

            global head : ptr node

            fn push(value : i32) {
              var n : ptr node
              temp t : ptr node
              L0 -> L2: n = alloc heap 16 as node
              L2 -> L3: assume n == 0
              L3 -> L1: call abort()
              L2 -> L4: assume n != 0
              L4 -> L5: store n->data = value : i32
              L5 -> L6: t = load *(&head) : ptr node
              L6 -> L7: store n->next = t : ptr node
              L7 -> L1: store *(&head) = n : ptr node
            }

            extern fn abort() aborts pure modelled
        "#]],
    );
}

#[test]
fn every_instruction() {
    check(
        r#"
        target ilp32
        file "a.c" text "int x;\n"
        struct inner { link : ptr inner; low : u32 }
        struct outer { key : i32; inner : inner; table : [ptr outer; 4] }
        struct flags size 4 align 4 { a : u32 @ 0 bits 0+3; b : u32 @ 0 bits 3+5 }
        union either { number : i64; pointer : ptr void }
        struct opaque
        global table : [ptr fn(ptr void, ...) -> i32; 2] = { 0 : ptr fn(ptr void, ...) -> i32 = @compare, 4 : ptr void = &text + 2 }
        global text : [i8; 6] readonly at 0:1:5 = bytes "h\"i\n\xff"
        global other : ptr opaque = unknown
        extern fn compare(a : ptr void, ...) -> r : i32 taken writes(0) takes(0, 1)
        fn everything(o : ptr outer, f : f64, `load` : ptr fn(ptr void) -> i32, ...) -> r : i32 declared at 0:1:1-1:7 {
        }
        "#,
        expect![[r#"
            target ilp32
            file "a.c" text "int x;\n"

            struct inner size 8 align 4 {
              link : ptr inner @ 0
              low : u32 @ 4
            }

            struct outer size 28 align 4 {
              key : i32 @ 0
              inner : inner @ 4
              table : [ptr outer; 4] @ 12
            }

            struct flags size 4 align 4 {
              a : u32 @ 0 bits 0+3
              b : u32 @ 0 bits 3+5
            }

            union either size 8 align 8 {
              number : i64 @ 0
              pointer : ptr void @ 0
            }

            struct opaque size 0 align 1

            global table : [ptr fn(ptr void, ...) -> i32; 2] = { 0 : ptr fn(ptr void, ...) -> i32 = @compare, 4 : ptr void = &text + 2 }
            global text : [i8; 6] readonly at 0:1:5 = bytes "h\"i\n\xff"
            global other : ptr opaque = unknown

            extern fn compare(a : ptr void, ...) -> r : i32 taken writes(0) takes(0, 1)

            fn everything(o : ptr outer, f : f64, `load` : ptr fn(ptr void) -> i32, ...) -> r : i32 declared at 0:1:1-1:7 {
            }
        "#]],
    );
    check(
        r#"
        file "a.c"
        struct inner { link : ptr inner; low : u32 }
        struct outer { key : i32; inner : inner; table : [ptr outer; 4] }
        struct flags size 4 align 4 { a : u32 @ 0 bits 0+3; b : u32 @ 0 bits 3+5 }
        global word : i32
        extern fn compare(a : ptr void, b : ptr void) -> r : i32 pure modelled
        fn all(o : ptr outer, i : i32, u : u64, f : f64, p : ptr inner, fp : ptr fn(i32) -> i32, g : ptr flags) -> i {
          addr buffer : ptr [i8; 10] at 0:2:3
          temp t : ptr void
          L0 -> L2: i = 0 at 0:3:4
          L2 -> L3: f = -1.5e-3
          L2 -> L3: f = floatbits 0x7ff0000000000000
          L2 -> L3: i = 1 + 2
          L2 -> L3: u = u << 3
          L2 -> L3: i = u >> i : u64
          L2 -> L3: i = neg i
          L2 -> L3: u = not i : i32
          L2 -> L3: p = &o->inner
          L2 -> L3: p = &*p
          L2 -> L3: t = &(&word as inner)->low
          L2 -> L3: o = container_of(p, outer, inner)
          L2 -> L3: t = bytes t + 8
          L2 -> L3: p = index p + i : inner
          L2 -> L3: u = diff p - p : inner
          L2 -> L3: u = convert p : ptr inner to u64
          L2 -> L3: i = nondet : i32
          L2 -> L3: t = load o->table[i]
          L2 -> L3: t = load o->table[3] : ptr void
          L2 -> L3: i = load (o as flags)->b
          L2 -> L3: i = load g->b bits none
          L2 -> L3: store (t as inner)->link = @compare
          L2 -> L3: store o->inner.low = 5
          L2 -> L3: copy *o = *o
          L2 -> L3: copy o->inner = fill 0 size inner
          L2 -> L3: copy *(t as outer) = nondet bytes u
          L2 -> L3: copy *(t as outer) = *(&word) common
          L2 -> L3: buffer = alloc auto 10 nofail as i8 * 10
          L2 -> L3: t = alloc heap u zeroed as inner * u tail
          L2 -> L3: t = alloc heap u anything
          L2 -> L3: free t
          L2 -> L3: end buffer
          L2 -> L3: skip
          L2 -> L3: assume false
          L2 -> L3: assume not f < 0.0
          L2 -> L3: assume 1 == 1 : i64
          L2 -> L3: i = call compare(t, &word)
          L2 -> L3: call *fp(i)
          L2 -> L3: assert true
          L2 -> L3: assert dll(o) over outer via table[0], inner.link
          L2 -> L3: assume reach(p, p) over inner via link
          L2 -> L3: unsupported inline_assembly
          L3 -> L1: unsupported scalar_type "something \"odd\""
        }
        contract all requires "x" ensures "y" ensures "z" at 0:1:1
        gap front_end "no such file" at -:3:4
        "#,
        expect![[r#"
            target lp64
            file "a.c"

            struct inner size 16 align 8 {
              link : ptr inner @ 0
              low : u32 @ 8
            }

            struct outer size 56 align 8 {
              key : i32 @ 0
              inner : inner @ 8
              table : [ptr outer; 4] @ 24
            }

            struct flags size 4 align 4 {
              a : u32 @ 0 bits 0+3
              b : u32 @ 0 bits 3+5
            }

            global word : i32

            extern fn compare(a : ptr void, b : ptr void) -> r : i32 pure modelled

            fn all(o : ptr outer, i : i32, u : u64, f : f64, p : ptr inner, fp : ptr fn(i32) -> i32, g : ptr flags) -> i {
              addr buffer : ptr [i8; 10] at 0:2:3
              temp t : ptr void
              L0 -> L2: i = 0 at 0:3:4
              L2 -> L3: f = -0.0015
              L2 -> L3: f = floatbits 0x7ff0000000000000
              L2 -> L3: i = 1 + 2
              L2 -> L3: u = u << 3
              L2 -> L3: i = u >> i : u64
              L2 -> L3: i = neg i
              L2 -> L3: u = not i : i32
              L2 -> L3: p = &o->inner
              L2 -> L3: p = &*p
              L2 -> L3: t = &(&word as inner)->low
              L2 -> L3: o = container_of(p, outer, inner)
              L2 -> L3: t = bytes t + 8
              L2 -> L3: p = index p + i : inner
              L2 -> L3: u = diff p - p : inner
              L2 -> L3: u = convert p : ptr inner to u64
              L2 -> L3: i = nondet : i32
              L2 -> L3: t = load o->table[i] : ptr outer
              L2 -> L3: t = load o->table[3] : ptr void
              L2 -> L3: i = load (o as flags)->b : u32
              L2 -> L3: i = load g->b bits none : u32
              L2 -> L3: store (t as inner)->link = @compare : ptr inner
              L2 -> L3: store o->inner.low = 5 : u32
              L2 -> L3: copy *o : outer = *o : outer
              L2 -> L3: copy o->inner : inner = fill 0
              L2 -> L3: copy *(t as outer) : outer = nondet bytes u
              L2 -> L3: copy *(t as outer) : outer = *(&word) : i32 common
              L2 -> L3: buffer = alloc auto 10 nofail as i8 * 10
              L2 -> L3: t = alloc heap u zeroed as inner * u tail
              L2 -> L3: t = alloc heap u anything
              L2 -> L3: free t
              L2 -> L3: end buffer
              L2 -> L3: skip
              L2 -> L3: assume false
              L2 -> L3: assume not f < 0.0
              L2 -> L3: assume 1 == 1 : i64
              L2 -> L3: i = call compare(t, &word)
              L2 -> L3: call *fp(i)
              L2 -> L3: assert true
              L2 -> L3: assert dll(o) over outer via table[0], inner.link
              L2 -> L3: assume reach(p, p) over inner via link
              L2 -> L3: unsupported inline_assembly
              L3 -> L1: unsupported scalar_type "something \"odd\""
            }

            contract all requires "x" ensures "y" ensures "z" at 0:1:1
            gap front_end "no such file" at -:3:4
        "#]],
    );
}

#[test]
fn errors_say_where_and_what() {
    check_error("struct s { x : i33 }", expect!["1:16: no record `i33` is declared, and no type has this name"]);
    check_error("fn f() {\n  L0 -> L1: x = 1\n}", expect!["2:13: no register `x` is declared in this function"]);
    check_error("fn f(x : i32) {\n  L0 -> L1: x = = 1\n}", expect!["2:17: expected an operand, found `=`"]);
    check_error("fn f(x : i32) {", expect!["1:15: this `{` is never closed"]);
    check_error(
        "fn f(x : i32)",
        expect!["1:14: expected `{` (or `extern fn` for a function without a body), found the end of the text"],
    );
    check_error(
        "fn f(load : i32) {}",
        expect!["1:6: expected the name of a register, found the reserved word `load` (as a name it needs backquotes)"],
    );
    check_error(
        "struct s { n : ptr s }\nfn f(p : ptr s) {\n L0 -> L1: store p->m = 0\n}",
        expect!["3:21: `s` has no field `m`"],
    );
    check_error("global g : i32 = bytes \"abc", expect!["1:24: no closing \" on this line"]);
    check_error(
        "fn f() { L0 -> L99999999: skip }",
        expect!["1:16: `L99999999` is more locations than a text may have"],
    );
    check_error("fn f() {} fn g() {}", expect!["1:11: expected the end of the line, found `fn`"]);
    check_error("struct s { a : s }", expect!["1:12: the place of `a` needs `@ OFFSET`: its type has no size yet"]);
    check_error("fn f(x : i32) { L0 -> L1: call g(x) }", expect!["1:32: no function `g` is declared"]);
    check_error(
        &format!("global g : {} i32", "ptr ".repeat(100_000)),
        expect!["1:2012: this type is nested too deeply"],
    );
    check_error("fn f() { L0 -> L1: skip at 3:1:1 }", expect!["1:28: no file of that number is declared"]);
}

proptest! {
    #[test]
    fn what_is_printed_parses_back(seed: u64) {
        let program = arbitrary::program(seed);
        let text = print(&program, Spans::Shown);
        let again = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        for (left, right) in structure(&program).lines().zip(structure(&again).lines()) {
            prop_assert_eq!(left, right, "{}", &text);
        }
        prop_assert_eq!(&text, &print(&again, Spans::Shown));
    }

    #[test]
    fn any_text_is_an_error_or_a_program(seed: u64, cuts in proptest::collection::vec((0.0..1.0f64, 0.0..1.0f64), 1..4)) {
        // A real text with pieces of it moved about: deeper into the parser than random characters get.
        let mut text: Vec<char> = print(&arbitrary::program(seed), Spans::Shown).chars().collect();
        for (from, to) in cuts {
            let (from, to) = ((from * text.len() as f64) as usize, (to * text.len() as f64) as usize);
            let length = 5.min(text.len() - from);
            let piece: Vec<char> = text.drain(from..from + length).collect();
            let to = to.min(text.len());
            text.splice(to..to, piece);
        }
        let text: String = text.into_iter().collect();
        if let Ok(program) = parse(&text) {
            let _ = print(&program, Spans::Shown);
        }
    }
}
