//! Assembly whose meaning is followed exactly: one arithmetic or exchanging instruction of x86 over the operands of the
//! statement, as atomic operations on counters are written. Runs have one thread, so a lock prefix changes nothing.
//!
//! Whatever does not fit (several instructions, other sizes, operands that are no integers, other flags) is left to the
//! general rule, by which every output gets any value.

use super::template::{self, TemplateOperand};
use crate::adapter::AsmOperand;
use crate::lowering::Lowering;
use crate::places::Lvalue;
use heapwise_ir::{BinaryOperator, CompareOperator, IntType, Operand, TypeId};

/// What the instruction does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operation {
    /// The last operand becomes what the operator gives of it and the first.
    Arithmetic(BinaryOperator),
    /// The last operand becomes what the operator gives of it and one.
    Step(BinaryOperator),
    /// Both operands swap, and then the second becomes the sum.
    ExchangeAndAdd,
    /// Both operands swap.
    Exchange,
    /// If the second operand is what the accumulator holds it becomes the first; the accumulator gets what it held.
    CompareAndExchange,
}

/// An instruction of a template.
struct Parsed {
    operation: Operation,
    bytes: u8,
    /// In the order of the template; a constant or a number among outputs and inputs.
    operands: Vec<Named>,
}

#[derive(Clone, Copy)]
enum Named {
    Constant(i128),
    Operand(usize),
}

/// A condition of the flags register that an output asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Flag {
    /// By which the result is compared with zero.
    operator: CompareOperator,
}

/// Where an operand is, and what it held before.
struct OperandStorage {
    place: Option<Lvalue>,
    ty: TypeId,
    old: Option<Operand>,
}

