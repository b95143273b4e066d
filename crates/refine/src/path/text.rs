//! What the end of a path depends on by the text of its steps alone, whatever holds before.
//!
//! A path may contradict itself early, for a reason that no abstraction keeps (a list of two cells is walked along three times).
//! What its end asks for is then named by the steps that lead there: the *static slice* of the last step and of the conditions
//! before it, along the path.

use super::PathChecker;
use heapwise_ir::{
    CompareOperator, Condition, Expression, FunctionId, Instruction, Operand, RegisterId, TypeId, integer,
};
use heapwise_shapes::memory::{Access, FieldId, ScalarVariable};
use heapwise_shapes::precision::{Facts, NumberTest};
use heapwise_shapes::transfer::StepKey;
use std::collections::{BTreeMap, BTreeSet};

/// A slice, from the end of a path towards its start.
#[derive(Default)]
struct Slice {
    /// Registers whose value before the step is wanted.
    wanted: BTreeSet<ScalarVariable>,
    facts: Facts,
    tests: BTreeSet<NumberTest>,
    /// The fields that registers were loaded from.
    loaded: BTreeMap<ScalarVariable, FieldId>,
    /// Registers that are compared with each other.
    compared: Vec<(ScalarVariable, ScalarVariable)>,
}

impl Slice {
    fn want(&mut self, function: FunctionId, operand: Operand) {
        if let Operand::Register(register) = operand {
            let variable = ScalarVariable::Register(function, register);
            self.wanted.insert(variable);
            self.facts.variables.insert(variable);
        }
    }
}

