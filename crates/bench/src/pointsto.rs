//! `heapwise bench pointsto`: the points-to analysis on programs linked as a whole, and how its time grows.

use crate::copies::copies_of;
use crate::corpus::{Compiled, SourceUnit, TARGETS, Target};
use crate::table::{Table, percent};
use crate::{BenchError, Options, memory, progress};
use cpu_time::ProcessTime;
use heapwise_cfront::{Flags, FrontOptions, LeftOut, Unit};
use heapwise_ir::Program;
use heapwise_models::Models;
use heapwise_pointsto::{Arithmetic, Entries, Mode, Others, PointsTo, analyse};
use std::io::Write;

/// How many copies of a program the last row of the second table has.
const MOST_COPIES: usize = 16;

/// Each time is the median of so many, after one that is not counted.
const RUNS: usize = 5;

/// Prints both tables.
pub fn run(options: &Options, out: &mut dyn Write) -> Result<(), BenchError> {
    let targets = targets(options)?;
    let corpus = options.corpus()?;
    let mut table = Table::new(&[
        "target",
        "files",
        "left out",
        "functions",
        "edges",
        "calls",
        "arithmetic",
        "seconds",
        "memory (MB)",
        "regions",
        "with pointers",
        "collapsed",
        "unknown offset",
        "views disagree",
        "called together",
        "0",
        "1",
        "2-4",
        "5-16",
        "more",
        "any",
    ]);
    let mut copies = Table::new(&[
        "target",
        "copies",
        "functions",
        "edges",
        "calls",
        "seconds",
        "one by one",
        "memory (MB)",
        "of linear",
    ]);
    let mut refused = Vec::new();
    for target in targets {
        let Compiled { mut units, unread } = target.units(&corpus)?;
        refused.extend(unread.into_iter().map(|command| (command, "a command that cannot be split into words".into())));
        units.retain(|unit| options.files.as_ref().is_none_or(|wanted| unit.shown.contains(wanted)));
        let linked = link(&target, &units, Vec::new())?;
        let n_left_out = linked.left_out.len();
        for mode in [Mode::ContextInsensitive, Mode::ContextSensitive] {
            for arithmetic in [Arithmetic::WithinObjects, Arithmetic::WithinArrays] {
                let (found, seconds) = timed(&linked.program, mode, arithmetic);
                let mut row = vec![target.name.to_owned(), units.len().to_string(), n_left_out.to_string()];
                row.extend(sizes(&linked.program));
                row.extend(described(mode, arithmetic, &found, seconds));
                table.push(row);
            }
        }
        refused.extend(linked.left_out);
        growth(target.name, linked.program, &mut copies);
    }
    writeln!(
        out,
        "Points-to analysis of all files linked together (called together: functions that calls with many targets do not tell \
         apart; the last six columns: calls through pointers by targets)"
    )?;
    table.print(out)?;
    for (file, why) in refused {
        writeln!(out, "left out: {file}: {why}")?;
    }
    writeln!(
        out,
        "\nThe same program so many times over, with other names (seconds of processor time, the median of {RUNS} runs after one \
         that is not counted; one by one: of one copy, analysed so many times in between; of linear: the one by the other)"
    )?;
    copies.print(out)?;
    Ok(())
}

/// The targets that are asked for: by name, all of the programs named, or the library that the docs speak of.
pub(crate) fn targets(options: &Options) -> Result<Vec<Target>, BenchError> {
    if !options.targets.is_empty() {
        let named = |name: &String| Target::named(name).ok_or_else(|| BenchError::UnknownTarget { name: name.clone() });
        return options.targets.iter().map(named).collect();
    }
    let is_wanted = |target: &Target| match options.programs.as_slice() {
        [] => target.name == "libcrypto",
        programs => programs.contains(&target.program),
    };
    Ok(TARGETS.into_iter().filter(is_wanted).collect())
}

/// What is analysed, and what is not part of it, with the reason.
pub(crate) struct Linked {
    /// The program.
    pub(crate) program: Program,
    /// Files and why they are not part of it.
    pub(crate) left_out: Vec<(String, String)>,
}

/// What the entries reach of all files as one program (everything, if there are none); those that the front end refuses are left out.
pub(crate) fn link(target: &Target, units: &[SourceUnit], entries: Vec<String>) -> Result<Linked, BenchError> {
    let mut left_out = Vec::new();
    let mut kept: Vec<(&SourceUnit, Unit)> = Vec::new();
    for unit in units {
        let arguments = unit.arguments.iter().map(String::as_str);
        match Flags::from_arguments(arguments, &unit.directory) {
            Ok(flags) => kept.push((unit, Unit { path: unit.path.clone(), flags })),
            Err(refused) => left_out.push((unit.shown.clone(), refused.to_string())),
        }
    }
    progress(target.name, units.len() - 1, units.len());
    let files: Vec<Unit> = kept.iter().map(|(_, unit)| unit.clone()).collect();
    let options = FrontOptions { entries, ..FrontOptions::default() };
    let loaded = heapwise_cfront::load_what_links(&files, &options, &Models::shipped());
    let (loaded, refused) = loaded.map_err(|diagnostics| {
        let why = diagnostics.first().map_or_else(String::new, |first| first.message.clone());
        BenchError::FrontEnd { target: target.name, why }
    })?;
    for LeftOut { unit, diagnostics } in refused {
        let why = diagnostics.first().map(|first| format!("{}:{}: {}", first.file, first.line, first.message));
        left_out.push((kept[unit].0.shown.clone(), why.unwrap_or_default()));
    }
    Ok(Linked { program: loaded.program, left_out })
}

