//! What a build would compile: the compiler commands among those that `make -n` prints.

use super::SourceUnit;
use std::path::{Path, PathBuf};

/// What the commands of a build compile.
#[derive(Debug, Default)]
pub struct Compiled {
    /// The C files, in the order of the commands, each once.
    pub units: Vec<SourceUnit>,
    /// Commands that may compile and that cannot be split into words.
    pub unread: Vec<String>,
}

/// A command that may compile and that cannot be split into words.
struct Unread;

/// What the commands compile. `directory` is where `make -w` started; `home` is taken from the paths that tables show.
pub(super) fn compiled_by(printed: &str, directory: &Path, home: &Path) -> Compiled {
    let mut directories = vec![directory.to_owned()];
    let mut all = Compiled::default();
    for line in joined_lines(printed) {
        if let Some(entered) = between_quotes(&line, "Entering directory ") {
            directories.push(PathBuf::from(entered));
        } else if line.contains(": Leaving directory ") {
            directories.pop();
        } else {
            let here = directories.last().map_or(directory, PathBuf::as_path);
            for command in line.split(';').flat_map(|part| part.split("&&")) {
                match compiled(command, here, home) {
                    // Libraries are compiled twice, once to be shared.
                    Ok(Some(unit)) if all.units.iter().any(|known| known.path == unit.path) => {}
                    Ok(unit) => all.units.extend(unit),
                    Err(Unread) => all.unread.push(command.trim().to_owned()),
                }
            }
        }
    }
    all
}

/// Lines, those that end with a backslash together with the next.
fn joined_lines(printed: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut open = String::new();
    for line in printed.lines() {
        match line.strip_suffix('\\') {
            Some(begun) => {
                open.push_str(begun);
                open.push(' ');
            }
            None => lines.push(std::mem::take(&mut open) + line),
        }
    }
    lines
}

fn between_quotes<'l>(line: &'l str, behind: &str) -> Option<&'l str> {
    let (_, rest) = line.split_once(behind)?;
    rest.strip_prefix(['\'', '`'])?.strip_suffix('\'')
}

/// The file that a command compiles, with its arguments.
fn compiled(command: &str, directory: &Path, home: &Path) -> Result<Option<SourceUnit>, Unread> {
    // Automake finds sources by `test -f x.c || echo ../bfd/`x.c.
    let mut found = None;
    let mut command = command.to_owned();
    if let Some((before, rest)) = command.split_once('`')
        && let Some((question, behind)) = rest.split_once('`')
    {
        let elsewhere = question.rsplit_once("echo ").map_or("", |(_, place)| place.trim().trim_matches('\''));
        let name = behind.split_whitespace().next().unwrap_or_default().to_owned();
        let is_here = directory.join(&name).exists();
        found = Some(if is_here { name.clone() } else { format!("{elsewhere}{name}") });
        command = format!("{before} {}", behind.replacen(&name, "", 1));
    }
    let Some(words) = shlex::split(&command) else {
        // What does not say `-c` compiles nothing, whatever its words are.
        return if command.split_whitespace().any(|word| word == "-c") { Err(Unread) } else { Ok(None) };
    };
    let is_compiler = |word: &String| {
        let name = Path::new(word).file_name().map(|name| name.to_string_lossy().into_owned());
        name.is_some_and(|name| matches!(name.as_str(), "gcc" | "cc" | "clang") || name.ends_with("-gcc"))
    };
    let mut words = words.into_iter().skip_while(|word| !is_compiler(word)).skip(1).peekable();
    let (mut arguments, mut compiles) = (Vec::new(), false);
    while let Some(word) = words.next() {
        match word.as_str() {
            "-c" => compiles = true,
            "-o" | "-MF" | "-MT" | "-MQ" => drop(words.next()),
            "-MD" | "-MMD" | "-MP" => {}
            ">" | ">>" | "|" | "||" => break,
            source if source.ends_with(".c") && !source.starts_with('-') => found = Some(word),
            _ => arguments.push(word),
        }
    }
    let Some(found) = found.filter(|_| compiles) else { return Ok(None) };
    let path = directory.join(found);
    let path = path.canonicalize().unwrap_or(path);
    let shown = path.strip_prefix(home).unwrap_or(&path).display().to_string();
    Ok(Some(SourceUnit { path, shown, directory: directory.to_owned(), arguments }))
}

#[cfg(test)]
mod tests {
    use super::compiled_by;
    use std::path::Path;

    fn of(printed: &str) -> Vec<String> {
        let compiled = compiled_by(printed, Path::new("/nowhere/src"), Path::new("/nowhere"));
        compiled.units.iter().map(|unit| format!("{}: {}", unit.shown, unit.arguments.join(" "))).collect()
    }

    #[test]
    fn commands_that_compile_are_found() {
        let printed = "gcc -I. -DNAME=\"\\\"a b\\\"\" -MMD -MF x.d -c -o x.o lib/x.c\n\
                       touch x.d\nCC=\"gcc\" perl make.pl -I. y.s\ngcc -I. -c -o y.o y.s\nar r lib.a x.o\n";
        assert_eq!(of(printed), ["src/lib/x.c: -I. -DNAME=\"a b\""]);
    }

    #[test]
    fn a_command_that_cannot_be_split_is_named() {
        let printed = "gcc -DNAME=\"a -c a.c\necho \"done\ngcc -c b.c\n";
        let compiled = compiled_by(printed, Path::new("/nowhere/src"), Path::new("/nowhere"));
        assert_eq!(compiled.unread, ["gcc -DNAME=\"a -c a.c"]);
        assert_eq!(compiled.units.len(), 1);
    }

    #[test]
    fn directories_that_make_enters_count() {
        let printed = "make[1]: Entering directory '/nowhere/src/compat'\ncc -O2 -c a.c\n\
                       make[1]: Leaving directory '/nowhere/src/compat'\ncc -c b.c\n";
        assert_eq!(of(printed), ["src/compat/a.c: -O2", "src/b.c: "]);
    }

    #[test]
    fn a_file_that_is_compiled_twice_is_one_unit() {
        let printed = "/bin/bash ./libtool --tag=CC --mode=compile gcc -O2 -c -o a.lo a.c\ngcc -fPIC -c \\\n a.c\n";
        assert_eq!(of(printed), ["src/a.c: -O2"]);
    }

    #[test]
    fn a_source_that_is_looked_for_is_found_elsewhere() {
        let printed = "gcc -O2 -c -o a.lo `test -f 'a.c' || echo '../bfd/'`a.c\n";
        assert_eq!(of(printed), ["src/../bfd/a.c: -O2"]);
    }
}
