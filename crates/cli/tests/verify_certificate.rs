//! `heapwise verify-certificate`: what `check --certificate` wrote is accepted for its own program and question, and for no other.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

const LIST: &str = "\
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };
int main(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            break;
        n->next = list;
        list = n;
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
";

fn run(directory: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_heapwise"));
    let output = command.args(arguments).current_dir(directory).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_proof_is_written_and_accepted_and_fits_nothing_else() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    std::fs::write(path.join("list.c"), LIST).unwrap();
    std::fs::write(path.join("lost.c"), LIST.replace("free(list);", "")).unwrap();
    let check = ["check", "list.c", "--engine", "refine", "--certificate", "proof"];
    let (status, stdout, stderr) = run(path, &check);
    assert_eq!(status, 0, "{stdout}{stderr}");
    assert!(stdout.contains("certificate: a reachability tree of "), "{stdout}");
    let (status, stdout, stderr) = run(path, &["verify-certificate", "proof", "list.c"]);
    assert_eq!(status, 0, "{stdout}{stderr}");
    assert!(stdout.starts_with("accepted: "), "{stdout}");
    for (arguments, why) in [
        (vec!["lost.c"], "another program"),
        (vec!["list.c", "--property", "leak"], "the question is leak from `main`"),
        (vec!["list.c", "--assume-malloc-succeeds"], "where allocation never fails"),
    ] {
        let (status, stdout, stderr) = run(path, &[&["verify-certificate", "proof"], arguments.as_slice()].concat());
        assert_eq!(status, 1, "{stdout}{stderr}");
        assert!(stdout.starts_with("rejected: ") && stdout.contains(why), "{stdout}");
    }
}

#[test]
fn what_is_no_certificate_could_not_be_run() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    std::fs::write(path.join("list.c"), LIST).unwrap();
    let (status, _, stderr) = run(path, &["verify-certificate", "list.c", "list.c"]);
    assert_eq!(status, 2);
    assert!(stderr.starts_with("list.c:1: error: expected `heapwise certificate 2`"), "{stderr}");
    assert_eq!(run(path, &["verify-certificate", "missing", "list.c"]).0, 2);
    // Only an engine that makes certificates can be asked for one.
    let (status, _, stderr) = run(path, &["check", "list.c", "--engine", "graph", "--certificate", "proof"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("the engine graph has no certificates"), "{stderr}");
    // There is none where the verdict is not safe.
    std::fs::write(path.join("lost.c"), LIST.replace("free(list);", "")).unwrap();
    let (status, ..) = run(path, &["check", "lost.c", "--engine", "refine", "--certificate", "proof"]);
    assert_eq!(status, 1);
    assert!(!path.join("proof").exists());
}
