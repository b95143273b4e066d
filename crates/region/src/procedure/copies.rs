//! Copies of memory to memory, value by value where that can be told.

use super::build::{Builder, constant};
use super::{Operation, Stored};
use crate::memory::{CellId, Extent};
use crate::number::Number;
use heapwise_ir::{CopySource, Extent as Length, Operand, Place, RegisterId};
use smallvec::SmallVec;

impl Builder<'_, '_> {
    pub(super) fn copy(&mut self, place: &Place, source: &CopySource, extent: Length) -> Operation {
        let program = self.memory.program;
        let size = match extent {
            Length::Type(ty) => program.size_of(ty),
            Length::Bytes(bytes) => constant(bytes).and_then(|bytes| u64::try_from(bytes).ok()),
            Length::Common => None,
        };
        let to = self.area(place, size);
        let from = match source {
            CopySource::Place(place) => Some((place, self.area(place, size))),
            CopySource::Fill(_) | CopySource::Members | CopySource::Nondet => None,
        };
        let mut bases: SmallVec<[RegisterId; 2]> = SmallVec::new();
        bases.extend(place.base.register());
        bases.extend(from.as_ref().and_then(|(place, _)| place.base.register()));
        let mut pairs = Vec::new();
        let mut is_exact = to.offsets.is_some();
        if let Some(offsets) = &to.offsets {
            let mut distances: Vec<i64> = offsets.clone();
            match &from {
                Some((_, Area { offsets: Some(offsets), .. })) => distances.extend(offsets),
                Some((_, Area { offsets: None, .. })) => is_exact = false,
                None => {}
            }
            distances.sort_unstable();
            distances.dedup();
            let start = self.constant_path(&place.path).unwrap_or(0);
            for distance in distances {
                let there = self.at(place.base, start + distance);
                let here = from.as_ref().map(|(place, _)| {
                    let start = self.constant_path(&place.path).unwrap_or(0);
                    self.at(place.base, start + distance)
                });
                is_exact &= !there.target.in_pieces && here.as_ref().is_none_or(|here| !here.target.in_pieces);
                pairs.push((here, there));
            }
        }
        let read = from.map_or(Vec::new(), |(_, area)| area.cells);
        let fill = match source {
            CopySource::Fill(Operand::Int(0)) => Stored::Null,
            CopySource::Fill(_) | CopySource::Members | CopySource::Nondet | CopySource::Place(_) => {
                Stored::NoCell(Number::ANY)
            }
        };
        let address = self.memory.pointsto.place(program, self.function, place);
        let counters = self.memory.counters.access(self.memory, &address, size);
        let counters = (place.base.register(), counters.cells().to_vec());
        Operation::CopyCells { bases, pairs, fill, written: to.cells, read, is_exact, counters }
    }

    /// The cells that hold pointers within so many bytes of a place, and their distances from it.
    pub(super) fn area(&self, place: &Place, size: Option<u64>) -> Area {
        let address = self.memory.pointsto.place(self.memory.program, self.function, place);
        let Some(region) = address.region else {
            return Area { cells: Vec::new(), offsets: (!address.unknown).then(Vec::new) };
        };
        let exact = address.offsets.exact().filter(|_| !address.unknown);
        let is_constant = self.constant_path(&place.path).is_some();
        let (mut cells, mut offsets) = (Vec::new(), Vec::new());
        let mut is_exact = exact.is_some() && size.is_some() && is_constant;
        for cell in self.memory.of_region(region) {
            let known = &self.memory.cells[cell];
            if !known.holds_pointer {
                continue;
            }
            if let (Some(start), Some(size)) = (exact, size)
                && known.extent != Extent::Folded
            {
                let end = start.saturating_add(i64::try_from(size).unwrap_or(i64::MAX));
                if known.offset >= end || known.offset + known.size as i64 <= start {
                    continue;
                }
                is_exact &= known.offset >= start && known.offset + known.size as i64 <= end;
                offsets.push(known.offset - start);
            } else {
                is_exact = false;
            }
            cells.push(cell);
        }
        Area { cells, offsets: is_exact.then_some(offsets) }
    }
}

/// Cells near a place.
pub(super) struct Area {
    cells: Vec<CellId>,
    /// Their distances from the place; none if not known.
    offsets: Option<Vec<i64>>,
}
