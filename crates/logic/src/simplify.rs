//! Simplification: smaller formulas, narrower quantifiers, never a less definite value.
//!
//! Every rule keeps the 2-valued meaning. On 3-valued structures a rule keeps the value or makes it more definite:
//! `a & !a` becomes 0 although its Kleene value can be 1/2, which is sound because it is 0 in every concrete structure.

use crate::formula::{Formula, Steps, Variable};
use crate::kleene::Kleene;
use std::collections::BTreeMap;

/// The simplified formula.
#[must_use]
pub fn simplify(formula: &Formula) -> Formula {
    match formula {
        Formula::Literal(_) | Formula::Atom(..) => formula.clone(),
        Formula::Equal(a, b) => equal(a, b),
        Formula::Not(f) => !simplify(f),
        Formula::And(fs) => conjunction(fs.iter().map(simplify).collect()),
        Formula::Or(fs) => disjunction(fs.iter().map(simplify).collect()),
        Formula::IfThenElse(c, a, b) => if_then_else(simplify(c), simplify(a), simplify(b)),
        Formula::Exists(vs, f) => exists(vs.clone(), simplify(f)),
        Formula::Forall(vs, f) => !exists(vs.clone(), negate(simplify(f))),
        Formula::Closure { steps, from, to, left, right, step } => {
            let step = simplify(step);
            match (&step, steps) {
                (Formula::Literal(Kleene::False), Steps::OneOrMore) => Formula::FALSE,
                (Formula::Literal(Kleene::False), Steps::ZeroOrMore) => equal(from, to),
                (_, Steps::ZeroOrMore) if from == to => Formula::TRUE,
                _ => Formula::Closure {
                    steps: *steps,
                    from: from.clone(),
                    to: to.clone(),
                    left: left.clone(),
                    right: right.clone(),
                    step: Box::new(step),
                },
            }
        }
    }
}

fn equal(a: &Variable, b: &Variable) -> Formula {
    match a.cmp(b) {
        std::cmp::Ordering::Equal => Formula::TRUE,
        std::cmp::Ordering::Less => Formula::Equal(a.clone(), b.clone()),
        std::cmp::Ordering::Greater => Formula::Equal(b.clone(), a.clone()),
    }
}

/// The negation, pushed below conjunctions, disjunctions and quantifiers, so that the dual rules apply.
#[must_use]
pub fn negate(formula: Formula) -> Formula {
    match formula {
        Formula::And(fs) => Formula::Or(fs.into_iter().map(negate).collect()),
        Formula::Or(fs) => Formula::And(fs.into_iter().map(negate).collect()),
        Formula::IfThenElse(c, a, b) => Formula::IfThenElse(c, Box::new(negate(*a)), Box::new(negate(*b))),
        Formula::Forall(vs, f) => Formula::Exists(vs, Box::new(negate(*f))),
        other => !other,
    }
}

/// The conjunction of simplified parts.
#[must_use]
pub fn conjunction(parts: Vec<Formula>) -> Formula {
    let mut flat: Vec<Formula> = Vec::with_capacity(parts.len());
    flatten(parts, &mut flat, &|f| match f {
        Formula::And(fs) => Ok(fs),
        Formula::Not(inner) => match *inner {
            Formula::Or(fs) => Ok(fs.into_iter().map(|f| !f).collect()),
            other => Err(Formula::Not(Box::new(other))),
        },
        other => Err(other),
    });
    if flat.contains(&Formula::FALSE) || clash(&flat) {
        return Formula::FALSE;
    }
    flat.retain(|f| *f != Formula::TRUE);
    propagate(&mut flat, Kleene::True);
    if flat.contains(&Formula::FALSE) || clash(&flat) {
        return Formula::FALSE;
    }
    match flat.len() {
        0 => Formula::TRUE,
        1 => flat.swap_remove(0),
        _ => Formula::And(flat),
    }
}

