//! Which offsets of a region are one cell: arrays are folded onto their first element.

use crate::offsets::gcd;

/// An array within a region, or part of one: offsets `start .. end` that are a multiple of `stride` apart are one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Fold {
    /// Its first byte.
    pub start: i64,
    /// The byte behind it.
    pub end: i64,
    /// The size of an element. With 1 the whole array is one cell.
    pub stride: u64,
}

impl Fold {
    fn len(self) -> u64 {
        self.end.abs_diff(self.start)
    }

    fn contains(self, offset: i64) -> bool {
        (self.start..self.end).contains(&offset)
    }

    fn overlaps(self, start: i64, end: i64) -> bool {
        self.start < end && start < self.end
    }

    /// The same place in the first element.
    fn first(self, offset: i64) -> i64 {
        self.start + offset.wrapping_sub(self.start).rem_euclid(self.stride as i64)
    }
}

/// Where the cells of a region lie.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Layout {
    /// Offsets that are a multiple of this apart are one; 0 if all are different. With 1 the region is one cell.
    pub stride: u64,
    /// Arrays within it. Those within elements of others follow them, and lie in the first element.
    pub folds: Vec<Fold>,
}

/// A place of a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The offset that stands for all that are the same.
    pub offset: i64,
    /// So many bytes from there on belong to the same element; `None` where there is no array.
    pub room: Option<u64>,
}

/// Whether a layout changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// It is as it was: cells stay where they are.
    Same,
    /// Cells that lay apart are now one.
    Coarser,
}

impl Layout {
    /// The place that stands for an offset.
    pub fn spot(&self, offset: i64) -> Spot {
        let mut spot = Spot { offset, room: None };
        if self.stride > 0 {
            spot.offset = offset.rem_euclid(self.stride as i64);
            spot.room = Some(self.stride - spot.offset as u64);
        }
        for fold in &self.folds {
            if fold.contains(spot.offset) {
                spot.offset = fold.first(spot.offset);
                spot.room = Some(fold.stride - (spot.offset - fold.start) as u64);
            }
        }
        spot
    }

    /// The array whose elements are one byte, around an offset that stands for itself: it is one cell.
    pub fn lump(&self, offset: i64) -> Option<Fold> {
        if self.stride == 1 {
            return Some(Fold { start: 0, end: 1, stride: 1 });
        }
        self.folds.iter().rev().find(|fold| fold.stride == 1 && fold.contains(offset)).copied()
    }

    /// The place that stands for an offset, but for its place within an array that is one cell.
    pub fn within_lump(&self, offset: i64) -> i64 {
        let offset = if self.stride > 0 { offset.rem_euclid(self.stride as i64) } else { offset };
        let elements = self.folds.iter().filter(|fold| fold.stride > 1);
        elements.fold(offset, |offset, fold| if fold.contains(offset) { fold.first(offset) } else { offset })
    }

    /// Offsets that are a multiple of `stride` apart become one, everywhere.
    pub fn fold_all(&mut self, stride: u64) -> Change {
        let merged = gcd(self.stride, stride);
        if merged == self.stride {
            return Change::Same;
        }
        self.stride = merged;
        for fold in std::mem::take(&mut self.folds) {
            self.fold(fold);
        }
        Change::Coarser
    }

