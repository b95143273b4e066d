//! What is known of the inputs that are not fixed yet: intervals, and differences between two of them.
//!
//! Every comparison of `symbol + constant` terms is one or two difference constraints `x - y <= c` (a `!=` is one of
//! two alternatives), so feasibility over the integers is exact: a path is explored only if some inputs take it.
//!
//! Beside them a symbol may be a multiple of another one, plus a constant. What that implies about the two intervals is
//! found, and no more; such symbols are in doubt in any case, so nothing is confirmed by what is not found.

use crate::value::SymbolId;
use rustc_hash::FxHashSet;
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
    /// A run that depends on its value is only possible.
    is_doubtful: bool,
    /// Which values between the ends it never has: an index among the sets of bytes.
    class: Option<u8>,
}

/// `result = factor * (from + addend)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Product {
    result: SymbolId,
    from: SymbolId,
    /// More than zero.
    factor: i128,
    addend: i128,
}

impl Product {
    /// What the symbol that is multiplied has, for the ends of the product.
    fn operands(&self, (low, high): (i128, i128)) -> (i128, i128) {
        let (quotient, rest) = (low.div_euclid(self.factor), low.rem_euclid(self.factor));
        (quotient + i128::from(rest != 0) - self.addend, high.div_euclid(self.factor) - self.addend)
    }

    fn results(&self, (low, high): (i128, i128)) -> (i128, i128) {
        (self.factor * (low + self.addend), self.factor * (high + self.addend))
    }
}

pub use heapwise_ir::format::ByteSet;

/// Whether symbols that are different numbers are told apart.
enum Separated {
    Already,
    /// Ends of intervals have moved.
    Moved,
    Impossible,
}

/// A satisfiable set of constraints; intervals are as tight as the constraints make them.
#[derive(Clone, Default, Debug)]
pub struct Constraints {
    /// Sorted by symbol.
    intervals: Vec<Interval>,
    /// `x - y <= bound`.
    differences: Vec<(SymbolId, SymbolId, i128)>,
    products: Vec<Product>,
    /// The sets of bytes that symbols are in, each once.
    classes: Vec<ByteSet>,
    /// Pairs that are different numbers, unless they are negative.
    distinct: Vec<(SymbolId, SymbolId)>,
    next: u32,
}

impl Constraints {
    /// A new input between `low` and `high`.
    pub fn add_symbol(&mut self, low: i128, high: i128) -> SymbolId {
        let symbol = SymbolId(self.next);
        self.next += 1;
        self.intervals.push(Interval { symbol, low, high, is_related: false, is_doubtful: false, class: None });
        symbol
    }

    /// A new input that is one of these bytes; `None` if there are none, or too many sets.
    pub fn add_byte(&mut self, bytes: ByteSet) -> Option<SymbolId> {
        let low = (0..256).find(|byte| is_among(&bytes, *byte))?;
        let high = (0..256).rev().find(|byte| is_among(&bytes, *byte))?;
        let known = self.classes.iter().position(|class| *class == bytes);
        let class = u8::try_from(known.unwrap_or(self.classes.len())).ok()?;
        if known.is_none() {
            self.classes.push(bytes);
        }
        let symbol = self.add_symbol(low, high);
        let position = self.position(symbol);
        self.intervals[position].class = Some(class);
        Some(symbol)
    }

    /// A new symbol that is `factor` times `from + addend`. The factor is more than zero, and no product leaves 65 bits.
    pub fn add_product(&mut self, from: SymbolId, addend: i128, factor: i128) -> SymbolId {
        debug_assert!(factor > 0, "intervals keep their order");
        let product = Product { result: SymbolId(self.next), from, factor, addend };
        let (low, high) = product.results(self.bounds(from));
        self.products.push(product);
        self.add_symbol(low, high)
    }

    /// Whether a symbol can have this value, by what is known of it and of what it is a multiple of.
    pub fn can_be(&self, symbol: SymbolId, value: i128) -> bool {
        let is_multiple = |product: &Product| {
            product.result != symbol || {
                let (low, high) = product.operands((value, value));
                low == high && self.can_be(product.from, low)
            }
        };
        if !self.products.iter().all(is_multiple) {
            return false;
        }
        let interval = self.intervals[self.position(symbol)];
        let class = interval.class.and_then(|class| self.classes.get(usize::from(class)));
        (interval.low..=interval.high).contains(&value) && class.is_none_or(|bytes| is_among(bytes, value))
    }

