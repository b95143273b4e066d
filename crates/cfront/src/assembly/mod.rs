//! Inline assembly.
//!
//! A single arithmetic or exchanging instruction over the operands is followed exactly (`exact.rs`). Of other text, what it
//! writes is known if each instruction is known to write nothing but operands that the statement says it writes
//! (`effect.rs`), as many bytes as they have: then each of them gets any value. Such a value is in doubt: the assembly
//! computes one of them, and nobody says which. Whatever else is a gap: memory by its address or by a symbol, registers
//! that the statement does not say it changes, inputs that are written, instructions that are not known.

mod effect;
mod exact;
mod template;

use crate::adapter::{Asm, AsmId, AsmOperand};
use crate::lowering::Lowering;
use crate::places::{Lvalue, pointed};
use effect::{MemoryAccess, StackUse};
use heapwise_ir::{
    BinaryOperator, Callee, CompareOperator, Dereference, ErrorNumber, ExternEffects, Function, FunctionId,
    Instruction, IntType, Length, MemoryEffect, NullArgument, Operand, Register, RegisterOrigin, Span, Type, TypeId,
    UnsupportedReason,
};
use rustc_hash::FxHashSet;
use template::{TemplateInstruction, TemplateOperand};

/// Whether assembly outside of functions adds nothing to the program: remarks to tools, in sections that are not loaded or that
/// nobody reads by name.
pub(crate) fn is_remark(template: &str) -> bool {
    template::places_no_code(template)
}

/// An assembly statement with its strings read.
struct Statement {
    outputs: Vec<AsmOperand>,
    inputs: Vec<AsmOperand>,
    /// Of outputs and inputs, in order.
    constraints: Vec<String>,
    /// The registers that are told to change, by the letter of their constraint.
    clobbered: FxHashSet<String>,
    clobbers_memory: bool,
    instructions: Vec<TemplateInstruction>,
}

/// What a text does to the operands, once it is known that it does nothing else.
#[derive(Default)]
struct Understood {
    written: FxHashSet<usize>,
    /// Looked at, or their address is.
    named: FxHashSet<usize>,
    /// Memory operands whose bits are counted, with the operand or number that says which, the bytes of a word, and whether
    /// the bit is written.
    bits: Vec<BitAccess>,
}

struct BitAccess {
    memory: usize,
    index: BitIndex,
    word_bytes: u64,
    is_written: bool,
}

#[derive(Clone, Copy)]
enum BitIndex {
    Operand(usize),
    Constant,
}

impl Statement {
    fn operand(&self, index: usize) -> &AsmOperand {
        match index.checked_sub(self.outputs.len()) {
            None => &self.outputs[index],
            Some(input) => &self.inputs[input],
        }
    }

    /// Whether the operand may lie in memory.
    fn may_be_memory(&self, index: usize) -> bool {
        self.operand(index).memory || self.constraints[index].contains(['m', 'g', 'o', 'V', '<', '>', 'X'])
    }

    /// The output that an input shares its place with.
    fn tied(&self, index: usize) -> Option<usize> {
        let output = self.constraints[index].trim_start_matches('%').parse::<usize>().ok()?;
        (index >= self.outputs.len() && output < self.outputs.len()).then_some(output)
    }

    /// Whether a register changes by the statement's own word.
    fn changes_register(&self, register: &str) -> bool {
        self.clobbered.contains(register) || self.output_in(register).is_some()
    }

    fn output_in(&self, register: &str) -> Option<usize> {
        let is_there = |constraint: &String| {
            let letters = constraint.trim_start_matches(['=', '+', '&']);
            !letters.starts_with('@') && (letters == register || letters == "A" && ["a", "d"].contains(&register))
        };
        self.constraints[..self.outputs.len()].iter().position(is_there)
    }

    /// Whether an operand may be written: an output, or memory that the statement says it changes.
    fn may_be_written(&self, index: usize) -> bool {
        index < self.outputs.len() || self.operand(index).memory && self.clobbers_memory
    }

    fn is_flag(&self, index: usize) -> bool {
        self.constraints[index].starts_with("=@cc")
    }
}

