//! Whether the program ever makes a cycle of heap cells.
//!
//! Counting references does not notice that a whole cycle is lost (paper 004, section 5.4.2). So a proof that nothing leaks
//! needs a proof that no cycle is ever made: that each store of a pointer into a heap cell, done to a heap without cycles, makes
//! none. A store that is not shown to be harmless is a gap.

use crate::equalities::{Equalities, Term};
use crate::expressions::{Base, ExpressionId};
use crate::index::Slot;
use crate::memory::{CellId, Extent, Memory};
use crate::procedure::{Operation, Procedure, Spot};
use crate::sites::Analysed;
use crate::transfer::State;
use heapwise_fixpoint::{ProgramFlow, StepId};
use heapwise_ir::RegisterId;

/// The steps that may close a cycle of heap cells.
pub fn closing_steps(analysed: &Analysed<'_>, flow: &ProgramFlow) -> Vec<StepId> {
    let tracker = &analysed.solver.analysis;
    let world = tracker.world;
    let mut found = Vec::new();
    for step in flow.steps.keys() {
        let Some((function, edge)) = tracker.edge(step) else { continue };
        let Some(procedure) = &world.procedures[function] else { continue };
        let states = || -> Vec<State> {
            let facts = analysed.solver.facts_at(flow.flow.step(step).from);
            facts.map(|fact| tracker.state(*analysed.solver.element_of(fact))).collect()
        };
        let is_harmless = match &procedure.operations[edge] {
            Operation::Store { place, value: Some(value), is_null: false } if is_linking(&world.memory, place) => {
                let from = flow.points[flow.flow.step(step).from].location;
                let check = Check {
                    memory: &world.memory,
                    procedure,
                    equalities: world.equalities(function, from),
                    place,
                    value: *value,
                };
                check.is_harmless(&states())
            }
            Operation::CopyCells { pairs, written, is_exact, .. } => {
                let links = |cell: &CellId| links(&world.memory, *cell);
                let copies = pairs.iter().any(|(from, _)| from.is_some()) || !*is_exact;
                !(copies && written.iter().any(links))
            }
            Operation::Call(call) => !call
                .externs
                .iter()
                .any(|found| found.stores.as_ref().is_some_and(|(place, _)| is_linking(&world.memory, place))),
            _ => true,
        };
        if !is_harmless {
            found.push(step);
        }
    }
    found
}

/// Whether a cell may be a link of a cycle that can be lost: what there is one of is a variable, and a variable is a root.
fn links(memory: &Memory<'_>, cell: CellId) -> bool {
    memory.cells[cell].is_cyclic && memory.cells[cell].extent != Extent::One
}

fn is_linking(memory: &Memory<'_>, place: &Spot) -> bool {
    place.target.cells.iter().any(|cell| links(memory, *cell))
}

struct Check<'c> {
    memory: &'c Memory<'c>,
    procedure: &'c Procedure,
    equalities: Option<&'c Equalities>,
    place: &'c Spot,
    value: RegisterId,
}

impl Check<'_> {
    fn is_harmless(&self, states: &[State]) -> bool {
        let Some(base) = self.place.base else { return false };
        let has = |state: &State, register: RegisterId| state.index.has(Slot::Register(register));
        let is_self = states.iter().any(|state| has(state, base) && has(state, self.value));
        if self.is_reached_already(base) {
            return true;
        }
        if is_self {
            return false;
        }
        // Nothing in the heap leads to the cell that is written.
        let is_unlinked = |state: &State| {
            state.index.iter().all(|(slot, _)| !matches!(slot, Slot::Cell(cell) if links(self.memory, cell)))
        };
        if states.iter().filter(|state| has(state, base)).all(is_unlinked) {
            return true;
        }
        // The cell that is stored leads nowhere.
        if states.iter().filter(|state| has(state, self.value)).all(|state| state.facts.is_leaf()) {
            return true;
        }
        self.is_insertion()
    }

    fn equal(&self, left: Term, right: Term) -> bool {
        left == right || self.equalities.is_some_and(|known| known.are_equal(left, right))
    }

    fn base_equals(&self, expression: ExpressionId, register: RegisterId) -> bool {
        match self.procedure.expressions.all[expression].base {
            Base::Register(own) => self.equal(Term::Register(own), Term::Register(register)),
            Base::Global(_) => false,
        }
    }

    /// `p->n = v` where `v` was reached from `p` before, in one step or two: a way becomes shorter.
    fn is_reached_already(&self, base: RegisterId) -> bool {
        let Some(known) = self.equalities else { return false };
        let fields_equal_to = |register: RegisterId| {
            known.equal_to(Term::Register(register)).filter_map(|term| match term {
                Term::Expression(expression) => Some(expression),
                Term::Register(_) => None,
            })
        };
        fields_equal_to(self.value).any(|expression| {
            self.base_equals(expression, base)
                || match self.procedure.expressions.all[expression].base {
                    Base::Register(middle) => fields_equal_to(middle).any(|first| self.base_equals(first, base)),
                    Base::Global(_) => false,
                }
        })
    }

    /// `p->n = v` where `v->n` is what `p->n` was, and nothing else leads on from `v`: a way becomes longer.
    fn is_insertion(&self) -> bool {
        let (Some(expression), [cell]) = (self.place.expression, &self.place.target.cells[..]) else { return false };
        let region = self.memory.cells[*cell].region;
        let n_links = self.memory.of_region(region).filter(|cell| links(self.memory, *cell)).count();
        let offset = self.procedure.expressions.all[expression].offset;
        let Some(onward) = self.procedure.expressions.find(Base::Register(self.value), offset) else { return false };
        n_links == 1
            && self.procedure.expressions.all[onward].cell == *cell
            && self.equal(Term::Expression(expression), Term::Expression(onward))
    }
}
