//! The bytes of one object: plain bytes with a mask of the bits that were written, and *cells* where bytes belong to
//! a value that has no plain bytes (an address, an input that is not fixed yet, any bytes at all).

use crate::inputs::{InputId, Origin};
use crate::value::{Fragment, Value};
use smallvec::SmallVec;

/// Objects larger than this are not materialised.
pub const LARGEST: u64 = 64 << 20;

/// What bytes are that are not plain.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum CellValue {
    /// The bytes of this value: an address, a fragment of one, or a symbol.
    Value(Value),
    /// Any bytes: these of an input, which nobody has looked at here yet.
    Any(Origin),
}

impl CellValue {
    /// Bytes `start .. start + len` of a value of `size` bytes.
    fn part(self, start: u32, len: u32, size: u32) -> CellValue {
        match self {
            CellValue::Any(origin) => CellValue::Any(origin.shifted(start)),
            CellValue::Value(value) => match clip(value, start, len, size) {
                Some(part) => CellValue::Value(part),
                // Callers fix symbols before they cut them; what is cut is still some bytes.
                None => CellValue::Any(Origin { input: InputId::ELSEWHERE, first: 0 }),
            },
        }
    }
}

/// A run of bytes that are not plain.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cell {
    /// First byte.
    pub offset: u32,
    /// How many.
    pub len: u32,
    /// What they are.
    pub value: CellValue,
}

impl Cell {
    fn end(&self) -> u32 {
        self.offset + self.len
    }
}

/// What fresh storage holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fill {
    /// Nothing.
    Uninitialised,
    /// Zero bytes.
    Zero,
    /// The bytes of an input.
    Any(InputId),
}

/// The bytes of an object. Cells are sorted and disjoint; under a cell the plain bytes are meaningless.
#[derive(Clone, Debug)]
pub struct Contents {
    size: u64,
    fill: Fill,
    /// Empty until the first write.
    bytes: Vec<u8>,
    masks: Vec<u8>,
    cells: Vec<Cell>,
}

/// What a range of bytes is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Loaded {
    /// Plain bytes, little endian.
    Bits(u128),
    /// Exactly one value, or a fragment of one.
    Value(Value),
    /// Some bit was never written.
    Uninitialised,
    /// Any bytes, from here on.
    Any(Origin),
    /// Several of the above: symbols and addresses must be fixed first.
    Mixed,
}

/// References that a write took away from and gave to the object.
#[derive(Default, Debug)]
pub struct Changes {
    /// Values that are no longer there.
    pub removed: SmallVec<[Value; 4]>,
    /// Values that are there now.
    pub added: SmallVec<[Value; 4]>,
}

/// A copied run of bytes.
#[derive(Clone, Debug)]
pub struct Piece {
    bytes: Vec<u8>,
    masks: Vec<u8>,
    cells: Vec<Cell>,
}

impl Contents {
    /// Fresh storage.
    pub fn new(size: u64, fill: Fill) -> Contents {
        let cells = match fill {
            Fill::Any(input) if size > 0 => {
                let value = CellValue::Any(Origin { input, first: 0 });
                vec![Cell { offset: 0, len: size.min(u64::from(u32::MAX)) as u32, value }]
            }
            Fill::Any(_) | Fill::Zero | Fill::Uninitialised => Vec::new(),
        };
        Contents { size, fill, bytes: Vec::new(), masks: Vec::new(), cells }
    }

    /// Whether a write needs more memory than objects may have.
    pub fn is_too_large(&self) -> bool {
        self.size > LARGEST
    }

