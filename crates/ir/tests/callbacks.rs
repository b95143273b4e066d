//! Calls that call back, written out: what the program is then.

use expect_test::{Expect, expect};
use heapwise_ir::Program;
use heapwise_ir::callbacks::Expansion;
use heapwise_ir::text::{Spans, parse, print};
use heapwise_ir::verifier::verify;

const LIBRARY: &str = "
    extern fn sort(a : ptr void, count : u64, width : u64, order : ptr fn(ptr void, ptr void) -> i32) calls(3, into 0, into 0) rearranges(0) elements(1, 2)
    extern fn search(key : ptr void, a : ptr void, count : u64, width : u64, order : ptr fn(ptr void, ptr void) -> i32) -> found : ptr void gives into(1 or null) calls(4, 0, into 1) elements(2, 3)
    fn order(left : ptr void, right : ptr void) -> result : i32 {
      entry -> exit: result = 0
    }
";

/// `main` once its calls are written out.
fn check(main: &str, few: u64, expected: Expect) {
    let program = parse(&format!("{LIBRARY}{main}")).unwrap_or_else(|error| panic!("{error}"));
    let expansion = Expansion::of(&program, few).expect("there is such a call");
    let problems = verify(&expansion.program);
    assert!(problems.is_empty(), "{}", problems[0].describe(&expansion.program));
    let main = program.function_named("main").expect("it is there");
    let body = |program: &Program| program.functions[main].automaton().expect("it has a body").clone();
    let (before, after) = (body(&program), body(&expansion.program));
    for (edge, after) in &after.edges {
        let is_kept = before.edges.get(edge).is_some_and(|before| before.from == after.from);
        assert_eq!(is_kept, !Expansion::is_new(&program, main, edge), "edges keep their numbers");
    }
    let text = print(&expansion.program, Spans::Hidden);
    let main = text.split("\n\n").find(|part| part.starts_with("fn main(")).expect("it is printed");
    expected.assert_eq(&format!("{}\n", main.trim_end()));
}

#[test]
fn a_sort_compares_and_exchanges_any_two_elements() {
    check(
        "fn main(numbers : ptr i32, count : u64) {
           entry -> exit: call sort(numbers, count, 4, @order)
         }",
        0,
        expect![[r#"
            fn main(numbers : ptr i32, count : u64) {
              temp `$called-back-2` : u64
              temp `$called-back-3` : ptr i32
              temp `$called-back-4` : u64
              temp `$called-back-5` : ptr i32
              temp `$called-back-6` : i32
              temp `$called-back-7` : i32
              temp `$called-back-8` : i32
              L0 -> L2: skip
              L2 -> L1: skip
              L2 -> L3: `$called-back-2` = nondet : u64
              L3 -> L4: assume `$called-back-2` < count
              L4 -> L5: `$called-back-3` = &(numbers as [i32])->[`$called-back-2`]
              L5 -> L6: `$called-back-4` = nondet : u64
              L6 -> L7: assume `$called-back-4` < count
              L7 -> L8: `$called-back-5` = &(numbers as [i32])->[`$called-back-4`]
              L8 -> L9: `$called-back-6` = call order(`$called-back-3`, `$called-back-5`)
              L9 -> L2: assume `$called-back-6` != 0
              L9 -> L2: assume `$called-back-6` == 0
              L8 -> L10: `$called-back-7` = load (numbers as [i32])->[`$called-back-2`] : i32
              L10 -> L11: `$called-back-8` = load (numbers as [i32])->[`$called-back-4`] : i32
              L11 -> L12: store (numbers as [i32])->[`$called-back-2`] = `$called-back-8` : i32
              L12 -> L13: store (numbers as [i32])->[`$called-back-4`] = `$called-back-7` : i32
              L13 -> L2: skip
            }
        "#]],
    );
}

#[test]
fn which_of_a_few_elements_is_chosen_is_a_branch() {
    check(
        "fn main(pairs : ptr [ptr void; 2], key : ptr void) {
           var found : ptr void
           entry -> exit: found = call search(key, pairs, 2, 8, @order)
         }",
        4,
        expect![[r#"
            fn main(pairs : ptr [ptr void; 2], key : ptr void) {
              var found : ptr void
              temp `$called-back-3` : u64
              temp `$called-back-4` : ptr ptr void
              temp `$called-back-5` : i32
              L0 -> L2: skip
              L2 -> L1: found = 0
              L2 -> L3: `$called-back-3` = 0
              L2 -> L3: `$called-back-3` = 1
              L3 -> L4: `$called-back-4` = &pairs->[`$called-back-3`]
              L4 -> L5: `$called-back-5` = call order(key, `$called-back-4`)
              L5 -> L2: assume `$called-back-5` != 0
              L5 -> L6: assume `$called-back-5` == 0
              L6 -> L1: found = `$called-back-4`
            }
        "#]],
    );
}

#[test]
fn calls_without_a_size_stay() {
    let program = parse(&format!(
        "{LIBRARY}
         fn main(numbers : ptr i32, width : u64) {{
           entry -> a: call sort(numbers, 3, width, @order)
           a -> exit: call sort(numbers, 3, 8, @order)
         }}"
    ));
    let program = program.unwrap_or_else(|error| panic!("{error}"));
    assert!(Expansion::of(&program, 0).is_none());
}
