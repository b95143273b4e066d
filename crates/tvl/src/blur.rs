//! Blur: canonical abstraction. Individuals with the same values of all unary abstraction predicates become one.

use crate::structure::{Mask, Structure};
use crate::vocabulary::{Arity, Vocabulary};

/// The abstraction predicates, by slot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Abstraction {
    pub(crate) unary: Vec<usize>,
    pub(crate) nullary: Vec<usize>,
}

impl Abstraction {
    /// The abstraction predicates of a vocabulary.
    #[must_use]
    pub fn new(vocabulary: &Vocabulary) -> Abstraction {
        Abstraction {
            unary: vocabulary.abstraction_slots(Arity::Unary),
            nullary: vocabulary.abstraction_slots(Arity::Nullary),
        }
    }

    /// The canonical abstraction of `structure`. Its individuals are ordered by canonical name (the values of the
    /// abstraction predicates in their order, 0 before 1/2 before 1), so equal results have equal words.
    #[must_use]
    pub fn blur(&self, structure: &Structure) -> Structure {
        structure.quotient(&self.classes(structure))
    }

    /// The classes of individuals with the same canonical name, in the order of names. Each predicate divides every
    /// class in order, which sorts by name without ever writing a name down.
    #[must_use]
    pub fn classes(&self, structure: &Structure) -> Vec<Mask> {
        let exist = structure.active().may & structure.universe();
        let mut classes: Vec<Mask> = if exist == 0 { Vec::new() } else { vec![exist] };
        let mut next = Vec::with_capacity(structure.size());
        for index in &self.unary {
            if classes.len() == structure.size() {
                // All apart: later predicates cannot change the order either.
                break;
            }
            let bounds = structure.unary(*index);
            next.clear();
            for class in &classes {
                for part in [class & !bounds.may, class & bounds.may & !bounds.must, class & bounds.must] {
                    if part != 0 {
                        next.push(part);
                    }
                }
            }
            std::mem::swap(&mut classes, &mut next);
        }
        classes
    }
}
