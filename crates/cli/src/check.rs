//! `heapwise check`.

use super::engine_settings;
use super::failure::CannotRun;
use super::input;
use super::options::{CheckCommand, FailOn, Format, Progress as ShowProgress};
use super::output;
use super::settings::{self, CheckSettings, InputSettings};
use super::worker::{End, Message, Watch};
use heapwise::input::diagnostic_text;
use heapwise::{
    CheckOptions, EngineChoice, Engines, Entry, Input, Progress, Report, drawing, html, json, memory, properties,
    sarif, text,
};
use heapwise_cfront::Diagnostic;
use heapwise_engine::{Cancel, Certainty, Doing, Exhausted, Kind, Outcome, SettingValues, Stopped, Verdict};
use heapwise_ir::{Program, Span, Target};
use heapwise_report::text::{Colour, Detail};
use heapwise_report::{Record, Usage, explain};
use std::io::IsTerminal as _;
use std::path::Path;
use std::time::Instant;

pub(crate) fn run(
    options: &CheckCommand,
    engines: Engines,
    given: &SettingValues,
    compiler: Vec<String>,
) -> Result<u8, CannotRun> {
    if options.property.iter().any(|name| name == "list") {
        output::print(&properties_list())?;
        return Ok(0);
    }
    let started = Instant::now();
    let config = settings::configuration(&options.input, engines)?;
    let settings = settings::check(options, &config, engines, given)?;
    let input = settings::input(&options.input, &config, compiler);
    let fail_on = settings.fail_on;
    let baseline = settings.baseline.clone();
    let engine = settings.engine;
    let certificate = engine_settings::output_file(engine, &settings.engine_settings);
    let cancel = Cancel::default();
    let watch = Watch {
        time: settings.budget.time,
        memory: settings.budget.memory,
        cancel: cancel.clone(),
        shows_progress: shows_progress(options),
    };
    let is_quiet = options.quiet;
    let mut sofar = SoFar { progress: None, record: None };
    let end = watch.run(
        move |sender| {
            let mut input = read(&input, settings.engine)?;
            let mut question = question(&settings, started, cancel);
            if let Some(site) = &settings.site {
                question.followed = input.followed(site)?;
            }
            let record = Box::new(input.record(&question));
            let _ = sender.send(Message::Milestone(Milestone::Read(std::mem::take(&mut input.warnings), record)));
            let mut tell = |progress| {
                // The watcher may have gone home.
                let _ = sender.send(Message::Milestone(Milestone::Progress(Box::new(progress))));
            };
            Ok(input.check(&question, &mut tell))
        },
        |milestone| match milestone {
            Milestone::Read(warnings, record) => {
                sofar.record = Some(*record);
                if !is_quiet {
                    warnings.iter().for_each(|warning| output::complain(&diagnostic_text(warning, "warning")));
                }
                "analysing"
            }
            Milestone::Progress(progress) => {
                let running = progress.running();
                sofar.progress = Some(*progress);
                running.unwrap_or("analysing")
            }
        },
    )?;
    let record = sofar.record.take();
    let mut report = match end {
        End::Finished(report) => report,
        End::Stopped(why) => sofar.stopped(engine.name(), why),
    };
    report.record = record;
    if let Some(baseline) = &baseline {
        report.hide(baseline);
    }
    if options.timings {
        report.stats.usage = Some(Usage { time: started.elapsed(), peak_bytes: memory::peak_bytes() });
    }
    if let Some(directory) = &options.html {
        write_html(directory, &report)?;
    }
    output::print(&rendered(options, &report))?;
    if let Some(path) = certificate {
        write_certificate(&path, &report)?;
    }
    Ok(status(&report, fail_on))
}

/// All that `--property` knows, one line each.
fn properties_list() -> String {
    let default = Kind::asked_by_default();
    let of_kind = |kind: &Kind| {
        let off = if default.contains(kind) { "" } else { " (only if asked for)" };
        format!("{:<16} {}{off}\n", kind.name(), explain::explanation(*kind).title)
    };
    let of_group = |name: &&str| Some(format!("{name:<16} {}\n", properties::group_title(name)?));
    Kind::ALL.iter().map(of_kind).chain(properties::GROUPS.iter().filter_map(of_group)).collect()
}

