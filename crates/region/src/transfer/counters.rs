//! Reference counts of the tracked cell, and what else an object says of who frees what.
//!
//! Small counts are known exactly. Where one is not known, it stands for owners that are not told apart, and which way its value
//! leads is a guess: what fails behind it is in doubt.

use super::{State, Step};
use crate::counters::CounterAccess;
use crate::facts::About;
use crate::frees::{Asked, Spared};
use crate::index::{Count, Referrer};
use crate::number::Number;
use crate::procedure::{Spot, Stored};
use heapwise_ir::{Operand, RegisterId};

impl Step<'_> {
    /// A reference count of the tracked cell may be written.
    pub(super) fn store_counter(state: &mut State, place: &Spot, value: Stored) {
        if !place.base.is_some_and(|base| Self::hits(state, base)) {
            return;
        }
        let number = match value {
            Stored::Null => Some(0),
            Stored::NoCell(number) => number.constant(),
            Stored::Number(register) | Stored::Register(register) => state.facts.number(register).constant(),
            Stored::Copied => None,
        };
        match &place.counter {
            CounterAccess::None => {}
            CounterAccess::One(cell) => state.index.set_counted(*cell, number),
            CounterAccess::Unclear(cells) => cells.iter().for_each(|cell| state.index.set_counted(*cell, None)),
        }
    }

    /// What a reference count of the tracked cell is where it is read; nothing if something else is read.
    pub(super) fn counted(&self, state: &State, place: &Spot) -> Option<Number> {
        match &place.counter {
            CounterAccess::One(cell) if place.base.is_some_and(|base| Self::hits(state, base)) => {
                Some(state.index.counted(*cell).map_or(Number::ANY, Number::of))
            }
            CounterAccess::One(_) | CounterAccess::None | CounterAccess::Unclear(_) => None,
        }
    }

    /// A condition leads past something that is freed otherwise: what the object behind a parameter says decides.
    /// A number that is known decides by itself, unless a callee gives it, which looks at the object.
    pub(super) fn assume_spared(&self, state: &mut State, is_number_known: bool) {
        let Some(Spared { parameter, asked }) = self.procedure.spared.get(&self.edge) else { return };
        let is_decided = match asked {
            Asked::Field => is_number_known,
            Asked::Callee => false,
        };
        if is_decided {
            return;
        }
        let region = self.memory.operand(self.procedure.function, Operand::Register(*parameter)).region;
        let is_held = |referrer: Referrer| matches!(referrer, Referrer::Cell(cell) if Some(self.memory.cells[cell].region) == region);
        if Self::hits(state, *parameter) || state.index.iter().any(|(referrer, _)| is_held(referrer)) {
            state.index.set(Referrer::Doubtful, Count::ONE);
        }
    }

    /// A reference count that is not known is compared with a constant.
    pub(super) fn assume_counted(&self, state: &mut State, register: RegisterId) {
        if state.facts.knows(About::Counted(register)) {
            state.index.set(Referrer::Doubtful, Count::ONE);
        }
    }
}
