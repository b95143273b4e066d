//! How numbers were computed from each other.
//!
//! A program that computes the index of a bucket twice means the same bucket: what was computed from the same numbers in the
//! same way is the same number, as long as no ways meet. And a cell of `sizeof *row + n * sizeof(int)` bytes is as large as
//! its count says, wherever that is asked.

use super::{Heap, Size, SymbolId, Value};
use crate::heap::Node;
use crate::number::{Range, type_range};
use heapwise_ir::{BinaryOperator, IntType};

/// An operation on numbers, as far as the same one must be told from others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Operation(u8);

impl Operation {
    /// A change of type.
    pub const CONVERSION: Operation = Operation(u8::MAX);

    pub fn binary(operator: BinaryOperator) -> Operation {
        Operation(operator as u8)
    }
}

/// `result = left operation right` at a type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Term {
    pub operation: Operation,
    pub int: IntType,
    pub left: Value,
    pub right: Value,
    pub result: SymbolId,
}

/// `result = scale * base + constant`, without wrapping around.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Linear {
    pub result: SymbolId,
    pub base: SymbolId,
    pub scale: i128,
    pub constant: i128,
}

/// So many of each are remembered: more are hardly asked for.
const MOST: usize = 8;

impl Heap {
    /// A length without the characters before a place.
    pub(crate) const DIFFERENCE: (Operation, IntType) = (Operation(u8::MAX - 1), IntType::Unsigned(8));

    /// The number of which this one is the rest behind another, if it was computed so.
    pub(crate) fn whole_of(&self, rest: SymbolId, other: Value) -> Option<Value> {
        let is_one = |term: &&Term| (term.operation, term.int) == Heap::DIFFERENCE && term.result == rest;
        self.terms.iter().find(|term| is_one(term) && term.right == other).map(|term| term.left)
    }

    /// What is left of wholes behind a number: each rest with its whole.
    pub(crate) fn rests_behind(&self, place: Value) -> Vec<(SymbolId, Value)> {
        let is_one = |term: &&Term| (term.operation, term.int) == Heap::DIFFERENCE && term.right == place;
        self.terms.iter().filter(is_one).map(|term| (term.result, term.left)).collect()
    }

    /// The result of an operation: the number that it gave before, or a new one of the range.
    pub(crate) fn computed(
        &mut self,
        (operation, int): (Operation, IntType),
        left: Value,
        right: Value,
        range: Range,
    ) -> Value {
        let known = |term: &&Term| (term.operation, term.int, term.left, term.right) == (operation, int, left, right);
        if let Some(term) = self.terms.iter().find(known) {
            return Value::Symbol(term.result);
        }
        let value = self.fresh(range);
        let is_number = |value: Value| matches!(value, Value::Number(_) | Value::Symbol(_));
        if let Value::Symbol(result) = value
            && is_number(left)
            && is_number(right)
        {
            if self.terms.len() == MOST {
                self.terms.remove(0);
            }
            self.terms.push(Term { operation, int, left, right, result });
        }
        value
    }

    /// `x + y`, if the program computed that sum, or it follows from one that it computed. It did not wrap around.
    pub(crate) fn known_sum(&mut self, x: Value, y: Value) -> Option<Value> {
        let (x, y) = match (x, y) {
            (Value::Number(x), Value::Number(y)) => return x.checked_add(y).map(Value::Number),
            (Value::Symbol(symbol), Value::Number(number)) | (Value::Number(number), Value::Symbol(symbol)) => {
                return self.stepped(symbol, i64::try_from(number).ok()?);
            }
            (Value::Symbol(x), Value::Symbol(y)) => (self.linear(x), self.linear(y)),
            _ => return None,
        };
        if x.scale != 1 || y.scale != 1 {
            return None;
        }
        let constant = x.constant.checked_add(y.constant)?;
        let found = self.terms.iter().find_map(|term| {
            let (left, right) = self.summands(term)?;
            let (left, right) = (self.linear(left), self.linear(right));
            let is_sum = (left.scale, right.scale) == (1, 1)
                && ((left.base, right.base) == (x.base, y.base) || (left.base, right.base) == (y.base, x.base));
            let known = left.constant.checked_add(right.constant)?;
            is_sum.then_some((term.result, constant.checked_sub(known)?))
        });
        let (result, steps) = found?;
        self.stepped(result, i64::try_from(steps).ok()?)
    }

    /// Numbers that nothing holds any more, but which a sum that is in use, or what was added to one, goes back to.
    pub(crate) fn sums_in_use(&self, is_named: impl Fn(SymbolId) -> bool) -> Vec<SymbolId> {
        let mut found = Vec::new();
        for term in &self.terms {
            let (Value::Symbol(left), Value::Symbol(right)) = (term.left, term.right) else { continue };
            if term.operation != Operation::binary(BinaryOperator::Add) {
                continue;
            }
            let is_used = is_named(term.result)
                || self.linears.iter().any(|linear| linear.base == term.result && is_named(linear.result));
            if is_used && (is_named(left) || is_named(right)) {
                found.extend([left, right, term.result]);
            }
        }
        found
    }

