//! C programs compiled by gcc and run: what the analyser is compared with.
//!
//! The functions that make inputs (`__VERIFIER_nondet_int` and kin) and the allocators are replaced by
//! `compiled/verifier.c`, which takes its choices from the environment, so a run can be repeated.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What gcc builds into the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instrumentation {
    /// Nothing: plain `-O0`, signed overflow wraps.
    None,
    /// Address, leak and undefined-behaviour sanitizers.
    Sanitizers,
    /// Only what sees the errors that heapwise looks for: addresses, leaks, and indices beyond their array.
    Memory,
    /// The same without what is needed to name lines: for many short programs.
    MemoryWithoutPlaces,
}

/// What gcc says about questionable code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Warnings {
    /// Nothing.
    Off,
    /// `-Wall -Wextra`, as errors.
    Errors,
}

/// Whether the report of a sanitizer names functions and lines: to look them up takes ten times as long as a short run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Places {
    /// It does.
    Named,
    /// It shows addresses.
    Unnamed,
}

/// A compiled program.
#[derive(Clone, Debug)]
pub struct Executable(PathBuf);

/// Where the choices of a run come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choices {
    /// Inputs are 0 to 3 by turns of chance, allocations fail now and then.
    Seed(u64),
    /// These, in the order of execution; then any inputs, and no allocation fails.
    Listed(Vec<i64>),
}

/// What a run did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The exit status; none where a signal ended it.
    pub status: Option<i32>,
    /// The signal that ended it, if one did.
    pub signal: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// The exit status of a run that a sanitizer stopped.
const SANITIZER_STATUS: i32 = 99;

/// An index beyond its array is told, and the run goes on: whether it is an error depends on the array. So is a null argument:
/// whether it is one depends on how many bytes there are to be.
const MEMORY_SANITIZERS: [&str; 4] = [
    "-fsanitize=address,bounds,nonnull-attribute",
    "-fsanitize-address-use-after-scope",
    "-fno-sanitize-recover=all",
    "-fsanitize-recover=bounds,nonnull-attribute",
];

/// Seconds after which a run is stopped.
const TIME_LIMIT: u32 = 20;

/// Compiles and links translation units into `directory`, which must be writable; an error is what gcc said.
pub fn compile(
    directory: &Path,
    name: &str,
    units: &[PathBuf],
    instrumentation: Instrumentation,
    warnings: Warnings,
) -> Result<Executable, String> {
    let support = support_files(directory)?;
    let executable = directory.join(name);
    let mut command = Command::new("gcc");
    command.args(["-std=gnu17", "-fwrapv", "-fcommon", "-I", concat!(env!("CARGO_MANIFEST_DIR"), "/../../include")]);
    match instrumentation {
        Instrumentation::None => command.args(["-g", "-O0"]),
        Instrumentation::Sanitizers => {
            command.args(["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"])
        }
        Instrumentation::Memory => command.arg("-g").args(MEMORY_SANITIZERS),
        Instrumentation::MemoryWithoutPlaces => command.args(MEMORY_SANITIZERS),
    };
    match warnings {
        Warnings::Off => command.arg("-w"),
        Warnings::Errors => command.args(["-Wall", "-Wextra", "-Werror"]),
    };
    command.args(units).arg(support);
    command.arg("-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup").arg("-lm").arg("-o").arg(&executable);
    let output = command.output().map_err(|error| format!("cannot run gcc: {error}"))?;
    if output.status.success() {
        Ok(Executable(executable))
    } else {
        Err(format!("{command:?}\n{}", String::from_utf8_lossy(&output.stderr)))
    }
}

impl Executable {
    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Runs the program.
    pub fn run(&self, choices: &Choices) -> Result<Run, String> {
        self.run_for(choices, TIME_LIMIT, Places::Named)
    }

    /// Runs the program for so many seconds at most.
    pub fn run_for(&self, choices: &Choices, seconds: u32, places: Places) -> Result<Run, String> {
        let mut command = Command::new("timeout");
        command.arg(seconds.to_string()).arg(&self.0);
        run_on(command, choices, places)
    }
}

/// Runs a command that starts a program which takes its choices from `compiled/verifier.c`.
pub(crate) fn run_on(mut command: Command, choices: &Choices, places: Places) -> Result<Run, String> {
    command.env_remove("HEAPWISE_SEED").env_remove("HEAPWISE_CHOICES");
    match choices {
        Choices::Seed(seed) => command.env("HEAPWISE_SEED", seed.to_string()),
        Choices::Listed(list) => {
            command.env("HEAPWISE_CHOICES", list.iter().map(i64::to_string).collect::<Vec<_>>().join(","))
        }
    };
    finish(command, places)
}

/// Runs a command that starts an instrumented program.
pub(crate) fn finish(mut command: Command, places: Places) -> Result<Run, String> {
    let options = "detect_stack_use_after_return=1:allocator_may_return_null=1:hard_rss_limit_mb=1000";
    let symbolize = match places {
        Places::Named => 1,
        Places::Unnamed => 0,
    };
    command.env("ASAN_OPTIONS", format!("{options}:exitcode={SANITIZER_STATUS}:symbolize={symbolize}"));
    let Output { status, stdout, stderr } =
        command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    Ok(Run {
        status: status.code(),
        signal: status.signal(),
        stdout: String::from_utf8_lossy(&stdout).into_owned(),
        stderr: String::from_utf8_lossy(&stderr).into_owned(),
    })
}

impl Run {
    /// Whether the run was ended because it took too long: by `timeout`, or by its own alarm.
    pub fn ran_out_of_time(&self) -> bool {
        const TIMEOUT_STATUS: i32 = 124;
        const SIGALRM: i32 = 14;
        self.status == Some(TIMEOUT_STATUS) || self.signal == Some(SIGALRM)
    }

    /// Whether a sanitizer or an assertion stopped the run.
    pub fn went_wrong(&self) -> bool {
        self.status == Some(SANITIZER_STATUS)
            || self.stderr.contains("runtime error:")
            || self.stderr.contains("Sanitizer")
            || self.stderr.contains("Assertion")
            || self.status.is_none_or(|status| status > 128)
    }

    /// The first line of `file` that the report of a sanitizer names.
    pub fn reported_line(&self, file: &str) -> Option<u32> {
        let rest = self.stderr.split_once(&format!("{file}:"))?.1;
        let digits = rest.find(|character: char| !character.is_ascii_digit()).unwrap_or(rest.len());
        rest[..digits].parse().ok()
    }
}

/// Compiles the functions that make choices, once per directory.
fn support_files(directory: &Path) -> Result<PathBuf, String> {
    let object = directory.join("verifier.o");
    if object.exists() {
        return Ok(object);
    }
    let source = directory.join("verifier.c");
    std::fs::write(&source, include_str!("compiled/verifier.c"))
        .map_err(|error| format!("cannot write {}: {error}", source.display()))?;
    let temporary = tempfile::Builder::new()
        .suffix(".o")
        .tempfile_in(directory)
        .map_err(|error| format!("cannot make a file: {error}"))?
        .into_temp_path();
    let output = Command::new("gcc")
        .args(["-c", "-O1"])
        .arg(&source)
        .arg("-o")
        .arg(&temporary)
        .output()
        .map_err(|error| format!("cannot run gcc: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    temporary.persist(&object).map_err(|error| format!("cannot rename: {error}"))?;
    Ok(object)
}
