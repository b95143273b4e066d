//! The same program compiled by gcc, with the sanitizers that see errors of memory.

use super::{Examination, Examiner, Problem, Shown, Stage};
use crate::compiled::{self, Choices, Executable, Instrumentation, Places, Run, Warnings};
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
pub(super) const RUN_LIMIT: u32 = 5;

/// A program that gcc made.
pub(super) trait Compiled {
    /// Runs it.
    fn run(&self, choices: &Choices, places: Places) -> Result<Run, String>;
}

impl Compiled for Executable {
    fn run(&self, choices: &Choices, places: Places) -> Result<Run, String> {
        self.run_for(choices, RUN_LIMIT, places)
    }
}

/// What the compiled program is asked.
#[derive(Clone, Debug)]
pub(super) struct Questions {
    /// Whether it fails on one of so many input streams.
    streams: u64,
    /// Whether it fails on the choices of these findings.
    confirmed: Vec<Confirmed>,
    /// Whether it is a problem if it does not compile.
    must_compile: bool,
}

/// A confirmed finding of an engine.
#[derive(Clone, Debug)]
struct Confirmed {
    engine: &'static str,
    shown: Shown,
    choices: Choices,
    is_hidden: bool,
}

impl Questions {
    /// Nothing where a program is not to be compiled.
    pub(super) fn new(
        examiner: &Examiner<'_>,
        sanitizing: Sanitizing,
        outcomes: &[Option<Outcome>],
    ) -> Option<Questions> {
        let confirmed: Vec<Confirmed> = examiner
            .engines
            .iter()
            .zip(outcomes)
            .flat_map(|((name, _), outcome)| outcome.iter().flat_map(|it| &it.findings).map(|it| (*name, it)))
            .filter(|(_, finding)| finding.certainty == Certainty::Confirmed && sanitizers_see(finding.kind))
            .map(|(engine, finding)| Confirmed {
                engine,
                shown: Shown::from(finding),
                choices: differential::listed(&finding.choices),
                is_hidden: is_hidden(finding),
            })
            .collect();
        match sanitizing {
            Sanitizing::Never => None,
            Sanitizing::Confirmed if confirmed.is_empty() => None,
            Sanitizing::Confirmed => Some(Questions { streams: 0, confirmed, must_compile: true }),
            Sanitizing::Always(streams) => Some(Questions { streams, confirmed, must_compile: true }),
            Sanitizing::Streams(streams) => Some(Questions { streams, confirmed: Vec::new(), must_compile: false }),
        }
    }

    pub(super) fn must_compile(&self) -> bool {
        self.must_compile
    }
}

/// The file of a program alone in its directory.
pub(super) fn file(directory: &Path) -> PathBuf {
    directory.join("random.c")
}

/// Compiles the program of a directory.
pub(super) fn compile(directory: &Path) -> Result<Executable, String> {
    compiled::compile(directory, "program", &[file(directory)], Instrumentation::Memory, Warnings::Off)
}

/// Runs the compiled program, and compares.
pub(super) fn ask(
    examiner: &Examiner<'_>,
    compiled: &impl Compiled,
    questions: &Questions,
    examination: &mut Examination,
) {
    examination.compiled = true;
    let mut spent = std::mem::take(&mut examination.spent);
    spent.time(Stage::CompiledRuns, || {
        on_streams(examiner, compiled, questions.streams, examination);
        reproduce(compiled, &questions.confirmed, examination);
    });
    examination.spent = spent;
}

fn on_streams(examiner: &Examiner<'_>, compiled: &impl Compiled, streams: u64, examination: &mut Examination) {
    let streams = (0..streams).map(Choices::Seed);
    let Some((choices, report)) = streams.into_iter().find_map(|choices| {
        let report = failure(compiled, &choices, Places::Unnamed)?;
        Some((choices, report))
    }) else {
        return;
    };
    examination.fails = true;
    let said_safe = examiner.engines.iter().zip(&examination.verdicts);
    let wrong: Vec<&'static str> =
        said_safe.filter(|(_, verdict)| **verdict == Some(Verdict::Safe)).map(|((engine, _), _)| *engine).collect();
    if !wrong.is_empty() {
        // Names of places take longer than the run.
        let report = failure(compiled, &choices, Places::Named).unwrap_or(report);
        let problem = |engine| Problem::SafeButSanitizer { engine, report: report.clone() };
        examination.problems.extend(wrong.into_iter().map(problem));
    }
}

/// Confirmed findings, each on the choices of its run.
fn reproduce(compiled: &impl Compiled, confirmed: &[Confirmed], examination: &mut Examination) {
    let mut reproduced: Vec<(Kind, u32)> = Vec::new();
    for Confirmed { engine, shown, choices, is_hidden } in confirmed {
        let at = (shown.kind, shown.line);
        if reproduced.contains(&at) {
            continue;
        }
        if failure(compiled, choices, Places::Unnamed).is_some() {
            reproduced.push(at);
        } else if !is_hidden {
            examination.problems.push(Problem::NotReproduced { engine, shown: shown.clone() });
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

fn failure(compiled: &impl Compiled, choices: &Choices, places: Places) -> Option<String> {
    let run = compiled.run(choices, places).ok()?;
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
