//! The runner of annotated C files: the command line is run on each, and what it says is compared with what the file
//! announces (see [`crate::expectation`]). Anything unmatched either way is a failure.

use crate::expectation::{self, Expectation, ExpectedVerdict, Marker, Necessity, Role};
use crate::parallel;
use serde_json::Value;
use std::fmt::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How long one run may take before it counts as hanging.
const LIMIT_SECONDS: &str = "180";

/// How the runner calls the analyser.
#[derive(Clone, Debug)]
pub struct Runner {
    /// The `heapwise` program.
    pub heapwise: PathBuf,
    /// Options of every run, before those of the file.
    pub arguments: Vec<String>,
    /// How many files are checked at once.
    pub threads: usize,
}

/// What came of a directory of annotated files.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Summary {
    /// Runs (a file times an engine) that went as announced.
    pub passed: usize,
    /// The others, one text each.
    pub failures: Vec<String>,
}

impl Runner {
    /// Runs every analysed C file below `root`, in all engines that it names.
    pub fn run_all(&self, root: &Path) -> Summary {
        let mut summary = Summary::default();
        let mut runs = Vec::new();
        for path in c_files(root) {
            match expectation::read(&path) {
                Ok(Role::Analysed(expectation)) => {
                    runs.extend(expectation.engines.iter().map(|engine| (engine.clone(), expectation.clone())));
                }
                Ok(Role::Differential { .. } | Role::PartOf(_)) => {}
                Err(error) => summary.failures.push(error.to_string()),
            }
        }
        let results = parallel::map(self.threads, &runs, |((engine, verdict), expectation)| {
            self.run(engine, *verdict, expectation)
        });
        for result in results {
            match result {
                Ok(()) => summary.passed += 1,
                Err(failure) => summary.failures.push(failure),
            }
        }
        summary
    }

    /// Runs one engine on one program; an error is what did not go as announced.
    pub fn run(&self, engine: &str, verdict: ExpectedVerdict, expectation: &Expectation) -> Result<(), String> {
        // Its own time limit may be what is broken.
        let mut command = Command::new("timeout");
        command.arg("--signal=KILL").arg(LIMIT_SECONDS).arg(&self.heapwise).args([
            "check",
            "--engine",
            engine,
            "--format",
            "json",
            "--progress",
            "never",
        ]);
        command.args(&self.arguments).args(&expectation.arguments).args(&expectation.units);
        let title = format!("{} [{engine}]", expectation.units[0].display());
        let output = command.output().map_err(|error| format!("{title}: cannot run {command:?}: {error}"))?;
        let complain = |what: &str| {
            let errors = String::from_utf8_lossy(&output.stderr);
            Err(format!("{title}: {what}\n  run: {command:?}\n{}", indent(errors.trim_end())))
        };
        if output.status.signal() == Some(9) || output.status.code() == Some(137) {
            return complain(&format!("hangs: no answer after {LIMIT_SECONDS} s"));
        }
        let Ok(report) = serde_json::from_slice::<Value>(&output.stdout) else {
            return complain(&format!("no JSON on standard output, {}", output.status));
        };
        let differences = compare(&report, output.status.code(), verdict, &expectation.markers);
        if differences.is_empty() {
            Ok(())
        } else {
            complain(&format!("not as announced\n{}", indent(&differences).trim_end()))
        }
    }
}

