//! Atomic operations. One thread is looked at: an atomic operation is a load, an operation, a store.

use crate::adapter::{AtomicOp, ExprId, ExprList, Rmw};
use crate::lowering::Lowering;
use crate::places::pointed;
use heapwise_ir::{
    BinaryOperator, CompareOperator, Construct, Expression, Operand, Place, RegisterId, Type, TypeId as IrTypeId,
    UnaryOperator,
};

impl Lowering<'_, '_, '_> {
    pub(crate) fn atomic(
        &mut self,
        expr: ExprId,
        op: AtomicOp,
        args: ExprList,
        destination: Option<RegisterId>,
    ) -> Operand {
        let arguments: Vec<ExprId> = self.source.tast[args].to_vec();
        if let AtomicOp::Fence | AtomicOp::SignalFence = op {
            return Operand::ZERO;
        }
        let Some((&first, rest)) = arguments.split_first() else { return Operand::ZERO };
        let pointer_type = self.type_of(first);
        let result_type = self.type_of(expr);
        let Some(mut ty) = self.pointee(pointer_type) else {
            return self.refuse_value(Construct::AtomicOperation, result_type);
        };
        if op == AtomicOp::TestAndSet {
            ty = self.byte_type();
        } else if let (AtomicOp::Load, true) = (op, self.is_void(ty)) {
            ty = result_type;
        }
        if !self.is_scalar(ty) {
            self.at(expr);
            return self.atomic_on_aggregate(op, &arguments, ty, result_type);
        }
        let pointer = self.value(first);
        let values: Vec<Operand> = rest.iter().map(|&argument| self.value(argument)).collect();
        self.at(expr);
        let place = pointed(pointer, ty);
        let old = match op {
            AtomicOp::Store => Operand::ZERO,
            _ => self.load(place.clone(), ty, None),
        };
        let value = values.first().copied().unwrap_or(Operand::ZERO);
        let value = if self.is_pointer_argument(op) { value } else { self.coerce(value, ty) };
        match op {
            AtomicOp::Load => self.deliver(old, destination),
            AtomicOp::LoadInto => {
                self.store(pointed(value, ty), old);
                Operand::ZERO
            }
            AtomicOp::Store => {
                self.store(place, value);
                Operand::ZERO
            }
            AtomicOp::Exchange => {
                self.store(place, value);
                old
            }
            AtomicOp::ExchangeInto => {
                // The tree has the new value itself, as it has that of a comparison below.
                self.store(place, value);
                let into = values.get(1).copied().unwrap_or(Operand::ZERO);
                self.store(pointed(into, ty), old);
                Operand::ZERO
            }
            AtomicOp::TestAndSet => {
                self.store(place, Operand::Int(1));
                self.convert(old, ty, result_type, None)
            }
            AtomicOp::Fetch(operation) | AtomicOp::Update(operation) => {
                let new = self.modify(operation, ty, old, value);
                self.store(place, new);
                if matches!(op, AtomicOp::Fetch(_)) { old } else { new }
            }
            AtomicOp::CompareExchange | AtomicOp::SwapBool | AtomicOp::SwapValue => {
                let desired = values.get(1).copied().unwrap_or(Operand::ZERO);
                self.compare_exchange(op, place, ty, old, value, desired, result_type)
            }
            AtomicOp::Fence | AtomicOp::SignalFence => Operand::ZERO,
        }
    }

    /// Whether the second argument says where a value is, instead of being one.
    fn is_pointer_argument(&self, op: AtomicOp) -> bool {
        matches!(op, AtomicOp::LoadInto | AtomicOp::CompareExchange | AtomicOp::Fetch(_) | AtomicOp::Update(_))
    }

    fn modify(&mut self, operation: Rmw, ty: IrTypeId, old: Operand, value: Operand) -> Operand {
        if self.is_pointer(ty) {
            // The builtins add bytes.
            let bytes = match operation {
                Rmw::Sub => {
                    let difference = self.difference_type();
                    self.unary_operation(UnaryOperator::Negate, difference, value, None)
                }
                _ => value,
            };
            return self.compute(ty, None, Expression::AddBytes { base: old, bytes });
        }
        let operator = match operation {
            Rmw::Add => BinaryOperator::Add,
            Rmw::Sub => BinaryOperator::Subtract,
            Rmw::And | Rmw::Nand => BinaryOperator::And,
            Rmw::Or => BinaryOperator::Or,
            Rmw::Xor => BinaryOperator::Xor,
        };
        // Atomic arithmetic wraps, even on signed types.
        let unsigned = match self.int_type(ty) {
            Some(int) => self.intern(Type::Int(heapwise_ir::IntType::Unsigned(u8::try_from(int.bytes()).unwrap_or(8)))),
            None => ty,
        };
        let left = self.convert(old, ty, unsigned, None);
        let right = self.coerce(value, unsigned);
        let mut new = self.binary(operator, unsigned, left, right, None);
        if operation == Rmw::Nand {
            new = self.unary_operation(UnaryOperator::Complement, unsigned, new, None);
        }
        self.convert(new, unsigned, ty, None)
    }

    #[expect(clippy::too_many_arguments, reason = "the operands of one machine instruction")]
    fn compare_exchange(
        &mut self,
        op: AtomicOp,
        place: Place,
        ty: IrTypeId,
        old: Operand,
        expected: Operand,
        desired: Operand,
        result_type: IrTypeId,
    ) -> Operand {
        let by_pointer = op == AtomicOp::CompareExchange;
        let expected_value = if by_pointer { self.load(pointed(expected, ty), ty, None) } else { expected };
        let desired = self.coerce(desired, ty);
        self.choose(
            result_type,
            |this, then, otherwise| {
                this.branch_on(CompareOperator::Equal, ty, old, expected_value, then, otherwise);
            },
            |this| {
                this.store(place, desired);
                if op == AtomicOp::SwapValue { old } else { Operand::Int(1) }
            },
            |this| {
                if by_pointer {
                    this.store(pointed(expected, ty), old);
                }
                if op == AtomicOp::SwapValue { old } else { Operand::ZERO }
            },
        )
    }

    fn atomic_on_aggregate(
        &mut self,
        op: AtomicOp,
        arguments: &[ExprId],
        ty: IrTypeId,
        result_type: IrTypeId,
    ) -> Operand {
        let operands: Vec<Operand> = arguments.iter().map(|&argument| self.argument(argument)).collect();
        match (op, operands.as_slice()) {
            (AtomicOp::Store, &[to, from, ..]) | (AtomicOp::LoadInto, &[from, to, ..]) => {
                self.copy(pointed(to, ty), pointed(from, ty), ty);
                Operand::ZERO
            }
            _ => self.refuse_value(Construct::AtomicAggregate, result_type),
        }
    }

    /// An atomic operation whose result is an aggregate.
    pub(crate) fn atomic_aggregate(&mut self, op: AtomicOp, args: ExprList, place: Place, ty: IrTypeId) {
        let first = self.source.tast[args].first().copied();
        match (op, first) {
            (AtomicOp::Load, Some(first)) => {
                let pointer = self.value(first);
                self.copy(place, pointed(pointer, ty), ty);
            }
            _ => self.unsupported(Construct::AtomicAggregate),
        }
    }
}
