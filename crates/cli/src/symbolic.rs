//! `heapwise assume`, `meet` and `transform`: the most-precise operations on structures in TVLA's file formats.

use super::failure::{CannotRun, closest};
use super::output;
use super::symbolic_options::{AssumeCommand, MeetCommand, SymbolicOptions, TransformCommand};
use super::tvla::preprocessor_options;
use heapwise_logic::text::{Name, Names, Parser, TextError};
use heapwise_logic::{Formula, Predicate};
use heapwise_prover::{Backend, Limits, Prover};
use heapwise_report::drawing::{dot, svg};
use heapwise_tvl::action::{Differencing, Framework};
use heapwise_tvl::blur::Abstraction;
use heapwise_tvl::coerce::Constraints;
use heapwise_tvl::drawing::draw;
use heapwise_tvl::rules::{Derivation, rules};
use heapwise_tvl::structure::Structure;
use heapwise_tvl::symbolic::explore::{Outcome, Settings};
use heapwise_tvl::symbolic::operations::{self, alpha_hat, smallest};
use heapwise_tvl::symbolic::transform::{BestTransformer, Check, Moment, transform_by_formula};
use heapwise_tvl::tvp::preprocess::DiskFiles;
use heapwise_tvl::tvp::{Library, parse_library, tvs};
use heapwise_tvl::vocabulary::Vocabulary;
use std::path::Path;
use std::time::{Duration, Instant};

/// The exit status of a result that may not be the most precise one.
const UNKNOWN: u8 = 3;

pub(crate) fn assume(command: &AssumeCommand, compiler: &[String]) -> Result<u8, CannotRun> {
    let input = Input::read(&command.common, compiler, &[])?;
    let formula = closed(&command.formula, &input.framework.vocabulary)?;
    let mut prover = input.prover(&command.common)?;
    let settings = Settings::default();
    let result = match &command.structures {
        None => operations::Result {
            outcome: alpha_hat(&input.framework, &formula, &mut *prover, settings),
            ..operations::Result::default()
        },
        Some(path) => {
            let structures = input.structures(path)?;
            operations::assume(&input.framework, &formula, &structures, &mut *prover, settings)
        }
    };
    input.finish(&command.common, &result, &*prover)
}

pub(crate) fn meet(command: &MeetCommand, compiler: &[String]) -> Result<u8, CannotRun> {
    let input = Input::read(&command.common, compiler, &[])?;
    let (left, right) = (input.structures(&command.structures)?, input.structures(&command.structures2)?);
    let mut prover = input.prover(&command.common)?;
    let result = operations::meet(&input.framework, &left, &right, &mut *prover, Settings::default());
    input.finish(&command.common, &result, &*prover)
}

pub(crate) fn transform(command: &TransformCommand, compiler: &[String]) -> Result<u8, CannotRun> {
    let input = Input::read(&command.common, compiler, &command.actions)?;
    let structures = input.structures(&command.structures)?;
    let (structures, merged) = operations::bounded(&input.framework, &structures);
    let mut prover = input.prover(&command.common)?;
    let settings = Settings::default();
    let mut result = operations::Result { merged, ..operations::Result::default() };
    if let Some(text) = &command.formula {
        let names = TwoStores(&input.framework.vocabulary);
        let formula = Parser::formula_from("--formula", text, &names).map_err(in_formula)?;
        no_free_variables(&formula)?;
        for structure in &structures {
            let outcome = transform_by_formula(&input.framework, &formula, structure, &mut *prover, settings);
            result.outcome.absorb(outcome);
        }
        return input.finish(&command.common, &result, &*prover);
    }
    let transformer = BestTransformer::new(&input.framework, &input.library.actions).map_err(|error| {
        CannotRun::usage(error.to_string(), "its effect has no formula: run it with `heapwise tvla` instead")
    })?;
    let mut messages = Vec::new();
    for structure in &structures {
        let transformed = transformer.apply(structure, &mut *prover, settings);
        match transformed.broken {
            Check::Holds => {}
            Check::Broken(action, rule) => {
                let name = &input.library.actions[action].name;
                let rule = input.framework.vocabulary.print(&rule.formula);
                messages.push(format!("after `{name}` a state may break the rule {rule}; such states are left out"));
            }
            Check::Unsettled => messages
                .push("a state may break a rule (the prover could not tell); such states are left out".to_owned()),
        }
        result.outcome.absorb(transformed.outcome);
        let texts = messages_of(&input.library, &transformer, structure, &mut *prover);
        messages.extend(texts);
    }
    messages.dedup();
    for message in &messages {
        output::complain(&format!("message: {message}"));
    }
    let status = input.finish(&command.common, &result, &*prover)?;
    Ok(if messages.is_empty() { status } else { 1 })
}

