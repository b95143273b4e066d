//! Indices of configurations: how many references to the tracked cell come from where, and whether it was freed.

use crate::counters::MOST_COUNTED;
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
    /// The cell was there when the procedure was entered: callers may refer to it, too.
    Existed,
    /// It was freed.
    Freed,
    /// The run has ended in a callee, or will not come back from it: all that is asked is who still holds the cell.
    Ended,
    /// Bytes of it were overwritten that the function at hand knows nothing of: callers do not know its reference counts any more.
    Overwritten,
    /// The way here is likely to be none that a run takes: what fails on it is a gap, unless a run confirms it.
    Doubtful,
    /// The number in a field of the cell itself, a reference count: one more than the number, where it is known and small.
    Counter(CellId),
}

const CELLS: u32 = 1 << 23;
const OUTSIDE: u32 = (1 << 27) - 7;
const LOCAL: u32 = (1 << 27) - 6;
const EXISTED: u32 = (1 << 27) - 5;
const FREED: u32 = (1 << 27) - 4;
const ENDED: u32 = (1 << 27) - 3;
const OVERWRITTEN: u32 = (1 << 27) - 2;
const DOUBTFUL: u32 = (1 << 27) - 1;
const COUNTERS: u32 = 1 << 27;

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
            Referrer::Ended => ENDED,
            Referrer::Overwritten => OVERWRITTEN,
            Referrer::Doubtful => DOUBTFUL,
            Referrer::Counter(cell) => COUNTERS + cell.as_u32(),
        }
    }

    fn of(code: u32) -> Referrer {
        match code {
            OUTSIDE => Referrer::Outside,
            LOCAL => Referrer::Local,
            EXISTED => Referrer::Existed,
            FREED => Referrer::Freed,
            ENDED => Referrer::Ended,
            OVERWRITTEN => Referrer::Overwritten,
            DOUBTFUL => Referrer::Doubtful,
            _ if code >= COUNTERS => Referrer::Counter(CellId::new((code - COUNTERS) as usize)),
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

    /// Whether no variable here refers to the cell, and it is not known that it may be lost: it is there, and perhaps in a cycle or
    /// held by callers.
    pub fn is_out_of_sight(&self, is_link: impl Fn(CellId) -> bool) -> bool {
        self.iter().all(|(referrer, _)| match referrer {
            Referrer::Cell(cell) => is_link(cell),
            Referrer::Register(_) | Referrer::Outside | Referrer::Local | Referrer::Freed => false,
            Referrer::Existed | Referrer::Ended | Referrer::Overwritten | Referrer::Doubtful | Referrer::Counter(_) => {
                true
            }
        })
    }

    /// The registers that refer to the cell.
    pub fn registers(&self) -> impl Iterator<Item = RegisterId> + '_ {
        let registers = self.entries.iter().map(|entry| entry >> 4).take_while(|code| *code < CELLS);
        registers.map(|code| RegisterId::new(code as usize))
    }

    /// The number in a reference count of the cell, if it is known.
    pub fn counted(&self, cell: CellId) -> Option<i128> {
        match self.get(Referrer::Counter(cell)) {
            Count::ZERO => None,
            count => Some(i128::from(count.0) - 1),
        }
    }

    /// Says what number is in a reference count; none if it is not known, or too large to be kept.
    pub fn set_counted(&mut self, cell: CellId, number: Option<i128>) {
        let known = number.filter(|number| (0..=MOST_COUNTED).contains(number));
        self.set(Referrer::Counter(cell), known.map_or(Count::ZERO, |number| Count(number as u32 + 1)));
    }

    /// Forgets all reference counts.
    pub fn forget_counted(&mut self) {
        self.entries.retain(|entry| *entry >> 4 < COUNTERS);
    }

    /// Bytes of the cell are overwritten, and it is not known which: no reference count is known any more, nor to callers.
    pub fn overwrite(&mut self) {
        self.forget_counted();
        if self.has(Referrer::Existed) {
            self.set(Referrer::Overwritten, Count::ONE);
        }
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

    /// The numbers of all.
    pub fn ids(&self) -> impl Iterator<Item = IndexId> + use<> {
        (0..self.table.len() as u32).map(IndexId)
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
