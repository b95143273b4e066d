//! From C files to a program: reading, models, where execution starts, and what a report is about.

use crate::{CheckOptions, EngineChoice, Progress, Report, any_caller, check_watched, sites, valid_caller};
use heapwise_cfront::{Diagnostic, Flags, FrontOptions, Loaded, RefusedOption, Unit, WithoutEntry};
use heapwise_engine::{AllocationFailure, Followed, HandedIn, Parts, Start};
use heapwise_ir::{FunctionId, Program};
use heapwise_models::{ModelError, Models};
use heapwise_report::{Fingerprint, Record, RecordedUnit};
use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};

/// How C files are read, and what is asked about them.
#[derive(Clone, Debug)]
pub struct FileOptions {
    /// Where to start; by default from `main`, or, for an engine that can, from all exported functions where there is none.
    pub entry: Option<Entry>,
    /// Options of the compiler, as gcc has them (`-Iinclude`, `-DNDEBUG`, `-std=gnu17`).
    pub compiler: Vec<String>,
    /// What a function that is not `main` is given.
    pub arguments: Arguments,
    /// Files with models of functions that have no body.
    pub models: Vec<PathBuf>,
    /// What is asked, whom, and how long.
    pub check: CheckOptions,
}

impl Default for FileOptions {
    /// From `main`, without options of the compiler, with the models that are shipped.
    fn default() -> FileOptions {
        FileOptions {
            entry: None,
            compiler: Vec::new(),
            arguments: Arguments::default(),
            models: Vec::new(),
            check: CheckOptions::default(),
        }
    }
}

/// Where execution starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// In this function.
    Function(String),
    /// In a caller that calls all exported functions in any order.
    All,
    /// In `main`, or as [`Entry::All`] where there is none.
    MainOrAll,
}

/// What a function in which execution starts is given, if it is not `main`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Arguments {
    /// Pointers lead to objects of their types, apart from each other, and are null only where the program tests for it.
    #[default]
    Valid,
    /// Any values.
    Any,
}

impl Arguments {
    /// Its name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Arguments::Valid => "valid",
            Arguments::Any => "any",
        }
    }
}

impl From<&str> for Entry {
    /// A name; `all` stands for all exported functions.
    fn from(name: &str) -> Entry {
        if name == "all" { Entry::All } else { Entry::Function(name.to_owned()) }
    }
}

impl Entry {
    /// Where these engines start unless told otherwise.
    pub fn by_default(engines: EngineChoice) -> Entry {
        if analyses_libraries(engines) { Entry::MainOrAll } else { Entry::from("main") }
    }
}

/// Whether all of these engines analyse libraries and follow single allocations.
pub fn analyses_libraries(engines: EngineChoice) -> bool {
    engines.entries().iter().all(|entry| entry.parts == Parts::Libraries)
}

/// Reads C files, which are linked into one program, and analyses it. The report can be made again from its
/// [`Record`](heapwise_report::Record). [`Input::read`] and [`Input::check`] are the same in two steps, for whoever wants to
/// see the warnings of the front end.
pub fn check_files<P: AsRef<Path>>(paths: &[P], options: &FileOptions) -> Result<Report, InputError> {
    let units = units(paths, &options.compiler)?;
    let entry = options.entry.clone().unwrap_or_else(|| Entry::by_default(options.check.engine));
    let input = Input::read(units, &options.models, &entry, options.arguments)?;
    Ok(input.check(&options.check, &mut |_| {}))
}

/// Files that are read with the same options of the compiler.
pub fn units<P: AsRef<Path>>(paths: &[P], compiler: &[String]) -> Result<Vec<Unit>, InputError> {
    each_once(paths)?;
    if paths.is_empty() {
        return Err(InputError::NoFile);
    }
    let flags = Flags::from_arguments(compiler.iter().map(String::as_str), Path::new(""))
        .map_err(|option| InputError::Refused { place: None, option })?;
    Ok(paths.iter().map(|path| Unit { path: path.as_ref().to_owned(), flags: flags.clone() }).collect())
}

/// The files are one program, in which a text can be once.
pub fn each_once<P: AsRef<Path>>(paths: &[P]) -> Result<(), InputError> {
    let mut seen = HashSet::new();
    for path in paths.iter().map(AsRef::as_ref) {
        if path.as_os_str() == "-" {
            return Err(InputError::Dash);
        }
        if !seen.insert(std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())) {
            return Err(InputError::Twice(path.to_owned()));
        }
    }
    Ok(())
}

/// Reads and lowers what `entries` reach, or everything where there are none.
pub fn load(
    units: &[Unit],
    models: &[PathBuf],
    entries: Vec<String>,
) -> Result<(Program, Vec<Diagnostic>), InputError> {
    let models = read_models(models)?;
    let loaded = heapwise_cfront::load(units, &FrontOptions { entries, ..FrontOptions::default() }, &models)
        .map_err(InputError::C)?;
    Ok((loaded.program, loaded.warnings))
}

