//! The eleven instructions.

use super::Verifier;
use crate::function::{Body, Function};
use crate::ids::{RegisterId, TypeId};
use crate::instruction::{Callee, Condition, CopySource, Extent, Instruction, Place, ShapeKind, ShapePredicate, View};
use crate::path::{Index, Path, Step};
use crate::types::{BitRange, Type};
use crate::value::{BinaryOperator, Expression, Operand, UnaryOperator};

impl<'p> Verifier<'p> {
    pub(super) fn instruction(&mut self, function: &'p Function, instruction: &'p Instruction) {
        match instruction {
            Instruction::Assign { target, value } => {
                if let Some(ty) = self.target(function, *target) {
                    self.expression(ty, value);
                }
            }
            Instruction::Load { target, place } => {
                self.scalar_place(place);
                if let Some(ty) = self.target(function, *target)
                    && self.program.types.contains(place.ty)
                    && !self.fits(place.ty, ty)
                {
                    self.problem(format!("loads {} into a register of type {}", self.name(place.ty), self.name(ty)));
                }
            }
            Instruction::Store { place, value } => {
                if self.scalar_place(place) {
                    self.operand(*value, place.ty, "what is stored");
                }
            }
            Instruction::Copy { place, source, extent } => self.copy(place, source, *extent),
            Instruction::Alloc { target, bytes, align, view, storage: _, contents: _, failure: _ } => {
                self.integer(*bytes, "the size");
                match align {
                    Some(Operand::Int(align)) => {
                        self.alignment(u64::try_from(*align).ok().or(Some(0)), "fresh storage")
                    }
                    Some(align) => self.integer(*align, "the alignment"),
                    None => {}
                }
                if let Some(ty) = self.target(function, *target)
                    && !self.is_pointer(ty)
                {
                    self.problem(format!("an address goes into a register of type {}", self.name(ty)));
                }
                if let Some(View { element, count, .. }) = view {
                    self.integer(*count, "the number of elements");
                    if self.type_exists(*element, "the view") && self.program.stride_of(*element).is_none() {
                        self.problem(format!("the view {} has no size", self.name(*element)));
                    }
                }
            }
            Instruction::Free { pointer } => self.pointer(*pointer, "what is freed"),
            Instruction::End { pointer } => self.pointer(*pointer, "what ends"),
            Instruction::Assume(condition) | Instruction::Assert(condition) => self.condition(condition),
            Instruction::Call { target, callee, arguments } => self.call(function, *target, *callee, arguments),
            Instruction::Unsupported(_) => {}
        }
    }

    /// The type of the register written.
    fn target(&mut self, function: &Function, target: RegisterId) -> Option<TypeId> {
        let ty = function.registers.get(target).map(|register| register.ty);
        if ty.is_none() {
            self.problem(format!("{target} does not exist"));
        }
        ty.filter(|ty| self.program.types.contains(*ty))
    }

