//! What a report holds of its runs: written, checked against the schema, read back; and what is damaged is refused.

// A panic is how a test fails, in its helper functions too.
#![allow(clippy::unwrap_used)]

use heapwise_engine::reason::{CallGap, Doing, Element, SearchGap};
use heapwise_engine::{
    Answer, Certainty, Choice, ChoiceQuestion, Exhausted, Finding, Gap, InputSource, Kind, Outcome, Stopped, Subject,
    Verdict, Writer,
};
use heapwise_ir::{Automaton, Body, Function, Program, SourceFile, Span, Target, entity::PrimaryMap};
use heapwise_report::text::{Colour, Detail};
use heapwise_report::{Fingerprint, Record, Recorded, RecordedUnit, Report, json, text};

fn program() -> Program {
    let mut program = Program::new(Target::LP64);
    let text = "int main(void) {\n  return *f();\n}\n";
    let file = program.files.push(SourceFile { path: "a.c".to_owned(), text: text.to_owned() });
    for (name, line) in [("main", 1), ("f", 2)] {
        program.functions.push(Function {
            name: name.to_owned(),
            span: Span::at(file, line, 5),
            registers: PrimaryMap::new(),
            parameters: Vec::new(),
            result: None,
            variadic: false,
            address_taken: false,
            body: Body::Defined(Automaton::new()),
        });
    }
    program.uncalled.push(("unused".to_owned(), Span::at(file, 3, 1)));
    program
}

/// One choice of each sort.
fn choices(program: &Program) -> Vec<Choice> {
    let input = |source| ChoiceQuestion::Input(source);
    let bytes = |writer| input(InputSource::Bytes { writer, offset: 3 });
    let function = Writer::Function { name: "fgets".to_owned(), call: 2 };
    let address = ChoiceQuestion::Address { left: "`p`".to_owned(), right: "the end of `a`".to_owned() };
    let pairs = [
        (input(InputSource::Parameter("n".to_owned())), Answer::Integer(i128::from(u64::MAX))),
        (input(InputSource::ArgumentCount), Answer::Integer(-1)),
        (input(InputSource::Result("rand".to_owned())), Answer::Float(1.5f64.to_bits())),
        (input(InputSource::Conversions("scanf".to_owned())), Answer::Integer(0)),
        (bytes(Writer::Argument(1)), Answer::Integer(65)),
        (bytes(function), Answer::Integer(10)),
        (bytes(Writer::Padding), Answer::Integer(7)),
        (bytes(Writer::Nobody), Answer::Integer(7)),
        (bytes(Writer::Elsewhere), Answer::Null),
        (input(InputSource::Unspecified), Answer::NotNull),
        (ChoiceQuestion::Allocation, Answer::Succeeds),
        (ChoiceQuestion::Allocation, Answer::Fails),
        (address.clone(), Answer::Same),
        (address.clone(), Answer::Distinct),
        (address.clone(), Answer::Below),
        (address, Answer::Above),
        (ChoiceQuestion::Place { object: "`p`".to_owned() }, Answer::Integer(0x4000_0010)),
    ];
    let main = program.function_named("main").unwrap();
    let place = |index: usize| {
        let file = program.files.keys().next();
        if index == 1 { Span::NONE } else { Span { file, line: 2, column: 10, end_line: 2, end_column: 13 } }
    };
    let choice = |(index, (question, answer))| Choice { question, span: place(index), function: main, answer };
    pairs.into_iter().enumerate().map(choice).collect()
}

fn report(program: &Program) -> Report {
    let main = program.function_named("main").unwrap();
    let finding = Finding {
        kind: Kind::NullDereference,
        certainty: Certainty::Confirmed,
        span: Span::at(program.files.keys().next().unwrap(), 2, 10),
        function: main,
        message: "memory is read through a null pointer".to_owned(),
        trace: Vec::new(),
        choices: choices(program),
        about: Subject::default(),
        also: Vec::new(),
    };
    let outcome = Outcome { findings: vec![finding], ..Outcome::default() };
    let mut report = Report::new(program, "explicit", &outcome, None);
    report.record = Some(Record {
        units: vec![RecordedUnit { file: "a.c".to_owned(), options: vec!["-DX=1".to_owned()] }],
        models: Vec::new(),
        entry: "main".to_owned(),
        properties: vec!["null-deref".to_owned()],
        arguments: "any".to_owned(),
        malloc_may_fail: true,
        texts: Fingerprint::all(program),
    });
    report
}

