//! Which objects a function frees, for callers that know fields of them which the function does not.
//!
//! `pointsto` gives a function only the cells that it accesses itself, so `void release(void *p) { free(p); }` knows no field of
//! what it frees. Its caller does: what those fields refer to is lost at the call.

use crate::procedure::{Call, Operation};
use heapwise_dataflow::{Analysis, Direction, Flow, JoinSemiLattice, iterate_to_fixpoint, unlimited};
use heapwise_ir::entity::{EntityRef, EntitySet, PrimaryMap};
use heapwise_ir::{Automaton, CompareOperator, EdgeId, LocationId, RegisterId, Termination};
use rustc_hash::FxHashMap;

/// Whether the object behind a parameter is freed on every way through a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnWays {
    /// On all that come back, unless the parameter is null.
    All,
    /// On some.
    Some,
}

/// A parameter whose object a function frees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FreedParameter {
    /// Its position.
    pub position: usize,
    /// When it is freed.
    pub ways: OnWays,
}

/// Who says what a condition on an object behind a parameter asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// A field of it.
    Field,
    /// A function that is called with it.
    Callee,
}

/// A condition on an object that a function is there to free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spared {
    /// The parameter behind which the object is.
    pub parameter: RegisterId,
    /// Who says so.
    pub asked: Asked,
}

/// What a function is for this question.
pub struct Function<'f> {
    /// Its automaton.
    pub automaton: &'f Automaton,
    /// What its edges do.
    pub operations: &'f PrimaryMap<EdgeId, Operation>,
    /// Its parameters.
    pub parameters: &'f [RegisterId],
    /// Those that are never assigned.
    pub constant_parameters: &'f EntitySet<RegisterId>,
}

/// The copies that lead from a register to a parameter are followed so far.
const MOST_COPIES: usize = 8;

impl Function<'_> {
    /// The parameter into whose object a register points: it is one, or assigned once, from one.
    pub fn parameter(&self, register: RegisterId) -> Option<usize> {
        let mut register = register;
        for _ in 0..MOST_COPIES {
            if self.constant_parameters.contains(register) {
                return self.parameters.iter().position(|parameter| *parameter == register);
            }
            let mut writers = self.operations.values().filter(|operation| operation.target() == Some(register));
            match (writers.next(), writers.next()) {
                (Some(Operation::Copy { source: Some(source), .. }), None) => register = *source,
                _ => return None,
            }
        }
        None
    }

    fn freed_by_call<'c>(&'c self, call: &'c Call) -> impl Iterator<Item = (usize, OnWays)> + 'c {
        let is_only = call.callees.len() == 1 && call.externs.is_empty() && call.unknown.is_none();
        call.frees.iter().filter_map(move |freed| {
            let ways = if is_only { freed.ways } else { OnWays::Some };
            Some((self.parameter(freed.pointer)?, ways))
        })
    }

    /// The parameters whose objects the function frees.
    pub fn freed_parameters(&self) -> Vec<FreedParameter> {
        let mut on_some: Vec<usize> = Vec::new();
        for operation in self.operations.values() {
            match operation {
                Operation::Free { pointer, .. } => on_some.extend(self.parameter(*pointer)),
                Operation::Call(call) => on_some.extend(self.freed_by_call(call).map(|(position, _)| position)),
                _ => {}
            }
        }
        on_some.sort_unstable();
        on_some.dedup();
        if on_some.is_empty() {
            return Vec::new();
        }
        let Ok(found) = iterate_to_fixpoint(self.automaton, Releases(self), unlimited);
        let at_exit = found.into_states().into_iter().nth(self.automaton.exit.index()).flatten();
        // Without a way to the exit nothing is said.
        let is_on_all = |position: usize| at_exit.as_ref().is_none_or(|released| released.0.contains(&position));
        on_some
            .into_iter()
            .map(|position| {
                let ways = if is_on_all(position) { OnWays::All } else { OnWays::Some };
                FreedParameter { position, ways }
            })
            .collect()
    }
}

