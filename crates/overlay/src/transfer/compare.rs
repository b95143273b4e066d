//! Conditions.

use super::{Executor, Step, Stop};
use crate::heap::{Bound, Heap, Instance, Life, Node, Object, Pointer, Size, Storage, SymbolId, Value};
use crate::number::{Range, is_kept_in_order};
use crate::unfold::add_bytes;
use heapwise_ir::{CompareOperator, Condition, IntType, Operand, TypeId, integer};
use std::cmp::Ordering;

/// No object lies below this address.
const LOWEST_OBJECT: i128 = 0x1_0000;
/// No object lies at or above this address.
const HIGHEST_OBJECT: i128 = 1 << 47;

impl Executor<'_, '_> {
    /// Whether a condition holds; `None` if that is open.
    pub(crate) fn decide(&mut self, condition: &Condition) -> Step<Option<bool>> {
        match condition {
            Condition::True => Ok(Some(true)),
            Condition::False => Ok(Some(false)),
            Condition::Compare { operator, ty, left, right } => {
                let (left, right) = self.operands(*ty, *left, *right)?;
                self.compare(*operator, *ty, left, right)
            }
            Condition::NotCompare { operator, ty, left, right } => {
                let (left, right) = self.operands(*ty, *left, *right)?;
                Ok(self.compare(*operator, *ty, left, right)?.map(|holds| !holds))
            }
            Condition::Shape(_) => Ok(None),
        }
    }

    fn operands(&mut self, ty: TypeId, left: Operand, right: Operand) -> Step<(Value, Value)> {
        let (left, right) = (self.typed(left, ty)?, self.typed(right, ty)?);
        Ok((self.used(left, Some(ty))?, self.used(right, Some(ty))?))
    }

    /// Goes on only where the condition holds.
    pub(crate) fn assume(&mut self, condition: &Condition) -> Step<()> {
        match self.decide(condition)? {
            Some(true) => Ok(()),
            Some(false) => Err(Stop::Infeasible),
            None => match self.assume_open(condition, true)? {
                Some(heap) => {
                    self.heap = heap;
                    Ok(())
                }
                None => Err(Stop::Infeasible),
            },
        }
    }

