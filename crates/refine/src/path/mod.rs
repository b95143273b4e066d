//! Feasibility of one path, and what its contradiction depends on.
//!
//! Along a path from the start the heap is a finite object: every cell was allocated on it. So the strongest postcondition
//! is computed exactly for pointers, and for numbers as far as ranges and equalities go. Where the path
//! contradicts itself, the *dynamic slice* of the contradiction (all that its values were computed from) names the variables, fields and
//! tests of numbers that an abstraction needs to see it. This takes the place of the interpolants of Beyer et al. (section 3.3): a
//! store or a free through another pointer in between is part of the slice, as the paper tracks aliases.

mod instruction;
mod sources;
mod state;
mod text;

use heapwise_engine::reason::RefineGap;
use heapwise_engine::{Kind, Options};
use heapwise_ir::{EdgeId, FunctionId, LocationId};
use heapwise_shapes::memory::{Memory, ScalarVariable};
use heapwise_shapes::precision::{Facts, NumberTest};
use heapwise_shapes::transfer::{Problem, Relevance, StepKey};
use state::{Cell, Conflict, Event, EventId, State, Value};
use std::collections::BTreeSet;

/// Whether a path can be taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Feasibility {
    /// Nothing speaks against it.
    Perhaps,
    /// It contradicts itself; the contradiction depends on these.
    Infeasible(Facts),
}

/// How a step goes from one state.
enum Continuation {
    /// The run goes on.
    On(Box<State>),
    /// It ends, in an error, or because an assumption does not hold.
    Ends(Option<Problem>, Conflict),
}

/// Goes along paths.
pub struct PathChecker<'a> {
    /// The memory of the program.
    pub memory: &'a Memory<'a>,
    /// The question.
    pub options: &'a Options,
    /// Which registers matter where.
    pub relevance: Relevance<'a>,
}

