//! 3-valued structures of at most 64 individuals, a few machine words each.
//!
//! A value is two bits: *may* it be true, *must* it be true (0 = neither, 1/2 = may only, 1 = both). A unary predicate
//! is two words, one bit per individual; a binary predicate is two bit matrices, one word per row. Everything lies in
//! one vector, so two structures with the same order of individuals are equal if and only if their words are.

use crate::vocabulary::{ACTIVE, Arity, Layout, NEW, PredicateIndex, SUMMARY, Vocabulary};
use heapwise_logic::evaluate;
use heapwise_logic::{Kleene, Predicate};

/// The most individuals that a structure can have.
pub const MAX_INDIVIDUALS: usize = 64;

/// A set of individuals.
pub type Mask = u64;

/// Lower and upper bound of a set: what must be and what may be in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bounds {
    /// Possible members.
    pub may: Mask,
    /// Sure members; a subset of `may`.
    pub must: Mask,
}

/// A 3-valued structure.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Structure {
    size: usize,
    nullary_words: usize,
    unary: usize,
    binary: usize,
    words: Vec<u64>,
}

/// The set of the first `n` individuals.
#[must_use]
pub fn universe(n: usize) -> Mask {
    if n >= 64 { !0 } else { (1 << n) - 1 }
}

/// The members of a set, ascending.
pub fn members(mut mask: Mask) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let lowest = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            lowest
        })
    })
}

impl Structure {
    /// The structure with `size` individuals, all of them existing and single, and every other value 0.
    ///
    /// # Panics
    /// If `size` is over [`MAX_INDIVIDUALS`].
    #[must_use]
    pub fn new(layout: Layout, size: usize) -> Structure {
        assert!(size <= MAX_INDIVIDUALS, "a structure has at most {MAX_INDIVIDUALS} individuals");
        let nullary_words = layout.nullary.div_ceil(64);
        let words = vec![0; 2 * nullary_words + 2 * layout.unary + 2 * size * layout.binary];
        let mut structure = Structure { size, nullary_words, unary: layout.unary, binary: layout.binary, words };
        structure.set_unary(ACTIVE, Bounds { may: universe(size), must: universe(size) });
        structure
    }

    /// How many individuals it has.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// All individuals.
    #[must_use]
    pub fn universe(&self) -> Mask {
        universe(self.size)
    }

    /// The individuals that may stand for several.
    #[must_use]
    pub fn summaries(&self) -> Mask {
        self.unary(SUMMARY).may
    }

    /// Which individuals exist.
    #[must_use]
    pub fn active(&self) -> Bounds {
        self.unary(ACTIVE)
    }

    /// The value of a nullary predicate.
    #[must_use]
    pub fn nullary(&self, index: usize) -> Kleene {
        let (word, bit) = (index / 64, index % 64);
        let may = self.words[word] >> bit & 1 == 1;
        let must = self.words[self.nullary_words + word] >> bit & 1 == 1;
        Kleene::from_bounds(may, must)
    }

    /// Sets a nullary predicate.
    pub fn set_nullary(&mut self, index: usize, value: Kleene) {
        let (word, bit) = (index / 64, index % 64);
        put(&mut self.words[word], bit, value.may());
        put(&mut self.words[self.nullary_words + word], bit, value.must());
    }

    /// The bounds of a unary predicate.
    #[must_use]
    pub fn unary(&self, index: usize) -> Bounds {
        let at = 2 * self.nullary_words + 2 * index;
        Bounds { may: self.words[at], must: self.words[at + 1] }
    }

    /// Sets a unary predicate.
    pub fn set_unary(&mut self, index: usize, bounds: Bounds) {
        debug_assert_eq!(bounds.must & !bounds.may, 0);
        let at = 2 * self.nullary_words + 2 * index;
        self.words[at] = bounds.may;
        self.words[at + 1] = bounds.must;
    }

    /// The upper (0) or lower (1) bound of a unary predicate.
    #[inline(always)]
    pub(crate) fn unary_word(&self, index: usize, bound: usize) -> Mask {
        self.words[2 * self.nullary_words + 2 * index + bound]
    }

    /// The bounds of all unary predicates: of each the upper one, then the lower one.
    #[inline(always)]
    pub(crate) fn unary_words(&self) -> &[u64] {
        &self.words[2 * self.nullary_words..2 * (self.nullary_words + self.unary)]
    }

    /// The upper (0) or lower (1) bound of a row of a binary predicate.
    #[inline(always)]
    pub(crate) fn row_word(&self, index: usize, bound: usize, row: usize) -> Mask {
        self.words[2 * (self.nullary_words + self.unary) + (2 * index + bound) * self.size + row]
    }

    fn binary_at(&self, index: usize) -> usize {
        2 * self.nullary_words + 2 * self.unary + 2 * self.size * index
    }

