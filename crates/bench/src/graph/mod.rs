//! `heapwise bench graph`: the table of *Shape Analysis by Graph Decomposition*, whole graphs beside subgraphs, and its
//! running example for k lists.

mod lists;
pub(crate) mod plot;
mod programs;

use crate::BenchError;
use crate::table::Table;
use clap::Parser;
use heapwise_cfront::{Flags, FrontOptions, Unit};
use heapwise_engine::{Control, Options as Question, Outcome};
use heapwise_graph::{Analysis, Feasibility, GraphEngine, Mode, Settings};
use heapwise_ir::Program;
use heapwise_models::Models;
use programs::{PROGRAMS, PaperProgram};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Options of the table.
#[derive(Clone, Debug, Parser)]
#[command(no_binary_name = true, name = "heapwise bench graph", about = "Regenerates the table of graph decomposition")]
pub struct Options {
    /// Where the tables (CSV) and the plots (SVG) are written.
    #[arg(long, value_name = "DIR", default_value = "heapwise-bench")]
    pub directory: PathBuf,
    /// Only this program (may be repeated).
    #[arg(long = "program", value_name = "NAME")]
    pub programs: Vec<String>,
    /// The most lists of the running example, in decomposed mode.
    #[arg(long, value_name = "K", default_value_t = 40)]
    pub lists: usize,
}

/// What one mode says about one program.
struct Measured {
    states: u64,
    locations: u64,
    bytes: u64,
    time: Duration,
    errors: usize,
}

/// Makes the tables and prints them.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<(), BenchError> {
    let sources = programs::unpack()?;
    std::fs::create_dir_all(&options.directory).map_err(BenchError::file(&options.directory))?;
    let chosen = |program: &&PaperProgram| {
        options.programs.is_empty() || options.programs.iter().any(|name| name == program.name)
    };
    let mut table = Table::new(&[
        "program",
        "locations",
        "paper's",
        "states full",
        "states decomposed",
        "ratio",
        "paper's full",
        "paper's decomposed",
        "paper's ratio",
        "seconds full",
        "seconds decomposed",
        "ratio",
        "paper's ratio",
        "MB full",
        "MB decomposed",
        "errors full",
        "errors decomposed",
        "without feasibility",
        "real errors",
        "paper's full",
        "paper's decomposed",
    ]);
    let mut bars = Vec::new();
    for program in PROGRAMS.iter().filter(chosen) {
        let read = load(&sources.path().join(format!("{}.c", program.name)), sources.path())?;
        let full = measure(&read, Mode::Full, Feasibility::Exact);
        let decomposed = measure(&read, Mode::Decomposed, Feasibility::Exact);
        let weak = measure(&read, Mode::Decomposed, Feasibility::Weak);
        table.push(row(program, &full, &decomposed, &weak));
        bars.push((program.name, full.states, decomposed.states));
    }
    table.print(out)?;
    write_csv(&table, &options.directory.join("graph.csv"))?;
    write(&options.directory.join("graph.svg"), &plot::bars("States, full and decomposed", &bars))?;
    writeln!(out, "\nThe running example for k lists (h_i and t_i are used after the loop):")?;
    let (table, series) = lists::table(options.lists, sources.path())?;
    table.print(out)?;
    write_csv(&table, &options.directory.join("graph-lists.csv"))?;
    write(&options.directory.join("graph-lists.svg"), &plot::lines("Elements at the loop head, by lists", &series))?;
    writeln!(
        out,
        "\nwritten: graph.csv, graph.svg, graph-lists.csv, graph-lists.svg in {}",
        options.directory.display()
    )?;
    Ok(())
}

