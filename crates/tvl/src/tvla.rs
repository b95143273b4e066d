//! The TVLA driver: reads a specification and its input structures, runs the analysis, reports.

use crate::action::Differencing;
use crate::difference::Update;
use crate::driver;
use crate::join::Join;
use crate::rules::Derivation;
use crate::structure::Structure;
use crate::symbolic::step::Transformer;
use crate::tvp::preprocess::Files;
use crate::tvp::properties::{self, ActionOrder, Properties};
use crate::tvp::{self, Specification, tvs};
use heapwise_engine::Drawing;
use heapwise_logic::text::TextError;
use std::num::NonZeroUsize;
use std::time::Duration;

/// A named text.
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    /// Its path, for messages and for `#include`.
    pub path: &'a str,
    /// What is in it.
    pub text: &'a str,
}

/// What happens when a structure breaks a rule after an update.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnContradiction {
    /// The run ends, as TVLA does by default.
    Stop,
    /// The structure is dropped and the run goes on; it is no proof then.
    Drop,
}

/// How to run.
#[derive(Clone, Debug)]
pub struct TvlaOptions {
    /// How structures of one location are joined. TVLA's default is the partial join, so it is ours.
    pub join: Join,
    /// Whether rules are derived from definitions.
    pub derivation: Derivation,
    /// Whether updates are derived from definitions.
    pub differencing: Differencing,
    /// What files of properties say; where they say nothing, those count that the specification names.
    pub properties: Properties,
    /// How steps are taken.
    pub transformer: Transformer,
    /// What to do about contradictions.
    pub on_contradiction: OnContradiction,
    /// Macros defined from outside.
    pub defines: Vec<String>,
    /// At most so many structures in the graph.
    pub structures: usize,
    /// At most so much time.
    pub time: Option<Duration>,
    /// How many threads take steps. The report does not depend on it.
    pub jobs: NonZeroUsize,
}

impl Default for TvlaOptions {
    fn default() -> TvlaOptions {
        TvlaOptions {
            join: Join::Partial,
            derivation: Derivation::Automatic,
            differencing: Differencing::Derived,
            properties: Properties::default(),
            transformer: Transformer::FocusAndCoerce,
            on_contradiction: OnContradiction::Stop,
            defines: Vec::new(),
            structures: 1_000_000,
            time: None,
            jobs: NonZeroUsize::MIN,
        }
    }
}

/// A message of the specification that came up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportedMessage {
    /// The location at which the action starts.
    pub location: String,
    /// The action's title.
    pub action: String,
    /// What it says.
    pub text: String,
    /// How many structures it is about.
    pub structures: usize,
    /// The first of them.
    pub example: Structure,
}

/// The structures of one location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocationReport {
    /// Its name.
    pub name: String,
    /// Its structures, in the order of their canonical words.
    pub structures: Vec<Structure>,
    /// Whether the specification asks to print it.
    pub shown: bool,
}

/// Why the run is not a proof although no message came up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Incomplete {
    /// A structure broke a rule after an update.
    Contradiction {
        /// The action's title.
        action: String,
        /// Where the edge is written.
        place: String,
        /// The rule, as text.
        rule: String,
        /// The structure before the update.
        structure: Structure,
    },
    /// The ways to derive the new value of an instrumentation predicate disagree on a structure.
    Disagreement {
        /// The action's title.
        action: String,
        /// Where the edge is written.
        place: String,
        /// The structure before the update.
        structure: Structure,
    },
    /// Structures were dropped, as [`OnContradiction::Drop`] asks: what they stand for was not analysed.
    Dropped(usize),
    /// A structure outgrew its words.
    TooLarge {
        /// The action's title.
        action: String,
        /// Where the edge is written.
        place: String,
    },
    /// The limit on structures was reached.
    TooManyStructures(usize),
    /// The limit on time was reached.
    OutOfTime,
    /// There were inputs, and all of them were dropped: nothing was analysed.
    NoInput,
}

/// What a run says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TvlaVerdict {
    /// No message came up, and the run was complete.
    Verified,
    /// A message came up.
    Violated,
    /// No message came up, but the run was not complete.
    Unknown,
}

