//! What a report holds so that its runs can be made again: what was read and asked ([`Record`]), and what each run chose. It is
//! part of the JSON, and read back from there ([`Recorded::parse`]).

use crate::report::{Choice, Report};
use heapwise_engine::{AllocationFailure, Answer, ChoiceQuestion, InputSource, Kind, Options, Writer};
use heapwise_ir::{FileId, FunctionId, Program, Span, fingerprint};
use serde::{Deserialize, Serialize};

/// What was read and asked.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The C files, with the compiler's options for each.
    pub units: Vec<RecordedUnit>,
    /// Files with models.
    pub models: Vec<String>,
    /// Where execution starts.
    pub entry: String,
    /// What that function is given, if it is not `main`: `valid` arguments, or `any`.
    #[serde(default = "any_arguments")]
    pub arguments: String,
    /// The names of the kinds that count.
    pub properties: Vec<String>,
    /// Whether an allocation may fail.
    pub malloc_may_fail: bool,
    /// All texts that became part of the program, to tell whether they changed.
    pub texts: Vec<Fingerprint>,
}

/// What reports say that do not say it.
fn any_arguments() -> String {
    "any".to_owned()
}

/// A C file, and how it is read.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct RecordedUnit {
    /// Its path, as it was given.
    pub file: String,
    /// The compiler's options.
    pub options: Vec<String>,
}

/// A text, by a number that changes with it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Fingerprint {
    /// Its path, as the user or an `#include` gave it.
    pub file: String,
    /// FNV-1a of its bytes, with 64 bits, in hexadecimal.
    pub hash: String,
}

impl Fingerprint {
    /// Those of all texts of a program. (A change is found, not a forgery: a hash that resists attacks would protect nothing.)
    pub fn all(program: &Program) -> Vec<Fingerprint> {
        let of = |file: &heapwise_ir::SourceFile| Fingerprint {
            file: file.path.clone(),
            hash: format!("{:016x}", fingerprint(file.text.as_bytes())),
        };
        program.files.values().map(of).collect()
    }
}

impl Record {
    /// The question as an engine is asked it, if the program still has that entry point.
    pub fn question(&self, program: &Program) -> Option<Options> {
        let mut options = Options::new(program.function_named(&self.entry)?);
        options.properties = self.properties.iter().filter_map(|name| Kind::from_name(name)).collect();
        options.properties.sort_unstable();
        options.allocation_failure =
            if self.malloc_may_fail { AllocationFailure::Possible } else { AllocationFailure::Never };
        Some(options)
    }
}

/// A choice, in JSON.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordedChoice {
    file: Option<String>,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    function: String,
    message: String,
    question: Question,
    answer: RecordedAnswer,
}

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(tag = "open", rename_all = "kebab-case", deny_unknown_fields)]
enum Question {
    Parameter { name: String },
    ArgumentCount,
    Result { name: String },
    Conversions { name: String },
    ArgumentByte { argument: u32, offset: u64 },
    Byte { name: String, call: u32, offset: u64 },
    PaddingByte { offset: u64 },
    UnwrittenByte { offset: u64 },
    OutsideByte { offset: u64 },
    Input,
    Allocation,
    Address { left: String, right: String },
    Place { object: String },
}

/// Numbers are texts: JSON's do not hold all of them.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
enum RecordedAnswer {
    Integer(String),
    FloatBits(String),
    Null,
    NotNull,
    Succeeds,
    Fails,
    Same,
    Distinct,
    Below,
    Above,
}

impl RecordedChoice {
    pub(crate) fn new(report: &Report, choice: &Choice) -> RecordedChoice {
        let place = choice.place;
        RecordedChoice {
            file: report.path(place).map(str::to_owned),
            line: place.line,
            column: place.column,
            end_line: place.end_line,
            end_column: place.end_column,
            function: choice.function.clone(),
            message: choice.words.clone(),
            question: Question::from(&choice.question),
            answer: RecordedAnswer::from(&choice.answer),
        }
    }

    /// The choice as an engine makes it. What a program does not have is told.
    fn resolve(&self, program: &Program) -> Result<heapwise_engine::Choice, String> {
        let answer =
            self.answer.resolve().ok_or_else(|| format!("`{}` has no answer that can be read", self.message))?;
        let span = span(program, self.file.as_deref(), [self.line, self.column, self.end_line, self.end_column])?;
        let function = function(program, &self.function)?;
        Ok(heapwise_engine::Choice { question: self.question.resolve(), span, function, answer })
    }
}

