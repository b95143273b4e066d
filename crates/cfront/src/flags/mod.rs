//! How a file is to be compiled: the options of a compiler's command line that change what the text means.
//!
//! `meaning` says of every option whether it is modelled here, changes nothing, may change something (a doubt, which
//! makes every verdict unknown), or is refused; `arguments` reads a command line by it.

mod arguments;
mod meaning;

use crate::adapter::Std;
use heapwise_ir::Target;
use std::path::PathBuf;

/// A C standard, as `-std=` names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standard {
    pub(crate) std: Std,
    pub(crate) extensions: Extensions,
}

/// Whether GNU's extensions are part of the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extensions {
    /// `-std=gnu17`.
    Gnu,
    /// `-std=c17`: some keywords are identifiers, and the headers show less.
    None,
}

impl Standard {
    /// The standard behind a name such as `gnu11` or `c99`.
    pub fn named(name: &str) -> Option<Standard> {
        let (std, is_gnu) = Std::from_flag(name)?;
        Some(Standard { std, extensions: if is_gnu { Extensions::Gnu } else { Extensions::None } })
    }

    /// The name, as `-std=` takes it.
    fn name(self) -> String {
        let year = &self.std.as_str()[1..];
        match self.extensions {
            Extensions::Gnu => format!("gnu{year}"),
            Extensions::None => format!("c{year}"),
        }
    }
}

/// What a plain `char` is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlainChar {
    /// `-fsigned-char`, the target's own.
    Signed,
    /// `-funsigned-char`.
    Unsigned,
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
    /// `-idirafter`: searched after the machine's own directories.
    pub late_directories: Vec<PathBuf>,
    /// `-nostdinc`: the machine's own directories are not searched.
    pub no_standard_directories: bool,
    /// `-D`: `NAME` or `NAME=value`.
    pub defines: Vec<String>,
    /// `-U`: none of them is defined by `defines`.
    pub undefines: Vec<String>,
    /// `-imacros`: read before `forced_includes`, for their macros alone.
    pub macro_includes: Vec<PathBuf>,
    /// `-include`.
    pub forced_includes: Vec<PathBuf>,
    /// `-std=`; the default is gnu17, then gnu23 where that does not parse.
    pub standard: Option<Standard>,
    /// `-fgnu89-inline`.
    pub gnu89_inline: bool,
    /// `-fms-extensions`: a member that is a tagged record without a name is anonymous.
    pub ms_extensions: bool,
    /// `-fsigned-char`, `-funsigned-char`.
    pub plain_char: PlainChar,
    /// `-fshort-enums`: an enumeration is as small as its values allow.
    pub short_enums: bool,
    /// `-fshort-wchar`: `wchar_t` is an unsigned type of two bytes.
    pub short_wchar: bool,
    /// `-ffreestanding`: there is no C library, and names of its functions mean nothing special.
    pub freestanding: bool,
    /// `-fno-builtin`: a function of the program is meant where it has the name of one of the library.
    pub no_builtins: bool,
    /// `-fno-builtin-NAME`: the same for one name; in order, each once.
    pub no_builtin: Vec<String>,
    /// `-fexceptions`, which the headers ask about.
    pub exceptions: bool,
    /// `-O1` and above: `__OPTIMIZE__` is defined, as Linux wants it.
    pub optimizing: bool,
    /// `-march=`, where it names a level of the processor's ABI.
    pub architecture: Option<String>,
    /// `-mavx2`, `-mno-sse` and kin, without the `-m`: the text asks for their macros.
    pub instruction_sets: Vec<String>,
    /// `-m32` or `-m64`.
    pub target: Target,
    /// `-mno-red-zone`: nothing is kept below the stack pointer.
    pub no_red_zone: bool,
    /// Options that may change what the text means, and are not modelled: a program with a doubt is never *safe*.
    pub doubts: Vec<String>,
}

impl Default for Flags {
    fn default() -> Flags {
        Flags {
            quote_directories: Vec::new(),
            include_directories: Vec::new(),
            system_directories: Vec::new(),
            late_directories: Vec::new(),
            no_standard_directories: false,
            defines: Vec::new(),
            undefines: Vec::new(),
            macro_includes: Vec::new(),
            forced_includes: Vec::new(),
            standard: None,
            gnu89_inline: false,
            ms_extensions: false,
            plain_char: PlainChar::Signed,
            short_enums: false,
            short_wchar: false,
            freestanding: false,
            no_builtins: false,
            no_builtin: Vec::new(),
            exceptions: false,
            optimizing: false,
            architecture: None,
            instruction_sets: Vec::new(),
            target: Target::LP64,
            no_red_zone: false,
            doubts: Vec::new(),
        }
    }
}

/// An option that cannot be honoured, so that nothing may be analysed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefusedOption {
    /// The option as it was written.
    pub option: String,
    /// Why not.
    pub reason: String,
    /// What to do about it.
    pub hint: String,
}

impl std::fmt::Display for RefusedOption {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "compiler option `{}` {}", self.option, self.reason)
    }
}

impl Flags {
    /// The arguments for a compiler that mean the same.
    pub fn to_arguments(&self) -> Vec<String> {
        let mut arguments = Vec::new();
        let mut with_paths = |option: &str, paths: &[PathBuf]| {
            arguments.extend(paths.iter().map(|path| format!("{option}{}", path.display())));
        };
        with_paths("-iquote", &self.quote_directories);
        with_paths("-I", &self.include_directories);
        with_paths("-isystem", &self.system_directories);
        with_paths("-idirafter", &self.late_directories);
        arguments.extend(self.defines.iter().map(|define| format!("-D{define}")));
        arguments.extend(self.undefines.iter().map(|name| format!("-U{name}")));
        for (option, files) in [("-imacros", &self.macro_includes), ("-include", &self.forced_includes)] {
            for file in files {
                arguments.extend([option.to_owned(), file.display().to_string()]);
            }
        }
        arguments.extend(self.standard.map(|standard| format!("-std={}", standard.name())));
        arguments.extend(self.architecture.iter().map(|name| format!("-march={name}")));
        arguments.extend(self.instruction_sets.iter().map(|name| format!("-m{name}")));
        arguments.extend(self.no_builtin.iter().map(|name| format!("-fno-builtin-{name}")));
        let switches = [
            (self.no_standard_directories, "-nostdinc"),
            (self.gnu89_inline, "-fgnu89-inline"),
            (self.ms_extensions, "-fms-extensions"),
            (self.plain_char == PlainChar::Unsigned, "-funsigned-char"),
            (self.short_enums, "-fshort-enums"),
            (self.short_wchar, "-fshort-wchar"),
            (self.freestanding, "-ffreestanding"),
            (self.no_builtins, "-fno-builtin"),
            (self.exceptions, "-fexceptions"),
            (self.optimizing, "-O1"),
            (self.target == Target::ILP32, "-m32"),
        ];
        arguments.extend(switches.iter().filter(|(on, _)| *on).map(|(_, name)| (*name).to_owned()));
        arguments.extend(self.doubts.iter().cloned());
        arguments
    }
}
