//! Every format, on one report that has all there is: a confirmed finding with a trace and heaps, a possible one without source,
//! gaps with and without a place, an assumption, a note.

// A panic is how a test fails, in its helper functions too.
#![allow(clippy::unwrap_used)]

use expect_test::expect;
use heapwise_engine::reason::{Assumption, CallGap, DefectGap, GapReason, Note, SearchGap};
use heapwise_engine::{
    Arrow, ArrowStyle, Certainty, Drawing, Finding, Gap, Kind, Node, NodeStyle, Outcome, Stats, Subject, TraceStep,
};
use heapwise_ir::{
    Automaton, Body, FileId, Function, FunctionId, Program, SourceFile, Span, Target, entity::PrimaryMap,
};
use heapwise_report::text::{Colour, Detail};
use heapwise_report::{Report, Usage, drawing, html, json, sarif, text};
use std::time::Duration;

const C_TEXT: &str = "\
#include <stdlib.h>

struct node { struct node *next; };

/* Drops the first node; größer is a word that is longer in bytes. */
static struct node *pop(struct node *list) {
    return list->next;
}

int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 2; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n) abort();
        n->next = list;
        list = n;
    }
    while (list)
        list = pop(list);
    return 0;
}
";

fn function(name: &str, span: Span) -> Function {
    Function {
        name: name.to_owned(),
        span,
        registers: PrimaryMap::new(),
        parameters: Vec::new(),
        result: None,
        variadic: false,
        address_taken: false,
        body: Body::Defined(Automaton::new()),
    }
}

/// The span of the first occurrence of `what` on a line.
fn span(file: FileId, line: u32, what: &str) -> Span {
    let text = C_TEXT.lines().nth(line as usize - 1).unwrap();
    let column = text.find(what).unwrap() as u32 + 1;
    Span { file: Some(file), line, column, end_line: line, end_column: column + what.len() as u32 }
}

fn node(style: NodeStyle, lines: &[&str]) -> Node {
    Node { lines: lines.iter().map(|line| (*line).to_owned()).collect(), style }
}

fn arrow(from: usize, from_line: Option<usize>, to: usize) -> Arrow {
    Arrow { from, from_line, to, label: String::new(), style: ArrowStyle::Solid }
}

fn two_nodes() -> Drawing {
    Drawing {
        title: "after line 16".to_owned(),
        nodes: vec![
            node(NodeStyle::Variable, &["list"]),
            node(NodeStyle::Variable, &["n"]),
            node(NodeStyle::Cell, &["node #2", "next"]),
            node(NodeStyle::Cell, &["node #1", "next"]),
            node(NodeStyle::Sentinel, &["null"]),
        ],
        arrows: vec![arrow(0, None, 2), arrow(1, None, 2), arrow(2, Some(1), 3), arrow(3, Some(1), 4)],
    }
}

fn program() -> (Program, FileId, FunctionId, FunctionId) {
    let mut program = Program::new(Target::LP64);
    let file = program.files.push(SourceFile { path: "lists/lost node.c".to_owned(), text: C_TEXT.to_owned() });
    let pop = program.functions.push(function("pop", span(file, 6, "pop")));
    let main = program.functions.push(function("main", span(file, 10, "main")));
    (program, file, pop, main)
}

fn everything() -> Report {
    let (program, file, pop, main) = program();
    let step = |line, what, function, message: &str, heap| TraceStep {
        span: span(file, line, what),
        function,
        message: message.to_owned(),
        heap,
    };
    let trace = vec![
        step(13, "malloc(sizeof *n)", main, "`malloc` returns node #1", None),
        step(16, "list = n", main, "`list` points to node #1", Some(two_nodes())),
        step(19, "pop(list)", main, "`pop` is called", None),
        step(7, "return list->next", pop, "`pop` returns null", None),
        step(19, "list = pop(list)", main, "`list` becomes null: node #1 is lost", None),
    ];
    let outcome = Outcome {
        assumptions: vec![Assumption::AllocationSucceeds],
        findings: vec![
            Finding {
                kind: Kind::Leak,
                certainty: Certainty::Confirmed,
                span: span(file, 19, "list = pop(list)"),
                function: main,
                message: "node #1 loses its last reference".to_owned(),
                trace,
                choices: Vec::new(),
                about: Subject::default(),
                also: Vec::new(),
            },
            Finding {
                kind: Kind::NullDereference,
                certainty: Certainty::Possible,
                span: Span::NONE,
                function: pop,
                message: "`list` may be null".to_owned(),
                trace: Vec::new(),
                choices: Vec::new(),
                about: Subject::default(),
                also: Vec::new(),
            },
        ],
        gaps: vec![
            Gap {
                span: span(file, 14, "abort()"),
                reason: CallGap::WithoutModel { function: "abort".to_owned() }.into(),
            },
            Gap { span: Span::NONE, reason: SearchGap::NotAll.into() },
        ],
        reached: vec![pop, main],
        stats: Stats { elements: 12, locations: 1 },
        notes: vec![Note::RandomRuns { runs: 30 }],
        ..Outcome::default()
    };
    Report::new(&program, "explicit", &outcome, None)
}

