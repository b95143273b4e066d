//! Sets of integers: a range, and a few values of it that are left out.

use heapwise_ir::{IntType, integer};
use smallvec::SmallVec;

/// How many values are left out of a range at most. More are let in again, those farthest from zero first: zero is the
/// value that C programs test for.
pub const MAX_HOLES: usize = 8;

/// The integers from `least` to `greatest`, both included, but for the holes. Never empty: what may be empty is an
/// `Option<Range>`.
///
/// Invariant: `least <= greatest`; holes are sorted, lie strictly between the two, and are at most [`MAX_HOLES`].
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Range {
    least: i128,
    greatest: i128,
    holes: SmallVec<[i128; 2]>,
}

/// Limits of the integer types: where a bound goes that keeps moving and has passed all thresholds.
const TYPE_LIMITS: [i128; 9] = [
    i64::MIN as i128,
    i32::MIN as i128,
    0,
    1,
    i32::MAX as i128,
    u32::MAX as i128,
    i64::MAX as i128,
    u64::MAX as i128,
    i128::MAX,
];

impl Range {
    /// Every integer that can be written down here. Values of 16 bytes lie in it, too: see [`integer::range`].
    pub fn all() -> Range {
        Range { least: i128::MIN, greatest: i128::MAX, holes: SmallVec::new() }
    }

    /// One integer.
    pub fn constant(value: i128) -> Range {
        Range { least: value, greatest: value, holes: SmallVec::new() }
    }

    /// Those between the two, both included.
    pub fn between(least: i128, greatest: i128) -> Option<Range> {
        (least <= greatest).then_some(Range { least, greatest, holes: SmallVec::new() })
    }

    /// The values of a type.
    pub fn of_type(int: IntType) -> Range {
        let (least, greatest) = integer::range(int);
        Range { least, greatest, holes: SmallVec::new() }
    }

    /// The least value.
    pub fn least(&self) -> i128 {
        self.least
    }

    /// The greatest value.
    pub fn greatest(&self) -> i128 {
        self.greatest
    }

    /// The values between the least and the greatest that are left out, in order.
    pub fn holes(&self) -> &[i128] {
        &self.holes
    }

    /// Whether it says nothing.
    pub fn is_all(&self) -> bool {
        self.least == i128::MIN && self.greatest == i128::MAX && self.holes.is_empty()
    }

    /// The value, if there is one only.
    pub fn as_constant(&self) -> Option<i128> {
        (self.least == self.greatest).then_some(self.least)
    }

    /// Whether the value is one of them.
    pub fn contains(&self, value: i128) -> bool {
        self.least <= value && value <= self.greatest && self.holes.binary_search(&value).is_err()
    }

    /// Whether all of them are values of the type.
    pub fn fits(&self, int: IntType) -> bool {
        let (least, greatest) = integer::range(int);
        least <= self.least && self.greatest <= greatest
    }

    /// Whether there are at most 2^`bits` from the least to the greatest.
    pub fn is_within_bits(&self, bits: u32) -> bool {
        self.greatest.checked_sub(self.least).is_some_and(|size| size < 1i128 << bits.min(126))
    }

    /// Those that are in both.
    pub fn meet(&self, other: &Range) -> Option<Range> {
        let mut range = Range::between(self.least.max(other.least), self.greatest.min(other.greatest))?;
        range.holes = self.holes.iter().chain(&other.holes).copied().collect();
        range.normalized()
    }

    /// Without one value.
    pub fn without(&self, value: i128) -> Option<Range> {
        let mut range = self.clone();
        range.holes.push(value);
        range.normalized()
    }

    /// A range that has all of both. What both leave out is left out, zero included if it lies between them.
    pub fn join(&self, other: &Range) -> Range {
        let candidates = self.holes.iter().chain(&other.holes).copied().chain([0]);
        self.hull(other, candidates)
    }

    /// A range that has all of both, and of which a chain is finite: bounds that move go to the next threshold (sorted), or
    /// the next limit of a type, and no hole is new.
    pub fn widen(&self, newer: &Range, thresholds: &[i128]) -> Range {
        debug_assert!(thresholds.is_sorted());
        let mut range = self.hull(newer, self.holes.iter().copied());
        if range.least < self.least {
            range.least = last_up_to(thresholds, range.least).max(last_up_to(&TYPE_LIMITS, range.least));
        }
        if range.greatest > self.greatest {
            range.greatest = first_from(thresholds, range.greatest).min(first_from(&TYPE_LIMITS, range.greatest));
        }
        range
    }

    /// Whether all of them are in the other one.
    pub fn leq(&self, other: &Range) -> bool {
        other.least <= self.least
            && self.greatest <= other.greatest
            && other.holes.iter().all(|hole| !self.contains(*hole))
    }

    /// Each moved by `distance`; `None` if one of them cannot be written down.
    pub fn shifted(&self, distance: i128) -> Option<Range> {
        Some(Range {
            least: self.least.checked_add(distance)?,
            greatest: self.greatest.checked_add(distance)?,
            holes: self.holes.iter().map(|hole| hole + distance).collect(),
        })
    }

    fn hull(&self, other: &Range, candidates: impl Iterator<Item = i128>) -> Range {
        let holes = candidates.filter(|hole| !self.contains(*hole) && !other.contains(*hole)).collect();
        let range = Range { least: self.least.min(other.least), greatest: self.greatest.max(other.greatest), holes };
        range.clone().normalized().unwrap_or(range)
    }

    /// Restores the invariant; `None` if nothing is left.
    fn normalized(mut self) -> Option<Range> {
        self.holes.sort_unstable();
        self.holes.dedup();
        let (mut least, mut greatest) = (self.least, self.greatest);
        for hole in &self.holes {
            if *hole == least {
                least = least.checked_add(1)?;
            }
        }
        for hole in self.holes.iter().rev() {
            if *hole == greatest {
                greatest = greatest.checked_sub(1)?;
            }
        }
        (self.least, self.greatest) = (least, greatest);
        self.holes.retain(|hole| least < *hole && *hole < greatest);
        if self.holes.len() > MAX_HOLES {
            self.holes.sort_unstable_by_key(|hole| (hole.unsigned_abs(), *hole));
            self.holes.truncate(MAX_HOLES);
            self.holes.sort_unstable();
        }
        (least <= greatest).then_some(self)
    }
}

/// The last of the sorted values that is at most `bound`.
fn last_up_to(values: &[i128], bound: i128) -> i128 {
    let n_below = values.partition_point(|value| *value <= bound);
    n_below.checked_sub(1).map_or(i128::MIN, |index| values[index])
}

/// The first of the sorted values that is at least `bound`.
fn first_from(values: &[i128], bound: i128) -> i128 {
    values.get(values.partition_point(|value| *value < bound)).copied().unwrap_or(i128::MAX)
}
