//! Measures side by side.
//!
//! A measure that describes two is found by taking off what both have at least: of `h + 1` and `1` that is the successor of what
//! describes `h` and `0`. So two measures that differ by one on both sides differ by one in the result.

use super::{Mode, Numbers, Side, Unifier};
use crate::heap::{Instance, Measure, SymbolId, Value};
use crate::hole::measures_through;
use crate::number::Range;

impl Unifier<'_> {
    fn measure_range(&self, side: Side, measure: Measure) -> Option<Range> {
        let base = match measure.base {
            Some(symbol) => self.range(side, Value::Symbol(symbol))?,
            None => Range::constant(0),
        };
        let plus = i128::from(measure.plus);
        Some(Range { low: base.low.saturating_add(plus), high: base.high.saturating_add(plus), without_zero: false })
    }

    /// What describes both measures, which are less than the bound if there is one.
    pub(super) fn measure(&mut self, x: Measure, y: Measure, below: Option<u32>) -> Option<Measure> {
        match self.mode {
            Mode::Entails => self.entailed_measure(x, y),
            Mode::Join(policy) => self.joined_measure(x, y, below, policy.numbers),
        }
    }

    fn is_open(&self, measure: Measure) -> bool {
        measure.base.is_some_and(|symbol| symbol.level() >= self.closed)
    }

    fn entailed_measure(&mut self, x: Measure, y: Measure) -> Option<Measure> {
        let Some(symbol) = y.base.filter(|_| self.is_open(y)) else { return (x == y).then_some(y) };
        let rest = x.minus(y.plus)?;
        let left = self.measure_range(Side::Left, rest)?;
        let right = self.range(Side::Right, Value::Symbol(symbol))?;
        if rest.base.map_or(0, SymbolId::level) > symbol.level() || !right.includes(left) {
            return None;
        }
        self.bind_measure(symbol, rest).then_some(y)
    }

    /// A symbol of the right side stands for a measure. One that stands for a number as well (somebody who waits knows of it) must
    /// be the same there.
    fn bind_measure(&mut self, symbol: SymbolId, rest: Measure) -> bool {
        let level = self.level(symbol.level());
        let is_same = |known: &Value| match (*known, rest) {
            (Value::Symbol(known), Measure { base: Some(base), plus: 0 }) => known == base,
            (Value::Number(known), Measure { base: None, plus }) => known == i128::from(plus),
            _ => false,
        };
        level.bound.get(&symbol).is_none_or(is_same)
            && level.bound_measures.insert(symbol, rest).is_none_or(|known| known == rest)
    }

    /// Whether a symbol of the right side that stands for a number stands for the same in measures.
    pub(super) fn is_bound_so(&mut self, symbol: SymbolId, x: Value) -> bool {
        let measure = match x {
            Value::Symbol(base) => Some(Measure::symbol(base)),
            Value::Number(number) => u32::try_from(number).ok().map(Measure::constant),
            _ => None,
        };
        self.level(symbol.level()).bound_measures.get(&symbol).is_none_or(|known| Some(*known) == measure)
    }

    fn joined_measure(&mut self, x: Measure, y: Measure, below: Option<u32>, numbers: Numbers) -> Option<Measure> {
        if x == y && !self.is_open(x) {
            return Some(x);
        }
        let common = if below.is_some() { 0 } else { x.plus.min(y.plus) };
        let (x, y) = (x.minus(common)?, y.minus(common)?);
        if x == y && !self.is_open(x) {
            return x.plus(common);
        }
        if numbers.keep_constants() && x.base.is_none() && y.base.is_none() {
            return None;
        }
        let level_of = |measure: Measure| measure.base.map_or(0, SymbolId::level);
        let level = level_of(x).max(level_of(y)).max(self.closed);
        let found = self.level(level);
        if let Some(known) = found.measure_pairs.get(&(x, y)) {
            return Measure::symbol(*known).plus(common);
        }
        let high = below.map_or(i128::MAX, |below| i128::from(below) - 1);
        found.symbols.push(Range { low: 0, high, without_zero: false });
        let symbol = SymbolId::new(level, found.symbols.len() - 1);
        found.measure_pairs.insert((x, y), symbol);
        Measure::symbol(symbol).plus(common)
    }

    /// The measures of an instance against those of a run of the other side, of which some may be any.
    pub(super) fn measures(
        &mut self,
        side: Side,
        instance: &Instance,
        theirs: &[Option<Measure>],
    ) -> Option<Vec<Measure>> {
        let names = &self.definitions.get(instance.layout.definition).measures;
        let mut measures = Vec::with_capacity(names.len());
        for ((ours, theirs), name) in instance.measures.iter().zip(theirs).zip(names) {
            let measure = match (theirs, side) {
                (Some(theirs), Side::Left) => self.measure(*ours, *theirs, name.below)?,
                (Some(theirs), Side::Right) => self.measure(*theirs, *ours, name.below)?,
                // A run that fits all measures fits this one.
                (None, _) if self.mode == Mode::Entails => *ours,
                (None, _) => return None,
            };
            measures.push(measure);
        }
        Some(measures)
    }

    /// The same where the instance is empty on the other side, at `start`.
    pub(super) fn measures_of_empty(
        &mut self,
        side: Side,
        instance: &Instance,
        (level, start): (u32, Value),
    ) -> Option<Vec<Measure>> {
        if instance.measures.is_empty() {
            return Some(Vec::new());
        }
        let other = match side {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        };
        let space = self.space(other, level);
        let theirs = measures_through(&space, start, &instance.layout, self.definitions);
        let pairs = self.definitions.get(instance.layout.definition).measure_pairs();
        let is_tied = |theirs: &[Option<Measure>]| {
            // Both may be any, but the same.
            let same = |(upper, lower): &(usize, usize)| {
                theirs[*upper].is_some() || instance.measures[*upper] == instance.measures[*lower]
            };
            pairs.iter().all(same)
        };
        if !is_tied(&theirs) {
            return None;
        }
        self.measures(side, instance, &theirs)
    }
}