/// The disjunction of simplified parts.
#[must_use]
pub fn disjunction(parts: Vec<Formula>) -> Formula {
    let mut flat: Vec<Formula> = Vec::with_capacity(parts.len());
    flatten(parts, &mut flat, &|f| match f {
        Formula::Or(fs) => Ok(fs),
        Formula::Not(inner) => match *inner {
            Formula::And(fs) => Ok(fs.into_iter().map(|f| !f).collect()),
            other => Err(Formula::Not(Box::new(other))),
        },
        other => Err(other),
    });
    if flat.contains(&Formula::TRUE) || clash(&flat) {
        return Formula::TRUE;
    }
    flat.retain(|f| *f != Formula::FALSE);
    propagate(&mut flat, Kleene::False);
    if flat.contains(&Formula::TRUE) || clash(&flat) {
        return Formula::TRUE;
    }
    gather_reflexive(&mut flat);
    match flat.len() {
        0 => Formula::FALSE,
        1 => flat.swap_remove(0),
        _ => Formula::Or(flat),
    }
}

/// `v == w | TC(v, w) …` is the reflexive closure.
fn gather_reflexive(parts: &mut Vec<Formula>) {
    for i in 0..parts.len() {
        if let Formula::Closure { steps, from, to, .. } = &parts[i] {
            let reflexive = equal(from, to);
            if parts.contains(&reflexive) {
                if *steps == Steps::OneOrMore
                    && let Formula::Closure { steps, .. } = &mut parts[i]
                {
                    *steps = Steps::ZeroOrMore;
                }
                parts.retain(|f| *f != reflexive);
                return;
            }
        }
    }
}

fn flatten(parts: Vec<Formula>, flat: &mut Vec<Formula>, open: &impl Fn(Formula) -> Result<Vec<Formula>, Formula>) {
    for part in parts {
        match open(part) {
            Ok(inner) => flatten(inner, flat, open),
            Err(leaf) if !flat.contains(&leaf) => flat.push(leaf),
            Err(_) => {}
        }
    }
}

/// Whether a part and its negation are there. A written 1/2 stands for a value of its own wherever it is written, so
/// a part with one in it is no contradiction of its negation.
fn clash(parts: &[Formula]) -> bool {
    parts.iter().any(|f| matches!(f, Formula::Not(inner) if parts.contains(inner) && !inner.has_written_unknown()))
}

/// Uses each literal part inside the other parts: in a conjunction it is 1 there, in a disjunction 0.
fn propagate(parts: &mut Vec<Formula>, known: Kleene) {
    let units: Vec<Formula> = parts
        .iter()
        .filter(|f| match f {
            Formula::Atom(..) | Formula::Equal(..) => true,
            Formula::Not(inner) => matches!(**inner, Formula::Atom(..) | Formula::Equal(..)),
            _ => false,
        })
        .cloned()
        .collect();
    if units.is_empty() {
        return;
    }
    let mut out: Vec<Formula> = Vec::with_capacity(parts.len());
    for part in parts.drain(..) {
        let changed = match &part {
            Formula::And(_) | Formula::Or(_) | Formula::IfThenElse(..) | Formula::Not(_) if !units.contains(&part) => {
                let replaced = assume(&part, &units, known);
                if replaced == part { part } else { simplify(&replaced) }
            }
            _ => part,
        };
        match changed {
            Formula::Literal(value) if value == known => {}
            other if !out.contains(&other) => out.push(other),
            _ => {}
        }
    }
    *parts = out;
}

/// `formula` with the units replaced by their known value, through connectives only.
fn assume(formula: &Formula, units: &[Formula], known: Kleene) -> Formula {
    for unit in units {
        if formula == unit {
            return Formula::Literal(known);
        }
        let opposite = match unit {
            Formula::Not(inner) => **inner == *formula,
            _ => matches!(formula, Formula::Not(inner) if **inner == *unit),
        };
        if opposite {
            return Formula::Literal(!known);
        }
    }
    match formula {
        Formula::Not(_) | Formula::And(_) | Formula::Or(_) | Formula::IfThenElse(..) => {
            formula.map_parts(&mut |f| assume(f, units, known))
        }
        _ => formula.clone(),
    }
}

/// If-then-else of simplified parts.
#[must_use]
pub fn if_then_else(c: Formula, a: Formula, b: Formula) -> Formula {
    match (&c, &a, &b) {
        (Formula::Literal(Kleene::True), _, _) => a,
        (Formula::Literal(Kleene::False), _, _) => b,
        _ if a == b => a,
        (_, Formula::Literal(Kleene::True), _) => disjunction(vec![c, b]),
        (_, Formula::Literal(Kleene::False), _) => conjunction(vec![!c, b]),
        (_, _, Formula::Literal(Kleene::True)) => disjunction(vec![!c, a]),
        (_, _, Formula::Literal(Kleene::False)) => conjunction(vec![c, a]),
        _ => match c {
            Formula::Not(inner) => Formula::if_then_else(*inner, b, a),
            c => Formula::if_then_else(c, a, b),
        },
    }
}

