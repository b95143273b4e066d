//! Which locations every way from the entry must pass.

use crate::function::Automaton;
use crate::ids::LocationId;
use crate::order;
use cranelift_entity::SecondaryMap;

/// The dominator tree of an automaton (Cooper, Harvey and Kennedy's algorithm).
#[derive(Clone, Debug)]
pub struct Dominators {
    /// Position in reverse post order, [`UNREACHED`] for unreachable locations.
    position: SecondaryMap<LocationId, u32>,
    order: Vec<LocationId>,
    /// Immediate dominators, by position; the entry's is itself.
    immediate: Vec<u32>,
    /// When a walk over the tree enters and leaves a node, by position.
    enter: Vec<u32>,
    leave: Vec<u32>,
}

const UNREACHED: u32 = u32::MAX;

impl Dominators {
    /// Computes the tree.
    pub fn of(automaton: &Automaton) -> Dominators {
        let order = order::reverse_post_order(automaton);
        let mut position = SecondaryMap::with_default(UNREACHED);
        for (index, location) in order.iter().enumerate() {
            position[*location] = index as u32;
        }
        let immediate = immediate_dominators(automaton, &order, &position);
        let (enter, leave) = walk(&immediate);
        Dominators { position, order, immediate, enter, leave }
    }

    /// Whether the location is reachable from the entry at all.
    pub fn is_reachable(&self, location: LocationId) -> bool {
        self.position[location] != UNREACHED
    }

    /// The closest other location that every way to `location` passes; none for the entry and what is unreachable.
    pub fn immediate(&self, location: LocationId) -> Option<LocationId> {
        let position = self.position[location];
        if position == UNREACHED || position == 0 {
            return None;
        }
        Some(self.order[self.immediate[position as usize] as usize])
    }

    /// Whether every way to `below` passes `above`; a reachable location dominates itself.
    pub fn dominates(&self, above: LocationId, below: LocationId) -> bool {
        let (above, below) = (self.position[above], self.position[below]);
        if above == UNREACHED || below == UNREACHED {
            return false;
        }
        let (above, below) = (above as usize, below as usize);
        self.enter[above] <= self.enter[below] && self.leave[below] <= self.leave[above]
    }
}

fn immediate_dominators(
    automaton: &Automaton,
    order: &[LocationId],
    position: &SecondaryMap<LocationId, u32>,
) -> Vec<u32> {
    let mut predecessors: Vec<Vec<u32>> = vec![Vec::new(); order.len()];
    for (index, location) in order.iter().enumerate() {
        for edge in &automaton.outgoing[*location] {
            predecessors[position[automaton.edges[*edge].to] as usize].push(index as u32);
        }
    }
    let mut immediate = vec![UNREACHED; order.len()];
    immediate[0] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for node in 1..order.len() {
            let mut best = UNREACHED;
            for predecessor in &predecessors[node] {
                if immediate[*predecessor as usize] != UNREACHED {
                    best = if best == UNREACHED { *predecessor } else { meet(&immediate, best, *predecessor) };
                }
            }
            changed |= immediate[node] != best;
            immediate[node] = best;
        }
    }
    immediate
}

/// The closest node above both.
fn meet(immediate: &[u32], mut left: u32, mut right: u32) -> u32 {
    while left != right {
        while left > right {
            left = immediate[left as usize];
        }
        while right > left {
            right = immediate[right as usize];
        }
    }
    left
}

/// Numbers the tree so that a subtree is an interval.
fn walk(immediate: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); immediate.len()];
    for (node, parent) in immediate.iter().enumerate().skip(1) {
        children[*parent as usize].push(node as u32);
    }
    let (mut enter, mut leave) = (vec![0; immediate.len()], vec![0; immediate.len()]);
    let mut clock = 1;
    let mut stack = vec![(0usize, 0usize)];
    while let Some((node, next)) = stack.last_mut() {
        if *next == 0 {
            enter[*node] = clock;
            clock += 1;
        }
        match children[*node].get(*next) {
            Some(child) => {
                *next += 1;
                let child = *child as usize;
                stack.push((child, 0));
            }
            None => {
                leave[*node] = clock;
                clock += 1;
                stack.pop();
            }
        }
    }
    (enter, leave)
}
