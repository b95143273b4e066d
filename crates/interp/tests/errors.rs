//! Every kind of error, on small programs in the text form of the language.

use expect_test::{Expect, expect};
use heapwise_engine::{AllocationFailure, Control, Engine, Kind, Options, Outcome};
use heapwise_interp::Explicit;
use heapwise_report::words;
use std::fmt::Write;

fn explore(text: &str, change: impl FnOnce(&mut Options)) -> Outcome {
    let program = heapwise_ir::text::parse(text).expect("the text is well-formed");
    let mut options = Options::new(program.function_named("main").expect("there is a main"));
    options.allocation_failure = AllocationFailure::Never;
    change(&mut options);
    Explicit::default().check(&program, &options, &Control::unlimited())
}

fn render(outcome: &Outcome) -> String {
    let mut text = format!("{:?}\n", outcome.verdict());
    for finding in &outcome.findings {
        let _ = writeln!(text, "{} line {}: {}", finding.kind.name(), finding.span.line, finding.message);
    }
    for gap in &outcome.gaps {
        let _ = writeln!(text, "gap line {}: {}", gap.span.line, words::gap(&gap.reason));
    }
    text
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&render(&explore(text, |_| ())));
}

const NODE: &str = "file \"a.c\"\nstruct node { next : ptr node }\n";

fn check_main(body: &str, expected: Expect) {
    check(&format!("{NODE}fn main() -> temp r : i32 {{\n{body}\n}}"), expected);
}

