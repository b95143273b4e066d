//! One theory in the solver, and the search for an answer.

use super::closure::{self, Functionality};
use super::compile::{Atom, Compiled, Compiler, Kind, Part, Sign};
use super::ground::{Ground, Owner};
use super::sat::Outcome;
use super::types::{Distinction, Oracle, Steps};
use crate::model::MOST_INDIVIDUALS;
use crate::{Answer, Limits, Model, Reason, Signature, Theory};
use batsat::Lit;
use heapwise_logic::evaluate::{Assignment, evaluate};
use heapwise_logic::{Arity, Formula, Kleene};
use rustc_hash::FxHashMap;
use std::time::Instant;

/// How many names get individuals of their own in one round: few, since each makes all universal formulas larger.
const SETTLED_PER_ROUND: usize = 3;

/// So often the universe grows before the kinds of elements are counted, which costs more than a round.
const ROUNDS_BEFORE_COUNTING: usize = 2;

/// So often counting is repeated with what it gave before.
const COUNTS: usize = 3;

/// A theory, grounded.
pub struct Problem {
    signature: Signature,
    compiler: Compiler,
    ground: Ground,
    functionality: Functionality,
    /// The conjuncts of the axioms, with the number of their slots.
    conjuncts: Vec<(Part, usize)>,
    /// Closures whose axioms are in the solver.
    closures: usize,
    questions: FxHashMap<Formula, Question>,
    compiled_questions: Vec<Compiled>,
    /// Individuals provided for the names of questions.
    spare: usize,
    /// The literal "there is a step of that closure between these two".
    edges: FxHashMap<(usize, usize, usize), Lit>,
}

/// A formula that was asked about.
#[derive(Clone, Copy, Debug)]
struct Question {
    /// Assumed, the formula holds.
    literal: Lit,
    /// The individuals that its names may need.
    names: usize,
    /// Where its text is kept.
    compiled: usize,
}

impl Problem {
    pub fn new(theory: &Theory) -> Result<Problem, String> {
        let mut compiler = Compiler::new(&theory.signature);
        let axioms = theory.axioms.iter().map(|axiom| compiler.compile(axiom)).collect::<Result<Vec<_>, _>>()?;
        let symbols = &compiler.symbols;
        let mut problem = Problem {
            signature: theory.signature.clone(),
            ground: Ground::new(symbols.nullary, symbols.unary, symbols.binary),
            compiler,
            functionality: Functionality::default(),
            conjuncts: Vec::new(),
            closures: 0,
            questions: FxHashMap::default(),
            compiled_questions: Vec::new(),
            spare: 0,
            edges: FxHashMap::default(),
        };
        let mut conjuncts: Vec<(Part, usize)> = Vec::new();
        for Compiled { root, slots } in axioms {
            match &root.kind {
                Kind::And(parts) => conjuncts.extend(parts.iter().map(|part| (part.clone(), slots))),
                _ => conjuncts.push((root, slots)),
            }
        }
        conjuncts.iter().for_each(|(part, _)| problem.functionality.learn(part));
        problem.declare_closures();
        // What names individuals comes first: what is then known of them keeps the universal formulas small.
        conjuncts.sort_by_key(|(part, _)| matches!(part.kind, Kind::Forall(..)));
        for (part, slots) in &conjuncts {
            problem.ground.assert(part, *slots, &[], Owner::Theory);
        }
        problem.conjuncts = conjuncts;
        problem.assert_closures()?;
        Ok(problem)
    }

    fn declare_closures(&mut self) {
        while self.ground.binary.len() < self.compiler.symbols.binary + self.compiler.closures.len() {
            self.ground.add_binary_symbol();
        }
    }

    /// Puts the axioms of new closures into the solver.
    fn assert_closures(&mut self) -> Result<(), String> {
        while self.closures < self.compiler.closures.len() {
            let axioms = closure::axioms(&mut self.compiler, self.closures, &self.functionality)?;
            self.closures += 1;
            self.declare_closures();
            for axiom in axioms {
                self.ground.assert(&axiom, SLOTS_OF_AXIOMS, &[], Owner::Theory);
            }
        }
        Ok(())
    }

    fn question(&mut self, formula: &Formula) -> Result<Question, String> {
        if let Some(question) = self.questions.get(formula) {
            return Ok(*question);
        }
        let compiled = self.compiler.compile(formula)?;
        self.declare_closures();
        self.assert_closures()?;
        let literal = self.ground.sat.fresh();
        let names = self.ground.assert(&compiled.root, compiled.slots, &[!literal], Owner::Question);
        let question = Question { literal, names, compiled: self.compiled_questions.len() };
        self.compiled_questions.push(compiled);
        self.questions.insert(formula.clone(), question);
        Ok(question)
    }

