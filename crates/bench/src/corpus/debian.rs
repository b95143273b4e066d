//! Source packages from the machine's own Debian archive. The lists are kept apart from the system's, so nothing of the
//! machine changes.

use super::command::Step;
use crate::BenchError;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

const HINT: &str =
    "the sources come from a Debian archive: this needs Debian (or a container of it), dpkg-dev and a network";
const ARCHIVE_KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// Fetches and unpacks a source package into `target`.
pub(super) fn fetch_source(package: &str, corpus: &Path, target: &Path, log: &Path) -> Result<(), BenchError> {
    let options = private_lists(corpus, log)?;
    let packages = corpus.join("packages").join(package);
    fs::create_dir_all(&packages).map_err(BenchError::file(&packages))?;
    let step = Step::new(&packages, log, HINT);
    let mut arguments: Vec<&str> = options.iter().map(String::as_str).collect();
    arguments.extend(["source", "--download-only", package]);
    step.run("apt-get", &arguments)?;
    let description = find_by_extension(&packages, "dsc")?;
    step.run("dpkg-source", &["-x", &description, &target.display().to_string()])
}

/// The newest file with that extension in a directory.
fn find_by_extension(directory: &Path, extension: &str) -> Result<String, BenchError> {
    let mut found: Vec<String> = fs::read_dir(directory)
        .map_err(BenchError::file(directory))?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| Path::new(name).extension().is_some_and(|found| found == extension))
        .collect();
    found.sort();
    found.pop().ok_or_else(|| BenchError::File {
        path: directory.join(format!("*.{extension}")),
        source: std::io::Error::from(std::io::ErrorKind::NotFound),
    })
}

/// Unpacks Linux's `linux-source-6.1` package, the installed one or a fetched one, into `target`.
pub(super) fn fetch_linux(corpus: &Path, target: &Path, log: &Path) -> Result<(), BenchError> {
    let installed = Path::new("/usr/src/linux-source-6.1.tar.xz");
    let tarball = if installed.exists() {
        installed.to_owned()
    } else {
        let packages = corpus.join("packages").join("linux");
        fs::create_dir_all(&packages).map_err(BenchError::file(&packages))?;
        let step = Step::new(&packages, log, HINT);
        step.run("apt-get", &["download", "linux-source-6.1"])?;
        let package = find_by_extension(&packages, "deb")?;
        step.run("dpkg-deb", &["-x", &package, "unpacked"])?;
        packages.join("unpacked/usr/src/linux-source-6.1.tar.xz")
    };
    fs::create_dir_all(target).map_err(BenchError::file(target))?;
    let tarball = tarball.display().to_string();
    Step::new(target, log, HINT).run("tar", &["-xf", &tarball, "--strip-components=1"])
}

/// The options that make `apt-get` use private lists with the source entries of every archive that the machine uses; the
/// lists are fetched once.
fn private_lists(corpus: &Path, log: &Path) -> Result<Vec<String>, BenchError> {
    let apt = corpus.join("apt");
    let set = |name: &str, directory: &str| format!("-o{name}={}", apt.join(directory).display());
    let options = vec![
        set("Dir::Etc::SourceList", "sources.list"),
        set("Dir::Etc::SourceParts", "parts"),
        set("Dir::State::Lists", "lists"),
        set("Dir::Cache", "cache"),
        format!("-oAPT::Sandbox::User={}", std::env::var("USER").unwrap_or_else(|_| "root".to_owned())),
    ];
    let fetched = apt.join("fetched");
    if fetched.exists() {
        return Ok(options);
    }
    for directory in ["parts", "lists/partial", "cache/archives/partial"] {
        let directory = apt.join(directory);
        fs::create_dir_all(&directory).map_err(BenchError::file(directory))?;
    }
    let list = apt.join("sources.list");
    fs::write(&list, source_entries()?).map_err(BenchError::file(&list))?;
    let mut arguments: Vec<&str> = options.iter().map(String::as_str).collect();
    arguments.push("update");
    Step::new(&apt, log, HINT).run("apt-get", &arguments)?;
    fs::write(&fetched, "").map_err(BenchError::file(&fetched))?;
    Ok(options)
}

/// A `deb-src` line for each release of Debian that the machine's `deb` entries name. Updates of a release are left out: a
/// mirror may list sources of theirs that it does not carry, and the versions of the release itself stay the same.
fn source_entries() -> Result<String, BenchError> {
    let format = "$(ORIGIN)|$(REPO_URI)|$(RELEASE)|$(COMPONENT)";
    let output = Command::new("apt-get").args(["indextargets", "--format", format, "Created-By: Packages"]).output();
    let output = output.map_err(|error| BenchError::Command {
        command: "apt-get indextargets".to_owned(),
        problem: format!("cannot be started: {error}"),
        output: String::new(),
        hint: HINT,
    })?;
    let signed = if Path::new(ARCHIVE_KEYS).exists() { format!("[signed-by={ARCHIVE_KEYS}] ") } else { String::new() };
    let entries: BTreeSet<String> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| {
            let mut fields = line.split('|');
            let (origin, archive, release, component) =
                (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
            (origin == "Debian" && !release.contains('-'))
                .then(|| format!("deb-src {signed}{archive} {release} {component}\n"))
        })
        .collect();
    if entries.is_empty() {
        return Err(BenchError::Command {
            command: "apt-get indextargets".to_owned(),
            problem: "names no archive of Debian".to_owned(),
            output: String::new(),
            hint: HINT,
        });
    }
    Ok(entries.into_iter().collect())
}
