//! The options, as clap sees them. Settings of engines are added by `engine_settings.rs`.

use super::symbolic_options::{AssumeCommand, MeetCommand, SYMBOLIC_STATUS, TransformCommand};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

pub(crate) const COMPILER_OPTIONS: &str = "\
Compiler options (as gcc has them):
  -I DIR  -isystem DIR  -iquote DIR  -idirafter DIR  -nostdinc
  -D NAME[=VALUE]  -U NAME  -include FILE  -imacros FILE
  -std=STANDARD  -ansi  -m32  -m64  -march=x86-64-v2 …  -mavx2 …  -O[LEVEL]  -pthread
  -funsigned-char  -fshort-enums  -fshort-wchar  -fms-extensions  -fgnu89-inline
  -ffreestanding  -fexceptions  -fsanitize=…
  -W…  -g…  -c  -w  -pedantic  -pipe, and -f… and -m… of optimisation and code
  generation, change nothing and are let through; an option that may change what
  the text means makes the verdict unknown, one that surely does is an error";

pub(crate) const STATUS: &str = "\
Exit status:
  0  safe: no error on any execution, under the printed assumptions
  1  unsafe: a confirmed finding (or, with --fail-on possible, any finding)
  2  could not run: bad usage, unreadable or unparsable input
  3  unknown: possible findings only, or not everything proved";

const REPLAY_STATUS: &str = "\
The report says which files were read, with which options, and what each run chose.
Paths are relative to the current directory, as they were for `heapwise check`.

Exit status:
  1  confirmed again: every run fails as the report says, at the same place
  2  could not run: no report, no confirmed finding in it, or the files have changed
  3  a run does not show its error (the report is of another version of heapwise)";

const VERIFY_STATUS: &str = "\
Give the same C files, models and options as `heapwise check` was given: the proof must be of this program and of
this question.

Exit status:
  0  accepted: what the certificate says is inductive and free of errors
  1  rejected: it is about another program, models or question, or proves nothing
  2  could not run: an unreadable file, C that cannot be read, no certificate
  3  unknown: the time ran out";

const TVLA_STATUS: &str = "\
-I DIR and -D NAME[=VALUE] are for the preprocessor.

Exit status:
  0  verified: no message came up
  1  violated: a message came up
  2  could not run: an unreadable or malformed file
  3  unknown: the run ended early, or every input structure was dropped";

/// Can the heap go wrong? Proves C programs memory-safe and shape-keeping, or shows the path that breaks them.
#[derive(Parser)]
#[command(name = "heapwise", version, disable_help_subcommand = true)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Analyse C files, linked into one program, from main or from --entry.
    Check(CheckCommand),
    /// Make the runs of a report's confirmed findings again.
    #[command(after_help = REPLAY_STATUS)]
    Replay(ReplayCommand),
    /// Check the proof that `heapwise check --certificate` wrote, in one pass, without searching for anything.
    #[command(after_help = VERIFY_STATUS)]
    VerifyCertificate(VerifyCommand),
    /// Say what a kind of finding means, with an example and the way out.
    Explain {
        /// A kind, such as leak; without one, all kinds are listed.
        kind: Option<String>,
    },
    /// Print what the tool thinks the program is.
    Dump(DumpCommand),
    /// Regenerate a table of measurements on real programs.
    #[command(disable_help_flag = true)]
    Bench {
        /// Which table; --help lists them.
        #[arg(allow_hyphen_values = true)]
        table: String,
        /// Options of the table; --help lists them.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<OsString>,
    },
    /// List what this machine has of what heapwise can use, and what difference that makes.
    Doctor,
    /// Run a specification in TVLA's file formats.
    #[command(after_help = TVLA_STATUS)]
    Tvla(TvlaCommand),
    /// Find exactly the structures that a condition leaves, or that a formula describes.
    #[command(after_help = SYMBOLIC_STATUS)]
    Assume(AssumeCommand),
    /// Find exactly the structures that two sets have in common.
    #[command(after_help = SYMBOLIC_STATUS)]
    Meet(MeetCommand),
    /// Find exactly the structures after an action, or after a block of actions.
    #[command(after_help = SYMBOLIC_STATUS)]
    Transform(TransformCommand),
}

