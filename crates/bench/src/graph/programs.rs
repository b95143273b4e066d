//! The programs, and what the paper's table 2 says of them.

use crate::BenchError;
use tempfile::TempDir;

/// A program of the paper's table.
pub(super) struct PaperProgram {
    pub(super) name: &'static str,
    text: &'static str,
    pub(super) locations: u32,
    pub(super) states_full: u32,
    pub(super) states_decomposed: u32,
    pub(super) errors_full: u32,
    pub(super) errors_decomposed: u32,
    pub(super) seconds_full: f64,
    pub(super) seconds_decomposed: f64,
    pub(super) real_errors: u32,
}

/// What the programs include.
const HEADERS: [(&str, &str); 3] = [
    ("heapwise.h", include_str!("../../../../include/heapwise.h")),
    ("list.h", include_str!("../../../../benchmarks/graph/list.h")),
    ("serial.h", include_str!("../../../../benchmarks/graph/serial.h")),
];

/// Writes all programs into a directory of their own.
pub(super) fn unpack() -> Result<TempDir, BenchError> {
    let directory = tempfile::tempdir()?;
    for (name, text) in HEADERS {
        super::write(&directory.path().join(name), text)?;
    }
    for program in &PROGRAMS {
        super::write(&directory.path().join(format!("{}.c", program.name)), program.text)?;
    }
    Ok(directory)
}

/// A row of the paper: program, text, locations, states (full, decomposed), errors reported (full, decomposed), seconds
/// (full, decomposed), real errors.
macro_rules! paper {
    ($name:literal, $locations:literal, $full:literal, $decomposed:literal, $errors_full:literal,
     $errors_decomposed:literal, $seconds_full:literal, $seconds_decomposed:literal, $real:literal) => {
        PaperProgram {
            name: $name,
            text: include_str!(concat!("../../../../benchmarks/graph/", $name, ".c")),
            locations: $locations,
            states_full: $full,
            states_decomposed: $decomposed,
            errors_full: $errors_full,
            errors_decomposed: $errors_decomposed,
            seconds_full: $seconds_full,
            seconds_decomposed: $seconds_decomposed,
            real_errors: $real,
        }
    };
}

/// The paper's table.
pub(super) const PROGRAMS: [PaperProgram; 21] = [
    paper!("create", 11, 27, 36, 0, 0, 0.03, 0.19, 0),
    paper!("delete", 25, 202, 260, 0, 0, 0.17, 0.27, 0),
    paper!("deleteAll", 12, 35, 64, 0, 0, 0.05, 0.09, 0),
    paper!("getLast", 13, 67, 99, 0, 1, 0.06, 0.13, 0),
    paper!("getLast_cyclic", 13, 53, 59, 0, 0, 0.08, 0.09, 0),
    paper!("insert", 23, 167, 222, 0, 0, 0.14, 0.28, 0),
    paper!("merge", 37, 517, 542, 0, 0, 0.34, 0.58, 0),
    paper!("removeSeg", 23, 253, 283, 0, 0, 0.19, 0.33, 0),
    paper!("reverse", 13, 82, 117, 0, 0, 0.09, 0.12, 0),
    paper!("reverse_cyclic", 14, 129, 392, 0, 0, 0.14, 0.36, 0),
    paper!("reverse_pan", 12, 198, 561, 0, 0, 0.2, 0.6, 0),
    paper!("rotate", 17, 33, 50, 0, 0, 0.05, 0.08, 0),
    paper!("search_nulldref", 7, 48, 62, 1, 1, 0.06, 0.1, 1),
    paper!("swap", 13, 35, 62, 0, 0, 0.05, 0.09, 0),
    paper!("enqueueEvents", 49, 248, 178, 0, 0, 0.2, 0.2, 0),
    paper!("queue_2_stacks", 61, 110, 216, 0, 1, 0.1, 0.2, 0),
    paper!("join_5", 68, 14704, 1227, 0, 0, 12.5, 0.5, 0),
    paper!("split_5", 47, 27701, 827, 0, 0, 28.5, 0.3, 0),
    paper!("1394diag", 180, 10737, 4493, 0, 0, 26.2, 1.8, 0),
    paper!("serial_4_lists", 248, 27851, 6020, 0, 0, 36.9, 1.7, 0),
    paper!("serial_5_lists", 278, 89430, 7733, 0, 0, 552.6, 2.6, 0),
];
