//! A theory and its questions, compiled. What was compiled once serves all later questions.
//!
//! Each question is grounded anew together with the theory. That pays: what the question says of its witnesses is then known before
//! the universal formulas are grounded, and most of their instances are true or smaller from the start, which a solver
//! that keeps all questions behind assumptions cannot see.

use super::closure::Functionality;
use super::compile::{Compiled, Compiler, Kind, Part};
use super::search::Search;
use crate::{Answer, Limits, Signature, Theory};
use heapwise_logic::Formula;
use rustc_hash::FxHashMap;

/// A conjunct and the number of its slots.
pub type Conjunct = (Part, usize);

/// A theory, compiled.
pub struct Problem {
    pub signature: Signature,
    pub compiler: Compiler,
    pub functionality: Functionality,
    axioms: Vec<Conjunct>,
    questions: FxHashMap<Formula, Vec<Conjunct>>,
}

impl Problem {
    pub fn new(theory: &Theory) -> Result<Problem, String> {
        let mut problem = Problem {
            signature: theory.signature.clone(),
            compiler: Compiler::new(&theory.signature),
            functionality: Functionality::default(),
            axioms: Vec::new(),
            questions: FxHashMap::default(),
        };
        for axiom in &theory.axioms {
            let conjuncts = problem.conjuncts(axiom)?;
            conjuncts.iter().for_each(|(part, _)| problem.functionality.learn(part));
            problem.axioms.extend(conjuncts);
        }
        Ok(problem)
    }

    fn conjuncts(&mut self, formula: &Formula) -> Result<Vec<Conjunct>, String> {
        let Compiled { root, slots } = self.compiler.compile(formula)?;
        Ok(match &root.kind {
            Kind::And(parts) => parts.iter().map(|part| (part.clone(), slots)).collect(),
            _ => vec![(root, slots)],
        })
    }

    /// Whether the theory with `extra` has a finite model.
    pub fn check(&mut self, extra: &[&Formula], limits: &Limits) -> Result<Answer, String> {
        let end = limits.end_of_query();
        let mut conjuncts = self.axioms.clone();
        for formula in extra {
            if !self.questions.contains_key(*formula) {
                let compiled = self.conjuncts(formula)?;
                self.questions.insert((*formula).clone(), compiled);
            }
            conjuncts.extend(self.questions.get(*formula).into_iter().flatten().cloned());
        }
        // What names individuals comes first: what is then known of them keeps the universal formulas small.
        conjuncts.sort_by_key(|(part, _)| match &part.kind {
            Kind::Forall(slots, _) => slots.len(),
            _ => 0,
        });
        Search::new(self, conjuncts, limits, end)?.run()
    }
}
