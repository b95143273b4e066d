//! Which table an entry has at which point: costs what it holds.

use crate::ids::TableId;
use heapwise_ir::entity::packed_option::PackedOption;

/// The tables of one entry, by the number of the point within the procedure.
///
/// A procedure is entered in thousands of ways, most of which are at a few of its points only; one that is everywhere is
/// found by its index.
pub(crate) enum Tables {
    /// Sorted by point.
    Few(Vec<(u32, TableId)>),
    /// One slot for each point.
    Many(Vec<PackedOption<TableId>>),
}

/// Up to so many points an entry has slots from the beginning.
const FEW_POINTS: usize = 32;

impl Tables {
    /// No tables yet, for a procedure with so many points.
    pub fn new(n_points: usize) -> Tables {
        if n_points <= FEW_POINTS { Tables::everywhere(n_points) } else { Tables::Few(Vec::new()) }
    }

    /// No tables yet, but there will be one at nearly every point.
    pub fn everywhere(n_points: usize) -> Tables {
        Tables::Many(vec![PackedOption::default(); n_points])
    }

    #[inline]
    pub fn get(&self, point: usize) -> Option<TableId> {
        match self {
            Tables::Many(slots) => slots[point].expand(),
            Tables::Few(found) => search(found, point as u32),
        }
    }

    /// Adds a table where there is none.
    pub fn insert(&mut self, point: usize, table: TableId, n_points: usize) {
        match self {
            Tables::Many(slots) => slots[point] = table.into(),
            Tables::Few(found) => {
                let index = found.partition_point(|(other, _)| *other < point as u32);
                found.insert(index, (point as u32, table));
                // From here on slots take at most twice the room.
                if found.len() * 4 > n_points {
                    let mut slots = vec![PackedOption::default(); n_points];
                    for (point, table) in found.iter() {
                        slots[*point as usize] = (*table).into();
                    }
                    *self = Tables::Many(slots);
                }
            }
        }
    }

    /// Bytes outside of itself.
    pub fn bytes(&self) -> u64 {
        match self {
            Tables::Few(found) => std::mem::size_of_val(&found[..]) as u64,
            Tables::Many(slots) => std::mem::size_of_val(&slots[..]) as u64,
        }
    }
}

fn search(found: &[(u32, TableId)], point: u32) -> Option<TableId> {
    let index = found.binary_search_by_key(&point, |(point, _)| *point).ok()?;
    Some(found[index].1)
}

#[cfg(test)]
mod tests {
    use super::Tables;
    use crate::ids::TableId;
    use heapwise_ir::entity::EntityRef;

    #[test]
    fn few_tables_cost_little_and_many_are_found_as_well() {
        let n_points = 1000;
        let mut tables = Tables::new(n_points);
        assert_eq!(tables.bytes(), 0);
        for point in (0..n_points).rev() {
            assert_eq!(tables.get(point), None);
            tables.insert(point, TableId::new(point + 7), n_points);
            assert_eq!(tables.get(point), Some(TableId::new(point + 7)));
            let n_held = (n_points - point) as u64;
            assert!(tables.bytes() <= 16 * n_held, "{n_held} tables in {} bytes", tables.bytes());
        }
        assert!((0..n_points).all(|point| tables.get(point) == Some(TableId::new(point + 7))));
    }
}
