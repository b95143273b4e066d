//! Configurations and steps in words.

use crate::expressions::Base;
use crate::facts::{About, Aim};
use crate::index::{Count, Referrer};
use crate::memory::Memory;
use crate::procedure::Procedure;
use crate::transfer::State;
use heapwise_ir::{FunctionId, Instruction, Operand, Place, Program, Step};

/// The name of a register, for users.
pub fn register(program: &Program, function: FunctionId, register: heapwise_ir::RegisterId) -> String {
    program.functions[function].registers[register].name.clone()
}

/// A place as a user would write it.
pub fn place(program: &Program, function: FunctionId, place: &Place) -> String {
    let mut text = match place.base {
        Operand::Register(base) => register(program, function, base),
        Operand::Global(global) => program.globals[global].name.clone(),
        Operand::Int(value) => value.to_string(),
        Operand::Float(value) => value.to_string(),
        Operand::Function(function) => program.functions[function].name.clone(),
    };
    let is_pointer = matches!(place.base, Operand::Register(_));
    if place.path.steps.is_empty() && is_pointer {
        return format!("*{text}");
    }
    for (index, step) in place.path.steps.iter().enumerate() {
        match step {
            Step::Field(record, field) => {
                let arrow = if index == 0 && is_pointer { "->" } else { "." };
                let name = program.records[*record].fields().get(*field as usize).map_or("?", |field| &field.name);
                text = format!("{text}{arrow}{name}");
            }
            Step::Index(heapwise_ir::Index::Constant(index)) => text = format!("{text}[{index}]"),
            Step::Index(heapwise_ir::Index::Operand(Operand::Register(index))) => {
                text = format!("{text}[{}]", register(program, function, *index));
            }
            Step::Index(heapwise_ir::Index::Operand(_)) => text = format!("{text}[…]"),
        }
    }
    text
}

/// What a configuration says: references with counts, then facts (`+` hit, `-` miss), then flags.
pub fn configuration(memory: &Memory<'_>, procedure: &Procedure, state: &State) -> String {
    let program = memory.program;
    let function = procedure.function;
    let mut words: Vec<String> = Vec::new();
    for (referrer, count) in state.index.iter() {
        let name = match referrer {
            Referrer::Register(found) => register(program, function, found),
            Referrer::Cell(cell) => format!("{}+{}", memory.cells[cell].region, memory.cells[cell].offset),
            Referrer::Outside => "outside".to_owned(),
            Referrer::Local => "local".to_owned(),
            Referrer::Existed => continue,
            Referrer::Freed => "freed".to_owned(),
            Referrer::Ended => "ended".to_owned(),
            Referrer::Overwritten => continue,
            Referrer::Doubtful => "doubtful".to_owned(),
            Referrer::Counter(cell) => {
                let number = state.index.counted(cell).map_or_else(|| "?".to_owned(), |number| number.to_string());
                words.push(format!("{}={number}", memory.cells[cell].offset));
                continue;
            }
        };
        words.push(match count.number() {
            Some(1) => name,
            Some(number) => format!("{name}^{number}"),
            None => format!("{name}^many"),
        });
        debug_assert!(count != Count::ZERO);
    }
    words.extend(known(memory, procedure, state));
    words.join(" ")
}

/// What a configuration says beside its counts: expressions that hit (`+`) and miss (`-`), links that
/// do not lead to the cell itself (`/`) or are not null (`!`), and those that lead there and back.
pub fn known(memory: &Memory<'_>, procedure: &Procedure, state: &State) -> Vec<String> {
    let program = memory.program;
    let function = procedure.function;
    let mut words = Vec::new();
    for (id, aim) in state.facts.aims() {
        let expression = procedure.expressions.all[id];
        let base = match expression.base {
            Base::Register(found) => register(program, function, found),
            Base::Global(global) => program.globals[global].name.clone(),
        };
        let sign = match aim {
            Aim::Hit => '+',
            Aim::Miss => '-',
        };
        words.push(format!("{sign}{base}->{}", expression.offset));
    }
    for (link, about) in state.facts.links() {
        let sign = if about(link) == About::Apart(link) { '/' } else { '!' };
        words.push(format!("{sign}{}", memory.cells[link].offset));
    }
    for (one, two) in state.facts.together() {
        words.push(format!("{}&{}", memory.cells[two].offset, memory.cells[one].offset));
    }
    for id in state.facts.inverses() {
        let pair = memory.inverses[id];
        words.push(format!("->{}->{}", memory.cells[pair.back].offset, memory.cells[pair.forth].offset));
    }
    words
}

/// What an instruction does to references, for a trace: the user sees its text beside it.
pub fn step(
    program: &Program,
    function: FunctionId,
    instruction: &Instruction,
    before: &State,
    after: &State,
) -> Option<String> {
    let name = |found| register(program, function, found);
    let is_freed = |state: &State| state.index.has(Referrer::Freed);
    if !is_freed(before) && is_freed(after) {
        let ends = if after.index.has(Referrer::Local) { "the storage of the local ends" } else { "the cell is freed" };
        return Some(ends.to_owned());
    }
    let mut words = Vec::new();
    for (referrer, count) in after.index.iter() {
        let more = count > before.index.get(referrer);
        match referrer {
            Referrer::Register(found) if more => words.push(format!("`{}` refers to the cell", name(found))),
            Referrer::Cell(_) if more => words.push(match instruction {
                Instruction::Store { place: stored, .. } => {
                    format!("`{}` refers to the cell", place(program, function, stored))
                }
                _ => "a field refers to the cell".to_owned(),
            }),
            Referrer::Counter(cell) if after.index.get(referrer) != before.index.get(referrer) => {
                words.extend(after.index.counted(cell).map(|number| format!("its reference count is {number}")));
            }
            Referrer::Outside if more => words.push("code that nothing is known of may refer to the cell".to_owned()),
            Referrer::Register(_)
            | Referrer::Cell(_)
            | Referrer::Outside
            | Referrer::Local
            | Referrer::Existed
            | Referrer::Freed
            | Referrer::Ended
            | Referrer::Overwritten
            | Referrer::Doubtful
            | Referrer::Counter(_) => {}
        }
    }
    for (referrer, count) in before.index.iter() {
        let less = after.index.get(referrer) < count;
        match referrer {
            Referrer::Register(found) if less => words.push(format!("`{}` no longer refers to it", name(found))),
            Referrer::Cell(_) if less => words.push(match instruction {
                Instruction::Store { place: stored, .. } => {
                    format!("`{}` no longer refers to it", place(program, function, stored))
                }
                Instruction::Free { .. } => "a field of what is freed here referred to it".to_owned(),
                _ => "a field no longer refers to it".to_owned(),
            }),
            Referrer::Register(_)
            | Referrer::Cell(_)
            | Referrer::Outside
            | Referrer::Local
            | Referrer::Existed
            | Referrer::Freed
            | Referrer::Ended
            | Referrer::Overwritten
            | Referrer::Doubtful
            | Referrer::Counter(_) => {}
        }
    }
    match instruction {
        Instruction::Assume(_) if words.is_empty() => None,
        _ => (!words.is_empty()).then(|| words.join(", ")),
    }
}
