//! `heapwise bench region`: the engine `region` on programs linked as a whole, beside `gcc -fanalyzer` (the table of paper
//! 004's Fig. 16).

use crate::compiler::{self, Analysed};
use crate::corpus::CorpusProgram;
use crate::corpus::{Compiled, SourceUnit, Target};
use crate::pointsto::{Linked, link};
use crate::table::{Table, percent};
use crate::{BenchError, Options, memory, region_growth};
use cpu_time::ProcessTime;
use heapwise_engine::{Budget, Cancel, Certainty, Control, Engine, Kind, Outcome, SiteExtent};
use heapwise_ir::{FunctionId, Program, Span};
use heapwise_pointsto::{Arithmetic, Entries, Mode};
use heapwise_region::RegionEngine;
use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// The kinds that the engine looks for.
const KINDS: [Kind; 4] = [Kind::Leak, Kind::DoubleFree, Kind::UseAfterFree, Kind::InvalidFree];

/// So long one program may take.
const TIME: Duration = Duration::from_secs(300);

/// Prints the table, and what was found.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<(), BenchError> {
    let corpus = options.corpus()?;
    let mut table = Table::new(&[
        "target",
        "files",
        "left out",
        "KLOC",
        "sites",
        "fully analysed",
        "ended",
        "front end (s)",
        "regions (s)",
        "shapes (s)",
        "memory (MB)",
        "confirmed",
        "possible",
        "gcc -fanalyzer (s)",
        "its findings",
        "times its KLOC/s",
    ]);
    let mut growth = region_growth::table();
    let mut lines = Vec::new();
    let mut beside = (!options.alone).then(Beside::default);
    for target in targets(options)? {
        let Compiled { mut units, .. } = target.units(&corpus)?;
        // What the program itself is made of is compiled last, and comes before members of archives that define the same.
        units.reverse();
        units.retain(|unit| options.files.as_ref().is_none_or(|wanted| unit.shown.contains(wanted)));
        let start = ProcessTime::now();
        let linked = link(&target, &units, vec!["main".to_owned()])?;
        let front_end = start.elapsed().as_secs_f64();
        let Some(main) = linked.program.function_named("main") else {
            lines.push(format!("{}: it has no main", target.name));
            continue;
        };
        if options.copies > 1 {
            let counted = units.iter().map(compiler::count_source_lines);
            let n_lines = counted.sum::<Result<u64, BenchError>>()?;
            region_growth::rows(target.name, (&linked.program, main), n_lines, options.copies, &mut growth);
        }
        table.push(row(&target, (&units, &linked, front_end), main, beside.as_mut(), &mut lines)?);
        lines.extend(linked.left_out.into_iter().map(|(file, why)| format!("left out: {file}: {why}")));
    }
    writeln!(
        out,
        "Whole programs by the engine region, beside gcc -fanalyzer on the same files (seconds of processor time)"
    )?;
    table.print(out)?;
    if !growth.is_empty() {
        writeln!(
            out,
            "\nThe same program so many times over, with other names (of linear: beside so many times the time of one)"
        )?;
        growth.print(out)?;
    }
    for line in lines {
        writeln!(out, "{line}")?;
    }
    if let Some(path) = &options.csv {
        let mut file = std::fs::File::create(path).map_err(BenchError::file(path))?;
        table.write_csv(&mut file)?;
    }
    Ok(())
}

/// The targets that are asked for, or the programs of OpenSSH.
fn targets(options: &Options) -> Result<Vec<Target>, BenchError> {
    match (options.targets.is_empty(), options.programs.as_slice()) {
        (true, []) => {
            let openssh = Options { programs: vec![CorpusProgram::Openssh], ..options.clone() };
            crate::pointsto::targets(&openssh)
        }
        _ => crate::pointsto::targets(options),
    }
}

/// What `gcc -fanalyzer` said of the files so far: programs share most of theirs.
#[derive(Default)]
struct Beside {
    known: HashMap<(PathBuf, Vec<String>), Analysed>,
}

