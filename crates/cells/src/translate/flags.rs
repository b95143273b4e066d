//! Which integer registers are tracked: flags, that is, registers that only ever receive constants or other flags. They
//! carry what a function found out about the heap to the branch that asks for it.

use super::constants::fits;
use heapwise_ir::entity::SecondaryMap;
use heapwise_ir::{
    Body, Callee, Expression, FunctionId, Instruction, IntType, Operand, Program, RegisterId, Type, TypeId,
};

/// The flags of each function.
pub struct Flags(SecondaryMap<FunctionId, Vec<bool>>);

impl Flags {
    /// Whether a register is one.
    pub fn contains(&self, function: FunctionId, register: RegisterId) -> bool {
        self.0[function].get(register.as_u32() as usize).copied().unwrap_or(false)
    }

    /// Finds them: all integer registers are candidates until a definition says otherwise.
    pub fn new(program: &Program) -> Flags {
        let mut flags = Flags(SecondaryMap::new());
        for (id, function) in &program.functions {
            flags.0[id] = function.registers.values().map(|r| matches!(program.ty(r.ty), Type::Int(_))).collect();
            // What callers pass is any integer.
            for parameter in &function.parameters {
                flags.0[id][parameter.as_u32() as usize] = false;
            }
        }
        while flags.drop_spoiled(program) {}
        flags
    }

    fn drop_spoiled(&mut self, program: &Program) -> bool {
        let mut changed = false;
        for (id, function) in &program.functions {
            let Body::Defined(automaton) = &function.body else { continue };
            for edge in automaton.edges.values() {
                let (target, keeps) = match &edge.instruction {
                    Instruction::Assign { target, value } => (*target, self.is_flag_value(program, id, value)),
                    Instruction::Call { target: Some(target), callee: Callee::Direct(callee), .. } => {
                        let result = program.functions[*callee].result;
                        (*target, result.is_some_and(|result| self.contains(*callee, result)))
                    }
                    Instruction::Call { target: Some(target), .. }
                    | Instruction::Load { target, .. }
                    | Instruction::Alloc { target, .. } => (*target, false),
                    _ => continue,
                };
                if !keeps && self.contains(id, target) {
                    self.0[id][target.as_u32() as usize] = false;
                    changed = true;
                }
            }
        }
        changed
    }

    fn is_flag_value(&self, program: &Program, function: FunctionId, value: &Expression) -> bool {
        match value {
            Expression::Operand(operand) => self.is_flag_operand(function, *operand),
            Expression::Convert { from, to, value } => match value {
                Operand::Int(constant) => matches!(program.ty(*to), Type::Int(int) if fits(*int, *constant)),
                _ => widens(program, *from, *to) && self.is_flag_operand(function, *value),
            },
            Expression::AddPath { .. }
            | Expression::SubtractPath { .. }
            | Expression::AddBytes { .. }
            | Expression::AddIndex { .. }
            | Expression::PointerDifference { .. }
            | Expression::Unary { .. }
            | Expression::Binary { .. }
            | Expression::Nondet { .. } => false,
            // A flag has no value before its first assignment either.
            Expression::Uninitialised => true,
        }
    }

    fn is_flag_operand(&self, function: FunctionId, operand: Operand) -> bool {
        match operand {
            Operand::Int(_) => true,
            Operand::Register(register) => self.contains(function, register),
            Operand::Float(_) | Operand::Global(_) | Operand::Function(_) => false,
        }
    }
}

/// Whether a conversion keeps every value.
pub fn widens(program: &Program, from: TypeId, to: TypeId) -> bool {
    match (program.ty(from), program.ty(to)) {
        (Type::Int(IntType::Bool), Type::Int(_)) => true,
        (Type::Int(IntType::Signed(from)), Type::Int(IntType::Signed(to)))
        | (Type::Int(IntType::Unsigned(from)), Type::Int(IntType::Unsigned(to))) => from <= to,
        (Type::Int(IntType::Unsigned(from)), Type::Int(IntType::Signed(to))) => from < to,
        _ => false,
    }
}
