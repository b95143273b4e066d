//! Several stores over one universe: the two-store vocabulary P ∪ P′ (section 4 of the paper), and the stores between
//! the statements of a block.
//!
//! All stores share one universe. Where a statement allocates or frees, each store has a predicate that says which
//! individuals are alive in it, and every formula about a store speaks of those alone. The last store uses the
//! predicates of the vocabulary; earlier ones have copies.

use super::characteristic::Rename;
use super::integrity::reserved;
use super::problem::{Symbol, Symbols};
use crate::vocabulary::{Arity, Property, Vocabulary};
use heapwise_logic::{Formula, Predicate, Variable};
use std::collections::BTreeSet;

/// How the predicates are called in one store.
#[derive(Clone, Debug)]
pub struct Store {
    predicates: Vec<Predicate>,
    /// The predicates that have one value in every concrete structure.
    constant: Vec<(Predicate, Formula)>,
    /// The individuals that are alive in it; `None` for all of them.
    pub alive: Option<Predicate>,
}

impl Rename for Store {
    fn rename(&self, p: Predicate) -> Predicate {
        self.predicates.get(p.index()).copied().unwrap_or(p)
    }
}

impl Store {
    /// The store whose predicates are those of the vocabulary.
    #[must_use]
    pub fn own(vocabulary: &Vocabulary, alive: Option<Predicate>) -> Store {
        Store { predicates: vocabulary.predicates().collect(), constant: reserved(vocabulary), alive }
    }

    /// A store with copies of all predicates, named after `label`.
    #[must_use]
    pub fn copied(vocabulary: &Vocabulary, label: &str, symbols: &mut Symbols, alive: Option<Predicate>) -> Store {
        let later = Store::own(vocabulary, alive);
        Store::before(&later, vocabulary, label, symbols, alive, &BTreeSet::new())
    }

    /// The store before `later`: the same but for copies of the predicates that are not `unchanged`.
    #[must_use]
    pub fn before(
        later: &Store,
        vocabulary: &Vocabulary,
        label: &str,
        symbols: &mut Symbols,
        alive: Option<Predicate>,
        unchanged: &BTreeSet<Predicate>,
    ) -> Store {
        let name = |p: Predicate| {
            if unchanged.contains(&p) {
                return later.rename(p);
            }
            let declaration = vocabulary.declaration(p);
            let properties = declaration.properties.clone();
            symbols.add(Symbol {
                name: format!("{label}[{}]", vocabulary.name(p)),
                arity: declaration.arity,
                properties,
            })
        };
        Store { predicates: vocabulary.predicates().map(name).collect(), constant: reserved(vocabulary), alive }
    }

    /// A formula over the vocabulary, said of this store: predicates renamed, quantifiers over the living.
    #[must_use]
    pub fn say(&self, formula: &Formula) -> Formula {
        let alive = self.alive;
        let living = |v: &Variable| alive.map(|p| Formula::atom(p, std::slice::from_ref(v)));
        relativise(&self.renamed(formula), &living)
    }

    /// A formula with the predicates renamed only.
    #[must_use]
    pub fn renamed(&self, formula: &Formula) -> Formula {
        formula.replace_atoms(&mut |p, args| {
            let constant = self.constant.iter().find(|(q, _)| *q == p).map(|(_, value)| value.clone());
            Some(constant.unwrap_or_else(|| Formula::Atom(self.rename(p), args.to_vec())))
        })
    }

    /// All of `vs` are alive.
    #[must_use]
    pub fn living(&self, vs: &[Variable]) -> Vec<Formula> {
        let atoms = |p: Predicate| vs.iter().map(move |v| Formula::atom(p, std::slice::from_ref(v)));
        self.alive.map(atoms).into_iter().flatten().collect()
    }
}

/// An auxiliary predicate without properties.
pub(super) fn auxiliary(symbols: &mut Symbols, name: String, arity: Arity) -> Predicate {
    symbols.add(Symbol { name, arity, properties: Vec::new() })
}

/// An auxiliary predicate that holds of one individual at most.
pub(super) fn singular(symbols: &mut Symbols, name: String) -> Predicate {
    symbols.add(Symbol { name, arity: Arity::Unary, properties: vec![Property::Unique] })
}

/// The formula with its quantifiers over the individuals that satisfy `range` (`None`: all).
#[must_use]
pub fn relativise(formula: &Formula, range: &impl Fn(&Variable) -> Option<Formula>) -> Formula {
    let all_in = |vs: &[Variable]| vs.iter().filter_map(range).collect::<Vec<Formula>>();
    match formula {
        Formula::Exists(vs, body) => {
            let mut parts = all_in(vs);
            parts.push(relativise(body, range));
            Formula::exists(vs.clone(), Formula::And(parts))
        }
        Formula::Forall(vs, body) => {
            let mut parts: Vec<Formula> = all_in(vs).into_iter().map(|f| !f).collect();
            parts.push(relativise(body, range));
            Formula::forall(vs.clone(), Formula::Or(parts))
        }
        // A step along one predicate stays among the living, since predicates hold of the living alone.
        Formula::Closure { step, .. } if matches!(**step, Formula::Atom(..)) => formula.clone(),
        Formula::Closure { steps, from, to, left, right, step } => {
            let mut parts = all_in(&[left.clone(), right.clone()]);
            parts.push(relativise(step, range));
            Formula::Closure {
                steps: *steps,
                from: from.clone(),
                to: to.clone(),
                left: left.clone(),
                right: right.clone(),
                step: Box::new(Formula::And(parts)),
            }
        }
        _ => formula.map_parts(&mut |f| relativise(f, range)),
    }
}
