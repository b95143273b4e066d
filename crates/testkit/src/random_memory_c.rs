//! Random C programs about memory: linked records on the heap and the stack, addresses of locals and members, copies of
//! bytes, casts, unions, calls, and now and then a mistake.
//!
//! The same seed gives the same text, and gcc compiles all of them. One program in four is written with care: null is
//! tested, everything is initialised, what is gone is not used, everything is freed once. The others make slips at the same
//! places. What a program does is not known here: runs of it tell ([`crate::soundness`]). Probes (`if (...) *(int *)0 = 1;`) turn
//! a value that an engine has wrong into an error that it misses.

mod address;
mod bytes;
mod declare;
mod function;
mod gone;
mod heap;
mod place;
mod pointer;
mod record;
mod scope;
mod slots;
mod statement;
mod theme;
mod trap;
mod worker;

use crate::random_c::random::Random;
use function::Function;
use record::Record;
use scope::{Readiness, Scope, Type};
use std::fmt::Write as _;
use theme::Themes;

/// The text of the program of this seed.
pub fn program(seed: u64) -> String {
    Generator::new(seed).program()
}

/// What a line of [`LIBRARY`] declares.
fn declared(line: &str) -> Option<&str> {
    line.split('(').next()?.rsplit([' ', '*']).next()
}

/// Whether a text calls that function.
fn calls(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        text[at + name.len()..].starts_with('(') && !text[..at].ends_with(is_part)
    })
}

/// How a program is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Care {
    /// As well as the generator knows how.
    Careful,
    /// One chance for a mistake in so many leads to one, as long as there are some left: a program full of mistakes shows only
    /// the first.
    Slips { once_in: usize, left: usize },
}

/// What is known while the text is written.
struct Generator {
    random: Random,
    care: Care,
    themes: Themes,
    records: Vec<Record>,
    /// Functions written so far, with their names.
    functions: Vec<(Function, String)>,
    workers: Vec<worker::Worker>,
    /// Whether the function at hand is a worker.
    in_worker: bool,
    /// The text of the finished functions.
    finished: String,
    globals: Scope,
    /// The text of the function at hand.
    text: String,
    indent: usize,
    /// Counts fresh names.
    names: usize,
}

/// What programs use of the library, by name, and a function that does nothing. The headers are longer than most programs, and take longer to read.
const LIBRARY: &str = "\
extern void *malloc(unsigned long size);
extern void *calloc(unsigned long count, unsigned long size);
extern void *realloc(void *block, unsigned long size);
extern void free(void *block);
extern void exit(int status);
extern void abort(void);
extern void *memcpy(void *to, const void *from, unsigned long size);
extern void *memmove(void *to, const void *from, unsigned long size);
extern void *memset(void *block, int byte, unsigned long size);
extern int memcmp(const void *left, const void *right, unsigned long size);
extern char *strcpy(char *to, const char *from);
extern char *strdup(const char *text);
extern unsigned long strlen(const char *text);
extern long time(long *now);
extern int __VERIFIER_nondet_int(void);
#define offsetof(type, member) __builtin_offsetof(type, member)
static void nothing(void) { }
";

impl Generator {
    fn new(seed: u64) -> Generator {
        let mut random = Random::new(seed);
        let care = if random.chance(1, 4) {
            Care::Careful
        } else {
            Care::Slips { once_in: random.between(2, 7), left: random.between(1, 3) }
        };
        let themes = Themes::any(&mut random);
        let records = record::records(&mut random, &themes);
        Generator {
            random,
            care,
            themes,
            records,
            functions: Vec::new(),
            workers: Vec::new(),
            in_worker: false,
            finished: String::new(),
            globals: Scope::default(),
            text: String::new(),
            indent: 0,
            names: 0,
        }
    }

    fn program(mut self) -> String {
        let definitions: String = self.records.iter().map(Record::definition).collect();
        let globals = self.globals();
        self.main();
        let body = format!("{definitions}{globals}{}{}", self.finished, self.text);
        let functions = LIBRARY.lines().filter(|line| declared(line).is_some_and(|name| calls(&body, name)));
        let types = record::SMALL_TYPES
            .lines()
            .filter(|definition| definition.split(" {").next().is_some_and(|name| body.contains(name)));
        functions.chain(types).chain(body.lines()).map(|line| format!("{line}\n")).collect()
    }

    /// Globals: a list, a pointer that remembers, a number, a record.
    fn globals(&mut self) -> String {
        let mut text = String::new();
        if self.random.chance(1, 2) {
            text += "static int *kept;\n";
            self.globals.declare("kept", Type::IntPointer, Readiness::Ready);
        }
        if self.random.chance(1, 3) {
            text += &format!("static int count = {};\n", self.random.below(3));
            self.globals.declare("count", Type::Integer(record::Integer::Int), Readiness::Ready);
        }
        if self.random.chance(1, 4) {
            let record = self.random.below(self.records.len());
            text += &format!("static struct {} shared;\n", self.records[record].name);
            self.globals.declare("shared", Type::Record(record), Readiness::Ready);
        }
        if self.random.chance(1, 5) {
            let record = self.random.below(self.records.len());
            text += &format!("static struct {} *root;\n", self.records[record].name);
            self.globals.declare("root", Type::Cell(record, scope::Role::Borrowed), Readiness::Ready);
        }
        text
    }

    fn main(&mut self) {
        self.line("int main(void) {");
        self.indent += 1;
        let mut scope = self.globals.clone();
        scope.depth = 1;
        for _ in 0..self.random.between(1, 3) {
            self.declaration(&mut scope);
        }
        let most = *self.random.pick(&[2, 3, 6]);
        for _ in 0..self.random.between(1, most) {
            self.statement(&mut scope, 2);
        }
        self.release(&mut scope);
        self.line("return 0;");
        self.indent -= 1;
        self.line("}");
    }

    /// Whether a mistake is made here.
    fn slips(&mut self) -> bool {
        match &mut self.care {
            Care::Careful | Care::Slips { left: 0, .. } => false,
            Care::Slips { once_in, left } => {
                let slips = self.random.chance(1, *once_in);
                *left -= usize::from(slips);
                slips
            }
        }
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:width$}{text}", "", width = 4 * self.indent);
    }

    fn lines(&mut self, lines: &[String]) {
        for line in lines {
            self.line(line);
        }
    }

    /// A statement, behind a test where there is one; a slip forgets the test.
    fn guarded(&mut self, guard: Option<&str>, statement: &str) {
        match guard {
            Some(guard) if !self.slips() => self.line(&format!("if ({guard}) {statement}")),
            Some(_) | None => self.line(statement),
        }
    }

    fn record_name(&self, record: usize) -> &'static str {
        self.records[record].name
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_same_seed_gives_the_same_program() {
        assert_eq!(super::program(7), super::program(7));
        assert_ne!(super::program(7), super::program(8));
    }

    /// A slip that reverses a list in the wrong order declared its next cell twice.
    #[test]
    fn no_line_declares_the_name_of_the_line_before() {
        for seed in (0..2_000).chain([90_008_680]) {
            let text = super::program(seed);
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            let is_declared_twice = |pair: &[&str]| pair[0] == pair[1] && pair[0].starts_with("struct ");
            assert!(!lines.windows(2).any(is_declared_twice), "seed {seed}:\n{text}");
        }
    }

    #[test]
    fn programs_are_small() {
        let lengths: Vec<usize> = (0..200).map(|seed| super::program(seed).lines().count()).collect();
        let mean = lengths.iter().sum::<usize>() / lengths.len();
        assert!((15..=60).contains(&mean), "{mean} lines on average");
    }
}
