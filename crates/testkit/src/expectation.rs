//! What a C file under `tests/c` says about itself.
//!
//! ```c
//! //@ engines: explicit, graph; verdict: unsafe     safe | unsafe | unknown | clean (no finding, whatever the verdict)
//! //@ engines: tvl; verdict: unknown                a second line where engines differ
//! //@ args: --assume-malloc-succeeds                extra options of the command line
//! //@ with: other.c                                 further translation units, beside this file
//!     free(p);        //~ double-free               this must be found on this line
//!     q = NULL;
//!     //~^ leak                                     … on the line above
//!     x = y;          //~ may leak                  may be found: a known imprecision, recorded
//! ```
//!
//! `//@ part of: main.c` marks a further translation unit, and `//@ differential` a program that is not analysed but run
//! (see `differential`).

use heapwise_engine::Kind;
use std::path::{Path, PathBuf};

/// What is expected of one C file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Role {
    /// Engines are run on it.
    Analysed(Expectation),
    /// It is run, and compared with the compiled program.
    Differential {
        /// All translation units, this file first.
        units: Vec<PathBuf>,
    },
    /// It belongs to another file.
    PartOf(PathBuf),
}

/// What engines should say about a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expectation {
    /// Which engines run, and with which verdict.
    pub engines: Vec<(String, ExpectedVerdict)>,
    /// Extra options.
    pub arguments: Vec<String>,
    /// All translation units, this file first.
    pub units: Vec<PathBuf>,
    /// The findings.
    pub markers: Vec<Marker>,
}

/// A verdict, as a test expects it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpectedVerdict {
    /// Proved.
    Safe,
    /// With a confirmed finding.
    Unsafe,
    /// Neither.
    Unknown,
    /// Without any finding: safe, or unknown for another reason.
    Clean,
}

/// A finding that a line announces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marker {
    /// The file that holds it.
    pub file: PathBuf,
    /// The line, counted from 1.
    pub line: u32,
    /// What.
    pub kind: Kind,
    /// Whether it must be found.
    pub necessity: Necessity,
}

/// Whether an announced finding must be reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Necessity {
    /// Not reporting it would be unsound.
    Must,
    /// Reporting it is a known imprecision.
    May,
}

/// A file that does not say what it expects, or not in words the runner knows.
#[derive(Debug, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct ExpectationError {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    pub line: u32,
    /// What is wrong.
    pub message: String,
}

/// Reads the header and the markers of a file; markers of the files it names by `with` are read too.
pub fn read(path: &Path) -> Result<Role, ExpectationError> {
    let text = std::fs::read_to_string(path).map_err(|error| failure(path, 0, error.to_string()))?;
    let mut role = parse(path, &text)?;
    if let Role::Analysed(expectation) = &mut role {
        for unit in expectation.units.clone().iter().skip(1) {
            let text = std::fs::read_to_string(unit).map_err(|error| failure(unit, 0, error.to_string()))?;
            expectation.markers.extend(markers(unit, &text)?);
        }
    }
    Ok(role)
}

/// Reads the header and the markers of a text.
pub fn parse(path: &Path, text: &str) -> Result<Role, ExpectationError> {
    let mut engines = Vec::new();
    let mut arguments = Vec::new();
    let mut units = vec![path.to_path_buf()];
    let mut differential = false;
    let beside = |name: &str| path.with_file_name(name.trim());
    for (index, line) in text.lines().enumerate() {
        let Some(header) = line.trim_start().strip_prefix("//@") else { continue };
        let line = index as u32 + 1;
        match header.trim().split_once(':') {
            None if header.trim() == "differential" => differential = true,
            Some(("engines", rest)) => engines.extend(engine_line(path, line, rest)?),
            Some(("args", rest)) => arguments.extend(rest.split_whitespace().map(str::to_owned)),
            Some(("with", rest)) => units.extend(rest.split(',').map(beside)),
            Some(("part of", rest)) => return Ok(Role::PartOf(beside(rest))),
            _ => return Err(failure(path, line, format!("`//@{header}` is not a header that the runner knows"))),
        }
    }
    let markers = markers(path, text)?;
    match (differential, engines.is_empty()) {
        (true, true) if markers.is_empty() => Ok(Role::Differential { units }),
        (true, _) => Err(failure(path, 1, "a differential program is not analysed: no engines, no markers".into())),
        (false, true) => Err(failure(path, 1, "no `//@ engines: …; verdict: …` line".into())),
        (false, false) => Ok(Role::Analysed(Expectation { engines, arguments, units, markers })),
    }
}

