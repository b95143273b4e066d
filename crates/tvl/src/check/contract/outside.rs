//! Cells outside: those that a function cannot reach. Nothing that it reaches leads to them, they may lead anywhere.

use super::super::predicates::Predicates;
use super::OldValue;
use super::rules::is_guarded;
use crate::compile::Compiler;
use crate::structure::{Bounds, Structure, universe};
use crate::tables::Tables;
use crate::vocabulary::{ACTIVE, Arity, SUMMARY};
use heapwise_logic::{Formula, Kleene, Predicate};

/// What old values are where cells outside are concerned.
#[derive(Clone, Debug)]
pub(super) struct Outside {
    /// A heap of which nothing is known, as one individual, and the cells outside as another.
    unknown: Structure,
    unary: Vec<(Predicate, Kleene)>,
    /// From outside to a cell, from a cell to outside, from outside to outside.
    binary: Vec<(Predicate, [Kleene; 3])>,
}

/// The values of a cell outside: nothing of what a function can reach leads to it.
fn set_outside(predicates: &Predicates, structure: &mut Structure, outsider: usize) {
    let vocabulary = &predicates.vocabulary;
    for predicate in vocabulary.predicates() {
        let slot = vocabulary.slot(predicate);
        if slot.arity == Arity::Unary && ![SUMMARY, ACTIVE, crate::vocabulary::NEW].contains(&slot.index) {
            structure.set(slot, &[outsider], Kleene::Unknown);
        }
    }
    for slot in predicates.slots.values() {
        for predicate in slot.points.iter().chain(&slot.reach) {
            predicates.put(structure, *predicate, outsider, Kleene::False);
        }
    }
    for set in predicates.ghosts.sets() {
        predicates.put(structure, set.existed, outsider, Kleene::True);
        predicates.put(structure, set.freed, outsider, Kleene::False);
        predicates.put(structure, set.within, outsider, Kleene::False);
        for (_, kept) in &set.kept {
            predicates.put(structure, *kept, outsider, Kleene::True);
        }
    }
    let everyone = universe(structure.size());
    let mut edges: Vec<Predicate> = predicates.links.values().flatten().map(|link| link.edge).collect();
    edges.push(predicates.spine);
    for edge in edges {
        structure.set_row(predicates.index(edge), outsider, Bounds { may: everyone, must: 0 });
    }
    let one = 1 << outsider;
    for index in [SUMMARY, ACTIVE] {
        let bounds = structure.unary(index);
        structure.set_unary(index, Bounds { may: bounds.may | one, must: bounds.must & !one });
    }
}

impl Outside {
    /// Evaluates old values on a heap of which nothing is known, with cells outside of it.
    pub(super) fn new(predicates: &Predicates, olds: &[OldValue], tables: &mut Tables) -> Outside {
        let vocabulary = &predicates.vocabulary;
        let mut structure = Structure::new(vocabulary.layout(), 2);
        for predicate in vocabulary.predicates() {
            let slot = vocabulary.slot(predicate);
            match slot.arity {
                Arity::Nullary => structure.set_nullary(slot.index, Kleene::Unknown),
                Arity::Unary => structure.set(slot, &[0], Kleene::Unknown),
                Arity::Binary => structure.set(slot, &[0, 0], Kleene::Unknown),
            }
        }
        structure.set_unary(crate::vocabulary::NEW, Bounds { may: 0, must: 0 });
        set_outside(predicates, &mut structure, 1);
        let mut outside = Outside { unknown: structure.clone(), unary: Vec::new(), binary: Vec::new() };
        for old in olds {
            tables.run(&old.program, &structure, &[]);
            let at = |row: usize, column: usize| {
                let bounds = tables.row(old.value, row);
                Kleene::from_bounds(bounds.may >> column & 1 == 1, bounds.must >> column & 1 == 1)
            };
            match vocabulary.slot(old.predicate).arity {
                Arity::Nullary => {}
                Arity::Unary => outside.unary.push((old.predicate, at(0, 1))),
                Arity::Binary => outside.binary.push((old.predicate, [at(1, 0), at(0, 1), at(1, 1)])),
            }
        }
        for (predicate, value) in &outside.unary {
            structure.set(vocabulary.slot(*predicate), &[1], *value);
        }
        for (predicate, [from, to, within]) in &outside.binary {
            let slot = vocabulary.slot(*predicate);
            structure.set(slot, &[1, 0], *from);
            structure.set(slot, &[0, 1], *to);
            structure.set(slot, &[1, 1], *within);
        }
        outside.unknown = structure;
        outside
    }

    /// Whether a claim about all cells holds of those outside whatever the heap is, and asks nothing about them where it
    /// speaks of others.
    pub(super) fn holds_outside(&self, predicates: &Predicates, formula: &Formula, tables: &mut Tables) -> bool {
        match formula {
            Formula::And(parts) => parts.iter().all(|part| self.holds_outside(predicates, part, tables)),
            Formula::Forall(variables, body) if variables.len() <= 2 && is_guarded(predicates, body) => {
                let mut compiler = Compiler::new(&predicates.vocabulary, &[]);
                let value = compiler.add(body, variables);
                tables.run(&compiler.finish(), &self.unknown, &[]);
                let holds = |row: usize, column: usize| tables.row(value, row).must >> column & 1 == 1;
                match variables.len() {
                    1 => holds(0, 1),
                    _ => holds(0, 1) && holds(1, 0) && holds(1, 1),
                }
            }
            Formula::Not(inner) => match &**inner {
                Formula::Exists(variables, body) => {
                    let all = Formula::Forall(variables.clone(), Box::new(!(**body).clone()));
                    self.holds_outside(predicates, &all, tables)
                }
                _ => is_guarded(predicates, formula),
            },
            other => is_guarded(predicates, other),
        }
    }

    /// The structure with an individual for the cells outside. `None` if it gets too large.
    pub(super) fn with(&self, predicates: &Predicates, structure: &Structure) -> Option<Structure> {
        let mut whole = structure.extended(&[None]).ok()?;
        let outsider = structure.size();
        set_outside(predicates, &mut whole, outsider);
        for (predicate, value) in &self.unary {
            predicates.put(&mut whole, *predicate, outsider, *value);
        }
        for (predicate, [from, to, within]) in &self.binary {
            let slot = predicates.vocabulary.slot(*predicate);
            for u in 0..outsider {
                whole.set(slot, &[outsider, u], *from);
                whole.set(slot, &[u, outsider], *to);
            }
            whole.set(slot, &[outsider, outsider], *within);
        }
        Some(whole)
    }
}
