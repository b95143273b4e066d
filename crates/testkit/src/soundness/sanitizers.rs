//! The same program compiled by gcc, with the sanitizers that see errors of memory.

use super::{Examination, Examiner, Problem, Shown, Stage};
use crate::compiled::{self, Choices, Executable, Instrumentation, Places, Run, Warnings};
use crate::differential::{self, is_comparison};
use heapwise_engine::{
    AccessPlace, Certainty, Choice, ChoiceQuestion, Finding, InputSource, Kind, Outcome, SubjectStorage, Verdict,
    Writer,
};
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
    open: OpenArrays,
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
        text: &str,
        outcomes: &[Option<Outcome>],
    ) -> Option<Questions> {
        let confirmed: Vec<Confirmed> = examiner
            .engines
            .iter()
            .zip(outcomes)
            .flat_map(|(examined, outcome)| outcome.iter().flat_map(|it| &it.findings).map(|it| (examined.name, it)))
            .filter(|(_, finding)| finding.certainty == Certainty::Confirmed && sanitizers_see(finding.kind))
            .map(|(engine, finding)| Confirmed {
                engine,
                shown: Shown::from(finding),
                choices: differential::listed(&finding.choices),
                is_hidden: is_hidden(finding),
            })
            .collect();
        let (streams, confirmed, must_compile) = match sanitizing {
            Sanitizing::Never => return None,
            Sanitizing::Confirmed if confirmed.is_empty() => return None,
            Sanitizing::Confirmed => (0, confirmed, true),
            Sanitizing::Always(streams) => (streams, confirmed, true),
            Sanitizing::Streams(streams) => (streams, Vec::new(), false),
        };
        Some(Questions { streams, confirmed, must_compile, open: OpenArrays::of(text) })
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
        on_streams(examiner, compiled, questions, examination);
        reproduce(compiled, &questions.confirmed, examination);
    });
    examination.spent = spent;
}

