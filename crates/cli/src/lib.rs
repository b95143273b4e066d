//! `heapwise-cli`: the command line of heapwise.
//!
//! **What it is.** [`run`] reads arguments, configuration and C, asks the library, prints, and ends with the status that
//! scripts read: 0 safe, 1 unsafe, 2 could not run, 3 unknown. It is given a list of engines: whoever has one more
//! engine has a command line for it with `run(Engines::new(…))`.
//!
//! **What it is not.** Whatever another program could want lives below: reading C files and asking engines in `heapwise`,
//! formats in `heapwise-report`.
//!
//! **The law it keeps.** Nothing here names an engine of `heapwise check`: options, keys of the configuration file, help and
//! dumps come from the entries of the list.
//!
//! **Where to start.** `check.rs` is `heapwise check` from arguments to exit status; `engine_settings.rs` is what engines
//! bring along.

mod arguments;
mod check;
mod compile_commands;
mod config;
mod doctor;
mod dump;
mod engine_settings;
mod failure;
mod input;
mod options;
mod output;
mod regions;
mod replay;
mod settings;
mod symbolic;
mod symbolic_options;
mod tvla;
mod verify;
mod worker;

use clap::FromArgMatches as _;
use failure::{CannotRun, closest};
use heapwise::Engines;
use heapwise_bench::BenchError;
use heapwise_engine::Kind;
use heapwise_report::explain;
use options::{Command, CommandLine};
use std::ffi::OsString;
use std::io::ErrorKind;
use std::process::ExitCode;

/// The status when nothing could be analysed.
pub(crate) const COULD_NOT_RUN: u8 = 2;

/// Runs the command line of this process, with these engines.
pub fn run(engines: Engines) -> ExitCode {
    worker::keep_panics_quiet();
    match worker::guarded(move || dispatch(engines)) {
        Ok(status) => ExitCode::from(status),
        Err(failure) => {
            output::complain(&failure.to_string());
            ExitCode::from(COULD_NOT_RUN)
        }
    }
}

fn dispatch(engines: Engines) -> Result<u8, CannotRun> {
    let (arguments, compiler) = arguments::split(std::env::args_os())?;
    // Usage errors and --help end here, with status 2 and 0.
    let matches = engine_settings::command(engines).get_matches_from(arguments);
    let command_line = CommandLine::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let given = engine_settings::given(engines, &matches)?;
    match command_line.command {
        Command::Check(options) => check::run(&options, engines, &given, compiler),
        Command::Replay(options) => replay::run(&options, &compiler),
        Command::VerifyCertificate(options) => verify::run(&options, engines, compiler),
        Command::Explain { kind } => explain_kind(kind.as_deref()),
        Command::Dump(options) => dump::run(&options, engines, &given, compiler),
        Command::Bench { table, arguments } => bench(&table, arguments),
        Command::Doctor => doctor::run(),
        Command::Tvla(options) => tvla::run(&options, &compiler),
        Command::Assume(options) => symbolic::assume(&options, &compiler),
        Command::Meet(options) => symbolic::meet(&options, &compiler),
        Command::Transform(options) => symbolic::transform(&options, &compiler),
    }
}

fn explain_kind(name: Option<&str>) -> Result<u8, CannotRun> {
    let names = Kind::ALL.map(Kind::name);
    let Some(name) = name else {
        let lines: String = Kind::ALL
            .iter()
            .map(|kind| format!("{:<16} {}\n", kind.name(), explain::explanation(*kind).title))
            .collect();
        output::print(&lines)?;
        return Ok(0);
    };
    let kind = Kind::from_name(name)
        .ok_or_else(|| CannotRun::usage(format!("no kind of finding is called `{name}`"), closest(name, &names)))?;
    output::print(&explain::page(kind))?;
    Ok(0)
}

fn bench(table: &str, arguments: Vec<OsString>) -> Result<u8, CannotRun> {
    if matches!(table, "--help" | "-h") {
        output::print(&format!(
            "Regenerate a table of measurements on real programs\n\nUsage: heapwise bench TABLE [OPTIONS]\n\nTables: {}\n\n\
             `heapwise bench TABLE --help` lists the options of a table.\n",
            heapwise_bench::TABLES.join(", ")
        ))?;
        return Ok(0);
    }
    match heapwise_bench::run(table, arguments, &mut std::io::stdout()) {
        Ok(()) => Ok(0),
        // Also a request for help, which clap prints and ends with status 0.
        Err(BenchError::Usage(usage)) => usage.exit(),
        Err(BenchError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(0),
        Err(error) => Err(CannotRun::Problem { message: error.to_string(), hint: None }),
    }
}
