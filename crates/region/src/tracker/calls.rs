//! Calls of functions with a body (Hackett and Rugina, Fig. 15): what a configuration is at their entry, and what theirs are behind the call.

use super::Tracker;
use crate::acyclic::links;
use crate::effects::CellMap;
use crate::expressions::Base;
use crate::facts::{About, Aim};
use crate::index::{Count, Referrer};
use crate::memory::CellId;
use crate::number::Number;
use crate::procedure::{Call, Operation, Procedure};
use crate::transfer::{Decision, State, Step};
use heapwise_engine::reason::RegionGap;
use heapwise_ir::{EdgeId, FunctionId, RegisterId};
use heapwise_pointsto::Site;
use std::collections::BTreeSet;

impl Tracker<'_> {
    /// What a cell that a callee made is in the caller, at a call.
    pub fn handed_out(
        &mut self,
        function: FunctionId,
        edge: EdgeId,
        callee: FunctionId,
        exit: &State,
    ) -> Option<State> {
        let procedure = self.world.procedures[function].clone()?;
        let inner = self.world.procedures[callee].clone()?;
        let Operation::Call(call) = &procedure.operations[edge] else { return None };
        // A cell that is made only where an argument is null is not made where it is not.
        let is_made = inner.parameters.iter().zip(&call.arguments).all(|(parameter, argument)| {
            let is_kept = inner.constant_parameters.contains(*parameter);
            exit.facts.given(*parameter).meets(argument.number)
                && (!is_kept || exit.facts.number(*parameter).meets(argument.number))
        });
        if !is_made {
            return None;
        }
        let map = self.map(Site { function, edge }, callee);
        let private = self.world.private(function, edge);
        let mut state = self.returned(&procedure, call, (&inner, &map), private, &State::default(), exit);
        if exit.facts.is_visible() {
            state.facts.set_visible();
        }
        Some(state)
    }

    /// What a caller's configuration and one at the exit of the callee make (Fig. 15).
    pub(super) fn returned(
        &self,
        procedure: &Procedure,
        call: &Call,
        (callee, map): (&Procedure, &CellMap),
        private: &[RegisterId],
        caller: &State,
        exit: &State,
    ) -> State {
        let mut state = State::default();
        let result_hits = self.count_returned(&mut state, procedure, call, (callee, map), private, (caller, exit));
        self.keep_facts(&mut state, procedure, call, map, private, (caller, exit));
        if let Some(target) = call.target {
            if result_hits {
                state.index.set(Referrer::Register(target), Count::ONE);
            } else if let Some(result) = callee.result
                && procedure.tested.contains(target)
            {
                state.facts.set_number(target, exit.facts.number(result));
            }
        }
        hand_back_aims(&mut state, procedure, call, callee, exit);
        hand_back_numbers(&mut state, procedure, call, callee, exit);
        state
    }

    /// The references behind a call: those that the callee did not see, and those at its exit. Whether the result is one more.
    fn count_returned(
        &self,
        state: &mut State,
        procedure: &Procedure,
        call: &Call,
        (callee, map): (&Procedure, &CellMap),
        private: &[RegisterId],
        (caller, exit): (&State, &State),
    ) -> bool {
        let k = self.world.k;
        for (referrer, count) in caller.index.iter() {
            match referrer {
                Referrer::Register(register) if call.target == Some(register) => {}
                Referrer::Register(_) | Referrer::Local | Referrer::Existed => state.index.set(referrer, count),
                Referrer::Cell(cell) if map.in_callee(&cell).is_empty() => state.index.set(referrer, count),
                Referrer::Cell(cell) if is_held_back(procedure, private, caller, cell) => {
                    state.index.set(referrer, Count::ONE)
                }
                Referrer::Cell(_) => {}
                Referrer::Outside | Referrer::Freed | Referrer::Ended | Referrer::Overwritten | Referrer::Doubtful => {
                    state.index.set(referrer, count)
                }
                Referrer::Counter(cell)
                    if map.in_callee(&cell).is_empty() && !exit.index.has(Referrer::Overwritten) =>
                {
                    state.index.set(referrer, count);
                }
                Referrer::Counter(_) => {}
            }
        }
        let mut result_hits = false;
        for (referrer, count) in exit.index.iter() {
            match referrer {
                Referrer::Register(register) => result_hits |= callee.result == Some(register),
                Referrer::Cell(cell) => {
                    // What only the callee's own memory refers to cannot be reached any more.
                    if let Some(cell) = map.in_caller(cell) {
                        state.index.add(Referrer::Cell(cell), count, k);
                    }
                }
                Referrer::Outside | Referrer::Local | Referrer::Freed | Referrer::Ended | Referrer::Doubtful => {
                    state.index.set(referrer, count)
                }
                Referrer::Overwritten if caller.index.has(Referrer::Existed) => state.index.set(referrer, count),
                Referrer::Overwritten => {}
                Referrer::Existed => {}
                Referrer::Counter(cell) => {
                    if let Some(cell) = map.in_caller(cell) {
                        state.index.set(Referrer::Counter(cell), count);
                    }
                }
            }
        }
        result_hits
    }

    /// The facts behind a call that do not speak of its result: what the caller knew and the callee did not change, and what it
    /// learned of links.
    fn keep_facts(
        &self,
        state: &mut State,
        procedure: &Procedure,
        call: &Call,
        map: &CellMap,
        private: &[RegisterId],
        (caller, exit): (&State, &State),
    ) {
        let expressions = &procedure.expressions;
        state.facts = caller.facts.clone();
        state.facts.forget(About::Leaf);
        if let Some(mask) = exit.facts.leaf().and_then(|mask| argument_leaf(procedure, call, caller, mask)) {
            state.facts.set_leaf(mask);
        }
        state.facts.retain(|about, _| match about {
            About::Expression(id) => {
                let expression = expressions.all[id];
                let is_kept = !map.writes(expression.cell) || is_private(private, expression.base);
                is_kept && Some(expression.base) != call.target.map(Base::Register)
            }
            About::Register(register) | About::Counted(register) => call.target != Some(register),
            About::Inverse(id) => {
                let pair = self.world.memory.inverses[id];
                !map.writes(pair.back) && !map.writes(pair.forth)
            }
            About::Apart(link) | About::Filled(link) => !map.writes(link),
            About::Visible | About::Leaf | About::Given(_) | About::Together(_) => true,
        });
        state.facts.retain_together(|one, two| !map.writes(one) && !map.writes(two));
        for (one, two) in exit.facts.together() {
            if let (Some(one), Some(two)) = (map.in_caller(one), map.in_caller(two)) {
                state.facts.set_together(one, two);
            }
        }
        for (link, about) in exit.facts.links() {
            if let Some(outer) = map.in_caller(link) {
                state.facts.learn(about(outer));
            }
        }
        for id in exit.facts.inverses() {
            let pair = self.world.memory.inverses[id];
            if let (Some(back), Some(forth)) = (map.in_caller(pair.back), map.in_caller(pair.forth))
                && let Some(outer) = self.world.memory.inverse(back, forth)
            {
                state.facts.set_inverse(outer);
            }
        }
        for register in private.iter().filter(|register| call.target != Some(**register)) {
            // What counts alone decided before is no longer decided by them, but the callee did not change it.
            for id in expressions.from(Base::Register(*register)) {
                if !caller.index.has(Referrer::Cell(expressions.all[*id].cell)) {
                    state.facts.set_aim(*id, Aim::Miss);
                }
            }
        }
    }

    /// What a configuration is at the entry of a callee; nothing if the callee cannot touch the cell.
    pub(super) fn entering(
        &self,
        step: &mut Step<'_>,
        call: &Call,
        callee: &Procedure,
        map: &CellMap,
        private: &[RegisterId],
        caller: &State,
    ) -> Option<State> {
        let mut state = self.count_entering(step, call, callee, map, private, caller)?;
        self.tell_callee(step, call, callee, map, caller, &mut state);
        Some(state)
    }

    /// The references that a callee sees, and the numbers that it is given; nothing if it sees none.
    fn count_entering(
        &self,
        step: &mut Step<'_>,
        call: &Call,
        callee: &Procedure,
        map: &CellMap,
        private: &[RegisterId],
        caller: &State,
    ) -> Option<State> {
        let mut state = State::default();
        let mut counted: Vec<(Referrer, Count)> = Vec::new();
        for (referrer, count) in caller.index.iter() {
            match referrer {
                Referrer::Cell(cell) => match map.in_callee(&cell) {
                    [] => {}
                    [inner] => match count.number() {
                        Some(number) if is_held_back(step.procedure, private, caller, cell) => {
                            state.index.set(Referrer::Cell(*inner), Count::exactly((number - 1) as u8));
                        }
                        _ => state.index.set(Referrer::Cell(*inner), count),
                    },
                    _ => {
                        step.gap(RegionGap::CellsOfCallee);
                        return None;
                    }
                },
                Referrer::Counter(cell) => {
                    if let [inner] = map.in_callee(&cell) {
                        counted.push((Referrer::Counter(*inner), count));
                    }
                }
                Referrer::Register(_)
                | Referrer::Outside
                | Referrer::Local
                | Referrer::Existed
                | Referrer::Freed
                | Referrer::Ended
                | Referrer::Overwritten
                | Referrer::Doubtful => {}
            }
        }
        for (parameter, argument) in callee.parameters.iter().zip(&call.arguments) {
            match argument.register {
                Some(register) if caller.index.has(Referrer::Register(register)) => {
                    state.index.set(Referrer::Register(*parameter), Count::ONE);
                }
                register => {
                    if callee.tested.contains(*parameter) {
                        let known = register.map_or(Number::ANY, |register| caller.facts.number(register));
                        state.facts.set_number(*parameter, if known == Number::ANY { argument.number } else { known });
                    }
                }
            }
        }
        if state.index.is_unreferenced() {
            return None;
        }
        state.index.set(Referrer::Existed, Count::ONE);
        counted.into_iter().for_each(|(referrer, count)| state.index.set(referrer, count));
        for referrer in [Referrer::Freed, Referrer::Outside, Referrer::Local, Referrer::Doubtful] {
            state.index.set(referrer, caller.index.get(referrer));
        }
        Some(state)
    }

    /// Tells a callee what the caller knows of the cell.
    fn tell_callee(
        &self,
        step: &Step<'_>,
        call: &Call,
        callee: &Procedure,
        map: &CellMap,
        caller: &State,
        state: &mut State,
    ) {
        for (parameter, argument) in callee.parameters.iter().zip(&call.arguments) {
            let Some(register) = argument.register else { continue };
            self.tell(step, callee, caller, (Base::Register(register), Base::Register(*parameter)), state);
        }
        let globals: BTreeSet<Base> = caller
            .facts
            .aims()
            .map(|(id, _)| step.procedure.expressions.all[id].base)
            .filter(|base| matches!(base, Base::Global(_)))
            .collect();
        for base in globals {
            self.tell(step, callee, caller, (base, base), state);
        }
        if caller.facts.is_leaf() {
            state.facts.set_leaf(0);
        }
        // What is held back from the callee is not counted there, and so says nothing of what is.
        let same = |outer: CellId, inner: CellId| {
            caller.index.get(Referrer::Cell(outer)) == state.index.get(Referrer::Cell(inner))
        };
        let together =
            caller.facts.together().filter_map(|(one, two)| match (map.in_callee(&one), map.in_callee(&two)) {
                ([inner_one], [inner_two]) if same(one, *inner_one) && same(two, *inner_two) => {
                    Some((*inner_one, *inner_two))
                }
                _ => None,
            });
        let together: Vec<(CellId, CellId)> = together.collect();
        together.into_iter().for_each(|(one, two)| state.facts.set_together(one, two));
        for (link, about) in caller.facts.links() {
            if let [inner] = map.in_callee(&link) {
                state.facts.learn(about(*inner));
            }
        }
        for id in caller.facts.inverses() {
            let pair = self.world.memory.inverses[id];
            if let ([back], [forth]) = (map.in_callee(&pair.back), map.in_callee(&pair.forth))
                && let Some(inner) = self.world.memory.inverse(*back, *forth)
            {
                state.facts.set_inverse(inner);
            }
        }
        let is_hidden = |referrer: Referrer| match referrer {
            Referrer::Cell(cell) => map.in_callee(&cell).is_empty() && links(&self.world.memory, cell),
            Referrer::Outside => true,
            Referrer::Register(_)
            | Referrer::Local
            | Referrer::Existed
            | Referrer::Freed
            | Referrer::Ended
            | Referrer::Overwritten
            | Referrer::Doubtful
            | Referrer::Counter(_) => false,
        };
        if caller.facts.is_visible() && !caller.index.iter().any(|(referrer, _)| is_hidden(referrer)) {
            state.facts.set_visible();
        }
    }

    /// Tells a callee what the caller knows of fields behind an argument or a global.
    pub(super) fn tell(
        &self,
        step: &Step<'_>,
        callee: &Procedure,
        caller: &State,
        (here, there): (Base, Base),
        state: &mut State,
    ) {
        for inner in callee.expressions.from(there) {
            let known = callee.expressions.all[*inner];
            if !state.index.has(Referrer::Cell(known.cell)) {
                continue;
            }
            let Some(own) = step.procedure.expressions.find(here, known.offset) else { continue };
            match step.decide_expression(caller, own) {
                Decision::Hit => state.facts.set_aim(*inner, Aim::Hit),
                Decision::Miss => state.facts.set_aim(*inner, Aim::Miss),
                Decision::Maybe => {}
            }
        }
    }

    /// The callee cannot touch the cell: what the caller knows afterwards.
    pub(super) fn bypassed(
        &self,
        step: &Step<'_>,
        call: &Call,
        map: &CellMap,
        private: &[RegisterId],
        mut state: State,
    ) -> State {
        let expressions = &step.procedure.expressions;
        state.facts.retain(|about, _| match about {
            About::Expression(id) => {
                !map.writes(expressions.all[id].cell) || is_private(private, expressions.all[id].base)
            }
            About::Register(_)
            | About::Counted(_)
            | About::Given(_)
            | About::Together(_)
            | About::Apart(_)
            | About::Filled(_)
            | About::Inverse(_)
            | About::Visible
            | About::Leaf => true,
        });
        if let Some(target) = call.target {
            step.assign(&mut state, target, false, Number::ANY);
        }
        state
    }
}

