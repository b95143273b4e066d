//! Types, operands, places and instructions as text.

use super::words::{
    BINARY_OPERATORS, COMPARE_OPERATORS, FLOAT_TYPES, INT_TYPES, SHAPES, is_name_part, is_name_start, is_plain_name,
    word_of,
};
use crate::function::Function;
use crate::ids::{RegisterId, TypeId};
use crate::instruction::{
    Callee, Condition, CopySource, Extent, Failure, InitialContents, Instruction, Place, ShapePredicate, Storage, View,
};
use crate::path::{Index, Path, Step};
use crate::program::Program;
use crate::types::{BitRange, Type};
use crate::value::{Expression, Operand, UnaryOperator};
use std::fmt::Write;

/// The text form of a type.
pub fn type_name(program: &Program, ty: TypeId) -> String {
    let mut printer = InstructionPrinter { program, function: None, out: String::new() };
    printer.ty(ty);
    printer.out
}

/// The text form of one instruction of `function`.
pub fn instruction(program: &Program, function: &Function, instruction: &Instruction) -> String {
    let mut printer = InstructionPrinter { program, function: Some(function), out: String::new() };
    printer.instruction(instruction);
    printer.out
}

/// Prints what stands on one line. Ids that point nowhere (in a program that the verifier rejects) print as `?`.
pub(super) struct InstructionPrinter<'p> {
    pub program: &'p Program,
    pub function: Option<&'p Function>,
    pub out: String,
}

/// `name` as it stands in a text.
pub(super) fn name_text(name: &str) -> String {
    if is_plain_name(name) { name.to_owned() } else { quoted(name.as_bytes(), '`') }
}

/// A field stands only where no reserved word can.
pub(super) fn field_text(name: &str) -> String {
    let mut characters = name.chars();
    if characters.next().is_some_and(is_name_start) && characters.all(is_name_part) {
        name.to_owned()
    } else {
        quoted(name.as_bytes(), '`')
    }
}

pub(super) fn quoted(bytes: &[u8], quote: char) -> String {
    let mut out = String::new();
    out.push(quote);
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                '\\' => out.push_str("\\\\"),
                _ if character == quote => {
                    out.push('\\');
                    out.push(character);
                }
                _ if character.is_ascii_control() => out.push_str(&format!("\\x{:02x}", character as u32)),
                _ => out.push(character),
            }
        }
        for byte in chunk.invalid() {
            out.push_str(&format!("\\x{byte:02x}"));
        }
    }
    out.push(quote);
    out
}

