//! Writing. A reader that goes away early (`| head`) is no error.

use super::failure::CannotRun;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

/// Writes to standard output.
pub(crate) fn print(text: &str) -> Result<(), CannotRun> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => {
            Err(CannotRun::Problem { message: format!("cannot write to standard output: {error}"), hint: None })
        }
    }
}

/// Writes a line to standard error; there is nobody left to tell if that fails.
pub(crate) fn complain(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Writes a file, with the directories above it.
pub(crate) fn write_file(path: &Path, text: &str) -> Result<(), CannotRun> {
    let directories = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    directories.and_then(|()| std::fs::write(path, text)).map_err(|error| CannotRun::Problem {
        message: format!("cannot write `{}`: {error}", path.display()),
        hint: Some("check that the directory can be written".to_owned()),
    })
}
