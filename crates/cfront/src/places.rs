//! Lvalues: where an expression's object is.

use crate::adapter::{
    ArrayLen, Conversion, DeclId, ExprId, ExprKind, TypeId, TypeKind, UnaryOp, VlaId, has_effects, reverse_ordered,
};
use crate::lowering::{Local, Lowering};
use crate::types::is_within;
use heapwise_ir::{
    BinaryOperator, BitRange, Construct, Expression, Index, IntType, Operand, Path, Place, RegisterId, Step, Type,
    TypeId as IrTypeId, UnsupportedReason,
};
use smallvec::SmallVec;

/// Where an lvalue is.
#[derive(Clone, Debug)]
pub(crate) enum Lvalue {
    Register(RegisterId),
    Memory(Place),
}

/// The place of type `ty` that a pointer points to.
pub(crate) fn pointed(base: Operand, ty: IrTypeId) -> Place {
    Place { base, path: Path { view: ty, steps: SmallVec::new() }, ty, bits: None }
}

impl Lowering<'_, '_, '_> {
    /// The place of an lvalue (or of an rvalue aggregate, in a temporary).
    pub(crate) fn place(&mut self, expr: ExprId) -> Lvalue {
        match self.source.tast[expr].kind {
            ExprKind::Decl(decl) => self.place_of_decl(decl),
            ExprKind::Str(literal) => {
                let span = self.source.tast.expr_span(expr);
                let global = self.unit.string(self.link, literal, span);
                let ty = self.type_of(expr);
                Lvalue::Memory(pointed(Operand::Global(global), ty))
            }
            ExprKind::Member { base, field } => self.place_of_member(expr, base, field),
            ExprKind::Subscript { base, index } => Lvalue::Memory(self.place_of_subscript(expr, base, index)),
            ExprKind::Unary { op: UnaryOp::Deref, operand } => {
                let pointer = self.value(operand);
                let ty = self.type_of(expr);
                Lvalue::Memory(pointed(pointer, ty))
            }
            ExprKind::CompoundLiteral(decl) => self.place_of_literal(decl),
            ExprKind::Comma { lhs, rhs } => {
                self.effect(lhs);
                self.place(rhs)
            }
            ExprKind::Unary { op: op @ (UnaryOp::Real | UnaryOp::Imag), operand } => {
                self.place_of_part(expr, op, operand)
            }
            // Reading an aggregate does not move it.
            ExprKind::Convert { kind: Conversion::Lvalue, operand } => self.place(operand),
            _ => Lvalue::Memory(self.aggregate(expr)),
        }
    }

    /// The place in memory of an lvalue that cannot be in a register.
    pub(crate) fn memory(&mut self, expr: ExprId) -> Place {
        match self.place(expr) {
            Lvalue::Memory(place) => place,
            Lvalue::Register(_) => {
                let ty = self.type_of(expr);
                self.unsupported(Construct::AddressOfRegister);
                let pointer = self.pointer_to(ty);
                let base = self.any(pointer, None);
                pointed(base, ty)
            }
        }
    }

    fn place_of_decl(&mut self, decl: DeclId) -> Lvalue {
        if let Some(&local) = self.locals.get(&decl) {
            return match local {
                Local::Register(register) => Lvalue::Register(register),
                Local::Memory(address) => {
                    let ty = self.ty(self.source.tast[decl].ty);
                    Lvalue::Memory(pointed(Operand::Register(address), ty))
                }
            };
        }
        let ty = self.ty(self.source.tast[decl].ty);
        if self.unit.is_static(decl) {
            let base = self.global_address(decl);
            return Lvalue::Memory(pointed(base, ty));
        }
        // A local of an enclosing function (or one that no statement declared, after an error).
        self.unsupported(UnsupportedReason::NestedFunction);
        let pointer = self.pointer_to(ty);
        Lvalue::Memory(pointed(self.any(pointer, None), ty))
    }

    /// The address of an object with static storage.
    pub(crate) fn global_address(&mut self, decl: DeclId) -> Operand {
        if self.unit.may_be_absent(self.link, decl) {
            self.unsupported(Construct::WeakObject { name: self.unit.name(decl).to_owned() });
        }
        Operand::Global(self.unit.global(self.link, decl))
    }

    fn place_of_literal(&mut self, decl: DeclId) -> Lvalue {
        if self.unit.is_static(decl) {
            let ty = self.ty(self.source.tast[decl].ty);
            let base = Operand::Global(self.unit.global(self.link, decl));
            return Lvalue::Memory(pointed(base, ty));
        }
        self.initialize_local(decl);
        self.place_of_decl(decl)
    }

    fn place_of_member(&mut self, expr: ExprId, base: ExprId, field: u32) -> Lvalue {
        // `p->f` is a member of `*p`: the view is the record.
        let mut place = match self.place(base) {
            Lvalue::Memory(place) => place,
            Lvalue::Register(_) => return self.place(base),
        };
        let Type::Record(record) = *self.get(place.ty) else {
            let ty = self.type_of(expr);
            self.unsupported(Construct::MemberOfNoRecord);
            place.ty = ty;
            return Lvalue::Memory(place);
        };
        let Some(member) = self.link.program.records[record].fields().get(field as usize) else {
            let ty = self.type_of(expr);
            self.unsupported(Construct::MemberWithoutLayout);
            place.ty = ty;
            return Lvalue::Memory(place);
        };
        place.ty = member.ty;
        place.bits = member.bits;
        place.path.steps.push(Step::Field(record, field));
        // A packed bit-field may cover more bytes than any unit has.
        let is_within = |bits: BitRange| self.size(place.ty).is_some_and(|bytes| is_within(bits, bytes));
        if !place.bits.is_none_or(is_within) {
            self.unsupported(Construct::MemberWithoutLayout);
        }
        if reverse_ordered(&self.source.tast, &self.source.types, expr) {
            self.unsupported(Construct::MemberReversed);
        }
        Lvalue::Memory(place)
    }

    fn place_of_subscript(&mut self, expr: ExprId, base: ExprId, index: ExprId) -> Place {
        let element = self.type_of(expr);
        if self.size(element).is_none() && self.variable_length(self.source.tast[expr].ty).is_some() {
            let pointer = self.value(base);
            let index = self.index_value(index);
            let moved = self.add_variable_index(pointer, index, self.source.tast[expr].ty, None);
            return pointed(moved, element);
        }
        // An array that decayed just here keeps its path.
        if let ExprKind::Convert { kind: Conversion::ArrayDecay, operand } = self.source.tast[base].kind
            && let Lvalue::Memory(mut place) = self.place(operand)
            && matches!(self.get(place.ty), Type::Array(inner, _) if *inner == element)
        {
            let index = self.index_value(index);
            place.path.steps.push(Step::Index(as_index(index)));
            place.ty = element;
            return place;
        }
        let pointer = self.value(base);
        let index = self.index_value(index);
        if index == Operand::ZERO {
            return pointed(pointer, element);
        }
        let view = self.intern(Type::Array(element, None));
        let steps = SmallVec::from_slice(&[Step::Index(as_index(index))]);
        Place { base: pointer, path: Path { view, steps }, ty: element, bits: None }
    }

    fn place_of_part(&mut self, expr: ExprId, op: UnaryOp, operand: ExprId) -> Lvalue {
        let ty = self.type_of(expr);
        match self.place(operand) {
            Lvalue::Memory(mut place) if matches!(self.get(place.ty), Type::Array(..)) => {
                let index = if op == UnaryOp::Real { 0 } else { 1 };
                place.path.steps.push(Step::Index(Index::Constant(index)));
                place.ty = ty;
                Lvalue::Memory(place)
            }
            other => other,
        }
    }

    /// An index as a signed integer: unsigned arithmetic that wrapped is a step back.
    pub(crate) fn index_value(&mut self, index: ExprId) -> Operand {
        let value = self.value(index);
        let ty = self.type_of(index);
        let widest = IntType::Unsigned(self.pointer_bytes());
        if self.int_type(ty) != Some(widest) {
            return value;
        }
        if let Operand::Int(value) = value {
            return Operand::Int(crate::lowering::wrap(IntType::Signed(self.pointer_bytes()), value));
        }
        if !self.may_wrap(index) {
            return value;
        }
        let to = self.difference_type();
        self.compute(to, None, Expression::Convert { from: ty, to, value })
    }

    /// Whether an unsigned expression is arithmetic that may have gone below zero.
    fn may_wrap(&self, expr: ExprId) -> bool {
        match self.source.tast[expr].kind {
            ExprKind::Binary { .. } | ExprKind::Unary { .. } | ExprKind::Cond { .. } => true,
            ExprKind::Convert { kind: Conversion::Arithmetic, operand } | ExprKind::Cast(operand) => {
                let types = &self.source.types;
                let from = crate::adapter::integer_info(types, self.source.tast[operand].ty, &self.source.target);
                from.is_some_and(|info| info.signed) || self.may_wrap(operand)
            }
            _ => false,
        }
    }

    /// The address of a place: the base itself, or the base plus the path.
    pub(crate) fn address(&mut self, place: Place, destination: Option<RegisterId>) -> Operand {
        if place.path.steps.is_empty() {
            return self.deliver(place.base, destination);
        }
        let ty = self.pointer_to(place.ty);
        self.compute(ty, destination, Expression::AddPath { base: place.base, path: place.path })
    }

    /// The variable-length array type at the top of `ty`, if it is one.
    pub(crate) fn variable_length(&self, ty: TypeId) -> Option<(TypeId, Option<VlaId>, u64)> {
        let types = &self.source.types;
        match types.kind(types.canonical(ty)) {
            TypeKind::Array { elem, len: ArrayLen::Variable(vla) } => Some((elem, Some(vla), 0)),
            TypeKind::Array { elem, len: ArrayLen::Fixed(count) } if self.variable_length(elem).is_some() => {
                Some((elem, None, count))
            }
            _ => None,
        }
    }

    /// The size in bytes of a type, computed where it has variable-length arrays in it.
    pub(crate) fn runtime_size(&mut self, ty: TypeId) -> Operand {
        if let Some((element, vla, count)) = self.variable_length(ty) {
            let ty = self.size_type();
            // C leaves the order open; gcc begins with the last dimension.
            let mut size = self.runtime_size(element);
            let count = match vla.map(|vla| self.source.tast.vla_size(vla)) {
                Some(count) => {
                    if has_effects(&self.source.tast, &self.source.types, count) && matches!(size, Operand::Register(_))
                    {
                        size = self.compute(ty, None, Expression::Operand(size));
                    }
                    self.value(count)
                }
                None => Operand::Int(i128::from(count)),
            };
            let count = self.coerce(count, ty);
            return self.binary(BinaryOperator::Multiply, ty, count, size, None);
        }
        let ty = self.ty(ty);
        match self.link.program.stride_of(ty) {
            Some(size) => Operand::Int(i128::from(size)),
            None => {
                self.unsupported(Construct::IncompleteSize);
                Operand::Int(1)
            }
        }
    }

    /// `pointer + index` where the element has a size that is only known at run time.
    pub(crate) fn add_variable_index(
        &mut self,
        pointer: Operand,
        index: Operand,
        element: TypeId,
        destination: Option<RegisterId>,
    ) -> Operand {
        let size = self.runtime_size(element);
        let ty = self.difference_type();
        let (index, size) = (self.coerce(index, ty), self.coerce(size, ty));
        let bytes = self.binary(BinaryOperator::Multiply, ty, index, size, None);
        let element = self.ty(element);
        let pointer_type = self.pointer_to(element);
        self.compute(pointer_type, destination, Expression::AddBytes { base: pointer, bytes })
    }
}

fn as_index(operand: Operand) -> Index {
    match operand {
        Operand::Int(value) => match i64::try_from(value) {
            Ok(value) => Index::Constant(value),
            Err(_) => Index::Operand(operand),
        },
        _ => Index::Operand(operand),
    }
}
