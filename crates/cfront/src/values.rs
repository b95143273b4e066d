//! Rvalues: the operand that an expression's value is in.

use crate::adapter::{Base, BinaryOp, Category, Const, ExprId, ExprKind, TypeId, UnaryOp};
use crate::initializers::to_f64;
use crate::lowering::Lowering;
use crate::places::Lvalue;
use heapwise_ir::{
    Construct, Expression, Instruction, Operand, Place, RegisterId, TypeId as IrTypeId, UnaryOperator,
    UnsupportedReason,
};

/// What `++` or `--` made.
pub(crate) struct Incremented {
    old: Operand,
    new: Operand,
    /// Where it is, if it is a scalar.
    place: Option<Lvalue>,
}

impl Lowering<'_, '_, '_> {
    /// The value of a scalar expression.
    pub(crate) fn value(&mut self, expr: ExprId) -> Operand {
        self.value_in(expr, None)
    }

    /// The value of a scalar expression, computed into `destination` where one is given. (The last instruction writes
    /// the destination, so the expression may read it.) A value that needs no instruction is returned as it is.
    pub(crate) fn value_in(&mut self, expr: ExprId, destination: Option<RegisterId>) -> Operand {
        if let Some(&count) = self.vla_counts.get(&expr) {
            return count;
        }
        if let Some(&shared) = self.shared_values.get(&expr) {
            return shared;
        }
        let node = &self.source.tast[expr];
        match node.kind {
            ExprKind::Error => {
                let ty = self.type_of(expr);
                self.at(expr);
                self.refuse_value(Construct::ErroneousExpression, ty)
            }
            ExprKind::Const(constant) => self.constant(expr, self.source.tast[constant], destination),
            ExprKind::Decl(decl) if self.unit.is_function(decl) => self.function_address(decl),
            ExprKind::Decl(_) | ExprKind::Member { .. } | ExprKind::Subscript { .. } | ExprKind::CompoundLiteral(_) => {
                self.read(expr, destination)
            }
            ExprKind::Unary { op: UnaryOp::Deref | UnaryOp::Real | UnaryOp::Imag, .. } => self.read(expr, destination),
            ExprKind::Str(_) => {
                let place = self.memory(expr);
                self.address(place, destination)
            }
            ExprKind::Call { callee, args } => self.call(expr, callee, args, destination),
            ExprKind::Unary { op, operand } => self.unary(expr, op, operand, destination),
            ExprKind::Binary { op, lhs, rhs } => self.binary_value(expr, op, lhs, rhs, destination),
            ExprKind::Assign { op, computation, lhs, rhs } => {
                let value = self.assignment(expr, op, computation, lhs, rhs);
                self.value_after_store(lhs, value, destination)
            }
            ExprKind::Cond { cond, then, otherwise } => {
                self.conditional_value(expr, cond, then, otherwise, destination)
            }
            ExprKind::Comma { lhs, rhs } => {
                self.effect(lhs);
                self.value_in(rhs, destination)
            }
            ExprKind::Cast(operand) => self.cast(expr, operand, destination),
            ExprKind::Convert { kind, operand } => self.conversion(expr, kind, operand, destination),
            ExprKind::StmtExpr(body) => {
                let ty = self.type_of(expr);
                self.statement_expression(body, ty, destination)
            }
            ExprKind::LabelAddr(label) => Operand::Global(self.unit.label(self.link, label)),
            _ => self.builtin(expr, destination),
        }
    }

    /// Reads an lvalue. A volatile object is read like any other: what changes it behind the program's back is another
    /// thread or a signal handler, and those are installed by calls that no model calls harmless.
    pub(crate) fn read(&mut self, expr: ExprId, destination: Option<RegisterId>) -> Operand {
        match self.place(expr) {
            Lvalue::Register(register) => Operand::Register(register),
            Lvalue::Memory(place) => {
                let ty = self.type_of(expr);
                self.at(expr);
                if !self.is_scalar(ty) {
                    return self.refuse_scalar(self.source.tast[expr].ty, ty);
                }
                self.load_as(place, ty, destination)
            }
        }
    }

    /// Loads a scalar; the storage unit of a bit-field may have another type than the field.
    fn load_as(&mut self, place: Place, ty: IrTypeId, destination: Option<RegisterId>) -> Operand {
        let unit = place.ty;
        if unit == ty || self.is_pointer(ty) {
            return self.load(place, ty, destination);
        }
        let loaded = self.load(place, unit, None);
        self.convert(loaded, unit, ty, destination)
    }

    /// Refuses a scalar type that the language does not have.
    pub(crate) fn refuse_scalar(&mut self, ty: TypeId, ir: IrTypeId) -> Operand {
        let name = crate::adapter::spell(&self.source.types, &self.source.names, ty);
        self.refuse_value(UnsupportedReason::ScalarType(name), ir)
    }

    fn constant(&mut self, expr: ExprId, constant: Const, destination: Option<RegisterId>) -> Operand {
        let ty = self.type_of(expr);
        match constant {
            Const::Int(value) => Operand::Int(value),
            Const::Float(value)
                if self.float_type(ty).is_some()
                    && let Some(double) = to_f64(value) =>
            {
                Operand::Float(double)
            }
            Const::Float(_) | Const::Complex { .. } | Const::ComplexInt { .. } => {
                self.at(expr);
                self.refuse_scalar(self.source.tast[expr].ty, ty)
            }
            Const::Address(address) => {
                let base = match address.base {
                    Base::Decl(decl) if self.unit.is_function(decl) => self.function_address(decl),
                    Base::Decl(decl) => self.global_address(decl),
                    Base::Str(literal) => {
                        let span = self.source.tast.expr_span(expr);
                        Operand::Global(self.unit.string(self.link, literal, span))
                    }
                    Base::Label(label) => Operand::Global(self.unit.label(self.link, label)),
                    Base::Absolute => return Operand::Int(address.offset),
                };
                if address.offset == 0 {
                    return base;
                }
                self.at(expr);
                let bytes = Operand::Int(address.offset);
                self.compute(ty, destination, Expression::AddBytes { base, bytes })
            }
            Const::Apart { .. } => {
                self.at(expr);
                self.refuse_value(UnsupportedReason::ComputedGoto, ty)
            }
        }
    }

    /// The address of a function that is used as a value.
    pub(crate) fn function_address(&mut self, decl: crate::adapter::DeclId) -> Operand {
        if self.unit.may_be_absent(self.link, decl) {
            self.unsupported(Construct::WeakObject { name: self.unit.name(decl).to_owned() });
        }
        Operand::Function(self.unit.function_pointer(self.link, decl))
    }

    fn unary(&mut self, expr: ExprId, op: UnaryOp, operand: ExprId, destination: Option<RegisterId>) -> Operand {
        let ty = self.type_of(expr);
        match op {
            UnaryOp::Plus => self.value_in(operand, destination),
            UnaryOp::Minus | UnaryOp::BitNot => {
                if !self.is_scalar(ty) {
                    return self.refuse_scalar(self.source.tast[expr].ty, ty);
                }
                let value = self.value(operand);
                let operator = if op == UnaryOp::Minus { UnaryOperator::Negate } else { UnaryOperator::Complement };
                self.at(expr);
                let value = self.unary_operation(operator, ty, value, destination);
                self.fit(value, self.source.tast[expr].ty, ty)
            }
            UnaryOp::Not => self.truth_as(expr, ty, destination),
            UnaryOp::AddrOf => {
                if let ExprKind::Decl(decl) = self.source.tast[operand].kind
                    && self.unit.is_function(decl)
                {
                    return self.function_address(decl);
                }
                let place = self.memory(operand);
                self.at(expr);
                self.address(place, destination)
            }
            UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => {
                let value = self.increment(expr, op, operand);
                self.deliver(value, destination)
            }
            UnaryOp::Deref | UnaryOp::Real | UnaryOp::Imag => self.read(expr, destination),
        }
    }

    pub(crate) fn unary_operation(
        &mut self,
        operator: UnaryOperator,
        ty: IrTypeId,
        value: Operand,
        destination: Option<RegisterId>,
    ) -> Operand {
        match (operator, value, self.int_type(ty)) {
            (UnaryOperator::Negate, Operand::Int(value), Some(int)) => {
                Operand::Int(crate::lowering::wrap(int, value.wrapping_neg()))
            }
            (UnaryOperator::Complement, Operand::Int(value), Some(int)) => {
                Operand::Int(crate::lowering::wrap(int, !value))
            }
            (UnaryOperator::Negate, Operand::Float(value), _) => Operand::Float(-value),
            _ => self.compute(ty, destination, Expression::Unary { operator, ty, value }),
        }
    }

    /// The value of `lhs` after `value` was stored there: a bit-field keeps only its bits.
    fn value_after_store(&mut self, lhs: ExprId, value: Operand, destination: Option<RegisterId>) -> Operand {
        let is_bit_field = self.source.tast[lhs].category == Category::Bitfield;
        if is_bit_field { self.read(lhs, destination) } else { self.deliver(value, destination) }
    }

    /// `= ` and `op=`; gives the value stored.
    pub(crate) fn assignment(
        &mut self,
        expr: ExprId,
        op: Option<BinaryOp>,
        computation: TypeId,
        lhs: ExprId,
        rhs: ExprId,
    ) -> Operand {
        let place = self.place(lhs);
        let Some(op) = op else {
            return match place {
                Lvalue::Register(target) => {
                    let value = self.value_in(rhs, Some(target));
                    self.at(expr);
                    self.deliver(value, Some(target))
                }
                Lvalue::Memory(place) => {
                    let value = self.value(rhs);
                    self.at(expr);
                    self.store(place, value);
                    value
                }
            };
        };
        let lhs_type = self.type_of(lhs);
        if !self.is_scalar(lhs_type) {
            return self.refuse_scalar(self.source.tast[lhs].ty, lhs_type);
        }
        let right = if self.is_pointer(lhs_type) { self.index_value(rhs) } else { self.value(rhs) };
        self.at(expr);
        let old = self.read_place(&place, lhs_type);
        let in_place = match place {
            Lvalue::Register(target) => Some(target),
            Lvalue::Memory(_) => None,
        };
        let new = if self.is_pointer(lhs_type) {
            let element = crate::pointers::pointee_of(&self.source.types, self.source.tast[lhs].ty);
            let negative = op == BinaryOp::Sub;
            self.step(old, right, negative, element, lhs_type, in_place)
        } else {
            let computed = self.ty(computation);
            if !self.is_scalar(computed) {
                return self.refuse_scalar(computation, lhs_type);
            }
            let same = computed == lhs_type;
            let old = self.convert(old, lhs_type, computed, None);
            let right_type = self.type_of(rhs);
            let right = match op {
                BinaryOp::Shl | BinaryOp::Shr => right,
                _ => self.convert(right, right_type, computed, None),
            };
            let operator = crate::arithmetic::operator(op);
            let new = self.binary(operator, computed, old, right, in_place.filter(|_| same));
            self.convert(new, computed, lhs_type, in_place)
        };
        self.write(place, new);
        new
    }

    /// The value in a place that was found before.
    pub(crate) fn read_place(&mut self, place: &Lvalue, ty: IrTypeId) -> Operand {
        match place {
            Lvalue::Register(register) => Operand::Register(*register),
            Lvalue::Memory(place) => self.load_as(place.clone(), ty, None),
        }
    }

    /// Puts a value into a place.
    pub(crate) fn write(&mut self, place: Lvalue, value: Operand) {
        match place {
            Lvalue::Register(target) => {
                self.deliver(value, Some(target));
            }
            Lvalue::Memory(place) => self.store(place, value),
        }
    }

    pub(crate) fn store(&mut self, place: Place, value: Operand) {
        let value = if place.bits.is_some() { self.coerce(value, place.ty) } else { value };
        self.emit(Instruction::Store { place, value });
    }

    /// `++` and `--`; gives the new value for the prefix forms, the old one for the postfix forms.
    fn increment(&mut self, expr: ExprId, op: UnaryOp, operand: ExprId) -> Operand {
        let postfix = matches!(op, UnaryOp::PostInc | UnaryOp::PostDec);
        let Incremented { old, new, place } = self.increment_place(expr, op, operand, postfix);
        match place {
            _ if postfix => old,
            // The value is what the bit-field holds then, cut to its bits.
            Some(Lvalue::Memory(place)) if place.bits.is_some() => {
                let ty = self.type_of(operand);
                self.read_place(&Lvalue::Memory(place), ty)
            }
            Some(Lvalue::Memory(_) | Lvalue::Register(_)) | None => new,
        }
    }

    /// `++` or `--`: the old value (a copy of it where `keep_old` asks and the place is a register) and the new one.
    pub(crate) fn increment_place(
        &mut self,
        expr: ExprId,
        op: UnaryOp,
        operand: ExprId,
        keep_old: bool,
    ) -> Incremented {
        let ty = self.type_of(operand);
        if !self.is_scalar(ty) {
            let any = self.refuse_scalar(self.source.tast[operand].ty, ty);
            return Incremented { old: any, new: any, place: None };
        }
        let negative = matches!(op, UnaryOp::PreDec | UnaryOp::PostDec);
        let place = self.place(operand);
        self.at(expr);
        let mut old = self.read_place(&place, ty);
        let in_place = match place {
            Lvalue::Register(target) => Some(target),
            Lvalue::Memory(_) => None,
        };
        if keep_old && in_place.is_some() {
            old = self.compute(ty, None, Expression::Operand(old));
        }
        let new = if self.is_pointer(ty) {
            let element = crate::pointers::pointee_of(&self.source.types, self.source.tast[operand].ty);
            self.step(old, Operand::Int(1), negative, element, ty, in_place)
        } else {
            self.increment_number(old, negative, ty, in_place)
        };
        self.write(place.clone(), new);
        Incremented { old, new, place: Some(place) }
    }

    fn increment_number(
        &mut self,
        old: Operand,
        negative: bool,
        ty: IrTypeId,
        in_place: Option<RegisterId>,
    ) -> Operand {
        use heapwise_ir::{BinaryOperator, IntType};
        let operator = if negative { BinaryOperator::Subtract } else { BinaryOperator::Add };
        if self.float_type(ty).is_some() {
            return self.binary(operator, ty, old, Operand::Float(1.0), in_place);
        }
        match self.int_type(ty) {
            // Narrow integers are promoted, so they wrap without overflowing.
            Some(IntType::Bool | IntType::Signed(1 | 2) | IntType::Unsigned(1 | 2)) => {
                let int = self.int();
                let old = self.convert(old, ty, int, None);
                let sum = self.binary(operator, int, old, Operand::Int(1), None);
                self.convert(sum, int, ty, in_place)
            }
            _ => self.binary(operator, ty, old, Operand::Int(1), in_place),
        }
    }
}
