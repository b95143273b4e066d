//! Places in the C text.

use crate::ids::FileId;

/// A range of C text. Lines and columns count from 1; columns count bytes. A macro expansion is placed at
/// the use of the macro.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The file, absent for what no text wrote (an implicit `return 0` of `main`, test programs).
    pub file: Option<FileId>,
    /// First line.
    pub line: u32,
    /// First column.
    pub column: u32,
    /// Last line.
    pub end_line: u32,
    /// One past the last column.
    pub end_column: u32,
}

impl Span {
    /// The span of what no text wrote.
    pub const NONE: Span = Span { file: None, line: 0, column: 0, end_line: 0, end_column: 0 };

    /// A span at one point of a file.
    pub fn at(file: FileId, line: u32, column: u32) -> Span {
        Span { file: Some(file), line, column, end_line: line, end_column: column + 1 }
    }
}
