//! `heapwise bench cfront`: how much of real C the front end lowers, why not the rest, and how fast.

use crate::compiler::{self, Elapsed, Lines};
use crate::corpus::{CorpusProgram, SourceUnit};
use crate::table::{Table, percent};
use crate::{BenchError, Options, progress};
use cpu_time::ProcessTime;
use heapwise_cfront::{Flags, FrontOptions, Loaded, Unit};
use heapwise_ir::{Automaton, Body, Expression, Instruction, Program, Span};
use heapwise_models::Models;
use indexmap::IndexMap;
use std::fs::File;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// Makes the table and prints it.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<(), BenchError> {
    let corpus = options.corpus()?;
    let models = Models::shipped();
    let startup = compiler::startup()?;
    let mut programs = Vec::new();
    for program in options.programs() {
        let mut counts = Counts::default();
        let mut units = program.obtain(&corpus)?;
        units.retain(|unit| options.files.as_ref().is_none_or(|text| unit.shown.contains(text.as_str())));
        for (index, unit) in units.iter().enumerate() {
            progress(program.name(), index, units.len());
            counts.measure(unit, &models, options)?;
        }
        programs.push((program, counts));
    }
    print(&programs, startup, options, out)
}

/// Loads one unit alone.
pub fn load(unit: &SourceUnit, models: &Models) -> Result<Loaded, String> {
    let arguments = unit.arguments.iter().map(String::as_str);
    let flags = Flags::from_arguments(arguments, &unit.directory).map_err(|refused| refused.to_string())?;
    let units = [Unit { path: unit.path.clone(), flags }];
    let options = FrontOptions { entries: Vec::new(), ..FrontOptions::default() };
    match catch_unwind(AssertUnwindSafe(|| heapwise_cfront::load(&units, &options, models))) {
        Ok(Ok(loaded)) => Ok(loaded),
        Ok(Err(diagnostics)) => Err(diagnostics.first().map_or_else(
            || "refused without a word".to_owned(),
            |first| format!("{} ({}:{})", first.message, first.file, first.line),
        )),
        Err(_) => Err("the front end panicked".to_owned()),
    }
}

/// What one program gave.
#[derive(Default)]
struct Counts {
    refused_by_gcc: u64,
    accepted: u64,
    lowered: u64,
    functions: u64,
    clean: u64,
    own_functions: u64,
    own_clean: u64,
    edges: u64,
    container_of: u64,
    lines: Lines,
    gcc: Elapsed,
    heapwise: Elapsed,
    failures: Vec<(String, String)>,
    reasons: IndexMap<String, Reason>,
    per_file: Vec<Vec<String>>,
}

/// How often something could not be lowered.
#[derive(Default)]
struct Reason {
    edges: u64,
    functions: u64,
    examples: Vec<String>,
}

impl Counts {
    fn measure(&mut self, unit: &SourceUnit, models: &Models, options: &Options) -> Result<(), BenchError> {
        let (accepted, gcc) = compiler::syntax_only(unit)?;
        if !accepted {
            self.refused_by_gcc += 1;
            return Ok(());
        }
        self.accepted += 1;
        self.gcc += gcc;
        let lines = compiler::count_lines(unit)?;
        self.lines.source += lines.source;
        self.lines.preprocessed += lines.preprocessed;
        let (wall, processor) = (Instant::now(), ProcessTime::now());
        let loaded = load(unit, models);
        let heapwise = Elapsed { wall: wall.elapsed(), processor: processor.elapsed() };
        self.heapwise += heapwise;
        let mut file = FileCounts::default();
        match loaded {
            Ok(loaded) => {
                file = self.count(&loaded.program, unit, options);
                if loaded.program.gaps.is_empty() {
                    self.lowered += 1;
                } else {
                    let (_, reason) = &loaded.program.gaps[0];
                    self.failures.push((unit.shown.clone(), heapwise_report::words::unsupported(reason)));
                }
            }
            Err(reason) => self.failures.push((unit.shown.clone(), reason)),
        }
        self.per_file.push(vec![
            unit.shown.clone(),
            lines.source.to_string(),
            lines.preprocessed.to_string(),
            milliseconds(gcc),
            milliseconds(heapwise),
            file.functions.to_string(),
            file.unclean.to_string(),
            file.container_of.to_string(),
        ]);
        Ok(())
    }

