//! `heapwise replay`: the runs of a report, made again.

use super::failure::CannotRun;
use super::options::ReplayCommand;
use super::output;
use heapwise::{Arguments, input};
use heapwise_cfront::{Flags, Unit};
use heapwise_engine::{ChoiceQuestion, Options};
use heapwise_interp::{Explicit, RunError, Stop};
use heapwise_ir::Program;
use heapwise_report::{Fingerprint, Record, Recorded, RecordedFinding};
use std::path::{Path, PathBuf};

/// The status when every run failed as the report says.
const CONFIRMED: u8 = 1;
/// The status when one did not.
const NOT_SHOWN: u8 = 3;

pub(crate) fn run(options: &ReplayCommand, compiler: &[String]) -> Result<u8, CannotRun> {
    if let Some(option) = compiler.first() {
        let hint = "a report says with which options its files were read";
        return Err(CannotRun::usage(format!("`{option}` has no meaning here"), hint));
    }
    let text = std::fs::read_to_string(&options.report).map_err(|error| CannotRun::reading(&options.report, &error))?;
    let mut recorded = Recorded::parse(&text).map_err(|unreadable| {
        let line = if unreadable.line > 0 { format!(":{}", unreadable.line) } else { String::new() };
        let message = format!("`{}`{line} {}", options.report.display(), unreadable.message);
        does_not_fit(message, "give a report that `heapwise check --format json` wrote")
    })?;
    let files: Vec<String> = options.files.iter().map(|path| path.display().to_string()).collect();
    if !files.is_empty() && !recorded.moved_to(&files) {
        let message =
            format!("the report is about {} C files, and {} are given", recorded.record.units.len(), files.len());
        return Err(CannotRun::usage(message, "give one for each, in the order of the report, or none"));
    }
    let chosen = chosen(options, &recorded)?;
    let record = &recorded.record;
    let models: Vec<PathBuf> = record.models.iter().map(PathBuf::from).collect();
    let (mut program, _) = input::load(&units(record)?, &models, vec![record.entry.clone()])?;
    is_unchanged(record, &program)?;
    let mut question = record
        .question(&program)
        .ok_or_else(|| CannotRun::Internal(format!("the front end lost `{}`", record.entry)))?;
    if record.arguments == Arguments::Valid.name()
        && let Some((caller, _)) = input::valid_arguments(&mut program, question.entry, Arguments::Valid)
    {
        question.entry = caller;
    }
    let mut status = CONFIRMED;
    let mut lines = String::new();
    for finding in chosen {
        let (line, is_shown) = replayed(&program, &question, finding)?;
        lines.push_str(&line);
        if !is_shown {
            status = NOT_SHOWN;
        }
    }
    output::print(&lines)?;
    Ok(status)
}

fn does_not_fit(message: String, hint: &str) -> CannotRun {
    CannotRun::Problem { message, hint: Some(hint.to_owned()) }
}

/// The findings to run.
fn chosen<'r>(options: &ReplayCommand, recorded: &'r Recorded) -> Result<Vec<&'r RecordedFinding>, CannotRun> {
    let n_findings = recorded.findings.len();
    if n_findings == 0 {
        let message = format!("`{}` has no confirmed finding", options.report.display());
        return Err(does_not_fit(message, "there is no run to be made again: only confirmed findings have one"));
    }
    match options.finding {
        None => Ok(recorded.findings.iter().collect()),
        Some(number) => match recorded.findings.get(number.get() - 1) {
            Some(finding) => Ok(vec![finding]),
            None => {
                let message = format!("there is no finding {number}");
                Err(CannotRun::usage(message, format!("the report has {n_findings} confirmed, counted from 1")))
            }
        },
    }
}

/// The files as they were read.
fn units(record: &Record) -> Result<Vec<Unit>, CannotRun> {
    let unit = |unit: &heapwise_report::RecordedUnit| {
        let flags = Flags::from_arguments(unit.options.iter().map(String::as_str), Path::new(""))
            .map_err(|refused| CannotRun::refused(Some("the report"), refused))?;
        Ok(Unit { path: PathBuf::from(&unit.file), flags })
    };
    record.units.iter().map(unit).collect()
}

/// The texts must be those that the report is about: a choice is made at a place in them.
fn is_unchanged(record: &Record, program: &Program) -> Result<(), CannotRun> {
    let now = Fingerprint::all(program);
    let is_in = |texts: &[Fingerprint], text: &Fingerprint| texts.contains(text);
    let other = record.texts.iter().find(|text| !is_in(&now, text));
    let Some(other) = other.or_else(|| now.iter().find(|text| !is_in(&record.texts, text))) else { return Ok(()) };
    let is_there = now.iter().any(|text| text.file == other.file);
    let what =
        if is_there { "is not the text that the report is about" } else { "is not part of the program any more" };
    Err(does_not_fit(format!("`{}` {what}", other.file), "check the program again: `heapwise check --format json`"))
}

fn words(question: &ChoiceQuestion) -> String {
    match question {
        ChoiceQuestion::Input(source) => source.to_string(),
        ChoiceQuestion::Allocation => "whether the allocation succeeds".to_owned(),
        ChoiceQuestion::Address { left, right } => format!("how the addresses of {left} and {right} compare"),
        ChoiceQuestion::Place { object } => format!("where {object} lies"),
    }
}

/// Makes one run, and says how it went and whether it fails as the report says.
fn replayed(program: &Program, question: &Options, finding: &RecordedFinding) -> Result<(String, bool), CannotRun> {
    let (file, line, column) = &finding.place;
    let place = format!("{}:{}:{}", file.as_deref().unwrap_or("<no source>"), line.unwrap_or(0), column.unwrap_or(0));
    let kind = finding.kind.name();
    let not_of_this_program = |what: String| {
        let message = format!("the run of the {kind} at {place} is none of this program: {what}");
        does_not_fit(message, "the report is damaged, or another version of heapwise wrote it")
    };
    let choices = finding.choices(program).map_err(not_of_this_program)?;
    let mut question = question.clone();
    if !question.asks_for(finding.kind) {
        question.properties.push(finding.kind);
        question.properties.sort_unstable();
    }
    let run = Explicit::replay(program, &question, &choices).map_err(|(open, span)| {
        not_of_this_program(format!("at line {} it asks for a choice that is not listed: {}", span.line, words(&open)))
    })?;
    let is_it = |error: &&RunError| {
        // What happens in the library is shown at the call, what no text wrote where its function is.
        let (function, own) = error.called_from.map_or((error.function, error.span), |call| (call.function, call.span));
        let span = if own.file.is_some() { own } else { program.functions[function].span };
        let path = span.file.map(|file| program.files[file].path.as_str());
        let at = path.map(|_| (span.line.max(1), span.column.max(1)));
        error.kind == finding.kind && path == file.as_deref() && at == line.zip(*column)
    };
    Ok(match run.all_errors().find(is_it) {
        Some(error) => (format!("{place}: confirmed again[{kind}]: {}\n", error.message), true),
        None if matches!(run.stop, Some(Stop::NeedsChoice)) => {
            return Err(not_of_this_program("it asks for a choice behind the last one that is listed".to_owned()));
        }
        None => {
            let shown: Vec<String> =
                run.all_errors().map(|error| format!("{} at line {}", error.kind.name(), error.span.line)).collect();
            let instead = if shown.is_empty() { "no error".to_owned() } else { shown.join(", ") };
            (format!("{place}: not shown[{kind}]: the run of {} steps shows {instead}\n", run.steps), false)
        }
    })
}