#[derive(Args)]
pub(crate) struct ReplayCommand {
    /// What `heapwise check --format json` wrote.
    pub(crate) report: PathBuf,
    /// The C files, if they are somewhere else now: one for each that the report names, in order.
    pub(crate) files: Vec<PathBuf>,
    /// Only this finding, counted from 1 among the confirmed ones.
    #[arg(long, value_name = "N")]
    pub(crate) finding: Option<std::num::NonZeroUsize>,
}

#[derive(Args)]
pub(crate) struct VerifyCommand {
    /// What `heapwise check --certificate` wrote.
    pub(crate) certificate: PathBuf,
    #[command(flatten)]
    pub(crate) input: InputOptions,
    /// What the proof must be of; as for `heapwise check`.
    #[arg(long, value_name = "PROPERTY")]
    pub(crate) property: Vec<String>,
    /// The proof may assume that no allocation ever fails.
    #[arg(long)]
    pub(crate) assume_malloc_succeeds: bool,
    /// Seconds that the check may take [default: 60].
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true)]
    pub(crate) time: Option<String>,
}

#[derive(Args)]
pub(crate) struct TvlaCommand {
    /// The specification (.tvp).
    pub(crate) program: PathBuf,
    /// The input structures (.tvs) [default: the program's name with .tvs; without such a file, the empty structure].
    pub(crate) input: Option<PathBuf>,
    /// How the structures of one location are kept together; partial is TVLA's default, too.
    #[arg(long, value_enum, default_value_t = JoinMode::Partial)]
    pub(crate) join: JoinMode,
    /// How a step is taken.
    #[arg(long, value_enum, default_value_t = TransformerMode::Usual)]
    pub(crate) transformer: TransformerMode,
    /// Derive no rules from the definitions of instrumentation predicates.
    #[arg(long)]
    pub(crate) noautomatic: bool,
    /// Drop a structure that breaks a rule after an update, and go on; the verdict is then not verified.
    #[arg(long)]
    pub(crate) keep_going: bool,
    /// Options of TVLA's engine, `key = value`, beside those that a comment `@properties "FILE"` of the specification names.
    #[arg(long, value_name = "FILE")]
    pub(crate) properties: Option<PathBuf>,
    /// How many threads take steps; the output is the same.
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) jobs: std::num::NonZeroUsize,
    /// Seconds that the analysis may take.
    #[arg(long, value_name = "SECONDS")]
    pub(crate) time: Option<u64>,
    /// Write the structures of all locations into this file, in TVS form.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Draw the structures into this directory, as SVG and DOT.
    #[arg(long, value_name = "DIR")]
    pub(crate) draw: Option<PathBuf>,
}

/// How steps are taken.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TransformerMode {
    /// Focus, coerce and update.
    Usual,
    /// As precisely as satisfiability can tell: by best transformers.
    Best,
}

/// How structures are joined.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum JoinMode {
    /// Every structure apart.
    Relational,
    /// Structures with the same canonical names together.
    Partial,
    /// All together in one.
    Single,
}

