//! Operands and expressions.

use super::{Executor, Numbering, Step, Stop};
use crate::heap::{
    self, Heap, Node, NodeId, Object, Operation, Order, Pointer, PortId, Size, Storage, SymbolId, Value,
};
use crate::number::{Range, constant_binary, constant_unary, type_range, wrap};
use crate::unfold::add_bytes;
use heapwise_engine::Kind;
use heapwise_engine::reason::SymbolicGap;
use heapwise_ir::{
    BinaryOperator, Bound, CompareOperator, Expression, GlobalId, Index, Initializer, IntType, Mutability, Operand,
    Path, PathUse, RegisterId, ResolvedPath, Type, TypeId, UnaryOperator,
};

/// Addresses from `malloc` are multiples of this.
const ALIGNMENT_OF_MALLOC: i128 = 16;
/// Addresses of links that have marks in their lowest bits are multiples of this.
const LEAST_ALIGNMENT: i128 = 4;

/// Where a path leads: a constant offset in bytes, and an index with its stride if there is one.
type PathOffset = (ResolvedPath, i64, Option<(SymbolId, i64)>);

impl Executor<'_, '_> {
    /// The value of an operand; a constant as a value of that type (of a pointer, if none is given).
    pub(crate) fn operand(&mut self, operand: Operand, int: Option<IntType>) -> Step<Value> {
        Ok(match operand {
            Operand::Register(register) => self.heap.register(register),
            Operand::Int(constant) => {
                let int = int.unwrap_or(IntType::Unsigned(self.context.pointer_bytes() as u8));
                Value::Number(if int == IntType::Bool { i128::from(constant != 0) } else { wrap(constant, int) })
            }
            Operand::Float(_) => Value::Any,
            Operand::Global(global) => Value::pointer(self.global(global), 0),
            Operand::Function(function) => Value::Function(function),
        })
    }

    /// An operand at a type.
    pub(crate) fn typed(&mut self, operand: Operand, ty: TypeId) -> Step<Value> {
        match self.context.program.ty(ty) {
            Type::Float(_) => match operand {
                Operand::Int(_) | Operand::Float(_) => Ok(Value::Any),
                Operand::Register(_) | Operand::Global(_) | Operand::Function(_) => self.operand(operand, None),
            },
            Type::Int(int) => self.operand(operand, Some(*int)),
            Type::Void | Type::Pointer(_) | Type::Array(..) | Type::Record(_) | Type::Function(_) => {
                self.operand(operand, None)
            }
        }
    }

    /// The cell of a global, with what it held at the start if nobody looked at it before.
    pub(crate) fn global(&mut self, global: GlobalId) -> NodeId {
        global_node(&mut self.heap, self.context.program, global)
    }

    /// The byte offset of a path: a constant, and an index with its stride if there is one.
    pub(crate) fn path_offset(&mut self, path: &Path) -> Step<PathOffset> {
        let Some(resolved) = self.context.program.resolve(path) else {
            return self.gap(SymbolicGap::PathDoesNotFitItsType);
        };
        let mut offset = i128::from(resolved.offset);
        let mut open: Option<(SymbolId, i64)> = None;
        for (operand, stride) in &resolved.indices {
            let value = self.index(*operand)?;
            match value {
                Value::Number(number) => offset += number.wrapping_mul(i128::from(*stride)),
                Value::Symbol(symbol) => {
                    let stride = i64::try_from(*stride).unwrap_or(i64::MAX);
                    open = Some(match open {
                        None => (symbol, stride),
                        Some(other) => self.sum_of_indices(other, (symbol, stride)),
                    });
                }
                _ => return self.gap(SymbolicGap::IndexIsNotFollowed),
            }
        }
        match i64::try_from(offset) {
            Ok(offset) => Ok((resolved, offset, open)),
            Err(_) => self.gap(SymbolicGap::OffsetIsTooLarge),
        }
    }

