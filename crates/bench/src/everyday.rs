//! The table `everyday`: short programs, with an error and without, given to heapwise and to the analyzers of gcc and clang.
//!
//! The programs are those under test whose directory is called `everyday-…`; their first lines say whether there is an error, and a
//! marker says where. `--corpus DIR` takes others that are written so (`tests/c/README.md`), below any directory.

use crate::compiler::{Elapsed, timed};
use crate::engines::c_files;
use crate::table::Table;
use crate::{BenchError, Options};
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// What a program is.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Announced {
    /// It has no error.
    Right,
    /// It has one, which shows at one of these lines.
    Wrong(Vec<usize>),
}

/// A tool that is asked about each program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tool {
    Heapwise,
    Gcc,
    Clang,
}

impl Tool {
    const ALL: [Tool; 3] = [Tool::Heapwise, Tool::Gcc, Tool::Clang];

    fn name(self) -> &'static str {
        match self {
            Tool::Heapwise => "heapwise check",
            Tool::Gcc => "gcc -fanalyzer",
            Tool::Clang => "clang --analyze",
        }
    }

    fn command(self, path: &Path, scratch: &Path) -> Result<Command, BenchError> {
        Ok(match self {
            Tool::Heapwise => {
                let mut command = Command::new(std::env::current_exe()?);
                command.args(["check", "--quiet", "-I", "include"]);
                command.arg(path);
                command
            }
            Tool::Gcc => {
                let mut command = Command::new("gcc");
                command.args(["-fanalyzer", "-I", "include", "-c", "-o"]);
                command.arg(scratch.join("object.o")).arg(path);
                command
            }
            Tool::Clang => {
                let mut command = Command::new("clang");
                command.args(["--analyze", "--analyzer-output", "text", "-I", "include"]);
                command.arg(path);
                command
            }
        })
    }

    /// The line that a warning of this tool is about; none where the line of output is no warning about memory or numbers.
    fn warned(self, output: &str) -> Option<usize> {
        let word = match self {
            // What is confirmed. What is possible at most makes the answer unknown.
            Tool::Heapwise => " error[",
            Tool::Gcc | Tool::Clang => " warning: ",
        };
        let (place, rest) = output.split_once(word)?;
        if self == Tool::Gcc && !rest.contains("[-Wanalyzer-") {
            return None;
        }
        place.trim_end_matches(':').rsplit(':').nth(1)?.parse().ok()
    }
}

/// What a tool said of all programs.
#[derive(Clone, Default, Debug)]
struct Tally {
    flagged: usize,
    at_the_line: usize,
    false_alarms: usize,
    /// Programs without error of which it says so; only heapwise does.
    proved: usize,
    times: Vec<Duration>,
}

/// Asks each tool about each program and prints the table.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<(), BenchError> {
    let mut files = Vec::new();
    match &options.corpus {
        Some(directory) => c_files(directory, &mut files)?,
        None => {
            c_files(Path::new("tests/c"), &mut files)?;
            let is_everyday = |part: &std::ffi::OsStr| part.to_string_lossy().starts_with("everyday-");
            files.retain(|path| path.iter().any(is_everyday));
        }
    }
    let scratch = tempfile::tempdir()?;
    let tools: Vec<Tool> = Tool::ALL.into_iter().filter(|tool| *tool != Tool::Clang || has_clang()).collect();
    let mut tallies = vec![Tally::default(); tools.len()];
    let (mut n_right, mut n_wrong) = (0, 0);
    for (index, path) in files.iter().enumerate() {
        if options.files.as_ref().is_some_and(|part| !path.display().to_string().contains(part)) {
            continue;
        }
        let text = std::fs::read_to_string(path).map_err(BenchError::file(path))?;
        let Some(announced) = announced(&text) else { continue };
        match announced {
            Announced::Right => n_right += 1,
            Announced::Wrong(_) => n_wrong += 1,
        }
        for (tool, tally) in tools.iter().zip(&mut tallies) {
            let (output, elapsed) = timed(tool.command(path, scratch.path())?, tool.name())?;
            count(*tool, &announced, &output, elapsed, tally);
        }
        crate::progress("everyday", index, files.len());
    }
    let header = ["tool", "wrong: flagged", "at the line", "right: flagged", "proved right", "median ms", "slowest ms"];
    let mut table = Table::new(&header);
    for (tool, tally) in tools.iter().zip(&mut tallies) {
        tally.times.sort_unstable();
        let median = tally.times.get(tally.times.len() / 2).copied().unwrap_or_default();
        table.push(vec![
            tool.name().to_owned(),
            tally.flagged.to_string(),
            tally.at_the_line.to_string(),
            tally.false_alarms.to_string(),
            tally.proved.to_string(),
            milliseconds(median),
            milliseconds(tally.times.last().copied().unwrap_or_default()),
        ]);
    }
    table.print(out)?;
    writeln!(out, "{n_wrong} programs with an error, {n_right} without; processor time of each run")?;
    if let Some(path) = &options.csv {
        let mut file = std::fs::File::create(path).map_err(BenchError::file(path))?;
        table.write_csv(&mut file).map_err(BenchError::file(path))?;
    }
    Ok(())
}

