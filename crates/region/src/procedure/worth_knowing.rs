//! Expressions that are worth knowing although no instruction of the function has them: those of links, callees, results and freed objects.

use super::build::Builder;
use super::{FreedArgument, Operation, Procedure, Stored};
use crate::expressions::Base;
use heapwise_ir::entity::{EntityRef, PrimaryMap};
use heapwise_ir::{EdgeId, FunctionId, Operand, RegisterId};

/// Most expressions that are taken over from one callee.
const MOST_OF_CALLEE: usize = 32;

impl Builder<'_, '_> {
    /// Where one of a pair of inverse links is written, what the other one of the value written holds is worth knowing.
    pub(super) fn expressions_of_links(&mut self, operations: &PrimaryMap<EdgeId, Operation>) {
        for operation in operations.values() {
            let Operation::Store { place, value: Stored::Register(value) } = operation else { continue };
            let [cell] = place.target.cells[..] else { continue };
            let offsets: Vec<i64> = self
                .memory
                .inverses_with(cell)
                .map(|(_, pair)| match pair.back == cell {
                    true => pair.offset_of_forth(self.memory),
                    false => pair.offset_of_back(self.memory),
                })
                .collect();
            for offset in offsets {
                self.at(Operand::Register(*value), offset);
            }
        }
    }

    /// Expressions over arguments that callees have over their parameters, so that facts are handed on.
    pub(super) fn expressions_of_callees(
        &mut self,
        operations: &PrimaryMap<EdgeId, Operation>,
        known: &dyn Fn(FunctionId) -> Option<std::rc::Rc<Procedure>>,
    ) {
        for operation in operations.values() {
            let Operation::Call(call) = operation else { continue };
            for callee in call.callees.iter().filter_map(|callee| known(*callee)) {
                for (parameter, argument) in callee.parameters.iter().zip(&call.arguments) {
                    let Some(register) = argument.register else { continue };
                    let found = callee.expressions.from(Base::Register(*parameter));
                    for expression in found.iter().take(MOST_OF_CALLEE) {
                        let offset = callee.expressions.all[*expression].offset;
                        self.at(Operand::Register(register), offset);
                    }
                }
            }
        }
    }

    /// Expressions over the result for those over what is returned, so that callers are told.
    pub(super) fn expressions_of_result(
        &mut self,
        operations: &PrimaryMap<EdgeId, Operation>,
        result: Option<RegisterId>,
    ) {
        for operation in operations.values() {
            let Operation::Copy { target, source: Some(source), shift: Some(shift), .. } = operation else { continue };
            if Some(*target) != result {
                continue;
            }
            let found = self.expressions.from(Base::Register(*source)).to_vec();
            for expression in found.into_iter().take(MOST_OF_CALLEE) {
                if let Some(offset) = self.expressions.all[expression].offset.checked_sub(*shift) {
                    self.at(Operand::Register(*target), offset);
                }
            }
        }
    }

    /// Fields of arguments that callees free: those that the callee does not know are lost at the call.
    pub(super) fn fields_freed_by_callees(
        &mut self,
        operations: &mut PrimaryMap<EdgeId, Operation>,
        known: &dyn Fn(FunctionId) -> Option<std::rc::Rc<Procedure>>,
    ) {
        for operation in operations.values_mut() {
            let Operation::Call(call) = operation else { continue };
            let mut frees = Vec::new();
            for callee in call.callees.iter().filter_map(|callee| known(*callee)) {
                for freed in &callee.freed_parameters {
                    let Some(pointer) = call.arguments.get(freed.position).and_then(|argument| argument.register)
                    else {
                        continue;
                    };
                    let fields = self.fields(Operand::Register(pointer));
                    frees.push(FreedArgument { callee: callee.function, pointer, ways: freed.ways, fields });
                }
            }
            call.frees = frees;
        }
    }

    pub(super) fn fields_of_freed(&mut self, operations: &mut PrimaryMap<EdgeId, Operation>) {
        for index in 0..operations.len() {
            let edge = EdgeId::new(index);
            if let Operation::Free { pointer, .. } = &operations[edge] {
                let pointer = *pointer;
                let fields = self.fields(Operand::Register(pointer));
                operations[edge] = Operation::Free { pointer, fields };
            }
        }
    }
}
