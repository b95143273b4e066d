//! Programs that a test makes up.

use std::path::Path;
use std::process::Command;

/// Writes a shell script that can be run, and gives its path back.
///
/// A program cannot be started while anybody has it open for writing. Tests run in threads, and a process that another thread
/// starts meanwhile holds all our open files for a moment: so the file is written by a process of its own, which starts none.
#[allow(clippy::missing_panics_doc, clippy::unwrap_used)] // For tests, which end here.
pub fn executable_script(file: &Path, text: &str) -> String {
    let writer = r#"printf '#!/bin/sh\n%s\n' "$2" >"$1"; exec chmod 755 "$1""#;
    let status = Command::new("/bin/sh").args(["-c", writer, "writer"]).arg(file).arg(text).status().unwrap();
    assert!(status.success(), "{}: not written", file.display());
    file.to_str().unwrap().to_owned()
}