fn timed(program: &Program, mode: Mode, arithmetic: Arithmetic) -> (PointsTo, f64) {
    memory::reset_peak();
    let start = ProcessTime::now();
    let found = analyse(program, &heapwise_pointsto::Options { mode, arithmetic, entries: Entries::Uncalled });
    (found, start.elapsed().as_secs_f64())
}

/// The most memory that the process had since the last run began, in megabytes.
fn memory_in_use() -> String {
    memory::peak_bytes().map_or_else(|| "?".to_owned(), |bytes| (bytes >> 20).to_string())
}

fn sizes(program: &Program) -> [String; 2] {
    let bodies = || program.functions.values().filter_map(|function| function.automaton());
    [bodies().count().to_string(), bodies().map(|body| body.edges.len()).sum::<usize>().to_string()]
}

fn described(mode: Mode, arithmetic: Arithmetic, found: &PointsTo, seconds: f64) -> Vec<String> {
    let with_pointers = found.regions.values().filter(|region| region.holds_pointers()).count();
    let collapsed = found.regions.values().filter(|region| region.is_collapsed()).count();
    let reasons = |reason| {
        let regions = found.regions.values().filter(|region| region.holds_pointers());
        regions.filter(|region| region.collapses.iter().any(|collapse| collapse.reason == reason)).count()
    };
    let calls = |low: usize, high: usize| {
        let in_range = |targets: &&heapwise_pointsto::Targets| {
            targets.others == Others::None && (low..=high).contains(&targets.functions.len())
        };
        found.indirect_calls.values().filter(in_range).count()
    };
    let unknown = found.indirect_calls.values().filter(|targets| targets.others == Others::AnyAddressTaken).count();
    let mut row = vec![
        words(mode).to_owned(),
        match arithmetic {
            Arithmetic::WithinObjects => "objects".to_owned(),
            Arithmetic::WithinArrays => "arrays".to_owned(),
        },
        format!("{seconds:.2}"),
        memory_in_use(),
        found.regions.len().to_string(),
        with_pointers.to_string(),
        format!("{collapsed} ({})", percent(collapsed as u64, with_pointers as u64)),
        reasons(heapwise_pointsto::CollapseReason::UnknownOffset).to_string(),
        reasons(heapwise_pointsto::CollapseReason::ViewsDisagree).to_string(),
    ];
    row.push(found.stands_for.values().flatten().count().to_string());
    row.extend([(0, 0), (1, 1), (2, 4), (5, 16), (17, usize::MAX)].map(|(low, high)| calls(low, high).to_string()));
    row.push(unknown.to_string());
    row
}

/// Time for 1 to 16 copies, beside that of as many runs of one copy.
fn growth(target: &str, program: Program, table: &mut Table) {
    let mut n_copies = 1;
    while n_copies <= MOST_COPIES {
        let copies = copies_of(&program, n_copies);
        for mode in [Mode::ContextInsensitive, Mode::ContextSensitive] {
            let seconds = |program: &Program| timed(program, mode, Arithmetic::WithinObjects).1;
            let (mut together, mut one_by_one) = (Vec::new(), Vec::new());
            let mut memory = String::new();
            // By turns, and as long as each other: what else the machine does meets both. Both are warmed up: the first run of
            // each is given its memory by the system.
            for run in 0..=RUNS {
                let both = (seconds(&copies), memory_in_use());
                let singly = (0..n_copies).map(|_| seconds(&program)).sum::<f64>();
                if run > 0 {
                    together.push(both.0);
                    memory = both.1;
                    one_by_one.push(singly);
                }
            }
            let (together, one_by_one) = (median(together), median(one_by_one));
            let mut row = vec![target.to_owned(), n_copies.to_string()];
            row.extend(sizes(&copies));
            row.extend([words(mode).to_owned(), format!("{together:.3}"), format!("{one_by_one:.3}")]);
            row.extend([memory, format!("{:.2}", together / one_by_one)]);
            table.push(row);
        }
        n_copies *= 2;
    }
}

/// The one in the middle.
fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn words(mode: Mode) -> &'static str {
    match mode {
        Mode::ContextInsensitive => "unified",
        Mode::ContextSensitive => "mapped",
    }
}
