//! Instructions resolved to operations.

use super::{Operation, Spot, Stored};
use crate::counters::CounterAccess;
use crate::expressions::{Base, Expressions};
use crate::memory::{CellId, Extent, Memory, Target};
use crate::number::Number;
use heapwise_ir::{
    BinaryOperator, EdgeId, Expression, FunctionId, Instruction, IntType, Operand, Path, Place, RegisterId, Type,
    TypeId,
};
use smallvec::SmallVec;

pub(super) struct Builder<'b, 'p> {
    pub(super) memory: &'b Memory<'p>,
    pub(super) function: FunctionId,
    pub(super) expressions: Expressions,
}

impl Builder<'_, '_> {
    pub(super) fn base(operand: Operand) -> Option<Base> {
        match operand {
            Operand::Register(register) => Some(Base::Register(register)),
            Operand::Global(global) => Some(Base::Global(global)),
            Operand::Int(_) | Operand::Float(_) | Operand::Function(_) => None,
        }
    }

    pub(super) fn spot(&mut self, base: Operand, target: Target, offset: Option<i64>) -> Spot {
        let expression = match (Self::base(base), offset, &target.cells[..]) {
            (Some(base), Some(offset), [cell])
                if !target.unknown && !target.in_pieces && self.memory.cells[*cell].extent != Extent::Folded =>
            {
                Some(self.expressions.add(base, offset, *cell))
            }
            _ => None,
        };
        Spot { base: base.register(), target, expression, counter: CounterAccess::None }
    }

    pub(super) fn constant_path(&self, path: &Path) -> Option<i64> {
        let resolved = self.memory.program.resolve(path)?;
        resolved.indices.is_empty().then_some(resolved.offset)
    }

    pub(super) fn place(&mut self, place: &Place) -> Spot {
        let target = self.memory.place(self.function, place);
        let offset = self.constant_path(&place.path);
        let address = self.memory.pointsto.place(self.memory.program, self.function, place);
        let size = self.memory.program.size_of(place.ty).filter(|_| place.bits.is_none());
        let counter = self.memory.counters.access(self.memory, &address, size);
        Spot { counter, ..self.spot(place.base, target, offset) }
    }

    /// The value of a pointer at a distance from an operand.
    pub(super) fn at(&mut self, base: Operand, offset: i64) -> Spot {
        let mut address = self.memory.operand(self.function, base);
        address.offsets = address.offsets.shifted(offset);
        let size = u64::from(self.memory.program.target.pointer_bytes);
        let target = self.memory.target(&address, Some(size));
        self.spot(base, target, Some(offset))
    }

    /// The cells that hold pointers of the objects that an operand points to, with distances from the operand where they
    /// are known.
    pub(super) fn fields(&mut self, base: Operand) -> Vec<Spot> {
        let address = self.memory.operand(self.function, base);
        let Some(region) = address.region else { return Vec::new() };
        let exact = address.offsets.exact();
        let cells: Vec<CellId> =
            self.memory.of_region(region).filter(|cell| self.memory.cells[*cell].holds_pointer).collect();
        let mut fields = Vec::new();
        for cell in cells {
            let known = &self.memory.cells[cell];
            let offset = exact.map(|start| known.offset - start);
            let target = Target { cells: SmallVec::from_slice(&[cell]), unknown: false, in_pieces: false };
            fields.push(self.spot(base, target, offset));
        }
        fields
    }

    pub(super) fn is_pointer_sized(&self, ty: TypeId) -> bool {
        self.memory.program.size_of(ty) == Some(u64::from(self.memory.program.target.pointer_bytes))
    }

    /// Whether a register may refer to an object.
    pub(super) fn may_point(&self, register: RegisterId) -> bool {
        let value = self.memory.operand(self.function, Operand::Register(register));
        value.region.is_some() || value.unknown
    }

    pub(super) fn operation(&mut self, edge: EdgeId, instruction: &Instruction) -> Operation {
        match instruction {
            Instruction::Assign { target, value } => self.assign(*target, value),
            Instruction::Load { target, place } => {
                let spot = self.place(place);
                Operation::Load { target: *target, place: spot }
            }
            Instruction::Store { place, value } => {
                let spot = self.place(place);
                let value = match *value {
                    Operand::Register(register) if self.may_point(register) => Stored::Register(register),
                    Operand::Int(0) => Stored::Null,
                    Operand::Register(register) => Stored::Number(register),
                    Operand::Int(_) | Operand::Float(_) | Operand::Global(_) | Operand::Function(_) => {
                        Stored::NoCell(number_of(*value))
                    }
                };
                Operation::Store { place: spot, value }
            }
            Instruction::Copy { place, source, extent } => self.copy(place, source, *extent),
            Instruction::Alloc { target, storage, contents, .. } => {
                Operation::Alloc { target: *target, storage: *storage, contents: *contents }
            }
            Instruction::Free { pointer } => match pointer.register() {
                Some(register) => Operation::Free { pointer: register, fields: Vec::new() },
                None => Operation::Skip,
            },
            Instruction::End { pointer } => {
                Operation::End { pointer: pointer.register(), fields: self.fields(*pointer) }
            }
            Instruction::Assume(condition) | Instruction::Assert(condition) => self.assume(condition),
            Instruction::Call { target, callee, arguments } => self.call(edge, *target, *callee, arguments),
            Instruction::Unsupported(_) => Operation::Unsupported,
        }
    }

