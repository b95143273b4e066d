//! From a file to a checked tree.

use crate::adapter::contracts::{self, DeclaredContract};
use crate::adapter::files::{FileStore, OWN_DIRECTORY, SystemDirectories, with_known_directives};
use crate::adapter::{Designators, machine, members, packing};
use crate::flags::{Extensions, Flags};
use rucc_base::Interner;
use rucc_diag::{Diagnostic, SourceMap, Span};
use rucc_lex::{Convert, Keywords, PpToken};
use rucc_pp::{Predef, Preprocessor, Timestamp};
use rucc_sema::{Checker, Tast};
use rucc_session::{FileSystem, Preinclude, SearchPath, Std, runtime};
use rucc_target::TargetInfo;
use rucc_types::Types;
use std::path::Path;
use std::process::{Command, Stdio};

/// A checked translation unit.
pub(crate) struct Source {
    /// The path as the user gave it.
    pub(crate) path: String,
    /// The typed tree.
    pub(crate) tast: Tast,
    /// Its types.
    pub(crate) types: Types,
    /// Its names.
    pub(crate) names: Interner,
    /// Its files.
    pub(crate) files: SourceMap,
    /// The machine it was checked for.
    pub(crate) target: TargetInfo,
    /// What the checker found wrong: the functions that hold these spans must not be trusted.
    pub(crate) faults: Vec<Fault>,
    /// Contracts that are written behind declarations.
    pub(crate) contracts: Vec<DeclaredContract>,
    /// What its initializers say beside their values.
    pub(crate) designators: Designators,
    /// Nothing lies below the stack pointer, so that assembly may put something there.
    pub(crate) spares_stack: bool,
}

/// An error of the checker.
pub(crate) struct Fault {
    /// Where.
    pub(crate) span: Span,
    /// What.
    pub(crate) message: String,
}

/// The preprocessor's code for a file that is not on the search path.
const NOT_FOUND: &str = "E0341";

/// Why a file cannot be used at all.
pub(crate) struct Failure {
    /// Where: file, line, column (zeros where there is none).
    pub(crate) at: (String, u32, u32),
    /// What kind of error.
    pub(crate) kind: FailureKind,
    /// What.
    pub(crate) message: String,
}

/// Failures that a user can do something about, and the others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FailureKind {
    /// The file was made by a compiler.
    CompiledCode,
    /// The path names a directory.
    Directory,
    /// The file cannot be read.
    Unreadable,
    /// An included file is not on the search path.
    IncludeNotFound,
    /// Any other.
    Other,
}

impl FailureKind {
    /// What helps.
    pub(crate) fn hint(self) -> Option<&'static str> {
        match self {
            FailureKind::CompiledCode => Some("name the C files that it was made from"),
            FailureKind::Directory => {
                Some("name the C files themselves, or -p for a directory with a compile_commands.json")
            }
            FailureKind::Unreadable => {
                Some("check the path, which is relative to the current directory, and its permissions")
            }
            FailureKind::IncludeNotFound => {
                Some("pass the directory with -I, or the build's flags with -p (compile_commands.json)")
            }
            FailureKind::Other => None,
        }
    }
}

/// One way to read a file.
#[derive(Clone, Copy)]
struct Dialect {
    std: Std,
    extensions: Extensions,
    gnu89_inline: bool,
}

impl Dialect {
    fn is_gnu(self) -> bool {
        self.extensions == Extensions::Gnu
    }
}

/// Reads, preprocesses, parses and checks a file. A file that does not parse is tried again in C23, one that uses
/// `__builtin_va_arg_pack` with GNU's older reading of `inline`, and one that the preprocessor stumbles over with the
/// output of `cc -E`.
pub(crate) fn check(path: &Path, flags: &Flags, store: &FileStore) -> Result<Source, Vec<Failure>> {
    let name = path.to_string_lossy().into_owned();
    let text = match store.read(path) {
        Ok(text) => text,
        Err(_) => {
            let (kind, message) = match std::fs::metadata(path) {
                Ok(metadata) if metadata.is_dir() => (FailureKind::Directory, "is a directory".to_owned()),
                Ok(_) => (FailureKind::Unreadable, "cannot be read".to_owned()),
                Err(error) => (FailureKind::Unreadable, format!("cannot be read: {error}")),
            };
            return Err(vec![Failure { at: (name, 0, 0), kind, message }]);
        }
    };
    let text = text.as_slice().to_vec();
    if text.starts_with(b"\x7fELF") || text.starts_with(b"!<arch>\n") {
        let message = "is compiled code, not C text".to_owned();
        return Err(vec![Failure { at: (name, 0, 0), kind: FailureKind::CompiledCode, message }]);
    }
    let preprocessed = path.extension().is_some_and(|extension| extension == "i");
    let packs = |text: &[u8]| contains(text, b"__builtin_va_arg_pack");
    let (std, extensions) =
        flags.standard.map_or((Std::C17, Extensions::Gnu), |standard| (standard.std, standard.extensions));
    let dialect = Dialect { std, extensions, gnu89_inline: flags.gnu89_inline || packs(&text) };
    let first = check_text(&name, text.clone(), preprocessed, flags, dialect, store);
    let failures = match first {
        Ok(source) => return Ok(source),
        Err(failures) => failures,
    };
    if flags.standard.is_none()
        && let Ok(source) = check_text(&name, text, preprocessed, flags, Dialect { std: Std::C23, ..dialect }, store)
    {
        return Ok(source);
    }
    if !preprocessed && let Some(text) = preprocess_with_cc(path, flags) {
        let dialect = Dialect { gnu89_inline: dialect.gnu89_inline || packs(&text), ..dialect };
        if let Ok(source) = check_text(&name, text.clone(), true, flags, dialect, store) {
            return Ok(source);
        }
        if flags.standard.is_none()
            && let Ok(source) = check_text(&name, text, true, flags, Dialect { std: Std::C23, ..dialect }, store)
        {
            return Ok(source);
        }
    }
    Err(failures)
}

