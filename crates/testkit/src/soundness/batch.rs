//! Many programs in one executable: gcc reads the headers once, and links once.
//!
//! Each program keeps its text but for the names that it gives to what is outside its functions: they get the program's number.
//! The executable runs the program whose number it is given, as a process of its own.

use super::sanitizers::{Compiled, RUN_LIMIT};
use crate::compiled::{self, Choices, Executable, Instrumentation, Places, Run, Warnings};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// An executable of many programs.
#[derive(Clone, Debug)]
pub struct Batch(Executable);

/// One of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member<'b> {
    batch: &'b Batch,
    number: usize,
}

impl Batch {
    /// Compiles programs together; an error is what gcc said. Those whose text is not in the house style may not compile
    /// together though each does alone.
    pub fn compile(directory: &Path, texts: &[&str]) -> Result<Batch, String> {
        let file = directory.join("batch.c");
        std::fs::write(&file, together(texts)).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
        compiled::compile(directory, "batch", &[file], Instrumentation::MemoryWithoutPlaces, Warnings::Off).map(Batch)
    }

    /// The program of that number.
    pub(super) fn member(&self, number: usize) -> Member<'_> {
        Member { batch: self, number }
    }
}

impl Compiled for Member<'_> {
    fn run(&self, choices: &Choices, places: Places) -> Result<Run, String> {
        let mut command = Command::new(self.batch.0.path());
        command.arg(self.number.to_string());
        compiled::run_on(command, choices, places)
    }
}

/// One text of many.
fn together(texts: &[&str]) -> String {
    let mut all = String::from("extern unsigned alarm(unsigned seconds);\nextern int atoi(const char *text);\n");
    let mut table = String::new();
    for (number, text) in texts.iter().enumerate() {
        all += &with_own_names(text, number);
        let _ = write!(table, "main_{number}, ");
    }
    let _ = write!(
        all,
        "int main(int argc, char **argv) {{
    static int (*const programs[])(void) = {{ {table} }};
    alarm({RUN_LIMIT});
    return programs[atoi(argv[1])]();
}}
"
    );
    all
}

/// The text with a number behind each name that it declares outside functions, on lines that are not indented.
fn with_own_names(text: &str, number: usize) -> String {
    let is_declaration = |line: &&str| !line.starts_with([' ', '#']) && !line.starts_with("extern ");
    let mut own: BTreeSet<&str> = BTreeSet::new();
    for line in text.lines().filter(is_declaration) {
        own.extend(tokens(line).filter(|token| is_name(token) && !OF_C.contains(token)));
    }
    let mut renamed = String::with_capacity(text.len() + text.len() / 4);
    for line in text.split_inclusive('\n') {
        if line.starts_with('#') {
            renamed += line;
            continue;
        }
        for token in tokens(line) {
            renamed += token;
            if own.contains(token) {
                let _ = write!(renamed, "_{number}");
            }
        }
    }
    renamed
}

/// Words of the language and of its library that stand outside functions. One that is missing here makes gcc reject the batch.
const OF_C: [&str; 27] = [
    "NULL",
    "_Bool",
    "char",
    "const",
    "double",
    "enum",
    "extern",
    "float",
    "inline",
    "int",
    "long",
    "offsetof",
    "ptrdiff_t",
    "register",
    "restrict",
    "short",
    "signed",
    "size_t",
    "sizeof",
    "static",
    "struct",
    "time_t",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
];

fn is_name(token: &str) -> bool {
    token.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
}

/// Names, numbers, literals, and what is between them.
fn tokens(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_' || character == '.';
        let length = if first == '"' || first == '\'' {
            literal(rest, first)
        } else if first.is_ascii_digit() {
            rest.find(|character| !is_word(character)).unwrap_or(rest.len())
        } else if first.is_ascii_alphabetic() || first == '_' {
            rest.find(|character| !is_word(character) || character == '.').unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (token, behind) = rest.split_at(length);
        rest = behind;
        Some(token)
    })
}

/// How long a literal is that begins here.
fn literal(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (index, character) in text.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if character == quote => return index + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{Batch, with_own_names};
    use crate::compiled::{Choices, Places};
    use crate::soundness::sanitizers::Compiled as _;
    use expect_test::expect;

    #[test]
    fn names_outside_functions_get_a_number() {
        let text = r#"#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct item { struct item *next; char name[8]; };
static int count = 0x1f;
static void keep(struct item *item) {
    count += item->next == NULL ? 'c' : sizeof "count";
    int other = 1.5 * count;
}
"#;
        expect![[r#"
            #include <stdlib.h>
            extern int __VERIFIER_nondet_int(void);
            struct item_3 { struct item_3 *next_3; char name_3[8]; };
            static int count_3 = 0x1f;
            static void keep_3(struct item_3 *item_3) {
                count_3 += item_3->next_3 == NULL ? 'c' : sizeof "count";
                int other = 1.5 * count_3;
            }
        "#]]
        .assert_eq(&with_own_names(text, 3));
    }

    #[test]
    fn each_program_of_a_batch_runs_alone() {
        let directory = tempfile::tempdir().expect("a directory");
        let good = "static int value;\nint main(void) {\n    return value;\n}\n";
        let bad = "#include <stdlib.h>\nstatic int *value;\nint main(void) {\n    value = malloc(4);\n    free(value);\n    return *value;\n}\n";
        let batch = Batch::compile(directory.path(), &[good, bad, good]).expect("gcc takes them");
        let run = |number| batch.member(number).run(&Choices::Listed(Vec::new()), Places::Unnamed).expect("it starts");
        assert_eq!(run(0).status, Some(0));
        assert!(run(1).stderr.contains("heap-use-after-free"), "{:?}", run(1));
        assert_eq!(run(2).status, Some(0));
    }
}
