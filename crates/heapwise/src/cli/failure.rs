//! Why nothing could be analysed, in words that say what to do.

use heapwise_cfront::Diagnostic;
use heapwise_models::ModelError;
use std::fmt;

/// More diagnostics than this are counted, not printed.
const DIAGNOSTICS_SHOWN: usize = 20;

/// The reason for status 2.
#[derive(Debug)]
pub(crate) enum CannotRun {
    /// A wrong use of the command line, a file that cannot be read, a function that is not there.
    Problem { message: String, hint: Option<String> },
    /// Something wrong at a place of a file that is no C.
    InFile { file: String, line: usize, message: String, hint: Option<String> },
    /// A file of models.
    Models(ModelError),
    /// C text that cannot be understood.
    Diagnostics(Vec<Diagnostic>),
    /// A defect of heapwise itself.
    Internal(String),
}

impl CannotRun {
    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> CannotRun {
        CannotRun::Problem { message: message.into(), hint: Some(hint.into()) }
    }

    /// An option of the compiler that cannot be honoured, and where it stands.
    pub(crate) fn refused(place: Option<&str>, refused: heapwise_cfront::RefusedOption) -> CannotRun {
        let place = place.map(|place| format!("{place}: ")).unwrap_or_default();
        CannotRun::Problem { message: format!("{place}{refused}"), hint: Some(refused.hint) }
    }

    pub(crate) fn reading(path: &std::path::Path, error: &std::io::Error) -> CannotRun {
        let hint = match error.kind() {
            std::io::ErrorKind::NotFound => Some("check the path; it is relative to the current directory".to_owned()),
            std::io::ErrorKind::PermissionDenied => Some("check the permissions of the file".to_owned()),
            std::io::ErrorKind::InvalidData => Some("the file must be text in UTF-8".to_owned()),
            _ => None,
        };
        CannotRun::Problem { message: format!("cannot read `{}`: {error}", path.display()), hint }
    }
}

impl fmt::Display for CannotRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CannotRun::Problem { message, hint } => {
                write!(f, "error: {message}")?;
                write_hint(f, hint.as_deref())
            }
            CannotRun::InFile { file, line, message, hint } => {
                write!(f, "{file}:{line}: error: {message}")?;
                write_hint(f, hint.as_deref())
            }
            CannotRun::Models(error) => {
                write!(f, "{}:{}:{}: error: {}", error.file, error.line, error.column, error.message)?;
                write_hint(f, error.hint.as_deref())
            }
            CannotRun::Diagnostics(diagnostics) => {
                for (index, diagnostic) in diagnostics.iter().take(DIAGNOSTICS_SHOWN).enumerate() {
                    if index > 0 {
                        writeln!(f)?;
                    }
                    f.write_str(&diagnostic_text(diagnostic, "error"))?;
                }
                if diagnostics.len() > DIAGNOSTICS_SHOWN {
                    write!(f, "\n… and {} more errors", diagnostics.len() - DIAGNOSTICS_SHOWN)?;
                }
                let has_hint = diagnostics.iter().any(|diagnostic| diagnostic.hint.is_some());
                write_hint(f, (!has_hint).then_some("check the text with `gcc -fsyntax-only` and the same options"))
            }
            CannotRun::Internal(what) => write!(
                f,
                "internal error: {what}\n  hint: this is a defect of heapwise, not of your program, and no verdict was \
                 reached; please report it together with the input"
            ),
        }
    }
}

/// A diagnostic as compilers write it.
pub(crate) fn diagnostic_text(diagnostic: &Diagnostic, level: &str) -> String {
    let mut text = match diagnostic.line {
        0 => format!("{}: {level}: {}", diagnostic.file, diagnostic.message),
        line => format!("{}:{line}:{}: {level}: {}", diagnostic.file, diagnostic.column, diagnostic.message),
    };
    if let Some(hint) = &diagnostic.hint {
        text.push_str(&format!("\n  hint: {hint}"));
    }
    text
}

fn write_hint(f: &mut fmt::Formatter<'_>, hint: Option<&str>) -> fmt::Result {
    match hint {
        Some(hint) => write!(f, "\n  hint: {hint}"),
        None => Ok(()),
    }
}

/// "did you mean `x`?", or the whole list where nothing is close.
pub(crate) fn closest(given: &str, known: &[&str]) -> String {
    let scored = known.iter().map(|name| (strsim::jaro_winkler(given, name), *name));
    match scored.max_by(|left, right| left.0.total_cmp(&right.0)) {
        Some((likeness, name)) if likeness > 0.8 => format!("did you mean `{name}`?"),
        _ => format!("one of: {}", known.join(", ")),
    }
}
