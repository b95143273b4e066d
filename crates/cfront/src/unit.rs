//! One translation unit while it is lowered: its tree, and what its declarations became in the program.

use crate::adapter::{
    Decl, DeclFlags, DeclId, DeclKind, Effects, FileId as SourceFileId, LabelId, Linkage, RecordId, Source,
    Span as SourceSpan, StorageDuration, StrId, TypeId, TypeKind, layout,
};
use crate::link::{Declared, Linker, Parameters, Room, Work};
use heapwise_ir::entity::PrimaryMap;
use heapwise_ir::{
    Body, ErrorNumber, ExternEffects, FileId, Function, FunctionId, Global, GlobalId, Initializer, MemoryEffect,
    Mutability, Register, RegisterOrigin, Signature, Span, Termination, Type,
};
use rustc_hash::FxHashMap;

/// A translation unit under lowering.
pub(crate) struct UnitContext<'s> {
    pub(crate) source: &'s Source,
    /// Its position among the units.
    pub(crate) index: usize,
    /// The file name without directories: what clashing names carry.
    pub(crate) place: String,
    pub(crate) types: FxHashMap<TypeId, heapwise_ir::TypeId>,
    pub(crate) records: FxHashMap<RecordId, heapwise_ir::RecordId>,
    pub(crate) record_names: FxHashMap<RecordId, String>,
    strings: FxHashMap<StrId, GlobalId>,
    labels: FxHashMap<LabelId, GlobalId>,
    functions: FxHashMap<DeclId, FunctionId>,
    globals: FxHashMap<DeclId, GlobalId>,
    files: FxHashMap<SourceFileId, Option<FileId>>,
    last_span: (SourceSpan, Span),
    /// The functions that hold an error of the checker, with its message.
    pub(crate) faulty: FxHashMap<DeclId, String>,
    /// Names in the file scope, for `alias`.
    file_scope: FxHashMap<String, DeclId>,
    /// The function whose statics are being named.
    pub(crate) static_owner: Option<String>,
}

impl<'s> UnitContext<'s> {
    pub(crate) fn new(source: &'s Source, index: usize) -> UnitContext<'s> {
        let place = source.path.rsplit('/').next().unwrap_or(&source.path).to_owned();
        UnitContext {
            source,
            index,
            place,
            types: FxHashMap::default(),
            records: FxHashMap::default(),
            record_names: FxHashMap::default(),
            strings: FxHashMap::default(),
            labels: FxHashMap::default(),
            functions: FxHashMap::default(),
            globals: FxHashMap::default(),
            files: FxHashMap::default(),
            last_span: (SourceSpan::DUMMY, Span::NONE),
            faulty: FxHashMap::default(),
            file_scope: FxHashMap::default(),
            static_owner: None,
        }
    }

    pub(crate) fn decl(&self, decl: DeclId) -> &'s Decl {
        &self.source.tast[decl]
    }

