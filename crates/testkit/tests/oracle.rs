//! The oracle finds what is wrong with engines that are wrong, and nothing with one that is right.

use expect_test::{Expect, expect};
use heapwise_engine::{Certainty, Finding, Gap, Kind, Options, Outcome};
use heapwise_interp::heap::Object;
use heapwise_interp::{ObjectId, Pointer, Value};
use heapwise_ir::{FunctionId, LocationId, Program};
use heapwise_testkit::oracle::{Analysed, ConcreteState, Effort, Represents, Subject, check_random};
use heapwise_testkit::random::Knobs;

/// What is wrong with the engine.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wrong {
    Nothing,
    /// It thinks that no cell points to itself.
    NothingIsItsOwnSuccessor,
    /// It thinks that nothing is freed twice.
    NothingIsFreedTwice,
    /// It gives up on everything.
    GivesUp,
}

/// An engine to which everything is possible: all states, and all errors at every edge.
struct Coarse(Wrong);

struct Model(Wrong);

impl Represents for Model {
    fn represents(&self, _: FunctionId, _: LocationId, state: &ConcreteState<'_>) -> bool {
        let points_to_itself = |(cell, object): (ObjectId, &Object)| {
            let offsets = (0..object.size).step_by(8);
            offsets.into_iter().any(|offset| {
                state.pointer_at(cell, offset) == Some(Value::Pointer(Pointer { object: cell, offset: 0 }))
            })
        };
        self.0 != Wrong::NothingIsItsOwnSuccessor || !state.live_cells().any(points_to_itself)
    }
}

impl Subject for Coarse {
    type Model = Model;

    fn analyse(&self, program: &Program, _: &Options) -> Analysed<Model> {
        let model = Model(self.0);
        let mut outcome = Outcome::default();
        if self.0 == Wrong::GivesUp {
            outcome
                .gaps
                .push(Gap { span: heapwise_ir::Span::NONE, reason: heapwise_engine::reason::SearchGap::NotAll.into() });
        }
        for (id, function) in &program.functions {
            for edge in function.automaton().into_iter().flat_map(|automaton| automaton.edges.values()) {
                for kind in Kind::ALL {
                    if kind == Kind::DoubleFree && self.0 == Wrong::NothingIsFreedTwice {
                        continue;
                    }
                    outcome.findings.push(Finding {
                        kind,
                        certainty: Certainty::Possible,
                        span: edge.span,
                        function: id,
                        message: String::new(),
                        trace: Vec::new(),
                        choices: Vec::new(),
                        about: heapwise_engine::Subject::default(),
                        also: Vec::new(),
                    });
                }
            }
        }
        Analysed { outcome, model }
    }
}

#[test]
fn nothing_is_held_against_an_engine_that_is_right() {
    for knobs in [Knobs::everything(), Knobs::singly_linked_lists(), Knobs::lists_with_calls()] {
        let agreement = check_random(&Coarse(Wrong::Nothing), &[(knobs, 0..60)], &Effort::QUICK)
            .unwrap_or_else(|counterexample| panic!("{counterexample}"));
        // The programs do something: states by the thousand, errors by the hundred.
        assert_eq!((agreement.programs, agreement.gaps), (60, 0));
        assert!(agreement.states > 10_000 && agreement.errors > 100, "{agreement:?}");
    }
}

#[test]
fn an_engine_that_gives_up_is_told_apart() {
    let agreement = check_random(&Coarse(Wrong::GivesUp), &[(Knobs::everything(), 0..10)], &Effort::QUICK);
    assert_eq!(agreement.map(|agreement| (agreement.gaps, agreement.states)).ok(), Some((10, 0)));
}

fn check_wrong(wrong: Wrong, expected: Expect) {
    let found = check_random(&Coarse(wrong), &[(Knobs::singly_linked_lists(), 0..200)], &Effort::QUICK);
    let Err(counterexample) = found else { panic!("the engine is wrong, but the oracle did not see it") };
    let text = counterexample.program.lower();
    let kind = counterexample.disagreement.to_string();
    let first = kind.lines().next().unwrap_or_default();
    expected.assert_eq(&format!("{first}\n{}", text.c_text()));
}

#[test]
fn a_missed_state_is_shown_by_the_smallest_program() {
    check_wrong(
        Wrong::NothingIsItsOwnSuccessor,
        expect![[r#"
        no element at L4 of fn0 stands for this state:
        #include <assert.h>
        #include <stdlib.h>
        int any(void);
        struct s0 { struct s0 *f0; };
        int main(void);
        int main(void) {
          struct s0 *v0 = NULL;
          v0 = malloc(sizeof(struct s0));
          v0->f0 = v0;
          return 0;
        }
    "#]],
    );
}

#[test]
fn a_missed_error_is_shown_by_the_smallest_program() {
    check_wrong(
        Wrong::NothingIsFreedTwice,
        expect![[r#"
        not reported: double-free in fn0, line 10: the heap object allocated at line 8 is freed again
        #include <assert.h>
        #include <stdlib.h>
        int any(void);
        struct s0 { struct s0 *f0; };
        int main(void);
        int main(void) {
          struct s0 *v0 = NULL;
          v0 = malloc(sizeof(struct s0));
          free(v0);
          free(v0);
          return 0;
        }
    "#]],
    );
}
