//! `compile_commands.json`, the list of compiler calls that CMake, Meson, Bear and others write.

use super::failure::CannotRun;
use heapwise_cfront::{Flags, Unit};
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The units of the database at `place` (the file, or the directory that holds it): all of them, or those of `files`.
pub(crate) fn units(place: &Path, files: &[PathBuf], extra: &[String]) -> Result<Vec<Unit>, CannotRun> {
    let path = if place.is_dir() { place.join("compile_commands.json") } else { place.to_owned() };
    let text = std::fs::read_to_string(&path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => CannotRun::usage(
            format!("there is no `{}`", path.display()),
            "let the build write it: cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or bear -- make",
        ),
        _ => CannotRun::reading(&path, &error),
    })?;
    let entries = parse(&path, &text)?;
    // The calls for each file, in the order of the first.
    let mut files_in_order: Vec<PathBuf> = Vec::new();
    let mut calls: HashMap<PathBuf, Vec<&Entry>> = HashMap::new();
    for entry in &entries {
        let calls_for_file = calls.entry(canonical(&entry.file)).or_default();
        if calls_for_file.is_empty() {
            files_in_order.push(canonical(&entry.file));
        }
        calls_for_file.push(entry);
    }
    if files.is_empty() {
        return files_in_order.iter().map(|file| one_unit(&path, &calls[file], extra)).collect();
    }
    files
        .iter()
        .map(|file| {
            let calls = calls.get(&canonical(file)).ok_or_else(|| {
                CannotRun::usage(
                    format!("`{}` has no entry for `{}`", path.display(), file.display()),
                    "leave the file away to analyse all entries, or leave -p away to give the flags yourself",
                )
            })?;
            one_unit(&path, calls, extra)
        })
        .collect()
}

/// The unit that all calls for one file mean. A file that is compiled in several ways is several programs.
fn one_unit(database: &Path, calls: &[&Entry], extra: &[String]) -> Result<Unit, CannotRun> {
    let (first, others) = calls.split_first().expect("a file is there because of a call");
    let unit = first.unit(database, extra)?;
    for other in others {
        if other.unit(database, extra)?.flags != unit.flags {
            let (path, file) = (database.display(), unit.path.display());
            let (one, two) = (first.number, other.number);
            return Err(CannotRun::usage(
                format!("{path}: entries {one} and {two} compile `{file}` with different options"),
                "keep the entries of one build in the database, or leave -p away to give the flags yourself",
            ));
        }
    }
    Ok(unit)
}

/// One compiler call.
struct Entry {
    /// Its place in the list, from 1.
    number: usize,
    file: PathBuf,
    directory: PathBuf,
    arguments: Vec<String>,
}

impl Entry {
    fn unit(&self, database: &Path, extra: &[String]) -> Result<Unit, CannotRun> {
        let path = shown(&self.file);
        let arguments = self.arguments.iter().chain(extra).map(String::as_str);
        let flags = Flags::from_arguments(arguments, &self.directory).map_err(|refused| {
            let place = format!("{}: {}", database.display(), path.display());
            CannotRun::refused(Some(&place), refused)
        })?;
        Ok(Unit { path, flags })
    }
}

/// The path as the user would write it: relative where it lies under the current directory.
fn shown(file: &Path) -> PathBuf {
    let current = std::env::current_dir().unwrap_or_default();
    // `build/../src/a.c` is `src/a.c`, unless a link says otherwise.
    let under = |path: &Path, directory: &Path| path.strip_prefix(directory).ok().map(Path::to_owned);
    under(&canonical(file), &canonical(&current)).or_else(|| under(file, &current)).unwrap_or_else(|| file.to_owned())
}

fn canonical(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The entries of C files.
fn parse(path: &Path, text: &str) -> Result<Vec<Entry>, CannotRun> {
    let name = path.display().to_string();
    let value: Value = serde_json::from_str(text).map_err(|error| CannotRun::InFile {
        file: name.clone(),
        line: error.line(),
        message: error.to_string(),
        hint: Some("the file must be a JSON compilation database".to_owned()),
    })?;
    let wrong = |message: String| CannotRun::Problem { message: format!("{name}: {message}"), hint: None };
    let list = value.as_array().ok_or_else(|| wrong("must be a list of compiler calls".to_owned()))?;
    let mut entries: Vec<Entry> = Vec::new();
    for (index, item) in list.iter().enumerate() {
        let entry = entry(index + 1, item, path).ok_or_else(|| {
            wrong(format!("entry {} needs `directory`, `file`, and `arguments` or `command`", index + 1))
        })?;
        let is_c = entry.file.extension().is_some_and(|extension| extension == "c" || extension == "i");
        if is_c {
            entries.push(entry);
        }
    }
    if entries.is_empty() {
        return Err(wrong("has no C file".to_owned()));
    }
    Ok(entries)
}

fn entry(number: usize, item: &Value, database: &Path) -> Option<Entry> {
    let base = database.parent().unwrap_or(Path::new(""));
    let directory = base.join(item.get("directory")?.as_str()?);
    let file = directory.join(item.get("file")?.as_str()?);
    let arguments = match (item.get("arguments"), item.get("command")) {
        (Some(list), _) => {
            list.as_array()?.iter().map(|word| word.as_str().map(str::to_owned)).collect::<Option<_>>()?
        }
        (None, Some(command)) => shlex::split(command.as_str()?)?,
        (None, None) => return None,
    };
    Some(Entry { number, file, directory, arguments })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read_and_other_languages_passed_over() {
        let text = r#"[
            {"directory": "/w", "file": "a.c", "command": "cc -DX='1 2' -c a.c"},
            {"directory": "/w", "file": "b.cc", "arguments": ["c++", "b.cc"]},
            {"directory": "/w", "file": "sub/c.c", "arguments": ["cc", "-Iinc", "sub/c.c"]},
            {"directory": "/w", "file": "a.c", "command": "cc a.c"}
        ]"#;
        let entries = parse(Path::new("/w/compile_commands.json"), text).unwrap();
        let files: Vec<_> = entries.iter().map(|entry| entry.file.display().to_string()).collect();
        assert_eq!(files, ["/w/a.c", "/w/sub/c.c", "/w/a.c"]);
        assert_eq!(entries[0].arguments, ["cc", "-DX=1 2", "-c", "a.c"]);
    }

    #[test]
    fn a_broken_database_is_an_error_with_a_line() {
        let error =
            |text: &str| parse(Path::new("cc.json"), text).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error("[\n{]").starts_with("cc.json:2: error: "));
        assert_eq!(error("{}"), "error: cc.json: must be a list of compiler calls");
        assert!(error("[{\"file\": \"a.c\"}]").contains("entry 1 needs `directory`"));
        assert_eq!(error("[]"), "error: cc.json: has no C file");
    }
}
