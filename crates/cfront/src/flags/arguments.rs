//! Reading the command line of a compiler.

use super::meaning::{Meaning, meaning};
use super::{Extensions, Flags, PlainChar, RefusedOption, Standard};
use crate::adapter::{knows_architecture, knows_instruction_set};
use heapwise_ir::Target;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// Response files that name each other end somewhere.
const MAX_RESPONSE_FILES: usize = 64;

/// The macro that asks the headers for functions that check bounds as far as the compiler sees them.
const FORTIFICATION: &str = "_FORTIFY_SOURCE";

impl Flags {
    /// Reads the arguments of a compiler (as `compile_commands.json` has them, the compiler itself and its files included
    /// or not); relative directories are taken from `directory`. An option is modelled, or changes nothing, or is kept
    /// in [`Flags::doubts`]; the rest is refused.
    pub fn from_arguments<'a>(
        arguments: impl IntoIterator<Item = &'a str>,
        directory: &Path,
    ) -> Result<Flags, RefusedOption> {
        let arguments = arguments.into_iter().map(str::to_owned).collect();
        let mut reader = Reader { flags: Flags::default(), directory, arguments, response_files: 0 };
        while let Some(argument) = reader.arguments.pop_front() {
            reader.argument(&argument)?;
        }
        Ok(reader.flags)
    }
}

struct Reader<'d> {
    flags: Flags,
    directory: &'d Path,
    /// What is still to be read.
    arguments: VecDeque<String>,
    response_files: usize,
}

