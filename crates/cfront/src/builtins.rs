//! Operators that only the compiler has.

use crate::adapter::{BitCount, Classify, ExprId, ExprKind, ExprList, OverflowOp, Sign};
use crate::lowering::Lowering;
use crate::places::pointed;
use heapwise_ir::{
    BinaryOperator, CompareOperator, Condition, Construct, Expression, Failure, InitialContents, Instruction, IntType,
    LocationId, Operand, Place, RecordId, RegisterId, Step, Storage, Type, TypeId as IrTypeId, UnaryOperator,
    UnsupportedReason,
};

/// What gcc makes addresses of `alloca` multiples of, on x86-64 and on i386.
const ALIGNMENT_OF_ALLOCA: i128 = 16;

impl Lowering<'_, '_, '_> {
    /// The value of a node that is none of C's own operators.
    pub(crate) fn builtin(&mut self, expr: ExprId, destination: Option<RegisterId>) -> Operand {
        let ty = self.type_of(expr);
        match self.source.tast[expr].kind {
            ExprKind::VaArg { list } => {
                let place = self.next_argument(list, ty);
                self.at(expr);
                self.load(place, ty, destination)
            }
            ExprKind::VaStart { list } => {
                self.va_start(expr, list);
                Operand::ZERO
            }
            ExprKind::VaEnd { list } => {
                self.effect(list);
                Operand::ZERO
            }
            ExprKind::VaCopy { dst, src } => {
                self.va_copy(expr, dst, src);
                Operand::ZERO
            }
            ExprKind::Expect { value, .. } => {
                let from = self.type_of(value);
                let value = self.value_in(value, destination.filter(|_| from == ty));
                self.convert(value, from, ty, destination)
            }
            ExprKind::Prefetch { address, .. } => {
                self.effect(address);
                Operand::ZERO
            }
            // Coming to the first is undefined: what the program promises is checked. Linux' `BUG` ends so.
            ExprKind::Unreachable | ExprKind::Trap => {
                self.at(expr);
                self.emit(Instruction::Assert(Condition::False));
                self.stop();
                self.any(ty, destination)
            }
            ExprKind::ConstantP { .. } => Operand::ZERO,
            ExprKind::ObjectSize { kind, .. } => {
                // What a compiler answers when it does not know: the largest size, or zero for the lower bounds.
                let unknown = if kind & 2 == 0 { -1 } else { 0 };
                let int = self.int_type(ty).unwrap_or(IntType::Unsigned(8));
                Operand::Int(crate::lowering::wrap(int, unknown))
            }
            ExprKind::Alloca { size } => self.alloca(expr, size, destination),
            ExprKind::Abs { operand } => self.absolute(expr, operand, ty),
            ExprKind::ByteSwap { operand } => self.byte_swap(expr, operand, ty),
            ExprKind::BitCount { operand, count } => {
                let count = self.bit_count(expr, operand, count);
                self.as_result(count, ty)
            }
            ExprKind::Overflow { op, args, stores, .. } => {
                let overflowed = self.overflow(expr, op, args, stores);
                self.as_result(overflowed, ty)
            }
            ExprKind::Atomic { op, args, .. } => {
                let value = self.atomic(expr, op, args, destination);
                self.as_result(value, ty)
            }
            ExprKind::Classify { op, lhs, rhs } => {
                let answer = self.classify(expr, op, lhs, rhs);
                self.as_result(answer, ty)
            }
            ExprKind::Sign { op: Sign::Clear, lhs, .. } if self.is_scalar(ty) => self.absolute(expr, lhs, ty),
            ExprKind::Jump { .. } => self.refuse_non_local_jump(expr),
            // Facts about the machine: inputs.
            ExprKind::FrameAddress { .. }
            | ExprKind::ThreadPointer
            | ExprKind::SpEntry
            | ExprKind::TimeStamp { aux: None }
            | ExprKind::Eflags { value: None }
            | ExprKind::CpuModel { .. } => {
                self.at(expr);
                self.any(ty, destination)
            }
            ExprKind::Eflags { value: Some(value) } => {
                self.effect(value);
                Operand::ZERO
            }
            ExprKind::TimeStamp { aux: Some(aux) } => {
                let place = self.place(aux);
                let aux_type = self.type_of(aux);
                self.at(expr);
                let processor = self.any(aux_type, None);
                self.write(place, processor);
                self.any(ty, destination)
            }
            _ => {
                self.at(expr);
                let what = if self.is_scalar(ty) {
                    UnsupportedReason::from(Construct::Builtin)
                } else {
                    let name = crate::adapter::spell(&self.source.types, &self.source.names, self.source.tast[expr].ty);
                    UnsupportedReason::ScalarType(name)
                };
                self.refuse_value(what, ty)
            }
        }
    }

    /// A value in the type of the expression that it is the result of.
    fn as_result(&mut self, value: Operand, ty: IrTypeId) -> Operand {
        if self.is_scalar(ty) { self.coerce(value, ty) } else { value }
    }

    fn alloca(&mut self, expr: ExprId, size: ExprId, destination: Option<RegisterId>) -> Operand {
        let bytes = self.value(size);
        self.at(expr);
        let ty = self.type_of(expr);
        let target = match self.allocas.get(&expr) {
            Some(&register) => register,
            None => self.temporary(ty),
        };
        self.emit(Instruction::Alloc {
            target,
            bytes,
            storage: Storage::Auto,
            contents: InitialContents::Uninitialised,
            failure: Failure::Never,
            align: Some(Operand::Int(ALIGNMENT_OF_ALLOCA)),
            view: None,
        });
        if let (None, Some(list)) = (self.allocas.get(&expr), self.alloca_list) {
            self.remember_alloca(list, target, ty);
        }
        self.deliver(Operand::Register(target), destination)
    }

    /// Puts storage that `alloca` gave into the list of what ends with the function.
    fn remember_alloca(&mut self, list: RegisterId, storage: RegisterId, pointer: IrTypeId) {
        let (record, cell_type) = self.alloca_cell(pointer);
        let cell = self.temporary(pointer);
        self.emit(Instruction::Alloc {
            target: cell,
            bytes: Operand::Int(i128::from(self.size(cell_type).unwrap_or(16))),
            storage: Storage::Auto,
            contents: InitialContents::Uninitialised,
            failure: Failure::Never,
            align: None,
            view: Some(self.view_of_one(cell_type)),
        });
        for (index, value) in [(0, list), (1, storage)] {
            let place = self.alloca_member(record, cell_type, pointer, cell, index);
            self.store(place, Operand::Register(value));
        }
        self.assign(list, Expression::Operand(Operand::Register(cell)));
    }

    fn alloca_member(
        &self,
        record: RecordId,
        cell_type: IrTypeId,
        pointer: IrTypeId,
        cell: RegisterId,
        index: u32,
    ) -> Place {
        let mut place = pointed(Operand::Register(cell), cell_type);
        place.path.steps.push(Step::Field(record, index));
        place.ty = pointer;
        place
    }

    /// The record of the list's cells: the cell before, the storage.
    fn alloca_cell(&mut self, pointer: IrTypeId) -> (RecordId, IrTypeId) {
        let record = self.slots(&[pointer, pointer]).0;
        let ty = self.intern(Type::Record(record));
        (record, ty)
    }

    /// Ends everything in the list.
    pub(crate) fn end_alloca_list(&mut self, list: RegisterId) {
        let pointer = self.registers[list].ty;
        let (record, cell_type) = self.alloca_cell(pointer);
        let (head, inside, after) = (self.location(), self.location(), self.location());
        let cell = self.temporary(pointer);
        self.assign(cell, Expression::Operand(Operand::Register(list)));
        self.label(head);
        let current = Operand::Register(cell);
        self.branch_on(CompareOperator::NotEqual, pointer, current, Operand::ZERO, inside, after);
        self.here = inside;
        let place = self.alloca_member(record, cell_type, pointer, cell, 1);
        let storage = self.load(place, pointer, None);
        self.emit(Instruction::End { pointer: storage });
        let place = self.alloca_member(record, cell_type, pointer, cell, 0);
        let before = self.load(place, pointer, None);
        self.emit(Instruction::End { pointer: current });
        self.assign(cell, Expression::Operand(before));
        self.jump(head);
        self.here = after;
    }

    /// Runs `body` once for each branch of a comparison that holds or not, into one register.
    pub(crate) fn choose(
        &mut self,
        ty: IrTypeId,
        condition: impl FnOnce(&mut Self, LocationId, LocationId),
        then: impl FnOnce(&mut Self) -> Operand,
        otherwise: impl FnOnce(&mut Self) -> Operand,
    ) -> Operand {
        let (on_true, on_false, join) = (self.location(), self.location(), self.location());
        condition(self, on_true, on_false);
        let target = self.temporary(ty);
        self.here = on_true;
        let value = then(self);
        let value = self.coerce(value, ty);
        self.emit_to(join, Instruction::Assign { target, value: Expression::Operand(value) });
        self.here = on_false;
        let value = otherwise(self);
        let value = self.coerce(value, ty);
        self.emit_to(join, Instruction::Assign { target, value: Expression::Operand(value) });
        self.here = join;
        Operand::Register(target)
    }

    fn absolute(&mut self, expr: ExprId, operand: ExprId, ty: IrTypeId) -> Operand {
        let value = self.value(operand);
        self.at(expr);
        let zero = if self.float_type(ty).is_some() { Operand::Float(0.0) } else { Operand::ZERO };
        self.choose(
            ty,
            |this, then, otherwise| this.branch_on(CompareOperator::LessEqual, ty, value, zero, then, otherwise),
            |this| {
                if this.float_type(ty).is_some() {
                    // Subtracted, so that -0.0 becomes 0.0.
                    this.binary(BinaryOperator::Subtract, ty, zero, value, None)
                } else {
                    this.unary_operation(UnaryOperator::Negate, ty, value, None)
                }
            },
            |_| value,
        )
    }

    fn byte_swap(&mut self, expr: ExprId, operand: ExprId, ty: IrTypeId) -> Operand {
        let value = self.value(operand);
        self.at(expr);
        let bytes = self.size(ty).unwrap_or(4);
        // In a wider type, so that 16-bit values need no promotion rules.
        let mut swapped = Operand::ZERO;
        for index in 0..bytes {
            let down = Operand::Int(i128::from(8 * index));
            let up = Operand::Int(i128::from(8 * (bytes - 1 - index)));
            let byte = if index == 0 { value } else { self.binary(BinaryOperator::ShiftRight, ty, value, down, None) };
            let byte = self.binary(BinaryOperator::And, ty, byte, Operand::Int(0xff), None);
            let moved =
                if up == Operand::ZERO { byte } else { self.binary(BinaryOperator::ShiftLeft, ty, byte, up, None) };
            swapped = self.binary(BinaryOperator::Or, ty, swapped, moved, None);
        }
        swapped
    }

    /// Counts bits by a loop over them.
    fn bit_count(&mut self, expr: ExprId, operand: ExprId, count: BitCount) -> Operand {
        let operand_type = self.type_of(operand);
        let value = self.value(operand);
        self.at(expr);
        let Some(bytes) = self.size(operand_type) else { return Operand::ZERO };
        let bits = i128::from(bytes * 8);
        let unsigned = self.intern(Type::Int(IntType::Unsigned(u8::try_from(bytes).unwrap_or(8))));
        let int = self.int();
        let value = self.convert(value, operand_type, unsigned, None);
        let rest = self.temporary(unsigned);
        let counter = self.temporary(int);
        match count {
            BitCount::Ones | BitCount::Parity => {
                self.assign(rest, Expression::Operand(value));
                self.assign(counter, Expression::Operand(Operand::ZERO));
                self.shift_until_zero(rest, unsigned, |this| {
                    let bit =
                        this.binary(BinaryOperator::And, unsigned, Operand::Register(rest), Operand::Int(1), None);
                    let bit = this.coerce(bit, int);
                    this.binary(BinaryOperator::Add, int, Operand::Register(counter), bit, Some(counter));
                });
                if count == BitCount::Parity {
                    return self.binary(BinaryOperator::And, int, Operand::Register(counter), Operand::Int(1), None);
                }
                Operand::Register(counter)
            }
            BitCount::Leading => {
                self.leading_zeros(value, rest, counter, unsigned, bits);
                Operand::Register(counter)
            }
            BitCount::RedundantSign => {
                let half = Operand::Int(1i128 << (bits - 1));
                let folded = self.choose(
                    unsigned,
                    |this, then, otherwise| {
                        this.branch_on(CompareOperator::GreaterEqual, unsigned, value, half, then, otherwise);
                    },
                    |this| this.unary_operation(UnaryOperator::Complement, unsigned, value, None),
                    |_| value,
                );
                self.leading_zeros(folded, rest, counter, unsigned, bits);
                self.binary(BinaryOperator::Subtract, int, Operand::Register(counter), Operand::Int(1), None)
            }
            BitCount::Trailing => self.trailing_zeros(value, rest, counter, unsigned),
            BitCount::FirstSet => self.choose(
                int,
                |this, then, otherwise| {
                    this.branch_on(CompareOperator::Equal, unsigned, value, Operand::ZERO, then, otherwise);
                },
                |_| Operand::ZERO,
                |this| {
                    let zeros = this.trailing_zeros(value, rest, counter, unsigned);
                    this.binary(BinaryOperator::Add, int, zeros, Operand::Int(1), None)
                },
            ),
        }
    }

    fn leading_zeros(&mut self, value: Operand, rest: RegisterId, counter: RegisterId, unsigned: IrTypeId, bits: i128) {
        let int = self.int();
        self.assign(rest, Expression::Operand(value));
        self.assign(counter, Expression::Operand(Operand::Int(bits)));
        self.shift_until_zero(rest, unsigned, |this| {
            let counted = Operand::Register(counter);
            this.binary(BinaryOperator::Subtract, int, counted, Operand::Int(1), Some(counter));
        });
    }

    /// For zero the result is undefined in C; the loop then counts nothing.
    fn trailing_zeros(&mut self, value: Operand, rest: RegisterId, counter: RegisterId, unsigned: IrTypeId) -> Operand {
        let int = self.int();
        self.assign(rest, Expression::Operand(value));
        self.assign(counter, Expression::Operand(Operand::ZERO));
        let (head, nonzero, body, after) = (self.location(), self.location(), self.location(), self.location());
        self.label(head);
        let rest_value = Operand::Register(rest);
        self.branch_on(CompareOperator::NotEqual, unsigned, rest_value, Operand::ZERO, nonzero, after);
        self.here = nonzero;
        let bit = self.binary(BinaryOperator::And, unsigned, rest_value, Operand::Int(1), None);
        self.branch_on(CompareOperator::Equal, unsigned, bit, Operand::ZERO, body, after);
        self.here = body;
        self.binary(BinaryOperator::Add, int, Operand::Register(counter), Operand::Int(1), Some(counter));
        self.binary(BinaryOperator::ShiftRight, unsigned, rest_value, Operand::Int(1), Some(rest));
        self.jump(head);
        self.here = after;
        Operand::Register(counter)
    }

    fn shift_until_zero(&mut self, rest: RegisterId, unsigned: IrTypeId, body: impl FnOnce(&mut Self)) {
        let (head, inside, after) = (self.location(), self.location(), self.location());
        self.label(head);
        let value = Operand::Register(rest);
        self.branch_on(CompareOperator::NotEqual, unsigned, value, Operand::ZERO, inside, after);
        self.here = inside;
        body(self);
        self.binary(BinaryOperator::ShiftRight, unsigned, value, Operand::Int(1), Some(rest));
        self.jump(head);
        self.here = after;
    }

    /// Exactly in 128 bits, then narrowed: it overflowed if that changed the value.
    fn overflow(&mut self, expr: ExprId, op: OverflowOp, args: ExprList, stores: bool) -> Operand {
        let int = self.int();
        let &[left, right, third] = &self.source.tast[args] else { return Operand::ZERO };
        let (left_type, right_type, third_type) = (self.type_of(left), self.type_of(right), self.type_of(third));
        let result_type = if stores { self.pointee(third_type).unwrap_or(int) } else { third_type };
        let wide = [left_type, right_type, result_type].iter().any(|&ty| self.size(ty).is_none_or(|size| size > 8));
        let left = self.value(left);
        let right = self.value(right);
        let target = if stores { Some(self.value(third)) } else { None };
        self.at(expr);
        if wide {
            return self.refuse_value(Construct::WideOverflowCheck, int);
        }
        let is_unsigned = |this: &Self, ty| matches!(this.int_type(ty), Some(IntType::Unsigned(_) | IntType::Bool));
        let both_unsigned = is_unsigned(self, left_type) && is_unsigned(self, right_type);
        let exact_type = match op {
            OverflowOp::Mul if both_unsigned => IntType::Unsigned(16),
            _ => IntType::Signed(16),
        };
        let exact_type = self.intern(Type::Int(exact_type));
        let operator = match op {
            OverflowOp::Add => BinaryOperator::Add,
            OverflowOp::Sub => BinaryOperator::Subtract,
            OverflowOp::Mul => BinaryOperator::Multiply,
        };
        let (left, right) = (self.coerce(left, exact_type), self.coerce(right, exact_type));
        let exact = self.compute(exact_type, None, Expression::Binary { operator, ty: exact_type, left, right });
        let from = exact_type;
        let narrowed = self.compute(result_type, None, Expression::Convert { from, to: result_type, value: exact });
        if let Some(target) = target {
            self.store(pointed(target, result_type), narrowed);
        }
        let back = self.coerce(narrowed, exact_type);
        self.choose(
            int,
            |this, then, otherwise| {
                this.branch_on(CompareOperator::NotEqual, exact_type, exact, back, then, otherwise);
            },
            |_| Operand::Int(1),
            |_| Operand::ZERO,
        )
    }

    /// Questions about floating-point values, as comparisons.
    fn classify(&mut self, expr: ExprId, op: Classify, lhs: ExprId, rhs: Option<ExprId>) -> Operand {
        let int = self.int();
        let ty = self.type_of(lhs);
        let left = self.value(lhs);
        let right = rhs.map(|rhs| self.value(rhs)).unwrap_or(left);
        self.at(expr);
        let infinity = Operand::Float(f64::INFINITY);
        let minus_infinity = Operand::Float(f64::NEG_INFINITY);
        let (yes, no, join) = (self.location(), self.location(), self.location());
        match op {
            Classify::Nan | Classify::Unordered => {
                let next = self.location();
                self.branch_on(CompareOperator::NotEqual, ty, left, left, yes, next);
                self.here = next;
                self.branch_on(CompareOperator::NotEqual, ty, right, right, yes, no);
            }
            Classify::LessGreater => {
                let next = self.location();
                self.branch_on(CompareOperator::Less, ty, left, right, yes, next);
                self.here = next;
                self.branch_on(CompareOperator::Greater, ty, left, right, yes, no);
            }
            Classify::Infinite => {
                let next = self.location();
                self.branch_on(CompareOperator::Equal, ty, left, infinity, yes, next);
                self.here = next;
                self.branch_on(CompareOperator::Equal, ty, left, minus_infinity, yes, no);
            }
            Classify::Finite => {
                let next = self.location();
                self.branch_on(CompareOperator::Less, ty, left, infinity, next, no);
                self.here = next;
                self.branch_on(CompareOperator::Greater, ty, left, minus_infinity, yes, no);
            }
            Classify::Normal | Classify::SignBit | Classify::InfiniteSign => {
                return self.refuse_value(Construct::FloatBits, int);
            }
        }
        let target = self.temporary(int);
        for (location, value) in [(yes, 1), (no, 0)] {
            self.here = location;
            self.emit_to(join, Instruction::Assign { target, value: Expression::Operand(Operand::Int(value)) });
        }
        self.here = join;
        Operand::Register(target)
    }
}
