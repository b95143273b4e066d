//! A directed search among concrete lists for a way to an error: the same transformers on graphs in which every cell
//! is a node. What it finds is a path of the program that is real as far as lists go; `interp` has the last word.

use crate::apply::apply;
use crate::shape::{Folding, Graph, Reachability, Value};
use crate::store::{EMPTY, GraphId, GraphStore};
use heapwise_cells::Issue;
use heapwise_cells::live::{Liveness, Retention};
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
    program: &CellProgram,
    liveness: &Liveness,
    target: StepId,
    issue: &Issue,
    limits: SearchLimits,
    control: &Control,
) -> Option<Vec<StepId>> {
    let distance = distances(program, program.steps[target].from);
    let mut search = Search {
        program,
        liveness,
        store: GraphStore::default(),
        states: IndexMap::default(),
        queue: BinaryHeap::new(),
        distance,
    };
    search.reach(program.entry(), EMPTY, None);
    let mut expanded = 0;
    while let Some(Reverse((_, _, state))) = search.queue.pop() {
        expanded += 1;
        if expanded > limits.states || (expanded % 1024 == 0 && control.check(0, search.store.bytes()).is_err()) {
            return None;
        }
        let (&(point, id), _) = search.states.get_index(state)?;
        for step in &program.outgoing[point] {
            if search.expand(state, id, *step, (target, issue), limits) {
                return Some(search.path(state, *step));
            }
        }
    }
    None
}

struct Search<'a> {
    program: &'a CellProgram,
    liveness: &'a Liveness,
    store: GraphStore,
    /// Where each state came from.
    states: IndexMap<(Point, GraphId), Option<(usize, StepId)>, FxBuildHasher>,
    /// By distance to the target, then size of the heap, then age.
    queue: BinaryHeap<Reverse<(u32, u32, usize)>>,
    distance: Vec<u32>,
}

impl Search<'_> {
    /// Takes a step; true if it shows the issue.
    fn expand(
        &mut self,
        state: usize,
        id: GraphId,
        step: StepId,
        (target, issue): (StepId, &Issue),
        limits: SearchLimits,
    ) -> bool {
        let program = self.program;
        let description = &program.steps[step];
        if step != target && self.distance[description.to.index()] == u32::MAX {
            return false;
        }
        let applied = apply(&description.command, self.store.get(id).clone(), program);
        if step == target && applied.issues.contains(issue) {
            return true;
        }
        for mut graph in applied.graphs {
            self.unmap_dead(description.to, &mut graph);
            if graph.normalise(Folding::Exact) == Reachability::Lost {
                if step == target && *issue == Issue::Lost {
                    return true;
                }
                // A heap that has lost cells has had its error.
                continue;
            }
            if graph.nodes.len() <= limits.cells && self.distance[description.to.index()] != u32::MAX {
                let id = self.store.intern(graph);
                self.reach(description.to, id, Some((state, step)));
            }
        }
        false
    }

    /// Dead variables go, but not while they hold a cell.
    fn unmap_dead(&self, point: Point, graph: &mut Graph) {
        graph.retain(|var, value| {
            let holds =
                matches!(value, Value::Cell(_)) && self.liveness.is_held(self.program, point, var, Retention::Holders);
            holds || self.liveness.is_live(point, var)
        });
    }

    fn reach(&mut self, point: Point, id: GraphId, from: Option<(usize, StepId)>) {
        if let indexmap::map::Entry::Vacant(entry) = self.states.entry((point, id)) {
            let state = entry.index();
            entry.insert(from);
            let cells = self.store.n_nodes(id);
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