fn on_streams(examiner: &Examiner<'_>, compiled: &impl Compiled, questions: &Questions, examination: &mut Examination) {
    let mut streams = (0..questions.streams).map(Choices::Seed);
    let Some((choices, report)) = streams.find_map(|choices| {
        let report = failure(compiled, &choices, Places::Unnamed, &questions.open)?;
        Some((choices, report))
    }) else {
        return;
    };
    examination.fails = true;
    let said_safe = examiner.engines.iter().zip(&examination.verdicts);
    let wrong: Vec<&'static str> = said_safe
        .filter(|(examined, verdict)| **verdict == Some(Verdict::Safe) && examined.claim.is_broken_by_report(&report))
        .map(|(examined, _)| examined.name)
        .collect();
    if !wrong.is_empty() {
        // Names of places take longer than the run.
        let report = failure(compiled, &choices, Places::Named, &questions.open).unwrap_or(report);
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
        match seen(compiled, choices, Places::Unnamed, &OpenArrays::default()) {
            Seen::Error(_) => reproduced.push(at),
            Seen::Stopped => {}
            Seen::NullArgument if shown.kind == Kind::NullDereference => reproduced.push(at),
            Seen::NullArgument | Seen::Nothing if *is_hidden => {}
            Seen::NullArgument | Seen::Nothing => {
                examination.problems.push(Problem::NotReproduced { engine, shown: shown.clone() });
            }
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
        | Kind::DivisionByZero
        | Kind::Overflow
        | Kind::Assertion => true,
        Kind::Leak | Kind::LeakAtExit | Kind::DanglingReturn | Kind::Uninitialised | Kind::Shape => false,
    }
}

/// What C leaves open is not ours to choose in a compiled run: addresses, bytes between initialised members, values that were
/// never written, and what a comparison of bytes returns beside the sign. And the address sanitizer does not see all: a local
/// that is alive again, in the next round of a loop, has the same bytes; an access that begins inside an object, at a multiple
/// of anything but its size, is looked at where it begins; far behind an object another one may lie; of a short block that the
/// library copies or fills, only the ends and the middle are looked at first.
fn is_hidden(finding: &Finding) -> bool {
    let is_open = |choice: &Choice| match &choice.question {
        ChoiceQuestion::Address { .. } | ChoiceQuestion::Place { .. } => true,
        question @ ChoiceQuestion::Input(source) => {
            matches!(source, InputSource::Bytes { writer: Writer::Padding | Writer::Nobody, .. })
                || is_comparison(question)
        }
        ChoiceQuestion::Allocation => false,
    };
    let is_elsewhere = finding.about.access.is_some_and(|access| access.place == AccessPlace::Nowhere);
    let is_local = finding.kind == Kind::UseAfterFree && finding.about.storage == Some(SubjectStorage::Local);
    finding.choices.iter().any(is_open)
        || is_elsewhere
        || is_local
        || is_askew(finding)
        || is_far(finding)
        || is_short_block(finding)
}

/// Whether more bytes are accessed than a scalar has, and so few that the sanitizer looks at three of them alone: they may lie in
/// objects, with the end of the first between them.
fn is_short_block(finding: &Finding) -> bool {
    finding.about.access.is_some_and(|access| (17..=64).contains(&access.bytes))
}

/// Whether it is an access of a scalar's size at an offset that is no multiple of that.
fn is_askew(finding: &Finding) -> bool {
    finding.about.access.is_some_and(|access| match access.place {
        AccessPlace::Object { offset, .. } => {
            matches!(access.bytes, 2 | 4 | 8 | 16)
                && u64::try_from(offset).is_ok_and(|offset| !offset.is_multiple_of(access.bytes))
        }
        AccessPlace::Nowhere => false,
    })
}

/// Whether an access begins behind the bytes that the sanitizer keeps free around the smallest objects.
fn is_far(finding: &Finding) -> bool {
    const MARGIN: u64 = 16;
    finding.about.access.is_some_and(|access| match access.place {
        AccessPlace::Object { offset, size } => u64::try_from(offset).is_ok_and(|offset| offset >= size + MARGIN),
        AccessPlace::Nowhere => false,
    })
}

/// What came of a compiled run.
enum Seen {
    /// An error that heapwise looks for, in the words of the report.
    Error(String),
    /// It could not be run, took too long, or a sanitizer stopped it for something else: what would have come next is not known.
    Stopped,
    /// Nothing but a null pointer that was passed to a function which takes none: an error, unless of no bytes.
    NullArgument,
    /// Nothing.
    Nothing,
}

/// How gcc's check of null arguments begins. `memmove(NULL, NULL, 12)` passes the address sanitizer where both are the same.
const NULL_ARGUMENT: &str = "runtime error: null pointer passed as argument";

fn seen(compiled: &impl Compiled, choices: &Choices, places: Places, open: &OpenArrays) -> Seen {
    let Ok(run) = compiled.run(choices, places) else { return Seen::Stopped };
    match error_of(&run, open) {
        Some(report) => Seen::Error(report),
        None if run.ran_out_of_time() => Seen::Stopped,
        None if IGNORED.iter().any(|it| run.stderr.contains(it)) => Seen::Stopped,
        None if run.stderr.contains(NULL_ARGUMENT) => Seen::NullArgument,
        None => Seen::Nothing,
    }
}

fn failure(compiled: &impl Compiled, choices: &Choices, places: Places, open: &OpenArrays) -> Option<String> {
    match seen(compiled, choices, places, open) {
        Seen::Error(report) => Some(report),
        Seen::Stopped | Seen::NullArgument | Seen::Nothing => None,
    }
}

/// What a sanitizer or an assertion says, if it is an error that heapwise looks for.
fn error_of(run: &Run, open: &OpenArrays) -> Option<String> {
    let told = |line: &&str| {
        (line.contains("ERROR: AddressSanitizer:") && !IGNORED.iter().any(|it| line.contains(it)))
            || line.contains("ERROR: LeakSanitizer:") && loses_own_storage(&run.stderr)
            || line.contains("runtime error:") && !line.contains(NULL_ARGUMENT) && !open.may_go_on(line)
            || line.contains("Assertion ")
    };
    let line = run.stderr.lines().find(told)?;
    let place = run.reported_line("random.c").map_or(String::new(), |line| format!(" (line {line})"));
    Some(format!("{}{place}", line.trim()))
}

/// Whether a report of leaks is about anything but buffers of streams: glibc's `dprintf` loses its own where it cannot write.
fn loses_own_storage(report: &str) -> bool {
    report.split(" leak of ").skip(1).any(|leak| !leak.contains("_IO_file_doallocate"))
}

/// Not errors of memory, or not of the program: the stack is taken for large enough, and allocation may fail.
const IGNORED: [&str; 5] = ["stack-overflow", "FPE", "out-of-memory", "allocation-size-too-big", "param-overlap"];

/// How many elements arrays have that end their records: such an array may go on as far as its object does (ASSUMPTIONS.md), which
/// the check of indices does not know, and the check of addresses does.
#[derive(Clone, Default, Debug)]
struct OpenArrays(Vec<String>);

impl OpenArrays {
    fn of(text: &str) -> OpenArrays {
        let text: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
        let counts = text.match_indices("];}").filter_map(|(at, _)| {
            let (_, count) = text[..at].rsplit_once('[')?;
            Some(count.to_owned())
        });
        OpenArrays(counts.collect())
    }

    /// Whether a report of an index may be about one of them.
    fn may_go_on(&self, report: &str) -> bool {
        let Some((_, array)) = report.split_once("out of bounds for type '") else { return false };
        let count = array.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map(|(count, _)| count);
        count.is_some_and(|count| self.0.iter().any(|open| open == count))
    }
}

/// Reports of the same class stand for the same defect.
pub(super) fn class(report: &str) -> &str {
    let rest = report.split_once("Sanitizer: ").map_or(report, |(_, rest)| rest);
    let rest = rest.split_once("runtime error: ").map_or(rest, |(_, rest)| rest);
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

#[cfg(test)]
mod tests {
    use super::{OpenArrays, loses_own_storage};

    #[test]
    fn buffers_of_streams_are_not_the_programs() {
        let report = |frame: &str| {
            format!("ERROR: LeakSanitizer: detected\n\nDirect leak of 8 byte(s)\n    #0 malloc\n    #1 {frame}\n")
        };
        assert!(loses_own_storage(&report("main random.c:3")));
        assert!(!loses_own_storage(&report("__GI__IO_file_doallocate")));
        assert!(loses_own_storage(&(report("__GI__IO_file_doallocate") + &report("main random.c:3"))));
    }

    #[test]
    fn arrays_that_end_their_record_may_go_on() {
        let open = OpenArrays::of("struct a { int t[3]; int v; };\nstruct b {\n    int v;\n    char data[8];\n};\n");
        assert!(open.may_go_on("b.c:1:1: runtime error: index 9 out of bounds for type 'char [8]'"));
        assert!(!open.may_go_on("b.c:1:1: runtime error: index 3 out of bounds for type 'int [3]'"));
        assert!(!open.may_go_on("ERROR: AddressSanitizer: heap-buffer-overflow"));
    }
}
