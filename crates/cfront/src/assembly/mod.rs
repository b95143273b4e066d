//! Inline assembly.
//!
//! A single arithmetic or exchanging instruction over the operands is followed exactly (`exact.rs`).
//! What an instruction may write is what its output operands say, unless it addresses memory on its own. So a template of
//! instructions that are known not to (arithmetic, moves between operands, locked updates, fences, jumps to labels of
//! the statement) gives any value to each output. Any other template is refused, except that one without memory effects
//! by its own word (no `memory` clobber, no memory output) gives any value to its scalar outputs.

mod exact;

use crate::adapter::{Asm, AsmId, AsmOperand};
use crate::lowering::Lowering;
use crate::places::{Lvalue, pointed};
use heapwise_ir::{
    BinaryOperator, CompareOperator, CopySource, Extent, Instruction, IntType, Operand, Type, UnsupportedReason,
};

/// What a template does, as far as it is understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Understanding {
    /// Nothing at all.
    Empty,
    /// Writes nothing but its output operands.
    OutputsOnly,
    /// Sets or clears a bit at a distance from its memory operand.
    BitString,
    /// Not understood.
    Unknown,
}

impl Lowering<'_, '_, '_> {
    pub(crate) fn assembly(&mut self, id: AsmId) {
        let asm: &Asm = &self.source.tast[id];
        let template = self.unit.string_text(asm.template);
        let outputs = self.source.tast[asm.outputs].to_vec();
        let inputs = self.source.tast[asm.inputs].to_vec();
        let labels = self.source.tast[asm.labels].to_vec();
        let clobbers_memory =
            self.source.tast[asm.clobbers].iter().any(|&clobber| self.unit.string_text(clobber) == "memory");
        if labels.is_empty() && self.exact_assembly(&template, &outputs, &inputs) {
            return;
        }
        let understood = understand(&template);
        if understood == Understanding::Unknown {
            let scalar_outputs = outputs.iter().all(|output| {
                let ty = self.type_of(output.value);
                self.is_scalar(ty) && !output.memory
            });
            if clobbers_memory || !labels.is_empty() || outputs.is_empty() || !scalar_outputs {
                return self.unsupported(UnsupportedReason::InlineAssembly);
            }
        }
        let values: Vec<Option<Operand>> = inputs.iter().map(|input| self.assembly_input(input)).collect();
        if understood == Understanding::BitString && !self.set_bit(&outputs, &inputs, &values) {
            return self.unsupported(UnsupportedReason::InlineAssembly);
        }
        for (index, output) in outputs.iter().enumerate() {
            let tied = inputs.iter().zip(&values).find_map(|(input, value)| {
                let matching = self.unit.string_text(input.constraint) == index.to_string();
                if matching { *value } else { None }
            });
            self.assembly_output(output, understood, tied);
        }
        let int = self.int();
        for label in labels {
            let Some(&scope) = self.scan.labels.get(&label) else { continue };
            let (jumps, next) = (self.location(), self.location());
            let choice = self.any(int, None);
            self.branch_on(CompareOperator::NotEqual, int, choice, Operand::ZERO, jumps, next);
            self.here = jumps;
            let location = self.label_location(label);
            self.jump_to_scope(location, scope);
            self.here = next;
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

    fn assembly_output(&mut self, output: &AsmOperand, understood: Understanding, tied: Option<Operand>) {
        let keeps = self.unit.string_text(output.constraint).starts_with('+') || output.memory;
        if understood == Understanding::Empty && keeps {
            return;
        }
        let ty = self.type_of(output.value);
        let place = self.place(output.value);
        if !self.is_scalar(ty) {
            if let Lvalue::Memory(place) = place {
                self.emit(Instruction::Copy { place, source: CopySource::Nondet, extent: Extent::Type(ty) });
            }
            return;
        }
        let value = match tied {
            // `asm("" : "=r"(x) : "0"(y))` hides where a value comes from; it is still that value.
            Some(value) if understood == Understanding::Empty => self.coerce(value, ty),
            _ => self.any(ty, None),
        };
        self.write(place, value);
    }

    /// `bts`, `btr`, `btc`: the word that holds the bit becomes any word.
    fn set_bit(&mut self, outputs: &[AsmOperand], inputs: &[AsmOperand], values: &[Option<Operand>]) -> bool {
        let memory = outputs.iter().chain(inputs).find(|operand| operand.memory);
        let index = inputs.iter().zip(values).find_map(|(input, value)| {
            let number = !input.memory && value.is_some();
            if number { *value } else { None }
        });
        let (Some(memory), Some(index)) = (memory, index) else { return false };
        let Lvalue::Memory(place) = self.place(memory.value) else { return false };
        let base = self.address(place, None);
        let long = self.intern(Type::Int(IntType::Signed(8)));
        let index = self.coerce(index, long);
        let word = self.binary(BinaryOperator::ShiftRight, long, index, Operand::Int(6), None);
        let element = self.intern(Type::Int(IntType::Unsigned(8)));
        let view = self.intern(Type::Array(element, None));
        let mut place = pointed(base, view);
        let index = match word {
            Operand::Int(value) => heapwise_ir::Index::Constant(i64::try_from(value).unwrap_or(0)),
            _ => heapwise_ir::Index::Operand(word),
        };
        place.path.steps.push(heapwise_ir::Step::Index(index));
        place.ty = element;
        let value = self.any(element, None);
        self.store(place, value);
        true
    }
}

fn understand(template: &str) -> Understanding {
    let instructions = instructions(template);
    if instructions.is_empty() {
        return Understanding::Empty;
    }
    let mut understood = Understanding::OutputsOnly;
    for instruction in &instructions {
        let mut words = instruction.splitn(2, char::is_whitespace);
        let mnemonic = words.next().unwrap_or("");
        let operands = words.next().unwrap_or("");
        // A register as an address: memory that no operand names.
        if operands.contains('(') || !writes_operands_only(mnemonic, operands) {
            return Understanding::Unknown;
        }
        if ["bts", "btr", "btc"].iter().any(|base| is_sized(mnemonic, base)) {
            understood = Understanding::BitString;
        }
    }
    understood
}

/// The instructions of a template, without comments, labels, prefixes, directives and other sections.
fn instructions(template: &str) -> Vec<String> {
    let mut text = String::new();
    let mut rest = template;
    while let Some(start) = rest.find("/*") {
        text.push_str(&rest[..start]);
        rest = rest[start..].find("*/").map_or("", |end| &rest[start + end + 2..]);
    }
    text.push_str(rest);
    let mut found = Vec::new();
    let mut elsewhere = 0usize;
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or("");
        for part in line.split(';') {
            let mut part = part.trim();
            while let Some((label, after)) = part.split_once(':')
                && !label.is_empty()
                && label.chars().all(|character| character.is_ascii_alphanumeric() || "_.$".contains(character))
            {
                part = after.trim();
            }
            if part.starts_with(".pushsection") || part.starts_with(".section") {
                elsewhere += 1;
            } else if part.starts_with(".popsection") || part.starts_with(".previous") {
                elsewhere = elsewhere.saturating_sub(1);
            } else if elsewhere == 0 && !is_silent(part) {
                let part = ["lock ", "rep ", "{disp32} "]
                    .iter()
                    .fold(part, |part, prefix| part.strip_prefix(prefix).map_or(part, str::trim_start));
                found.push(part.to_owned());
            }
        }
    }
    found
}