    /// The heap in which an open condition holds (or does not), as far as that says more.
    pub(crate) fn assume_open(&mut self, condition: &Condition, truth: bool) -> Step<Option<Heap>> {
        let (operator, ty, left, right, truth) = match condition {
            Condition::True | Condition::False | Condition::Shape(_) => return Ok(Some(self.heap.clone())),
            Condition::Compare { operator, ty, left, right } => (*operator, *ty, *left, *right, truth),
            Condition::NotCompare { operator, ty, left, right } => (*operator, *ty, *left, *right, !truth),
        };
        let Some(int) = self.context.integer_type(ty) else { return Ok(Some(self.heap.clone())) };
        let operator = if truth { operator } else { operator.negated() };
        let (left_value, right_value) = self.operands(ty, left, right)?;
        let mut heap = self.heap.clone();
        if operator == CompareOperator::Equal {
            // A register that holds any value holds this one now.
            for (operand, value, other) in [(left, left_value, right_value), (right, right_value, left_value)] {
                if let (Operand::Register(register), Value::Any, Value::Number(_) | Value::Function(_)) =
                    (operand, value, other)
                {
                    heap.set_register(register, other);
                }
            }
        }
        if let Some((x, y)) = indices_of(left_value, right_value)
            && x.plus != y.plus
        {
            let below = |x: Bound, y: Bound| heap.told_apart(x, y);
            return Ok(match operator {
                CompareOperator::Less => below(x, y).map_or(Some(heap.clone()), |[is, _]| is),
                CompareOperator::GreaterEqual => below(x, y).map_or(Some(heap.clone()), |[_, is_not]| is_not),
                CompareOperator::Greater => below(y, x).map_or(Some(heap.clone()), |[is, _]| is),
                CompareOperator::LessEqual => below(y, x).map_or(Some(heap.clone()), |[_, is_not]| is_not),
                CompareOperator::Equal | CompareOperator::NotEqual => Some(heap),
            });
        }
        let (left_value, right_value) = match (left_value, right_value) {
            (Value::Indexed { .. }, Value::Indexed { .. }) => match indices_of(left_value, right_value) {
                Some((x, y)) => (x.base, y.base),
                None => return Ok(Some(heap)),
            },
            (Value::Indexed { pointer, index, scale }, Value::Pointer(other)) if pointer.node == other.node => {
                match index_of(pointer, scale, other) {
                    Some(number) => (Value::Symbol(index), Value::Number(number)),
                    None => return Ok(Some(heap)),
                }
            }
            (Value::Pointer(other), Value::Indexed { pointer, index, scale }) if pointer.node == other.node => {
                match index_of(pointer, scale, other) {
                    Some(number) => (Value::Number(number), Value::Symbol(index)),
                    None => return Ok(Some(heap)),
                }
            }
            both => both,
        };
        let (Some(x), Some(y)) = (heap.range(left_value), heap.range(right_value)) else { return Ok(Some(heap)) };
        let Some((x, y)) = in_order(operator, int, x, y) else { return Ok(None) };
        if is_ordering(operator) && !is_kept_in_order(int, x, y) {
            return Ok(Some(heap));
        }
        let (Some(new_x), Some(new_y)) = (x.refine(operator, y), y.refine(operator.mirrored(), x)) else {
            return Ok(None);
        };
        if let Value::Symbol(symbol) = left_value {
            heap.narrow(symbol, new_x);
        }
        if let Value::Symbol(symbol) = right_value {
            heap.narrow(symbol, new_y);
        }
        for (value, range) in [(left_value, new_x), (right_value, new_y)] {
            if let (Value::Symbol(symbol), None) = (value, range.single()) {
                heap.narrow_relatives(symbol);
                heap.narrow_summands(symbol);
            }
        }
        if let (Value::Symbol(x), Value::Symbol(y)) = (left_value, right_value)
            && new_x.single().is_none()
            && new_y.single().is_none()
        {
            match operator {
                CompareOperator::Equal => heap.substitute_symbol(x, Value::Symbol(y)),
                _ => heap.remember(x, operator, y),
            }
        }
        Ok(Some(heap))
    }

    fn compare(&mut self, operator: CompareOperator, ty: TypeId, left: Value, right: Value) -> Step<Option<bool>> {
        let Some(int) = self.context.integer_type(ty) else { return Ok(None) };
        let (left, right) = self.seen_alike(left, right);
        if left == right && matches!(left, Value::Number(_) | Value::Symbol(_) | Value::Indexed { .. }) {
            return Ok(Some(operator.holds(Ordering::Equal)));
        }
        if let (Some(x), Some(y)) = (self.heap.range(left), self.heap.range(right)) {
            if is_ordering(operator) && !is_kept_in_order(int, x, y) {
                let (Some(x), Some(y)) = (x.single(), y.single()) else { return Ok(None) };
                return Ok(Some(operator.holds(integer::less(int, y, x).cmp(&integer::less(int, x, y)))));
            }
            let by_range = x.compare(operator, y);
            return Ok(match (left, right) {
                (Value::Symbol(x), Value::Symbol(y)) => by_range.or_else(|| self.heap.remembered(x, operator, y)),
                _ => by_range,
            });
        }
        match (left, right) {
            (Value::Pointer(x), Value::Pointer(y)) => self.compare_pointers(operator, x, y),
            (Value::Indexed { .. }, Value::Indexed { .. }) => {
                let indices = indices_of(left, right);
                Ok(indices.and_then(|(x, y)| self.compare_indices(operator, x, y)))
            }
            (Value::Indexed { pointer, index, scale }, Value::Pointer(y)) if pointer.node == y.node => {
                Ok(self.compare_index(operator, pointer, index, scale, y))
            }
            (Value::Pointer(x), Value::Indexed { pointer, index, scale }) if pointer.node == x.node => {
                Ok(self.compare_index(operator.mirrored(), pointer, index, scale, x))
            }
            // Functions lie in any order.
            (Value::Function(x), Value::Function(y)) => {
                Ok((x == y || !is_ordering(operator)).then(|| operator.holds(x.cmp(&y))))
            }
            (address, Value::Number(number)) => self.compare_number(operator, address, number),
            (Value::Number(number), address) => self.compare_number(operator.mirrored(), address, number),
            (Value::Function(_) | Value::Library, Value::Pointer(pointer))
            | (Value::Pointer(pointer), Value::Function(_) | Value::Library) => match self.heap.node(pointer.node) {
                Node::Instance(instance) if instance.least == 0 => self.decide_empty(pointer.node),
                Node::Object(Object { storage: Storage::Library, .. }) => Ok(None),
                Node::Instance(_) | Node::Object(_) => Ok(match operator {
                    CompareOperator::Equal => Some(false),
                    CompareOperator::NotEqual => Some(true),
                    CompareOperator::Less
                    | CompareOperator::LessEqual
                    | CompareOperator::Greater
                    | CompareOperator::GreaterEqual => None,
                }),
            },
            _ => Ok(None),
        }
    }

