//! Where runs may part: the state before such a step is kept.

use crate::code::Code;
use crate::machine::Machine;
use crate::state::{Frame, State};
use crate::value::{Scalar, Value};
use heapwise_engine::AllocationFailure;
use heapwise_ir::{Automaton, Body, Callee, Condition, EdgeId, Expression, Failure, Instruction, Operand, Storage};

/// Whether the next step probably asks its chooser. A wrong *no* only costs time.
pub(super) fn may_choose(machine: &Machine<'_>, code: &Code, state: &State) -> bool {
    let Some(frame) = state.top() else { return false };
    let Body::Defined(automaton) = &machine.program.functions[frame.function].body else { return false };
    let is_symbol = |operand: Operand| {
        operand.register().is_some_and(|register| matches!(frame.register(register), Value::Symbol(_)))
    };
    let is_open = |condition: &Condition| match condition {
        Condition::Compare { left, right, .. } | Condition::NotCompare { left, right, .. } => {
            is_symbol(*left) || is_symbol(*right) || both_pointers(frame, *left, *right)
        }
        Condition::True | Condition::False | Condition::Shape(_) => false,
    };
    let edge_may = |automaton: &Automaton, edge: &EdgeId| match &automaton.edges[*edge].instruction {
        Instruction::Assume(condition) | Instruction::Assert(condition) => is_open(condition),
        Instruction::Alloc { storage, failure, bytes, .. } => {
            is_symbol(*bytes)
                || *storage == Storage::Heap
                    && *failure == Failure::Possible
                    && machine.options.allocation_failure == AllocationFailure::Possible
        }
        Instruction::Assign { value: Expression::Nondet { ty }, .. } => !matches!(code.scalar(*ty), Scalar::Int(_)),
        Instruction::Call { callee: Callee::Direct(callee), .. } => {
            matches!(machine.program.functions[*callee].body, Body::Extern(_))
        }
        instruction => {
            let mut found = false;
            instruction.for_each_operand(|operand| found |= is_symbol(operand));
            found
        }
    };
    match automaton.outgoing[frame.location].as_slice() {
        [] => false,
        [edge] => edge_may(automaton, edge),
        [edge, _] if code.functions[frame.function].branches[frame.location] => edge_may(automaton, edge),
        _ => true,
    }
}

fn both_pointers(frame: &Frame, left: Operand, right: Operand) -> bool {
    let is_pointer = |operand: Operand| match operand {
        Operand::Register(register) => matches!(frame.register(register), Value::Pointer(_)),
        Operand::Global(_) => true,
        Operand::Int(_) | Operand::Float(_) | Operand::Function(_) => false,
    };
    is_pointer(left) && is_pointer(right)
}
