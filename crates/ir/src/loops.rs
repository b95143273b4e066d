//! Natural loops.

use crate::dominators::Dominators;
use crate::function::Automaton;
use crate::ids::{EdgeId, LocationId};
use crate::order;
use cranelift_entity::{EntitySet, SecondaryMap};

/// A loop with one head: every way into it passes the head.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The location that dominates the loop.
    pub head: LocationId,
    /// The edges from inside back to the head.
    pub back_edges: Vec<EdgeId>,
    /// All locations of the loop in ascending order, the head included.
    pub locations: Vec<LocationId>,
    /// The smallest loop around this one, by index into [`Loops::loops`].
    pub parent: Option<usize>,
}

/// The loops of an automaton.
#[derive(Clone, Debug)]
pub struct Loops {
    /// The natural loops, outer ones before inner ones.
    pub loops: Vec<Loop>,
    /// Edges that close a cycle which is no natural loop (a `goto` into a loop). Where this is not empty, cutting all
    /// back edges of natural loops leaves cycles.
    pub irreducible: Vec<EdgeId>,
    innermost: SecondaryMap<LocationId, Option<usize>>,
}

impl Loops {
    /// Finds them.
    pub fn of(automaton: &Automaton) -> Loops {
        let dominators = Dominators::of(automaton);
        let order = order::reverse_post_order(automaton);
        let mut position: SecondaryMap<LocationId, u32> = SecondaryMap::with_capacity(automaton.n_locations());
        for (index, location) in order.iter().enumerate() {
            position[*location] = index as u32;
        }
        let incoming = automaton.incoming();
        let mut loops: Vec<Loop> = Vec::new();
        let mut irreducible = Vec::new();
        for location in &order {
            let mut back_edges = Vec::new();
            for id in &incoming[*location] {
                let from = automaton.edges[*id].from;
                if !dominators.is_reachable(from) {
                    continue;
                }
                if dominators.dominates(*location, from) {
                    back_edges.push(*id);
                } else if position[from] >= position[*location] {
                    irreducible.push(*id);
                }
            }
            if !back_edges.is_empty() {
                let locations = body(automaton, *location, &back_edges, &incoming, &dominators);
                loops.push(Loop { head: *location, back_edges, locations, parent: None });
            }
        }
        // A loop around another has more locations; of the loops that hold a head, the smallest is the parent.
        loops.sort_by_key(|found| (std::cmp::Reverse(found.locations.len()), position[found.head]));
        let mut innermost: SecondaryMap<LocationId, Option<usize>> = SecondaryMap::new();
        for index in 0..loops.len() {
            loops[index].parent = innermost[loops[index].head];
            for location in &loops[index].locations {
                innermost[*location] = Some(index);
            }
        }
        Loops { loops, irreducible, innermost }
    }

    /// The innermost loop that holds `location`.
    pub fn innermost(&self, location: LocationId) -> Option<&Loop> {
        self.innermost[location].map(|index| &self.loops[index])
    }

    /// Whether `location` is the head of a loop.
    pub fn is_head(&self, location: LocationId) -> bool {
        self.innermost(location).is_some_and(|found| found.head == location)
    }

    /// How many loops hold `location`.
    pub fn depth(&self, location: LocationId) -> usize {
        let mut depth = 0;
        let mut at = self.innermost[location];
        while let Some(index) = at {
            depth += 1;
            at = self.loops[index].parent;
        }
        depth
    }
}

/// What reaches a back edge without passing the head.
fn body(
    automaton: &Automaton,
    head: LocationId,
    back_edges: &[EdgeId],
    incoming: &SecondaryMap<LocationId, Vec<EdgeId>>,
    dominators: &Dominators,
) -> Vec<LocationId> {
    let mut seen: EntitySet<LocationId> = EntitySet::new();
    seen.insert(head);
    let mut locations = vec![head];
    let mut stack: Vec<LocationId> = back_edges.iter().map(|edge| automaton.edges[*edge].from).collect();
    while let Some(location) = stack.pop() {
        if seen.insert(location) {
            locations.push(location);
            let sources = incoming[location].iter().map(|edge| automaton.edges[*edge].from);
            stack.extend(sources.filter(|source| dominators.is_reachable(*source)));
        }
    }
    locations.sort();
    locations
}