    /// What a number is the sum of, if that did not wrap around.
    fn summands(&self, term: &Term) -> Option<(SymbolId, SymbolId)> {
        let (Value::Symbol(left), Value::Symbol(right)) = (term.left, term.right) else { return None };
        let (x, y) = (self.symbol(left), self.symbol(right));
        let sum = Range { low: x.low.checked_add(y.low)?, high: x.high.checked_add(y.high)?, without_zero: false };
        let is_sum = term.operation == Operation::binary(BinaryOperator::Add) && type_range(term.int).includes(sum);
        is_sum.then_some((left, right))
    }

    /// Where more is known of a sum, more is known of what was added: neither is larger than what the other one leaves.
    pub(crate) fn narrow_summands(&mut self, symbol: SymbolId) {
        let of = self.linear(symbol);
        if of.scale != 1 {
            return;
        }
        let term = self.terms.iter().find(|term| term.result == of.base).copied();
        let Some((left, right)) = term.and_then(|term| self.summands(&term)).filter(|(left, right)| left != right)
        else {
            return;
        };
        let range = self.symbol(symbol);
        let (low, high) = (range.low.saturating_sub(of.constant), range.high.saturating_sub(of.constant));
        for (part, other) in [(left, right), (right, left)] {
            let other = self.symbol(other);
            let bounds = Range {
                low: low.saturating_sub(other.high),
                high: high.saturating_sub(other.low),
                without_zero: false,
            };
            let Some(less) = self.symbol(part).meet(bounds).filter(|less| less.single().is_none()) else { continue };
            self.narrow(part, less);
            for linear in self.linears.clone().into_iter().filter(|linear| linear.base == part && linear.scale == 1) {
                let moved = Range {
                    low: less.low.saturating_add(linear.constant),
                    high: less.high.saturating_add(linear.constant),
                    without_zero: false,
                };
                if let Some(less) = self.symbol(linear.result).meet(moved).filter(|less| less.single().is_none()) {
                    self.narrow(linear.result, less);
                }
            }
        }
    }

    /// Remembers that a new number is `scale * value + constant`.
    pub(crate) fn note_linear(&mut self, result: Value, value: Value, scale: i128, constant: i128) {
        let (Value::Symbol(result), Value::Symbol(base)) = (result, value) else { return };
        if result == base || self.linears.iter().any(|known| known.result == result) {
            return;
        }
        let of_base = self.linear(base);
        let whole = of_base.scale.checked_mul(scale);
        let rest = of_base.constant.checked_mul(scale).and_then(|rest| rest.checked_add(constant));
        if let (Some(scale), Some(constant)) = (whole, rest) {
            if self.linears.len() == MOST {
                self.linears.remove(0);
            }
            self.linears.push(Linear { result, base: of_base.base, scale, constant });
        }
    }

    /// A number in terms of another one, or of itself.
    pub(crate) fn linear(&self, symbol: SymbolId) -> Linear {
        let itself = Linear { result: symbol, base: symbol, scale: 1, constant: 0 };
        self.linears.iter().find(|known| known.result == symbol).copied().unwrap_or(itself)
    }

    /// Where ways meet, only what is known of the sizes of cells is kept.
    pub(crate) fn forget_terms(&mut self) {
        self.terms.clear();
        if self.linears.is_empty() {
            return;
        }
        let mut sizes = Vec::new();
        for (_, node) in self.nodes() {
            if let Node::Object(object) = node
                && let Size::Symbol(symbol) = object.size
            {
                sizes.push(symbol);
            }
        }
        let (kept, forgotten) = self.linears.iter().partition(|linear| sizes.contains(&linear.result));
        self.linears = kept;
        self.keep_distances(forgotten);
    }

    /// What two numbers that registers hold are away from each other.
    fn keep_distances(&mut self, linears: Vec<Linear>) {
        let is_held = |symbol: SymbolId| self.registers.iter().any(|(_, value)| *value == Value::Symbol(symbol));
        let linears: Vec<Linear> = linears
            .into_iter()
            .filter(|linear| linear.scale == 1 && is_held(linear.result) && is_held(linear.base))
            .collect();
        for Linear { result, base, constant, .. } in linears {
            if let Ok(constant) = i64::try_from(constant) {
                self.remember_difference(result, base, constant);
                self.remember_difference(base, result, constant.saturating_neg());
            }
        }
    }

    /// The same under other names; what speaks of a symbol without a name is dropped.
    pub(crate) fn rename_terms(&mut self, name: impl Fn(SymbolId) -> Option<SymbolId>) {
        let value = |value: Value| match value {
            Value::Symbol(symbol) => name(symbol).map(Value::Symbol),
            value => Some(value),
        };
        let terms = self.terms.iter().filter_map(|term| {
            Some(Term { left: value(term.left)?, right: value(term.right)?, result: name(term.result)?, ..*term })
        });
        self.terms = terms.collect();
        self.terms.sort_unstable();
        self.terms.dedup();
        let linears = self.linears.iter().filter_map(|linear| {
            let (result, base) = (name(linear.result)?, name(linear.base)?);
            (result != base).then_some(Linear { result, base, ..*linear })
        });
        self.linears = linears.collect();
        self.linears.sort_unstable();
        self.linears.dedup();
    }
}