/// All C files below a directory, sorted.
pub fn c_files(root: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut directories = vec![root.to_path_buf()];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(&directory).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "c") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Compares a report with what was announced; empty where they agree.
fn compare(report: &Value, status: Option<i32>, verdict: ExpectedVerdict, markers: &[Marker]) -> String {
    let mut text = String::new();
    // What follows from the cause of a finding is listed with it.
    let leaders = report["findings"].as_array().map(Vec::as_slice).unwrap_or_default();
    let also = |finding: &Value| finding["also"].as_array().cloned().unwrap_or_default();
    let findings: Vec<Value> =
        leaders.iter().flat_map(|finding| std::iter::once(finding.clone()).chain(also(finding))).collect();
    let said = report["verdict"].as_str().unwrap_or("nothing");
    let fits = match verdict {
        ExpectedVerdict::Safe => said == "safe",
        ExpectedVerdict::Unsafe => said == "unsafe",
        ExpectedVerdict::Unknown => said == "unknown",
        ExpectedVerdict::Clean => said != "unsafe" && findings.is_empty(),
    };
    if !fits {
        let _ = writeln!(text, "verdict: expected {verdict:?}, got {said}");
    }
    let expected_status = match said {
        "safe" => 0,
        "unsafe" => 1,
        _ => 3,
    };
    if status != Some(expected_status) {
        let _ = writeln!(text, "exit status {status:?} does not go with the verdict {said}");
    }
    for marker in markers.iter().filter(|marker| marker.necessity == Necessity::Must) {
        if !findings.iter().any(|finding| matches(finding, marker)) {
            let _ = writeln!(text, "missing: {}:{} {}", marker.file.display(), marker.line, marker.kind.name());
        }
    }
    for finding in findings.iter().filter(|finding| !markers.iter().any(|marker| matches(finding, marker))) {
        let field = |name: &str| finding[name].as_str().unwrap_or("?").to_owned();
        let _ = writeln!(
            text,
            "unexpected: {}:{} {} ({}): {}",
            field("file"),
            finding["line"],
            field("kind"),
            field("certainty"),
            field("message")
        );
    }
    // Whatever the program is, this is no reason to give a user.
    let gaps = report["gaps"].as_array().into_iter().flatten();
    for gap in gaps.filter(|gap| gap["mistaken"] == "translation") {
        let _ = writeln!(text, "defect: {}", gap["reason"]);
    }
    if !text.is_empty() {
        for gap in report["gaps"].as_array().into_iter().flatten() {
            let _ = writeln!(text, "gap: {}:{} {}", gap["file"], gap["line"], gap["reason"]);
        }
    }
    text
}

fn matches(finding: &Value, marker: &Marker) -> bool {
    finding["kind"].as_str() == Some(marker.kind.name())
        && finding["line"].as_u64() == Some(u64::from(marker.line))
        && finding["file"].as_str().is_some_and(|file| Path::new(file).file_name() == marker.file.file_name())
}

fn indent(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::compare;
    use crate::expectation::{ExpectedVerdict, Role, parse};
    use expect_test::{Expect, expect};
    use serde_json::json;
    use std::path::Path;

    fn check(verdict: ExpectedVerdict, markers: &str, report: &serde_json::Value, status: i32, expected: Expect) {
        let text = format!("//@ engines: graph; verdict: safe\n{markers}");
        let Ok(Role::Analysed(expectation)) = parse(Path::new("dir/a.c"), &text) else { panic!("bad markers") };
        expected.assert_eq(&compare(report, Some(status), verdict, &expectation.markers));
    }

    fn finding(kind: &str, line: u32) -> serde_json::Value {
        json!({ "kind": kind, "certainty": "confirmed", "file": "x/a.c", "line": line, "message": "m" })
    }

    #[test]
    fn an_announced_finding_is_fine() {
        let report = json!({ "verdict": "unsafe", "findings": [finding("leak", 3)] });
        check(ExpectedVerdict::Unsafe, "\nx; //~ leak\ny; //~ may leak", &report, 1, expect![""]);
    }

    #[test]
    fn a_wrong_line_is_wrong_both_ways() {
        let report = json!({ "verdict": "unsafe", "findings": [finding("leak", 4)] });
        check(
            ExpectedVerdict::Unsafe,
            "\nx; //~ leak",
            &report,
            1,
            expect![[r#"
                  missing: dir/a.c:3 leak
                  unexpected: x/a.c:4 leak (confirmed): m
            "#]],
        );
    }

    #[test]
    fn a_mistake_of_the_translation_is_never_fine() {
        let gap = json!({ "file": null, "line": null, "reason": "r", "mistaken": "translation" });
        let report = json!({ "verdict": "unknown", "findings": [], "gaps": [gap] });
        check(
            ExpectedVerdict::Unknown,
            "",
            &report,
            3,
            expect![[r#"
                  defect: "r"
                  gap: null:null "r"
            "#]],
        );
    }

    #[test]
    fn a_verdict_must_fit_and_so_must_the_exit_status() {
        let report =
            json!({ "verdict": "unknown", "findings": [], "gaps": [{ "file": "a.c", "line": 7, "reason": "r" }] });
        check(ExpectedVerdict::Clean, "", &report, 3, expect![""]);
        check(
            ExpectedVerdict::Safe,
            "",
            &report,
            0,
            expect![[r#"
                  verdict: expected Safe, got unknown
                  exit status Some(0) does not go with the verdict unknown
                  gap: "a.c":7 "r"
            "#]],
        );
    }
}
