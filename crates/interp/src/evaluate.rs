//! Operands and expressions.

use crate::approximate::{ALL_TRIED_UP_TO, Open, Range, Treatment};
use crate::chooser::Question;
use crate::code::CompiledPlace;
use crate::constraints::Difference;
use crate::describe::count;
use crate::float;
use crate::integer::{self, Undefined};
use crate::machine::{Derived, Executor, Operation, Others, Step, Stop, Unasked};
use crate::state::{CallOrigin, Ended};
use crate::value::{Address, Fragment, Pointer, Scalar, SymbolId, Term, Value};
use heapwise_engine::reason::{ArithmeticGap, MemoryGap, PointerGap};
use heapwise_engine::{InputSource, Kind};
use heapwise_ir::{
    BinaryOperator, CompareOperator, EdgeId, Expression, FloatType, Index, IntType, Operand, PathUse, Target,
    UnaryOperator,
};

const DIVIDED_BY_ZERO: &str = "an integer is divided by zero";
const OVERFLOWS: &str = "the result of signed arithmetic does not fit its type";

impl Executor<'_, '_> {
    /// The value of an operand, as a value of type `scalar`.
    pub(crate) fn operand(&self, operand: Operand, scalar: Scalar) -> Value {
        match operand {
            Operand::Register(register) => {
                self.state.frames.last().map_or(Value::UNSET, |frame| frame.register(register))
            }
            Operand::Int(constant) => match scalar {
                Scalar::Float(float) => Value::Float(float::round(constant as f64, float)),
                Scalar::Int(int) => Value::Int(integer::wrap(constant, int)),
                Scalar::Pointer(bytes) => Value::Int(integer::wrap(constant, IntType::Unsigned(bytes))),
                Scalar::None => Value::Int(constant),
            },
            Operand::Float(constant) => match scalar {
                Scalar::Float(float) => Value::Float(float::round(constant, float)),
                Scalar::Int(_) | Scalar::Pointer(_) | Scalar::None => Value::Float(constant),
            },
            Operand::Global(global) => {
                Value::Pointer(Pointer { object: crate::machine::Machine::global_object(global), offset: 0 })
            }
            Operand::Function(function) => Value::Function(function),
        }
    }

    /// The value of an integer operand of pointer width (sizes, indices): fixes inputs.
    pub(crate) fn size_operand(&mut self, operand: Operand) -> Step<i128> {
        let value = self.operand(operand, Scalar::Int(IntType::Signed(8)));
        self.integer(value)
    }

    /// The integer behind a value: fixes inputs, gives objects addresses.
    pub(crate) fn integer(&mut self, value: Value) -> Step<i128> {
        match value {
            Value::Int(value) => Ok(value),
            Value::Symbol(term) => self.fix(term),
            Value::Uninitialised(_) => self.uninitialised(value, "an uninitialised value is used"),
            Value::Float(value) => Ok(value as i128),
            Value::Pointer(_) | Value::Function(_) | Value::Opaque | Value::Fragment(_) => self.expose(value),
        }
    }

    /// The integer behind a value, as [`Executor::integer`]; other values of an input are left out, or covered.
    fn sample(&mut self, value: Value, others: Others) -> Step<i128> {
        match value {
            Value::Symbol(term) => self.fix_one_of(term, ALL_TRIED_UP_TO, others),
            value => self.integer(value),
        }
    }

    /// The use of an uninitialised value: the statement that uses it is the one that fails; copying it around is no
    /// error. Where it was read from memory is said too.
    pub(crate) fn uninitialised<T>(&self, value: Value, message: &str) -> Step<T> {
        let mut error = self.run_error(Kind::Uninitialised, message, None);
        if let Value::Uninitialised(Some(site)) = value
            && let Some(read) = crate::describe::span_of(self.machine.program, site)
            && (read.file, read.line) != (error.span.file, error.span.line)
        {
            error.message = format!("{message}: what line {} read was never written", read.line);
        }
        Err(Stop::Error(Box::new(error)))
    }

