//! Several translation units into one program: which name is which object.

use crate::adapter::{DeclId, DeclKind, RecordKind as CRecordKind};
use heapwise_ir::claim::Clause;
use heapwise_ir::entity::EntityRef;
use heapwise_ir::{
    Body, Construct, ExternEffects, Field, FileId, Function, FunctionId, Global, GlobalId, Initializer, Mutability,
    OPEN_EXTENT, Program, Record, RecordId, RecordKind, SourceFile, Span, Target, Type,
};
use heapwise_models::{Effect, Models};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, VecDeque};

/// How binding a definition is: a later variant wins over an earlier one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Strength {
    /// An `inline` definition: the real one may be elsewhere.
    Inline,
    /// `__attribute__((weak))`.
    Weak,
    /// A tentative definition (`int x;`): zeros, unless another unit says otherwise.
    Tentative,
    /// The definition.
    Strong,
}

/// Where a name with external linkage is defined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Definition {
    pub(crate) unit: usize,
    pub(crate) decl: DeclId,
    pub(crate) kind: DeclKind,
    pub(crate) strength: Strength,
    /// How much room the object needs: of several tentative definitions the linker takes the most that is asked for.
    pub(crate) room: Room,
}

/// Size and alignment in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub(crate) size: u64,
    pub(crate) align: u64,
}

/// What a file says that a name with external linkage is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Declared {
    /// An object.
    Object(heapwise_ir::TypeId),
    /// A function: its result and parameters before lowering.
    Function { result: heapwise_ir::TypeId, parameters: Parameters },
}

/// What a declaration says of the parameters of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Parameters {
    /// A prototype.
    Prototype { types: Vec<heapwise_ir::TypeId>, variadic: bool },
    /// Nothing, or an old-style definition.
    Promoted,
}

/// What is still to be lowered.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Work {
    Function { unit: usize, decl: DeclId, function: FunctionId },
    Global { unit: usize, decl: DeclId, global: GlobalId },
}

/// The program under construction and the names in it.
pub(crate) struct Linker<'m> {
    pub(crate) program: Program,
    pub(crate) models: &'m Models,
    /// Definitions with external linkage.
    pub(crate) definitions: FxHashMap<String, Definition>,
    pub(crate) queue: VecDeque<Work>,
    /// What files say that names with external linkage are, and where.
    declared: BTreeMap<String, Vec<(Span, Declared)>>,
    functions: FxHashMap<String, FunctionId>,
    globals: FxHashMap<String, GlobalId>,
    /// Names of functions and globals, so that each is unique.
    names: FxHashSet<String>,
    record_names: FxHashSet<String>,
    records: FxHashMap<String, Vec<RecordId>>,
    /// Bodies made for library functions whose address is taken.
    pub(crate) synthesized: FxHashMap<FunctionId, FunctionId>,
    /// Records of variable arguments, by the types of the arguments.
    pub(crate) argument_slots: FxHashMap<Vec<heapwise_ir::TypeId>, RecordId>,
    files: FxHashMap<String, FileId>,
    /// The formulas of contracts, and where each is written.
    pub(crate) claims: Vec<(FunctionId, Clause, String, Span)>,
}

