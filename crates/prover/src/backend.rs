//! The provers there are, by name.

use crate::builtin::Builtin;
use crate::external::{Conversation, SmtLib, Spass};
use crate::{Limits, Prover};
use std::path::PathBuf;
use std::time::Duration;

/// How long a program may take to say its version.
const PATIENCE: Duration = Duration::from_secs(2);

/// A prover to choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Backend {
    /// In this process: always there.
    Builtin,
    /// The SMT solver z3.
    Z3,
    /// The SMT solver cvc5.
    Cvc5,
    /// The first-order prover SPASS.
    Spass,
}

impl Backend {
    /// All of them, the default one first.
    pub const ALL: [Backend; 4] = [Backend::Builtin, Backend::Z3, Backend::Cvc5, Backend::Spass];

    /// Its name on the command line and in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Backend::Builtin => "builtin",
            Backend::Z3 => "z3",
            Backend::Cvc5 => "cvc5",
            Backend::Spass => "spass",
        }
    }

    /// The prover with that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Backend> {
        Backend::ALL.into_iter().find(|backend| backend.name() == name)
    }

    /// The program that must be on the PATH; `None` for the built-in prover.
    #[must_use]
    pub fn program(self) -> Option<&'static str> {
        match self {
            Backend::Builtin => None,
            Backend::Z3 => Some("z3"),
            Backend::Cvc5 => Some("cvc5"),
            Backend::Spass => Some("SPASS"),
        }
    }

    /// Where the program is, if it is on the PATH.
    #[must_use]
    pub fn locate(self) -> Option<PathBuf> {
        let program = self.program()?;
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).map(|directory| directory.join(program)).find(|file| file.is_file())
    }

    /// Whether it can be used.
    #[must_use]
    pub fn is_available(self) -> bool {
        self.program().is_none() || self.locate().is_some()
    }

    /// A prover of this kind. One whose program is missing answers "unknown" to everything.
    #[must_use]
    pub fn prover(self, limits: Limits) -> Box<dyn Prover> {
        match self {
            Backend::Builtin => Box::new(Builtin::new(limits)),
            Backend::Z3 => Box::new(SmtLib::z3(limits)),
            Backend::Cvc5 => Box::new(SmtLib::cvc5(limits)),
            Backend::Spass => Box::new(Spass::new(limits)),
        }
    }

    /// The version that the program says it is.
    #[must_use]
    pub fn version(self) -> Option<String> {
        let program = self.locate()?;
        // SPASS prints its version when it is given nothing to do.
        let arguments: &[String] = if self == Backend::Spass { &[] } else { &["--version".to_owned()] };
        let limits = Limits { per_query: PATIENCE, ..Limits::default() };
        let end = limits.end_of_query();
        let mut conversation = Conversation::start(program.to_str()?, arguments).ok()?;
        conversation.hang_up();
        while let Ok(Some(line)) = conversation.line(&limits, end) {
            let mut words = line.split_whitespace().map(|word| word.trim_matches(|c: char| c == ',' || c == '.'));
            if let Some(version) = words.find(|word| is_version(word)) {
                return Some(version.to_owned());
            }
        }
        None
    }
}

fn is_version(word: &str) -> bool {
    word.contains('.') && word.starts_with(|c: char| c.is_ascii_digit())
}
