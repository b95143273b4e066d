//! The children of an expression.

use rucc_sema::{DeclId, ExprId, ExprKind, Tast};

/// Calls `visit` on the direct subexpressions of `expr`. The statement of a statement expression and the initializer of
/// a compound literal are not among them: see [`for_each_init`].
pub(crate) fn for_each_child(tast: &Tast, expr: ExprId, visit: &mut dyn FnMut(ExprId)) {
    match tast[expr].kind {
        ExprKind::Error
        | ExprKind::Const(_)
        | ExprKind::Str(_)
        | ExprKind::Decl(_)
        | ExprKind::CompoundLiteral(_)
        | ExprKind::StmtExpr(_)
        | ExprKind::LabelAddr(_)
        | ExprKind::Unreachable
        | ExprKind::Trap
        | ExprKind::FrameAddress { .. }
        | ExprKind::ThreadPointer
        | ExprKind::SpEntry
        | ExprKind::CpuModel { .. }
        | ExprKind::ApplyArgs => {}
        ExprKind::Member { base, .. } => visit(base),
        ExprKind::Subscript { base, index } => {
            visit(base);
            visit(index);
        }
        ExprKind::Call { callee, args } => {
            visit(callee);
            tast[args].iter().copied().for_each(visit);
        }
        ExprKind::Unary { operand, .. }
        | ExprKind::Cast(operand)
        | ExprKind::Convert { operand, .. }
        | ExprKind::ConvertVector { operand }
        | ExprKind::Abs { operand }
        | ExprKind::ByteSwap { operand }
        | ExprKind::BitCount { operand, .. } => visit(operand),
        ExprKind::Binary { lhs, rhs, .. } | ExprKind::Assign { lhs, rhs, .. } | ExprKind::Comma { lhs, rhs } => {
            visit(lhs);
            visit(rhs);
        }
        ExprKind::Cond { cond, then, otherwise } => {
            visit(cond);
            visit(then);
            visit(otherwise);
        }
        ExprKind::VaArg { list } | ExprKind::VaStart { list } | ExprKind::VaEnd { list } => visit(list),
        ExprKind::VaCopy { dst, src } => {
            visit(dst);
            visit(src);
        }
        ExprKind::Classify { lhs, rhs, .. }
        | ExprKind::Sign { lhs, rhs, .. }
        | ExprKind::Elementwise { lhs, rhs, .. } => {
            visit(lhs);
            rhs.into_iter().for_each(visit);
        }
        ExprKind::FpClassify { value, answers } => {
            visit(value);
            tast[answers].iter().copied().for_each(visit);
        }
        ExprKind::Complex { real, imag } => {
            visit(real);
            visit(imag);
        }
        ExprKind::Shuffle { lhs, rhs, mask } => {
            visit(lhs);
            rhs.into_iter().for_each(&mut *visit);
            visit(mask);
        }
        ExprKind::ShuffleVector { operands } => tast[operands].iter().copied().for_each(visit),
        ExprKind::Overflow { args, .. } | ExprKind::Atomic { args, .. } => tast[args].iter().copied().for_each(visit),
        ExprKind::Expect { value, hint, .. } => {
            visit(value);
            visit(hint);
        }
        ExprKind::Prefetch { address, .. } | ExprKind::ObjectSize { address, .. } => visit(address),
        ExprKind::TimeStamp { aux } => aux.into_iter().for_each(visit),
        ExprKind::Eflags { value } => value.into_iter().for_each(visit),
        ExprKind::XState { address, mask, .. } => {
            visit(address);
            visit(mask);
        }
        ExprKind::Apply { function, args, .. } => {
            visit(function);
            visit(args);
        }
        ExprKind::ConstantP { value } => visit(value),
        ExprKind::Alloca { size } => visit(size),
        ExprKind::Jump { buffer, .. } => visit(buffer),
    }
}

/// Calls `visit` on the values that the initializer of a declaration stores.
pub(crate) fn for_each_init(tast: &Tast, decl: DeclId, visit: &mut dyn FnMut(ExprId)) {
    if let Some(init) = tast[decl].init {
        tast[init].iter().for_each(|entry| visit(entry.value));
    }
}
