//! `heapwise bench overlay`: the table of *A divide-and-conquer approach for analysing overlaid data structures*, the product
//! of sub-analyses beside the coupled analysis, and its series for n lists.
//!
//! The programs are written from their descriptions in section 10 of the paper. Lines are those of the file that are neither
//! empty nor comments. Both modes run in the same process, one after the other.

mod linux;
mod series;

pub use series::Series;

use crate::BenchError;
use crate::graph::plot::{self, Series as Line};
use crate::table::Table;
use clap::Parser;
use cpu_time::ProcessTime;
use heapwise_cfront::{Flags, FrontOptions, Unit};
use heapwise_engine::{Budget, Cancel, Control, Engine, Options as Question, Outcome, Verdict};
use heapwise_ir::Program;
use heapwise_models::Models;
use heapwise_overlay::groups::{Grouping, Groups};
use heapwise_overlay::product::engine::{ProductEngine, prepare};
use heapwise_overlay::product::solve::Mode;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Options of the table.
#[derive(Clone, Debug, Parser)]
#[command(
    no_binary_name = true,
    name = "heapwise bench overlay",
    about = "Regenerates the table of overlaid structures"
)]
pub struct Options {
    /// Where the tables (CSV) and the plots (SVG) are written.
    #[arg(long, value_name = "DIR", default_value = "heapwise-bench")]
    pub directory: PathBuf,
    /// Only this program (may be repeated).
    #[arg(long = "program", value_name = "NAME")]
    pub programs: Vec<String>,
    /// The most lists of the series.
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub lists: usize,
    /// Seconds for each run.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub time: u64,
    /// Also parts of Linux, whose sources are fetched.
    #[arg(long)]
    pub linux: bool,
    /// Where sources are kept (by default in the cache of the user).
    #[arg(long, value_name = "DIR")]
    pub corpus: Option<PathBuf>,
}

/// A row of the paper's Fig. 9.
struct PaperProgram {
    name: &'static str,
    text: &'static str,
    groups: &'static str,
    old: &'static str,
    new: &'static str,
    trans: usize,
}

macro_rules! program {
    ($name:literal, $groups:literal, $old:literal, $new:literal, $trans:literal) => {
        PaperProgram {
            name: $name,
            text: include_str!(concat!("../../../../benchmarks/overlay/", $name, ".c")),
            groups: $groups,
            old: $old,
            new: $new,
            trans: $trans,
        }
    };
}

const PROGRAMS: [PaperProgram; 8] = [
    program!("list-dio-sim", "infer", "3.12", "1.56", 2),
    program!("list-dio", "infer", "fails", "3.95", 4),
    program!("many-keys-3", "infer", "1.65", "0.72", 2),
    program!("many-keys-4", "infer", "8.16", "1.22", 3),
    program!("many-lists-3", "infer", "1.90", "1.37", 3),
    program!("many-lists-4", "infer", "12.53", "3.05", 4),
    program!("cache-1", "next+prev+first+key+value,recent1", "1.29", "0.97", 9),
    program!("cache-2", "next+prev+first+key+value,recent1+recent2", "14.70", "1.81", 11),
];

/// What one mode says about one program.
struct Measured {
    outcome: Outcome,
    time: Duration,
}

