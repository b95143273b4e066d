//! A list with one more engine is all that a command line for it needs: name, help, settings, keys of the configuration
//! file and dumps follow. The test is its own command line: it starts itself with [`ARGUMENTS`] set, and looks at what is
//! printed.

#![allow(clippy::unwrap_used)]

use heapwise::Engines;
use heapwise_engine::reason::{CallGap, Note};
use heapwise_engine::{
    Control, Drawing, Dumps, Elsewhere, Engine, EngineEntry, Gap, InAuto, Invariant, Invariants, NamedValue, Options,
    Outcome, ProgramText, Setting, SettingValues, Values,
};
use heapwise_ir::{LocationId, Program, Span};
use std::process::{Command, ExitCode};

/// Says *safe* of everything, or that it is asleep.
struct Dreamer {
    mood: Mood,
    naps: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mood {
    Asleep,
    Sunny,
}

static MOOD: Setting<Mood> = Setting {
    name: "mood",
    help: "How the engine dream feels",
    values: Values::OneOf(&[
        NamedValue { name: "asleep", help: "It does not answer", means: Mood::Asleep },
        NamedValue { name: "sunny", help: "Everything is fine", means: Mood::Sunny },
    ]),
    elsewhere: Elsewhere::Lacking("moods"),
};

static NAPS: Setting<usize> = Setting {
    name: "naps",
    help: "How often the engine dream sleeps",
    values: Values::Parsed {
        placeholder: "N",
        expected: "a whole number",
        default: "1",
        parse: |text| text.parse().ok(),
    },
    elsewhere: Elsewhere::Ignored,
};

static DREAM: EngineEntry = EngineEntry {
    name: "dream",
    help: "sees what it likes",
    auto: InAuto::ByNameOnly,
    settings: &[&MOOD, &NAPS],
    make: |values| Box::new(Dreamer { mood: values.get(&MOOD), naps: values.get(&NAPS) }),
    dumps: Dumps {
        program: Some(|values, _, _, _| ProgramText {
            text: format!("a dream, {:?}\n", values.get(&MOOD)),
            gaps: Vec::new(),
        }),
        invariants: Some(|_, _, options, _| {
            let drawings = vec![Drawing::default()];
            let location = LocationId::from_u32(0);
            let place =
                Invariant { function: options.entry, location, span: Span::NONE, call_string: Vec::new(), drawings };
            Invariants { places: vec![place], notes: vec![Note::ContractsIgnored] }
        }),
    },
};

/// The one line that a new engine is.
static LIST: [&EngineEntry; 2] = [&heapwise_interp::ENTRY, &DREAM];

impl Engine for Dreamer {
    fn name(&self) -> &'static str {
        "dream"
    }

    fn check(&self, _: &Program, _: &Options, _: &Control) -> Outcome {
        match self.mood {
            Mood::Sunny => Outcome::default(),
            Mood::Asleep => {
                let reason = CallGap::TooDeep { depth: self.naps }.into();
                Outcome { gaps: vec![Gap { span: Span::NONE, reason }], ..Outcome::default() }
            }
        }
    }
}

/// Set where the process is the command line.
const ARGUMENTS: &str = "HEAPWISE_OWN_ENGINE";

fn main() -> ExitCode {
    if std::env::var_os(ARGUMENTS).is_some() {
        return heapwise_cli::run(Engines::new(&LIST));
    }
    assert_eq!(Engines::new(&LIST).names().collect::<Vec<_>>(), ["auto", "explicit", "dream"]);
    assert_eq!(SettingValues::default().get(&NAPS), 1);
    the_help_lists_it();
    it_is_asked_by_name_with_its_settings();
    the_configuration_file_knows_its_settings();
    what_it_shows_can_be_dumped();
    ExitCode::SUCCESS
}

/// The status, standard output and standard error, in a directory with `a.c` and this configuration.
fn heapwise(config: &str, arguments: &[&str]) -> (i32, String, String) {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("a.c"), "int main(void) { return 0; }\n").unwrap();
    std::fs::write(directory.path().join("heapwise.toml"), config).unwrap();
    let output = Command::new(std::env::current_exe().unwrap())
        .env(ARGUMENTS, "")
        .args(arguments)
        .current_dir(directory.path())
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn the_help_lists_it() {
    for command in ["check", "dump"] {
        let (status, out, _) = heapwise("", &[command, "--help"]);
        assert_eq!(status, 0);
        for part in ["dream", "sees what it likes", "--mood <MOOD>", "Everything is fine", "--naps <N>", "[default: 1]"]
        {
            assert!(out.contains(part), "`{part}` is missing:\n{out}");
        }
        assert!(!out.contains("--shape"), "{out}");
    }
}

fn it_is_asked_by_name_with_its_settings() {
    let (status, out, error) = heapwise("", &["check", "a.c", "--engine", "dream", "--mood", "sunny"]);
    assert!(status == 0 && out.contains("engine dream"), "{out}{error}");
    let (status, out, _) = heapwise("", &["check", "a.c", "--engine", "dream", "--naps", "3"]);
    assert!(status == 3 && out.contains("calls nest deeper than 3"), "{out}");
    let (status, out, _) = heapwise("", &["check", "a.c"]);
    assert!(status == 0 && out.contains("engine explicit"), "it is not asked without its name: {out}");
    let wrong = [
        (vec!["--engine", "dreem"], "did you mean `dream`?"),
        (vec!["--engine", "dream", "--mood", "grey"], "[possible values: asleep, sunny]"),
        (vec!["--engine", "dream", "--naps", "many"], "it must be a whole number"),
        (vec!["--engine", "explicit", "--mood", "sunny"], "use --engine dream with --mood sunny"),
    ];
    for (arguments, expected) in wrong {
        let (status, _, error) = heapwise("", &[&["check", "a.c"], arguments.as_slice()].concat());
        assert!(status == 2 && error.contains(expected), "{arguments:?}: {error}");
    }
}

fn the_configuration_file_knows_its_settings() {
    let config = "engine = \"dream\"\nnaps = 7\n";
    let (status, out, _) = heapwise(config, &["check", "a.c"]);
    assert!(status == 3 && out.contains("calls nest deeper than 7"), "{out}");
    let (status, out, _) = heapwise(config, &["check", "a.c", "--naps", "8"]);
    assert!(status == 3 && out.contains("calls nest deeper than 8"), "the command line wins: {out}");
    let (status, _, error) = heapwise("\nmood = 3\n", &["check", "a.c"]);
    assert!(status == 2 && error.contains("toml:2: error: `mood` must be one of asleep, sunny"), "{error}");
}

fn what_it_shows_can_be_dumped() {
    let (status, out, error) = heapwise("", &["dump", "cells", "a.c", "--mood", "sunny"]);
    assert_eq!((status, out.as_str()), (0, "a dream, Sunny\n"), "the only engine with dumps is the default: {error}");
    let (status, out, error) = heapwise("", &["dump", "invariants", "a.c", "--engine", "dream"]);
    assert!(status == 0 && out.starts_with("digraph"), "{out}{error}");
    assert_eq!(error, "warning: contracts were not looked at\n");
    let (status, _, error) = heapwise("", &["dump", "cells", "a.c", "--engine", "explicit"]);
    assert!(status == 2 && error.contains("use --engine dream"), "{error}");
}
