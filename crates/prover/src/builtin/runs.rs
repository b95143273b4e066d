//! Long runs: why a smallest model of a question about reachability has no long stretch of elements that are all alike.
//!
//! # The questions
//! One binary predicate `n` is a partial function, and paths are its paths. All formulas are ∃*∀* with nullary and unary predicates,
//! equality, `n`, paths of `n`, and binary predicates that are defined, for each pair, by such a formula without quantifiers
//! (`t[n](v, w) = n*(v, w)`). No universal formula has more than k variables, those that say that `n` is a function or
//! define a predicate left aside.
//!
//! # A smallest model
//! Let M be a finite model with as few elements as possible, and choose elements that the existential quantifiers name.
//! - *Every element lies on a path between named ones* (a named one on the path of no step): the elements that do are a model
//!   with the same named elements. Between two of them lie only such elements, so `n` and its paths, restricted to them, are
//!   a partial function and its paths; and what holds of all tuples holds of these.
//! - *No run of k + 2 elements* e₁ → e₂ → … exists, none of them named or on a cycle, all with the same unary predicates, such
//!   that every named element that reaches eᵢ₊₁ reaches eᵢ. Otherwise take one away, and let its predecessor point to its
//!   successor. No element p outside of the run points to e₂, e₃, …: a named element c that reaches p (or is p) would reach the
//!   element eᵢ too that p's successor follows in the run, hence that successor twice, which is on no cycle. So the elements of the
//!   run are reached from the same elements outside, and reach the same. Any k elements of what is left leave out some
//!   element of the run, which still has k + 1; number the run anew from both ends, so that the one missing is next to the
//!   one left out. Then the same atoms hold of the k elements as held in M of those with the old numbers, where every universal
//!   formula held of them. What is left is a smaller model: a contradiction.
//!
//! So a relaxation may demand both, and still excludes all models if it is unsatisfiable. The clauses are added where an
//! assignment breaks them.

use super::closure::Functionality;
use super::compile::{Atom, BoundVariable, Kind, Part, Sign, and, literal, or};
use super::ground::Ground;
use super::problem::{Conjunct, Problem};
use batsat::Lit;

/// The field of a question of that kind, the relation of its paths, and how long a run is too long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Runs {
    field: usize,
    relation: usize,
    too_long: usize,
}

impl Runs {
    /// For a question of that kind.
    pub fn of(problem: &mut Problem, conjuncts: &[Conjunct]) -> Option<Runs> {
        let [_] = problem.compiler.closures.as_slice() else { return None };
        let step = problem.compiler.step(0, Sign::Positive, (0, 1), 2).ok()?;
        let Kind::Literal(Sign::Positive, Atom::Binary(field, 0, 1)) = step.kind else { return None };
        if !problem.functionality.functions.contains(&field) {
            return None;
        }
        let relation = problem.compiler.symbols.binary;
        let defined = defined_by(conjuncts, &[field, relation]);
        let mut variables = 0;
        for (part, _) in conjuncts {
            if is_known(part, field, &defined) {
                continue;
            }
            if !speaks_only_of(part, &|symbol| symbol == field || symbol == relation || defined.contains(&symbol)) {
                return None;
            }
            variables = variables.max(universals(part)?);
        }
        Some(Runs { field, relation, too_long: variables + 2 })
    }

    /// Adds clauses that the assignment just found breaks; false if there are none.
    pub fn exclude(self, ground: &mut Ground) -> bool {
        let there: Vec<usize> = (0..ground.individuals()).filter(|i| ground.sat.value(ground.active[*i])).collect();
        let clauses: Vec<Clause> =
            self.outside(ground, &there).into_iter().chain(self.long_runs(ground, &there)).collect();
        for clause in &clauses {
            self.add(ground, clause);
        }
        !clauses.is_empty()
    }

    /// Elements on no path between named ones.
    fn outside(self, ground: &Ground, there: &[usize]) -> Vec<Clause> {
        let path = |a: usize, b: usize| ground.sat.value(ground.binary[self.relation][a][b]);
        let named: Vec<usize> = there.iter().copied().filter(|i| is_named(ground, *i)).collect();
        let mut clauses = Vec::new();
        for e in there.iter().copied().filter(|e| !named.contains(e)) {
            if !named.iter().any(|c| path(*c, e)) {
                clauses.push(Clause::Behind(e));
            }
            if !named.iter().any(|c| path(e, *c)) {
                clauses.push(Clause::Before(e));
            }
        }
        clauses
    }