    /// The bounds of one row of a binary predicate: p(row, ·).
    #[must_use]
    pub fn row(&self, index: usize, row: usize) -> Bounds {
        let at = self.binary_at(index);
        Bounds { may: self.words[at + row], must: self.words[at + self.size + row] }
    }

    /// Sets one row of a binary predicate.
    pub fn set_row(&mut self, index: usize, row: usize, bounds: Bounds) {
        debug_assert_eq!(bounds.must & !bounds.may, 0);
        let at = self.binary_at(index);
        self.words[at + row] = bounds.may;
        self.words[at + self.size + row] = bounds.must;
    }

    /// The rows of a binary predicate, upper bounds then lower bounds.
    #[must_use]
    pub fn rows(&self, index: usize) -> (&[Mask], &[Mask]) {
        let at = self.binary_at(index);
        self.words[at..at + 2 * self.size].split_at(self.size)
    }

    /// The value of a predicate on a tuple.
    #[must_use]
    pub fn get(&self, slot: PredicateIndex, tuple: &[usize]) -> Kleene {
        let bit = |bounds: Bounds, u: usize| Kleene::from_bounds(bounds.may >> u & 1 == 1, bounds.must >> u & 1 == 1);
        match (slot.arity, tuple) {
            (Arity::Nullary, []) => self.nullary(slot.index),
            (Arity::Unary, [u]) => bit(self.unary(slot.index), *u),
            (Arity::Binary, [u, v]) => bit(self.row(slot.index, *u), *v),
            _ => Kleene::Unknown,
        }
    }

    /// Sets the value of a predicate on a tuple of its arity.
    pub fn set(&mut self, slot: PredicateIndex, tuple: &[usize], value: Kleene) {
        let change = |mut bounds: Bounds, u: usize| {
            put(&mut bounds.may, u, value.may());
            put(&mut bounds.must, u, value.must());
            bounds
        };
        match (slot.arity, tuple) {
            (Arity::Nullary, []) => self.set_nullary(slot.index, value),
            (Arity::Unary, [u]) => self.set_unary(slot.index, change(self.unary(slot.index), *u)),
            (Arity::Binary, [u, v]) => self.set_row(slot.index, *u, change(self.row(slot.index, *u), *v)),
            _ => debug_assert!(false, "a tuple of another arity"),
        }
    }

    /// The structure after every individual has been replaced by the class it is in: class `i` becomes individual
    /// `i`. Individuals in no class go. A value that differs within a class becomes 1/2; a class of several
    /// individuals is a summary. This is blur, renumbering and deletion in one.
    #[must_use]
    pub fn quotient(&self, classes: &[Mask]) -> Structure {
        let n = classes.len();
        let renumbering = Renumbering::new(classes);
        let layout_words = 2 * self.nullary_words + 2 * self.unary;
        let mut words = Vec::with_capacity(layout_words + 2 * n * self.binary);
        words.extend_from_slice(&self.words[..2 * self.nullary_words]);
        for index in 0..self.unary {
            let old = self.unary(index);
            let mut new = renumbering.gather(old);
            if index == SUMMARY {
                new.may |= renumbering.several;
                new.must = 0;
            }
            words.extend([new.may, new.must]);
        }
        for index in 0..self.binary {
            let (may, must) = self.rows(index);
            let start = words.len();
            words.resize(start + 2 * n, 0);
            for (i, class) in classes.iter().enumerate() {
                let row = members(*class).fold(Bounds { may: 0, must: !0 }, |row, u| Bounds {
                    may: row.may | may[u],
                    must: row.must & must[u],
                });
                if row.may == 0 {
                    continue;
                }
                let new = renumbering.gather(row);
                words[start + i] = new.may;
                words[start + n + i] = new.must;
            }
        }
        Structure { size: n, words, ..*self }
    }

    /// The structure with individuals appended: copies of `sources` in their order, or fresh ones with every value 0
    /// for `None`. Copies agree with their source on every predicate, also towards each other.
    ///
    /// # Errors
    /// There would be more than [`MAX_INDIVIDUALS`].
    pub fn extended(&self, sources: &[Option<usize>]) -> Result<Structure, TooManyIndividuals> {
        let size = self.size + sources.len();
        if size > MAX_INDIVIDUALS {
            return Err(TooManyIndividuals);
        }
        let spread = |word: Mask| {
            let copied = sources.iter().enumerate().filter(|(_, s)| s.is_some_and(|u| word >> u & 1 == 1));
            copied.fold(word, |word, (i, _)| word | 1 << (self.size + i))
        };
        let fixed = 2 * self.nullary_words + 2 * self.unary;
        let mut words = Vec::with_capacity(fixed + 2 * size * self.binary);
        words.extend_from_slice(&self.words[..2 * self.nullary_words]);
        words.extend(self.words[2 * self.nullary_words..fixed].iter().map(|w| spread(*w)));
        for index in 0..self.binary {
            let (may, must) = self.rows(index);
            for half in [may, must] {
                words.extend(half.iter().map(|w| spread(*w)));
                words.extend(sources.iter().map(|s| s.map_or(0, |u| spread(half[u]))));
            }
        }
        let mut structure = Structure { size, words, ..*self };
        let fresh = sources.iter().enumerate().filter(|(_, s)| s.is_none());
        let fresh = fresh.fold(0, |mask, (i, _)| mask | 1 << (self.size + i));
        let active = structure.active();
        structure.set_unary(ACTIVE, Bounds { may: active.may | fresh, must: active.must | fresh });
        Ok(structure)
    }

