//! Calls: whom they reach, and what models say.

use super::build::{Builder, number_of};
use super::{Argument, Call, ExternCall, Operation, UnknownCall};
use crate::number::Number;
use heapwise_ir::{
    Body, Callee, EdgeId, Expression, ExternEffects, ExternResult, FunctionId, IndirectTargets, Instruction, MayCall,
    MemoryEffect, Operand, RangeEnd, RegisterId, RegisterOrigin,
};

impl Builder<'_, '_> {
    pub(super) fn call(
        &mut self,
        edge: EdgeId,
        target: Option<RegisterId>,
        callee: Callee,
        arguments: &[Operand],
    ) -> Operation {
        let program = self.memory.program;
        let mut call = Call {
            target,
            arguments: arguments
                .iter()
                .map(|operand| Argument { register: operand.register(), number: self.argument_number(*operand) })
                .collect(),
            callees: Vec::new(),
            externs: Vec::new(),
            unknown: None,
            frees: Vec::new(),
        };
        let functions: Vec<FunctionId> = match callee {
            Callee::Direct(callee) | Callee::Indirect(Operand::Function(callee)) => vec![callee],
            Callee::Indirect(_) => match self.memory.targets.targets(self.function, edge) {
                MayCall::These(callees) => callees.to_vec(),
                MayCall::AnyAddressTaken => {
                    call.unknown = Some(UnknownCall::Pointer);
                    let site = heapwise_pointsto::Site { function: self.function, edge };
                    self.memory.pointsto.targets(site).functions.to_vec()
                }
            },
        };
        for function in functions {
            if let Callee::Indirect(pointer) = callee
                && !program.is_callable_through(&program.functions[self.function], pointer, target, function)
            {
                call.unknown = Some(UnknownCall::Pointer);
                continue;
            }
            match &program.functions[function].body {
                Body::Defined(_) => call.callees.push(function),
                Body::Extern(effects) if effects.modelled && effects.memory != MemoryEffect::Unknown => {
                    let found = self.extern_call(function, effects, arguments);
                    call.externs.push(found);
                }
                Body::Extern(_) => call.unknown = Some(UnknownCall::WithoutModel(function)),
            }
        }
        Operation::Call(Box::new(call))
    }

    /// What is known of an argument whatever the configuration: the address of a local or global is not null.
    pub(super) fn argument_number(&self, operand: Operand) -> Number {
        match operand.register() {
            Some(register) if self.is_address(register) => Number::NONZERO,
            _ => number_of(operand),
        }
    }

    /// Whether a register holds the address of a local or global, or of a part of one: it is assigned once, and so.
    pub(super) fn is_address(&self, register: RegisterId) -> bool {
        let function = &self.memory.program.functions[self.function];
        match function.registers[register].origin {
            RegisterOrigin::AddressOfLocal(_) => return true,
            RegisterOrigin::Temporary => {}
            RegisterOrigin::Variable(_) => return false,
        }
        let Body::Defined(automaton) = &function.body else { return false };
        let mut assigned = automaton.edges.values().filter_map(|edge| match &edge.instruction {
            Instruction::Assign { target, value } if *target == register => Some(Some(value)),
            other => (other.target() == Some(register)).then_some(None),
        });
        let base = match (assigned.next(), assigned.next()) {
            (Some(Some(Expression::Operand(base) | Expression::AddPath { base, .. })), None) => *base,
            (Some(Some(Expression::Convert { value, from, to })), None)
                if self.is_pointer_sized(*from) && self.is_pointer_sized(*to) =>
            {
                *value
            }
            _ => return false,
        };
        match base {
            Operand::Global(_) => true,
            Operand::Register(base) => base != register && self.is_address(base),
            Operand::Int(_) | Operand::Float(_) | Operand::Function(_) => false,
        }
    }

    pub(super) fn extern_call(
        &mut self,
        function: FunctionId,
        effects: &ExternEffects,
        arguments: &[Operand],
    ) -> ExternCall {
        let argument = |position: u32| arguments.get(position as usize).copied();
        let register = |position: u32| argument(position).and_then(Operand::register);
        let mut overwrites = Vec::new();
        let mut writes = Vec::new();
        let mut stores = None;
        match &effects.memory {
            MemoryEffect::Pure | MemoryEffect::Unknown => {}
            MemoryEffect::Writes(parameters) => {
                for operand in parameters.iter().filter_map(|position| argument(*position)) {
                    writes.extend(operand.register());
                    if let Some(region) = self.memory.operand(self.function, operand).region {
                        let cells = self.memory.of_region(region);
                        overwrites.extend(cells.filter(|cell| self.memory.cells[*cell].holds_pointer));
                    }
                }
            }
            MemoryEffect::StoresPointer { through, into } => {
                if let Some(operand) = argument(*through) {
                    let is_null = matches!(operand, Operand::Int(0));
                    if !is_null {
                        stores = Some((self.at(operand, 0), register(*into)));
                    }
                }
            }
        }
        let n_named = self.memory.program.functions[function].parameters.len();
        let may_look_through = match effects.format {
            Some(_) => arguments.iter().skip(n_named).filter_map(|operand| operand.register()).collect(),
            None => Vec::new(),
        };
        let (result, result_may_be_null) = match effects.result {
            ExternResult::Argument(position) => (register(position), false),
            ExternResult::IntoArgument { argument, null } => {
                (register(argument), null == heapwise_ir::NullResult::Possible)
            }
            ExternResult::Any | ExternResult::Library { .. } => (None, false),
        };
        let number = effects.range.map_or(Number::ANY, |range| match range.high {
            RangeEnd::Constant(high) => Number::between(range.low.into(), high.into()),
            RangeEnd::Below(_) | RangeEnd::Argument(_) => Number::between(range.low.into(), i128::MAX),
        });
        ExternCall {
            function,
            termination: effects.termination,
            looks_through: effects.dereferences.iter().filter_map(|found| register(found.parameter)).collect(),
            may_look_through,
            takes: effects.takes_ownership.iter().filter_map(|position| register(*position)).collect(),
            writes,
            overwrites,
            stores,
            result,
            result_may_be_null,
            number,
        }
    }
}