    fn long_runs(self, ground: &Ground, there: &[usize]) -> Vec<Clause> {
        let holds = |symbol: usize, a: usize, b: usize| ground.sat.value(ground.binary[symbol][a][b]);
        let named: Vec<usize> = there.iter().copied().filter(|i| is_named(ground, *i)).collect();
        let inner = |i: &usize| !named.contains(i);
        let alike =
            |a: usize, b: usize| ground.unary.iter().all(|row| ground.sat.value(row[a]) == ground.sat.value(row[b]));
        let joins =
            |e: usize, f: usize| named.iter().any(|c| holds(self.relation, *c, f) && !holds(self.relation, *c, e));
        let mut clauses = Vec::new();
        for start in there.iter().copied().filter(inner) {
            let mut run = vec![start];
            let mut last = start;
            while run.len() < self.too_long {
                let next = there.iter().copied().find(|f| holds(self.field, last, *f));
                let Some(next) = next.filter(|f| inner(f) && !run.contains(f) && alike(last, *f) && !joins(last, *f))
                else {
                    break;
                };
                run.push(next);
                last = next;
            }
            if run.len() == self.too_long && !holds(self.relation, last, last) {
                clauses.push(Clause::Run(run));
            }
        }
        clauses
    }

    fn add(self, ground: &mut Ground, clause: &Clause) {
        // Where a named element is represented by no individual, nothing follows.
        let mut literals = vec![ground.unnamed];
        match clause {
            Clause::Behind(e) | Clause::Before(e) => {
                let before = matches!(clause, Clause::Before(_));
                literals.push(!ground.active[*e]);
                literals.extend(ground.denotes(*e));
                for c in (0..ground.individuals()).filter(|c| c != e) {
                    let (from, to) = if before { (*e, c) } else { (c, *e) };
                    let path = ground.binary[self.relation][from][to];
                    literals.extend(named_and(ground, c, &[path]));
                }
            }
            Clause::Run(run) => {
                // If an element is on a cycle, the last one is.
                literals.extend(run.last().map(|e| ground.binary[self.relation][*e][*e]));
                for e in run {
                    literals.push(!ground.active[*e]);
                    literals.extend(ground.denotes(*e));
                }
                for pair in run.windows(2) {
                    let (e, f) = (pair[0], pair[1]);
                    literals.push(!ground.binary[self.field][e][f]);
                    for symbol in 0..ground.unary.len() {
                        let (a, b) = (ground.unary[symbol][e], ground.unary[symbol][f]);
                        let differ = ground.sat.fresh();
                        ground.sat.add(&[!differ, a, b]);
                        ground.sat.add(&[!differ, !a, !b]);
                        literals.push(differ);
                    }
                    for c in (0..ground.individuals()).filter(|c| *c != e && *c != f) {
                        let (to_f, to_e) = (ground.binary[self.relation][c][f], ground.binary[self.relation][c][e]);
                        literals.extend(named_and(ground, c, &[to_f, !to_e]));
                    }
                }
            }
        }
        ground.sat.add(&literals);
    }
}

/// What an assignment breaks.
enum Clause {
    /// The element is reached from a named one.
    Behind(usize),
    /// It reaches a named one.
    Before(usize),
    /// These elements are no run.
    Run(Vec<usize>),
}

/// Whether an individual that is there is a named element, in the assignment just found.
fn is_named(ground: &Ground, individual: usize) -> bool {
    ground.is_own(individual) || ground.denotes(individual).iter().any(|l| ground.sat.value(*l))
}

/// A literal that implies that an individual is there and named, and these literals; none if it cannot be.
fn named_and(ground: &mut Ground, individual: usize, literals: &[Lit]) -> Option<Lit> {
    let own = ground.is_own(individual);
    let denotes = ground.denotes(individual);
    if !own && denotes.is_empty() || literals.iter().any(|l| ground.sat.fixed(*l) == Some(false)) {
        return None;
    }
    let all = ground.sat.fresh();
    ground.sat.add(&[!all, ground.active[individual]]);
    for literal in literals {
        ground.sat.add(&[!all, *literal]);
    }
    if !own {
        let mut clause = denotes;
        clause.push(!all);
        ground.sat.add(&clause);
    }
    Some(all)
}

/// How many universal variables hold at once, at most; `None` if an existential quantifier stands below one.
fn universals(part: &Part) -> Option<usize> {
    match &part.kind {
        Kind::True | Kind::False | Kind::Literal(..) => Some(0),
        Kind::And(parts) => parts.iter().map(universals).try_fold(0, |most, n| Some(most.max(n?))),
        Kind::Or(parts) => parts.iter().map(universals).try_fold(0, |sum, n| Some(sum + n?)),
        Kind::Forall(_, body) if body.has_exists => None,
        Kind::Forall(slots, body) => Some(slots.len() + universals(body)?),
        Kind::Exists(_, body) => universals(body),
    }
}

fn speaks_only_of(part: &Part, allowed: &dyn Fn(usize) -> bool) -> bool {
    match &part.kind {
        Kind::Literal(_, Atom::Binary(symbol, ..)) => allowed(*symbol),
        Kind::True | Kind::False | Kind::Literal(..) => true,
        Kind::And(parts) | Kind::Or(parts) => parts.iter().all(|p| speaks_only_of(p, allowed)),
        Kind::Forall(_, body) | Kind::Exists(_, body) => speaks_only_of(body, allowed),
    }
}

