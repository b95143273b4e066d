//! Facts about all finite models that no finite part of them shows: how many elements of a kind there are, and which kinds a
//! path can lead to.
//!
//! # Kinds
//! The *kind* of an element is the set of unary predicates that hold of it. Everything here is learnt from a relaxation
//! of the theory (see [`ground`](super::ground)) about one, two or three arbitrary elements, those that the theory names,
//! and witnesses of the first one's existential demands: what is unsatisfiable there is impossible in every model.
//!
//! # Counting
//! Let N(t) be the number of elements of kind t and E(t,u) the number of f-edges from elements of kind t to those of
//! kind u. In a finite model all are natural numbers with: ΣE(t,·) ≤ N(t) where an element of kind t has one f-edge at most, ΣE(t,·) ≥
//! N(t) where it has one at least; ΣE(·,u) ≤ N(u), ≥ N(u), ≥ 2N(u) likewise for edges that arrive; E(t,u) = 0 where such an edge is
//! impossible; N(t) ≤ 1 where two elements of the kind are. The maximum of N(t) over the rationals bounds N(t). A
//! shared summary node that only its own elements point to has 2N ≤ E ≤ N, hence N = 0, although infinite models exist.
//!
//! The maximum of ΣN(·) bounds the universe: if it is small, a search through that many individuals settles the question, whatever
//! its quantifiers are.
//!
//! Where f has no cycles, and no element of the kinds T has two f-edges that leave it (or none has two that arrive), fewer edges lead from T
//! to T than there are elements in T, if there is one: an element after which no other of T follows has none (before which none comes).
//! Let δ be 1 if there is an element of kind t and 0 otherwise, and T contain t: then ΣE(T,T) ≤ ΣN(T) − δ, δ ≤ N(t), δ ≤ 1. If the maximum of δ over
//! the rationals is below 1, there is no element of kind t. So a summary node whose elements each have an edge to another one is empty.
//!
//! # Paths
//! A path from an element of kind t to one of kind u passes through kinds of which each can have an edge to the next. Where no
//! such sequence exists, there is no path, however long; where each passes through a kind of which there is one element at
//! most, the path passes through that element. Where the first step of a path can only lead to such kinds, it leads to one of those
//! elements; the last one likewise.

use super::compile::{Atom, Kind, Part, Sign, and, forall, literal, or};
use super::ground::Ground;
use super::sat::{Outcome, Patience};
use super::simplex::{Maximum, Row, maximize};
use batsat::Lit;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// More kinds than this are not looked at.
const MOST_KINDS: usize = 24;

/// The largest bound on the number of elements of a kind that is worth a clause for each tuple of elements.
const LARGEST_BOUND: i128 = 2;

/// The largest bound on the number of elements with a demand that is worth a name for each.
const LARGEST_DEMAND: i128 = 3;

/// The largest bound on the number of all elements that is worth an individual for each.
const LARGEST_UNIVERSE: i128 = 10;

/// A kind of elements: for each unary predicate, and for each name that is told apart, whether it holds.
type Elements = Vec<Sign>;

/// Which elements are of different kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Distinction {
    /// Those that differ in a unary predicate.
    Predicates,
    /// Also the values of names from the others: an element that nothing points to may differ in no predicate.
    PredicatesAndNames,
}

/// The steps of a closure and the relation of its paths.
pub struct Steps {
    /// The step between the slots 0 and 1.
    pub step: Part,
    /// The step between the slots 0 and 2.
    pub first: Part,
    /// The step between the slots 2 and 1.
    pub last: Part,
    /// The binary symbol of the paths.
    pub relation: usize,
}

/// A relaxation about the elements 0, 1 and 2, to be asked.
pub struct Oracle<'a> {
    pub ground: Ground,
    /// Binary predicates of the signature.
    pub fields: usize,
    pub closures: Vec<Steps>,
    /// Demands on elements: the unary literals with which each is met.
    pub demands: Vec<Vec<(Sign, usize)>>,
    pub distinction: Distinction,
    pub end: Instant,
    pub cancel: Option<&'a Arc<AtomicBool>>,
}

