//! What is known of the numbers in registers at each location, whatever cell is tracked: what a new cell starts with.

use crate::facts::{About, Facts};
use crate::number::Number;
use crate::procedure::{Operation, Procedure};
use heapwise_dataflow::{Analysis, Direction, Flow, JoinSemiLattice};
use heapwise_ir::{Automaton, CompareOperator, EdgeId, LocationId};

/// The numbers at a location.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Numbers(pub Facts);

impl JoinSemiLattice for Numbers {
    fn join(&mut self, other: &Numbers) -> bool {
        let joined = self.0.join(&other.0);
        let changed = joined != self.0;
        self.0 = joined;
        changed
    }
}

/// The dataflow analysis of one procedure.
pub struct Constants<'m>(pub &'m Procedure);

impl Analysis<Automaton> for Constants<'_> {
    type Domain = Numbers;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self, graph: &Automaton, node: LocationId) -> Option<Numbers> {
        (node == graph.entry).then(Numbers::default)
    }

    fn apply(&self, _graph: &Automaton, edge: EdgeId, Numbers(facts): &mut Numbers) -> Flow {
        let operation = &self.0.operations[edge];
        match operation {
            Operation::Copy { target, source, shift, number } => {
                let number = match source {
                    Some(source) if *shift == Some(0) => facts.number(*source),
                    Some(_) => Number::ANY,
                    None => *number,
                };
                let is_tested = self.0.tested.contains(*target);
                facts.set_number(*target, if is_tested { number } else { Number::ANY });
            }
            Operation::Add { target, source, by, ty } => {
                let number = facts.number(*source).plus(*by, *ty);
                let is_tested = self.0.tested.contains(*target);
                facts.set_number(*target, if is_tested { number } else { Number::ANY });
            }
            Operation::AssumeNumber { register, operator, constant } => {
                if self.0.tested.contains(*register) && *constant != crate::procedure::NO_CELL {
                    let number = facts.number(*register).assume(*operator, *constant);
                    if number == Number::NONE {
                        return Flow::Ends;
                    }
                    facts.set_number(*register, number);
                }
            }
            Operation::AssumeNoBytes { register } => {
                let number = facts.number(*register).assume(CompareOperator::Equal, 0);
                if number == Number::NONE {
                    return Flow::Ends;
                }
                facts.set_number(*register, number);
            }
            Operation::Stop | Operation::Unsupported => return Flow::Ends,
            Operation::Skip
            | Operation::Blend { .. }
            | Operation::Load { .. }
            | Operation::Store { .. }
            | Operation::CopyCells { .. }
            | Operation::Alloc { .. }
            | Operation::Free { .. }
            | Operation::End { .. }
            | Operation::AssumePointers { .. }
            | Operation::Call(_) => {
                if let Some(target) = operation.target() {
                    facts.forget(About::Register(target));
                }
            }
        }
        Flow::Continues
    }
}
