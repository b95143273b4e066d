//! Orders of the locations of a function: in which to visit them so that few are visited again.

use crate::function::Automaton;
use crate::ids::LocationId;
use cranelift_entity::{EntitySet, SecondaryMap};

/// The reachable locations in reverse post order of a depth-first search along the outgoing edges.
pub fn reverse_post_order(automaton: &Automaton) -> Vec<LocationId> {
    let mut seen: EntitySet<LocationId> = EntitySet::with_capacity(automaton.n_locations());
    let mut order = Vec::with_capacity(automaton.n_locations());
    let mut stack = vec![(automaton.entry, 0)];
    seen.insert(automaton.entry);
    while let Some((location, next)) = stack.last_mut() {
        match automaton.outgoing[*location].get(*next) {
            Some(edge) => {
                *next += 1;
                let to = automaton.edges[*edge].to;
                if seen.insert(to) {
                    stack.push((to, 0));
                }
            }
            None => {
                order.push(*location);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// The reachable locations in a weak topological order (Bourdoncle): what a loop reaches inside itself comes
/// before what follows the loop, and loop heads come first in their loops. A worklist served in this order stabilises
/// inner loops before it goes on.
pub fn loop_order(automaton: &Automaton) -> Vec<LocationId> {
    let reachable = reverse_post_order(automaton);
    let mut position: SecondaryMap<LocationId, u32> = SecondaryMap::with_capacity(automaton.n_locations());
    for (index, location) in reachable.iter().enumerate() {
        position[*location] = index as u32;
    }
    let mut finder = ComponentFinder {
        automaton,
        part: SecondaryMap::with_capacity(automaton.n_locations()),
        index: SecondaryMap::with_capacity(automaton.n_locations()),
        low: SecondaryMap::with_capacity(automaton.n_locations()),
        on_stack: EntitySet::with_capacity(automaton.n_locations()),
        next_part: 1,
    };
    let mut order = Vec::with_capacity(reachable.len());
    // Parts still to be ordered, the next one last.
    let mut pending = vec![Part::Locations(reachable)];
    while let Some(part) = pending.pop() {
        let locations = match part {
            Part::Done(location) => {
                order.push(location);
                continue;
            }
            Part::Locations(locations) => locations,
        };
        let components = finder.components(&locations);
        // Components come bottom-up, and `pending` is served from its end: so the topmost is pushed last.
        for mut component in components {
            component.sort_by_key(|location| position[*location]);
            let head = component[0];
            if component.len() > 1 {
                pending.push(Part::Locations(component[1..].to_vec()));
            }
            pending.push(Part::Done(head));
        }
    }
    order
}

enum Part {
    Done(LocationId),
    Locations(Vec<LocationId>),
}

/// Tarjan's algorithm on parts of an automaton.
struct ComponentFinder<'a> {
    automaton: &'a Automaton,
    /// The part that a location is in now.
    part: SecondaryMap<LocationId, u32>,
    /// The number in the search, 0 for unseen.
    index: SecondaryMap<LocationId, u32>,
    low: SecondaryMap<LocationId, u32>,
    on_stack: EntitySet<LocationId>,
    next_part: u32,
}

impl ComponentFinder<'_> {
    /// The strongly connected components of the graph restricted to `locations`, each after all that it reaches.
    fn components(&mut self, locations: &[LocationId]) -> Vec<Vec<LocationId>> {
        let part = self.next_part;
        self.next_part += 1;
        for location in locations {
            self.part[*location] = part;
            self.index[*location] = 0;
        }
        let mut components = Vec::new();
        let mut counter = 0;
        let mut stack = Vec::new();
        for root in locations {
            if self.index[*root] == 0 {
                self.search(*root, part, &mut counter, &mut stack, &mut components);
            }
        }
        components
    }

    fn search(
        &mut self,
        root: LocationId,
        part: u32,
        counter: &mut u32,
        stack: &mut Vec<LocationId>,
        components: &mut Vec<Vec<LocationId>>,
    ) {
        let mut calls = vec![(root, 0)];
        while let Some((location, next)) = calls.last_mut() {
            let location = *location;
            if *next == 0 {
                *counter += 1;
                self.index[location] = *counter;
                self.low[location] = *counter;
                self.on_stack.insert(location);
                stack.push(location);
            }
            let outgoing = &self.automaton.outgoing[location];
            let mut descend = None;
            while let Some(edge) = outgoing.get(*next) {
                *next += 1;
                let to = self.automaton.edges[*edge].to;
                if self.part[to] != part {
                    continue;
                }
                if self.index[to] == 0 {
                    descend = Some(to);
                    break;
                }
                if self.on_stack.contains(to) {
                    self.low[location] = self.low[location].min(self.index[to]);
                }
            }
            if let Some(to) = descend {
                calls.push((to, 0));
                continue;
            }
            calls.pop();
            if let Some((caller, _)) = calls.last() {
                self.low[*caller] = self.low[*caller].min(self.low[location]);
            }
            if self.low[location] == self.index[location] {
                let start = stack.iter().rposition(|member| *member == location).unwrap_or(0);
                let component: Vec<LocationId> = stack.drain(start..).collect();
                for member in &component {
                    self.on_stack.remove(*member);
                }
                components.push(component);
            }
        }
    }
}
