//! Pointer arithmetic and pointer casts, `container_of` among them.
//!
//! `container_of(p, T, m)` arrives as a pointer minus a constant between casts. The casts and constants are stripped
//! down to the root pointer; a negative sum of bytes is a path of the record cast to, a positive one a path of the root's
//! record. Where no field lies at the offset, bytes are kept.

use crate::adapter::{
    BinaryOp, Const, Conversion, Eval, ExprId, ExprKind, TypeId, TypeKind, Types, UnaryOp, for_each_child,
};
use crate::lowering::Lowering;
use heapwise_ir::{
    BinaryOperator, Construct, Expression, Index, IntType, Operand, Path, Program, RegisterId, Step, Type,
    TypeId as IrTypeId, UnaryOperator,
};
use smallvec::SmallVec;

/// The type that a pointer type points to (`void` for anything else).
pub(crate) fn pointee_of(types: &Types, ty: TypeId) -> TypeId {
    match types.kind(types.canonical(ty)) {
        TypeKind::Pointer(pointee) => pointee,
        TypeKind::Atomic(inner) => pointee_of(types, inner),
        _ => types.void(),
    }
}

/// A pointer expression without its casts and constant steps.
struct Root {
    expr: ExprId,
    bytes: i64,
}

impl Lowering<'_, '_, '_> {
    /// `pointer + index` or `pointer - index` as the text has it.
    pub(crate) fn pointer_step(
        &mut self,
        expr: ExprId,
        pointer: ExprId,
        index: ExprId,
        negative: bool,
        destination: Option<RegisterId>,
    ) -> Operand {
        let ty = self.type_of(expr);
        let element = pointee_of(&self.source.types, self.source.tast[pointer].ty);
        // `array + i` keeps the path of the array.
        let base = self.value(pointer);
        let index = self.index_value(index);
        self.at(expr);
        self.step(base, index, negative, element, ty, destination)
    }

    /// `base + index` (or minus) in units of `element`.
    pub(crate) fn step(
        &mut self,
        base: Operand,
        index: Operand,
        negative: bool,
        element: TypeId,
        ty: IrTypeId,
        destination: Option<RegisterId>,
    ) -> Operand {
        let index = if negative {
            let difference = self.difference_type();
            let index = self.coerce(index, difference);
            self.unary_operation(UnaryOperator::Negate, difference, index, None)
        } else {
            index
        };
        if index == Operand::ZERO {
            return base;
        }
        if self.variable_length(element).is_some() {
            return self.add_variable_index(base, index, element, destination);
        }
        let element = self.ty(element);
        let value = match self.get(element) {
            Type::Void | Type::Function(_) => Expression::AddBytes { base, bytes: index },
            _ if self.size(element).is_none() => {
                self.unsupported(Construct::IncompleteArithmetic);
                Expression::AddBytes { base, bytes: index }
            }
            _ => Expression::AddIndex { base, index, element },
        };
        self.compute(ty, destination, value)
    }

    pub(crate) fn pointer_difference(
        &mut self,
        expr: ExprId,
        lhs: ExprId,
        rhs: ExprId,
        destination: Option<RegisterId>,
    ) -> Operand {
        let ty = self.type_of(expr);
        let pointee = pointee_of(&self.source.types, self.source.tast[lhs].ty);
        let left = self.value(lhs);
        let right = self.value(rhs);
        self.at(expr);
        let byte = self.byte_type();
        if self.variable_length(pointee).is_some() {
            let bytes = self.compute(ty, None, Expression::PointerDifference { left, right, element: byte });
            let size = self.runtime_size(pointee);
            let size = self.coerce(size, ty);
            return self.binary(BinaryOperator::Divide, ty, bytes, size, destination);
        }
        let element = self.ty(pointee);
        let element = if self.size(element).is_none_or(|size| size == 0) { byte } else { element };
        self.compute(ty, destination, Expression::PointerDifference { left, right, element })
    }

    /// Whether an integer expression is a pointer plus constants: its cast back to a pointer keeps its path.
    pub(crate) fn is_integer_of_pointer(&mut self, expr: ExprId) -> bool {
        if !matches!(
            self.source.tast[expr].kind,
            ExprKind::Cast(_) | ExprKind::Convert { .. } | ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, .. }
        ) {
            return false;
        }
        let root = self.root_of(expr);
        let ty = self.type_of(root.expr);
        root.expr != expr && self.is_pointer(ty)
    }

    /// A cast to a pointer type.
    pub(crate) fn pointer_cast(&mut self, expr: ExprId, operand: ExprId, destination: Option<RegisterId>) -> Operand {
        let to = self.type_of(expr);
        let target = self.pointee(to);
        let root = self.root_of(operand);
        let root_type = self.type_of(root.expr);
        if !self.is_pointer(root_type) {
            let from = self.type_of(operand);
            let value = self.value(operand);
            self.at(expr);
            return self.convert(value, from, to, destination);
        }
        if root.bytes == 0 {
            if matches!(self.source.tast[root.expr].kind, ExprKind::Call { .. }) {
                self.view_hint = target.filter(|&target| self.size(target).is_some_and(|size| size > 0));
            }
            return self.value_in(root.expr, destination);
        }
        let base = self.value(root.expr);
        self.at(expr);
        let from = self.pointee_of_root(root.expr, root_type);
        let program = &self.link.program;
        let path = if root.bytes < 0 {
            target.and_then(|target| path_at(program, target, root.bytes.unsigned_abs(), from))
        } else {
            from.and_then(|from| path_at(program, from, root.bytes.unsigned_abs(), target))
        };
        let value = match path {
            Some(path) if root.bytes < 0 => Expression::SubtractPath { base, path },
            Some(path) => Expression::AddPath { base, path },
            None => Expression::AddBytes { base, bytes: Operand::Int(i128::from(root.bytes)) },
        };
        self.compute(to, destination, value)
    }

    /// What a root pointer points to; a `void *` variable points to what its initializer did (Linux's `container_of`).
    fn pointee_of_root(&mut self, root: ExprId, ty: IrTypeId) -> Option<IrTypeId> {
        let pointee = self.pointee(ty)?;
        if !matches!(self.get(pointee), Type::Void) {
            return Some(pointee);
        }
        let ExprKind::Convert { kind: Conversion::Lvalue, operand } = self.source.tast[root].kind else {
            return Some(pointee);
        };
        let ExprKind::Decl(decl) = self.source.tast[operand].kind else { return Some(pointee) };
        let initial = match self.source.tast[decl].init {
            Some(init) => self.source.tast[init].first().map(|entry| entry.value),
            None => None,
        };
        initial.and_then(|initial| self.pointee_before_casts(initial)).or(Some(pointee))
    }

    /// Strips casts between pointers (and integers as wide) and constant steps.
    fn root_of(&mut self, mut expr: ExprId) -> Root {
        let mut bytes = 0i64;
        loop {
            let next = match self.source.tast[expr].kind {
                ExprKind::Cast(operand)
                | ExprKind::Convert { kind: Conversion::Pointer | Conversion::Arithmetic, operand } => {
                    let ty = self.type_of(expr);
                    let inner = self.type_of(operand);
                    let stops = bytes != 0 && self.is_pointer_to_complete_record(ty);
                    (!stops && self.is_address(inner) && self.is_address(ty)).then_some((operand, 0))
                }
                ExprKind::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), lhs, rhs } => {
                    let ty = self.type_of(lhs);
                    match (self.is_address(ty), self.constant_int(rhs)) {
                        (true, Some(step)) => {
                            let stride = match self.pointee(ty) {
                                Some(pointee) => self.link.program.stride_of(pointee),
                                None => Some(1),
                            };
                            let scaled = stride
                                .and_then(|stride| i64::try_from(stride).ok())
                                .and_then(|stride| i64::try_from(step).ok()?.checked_mul(stride));
                            scaled.map(|scaled| (lhs, if op == BinaryOp::Sub { -scaled } else { scaled }))
                        }
                        _ => None,
                    }
                }
                _ => None,
            };
            match next {
                Some((inner, step)) => {
                    expr = inner;
                    bytes += step;
                }
                None => return Root { expr, bytes },
            }
        }
    }

    fn is_address(&self, ty: IrTypeId) -> bool {
        match self.get(ty) {
            Type::Pointer(_) => true,
            Type::Int(IntType::Signed(bytes) | IntType::Unsigned(bytes)) => *bytes == self.pointer_bytes(),
            _ => false,
        }
    }

    fn is_pointer_to_complete_record(&self, ty: IrTypeId) -> bool {
        self.pointee(ty).is_some_and(|pointee| {
            matches!(self.get(pointee), Type::Record(record) if self.link.program.records[*record].fields.is_some())
        })
    }

    /// The value of an integer expression that is constant. (The checker leaves some unfolded: `&((T *)0)->m`.)
    pub(crate) fn constant_int(&self, expr: ExprId) -> Option<i128> {
        match self.source.tast[expr].kind {
            ExprKind::Const(constant) => match self.source.tast[constant] {
                Const::Int(value) => Some(value),
                _ => None,
            },
            ExprKind::Cast(_)
            | ExprKind::Convert { kind: Conversion::Arithmetic, .. }
            | ExprKind::Unary { op: UnaryOp::Minus | UnaryOp::BitNot | UnaryOp::AddrOf, .. }
            | ExprKind::Binary { .. } => {
                let source = self.source;
                let mut eval = Eval::new(&source.tast, &source.types, &source.target, &source.names);
                match eval.constant(expr) {
                    // The checker takes every address for one that is not null.
                    Ok(Const::Int(_)) if eval.addressed() && self.names_what_may_be_absent(expr) => None,
                    Ok(Const::Int(value)) => Some(value),
                    Ok(Const::Address(address)) if address.base == crate::adapter::Base::Absolute => {
                        Some(address.offset)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a weak object that nobody may define is among what an expression names.
    fn names_what_may_be_absent(&self, expr: ExprId) -> bool {
        if let ExprKind::Decl(decl) = self.source.tast[expr].kind {
            return self.unit.may_be_absent(self.link, decl);
        }
        let mut found = false;
        for_each_child(&self.source.tast, expr, &mut |child| found |= self.names_what_may_be_absent(child));
        found
    }
}

/// The path within `view` to the part at `offset`: the part of type `wanted` if there is one, else the outermost part that
/// starts there.
pub(crate) fn path_at(program: &Program, view: IrTypeId, offset: u64, wanted: Option<IrTypeId>) -> Option<Path> {
    let wanted = wanted.filter(|&wanted| !matches!(program.ty(wanted), Type::Void));
    let mut steps = SmallVec::new();
    if let Some(wanted) = wanted
        && descend(program, view, offset, Wanted::Type(wanted), &mut steps)
    {
        return Some(Path { view, steps });
    }
    steps.clear();
    descend(program, view, offset, Wanted::Outermost, &mut steps).then_some(Path { view, steps })
}

/// The path within `view` to the array of characters that starts at `offset`, however long it is.
pub(crate) fn character_array_at(program: &Program, view: IrTypeId, offset: u64) -> Option<Path> {
    let mut steps = SmallVec::new();
    descend(program, view, offset, Wanted::Characters, &mut steps).then_some(Path { view, steps })
}

/// Which part of those that start at an offset is looked for.
#[derive(Clone, Copy)]
enum Wanted {
    Type(IrTypeId),
    Outermost,
    Characters,
}

fn descend(program: &Program, ty: IrTypeId, offset: u64, wanted: Wanted, steps: &mut SmallVec<[Step; 2]>) -> bool {
    let found = match (wanted, program.ty(ty)) {
        (Wanted::Type(wanted), _) => offset == 0 && ty == wanted,
        (Wanted::Outermost, _) => offset == 0 && !steps.is_empty(),
        (Wanted::Characters, Type::Array(element, _)) => offset == 0 && matches!(program.ty(*element), Type::Int(_)),
        (Wanted::Characters, _) => false,
    };
    if found {
        return true;
    }
    match program.ty(ty) {
        Type::Record(record) => {
            for (index, field) in program.records[*record].fields().iter().enumerate() {
                let open_ended = matches!(program.ty(field.ty), Type::Array(_, None));
                let end = program.size_of(field.ty).map(|size| field.offset.saturating_add(size.max(1)));
                let inside = field.offset <= offset && (open_ended || end.is_some_and(|end| offset < end));
                if field.bits.is_none() && inside {
                    steps.push(Step::Field(*record, index as u32));
                    if descend(program, field.ty, offset - field.offset, wanted, steps) {
                        return true;
                    }
                    steps.pop();
                }
            }
            false
        }
        Type::Array(element, count) => {
            let Some(stride) = program.size_of(*element).filter(|&size| size > 0) else { return false };
            let index = offset / stride;
            if count.is_some_and(|count| index >= count) {
                return false;
            }
            let Ok(constant) = i64::try_from(index) else { return false };
            steps.push(Step::Index(Index::Constant(constant)));
            if descend(program, *element, offset % stride, wanted, steps) {
                return true;
            }
            steps.pop();
            false
        }
        Type::Void | Type::Int(_) | Type::Float(_) | Type::Pointer(_) | Type::Function(_) => false,
    }
}
