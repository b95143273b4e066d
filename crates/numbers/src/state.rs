//! What is known about a set of variables.

use crate::equalities::{Contradiction, Equalities, modulo};
use crate::range::Range;
use std::hash::Hash;
use std::sync::Arc;

/// What a variable is named by: a register, a symbolic value of a heap.
pub trait Variable: Ord + Clone + Hash {}

impl<V: Ord + Clone + Hash> Variable for V {}

/// What is known about variables: the set of their valuations that are possible. Cloning it is cheap; equal states are
/// equal as values, whatever their history.
///
/// A variable that a state does not mention may have any value. See the crate's page for the laws.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State<V> {
    /// `None`: no valuation is possible.
    facts: Option<Arc<Facts<V>>>,
}

/// The facts of a state that is possible.
///
/// Invariant: all vectors are sorted without duplicates. No range is [`Range::all`]. Variables with one value are in no class. A
/// pair is (smaller, greater), each of them the first of the variables that are known to equal it, and is not known from
/// ranges or classes already.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Facts<V> {
    pub ranges: Vec<(V, Range)>,
    pub equalities: Equalities<V>,
    pub distinct: Vec<(V, V)>,
}

/// How often ranges are carried along equalities after a change: each round is sound, and two are nearly always enough.
const MAX_ROUNDS: usize = 4;

/// Differences farther from zero than this are not looked at, so that nothing below overflows.
const FARTHEST: i128 = 1 << 120;

impl<V: Variable> State<V> {
    /// Nothing is known.
    pub fn top() -> State<V> {
        State { facts: Some(Arc::new(Facts::none())) }
    }

    /// No valuation is possible: what follows is not reached.
    pub fn bottom() -> State<V> {
        State { facts: None }
    }

    /// Whether no valuation is possible.
    pub fn is_bottom(&self) -> bool {
        self.facts.is_none()
    }

    /// The values that the variable may have; `None` in a state that is not possible.
    pub fn range(&self, variable: &V) -> Option<Range> {
        Some(self.facts.as_ref()?.range(variable))
    }

    /// The value of the variable, if only one is possible.
    pub fn constant(&self, variable: &V) -> Option<i128> {
        self.facts.as_ref()?.range(variable).as_constant()
    }

    /// c with x = y + c, as integers, if it is known.
    pub fn difference(&self, x: &V, y: &V) -> Option<i128> {
        self.facts.as_ref()?.difference(x, y)
    }

    /// Whether the valuation is one of those that the state stands for.
    pub fn admits(&self, value: impl Fn(&V) -> i128) -> bool {
        let Some(facts) = &self.facts else { return false };
        let has_offset = |first: &V, (member, offset): &(V, i128), bits: u32| {
            modulo(value(member).wrapping_sub(value(first)), bits) == *offset
        };
        facts.ranges.iter().all(|(variable, range)| range.contains(value(variable)))
            && facts
                .equalities
                .classes()
                .iter()
                .all(|class| class.members.iter().all(|member| has_offset(&class.members[0].0, member, class.bits)))
            && facts.distinct.iter().all(|(x, y)| value(x) != value(y))
    }

    /// The variables that something is known about, in order.
    pub fn variables(&self) -> Vec<&V> {
        let Some(facts) = &self.facts else { return Vec::new() };
        let members = facts.equalities.classes().iter().flat_map(|class| class.members.iter().map(|member| &member.0));
        let pairs = facts.distinct.iter().flat_map(|(one, other)| [one, other]);
        let mut variables: Vec<&V> =
            facts.ranges.iter().map(|(variable, _)| variable).chain(members).chain(pairs).collect();
        variables.sort();
        variables.dedup();
        variables
    }

    /// The variable may have any value from now on; what is known about others stays.
    pub fn forget(&mut self, variable: &V) {
        self.change(|facts| {
            facts.forget(variable);
            Ok(())
        });
    }

    /// Forgets all variables but these.
    pub fn retain(&mut self, mut keep: impl FnMut(&V) -> bool) {
        let unwanted: Vec<V> = self.variables().into_iter().filter(|variable| !keep(variable)).cloned().collect();
        for variable in unwanted {
            self.forget(&variable);
        }
    }

    /// What was known about `from` is known about `to`, and `from` may have any value. What `to` was before is forgotten.
    pub fn rename(&mut self, from: &V, to: V) {
        if *from != to {
            self.forget(&to);
            *self = self.map(|variable| if variable == from { to.clone() } else { variable.clone() });
        }
    }

    /// The same about other variables. `name` must give different variables different names.
    pub fn map<W: Variable>(&self, mut name: impl FnMut(&V) -> W) -> State<W> {
        let Some(facts) = &self.facts else { return State::bottom() };
        let mut ranges: Vec<(W, Range)> = facts.ranges.iter().map(|(v, range)| (name(v), range.clone())).collect();
        ranges.sort();
        debug_assert!(ranges.windows(2).all(|pair| pair[0].0 != pair[1].0), "two variables with one name");
        let groups: Vec<_> = facts
            .equalities
            .classes()
            .iter()
            .map(|class| {
                let members = class.members.iter().map(|(member, offset)| (name(member), *offset));
                (members.collect::<Vec<_>>(), class.bits)
            })
            .collect();
        let distinct = facts.distinct.iter().map(|(one, other)| (name(one), name(other))).collect();
        let mut mapped = Facts { ranges, equalities: Equalities::from_groups(groups), distinct };
        // The order of names decides which of several equal variables speaks for them.
        match mapped.normalize() {
            Ok(()) => State { facts: Some(Arc::new(mapped)) },
            Err(Contradiction) => State::bottom(),
        }
    }

