//! A list with one more engine is all that a command line for it needs: name, help, settings, keys of the configuration
//! file and dumps follow. The test is its own command line: it starts itself with [`ARGUMENTS`] set, and looks at what is
//! printed.

#![allow(clippy::unwrap_used)]

use heapwise::Engines;
use heapwise_engine::reason::{AskedShape, CallGap, Note, PointerGap};
use heapwise_engine::{
    Certificate, Control, Drawing, Dumps, Elsewhere, Engine, EngineEntry, Gap, InAuto, Invariant, Invariants,
    NamedValue, Options, Outcome, Parts, ProgramText, Refinement, RefinementResult, RefinementStep, Setting,
    SettingValues, ShapeName, SiteCoverage, SiteExtent, Statement, Values,
};
use heapwise_ir::{LocationId, Program, Span};
use std::process::{Command, ExitCode};

/// Says *safe* of everything, that it is asleep, or all that an engine can say besides findings.
struct Dreamer {
    mood: Mood,
    naps: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mood {
    Asleep,
    Sunny,
    Lucid,
    Drowsy,
}

static MOOD: Setting<Mood> = Setting {
    name: "mood",
    help: "How the engine dream feels",
    values: Values::OneOf(&[
        NamedValue { name: "asleep", help: "It does not answer", means: Mood::Asleep },
        NamedValue { name: "sunny", help: "Everything is fine", means: Mood::Sunny },
        NamedValue { name: "lucid", help: "With a refinement and a certificate", means: Mood::Lucid },
        NamedValue { name: "drowsy", help: "Not to the end of each site", means: Mood::Drowsy },
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
    parts: Parts::OneEntry,
};

/// The one line that a new engine is.
static LIST: [&EngineEntry; 2] = [&heapwise_interp::ENTRY, &DREAM];

impl Engine for Dreamer {
    fn name(&self) -> &'static str {
        "dream"
    }

    fn check(&self, program: &Program, options: &Options, _: &Control) -> Outcome {
        let site = |extent| {
            let span = program.functions[options.entry].span;
            SiteCoverage { site: Statement { function: options.entry, span }, extent }
        };
        match self.mood {
            Mood::Lucid => Outcome {
                sites: vec![site(SiteExtent::Full)],
                refinements: refinements(site(SiteExtent::Full).site),
                certificate: Some(Certificate { text: "a dream".to_owned(), nodes: 2, edges: 1 }),
                ..Outcome::default()
            },
            Mood::Drowsy => Outcome {
                sites: vec![
                    site(SiteExtent::Full),
                    site(SiteExtent::UpToGap(PointerGap::FromInteger.into())),
                    site(SiteExtent::Cut(heapwise_engine::Exhausted::Elements)),
                ],
                ..Outcome::default()
            },
            Mood::Sunny => Outcome::default(),
            Mood::Asleep => {
                let reason = CallGap::TooDeep { depth: self.naps }.into();
                Outcome { gaps: vec![Gap { span: Span::NONE, reason }], ..Outcome::default() }
            }
        }
    }
}

/// What a search for an abstraction may write down.
fn refinements(because: Statement) -> Vec<RefinementStep> {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let step = |refinement, result| RefinementStep { because: Some(because), refinement, result };
    let done = |excluded| RefinementResult::Done { elements: 5, excluded, suspicions: 2 };
    let shape = ShapeName::Known(AskedShape::DoublyLinked);
    vec![
        step(Refinement::Tracked { pointers: names(&["list"]), fields: names(&["next"]) }, done(0)),
        step(Refinement::Sampled { shape: shape.clone(), samples: 5 }, done(1)),
        step(Refinement::Predicates { shape, families: names(&["cancellation"]) }, RefinementResult::Cut),
    ]
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
    refinements_and_a_certificate_are_told();
    a_site_that_is_not_fully_analysed_stands_against_safe();
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
        (vec!["--engine", "dream", "--mood", "grey"], "[possible values: asleep, sunny, lucid, drowsy]"),
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
    assert!(
        status == 2 && error.contains("toml:2: error: `mood` must be one of asleep, sunny, lucid, drowsy"),
        "{error}"
    );
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

/// The JSON of a check, which fits its schema.
fn json(mood: &str) -> serde_json::Value {
    let (_, out, error) = heapwise("", &["check", "a.c", "--engine", "dream", "--mood", mood, "--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{error}"));
    let schema = include_str!("../../../schemas/report.schema.json");
    let validator = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
    let wrong: Vec<String> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
    assert!(wrong.is_empty(), "{wrong:?}: {out}");
    document
}

fn refinements_and_a_certificate_are_told() {
    let (status, out, _) = heapwise("", &["check", "a.c", "--engine", "dream", "--mood", "lucid"]);
    assert_eq!(status, 0, "{out}");
    let lines = [
        "coverage: 1 of 1 allocation site fully analysed\n",
        ": `list` tracked, field `next` looked at, 5 elements, 0 of 2 suspicions excluded\n",
        ": 5 heaps of runs show a doubly linked list, 5 elements, 1 of 2 suspicions excluded\n",
        "note: a refinement (a doubly linked list described by cancellation) did not end within the budget\n",
        "certificate: a reachability tree of 2 nodes and 1 edge\n",
    ];
    for line in lines {
        assert!(out.contains(line), "`{line}` is missing:\n{out}");
    }
    let document = json("lucid");
    let kinds: Vec<&str> =
        document["refinements"].as_array().unwrap().iter().map(|step| step["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["tracked", "sampled", "predicates"]);
    assert_eq!(document["refinements"][1]["result"]["excluded"], 1);
    assert!(document["refinements"][2].get("result").is_none(), "{document}");
    assert_eq!(document["certificate"], serde_json::json!({ "nodes": 2, "edges": 1 }));
    let plain = json("sunny");
    assert!(["sites", "refinements", "certificate"].iter().all(|key| plain.get(key).is_none()), "{plain}");
}

fn a_site_that_is_not_fully_analysed_stands_against_safe() {
    let (status, out, _) = heapwise("", &["check", "a.c", "--engine", "dream", "--mood", "drowsy"]);
    assert_eq!(status, 3, "{out}");
    let lines = [
        "not fully analysed: what `main` allocates at a.c:1: an integer is used as a pointer\n",
        "not fully analysed: what `main` allocates at a.c:1: the element budget ran out\n",
        "coverage: 1 of 3 allocation sites fully analysed\n",
    ];
    for line in lines {
        assert!(out.contains(line), "`{line}` is missing:\n{out}");
    }
    let document = json("drowsy");
    let full: Vec<bool> =
        document["sites"].as_array().unwrap().iter().map(|site| site["fully_analysed"].as_bool().unwrap()).collect();
    assert_eq!((document["verdict"].as_str(), full), (Some("unknown"), vec![true, false, false]));
    assert_eq!(document["engines"][0]["obstacle"]["reason"], "an integer is used as a pointer");
}
