//! Writes into the cell program what its steps do to integers that it does not track, as the program has it that the cells come
//! from.

use super::flags::widens;
use crate::integers::{IntegerOperand, IntegerStep, IntegerValue, Integers, RegisterName, View};
use crate::program::{Access, CellProgram, Command, Step, StepId};
use heapwise_ir::entity::SecondaryMap;
use heapwise_ir::{
    Condition, EdgeId, Expression, Instruction, Operand, Place, Program, RegisterId, RegisterOrigin, Type,
};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Programs with more integers at more points than this have none written down.
const MAX_ENTRIES: usize = 2_000_000;

/// Writes it into the cell program.
pub(super) fn carry(program: &Program, cells: &mut CellProgram) {
    let reader = Reader::new(program, cells);
    if reader.registers.is_empty() || reader.registers.len() * cells.outgoing.len() > MAX_ENTRIES {
        return;
    }
    let mut steps = SecondaryMap::with_capacity(cells.steps.len());
    for id in cells.outgoing.values().flatten() {
        steps[*id] = reader.step(&cells.steps[*id]);
    }
    cells.integers = Some(Integers { registers: reader.registers.into_values().collect(), steps });
}

/// The view that a place of integers is accessed by; nothing if it is one of other values.
fn view_of(program: &Program, place: &Place, access: Access) -> Option<View> {
    match program.ty(place.ty) {
        Type::Int(ty) => Some(View { bytes: (access.offset, access.size), ty: *ty, bits: place.bits }),
        Type::Void | Type::Float(_) | Type::Pointer(_) | Type::Array(..) | Type::Record(_) | Type::Function(_) => None,
    }
}

struct Reader<'a> {
    program: &'a Program,
    cells: &'a CellProgram,
    registers: IndexMap<(u32, RegisterId), RegisterName>,
    callees: FxHashMap<(u32, EdgeId), u32>,
}

