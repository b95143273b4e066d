//! Calls: of functions without a body, into functions and back.

use super::{Change, Draft, Number, Scalar, Transfer, Updates};
use crate::memory::{ScalarKind, ScalarVariable};
use heapwise_engine::GapReason;
use heapwise_engine::reason::{CallGap, RefineGap};
use heapwise_ir::{
    EdgeId, ExternEffects, ExternResult, Function, FunctionId, Instruction, MemoryEffect, Mutability, Operand,
    RegisterId,
};
use heapwise_logic::Formula;

impl Transfer<'_> {
    /// A function without a body that touches no memory of the program.
    pub(super) fn external(
        &self,
        function: FunctionId,
        (called, effects): (&Function, &ExternEffects),
        arguments: &[Operand],
        draft: &mut Draft,
    ) -> Result<(), GapReason> {
        if !effects.modelled {
            return Err(CallGap::of_extern(called).into());
        }
        if effects.memory != MemoryEffect::Pure || !effects.takes_ownership.is_empty() {
            return Err(RefineGap::HandedOver.into());
        }
        // A literal is read as far as its NUL, unless a number says how far (`memcmp`), which is not followed.
        let is_number = |argument: &Operand| match argument {
            Operand::Int(_) | Operand::Float(_) => true,
            Operand::Register(register) => self.memory.kind(self.type_of(function, *register)) == ScalarKind::Number,
            Operand::Global(_) | Operand::Function(_) => false,
        };
        let ends_at_nul = effects.format.is_some() || !arguments.iter().any(is_number);
        for argument in arguments {
            match argument {
                Operand::Global(global)
                    if ends_at_nul && self.program().globals[*global].mutability == Mutability::ReadOnly => {}
                Operand::Int(_) | Operand::Float(_) => {}
                Operand::Register(register)
                    if self.memory.kind(self.type_of(function, *register)) == ScalarKind::Number =>
                {
                    let value = self.operand(function, *argument, ScalarKind::Number)?;
                    self.use_value(draft, &value);
                }
                Operand::Register(_) | Operand::Global(_) | Operand::Function(_) => {
                    return Err(RefineGap::HandedOver.into());
                }
            }
        }
        if effects
            .format
            .is_some_and(|format| !matches!(arguments.get(format.parameter as usize), Some(Operand::Global(_))))
        {
            return Err(RefineGap::HandedOver.into());
        }
        Ok(())
    }

    pub(super) fn result(
        &self,
        function: FunctionId,
        target: RegisterId,
        effects: &ExternEffects,
    ) -> Result<Scalar, GapReason> {
        let kind = self.memory.kind(self.type_of(function, target));
        if kind == ScalarKind::Pointer || effects.result != ExternResult::Any {
            return Err(RefineGap::HandedOver.into());
        }
        Ok(Scalar { kind, points: Formula::FALSE, bad: Formula::FALSE, number: Number::Unknown })
    }

    pub(super) fn enter(&self, function: FunctionId, edge: EdgeId, callee: FunctionId) -> Result<Draft, GapReason> {
        let mut draft = Draft::default();
        let automaton = self.automaton(function).ok_or(CallGap::WithoutBodyRuns)?;
        let edge = &automaton.edges[edge];
        let Instruction::Call { target, arguments, callee: called } = &edge.instruction else {
            return Err(CallGap::UnknownTarget.into());
        };
        if !matches!(called, heapwise_ir::Callee::Direct(_)) {
            return Err(CallGap::UnknownTarget.into());
        }
        let inner = &self.program().functions[callee];
        if inner.variadic || inner.parameters.len() != arguments.len() {
            return Err(CallGap::TooFewArguments { function: inner.name.clone() }.into());
        }
        let mut updates = Updates::new();
        for register in self.registers(function) {
            if Some(register) == *target || !self.is_live(function, edge.to, register) {
                self.forget(&mut updates, ScalarVariable::Register(function, register));
            }
        }
        let entry = self.automaton(callee).map(|automaton| automaton.entry).ok_or(CallGap::WithoutBodyRuns)?;
        for (parameter, argument) in inner.parameters.iter().zip(arguments) {
            let value = self.operand(function, *argument, self.memory.kind(inner.registers[*parameter].ty))?;
            if self.is_live(callee, entry, *parameter) {
                self.set_variable(&mut updates, ScalarVariable::Register(callee, *parameter), &value);
            }
        }
        let never = Scalar {
            kind: ScalarKind::Pointer,
            points: Formula::FALSE,
            bad: Formula::TRUE,
            number: Number::Tracked(Vec::new()),
        };
        for register in self.registers(callee) {
            if !inner.parameters.contains(&register) && self.is_live(callee, entry, register) {
                self.set_variable(&mut updates, ScalarVariable::Register(callee, register), &never);
            }
        }
        draft.going_on.push((Formula::TRUE, vec![Change { updates, ..Change::default() }]));
        Ok(draft)
    }

    pub(super) fn leave(&self, function: FunctionId, id: EdgeId, callee: FunctionId) -> Result<Draft, GapReason> {
        let mut draft = Draft::default();
        let automaton = self.automaton(function).ok_or(CallGap::WithoutBodyRuns)?;
        let edge = &automaton.edges[id];
        let mut updates = Updates::new();
        for register in self.registers(callee) {
            self.forget(&mut updates, ScalarVariable::Register(callee, register));
        }
        if let Some(target) = edge.instruction.target() {
            let result = self.program().functions[callee].result;
            let kind = self.memory.kind(self.type_of(function, target));
            let value = match result {
                Some(result) => self.operand(callee, Operand::Register(result), kind)?,
                None => return Err(RefineGap::AnyValue.into()),
            };
            if self.is_live(function, edge.to, target) {
                self.set_variable(&mut updates, ScalarVariable::Register(function, target), &value);
            }
        }
        draft.going_on.push((Formula::TRUE, vec![Change { updates, ..Change::default() }]));
        Ok(draft)
    }
}
