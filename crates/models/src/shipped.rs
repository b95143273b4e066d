//! The shipped file, read as far as it is asked for.
//!
//! A program calls a few of the functions that the file knows. So the file is only cut into its tables at first, by name; a
//! table is read when one of its functions is asked for. The tests compare that with reading the whole file.

use crate::{Model, Models, file};
use heapwise_ir::NullResult;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::sync::{LazyLock, OnceLock};

/// The shipped file.
pub(crate) const TEXT: &str = include_str!("../data/libc.toml");

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
    let text: String = tables("[[variable]]").collect();
    match Models::parse("libc.toml", &text) {
        Ok(models) => models,
        Err(error) => unreachable!("the shipped models are read in tests: {error}"),
    }
});

/// The tables of one sort, each from its header to the next one.
fn tables(header: &'static str) -> impl Iterator<Item = &'static str> {
    let starts = TEXT.match_indices("\n[[").map(|(at, _)| at + 1);
    let mut starts = starts.peekable();
    std::iter::from_fn(move || {
        let start = starts.next()?;
        Some(&TEXT[start..starts.peek().copied().unwrap_or(TEXT.len())])
    })
    .filter(move |table| table.starts_with(header))
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
            unreachable!("the shipped models are read in tests: {}", problem.locate("libc.toml", entry.model))
        }
    })
}

/// What a variable holds.
pub(crate) fn variable(name: &str) -> Option<NullResult> {
    VARIABLES.variable(name)
}
