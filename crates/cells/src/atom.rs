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
    /// A pointer to a cell that exists and that the procedure which runs was not given: it never looks behind it.
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

impl Atom {
    /// The null pointer.
    pub const NULL: Atom = Atom::Int(0);

    /// The atom for an integer constant; large ones are not told apart.
    pub fn int(value: i128) -> Atom {
        i32::try_from(value).map_or(Atom::Opaque, Atom::Int)
    }

    /// Equality with another atom. Addresses are reused, so a dangling pointer may equal anything.
    pub fn equals(self, other: Atom) -> Equality {
        let known = |same: bool| if same { Equality::Equal } else { Equality::Different };
        match (self, other) {
            (Atom::Int(a), Atom::Int(b)) => known(a == b),
            (Atom::Place(a), Atom::Place(b)) => known(a == b),
            (Atom::Library, Atom::Library) => Equality::Either,
            (Atom::Outside, Atom::Outside) => Equality::Either,
            (Atom::Place(_) | Atom::Library | Atom::Outside, Atom::Int(_) | Atom::Place(_))
            | (Atom::Int(_), Atom::Place(_) | Atom::Library | Atom::Outside)
            | (Atom::Place(_) | Atom::Outside, Atom::Library)
            | (Atom::Place(_) | Atom::Library, Atom::Outside) => Equality::Different,
            (Atom::Freed | Atom::Uninit | Atom::Opaque | Atom::NoLink, _)
            | (_, Atom::Freed | Atom::Uninit | Atom::Opaque | Atom::NoLink) => Equality::Either,
        }
    }

    /// Equality with a pointer to a cell.
    pub fn equals_cell(self) -> Equality {
        match self {
            // Cells that a procedure has are others than those that it was not given.
            Atom::Int(_) | Atom::Place(_) | Atom::Library | Atom::Outside => Equality::Different,
            Atom::Freed | Atom::Uninit | Atom::Opaque | Atom::NoLink => Equality::Either,
        }
    }
}