fn nothing() -> Report {
    let (program, ..) = program();
    Report::new(&program, "explicit", &Outcome::default(), None)
}

#[test]
fn text_shows_the_finding_the_numbered_way_the_gaps_and_a_summary() {
    expect![[r#"
        error[leak]: node #1 loses its last reference
          --> lists/lost node.c:19:9
           |
        19 |         list = pop(list);
           |         ^^^^^^^^^^^^^^^^ the last reference is lost in `main`
           |
        note: the way to it: in `main`
          --> lists/lost node.c:13:26
           |
        13 |         struct node *n = malloc(sizeof *n);
           |                          ----------------- 1. `malloc` returns node #1
        ...
        16 |         list = n;
           |         -------- 2. `list` points to node #1
        ...
        19 |         list = pop(list);
           |                --------- 3. `pop` is called
        note: in `pop`
          --> lists/lost node.c:7:5
           |
         7 |     return list->next;
           |     ----------------- 4. `pop` returns null
        note: in `main`
          --> lists/lost node.c:19:9
           |
        19 |         list = pop(list);
           |         ---------------- 5. `list` becomes null: node #1 is lost

        warning[null-deref]: `list` may be null
         --> lists/lost node.c:6:21
          |
        6 | static struct node *pop(struct node *list) {
          |                     ^^^ dereferences null in `pop`

        unknown: `abort` has no body and no model
          --> lists/lost node.c:14:17
           |
        14 |         if (!n) abort();
           |                 ^^^^^^^ nothing is proved past this

        unknown: not every run was tried

        assumed: memory allocation never fails
        note: 30 random runs
        unsafe: 1 confirmed finding, 1 possible finding, 2 gaps (engine explicit, 12 elements, 1 location)
    "#]]
    .assert_eq(&text::render(&everything(), Colour::Never, Detail::Full));
}

#[test]
fn brief_text_has_one_line_per_finding() {
    expect![[r#"
        lists/lost node.c:19:9: error[leak]: node #1 loses its last reference
        lists/lost node.c:6:21: warning[null-deref]: `list` may be null
        unsafe: 1 confirmed finding, 1 possible finding, 2 gaps (engine explicit, 12 elements, 1 location)
    "#]]
    .assert_eq(&text::render(&everything(), Colour::Never, Detail::Brief));
}

#[test]
fn escape_codes_are_written_for_a_terminal_only() {
    assert!(!text::render(&everything(), Colour::Never, Detail::Full).contains('\u{1b}'));
    assert!(text::render(&everything(), Colour::Terminal, Detail::Full).contains('\u{1b}'));
}

#[test]
fn a_safe_report_names_its_assumptions_in_the_summary() {
    let (program, ..) = program();
    let outcome = Outcome { assumptions: vec![Assumption::AllocationSucceeds], ..Outcome::default() };
    let report = Report::new(&program, "explicit", &outcome, None);
    expect![[r#"
        assumed: memory allocation never fails
        not reached by any execution: `pop` (lists/lost node.c:6), `main` (lists/lost node.c:10)
        safe: no finding, under 1 assumption (engine explicit, 0 elements, 0 locations)
    "#]]
    .assert_eq(&text::render(&report, Colour::Never, Detail::Full));
}

#[test]
fn a_long_trace_is_cut_in_the_middle() {
    let (program, file, _, main) = program();
    let trace = (1..=100).map(|number| TraceStep {
        span: Span::at(file, 12, 5),
        function: main,
        message: format!("round {number}"),
        heap: None,
    });
    let finding = Finding {
        kind: Kind::Assertion,
        certainty: Certainty::Confirmed,
        span: Span::at(file, 12, 5),
        function: main,
        message: "the assertion fails".to_owned(),
        trace: trace.collect(),
        choices: Vec::new(),
        about: Subject::default(),
        also: Vec::new(),
    };
    let outcome = Outcome { findings: vec![finding], ..Outcome::default() };
    let rendered = text::render(&Report::new(&program, "explicit", &outcome, None), Colour::Never, Detail::Full);
    assert!(rendered.contains("… 60 steps left out here"), "{rendered}");
    assert!(rendered.contains("10. round 10") && !rendered.contains("11. round 11"), "{rendered}");
    assert!(!rendered.contains("70. round 70") && rendered.contains("71. round 71"), "{rendered}");
}

#[test]
fn json_has_the_documented_fields() {
    expect![[r#"
        {
          "version": 1,
          "verdict": "unsafe",
          "assumptions": [
            "memory allocation never fails"
          ],
          "findings": [
            {
              "kind": "leak",
              "certainty": "confirmed",
              "file": "lists/lost node.c",
              "line": 19,
              "column": 9,
              "function": "main",
              "fingerprint": "07b64e7327729ca1",
              "message": "node #1 loses its last reference",
              "engine": "explicit",
              "also": [],
              "trace": [
                {
                  "file": "lists/lost node.c",
                  "line": 13,
                  "column": 26,
                  "function": "main",
                  "message": "`malloc` returns node #1"
                },
                {
                  "file": "lists/lost node.c",
                  "line": 16,
                  "column": 9,
                  "function": "main",
                  "message": "`list` points to node #1"
                },
                {
                  "file": "lists/lost node.c",
                  "line": 19,
                  "column": 16,
                  "function": "main",
                  "message": "`pop` is called"
                },
                {
                  "file": "lists/lost node.c",
                  "line": 7,
                  "column": 5,
                  "function": "pop",
                  "message": "`pop` returns null"
                },
                {
                  "file": "lists/lost node.c",
                  "line": 19,
                  "column": 9,
                  "function": "main",
                  "message": "`list` becomes null: node #1 is lost"
                }
              ],
              "choices": []
            },
            {
              "kind": "null-deref",
              "certainty": "possible",
              "file": "lists/lost node.c",
              "line": 6,
              "column": 21,
              "function": "pop",
              "fingerprint": "6241153308551899",
              "message": "`list` may be null",
              "engine": "explicit",
              "also": [],
              "trace": []
            }
          ],
          "gaps": [
            {
              "file": "lists/lost node.c",
              "line": 14,
              "reason": "`abort` has no body and no model"
            },
            {
              "file": null,
              "line": null,
              "reason": "not every run was tried"
            }
          ],
          "engines": [],
          "unreached_functions": [],
          "stats": {
            "engine": "explicit",
            "elements": 12,
            "locations": 1,
            "seconds": null,
            "peak_bytes": null
          }
        }
    "#]]
    .assert_eq(&json::render(&everything()));
}

fn validate(schema: &str, document: &str) {
    let schema = serde_json::from_str(schema).unwrap();
    let document = serde_json::from_str(document).unwrap();
    let validator = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(&document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn json_validates_against_its_schema() {
    let schema = include_str!("../../../schemas/report.schema.json");
    validate(schema, &json::render(&everything()));
    validate(schema, &json::render(&nothing()));
    let (program, ..) = program();
    let usage = Usage { time: Duration::from_millis(1500), peak_bytes: Some(7) };
    let timed = json::render(&Report::new(&program, "explicit", &Outcome::default(), Some(usage)));
    validate(schema, &timed);
    assert!(timed.contains("\"seconds\": 1.5") && timed.contains("\"peak_bytes\": 7"), "{timed}");
}

#[test]
fn a_mistake_of_heapwise_itself_is_told_apart_from_what_a_program_is_to_blame_for() {
    let (program, ..) = program();
    let gaps: [GapReason; 2] = [
        DefectGap::NoValueOnSomeWay { variable: "list".to_owned() }.into(),
        DefectGap::NotAtItsEnd { engine: "tvl".to_owned() }.into(),
    ];
    let gaps = gaps.into_iter().map(|reason| Gap { span: Span::NONE, reason });
    let outcome = Outcome { gaps: gaps.collect(), ..Outcome::default() };
    let rendered = json::render(&Report::new(&program, "graph", &outcome, None));
    validate(include_str!("../../../schemas/report.schema.json"), &rendered);
    let document: serde_json::Value = serde_json::from_str(&rendered).unwrap();
    assert_eq!(document["gaps"][0]["mistaken"], "translation");
    assert!(document["gaps"][1].get("mistaken").is_none());
}

#[test]
fn the_json_schema_knows_exactly_the_kinds_there_are() {
    let schema: serde_json::Value = serde_json::from_str(include_str!("../../../schemas/report.schema.json")).unwrap();
    let kinds: Vec<&str> =
        schema["$defs"]["kind"]["enum"].as_array().unwrap().iter().map(|kind| kind.as_str().unwrap()).collect();
    assert_eq!(kinds, Kind::ALL.map(Kind::name));
}

#[test]
fn sarif_validates_against_the_oasis_schema() {
    // One pattern of the published schema (of a property we do not write) is no regular expression in Unicode mode.
    let schema = include_str!("../../../schemas/sarif-2.1.0.schema.json").replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$");
    validate(&schema, &sarif::render(&everything(), "/home/me"));
    validate(&schema, &sarif::render(&nothing(), "/home/me"));
}

#[test]
fn sarif_has_a_code_flow_with_columns_in_characters() {
    let log: serde_json::Value = serde_json::from_str(&sarif::render(&everything(), "/")).unwrap();
    let results = &log["runs"][0]["results"];
    assert_eq!(results[0]["ruleId"], "leak");
    assert_eq!(results[0]["level"], "error");
    assert_eq!(results[1]["level"], "warning");
    let rule = results[0]["ruleIndex"].as_u64().unwrap() as usize;
    assert_eq!(log["runs"][0]["tool"]["driver"]["rules"][rule]["id"], "leak");
    let steps = results[0]["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
    assert_eq!(steps.len(), 5);
    expect![[r#"
        {
          "executionOrder": 4,
          "importance": "essential",
          "location": {
            "physicalLocation": {
              "artifactLocation": {
                "uri": "lists/lost%20node.c",
                "uriBaseId": "SRCROOT"
              },
              "region": {
                "startLine": 7,
                "startColumn": 5,
                "endLine": 7,
                "endColumn": 22
              }
            },
            "logicalLocations": [
              {
                "name": "pop",
                "kind": "function"
              }
            ],
            "message": {
              "text": "`pop` returns null"
            }
          }
        }
    "#]]
    .assert_eq(&format!("{:#}\n", steps[3]));
    assert_eq!(log["runs"][0]["invocations"][0]["toolExecutionNotifications"].as_array().unwrap().len(), 2);
}

#[test]
fn dot_draws_nodes_rows_and_arrows() {
    expect![[r#"
        digraph heap {
          rankdir=LR;
          node [fontname=monospace];
          label="after line 16";
          labelloc=t;
          n0 [shape=plaintext, label="list"];
          n1 [shape=plaintext, label="n"];
          n2 [shape=record, label="<r0> node\ #2|<r1> next"];
          n3 [shape=record, label="<r0> node\ #1|<r1> next"];
          n4 [shape=ellipse, label="null"];
          n0 -> n2;
          n1 -> n2;
          n2:r1 -> n3;
          n3:r1 -> n4;
        }
    "#]]
    .assert_eq(&drawing::dot::render(&two_nodes()));
}

#[test]
fn svg_repeats_null_beside_its_arrow_and_keeps_a_chain_on_one_height() {
    let svg = drawing::svg::render(&two_nodes());
    expect![[r#"
        <svg xmlns="http://www.w3.org/2000/svg" width="397" height="110" viewBox="0 0 397 110">
        <style>text{font:13px 'DejaVu Sans Mono',Consolas,monospace;fill:#1f2328}.title{font-weight:bold}.cell{fill:#fff;stroke:#1f2328}.dead{fill:#eee;stroke:#999}.dead-text{fill:#888}.head{fill:#dbe9ff;stroke:#1f2328}.dead-head{fill:#ddd;stroke:#999}.rule{stroke:#c8ccd0}.null{fill:#f4f4f4;stroke:#888}.variable{fill:#0a3d91;font-weight:bold}.label{fill:#57606a;font-size:11px}.arrow{fill:none;stroke:#1f2328;stroke-width:1.2}.dotted{stroke-dasharray:3 3}.segment{stroke-width:2.6}.tip{fill:#1f2328}</style>
        <text class="title" x="16" y="20">after line 16</text>
        <text class="variable" x="24.0" y="50.5">list</text>
        <text class="variable" x="43.4" y="88.5">n</text>
        <rect class="cell" x="111.4" y="36.0" width="70.9" height="40.0" rx="3"/>
        <rect class="head" x="111.4" y="36.0" width="70.9" height="20.0" rx="3"/>
        <text x="119.4" y="50.5">node #2</text>
        <text x="119.4" y="70.5">next</text>
        <rect class="cell" x="230.3" y="36.0" width="70.9" height="40.0" rx="3"/>
        <rect class="head" x="230.3" y="36.0" width="70.9" height="20.0" rx="3"/>
        <text x="238.3" y="50.5">node #1</text>
        <text x="238.3" y="70.5">next</text>
        <path class="arrow" d="M63.4 46.0 C87.4 46.0 87.4 46.0 111.4 46.0"/>
        <path class="tip" d="M111.4 46.0 L104.4 42.5 V49.5 Z"/>
        <path class="arrow" d="M63.4 84.0 C87.4 84.0 87.4 46.0 111.4 46.0"/>
        <path class="tip" d="M111.4 46.0 L104.4 42.5 V49.5 Z"/>
        <path class="arrow" d="M182.3 66.0 C206.3 66.0 206.3 46.0 230.3 46.0"/>
        <path class="tip" d="M230.3 46.0 L223.3 42.5 V49.5 Z"/>
        <path class="arrow" d="M301.3 66.0 H321.3"/>
        <path class="tip" d="M321.3 66.0 L314.3 62.5 V69.5 Z"/>
        <rect class="null" x="321.3" y="57.0" width="41.4" height="18.0" rx="9"/>
        <text x="326.3" y="70.5">null</text>
        </svg>
    "#]]
    .assert_eq(&svg);
}

#[test]
fn a_drawing_with_cycles_dangling_arrows_and_odd_texts_is_still_drawn() {
    let mut drawing = two_nodes();
    drawing.nodes[3].lines[1] = "a<b>&\"c\"\u{7}|{}".to_owned();
    drawing.arrows.push(arrow(3, Some(1), 2));
    drawing.arrows.push(arrow(3, Some(9), 3));
    drawing.arrows.push(arrow(2, None, 77));
    drawing.arrows.push(arrow(4, None, 2));
    let svg = drawing::svg::render(&drawing);
    assert!(svg.contains("a&lt;b&gt;&amp;&quot;c&quot;\u{fffd}|{}"), "{svg}");
    assert!(drawing::dot::render(&drawing).contains(r#"a\<b\>&\"c\""#));
    assert!(drawing::svg::render(&Drawing::default()).starts_with("<svg"));
}

#[test]
fn html_has_every_step_every_heap_and_the_source() {
    let page = html::render(&everything());
    assert_eq!(page.matches("<li data-line=").count(), 5);
    assert_eq!(page.matches("<figure id=").count(), 1);
    assert!(page.contains("id=\"s0-19\"") && page.contains("größer"));
    assert!(page.contains("not every run was tried") && page.contains("memory allocation never fails"));
    assert!(!page.contains("http://") || page.matches("http://").count() == page.matches("http://www.w3.org").count());
}

#[test]
fn the_same_report_gives_the_same_bytes() {
    assert_eq!(json::render(&everything()), json::render(&everything()));
    assert_eq!(sarif::render(&everything(), "/"), sarif::render(&everything(), "/"));
    assert_eq!(html::render(&everything()), html::render(&everything()));
}
