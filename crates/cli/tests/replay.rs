//! `heapwise replay`: a confirmed finding is shown again from its report, and a report that does not fit says why.

#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::process::Command;
use tempfile::TempDir;

/// A list of as many nodes as its argument says, and one access too many. The run to it has more than sixty steps.
const TOO_FAR: &str = "\
#include <stdlib.h>
#ifndef N
#define N 3
#endif
struct node { struct node *next; };
int main(int argc, char **argv) {
    struct node *list = NULL;
    for (int i = 0; i < N; i++) {
        struct node *n = malloc(sizeof *n);
        if (!n) exit(1);
        n->next = list;
        list = n;
    }
    for (int i = 0; i <= N; i++)
        list = list->next;
    return 0;
}
";

fn run(directory: &TempDir, arguments: &[&str]) -> (i32, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_heapwise")).args(arguments).current_dir(directory.path()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

/// A directory with the program, and its report.
fn reported(text: &str, options: &[&str]) -> (TempDir, Value) {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("a.c"), text).unwrap();
    let (status, stdout, stderr) = run(&directory, &[&["check", "a.c", "--format", "json"], options].concat());
    assert_eq!(status, 1, "{stdout}{stderr}");
    std::fs::write(directory.path().join("report.json"), &stdout).unwrap();
    (directory, serde_json::from_str(&stdout).unwrap())
}

#[test]
fn a_confirmed_finding_is_confirmed_again_with_the_options_of_its_report() {
    let (directory, report) = reported(TOO_FAR, &["-DN=40", "--property", "null-deref"]);
    let trace = report["findings"][0]["trace"].as_array().unwrap();
    // One branch and one allocation, a test and two writes for each node: nothing is cut.
    assert!(trace.len() > 150, "{}", trace.len());
    let choices = report["findings"][0]["choices"].as_array().unwrap();
    assert_eq!(choices.iter().filter(|choice| choice["answer"] == "succeeds").count(), 40);
    let (status, stdout, stderr) = run(&directory, &["replay", "report.json"]);
    assert_eq!(status, 1, "{stdout}{stderr}");
    assert!(stdout.starts_with("a.c:15:16: confirmed again[null-deref]: "), "{stdout}");
    // Text shows a part, and says so.
    let (_, stdout, _) = run(&directory, &["check", "a.c", "-DN=40", "--property", "null-deref"]);
    assert!(stdout.contains("steps left out here (the JSON has them all)"), "{stdout}");
}

#[test]
fn inputs_have_their_values_again() {
    let text = "\
#include <stdlib.h>
#include <time.h>
int main(void) {
    srand(time(NULL));
    char *p = malloc(4);
    if (!p) return 0;
    free(p);
    if (rand() == 77) free(p);
    return 0;
}
";
    let (directory, report) = reported(text, &["--engine", "explicit"]);
    let choices = report["findings"][0]["choices"].as_array().unwrap();
    let is_it = |choice: &&Value| choice["question"]["name"] == "rand" && choice["answer"]["integer"] == "77";
    assert!(choices.iter().any(|choice| is_it(&choice)), "{choices:#?}");
    assert_eq!(run(&directory, &["replay", "report.json", "--finding", "1"]).0, 1);
    // Another answer is another run.
    let other = std::fs::read_to_string(directory.path().join("report.json")).unwrap().replace("\"77\"", "\"78\"");
    std::fs::write(directory.path().join("other.json"), other).unwrap();
    let (status, stdout, _) = run(&directory, &["replay", "other.json"]);
    assert_eq!(status, 3, "{stdout}");
    assert!(stdout.contains("not shown[double-free]: ") && stdout.contains("shows no error"), "{stdout}");
}

#[test]
fn an_error_in_the_library_is_shown_again_at_the_call_through_a_pointer() {
    let programs = [
        (
            "use-after-free",
            "\
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int (*say)(const char *, ...) = printf;
    char *p = malloc(4);
    if (!p) return 0;
    free(p);
    say(\"%s\", p);
    return 0;
}
",
        ),
        (
            "double-free",
            "\
#include <stdlib.h>
static void (*give_back)(void *) = free;
static void twice(char *p) {
    give_back(p);

    give_back(p);
}
int main(void) {
    twice(malloc(4));
    return 0;
}
",
        ),
    ];
    for (kind, text) in programs {
        let (directory, report) = reported(text, &["--engine", "explicit"]);
        assert_eq!((&report["findings"][0]["kind"], &report["findings"][0]["file"]), (&kind.into(), &"a.c".into()));
        let (status, stdout, stderr) = run(&directory, &["replay", "report.json"]);
        assert_eq!(status, 1, "{stdout}{stderr}");
        let place = format!("a.c:{}:5: confirmed again[{kind}]: ", report["findings"][0]["line"]);
        assert!(stdout.starts_with(&place), "{stdout}");
    }
}