    pub(crate) fn facts(&self) -> Option<&Facts<V>> {
        self.facts.as_deref()
    }

    pub(crate) fn from_facts(facts: Facts<V>) -> State<V> {
        State { facts: Some(Arc::new(facts)) }
    }

    /// Changes the facts and draws conclusions.
    pub(crate) fn change(&mut self, change: impl FnOnce(&mut Facts<V>) -> Result<(), Contradiction>) {
        let Some(facts) = &mut self.facts else { return };
        let facts = Arc::make_mut(facts);
        if change(facts).and_then(|()| facts.reduce()).is_err() {
            self.facts = None;
        }
    }
}

impl<V: Variable> Facts<V> {
    pub fn none() -> Facts<V> {
        Facts { ranges: Vec::new(), equalities: Equalities::none(), distinct: Vec::new() }
    }

    pub fn range(&self, variable: &V) -> Range {
        match self.ranges.binary_search_by(|(other, _)| other.cmp(variable)) {
            Ok(index) => self.ranges[index].1.clone(),
            Err(_) => Range::all(),
        }
    }

    pub fn set_range(&mut self, variable: &V, range: Range) {
        match (self.ranges.binary_search_by(|(other, _)| other.cmp(variable)), range.is_all()) {
            (Ok(index), true) => {
                self.ranges.remove(index);
            }
            (Ok(index), false) => self.ranges[index].1 = range,
            (Err(_), true) => {}
            (Err(index), false) => self.ranges.insert(index, (variable.clone(), range)),
        }
    }

    /// The variable is one of these, too.
    pub fn meet_range(&mut self, variable: &V, range: &Range) -> Result<(), Contradiction> {
        let met = self.range(variable).meet(range).ok_or(Contradiction)?;
        self.set_range(variable, met);
        Ok(())
    }

    pub fn forget(&mut self, variable: &V) {
        // Another variable that equals it speaks for both from now on.
        let successor = self.equals(variable).find(|other| other != variable);
        self.set_range(variable, Range::all());
        self.equalities.forget(variable);
        for pair in &mut self.distinct {
            for end in [&mut pair.0, &mut pair.1] {
                if let Some(successor) = &successor
                    && end == variable
                {
                    *end = successor.clone();
                }
            }
        }
        self.distinct.retain(|(one, other)| one != variable && other != variable);
    }

    /// Differences d with x = y + d that ranges and classes leave, if they can be listed: least, greatest, and what lies
    /// between them is a step apart. `Some(None)` if there is none: the facts contradict each other.
    pub fn differences(&self, x: &V, y: &V) -> Option<Option<Differences>> {
        if x == y {
            return Some(Some(Differences { least: 0, greatest: 0, step: 1 }));
        }
        let (left, right) = (self.range(x), self.range(y));
        let least = left.least().checked_sub(right.greatest())?;
        let greatest = left.greatest().checked_sub(right.least())?;
        if least < -FARTHEST || greatest > FARTHEST {
            return None;
        }
        let all = Differences { least, greatest, step: 1 };
        Some(match self.equalities.offset(x, y) {
            Some((offset, bits)) => all.congruent(offset, bits),
            None => Some(all),
        })
    }

    pub fn difference(&self, x: &V, y: &V) -> Option<i128> {
        let found = self.differences(x, y)??;
        (found.least == found.greatest).then_some(found.least)
    }

    /// The variables that are known to equal this one, itself included, in order. Variables with one value stand alone.
    fn equals(&self, variable: &V) -> impl Iterator<Item = V> {
        let class = self.equalities.find(variable).map(|(class, _)| &self.equalities.classes()[class]);
        let members = class.map_or(&[][..], |class| &class.members).iter().map(|(member, _)| member);
        let mut found: Vec<V> = members.filter(|other| self.difference(other, variable) == Some(0)).cloned().collect();
        if found.is_empty() {
            found.push(variable.clone());
        }
        found.into_iter()
    }

    pub fn leader(&self, variable: &V) -> V {
        self.equals(variable).next().unwrap_or_else(|| variable.clone())
    }

    /// Whether ranges or classes show that the two differ.
    fn are_apart(&self, x: &V, y: &V) -> bool {
        match self.differences(x, y) {
            Some(None) => true,
            Some(Some(found)) if !found.contains(0) => true,
            Some(Some(_)) | None => {
                let (left, right) = (self.range(x), self.range(y));
                let misses = |one: &Range, other: &Range| one.as_constant().is_some_and(|value| !other.contains(value));
                misses(&left, &right) || misses(&right, &left)
            }
        }
    }