impl Beside {
    fn of(&mut self, unit: &SourceUnit) -> Result<Analysed, BenchError> {
        let key = (unit.path.clone(), unit.arguments.clone());
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let analysed = compiler::analyzer(unit)?;
        self.known.insert(key, analysed);
        Ok(analysed)
    }
}

fn row(
    target: &Target,
    (units, linked, front_end): (&[SourceUnit], &Linked, f64),
    main: FunctionId,
    mut beside: Option<&mut Beside>,
    lines: &mut Vec<String>,
) -> Result<Vec<String>, BenchError> {
    let mut n_lines = 0;
    let mut theirs = Analysed::default();
    for unit in units {
        n_lines += compiler::count_source_lines(unit)?;
        if let Some(beside) = &mut beside {
            theirs += beside.of(unit)?;
        }
    }
    let (outcome, regions, shapes) = timed(&linked.program, main);
    let full = outcome.sites.iter().filter(|site| site.extent == SiteExtent::Full).count();
    let confirmed = outcome.findings.iter().filter(|finding| finding.certainty == Certainty::Confirmed).count();
    for finding in &outcome.findings {
        let certainty = match finding.certainty {
            Certainty::Confirmed => "confirmed",
            Certainty::Possible => "possible",
        };
        let place = place(&linked.program, finding.span);
        lines.push(format!("{}: {place}: {certainty} {}: {}", target.name, finding.kind.name(), finding.message));
    }
    for site in outcome.sites.iter().filter(|site| site.extent != SiteExtent::Full) {
        lines.push(format!("{}: {}: not fully analysed", target.name, place(&linked.program, site.site.span)));
    }
    let their_time = theirs.processor.as_secs_f64();
    let told = |text: String| if beside.is_some() { text } else { "-".to_owned() };
    Ok(vec![
        target.name.to_owned(),
        units.len().to_string(),
        linked.left_out.len().to_string(),
        format!("{:.1}", n_lines as f64 / 1000.0),
        outcome.sites.len().to_string(),
        percent(full as u64, outcome.sites.len() as u64),
        if outcome.stopped.is_none() { "yes" } else { "no" }.to_owned(),
        format!("{front_end:.1}"),
        format!("{regions:.1}"),
        format!("{shapes:.1}"),
        memory::peak_bytes().map_or_else(|| "?".to_owned(), |bytes| (bytes >> 20).to_string()),
        confirmed.to_string(),
        (outcome.findings.len() - confirmed).to_string(),
        told(format!("{their_time:.1}")),
        told(theirs.findings.to_string()),
        // Both read the files, too.
        told(format!("{:.1}", their_time / (front_end + regions + shapes))),
    ])
}

fn place(program: &Program, span: Span) -> String {
    let file = span.file.map_or("?", |file| program.files[file].path.as_str());
    format!("{file}:{}", span.line)
}

/// What the engine says, and the seconds for the regions alone and for the rest.
pub(crate) fn timed(program: &Program, main: FunctionId) -> (Outcome, f64, f64) {
    memory::reset_peak();
    let start = ProcessTime::now();
    let asked = heapwise_pointsto::Options {
        mode: Mode::ContextSensitive,
        arithmetic: Arithmetic::WithinObjects,
        entries: Entries::Listed(vec![main]),
    };
    drop(heapwise_pointsto::analyse(program, &asked));
    let regions = start.elapsed().as_secs_f64();
    let options = heapwise_engine::Options { properties: KINDS.to_vec(), ..heapwise_engine::Options::new(main) };
    let budget = Budget { time: Some(TIME), ..Budget::default() };
    let start = ProcessTime::now();
    let outcome = RegionEngine::default().check(program, &options, &Control::start(budget, Cancel::default()));
    (outcome, regions, (start.elapsed().as_secs_f64() - regions).max(0.0))
}
