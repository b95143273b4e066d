//! A whole program: files in, one linked program out.

use crate::adapter::{
    DeclFlags, DeclId, DeclKind, Definition as State, Emission, FileStore, Linkage, Source, Stmt, check,
};
use crate::flags::Flags;
use crate::functions::lower_function;
use crate::initializers::initialize_global;
use crate::link::{Definition, Linker, Strength, Work};
use crate::startup::Startup;
use crate::unit::UnitContext;
use heapwise_ir::claim::Claim;
use heapwise_ir::{FunctionId, Program, UnsupportedReason};
use heapwise_models::Models;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::PathBuf;

/// A file and how it is to be compiled.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The file.
    pub path: PathBuf,
    /// Its options.
    pub flags: Flags,
}

/// What to lower.
#[derive(Clone, Default, Debug)]
pub struct FrontOptions {
    /// The functions that execution may start in: what they reach is lowered. Empty: everything that the files define
    /// (of headers, what that reaches).
    pub entries: Vec<String>,
    /// What is lowered where one of them is not defined.
    pub without: WithoutEntry,
}

/// What is lowered where a function to start in is not defined.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum WithoutEntry {
    /// That is an error.
    #[default]
    Error,
    /// Everything.
    Everything,
}

/// A loaded program.
#[derive(Debug)]
pub struct Loaded {
    /// The program.
    pub program: Program,
    /// What is worth saying about it: functions and declarations that did not check.
    pub warnings: Vec<Diagnostic>,
    /// The functions that the files define for others to call, those of them that were lowered.
    pub exported: Vec<FunctionId>,
}

/// Something to tell the user about a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Diagnostic {
    /// The file.
    pub file: String,
    /// The line, counted from 1; 0 for the file as a whole.
    pub line: u32,
    /// The column, counted from 1; 0 for the file as a whole.
    pub column: u32,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// A file that is not part of a program, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftOut {
    /// Which of the files.
    pub unit: usize,
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
}

/// Trees of C are deep: every recursive walk needs room.
const STACK_BYTES: usize = 1 << 30;

/// Reads, checks and lowers a program. `Err` where a file cannot be read or parsed, or the files do not link.
pub fn load(units: &[Unit], options: &FrontOptions, models: &Models) -> Result<Loaded, Vec<Diagnostic>> {
    let load = || {
        one_machine(units)?;
        let (sources, left_out) = linkable(units);
        if left_out.is_empty() {
            lower(units, sources, options, models)
        } else {
            Err(left_out.into_iter().flat_map(|unit| unit.diagnostics).collect())
        }
    };
    with_deep_stack(load).unwrap_or_else(|()| {
        let file = units.first().map_or(String::new(), |unit| unit.path.display().to_string());
        let message = "the front end failed on this file".to_owned();
        let hint = Some("this is a defect of heapwise: please report it with the file".to_owned());
        Err(vec![Diagnostic { file, line: 0, column: 0, message, hint }])
    })
}

/// Like [`load`], for files that are looked at together without being known to be a program: those that cannot be read or
/// parsed, or that define a name again, are left out.
pub fn load_what_links(
    units: &[Unit],
    options: &FrontOptions,
    models: &Models,
) -> Result<(Loaded, Vec<LeftOut>), Vec<Diagnostic>> {
    let load = || {
        let (sources, left_out) = linkable(units);
        lower(units, sources, options, models).map(|loaded| (loaded, left_out))
    };
    with_deep_stack(load).unwrap_or_else(|()| {
        let message = "the front end failed on one of the files".to_owned();
        let hint = Some("this is a defect of heapwise: please report it with the file".to_owned());
        Err(vec![Diagnostic { file: String::new(), line: 0, column: 0, message, hint }])
    })
}

/// `Err` if it panicked.
fn with_deep_stack<T: Send>(work: impl Fn() -> T + Sync) -> Result<T, ()> {
    std::thread::scope(|scope| match std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, &work) {
        Ok(thread) => thread.join().map_err(drop),
        Err(_) => Ok(work()),
    })
}

