//! The table `contracts`: clients of libraries with contracts, checked by the contracts alone and with the bodies, in the
//! same run.

use crate::table::Table;
use crate::{BenchError, Options};
use cpu_time::ProcessTime;
use heapwise_cfront::{Flags, FrontOptions, Unit};
use heapwise_engine::{Control, Options as Question, Outcome, Verdict};
use heapwise_ir::Program;
use heapwise_models::Models;
use heapwise_tvl::check::modular::ContractUse;
use heapwise_tvl::check::{Settings, TvlEngine};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Checks every client below a directory both ways and prints the table.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<(), BenchError> {
    let root = options.corpus.clone().unwrap_or_else(|| PathBuf::from("tests/c/tvl"));
    let header = ["client", "by contracts ms", "with bodies ms", "ratio", "verdicts", "bodies checked once ms"];
    let mut table = Table::new(&header);
    for path in clients(&root)? {
        let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        if options.files.as_ref().is_some_and(|part| !name.contains(part)) {
            continue;
        }
        let program = load(&path)?;
        let Some(main) = program.function_named("main") else { continue };
        let question = Question::new(main);
        let (modular, by_contracts) = best(|| check(&program, &question, ContractUse::Modular));
        let (inlined, with_bodies) = best(|| check(&program, &question, ContractUse::Ignored));
        let mut bodies = Duration::ZERO;
        for contract in &program.contracts {
            let question = Question { entry: contract.function, ..question.clone() };
            bodies += best(|| check(&program, &question, ContractUse::Modular)).1;
        }
        table.push(vec![
            name,
            milliseconds(by_contracts),
            milliseconds(with_bodies),
            format!("{:.2}", with_bodies.as_secs_f64() / by_contracts.as_secs_f64().max(1e-6)),
            format!("{}, {}", verdict(&modular), verdict(&inlined)),
            milliseconds(bodies),
        ]);
    }
    table.print(out)?;
    if let Some(path) = &options.csv {
        let mut file = std::fs::File::create(path).map_err(BenchError::file(path))?;
        table.write_csv(&mut file).map_err(BenchError::file(path))?;
    }
    Ok(())
}

/// One function, and what it calls: by contract, or followed.
fn check(program: &Program, question: &Question, contracts: ContractUse) -> Outcome {
    let engine = TvlEngine { settings: Settings { contracts, ..Settings::default() } };
    engine.check_entry(program, question, &Control::unlimited())
}

/// The result, and the best time of three.
fn best(mut check: impl FnMut() -> Outcome) -> (Outcome, Duration) {
    let mut timed = || {
        let start = ProcessTime::now();
        let outcome = check();
        (outcome, start.elapsed())
    };
    let (outcome, first) = timed();
    let again = timed().1.min(timed().1);
    (outcome, first.min(again))
}

fn verdict(outcome: &Outcome) -> &'static str {
    match outcome.verdict() {
        Verdict::Safe => "safe",
        Verdict::Unsafe => "unsafe",
        Verdict::Unknown => "unknown",
    }
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1000.0)
}

/// The C files below a directory that have contracts and a `main`.
fn clients(root: &Path) -> Result<Vec<PathBuf>, BenchError> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root).map_err(BenchError::file(root))? {
        let path = entry.map_err(BenchError::file(root))?.path();
        if path.extension().is_some_and(|extension| extension == "c") {
            let text = std::fs::read_to_string(&path).map_err(BenchError::file(&path))?;
            if text.contains("hw_ensures(") && text.contains(" main(") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn load(path: &Path) -> Result<Program, BenchError> {
    let unit = Unit { path: path.to_owned(), flags: Flags::default() };
    let options = FrontOptions { entries: vec!["main".into()], ..FrontOptions::default() };
    match heapwise_cfront::load(&[unit], &options, &Models::shipped()) {
        Ok(loaded) => Ok(loaded.program),
        Err(diagnostics) => {
            let first = diagnostics.first().map_or("refused without a word".to_owned(), |first| first.message.clone());
            Err(BenchError::File { path: path.to_owned(), source: std::io::Error::other(first) })
        }
    }
}
