//! The operations on sets of structures: `assume`, `alpha_hat`, `meet`, and the smallest equivalent set.

use super::bounded::merged_to_bounded;
use super::characteristic::Characteristic;
use super::explore::{Outcome, Settings, explore, top};
use super::problem::Problem;
use crate::action::Framework;
use crate::embed::embeds;
use crate::structure::Structure;
use heapwise_logic::Formula;
use heapwise_prover::Prover;

/// A result of an operation on structures.
#[derive(Clone, Default, Debug)]
pub struct Result {
    /// What the search found.
    pub outcome: Outcome,
    /// How many input structures were not bounded and have been made so by merging individuals: the result is the most
    /// precise for the merged ones.
    pub merged: usize,
}

/// The structures, bounded, and how many had to be merged for it.
#[must_use]
pub fn bounded(framework: &Framework, structures: &[Structure]) -> (Vec<Structure>, usize) {
    let mut merged = 0;
    let bounded = structures
        .iter()
        .map(|s| match merged_to_bounded(&framework.abstraction, s) {
            Some(smaller) => {
                merged += 1;
                smaller
            }
            None => s.clone(),
        })
        .collect();
    (bounded, merged)
}

/// assume\[φ\](a): the canonical abstractions of the concrete structures that `structures` represent, that satisfy the
/// integrity rules, and in which the closed formula φ holds.
#[must_use]
pub fn assume(
    framework: &Framework,
    formula: &Formula,
    structures: &[Structure],
    prover: &mut dyn Prover,
    settings: Settings,
) -> Result {
    let (starts, merged) = bounded(framework, structures);
    let mut problem = Problem::new(framework);
    problem.require(formula);
    Result { outcome: explore(&problem, &starts, prover, settings), merged }
}

/// α̂(φ): the canonical abstractions of all concrete structures that satisfy the integrity rules and φ.
#[must_use]
pub fn alpha_hat(framework: &Framework, formula: &Formula, prover: &mut dyn Prover, settings: Settings) -> Outcome {
    let mut problem = Problem::new(framework);
    problem.require(formula);
    let start = top(&problem);
    explore(&problem, &[start], prover, settings)
}

/// The canonical abstractions of the concrete structures that both sets represent.
#[must_use]
pub fn meet(
    framework: &Framework,
    left: &[Structure],
    right: &[Structure],
    prover: &mut dyn Prover,
    settings: Settings,
) -> Result {
    let (left, merged_left) = bounded(framework, left);
    let (right, merged_right) = bounded(framework, right);
    let characteristic = Characteristic::new(&framework.vocabulary, None);
    let mut result = Result { outcome: Outcome::default(), merged: merged_left + merged_right };
    for other in &right {
        let mut problem = Problem::new(framework);
        for part in characteristic.gamma_hat(other) {
            problem.require(&part);
        }
        result.outcome.absorb(explore(&problem, &left, prover, settings));
    }
    result
}

/// The smallest set with the same concrete structures: what embeds in another structure goes. (Among images of
/// canonical abstraction one that is represented by several others together is represented by one of them, since it is
/// the image of a concrete structure of its own.)
#[must_use]
pub fn smallest(structures: &[Structure]) -> Vec<Structure> {
    let mut kept: Vec<Structure> = Vec::with_capacity(structures.len());
    for candidate in structures {
        if kept.iter().any(|k| embeds(candidate, k)) {
            continue;
        }
        kept.retain(|k| !embeds(k, candidate));
        kept.push(candidate.clone());
    }
    kept
}