    fn sum_of_indices(&mut self, (x, by_x): (SymbolId, i64), (y, by_y): (SymbolId, i64)) -> (SymbolId, i64) {
        // A place in a text and the characters from there on are the whole text.
        let whole =
            [(x, y), (y, x)].into_iter().find_map(|(rest, place)| self.heap.whole_of(rest, Value::Symbol(place)));
        if let (1, 1, Some(Value::Symbol(whole))) = (by_x, by_y, whole) {
            return (whole, 1);
        }
        if let (1, 1, Some(sum)) = (by_x, by_y, self.sum_within(x, y).or_else(|| self.sum_within(y, x))) {
            return (sum, 1);
        }
        let wide = IntType::Signed(8);
        let product = |heap: &Heap, symbol: SymbolId, by: i64| {
            Range::binary(BinaryOperator::Multiply, wide, heap.symbol(symbol), Range::constant(i128::from(by)))
        };
        let sum = Range::binary(BinaryOperator::Add, wide, product(&self.heap, x, by_x), product(&self.heap, y, by_y));
        self.heap.symbols.push(sum);
        (SymbolId::new(0, self.heap.symbols.len() - 1), 1)
    }

    /// A place in a text and at most the characters from there on: not beyond the end of the text.
    fn sum_within(&mut self, place: SymbolId, part: SymbolId) -> Option<SymbolId> {
        // (What goes back from there may lie anywhere.)
        if self.heap.symbol(part).low < 0 || self.heap.symbol(place).low < 0 {
            return None;
        }
        let (rest, whole) = self
            .heap
            .rests_behind(Value::Symbol(place))
            .into_iter()
            .find(|(rest, _)| *rest == part || self.heap.is_known(part, CompareOperator::LessEqual, *rest))?;
        let is_less = self.heap.is_known(part, CompareOperator::Less, rest);
        let (low, high) = (self.heap.symbol(place).low, self.heap.range(whole)?.high);
        let least = low.checked_add(self.heap.symbol(part).low)?;
        let high = if is_less { high - 1 } else { high };
        self.heap.symbols.push(Range { low: least, high: high.max(least), without_zero: false });
        let sum = SymbolId::new(0, self.heap.symbols.len() - 1);
        self.heap.remember(place, CompareOperator::LessEqual, sum);
        if let Value::Symbol(whole) = whole {
            let operator = if is_less { CompareOperator::Less } else { CompareOperator::LessEqual };
            self.heap.remember(sum, operator, whole);
        }
        Some(sum)
    }

    /// An index: a number or a symbol.
    pub(crate) fn index(&mut self, operand: Operand) -> Step<Value> {
        let value = self.operand(operand, Some(IntType::Signed(8)))?;
        match self.used(value, None)? {
            value @ (Value::Number(_) | Value::Symbol(_)) => Ok(value),
            _ => Ok(self.heap.fresh(type_range(IntType::Signed(8)))),
        }
    }

    /// The indices of a path lie within their arrays, or it is an error.
    pub(crate) fn check_bounds(&mut self, bounds: &[Bound], path_use: PathUse) -> Step<()> {
        for bound in bounds {
            let count = i128::from(bound.count);
            let high = match path_use {
                PathUse::Access => count - 1,
                PathUse::Address => count,
            };
            let value = match bound.index {
                Index::Constant(index) => Value::Number(i128::from(index)),
                Index::Operand(operand) => self.index(operand)?,
            };
            let allowed = Range { low: 0, high, without_zero: false };
            self.require_within(value, allowed, Kind::OutOfBounds, "an index is outside its array")?;
        }
        Ok(())
    }