impl<'m> Linker<'m> {
    pub(crate) fn new(target: Target, models: &'m Models) -> Linker<'m> {
        Linker {
            program: Program::new(target),
            models,
            definitions: FxHashMap::default(),
            queue: VecDeque::new(),
            declared: BTreeMap::new(),
            functions: FxHashMap::default(),
            globals: FxHashMap::default(),
            names: FxHashSet::default(),
            record_names: FxHashSet::default(),
            records: FxHashMap::default(),
            synthesized: FxHashMap::default(),
            argument_slots: FxHashMap::default(),
            files: FxHashMap::default(),
            claims: Vec::new(),
        }
    }

    /// The file of that path; its text is asked for on first sight.
    pub(crate) fn file(&mut self, path: &str, text: impl FnOnce() -> String) -> FileId {
        if let Some(&file) = self.files.get(path) {
            return file;
        }
        let file = self.program.files.push(SourceFile { path: path.to_owned(), text: text() });
        self.files.insert(path.to_owned(), file);
        file
    }

    /// Records a definition; `Err` holds the one that is already there when both are strong.
    pub(crate) fn define(&mut self, name: &str, definition: Definition) -> Result<(), Definition> {
        match self.definitions.get_mut(name) {
            None => {
                self.definitions.insert(name.to_owned(), definition);
            }
            Some(old) if definition.strength > old.strength => *old = definition,
            Some(old) if old.strength == Strength::Tentative && definition.strength == Strength::Tentative => {
                let align = old.room.align.max(definition.room.align);
                if definition.room.size > old.room.size {
                    *old = definition;
                }
                old.room.align = align;
            }
            Some(old) if old.strength == Strength::Strong && definition.strength == Strength::Strong => {
                return Err(*old);
            }
            Some(_) => {}
        }
        Ok(())
    }

    /// A name that nothing has yet: `name`, else `name@place`, else `name@place@2` …
    pub(crate) fn unique_name(&mut self, name: &str, place: &str) -> String {
        unique(&mut self.names, name, place)
    }

    /// The function with external linkage of that name; `make` builds it on first sight.
    pub(crate) fn external_function(&mut self, name: &str, make: impl FnOnce(&mut Self) -> Function) -> FunctionId {
        if let Some(&function) = self.functions.get(name) {
            return function;
        }
        self.names.insert(name.to_owned());
        let made = make(self);
        let function = self.program.functions.push(made);
        self.functions.insert(name.to_owned(), function);
        if let Some(definition) = self.definitions.get(name).filter(|found| found.kind == DeclKind::Function) {
            self.queue.push_back(Work::Function { unit: definition.unit, decl: definition.decl, function });
        }
        function
    }

    /// The function of that name with these effects, whatever a program says: for what the lowering itself calls.
    pub(crate) fn known_function(&self, name: &str) -> Option<FunctionId> {
        self.functions.get(name).copied()
    }

    /// The global with external linkage of that name; `make` builds it (without initializer) on first sight.
    pub(crate) fn external_global(&mut self, name: &str, make: impl FnOnce(&mut Self) -> Global) -> GlobalId {
        if let Some(&global) = self.globals.get(name) {
            return global;
        }
        self.names.insert(name.to_owned());
        let made = make(self);
        let global = self.program.globals.push(made);
        self.globals.insert(name.to_owned(), global);
        if let Some(definition) = self.definitions.get(name).filter(|found| found.kind == DeclKind::Object) {
            self.queue.push_back(Work::Global { unit: definition.unit, decl: definition.decl, global });
        }
        global
    }

    /// Remembers what a file says that a name is.
    pub(crate) fn note_declaration(&mut self, name: String, span: Span, declared: Declared) {
        let known = self.declared.entry(name).or_default();
        if known.iter().all(|(_, other)| *other != declared) {
            known.push((span, declared));
        }
    }

    /// Files that do not agree about a name make a program that means nothing where they use it (C11 6.2.7, paragraph 2).
    pub(crate) fn compare_declarations(&mut self) {
        for (name, all) in std::mem::take(&mut self.declared) {
            let kind = self.definitions.get(&name).map(|definition| definition.kind);
            let agreement = |declared: &Declared| match (kind, declared) {
                (Some(DeclKind::Function), Declared::Object(_))
                | (Some(DeclKind::Object), Declared::Function { .. }) => Agreement::Otherwise,
                (Some(_) | None, _) => {
                    let each = all.iter().map(|(_, other)| agree(&self.program, declared, other));
                    each.max().unwrap_or(Agreement::Agreed)
                }
            };
            let each: Vec<(Span, Agreement)> =
                all.iter().map(|(span, declared)| (*span, agreement(declared))).collect();
            let worst = each.iter().map(|(_, agreement)| *agreement).max().unwrap_or(Agreement::Agreed);
            let Some((span, _)) = each.iter().find(|(_, agreement)| *agreement != Agreement::Agreed) else { continue };
            let construct = match worst {
                Agreement::Agreed => continue,
                Agreement::AsDefined => Construct::DefinedOtherwise { name },
                Agreement::Otherwise => Construct::DeclaredOtherwise { name },
            };
            self.program.gaps.push((*span, construct.into()));
        }
    }

    /// How far an object goes whose type is incomplete and whose definition is in none of the files is not known: as far as
    /// it is looked at, and no engine may say more.
    pub(crate) fn open_extents(&mut self) {
        let mut external: Vec<GlobalId> = self.globals.values().copied().collect();
        external.sort_unstable();
        for global in external {
            let Global { ty, initializer, span, .. } = &self.program.globals[global];
            if matches!(initializer, Initializer::Unknown) && self.program.size_of(*ty).is_none() {
                self.program.gaps.push((*span, Construct::IncompleteSize.into()));
                self.program.globals[global].size = OPEN_EXTENT;
            }
        }
    }

    /// A string literal, or another constant that the text has no name for.
    pub(crate) fn constant(&mut self, prefix: &str, span: Span, ty: heapwise_ir::TypeId, bytes: Vec<u8>) -> GlobalId {
        let number = self.program.globals.next_key().index();
        let name = unique(&mut self.names, &format!("{prefix}{number}"), "constant");
        self.program.globals.push(Global {
            name,
            span,
            ty,
            size: bytes.len() as u64,
            align: None,
            initializer: Initializer::Bytes(bytes),
            mutability: Mutability::ReadOnly,
        })
    }

    /// Records of that name so far.
    pub(crate) fn records_named(&self, name: &str) -> &[RecordId] {
        self.records.get(name).map_or(&[], Vec::as_slice)
    }

    /// A new record, incomplete; its name is made unique.
    pub(crate) fn add_record(&mut self, name: &str, kind: CRecordKind, place: &str) -> RecordId {
        let unique = unique(&mut self.record_names, name, place);
        let kind = match kind {
            CRecordKind::Struct => RecordKind::Struct,
            CRecordKind::Union => RecordKind::Union,
        };
        let record = self.program.records.push(Record { name: unique, kind, fields: None, size: 0, align: 1 });
        self.records.entry(name.to_owned()).or_default().push(record);
        record
    }

    /// `__va_list_tag` of x86-64, which a unit that names `va_list` has already.
    pub(crate) fn variable_list_record(
        &mut self,
        unsigned: heapwise_ir::TypeId,
        pointer: heapwise_ir::TypeId,
    ) -> RecordId {
        const NAME: &str = "__va_list_tag";
        if let Some(&known) = self.records_named(NAME).first() {
            return known;
        }
        let field = |name: &str, ty, offset| Field { name: name.to_owned(), ty, offset, bits: None };
        let record = self.add_record(NAME, CRecordKind::Struct, "");
        let made = &mut self.program.records[record];
        made.fields = Some(vec![
            field("gp_offset", unsigned, 0),
            field("fp_offset", unsigned, 4),
            field("overflow_arg_area", pointer, 8),
            field("reg_save_area", pointer, 16),
        ]);
        (made.size, made.align) = (24, 8);
        record
    }

    /// What the models say of a function without a body.
    pub(crate) fn effects_of(&self, name: &str) -> Option<ExternEffects> {
        match &self.models.get(name)?.effect {
            Effect::Extern(effects) => Some(effects.clone()),
            _ => None,
        }
    }

    /// Whether the function already has its automaton.
    pub(crate) fn is_defined(&self, function: FunctionId) -> bool {
        matches!(self.program.functions[function].body, Body::Defined(_))
    }
}

/// How far two declarations of a name make values pass in the same way; what is worse is greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Agreement {
    Agreed,
    /// No value is read as another type: an array is longer than another file says, a function has no result.
    AsDefined,
    Otherwise,
}

