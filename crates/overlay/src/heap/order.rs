//! What comparisons of two numbers found out.
//!
//! A program that has gone down a tree by `key < node->key` asks the same again before it links a new node there.

use super::{Heap, SymbolId};
use heapwise_ir::CompareOperator;

/// How two numbers lie to each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Order {
    /// The first one is less.
    Less,
    /// The first one is not greater.
    LessEqual,
    /// They differ; the first one has the smaller id.
    Different,
}

/// Something known of two symbols.
pub type Fact = (SymbolId, SymbolId, Order);

/// What is said by a comparison that holds; `None` for equality.
fn fact(x: SymbolId, operator: CompareOperator, y: SymbolId) -> Option<Fact> {
    Some(match operator {
        CompareOperator::Equal => return None,
        CompareOperator::NotEqual => (x.min(y), x.max(y), Order::Different),
        CompareOperator::Less => (x, y, Order::Less),
        CompareOperator::LessEqual => (x, y, Order::LessEqual),
        CompareOperator::Greater => (y, x, Order::Less),
        CompareOperator::GreaterEqual => (y, x, Order::LessEqual),
    })
}

impl Heap {
    /// Remembers that a comparison of two symbols holds.
    pub(crate) fn remember(&mut self, x: SymbolId, operator: CompareOperator, y: SymbolId) {
        // More are hardly asked for again.
        const MOST: usize = 12;
        if let Some(fact) = fact(x, operator, y)
            && !self.facts.contains(&fact)
            && self.facts.len() < MOST
        {
            self.facts.push(fact);
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
        let Some((x, y, order)) = fact(x, operator, y) else { return false };
        self.facts.iter().any(|(a, b, known)| match order {
            Order::Less | Order::LessEqual => (*a, *b) == (x, y) && (*known == order || *known == Order::Less),
            Order::Different => {
                (*a, *b, *known) == (x, y, order) || *known == Order::Less && ((*a, *b) == (x, y) || (*a, *b) == (y, x))
            }
        })
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
        facts.dedup();
        self.facts = facts;
    }
}
