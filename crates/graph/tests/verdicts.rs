//! Whole small programs, in the text form of `ir`.

use expect_test::{Expect, expect};
use heapwise_engine::{Control, Engine, Options};
use heapwise_graph::{Feasibility, GraphEngine, Mode, Settings};
use heapwise_report::words;

/// What both modes say of a program, which must be the same.
fn check(body: &str, expected: Expect) {
    let text = format!(
        "struct node {{ data : i32; next : ptr node }}
         extern fn abort() aborts pure modelled
         {body}"
    );
    let program = heapwise_ir::text::parse(&text).expect("well-formed text");
    let options = Options::new(program.function_named("main").expect("a main"));
    let mut answers = Vec::new();
    for mode in [Mode::Full, Mode::Decomposed] {
        let engine = GraphEngine { settings: Settings { mode, feasibility: Feasibility::Exact } };
        let outcome = engine.check(&program, &options, &Control::unlimited());
        let mut answer = format!("{:?}\n", outcome.verdict());
        for finding in &outcome.findings {
            answer += &format!("{}: {} ({:?})\n", finding.kind.name(), finding.message, finding.certainty);
        }
        for gap in &outcome.gaps {
            answer += &format!("gap: {}\n", words::gap(&gap.reason));
        }
        answers.push(answer);
    }
    assert_eq!(answers[0], answers[1], "full and decomposed differ");
    expected.assert_eq(&answers[0]);
}

#[test]
fn a_list_that_is_built_and_freed_is_safe() {
    check(
        "fn main() {
           var head : ptr node; var n : ptr node; temp c : i32; temp t : ptr node
           entry -> loop: head = null
           loop -> test: c = nondet : i32
           test -> body: assume c != 0
           test -> free: assume c == 0
           body -> got: n = alloc heap sizeof node as node
           got -> free: assume n == 0
           got -> link: assume n != 0
           link -> linked: store n->next = head
           linked -> loop: head = n
           free -> more: assume head != 0
           free -> exit: assume head == 0
           more -> cut: t = load head->next
           cut -> gone: free head
           gone -> free: head = t
         }",
        expect![[r#"
            Safe
        "#]],
    );
}

#[test]
fn a_local_that_holds_the_last_cell_leaks_at_the_return() {
    check(
        "fn main() {
           var head : ptr node; var other : ptr node
           entry -> made: head = alloc heap sizeof node nofail as node
           made -> copied: other = head
           copied -> exit: other = null
         }",
        expect![[r#"
            Unsafe
            leak: a heap object is lost: nothing points to it any more (Confirmed)
        "#]],
    );
}

#[test]
fn a_callee_works_on_the_callers_variable_through_its_address() {
    check(
        "fn push(list : ptr ptr node) {
           var n : ptr node; temp t : ptr node
           entry -> got: n = alloc heap sizeof node as node
           got -> exit: assume n == 0
           got -> some: assume n != 0
           some -> old: t = load *list : ptr node
           old -> linked: store n->next = t
           linked -> exit: store *list = n : ptr node
         }
         fn main() {
           addr head : ptr ptr node; temp t : ptr node; temp u : ptr node
           entry -> begun: head = alloc auto 8 as ptr node
           begun -> a: store *head = null : ptr node
           a -> b: call push(head)
           b -> c: call push(head)
           c -> d: t = load *head : ptr node
           d -> out: assume t == 0
           d -> e: assume t != 0
           e -> f: u = load t->next
           f -> g: store *head = u : ptr node
           g -> c: free t
           out -> exit: end head
         }",
        expect![[r#"
            Safe
        "#]],
    );
}

#[test]
fn using_a_freed_cell_and_freeing_it_twice() {
    check(
        "fn main() {
           var x : ptr node; var y : ptr node; temp c : i32
           entry -> a: x = alloc heap sizeof node zeroed nofail as node
           a -> b: y = x
           b -> c: free x
           c -> use: c = nondet : i32
           use -> one: assume c == 0
           use -> two: assume c != 0
           one -> exit: store y->next = null
           two -> exit: free y
         }",
        expect![[r#"
            Unsafe
            use-after-free: a heap object is written after it was freed (Confirmed)
            double-free: a heap object is freed again (Confirmed)
        "#]],
    );
}

#[test]
fn what_lies_outside_the_class_is_a_gap() {
    check(
        "struct bush { left : ptr bush; right : ptr bush }
         fn main() {
           var x : ptr bush
           entry -> a: x = alloc heap sizeof bush zeroed nofail as bush
           a -> exit: store x->right = x
         }",
        expect![[r#"
            Unknown
            gap: a pointer to a heap cell is stored in a field that is not its list link
        "#]],
    );
    check(
        "fn main() { entry -> exit: call main() }",
        expect![[r#"
            Unknown
            gap: `main` calls itself
        "#]],
    );
    check(
        "fn main() {
           var x : ptr node; var p : ptr i32
           entry -> a: x = alloc heap sizeof node nofail as node
           a -> b: p = &x->next
           b -> exit: p = &x->data
         }",
        expect![[r#"
            Unknown
            gap: a pointer to the inside of a cell is not followed
        "#]],
    );
}

#[test]
fn fields_and_locals_without_a_value_are_found_when_they_are_used() {
    check(
        "fn main() {
           var x : ptr node; var i : i32
           entry -> a: x = alloc heap sizeof node nofail as node
           a -> b: i = load x->data
           b -> exit: free x
         }",
        expect![[r#"
            Safe
        "#]],
    );
    check(
        "fn main() {
           var i : i32; var c : i32
           entry -> a: c = nondet : i32
           a -> b: assume c == 0
           a -> set: assume c != 0
           set -> b: i = 1
           b -> exit: assume i == 1
           b -> exit: assume i != 1
         }",
        expect![[r#"
            Unsafe
            uninitialised: a branch depends on an uninitialised value (Confirmed)
        "#]],
    );
}

#[test]
fn a_flag_carries_what_a_callee_saw() {
    check(
        "fn empty(list : ptr node) -> temp r : i32 {
           entry -> yes: assume list == 0
           entry -> no: assume list != 0
           yes -> exit: r = 1
           no -> exit: r = 0
         }
         fn main() {
           var x : ptr node; temp e : i32; temp t : ptr node
           entry -> a: x = alloc heap sizeof node zeroed as node
           a -> b: e = call empty(x)
           b -> exit: assume e != 0
           b -> use: assume e == 0
           use -> c: t = load x->next
           c -> exit: free x
         }",
        expect![[r#"
            Safe
        "#]],
    );
}

#[test]
fn a_result_that_nobody_takes_is_lost_in_the_caller() {
    check(
        "fn make() -> temp r : ptr node {
           var v : ptr node
           entry -> got: v = alloc heap sizeof node zeroed nofail as node
           got -> exit: r = v
         }
         fn main() {
           entry -> exit: call make() at -:7:3
         }",
        expect![[r#"
            Unsafe
            leak: a heap object is lost: nothing points to it any more (Confirmed)
        "#]],
    );
}
