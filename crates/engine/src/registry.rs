//! How an engine presents itself: its name, what it is good for, its settings as data, what of it can be dumped. The
//! library, the command line, the configuration file and the help are made from lists of such entries, so that a new
//! engine is one more line in one list.

use crate::drawing::Invariants;
use crate::{Control, Engine, Gap, Options};
use heapwise_ir::Program;
use std::collections::BTreeMap;
use std::fmt;

/// An engine of a list.
#[derive(Debug)]
pub struct EngineEntry {
    /// The name on the command line; that of [`Engine::name`].
    pub name: &'static str,
    /// One line of help: what it computes, and for which programs.
    pub help: &'static str,
    /// Whether it is asked where no engine is named. The order is that of the list.
    pub auto: InAuto,
    /// Its settings. A name stands for one setting in all engines of a list.
    pub settings: &'static [&'static dyn AnySetting],
    /// Makes it.
    pub make: fn(&SettingValues) -> Box<dyn Engine>,
    /// What of it can be looked at.
    pub dumps: Dumps,
    /// What it does with parts of programs.
    pub parts: Parts,
}

/// What an engine does with parts of programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parts {
    /// It follows runs from one function on, and all cells of them.
    OneEntry,
    /// It also analyses a library without `main` from all its exported functions, and follows the cells of one allocation alone.
    Libraries,
}

impl PartialEq for EngineEntry {
    fn eq(&self, other: &EngineEntry) -> bool {
        self.name == other.name
    }
}

impl Eq for EngineEntry {}

/// Whether an engine is asked where none is named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InAuto {
    /// It is.
    Asked,
    /// It must be named.
    ByNameOnly,
}

/// Computes something of a program that can be looked at.
pub type Dump<T> = fn(&SettingValues, &Program, &Options, &Control) -> T;

/// The program that an engine runs on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramText {
    /// Its text form.
    pub text: String,
    /// What of the whole program the engine cannot follow.
    pub gaps: Vec<Gap>,
}

/// What of an engine can be looked at.
#[derive(Clone, Copy, Debug)]
pub struct Dumps {
    /// The program that it runs on, in a text form of its own, where that is not `ir` itself.
    pub program: Option<Dump<ProgramText>>,
    /// What it finds at each location, drawn.
    pub invariants: Option<Dump<Invariants>>,
}

impl Dumps {
    /// Nothing.
    pub const NONE: Dumps = Dumps { program: None, invariants: None };

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.program.is_none() && self.invariants.is_none()
    }
}

/// A setting of an engine whose values mean a `T`.
#[derive(Clone, Copy, Debug)]
pub struct Setting<T: 'static> {
    /// The name: `--name` on the command line, a key of the configuration file.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// What it can be.
    pub values: Values<T>,
    /// What happens where an engine is named that does not have it.
    pub elsewhere: Elsewhere,
}

/// What a setting can be.
#[derive(Clone, Copy, Debug)]
pub enum Values<T: 'static> {
    /// One of these; the first unless told otherwise.
    OneOf(&'static [NamedValue<T>]),
    /// On or off.
    Switch {
        /// Unless told otherwise.
        off: T,
        /// Where the name is given.
        on: T,
    },
    /// What a function reads.
    Parsed {
        /// What stands for the value in the help.
        placeholder: &'static str,
        /// What the value must be, as in "must be a whole number".
        expected: &'static str,
        /// The text that is read unless told otherwise.
        default: &'static str,
        /// Reads it.
        parse: fn(&str) -> Option<T>,
    },
    /// What a function reads from the text of a file. Engines read no files: who offers the setting does.
    File {
        /// What holds where no file is given: what it reads from no text at all must be this.
        parse: fn(&str) -> Result<T, String>,
    },
    /// The path of a file that is written. Engines write no files: who offers the setting does.
    Output {
        /// Where no file is named.
        not_asked: T,
        /// Where one is.
        asked: T,
    },
}

/// A value with a name.
#[derive(Clone, Copy, Debug)]
pub struct NamedValue<T: 'static> {
    /// The name.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// What it means.
    pub means: T,
}

/// What happens where a setting is given on the command line with an engine that does not have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Elsewhere {
    /// Nothing.
    Ignored,
    /// It is an error: the engine "has no …".
    Lacking(&'static str),
}

impl<T: Clone> Setting<T> {
    /// The meaning of a text.
    pub fn parse(&self, text: &str) -> Option<T> {
        match &self.values {
            Values::OneOf(values) => values.iter().find(|value| value.name == text).map(|value| value.means.clone()),
            Values::Switch { off, on } => match text {
                "true" => Some(on.clone()),
                "false" => Some(off.clone()),
                _ => None,
            },
            Values::Parsed { parse, .. } => parse(text),
            Values::File { parse } => parse(text).ok(),
            Values::Output { not_asked, asked } => {
                Some(if text.is_empty() { not_asked.clone() } else { asked.clone() })
            }
        }
    }
}

