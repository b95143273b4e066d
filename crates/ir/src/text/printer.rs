//! Whole programs as text.

use super::printer_instruction::{InstructionPrinter, field_text, name_text, quoted};
use crate::function::{
    Automaton, Body, Callback, CallbackArgument, CertainArgument, DecidedBy, DescriptorPart, Elements, ErrorNumber,
    ExternEffects, ExternResult, Format, FormatLanguage, Function, InputEnd, InputPart, Length, MemoryEffect,
    NullArgument, NullResult, RangeEnd, ReadFirst, Register, RegisterOrigin, ResultRange, ResultStorage, SequencePart,
    Success, Termination, WrittenBytes,
};
use crate::ids::{LocationId, RegisterId};
use crate::program::{Contract, Global, Initializer, Mutability, Program};
use crate::span::Span;
use crate::types::{Record, RecordKind, Target};
use cranelift_entity::EntityRef;

/// Whether the printed text says where in the C text things come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spans {
    /// Spans, source files and their texts are printed: nothing is lost.
    Shown,
    /// They are left out: easier to read and to compare.
    Hidden,
}

/// The text form of a program.
pub fn print(program: &Program, spans: Spans) -> String {
    let line = InstructionPrinter { program, function: None, out: String::new() };
    let mut printer = Printer { line, spans };
    printer.program(program);
    printer.line.out
}

struct Printer<'p> {
    line: InstructionPrinter<'p>,
    spans: Spans,
}

impl<'p> Printer<'p> {
    fn push(&mut self, text: &str) {
        self.line.push(text);
    }

    fn name(&mut self, name: &str) {
        self.line.push(&name_text(name));
    }

    fn program(&mut self, program: &'p Program) {
        match program.target {
            Target::ILP32 => self.push("target ilp32\n"),
            _ => self.push("target lp64\n"),
        }
        if self.spans == Spans::Shown {
            for file in program.files.values() {
                self.push("file ");
                self.push(&quoted(file.path.as_bytes(), '"'));
                if !file.text.is_empty() {
                    self.push(" text ");
                    self.push(&quoted(file.text.as_bytes(), '"'));
                }
                self.push("\n");
            }
        }
        for record in program.records.values() {
            self.push("\n");
            self.record(record);
        }
        if !program.globals.is_empty() {
            self.push("\n");
        }
        for global in program.globals.values() {
            self.global(global);
        }
        for function in program.functions.values() {
            self.push("\n");
            self.function(function);
        }
        if !program.contracts.is_empty() || !program.gaps.is_empty() {
            self.push("\n");
        }
        for contract in &program.contracts {
            self.contract(program, contract);
        }
        for (span, reason) in &program.gaps {
            self.push("gap ");
            self.push(&super::reason::printed(reason));
            self.span(*span);
            self.push("\n");
        }
    }

    fn span(&mut self, span: Span) {
        if self.spans == Spans::Hidden || span == Span::NONE {
            return;
        }
        let file = span.file.map_or("-".to_owned(), |file| file.as_u32().to_string());
        self.push(&format!(" at {file}:{}:{}", span.line, span.column));
        if span.end_line != span.line || Some(span.end_column) != span.column.checked_add(1) {
            self.push(&format!("-{}:{}", span.end_line, span.end_column));
        }
    }

    fn record(&mut self, record: &Record) {
        self.push(match record.kind {
            RecordKind::Struct => "struct ",
            RecordKind::Union => "union ",
        });
        self.name(&record.name);
        self.push(&format!(" size {} align {}", record.size, record.align));
        let Some(fields) = &record.fields else { return self.push("\n") };
        self.push(" {\n");
        for field in fields {
            self.push("  ");
            self.push(&field_text(&field.name));
            self.push(" : ");
            self.line.ty(field.ty);
            self.push(&format!(" @ {}", field.offset));
            if let Some(bits) = field.bits {
                self.line.bits(bits);
            }
            self.push("\n");
        }
        self.push("}\n");
    }

