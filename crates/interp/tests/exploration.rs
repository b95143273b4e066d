//! The engine: which choices are tried, when the search is exhaustive, and what a finding carries.

use expect_test::{Expect, expect};
use heapwise_engine::{
    AllocationFailure, Assumption, Budget, Cancel, Control, EarlyFindings, Engine, Exhausted, Kind, Options, Outcome,
    Verdict,
};
use heapwise_interp::{
    Explicit, FirstChooser, Limits, Machine, MachineOptions, OutputMode, Persistence, Place, State, drawing, run,
};
use heapwise_ir::Program;
use heapwise_report::words;
use std::fmt::Write;

const NODE: &str = "file \"a.c\"\nstruct node { next : ptr node; data : i32 }\n";

fn parse(text: &str) -> Program {
    heapwise_ir::text::parse(&format!("{NODE}{text}")).expect("the text is well-formed")
}

fn options(program: &Program) -> Options {
    Options::new(program.function_named("main").expect("there is a main"))
}

fn small() -> Explicit {
    let limits = Limits { states: 300, steps: 100_000, segment: 50_000, random_steps: 5_000, walk: 1_000 };
    Explicit { limits, persistence: Some(Persistence::WithinLimits) }
}

fn explore(text: &str) -> Outcome {
    let program = parse(text);
    small().check(&program, &options(&program), &Control::unlimited())
}

fn render(program: &Program, outcome: &Outcome) -> String {
    let mut text = format!("{:?}\n", outcome.verdict());
    for finding in &outcome.findings {
        let _ = writeln!(text, "{:?} {} line {}", finding.certainty, finding.kind.name(), finding.span.line);
        for step in &finding.trace {
            let _ = writeln!(text, "  {}: {}", step.span.line, step.message);
        }
    }
    for gap in &outcome.gaps {
        let _ = writeln!(text, "gap line {}: {}", gap.span.line, words::gap(&gap.reason));
    }
    for note in &outcome.notes {
        let _ = writeln!(text, "note: {}", words::note(program, note));
    }
    text
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&render(&parse(text), &explore(text)));
}

