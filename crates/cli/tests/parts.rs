//! Parts of programs and known findings: libraries, single allocations, functions without a body, baselines.

#![allow(clippy::unwrap_used)]

use expect_test::expect;
use serde_json::Value;
use std::process::Command;
use tempfile::TempDir;

struct Project(TempDir);

impl Project {
    fn new(files: &[(&str, &str)]) -> Project {
        let project = Project(tempfile::tempdir().unwrap());
        files.iter().for_each(|(name, text)| project.write(name, text));
        project
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.path().join(name), text).unwrap();
    }

    /// The status, standard output and standard error.
    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let output =
            Command::new(env!("CARGO_BIN_EXE_heapwise")).args(arguments).current_dir(self.0.path()).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
    }

    fn json(&self, arguments: &[&str]) -> (i32, Value) {
        let (status, stdout, stderr) = self.run(&[arguments, &["--format", "json"]].concat());
        (status, serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}{stderr}")))
    }
}

const REGION: [&str; 5] = ["check", "--engine", "region", "--property", "heap"];

fn lines(json: &Value) -> Vec<(String, u64)> {
    let findings = json["findings"].as_array().unwrap().iter();
    findings.map(|it| (it["kind"].as_str().unwrap().to_owned(), it["line"].as_u64().unwrap())).collect()
}

const LIBRARY: &str = "\
#include <stdlib.h>
struct box { char *text; };
struct box *box_new(void) {
    struct box *box = malloc(sizeof *box);
    if (!box) return NULL;
    box->text = malloc(8);
    return box;
}
void box_free(struct box *box) {
    if (!box) return;
    free(box);
}
int twice(int number) { char *memory = malloc(2); free(memory); free(memory); return 2 * number; }
";

#[test]
fn a_library_is_analysed_from_its_exported_functions() {
    let project = Project::new(&[("a.c", LIBRARY)]);
    let (status, json) = project.json(&[&REGION[..], &["a.c"]].concat());
    assert_eq!((status, json["verdict"].as_str()), (3, Some("unknown")));
    let mut found = lines(&json);
    found.sort();
    assert_eq!(found, [("double-free".to_owned(), 13), ("leak".to_owned(), 9)], "{json:#}");
    assert!(json["gaps"].to_string().contains("callers of exported functions"), "{json:#}");
    let (status, same) = project.json(&[&REGION[..], &["a.c", "--entry", "all"]].concat());
    assert_eq!((status, &same["findings"]), (3, &json["findings"]));
}