    pub(super) fn assign(&mut self, target: RegisterId, value: &Expression) -> Operation {
        let plain = |source: Option<RegisterId>, shift: Option<i64>, number: Number| Operation::Copy {
            target,
            source,
            shift,
            number,
        };
        match value {
            Expression::Operand(operand) => plain(operand.register(), Some(0), number_of(*operand)),
            Expression::AddPath { base, path } => plain(base.register(), self.constant_path(path), Number::ANY),
            Expression::SubtractPath { base, path } => {
                plain(base.register(), self.constant_path(path).map(|offset| -offset), Number::ANY)
            }
            Expression::AddBytes { base, bytes } => plain(base.register(), constant(*bytes), Number::ANY),
            Expression::AddIndex { base, index, element } => {
                let stride = self.memory.program.stride_of(*element).and_then(|stride| i64::try_from(stride).ok());
                let shift = constant(*index).zip(stride).and_then(|(index, stride)| index.checked_mul(stride));
                plain(base.register(), shift, Number::ANY)
            }
            Expression::PointerDifference { .. } | Expression::Nondet { .. } | Expression::Uninitialised => {
                plain(None, None, Number::ANY)
            }
            Expression::Unary { value, .. } => self.computed(target, &[*value]),
            Expression::Binary { operator, ty, left, right } => {
                let added = match (operator, left, right) {
                    (BinaryOperator::Add, Operand::Register(source), Operand::Int(by))
                    | (BinaryOperator::Add, Operand::Int(by), Operand::Register(source)) => Some((*source, *by)),
                    (BinaryOperator::Subtract, Operand::Register(source), Operand::Int(by)) => Some((*source, -*by)),
                    _ => None,
                };
                let computed = self.computed(target, &[*left, *right]);
                match (computed, added, self.memory.program.ty(*ty)) {
                    (Operation::Copy { .. }, Some((source, by)), Type::Int(ty)) => {
                        Operation::Add { target, source, by, ty: *ty }
                    }
                    (other, _, _) => other,
                }
            }
            Expression::Convert { from, to, value } => {
                let whole = self.is_pointer_sized(*from) && self.is_pointer_sized(*to);
                if let (Some(source), true) = (value.register(), whole) {
                    return plain(Some(source), Some(0), number_of(*value));
                }
                let types = (self.memory.program.ty(*from), self.memory.program.ty(*to));
                match (self.computed(target, &[*value]), types, value.register()) {
                    // A wider integer holds the same number; it cannot refer to a cell.
                    (Operation::Copy { .. }, (Type::Int(from), Type::Int(to)), _) if keeps_number(*from, *to) => {
                        plain(value.register(), Some(0), number_of(*value))
                    }
                    // Others do if it fits.
                    (Operation::Copy { .. }, (Type::Int(_), Type::Int(to)), Some(source)) if *to != IntType::Bool => {
                        Operation::Add { target, source, by: 0, ty: *to }
                    }
                    (other, _, _) => other,
                }
            }
        }
    }

    /// A number that is computed.
    pub(super) fn computed(&self, target: RegisterId, operands: &[Operand]) -> Operation {
        let sources: SmallVec<[RegisterId; 2]> =
            operands.iter().filter_map(|operand| operand.register()).filter(|source| self.may_point(*source)).collect();
        if sources.is_empty() || !self.may_point(target) {
            return Operation::Copy { target, source: None, shift: None, number: Number::ANY };
        }
        Operation::Blend { target, sources }
    }
}

pub(super) fn constant(operand: Operand) -> Option<i64> {
    match operand {
        Operand::Int(value) => i64::try_from(value).ok(),
        Operand::Register(_) | Operand::Float(_) | Operand::Global(_) | Operand::Function(_) => None,
    }
}

/// Whether every number of one type is the same number in the other.
pub(super) fn keeps_number(from: IntType, to: IntType) -> bool {
    match (from, to) {
        (IntType::Bool, IntType::Signed(_) | IntType::Unsigned(_) | IntType::Bool) => true,
        (IntType::Signed(from), IntType::Signed(to)) | (IntType::Unsigned(from), IntType::Unsigned(to)) => from <= to,
        (IntType::Unsigned(from), IntType::Signed(to)) => from < to,
        (IntType::Signed(_), IntType::Unsigned(_)) | (IntType::Signed(_) | IntType::Unsigned(_), IntType::Bool) => {
            false
        }
    }
}

pub(super) fn number_of(operand: Operand) -> Number {
    match operand {
        Operand::Int(value) => Number::of(value),
        Operand::Global(_) | Operand::Function(_) => Number::NONZERO,
        Operand::Register(_) | Operand::Float(_) => Number::ANY,
    }
}
