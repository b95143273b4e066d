//! Kleene's three truth values.

use std::fmt;

/// A truth value: false, true, or "either is possible" (1/2). The derived order is the logical one: 0 < 1/2 < 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kleene {
    /// 0.
    False,
    /// 1/2.
    Unknown,
    /// 1.
    True,
}

impl Kleene {
    /// Conjunction: the minimum.
    #[must_use]
    pub fn and(self, other: Kleene) -> Kleene {
        self.min(other)
    }

    /// Disjunction: the maximum.
    #[must_use]
    pub fn or(self, other: Kleene) -> Kleene {
        self.max(other)
    }

    /// The least value in the information order that covers both.
    #[must_use]
    pub fn join(self, other: Kleene) -> Kleene {
        if self == other { self } else { Kleene::Unknown }
    }

    /// Whether `other` says no more than `self`: equal, or 1/2.
    #[must_use]
    pub fn is_covered_by(self, other: Kleene) -> bool {
        self == other || other == Kleene::Unknown
    }

    /// Whether the value is 0 or 1.
    #[must_use]
    pub fn is_definite(self) -> bool {
        self != Kleene::Unknown
    }

    /// The value with the given bounds: may it be true, must it be true.
    #[must_use]
    pub fn from_bounds(may: bool, must: bool) -> Kleene {
        match (may, must) {
            (false, _) => Kleene::False,
            (true, false) => Kleene::Unknown,
            (true, true) => Kleene::True,
        }
    }

    /// Whether the value may be true.
    #[must_use]
    pub fn may(self) -> bool {
        self != Kleene::False
    }

    /// Whether the value must be true.
    #[must_use]
    pub fn must(self) -> bool {
        self == Kleene::True
    }
}

impl std::ops::Not for Kleene {
    type Output = Kleene;

    /// Negation: 1/2 stays 1/2.
    fn not(self) -> Kleene {
        match self {
            Kleene::False => Kleene::True,
            Kleene::Unknown => Kleene::Unknown,
            Kleene::True => Kleene::False,
        }
    }
}

impl From<bool> for Kleene {
    fn from(value: bool) -> Kleene {
        if value { Kleene::True } else { Kleene::False }
    }
}

impl fmt::Display for Kleene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kleene::False => "0",
            Kleene::Unknown => "1/2",
            Kleene::True => "1",
        })
    }
}