/// What holds in every finite model.
#[derive(Default)]
pub struct Counted {
    /// Formulas.
    pub facts: Vec<Part>,
    /// So many elements there are at most, if that is known and not many.
    pub elements: Option<usize>,
    /// For each demand, so many elements do not meet it by a unary literal at most, if that is known and not many.
    pub demanding: Vec<Option<usize>>,
}

fn smaller(known: &mut Option<usize>, found: Maximum, largest: i128) {
    if let Maximum::AtMost(bound) = found
        && bound <= largest
        && let Ok(bound) = usize::try_from(bound)
    {
        *known = Some(known.map_or(bound, |known| known.min(bound)));
    }
}

/// The search was stopped, or there are too many kinds: nothing is known.
pub struct NotKnown;

impl Oracle<'_> {
    /// What holds in every finite model.
    pub fn count(mut self) -> Result<Counted, NotKnown> {
        let marks = self.marks();
        let kinds = self.kinds(&marks)?;
        let groups = self.groups(&kinds);
        let kinds = Kinds { marks, kinds, groups, predicates: self.ground.unary.len() };
        let single = (0..kinds.kinds.len()).map(|k| self.single(&kinds, k)).collect::<Result<Vec<bool>, NotKnown>>()?;
        let mut counted = Counted { demanding: vec![None; self.demands.len()], ..Counted::default() };
        for field in 0..self.fields {
            self.bound_by_edges(field, &kinds, &single, &mut counted)?;
        }
        for closure in 0..self.closures.len() {
            self.forbid_paths(closure, &kinds, &single, &mut counted.facts)?;
        }
        Ok(counted)
    }

    /// Whether this may be; what is hard to exclude may be.
    fn possible(&mut self, assumptions: &[Lit]) -> Result<bool, NotKnown> {
        match self.ground.sat.solve(assumptions, Patience::Brief, self.end, self.cancel) {
            Outcome::Satisfiable => Ok(true),
            Outcome::Unsatisfiable => Ok(false),
            Outcome::Stopped if Instant::now() < self.end => Ok(true),
            Outcome::Stopped => Err(NotKnown),
        }
    }

    /// The literals that tell the individuals 0 and 1 apart by kind.
    fn marks(&mut self) -> Vec<[Lit; 2]> {
        let mut marks: Vec<[Lit; 2]> = self.ground.unary.iter().map(|row| [row[0], row[1]]).collect();
        if self.distinction == Distinction::PredicatesAndNames {
            marks.extend(self.ground.denotations());
        }
        marks
    }

    /// The kinds that agree on all predicates, together.
    fn groups(&self, kinds: &[Elements]) -> Vec<Vec<usize>> {
        let predicates = self.ground.unary.len();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (t, kind) in kinds.iter().enumerate() {
            match groups.iter_mut().find(|group| kinds[group[0]][..predicates] == kind[..predicates]) {
                Some(group) => group.push(t),
                None => groups.push(vec![t]),
            }
        }
        groups
    }

    fn kinds(&mut self, marks: &[[Lit; 2]]) -> Result<Vec<Elements>, NotKnown> {
        let mut kinds = Vec::new();
        let asking = self.ground.sat.fresh();
        let there = self.ground.active[0];
        while self.possible(&[asking, there])? {
            if kinds.len() == MOST_KINDS {
                return Err(NotKnown);
            }
            let sign = |mark: &[Lit; 2]| if self.ground.sat.value(mark[0]) { Sign::Positive } else { Sign::Negative };
            let kind: Elements = marks.iter().map(sign).collect();
            let mut block: Vec<Lit> = self.is_of(marks, &kind, 0).into_iter().map(|l| !l).collect();
            block.push(!asking);
            self.ground.sat.add(&block);
            kinds.push(kind);
        }
        Ok(kinds)
    }

    /// Literals: the individual (0 or 1) is there and of that kind.
    fn is_of(&self, marks: &[[Lit; 2]], kind: &Elements, individual: usize) -> Vec<Lit> {
        let signed = |(mark, sign): (&[Lit; 2], &Sign)| match sign {
            Sign::Positive => mark[individual],
            Sign::Negative => !mark[individual],
        };
        let mut literals: Vec<Lit> = marks.iter().zip(kind).map(signed).collect();
        literals.push(self.ground.active[individual]);
        literals
    }

    /// Whether there is one element of the kind at most.
    fn single(&mut self, kinds: &Kinds, t: usize) -> Result<bool, NotKnown> {
        let two = [kinds.is_of(self, t, 0), kinds.is_of(self, t, 1)].concat();
        Ok(!self.possible(&two)?)
    }

    fn bound_by_edges(
        &mut self,
        field: usize,
        kinds: &Kinds,
        single: &[bool],
        counted: &mut Counted,
    ) -> Result<(), NotKnown> {
        let Counted { facts, elements, demanding } = counted;
        let Edges { mut rows, possible, one_leaves, one_arrives } = self.edges(field, kinds, single)?;
        let n = kinds.kinds.len();
        if self.is_acyclic(field)? {
            let forest = Forest { rows: &rows, possible: &possible, one_leaves, one_arrives };
            let groups = kinds.groups.iter().filter(|group| forest.is_empty(group));
            facts.extend(groups.map(|group| at_most(0, kinds.predicates_of(group))));
            if (kinds.predicates..kinds.marks.len()).any(|name| forest.is_empty(&kinds.named(name))) {
                facts.push(or(Vec::new()));
            }
        }
        // One more unknown: the number of elements of several kinds together.
        let (unknowns, together) = (n * (n + 1) + 1, n * (n + 1));
        let mut most = |kinds: &[usize]| {
            let mut terms: Vec<(usize, i128)> = kinds.iter().map(|t| (*t, -1)).collect();
            terms.push((together, 1));
            rows.push(Row { terms, bound: 0 });
            let most = maximize(unknowns, &rows, together);
            rows.pop();
            most
        };
        for group in &kinds.groups {
            let known = matches!(group.as_slice(), [only] if single[*only]);
            match most(group) {
                Maximum::AtMost(bound) if bound <= LARGEST_BOUND && !(known && bound == 1) => {
                    facts.push(at_most(bound, kinds.predicates_of(group)));
                }
                Maximum::AtMost(_) | Maximum::Unbounded | Maximum::GivenUp => {}
            }
        }
        smaller(elements, most(&(0..n).collect::<Vec<usize>>()), LARGEST_UNIVERSE);
        for (demand, bound) in self.demands.iter().zip(demanding) {
            let is_open = |t: &usize| demand.iter().all(|(sign, symbol)| kinds.kinds[*t][*symbol] != *sign);
            smaller(bound, most(&(0..n).filter(is_open).collect::<Vec<usize>>()), LARGEST_DEMAND);
        }
        for name in kinds.predicates..kinds.marks.len() {
            if matches!(most(&kinds.named(name)), Maximum::AtMost(0)) {
                facts.push(or(Vec::new()));
            }
        }
        Ok(())
    }

    /// Whether a path along the field never leads back.
    fn is_acyclic(&mut self, field: usize) -> Result<bool, NotKnown> {
        let of_field = |steps: &&Steps| matches!(steps.step.kind, Kind::Literal(Sign::Positive, Atom::Binary(f, 0, 1)) if f == field);
        let Some(relation) = self.closures.iter().find(of_field).map(|steps| steps.relation) else { return Ok(false) };
        let around = [self.ground.active[0], self.ground.binary[relation][0][0]];
        Ok(!self.possible(&around)?)
    }

    /// The unknowns: N(t) is `t`, E(t,u) is `kinds + t · kinds + u`.
    fn edges(&mut self, field: usize, kinds: &Kinds, single: &[bool]) -> Result<Edges, NotKnown> {
        let n = kinds.kinds.len();
        let (mut possible_edges, mut one_leaves, mut one_arrives) = (vec![0u64; n], 0u64, 0u64);
        let edge = |t: usize, u: usize| n + t * n + u;
        let mut rows = Vec::new();
        let one_at_most = self.selector_for_one_arrival(field);
        let count = self.ground.individuals();
        let cell = |ground: &Ground, a: usize, b: usize| ground.binary[field][a][b];
        for (t, alone) in single.iter().enumerate() {
            if *alone {
                rows.push(Row { terms: vec![(t, 1)], bound: 1 });
            }
            let this = kinds.is_of(self, t, 0);
            let others = [self.ground.active[1], self.ground.active[2]];
            let with = |more: &[Lit]| [this.as_slice(), more].concat();
            let g = &self.ground;
            let (loop_0, to_1, to_2, from_1, from_2) =
                (cell(g, 0, 0), cell(g, 0, 1), cell(g, 0, 2), cell(g, 1, 0), cell(g, 2, 0));
            let none_leaves: Vec<Lit> = (0..count).map(|j| !cell(g, 0, j)).collect();
            let none_arrives: Vec<Lit> = (0..count).map(|j| !cell(g, j, 0)).collect();
            let leaving = |sign: i128, more: &[(usize, i128)]| {
                let mut terms: Vec<(usize, i128)> = (0..n).map(|u| (edge(t, u), sign)).collect();
                terms.extend_from_slice(more);
                Row { terms, bound: 0 }
            };
            let arriving = |sign: i128, more: &[(usize, i128)]| {
                let mut terms: Vec<(usize, i128)> = (0..n).map(|u| (edge(u, t), sign)).collect();
                terms.extend_from_slice(more);
                Row { terms, bound: 0 }
            };
            let two_leave = self.possible(&[with(&others), vec![to_1, to_2]].concat())?
                || self.possible(&[with(&others[..1]), vec![loop_0, to_1]].concat())?;
            if !two_leave {
                one_leaves |= 1 << t;
                rows.push(leaving(1, &[(t, -1)]));
            }
            let two_arrive = self.possible(&[with(&others), vec![from_1, from_2]].concat())?
                || self.possible(&[with(&others[..1]), vec![loop_0, from_1]].concat())?;
            if !two_arrive {
                one_arrives |= 1 << t;
                rows.push(arriving(1, &[(t, -1)]));
            }
            if !self.possible(&with(&none_leaves))? {
                rows.push(leaving(-1, &[(t, 1)]));
            }
            if !self.possible(&with(&[one_at_most]))? {
                rows.push(arriving(-1, &[(t, 2)]));
            } else if !self.possible(&with(&none_arrives))? {
                rows.push(arriving(-1, &[(t, 1)]));
            }
            for u in 0..n {
                let that = kinds.is_of(self, u, 1);
                let apart = self.possible(&[this.as_slice(), &that, &[to_1]].concat())?;
                let possible = apart || t == u && self.possible(&with(&[loop_0]))?;
                if possible {
                    possible_edges[t] |= 1 << u;
                } else {
                    rows.push(Row { terms: vec![(edge(t, u), 1)], bound: 0 });
                }
            }
        }
        Ok(Edges { rows, possible: possible_edges, one_leaves, one_arrives })
    }

    /// A literal that, assumed, leaves the element 0 one arriving edge at most.
    fn selector_for_one_arrival(&mut self, field: usize) -> Lit {
        let selector = self.ground.sat.fresh();
        for a in 0..self.ground.individuals() {
            for b in 0..a {
                let (first, second) = (self.ground.binary[field][a][0], self.ground.binary[field][b][0]);
                self.ground.sat.add(&[!selector, !first, !second]);
            }
        }
        selector
    }

    fn forbid_paths(
        &mut self,
        closure: usize,
        kinds: &Kinds,
        single: &[bool],
        facts: &mut Vec<Part>,
    ) -> Result<(), NotKnown> {
        let n = kinds.kinds.len();
        let step = self.closures[closure].step.clone();
        let relation = self.closures[closure].relation;
        let (apart, alone) = (self.ground.sat.fresh(), self.ground.sat.fresh());
        self.ground.assert_about(&step, SLOTS, &[0, 1], &[!apart]);
        self.ground.assert_about(&step, SLOTS, &[0, 0], &[!alone]);
        let mut edges = vec![0u64; n];
        for (t, row) in edges.iter_mut().enumerate() {
            for u in 0..n {
                let (this, that) = (kinds.is_of(self, t, 0), kinds.is_of(self, u, 1));
                let possible = self.possible(&[this.as_slice(), &that, &[apart]].concat())?
                    || t == u && self.possible(&[this.as_slice(), &[alone]].concat())?;
                *row |= u64::from(possible) << u;
            }
        }
        self.direct_ends(closure, kinds, single, &edges, facts);
        let mut reach = edges.clone();
        super::closure::transitive_closure(&mut reach);
        let path = |sign, a, b| literal(sign, Atom::Binary(relation, a, b));
        let reaches =
            |rows: &[u64], from: &[usize], to: &[usize]| from.iter().any(|t| to.iter().any(|u| rows[*t] >> u & 1 != 0));
        for from in &kinds.groups {
            for to in &kinds.groups {
                let (source, target) = (kinds.predicates_of(from), kinds.predicates_of(to));
                let not_these = or(vec![not_of(source, 0), not_of(target, 1), path(Sign::Negative, 0, 1)]);
                if !reaches(&reach, from, to) {
                    facts.push(forall(&[0, 1], not_these));
                    continue;
                }
                for middle in kinds.groups.iter().filter(|group| *group != from && *group != to) {
                    let [d] = middle.as_slice() else { continue };
                    let mut without = edges.clone();
                    without[*d] = 0;
                    super::closure::transitive_closure(&mut without);
                    if single[*d] && !reaches(&without, from, to) {
                        let through = and(vec![path(Sign::Positive, 0, 2), path(Sign::Positive, 2, 1)]);
                        let cases = vec![not_these.clone(), not_of(kinds.predicates_of(middle), 2), through];
                        facts.push(forall(&[0, 1, 2], or(cases)));
                    }
                }
            }
        }
        Ok(())
    }
}

