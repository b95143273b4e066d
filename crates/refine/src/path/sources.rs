//! What numbers are copied from, anywhere in the program: what is asked of one can be told only if it is asked of those, too.

use super::PathChecker;
use heapwise_ir::{Callee, Expression, FunctionId, Instruction, Operand};
use heapwise_shapes::memory::{Access, FieldId, ScalarVariable};
use heapwise_shapes::precision::{Facts, NumberTest};

/// What holds a number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holder {
    Variable(ScalarVariable),
    Field(FieldId),
}

impl PathChecker<'_> {
    /// The facts, and what is asked of constants in them asked of all that their numbers are copied from.
    pub fn with_sources(&self, facts: &Facts) -> Facts {
        let copies = self.copies();
        let mut facts = facts.clone();
        let variables = facts.variable_tests.iter().map(|(it, test)| (Holder::Variable(*it), *test));
        let fields = facts.field_tests.iter().map(|(it, test)| (Holder::Field(*it), *test));
        let mut pending: Vec<(Holder, NumberTest)> = variables.chain(fields).collect();
        while let Some((holder, test)) = pending.pop() {
            if matches!(test, NumberTest::Same(_)) {
                continue;
            }
            for (_, source) in copies.iter().filter(|(target, _)| *target == holder) {
                let is_new = match *source {
                    Holder::Variable(variable) if self.memory.can_ask(self.memory.variable_int(variable), test) => {
                        facts.variables.insert(variable);
                        facts.variable_tests.insert((variable, test))
                    }
                    Holder::Field(field) if self.memory.can_ask(self.memory.field_int(field), test) => {
                        facts.fields.insert(field);
                        facts.field_tests.insert((field, test))
                    }
                    Holder::Variable(_) | Holder::Field(_) => false,
                };
                if is_new {
                    pending.push((*source, test));
                }
            }
        }
        facts
    }

    /// All copies of numbers: what is written, and what is read.
    fn copies(&self) -> Vec<(Holder, Holder)> {
        let mut copies = Vec::new();
        for function in &self.memory.functions {
            let Some(automaton) = self.memory.program.functions[*function].automaton() else { continue };
            for edge in automaton.edges.values() {
                self.copies_of(*function, &edge.instruction, &mut copies);
            }
        }
        copies
    }

    fn copies_of(&self, function: FunctionId, instruction: &Instruction, copies: &mut Vec<(Holder, Holder)>) {
        let register = |register| Holder::Variable(ScalarVariable::Register(function, register));
        let operand = |operand: &Operand| match operand {
            Operand::Register(it) => Some(register(*it)),
            Operand::Int(_) | Operand::Float(_) | Operand::Global(_) | Operand::Function(_) => None,
        };
        let accessed = |place| match self.memory.access(function, place) {
            Ok(Access::Variable(variable)) => Some(Holder::Variable(variable)),
            Ok(Access::Field(_, field)) => Some(Holder::Field(field)),
            Err(_) => None,
        };
        let mut copy = |target: Option<Holder>, source: Option<Holder>| copies.extend(target.zip(source));
        match instruction {
            Instruction::Assign { target, value } => match value {
                Expression::Operand(value) | Expression::Convert { value, .. } => {
                    copy(Some(register(*target)), operand(value));
                }
                Expression::AddPath { .. }
                | Expression::SubtractPath { .. }
                | Expression::AddBytes { .. }
                | Expression::AddIndex { .. }
                | Expression::PointerDifference { .. }
                | Expression::Unary { .. }
                | Expression::Binary { .. }
                | Expression::Nondet { .. }
                | Expression::Uninitialised => {}
            },
            Instruction::Load { target, place } => copy(Some(register(*target)), accessed(place)),
            Instruction::Store { place, value } => copy(accessed(place), operand(value)),
            Instruction::Call { target, callee: Callee::Direct(callee), arguments } => {
                let called = &self.memory.program.functions[*callee];
                let inner = |register| Holder::Variable(ScalarVariable::Register(*callee, register));
                for (parameter, argument) in called.parameters.iter().zip(arguments) {
                    copy(Some(inner(*parameter)), operand(argument));
                }
                copy(target.map(register), called.result.map(inner));
            }
            // Each field of a record is copied from itself.
            Instruction::Copy { .. }
            | Instruction::Call { callee: Callee::Indirect(_), .. }
            | Instruction::Alloc { .. }
            | Instruction::Free { .. }
            | Instruction::End { .. }
            | Instruction::Assume(_)
            | Instruction::Assert(_)
            | Instruction::Unsupported(_) => {}
        }
    }
}