fn span(program: &Program, file: Option<&str>, [line, column, end_line, end_column]: [u32; 4]) -> Result<Span, String> {
    let Some(path) = file else { return Ok(Span::NONE) };
    let found = |(_, known): &(FileId, &heapwise_ir::SourceFile)| known.path == path;
    let (file, _) =
        program.files.iter().find(found).ok_or_else(|| format!("the program has no file `{path}` any more"))?;
    Ok(Span { file: Some(file), line, column, end_line, end_column })
}

fn function(program: &Program, name: &str) -> Result<FunctionId, String> {
    program.function_named(name).ok_or_else(|| format!("the program has no function `{name}` any more"))
}

impl From<&ChoiceQuestion> for Question {
    fn from(question: &ChoiceQuestion) -> Question {
        match question {
            ChoiceQuestion::Input(source) => match source {
                InputSource::Parameter(name) => Question::Parameter { name: name.clone() },
                InputSource::ArgumentCount => Question::ArgumentCount,
                InputSource::Result(name) => Question::Result { name: name.clone() },
                InputSource::Conversions(name) => Question::Conversions { name: name.clone() },
                InputSource::Bytes { writer, offset } => match writer {
                    Writer::Argument(argument) => Question::ArgumentByte { argument: *argument, offset: *offset },
                    Writer::Function { name, call } => {
                        Question::Byte { name: name.clone(), call: *call, offset: *offset }
                    }
                    Writer::Padding => Question::PaddingByte { offset: *offset },
                    Writer::Nobody => Question::UnwrittenByte { offset: *offset },
                    Writer::Elsewhere => Question::OutsideByte { offset: *offset },
                },
                InputSource::Unspecified => Question::Input,
            },
            ChoiceQuestion::Allocation => Question::Allocation,
            ChoiceQuestion::Address { left, right } => Question::Address { left: left.clone(), right: right.clone() },
            ChoiceQuestion::Place { object } => Question::Place { object: object.clone() },
        }
    }
}

impl Question {
    fn resolve(&self) -> ChoiceQuestion {
        let bytes = |writer: Writer, offset: u64| ChoiceQuestion::Input(InputSource::Bytes { writer, offset });
        match self.clone() {
            Question::Parameter { name } => ChoiceQuestion::Input(InputSource::Parameter(name)),
            Question::ArgumentCount => ChoiceQuestion::Input(InputSource::ArgumentCount),
            Question::Result { name } => ChoiceQuestion::Input(InputSource::Result(name)),
            Question::Conversions { name } => ChoiceQuestion::Input(InputSource::Conversions(name)),
            Question::ArgumentByte { argument, offset } => bytes(Writer::Argument(argument), offset),
            Question::Byte { name, call, offset } => bytes(Writer::Function { name, call }, offset),
            Question::PaddingByte { offset } => bytes(Writer::Padding, offset),
            Question::UnwrittenByte { offset } => bytes(Writer::Nobody, offset),
            Question::OutsideByte { offset } => bytes(Writer::Elsewhere, offset),
            Question::Input => ChoiceQuestion::Input(InputSource::Unspecified),
            Question::Allocation => ChoiceQuestion::Allocation,
            Question::Address { left, right } => ChoiceQuestion::Address { left, right },
            Question::Place { object } => ChoiceQuestion::Place { object },
        }
    }
}

impl From<&Answer> for RecordedAnswer {
    fn from(answer: &Answer) -> RecordedAnswer {
        match answer {
            Answer::Integer(value) => RecordedAnswer::Integer(value.to_string()),
            Answer::Float(bits) => RecordedAnswer::FloatBits(bits.to_string()),
            Answer::Null => RecordedAnswer::Null,
            Answer::NotNull => RecordedAnswer::NotNull,
            Answer::Succeeds => RecordedAnswer::Succeeds,
            Answer::Fails => RecordedAnswer::Fails,
            Answer::Same => RecordedAnswer::Same,
            Answer::Distinct => RecordedAnswer::Distinct,
            Answer::Below => RecordedAnswer::Below,
            Answer::Above => RecordedAnswer::Above,
        }
    }
}

