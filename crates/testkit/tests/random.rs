//! Random programs: well-formed, varied, and small again after shrinking.

use expect_test::expect;
use heapwise_ir::{Instruction, Loops, text, verify};
use heapwise_testkit::random::{Knobs, RandomProgram, generate, programs, reductions, shrink};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};

fn problems(program: &RandomProgram) -> Vec<String> {
    let lowered = program.lower();
    verify(&lowered.program).iter().map(|problem| problem.describe(&lowered.program)).collect()
}

proptest! {
    #[test]
    fn programs_are_well_formed_and_so_is_what_shrinking_makes_of_them(program in programs(Knobs::everything())) {
        prop_assert_eq!(problems(&program), Vec::<String>::new());
        for smaller in reductions(&program) {
            prop_assert_eq!(problems(&smaller), Vec::<String>::new());
            prop_assert!(smaller != program);
        }
    }

    #[test]
    fn programs_print_and_parse_back(program in programs(Knobs::everything())) {
        let printed = program.lower().program.to_string();
        let again = text::parse(&printed).map(|again| again.to_string());
        prop_assert_eq!(again, Ok(printed));
    }

    #[test]
    fn list_programs_have_one_pointer_to_their_own_type(program in programs(Knobs::lists_with_calls())) {
        let lowered = program.lower();
        for record in lowered.program.records.values() {
            prop_assert_eq!(record.fields().len(), 1);
        }
        let graph = heapwise_ir::CallGraph::of(&lowered.program, &heapwise_ir::AnyAddressTaken);
        prop_assert!(lowered.program.functions.keys().all(|function| !graph.is_recursive(function)));
    }
}

fn instructions(program: &RandomProgram) -> Vec<Instruction> {
    let lowered = program.lower();
    let automata = lowered.program.functions.values().filter_map(|function| function.automaton());
    automata.flat_map(|automaton| automaton.edges.values().map(|edge| edge.instruction.clone())).collect()
}

#[test]
fn everything_occurs() {
    let programs: Vec<RandomProgram> = (0..300).map(|seed| generate(&Knobs::everything(), seed)).collect();
    let some = |what: &dyn Fn(&Instruction) -> bool| {
        programs.iter().filter(|program| instructions(program).iter().any(what)).count()
    };
    for (what, count) in [
        ("alloc", some(&|instruction| matches!(instruction, Instruction::Alloc { .. }))),
        ("load", some(&|instruction| matches!(instruction, Instruction::Load { .. }))),
        ("store", some(&|instruction| matches!(instruction, Instruction::Store { .. }))),
        ("free", some(&|instruction| matches!(instruction, Instruction::Free { .. }))),
        ("call", some(&|instruction| matches!(instruction, Instruction::Call { .. }))),
        ("assert", some(&|instruction| matches!(instruction, Instruction::Assert(_)))),
    ] {
        assert!(count > 60, "{what} occurs in {count} of 300 programs");
    }
    let with_loops = programs.iter().filter(|program| {
        let lowered = program.lower();
        let automata = lowered.program.functions.values().filter_map(|function| function.automaton());
        automata.into_iter().any(|automaton| !Loops::of(automaton).loops.is_empty())
    });
    assert!(with_loops.count() > 60);
}

#[test]
fn the_same_seed_gives_the_same_program() {
    let text = generate(&Knobs::everything(), 11).lower();
    assert_eq!(text.program.to_string(), generate(&Knobs::everything(), 11).lower().program.to_string());
}

/// Stands for "an engine is wrong about `free`".
fn frees(program: &RandomProgram) -> bool {
    instructions(program).iter().any(|instruction| matches!(instruction, Instruction::Free { .. }))
}

const SMALLEST: expect_test::Expect = expect![[r#"
    #include <assert.h>
    #include <stdlib.h>
    int any(void);
    struct s0 { struct s0 *f0; };
    int main(void);
    int main(void) {
      struct s0 *v0 = NULL;
      free(v0);
      return 0;
    }
"#]];

#[test]
fn shrinking_finds_the_statement_that_matters() {
    let program = (0..100).map(|seed| generate(&Knobs::singly_linked_lists(), seed)).find(frees).expect("some free");
    let smallest = shrink(program, frees);
    assert_eq!(smallest.n_statements(), 1);
}

#[test]
fn proptest_shrinks_to_the_same() {
    let config = Config { failure_persistence: None, ..Config::default() };
    let knobs = Knobs { records: 1..=1, variables: 1..=1, ..Knobs::singly_linked_lists() };
    let result = TestRunner::new_with_rng(
        config,
        proptest::test_runner::TestRng::deterministic_rng(Default::default()),
    )
    .run(&programs(knobs), |program| {
        prop_assert!(!frees(&program));
        Ok(())
    });
    let Err(TestError::Fail(_, smallest)) = result else { panic!("some program frees") };
    SMALLEST.assert_eq(smallest.lower().c_text());
}
