//! Integer and floating-point operations and conversions, folded where the operands are constants.

use crate::adapter::{BinaryOp, Conversion, ExprId, ExprKind, has_effects};
use crate::lowering::{Lowering, wrap};
use heapwise_ir::{
    BinaryOperator, CompareOperator, Expression, FloatType, IntType, Operand, RegisterId, Type, TypeId as IrTypeId,
    integer,
};

/// The type whose values do not fit the numbers that constants are kept in: half of them are negative there.
const WIDEST_UNSIGNED: IntType = IntType::Unsigned(16);

/// The operation of a C operator that is not a comparison.
pub(crate) fn operator(op: BinaryOp) -> BinaryOperator {
    match op {
        BinaryOp::Mul => BinaryOperator::Multiply,
        BinaryOp::Div => BinaryOperator::Divide,
        BinaryOp::Rem => BinaryOperator::Remainder,
        BinaryOp::Add => BinaryOperator::Add,
        BinaryOp::Sub => BinaryOperator::Subtract,
        BinaryOp::Shl => BinaryOperator::ShiftLeft,
        BinaryOp::Shr => BinaryOperator::ShiftRight,
        BinaryOp::BitAnd => BinaryOperator::And,
        BinaryOp::BitXor => BinaryOperator::Xor,
        BinaryOp::BitOr => BinaryOperator::Or,
        BinaryOp::Lt
        | BinaryOp::Gt
        | BinaryOp::Le
        | BinaryOp::Ge
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::LogAnd
        | BinaryOp::LogOr => unreachable!("comparisons are lowered by branches"),
    }
}

/// The comparison of a C operator, if it is one.
pub(crate) fn comparison(op: BinaryOp) -> Option<CompareOperator> {
    Some(match op {
        BinaryOp::Lt => CompareOperator::Less,
        BinaryOp::Gt => CompareOperator::Greater,
        BinaryOp::Le => CompareOperator::LessEqual,
        BinaryOp::Ge => CompareOperator::GreaterEqual,
        BinaryOp::Eq => CompareOperator::Equal,
        BinaryOp::Ne => CompareOperator::NotEqual,
        _ => return None,
    })
}

