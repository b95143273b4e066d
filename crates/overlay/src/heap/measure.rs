//! Measures of instances: numbers that no memory holds, such as the height of a tree.
//!
//! A measure is a symbol and a constant, or the constant alone: a natural number written with a successor. Equations between
//! such terms are solved by substitution, so that what is known of measures needs no store of its own: two are
//! equal if they are written in the same way.

use super::{Heap, Node, Prototype, SymbolId, Value, tidy};
use crate::number::Range;
use std::rc::Rc;

/// A natural number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Measure {
    /// What is not known of it.
    pub base: Option<SymbolId>,
    /// What is added to that.
    pub plus: u32,
}

impl std::fmt::Display for Measure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.base, self.plus) {
            (Some(base), 0) => write!(f, "{base:?}"),
            (Some(base), plus) => write!(f, "{base:?}+{plus}"),
            (None, plus) => write!(f, "{plus}"),
        }
    }
}

impl Measure {
    /// A constant.
    pub fn constant(plus: u32) -> Measure {
        Measure { base: None, plus }
    }

    /// A symbol.
    pub fn symbol(base: SymbolId) -> Measure {
        Measure { base: Some(base), plus: 0 }
    }

    /// The sum with a constant.
    pub fn plus(self, plus: u32) -> Option<Measure> {
        Some(Measure { plus: self.plus.checked_add(plus)?, ..self })
    }

    /// The difference from a constant; `None` if it may be none.
    pub fn minus(self, minus: u32) -> Option<Measure> {
        Some(Measure { plus: self.plus.checked_sub(minus)?, ..self })
    }

    /// The same with another value in the place of its symbol.
    pub(super) fn mapped(self, map: &mut dyn FnMut(Value) -> Value) -> Measure {
        let Some(base) = self.base else { return self };
        match map(Value::Symbol(base)) {
            Value::Symbol(base) => Measure { base: Some(base), ..self },
            Value::Number(number) => {
                match u32::try_from(number).ok().and_then(|number| number.checked_add(self.plus)) {
                    Some(plus) => Measure::constant(plus),
                    None => self,
                }
            }
            _ => self,
        }
    }
}

/// All measures in a node, those of prototypes included.
fn map_measures(node: &Node, map: &dyn Fn(Measure) -> Measure) -> Node {
    match node {
        Node::Object(_) => node.clone(),
        Node::Instance(instance) => {
            let mut instance = instance.clone();
            instance.measures.iter_mut().for_each(|measure| *measure = map(*measure));
            for element in &mut instance.elements {
                if element.nodes.iter().any(|node| has_measures(node)) {
                    let nodes = element.nodes.iter().map(|node| Rc::new(map_measures(node, map))).collect();
                    *element = Rc::new(Prototype { nodes, symbols: element.symbols.clone() });
                }
            }
            tidy(&mut instance.elements);
            Node::Instance(instance)
        }
    }
}

fn has_measures(node: &Node) -> bool {
    match node {
        Node::Object(_) => false,
        Node::Instance(instance) => {
            !instance.measures.is_empty()
                || instance.elements.iter().flat_map(|element| &element.nodes).any(|node| has_measures(node))
        }
    }
}

impl Heap {
    /// A measure of which nothing is known but its bound.
    pub(crate) fn fresh_measure(&mut self, below: Option<u32>) -> Measure {
        let high = below.map_or(i128::MAX, |below| i128::from(below) - 1);
        self.symbols.push(Range { low: 0, high, without_zero: false });
        Measure::symbol(SymbolId::new(0, self.symbols.len() - 1))
    }

    /// Whether a measure may be a constant, and what its symbol is then.
    fn solved(&self, symbol: SymbolId, plus: u32, constant: u32) -> Option<u32> {
        let value = constant.checked_sub(plus)?;
        self.symbol(symbol).contains(i128::from(value)).then_some(value)
    }

    fn substitute_measure(&mut self, symbol: SymbolId, by: Measure) {
        let map = |measure: Measure| match measure.base {
            Some(base) if base == symbol => Measure { base: by.base, plus: by.plus.saturating_add(measure.plus) },
            _ => measure,
        };
        for node in self.nodes.iter_mut().flatten() {
            if has_measures(node) {
                *node = Rc::new(map_measures(node, &map));
            }
        }
    }

    /// Makes two measures equal by substitution; false if they cannot be.
    pub(crate) fn equate(&mut self, left: Measure, right: Measure) -> bool {
        match (left.base, right.base) {
            (None, None) => left.plus == right.plus,
            (Some(x), Some(y)) if x == y => left.plus == right.plus,
            (Some(symbol), None) => match self.solved(symbol, left.plus, right.plus) {
                Some(value) => {
                    self.substitute_measure(symbol, Measure::constant(value));
                    true
                }
                None => false,
            },
            (None, Some(_)) => self.equate(right, left),
            (Some(_), Some(_)) if left.plus > right.plus => self.equate(right, left),
            (Some(x), Some(y)) => {
                let plus = right.plus - left.plus;
                let (range, other) = (self.symbol(x), self.symbol(y));
                if plus == 0 {
                    let Some(both) = range.meet(other) else { return false };
                    self.symbols[y.index()] = both;
                } else if range.high != i128::MAX {
                    // Not tied: less is known than could be.
                    return true;
                }
                self.substitute_measure(x, Measure { base: Some(y), plus });
                true
            }
        }
    }
}
