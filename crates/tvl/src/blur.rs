//! Blur: canonical abstraction. Individuals with the same values of all unary abstraction predicates become one.

use crate::structure::{Mask, Structure};
use crate::vocabulary::{Arity, SUMMARY, Vocabulary};

/// The abstraction predicates, by slot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Abstraction {
    pub(crate) unary: Vec<usize>,
    /// Those without arguments, 64 to a word.
    pub(crate) nullary: Vec<Mask>,
}

impl Abstraction {
    /// The abstraction predicates of a vocabulary.
    #[must_use]
    pub fn new(vocabulary: &Vocabulary) -> Abstraction {
        let nullary = vocabulary.abstraction_slots(Arity::Nullary);
        let mut words = vec![0; nullary.iter().max().map_or(0, |most| most / 64 + 1)];
        nullary.iter().for_each(|index| words[index / 64] |= 1 << (index % 64));
        Abstraction { unary: vocabulary.abstraction_slots(Arity::Unary), nullary: words }
    }

    /// The canonical abstraction of `structure`. Its individuals are ordered by canonical name (the values of the
    /// abstraction predicates in their order, 0 before 1/2 before 1), so equal results have equal words.
    #[must_use]
    pub fn blur(&self, structure: &Structure) -> Structure {
        structure.quotient(&self.classes(structure))
    }

    /// The same of a structure that is not needed any more: if its individuals have different names and stand in their order, it is
    /// the result.
    #[must_use]
    pub fn into_blurred(&self, structure: Structure) -> Structure {
        let classes = self.classes(&structure);
        let in_place = classes.len() == structure.size()
            && classes.iter().enumerate().all(|(i, class)| *class == 1 << i)
            && structure.unary(SUMMARY).must == 0;
        if in_place { structure } else { structure.quotient(&classes) }
    }

    /// The classes of individuals with the same canonical name, in the order of names. Each predicate divides every
    /// class in order, which sorts by name without ever writing a name down.
    #[must_use]
    pub fn classes(&self, structure: &Structure) -> Vec<Mask> {
        let exist = structure.active().may & structure.universe();
        let mut classes: Vec<Mask> = Vec::with_capacity(structure.size());
        if exist != 0 {
            classes.push(exist);
        }
        let mut next = Vec::with_capacity(structure.size());
        for index in &self.unary {
            if classes.len() == structure.size() {
                // All apart: later predicates cannot change the order either.
                break;
            }
            let bounds = structure.unary(*index);
            if bounds.may & exist == 0 || exist & !bounds.must == 0 {
                continue;
            }
            next.clear();
            for class in &classes {
                if class.is_power_of_two() {
                    next.push(*class);
                    continue;
                }
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
