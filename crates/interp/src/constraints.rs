//! What is known of the inputs that are not fixed yet: intervals, and differences between two of them.
//!
//! Every comparison of `symbol + constant` terms is one or two difference constraints `x - y <= c` (a `!=` is one of
//! two alternatives), so feasibility over the integers is exact: a path is explored only if some inputs take it.

use crate::value::SymbolId;
use std::hash::{Hash, Hasher};

/// `x - y <= bound`; an absent symbol counts as zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The symbol with a plus.
    pub x: Option<SymbolId>,
    /// The symbol with a minus.
    pub y: Option<SymbolId>,
    /// The bound.
    pub bound: i128,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Interval {
    symbol: SymbolId,
    low: i128,
    high: i128,
    /// Was ever compared with another symbol.
    is_related: bool,
}

/// A satisfiable set of constraints; intervals are as tight as the constraints make them.
#[derive(Clone, Default, Debug)]
pub struct Constraints {
    /// Sorted by symbol.
    intervals: Vec<Interval>,
    /// `x - y <= bound`.
    differences: Vec<(SymbolId, SymbolId, i128)>,
    next: u32,
}

impl Constraints {
    /// A new input between `low` and `high`.
    pub fn add_symbol(&mut self, low: i128, high: i128) -> SymbolId {
        let symbol = SymbolId(self.next);
        self.next += 1;
        self.intervals.push(Interval { symbol, low, high, is_related: false });
        symbol
    }

    fn position(&self, symbol: SymbolId) -> usize {
        // Without projection (in replays) ids are positions.
        match self.intervals.get(symbol.0 as usize) {
            Some(interval) if interval.symbol == symbol => symbol.0 as usize,
            _ => self
                .intervals
                .binary_search_by_key(&symbol, |interval| interval.symbol)
                .expect("a symbol in use is never projected away"),
        }
    }

    /// The least and greatest value the input can have.
    pub fn bounds(&self, symbol: SymbolId) -> (i128, i128) {
        let interval = self.intervals[self.position(symbol)];
        (interval.low, interval.high)
    }

    /// Whether the symbol was ever compared with another one. (Asking whether it still is related to one would depend on
    /// which symbols were forgotten.)
    pub fn is_related(&self, symbol: SymbolId) -> bool {
        self.intervals[self.position(symbol)].is_related
    }

    /// Adds a constraint; `false` if nothing satisfies it (the set is then meaningless).
    pub fn assume(&mut self, difference: Difference) -> bool {
        let bound = difference.bound;
        match (difference.x, difference.y) {
            (None, None) => bound >= 0,
            (Some(x), None) => {
                let position = self.position(x);
                let interval = &mut self.intervals[position];
                if interval.high <= bound {
                    return true;
                }
                interval.high = bound;
                interval.low <= interval.high && self.propagate()
            }
            (None, Some(y)) => {
                let position = self.position(y);
                let interval = &mut self.intervals[position];
                if interval.low >= -bound {
                    return true;
                }
                interval.low = -bound;
                interval.low <= interval.high && self.propagate()
            }
            (Some(x), Some(y)) => {
                for symbol in [x, y] {
                    let position = self.position(symbol);
                    self.intervals[position].is_related = true;
                }
                if self.bounds(x).1 - self.bounds(y).0 <= bound {
                    return true;
                }
                match self.differences.iter_mut().find(|known| known.0 == x && known.1 == y) {
                    Some(known) if known.2 <= bound => return true,
                    Some(known) => known.2 = bound,
                    None => self.differences.push((x, y, bound)),
                }
                self.propagate()
            }
        }
    }

    /// Whether `differences` can hold together with what is known.
    pub fn allows(&self, differences: &[Difference]) -> bool {
        if let [Difference { x: Some(x), y: None, bound }] = differences
            && self.differences.is_empty()
        {
            return self.bounds(*x).0 <= *bound;
        }
        let mut trial = self.clone();
        differences.iter().all(|difference| trial.assume(*difference))
    }

    /// Bellman-Ford from zero in both directions: tightens every interval; a change after as many rounds as there are
    /// symbols means a negative cycle.
    fn propagate(&mut self) -> bool {
        if self.differences.is_empty() {
            return true;
        }
        for _ in 0..self.intervals.len() + 2 {
            let mut changed = false;
            for index in 0..self.differences.len() {
                let (x, y, bound) = self.differences[index];
                let (x, y) = (self.position(x), self.position(y));
                let high = self.intervals[y].high + bound;
                if high < self.intervals[x].high {
                    self.intervals[x].high = high;
                    changed = true;
                }
                let low = self.intervals[x].low - bound;
                if low > self.intervals[y].low {
                    self.intervals[y].low = low;
                    changed = true;
                }
                if self.intervals[x].low > self.intervals[x].high || self.intervals[y].low > self.intervals[y].high {
                    return false;
                }
            }
            if !changed {
                return true;
            }
        }
        false
    }

    /// Forgets all symbols but `live` (exactly: what the others imply about the live ones is kept).
    pub fn retain(&mut self, live: &[SymbolId]) {
        if self.intervals.len() == live.len() {
            return;
        }
        let dead: Vec<SymbolId> =
            self.intervals.iter().map(|interval| interval.symbol).filter(|symbol| !live.contains(symbol)).collect();
        for symbol in dead {
            if !self.differences.is_empty() {
                self.eliminate(symbol);
            }
            let position = self.position(symbol);
            self.intervals.remove(position);
        }
    }