impl PathChecker<'_> {
    /// Whether a path to a problem can be taken.
    pub fn check(&self, path: &[StepKey], problem: &Problem) -> Feasibility {
        let mut facts = Facts::default();
        let mut states = vec![self.start()];
        let Some((last, before)) = path.split_last() else { return Feasibility::Perhaps };
        for key in before {
            let mut next = Vec::new();
            for state in states {
                let before = state.clone();
                for way in self.step(state, *key) {
                    match way {
                        Continuation::On(state) => next.push(*state),
                        Continuation::Ends(_, conflict) => facts.extend(self.slice(&before, &conflict)),
                    }
                }
            }
            states = next;
        }
        let any_value = Problem::Gap(RefineGap::AnyValue.into());
        if matches!(problem, Problem::Gap(_)) && *problem != any_value && !states.is_empty() {
            // What is not followed there is so in every state.
            return Feasibility::Perhaps;
        }
        for state in states {
            let mut seen = state.clone();
            let mut conflict = Conflict::default();
            for way in self.step(state, *last) {
                match way {
                    Continuation::Ends(Some(found), _) if found == *problem => return Feasibility::Perhaps,
                    Continuation::Ends(_, other) => conflict.extend(other),
                    Continuation::On(state) if *problem == Problem::Error(Kind::Leak) => {
                        match self.held(&state, self.place_behind(*last)) {
                            None => return Feasibility::Perhaps,
                            Some(by) => conflict.from.extend(by),
                        }
                        seen = *state;
                    }
                    Continuation::On(state) => {
                        // What the step looked at, in the order of its events.
                        conflict.from.extend(seen.events.len()..state.events.len());
                        seen = *state;
                    }
                }
            }
            facts.extend(self.slice(&seen, &conflict));
        }
        Feasibility::Infeasible(facts)
    }

    /// Where a run is behind a step.
    fn place_behind(&self, key: StepKey) -> Option<(FunctionId, LocationId)> {
        let functions = &self.memory.program.functions;
        match key {
            StepKey::Instruction(function, edge, _) | StepKey::Leave(function, edge, _) => {
                Some((function, functions[function].automaton()?.edges[edge].to))
            }
            StepKey::Enter(_, _, callee) => Some((callee, functions[callee].automaton()?.entry)),
        }
    }

    /// What all cells are held by; nothing if one is lost.
    fn held(&self, state: &State, place: Option<(FunctionId, LocationId)>) -> Option<Vec<EventId>> {
        let is_root = |variable: &ScalarVariable| match variable {
            ScalarVariable::Global(..) => true,
            ScalarVariable::Register(function, register) => {
                let is_here =
                    |(owner, location)| owner == *function && self.relevance.matters(owner, location, *register);
                let is_caller = |(owner, call): &(FunctionId, EdgeId)| {
                    let automaton = self.memory.program.functions[*owner].automaton();
                    let matters = |edge| self.relevance.matters_during(*owner, edge, *register);
                    owner == function && automaton.is_some_and(|automaton| matters(&automaton.edges[*call]))
                };
                place.is_some_and(is_here) || state.calls.iter().any(is_caller)
            }
        };
        let mut reached = vec![false; state.cells.len()];
        let mut by: Vec<EventId> = state.writes.iter().map(|(_, event)| *event).collect();
        let mut pending = Vec::new();
        for (variable, (value, event)) in &state.variables {
            if let Value::Cell(cell) = value
                && is_root(variable)
            {
                by.push(*event);
                pending.push(*cell);
            }
        }
        while let Some(cell) = pending.pop() {
            if !std::mem::replace(&mut reached[cell], true) && !state.cells[cell].freed {
                for (value, event) in state.cells[cell].fields.values() {
                    if let Value::Cell(target) = value {
                        by.push(*event);
                        pending.push(*target);
                    }
                }
            }
        }
        let is_held = |(cell, reached): (&Cell, bool)| cell.freed || cell.local_of.is_some() || reached;
        by.sort_unstable();
        state.cells.iter().zip(reached).all(is_held).then_some(by)
    }

    /// All that a contradiction was computed from.
    fn slice(&self, state: &State, conflict: &Conflict) -> Facts {
        let mut facts = Facts::default();
        let mut tests = conflict.tests.clone();
        let mut seen: BTreeSet<EventId> = BTreeSet::new();
        let mut pending = conflict.from.clone();
        while let Some(id) = pending.pop() {
            let Some(event) = state.events.get(id) else { continue };
            if !seen.insert(id) {
                continue;
            }
            pending.extend(&event.from);
            facts.variables.extend(&event.variables);
            facts.fields.extend(&event.fields);
            tests.extend(&event.tests);
        }
        self.ask(&mut facts, &tests);
        if let Some((one, other)) = conflict.related {
            let events: Vec<&Event> = seen.iter().map(|id| &state.events[*id]).collect();
            self.relate(state, &events, (one, other), &mut facts);
        }
        facts
    }

    /// Asks these of all numbers that can decide them.
    fn ask(&self, facts: &mut Facts, tests: &BTreeSet<NumberTest>) {
        for test in tests.iter().copied() {
            let variables =
                facts.variables.iter().filter(|it| self.memory.can_ask(self.memory.variable_int(**it), test));
            facts.variable_tests.extend(variables.map(|variable| (*variable, test)));
            let fields = facts.fields.iter().filter(|it| self.memory.can_ask(self.memory.field_int(**it), test));
            facts.field_tests.extend(fields.map(|field| (*field, test)));
        }
    }

    /// What held one of two numbers in the slice, and what held the other: whether they are the same is to be tracked.
    fn relate(&self, state: &State, events: &[&Event], (one, other): (Value, Value), facts: &mut Facts) {
        let holding = |wanted: Value| {
            let own = events.iter().filter(|event| event.value.is_some_and(|value| state.resolved(value) == wanted));
            own.copied().collect::<Vec<&Event>>()
        };
        let (ones, others) = (holding(one), holding(other));
        for first in &ones {
            for second in &others {
                for (one, other) in [(first, second), (second, first)] {
                    // What was loaded from a cell is compared with it by no program.
                    for variable in other.variables.iter().filter(|_| !other.is_load) {
                        let test = NumberTest::Same(*variable);
                        let fields =
                            one.fields.iter().filter(|it| self.memory.can_ask(self.memory.field_int(**it), test));
                        facts.field_tests.extend(fields.filter(|_| one.variables.is_empty()).map(|it| (*it, test)));
                    }
                    for variable in &other.variables {
                        let test = NumberTest::Same(*variable);
                        let can_ask = |it: &ScalarVariable| self.memory.can_ask(self.memory.variable_int(*it), test);
                        let smaller = one.variables.iter().filter(|it| *it < variable && can_ask(it));
                        facts.variable_tests.extend(smaller.map(|it| (*it, test)));
                    }
                }
            }
        }
    }
}