fn engine_line(path: &Path, line: u32, text: &str) -> Result<Vec<(String, ExpectedVerdict)>, ExpectationError> {
    let (engines, verdict) =
        text.split_once(';').ok_or_else(|| failure(path, line, "engines without a verdict".into()))?;
    let verdict = match verdict.trim().strip_prefix("verdict:").map(str::trim) {
        Some("safe") => ExpectedVerdict::Safe,
        Some("unsafe") => ExpectedVerdict::Unsafe,
        Some("unknown") => ExpectedVerdict::Unknown,
        Some("clean") => ExpectedVerdict::Clean,
        _ => return Err(failure(path, line, format!("`{}` is not a verdict", verdict.trim()))),
    };
    Ok(engines.split(',').map(|engine| (engine.trim().to_owned(), verdict)).collect())
}

fn markers(path: &Path, text: &str) -> Result<Vec<Marker>, ExpectationError> {
    let mut markers = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let here = index as u32 + 1;
        for marker in line.split("//~").skip(1) {
            let up = marker.bytes().take_while(|byte| *byte == b'^').count();
            let words = marker[up..].trim();
            let (necessity, kind) = match words.strip_prefix("may ") {
                Some(kind) => (Necessity::May, kind.trim()),
                None => (Necessity::Must, words),
            };
            let kind = Kind::from_name(kind)
                .ok_or_else(|| failure(path, here, format!("`{kind}` is not a kind of finding")))?;
            let line = here
                .checked_sub(up as u32)
                .filter(|line| *line > 0)
                .ok_or_else(|| failure(path, here, "the marker points above the file".into()))?;
            markers.push(Marker { file: path.to_path_buf(), line, kind, necessity });
        }
    }
    Ok(markers)
}

fn failure(path: &Path, line: u32, message: String) -> ExpectationError {
    ExpectationError { file: path.display().to_string(), line, message }
}

#[cfg(test)]
mod tests {
    use super::{Role, parse};
    use expect_test::{Expect, expect};
    use std::path::Path;

    fn check(text: &str, expected: Expect) {
        let actual = match parse(Path::new("dir/a.c"), text) {
            Ok(Role::Analysed(it)) => {
                let mut lines = vec![format!("{:?} {:?} {:?}", it.engines, it.arguments, it.units)];
                lines.extend(
                    it.markers
                        .iter()
                        .map(|marker| format!("{} {} {:?}", marker.line, marker.kind.name(), marker.necessity)),
                );
                lines.join("\n")
            }
            Ok(other) => format!("{other:?}"),
            Err(error) => error.to_string(),
        };
        expected.assert_eq(&actual);
    }

    #[test]
    fn a_header_and_markers_are_read() {
        check(
            "//@ engines: explicit, graph; verdict: unsafe\n//@ args: --time 3\nfree(p); //~ double-free\nq = 0;\n//~^ leak\nr; //~ may leak\n",
            expect![[r#"
                [("explicit", Unsafe), ("graph", Unsafe)] ["--time", "3"] ["dir/a.c"]
                3 double-free Must
                4 leak Must
                6 leak May"#]],
        );
    }

    #[test]
    fn several_units_make_one_program() {
        check(
            "//@ engines: explicit; verdict: clean\n//@ with: b.c, c.c\n",
            expect![[r#"[("explicit", Clean)] [] ["dir/a.c", "dir/b.c", "dir/c.c"]"#]],
        );
        check("//@ part of: a.c\n", expect![[r#"PartOf("dir/a.c")"#]]);
        check("//@ differential\n//@ with: b.c\n", expect![[r#"Differential { units: ["dir/a.c", "dir/b.c"] }"#]]);
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        check("int main(void);\n", expect!["dir/a.c:1: no `//@ engines: …; verdict: …` line"]);
        check("//@ engine: graph\n", expect!["dir/a.c:1: `//@ engine: graph` is not a header that the runner knows"]);
        check("//@ engines: graph; verdict: fine\n", expect!["dir/a.c:1: `verdict: fine` is not a verdict"]);
        check("//@ engines: graph; verdict: safe\nx; //~ lek\n", expect!["dir/a.c:2: `lek` is not a kind of finding"]);
        check("//~^ leak\n", expect!["dir/a.c:1: the marker points above the file"]);
    }
}