    /// The number lies within a range, or it is an error; where both is possible, in cases.
    pub(crate) fn require_within(&mut self, value: Value, allowed: Range, kind: Kind, message: &str) -> Step<()> {
        let Some(range) = self.heap.range(value) else { return self.gap(SymbolicGap::NumberIsNotFollowed) };
        if allowed.includes(range) {
            return Ok(());
        }
        if allowed.meet(range).is_none() {
            return self.error(kind, message);
        }
        let Value::Symbol(symbol) = value else { return self.error(kind, message) };
        let parts = [
            Range::new(range.low, allowed.low.saturating_sub(1)),
            Some(allowed),
            Range::new(allowed.high.saturating_add(1), range.high),
        ];
        Err(Stop::Split(self.cases_of(symbol, parts.into_iter().flatten())))
    }

    /// The heap with the symbol in each of these ranges.
    pub(crate) fn cases_of(&self, symbol: SymbolId, parts: impl IntoIterator<Item = Range>) -> Vec<Heap> {
        let whole = self.heap.symbol(symbol);
        let parts = parts.into_iter().filter_map(|part| part.meet(whole));
        parts
            .map(|part| {
                let mut heap = self.heap.clone();
                heap.narrow(symbol, part);
                heap
            })
            .collect()
    }

    /// The index in an address becomes a constant, in cases.
    pub(crate) fn split_index<T>(&self, value: Value) -> Step<T> {
        const MOST: u128 = 64;
        let Value::Indexed { index, .. } = value else { return self.gap(SymbolicGap::AddressIsNotFollowed) };
        let range = self.heap.symbol(index);
        if range.count() > MOST {
            return self.gap(SymbolicGap::ManyIndices);
        }
        Err(Stop::Split(self.cases_of(index, (range.low..=range.high).map(Range::constant))))
    }

    /// `base + offset + index`.
    pub(crate) fn shifted(&mut self, base: Value, offset: i64, open: Option<(SymbolId, i64)>) -> Step<Value> {
        let base = if offset == 0 && open.is_none() && !matches!(base, Value::Uninitialised | Value::Top) {
            return Ok(base);
        } else {
            self.used(base, None)?
        };
        let moved = match base {
            Value::Symbol(_) => self.number_plus(base, Range::constant(i128::from(offset)), IntType::Unsigned(8)),
            base => add_bytes(base, offset),
        };
        let Some((index, scale)) = open else { return Ok(moved) };
        Ok(match moved {
            Value::Pointer(pointer) => Value::Indexed { pointer, index, scale },
            Value::Indexed { pointer, index: other, scale: by } => {
                let (index, scale) = self.sum_of_indices((other, by), (index, scale));
                Value::Indexed { pointer, index, scale }
            }
            Value::Number(_) => {
                let wide = IntType::Signed(8);
                let bytes = Range::binary(
                    BinaryOperator::Multiply,
                    wide,
                    self.heap.symbol(index),
                    Range::constant(i128::from(scale)),
                );
                self.number_plus(moved, bytes, IntType::Unsigned(8))
            }
            Value::Symbol(_) | Value::Any | Value::Function(_) | Value::Library | Value::Uninitialised | Value::Top => {
                Value::Any
            }
        })
    }

    fn number_plus(&mut self, value: Value, plus: Range, int: IntType) -> Value {
        match self.heap.range(value) {
            Some(range) => {
                let sum = Range::binary(BinaryOperator::Add, int, range, plus);
                self.heap.fresh(sum)
            }
            None => Value::Any,
        }
    }

