//! Which parts of a cell bytes cover: decided here, for every access, fill and copy.

use crate::program::{Access, CellKind, DataExtent};
use smallvec::SmallVec;

/// What some bytes of a cell cover, every byte of them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Covered {
    /// Links that are covered whole, by their indices.
    pub links: SmallVec<[usize; 2]>,
    /// Links that are covered in part, by their indices.
    pub parts_of_links: SmallVec<[usize; 2]>,
    /// Scalars that are covered whole, one bit each ([`bit`]).
    pub scalars: u32,
    /// Scalars that are covered in part.
    pub parts_of_scalars: u32,
    /// Arrays, unions and bit-fields, covered whole or in part.
    pub aggregates: u32,
    /// Whether there is padding among them, which no field has.
    pub padding: Padding,
}

/// Whether there is padding among some bytes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Padding {
    /// All belong to fields.
    #[default]
    None,
    /// Some belong to none.
    Some,
}

impl Covered {
    /// All data fields that have some of the bytes.
    pub fn data(&self) -> u32 {
        self.scalars | self.parts_of_scalars | self.aggregates
    }

    /// Whether some link has some of the bytes.
    pub fn has_link(&self) -> bool {
        !self.links.is_empty() || !self.parts_of_links.is_empty()
    }
}

/// A part of a cell that is accessed as one scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Touched {
    /// All of a link, by its index.
    Link(usize),
    /// Data fields, one bit each ([`bit`]): scalars that are covered whole, and what is not tracked in parts.
    Data {
        /// Whole scalars.
        scalars: u32,
        /// Arrays, unions, parts of scalars.
        aggregates: u32,
        /// Bytes between them.
        padding: Padding,
    },
    /// Bytes beyond the cell.
    Outside,
    /// A link in part, or with other bytes.
    Part,
}

/// The bit of a data field in masks of data fields: those beyond the 31st share one and are not told apart.
pub fn bit(position: usize) -> u32 {
    1 << position.min(31)
}

impl CellKind {
    /// What the bytes cover; `None` if some lie beyond the cell.
    pub fn covered(&self, access: Access) -> Option<Covered> {
        let start = u64::try_from(access.offset).ok()?;
        let end = start.checked_add(access.size).filter(|end| *end <= self.size)?;
        let common = |offset: u64, size: u64| end.min(offset + size).saturating_sub(start.max(offset));
        let mut covered = Covered::default();
        let mut n_bytes = 0;
        for (index, link) in self.links.iter().enumerate() {
            match common(link.offset, self.pointer_bytes) {
                0 => {}
                bytes if bytes == self.pointer_bytes => covered.links.push(index),
                _ => covered.parts_of_links.push(index),
            }
            n_bytes += common(link.offset, self.pointer_bytes);
        }
        for (position, field) in self.data.iter().enumerate() {
            let bytes = common(field.offset, field.size);
            n_bytes += bytes;
            match field.extent {
                _ if bytes == 0 => {}
                DataExtent::Scalar if bytes == field.size && position < 31 => covered.scalars |= bit(position),
                // What shares a bit with others is never known to be written whole.
                DataExtent::Scalar => covered.parts_of_scalars |= bit(position),
                DataExtent::Aggregate => covered.aggregates |= bit(position),
            }
        }
        // Bit-fields may share bytes, so this is padding at least where bytes are missing.
        let is_full = n_bytes >= access.size && !self.has_padding(start, end);
        covered.padding = if is_full { Padding::None } else { Padding::Some };
        Some(covered)
    }

    /// Whether some byte of a stretch belongs to no field.
    fn has_padding(&self, start: u64, end: u64) -> bool {
        let links = self.links.iter().map(|link| (link.offset, self.pointer_bytes));
        let data = self.data.iter().map(|field| (field.offset, field.size));
        let mut fields: SmallVec<[(u64, u64); 8]> = links.chain(data).collect();
        fields.sort_unstable();
        let mut at = start;
        for (offset, size) in fields {
            if offset > at {
                break;
            }
            at = at.max(offset + size);
        }
        at < end
    }

    /// What an access of a scalar touches.
    pub fn touched(&self, access: Access) -> Touched {
        let Some(covered) = self.covered(access) else { return Touched::Outside };
        match covered.links.as_slice() {
            [link] if access.size == self.pointer_bytes => Touched::Link(*link),
            _ if covered.has_link() => Touched::Part,
            _ => Touched::Data {
                scalars: covered.scalars,
                aggregates: covered.aggregates | covered.parts_of_scalars,
                padding: covered.padding,
            },
        }
    }
}
