//! The order of states: join, widening, inclusion.

use crate::equalities::{Equalities, modulo};
use crate::range::Range;
use crate::state::{Facts, State, Variable};
use std::collections::BTreeMap;

impl<V: Variable> State<V> {
    /// A state that has all valuations of both.
    pub fn join(&self, other: &State<V>) -> State<V> {
        self.unite(other, Range::join, |pairs, others| pairs.iter().chain(others).cloned().collect())
    }

    /// A state that has all valuations of both, and of which a chain `x = x.widen(y)` is finite: bounds that move go to
    /// the next of the thresholds (sorted), then to limits of types; nothing is learnt from `newer`.
    pub fn widen(&self, newer: &State<V>, thresholds: &[i128]) -> State<V> {
        self.unite(newer, |one, other| one.widen(other, thresholds), |pairs, _| pairs.to_vec())
    }

    fn unite(
        &self,
        other: &State<V>,
        range: impl Fn(&Range, &Range) -> Range,
        pairs: impl Fn(&[(V, V)], &[(V, V)]) -> Vec<(V, V)>,
    ) -> State<V> {
        let (left, right) = match (self.facts(), other.facts()) {
            (None, _) => return other.clone(),
            (_, None) => return self.clone(),
            (Some(left), Some(right)) => (left, right),
        };
        if self == other {
            return self.clone();
        }
        let mut facts = Facts::none();
        for (variable, one) in &left.ranges {
            let joined = range(one, &right.range(variable));
            if !joined.is_all() {
                facts.ranges.push((variable.clone(), joined));
            }
        }
        facts.equalities = common_equalities(left, right);
        let candidates = pairs(&left.distinct, &right.distinct);
        facts.distinct = candidates.into_iter().filter(|(x, y)| left.differ(x, y) && right.differ(x, y)).collect();
        // No conclusions here: they could take back what a widening gave up, again and again.
        match facts.normalize() {
            Ok(()) => State::from_facts(facts),
            // Unreachable: both sides satisfy every fact. Knowing nothing is right in any case.
            Err(_) => State::top(),
        }
    }

    /// Whether all valuations are in the other one. `false` may also mean that it cannot be seen.
    pub fn leq(&self, other: &State<V>) -> bool {
        let (left, right) = match (self.facts(), other.facts()) {
            (None, _) => return true,
            (_, None) => return false,
            (Some(left), Some(right)) => (left, right),
        };
        right.ranges.iter().all(|(variable, range)| left.range(variable).leq(range))
            && right.equalities.classes().iter().all(|class| {
                let (first, _) = &class.members[0];
                class.members[1..].iter().all(|(member, offset)| left.has_offset(member, first, *offset, class.bits))
            })
            && right.distinct.iter().all(|(x, y)| left.differ(x, y))
    }
}

/// Where a variable stands: relative to zero, or to its class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Base {
    Zero,
    Class(usize),
}

impl<V: Variable> Facts<V> {
    fn standing(&self, variable: &V) -> Option<(Base, i128, u32)> {
        if let Some(value) = self.range(variable).as_constant() {
            return Some((Base::Zero, value, 64));
        }
        let (class, offset) = self.equalities.find(variable)?;
        Some((Base::Class(class), offset, self.equalities.classes()[class].bits))
    }

    /// Whether x ≡ y + offset (mod 2^bits).
    fn has_offset(&self, x: &V, y: &V, offset: i128, bits: u32) -> bool {
        match (self.standing(x), self.standing(y)) {
            (Some((one, at_x, known)), Some((other, at_y, _))) => {
                one == other && known >= bits && modulo(at_x.wrapping_sub(at_y), bits) == offset
            }
            (None, _) | (_, None) => false,
        }
    }
}

/// Variables with offsets, and the bits that these are about.
type Group<V> = (Vec<(V, i128)>, u32);

/// Variables that differ by the same constant on both sides. One value on a side is a distance from zero: so 0, 0 and
/// 1, 1 become x = y.
fn common_equalities<V: Variable>(left: &Facts<V>, right: &Facts<V>) -> Equalities<V> {
    let mut variables: Vec<&V> = Vec::new();
    for facts in [left, right] {
        let members = facts.equalities.classes().iter().flat_map(|class| class.members.iter().map(|member| &member.0));
        let constants = facts.ranges.iter().filter(|(_, range)| range.as_constant().is_some()).map(|(v, _)| v);
        variables.extend(members.chain(constants));
    }
    variables.sort();
    variables.dedup();
    let mut groups: BTreeMap<(Base, Base, i128), Group<V>> = BTreeMap::new();
    for variable in variables {
        let (Some(one), Some(other)) = (left.standing(variable), right.standing(variable)) else { continue };
        let bits = one.2.min(other.2);
        let turn = modulo(one.1.wrapping_sub(other.1), bits);
        let group = groups.entry((one.0, other.0, turn)).or_insert((Vec::new(), bits));
        group.0.push((variable.clone(), one.1));
    }
    Equalities::from_groups(groups.into_values())
}