    /// The C name of a declaration.
    pub(crate) fn name(&self, decl: DeclId) -> &'s str {
        self.decl(decl).name.map_or("", |name| self.source.names.resolve(name))
    }

    /// The name that the linker sees: `int f(void) __asm__("g");` declares `g`.
    pub(crate) fn symbol(&self, decl: DeclId) -> String {
        let label = self.decl(decl).asm_label.map(|label| self.string_text(label));
        // A star keeps the compiler from adding a prefix; it is not part of the name.
        label.map_or_else(|| self.name(decl).to_owned(), |label| label.trim_start_matches('*').to_owned())
    }

    /// The name by which a declaration is linked: where neither the symbol nor the C name is defined in the program it is a function of
    /// the library, which headers redirect (`scanf` to `__isoc99_scanf`) and models know by the name in C.
    pub(crate) fn linked_name(&self, link: &Linker<'_>, decl: DeclId) -> String {
        let (name, symbol) = (self.name(decl), self.symbol(decl));
        let is_defined = |name: &str| link.definitions.contains_key(name);
        if symbol != name && (is_defined(&symbol) || is_defined(name)) { symbol } else { name.to_owned() }
    }

    pub(crate) fn remember_file_scope(&mut self) {
        for &decl in self.source.tast.top_level() {
            self.file_scope.entry(self.name(decl).to_owned()).or_insert(decl);
        }
    }

    pub(crate) fn file_scope_named(&self, name: &str) -> Option<DeclId> {
        self.file_scope.get(name).copied()
    }

    /// The span in the program of a span of the tree.
    pub(crate) fn span(&mut self, link: &mut Linker<'_>, span: SourceSpan) -> Span {
        if span == self.last_span.0 {
            return self.last_span.1;
        }
        let found = self.find_span(link, span).unwrap_or(Span::NONE);
        self.last_span = (span, found);
        found
    }

    fn find_span(&mut self, link: &mut Linker<'_>, span: SourceSpan) -> Option<Span> {
        if span.is_dummy() {
            return None;
        }
        let files = &self.source.files;
        let (id, start, _) = files.presumed_line(span.lo)?;
        let real = files.file(id);
        let file = if start.name == real.name {
            match self.files.get(&id) {
                Some(&known) => known?,
                None => {
                    let text = || match real.system_from {
                        Some(_) => String::new(),
                        None => shown_text(real.bytes()),
                    };
                    let file = link.file(&real.name, text);
                    self.files.insert(id, Some(file));
                    file
                }
            }
        } else {
            link.file(start.name, || std::fs::read(start.name).map(|text| shown_text(&text)).unwrap_or_default())
        };
        let (line, column) = (start.line, start.column);
        let same_file = span.hi >= span.lo && real.contains(span.hi);
        let end = if same_file { real.presumed_position(span.hi) } else { None };
        let (end_line, end_column) = match end {
            Some(end) if (end.line, end.column) > (line, column) => (end.line, end.column),
            _ => (line, column + 1),
        };
        Some(Span { file: Some(file), line, column, end_line, end_column })
    }

    /// The function behind a declaration.
    pub(crate) fn function(&mut self, link: &mut Linker<'_>, decl: DeclId) -> FunctionId {
        if let Some(&function) = self.functions.get(&decl) {
            return function;
        }
        let target = self.alias_target(link, decl);
        let function = if target != decl { self.function(link, target) } else { self.make_function(link, decl) };
        self.functions.insert(decl, function);
        function
    }

    /// The function behind a declaration, if something uses it.
    pub(crate) fn known_function(&self, decl: DeclId) -> Option<FunctionId> {
        self.functions.get(&decl).copied()
    }

    /// The function that a pointer made from a declaration points to.
    pub(crate) fn function_pointer(&mut self, link: &mut Linker<'_>, decl: DeclId) -> FunctionId {
        let declared = self.decl(decl);
        let has_body = match declared.linkage {
            Linkage::External => {
                link.definitions.contains_key(&self.linked_name(link, decl)) || declared.alias.is_some()
            }
            Linkage::Internal | Linkage::None => true,
        };
        let function = if has_body {
            self.function(link, decl)
        } else {
            crate::synthesized::function_to_point_to(link, self, decl)
        };
        link.program.functions[function].address_taken = true;
        function
    }

    /// What a declaration is another name for; itself where it is none. A weak alias gives way to a definition of its name.
    fn alias_target(&self, link: &Linker<'_>, decl: DeclId) -> DeclId {
        let declared = self.decl(decl);
        let Some(alias) = declared.alias else { return decl };
        let is_external = declared.linkage == Linkage::External;
        if is_external && link.definitions.contains_key(&self.linked_name(link, decl)) {
            return decl;
        }
        let text = self.string_text(alias);
        self.file_scope_named(&text)
            .filter(|&target| target != decl && self.decl(target).alias.is_none())
            .unwrap_or(decl)
    }

    pub(crate) fn string_text(&self, literal: StrId) -> String {
        self.source.tast[literal].elements.iter().filter_map(|&element| char::from_u32(element)).collect()
    }

    fn make_function(&mut self, link: &mut Linker<'_>, decl: DeclId) -> FunctionId {
        if self.decl(decl).linkage == Linkage::External {
            let name = self.linked_name(link, decl);
            self.note_declaration(link, decl);
            if let Some(known) = link.known_function(&name) {
                return known;
            }
            let made = self.declared_function(link, decl, name.clone());
            return link.external_function(&name, |_| made);
        }
        let unique = link.unique_name(self.name(decl), &self.place);
        let made = self.declared_function(link, decl, unique);
        let function = link.program.functions.push(made);
        if self.decl(decl).body.is_some() {
            link.queue.push_back(Work::Function { unit: self.index, decl, function });
        }
        function
    }

    /// A function with its parameters and without its automaton.
    fn declared_function(&mut self, link: &mut Linker<'_>, decl: DeclId, name: String) -> Function {
        let span = self.source.tast.decl_span(decl);
        let span = self.span(link, span);
        let ty = self.ty(link, self.decl(decl).ty);
        let signature = match link.program.ty(ty) {
            Type::Function(signature) => signature.clone(),
            _ => Signature { result: None, parameters: Vec::new(), variadic: false },
        };
        let effects = self.declared_effects(link, decl);
        let is_open = self.is_without_prototype(link, decl);
        let mut registers = PrimaryMap::new();
        let mut register = |name: String, ty| registers.push(Register { name, ty, origin: RegisterOrigin::Temporary });
        let parameters =
            signature.parameters.iter().enumerate().map(|(index, &ty)| register(format!("${index}"), ty)).collect();
        let result = signature.result.map(|ty| register("$result".to_owned(), ty));
        Function {
            name,
            span,
            registers,
            parameters,
            result,
            variadic: signature.variadic || is_open,
            address_taken: false,
            body: Body::Extern(effects),
        }
    }

    /// Whether nothing says what a function takes: neither a prototype nor a body.
    fn is_without_prototype(&self, link: &Linker<'_>, decl: DeclId) -> bool {
        let declared = self.decl(decl);
        let types = &self.source.types;
        let is_open = match types.kind(types.canonical(declared.ty)) {
            TypeKind::Function(signature) => !types.signature(signature).prototyped,
            _ => false,
        };
        is_open && declared.body.is_none() && !link.definitions.contains_key(&self.linked_name(link, decl))
    }

    /// What is known of a function without a body: from the models, else from its attributes.
    fn declared_effects(&self, link: &Linker<'_>, decl: DeclId) -> ExternEffects {
        let declared = self.decl(decl);
        let name = self.linked_name(link, decl);
        let library = crate::adapter::library_name(&name).unwrap_or(&name);
        if let Some(effects) = link.effects_of(library) {
            return effects;
        }
        let mut effects = ExternEffects::UNKNOWN;
        let types = &self.source.types;
        let returns_record = match types.kind(types.canonical(declared.ty)) {
            TypeKind::Function(signature) => {
                let returned = types.signature(signature).ret;
                matches!(types.kind(types.canonical(returned)), TypeKind::Record(..))
            }
            _ => false,
        };
        let takes_pointer = match types.kind(types.canonical(declared.ty)) {
            TypeKind::Function(signature) => {
                let mut parameters = types.signature(signature).params.iter();
                parameters.any(|ty| matches!(types.kind(types.canonical(*ty)), TypeKind::Pointer(..)))
            }
            _ => true,
        };
        let is_known = match declared.effects {
            Effects::Any => false,
            // How far a function looks behind its pointers, its attributes do not say.
            Effects::Pure => !takes_pointer,
            Effects::Const => true,
        };
        // A record comes back through memory, of which attributes say nothing (`div`).
        let is_known = is_known && !returns_record;
        if is_known {
            effects.memory = MemoryEffect::Pure;
            effects.error_number = ErrorNumber::Kept;
            effects.modelled = true;
        }
        if declared.flags.contains(DeclFlags::NORETURN) {
            effects.termination = Termination::Exits;
        }
        effects
    }

    /// The global behind a declaration with static storage.
    pub(crate) fn global(&mut self, link: &mut Linker<'_>, decl: DeclId) -> GlobalId {
        if let Some(&global) = self.globals.get(&decl) {
            return global;
        }
        let target = self.alias_target(link, decl);
        let global = if target != decl { self.global(link, target) } else { self.make_global(link, decl) };
        self.globals.insert(decl, global);
        global
    }

    /// Tells the linker what this file says that a name with external linkage is.
    pub(crate) fn note_declaration(&mut self, link: &mut Linker<'_>, decl: DeclId) {
        if self.decl(decl).linkage != Linkage::External {
            return;
        }
        let types = &self.source.types;
        let declared = match types.kind(types.canonical(self.decl(decl).ty)) {
            TypeKind::Function(function) => {
                let signature = types.signature(function);
                let result = self.ty(link, signature.ret);
                let parameters = if signature.prototyped {
                    let types = signature.params.iter().map(|parameter| self.ty(link, *parameter)).collect();
                    Parameters::Prototype { types, variadic: signature.variadic }
                } else {
                    Parameters::Promoted
                };
                Declared::Function { result, parameters }
            }
            _ => Declared::Object(self.ty(link, self.decl(decl).ty)),
        };
        let span = self.span(link, self.source.tast.decl_span(decl));
        let name = self.linked_name(link, decl);
        link.note_declaration(name, span, declared);
    }

    /// Whether nothing may be behind the name of an object: then its address is null.
    pub(crate) fn may_be_absent(&self, link: &Linker<'_>, decl: DeclId) -> bool {
        let declared = self.decl(decl);
        let name = self.linked_name(link, decl);
        let is_here = declared.alias.is_some()
            || declared.linkage != Linkage::External
            || link.definitions.contains_key(&name)
            || link.models.variable(&name).is_some();
        declared.flags.contains(DeclFlags::WEAKREF) || (declared.flags.contains(DeclFlags::WEAK) && !is_here)
    }

    /// What the address of a declared object is a multiple of, where its type in the program does not say it: `_Alignas`, `aligned` on
    /// the object or on a `typedef` that it is declared with (which may ask for less, too).
    pub(crate) fn declared_alignment(&self, link: &Linker<'_>, decl: DeclId, ty: heapwise_ir::TypeId) -> Option<u64> {
        let source = self.source;
        let of_type = link.program.align_of(ty);
        let asked = self.decl(decl).alignment.map(u64::from);
        let named = layout(&source.types, self.decl(decl).ty, &source.target).ok().map(|layout| layout.align);
        // What i386 promises of a type is less than its layout says.
        let named = named.filter(|align| link.program.target.pointer_bytes == 8 || Some(*align) < of_type);
        asked.or(named).filter(|align| Some(*align) != of_type && align.is_power_of_two())
    }

    /// How much room an object needs by its declaration.
    pub(crate) fn room(&self, decl: DeclId) -> Room {
        let source = self.source;
        let layout = layout(&source.types, self.decl(decl).ty, &source.target).ok();
        let (size, align) = layout.map_or((0, 1), |layout| (layout.size, layout.align));
        Room { size: size.max(source.tast.extent(decl)), align: self.decl(decl).alignment.map_or(align, u64::from) }
    }

    fn make_global(&mut self, link: &mut Linker<'_>, decl: DeclId) -> GlobalId {
        let declared = self.decl(decl);
        let span = self.source.tast.decl_span(decl);
        let span = self.span(link, span);
        let ty = self.ty(link, declared.ty);
        let size = link.program.size_of(ty).unwrap_or(0).max(self.source.tast.extent(decl));
        let align = self.declared_alignment(link, decl, ty);
        let make = |name: String| Global {
            name,
            span,
            ty,
            size,
            align,
            initializer: Initializer::Unknown,
            mutability: Mutability::Mutable,
        };
        if declared.register.is_some() {
            // `register void *stack asm("rsp");`: nobody knows what a register of the machine holds.
            let unique = link.unique_name(self.name(decl), &self.place);
            return link.program.globals.push(make(unique));
        }
        if declared.linkage == Linkage::External {
            let name = self.linked_name(link, decl);
            self.note_declaration(link, decl);
            let global = link.external_global(&name, |_| make(name.clone()));
            if !link.definitions.contains_key(&name)
                && let Some(null) = link.models.variable(&name)
                && matches!(link.program.ty(ty), Type::Pointer(_))
            {
                link.program.globals[global].initializer = Initializer::Library(null);
            }
            return global;
        }
        let name = self.name(decl).to_owned();
        let name = if name.is_empty() { "$literal".to_owned() } else { name };
        let place = match &self.static_owner {
            Some(owner) if declared.linkage == Linkage::None => owner.clone(),
            _ => self.place.clone(),
        };
        let unique = link.unique_name(&name, &place);
        let global = link.program.globals.push(make(unique));
        link.queue.push_back(Work::Global { unit: self.index, decl, global });
        global
    }

    /// The global that holds a string literal.
    pub(crate) fn string(&mut self, link: &mut Linker<'_>, literal: StrId, span: SourceSpan) -> GlobalId {
        if let Some(&global) = self.strings.get(&literal) {
            return global;
        }
        let literal_text = &self.source.tast[literal];
        let bytes = literal_text.bytes(&self.source.target);
        let width = literal_text.encoding.element_width(&self.source.target) / 8;
        let element = match width {
            1 => heapwise_ir::IntType::Signed(1),
            2 => heapwise_ir::IntType::Unsigned(2),
            _ => heapwise_ir::IntType::Signed(4),
        };
        let element = link.program.types.intern(Type::Int(element));
        let count = bytes.len() as u64 / u64::from(width.max(1));
        let ty = link.program.types.intern(Type::Array(element, Some(count)));
        let span = self.span(link, span);
        let global = link.constant("$string", span, ty, bytes);
        self.strings.insert(literal, global);
        global
    }

    /// The stand-in for the address of a label: a global that nothing reads.
    pub(crate) fn label(&mut self, link: &mut Linker<'_>, label: LabelId) -> GlobalId {
        if let Some(&global) = self.labels.get(&label) {
            return global;
        }
        let ty = link.program.types.intern(Type::Int(heapwise_ir::IntType::Unsigned(1)));
        let name = self.source.names.resolve(self.source.tast[label].name);
        let global = link.constant(&format!("$label_{name}_"), Span::NONE, ty, vec![0]);
        // Literals may share their bytes; two labels have two addresses.
        link.program.globals[global].mutability = heapwise_ir::Mutability::Mutable;
        self.labels.insert(label, global);
        global
    }

    /// Whether a declaration is a function.
    pub(crate) fn is_function(&self, decl: DeclId) -> bool {
        self.decl(decl).kind == DeclKind::Function
    }

    /// Whether a declaration is an object that lives as long as the program (or thread).
    pub(crate) fn is_static(&self, decl: DeclId) -> bool {
        self.decl(decl).duration != StorageDuration::Automatic
    }
}

/// The text of a file for excerpts. Columns count bytes, so a byte that is no UTF-8 (an older encoding, in a comment or a
/// string) is shown as one byte too.
fn shown_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text
}
