//! A whole program: the tables that ids point into.

use crate::function::Function;
use crate::ids::{FileId, FunctionId, GlobalId, RecordId, TypeId};
use crate::span::Span;
use crate::types::{BitRange, Record, Target, TypeTable};
use crate::value::Operand;
use cranelift_entity::PrimaryMap;

/// A linked program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The machine.
    pub target: Target,
    /// Source files, for spans.
    pub files: PrimaryMap<FileId, SourceFile>,
    /// Types.
    pub types: TypeTable,
    /// Records.
    pub records: PrimaryMap<RecordId, Record>,
    /// Globals and string literals.
    pub globals: PrimaryMap<GlobalId, Global>,
    /// Functions.
    pub functions: PrimaryMap<FunctionId, Function>,
    /// Contracts that the C text states with `hw_requires` and `hw_ensures`.
    pub contracts: Vec<Contract>,
    /// What of the text outside any function could not be understood: every verdict about this program is
    /// *unknown* because of it.
    pub gaps: Vec<(Span, crate::UnsupportedReason)>,
    /// Functions of the text that nothing here calls, and that were left out for it.
    pub uncalled: Vec<(String, Span)>,
}

impl Program {
    /// A program with nothing in it.
    pub fn new(target: Target) -> Program {
        Program {
            target,
            files: PrimaryMap::new(),
            types: TypeTable::default(),
            records: PrimaryMap::new(),
            globals: PrimaryMap::new(),
            functions: PrimaryMap::new(),
            contracts: Vec::new(),
            gaps: Vec::new(),
            uncalled: Vec::new(),
        }
    }

    /// The function of that name.
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        self.functions.iter().find(|(_, function)| function.name == name).map(|(id, _)| id)
    }
}

/// A source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// The path as the user or the `#include` gave it.
    pub path: String,
    /// Its text, for excerpts; empty where it could not be kept.
    pub text: String,
}

/// How many bytes an object has of which nobody says where it ends (`extern int table[];`, elements behind a pointer of an argument):
/// more than anybody looks at. Beside it a gap says that the size is not known.
pub const OPEN_EXTENT: u64 = 1 << 30;

/// An object with static storage.
#[derive(Clone, Debug)]
pub struct Global {
    /// The C name; unique within the program (`name@file.c` or `name@function` for a `static` one that clashes).
    pub name: String,
    /// Where it is defined or declared.
    pub span: Span,
    /// Its type.
    pub ty: TypeId,
    /// Its size in bytes (the type may be an array of unknown count).
    pub size: u64,
    /// What its address is a multiple of, where its declaration says so; else what its type asks for.
    pub align: Option<u64>,
    /// What it holds before `main`.
    pub initializer: Initializer,
    /// Whether it may be written.
    pub mutability: Mutability,
}

/// Whether an object may be written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mutability {
    /// It may.
    Mutable,
    /// String literals: writing is an error.
    ReadOnly,
}

/// What a global holds before `main`.
#[derive(Clone, PartialEq, Debug)]
pub enum Initializer {
    /// Zero bytes, then these items in order.
    Items(Vec<InitializerItem>),
    /// These bytes (string literals), zeros behind them.
    Bytes(Vec<u8>),
    /// Declared `extern` and defined nowhere in the program: any value, and other code may change it.
    Unknown,
    /// A pointer variable of the library (`stdin`, `environ`): it holds a pointer to storage of the library, as
    /// [`crate::ExternResult::Library`] describes it.
    Library(crate::function::NullResult),
}

/// One scalar of an initializer.
#[derive(Clone, PartialEq, Debug)]
pub struct InitializerItem {
    /// Offset in bytes.
    pub offset: u64,
    /// The scalar type.
    pub ty: TypeId,
    /// The bits of it, for a bit-field.
    pub bits: Option<BitRange>,
    /// A constant or the address of a global or function.
    pub value: Operand,
    /// Bytes added to an address (`&array[3]`).
    pub addend: i64,
}

/// A contract of a function, as the C text has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contract {
    /// The function.
    pub function: FunctionId,
    /// `hw_requires` formulas.
    pub requires: Vec<String>,
    /// `hw_ensures` formulas.
    pub ensures: Vec<String>,
    /// Where it is written.
    pub span: Span,
}
