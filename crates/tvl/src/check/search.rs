//! A directed search among concrete heaps for a way to an error: the same steps on structures in which every cell is an
//! individual. What it finds is a path that is real as far as cells go; `interp` has the last word.

use super::run::{Loss, Store, StructureId};
use super::step::Stepper;
use crate::structure::{Structure, members};
use heapwise_cells::Issue;
use heapwise_cells::program::StepId;
use heapwise_cells::search::{DirectedSearch, SearchLimits, StateId};
use heapwise_engine::Control;
use std::collections::VecDeque;

/// Searches for a path whose last step shows the issue.
pub fn search(
    stepper: &mut Stepper<'_>,
    target: StepId,
    issue: &Issue,
    limits: SearchLimits,
    control: &Control,
) -> Option<Vec<StepId>> {
    let program = stepper.program;
    let states = DirectedSearch::new(program, target);
    let mut store = Store::default();
    let empty = store.intern(Structure::new(stepper.predicates.vocabulary.layout(), 0));
    let mut search = Search { stepper, store, states };
    search.states.reach(program.entry(), empty, 0, None);
    let mut expanded = 0;
    while let Some((state, point, id)) = search.states.next_state() {
        expanded += 1;
        if expanded > limits.states || (expanded % 256 == 0 && control.check(0, search.store.bytes()).is_err()) {
            return None;
        }
        for step in &program.outgoing[point] {
            let is_shown = search.expand(state, id, *step, (target, issue), limits);
            if search.stepper.tables.end().is_err() {
                return None;
            }
            if is_shown {
                return Some(search.states.path(state, *step));
            }
        }
    }
    None
}

struct Search<'a, 'p> {
    stepper: &'a mut Stepper<'p>,
    store: Store,
    states: DirectedSearch<StructureId>,
}

impl Search<'_, '_> {
    /// Takes a step; true if it shows the issue.
    fn expand(
        &mut self,
        state: StateId,
        id: StructureId,
        step: StepId,
        (target, issue): (StepId, &Issue),
        limits: SearchLimits,
    ) -> bool {
        let to = self.stepper.program.steps[step].to;
        if step != target && !self.states.leads_to_target(to) {
            return false;
        }
        let structure = self.store.get(id).clone();
        let applied = self.stepper.apply(step, &structure);
        if step == target && applied.issues.contains(issue) {
            return true;
        }
        for structure in applied.structures {
            let (structure, loss) = self.stepper.collect_garbage(step, structure);
            if loss == Loss::Possible {
                if step == target && *issue == Issue::Lost {
                    return true;
                }
                // A heap that has lost cells has had its error.
                continue;
            }
            if structure.size() <= limits.cells && self.states.leads_to_target(to) {
                let ordered = self.ordered(&structure);
                let cells = ordered.size();
                let id = self.store.intern(ordered);
                self.states.reach(to, id, cells, Some((state, step)));
            }
        }
        false
    }

    /// The individuals in the order in which the slots reach them.
    fn ordered(&self, structure: &Structure) -> Structure {
        let predicates = &self.stepper.predicates;
        let mut order: Vec<usize> = Vec::with_capacity(structure.size());
        let mut queue = VecDeque::new();
        for slot in predicates.slots.values() {
            if let Some(points) = slot.points {
                queue.extend(members(structure.unary(predicates.index(points)).may));
            }
        }
        while let Some(cell) = queue.pop_front() {
            if order.contains(&cell) {
                continue;
            }
            order.push(cell);
            for link in predicates.links.values().flatten() {
                queue.extend(members(structure.row(predicates.index(link.edge), cell).may));
            }
        }
        let classes: Vec<u64> = order.into_iter().map(|cell| 1 << cell).collect();
        structure.quotient(&classes)
    }
}