    /// The elements of an array become one.
    pub fn fold(&mut self, mut new: Fold) -> Change {
        if new.stride == 0 || new.end <= new.start || (new.len() <= new.stride && new.stride > 1) {
            return Change::Same;
        }
        let before = self.clone();
        'again: loop {
            if self.stride > 0 {
                let start = new.start.rem_euclid(self.stride as i64);
                if start as u64 + new.len() > self.stride {
                    return match self.fold_all(new.stride) {
                        Change::Coarser => Change::Coarser,
                        Change::Same if *self == before => Change::Same,
                        Change::Same => Change::Coarser,
                    };
                }
                new = Fold { start, end: start + new.len() as i64, ..new };
            }
            for index in 0..self.folds.len() {
                let old = self.folds[index];
                if !old.overlaps(new.start, new.end) {
                    continue;
                }
                if old.contains(new.start) && new.end <= old.end {
                    // It lies within the old one: within one element, it moves to the first.
                    let start = old.first(new.start);
                    if (start - old.start) as u64 + new.len() <= old.stride {
                        new = Fold { start, end: start + new.len() as i64, ..new };
                        if new == old {
                            return if *self == before { Change::Same } else { Change::Coarser };
                        }
                        continue;
                    }
                } else if new.contains(old.start) && old.end <= new.end {
                    let start = new.first(old.start);
                    if (start - new.start) as u64 + old.len() <= new.stride {
                        continue;
                    }
                }
                // Where elements begin does not matter: what is a stride apart is one, in both of them together.
                let stride = gcd(old.stride, new.stride);
                let merged = Fold { start: old.start.min(new.start), end: old.end.max(new.end), stride };
                self.folds.remove(index);
                if merged == old {
                    self.folds.insert(index, old);
                    return if *self == before { Change::Same } else { Change::Coarser };
                }
                new = merged;
                continue 'again;
            }
            break;
        }
        // Arrays within the new one move to its first element.
        let inside = |old: &Fold| new.contains(old.start) && old.end <= new.end && *old != new;
        let moved: Vec<Fold> = self.folds.iter().copied().filter(inside).collect();
        self.folds.retain(|old| !inside(old));
        if !self.folds.contains(&new) {
            self.folds.push(new);
            self.sort();
        }
        for old in moved {
            let start = new.first(old.start);
            self.fold(Fold { start, end: start + old.len() as i64, ..old });
        }
        if *self == before { Change::Same } else { Change::Coarser }
    }

    /// A stride that all elements of its arrays are a multiple of.
    pub(crate) fn common_stride(&self) -> u64 {
        self.folds.iter().fold(self.stride, |stride, fold| gcd(stride, fold.stride))
    }

    /// An access over the end of an element: the innermost array around the offset has no elements any more.
    pub fn collapse_at(&mut self, offset: i64) {
        let around = self.folds.iter().rposition(|fold| fold.contains(offset));
        match around {
            Some(index) => {
                let fold = self.folds[index];
                self.folds.remove(index);
                self.fold(Fold { stride: 1, ..fold });
            }
            None => {
                self.fold_all(1);
            }
        }
    }

    fn sort(&mut self) {
        self.folds.sort_by_key(|fold| (fold.start, std::cmp::Reverse(fold.end), std::cmp::Reverse(fold.stride)));
    }
}

#[cfg(test)]
mod tests {
    use super::{Fold, Layout};

    fn fold(start: i64, end: i64, stride: u64) -> Fold {
        Fold { start, end, stride }
    }

    #[test]
    fn elements_of_an_array_are_one() {
        let mut layout = Layout::default();
        layout.fold(fold(8, 40, 8));
        assert_eq!([0, 8, 16, 36, 40].map(|offset| layout.spot(offset).offset), [0, 8, 8, 12, 40]);
    }

    #[test]
    fn arrays_within_elements_lie_in_the_first() {
        let mut layout = Layout::default();
        layout.fold(fold(28, 36, 4));
        layout.fold(fold(0, 64, 16));
        assert_eq!(layout.folds, [fold(0, 64, 4)], "an array over two elements is no array within one");
        let mut layout = Layout::default();
        layout.fold(fold(24, 32, 4));
        layout.fold(fold(0, 64, 16));
        assert_eq!(layout.folds, [fold(0, 64, 16), fold(8, 16, 4)]);
        assert_eq!(layout.spot(60).offset, 8);
    }

    #[test]
    fn what_is_one_stays_one() {
        // Pairs of offsets that are one before are one after, whatever else is folded.
        let arrays =
            [fold(0, 64, 16), fold(8, 32, 4), fold(24, 40, 8), fold(4, 20, 1), fold(-16, 16, 8), fold(32, 96, 32)];
        for first in arrays {
            for second in arrays {
                for third in arrays {
                    let mut layout = Layout::default();
                    let mut known: Vec<Layout> = Vec::new();
                    for array in [first, second, third] {
                        layout.fold(array);
                        known.push(layout.clone());
                    }
                    layout.fold_all(48);
                    known.push(layout.clone());
                    for array in [first, second, third] {
                        for offset in (array.start..array.end).step_by(1) {
                            let next = array.start + (offset - array.start) % array.stride as i64;
                            assert_eq!(
                                layout.spot(offset),
                                layout.spot(next),
                                "{first:?} {second:?} {third:?} {layout:?}"
                            );
                        }
                    }
                    for pair in known.windows(2) {
                        for left in -32..128 {
                            let spot = pair[1].spot(left).offset;
                            assert_eq!(pair[1].spot(spot).offset, spot, "{:?}", pair[1]);
                            let old = pair[0].spot(left).offset;
                            assert_eq!(pair[1].spot(old).offset, spot, "{:?} then {:?} at {left}", pair[0], pair[1]);
                        }
                    }
                }
            }
        }
    }
}