/// The text with one more line where its last one is continued into nothing: the lexer expects a byte there.
fn with_an_end(mut text: Vec<u8>) -> Vec<u8> {
    if text.ends_with(b"\\\n") || text.ends_with(b"\\\r\n") {
        text.push(b'\n');
    }
    text
}

fn check_text(
    name: &str,
    text: Vec<u8>,
    preprocessed: bool,
    flags: &Flags,
    dialect: Dialect,
    store: &FileStore,
) -> Result<Source, Vec<Failure>> {
    let target = machine::target(flags);
    let mut names = Interner::new();
    // The keyword table must be interned before any source is read.
    let keywords = Keywords::new(&mut names, dialect.std, dialect.is_gnu());
    let mut files = SourceMap::new();
    let message = "is too large".to_owned();
    let full = |_| vec![Failure { at: (name.to_owned(), 0, 0), kind: FailureKind::Other, message: message.clone() }];
    // What the compiler preprocessed says by line markers which lines of which file it has; it is not the text of `name`.
    let is_own_text = !preprocessed || Path::new(name).extension().is_some_and(|extension| extension == "i");
    let shown = if is_own_text { name.to_owned() } else { format!("{name}, preprocessed") };
    let file = files.add(&shown, with_an_end(text)).map_err(full)?;
    let mut preprocessor = Preprocessor::new();
    let search = search_path(flags);
    let mut tokens = Vec::new();
    {
        let mut context = rucc_pp::Context::new(&mut names, &mut files, store, &search);
        context.lex = rucc_lex::Options::for_dialect(dialect.std, dialect.is_gnu(), false);
        if !preprocessed {
            preprocessor.predefine(&target, &predefined(flags, dialect), &mut context).map_err(full)?;
            preprocessor.preinclude(&preincludes(flags), &mut tokens, &mut context).map_err(full)?;
        }
        tokens.extend(preprocessor.run(file, &mut context));
    }
    fatal(preprocessor.diagnostics(), &files)?;
    let tokens: Vec<PpToken> = tokens.into_iter().map(rucc_pp::Tok::to_pp).collect();
    let (tokens, contracts) = contracts::taken_out(tokens, &names);
    let convert = Convert {
        keywords: &keywords,
        interner: &names,
        target: &target,
        std: dialect.std,
        gnu: dialect.is_gnu(),
        pedantic: false,
    };
    let (tokens, remarks) = rucc_lex::convert(&tokens, &convert);
    fatal(&remarks, &files)?;
    let type_names: Vec<_> = target.type_names().iter().filter_map(|(name, _)| names.find(name)).collect();
    let mut context = rucc_parse::Context::new(&names, dialect.std);
    context.type_names = &type_names;
    let parsed = rucc_parse::parse(&tokens, context);
    let retyped = members::retyped(&tokens.tokens, &names);
    let misread = packing::misread_records(&tokens, &names);
    let designators = Designators::read(&tokens);
    drop(tokens);
    fatal(&parsed.diagnostics, &files)?;
    let mut checker = Checker::new(&parsed.ast, checked_as(&names, &target, flags, dialect));
    checker.check_unit();
    let checked = checker.finish();
    let faults = checked
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity.is_fatal())
        .map(|diagnostic| Fault { span: diagnostic.span, message: diagnostic.message.clone() })
        .chain(retyped.into_iter().map(|(span, name)| Fault {
            span,
            message: format!("attribute `{name}` of a member is not understood, so its record's layout is not known"),
        }))
        .chain(
            misread
                .into_iter()
                .map(|(span, what)| Fault { span, message: format!("the layout of {what} is not known") }),
        )
        .chain(checked.tast.ifuncs().into_iter().map(|decl| Fault {
            span: checked.tast.decl_span(decl),
            message: "attribute `ifunc` is not understood: another function says which one is called".to_owned(),
        }))
        .chain(
            parsed
                .weak_pragmas
                .iter()
                .map(|pragma| Fault { span: pragma.span, message: "`#pragma weak` is not understood".to_owned() }),
        )
        .collect();
    Ok(Source {
        path: name.to_owned(),
        tast: checked.tast,
        types: checked.types,
        names,
        files,
        target,
        faults,
        contracts,
        designators,
        // i386 has no red zone.
        spares_stack: flags.no_red_zone || flags.target == heapwise_ir::Target::ILP32,
    })
}

