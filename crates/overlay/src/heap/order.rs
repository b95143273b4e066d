//! What comparisons of two numbers found out: bounds of their differences, and that they differ.
//!
//! A program that has gone down a tree by `key < node->key` asks the same again before it links a new node there; one that goes
//! through an array by two indices relies on `i < j` and `j < n`. Bounds follow from each other along chains
//! (difference bounds: Miné, *A new numerical abstract domain based on difference-bound matrices*, 2001); here chains are
//! followed where somebody asks.

use super::{Heap, SymbolId, Value};
use crate::number::Range;
use heapwise_ir::CompareOperator;
use smallvec::SmallVec;

/// How two numbers lie to each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Order {
    /// The first one is at most the second one plus this.
    AtMost(i64),
    /// They differ; the first one has the smaller id.
    Different,
}

impl Order {
    /// The first one is less.
    pub const LESS: Order = Order::AtMost(-1);
    /// The first one is not greater.
    pub const LESS_EQUAL: Order = Order::AtMost(0);
}

/// Something known of two symbols.
pub type Fact = (SymbolId, SymbolId, Order);

/// What is said by a comparison that holds; `None` for equality.
fn fact(x: SymbolId, operator: CompareOperator, y: SymbolId) -> Option<Fact> {
    Some(match operator {
        CompareOperator::Equal => return None,
        CompareOperator::NotEqual => (x.min(y), x.max(y), Order::Different),
        CompareOperator::Less => (x, y, Order::LESS),
        CompareOperator::LessEqual => (x, y, Order::LESS_EQUAL),
        CompareOperator::Greater => (y, x, Order::LESS),
        CompareOperator::GreaterEqual => (y, x, Order::LESS_EQUAL),
    })
}

/// So many are remembered: more are hardly asked for again.
pub(crate) const MOST_FACTS: usize = 16;

/// How far numbers are from the one that a search began at: each is at most that one plus this. `None` stands for zero.
struct Distances {
    from: SmallVec<[(Option<SymbolId>, i128); 12]>,
    has_changed: bool,
}

impl Distances {
    fn get(&self, node: Option<SymbolId>) -> Option<i128> {
        self.from.iter().find(|(known, _)| *known == node).map(|(_, distance)| *distance)
    }

    /// `to <= from + by`.
    fn relax(&mut self, from: Option<SymbolId>, to: Option<SymbolId>, by: i128) {
        let Some(distance) = self.get(from).and_then(|distance| distance.checked_add(by)) else { return };
        match self.from.iter_mut().find(|(known, _)| *known == to) {
            Some((_, known)) if *known <= distance => {}
            Some((_, known)) => {
                *known = distance;
                self.has_changed = true;
            }
            None => {
                self.from.push((to, distance));
                self.has_changed = true;
            }
        }
    }
}

impl Heap {
    /// Remembers that a comparison of two symbols holds.
    pub(crate) fn remember(&mut self, x: SymbolId, operator: CompareOperator, y: SymbolId) {
        match fact(x, operator, y) {
            None => {}
            Some((x, y, Order::AtMost(by))) => self.remember_difference(x, y, by),
            Some((x, y, Order::Different)) => {
                let differ = (x, y, Order::Different);
                if self.facts.contains(&differ) {
                    return;
                }
                // What is at most as large and differs is less.
                match (
                    self.difference(Value::Symbol(x), Value::Symbol(y)),
                    self.difference(Value::Symbol(y), Value::Symbol(x)),
                ) {
                    (Some(0), _) => self.remember_difference(x, y, -1),
                    (_, Some(0)) => self.remember_difference(y, x, -1),
                    _ if self.facts.len() < MOST_FACTS => self.facts.push(differ),
                    _ => {}
                }
            }
        }
    }