#[test]
fn a_loop_that_input_ends_is_exhausted() {
    check(
        "fn main() -> temp r : i32 {
           temp t : i32
           entry -> a: t = nondet : i32
           a -> entry: assume t != 0
           a -> b: assume t == 0
           b -> exit: r = 0
         }",
        expect![[r#"
            Safe
            note: explored 1 state up to depth 1, exhaustively
        "#]],
    );
}

#[test]
fn a_loop_without_end_is_recognised() {
    check(
        "fn main() -> temp r : i32 {
           var i : i32
           entry -> a: i = 0
           a -> b: i = i + 1
           b -> c: i = i % 7
           c -> a: assume i < 7
           c -> exit: assume i >= 7
         }",
        expect![[r#"
            Safe
            note: explored 0 states up to depth 0, exhaustively
        "#]],
    );
}

#[test]
fn comparisons_of_inputs_are_consistent() {
    // a < b and b < c exclude c < a.
    check(
        "fn main() -> temp r : i32 {
           var a : i32; var b : i32; var c : i32
           entry -> l1: a = nondet : i32
           l1 -> l2: b = nondet : i32
           l2 -> l3: c = nondet : i32
           l3 -> l4: assume a < b
           l3 -> l9: assume a >= b
           l4 -> l5: assume b < c
           l4 -> l9: assume b >= c
           l5 -> l6: assume c < a
           l5 -> l9: assume c >= a
           l6 -> l9: assert false at 0:7:1
           l9 -> exit: r = 0
         }",
        expect![[r#"
            Safe
            note: explored 2 states up to depth 2, exhaustively
        "#]],
    );
}

#[test]
fn the_trace_names_inputs_branches_and_allocations() {
    check(
        "fn main() -> temp r : i32 {
           var n : i32; var p : ptr node
           entry -> a: n = nondet : i32 at 0:1:1
           a -> b: p = null at 0:2:1
           b -> c: assume n > 40 at 0:3:1
           b -> f: assume n <= 40 at 0:3:1
           c -> d: p = alloc heap 16 at 0:4:1
           d -> e: store p->next = null at 0:5:1
           e -> f: free p at 0:6:1
           f -> exit: r = 0
         }",
        expect![[r#"
            Unsafe
            Confirmed null-deref line 5
              1: the input here is 41
              3: `n > 40`
              4: allocation of 16 bytes fails
              5: memory is written through a null pointer
            note: explored 2 states up to depth 2, exhaustively
        "#]],
    );
}

#[test]
fn a_remainder_of_an_input_is_an_input_with_fewer_values() {
    check(
        "fn main() -> temp r : i32 {
           temp t : i32; var k : i32
           entry -> a: t = nondet : i32 at 0:1:1
           a -> b: k = t & 3 at 0:1:1
           b -> c: assert k != 3 at 0:2:1
           c -> exit: r = 0
         }",
        expect![[r#"
            Unsafe
            Confirmed assert line 2
              1: the input here is 3
              2: the assertion `k != 3` fails
            note: explored 1 state up to depth 1, exhaustively
        "#]],
    );
}

#[test]
fn a_new_object_may_lie_where_a_freed_one_lay() {
    check(
        "fn main() -> temp r : i32 {
           var p : ptr node; var q : ptr node
           entry -> a: p = alloc heap 16 nofail at 0:1:1
           a -> b: free p at 0:2:1
           b -> c: q = alloc heap 16 nofail at 0:3:1
           c -> d: assume p == q at 0:4:1
           c -> e: assume p != q at 0:4:1
           d -> f: assert p == q at 0:5:1
           e -> f: assert p != q at 0:6:1
           f -> g: free q at 0:7:1
           g -> exit: r = 0
         }",
        expect![[r#"
            Safe
            note: explored 1 state up to depth 1, exhaustively
        "#]],
    );
}

#[test]
fn a_search_without_end_says_how_far_it_went() {
    let text = "fn main() -> temp r : i32 {
           var l : ptr node; var n : ptr node; temp t : i32
           entry -> loop: l = null
           loop -> a: t = nondet : i32
           a -> b: assume t != 0
           a -> done: assume t == 0
           b -> c: n = alloc heap 16 nofail
           c -> d: store n->next = l
           d -> loop: l = n
           done -> e: assume l != 0
           done -> f: assume l == 0
           e -> g: n = load l->next
           g -> h: free l
           h -> done: l = n
           f -> exit: r = 0
         }";
    check(
        text,
        expect![[r#"
            Unknown
            gap line 0: not every run was tried: they part here again and again (199 times)
            note: explored 199 states up to depth 199
            note: 14 random runs
        "#]],
    );
    // The same bytes every time.
    assert_eq!(explore(text), explore(text));
}

#[test]
fn an_unknown_function_is_a_gap_that_names_it() {
    check(
        "extern fn mystery(x : i32) -> temp y : i32
         fn main() -> temp r : i32 {
           entry -> exit: r = call mystery(1) at 0:3:1
         }",
        expect![[r#"
            Unknown
            gap line 3: `mystery` has no body and no model: anything may happen in it
            note: explored 0 states up to depth 0
            note: 313 random runs
        "#]],
    );
}

#[test]
fn one_reason_at_one_place_is_one_gap() {
    let outcome = explore(
        "fn main() -> temp r : i32 {
           var n : u64; var p : ptr node
           entry -> a: n = nondet : u64 at 0:1:1
           a -> b: p = alloc heap n nofail at 0:2:1
           b -> c: assume p != 0 at 0:3:1
           c -> d: store p->next = null at 0:4:1
           d -> e: free p at 0:5:1
           e -> exit: r = 0
         }",
    );
    assert!(outcome.gaps.len() <= 2, "{:?}", outcome.gaps);
}

#[test]
fn assuming_that_allocation_succeeds_is_stated() {
    let program = parse(
        "fn main() -> temp r : i32 {
           var p : ptr node
           entry -> a: p = alloc heap 16
           a -> b: store p->next = null
           b -> c: free p
           c -> exit: r = 0
         }",
    );
    let mut options = options(&program);
    options.allocation_failure = AllocationFailure::Never;
    let outcome = small().check(&program, &options, &Control::unlimited());
    assert_eq!(outcome.assumptions, [Assumption::AllocationSucceeds]);
    assert!(outcome.findings.is_empty() && outcome.gaps.is_empty());
}

#[test]
fn a_suspicion_is_confirmed_or_not() {
    let program = parse(
        "fn main() -> temp r : i32 {
           var n : i32; var p : ptr node
           entry -> a: n = nondet : i32 at 0:1:1
           a -> b: p = alloc heap 16 nofail at 0:2:1
           b -> c: assume n == 1234567 at 0:3:1
           b -> d: assume n != 1234567 at 0:3:1
           c -> d: free p at 0:4:1
           d -> e: free p at 0:5:1
           e -> exit: r = 0
         }",
    );
    let automaton = program.functions.values().next().and_then(|main| main.automaton()).expect("main has a body");
    let spans: Vec<_> = automaton.edges.values().map(|edge| edge.span).collect();
    let confirm = |kind, place| small().confirm(&program, &options(&program), &Control::unlimited(), kind, place, &[]);
    let finding = confirm(Kind::DoubleFree, Place::At(spans[5])).expect("the second free fails for one input");
    assert_eq!((finding.kind, finding.span.line), (Kind::DoubleFree, 5));
    assert!(finding.trace.iter().any(|step| step.message == "the input here is 1234567"));
    assert_eq!(confirm(Kind::DoubleFree, Place::Anywhere).as_ref(), Some(&finding));
    assert_eq!(confirm(Kind::DoubleFree, Place::At(spans[4])), None);
    assert_eq!(confirm(Kind::Leak, Place::Anywhere), None);
}

/// Whatever it is doing, a search that is asked to stop does so within a few steps, and has handed out what it found.
#[test]
fn a_search_stops_within_a_run_and_keeps_what_it_found() {
    let program = parse(
        "fn main() -> temp r : i32 {
           var p : ptr node
           var n : i32
           temp t : i32
           entry -> a: p = alloc heap 16 nofail as node
           a -> b: t = nondet : i32
           b -> c: assume t == 7
           b -> d: assume t != 7
           c -> e: free p
           e -> exit: free p
           d -> f: n = 0
           f -> f: n = n + 1
         }",
    );
    let limits = |states, segment| Limits { states, steps: u64::MAX, segment, random_steps: u64::MAX, walk: 400_000 };
    // The first looks at all runs, the second one makes random ones only.
    for limits in [limits(100, 4_000_000), limits(0, 10)] {
        let question = options(&program);
        let cancel = Cancel::default();
        let early = EarlyFindings::to(&question);
        let control = Control::start(Budget::default(), cancel.clone()).with_early_findings(early.clone());
        let (mut n_since, mut n_behind) = (0, 0);
        let mut observer = |_: &Machine<'_>, _: &State| {
            n_behind += u64::from(cancel.is_cancelled());
            n_since += early.count();
            // By then it is in the middle of a long run.
            if n_since > 1000 {
                cancel.cancel();
            }
        };
        let explicit = Explicit { limits, persistence: Some(Persistence::WithinLimits) };
        let outcome = explicit.explore(&program, &question, &control, Some(&mut observer));
        assert_eq!(outcome.stopped.as_ref().map(|stopped| stopped.why), Some(Exhausted::Cancelled));
        assert_eq!(outcome.verdict(), Verdict::Unsafe);
        assert_eq!(early.findings(), outcome.findings);
        assert!(n_behind < 100, "{n_behind} steps were made after it was asked to stop");
    }
}

#[test]
fn an_observer_sees_every_heap_and_can_draw_it() {
    let program = parse(
        "fn main() -> temp r : i32 {
           var p : ptr node
           entry -> a: p = alloc heap 16 nofail as node
           a -> b: store p->next = p
           b -> c: store p->data = 7
           c -> d: free p
           d -> exit: r = 0
         }",
    );
    let mut titles = Vec::new();
    let mut observer = |machine: &Machine<'_>, state: &State| {
        let picture = drawing(machine, state);
        let lines: Vec<String> = picture.nodes.iter().map(|node| node.lines.join(" ")).collect();
        titles.push(format!("{} / {} arrows", lines.join(", "), picture.arrows.len()));
    };
    let machine = Machine::new(&program, MachineOptions::new(options(&program).entry));
    run(&machine, &mut FirstChooser, Some(&mut observer), 100);
    expect![[r#"
         / 0 arrows
        p, node next = ? data = ? / 1 arrows
        p, node next data = ? / 2 arrows
        p, node next data = 7 / 2 arrows
        p, node (freed) / 1 arrows
        p, node (freed) / 1 arrows"#]]
    .assert_eq(&titles.join("\n"));
}

#[test]
fn what_follows_a_freely_chosen_result_is_only_possible() {
    check(
        "extern fn parity(x : i32) -> temp y : i32 pure modelled
         fn main() -> temp r : i32 {
           temp t : i32
           entry -> a: t = call parity(4) at 0:1:1
           a -> b: assert t == 0 at 0:2:1
           b -> exit: r = 0
         }",
        expect![[r#"
            Unknown
            Possible assert line 2
              1: the result of `parity` is -1
              2: it may be that the assertion `parity(…) == 0` fails
            note: explored 1 state up to depth 1, exhaustively
            note: 283 random runs
        "#]],
    );
}

#[test]
fn a_line_of_input_has_its_terminator() {
    check(
        "extern fn fgets(s : ptr i8, n : i32, stream : ptr i8) -> temp y : ptr i8 writes(0) modelled
         extern fn strlen(s : ptr i8) -> temp y : u64 pure modelled
         fn main() -> temp r : i32 {
           addr buffer : ptr i8; temp t : ptr i8; temp n : u64
           entry -> a: buffer = alloc auto 2 at 0:1:1
           a -> b: t = call fgets(buffer, 2, null) at 0:2:1
           b -> c: assume t != 0 at 0:3:1
           b -> d: assume t == 0 at 0:3:1
           c -> d: n = call strlen(buffer) at 0:4:1
           d -> e: end buffer at 0:5:1
           e -> exit: r = 0
         }",
        expect![[r#"
            Safe
            note: explored 2 states up to depth 2, exhaustively
        "#]],
    );
}

#[test]
fn the_library_prints_as_c_does() {
    let program = parse(
        r#"global f : [i8; 48] readonly = bytes "%d|%5u|%-4x|%s|%c|%05d|%.3f|%g|%e|%lld%%\n\x00"
         global s : [i8; 4] readonly = bytes "abc\x00"
         extern fn printf(format : ptr i8, ...) -> temp n : i32 pure modelled
         fn main() -> temp r : i32 {
           entry -> a: r = call printf(&f, -3, 42, 255, &s, 65, -42, 3.14159, 1000000.0, 0.5, 9000000000)
           a -> exit: r = 0
         }"#,
    );
    let options = MachineOptions { output: OutputMode::Kept, ..MachineOptions::new(options(&program).entry) };
    let machine = Machine::new(&program, options);
    let run = run(&machine, &mut FirstChooser, None, 100);
    expect!["-3|   42|ff  |abc|A|-0042|3.142|1e+06|5.000000e-01|9000000000%\n"]
        .assert_eq(&String::from_utf8_lossy(&run.output));
}

/// What is worked out before the first run looks at the budget too, and the engine says that it ran out.
#[test]
fn preparation_ends_with_the_budget() {
    let program = parse("fn main() -> temp r : i32 {\n entry -> a: r = 1\n a -> exit: r = 0\n}");
    let options = options(&program);
    let cancel = Cancel::default();
    let control = Control::start(Budget::default(), cancel.clone());
    let machine_options = || MachineOptions::new(options.entry);
    assert!(Machine::within(&program, machine_options(), &control).is_ok());
    cancel.cancel();
    let exhausted = Machine::within(&program, machine_options(), &control).err();
    assert_eq!(exhausted, Some(Exhausted::Cancelled));
    let outcome = Explicit::default().check(&program, &options, &control);
    assert_eq!(outcome.stopped.map(|stopped| stopped.why), Some(Exhausted::Cancelled));
}

#[test]
fn a_result_that_nothing_depends_on_leaves_no_doubt() {
    check(
        "extern fn parity(x : i32) -> temp y : i32 pure modelled
         fn main() -> temp r : i32 {
           var k : i32
           entry -> a: k = call parity(3) at 0:1:1
           a -> b: r = 1 at 0:2:1
           b -> exit: assert r == 2 at 0:3:1
         }",
        expect![[r#"
            Unsafe
            Confirmed assert line 3
              1: the result of `parity` is 0
              3: the assertion `1 == 2` fails
            note: explored 0 states up to depth 0, exhaustively
        "#]],
    );
}

#[test]
fn a_result_from_outside_lies_in_its_range() {
    check(
        "extern fn next(x : i32) -> temp y : i32 pure between(0, 9) outside modelled
         fn main() -> temp r : i32 {
           var k : i32
           entry -> a: k = call next(3) at 0:1:1
           a -> b: assert k >= 0 at 0:2:1
           b -> c: assert k < 10 at 0:3:1
           c -> d: assert k != 7 at 0:4:1
           d -> exit: r = 0
         }",
        expect![[r#"
            Unsafe
            Confirmed assert line 4
              1: the result of `next` is 7
              4: the assertion `k != 7` fails
            note: explored 1 state up to depth 1, exhaustively
        "#]],
    );
    check(
        "extern fn load_some(n : i32) -> temp y : i32 pure between(-1, argument 0) outside modelled
         fn main() -> temp r : i32 {
           var k : i32
           entry -> a: k = call load_some(8) at 0:1:1
           a -> b: assert k <= 8 at 0:2:1
           b -> exit: r = 0
         }",
        expect![[r#"
            Safe
            note: explored 0 states up to depth 0, exhaustively
        "#]],
    );
}

#[test]
fn what_the_outside_decides_once_stays() {
    let program = |manner: &str| {
        format!(
            "extern fn name(x : i32) -> temp y : ptr i8 pure gives library or null {manner} modelled
             extern fn change(x : i32) pure outside changes modelled
             fn main() -> temp r : i32 {{
               var p : ptr i8; var q : ptr i8; var s : ptr i8
               entry -> a: p = call name(1) at 0:1:1
               a -> b: q = call name(1) at 0:2:1
               b -> c: assert p == q at 0:3:1
               c -> d: call change(0)
               d -> e: s = call name(1) at 0:4:1
               e -> f: assume s != null
               f -> g: assume p == null
               g -> h: r = 0
               h -> exit: assert r == 1 at 0:5:1
             }}"
        )
    };
    check(
        &program("outside once"),
        expect![[r#"
        Unknown
        Possible assert line 5
          1: the result of `name` is NULL
          4: the result of `name` is not NULL
          5: it may be that the assertion `0 == 1` fails
        note: explored 3 states up to depth 2, exhaustively
        note: 227 random runs
    "#]],
    );
    check(
        &program("outside"),
        expect![[r#"
        Unsafe
        Confirmed assert line 3
          1: the result of `name` is not NULL
          2: the result of `name` is NULL
          3: the assertion `p == q` fails
        Confirmed assert line 5
          1: the result of `name` is NULL
          2: the result of `name` is NULL
          4: the result of `name` is not NULL
          5: the assertion `0 == 1` fails
        gap line 3: two pointers to storage of the library are compared
        note: explored 4 states up to depth 3
        note: 263 random runs
    "#]],
    );
}

#[test]
fn a_product_of_an_input_is_covered_but_in_doubt() {
    check(
        "fn main() -> temp r : i32 {
           var n : i32; var k : i32
           entry -> a: n = nondet : i32 at 0:1:1
           a -> b: assume n >= 0
           b -> c: assume n < 1000
           c -> d: k = n * n at 0:2:1
           d -> e: assert k >= 0 at 0:3:1
           e -> f: assert k != 123456 at 0:4:1
           f -> exit: r = n
         }",
        expect![[r#"
            Unknown
            Possible assert line 4
              1: the input here is 0
              4: it may be that the assertion `k != 123456` fails
            note: explored 4 states up to depth 4, exhaustively
            note: 268 random runs
        "#]],
    );
}

#[test]
fn errors_that_were_not_asked_for_are_counted_where_they_end_a_run() {
    let program = parse(
        "fn main() -> temp r : i32 {
           var p : ptr node
           entry -> a: p = alloc heap 16 at 0:1:1
           a -> b: store p->data = 1 at 0:2:1
           b -> c: free p at 0:3:1
           c -> exit: r = 0
         }",
    );
    let options = Options { properties: vec![Kind::DoubleFree], ..options(&program) };
    let outcome = small().check(&program, &options, &Control::unlimited());
    expect![[r#"
        Safe
        note: explored 1 state up to depth 1, exhaustively
        note: ways end in a null dereference at a.c:2, which was not asked for
    "#]]
    .assert_eq(&render(&program, &outcome));
}
