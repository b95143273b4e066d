//! `heapwise bench pointsto`: the points-to analysis on programs linked as a whole, and how its time grows.

use crate::corpus::{Compiled, SourceUnit, TARGETS, Target};
use crate::table::{Table, percent};
use crate::{BenchError, Options, memory, progress};
use cpu_time::ProcessTime;
use heapwise_cfront::{Flags, FrontOptions, LeftOut, Unit};
use heapwise_ir::Program;
use heapwise_models::Models;
use heapwise_pointsto::{Arithmetic, Entries, Mode, Others, PointsTo, analyse};
use std::fmt::Write as _;
use std::io::Write;

/// How many copies of a program the last row of the second table has.
const MOST_COPIES: usize = 64;

/// Growth is told from here on, too: one copy takes a hundredth of a second, and what it needs is soon in the caches.
const LARGER_BASE: usize = 4;

/// How many modules a copy has.
const MODULES: usize = 300;

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
    writeln!(out, "\nThe same program several times, with other names")?;
    growth(out)?;
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
        memory::peak_bytes().map_or_else(|| "?".to_owned(), |bytes| (bytes >> 20).to_string()),
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

/// Time for 1 to 64 copies, beside what it would be if it grew with their number.
fn growth(out: &mut dyn Write) -> Result<(), BenchError> {
    let mut table = Table::new(&["copies", "edges", "calls", "seconds", "of linear from 1", "from 4"]);
    let mut measured: [Vec<(usize, f64)>; 2] = [Vec::new(), Vec::new()];
    let mut copies = 1;
    while copies <= MOST_COPIES {
        let program = copies_of_a_program(copies)?;
        let [_, edges] = sizes(&program);
        for (calls, measured) in [Mode::ContextInsensitive, Mode::ContextSensitive].into_iter().zip(&mut measured) {
            let best = (0..3).map(|_| timed(&program, calls, Arithmetic::WithinObjects).1).fold(f64::MAX, f64::min);
            measured.push((copies, best));
            let of_linear = |from: usize| {
                let first = measured.iter().find(|(copies, _)| *copies == from);
                first.map_or_else(String::new, |(_, first)| {
                    format!("{:.2}", best * from as f64 / (first * copies as f64))
                })
            };
            let (from_one, from_more) = (of_linear(1), of_linear(LARGER_BASE));
            let seconds = format!("{best:.3}");
            table.push(vec![copies.to_string(), edges.clone(), words(calls).to_owned(), seconds, from_one, from_more]);
        }
        copies *= 2;
    }
    table.print(out)?;
    Ok(())
}

fn words(mode: Mode) -> &'static str {
    match mode {
        Mode::ContextInsensitive => "unified",
        Mode::ContextSensitive => "mapped",
    }
}

fn copies_of_a_program(copies: usize) -> Result<Program, BenchError> {
    let directory = tempfile::tempdir().map_err(BenchError::file("a temporary directory"))?;
    let mut units = Vec::new();
    for copy in 0..copies {
        let path = directory.path().join(format!("copy{copy}.c"));
        std::fs::write(&path, one_copy(copy)).map_err(BenchError::file(&path))?;
        units.push(Unit { path, flags: Flags::default() });
    }
    let loaded = heapwise_cfront::load(
        &units,
        &FrontOptions { entries: Vec::new(), ..FrontOptions::default() },
        &Models::shipped(),
    );
    match loaded {
        Ok(loaded) => Ok(loaded.program),
        Err(diagnostics) => unreachable!("the program is C: {:?}", diagnostics.first().map(|first| &first.message)),
    }
}

/// Modules that keep lists of records with callbacks, and call each other.
fn one_copy(copy: usize) -> String {
    let mut text = String::from("void *malloc(unsigned long); void free(void *);\n");
    for module in 0..MODULES {
        let name = format!("m{copy}_{module}");
        let _ = write!(
            text,
            "struct {name} {{ struct {name} *next, *prev; void *data; void (*drop)(void *); char name[16]; }};
             static struct {name} *{name}_all;
             static void {name}_drop(void *data) {{ free(data); }}
             static struct {name} *{name}_new(void *data, void (*drop)(void *)) {{
                 struct {name} *it = malloc(sizeof *it);
                 if (!it) return 0;
                 it->data = data; it->drop = drop; it->prev = 0;
                 it->next = {name}_all;
                 if ({name}_all) {name}_all->prev = it;
                 {name}_all = it;
                 return it;
             }}
             static void {name}_each(void (*visit)(struct {name} *, void *), void *context) {{
                 for (struct {name} *it = {name}_all; it; it = it->next) visit(it, context);
             }}
             static void {name}_count(struct {name} *it, void *context) {{ ++*(int *)context; }}
             static void {name}_clear(void) {{
                 while ({name}_all) {{
                     struct {name} *next = {name}_all->next;
                     {name}_all->drop({name}_all->data);
                     free({name}_all);
                     {name}_all = next;
                 }}
             }}
             int {name}_run(void) {{
                 int n = 0;
                 {name}_new(malloc(8), {name}_drop);
                 {name}_each({name}_count, &n);
                 {name}_clear();
                 {}
                 return n;
             }}\n",
            if module > 0 { format!("n += m{copy}_{}_run();", module - 1) } else { String::new() }
        );
    }
    text
}