impl Lowering<'_, '_, '_> {
    /// Lowers the statement if its template is understood exactly; whether it was.
    pub(super) fn exact_assembly(&mut self, template: &str, outputs: &[AsmOperand], inputs: &[AsmOperand]) -> bool {
        let all: Vec<AsmOperand> = outputs.iter().chain(inputs).copied().collect();
        let names: Vec<Option<String>> =
            all.iter().map(|operand| operand.name.map(|name| self.source.names.resolve(name).to_owned())).collect();
        let Some(parsed) = parse(template, &names) else { return false };
        let constraints: Vec<String> = all.iter().map(|operand| self.unit.string_text(operand.constraint)).collect();
        let is_flag = |index: usize| constraints[index].starts_with("=@cc");
        let accumulator = match parsed.operation {
            Operation::CompareAndExchange => {
                let is_accumulator = |index: &usize| matches!(constraints[*index].as_str(), "+a" | "=a");
                let Some(found) = (0..outputs.len()).find(is_accumulator) else { return false };
                Some(found)
            }
            _ => None,
        };
        // Every operand that is no flag has the size of the instruction and is named by it, or ties to one that is.
        let mut flags: Vec<(usize, Flag)> = Vec::new();
        let mut used: Vec<usize> = parsed.operands.iter().filter_map(Named::index).chain(accumulator).collect();
        used.sort_unstable();
        used.dedup();
        for index in 0..all.len() {
            let ty = self.type_of(all[index].value);
            if is_flag(index) {
                let Some(flag) = flag(parsed.operation, &constraints[index]) else { return false };
                flags.push((index, flag));
                if self.int_type(ty).is_none() {
                    return false;
                }
                continue;
            }
            let tied = constraints[index].parse::<usize>().ok();
            if !used.contains(&index) && tied.is_none_or(|tied| Some(tied) != accumulator) {
                return false;
            }
            let is_constant = index >= outputs.len() && constraints[index].contains(['i', 'e', 'I', 'n']);
            match self.int_type(ty) {
                Some(IntType::Signed(bytes) | IntType::Unsigned(bytes)) if bytes == parsed.bytes => {}
                // An immediate is as wide as the instruction.
                Some(IntType::Signed(_) | IntType::Unsigned(_)) if is_constant => {}
                Some(_) | None => return false,
            }
        }
        let target = match parsed.operands.last() {
            Some(Named::Operand(target)) if *target < outputs.len() => *target,
            Some(Named::Operand(_) | Named::Constant(_)) | None => return false,
        };
        let swaps = matches!(parsed.operation, Operation::Exchange | Operation::ExchangeAndAdd);
        let is_written = |index: usize| {
            index == target || Some(index) == accumulator || swaps && parsed.operands[0].index() == Some(index)
        };
        // An output that is read has a plus; the accumulator may be tied to an input instead.
        let is_shaped = used.iter().all(|index| {
            let is_output = *index < outputs.len();
            let is_read_and_written = constraints[*index].starts_with('+');
            is_output == is_written(*index) && (!is_output || is_read_and_written || Some(*index) == accumulator)
        });
        let tied = accumulator.and_then(|accumulator| {
            (outputs.len()..all.len()).find(|index| constraints[*index].parse() == Ok(accumulator))
        });
        let needs_tie = accumulator.is_some_and(|accumulator| constraints[accumulator] == "=a");
        if !is_shaped || needs_tie && tied.is_none() {
            return false;
        }
        self.exact(&parsed, &all, outputs.len(), (target, accumulator, tied), &flags);
        true
    }

    fn exact(
        &mut self,
        parsed: &Parsed,
        all: &[AsmOperand],
        n_outputs: usize,
        (target, accumulator, tied): (usize, Option<usize>, Option<usize>),
        flags: &[(usize, Flag)],
    ) {
        // Numbers wrap here, and no sum overflows.
        let word = self.intern(heapwise_ir::Type::Int(IntType::Unsigned(parsed.bytes)));
        let is_flag = |index: usize| flags.iter().any(|(flag, _)| *flag == index);
        let mut storage: Vec<OperandStorage> = Vec::new();
        for (index, operand) in all.iter().enumerate() {
            let is_read = !is_flag(index) && (Some(index) != accumulator || tied.is_none());
            let has_place = index < n_outputs || operand.memory;
            storage.push(if has_place { self.stored(operand, is_read, word) } else { self.given(operand, word) });
        }
        let old_of = |named: Named| match named {
            Named::Constant(number) => Operand::Int(crate::lowering::wrap(IntType::Unsigned(parsed.bytes), number)),
            Named::Operand(index) => storage[index].old.unwrap_or(Operand::ZERO),
        };
        let (first, last) = (old_of(parsed.operands[0]), old_of(Named::Operand(target)));
        let mut results: Vec<(usize, Operand)> = Vec::new();
        // What the flags are about: zero if a comparison found both equal.
        let result = match parsed.operation {
            Operation::Arithmetic(operator) => {
                let result = self.binary(operator, word, last, first, None);
                results.push((target, result));
                result
            }
            Operation::Step(operator) => {
                let result = self.binary(operator, word, last, Operand::Int(1), None);
                results.push((target, result));
                result
            }
            Operation::ExchangeAndAdd | Operation::Exchange => {
                let result = match parsed.operation {
                    Operation::ExchangeAndAdd => self.binary(BinaryOperator::Add, word, last, first, None),
                    _ => first,
                };
                results.extend(parsed.operands[0].index().map(|index| (index, last)));
                results.push((target, result));
                result
            }
            Operation::CompareAndExchange => {
                let (Some(accumulator), expected) = (accumulator, tied.or(accumulator)) else { return };
                let expected = expected.and_then(|index| storage[index].old).unwrap_or(Operand::ZERO);
                let chosen = self.temporary(word);
                let (equal, differs, next) = (self.location(), self.location(), self.location());
                self.branch_on(CompareOperator::Equal, word, last, expected, equal, differs);
                for (here, value) in [(equal, first), (differs, last)] {
                    self.here = here;
                    self.assign(chosen, heapwise_ir::Expression::Operand(value));
                    self.jump(next);
                }
                self.here = next;
                results.push((target, Operand::Register(chosen)));
                results.push((accumulator, last));
                self.binary(BinaryOperator::Subtract, word, last, expected, None)
            }
        };
        let signed = self.intern(heapwise_ir::Type::Int(IntType::Signed(parsed.bytes)));
        for (index, flag) in flags {
            let number = self.convert(result, word, signed, None);
            results.push((*index, self.condition(flag, (number, signed), storage[*index].ty)));
        }
        for (index, value) in results {
            let stored = &mut storage[index];
            let ty = stored.ty;
            let Some(place) = stored.place.take() else { continue };
            let value = match flags.iter().any(|(flag, _)| *flag == index) {
                true => value,
                false => self.convert(value, word, ty, None),
            };
            self.write(place, value);
        }
    }

    /// An operand that has a place, and what that held before if somebody wants to know.
    fn stored(&mut self, operand: &AsmOperand, is_read: bool, word: TypeId) -> OperandStorage {
        let ty = self.type_of(operand.value);
        let place = self.place(operand.value);
        let old = is_read.then(|| {
            let old = self.read_place(&place, ty);
            let old = match place {
                // It is overwritten later.
                Lvalue::Register(_) => self.compute(ty, None, heapwise_ir::Expression::Operand(old)),
                Lvalue::Memory(_) => old,
            };
            self.convert(old, ty, word, None)
        });
        OperandStorage { place: Some(place), ty, old }
    }

    /// An operand that is a value.
    fn given(&mut self, operand: &AsmOperand, word: TypeId) -> OperandStorage {
        let ty = self.type_of(operand.value);
        let value = self.value(operand.value);
        OperandStorage { place: None, ty, old: Some(self.convert(value, ty, word, None)) }
    }

    /// Whether a condition of the flags register holds for a number: one or zero.
    fn condition(&mut self, flag: &Flag, (number, signed): (Operand, TypeId), ty: TypeId) -> Operand {
        let held = self.temporary(ty);
        let (holds, fails, next) = (self.location(), self.location(), self.location());
        self.branch_on(flag.operator, signed, number, Operand::ZERO, holds, fails);
        for (here, value) in [(holds, 1), (fails, 0)] {
            self.here = here;
            self.assign(held, heapwise_ir::Expression::Operand(Operand::Int(value)));
            self.jump(next);
        }
        self.here = next;
        Operand::Register(held)
    }
}

