//! The compiler's options among the arguments. They follow gcc (`-Idir`, `-isystem dir`, `-std=gnu17`), which no
//! command-line crate reads, so they are taken out before.

use super::failure::CannotRun;
use std::ffi::OsString;

/// Options with a value, joined or as the next argument.
const WITH_VALUE: [&str; 7] = ["-isystem", "-idirafter", "-iquote", "-include", "-I", "-D", "-U"];
/// Options without one.
const SWITCHES: [&str; 5] = ["-ansi", "-m32", "-m64", "-nostdinc", "-fgnu89-inline"];
/// Options that do not change what a program means, so that the compiler's whole line can be pasted.
const WITHOUT_MEANING: [&str; 6] = ["-c", "-w", "-pedantic", "-pedantic-errors", "-pipe", "-pthread"];

/// Splits into the arguments of heapwise and those of the compiler.
pub(crate) fn split(arguments: impl Iterator<Item = OsString>) -> Result<(Vec<OsString>, Vec<String>), CannotRun> {
    let mut own = Vec::new();
    let mut compiler = Vec::new();
    let mut arguments = arguments;
    own.extend(arguments.next());
    while let Some(argument) = arguments.next() {
        let Some(text) = argument.to_str() else {
            own.push(argument);
            continue;
        };
        if text == "--" {
            own.push(argument);
            own.extend(arguments);
            break;
        }
        if let Some(option) = WITH_VALUE.iter().find(|option| text.starts_with(**option)) {
            compiler.push(text.to_owned());
            if text == *option {
                let value = arguments.next().and_then(|value| value.into_string().ok());
                compiler.push(value.ok_or_else(|| {
                    CannotRun::usage(format!("`{option}` needs a value"), format!("write `{option} VALUE`"))
                })?);
            }
        } else if is_switch(text)? {
            compiler.push(text.to_owned());
        } else {
            own.push(argument);
        }
    }
    Ok((own, compiler))
}

fn is_switch(text: &str) -> Result<bool, CannotRun> {
    if let Some(name) = text.strip_prefix("-std=") {
        return match heapwise_cfront::Standard::named(name) {
            Some(_) => Ok(true),
            None => Err(CannotRun::usage(
                format!("no C standard is called `{name}`"),
                "c89, c99, c11, c17, c23, or the same with `gnu`",
            )),
        };
    }
    let is_optimisation = text.strip_prefix("-O").is_some_and(|level| {
        matches!(level, "" | "s" | "z" | "g" | "fast") || level.bytes().all(|digit| digit.is_ascii_digit())
    });
    let is_diagnostic = ["-W", "-g"].iter().any(|option| text.starts_with(option));
    Ok(SWITCHES.contains(&text) || WITHOUT_MEANING.contains(&text) || is_optimisation || is_diagnostic)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(arguments: &[&str]) -> (Vec<String>, Vec<String>) {
        let (own, compiler) = split(arguments.iter().map(OsString::from)).unwrap();
        (own.into_iter().map(|argument| argument.into_string().unwrap()).collect(), compiler)
    }

    #[test]
    fn the_compilers_options_are_taken_out() {
        let (own, compiler) = both(&[
            "heapwise",
            "check",
            "-Iinc",
            "-I",
            "dir",
            "-isystem",
            "sys",
            "-DX=1",
            "-std=gnu17",
            "-include",
            "f.h",
            "-m32",
            "--time",
            "5",
            "-p",
            "build",
            "a.c",
            "-O2",
            "-Wall",
            "-g3",
            "-c",
        ]);
        assert_eq!(own, ["heapwise", "check", "--time", "5", "-p", "build", "a.c"]);
        assert_eq!(
            compiler,
            [
                "-Iinc",
                "-I",
                "dir",
                "-isystem",
                "sys",
                "-DX=1",
                "-std=gnu17",
                "-include",
                "f.h",
                "-m32",
                "-O2",
                "-Wall",
                "-g3",
                "-c"
            ]
        );
    }

    #[test]
    fn nothing_is_taken_behind_two_dashes() {
        let (own, compiler) = both(&["heapwise", "check", "--", "-I.c"]);
        assert_eq!(own, ["heapwise", "check", "--", "-I.c"]);
        assert!(compiler.is_empty());
    }

    #[test]
    fn a_missing_value_and_an_unknown_standard_are_errors() {
        let error = |arguments: &[&str]| split(arguments.iter().map(OsString::from)).unwrap_err().to_string();
        assert_eq!(error(&["heapwise", "-I"]), "error: `-I` needs a value\n  hint: write `-I VALUE`");
        assert!(error(&["heapwise", "-std=gnu42"]).contains("no C standard is called `gnu42`"));
    }
}
