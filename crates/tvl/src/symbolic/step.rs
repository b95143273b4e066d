//! Best transformers as steps of an analysis, in the place of focus, coerce and update.
//!
//! What the prover leaves open is answered by the usual step, which is always sound. Where nothing is left open, the result
//! is never less precise than what the usual step leaves, once that is bounded.

use super::explore::Settings;
use super::transform::{BestTransformer, Check, Moment};
use crate::action::{Action, ActionSpecification, Framework, StepResult, Trouble};
use crate::coerce::RuleId;
use crate::structure::Structure;
use crate::tables::Tables;
use heapwise_prover::Prover;

/// How an analysis takes its steps.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Transformer {
    /// By focus, coerce and update.
    #[default]
    FocusAndCoerce,
    /// By the best transformer of each action.
    Best,
}

/// Applies actions by their best transformers.
pub struct BestSteps {
    prover: Box<dyn Prover>,
    settings: Settings,
    /// Steps that were taken by the usual transformer.
    usual: usize,
}

impl std::fmt::Debug for BestSteps {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BestSteps").field("prover", &self.prover.name()).field("usual", &self.usual).finish()
    }
}

impl BestSteps {
    /// Steps that ask `prover`.
    #[must_use]
    pub fn new(prover: Box<dyn Prover>, settings: Settings) -> BestSteps {
        BestSteps { prover, settings, usual: 0 }
    }

    /// How many steps the prover left to the usual transformer.
    #[must_use]
    pub fn left_to_the_usual(&self) -> usize {
        self.usual
    }

    /// Applies an action to a blurred structure that satisfies the rules, like [`Action::apply`].
    pub fn apply(
        &mut self,
        framework: &Framework,
        (action, specification): (&Action, &ActionSpecification),
        structure: &Structure,
        tables: &mut Tables,
        out: &mut StepResult,
    ) {
        let mut usual = StepResult::default();
        action.apply(framework, structure, tables, &mut usual);
        let Ok(transformer) = BestTransformer::new(framework, [specification]) else {
            self.usual += 1;
            return append(out, usual);
        };
        let StepResult { structures, messages, troubles, disagreements } = usual;
        for (text, example) in messages {
            let condition = |(moment, list): (Moment, &[crate::action::Message])| {
                list.iter().filter(|m| m.text == text).map(|m| (moment, m.condition.clone())).collect::<Vec<_>>()
            };
            let mut conditions = [(Moment::Before, &*specification.before), (Moment::After, &*specification.after)]
                .into_iter()
                .flat_map(condition);
            let prover = &mut *self.prover;
            if !conditions.all(|(moment, condition)| transformer.excludes(structure, &condition, moment, prover)) {
                out.messages.push((text, example));
            }
        }
        let transformed = transformer.apply(structure, &mut *self.prover, self.settings);
        match transformed.broken {
            Check::Holds if transformed.outcome.is_exact() => out.structures.extend(transformed.outcome.structures),
            Check::Broken(_, rule) if transformed.outcome.is_exact() => {
                let rules = framework.constraints.rules();
                let id = rules.iter().position(|r| r.source == rule.source).unwrap_or(0);
                out.structures.extend(transformed.outcome.structures);
                out.troubles.push((Trouble::Contradiction(RuleId(id)), structure.clone()));
            }
            Check::Holds | Check::Broken(..) | Check::Unsettled => {
                self.usual += 1;
                out.structures.extend(structures);
                out.troubles.extend(troubles);
                out.disagreements.extend(disagreements);
            }
        }
    }
}

fn append(out: &mut StepResult, other: StepResult) {
    out.structures.extend(other.structures);
    out.messages.extend(other.messages);
    out.troubles.extend(other.troubles);
    out.disagreements.extend(other.disagreements);
}
