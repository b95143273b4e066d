//! Functions: registers, locations, edges.

use super::Verifier;
use crate::function::{
    Automaton, Body, Callback, CallbackArgument, DescriptorPart, ExternEffects, ExternResult, Function, Length,
    MemoryEffect, RangeEnd, RegisterOrigin, ResultRange, ResultStorage, Termination,
};
use crate::ids::{EdgeId, FunctionId, LocationId};
use crate::instruction::{Callee, Condition, Instruction};
use cranelift_entity::EntitySet;

impl<'p> Verifier<'p> {
    pub(super) fn function(&mut self, id: FunctionId, function: &'p Function) {
        self.function = Some((id, function));
        self.span(function.span, "the function");
        self.unique("register", function.registers.values().map(|register| register.name.as_str()));
        for register in function.registers.values() {
            let what = format!("`{}`", register.name);
            match register.origin {
                RegisterOrigin::Variable(span) | RegisterOrigin::AddressOfLocal(span) => self.span(span, &what),
                RegisterOrigin::Temporary => {}
            }
            if self.type_exists(register.ty, &what) && !self.is_scalar(register.ty) {
                self.problem(format!("{what} is of type {}, which is no scalar", self.name(register.ty)));
            }
        }
        let mut seen: EntitySet<_> = EntitySet::new();
        for parameter in &function.parameters {
            if !function.registers.is_valid(*parameter) {
                self.problem(format!("the parameter {parameter} does not exist"));
            } else if !seen.insert(*parameter) {
                self.problem(format!("`{}` is two parameters", function.registers[*parameter].name));
            }
        }
        if let Some(result) = function.result
            && !function.registers.is_valid(result)
        {
            self.problem(format!("the result {result} does not exist"));
        }
        match &function.body {
            Body::Defined(automaton) => self.automaton(function, automaton),
            Body::Extern(effects) => self.effects(function, effects),
        }
        self.function = None;
    }

    fn effects(&mut self, function: &Function, effects: &ExternEffects) {
        let mut positions: Vec<u32> = effects.takes_ownership.clone();
        match &effects.memory {
            MemoryEffect::Pure | MemoryEffect::Unknown => {}
            MemoryEffect::Writes(parameters) => positions.extend(parameters),
            MemoryEffect::StoresPointer { through, into } => positions.extend([*through, *into]),
        }
        positions.extend(effects.dereferences.iter().map(|dereference| dereference.parameter));
        positions.extend(effects.reads_first.iter().map(|read| read.parameter));
        positions.extend(effects.format.map(|format| format.parameter));
        match effects.result {
            ExternResult::Any | ExternResult::Library { .. } => {}
            ExternResult::Argument(argument) | ExternResult::IntoArgument { argument, .. } => positions.push(argument),
        }
        if let Some(ResultRange { high: RangeEnd::Argument(argument), .. }) = effects.range {
            positions.push(argument);
        }
        positions.extend(effects.certain.map(|certain| certain.parameter));
        if let Some(ResultStorage::OfArgument(argument)) = effects.storage {
            positions.push(argument);
        }
        if let Some(callback) = &effects.callback {
            let Callback { function, arguments, rearranges, elements } = callback.as_ref();
            positions.push(*function);
            positions.extend(rearranges);
            positions.extend(elements.iter().flat_map(|elements| [elements.count, elements.size]));
            positions.extend(arguments.iter().filter_map(|argument| match argument {
                CallbackArgument::Parameter(parameter) | CallbackArgument::Into(parameter) => Some(*parameter),
                CallbackArgument::Other => None,
            }));
            if effects.memory != MemoryEffect::Unknown {
                self.problem("it calls back, and says what it does to memory besides".to_owned());
            }
        }
        if let Some(DescriptorPart::Closes(argument)) = effects.descriptor {
            positions.push(argument);
        }
        positions.extend(effects.dereferences.iter().filter_map(|dereference| match dereference.length {
            Length::ByType | Length::Constant(_) => None,
            Length::Argument(told) | Length::Behind(told) => Some(told),
        }));
        for position in positions {
            // Arguments of a variadic function may be spoken of too.
            if position as usize >= function.parameters.len() && !function.variadic {
                self.problem(format!(
                    "its effects speak of parameter {position}, but it has {}",
                    function.parameters.len()
                ));
            }
        }
    }

