//! What a configuration knows beside its index: expressions that surely hit or miss the tracked cell, and numbers.
//!
//! Where two configurations of one index meet, only what both know is kept (Hackett and Rugina, section 5.1), so facts only get
//! weaker along a run and the iteration ends.

use crate::expressions::ExpressionId;
use crate::memory::{CellId, InverseId};
use crate::number::Number;
use heapwise_ir::RegisterId;
use heapwise_ir::entity::EntityRef;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

/// An interned set of facts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FactsId(pub u32);

/// What a fact is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum About {
    /// Whether the expression refers to the tracked cell.
    Expression(ExpressionId),
    /// The number that a register holds.
    Register(RegisterId),
    /// A register holds the number that is in a reference count of the tracked cell, or one that was computed from it, and it is
    /// not known.
    Counted(RegisterId),
    /// The number that a parameter was given, where the function at hand made the cell: a cell that is made only where an argument is
    /// null is not made where it is not.
    Given(RegisterId),
    /// One link of the tracked cell leads to a cell whose other link leads back to it, if that cell is there and not freed
    /// (the invariant of doubly linked lists and of parent pointers).
    Inverse(InverseId),
    /// A link of the tracked cell does not lead to the cell itself.
    Apart(CellId),
    /// A link of the tracked cell is not null.
    Filled(CellId),
    /// There is one reference from this cell, and the object where it is has another one in a second cell (the value).
    Together(CellId),
    /// Every link of a heap cell that leads to the tracked cell is counted: callers have none that is not seen here.
    Visible,
    /// The tracked cell holds no pointer that could be part of a cycle, but for values of parameters.
    Leaf,
}

const REGISTERS: u32 = 1 << 31;
const COUNTED: u32 = REGISTERS | 1 << 27;
const GIVEN: u32 = REGISTERS | 1 << 28;
const CELLS: u32 = REGISTERS | 1 << 29;
const FILLED: u32 = CELLS | 1 << 28;
const INVERSES: u32 = REGISTERS | 1 << 30;
const TOGETHER: u32 = INVERSES | 1 << 29;
const VISIBLE: u32 = u32::MAX - 1;
const LEAF: u32 = u32::MAX;
const HIT: u32 = 1;
const MISS: u32 = 0;

impl About {
    fn code(self) -> u32 {
        match self {
            About::Expression(expression) => expression.as_u32(),
            About::Register(register) => REGISTERS | register.as_u32(),
            About::Counted(register) => COUNTED | register.as_u32(),
            About::Given(register) => GIVEN | register.as_u32(),
            About::Apart(cell) => CELLS | cell.as_u32(),
            About::Filled(cell) => FILLED | cell.as_u32(),
            About::Inverse(inverse) => INVERSES | inverse.as_u32(),
            About::Together(cell) => TOGETHER | cell.as_u32(),
            About::Visible => VISIBLE,
            About::Leaf => LEAF,
        }
    }

    fn of(code: u32) -> About {
        match code {
            VISIBLE => About::Visible,
            LEAF => About::Leaf,
            _ if code >= TOGETHER => About::Together(CellId::new((code & !TOGETHER) as usize)),
            _ if code >= INVERSES => About::Inverse(InverseId::new((code & !INVERSES) as usize)),
            _ if code >= FILLED => About::Filled(CellId::new((code & !FILLED) as usize)),
            _ if code >= CELLS => About::Apart(CellId::new((code & !CELLS) as usize)),
            _ if code >= GIVEN => About::Given(RegisterId::new((code & !GIVEN) as usize)),
            _ if code >= COUNTED => About::Counted(RegisterId::new((code & !COUNTED) as usize)),
            _ if code >= REGISTERS => About::Register(RegisterId::new((code & !REGISTERS) as usize)),
            _ => About::Expression(ExpressionId::new(code as usize)),
        }
    }
}

/// Whether an expression refers to the tracked cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Aim {
    /// It surely does.
    Hit,
    /// It surely does not.
    Miss,
}

/// Facts while they are changed, in ascending order.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Facts {
    entries: SmallVec<[u64; 12]>,
}

impl Facts {
    fn find(&self, about: About) -> Result<usize, usize> {
        let code = about.code();
        self.entries.binary_search_by_key(&code, |entry| (entry >> 32) as u32)
    }

    fn value(&self, about: About) -> Option<u32> {
        self.find(about).ok().map(|at| self.entries[at] as u32)
    }

    fn put(&mut self, about: About, value: u32) {
        let entry = u64::from(about.code()) << 32 | u64::from(value);
        match self.find(about) {
            Ok(at) => self.entries[at] = entry,
            Err(at) => self.entries.insert(at, entry),
        }
    }