impl Oracle<'_> {
    /// First and last steps of paths, where they can only lead to, or come from, kinds of one element.
    fn direct_ends(&self, closure: usize, kinds: &Kinds, single: &[bool], edges: &[u64], facts: &mut Vec<Part>) {
        let Steps { first, last, relation, .. } = &self.closures[closure];
        let no_path = literal(Sign::Negative, Atom::Binary(*relation, 0, 1));
        let alone = |t: &usize| single[*t] && kinds.groups.iter().any(|group| group.as_slice() == [*t]);
        let all = |group: &[usize], other: &dyn Fn(usize, usize) -> bool| -> Option<Vec<usize>> {
            let others: Vec<usize> = (0..edges.len()).filter(|u| group.iter().any(|t| other(*t, *u))).collect();
            others.iter().all(alone).then_some(others)
        };
        let mut add = |group: &[usize], others: Vec<usize>, step: &Part, (this, that): (u8, u8)| {
            let mut cases = vec![not_of(kinds.predicates_of(group), this), forall(&[that], no_path.clone())];
            for u in others {
                cases.push(forall(&[2], or(vec![not_of(kinds.predicates_of(&[u]), 2), step.clone()])));
            }
            facts.push(forall(&[this], or(cases)));
        };
        for group in &kinds.groups {
            if let Some(next) = all(group, &|t, u| edges[t] >> u & 1 != 0) {
                add(group, next, first, (0, 1));
            }
            if let Some(previous) = all(group, &|t, u| edges[u] >> t & 1 != 0) {
                add(group, previous, last, (1, 0));
            }
        }
    }
}