    /// The cells, sorted.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The values in the cells that refer to objects.
    pub fn references(&self) -> impl Iterator<Item = Value> + '_ {
        self.cells.iter().filter_map(|cell| match cell.value {
            CellValue::Value(value) if value.object().is_some() => Some(value),
            CellValue::Value(_) | CellValue::Any(_) => None,
        })
    }

    /// Plain bytes and masks, empty if nothing was written yet; and what unwritten storage holds.
    pub fn plain(&self) -> (&[u8], &[u8], Fill) {
        (&self.bytes, &self.masks, self.fill)
    }

    fn materialise(&mut self) {
        if self.bytes.is_empty() && self.size > 0 {
            self.bytes = vec![0; self.size as usize];
            self.masks = vec![if self.fill == Fill::Zero { 0xff } else { 0 }; self.size as usize];
        }
    }

    /// Index of the first cell that ends after `offset`.
    fn first_cell(&self, offset: u32) -> usize {
        self.cells.partition_point(|cell| cell.end() <= offset)
    }

    /// The plain bits of a range and whether all of them were written.
    fn bits(&self, offset: usize, len: usize) -> Option<u128> {
        if self.bytes.is_empty() {
            return (self.fill == Fill::Zero).then_some(0);
        }
        if self.masks[offset..offset + len].iter().any(|mask| *mask != 0xff) {
            return None;
        }
        let mut raw = [0u8; 16];
        raw[..len].copy_from_slice(&self.bytes[offset..offset + len]);
        Some(u128::from_le_bytes(raw))
    }

    /// What `len` bytes (at most 16) at `offset` are.
    pub fn load(&self, offset: u64, len: u64) -> Loaded {
        let (offset, len) = (offset as u32, len as u32);
        if !self.cells.is_empty() {
            let first = self.first_cell(offset);
            if self.cells.get(first).is_some_and(|cell| cell.offset < offset + len) {
                return self.load_cells(first, offset, len);
            }
        }
        match self.bits(offset as usize, len as usize) {
            Some(bits) => Loaded::Bits(bits),
            None => Loaded::Uninitialised,
        }
    }

    fn load_cells(&self, first: usize, offset: u32, len: u32) -> Loaded {
        let cell = self.cells[first];
        if cell.offset <= offset && cell.end() >= offset + len {
            return match cell.value {
                CellValue::Any(origin) => Loaded::Any(origin.shifted(offset - cell.offset)),
                CellValue::Value(value) if cell.offset == offset && cell.len == len => Loaded::Value(value),
                CellValue::Value(value) => match clip(value, offset - cell.offset, len, cell.len) {
                    Some(part) => Loaded::Value(part),
                    None => Loaded::Mixed,
                },
            };
        }
        self.assemble(first, offset, len)
    }

    /// Puts neighbouring fragments of one address together again.
    fn assemble(&self, first: usize, offset: u32, len: u32) -> Loaded {
        let mut at = offset;
        let mut whole: Option<Fragment> = None;
        let mut uniform = true;
        for cell in self.cells[first..].iter().take_while(|cell| cell.offset < offset + len) {
            if cell.offset > at && self.bits(at as usize, (cell.offset - at) as usize).is_none() {
                return Loaded::Uninitialised;
            }
            uniform &= cell.offset <= at;
            let part = match cell.value {
                CellValue::Value(value) => {
                    let start = offset.max(cell.offset);
                    let end = (offset + len).min(cell.end());
                    clip(value, start - cell.offset, end - start, cell.len)
                }
                CellValue::Any(_) => None,
            };
            let part = match part {
                Some(Value::Fragment(part)) => Some(part),
                Some(value) => value.address().map(|whole| Fragment { whole, start: 0, len: cell.len as u8 }),
                None => None,
            };
            whole = match (whole, part) {
                (None, Some(part)) if at == offset => Some(part),
                (Some(so_far), Some(part)) if so_far.whole == part.whole && so_far.start + so_far.len == part.start => {
                    Some(Fragment { len: so_far.len + part.len, ..so_far })
                }
                (_, _) => {
                    uniform = false;
                    None
                }
            };
            at = cell.end();
        }
        if at < offset + len {
            uniform = false;
            if self.bits(at as usize, (offset + len - at) as usize).is_none() {
                return Loaded::Uninitialised;
            }
        }
        match whole {
            Some(fragment)
                if uniform && fragment.start == 0 && u32::from(fragment.len) == len && (len == 8 || len == 4) =>
            {
                Loaded::Value(whole_or_part(fragment))
            }
            Some(fragment) if uniform => Loaded::Value(Value::Fragment(fragment)),
            _ => Loaded::Mixed,
        }
    }

    /// The cells that a range touches.
    pub fn cells_in(&self, offset: u64, len: u64) -> impl Iterator<Item = Cell> + '_ {
        let end = (offset + len) as u32;
        self.cells[self.first_cell(offset as u32)..].iter().copied().take_while(move |cell| cell.offset < end)
    }

    /// The written bits of a bit-field's storage unit: value and mask.
    pub fn load_bits(&self, offset: u64, len: u64) -> (u128, u128) {
        if self.bytes.is_empty() {
            return (0, if self.fill == Fill::Zero { u128::MAX } else { 0 });
        }
        let (offset, len) = (offset as usize, len as usize);
        let mut bits = [0u8; 16];
        let mut mask = [0u8; 16];
        bits[..len].copy_from_slice(&self.bytes[offset..offset + len]);
        mask[..len].copy_from_slice(&self.masks[offset..offset + len]);
        (u128::from_le_bytes(bits), u128::from_le_bytes(mask))
    }

    /// Takes all cells out of a range; what sticks out of it stays, as fragments.
    fn carve(&mut self, offset: u32, len: u32, changes: &mut Changes) {
        let first = self.first_cell(offset);
        let count = self.cells[first..].iter().take_while(|cell| cell.offset < offset + len).count();
        if count == 0 {
            return;
        }
        let mut kept: SmallVec<[Cell; 2]> = SmallVec::new();
        for cell in &self.cells[first..first + count] {
            if let CellValue::Value(value) = cell.value {
                changes.removed.push(value);
            }
            let before = (cell.offset, offset.saturating_sub(cell.offset));
            let after = (offset + len, cell.end().saturating_sub(offset + len));
            for (start, length) in [before, after] {
                if length == 0 {
                    continue;
                }
                let value = cell.value.part(start - cell.offset, length, cell.len);
                if let CellValue::Value(part) = value {
                    changes.added.push(part);
                }
                kept.push(Cell { offset: start, len: length, value });
            }
        }
        self.cells.splice(first..first + count, kept);
    }

    /// Writes plain bytes.
    pub fn store_bits(&mut self, offset: u64, len: u64, bits: u128, changes: &mut Changes) {
        self.materialise();
        if !self.cells.is_empty() {
            self.carve(offset as u32, len as u32, changes);
        }
        let (offset, len) = (offset as usize, len as usize);
        self.bytes[offset..offset + len].copy_from_slice(&bits.to_le_bytes()[..len]);
        self.masks[offset..offset + len].fill(0xff);
    }

    /// Writes the bits of `mask` of a storage unit. The unit must have no cells.
    pub fn store_masked(&mut self, offset: u64, len: u64, bits: u128, mask: u128) {
        self.materialise();
        for index in 0..len as usize {
            let at = offset as usize + index;
            let (bits, mask) = ((bits >> (8 * index)) as u8, (mask >> (8 * index)) as u8);
            self.bytes[at] = self.bytes[at] & !mask | bits & mask;
            self.masks[at] |= mask;
        }
    }

    /// Writes a value that has no plain bytes.
    pub fn store_cell(&mut self, offset: u64, len: u64, value: CellValue, changes: &mut Changes) {
        if len == 0 {
            return;
        }
        self.materialise();
        let (offset, len) = (offset as u32, len as u32);
        let first = self.first_cell(offset);
        match self.cells.get_mut(first) {
            // The usual case: a pointer over a pointer.
            Some(cell) if cell.offset == offset && cell.len == len => {
                if let CellValue::Value(value) = cell.value {
                    changes.removed.push(value);
                }
                cell.value = value;
            }
            _ => {
                self.carve(offset, len, changes);
                let at = self.first_cell(offset);
                self.cells.insert(at, Cell { offset, len, value });
            }
        }
        if let CellValue::Value(value) = value {
            changes.added.push(value);
        }
        self.masks[offset as usize..(offset + len) as usize].fill(0xff);
    }

    /// Makes a range uninitialised.
    pub fn store_uninitialised(&mut self, offset: u64, len: u64, changes: &mut Changes) {
        self.materialise();
        self.carve(offset as u32, len as u32, changes);
        self.masks[offset as usize..(offset + len) as usize].fill(0);
    }

    /// Copies a range out.
    pub fn extract(&self, offset: u64, len: u64) -> Piece {
        let (start, end) = (offset as usize, (offset + len) as usize);
        let (bytes, masks) = if self.bytes.is_empty() {
            (vec![0; end - start], vec![if self.fill == Fill::Zero { 0xff } else { 0 }; end - start])
        } else {
            (self.bytes[start..end].to_vec(), self.masks[start..end].to_vec())
        };
        let mut cells = Vec::new();
        for cell in self.cells_in(offset, len) {
            let from = cell.offset.max(start as u32);
            let to = cell.end().min(end as u32);
            let value = cell.value.part(from - cell.offset, to - from, cell.len);
            cells.push(Cell { offset: from - start as u32, len: to - from, value });
        }
        Piece { bytes, masks, cells }
    }

    /// Puts a copied range in.
    pub fn insert(&mut self, offset: u64, piece: Piece, changes: &mut Changes) {
        self.materialise();
        let (start, len) = (offset as usize, piece.bytes.len());
        self.carve(offset as u32, len as u32, changes);
        self.bytes[start..start + len].copy_from_slice(&piece.bytes);
        self.masks[start..start + len].copy_from_slice(&piece.masks);
        let at = self.first_cell(offset as u32);
        let cells = piece.cells.into_iter().map(|cell| Cell { offset: cell.offset + offset as u32, ..cell });
        for cell in cells.clone() {
            if let CellValue::Value(value) = cell.value {
                changes.added.push(value);
            }
        }
        self.cells.splice(at..at, cells);
    }
}

/// Bytes `start .. start + len` of a value of `size` bytes; `None` for a symbol cut in two.
fn clip(value: Value, start: u32, len: u32, size: u32) -> Option<Value> {
    if start == 0 && len == size {
        return Some(value);
    }
    let (start, len) = (start as u8, len as u8);
    match value {
        Value::Fragment(fragment) => Some(Value::Fragment(Fragment { start: fragment.start + start, len, ..fragment })),
        _ => value.address().map(|whole| Value::Fragment(Fragment { whole, start, len })),
    }
}

fn whole_or_part(fragment: Fragment) -> Value {
    fragment.whole.value()
}