/// Only *safe* has a certificate.
fn write_certificate(path: &Path, report: &Report) -> Result<(), CannotRun> {
    match (&report.certificate, report.verdict) {
        (Some(certificate), _) => output::write_file(path, &certificate.text),
        (None, Verdict::Safe) => {
            let message = format!("`{}` is not written: there was no time to write the proof down", path.display());
            Err(CannotRun::usage(message, "give more seconds with --time"))
        }
        (None, Verdict::Unsafe | Verdict::Unknown) => Ok(()),
    }
}

fn shows_progress(options: &CheckCommand) -> bool {
    match options.progress {
        ShowProgress::Always => true,
        ShowProgress::Never => false,
        ShowProgress::Auto => !options.quiet && std::io::stderr().is_terminal(),
    }
}

fn read(settings: &InputSettings, engine: EngineChoice) -> Result<Input, CannotRun> {
    let entry = settings.entry.as_deref().map_or_else(|| Entry::by_default(engine), Entry::from);
    Ok(Input::read(input::units(settings)?, &settings.models, &entry, settings.arguments)?)
}

fn question(settings: &CheckSettings, started: Instant, cancel: Cancel) -> CheckOptions {
    let mut budget = settings.budget;
    // Reading the C text counts.
    budget.time = budget.time.map(|time| time.saturating_sub(started.elapsed()));
    let defaults = CheckOptions::default();
    CheckOptions {
        engine: settings.engine,
        settings: settings.engine_settings.clone(),
        properties: settings.properties.clone().unwrap_or_else(|| defaults.properties.clone()),
        allocation_failure: settings.allocation_failure,
        budget,
        patience: settings.patience,
        jobs: settings.jobs,
        cancel,
        unknown_calls: settings.unknown_calls,
        ..defaults
    }
}

/// What the analysing thread tells of its way.
enum Milestone {
    /// The C text is read, with these warnings.
    Read(Vec<Diagnostic>, Box<Record>),
    /// An engine begins, has answered, or has confirmed something.
    Progress(Box<Progress>),
}

/// What is known of an analysis that may not come back by itself.
struct SoFar {
    progress: Option<Progress>,
    record: Option<Record>,
}

impl SoFar {
    /// The report when it did not: what engines have said before, and which ones were running.
    fn stopped(self, asked: &str, why: Exhausted) -> Report {
        if let Some(progress) = self.progress {
            return progress.ended(why);
        }
        let stopped = Stopped { why, span: Span::NONE, doing: Doing::Reading };
        let outcome = Outcome { stopped: Some(stopped.clone()), ..Outcome::default() };
        let mut report = Report::new(&Program::new(Target::LP64), asked, &outcome, None);
        report.add_silent_engine(asked, 0, &stopped);
        report
    }
}

fn rendered(options: &CheckCommand, report: &Report) -> String {
    match options.format {
        Format::Json => json::render(report),
        Format::Sarif => {
            let root = std::env::current_dir().unwrap_or_default();
            sarif::render(report, &root.display().to_string())
        }
        Format::Text => {
            let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let colour = if std::io::stdout().is_terminal() && !plain { Colour::Terminal } else { Colour::Never };
            text::render(report, colour, if options.quiet { Detail::Brief } else { Detail::Full })
        }
    }
}

fn write_html(directory: &Path, report: &Report) -> Result<(), CannotRun> {
    output::write_file(&directory.join("index.html"), &html::render(report))?;
    for (number, finding) in report.findings.iter().enumerate() {
        for (step_number, step) in finding.trace.iter().enumerate() {
            let Some(heap) = &step.heap else { continue };
            let name = format!("heap-{}-{}", number + 1, step_number + 1);
            output::write_file(&directory.join(format!("{name}.svg")), &drawing::svg::render(heap))?;
            output::write_file(&directory.join(format!("{name}.dot")), &drawing::dot::render(heap))?;
        }
    }
    Ok(())
}

fn has_confirmed(report: &Report) -> bool {
    report.findings.iter().any(|finding| finding.certainty == Certainty::Confirmed)
}

fn status(report: &Report, fail_on: FailOn) -> u8 {
    match (report.verdict, fail_on) {
        (Verdict::Safe, _) => 0,
        // What a baseline hides is known: no reason to fail.
        (Verdict::Unsafe, FailOn::Confirmed) if report.n_hidden > 0 && !has_confirmed(report) => 3,
        (Verdict::Unsafe, FailOn::Possible) if report.n_hidden > 0 && report.findings.is_empty() => 3,
        (Verdict::Unsafe, _) => 1,
        (Verdict::Unknown, FailOn::Possible) if !report.findings.is_empty() => 1,
        (Verdict::Unknown, _) => 3,
    }
}