/// Whether a conjunct says that the field is a function, or is a half of a definition.
fn is_known(conjunct: &Part, field: usize, defined: &[usize]) -> bool {
    let mut learnt = Functionality::default();
    learnt.learn(conjunct);
    learnt.functions.contains(&field) && learnt.injections.is_empty()
        || half_definitions(conjunct).iter().any(|half| defined.contains(&half.symbol))
}

/// One direction of a definition: where the symbol has that sign on the slots 0 and 1, this holds of them.
struct Half {
    symbol: usize,
    sign: Sign,
    meaning: Part,
}

/// The binary symbols that conjuncts define for each pair, by formulas without quantifiers over unary symbols and `basic` ones.
fn defined_by(conjuncts: &[Conjunct], basic: &[usize]) -> Vec<usize> {
    let halves: Vec<Half> = conjuncts.iter().flat_map(|(part, _)| half_definitions(part)).collect();
    let mut defined = Vec::new();
    for half in halves.iter().filter(|h| h.sign == Sign::Positive && !basic.contains(&h.symbol)) {
        let converse = negation(&half.meaning);
        let both = halves.iter().any(|h| {
            h.symbol == half.symbol
                && h.sign == Sign::Negative
                && converse.as_ref().is_some_and(|c| same(c, &h.meaning))
        });
        if both && speaks_only_of(&half.meaning, &|symbol| basic.contains(&symbol)) && !defined.contains(&half.symbol) {
            defined.push(half.symbol);
        }
    }
    defined
}

/// The ways to read `A(a, b) ±p(a, b) | …` as the half of a definition.
fn half_definitions(conjunct: &Part) -> Vec<Half> {
    let Kind::Forall(slots, body) = &conjunct.kind else { return Vec::new() };
    let ([_, _], Kind::Or(parts)) = (slots.as_slice(), &body.kind) else { return Vec::new() };
    let mut halves = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        let Kind::Literal(sign, Atom::Binary(symbol, a, b)) = part.kind else { continue };
        if a == b {
            continue;
        }
        let others = parts.iter().enumerate().filter(|(j, _)| *j != i);
        let meaning: Option<Vec<Part>> = others.map(|(_, p)| renumbered(p, a, b)).collect();
        if let Some(meaning) = meaning {
            // `!p | D`: where p holds, D does; `p | D`: where it does not.
            let sign = if sign == Sign::Negative { Sign::Positive } else { Sign::Negative };
            halves.push(Half { symbol, sign, meaning: or(meaning) });
        }
    }
    halves
}

/// The formula with the slots `a` and `b` called 0 and 1; `None` if it has others, or quantifiers.
fn renumbered(part: &Part, a: BoundVariable, b: BoundVariable) -> Option<Part> {
    let at = |slot: BoundVariable| [a, b].iter().position(|s| *s == slot).map(|i| i as BoundVariable);
    Some(match &part.kind {
        Kind::True | Kind::False => part.clone(),
        Kind::Literal(sign, atom) => literal(
            *sign,
            match *atom {
                Atom::Nullary(p) => Atom::Nullary(p),
                Atom::Unary(p, x) => Atom::Unary(p, at(x)?),
                Atom::Binary(p, x, y) => Atom::Binary(p, at(x)?, at(y)?),
                Atom::Equal(x, y) => Atom::Equal(at(x)?, at(y)?),
            },
        ),
        Kind::And(parts) => and(parts.iter().map(|p| renumbered(p, a, b)).collect::<Option<Vec<Part>>>()?),
        Kind::Or(parts) => or(parts.iter().map(|p| renumbered(p, a, b)).collect::<Option<Vec<Part>>>()?),
        Kind::Forall(..) | Kind::Exists(..) => return None,
    })
}

/// The negation of a formula without quantifiers.
fn negation(part: &Part) -> Option<Part> {
    Some(match &part.kind {
        Kind::True => or(Vec::new()),
        Kind::False => and(Vec::new()),
        Kind::Literal(Sign::Positive, atom) => literal(Sign::Negative, *atom),
        Kind::Literal(Sign::Negative, atom) => literal(Sign::Positive, *atom),
        Kind::And(parts) => or(parts.iter().map(negation).collect::<Option<Vec<Part>>>()?),
        Kind::Or(parts) => and(parts.iter().map(negation).collect::<Option<Vec<Part>>>()?),
        Kind::Forall(..) | Kind::Exists(..) => return None,
    })
}

/// Whether two formulas without quantifiers are the same up to the order of their parts.
fn same(a: &Part, b: &Part) -> bool {
    let covered = |x: &[Part], y: &[Part]| x.iter().all(|p| y.iter().any(|q| same(p, q)));
    match (&a.kind, &b.kind) {
        (Kind::And(x), Kind::And(y)) | (Kind::Or(x), Kind::Or(y)) => covered(x, y) && covered(y, x),
        (Kind::Literal(s, Atom::Equal(p, q)), Kind::Literal(t, Atom::Equal(u, v))) => {
            s == t && ((p, q) == (u, v) || (p, q) == (v, u))
        }
        (x, y) => x == y,
    }
}
