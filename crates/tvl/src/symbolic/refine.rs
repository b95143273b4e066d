//! Where focus would not terminate: `assume` gives structures that represent the same and are as sharp as they can be.
//!
//! Focus makes a formula definite by splitting; a relation between two summaries has no end of it. `assume` always ends
//! (section 5 of the paper). For a closed formula φ the structures are those of assume\[φ\] and of assume\[¬φ\], so that
//! all concrete structures of one agree on φ; otherwise those of assume\[1\].

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

/// The structures that take the place of `structure`, for formulas that focus leaves open; nothing if the prover leaves a
/// question open or there are too many.
#[must_use]
pub fn refine_by_assume(
    framework: &Framework,
    formulas: &[&Formula],
    structure: &Structure,
    prover: &mut dyn Prover,
) -> Option<Vec<Structure>> {
    let settings = Settings { unsettled: UNSETTLED, results: MOST_STRUCTURES, ..Settings::default() };
    let closed = formulas.iter().find(|f| f.free_variables().is_empty());
    let conditions = match closed {
        Some(formula) => vec![(*formula).clone(), !(*formula).clone()],
        None => vec![Formula::TRUE],
    };
    let mut refined: IndexSet<Structure> = IndexSet::new();
    for condition in conditions {
        let result = assume(framework, &condition, std::slice::from_ref(structure), prover, settings);
        if !result.outcome.is_exact() || result.merged > 0 {
            return None;
        }
        refined.extend(result.outcome.structures);
    }
    (refined.len() <= MOST_STRUCTURES).then(|| refined.into_iter().collect())
}
