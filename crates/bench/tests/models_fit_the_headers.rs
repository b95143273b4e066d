//! The shipped models speak of parameters that the machine's headers declare, and of pointers where they are pointers.

use heapwise_bench::corpus::SourceUnit;
use heapwise_bench::frontend;
use heapwise_ir::{ExternEffects, ExternResult, Function, MemoryEffect, Program, ReadFirst, Type, TypeId};
use heapwise_models::{
    Allocate, CallParts, CopyLength, CopyResult, Destination, Duplicate, DuplicateLength, Effect, ElementCount,
    FillByte, Model, Models, Original, Reallocate, Size, Texts,
};
use std::collections::BTreeSet;
use std::fmt::Write;

const HEADERS: &[&str] = &[
    "alloca.h",
    "arpa/inet.h",
    "complex.h",
    "ctype.h",
    "dirent.h",
    "err.h",
    "fcntl.h",
    "fenv.h",
    "fnmatch.h",
    "grp.h",
    "inttypes.h",
    "libgen.h",
    "locale.h",
    "malloc.h",
    "math.h",
    "mntent.h",
    "net/if.h",
    "netdb.h",
    "poll.h",
    "pthread.h",
    "pwd.h",
    "regex.h",
    "sched.h",
    "semaphore.h",
    "signal.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "sys/random.h",
    "sys/resource.h",
    "sys/eventfd.h",
    "sys/inotify.h",
    "sys/sendfile.h",
    "sys/socket.h",
    "sys/stat.h",
    "sys/statfs.h",
    "sys/statvfs.h",
    "sys/sysinfo.h",
    "sys/time.h",
    "sys/times.h",
    "sys/utsname.h",
    "sys/wait.h",
    "syslog.h",
    "termios.h",
    "threads.h",
    "time.h",
    "uchar.h",
    "unistd.h",
    "utime.h",
    "utmpx.h",
    "wchar.h",
    "wctype.h",
];

/// The models whose functions the headers declare.
fn declared<'models>(models: &'models Models, unit: &SourceUnit) -> Vec<&'models Model> {
    let output = std::process::Command::new("gcc").args(&unit.arguments).arg("-E").arg(&unit.path).output();
    let text = String::from_utf8(output.expect("gcc runs").stdout).expect("headers are text");
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let words: BTreeSet<&str> = text.split(|letter| !is_name(letter)).collect();
    models.iter().filter(|model| words.contains(model.name.as_str())).collect()
}

/// Checks one model against one prototype.
struct Checker<'a> {
    program: &'a Program,
    function: &'a Function,
    problems: Vec<String>,
}

