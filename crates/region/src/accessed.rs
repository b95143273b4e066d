//! Which registers surely refer to an object: those through which memory was accessed since they were assigned.
//!
//! That a pointer is not null does not say so: it may be a number.

use crate::procedure::{Operation, Procedure};
use crate::transfer::Step;
use crate::world::World;
use heapwise_dataflow::{Analysis, Direction, Flow, JoinSemiLattice, iterate_to_fixpoint, unlimited};
use heapwise_ir::{Automaton, EdgeId, FunctionId, LocationId, RegisterId};

/// The registers at a location, in order.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Accessed(Vec<RegisterId>);

impl JoinSemiLattice for Accessed {
    fn join(&mut self, other: &Accessed) -> bool {
        let before = self.0.len();
        self.0.retain(|register| other.has(*register));
        self.0.len() != before
    }
}

impl Accessed {
    /// Whether a register is one of them.
    pub fn has(&self, register: RegisterId) -> bool {
        self.0.binary_search(&register).is_ok()
    }

    fn set(&mut self, register: RegisterId, is_accessed: bool) {
        match (self.0.binary_search(&register), is_accessed) {
            (Err(at), true) => self.0.insert(at, register),
            (Ok(at), false) => {
                self.0.remove(at);
            }
            (Ok(_), true) | (Err(_), false) => {}
        }
    }
}

struct Accesses<'m>(&'m Procedure);

impl Analysis<Automaton> for Accesses<'_> {
    type Domain = Accessed;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self, graph: &Automaton, node: LocationId) -> Option<Accessed> {
        (node == graph.entry).then(Accessed::default)
    }

    fn apply(&self, _graph: &Automaton, edge: EdgeId, state: &mut Accessed) -> Flow {
        let operation = &self.0.operations[edge];
        if let Operation::Stop | Operation::Unsupported = operation {
            return Flow::Ends;
        }
        if let Operation::Load { .. } | Operation::Store { .. } = operation {
            Step::bases(operation).iter().for_each(|base| state.set(*base, true));
        }
        if let Some(target) = operation.target() {
            let is_copy = match operation {
                Operation::Copy { source: Some(source), shift: Some(0), .. } => state.has(*source),
                _ => false,
            };
            state.set(target, is_copy);
        }
        Flow::Continues
    }
}

/// The registers at each location of a function.
pub fn accessed_in(world: &World<'_>, function: FunctionId) -> Vec<Option<Accessed>> {
    let (Some(procedure), Some(automaton)) =
        (&world.procedures[function], world.memory.program.functions[function].automaton())
    else {
        return Vec::new();
    };
    let Ok(found) = iterate_to_fixpoint(automaton, Accesses(procedure), unlimited);
    found.into_states()
}
