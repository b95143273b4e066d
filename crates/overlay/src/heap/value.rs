//! Values, and the ids of what they speak of.

use heapwise_ir::FunctionId;
use std::fmt;

/// Ids carry the level of the heap that they belong to: 0 is the heap itself, 1 the prototype of an instance in it, 2 that of
/// an instance in a prototype.
const LEVEL_SHIFT: u32 = 28;
const INDEX_MASK: u32 = (1 << LEVEL_SHIFT) - 1;

macro_rules! levelled {
    ($name:ident, $prefix:literal, $doc:literal) => {
        #[doc = $doc]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The one with this index at this level.
            pub fn new(level: u32, index: usize) -> $name {
                $name(level << LEVEL_SHIFT | (index as u32 & INDEX_MASK))
            }

            /// Its level.
            pub fn level(self) -> u32 {
                self.0 >> LEVEL_SHIFT
            }

            /// Its index.
            pub fn index(self) -> usize {
                (self.0 & INDEX_MASK) as usize
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                for _ in 0..self.level() {
                    f.write_str("'")?;
                }
                write!(f, concat!($prefix, "{}"), self.index())
            }
        }
    };
}

levelled!(NodeId, "n", "A cell, or an instance of a predicate.");
levelled!(SymbolId, "s", "A number that is not a constant.");

/// A place where an instance is entered: an index into the ports of its predicate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PortId(pub u8);

impl PortId {
    /// The only one of a cell, the first of a predicate.
    pub const FIRST: PortId = PortId(0);
}

/// An address: so many bytes behind the start of a cell. Of an instance, the cell is the one at the port; where there is
/// none (the instance is empty), the value of the port while it is empty takes its place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer {
    /// The cell or instance.
    pub node: NodeId,
    /// The port, [`PortId::FIRST`] for a cell.
    pub port: PortId,
    /// Bytes, perhaps outside of the cell.
    pub offset: i64,
}

impl fmt::Debug for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.node)?;
        if self.port != PortId::FIRST {
            write!(f, ".{}", self.port.0)?;
        }
        if self.offset != 0 { write!(f, "{:+}", self.offset) } else { Ok(()) }
    }
}

/// A scalar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// None was ever written.
    Uninitialised,
    /// Anything, perhaps nothing.
    Top,
    /// A value, but any one: a number, or a pointer that is not followed.
    Any,
    /// This number; 0 is null.
    Number(i128),
    /// A number within the range of the symbol.
    Symbol(SymbolId),
    /// The address of a function.
    Function(FunctionId),
    /// An address in memory.
    Pointer(Pointer),
    /// `pointer + scale * index` bytes.
    Indexed {
        /// Where index 0 leads.
        pointer: Pointer,
        /// The index.
        index: SymbolId,
        /// Bytes per unit.
        scale: i64,
    },
    /// An address of storage of the library, not null.
    Library,
}

impl Value {
    /// Null, zero.
    pub const ZERO: Value = Value::Number(0);

    /// The node that it leads to.
    pub fn node(self) -> Option<NodeId> {
        match self {
            Value::Pointer(pointer) | Value::Indexed { pointer, .. } => Some(pointer.node),
            Value::Uninitialised
            | Value::Top
            | Value::Any
            | Value::Number(_)
            | Value::Symbol(_)
            | Value::Function(_)
            | Value::Library => None,
        }
    }

    /// The symbol in it.
    pub fn symbol(self) -> Option<SymbolId> {
        match self {
            Value::Symbol(symbol) | Value::Indexed { index: symbol, .. } => Some(symbol),
            Value::Uninitialised
            | Value::Top
            | Value::Any
            | Value::Number(_)
            | Value::Pointer(_)
            | Value::Function(_)
            | Value::Library => None,
        }
    }

    /// The same with other ids.
    pub fn renamed(
        self,
        node: &mut impl FnMut(NodeId) -> NodeId,
        symbol: &mut impl FnMut(SymbolId) -> SymbolId,
    ) -> Value {
        match self {
            Value::Pointer(pointer) => Value::Pointer(Pointer { node: node(pointer.node), ..pointer }),
            Value::Symbol(id) => Value::Symbol(symbol(id)),
            Value::Indexed { pointer, index, scale } => {
                Value::Indexed { pointer: Pointer { node: node(pointer.node), ..pointer }, index: symbol(index), scale }
            }
            Value::Uninitialised | Value::Top | Value::Any | Value::Number(_) | Value::Function(_) | Value::Library => {
                self
            }
        }
    }

    /// An address.
    pub fn pointer(node: NodeId, offset: i64) -> Value {
        Value::Pointer(Pointer { node, port: PortId::FIRST, offset })
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Uninitialised => f.write_str("uninit"),
            Value::Top => f.write_str("top"),
            Value::Any => f.write_str("any"),
            Value::Number(number) => write!(f, "{number}"),
            Value::Symbol(symbol) => write!(f, "{symbol:?}"),
            Value::Function(function) => write!(f, "&{function}"),
            Value::Pointer(pointer) => write!(f, "&{pointer:?}"),
            Value::Indexed { pointer, index, scale } => write!(f, "&{pointer:?}[{index:?}*{scale}]"),
            Value::Library => f.write_str("library"),
        }
    }
}
