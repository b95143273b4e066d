//! Which part of a cell an access touches.

use crate::program::{Access, CellKind, DataExtent};

/// A part of a cell.
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
    /// What an access touches.
    pub fn touched(&self, access: Access) -> Touched {
        let Ok(offset) = u64::try_from(access.offset) else { return Touched::Outside };
        let end = offset.saturating_add(access.size);
        if end > self.size {
            return Touched::Outside;
        }
        for (index, link) in self.links.iter().enumerate() {
            if offset == link.offset && access.size == self.pointer_bytes {
                return Touched::Link(index);
            }
            if offset < link.offset + self.pointer_bytes && link.offset < end {
                return Touched::Part;
            }
        }
        let (mut scalars, mut aggregates) = (0, 0);
        for (position, field) in self.data.iter().enumerate() {
            if offset < field.offset + field.size && field.offset < end {
                let whole = offset <= field.offset && field.offset + field.size <= end;
                match field.extent {
                    DataExtent::Scalar if whole && position < 31 => scalars |= bit(position),
                    DataExtent::Scalar | DataExtent::Aggregate => aggregates |= bit(position),
                }
            }
        }
        Touched::Data { scalars, aggregates }
    }
}
