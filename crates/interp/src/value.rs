//! Scalar values of a concrete run.

use crate::heap::Site;
use heapwise_ir::{FloatType, FunctionId, IntType, Program, Type, TypeId};

/// An object of the run. Slots are reused once nothing refers to a dead object any more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectId(pub(crate) u32);

impl ObjectId {
    /// The slot as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A pointer value: an object and a signed byte offset from its start.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pointer {
    /// The object, alive or not.
    pub object: ObjectId,
    /// Bytes from its start; may lie outside.
    pub offset: i64,
}

/// An input that is not fixed yet: only comparisons split it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SymbolId(pub(crate) u32);

/// `symbol + addend`, a mathematical integer that fits its type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Term {
    /// The input.
    pub symbol: SymbolId,
    /// What is added to it.
    pub addend: i64,
}

/// A scalar.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    /// Never written; with the edge that read it from memory, where the error is placed once the value is used.
    Uninitialised(Option<Site>),
    /// An integer within the range of its type; as a pointer, an address that no object has.
    Int(i128),
    /// A floating-point number (all that is computed is exact in a double).
    Float(f64),
    /// The address of an object, possibly in an integer register.
    Pointer(Pointer),
    /// The address of a function.
    Function(FunctionId),
    /// An input that is not fixed yet.
    Symbol(Term),
    /// Some bytes of an address.
    Fragment(Fragment),
    /// A nondeterministic pointer that is not null: nothing is known of what it points to.
    Opaque,
}

/// Bytes `start .. start + len` of an address.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fragment {
    /// The address.
    pub whole: Address,
    /// First byte.
    pub start: u8,
    /// How many bytes.
    pub len: u8,
}

/// An address whose bytes are not known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Address {
    /// Of an object.
    Pointer(Pointer),
    /// Of a function.
    Function(FunctionId),
    /// Of something unknown.
    Opaque,
}

impl Address {
    /// The address as a value.
    pub fn value(self) -> Value {
        match self {
            Address::Pointer(pointer) => Value::Pointer(pointer),
            Address::Function(function) => Value::Function(function),
            Address::Opaque => Value::Opaque,
        }
    }
}

impl Value {
    /// A register that was never written.
    pub const UNSET: Value = Value::Uninitialised(None);
    /// Null, zero, false.
    pub const ZERO: Value = Value::Int(0);

    /// Whether the value was never written.
    pub fn is_uninitialised(self) -> bool {
        matches!(self, Value::Uninitialised(_))
    }

    /// The object that the value refers to, if any: such a value keeps the object from being lost.
    pub fn object(self) -> Option<ObjectId> {
        match self {
            Value::Pointer(pointer) => Some(pointer.object),
            Value::Fragment(Fragment { whole: Address::Pointer(pointer), .. }) => Some(pointer.object),
            Value::Uninitialised(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::Function(_)
            | Value::Symbol(_)
            | Value::Fragment(_)
            | Value::Opaque => None,
        }
    }

    /// The value as an address whose bytes are unknown.
    pub fn address(self) -> Option<Address> {
        match self {
            Value::Pointer(pointer) => Some(Address::Pointer(pointer)),
            Value::Function(function) => Some(Address::Function(function)),
            Value::Opaque => Some(Address::Opaque),
            Value::Uninitialised(_) | Value::Int(_) | Value::Float(_) | Value::Symbol(_) | Value::Fragment(_) => None,
        }
    }
}

/// What a type is to the interpreter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// An integer.
    Int(IntType),
    /// A floating-point number.
    Float(FloatType),
    /// A pointer of this many bytes.
    Pointer(u8),
    /// Not a scalar.
    None,
}

impl Scalar {
    /// What `ty` is.
    pub fn of(program: &Program, ty: TypeId) -> Scalar {
        match program.ty(ty) {
            Type::Int(int) => Scalar::Int(*int),
            Type::Float(float) => Scalar::Float(*float),
            Type::Pointer(_) => Scalar::Pointer(program.target.pointer_bytes as u8),
            Type::Void | Type::Array(..) | Type::Record(_) | Type::Function(_) => Scalar::None,
        }
    }

    /// Size in bytes; 0 for what is no scalar.
    pub fn bytes(self) -> u64 {
        match self {
            Scalar::Int(int) => int.bytes(),
            Scalar::Float(float) => float.bytes(),
            Scalar::Pointer(bytes) => u64::from(bytes),
            Scalar::None => 0,
        }
    }

    /// The integer type with the same values: pointers count as unsigned.
    pub fn integer(self) -> Option<IntType> {
        match self {
            Scalar::Int(int) => Some(int),
            Scalar::Pointer(bytes) => Some(IntType::Unsigned(bytes)),
            Scalar::Float(_) | Scalar::None => None,
        }
    }
}
