//! The command line from outside: status, standard output, standard error.

#![allow(clippy::unwrap_used)]

use expect_test::{Expect, expect};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const LEAK: &str = "\
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    p = NULL;
    return 0;
}
";

const FREED: &str = "\
#include <stdlib.h>
int main(void) {
    free(malloc(4));
    return 0;
}
";

const NULL_WHEN_OUT_OF_MEMORY: &str = "\
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
    return 0;
}
";

const UNSUPPORTED: &str = "\
int main(void) {
    int x = 1;
    __asm__ volatile(\"rep stosb\" : : \"r\"(&x) : \"memory\");
    return 0;
}
";

/// A directory with C files, in which the command runs.
struct Project {
    directory: TempDir,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Project {
        let project = Project { directory: tempfile::tempdir().unwrap() };
        for (name, text) in files {
            let path = project.path(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_heapwise"));
        command.args(arguments).current_dir(self.directory.path());
        command
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        Ran::from(self.command(arguments).output().unwrap())
    }
}

struct Ran {
    status: i32,
    stdout: String,
    stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            status: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}\n{}", self.stdout, self.stderr))
    }

    fn fails(&self, expected: Expect) {
        assert_eq!(self.status, 2, "{}{}", self.stdout, self.stderr);
        assert_eq!(self.stdout, "");
        expected.assert_eq(&self.stderr);
    }
}

fn check(text: &str, arguments: &[&str]) -> Ran {
    let project = Project::new(&[("a.c", text)]);
    project.run(&[&["check", "a.c"], arguments].concat())
}

#[test]
fn status_0_is_safe() {
    let ran = check(FREED, &["--format", "json"]);
    assert_eq!((ran.status, &ran.json()["verdict"]), (0, &Value::from("safe")), "{}", ran.stderr);
}

#[test]
fn status_1_is_unsafe_with_the_finding_where_the_last_reference_is_lost() {
    let ran = check(LEAK, &["--format", "json"]);
    let json = ran.json();
    assert_eq!((ran.status, &json["verdict"]), (1, &Value::from("unsafe")), "{}", ran.stderr);
    let finding = &json["findings"][0];
    assert_eq!(finding["kind"], "leak");
    assert_eq!((&finding["file"], &finding["line"]), (&Value::from("a.c"), &Value::from(4)));
    assert_eq!((&finding["function"], &finding["certainty"]), (&Value::from("main"), &Value::from("confirmed")));
    let trace = finding["trace"].as_array().unwrap();
    assert_eq!(trace.last().unwrap()["line"], 4);
}

#[test]
fn status_3_is_unknown_and_names_the_construct() {
    let ran = check(UNSUPPORTED, &["--format", "json"]);
    let json = ran.json();
    assert_eq!((ran.status, &json["verdict"]), (3, &Value::from("unknown")), "{}", ran.stderr);
    assert_eq!((&json["gaps"][0]["file"], &json["gaps"][0]["line"]), (&Value::from("a.c"), &Value::from(3)));
    assert!(json["gaps"][0]["reason"].as_str().unwrap().contains("assembly"), "{json}");
}

#[test]
fn an_allocation_may_fail_unless_assumed_otherwise() {
    let ran = check(NULL_WHEN_OUT_OF_MEMORY, &["--format", "json"]);
    assert_eq!((ran.status, &ran.json()["findings"][0]["kind"]), (1, &Value::from("null-deref")));
    let ran = check(NULL_WHEN_OUT_OF_MEMORY, &["--format", "json", "--assume-malloc-succeeds"]);
    let json = ran.json();
    assert_eq!((ran.status, &json["verdict"]), (0, &Value::from("safe")), "{json}");
    assert_eq!(json["assumptions"].as_array().unwrap().len(), 1, "{json}");
}

#[test]
fn only_the_properties_asked_for_count() {
    let ran = check(LEAK, &["--property", "null-deref", "--property", "shape"]);
    assert_eq!(ran.status, 0, "{}", ran.stdout);
    assert_eq!(check(LEAK, &["--property", "memory"]).status, 1);
}

