//! Calls: by flows within a graph, by bindings between graphs, by their effects where there is no body.

use crate::generate::{Binding, Generator, Group, small};
use crate::nodes::NodeKey;
use crate::offsets::Range;
use crate::solver::{CopyConstraint, IndirectCall, Move, Use};
use crate::{Access, AccessKind};
use heapwise_ir::{
    Body, Callback, CallbackArgument, Callee, ExternEffects, ExternResult, Format, FormatLanguage, FunctionId,
    Instruction, MemoryEffect, Operand, RegisterId,
};
use std::sync::Arc;

impl Generator<'_> {
    pub(crate) fn call(&mut self, target: Option<RegisterId>, callee: Callee, arguments: &[Operand]) {
        let site = self.site;
        let target = target.map(|target| self.register(site.function, target));
        let arguments: Vec<Option<NodeKey>> = arguments.iter().map(|operand| self.operand(*operand)).collect();
        match callee {
            Callee::Direct(callee) => {
                self.is_named[callee] = true;
                self.call_function(callee, &arguments, target);
                self.note_call(callee);
            }
            Callee::Indirect(Operand::Function(callee)) => {
                self.indirect.push((site, None, Some(callee)));
                self.call_function(callee, &arguments, target);
                self.note_call(callee);
            }
            Callee::Indirect(pointer) => {
                let pointer = self.operand(pointer);
                self.call_pointer(pointer, arguments, target);
            }
        }
    }

    /// A call of what a pointer names, at the site at hand.
    fn call_pointer(&mut self, pointer: Option<NodeKey>, arguments: Vec<Option<NodeKey>>, target: Option<NodeKey>) {
        let site = self.site;
        self.indirect.push((site, pointer, None));
        let Some(pointer) = pointer else {
            // An address that is a number: nobody is there, or nothing is known of who is.
            return self.call_anybody(&arguments, target);
        };
        let known = self.known_targets.as_ref().and_then(|known| known.get(site));
        match known.map(|known| (known.together, known.is_unknown)) {
            Some((together, is_unknown)) => {
                match together {
                    Some(group) => self.call_group(group, &arguments, target),
                    None => {
                        let functions = known.map_or_else(Arc::default, |known| Arc::clone(&known.functions));
                        for function in functions.iter() {
                            self.call_function(*function, &arguments, target);
                        }
                    }
                }
                if is_unknown {
                    self.call_anybody(&arguments, target);
                }
            }
            None => {
                let call = self.solver.calls.len() as u32;
                self.solver.calls.push(IndirectCall { arguments, target, is_tied: false });
                self.solver.add_use(pointer, Use::Call(call));
            }
        }
    }

    /// A function without a body calls one that it is given, and moves bytes within an object.
    fn call_back(&mut self, callback: &Callback, arguments: &[Option<NodeKey>]) {
        let site = self.site;
        let argument = |position: u32| arguments.get(position as usize).copied().flatten();
        let inside = |generator: &mut Self, position: u32| {
            let anywhere = Move::Index { by: Range::anywhere(0, 1), unit: 1 };
            argument(position).map(|address| generator.solver.moved(address, anywhere))
        };
        if let Some(place) = callback.rearranges.and_then(|position| inside(self, position)) {
            for kind in [AccessKind::Read, AccessKind::Write] {
                self.accesses.push(Access { site, kind, address: Some(place), size: None });
            }
            self.solver.copy(CopyConstraint { from: place, to: place, bytes: None, site });
        }
        let given = callback.arguments.iter().map(|given| match given {
            CallbackArgument::Parameter(position) => argument(*position),
            CallbackArgument::Into(position) => inside(self, *position),
            CallbackArgument::Other => None,
        });
        let given: Vec<Option<NodeKey>> = given.collect();
        self.call_pointer(argument(callback.function), given, None);
    }

    /// What the function of the call at hand calls back. One that is itself called through a pointer does anything: whom the
    /// call reaches and whom that calls back would be one list.
    fn callback_of<'e>(&self, callee: FunctionId, effects: &'e ExternEffects) -> Option<&'e Callback> {
        let callback = effects.callback.as_deref()?;
        match self.site.instruction(self.program) {
            Some(Instruction::Call { callee: Callee::Direct(called), .. }) if *called == callee => Some(callback),
            _ => None,
        }
    }

    fn note_call(&mut self, callee: FunctionId) {
        if matches!(self.program.functions[callee].body, Body::Defined(_)) {
            self.direct.push((self.site, callee));
        }
    }

    /// A call of nobody knows whom.
    fn call_anybody(&mut self, arguments: &[Option<NodeKey>], target: Option<NodeKey>) {
        arguments.iter().flatten().for_each(|argument| self.solver.hand_out_value(*argument));
        target.into_iter().for_each(|target| self.solver.mark_unknown(target));
    }

    /// A call of functions that are called together.
    fn call_group(&mut self, group: Group, arguments: &[Option<NodeKey>], target: Option<NodeKey>) {
        let (callee, signature) = self.groups[group.0].clone();
        if signature.rest_escapes {
            let rest = arguments.iter().skip(signature.parameters.len()).flatten();
            rest.for_each(|argument| self.solver.hand_out_value(*argument));
        }
        self.call_mapped(callee, &signature.parameters, signature.result, arguments, target);
    }

    fn call_function(&mut self, callee: FunctionId, arguments: &[Option<NodeKey>], target: Option<NodeKey>) {
        let function = &self.program.functions[callee];
        match &function.body {
            Body::Extern(_) => self.effects(callee, arguments, target),
            Body::Defined(_) => {
                let parameters: Vec<NodeKey> =
                    function.parameters.iter().map(|parameter| self.register(callee, *parameter)).collect();
                let result = function.result.map(|result| self.register(callee, result));
                self.call_mapped(callee, &parameters, result, arguments, target);
            }
        }
    }

    /// Arguments go to parameters and the result comes back: by flows within a graph, by a map between two.
    fn call_mapped(
        &mut self,
        callee: FunctionId,
        parameters: &[NodeKey],
        result: Option<NodeKey>,
        arguments: &[Option<NodeKey>],
        target: Option<NodeKey>,
    ) {
        if self.graph_of[callee] != self.graph_of[self.site.function] {
            let (parameters, arguments) = (parameters.to_vec(), arguments.to_vec());
            return self.bindings.push(Binding { site: self.site, callee, parameters, result, arguments, target });
        }
        for (parameter, argument) in parameters.iter().zip(arguments) {
            if let Some(argument) = argument {
                self.solver.flow(*argument, *parameter, Move::STILL);
            }
        }
        if let (Some(result), Some(target)) = (result, target) {
            self.solver.flow(result, target, Move::STILL);
        }
    }

    /// What a function without a body does, as its model has it; without a model, everything.
    pub(crate) fn effects(&mut self, callee: FunctionId, arguments: &[Option<NodeKey>], target: Option<NodeKey>) {
        let function = &self.program.functions[callee];
        let Body::Extern(effects) = &function.body else { return };
        let site = self.site;
        let argument = |position: u32| arguments.get(position as usize).copied().flatten();
        let wide = function.result.is_some_and(|result| {
            self.program.size_of(function.registers[result].ty).is_some_and(|size| size >= self.solver.pointer_bytes())
        });
        let callback = self.callback_of(callee, effects);
        if let Some(callback) = callback {
            self.call_back(callback, arguments);
        } else if !effects.modelled {
            arguments.iter().flatten().for_each(|argument| self.solver.hand_out_value(*argument));
            target.into_iter().for_each(|target| self.solver.mark_unknown(target));
            self.accesses.push(Access { site, kind: AccessKind::Anything, address: None, size: None });
            return;
        }
        for dereference in &effects.dereferences {
            let address = argument(dereference.parameter);
            self.accesses.push(Access { site, kind: AccessKind::Read, address, size: None });
        }
        if let Some(format) = effects.format {
            for address in arguments.iter().skip(format.parameter as usize + 1) {
                self.accesses.push(Access { site, kind: AccessKind::Read, address: *address, size: None });
                self.accesses.push(Access { site, kind: AccessKind::Write, address: *address, size: None });
                // `%ms` stores a pointer to a fresh string.
                if let (FormatLanguage::Scan, Some(address)) = (format.language, address) {
                    self.solver.add_use_anything(*address, None);
                }
            }
        }
        if let Some(Format { parameter, language: FormatLanguage::PrintList }) = effects.format {
            self.walk_list(argument(parameter + 1));
        }
        for parameter in &effects.takes_ownership {
            // It is kept, and may be given to who knows whom.
            argument(*parameter).into_iter().for_each(|argument| self.solver.hand_out_value(argument));
        }
        match &effects.memory {
            MemoryEffect::Pure => {}
            MemoryEffect::Writes(parameters) => {
                for parameter in parameters {
                    let address = argument(*parameter);
                    self.accesses.push(Access { site, kind: AccessKind::Write, address, size: None });
                }
            }
            MemoryEffect::StoresPointer { through, into } => {
                let (through, into) = (argument(*through), argument(*into));
                let size = self.solver.pointer_bytes();
                self.accesses.push(Access { site, kind: AccessKind::Write, address: through, size: Some(size) });
                if let (Some(through), Some(into)) = (through, into) {
                    let inside = self.solver.moved(into, Move::Index { by: Range::anywhere(0, 1), unit: 1 });
                    self.solver.add_use(through, Use::Store { from: Some(inside), size: small(size), site });
                }
            }
            MemoryEffect::Unknown if callback.is_some() => {}
            MemoryEffect::Unknown => {
                arguments.iter().flatten().for_each(|argument| self.solver.hand_out_value(*argument));
                self.accesses.push(Access { site, kind: AccessKind::Anything, address: None, size: None });
            }
        }
        let Some(target) = target else { return };
        match effects.result {
            ExternResult::Any => {
                if wide {
                    self.solver.mark_unknown(target);
                }
            }
            ExternResult::Argument(position) => {
                if let Some(argument) = argument(position) {
                    self.solver.flow(argument, target, Move::STILL);
                }
            }
            ExternResult::IntoArgument { argument: position, .. } => {
                if let Some(argument) = argument(position) {
                    self.solver.flow(argument, target, Move::Index { by: Range::anywhere(0, 1), unit: 1 });
                }
            }
            ExternResult::Library { .. } => {
                let library = self.library_of_call();
                self.solver.flow(library, target, Move::STILL);
            }
        }
    }

    /// A `va_list` that is handed to the library points further on afterwards.
    fn walk_list(&mut self, list: Option<NodeKey>) {
        let Some(list) = list else { return };
        let (site, size) = (self.site, self.solver.pointer_bytes());
        // Where the lists of the System V ABI keep their place, and where plain pointers do.
        for offset in [0, 8] {
            let cursor = self.solver.moved(list, Move::Add(Range::exact(offset)));
            let place = self.solver.new_node();
            self.solver.add_use(cursor, Use::Load { into: place, size: small(size), site });
            let next = self.solver.moved(place, Move::Add(Range::anywhere(0, size)));
            self.solver.add_use(cursor, Use::Store { from: Some(next), size: small(size), site });
        }
    }
}
