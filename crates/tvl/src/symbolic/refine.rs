//! Where focus would not terminate: `assume` gives structures that are as sharp as they can be.
//!
//! Focus makes a formula definite by splitting; a relation between two summaries has no end of it. `assume` always ends
//! (section 5 of the paper). With ψ the condition that is asked next, the structures are those of assume\[ψ\]. Where focus leaves
//! a closed formula φ open they are those of assume\[ψ ∧ φ\] and of assume\[ψ ∧ ¬φ\], so that all concrete structures of
//! one agree on φ.

use super::explore::Settings;
use super::operations::assume;
use crate::action::Framework;
use crate::structure::Structure;
use heapwise_logic::Formula;
use heapwise_prover::Prover;
use indexmap::IndexSet;

/// More structures than this are no gain.
const MOST_STRUCTURES: usize = 64;
/// So many open questions end the attempt.
const UNSETTLED: usize = 2;

/// The structures that take the place of `structure` where the closed `condition` holds, for formulas that focus leaves open;
/// nothing if the prover leaves a question open or there are too many.
#[must_use]
pub fn refine_by_assume(
    framework: &Framework,
    condition: &Formula,
    formulas: &[&Formula],
    structure: &Structure,
    prover: &mut dyn Prover,
) -> Option<Vec<Structure>> {
    let settings = Settings { unsettled: UNSETTLED, results: MOST_STRUCTURES, ..Settings::default() };
    let closed = formulas.iter().find(|f| f.free_variables().is_empty());
    let conditions = match closed {
        Some(formula) => [(*formula).clone(), !(*formula).clone()].map(|f| Formula::and(condition.clone(), f)).to_vec(),
        None => vec![condition.clone()],
    };
    let mut refined: IndexSet<Structure> = IndexSet::new();
    for part in conditions {
        let result = assume(framework, &part, std::slice::from_ref(structure), prover, settings);
        if !result.outcome.is_exact() || result.merged > 0 {
            return None;
        }
        refined.extend(result.outcome.structures);
    }
    (refined.len() <= MOST_STRUCTURES).then(|| refined.into_iter().collect())
}
