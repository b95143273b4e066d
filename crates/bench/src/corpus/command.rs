//! Running the commands that fetch and configure programs.

use crate::BenchError;
use std::fs::{File, OpenOptions};
use std::path::Path;
use std::process::{Command, Stdio};

/// A command in a directory, whose output goes to the end of a log.
pub(super) struct Step<'log> {
    directory: &'log Path,
    log: &'log Path,
    hint: &'static str,
}

impl<'log> Step<'log> {
    pub(super) fn new(directory: &'log Path, log: &'log Path, hint: &'static str) -> Step<'log> {
        Step { directory, log, hint }
    }

    /// Runs the command; an error shows the end of the log.
    pub(super) fn run(&self, program: &str, arguments: &[&str]) -> Result<(), BenchError> {
        let shown = [&[program], arguments].concat().join(" ");
        eprintln!("running {shown} in {}", self.directory.display());
        let log = OpenOptions::new().create(true).append(true).open(self.log).map_err(BenchError::file(self.log))?;
        let copy = |log: &File| log.try_clone().map(Stdio::from).map_err(BenchError::file(self.log));
        let status = Command::new(program)
            .args(arguments)
            .current_dir(self.directory)
            .stdin(Stdio::null())
            .stdout(copy(&log)?)
            .stderr(copy(&log)?)
            .status();
        let problem = match status {
            Ok(status) if status.success() => return Ok(()),
            Ok(status) => format!("failed ({status})"),
            Err(error) => format!("cannot be started: {error}"),
        };
        Err(BenchError::Command { command: shown, problem, output: self.end_of_log(), hint: self.hint })
    }

    /// Runs the command for what it prints; its errors go to the log.
    pub(super) fn output(&self, program: &str, arguments: &[&str]) -> Result<String, BenchError> {
        let shown = [&[program], arguments].concat().join(" ");
        let log = OpenOptions::new().create(true).append(true).open(self.log).map_err(BenchError::file(self.log))?;
        let output = Command::new(program)
            .args(arguments)
            .current_dir(self.directory)
            .stdin(Stdio::null())
            .stderr(Stdio::from(log))
            .output();
        let problem = match output {
            Ok(output) if output.status.success() => return Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            Ok(output) => format!("failed ({})", output.status),
            Err(error) => format!("cannot be started: {error}"),
        };
        Err(BenchError::Command { command: shown, problem, output: self.end_of_log(), hint: self.hint })
    }

    fn end_of_log(&self) -> String {
        let text = std::fs::read(self.log).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let lines: Vec<&str> = text.lines().collect();
        let last = &lines[lines.len().saturating_sub(5)..];
        last.iter().map(|line| format!("  | {line}\n")).collect()
    }
}
