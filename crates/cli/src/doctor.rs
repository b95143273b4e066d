//! `heapwise doctor`: what this machine has of what heapwise can use, and what difference that makes.

use super::failure::CannotRun;
use super::output;
use heapwise_prover::Backend;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Something that may be there or not.
struct Finding {
    what: String,
    /// Where or which version; `None` when it is missing.
    found: Option<String>,
    /// What follows when it is there.
    when_found: &'static str,
    /// What follows when it is missing, and how to get it.
    when_missing: &'static str,
}

/// Prints the list; always status 0, since nothing on it is required.
pub(crate) fn run() -> Result<u8, CannotRun> {
    let mut findings = vec![headers(), compiler()];
    findings.extend(Backend::ALL.map(prover));
    findings.push(graphviz());
    let mut text = format!("heapwise {}\n\n", env!("CARGO_PKG_VERSION"));
    for finding in findings {
        let (state, consequence) = match &finding.found {
            Some(found) => (found.as_str(), finding.when_found),
            None => ("not found", finding.when_missing),
        };
        text.push_str(&format!("{:<20} {state}\n{:<20}   {consequence}\n", finding.what, ""));
    }
    output::print(&text)?;
    Ok(0)
}

fn headers() -> Finding {
    Finding {
        what: "C library headers".to_owned(),
        found: heapwise_cfront::library_headers().map(|directory| directory.display().to_string()),
        when_found: "programs that include the C library's headers can be read",
        when_missing: "`heapwise check` stops at `#include <stdio.h>`; install libc6-dev, or pass -I DIR",
    }
}

fn compiler() -> Finding {
    let gcc = on_path("gcc").and_then(|gcc| first_line(&gcc, &["-dumpfullversion"]));
    Finding {
        what: "gcc".to_owned(),
        found: gcc,
        when_found: "`heapwise bench` and the tests compare with it; analyses do not need it",
        when_missing: "`heapwise bench cfront` and `layout` cannot run; analyses do not need it (install gcc)",
    }
}

fn prover(backend: Backend) -> Finding {
    let found = match backend.locate() {
        _ if backend.program().is_none() => Some("always there".to_owned()),
        Some(file) => {
            let version = backend.version().unwrap_or_else(|| "of unknown version".to_owned());
            Some(format!("{version} ({})", file.display()))
        }
        None => None,
    };
    let (when_found, when_missing) = match backend {
        Backend::Builtin => {
            ("the default prover: exact where existential quantifiers come first, fast, shows models", "")
        }
        Backend::Z3 => (
            "can be asked in its place; a second opinion, no more precise on the questions of shape analysis",
            "questions to it are answered `unknown`; nothing else changes (install z3)",
        ),
        Backend::Cvc5 => (
            "can be asked in its place; a second opinion, strong at finding finite models",
            "questions to it are answered `unknown`; nothing else changes (install cvc5)",
        ),
        Backend::Spass => (
            "can be asked in its place; slow (a process per question), used to compare with published figures",
            "questions to it are answered `unknown`; nothing else changes (install spass)",
        ),
    };
    Finding { what: format!("prover {}", backend.name()), found, when_found, when_missing }
}

fn graphviz() -> Finding {
    Finding {
        what: "dot".to_owned(),
        found: on_path("dot").map(|file| file.display().to_string()),
        when_found: "draws what `--format dot` and `heapwise tvla` print; HTML and SVG need nothing",
        when_missing: "DOT output can be written, not drawn here (install graphviz); HTML and SVG need nothing",
    }
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|directory| directory.join(program)).find(|file| file.is_file())
}

fn first_line(program: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Some(format!("{} ({})", text.lines().next()?.trim(), program.display()))
}