fn lower(
    units: &[Unit],
    sources: Vec<Source>,
    options: &FrontOptions,
    models: &Models,
) -> Result<Loaded, Vec<Diagnostic>> {
    let target = units.first().map_or(heapwise_ir::Target::LP64, |unit| unit.flags.target);
    let mut link = Linker::new(target, models);
    let mut contexts: Vec<UnitContext<'_>> =
        sources.iter().enumerate().map(|(index, source)| UnitContext::new(source, index)).collect();
    let mut warnings = Vec::new();
    for context in &mut contexts {
        context.remember_file_scope();
        for (name, definition) in definitions(context) {
            // Which of two definitions counts, their strengths say; two strong ones do not get here.
            let _ = link.define(&name, definition);
        }
        place_faults(&mut link, context, &mut warnings);
        for asm in context.source.tast.file_asms() {
            if !crate::assembly::is_remark(&context.string_text(asm.template)) {
                let span = context.span(&mut link, asm.span);
                link.program.gaps.push((span, UnsupportedReason::InlineAssembly));
            }
        }
    }
    doubt(&mut link, units);
    let entry = start(&mut link, &mut contexts, options)?;
    // With no function to start in, a library is looked at: who loads it, and when, is not part of it.
    let startup = match options.entries.is_empty() {
        true => Startup::default(),
        false => Startup::find(&mut link, &mut contexts),
    };
    while let Some(work) = link.queue.pop_front() {
        match work {
            Work::Function { unit, decl, function } => {
                contexts[unit].note_declaration(&mut link, decl);
                lower_function(&mut link, &mut contexts[unit], decl, function);
            }
            Work::Global { unit, decl, global } => {
                contexts[unit].note_declaration(&mut link, decl);
                initialize_global(&mut link, &mut contexts[unit], decl, global);
            }
        }
    }
    link.compare_declarations();
    link.open_extents();
    startup.attach(&mut link.program, entry);
    let is_lowered = |function: &&heapwise_ir::Function| function.automaton().is_some();
    let lowered: FxHashSet<String> =
        link.program.functions.values().filter(is_lowered).map(|function| function.name.clone()).collect();
    for context in &mut contexts {
        crate::declared::attach_contracts(&mut link, context);
        name_uncalled(&mut link, context, &lowered);
    }
    let errors = contract_errors(&link);
    if !errors.is_empty() {
        return Err(errors);
    }
    let exported = exported(&link, &contexts);
    Ok(Loaded { program: link.program, warnings, exported })
}

/// What in the formulas of `hw_requires` and `hw_ensures` cannot be read.
fn contract_errors(link: &Linker<'_>) -> Vec<Diagnostic> {
    let program = &link.program;
    let mut errors = Vec::new();
    for (function, clause, text, span) in &link.claims {
        let Err(error) = Claim::parse(program, *function, *clause, text) else { continue };
        let file = span.file.map_or(String::new(), |file| program.files[file].path.clone());
        let function = &program.functions[*function].name;
        let message = format!("in the contract of `{function}`, \"{text}\": {error}");
        let hint = Some("docs/contracts.md has the grammar of claims and examples".to_owned());
        errors.push(Diagnostic { file, line: span.line, column: span.column, message, hint });
    }
    errors
}

/// Files for different machines are no program.
fn one_machine(units: &[Unit]) -> Result<(), Vec<Diagnostic>> {
    let other = |unit: &&Unit| unit.flags.target != units[0].flags.target;
    let Some(other) = units.iter().find(other) else { return Ok(()) };
    let file = other.path.display().to_string();
    let message = format!("is for another machine than `{}`", units[0].path.display());
    let hint = Some("files given together are one program: give all of them -m32, or none".to_owned());
    Err(vec![Diagnostic { file, line: 0, column: 0, message, hint }])
}