    /// Remembers that `x <= y + by`.
    pub(crate) fn remember_difference(&mut self, x: SymbolId, y: SymbolId, by: i64) {
        if x == y {
            return;
        }
        let differ = (x.min(y), x.max(y), Order::Different);
        let by = if by == 0 && self.facts.contains(&differ) { -1 } else { by };
        let is_bound = |(a, b, order): &Fact| (*a, *b) == (x, y) && *order != Order::Different;
        match self.facts.iter().position(is_bound) {
            Some(place) => self.facts[place].2 = self.facts[place].2.min(Order::AtMost(by)),
            None if self.facts.len() < MOST_FACTS => self.facts.push((x, y, Order::AtMost(by))),
            None => {}
        }
        if by < 0 {
            self.facts.retain(|fact| *fact != differ);
        }
    }

    /// Numbers that were compared with one that is known better now are known better, too.
    pub(crate) fn narrow_compared(&mut self, symbol: SymbolId, range: Range) {
        for index in 0..self.facts.len() {
            let (x, y, Order::AtMost(by)) = self.facts[index] else { continue };
            let (by, all) = (i128::from(by), Range { low: i128::MIN, high: i128::MAX, without_zero: false });
            // x <= y + by
            let (other, bounds) = if x == symbol {
                (y, Range { low: range.low.saturating_sub(by), ..all })
            } else if y == symbol {
                (x, Range { high: range.high.saturating_add(by), ..all })
            } else {
                continue;
            };
            if let Some(less) = self.symbol(other).meet(bounds)
                && less.single().is_none()
            {
                self.symbols[other.index()] = less;
            }
        }
    }

    /// The least number that `x - y` is known not to exceed.
    pub(crate) fn difference(&self, x: Value, y: Value) -> Option<i128> {
        let place = |value: Value| match value {
            Value::Number(number) => Some((None, number)),
            Value::Symbol(symbol) if symbol.level() == 0 => Some((Some(symbol), 0)),
            _ => None,
        };
        let ((x, plus_x), (y, plus_y)) = (place(x)?, place(y)?);
        let distance = if x == y { 0 } else { self.distance(y, x)? };
        distance.checked_add(plus_x)?.checked_sub(plus_y)
    }

    /// How far `to` may lie above `from`, by chains of what is known.
    fn distance(&self, from: Option<SymbolId>, to: Option<SymbolId>) -> Option<i128> {
        /// Chains are hardly longer; a shorter one that is found is right in any case.
        const MOST_ROUNDS: usize = 8;
        let mut distances = Distances { from: SmallVec::new(), has_changed: true };
        distances.from.push((from, 0));
        for _ in 0..MOST_ROUNDS {
            if !std::mem::replace(&mut distances.has_changed, false) {
                break;
            }
            for (a, b, order) in &self.facts {
                if let Order::AtMost(by) = order {
                    distances.relax(Some(*b), Some(*a), i128::from(*by));
                }
            }
            for linear in self.linears.iter().filter(|linear| linear.scale == 1) {
                distances.relax(Some(linear.base), Some(linear.result), linear.constant);
                distances.relax(Some(linear.result), Some(linear.base), -linear.constant);
            }
            self.relax_by_ranges(&mut distances, to);
        }
        distances.get(to)
    }

    fn relax_by_ranges(&self, distances: &mut Distances, to: Option<SymbolId>) {
        // A number of which nothing may be assumed has no range.
        let range = |symbol: SymbolId| Some(self.symbol(symbol)).filter(|range: &Range| range.low <= range.high);
        let known: SmallVec<[Option<SymbolId>; 12]> = distances.from.iter().map(|(node, _)| *node).collect();
        for symbol in known.into_iter().flatten() {
            if let Some(low) = range(symbol).and_then(|range| range.low.checked_neg()) {
                distances.relax(Some(symbol), None, low);
            }
        }
        let others = self.facts.iter().flat_map(|(a, b, _)| [*a, *b]);
        let others = others.chain(self.linears.iter().flat_map(|linear| [linear.result, linear.base]));
        for symbol in others.chain(to) {
            if let Some(range) = range(symbol) {
                distances.relax(None, Some(symbol), range.high);
            }
        }
    }

