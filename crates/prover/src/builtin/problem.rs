//! A theory and its questions, compiled. What was compiled once serves all later questions.
//!
//! Each question is grounded anew together with the theory. That pays: what the question says of its witnesses is then known before
//! the universal formulas are grounded, and most of their instances are true or smaller from the start, which a solver
//! that keeps all questions behind assumptions cannot see.

use super::closure::Functionality;
use super::compile::{Atom, Compiled, Compiler, Kind, Part, Sign, forall, literal};
use super::search::Search;
use crate::{Answer, Limits, Signature, Theory};
use heapwise_logic::{Arity, Formula};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::rc::Rc;

/// A conjunct and the number of its slots.
pub type Conjunct = (Part, usize);

/// A theory, compiled.
pub struct Problem {
    pub signature: Signature,
    pub compiler: Compiler,
    pub functionality: Functionality,
    axioms: Vec<Conjunct>,
    questions: FxHashMap<Formula, Vec<Conjunct>>,
    /// The conflicts left for the question.
    pub conflicts: Rc<Cell<u64>>,
}

impl Problem {
    pub fn new(theory: &Theory) -> Result<Problem, String> {
        let mut problem = Problem {
            signature: theory.signature.clone(),
            compiler: Compiler::new(&theory.signature),
            functionality: Functionality::default(),
            axioms: Vec::new(),
            questions: FxHashMap::default(),
            conflicts: Rc::default(),
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
        self.conflicts.set(limits.conflicts.unwrap_or(u64::MAX));
        let mut conjuncts = self.axioms.clone();
        for formula in extra {
            if !self.questions.contains_key(*formula) {
                let compiled = self.conjuncts(formula)?;
                self.questions.insert((*formula).clone(), compiled);
            }
            conjuncts.extend(self.questions.get(*formula).into_iter().flatten().cloned());
        }
        let idle = idle(&conjuncts, &self.compiler);
        conjuncts.extend(idle.map(|symbol| (forall(&[0], literal(Sign::Negative, Atom::Unary(symbol, 0))), 1)));
        // What names individuals comes first: what is then known of them keeps the universal formulas small.
        conjuncts.sort_by_key(|(part, _)| match &part.kind {
            Kind::Forall(slots, _) => slots.len(),
            _ => 0,
        });
        Search::new(self, conjuncts, limits, end)?.run()
    }
}

/// The unary symbols that nothing speaks of. They may as well hold of no element: then elements do not differ in them.
fn idle(conjuncts: &[Conjunct], compiler: &Compiler) -> impl Iterator<Item = usize> + use<> {
    let mut used = vec![false; compiler.symbols.unary];
    conjuncts.iter().for_each(|(part, _)| mark_unary(part, &mut used));
    for step in &compiler.closures {
        step.visit(&mut |part| {
            if let Formula::Atom(predicate, _) = part {
                let symbol = compiler.symbols.numbers.iter().find(|(p, _, _)| p == predicate);
                if let Some((_, Arity::Unary, number)) = symbol {
                    used[*number] = true;
                }
            }
        });
    }
    used.into_iter().enumerate().filter(|(_, used)| !used).map(|(symbol, _)| symbol)
}

fn mark_unary(part: &Part, used: &mut [bool]) {
    match &part.kind {
        Kind::Literal(_, Atom::Unary(symbol, _)) => used[*symbol] = true,
        Kind::True | Kind::False | Kind::Literal(..) => {}
        Kind::And(parts) | Kind::Or(parts) => parts.iter().for_each(|p| mark_unary(p, used)),
        Kind::Forall(_, body) | Kind::Exists(_, body) => mark_unary(body, used),
    }
}
