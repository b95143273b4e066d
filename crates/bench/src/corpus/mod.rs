//! The programs that tables are made of: fetched from the machine's Debian archive, configured, and listed file by file with
//! the compiler arguments they need: all files of a program ([`CorpusProgram::obtain`]), or those that its build links together
//! ([`Target::units`]). Nothing of them is part of heapwise.

mod command;
mod debian;
mod dry_run;
mod programs;
mod targets;

pub use dry_run::Compiled;
pub use targets::{TARGETS, Target};

use crate::BenchError;
use std::path::{Path, PathBuf};

/// A program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum CorpusProgram {
    /// OpenSSH, all of it.
    Openssh,
    /// The library `bfd` of the GNU binutils, all targets.
    Binutils,
    /// `crypto/` and `apps/` of OpenSSL.
    Openssl,
    /// Three files of Linux 6.1.
    Linux,
}

impl CorpusProgram {
    /// All of them.
    pub const ALL: [CorpusProgram; 4] =
        [CorpusProgram::Openssh, CorpusProgram::Binutils, CorpusProgram::Openssl, CorpusProgram::Linux];

    /// The name, as in tables and directories.
    pub fn name(self) -> &'static str {
        match self {
            CorpusProgram::Openssh => "openssh",
            CorpusProgram::Binutils => "binutils",
            CorpusProgram::Openssl => "openssl",
            CorpusProgram::Linux => "linux",
        }
    }

    /// The C files of the program, fetching and configuring it if that has not been done.
    pub fn obtain(self, corpus: &Path) -> Result<Vec<SourceUnit>, BenchError> {
        programs::obtain(self, corpus)
    }
}

/// The sources of Linux, fetched and configured: for files of one's own that include them.
pub struct LinuxSource {
    directory: PathBuf,
}

impl LinuxSource {
    /// Fetches and configures them if that has not been done.
    pub fn obtain(corpus: &Path) -> Result<LinuxSource, BenchError> {
        let home = programs::prepare(CorpusProgram::Linux, corpus)?;
        Ok(LinuxSource { directory: home.join("src") })
    }

    /// Where they lie.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// A file with the arguments that a file of Linux has. Tracing and the tables of exported symbols are left out.
    pub fn unit(&self, path: &Path, like: &Path) -> SourceUnit {
        let mut arguments = programs::linux_arguments(&self.directory, like);
        arguments.extend(["-DNOTRACE", "-D__DISABLE_EXPORTS"].map(str::to_owned));
        if let Some(own) = path.parent() {
            arguments.insert(0, format!("-I{}", own.display()));
        }
        let shown = path.display().to_string();
        SourceUnit { path: path.to_owned(), shown, directory: self.directory.clone(), arguments }
    }
}

/// A C file with the arguments that a compiler needs for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceUnit {
    /// The file, absolute.
    pub path: PathBuf,
    /// The path within the program, for tables.
    pub shown: String,
    /// Where the compiler runs.
    pub directory: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
}