    fn global(&mut self, global: &Global) {
        self.push("global ");
        self.name(&global.name);
        self.push(" : ");
        self.line.ty(global.ty);
        if self.line.program.size_of(global.ty) != Some(global.size) {
            self.push(&format!(" size {}", global.size));
        }
        if let Some(align) = global.align {
            self.push(&format!(" align {align}"));
        }
        match global.mutability {
            Mutability::Mutable => {}
            Mutability::ReadOnly => self.push(" readonly"),
        }
        self.span(global.span);
        match &global.initializer {
            Initializer::Items(items) if items.is_empty() => {}
            Initializer::Items(items) => {
                self.push(" = {");
                for (index, item) in items.iter().enumerate() {
                    self.push(if index == 0 { " " } else { ", " });
                    self.line.display(item.offset);
                    self.push(" : ");
                    self.line.ty(item.ty);
                    if let Some(bits) = item.bits {
                        self.line.bits(bits);
                    }
                    self.push(" = ");
                    self.line.operand(item.value);
                    if item.addend != 0 {
                        self.push(&format!(" + {}", item.addend));
                    }
                }
                self.push(" }");
            }
            Initializer::Bytes(bytes) => {
                self.push(" = bytes ");
                self.push(&quoted(bytes, '"'));
            }
            Initializer::Unknown => self.push(" = unknown"),
            Initializer::Library(null) => {
                self.push(" = library");
                self.null_result(*null);
            }
        }
        self.push("\n");
    }

    fn function(&mut self, function: &'p Function) {
        self.line.function = Some(function);
        self.push(match function.body {
            Body::Defined(_) => "fn ",
            Body::Extern(_) => "extern fn ",
        });
        self.name(&function.name);
        let declared = self.signature(function);
        if function.address_taken {
            self.push(" taken");
        }
        // A bare `at` would belong to the result's register.
        if self.spans == Spans::Shown && function.span != Span::NONE {
            self.push(" declared");
        }
        self.span(function.span);
        match &function.body {
            Body::Defined(automaton) => {
                self.push(" {\n");
                self.registers(function, declared);
                self.automaton(automaton);
                self.push("}");
            }
            Body::Extern(effects) => {
                self.effects(effects);
                if declared < function.registers.len() {
                    self.push(" {\n");
                    self.registers(function, declared);
                    self.push("}");
                }
            }
        }
        self.push("\n");
        self.line.function = None;
    }

    /// Parameters and result; returns how many registers the header declares.
    fn signature(&mut self, function: &Function) -> usize {
        let mut declared = 0;
        self.push("(");
        for (index, parameter) in function.parameters.iter().enumerate() {
            if index > 0 {
                self.push(", ");
            }
            self.header_register(function, *parameter, &mut declared);
        }
        if function.variadic {
            self.push(if function.parameters.is_empty() { "..." } else { ", ..." });
        }
        self.push(")");
        if let Some(result) = function.result {
            self.push(" -> ");
            self.header_register(function, result, &mut declared);
        }
        declared
    }

    /// A register in the header is declared there if it is the next one in the order of ids.
    fn header_register(&mut self, function: &Function, register: RegisterId, declared: &mut usize) {
        let Some(known) = function.registers.get(register) else { return self.push("?") };
        if register.index() == *declared {
            *declared += 1;
            self.register(known, "");
        } else {
            self.name(&known.name);
        }
    }

    fn register(&mut self, register: &Register, variable: &str) {
        let (kind, span) = match register.origin {
            RegisterOrigin::Variable(span) => (variable, span),
            RegisterOrigin::AddressOfLocal(span) => ("addr ", span),
            RegisterOrigin::Temporary => ("temp ", Span::NONE),
        };
        self.push(kind);
        self.name(&register.name);
        self.push(" : ");
        self.line.ty(register.ty);
        self.span(span);
    }

    fn registers(&mut self, function: &Function, declared: usize) {
        for register in function.registers.values().skip(declared) {
            self.push("  ");
            self.register(register, "var ");
            self.push("\n");
        }
    }

