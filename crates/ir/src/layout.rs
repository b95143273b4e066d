//! Sizes, alignments and the byte offsets behind paths.

use crate::function::Function;
use crate::ids::TypeId;
use crate::path::{Index, Path, Step};
use crate::program::Program;
use crate::types::{BitRange, IntType, RecordKind, Type};
use crate::value::{CompareOperator, Operand};

impl Program {
    /// The type behind an id.
    pub fn ty(&self, id: TypeId) -> &Type {
        self.types.get(id)
    }

    /// The size in bytes; `None` for `void`, functions, incomplete records and arrays of unknown count.
    pub fn size_of(&self, id: TypeId) -> Option<u64> {
        match self.ty(id) {
            Type::Void | Type::Function(_) | Type::Array(_, None) => None,
            Type::Int(int) => Some(int.bytes()),
            Type::Float(float) => Some(float.bytes()),
            Type::Pointer(_) => Some(u64::from(self.target.pointer_bytes)),
            Type::Array(element, Some(count)) => self.size_of(*element)?.checked_mul(*count),
            Type::Record(record) => {
                let record = &self.records[*record];
                record.fields.as_ref().map(|_| record.size)
            }
        }
    }

    /// The bytes of an object of this type that belong to no member: where each run of them starts, and how many there are.
    pub fn padding(&self, id: TypeId) -> Vec<(u64, u64)> {
        let mut scalars = Vec::new();
        self.collect_scalars(id, 0, &mut scalars);
        scalars.sort_unstable();
        let mut padding = Vec::new();
        let mut at = 0;
        for (start, end) in scalars {
            if start > at {
                padding.push((at, start - at));
            }
            at = at.max(end);
        }
        if let Some(size) = self.size_of(id).filter(|size| *size > at) {
            padding.push((at, size - at));
        }
        padding
    }

    /// The first byte, and the one behind the last, of each scalar or array of scalars.
    fn collect_scalars(&self, id: TypeId, offset: u64, scalars: &mut Vec<(u64, u64)>) {
        match self.ty(id) {
            Type::Void | Type::Function(_) => {}
            Type::Int(_) | Type::Float(_) | Type::Pointer(_) => {
                scalars.push((offset, offset + self.size_of(id).unwrap_or(0)));
            }
            Type::Array(element, count) => {
                let (Some(size), Some(count)) = (self.size_of(*element), *count) else { return };
                match self.ty(*element) {
                    Type::Array(..) | Type::Record(_) => {
                        (0..count).for_each(|index| self.collect_scalars(*element, offset + index * size, scalars));
                    }
                    Type::Void | Type::Function(_) => {}
                    Type::Int(_) | Type::Float(_) | Type::Pointer(_) => scalars.push((offset, offset + size * count)),
                }
            }
            Type::Record(record) => {
                for field in self.records[*record].fields() {
                    let at = offset + field.offset;
                    match field.bits {
                        Some(bits) => {
                            let end = u64::from(bits.shift) + u64::from(bits.width);
                            scalars.push((at + u64::from(bits.shift) / 8, at + end.div_ceil(8)));
                        }
                        None => self.collect_scalars(field.ty, at, scalars),
                    }
                }
            }
        }
    }

    /// What the address of an object of this type is a multiple of; `None` where there is no such object.
    pub fn align_of(&self, id: TypeId) -> Option<u64> {
        // i386 aligns scalars to a word at most where they are members, and promises no more for others.
        let most = match self.target.pointer_bytes {
            4 => 4,
            _ => 16,
        };
        match self.ty(id) {
            Type::Void | Type::Function(_) => None,
            Type::Int(int) => Some(int.bytes().min(most)),
            Type::Float(float) => Some(float.bytes().next_power_of_two().min(most)),
            Type::Pointer(_) => Some(u64::from(self.target.pointer_bytes)),
            Type::Array(element, _) => self.align_of(*element),
            Type::Record(record) => {
                let record = &self.records[*record];
                record.fields.as_ref().map(|_| record.align)
            }
        }
    }

    /// Whether values of this type compare like the integers that they are kept as. Half of the values of a 16-byte unsigned type are
    /// kept as negative ones, which are not below the others.
    pub fn compares_as_kept(&self, operator: CompareOperator, id: TypeId) -> bool {
        !operator.is_ordering() || !matches!(self.ty(id), Type::Int(IntType::Unsigned(16)))
    }