impl Lowering<'_, '_, '_> {
    pub(crate) fn binary_value(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        lhs: ExprId,
        rhs: ExprId,
        destination: Option<RegisterId>,
    ) -> Operand {
        if comparison(op).is_some() || matches!(op, BinaryOp::LogAnd | BinaryOp::LogOr) {
            let ty = self.type_of(expr);
            return self.truth_as(expr, ty, destination);
        }
        let ty = self.type_of(expr);
        let (left_type, right_type) = (self.type_of(lhs), self.type_of(rhs));
        match (self.is_pointer(left_type), self.is_pointer(right_type)) {
            (true, true) => self.pointer_difference(expr, lhs, rhs, destination),
            (true, false) => self.pointer_step(expr, lhs, rhs, op == BinaryOp::Sub, destination),
            (false, true) => self.pointer_step(expr, rhs, lhs, false, destination),
            (false, false) if self.is_scalar(ty) => {
                let (left, right) = match self.is_size_of_variable_array(expr, op, rhs) {
                    true => self.count_and_element_size(lhs, rhs),
                    false => (self.value(lhs), self.value(rhs)),
                };
                self.at(expr);
                let value = self.binary(operator(op), ty, left, right, destination);
                self.fit(value, self.source.tast[expr].ty, ty)
            }
            (false, false) => {
                self.at(expr);
                self.refuse_scalar(self.source.tast[expr].ty, ty)
            }
        }
    }

    /// Whether the checker made this product: the count of a variable-length array times the size of an element, which has the place
    /// of the whole `sizeof`.
    fn is_size_of_variable_array(&self, expr: ExprId, op: BinaryOp, rhs: ExprId) -> bool {
        op == BinaryOp::Mul && self.source.tast.expr_span(expr) == self.source.tast.expr_span(rhs)
    }

    /// C leaves the order of dimensions open; gcc begins with the last one.
    fn count_and_element_size(&mut self, count: ExprId, size: ExprId) -> (Operand, Operand) {
        let ty = self.type_of(size);
        let mut size = self.value(size);
        if has_effects(&self.source.tast, &self.source.types, count) && matches!(size, Operand::Register(_)) {
            size = self.compute(ty, None, Expression::Operand(size));
        }
        (self.value(count), size)
    }

    /// `left operator right` in type `ty`.
    pub(crate) fn binary(
        &mut self,
        operator: BinaryOperator,
        ty: IrTypeId,
        left: Operand,
        right: Operand,
        destination: Option<RegisterId>,
    ) -> Operand {
        if let (Operand::Int(left), Operand::Int(right), Some(int)) = (left, right, self.int_type(ty))
            && let Some(value) = fold(operator, int, left, right)
        {
            return Operand::Int(value);
        }
        match (operator, left, right) {
            (BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Or, left, Operand::Int(0)) => left,
            (BinaryOperator::Add | BinaryOperator::Or, Operand::Int(0), right) => right,
            (BinaryOperator::Multiply | BinaryOperator::Divide, left, Operand::Int(1)) => left,
            (BinaryOperator::Multiply, Operand::Int(1), right) => right,
            _ => self.compute(ty, destination, Expression::Binary { operator, ty, left, right }),
        }
    }

    /// Converts an operand to `ty`, from the type of the register it is in.
    pub(crate) fn coerce(&mut self, value: Operand, ty: IrTypeId) -> Operand {
        match value {
            Operand::Register(register) => {
                let from = self.registers[register].ty;
                self.convert(value, from, ty, None)
            }
            Operand::Int(number) => match self.int_type(ty) {
                Some(int) => Operand::Int(wrap(int, number)),
                None => value,
            },
            Operand::Float(_) | Operand::Global(_) | Operand::Function(_) => value,
        }
    }

    /// Converts a scalar; no instruction between pointers, nor for constants.
    pub(crate) fn convert(
        &mut self,
        value: Operand,
        from: IrTypeId,
        to: IrTypeId,
        destination: Option<RegisterId>,
    ) -> Operand {
        if from == to {
            return value;
        }
        match (self.get(from), self.get(to), value) {
            (Type::Pointer(_), Type::Pointer(_), _) => return value,
            (Type::Int(_) | Type::Pointer(_), Type::Int(to), Operand::Int(value)) => {
                return Operand::Int(wrap(*to, value));
            }
            (Type::Int(_), Type::Pointer(_), Operand::Int(value)) => {
                let int = IntType::Unsigned(self.pointer_bytes());
                return Operand::Int(wrap(int, value));
            }
            (Type::Int(from), Type::Float(float), Operand::Int(value)) => {
                if let Some(folded) = integer_to_float(*from, *float, value) {
                    return Operand::Float(folded);
                }
            }
            (Type::Float(_), Type::Float(_), Operand::Float(value)) => {
                let single = matches!(self.get(to), Type::Float(heapwise_ir::FloatType::Single));
                return Operand::Float(if single { f64::from(value as f32) } else { value });
            }
            _ => {}
        }
        self.compute(to, destination, Expression::Convert { from, to, value })
    }

    /// A conversion that the language performs.
    pub(crate) fn conversion(
        &mut self,
        expr: ExprId,
        kind: Conversion,
        operand: ExprId,
        destination: Option<RegisterId>,
    ) -> Operand {
        match kind {
            Conversion::Lvalue => self.read(operand, destination),
            Conversion::ArrayDecay => {
                let place = self.memory(operand);
                self.at(expr);
                self.address(place, destination)
            }
            Conversion::FunctionDecay => match self.source.tast[operand].kind {
                ExprKind::Decl(decl) => self.function_address(decl),
                ExprKind::Unary { op: crate::adapter::UnaryOp::Deref, operand } => self.value_in(operand, destination),
                _ => self.value_in(operand, destination),
            },
            Conversion::NullPointer => {
                self.effect(operand);
                Operand::ZERO
            }
            Conversion::Arithmetic | Conversion::Pointer | Conversion::Bool => self.cast(expr, operand, destination),
            Conversion::Void => {
                self.effect(operand);
                Operand::ZERO
            }
            Conversion::Broadcast | Conversion::Hardbool => {
                let ty = self.type_of(expr);
                self.at(expr);
                self.refuse_scalar(self.source.tast[expr].ty, ty)
            }
        }
    }

    /// A cast, or a conversion that is one.
    pub(crate) fn cast(&mut self, expr: ExprId, operand: ExprId, destination: Option<RegisterId>) -> Operand {
        let to = self.type_of(expr);
        let from = self.type_of(operand);
        if self.is_void(to) {
            self.effect(operand);
            return Operand::ZERO;
        }
        if !self.is_scalar(to) || !self.is_scalar(from) {
            self.at(expr);
            let odd = if self.is_scalar(to) { operand } else { expr };
            return self.refuse_scalar(self.source.tast[odd].ty, to);
        }
        if self.is_pointer(to) && (self.is_pointer(from) || self.is_integer_of_pointer(operand)) {
            return self.pointer_cast(expr, operand, destination);
        }
        if self.int_type(to) == Some(IntType::Bool) && self.is_condition(operand) {
            return self.truth_as(operand, to, destination);
        }
        let same = from == to || (self.is_pointer(from) && self.is_pointer(to));
        let value = self.value_in(operand, destination.filter(|_| same));
        self.at(expr);
        let value = self.convert(value, from, to, destination);
        self.fit(value, self.source.tast[expr].ty, to)
    }

    /// Cuts a value to the width of an integer type that is no whole number of bytes.
    pub(crate) fn fit(&mut self, value: Operand, ty: crate::adapter::TypeId, ir: IrTypeId) -> Operand {
        let Some(info) = crate::adapter::integer_info(&self.source.types, ty, &self.source.target) else {
            return value;
        };
        if matches!(info.width, 1 | 8 | 16 | 32 | 64 | 128) {
            return value;
        }
        if let Operand::Int(number) = value {
            return Operand::Int(info.wrap(number));
        }
        if !info.signed {
            let mask = Operand::Int((1i128 << info.width) - 1);
            return self.binary(BinaryOperator::And, ir, value, mask, None);
        }
        let bits = self.size(ir).unwrap_or(8) * 8;
        let unused = Operand::Int(i128::from(bits) - i128::from(info.width));
        let raised = self.binary(BinaryOperator::ShiftLeft, ir, value, unused, None);
        self.binary(BinaryOperator::ShiftRight, ir, raised, unused, None)
    }

    /// Whether an expression is best lowered by branches: a comparison, a logical operation, a pointer.
    fn is_condition(&mut self, expr: ExprId) -> bool {
        match self.source.tast[expr].kind {
            ExprKind::Binary { op, .. } => comparison(op).is_some() || matches!(op, BinaryOp::LogAnd | BinaryOp::LogOr),
            ExprKind::Unary { op: crate::adapter::UnaryOp::Not, .. } => true,
            ExprKind::Convert { kind: Conversion::Arithmetic | Conversion::Bool, operand }
            | ExprKind::Cast(operand) => self.is_condition(operand),
            _ => {
                let ty = self.type_of(expr);
                self.is_pointer(ty) || self.float_type(ty).is_some()
            }
        }
    }
}