    fn expression(&mut self, target: TypeId, value: &Expression) {
        match value {
            Expression::Operand(operand) => self.operand(*operand, target, "the register"),
            Expression::AddPath { base, path } | Expression::SubtractPath { base, path } => {
                self.pointer(*base, "the base");
                self.path(path);
                self.result_is_pointer(target);
            }
            Expression::AddBytes { base, bytes } => {
                self.pointer(*base, "the base");
                self.integer(*bytes, "the offset");
                self.result_is_pointer(target);
            }
            Expression::AddIndex { base, index, element } => {
                self.pointer(*base, "the base");
                self.integer(*index, "the index");
                self.stride(*element);
                self.result_is_pointer(target);
            }
            Expression::PointerDifference { left, right, element } => {
                self.pointer(*left, "the left operand");
                self.pointer(*right, "the right operand");
                self.stride(*element);
                if !matches!(self.ty(target), Some(Type::Int(_))) {
                    self.problem(format!("a difference goes into a register of type {}", self.name(target)));
                }
            }
            Expression::Unary { operator, ty, value } => {
                let allowed = match (operator, self.ty(*ty)) {
                    (_, Some(Type::Int(_))) => true,
                    (UnaryOperator::Negate, Some(Type::Float(_))) => true,
                    (UnaryOperator::Negate | UnaryOperator::Complement, _) => false,
                };
                self.operation(allowed, *ty, target);
                self.operand(*value, *ty, "the operand");
            }
            Expression::Binary { operator, ty, left, right } => {
                let arithmetic = matches!(
                    operator,
                    BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply | BinaryOperator::Divide
                );
                let allowed = match self.ty(*ty) {
                    Some(Type::Int(_)) => true,
                    Some(Type::Float(_)) => arithmetic,
                    _ => false,
                };
                self.operation(allowed, *ty, target);
                self.operand(*left, *ty, "the left operand");
                match operator {
                    BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => self.integer(*right, "the shift"),
                    _ => self.operand(*right, *ty, "the right operand"),
                }
            }
            Expression::Convert { from, to, value } => {
                if !self.type_exists(*from, "the operand") || !self.type_exists(*to, "the result") {
                    return;
                }
                self.operand(*value, *from, "the operand");
                if !self.is_scalar(*to) || !self.fits(*to, target) {
                    self.problem(format!("{} goes into a register of type {}", self.name(*to), self.name(target)));
                }
            }
            Expression::Nondet { ty } => {
                if self.type_exists(*ty, "the input") && (!self.is_scalar(*ty) || !self.fits(*ty, target)) {
                    self.problem(format!("{} goes into a register of type {}", self.name(*ty), self.name(target)));
                }
            }
            Expression::Uninitialised => {}
        }
    }

    fn operation(&mut self, allowed: bool, ty: TypeId, target: TypeId) {
        if !self.type_exists(ty, "the operation") {
            return;
        }
        if !allowed {
            self.problem(format!("there is no such operation on {}", self.name(ty)));
        } else if !self.fits(ty, target) {
            self.problem(format!("{} goes into a register of type {}", self.name(ty), self.name(target)));
        }
    }

    fn result_is_pointer(&mut self, target: TypeId) {
        if !self.is_pointer(target) {
            self.problem(format!("a pointer goes into a register of type {}", self.name(target)));
        }
    }

    fn stride(&mut self, element: TypeId) {
        if self.type_exists(element, "the element") && self.program.stride_of(element).is_none() {
            self.problem(format!("the element {} has no size", self.name(element)));
        }
    }

    /// The type and bits at the end of the path.
    fn path(&mut self, path: &Path) -> Option<(TypeId, Option<BitRange>)> {
        for step in &path.steps {
            match step {
                Step::Index(Index::Operand(operand)) => self.integer(*operand, "the index"),
                Step::Index(Index::Constant(_)) => {}
                Step::Field(record, _) => {
                    if !self.program.records.is_valid(*record) {
                        self.problem(format!("{record} does not exist"));
                        return None;
                    }
                }
            }
        }
        if !self.type_exists(path.view, "the view") {
            return None;
        }
        let resolved = self.program.resolve(path);
        if resolved.is_none() {
            self.problem(format!("the path leads nowhere within {}", self.name(path.view)));
        }
        resolved.map(|resolved| (resolved.ty, resolved.bits))
    }

    /// Whether the type of the place is known; problems if it is not what its path leads to.
    fn place(&mut self, place: &Place) -> bool {
        self.pointer(place.base, "the base");
        let Some((ty, bits)) = self.path(&place.path) else { return false };
        if !self.type_exists(place.ty, "the place") {
            return false;
        }
        if ty != place.ty {
            self.problem(format!("the path leads to {}, not to {}", self.name(ty), self.name(place.ty)));
        }
        if bits != place.bits {
            self.problem("the bits of the place are not those of the field");
        }
        true
    }

    fn scalar_place(&mut self, place: &Place) -> bool {
        let known = self.place(place);
        if known && !self.is_scalar(place.ty) {
            self.problem(format!("{} is no scalar", self.name(place.ty)));
            return false;
        }
        known
    }

