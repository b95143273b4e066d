//! `heapwise-bench`: tables of heapwise on real programs, behind `heapwise bench TABLE`.
//!
//! **What it is.** It fetches the sources of well-known programs from the machine's Debian archive, runs parts of heapwise on
//! them beside gcc, and prints what came out, as a table to read and as CSV.
//!
//! **What it is not.** Not a test: it needs a network the first time, minutes, and a quiet machine. What can be checked
//! without is in this crate's tests.
//!
//! **The law it keeps.** Both sides of a comparison run on the same files in the same run and count the same lines; what is
//! left out is counted and named.
//!
//! **Where to start.** [`run`]; [`corpus`] for the programs, [`frontend`] and [`layout`] for the tables.

pub mod assume;
pub mod compiler;
pub mod contracts;
mod copies;
pub mod corpus;
pub mod debuginfo;
pub mod engines;
mod error;
pub mod everyday;
pub mod frontend;
pub mod graph;
pub mod layout;
mod memory;
pub mod overlay;
pub mod pointsto;
pub mod refine;
pub mod region;
mod region_growth;
mod table;
pub mod tvl;

pub use error::BenchError;

use clap::Parser;
use corpus::CorpusProgram;
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;

/// The tables there are.
pub const TABLES: [&str; 12] = [
    "assume",
    "cfront",
    "contracts",
    "engines",
    "everyday",
    "graph",
    "layout",
    "overlay",
    "pointsto",
    "refine",
    "region",
    "tvl",
];

/// Options of a table.
#[derive(Clone, Debug, Parser)]
#[command(no_binary_name = true, name = "heapwise bench", about = "Regenerates a table on real programs")]
pub struct Options {
    /// Where the programs' sources are kept between runs [default: heapwise/corpora in the user's cache directory]; for
    /// the table tvl, the directory of the specifications [default: tests/tvp and benchmarks/tvl], for contracts that of the
    /// clients [default: tests/c/tvl], for engines and everyday that of the programs [default: tests/c], for refine that of its programs
    /// [default: benchmarks/refine].
    #[arg(long, value_name = "DIR")]
    pub corpus: Option<PathBuf>,
    /// Only these programs (may be repeated).
    #[arg(long = "program", value_name = "NAME")]
    pub programs: Vec<CorpusProgram>,
    /// Only what these targets of the programs' builds link together (may be repeated; tables pointsto and region).
    #[arg(long = "target", value_name = "NAME")]
    pub targets: Vec<String>,
    /// Only files whose path contains this text.
    #[arg(long, value_name = "TEXT")]
    pub files: Option<String>,
    /// Also write the table as comma-separated values into this file.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Examples printed per reason or difference.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub examples: usize,
    /// Also up to so many copies of each program linked together: 1, 4, 16 and so on (table region).
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub copies: usize,
    /// Without gcc beside (table region).
    #[arg(long)]
    pub alone: bool,
    /// Seconds after which a run is cut, and printed as cut (table refine).
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    pub cut: u64,
}

impl Options {
    /// The corpus directory.
    fn corpus(&self) -> Result<PathBuf, BenchError> {
        corpus_directory(self.corpus.as_deref())
    }

    /// The chosen programs, or all.
    fn programs(&self) -> Vec<CorpusProgram> {
        if self.programs.is_empty() { CorpusProgram::ALL.to_vec() } else { self.programs.clone() }
    }
}

/// Runs the table of that name with its command-line arguments, printing to `out` (progress goes to standard error).
pub fn run(table: &str, arguments: impl IntoIterator<Item = OsString>, out: &mut dyn Write) -> Result<(), BenchError> {
    let table = match table {
        "graph" => {
            let options = graph::Options::try_parse_from(arguments).map_err(BenchError::Usage)?;
            return graph::run(&options, out);
        }
        "overlay" => {
            let options = overlay::Options::try_parse_from(arguments).map_err(BenchError::Usage)?;
            return overlay::run(&options, out);
        }
        "assume" => assume::run,
        "cfront" => frontend::run,
        "contracts" => contracts::run,
        "engines" => engines::run,
        "everyday" => everyday::run,
        "layout" => layout::run,
        "pointsto" => pointsto::run,
        "refine" => refine::run,
        "region" => region::run,
        "tvl" => tvl::run,
        unknown => return Err(BenchError::UnknownTable { table: unknown.to_owned() }),
    };
    let options = Options::try_parse_from(arguments).map_err(BenchError::Usage)?;
    table(&options, out)
}

/// Says how far a program is, where someone is watching.
fn progress(program: &str, index: usize, n_units: usize) {
    if std::io::stderr().is_terminal() {
        let end = if index + 1 == n_units { '\n' } else { '\r' };
        eprint!("{program}: {} of {n_units} files{end}", index + 1);
    }
}

/// Where sources are kept: as given, or in the cache of the user.
fn corpus_directory(given: Option<&std::path::Path>) -> Result<PathBuf, BenchError> {
    if let Some(directory) = given {
        return Ok(directory.to_owned());
    }
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    cache.or_else(home).map(|cache| cache.join("heapwise").join("corpora")).ok_or(BenchError::NoCache)
}
