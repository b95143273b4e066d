//! Pairs of links that lead to a neighbour and back: what is known of them, and what a write leaves known.

use super::{Decision, State, Step};
use crate::equalities::Term;
use crate::expressions::Base;
use crate::facts::{About, Aim};
use crate::index::Referrer;
use crate::memory::Inverse;
use crate::procedure::{Spot, Stored};
use heapwise_ir::RegisterId;

impl Step<'_> {
    /// The pairs of links whose first one is read from the tracked cell here, and of which it is known that the other leads back.
    pub(super) fn inverses_read(&self, state: &State, place: &Spot) -> Vec<Inverse> {
        let (Some(base), [cell], Some(_)) = (place.base, &place.target.cells[..], place.expression) else {
            return Vec::new();
        };
        if !Self::hits(state, base) {
            return Vec::new();
        }
        let pairs = self.memory.inverses_with(*cell);
        pairs.filter(|(id, pair)| pair.back == *cell && state.facts.has_inverse(*id)).map(|(_, pair)| pair).collect()
    }

    /// Whether the first link of a pair is null: no second one leads to the tracked cell, and no freed cell is behind the first.
    pub(super) fn leads_nowhere(&self, state: &State, pair: Inverse) -> bool {
        let read = self.first_run.link((self.procedure.function, self.edge));
        !state.index.has(Referrer::Cell(pair.forth)) && read.is_some_and(|read| read.is_never_dangling)
    }

    /// Where the first link of a pair led, the second one leads to the tracked cell.
    pub(super) fn tell_inverses(&self, state: &mut State, target: RegisterId, inverses: &[Inverse]) {
        for pair in inverses {
            let back = self.procedure.expressions.find(Base::Register(target), pair.offset_of_forth(self.memory));
            if let Some(expression) = back
                && state.index.has(Referrer::Cell(pair.forth))
            {
                state.facts.set_aim(expression, Aim::Hit);
            }
        }
    }

    /// What a write to one of a pair of links leaves known of the pair.
    pub(super) fn keep_inverses(
        &self,
        before: &State,
        stored: &mut State,
        place: &Spot,
        was_hit: bool,
        hits: bool,
        value: Stored,
    ) {
        let base_hits = place.base.is_none_or(|base| Self::hits(before, base));
        let is_surely_written = place.target.cells.len() == 1 && !place.target.unknown && place.expression.is_some();
        let is_filled = hits || value.register().is_some_and(|value| !before.facts.number(value).may_be_zero());
        let find =
            |register: RegisterId, offset: i64| self.procedure.expressions.find(Base::Register(register), offset);
        for cell in &place.target.cells {
            if base_hits {
                let is_link = self.memory.inverses_with(*cell).next().is_some();
                for (about, holds) in [(About::Apart(*cell), !hits), (About::Filled(*cell), is_filled)] {
                    if !holds {
                        stored.facts.forget(about);
                    } else if is_surely_written && is_link {
                        stored.facts.learn(about);
                    }
                }
            }
            for (id, pair) in self.memory.inverses_with(*cell) {
                if pair.back == *cell {
                    // Links of other cells than the tracked one do not matter.
                    if !base_hits {
                        continue;
                    }
                    let leads_back = |value: RegisterId| {
                        let back = find(value, pair.offset_of_forth(self.memory));
                        back.is_some_and(|back| self.decide_expression(before, back) == Decision::Hit)
                    };
                    let holds = value == Stored::Null || value.register().is_some_and(leads_back);
                    if !holds {
                        stored.facts.forget(About::Inverse(id));
                    } else if is_surely_written {
                        stored.facts.set_inverse(id);
                    }
                } else if hits {
                    let comes_from = |base: RegisterId, value: RegisterId| {
                        find(value, pair.offset_of_back(self.memory)).is_some_and(|back| {
                            self.equalities
                                .is_some_and(|known| known.are_equal(Term::Expression(back), Term::Register(base)))
                        })
                    };
                    if let (Some(base), Some(value)) = (place.base, value.register())
                        && is_surely_written
                        && comes_from(base, value)
                    {
                        stored.facts.set_inverse(id);
                    }
                } else if was_hit {
                    stored.facts.forget(About::Inverse(id));
                }
            }
        }
    }

    /// The position of the parameter whose value at the entry a register surely holds.
    pub(super) fn parameter(&self, register: RegisterId) -> Option<u32> {
        let constant = &self.procedure.constant_parameters;
        let equal = self.equalities.into_iter().flat_map(|known| known.equal_to(Term::Register(register)));
        let registers = equal.filter_map(|term| match term {
            Term::Register(other) => Some(other),
            Term::Expression(_) => None,
        });
        let parameter = std::iter::once(register).chain(registers).find(|register| constant.contains(*register))?;
        let position = self.procedure.parameters.iter().position(|other| *other == parameter)?;
        u32::try_from(position).ok().filter(|position| *position < u32::BITS)
    }
}
