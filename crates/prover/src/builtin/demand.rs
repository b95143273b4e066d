//! Demands: `A(v) L(v) | E(w…) …`, existential quantifiers below one universal one. Where few elements have no L, each gets a
//! name, and with it the demand is an ∃*∀* formula: for two such elements at most,
//! `(A(v) L(v)) | E(c, d) (A(v) L(v) | v == c | v == d) & (L(c) | E(w…) …) & (L(d) | E(w…) …)`.
//! A finite model satisfies it if and only if it satisfies the demand: c and d denote the elements without L, and any element
//! where there are fewer.

use super::compile::{Atom, BoundVariable, Kind, Part, Sign, and, exists, forall, literal, or};
use super::problem::Conjunct;

/// A demand that a conjunct makes.
pub struct Demand {
    /// The number of the conjunct.
    pub conjunct: usize,
    /// The unary literals with which it is met.
    pub met_by: Vec<(Sign, usize)>,
    slot: BoundVariable,
    /// The cases without existential quantifiers, and all of them.
    simple: Vec<Part>,
    all: Part,
}

/// The demands among the conjuncts.
pub fn demands(conjuncts: &[Conjunct]) -> Vec<Demand> {
    let numbered = conjuncts.iter().enumerate();
    numbered.filter_map(|(conjunct, (part, _))| Demand::of(conjunct, part)).collect()
}

impl Demand {
    fn of(conjunct: usize, part: &Part) -> Option<Demand> {
        let Kind::Forall(slots, all) = &part.kind else { return None };
        let ([slot], Kind::Or(cases), true) = (slots.as_slice(), &all.kind, all.has_exists) else { return None };
        let met_by = cases.iter().filter_map(|case| match case.kind {
            Kind::Literal(sign, Atom::Unary(symbol, s)) if s == *slot => Some((sign, symbol)),
            _ => None,
        });
        let simple = cases.iter().filter(|case| !case.has_exists).cloned().collect();
        Some(Demand { conjunct, met_by: met_by.collect(), slot: *slot, simple, all: all.clone() })
    }

    /// The demand as an ∃*∀* formula, where at most so many elements meet it by no unary literal; `None` if it has too many slots.
    pub fn named(&self, elements: usize, slots: usize) -> Option<Conjunct> {
        let met = || or(self.simple.clone());
        let names: Vec<BoundVariable> =
            (slots..slots + elements).map(BoundVariable::try_from).collect::<Result<_, _>>().ok()?;
        if slots + elements > MOST_SLOTS {
            return None;
        }
        let nowhere = forall(&[self.slot], met());
        if names.is_empty() {
            return Some((nowhere, slots));
        }
        let mut cases = self.simple.clone();
        cases.extend(names.iter().map(|name| literal(Sign::Positive, Atom::Equal(self.slot, *name))));
        let mut parts = vec![forall(&[self.slot], or(cases))];
        parts.extend(names.iter().map(|name| renamed(&self.all, self.slot, *name)));
        Some((or(vec![nowhere, exists(&names, and(parts))]), slots + elements))
    }
}

/// Sets of slots are machine words.
const MOST_SLOTS: usize = 64;

/// The formula with one free slot called another; bound slots are different from both.
fn renamed(part: &Part, from: BoundVariable, to: BoundVariable) -> Part {
    let at = |slot: BoundVariable| if slot == from { to } else { slot };
    let all = |parts: &[Part]| parts.iter().map(|p| renamed(p, from, to)).collect::<Vec<Part>>();
    match &part.kind {
        Kind::True | Kind::False => part.clone(),
        Kind::Literal(sign, atom) => literal(
            *sign,
            match *atom {
                Atom::Nullary(p) => Atom::Nullary(p),
                Atom::Unary(p, a) => Atom::Unary(p, at(a)),
                Atom::Binary(p, a, b) => Atom::Binary(p, at(a), at(b)),
                Atom::Equal(a, b) => Atom::Equal(at(a), at(b)),
            },
        ),
        Kind::And(parts) => and(all(parts)),
        Kind::Or(parts) => or(all(parts)),
        Kind::Forall(slots, body) => forall(slots, renamed(body, from, to)),
        Kind::Exists(slots, body) => exists(slots, renamed(body, from, to)),
    }
}