    /// Forgets.
    pub fn forget(&mut self, about: About) {
        if let Ok(at) = self.find(about) {
            self.entries.remove(at);
        }
    }

    /// What is known of an expression.
    pub fn aim(&self, expression: ExpressionId) -> Option<Aim> {
        self.value(About::Expression(expression)).map(|value| if value == HIT { Aim::Hit } else { Aim::Miss })
    }

    /// Says what an expression does.
    pub fn set_aim(&mut self, expression: ExpressionId, aim: Aim) {
        let value = match aim {
            Aim::Hit => HIT,
            Aim::Miss => MISS,
        };
        self.put(About::Expression(expression), value);
    }

    /// What a parameter was given.
    pub fn given(&self, parameter: RegisterId) -> Number {
        self.value(About::Given(parameter)).map_or(Number::ANY, Number::from_bits)
    }

    /// Says what a parameter was given.
    pub fn set_given(&mut self, parameter: RegisterId, number: Number) {
        if number != Number::ANY {
            self.put(About::Given(parameter), number.bits());
        }
    }

    /// What a register holds.
    pub fn number(&self, register: RegisterId) -> Number {
        self.value(About::Register(register)).map_or(Number::ANY, Number::from_bits)
    }

    /// Says what a register holds.
    pub fn set_number(&mut self, register: RegisterId, number: Number) {
        if number == Number::ANY {
            self.forget(About::Register(register));
        } else {
            self.put(About::Register(register), number.bits());
        }
    }

    /// Whether the tracked cell holds no pointer that could be part of a cycle.
    pub fn is_leaf(&self) -> bool {
        self.leaf() == Some(0)
    }

    /// The parameters (bits, by position) whose values may be in links of the tracked cell, if nothing else is.
    pub fn leaf(&self) -> Option<u32> {
        self.value(About::Leaf)
    }

    /// Says so.
    pub fn set_leaf(&mut self, parameters: u32) {
        self.put(About::Leaf, parameters);
    }

    /// Whether a pair of links leads to the tracked cell's neighbour and back.
    pub fn has_inverse(&self, inverse: InverseId) -> bool {
        self.find(About::Inverse(inverse)).is_ok()
    }

    /// Says so.
    pub fn set_inverse(&mut self, inverse: InverseId) {
        self.put(About::Inverse(inverse), 0);
    }

