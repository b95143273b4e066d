//! Integers that become addresses: `(char *)16`, `MAP_FAILED`, a number that is read and converted. They point to no region, so the
//! points-to graph does not know that a pointer may hold one; freeing it is an error all the same. Numbers that reach a pointer as
//! bytes (through a union, by `memcpy`) are not seen here.

use crate::memory::Memory;
use heapwise_ir::{
    Body, Callee, Expression, FunctionId, Global, Initializer, Instruction, Operand, Program, Type, TypeId,
};

/// Whether an instruction makes a pointer of a number other than null, or frees one.
pub(crate) fn makes_address(
    program: &Program,
    memory: &Memory<'_>,
    function: FunctionId,
    instruction: &Instruction,
) -> bool {
    let registers = &program.functions[function].registers;
    let is_number = |operand: Operand| match operand {
        Operand::Int(number) => number != 0,
        // A number may be an address that was kept in it, and the graph knows that.
        Operand::Register(register) => {
            let value = memory.operand(function, operand);
            matches!(program.ty(registers[register].ty), Type::Int(_)) && value.region.is_none() && !value.unknown
        }
        Operand::Float(_) | Operand::Global(_) | Operand::Function(_) => false,
    };
    match instruction {
        Instruction::Assign { target, value: Expression::Operand(value) | Expression::Convert { value, .. } } => {
            is_pointer(program, registers[*target].ty) && is_number(*value)
        }
        Instruction::Store { place, value } => is_pointer(program, place.ty) && is_number(*value),
        Instruction::Free { pointer } => is_number(*pointer),
        Instruction::Call { callee: Callee::Direct(callee), arguments, .. } => {
            let callee = &program.functions[*callee];
            let parameters = callee.parameters.iter().map(|parameter| callee.registers[*parameter].ty);
            matches!(callee.body, Body::Defined(_))
                && arguments
                    .iter()
                    .zip(parameters)
                    .any(|(argument, ty)| is_pointer(program, ty) && is_number(*argument))
        }
        // Whom it calls may free. A pointer without the type of a function says nothing of what it takes.
        Instruction::Call { callee: Callee::Indirect(pointer), arguments, .. } => {
            let signature = pointer.register().and_then(|register| program.pointee(registers[register].ty));
            match signature.map(|pointee| program.ty(pointee)) {
                Some(Type::Function(call)) => (arguments.iter().zip(&call.parameters))
                    .any(|(argument, ty)| is_pointer(program, *ty) && is_number(*argument)),
                Some(_) | None => arguments.iter().any(|argument| is_number(*argument)),
            }
        }
        Instruction::Assign { .. }
        | Instruction::Load { .. }
        | Instruction::Copy { .. }
        | Instruction::Alloc { .. }
        | Instruction::End { .. }
        | Instruction::Assume(_)
        | Instruction::Assert(_)
        | Instruction::Unsupported(_) => false,
    }
}

/// Whether a global holds a number other than null as a pointer before `main`.
pub(crate) fn holds_address(program: &Program, global: &Global) -> bool {
    match &global.initializer {
        Initializer::Items(items) => items.iter().any(|item| {
            is_pointer(program, item.ty)
                && matches!(item.value, Operand::Int(number) if number + i128::from(item.addend) != 0)
        }),
        Initializer::Bytes(_) | Initializer::Unknown | Initializer::Library(_) => false,
    }
}

fn is_pointer(program: &Program, ty: TypeId) -> bool {
    matches!(program.ty(ty), Type::Pointer(_))
}