    /// The right-hand side of an assignment.
    pub(crate) fn expression(&mut self, expression: &Expression, target: RegisterId) -> Step<Value> {
        let target_type = self.function.registers[target].ty;
        match expression {
            Expression::Operand(operand) => self.typed(*operand, target_type),
            Expression::AddPath { base, path } => {
                let base = self.operand(*base, None)?;
                let (resolved, offset, open) = self.path_offset(path)?;
                if matches!(base, Value::Pointer(_) | Value::Indexed { .. }) {
                    self.check_bounds(&resolved.bounds, PathUse::Address)?;
                }
                let address = self.shifted(base, offset, open)?;
                self.element_address(base, path, address)
            }
            Expression::SubtractPath { base, path } => {
                let base = self.operand(*base, None)?;
                let (_, offset, open) = self.path_offset(path)?;
                let open = open.map(|(symbol, stride)| (symbol, -stride));
                self.shifted(base, -offset, open)
            }
            Expression::AddBytes { base, bytes } => {
                let base = self.operand(*base, None)?;
                self.add_scaled(base, *bytes, 1)
            }
            Expression::AddIndex { base, index, element } => {
                let Some(stride) =
                    self.context.program.stride_of(*element).and_then(|stride| i64::try_from(stride).ok())
                else {
                    return self.gap(SymbolicGap::ArithmeticOnIncompleteType);
                };
                let base = self.operand(*base, None)?;
                self.add_scaled(base, *index, stride)
            }
            Expression::PointerDifference { left, right, element } => {
                let Some(stride) = self.context.program.stride_of(*element).filter(|stride| *stride > 0) else {
                    return self.gap(SymbolicGap::DifferenceOfIncompleteType);
                };
                self.difference(*left, *right, i128::from(stride))
            }
            Expression::Unary { operator, ty, value } => self.unary(*operator, *ty, *value),
            Expression::Binary { operator, ty, left, right } => self.binary(*operator, *ty, *left, *right),
            Expression::Convert { from, to, value } => self.convert(*from, *to, *value),
            Expression::Nondet { ty } => Ok(self.context.any_of(&mut self.heap, *ty)),
            Expression::Uninitialised => Ok(Value::Uninitialised),
        }
    }

    fn add_scaled(&mut self, base: Value, by: Operand, scale: i64) -> Step<Value> {
        match self.index(by)? {
            Value::Number(number) => {
                let bytes = number.wrapping_mul(i128::from(scale));
                match i64::try_from(wrap(bytes, IntType::Signed(8))) {
                    Ok(bytes) => self.shifted(base, bytes, None),
                    Err(_) => self.gap(SymbolicGap::OffsetIsTooLarge),
                }
            }
            Value::Symbol(symbol) => self.shifted(base, 0, Some((symbol, scale))),
            _ => self.gap(SymbolicGap::IndexIsNotFollowed),
        }
    }

    fn difference(&mut self, left: Operand, right: Operand, stride: i128) -> Step<Value> {
        let (left, right) = (self.operand(left, None)?, self.operand(right, None)?);
        let (left, right) = (self.used(left, None)?, self.used(right, None)?);
        match (left, right) {
            (Value::Pointer(x), Value::Pointer(y)) if x.node == y.node && x.port == y.port => {
                let bytes = i128::from(x.offset) - i128::from(y.offset);
                Ok(Value::Number(bytes / stride))
            }
            (Value::Number(x), Value::Number(y)) => Ok(Value::Number(x.wrapping_sub(y) / stride)),
            (Value::Indexed { scale, .. }, _) | (_, Value::Indexed { scale, .. }) if i128::from(scale) == stride => {
                match self.heap.steps(left, right) {
                    Some((x, y)) => Ok(self.steps_between(x, y)),
                    None => Ok(self.heap.fresh(type_range(IntType::Signed(8)))),
                }
            }
            _ => Ok(self.heap.fresh(type_range(IntType::Signed(8)))),
        }
    }

