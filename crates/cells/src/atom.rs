//! Values that are not cells: null and its siblings. They end lists and never connect components.

/// A variable of a cell program: a pointer register of one call string, a scalar slot of a static or local
/// object, or a tracked flag.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(u32);
heapwise_ir::entity::entity_impl!(Var, "v");

/// A value that is not a (live) cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Atom {
    /// An integer; 0 is null.
    Int(i32),
    /// A pointer to a cell that was freed, or to storage that has ended.
    Freed,
    /// Never written.
    Uninit,
    /// Some value that is no pointer to a cell: an input, arithmetic, a pointer to what is not tracked.
    Opaque,
    /// The address of a static or local object; see [`crate::program::CellProgram::places`].
    Place(u32),
    /// A pointer to storage of the library: it may be looked through, and nothing of the program is behind it.
    Library,
    /// The successor of a cell whose record has no link field.
    NoLink,
    /// What a link holds that leads to a cell which the procedure that runs was not given: it never reads such links.
    Outside,
}

/// How two values compare for equality.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Equality {
    /// Surely equal.
    Equal,
    /// Surely different.
    Different,
    /// Both outcomes are possible.
    Either,
}

const TAG_BITS: u32 = 4;
/// Integers beyond this are not told apart: their encoding shares a word with the tag.
const INT_LIMIT: i128 = 1 << 26;

impl Atom {
    /// The null pointer.
    pub const NULL: Atom = Atom::Int(0);

    /// The atom for an integer constant.
    pub fn int(value: i128) -> Atom {
        if (-INT_LIMIT..INT_LIMIT).contains(&value) { Atom::Int(value as i32) } else { Atom::Opaque }
    }

    /// Equality with another atom. Addresses are reused, so a dangling pointer may equal anything.
    pub fn equals(self, other: Atom) -> Equality {
        let known = |same: bool| if same { Equality::Equal } else { Equality::Different };
        match (self, other) {
            (Atom::Int(a), Atom::Int(b)) => known(a == b),
            (Atom::Place(a), Atom::Place(b)) => known(a == b),
            (Atom::Library, Atom::Library) => Equality::Either,
            (Atom::Place(_) | Atom::Library, Atom::Int(_) | Atom::Place(_))
            | (Atom::Int(_), Atom::Place(_) | Atom::Library)
            | (Atom::Place(_), Atom::Library) => Equality::Different,
            (Atom::Freed | Atom::Uninit | Atom::Opaque | Atom::NoLink | Atom::Outside, _)
            | (_, Atom::Freed | Atom::Uninit | Atom::Opaque | Atom::NoLink | Atom::Outside) => Equality::Either,
        }
    }

    /// Equality with a pointer to a cell.
    pub fn equals_cell(self) -> Equality {
        match self {
            Atom::Int(_) | Atom::Place(_) | Atom::Library => Equality::Different,
            Atom::Freed | Atom::Uninit | Atom::Opaque | Atom::NoLink | Atom::Outside => Equality::Either,
        }
    }

    /// One even word.
    pub fn encode(self) -> u32 {
        let (tag, payload) = match self {
            Atom::Int(value) => (0, value as u32),
            Atom::Freed => (1, 0),
            Atom::Uninit => (2, 0),
            Atom::Opaque => (3, 0),
            Atom::NoLink => (4, 0),
            Atom::Place(place) => (5, place),
            Atom::Library => (6, 0),
            Atom::Outside => (7, 0),
        };
        (payload << TAG_BITS) | (tag << 1)
    }

    /// The atom of such a word.
    pub fn decode(word: u32) -> Atom {
        let payload = word >> TAG_BITS;
        match (word >> 1) & 7 {
            0 => Atom::Int((word as i32) >> TAG_BITS),
            1 => Atom::Freed,
            2 => Atom::Uninit,
            3 => Atom::Opaque,
            4 => Atom::NoLink,
            5 => Atom::Place(payload),
            6 => Atom::Library,
            _ => Atom::Outside,
        }
    }
}
