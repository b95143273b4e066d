//! The TVLA driver: reads a specification and its input structures, runs the analysis, reports.

use crate::action::{Action, Differencing, Framework, StepResult, Trouble};
use crate::blur::Abstraction;
use crate::coerce::Constraints;
use crate::difference::Update;
use crate::join::{Join, Key};
use crate::rules::{Derivation, RuleSource, rules};
use crate::structure::Structure;
use crate::tables::Tables;
use crate::tvp::preprocess::Files;
use crate::tvp::{self, Specification, tvs};
use heapwise_engine::Drawing;
use heapwise_logic::text::TextError;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

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
    /// The structure is dropped and the run goes on.
    Drop,
}

/// How to run.
#[derive(Clone, Debug)]
pub struct TvlaOptions {
    /// How structures of one location are joined.
    pub join: Join,
    /// Whether rules are derived from definitions.
    pub derivation: Derivation,
    /// Whether updates are derived from definitions.
    pub differencing: Differencing,
    /// What to do about contradictions.
    pub on_contradiction: OnContradiction,
    /// Macros defined from outside.
    pub defines: Vec<String>,
    /// At most so many structures in the graph.
    pub structures: usize,
    /// At most so much time.
    pub time: Option<Duration>,
}

impl Default for TvlaOptions {
    fn default() -> TvlaOptions {
        TvlaOptions {
            join: Join::Relational,
            derivation: Derivation::Automatic,
            differencing: Differencing::Derived,
            on_contradiction: OnContradiction::Stop,
            defines: Vec::new(),
            structures: 1_000_000,
            time: None,
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
    let specification = tvp::parse(program.path, program.text, files, &options.defines)?;
    let vocabulary = &specification.vocabulary;
    let inputs = match input {
        Some(file) => tvs::parse(file.path, file.text, vocabulary, files, &options.defines)?,
        None => tvs::StructureFile {
            structures: vec![(1, Structure::new(vocabulary.layout(), 0))],
            ..tvs::StructureFile::default()
        },
    };
    let path = input.map_or(program.path, |f| f.path).to_owned();
    Ok(analyse(specification, inputs, &path, options))
}

fn analyse(
    specification: Specification,
    inputs: tvs::StructureFile,
    input_path: &str,
    options: &TvlaOptions,
) -> TvlaReport {
    let start = Instant::now();
    let vocabulary = &specification.vocabulary;
    let framework = Framework {
        vocabulary: vocabulary.clone(),
        constraints: Constraints::new(vocabulary, rules(vocabulary, &specification.rules, options.derivation)),
        abstraction: Abstraction::new(vocabulary),
        differencing: options.differencing,
    };
    let actions: Vec<Action> = specification.edges.iter().map(|e| Action::new(&framework, &e.action)).collect();
    let mut run = Run {
        framework: &framework,
        specification: &specification,
        actions: &actions,
        options,
        start,
        elements: vec![IndexMap::default(); specification.locations.len()],
        pending: BTreeSet::new(),
        order: order(&specification),
        messages: IndexMap::new(),
        incomplete: Vec::new(),
        produced: 0,
        stored: 0,
        tables: Tables::new(),
    };
    let mut warnings = specification.warnings.clone();
    warnings.extend(inputs.warnings.iter().cloned());
    run.inputs(&inputs, input_path, &mut warnings);
    run.fixpoint();
    let Run { elements, messages, incomplete, produced, .. } = run;
    let locations = specification
        .locations
        .iter()
        .zip(elements)
        .enumerate()
        .map(|(i, (name, elements))| {
            let mut structures: Vec<Structure> = elements.into_values().collect();
            structures.sort();
            LocationReport { name: name.clone(), structures, shown: specification.shown.contains(&i) }
        })
        .collect();
    let mut messages: Vec<((usize, String), (usize, Structure))> = messages.into_iter().collect();
    messages.sort_by(|a, b| a.0.cmp(&b.0));
    let messages = messages
        .into_iter()
        .map(|((edge, text), (structures, example))| ReportedMessage {
            location: specification.locations[specification.edges[edge].from].clone(),
            action: actions[edge].title.clone(),
            text,
            structures,
            example,
        })
        .collect();
    let updates = actions.iter().map(|a| a.updates().to_vec()).collect();
    drop(actions);
    TvlaReport { locations, messages, incomplete, warnings, updates, produced, time: start.elapsed(), specification }
}

/// The locations in reverse postorder from the entry, so that a location comes after those it is reached from where
/// there is no cycle.
fn order(specification: &Specification) -> Vec<usize> {
    let n = specification.locations.len();
    let mut successors = vec![Vec::new(); n];
    for edge in &specification.edges {
        successors[edge.from].push(edge.to);
    }
    let mut seen = vec![false; n];
    let mut postorder = Vec::new();
    for root in 0..n {
        let mut stack = vec![(root, 0)];
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        while let Some((location, next)) = stack.pop() {
            match successors[location].get(next) {
                Some(to) => {
                    stack.push((location, next + 1));
                    if !std::mem::replace(&mut seen[*to], true) {
                        stack.push((*to, 0));
                    }
                }
                None => postorder.push(location),
            }
        }
    }
    let mut rank = vec![0; n];
    for (i, location) in postorder.iter().rev().enumerate() {
        rank[*location] = i;
    }
    rank
}

struct Run<'a> {
    framework: &'a Framework,
    specification: &'a Specification,
    actions: &'a [Action],
    options: &'a TvlaOptions,
    start: Instant,
    elements: Vec<IndexMap<Key, Structure, FxBuildHasher>>,
    /// Work: (rank of the location, location, element).
    pending: BTreeSet<(usize, usize, usize)>,
    order: Vec<usize>,
    messages: IndexMap<(usize, String), (usize, Structure)>,
    incomplete: Vec<Incomplete>,
    produced: usize,
    stored: usize,
    tables: Tables,
}

impl Run<'_> {
    fn inputs(&mut self, inputs: &tvs::StructureFile, path: &str, warnings: &mut Vec<TextError>) {
        let mut kept = 0;
        for (line, structure) in &inputs.structures {
            let mut structure = structure.clone();
            let agenda = self.framework.constraints.everything();
            match self.framework.constraints.coerce(&mut structure, agenda, &mut self.tables) {
                Ok(()) => {
                    kept += 1;
                    let blurred = self.framework.abstraction.blur(&structure);
                    self.add(0, blurred);
                }
                Err(rule) => {
                    let rule = self.framework.constraints.rule(rule).describe(&self.framework.vocabulary);
                    let message = format!("this input structure is dropped: it breaks the rule {rule}");
                    warnings.push(TextError { file: path.into(), line: *line, message });
                }
            }
        }
        if kept == 0 {
            self.incomplete.push(Incomplete::NoInput);
        }
    }