    fn automaton(&mut self, automaton: &Automaton) {
        let (first, second) = (LocationId::from_u32(0), LocationId::from_u32(1));
        if automaton.entry != first {
            self.push(&format!("  entry {}\n", automaton.entry));
        }
        if automaton.exit != second {
            self.push(&format!("  exit {}\n", automaton.exit));
        }
        let mentioned = automaton.edges.values().flat_map(|edge| [edge.from, edge.to]);
        let highest = mentioned.chain([automaton.entry, automaton.exit]).map(LocationId::as_u32).max();
        if automaton.n_locations() != highest.map_or(0, |highest| highest as usize + 1) {
            self.push(&format!("  locations {}\n", automaton.n_locations()));
        }
        for edge in automaton.edges.values() {
            self.push(&format!("  {} -> {}: ", edge.from, edge.to));
            self.line.instruction(&edge.instruction);
            self.span(edge.span);
            self.push("\n");
        }
    }

    fn effects(&mut self, effects: &ExternEffects) {
        self.push(match effects.termination {
            Termination::Returns => "",
            Termination::Exits => " exits",
            Termination::Aborts => " aborts",
        });
        match &effects.memory {
            MemoryEffect::Pure => self.push(" pure"),
            MemoryEffect::Writes(parameters) => self.positions(" writes", parameters),
            MemoryEffect::StoresPointer { through, into } => self.push(&format!(" stores({through}, {into})")),
            MemoryEffect::Unknown => {}
        }
        if !effects.dereferences.is_empty() {
            self.push(" reads(");
            for (index, dereference) in effects.dereferences.iter().enumerate() {
                self.push(if index == 0 { "" } else { ", " });
                self.line.display(dereference.parameter);
                self.push(match dereference.null {
                    NullArgument::Error => "",
                    NullArgument::Allowed => " or null",
                });
                match dereference.length {
                    Length::ByType => {}
                    Length::Constant(bytes) => self.push(&format!(" bytes {bytes}")),
                    Length::Argument(told) => self.push(&format!(" told {told}")),
                    Length::Behind(told) => self.push(&format!(" told behind {told}")),
                }
            }
            self.push(")");
        }
        if !effects.reads_first.is_empty() {
            self.push(" first(");
            for (index, ReadFirst { parameter, member }) in effects.reads_first.iter().enumerate() {
                self.push(if index == 0 { "" } else { ", " });
                self.line.display(*parameter);
                if let Some(member) = member {
                    self.push(" ");
                    self.name(member);
                }
            }
            self.push(")");
        }
        if let Some(Format { parameter, language }) = effects.format {
            let word = match language {
                FormatLanguage::Print => "print",
                FormatLanguage::PrintList => "printlist",
                FormatLanguage::Scan => "scan",
            };
            self.push(&format!(" {word}({parameter})"));
        }
        if !effects.takes_ownership.is_empty() {
            self.positions(" takes", &effects.takes_ownership);
        }
        self.result(effects.result);
        if let Some(ResultRange { low, high }) = effects.range {
            self.push(&match high {
                RangeEnd::Constant(high) => format!(" between({low}, {high})"),
                RangeEnd::Below(high) => format!(" between({low}, below {high})"),
                RangeEnd::Argument(position) => format!(" between({low}, argument {position})"),
            });
        }
        self.push(match effects.decided_by {
            DecidedBy::Arguments => "",
            DecidedBy::Outside => " outside",
            DecidedBy::OutsideOnce => " outside once",
            DecidedBy::OutsideChanges => " outside changes",
        });
        self.push(match effects.success {
            None => "",
            Some(Success::Zero) => " success zero",
            Some(Success::NonNegative) => " success nonnegative",
            Some(Success::Positive) => " success positive",
            Some(Success::NonZero) => " success nonzero",
            Some(Success::Negative) => " success negative",
        });
        if let Some(CertainArgument { parameter, low, high }) = effects.certain {
            self.push(&format!(" certain({parameter}, {low}, {high})"));
        }
        self.push(match effects.written {
            WrittenBytes::Any => "",
            WrittenBytes::Text => " text",
            WrittenBytes::Characters => " characters",
        });
        self.lasting(effects);
        if let Some(callback) = &effects.callback {
            self.callback(callback);
        }
        if effects.modelled {
            self.push(" modelled");
        }
    }

