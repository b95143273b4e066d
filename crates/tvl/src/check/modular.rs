//! A program with contracts: every function that has one is checked by itself, once, and its callers by the contract.

use super::TvlEngine;
use heapwise_engine::reason::{Assumption, Note, Unchecked};
use heapwise_engine::{Control, Options, Outcome};
use heapwise_ir::{FunctionId, Program};

/// What contracts are for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ContractUse {
    /// Each body is checked against its contract, and calls go by the contract alone.
    #[default]
    Modular,
    /// Calls go by contracts, whose bodies are taken to keep them: a client is checked by itself.
    Trusted,
    /// They are not looked at: calls are followed into the bodies.
    Ignored,
}

/// The functions with a contract that the entry point may call, itself not among them: those with a body, and those without.
fn with_contracts(program: &Program, entry: FunctionId) -> (Vec<FunctionId>, Vec<FunctionId>) {
    let mut functions: Vec<FunctionId> =
        heapwise_ir::reachable_functions(program, entry, &heapwise_ir::AnyAddressTaken)
            .into_iter()
            .filter(|function| *function != entry)
            .filter(|function| program.contracts.iter().any(|contract| contract.function == *function))
            .collect();
    functions.sort_unstable();
    functions.dedup();
    functions.into_iter().partition(|function| program.functions[*function].automaton().is_some())
}

/// What is taken for granted of functions whose bodies are not looked at.
fn trusted(program: &Program, functions: &[FunctionId], unchecked: Unchecked) -> Option<Assumption> {
    let functions: Vec<String> = functions.iter().map(|function| program.functions[*function].name.clone()).collect();
    (!functions.is_empty()).then_some(Assumption::ContractsKept { functions, unchecked })
}

impl TvlEngine {
    /// The program from its entry point, without the bodies that contracts stand for.
    pub fn check_entry(&self, program: &Program, options: &Options, control: &Control) -> Outcome {
        self.attempt_all(program, options, options, control)
    }

    /// The program from its entry point by contracts, and each of their bodies.
    pub(super) fn check_all(&self, program: &Program, options: &Options, control: &Control) -> Outcome {
        let mut outcome = self.attempt_all(program, options, options, control);
        if self.settings.contracts == ContractUse::Ignored {
            if !program.contracts.is_empty() {
                outcome.notes.push(Note::ContractsIgnored);
            }
            return outcome;
        }
        let (functions, declared) = with_contracts(program, options.entry);
        outcome.assumptions.extend(trusted(program, &declared, Unchecked::NoBody));
        if self.settings.contracts == ContractUse::Trusted {
            outcome.assumptions.extend(trusted(program, &functions, Unchecked::Trusted));
            return outcome;
        }
        if functions.is_empty() {
            return outcome;
        }
        for function in &functions {
            let of_body = Options { entry: *function, ..options.clone() };
            absorb(&mut outcome, self.attempt_all(program, &of_body, options, control));
        }
        outcome.notes.push(Note::BodiesChecked { bodies: functions.len() });
        outcome
    }
}

fn absorb(outcome: &mut Outcome, other: Outcome) {
    for finding in other.findings {
        heapwise_confirm::add(&mut outcome.findings, finding);
    }
    outcome.findings.sort_by_key(|finding| (finding.span, finding.kind));
    outcome.gaps.extend(other.gaps);
    outcome.gaps.sort();
    outcome.gaps.dedup();
    outcome.stopped = outcome.stopped.take().or(other.stopped);
    outcome.reached.extend(other.reached);
    outcome.reached.sort_unstable();
    outcome.reached.dedup();
    for note in other.notes {
        if !outcome.notes.contains(&note) {
            outcome.notes.push(note);
        }
    }
    outcome.stats.elements += other.stats.elements;
    outcome.stats.locations += other.stats.locations;
}
