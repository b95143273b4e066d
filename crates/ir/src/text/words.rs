//! The words that printer and parser share.

use crate::instruction::ShapeKind;
use crate::types::{FloatType, IntType};
use crate::value::{BinaryOperator, CompareOperator};

/// Words that a name between no backquotes cannot be.
pub const RESERVED: &[&str] = &[
    "void",
    "bool",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "f32",
    "f64",
    "f80",
    "f128",
    "ptr",
    "fn",
    "extern",
    "struct",
    "union",
    "global",
    "target",
    "file",
    "contract",
    "gap",
    "var",
    "addr",
    "temp",
    "entry",
    "exit",
    "locations",
    "at",
    "as",
    "null",
    "sizeof",
    "floatbits",
    "load",
    "store",
    "copy",
    "fill",
    "alloc",
    "free",
    "end",
    "skip",
    "assume",
    "assert",
    "call",
    "unsupported",
    "container_of",
    "bytes",
    "index",
    "diff",
    "neg",
    "not",
    "convert",
    "nondet",
    "true",
    "false",
    "over",
    "via",
    "acyclic",
    "cyclic",
    "reach",
    "disjoint",
    "dll",
    "tree",
    "treep",
    "bits",
    "size",
    "common",
    "nofail",
    "zeroed",
    "anything",
    "tail",
    "heap",
    "auto",
    "taken",
    "readonly",
];

/// Whether `name` can stand without backquotes.
pub fn is_plain_name(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(is_name_start) && characters.all(is_name_part) && !RESERVED.contains(&name)
}

/// Whether a name without backquotes can start like this.
pub fn is_name_start(character: char) -> bool {
    character.is_ascii_alphabetic() || character == '_' || character == '$'
}

/// Whether a name without backquotes can go on like this.
pub fn is_name_part(character: char) -> bool {
    is_name_start(character) || character.is_ascii_digit()
}

/// Integer types.
pub const INT_TYPES: [(&str, IntType); 11] = [
    ("bool", IntType::Bool),
    ("i8", IntType::Signed(1)),
    ("i16", IntType::Signed(2)),
    ("i32", IntType::Signed(4)),
    ("i64", IntType::Signed(8)),
    ("i128", IntType::Signed(16)),
    ("u8", IntType::Unsigned(1)),
    ("u16", IntType::Unsigned(2)),
    ("u32", IntType::Unsigned(4)),
    ("u64", IntType::Unsigned(8)),
    ("u128", IntType::Unsigned(16)),
];

/// Floating-point types.
pub const FLOAT_TYPES: [(&str, FloatType); 4] =
    [("f32", FloatType::Single), ("f64", FloatType::Double), ("f80", FloatType::Extended), ("f128", FloatType::Quad)];

/// Operators between two operands.
pub const BINARY_OPERATORS: [(&str, BinaryOperator); 10] = [
    ("+", BinaryOperator::Add),
    ("-", BinaryOperator::Subtract),
    ("*", BinaryOperator::Multiply),
    ("/", BinaryOperator::Divide),
    ("%", BinaryOperator::Remainder),
    ("&", BinaryOperator::And),
    ("|", BinaryOperator::Or),
    ("^", BinaryOperator::Xor),
    ("<<", BinaryOperator::ShiftLeft),
    (">>", BinaryOperator::ShiftRight),
];

/// Comparisons.
pub const COMPARE_OPERATORS: [(&str, CompareOperator); 6] = [
    ("==", CompareOperator::Equal),
    ("!=", CompareOperator::NotEqual),
    ("<", CompareOperator::Less),
    ("<=", CompareOperator::LessEqual),
    (">", CompareOperator::Greater),
    (">=", CompareOperator::GreaterEqual),
];

/// Shape predicates.
pub const SHAPES: [(&str, ShapeKind); 7] = [
    ("acyclic", ShapeKind::Acyclic),
    ("cyclic", ShapeKind::Cyclic),
    ("reach", ShapeKind::Reach),
    ("disjoint", ShapeKind::Disjoint),
    ("dll", ShapeKind::DoublyLinked),
    ("tree", ShapeKind::Tree),
    ("treep", ShapeKind::TreeWithParent),
];

/// The word of a value in one of the tables above.
pub fn word_of<T: PartialEq>(table: &[(&'static str, T)], value: &T) -> &'static str {
    table.iter().find(|(_, candidate)| candidate == value).map_or("?", |(word, _)| word)
}

/// The value of a word in one of the tables above.
pub fn value_of<T: Copy>(table: &[(&'static str, T)], word: &str) -> Option<T> {
    table.iter().find(|(candidate, _)| *candidate == word).map(|(_, value)| *value)
}
