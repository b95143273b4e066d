//! The children of an expression, and all nodes of a tree.

use rucc_ast::UnaryOp;
use rucc_diag::Span;
use rucc_sema::{DeclId, ExprId, ExprKind, Tast};
use rucc_types::{Qualifiers, Types};
use rustc_hash::FxHashSet;

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

/// Every declaration of a file, those within functions too.
pub(crate) fn all_declarations(tast: &Tast) -> impl Iterator<Item = DeclId> {
    (0..tast.counts().decls).map(DeclId::from_usize)
}

/// Expressions that were checked together with those that a function uses (`used`; its text is `within`) and are not part of what
/// it does: the tree keeps them, and nothing in it leads to them. Trees are made in the order of the text.
pub(crate) fn leftovers(tast: &Tast, used: &FxHashSet<ExprId>, within: Span) -> impl Iterator<Item = ExprId> {
    let indices = || used.iter().map(|expr| expr.index());
    let first = indices().min().unwrap_or(tast.counts().exprs);
    let last = indices().max().unwrap_or(0);
    let is_here = move |index: &usize| {
        let span = tast.expr_span(ExprId::from_usize(*index));
        *index <= last || (within.lo <= span.lo && span.hi <= within.hi)
    };
    (first..tast.counts().exprs).take_while(is_here).map(ExprId::from_usize).filter(|expr| !used.contains(expr))
}

/// Whether an expression does more than give its value.
pub(crate) fn has_effects(tast: &Tast, types: &Types, expr: ExprId) -> bool {
    match tast[expr].kind {
        ExprKind::Unary { op: UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec, .. }
        | ExprKind::Assign { .. }
        | ExprKind::Call { .. }
        | ExprKind::CompoundLiteral(_)
        | ExprKind::StmtExpr(_)
        | ExprKind::VaArg { .. }
        | ExprKind::VaStart { .. }
        | ExprKind::VaEnd { .. }
        | ExprKind::VaCopy { .. }
        | ExprKind::Atomic { .. }
        | ExprKind::Overflow { .. }
        | ExprKind::Alloca { .. }
        | ExprKind::Jump { .. }
        | ExprKind::Apply { .. }
        | ExprKind::Unreachable
        | ExprKind::Trap => true,
        _ if types.quals(tast[expr].ty).has(Qualifiers::VOLATILE) => true,
        _ => {
            let mut found = false;
            for_each_child(tast, expr, &mut |child| found |= has_effects(tast, types, child));
            found
        }
    }
}
