//! The search for an answer to one question.

use super::closure;
use super::compile::{Atom, Kind, Part, Sign, closure_variables};
use super::demand::demands;
use super::ground::{Extent, Ground, Place};
use super::problem::{Conjunct, Problem};
use super::runs::Runs;
use super::sat::{Outcome, Patience, Sat};
use super::types::{Counted, Distinction, Oracle, Steps};
use crate::model::MOST_INDIVIDUALS;
use crate::{Answer, Limits, Model, Reason};
use batsat::Lit;
use heapwise_logic::evaluate::{Assignment, evaluate};
use heapwise_logic::{Arity, Kleene};
use rustc_hash::FxHashMap;
use std::time::Instant;

/// How many names get individuals of their own in one round: few, since each makes all universal formulas larger.
const SETTLED_PER_ROUND: usize = 4;

/// So often names below universal quantifiers are settled before the next stage begins, which costs more than a round.
const ROUNDS_OF_A_STAGE: usize = 2;

/// So often they are before a question is divided into cases.
const ROUNDS_BEFORE_DIVIDING: usize = 6;

/// So often a question is divided into cases, one below the other.
const DIVISIONS: u8 = 3;

/// The sizes of universes that are searched for a model, without regard to names. A solver finds one sooner in a universe with elements
/// to spare: that there is none in a smaller one is a pigeonhole argument, which takes it long.
const SPACIOUS_UNIVERSE: usize = 12;
const MORE_SPACIOUS_UNIVERSE: usize = 16;

/// So many rounds are spent on each existential conjunct by itself.
const ROUNDS_ON_ONE_CONJUNCT: usize = 6;

/// So often closures are corrected in one of them.
const CORRECTIONS: usize = 20;

/// So many ends of edges that a question asks for are told apart when kinds are counted.
const ENDS_TOLD_APART: usize = 8;

/// So often counting is repeated with what it gave before.
const COUNTS: usize = 3;

/// The slots of closure axioms, those of their steps included.
const SLOTS_OF_AXIOMS: usize = 64;

/// A question in the solver.
pub struct Search<'a> {
    problem: &'a mut Problem,
    conjuncts: Vec<Conjunct>,
    ground: Ground,
    limits: &'a Limits,
    end: Instant,
    /// What was tried.
    stage: Stage,
    /// What counting gave.
    known: Vec<Part>,
    /// What is known of smallest models.
    runs: Option<Runs>,
    /// So often the question may be divided into cases.
    divisions: u8,
    /// Whether every element of every model has an individual.
    is_complete: bool,
    /// The literal "there is a step of that closure between these two".
    edges: FxHashMap<(usize, usize, usize), Lit>,
}

/// What is tried one after the other, when the answer is not near. In between, the universe grows and is searched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stage {
    /// Nothing but the growing universe.
    Start,
    /// A model in a small universe; counting kinds of elements that differ in unary predicates. That no numbers fit is
    /// seen in no time by counting, and takes a solver exponential time.
    Counted,
    /// Counting kinds that differ in names too; larger universes.
    CountedByName,
    /// Cases. Then all the time there is.
    Divided,
}

impl Stage {
    fn patience(self) -> Patience {
        match self {
            Stage::Start | Stage::Counted => Patience::Brief,
            Stage::CountedByName => Patience::Fair,
            Stage::Divided => Patience::Long,
        }
    }
}

/// How a round ended.
enum Round {
    Settled(Answer),
    /// Give these names individuals of their own; when there are none, add an individual.
    Grow(Vec<usize>),
    /// The clauses have changed.
    Again,
    /// A brief search did not end.
    Hard,
}