/// The messages of the block that may come up: those of the first action about the state before, and those of the last
/// about the state after.
fn messages_of(
    library: &Library,
    transformer: &BestTransformer<'_>,
    structure: &Structure,
    prover: &mut dyn Prover,
) -> Vec<String> {
    let before = library.actions.first().into_iter().flat_map(|a| &a.before).map(|m| (m, Moment::Before));
    let after = library.actions.last().into_iter().flat_map(|a| &a.after).map(|m| (m, Moment::After));
    before
        .chain(after)
        .filter(|(message, moment)| !transformer.excludes(structure, &message.condition, *moment, prover))
        .map(|(message, _)| message.text.clone())
        .collect()
}

/// What a command reads.
struct Input {
    library: Library,
    framework: Framework,
    files: DiskFiles,
    defines: Vec<String>,
}

impl Input {
    fn read(common: &SymbolicOptions, compiler: &[String], actions: &[String]) -> Result<Input, CannotRun> {
        let (directories, defines) = preprocessor_options(compiler);
        let files = DiskFiles { directories };
        let text = read(&common.vocabulary)?;
        let path = common.vocabulary.display().to_string();
        let library = parse_library(&path, &text, &files, &defines, actions)
            .map_err(|error| in_file(error, VOCABULARY_HINT.to_owned()))?;
        let vocabulary = library.vocabulary.clone();
        let framework = Framework {
            constraints: Constraints::new(&vocabulary, rules(&vocabulary, &library.rules, Derivation::Automatic)),
            abstraction: Abstraction::new(&vocabulary),
            vocabulary,
            differencing: Differencing::Derived,
        };
        library
            .warnings
            .iter()
            .for_each(|w| output::complain(&format!("{}:{}: warning: {}", w.file, w.line, w.message)));
        Ok(Input { library, framework, files, defines })
    }

    fn structures(&self, path: &Path) -> Result<Vec<Structure>, CannotRun> {
        let text = read(path)?;
        let name = path.display().to_string();
        let vocabulary = &self.framework.vocabulary;
        let file = tvs::parse(&name, &text, vocabulary, &self.files, &self.defines).map_err(|error| {
            let declared: Vec<&str> = vocabulary.predicates().map(|p| vocabulary.name(p)).collect();
            in_file(
                error,
                format!("TVS syntax: `%n = {{u}} %p = {{ x = {{u}} }}`; predicates: {}", declared.join(", ")),
            )
        })?;
        file.warnings.iter().for_each(|w| output::complain(&format!("{}:{}: warning: {}", w.file, w.line, w.message)));
        if file.structures.is_empty() {
            output::complain(&format!("{name}: warning: there is no structure in this file"));
        }
        Ok(file.structures.into_iter().map(|(_, structure)| structure).collect())
    }

    fn prover(&self, common: &SymbolicOptions) -> Result<Box<dyn Prover>, CannotRun> {
        let limits = Limits {
            per_query: common.query_time.map_or(Limits::default().per_query, Duration::from_millis),
            deadline: common.time.map(|seconds| Instant::now() + Duration::from_secs(seconds)),
            ..Limits::default()
        };
        let names = Backend::ALL.map(Backend::name);
        let backend = Backend::from_name(&common.prover).ok_or_else(|| {
            CannotRun::usage(format!("no prover is called `{}`", common.prover), closest(&common.prover, &names))
        })?;
        if !backend.is_available() {
            output::complain(&format!(
                "warning: {} is not on the PATH: every question to it is left open (`heapwise doctor` lists what is found)",
                backend.program().unwrap_or_default()
            ));
        }
        Ok(backend.prover(limits))
    }