    fn copy(&mut self, place: &Place, source: &CopySource, extent: Extent) {
        self.place(place);
        match source {
            CopySource::Place(source) => {
                self.place(source);
            }
            CopySource::Fill(value) => self.integer(*value, "the byte"),
            CopySource::Members => {
                if !matches!(extent, Extent::Type(_)) {
                    self.problem("there are no members without a type");
                }
            }
            CopySource::Nondet => {}
        }
        match extent {
            Extent::Type(ty) => {
                if self.type_exists(ty, "the extent") && self.program.size_of(ty).is_none() {
                    self.problem(format!("the extent {} has no size", self.name(ty)));
                }
            }
            Extent::Bytes(bytes) => self.integer(bytes, "the extent"),
            Extent::Common => {
                if !matches!(source, CopySource::Place(_)) {
                    self.problem("there is no common extent without a source object");
                }
            }
        }
    }

    fn call(&mut self, function: &Function, target: Option<RegisterId>, callee: Callee, arguments: &[Operand]) {
        let result = target.map(|target| self.target(function, target));
        let callee = match callee {
            Callee::Direct(callee) => match self.program.functions.get(callee) {
                Some(callee) => callee,
                None => return self.problem(format!("{callee} does not exist")),
            },
            Callee::Indirect(pointer) => {
                self.pointer(pointer, "the function");
                for argument in arguments {
                    self.operand_exists(*argument);
                }
                return;
            }
        };
        let expected = callee.parameters.len();
        let more_allowed = callee.variadic && matches!(callee.body, Body::Extern(_));
        if arguments.len() < expected || (arguments.len() > expected && !more_allowed) {
            self.problem(format!("`{}` has {expected} parameters, but is given {}", callee.name, arguments.len()));
        }
        for (index, argument) in arguments.iter().enumerate() {
            let parameter = callee.parameters.get(index).and_then(|parameter| callee.registers.get(*parameter));
            match parameter {
                Some(parameter) => self.operand(*argument, parameter.ty, &format!("argument {}", index + 1)),
                None => {
                    self.operand_exists(*argument);
                }
            }
        }
        if let Some(result) = result {
            let given = callee.result.and_then(|register| callee.registers.get(register)).map(|register| register.ty);
            match (given, result) {
                (None, _) => self.problem(format!("`{}` returns nothing", callee.name)),
                (Some(from), Some(to)) if !self.fits(from, to) => {
                    self.problem(format!("{} goes into a register of type {}", self.name(from), self.name(to)));
                }
                (Some(_), _) => {}
            }
        }
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::True | Condition::False => {}
            Condition::Compare { ty, left, right, .. } | Condition::NotCompare { ty, left, right, .. } => {
                if self.type_exists(*ty, "the comparison") {
                    self.operand(*left, *ty, "the left operand");
                    self.operand(*right, *ty, "the right operand");
                }
            }
            Condition::Shape(shape) => self.shape_predicate(shape),
        }
    }

    fn shape_predicate(&mut self, shape: &ShapePredicate) {
        let (arguments, links) = match shape.kind {
            ShapeKind::Reach | ShapeKind::Disjoint => (2, 1..=usize::MAX),
            ShapeKind::Acyclic | ShapeKind::Tree => (1, 1..=usize::MAX),
            ShapeKind::Cyclic => (1, 1..=1),
            ShapeKind::DoublyLinked => (1, 2..=2),
            ShapeKind::TreeWithParent => (1, 2..=usize::MAX),
        };
        if shape.arguments.len() != arguments {
            self.problem(format!("the shape speaks of {} pointers, not of {arguments}", shape.arguments.len()));
        }
        if !links.contains(&shape.links.len()) {
            self.problem(format!("the shape cannot have {} links", shape.links.len()));
        }
        for argument in &shape.arguments {
            self.pointer(*argument, "the argument of a shape");
        }
        if !self.program.records.is_valid(shape.record) {
            return self.problem(format!("{} does not exist", shape.record));
        }
        for link in &shape.links {
            if !matches!(self.ty(link.view), Some(Type::Record(record)) if *record == shape.record) {
                self.problem("a link starts from another record");
            }
            if let Some((ty, _)) = self.path(link)
                && !self.is_pointer(ty)
            {
                self.problem(format!("a link is of type {}, no pointer", self.name(ty)));
            }
        }
    }
}