    /// `x - y`, where what is known of their order is known of the result.
    fn steps_between(&mut self, x: heap::Bound, y: heap::Bound) -> Value {
        let known = match (x.base, y.base) {
            (x_base, y_base) if x_base == y_base => Some(Value::Number(i128::from(x.plus) - i128::from(y.plus))),
            (Value::Symbol(index), Value::Number(number)) => {
                i64::try_from(i128::from(x.plus) - i128::from(y.plus) - number)
                    .ok()
                    .and_then(|further| if further == 0 { Some(x.base) } else { self.heap.stepped(index, further) })
            }
            _ => None,
        };
        if let Some(known) = known {
            return known;
        }
        let whole = type_range(IntType::Signed(8));
        let range = match (self.heap.range(x.base), self.heap.range(y.base)) {
            (Some(left), Some(right)) => {
                let further = i128::from(x.plus) - i128::from(y.plus);
                let low = (left.low - right.high + further).max(whole.low);
                let low = if self.heap.is_at_most(y, x) { low.max(0) } else { low };
                let high = (left.high - right.low + further).min(whole.high);
                Range::new(low, high).unwrap_or(whole)
            }
            _ => whole,
        };
        let result = self.heap.fresh(range);
        let is_from_start = self.heap.is_at_most(heap::Bound::ZERO, y);
        if let (Value::Symbol(number), Value::Symbol(most), true) = (result, x.base, is_from_start && x.plus == 0) {
            self.heap.remember(number, CompareOperator::LessEqual, most);
        }
        result
    }

    fn unary(&mut self, operator: UnaryOperator, ty: TypeId, value: Operand) -> Step<Value> {
        let value = self.typed(value, ty)?;
        let value = self.used(value, Some(ty))?;
        let Some(int) = self.context.integer_type(ty) else { return Ok(Value::Any) };
        Ok(match value {
            Value::Number(number) => Value::Number(constant_unary(operator, int, number)),
            Value::Symbol(symbol) => {
                let range = Range::unary(operator, int, self.heap.symbol(symbol));
                self.heap.fresh(range)
            }
            _ => self.heap.fresh(type_range(int)),
        })
    }

    /// A division goes on only where its divisor is not zero.
    fn exclude_zero(&self, divisor: Value) -> Step<()> {
        let may_be_zero = self.heap.range(divisor).map(|range| range.contains(0));
        match (divisor, may_be_zero) {
            (_, Some(false)) | (Value::Function(_) | Value::Library, None) => Ok(()),
            (Value::Symbol(symbol), Some(true)) => {
                let others = self.heap.symbol(symbol).refine(CompareOperator::NotEqual, Range::constant(0));
                Err(Stop::Split(self.cases_of(symbol, [Some(Range::constant(0)), others].into_iter().flatten())))
            }
            (_, Some(true)) => self.error(Kind::DivisionByZero, "an integer is divided by zero"),
            (_, None) => self.gap(SymbolicGap::NumberIsNotFollowed),
        }
    }

