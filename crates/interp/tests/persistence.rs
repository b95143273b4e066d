//! How long a search goes on: to its limits, while runs get fewer, or as long as its budget lasts.

use heapwise_engine::reason::{Doing, GapReason, SearchGap};
use heapwise_engine::{Budget, Cancel, Control, Engine, Exhausted, Options, Outcome, Verdict};
use heapwise_interp::{Explicit, Limits, Persistence};
use heapwise_ir::Program;
use std::time::Duration;

const LIMITS: Limits = Limits { states: 300, steps: 20_000, segment: 2_000, random_steps: 2_000, walk: 200 };

fn parse(text: &str) -> Program {
    heapwise_ir::text::parse(&format!("file \"a.c\"\n{text}")).expect("the text is well-formed")
}

fn explore(text: &str, persistence: Persistence, time: Option<Duration>) -> Outcome {
    let program = parse(text);
    let options = Options::new(program.function_named("main").expect("there is a main"));
    let control = Control::start(Budget { time, ..Budget::default() }, Cancel::default());
    Explicit { limits: LIMITS, persistence: Some(persistence) }.check(&program, &options, &control)
}

/// Reads `rounds` inputs of one bit, and asks `condition` of the number `n` that they make.
fn bits(rounds: u32, condition: &str) -> String {
    format!(
        "fn main() -> temp r : i32 {{
           var n : i32; var i : i32; temp b : i32
           entry -> i0: i = 0
           i0 -> head: n = 1
           head -> read: assume i < {rounds} at 0:3:1
           head -> done: assume i >= {rounds}
           read -> test: b = nondet : i32 at 0:4:1
           test -> zero: assume b == 0 at 0:5:1
           test -> one: assume b != 0 at 0:5:1
           zero -> next: n = n + n
           one -> odd: n = n + n
           odd -> next: n = n + 1
           next -> head: i = i + 1
           done -> checked: assert {condition} at 0:9:1
           checked -> exit: r = 0
         }}"
    )
}

/// Counts inputs that are not zero, without bound; the assertion fails at so many.
fn counter(most: u32) -> String {
    format!(
        "fn main() -> temp r : i32 {{
           var n : i32; temp b : i32
           entry -> head: n = 0
           head -> test: b = nondet : i32 at 0:4:1
           test -> exit: assume b == 0 at 0:5:1
           test -> one: assume b != 0 at 0:5:1
           one -> two: n = n + 1
           two -> head: assert n != {most} at 0:9:1
         }}"
    )
}

#[test]
fn a_search_with_a_budget_goes_on_behind_its_limits() {
    let text = bits(11, "n > 0");
    let cut = explore(&text, Persistence::WithinLimits, None);
    assert_eq!(cut.verdict(), Verdict::Unknown);
    let reason = GapReason::Search(SearchGap::RunsPart { times: 301 });
    assert_eq!(cut.gaps.iter().map(|gap| (gap.span.line, &gap.reason)).collect::<Vec<_>>(), [(5, &reason)]);
    let whole = explore(&text, Persistence::WithinBudget, None);
    assert_eq!(whole.verdict(), Verdict::Safe, "{whole:?}");
    assert_eq!(whole, explore(&text, Persistence::WithinBudget, None), "the same input gives the same");
}

#[test]
fn what_a_short_search_finds_a_longer_one_finds_too() {
    for condition in ["n != 4000", "n > 0"] {
        let short = explore(&bits(11, condition), Persistence::WithinLimits, None);
        let long = explore(&bits(11, condition), Persistence::WithinBudget, None);
        assert!(short.findings.len() <= long.findings.len());
    }
    assert_eq!(explore(&bits(11, "n != 4000"), Persistence::WithinBudget, None).verdict(), Verdict::Unsafe);
}

#[test]
fn what_was_found_is_kept_when_time_runs_out() {
    let time = Some(Duration::from_millis(400));
    let outcome = explore(&counter(5), Persistence::WithinBudget, time);
    assert_eq!(outcome.verdict(), Verdict::Unsafe);
    // Behind the error nothing goes on, so this one comes to its end.
    assert_eq!(outcome.stopped, None);
    let text = counter(5).replace("n != 5", "n < 0").replace("assert n < 0", "assume n > 0");
    let outcome = explore(&text, Persistence::WithinBudget, time);
    let stopped = outcome.stopped.as_ref().expect("it has no end");
    assert_eq!((stopped.why, stopped.span.line), (Exhausted::Time, 5));
    assert!(matches!(stopped.doing, Doing::Parting { .. }), "{stopped:?}");
}

#[test]
fn without_a_budget_a_search_goes_on_only_while_runs_get_fewer() {
    // Behind the bits all runs meet, and read a few inputs more.
    let text = bits(8, "n > 0").replace(
        "checked -> exit: r = 0",
        "checked -> l0: n = 0
         l0 -> l1: i = 0
         l1 -> l2: assume i < 100
         l1 -> exit: assume i >= 100
         l2 -> l3: b = nondet : i32
         l3 -> l4: assume b == 0
         l3 -> exit: assume b != 0
         l4 -> l1: i = i + 1",
    );
    assert_eq!(explore(&text, Persistence::WithinLimits, None).verdict(), Verdict::Unknown);
    assert_eq!(explore(&text, Persistence::WhileRunsGetFewer, None).verdict(), Verdict::Safe);
    // Here they only become more.
    assert_eq!(explore(&bits(20, "n > 0"), Persistence::WhileRunsGetFewer, None).verdict(), Verdict::Unknown);
}

#[test]
fn a_long_run_is_left_and_taken_up_again() {
    let text = "fn main() -> temp r : i32 {
           var i : i32
           entry -> head: i = 0
           head -> body: assume i < 30000 at 0:3:1
           head -> done: assume i >= 30000
           body -> head: i = i + 1 at 0:4:1
           done -> checked: assert i == 0 at 0:9:1
           checked -> exit: r = 0
         }";
    let cut = explore(text, Persistence::WithinLimits, None);
    assert_eq!(cut.verdict(), Verdict::Unknown);
    assert!(matches!(cut.gaps[0].reason, GapReason::Search(SearchGap::LongRun { .. })), "{cut:?}");
    let whole = explore(text, Persistence::WithinBudget, None);
    assert_eq!(whole.verdict(), Verdict::Unsafe, "{whole:?}");
    assert!(whole.gaps.is_empty() && whole.stopped.is_none(), "{whole:?}");
}