impl Checker<'_> {
    fn parameter(&self, position: u32) -> Option<TypeId> {
        let register = self.function.parameters.get(position as usize)?;
        Some(self.function.registers[*register].ty)
    }

    fn pointer(&mut self, position: u32, what: &str) {
        match self.parameter(position).map(|ty| self.program.ty(ty)) {
            Some(Type::Pointer(_)) => {}
            other => self.problems.push(format!("{}: {what} {position} is {other:?}", self.function.name)),
        }
    }

    fn pointer_to_pointer(&mut self, position: u32) {
        let pointee = self.parameter(position).and_then(|ty| self.program.pointee(ty));
        // `posix_memalign` takes `void **`; nothing else stores an address.
        if !pointee.is_some_and(|pointee| matches!(self.program.ty(pointee), Type::Pointer(_))) {
            self.problems.push(format!("{}: {position} does not point to a pointer", self.function.name));
        }
    }

    fn number(&mut self, position: u32) {
        match self.parameter(position).map(|ty| self.program.ty(ty)) {
            Some(Type::Int(_)) => {}
            other => self.problems.push(format!("{}: number {position} is {other:?}", self.function.name)),
        }
    }

    fn size(&mut self, size: Size) {
        match size {
            Size::Constant(_) | Size::Any => {}
            Size::Parameter(position) => self.number(position),
            Size::Product(left, right) => {
                self.number(left);
                self.number(right);
            }
        }
    }

    fn copy_result(&mut self, result: CopyResult) {
        match result {
            CopyResult::Nothing => {}
            CopyResult::Argument(position) => self.pointer(position, "result"),
            CopyResult::End => self.pointer_result(),
        }
    }

    fn pointer_result(&mut self) {
        let ty = self.function.result.map(|register| self.function.registers[register].ty);
        if !ty.is_some_and(|ty| matches!(self.program.ty(ty), Type::Pointer(_))) {
            self.problems.push(format!("{}: the result is no pointer", self.function.name));
        }
    }

    fn effect(&mut self, effect: &Effect, parts: &CallParts) {
        self.parts(parts);
        match effect {
            Effect::Allocate(Allocate { bytes, destination, format, .. }) => {
                self.size(*bytes);
                match destination {
                    Destination::Return => self.pointer_result(),
                    Destination::OutParameter { parameter, .. } => self.pointer_to_pointer(*parameter),
                }
                format.iter().for_each(|format| self.pointer(format.parameter, "format"));
            }
            Effect::Deallocate { pointer } => self.pointer(*pointer, "freed"),
            Effect::Reallocate(Reallocate { pointer, bytes, .. }) => {
                self.pointer(*pointer, "old object");
                self.size(*bytes);
            }
            Effect::GrowBuffer { pointer, capacity, stream } => {
                self.pointer_to_pointer(*pointer);
                self.pointer(*capacity, "capacity");
                if let Some(stream) = stream {
                    self.pointer(*stream, "stream");
                }
            }
            Effect::Copy { to, from, bytes, returns } => {
                self.pointer(*to, "target");
                self.pointer(*from, "source");
                match bytes {
                    CopyLength::Bytes(size) => self.size(*size),
                    CopyLength::String => {}
                }
                self.copy_result(*returns);
            }
            Effect::Fill { to, byte, bytes, returns } => {
                self.pointer(*to, "target");
                match byte {
                    FillByte::Parameter(position) => self.number(*position),
                    FillByte::Constant(_) | FillByte::Any => {}
                }
                self.size(*bytes);
                self.copy_result(*returns);
            }
            Effect::Duplicate(Duplicate { from, length, .. }) => {
                if let Original::Parameter(from) = from {
                    self.pointer(*from, "original");
                }
                match length {
                    DuplicateLength::String => {}
                    DuplicateLength::StringUpTo(limit) => self.number(*limit),
                    DuplicateLength::Bytes(size) => self.size(*size),
                }
                self.pointer_result();
            }
            Effect::Assume { parameter } => self.number(*parameter),
            Effect::AssertionFailure | Effect::Nondet => {}
            Effect::Extern(effects) => self.extern_effects(effects, parts),
        }
    }

    /// Arguments that are tested are numbers; elements have the members that are named.
    fn parts(&mut self, parts: &CallParts) {
        parts.ends.iter().chain(&parts.may_end).for_each(|test| self.number(test.parameter));
        parts.only_if.iter().for_each(|test| {
            if self.parameter(test.parameter).is_none() {
                self.problems.push(format!("{}: there is no argument {}", self.function.name, test.parameter));
            }
        });
        for texts in &parts.texts {
            match *texts {
                Texts::Parameter(position) => self.pointer(position, "text"),
                Texts::List { parameter, .. } => self.pointer_to_pointer(parameter),
                Texts::Arguments(position) => {
                    if position as usize > self.function.parameters.len() {
                        self.problems.push(format!("{}: no argument stands at {position}", self.function.name));
                    }
                }
            }
        }
        if let Some(gift) = parts.gives {
            self.pointer_to_pointer(gift.parameter);
        }
        let Some(elements) = &parts.elements else { return };
        self.pointer(elements.pointer, "elements");
        if let ElementCount::Parameter(count) = elements.count {
            self.number(count);
        }
        for member in elements.reads.iter().chain(&elements.writes) {
            self.read_first(&ReadFirst { parameter: elements.pointer, member: Some(member.clone()) });
        }
    }

    fn extern_effects(&mut self, effects: &ExternEffects, parts: &CallParts) {
        effects.dereferences.iter().for_each(|dereference| self.pointer(dereference.parameter, "dereferenced"));
        effects.takes_ownership.iter().for_each(|position| self.pointer(*position, "owned"));
        effects.reads_first.iter().for_each(|read| self.read_first(read));
        effects.format.iter().for_each(|format| self.pointer(format.parameter, "format"));
        match &effects.memory {
            MemoryEffect::Pure | MemoryEffect::Unknown => {}
            MemoryEffect::Writes(positions) => positions.iter().for_each(|position| self.pointer(*position, "written")),
            MemoryEffect::StoresPointer { through, into } => {
                self.pointer_to_pointer(*through);
                self.pointer(*into, "pointed into");
            }
        }
        match effects.result {
            ExternResult::Any => {
                let ty = self.function.result.map(|register| self.function.registers[register].ty);
                let modelled = effects.memory != MemoryEffect::Unknown;
                // Calling what `signal` returns is no call of a known function.
                let is_object = |ty| {
                    let pointee = self.program.pointee(ty).map(|pointee| self.program.ty(pointee));
                    pointee.is_some_and(|pointee| !matches!(pointee, Type::Function(_)))
                };
                if modelled && ty.is_some_and(is_object) {
                    self.problems.push(format!("{}: nothing is said of the pointer it returns", self.function.name));
                }
            }
            ExternResult::Argument(position) => self.pointer(position, "result"),
            ExternResult::IntoArgument { argument, .. } => {
                self.pointer(argument, "result");
                self.pointer_result();
            }
            ExternResult::Library { .. } => self.pointer_result(),
        }
        self.unread_pointers(effects, parts);
    }

    /// What is read behind a parameter is a member of what it points to.
    fn read_first(&mut self, read: &ReadFirst) {
        self.pointer(read.parameter, "read");
        let register = self.function.parameters.get(read.parameter as usize);
        let pointee = register.and_then(|register| self.program.pointee(self.function.registers[*register].ty));
        let record = pointee.map(|ty| self.program.ty(ty));
        let is_there = match (&read.member, record) {
            (None, _) => true,
            (Some(member), Some(Type::Record(record))) => {
                self.program.records[*record].fields().iter().any(|field| field.name == *member)
            }
            (Some(_), _) => false,
        };
        if !is_there {
            self.problems.push(format!("{}: there is no member {:?}", self.function.name, read.member));
        }
    }

    /// Every pointer that the function takes is one that it may look through.
    fn unread_pointers(&mut self, effects: &ExternEffects, parts: &CallParts) {
        let name = self.function.name.as_str();
        if effects.memory == MemoryEffect::Unknown {
            return;
        }
        for position in 0..self.function.parameters.len() as u32 {
            let Some(Type::Pointer(pointee)) = self.parameter(position).map(|ty| self.program.ty(ty)) else { continue };
            let is_function = matches!(self.program.ty(*pointee), Type::Function(_));
            let listed = effects.dereferences.iter().any(|dereference| dereference.parameter == position)
                || parts.elements.as_ref().is_some_and(|elements| elements.pointer == position);
            if !listed && !is_function {
                self.problems.push(format!("{name}: pointer parameter {position} is not listed as dereferenced"));
            }
        }
    }
}

