//! The reference evaluation: Kleene's semantics, one assignment at a time. Fast evaluators are tested against it.

use crate::formula::{Formula, Predicate, Steps, Variable};
use crate::kleene::Kleene;

/// A 3-valued logical structure, as far as evaluation needs it. Individuals are numbered from 0.
pub trait Structure {
    /// How many individuals there are.
    fn size(&self) -> usize;

    /// The value of a predicate on a tuple.
    fn value(&self, predicate: Predicate, tuple: &[usize]) -> Kleene;

    /// Equality: 1/2 for a summary individual and itself.
    fn equal(&self, a: usize, b: usize) -> Kleene;

    /// Whether the individual surely exists (quantifiers range over the existing ones).
    fn active(&self, _individual: usize) -> Kleene {
        Kleene::True
    }
}

/// An assignment of individuals to variables; the latest binding of a name counts.
#[derive(Clone, Default, Debug)]
pub struct Assignment(Vec<(Variable, usize)>);

impl Assignment {
    /// The empty assignment.
    #[must_use]
    pub fn new() -> Assignment {
        Assignment::default()
    }

    /// Binds `v`, hiding an earlier binding.
    pub fn push(&mut self, v: &Variable, individual: usize) {
        self.0.push((v.clone(), individual));
    }

    /// Takes back the latest `n` bindings.
    pub fn pop(&mut self, n: usize) {
        self.0.truncate(self.0.len() - n);
    }

    /// The individual bound to `v`.
    #[must_use]
    pub fn get(&self, v: &Variable) -> Option<usize> {
        self.0.iter().rev().find(|(name, _)| name == v).map(|(_, individual)| *individual)
    }
}

/// The value of `formula` in `structure` under `assignment`. A variable without binding makes its atom 1/2.
pub fn evaluate(formula: &Formula, structure: &impl Structure, assignment: &mut Assignment) -> Kleene {
    match formula {
        Formula::Literal(value) => *value,
        Formula::Atom(p, args) => {
            let tuple: Option<Vec<usize>> = args.iter().map(|v| assignment.get(v)).collect();
            tuple.map_or(Kleene::Unknown, |tuple| structure.value(*p, &tuple))
        }
        Formula::Equal(a, b) => match (assignment.get(a), assignment.get(b)) {
            (Some(a), Some(b)) => structure.equal(a, b),
            _ => Kleene::Unknown,
        },
        Formula::Not(f) => !evaluate(f, structure, assignment),
        Formula::And(fs) => fs.iter().fold(Kleene::True, |value, f| {
            if value == Kleene::False { value } else { value.and(evaluate(f, structure, assignment)) }
        }),
        Formula::Or(fs) => fs.iter().fold(Kleene::False, |value, f| {
            if value == Kleene::True { value } else { value.or(evaluate(f, structure, assignment)) }
        }),
        Formula::IfThenElse(c, a, b) => match evaluate(c, structure, assignment) {
            Kleene::True => evaluate(a, structure, assignment),
            Kleene::False => evaluate(b, structure, assignment),
            Kleene::Unknown => evaluate(a, structure, assignment).join(evaluate(b, structure, assignment)),
        },
        Formula::Exists(vs, f) => quantify(vs, f, structure, assignment),
        Formula::Forall(vs, f) => !quantify(vs, &!(**f).clone(), structure, assignment),
        Formula::Closure { steps, from, to, left, right, step } => {
            let (Some(from), Some(to)) = (assignment.get(from), assignment.get(to)) else { return Kleene::Unknown };
            let path = closure(structure, assignment, (left, right), step)[from][to];
            match steps {
                Steps::ZeroOrMore => path.or(structure.equal(from, to)),
                Steps::OneOrMore => path,
            }
        }
    }
}

fn quantify(vs: &[Variable], body: &Formula, structure: &impl Structure, assignment: &mut Assignment) -> Kleene {
    let Some((v, rest)) = vs.split_first() else { return evaluate(body, structure, assignment) };
    let mut value = Kleene::False;
    for individual in 0..structure.size() {
        assignment.push(v, individual);
        value = value.or(structure.active(individual).and(quantify(rest, body, structure, assignment)));
        assignment.pop(1);
        if value == Kleene::True {
            break;
        }
    }
    value
}

fn closure(
    structure: &impl Structure,
    assignment: &mut Assignment,
    (left, right): (&Variable, &Variable),
    step: &Formula,
) -> Vec<Vec<Kleene>> {
    let n = structure.size();
    let mut reach = vec![vec![Kleene::False; n]; n];
    for (a, row) in reach.iter_mut().enumerate() {
        for (b, cell) in row.iter_mut().enumerate() {
            assignment.push(left, a);
            assignment.push(right, b);
            *cell = evaluate(step, structure, assignment);
            assignment.pop(2);
        }
    }
    for middle in 0..n {
        // A path needs its inner individuals to exist.
        let through = structure.active(middle);
        let onwards = reach[middle].clone();
        for row in &mut reach {
            let first = row[middle].and(through);
            row.iter_mut().zip(&onwards).for_each(|(cell, on)| *cell = cell.or(first.and(*on)));
        }
    }
    reach
}