/// How declarations and statements are checked.
fn checked_as<'a>(
    names: &'a Interner,
    target: &'a TargetInfo,
    flags: &'a Flags,
    dialect: Dialect,
) -> rucc_sema::Context<'a> {
    let mut context = rucc_sema::Context::new(names, target, dialect.std);
    context.permissive = true;
    context.gnu = dialect.is_gnu();
    context.builtins = !flags.freestanding && !flags.no_builtins;
    context.no_builtin = &flags.no_builtin;
    context.short_enums = flags.short_enums;
    context.ms_extensions = flags.ms_extensions;
    if flags.target == heapwise_ir::Target::LP64 {
        context.isa = machine::instruction_sets(flags);
    }
    context.gnu89_inline = dialect.gnu89_inline;
    // Every error must be seen: each makes the function that holds it unusable.
    context.error_limit = 0;
    context.gnuc = GNUC_CLAIMED.0;
    context
}

/// The gcc release that the predefined macros claim: one whose headers and feature tests ask for nothing newer than
/// what the parser knows.
const GNUC_CLAIMED: (u32, u32) = (13, 2);

fn predefined(flags: &Flags, dialect: Dialect) -> Predef {
    let mut predefined = Predef::new();
    predefined.std = dialect.std;
    predefined.gnu_extensions = dialect.is_gnu();
    predefined.hosted = !flags.freestanding;
    predefined.exceptions = flags.exceptions;
    predefined.ms_extensions = flags.ms_extensions.then_some(true);
    predefined.isa = machine::instruction_sets(flags);
    predefined.gnu89_inline = dialect.gnu89_inline;
    predefined.gnuc.major = GNUC_CLAIMED.0;
    predefined.gnuc.minor = GNUC_CLAIMED.1;
    predefined.gnuc_given = true;
    // The same input must give the same program, whatever the time of day.
    predefined.timestamp = Timestamp::from_unix(0);
    predefined.defines = flags.defines.clone();
    predefined.defines.push("__HEAPWISE__=1".to_owned());
    predefined.undefines = flags.undefines.clone();
    if flags.optimizing {
        predefined.opt_level = rucc_session::OptLevel::O2;
    }
    predefined
}

/// The files that are read before the text: those of `-imacros` first, as gcc has it.
fn preincludes(flags: &Flags) -> Vec<Preinclude> {
    let named =
        |file: &std::path::PathBuf, macros_only| Preinclude { name: file.to_string_lossy().into_owned(), macros_only };
    let macros = flags.macro_includes.iter().map(|file| named(file, true));
    macros.chain(flags.forced_includes.iter().map(|file| named(file, false))).collect()
}

fn search_path(flags: &Flags) -> SearchPath {
    let mut search = SearchPath::new();
    for directory in &flags.quote_directories {
        search.push_quote(directory);
    }
    for directory in &flags.include_directories {
        search.push_bracket(directory);
    }
    for directory in &flags.system_directories {
        search.push_system(directory);
    }
    if !flags.no_standard_directories {
        search.push_system(runtime::DIR);
        for directory in &SystemDirectories::of_this_machine().directories {
            search.push_system(directory);
        }
    }
    for directory in &flags.late_directories {
        search.push_system(directory);
    }
    search.push_system(OWN_DIRECTORY);
    search.remove_duplicates();
    search
}

fn fatal(diagnostics: &[Diagnostic], files: &SourceMap) -> Result<(), Vec<Failure>> {
    let failures: Vec<Failure> = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity.is_fatal())
        .map(|diagnostic| {
            let at = match files.presumed(diagnostic.span.lo) {
                Some(place) => (place.name.to_owned(), place.line, place.column),
                None => (String::new(), 0, 0),
            };
            let kind = match diagnostic.code {
                Some(NOT_FOUND) => FailureKind::IncludeNotFound,
                _ => FailureKind::Other,
            };
            Failure { at, kind, message: diagnostic.message.clone() }
        })
        .collect();
    if failures.is_empty() { Ok(()) } else { Err(failures) }
}

/// The output of `cc -E`, if there is a compiler and it accepts the file.
fn preprocess_with_cc(path: &Path, flags: &Flags) -> Option<Vec<u8>> {
    let mut command = Command::new("cc");
    command.arg("-E").arg("-D__HEAPWISE__=1").args(flags.to_arguments()).stdin(Stdio::null());
    // Whatever it is called: an object file would be left to the linker, and nothing be read.
    command.args(["-x", "c"]).arg(path);
    let output = command.stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| with_known_directives(output.stdout))
}

fn contains(text: &[u8], needle: &[u8]) -> bool {
    text.windows(needle.len()).any(|window| window == needle)
}
