//! How a file is to be compiled: the options of a compiler's command line that change what the text means.

use crate::adapter::Std;
use heapwise_ir::Target;
use std::path::{Path, PathBuf};

/// A C standard, as `-std=` names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standard(pub(crate) Std);

impl Standard {
    /// The standard behind a name such as `gnu11` or `c99`.
    pub fn named(name: &str) -> Option<Standard> {
        Std::from_flag(name).map(|(std, _)| Standard(std))
    }
}

/// The options that change what a file means.
#[derive(Clone, PartialEq, Debug)]
pub struct Flags {
    /// `-iquote`.
    pub quote_directories: Vec<PathBuf>,
    /// `-I`.
    pub include_directories: Vec<PathBuf>,
    /// `-isystem`.
    pub system_directories: Vec<PathBuf>,
    /// `-nostdinc`: the machine's own directories are not searched.
    pub no_standard_directories: bool,
    /// `-D`: `NAME` or `NAME=value`.
    pub defines: Vec<String>,
    /// `-U`.
    pub undefines: Vec<String>,
    /// `-include`.
    pub forced_includes: Vec<PathBuf>,
    /// `-std=`; the default is gnu17, then gnu23 where that does not parse.
    pub standard: Option<Standard>,
    /// `-fgnu89-inline`.
    pub gnu89_inline: bool,
    /// `-O1` and above: `__OPTIMIZE__` is defined, as Linux wants it.
    pub optimizing: bool,
    /// `-m32` or `-m64`.
    pub target: Target,
}

impl Default for Flags {
    fn default() -> Flags {
        Flags {
            quote_directories: Vec::new(),
            include_directories: Vec::new(),
            system_directories: Vec::new(),
            no_standard_directories: false,
            defines: Vec::new(),
            undefines: Vec::new(),
            forced_includes: Vec::new(),
            standard: None,
            gnu89_inline: false,
            optimizing: false,
            target: Target::LP64,
        }
    }
}

impl Flags {
    /// Reads the arguments of a compiler (as `compile_commands.json` has them, the compiler itself included or not);
    /// relative directories are taken from `directory`. Options that do not change what the text means are passed over.
    pub fn from_arguments<'a>(arguments: impl IntoIterator<Item = &'a str>, directory: &Path) -> Flags {
        let mut flags = Flags::default();
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let mut value = |option: &str| -> Option<String> {
                let rest = argument.strip_prefix(option)?;
                if rest.is_empty() { arguments.next().map(str::to_owned) } else { Some(rest.to_owned()) }
            };
            let at = |path: String| directory.join(path);
            // The longer spellings first: `-include` and `-isystem` also start with `-i`, `-I` with nothing else.
            if let Some(file) = value("-include") {
                let beside = directory.join(&file);
                flags.forced_includes.push(if beside.is_file() { beside } else { PathBuf::from(file) });
            } else if let Some(path) = value("-isystem").or_else(|| value("-idirafter")) {
                flags.system_directories.push(at(path));
            } else if let Some(path) = value("-iquote") {
                flags.quote_directories.push(at(path));
            } else if let Some(path) = value("-I") {
                flags.include_directories.push(at(path));
            } else if let Some(define) = value("-D") {
                flags.defines.push(define);
            } else if let Some(name) = value("-U") {
                flags.defines.retain(|define| define.split(['=', '(']).next() != Some(&name));
                flags.undefines.push(name);
            } else if let Some(name) = argument.strip_prefix("-std=") {
                flags.standard = Standard::named(name);
            } else {
                match argument {
                    "-nostdinc" => flags.no_standard_directories = true,
                    "-fgnu89-inline" => flags.gnu89_inline = true,
                    "-ansi" => flags.standard = Standard::named("c89"),
                    "-m32" => flags.target = Target::ILP32,
                    "-m64" => flags.target = Target::LP64,
                    "-O0" => flags.optimizing = false,
                    _ if argument.starts_with("-O") => flags.optimizing = true,
                    _ => {}
                }
            }
        }
        flags
    }

    /// The arguments for a compiler that mean the same.
    pub fn to_arguments(&self) -> Vec<String> {
        let mut arguments = Vec::new();
        let mut with_paths = |option: &str, paths: &[PathBuf]| {
            arguments.extend(paths.iter().map(|path| format!("{option}{}", path.display())));
        };
        with_paths("-iquote", &self.quote_directories);
        with_paths("-I", &self.include_directories);
        with_paths("-isystem", &self.system_directories);
        arguments.extend(self.defines.iter().map(|define| format!("-D{define}")));
        arguments.extend(self.undefines.iter().map(|name| format!("-U{name}")));
        for file in &self.forced_includes {
            arguments.extend(["-include".to_owned(), file.display().to_string()]);
        }
        if let Some(Standard(std)) = self.standard {
            arguments.push(format!("-std=gnu{}", &std.as_str()[1..]));
        }
        let switches = [
            (self.no_standard_directories, "-nostdinc"),
            (self.gnu89_inline, "-fgnu89-inline"),
            (self.optimizing, "-O1"),
            (self.target == Target::ILP32, "-m32"),
        ];
        arguments.extend(switches.iter().filter(|(on, _)| *on).map(|(_, name)| (*name).to_owned()));
        arguments
    }
}
