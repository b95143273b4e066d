//! Comparisons of registers with constants.

use super::{State, Step};
use crate::equalities::Term;
use crate::expressions::Base;
use crate::index::Referrer;
use crate::number::Number;
use crate::procedure::NO_CELL;
use heapwise_ir::{CompareOperator, RegisterId};

impl Step<'_> {
    pub(super) fn assume_number(
        &self,
        state: &mut State,
        register: RegisterId,
        operator: CompareOperator,
        constant: i128,
    ) -> bool {
        if Self::hits(state, register) {
            return match operator {
                CompareOperator::Equal => constant == NO_CELL && state.index.has(Referrer::Freed),
                _ => true,
            };
        }
        if constant == NO_CELL {
            return true;
        }
        let number = state.facts.number(register).assume(operator, constant);
        if number == Number::NONE {
            return false;
        }
        if self.procedure.tested.contains(register) {
            state.facts.set_number(register, number);
        }
        if number == Number::ZERO {
            self.tell_null(state, register);
        }
        true
    }

    /// A register is null: so are links of the tracked cell that equal it, and a link that leads nowhere needs none back.
    pub(super) fn tell_null(&self, state: &mut State, register: RegisterId) {
        for term in self.equalities.into_iter().flat_map(|known| known.equal_to(Term::Register(register))) {
            let Term::Expression(expression) = term else { continue };
            let link = self.procedure.expressions.all[expression];
            if matches!(link.base, Base::Register(base) if self.is_kept(base) && Self::hits(state, base)) {
                for (id, pair) in self.memory.inverses_with(link.cell) {
                    if pair.back == link.cell {
                        state.facts.set_inverse(id);
                    }
                }
            }
        }
    }
}
