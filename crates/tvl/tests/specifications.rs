//! Our specifications, whole: what each says, and how many structures it takes. A count that changes is to be
//! looked at; a verdict or message that changes is a fault.

#![allow(clippy::unwrap_used)]

use expect_test::{Expect, expect};
use heapwise_tvl::embed::embeds;
use heapwise_tvl::join::Join;
use heapwise_tvl::tvla::{File, TvlaOptions, TvlaReport, run};
use heapwise_tvl::tvp::preprocess::DiskFiles;
use heapwise_tvl::tvp::tvs;
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/tvp")
}

/// The programs of a directory: files that include another one.
fn programs(directory: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(root().join(directory))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "tvp"))
        .filter(|path| std::fs::read_to_string(path).unwrap().contains("#include"))
        .collect();
    found.sort();
    found
}

fn analyse(program: &Path, join: Join) -> TvlaReport {
    analyse_with(program, &TvlaOptions { join, ..TvlaOptions::default() })
}

fn analyse_with(program: &Path, options: &TvlaOptions) -> TvlaReport {
    let text = std::fs::read_to_string(program).unwrap();
    let input = program.with_extension("tvs");
    let input_text = std::fs::read_to_string(&input).ok();
    let (path, input_path) = (program.display().to_string(), input.display().to_string());
    let input = input_text.as_ref().map(|text| File { path: &input_path, text });
    run(File { path: &path, text: &text }, input, &DiskFiles::default(), options).unwrap()
}

fn check(directory: &str, expected: &Expect) {
    check_joined(directory, Join::Relational, expected);
}

fn check_joined(directory: &str, join: Join, expected: &Expect) {
    let mut out = String::new();
    for program in programs(directory) {
        let report = analyse(&program, join);
        let name = program.file_stem().unwrap().to_string_lossy();
        let (total, largest) = (report.total(), report.largest());
        let _ = writeln!(out, "{name}: {:?}, {total} structures, at most {largest} in a location", report.verdict());
        for message in &report.messages {
            let _ = writeln!(out, "  {}, {}: {}", message.location, message.action, message.text);
        }
        assert_eq!(report.warnings, [], "{name}");
    }
    expected.assert_eq(&out);
}