fn row(program: &PaperProgram, full: &Measured, decomposed: &Measured, weak: &Measured) -> Vec<String> {
    let ratio = |a: f64, b: f64| format!("{:.1}", a / b);
    let seconds = |measured: &Measured| format!("{:.4}", measured.time.as_secs_f64());
    let megabytes = |measured: &Measured| format!("{:.2}", measured.bytes as f64 / 1e6);
    vec![
        program.name.to_owned(),
        decomposed.locations.to_string(),
        program.locations.to_string(),
        full.states.to_string(),
        decomposed.states.to_string(),
        ratio(full.states as f64, decomposed.states as f64),
        program.states_full.to_string(),
        program.states_decomposed.to_string(),
        ratio(f64::from(program.states_full), f64::from(program.states_decomposed)),
        seconds(full),
        seconds(decomposed),
        ratio(full.time.as_secs_f64(), decomposed.time.as_secs_f64()),
        ratio(program.seconds_full, program.seconds_decomposed),
        megabytes(full),
        megabytes(decomposed),
        full.errors.to_string(),
        decomposed.errors.to_string(),
        weak.errors.to_string(),
        program.real_errors.to_string(),
        program.errors_full.to_string(),
        program.errors_decomposed.to_string(),
    ]
}

/// Analyses a program; the time is the best of three whole checks, or of one if it takes long.
fn measure(program: &Program, mode: Mode, feasibility: Feasibility) -> Measured {
    let mut best: Option<Measured> = None;
    for _ in 0..3 {
        let started = Instant::now();
        let (analysis, outcome) = check(program, mode, feasibility);
        let time = started.elapsed();
        if best.as_ref().is_none_or(|best| time < best.time) {
            best = Some(Measured {
                states: analysis.0,
                locations: outcome.stats.locations,
                bytes: analysis.1,
                time,
                errors: outcome.findings.len() + outcome.gaps.len(),
            });
        }
        if time > Duration::from_millis(500) {
            break;
        }
    }
    best.unwrap_or(Measured { states: 0, locations: 0, bytes: 0, time: Duration::ZERO, errors: 0 })
}

fn check(program: &Program, mode: Mode, feasibility: Feasibility) -> ((u64, u64), Outcome) {
    let control = Control::unlimited();
    let engine = GraphEngine { settings: Settings { mode, feasibility } };
    let Some(question) = question(program) else { return ((0, 0), Outcome::default()) };
    let analysis = engine.analyse(program, &question, &control);
    let size = (analysis.fixpoint.n_elements, analysis.fixpoint.bytes);
    (size, engine.conclude(program, &question, &control, analysis))
}

/// The elements of every location, without judging findings.
/// The fixpoint, and how long it took: translating the program is not part of it.
fn solve(program: &Program, mode: Mode) -> Option<(Duration, Analysis)> {
    let engine = GraphEngine { settings: Settings { mode, feasibility: Feasibility::Exact } };
    let translation =
        heapwise_cells::translate::translate(program, &question(program)?, heapwise_cells::Links::OneToItself);
    let started = Instant::now();
    let analysis = engine.solve(translation, &Control::unlimited());
    Some((started.elapsed(), analysis))
}

fn question(program: &Program) -> Option<Question> {
    program.function_named("main").map(Question::new)
}

fn load(path: &Path, directory: &Path) -> Result<Program, BenchError> {
    let flags = Flags { include_directories: vec![directory.to_owned()], ..Flags::default() };
    let unit = Unit { path: path.to_owned(), flags };
    let options = FrontOptions { entries: vec!["main".into()], ..FrontOptions::default() };
    match heapwise_cfront::load(&[unit], &options, &Models::shipped()) {
        Ok(loaded) => Ok(loaded.program),
        Err(diagnostics) => {
            let first = diagnostics.first().map_or("refused without a word".to_owned(), |first| first.message.clone());
            Err(BenchError::File { path: path.to_owned(), source: std::io::Error::other(first) })
        }
    }
}

fn write_csv(table: &Table, path: &Path) -> Result<(), BenchError> {
    let mut file = File::create(path).map_err(BenchError::file(path))?;
    table.write_csv(&mut file).map_err(BenchError::file(path))
}

fn write(path: &Path, text: &str) -> Result<(), BenchError> {
    std::fs::write(path, text).map_err(BenchError::file(path))
}
