//! What can keep a table from being made.

use crate::TABLES;
use crate::corpus::TARGETS;
use std::path::PathBuf;

/// Why a table could not be made.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// No such table.
    #[error("unknown table `{table}`\n  hint: one of: {}", TABLES.join(", "))]
    UnknownTable {
        /// What was asked for.
        table: String,
    },
    /// Bad arguments (or a request for help, which is printed the same way).
    #[error("{0}")]
    Usage(clap::Error),
    /// Neither `--corpus` nor a cache directory.
    #[error("there is no cache directory: HOME is not set\n  hint: say where to keep the programs with --corpus DIR")]
    NoCache,
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A command could not be started or failed.
    #[error("`{command}` {problem}\n{output}  hint: {hint}")]
    Command {
        /// The command.
        command: String,
        /// How it failed.
        problem: String,
        /// The end of what it printed.
        output: String,
        /// What to do.
        hint: &'static str,
    },
    /// The debug information that gcc wrote could not be read.
    #[error("debug information of {}: {problem}", path.display())]
    DebugInformation {
        /// The C file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// No such target.
    #[error("unknown target `{name}`\n  hint: one of: {}", TARGETS.map(|target| target.name).join(", "))]
    UnknownTarget {
        /// What was asked for.
        name: String,
    },
    /// The files of a target are no program.
    #[error("{target}: {why}")]
    FrontEnd {
        /// The target.
        target: &'static str,
        /// Why.
        why: String,
    },
    /// A specification is malformed.
    #[error("{0}")]
    Specification(String),
    /// Provers contradict each other.
    #[error("{0} answer(s) contradict those of another prover: one of them is wrong")]
    Disagreement(usize),
    /// The table could not be printed.
    #[error("printing: {0}")]
    Output(#[from] std::io::Error),
}

impl BenchError {
    /// An error about a file.
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> BenchError {
        let path = path.into();
        move |source| BenchError::File { path, source }
    }
}