    /// Addresses in elements of arrays as addresses in their cells, where the other one is such an address or they lie outside.
    fn seen_alike(&self, left: Value, right: Value) -> (Value, Value) {
        let (Some(x), Some(y)) = (left.node(), right.node()) else { return (left, right) };
        if x == y {
            return (left, right);
        }
        let is_inside = |value: Value| match (value, value.node().and_then(|node| self.heap.object(node))) {
            (Value::Pointer(pointer), Some(Object { storage: Storage::Element, size: Size::Constant(size), .. })) => {
                (0..i128::from(*size)).contains(&i128::from(pointer.offset))
            }
            _ => false,
        };
        if is_inside(left) && is_inside(right) {
            return (left, right);
        }
        let seen = |value: Value| match value {
            Value::Pointer(pointer) => self.heap.seen_from_cell(pointer).unwrap_or(value),
            _ => value,
        };
        (seen(left), seen(right))
    }

    /// Two elements of one array, by their indices.
    fn compare_indices(&self, operator: CompareOperator, x: Bound, y: Bound) -> Option<bool> {
        let (less, greater) = (self.heap.is_below(x, y), self.heap.is_below(y, x));
        match operator {
            CompareOperator::Less => less,
            CompareOperator::GreaterEqual => less.map(|is_less| !is_less),
            CompareOperator::Greater => greater,
            CompareOperator::LessEqual => greater.map(|is_greater| !is_greater),
            CompareOperator::Equal | CompareOperator::NotEqual => {
                let is_known = |x: SymbolId, y: SymbolId| self.heap.is_known(x, CompareOperator::NotEqual, y);
                let differ = less == Some(true)
                    || greater == Some(true)
                    || x.plus == y.plus && x.base.symbol().zip(y.base.symbol()).is_some_and(|(x, y)| is_known(x, y));
                if differ {
                    return Some(operator == CompareOperator::NotEqual);
                }
                (less == Some(false) && greater == Some(false)).then_some(operator == CompareOperator::Equal)
            }
        }
    }

    fn compare_index(
        &self,
        operator: CompareOperator,
        pointer: Pointer,
        index: crate::heap::SymbolId,
        scale: i64,
        other: Pointer,
    ) -> Option<bool> {
        let number = index_of(pointer, scale, other)?;
        self.heap.symbol(index).compare(operator, Range::constant(number))
    }

