//! Atomic operations and inline assembly. One thread is looked at: an atomic operation is a load, an operation, a store.

use crate::adapter::{Asm, AsmId, AtomicOp, ExprId, ExprList, Rmw};
use crate::lowering::Lowering;
use crate::places::{Lvalue, pointed};
use heapwise_ir::{
    BinaryOperator, CompareOperator, Expression, Operand, Place, RegisterId, Type, TypeId as IrTypeId, UnaryOperator,
    UnsupportedReason,
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
            return self.refuse_value(UnsupportedReason::Construct("atomic operation".to_owned()), result_type);
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
                let new = self.load(pointed(value, ty), ty, None);
                self.store(place, new);
                let into = values.get(1).copied().unwrap_or(Operand::ZERO);
                self.store(pointed(into, ty), old);
                Operand::ZERO
            }
            AtomicOp::TestAndSet => {
                self.store(place, Operand::Int(1));
                old
            }
            AtomicOp::Fetch(operation) | AtomicOp::Update(operation) => {
                let new = self.modify(operation, ty, old, value);
                self.store(place, new);
                if matches!(op, AtomicOp::Fetch(_)) { old } else { new }
            }
            AtomicOp::CompareExchange | AtomicOp::SwapBool | AtomicOp::SwapValue => {
                let desired = values.get(1).copied().unwrap_or(Operand::ZERO);
                self.compare_exchange(op, place, ty, old, value, desired, rest, result_type)
            }
            AtomicOp::Fence | AtomicOp::SignalFence => Operand::ZERO,
        }
    }

    /// Whether the second argument says where a value is, instead of being one.
    fn is_pointer_argument(&self, op: AtomicOp) -> bool {
        matches!(
            op,
            AtomicOp::LoadInto
                | AtomicOp::ExchangeInto
                | AtomicOp::CompareExchange
                | AtomicOp::Fetch(_)
                | AtomicOp::Update(_)
        )
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
        rest: &[ExprId],
        result_type: IrTypeId,
    ) -> Operand {
        let by_pointer = op == AtomicOp::CompareExchange;
        let expected_value = if by_pointer { self.load(pointed(expected, ty), ty, None) } else { expected };
        // The general form passes the new value by pointer, too.
        let desired_type = rest.get(1).map(|&argument| self.type_of(argument));
        let desired = match desired_type {
            Some(desired_type) if by_pointer && self.pointee(desired_type) == Some(ty) && !self.is_pointer(ty) => {
                self.load(pointed(desired, ty), ty, None)
            }
            _ => self.coerce(desired, ty),
        };
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
            _ => self
                .refuse_value(UnsupportedReason::Construct("atomic operation on an aggregate".to_owned()), result_type),
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
            _ => self.refuse("atomic operation on an aggregate"),
        }
    }

    /// Inline assembly: an empty template does nothing; one that only computes scalars gives any value; the rest is
    /// refused.
    pub(crate) fn assembly(&mut self, id: AsmId) {
        let asm: &Asm = &self.source.tast[id];
        let template = self.unit.string_text(asm.template);
        let clobbers_memory =
            self.source.tast[asm.clobbers].iter().any(|&clobber| self.unit.string_text(clobber) == "memory");
        let does_nothing = template.trim().is_empty() || is_comment(&template);
        let labels = !self.source.tast[asm.labels].is_empty();
        let outputs = self.source.tast[asm.outputs].to_vec();
        let inputs = self.source.tast[asm.inputs].to_vec();
        if labels {
            return self.unsupported(UnsupportedReason::InlineAssembly);
        }
        let scalar_outputs = outputs.iter().all(|output| {
            let ty = self.type_of(output.value);
            self.is_scalar(ty)
        });
        let writes_memory = clobbers_memory || outputs.iter().any(|output| output.memory) || outputs.is_empty();
        if !does_nothing && (writes_memory || !scalar_outputs) && !is_harmless(&template) {
            return self.unsupported(UnsupportedReason::InlineAssembly);
        }
        let values: Vec<Option<Operand>> = inputs
            .iter()
            .map(|input| {
                let ty = self.type_of(input.value);
                if self.is_scalar(ty) && !input.memory { Some(self.value(input.value)) } else { None }
            })
            .collect();
        for (index, output) in outputs.iter().enumerate() {
            let constraint = self.unit.string_text(output.constraint);
            let ty = self.type_of(output.value);
            if constraint.starts_with('+') && does_nothing {
                continue;
            }
            if output.memory && does_nothing {
                continue;
            }
            // `asm("" : "=r"(x) : "0"(y))` hides where a value comes from; it is still that value.
            let tied = inputs.iter().zip(&values).find_map(|(input, value)| {
                let matching = self.unit.string_text(input.constraint) == index.to_string();
                if matching { *value } else { None }
            });
            let place: Lvalue = self.place(output.value);
            let value = match tied {
                Some(value) if does_nothing => self.coerce(value, ty),
                _ => self.any(ty, None),
            };
            self.write(place, value);
        }
    }
}

/// Whether a template is only a comment of the assembler.
fn is_comment(template: &str) -> bool {
    template.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'))
}

/// Instructions that order or hint, and change nothing that one thread can see.
fn is_harmless(template: &str) -> bool {
    template.split([';', '\n']).all(|instruction| {
        let word = instruction.split_whitespace().next().unwrap_or("");
        matches!(
            word,
            "" | "mfence"
                | "lfence"
                | "sfence"
                | "pause"
                | "nop"
                | "rep"
                | "rep;"
                | "prefetcht0"
                | "prefetchw"
                | "sti"
                | "cli"
        )
    })
}