/// Makes the tables and prints them.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<(), BenchError> {
    std::fs::create_dir_all(&options.directory).map_err(BenchError::file(&options.directory))?;
    let mut table = Table::new(&[
        "program",
        "lines",
        "groups",
        "coupled s",
        "verdict",
        "product s",
        "verdict",
        "trans",
        "paper old s",
        "paper new s",
        "paper trans",
    ]);
    let chosen = |name: &str| options.programs.is_empty() || options.programs.iter().any(|wanted| wanted == name);
    let sources = tempfile::tempdir().map_err(BenchError::file(Path::new("a temporary directory")))?;
    for paper in PROGRAMS.iter().filter(|paper| chosen(paper.name)) {
        let program = load(sources.path(), paper.name, paper.text)?;
        let (n_groups, n_trans) = trans(&program, paper.groups);
        let coupled = measured(&program, paper.groups, Mode::Coupled, options.time);
        let product = measured(&program, paper.groups, Mode::Product, options.time);
        table.push(vec![
            paper.name.to_owned(),
            lines_of(paper.text).to_string(),
            n_groups.to_string(),
            seconds(coupled.time),
            verdict(&coupled.outcome),
            seconds(product.time),
            verdict(&product.outcome),
            n_trans.to_string(),
            paper.old.to_owned(),
            paper.new.to_owned(),
            paper.trans.to_string(),
        ]);
    }
    finish(&table, &options.directory.join("overlay.csv"), out)?;
    if options.linux {
        let corpus = crate::corpus_directory(options.corpus.as_deref())?;
        linux::run(&corpus, (&options.directory, options.time), &chosen, out)?;
    }
    for series in [Series::ManyKeys, Series::ManyLists] {
        if !chosen(series.name()) {
            continue;
        }
        let mut table =
            Table::new(&["program", "elements coupled", "s", "verdict", "elements product", "s", "verdict", "trans"]);
        let (mut old, mut new) = (Vec::new(), Vec::new());
        let mut is_hopeless = false;
        for n in 2..=options.lists {
            let name = format!("{}-{n}", series.name());
            let program = load(sources.path(), &name, &series.program(n))?;
            let (_, n_trans) = trans(&program, "infer");
            let product = measured(&program, "infer", Mode::Product, options.time);
            new.push((n as f64, milliseconds(product.time)));
            let mut row = vec![name];
            if is_hopeless {
                row.extend(["-", "-", "not tried"].map(str::to_owned));
            } else {
                let coupled = measured(&program, "infer", Mode::Coupled, options.time);
                // A larger program takes longer.
                is_hopeless = coupled.outcome.stopped.is_some();
                old.push((n as f64, milliseconds(coupled.time)));
                row.extend([
                    coupled.outcome.stats.elements.to_string(),
                    seconds(coupled.time),
                    verdict(&coupled.outcome),
                ]);
            }
            row.extend([
                product.outcome.stats.elements.to_string(),
                seconds(product.time),
                verdict(&product.outcome),
                n_trans.to_string(),
            ]);
            table.push(row);
        }
        writeln!(out)?;
        finish(&table, &options.directory.join(format!("overlay-{}.csv", series.name())), out)?;
        let title = format!("{}-n: time in ms over n", series.name());
        let lines = [Line { name: "coupled", points: old }, Line { name: "product", points: new }];
        let path = options.directory.join(format!("overlay-{}.svg", series.name()));
        std::fs::write(&path, plot::lines(&title, &lines)).map_err(BenchError::file(&path))?;
    }
    Ok(())
}

fn finish(table: &Table, path: &Path, out: &mut dyn Write) -> Result<(), BenchError> {
    if table.is_empty() {
        return Ok(());
    }
    table.print(out)?;
    let mut file = std::fs::File::create(path).map_err(BenchError::file(path))?;
    table.write_csv(&mut file).map_err(BenchError::file(path))
}

/// How many groups there are, and how many `trans` are inserted.
fn trans(program: &Program, grouping: &str) -> (usize, usize) {
    let groups = Grouping::parse(grouping).and_then(|grouping| Groups::of(program, &grouping).ok());
    let (Some(groups), Some(main)) = (groups, program.function_named("main")) else { return (0, 0) };
    let n_groups = groups.len();
    (n_groups, prepare(program, main, groups).map_or(0, |prepared| prepared.n_trans()))
}

fn measured(program: &Program, grouping: &str, mode: Mode, time: u64) -> Measured {
    let grouping = Grouping::parse(grouping).unwrap_or(Grouping::Inferred);
    let Some(main) = program.function_named("main") else {
        return Measured { outcome: Outcome::default(), time: Duration::ZERO };
    };
    let question = Question::new(main);
    let control =
        Control::start(Budget { time: Some(Duration::from_secs(time)), ..Budget::default() }, Cancel::default());
    let start = ProcessTime::now();
    let outcome = ProductEngine { grouping, mode }.check(program, &question, &control);
    Measured { outcome, time: start.elapsed() }
}

fn verdict(outcome: &Outcome) -> String {
    match outcome.verdict() {
        Verdict::Safe => "safe",
        Verdict::Unsafe => "unsafe",
        Verdict::Unknown if outcome.stopped.is_some() => "out of time",
        Verdict::Unknown => "unknown",
    }
    .to_owned()
}

fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}

fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).max(1.0)
}

fn lines_of(text: &str) -> usize {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

fn load(directory: &Path, name: &str, text: &str) -> Result<Program, BenchError> {
    let path = directory.join(format!("{name}.c"));
    std::fs::write(&path, text).map_err(BenchError::file(&path))?;
    let unit = Unit { path: path.clone(), flags: Flags::default() };
    let options = FrontOptions { entries: vec!["main".into()], ..FrontOptions::default() };
    match heapwise_cfront::load(&[unit], &options, &Models::shipped()) {
        Ok(loaded) => Ok(loaded.program),
        Err(diagnostics) => {
            let first = diagnostics.first().map_or("refused without a word".to_owned(), |first| first.message.clone());
            Err(BenchError::File { path, source: std::io::Error::other(first) })
        }
    }
}
