//! A directed search for a way to a step of a cell program: which states were reached from where, and which is looked at next. What
//! a state says of the heap, and what a step makes of it, is the business of the engine that searches.

use crate::program::{CellProgram, Point, StepId};
use heapwise_ir::entity::EntityRef;
use indexmap::IndexMap;
use indexmap::map::Entry;
use rustc_hash::FxBuildHasher;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::hash::Hash;

/// How far a search goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchLimits {
    /// Heaps with more cells are not looked at.
    pub cells: usize,
    /// Steps taken before giving up.
    pub states: usize,
}

/// A heap at a point, by its number in the order in which they were reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct StateId(usize);

/// The states that a search reached.
#[derive(Clone, Debug)]
pub struct DirectedSearch<Heap> {
    /// Where each came from.
    states: IndexMap<(Point, Heap), Option<(StateId, StepId)>, FxBuildHasher>,
    /// By distance to the target, then number of cells, then age.
    queue: BinaryHeap<Reverse<(u32, usize, StateId)>>,
    distance: Vec<u32>,
}

impl<Heap: Copy + Eq + Hash> DirectedSearch<Heap> {
    /// Nothing is reached yet; the search leads to where a step begins.
    pub fn new(program: &CellProgram, target: StepId) -> DirectedSearch<Heap> {
        let distance = distances(program, program.steps[target].from);
        DirectedSearch { states: IndexMap::default(), queue: BinaryHeap::new(), distance }
    }

    /// Whether some way leads from a point to the target.
    pub fn leads_to_target(&self, point: Point) -> bool {
        self.distance[point.index()] != u32::MAX
    }

    /// A heap of so many cells is reached, from a state by a step, or at the start.
    pub fn reach(&mut self, point: Point, heap: Heap, cells: usize, from: Option<(StateId, StepId)>) {
        if let Entry::Vacant(entry) = self.states.entry((point, heap)) {
            let state = StateId(entry.index());
            entry.insert(from);
            self.queue.push(Reverse((self.distance[point.index()], cells, state)));
        }
    }

    /// The state to look at next.
    pub fn next_state(&mut self) -> Option<(StateId, Point, Heap)> {
        let Reverse((_, _, state)) = self.queue.pop()?;
        let (&(point, heap), _) = self.states.get_index(state.0)?;
        Some((state, point, heap))
    }

    /// The steps to a state, and a last one.
    pub fn path(&self, state: StateId, last: StepId) -> Vec<StepId> {
        let mut path = vec![last];
        let mut at = state;
        while let Some((_, Some((from, step)))) = self.states.get_index(at.0) {
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
