//! Indices of configurations: how many references to the tracked cell come from where, and whether it was freed.

use crate::memory::CellId;
use heapwise_ir::RegisterId;
use heapwise_ir::entity::EntityRef;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

/// An interned index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct IndexId(pub u32);

/// From where references are counted. Registers come first, so that those of a function are next to each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Referrer {
    /// A register: 0 or 1.
    Register(RegisterId),
    /// A cell of a region.
    Cell(CellId),
    /// Code and memory that nothing is known of.
    Outside,
    /// It is no heap cell but the storage of a local: it ends by itself, and is never lost.
    Local,
    /// The cell was there when the procedure was entered, and a caller may refer to it from where the procedure does not see.
    Existed,
    /// It was freed.
    Freed,
}

const CELLS: u32 = 1 << 23;
const OUTSIDE: u32 = (1 << 28) - 4;
const LOCAL: u32 = (1 << 28) - 3;
const EXISTED: u32 = (1 << 28) - 2;
const FREED: u32 = (1 << 28) - 1;

impl Referrer {
    fn code(self) -> u32 {
        match self {
            // The limits are checked before the analysis starts.
            Referrer::Register(register) => register.as_u32(),
            Referrer::Cell(cell) => CELLS + cell.as_u32(),
            Referrer::Outside => OUTSIDE,
            Referrer::Local => LOCAL,
            Referrer::Existed => EXISTED,
            Referrer::Freed => FREED,
        }
    }

    fn of(code: u32) -> Referrer {
        match code {
            OUTSIDE => Referrer::Outside,
            LOCAL => Referrer::Local,
            EXISTED => Referrer::Existed,
            FREED => Referrer::Freed,
            _ if code >= CELLS => Referrer::Cell(CellId::new((code - CELLS) as usize)),
            _ => Referrer::Register(RegisterId::new(code as usize)),
        }
    }

    /// Whether so many registers and cells can be numbered.
    pub fn fit(registers: usize, cells: usize) -> bool {
        registers < CELLS as usize && cells < (OUTSIDE - CELLS) as usize
    }
}

/// A count: exact up to `k`, or more than that.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Count(u32);

impl Count {
    /// None.
    pub const ZERO: Count = Count(0);
    /// One.
    pub const ONE: Count = Count(1);
    /// More than `k`.
    pub const MANY: Count = Count(15);

    /// The greatest `k` that can be asked for.
    pub const MAX_K: u8 = 14;

    /// An exact count.
    pub fn exactly(number: u8) -> Count {
        Count(u32::from(number))
    }

    /// The number, unless it is more than `k`.
    pub fn number(self) -> Option<u32> {
        (self != Count::MANY).then_some(self.0)
    }
}

/// An index while it is changed: entries in ascending order of referrers, none of them zero.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Index {
    entries: SmallVec<[u32; 12]>,
}

impl Index {
    /// The count of a referrer.
    pub fn get(&self, referrer: Referrer) -> Count {
        let code = referrer.code();
        match self.entries.binary_search_by_key(&code, |entry| entry >> 4) {
            Ok(at) => Count(self.entries[at] & 15),
            Err(_) => Count::ZERO,
        }
    }

    /// Whether the referrer has a reference.
    pub fn has(&self, referrer: Referrer) -> bool {
        self.get(referrer) != Count::ZERO
    }

    /// Sets the count of a referrer.
    pub fn set(&mut self, referrer: Referrer, count: Count) {
        let code = referrer.code();
        match (self.entries.binary_search_by_key(&code, |entry| entry >> 4), count) {
            (Ok(at), Count::ZERO) => {
                self.entries.remove(at);
            }
            (Ok(at), count) => self.entries[at] = code << 4 | count.0,
            (Err(_), Count::ZERO) => {}
            (Err(at), count) => self.entries.insert(at, code << 4 | count.0),
        }
    }

    /// One reference more from there.
    pub fn increment(&mut self, referrer: Referrer, k: u8) {
        let count = self.get(referrer);
        self.set(referrer, if count.0 < u32::from(k) { Count(count.0 + 1) } else { Count::MANY });
    }

    /// Adds a count to another.
    pub fn add(&mut self, referrer: Referrer, count: Count, k: u8) {
        let sum = match (self.get(referrer).number(), count.number()) {
            (Some(left), Some(right)) if left + right <= u32::from(k) => Count(left + right),
            _ => Count::MANY,
        };
        self.set(referrer, sum);
    }

    /// The referrers with references and flags, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Referrer, Count)> + '_ {
        self.entries.iter().map(|entry| (Referrer::of(entry >> 4), Count(entry & 15)))
    }

    /// Whether no reference is left (flags do not count).
    pub fn is_unreferenced(&self) -> bool {
        self.entries.first().is_none_or(|entry| entry >> 4 >= LOCAL)
    }

    /// Whether no register and no cell refers to it, and nobody outside: nothing here can touch it.
    pub fn registers(&self) -> impl Iterator<Item = RegisterId> + '_ {
        let registers = self.entries.iter().map(|entry| entry >> 4).take_while(|code| *code < CELLS);
        registers.map(|code| RegisterId::new(code as usize))
    }

    /// Keeps these registers only.
    pub fn retain_registers(&mut self, mut keep: impl FnMut(RegisterId) -> bool) {
        self.entries.retain(|entry| {
            let code = *entry >> 4;
            code >= CELLS || keep(RegisterId::new(code as usize))
        });
    }
}

/// Every index once.
#[derive(Default)]
pub struct Indices {
    table: IndexSet<Box<[u32]>, FxBuildHasher>,
}

impl Indices {
    /// The number of an index.
    pub fn intern(&mut self, index: &Index) -> IndexId {
        if let Some(at) = self.table.get_index_of(&index.entries[..]) {
            return IndexId(at as u32);
        }
        let (at, _) = self.table.insert_full(index.entries.as_slice().into());
        IndexId(at as u32)
    }

    /// The index of a number.
    pub fn get(&self, id: IndexId) -> Index {
        Index { entries: SmallVec::from_slice(&self.table[id.0 as usize]) }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.table.len()
    }
}

impl Index {
    /// Whether a register refers to the cell: at an exit, the result.
    pub fn has_result(&self) -> bool {
        self.registers().next().is_some()
    }
}
