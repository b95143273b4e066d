//! The only module that names the `rucc` crates: everything else sees the typed tree through here.
//!
//! Those crates are young and their API moves; a new version is a change in this directory (and wherever the shape of
//! the tree itself changed, which the exhaustive matches of the lowering point out).

mod contracts;
mod designators;
mod files;
mod machine;
mod members;
mod packing;
mod parse;
mod walk;

pub(crate) use designators::{Designators, Form as ItemForm, Item as ListItem, ListText};
pub(crate) use files::FileStore;
pub use files::library_headers;
pub(crate) use machine::{knows_architecture, knows_instruction_set};
pub(crate) use parse::{Source, check};
pub(crate) use walk::{all_declarations, for_each_child, for_each_init, has_effects, leftovers};

pub(crate) use rucc_ast::{BinaryOp, UnaryOp};
pub(crate) use rucc_base::float::{Float, Format, Status};
pub(crate) use rucc_diag::{FileId, Span};
pub(crate) use rucc_sema::{
    Asm, AsmId, AsmOperand, AtomicOp, Base, BitCount, CaseId, Category, Classify, Const, Conversion, Decl, DeclFlags,
    DeclId, DeclKind, Definition, Effects, Emission, Eval, ExprId, ExprKind, ExprList, InitEntry, InitList, LabelId,
    Linkage, OverflowOp, Priority, Rmw, Sign, Stmt, StmtId, StorageDuration, StrId, library_name, reverse_ordered,
    unchecked_name,
};
pub(crate) use rucc_session::Std;
pub(crate) use rucc_target::VaList;
pub(crate) use rucc_types::{
    ArrayLen, FloatKind, Qualifiers, RecordId, RecordKind, TypeId, TypeKind, Types, VlaId, integer_info, layout, spell,
};
