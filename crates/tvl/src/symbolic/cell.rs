//! Cells: the parts into which a search divides the concrete structures.
//!
//! A cell is a bounded structure and a set of its values that are 1/2 for sure. Dividing a cell at a value gives cells
//! that share no concrete structure and have all of its concrete structures together: bifurcation of an individual
//! (phase 1, figure 5 of the paper), and sharpening of a value (phase 2, figure 4). Carrying along which values are 1/2
//! for sure asks about all of them together, which figure 4 does not.

use super::characteristic::{Characteristic, Context, Fact};
use crate::blur::Abstraction;
use crate::structure::{Bounds, Mask, Structure, members};
use crate::vocabulary::{ACTIVE, SUMMARY, Vocabulary};
use heapwise_logic::{Formula, Kleene, Predicate};

/// A part of the concrete structures.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) structure: Structure,
    /// The values that are 1/2 for sure, sorted; empty while names are open.
    pub(super) both: Vec<Fact>,
    /// Which of the known images lie in the cell.
    pub(super) images: Vec<usize>,
    /// Whether a prover could not tell if there is anything in it.
    pub(super) doubtful: bool,
    pub(super) phase: Phase,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    /// Abstraction predicates are being made definite.
    Names,
    /// Names are definite and individuals stand in their canonical order; other values are being made definite.
    Values,
}

/// Where a cell can be divided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    /// Whether an individual exists.
    Existence(usize),
    /// An abstraction predicate on an individual.
    Name(Predicate, usize),
    /// Another value.
    Value(Fact),
}

/// One side of a division.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Zero,
    One,
    Both,
}

impl Side {
    fn of(value: Kleene) -> Side {
        match value {
            Kleene::False => Side::Zero,
            Kleene::True => Side::One,
            Kleene::Unknown => Side::Both,
        }
    }
}

impl Cell {
    /// Where the cell can be divided: names first. Empty when it is an image.
    pub(super) fn choices(&self, characteristic: &Characteristic<'_>, vocabulary: &Vocabulary) -> Vec<Choice> {
        let structure = &self.structure;
        let active = structure.active();
        if self.phase == Phase::Values {
            let facts = characteristic.facts(structure).into_iter();
            return facts
                .filter(|f| !characteristic.value(structure, f).is_definite() && self.both.binary_search(f).is_err())
                .map(Choice::Value)
                .collect();
        }
        let mut choices: Vec<Choice> = members(active.may & !active.must).map(Choice::Existence).collect();
        for p in characteristic.names() {
            let bounds = structure.unary(vocabulary.slot(*p).index);
            choices.extend(members(bounds.may & !bounds.must).map(|u| Choice::Name(*p, u)));
        }
        choices
    }

    /// The cell in phase 2, if all names are definite.
    pub(super) fn in_phase(
        mut self,
        characteristic: &Characteristic<'_>,
        vocabulary: &Vocabulary,
        abstraction: &Abstraction,
    ) -> Cell {
        if self.phase == Phase::Names && self.choices(characteristic, vocabulary).is_empty() {
            self.structure = abstraction.blur(&self.structure);
            self.phase = Phase::Values;
        }
        self
    }

    /// The formulas that say which concrete structures are in the cell.
    pub(super) fn formulas(&self, characteristic: &Characteristic<'_>) -> Vec<Formula> {
        let mut formulas = characteristic.gamma_hat(&self.structure);
        formulas.extend(self.both.iter().map(|fact| characteristic.both_values(&self.structure, fact)));
        formulas
    }

