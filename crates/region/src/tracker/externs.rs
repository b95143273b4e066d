//! Calls of functions without a body: by their models, or of nobody knows whom.

use super::Tracker;
use crate::facts::About;
use crate::index::{Count, Referrer};
use crate::memory::CellId;
use crate::number::Number;
use crate::procedure::{Call, ExternCall, Stored};
use crate::transfer::{State, Step};
use heapwise_engine::Kind;
use heapwise_engine::reason::RegionGap;
use heapwise_ir::Termination;

impl Tracker<'_> {
    pub(super) fn extern_call(
        &self,
        step: &mut Step<'_>,
        call: &Call,
        found: &ExternCall,
        mut state: State,
        out: &mut Vec<State>,
    ) {
        let hits = |state: &State, register: &heapwise_ir::RegisterId| state.index.has(Referrer::Register(*register));
        if state.index.has(Referrer::Freed) {
            if found.looks_through.iter().any(|register| hits(&state, register)) {
                step.error(&state, Kind::UseAfterFree);
                return;
            }
            if found.may_look_through.iter().any(|register| hits(&state, register)) {
                step.gap(RegionGap::FormatArgument);
            }
        }
        match found.termination {
            Termination::Returns => {}
            Termination::Exits | Termination::Aborts => return,
        }
        if found.takes.iter().any(|register| hits(&state, register)) {
            state.index.set(Referrer::Outside, Count::MANY);
        }
        if found.writes.iter().any(|register| hits(&state, register)) {
            state.index.overwrite();
        }
        if found.overwrites.iter().any(|cell| state.index.has(Referrer::Cell(*cell))) {
            step.gap(RegionGap::CopiedMemory);
        }
        step.forget_cells(&mut state, &found.overwrites);
        let mut states = Vec::new();
        match &found.stores {
            Some((place, value)) => {
                let is_hit = value.is_some_and(|value| hits(&state, &value));
                step.store(state, place, is_hit, value.map_or(Stored::Copied, Stored::Register), &mut states);
            }
            None => states.push(state),
        }
        for mut state in states {
            let Some(target) = call.target else {
                out.push(state);
                continue;
            };
            let is_hit = found.result.is_some_and(|register| hits(&state, &register));
            if is_hit && found.result_may_be_null {
                let mut null = state.clone();
                step.assign(&mut null, target, false, Number::ZERO);
                out.push(null);
            }
            step.assign(&mut state, target, is_hit, found.number);
            out.push(state);
        }
    }

    pub(super) fn unknown_call(&self, step: &Step<'_>, call: &Call, mut state: State) -> State {
        let memory = &self.world.memory;
        let escaped = |cell: CellId| memory.pointsto.regions[memory.cells[cell].region].escaped;
        let is_handed =
            call.arguments.iter().any(|argument| {
                argument.register.is_some_and(|register| state.index.has(Referrer::Register(register)))
            }) || state.index.iter().any(|(referrer, _)| matches!(referrer, Referrer::Cell(cell) if escaped(cell)));
        if is_handed {
            state.index.set(Referrer::Outside, Count::MANY);
        }
        let expressions = &step.procedure.expressions;
        state.facts.retain_together(|one, two| !escaped(one) && !escaped(two));
        state.facts.retain(|about, _| match about {
            About::Expression(id) => !escaped(expressions.all[id].cell),
            // Regions that unknown code has are not looked at for pairs.
            About::Register(_)
            | About::Counted(_)
            | About::Given(_)
            | About::Apart(_)
            | About::Filled(_)
            | About::Inverse(_)
            | About::Together(_) => true,
            About::Visible | About::Leaf => !is_handed,
        });
        if let Some(target) = call.target {
            step.assign(&mut state, target, false, Number::ANY);
        }
        state
    }
}
