//! Sets that say when they are full.

use smallvec::SmallVec;

/// A set of at most `MOST` values, or the answer that there are more. A reader cannot take a set that stopped growing for a
/// complete one: there are no values to see once it is [`BoundedSet::TooMany`]. As a lattice, the sets by inclusion with
/// `TooMany` above all of them, so it fits a fixed point.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum BoundedSet<T, const MOST: usize> {
    /// These and no others, in the order they came.
    Known(SmallVec<[T; 2]>),
    /// More than `MOST`: any value is possible.
    TooMany,
}

/// Whether a set grew, as a fixed point wants to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Growth {
    /// Nothing was added.
    Same,
    /// It grew, perhaps to [`BoundedSet::TooMany`].
    Grew,
}

impl Growth {
    /// Whether it grew.
    pub fn grew(self) -> bool {
        self == Growth::Grew
    }
}

impl std::ops::BitOrAssign for Growth {
    fn bitor_assign(&mut self, other: Growth) {
        if other.grew() {
            *self = Growth::Grew;
        }
    }
}

impl<T, const MOST: usize> Default for BoundedSet<T, MOST> {
    fn default() -> BoundedSet<T, MOST> {
        BoundedSet::Known(SmallVec::new())
    }
}

impl<T: PartialEq, const MOST: usize> BoundedSet<T, MOST> {
    /// The set of one value.
    pub fn one(value: T) -> BoundedSet<T, MOST> {
        let mut set = BoundedSet::default();
        set.insert(value);
        set
    }

    /// Adds a value.
    pub fn insert(&mut self, value: T) -> Growth {
        match self {
            BoundedSet::TooMany => Growth::Same,
            BoundedSet::Known(values) if values.contains(&value) => Growth::Same,
            BoundedSet::Known(values) if values.len() == MOST => {
                *self = BoundedSet::TooMany;
                Growth::Grew
            }
            BoundedSet::Known(values) => {
                values.push(value);
                Growth::Grew
            }
        }
    }

    /// Any value is possible from now on.
    pub fn overflow(&mut self) -> Growth {
        let before = std::mem::replace(self, BoundedSet::TooMany);
        if before == BoundedSet::TooMany { Growth::Same } else { Growth::Grew }
    }

    /// Adds all of `other`.
    pub fn union(&mut self, other: &BoundedSet<T, MOST>) -> Growth
    where
        T: Clone,
    {
        match other {
            BoundedSet::TooMany => self.overflow(),
            BoundedSet::Known(values) => self.extend(values.iter().cloned()),
        }
    }

    /// Adds some values.
    pub fn extend(&mut self, values: impl IntoIterator<Item = T>) -> Growth {
        let mut growth = Growth::Same;
        for value in values {
            growth |= self.insert(value);
        }
        growth
    }

    /// All values; `None` if there are too many.
    pub fn known(&self) -> Option<&[T]> {
        match self {
            BoundedSet::Known(values) => Some(values),
            BoundedSet::TooMany => None,
        }
    }

    /// Whether the value may be in it: always, if there are too many.
    pub fn may_contain(&self, value: &T) -> bool {
        match self {
            BoundedSet::Known(values) => values.contains(value),
            BoundedSet::TooMany => true,
        }
    }

    /// Whether it surely has no value.
    pub fn is_empty(&self) -> bool {
        match self {
            BoundedSet::Known(values) => values.is_empty(),
            BoundedSet::TooMany => false,
        }
    }
}