    /// Whether the two are known to differ.
    pub fn differ(&self, x: &V, y: &V) -> bool {
        if self.are_apart(x, y) {
            return true;
        }
        let (x, y) = (self.leader(x), self.leader(y));
        let pair = if x < y { (x, y) } else { (y, x) };
        self.distinct.binary_search(&pair).is_ok()
    }

    pub fn add_distinct(&mut self, x: &V, y: &V) {
        self.distinct.push((x.clone(), y.clone()));
    }

    /// Carries ranges along classes and pairs, then restores the invariant.
    pub fn reduce(&mut self) -> Result<(), Contradiction> {
        for _ in 0..MAX_ROUNDS {
            let before = self.ranges.clone();
            self.reduce_by_classes()?;
            self.reduce_by_pairs()?;
            if self.ranges == before {
                break;
            }
        }
        self.normalize()
    }

    pub fn reduce_by_classes(&mut self) -> Result<(), Contradiction> {
        for index in 0..self.equalities.classes().len() {
            let members: Vec<V> =
                self.equalities.classes()[index].members.iter().map(|(member, _)| member.clone()).collect();
            for x in &members {
                for y in members.iter().filter(|y| *y != x) {
                    self.carry(x, y, i128::MIN, i128::MAX)?;
                }
            }
        }
        Ok(())
    }

    /// Refines x by the range of y, where x - y is known to lie between the bounds.
    pub fn carry(&mut self, x: &V, y: &V, least: i128, greatest: i128) -> Result<(), Contradiction> {
        let Some(found) = self.differences(x, y) else { return Ok(()) };
        let found = found.and_then(|found| found.between(least, greatest)).ok_or(Contradiction)?;
        let (left, right) = (self.range(x), self.range(y));
        if found.least == found.greatest {
            let Some(moved) = right.shifted(found.least) else { return Ok(()) };
            return self.meet_range(x, &moved);
        }
        // Several differences: from the lowest value of y by the least of them to the highest by the greatest.
        let bounds = right.least().checked_add(found.least).zip(right.greatest().checked_add(found.greatest));
        match bounds.and_then(|(low, high)| Range::between(low.max(left.least()), high.min(left.greatest()))) {
            Some(moved) => self.meet_range(x, &moved),
            None => Ok(()),
        }
    }

    fn reduce_by_pairs(&mut self) -> Result<(), Contradiction> {
        for index in 0..self.distinct.len() {
            let (x, y) = self.distinct[index].clone();
            for (one, other) in [(&x, &y), (&y, &x)] {
                if let Some(value) = self.range(one).as_constant() {
                    let without = self.range(other).without(value).ok_or(Contradiction)?;
                    self.set_range(other, without);
                }
            }
        }
        Ok(())
    }

    /// Restores the invariant without drawing conclusions from it.
    pub fn normalize(&mut self) -> Result<(), Contradiction> {
        let constants: Vec<V> = {
            let members =
                self.equalities.classes().iter().flat_map(|class| class.members.iter().map(|member| &member.0));
            members.filter(|member| self.range(member).as_constant().is_some()).cloned().collect()
        };
        for constant in &constants {
            self.equalities.forget(constant);
        }
        let mut distinct = Vec::with_capacity(self.distinct.len());
        for (x, y) in &self.distinct {
            let (x, y) = (self.leader(x), self.leader(y));
            if x == y || self.difference(&x, &y) == Some(0) {
                return Err(Contradiction);
            }
            if !self.are_apart(&x, &y) {
                distinct.push(if x < y { (x, y) } else { (y, x) });
            }
        }
        distinct.sort();
        distinct.dedup();
        self.distinct = distinct;
        Ok(())
    }
}

/// Numbers from `least` to `greatest`, a `step` apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Differences {
    pub least: i128,
    pub greatest: i128,
    step: i128,
}

impl Differences {
    fn congruent(self, offset: i128, bits: u32) -> Option<Differences> {
        let step = 1i128 << bits;
        let least = self.least + modulo(offset - self.least, bits);
        let greatest = self.greatest - modulo(self.greatest - offset, bits);
        (least <= greatest).then_some(Differences { least, greatest, step })
    }

    /// Those of them between the bounds.
    pub fn between(self, least: i128, greatest: i128) -> Option<Differences> {
        let up = |value: i128| {
            let missing = (value - self.least).rem_euclid(self.step);
            if missing == 0 { Some(value) } else { value.checked_add(self.step - missing) }
        };
        let least = if least <= self.least {
            self.least
        } else if least > self.greatest {
            return None;
        } else {
            up(least)?
        };
        let greatest = if greatest >= self.greatest {
            self.greatest
        } else if greatest < self.least {
            return None;
        } else {
            greatest - (greatest - self.least).rem_euclid(self.step)
        };
        (least <= greatest).then_some(Differences { least, greatest, step: self.step })
    }

    pub fn contains(self, value: i128) -> bool {
        self.least <= value && value <= self.greatest && (value - self.least).rem_euclid(self.step) == 0
    }
}
