//! From settings to C files, each with the options that it is read with.

use super::compile_commands;
use super::failure::CannotRun;
use super::settings::InputSettings;
use heapwise::input::each_once;
use heapwise_cfront::{Flags, Unit};

/// The C files, and how each is read.
pub(crate) fn units(settings: &InputSettings) -> Result<Vec<Unit>, CannotRun> {
    let (project, directory) = &settings.project_compiler;
    // Options of the configuration are relative to it; those of the command line to the current directory.
    let project_flags = Flags::from_arguments(project.iter().map(String::as_str), directory)
        .map_err(|refused| CannotRun::refused(Some("heapwise.toml: compiler-options"), refused))?;
    let mut extra = project_flags.to_arguments();
    extra.extend(settings.compiler.iter().cloned());
    if let Some(build) = &settings.build {
        each_once(&settings.files)?;
        return compile_commands::units(build, &settings.files, &extra);
    }
    Ok(heapwise::input::units(&settings.files, &extra)?)
}
