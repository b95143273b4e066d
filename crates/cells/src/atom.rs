//! Values that are not cells: null and its siblings. They end lists and never connect components.

use crate::place::{Equality, Place};

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
    /// A pointer to a cell that was freed.
    Freed,
    /// The address that was a [`Atom::Place`] until the local's storage ended; the function that it is a local of still runs,
    /// and the local has not begun again.
    Ended(u32),
    /// A pointer to storage of a local that has ended, whichever.
    Gone,
    /// Never written.
    Uninit,
    /// Some value that is no pointer to a cell: an input, arithmetic, a pointer to what is not tracked.
    Opaque,
    /// The address of a static or local object that exists; see [`crate::program::CellProgram::places`].
    Place(u32),
    /// A pointer to storage of the library: so many bytes may be looked at, and nothing of the program is behind it.
    Library(u32),
    /// The successor of a cell whose record has no link field.
    NoLink,
    /// A pointer to a cell that exists and that the procedure which runs was not given: it never looks behind it.
    Outside,
}

impl Atom {
    /// The null pointer.
    pub const NULL: Atom = Atom::Int(0);

    /// The atom for an integer constant; large ones are not told apart.
    pub fn int(value: i128) -> Atom {
        i32::try_from(value).map_or(Atom::Opaque, Atom::Int)
    }

    /// Equality with another atom. Addresses are used again, so a dangling pointer may equal any other pointer; it is not null.
    pub fn equals(self, other: Atom, places: &[Place]) -> Equality {
        let known = |same: bool| if same { Equality::Equal } else { Equality::Different };
        match (self, other) {
            (Atom::Uninit | Atom::Opaque | Atom::NoLink, _) | (_, Atom::Uninit | Atom::Opaque | Atom::NoLink) => {
                Equality::Either
            }
            (Atom::Int(a), Atom::Int(b)) => known(a == b),
            (
                Atom::Int(_),
                Atom::Place(_) | Atom::Library(_) | Atom::Outside | Atom::Freed | Atom::Ended(_) | Atom::Gone,
            )
            | (
                Atom::Place(_) | Atom::Library(_) | Atom::Outside | Atom::Freed | Atom::Ended(_) | Atom::Gone,
                Atom::Int(_),
            ) => Equality::Different,
            (Atom::Place(a), Atom::Place(b)) => places[a as usize].of.equals(&places[b as usize].of),
            // A local that has not begun again since has one address; another one may have had the same.
            (Atom::Ended(a), Atom::Ended(b)) => {
                let (a, b) = (&places[a as usize].of, &places[b as usize].of);
                if a.is_of_same_object(b) { a.equals(b) } else { Equality::Either }
            }
            (Atom::Place(place), Atom::Library(_) | Atom::Outside)
            | (Atom::Library(_) | Atom::Outside, Atom::Place(place)) => {
                places[place as usize].of.equals_start_of_another()
            }
            (Atom::Library(_), Atom::Library(_)) | (Atom::Outside, Atom::Outside) => Equality::Either,
            (Atom::Library(_), Atom::Outside) | (Atom::Outside, Atom::Library(_)) => Equality::Different,
            (Atom::Freed | Atom::Ended(_) | Atom::Gone, Atom::Place(place))
            | (Atom::Place(place), Atom::Freed | Atom::Ended(_) | Atom::Gone) => {
                places[place as usize].of.equals_dangling()
            }
            (Atom::Freed | Atom::Ended(_) | Atom::Gone, _) | (_, Atom::Freed | Atom::Ended(_) | Atom::Gone) => {
                Equality::Either
            }
        }
    }

    /// Equality with a pointer to a cell.
    pub fn equals_cell(self, places: &[Place]) -> Equality {
        match self {
            // Cells that a procedure has are others than those that it was not given.
            Atom::Int(_) | Atom::Library(_) | Atom::Outside => Equality::Different,
            Atom::Place(place) => places[place as usize].of.equals_start_of_another(),
            Atom::Freed | Atom::Ended(_) | Atom::Gone | Atom::Uninit | Atom::Opaque | Atom::NoLink => Equality::Either,
        }
    }
}
