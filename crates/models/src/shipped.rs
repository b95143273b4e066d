//! The shipped files, read as far as they are asked for.
//!
//! A program calls a few of the functions that they know. So a file is only cut into its tables at first, by name; a
//! table is read when one of its functions is asked for. The tests compare that with reading the whole files.

use crate::{Model, Models, file};
use heapwise_ir::NullResult;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::sync::{LazyLock, OnceLock};

/// A shipped file.
pub(crate) struct File {
    /// Its name, for errors.
    pub(crate) name: &'static str,
    /// What it says.
    pub(crate) text: &'static str,
}

/// The shipped files. No two of them speak of one function.
pub(crate) const FILES: [File; 5] = [
    File { name: "libc.toml", text: include_str!("../data/libc.toml") },
    File { name: "iso.toml", text: include_str!("../data/iso.toml") },
    File { name: "posix.toml", text: include_str!("../data/posix.toml") },
    File { name: "ncurses.toml", text: include_str!("../data/ncurses.toml") },
    File { name: "zlib.toml", text: include_str!("../data/zlib.toml") },
];

/// The tables that speak of one function, and what they say once they were read.
#[derive(Default)]
struct Entry {
    model: &'static str,
    result: Option<&'static str>,
    read: OnceLock<Model>,
}

/// The functions by name, in the order of the file.
static ENTRIES: LazyLock<IndexMap<&'static str, Entry, FxBuildHasher>> = LazyLock::new(|| {
    let mut entries: IndexMap<&'static str, Entry, FxBuildHasher> = IndexMap::default();
    for table in tables("[[model]]") {
        entries.extend(names(table).map(|name| (name, Entry { model: table, ..Entry::default() })));
    }
    for table in tables("[[result]]") {
        for name in names(table) {
            if let Some(entry) = entries.get_mut(name) {
                entry.result = Some(table);
            }
        }
    }
    entries
});

/// The variables. They are few.
static VARIABLES: LazyLock<Models> = LazyLock::new(|| {
    let mut variables = Models::default();
    for file in &FILES {
        let text: String = tables_of(file.text).filter(|table| table.starts_with("[[variable]]")).collect();
        match Models::parse(file.name, &text) {
            Ok(models) => variables.extend(models),
            Err(error) => unreachable!("the shipped models are read in tests: {error}"),
        }
    }
    variables
});

/// The tables of one sort, each from its header to the next one.
fn tables(header: &'static str) -> impl Iterator<Item = &'static str> {
    FILES.iter().flat_map(|file| tables_of(file.text)).filter(move |table| table.starts_with(header))
}

fn tables_of(text: &'static str) -> impl Iterator<Item = &'static str> {
    let mut starts = text.match_indices("\n[[").map(|(at, _)| at + 1).peekable();
    std::iter::from_fn(move || {
        let start = starts.next()?;
        Some(&text[start..starts.peek().copied().unwrap_or(text.len())])
    })
}

/// The names between quotes in the list `functions` of a table.
fn names(table: &'static str) -> impl Iterator<Item = &'static str> {
    let list = table.split_once("\nfunctions = [").map_or("", |(_, rest)| rest);
    let list = list.split_once(']').map_or("", |(list, _)| list);
    list.split('"').skip(1).step_by(2)
}

/// The model of a function.
pub(crate) fn get(name: &str) -> Option<&'static Model> {
    let (name, entry) = ENTRIES.get_key_value(name)?;
    Some(read(name, entry))
}

/// All models.
pub(crate) fn iter() -> impl Iterator<Item = &'static Model> {
    ENTRIES.iter().map(|(name, entry)| read(name, entry))
}

fn read(name: &str, entry: &'static Entry) -> &'static Model {
    entry.read.get_or_init(|| match file::read_one(name, entry.model, entry.result) {
        Ok(model) => model,
        Err(problem) => {
            unreachable!("the shipped models are read in tests: {}", problem.locate("a shipped table", entry.model))
        }
    })
}

/// What a variable holds.
pub(crate) fn variable(name: &str) -> Option<NullResult> {
    VARIABLES.variable(name)
}