    /// The bytes of an address. From here on the object has one, so not all layouts are tried.
    fn expose(&mut self, value: Value) -> Step<i128> {
        let reason = PointerGap::AddressBits;
        match value {
            Value::Pointer(pointer) if self.is_library(pointer.object) => self.gap(PointerGap::LibraryAddressBits),
            Value::Pointer(pointer) => {
                self.incomplete(reason);
                let address = i128::from(self.address_of(pointer.object)?) + i128::from(pointer.offset);
                Ok(integer::wrap(address, IntType::Unsigned(self.machine.word_bytes())))
            }
            Value::Function(function) => {
                self.incomplete(reason);
                self.address_of_function(function)
            }
            Value::Fragment(Fragment { whole, start, len }) => {
                if whole == Address::Opaque {
                    return self.gap(PointerGap::NondeterministicBits);
                }
                let address = self.expose(whole.value())?;
                Ok(address >> (8 * start) & ((1i128 << (8 * len)) - 1))
            }
            Value::Opaque => self.gap(PointerGap::NondeterministicBits),
            Value::Uninitialised(_) | Value::Int(_) | Value::Float(_) | Value::Symbol(_) => self.integer(value),
        }
    }

    /// `base + bytes`.
    pub(crate) fn add_bytes(&mut self, base: Value, bytes: i128) -> Step<Value> {
        if bytes == 0 && !base.is_uninitialised() {
            return Ok(base);
        }
        match base {
            Value::Pointer(pointer) => {
                let offset = i128::from(pointer.offset) + bytes;
                let word = IntType::Signed(self.machine.word_bytes());
                Ok(Value::Pointer(Pointer { offset: integer::wrap(offset, word) as i64, ..pointer }))
            }
            Value::Int(address) => {
                let width = self.machine.program.target.pointer_bytes as u8;
                Ok(Value::Int(integer::wrap(address.wrapping_add(bytes), IntType::Unsigned(width))))
            }
            Value::Uninitialised(_) => self.uninitialised(base, "an uninitialised pointer is used"),
            Value::Opaque => Ok(base),
            Value::Symbol(_) | Value::Function(_) | Value::Fragment(_) | Value::Float(_) => {
                let address = self.integer(base)?;
                self.add_bytes(Value::Int(address), bytes)
            }
        }
    }

    /// How many bytes a compiled path adds.
    pub(crate) fn path_bytes(&mut self, place: &CompiledPlace) -> Step<i128> {
        let mut bytes = i128::from(place.offset);
        for &(operand, stride) in &place.indices {
            let value = self.operand(operand, Scalar::Int(IntType::Signed(8)));
            let bound = place.bounds.iter().find(|bound| bound.index == Index::Operand(operand));
            let index = match bound {
                Some(bound) => self.index(value, (0, i128::from(bound.count) - 1))?,
                None => self.integer(value)?,
            };
            bytes += index.wrapping_mul(i128::from(stride));
        }
        Ok(bytes)
    }

    /// Whether the indices of a path lie within their arrays. Asked once the object is known to be there: a null or
    /// dangling base says more.
    pub(crate) fn check_bounds(&mut self, place: &CompiledPlace, path_use: PathUse, base: Value) -> Step<()> {
        for bound in &place.bounds {
            let index = match bound.index {
                Index::Constant(index) => i128::from(index),
                Index::Operand(operand) => self.size_operand(operand)?,
            };
            if !bound.admits(index, path_use) {
                let object = match self.known(base) {
                    Value::Pointer(pointer) => Some(pointer.object),
                    _ => None,
                };
                let message =
                    format!("index {index} is outside its array, which has {}", count(bound.count, "element"));
                return self.error(Kind::OutOfBounds, message, object);
            }
        }
        Ok(())
    }

