//! Joins: how the structures of one location are kept together.

use crate::blur::Abstraction;
use crate::structure::{Bounds, Structure, TooManyIndividuals, members};
use crate::vocabulary::ACTIVE;

/// How the structures of a location are joined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Join {
    /// A set: every structure is kept apart.
    Relational,
    /// Structures with the same nullary abstraction values and the same canonical names are merged.
    Partial,
    /// All are merged into one.
    Single,
}

/// What structures must have in common to be merged.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Key(Vec<u64>);

impl Key {
    /// A key that has more in common.
    #[must_use]
    pub fn with(mut self, more: impl IntoIterator<Item = u64>) -> Key {
        self.0.extend(more);
        self
    }
}

impl Join {
    /// The key of a blurred structure; structures with the same key are merged.
    #[must_use]
    pub fn key(self, abstraction: &Abstraction, structure: &Structure) -> Key {
        match self {
            Join::Relational => Key(structure.words().to_vec()),
            Join::Partial => {
                let mut key = Vec::with_capacity(1 + 2 * (abstraction.nullary.len() + abstraction.unary.len()));
                key.push(structure.size() as u64);
                for (word, mask) in abstraction.nullary.iter().enumerate() {
                    let bounds = structure.nullary_bounds(word);
                    key.extend([bounds.may & mask, bounds.must & mask]);
                }
                for index in &abstraction.unary {
                    let bounds = structure.unary(*index);
                    key.extend([bounds.may, bounds.must]);
                }
                Key(key)
            }
            Join::Single => Key(Vec::new()),
        }
    }

    /// The least structure of the mode that represents what both represent. The two have the same key.
    ///
    /// # Errors
    /// The merged structure would have too many individuals.
    pub fn join(
        self,
        abstraction: &Abstraction,
        a: &Structure,
        b: &Structure,
    ) -> Result<Structure, TooManyIndividuals> {
        match self {
            Join::Relational => Ok(a.clone()),
            Join::Partial => Ok(pointwise(a, b)),
            Join::Single => {
                let (a, b) = align(abstraction, a, b)?;
                Ok(joined(&a, &b))
            }
        }
    }
}

/// The least upper bound of two structures with the same universe.
fn pointwise(a: &Structure, b: &Structure) -> Structure {
    let mut words = a.words().to_vec();
    for (may, must) in a.bound_pairs() {
        words[may] |= b.words()[may];
        words[must] &= b.words()[must];
    }
    a.with_words(words)
}

/// The same, where an individual that only one of the two has keeps that one's values and may be absent.
fn joined(a: &Structure, b: &Structure) -> Structure {
    let (in_a, in_b) = (a.active().may, b.active().may);
    let (only_a, only_b) = (in_a & !in_b, in_b & !in_a);
    let both = in_a & in_b;
    let merge = |x: Bounds, y: Bounds, shared: u64| Bounds {
        may: x.may | y.may,
        must: x.must & y.must & shared | x.must & only_a | y.must & only_b,
    };
    let mut out = pointwise(a, b);
    for index in 0..a.layout_unary() {
        let mut bounds = merge(a.unary(index), b.unary(index), both);
        if index == ACTIVE {
            bounds.must = a.active().must & b.active().must;
        }
        out.set_unary(index, bounds);
    }
    for index in 0..a.layout_binary() {
        for row in 0..a.size() {
            let (x, y) = (a.row(index, row), b.row(index, row));
            let bounds = if only_a >> row & 1 == 1 {
                x
            } else if only_b >> row & 1 == 1 {
                y
            } else {
                merge(x, y, both)
            };
            out.set_row(index, row, bounds);
        }
    }
    out
}

/// Both structures over the union of their canonical names; absent individuals have `ac` = 0.
fn align(
    abstraction: &Abstraction,
    a: &Structure,
    b: &Structure,
) -> Result<(Structure, Structure), TooManyIndividuals> {
    let name = |s: &Structure, u: usize| -> Vec<(bool, bool)> {
        let value = |bounds: Bounds| (bounds.may >> u & 1 == 1, bounds.must >> u & 1 == 1);
        abstraction.unary.iter().map(|i| value(s.unary(*i))).collect()
    };
    let names_a: Vec<_> = (0..a.size()).map(|u| name(a, u)).collect();
    let names_b: Vec<_> = (0..b.size()).map(|u| name(b, u)).collect();
    let mut all: Vec<_> = names_a.iter().chain(&names_b).cloned().collect();
    all.sort();
    all.dedup();
    Ok((spread(a, &names_a, &all)?, spread(b, &names_b, &all)?))
}

type CanonicalName = Vec<(bool, bool)>;

fn spread(s: &Structure, names: &[CanonicalName], all: &[CanonicalName]) -> Result<Structure, TooManyIndividuals> {
    let missing = all.iter().filter(|n| !names.contains(n)).count();
    let mut extended = s.extended(&vec![None; missing])?;
    let absent: u64 = (s.size()..extended.size()).fold(0, |mask, u| mask | 1 << u);
    let active = extended.active();
    extended.set_unary(ACTIVE, Bounds { may: active.may & !absent, must: active.must & !absent });
    let mut fresh = members(absent);
    let classes: Vec<u64> =
        all.iter().map(|n| names.iter().position(|m| m == n).or_else(|| fresh.next()).map_or(0, |u| 1 << u)).collect();
    Ok(extended.quotient(&classes))
}