    fn finish(
        &self,
        common: &SymbolicOptions,
        result: &operations::Result,
        prover: &dyn Prover,
    ) -> Result<u8, CannotRun> {
        let outcome = &result.outcome;
        let structures = if common.minimal { smallest(&outcome.structures) } else { outcome.structures.clone() };
        let vocabulary = &self.framework.vocabulary;
        let mut text = headline(outcome, &structures, result.merged, common, prover);
        for structure in &structures {
            text.push_str(&tvs::print(structure, vocabulary));
        }
        output::print(&text)?;
        if let Some(directory) = &common.out {
            output::write_file(&directory.join("structures.tvs"), &text)?;
            let drawings: Vec<_> = structures
                .iter()
                .enumerate()
                .map(|(i, s)| draw(s, vocabulary, &format!("{}/{}", i + 1, structures.len())))
                .collect();
            let graphs: String = drawings.iter().map(dot::render).collect();
            output::write_file(&directory.join("structures.dot"), &graphs)?;
            for (i, drawing) in drawings.iter().enumerate() {
                output::write_file(&directory.join(format!("{:04}.svg", i + 1)), &svg::render(drawing))?;
            }
        }
        Ok(if outcome.is_exact() && result.merged == 0 { 0 } else { UNKNOWN })
    }
}

/// What the result is, as comments of the TVS text.
fn headline(
    outcome: &Outcome,
    structures: &[Structure],
    merged: usize,
    common: &SymbolicOptions,
    prover: &dyn Prover,
) -> String {
    let n = structures.len();
    let mut text = format!("// {n} structure{}", if n == 1 { "" } else { "s" });
    if common.minimal {
        text.push_str(&format!(" (the smallest set that represents the same as all {})", outcome.structures.len()));
    }
    let exact = outcome.is_exact() && merged == 0;
    text.push_str(if exact { "; the most precise result\n" } else { "; there may be a more precise result\n" });
    if !outcome.is_exact() {
        let reason = outcome.reason.as_ref().map_or_else(|| "a limit was reached".to_owned(), ToString::to_string);
        text.push_str(&format!("// {} of them could not be settled: {reason}\n", outcome.doubtful.len()));
    }
    if merged > 0 {
        text.push_str(&format!(
            "// {merged} input structure(s) had individuals that no abstraction predicate keeps apart; they were merged\n"
        ));
    }
    text.push_str(&format!(
        "// {} question(s) to the prover {}, {} not settled\n",
        outcome.queries,
        prover.name(),
        outcome.unsettled
    ));
    text
}

fn closed(text: &str, vocabulary: &Vocabulary) -> Result<Formula, CannotRun> {
    let formula = Parser::formula_from("--formula", text, vocabulary).map_err(in_formula)?;
    no_free_variables(&formula)?;
    Ok(formula)
}

fn no_free_variables(formula: &Formula) -> Result<(), CannotRun> {
    if let Some(v) = formula.free_variables().first() {
        let hint = format!("bind it: `E({0}) …` for some, `A({0}) …` for all", v.name());
        return Err(CannotRun::usage(format!("the variable `{}` of the formula is free", v.name()), hint));
    }
    let mut indefinite = false;
    formula.visit(&mut |f| indefinite |= matches!(f, Formula::Literal(value) if !value.is_definite()));
    if indefinite {
        let hint = "write a formula that is true or false in every concrete structure";
        return Err(CannotRun::usage("1/2 in the formula means nothing", hint));
    }
    Ok(())
}

/// `next[p]` is p in the state after the step.
struct TwoStores<'a>(&'a Vocabulary);

impl Names for TwoStores<'_> {
    fn predicate(&self, name: &Name, arity: usize) -> Result<Predicate, String> {
        match name.parameters.as_deref() {
            Some([inner]) if &*name.id == "next" && self.0.find(&name.to_string()).is_none() => {
                self.0.predicate(inner, arity).map(Predicate::primed)
            }
            _ => self.0.predicate(name, arity),
        }
    }

    fn set(&self, id: &str) -> Result<Vec<Name>, String> {
        self.0.set(id)
    }
}

fn read(path: &Path) -> Result<String, CannotRun> {
    std::fs::read_to_string(path).map_err(|error| CannotRun::reading(path, &error))
}

const VOCABULARY_HINT: &str = "TVP syntax: `%p x(v) unique`, `%p n(v, w) function`, `%i r(v) = E(u) x(u) & n*(u, v)`, `%r …`; actions behind `%%`";

fn in_file(error: TextError, hint: String) -> CannotRun {
    let (file, line) = (error.file.to_string(), error.line as usize);
    CannotRun::InFile { file, line, message: error.message, hint: Some(hint) }
}

fn in_formula(error: TextError) -> CannotRun {
    in_file(error, "TVP syntax: `E(v, w) x(v) & n(v, w)`, `A(v) …`, `!`, `->`, `n*(v, w)`".to_owned())
}