    /// Whether a comparison of two symbols is known to hold or not to.
    pub(crate) fn remembered(&self, x: SymbolId, operator: CompareOperator, y: SymbolId) -> Option<bool> {
        if self.is_known(x, operator, y) {
            return Some(true);
        }
        self.is_known(x, operator.negated(), y).then_some(false)
    }

    pub(crate) fn is_known(&self, x: SymbolId, operator: CompareOperator, y: SymbolId) -> bool {
        if self.facts.is_empty() && self.linears.is_empty() {
            return false;
        }
        let at_most = |x: SymbolId, y: SymbolId, by: i128| {
            self.difference(Value::Symbol(x), Value::Symbol(y)).is_some_and(|known| known <= by)
        };
        match operator {
            CompareOperator::Less => at_most(x, y, -1),
            CompareOperator::LessEqual => at_most(x, y, 0),
            CompareOperator::Greater => at_most(y, x, -1),
            CompareOperator::GreaterEqual => at_most(y, x, 0),
            CompareOperator::Equal => at_most(x, y, 0) && at_most(y, x, 0),
            CompareOperator::NotEqual => {
                self.facts.contains(&(x.min(y), x.max(y), Order::Different)) || at_most(x, y, -1) || at_most(y, x, -1)
            }
        }
    }

    /// What is known of others by a symbol that is a number from now on.
    pub(crate) fn narrow_others(&mut self, symbol: SymbolId, number: i128) {
        for (x, y, order) in self.facts.clone() {
            let Order::AtMost(by) = order else { continue };
            let (other, bound) = match (x == symbol, y == symbol) {
                (true, false) => (y, Range::new(number.saturating_sub(i128::from(by)), i128::MAX)),
                (false, true) => (x, Range::new(i128::MIN, number.saturating_add(i128::from(by)))),
                _ => continue,
            };
            let known = self.symbol(other);
            let narrowed = bound.and_then(|bound| known.meet(bound));
            // One value is left: who compares next finds out.
            if let Some(range) = narrowed.filter(|range| known.low <= known.high && range.single().is_none()) {
                self.symbols[other.index()] = range;
            }
        }
    }

    /// The same facts under other names; those of symbols without a name are dropped.
    pub(crate) fn rename_facts(&mut self, name: impl Fn(SymbolId) -> Option<SymbolId>) {
        let renamed = self.facts.iter().filter_map(|(x, y, order)| {
            let (x, y) = (name(*x)?, name(*y)?);
            let (x, y) = if *order == Order::Different { (x.min(y), x.max(y)) } else { (x, y) };
            (x != y).then_some((x, y, *order))
        });
        let mut facts: Vec<Fact> = renamed.collect();
        facts.sort_unstable();
        // Of two bounds of one difference the lower one counts: it comes first.
        facts.dedup_by(|next, last| {
            (next.0, next.1) == (last.0, last.1) && (next.2 == last.2 || next.2 != Order::Different)
        });
        self.facts = facts;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap::Linear;

    const N_SYMBOLS: usize = 3;

    fn symbol(index: usize) -> SymbolId {
        SymbolId::new(0, index)
    }

    /// A small generator of numbers: the same seed gives the same ones.
    struct Numbers(u64);

    impl Numbers {
        fn between(&mut self, low: i64, high: i64) -> i64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            low + ((self.0 >> 33) % (high - low + 1) as u64) as i64
        }
    }