#[test]
fn a_run_that_goes_on_behind_its_error_is_shown_again() {
    let text = "\
#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    p = malloc(8);
    free(p);
    return 0;
}
";
    let (directory, _) = reported(text, &[]);
    let (status, stdout, stderr) = run(&directory, &["replay", "report.json"]);
    assert_eq!(status, 1, "{stdout}{stderr}");
}

#[test]
fn a_program_that_changed_or_moved_is_told() {
    let (directory, _) = reported(TOO_FAR, &["--property", "null-deref"]);
    std::fs::rename(directory.path().join("a.c"), directory.path().join("b.c")).unwrap();
    let (status, _, stderr) = run(&directory, &["replay", "report.json"]);
    assert_eq!(status, 2, "{stderr}");
    assert!(stderr.contains("a.c"), "{stderr}");
    assert_eq!(run(&directory, &["replay", "report.json", "b.c"]).0, 1);
    let (status, _, stderr) = run(&directory, &["replay", "report.json", "b.c", "c.c"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("the report is about 1 C files, and 2 are given"), "{stderr}");
    std::fs::write(directory.path().join("b.c"), TOO_FAR.replace("i <= N", "i < N")).unwrap();
    let (status, stdout, stderr) = run(&directory, &["replay", "report.json", "b.c"]);
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert!(
        stderr.contains("`b.c` is not the text that the report is about\n  hint: check the program again"),
        "{stderr}"
    );
}

#[test]
fn what_is_no_report_is_refused() {
    let (directory, report) = reported(TOO_FAR, &["--property", "null-deref"]);
    let refused = |text: &str, why: &str| {
        std::fs::write(directory.path().join("bad.json"), text).unwrap();
        let (status, stdout, stderr) = run(&directory, &["replay", "bad.json"]);
        assert_eq!((status, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.contains(why) && stderr.contains("hint: "), "{why}: {stderr}");
        assert!(!stderr.contains("internal error"), "{stderr}");
    };
    refused("", "`bad.json`:1 is no report");
    refused("[1, 2", "is no report");
    refused("{\"version\": 1}", "is no report");
    let mut none = report.clone();
    none["findings"] = Value::Array(Vec::new());
    refused(&none.to_string(), "has no confirmed finding");
    let mut short = report.clone();
    short["findings"][0]["choices"].as_array_mut().unwrap().remove(0);
    refused(&short.to_string(), "it asks for a choice");
    let mut elsewhere = report.clone();
    elsewhere["findings"][0]["choices"][0]["function"] = "nobody".into();
    refused(&elsewhere.to_string(), "the program has no function `nobody` any more");
    let mut option = report.clone();
    option["program"]["units"][0]["options"] = Value::Array(vec!["-fopenmp".into()]);
    refused(&option.to_string(), "-fopenmp");
    let (status, _, stderr) = run(&directory, &["replay", "nowhere.json"]);
    assert!(status == 2 && stderr.contains("nowhere.json"), "{stderr}");
    let (status, _, stderr) = run(&directory, &["replay", "report.json", "--finding", "9"]);
    assert!(status == 2 && stderr.contains("there is no finding 9"), "{stderr}");
    // Whatever byte is damaged, there is an answer.
    let text = std::fs::read_to_string(directory.path().join("report.json")).unwrap();
    for at in (0..text.len()).step_by(text.len() / 40).filter(|at| text.is_char_boundary(*at)) {
        let end = (at + 1..=text.len()).find(|end| text.is_char_boundary(*end)).unwrap();
        let damaged = format!("{}7{}", &text[..at], &text[end..]);
        std::fs::write(directory.path().join("bad.json"), damaged).unwrap();
        let (status, _, stderr) = run(&directory, &["replay", "bad.json"]);
        assert!((1..=3).contains(&status) && !stderr.contains("internal error"), "{at}: {status} {stderr}");
    }
}