    /// Forgets which individuals are new.
    pub fn clear_new(&mut self) {
        self.set_unary(NEW, Bounds { may: 0, must: 0 });
    }

    /// The bounds of 64 nullary predicates.
    #[must_use]
    pub(crate) fn nullary_bounds(&self, word: usize) -> Bounds {
        Bounds { may: self.words[word], must: self.words[self.nullary_words + word] }
    }

    pub(crate) fn layout_nullary_words(&self) -> usize {
        self.nullary_words
    }

    pub(crate) fn layout_unary(&self) -> usize {
        self.unary
    }

    pub(crate) fn layout_binary(&self) -> usize {
        self.binary
    }

    /// How many words it takes.
    #[must_use]
    pub fn n_words(&self) -> usize {
        self.words.len()
    }

    /// All its words, in a fixed order.
    #[must_use]
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// The structure with the same universe and these words.
    #[must_use]
    pub(crate) fn with_words(&self, words: Vec<u64>) -> Structure {
        debug_assert_eq!(words.len(), self.words.len());
        Structure { words, ..*self }
    }

    /// The positions of each word of upper bounds and of the lower bounds of the same values.
    pub(crate) fn bound_pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let nullary = (0..self.nullary_words).map(|w| (w, w + self.nullary_words));
        let base = 2 * self.nullary_words;
        let unary = (0..self.unary).map(move |i| (base + 2 * i, base + 2 * i + 1));
        let size = self.size;
        let binary = (0..self.binary).flat_map(move |i| {
            let at = self.binary_at(i);
            (0..size).map(move |row| (at + row, at + size + row))
        });
        nullary.chain(unary).chain(binary)
    }
}

/// A structure would outgrow its words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a structure needs more than 64 individuals")]
pub struct TooManyIndividuals;

fn put(word: &mut u64, bit: usize, value: bool) {
    *word = *word & !(1 << bit) | u64::from(value) << bit;
}

/// Which class each individual is in.
struct Renumbering<'a> {
    classes: &'a [Mask],
    /// The class of each individual that is in one.
    class_of: [u8; MAX_INDIVIDUALS],
    /// The individuals that are alone in their class.
    alone: Mask,
    /// The others that are in one.
    together: Mask,
    /// The classes that are not of one individual.
    several: Mask,
}

impl Renumbering<'_> {
    fn new(classes: &[Mask]) -> Renumbering<'_> {
        let mut renumbering = Renumbering { classes, class_of: [0; 64], alone: 0, together: 0, several: 0 };
        for (i, class) in (0u8..).zip(classes) {
            members(*class).for_each(|u| renumbering.class_of[u] = i);
            if class.is_power_of_two() {
                renumbering.alone |= class;
            } else {
                renumbering.together |= class;
                renumbering.several |= 1 << i;
            }
        }
        renumbering
    }

    /// A set over individuals as a set over classes: possible if possible for one of the class, sure if sure for all.
    fn gather(&self, bounds: Bounds) -> Bounds {
        let classes = |set: Mask| members(set).fold(0, |out: Mask, u| out | 1 << self.class_of[u]);
        let sure = |i: &usize| self.classes[*i] & !bounds.must == 0;
        Bounds {
            may: classes(bounds.may & (self.alone | self.together)),
            must: classes(bounds.must & self.alone) | members(self.several).filter(sure).fold(0, |out, i| out | 1 << i),
        }
    }
}

/// A structure together with the meaning of predicate numbers: what the reference evaluation reads.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The structure.
    pub structure: &'a Structure,
    /// Its vocabulary.
    pub vocabulary: &'a Vocabulary,
}

impl evaluate::Structure for View<'_> {
    fn size(&self) -> usize {
        self.structure.size
    }

    fn value(&self, predicate: Predicate, tuple: &[usize]) -> Kleene {
        self.structure.get(self.vocabulary.slot(predicate), tuple)
    }

    fn equal(&self, a: usize, b: usize) -> Kleene {
        if a != b {
            Kleene::False
        } else if self.structure.summaries() >> a & 1 == 1 {
            Kleene::Unknown
        } else {
            Kleene::True
        }
    }

    fn active(&self, individual: usize) -> Kleene {
        self.structure.get(PredicateIndex { arity: Arity::Unary, index: ACTIVE }, &[individual])
    }
}