/// Options that may change what a text means are gaps of the program.
fn doubt(link: &mut Linker<'_>, units: &[Unit]) {
    for unit in units {
        for option in &unit.flags.doubts {
            let (option, file) = (option.clone(), unit.path.display().to_string());
            link.program.gaps.push((heapwise_ir::Span::NONE, UnsupportedReason::CompilerOption { option, file }));
        }
    }
}

/// Reads the files, as far as they can be read and linked.
fn linkable(units: &[Unit]) -> (Vec<Source>, Vec<LeftOut>) {
    let store = FileStore::default();
    let mut sources = Vec::new();
    let mut left_out = Vec::new();
    let mut known: FxHashMap<String, Strength> = FxHashMap::default();
    for (index, unit) in units.iter().enumerate() {
        match check(&unit.path, &unit.flags, &store) {
            Ok(source) => {
                let diagnostics = define_all(&mut known, &UnitContext::new(&source, index));
                if diagnostics.is_empty() {
                    sources.push(source);
                } else {
                    left_out.push(LeftOut { unit: index, diagnostics });
                }
            }
            Err(failures) => {
                let failures = failures.into_iter().map(|failure| {
                    let (file, line, column) = failure.at;
                    let file = if file.is_empty() { unit.path.display().to_string() } else { file };
                    let hint = failure.kind.hint().map(str::to_owned);
                    Diagnostic { file, line, column, message: failure.message, hint }
                });
                left_out.push(LeftOut { unit: index, diagnostics: failures.collect() });
            }
        }
    }
    (sources, left_out)
}

/// Enters the names that a file defines; what is wrong with it, if others define them too: then none is entered.
fn define_all(known: &mut FxHashMap<String, Strength>, context: &UnitContext<'_>) -> Vec<Diagnostic> {
    let found = definitions(context);
    let mut diagnostics = Vec::new();
    for (name, definition) in &found {
        if definition.strength != Strength::Strong || known.get(name) != Some(&Strength::Strong) {
            continue;
        }
        let place = context.source.files.presumed(context.source.tast.definition_span(definition.decl).lo);
        let (file, line, column) = place
            .map_or((context.source.path.clone(), 0, 0), |place| (place.name.to_owned(), place.line, place.column));
        let message = format!("`{name}` is defined in more than one file");
        let hint = Some("files given together are one program: check separate programs one at a time".to_owned());
        diagnostics.push(Diagnostic { file, line, column, message, hint });
    }
    if diagnostics.is_empty() {
        for (name, definition) in found {
            let strength = known.entry(name).or_insert(definition.strength);
            *strength = definition.strength.max(*strength);
        }
    }
    diagnostics
}

/// The definitions with external linkage of one unit.
fn definitions(context: &UnitContext<'_>) -> Vec<(String, Definition)> {
    let mut found = Vec::new();
    let mut seen: FxHashSet<DeclId> = FxHashSet::default();
    let tast = &context.source.tast;
    let redirected = redirected(context);
    for &decl in tast.top_level() {
        let declared = &tast[decl];
        if declared.linkage != Linkage::External || declared.alias.is_some() || !seen.insert(decl) {
            continue;
        }
        let weak = declared.flags.contains(DeclFlags::WEAK);
        let strength = match declared.kind {
            DeclKind::Function if declared.body.is_some() => match declared.inline {
                Emission::Inline if redirected.contains(&context.symbol(decl)) => continue,
                Emission::Inline => Strength::Inline,
                _ if weak => Strength::Weak,
                _ => Strength::Strong,
            },
            DeclKind::Object => match declared.state {
                State::Declared if declared.init.is_none() => continue,
                _ if weak => Strength::Weak,
                State::Tentative => Strength::Tentative,
                _ => Strength::Strong,
            },
            DeclKind::Function | DeclKind::Type => continue,
        };
        found.push((
            context.symbol(decl),
            Definition { unit: context.index, decl, kind: declared.kind, strength, room: context.room(decl) },
        ));
    }
    found
}

