//! `heapwise verify-certificate`: the proof of *safe*, checked without the engine that found it.

use super::failure::CannotRun;
use super::input;
use super::options::VerifyCommand;
use super::output;
use super::settings;
use heapwise::{Engines, Entry, Input};
use heapwise_certificate::{Binding, Rejected, Verified, verify};
use heapwise_engine::{AllocationFailure, Budget, Cancel, Control, Kind, Options};
use heapwise_ir::{Program, Span};
use heapwise_report::words;

/// The status when the certificate is a proof.
const ACCEPTED: u8 = 0;
/// The status when it is none.
const REJECTED: u8 = 1;
/// The status when nobody knows.
const UNKNOWN: u8 = 3;

pub(crate) fn run(options: &VerifyCommand, engines: Engines, compiler: Vec<String>) -> Result<u8, CannotRun> {
    let path = &options.certificate;
    let text = std::fs::read_to_string(path).map_err(|error| CannotRun::reading(path, &error))?;
    let config = settings::configuration(&options.input, engines)?;
    let asked = if options.property.is_empty() { config.properties.as_ref() } else { Some(&options.property) };
    let properties = asked.map(|names| settings::kinds(names)).transpose()?;
    let time = options.time.as_deref().or(config.time.as_deref());
    let time = time.map_or(Ok(heapwise::DEFAULT_TIME), settings::seconds)?;
    let succeeds = options.assume_malloc_succeeds || config.assume_malloc_succeeds.unwrap_or(false);
    let settings = settings::input(&options.input, &config, compiler);
    let name = settings.entry.as_deref().unwrap_or("main");
    let entry = Entry::Function(name.to_owned());
    let input = Input::read(input::units(&settings)?, &settings.models, &entry, settings.arguments)?;
    let mut question = Options::new(input.entry);
    question.properties = properties.unwrap_or_else(Kind::asked_by_default);
    question.allocation_failure = if succeeds { AllocationFailure::Never } else { AllocationFailure::Possible };
    let control = Control::start(Budget { time: Some(time), ..Budget::default() }, Cancel::default());
    let (line, status) = match verify(&input.program, &question, &text, &control) {
        Ok(Verified { nodes, steps }) => {
            (format!("accepted: {nodes} structures are inductive in {steps} steps, and no step fails\n"), ACCEPTED)
        }
        Err(Rejected::Malformed { line, message }) => {
            let hint = Some("give what `heapwise check --certificate FILE` wrote".to_owned());
            return Err(CannotRun::InFile { file: path.display().to_string(), line, message, hint });
        }
        Err(Rejected::Exhausted(_)) => {
            ("unknown: the time ran out before everything was checked\n".to_owned(), UNKNOWN)
        }
        Err(why) => (format!("rejected: {}\n", reason(&input.program, &question, &why)), REJECTED),
    };
    output::print(&line)?;
    Ok(status)
}

/// Why a certificate is no proof.
fn reason(program: &Program, question: &Options, why: &Rejected) -> String {
    let at = |span: Span| {
        let file = span.file.map_or("<no source>", |file| program.files[file].path.as_str());
        format!("{file}:{}:{}", span.line, span.column)
    };
    match why {
        Rejected::Malformed { message, .. } => message.clone(),
        Rejected::Exhausted(_) => "the time ran out".to_owned(),
        Rejected::OtherProgram => "it is about another program, or was made by another version of heapwise".to_owned(),
        Rejected::OtherModels => "it was made with other models of functions without a body".to_owned(),
        Rejected::OtherQuestion(binding) => {
            let asked = Binding::new(program, question);
            format!("it is about {}, and the question is {}", words_of(binding), words_of(&asked))
        }
        Rejected::Gap(gap) => format!("{}: not followed: {}", at(gap.span), words::gap(&gap.reason)),
        Rejected::Start => "the structure of its root does not cover what holds at the start".to_owned(),
        Rejected::Uncovered { node, span } => {
            format!("{}: what this step makes of structure {} is covered by none that it names", at(*span), node.0)
        }
        Rejected::Error { node, kind, span } => {
            format!("{}: {} is possible from structure {}", at(*span), kind.name(), node.0)
        }
    }
}

fn words_of(binding: &Binding) -> String {
    let names: Vec<&str> = binding.properties.iter().map(|kind| kind.name()).collect();
    let allocation = match binding.allocation_failure {
        AllocationFailure::Possible => "where allocation may fail",
        AllocationFailure::Never => "where allocation never fails",
    };
    format!("{} from `{}` {allocation}", names.join(", "), binding.entry)
}
