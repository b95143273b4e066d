//! Random programs for proptest, with shrinking.

use super::{Knobs, RandomProgram, generate, reductions};
use proptest::arbitrary::any;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;

/// Random programs made of these.
pub fn programs(knobs: Knobs) -> Programs {
    Programs { knobs }
}

/// The strategy behind [`programs`].
#[derive(Clone, Debug)]
pub struct Programs {
    knobs: Knobs,
}

impl Strategy for Programs {
    type Tree = ShrinkingProgram;
    type Value = RandomProgram;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Programs> {
        let seed = any::<u64>().new_tree(runner)?.current();
        let program = generate(&self.knobs, seed);
        Ok(ShrinkingProgram { failing: program.clone(), current: program, smaller: None })
    }
}

/// A program that fails, and the smaller one that is tried now.
#[derive(Clone, Debug)]
pub struct ShrinkingProgram {
    failing: RandomProgram,
    current: RandomProgram,
    /// The smaller ones not tried yet, the next one last.
    smaller: Option<Vec<RandomProgram>>,
}

impl ValueTree for ShrinkingProgram {
    type Value = RandomProgram;

    fn current(&self) -> RandomProgram {
        self.current.clone()
    }

    /// The current program fails: go on from it.
    fn simplify(&mut self) -> bool {
        self.failing = self.current.clone();
        let mut smaller = reductions(&self.failing);
        smaller.reverse();
        self.smaller = Some(smaller);
        self.complicate()
    }

    /// The current program passes: try the next one, or go back to the one that fails.
    fn complicate(&mut self) -> bool {
        match self.smaller.as_mut().and_then(Vec::pop) {
            Some(next) => {
                self.current = next;
                true
            }
            None => {
                self.current = self.failing.clone();
                false
            }
        }
    }
}
