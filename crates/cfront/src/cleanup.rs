//! Tidying an automaton: neutral edges are merged away, what cannot be reached is dropped.

use heapwise_ir::entity::{PrimaryMap, SecondaryMap};
use heapwise_ir::{Automaton, Condition, Instruction, LocationId, Span};

/// The same automaton without needless locations. Edges to `infeasible` locations are dropped.
pub(crate) fn tidy(automaton: &Automaton, infeasible: &[LocationId]) -> Automaton {
    let merged = merged_locations(automaton);
    let mut tidied = Automaton::new();
    let mut renamed: SecondaryMap<LocationId, Option<LocationId>> =
        SecondaryMap::with_capacity(automaton.n_locations());
    renamed[automaton.exit] = Some(tidied.exit);
    let entry = merged[automaton.entry];
    let mut pending = Vec::new();
    if entry == automaton.exit {
        tidied.add_edge(tidied.entry, tidied.exit, Instruction::Assume(Condition::True), Span::NONE);
        return tidied;
    }
    renamed[entry] = Some(tidied.entry);
    pending.push(entry);
    // Depth first, so that numbers follow the text; each location's edges keep their order.
    while let Some(location) = pending.pop() {
        let from = renamed[location].expect("named before it is visited");
        let mut fresh = Vec::new();
        for &edge in &automaton.outgoing[location] {
            let edge = &automaton.edges[edge];
            let is_infeasible = infeasible.contains(&edge.to);
            if is_infeasible && automaton.outgoing[location].len() > 1 {
                continue;
            }
            let to = merged[edge.to];
            let target = match renamed[to] {
                Some(target) => target,
                None => {
                    let target = tidied.add_location();
                    renamed[to] = Some(target);
                    fresh.push(to);
                    target
                }
            };
            let instruction =
                if is_infeasible { Instruction::Assume(Condition::False) } else { edge.instruction.clone() };
            tidied.add_edge(from, target, instruction, edge.span);
        }
        pending.extend(fresh.into_iter().rev());
    }
    tidied
}

/// For each location the one it is the same as: the end of its chain of neutral edges.
fn merged_locations(automaton: &Automaton) -> PrimaryMap<LocationId, LocationId> {
    let mut merged: PrimaryMap<LocationId, LocationId> = automaton.outgoing.keys().collect();
    let mut state: SecondaryMap<LocationId, State> = SecondaryMap::with_capacity(automaton.n_locations());
    let mut chain = Vec::new();
    for location in automaton.outgoing.keys() {
        let mut end = location;
        while state[end] == State::New {
            match neutral_successor(automaton, end) {
                Some(next) => {
                    state[end] = State::OnChain;
                    chain.push(end);
                    end = next;
                }
                None => state[end] = State::Done,
            }
        }
        // A cycle of neutral edges is an endless loop: where it closes, one edge stays.
        let end = if state[end] == State::Done { merged[end] } else { end };
        for member in chain.drain(..) {
            merged[member] = end;
            state[member] = State::Done;
        }
    }
    merged
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    New,
    OnChain,
    Done,
}

fn neutral_successor(automaton: &Automaton, location: LocationId) -> Option<LocationId> {
    if location == automaton.exit {
        return None;
    }
    match automaton.outgoing[location].as_slice() {
        [edge] => {
            let edge = &automaton.edges[*edge];
            let is_neutral = matches!(edge.instruction, Instruction::Assume(Condition::True));
            // A `return;` or closing brace that ends the life of variables is a place of its own.
            let ends_function = edge.to == automaton.exit && edge.span != Span::NONE;
            (is_neutral && !ends_function).then_some(edge.to)
        }
        _ => None,
    }
}