/// `E(vs) body`, with the quantifier as narrow as it can be.
#[must_use]
pub fn exists(vs: Vec<Variable>, body: Formula) -> Formula {
    match body {
        Formula::Literal(Kleene::False) => Formula::FALSE,
        Formula::Exists(inner, body) if !inner.iter().any(|v| vs.contains(v)) => {
            exists(vs.into_iter().chain(inner).collect(), *body)
        }
        Formula::Or(fs) => disjunction(fs.into_iter().map(|f| exists(vs.clone(), f)).collect()),
        Formula::And(fs) => exists_conjunction(vs, fs),
        Formula::Not(inner) if matches!(*inner, Formula::And(_)) => exists(vs, negate(*inner)),
        Formula::Not(inner) if matches!(*inner, Formula::Or(_)) => {
            let Formula::Or(fs) = *inner else { return Formula::FALSE };
            exists_conjunction(vs, fs.into_iter().map(|f| !f).collect())
        }
        other => {
            let free = other.free_variables();
            match vs.iter().position(|v| free.contains(v)) {
                Some(_) => Formula::exists(vs.into_iter().filter(|v| free.contains(v)).collect(), other),
                // The variables stand for nothing but "there is an individual".
                None => Formula::exists(vs.into_iter().take(1).collect(), other),
            }
        }
    }
}

fn exists_conjunction(vs: Vec<Variable>, parts: Vec<Formula>) -> Formula {
    // One-point rule: `E(u) u == w & φ(u)` is φ(w).
    for (i, part) in parts.iter().enumerate() {
        let Formula::Equal(a, b) = part else { continue };
        let (gone, kept) = if vs.contains(a) { (a, b) } else { (b, a) };
        if vs.contains(gone) && gone != kept {
            let map = BTreeMap::from([(gone.clone(), kept.clone())]);
            let rest: Vec<Formula> =
                parts.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, f)| simplify(&f.rename(&map))).collect();
            let left: Vec<Variable> = vs.iter().filter(|v| *v != gone).cloned().collect();
            let body = conjunction(rest);
            return if left.is_empty() { body } else { exists(left, body) };
        }
    }
    // Narrow each variable to the parts that mention it, one connected group of parts at a time.
    let mut groups: Vec<(Vec<Variable>, Vec<Formula>)> = Vec::new();
    let mut outside = Vec::new();
    for part in parts {
        let free = part.free_variables();
        let mine: Vec<Variable> = vs.iter().filter(|v| free.contains(v)).cloned().collect();
        if mine.is_empty() {
            outside.push(part);
            continue;
        }
        let mut merged = (mine, vec![part]);
        let mut rest = Vec::with_capacity(groups.len());
        for group in groups {
            if group.0.iter().any(|v| merged.0.contains(v)) {
                merged.0.extend(group.0.into_iter().filter(|v| !merged.0.contains(v)).collect::<Vec<_>>());
                let own = std::mem::replace(&mut merged.1, group.1);
                merged.1.extend(own);
            } else {
                rest.push(group);
            }
        }
        rest.push(merged);
        groups = rest;
    }
    if groups.is_empty() {
        return Formula::exists(vs.into_iter().take(1).collect(), conjunction(outside));
    }
    for (group_vs, group) in groups {
        outside.push(narrow(group_vs, group));
    }
    conjunction(outside)
}

/// A connected group of conjuncts under its variables: a variable that occurs in one conjunct alone goes there, and
/// a variable whose conjuncts leave the others free goes inside as far as it can.
fn narrow(vs: Vec<Variable>, parts: Vec<Formula>) -> Formula {
    if vs.len() > 1 {
        for v in &vs {
            let (with, without): (Vec<Formula>, Vec<Formula>) = parts.iter().cloned().partition(|f| f.mentions(v));
            if !without.is_empty() {
                let inner = exists_conjunction(vec![v.clone()], with);
                let mut rest = without;
                rest.push(inner);
                return exists(vs.iter().filter(|w| *w != v).cloned().collect(), conjunction(rest));
            }
        }
    }
    Formula::exists(vs, conjunction(parts))
}