impl InstructionPrinter<'_> {
    pub fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    pub fn display(&mut self, value: impl std::fmt::Display) {
        // Writing into a string cannot fail.
        let _ = write!(self.out, "{value}");
    }

    pub fn ty(&mut self, ty: TypeId) {
        if !self.program.types.contains(ty) {
            return self.push("?");
        }
        match self.program.ty(ty) {
            Type::Void => self.push("void"),
            Type::Int(int) => self.push(word_of(&INT_TYPES, int)),
            Type::Float(float) => self.push(word_of(&FLOAT_TYPES, float)),
            Type::Pointer(pointee) => {
                self.push("ptr ");
                self.ty(*pointee);
            }
            Type::Array(element, count) => {
                self.push("[");
                self.ty(*element);
                if let Some(count) = count {
                    self.push("; ");
                    self.display(count);
                }
                self.push("]");
            }
            Type::Record(record) => {
                let name = self.program.records.get(*record).map_or("?".to_owned(), |record| name_text(&record.name));
                self.push(&name);
            }
            Type::Function(signature) => {
                self.push("fn(");
                for (index, parameter) in signature.parameters.iter().enumerate() {
                    if index > 0 {
                        self.push(", ");
                    }
                    self.ty(*parameter);
                }
                if signature.variadic {
                    self.push(if signature.parameters.is_empty() { "..." } else { ", ..." });
                }
                self.push(")");
                if let Some(result) = signature.result {
                    self.push(" -> ");
                    self.ty(result);
                }
            }
        }
    }

    fn of_type(&mut self, ty: TypeId) {
        self.push(" : ");
        self.ty(ty);
    }

    pub fn bits(&mut self, bits: BitRange) {
        self.push(" bits ");
        self.display(bits.shift);
        self.push("+");
        self.display(bits.width);
    }

    fn register(&mut self, register: RegisterId) {
        let register = self.function.and_then(|function| function.registers.get(register));
        let name = register.map_or("?".to_owned(), |register| name_text(&register.name));
        self.push(&name);
    }

    pub fn operand(&mut self, operand: Operand) {
        match operand {
            Operand::Register(register) => self.register(register),
            Operand::Int(value) => self.display(value),
            Operand::Float(value) if value.is_finite() => self.push(&format!("{value:?}")),
            Operand::Float(value) => self.push(&format!("floatbits {:#x}", value.to_bits())),
            Operand::Global(global) => {
                let name = self.program.globals.get(global).map_or("?".to_owned(), |global| name_text(&global.name));
                self.push("&");
                self.push(&name);
            }
            Operand::Function(function) => {
                let function = self.program.functions.get(function);
                let name = function.map_or("?".to_owned(), |function| name_text(&function.name));
                self.push("@");
                self.push(&name);
            }
        }
    }

    fn operands(&mut self, operands: &[Operand]) {
        self.push("(");
        for (index, operand) in operands.iter().enumerate() {
            if index > 0 {
                self.push(", ");
            }
            self.operand(*operand);
        }
        self.push(")");
    }

    /// `base->steps`, or `*base` for an empty path.
    fn path(&mut self, base: Operand, path: &Path) {
        if path.steps.is_empty() {
            self.push("*");
        }
        let default_view = self.program.default_view(self.function, base) == Some(path.view);
        match base {
            Operand::Register(_) if default_view => self.operand(base),
            _ => {
                self.push("(");
                self.operand(base);
                if !default_view {
                    self.push(" as ");
                    self.ty(path.view);
                }
                self.push(")");
            }
        }
        if !path.steps.is_empty() {
            self.push("->");
            self.steps(&path.steps);
        }
    }

    fn steps(&mut self, steps: &[Step]) {
        for (index, step) in steps.iter().enumerate() {
            match step {
                Step::Field(record, field) => {
                    let field =
                        self.program.records.get(*record).and_then(|record| record.fields().get(*field as usize));
                    let name = field.map_or("?".to_owned(), |field| field_text(&field.name));
                    if index > 0 {
                        self.push(".");
                    }
                    self.push(&name);
                }
                Step::Index(step) => {
                    self.push("[");
                    match step {
                        Index::Constant(index) => self.display(index),
                        // A constant operand and a constant are the same index: `+` keeps them apart.
                        Index::Operand(operand @ (Operand::Int(_) | Operand::Float(_))) => {
                            self.push("+ ");
                            self.operand(*operand);
                        }
                        Index::Operand(operand) => self.operand(*operand),
                    }
                    self.push("]");
                }
            }
        }
    }

    fn place(&mut self, place: &Place) {
        self.path(place.base, &place.path);
        let resolved = self.program.resolve(&place.path);
        if place.bits != resolved.and_then(|resolved| resolved.bits) {
            match place.bits {
                Some(bits) => self.bits(bits),
                None => self.push(" bits none"),
            }
        }
    }

    fn typed_place(&mut self, place: &Place) {
        self.place(place);
        self.of_type(place.ty);
    }

    fn target(&mut self, target: RegisterId) {
        self.register(target);
        self.push(" = ");
    }

    /// The type, unless it is the one that the reader would take.
    fn type_unless_default(&mut self, ty: TypeId, default: Option<TypeId>) {
        if default != Some(ty) {
            self.of_type(ty);
        }
    }

    pub fn instruction(&mut self, instruction: &Instruction) {
        match instruction {
            Instruction::Assign { target, value } => {
                self.target(*target);
                self.expression(*target, value);
            }
            Instruction::Load { target, place } => {
                self.target(*target);
                self.push("load ");
                self.typed_place(place);
            }
            Instruction::Store { place, value } => {
                self.push("store ");
                self.place(place);
                self.push(" = ");
                self.operand(*value);
                self.of_type(place.ty);
            }
            Instruction::Copy { place, source, extent } => self.copy(place, source, *extent),
            Instruction::Alloc { target, bytes, storage, contents, failure, align, view } => {
                self.target(*target);
                self.push(match storage {
                    Storage::Heap => "alloc heap ",
                    Storage::Auto => "alloc auto ",
                });
                self.operand(*bytes);
                self.push(match contents {
                    InitialContents::Uninitialised => "",
                    InitialContents::Zeroed => " zeroed",
                    InitialContents::Nondet => " anything",
                });
                self.push(match failure {
                    Failure::Possible => "",
                    Failure::Never => " nofail",
                });
                if let Some(align) = align {
                    self.push(" align ");
                    self.operand(*align);
                }
                if let Some(view) = view {
                    self.view(view);
                }
            }
            Instruction::Free { pointer } => {
                self.push("free ");
                self.operand(*pointer);
            }
            Instruction::End { pointer } => {
                self.push("end ");
                self.operand(*pointer);
            }
            Instruction::Assume(Condition::True) => self.push("skip"),
            Instruction::Assume(condition) => {
                self.push("assume ");
                self.condition(condition);
            }
            Instruction::Call { target, callee, arguments } => {
                if let Some(target) = target {
                    self.target(*target);
                }
                self.push("call ");
                match callee {
                    Callee::Direct(function) => {
                        let function = self.program.functions.get(*function);
                        let name = function.map_or("?".to_owned(), |function| name_text(&function.name));
                        self.push(&name);
                    }
                    Callee::Indirect(operand) => {
                        self.push("*");
                        self.operand(*operand);
                    }
                }
                self.operands(arguments);
            }
            Instruction::Assert(condition) => {
                self.push("assert ");
                self.condition(condition);
            }
            Instruction::Unsupported(reason) => {
                self.push("unsupported ");
                self.push(&super::reason::printed(reason));
            }
        }
    }

    fn view(&mut self, view: &View) {
        self.push(" as ");
        self.ty(view.element);
        if view.count != Operand::Int(1) {
            self.push(" * ");
            self.operand(view.count);
        }
        if view.has_tail {
            self.push(" tail");
        }
    }

    fn copy(&mut self, place: &Place, source: &CopySource, extent: Extent) {
        self.push("copy ");
        self.typed_place(place);
        self.push(" = ");
        match source {
            CopySource::Place(source) => self.typed_place(source),
            CopySource::Fill(value) => {
                self.push("fill ");
                self.operand(*value);
            }
            CopySource::Members => self.push("members"),
            CopySource::Nondet => self.push("nondet"),
        }
        match extent {
            Extent::Type(ty) if ty == place.ty => {}
            Extent::Type(ty) => {
                self.push(" size ");
                self.ty(ty);
            }
            Extent::Bytes(bytes) => {
                self.push(" bytes ");
                self.operand(bytes);
            }
            Extent::Common => self.push(" common"),
        }
    }

    fn expression(&mut self, target: RegisterId, value: &Expression) {
        let target = self.function.and_then(|function| function.registers.get(target)).map(|register| register.ty);
        match value {
            Expression::Operand(operand) => self.operand(*operand),
            Expression::AddPath { base, path } => {
                self.push("&");
                self.path(*base, path);
            }
            Expression::SubtractPath { base, path } => {
                self.push("container_of(");
                self.operand(*base);
                self.push(", ");
                self.ty(path.view);
                if !path.steps.is_empty() {
                    self.push(", ");
                    self.steps(&path.steps);
                }
                self.push(")");
            }
            Expression::AddBytes { base, bytes } => self.infix("bytes ", *base, " + ", *bytes),
            Expression::AddIndex { base, index, element } => {
                self.infix("index ", *base, " + ", *index);
                self.of_type(*element);
            }
            Expression::PointerDifference { left, right, element } => {
                self.infix("diff ", *left, " - ", *right);
                self.of_type(*element);
            }
            Expression::Unary { operator, ty, value } => {
                self.push(match operator {
                    UnaryOperator::Negate => "neg ",
                    UnaryOperator::Complement => "not ",
                });
                self.operand(*value);
                self.type_unless_default(*ty, target);
            }
            Expression::Binary { operator, ty, left, right } => {
                let word = format!(" {} ", word_of(&BINARY_OPERATORS, operator));
                self.infix("", *left, &word, *right);
                self.type_unless_default(*ty, target);
            }
            Expression::Convert { from, to, value } => {
                self.push("convert ");
                self.operand(*value);
                self.of_type(*from);
                self.push(" to ");
                self.ty(*to);
            }
            Expression::Nondet { ty } => {
                self.push("nondet");
                self.of_type(*ty);
            }
            Expression::Uninitialised => self.push("uninitialised"),
        }
    }

    fn infix(&mut self, before: &str, left: Operand, between: &str, right: Operand) {
        self.push(before);
        self.operand(left);
        self.push(between);
        self.operand(right);
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::True => self.push("true"),
            Condition::False => self.push("false"),
            Condition::Compare { operator, ty, left, right } | Condition::NotCompare { operator, ty, left, right } => {
                let before = if matches!(condition, Condition::NotCompare { .. }) { "not " } else { "" };
                let word = format!(" {} ", word_of(&COMPARE_OPERATORS, operator));
                self.infix(before, *left, &word, *right);
                let default = self.function.and_then(|function| function.default_compare_type(*left, *right));
                self.type_unless_default(*ty, default);
            }
            Condition::Shape(shape) => self.shape(shape),
        }
    }

    fn shape(&mut self, shape: &ShapePredicate) {
        self.push(word_of(&SHAPES, &shape.kind));
        self.operands(&shape.arguments);
        self.push(" over ");
        let record = self.program.records.get(shape.record);
        let name = record.map_or("?".to_owned(), |record| name_text(&record.name));
        self.push(&name);
        for (index, link) in shape.links.iter().enumerate() {
            self.push(if index == 0 { " via " } else { ", " });
            if !matches!(self.program.types.try_get(link.view), Some(Type::Record(record)) if *record == shape.record) {
                self.push("(");
                self.ty(link.view);
                self.push(")");
            }
            self.steps(&link.steps);
        }
    }
}