    /// The value of an expression; `target` is the type of the register it goes to.
    pub(crate) fn expression(&mut self, edge: EdgeId, expression: &Expression, target: Scalar) -> Step<Value> {
        let pointer = Scalar::Pointer(self.machine.program.target.pointer_bytes as u8);
        match expression {
            Expression::Operand(operand) => Ok(self.operand(*operand, target)),
            Expression::AddPath { base, .. } | Expression::SubtractPath { base, .. } => {
                let machine = self.machine;
                let function = self.state.top_mut().function;
                let Some(place) = &machine.code.functions[function].edges[edge].place else {
                    return self.gap(MemoryGap::PathMisfit);
                };
                let bytes = self.path_bytes(place)?;
                let base = self.operand(*base, pointer);
                if matches!(expression, Expression::SubtractPath { .. }) {
                    return self.add_bytes(base, -bytes);
                }
                if matches!(base, Value::Pointer(_)) {
                    self.check_bounds(place, PathUse::Address, base)?;
                }
                self.add_bytes(base, bytes)
            }
            Expression::AddBytes { base, bytes } => {
                let bytes = self.size_operand(*bytes)?;
                let base = self.operand(*base, pointer);
                self.add_bytes(base, bytes)
            }
            Expression::AddIndex { base, index, element } => {
                let Some(stride) = self.machine.program.stride_of(*element) else {
                    return self.gap(PointerGap::IncompleteArithmetic);
                };
                let index = self.operand(*index, Scalar::Int(IntType::Signed(8)));
                let base = self.operand(*base, pointer);
                let index = match base {
                    Value::Pointer(Pointer { object, offset }) if stride > 0 => {
                        let (offset, stride) = (i128::from(offset), i128::from(stride));
                        let size = i128::from(self.state.heap.object(object).size);
                        self.index(index, (-offset.div_euclid(stride), (size - offset).div_euclid(stride)))?
                    }
                    _ => self.integer(index)?,
                };
                self.add_bytes(base, index.wrapping_mul(i128::from(stride)))
            }
            Expression::PointerDifference { left, right, element } => {
                let Some(stride) = self.machine.program.stride_of(*element).filter(|stride| *stride > 0) else {
                    return self.gap(PointerGap::IncompleteDifference);
                };
                let (left, right) = (self.operand(*left, pointer), self.operand(*right, pointer));
                let bytes = self.difference(left, right)?;
                Ok(Value::Int(bytes / i128::from(stride)))
            }
            Expression::Unary { operator, ty, value } => {
                let scalar = self.machine.code.scalar(*ty);
                let value = self.operand(*value, scalar);
                self.unary(*operator, scalar, value)
            }
            Expression::Binary { operator, ty, left, right } => {
                let scalar = self.machine.code.scalar(*ty);
                let is_shift = matches!(operator, BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight);
                let right_scalar = if is_shift { Scalar::None } else { scalar };
                let (left, right) = (self.operand(*left, scalar), self.operand(*right, right_scalar));
                self.binary(*operator, scalar, left, right)
            }
            Expression::Convert { from, to, value } => {
                let (from, to) = (self.machine.code.scalar(*from), self.machine.code.scalar(*to));
                let value = self.operand(*value, from);
                self.convert(value, from, to)
            }
            Expression::Nondet { ty } => self.nondet(*ty, InputSource::Unspecified),
            Expression::Uninitialised => Ok(Value::UNSET),
        }
    }

    /// `left - right` in bytes.
    pub(crate) fn difference(&mut self, left: Value, right: Value) -> Step<i128> {
        match (left, right) {
            (value @ Value::Uninitialised(_), _) | (_, value @ Value::Uninitialised(_)) => {
                self.uninitialised(value, "an uninitialised pointer is used")
            }
            (Value::Pointer(left), Value::Pointer(right)) if left.object == right.object => {
                Ok(i128::from(left.offset) - i128::from(right.offset))
            }
            _ => Ok(self.integer(left)?.wrapping_sub(self.integer(right)?)),
        }
    }

    fn unary(&mut self, operator: UnaryOperator, scalar: Scalar, value: Value) -> Step<Value> {
        match (scalar, value) {
            (_, Value::Uninitialised(_)) => self.uninitialised(value, "an uninitialised value is used"),
            (Scalar::Float(_), Value::Float(value)) if operator == UnaryOperator::Negate => Ok(Value::Float(-value)),
            _ => {
                let Some(int) = scalar.integer() else { return self.gap(ArithmeticGap::NoOperator) };
                let others = match self.approximate_unary(operator, int, value)? {
                    Treatment::Open(value) => return Ok(value),
                    Treatment::Sampled => Others::Covered,
                    Treatment::Exact => Others::LeftOut,
                };
                let value = self.sample(value, others)?;
                if operator == UnaryOperator::Negate {
                    return self.integer_binary(BinaryOperator::Subtract, int, 0, value);
                }
                Ok(Value::Int(integer::unary(operator, int, value)))
            }
        }
    }