    /// What is known of every concrete structure in the cell, once names are definite.
    pub(super) fn context(&self) -> Option<Context<'_>> {
        (self.phase == Phase::Values).then_some(Context { structure: &self.structure, both: &self.both })
    }

    /// On which side of a choice an image in the cell lies.
    pub(super) fn side(&self, choice: &Choice, image: &Projected, characteristic: &Characteristic<'_>) -> Side {
        match choice {
            Choice::Existence(u) => {
                if image.present >> u & 1 == 1 {
                    Side::One
                } else {
                    Side::Zero
                }
            }
            Choice::Name(p, u) => match image.position(*u) {
                // An individual that is not there is on no side; a choice of existence comes first.
                None => Side::Zero,
                Some(at) => Side::of(characteristic.value(&image.structure, &Fact { predicate: *p, tuple: vec![at] })),
            },
            Choice::Value(fact) => Side::of(characteristic.value(&image.structure, fact)),
        }
    }

    /// The sides that a choice can have.
    pub(super) fn sides(&self, choice: &Choice) -> Vec<Side> {
        let several = |u: usize| self.structure.summaries() >> u & 1 == 1;
        match choice {
            Choice::Existence(_) => vec![Side::Zero, Side::One],
            Choice::Name(_, u) if several(*u) => vec![Side::Zero, Side::One, Side::Both],
            Choice::Name(..) => vec![Side::Zero, Side::One],
            Choice::Value(fact) if fact.predicate.index() == SUMMARY => vec![Side::Zero, Side::Both],
            Choice::Value(fact) if fact.tuple.iter().any(|u| several(*u)) => vec![Side::Zero, Side::One, Side::Both],
            Choice::Value(_) => vec![Side::Zero, Side::One],
        }
    }

    /// The part of the cell on one side of a choice, without images. `None` if it has too many individuals.
    pub(super) fn part(&self, choice: &Choice, side: Side, vocabulary: &Vocabulary) -> Option<Cell> {
        let mut part = Cell { images: Vec::new(), doubtful: false, ..self.clone() };
        match (choice, side) {
            (Choice::Existence(u), Side::Zero) => {
                let rest: Vec<Mask> = (0..self.structure.size()).filter(|v| v != u).map(|v| 1 << v).collect();
                part.structure = self.structure.quotient(&rest);
            }
            (Choice::Existence(u), _) => {
                let active = self.structure.active();
                part.structure.set_unary(ACTIVE, Bounds { may: active.may, must: active.must | 1 << u });
            }
            (Choice::Name(p, u), Side::Both) => {
                let twin = self.structure.size();
                part.structure = self.structure.extended(&[Some(*u)]).ok()?;
                part.structure.set(vocabulary.slot(*p), &[*u], Kleene::False);
                part.structure.set(vocabulary.slot(*p), &[twin], Kleene::True);
            }
            (Choice::Name(p, u), side) => {
                part.structure.set(vocabulary.slot(*p), &[*u], (side == Side::One).into());
            }
            (Choice::Value(fact), Side::Both) => {
                if let Err(at) = part.both.binary_search(fact) {
                    part.both.insert(at, fact.clone());
                }
            }
            (Choice::Value(fact), side) => {
                part.structure.set(vocabulary.slot(fact.predicate), &fact.tuple, (side == Side::One).into());
            }
        }
        Some(part)
    }

    /// An image as seen from the cell; `None` if it does not lie in it.
    pub(super) fn project(
        &self,
        image: &Structure,
        characteristic: &Characteristic<'_>,
        vocabulary: &Vocabulary,
    ) -> Option<Projected> {
        let projected = project(&self.structure, image, characteristic, vocabulary)?;
        let both = self.both.iter().all(|f| characteristic.value(&projected.structure, f) == Kleene::Unknown);
        both.then_some(projected)
    }
}

/// An image with its individuals grouped as the individuals of a cell.
#[derive(Clone, Debug)]
pub(super) struct Projected {
    /// The groups that are there, in the order of the cell's individuals.
    pub(super) structure: Structure,
    /// Which of the cell's individuals are there.
    pub(super) present: Mask,
}

impl Projected {
    /// The position of one of the cell's individuals.
    fn position(&self, u: usize) -> Option<usize> {
        let below = self.present & ((1 << u) - 1);
        (self.present >> u & 1 == 1).then_some(below.count_ones() as usize)
    }
}

fn project(
    structure: &Structure,
    image: &Structure,
    characteristic: &Characteristic<'_>,
    vocabulary: &Vocabulary,
) -> Option<Projected> {
    let active = structure.active();
    let mut classes = Vec::with_capacity(structure.size());
    let mut own = Vec::with_capacity(structure.size());
    let (mut present, mut placed) = (0, 0);
    for u in members(active.may) {
        let class = characteristic.names().iter().fold(image.universe(), |class, p| {
            let index = vocabulary.slot(*p).index;
            let (bounds, values) = (structure.unary(index), image.unary(index));
            if bounds.must >> u & 1 == 1 {
                class & values.may
            } else if bounds.may >> u & 1 == 0 {
                class & !values.must
            } else {
                class
            }
        });
        if class == 0 {
            if active.must >> u & 1 == 1 {
                return None;
            }
            continue;
        }
        present |= 1 << u;
        placed |= class;
        classes.push(class);
        own.push(1 << u);
    }
    if placed != image.universe() {
        return None;
    }
    let seen = image.quotient(&classes);
    let expected = if own.len() == structure.size() { structure.clone() } else { structure.quotient(&own) };
    let covered = seen.bound_pairs().all(|(may, must)| {
        let (a, b) = (seen.words(), expected.words());
        a[may] & !b[may] == 0 && b[must] & !a[must] == 0
    });
    covered.then_some(Projected { structure: seen, present })
}

/// Whether a bounded structure represents an image of canonical abstraction.
#[must_use]
pub fn represents(structure: &Structure, image: &Structure, vocabulary: &Vocabulary) -> bool {
    project(structure, image, &Characteristic::new(vocabulary, None), vocabulary).is_some()
}