    /// An address against a number: objects lie between the lowest and the highest address that one can have.
    fn compare_number(&mut self, operator: CompareOperator, address: Value, number: i128) -> Step<Option<bool>> {
        let is_small = (0..LOWEST_OBJECT).contains(&number);
        match address {
            Value::Any | Value::Top | Value::Uninitialised | Value::Number(_) | Value::Symbol(_) => return Ok(None),
            Value::Function(_) | Value::Library => {}
            Value::Pointer(pointer) | Value::Indexed { pointer, .. } => {
                if let Node::Instance(_) = self.heap.node(pointer.node)
                    && !self.is_address(Value::Pointer(pointer))
                {
                    return self.decide_empty(pointer.node);
                }
            }
        }
        if is_small {
            return Ok(Some(operator.holds(Ordering::Greater)));
        }
        if number >= HIGHEST_OBJECT {
            return Ok(Some(operator.holds(Ordering::Less)));
        }
        Ok(match operator {
            CompareOperator::Equal | CompareOperator::NotEqual if number < 0 => {
                Some(operator == CompareOperator::NotEqual)
            }
            _ => None,
        })
    }

    /// Whether the value is surely the address of an object, whatever is empty.
    fn is_address(&self, value: Value) -> bool {
        const MOST_STEPS: usize = 32;
        let mut value = value;
        for _ in 0..MOST_STEPS {
            let Value::Pointer(pointer) = value else { return matches!(value, Value::Function(_) | Value::Library) };
            let instance = match self.heap.node(pointer.node) {
                Node::Object(_) => return true,
                Node::Instance(instance) if instance.least > 0 => return true,
                Node::Instance(instance) => instance,
            };
            let definition = self.context.definitions.get(instance.layout.definition);
            match definition.port(pointer.port).empty {
                Some(input) => value = instance.inputs[input],
                None => return false,
            }
        }
        false
    }

    fn compare_pointers(&mut self, operator: CompareOperator, x: Pointer, y: Pointer) -> Step<Option<bool>> {
        if x.node == y.node && x.port == y.port {
            return Ok(Some(operator.holds(x.offset.cmp(&y.offset))));
        }
        let is_equality = matches!(operator, CompareOperator::Equal | CompareOperator::NotEqual);
        for pointer in [x, y] {
            if let Node::Instance(instance) = self.heap.node(pointer.node) {
                if x.node == y.node {
                    // Two ends of one structure: they meet where it has one cell.
                    return self.expose(x);
                }
                if instance.least == 0 {
                    let other = if pointer == x { y } else { x };
                    if is_equality && self.differ_anyway(instance, pointer, other) {
                        return Ok(Some(operator == CompareOperator::NotEqual));
                    }
                    return self.decide_empty(pointer.node);
                }
            }
        }
        if !is_equality {
            return Ok(None);
        }
        Ok(if self.may_be_same(x, y) { None } else { Some(operator == CompareOperator::NotEqual) })
    }

    /// Whether two addresses differ, be the structure that one leads to empty or not.
    fn differ_anyway(&self, instance: &Instance, pointer: Pointer, other: Pointer) -> bool {
        let definition = self.context.definitions.get(instance.layout.definition);
        let port = definition.port(pointer.port);
        let empty = port.empty.map_or(Value::ZERO, |input| instance.inputs[input]);
        let moved = pointer.offset.wrapping_sub(instance.layout.offset(port.anchor));
        let is_small = matches!(add_bytes(empty, moved), Value::Number(number) if (0..LOWEST_OBJECT).contains(&number));
        is_small && matches!(self.heap.node(other.node), Node::Object(_)) && !self.may_be_same(pointer, other)
    }

