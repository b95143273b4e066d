//! `heapwise.toml`: the options that a project sets once. Paths in it are relative to its directory. `docs/config.md`
//! describes the keys.

use super::failure::{CannotRun, closest};
use super::options::{ArgumentsPolicy, FailOn, UnknownCallsPolicy};
use super::settings;
use heapwise::Engines;
use heapwise_engine::SettingValues;
use heapwise_engine::registry::{AnySetting, Form};
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What a configuration file says; absent keys say nothing.
#[derive(Default)]
pub(crate) struct Config {
    pub(crate) entry: Option<String>,
    pub(crate) engine: Option<String>,
    pub(crate) properties: Option<Vec<String>>,
    pub(crate) time: Option<String>,
    pub(crate) memory: Option<String>,
    pub(crate) jobs: Option<std::num::NonZeroUsize>,
    pub(crate) assume_malloc_succeeds: Option<bool>,
    pub(crate) fail_on: Option<FailOn>,
    pub(crate) unknown_calls: Option<UnknownCallsPolicy>,
    pub(crate) arguments: Option<ArgumentsPolicy>,
    pub(crate) models: Vec<PathBuf>,
    pub(crate) compiler: Vec<String>,
    /// Settings of engines: their names are keys, too.
    pub(crate) settings: SettingValues,
    /// The directory that `models` and `compiler` are relative to.
    pub(crate) directory: PathBuf,
}

const KEYS: [&str; 12] = [
    "entry",
    "engine",
    "properties",
    "time",
    "memory",
    "jobs",
    "assume-malloc-succeeds",
    "fail-on",
    "unknown-calls",
    "arguments",
    "models",
    "compiler-options",
];

/// The name that is searched for.
const NAME: &str = "heapwise.toml";

/// Reads the file named by the user, else the nearest one upwards from the current directory, else nothing.
pub(crate) fn find(named: Option<&Path>, engines: Engines) -> Result<Config, CannotRun> {
    let path = match named {
        Some(path) => Some(path.to_owned()),
        None => std::env::current_dir()
            .ok()
            .and_then(|current| current.ancestors().map(|directory| directory.join(NAME)).find(|path| path.is_file())),
    };
    let Some(path) = path else { return Ok(Config::default()) };
    let text = std::fs::read_to_string(&path).map_err(|error| CannotRun::reading(&path, &error))?;
    let mut config = parse(&path.display().to_string(), &text, engines)?;
    config.directory = path.parent().map(Path::to_owned).unwrap_or_default();
    Ok(config)
}

fn parse(file: &str, text: &str, engines: Engines) -> Result<Config, CannotRun> {
    let reader = Reader { file, text, engines };
    let table = DeTable::parse(text).map_err(|error| {
        let offset = error.span().map_or(0, |span| span.start);
        reader.error(offset, error.message().to_owned(), None)
    })?;
    let mut config = Config::default();
    for (key, value) in table.into_inner() {
        reader.entry(&mut config, key.get_ref(), key.span().start, &value)?;
    }
    Ok(config)
}

struct Reader<'t> {
    file: &'t str,
    text: &'t str,
    engines: Engines,
}

