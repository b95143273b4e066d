//! Which registers are reached from which others by following links: `last` from `list`, after a walk along the list.
//!
//! This does not depend on the tracked cell. It is computed for one procedure when it is asked for.

use crate::memory::CellId;
use crate::procedure::{Operation, Procedure};
use crate::world::World;
use heapwise_dataflow::{Analysis, Direction, Flow, JoinSemiLattice};
use heapwise_ir::{Automaton, EdgeId, FunctionId, LocationId, RegisterId};

/// How a register is reached: from the value of another one, along these links.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reached {
    register: RegisterId,
    /// The register from which the walk started. It has not been assigned since.
    pub root: RegisterId,
    /// The links that may have been followed. None of them was written since.
    pub along: Vec<CellId>,
}

/// The walks at a location, by register.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Descent(Vec<Reached>);

impl JoinSemiLattice for Descent {
    fn join(&mut self, other: &Descent) -> bool {
        let before = self.clone();
        self.0.retain_mut(|reached| match other.of(reached.register) {
            Some(same) if same.root == reached.root => {
                reached.along.extend(&same.along);
                reached.along.sort_unstable();
                reached.along.dedup();
                true
            }
            _ => false,
        });
        *self != before
    }
}

impl Descent {
    /// How a register is reached, if it is known.
    pub fn of(&self, register: RegisterId) -> Option<&Reached> {
        self.0.iter().find(|reached| reached.register == register)
    }

    fn assign(&mut self, target: RegisterId, from: Option<(RegisterId, Option<CellId>)>) {
        let reached = from.filter(|(source, _)| *source != target).or_else(|| {
            // `x = x->n` goes on with a walk that started elsewhere.
            from.filter(|(source, _)| self.of(*source).is_some())
        });
        let reached = reached.map(|(source, link)| {
            let (root, mut along) = match self.of(source) {
                Some(known) => (known.root, known.along.clone()),
                None => (source, Vec::new()),
            };
            along.extend(link);
            along.sort_unstable();
            along.dedup();
            Reached { register: target, root, along }
        });
        self.0.retain(|known| known.register != target && known.root != target);
        if let Some(reached) = reached.filter(|reached| reached.root != target) {
            let at = self.0.partition_point(|known| known.register < target);
            self.0.insert(at, reached);
        }
    }

    fn forget_written(&mut self, is_written: impl Fn(CellId) -> bool) {
        self.0.retain(|reached| !reached.along.iter().any(|cell| is_written(*cell)));
    }
}

/// The dataflow analysis of one procedure.
pub struct Descents<'m> {
    /// What is analysed.
    pub world: &'m World<'m>,
    /// The function.
    pub function: FunctionId,
    /// The same.
    pub procedure: &'m Procedure,
}

impl Analysis<Automaton> for Descents<'_> {
    type Domain = Descent;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self, graph: &Automaton, node: LocationId) -> Option<Descent> {
        (node == graph.entry).then(Descent::default)
    }

    fn apply(&self, _graph: &Automaton, edge: EdgeId, state: &mut Descent) -> Flow {
        match &self.procedure.operations[edge] {
            Operation::Skip
            | Operation::AssumeNumber { .. }
            | Operation::AssumeNoBytes { .. }
            | Operation::AssumePointers { .. } => {}
            Operation::Stop | Operation::Unsupported => return Flow::Ends,
            Operation::Copy { target, source, shift, .. } => {
                state.assign(*target, source.filter(|_| *shift == Some(0)).map(|source| (source, None)));
            }
            Operation::Add { target, .. } | Operation::Blend { target, .. } | Operation::Alloc { target, .. } => {
                state.assign(*target, None);
            }
            Operation::Load { target, place } => {
                let link = match (place.base, &place.target.cells[..], place.expression) {
                    (Some(base), [cell], Some(_)) => Some((base, Some(*cell))),
                    _ => None,
                };
                state.assign(*target, link);
            }
            Operation::Store { place, .. } => {
                state.forget_written(|cell| place.target.unknown || place.target.cells.contains(&cell));
            }
            Operation::CopyCells { written, .. } => state.forget_written(|cell| written.contains(&cell)),
            // With a freed object its links are gone.
            Operation::Free { fields, .. } | Operation::End { fields, .. } => {
                state.forget_written(|cell| fields.iter().any(|field| field.target.cells.contains(&cell)));
            }
            Operation::Call(call) => {
                let touched = self.world.touched_by_call(self.function, edge, call);
                state.forget_written(|cell| touched.as_ref().is_none_or(|touched| touched.contains(cell)));
                if let Some(target) = call.target {
                    state.assign(target, None);
                }
            }
        }
        Flow::Continues
    }
}