impl TvlaVerdict {
    /// The exit status of the command line: 0, 1 or 3.
    #[must_use]
    pub fn exit_status(self) -> u8 {
        match self {
            TvlaVerdict::Verified => 0,
            TvlaVerdict::Violated => 1,
            TvlaVerdict::Unknown => 3,
        }
    }
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct TvlaReport {
    /// The specification.
    pub specification: Specification,
    /// The locations, in the order of their first mention.
    pub locations: Vec<LocationReport>,
    /// The messages that came up, in the order of the edges.
    pub messages: Vec<ReportedMessage>,
    /// What stands in the way of a proof.
    pub incomplete: Vec<Incomplete>,
    /// Everything else that the user should know, with its place.
    pub warnings: Vec<TextError>,
    /// The updates of each edge's action.
    pub updates: Vec<Vec<Update>>,
    /// How many structures actions produced, before joining.
    pub produced: usize,
    /// How long the analysis took.
    pub time: Duration,
}

impl TvlaReport {
    /// How many structures there are in all locations.
    #[must_use]
    pub fn total(&self) -> usize {
        self.locations.iter().map(|l| l.structures.len()).sum()
    }

    /// The most structures in one location.
    #[must_use]
    pub fn largest(&self) -> usize {
        self.locations.iter().map(|l| l.structures.len()).max().unwrap_or(0)
    }

    /// What the run says. A run with a message is never a proof, and neither is one that ended early.
    #[must_use]
    pub fn verdict(&self) -> TvlaVerdict {
        if !self.messages.is_empty() {
            TvlaVerdict::Violated
        } else if !self.incomplete.is_empty() {
            TvlaVerdict::Unknown
        } else {
            TvlaVerdict::Verified
        }
    }

    /// The structures of every location as a TVS file.
    #[must_use]
    pub fn structures_text(&self) -> String {
        let mut out = String::new();
        for location in &self.locations {
            out.push_str(&format!("%location \"{}\" = {{\n", location.name));
            for structure in &location.structures {
                out.push_str(&tvs::print(structure, &self.specification.vocabulary));
            }
            out.push_str("}\n\n");
        }
        out
    }

    /// The updates of every action, given and derived, as text.
    #[must_use]
    pub fn updates_text(&self) -> String {
        let vocabulary = &self.specification.vocabulary;
        let mut out = String::new();
        for (edge, updates) in self.specification.edges.iter().zip(&self.updates) {
            out.push_str(&format!("{}\n", edge.action.name));
            for update in updates {
                let args: Vec<&str> = update.params.iter().map(heapwise_logic::Variable::name).collect();
                let name = vocabulary.name(update.predicate);
                for formula in &update.alternatives {
                    out.push_str(&format!("  {name}({}) = {}\n", args.join(", "), vocabulary.print(formula)));
                }
            }
        }
        out
    }

    /// A drawing of every structure of the locations to print, and of one structure for each message.
    #[must_use]
    pub fn drawings(&self) -> Vec<Drawing> {
        let vocabulary = &self.specification.vocabulary;
        let mut drawings = Vec::new();
        for location in self.locations.iter().filter(|l| l.shown) {
            for (i, structure) in location.structures.iter().enumerate() {
                let title = format!("{} {}/{}", location.name, i + 1, location.structures.len());
                drawings.push(crate::drawing::draw(structure, vocabulary, &title));
            }
        }
        for message in &self.messages {
            let title = format!("{}: {}", message.location, message.text);
            drawings.push(crate::drawing::draw(&message.example, vocabulary, &title));
        }
        drawings
    }
}

/// Runs a specification on its input structures. Without input, the analysis starts from the empty structure.
///
/// # Errors
/// What is wrong with the files.
pub fn run(
    program: File<'_>,
    input: Option<File<'_>>,
    files: &dyn Files,
    options: &TvlaOptions,
) -> Result<TvlaReport, TextError> {
    let mut warnings = Vec::new();
    let named = properties::named_in(program.path, program.text, files, &mut warnings)?;
    let properties = options.properties.or(named);
    let options =
        &TvlaOptions { differencing: properties.differencing.unwrap_or(options.differencing), ..options.clone() };
    let mut specification = tvp::parse(program.path, program.text, files, &options.defines)?;
    specification.warnings.extend(warnings);
    if properties.action_order == Some(ActionOrder::WithoutFocus) {
        specification.edges.iter_mut().for_each(|edge| edge.action.focus.clear());
    }
    let vocabulary = &specification.vocabulary;
    let inputs = match input {
        Some(file) => tvs::parse(file.path, file.text, vocabulary, files, &options.defines)?,
        None => tvs::StructureFile {
            structures: vec![(1, Structure::new(vocabulary.layout(), 0))],
            ..tvs::StructureFile::default()
        },
    };
    let path = input.map_or(program.path, |f| f.path).to_owned();
    Ok(driver::analyse(specification, inputs, &path, options))
}