#[test]
fn a_library_needs_an_engine_that_analyses_libraries() {
    let project = Project::new(&[("a.c", LIBRARY), ("b.c", "static int f(void) { return 0; }\n")]);
    let (status, _, stderr) = project.run(&["check", "--engine", "tvl", "--entry", "all", "a.c"]);
    expect![[r#"
        error: the engine tvl cannot start from all exported functions
          hint: use --engine region
    "#]]
    .assert_eq(&stderr);
    assert_eq!(status, 2);
    let (status, _, stderr) = project.run(&["check", "a.c"]);
    assert!(stderr.contains("no function `main` is defined"), "{stderr}");
    assert_eq!(status, 2);
    let (status, _, stderr) = project.run(&["check", "--engine", "region", "b.c"]);
    expect![[r#"
        error: no function is exported
          hint: define a function that is not static, or name one with --entry
    "#]]
    .assert_eq(&stderr);
    assert_eq!(status, 2);
}

const TWO: &str = "\
#include <stdlib.h>
static char *make(void) {
    return malloc(4);
}
int main(void) {
    char *one = malloc(4);
    char *two = make();
    one = two = NULL;
    return 0;
}
";

#[test]
fn one_allocation_is_followed() {
    let project = Project::new(&[("a.c", TWO)]);
    // The site itself, and where its trace begins.
    for (site, first) in [("a.c:6", 6), ("a.c:7", 7), ("a.c:3", 7)] {
        let (status, json) = project.json(&[&REGION[..], &["a.c", "--site", site]].concat());
        // A run could show an error of another cell: nothing is confirmed.
        assert_eq!((status, json["verdict"].as_str()), (3, Some("unknown")), "{site}: {json:#}");
        assert_eq!(lines(&json), [("leak".to_owned(), 8)], "{site}: {json:#}");
        assert_eq!(json["findings"][0]["trace"][0]["line"], first, "{site}: {json:#}");
        assert!(json["gaps"].to_string().contains("only the cells that were asked for"), "{json:#}");
    }
}

#[test]
fn a_line_without_allocation_is_an_error() {
    let project = Project::new(&[("a.c", TWO)]);
    let error = |site: &str| {
        let (status, _, stderr) = project.run(&[&REGION[..], &["a.c", "--site", site]].concat());
        assert_eq!(status, 2, "{stderr}");
        stderr
    };
    expect![[r#"
        a.c:8: error: nothing is allocated on this line
          hint: the nearest allocation is at line 7
    "#]]
    .assert_eq(&error("a.c:8"));
    expect![[r#"
        b.c:8: error: nothing is allocated on this line
          hint: no file of that name is part of the program
    "#]]
    .assert_eq(&error("b.c:8"));
    expect![[r#"
        error: `a.c` is no place in a file
          hint: write the file and the line of an allocation, such as list.c:12
    "#]]
    .assert_eq(&error("a.c"));
    let (status, _, stderr) = project.run(&["check", "a.c", "--site", "a.c:6"]);
    expect![[r#"
        error: an engine must be named that can follow the cells of one allocation
          hint: use --engine region
    "#]]
    .assert_eq(&stderr);
    assert_eq!(status, 2);
}

const LEAKS: &str = "\
#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    p = NULL;
    return 0;
}
";

#[test]
fn a_baseline_hides_what_is_known_and_nothing_new() {
    let project = Project::new(&[("a.c", LEAKS)]);
    let (status, stdout, _) = project.run(&["check", "a.c", "--format", "json"]);
    assert_eq!(status, 1);
    project.write("known.json", &stdout);
    // The same leak, at another line.
    project.write("a.c", &LEAKS.replace("int main", "\n/* more */\nint main").replace("p = NULL", "p  =  NULL"));
    let (status, json) = project.json(&["check", "a.c", "--baseline", "known.json"]);
    assert_eq!((status, json["verdict"].as_str()), (3, Some("unsafe")), "{json:#}");
    assert_eq!((lines(&json).len(), &json["hidden_findings"]), (0, &Value::from(1)), "{json:#}");
    project.write("a.c", &LEAKS.replace("return 0", "p = malloc(5); p = malloc(6); free(p); return 0"));
    let (status, json) = project.json(&["check", "a.c", "--baseline", "known.json"]);
    assert_eq!(status, 1, "{json:#}");
    assert!(!lines(&json).is_empty(), "{json:#}");
    let (_, sarif, _) = project.run(&["check", "a.c", "--format", "sarif"]);
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    assert_eq!(sarif["runs"][0]["results"][0]["partialFingerprints"]["heapwise/v1"].as_str().unwrap().len(), 16);
}

#[test]
fn a_baseline_that_is_no_report_is_an_error() {
    let project = Project::new(&[("a.c", LEAKS), ("known.json", "{\n \"version\": 1 }\n")]);
    let (status, _, stderr) = project.run(&["check", "a.c", "--baseline", "known.json"]);
    expect![[r#"
        known.json:2: error: the baseline is no report: missing field `findings` at line 2 column 15
          hint: give a report that `heapwise check --format json` wrote
    "#]]
    .assert_eq(&stderr);
    assert_eq!(status, 2);
    let (status, _, stderr) = project.run(&["check", "a.c", "--baseline", "none.json"]);
    assert!(stderr.starts_with("error: cannot read `none.json`"), "{stderr}");
    assert_eq!(status, 2);
}

const UNKNOWN: &str = "\
#include <stdlib.h>
extern void look(char *text);
int main(void) {
    char *p = malloc(4);
    if (!p) return 1;
    look(p);
    p = NULL;
    return 0;
}
";

#[test]
fn a_policy_says_what_functions_without_a_body_do() {
    let project = Project::new(&[("a.c", UNKNOWN)]);
    for engine in ["region", "tvl", "graph", "overlay", "explicit"] {
        let asked = ["check", "a.c", "--property", "leak", "--engine", engine];
        let (status, json) = project.json(&asked);
        assert_eq!((status, json["verdict"].as_str()), (3, Some("unknown")), "{engine}");
        assert!(json["gaps"].to_string().contains("`look` has no body"), "{engine}: {json:#}");
        let (status, json) = project.json(&[&asked[..], &["--unknown-calls", "pure"]].concat());
        assert_eq!((status, json["verdict"].as_str()), (3, Some("unknown")), "{engine}: {json:#}");
        assert!(json["gaps"].to_string().contains("`look` has no body"), "{engine}: {json:#}");
        assert_eq!(lines(&json), [("leak".to_owned(), 7)], "{engine}");
        assert_eq!(json["findings"][0]["certainty"], "possible", "{engine}");
    }
    let (_, json) = project.json(&[&REGION[..], &["a.c"]].concat());
    assert!(lines(&json).is_empty(), "it may keep what it is given: {json:#}");
}
