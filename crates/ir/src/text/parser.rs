//! Text into programs: the declarations. Names are declared before anything is read that may use them, so the order
//! of declarations in a text is free.

use super::ParseError;
use super::lexer::{Placed, Token, tokens};
use crate::function::{Body, ExternEffects, Function};
use crate::ids::{FunctionId, GlobalId, RecordId, RegisterId, TypeId};
use crate::program::{Contract, Global, Initializer, InitializerItem, Mutability, Program, SourceFile};
use crate::span::Span;
use crate::types::{Field, Record, RecordKind, Target, Type};
use crate::unsupported::UnsupportedReason;
use cranelift_entity::PrimaryMap;
use rustc_hash::{FxHashMap, FxHashSet};

/// Reads the text form of a program.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let tokens = tokens(text)?;
    let mut parser = Parser {
        tokens: &tokens,
        position: 0,
        depth: 0,
        program: Program::new(Target::LP64),
        records: FxHashMap::default(),
        globals: FxHashMap::default(),
        functions: FxHashMap::default(),
        registers: FxHashSet::default(),
        names: FxHashMap::default(),
    };
    parser.all()?;
    Ok(parser.program)
}

pub(super) struct Parser<'t> {
    pub tokens: &'t [Placed],
    pub position: usize,
    /// How deep the type being read nests.
    pub depth: u32,
    pub program: Program,
    pub records: FxHashMap<String, RecordId>,
    pub globals: FxHashMap<String, GlobalId>,
    pub functions: FxHashMap<String, FunctionId>,
    /// The registers declared so far, to refuse a second one.
    pub registers: FxHashSet<(FunctionId, String)>,
    /// The registers of the function whose body is read.
    pub names: FxHashMap<String, RegisterId>,
}

/// What a declaration declares; in the order in which they are read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Declaration {
    Target,
    File,
    Record(RecordId),
    Global(GlobalId),
    /// The header: parameters and result.
    FunctionHeader(FunctionId),
    Contract,
    Gap,
}

