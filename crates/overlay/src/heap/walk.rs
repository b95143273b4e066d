//! Addresses at a number of steps behind a place of a cell: `p` in `while (*p) p++`.
//!
//! Where ways meet, each such address is counted from the start of what it walks along (a text, an array, the cell), so that the
//! number of its steps is the same one that an index along it has, and is compared with the length of the text.

use super::{Bound, Heap, Life, Object, Order, Pointer, Size, SymbolId, Value};
use crate::number::Range;
use heapwise_ir::CompareOperator;

impl Object {
    /// Whether addresses that differ may walk along the cell: it holds characters, numbers, or an array. (Links within a record are
    /// better kept apart.)
    pub(crate) fn is_walked_along(&self) -> bool {
        let is_plain = |value: Value| value.node().is_none() && !matches!(value, Value::Function(_) | Value::Library);
        self.life == Life::Alive && self.view.is_none() && self.fields.iter().all(|field| is_plain(field.value))
    }

    /// How far apart the elements of an array are that has one there.
    pub(crate) fn stride_at(&self, offset: i64) -> Option<i64> {
        let array = self.array.as_ref()?;
        let (start, stride) = (i64::try_from(array.start).ok()?, i64::try_from(array.stride).ok()?);
        (offset >= start && (offset - start) % stride == 0).then_some(stride)
    }

    /// From where on the steps are counted of what is never in front of `first`: it lies there or a whole number of steps before it.
    pub(crate) fn course(&self, first: i64, scale: i64) -> i64 {
        let start = match &self.array {
            Some(array) => i64::try_from(array.start).ok(),
            None => {
                let begins = self.texts.iter().filter_map(|text| i64::try_from(text.offset).ok());
                begins.filter(|offset| *offset <= first).max()
            }
        };
        let start = start.unwrap_or(0);
        start + first.wrapping_sub(start).rem_euclid(scale)
    }
}

impl Heap {
    /// How many steps lie between two addresses in one cell, each from the same place on; none if they do not step alike.
    pub(crate) fn steps(&self, x: Value, y: Value) -> Option<(Bound, Bound)> {
        let parts = |value: Value| match value {
            Value::Pointer(pointer) => Some((pointer, None)),
            Value::Indexed { pointer, index, scale } => Some((pointer, Some((index, scale)))),
            _ => None,
        };
        let ((p, i), (q, j)) = (parts(x)?, parts(y)?);
        let scale = match (i, j) {
            (Some((_, s)), Some((_, t))) => (s == t).then_some(s)?,
            (Some((_, scale)), None) | (None, Some((_, scale))) => scale,
            (None, None) => 1,
        };
        if (p.node, p.port) != (q.node, q.port) || scale <= 0 {
            return None;
        }
        let further = p.offset.checked_sub(q.offset).filter(|bytes| bytes % scale == 0)? / scale;
        let at = |open: Option<(SymbolId, i64)>, plus: i64| match open {
            Some((index, _)) => Bound::new(Value::Symbol(index), plus),
            None => Bound::number(i128::from(plus)),
        };
        Some((at(i, further), at(j, 0)))
    }

    /// Counts the steps of each address from the start of what it walks along.
    pub(crate) fn recentre_walks(&mut self) {
        let mut found: Vec<Value> = Vec::new();
        self.for_each_value(&mut |value| {
            if let Value::Indexed { pointer, index, .. } = value
                && pointer.node.level() == 0
                && index.level() == 0
                && !found.contains(&value)
            {
                found.push(value);
            }
        });
        for value in found {
            if let Some(centred) = self.recentred(value) {
                self.map_values(&mut |known| if known == value { centred } else { known });
            }
        }
    }

    fn recentred(&mut self, value: Value) -> Option<Value> {
        let Value::Indexed { pointer, index, scale } = value else { return None };
        let object = self.object(pointer.node).filter(|_| scale > 0)?;
        let low = i64::try_from(self.symbol(index).low.checked_mul(i128::from(scale))?).ok()?;
        let start = object.course(pointer.offset.checked_add(low)?, scale);
        let steps = pointer.offset.checked_sub(start)? / scale;
        if steps == 0 {
            return None;
        }
        let pointer = Pointer { offset: start, ..pointer };
        Some(match self.stepped(index, steps)? {
            Value::Symbol(index) => Value::Indexed { pointer, index, scale },
            Value::Number(number) => {
                let bytes = i64::try_from(number).ok()?.checked_mul(scale)?;
                Value::Pointer(Pointer { offset: start.checked_add(bytes)?, ..pointer })
            }
            _ => return None,
        })
    }

    /// `index + steps`: the number that was computed so, or a new one of which as much is known.
    pub(crate) fn stepped(&mut self, index: SymbolId, steps: i64) -> Option<Value> {
        let own = self.linear(index);
        let constant = own.constant.checked_add(i128::from(steps))?;
        if (own.scale, constant) == (1, 0) {
            return Some(Value::Symbol(own.base));
        }
        let known = self.linears.iter().find(|it| (it.base, it.scale, it.constant) == (own.base, own.scale, constant));
        if let Some(known) = known {
            return Some(Value::Symbol(known.result));
        }
        let range = self.symbol(index);
        let moved = |end: i128| end.checked_add(i128::from(steps));
        let sum = self.fresh(Range { low: moved(range.low)?, high: moved(range.high)?, without_zero: false });
        let Value::Symbol(number) = sum else { return Some(sum) };
        let own = if steps > 0 { CompareOperator::Greater } else { CompareOperator::Less };
        self.remember(number, own, index);
        for bound in self.compared_with(index) {
            let (at, end) = (Bound::new(Value::Symbol(index), steps), Bound::new(Value::Symbol(bound), 0));
            let operator = match (self.is_below(at, end), self.is_below(end, at)) {
                (Some(true), _) => CompareOperator::Less,
                (_, Some(false)) => CompareOperator::LessEqual,
                (_, Some(true)) => CompareOperator::Greater,
                (Some(false), _) => CompareOperator::GreaterEqual,
                (None, None) => continue,
            };
            if self.symbol(number).compare(operator, self.symbol(bound)) != Some(true) {
                self.remember(number, operator, bound);
            }
        }
        self.note_linear(sum, Value::Symbol(index), 1, i128::from(steps));
        Some(sum)
    }

    /// Numbers that something is known of beside this one: those that it was compared with, lengths of texts, ends of arrays, sizes.
    fn compared_with(&self, symbol: SymbolId) -> Vec<SymbolId> {
        let mut bounds: Vec<SymbolId> = Vec::new();
        for (x, y, order) in &self.facts {
            match order {
                Order::AtMost(_) if *x == symbol => bounds.push(*y),
                Order::AtMost(_) if *y == symbol => bounds.push(*x),
                Order::AtMost(_) | Order::Different => {}
            }
        }
        for (_, node) in self.nodes() {
            bounds.extend(node.ends());
        }
        bounds.sort_unstable();
        bounds.dedup();
        bounds.retain(|bound| *bound != symbol && bound.level() == 0);
        bounds
    }
}

impl super::Node {
    /// Numbers that say where a cell, or what is in it, ends: its size, lengths of texts, ends of segments.
    pub(crate) fn ends(&self) -> Vec<SymbolId> {
        let super::Node::Object(object) = self else { return Vec::new() };
        let mut ends: Vec<SymbolId> = object.texts.iter().filter_map(|text| text.length.symbol()).collect();
        if let Some(array) = &object.array {
            ends.extend(array.segments.iter().filter_map(|segment| segment.end.base.symbol()));
        }
        if let Size::Symbol(size) = object.size {
            ends.push(size);
        }
        ends
    }
}
