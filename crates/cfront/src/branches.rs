//! Conditions as control flow, and the expressions that need it: `&&`, `||`, `!`, `?:`, comparisons as values.

use crate::adapter::{BinaryOp, Conversion, ExprId, ExprKind, UnaryOp};
use crate::arithmetic::comparison;
use crate::lowering::Lowering;
use heapwise_ir::{
    CompareOperator, Condition, Expression, Instruction, LocationId, Operand, RegisterId, TypeId as IrTypeId, integer,
};
use std::cmp::Ordering;

impl Lowering<'_, '_, '_> {
    /// Goes to `then` if the full expression is not zero, else to `otherwise`; its temporaries end on both ways.
    pub(crate) fn branch_on_full(&mut self, expr: ExprId, then: LocationId, otherwise: LocationId) {
        let pending = self.temporaries.len();
        let (on_true, on_false) = (self.location(), self.location());
        self.branch(expr, on_true, on_false);
        let made = self.temporaries.split_off(pending);
        for (location, target) in [(on_true, then), (on_false, otherwise)] {
            self.here = location;
            self.temporaries.extend_from_slice(&made);
            self.end_temporaries(pending);
            self.jump(target);
        }
    }

    /// Goes to `then` if the expression is not zero, else to `otherwise`.
    pub(crate) fn branch(&mut self, expr: ExprId, then: LocationId, otherwise: LocationId) {
        match self.source.tast[expr].kind {
            ExprKind::Unary { op: UnaryOp::Not, operand } => self.branch(operand, otherwise, then),
            ExprKind::Binary { op: BinaryOp::LogAnd, lhs, rhs } => {
                let opened = self.open_branches();
                let both = self.location();
                self.branch(lhs, both, otherwise);
                self.here = both;
                self.branch(rhs, then, otherwise);
                self.close_branches(opened);
            }
            ExprKind::Binary { op: BinaryOp::LogOr, lhs, rhs } => {
                let opened = self.open_branches();
                let second = self.location();
                self.branch(lhs, then, second);
                self.here = second;
                self.branch(rhs, then, otherwise);
                self.close_branches(opened);
            }
            ExprKind::Binary { op, lhs, rhs } if comparison(op).is_some() => {
                self.branch_comparison(expr, op, lhs, rhs, then, otherwise);
            }
            ExprKind::Convert { kind: Conversion::Bool, operand } => self.branch(operand, then, otherwise),
            // A conversion between integers that keeps every value keeps whether it is zero.
            ExprKind::Convert { kind: Conversion::Arithmetic, operand } | ExprKind::Cast(operand)
                if self.keeps_zero(expr, operand) =>
            {
                self.branch(operand, then, otherwise);
            }
            ExprKind::Expect { value, .. } => self.branch(value, then, otherwise),
            ExprKind::Comma { lhs, rhs } => {
                self.effect(lhs);
                self.branch(rhs, then, otherwise);
            }
            ExprKind::Cond { cond, then: first, otherwise: second } if !self.shares_condition(cond, first) => {
                let opened = self.open_branches();
                let (on_true, on_false) = (self.location(), self.location());
                self.branch(cond, on_true, on_false);
                self.here = on_true;
                self.branch(first, then, otherwise);
                self.here = on_false;
                self.branch(second, then, otherwise);
                self.close_branches(opened);
            }
            _ => {
                let pending = self.temporaries.len();
                let value = self.value(expr);
                let ty = self.type_of(expr);
                self.at(expr);
                self.end_operand(pending);
                let zero = if self.float_type(ty).is_some() { Operand::Float(0.0) } else { Operand::ZERO };
                self.branch_on(CompareOperator::NotEqual, ty, value, zero, then, otherwise);
            }
        }
    }

    /// Whether a conversion is zero exactly when its operand is.
    fn keeps_zero(&mut self, expr: ExprId, operand: ExprId) -> bool {
        let (to, from) = (self.type_of(expr), self.type_of(operand));
        match (self.int_type(to), self.int_type(from)) {
            (Some(to), Some(from)) => to == heapwise_ir::IntType::Bool || to.bytes() >= from.bytes(),
            _ => {
                self.is_pointer(to)
                    && self.is_pointer(from)
                    && !matches!(self.source.tast[operand].kind, ExprKind::Binary { .. })
            }
        }
    }

    fn branch_comparison(
        &mut self,
        expr: ExprId,
        op: BinaryOp,
        lhs: ExprId,
        rhs: ExprId,
        then: LocationId,
        otherwise: LocationId,
    ) {
        let Some(operator) = comparison(op) else { return };
        let ty = self.type_of(lhs);
        let pending = self.temporaries.len();
        if !self.is_scalar(ty) {
            self.at(expr);
            let value = self.refuse_scalar(self.source.tast[lhs].ty, ty);
            let int = self.int();
            self.branch_on(CompareOperator::NotEqual, int, value, Operand::ZERO, then, otherwise);
            return;
        }
        // `(a < b) != 0` and the like.
        if let (CompareOperator::Equal | CompareOperator::NotEqual, Some(0)) = (operator, self.constant_int(rhs))
            && self.int_type(ty).is_some()
            && matches!(operator, CompareOperator::NotEqual | CompareOperator::Equal)
            && self.is_boolean(lhs)
        {
            return if operator == CompareOperator::NotEqual {
                self.branch(lhs, then, otherwise)
            } else {
                self.branch(lhs, otherwise, then)
            };
        }
        let left = self.value(lhs);
        let right = self.value(rhs);
        self.at(expr);
        self.end_operand(pending);
        self.branch_on(operator, ty, left, right, then, otherwise);
    }

    /// Whether an expression is a comparison or logical operation, perhaps converted.
    fn is_boolean(&self, expr: ExprId) -> bool {
        match self.source.tast[expr].kind {
            ExprKind::Binary { op, .. } => comparison(op).is_some() || matches!(op, BinaryOp::LogAnd | BinaryOp::LogOr),
            ExprKind::Unary { op: UnaryOp::Not, .. } => true,
            ExprKind::Expect { value, .. } => self.is_boolean(value),
            ExprKind::Convert { kind: Conversion::Arithmetic | Conversion::Bool, operand }
            | ExprKind::Cast(operand) => self.is_boolean(operand),
            _ => false,
        }
    }

    /// The two edges of a comparison; one, where both sides are constants.
    pub(crate) fn branch_on(
        &mut self,
        operator: CompareOperator,
        ty: IrTypeId,
        left: Operand,
        right: Operand,
        then: LocationId,
        otherwise: LocationId,
    ) {
        if let (Operand::Int(left), Operand::Int(right)) = (left, right) {
            let ordering = match self.int_type(ty) {
                Some(int) if integer::less(int, left, right) => Ordering::Less,
                Some(int) if integer::less(int, right, left) => Ordering::Greater,
                Some(_) => Ordering::Equal,
                None => left.cmp(&right),
            };
            let holds = operator.holds(ordering);
            self.jump(if holds { then } else { otherwise });
            return;
        }
        self.emit_to(then, Instruction::Assume(Condition::Compare { operator, ty, left, right }));
        let negation = if self.float_type(ty).is_some() {
            Condition::NotCompare { operator, ty, left, right }
        } else {
            Condition::Compare { operator: operator.negated(), ty, left, right }
        };
        self.emit_to(otherwise, Instruction::Assume(negation));
        self.here = self.location();
    }

    /// The value of a condition, as 1 or 0 of an integer type.
    pub(crate) fn truth_as(&mut self, expr: ExprId, ty: IrTypeId, destination: Option<RegisterId>) -> Operand {
        if let Some(value) = self.constant_condition(expr) {
            return Operand::Int(i128::from(value));
        }
        let (then, otherwise, join) = (self.location(), self.location(), self.location());
        self.branch(expr, then, otherwise);
        self.at(expr);
        let target = destination.unwrap_or_else(|| self.temporary(ty));
        for (location, value) in [(then, 1), (otherwise, 0)] {
            self.here = location;
            self.emit_to(join, Instruction::Assign { target, value: Expression::Operand(Operand::Int(value)) });
        }
        self.here = join;
        Operand::Register(target)
    }

    fn constant_condition(&self, expr: ExprId) -> Option<bool> {
        self.constant_int(expr).map(|value| value != 0)
    }

    /// Whether `cond ?: otherwise` was written: the value of the condition is the first arm.
    fn shares_condition(&self, cond: ExprId, then: ExprId) -> bool {
        let mut expr = cond;
        loop {
            if expr == then {
                return true;
            }
            match self.source.tast[expr].kind {
                ExprKind::Convert { operand, .. } => expr = operand,
                _ => break,
            }
        }
        // The first arm may be converted, too.
        let mut arm = then;
        while let ExprKind::Convert { operand, .. } = self.source.tast[arm].kind {
            arm = operand;
            let mut expr = cond;
            while let ExprKind::Convert { operand, .. } = self.source.tast[expr].kind {
                if operand == arm {
                    return true;
                }
                expr = operand;
            }
        }
        false
    }

    /// The node that both the condition and the first arm of `cond ?: otherwise` are.
    fn shared_node(&self, cond: ExprId, then: ExprId) -> ExprId {
        let mut nodes = vec![cond];
        let mut expr = cond;
        while let ExprKind::Convert { operand, .. } = self.source.tast[expr].kind {
            nodes.push(operand);
            expr = operand;
        }
        let mut arm = then;
        loop {
            if nodes.contains(&arm) {
                return arm;
            }
            match self.source.tast[arm].kind {
                ExprKind::Convert { operand, .. } => arm = operand,
                _ => return then,
            }
        }
    }

    /// Evaluates the condition of `?:`; afterwards both arms can be lowered.
    pub(crate) fn branch_conditional(
        &mut self,
        cond: ExprId,
        then: ExprId,
    ) -> (LocationId, LocationId, Option<ExprId>) {
        let (on_true, on_false) = (self.location(), self.location());
        let shared = if self.shares_condition(cond, then) {
            let node = self.shared_node(cond, then);
            let value = self.value(node);
            // A register may change before the arm reads it; the value may not.
            self.shared_values.insert(node, value);
            Some(node)
        } else {
            None
        };
        self.branch(cond, on_true, on_false);
        (on_true, on_false, shared)
    }

    pub(crate) fn conditional_value(
        &mut self,
        expr: ExprId,
        cond: ExprId,
        then: ExprId,
        otherwise: ExprId,
        destination: Option<RegisterId>,
    ) -> Operand {
        let ty = self.type_of(expr);
        if self.is_void(ty) {
            self.conditional_effect(cond, then, otherwise);
            return Operand::ZERO;
        }
        if let Some(value) = self.constant_condition(cond) {
            return self.value_in(if value { then } else { otherwise }, destination);
        }
        if !self.is_scalar(ty) {
            return self.refuse_scalar(self.source.tast[expr].ty, ty);
        }
        let opened = self.open_branches();
        let (on_true, on_false, shared) = self.branch_conditional(cond, then);
        let join = self.location();
        // An arm may read the destination after the other arm's place in the text wrote it only on its own path.
        let target = destination.unwrap_or_else(|| self.temporary(ty));
        for (location, arm) in [(on_true, then), (on_false, otherwise)] {
            self.here = location;
            let pending = self.temporaries.len();
            let value = self.value_in(arm, Some(target));
            self.at(arm);
            self.deliver(value, Some(target));
            self.end_operand(pending);
            self.emit_to(join, Instruction::Assume(Condition::True));
        }
        if let Some(node) = shared {
            self.shared_values.remove(&node);
        }
        self.here = join;
        self.close_branches(opened);
        Operand::Register(target)
    }

    pub(crate) fn conditional_effect(&mut self, cond: ExprId, then: ExprId, otherwise: ExprId) {
        let opened = self.open_branches();
        let (on_true, on_false, shared) = self.branch_conditional(cond, then);
        let join = self.location();
        for (location, arm) in [(on_true, then), (on_false, otherwise)] {
            self.here = location;
            let pending = self.temporaries.len();
            self.effect(arm);
            self.end_operand(pending);
            self.emit_to(join, Instruction::Assume(Condition::True));
        }
        if let Some(node) = shared {
            self.shared_values.remove(&node);
        }
        self.here = join;
        self.close_branches(opened);
    }
}
