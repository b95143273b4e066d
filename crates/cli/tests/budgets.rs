//! Budgets hold, whatever the program and wherever an analysis is when they run out: generated programs that are large in
//! one way each, under small limits.

#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;
use std::io::Read as _;
use std::process::{Command, Stdio};
use std::time::Duration;

const NODE: &str = "#include <stdlib.h>\nstruct node { struct node *next; int v; };\n";

/// Each function calls the one below it so many times: calls are inlined into many call strings.
fn inlined(width: usize, depth: usize) -> String {
    let mut text = format!(
        "{NODE}static struct node *f0(struct node *l) {{ struct node *n = malloc(sizeof *n); if (!n) return l; \
         n->next = l; n->v = 1; return n; }}\n"
    );
    for level in 1..=depth {
        let calls = format!(" l = f{}(l);", level - 1).repeat(width);
        let _ = writeln!(text, "static struct node *f{level}(struct node *l) {{{calls} return l; }}");
    }
    let _ = writeln!(text, "int main(void) {{ return f{depth}(NULL) != NULL; }}");
    text
}

/// Many variables, and thousands of branches that mix them.
fn branches(n_branches: usize, n_vars: usize) -> String {
    let mut text = format!("{NODE}int main(int argc, char **argv) {{\n");
    for var in 0..n_vars {
        let _ =
            writeln!(text, "struct node *p{var} = malloc(sizeof *p{var}); if (!p{var}) return 1; p{var}->next = 0;");
    }
    for branch in 0..n_branches {
        let var = |factor: usize| (branch * factor + factor) % n_vars;
        let (a, b, c, d) = (var(1), var(7), var(5), var(3));
        let _ = writeln!(text, "if (argc > {branch}) p{a} = p{b}; else p{c}->next = p{d};");
    }
    text.push_str("return 0; }\n");
    text
}

/// Many record types, globals and small functions.
fn globals(n: usize) -> String {
    let mut text = "#include <stdlib.h>\n".to_owned();
    for i in 0..n {
        let _ = writeln!(
            text,
            "struct s{i} {{ struct s{i} *next; int a[4]; }}; static struct s{i} g{i}, *h{i};\n\
             static void set{i}(int k) {{ h{i} = malloc(sizeof *h{i}); if (h{i}) {{ h{i}->next = &g{i}; h{i}->a[1] = k; }} }}"
        );
    }
    text.push_str("int main(int argc, char **argv) {\n");
    for i in 0..n {
        let _ = writeln!(text, "set{i}(argc); if (h{i} && h{i}->a[1] > {i}) set{}(3);", i * 7 % n);
    }
    text.push_str("return 0; }\n");
    text
}

/// A huge array, and a loop over it.
fn array(n: usize) -> String {
    format!(
        "{NODE}static struct node *table[{n}];\nint main(int argc, char **argv) {{\n  static struct node cells[{n}];\n\
         for (int round = 0; round < argc; round++)\n    for (int i = 0; i < {n}; i++) {{ cells[i].v = i; table[i] = &cells[i]; }}\n\
         return table[argc] != 0; }}\n"
    )
}

/// What a check cost, and what it said.
struct Measured {
    /// Time of the processor: how long it waits for one on a busy machine says nothing about it.
    time: Duration,
    /// The most memory that it held, as it says itself.
    peak: u64,
    report: serde_json::Value,
}

/// The time that a process, which may be over but was not waited for, has used in user mode and in the kernel.
fn processor_time(process: u32) -> Duration {
    const TICKS_PER_SECOND: u64 = 100;
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    // The name of the program, in parentheses, may hold blanks; user and system time are the 14th and 15th of all.
    let behind_name = text.rsplit(')').next().unwrap();
    let ticks: u64 = behind_name.split_whitespace().skip(11).take(2).map(|field| field.parse::<u64>().unwrap()).sum();
    Duration::from_millis(1000 * ticks / TICKS_PER_SECOND)
}