    /// Whether the theory with `extra` has a finite model.
    pub fn check(&mut self, extra: &[&Formula], limits: &Limits) -> Result<Answer, String> {
        let end = limits.end_of_query();
        let questions = extra.iter().map(|f| self.question(f)).collect::<Result<Vec<Question>, String>>()?;
        let needed = questions.iter().map(|question| question.names).sum::<usize>();
        if needed > self.spare {
            for _ in self.spare..needed {
                self.ground.add_individual();
            }
            self.spare = needed;
            self.ground.begin_generation();
        }
        if self.ground.individuals() > MOST_INDIVIDUALS {
            return Err(format!("more than {MOST_INDIVIDUALS} existential witnesses"));
        }
        let assumed: Vec<Lit> = questions.iter().map(|question| question.literal).collect();
        let mut grown = 0;
        loop {
            if let Some(reason) = limits.exhausted(end) {
                return Ok(Answer::Unknown(reason));
            }
            match self.round(&assumed, limits, end)? {
                Round::Settled(answer) => return Ok(answer),
                Round::Grow(_) if grown == ROUNDS_BEFORE_COUNTING => {
                    grown += 1;
                    self.count(&questions, limits, end)?;
                }
                Round::Grow(names) => {
                    grown += 1;
                    let size = self.ground.individuals() + names.len().max(1);
                    if size > limits.individuals.min(MOST_INDIVIDUALS) {
                        return Ok(Answer::Unknown(Reason::NotFoundUpTo(self.ground.individuals())));
                    }
                    if names.is_empty() {
                        self.ground.add_individual();
                    }
                    self.ground.settle(&names);
                }
                Round::Again => {}
            }
        }
    }

    fn round(&mut self, assumed: &[Lit], limits: &Limits, end: Instant) -> Result<Round, String> {
        let (short, open) = (self.ground.short, self.ground.open);
        let mut assumptions = assumed.to_vec();
        assumptions.extend([!short, !open]);
        let stopped = || Round::Settled(Answer::Unknown(limits.exhausted(end).unwrap_or(Reason::TimeLimit)));
        match self.ground.sat.solve(&assumptions, end, limits.cancel.as_ref()) {
            Outcome::Stopped => return Ok(stopped()),
            Outcome::Satisfiable => {
                let (model, individuals) = self.model();
                return Ok(if self.correct_closures(&model, &individuals)? {
                    Round::Settled(Answer::Satisfiable(Some(model)))
                } else {
                    Round::Again
                });
            }
            Outcome::Unsatisfiable if !self.ground.sat.blames(open) => {
                return Ok(Round::Settled(Answer::Unsatisfiable));
            }
            Outcome::Unsatisfiable => {}
        }
        assumptions.pop();
        Ok(match self.ground.sat.solve(&assumptions, end, limits.cancel.as_ref()) {
            Outcome::Stopped => stopped(),
            Outcome::Unsatisfiable => Round::Settled(Answer::Unsatisfiable),
            Outcome::Satisfiable => {
                let mut wanting = self.ground.wanting();
                wanting.truncate(SETTLED_PER_ROUND);
                Round::Grow(wanting)
            }
        })
    }

    /// Adds what counting and paths of kinds say of the theory with these questions.
    fn count(&mut self, questions: &[Question], limits: &Limits, end: Instant) -> Result<(), String> {
        let prefix: Vec<Lit> = questions.iter().map(|question| !question.literal).collect();
        let mut known: Vec<Part> = Vec::new();
        let mut distinction = Distinction::Predicates;
        for _ in 0..COUNTS {
            let oracle = Oracle { distinction, ..self.oracle(questions, &known, limits, end)? };
            let Ok(mut facts) = oracle.facts() else { return Ok(()) };
            facts.retain(|fact| !known.contains(fact));
            if facts.is_empty() {
                match distinction {
                    Distinction::Predicates => distinction = Distinction::PredicatesAndNames,
                    Distinction::PredicatesAndNames => break,
                }
            }
            for fact in &facts {
                self.ground.assert(fact, SLOTS_OF_AXIOMS, &prefix, Owner::Theory);
            }
            known.extend(facts);
        }
        Ok(())
    }