impl Lowering<'_, '_, '_> {
    pub(crate) fn assembly(&mut self, id: AsmId) {
        let asm: &Asm = &self.source.tast[id];
        let template = self.unit.string_text(asm.template);
        let outputs = self.source.tast[asm.outputs].to_vec();
        let inputs = self.source.tast[asm.inputs].to_vec();
        let labels = self.source.tast[asm.labels].to_vec();
        if labels.is_empty() && self.exact_assembly(&template, &outputs, &inputs) {
            return;
        }
        let clobbers: Vec<String> =
            self.source.tast[asm.clobbers].iter().map(|&clobber| self.unit.string_text(clobber)).collect();
        let all = || outputs.iter().chain(&inputs);
        let names: Vec<Option<String>> =
            all().map(|operand| operand.name.map(|name| self.source.names.resolve(name).to_owned())).collect();
        let constraints = all().map(|operand| self.unit.string_text(operand.constraint)).collect();
        let Some(instructions) = template::parse(&template, &names) else {
            return self.unsupported(UnsupportedReason::InlineAssembly);
        };
        let clobbered =
            clobbers.iter().filter_map(|name| template::register_name(name.trim_start_matches('%'))).collect();
        let clobbers_memory = clobbers.iter().any(|clobber| clobber == "memory");
        let statement = Statement { outputs, inputs, constraints, clobbered, clobbers_memory, instructions };
        let Some(understood) = self.understand(&statement) else {
            return self.unsupported(UnsupportedReason::InlineAssembly);
        };
        if statement.instructions.is_empty() {
            self.pass_through(&statement);
        } else {
            self.any_outputs(&statement, &understood);
        }
        for label in labels {
            let Some(&scope) = self.scan.labels.get(&label) else { continue };
            let (jumps, next) = (self.location(), self.location());
            let int = self.int();
            let choice = self.result_of_assembly(int, &[]);
            self.branch_on(CompareOperator::NotEqual, int, choice, Operand::ZERO, jumps, next);
            self.here = jumps;
            let location = self.label_location(label);
            self.jump_to_scope(location, scope);
            self.here = next;
        }
    }

    /// What the instructions do to the operands; `None` if they may do anything else.
    fn understand(&mut self, statement: &Statement) -> Option<Understood> {
        let mut understood = Understood::default();
        let stack = effect::stack_use(&statement.instructions);
        if stack == StackUse::Unbalanced || stack == StackUse::Balanced && !self.source.spares_stack {
            return None;
        }
        for instruction in &statement.instructions {
            let register_bytes = |this: &mut Self, operand: &TemplateOperand| match operand {
                TemplateOperand::Named { bytes: Some(bytes), .. } => Some(*bytes),
                TemplateOperand::Named { index, bytes: None } if !statement.may_be_memory(*index) => {
                    let is_constant = statement.constraints[*index].contains(['i', 'n', 'I', 'e', 'J', 'K', 'N', 'Z']);
                    let ty = this.type_of(statement.operand(*index).value);
                    this.size(ty).filter(|_| !is_constant)
                }
                _ => None,
            };
            let sizes: Vec<Option<u64>> =
                instruction.operands.iter().map(|operand| register_bytes(self, operand)).collect();
            let size_of = |operand: &TemplateOperand| {
                instruction.operands.iter().position(|other| other == operand).and_then(|index| sizes[index])
            };
            let effect = effect::effect(instruction, size_of)?;
            if effect.registers.iter().any(|register| !statement.changes_register(register)) {
                return None;
            }
            understood.written.extend(effect.registers.iter().filter_map(|register| statement.output_in(register)));
            self.understand_operands(statement, instruction, &effect, &mut understood)?;
        }
        let is_settled = |index: usize| {
            let leaves = statement.constraints[index].starts_with('=') && !statement.is_flag(index);
            let is_tied = (statement.outputs.len()..statement.constraints.len())
                .any(|input| statement.tied(input) == Some(index));
            // An output that no instruction writes holds what was there, whatever that is.
            !leaves || understood.written.contains(&index) || is_tied
        };
        (0..statement.outputs.len()).all(is_settled).then_some(understood)
    }

    fn understand_operands(
        &mut self,
        statement: &Statement,
        instruction: &TemplateInstruction,
        effect: &effect::Effect,
        understood: &mut Understood,
    ) -> Option<()> {
        for (position, operand) in instruction.operands.iter().enumerate() {
            let is_written = effect.written.contains(&position);
            let index = match operand {
                TemplateOperand::Named { index, .. } => *index,
                TemplateOperand::Register(register) if is_written => {
                    if !statement.changes_register(register) {
                        return None;
                    }
                    understood.written.extend(statement.output_in(register));
                    continue;
                }
                TemplateOperand::Constant(_) | TemplateOperand::Register(_) | TemplateOperand::Label => continue,
                TemplateOperand::Other if is_written => return None,
                TemplateOperand::Other => continue,
            };
            let written = statement.tied(index).unwrap_or(index);
            if is_written {
                if !statement.may_be_written(written) {
                    return None;
                }
                understood.written.insert(written);
            }
            if effect.memory != MemoryAccess::None {
                understood.named.insert(index);
            }
            if statement.may_be_memory(index) {
                let ty = self.type_of(statement.operand(index).value);
                let size = self.size(ty)?;
                match effect.memory {
                    MemoryAccess::None => {}
                    MemoryAccess::Bytes(bytes) if bytes <= size => {}
                    MemoryAccess::Bit(word_bytes)
                        if position + 1 == instruction.operands.len() && word_bytes <= size =>
                    {
                        let index_of_bit = match instruction.operands.first()? {
                            TemplateOperand::Named { index, .. } => BitIndex::Operand(*index),
                            TemplateOperand::Constant(_) => BitIndex::Constant,
                            TemplateOperand::Register(_) | TemplateOperand::Label | TemplateOperand::Other => {
                                return None;
                            }
                        };
                        let access = BitAccess { memory: index, index: index_of_bit, word_bytes, is_written };
                        if !statement.operand(index).memory {
                            return None;
                        }
                        understood.bits.push(access);
                    }
                    MemoryAccess::Bytes(_) | MemoryAccess::Bit(_) | MemoryAccess::Unknown => return None,
                }
                if !self.is_scalar(ty) && !is_written {
                    return None;
                }
            }
        }
        Some(())
    }

    /// No instructions: `asm("" : "=r"(x) : "0"(y))` hides where a value comes from; it is still that value.
    fn pass_through(&mut self, statement: &Statement) {
        let values: Vec<Option<Operand>> = statement.inputs.iter().map(|input| self.assembly_input(input)).collect();
        for (index, value) in values.iter().enumerate() {
            let Some(output) = statement.tied(statement.outputs.len() + index) else { continue };
            let output = statement.outputs[output];
            let ty = self.type_of(output.value);
            let place = self.place(output.value);
            match value {
                Some(value) if self.is_scalar(ty) => {
                    let value = self.coerce(*value, ty);
                    self.write(place, value);
                }
                Some(_) | None => self.unsupported(UnsupportedReason::InlineAssembly),
            }
        }
    }

    /// The value of an input that is not passed by address.
    fn assembly_input(&mut self, input: &AsmOperand) -> Option<Operand> {
        let ty = self.type_of(input.value);
        if self.is_scalar(ty) && !input.memory {
            return Some(self.value(input.value));
        }
        if let Lvalue::Memory(_) = self.place(input.value) {}
        None
    }

    /// Every operand that is written gets any value; those that are looked at must have one.
    fn any_outputs(&mut self, statement: &Statement, understood: &Understood) {
        let n_outputs = statement.outputs.len();
        let mut places: Vec<Option<Lvalue>> = Vec::new();
        let mut values: Vec<Option<Operand>> = Vec::new();
        for index in 0..statement.constraints.len() {
            let operand = *statement.operand(index);
            let ty = self.type_of(operand.value);
            let is_value = index >= n_outputs && !operand.memory && self.is_scalar(ty);
            if is_value {
                values.push(Some(self.value(operand.value)));
                places.push(None);
                continue;
            }
            let place = self.place(operand.value);
            let is_read = index >= n_outputs || statement.constraints[index].starts_with('+');
            let is_bits = understood.bits.iter().any(|bits| bits.memory == index);
            let is_looked_at = is_read && !is_bits && self.is_scalar(ty) && understood.named.contains(&index);
            values.push(is_looked_at.then(|| {
                let value = self.read_place(&place, ty);
                self.compute(ty, None, heapwise_ir::Expression::Operand(value))
            }));
            places.push(Some(place));
        }
        let used: Vec<Operand> = (0..values.len())
            .filter(|index| understood.named.contains(index))
            .filter_map(|index| values[index].filter(|value| value.register().is_some()))
            .collect();
        for bits in &understood.bits {
            let place = places[bits.memory].take();
            self.access_bit(bits, place, &values);
        }
        let is_bits = |index: usize| understood.bits.iter().any(|bits| bits.memory == index);
        let mut written: Vec<usize> =
            (0..n_outputs).chain(understood.written.iter().copied().filter(|index| *index >= n_outputs)).collect();
        written.sort_unstable();
        for index in written {
            let operand = *statement.operand(index);
            let ty = self.type_of(operand.value);
            if is_bits(index) {
                continue;
            }
            match places[index].take() {
                Some(place) if self.is_scalar(ty) => {
                    let value = self.result_of_assembly(ty, &used);
                    self.write(place, value);
                }
                Some(Lvalue::Memory(place)) => {
                    let address = self.address(place, None);
                    let callee = Callee::Direct(self.writer_of_assembly(ty));
                    self.emit(Instruction::Call { target: None, callee, arguments: vec![address] });
                }
                Some(Lvalue::Register(_)) | None => self.unsupported(UnsupportedReason::InlineAssembly),
            }
        }
    }

    /// `bt`, `bts`, `btr`, `btc`: the word that holds the bit is read, or becomes any word.
    fn access_bit(&mut self, bits: &BitAccess, place: Option<Lvalue>, values: &[Option<Operand>]) {
        let Some(Lvalue::Memory(place)) = place else {
            return self.unsupported(UnsupportedReason::InlineAssembly);
        };
        let base = self.address(place, None);
        let element = self.intern(Type::Int(IntType::Unsigned(bits.word_bytes as u8)));
        let view = self.intern(Type::Array(element, None));
        let index = match bits.index {
            // A constant counts bits of one word.
            BitIndex::Constant => Operand::ZERO,
            BitIndex::Operand(index) => match values[index] {
                Some(value) => {
                    let long = self.intern(Type::Int(IntType::Signed(8)));
                    let value = self.coerce(value, long);
                    let shift = Operand::Int(i128::from((bits.word_bytes * 8).trailing_zeros()));
                    self.binary(BinaryOperator::ShiftRight, long, value, shift, None)
                }
                None => return self.unsupported(UnsupportedReason::InlineAssembly),
            },
        };
        let index = match index {
            Operand::Int(value) => match i64::try_from(value) {
                Ok(value) => heapwise_ir::Index::Constant(value),
                Err(_) => return self.unsupported(UnsupportedReason::InlineAssembly),
            },
            index => heapwise_ir::Index::Operand(index),
        };
        let mut place = pointed(base, view);
        place.path.steps.push(heapwise_ir::Step::Index(index));
        place.ty = element;
        let old = self.load(place.clone(), element, None);
        if bits.is_written {
            let value = self.result_of_assembly(element, &[old]);
            self.store(place, value);
        }
    }

    /// Any value of a scalar type, in doubt; `used` are looked at.
    fn result_of_assembly(&mut self, ty: TypeId, used: &[Operand]) -> Operand {
        let callee = self.assembly_function(&format!("asm@{}", ty.as_u32()), None, Some(ty), MemoryEffect::Pure);
        let target = self.temporary(ty);
        // What depends on arguments is in doubt; there is always one.
        let arguments = [Operand::ZERO].into_iter().chain(used.iter().copied()).collect();
        self.emit(Instruction::Call { target: Some(target), callee: Callee::Direct(callee), arguments });
        Operand::Register(target)
    }

    /// A function that fills what its argument points to.
    fn writer_of_assembly(&mut self, ty: TypeId) -> FunctionId {
        let pointer = self.pointer_to(ty);
        let name = format!("asm@memory{}", ty.as_u32());
        self.assembly_function(&name, Some(pointer), None, MemoryEffect::Writes(vec![0]))
    }

    fn assembly_function(
        &mut self,
        name: &str,
        parameter: Option<TypeId>,
        result: Option<TypeId>,
        memory: MemoryEffect,
    ) -> FunctionId {
        self.link.external_function(name, |_| {
            let mut registers = heapwise_ir::entity::PrimaryMap::new();
            let origin = RegisterOrigin::Temporary;
            let mut register = |name: &str, ty| registers.push(Register { name: name.to_owned(), ty, origin });
            let result = result.map(|ty| register("$result", ty));
            let parameters: Vec<_> = parameter.map(|ty| register("$0", ty)).into_iter().collect();
            let dereferences = parameters
                .iter()
                .map(|_| Dereference { parameter: 0, null: NullArgument::Error, length: Length::ByType })
                .collect();
            let error_number = ErrorNumber::Kept;
            let effects =
                ExternEffects { memory, dereferences, error_number, modelled: true, ..ExternEffects::UNKNOWN };
            Function {
                name: name.to_owned(),
                span: Span::NONE,
                registers,
                parameters,
                result,
                variadic: true,
                address_taken: false,
                body: heapwise_ir::Body::Extern(effects),
            }
        })
    }
}