fn read_models(paths: &[PathBuf]) -> Result<Models, InputError> {
    let mut models = Models::shipped();
    for path in paths {
        let text =
            std::fs::read_to_string(path).map_err(|error| InputError::Unreadable { path: path.clone(), error })?;
        models.extend(Models::parse(&path.display().to_string(), &text).map_err(InputError::Models)?);
    }
    Ok(models)
}

/// A program that was read from C files.
#[derive(Debug)]
pub struct Input {
    /// The program.
    pub program: Program,
    /// Where it starts.
    pub entry: FunctionId,
    /// What that function is.
    pub start: Start,
    /// What the front end had to say about it.
    pub warnings: Vec<Diagnostic>,
    units: Vec<Unit>,
    models: Vec<PathBuf>,
}

impl Input {
    /// Reads files, each with its own options of the compiler, from an entry on.
    pub fn read(
        units: Vec<Unit>,
        models: &[PathBuf],
        entry: &Entry,
        arguments: Arguments,
    ) -> Result<Input, InputError> {
        let (entries, without) = match entry {
            Entry::Function(name) => (vec![name.clone()], WithoutEntry::Error),
            Entry::All => (Vec::new(), WithoutEntry::Everything),
            Entry::MainOrAll => (vec!["main".to_owned()], WithoutEntry::Everything),
        };
        let known = read_models(models)?;
        let loaded =
            heapwise_cfront::load(&units, &FrontOptions { entries, without }, &known).map_err(InputError::C)?;
        let Loaded { mut program, warnings, exported } = loaded;
        let named = match entry {
            Entry::Function(name) => Some(function_named(&program, name)?),
            Entry::All => None,
            Entry::MainOrAll => {
                program.function_named("main").filter(|id| program.functions[*id].automaton().is_some())
            }
        };
        let (entry, start) = match named {
            Some(function) => match valid_arguments(&mut program, function, arguments) {
                Some((caller, handed_in)) => (caller, Start::ValidArguments(handed_in)),
                None => (function, Start::Function),
            },
            None if exported.is_empty() => return Err(InputError::NothingExported),
            None => (any_caller::add(&mut program, &exported), Start::AnyCaller),
        };
        Ok(Input { program, entry, start, warnings, units, models: models.to_vec() })
    }

    /// The cells of the allocations at `FILE:LINE`.
    pub fn followed(&self, text: &str) -> Result<Followed, InputError> {
        let site = sites::parse(text).ok_or_else(|| InputError::NoPlace(text.to_owned()))?;
        sites::find(&self.program, &site)
    }

    /// Analyses the program, and tells how far it is.
    pub fn check(&self, options: &CheckOptions, watcher: &mut dyn FnMut(Progress)) -> Report {
        let options = &CheckOptions { start: self.start, ..options.clone() };
        let mut report = check_watched(&self.program, self.entry, options, watcher);
        report.record = Some(self.record(options));
        report
    }

    /// What the runs of a report can be made again from.
    pub fn record(&self, options: &CheckOptions) -> Record {
        let unit =
            |unit: &Unit| RecordedUnit { file: unit.path.display().to_string(), options: unit.flags.to_arguments() };
        Record {
            units: self.units.iter().map(unit).collect(),
            models: self.models.iter().map(|path| path.display().to_string()).collect(),
            entry: match self.start {
                Start::Function => self.program.functions[self.entry].name.clone(),
                Start::ValidArguments(_) => self.program.functions[self.entry]
                    .name
                    .strip_prefix(valid_caller::PREFIX)
                    .unwrap_or_default()
                    .to_owned(),
                Start::AnyCaller => "all".to_owned(),
            },
            arguments: match self.start {
                Start::Function | Start::AnyCaller => Arguments::Any.name().to_owned(),
                Start::ValidArguments(_) => Arguments::Valid.name().to_owned(),
            },
            properties: options.properties.iter().map(|kind| kind.name().to_owned()).collect(),
            malloc_may_fail: options.allocation_failure == AllocationFailure::Possible,
            texts: Fingerprint::all(&self.program),
        }
    }
}

/// The caller that hands valid arguments to a function, where there is something to hand in. What a contract asks for, it says itself.
pub fn valid_arguments(
    program: &mut Program,
    function: FunctionId,
    arguments: Arguments,
) -> Option<(FunctionId, HandedIn)> {
    let has_contract = program.contracts.iter().any(|contract| contract.function == function);
    let is_main = program.functions[function].name == "main";
    match arguments {
        Arguments::Valid if !has_contract && !is_main => valid_caller::add(program, function),
        Arguments::Valid | Arguments::Any => None,
    }
}

/// The function of that name, which the front end was asked to start from.
pub fn function_named(program: &Program, name: &str) -> Result<FunctionId, InputError> {
    program.function_named(name).ok_or_else(|| InputError::Lost(name.to_owned()))
}

/// More diagnostics than this are counted, not printed.
const DIAGNOSTICS_SHOWN: usize = 20;