/// Whether a part of a template is no instruction, or one that nothing can see: nothing, a prefix, a directive, the
/// trapping instruction that Linux's `WARN` returns from.
fn is_silent(part: &str) -> bool {
    let compact: String = part.chars().filter(|character| !character.is_whitespace()).collect();
    match compact.as_str() {
        "" | "lock" | "rep" | "ud2" | "nop" | "pause" | "repnop" => true,
        ".byte0x0f,0x0b" => true,
        ".byte0x0f,0x1f,0x44,0x00,0x00" | ".byte0x90" => true,
        _ => compact.starts_with('.') && !compact.starts_with(".byte") && !compact.starts_with(".insn"),
    }
}

fn writes_operands_only(mnemonic: &str, operands: &str) -> bool {
    const SIZED: [&str; 50] = [
        "test", "cmp", "bt", "bts", "btr", "btc", "mov", "lea", "bsf", "bsr", "tzcnt", "lzcnt", "popcnt", "bswap",
        "rol", "ror", "rcl", "rcr", "shl", "shr", "sal", "sar", "shld", "shrd", "not", "neg", "mul", "imul", "div",
        "idiv", "adc", "sbb", "add", "sub", "inc", "dec", "and", "or", "xor", "xadd", "xchg", "cmpxchg", "adcx",
        "adox", "mulx", "rorx", "push", "pop", "pushf", "popf",
    ];
    const WHOLE: [&str; 19] = [
        "mfence",
        "lfence",
        "sfence",
        "cli",
        "sti",
        "hlt",
        "rdtsc",
        "rdtscp",
        "cpuid",
        "rdpmc",
        "rdrand",
        "rdseed",
        "stc",
        "clc",
        "cld",
        "prefetcht0",
        "prefetchnta",
        "prefetchw",
        "xgetbv",
    ];
    let jump = mnemonic.starts_with('j') && operands.trim_start().starts_with("%l");
    let conditional = mnemonic.starts_with("set")
        || mnemonic.starts_with("cmov")
        || mnemonic.starts_with("movz")
        || (mnemonic.starts_with("movs") && mnemonic.len() > 5);
    jump || conditional || WHOLE.contains(&mnemonic) || SIZED.iter().any(|base| is_sized(mnemonic, base))
}

/// Whether a mnemonic is `base` with or without its size.
fn is_sized(mnemonic: &str, base: &str) -> bool {
    mnemonic.strip_prefix(base).is_some_and(|size| matches!(size, "" | "b" | "w" | "l" | "q"))
}
