//! The same program compiled by gcc, with the sanitizers that see errors of memory.

use super::{Examination, Examiner, Problem, Shown};
use crate::compiled::{self, Choices, Executable, Instrumentation, Run, Warnings};
use crate::differential;
use heapwise_engine::{Certainty, Choice, ChoiceQuestion, Finding, Kind, Outcome, Verdict};
use std::path::{Path, PathBuf};
use std::process::Command;

/// When a program is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sanitizing {
    /// Never.
    Never,
    /// If a finding is confirmed: to see it happen.
    Confirmed,
    /// Always, with so many input streams, and with the choices of confirmed findings.
    Always(u64),
    /// Always, with so many input streams only: inputs may come from where our choices do not reach.
    Streams(u64),
}

/// Seconds of a compiled run.
const RUN_LIMIT: u32 = 5;

pub(super) fn examine(
    examiner: &Examiner<'_>,
    units: &[PathBuf],
    sanitizing: Sanitizing,
    outcomes: &[Option<Outcome>],
    examination: &mut Examination,
) {
    let visible: Vec<(&'static str, &Finding)> = examiner
        .engines
        .iter()
        .zip(outcomes)
        .flat_map(|((name, _), outcome)| outcome.iter().flat_map(|it| &it.findings).map(|finding| (*name, finding)))
        .filter(|(_, finding)| finding.certainty == Certainty::Confirmed && sanitizers_see(finding.kind))
        .collect();
    let (streams, reproduces) = match sanitizing {
        Sanitizing::Never => return,
        Sanitizing::Confirmed if visible.is_empty() => return,
        Sanitizing::Confirmed => (0, true),
        Sanitizing::Always(streams) => (streams, true),
        Sanitizing::Streams(streams) => (streams, false),
    };
    let directory = units[0].parent().unwrap_or(Path::new("."));
    let executable = match compiled::compile(directory, "program", units, Instrumentation::Memory, Warnings::Off) {
        Ok(executable) => executable,
        // A mutant may call what only its original defines.
        Err(_) if !reproduces => return,
        Err(message) => return examination.problems.push(Problem::NotC(message)),
    };
    examination.compiled = true;
    let report = (0..streams).find_map(|seed| failure(&executable, &Choices::Seed(seed)));
    if let Some(report) = report {
        examination.fails = true;
        let said_safe = examiner.engines.iter().zip(&examination.verdicts);
        let wrong: Vec<Problem> = said_safe
            .filter(|(_, verdict)| **verdict == Some(Verdict::Safe))
            .map(|((engine, _), _)| Problem::SafeButSanitizer { engine, report: report.clone() })
            .collect();
        examination.problems.extend(wrong);
    }
    if reproduces {
        reproduce(&executable, &visible, examination);
    }
}

/// Confirmed findings, each on the choices of its run.
fn reproduce(executable: &Executable, visible: &[(&'static str, &Finding)], examination: &mut Examination) {
    let mut reproduced: Vec<(Kind, u32)> = Vec::new();
    for (engine, finding) in visible {
        let at = (finding.kind, finding.span.line);
        if reproduced.contains(&at) {
            continue;
        }
        if failure(executable, &differential::listed(&finding.choices)).is_some() {
            reproduced.push(at);
        } else if !is_hidden(finding) {
            examination.problems.push(Problem::NotReproduced { engine, shown: Shown::from(*finding) });
        }
    }
    examination.reproduced += reproduced.len();
}

/// Whether gcc's sanitizers stop a run with such an error: not where a value was never set; a leak only if nothing that was left
/// on the stack looks like the pointer.
fn sanitizers_see(kind: Kind) -> bool {
    match kind {
        Kind::NullDereference
        | Kind::UseAfterFree
        | Kind::DoubleFree
        | Kind::InvalidFree
        | Kind::OutOfBounds
        | Kind::Assertion => true,
        Kind::Leak | Kind::LeakAtExit | Kind::DanglingReturn | Kind::Uninitialised | Kind::Shape => false,
    }
}

/// Addresses that C leaves open are not ours to choose in a compiled run. And a local that is alive again, in the next round of
/// a loop, has the same bytes: the address sanitizer cannot tell them apart.
fn is_hidden(finding: &Finding) -> bool {
    let address = |choice: &Choice| matches!(choice.question, ChoiceQuestion::Address { .. });
    finding.choices.iter().any(address) || finding.kind == Kind::UseAfterFree && finding.message.contains("the local ")
}

fn failure(executable: &Executable, choices: &Choices) -> Option<String> {
    let run = executable.run_for(choices, RUN_LIMIT).ok()?;
    error_of(&run)
}

/// What a sanitizer or an assertion says, if it is an error that heapwise looks for.
fn error_of(run: &Run) -> Option<String> {
    let told = |line: &&str| {
        (line.contains("ERROR: AddressSanitizer:") && !IGNORED.iter().any(|it| line.contains(it)))
            || line.contains("ERROR: LeakSanitizer:")
            || line.contains("runtime error:")
            || line.contains("Assertion ")
    };
    let line = run.stderr.lines().find(told)?;
    let place = run.reported_line("random.c").map_or(String::new(), |line| format!(" (line {line})"));
    Some(format!("{}{place}", line.trim()))
}

/// Not errors of memory, or not of the program: the stack is taken for large enough, and allocation may fail.
const IGNORED: [&str; 5] = ["stack-overflow", "FPE", "out-of-memory", "allocation-size-too-big", "param-overlap"];

/// Reports of the same class stand for the same defect.
pub(super) fn class(report: &str) -> &str {
    let rest = report.split_once("Sanitizer: ").map_or(report, |(_, rest)| rest);
    rest.split([' ', ':']).next().unwrap_or(rest)
}

/// Whether gcc takes the file; an error is what it says.
pub fn syntax(file: &Path) -> Result<(), String> {
    let output = Command::new("gcc")
        .args(["-std=gnu17", "-w", "-fsyntax-only", "-Werror=implicit-function-declaration", "-Werror=implicit-int"])
        .args(["-I", concat!(env!("CARGO_MANIFEST_DIR"), "/../../include")])
        .arg(file)
        .output()
        .map_err(|error| format!("cannot run gcc: {error}"))?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}