    /// The theory with the questions and `known`, about three arbitrary elements.
    fn oracle<'a>(
        &mut self,
        questions: &[Question],
        known: &[Part],
        limits: &'a Limits,
        end: Instant,
    ) -> Result<Oracle<'a>, String> {
        let symbols = &self.compiler.symbols;
        let mut ground = Ground::new(symbols.nullary, symbols.unary, symbols.binary + self.closures);
        (0..3).for_each(|_| ground.add_individual());
        let texts = questions.iter().map(|q| &self.compiled_questions[q.compiled]);
        let axioms = self.conjuncts.iter().map(|(part, slots)| (part, *slots));
        for (part, slots) in texts.map(|c| (&c.root, c.slots)).chain(axioms) {
            ground.assert(part, slots, &[], Owner::Theory);
        }
        let mut closures = Vec::new();
        for closure in 0..self.closures {
            for axiom in closure::axioms(&mut self.compiler, closure, &self.functionality)? {
                ground.assert(&axiom, SLOTS_OF_AXIOMS, &[], Owner::Theory);
            }
            let step = self.compiler.step(closure, Sign::Positive, (0, 1), 2)?;
            closures.push(Steps { step, relation: self.compiler.symbols.binary + closure });
        }
        for fact in known {
            ground.assert(fact, SLOTS_OF_AXIOMS, &[], Owner::Theory);
        }
        ground.settle_first();
        let fields = self.compiler.symbols.binary;
        let distinction = Distinction::Predicates;
        Ok(Oracle { ground, fields, closures, distinction, end, cancel: limits.cancel.as_ref() })
    }

    /// The structure that was found, and the individuals of the solver that its elements are.
    fn model(&self) -> (Model, Vec<usize>) {
        let ground = &self.ground;
        let individuals: Vec<usize> =
            (0..ground.individuals()).filter(|i| ground.sat.value(ground.active[*i])).collect();
        let mut model = Model::new(&self.signature, individuals.len());
        for (predicate, arity, number) in &self.compiler.symbols.numbers {
            match arity {
                Arity::Nullary => model.set(*predicate, &[], ground.sat.value(ground.nullary[*number])),
                Arity::Unary => {
                    for (v, i) in individuals.iter().enumerate() {
                        model.set(*predicate, &[v], ground.sat.value(ground.unary[*number][*i]));
                    }
                }
                Arity::Binary => {
                    for (v, i) in individuals.iter().enumerate() {
                        for (w, j) in individuals.iter().enumerate() {
                            model.set(*predicate, &[v, w], ground.sat.value(ground.binary[*number][*i][*j]));
                        }
                    }
                }
            }
        }
        (model, individuals)
    }

    /// Compares the relations of closures with the true closures. Where they differ, adds clauses that say why and
    /// gives false.
    fn correct_closures(&mut self, model: &Model, individuals: &[usize]) -> Result<bool, String> {
        let mut correct = true;
        for closure in 0..self.closures {
            let reached = self.true_closure(closure, model);
            let relation = self.compiler.symbols.binary + closure;
            let mut wrong = Vec::new();
            for (v, i) in individuals.iter().enumerate() {
                let claimed = |w: usize| self.ground.sat.value(self.ground.binary[relation][*i][individuals[w]]);
                if let Some(w) = (0..individuals.len()).find(|w| claimed(*w) && reached[v] >> w & 1 == 0) {
                    wrong.push((v, w));
                }
            }
            for (v, w) in wrong {
                correct = false;
                let inside: Vec<usize> = (0..individuals.len())
                    .filter(|u| *u == v || reached[v] >> u & 1 != 0)
                    .map(|u| individuals[u])
                    .collect();
                self.add_cut(closure, (individuals[v], individuals[w]), &inside)?;
            }
        }
        Ok(correct)
    }

    fn true_closure(&self, closure: usize, model: &Model) -> Vec<u64> {
        let n = model.size();
        let (left, right) = super::compile::closure_variables();
        let step = &self.compiler.closures[closure];
        let mut rows = vec![0u64; n];
        let mut assignment = Assignment::new();
        for (v, row) in rows.iter_mut().enumerate() {
            for w in 0..n {
                assignment.push(&left, v);
                assignment.push(&right, w);
                let there = evaluate(step, model, &mut assignment) == Kleene::True;
                assignment.pop(2);
                *row |= u64::from(there) << w;
            }
        }
        closure::transitive_closure(&mut rows);
        rows
    }

    /// A path from `from`, which is inside, to `to`, which is not (or back to `from`), takes a step from inside to outside
    /// (or back to `from`), or passes through an element that is not represented.
    fn add_cut(&mut self, closure: usize, (from, to): (usize, usize), inside: &[usize]) -> Result<(), String> {
        let relation = self.compiler.symbols.binary + closure;
        let ground = &self.ground;
        let mut clause =
            vec![!ground.binary[relation][from][to], !ground.active[from], !ground.active[to], ground.open];
        for a in inside {
            for b in 0..self.ground.individuals() {
                if from == to && b == from || !inside.contains(&b) {
                    clause.push(self.edge(closure, *a, b)?);
                }
            }
        }
        self.ground.sat.add(&clause);
        Ok(())
    }

    fn edge(&mut self, closure: usize, a: usize, b: usize) -> Result<Lit, String> {
        if let Some(edge) = self.edges.get(&(closure, a, b)) {
            return Ok(*edge);
        }
        let step = self.compiler.step(closure, Sign::Positive, (0, 1), 2)?;
        let edge = self.ground.sat.fresh();
        self.ground.sat.add(&[!edge, self.ground.active[a]]);
        self.ground.sat.add(&[!edge, self.ground.active[b]]);
        match step.kind {
            Kind::Literal(Sign::Positive, Atom::Binary(symbol, 0, 1)) => {
                self.ground.sat.add(&[!edge, self.ground.binary[symbol][a][b]]);
            }
            _ => {
                self.ground.assert_about(&step, MOST_INDIVIDUALS, &[a, b], &[!edge], Owner::Theory);
            }
        }
        self.edges.insert((closure, a, b), edge);
        Ok(edge)
    }
}

/// The slots of closure axioms, those of their steps included.
const SLOTS_OF_AXIOMS: usize = 64;

/// How a round ended.
enum Round {
    Settled(Answer),
    /// Give these names individuals of their own; when there are none, add an individual.
    Grow(Vec<usize>),
    /// The clauses have changed.
    Again,
}
