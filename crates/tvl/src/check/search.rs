//! A directed search among concrete heaps for a way to an error: the same steps on structures in which every cell is an
//! individual. What it finds is a path that is real as far as cells go; `interp` has the last word.

use super::run::{Loss, Store, StructureId};
use super::step::Stepper;
use crate::structure::{Structure, members};
use heapwise_cells::Issue;
use heapwise_cells::program::{CellProgram, Point, StepId};
use heapwise_engine::Control;
use heapwise_ir::entity::EntityRef;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// How far a search goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchLimits {
    /// Heaps with more cells are not looked at.
    pub cells: usize,
    /// Steps taken before giving up.
    pub states: usize,
}

/// Searches for a path whose last step shows the issue.
pub fn search(
    stepper: &mut Stepper<'_>,
    target: StepId,
    issue: &Issue,
    limits: SearchLimits,
    control: &Control,
) -> Option<Vec<StepId>> {
    let program = stepper.program;
    let distance = distances(program, program.steps[target].from);
    let mut store = Store::default();
    let empty = store.intern(Structure::new(stepper.predicates.vocabulary.layout(), 0));
    let mut search = Search { stepper, store, states: IndexMap::default(), queue: BinaryHeap::new(), distance };
    search.reach(program.entry(), empty, None);
    let mut expanded = 0;
    while let Some(Reverse((_, _, state))) = search.queue.pop() {
        expanded += 1;
        if expanded > limits.states || (expanded % 256 == 0 && control.check(0, search.store.bytes()).is_err()) {
            return None;
        }
        let (&(point, id), _) = search.states.get_index(state)?;
        for step in &program.outgoing[point] {
            let is_shown = search.expand(state, id, *step, (target, issue), limits);
            if search.stepper.tables.end().is_err() {
                return None;
            }
            if is_shown {
                return Some(search.path(state, *step));
            }
        }
    }
    None
}

struct Search<'a, 'p> {
    stepper: &'a mut Stepper<'p>,
    store: Store,
    /// Where each state came from.
    states: IndexMap<(Point, StructureId), Option<(usize, StepId)>, FxBuildHasher>,
    /// By distance to the target, then size of the heap, then age.
    queue: BinaryHeap<Reverse<(u32, usize, usize)>>,
    distance: Vec<u32>,
}

impl Search<'_, '_> {
    /// Takes a step; true if it shows the issue.
    fn expand(
        &mut self,
        state: usize,
        id: StructureId,
        step: StepId,
        (target, issue): (StepId, &Issue),
        limits: SearchLimits,
    ) -> bool {
        let to = self.stepper.program.steps[step].to;
        if step != target && self.distance[to.index()] == u32::MAX {
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
            if structure.size() <= limits.cells && self.distance[to.index()] != u32::MAX {
                let ordered = self.ordered(&structure);
                let id = self.store.intern(ordered);
                self.reach(to, id, Some((state, step)));
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

    fn reach(&mut self, point: Point, id: StructureId, from: Option<(usize, StepId)>) {
        let cells = self.store.get(id).size();
        if let indexmap::map::Entry::Vacant(entry) = self.states.entry((point, id)) {
            let state = entry.index();
            entry.insert(from);
            self.queue.push(Reverse((self.distance[point.index()], cells, state)));
        }
    }

    fn path(&self, state: usize, last: StepId) -> Vec<StepId> {
        let mut path = vec![last];
        let mut at = state;
        while let Some((_, Some((from, step)))) = self.states.get_index(at) {
            path.push(*step);
            at = *from;
        }
        path.reverse();
        path
    }
}

/// Steps from each point to the target; `u32::MAX` where there is no way.
fn distances(program: &CellProgram, target: Point) -> Vec<u32> {
    let mut incoming: Vec<Vec<Point>> = vec![Vec::new(); program.outgoing.len()];
    for step in program.steps.values() {
        incoming[step.to.index()].push(step.from);
    }
    let mut distance = vec![u32::MAX; program.outgoing.len()];
    distance[target.index()] = 0;
    let mut queue = VecDeque::from([target]);
    while let Some(point) = queue.pop_front() {
        for from in &incoming[point.index()] {
            if distance[from.index()] == u32::MAX {
                distance[from.index()] = distance[point.index()] + 1;
                queue.push_back(*from);
            }
        }
    }
    distance
}