#[test]
fn shipped_models_fit_the_prototypes() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("headers.c");
    let mut text = String::new();
    HEADERS.iter().for_each(|header| writeln!(text, "#include <{header}>").expect("memory does not fail"));
    std::fs::write(&path, &text).expect("written");
    let unit = SourceUnit {
        shown: "headers.c".to_owned(),
        directory: directory.path().to_owned(),
        arguments: vec!["-D_GNU_SOURCE".to_owned()],
        path: path.clone(),
    };
    let models = Models::shipped();
    let declared = declared(&models, &unit);
    assert!(declared.len() > 300, "only {} of the models are declared", declared.len());
    writeln!(text, "void use(void *);").expect("memory does not fail");
    for (index, model) in declared.iter().enumerate() {
        writeln!(text, "void use_{index}(void) {{ use((void *)({})); }}", model.name).expect("memory does not fail");
    }
    std::fs::write(&path, &text).expect("written");
    // With no models at hand the front end keeps every function as it is declared.
    let loaded = frontend::load(&unit, &Models::default()).expect("the front end takes the headers");
    let mut problems = Vec::new();
    let mut n_checked = 0;
    for model in declared {
        // The headers also use some of the names for other things (`struct flock`).
        let Some(function) = loaded.program.function_named(&model.name) else { continue };
        n_checked += 1;
        let function = &loaded.program.functions[function];
        let mut checker = Checker { program: &loaded.program, function, problems: Vec::new() };
        checker.effect(&model.effect, &model.parts);
        problems.extend(checker.problems);
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(n_checked > 300, "only {n_checked} prototypes were found");
}