fn has_clang() -> bool {
    Command::new("clang").arg("--version").output().is_ok_and(|output| output.status.success())
}

fn count(tool: Tool, announced: &Announced, output: &str, elapsed: Elapsed, tally: &mut Tally) {
    let warned: Vec<usize> = output.lines().filter_map(|line| tool.warned(line)).collect();
    match announced {
        Announced::Right => {
            tally.false_alarms += usize::from(!warned.is_empty());
            let is_safe = |line: &str| line.starts_with("safe:");
            tally.proved += usize::from(tool == Tool::Heapwise && output.lines().any(is_safe));
        }
        Announced::Wrong(lines) => {
            tally.flagged += usize::from(!warned.is_empty());
            tally.at_the_line += usize::from(warned.iter().any(|line| lines.contains(line)));
        }
    }
    tally.times.push(elapsed.processor);
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1000.0)
}

/// What the comments of a test say of it, where no other file is needed.
fn announced(text: &str) -> Option<Announced> {
    let mut verdict = None;
    for line in text.lines().filter_map(|line| line.strip_prefix("//@")) {
        let (key, rest) = line.trim().split_once(':')?;
        match key {
            "engines" => verdict = rest.split_once("verdict:").map(|(_, verdict)| verdict.trim()),
            _ => return None,
        }
    }
    match verdict? {
        "safe" => Some(Announced::Right),
        "unsafe" => {
            let marked = text.lines().enumerate().filter_map(|(index, line)| {
                let (_, marker) = line.split_once("//~")?;
                let n_up = marker.chars().take_while(|character| *character == '^').count();
                (index + 1).checked_sub(n_up)
            });
            Some(Announced::Wrong(marked.collect()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_says_whether_and_where_it_is_wrong() {
        assert_eq!(announced("//@ engines: auto; verdict: safe\nint main(void);"), Some(Announced::Right));
        let wrong = "//@ engines: auto; verdict: unsafe\nfree(p); //~ double-free\n}\n//~^ leak\n";
        assert_eq!(announced(wrong), Some(Announced::Wrong(vec![2, 3])));
        assert_eq!(announced("//@ engines: auto; verdict: unsafe\n//@ with: other.c\n"), None);
        assert_eq!(announced("int main(void);"), None);
    }

    #[test]
    fn warnings_of_each_tool_have_a_line() {
        assert_eq!(Tool::Heapwise.warned("a.c:12:3: error[leak]: it is lost"), Some(12));
        assert_eq!(Tool::Heapwise.warned("a.c:12:3: warning[leak]: it may be lost"), None);
        assert_eq!(
            Tool::Gcc.warned("a.c:7:5: warning: double-free of ‘p’ [CWE-415] [-Wanalyzer-double-free]"),
            Some(7)
        );
        assert_eq!(Tool::Gcc.warned("a.c:7:5: warning: unused variable [-Wunused-variable]"), None);
        assert_eq!(Tool::Clang.warned("a.c:9:1: warning: Potential leak [unix.Malloc]"), Some(9));
        assert_eq!(Tool::Clang.warned("1 warning generated."), None);
    }
}
