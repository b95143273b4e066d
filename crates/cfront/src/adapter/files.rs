//! Files and include directories.

use rucc_diag::SourceBytes;
use rucc_session::{FileSystem, runtime};
use rustc_hash::FxHashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The directory that holds `heapwise.h`, whether or not the machine has a copy of it. Searched last, so a copy of the
/// user's own wins.
pub(crate) const OWN_DIRECTORY: &str = "<heapwise>";

/// Reads files, each once per program: headers are shared by the units.
#[derive(Default, Debug)]
pub(crate) struct FileStore {
    contents: Mutex<FxHashMap<PathBuf, Option<SourceBytes>>>,
    identities: Mutex<FxHashMap<PathBuf, PathBuf>>,
}

impl FileSystem for FileStore {
    fn read(&self, path: &Path) -> io::Result<SourceBytes> {
        if let Some(bytes) = runtime::read(path) {
            return Ok(bytes);
        }
        if path == Path::new(OWN_DIRECTORY).join("heapwise.h") {
            return Ok(SourceBytes::new(heapwise_models::HEADER.as_bytes().to_vec()));
        }
        let not_found = || io::Error::from(io::ErrorKind::NotFound);
        let mut contents = self.contents.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = contents.get(path) {
            return known.clone().ok_or_else(not_found);
        }
        let bytes = std::fs::read(path).ok().map(|text| SourceBytes::new(with_known_directives(text)));
        contents.insert(path.to_owned(), bytes.clone());
        bytes.ok_or_else(not_found)
    }

    fn identity(&self, path: &Path) -> PathBuf {
        let mut identities = self.identities.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(identity) = identities.get(path) {
            return identity.clone();
        }
        let identity = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        identities.insert(path.to_owned(), identity.clone());
        identity
    }
}

/// The text with `#ident` and `#sccs`, which leave a note in the object file, as pragmas that mean nothing.
pub(crate) fn with_known_directives(text: Vec<u8>) -> Vec<u8> {
    const NOTES: [&[u8]; 2] = [b"ident", b"sccs"];
    if !NOTES.iter().any(|note| text.windows(note.len()).any(|window| window == *note)) {
        return text;
    }
    let mut known = Vec::with_capacity(text.len());
    let mut is_continued = false;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let hash = line.iter().position(|byte| !byte.is_ascii_whitespace()).filter(|at| line[*at] == b'#');
        let word = hash.and_then(|hash| {
            let start = hash + 1 + line[hash + 1..].iter().position(|byte| !matches!(byte, b' ' | b'\t'))?;
            let rest = &line[start..];
            let note = NOTES.iter().find(|note| rest.starts_with(note))?;
            let is_whole = rest.get(note.len()).is_none_or(|next| !next.is_ascii_alphanumeric() && *next != b'_');
            is_whole.then_some(start)
        });
        match word.filter(|_| !is_continued) {
            Some(word) => {
                known.extend_from_slice(&line[..word]);
                known.extend_from_slice(b"pragma ");
                known.extend_from_slice(&line[word..]);
            }
            None => known.extend_from_slice(line),
        }
        is_continued = line.ends_with(b"\\\n") || line.ends_with(b"\\\r\n");
    }
    known
}

/// Where the C library's headers are.
#[derive(Debug)]
pub(crate) struct SystemDirectories {
    /// In the order of search. The headers that a compiler ships (`stddef.h` …) come from the front end itself and are
    /// searched before these.
    pub(crate) directories: Vec<PathBuf>,
}

impl SystemDirectories {
    /// Those of this machine: the usual places; `cc` is asked only when they hold no C library.
    pub(crate) fn of_this_machine() -> &'static SystemDirectories {
        static DIRECTORIES: OnceLock<SystemDirectories> = OnceLock::new();
        DIRECTORIES.get_or_init(|| {
            let mut directories: Vec<PathBuf> = [
                "/usr/local/include",
                "/usr/include/x86_64-linux-gnu",
                "/usr/include/aarch64-linux-gnu",
                "/usr/include",
            ]
            .into_iter()
            .map(PathBuf::from)
            .filter(|directory| directory.is_dir())
            .collect();
            if !directories.iter().any(|directory| directory.join("stdio.h").is_file()) {
                directories.extend(directories_of_the_compiler());
            }
            directories.extend(headers_of_gcc());
            SystemDirectories { directories }
        })
    }
}

/// The first directory of the search that holds the C library's headers.
#[must_use]
pub fn library_headers() -> Option<PathBuf> {
    let directories = &SystemDirectories::of_this_machine().directories;
    directories.iter().find(|directory| directory.join("stdio.h").is_file()).cloned()
}

/// gcc's own headers, for those that the front end does not ship (`omp.h` …): the newest version found.
fn headers_of_gcc() -> Option<PathBuf> {
    let root = Path::new("/usr/lib/gcc/x86_64-linux-gnu");
    let versions = std::fs::read_dir(root).ok()?;
    let newest = versions
        .flatten()
        .filter_map(|entry| {
            entry.file_name().to_str()?.split('.').next()?.parse::<u32>().ok().map(|v| (v, entry.path()))
        })
        .max_by_key(|(version, _)| *version)?;
    Some(newest.1.join("include")).filter(|directory| directory.is_dir())
}

/// What `cc -v` lists between "search starts here" and "End of search list".
fn directories_of_the_compiler() -> Vec<PathBuf> {
    let output = Command::new("cc").args(["-E", "-v", "-x", "c", "/dev/null"]).stdin(Stdio::null()).output();
    let Ok(output) = output else { return Vec::new() };
    let text = String::from_utf8_lossy(&output.stderr);
    text.lines()
        .skip_while(|line| !line.starts_with("#include <...>"))
        .skip(1)
        .take_while(|line| line.starts_with(' '))
        .map(|line| PathBuf::from(line.trim()))
        .collect()
}