impl Reader<'_> {
    fn argument(&mut self, argument: &str) -> Result<(), RefusedOption> {
        if let Some(file) = argument.strip_prefix('@') {
            return self.response_file(argument, file);
        }
        // The compiler itself, its files, and standard input.
        if !argument.starts_with('-') || argument == "-" || argument == "--" {
            return Ok(());
        }
        if self.about_the_text(argument)? || self.about_the_language(argument)? || self.about_the_machine(argument)? {
            return Ok(());
        }
        match meaning(argument) {
            Meaning::Harmless => {}
            Meaning::HarmlessWithValue => {
                self.arguments.pop_front();
            }
            Meaning::Doubtful => self.flags.doubts.push(argument.to_owned()),
            Meaning::Refused { reason, hint } => return Err(refused(argument, reason, hint)),
        }
        Ok(())
    }

    /// The value of an option that may stand behind it or as the next argument.
    fn value(&mut self, argument: &str, option: &str) -> Result<Option<String>, RefusedOption> {
        match argument.strip_prefix(option) {
            None => Ok(None),
            Some("") => match self.arguments.pop_front() {
                Some(value) => Ok(Some(value)),
                None => Err(refused(argument, "needs a value", "write it behind the option")),
            },
            Some(rest) => Ok(Some(rest.to_owned())),
        }
    }

    /// What is read, and by which macros.
    fn about_the_text(&mut self, argument: &str) -> Result<bool, RefusedOption> {
        // The longer spellings first: `-include` and `-isystem` also start with `-i`.
        if let Some(file) = self.value(argument, "-include")? {
            let file = self.beside(&file);
            self.flags.forced_includes.push(file);
        } else if let Some(file) = self.value(argument, "-imacros")? {
            let file = self.beside(&file);
            self.flags.macro_includes.push(file);
        } else if let Some(path) = self.value(argument, "-isystem")? {
            self.flags.system_directories.push(self.directory.join(path));
        } else if let Some(path) = self.value(argument, "-idirafter")? {
            self.flags.late_directories.push(self.directory.join(path));
        } else if let Some(path) = self.value(argument, "-iquote")? {
            self.flags.quote_directories.push(self.directory.join(path));
        } else if let Some(path) = self.value(argument, "-isysroot")? {
            self.flags.doubts.push(format!("--sysroot={path}"));
        } else if argument == "--sysroot" {
            let path = self.arguments.pop_front().unwrap_or_default();
            self.flags.doubts.push(format!("--sysroot={path}"));
        } else if argument == "-I-" {
            return Err(refused(
                argument,
                "splits the search of headers, which is not modelled",
                "use -iquote instead",
            ));
        } else if let Some(path) = self.value(argument, "-I")? {
            self.flags.include_directories.push(self.directory.join(path));
        } else if let Some(define) = self.value(argument, "-D")? {
            self.define(define);
        } else if let Some(name) = self.value(argument, "-U")? {
            self.flags.defines.retain(|define| macro_name(define) != name);
            self.flags.undefines.push(name);
        } else if argument == "-nostdinc" {
            self.flags.no_standard_directories = true;
        } else if let Some(list) = argument.strip_prefix("-Wp,") {
            self.preprocessor_options(list);
        } else if argument == "-Xpreprocessor" {
            // What follows is read as if it stood there alone.
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn define(&mut self, define: String) {
        let name = macro_name(&define).to_owned();
        self.flags.undefines.retain(|undefined| *undefined != name);
        // The headers' wrappers check bounds and do what the plain functions do.
        if name == FORTIFICATION {
            return;
        }
        self.flags.defines.push(define);
    }

    /// A file that is looked for beside the compiler first, then as `#include "…"` is.
    fn beside(&self, file: &str) -> PathBuf {
        let beside = self.directory.join(file);
        if beside.is_file() { beside } else { PathBuf::from(file) }
    }

    /// `-Wp,-DX,-MD,file`: there, `-MD` and `-MMD` take the name of a file.
    fn preprocessor_options(&mut self, list: &str) {
        let mut options: Vec<String> = Vec::new();
        let mut words = list.split(',');
        while let Some(word) = words.next() {
            if matches!(word, "-MD" | "-MMD") {
                words.next();
            } else {
                options.push(word.to_owned());
            }
        }
        options.into_iter().rev().for_each(|option| self.arguments.push_front(option));
    }

    /// Which language the text is in.
    fn about_the_language(&mut self, argument: &str) -> Result<bool, RefusedOption> {
        if let Some(name) = argument.strip_prefix("-std=").or_else(|| argument.strip_prefix("--std=")) {
            let standard = Standard::named(name);
            let hint = "c89, c99, c11, c17, c23, or the same with `gnu`";
            self.flags.standard =
                Some(standard.ok_or_else(|| refused(argument, "names no C standard that is known", hint))?);
            return Ok(true);
        }
        if let Some(language) = self.value(argument, "-x")? {
            let is_c = matches!(language.as_str(), "c" | "cpp-output" | "c-header" | "none");
            let hint = "only C can be analysed";
            return if is_c {
                Ok(true)
            } else {
                Err(refused(&format!("-x {language}"), "names another language", hint))
            };
        }
        let flags = &mut self.flags;
        match argument {
            "-ansi" => flags.standard = Some(Standard { std: crate::adapter::Std::C89, extensions: Extensions::None }),
            "-fgnu89-inline" => flags.gnu89_inline = true,
            "-fno-gnu89-inline" => flags.gnu89_inline = false,
            "-fms-extensions" => flags.ms_extensions = true,
            "-fno-ms-extensions" => flags.ms_extensions = false,
            "-fsigned-char" | "-fno-unsigned-char" => flags.plain_char = PlainChar::Signed,
            "-funsigned-char" | "-fno-signed-char" => flags.plain_char = PlainChar::Unsigned,
            "-fshort-enums" => flags.short_enums = true,
            "-fno-short-enums" => flags.short_enums = false,
            "-fshort-wchar" => flags.short_wchar = true,
            "-fno-short-wchar" => flags.short_wchar = false,
            "-ffreestanding" | "-fno-hosted" => flags.freestanding = true,
            "-fhosted" | "-fno-freestanding" => flags.freestanding = false,
            "-fno-builtin" => flags.no_builtins = true,
            "-fbuiltin" => flags.no_builtins = false,
            "-fexceptions" => flags.exceptions = true,
            "-fno-exceptions" => flags.exceptions = false,
            "-pthread" => self.define("_REENTRANT=1".to_owned()),
            "-O0" => flags.optimizing = false,
            // It stands for -ffast-math too.
            "-Ofast" => {
                flags.optimizing = true;
                flags.doubts.push(argument.to_owned());
            }
            _ if argument.starts_with("-O") => flags.optimizing = true,
            _ if argument.starts_with("-fsanitize=") => self.sanitizers(argument),
            _ => return Ok(self.about_one_builtin(argument) || self.protection(argument)),
        }
        Ok(true)
    }

    /// `-fno-builtin-NAME` and its opposite.
    fn about_one_builtin(&mut self, argument: &str) -> bool {
        let names = &mut self.flags.no_builtin;
        if let Some(name) = argument.strip_prefix("-fno-builtin-") {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        } else if let Some(name) = argument.strip_prefix("-fbuiltin-") {
            names.retain(|known| known != name);
        } else {
            return false;
        }
        true
    }

    /// What guards the stack and jumps changes nothing but a macro; the last option of its kind counts.
    fn protection(&mut self, argument: &str) -> bool {
        const STACK: [&str; 4] = ["__SSP__", "__SSP_ALL__", "__SSP_STRONG__", "__SSP_EXPLICIT__"];
        const JUMPS: [&str; 1] = ["__CET__"];
        let (family, define): (&[&str], Option<&str>) = match argument {
            "-fstack-protector" => (&STACK, Some("__SSP__=1")),
            "-fstack-protector-all" => (&STACK, Some("__SSP_ALL__=2")),
            "-fstack-protector-strong" => (&STACK, Some("__SSP_STRONG__=3")),
            "-fstack-protector-explicit" => (&STACK, Some("__SSP_EXPLICIT__=4")),
            "-fno-stack-protector"
            | "-fno-stack-protector-all"
            | "-fno-stack-protector-strong"
            | "-fno-stack-protector-explicit" => (&STACK, None),
            "-fcf-protection" | "-fcf-protection=full" => (&JUMPS, Some("__CET__=3")),
            "-fcf-protection=return" => (&JUMPS, Some("__CET__=2")),
            "-fcf-protection=branch" => (&JUMPS, Some("__CET__=1")),
            "-fcf-protection=none" | "-fno-cf-protection" => (&JUMPS, None),
            _ => return false,
        };
        self.flags.defines.retain(|known| !family.contains(&macro_name(known)));
        if let Some(define) = define {
            self.define(define.to_owned());
        }
        true
    }

    /// A sanitizer changes nothing but a macro.
    fn sanitizers(&mut self, argument: &str) {
        for name in argument.trim_start_matches("-fsanitize=").split(',') {
            match name {
                "address" | "kernel-address" => self.define("__SANITIZE_ADDRESS__=1".to_owned()),
                "hwaddress" | "kernel-hwaddress" => self.define("__SANITIZE_HWADDRESS__=1".to_owned()),
                "thread" => self.define("__SANITIZE_THREAD__=1".to_owned()),
                _ => {}
            }
        }
    }

    /// Which machine it is for.
    fn about_the_machine(&mut self, argument: &str) -> Result<bool, RefusedOption> {
        let triple = match argument {
            "-target" | "--target" => self.arguments.pop_front(),
            _ => argument.strip_prefix("--target=").map(str::to_owned),
        };
        if let Some(triple) = triple {
            self.flags.target = target_of(&triple).ok_or_else(|| {
                refused(argument, "names a machine that is not modelled", "x86-64 and i386 with Linux are")
            })?;
            return Ok(true);
        }
        match argument {
            "-m32" => self.flags.target = Target::ILP32,
            "-m64" => self.flags.target = Target::LP64,
            "-mred-zone" => self.flags.no_red_zone = false,
            "-mno-red-zone" => self.flags.no_red_zone = true,
            _ => {
                if let Some(name) = argument.strip_prefix("-march=") {
                    if !knows_architecture(name) {
                        return Ok(false);
                    }
                    self.flags.architecture = Some(name.to_owned());
                } else if let Some(name) = argument.strip_prefix("-m").filter(|name| knows_instruction_set(name)) {
                    self.flags.instruction_sets.push(name.to_owned());
                } else {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// `@file`: the arguments in the file, quoted as for a shell.
    fn response_file(&mut self, argument: &str, file: &str) -> Result<(), RefusedOption> {
        self.response_files += 1;
        if self.response_files > MAX_RESPONSE_FILES {
            return Err(refused(argument, "is one of too many files with options", "they may name each other"));
        }
        let text = std::fs::read_to_string(self.directory.join(file))
            .map_err(|_| refused(argument, "names a file that cannot be read", "check the path and its permissions"))?;
        let words = shlex::split(&text)
            .ok_or_else(|| refused(argument, "names a file with an open quote", "options in it stand as in a shell"))?;
        words.into_iter().rev().for_each(|word| self.arguments.push_front(word));
        Ok(())
    }
}

fn macro_name(define: &str) -> &str {
    define.split(['=', '(']).next().unwrap_or(define)
}

fn target_of(triple: &str) -> Option<Target> {
    let machine = triple.split('-').next()?;
    if !triple.contains("linux") || triple.ends_with("x32") {
        return None;
    }
    match machine {
        "x86_64" | "amd64" => Some(Target::LP64),
        "i386" | "i486" | "i586" | "i686" => Some(Target::ILP32),
        _ => None,
    }
}

fn refused(option: &str, reason: &str, hint: &str) -> RefusedOption {
    RefusedOption { option: option.to_owned(), reason: reason.to_owned(), hint: hint.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn flags(text: &str) -> Flags {
        Flags::from_arguments(text.split(' '), Path::new("/w")).expect("taken")
    }

    fn round(text: &str) -> String {
        flags(text).to_arguments().join(" ")
    }

    #[test]
    fn what_is_understood_comes_back() {
        expect!["-iquote/w/q -I/w/a -I/w/b -isystem/w/c -idirafter/w/d -DY -UX -imacros m.h -include d.h -std=gnu11 -O1 -m32"]
            .assert_eq(&round(
                "cc -Ia -I b -isystem c -idirafter d -iquoteq -DX=1 -D Y -UX -imacros m.h -include d.h -std=gnu11 -O2 -m32 -c x.c",
            ));
        expect!["-std=c99 -march=x86-64-v3 -mno-sse -fms-extensions -funsigned-char -fshort-enums -fshort-wchar -ffreestanding -fexceptions"]
            .assert_eq(&round(
                "cc -std=c99 -march=x86-64-v3 -mno-sse -fms-extensions -funsigned-char -fshort-enums -fshort-wchar -ffreestanding -fexceptions x.c",
            ));
        for text in ["-std=c89 -funsigned-char", "-DX=1 -UY", "-fipa-unheard-of -mavx2"] {
            assert_eq!(Flags::from_arguments(round(text).split(' '), Path::new("/w")), Ok(flags(text)));
        }
    }

    #[test]
    fn the_last_word_counts() {
        assert_eq!(flags("-funsigned-char -fsigned-char"), Flags::default());
        assert_eq!(flags("-fno-signed-char").plain_char, PlainChar::Unsigned);
        assert_eq!(flags("-m32 -m64 -fshort-enums -fno-short-enums -O2 -O0"), Flags::default());
        assert_eq!(flags("-DX -UX"), flags("-UX"));
        assert_eq!(flags("-UX -DX"), flags("-DX"), "a definition after its undefinition holds");
    }

    #[test]
    fn headers_are_read_without_fortification() {
        assert_eq!(flags("-D_FORTIFY_SOURCE=2 -DX"), flags("-DX"));
        assert_eq!(flags("-Wp,-D_FORTIFY_SOURCE=3"), Flags::default());
    }

    #[test]
    fn what_changes_nothing_is_passed_over() {
        let text = "ccache gcc -c -o x.o -MD -MF x.d -Wall -Wextra -Wno-unused -Werror=format -g3 -pipe -fPIC -fno-common \
                    -fno-strict-aliasing -fwrapv -fvisibility=hidden -ffunction-sections \
                    -fdiagnostics-color=always -flto=auto -ffat-lto-objects -mtune=generic -mcmodel=kernel \
                    -fno-omit-frame-pointer -L lib -lm -Wl,-z,now -fmacro-prefix-map=a=b --param x=1 x.c";
        assert_eq!(flags(text), Flags::default());
    }

    #[test]
    fn options_reach_the_preprocessor_also_by_other_ways() {
        assert_eq!(flags("-Wp,-MMD,x.d,-DX=1,-UY"), flags("-DX=1 -UY"));
        assert_eq!(flags("-Xpreprocessor -DX"), flags("-DX"));
        assert_eq!(flags("-pthread -fsanitize=address,undefined").defines, ["_REENTRANT=1", "__SANITIZE_ADDRESS__=1"]);
    }

    #[test]
    fn what_may_change_the_meaning_is_a_doubt() {
        let text =
            "-ffast-math -fipa-sra -funsigned-bitfields -march=native -fplugin=x.so -munheard-of -Ofast -isysroot /r";
        let expected =
            ["-ffast-math", "-funsigned-bitfields", "-march=native", "-fplugin=x.so", "-munheard-of", "-Ofast"];
        assert_eq!(flags(text).doubts[..6], expected);
        assert_eq!(flags(text).doubts[6..], ["--sysroot=/r"]);
    }

    #[test]
    fn what_cannot_be_honoured_is_refused_with_a_hint() {
        let refusal = |text: &str| {
            let refused = Flags::from_arguments(text.split(' '), Path::new("/w")).expect_err("refused");
            assert!(!refused.hint.is_empty());
            refused.to_string()
        };
        let all: Vec<String> = [
            "-fpack-struct=2",
            "-mms-bitfields",
            "-mx32",
            "-fopenmp",
            "-std=c++17",
            "-x c++",
            "--target=aarch64-linux-gnu",
            "@missing.rsp",
            "-I",
            "-I-",
            "-malign-double",
            "-fsso-struct=big-endian",
            "-kunheard-of",
        ]
        .map(refusal)
        .to_vec();
        expect![[r#"
            compiler option `-fpack-struct=2` lays records out in another way, which is not modelled
            compiler option `-mms-bitfields` lays records out in another way, which is not modelled
            compiler option `-mx32` is for a machine that is not modelled
            compiler option `-fopenmp` runs parts of the program in parallel, which is not modelled
            compiler option `-std=c++17` names no C standard that is known
            compiler option `-x c++` names another language
            compiler option `--target=aarch64-linux-gnu` names a machine that is not modelled
            compiler option `@missing.rsp` names a file that cannot be read
            compiler option `-I` needs a value
            compiler option `-I-` splits the search of headers, which is not modelled
            compiler option `-malign-double` lays records out in another way, which is not modelled
            compiler option `-fsso-struct=big-endian` lays records out in another way, which is not modelled
            compiler option `-kunheard-of` is not known"#]]
        .assert_eq(&all.join("\n"));
    }

    #[test]
    fn response_files_are_read_in_place() {
        let directory = tempfile::tempdir().expect("a directory");
        std::fs::write(directory.path().join("a.rsp"), "-DX='1 2'\n@b.rsp -DZ\n").expect("written");
        std::fs::write(directory.path().join("b.rsp"), "-DY").expect("written");
        let flags = Flags::from_arguments(["-DW", "@a.rsp"], directory.path()).expect("taken");
        assert_eq!(flags.defines, ["W", "X=1 2", "Y", "Z"]);
        std::fs::write(directory.path().join("a.rsp"), "@a.rsp").expect("written");
        assert!(Flags::from_arguments(["@a.rsp"], directory.path()).is_err());
    }
}