    /// Puts a blurred structure into a location.
    fn add(&mut self, location: usize, structure: Structure) {
        let abstraction = &self.framework.abstraction;
        let join = self.options.join;
        let key = join.key(abstraction, &structure);
        let elements = &mut self.elements[location];
        let index = match elements.get_full_mut(&key) {
            None => {
                self.stored += 1;
                elements.insert_full(key, structure).0
            }
            Some(_) if join == Join::Relational => return,
            Some((index, _, known)) => match join.join(abstraction, known, &structure) {
                Ok(joined) if joined == *known => return,
                Ok(joined) => {
                    *known = joined;
                    index
                }
                Err(_) => {
                    let name = self.specification.locations[location].clone();
                    self.incomplete.push(Incomplete::TooLarge { action: "join".to_owned(), place: name });
                    return;
                }
            },
        };
        self.pending.insert((self.order[location], location, index));
    }

    fn fixpoint(&mut self) {
        let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); self.elements.len()];
        for (i, edge) in self.specification.edges.iter().enumerate() {
            leaving[edge.from].push(i);
        }
        while let Some((_, location, index)) = self.pending.pop_first() {
            if self.stored > self.options.structures {
                self.incomplete.push(Incomplete::TooManyStructures(self.options.structures));
                return;
            }
            if self.options.time.is_some_and(|limit| self.start.elapsed() > limit) {
                self.incomplete.push(Incomplete::OutOfTime);
                return;
            }
            let structure = self.elements[location][index].clone();
            for edge in &leaving[location] {
                let mut result = StepResult::default();
                self.actions[*edge].apply(self.framework, &structure, &mut self.tables, &mut result);
                if !self.collect(*edge, result) {
                    return;
                }
            }
        }
    }

    /// Takes in the result of an action; whether to go on.
    fn collect(&mut self, edge: usize, result: StepResult) -> bool {
        for (text, structure) in result.messages {
            self.messages.entry((edge, text)).or_insert_with(|| (0, structure)).0 += 1;
        }
        self.produced += result.structures.len();
        let to = self.specification.edges[edge].to;
        for structure in result.structures {
            self.add(to, structure);
        }
        for (trouble, structure) in result.troubles {
            if !self.trouble(edge, &trouble, structure) {
                return false;
            }
        }
        true
    }

    fn trouble(&mut self, edge: usize, trouble: &Trouble, structure: Structure) -> bool {
        let action = self.actions[edge].title.clone();
        let place = self.specification.edges[edge].place.clone();
        match trouble {
            Trouble::TooLarge => {
                self.incomplete.push(Incomplete::TooLarge { action, place });
                false
            }
            Trouble::Contradiction(rule) => {
                let rule = self.framework.constraints.rule(*rule);
                // A rule that only we derive tells that the structure represented nothing: dropping it is a matter
                // of course. A rule that the user sees, or that TVLA derives as well, may be broken by the action.
                let ours = matches!(rule.source, RuleSource::Contrapositive(_) | RuleSource::Path(_));
                if ours || self.options.on_contradiction == OnContradiction::Drop {
                    return true;
                }
                let rule = rule.describe(&self.framework.vocabulary);
                self.incomplete.push(Incomplete::Contradiction { action, place, rule, structure });
                false
            }
        }
    }
}