fn is_private(private: &[RegisterId], base: Base) -> bool {
    matches!(base, Base::Register(register) if private.contains(&register))
}

/// Whether one of the references from a cell lies where the callee cannot reach it: it stays with the caller.
fn is_held_back(procedure: &Procedure, private: &[RegisterId], caller: &State, cell: CellId) -> bool {
    !private.is_empty()
        && caller.index.get(Referrer::Cell(cell)).number().is_some_and(|number| number > 0)
        && caller.facts.aims().any(|(id, aim)| {
            let expression = procedure.expressions.all[id];
            aim == Aim::Hit && expression.cell == cell && is_private(private, expression.base)
        })
}

/// The parameters of a caller whose values may be in links of a cell, where those of a callee may be; none if other values may.
fn argument_leaf(procedure: &Procedure, call: &Call, caller: &State, mask: u32) -> Option<u32> {
    let mut own = 0;
    for position in (0..u32::BITS).filter(|position| mask >> position & 1 == 1) {
        let argument = call.arguments.get(position as usize)?;
        match argument.register {
            None if argument.number == Number::ZERO => {}
            Some(register) if caller.facts.number(register) == Number::ZERO => {}
            Some(register) if procedure.constant_parameters.contains(register) => {
                let at = procedure.parameters.iter().position(|parameter| *parameter == register)?;
                own |= 1u32.checked_shl(u32::try_from(at).ok()?)?;
            }
            Some(_) | None => return None,
        }
    }
    Some(own)
}