    fn automaton(&mut self, function: &'p Function, automaton: &'p Automaton) {
        if !self.shape(automaton) {
            return;
        }
        for (id, edge) in &automaton.edges {
            self.edge = Some(id);
            self.span(edge.span, "the edge");
            self.instruction(function, &edge.instruction);
            self.edge = None;
        }
        self.dead_ends(automaton);
    }

    /// Whether entry, exit, edges and outgoing lists agree.
    fn shape(&mut self, automaton: &Automaton) -> bool {
        let before = self.problems.len();
        for (what, location) in [("entry", automaton.entry), ("exit", automaton.exit)] {
            if !automaton.outgoing.is_valid(location) {
                self.problem(format!("the {what} {location} does not exist"));
            }
        }
        for (id, edge) in &automaton.edges {
            self.edge = Some(id);
            for location in [edge.from, edge.to] {
                if !automaton.outgoing.is_valid(location) {
                    self.problem(format!("{location} does not exist"));
                }
            }
            self.edge = None;
        }
        let mut listed = 0;
        for (location, edges) in &automaton.outgoing {
            listed += edges.len();
            let of_here = |edge: &EdgeId| automaton.edges.get(*edge).is_some_and(|edge| edge.from == location);
            if !edges.iter().all(of_here) || !edges.is_sorted_by(|left, right| left < right) {
                self.problem(format!("the outgoing edges of {location} are not its own, in order"));
            }
        }
        if listed != automaton.edges.len() {
            self.problem("some edges are not listed as outgoing");
        }
        if automaton.outgoing.get(automaton.exit).is_some_and(|edges| !edges.is_empty()) {
            self.problem(format!("the exit {} has outgoing edges", automaton.exit));
        }
        self.problems.len() == before
    }

    /// A location that is reached and not left must be one where the run is over.
    fn dead_ends(&mut self, automaton: &Automaton) {
        let mut reached: EntitySet<LocationId> = EntitySet::with_capacity(automaton.n_locations());
        let mut stack = vec![automaton.entry];
        reached.insert(automaton.entry);
        while let Some(location) = stack.pop() {
            for edge in &automaton.outgoing[location] {
                let to = automaton.edges[*edge].to;
                if reached.insert(to) {
                    stack.push(to);
                }
            }
        }
        if automaton.outgoing[automaton.entry].is_empty() && automaton.entry != automaton.exit {
            self.problem(format!("the entry {} has no outgoing edge", automaton.entry));
        }
        for (id, edge) in &automaton.edges {
            let dead_end = edge.to != automaton.exit && automaton.outgoing[edge.to].is_empty();
            if dead_end && reached.contains(edge.from) && !self.ends_the_run(&edge.instruction) {
                self.edge = Some(id);
                self.problem(format!("{} has no outgoing edge, but the run is not over there", edge.to));
                self.edge = None;
            }
        }
    }

    fn ends_the_run(&self, instruction: &Instruction) -> bool {
        match instruction {
            Instruction::Assume(condition) | Instruction::Assert(condition) => *condition == Condition::False,
            Instruction::Unsupported(_) => true,
            Instruction::Call { callee: Callee::Direct(callee), .. } => match self.program.functions.get(*callee) {
                Some(Function { body: Body::Extern(effects), .. }) => effects.termination != Termination::Returns,
                // One that is defined may loop, or end the program itself.
                Some(Function { body: Body::Defined(_), .. }) | None => true,
            },
            Instruction::Call { callee: Callee::Indirect(_), .. } => true,
            Instruction::Assign { .. }
            | Instruction::Load { .. }
            | Instruction::Store { .. }
            | Instruction::Copy { .. }
            | Instruction::Alloc { .. }
            | Instruction::Free { .. }
            | Instruction::End { .. } => false,
        }
    }
}