#[test]
fn null_and_small_integers_are_null_dereferences() {
    check_main(
        "var p : ptr node
         entry -> a: p = null at 0:1:1
         a -> b: p = load p->next at 0:2:1
         b -> exit: r = 0",
        expect![[r#"
            Unsafe
            null-deref line 2: memory is read through a null pointer
        "#]],
    );
    check_main(
        "var p : ptr node
         entry -> a: p = null at 0:1:1
         a -> b: p = bytes p + 64 at 0:2:1
         b -> c: store p->next = null at 0:3:1
         c -> exit: r = 0",
        expect![[r#"
            Unsafe
            null-deref line 3: memory is written through a null pointer, at offset 64
        "#]],
    );
}

#[test]
fn freed_storage_cannot_be_used_or_freed_again() {
    check_main(
        "var p : ptr node
         entry -> a: p = alloc heap 8 at 0:1:1
         a -> b: free p at 0:2:1
         b -> c: store p->next = null at 0:3:1
         c -> exit: r = 0",
        expect![[r#"
            Unsafe
            use-after-free line 3: the heap object allocated at line 1 is written after it was freed
        "#]],
    );
    check_main(
        "var p : ptr node
         entry -> a: p = alloc heap 8 at 0:1:1
         a -> b: free p at 0:2:1
         b -> c: free p at 0:3:1
         c -> exit: r = 0",
        expect![[r#"
            Unsafe
            double-free line 3: the heap object allocated at line 1 is freed again
        "#]],
    );
}

#[test]
fn only_the_start_of_a_heap_object_can_be_freed() {
    check_main(
        "var p : ptr node
         entry -> a: p = alloc heap 16 at 0:1:1
         a -> b: p = bytes p + 8 at 0:2:1
         b -> c: free p at 0:3:1
         c -> exit: r = 0",
        expect![[r#"
            Unsafe
            invalid-free line 3: a pointer to offset 8 of the heap object allocated at line 1 is freed
        "#]],
    );
    check_main(
        "addr x : ptr node
         entry -> a: x = alloc auto 8 at 0:1:1
         a -> b: free x at 0:2:1
         b -> exit: r = 0",
        expect![[r#"
            Unsafe
            invalid-free line 2: the local `x` is freed, which is no heap object
        "#]],
    );
}

#[test]
fn an_access_must_lie_within_its_object() {
    check_main(
        "var p : ptr node
         entry -> a: p = alloc heap 4 at 0:1:1
         a -> b: store p->next = null at 0:2:1
         b -> exit: r = 0",
        expect![[r#"
            Unsafe
            out-of-bounds line 2: 8 bytes are written at offset 0 of the heap object allocated at line 1, which has 4 bytes
        "#]],
    );
}

#[test]
fn an_uninitialised_value_may_be_copied_but_not_used() {
    check_main(
        "var x : i32
         var y : i32
         entry -> a: y = x at 0:1:1
         a -> b: assume y == 0 at 0:2:1
         a -> b: assume y != 0 at 0:2:1
         b -> exit: r = 0",
        expect![[r#"
            Unsafe
            uninitialised line 2: a branch depends on an uninitialised value
        "#]],
    );
    check_main(
        "addr x : ptr i32
         var y : i32
         entry -> a: x = alloc auto 4 at 0:1:1
         a -> b: y = load *x at 0:2:1
         b -> c: end x at 0:3:1
         c -> exit: r = 0",
        expect![[r#"
            Safe
        "#]],
    );
}

#[test]
fn a_leak_is_placed_where_the_last_reference_goes() {
    // Overwritten.
    check_main(
        "var p : ptr node
         entry -> a: p = alloc heap 8 at 0:1:1
         a -> b: p = null at 0:2:1
         b -> exit: r = 0",
        expect![[r#"
            Unsafe
            leak line 2: the heap object allocated at line 1 is lost: nothing points to it any more
        "#]],
    );
    // Held by a local until the function returns, though nobody reads it any more.
    check_main(
        "var p : ptr node
         entry -> a: p = alloc heap 8 at 0:1:1
         a -> b: r = 0 at 0:2:1
         b -> exit: skip at 0:3:1",
        expect![[r#"
            Unsafe
            leak line 3: the heap object allocated at line 1 is lost: nothing points to it any more
        "#]],
    );
    // A temporary never holds the last reference.
    check_main(
        "temp t : ptr node
         entry -> a: t = alloc heap 8 at 0:1:1
         a -> b: r = 0 at 0:2:1
         b -> exit: skip at 0:3:1",
        expect![[r#"
            Unsafe
            leak line 1: the heap object allocated at line 1 is lost: nothing points to it any more
        "#]],
    );
}

#[test]
fn a_cycle_is_lost_as_a_whole() {
    check_main(
        "var p : ptr node
         var q : ptr node
         entry -> a: p = alloc heap 8 at 0:1:1
         a -> b: q = alloc heap 8 at 0:2:1
         b -> c: store p->next = q at 0:3:1
         c -> d: store q->next = p at 0:4:1
         d -> e: p = null at 0:5:1
         e -> f: q = null at 0:6:1
         f -> exit: r = 0",
        expect![[r#"
            Unsafe
            leak line 6: the heap object allocated at line 1 is lost: nothing points to it any more (and 1 more with it)
        "#]],
    );
}

#[test]
fn an_interior_pointer_or_one_in_an_integer_keeps_an_object() {
    check_main(
        "var p : ptr node
         var i : u64
         entry -> a: p = alloc heap 16 at 0:1:1
         a -> b: p = bytes p + 8 at 0:2:1
         b -> c: i = convert p : ptr node to u64 at 0:3:1
         c -> d: p = null at 0:4:1
         d -> e: i = i - 8 : u64 at 0:5:1
         e -> f: p = convert i : u64 to ptr node at 0:6:1
         f -> g: i = 0
         g -> h: free p at 0:7:1
         h -> exit: r = 0",
        expect![[r#"
            Safe
        "#]],
    );
}

#[test]
fn an_argument_and_a_result_are_held_on_their_way() {
    check(
        &format!(
            "{NODE}
             fn id(x : ptr node) -> temp y : ptr node {{
               entry -> exit: y = x at 0:2:1
             }}
             fn main() -> temp r : i32 {{
               temp t : ptr node
               temp u : ptr node
               entry -> a: t = alloc heap 8 at 0:1:1
               a -> b: u = call id(t) at 0:3:1
               b -> c: free u at 0:4:1
               c -> exit: r = 0
             }}"
        ),
        expect![[r#"
            Safe
        "#]],
    );
    // Nobody takes the result.
    check(
        &format!(
            "{NODE}
             fn make() -> temp y : ptr node {{
               entry -> exit: y = alloc heap 8 at 0:2:1
             }}
             fn main() -> temp r : i32 {{
               entry -> b: call make() at 0:3:1
               b -> exit: r = 0
             }}"
        ),
        expect![[r#"
            Unsafe
            leak line 3: the heap object allocated at line 2 is lost: nothing points to it any more
        "#]],
    );
}

#[test]
fn globals_hold_until_the_program_ends() {
    let text = format!(
        "{NODE}global g : ptr node
         fn main() -> temp r : i32 {{
           temp t : ptr node
           entry -> a: t = alloc heap 8 at 0:1:1
           a -> b: store *(&g) = t at 0:2:1
           b -> exit: r = 0
         }}"
    );
    check(
        &text,
        expect![[r#"
        Safe
    "#]],
    );
    let outcome = explore(&text, |options| options.properties.push(Kind::LeakAtExit));
    expect![[r#"
        Unsafe
        leak-at-exit line 1: the heap object allocated at line 1 is still reachable when the program ends
    "#]]
    .assert_eq(&render(&outcome));
}

#[test]
fn returning_the_address_of_a_local_is_found_at_the_return() {
    check(
        &format!(
            "{NODE}
             fn f() -> temp y : ptr node {{
               addr x : ptr node
               entry -> a: x = alloc auto 8 at 0:1:1
               a -> b: y = x at 0:2:1
               b -> exit: end x at 0:2:1
             }}
             fn main() -> temp r : i32 {{
               var p : ptr node
               entry -> b: p = call f() at 0:3:1
               b -> exit: r = 0
             }}"
        ),
        expect![[r#"
            Unsafe
            dangling-return line 2: `f` returns the address of the local `x`, whose lifetime ends
        "#]],
    );
}

#[test]
fn what_a_freed_node_pointed_to_is_lost_with_it_unless_the_program_reads_it() {
    let build = "var p : ptr node
         var q : ptr node
         entry -> a: p = alloc heap 8 at 0:1:1
         a -> b: q = alloc heap 8 at 0:2:1
         b -> c: store p->next = q at 0:3:1
         c -> d: q = null at 0:4:1
         d -> e: free p at 0:5:1";
    check_main(
        &format!("{build}\n e -> exit: r = 0 at 0:6:1"),
        expect![[r#"
            Unsafe
            leak line 5: the heap object allocated at line 2 is lost: nothing points to it any more
        "#]],
    );
    check_main(
        &format!("{build}\n e -> f: q = load p->next at 0:6:1\n f -> exit: r = 0 at 0:7:1"),
        expect![[r#"
            Unsafe
            use-after-free line 6: the heap object allocated at line 1 is read after it was freed
        "#]],
    );
}

#[test]
fn shapes_are_checked() {
    let list = "var p : ptr node
         var q : ptr node
         entry -> a: p = alloc heap 8 at 0:1:1
         a -> b: q = alloc heap 8 at 0:2:1
         b -> c: store p->next = q at 0:3:1";
    let end = "e -> f: free p
         f -> g: free q
         g -> exit: r = 0";
    check_main(
        &format!(
            "{list}\n c -> d: store q->next = null at 0:4:1\n d -> e: assert acyclic(p) over node via next at 0:5:1\n{end}"
        ),
        expect![[r#"
            Safe
        "#]],
    );
    check_main(
        &format!(
            "{list}\n c -> d: store q->next = p at 0:4:1\n d -> e: assert acyclic(p) over node via next at 0:5:1\n{end}"
        ),
        expect![[r#"
            Unsafe
            shape line 5: the structure is cyclic
        "#]],
    );
    check_main(
        &format!(
            "{list}\n c -> d: store q->next = p at 0:4:1\n d -> e: assert cyclic(p) over node via next at 0:5:1\n{end}"
        ),
        expect![[r#"
            Safe
        "#]],
    );
}