fn measured(text: &str, arguments: &[&str]) -> Measured {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("a.c"), text).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_heapwise"))
        .args(["check", "a.c", "--format", "json", "--timings"])
        .args(arguments)
        .current_dir(directory.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut stdout).unwrap();
    let time = processor_time(child.id());
    let status = child.wait().unwrap().code();
    assert!(matches!(status, Some(0 | 1 | 3)), "{status:?}");
    let report: serde_json::Value = serde_json::from_slice(&stdout).unwrap();
    let peak = report["stats"]["peak_bytes"].as_u64().unwrap();
    Measured { time, peak, report }
}

/// Programs that are too large for the budgets below.
fn large() -> Vec<(&'static str, String)> {
    vec![
        ("inlined calls", inlined(2, 14)),
        ("branches", branches(3000, 200)),
        ("globals", globals(700)),
        ("an array", array(4_000_000)),
    ]
}

#[test]
fn time_is_kept_within_a_tenth_and_a_little() {
    let limit = Duration::from_secs(1);
    for (name, text) in large() {
        for engine in ["graph", "tvl", "explicit", "auto"] {
            let time = measured(&text, &["--time", "1", "--engine", engine]).time;
            let most = limit + limit / 10 + Duration::from_millis(700);
            assert!(time < most, "{name}, {engine}: {time:?}");
        }
    }
}

#[test]
fn memory_is_kept_within_a_tenth_and_a_little() {
    let limit: u64 = 150 << 20;
    for (name, text) in large() {
        for engine in ["graph", "tvl", "explicit"] {
            let Measured { peak, report, .. } =
                measured(&text, &["--time", "3", "--memory", "150M", "--engine", engine]);
            // What is allocated between two looks, of which there are fifty a second.
            assert!(peak < limit + limit / 4, "{name}, {engine}: {} MB", peak >> 20);
            assert_ne!(report["verdict"], "safe", "{name}, {engine}");
        }
    }
}

#[test]
fn who_ran_out_is_named_and_what_others_found_is_kept() {
    let report = measured(&globals(700), &["--time", "4"]).report;
    let engines = report["engines"].as_array().unwrap();
    let ran_out = |engine: &&serde_json::Value| {
        engine["obstacle"]["reason"].as_str().is_some_and(|reason| reason.starts_with("the time budget ran out"))
    };
    let late = engines.iter().find(ran_out).unwrap_or_else(|| panic!("nobody ran out of time: {report}"));
    assert!(late["hint"].as_str().unwrap().contains("--time"), "{report}");
    assert_eq!(report["verdict"], "unsafe", "what was confirmed before is kept: {report}");
}

#[test]
fn explicit_uses_the_time_that_it_is_given_and_keeps_what_it_found() {
    let text = "int __VERIFIER_nondet_int(void);\nvoid *malloc(unsigned long);\nvoid free(void *);\n\
        int main(void) {\n  int sum = 0;\n  char *p = malloc(4);\n  if (!p) return 1;\n\
        if (__VERIFIER_nondet_int() == 77) free(p);\n  free(p);\n\
        for (;;) { int n = __VERIFIER_nondet_int(); if (n == 0) break; if (n > 0) sum = 2 * sum + 1; else sum = 3 * sum + 7; }\n\
        return 0; }\n";
    let report = measured(text, &["--time", "2", "--engine", "explicit"]).report;
    assert_eq!(report["verdict"], "unsafe", "{report}");
    assert_eq!(report["findings"][0]["kind"], "double-free", "{report}");
    assert_eq!(report["findings"][0]["certainty"], "confirmed", "{report}");
    assert_eq!(report["engines"][0]["name"], "explicit", "{report}");
    // Limits of its own would be named otherwise. On a busy machine it may be left behind: that is told in other words, and
    // what it found is there all the same.
    let reason = report["engines"][0]["obstacle"]["reason"].as_str().unwrap();
    assert!(reason.starts_with("the time budget ran out "), "{report}");
}
