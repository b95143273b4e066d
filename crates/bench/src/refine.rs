//! `heapwise bench refine`: the table of *Shape Refinement through Explicit Heap Analysis*: the maximal class of shapes beside
//! refinement with classes from names and from sampled heaps, and the buggy twin of each program.

use crate::table::Table;
use crate::{BenchError, Options};
use heapwise_cfront::{Flags, FrontOptions, Unit};
use heapwise_engine::{
    Budget, Cancel, Control, Engine, Exhausted, Kind, Options as Question, Refinement, Unbegun, Verdict,
};
use heapwise_ir::Program;
use heapwise_models::Models;
use heapwise_refine::search::{Ending, Found, Keeps, Mode};
use heapwise_refine::{RefineEngine, Settings};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A row of the paper's table.
struct PaperRow {
    program: &'static str,
    /// Families in use, of all.
    families: &'static str,
    refinements: &'static str,
    maximal: &'static str,
    annotated: &'static str,
    explicit: &'static str,
}

const fn row(
    program: &'static str,
    families: &'static str,
    refinements: &'static str,
    seconds: [&'static str; 3],
) -> PaperRow {
    let [maximal, annotated, explicit] = seconds;
    PaperRow { program, families, refinements, maximal, annotated, explicit }
}

/// Table 1 of the paper.
const PAPER: [PaperRow; 14] = [
    row("cancel_list_link", "dll 1/3", "1 td 1 scg", ["10.04", "12.65", "13.76"]),
    row("cancel_list_insert_after", "dll 1/3", "1 td 1 scg", ["23.62", "24.41", "26.82"]),
    row("cancel_list_insert_before", "dll 3/3", "2 td 2 scg", ["30.90", "69.01", "77.22"]),
    row("cancel_list_remove", "dll 2/3", "1 td 1 scg", ["4.42", "28.49", "29.05"]),
    row("acyclic_list_link", "sll 2/2", "1 td 1 scg", ["11.57", "6.32", "6.49"]),
    row("acyclic_list_insert_after", "sll 2/2", "1 td 1 scg", ["24.21", "23.57", "26.06"]),
    row("acyclic_list_insert_before", "dll 3/3", "2 td 2 scg", ["34.53", "80.81", "88.21"]),
    row("acyclic_list_remove", "sll 2/2", "1 td 2 scg", ["4.23", "96.77", "99.75"]),
    row("bintree_rotate_left", "tree 2/4", "3 td 2 scg", [">9000", "414.28", "521.31"]),
    row("bintree_rotate_right", "tree 2/4", "3 td 1 scg", [">9000", "419.24", "437.30"]),
    row("bintree_rotate_left_right", "tree 2/4", "2 td 2 scg", [">9000", "7023.41", "7401.74"]),
    row("treep_rotate_left", "tree-parent 2/5", "4 td 2 scg", [">9000", "180.58", "66.63"]),
    row("treep_rotate_right", "tree-parent 2/5", "4 td 2 scg", [">9000", "402.70", "384.19"]),
    row("treep_rotate_left_right", "tree-parent 2/5", "4 td 2 scg", [">9000", "1175.14", "1189.42"]),
];

/// Makes the table and prints it.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<(), BenchError> {
    let cut = Duration::from_secs(options.cut);
    let directory = options.corpus.clone().unwrap_or_else(|| PathBuf::from("benchmarks/refine"));
    let mut table = Table::new(&[
        "program",
        "families",
        "paper's",
        "refinements",
        "paper's",
        "max",
        "paper's",
        "annotated",
        "paper's",
        "explicit",
        "paper's",
        "of it samples, tuning, last run",
        "twin",
    ]);
    for row in &PAPER {
        if options.files.as_ref().is_some_and(|text| !row.program.contains(text.as_str())) {
            continue;
        }
        let program = load(&directory.join(format!("{}.c", row.program)))?;
        let twin = load(&directory.join("buggy").join(format!("{}.c", row.program)))?;
        let (maximal, _) = measured(&program, Mode::Maximal, cut);
        let (annotated, _) = measured(&program, Mode::Annotated, cut);
        let (explicit, found) = measured(&program, Mode::Explicit, cut);
        let (families, refinements, shares) = found.unwrap_or_default();
        table.push(vec![
            row.program.to_owned(),
            families,
            row.families.to_owned(),
            refinements,
            row.refinements.to_owned(),
            maximal,
            row.maximal.to_owned(),
            annotated,
            row.annotated.to_owned(),
            explicit,
            row.explicit.to_owned(),
            shares,
            verdict_of(&twin, cut),
        ]);
    }
    table.print(out).map_err(BenchError::Output)?;
    if let Some(path) = &options.csv {
        let mut file = std::fs::File::create(path).map_err(BenchError::file(path))?;
        table.write_csv(&mut file).map_err(BenchError::file(path))?;
    }
    Ok(())
}