#[test]
fn quiet_text_is_one_line_per_finding_and_a_summary() {
    let ran = check(LEAK, &["--quiet"]);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{}", ran.stdout);
    assert!(lines[0].starts_with("a.c:4:") && lines[0].contains("error[leak]"), "{}", ran.stdout);
    assert!(lines[1].starts_with("unsafe: 1 confirmed finding"), "{}", ran.stdout);
}

#[test]
fn the_program_may_start_elsewhere_and_span_files() {
    let project = Project::new(&[
        ("a.c", "extern int *make(void);\nvoid go(void) {\n    int *p = make();\n    p = 0;\n}\n"),
        ("b.c", "#include <stdlib.h>\nint *make(void) {\n    return malloc(4);\n}\n"),
    ]);
    let ran = project.run(&["check", "--entry", "go", "a.c", "b.c", "--format", "json"]);
    assert_eq!(ran.json()["findings"][0]["line"], 4, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn bad_usage_says_what_to_do() {
    let project = Project::new(&[("a.c", FREED), ("f.c", "void f(void) {}\nvoid g(void) {}\n")]);
    project.run(&["check"]).fails(expect![[r#"
        error: no C file is given
          hint: name the files, or -p DIR for a compile_commands.json
    "#]]);
    project.run(&["check", "f.c"]).fails(expect![[r#"
        f.c: error: no function `main` is defined
          hint: name the function to start from with --entry; defined here: f, g
    "#]]);
    project.run(&["check", "f.c", "--entry", "h"]).fails(expect![[r#"
        f.c: error: no function `h` is defined
          hint: name the function to start from with --entry; defined here: f, g
    "#]]);
    project.run(&["check", "a.c", "--engine", "explicitt"]).fails(expect![[r#"
        error: no engine is called `explicitt`
          hint: did you mean `explicit`?
    "#]]);
    project.run(&["check", "a.c", "--engine", "graph", "--transformer", "best"]).fails(expect![[r#"
        error: the engine graph has no best transformers
          hint: use --engine tvl with --transformer best
    "#]]);
    project.run(&["check", "a.c", "--property", "leaks"]).fails(expect![[r#"
        error: no property is called `leaks`
          hint: did you mean `leak`?
    "#]]);
    project.run(&["check", "a.c", "--time", "soon"]).fails(expect![[r#"
        error: `soon` is no time
          hint: give seconds, more than 0, such as 10 or 0.5
    "#]]);
    project.run(&["explain", "use-after-fre"]).fails(expect![[r#"
        error: no kind of finding is called `use-after-fre`
          hint: did you mean `use-after-free`?
    "#]]);
    project.run(&["bench", "nothing"]).fails(expect![[r#"
        error: unknown table `nothing`
          hint: one of: assume, cfront, contracts, engines, everyday, graph, layout, overlay, pointsto, refine, region, tvl
    "#]]);
    assert_eq!(project.run(&["check", "a.c", "--formt", "json"]).status, 2);
    assert_eq!(project.run(&["bench", "cfront", "--nothing"]).status, 2);
    assert_eq!(project.run(&["frobnicate"]).status, 2);
}

#[test]
fn unreadable_and_unparsable_input_names_file_line_and_hint() {
    let project = Project::new(&[
        ("broken.c", "int main(void) {\n    return 0 +;\n}\n"),
        ("include.c", "#include \"nowhere.h\"\nint main(void) { return 0; }\n"),
        (
            "contract.c",
            "#include <heapwise.h>\nstruct node { struct node *next; };\nstatic int f(struct node *x) {\n    \
             hw_requires(\"acyclic(x)\");\n    hw_requires(\"x->prev == NULL\");\n    return x != 0;\n}\nint main(void) { return f(0); }\n",
        ),
        ("models.toml", "[[model]]\nfunctions = [\"f\"]\neffect = \"alocate\"\n"),
        ("a.c", FREED),
    ]);
    for arguments in [&["check", "absent.c"][..], &["check", "absent.c", "--format", "json"], &["check", "."]] {
        let ran = project.run(arguments);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
        assert!(ran.stderr.contains(arguments[1]) && ran.stderr.contains("hint: "), "{}", ran.stderr);
    }
    for (file, line) in [("broken.c", 2), ("include.c", 1), ("contract.c", 5)] {
        for format in ["text", "json", "sarif"] {
            let ran = project.run(&["check", file, "--format", format]);
            assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
            assert!(ran.stderr.starts_with(&format!("{file}:{line}:")), "{}", ran.stderr);
        }
    }
    let ran = project.run(&["check", "a.c", "--models", "models.toml"]);
    assert!(ran.status == 2 && ran.stderr.starts_with("models.toml:3:"), "{}", ran.stderr);
    assert!(ran.stderr.contains("did you mean `allocate`?"), "{}", ran.stderr);
}

#[test]
fn the_configuration_is_found_upwards_and_checked() {
    let project = Project::new(&[
        ("heapwise.toml", "assume-malloc-succeeds = true\ncompiler-options = [\"-Iinc\", \"-DSIZE=4\"]\n"),
        ("inc/size.h", "#define BYTES SIZE\n"),
        (
            "deep/a.c",
            "#include <stdlib.h>\n#include <size.h>\nint main(void) { int *p = malloc(BYTES); *p = 1; free(p); return 0; }\n",
        ),
        ("wrong/heapwise.toml", "tiem = 3\n"),
    ]);
    let run_in = |directory: &str, arguments: &[&str]| {
        Ran::from(project.command(arguments).current_dir(project.path(directory)).output().unwrap())
    };
    let ran = run_in("deep", &["check", "a.c"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let ran = run_in("wrong", &["check", "../deep/a.c"]);
    assert!(ran.status == 2 && ran.stderr.contains("heapwise.toml:1: error: unknown key `tiem`"), "{}", ran.stderr);
    assert!(ran.stderr.contains("did you mean `time`?"), "{}", ran.stderr);
}

#[test]
fn a_compilation_database_gives_files_and_flags() {
    let project = Project::new(&[
        ("src/a.c", "#include <size.h>\nint main(void) { return SIZE + OTHER - 3; }\n"),
        ("inc/size.h", "#define SIZE 1\n"),
    ]);
    let directory = project.directory.path().display();
    let database = format!(
        "[{{\"directory\": \"{directory}\", \"file\": \"src/a.c\", \"command\": \"cc -Iinc -DOTHER=2 -c src/a.c\"}}]"
    );
    std::fs::create_dir(project.path("build")).unwrap();
    std::fs::write(project.path("build/compile_commands.json"), database).unwrap();
    for arguments in [&["check", "-p", "build"][..], &["check", "-p", "build", "src/a.c"]] {
        let ran = project.run(arguments);
        assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    }
    let ran = project.run(&["check", "-p", "build", "src/b.c"]);
    assert!(ran.status == 2 && ran.stderr.contains("has no entry for `src/b.c`"), "{}", ran.stderr);
    let ran = project.run(&["check", "-p", "nowhere"]);
    assert!(ran.status == 2 && ran.stderr.contains("CMAKE_EXPORT_COMPILE_COMMANDS"), "{}", ran.stderr);
}

#[test]
fn a_file_that_a_database_compiles_in_two_ways_is_refused() {
    let text = "int main(void) { int *p = 0;\n#ifdef BAD\n*p = 1;\n#endif\nreturn p != 0; }\n";
    let project = Project::new(&[("a.c", text), ("b.c", "int main(void) { return 0; }\n")]);
    let database = |second: &str| {
        let entry = |file: &str, command: &str| {
            format!("{{\"directory\": \".\", \"file\": \"{file}\", \"command\": \"cc {command}\"}}")
        };
        let entries = [entry("a.c", "-c a.c"), entry("b.c", "-c b.c"), entry("./a.c", second)].join(", ");
        std::fs::write(project.path("compile_commands.json"), format!("[{entries}]")).unwrap();
    };
    database("-DBAD -c a.c -o b.o");
    project.run(&["check", "-p", ".", "a.c"]).fails(expect![[r#"
        error: ./compile_commands.json: entries 1 and 3 compile `a.c` with different options
          hint: keep the entries of one build in the database, or leave -p away to give the flags yourself
    "#]]);
    assert_eq!(project.run(&["check", "-p", "."]).status, 2);
    let ran = project.run(&["check", "-p", ".", "b.c"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    database("-c ./a.c -o other.o");
    let ran = project.run(&["check", "-p", ".", "a.c"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn the_compilers_options_are_understood() {
    let text = "#include <size.h>\nint main(void) { return SIZE - OTHER - (sizeof(long) == 4 ? 0 : 1); }\n";
    let project = Project::new(&[("a.c", text), ("sys/size.h", "#define SIZE 1\n"), ("f.h", "#define OTHER 1\n")]);
    let ran = project.run(&["check", "-std=gnu11", "-isystem", "sys", "-include", "f.h", "-m32", "a.c"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn an_option_that_cannot_be_honoured_is_refused_and_a_doubtful_one_leaves_the_verdict_open() {
    let project = Project::new(&[("a.c", FREED), ("heapwise.toml", "compiler-options = [\"-DX=1\"]\n")]);
    project.run(&["check", "-fpack-struct", "a.c"]).fails(expect![[r#"
        error: compiler option `-fpack-struct` lays records out in another way, which is not modelled
          hint: use `#pragma pack` or attributes on the records, or analyse a build without the option
    "#]]);
    let database = |options: &str| {
        let directory = project.directory.path().display();
        let text =
            format!("[{{\"directory\": \"{directory}\", \"file\": \"a.c\", \"command\": \"cc {options} -c a.c\"}}]");
        std::fs::write(project.path("compile_commands.json"), text).unwrap();
    };
    database("-fopenmp");
    project.run(&["check", "-p", "."]).fails(expect![[r#"
        error: ./compile_commands.json: a.c: compiler option `-fopenmp` runs parts of the program in parallel, which is not modelled
          hint: leave the option out to analyse the sequential program that the text is without it
    "#]]);
    database("-funheard-of -O2 -fPIC");
    let ran = project.run(&["check", "-p", "."]);
    assert_eq!(ran.status, 3, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("compiler option `-funheard-of` of a.c may change what the text means"),
        "{}",
        ran.stdout
    );
    std::fs::write(project.path("heapwise.toml"), "compiler-options = [\"-mx32\"]\n").unwrap();
    let ran = project.run(&["check", "a.c"]);
    assert!(ran.status == 2 && ran.stderr.contains("heapwise.toml"), "{}", ran.stderr);
    assert!(ran.stderr.contains("compiler option `-mx32` is for a machine that is not modelled"), "{}", ran.stderr);
}

fn validator(schema: &str) -> jsonschema::Validator {
    jsonschema::options().build(&serde_json::from_str(schema).unwrap()).unwrap()
}

#[test]
fn json_and_sarif_validate_on_every_example() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let report = validator(include_str!("../../../schemas/report.schema.json"));
    // One pattern of the published schema (of a property we do not write) is no regular expression in Unicode mode.
    let sarif =
        validator(&include_str!("../../../schemas/sarif-2.1.0.schema.json").replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$"));
    let mut n_findings = 0;
    for entry in std::fs::read_dir(root.join("examples")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "c") {
            continue;
        }
        for (format, schema) in [("json", &report), ("sarif", &sarif)] {
            let ran = Ran::from(
                Command::new(env!("CARGO_BIN_EXE_heapwise"))
                    .args(["check", "--format", format])
                    .arg(&path)
                    .current_dir(&root)
                    .output()
                    .unwrap(),
            );
            let errors: Vec<String> = schema.iter_errors(&ran.json()).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{}: {errors:#?}", path.display());
            n_findings += ran.json()["findings"].as_array().map_or(0, Vec::len);
        }
    }
    assert!(n_findings >= 3);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let project = Project::new(&[("a.c", LEAK), ("b.c", NULL_WHEN_OUT_OF_MEMORY), ("c.c", UNSUPPORTED)]);
    for file in ["a.c", "b.c", "c.c"] {
        for format in ["text", "json", "sarif"] {
            let arguments = ["check", file, "--format", format, "--html", "page"];
            let first = (project.run(&arguments).stdout, std::fs::read(project.path("page/index.html")).unwrap());
            let second = (project.run(&arguments).stdout, std::fs::read(project.path("page/index.html")).unwrap());
            assert_eq!(first, second);
        }
    }
}

#[test]
fn timings_are_numbers_only_when_asked_for() {
    let stats = check(FREED, &["--format", "json"]).json()["stats"].clone();
    assert!(stats["seconds"].is_null() && stats["peak_bytes"].is_null(), "{stats}");
    let stats = check(FREED, &["--format", "json", "--timings"]).json()["stats"].clone();
    assert!(stats["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0), "{stats}");
}

#[test]
fn a_time_limit_gives_unknown_soon() {
    let text = "int main(void) { unsigned x = 0; for (;;) x += 3; }\n";
    let started = std::time::Instant::now();
    let ran = check(text, &["--time", "0.3", "--format", "json"]);
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
    // The counter wraps, so an engine may also see every state there is and answer; it never finds an error.
    assert!(matches!(ran.status, 0 | 3), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.json()["findings"].as_array().unwrap().len(), 0);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let project = Project::new(&[("a.c", LEAK)]);
    let mut child = project
        .command(&["check", "a.c", "--format", "sarif"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(1), &b""[..]));
}

#[test]
fn html_is_one_page_with_drawings_beside_it() {
    let project = Project::new(&[("a.c", LEAK)]);
    assert_eq!(project.run(&["check", "a.c", "--html", "out"]).status, 1);
    let page = std::fs::read_to_string(project.path("out/index.html")).unwrap();
    assert!(page.contains("p = NULL;") && page.contains("<svg"), "{page}");
    let names: Vec<_> = std::fs::read_dir(project.path("out")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(names.iter().any(|name| name.to_string_lossy().ends_with(".svg")), "{names:?}");
}

#[test]
fn explain_lists_and_explains_every_kind() {
    let project = Project::new(&[]);
    let list = project.run(&["explain"]);
    assert_eq!((list.status, list.stdout.lines().count()), (0, heapwise_engine::Kind::ALL.len()));
    for line in list.stdout.lines() {
        let kind = line.split_whitespace().next().unwrap();
        let page = project.run(&["explain", kind]);
        assert!(page.status == 0 && page.stdout.contains("Example:") && page.stdout.contains("What to do:"));
    }
}

#[test]
fn dump_prints_the_program_and_its_automata() {
    let project = Project::new(&[("a.c", "int twice(int x) { return x + x; }\nint main(void) { return twice(2); }\n")]);
    let ir = project.run(&["dump", "ir", "a.c"]);
    assert!(ir.status == 0 && ir.stdout.contains("fn twice(") && ir.stdout.contains("fn main("), "{}", ir.stdout);
    assert!(heapwise_ir::text::parse(&ir.stdout).is_ok(), "{}", ir.stdout);
    let cells = project.run(&["dump", "cells", "a.c"]);
    assert!(cells.status == 0 && cells.stdout.starts_with("main:\n"), "{}", cells.stdout);
    let tvl = project.run(&["dump", "cells", "--engine", "tvl", "a.c"]);
    assert!(tvl.status == 0 && tvl.stdout.contains("the program returns"), "{}", tvl.stdout);
    let ran = project.run(&["dump", "cells", "--engine", "explicit", "a.c"]);
    assert!(ran.status == 2 && ran.stderr.contains("use --engine graph or --engine tvl"), "{}", ran.stderr);
    let dot = project.run(&["dump", "cfg", "a.c"]);
    assert_eq!((dot.status, dot.stdout.matches("digraph").count()), (0, 2), "{}", dot.stdout);
    let svg = project.run(&["dump", "cfg", "--function", "twice", "--picture", "svg", "a.c"]);
    assert!(svg.status == 0 && svg.stdout.starts_with("<svg"), "{}{}", svg.stdout, svg.stderr);
    let ran = project.run(&["dump", "cfg", "--function", "twoce", "a.c"]);
    assert!(ran.status == 2 && ran.stderr.contains("defined here: twice, main"), "{}", ran.stderr);
}

#[test]
fn dump_regions_prints_and_draws_the_points_to_graph() {
    let source = "struct ops { void (*run)(int *); };\n\
        static void clear(int *x) { *x = 0; }\n\
        static void set(int *x) { *x = 1; }\n\
        static struct ops ops = { clear };\n\
        int main(void) { int x = 2; if (set) ops.run(&x); return x; }\n";
    let project = Project::new(&[("a.c", source)]);
    let text = project.run(&["dump", "regions", "a.c"]);
    assert!(text.status == 0 && text.stdout.contains("fn clear"), "{}{}", text.stdout, text.stderr);
    let call = text.stdout.lines().find(|line| line.contains("call at")).unwrap_or_default();
    assert!(call.ends_with("-> clear"), "only what is stored is called: {}", text.stdout);
    let dot = project.run(&["dump", "regions", "--picture", "dot", "--entry", "main", "a.c"]);
    assert!(dot.status == 0 && dot.stdout.contains("digraph") && dot.stdout.contains("main: x"), "{}", dot.stdout);
    let svg = project.run(&["dump", "regions", "--picture", "svg", "a.c"]);
    assert!(svg.status == 0 && svg.stdout.starts_with("<svg"), "{}{}", svg.stdout, svg.stderr);
    let ran = project.run(&["dump", "regions", "--function", "set", "a.c"]);
    assert!(ran.status == 2 && ran.stderr.contains("--entry"), "{}", ran.stderr);
    let ran = project.run(&["dump", "regions", "--entry", "none", "a.c"]);
    assert_eq!(ran.status, 2, "{}", ran.stderr);
}

#[test]
fn the_readme_shows_what_its_first_command_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let shown = readme.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    let command = readme.lines().find_map(|line| line.strip_prefix("cargo run -- ")).unwrap();
    let arguments = command.split('#').next().unwrap().split_whitespace();
    let output = Command::new(env!("CARGO_BIN_EXE_heapwise")).args(arguments).current_dir(&root).output().unwrap();
    let ran = Ran::from(output);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    assert!(ran.stdout.starts_with(shown), "the README shows\n{shown}\nbut this is printed:\n{}", ran.stdout);
    assert!(ran.stdout.contains(" 1. ") && ran.stdout.contains("unsafe: 1 confirmed finding"), "{}", ran.stdout);
}

const SORTED: &str = "#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct node { int key; struct node *next; };
int main(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        int limit = __VERIFIER_nondet_int();
        struct node *node = malloc(sizeof *node), **at = &list;
        if (node == NULL) exit(1);
        node->key = limit;
        while (*at != NULL && (*at)->key < limit) at = &(*at)->next;
        node->next = *at;
        if (*at != NULL && (*at)->key < limit) node->key = 0;
        *at = node;
    }
    while (list != NULL) { struct node *next = list->next; free(list); list = next; }
    return 0;
}
";

#[test]
fn the_engine_tvl_takes_every_shape_and_says_which_do_not_fit() {
    for (shape, note) in [
        ("auto", None),
        ("sll", None),
        ("cyclic", None),
        ("dll", Some("a doubly linked list needs 2 links")),
        ("tree", Some("a tree needs 2 links")),
        ("tree-parent", Some("a tree with parent pointers needs 3 links")),
    ] {
        let ran = check(SORTED, &["--engine", "tvl", "--shape", shape]);
        assert_eq!(ran.status, 0, "{shape}: {}", ran.stdout);
        let expected = note.map(|note| {
            format!("--shape {shape} does not fit: {note} to its own record, and `struct node` links to itself by `next` only")
        });
        let found = ran.stdout.lines().find_map(|line| line.strip_prefix("note: ").filter(|n| n.contains("--shape")));
        assert_eq!(found.map(str::to_owned), expected, "{}", ran.stdout);
    }
    let project = Project::new(&[("a.c", SORTED)]);
    project.run(&["check", "a.c", "--engine", "graph", "--shape", "dll"]).fails(expect![[r#"
        error: the engine graph has no predicates to choose
          hint: use --engine tvl with --shape dll
    "#]]);
    let ran = project.run(&["check", "a.c", "--engine", "tvl", "--shape", "dl"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("sll, dll, cyclic, tree, tree-parent"), "{}", ran.stderr);
}

#[test]
fn invariants_are_drawn_as_in_the_papers() {
    let project = Project::new(&[("a.c", SORTED)]);
    let ran = project.run(&["dump", "invariants", "--engine", "tvl", "a.c"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    // Summary individuals doubled, 1/2 dotted, unary predicates beside the node, comparisons as in C.
    for part in ["peripheries=2", r#"label="next", style=dotted"#, "r[list]", r"-\>key\ \<\ limit", "no cells"] {
        assert!(ran.stdout.contains(part), "{part}:\n{}", ran.stdout);
    }
    let ran = project.run(&["dump", "invariants", "--engine", "tvl", "a.c", "--directory", "out", "--shape", "dll"]);
    assert!(ran.stdout.ends_with("locations drawn into out\n"), "{}", ran.stdout);
    assert!(ran.stderr.starts_with("warning: --shape dll does not fit"), "{}", ran.stderr);
    let svg = std::fs::read_to_string(project.directory.path().join("out/0000-main-L0.svg")).unwrap();
    assert!(svg.starts_with("<svg"), "{svg}");
}

#[test]
fn the_invariants_of_one_function_are_those_of_runs_from_main() {
    let text = "#include <stdlib.h>\nstatic void drop(void *p) { free(p); }\nstatic void idle(void) { }\nint main(void) { drop(malloc(4)); return 0; }\n";
    let project = Project::new(&[("a.c", text)]);
    let ran = project.run(&["dump", "invariants", "--engine", "tvl", "a.c", "--function", "drop"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("drop L0, line 2 from main") && !ran.stdout.contains("label=\"main"), "{}", ran.stdout);
    project.run(&["dump", "invariants", "--engine", "tvl", "a.c", "--function", "idle"]).fails(expect![[r#"
        error: no run from `main` is seen to enter `idle`
          hint: name the function to start from with --entry
    "#]]);
}

#[test]
fn all_properties_are_listed_with_one_line_each() {
    let ran = Project::new(&[]).run(&["check", "--property", "list"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let names: Vec<&str> = ran.stdout.lines().filter_map(|line| line.split_whitespace().next()).collect();
    for kind in heapwise_engine::Kind::ALL {
        assert_eq!(names.iter().filter(|name| **name == kind.name()).count(), 1, "{}", kind.name());
    }
    assert!(["memory", "heap", "all"].iter().all(|group| names.contains(group)), "{}", ran.stdout);
    assert!(ran.stdout.lines().all(|line| line.split_whitespace().count() > 2), "{}", ran.stdout);
}

#[test]
fn the_arguments_of_an_entry_are_said_and_made_again() {
    let text = "#include <stdlib.h>\nstruct box { int v; };\nint f(struct box *b) { free(b); return b->v; }\n";
    let project = Project::new(&[("box.c", text)]);
    let ran = project.run(&["check", "--entry", "f", "box.c", "--format", "json"]);
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("use-after-free") && ran.stdout.contains("arguments are valid"), "{}", ran.stdout);
    std::fs::write(project.path("report.json"), &ran.stdout).unwrap();
    assert_eq!(project.run(&["replay", "report.json"]).status, 1);
    let ran = project.run(&["check", "--entry", "f", "--arguments", "any", "box.c"]);
    assert!(ran.stdout.contains("null") && !ran.stdout.contains("arguments are valid"), "{}", ran.stdout);
}