    /// How far apart neighbours of this type lie: its size, or 1 for `void` and functions (GNU C).
    pub fn stride_of(&self, id: TypeId) -> Option<u64> {
        match self.ty(id) {
            Type::Void | Type::Function(_) => Some(1),
            _ => self.size_of(id),
        }
    }

    /// The type that a pointer type points to.
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match self.ty(id) {
            Type::Pointer(pointee) => Some(*pointee),
            _ => None,
        }
    }

    /// As what the bytes behind a pointer operand are seen if nothing else is said: what a register's type points
    /// to, a global's type.
    pub fn default_view(&self, function: Option<&Function>, base: Operand) -> Option<TypeId> {
        match base {
            Operand::Register(register) => self.pointee(function?.registers.get(register)?.ty),
            Operand::Global(global) => Some(self.globals.get(global)?.ty),
            Operand::Int(_) | Operand::Float(_) | Operand::Function(_) => None,
        }
    }

    /// Where a path leads: byte offset, type, and bits if its last step is a bit-field. An index by operand counts
    /// as element 0 in `offset` and is listed in `indices` with its stride. Every index into an array of known count is
    /// listed in `bounds`, but for an array that ends the record behind the pointer: objects may go on behind it.
    /// `None` if the path does not fit its view.
    pub fn resolve(&self, path: &Path) -> Option<ResolvedPath> {
        self.types.try_get(path.view)?;
        let mut resolved =
            ResolvedPath { offset: 0, ty: path.view, bits: None, indices: Vec::new(), bounds: Vec::new() };
        // Whether all fields since the base (or the last index) were the last of their records, and whether any was.
        let (mut is_last, mut is_member) = (true, false);
        for step in &path.steps {
            match (step, self.ty(resolved.ty)) {
                (Step::Field(record, field), Type::Record(actual)) if record == actual => {
                    let record = &self.records[*record];
                    is_member = true;
                    is_last &= record.kind == RecordKind::Union || *field as usize + 1 == record.fields().len();
                    let field = record.fields().get(*field as usize)?;
                    resolved.offset += i64::try_from(field.offset).ok()?;
                    resolved.ty = field.ty;
                    resolved.bits = field.bits;
                }
                (Step::Index(index), Type::Array(element, count)) => {
                    let stride = self.stride_of(*element)?;
                    // An array of no element marks a place (GNU C).
                    if let Some(count) = count.filter(|count| *count > 0 && !(is_member && is_last)) {
                        resolved.bounds.push(Bound { index: *index, count });
                    }
                    (is_last, is_member) = (true, false);
                    match index {
                        Index::Constant(index) => {
                            resolved.offset += index.checked_mul(i64::try_from(stride).ok()?)?;
                        }
                        Index::Operand(operand) => resolved.indices.push((*operand, stride)),
                    }
                    resolved.ty = *element;
                }
                _ => return None,
            }
        }
        Some(resolved)
    }
}

/// Where a path leads.
#[derive(Clone, PartialEq, Debug)]
pub struct ResolvedPath {
    /// Byte offset from the base pointer, indices by operand not counted.
    pub offset: i64,
    /// The type there.
    pub ty: TypeId,
    /// The bits, for a bit-field.
    pub bits: Option<BitRange>,
    /// Indices by operand, with the bytes that each unit of them adds.
    pub indices: Vec<(Operand, u64)>,
    /// Indices that must lie within their arrays.
    pub bounds: Vec<Bound>,
}

/// An index, and how many elements its array has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    /// The index.
    pub index: Index,
    /// The count of the array.
    pub count: u64,
}

/// What a path is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathUse {
    /// An access: an index is below the count.
    Access,
    /// An address: one past the last element has one, too.
    Address,
}

impl Bound {
    /// Whether this value of the index lies within the array.
    pub fn admits(&self, index: i128, path_use: PathUse) -> bool {
        let count = i128::from(self.count);
        match path_use {
            PathUse::Access => (0..count).contains(&index),
            PathUse::Address => (0..=count).contains(&index),
        }
    }
}
