//! Addresses that a loop moves along a cell: at different places of it in each heap, at a number in what describes both.

use super::{Mode, Side, Unifier, index};
use crate::heap::{Node, Object, Pointer, SymbolId, Value};

/// An address taken apart: where index 0 leads, and the index with its stride.
fn parts(value: Value) -> Option<(Pointer, Option<(SymbolId, i64)>)> {
    match value {
        Value::Pointer(pointer) => Some((pointer, None)),
        Value::Indexed { pointer, index, scale } => Some((pointer, Some((index, scale)))),
        _ => None,
    }
}

/// Whether two addresses differ in how far they lie behind the start of their cells.
pub(super) fn walks(x: Value, y: Value) -> bool {
    match (x, y) {
        (Value::Pointer(x), Value::Pointer(y)) => x.offset != y.offset,
        (x, y) => [x, y].iter().any(|value| matches!(value, Value::Indexed { .. })),
    }
}

impl Unifier<'_> {
    fn cell_of(&self, side: Side, pointer: Pointer) -> Option<&Object> {
        if pointer.node.level() < self.closed {
            return None;
        }
        match self.levels.get(pointer.node.level() as usize)?.spaces[index(side)].node(pointer.node) {
            Some(Node::Object(object)) => Some(object),
            Some(Node::Instance(_)) | None => None,
        }
    }

    /// Whether two addresses in one cell may be joined to one at a number.
    pub(super) fn is_walk(&self, x: Pointer, y: Pointer) -> bool {
        let Mode::Join(policy) = self.mode else { return false };
        !policy.numbers.keep_constants()
            && self.cell_of(Side::Left, x).is_some_and(Object::is_walked_along)
            && self.cell_of(Side::Right, y).is_some_and(Object::is_walked_along)
    }

    /// Where what an address walks along begins, and how far each step goes.
    fn course(&self, x: Pointer, y: Pointer) -> Option<(i64, i64)> {
        let object = self.cell_of(Side::Left, x)?;
        let apart = x.offset.checked_sub(y.offset)?.checked_abs()?;
        let scale = object.stride_at(x.offset).filter(|stride| apart % stride == 0).unwrap_or(apart);
        Some((object.course(x.offset.min(y.offset), scale), scale))
    }

    /// What describes two addresses in one cell, one of which at least is at a number.
    pub(super) fn walked(&mut self, x: Value, y: Value) -> Option<Value> {
        let ((p, x_index), (q, y_index)) = (parts(x)?, parts(y)?);
        let (start, scale) = match (x_index, y_index) {
            (Some((_, s)), Some((_, t))) => (p.offset == q.offset && s == t).then_some((p.offset, s))?,
            (None, Some((_, scale))) => (q.offset, scale),
            (Some(_), None) if self.mode == Mode::Entails => return None,
            (Some((_, scale)), None) => (p.offset, scale),
            (None, None) => self.course(p, q)?,
        };
        if scale == 0 {
            return None;
        }
        let number = |pointer: Pointer, open: Option<(SymbolId, i64)>| match open {
            Some((symbol, _)) => Some(Value::Symbol(symbol)),
            None => {
                let bytes = pointer.offset.checked_sub(start)?;
                (bytes % scale == 0).then(|| Value::Number(i128::from(bytes / scale)))
            }
        };
        let (i, j) = (number(p, x_index)?, number(q, y_index)?);
        // The number first: what is known of the cell may speak of it.
        let steps = self.numbers(i, j)?;
        let base = |pointer: Pointer| Value::Pointer(Pointer { offset: start, ..pointer });
        let Value::Pointer(pointer) = self.value(base(p), base(q))? else { return None };
        match steps {
            Value::Symbol(index) => Some(Value::Indexed { pointer, index, scale }),
            Value::Number(number) => {
                let bytes = i64::try_from(number).ok()?.checked_mul(scale)?;
                Some(Value::Pointer(Pointer { offset: pointer.offset.checked_add(bytes)?, ..pointer }))
            }
            _ => None,
        }
    }
}