impl Reader<'_> {
    fn entry(
        &self,
        config: &mut Config,
        key: &str,
        offset: usize,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<(), CannotRun> {
        match key {
            "entry" => config.entry = Some(self.string(key, value)?),
            "engine" => {
                let name = self.string(key, value)?;
                settings::engine_named(self.engines, &name).map_err(|problem| self.at(value, problem))?;
                config.engine = Some(name);
            }
            "properties" => {
                let names = self.strings(key, value)?;
                settings::kinds(&names).map_err(|problem| self.at(value, problem))?;
                config.properties = Some(names);
            }
            "time" => {
                let time = self.number(key, value)?;
                settings::seconds(&time).map_err(|problem| self.at(value, problem))?;
                config.time = Some(time);
            }
            "memory" => {
                let memory = self.string(key, value)?;
                settings::bytes(&memory).map_err(|problem| self.at(value, problem))?;
                config.memory = Some(memory);
            }
            "jobs" => {
                let jobs = self.number(key, value)?.parse();
                config.jobs = Some(jobs.map_err(|_| self.expected(key, value, "a whole number, 1 or more"))?);
            }
            "assume-malloc-succeeds" => match value.get_ref() {
                DeValue::Boolean(choice) => config.assume_malloc_succeeds = Some(*choice),
                _ => return Err(self.expected(key, value, "true or false")),
            },
            "fail-on" => match self.string(key, value)?.as_str() {
                "confirmed" => config.fail_on = Some(FailOn::Confirmed),
                "possible" => config.fail_on = Some(FailOn::Possible),
                _ => return Err(self.expected(key, value, "\"confirmed\" or \"possible\"")),
            },
            "unknown-calls" => match self.string(key, value)?.as_str() {
                "havoc" => config.unknown_calls = Some(UnknownCallsPolicy::Havoc),
                "pure" => config.unknown_calls = Some(UnknownCallsPolicy::Pure),
                _ => return Err(self.expected(key, value, "\"havoc\" or \"pure\"")),
            },
            "arguments" => match self.string(key, value)?.as_str() {
                "valid" => config.arguments = Some(ArgumentsPolicy::Valid),
                "any" => config.arguments = Some(ArgumentsPolicy::Any),
                _ => return Err(self.expected(key, value, "\"valid\" or \"any\"")),
            },
            "models" => config.models = self.strings(key, value)?.into_iter().map(PathBuf::from).collect(),
            "compiler-options" => config.compiler = self.strings(key, value)?,
            other => match self.engines.setting(other) {
                Some(setting) => self.setting(&mut config.settings, setting, value)?,
                None => {
                    let message = format!("unknown key `{other}`");
                    let settings = self.engines.settings();
                    let known: Vec<&str> =
                        KEYS.into_iter().chain(settings.iter().map(|setting| setting.name())).collect();
                    return Err(self.error(offset, message, Some(closest(other, &known))));
                }
            },
        }
        Ok(())
    }

    /// A setting of an engine.
    fn setting(
        &self,
        settings: &mut SettingValues,
        setting: &dyn AnySetting,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<(), CannotRun> {
        let text = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Boolean(choice) => choice.to_string(),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => String::new(),
        };
        if setting.form() == Form::File {
            let path = Path::new(self.file).parent().map_or_else(|| PathBuf::from(&text), |near| near.join(&text));
            let text = super::engine_settings::file_text(setting, &path).map_err(|problem| self.at(value, problem))?;
            return settings
                .set(setting, &text)
                .map_err(|bad| self.expected(setting.name(), value, &bad.form.to_string()));
        }
        settings.set(setting, &text).map_err(|bad| self.expected(setting.name(), value, &bad.form.to_string()))
    }

    /// A problem with a value, at its place.
    fn at(&self, value: &Spanned<DeValue<'_>>, problem: CannotRun) -> CannotRun {
        match problem {
            CannotRun::Problem { message, hint } => self.error(value.span().start, message, hint),
            other => other,
        }
    }

    fn string(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<String, CannotRun> {
        match value.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            _ => Err(self.expected(key, value, "a string")),
        }
    }

    fn strings(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<Vec<String>, CannotRun> {
        match value.get_ref() {
            DeValue::Array(items) => items.iter().map(|item| self.string(key, item)).collect(),
            _ => Err(self.expected(key, value, "a list of strings")),
        }
    }

    fn number(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<String, CannotRun> {
        match value.get_ref() {
            DeValue::Integer(number) => Ok(number.to_string()),
            DeValue::Float(number) => Ok(number.to_string()),
            _ => Err(self.expected(key, value, "a number")),
        }
    }

    fn expected(&self, key: &str, value: &Spanned<DeValue<'_>>, what: &str) -> CannotRun {
        self.error(value.span().start, format!("`{key}` must be {what}"), None)
    }

    fn error(&self, offset: usize, message: String, hint: Option<String>) -> CannotRun {
        let before = &self.text.as_bytes()[..offset.min(self.text.len())];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        CannotRun::InFile { file: self.file.to_owned(), line, message, hint }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_documented_key_is_read() {
        let text = "entry = \"f\"\nengine = \"explicit\"\nproperties = [\"memory\"]\ntime = 2.5\nmemory = \"2G\"\njobs = 2\n\
                    assume-malloc-succeeds = true\nfail-on = \"possible\"\nmodels = [\"m.toml\"]\ncompiler-options = [\"-Iinc\"]\n\
                    unknown-calls = \"pure\"\narguments = \"any\"\n";
        let config = parse("heapwise.toml", text, Engines::ALL).unwrap();
        assert_eq!(config.entry.as_deref(), Some("f"));
        assert_eq!(config.time.as_deref(), Some("2.5"));
        assert_eq!(config.jobs.map(usize::from), Some(2));
        assert_eq!(config.assume_malloc_succeeds, Some(true));
        assert_eq!(config.compiler, ["-Iinc"]);
        let documented = include_str!("../../../docs/config.md");
        for key in KEYS {
            assert!(text.contains(key), "the test misses `{key}`");
            assert!(documented.contains(&format!("`{key}`")), "docs/config.md misses `{key}`");
        }
    }

    #[test]
    fn errors_name_file_line_and_the_nearest_key() {
        let error = |text: &str| {
            parse("heapwise.toml", text, Engines::ALL).err().map(|error| error.to_string()).unwrap_or_default()
        };
        assert_eq!(
            error("time = 3\nentri = \"f\"\n"),
            "heapwise.toml:2: error: unknown key `entri`\n  hint: did you mean `entry`?"
        );
        assert_eq!(error("jobs = 0\n"), "heapwise.toml:1: error: `jobs` must be a whole number, 1 or more");
        assert_eq!(error("time = \"long\"\n"), "heapwise.toml:1: error: `time` must be a number");
        assert!(error("time = \n").starts_with("heapwise.toml:1: error: "));
    }

    #[test]
    fn settings_of_engines_are_keys() {
        let text = "shape = \"dll\"\nno-feasibility = true\n";
        let config = parse("heapwise.toml", text, Engines::ALL).unwrap();
        assert_eq!(config.settings.iter().collect::<Vec<_>>(), [("no-feasibility", "true"), ("shape", "dll")]);
        let error = |text: &str| parse("heapwise.toml", text, Engines::ALL).err().unwrap().to_string();
        assert_eq!(error("\nmode = \"half\"\n"), "heapwise.toml:2: error: `mode` must be one of decomposed, full");
        assert_eq!(error("no-feasibility = [1]\n"), "heapwise.toml:1: error: `no-feasibility` must be true or false");
        assert!(error("shap = \"dll\"\n").ends_with("hint: did you mean `shape`?"));
    }
}