/// Why a program could not be read. Printed as compilers do: `file:line:column: error: …`, with a hint below.
#[derive(Debug)]
pub enum InputError {
    /// No file is given.
    NoFile,
    /// `-` is given.
    Dash,
    /// A file is given twice.
    Twice(PathBuf),
    /// A file of models cannot be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// An option of the compiler cannot be honoured.
    Refused {
        /// Where it stands, if not in the call.
        place: Option<String>,
        /// The option.
        option: RefusedOption,
    },
    /// A file of models is wrong.
    Models(ModelError),
    /// C text cannot be read or understood, or the function to start from is not defined in it.
    C(Vec<Diagnostic>),
    /// There is no function to start from: none is exported.
    NothingExported,
    /// A text is no `FILE:LINE`.
    NoPlace(String),
    /// Nothing is allocated on a line.
    NoAllocation {
        /// The file, as it was given.
        file: String,
        /// The line.
        line: u32,
        /// What to do about it.
        hint: String,
    },
    /// A defect: the front end did not keep the function that it was asked to start from.
    Lost(String),
}

impl InputError {
    /// What to do about it.
    fn hint(&self) -> Option<String> {
        match self {
            InputError::NoFile => Some("name the files, or -p DIR for a compile_commands.json".to_owned()),
            InputError::Dash => Some("standard input is called /dev/stdin".to_owned()),
            InputError::Twice(_) => Some("name each file once".to_owned()),
            InputError::Unreadable { error, .. } => reading_hint(error).map(str::to_owned),
            InputError::Refused { option, .. } => Some(option.hint.clone()),
            InputError::Models(error) => error.hint.clone(),
            InputError::C(diagnostics) => {
                let has_hint = diagnostics.iter().any(|diagnostic| diagnostic.hint.is_some());
                (!has_hint).then(|| "check the text with `gcc -fsyntax-only` and the same options".to_owned())
            }
            InputError::NothingExported => {
                Some("define a function that is not static, or name one with --entry".to_owned())
            }
            InputError::NoPlace(_) => {
                Some("write the file and the line of an allocation, such as list.c:12".to_owned())
            }
            InputError::NoAllocation { hint, .. } => Some(hint.clone()),
            InputError::Lost(_) => None,
        }
    }
}

/// What to do about a file that cannot be read.
pub fn reading_hint(error: &std::io::Error) -> Option<&'static str> {
    match error.kind() {
        std::io::ErrorKind::NotFound => Some("check the path; it is relative to the current directory"),
        std::io::ErrorKind::PermissionDenied => Some("check the permissions of the file"),
        std::io::ErrorKind::InvalidData => Some("the file must be text in UTF-8"),
        _ => None,
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::NoFile => f.write_str("error: no C file is given")?,
            InputError::Dash => f.write_str("error: `-` is no file")?,
            InputError::Twice(path) => write!(f, "error: `{}` is given twice", path.display())?,
            InputError::Unreadable { path, error } => write!(f, "error: cannot read `{}`: {error}", path.display())?,
            InputError::Refused { place, option } => {
                let place = place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
                write!(f, "error: {place}{option}")?;
            }
            InputError::Models(error) => {
                write!(f, "{}:{}:{}: error: {}", error.file, error.line, error.column, error.message)?;
            }
            InputError::C(diagnostics) => write_diagnostics(f, diagnostics)?,
            InputError::NothingExported => f.write_str("error: no function is exported")?,
            InputError::NoPlace(text) => write!(f, "error: `{text}` is no place in a file")?,
            InputError::NoAllocation { file, line, .. } => {
                write!(f, "{file}:{line}: error: nothing is allocated on this line")?;
            }
            InputError::Lost(function) => write!(f, "internal error: the front end lost `{function}`")?,
        }
        match self.hint() {
            Some(hint) => write!(f, "\n  hint: {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for InputError {}

fn write_diagnostics(f: &mut fmt::Formatter<'_>, diagnostics: &[Diagnostic]) -> fmt::Result {
    for (index, diagnostic) in diagnostics.iter().take(DIAGNOSTICS_SHOWN).enumerate() {
        if index > 0 {
            writeln!(f)?;
        }
        f.write_str(&diagnostic_text(diagnostic, "error"))?;
    }
    if diagnostics.len() > DIAGNOSTICS_SHOWN {
        write!(f, "\n… and {} more errors", diagnostics.len() - DIAGNOSTICS_SHOWN)?;
    }
    Ok(())
}

/// A diagnostic as compilers write it; `level` is `error` or `warning`.
pub fn diagnostic_text(diagnostic: &Diagnostic, level: &str) -> String {
    let mut text = match diagnostic.line {
        0 => format!("{}: {level}: {}", diagnostic.file, diagnostic.message),
        line => format!("{}:{line}:{}: {level}: {}", diagnostic.file, diagnostic.column, diagnostic.message),
    };
    if let Some(hint) = &diagnostic.hint {
        text.push_str(&format!("\n  hint: {hint}"));
    }
    text
}
