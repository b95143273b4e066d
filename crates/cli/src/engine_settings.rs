//! What engines bring along: their settings as options of the command line, and their lines of help.

use super::failure::CannotRun;
use super::options::{COMPILER_OPTIONS, CommandLine, STATUS};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, CommandFactory as _};
use heapwise::{EngineChoice, Engines};
use heapwise_engine::registry::{AnySetting, Form};
use heapwise_engine::{Elsewhere, EngineEntry, SettingValues};
use std::path::{Path, PathBuf};

/// The whole command line, with what the engines of a list bring along.
pub(crate) fn command(engines: Engines) -> Command {
    let dumped: Vec<&EngineEntry> = engines.with_dumps().collect();
    CommandLine::command()
        .mut_subcommand("check", |check| {
            let help = format!("{}\n\n{COMPILER_OPTIONS}\n\n{STATUS}", lines(engines.entries()));
            with_settings(check, engines.entries(), |_| true).after_help(help)
        })
        .mut_subcommand("dump", |dump| {
            let help = format!("{}\n\n{COMPILER_OPTIONS}", lines(&dumped));
            with_settings(dump, &dumped, is_for_dump).after_help(help)
        })
}

/// One line for each engine.
fn lines(entries: &[&'static EngineEntry]) -> String {
    let width = entries.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    let lines = entries.iter().map(|entry| format!("\n  {:width$}  {}", entry.name, entry.help));
    format!("Engines:{}", lines.collect::<String>())
}

/// What an analysis writes beside its report is no matter of `dump`.
fn is_for_dump(setting: &dyn AnySetting) -> bool {
    setting.form() != Form::Output
}

fn with_settings(
    command: Command,
    entries: &[&'static EngineEntry],
    is_offered: fn(&dyn AnySetting) -> bool,
) -> Command {
    let mut command = command;
    for entry in entries {
        for setting in entry.settings.iter().filter(|setting| is_offered(**setting)) {
            let is_known = command.get_arguments().any(|known| known.get_id() == setting.name());
            if !is_known {
                command =
                    command.arg(argument(*setting).help_heading(format!("Settings of the engine {}", entry.name)));
            }
        }
    }
    command
}

fn argument(setting: &'static dyn AnySetting) -> Arg {
    let argument = Arg::new(setting.name()).long(setting.name()).help(setting.help());
    match setting.form() {
        Form::OneOf(values) => {
            let values = values.into_iter().map(|(name, help)| PossibleValue::new(name).help(help));
            let argument = argument.value_parser(PossibleValuesParser::new(values));
            argument.value_name(setting.name().to_uppercase()).default_value(setting.default_text())
        }
        Form::Switch => argument.action(ArgAction::SetTrue),
        Form::File | Form::Output => argument.value_name("FILE"),
        Form::Text { placeholder, .. } => argument.value_name(placeholder).default_value(setting.default_text()),
    }
}

/// The settings that stand on the command line, behind the command that has them; those that are not there say nothing.
pub(crate) fn given(engines: Engines, matches: &ArgMatches) -> Result<SettingValues, CannotRun> {
    let mut values = SettingValues::default();
    let Some(("check" | "dump", matches)) = matches.subcommand() else { return Ok(values) };
    for setting in engines.settings() {
        // `dump` has the settings of the engines that can be dumped only.
        let is_offered = matches.try_contains_id(setting.name()).is_ok();
        if !is_offered || matches.value_source(setting.name()) != Some(ValueSource::CommandLine) {
            continue;
        }
        let text = match setting.form() {
            Form::Switch => matches.get_flag(setting.name()).to_string(),
            Form::OneOf(_) | Form::Text { .. } | Form::Output => {
                matches.get_one::<String>(setting.name()).cloned().unwrap_or_default()
            }
            Form::File => {
                let path = matches.get_one::<String>(setting.name()).cloned().unwrap_or_default();
                file_text(setting, Path::new(&path))?
            }
        };
        values.set(setting, &text).map_err(|bad| {
            CannotRun::usage(
                format!("`{text}` is no value of --{}", setting.name()),
                format!("it must be {}", bad.form),
            )
        })?;
    }
    Ok(values)
}

/// The text of the file that a setting names, if it is one that the setting accepts.
pub(crate) fn file_text(setting: &dyn AnySetting, path: &Path) -> Result<String, CannotRun> {
    let text = std::fs::read_to_string(path).map_err(|error| CannotRun::reading(path, &error))?;
    match setting.problem(&text) {
        None => Ok(text),
        Some(problem) => Err(CannotRun::usage(
            format!("{}: {problem}", path.display()),
            format!("this is the file of --{}: {}", setting.name(), setting.help()),
        )),
    }
}

/// The file that a certificate is to be written to, if one of the chosen engines is asked for it.
pub(crate) fn output_file(choice: EngineChoice, values: &SettingValues) -> Option<PathBuf> {
    let entries = choice.entries();
    let mut outputs = entries.iter().flat_map(|entry| entry.settings).filter(|it| it.form() == Form::Output);
    outputs.find_map(|output| values.iter().find(|(name, _)| *name == output.name())).map(|(_, path)| path.into())
}

/// A setting that stands on the command line and that the chosen engine must have: some other one has it.
pub(crate) fn fit(engines: Engines, choice: EngineChoice, given: &SettingValues) -> Result<(), CannotRun> {
    let has = |entry: &EngineEntry, name: &str| entry.settings.iter().any(|setting| setting.name() == name);
    for (name, text) in given.iter() {
        let Some(setting) = engines.setting(name) else { continue };
        let Elsewhere::Lacking(what) = setting.elsewhere() else { continue };
        if text == setting.default_text() || choice.entries().iter().any(|entry| has(entry, name)) {
            continue;
        }
        let owner = engines.entries().iter().find(|entry| has(entry, name)).map_or("auto", |entry| entry.name);
        let value = match setting.form() {
            Form::Switch => String::new(),
            Form::File | Form::Output => " FILE".to_owned(),
            Form::OneOf(_) | Form::Text { .. } => format!(" {text}"),
        };
        return Err(CannotRun::usage(
            format!("the engine {} has no {what}", choice.name()),
            format!("use --engine {owner} with --{name}{value}"),
        ));
    }
    Ok(())
}