/// What is known of the edges of a field. Sets of kinds are machine words.
struct Edges {
    rows: Vec<Row>,
    /// To which kinds each kind can have an edge.
    possible: Vec<u64>,
    /// The kinds whose elements have one edge at most, and those with one that arrives at most.
    one_leaves: u64,
    one_arrives: u64,
}

/// The edges of a field without cycles.
struct Forest<'a> {
    rows: &'a [Row],
    possible: &'a [u64],
    one_leaves: u64,
    one_arrives: u64,
}

impl Forest<'_> {
    /// Whether there is no element of any of these kinds.
    fn is_empty(&self, kinds: &[usize]) -> bool {
        let n = self.possible.len();
        let start = kinds.iter().fold(0, |set, t| set | 1u64 << t);
        let everything = if n == 64 { u64::MAX } else { (1 << n) - 1 };
        let mut reach = self.possible.to_vec();
        super::closure::transitive_closure(&mut reach);
        let after = kinds.iter().fold(start, |set, t| set | reach[*t]);
        let before = (0..n).filter(|t| reach[*t] & start != 0).fold(start, |set, t| set | 1 << t);
        let delta = n * (n + 1);
        let mut rows = self.rows.to_vec();
        rows.push(Row { terms: vec![(delta, 1)], bound: 1 });
        let mut some: Vec<(usize, i128)> = kinds.iter().map(|t| (*t, -1)).collect();
        some.push((delta, 1));
        rows.push(Row { terms: some, bound: 0 });
        for set in [everything, after, before, after & before] {
            if set & !self.one_leaves != 0 && set & !self.one_arrives != 0 {
                continue;
            }
            let members: Vec<usize> = (0..n).filter(|t| set >> t & 1 != 0).collect();
            let mut terms: Vec<(usize, i128)> = vec![(delta, 1)];
            for t in &members {
                terms.push((*t, -1));
                terms.extend(members.iter().map(|u| (n + t * n + u, 1)));
            }
            rows.push(Row { terms, bound: 0 });
        }
        matches!(maximize(delta + 1, &rows, delta), Maximum::AtMost(0))
    }
}