    fn binary(&mut self, operator: BinaryOperator, ty: TypeId, left: Operand, right: Operand) -> Step<Value> {
        let is_shift = matches!(operator, BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight);
        let left = self.typed(left, ty)?;
        let right = if is_shift { self.operand(right, Some(IntType::Signed(8)))? } else { self.typed(right, ty)? };
        let left = self.used(left, Some(ty))?;
        let right = self.used(right, Some(ty))?;
        let Some(int) = self.context.integer_type(ty) else { return Ok(Value::Any) };
        if matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder) {
            self.exclude_zero(right)?;
        }
        if let (Value::Number(left), Value::Number(right)) = (left, right) {
            return Ok(match constant_binary(operator, int, left, right) {
                Some(result) => Value::Number(result),
                // Not among the errors looked for: any value.
                None => self.heap.fresh(type_range(int)),
            });
        }
        if let Some(result) = self.address_binary(operator, left, right)? {
            return Ok(result);
        }
        let whole = type_range(int);
        let is_zero = |value: Value| value == Value::ZERO;
        let same = match operator {
            BinaryOperator::Add | BinaryOperator::Or | BinaryOperator::Xor if is_zero(left) => Some(right),
            BinaryOperator::Add
            | BinaryOperator::Subtract
            | BinaryOperator::Or
            | BinaryOperator::Xor
            | BinaryOperator::ShiftLeft
            | BinaryOperator::ShiftRight
                if is_zero(right) =>
            {
                Some(left)
            }
            BinaryOperator::Multiply if right == Value::Number(1) => Some(left),
            BinaryOperator::Subtract if left == right && matches!(left, Value::Symbol(_)) => Some(Value::ZERO),
            _ => None,
        };
        if let Some(same) = same
            && (same == Value::ZERO || self.heap.range(same).is_some_and(|range| whole.includes(range)))
        {
            return Ok(same);
        }
        let range = match (self.heap.range(left), self.heap.range(right)) {
            (Some(left), Some(right)) => Range::binary(operator, int, left, right),
            (Some(left), None) if operator == BinaryOperator::And => Range::binary(operator, int, left, whole),
            (None, Some(right)) if operator == BinaryOperator::And => Range::binary(operator, int, whole, right),
            _ => whole,
        };
        if self.context.numbering == Numbering::Off {
            return Ok(self.heap.fresh(range));
        }
        let result = self.heap.computed((Operation::binary(operator), int), left, right, range);
        if let (BinaryOperator::Remainder, Value::Symbol(remainder), Value::Symbol(divisor)) = (operator, result, right)
            && self.heap.symbol(divisor).low >= 1
        {
            self.heap.remember(remainder, CompareOperator::Less, divisor);
        }
        self.note_linear(operator, int, (left, right), result);
        Ok(result)
    }

    /// A sum with a constant or a product by one that does not wrap around.
    fn note_linear(&mut self, operator: BinaryOperator, int: IntType, (left, right): (Value, Value), result: Value) {
        let (value, constant) = match (left, right) {
            (value @ Value::Symbol(_), Value::Number(constant))
            | (Value::Number(constant), value @ Value::Symbol(_)) => (value, constant),
            _ => return,
        };
        let Some(range) = self.heap.range(value) else { return };
        let (scale, constant) = match operator {
            BinaryOperator::Add => (1, constant),
            BinaryOperator::Subtract if matches!(right, Value::Number(_)) => (1, -constant),
            BinaryOperator::Multiply if constant > 0 => (constant, 0),
            _ => return,
        };
        let whole = type_range(int);
        let of = |number: i128| number.checked_mul(scale).and_then(|number| number.checked_add(constant));
        let fits = [range.low, range.high].into_iter().all(|end| of(end).is_some_and(|end| whole.contains(end)));
        if !fits {
            return;
        }
        self.heap.note_linear(result, value, scale, constant);
        // i < n says that i + 1 <= n.
        if let (1, 1, Value::Symbol(next), Value::Symbol(index)) = (scale, constant, result, value) {
            let below = self.heap.facts.iter().filter(|(x, _, order)| *x == index && *order == Order::LESS);
            let bounds: Vec<SymbolId> = below.map(|(_, bound, _)| *bound).collect();
            for bound in bounds {
                self.heap.remember(next, CompareOperator::LessEqual, bound);
            }
        }
    }

    /// `+`, `-`, `&`, `|`, `^` of an address and a constant act on the offset, as far as addresses are aligned.
    fn address_binary(&mut self, operator: BinaryOperator, left: Value, right: Value) -> Step<Option<Value>> {
        let (pointer, constant, is_swapped) = match (left, right) {
            (Value::Pointer(pointer), Value::Number(constant)) => (pointer, constant, false),
            (Value::Number(constant), Value::Pointer(pointer)) => (pointer, constant, true),
            (Value::Pointer(x), Value::Pointer(y))
                if operator == BinaryOperator::Subtract && x.node == y.node && x.port == y.port =>
            {
                return Ok(Some(Value::Number(i128::from(x.offset) - i128::from(y.offset))));
            }
            _ => return Ok(None),
        };
        let constant = wrap(constant, IntType::Signed(8));
        let offset = i128::from(pointer.offset);
        let moved =
            |offset: i128| i64::try_from(offset).ok().map(|offset| Value::Pointer(Pointer { offset, ..pointer }));
        match operator {
            BinaryOperator::Add => return Ok(moved(offset + constant)),
            BinaryOperator::Subtract if !is_swapped => return Ok(moved(offset - constant)),
            _ => {}
        }
        let is_aligned = self.is_start_aligned(pointer.node, pointer.port, 0);
        if !is_aligned && self.heap.instance(pointer.node).is_some() {
            // Where it is empty, something else stands there.
            return self.expose(pointer);
        }
        // A structure that is empty stands for an address that need not be a multiple of more.
        let alignment = match self.heap.node(pointer.node) {
            Node::Object(_) if is_aligned => ALIGNMENT_OF_MALLOC,
            Node::Instance(_) => LEAST_ALIGNMENT,
            Node::Object(_) => 1,
        };
        Ok(match operator {
            BinaryOperator::And if (0..alignment).contains(&constant) => Some(Value::Number(offset & constant)),
            BinaryOperator::And if (-alignment..0).contains(&constant) => moved(offset & constant),
            BinaryOperator::Or if (0..alignment).contains(&constant) => moved(offset | constant),
            BinaryOperator::Xor if (0..alignment).contains(&constant) => moved(offset ^ constant),
            _ => None,
        })
    }

    /// Whether the start of the cell at a port is a multiple of [`LEAST_ALIGNMENT`], and so is what stands there while it is empty.
    fn is_start_aligned(&self, node: NodeId, port: PortId, n_steps: u32) -> bool {
        const MOST_STEPS: u32 = 16;
        let instance = match self.heap.node(node) {
            Node::Object(object) => return matches!(object.storage, Storage::Heap | Storage::GivenAway),
            Node::Instance(instance) => instance,
        };
        let is_multiple = |number: i128| number.rem_euclid(LEAST_ALIGNMENT) == 0;
        let port = self.context.definitions.get(instance.layout.definition).port(port);
        if n_steps > MOST_STEPS || !is_multiple(i128::from(instance.layout.offset(port.anchor))) {
            return false;
        }
        match port.empty.filter(|_| instance.least == 0).map(|input| instance.inputs[input]) {
            None => true,
            Some(Value::Number(number)) => is_multiple(number),
            Some(Value::Pointer(next)) => {
                is_multiple(i128::from(next.offset)) && self.is_start_aligned(next.node, next.port, n_steps + 1)
            }
            Some(_) => false,
        }
    }

    fn convert(&mut self, from: TypeId, to: TypeId, value: Operand) -> Step<Value> {
        let value = self.typed(value, from)?;
        if matches!(value, Value::Uninitialised | Value::Top) {
            return Ok(value);
        }
        let Some(int) = self.context.integer_type(to) else { return Ok(Value::Any) };
        if self.context.integer_type(from).is_none() {
            return Ok(self.heap.fresh(type_range(int)));
        }
        let is_wide = int.bytes() >= self.context.pointer_bytes();
        Ok(match value {
            Value::Number(number) if int == IntType::Bool => Value::Number(i128::from(number != 0)),
            Value::Number(number) => Value::Number(wrap(number, int)),
            Value::Symbol(symbol) => {
                let range = self.heap.symbol(symbol);
                if type_range(int).includes(range) {
                    value
                } else if self.context.numbering == Numbering::On
                    && int == IntType::Unsigned(8)
                    && range.low >= type_range(IntType::Signed(8)).low
                    && range.low < 0
                    && range.high >= 0
                {
                    // A number that is not negative stays the same.
                    let parts = [Range::new(range.low, -1), Range::new(0, range.high)];
                    return Err(Stop::Split(self.cases_of(symbol, parts.into_iter().flatten())));
                } else if range.high < 0
                    && let Some(range) = wrapped(range, int)
                {
                    self.heap.fresh(range)
                } else if int == IntType::Bool && !range.contains(0) {
                    Value::Number(1)
                } else {
                    match self.context.numbering {
                        Numbering::On => {
                            self.heap.computed((Operation::CONVERSION, int), value, Value::ZERO, type_range(int))
                        }
                        Numbering::Off => self.heap.fresh(type_range(int)),
                    }
                }
            }
            Value::Function(_) | Value::Library if int == IntType::Bool => Value::Number(1),
            Value::Pointer(pointer) if int == IntType::Bool => match self.heap.node(pointer.node) {
                Node::Object(_) => Value::Number(1),
                Node::Instance(instance) if instance.least > 0 => Value::Number(1),
                Node::Instance(_) => return self.decide_empty(pointer.node),
            },
            Value::Indexed { .. } if int == IntType::Bool => Value::Number(1),
            Value::Pointer(_) | Value::Indexed { .. } | Value::Function(_) | Value::Library if is_wide => value,
            Value::Any if matches!(self.context.program.ty(to), Type::Pointer(_)) => Value::Any,
            Value::Any
            | Value::Pointer(_)
            | Value::Indexed { .. }
            | Value::Function(_)
            | Value::Library
            | Value::Uninitialised
            | Value::Top => self.heap.fresh(type_range(int)),
        })
    }
}

