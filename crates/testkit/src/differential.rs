//! Programs run twice: by `interp`, and as compiled by gcc. What they print and how they end must be the same.

use crate::compiled::{self, Choices, Instrumentation, Warnings};
use heapwise_cfront::{Flags, FrontOptions, Unit};
use heapwise_engine::{
    AllocationFailure, Answer, Budget, Cancel, Choice, ChoiceQuestion, Control, InputSource, Kind, Options,
};
use heapwise_interp::{Ending, Explicit, FirstChooser, Machine, MachineOptions, OutputMode, Sink, Stop};
use heapwise_ir::Program;
use heapwise_models::Models;
use heapwise_report::words;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// What a run printed and how it ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Behaviour {
    /// Standard output.
    pub stdout: String,
    /// The exit status.
    pub status: i32,
}

/// More time than any of the programs needs.
const TIME_LIMIT: Duration = Duration::from_secs(20);

/// Runs a program both ways; an error says how they differ, or what kept one of them from running.
pub fn compare(directory: &Path, units: &[PathBuf]) -> Result<(), String> {
    let expected = compiled_behaviour(directory, units)?;
    let actual = interpreted_behaviour(units)?;
    if expected == actual {
        return Ok(());
    }
    let line = expected.stdout.lines().zip(actual.stdout.lines()).position(|(left, right)| left != right);
    let show = |behaviour: &Behaviour| match line {
        Some(line) => format!("line {} `{}`", line + 1, behaviour.stdout.lines().nth(line).unwrap_or_default()),
        None => format!("{} lines, status {}", behaviour.stdout.lines().count(), behaviour.status),
    };
    Err(format!("gcc says {}, interp says {}", show(&expected), show(&actual)))
}

/// What gcc's program does.
pub fn compiled_behaviour(directory: &Path, units: &[PathBuf]) -> Result<Behaviour, String> {
    let executable = compiled::compile(directory, "program", units, Instrumentation::None, Warnings::Off)?;
    let run = executable.run(&Choices::Listed(Vec::new()))?;
    let status = run.status.ok_or_else(|| format!("ended by a signal: {}", run.stderr))?;
    Ok(Behaviour { stdout: run.stdout, status })
}

/// What `interp` does with the program: no allocation fails, inputs are the first that fit.
pub fn interpreted_behaviour(units: &[PathBuf]) -> Result<Behaviour, String> {
    let program = load(units)?;
    if let Some((span, reason)) = program.gaps.first() {
        return Err(format!("cfront: {}", describe(&program, "gap", *span, &words::unsupported(reason))));
    }
    let entry = program.function_named("main").ok_or("no main function")?;
    let options = MachineOptions {
        allocation_failure: AllocationFailure::Never,
        output: OutputMode::Kept,
        ..MachineOptions::new(entry)
    };
    let machine = Machine::new(&program, options);
    let mut sink = Sink::default();
    let mut chooser = FirstChooser;
    let mut state = machine.start(&mut chooser, &mut sink).map_err(|stop| format!("interp: {stop:?}"))?;
    let started = Instant::now();
    while started.elapsed() < TIME_LIMIT {
        match machine.step(&mut state, &mut chooser, &mut sink) {
            Ok(()) => {}
            Err(Stop::Ended(Ending::Finished)) => {
                if let Some(error) = sink.errors.first() {
                    return Err(format!(
                        "interp: {}",
                        describe(&program, error.kind.name(), error.span, &error.message)
                    ));
                }
                let code = state.exit_code().ok_or("interp: ended without an exit status")?;
                let stdout = String::from_utf8_lossy(state.output()).into_owned();
                return Ok(Behaviour { stdout, status: (code & 0xff) as i32 });
            }
            Err(Stop::Error(error)) => {
                return Err(format!("interp: {}", describe(&program, error.kind.name(), error.span, &error.message)));
            }
            Err(Stop::Gap(gap)) => {
                return Err(format!("interp: {}", describe(&program, "gap", gap.span, &words::gap(&gap.reason))));
            }
            Err(stop) => return Err(format!("interp: {stop:?}")),
        }
    }
    Err("interp: takes too long".into())
}

/// Read once: many programs are short.
static MODELS: LazyLock<Models> = LazyLock::new(Models::shipped);

/// Reads a program with the shipped models.
pub fn load(units: &[PathBuf]) -> Result<Program, String> {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../include");
    let flags = Flags { include_directories: vec![include], ..Flags::default() };
    let units: Vec<Unit> = units.iter().map(|path| Unit { path: path.clone(), flags: flags.clone() }).collect();
    let options = FrontOptions { entries: vec!["main".into()], ..FrontOptions::default() };
    heapwise_cfront::load(&units, &options, &MODELS)
        .map(|loaded| loaded.program)
        .map_err(|errors| errors.iter().map(|it| format!("{}:{}: {}\n", it.file, it.line, it.message)).collect())
}

fn describe(program: &Program, kind: &str, span: heapwise_ir::Span, message: &str) -> String {
    let file = span.file.map_or("?", |file| program.files[file].path.as_str());
    format!("{kind} at {file}:{}: {message}", span.line)
}

/// An error of a program that `explicit` confirmed, and the choices that lead to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// What.
    pub kind: Kind,
    /// Where.
    pub line: u32,
    /// What the compiled program must be given to fail as well.
    pub choices: Choices,
}

/// All errors that the engine `explicit` confirms.
pub fn failures(units: &[PathBuf]) -> Result<Vec<Failure>, String> {
    let program = load(units)?;
    let entry = program.function_named("main").ok_or("no main function")?;
    let control = Control::start(Budget { time: Some(TIME_LIMIT), ..Budget::default() }, Cancel::default());
    let found = Explicit::default().failures(&program, &Options::new(entry), &control);
    Ok(found
        .into_iter()
        .map(|finding| Failure { kind: finding.kind, line: finding.span.line, choices: listed(&finding.choices) })
        .collect())
}

/// The choices as numbers, for a compiled run: those that `compiled/verifier.c` makes. What else is open (what time it is), it does
/// not ask us.
pub(crate) fn listed(choices: &[Choice]) -> Choices {
    let is_ours = |choice: &&Choice| match choice.question {
        ChoiceQuestion::Allocation | ChoiceQuestion::Input(InputSource::Unspecified) => true,
        ChoiceQuestion::Input(_) | ChoiceQuestion::Address { .. } | ChoiceQuestion::Place { .. } => false,
    };
    let number = |choice: &Choice| match choice.answer {
        Answer::Integer(value) => Some(value as i64),
        Answer::Succeeds => Some(1),
        Answer::Fails => Some(0),
        Answer::Float(_) | Answer::Null | Answer::NotNull => None,
        Answer::Same | Answer::Distinct | Answer::Below | Answer::Above => None,
    };
    Choices::Listed(choices.iter().filter(is_ours).filter_map(number).collect())
}

/// Whether it is open which number of its sign a comparison of bytes returns. A compiled program does not ask us.
pub(crate) fn is_comparison(question: &ChoiceQuestion) -> bool {
    const COMPARISONS: [&str; 6] = ["memcmp", "bcmp", "strcmp", "strncmp", "strcasecmp", "strncasecmp"];
    matches!(question, ChoiceQuestion::Input(InputSource::Result(name)) if COMPARISONS.contains(&name.as_str()))
}
