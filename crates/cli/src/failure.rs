//! Why nothing could be analysed, in words that say what to do.

use heapwise::InputError;
use heapwise::input::reading_hint;
use std::fmt;

/// The reason for status 2.
#[derive(Debug)]
pub(crate) enum CannotRun {
    /// A wrong use of the command line, a file that cannot be read, a function that is not there.
    Problem { message: String, hint: Option<String> },
    /// Something wrong at a place of a file that is no C.
    InFile { file: String, line: usize, message: String, hint: Option<String> },
    /// C files, or models, that cannot be read.
    Input(InputError),
    /// A defect of heapwise itself.
    Internal(String),
}

impl CannotRun {
    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> CannotRun {
        CannotRun::Problem { message: message.into(), hint: Some(hint.into()) }
    }

    /// An option of the compiler that cannot be honoured, and where it stands.
    pub(crate) fn refused(place: Option<&str>, refused: heapwise_cfront::RefusedOption) -> CannotRun {
        CannotRun::Input(InputError::Refused { place: place.map(str::to_owned), option: refused })
    }

    pub(crate) fn reading(path: &std::path::Path, error: &std::io::Error) -> CannotRun {
        let hint = reading_hint(error).map(str::to_owned);
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
            CannotRun::Input(InputError::Lost(function)) => {
                write_internal(f, &format!("the front end lost `{function}`"))
            }
            CannotRun::Input(error) => error.fmt(f),
            CannotRun::Internal(what) => write_internal(f, what),
        }
    }
}

impl From<InputError> for CannotRun {
    fn from(error: InputError) -> CannotRun {
        CannotRun::Input(error)
    }
}

fn write_internal(f: &mut fmt::Formatter<'_>, what: &str) -> fmt::Result {
    write!(
        f,
        "internal error: {what}\n  hint: this is a defect of heapwise, not of your program, and no verdict was \
         reached; please report it together with the input"
    )
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