    pub(crate) fn binary(
        &mut self,
        operator: BinaryOperator,
        scalar: Scalar,
        left: Value,
        right: Value,
    ) -> Step<Value> {
        if let (Value::Int(left), Value::Int(right), Some(int)) = (left, right, scalar.integer()) {
            return self.integer_binary(operator, int, left, right);
        }
        match (self.known(left), self.known(right), scalar) {
            (value @ Value::Uninitialised(_), _, _) | (_, value @ Value::Uninitialised(_), _) => {
                self.uninitialised(value, "an uninitialised value is used in a computation")
            }
            (Value::Float(left), Value::Float(right), Scalar::Float(float)) => {
                match float::binary(operator, float, self.machine.program.target, left, right) {
                    Some(result) => Ok(Value::Float(result)),
                    None => self.gap(wide_float(float)),
                }
            }
            (left, right, _) => {
                let Some(int) = scalar.integer() else { return self.gap(ArithmeticGap::NoOperator) };
                if let Some(result) = self.address_binary(operator, int, left, right)? {
                    return Ok(result);
                }
                self.exclude_zero(operator, scalar, right)?;
                if let Some(result) = self.exclude_overflow(operator, int, left, right)? {
                    return Ok(result);
                }
                if let Some(result) = self.symbol_binary(operator, int, left, right)? {
                    return Ok(result);
                }
                let others = match self.approximate_binary(operator, int, left, right)? {
                    Treatment::Open(value) => return Ok(value),
                    Treatment::Sampled => Others::Covered,
                    Treatment::Exact => Others::LeftOut,
                };
                let (left, right) = (self.sample(left, others)?, self.sample(right, others)?);
                let (left, right) = (integer::wrap(left, int), right);
                self.integer_binary(operator, int, left, right)
            }
        }
    }