/// A setting whatever its values mean, for whoever offers it to a user.
pub trait AnySetting: fmt::Debug + Sync {
    /// The name.
    fn name(&self) -> &'static str;

    /// One line of help.
    fn help(&self) -> &'static str;

    /// What can be written.
    fn form(&self) -> Form;

    /// What holds unless told otherwise, as it would be written.
    fn default_text(&self) -> &'static str;

    /// What happens where an engine is named that does not have it.
    fn elsewhere(&self) -> Elsewhere;

    /// Whether a text is one of its values.
    fn accepts(&self, text: &str) -> bool;

    /// What is wrong with the text of a file, with its line.
    fn problem(&self, text: &str) -> Option<String>;
}

/// What can be written for a setting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// One of these names, each with a line of help.
    OneOf(Vec<(&'static str, &'static str)>),
    /// The name alone; `true` or `false` in a configuration file.
    Switch,
    /// Some text.
    Text {
        /// What stands for it in the help.
        placeholder: &'static str,
        /// What it must be.
        expected: &'static str,
    },
    /// The path of a file, whose text is the value.
    File,
    /// The path of a file that is written.
    Output,
}

impl<T: Clone + Sync + fmt::Debug> AnySetting for Setting<T> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn help(&self) -> &'static str {
        self.help
    }

    fn form(&self) -> Form {
        match &self.values {
            Values::OneOf(values) => Form::OneOf(values.iter().map(|value| (value.name, value.help)).collect()),
            Values::Switch { .. } => Form::Switch,
            Values::Parsed { placeholder, expected, .. } => Form::Text { placeholder, expected },
            Values::File { .. } => Form::File,
            Values::Output { .. } => Form::Output,
        }
    }

    fn default_text(&self) -> &'static str {
        match &self.values {
            Values::OneOf(values) => values.first().map_or("", |value| value.name),
            Values::Switch { .. } => "false",
            Values::Parsed { default, .. } => default,
            Values::File { .. } | Values::Output { .. } => "",
        }
    }

    fn elsewhere(&self) -> Elsewhere {
        self.elsewhere
    }

    fn accepts(&self, text: &str) -> bool {
        self.parse(text).is_some()
    }

    fn problem(&self, text: &str) -> Option<String> {
        match &self.values {
            Values::File { parse } => parse(text).err(),
            Values::OneOf(_) | Values::Switch { .. } | Values::Parsed { .. } | Values::Output { .. } => None,
        }
    }
}

/// The settings that were given, as they were written. All of them are values of their settings.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SettingValues(BTreeMap<&'static str, String>);

impl SettingValues {
    /// Sets one.
    pub fn set(&mut self, setting: &dyn AnySetting, text: &str) -> Result<(), BadValue> {
        if !setting.accepts(text) {
            return Err(BadValue { setting: setting.name(), text: text.to_owned(), form: setting.form() });
        }
        self.0.insert(setting.name(), text.to_owned());
        Ok(())
    }

    /// What a setting means here: what was set, else its default.
    ///
    /// # Panics
    ///
    /// If the setting does not accept its own default: a defect of its description.
    pub fn get<T: Clone + Sync + fmt::Debug>(&self, setting: &Setting<T>) -> T {
        let given = self.0.get(setting.name).and_then(|text| setting.parse(text));
        let meaning = given.or_else(|| setting.parse(setting.default_text()));
        meaning.unwrap_or_else(|| panic!("`{}` does not accept its own default", setting.name))
    }

    /// What was set, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(name, text)| (*name, text.as_str()))
    }

    /// Takes over what is set in `other`, which wins.
    pub fn extend(&mut self, other: &SettingValues) {
        self.0.extend(other.0.iter().map(|(name, text)| (*name, text.clone())));
    }
}

/// A text that is no value of a setting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadValue {
    /// The setting.
    pub setting: &'static str,
    /// The text.
    pub text: String,
    /// What can be written.
    pub form: Form,
}

impl fmt::Display for BadValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` must be {}, not `{}`", self.setting, self.form, self.text)
    }
}

impl std::error::Error for BadValue {}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Form::OneOf(values) => {
                let names: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
                write!(f, "one of {}", names.join(", "))
            }
            Form::Switch => f.write_str("true or false"),
            Form::Text { expected, .. } => f.write_str(expected),
            Form::File => f.write_str("a file"),
            Form::Output => f.write_str("a file to write"),
        }
    }
}
