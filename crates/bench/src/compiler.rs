//! gcc, as the other side of the comparisons.

use crate::BenchError;
use crate::corpus::SourceUnit;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4;

const HINT: &str = "install gcc";

/// How long something took.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Elapsed {
    /// By the clock on the wall.
    pub wall: Duration,
    /// By the processor's time, which other work on the machine disturbs less.
    pub processor: Duration,
}

impl std::ops::AddAssign for Elapsed {
    fn add_assign(&mut self, other: Elapsed) {
        self.wall += other.wall;
        self.processor += other.processor;
    }
}

/// Lines of a translation unit.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Lines {
    /// Lines of the file itself that are not blank.
    pub source: u64,
    /// Lines after preprocessing that are neither blank nor line markers.
    pub preprocessed: u64,
}

/// The compiler on one unit, with warnings off.
fn gcc(unit: &SourceUnit) -> Command {
    let mut command = Command::new("gcc");
    command.current_dir(&unit.directory).args(&unit.arguments).arg("-w");
    command
}

fn cannot_start(error: std::io::Error) -> BenchError {
    let problem = format!("cannot be started: {error}");
    BenchError::Command { command: "gcc".to_owned(), problem, output: String::new(), hint: HINT }
}

/// What a command prints, both ways, and how long it took.
pub(crate) fn timed(mut command: Command, name: &str) -> Result<(String, Elapsed), BenchError> {
    let cannot_start = |error: std::io::Error| BenchError::Command {
        command: name.to_owned(),
        problem: format!("cannot be started: {error}"),
        output: String::new(),
        hint: HINT,
    };
    let directory = tempfile::tempdir()?;
    let log = directory.path().join("output");
    let file = std::fs::File::create(&log).map_err(BenchError::file(&log))?;
    let other = file.try_clone().map_err(BenchError::file(&log))?;
    let start = Instant::now();
    let child = command.stdin(Stdio::null()).stdout(file).stderr(other).spawn().map_err(cannot_start)?;
    let ended = child.wait4().map_err(cannot_start)?;
    let processor = ended.rusage.utime + ended.rusage.stime;
    let output = std::fs::read(&log).map_err(BenchError::file(&log))?;
    Ok((String::from_utf8_lossy(&output).into_owned(), Elapsed { wall: start.elapsed(), processor }))
}

/// Whether `gcc -fsyntax-only` accepts the unit, and how long it took.
pub fn syntax_only(unit: &SourceUnit) -> Result<(bool, Elapsed), BenchError> {
    let start = Instant::now();
    let child = gcc(unit)
        .arg("-fsyntax-only")
        .arg(&unit.path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(cannot_start)?;
    let ended = child.wait4().map_err(cannot_start)?;
    let processor = ended.rusage.utime + ended.rusage.stime;
    Ok((ended.status.success(), Elapsed { wall: start.elapsed(), processor }))
}

/// How long `gcc -fsyntax-only` takes for an empty file: what each run spends on starting.
pub fn startup() -> Result<Elapsed, BenchError> {
    const RUNS: u32 = 10;
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("empty.c");
    std::fs::write(&path, "").map_err(BenchError::file(&path))?;
    let unit =
        SourceUnit { path, shown: "empty.c".to_owned(), directory: directory.path().to_owned(), arguments: Vec::new() };
    let mut total = Elapsed::default();
    for _ in 0..RUNS {
        total += syntax_only(&unit)?.1;
    }
    Ok(Elapsed { wall: total.wall / RUNS, processor: total.processor / RUNS })
}

/// Counts the lines of a unit's file.
pub fn count_source_lines(unit: &SourceUnit) -> Result<u64, BenchError> {
    let source = std::fs::read(&unit.path).map_err(BenchError::file(&unit.path))?;
    Ok(lines_that(&source, |line| !line.trim_ascii().is_empty()))
}

/// Counts the lines of a unit.
pub fn count_lines(unit: &SourceUnit) -> Result<Lines, BenchError> {
    let output = gcc(unit).arg("-E").arg(&unit.path).stderr(Stdio::null()).output().map_err(cannot_start)?;
    Ok(Lines {
        source: count_source_lines(unit)?,
        preprocessed: lines_that(&output.stdout, |line| !line.trim_ascii().is_empty() && !line.starts_with(b"#")),
    })
}

fn lines_that(text: &[u8], counts: impl Fn(&[u8]) -> bool) -> u64 {
    text.split(|byte| *byte == b'\n').filter(|line| counts(line)).count() as u64
}

/// Compiles the unit with debug information about every type, used or not. `Ok(false)` where gcc refuses.
pub fn compile_with_types(unit: &SourceUnit, object: &Path) -> Result<bool, BenchError> {
    let status = gcc(unit)
        .args(["-g", "-gdwarf-5", "-gz=none", "-fno-eliminate-unused-debug-types", "-c", "-o"])
        .arg(object)
        .arg(&unit.path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .map_err(cannot_start)?;
    Ok(status.success())
}

/// What `gcc -fanalyzer` took, and how much it found.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Analysed {
    /// Processor time.
    pub processor: Duration,
    /// Its warnings.
    pub findings: u64,
}

impl std::ops::AddAssign for Analysed {
    fn add_assign(&mut self, other: Analysed) {
        self.processor += other.processor;
        self.findings += other.findings;
    }
}

/// Runs `gcc -fanalyzer` on one unit.
pub fn analyzer(unit: &SourceUnit) -> Result<Analysed, BenchError> {
    let directory = tempfile::tempdir()?;
    let log = directory.path().join("warnings");
    let file = std::fs::File::create(&log).map_err(BenchError::file(&log))?;
    let child = Command::new("gcc")
        .current_dir(&unit.directory)
        .args(&unit.arguments)
        .args(["-fanalyzer", "-c", "-o"])
        .arg(directory.path().join("object.o"))
        .arg(&unit.path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(file)
        .spawn()
        .map_err(cannot_start)?;
    let ended = child.wait4().map_err(cannot_start)?;
    let warnings = std::fs::read(&log).map_err(BenchError::file(&log))?;
    let is_finding = |line: &[u8]| {
        let text = String::from_utf8_lossy(line);
        text.contains("warning:") && text.contains("[-Wanalyzer-")
    };
    Ok(Analysed { processor: ended.rusage.utime + ended.rusage.stime, findings: lines_that(&warnings, is_finding) })
}