/// Which C text is read, and how.
#[derive(Args)]
pub(crate) struct InputOptions {
    /// C files.
    pub(crate) files: Vec<PathBuf>,
    /// Take files and flags from the compile_commands.json in this directory (or from this file).
    #[arg(short = 'p', value_name = "DIR")]
    pub(crate) build: Option<PathBuf>,
    /// Function to start from; all: the exported functions, in any order (what the engine region does where there is no main).
    #[arg(long, value_name = "FUNCTION")]
    pub(crate) entry: Option<String>,
    /// What the function of --entry is given; the choice is printed with the verdict [default: valid].
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(crate) arguments: Option<ArgumentsPolicy>,
    /// File with models of functions that have no body; may be repeated.
    #[arg(long, value_name = "FILE")]
    pub(crate) models: Vec<PathBuf>,
    /// Configuration file; without it, the nearest heapwise.toml upwards from the current directory.
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct CheckCommand {
    #[command(flatten)]
    pub(crate) input: InputOptions,
    /// Who answers: auto asks all engines in turn until one decides.
    #[arg(long, value_name = "ENGINE")]
    pub(crate) engine: Option<String>,
    /// What counts: a kind of finding, or memory, heap, shape, all; may be repeated. `--property list` lists them.
    #[arg(long, value_name = "PROPERTY")]
    pub(crate) property: Vec<String>,
    /// Output format.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Also write an HTML report, and the heaps as SVG and DOT, into this directory.
    #[arg(long, value_name = "DIR")]
    pub(crate) html: Option<PathBuf>,
    /// Seconds that the analysis may take [default: 60]; where they are given, they are used up if need be.
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true)]
    pub(crate) time: Option<String>,
    /// Memory that the process may use, such as 500M or 2G [default: half of what the machine, or its control group, has].
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    pub(crate) memory: Option<String>,
    /// Engines that may run at once, for --engine auto; who answers does not depend on it [default: 1].
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<std::num::NonZeroUsize>,
    /// Assume that no allocation ever fails; the assumption is printed with the verdict.
    #[arg(long)]
    pub(crate) assume_malloc_succeeds: bool,
    /// What a function without body and model does; the call is listed and the verdict stays unknown [default: havoc].
    #[arg(long, value_enum, value_name = "POLICY")]
    pub(crate) unknown_calls: Option<UnknownCallsPolicy>,
    /// Follow only the cells that are allocated at this place, such as list.c:12 (engine region).
    #[arg(long, value_name = "FILE:LINE")]
    pub(crate) site: Option<String>,
    /// Hide the findings that this report, written with --format json, has; the verdict counts them.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Which findings make the status 1.
    #[arg(long, value_enum, value_name = "CERTAINTY")]
    pub(crate) fail_on: Option<FailOn>,
    /// One line per finding, no warnings, no progress.
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Report time and peak memory; without this, the same input gives the same bytes.
    #[arg(long, visible_alias = "stats")]
    pub(crate) timings: bool,
    /// Whether to show progress on standard error; auto: if that is a terminal.
    #[arg(long, value_enum, default_value_t = Progress::Auto)]
    pub(crate) progress: Progress,
}

#[derive(Args)]
pub(crate) struct DumpCommand {
    /// What to print.
    #[arg(value_enum)]
    pub(crate) what: Dumped,
    #[command(flatten)]
    pub(crate) input: InputOptions,
    /// Only this function.
    #[arg(long, value_name = "FUNCTION")]
    pub(crate) function: Option<String>,
    /// Print the places in the C text too, so that nothing is lost when the text is read back.
    #[arg(long)]
    pub(crate) spans: bool,
    /// How to draw a control-flow automaton or invariants [default: dot], or regions [default: as text].
    #[arg(long, value_enum)]
    pub(crate) picture: Option<Picture>,
    /// Whose program over cells is printed, or whose invariants are drawn [default: the first listed below].
    #[arg(long, value_name = "ENGINE")]
    pub(crate) engine: Option<String>,
    /// Seconds that computing invariants may take [default: 60].
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true)]
    pub(crate) time: Option<String>,
    /// Write the invariant of each location into this directory, as DOT and as SVG.
    #[arg(long, value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people: excerpts of the source, numbered traces.
    Text,
    /// For programs: schemas/report.schema.json describes it.
    Json,
    /// SARIF 2.1.0, for code hosts and editors.
    Sarif,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// Confirmed findings only.
    Confirmed,
    /// Possible findings too.
    Possible,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum UnknownCallsPolicy {
    /// Anything: it may keep, free or change what it reaches, and nothing is reported of that any more.
    Havoc,
    /// Nothing but to return some value; findings are possible at most.
    Pure,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ArgumentsPolicy {
    /// Pointers lead to objects of their types, apart from each other, and are null only where the program tests for it.
    Valid,
    /// Any values: pointers may be null.
    Any,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Progress {
    /// If standard error is a terminal.
    Auto,
    /// Yes.
    Always,
    /// No.
    Never,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Dumped {
    /// The program in the analysed language.
    Ir,
    /// The program over cells that an engine runs on (see --engine).
    Cells,
    /// The control-flow automata, as pictures.
    Cfg,
    /// The heaps that an engine finds at each location, as pictures.
    Invariants,
    /// Which memory may be reached from where, and whom function pointers may name: the points-to graph.
    Regions,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Picture {
    /// Graphviz.
    Dot,
    /// An SVG picture; one function only.
    Svg,
}