/// What the callee knows of the number in a parameter that is never assigned is known of the argument.
fn hand_back_numbers(state: &mut State, procedure: &Procedure, call: &Call, callee: &Procedure, exit: &State) {
    for (parameter, argument) in callee.parameters.iter().zip(&call.arguments) {
        let Some(register) = argument.register else { continue };
        let matters = procedure.tested.contains(register) || procedure.constant_parameters.contains(register);
        if callee.constant_parameters.contains(*parameter)
            && matters
            && call.target != Some(register)
            && !state.index.has(Referrer::Register(register))
        {
            let number = state.facts.number(register).meet(exit.facts.number(*parameter));
            state.facts.set_number(register, number);
        }
    }
}

/// What the callee knows of fields behind globals, its parameters and its result, the caller knows afterwards.
fn hand_back_aims(state: &mut State, procedure: &Procedure, call: &Call, callee: &Procedure, exit: &State) {
    let expressions = &procedure.expressions;
    for (id, aim) in exit.facts.aims() {
        let expression = callee.expressions.all[id];
        let mut hand = |base: Base| {
            if let Some(same) = expressions.find(base, expression.offset) {
                state.facts.set_aim(same, aim);
            }
        };
        match expression.base {
            Base::Global(global) => hand(Base::Global(global)),
            Base::Register(register) if callee.result == Some(register) => {
                call.target.into_iter().for_each(|target| hand(Base::Register(target)));
            }
            Base::Register(register) => {
                for (parameter, argument) in callee.parameters.iter().zip(&call.arguments) {
                    if *parameter == register
                        && let Some(argument) = argument.register
                        && call.target != Some(argument)
                    {
                        hand(Base::Register(argument));
                    }
                }
            }
        }
    }
}