    /// Moves the ends of an interval to values that the symbol can have; `false` if there are none.
    fn tighten(&mut self, position: usize) -> bool {
        let interval = &mut self.intervals[position];
        if let Some(bytes) = interval.class.and_then(|class| self.classes.get(usize::from(class))) {
            while interval.low <= interval.high && !is_among(bytes, interval.low) {
                interval.low += 1;
            }
            while interval.low <= interval.high && !is_among(bytes, interval.high) {
                interval.high -= 1;
            }
        }
        interval.low <= interval.high
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

    /// Says that a run which depends on the symbol is only possible.
    pub fn mark_doubtful(&mut self, symbol: SymbolId) {
        let position = self.position(symbol);
        self.intervals[position].is_doubtful = true;
    }

    /// Whether a run which depends on the symbol is only possible.
    pub fn is_doubtful(&self, symbol: SymbolId) -> bool {
        self.intervals[self.position(symbol)].is_doubtful
    }

    /// Whether the intervals say as much already.
    pub fn implies(&self, difference: &Difference) -> bool {
        let high = difference.x.map_or(0, |x| self.bounds(x).1);
        let low = difference.y.map_or(0, |y| self.bounds(y).0);
        high - low <= difference.bound
    }

    /// Says that two symbols are different numbers, unless they are negative.
    pub fn set_distinct(&mut self, one: SymbolId, two: SymbolId) {
        let pair = (one.min(two), one.max(two));
        if one != two && !self.distinct.contains(&pair) {
            self.distinct.push(pair);
        }
    }

    /// Adds a constraint; `false` if nothing satisfies it (the set is then meaningless). With many symbols that takes long:
    /// `look` may end it (the set is then meaningless, too).
    pub fn assume<E>(&mut self, difference: Difference, look: &impl Fn() -> Result<(), E>) -> Result<bool, E> {
        if !self.assume_difference(difference, look)? {
            return Ok(false);
        }
        while !self.distinct.is_empty() {
            match self.separate() {
                Separated::Already => break,
                Separated::Moved => {
                    look()?;
                    if !self.propagate(look)? {
                        return Ok(false);
                    }
                }
                Separated::Impossible => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Takes the value of a symbol that has only one from the ends of those that are another number.
    fn separate(&mut self) -> Separated {
        let mut separated = Separated::Already;
        for index in 0..self.distinct.len() {
            let (one, two) = self.distinct[index];
            let bound = |x: SymbolId, y: SymbolId| {
                self.differences.iter().find(|known| known.0 == x && known.1 == y).map(|known| known.2)
            };
            let is_equal = bound(one, two) == Some(0) && bound(two, one) == Some(0);
            if is_equal {
                for symbol in [one, two] {
                    let position = self.position(symbol);
                    let interval = &mut self.intervals[position];
                    if interval.low >= 0 {
                        return Separated::Impossible;
                    }
                    if interval.high >= 0 {
                        interval.high = -1;
                        separated = Separated::Moved;
                    }
                }
            }
            for (fixed, other) in [(one, two), (two, one)] {
                let (value, high) = self.bounds(fixed);
                if value != high || value < 0 {
                    continue;
                }
                let position = self.position(other);
                let interval = &mut self.intervals[position];
                match (interval.low == value, interval.high == value) {
                    (true, true) => return Separated::Impossible,
                    (true, false) => interval.low += 1,
                    (false, true) => interval.high -= 1,
                    (false, false) => continue,
                }
                separated = Separated::Moved;
            }
        }
        separated
    }

    fn assume_difference<E>(&mut self, difference: Difference, look: &impl Fn() -> Result<(), E>) -> Result<bool, E> {
        let bound = difference.bound;
        match (difference.x, difference.y) {
            (None, None) => Ok(bound >= 0),
            (Some(x), None) => {
                let position = self.position(x);
                let interval = &mut self.intervals[position];
                if interval.high <= bound {
                    return Ok(true);
                }
                interval.high = bound;
                Ok(self.tighten(position) && self.propagate(look)?)
            }
            (None, Some(y)) => {
                let position = self.position(y);
                let interval = &mut self.intervals[position];
                if interval.low >= -bound {
                    return Ok(true);
                }
                interval.low = -bound;
                Ok(self.tighten(position) && self.propagate(look)?)
            }
            (Some(x), Some(y)) => {
                for symbol in [x, y] {
                    let position = self.position(symbol);
                    self.intervals[position].is_related = true;
                }
                if self.bounds(x).1 - self.bounds(y).0 <= bound {
                    return Ok(true);
                }
                match self.differences.iter_mut().find(|known| known.0 == x && known.1 == y) {
                    Some(known) if known.2 <= bound => return Ok(true),
                    Some(known) => known.2 = bound,
                    None => self.differences.push((x, y, bound)),
                }
                self.propagate(look)
            }
        }
    }

    /// Whether `differences` can hold together with what is known.
    pub fn allows<E>(&self, differences: &[Difference], look: &impl Fn() -> Result<(), E>) -> Result<bool, E> {
        if let [Difference { x: Some(x), y: None, bound }] = differences
            && self.differences.is_empty()
            && self.products.is_empty()
            && self.distinct.is_empty()
        {
            return Ok(self.bounds(*x).0 <= *bound);
        }
        let mut trial = self.clone();
        for difference in differences {
            if !trial.assume(*difference, look)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Bellman-Ford from zero in both directions: tightens every interval; a change after as many rounds as there are
    /// symbols means a negative cycle. (Multiples may take more rounds: nothing is known then.)
    fn propagate<E>(&mut self, look: &impl Fn() -> Result<(), E>) -> Result<bool, E> {
        if self.differences.is_empty() && self.products.is_empty() {
            return Ok(true);
        }
        let differences = self.differences.iter();
        let edges: Vec<(usize, usize, i128)> =
            differences.map(|(x, y, bound)| (self.position(*x), self.position(*y), *bound)).collect();
        for _ in 0..self.intervals.len() + 2 {
            look()?;
            let mut changed = false;
            for &(x, y, bound) in &edges {
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
                if !self.tighten(x) || !self.tighten(y) {
                    return Ok(false);
                }
            }
            for index in 0..self.products.len() {
                let product = self.products[index];
                let (from, result) = (self.position(product.from), self.position(product.result));
                changed |= self.narrow(from, product.operands(self.bounds(product.result)));
                changed |= self.narrow(result, product.results(self.bounds(product.from)));
                if !self.tighten(from) || !self.tighten(result) {
                    return Ok(false);
                }
            }
            if !changed {
                return Ok(true);
            }
        }
        Ok(!self.products.is_empty())
    }

    /// Whether the interval became narrower.
    fn narrow(&mut self, position: usize, (low, high): (i128, i128)) -> bool {
        let interval = &mut self.intervals[position];
        let before = (interval.low, interval.high);
        (interval.low, interval.high) = (interval.low.max(low), interval.high.min(high));
        (interval.low, interval.high) != before
    }

    /// Forgets all symbols but `live` (exactly: what the others imply about the live ones is kept).
    pub fn retain<E>(&mut self, live: &[SymbolId], look: &impl Fn() -> Result<(), E>) -> Result<(), E> {
        if self.intervals.len() == live.len() {
            return Ok(());
        }
        let live: FxHashSet<SymbolId> = live.iter().copied().collect();
        let dead: Vec<SymbolId> =
            self.intervals.iter().map(|interval| interval.symbol).filter(|symbol| !live.contains(symbol)).collect();
        for symbol in dead {
            look()?;
            if !self.differences.is_empty() {
                self.eliminate(symbol);
            }
            self.products.retain(|product| product.result != symbol && product.from != symbol);
            let position = self.position(symbol);
            self.intervals.remove(position);
        }
        self.distinct.retain(|(one, two)| live.contains(one) && live.contains(two));
        Ok(())
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

    /// Hashes what is known of `symbols`, named by their position in that list. They must be all there are. With many
    /// symbols that takes long: `look` may end it.
    pub fn hash_canonically<E>(
        &self,
        symbols: &[SymbolId],
        hasher: &mut impl Hasher,
        look: &impl Fn() -> Result<(), E>,
    ) -> Result<(), E> {
        let bounds: Vec<(i128, i128)> = symbols.iter().map(|symbol| self.bounds(*symbol)).collect();
        bounds.iter().for_each(|bounds| bounds.hash(hasher));
        symbols.iter().for_each(|symbol| self.is_doubtful(*symbol).hash(hasher));
        for symbol in symbols {
            let class = self.intervals[self.position(*symbol)].class;
            class.and_then(|class| self.classes.get(usize::from(class))).hash(hasher);
        }
        let index_of = |symbol: SymbolId| symbols.iter().position(|other| *other == symbol);
        let mut products: Vec<_> = self
            .products
            .iter()
            .map(|product| (index_of(product.result), index_of(product.from), product.factor, product.addend))
            .collect();
        products.sort_unstable();
        products.hash(hasher);
        let mut distinct: Vec<_> = self
            .distinct
            .iter()
            .map(|(one, two)| (index_of(*one), index_of(*two)))
            .map(|(one, two)| (one.min(two), one.max(two)))
            .collect();
        distinct.sort_unstable();
        distinct.hash(hasher);
        if self.differences.is_empty() {
            return Ok(());
        }
        for (row, distances) in self.closure(symbols, &bounds, look)?.chunks(symbols.len()).enumerate() {
            for (column, distance) in distances.iter().enumerate() {
                let implied = bounds[row].1 - bounds[column].0;
                if row != column && *distance < implied {
                    (row, column, distance).hash(hasher);
                }
            }
        }
        Ok(())
    }

    /// The tightest bound of every difference, row by row (Floyd-Warshall, started from the tight intervals). A way through
    /// a difference that says no more than two intervals do is not shorter than what the intervals at its ends say, for
    /// they are tight; such ways are not tried.
    fn closure<E>(
        &self,
        symbols: &[SymbolId],
        bounds: &[(i128, i128)],
        look: &impl Fn() -> Result<(), E>,
    ) -> Result<Vec<i128>, E> {
        let n = symbols.len();
        let mut distance: Vec<i128> =
            bounds.iter().flat_map(|(_, high)| bounds.iter().map(move |(low, _)| high - low)).collect();
        let index_of = |symbol: SymbolId| symbols.iter().position(|other| *other == symbol);
        for &(x, y, bound) in &self.differences {
            if let (Some(x), Some(y)) = (index_of(x), index_of(y)) {
                distance[x * n + y] = distance[x * n + y].min(bound);
            }
        }
        let mut through = vec![0; n];
        for middle in 0..n {
            look()?;
            through.copy_from_slice(&distance[middle * n..][..n]);
            for row in 0..n {
                let first = distance[row * n + middle];
                if first >= bounds[row].1 - bounds[middle].0 {
                    continue;
                }
                for (known, second) in distance[row * n..][..n].iter_mut().zip(&through) {
                    *known = (*known).min(first + second);
                }
            }
        }
        Ok(distance)
    }

    /// Values for all inputs that satisfy everything, each as close to zero as the earlier ones leave it; `None` if there are
    /// none among those. (Without multiples and sets of bytes there always are some.) `look` may end it.
    pub fn model<E>(&self, look: &impl Fn() -> Result<(), E>) -> Result<Option<Vec<(SymbolId, i128)>>, E> {
        let mut fixed = self.clone();
        let symbols: Vec<SymbolId> = self.intervals.iter().map(|interval| interval.symbol).collect();
        let mut model = Vec::with_capacity(symbols.len());
        for symbol in symbols {
            look()?;
            let (low, high) = fixed.bounds(symbol);
            let value = self.apart(symbol, 0i128.clamp(low, high), high, &model);
            let fits = fixed.assume(Difference { x: Some(symbol), y: None, bound: value }, look)?
                && fixed.assume(Difference { x: None, y: Some(symbol), bound: -value }, look)?;
            if !fits {
                return Ok(None);
            }
            model.push((symbol, value));
        }
        Ok(Some(model))
    }

    /// The first number from `value` on that no symbol which is another one has.
    fn apart(&self, symbol: SymbolId, value: i128, high: i128, model: &[(SymbolId, i128)]) -> i128 {
        let is_other =
            |known: SymbolId| self.distinct.iter().any(|pair| *pair == (symbol.min(known), symbol.max(known)));
        let is_taken = |value: i128| model.iter().any(|(known, other)| *other == value && is_other(*known));
        if self.distinct.is_empty() || value < 0 {
            return value;
        }
        (value..=high).find(|value| !is_taken(*value)).unwrap_or(value)
    }

    /// Whether the symbol may never have some value between its ends: it is a byte of a set, or a multiple.
    pub fn has_holes(&self, symbol: SymbolId) -> bool {
        self.intervals[self.position(symbol)].class.is_some()
            || self.products.iter().any(|product| product.result == symbol)
    }
}

/// Whether a set of bytes has this one.
pub(crate) fn is_among(bytes: &ByteSet, byte: i128) -> bool {
    (0..256).contains(&byte) && bytes[byte as usize / 64] >> (byte as usize % 64) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::{Constraints, Difference};
    use crate::value::SymbolId;
    use proptest::prelude::*;

    fn difference(x: Option<SymbolId>, y: Option<SymbolId>, bound: i128) -> Difference {
        Difference { x, y, bound }
    }

    fn unlimited() -> Result<(), std::convert::Infallible> {
        Ok(())
    }

    fn assume(constraints: &mut Constraints, difference: Difference) -> bool {
        let Ok(feasible) = constraints.assume(difference, &unlimited);
        feasible
    }

    fn allows(constraints: &Constraints, differences: &[Difference]) -> bool {
        let Ok(allowed) = constraints.allows(differences, &unlimited);
        allowed
    }

    /// A chain of comparisons is passed on one link at a time: each round looks at the budget.
    #[test]
    fn a_long_chain_of_comparisons_ends_with_its_budget() {
        let mut constraints = Constraints::default();
        let symbols: Vec<SymbolId> = (0..40).map(|_| constraints.add_symbol(0, 1000)).collect();
        for pair in symbols.windows(2) {
            assert!(assume(&mut constraints, difference(Some(pair[0]), Some(pair[1]), -1)));
        }
        let least = difference(None, Some(symbols[0]), -500);
        for granted in [0u32, 1] {
            let left = std::cell::Cell::new(granted);
            let look = || left.get().checked_sub(1).map(|less| left.set(less)).ok_or("over");
            assert_eq!(constraints.clone().assume(least, &look), Err("over"));
            assert_eq!(
                constraints.allows(&[difference(Some(symbols[39]), Some(symbols[0]), 39), least], &look),
                Err("over")
            );
        }
        assert!(assume(&mut constraints, least));
        assert_eq!(constraints.bounds(symbols[39]).0, 539);
    }

    #[test]
    fn a_multiple_and_what_it_is_made_of_follow_each_other() {
        let mut constraints = Constraints::default();
        let k = constraints.add_symbol(-5, 100);
        let bytes = constraints.add_product(k, 2, 4);
        assert_eq!(constraints.bounds(bytes), (-12, 408));
        assert!(constraints.can_be(bytes, 16) && !constraints.can_be(bytes, 18) && !constraints.can_be(bytes, 412));
        assert!(!constraints.can_be(bytes, -16));
        // 4 * (k + 2) >= 13, so k >= 2.
        assert!(assume(&mut constraints, difference(None, Some(bytes), -13)));
        assert_eq!((constraints.bounds(k).0, constraints.bounds(bytes).0), (2, 16));
        assert!(assume(&mut constraints, difference(Some(k), None, 7)));
        assert_eq!(constraints.bounds(bytes), (16, 36));
        assert!(!allows(&constraints, &[difference(Some(k), None, 3), difference(None, Some(bytes), -21)]));
        assert_eq!(constraints.model(&unlimited), Ok(Some(vec![(k, 2), (bytes, 16)])));
    }

    #[test]
    fn a_multiple_of_what_is_forgotten_keeps_its_interval() {
        let mut constraints = Constraints::default();
        let k = constraints.add_symbol(0, 100);
        let bytes = constraints.add_product(k, 0, 4);
        assert!(assume(&mut constraints, difference(Some(k), None, 9)));
        assert_eq!(constraints.retain(&[bytes], &unlimited), Ok(()));
        assert_eq!(constraints.bounds(bytes), (0, 36));
        assert!(constraints.can_be(bytes, 35));
    }

    #[test]
    fn different_numbers_are_never_the_same_unless_they_are_negative() {
        let mut constraints = Constraints::default();
        let [x, y, z] = [0; 3].map(|_| constraints.add_symbol(-1, 5));
        constraints.set_distinct(x, y);
        constraints.set_distinct(z, y);
        let equal = |x, y| [difference(Some(x), y, 0), difference(y, Some(x), 0)];
        assert!(allows(&constraints, &equal(x, Some(y))), "both may be -1");
        assert!(allows(&constraints, &equal(x, Some(z))), "nothing is said of these");
        let mut open = constraints.clone();
        assert!(assume(&mut open, difference(None, Some(x), 0)), "x >= 0");
        assert!(!allows(&open, &equal(x, Some(y))));
        let is_zero = |x| [difference(Some(x), None, 0), difference(None, Some(x), 0)];
        assert!(is_zero(x).into_iter().all(|zero| assume(&mut open, zero)));
        assert!(!allows(&open, &is_zero(y)));
        assert!(allows(&open, &is_zero(z)));
        let Ok(model) = open.model(&unlimited);
        let model = model.expect("values");
        let value = |symbol| model.iter().find(|(known, _)| *known == symbol).map(|(_, value)| *value);
        assert!(value(x) == Some(0) && value(y) != Some(0) && value(y) != value(z), "{model:?}");
    }

    #[test]
    fn a_cycle_of_strict_comparisons_is_infeasible() {
        let mut constraints = Constraints::default();
        let [a, b, c] = [(); 3].map(|()| constraints.add_symbol(-(1 << 31), (1 << 31) - 1));
        assert!(assume(&mut constraints, difference(Some(a), Some(b), -1)));
        assert!(assume(&mut constraints, difference(Some(b), Some(c), -1)));
        assert!(!allows(&constraints, &[difference(Some(c), Some(a), -1)]));
        assert!(allows(&constraints, &[difference(Some(a), Some(c), -2)]));
    }

    #[test]
    fn a_byte_is_never_between_its_members() {
        let mut constraints = Constraints::default();
        let byte = constraints.add_byte([1 << 48 | 1 << 57, 0, 0, 0]).expect("there are two");
        assert_eq!(constraints.bounds(byte), (48, 57));
        assert!(assume(&mut constraints, difference(Some(byte), None, 56)));
        assert_eq!(constraints.bounds(byte), (48, 48));
        assert!(!allows(&constraints, &[difference(None, Some(byte), -49)]));
    }

    #[test]
    fn projection_keeps_what_the_forgotten_symbol_implied() {
        let mut constraints = Constraints::default();
        let [a, b, c] = [(); 3].map(|()| constraints.add_symbol(0, 100));
        assert!(assume(&mut constraints, difference(Some(a), Some(b), -1)));
        assert!(assume(&mut constraints, difference(Some(b), Some(c), -1)));
        assert_eq!(constraints.retain(&[a, c], &unlimited), Ok(()));
        assert!(!allows(&constraints, &[difference(Some(c), Some(a), 1)]));
        assert!(allows(&constraints, &[difference(Some(c), Some(a), 2), difference(Some(a), Some(c), -2)]));
    }

    proptest! {
        /// The closure is the one that tries all ways.
        #[test]
        fn ways_that_are_left_out_are_not_shorter(
            raw in proptest::collection::vec((0usize..5, 0usize..5, -4i128..4), 0..10)
        ) {
            let mut constraints = Constraints::default();
            let symbols: Vec<SymbolId> = (0..4).map(|index| constraints.add_symbol(-index, 6)).collect();
            let name = |index: usize| symbols.get(index).copied();
            let feasible = raw.iter().all(|&(x, y, bound)| x == y || assume(&mut constraints, difference(name(x), name(y), bound)));
            prop_assume!(feasible);
            let bounds: Vec<(i128, i128)> = symbols.iter().map(|symbol| constraints.bounds(*symbol)).collect();
            let closure = constraints.closure(&symbols, &bounds, &unlimited).unwrap_or_default();
            for row in 0..4 {
                for column in (0..4).filter(|column| *column != row) {
                    let at = |bound| difference(name(row), name(column), bound);
                    let back = |bound: i128| difference(name(column), name(row), -bound);
                    let tightest = closure[row * 4 + column];
                    prop_assert!(allows(&constraints, &[at(tightest), back(tightest)]));
                    prop_assert!(!allows(&constraints, &[back(tightest + 1)]));
                }
            }
        }

        /// Feasibility agrees with brute force over a small cube, and a model satisfies what was assumed.
        #[test]
        fn feasible_exactly_when_some_values_satisfy_it(
            raw in proptest::collection::vec((0usize..4, 0usize..4, -4i128..4), 0..8)
        ) {
            let mut constraints = Constraints::default();
            let symbols: Vec<SymbolId> = (0..3).map(|_| constraints.add_symbol(0, 4)).collect();
            let name = |index: usize| symbols.get(index).copied();
            let feasible = raw.iter().all(|&(x, y, bound)| x == y || assume(&mut constraints, difference(name(x), name(y), bound)));
            let holds = |values: &[i128; 4]| raw.iter().all(|&(x, y, bound)| x == y || values[x] - values[y] <= bound);
            let mut found = false;
            for code in 0..125i128 {
                found |= holds(&[code % 5, code / 5 % 5, code / 25, 0]);
            }
            prop_assert_eq!(feasible, found);
            if feasible {
                let model = constraints.model(&unlimited).unwrap_or_default().unwrap_or_default();
                prop_assert!(holds(&[model[0].1, model[1].1, model[2].1, 0]));
            }
        }

        /// With multiples, sets of bytes and forgotten symbols: no values that satisfy everything are excluded, and those that
        /// are given satisfy it.
        #[test]
        fn no_values_are_lost_and_none_are_wrong(
            sets in proptest::collection::vec(1u64..1 << 9, 2),
            ranges in proptest::collection::vec((-6i128..6, 0i128..8), 2),
            products in proptest::collection::vec((0usize..4, -3i128..4, 1i128..5), 0..3),
            steps in proptest::collection::vec((0usize..8, 0usize..8, -12i128..12, 0u8..8), 0..9),
        ) {
            // Every symbol is free, or a multiple of an earlier one.
            enum Kind { Among(Vec<i128>), Multiple(usize, i128, i128) }
            let mut constraints = Constraints::default();
            let mut symbols: Vec<SymbolId> = Vec::new();
            let mut kinds: Vec<Kind> = Vec::new();
            for set in &sets {
                symbols.push(constraints.add_byte([*set, 0, 0, 0]).expect("it has a member"));
                kinds.push(Kind::Among((0..9).filter(|byte| set >> byte & 1 == 1).collect()));
            }
            for (low, width) in &ranges {
                symbols.push(constraints.add_symbol(*low, low + width));
                kinds.push(Kind::Among((*low..=low + width).collect()));
            }
            for (from, addend, factor) in &products {
                symbols.push(constraints.add_product(symbols[*from], *addend, *factor));
                kinds.push(Kind::Multiple(*from, *addend, *factor));
            }
            let mut solutions: Vec<Vec<i128>> = vec![Vec::new()];
            for kind in &kinds {
                solutions = solutions.into_iter().flat_map(|known| {
                    let values = match kind {
                        Kind::Among(values) => values.clone(),
                        Kind::Multiple(from, addend, factor) => vec![factor * (known[*from] + addend)],
                    };
                    values.into_iter().map(move |value| known.iter().copied().chain([value]).collect())
                }).collect();
            }
            let mut live: Vec<usize> = (0..symbols.len()).collect();
            for (x, y, bound, forget) in steps {
                // The last ones of eight stand for zero.
                let name = |index: usize| live.contains(&index).then(|| symbols[index]);
                if x == y || (name(x).is_none() && name(y).is_none()) {
                    continue;
                }
                let value = |values: &[i128], index: usize| if name(index).is_some() { values[index] } else { 0 };
                let new = difference(name(x), name(y), bound);
                let left: Vec<Vec<i128>> =
                    solutions.iter().filter(|it| value(it, x) - value(it, y) <= bound).cloned().collect();
                prop_assert!(left.is_empty() || allows(&constraints, &[new]), "lost by {new:?}");
                if constraints.implies(&new) {
                    prop_assert_eq!(left.len(), solutions.len());
                }
                if !assume(&mut constraints, new) {
                    prop_assert!(left.is_empty(), "lost by {new:?}");
                    return Ok(());
                }
                solutions = left;
                if forget == 0 && live.len() > 1 {
                    live.remove(x % live.len());
                    let kept: Vec<SymbolId> = live.iter().map(|index| symbols[*index]).collect();
                    prop_assert_eq!(constraints.retain(&kept, &unlimited), Ok(()));
                }
                for index in &live {
                    let (low, high) = constraints.bounds(symbols[*index]);
                    for solution in &solutions {
                        prop_assert!((low..=high).contains(&solution[*index]));
                        prop_assert!(constraints.can_be(symbols[*index], solution[*index]));
                    }
                }
            }
            let model = constraints.model(&unlimited).unwrap_or_default();
            // What was forgotten may be what excludes a value.
            if let (Some(model), true) = (model, live.len() == symbols.len()) {
                let values: Vec<i128> = model.iter().map(|(_, value)| *value).collect();
                prop_assert!(solutions.contains(&values), "{values:?} is no solution");
            }
        }
    }
}
