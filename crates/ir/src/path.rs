//! Field paths: the readable name of a byte offset within a viewed type.
//!
//! The byte offset is the identity of a place; a path is how it is stored and shown, so interior pointers
//! (`&rq->queuelist`) and `container_of` (path added, path taken away) are exact.

use crate::ids::{RecordId, TypeId};
use crate::value::Operand;
use smallvec::SmallVec;

/// A way from the start of a viewed type down to a part of it. An empty path is the whole view.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Path {
    /// The type as which the bytes behind the base pointer are seen. A pointer register's own pointee type may
    /// differ (after a cast): the instruction's view is the one that counts.
    pub view: TypeId,
    /// The steps, outermost first.
    pub steps: SmallVec<[Step; 2]>,
}

/// One step down.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// Into the field of a record, by its position in [`crate::Record::fields`].
    Field(RecordId, u32),
    /// Into an element of an array.
    Index(Index),
}

/// Which element of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Index {
    /// A constant.
    Constant(i64),
    /// The value of an integer operand.
    Operand(Operand),
}