    /// What a heap says of the numbers, put together by remembering comparisons.
    fn heap_of(numbers: &mut Numbers) -> Heap {
        let mut heap = Heap::default();
        for _ in 0..N_SYMBOLS {
            let low = i128::from(numbers.between(-3, 2));
            let range = Range::new(low, low + 1 + i128::from(numbers.between(0, 4)));
            range.map(|range| heap.fresh(range));
        }
        if numbers.between(0, 1) == 1 {
            let constant = i128::from(numbers.between(-2, 2));
            heap.linears.push(Linear { result: symbol(0), base: symbol(1), scale: 1, constant });
        }
        heap
    }

    fn satisfies(heap: &Heap, values: &[i128]) -> bool {
        let ranges = (0..N_SYMBOLS).all(|index| heap.symbol(symbol(index)).contains(values[index]));
        let linears = heap.linears.iter().all(|linear| {
            values[linear.result.index()] == linear.scale * values[linear.base.index()] + linear.constant
        });
        ranges
            && linears
            && heap.facts.iter().all(|(x, y, order)| match order {
                Order::AtMost(by) => values[x.index()] <= values[y.index()] + i128::from(*by),
                Order::Different => values[x.index()] != values[y.index()],
            })
    }

    fn valuations() -> impl Iterator<Item = [i128; N_SYMBOLS]> {
        (-6..=9).flat_map(|x| (-6..=9).flat_map(move |y| (-6..=9).map(move |z| [x, y, z])))
    }

    #[test]
    fn what_follows_holds_of_all_numbers_that_satisfy_what_is_remembered() {
        const OPERATORS: [CompareOperator; 6] = [
            CompareOperator::Equal,
            CompareOperator::NotEqual,
            CompareOperator::Less,
            CompareOperator::LessEqual,
            CompareOperator::Greater,
            CompareOperator::GreaterEqual,
        ];
        let (mut n_bounds, mut n_known) = (0, 0);
        for seed in 0..300 {
            let mut numbers = Numbers(seed);
            let mut heap = heap_of(&mut numbers);
            let mut described: Vec<[i128; N_SYMBOLS]> =
                valuations().filter(|values| satisfies(&heap, values)).collect();
            for _ in 0..3 {
                let x = numbers.between(0, 2) as usize;
                let y = (x + numbers.between(1, 2) as usize) % N_SYMBOLS;
                if numbers.between(0, 1) == 0 {
                    let by = numbers.between(-2, 2);
                    heap.remember_difference(symbol(x), symbol(y), by);
                    described.retain(|values| values[x] <= values[y] + i128::from(by));
                } else {
                    let operator = OPERATORS[numbers.between(1, 5) as usize];
                    heap.remember(symbol(x), operator, symbol(y));
                    described.retain(|values| operator.holds(values[x].cmp(&values[y])));
                }
            }
            assert!(described.iter().all(|values| satisfies(&heap, values)), "{heap:?} loses numbers");
            for (x, y) in [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)] {
                if let Some(most) = heap.difference(Value::Symbol(symbol(x)), Value::Symbol(symbol(y))) {
                    assert!(
                        described.iter().all(|values| values[x] - values[y] <= most),
                        "{heap:?}: s{x} - s{y} <= {most}"
                    );
                    n_bounds += 1;
                }
                for operator in OPERATORS {
                    if let Some(known) = heap.remembered(symbol(x), operator, symbol(y)) {
                        let is_so = |values: &[i128; N_SYMBOLS]| operator.holds(values[x].cmp(&values[y])) == known;
                        assert!(described.iter().all(is_so), "{heap:?}: s{x} {operator:?} s{y} is {known}");
                        n_known += 1;
                    }
                }
            }
            let number = i128::from(numbers.between(-3, 5));
            let mut narrowed = heap.clone();
            narrowed.narrow_others(symbol(0), number);
            let with_it = described.iter().filter(|values| values[0] == number);
            assert!(with_it.clone().all(|values| satisfies(&narrowed, values)), "{heap:?} with s0 = {number}");
        }
        assert!(n_bounds > 1_000 && n_known > 1_000, "{n_bounds} bounds, {n_known} comparisons");
    }
}
