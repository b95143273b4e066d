//! Newtype ids.

use heapwise_ir::entity::entity_impl;

/// A program point of the [`crate::Flow`] that is analysed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PointId(u32);
entity_impl!(PointId, "point");

/// A step from one point to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepId(u32);
entity_impl!(StepId, "step");

/// A part of a flow that can be entered and left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcedureId(u32);
entity_impl!(ProcedureId, "procedure");

/// An interned element: equal elements have equal ids.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ElementId(u32);
entity_impl!(ElementId, "element");

/// How a procedure was entered. Facts of different entries never meet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryId(u32);
entity_impl!(EntryId, "entry");

/// An interned key of entries: see [`crate::Successors::enter_keyed`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId(u32);
entity_impl!(KeyId, "key");

/// What holds at one point for one entry.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(u32);
entity_impl!(TableId, "table");

/// One element in one table. Facts are numbered in the order in which they were found, so the facts that one was
/// derived from have smaller numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactId(u32);
entity_impl!(FactId, "fact");

/// A call string of an inlined program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContextId(u32);
entity_impl!(ContextId, "context");
