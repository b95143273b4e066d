//! Numbers: which ranges they may lie in, and when.

use crate::abstraction::{ScalarPredicates, UNKNOWN};
use crate::precision::NumberTest;
use heapwise_ir::{BinaryOperator, CompareOperator, IntType, UnaryOperator};
use heapwise_logic::{Formula, Predicate};
use heapwise_numbers::{Range, arithmetic};

/// With more ranges a number may be anything.
const MOST_REGIONS: usize = 40;

/// What is known of a number: it lies in the range of a region whose formula holds. One of them does.
#[derive(Clone, Debug)]
pub(super) struct Number {
    regions: Vec<Region>,
}

#[derive(Clone, Debug)]
struct Region {
    range: Range,
    when: Formula,
}

impl Number {
    /// This one.
    pub(super) fn constant(value: i128) -> Number {
        Number { regions: vec![Region { range: Range::constant(value), when: Formula::TRUE }] }
    }

    /// Any number of a type; without one, anything.
    pub(super) fn any(int: Option<IntType>) -> Number {
        let range = int.map_or_else(Range::all, Range::of_type);
        Number { regions: vec![Region { range, when: Formula::TRUE }] }
    }

    /// A number of a type of which these tests are tracked.
    pub(super) fn tracked(
        int: Option<IntType>,
        predicates: &ScalarPredicates,
        holds: impl Fn(Predicate) -> Formula,
    ) -> Number {
        let Some(int) = int else { return Number::any(None) };
        let all = Range::of_type(int);
        let mut bounds: Vec<(i128, Formula)> = Vec::new();
        let mut constants: Vec<(i128, Formula)> = Vec::new();
        for (test, predicate) in &predicates.tests {
            match test {
                NumberTest::Equals(constant) => constants.push((*constant, holds(*predicate))),
                NumberTest::Below(bound) => bounds.push((*bound, holds(*predicate))),
                NumberTest::Same(_) => {}
            }
        }
        bounds.sort_by_key(|(bound, _)| *bound);
        let mut regions = Vec::new();
        for end in 0..=bounds.len() {
            let least = end.checked_sub(1).map_or(all.least(), |start| bounds[start].0);
            let greatest = bounds.get(end).map_or(all.greatest(), |(bound, _)| bound - 1);
            let mut when = Vec::new();
            when.extend(end.checked_sub(1).map(|start| !bounds[start].1.clone()));
            when.extend(bounds.get(end).map(|(_, is_below)| is_below.clone()));
            let mut rest = Range::between(least, greatest);
            for (constant, is) in constants.iter().filter(|(constant, _)| (least..=greatest).contains(constant)) {
                regions.push(Region { range: Range::constant(*constant), when: is.clone() });
                rest = rest.and_then(|rest| rest.without(*constant));
                when.push(!is.clone());
            }
            regions.extend(rest.map(|range| Region { range, when: Formula::And(when) }));
        }
        Number { regions }.limited(int)
    }

    fn limited(self, int: IntType) -> Number {
        if self.regions.len() > MOST_REGIONS { Number::any(Some(int)) } else { self }
    }

    /// The number converted.
    pub(super) fn converted(&self, to: Option<IntType>) -> Number {
        let Some(to) = to else { return Number::any(None) };
        self.map(|range| Some(arithmetic::convert(range, to)))
    }

    /// The result of an operator.
    pub(super) fn unary(&self, operator: UnaryOperator, int: Option<IntType>) -> Number {
        let Some(int) = int else { return Number::any(None) };
        self.map(|range| Some(arithmetic::unary(operator, int, range)))
    }

    fn map(&self, of: impl Fn(&Range) -> Option<Range>) -> Number {
        let regions = self
            .regions
            .iter()
            .filter_map(|region| Some(Region { range: of(&region.range)?, when: region.when.clone() }));
        Number { regions: regions.collect() }
    }

    /// The result of an operator; where it has none, the run ends.
    pub(super) fn binary(&self, operator: BinaryOperator, int: Option<IntType>, other: &Number) -> Number {
        let Some(int) = int else { return Number::any(None) };
        let mut regions = Vec::new();
        for one in &self.regions {
            for two in &other.regions {
                if let Some(range) = arithmetic::binary(operator, int, &one.range, &two.range) {
                    regions.push(Region { range, when: Formula::and(one.when.clone(), two.when.clone()) });
                }
            }
        }
        Number { regions }.limited(int)
    }

    /// Whether it may be this value.
    pub(super) fn may_be(&self, value: i128) -> bool {
        self.regions.iter().any(|region| region.range.contains(value))
    }

    /// Whether it passes a test with a constant.
    pub(super) fn passes(&self, test: NumberTest, int: Option<IntType>) -> Formula {
        match test {
            NumberTest::Equals(constant) => self.compare(CompareOperator::Equal, &Number::constant(constant), int),
            NumberTest::Below(bound) => self.compare(CompareOperator::Less, &Number::constant(bound), int),
            NumberTest::Same(_) => UNKNOWN,
        }
    }

    /// Whether two numbers of a type compare so.
    pub(super) fn compare(&self, operator: CompareOperator, other: &Number, int: Option<IntType>) -> Formula {
        let Some(int) = int else { return UNKNOWN };
        let mut cases = Vec::new();
        for one in &self.regions {
            for two in &other.regions {
                let mut parts = match arithmetic::compare(operator, int, &one.range, &two.range) {
                    Some(false) => continue,
                    Some(true) => Vec::new(),
                    None => vec![UNKNOWN],
                };
                parts.extend([one.when.clone(), two.when.clone()].into_iter().filter(|when| *when != Formula::TRUE));
                if parts.is_empty() {
                    return Formula::TRUE;
                }
                cases.push(Formula::And(parts));
            }
        }
        if cases.is_empty() { Formula::FALSE } else { Formula::Or(cases) }
    }
}
