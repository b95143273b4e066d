//! Input that is unusual but not wrong, or wrong in unusual ways: encodings, line ends, files that are no C, deep nesting.

#![allow(clippy::unwrap_used)]

use expect_test::{Expect, expect};
use std::process::Command;
use tempfile::TempDir;

/// Runs the command in a fresh directory with these files; gives status, standard output and standard error.
fn run(files: &[(&str, &[u8])], arguments: &[&str]) -> (i32, String, String) {
    let directory: TempDir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(directory.path().join(name), text).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_heapwise"));
    let output = command.args(arguments).current_dir(directory.path()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

fn cannot_run(files: &[(&str, &[u8])], arguments: &[&str], expected: Expect) {
    let (status, stdout, stderr) = run(files, arguments);
    assert_eq!((status, stdout.as_str()), (2, ""), "{stderr}");
    expected.assert_eq(&stderr);
}

/// The excerpt of the first finding.
fn excerpt(text: &[u8], expected: Expect) {
    let (status, stdout, stderr) = run(&[("a.c", text)], &["check", "a.c"]);
    assert_eq!(status, 1, "{stdout}{stderr}");
    let first: Vec<&str> = stdout.lines().take_while(|line| !line.starts_with("note")).collect();
    expected.assert_eq(&(first.join("\n") + "\n"));
}

#[test]
fn bytes_of_an_older_encoding_do_not_shift_the_excerpt() {
    excerpt(
        b"#include <stdlib.h>\nint main(void) {\n\tchar *s = \"caf\xe9 \xff\"; int *p = malloc(4); /* \xe9 */ p = NULL;\n\treturn s[0];\n}\n",
        expect![[r#"
            error[leak]: the heap object allocated at line 3 is lost: nothing points to it any more
             --> a.c:3:50
              |
            3 |     char *s = "caf? ?"; int *p = malloc(4); /* ? */ p = NULL;
              |                                                     ^^^^^^^^ the last reference is lost in `main`
              |
        "#]],
    );
}

#[test]
fn carriage_returns_are_not_shown() {
    excerpt(
        b"#include <stdlib.h>\r\nint main(void) {\r\n\tint *p = malloc(4);\r\n\tp = NULL;\r\n\treturn 0;\r\n}\r\n",
        expect![[r#"
            error[leak]: the heap object allocated at line 3 is lost: nothing points to it any more
             --> a.c:4:2
              |
            4 |     p = NULL;
              |     ^^^^^^^^ the last reference is lost in `main`
              |
        "#]],
    );
}

#[test]
fn the_excerpt_is_of_the_users_text_when_the_compiler_preprocesses() {
    // A null character is more than heapwise's own preprocessor takes.
    excerpt(
        b"int main(void) {\n    int *p = 0;\n\0\n    *p = 1;\n    return 0;\n}\n",
        expect![[r#"
        error[null-deref]: memory is written through a null pointer
         --> a.c:4:5
          |
        4 |     *p = 1;
          |     ^^^^^^ dereferences null in `main`
          |
    "#]],
    );
}

#[test]
fn an_object_file_is_no_empty_program() {
    let files: [(&str, &[u8]); 2] =
        [("a.o", b"\x7fELF\x02\x01\x01\0\0\0\0\0"), ("main.c", b"int main(void) { return 0; }\n")];
    cannot_run(
        &files,
        &["check", "main.c", "a.o"],
        expect![[r#"
            a.o: error: is compiled code, not C text
              hint: name the C files that it was made from
        "#]],
    );
}

#[test]
fn files_are_named_once_and_by_name() {
    let files: [(&str, &[u8]); 1] = [("a.c", b"int main(void) { return 0; }\n")];
    cannot_run(
        &files,
        &["check", "a.c", "./a.c"],
        expect![[r#"
        error: `./a.c` is given twice
          hint: name each file once
    "#]],
    );
    cannot_run(
        &files,
        &["check", "-"],
        expect![[r#"
        error: `-` is no file
          hint: standard input is called /dev/stdin
    "#]],
    );
    cannot_run(
        &files,
        &["check", "a.c", "--time", "-1"],
        expect![[r#"
        error: `-1` is no time
          hint: give seconds, more than 0, such as 10 or 0.5
    "#]],
    );
    cannot_run(
        &files,
        &["check", "a.c", "--memory", "-1"],
        expect![[r#"
        error: `-1` is no size
          hint: give a number with K, M or G, such as 2G
    "#]],
    );
    cannot_run(
        &files,
        &["check", "a.c", "--memory", "500"],
        expect![[r#"
        error: `500` is too little memory to run in
          hint: a number without a letter counts bytes; did you mean 500M?
    "#]],
    );
    cannot_run(
        &[("s.tvp", b"%p x(v) // caf\xe9\n")],
        &["tvla", "s.tvp"],
        expect![[r#"
        error: cannot read `s.tvp`: stream did not contain valid UTF-8
          hint: the file must be text in UTF-8
    "#]],
    );
}

#[test]
fn a_compilers_command_line_can_be_pasted() {
    let files: [(&str, &[u8]); 1] = [("a.c", b"int main(void) { return 0; }\n")];
    let (status, _, stderr) = run(&files, &["check", "-Wall", "-Wextra", "-g", "-Og", "-c", "-pthread", "a.c"]);
    assert_eq!(status, 0, "{stderr}");
}

#[test]
fn bench_helps_without_a_table() {
    let (status, stdout, stderr) = run(&[], &["bench", "--help"]);
    assert!(status == 0 && stdout.contains("Tables: ") && stderr.is_empty(), "{stdout}{stderr}");
}

#[test]
fn steps_name_expressions_as_c_does_and_follow_time_down_the_page() {
    let text = b"#include <stdlib.h>
struct node { int value; struct node *next; };
static void drop(struct node **link, int v) {
    while (*link && (*link)->value != v) link = &(*link)->next;
    if (*link)
        *link = (*link)->next;
}
int main(void) {
    struct node *b = malloc(sizeof *b);
    if (!b) abort();
    struct node a = {1, b};
    b->value = 2;
    b->next = NULL;
    struct node *head = &a;
    drop(&head, 2);
    return 0;
}
";
    let (status, stdout, stderr) = run(&[("a.c", text)], &["check", "a.c", "--engine", "explicit"]);
    assert_eq!(status, 1, "{stdout}{stderr}");
    let in_drop = stdout.split_once("note: in `drop`").unwrap().1;
    expect![[r#"

          --> a.c:4:12
           |
         4 |     while (*link && (*link)->value != v) link = &(*link)->next;
           |            -----     ------------------ 8. `(*link)->value != v`
           |            |
           |            7. `*link != NULL`
        note: in `drop`
          --> a.c:4:12
           |
         4 |     while (*link && (*link)->value != v) link = &(*link)->next;
           |            -----     ------------------ 10. `(*link)->value == v`
           |            |
           |            9. `*link != NULL`
         5 |     if (*link)
           |         ----- 11. `*link != NULL`
         6 |         *link = (*link)->next;
           |         --------------------- 12. `*link = NULL`
        note: in `main`
          --> a.c:16:5
           |
        16 |     return 0;
           |     --------- 13. the heap object allocated at line 9 is lost: nothing points to it any more

        note: explored 1 state up to depth 1, exhaustively
        unsafe: 1 confirmed finding (engine explicit, 1 element, 31 locations)
    "#]]
    .assert_eq(in_drop);
}

#[test]
fn a_wrong_value_in_the_configuration_has_a_line() {
    let a: (&str, &[u8]) = ("a.c", b"int main(void) { return 0; }\n");
    let wrong = |text: &str, expected: Expect| {
        cannot_run(&[a, ("h.toml", text.as_bytes())], &["check", "a.c", "--config", "h.toml"], expected);
    };
    wrong(
        "\nengine = \"grph\"\n",
        expect![[r#"
        h.toml:2: error: no engine is called `grph`
          hint: did you mean `graph`?
    "#]],
    );
    wrong(
        "properties = [\"leek\"]\n",
        expect![[r#"
        h.toml:1: error: no property is called `leek`
          hint: did you mean `leak`?
    "#]],
    );
    wrong(
        "time = -1\n",
        expect![[r#"
        h.toml:1: error: `-1` is no time
          hint: give seconds, more than 0, such as 10 or 0.5
    "#]],
    );
    wrong(
        "memory = \"2X\"\n",
        expect![[r#"
        h.toml:1: error: `2X` is no size
          hint: give a number with K, M or G, such as 2G
    "#]],
    );
}

#[test]
fn files_of_a_compilation_database_are_named_as_the_user_would() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = directory.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("src/a.c", "int main(void) { int *p = 0; return *p; }\n");
    write(
        "build/compile_commands.json",
        r#"[{"directory": ".", "file": "../src/a.c", "command": "cc -Wall -c ../src/a.c"}]"#,
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_heapwise"));
    let output = command.args(["check", "-q", "-p", "build"]).current_dir(directory.path()).output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.starts_with("src/a.c:1:"), "{stdout}");
}

#[test]
fn a_function_with_thousands_of_branches_fits_into_memory() {
    let branches: String = (0..5000).map(|number| format!("if (x == {number}) x++; else\n")).collect();
    let text = format!("int x;\nint main(void) {{\n{branches} x = 1;\n    return 0;\n}}\n");
    let (status, stdout, stderr) =
        run(&[("a.c", text.as_bytes())], &["check", "a.c", "--engine", "graph", "--time", "30", "--timings"]);
    assert_eq!(status, 0, "{stdout}{stderr}");
    let megabytes: u32 = stdout.trim_end().strip_suffix(" MB)").unwrap().rsplit(' ').next().unwrap().parse().unwrap();
    assert!(megabytes < 1000, "{stdout}");
}

#[test]
fn a_literal_that_goes_on_behind_the_last_line_is_an_error() {
    let (status, stdout, stderr) = run(&[("a.c", b"int main(void) { char *s = \"a\\\n")], &["check", "a.c"]);
    assert_eq!((status, stdout.as_str()), (2, ""), "{stderr}");
    assert!(stderr.contains("a.c:1") && !stderr.contains("front end failed"), "{stderr}");
}
