//! Types, record layouts, and the target's sizes.

use crate::ids::{RecordId, TypeId};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// What the target machine decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// Size and alignment of a data pointer in bytes: 8 (LP64) or 4 (ILP32).
    pub pointer_bytes: u32,
}

impl Target {
    /// x86-64 Linux.
    pub const LP64: Target = Target { pointer_bytes: 8 };
    /// i386 Linux (`-m32`).
    pub const ILP32: Target = Target { pointer_bytes: 4 };
}

/// An integer type. Little endian, two's complement.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum IntType {
    /// `_Bool`: one byte, conversion to it yields 0 or 1.
    Bool,
    /// Signed with this many bytes (1, 2, 4, 8 or 16).
    Signed(u8),
    /// Unsigned with this many bytes (1, 2, 4, 8 or 16).
    Unsigned(u8),
}

/// A floating-point type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatType {
    /// `float`.
    Single,
    /// `double`.
    Double,
    /// `long double` (x87: 10 bytes of value in 16).
    Extended,
    /// `_Float128`.
    Quad,
}

/// A type. Structural, so equal types have equal ids within one [`TypeTable`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `void`: pointed to, or the result of a function without one.
    Void,
    /// An integer or an enumeration.
    Int(IntType),
    /// A floating-point number.
    Float(FloatType),
    /// A pointer.
    Pointer(TypeId),
    /// An array; `None` where the count is not known (flexible member, VLA, `extern int a[]`).
    Array(TypeId, Option<u64>),
    /// A struct or union.
    Record(RecordId),
    /// A function, only ever pointed to.
    Function(Signature),
}

/// A function type after lowering (hidden parameters included).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    /// The result, `None` for `void`.
    pub result: Option<TypeId>,
    /// The parameters.
    pub parameters: Vec<TypeId>,
    /// Whether more arguments may follow.
    pub variadic: bool,
}

/// Interned types.
#[derive(Clone, Default, Debug)]
pub struct TypeTable {
    types: IndexSet<Type, FxBuildHasher>,
}

impl TypeTable {
    /// The id of `ty`, interning it on first sight.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        let (index, _) = self.types.insert_full(ty);
        TypeId::from_u32(u32::try_from(index).expect("fewer than 2^32 types"))
    }

    /// The type behind an id.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.as_u32() as usize]
    }

    /// The type behind an id, unless the id is of another table.
    pub fn try_get(&self, id: TypeId) -> Option<&Type> {
        self.types.get_index(id.as_u32() as usize)
    }

    /// Whether the id is of this table.
    pub fn contains(&self, id: TypeId) -> bool {
        self.try_get(id).is_some()
    }

    /// The id of `ty`, if it was interned.
    pub fn lookup(&self, ty: &Type) -> Option<TypeId> {
        let index = self.types.get_index_of(ty)?;
        Some(TypeId::from_u32(u32::try_from(index).expect("fewer than 2^32 types")))
    }

    /// All types with their ids, in the order of interning.
    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        self.types.iter().enumerate().map(|(index, ty)| (TypeId::from_u32(index as u32), ty))
    }
}

/// Struct or union.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RecordKind {
    /// Members follow each other.
    Struct,
    /// Members share their bytes.
    Union,
}

/// A struct or union with its layout, as the C ABI of the target has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The tag, or a made-up name for a record without one; unique within the program.
    pub name: String,
    /// Struct or union.
    pub kind: RecordKind,
    /// Members in order; `None` while only declared (`struct s;`).
    pub fields: Option<Vec<Field>>,
    /// Size in bytes, trailing padding included.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
}

impl Record {
    /// The members; empty for an incomplete record.
    pub fn fields(&self) -> &[Field] {
        self.fields.as_deref().unwrap_or(&[])
    }
}

/// A member of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// The name; made up for an anonymous member.
    pub name: String,
    /// The declared type.
    pub ty: TypeId,
    /// Offset in bytes (of the storage unit, for a bit-field).
    pub offset: u64,
    /// The bits within the storage unit of type `ty` at `offset`, for a bit-field.
    pub bits: Option<BitRange>,
}

/// Bits `shift .. shift + width` of a little-endian storage unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BitRange {
    /// First bit.
    pub shift: u8,
    /// How many bits.
    pub width: u8,
}

impl IntType {
    /// Size in bytes.
    pub fn bytes(self) -> u64 {
        match self {
            IntType::Bool => 1,
            IntType::Signed(bytes) | IntType::Unsigned(bytes) => u64::from(bytes),
        }
    }
}

impl FloatType {
    /// Size in bytes.
    pub fn bytes(self) -> u64 {
        match self {
            FloatType::Single => 4,
            FloatType::Double => 8,
            FloatType::Extended | FloatType::Quad => 16,
        }
    }
}