fn load(path: &Path) -> Result<Program, BenchError> {
    let unit = Unit { path: path.to_owned(), flags: Flags::default() };
    let options = FrontOptions { entries: vec!["main".to_owned()], ..FrontOptions::default() };
    match heapwise_cfront::load(&[unit], &options, &Models::shipped()) {
        Ok(loaded) => Ok(loaded.program),
        Err(problems) => {
            let message = problems.first().map(|problem| problem.message.clone()).unwrap_or_default();
            Err(BenchError::Specification(format!("{}: {message}", path.display())))
        }
    }
}

/// What the programs are asked: the assertions of their clients, as in the paper.
fn question(program: &Program) -> Option<Question> {
    Some(Question { properties: vec![Kind::Assertion], ..Question::new(program.function_named("main")?) })
}

/// The time of a mode, and for one that proves the program: families, refinements, shares of time.
fn measured(program: &Program, mode: Mode, cut: Duration) -> (String, Option<(String, String, String)>) {
    let Some(question) = question(program) else { return ("no main".to_owned(), None) };
    let engine = RefineEngine { settings: Settings { mode, ..Settings::default() } };
    let control = Control::start(Budget { time: Some(cut), ..Budget::default() }, Cancel::default());
    let start = Instant::now();
    let searched = engine.with_search(program, &question, &control, (Keeps::Nothing, &|| false), |search, found| {
        let (used, all) = found.precision.families(search.library);
        let classes = found.precision.shapes.values();
        let classes: Vec<&str> = classes.map(|shape| search.library.class(shape.class).name.as_str()).collect();
        let families = format!("{} {used}/{all}", classes.join("+"));
        (families, refinements(&found), shares(&found), found.ending)
    });
    let seconds = start.elapsed().as_secs_f64();
    match searched {
        Err(Unbegun::Gap(gap)) => (format!("gap {:?}", gap.reason), None),
        Err(Unbegun::Stopped(_)) => ("cut".to_owned(), None),
        Ok((families, refinements, shares, ending)) => {
            let verdict = match ending {
                Ending::Proved => format!("{seconds:.2}"),
                Ending::Exhausted(Exhausted::Time) => format!("cut at {}", cut.as_secs()),
                Ending::Exhausted(_) => "cut".to_owned(),
                Ending::Open { .. } | Ending::Failed(_) | Ending::Gap(_) => format!("{seconds:.2} unknown"),
            };
            (verdict, Some((families, refinements, shares)))
        }
    }
}

fn refinements(found: &Found) -> String {
    let is_tracked = |refinement: &Refinement| matches!(refinement, Refinement::Tracked { .. });
    let td = found.log.iter().filter(|step| is_tracked(&step.refinement)).count();
    format!("{td} td {} scg", found.log.len() - td)
}

fn shares(found: &Found) -> String {
    let times = found.times;
    let share = |part: Duration| 100.0 * part.as_secs_f64() / times.whole.as_secs_f64().max(1e-9);
    format!("{:.0} %, {:.0} %, {:.0} %", share(times.samples), share(times.fine_tune), share(times.last_run))
}

fn verdict_of(program: &Program, cut: Duration) -> String {
    let Some(question) = question(program) else { return "no main".to_owned() };
    let control = Control::start(Budget { time: Some(cut), ..Budget::default() }, Cancel::default());
    let start = Instant::now();
    let outcome = RefineEngine::default().check(program, &question, &control);
    let verdict = match outcome.verdict() {
        Verdict::Safe => "SAFE",
        Verdict::Unsafe => "unsafe",
        Verdict::Unknown => "unknown",
    };
    format!("{verdict} {:.2}", start.elapsed().as_secs_f64())
}
