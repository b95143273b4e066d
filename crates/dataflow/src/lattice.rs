//! What states are elements of.

/// A partial order in which any two elements have a least upper bound.
///
/// *Up* is *less precise*: the join of what holds on two paths is what may be relied on where they meet. For a may-analysis
/// that is the union ([`crate::MaySet`]), for a must-analysis the intersection ([`crate::MustSet`]):
///
/// ```text
///       {a, b}                {}
///       /    \              /    \
///     {a}    {b}          {a}    {b}
///       \    /              \    /
///         {}                {a, b}
///      MaySet               MustSet
/// ```
///
/// No bottom is asked for: a node that nothing has reached yet has no state at all, which lies below every other one.
///
/// # Laws
/// `join` is associative, commutative and idempotent up to `==`, and says whether the element changed. A chain of elements that
/// grow has an end.
pub trait JoinSemiLattice: Clone + PartialEq {
    /// Takes the least upper bound with another element; says whether that is another one than before.
    fn join(&mut self, other: &Self) -> bool;
}

/// Whether a node is reached, and nothing else.
impl JoinSemiLattice for () {
    fn join(&mut self, (): &()) -> bool {
        false
    }
}

/// A small set, by its bits.
impl JoinSemiLattice for u64 {
    fn join(&mut self, other: &u64) -> bool {
        let before = std::mem::replace(self, *self | *other);
        before != *self
    }
}

/// Both of two things.
impl<A: JoinSemiLattice, B: JoinSemiLattice> JoinSemiLattice for (A, B) {
    fn join(&mut self, other: &(A, B)) -> bool {
        let first = self.0.join(&other.0);
        self.1.join(&other.1) || first
    }
}