    /// Looks at every function of a lowered unit.
    fn count(&mut self, program: &Program, unit: &SourceUnit, options: &Options) -> FileCounts {
        let own_path = unit.path.display().to_string();
        let is_own = |span: Span| span.file.is_some_and(|file| program.files[file].path == own_path);
        let mut file = FileCounts::default();
        for function in program.functions.values() {
            let Body::Defined(automaton) = &function.body else { continue };
            let own = is_own(function.span);
            let unclean = self.count_reasons(program, automaton, options);
            let container_of = count_container_of(automaton);
            self.functions += 1;
            self.clean += u64::from(!unclean);
            self.edges += automaton.edges.len() as u64;
            self.container_of += container_of;
            file.container_of += container_of;
            if own {
                self.own_functions += 1;
                self.own_clean += u64::from(!unclean);
                file.functions += 1;
                file.unclean += u64::from(unclean);
            }
        }
        file
    }

    /// Counts what could not be lowered in a function; whether there was anything.
    fn count_reasons(&mut self, program: &Program, automaton: &Automaton, options: &Options) -> bool {
        let mut seen: Vec<usize> = Vec::new();
        for edge in automaton.edges.values() {
            let Instruction::Unsupported(reason) = &edge.instruction else { continue };
            let entry = self.reasons.entry(heapwise_report::words::unsupported(reason));
            let index = entry.index();
            let reason = entry.or_default();
            reason.edges += 1;
            if !seen.contains(&index) {
                seen.push(index);
                reason.functions += 1;
            }
            if reason.examples.len() < options.examples {
                reason.examples.push(place(program, edge.span));
            }
        }
        !seen.is_empty()
    }
}

/// What one file gave, of its own functions.
#[derive(Default)]
struct FileCounts {
    functions: u64,
    unclean: u64,
    container_of: u64,
}

/// How many edges take a field path away from a pointer.
fn count_container_of(automaton: &Automaton) -> u64 {
    let subtracts = |instruction: &Instruction| {
        matches!(instruction, Instruction::Assign { value: Expression::SubtractPath { .. }, .. })
    };
    automaton.edges.values().filter(|edge| subtracts(&edge.instruction)).count() as u64
}

fn place(program: &Program, span: Span) -> String {
    match span.file {
        Some(file) => format!("{}:{}", program.files[file].path, span.line),
        None => "no place".to_owned(),
    }
}

fn milliseconds(elapsed: Elapsed) -> String {
    format!("{:.1}", elapsed.processor.as_secs_f64() * 1000.0)
}

/// How many times as long gcc takes.
fn ratio(gcc: f64, heapwise: f64) -> String {
    if heapwise == 0.0 { "-".to_owned() } else { format!("{:.2}", gcc / heapwise) }
}

/// Thousands of lines per second of processor time.
fn speed(lines: u64, elapsed: Elapsed) -> String {
    let seconds = elapsed.processor.as_secs_f64();
    if seconds == 0.0 { "-".to_owned() } else { format!("{:.1}", lines as f64 / 1000.0 / seconds) }
}