/// What a function decides by looking at an object that it is there to free.
///
/// `if (!b->borrowed) free(b->data); free(b);` leaks nothing as long as the flag says the truth, and so does `if (!is_sane(b)) return;`. Whether
/// it does is not known here. So who passes by such a condition is in doubt; where the function has a result, it may
/// tell its caller, and nothing is in doubt.
impl Function<'_> {
    /// The conditions on what is read from the object behind a freed parameter, or on what a function says of it, behind which something is not freed that
    /// is freed if they do not hold; with the parameter.
    pub fn spared(&self, freed: &[FreedParameter]) -> FxHashMap<EdgeId, Spared> {
        let mut found = FxHashMap::default();
        if freed.is_empty() {
            return found;
        }
        for edges in self.automaton.outgoing.values().filter(|edges| edges.len() == 2) {
            let about: Vec<Option<(usize, Asked)>> = edges.iter().map(|edge| self.condition_about(*edge)).collect();
            let (Some(one), Some(two)) = (about[0], about[1]) else { continue };
            let (position, asked) = one;
            if one != two || !freed.iter().any(|freed| freed.position == position) {
                continue;
            }
            let reached: Vec<Vec<EdgeId>> = edges.iter().map(|edge| self.frees_behind(*edge)).collect();
            for (this, other) in [(0, 1), (1, 0)] {
                if reached[other].iter().any(|free| !reached[this].contains(free)) {
                    found.insert(edges[this], Spared { parameter: self.parameters[position], asked });
                }
            }
        }
        found
    }

    /// The parameter whose object a comparison with a constant looks at, and who does.
    fn condition_about(&self, edge: EdgeId) -> Option<(usize, Asked)> {
        let Operation::AssumeNumber { register, .. } = &self.operations[edge] else { return None };
        let mut register = *register;
        for _ in 0..MOST_COPIES {
            let mut writers = self.operations.values().filter(|operation| operation.target() == Some(register));
            register = match (writers.next(), writers.next()) {
                (Some(Operation::Copy { source: Some(source), .. } | Operation::Add { source, .. }), None) => *source,
                (Some(Operation::Load { place, .. }), None) => {
                    return Some((self.parameter(place.base?)?, Asked::Field));
                }
                (Some(Operation::Call(call)), None) => {
                    let position = call.arguments.iter().find_map(|argument| self.parameter(argument.register?))?;
                    return Some((position, Asked::Callee));
                }
                _ => return None,
            };
        }
        None
    }

    /// What is freed behind an edge.
    fn frees_behind(&self, edge: EdgeId) -> Vec<EdgeId> {
        let mut seen = vec![false; self.automaton.n_locations()];
        let mut pending = vec![self.automaton.edges[edge].to];
        let mut found = Vec::new();
        while let Some(location) = pending.pop() {
            if std::mem::replace(&mut seen[location.index()], true) {
                continue;
            }
            for edge in &self.automaton.outgoing[location] {
                match &self.operations[*edge] {
                    Operation::Free { .. } => found.push(*edge),
                    Operation::Call(call) if !call.frees.is_empty() => found.push(*edge),
                    _ => {}
                }
                pending.push(self.automaton.edges[*edge].to);
            }
        }
        found
    }
}

/// The parameters that are null or whose object was freed, in order.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Released(Vec<usize>);

impl Released {
    fn add(&mut self, position: usize) {
        if let Err(at) = self.0.binary_search(&position) {
            self.0.insert(at, position);
        }
    }
}

impl JoinSemiLattice for Released {
    fn join(&mut self, other: &Released) -> bool {
        let before = self.0.len();
        self.0.retain(|position| other.0.contains(position));
        self.0.len() != before
    }
}

struct Releases<'f>(&'f Function<'f>);

impl Analysis<Automaton> for Releases<'_> {
    type Domain = Released;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self, graph: &Automaton, node: LocationId) -> Option<Released> {
        (node == graph.entry).then(Released::default)
    }

    fn apply(&self, _graph: &Automaton, edge: EdgeId, released: &mut Released) -> Flow {
        match &self.0.operations[edge] {
            Operation::Stop | Operation::Unsupported => return Flow::Ends,
            Operation::Free { pointer, .. } => {
                self.0.parameter(*pointer).into_iter().for_each(|position| released.add(position));
            }
            Operation::AssumeNumber { register, operator: CompareOperator::Equal, constant: 0 } => {
                self.0.parameter(*register).into_iter().for_each(|position| released.add(position));
            }
            Operation::Call(call) => {
                let is_only_extern = call.callees.is_empty() && call.unknown.is_none();
                if is_only_extern && call.externs.iter().all(|found| found.termination != Termination::Returns) {
                    return Flow::Ends;
                }
                let freed: Vec<(usize, OnWays)> = self.0.freed_by_call(call).collect();
                freed.iter().filter(|(_, ways)| *ways == OnWays::All).for_each(|(at, _)| released.add(*at));
            }
            _ => {}
        }
        Flow::Continues
    }
}