impl<'a> Reader<'a> {
    fn new(program: &'a Program, cells: &'a CellProgram) -> Reader<'a> {
        let mut registers = IndexMap::new();
        let mut callees = FxHashMap::default();
        for (frame, call) in cells.frames.iter().enumerate() {
            for (register, description) in &program.functions[call.function].registers {
                if matches!(program.ty(description.ty), Type::Int(_)) {
                    let is_variable = matches!(description.origin, RegisterOrigin::Variable(_));
                    let name = RegisterName { name: description.name.clone(), is_variable };
                    registers.insert((frame as u32, register), name);
                }
            }
            if let Some(caller) = call.caller {
                callees.insert(caller, frame as u32);
            }
        }
        Reader { program, cells, registers, callees }
    }

    fn register(&self, frame: u32, register: RegisterId) -> Option<usize> {
        self.registers.get_index_of(&(frame, register))
    }

    fn operand(&self, frame: u32, operand: Operand) -> Option<IntegerOperand> {
        match operand {
            Operand::Int(value) => Some(IntegerOperand::Constant(value)),
            Operand::Register(register) => self.register(frame, register).map(IntegerOperand::Register),
            Operand::Float(_) | Operand::Global(_) | Operand::Function(_) => None,
        }
    }

    fn step(&self, step: &Step) -> Option<IntegerStep> {
        let frame = step.frame;
        let function = &self.program.functions[self.cells.frames[frame as usize].function];
        let edge = step.edge?;
        match &function.automaton()?.edges[edge].instruction {
            Instruction::Assign { target, value } => self.assign(frame, *target, self.value(frame, value)),
            Instruction::Load { target, place } => {
                let target_index = self.register(frame, *target)?;
                match step.command {
                    Command::Load { base, access, .. } => match view_of(self.program, place, access) {
                        Some(view) => Some(IntegerStep::Load { target: target_index, base, view }),
                        None => self.assign(frame, *target, None),
                    },
                    _ => self.assign(frame, *target, None),
                }
            }
            // What is stored into a bit-field is cut to its bits: it is read as another integer.
            Instruction::Store { value, place } if place.bits.is_none() => match step.command {
                Command::Store { base, access, .. } => {
                    let view = view_of(self.program, place, access)?;
                    Some(IntegerStep::Store { base, view, value: self.operand(frame, *value)? })
                }
                _ => None,
            },
            Instruction::Call { target, arguments, .. } => self.call(step, edge, *target, arguments),
            Instruction::Alloc { target, .. } => self.assign(frame, *target, None),
            Instruction::Assume(Condition::Compare { operator, ty, left, right }) => {
                let is_integer = matches!(self.program.ty(*ty), Type::Int(_));
                // The same constant is another number in a signed type.
                let is_signed_otherwise = !self.program.compares_as_kept(*operator, *ty);
                if !is_integer || is_signed_otherwise || !self.is_comparison(step) {
                    return None;
                }
                let (left, right) = (self.operand(frame, *left)?, self.operand(frame, *right)?);
                Some(IntegerStep::Compare { operator: *operator, left, right })
            }
            Instruction::Store { .. }
            | Instruction::Copy { .. }
            | Instruction::Free { .. }
            | Instruction::End { .. }
            | Instruction::Assume(Condition::True | Condition::False)
            | Instruction::Assume(Condition::NotCompare { .. } | Condition::Shape(_))
            | Instruction::Assert(_)
            | Instruction::Unsupported(_) => None,
        }
    }

    /// Whether a step of an assumption is the one that goes on if it holds.
    fn is_comparison(&self, step: &Step) -> bool {
        let is_same = |other: &StepId| {
            let other = &self.cells.steps[*other];
            other.edge == step.edge && other.frame == step.frame
        };
        matches!(step.command, Command::Skip | Command::Assume { .. })
            && !self.cells.outgoing[step.to].iter().any(is_same)
    }

    fn call(
        &self,
        step: &Step,
        edge: EdgeId,
        target: Option<RegisterId>,
        arguments: &[Operand],
    ) -> Option<IntegerStep> {
        match self.callees.get(&(step.frame, edge)) {
            Some(callee) if !matches!(step.command, Command::Call { .. }) => {
                let called = &self.cells.frames[*callee as usize];
                let definition = &self.program.functions[called.function];
                if self.cells.origins[step.to].frame == *callee {
                    let passed = definition.parameters.iter().zip(arguments).filter_map(|(parameter, argument)| {
                        let value = self.operand(step.frame, *argument);
                        Some((self.register(*callee, *parameter)?, same_or_new(value)))
                    });
                    return Some(IntegerStep::Assign(passed.collect()));
                }
                if called.returns == Some(step.from)
                    && let (Some(target), Some(result)) = (target, definition.result)
                {
                    return self.assign(step.frame, target, self.operand(*callee, Operand::Register(result)));
                }
                None
            }
            // A call that is not inlined: names of the callee stand for other values each time.
            Some(_) | None => self.assign(step.frame, target?, None),
        }
    }

    /// Nothing unless the target is an integer.
    fn assign(&self, frame: u32, target: RegisterId, value: Option<IntegerOperand>) -> Option<IntegerStep> {
        let target = self.register(frame, target)?;
        Some(IntegerStep::Assign(SmallVec::from_iter([(target, same_or_new(value))])))
    }

    fn value(&self, frame: u32, value: &Expression) -> Option<IntegerOperand> {
        match value {
            Expression::Operand(operand) => self.operand(frame, *operand),
            Expression::Convert { from, to, value: value @ Operand::Register(_) }
                if widens(self.program, *from, *to) =>
            {
                self.operand(frame, *value)
            }
            Expression::Convert { .. }
            | Expression::AddPath { .. }
            | Expression::SubtractPath { .. }
            | Expression::AddBytes { .. }
            | Expression::AddIndex { .. }
            | Expression::PointerDifference { .. }
            | Expression::Unary { .. }
            | Expression::Binary { .. }
            | Expression::Nondet { .. }
            | Expression::Uninitialised => None,
        }
    }
}

fn same_or_new(value: Option<IntegerOperand>) -> IntegerValue {
    value.map_or(IntegerValue::New, IntegerValue::Same)
}