impl Named {
    fn index(&self) -> Option<usize> {
        match self {
            Named::Constant(_) => None,
            Named::Operand(index) => Some(*index),
        }
    }
}

/// The flag that `=@cc…` asks for. Zero and sign say something of the result; carry and overflow are not followed.
fn flag(operation: Operation, constraint: &str) -> Option<Flag> {
    let follows_sign = matches!(operation, Operation::Arithmetic(_) | Operation::Step(_) | Operation::ExchangeAndAdd);
    let operator = match constraint.strip_prefix("=@cc")? {
        "e" | "z" => CompareOperator::Equal,
        "ne" | "nz" => CompareOperator::NotEqual,
        "s" if follows_sign => CompareOperator::Less,
        "ns" if follows_sign => CompareOperator::GreaterEqual,
        _ => return None,
    };
    // `xchg` leaves the flags alone.
    (operation != Operation::Exchange).then_some(Flag { operator })
}

fn parse(template: &str, names: &[Option<String>]) -> Option<Parsed> {
    let found = template::parse(template, names)?;
    let [instruction] = found.as_slice() else { return None };
    let mnemonic = instruction.mnemonic.as_str();
    let bytes = match mnemonic.chars().last()? {
        'b' => 1,
        'w' => 2,
        'l' => 4,
        'q' => 8,
        _ => return None,
    };
    let (operation, n_operands) = match &mnemonic[..mnemonic.len() - 1] {
        "add" => (Operation::Arithmetic(BinaryOperator::Add), 2),
        "sub" => (Operation::Arithmetic(BinaryOperator::Subtract), 2),
        "and" => (Operation::Arithmetic(BinaryOperator::And), 2),
        "or" => (Operation::Arithmetic(BinaryOperator::Or), 2),
        "xor" => (Operation::Arithmetic(BinaryOperator::Xor), 2),
        "inc" => (Operation::Step(BinaryOperator::Add), 1),
        "dec" => (Operation::Step(BinaryOperator::Subtract), 1),
        "xadd" => (Operation::ExchangeAndAdd, 2),
        "xchg" => (Operation::Exchange, 2),
        "cmpxchg" => (Operation::CompareAndExchange, 2),
        _ => return None,
    };
    let named = |operand: &TemplateOperand| match operand {
        TemplateOperand::Named { index, bytes: None } => Some(Named::Operand(*index)),
        TemplateOperand::Named { index, bytes: Some(part) } if *part == u64::from(bytes) => {
            Some(Named::Operand(*index))
        }
        TemplateOperand::Constant(number) => Some(Named::Constant(*number)),
        TemplateOperand::Named { .. }
        | TemplateOperand::Register(_)
        | TemplateOperand::Label
        | TemplateOperand::Other => None,
    };
    let operands: Vec<Named> = instruction.operands.iter().map(named).collect::<Option<_>>()?;
    let is_exchange = matches!(operation, Operation::Exchange | Operation::ExchangeAndAdd);
    let distinct = match operands.as_slice() {
        [Named::Operand(x), Named::Operand(y)] => x != y,
        // What is exchanged is not a constant.
        [Named::Constant(_), _] => !is_exchange && operation != Operation::CompareAndExchange,
        _ => true,
    };
    (operands.len() == n_operands && distinct).then_some(Parsed { operation, bytes, operands })
}