    /// Whose storage a result is, and which sequence it is part of.
    fn lasting(&mut self, effects: &ExternEffects) {
        match &effects.storage {
            None => {}
            Some(ResultStorage::OfArgument(position)) => self.push(&format!(" part({position})")),
            Some(ResultStorage::New) => self.push(" new"),
            Some(ResultStorage::Shared(name)) => {
                self.push(" shares ");
                self.name(name);
            }
            Some(ResultStorage::Changing(name)) => {
                self.push(" changing ");
                self.name(name);
            }
        }
        match &effects.sequence {
            None => {}
            Some(SequencePart::Draws(name)) => {
                self.push(" draws ");
                self.name(name);
            }
            Some(SequencePart::Restarts(name)) => {
                self.push(" restarts ");
                self.name(name);
            }
            Some(SequencePart::Changes(name)) => {
                self.push(" alters ");
                self.name(name);
            }
        }
        if let Some(InputPart { from, end }) = effects.input {
            self.push(" drains(");
            self.push(&from.map_or("stdin".to_owned(), |position| position.to_string()));
            self.push(match end {
                InputEnd::Negative => ", negative)",
                InputEnd::Zero => ", zero)",
                InputEnd::Fewer => ", fewer)",
            });
        }
        match effects.descriptor {
            None => {}
            Some(DescriptorPart::Opens) => self.push(" opens"),
            Some(DescriptorPart::OpensWritten) => self.push(" opens written"),
            Some(DescriptorPart::Closes(position)) => self.push(&format!(" closes({position})")),
            Some(DescriptorPart::HandsOver(position)) => self.push(&format!(" handsover({position})")),
        }
        if let Some(member) = &effects.non_empty {
            self.push(" nonempty ");
            self.name(member);
        }
        match effects.error_number {
            ErrorNumber::MayBeSet => {}
            ErrorNumber::Kept => self.push(" errnokept"),
        }
    }

    fn callback(&mut self, callback: &Callback) {
        self.push(&format!(" calls({}", callback.function));
        for argument in &callback.arguments {
            self.push(&match argument {
                CallbackArgument::Parameter(parameter) => format!(", {parameter}"),
                CallbackArgument::Into(parameter) => format!(", into {parameter}"),
                CallbackArgument::Other => ", any".to_owned(),
            });
        }
        self.push(")");
        if let Some(parameter) = callback.rearranges {
            self.push(&format!(" rearranges({parameter})"));
        }
        if let Some(Elements { count, size }) = callback.elements {
            self.push(&format!(" elements({count}, {size})"));
        }
    }

    fn result(&mut self, result: ExternResult) {
        match result {
            ExternResult::Any => {}
            ExternResult::Argument(argument) => self.push(&format!(" gives({argument})")),
            ExternResult::IntoArgument { argument, null } => {
                self.push(&format!(" gives into({argument}"));
                self.null_result(null);
                self.push(")");
            }
            ExternResult::Library { null } => {
                self.push(" gives library");
                self.null_result(null);
            }
        }
    }

    fn null_result(&mut self, null: NullResult) {
        self.push(match null {
            NullResult::Never => "",
            NullResult::Possible => " or null",
        });
    }

    fn positions(&mut self, word: &str, positions: &[u32]) {
        let positions: Vec<String> = positions.iter().map(u32::to_string).collect();
        self.push(&format!("{word}({})", positions.join(", ")));
    }

    fn contract(&mut self, program: &Program, contract: &Contract) {
        self.push("contract ");
        let name = program.functions.get(contract.function).map_or("?", |function| &function.name);
        self.name(name);
        for formula in &contract.requires {
            self.push(" requires ");
            self.push(&quoted(formula.as_bytes(), '"'));
        }
        for formula in &contract.ensures {
            self.push(" ensures ");
            self.push(&quoted(formula.as_bytes(), '"'));
        }
        self.span(contract.span);
        self.push("\n");
    }
}
