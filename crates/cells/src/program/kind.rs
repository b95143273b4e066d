//! Kinds of cells: what of their bytes is followed.

use heapwise_ir::TypeId;

/// The kind of a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KindId(u32);
heapwise_ir::entity::entity_impl!(KindId, "kind");

/// The layout of a kind of cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CellKind {
    /// The name of the record, or of the element type.
    pub name: String,
    /// Size in bytes.
    pub size: u64,
    /// The fields whose pointers are followed, by offset.
    pub links: Vec<Link>,
    /// All other fields.
    pub data: Vec<DataField>,
    /// Bytes of a pointer.
    pub pointer_bytes: u64,
}

/// A pointer field that is followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// First byte.
    pub offset: u64,
    /// The fields that lead to it, joined by dots.
    pub name: String,
    /// What it is declared to point to.
    pub target: LinkTarget,
}

/// What a link is declared to point to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkTarget {
    /// Its own record.
    Same,
    /// A type that is not its own record.
    Other(TypeId),
}

impl CellKind {
    /// The link of a kind that has one only.
    pub fn only_link(&self) -> Option<&Link> {
        match self.links.as_slice() {
            [link] => Some(link),
            _ => None,
        }
    }
}

/// A data field of a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataField {
    /// The fields that lead to it, joined by dots; empty for bytes without a name.
    pub name: String,
    /// First byte.
    pub offset: u64,
    /// How many bytes.
    pub size: u64,
    /// Whether one store writes all of it.
    pub extent: DataExtent,
}

impl DataField {
    /// Its name, or where it is.
    pub fn words(&self) -> String {
        if self.name.is_empty() { format!("byte {}", self.offset) } else { self.name.clone() }
    }
}

/// Whether one store writes all of a data field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataExtent {
    /// A scalar.
    Scalar,
    /// An array, a union or more fields than the mask has bits: a store to it leaves the rest as it was.
    Aggregate,
}