    /// Fourier-Motzkin, which is exact for difference constraints.
    fn eliminate(&mut self, symbol: SymbolId) {
        let (touching, mut kept): (Vec<_>, Vec<_>) =
            self.differences.drain(..).partition(|(x, y, _)| *x == symbol || *y == symbol);
        for &(a, middle, first) in touching.iter().filter(|(_, y, _)| *y == symbol) {
            for &(_, b, second) in touching.iter().filter(|(x, _, _)| *x == middle) {
                let bound = first + second;
                let implied = self.bounds(a).1 - self.bounds(b).0 <= bound;
                if a == b || implied {
                    continue;
                }
                match kept.iter_mut().find(|known| known.0 == a && known.1 == b) {
                    Some(known) => known.2 = known.2.min(bound),
                    None => kept.push((a, b, bound)),
                }
            }
        }
        self.differences = kept;
    }

    /// Hashes what is known of `symbols`, named by their position in that list. They must be all there are.
    pub fn hash_canonically(&self, symbols: &[SymbolId], hasher: &mut impl Hasher) {
        for symbol in symbols {
            self.bounds(*symbol).hash(hasher);
        }
        if self.differences.is_empty() {
            return;
        }
        for (row, distances) in self.closure(symbols).iter().enumerate() {
            for (column, distance) in distances.iter().enumerate() {
                let implied = self.bounds(symbols[row]).1 - self.bounds(symbols[column]).0;
                if row != column && *distance < implied {
                    (row, column, distance).hash(hasher);
                }
            }
        }
    }

    /// The tightest bound of every difference (Floyd-Warshall, started from the tight intervals).
    fn closure(&self, symbols: &[SymbolId]) -> Vec<Vec<i128>> {
        let n = symbols.len();
        let mut distance: Vec<Vec<i128>> =
            symbols.iter().map(|x| symbols.iter().map(|y| self.bounds(*x).1 - self.bounds(*y).0).collect()).collect();
        let index_of = |symbol: SymbolId| symbols.iter().position(|other| *other == symbol);
        for &(x, y, bound) in &self.differences {
            if let (Some(x), Some(y)) = (index_of(x), index_of(y)) {
                distance[x][y] = distance[x][y].min(bound);
            }
        }
        for middle in 0..n {
            for row in 0..n {
                for column in 0..n {
                    let through = distance[row][middle] + distance[middle][column];
                    if through < distance[row][column] {
                        distance[row][column] = through;
                    }
                }
            }
        }
        distance
    }

    /// Values for all inputs that satisfy everything, each as close to zero as the earlier ones leave it.
    pub fn model(&self) -> Vec<(SymbolId, i128)> {
        let mut fixed = self.clone();
        let symbols: Vec<SymbolId> = self.intervals.iter().map(|interval| interval.symbol).collect();
        let mut model = Vec::with_capacity(symbols.len());
        for symbol in symbols {
            let (low, high) = fixed.bounds(symbol);
            let value = 0i128.clamp(low, high);
            fixed.assume(Difference { x: Some(symbol), y: None, bound: value });
            fixed.assume(Difference { x: None, y: Some(symbol), bound: -value });
            model.push((symbol, value));
        }
        model
    }
}

#[cfg(test)]
mod tests {
    use super::{Constraints, Difference};
    use crate::value::SymbolId;
    use proptest::prelude::*;

    fn difference(x: Option<SymbolId>, y: Option<SymbolId>, bound: i128) -> Difference {
        Difference { x, y, bound }
    }

    #[test]
    fn a_cycle_of_strict_comparisons_is_infeasible() {
        let mut constraints = Constraints::default();
        let [a, b, c] = [(); 3].map(|()| constraints.add_symbol(-(1 << 31), (1 << 31) - 1));
        assert!(constraints.assume(difference(Some(a), Some(b), -1)));
        assert!(constraints.assume(difference(Some(b), Some(c), -1)));
        assert!(!constraints.allows(&[difference(Some(c), Some(a), -1)]));
        assert!(constraints.allows(&[difference(Some(a), Some(c), -2)]));
    }

    #[test]
    fn projection_keeps_what_the_forgotten_symbol_implied() {
        let mut constraints = Constraints::default();
        let [a, b, c] = [(); 3].map(|()| constraints.add_symbol(0, 100));
        assert!(constraints.assume(difference(Some(a), Some(b), -1)));
        assert!(constraints.assume(difference(Some(b), Some(c), -1)));
        constraints.retain(&[a, c]);
        assert!(!constraints.allows(&[difference(Some(c), Some(a), 1)]));
        assert!(constraints.allows(&[difference(Some(c), Some(a), 2), difference(Some(a), Some(c), -2)]));
    }

    proptest! {
        /// Feasibility agrees with brute force over a small cube, and a model satisfies what was assumed.
        #[test]
        fn feasible_exactly_when_some_values_satisfy_it(
            raw in proptest::collection::vec((0usize..4, 0usize..4, -4i128..4), 0..8)
        ) {
            let mut constraints = Constraints::default();
            let symbols: Vec<SymbolId> = (0..3).map(|_| constraints.add_symbol(0, 4)).collect();
            let name = |index: usize| symbols.get(index).copied();
            let feasible = raw.iter().all(|&(x, y, bound)| x == y || constraints.assume(difference(name(x), name(y), bound)));
            let holds = |values: &[i128; 4]| raw.iter().all(|&(x, y, bound)| x == y || values[x] - values[y] <= bound);
            let mut found = false;
            for code in 0..125i128 {
                found |= holds(&[code % 5, code / 5 % 5, code / 25, 0]);
            }
            prop_assert_eq!(feasible, found);
            if feasible {
                let model = constraints.model();
                prop_assert!(holds(&[model[0].1, model[1].1, model[2].1, 0]));
            }
        }
    }
}
