//! Addresses of static and local objects, and of functions: which of them may be equal, and what the C standard leaves open.
//!
//! Two bytes of two objects have two addresses. Three things are left open: one past the end of an object may be where the
//! next one starts; string literals may share bytes wherever they are the same; and a local of a function that runs several
//! times at once has as many addresses.

use heapwise_ir::{CompareOperator, FunctionId};
use std::rc::Rc;

/// An address that is a value of the program, an [`crate::atom::Atom::Place`] by its position in
/// [`crate::program::CellProgram::places`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// What it is called in C: `&x`, `&x+8`.
    pub name: String,
    /// What it is the address of.
    pub of: AddressOf,
}

/// What an address is the address of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AddressOf {
    /// A function.
    Function(FunctionId),
    /// A byte of an object.
    Object {
        /// Tells objects apart.
        object: ObjectId,
        /// How many bytes from its start; outside of it, where a program moved a pointer there.
        offset: i64,
        /// Its size, if that is known.
        size: Option<u64>,
        /// The bytes of a string literal.
        literal: Option<Rc<[u8]>>,
        /// How many objects of that name there may be at a time.
        instances: Instances,
    },
}

/// An object of a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ObjectId {
    /// A global or a string literal.
    Global(heapwise_ir::GlobalId),
    /// A local that lives in memory.
    Auto(u32),
}

/// How many objects of one name there may be at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instances {
    /// One.
    One,
    /// One for each call of a function that calls itself.
    Many,
}

/// Where in (or at) an object an address is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Position {
    /// One of its bytes.
    Inside,
    /// One past the end.
    End,
    /// Elsewhere, or it is not known.
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

impl Equality {
    /// Whether values of which this is known may compare so. Which of two different addresses is the greater one is left open.
    pub fn may_hold(self, operator: CompareOperator) -> bool {
        match operator {
            CompareOperator::Equal => self != Equality::Different,
            CompareOperator::NotEqual | CompareOperator::Less | CompareOperator::Greater => self != Equality::Equal,
            CompareOperator::LessEqual | CompareOperator::GreaterEqual => true,
        }
    }
}

impl AddressOf {
    /// How two addresses compare.
    pub fn equals(&self, other: &AddressOf) -> Equality {
        let (
            AddressOf::Object { object, offset, literal, instances, .. },
            AddressOf::Object { object: other_object, offset: other_offset, literal: other_literal, .. },
        ) = (self, other)
        else {
            return if self == other { Equality::Equal } else { Equality::Different };
        };
        if object == other_object {
            return match (instances, offset == other_offset) {
                (Instances::Many, _) => Equality::Either,
                (Instances::One, true) => Equality::Equal,
                (Instances::One, false) => Equality::Different,
            };
        }
        let may_overlap = match (literal, other_literal) {
            (Some(bytes), Some(other)) => may_share(bytes, *offset, other, *other_offset),
            (Some(_) | None, _) => false,
        };
        match (self.position(), other.position()) {
            (Position::Inside, Position::Inside) if !may_overlap => Equality::Different,
            // Whatever follows an object starts there.
            (Position::End, Position::Inside) if *other_offset != 0 && !may_overlap => Equality::Different,
            (Position::Inside, Position::End) if *offset != 0 && !may_overlap => Equality::Different,
            (Position::Inside | Position::End | Position::Outside, _) => Equality::Either,
        }
    }

    /// Whether both are addresses in one object.
    pub fn is_of_same_object(&self, other: &AddressOf) -> bool {
        match (self, other) {
            (AddressOf::Object { object, .. }, AddressOf::Object { object: other, .. }) => object == other,
            (AddressOf::Function(_), _) | (_, AddressOf::Function(_)) => false,
        }
    }

    /// How the address of the start of another object compares, of which nothing is known but that it is another one.
    pub fn equals_start_of_another(&self) -> Equality {
        match self.position() {
            Position::Inside => Equality::Different,
            Position::End | Position::Outside => Equality::Either,
        }
    }

    /// How a pointer compares that dangles: what lives as long as the program was never elsewhere.
    pub fn equals_dangling(&self) -> Equality {
        match self {
            AddressOf::Function(_) => Equality::Different,
            AddressOf::Object { object: ObjectId::Global(_), .. } => self.equals_start_of_another(),
            AddressOf::Object { object: ObjectId::Auto(_), .. } => Equality::Either,
        }
    }

    fn position(&self) -> Position {
        match self {
            AddressOf::Function(_) => Position::Inside,
            AddressOf::Object { offset, size, .. } => match (u64::try_from(*offset), size) {
                (Ok(offset), Some(size)) if offset < *size => Position::Inside,
                (Ok(offset), Some(size)) if offset == *size => Position::End,
                // However large it is, it starts at its start.
                (Ok(0), None) => Position::Inside,
                (Ok(_) | Err(_), _) => Position::Outside,
            },
        }
    }
}

/// Whether two string literals may lie over each other so that these bytes of them are one: where they overlap then, they
/// have the same bytes.
fn may_share(bytes: &[u8], offset: i64, other: &[u8], other_offset: i64) -> bool {
    let shift = i128::from(other_offset) - i128::from(offset);
    let at = |bytes: &[u8], index: i128| usize::try_from(index).ok().and_then(|index| bytes.get(index).copied());
    (0..bytes.len() as i128).all(|index| match (at(bytes, index), at(other, index + shift)) {
        (Some(byte), Some(other)) => byte == other,
        (Some(_) | None, _) => true,
    })
}