    /// A division by an input goes on only where that is not zero.
    fn exclude_zero(&mut self, operator: BinaryOperator, scalar: Scalar, right: Value) -> Step<()> {
        let is_division = matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder);
        if !is_division || !matches!(right, Value::Symbol(_)) {
            return Ok(());
        }
        let is_zero = self.compare(CompareOperator::Equal, scalar, right, Value::Int(0))?;
        if self.decide_condition(is_zero)? {
            return self.error(Kind::DivisionByZero, DIVIDED_BY_ZERO, None);
        }
        Ok(())
    }

    /// Signed arithmetic on inputs goes on only where its result fits, if anybody asks. Gives the result where only a value of
    /// each input can tell.
    fn exclude_overflow(
        &mut self,
        operator: BinaryOperator,
        int: IntType,
        left: Value,
        right: Value,
    ) -> Step<Option<Value>> {
        if self.machine.options.overflow == Unasked::GoesOn || !matches!(int, IntType::Signed(_)) {
            return Ok(None);
        }
        let (Some(low), Some(high)) = (self.bounds_of(left), self.bounds_of(right)) else { return Ok(None) };
        let may_overflow = [(low.0, high.0), (low.0, high.1), (low.1, high.0), (low.1, high.1)]
            .into_iter()
            .any(|(left, right)| integer::overflows(operator, int, left, right));
        let is_least_quotient = matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder)
            && low.0 == integer::range(int).0
            && (high.0..=high.1).contains(&-1);
        if !may_overflow && !is_least_quotient {
            return Ok(None);
        }
        let (least, greatest) = integer::range(int);
        // The least and the greatest value of the input with which the result fits.
        let fitting = match (operator, left, right) {
            (BinaryOperator::Add, Value::Symbol(_), Value::Int(by)) => Some((left, least - by, greatest - by)),
            (BinaryOperator::Add, Value::Int(by), Value::Symbol(_)) => Some((right, least - by, greatest - by)),
            (BinaryOperator::Subtract, Value::Symbol(_), Value::Int(by)) => Some((left, least + by, greatest + by)),
            (BinaryOperator::Subtract, Value::Int(from), Value::Symbol(_)) => {
                Some((right, from - greatest, from - least))
            }
            _ => None,
        };
        let Some((input, low, high)) = fitting.filter(|_| int.bytes() <= 8) else {
            let (left, right) = (self.integer(left)?, self.integer(right)?);
            return self.integer_binary(operator, int, left, right).map(Some);
        };
        for (operator, end) in [(CompareOperator::Less, low), (CompareOperator::Greater, high)] {
            let is_beyond = self.compare(operator, Scalar::Int(IntType::Signed(8)), input, Value::Int(end))?;
            if self.decide_condition(is_beyond)? {
                return self.error(Kind::Overflow, OVERFLOWS, None);
            }
        }
        Ok(None)
    }

    fn integer_binary(&mut self, operator: BinaryOperator, int: IntType, left: i128, right: i128) -> Step<Value> {
        if self.machine.options.overflow == Unasked::Ends && integer::overflows(operator, int, left, right) {
            return self.error(Kind::Overflow, OVERFLOWS, None);
        }
        match integer::binary(operator, int, left, right) {
            Ok(result) => Ok(Value::Int(result)),
            Err(Undefined::DivisionByZero) => self.error(Kind::DivisionByZero, DIVIDED_BY_ZERO, None),
            // Outside the kinds of error that are asked about, so the run ends as a gap, never silently.
            Err(Undefined::DivisionOverflow) => self.gap(ArithmeticGap::QuotientOverflow),
            Err(Undefined::ShiftCount) => self.gap(ArithmeticGap::ShiftCount),
        }
    }

    /// `+`, `-`, `&`, `|`, `^` where one side is an address and the other a constant act on the offset.
    fn address_binary(
        &mut self,
        operator: BinaryOperator,
        int: IntType,
        left: Value,
        right: Value,
    ) -> Step<Option<Value>> {
        let (pointer, constant, is_swapped) = match (left, right) {
            (Value::Pointer(left), Value::Pointer(right))
                if operator == BinaryOperator::Subtract && left.object == right.object =>
            {
                return Ok(Some(Value::Int(i128::from(left.offset) - i128::from(right.offset))));
            }
            (Value::Pointer(pointer), Value::Int(constant)) => (pointer, constant, false),
            (Value::Int(constant), Value::Pointer(pointer)) => (pointer, constant, true),
            (Value::Function(_) | Value::Opaque, Value::Int(0))
                if matches!(
                    operator,
                    BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Or | BinaryOperator::Xor
                ) =>
            {
                return Ok(Some(left));
            }
            _ => return Ok(None),
        };
        let word = IntType::Signed(self.machine.word_bytes());
        // An address in a number that is wider has bits of its own.
        if int.bytes() > word.bytes() {
            return Ok(None);
        }
        let constant = integer::wrap(constant, word);
        // Low bits of addresses are low bits of offsets, as far as objects are aligned.
        let alignment = i128::from(self.alignment(self.state.heap.object(pointer.object)));
        let offset = i128::from(pointer.offset);
        let moved = |offset: i128| Value::Pointer(Pointer { offset: integer::wrap(offset, word) as i64, ..pointer });
        Ok(match operator {
            BinaryOperator::Add => Some(moved(offset + constant)),
            BinaryOperator::Subtract if !is_swapped => Some(moved(offset - constant)),
            BinaryOperator::And if (0..alignment).contains(&constant) => Some(Value::Int(offset & constant)),
            BinaryOperator::And if (-alignment..0).contains(&constant) => Some(moved(offset & constant)),
            BinaryOperator::Or if (0..alignment).contains(&constant) => Some(moved(offset | constant)),
            BinaryOperator::Xor if (0..alignment).contains(&constant) => Some(moved(offset ^ constant)),
            BinaryOperator::Remainder
                if !is_swapped && (1..=alignment).contains(&constant) && alignment % constant == 0 =>
            {
                Some(Value::Int(offset & (constant - 1)))
            }
            _ => None,
        })
    }

    /// `symbol + constant` stays symbolic; other operations fix the input.
    fn symbol_binary(
        &mut self,
        operator: BinaryOperator,
        int: IntType,
        left: Value,
        right: Value,
    ) -> Step<Option<Value>> {
        match (operator, left, right) {
            (BinaryOperator::Add, Value::Symbol(term), Value::Int(constant))
            | (BinaryOperator::Add, Value::Int(constant), Value::Symbol(term)) => self.shift_term(term, constant, int),
            (BinaryOperator::Subtract, Value::Symbol(term), Value::Int(constant)) => {
                self.shift_term(term, constant.wrapping_neg(), int)
            }
            (BinaryOperator::Subtract, Value::Symbol(left), Value::Symbol(right)) if left.symbol == right.symbol => {
                let difference = i128::from(left.addend) - i128::from(right.addend);
                Ok(Some(Value::Int(integer::wrap(difference, int))))
            }
            (BinaryOperator::Multiply, Value::Symbol(_), Value::Int(1))
            | (BinaryOperator::Or | BinaryOperator::Xor, Value::Symbol(_), Value::Int(0))
            | (BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight, Value::Symbol(_), Value::Int(0)) => {
                Ok(Some(left))
            }
            (BinaryOperator::And, Value::Symbol(term), Value::Int(mask))
            | (BinaryOperator::And, Value::Int(mask), Value::Symbol(term))
                if mask > 0 && mask & mask.wrapping_add(1) == 0 =>
            {
                let (low, high) = self.term_bounds(term);
                // Nothing is cut off: `x & 0xff` of a byte.
                if low >= 0 && high <= mask {
                    return Ok(Some(Value::Symbol(term)));
                }
                Ok((high - low >= mask)
                    .then_some((0, mask))
                    .and_then(|range| self.derive(Operation::And(mask), term, range)))
            }
            (BinaryOperator::Remainder, Value::Symbol(term), Value::Int(divisor))
                // Unsigned numbers of 16 bytes are kept as signed ones.
                if divisor > 0 && (int != IntType::Unsigned(16) || self.term_bounds(term).0 >= 0) =>
            {
                let (low, high) = self.term_bounds(term);
                let largest = divisor - 1;
                let range = match () {
                    () if low >= 0 && high <= largest => return Ok(Some(Value::Symbol(term))),
                    () if low >= 0 && high - low >= largest => Some((0, largest)),
                    () if low <= -largest && high >= largest => Some((-largest, largest)),
                    () => None,
                };
                Ok(range.and_then(|range| self.derive(Operation::Remainder(divisor), term, range)))
            }
            _ => Ok(None),
        }
    }

    /// `input % 3`, `input & 7`: if the input itself is not looked at again, the result is a fresh input with all values
    /// of `range`, each of which some value of the old one gives. (Not so of one that has no value here and there.)
    fn derive(&mut self, operation: Operation, term: Term, range: Range) -> Option<Value> {
        let constraints = &self.state.constraints;
        if constraints.is_related(term.symbol) || constraints.has_holes(term.symbol) || !self.is_last_use(term.symbol) {
            return None;
        }
        let constraints = std::rc::Rc::make_mut(&mut self.state.constraints);
        let result = constraints.add_symbol(range.0, range.1);
        if constraints.is_doubtful(term.symbol) {
            constraints.mark_doubtful(result);
        }
        if self.sink.events.is_some() {
            self.sink.derived.push(Derived { from: term, operation, result });
        }
        Some(Value::Symbol(Term { symbol: result, addend: 0 }))
    }

    /// Whether nothing mentions an input behind the edge that runs.
    fn is_last_use(&self, symbol: SymbolId) -> bool {
        let mentions = |value: &Value| matches!(value, Value::Symbol(term) if term.symbol == symbol);
        let program = self.machine.program;
        let depth = self.state.frames.len();
        let in_registers = self.state.frames.iter().enumerate().any(|(index, frame)| {
            let edge = match self.state.frames.get(index + 1).map(|frame| frame.origin) {
                Some(CallOrigin::Edge(edge)) => Some(edge),
                Some(_) => None,
                None => frame.last_edge.filter(|_| index + 1 == depth),
            };
            let edge = edge.and_then(|edge| Some(&program.functions[frame.function].automaton()?.edges[edge]));
            frame.registers.iter().enumerate().any(|(register, value)| {
                let register = heapwise_ir::RegisterId::from_u32(register as u32);
                mentions(value)
                    && edge.is_none_or(|edge| {
                        edge.instruction.target() != Some(register)
                            && self.machine.code.is_live(frame.function, edge.to, register)
                    })
            })
        });
        let in_memory = || {
            self.state.heap.objects().any(|(_, object)| {
                object
                    .contents()
                    .cells()
                    .iter()
                    .any(|cell| matches!(cell.value, crate::contents::CellValue::Value(value) if mentions(&value)))
            })
        };
        let in_inputs = || self.state.inputs.values().any(|value| mentions(&value));
        let decided_once = || self.state.decided_once.iter().any(|once| mentions(&once.result));
        // Whether that was the end of its stream is still asked.
        let in_readings = || {
            let (low, high) = self.state.constraints.bounds(symbol);
            let meets = |first: i64, last: i64| low <= i128::from(last) && high >= i128::from(first);
            self.state.readings.iter().any(|reading| match reading.ended {
                Some(Ended::IfBetween(read, first, last)) => read == symbol && meets(first, last),
                Some(Ended::Yes) | None => false,
            })
        };
        !in_registers && !in_memory() && !in_inputs() && !decided_once() && !in_readings()
    }

    pub(crate) fn term_bounds(&self, term: Term) -> (i128, i128) {
        let (low, high) = self.state.constraints.bounds(term.symbol);
        (low + i128::from(term.addend), high + i128::from(term.addend))
    }

    fn shift_term(&mut self, term: Term, by: i128, int: IntType) -> Step<Option<Value>> {
        let Ok(addend) = i64::try_from(i128::from(term.addend).saturating_add(by)) else { return Ok(None) };
        self.fit(Term { addend, ..term }, int).map(Some)
    }

    /// Brings a term into the range of a type. Where it may wrap around, that is a choice.
    pub(crate) fn fit(&mut self, term: Term, int: IntType) -> Step<Value> {
        const MOST_WRAPS: i128 = 4;
        let (least, greatest) = integer::range(int);
        let (low, high) = self.term_bounds(term);
        if low >= least && high <= greatest {
            return Ok(Value::Symbol(term));
        }
        if int == IntType::Bool {
            return self.truth(term);
        }
        let modulus = greatest - least + 1;
        let (first, last) = ((low - least).div_euclid(modulus), (high - least).div_euclid(modulus));
        let addend_of = |wraps: i128| i64::try_from(i128::from(term.addend) - wraps * modulus).ok();
        // One value needs no addend: a result of -1 that becomes unsigned.
        let region_of = |wraps: i128| (low.max(least + wraps * modulus), high.min(greatest + wraps * modulus));
        let is_out_of_sight = |wraps: i128| addend_of(wraps).is_none() && region_of(wraps).0 != region_of(wraps).1;
        if last - first >= MOST_WRAPS || (first..=last).any(is_out_of_sight) {
            // Where the input goes round at least once, every value of the type is the cut of one of its values.
            if high - low >= modulus - 1
                && let Some(value) = self.derive(Operation::Cut(int), term, (least, greatest))
            {
                return Ok(value);
            }
            let others = match self.approximate(Open::Between((least, greatest)))? {
                Treatment::Open(value) => return Ok(value),
                Treatment::Sampled => Others::Covered,
                Treatment::Exact => Others::LeftOut,
            };
            let value = self.fix_one_of(term, ALL_TRIED_UP_TO, others)?;
            return Ok(Value::Int(integer::wrap(value, int)));
        }
        let wraps = first + self.choose(Question::Branch, (last - first + 1) as usize)? as i128;
        let addend = i128::from(term.addend);
        let (x, y) = (Some(term.symbol), Some(term.symbol));
        self.refine(&[
            Difference { x, y: None, bound: greatest + wraps * modulus - addend },
            Difference { x: None, y, bound: -(least + wraps * modulus - addend) },
        ])?;
        Ok(match addend_of(wraps) {
            Some(addend) => Value::Symbol(Term { addend, ..term }),
            None => Value::Int(integer::wrap(region_of(wraps).0, int)),
        })
    }

    /// Conversion to `_Bool`: below zero, zero, above zero.
    fn truth(&mut self, term: Term) -> Step<Value> {
        let alternatives = crate::compare::sign_alternatives(Some(term.symbol), None, -i128::from(term.addend));
        let mut feasible = Vec::new();
        for (sign, alternative) in alternatives {
            if self.allows(&alternative)? {
                feasible.push((sign, alternative));
            }
        }
        let choice = self.choose(Question::Branch, feasible.len())?;
        let (sign, alternative) = &feasible[choice];
        self.refine(alternative)?;
        Ok(Value::Int(i128::from(*sign != std::cmp::Ordering::Equal)))
    }

    /// A scalar conversion. An uninitialised value stays one: copying it is no use.
    pub(crate) fn convert(&mut self, value: Value, from: Scalar, to: Scalar) -> Step<Value> {
        if value.is_uninitialised() {
            return Ok(value);
        }
        match to {
            Scalar::Float(float) => match value {
                Value::Float(value) => Ok(Value::Float(float::round(value, float))),
                value => {
                    let number = self.integer(value)?;
                    let value = integer_to_float(number, from, float);
                    // A wide one may hold what a double does not.
                    match float {
                        FloatType::Extended | FloatType::Quad if value as i128 != number => self.gap(wide_float(float)),
                        FloatType::Single | FloatType::Double
                            if self.machine.program.target == Target::ILP32 && value as i128 != number =>
                        {
                            self.gap(ArithmeticGap::ExcessPrecision)
                        }
                        FloatType::Single | FloatType::Double | FloatType::Extended | FloatType::Quad => {
                            Ok(Value::Float(value))
                        }
                    }
                }
            },
            Scalar::Int(_) | Scalar::Pointer(_) => {
                let Some(int) = to.integer() else { return Ok(value) };
                match value {
                    Value::Int(value) => Ok(Value::Int(integer::wrap(value, int))),
                    Value::Float(value) => self.float_to_integer(value, int),
                    Value::Symbol(term) => self.fit(term, int),
                    Value::Pointer(_) | Value::Function(_) | Value::Opaque if int == IntType::Bool => Ok(Value::Int(1)),
                    Value::Pointer(_) | Value::Function(_) | Value::Opaque
                        if int.bytes() >= u64::from(self.machine.program.target.pointer_bytes) =>
                    {
                        Ok(value)
                    }
                    Value::Fragment(fragment) if u64::from(fragment.len) == int.bytes() => Ok(value),
                    Value::Pointer(_) | Value::Function(_) | Value::Opaque | Value::Fragment(_) => {
                        let value = self.integer(value)?;
                        Ok(Value::Int(integer::wrap(value, int)))
                    }
                    Value::Uninitialised(_) => Ok(value),
                }
            }
            Scalar::None => Ok(value),
        }
    }

    /// C leaves what does not fit undefined; x86-64 gives the least value.
    fn float_to_integer(&mut self, value: f64, int: IntType) -> Step<Value> {
        if int == IntType::Bool {
            return Ok(Value::Int(i128::from(value != 0.0)));
        }
        let whole = value.trunc();
        // Powers of two are exact; the greatest value of a type may be none.
        let (least, beyond) = match int {
            IntType::Bool => (0.0, 2.0),
            IntType::Signed(bytes) => (-power_of_two(bytes, 1), power_of_two(bytes, 1)),
            IntType::Unsigned(bytes) => (0.0, power_of_two(bytes, 0)),
        };
        if !(least <= whole && whole < beyond) {
            return self.gap(ArithmeticGap::FloatToInteger);
        }
        let bits = if int == IntType::Unsigned(16) { whole as u128 as i128 } else { whole as i128 };
        Ok(Value::Int(integer::wrap(bits, int)))
    }
}

/// Two to the number of bits in so many bytes, less a few bits.
fn power_of_two(bytes: u8, fewer: i32) -> f64 {
    2f64.powi(i32::from(bytes) * 8 - fewer)
}

fn wide_float(float: FloatType) -> ArithmeticGap {
    match float {
        FloatType::Extended => ArithmeticGap::LongDoubleResult,
        FloatType::Quad => ArithmeticGap::Float128Result,
        FloatType::Single | FloatType::Double => ArithmeticGap::ExcessPrecision,
    }
}

fn integer_to_float(value: i128, from: Scalar, float: FloatType) -> f64 {
    match (float, from) {
        (FloatType::Single, Scalar::Int(IntType::Unsigned(16))) => f64::from(value as u128 as f32),
        (FloatType::Single, _) => f64::from(value as f32),
        (_, Scalar::Int(IntType::Unsigned(16))) => value as u128 as f64,
        (_, _) => value as f64,
    }
}
