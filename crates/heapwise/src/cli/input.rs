//! From settings to a program.

use super::compile_commands;
use super::failure::CannotRun;
use super::settings::InputSettings;
use heapwise_cfront::{Diagnostic, Flags, FrontOptions, Unit};
use heapwise_ir::{FunctionId, Program};
use heapwise_models::Models;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// A program, and what the front end had to say about it.
pub(crate) struct Input {
    pub(crate) program: Program,
    pub(crate) warnings: Vec<Diagnostic>,
}

/// Reads and lowers what `entries` reach, or everything where there are none.
pub(crate) fn load(settings: &InputSettings, entries: Vec<String>) -> Result<Input, CannotRun> {
    load_units(&units(settings)?, &settings.models, entries)
}

/// The same, of these files.
pub(crate) fn load_units(units: &[Unit], models: &[PathBuf], entries: Vec<String>) -> Result<Input, CannotRun> {
    let models = read_models(models)?;
    let loaded = heapwise_cfront::load(units, &FrontOptions { entries }, &models).map_err(CannotRun::Diagnostics)?;
    Ok(Input { program: loaded.program, warnings: loaded.warnings })
}

/// The function of that name, which the front end was asked to start from.
pub(crate) fn entry(program: &Program, name: &str) -> Result<FunctionId, CannotRun> {
    program.function_named(name).ok_or_else(|| CannotRun::Internal(format!("the front end lost `{name}`")))
}

/// The C files, and how each is read.
pub(crate) fn units(settings: &InputSettings) -> Result<Vec<Unit>, CannotRun> {
    let (project, directory) = &settings.project_compiler;
    // Options of the configuration are relative to it; those of the command line to the current directory.
    let project_flags = Flags::from_arguments(project.iter().map(String::as_str), directory)
        .map_err(|refused| CannotRun::refused(Some("heapwise.toml: compiler-options"), refused))?;
    let mut extra = project_flags.to_arguments();
    extra.extend(settings.compiler.iter().cloned());
    each_once(&settings.files)?;
    if let Some(build) = &settings.build {
        return compile_commands::units(build, &settings.files, &extra);
    }
    if settings.files.is_empty() {
        return Err(CannotRun::usage("no C file is given", "name the files, or -p DIR for a compile_commands.json"));
    }
    let flags = Flags::from_arguments(extra.iter().map(String::as_str), Path::new(""))
        .map_err(|refused| CannotRun::refused(None, refused))?;
    Ok(settings.files.iter().map(|path| Unit { path: path.clone(), flags: flags.clone() }).collect())
}

/// The files are one program, in which a text can be once.
fn each_once(files: &[PathBuf]) -> Result<(), CannotRun> {
    let mut seen = HashSet::new();
    for path in files {
        if path.as_os_str() == "-" {
            return Err(CannotRun::usage("`-` is no file", "standard input is called /dev/stdin"));
        }
        if !seen.insert(std::fs::canonicalize(path).unwrap_or_else(|_| path.clone())) {
            return Err(CannotRun::usage(format!("`{}` is given twice", path.display()), "name each file once"));
        }
    }
    Ok(())
}

fn read_models(paths: &[PathBuf]) -> Result<Models, CannotRun> {
    let mut models = Models::shipped();
    for path in paths {
        let text = std::fs::read_to_string(path).map_err(|error| CannotRun::reading(path, &error))?;
        models.extend(Models::parse(&path.display().to_string(), &text).map_err(CannotRun::Models)?);
    }
    Ok(models)
}
