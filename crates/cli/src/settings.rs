//! What was asked for, from the command line first and the configuration second.

use super::config::{self, Config};
use super::engine_settings;
use super::failure::{CannotRun, closest};
use super::options::{
    ArgumentsPolicy, CheckCommand, FailOn, InputOptions, JoinMode, TransformerMode, UnknownCallsPolicy,
};
use heapwise::input::analyses_libraries;
use heapwise::{Arguments, EngineChoice, Engines, Entry, UnknownCalls, properties};
use heapwise_engine::{AllocationFailure, Budget, Kind, Parts, Patience, SettingValues};
use heapwise_report::Baseline;
use heapwise_tvl::join::Join;
use heapwise_tvl::symbolic::step::Transformer;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Which C text is read, and how.
pub(crate) struct InputSettings {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) build: Option<PathBuf>,
    /// Absent: `main`.
    pub(crate) entry: Option<String>,
    /// What the function that is no `main` is given.
    pub(crate) arguments: Arguments,
    pub(crate) models: Vec<PathBuf>,
    /// Options of the compiler from the configuration, with the directory they are relative to.
    pub(crate) project_compiler: (Vec<String>, PathBuf),
    /// Options of the compiler from the command line.
    pub(crate) compiler: Vec<String>,
}

/// What is asked about it.
pub(crate) struct CheckSettings {
    pub(crate) engine: EngineChoice,
    pub(crate) engine_settings: SettingValues,
    /// Absent: what the library asks for by default.
    pub(crate) properties: Option<Vec<Kind>>,
    pub(crate) budget: Budget,
    pub(crate) patience: Patience,
    pub(crate) jobs: NonZeroUsize,
    pub(crate) allocation_failure: AllocationFailure,
    pub(crate) fail_on: FailOn,
    pub(crate) unknown_calls: UnknownCalls,
    /// The place of the allocations that are followed.
    pub(crate) site: Option<String>,
    pub(crate) baseline: Option<Baseline>,
}

/// Reads the configuration that goes with the options.
pub(crate) fn configuration(options: &InputOptions, engines: Engines) -> Result<Config, CannotRun> {
    config::find(options.config.as_deref(), engines)
}

pub(crate) fn input(options: &InputOptions, config: &Config, compiler: Vec<String>) -> InputSettings {
    let of_project = config.models.iter().map(|path| config.directory.join(path));
    InputSettings {
        files: options.files.clone(),
        build: options.build.clone(),
        entry: options.entry.clone().or_else(|| config.entry.clone()),
        arguments: match options.arguments.or(config.arguments) {
            Some(ArgumentsPolicy::Any) => Arguments::Any,
            Some(ArgumentsPolicy::Valid) | None => Arguments::Valid,
        },
        models: of_project.chain(options.models.iter().cloned()).collect(),
        project_compiler: (config.compiler.clone(), config.directory.clone()),
        compiler,
    }
}

/// `given` are the settings of engines that stand on the command line.
pub(crate) fn check(
    options: &CheckCommand,
    config: &Config,
    engines: Engines,
    given: &SettingValues,
) -> Result<CheckSettings, CannotRun> {
    let engine = options.engine.as_deref().or(config.engine.as_deref()).unwrap_or("auto");
    let engine = engine_named(engines, engine)?;
    engine_settings::fit(engines, engine, given)?;
    parts_fit(engines, engine, options, config)?;
    let asked = if options.property.is_empty() { config.properties.as_ref() } else { Some(&options.property) };
    let time = options.time.as_deref().or(config.time.as_deref());
    let memory = options.memory.as_deref().or(config.memory.as_deref());
    let succeeds = options.assume_malloc_succeeds || config.assume_malloc_succeeds.unwrap_or(false);
    Ok(CheckSettings {
        engine,
        engine_settings: both(config, given),
        properties: asked.map(|names| kinds(names)).transpose()?,
        budget: Budget {
            time: Some(time.map_or(Ok(heapwise::DEFAULT_TIME), seconds)?),
            memory: memory.map(bytes).transpose()?.or_else(heapwise::memory::default_limit),
            elements: None,
        },
        patience: if time.is_some() { Patience::UntilTimeIsUp } else { Patience::WhileItHelps },
        jobs: options.jobs.or(config.jobs).unwrap_or(NonZeroUsize::MIN),
        allocation_failure: if succeeds { AllocationFailure::Never } else { AllocationFailure::Possible },
        fail_on: options.fail_on.or(config.fail_on).unwrap_or(FailOn::Confirmed),
        unknown_calls: match options.unknown_calls.or(config.unknown_calls) {
            Some(UnknownCallsPolicy::Pure) => UnknownCalls::Pure,
            Some(UnknownCallsPolicy::Havoc) | None => UnknownCalls::Havoc,
        },
        site: options.site.clone(),
        baseline: options.baseline.as_deref().map(baseline).transpose()?,
    })
}