impl PathChecker<'_> {
    /// What the last step of a path and so many conditions before it depend on.
    pub fn told_by_text(&self, path: &[StepKey], conditions: usize) -> Facts {
        let mut slice = Slice::default();
        let mut left = conditions;
        for (position, key) in path.iter().enumerate().rev() {
            let is_last = position + 1 == path.len();
            match *key {
                StepKey::Instruction(function, edge, _) => {
                    let Some(automaton) = self.memory.program.functions[function].automaton() else { continue };
                    let instruction = &automaton.edges[edge].instruction;
                    let is_condition = matches!(instruction, Instruction::Assume(_));
                    let is_asked = is_last || is_condition && left > 0;
                    left -= usize::from(is_condition && !is_last && left > 0);
                    self.before(&mut slice, function, instruction, is_asked);
                }
                StepKey::Enter(function, edge, callee) => {
                    let Some(automaton) = self.memory.program.functions[function].automaton() else { continue };
                    let Instruction::Call { arguments, .. } = &automaton.edges[edge].instruction else { continue };
                    let parameters = &self.memory.program.functions[callee].parameters;
                    for (parameter, argument) in parameters.iter().zip(arguments) {
                        if slice.wanted.remove(&ScalarVariable::Register(callee, *parameter)) {
                            slice.want(function, *argument);
                        }
                    }
                }
                StepKey::Leave(function, edge, callee) => {
                    let Some(automaton) = self.memory.program.functions[function].automaton() else { continue };
                    let result = self.memory.program.functions[callee].result;
                    if let (Some(target), Some(result)) = (automaton.edges[edge].instruction.target(), result)
                        && slice.wanted.remove(&ScalarVariable::Register(function, target))
                    {
                        slice.want(callee, Operand::Register(result));
                    }
                }
            }
        }
        self.with_tests(slice)
    }

    /// What is wanted before an instruction, for what is wanted behind it.
    fn before(&self, slice: &mut Slice, function: FunctionId, instruction: &Instruction, is_asked: bool) {
        let is_wanted = |slice: &mut Slice, target: RegisterId| {
            slice.wanted.remove(&ScalarVariable::Register(function, target)) || is_asked
        };
        match instruction {
            Instruction::Assign { target, value } if is_wanted(slice, *target) => match value {
                Expression::Operand(operand) => {
                    slice.want(function, *operand);
                    // What is compared in the end is this number.
                    let ty = self.memory.program.functions[function].registers[*target].ty;
                    if let (Operand::Int(number), Some(int)) = (operand, self.memory.int(ty)) {
                        slice.tests.insert(NumberTest::Equals(integer::wrap(*number, int)));
                    }
                }
                Expression::AddPath { base, .. }
                | Expression::SubtractPath { base, .. }
                | Expression::AddBytes { base, .. }
                | Expression::AddIndex { base, .. } => slice.want(function, *base),
                Expression::PointerDifference { left, right, .. } | Expression::Binary { left, right, .. } => {
                    slice.want(function, *left);
                    slice.want(function, *right);
                }
                Expression::Unary { value, .. } | Expression::Convert { value, .. } => slice.want(function, *value),
                Expression::Nondet { .. } | Expression::Uninitialised => {}
            },
            Instruction::Load { target, place } if is_wanted(slice, *target) => {
                if let Ok(Access::Field(base, field)) = self.memory.access(function, place) {
                    slice.want(function, base);
                    slice.facts.fields.insert(field);
                    slice.loaded.insert(ScalarVariable::Register(function, *target), field);
                } else if let Ok(Access::Variable(variable)) = self.memory.access(function, place) {
                    slice.facts.variables.insert(variable);
                }
            }
            Instruction::Store { place, value } if is_asked => {
                slice.want(function, *value);
                if let Ok(Access::Field(base, field)) = self.memory.access(function, place) {
                    slice.want(function, base);
                    slice.facts.fields.insert(field);
                }
            }
            Instruction::Free { pointer } if is_asked => slice.want(function, *pointer),
            Instruction::Assume(condition) | Instruction::Assert(condition) if is_asked => {
                self.asked(slice, function, condition);
            }
            Instruction::Call { arguments, .. } if is_asked => {
                arguments.iter().for_each(|argument| slice.want(function, *argument));
            }
            Instruction::Alloc { target, .. } => {
                slice.wanted.remove(&ScalarVariable::Register(function, *target));
            }
            _ => {}
        }
    }

    fn asked(&self, slice: &mut Slice, function: FunctionId, condition: &Condition) {
        let Condition::Compare { operator, ty, left, right } = condition else { return };
        slice.want(function, *left);
        slice.want(function, *right);
        match (left, right) {
            (Operand::Register(left), Operand::Register(right)) => {
                let variable = |register: RegisterId| ScalarVariable::Register(function, register);
                slice.compared.push((variable(*left), variable(*right)));
            }
            (_, Operand::Int(number)) => slice.tests.extend(self.decides(*operator, *ty, *number)),
            (Operand::Int(number), _) => slice.tests.extend(self.decides(operator.mirrored(), *ty, *number)),
            _ => {}
        }
    }

    fn decides(&self, operator: CompareOperator, ty: TypeId, number: i128) -> Option<NumberTest> {
        let number = integer::wrap(number, self.memory.int(ty)?);
        Some(match operator {
            CompareOperator::Equal | CompareOperator::NotEqual => NumberTest::Equals(number),
            CompareOperator::Less | CompareOperator::GreaterEqual => NumberTest::Below(number),
            CompareOperator::Greater | CompareOperator::LessEqual => NumberTest::Below(number.saturating_add(1)),
        })
    }

    fn with_tests(&self, slice: Slice) -> Facts {
        let Slice { mut facts, tests, loaded, compared, .. } = slice;
        self.ask(&mut facts, &tests);
        for (one, other) in compared {
            for (one, other) in [(one, other), (other, one)] {
                let test = NumberTest::Same(other);
                if one < other && self.memory.can_ask(self.memory.variable_int(one), test) {
                    facts.variable_tests.insert((one, test));
                }
                if let Some(field) = loaded.get(&one)
                    && !loaded.contains_key(&other)
                    && self.memory.can_ask(self.memory.field_int(*field), test)
                {
                    facts.field_tests.insert((*field, test));
                }
            }
        }
        facts
    }
}
