//! The table `engines`: what each engine decides of the C programs that announce a verdict.
//!
//! The programs are those under test: their first lines say which engines reach which verdict (`tests/c/README.md`). Counted are
//! those that `graph` or `tvl` decide; an engine agrees, or says *unknown*, or is wrong.

use crate::table::Table;
use crate::{BenchError, Options};
use heapwise_cfront::{Flags, FrontOptions, Unit};
use heapwise_engine::{AllocationFailure, Budget, Cancel, Control, Engine, Options as Question, Verdict};
use heapwise_models::Models;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// For each engine and program.
const TIME: Duration = Duration::from_secs(5);

/// What one engine came to.
#[derive(Clone, Default)]
struct Tally {
    agreed: usize,
    unknown: usize,
    wrong: Vec<String>,
    times: Vec<Duration>,
}

/// Asks every engine about every program below a directory and prints the table.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<(), BenchError> {
    let root = options.corpus.clone().unwrap_or_else(|| PathBuf::from("tests/c"));
    let engines: Vec<(&str, Box<dyn Engine>)> = vec![
        ("graph", Box::new(heapwise_graph::GraphEngine::default())),
        ("tvl", Box::new(heapwise_tvl::check::TvlEngine::default())),
        ("overlay", Box::new(heapwise_overlay::OverlayEngine)),
        ("explicit", Box::new(heapwise_interp::Explicit::default())),
    ];
    let mut tallies = vec![Tally::default(); engines.len()];
    let mut files = Vec::new();
    c_files(&root, &mut files)?;
    let (mut n_asked, mut n_left_out) = (0, 0);
    for path in files {
        let name = path.display().to_string();
        if options.files.as_ref().is_some_and(|part| !name.contains(part)) {
            continue;
        }
        let text = std::fs::read_to_string(&path).map_err(BenchError::file(&path))?;
        let Some(Announced { verdict, allocation_failure }) = announced(&text) else {
            n_left_out += 1;
            continue;
        };
        let flags = Flags { include_directories: vec![PathBuf::from("include")], ..Flags::default() };
        let unit = Unit { path: path.clone(), flags };
        let front = FrontOptions { entries: vec!["main".into()], ..FrontOptions::default() };
        let Ok(loaded) = heapwise_cfront::load(&[unit], &front, &Models::shipped()) else {
            n_left_out += 1;
            continue;
        };
        let Some(main) = loaded.program.function_named("main") else { continue };
        let question = Question { allocation_failure, ..Question::new(main) };
        n_asked += 1;
        for ((_, engine), tally) in engines.iter().zip(&mut tallies) {
            let budget = Budget { time: Some(TIME), ..Budget::default() };
            let start = Instant::now();
            let outcome = engine.check(&loaded.program, &question, &Control::start(budget, Cancel::default()));
            tally.times.push(start.elapsed());
            match outcome.verdict() {
                Verdict::Unknown => tally.unknown += 1,
                found if found == verdict => tally.agreed += 1,
                Verdict::Safe | Verdict::Unsafe => tally.wrong.push(name.clone()),
            }
        }
    }
    let header = ["engine", "agrees", "share %", "unknown", "wrong", "median ms", "slowest ms"];
    let mut table = Table::new(&header);
    for ((name, _), tally) in engines.iter().zip(&mut tallies) {
        tally.times.sort_unstable();
        let median = tally.times.get(tally.times.len() / 2).copied().unwrap_or_default();
        table.push(vec![
            (*name).to_owned(),
            tally.agreed.to_string(),
            format!("{:.1}", 100.0 * tally.agreed as f64 / f64::max(1.0, f64::from(n_asked))),
            tally.unknown.to_string(),
            tally.wrong.len().to_string(),
            milliseconds(median),
            milliseconds(tally.times.last().copied().unwrap_or_default()),
        ]);
    }
    table.print(out)?;
    let end = |error| BenchError::File { path: PathBuf::from("standard output"), source: error };
    writeln!(out, "{n_asked} programs that graph or tvl decide; {n_left_out} others").map_err(end)?;
    for ((name, _), tally) in engines.iter().zip(&tallies) {
        for program in &tally.wrong {
            writeln!(out, "{name} is wrong about {program}").map_err(end)?;
        }
    }
    if let Some(path) = &options.csv {
        let mut file = std::fs::File::create(path).map_err(BenchError::file(path))?;
        table.write_csv(&mut file).map_err(BenchError::file(path))?;
    }
    Ok(())
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1000.0)
}

/// What the first lines of a test say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Announced {
    verdict: Verdict,
    allocation_failure: AllocationFailure,
}

/// The verdict of `graph` or `tvl`, where one is announced and no other file or option is needed.
fn announced(text: &str) -> Option<Announced> {
    let mut verdict = None;
    let mut allocation_failure = AllocationFailure::Possible;
    for line in text.lines() {
        let Some(line) = line.strip_prefix("//@") else { continue };
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("engines:") {
            let (engines, said) = rest.split_once(';')?;
            let decides = engines.split(',').any(|engine| matches!(engine.trim(), "graph" | "tvl"));
            let said = said.trim().strip_prefix("verdict:").map(str::trim);
            match said {
                Some("safe") if decides => verdict = Some(Verdict::Safe),
                Some("unsafe") if decides => verdict = Some(Verdict::Unsafe),
                Some(_) | None => {}
            }
        } else if line == "args: --assume-malloc-succeeds" {
            allocation_failure = AllocationFailure::Never;
        } else {
            return None;
        }
    }
    verdict.map(|verdict| Announced { verdict, allocation_failure })
}

/// The C files below a directory, in order.
pub(crate) fn c_files(directory: &Path, found: &mut Vec<PathBuf>) -> Result<(), BenchError> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(BenchError::file(directory))? {
        paths.push(entry.map_err(BenchError::file(directory))?.path());
    }
    paths.sort();
    for path in paths {
        if path.is_dir() {
            c_files(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "c") {
            found.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_verdicts_of_graph_and_tvl_count() {
        let of = |text: &str| announced(text).map(|found| found.verdict);
        assert_eq!(of("//@ engines: explicit, tvl; verdict: safe\nint main(void);"), Some(Verdict::Safe));
        assert_eq!(
            of("//@ engines: graph; verdict: unknown\n//@ engines: tvl; verdict: unsafe\n"),
            Some(Verdict::Unsafe)
        );
        assert_eq!(of("//@ engines: overlay; verdict: safe\n"), None);
        assert_eq!(of("//@ engines: tvl; verdict: safe\n//@ args: --shape none\n"), None);
        assert_eq!(of("//@ engines: tvl; verdict: clean\n"), None);
        let never = announced("//@ args: --assume-malloc-succeeds\n//@ engines: tvl; verdict: safe\n");
        assert_eq!(never.map(|found| found.allocation_failure), Some(AllocationFailure::Never));
    }
}