/// The headers of ISO C.
const ISO_HEADERS: [&str; 23] = [
    "assert.h",
    "complex.h",
    "ctype.h",
    "errno.h",
    "fenv.h",
    "inttypes.h",
    "limits.h",
    "locale.h",
    "math.h",
    "setjmp.h",
    "signal.h",
    "stdarg.h",
    "stdatomic.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "threads.h",
    "time.h",
    "uchar.h",
    "wchar.h",
    "wctype.h",
];

/// What the front end and `explicit` know by name, without a model, or refuse.
const KNOWN_BY_NAME: [&str; 8] = [
    "atexit",
    "atomic_flag_clear",
    "atomic_flag_test_and_set",
    "atomic_signal_fence",
    "atomic_thread_fence",
    "longjmp",
    "setjmp",
    "strtok",
];

/// Every function that the headers of ISO C declare, by the compiler's own list of prototypes.
fn functions_of_iso_c() -> BTreeSet<String> {
    let directory = tempfile::tempdir().expect("a directory");
    let (source, list) = (directory.path().join("iso.c"), directory.path().join("prototypes"));
    let text: String = ISO_HEADERS.iter().map(|header| format!("#include <{header}>\n")).collect();
    std::fs::write(&source, text).expect("written");
    let status = std::process::Command::new("gcc")
        .args(["-std=c17", "-fsyntax-only", "-aux-info"])
        .args([&list, &source])
        .status()
        .expect("gcc runs");
    assert!(status.success());
    let prototypes = std::fs::read_to_string(&list).expect("gcc writes the list");
    let name = |line: &str| {
        let declaration = line.split_once("*/ extern ")?.1;
        let before = declaration.split_once(" (")?.0;
        Some(before.rsplit([' ', '*']).next()?.to_owned())
    };
    // Names with underscores are glibc's own.
    prototypes.lines().filter_map(name).filter(|name| !name.starts_with('_') && !name.is_empty()).collect()
}

#[test]
fn every_function_of_iso_c_has_a_model() {
    let functions = functions_of_iso_c();
    assert!(functions.len() > 400, "only {} functions were found", functions.len());
    let models = Models::shipped();
    let explicit = |name: &String| name.ends_with("_explicit");
    let missing: Vec<&String> = functions
        .iter()
        .filter(|name| !KNOWN_BY_NAME.contains(&name.as_str()) && !explicit(name) && models.get(name).is_none())
        .collect();
    assert!(missing.is_empty(), "no model: {missing:?}");
    let followed = functions.iter().filter(|name| {
        models.get(name).is_some_and(|model| match &model.effect {
            Effect::Extern(effects) => effects.modelled || effects.callback.is_some(),
            _ => true,
        })
    });
    let n_followed = followed.count();
    assert!(n_followed * 100 >= functions.len() * 65, "only {n_followed} of {} are followed", functions.len());
}
