//! Values that do not fit a register: records, arrays, and the scalars that the language lacks.

use crate::adapter::{Conversion, ExprId, ExprKind, UnaryOp};
use crate::lowering::Lowering;
use crate::places::pointed;
use crate::scopes::Until;
use heapwise_ir::{
    Condition, Construct, CopySource, Extent, Instruction, Operand, Place, RegisterId, Type, TypeId as IrTypeId,
    UnsupportedReason,
};

impl Lowering<'_, '_, '_> {
    /// Copies an aggregate from place to place.
    pub(crate) fn copy(&mut self, place: Place, source: Place, ty: IrTypeId) {
        if place == source {
            return;
        }
        self.emit(Instruction::Copy { place, source: CopySource::Place(source), extent: Extent::Type(ty) });
    }

    /// Where an aggregate is: its own place, or a temporary's.
    pub(crate) fn aggregate(&mut self, expr: ExprId) -> Place {
        match self.source.tast[expr].kind {
            ExprKind::Decl(_)
            | ExprKind::Member { .. }
            | ExprKind::Subscript { .. }
            | ExprKind::Str(_)
            | ExprKind::CompoundLiteral(_)
            | ExprKind::Unary { op: UnaryOp::Deref, .. } => self.memory(expr),
            ExprKind::Convert { kind: Conversion::Lvalue, operand } | ExprKind::Cast(operand) => {
                let (to, from) = (self.type_of(expr), self.type_of(operand));
                if to == from { self.aggregate(operand) } else { self.aggregate_in_temporary(expr) }
            }
            ExprKind::Comma { lhs, rhs } => {
                self.effect(lhs);
                self.aggregate(rhs)
            }
            ExprKind::Assign { op: None, lhs, rhs, .. } => {
                let place = self.memory(lhs);
                let ty = self.type_of(lhs);
                let source = self.aggregate(rhs);
                self.at(expr);
                self.copy(place.clone(), source, ty);
                place
            }
            _ => self.aggregate_in_temporary(expr),
        }
    }

    fn aggregate_in_temporary(&mut self, expr: ExprId) -> Place {
        let ty = self.type_of(expr);
        self.at(expr);
        let bytes = Operand::Int(i128::from(self.size(ty).unwrap_or(0)));
        // Only the address of an array in it can be taken (C11 6.2.4 p8).
        let until = if self.has_array(ty) { Until::FullExpression } else { Until::Operand };
        let address = self.temporary_object(ty, bytes, until);
        let place = pointed(Operand::Register(address), ty);
        self.aggregate_into(expr, place.clone());
        place
    }

    fn has_array(&self, ty: IrTypeId) -> bool {
        match self.get(ty) {
            Type::Array(..) => true,
            Type::Record(record) => {
                self.link.program.records[*record].fields().iter().any(|field| self.has_array(field.ty))
            }
            Type::Void | Type::Int(_) | Type::Float(_) | Type::Pointer(_) | Type::Function(_) => false,
        }
    }

    /// Puts an aggregate into fresh storage, which nothing else can see yet.
    pub(crate) fn aggregate_into(&mut self, expr: ExprId, place: Place) {
        let ty = self.type_of(expr);
        match self.source.tast[expr].kind {
            ExprKind::Call { callee, args } => {
                let pointer = self.address(place, None);
                self.call_into(expr, callee, args, pointer);
            }
            ExprKind::Cond { cond, then, otherwise } => {
                let opened = self.open_branches();
                let (on_true, on_false, shared) = self.branch_conditional(cond, then);
                let join = self.location();
                for (location, arm) in [(on_true, then), (on_false, otherwise)] {
                    self.here = location;
                    let pending = self.temporaries.len();
                    self.aggregate_into(arm, place.clone());
                    self.end_operand(pending);
                    self.emit_to(join, Instruction::Assume(Condition::True));
                }
                if let Some(node) = shared {
                    self.shared_values.remove(&node);
                }
                self.here = join;
                self.close_branches(opened);
            }
            ExprKind::StmtExpr(body) => {
                let pointer = self.address(place, None);
                let target = self.register_of(pointer, ty);
                self.statement_expression_into(body, ty, target);
            }
            ExprKind::VaArg { list } => {
                let source = self.next_argument(list, ty);
                self.copy(place, source, ty);
            }
            ExprKind::Comma { lhs, rhs } => {
                self.effect(lhs);
                self.aggregate_into(rhs, place);
            }
            ExprKind::Decl(_)
            | ExprKind::Member { .. }
            | ExprKind::Subscript { .. }
            | ExprKind::Str(_)
            | ExprKind::CompoundLiteral(_)
            | ExprKind::Unary { op: UnaryOp::Deref, .. }
            | ExprKind::Assign { op: None, .. } => {
                let source = self.aggregate(expr);
                self.at(expr);
                self.copy(place, source, ty);
            }
            ExprKind::Convert { kind: Conversion::Lvalue, operand } | ExprKind::Cast(operand)
                if self.type_of(operand) == ty =>
            {
                self.aggregate_into(operand, place);
            }
            ExprKind::Error => {
                self.unsupported(Construct::ErroneousExpression);
            }
            ExprKind::Atomic { op, args, .. } => self.atomic_aggregate(op, args, place, ty),
            _ => {
                // Arithmetic on complex numbers and vectors.
                let name = crate::adapter::spell(&self.source.types, &self.source.names, self.source.tast[expr].ty);
                self.unsupported(UnsupportedReason::ScalarType(name));
            }
        }
    }

    /// The register that holds a pointer.
    pub(crate) fn register_of(&mut self, pointer: Operand, pointee: IrTypeId) -> RegisterId {
        match pointer {
            Operand::Register(register) => register,
            _ => {
                let ty = self.pointer_to(pointee);
                let register = self.temporary(ty);
                self.assign(register, heapwise_ir::Expression::Operand(pointer));
                register
            }
        }
    }
}