/// What only some engines do must be asked of one of them.
fn parts_fit(engines: Engines, engine: EngineChoice, options: &CheckCommand, config: &Config) -> Result<(), CannotRun> {
    let entry = options.input.entry.as_ref().or(config.entry.as_ref());
    let asked = match (&options.site, entry.is_some_and(|name| Entry::from(name.as_str()) == Entry::All)) {
        _ if analyses_libraries(engine) => return Ok(()),
        (Some(_), _) => "follow the cells of one allocation",
        (None, true) => "start from all exported functions",
        (None, false) => return Ok(()),
    };
    let able: Vec<&str> =
        engines.entries().iter().filter(|entry| entry.parts == Parts::Libraries).map(|entry| entry.name).collect();
    let message = match engine {
        EngineChoice::One(entry) => format!("the engine {} cannot {asked}", entry.name),
        EngineChoice::Auto(_) => format!("an engine must be named that can {asked}"),
    };
    Err(CannotRun::usage(message, format!("use --engine {}", able.join(" or --engine "))))
}

fn baseline(path: &Path) -> Result<Baseline, CannotRun> {
    let text = std::fs::read_to_string(path).map_err(|error| CannotRun::reading(path, &error))?;
    Baseline::parse(&text).map_err(|unreadable| CannotRun::InFile {
        file: path.display().to_string(),
        line: unreadable.line.max(1),
        message: format!("the baseline {}", unreadable.message),
        hint: Some("give a report that `heapwise check --format json` wrote".to_owned()),
    })
}

/// The settings of engines, from the command line first and the configuration second.
pub(crate) fn both(config: &Config, given: &SettingValues) -> SettingValues {
    let mut settings = config.settings.clone();
    settings.extend(given);
    settings
}

pub(crate) fn transformer(mode: TransformerMode) -> Transformer {
    match mode {
        TransformerMode::Usual => Transformer::FocusAndCoerce,
        TransformerMode::Best => Transformer::Best,
    }
}

pub(crate) fn join(join: JoinMode) -> Join {
    match join {
        JoinMode::Relational => Join::Relational,
        JoinMode::Partial => Join::Partial,
        JoinMode::Single => Join::Single,
    }
}

pub(crate) fn engine_named(engines: Engines, name: &str) -> Result<EngineChoice, CannotRun> {
    engines.named(name).ok_or_else(|| {
        let known: Vec<&str> = engines.names().collect();
        CannotRun::usage(format!("no engine is called `{name}`"), closest(name, &known))
    })
}

pub(crate) fn kinds(names: &[String]) -> Result<Vec<Kind>, CannotRun> {
    let mut kinds = Vec::new();
    for name in names {
        kinds.extend(properties::named(name).ok_or_else(|| {
            CannotRun::usage(format!("no property is called `{name}`"), closest(name, &properties::names()))
        })?);
    }
    kinds.sort();
    kinds.dedup();
    Ok(kinds)
}

pub(crate) fn seconds(text: &str) -> Result<Duration, CannotRun> {
    let number = text.parse::<f64>().ok().filter(|number| *number > 0.0);
    number
        .and_then(|number| Duration::try_from_secs_f64(number).ok())
        .ok_or_else(|| CannotRun::usage(format!("`{text}` is no time"), "give seconds, more than 0, such as 10 or 0.5"))
}

/// The process alone, before it has read anything, is larger than this: no analysis would begin.
const LEAST_MEMORY: u64 = 1 << 20;

/// A size that is given as memory.
pub(crate) fn bytes(text: &str) -> Result<u64, CannotRun> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => Some(0),
        "K" | "KB" | "KIB" => Some(10),
        "M" | "MB" | "MIB" => Some(20),
        "G" | "GB" | "GIB" => Some(30),
        _ => None,
    };
    let number = digits.parse::<f64>().ok().filter(|number| *number > 0.0 && number.is_finite());
    match (number, shift) {
        (Some(number), Some(shift)) => {
            let bytes = (number * f64::from(1u32 << shift)) as u64;
            if bytes < LEAST_MEMORY {
                let hint = match digits == text {
                    true => format!("a number without a letter counts bytes; did you mean {digits}M?"),
                    false => "give a number with M or G, such as 500M or 2G".to_owned(),
                };
                return Err(CannotRun::usage(format!("`{text}` is too little memory to run in"), hint));
            }
            Ok(bytes)
        }
        (None, _) | (_, None) => {
            Err(CannotRun::usage(format!("`{text}` is no size"), "give a number with K, M or G, such as 2G"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_take_a_suffix() {
        assert_eq!(bytes("2G").unwrap(), 2 << 30);
        assert_eq!(bytes("1536k").unwrap(), 3 << 19);
        assert_eq!(bytes("1.5M").unwrap(), 3 << 19);
        assert_eq!(bytes("1048576").unwrap(), 1 << 20);
        assert!(bytes("much").is_err() && bytes("0M").is_err() && bytes("3T").is_err() && bytes("").is_err());
    }

    #[test]
    fn too_little_memory_to_begin_with_is_refused() {
        assert!(bytes("500").is_err() && bytes("512K").is_err() && bytes("0.5M").is_err());
    }

    #[test]
    fn times_are_positive_seconds() {
        assert_eq!(seconds("0.5").unwrap(), Duration::from_millis(500));
        assert!(seconds("0").is_err() && seconds("-1").is_err() && seconds("inf").is_err() && seconds("1m").is_err());
    }

    #[test]
    fn groups_of_properties_are_sorted_and_merged() {
        let names = |text: &[&str]| kinds(&text.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(names(&["shape", "leak", "shape"]).unwrap(), [Kind::Leak, Kind::Shape]);
        assert_eq!(names(&["all"]).unwrap(), Kind::ALL);
        assert!(names(&["leek"]).unwrap_err().to_string().contains("did you mean `leak`?"));
    }
}
