//! Transitive closure: each closure `TC(a, b) step` is a binary relation with universal axioms that hold of the true
//! closure, even when it is restricted to some of the elements.
//!
//! The axioms: the relation contains the steps and is transitive; where the step is a partial function, what is
//! reached lies on one line (two elements reached from a third reach one another, one way or the other), and beyond the next element
//! everything reached is reached from it; the same backwards where it is injective. A path has a first step (and
//! a last one): that is an existential demand, met by an individual or by an element that is not represented. Of a partial function
//! only the first is demanded, once for each element: the walk along first steps ends or repeats itself.
//!
//! A finite assignment may still hold too much: on a cycle, pairs can vouch for one another. So the relation is compared
//! with the true closure, and each pair that is wrong adds a clause that is true of every structure: a path that
//! leaves a set of individuals has a step that leaves it, or passes through an element that is not represented. That
//! makes *satisfiable* exact. *Unsatisfiable* needs the axioms to suffice.

use super::compile::{Atom, BoundVariable, Compiler, Kind, Part, Sign, and, exists, forall, literal, or};

/// Binary symbols known to be partial functions, or their inverses to be.
#[derive(Clone, Default, Debug)]
pub struct Functionality {
    pub functions: Vec<usize>,
    pub injections: Vec<usize>,
}

impl Functionality {
    /// Notes what a conjunct of the theory says: `A(a, b, c) p(a, b) & p(a, c) -> b == c`, or the inverse.
    pub fn learn(&mut self, conjunct: &Part) {
        let Kind::Forall(_, body) = &conjunct.kind else { return };
        let Kind::Or(parts) = &body.kind else { return };
        let mut edges = Vec::new();
        let mut equal = None;
        for part in parts {
            match part.kind {
                Kind::Literal(Sign::Negative, Atom::Binary(symbol, a, b)) => edges.push((symbol, a, b)),
                Kind::Literal(Sign::Positive, Atom::Equal(a, b)) if equal.is_none() => equal = Some((a, b)),
                _ => return,
            }
        }
        let (&[(p, a, b), (q, c, d)], Some((e, f))) = (edges.as_slice(), equal) else { return };
        let same = |x: (BoundVariable, BoundVariable), y: (BoundVariable, BoundVariable)| x == y || x == (y.1, y.0);
        if p == q && a == c && same((b, d), (e, f)) && a != b && a != d {
            self.functions.push(p);
        }
        if p == q && b == d && same((a, c), (e, f)) && b != a && b != c {
            self.injections.push(p);
        }
    }
}

/// The axioms of a closure, and how many slots they use at most.
pub fn axioms(compiler: &mut Compiler, closure: usize, known: &Functionality) -> Result<Vec<Part>, String> {
    let relation = compiler.symbols.binary + closure;
    let path = |sign, a, b| literal(sign, Atom::Binary(relation, a, b));
    let same = |a, b| literal(Sign::Positive, Atom::Equal(a, b));
    let (yes, no) = (Sign::Positive, Sign::Negative);
    let step = |compiler: &mut Compiler, sign, a, b| compiler.step(closure, sign, (a, b), FIRST_OWN);

    let no_step = step(compiler, no, 0, 1)?;
    let symbol = match no_step.kind {
        Kind::Literal(_, Atom::Binary(symbol, 0, 1)) => Some(symbol),
        _ => None,
    };
    let function = symbol.is_some_and(|s| known.functions.contains(&s));
    let injection = symbol.is_some_and(|s| known.injections.contains(&s));
    let mut axioms = vec![
        forall(&[0, 1], or(vec![no_step.clone(), path(yes, 0, 1)])),
        forall(&[0, 1, 2], or(vec![path(no, 0, 1), path(no, 1, 2), path(yes, 0, 2)])),
    ];
    if function {
        axioms.push(forall(&[0, 1, 2], or(vec![no_step.clone(), path(no, 0, 2), same(1, 2), path(yes, 1, 2)])));
        let line = vec![path(no, 0, 1), path(no, 0, 2), same(1, 2), path(yes, 1, 2), path(yes, 2, 1)];
        axioms.push(forall(&[0, 1, 2], or(line)));
        let next = exists(&[1], step(compiler, yes, 0, 1)?);
        axioms.push(forall(&[0], or(vec![forall(&[1], path(no, 0, 1)), next])));
    }
    if injection {
        axioms.push(forall(&[0, 1, 2], or(vec![no_step, path(no, 2, 1), same(0, 2), path(yes, 2, 0)])));
        let line = vec![path(no, 1, 0), path(no, 2, 0), same(1, 2), path(yes, 1, 2), path(yes, 2, 1)];
        axioms.push(forall(&[0, 1, 2], or(line)));
        let previous = exists(&[1], step(compiler, yes, 1, 0)?);
        axioms.push(forall(&[0], or(vec![forall(&[1], path(no, 1, 0)), previous])));
    }
    if !function {
        let first = exists(&[2], and(vec![step(compiler, yes, 0, 2)?, path(yes, 2, 1)]));
        let direct = step(compiler, yes, 0, 1)?;
        axioms.push(forall(&[0, 1], or(vec![path(no, 0, 1), direct, first])));
    }
    if !injection && !function {
        let last = exists(&[2], and(vec![path(yes, 0, 2), step(compiler, yes, 2, 1)?]));
        let direct = step(compiler, yes, 0, 1)?;
        axioms.push(forall(&[0, 1], or(vec![path(no, 0, 1), direct, last])));
    }
    Ok(axioms)
}

/// The axioms use the slots below this one, the steps in them the others.
pub const FIRST_OWN: BoundVariable = 3;

/// The transitive closure of a relation given by rows of bits.
pub fn transitive_closure(rows: &mut [u64]) {
    for middle in 0..rows.len() {
        let onwards = rows[middle];
        for row in rows.iter_mut() {
            if *row >> middle & 1 != 0 {
                *row |= onwards;
            }
        }
    }
}