impl<'a> Search<'a> {
    pub fn new(
        problem: &'a mut Problem,
        conjuncts: Vec<Conjunct>,
        limits: &'a Limits,
        end: Instant,
    ) -> Result<Search<'a>, String> {
        let ground = ground(problem, &conjuncts, NONE, end)?;
        let runs = Runs::of(problem, &conjuncts);
        Ok(Search {
            problem,
            conjuncts,
            ground,
            limits,
            end,
            stage: Stage::Start,
            known: Vec::new(),
            runs,
            divisions: DIVISIONS,
            is_complete: false,
            edges: FxHashMap::default(),
        })
    }

    pub fn run(mut self) -> Result<Answer, String> {
        let mut grown = 0;
        loop {
            if let Some(reason) = self.exhausted() {
                return Ok(Answer::Unknown(reason));
            }
            if self.ground.is_cut_short {
                return Ok(Answer::Unknown(Reason::TimeLimit));
            }
            match self.round()? {
                Round::Settled(answer) => return Ok(answer),
                Round::Grow(names) => {
                    let outermost = names.first().is_some_and(|name| self.ground.place(*name) == Place::Outermost);
                    grown += usize::from(!outermost);
                    if !outermost && self.stage < Stage::Divided && grown % ROUNDS_OF_A_STAGE == 0 {
                        if let Some(answer) = self.look_closer()? {
                            return Ok(answer);
                        }
                        continue;
                    }
                    let most = if outermost { MOST_INDIVIDUALS } else { self.limits.individuals.min(MOST_INDIVIDUALS) };
                    let is_full = self.ground.individuals() + names.len().max(1) > most;
                    if (is_full || grown > ROUNDS_BEFORE_DIVIDING)
                        && let Some(answer) = self.divide()?
                    {
                        return Ok(answer);
                    }
                    if is_full {
                        return Ok(Answer::Unknown(Reason::NotFoundUpTo(self.ground.individuals())));
                    }
                    if names.is_empty() {
                        self.ground.add_individual();
                    }
                    self.ground.give_individuals(&names);
                }
                Round::Hard => {
                    if let Some(answer) = self.look_closer()? {
                        return Ok(answer);
                    }
                }
                Round::Again => {}
            }
        }
    }

    fn round(&mut self) -> Result<Round, String> {
        let closed = self.ground.closed();
        let needed = match self.solve(&closed) {
            Outcome::Stopped => return Ok(self.stopped()),
            Outcome::Satisfiable => {
                let (model, individuals) = self.model();
                return Ok(if self.correct_closures(&model, &individuals)? {
                    Round::Settled(Answer::Satisfiable(Some(model)))
                } else {
                    Round::Again
                });
            }
            Outcome::Unsatisfiable => {
                let (any, names) = self.ground.blamed();
                if !any || self.is_complete {
                    return Ok(Round::Settled(Answer::Unsatisfiable));
                }
                names
            }
        };
        Ok(match self.solve(&[]) {
            Outcome::Stopped => self.stopped(),
            Outcome::Unsatisfiable => Round::Settled(Answer::Unsatisfiable),
            Outcome::Satisfiable => self.grow(&needed),
        })
    }

    /// What to do about an assignment in which elements are missing. `needed` are names that must stand for missing elements, or
    /// there is no model; others that do so in this assignment may not matter.
    fn grow(&mut self, needed: &[usize]) -> Round {
        let mut wanting = self.ground.wanting();
        if wanting.iter().any(|name| needed.contains(name)) {
            wanting.retain(|name| needed.contains(name));
        }
        if let Some(first) = wanting.first() {
            let place = self.ground.place(*first);
            wanting.retain(|name| self.ground.place(*name) == place);
            wanting.truncate(SETTLED_PER_ROUND);
            if place == Place::Outermost {
                return Round::Grow(wanting);
            }
            // An outermost name that stands for an individual made for another name could move on to each new one for ever.
            let strayed = self.ground.strayed(SETTLED_PER_ROUND);
            if !strayed.is_empty() {
                return Round::Grow(strayed);
            }
        }
        let Some(runs) = self.runs else { return Round::Grow(wanting) };
        // Every named element is represented, so smallest models can be told from others.
        let unnamed = self.ground.unnamed;
        if self.ground.sat.value(unnamed) {
            match self.solve(&[!unnamed]) {
                Outcome::Stopped => return self.stopped(),
                Outcome::Satisfiable => return self.grow(needed),
                Outcome::Unsatisfiable => {}
            }
            let open = self.ground.open_names(SETTLED_PER_ROUND);
            if open.is_empty() {
                return Round::Settled(Answer::Unsatisfiable);
            }
            return Round::Grow(open);
        }
        if runs.exclude(&mut self.ground) { Round::Again } else { Round::Grow(wanting) }
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Outcome {
        self.ground.sat.solve(assumptions, self.stage.patience(), self.end, self.limits.cancel.as_ref())
    }

    fn exhausted(&self) -> Option<Reason> {
        let conflicts = (self.problem.conflicts.get() == 0).then_some(Reason::ConflictLimit);
        conflicts.or_else(|| self.limits.exhausted(self.end))
    }

    fn stopped(&self) -> Round {
        match self.exhausted() {
            None if self.stage < Stage::Divided => Round::Hard,
            reason => Round::Settled(Answer::Unknown(reason.unwrap_or(Reason::TimeLimit))),
        }
    }

    /// The next stage. Without closures there is a model more often than not, and counting is quick and says more of each case: so a
    /// model is looked for first, then cases.
    fn look_closer(&mut self) -> Result<Option<Answer>, String> {
        match self.stage {
            Stage::Start => {
                self.stage = Stage::Counted;
                if self.problem.compiler.closures.is_empty() {
                    if self.is_contradicted_by_one()? {
                        return Ok(Some(Answer::Unsatisfiable));
                    }
                    if let Some(found) = self.find_small_model(SPACIOUS_UNIVERSE, Patience::Brief)? {
                        return Ok(Some(found));
                    }
                    if let Some(answer) = self.divide()? {
                        return Ok(Some(answer));
                    }
                }
                self.count(Distinction::Predicates)?;
                Ok(None)
            }
            Stage::Counted => {
                self.stage = Stage::CountedByName;
                if self.is_complete {
                    return Ok(None);
                }
                if self.is_contradicted_by_one()? {
                    return Ok(Some(Answer::Unsatisfiable));
                }
                if let Some(found) = self.find_small_model(SPACIOUS_UNIVERSE, Patience::Brief)? {
                    return Ok(Some(found));
                }
                self.count(Distinction::PredicatesAndNames)?;
                if self.is_complete || !self.problem.compiler.closures.is_empty() {
                    return Ok(None);
                }
                self.find_small_model(MORE_SPACIOUS_UNIVERSE, Patience::Brief)
            }
            Stage::CountedByName | Stage::Divided => {
                self.stage = Stage::Divided;
                if !self.is_complete
                    && let Some(found) = self.find_small_model(MORE_SPACIOUS_UNIVERSE, Patience::Fair)?
                {
                    return Ok(Some(found));
                }
                self.divide()
            }
        }
    }

    /// Whether one of the outermost existential conjuncts contradicts the rest, the other ones left out: with few names a contradiction
    /// is found soon.
    fn is_contradicted_by_one(&mut self) -> Result<bool, String> {
        let has_several_names =
            |part: &Part| matches!(&part.kind, Kind::Exists(slots, _) if slots.len() > 1 && part.free == 0);
        let (several, others): (Vec<Conjunct>, Vec<Conjunct>) =
            self.conjuncts.iter().cloned().partition(|(part, _)| has_several_names(part));
        if several.len() < 2 {
            return Ok(false);
        }
        for one in several {
            let conjuncts: Vec<Conjunct> = std::iter::once(one).chain(others.iter().cloned()).collect();
            let mut search = Search::new(&mut *self.problem, conjuncts, self.limits, self.end)?;
            for fact in &self.known {
                search.ground.assert(fact, SLOTS_OF_AXIOMS, &[]);
            }
            if search.is_refuted_soon()? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a few rounds show that there is no model.
    fn is_refuted_soon(&mut self) -> Result<bool, String> {
        for _ in 0..ROUNDS_ON_ONE_CONJUNCT {
            match self.round()? {
                Round::Settled(answer) => return Ok(answer == Answer::Unsatisfiable),
                Round::Grow(names) if names.is_empty() => return Ok(false),
                Round::Grow(names) => self.ground.give_individuals(&names),
                Round::Hard => return Ok(false),
                Round::Again => {}
            }
        }
        Ok(false)
    }

    /// A model of at most so many elements. It is found where the growing universe has too many names to try.
    fn find_small_model(&mut self, elements: usize, patience: Patience) -> Result<Option<Answer>, String> {
        let complete = self.complete_ground(elements.min(self.limits.individuals))?;
        let growing = (std::mem::replace(&mut self.ground, complete), std::mem::take(&mut self.edges));
        let mut found = None;
        for _ in 0..CORRECTIONS {
            let closed = self.ground.closed();
            let outcome = self.ground.sat.solve(&closed, patience, self.end, self.limits.cancel.as_ref());
            if self.ground.is_cut_short || outcome != Outcome::Satisfiable {
                break;
            }
            let (model, individuals) = self.model();
            if self.correct_closures(&model, &individuals)? {
                found = Some(model);
                break;
            }
        }
        (self.ground, self.edges) = growing;
        Ok(found.map(|model| Answer::Satisfiable(Some(model))))
    }

    /// The answer by cases, if a conjunct is a disjunction: of each case more can be counted than of all together.
    fn divide(&mut self) -> Result<Option<Answer>, String> {
        let is_disjunction = |part: &Part| matches!(part.kind, Kind::Or(_));
        let speaks_of_propositions = |part: &Part| match &part.kind {
            Kind::Or(cases) => cases.iter().any(|case| matches!(case.kind, Kind::Literal(..))),
            _ => false,
        };
        let disjunctions = self.conjuncts.iter().enumerate().filter(|(_, (part, _))| is_disjunction(part));
        let chosen = disjunctions.min_by_key(|(_, (part, _))| speaks_of_propositions(part));
        let (Some(divisions), Some((index, (part, slots)))) = (self.divisions.checked_sub(1), chosen) else {
            return Ok(None);
        };
        // Not twice.
        self.divisions = 0;
        let Kind::Or(cases) = &part.kind else { return Ok(None) };
        let (cases, slots) = (cases.clone(), *slots);
        let mut open = None;
        for case in cases {
            let mut conjuncts = self.conjuncts.clone();
            conjuncts.remove(index);
            let parts = match &case.kind {
                Kind::And(parts) => parts.clone(),
                _ => vec![case],
            };
            // What is known of a case comes before universal formulas are grounded.
            conjuncts.splice(0..0, parts.into_iter().map(|part| (part, slots)));
            let mut search = Search::new(&mut *self.problem, conjuncts, self.limits, self.end)?;
            search.divisions = divisions;
            match search.run()? {
                Answer::Unsatisfiable => {}
                Answer::Unknown(reason) => open = Some(reason),
                found @ Answer::Satisfiable(_) => return Ok(Some(found)),
            }
        }
        Ok(Some(open.map_or(Answer::Unsatisfiable, Answer::Unknown)))
    }

    /// Adds what counting and paths of kinds say.
    fn count(&mut self, distinction: Distinction) -> Result<(), String> {
        for _ in 0..COUNTS {
            let Ok(Counted { mut facts, elements, demanding }) = self.oracle(distinction)?.count() else {
                break;
            };
            facts.retain(|fact| !self.known.contains(fact));
            let is_new = !facts.is_empty();
            if let Some(elements) = elements {
                self.known.extend(facts);
                self.ground = self.complete_ground(elements)?;
                self.edges.clear();
                self.is_complete = true;
                break;
            }
            if self.name_demands(&demanding)? {
                for fact in &self.known {
                    self.ground.assert(fact, SLOTS_OF_AXIOMS, &[]);
                }
            }
            for fact in &facts {
                self.ground.assert(fact, SLOTS_OF_AXIOMS, &[]);
            }
            self.known.extend(facts);
            if !is_new {
                break;
            }
        }
        Ok(())
    }

    /// Gives names to the elements with demands, where there are few; whether there were such demands, and all is grounded anew.
    fn name_demands(&mut self, demanding: &[Option<usize>]) -> Result<bool, String> {
        let mut changed = false;
        for (demand, elements) in demands(&self.conjuncts).into_iter().zip(demanding) {
            let Some(elements) = elements else { continue };
            let conjunct = &mut self.conjuncts[demand.conjunct];
            if let Some(named) = demand.named(*elements, conjunct.1) {
                *conjunct = named;
                changed = true;
            }
        }
        if changed {
            self.ground = ground(self.problem, &self.conjuncts, NONE, self.end)?;
            self.runs = Runs::of(self.problem, &self.conjuncts);
            self.edges.clear();
        }
        Ok(changed)
    }

    /// The question, and what is known, in a universe of so many elements at most.
    fn complete_ground(&mut self, elements: usize) -> Result<Ground, String> {
        let arbitrary = Arbitrary { count: elements, extent: Extent::Complete };
        let mut ground = ground(self.problem, &self.conjuncts, arbitrary, self.end)?;
        for fact in &self.known {
            ground.assert(fact, SLOTS_OF_AXIOMS, &[]);
        }
        Ok(ground)
    }

    /// The question, and what is known, about three arbitrary elements.
    fn oracle(&mut self, distinction: Distinction) -> Result<Oracle<'a>, String> {
        let three = Arbitrary { count: 3, extent: Extent::Growing };
        let mut ground = ground(self.problem, &self.conjuncts, three, self.end)?;
        let mut closures = Vec::new();
        let compiler = &mut self.problem.compiler;
        for closure in 0..compiler.closures.len() {
            let step = compiler.step(closure, Sign::Positive, (0, 1), 3)?;
            let first = compiler.step(closure, Sign::Positive, (0, 2), 3)?;
            let last = compiler.step(closure, Sign::Positive, (2, 1), 3)?;
            closures.push(Steps { step, first, last, relation: compiler.symbols.binary + closure });
        }
        for fact in &self.known {
            ground.assert(fact, SLOTS_OF_AXIOMS, &[]);
        }
        ground.give_first_individuals();
        if distinction == Distinction::PredicatesAndNames {
            let ends = ground.open_ends(ENDS_TOLD_APART);
            ground.give_individuals(&ends);
        }
        let fields = compiler.symbols.binary;
        let demands = demands(&self.conjuncts).into_iter().map(|demand| demand.met_by).collect();
        Ok(Oracle {
            ground,
            fields,
            closures,
            demands,
            distinction,
            end: self.end,
            cancel: self.limits.cancel.as_ref(),
        })
    }

    /// The structure that was found, and the individuals of the solver that its elements are.
    fn model(&self) -> (Model, Vec<usize>) {
        let ground = &self.ground;
        let individuals: Vec<usize> =
            (0..ground.individuals()).filter(|i| ground.sat.value(ground.active[*i])).collect();
        let mut model = Model::new(&self.problem.signature, individuals.len());
        for (predicate, arity, number) in &self.problem.compiler.symbols.numbers {
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
        for closure in 0..self.problem.compiler.closures.len() {
            let reached = self.true_closure(closure, model);
            let relation = self.problem.compiler.symbols.binary + closure;
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
        let (left, right) = closure_variables();
        let step = &self.problem.compiler.closures[closure];
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
        let relation = self.problem.compiler.symbols.binary + closure;
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
        let step = self.problem.compiler.step(closure, Sign::Positive, (0, 1), 2)?;
        let edge = self.ground.sat.fresh();
        self.ground.sat.add(&[!edge, self.ground.active[a]]);
        self.ground.sat.add(&[!edge, self.ground.active[b]]);
        match step.kind {
            Kind::Literal(Sign::Positive, Atom::Binary(symbol, 0, 1)) => {
                self.ground.sat.add(&[!edge, self.ground.binary[symbol][a][b]]);
            }
            _ => {
                self.ground.assert_about(&step, MOST_INDIVIDUALS, &[a, b], &[!edge]);
            }
        }
        self.edges.insert((closure, a, b), edge);
        Ok(edge)
    }
}

/// The individuals that a universe starts with, about which nothing is said.
#[derive(Clone, Copy)]
struct Arbitrary {
    count: usize,
    extent: Extent,
}

const NONE: Arbitrary = Arbitrary { count: 0, extent: Extent::Growing };

/// The conjuncts and the axioms of closures, in a universe that starts with these individuals.
fn ground(problem: &mut Problem, conjuncts: &[Conjunct], arbitrary: Arbitrary, end: Instant) -> Result<Ground, String> {
    let symbols = &problem.compiler.symbols;
    let binary = symbols.binary + problem.compiler.closures.len();
    let sat = Sat::new(problem.conflicts.clone());
    let mut ground = Ground::new([symbols.nullary, symbols.unary, binary], arbitrary.extent, sat, end);
    match arbitrary.extent {
        Extent::Growing => (0..arbitrary.count).for_each(|_| ground.add_individual()),
        Extent::Complete => ground.add_alike(arbitrary.count),
    }
    for (part, slots) in conjuncts {
        ground.assert(part, *slots, &[]);
    }
    let mut closure = 0;
    while closure < problem.compiler.closures.len() {
        let axioms = closure::axioms(&mut problem.compiler, closure, &problem.functionality)?;
        // A step may speak of closures itself.
        while ground.binary.len() < problem.compiler.symbols.binary + problem.compiler.closures.len() {
            ground.add_binary_symbol();
        }
        axioms.iter().for_each(|axiom| ground.assert(axiom, SLOTS_OF_AXIOMS, &[]));
        closure += 1;
    }
    Ok(ground)
}