    /// The least and the greatest size of cells of an instance.
    fn element_sizes(&self, instance: &Instance) -> (i128, i128) {
        let mut sizes: Option<(i128, i128)> = None;
        for element in &instance.elements {
            let (low, high) = match element.nodes.first().map(|node| &**node) {
                Some(Node::Object(Object { size: Size::Constant(size), .. })) => (i128::from(*size), i128::from(*size)),
                Some(Node::Object(Object { size: Size::Symbol(symbol), .. })) => {
                    let symbols = if symbol.level() == 0 { &self.heap.symbols } else { &element.symbols };
                    symbols.get(symbol.index()).map_or((0, i128::MAX), |range| (range.low, range.high))
                }
                Some(Node::Instance(_)) | None => (0, i128::MAX),
            };
            sizes = Some(sizes.map_or((low, high), |(least, most)| (least.min(low), most.max(high))));
        }
        sizes.unwrap_or((0, i128::MAX))
    }

    /// Whether two addresses in different nodes may be the same.
    fn may_be_same(&self, x: Pointer, y: Pointer) -> bool {
        let place = |pointer: Pointer| match self.heap.node(pointer.node) {
            Node::Object(object) => {
                let (low, high) = match object.size {
                    Size::Constant(size) => (i128::from(size), i128::from(size)),
                    Size::Symbol(symbol) => (self.heap.symbol(symbol).low, self.heap.symbol(symbol).high),
                };
                // The library may hand out one text twice.
                let may_be_shared = matches!(object.storage, Storage::Literal(_) | Storage::Library);
                (low, high, object.life == Life::Alive, may_be_shared)
            }
            Node::Instance(instance) => {
                let (low, high) = self.element_sizes(instance);
                (low, high, true, false)
            }
        };
        let (x_low, x_high, x_alive, x_shared) = place(x);
        let (y_low, y_high, y_alive, y_shared) = place(y);
        if !x_alive || !y_alive || x_shared && y_shared {
            return true;
        }
        // One past the end of an object may be the start of another.
        let (x, y) = (i128::from(x.offset), i128::from(y.offset));
        let is_end = |offset: i128, low: i128, high: i128| (low..=high).contains(&offset);
        is_end(x, x_low, x_high) && y == 0 || is_end(y, y_low, y_high) && x == 0
    }
}

fn is_ordering(operator: CompareOperator) -> bool {
    !matches!(operator, CompareOperator::Equal | CompareOperator::NotEqual)
}

/// The ranges of two numbers between which a comparison holds, where what is below a number that is kept in order is kept
/// in order, too; `None` if there is no such number.
fn in_order(operator: CompareOperator, int: IntType, x: Range, y: Range) -> Option<(Range, Range)> {
    let ordered = Range { low: 0, high: i128::MAX, without_zero: false };
    Some(match operator {
        _ if int != IntType::Unsigned(16) => (x, y),
        CompareOperator::Less | CompareOperator::LessEqual if y.low >= 0 => (x.meet(ordered)?, y),
        CompareOperator::Greater | CompareOperator::GreaterEqual if x.low >= 0 => (x, y.meet(ordered)?),
        _ => (x, y),
    })
}

/// The indices of two addresses in one cell, as far as they are elements of the same array.
fn indices_of(left: Value, right: Value) -> Option<(Bound, Bound)> {
    let (Value::Indexed { pointer: p, index: i, scale: s }, Value::Indexed { pointer: q, index: j, scale: t }) =
        (left, right)
    else {
        return None;
    };
    let bytes = p.offset.checked_sub(q.offset)?;
    let is_same = (p.node, p.port, s) == (q.node, q.port, t) && s > 0 && bytes % s == 0;
    is_same.then(|| (Bound::new(Value::Symbol(i), bytes / s), Bound::new(Value::Symbol(j), 0)))
}

/// The index at which an indexed address is that other address.
fn index_of(pointer: Pointer, scale: i64, other: Pointer) -> Option<i128> {
    if pointer.port != other.port || scale <= 0 {
        return None;
    }
    let bytes = i128::from(other.offset) - i128::from(pointer.offset);
    (bytes % i128::from(scale) == 0).then(|| bytes / i128::from(scale))
}