/// The integer as a floating-point number; `None` where a `double` does not hold what its type does.
fn integer_to_float(from: IntType, float: FloatType, value: i128) -> Option<f64> {
    let (single, double) = match from {
        WIDEST_UNSIGNED => (value as u128 as f32, value as u128 as f64),
        IntType::Bool | IntType::Signed(_) | IntType::Unsigned(_) => (value as f32, value as f64),
    };
    match float {
        FloatType::Single => Some(f64::from(single)),
        FloatType::Double => Some(double),
        FloatType::Extended | FloatType::Quad => (value.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS).then_some(double),
    }
}

/// The result of an operation on constants; `None` where it is an error (or is not folded).
fn fold(operator: BinaryOperator, int: IntType, left: i128, right: i128) -> Option<i128> {
    if int == WIDEST_UNSIGNED {
        return integer::binary(operator, int, left, right).ok();
    }
    let bits = match int {
        IntType::Bool => 1,
        IntType::Signed(bytes) | IntType::Unsigned(bytes) => 8 * i128::from(bytes),
    };
    let exact = match operator {
        BinaryOperator::Add => left.checked_add(right)?,
        BinaryOperator::Subtract => left.checked_sub(right)?,
        BinaryOperator::Multiply => left.checked_mul(right)?,
        BinaryOperator::Divide => left.checked_div(right)?,
        BinaryOperator::Remainder => left.checked_rem(right)?,
        BinaryOperator::And => left & right,
        BinaryOperator::Or => left | right,
        BinaryOperator::Xor => left ^ right,
        BinaryOperator::ShiftLeft if (0..bits).contains(&right) && bits <= 64 => left << right,
        BinaryOperator::ShiftRight if (0..bits).contains(&right) => left >> right,
        BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => return None,
    };
    let wrapped = wrap(int, exact);
    // Overflow of a signed operation is an error that must stay visible.
    let overflows = matches!(int, IntType::Signed(_)) && wrapped != exact && operator != BinaryOperator::ShiftLeft;
    (!overflows).then_some(wrapped)
}