fn print(
    programs: &[(CorpusProgram, Counts)],
    startup: Elapsed,
    options: &Options,
    out: &mut dyn Write,
) -> Result<(), BenchError> {
    let mut lowered = Table::new(&[
        "program",
        "gcc refuses",
        "files",
        "lowered",
        "%",
        "functions",
        "clean",
        "%",
        "own functions",
        "clean",
        "%",
        "edges",
    ]);
    let mut speeds = Table::new(&[
        "program",
        "source lines",
        "preprocessed",
        "gcc s",
        "of it starting",
        "heapwise s",
        "gcc KLOC/s",
        "heapwise KLOC/s",
        "gcc source KLOC/s",
        "heapwise source KLOC/s",
        "times gcc",
        "by the clock",
    ]);
    for (program, counts) in programs {
        lowered.push(vec![
            program.name().to_owned(),
            counts.refused_by_gcc.to_string(),
            counts.accepted.to_string(),
            counts.lowered.to_string(),
            percent(counts.lowered, counts.accepted),
            counts.functions.to_string(),
            counts.clean.to_string(),
            percent(counts.clean, counts.functions),
            counts.own_functions.to_string(),
            counts.own_clean.to_string(),
            percent(counts.own_clean, counts.own_functions),
            counts.edges.to_string(),
        ]);
        let (gcc, heapwise) = (counts.gcc.processor.as_secs_f64(), counts.heapwise.processor.as_secs_f64());
        let (gcc_wall, heapwise_wall) = (counts.gcc.wall.as_secs_f64(), counts.heapwise.wall.as_secs_f64());
        speeds.push(vec![
            program.name().to_owned(),
            counts.lines.source.to_string(),
            counts.lines.preprocessed.to_string(),
            format!("{gcc:.2}"),
            format!("{:.2}", startup.processor.as_secs_f64() * counts.accepted as f64),
            format!("{heapwise:.2}"),
            speed(counts.lines.preprocessed, counts.gcc),
            speed(counts.lines.preprocessed, counts.heapwise),
            speed(counts.lines.source, counts.gcc),
            speed(counts.lines.source, counts.heapwise),
            ratio(gcc, heapwise),
            ratio(gcc_wall, heapwise_wall),
        ]);
    }
    writeln!(
        out,
        "What is lowered (files that gcc accepts; functions with no unsupported edge are clean; own: not from headers)"
    )?;
    lowered.print(out)?;
    writeln!(
        out,
        "\nHow fast (processor time of `gcc -fsyntax-only` and of heapwise's preprocessing, parsing and lowering)"
    )?;
    speeds.print(out)?;
    for (program, counts) in programs {
        print_rest(*program, counts, out)?;
    }
    if let Some(path) = &options.csv {
        let mut file = File::create(path).map_err(BenchError::file(path))?;
        lowered.write_csv(&mut file)?;
        speeds.write_csv(&mut file)?;
        for (program, counts) in programs {
            reasons_table(*program, counts).write_csv(&mut file)?;
            files_table(*program, counts).write_csv(&mut file)?;
        }
    }
    Ok(())
}

/// The files that were not lowered and the reasons for the functions that are not clean; Linux' three files one by one.
fn print_rest(program: CorpusProgram, counts: &Counts, out: &mut dyn Write) -> Result<(), BenchError> {
    if program == CorpusProgram::Linux {
        writeln!(out, "\n{}: file by file ({} uses of container_of in all)", program.name(), counts.container_of)?;
        files_table(program, counts).print(out)?;
    }
    if !counts.failures.is_empty() {
        writeln!(out, "\n{}: files that were not lowered", program.name())?;
        for (file, reason) in &counts.failures {
            writeln!(out, "  {file}: {reason}")?;
        }
    }
    let reasons = reasons_table(program, counts);
    if !reasons.is_empty() {
        writeln!(out, "\n{}: what could not be lowered within functions", program.name())?;
        reasons.print(out)?;
    }
    Ok(())
}

fn files_table(program: CorpusProgram, counts: &Counts) -> Table {
    let first = format!("{} file", program.name());
    let mut table = Table::new(&[
        first.as_str(),
        "source lines",
        "preprocessed",
        "gcc ms",
        "heapwise ms",
        "own functions",
        "not clean",
        "container_of",
    ]);
    counts.per_file.iter().for_each(|row| table.push(row.clone()));
    table
}

fn reasons_table(program: CorpusProgram, counts: &Counts) -> Table {
    let first = format!("{} functions", program.name());
    let mut table = Table::new(&[first.as_str(), "edges", "reason", "for example"]);
    let mut reasons: Vec<(&String, &Reason)> = counts.reasons.iter().collect();
    reasons.sort_by(|left, right| (right.1.functions, left.0).cmp(&(left.1.functions, right.0)));
    for (name, reason) in reasons {
        table.push(vec![
            reason.functions.to_string(),
            reason.edges.to_string(),
            name.clone(),
            reason.examples.join(" "),
        ]);
    }
    table
}