/// The symbols that a file also calls by another name. An inline definition of such a name stands before the function that the other
/// name means, and is not that function: `fgets` of a fortified header calls the `fgets` of the library by the name `__fgets_alias`.
fn redirected(context: &UnitContext<'_>) -> FxHashSet<String> {
    let tast = &context.source.tast;
    let functions = tast.top_level().iter().filter(|&&decl| tast[decl].kind == DeclKind::Function);
    let labelled = functions.filter(|&&decl| tast[decl].asm_label.is_some());
    labelled.filter(|&&decl| context.symbol(decl) != context.name(decl)).map(|&decl| context.symbol(decl)).collect()
}

/// Finds the function that holds each error of the checker; one outside any function is a gap of the program.
fn place_faults(link: &mut Linker<'_>, context: &mut UnitContext<'_>, warnings: &mut Vec<Diagnostic>) {
    let source = context.source;
    for fault in &source.faults {
        if let Some(place) = source.files.presumed(fault.span.lo) {
            let (file, line, column) = (place.name.to_owned(), place.line, place.column);
            warnings.push(Diagnostic { file, line, column, message: fault.message.clone(), hint: None });
        }
        match function_around(source, fault.span.lo) {
            Some(function) => {
                context.faulty.entry(function).or_insert_with(|| fault.message.clone());
            }
            None => {
                let span = context.span(link, fault.span);
                link.program.gaps.push((span, UnsupportedReason::FrontEndError(fault.message.clone())));
            }
        }
    }
}

fn function_around(source: &Source, position: u32) -> Option<DeclId> {
    source.tast.top_level().iter().copied().find(|&decl| {
        source.tast[decl].body.is_some_and(|body| {
            let body = source.tast.stmt_span(body);
            let start = source.tast.definition_span(decl).lo.min(body.lo);
            let start =
                if source.files.lookup_file(start) == source.files.lookup_file(body.lo) { start } else { body.lo };
            matches!(source.tast[source.tast[decl].body.unwrap_or_else(|| unreachable!())], Stmt::Block(_))
                && start <= position
                && position <= body.hi
        })
    })
}

/// Puts what execution starts in into the queue. The function, if it is one.
fn start(
    link: &mut Linker<'_>,
    contexts: &mut [UnitContext<'_>],
    options: &FrontOptions,
) -> Result<Option<FunctionId>, Vec<Diagnostic>> {
    if options.entries.is_empty() {
        for context in contexts {
            start_everything(link, context);
        }
        return Ok(None);
    }
    let is_defined = |entry: &String| {
        link.definitions.contains_key(entry)
            || contexts
                .iter()
                .any(|context| context.file_scope_named(entry).is_some_and(|decl| context.decl(decl).body.is_some()))
    };
    if options.without == WithoutEntry::Everything && !options.entries.iter().all(is_defined) {
        for context in contexts.iter_mut() {
            start_everything(link, context);
        }
        return Ok(None);
    }
    let mut errors = Vec::new();
    let mut entries = Vec::new();
    for entry in &options.entries {
        let found = match link.definitions.get(entry) {
            Some(definition) => Some((definition.unit, definition.decl)),
            None => contexts.iter().find_map(|context| {
                let decl = context.file_scope_named(entry)?;
                context.decl(decl).body.map(|_| (context.index, decl))
            }),
        };
        match found {
            Some((unit, decl)) if contexts[unit].is_function(decl) => {
                entries.push(contexts[unit].function(link, decl));
            }
            _ => {
                let file = contexts.first().map_or(String::new(), |context| context.source.path.clone());
                let message = format!("no function `{entry}` is defined");
                let hint = Some(format!("name the function to start from with --entry; {}", defined_names(contexts)));
                errors.push(Diagnostic { file, line: 0, column: 0, message, hint });
            }
        }
    }
    match (errors.is_empty(), entries.as_slice()) {
        (false, _) => Err(errors),
        (true, [entry]) => Ok(Some(*entry)),
        (true, _) => Ok(None),
    }
}

/// The functions with external linkage that the files themselves define and that were lowered, in order.
fn exported(link: &Linker<'_>, contexts: &[UnitContext<'_>]) -> Vec<FunctionId> {
    let lowered = link.program.functions.iter().filter(|(_, function)| function.automaton().is_some());
    let by_name: FxHashMap<&str, FunctionId> = lowered.map(|(id, function)| (function.name.as_str(), id)).collect();
    let mut found = Vec::new();
    for context in contexts {
        let source = context.source;
        let main_file = source.files.files().first().map(|file| file.id);
        for &decl in source.tast.top_level() {
            let declared = &source.tast[decl];
            let is_here = source.files.lookup_file(source.tast.definition_span(decl).lo) == main_file;
            let is_exported = declared.linkage == Linkage::External && declared.inline.emits();
            if declared.kind != DeclKind::Function || declared.body.is_none() || !is_here || !is_exported {
                continue;
            }
            if let Some(function) = by_name.get(context.name(decl)).filter(|function| !found.contains(*function)) {
                found.push(*function);
            }
        }
    }
    found
}