    /// The pairs of which that is known.
    pub fn inverses(&self) -> impl Iterator<Item = InverseId> + '_ {
        self.entries.iter().filter_map(|entry| match About::of((entry >> 32) as u32) {
            About::Inverse(inverse) => Some(inverse),
            About::Expression(_)
            | About::Register(_)
            | About::Counted(_)
            | About::Given(_)
            | About::Together(_)
            | About::Apart(_)
            | About::Filled(_)
            | About::Visible
            | About::Leaf => None,
        })
    }

    /// Whether that is known of a link of the tracked cell.
    pub fn knows(&self, about: About) -> bool {
        self.find(about).is_ok()
    }

    /// Says so.
    pub fn learn(&mut self, about: About) {
        self.put(about, 0);
    }

    /// What is known of links of the tracked cell.
    pub fn links(&self) -> impl Iterator<Item = (CellId, fn(CellId) -> About)> + '_ {
        self.entries.iter().filter_map(|entry| match About::of((entry >> 32) as u32) {
            About::Apart(cell) => Some((cell, About::Apart as fn(CellId) -> About)),
            About::Filled(cell) => Some((cell, About::Filled as fn(CellId) -> About)),
            About::Expression(_)
            | About::Register(_)
            | About::Counted(_)
            | About::Given(_)
            | About::Together(_)
            | About::Inverse(_)
            | About::Visible
            | About::Leaf => None,
        })
    }

    /// Says that the object with the only reference from a cell refers to the tracked cell from another one, too.
    pub fn set_together(&mut self, cell: CellId, other: CellId) {
        self.put(About::Together(cell), other.as_u32());
    }

    /// The pairs of cells of which that is known.
    pub fn together(&self) -> impl Iterator<Item = (CellId, CellId)> + '_ {
        let first = self.entries.partition_point(|entry| ((*entry >> 32) as u32) < TOGETHER);
        self.entries[first..].iter().map_while(|entry| match About::of((*entry >> 32) as u32) {
            About::Together(cell) => Some((cell, CellId::new((*entry as u32) as usize))),
            _ => None,
        })
    }

    /// Keeps some of them.
    pub fn retain_together(&mut self, keep: impl Fn(CellId, CellId) -> bool) {
        self.entries.retain(|entry| match About::of((*entry >> 32) as u32) {
            About::Together(cell) => keep(cell, CellId::new((*entry as u32) as usize)),
            _ => true,
        });
    }

    /// Whether every link that leads to the tracked cell is counted.
    pub fn is_visible(&self) -> bool {
        self.find(About::Visible).is_ok()
    }

    /// Says so.
    pub fn set_visible(&mut self) {
        self.put(About::Visible, 0);
    }

    /// The expressions of which something is known.
    pub fn aims(&self) -> impl Iterator<Item = (ExpressionId, Aim)> + '_ {
        self.entries.iter().filter_map(|entry| match About::of((entry >> 32) as u32) {
            About::Expression(expression) => {
                Some((expression, if *entry as u32 == HIT { Aim::Hit } else { Aim::Miss }))
            }
            About::Register(_)
            | About::Counted(_)
            | About::Given(_)
            | About::Together(_)
            | About::Apart(_)
            | About::Filled(_)
            | About::Inverse(_)
            | About::Visible
            | About::Leaf => None,
        })
    }

    /// The numbers that are known.
    pub fn numbers(&self) -> impl Iterator<Item = (RegisterId, Number)> + '_ {
        self.entries.iter().filter_map(|entry| match About::of((entry >> 32) as u32) {
            About::Register(register) => Some((register, Number::from_bits(*entry as u32))),
            About::Expression(_)
            | About::Counted(_)
            | About::Given(_)
            | About::Together(_)
            | About::Apart(_)
            | About::Filled(_)
            | About::Inverse(_)
            | About::Visible
            | About::Leaf => None,
        })
    }

    /// Keeps some.
    pub fn retain(&mut self, mut keep: impl FnMut(About, Option<Aim>) -> bool) {
        self.entries.retain(|entry| {
            let about = About::of((*entry >> 32) as u32);
            let aim = match about {
                About::Expression(_) if *entry as u32 == HIT => Some(Aim::Hit),
                About::Expression(_) => Some(Aim::Miss),
                About::Register(_)
                | About::Counted(_)
                | About::Given(_)
                | About::Together(_)
                | About::Apart(_)
                | About::Filled(_)
                | About::Inverse(_)
                | About::Visible
                | About::Leaf => None,
            };
            keep(about, aim)
        });
    }

    /// What both know.
    pub fn join(&self, other: &Facts) -> Facts {
        let mut joined = Facts::default();
        let (mut left, mut right) = (self.entries.iter().peekable(), other.entries.iter().peekable());
        while let (Some(one), Some(two)) = (left.peek(), right.peek()) {
            let (code, other) = ((**one >> 32) as u32, (**two >> 32) as u32);
            if code < other {
                left.next();
            } else if other < code {
                right.next();
            } else {
                match About::of(code) {
                    About::Register(_) | About::Given(_) => {
                        let number = Number::from_bits(**one as u32).join(Number::from_bits(**two as u32));
                        if number != Number::ANY {
                            joined.entries.push(u64::from(code) << 32 | u64::from(number.bits()));
                        }
                    }
                    About::Leaf => joined.entries.push(**one | **two),
                    About::Counted(_) | About::Apart(_) | About::Filled(_) | About::Inverse(_) | About::Visible => {
                        joined.entries.push(**one)
                    }
                    About::Expression(_) | About::Together(_) if **one == **two => joined.entries.push(**one),
                    About::Expression(_) | About::Together(_) => {}
                }
                left.next();
                right.next();
            }
        }
        joined
    }
}

/// Every set of facts once.
#[derive(Default)]
pub struct FactSets {
    table: IndexSet<Box<[u64]>, FxBuildHasher>,
}

impl FactSets {
    /// The number of a set.
    pub fn intern(&mut self, facts: &Facts) -> FactsId {
        if let Some(at) = self.table.get_index_of(&facts.entries[..]) {
            return FactsId(at as u32);
        }
        let (at, _) = self.table.insert_full(facts.entries.as_slice().into());
        FactsId(at as u32)
    }

    /// What a register holds by the set of a number.
    pub fn number(&self, id: FactsId, register: RegisterId) -> Number {
        let code = About::Register(register).code();
        let entries = &self.table[id.0 as usize];
        let found = entries.binary_search_by_key(&code, |entry| (entry >> 32) as u32);
        found.map_or(Number::ANY, |at| Number::from_bits(entries[at] as u32))
    }

    /// The set of a number.
    pub fn get(&self, id: FactsId) -> Facts {
        Facts { entries: SmallVec::from_slice(&self.table[id.0 as usize]) }
    }
}