impl Agreement {
    fn of(is_agreed: bool, otherwise: Agreement) -> Agreement {
        if is_agreed { Agreement::Agreed } else { otherwise }
    }
}

fn agree(program: &Program, one: &Declared, other: &Declared) -> Agreement {
    match (one, other) {
        (Declared::Object(one), Declared::Object(other)) => {
            let otherwise = match (program.ty(*one), program.ty(*other)) {
                (Type::Array(one, _), Type::Array(other, _)) if program.is_passed_as(*one, *other) => {
                    Agreement::AsDefined
                }
                (_, _) => Agreement::Otherwise,
            };
            Agreement::of(program.is_passed_as(*one, *other), otherwise)
        }
        (
            Declared::Function { result, parameters },
            Declared::Function { result: other_result, parameters: other_parameters },
        ) => {
            let is_parameters = match (parameters, other_parameters) {
                (
                    Parameters::Prototype { types, variadic },
                    Parameters::Prototype { types: others, variadic: other_variadic },
                ) => {
                    variadic == other_variadic
                        && types.len() == others.len()
                        && types.iter().zip(others).all(|(ty, other)| program.is_passed_as(*ty, *other))
                }
                (Parameters::Promoted, _) | (_, Parameters::Promoted) => true,
            };
            // A record as a result comes through memory that the caller gives.
            let is_none = |ty| matches!(program.ty(ty), Type::Void);
            let is_record = |ty| matches!(program.ty(ty), Type::Record(_));
            let (result, other) = (*result, *other_result);
            let is_one_none = is_none(result) && !is_record(other) || is_none(other) && !is_record(result);
            let otherwise = if is_one_none { Agreement::AsDefined } else { Agreement::Otherwise };
            Agreement::of(is_parameters, Agreement::Otherwise)
                .max(Agreement::of(program.is_passed_as(result, other), otherwise))
        }
        (Declared::Object(_), Declared::Function { .. }) | (Declared::Function { .. }, Declared::Object(_)) => {
            Agreement::Otherwise
        }
    }
}

fn unique(names: &mut FxHashSet<String>, name: &str, place: &str) -> String {
    if names.insert(name.to_owned()) {
        return name.to_owned();
    }
    let placed = format!("{name}@{place}");
    if names.insert(placed.clone()) {
        return placed;
    }
    let mut number = 2;
    loop {
        let candidate = format!("{placed}@{number}");
        if names.insert(candidate.clone()) {
            return candidate;
        }
        number += 1;
    }
}