/// Negative numbers as those of an unsigned type, where they all are as far from its end.
fn wrapped(range: Range, int: IntType) -> Option<Range> {
    let IntType::Unsigned(bytes @ 1..=8) = int else { return None };
    (range.low >= type_range(IntType::Signed(bytes)).low)
        .then(|| Range::new(wrap(range.low, int), wrap(range.high, int)))?
}

/// The cell of a global, with what it held at the start if nobody looked at it before.
pub(crate) fn global_node(heap: &mut Heap, program: &heapwise_ir::Program, global: GlobalId) -> NodeId {
    let place = match heap.globals.binary_search_by_key(&global, |(id, _)| *id) {
        Ok(index) => return heap.globals[index].1,
        Err(place) => place,
    };
    let definition = &program.globals[global];
    let storage = match definition.mutability {
        Mutability::Mutable => Storage::Global(global),
        Mutability::ReadOnly => Storage::Literal(global),
    };
    let rest = match &definition.initializer {
        Initializer::Items(_) => Value::ZERO,
        Initializer::Bytes(_) | Initializer::Unknown | Initializer::Library(_) => Value::Any,
    };
    let node = heap.add(Node::Object(Object::new(storage, Size::Constant(definition.size), rest)));
    heap.globals.insert(place, (global, node));
    if let Initializer::Bytes(bytes) = &definition.initializer
        && definition.mutability == Mutability::Mutable
        && let Some(object) = heap.object_mut(node)
    {
        object.rest = Value::ZERO;
        for (offset, byte) in bytes.iter().enumerate() {
            object.store(offset as u64, 1, Value::Number(i128::from(*byte)));
        }
    }
    let Initializer::Items(items) = &definition.initializer else { return node };
    for item in items {
        let int = match program.ty(item.ty) {
            Type::Int(int) => Some(*int),
            _ => None,
        };
        let value = match item.value {
            Operand::Int(number) => Value::Number(wrap(number, int.unwrap_or(IntType::Unsigned(8)))),
            Operand::Float(_) | Operand::Register(_) => Value::Any,
            Operand::Global(other) => Value::pointer(global_node(heap, program, other), item.addend),
            Operand::Function(function) => Value::Function(function),
        };
        let is_float = matches!(program.ty(item.ty), Type::Float(_));
        let value = if is_float { Value::Any } else { value };
        let bytes = program.size_of(item.ty).unwrap_or(0);
        if let Some(object) = heap.object_mut(node) {
            match (item.bits, value) {
                (None, value) => object.store(item.offset, bytes, value),
                (Some(bits), Value::Number(number)) => {
                    let old = match object.load(item.offset, bytes) {
                        Value::Number(old) => old,
                        _ => 0,
                    };
                    let mask = ((1i128 << bits.width) - 1) << bits.shift;
                    let unit = old & !mask | (number << bits.shift) & mask;
                    object.store(item.offset, bytes, Value::Number(unit));
                }
                (Some(_), _) => object.store(item.offset, bytes, Value::Any),
            }
        }
    }
    node
}
