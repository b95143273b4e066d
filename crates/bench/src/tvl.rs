//! The table `tvl`: every specification under some directories, with its structures, speed and memory.

use crate::table::Table;
use crate::{BenchError, Options, memory};
use cpu_time::ProcessTime;
use heapwise_tvl::tvla::{self, File, TvlaOptions, TvlaReport};
use heapwise_tvl::tvp::preprocess::DiskFiles;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Specifications that are tests, too.
const SMALL: &str = "tests/tvp";
/// Those with ten thousand structures and more each.
const LARGE: &str = "benchmarks/tvl";

/// Runs every specification and prints the table.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<(), BenchError> {
    let roots = match &options.corpus {
        Some(root) => vec![root.clone()],
        None => [SMALL, LARGE].map(PathBuf::from).to_vec(),
    };
    let header = ["program", "verdict", "locations", "structures", "produced", "CPU ms", "structures/s", "peak MiB"];
    let mut table = Table::new(&header);
    for (root, program) in all_programs(&roots)? {
        let name = program.strip_prefix(&root).unwrap_or(&program).with_extension("").display().to_string();
        if options.files.as_ref().is_some_and(|part| !name.contains(part)) {
            continue;
        }
        memory::reset_peak();
        let start = ProcessTime::now();
        let report = analyse(&program)?;
        let seconds = start.elapsed().as_secs_f64();
        table.push(vec![
            name,
            format!("{:?}", report.verdict()).to_lowercase(),
            report.locations.len().to_string(),
            report.total().to_string(),
            report.produced.to_string(),
            format!("{:.1}", seconds * 1000.0),
            format!("{:.0}", report.total() as f64 / seconds.max(1e-6)),
            memory::peak_bytes().map_or_else(|| "?".to_owned(), |bytes| format!("{:.1}", bytes as f64 / 1_048_576.0)),
        ]);
    }
    table.print(out)?;
    if let Some(path) = &options.csv {
        let mut file = std::fs::File::create(path).map_err(BenchError::file(path))?;
        table.write_csv(&mut file).map_err(BenchError::file(path))?;
    }
    Ok(())
}

/// The programs below each directory.
fn all_programs(roots: &[PathBuf]) -> Result<Vec<(PathBuf, PathBuf)>, BenchError> {
    let mut found = Vec::new();
    for root in roots {
        found.extend(programs(root)?.into_iter().map(|program| (root.clone(), program)));
    }
    Ok(found)
}

/// The programs below a directory: TVP files with edges of their own, not those that others include.
fn programs(root: &Path) -> Result<Vec<PathBuf>, BenchError> {
    let mut found = Vec::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(&directory).map_err(BenchError::file(&directory))? {
            let path = entry.map_err(BenchError::file(&directory))?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "tvp")
                && std::fs::read_to_string(&path).map_err(BenchError::file(&path))?.contains("#include")
            {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn analyse(program: &Path) -> Result<TvlaReport, BenchError> {
    let text = std::fs::read_to_string(program).map_err(BenchError::file(program))?;
    let input = program.with_extension("tvs");
    let input_text = std::fs::read_to_string(&input).ok();
    let (path, input_path) = (program.display().to_string(), input.display().to_string());
    let input = input_text.as_ref().map(|text| File { path: &input_path, text });
    let program = File { path: &path, text: &text };
    tvla::run(program, input, &DiskFiles::default(), &TvlaOptions::default())
        .map_err(|error| BenchError::Specification(error.to_string()))
}
