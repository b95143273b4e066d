//! The end of objects: what their fields referred to is lost.

use super::{Decision, State, Step};
use crate::effects::CellMap;
use crate::facts::{About, Aim};
use crate::frees::OnWays;
use crate::index::{Count, Referrer};
use crate::memory::{CellId, Extent};
use crate::number::Number;
use crate::procedure::{Call, Spot};
use heapwise_engine::Kind;
use heapwise_engine::reason::RegionGap;
use heapwise_ir::{FunctionId, RegisterId};

impl Step<'_> {
    pub(super) fn free(&mut self, mut state: State, pointer: RegisterId, fields: &[Spot], out: &mut Vec<State>) {
        if Self::hits(&state, pointer) {
            if state.index.has(Referrer::Local) {
                self.error(&state, Kind::InvalidFree);
                return;
            }
            if state.index.has(Referrer::Freed) {
                self.error(&state, Kind::DoubleFree);
                return;
            }
            state.index.set(Referrer::Freed, Count::ONE);
            state.index.forget_counted();
        } else if state.facts.number(pointer) == Number::ZERO {
            out.push(state);
            return;
        }
        self.forget_fields(state, fields, out);
    }

    /// An object ends, and with it what its fields refer to.
    pub(super) fn forget_fields(&mut self, state: State, fields: &[Spot], out: &mut Vec<State>) {
        let mut states = vec![state];
        for field in fields {
            for mut state in std::mem::take(&mut states) {
                let cell = field.target.cells[0];
                match self.decide(&state, field) {
                    Decision::Miss => states.push(state),
                    Decision::Hit => {
                        self.tell_partners(&mut state, field, true);
                        self.part(&mut state, field);
                        if let Some(expression) = field.expression {
                            state.facts.forget(About::Expression(expression));
                        }
                        self.decrement(&state, cell, &mut states);
                    }
                    Decision::Maybe if self.memory.cells[cell].extent == Extent::Folded => {
                        self.gap(RegionGap::ArrayElement);
                        if state.index.has(Referrer::Freed) {
                            state.index.set(Referrer::Cell(cell), Count::ZERO);
                        }
                        states.push(state);
                    }
                    Decision::Maybe => {
                        let mut lost = state.clone();
                        self.tell_partners(&mut lost, field, true);
                        self.part(&mut lost, field);
                        self.decrement(&lost, cell, &mut states);
                        self.tell_partners(&mut state, field, false);
                        states.push(state);
                    }
                }
            }
        }
        out.append(&mut states);
    }

    /// What a callee frees has fields that only the caller knows: what they refer to is lost at the call.
    pub fn lose_fields(
        &mut self,
        before: &State,
        after: State,
        (call, callee): (&Call, FunctionId),
        map: &CellMap,
        out: &mut Vec<State>,
    ) {
        let mut states = vec![after];
        for freed in call.frees.iter().filter(|freed| freed.callee == callee) {
            let is_hidden = |field: &&Spot| field.target.cells.iter().all(|cell| map.in_callee(cell).is_empty());
            for field in freed.fields.iter().filter(is_hidden) {
                let decision = self.decide(before, field);
                if decision == Decision::Miss {
                    continue;
                }
                let cell = field.target.cells[0];
                let is_surely_lost = decision == Decision::Hit && freed.ways == OnWays::All;
                if decision == Decision::Maybe && self.is_folded(field) {
                    self.gap(RegionGap::ArrayElement);
                    continue;
                }
                for mut state in std::mem::take(&mut states) {
                    let told = field.expression.and_then(|expression| state.facts.aim(expression));
                    let is_told = decision == Decision::Maybe && freed.ways == OnWays::All;
                    match told {
                        Some(Aim::Miss) if is_told => {
                            states.push(state);
                            continue;
                        }
                        Some(Aim::Hit) if is_told => {}
                        _ if is_surely_lost => {}
                        _ => {
                            let mut kept = state.clone();
                            if is_told {
                                self.tell_partners(&mut kept, field, false);
                            }
                            states.push(kept);
                        }
                    }
                    self.tell_partners(&mut state, field, true);
                    self.part(&mut state, field);
                    if let Some(expression) = field.expression {
                        state.facts.forget(About::Expression(expression));
                    }
                    self.decrement(&state, cell, &mut states);
                }
            }
        }
        for cell in &map.freed {
            self.lose_some(*cell, &mut states);
        }
        out.append(&mut states);
    }

    /// Any number of references from a cell may be gone.
    pub(super) fn lose_some(&mut self, cell: CellId, states: &mut Vec<State>) {
        let mut next = 0;
        while let Some(state) = states.get(next).cloned() {
            next += 1;
            if !state.index.has(Referrer::Cell(cell)) {
                continue;
            }
            if self.memory.cells[cell].extent == Extent::Folded {
                self.gap(RegionGap::ArrayElement);
                continue;
            }
            let mut fewer = Vec::new();
            let mut state = state;
            state.facts.retain_together(|_, other| other != cell);
            self.decrement(&state, cell, &mut fewer);
            fewer.retain(|state| !states.contains(state));
            states.append(&mut fewer);
        }
    }
}
