//! Gates: a cheap look at whether the body of a rule can surely hold anywhere in a structure. Most rules speak of pointers
//! that point nowhere just now, and need not be run.
//!
//! *Law.* Where a gate is shut, no tuple of individuals surely satisfies the formula.

use crate::structure::Structure;
use crate::vocabulary::{Arity, Vocabulary};
use heapwise_logic::{Formula, Kleene};

/// What must be there for a formula to hold somewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Gate {
    /// Nothing that could be seen at a glance.
    Open,
    /// The formula is 0.
    Shut,
    /// The predicate with this index surely holds.
    NullaryHolds(usize),
    /// It surely fails.
    NullaryFails(usize),
    /// The predicate with this index surely holds of some individual.
    UnaryHolds(usize),
    /// It surely fails for some.
    UnaryFails(usize),
    /// The predicate with this index surely holds of some pair.
    BinaryHolds(usize),
    /// All of these.
    All(Vec<Gate>),
    /// One of these.
    Any(Vec<Gate>),
}

impl Gate {
    /// The gate of a formula.
    pub(crate) fn new(vocabulary: &Vocabulary, formula: &Formula) -> Gate {
        let gates = |parts: &[Formula]| -> Vec<Gate> { parts.iter().map(|part| Gate::new(vocabulary, part)).collect() };
        match formula {
            Formula::Literal(Kleene::True) | Formula::Equal(..) | Formula::Closure { .. } | Formula::Forall(..) => {
                Gate::Open
            }
            Formula::Literal(Kleene::False | Kleene::Unknown) => Gate::Shut,
            Formula::Atom(predicate, _) => {
                let slot = vocabulary.slot(*predicate);
                match slot.arity {
                    Arity::Nullary => Gate::NullaryHolds(slot.index),
                    Arity::Unary => Gate::UnaryHolds(slot.index),
                    Arity::Binary => Gate::BinaryHolds(slot.index),
                }
            }
            Formula::Not(inner) => match &**inner {
                Formula::Atom(predicate, _) => {
                    let slot = vocabulary.slot(*predicate);
                    match slot.arity {
                        Arity::Nullary => Gate::NullaryFails(slot.index),
                        Arity::Unary => Gate::UnaryFails(slot.index),
                        Arity::Binary => Gate::Open,
                    }
                }
                _ => Gate::Open,
            },
            Formula::And(parts) => {
                let needed: Vec<Gate> = gates(parts).into_iter().filter(|gate| *gate != Gate::Open).collect();
                match needed.as_slice() {
                    [] => Gate::Open,
                    [one] => one.clone(),
                    _ => Gate::All(needed),
                }
            }
            Formula::Or(parts) => {
                let any = gates(parts);
                if any.contains(&Gate::Open) { Gate::Open } else { Gate::Any(any) }
            }
            Formula::IfThenElse(_, a, b) => {
                let any = vec![Gate::new(vocabulary, a), Gate::new(vocabulary, b)];
                if any.contains(&Gate::Open) { Gate::Open } else { Gate::Any(any) }
            }
            Formula::Exists(_, body) => Gate::new(vocabulary, body),
        }
    }

    /// Whether the formula can surely hold of something.
    pub(crate) fn opens(&self, structure: &Structure) -> bool {
        match self {
            Gate::Open => true,
            Gate::Shut => false,
            Gate::NullaryHolds(index) => structure.nullary(*index) == Kleene::True,
            Gate::NullaryFails(index) => structure.nullary(*index) == Kleene::False,
            Gate::UnaryHolds(index) => structure.unary(*index).must != 0,
            Gate::UnaryFails(index) => structure.universe() & !structure.unary(*index).may != 0,
            Gate::BinaryHolds(index) => structure.rows(*index).1.iter().any(|row| *row != 0),
            Gate::All(gates) => gates.iter().all(|gate| gate.opens(structure)),
            Gate::Any(gates) => gates.iter().any(|gate| gate.opens(structure)),
        }
    }
}
