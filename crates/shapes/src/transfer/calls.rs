//! Calls: of functions without a body, into functions and back.

use super::{Change, Draft, Number, Problem, Scalar, Transfer, Updates, v};
use crate::memory::{ScalarKind, ScalarVariable};
use heapwise_engine::reason::{CallGap, LibraryGap, RefineGap};
use heapwise_engine::{GapReason, Kind};
use heapwise_ir::format::{PrintArgument, PrintMisfit, Scanned, arguments_printed, scan_conversions};
use heapwise_ir::{
    Edge, EdgeId, ExternEffects, ExternResult, FormatLanguage, Function, FunctionId, GlobalId, Initializer,
    Instruction, MemoryEffect, Mutability, NullArgument, Operand, RegisterId, Type,
};
use heapwise_logic::Formula;
use heapwise_tvl::vocabulary::Definition;

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
        let ends_at_nul = effects.format.is_some() || !arguments.iter().any(|it| self.is_number(function, *it));
        for (index, argument) in arguments.iter().enumerate() {
            match argument {
                Operand::Global(global) if ends_at_nul && self.literal(*global).is_some() => {}
                Operand::Int(number) if self.is_pointer_parameter(called, index) => {
                    let dereference = effects.dereferences.iter().find(|it| it.parameter as usize == index);
                    let null = dereference.map_or(NullArgument::Allowed, |dereference| dereference.null);
                    match (number, null) {
                        (0, NullArgument::Allowed) => {}
                        (0, NullArgument::Error) => self.is_null(draft),
                        // What lies there is not known.
                        (_, NullArgument::Allowed | NullArgument::Error) => return Err(RefineGap::HandedOver.into()),
                    }
                }
                Operand::Int(_) | Operand::Float(_) => {}
                Operand::Register(register)
                    if self.is_number(function, *argument) && !self.is_pointer_parameter(called, index) =>
                {
                    let value = self.operand(function, *argument, self.type_of(function, *register))?;
                    self.use_value(draft, &value);
                }
                Operand::Register(_) | Operand::Global(_) | Operand::Function(_) => {
                    return Err(RefineGap::HandedOver.into());
                }
            }
        }
        self.formatted(called, effects, arguments, draft)
    }

    /// What a function looks through by its format: literals only.
    fn formatted(
        &self,
        called: &Function,
        effects: &ExternEffects,
        arguments: &[Operand],
        draft: &mut Draft,
    ) -> Result<(), GapReason> {
        let Some(format) = effects.format else { return Ok(()) };
        let gap = |gap| GapReason::library(&called.name, gap);
        let text = match arguments.get(format.parameter as usize) {
            Some(Operand::Global(global)) => self.literal(*global),
            Some(Operand::Int(0)) if effects.allows_no_format() => return Ok(()),
            Some(Operand::Register(_) | Operand::Int(_) | Operand::Float(_) | Operand::Function(_)) | None => None,
        };
        let text = text.ok_or(RefineGap::HandedOver)?;
        let given = arguments.get(format.parameter as usize + 1..).unwrap_or_default();
        match format.language {
            FormatLanguage::Print => {}
            FormatLanguage::Scan => {
                let conversions = scan_conversions(text).ok_or_else(|| gap(LibraryGap::UnknownFormat))?;
                let target = self.program().target;
                let stores = conversions.iter().any(|conversion| conversion.stores(target) != Scanned::Nothing);
                return if stores { Err(RefineGap::HandedOver.into()) } else { Ok(()) };
            }
            FormatLanguage::PrintList => return Err(gap(LibraryGap::ArgumentList)),
        }
        let printed = arguments_printed(text, given.len()).map_err(|misfit| match misfit {
            PrintMisfit::UnknownFormat => gap(LibraryGap::UnknownFormat),
            PrintMisfit::FewArguments => gap(LibraryGap::FewArguments),
        })?;
        for (printed, operand) in printed.into_iter().zip(given) {
            match (printed, operand) {
                (PrintArgument::Value(_), _) | (PrintArgument::Text, Operand::Global(_)) => {}
                (PrintArgument::Text, Operand::Int(0)) => self.is_null(draft),
                (
                    PrintArgument::Text,
                    Operand::Int(_) | Operand::Float(_) | Operand::Register(_) | Operand::Function(_),
                ) => {
                    return Err(RefineGap::HandedOver.into());
                }
                (PrintArgument::WideText, _) => return Err(gap(LibraryGap::ReadsWideText)),
                (PrintArgument::Count, _) => return Err(gap(LibraryGap::FormatWrites)),
            }
        }
        Ok(())
    }

    /// A function looks through a null pointer.
    fn is_null(&self, draft: &mut Draft) {
        draft.failing.push((Problem::Error(Kind::NullDereference), Formula::TRUE));
    }

    /// The bytes of a text that nobody writes, if it has its end.
    fn literal(&self, global: GlobalId) -> Option<&[u8]> {
        let definition = &self.program().globals[global];
        match (&definition.initializer, definition.mutability) {
            (Initializer::Bytes(bytes), Mutability::ReadOnly) => {
                let has_end = bytes.contains(&0) || (bytes.len() as u64) < definition.size;
                has_end.then_some(bytes.as_slice())
            }
            (_, Mutability::ReadOnly | Mutability::Mutable) => None,
        }
    }

    fn is_number(&self, function: FunctionId, operand: Operand) -> bool {
        match operand {
            Operand::Int(_) | Operand::Float(_) => true,
            Operand::Register(register) => self.memory.kind(self.type_of(function, register)) == ScalarKind::Number,
            Operand::Global(_) | Operand::Function(_) => false,
        }
    }

    fn is_pointer_parameter(&self, called: &Function, index: usize) -> bool {
        let parameter = called.parameters.get(index);
        parameter.is_some_and(|it| matches!(self.program().ty(called.registers[*it].ty), Type::Pointer(_)))
    }

    pub(super) fn result(
        &self,
        function: FunctionId,
        target: RegisterId,
        effects: &ExternEffects,
    ) -> Result<Scalar, GapReason> {
        let ty = self.type_of(function, target);
        let (kind, int) = (self.memory.kind(ty), self.memory.int(ty));
        if kind == ScalarKind::Pointer || effects.result != ExternResult::Any {
            return Err(RefineGap::HandedOver.into());
        }
        Ok(self.computed(kind, int, Number::any(int)))
    }

    pub(super) fn enter(&self, function: FunctionId, edge: EdgeId, callee: FunctionId) -> Result<Draft, GapReason> {
        let mut draft = Draft::default();
        let automaton = self.automaton(function).ok_or(CallGap::WithoutBodyRuns)?;
        let edge = &automaton.edges[edge];
        let Instruction::Call { arguments, callee: called, .. } = &edge.instruction else {
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
        let entry = self.automaton(callee).map(|automaton| automaton.entry).ok_or(CallGap::WithoutBodyRuns)?;
        let mut passed: Vec<(ScalarVariable, Scalar)> = Vec::new();
        for (parameter, argument) in inner.parameters.iter().zip(arguments) {
            let value = self.operand(function, *argument, inner.registers[*parameter].ty)?;
            if self.is_live(callee, entry, *parameter) {
                let parameter = ScalarVariable::Register(callee, *parameter);
                self.set_variable(&mut updates, parameter, &value);
                // Two parameters are written at once.
                for (other, earlier) in &passed {
                    if let Some(predicate) = self.same_variables(parameter, *other) {
                        let formula = self.same(&value, earlier);
                        updates.insert(predicate, Definition { params: Vec::new(), formula });
                    }
                }
                passed.push((parameter, value));
            }
        }
        for register in self.registers(callee) {
            if !inner.parameters.contains(&register) && self.is_live(callee, entry, register) {
                let register = ScalarVariable::Register(callee, register);
                let never = self.never_written(self.memory.variable_kind(register), self.memory.variable_int(register));
                self.set_variable(&mut updates, register, &never);
            }
        }
        for register in self.registers(function) {
            if !self.is_kept_by_caller(function, edge, register) {
                self.forget(&mut updates, ScalarVariable::Register(function, register));
            }
        }
        draft.going_on.push((Formula::TRUE, vec![Change { updates, ..Change::default() }]));
        Ok(draft)
    }

    /// Whether what a register of the caller holds matters during a call. What the result is written over holds its cell until then.
    fn is_kept_by_caller(&self, function: FunctionId, edge: &Edge, register: RegisterId) -> bool {
        self.relevance.matters_during(function, edge, register)
            && (edge.instruction.target() != Some(register)
                || self.memory.kind(self.type_of(function, register)) == ScalarKind::Pointer)
    }

    pub(super) fn leave(&self, function: FunctionId, id: EdgeId, callee: FunctionId) -> Result<Draft, GapReason> {
        let mut draft = Draft::default();
        let automaton = self.automaton(function).ok_or(CallGap::WithoutBodyRuns)?;
        let edge = &automaton.edges[id];
        let own = self.abstraction.locals.get(&callee).map(|local| Formula::atom(*local, &[v()]));
        if let (Some(own), Some(result), true) =
            (&own, self.program().functions[callee].result, self.options.asks_for(Kind::DanglingReturn))
        {
            let result = self.variable_scalar(ScalarVariable::Register(callee, result));
            if result.kind == ScalarKind::Pointer {
                draft.focus(result.points.clone());
                let returned = Formula::exists(vec![v()], Formula::and(own.clone(), result.points));
                draft.failing.push((Problem::Error(Kind::DanglingReturn), returned));
            }
        }
        let mut updates = Updates::new();
        if let Some(target) = edge.instruction.target() {
            let result = self.program().functions[callee].result;
            let value = match result {
                Some(result) => self.operand(callee, Operand::Register(result), self.type_of(function, target))?,
                None => return Err(RefineGap::AnyValue.into()),
            };
            let variable = ScalarVariable::Register(function, target);
            if self.is_live(function, edge.to, target) {
                self.set_variable(&mut updates, variable, &value);
            } else {
                self.forget(&mut updates, variable);
            }
        }
        for register in self.registers(callee) {
            self.forget(&mut updates, ScalarVariable::Register(callee, register));
        }
        let back = Change { updates, ..Change::default() };
        // The locals of the function end.
        let changes = match own {
            Some(own) => vec![back, self.freed(&own)],
            None => vec![back],
        };
        draft.going_on.push((Formula::TRUE, changes));
        Ok(draft)
    }
}
