//! Finite 2-valued structures over a signature.

use crate::Signature;
use heapwise_logic::evaluate::{Assignment, Structure, evaluate};
use heapwise_logic::{Arity, Formula, Kleene, Predicate};
use indexmap::IndexMap;
use std::fmt;

/// The most individuals a model has: a row is one machine word.
pub const MOST_INDIVIDUALS: usize = 64;

/// A finite 2-valued structure: individuals `0..size`, and for each predicate where it holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    size: usize,
    relations: IndexMap<Predicate, Relation>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Relation {
    Nullary(bool),
    Unary(u64),
    Binary(Vec<u64>),
}

impl Model {
    /// The structure of that many individuals (at most [`MOST_INDIVIDUALS`]) in which nothing holds.
    #[must_use]
    pub fn new(signature: &Signature, size: usize) -> Model {
        let size = size.min(MOST_INDIVIDUALS);
        let relation = |arity| match arity {
            Arity::Nullary => Relation::Nullary(false),
            Arity::Unary => Relation::Unary(0),
            Arity::Binary => Relation::Binary(vec![0; size]),
        };
        Model { size, relations: signature.predicates().map(|(p, arity)| (p, relation(arity))).collect() }
    }

    /// How many individuals there are.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Whether `predicate` holds of `tuple`; false for what the signature or the universe lacks.
    #[must_use]
    pub fn holds(&self, predicate: Predicate, tuple: &[usize]) -> bool {
        match (self.relations.get(&predicate), tuple) {
            (Some(Relation::Nullary(value)), []) => *value,
            (Some(Relation::Unary(row)), [v]) => *v < self.size && row >> v & 1 != 0,
            (Some(Relation::Binary(rows)), [v, w]) => {
                *w < self.size && rows.get(*v).is_some_and(|row| row >> w & 1 != 0)
            }
            _ => false,
        }
    }

    /// Makes `predicate` hold of `tuple`, or not. What the signature or the universe lacks is left alone.
    pub fn set(&mut self, predicate: Predicate, tuple: &[usize], value: bool) {
        let put = |row: &mut u64, v: usize| *row = *row & !(1 << v) | u64::from(value) << v;
        let size = self.size;
        match (self.relations.get_mut(&predicate), tuple) {
            (Some(Relation::Nullary(held)), []) => *held = value,
            (Some(Relation::Unary(row)), [v]) if *v < size => put(row, *v),
            (Some(Relation::Binary(rows)), [v, w]) if *w < size => {
                if let Some(row) = rows.get_mut(*v) {
                    put(row, *w);
                }
            }
            _ => {}
        }
    }

    /// Whether a closed formula holds.
    #[must_use]
    pub fn satisfies(&self, formula: &Formula) -> bool {
        evaluate(formula, self, &mut Assignment::new()) == Kleene::True
    }

    /// The structure as text, one predicate a line, those that hold nowhere left out.
    #[must_use]
    pub fn print(&self, signature: &Signature) -> String {
        let mut out = format!("{} individual(s)", self.size);
        for predicate in self.relations.keys() {
            let tuples = self.tuples(*predicate);
            if !tuples.is_empty() {
                out.push_str(&format!("\n{}: {}", signature.name(*predicate), tuples.join(" ")));
            }
        }
        out
    }

    fn tuples(&self, predicate: Predicate) -> Vec<String> {
        let all = 0..self.size;
        match &self.relations[&predicate] {
            Relation::Nullary(value) => value.then(|| "1".to_owned()).into_iter().collect(),
            Relation::Unary(_) => all.filter(|v| self.holds(predicate, &[*v])).map(|v| v.to_string()).collect(),
            Relation::Binary(_) => all
                .clone()
                .flat_map(|v| all.clone().map(move |w| (v, w)))
                .filter(|(v, w)| self.holds(predicate, &[*v, *w]))
                .map(|(v, w)| format!("{v}->{w}"))
                .collect(),
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} individual(s)", self.size)
    }
}

impl Structure for Model {
    fn size(&self) -> usize {
        self.size
    }

    fn value(&self, predicate: Predicate, tuple: &[usize]) -> Kleene {
        self.holds(predicate, tuple).into()
    }

    fn equal(&self, a: usize, b: usize) -> Kleene {
        (a == b).into()
    }
}
