//! The compiler's options among the arguments. They follow gcc (`-Idir`, `-isystem dir`, `-std=gnu17`), which no
//! command-line crate reads, so they are taken out before.

use super::failure::CannotRun;
use std::ffi::OsString;

/// Options with a value, joined or as the next argument.
const WITH_VALUE: [&str; 9] =
    ["-isystem", "-idirafter", "-iquote", "-include", "-imacros", "-isysroot", "-I", "-D", "-U"];
/// Options without one that are read before the families below: heapwise has a `-p` of its own.
const SWITCHES: [&str; 8] = ["-ansi", "-nostdinc", "-c", "-w", "-pedantic", "-pedantic-errors", "-pipe", "-pthread"];
/// Families of options: features and machines of the compiler, standards, optimisation, warnings, debug information,
/// dependencies. `heapwise-cfront` knows which of them are understood, which change nothing, and refuses the rest.
const FAMILIES: [&str; 7] = ["-f", "-m", "-std=", "-O", "-W", "-g", "-M"];

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
        } else if SWITCHES.contains(&text) || FAMILIES.iter().any(|family| text.starts_with(family)) {
            compiler.push(text.to_owned());
        } else {
            own.push(argument);
        }
    }
    Ok((own, compiler))
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
            "-funsigned-char",
            "-mavx2",
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
                "-funsigned-char",
                "-mavx2",
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
    fn a_missing_value_is_an_error() {
        let error = |arguments: &[&str]| split(arguments.iter().map(OsString::from)).unwrap_err().to_string();
        assert_eq!(error(&["heapwise", "-I"]), "error: `-I` needs a value\n  hint: write `-I VALUE`");
    }
}