impl Parser<'_> {
    fn all(&mut self) -> Result<(), ParseError> {
        let mut declarations = self.declare()?;
        declarations.sort_by_key(|(declaration, position)| (*declaration, *position));
        let mut bodies = Vec::new();
        for (declaration, position) in declarations {
            self.position = position;
            match declaration {
                Declaration::Target => self.target()?,
                Declaration::File => self.file()?,
                Declaration::Record(record) => self.record(record)?,
                Declaration::Global(global) => self.global(global)?,
                Declaration::FunctionHeader(function) => bodies.push((function, self.function_header(function)?)),
                Declaration::Contract => self.contract()?,
                Declaration::Gap => self.gap()?,
            }
            if !matches!(declaration, Declaration::FunctionHeader(_)) {
                self.end_of_line()?;
            }
        }
        for (function, position) in bodies {
            self.position = position;
            self.function_body(function)?;
            self.end_of_line()?;
        }
        Ok(())
    }

    /// Declares all names and finds where each declaration starts.
    fn declare(&mut self) -> Result<Vec<(Declaration, usize)>, ParseError> {
        let mut found = Vec::new();
        loop {
            while self.peek() == &Token::Separator {
                self.position += 1;
            }
            let position = self.position;
            let declaration = match self.peek() {
                Token::End => return Ok(found),
                Token::Word(word) => match word.as_str() {
                    "target" => Declaration::Target,
                    "file" => Declaration::File,
                    "struct" | "union" => {
                        self.position += 1;
                        Declaration::Record(self.declare_record()?)
                    }
                    "global" => {
                        self.position += 1;
                        Declaration::Global(self.declare_global()?)
                    }
                    "fn" | "extern" => {
                        if self.eat_word("extern") && self.peek() != &Token::Word("fn".to_owned()) {
                            return Err(self.expected("`fn` after `extern`"));
                        }
                        self.position += 1;
                        Declaration::FunctionHeader(self.declare_function()?)
                    }
                    "contract" => Declaration::Contract,
                    "gap" => Declaration::Gap,
                    _ => return Err(self.expected("a declaration (struct, union, global, fn, extern fn, …)")),
                },
                _ => return Err(self.expected("a declaration (struct, union, global, fn, extern fn, …)")),
            };
            found.push((declaration, position));
            self.skip_declaration()?;
        }
    }

    /// To the end of the line on which all braces are closed.
    fn skip_declaration(&mut self) -> Result<(), ParseError> {
        let mut open: Vec<usize> = Vec::new();
        loop {
            match self.peek() {
                Token::Separator if open.is_empty() => return Ok(()),
                Token::End => {
                    let Some(opening) = open.pop() else { return Ok(()) };
                    return Err(self.error_at(opening, "this `{` is never closed"));
                }
                Token::Punctuation("{") => open.push(self.position),
                Token::Punctuation("}") if open.pop().is_none() => {
                    return Err(self.error("no `{` belongs to this `}`"));
                }
                _ => {}
            }
            self.position += 1;
        }
    }

    fn declare_record(&mut self) -> Result<RecordId, ParseError> {
        let at = self.position;
        let name = self.name("the name of a record")?;
        let kind = RecordKind::Struct;
        let id = self.program.records.push(Record { name: name.clone(), kind, fields: None, size: 0, align: 1 });
        match self.records.insert(name.clone(), id) {
            Some(_) => Err(self.error_at(at, format!("a second record `{name}`"))),
            None => Ok(id),
        }
    }

    fn declare_global(&mut self) -> Result<GlobalId, ParseError> {
        let at = self.position;
        let name = self.name("the name of a global")?;
        let id = self.program.globals.push(Global {
            name: name.clone(),
            span: Span::NONE,
            ty: self.program.types.intern(Type::Void),
            size: 0,
            align: None,
            initializer: Initializer::Items(Vec::new()),
            mutability: Mutability::Mutable,
        });
        match self.globals.insert(name.clone(), id) {
            Some(_) => Err(self.error_at(at, format!("a second global `{name}`"))),
            None => Ok(id),
        }
    }

    fn declare_function(&mut self) -> Result<FunctionId, ParseError> {
        let at = self.position;
        let name = self.name("the name of a function")?;
        let id = self.program.functions.push(Function {
            name: name.clone(),
            span: Span::NONE,
            registers: PrimaryMap::new(),
            parameters: Vec::new(),
            result: None,
            variadic: false,
            address_taken: false,
            body: Body::Extern(ExternEffects::UNKNOWN),
        });
        match self.functions.insert(name.clone(), id) {
            Some(_) => Err(self.error_at(at, format!("a second function `{name}`"))),
            None => Ok(id),
        }
    }

    fn target(&mut self) -> Result<(), ParseError> {
        self.position += 1;
        if self.eat_word("lp64") {
            self.program.target = Target::LP64;
        } else if self.eat_word("ilp32") {
            self.program.target = Target::ILP32;
        } else {
            return Err(self.expected("`lp64` or `ilp32`"));
        }
        Ok(())
    }

    fn file(&mut self) -> Result<(), ParseError> {
        self.position += 1;
        let path = self.string("the path of a file")?;
        let text = if self.eat_word("text") { self.string("the text of the file")? } else { String::new() };
        self.program.files.push(SourceFile { path, text });
        Ok(())
    }

    fn record(&mut self, id: RecordId) -> Result<(), ParseError> {
        let kind = if self.eat_word("union") { RecordKind::Union } else { RecordKind::Struct };
        self.eat_word("struct");
        self.skip();
        self.program.records[id].kind = kind;
        let layout = if self.eat_word("size") {
            let size = self.number("a size")?;
            self.expect_word("align")?;
            Some((size, self.number("an alignment")?))
        } else {
            None
        };
        if let Some((size, align)) = layout {
            self.program.records[id].size = size;
            self.program.records[id].align = align;
        }
        if !self.eat("{") {
            return Ok(());
        }
        let mut fields: Vec<Field> = Vec::new();
        let (mut end, mut largest_align) = (0u64, 1u64);
        while !self.eat_closing_brace() {
            let at = self.position;
            let name = self.name_or_word("the name of a field")?;
            if fields.iter().any(|field| field.name == name) {
                return Err(self.error_at(at, format!("a second field `{name}`")));
            }
            self.expect(":")?;
            let ty = self.ty()?;
            let offset = if self.eat("@") {
                self.number("an offset")?
            } else {
                let (size, align) = self.layout_of(ty).ok_or_else(|| {
                    self.error_at(at, format!("the place of `{name}` needs `@ OFFSET`: its type has no size yet"))
                })?;
                largest_align = largest_align.max(align);
                let offset = match kind {
                    RecordKind::Struct => end.next_multiple_of(align),
                    RecordKind::Union => 0,
                };
                end = end.max(offset.saturating_add(size));
                offset
            };
            let bits = if self.eat_word("bits") { Some(self.bit_range()?) } else { None };
            fields.push(Field { name, ty, offset, bits });
            self.end_of_member()?;
        }
        let record = &mut self.program.records[id];
        record.fields = Some(fields);
        if layout.is_none() {
            record.align = largest_align;
            record.size = end.checked_next_multiple_of(largest_align).unwrap_or(end);
        }
        Ok(())
    }

    /// Size and alignment as C lays types out; a flexible array member has size 0.
    fn layout_of(&self, ty: TypeId) -> Option<(u64, u64)> {
        match self.program.ty(ty) {
            Type::Record(record) => {
                let record = &self.program.records[*record];
                record.fields.as_ref().map(|_| (record.size, record.align.max(1)))
            }
            Type::Array(element, count) => {
                let (size, align) = self.layout_of(*element)?;
                Some((size.checked_mul(count.unwrap_or(0))?, align))
            }
            Type::Void | Type::Int(_) | Type::Float(_) | Type::Pointer(_) | Type::Function(_) => {
                let size = self.program.size_of(ty)?;
                Some((size, size.max(1)))
            }
        }
    }

    fn global(&mut self, id: GlobalId) -> Result<(), ParseError> {
        self.position += 2;
        self.expect(":")?;
        let at = self.position;
        let ty = self.ty()?;
        let size = if self.eat_word("size") { Some(self.number("a size")?) } else { self.program.size_of(ty) };
        let size = size.ok_or_else(|| self.error_at(at, "this type has no size: say `size N` after it"))?;
        let align = self.alignment()?;
        let mutability = if self.eat_word("readonly") { Mutability::ReadOnly } else { Mutability::Mutable };
        let span = self.span()?;
        let initializer = if !self.eat("=") {
            Initializer::Items(Vec::new())
        } else if self.eat_word("unknown") {
            Initializer::Unknown
        } else if self.eat_word("library") {
            Initializer::Library(self.null_result()?)
        } else if self.eat_word("bytes") {
            Initializer::Bytes(self.bytes("the bytes as a string")?)
        } else {
            Initializer::Items(self.initializer_items()?)
        };
        let global = &mut self.program.globals[id];
        (global.ty, global.size, global.align, global.mutability) = (ty, size, align, mutability);
        (global.span, global.initializer) = (span, initializer);
        Ok(())
    }

    /// `align N`, if it is there.
    pub fn alignment(&mut self) -> Result<Option<u64>, ParseError> {
        if self.eat_word("align") { self.number("an alignment").map(Some) } else { Ok(None) }
    }

    fn initializer_items(&mut self) -> Result<Vec<InitializerItem>, ParseError> {
        self.expect("{")?;
        let mut items = Vec::new();
        while !self.eat_closing_brace() {
            let offset = self.number("an offset")?;
            self.expect(":")?;
            let ty = self.ty()?;
            let bits = if self.eat_word("bits") { Some(self.bit_range()?) } else { None };
            self.expect("=")?;
            let value = self.operand(None)?;
            let addend = if self.eat("+") { self.number("an integer")? } else { 0 };
            items.push(InitializerItem { offset, ty, bits, value, addend });
            self.end_of_member()?;
        }
        Ok(items)
    }

    fn contract(&mut self) -> Result<(), ParseError> {
        self.position += 1;
        let function = self.function_name()?;
        let (mut requires, mut ensures) = (Vec::new(), Vec::new());
        loop {
            if self.eat_word("requires") {
                requires.push(self.string("a formula")?);
            } else if self.eat_word("ensures") {
                ensures.push(self.string("a formula")?);
            } else {
                break;
            }
        }
        let span = self.span()?;
        self.program.contracts.push(Contract { function, requires, ensures, span });
        Ok(())
    }

    fn gap(&mut self) -> Result<(), ParseError> {
        self.position += 1;
        let reason = self.reason()?;
        let span = self.span()?;
        self.program.gaps.push((span, reason));
        Ok(())
    }

    pub fn reason(&mut self) -> Result<UnsupportedReason, ParseError> {
        let Token::Word(word) = self.peek().clone() else { return Err(self.expected("a reason")) };
        let Some(arity) = super::reason::arity(&word) else {
            return Err(self.expected("what is not supported (`inline_assembly`, `scalar_type \"…\"`, …)"));
        };
        self.position += 1;
        let data = (0..arity).map(|_| self.string("what it is about, as a string")).collect::<Result<Vec<_>, _>>()?;
        super::reason::built(&word, &data).ok_or_else(|| self.expected("a reason"))
    }
}