/// Says which functions that a file itself defines are not part of the program. (Inline functions of headers are not meant to be
/// called by everybody.)
fn name_uncalled(link: &mut Linker<'_>, context: &mut UnitContext<'_>, lowered: &FxHashSet<String>) {
    let source = context.source;
    let main_file = source.files.files().first().map(|file| file.id);
    let mut seen: FxHashSet<DeclId> = FxHashSet::default();
    for &decl in source.tast.top_level() {
        let is_here = source.files.lookup_file(source.tast.definition_span(decl).lo) == main_file;
        if source.tast[decl].body.is_none() || !is_here || !seen.insert(decl) {
            continue;
        }
        let name = context.name(decl).to_owned();
        if !lowered.contains(&name) {
            let span = context.span(link, source.tast.definition_span(decl));
            link.program.uncalled.push((name, span));
        }
    }
}

/// The functions that the files themselves define, in order; the first dozen of them.
fn defined_names(contexts: &[UnitContext<'_>]) -> String {
    const SHOWN: usize = 12;
    let mut names = Vec::new();
    for context in contexts {
        let source = context.source;
        let main_file = source.files.files().first().map(|file| file.id);
        let defined = source.tast.top_level().iter().filter(|decl| {
            source.tast[**decl].body.is_some()
                && source.files.lookup_file(source.tast.definition_span(**decl).lo) == main_file
        });
        names.extend(defined.map(|decl| context.name(*decl)));
    }
    let left_out = names.len().saturating_sub(SHOWN);
    names.truncate(SHOWN);
    match (names.is_empty(), left_out) {
        (true, _) => "none is defined here".to_owned(),
        (false, 0) => format!("defined here: {}", names.join(", ")),
        (false, more) => format!("defined here: {} and {more} more", names.join(", ")),
    }
}

fn start_everything(link: &mut Linker<'_>, context: &mut UnitContext<'_>) {
    let source = context.source;
    let main_file = source.files.files().first().map(|file| file.id);
    let mut seen: FxHashSet<DeclId> = FxHashSet::default();
    for &decl in source.tast.top_level() {
        if !seen.insert(decl) {
            continue;
        }
        let declared = &source.tast[decl];
        let here = source.files.lookup_file(source.tast.definition_span(decl).lo) == main_file;
        match declared.kind {
            DeclKind::Function if declared.body.is_some() => {
                let header_inline = !here && (declared.linkage == Linkage::Internal || !declared.inline.emits());
                if !header_inline {
                    context.function(link, decl);
                }
            }
            DeclKind::Object if here && declared.state != State::Declared => {
                context.global(link, decl);
            }
            DeclKind::Function | DeclKind::Object | DeclKind::Type => {}
        }
    }
}
