//! The algorithm as the paper prints it (figures 4 and 5), for comparison: it asks whether each value can be 1/2 by itself,
//! and so keeps structures whose values cannot be 1/2 together. [`super::explore`] is the one to use.

use super::characteristic::{Characteristic, Fact};
use super::explore::theory;
use super::operations::bounded;
use super::problem::Problem;
use crate::action::Framework;
use crate::structure::Structure;
use heapwise_logic::{Formula, Kleene};
use heapwise_prover::{Prover, Session};
use indexmap::IndexSet;

/// The results of figures 4 and 5, in their order of questions, with every question asked.
#[must_use]
pub fn assume_as_printed(
    framework: &Framework,
    formula: &Formula,
    structures: &[Structure],
    prover: &mut dyn Prover,
) -> Vec<Structure> {
    let mut problem = Problem::new(framework);
    problem.require(formula);
    let theory = theory(&problem);
    let printed = Printed { framework, characteristic: Characteristic::new(&framework.vocabulary, None) };
    let (starts, _) = bounded(framework, structures);
    let named = printed.bifurcate(starts, &mut *prover.open(&theory));
    printed.sharpen(named, &mut *prover.open(&theory))
}

struct Printed<'a> {
    framework: &'a Framework,
    characteristic: Characteristic<'a>,
}

impl Printed<'_> {
    fn may_be(&self, structure: &Structure, more: Option<Formula>, session: &mut dyn Session) -> bool {
        let mut formulas = self.characteristic.gamma_hat(structure);
        formulas.extend(more);
        session.check(&formulas.iter().collect::<Vec<_>>()).may_be_satisfiable()
    }

    fn with(&self, structure: &Structure, fact: &Fact, value: Kleene) -> Structure {
        let mut changed = structure.clone();
        changed.set(self.framework.vocabulary.slot(fact.predicate), &fact.tuple, value);
        changed
    }

    /// Figure 5.
    fn bifurcate(&self, starts: Vec<Structure>, session: &mut dyn Session) -> Vec<Structure> {
        let mut open: Vec<Structure> = starts.into_iter().filter(|s| self.may_be(s, None, session)).collect();
        let mut named = Vec::new();
        while let Some(structure) = open.pop() {
            let names = self.characteristic.names().iter();
            let facts = names.flat_map(|p| (0..structure.size()).map(|u| Fact { predicate: *p, tuple: vec![u] }));
            let Some(fact) = facts.into_iter().find(|f| !self.characteristic.value(&structure, f).is_definite()) else {
                named.push(self.framework.abstraction.blur(&structure));
                continue;
            };
            let u = fact.tuple[0];
            let both = self.characteristic.both_values(&structure, &fact);
            if self.may_be(&structure, Some(both), session) {
                let Ok(split) = structure.extended(&[Some(u)]) else {
                    // There is no room for one individual more: it stays as it is, and stands for all.
                    named.push(self.framework.abstraction.blur(&structure));
                    continue;
                };
                let twin = Fact { predicate: fact.predicate, tuple: vec![structure.size()] };
                open.push(self.with(&self.with(&split, &fact, Kleene::False), &twin, Kleene::True));
            }
            for value in [Kleene::False, Kleene::True] {
                let part = self.with(&structure, &fact, value);
                if self.may_be(&part, None, session) {
                    open.push(part);
                }
            }
        }
        named
    }

    /// Figure 4.
    fn sharpen(&self, named: Vec<Structure>, session: &mut dyn Session) -> Vec<Structure> {
        let mut result: IndexSet<Structure> = named.into_iter().collect();
        let mut done: IndexSet<(Structure, Fact)> = IndexSet::new();
        loop {
            let next = result.iter().find_map(|s| {
                let open = |f: &Fact| {
                    !self.characteristic.value(s, f).is_definite() && !done.contains(&(s.clone(), f.clone()))
                };
                Some((s.clone(), self.characteristic.facts(s).into_iter().find(open)?))
            });
            let Some((structure, fact)) = next else { break };
            done.insert((structure.clone(), fact.clone()));
            let both = self.characteristic.both_values(&structure, &fact);
            if !self.may_be(&structure, Some(both), session) {
                result.shift_remove(&structure);
            }
            let values: &[Kleene] = if fact.predicate.index() == crate::vocabulary::SUMMARY {
                &[Kleene::False]
            } else {
                &[Kleene::False, Kleene::True]
            };
            for value in values {
                let part = self.with(&structure, &fact, *value);
                if self.may_be(&part, None, session) {
                    result.insert(part);
                }
            }
        }
        let mut all: Vec<Structure> = result.into_iter().collect();
        all.sort();
        all
    }
}