#[test]
fn lists() {
    check(
        "lists",
        &expect![[r#"
        append: Verified, 201 structures, at most 36 in a location
        create: Verified, 36 structures, at most 4 in a location
        cycle_closed: Violated, 53 structures, at most 12 in a location
          check1, assert acyclic list x: the list x may be cyclic
        cyclic_delete: Verified, 41 structures, at most 4 in a location
        cyclic_insert: Verified, 28 structures, at most 3 in a location
        cyclic_traverse: Verified, 22 structures, at most 7 in a location
        delete: Verified, 117 structures, at most 12 in a location
        insert: Verified, 134 structures, at most 12 in a location
        merge: Verified, 415 structures, at most 48 in a location
        reverse: Verified, 89 structures, at most 15 in a location
        rotate: Verified, 71 structures, at most 12 in a location
        search: Violated, 51 structures, at most 16 in a location
          found, t = p->n: null dereference of p
        search_checked: Verified, 63 structures, at most 16 in a location
        swap: Verified, 51 structures, at most 5 in a location
    "#]],
    );
}

#[test]
fn sorted_lists() {
    check(
        "sorted",
        &expect![[r#"
        insert_sorted: Verified, 147 structures, at most 15 in a location
        insert_unsorted: Violated, 23 structures, at most 3 in a location
          done, assert x sorted: the list x may not be sorted
        insertion_sort: Verified, 774 structures, at most 75 in a location
    "#]],
    );
}

/// As large as the sorting programs that come with TVLA, with its join: a few thousand structures.
#[test]
fn large_specifications() {
    check_joined(
        "large",
        Join::Partial,
        &expect![[r#"
        insertion_sort_in_place: Verified, 5193 structures, at most 543 in a location
    "#]],
    );
}

#[test]
fn doubly_linked_lists() {
    check(
        "doubly",
        &expect![[r#"
        concatenate: Verified, 232 structures, at most 54 in a location
        insert_after: Verified, 174 structures, at most 18 in a location
        insert_broken: Violated, 25 structures, at most 3 in a location
          done2, assert doubly linked list x: the list x may not be doubly linked
        remove: Verified, 198 structures, at most 18 in a location
        splice: Verified, 247 structures, at most 36 in a location
    "#]],
    );
}

#[test]
fn trees() {
    check(
        "trees",
        &expect![[r#"
        delete: Verified, 1978 structures, at most 265 in a location
        deutsch_schorr_waite: Verified, 5456 structures, at most 720 in a location
        insert: Verified, 838 structures, at most 196 in a location
        rotate: Verified, 90 structures, at most 12 in a location
    "#]],
    );
}

#[test]
fn several_lists() {
    check(
        "multi",
        &expect![[r#"
        join3: Verified, 617 structures, at most 108 in a location
        join5: Verified, 1273 structures, at most 192 in a location
        split3: Verified, 3056 structures, at most 432 in a location
        split5: Verified, 71936 structures, at most 11520 in a location
    "#]],
    );
}

/// What the relational analysis finds is represented in the coarser ones: every message, with the partial join every
/// structure, with the single one every concrete structure (two individuals that blur merged may stay apart in the
/// single structure, where names can be 1/2, so abstract structures need not embed as such).
#[test]
fn coarser_joins_represent_what_the_relational_one_finds() {
    for program in programs("lists").into_iter().chain(programs("doubly")) {
        let relational = analyse(&program, Join::Relational);
        // One structure for everything has many individuals that may be absent: it is tried on the small programs.
        let joins = if relational.total() <= 45 { &[Join::Partial, Join::Single][..] } else { &[Join::Partial] };
        for join in joins.iter().copied() {
            let coarse = analyse(&program, join);
            for message in &relational.messages {
                assert!(coarse.messages.iter().any(|m| (&m.action, &m.text) == (&message.action, &message.text)));
            }
            for (fine, coarse) in relational.locations.iter().zip(&coarse.locations) {
                if join == Join::Single {
                    assert!(coarse.structures.len() <= 1);
                }
                for structure in fine.structures.iter().filter(|s| join == Join::Partial || s.summaries() == 0) {
                    let represented = coarse.structures.iter().any(|c| embeds(structure, c));
                    assert!(represented, "{}: {:?} loses a structure at {}", program.display(), join, fine.name);
                }
            }
        }
    }
}

/// The structures that a run writes are the structures that a reader gets.
#[test]
fn written_structures_are_read_back() {
    for program in programs("lists") {
        let report = analyse(&program, Join::Relational);
        let vocabulary = &report.specification.vocabulary;
        let text = report.structures_text();
        let read = tvs::parse("out.tvs", &text, vocabulary, &DiskFiles::default(), &[]).unwrap();
        let written: Vec<_> = report.locations.iter().flat_map(|l| l.structures.iter().cloned()).collect();
        let read: Vec<_> = read.structures.into_iter().map(|(_, s)| s).collect();
        assert_eq!(read, written, "{}", program.display());
    }
}

/// Two runs give the same bytes.
#[test]
fn runs_are_deterministic() {
    let program = root().join("lists/merge.tvp");
    let (first, second) = (analyse(&program, Join::Relational), analyse(&program, Join::Relational));
    assert_eq!(first.structures_text(), second.structures_text());
    assert_eq!(first.summary(), second.summary());
}

/// Threads change nothing but the time.
#[test]
fn any_number_of_threads_gives_the_same_report() {
    for directory in ["lists", "sorted", "doubly", "trees", "multi", "large"] {
        for program in programs(directory) {
            let [one, four] = [1, 4].map(|jobs| {
                let jobs = std::num::NonZeroUsize::new(jobs).unwrap();
                let report = analyse_with(&program, &TvlaOptions { jobs, ..TvlaOptions::default() });
                (report.summary(), report.structures_text())
            });
            assert!(one == four, "{}", program.display());
        }
    }
}