impl RecordedAnswer {
    fn resolve(&self) -> Option<Answer> {
        Some(match self {
            RecordedAnswer::Integer(value) => Answer::Integer(value.parse().ok()?),
            RecordedAnswer::FloatBits(bits) => Answer::Float(bits.parse().ok()?),
            RecordedAnswer::Null => Answer::Null,
            RecordedAnswer::NotNull => Answer::NotNull,
            RecordedAnswer::Succeeds => Answer::Succeeds,
            RecordedAnswer::Fails => Answer::Fails,
            RecordedAnswer::Same => Answer::Same,
            RecordedAnswer::Distinct => Answer::Distinct,
            RecordedAnswer::Below => Answer::Below,
            RecordedAnswer::Above => Answer::Above,
        })
    }
}

/// What is read back from a report's JSON: what was asked, and the confirmed findings with their choices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// What was read and asked.
    pub record: Record,
    /// The confirmed findings, in the order of the report.
    pub findings: Vec<RecordedFinding>,
}

/// A confirmed finding of a report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedFinding {
    /// What.
    pub kind: Kind,
    /// Where: the file, the line and the column, as the report has them.
    pub place: (Option<String>, Option<u32>, Option<u32>),
    /// The sentence.
    pub message: String,
    /// What its run chose.
    choices: Vec<RecordedChoice>,
}

impl RecordedFinding {
    /// The choices, as an engine makes them in a program; or what the program does not have that they speak of.
    pub fn choices(&self, program: &Program) -> Result<Vec<heapwise_engine::Choice>, String> {
        self.choices.iter().map(|choice| choice.resolve(program)).collect()
    }
}

/// Why a text is no report whose runs can be made again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// What is wrong.
    pub message: String,
    /// The line of the text; 0 where it is about the text as a whole.
    pub line: usize,
}

#[derive(Deserialize)]
struct Document {
    version: u32,
    program: Option<Record>,
    findings: Vec<DocumentFinding>,
}

#[derive(Deserialize)]
struct DocumentFinding {
    kind: String,
    certainty: String,
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    message: String,
    choices: Option<Vec<RecordedChoice>>,
}

impl Recorded {
    /// The same report about files that are somewhere else now: one for each C file of the record, in order. `false` where
    /// there are more or fewer.
    pub fn moved_to(&mut self, files: &[String]) -> bool {
        if files.len() != self.record.units.len() {
            return false;
        }
        let moves: Vec<(String, String)> =
            self.record.units.iter().zip(files).map(|(unit, file)| (unit.file.clone(), file.clone())).collect();
        let moved = |path: &mut String| {
            if let Some((_, to)) = moves.iter().find(|(from, _)| from == path) {
                path.clone_from(to);
            }
        };
        self.record.units.iter_mut().for_each(|unit| moved(&mut unit.file));
        self.record.texts.iter_mut().for_each(|text| moved(&mut text.file));
        for finding in &mut self.findings {
            finding.place.0.iter_mut().for_each(moved);
            finding.choices.iter_mut().filter_map(|choice| choice.file.as_mut()).for_each(moved);
        }
        true
    }

    /// Reads what [`crate::json::render`] wrote.
    pub fn parse(text: &str) -> Result<Recorded, Unreadable> {
        let whole = |message: String| Unreadable { message, line: 0 };
        let document: Document = serde_json::from_str(text)
            .map_err(|error| Unreadable { message: format!("is no report: {error}"), line: error.line() })?;
        if document.version != crate::json::VERSION {
            return Err(whole(format!("has version {}, and {} is known", document.version, crate::json::VERSION)));
        }
        let record = document.program.ok_or_else(|| whole("does not say what was read and asked".to_owned()))?;
        if let Some(name) = record.properties.iter().find(|name| Kind::from_name(name).is_none()) {
            return Err(whole(format!("names a kind `{name}`, which is not known")));
        }
        let mut findings = Vec::new();
        for finding in document.findings.into_iter().filter(|finding| finding.certainty == "confirmed") {
            let DocumentFinding { kind, file, line, column, message, choices, .. } = finding;
            let kind =
                Kind::from_name(&kind).ok_or_else(|| whole(format!("names a kind `{kind}`, which is not known")))?;
            let choices = choices.ok_or_else(|| whole(format!("has no choices of its finding \"{message}\"")))?;
            findings.push(RecordedFinding { kind, place: (file, line, column), message, choices });
        }
        Ok(Recorded { record, findings })
    }
}
