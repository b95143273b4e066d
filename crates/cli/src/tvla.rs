//! `heapwise tvla`: a specification in TVLA's own file formats.

use super::failure::CannotRun;
use super::options::TvlaCommand;
use super::output;
use heapwise_logic::text::TextError;
use heapwise_report::drawing::{dot, svg};
use heapwise_tvl::rules::Derivation;
use heapwise_tvl::tvla::{self, File, OnContradiction, TvlaOptions, TvlaReport};
use heapwise_tvl::tvp::preprocess::DiskFiles;
use heapwise_tvl::tvp::properties::{self, Properties};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) fn run(options: &TvlaCommand, compiler: &[String]) -> Result<u8, CannotRun> {
    let program = with_extension(&options.program, "tvp");
    let input = match &options.input {
        Some(path) => Some(with_extension(path, "tvs")),
        None => Some(program.with_extension("tvs")).filter(|path| path.exists()),
    };
    let program_text = read(&program)?;
    let input_text = input.as_deref().map(read).transpose()?;
    let (directories, defines) = preprocessor_options(compiler);
    let mut warnings = Vec::new();
    let properties = match &options.properties {
        Some(path) => {
            let text = read(path)?;
            properties::parse(&path.display().to_string(), &text, &mut warnings).map_err(in_file)?
        }
        None => Properties::default(),
    };
    let tvla_options = TvlaOptions {
        properties,
        jobs: options.jobs,
        join: super::settings::join(options.join),
        derivation: if options.noautomatic { Derivation::PropertiesOnly } else { Derivation::Automatic },
        transformer: super::settings::transformer(options.transformer),
        on_contradiction: if options.keep_going { OnContradiction::Drop } else { OnContradiction::Stop },
        defines,
        time: options.time.map(Duration::from_secs),
        ..TvlaOptions::default()
    };
    let (program_path, input_path) = (program.display().to_string(), input.map(|path| path.display().to_string()));
    let input = input_path.as_ref().zip(input_text.as_ref()).map(|(path, text)| File { path, text });
    let program_file = File { path: &program_path, text: &program_text };
    let mut report = tvla::run(program_file, input, &DiskFiles { directories }, &tvla_options).map_err(in_file)?;
    report.warnings.extend(warnings);
    output::print(&report.summary())?;
    if let Some(path) = &options.output {
        output::write_file(path, &report.structures_text())?;
    }
    if let Some(directory) = &options.draw {
        draw(&report, directory)?;
    }
    Ok(report.verdict().exit_status())
}

fn in_file(error: TextError) -> CannotRun {
    CannotRun::InFile { file: error.file.to_string(), line: error.line as usize, message: error.message, hint: None }
}

fn with_extension(path: &Path, extension: &str) -> PathBuf {
    if path.extension().is_some() { path.to_path_buf() } else { path.with_extension(extension) }
}

fn read(path: &Path) -> Result<String, CannotRun> {
    std::fs::read_to_string(path).map_err(|error| CannotRun::reading(path, &error))
}

/// `-I` and `-D`, as the C preprocessor has them.
pub(super) fn preprocessor_options(compiler: &[String]) -> (Vec<PathBuf>, Vec<String>) {
    let (mut directories, mut defines) = (Vec::new(), Vec::new());
    let mut arguments = compiler.iter();
    while let Some(argument) = arguments.next() {
        let mut value = |joined: &str| {
            if joined.is_empty() { arguments.next().cloned().unwrap_or_default() } else { joined.to_owned() }
        };
        if let Some(joined) = argument.strip_prefix("-I") {
            directories.push(PathBuf::from(value(joined)));
        } else if let Some(joined) = argument.strip_prefix("-D") {
            defines.push(value(joined));
        }
    }
    (directories, defines)
}

/// One DOT file with all structures, and one SVG file for each.
fn draw(report: &TvlaReport, directory: &Path) -> Result<(), CannotRun> {
    let drawings = report.drawings();
    let graphs: String = drawings.iter().map(dot::render).collect();
    output::write_file(&directory.join("structures.dot"), &graphs)?;
    for (i, drawing) in drawings.iter().enumerate() {
        output::write_file(&directory.join(format!("{:04}.svg", i + 1)), &svg::render(drawing))?;
    }
    Ok(())
}
