//! `heapwise-ir`: the intermediate representation: one small language that every engine analyses and `interp` runs.
//!
//! **What it is.** A [`Program`] is a table of types and records with their layouts, globals, and
//! functions. A [`Function`] is a control-flow automaton: locations, and edges that each carry exactly one
//! of eleven [`Instruction`]s and the [`Span`] of the C text it came from. Scalar locals whose address is
//! never taken are *registers*; every other object is *memory*, reached only through pointer values.
//!
//! **What it is not.** It knows no C syntax and no analysis.
//!
//! **The law it keeps.** What could not be lowered soundly is an explicit [`Instruction::Unsupported`] edge,
//! so a transfer function that matches all eleven arms has seen everything the program can do.
//!
//! **Where to start.** [`instruction`] for the eleven instructions, [`path`] for field paths, [`program`] for
//! the tables, [`text`] for programs in text and [`verify`] for what makes one well-formed. What every engine needs to
//! know about a program is computed here: [`Liveness`], [`Dominators`], [`Loops`], [`CallGraph`], and the [`order`] in
//! which to visit locations. [`callbacks`] writes out calls that call back, as `qsort` does.

mod agreement;
pub mod bits;
pub mod callbacks;
pub mod callgraph;
pub mod claim;
pub mod dominators;
mod fingerprint;
pub mod format;
pub mod function;
pub mod ids;
pub mod instruction;
pub mod integer;
pub mod layout;
mod links;
pub mod liveness;
pub mod loops;
pub mod order;
pub mod path;
pub mod program;
mod role;
mod shape;
pub mod span;
pub mod text;
pub mod types;
mod unsupported;
pub mod uses;
pub mod value;
pub mod verifier;

pub use cranelift_entity as entity;

pub use bits::RegisterRows;
pub use callgraph::{AnyAddressTaken, CallGraph, CallKind, CallSite, IndirectTargets, MayCall, reachable_functions};
pub use dominators::Dominators;
pub use fingerprint::fingerprint;
pub use function::{
    Automaton, Body, Callback, CallbackArgument, CertainArgument, DecidedBy, Dereference, DescriptorPart, Edge,
    Elements, ErrorNumber, ExternEffects, ExternResult, Format, FormatLanguage, Function, InputEnd, InputPart, Length,
    MemoryEffect, NullArgument, NullResult, RangeEnd, ReadFirst, Register, RegisterOrigin, ResultRange, ResultStorage,
    SequencePart, Success, Termination, WrittenBytes,
};
pub use ids::{EdgeId, FileId, FunctionId, GlobalId, LocationId, RecordId, RegisterId, TypeId};
pub use instruction::{
    Callee, Condition, CopySource, Extent, Failure, InitialContents, Instruction, Place, ShapeKind, ShapePredicate,
    Storage, View,
};
pub use layout::{Bound, PathUse, ResolvedPath};
pub use links::LinkError;
pub use liveness::Liveness;
pub use loops::{Loop, Loops};
pub use path::{Index, Path, Step};
pub use program::{Contract, Global, Initializer, InitializerItem, Mutability, OPEN_EXTENT, Program, SourceFile};
pub use role::LinkRole;
pub use shape::{ShapeClause, ShapeDefinition};
pub use span::Span;
pub use types::{BitRange, Field, FloatType, IntType, Record, RecordKind, Signature, Target, Type, TypeTable};
pub use unsupported::{ClaimFault, Construct, UnsupportedReason};
pub use value::{BinaryOperator, CompareOperator, Expression, Operand, UnaryOperator};
pub use verifier::{Problem, verify};
