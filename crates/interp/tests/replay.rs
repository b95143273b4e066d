//! A confirmed finding carries all choices of its run, and they make the run again.

use heapwise_engine::{Answer, Choice, ChoiceQuestion, Control, Engine, Finding, Kind, Options};
use heapwise_interp::{Explicit, Machine, MachineOptions, Stop, replay};
use heapwise_ir::Program;

fn parse(text: &str) -> Program {
    let node = "file \"a.c\"\nstruct node { next : ptr node; data : i32 }\n";
    heapwise_ir::text::parse(&format!("{node}{text}")).expect("the text is well-formed")
}

fn findings(program: &Program) -> Vec<Finding> {
    let options = Options::new(program.function_named("main").expect("there is a main"));
    Explicit::default().check(program, &options, &Control::unlimited()).findings
}

/// The one finding of a program, once its choices were seen to show it again.
fn shown_again(program: &Program) -> Finding {
    let [finding] = <[Finding; 1]>::try_from(findings(program)).expect("there is one finding");
    let machine = Machine::new(program, MachineOptions::new(program.function_named("main").expect("there is a main")));
    let run = replay(&machine, &finding.choices, 10_000).expect("the choices are those of a run");
    assert!(run.all_errors().any(|error| (error.kind, error.span) == (finding.kind, finding.span)), "{run:?}");
    finding
}

#[test]
fn inputs_and_allocations_are_listed_with_their_values() {
    let program = parse(
        "fn main() -> temp r : i32 {
           var n : i32
           var p : ptr node
           var q : ptr node
           entry -> a: n = nondet : i32 at 0:1:1
           a -> b: p = alloc heap 16 at 0:2:1
           b -> c: q = alloc heap 16 at 0:3:1
           c -> d: assume n == 77 at 0:4:1
           c -> e: assume n != 77 at 0:4:1
           d -> e: free p at 0:5:1
           e -> f: free p at 0:6:1
           f -> g: free q at 0:7:1
           g -> exit: r = 0
         }",
    );
    let finding = shown_again(&program);
    assert_eq!(finding.kind, Kind::DoubleFree);
    let answers: Vec<&Answer> = finding.choices.iter().map(|choice| &choice.answer).collect();
    assert_eq!(answers[..2], [&Answer::Integer(77), &Answer::Succeeds]);
    assert_eq!(finding.choices[1].question, ChoiceQuestion::Allocation);
    assert_eq!(finding.choices[1].span.line, 2);
}

#[test]
fn an_address_that_is_used_again_is_a_choice() {
    let program = parse(
        "fn main() -> temp r : i32 {
           var p : ptr node
           var q : ptr node
           entry -> a: p = alloc heap 16 nofail at 0:1:1
           a -> b: free p at 0:2:1
           b -> c: q = alloc heap 16 nofail at 0:3:1
           c -> d: assume p == q at 0:4:1
           c -> e: assume p != q at 0:4:1
           d -> f: free q at 0:5:1
           f -> e: r = 0
           e -> exit: free q at 0:6:1
         }",
    );
    let finding = shown_again(&program);
    assert_eq!((finding.kind, finding.span.line), (Kind::DoubleFree, 6));
    let addresses: Vec<String> = finding.choices.iter().map(Choice::to_string).collect();
    assert_eq!(
        addresses,
        ["the heap object allocated at line 1 and the heap object allocated at line 3 have the same address"]
    );
}

#[test]
fn choices_of_another_program_are_not_taken() {
    let text = |line: u32| {
        format!(
            "fn main() -> temp r : i32 {{
               var n : i32
               entry -> a: n = nondet : i32 at 0:{line}:1
               a -> exit: assert n == 5 at 0:9:1
             }}"
        )
    };
    let (one, other) = (parse(&text(1)), parse(&text(2)));
    let [finding] = <[Finding; 1]>::try_from(findings(&one)).expect("there is one finding");
    let machine = Machine::new(&other, MachineOptions::new(other.function_named("main").expect("there is a main")));
    let (question, span) = replay(&machine, &finding.choices, 100).expect_err("the input is on another line");
    assert_eq!((question, span.line), (finding.choices[0].question.clone(), 2));
    let machine = Machine::new(&one, MachineOptions::new(one.function_named("main").expect("there is a main")));
    let run = replay(&machine, &finding.choices, 100).expect("the choices are those of a run");
    assert!(matches!(run.stop, Some(Stop::Error(_))));
}