/// The kinds that may exist.
struct Kinds {
    /// What tells elements apart: literals about the individuals 0 and 1.
    marks: Vec<[Lit; 2]>,
    kinds: Vec<Elements>,
    /// Kinds that agree on the predicates.
    groups: Vec<Vec<usize>>,
    /// How many of the marks are predicates; the others are names.
    predicates: usize,
}

impl Kinds {
    fn is_of(&self, oracle: &Oracle<'_>, kind: usize, individual: usize) -> Vec<Lit> {
        oracle.is_of(&self.marks, &self.kinds[kind], individual)
    }

    /// The kinds of what a name denotes.
    fn named(&self, name: usize) -> Vec<usize> {
        (0..self.kinds.len()).filter(|t| self.kinds[*t][name] == Sign::Positive).collect()
    }

    fn predicates_of(&self, group: &[usize]) -> &[Sign] {
        &self.kinds[group[0]][..self.predicates]
    }
}

/// Slots enough for a step.
const SLOTS: usize = 64;

/// The element in the slot is not of that kind.
fn not_of(kind: &[Sign], slot: u8) -> Part {
    let flipped = |sign: &Sign| if *sign == Sign::Positive { Sign::Negative } else { Sign::Positive };
    or(kind.iter().enumerate().map(|(symbol, sign)| literal(flipped(sign), Atom::Unary(symbol, slot))).collect())
}

/// There are at most so many elements of that kind.
fn at_most(bound: i128, kind: &[Sign]) -> Part {
    let slots: Vec<u8> = (0..=u8::try_from(bound).unwrap_or(0)).collect();
    let mut cases: Vec<Part> = slots.iter().map(|slot| not_of(kind, *slot)).collect();
    for a in &slots {
        cases.extend((0..*a).map(|b| literal(Sign::Positive, Atom::Equal(*a, b))));
    }
    forall(&slots, or(cases))
}
