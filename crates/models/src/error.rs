//! What can be wrong with a file of models.

/// An error in a file of models.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}{}", .hint.as_ref().map(|hint| format!("\n  hint: {hint}")).unwrap_or_default())]
pub struct ModelError {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted in bytes from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// Where and what is wrong, before the file's name and lines are known.
pub(crate) struct Problem {
    /// Byte offset into the text.
    pub(crate) offset: usize,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl Problem {
    pub(crate) fn new(offset: usize, message: impl Into<String>) -> Problem {
        Problem { offset, message: message.into(), hint: None }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Problem {
        self.hint = Some(hint.into());
        self
    }

    /// The error, placed in its file.
    pub(crate) fn locate(self, file: &str, text: &str) -> ModelError {
        let before = &text.as_bytes()[..self.offset.min(text.len())];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
        ModelError {
            file: file.to_owned(),
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
            message: self.message,
            hint: self.hint,
        }
    }
}

/// "did you mean `x`?", or the whole list where nothing is close.
pub(crate) fn closest(given: &str, known: &[&str]) -> String {
    let best = known
        .iter()
        .map(|candidate| (strsim::normalized_damerau_levenshtein(given, candidate), *candidate))
        .max_by(|left, right| left.0.total_cmp(&right.0));
    match best {
        Some((likeness, candidate)) if likeness > 0.6 => format!("did you mean `{candidate}`?"),
        _ => format!("one of: {}", known.join(", ")),
    }
}