fn validate(document: &str) {
    let schema = serde_json::from_str(include_str!("../../../schemas/report.schema.json")).unwrap();
    let document = serde_json::from_str(document).unwrap();
    let validator = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(&document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn choices_of_every_sort_are_read_back_as_they_were() {
    let program = program();
    let written = json::render(&report(&program));
    validate(&written);
    let recorded = Recorded::parse(&written).unwrap();
    assert_eq!(Some(&recorded.record), report(&program).record.as_ref());
    let [finding] = recorded.findings.as_slice() else { panic!("{recorded:?}") };
    assert_eq!(finding.kind, Kind::NullDereference);
    assert_eq!(finding.choices(&program).unwrap(), choices(&program));
    let question = recorded.record.question(&program).unwrap();
    assert_eq!(question.properties, [Kind::NullDereference]);
}

#[test]
fn files_may_have_moved() {
    let program = program();
    let mut recorded = Recorded::parse(&json::render(&report(&program))).unwrap();
    assert!(!recorded.moved_to(&[]));
    assert!(recorded.moved_to(&["else/where.c".to_owned()]));
    assert_eq!(recorded.record.units[0].file, "else/where.c");
    assert_eq!(recorded.record.texts[0].file, "else/where.c");
    assert_eq!(recorded.findings[0].place.0.as_deref(), Some("else/where.c"));
    let missing = recorded.findings[0].choices(&program).unwrap_err();
    assert_eq!(missing, "the program has no file `else/where.c` any more");
}

#[test]
fn a_damaged_report_is_refused_and_nothing_panics() {
    let written = json::render(&report(&program()));
    for (from, to, why) in [
        ("\"version\": 1", "\"version\": 7", "has version 7, and 1 is known"),
        ("\"null-deref\",\n      \"certainty\"", "\"sadness\",\n      \"certainty\"", "names a kind `sadness`"),
        ("\"open\": \"parameter\"", "\"open\": \"door\"", "is no report: unknown variant `door`"),
        ("\"entry\": \"main\"", "\"entry\": 3", "is no report: invalid type"),
        ("\"choices\"", "\"chances\"", "has no choices of its finding"),
        ("\"program\"", "\"pogrom\"", "does not say what was read and asked"),
    ] {
        assert!(written.contains(from), "{from}");
        let refused = Recorded::parse(&written.replacen(from, to, 1)).unwrap_err();
        assert!(refused.message.starts_with(why), "{refused:?}");
    }
    for end in (0..written.len()).step_by(37).filter(|end| written.is_char_boundary(*end)) {
        assert!(Recorded::parse(&written[..end]).is_err());
    }
    let no_number = written.replace("18446744073709551615", "many");
    let recorded = Recorded::parse(&no_number).unwrap();
    let refused = recorded.findings[0].choices(&program()).unwrap_err();
    assert!(refused.ends_with("has no answer that can be read"), "{refused}");
}

#[test]
fn safe_names_the_functions_that_no_execution_reaches() {
    let program = program();
    let outcome = Outcome { reached: program.function_named("main").into_iter().collect(), ..Outcome::default() };
    let safe = Report::new(&program, "graph", &outcome, None);
    assert_eq!(safe.verdict, Verdict::Safe);
    let rendered = text::render(&safe, Colour::Never, Detail::Full);
    assert!(rendered.contains("not reached by any execution: `f` (a.c:2), `unused` (a.c:3)\n"), "{rendered}");
    let document = json::render(&safe);
    validate(&document);
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["unreached_functions"][1]["name"], "unused");
    let unsafe_one = report(&program);
    assert!(unsafe_one.unreached.is_empty());
}

#[test]
fn unknown_tells_the_one_thing_that_stopped_each_engine() {
    let program = program();
    let file = program.files.keys().next().unwrap();
    let body = CallGap::WithoutBody { function: "f".to_owned() }.into();
    let seen = Outcome {
        gaps: vec![
            Gap { span: Span::NONE, reason: SearchGap::NotAll.into() },
            Gap { span: Span::at(file, 2, 10), reason: body },
        ],
        ..Outcome::default()
    };
    let late = Outcome {
        stopped: Some(Stopped {
            why: Exhausted::Time,
            span: Span::at(file, 1, 1),
            doing: Doing::Growing { elements: 7, of: Element::Structure },
        }),
        ..Outcome::default()
    };
    let mut report = Report::new(&program, "graph", &seen, None);
    report.add_engine(&program, "graph", &seen);
    report.add_engine(&program, "tvl", &late);
    let silent = Stopped { why: Exhausted::Cancelled, span: Span::NONE, doing: Doing::Something };
    report.add_silent_engine("explicit", 0, &silent);
    let rendered = text::render(&report, Colour::Never, Detail::Full);
    expect_test::expect![[r#"
        unknown[graph]: `f` has no body
         --> a.c:2:10
          |
        2 |   return *f();
          |          ^ nothing is proved past this
          |
        note: `graph` has 1 more place like this
        help: give the file that defines it, or say what it does in a file of models (--models, docs/models.md)

        unknown[tvl]: the time budget ran out with 7 structures at this place, the most of all
         --> a.c:1:1
          |
        1 | int main(void) {
          | ^ nothing is proved past this
          |
        help: give more time with --time SECONDS, or check one function at a time with --entry

        unknown[explicit]: the run was cancelled

        unknown: 2 gaps (engine graph, 0 elements, 0 locations)
    "#]]
    .assert_eq(&rendered);
    validate(&json::render(&report));
}
