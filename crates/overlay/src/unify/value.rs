//! Values side by side: numbers, and pointers into nodes that are paired.

use super::{Image, Mode, Numbers, Side, Unifier, index};
use crate::heap::{Node, Pointer, PortId, SymbolId, Value};
use crate::number::Range;

impl Unifier<'_> {
    /// What describes both values.
    pub(super) fn value(&mut self, x: Value, y: Value) -> Option<Value> {
        self.fuel = self.fuel.checked_sub(1)?;
        match (x, y) {
            (Value::Number(_) | Value::Symbol(_), Value::Number(_) | Value::Symbol(_)) => self.numbers(x, y),
            (Value::Pointer(p), Value::Pointer(q)) if p.offset != q.offset && self.is_walk(p, q) => self.walked(x, y),
            (Value::Pointer(x), Value::Pointer(y)) => self.pointers(x, y),
            (_, Value::Pointer(y)) if self.is_instance(Side::Right, y) => self.against(Side::Right, x, y),
            (Value::Pointer(x), _) if self.is_instance(Side::Left, x) => self.against(Side::Left, y, x),
            (Value::Uninitialised, Value::Uninitialised)
            | (Value::Top, Value::Top)
            | (Value::Any, Value::Any)
            | (Value::Library, Value::Library) => Some(x),
            (Value::Function(f), Value::Function(g)) if f == g => Some(x),
            (Value::Indexed { .. }, Value::Indexed { .. })
            | (Value::Pointer(_), Value::Indexed { .. })
            | (Value::Indexed { .. }, Value::Pointer(_)) => self.walked(x, y),
            (_, Value::Top) if x.node().is_none() => Some(Value::Top),
            (Value::Number(_) | Value::Symbol(_) | Value::Function(_) | Value::Library, Value::Any) => Some(Value::Any),
            _ => {
                let policy = self.policy()?;
                let plain = |value: Value| value.node().is_none();
                let unset = |value: Value| matches!(value, Value::Uninitialised | Value::Top);
                if !plain(x) || !plain(y) || !policy.values {
                    return None;
                }
                if unset(x) || unset(y) {
                    return Some(Value::Top);
                }
                match (x, y) {
                    (Value::Any, _) | (_, Value::Any) => Some(Value::Any),
                    // Which function, or whether null, matters too much.
                    _ => None,
                }
            }
        }
    }

    pub(super) fn is_instance(&self, side: Side, pointer: Pointer) -> bool {
        pointer.node.level() >= self.closed
            && matches!(
                self.levels[pointer.node.level() as usize].spaces[index(side)].node(pointer.node),
                Some(Node::Instance(_))
            )
    }

    pub(super) fn range(&self, side: Side, value: Value) -> Option<Range> {
        match value {
            Value::Number(number) => Some(Range::constant(number)),
            Value::Symbol(symbol) => {
                let space = &self.levels[symbol.level() as usize].spaces[index(side)];
                space.symbols.get(symbol.index()).copied()
            }
            _ => None,
        }
    }

    pub(super) fn numbers(&mut self, x: Value, y: Value) -> Option<Value> {
        let level_of = |value: Value| value.symbol().map_or(0, SymbolId::level);
        let is_closed = |value: Value| value.symbol().is_some_and(|symbol| symbol.level() < self.closed);
        if x == y && (x.symbol().is_none() || is_closed(x)) {
            return Some(x);
        }
        let (Some(left), Some(right)) = (self.range(Side::Left, x), self.range(Side::Right, y)) else {
            // A symbol of a heap further out, whose range is not at hand: it is given up with all its values.
            return self.policy().map(|_| Value::Any);
        };
        match self.mode {
            // A number of which nothing may be assumed: it is described by whatever is there.
            Mode::Entails if left.low > left.high => Some(y),
            Mode::Entails => {
                let Value::Symbol(symbol) = y else { return (x == y).then_some(y) };
                if level_of(x) > symbol.level() || !right.includes(left) {
                    return None;
                }
                if !self.is_bound_so(symbol, x) {
                    return None;
                }
                match self.level(symbol.level()).bound.insert(symbol, x) {
                    Some(known) if known != x => None,
                    Some(_) | None => Some(y),
                }
            }
            Mode::Join(policy) => {
                let level = level_of(x).max(level_of(y)).max(self.closed);
                if let Some(known) = self.level(level).pairs.get(&(x, y)) {
                    return Some(*known);
                }
                let range = match policy.numbers {
                    kept if kept.keep_constants() && left.single().is_some() && right.single().is_some() => {
                        return None;
                    }
                    Numbers::Keep | Numbers::Join => left.join(right),
                    Numbers::Widen | Numbers::WidenRanges => left.widen(right, self.thresholds),
                };
                let found = self.level(level);
                let value = match range.single() {
                    Some(number) => Value::Number(number),
                    None => {
                        found.symbols.push(range);
                        Value::Symbol(SymbolId::new(level, found.symbols.len() - 1))
                    }
                };
                found.pairs.insert((x, y), value);
                Some(value)
            }
        }
    }

    /// The ports of an instance at which a pointer may stand, as a mask: a cell is at both ends if it is the only one.
    pub(super) fn ports(&self, side: Side, pointer: Pointer, first: bool, last: bool) -> u8 {
        match self.levels[pointer.node.level() as usize].spaces[index(side)].node(pointer.node) {
            Some(Node::Instance(_)) => {
                let is_at_end = if pointer.port == PortId::FIRST { first } else { last };
                if is_at_end { 1 << pointer.port.0 } else { 0 }
            }
            Some(Node::Object(_)) | None => u8::from(first) | u8::from(last) << 1,
        }
    }

    fn pointers(&mut self, x: Pointer, y: Pointer) -> Option<Value> {
        let level = x.node.level();
        if level < self.closed || y.node.level() < self.closed {
            return (x == y).then_some(Value::Pointer(x));
        }
        if level != y.node.level() {
            return None;
        }
        match (self.image(Side::Left, x.node), self.image(Side::Right, y.node)) {
            (Some(Image::Cell(left)), Some(Image::Cell(right))) => {
                (left == right && x.offset == y.offset).then_some(Value::pointer(left, x.offset))
            }
            (
                Some(Image::Run { out, first, last }),
                Some(Image::Run { out: other, first: other_first, last: other_last }),
            ) => {
                if out != other || x.offset != y.offset {
                    return None;
                }
                let ports =
                    self.ports(Side::Left, x, first, last) & self.ports(Side::Right, y, other_first, other_last);
                let port = if ports & 1 != 0 { PortId::FIRST } else { PortId(ports.trailing_zeros() as u8) };
                (ports != 0).then_some(Value::Pointer(Pointer { node: out, port, offset: x.offset }))
            }
            (_, Some(Image::Empty(_))) => self.against(Side::Right, Value::Pointer(x), y),
            (Some(Image::Empty(_)), _) => self.against(Side::Left, Value::Pointer(y), x),
            (None, None) => match (self.is_instance(Side::Left, x), self.is_instance(Side::Right, y)) {
                (false, false) => self.cells(x, y),
                (_, true) => {
                    let found = self.attempt(|unifier| unifier.against(Side::Right, Value::Pointer(x), y));
                    match found {
                        None if self.is_instance(Side::Left, x) => self.against(Side::Left, Value::Pointer(y), x),
                        found => found,
                    }
                }
                (true, false) => self.against(Side::Left, Value::Pointer(y), x),
            },
            (Some(_), None) if self.is_instance(Side::Right, y) => self.against(Side::Right, Value::Pointer(x), y),
            (None, Some(_)) if self.is_instance(Side::Left, x) => self.against(Side::Left, Value::Pointer(y), x),
            (Some(_), _) | (None, Some(_)) => None,
        }
    }
}
