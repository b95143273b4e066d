//! Bodies for library functions whose address is taken: a call through the pointer must do what the model says.

use crate::adapter::{DeclId, VaList};
use crate::functions::empty_lowering;
use crate::library::LibraryCall;
use crate::link::Linker;
use crate::lowering::Lowering;
use crate::places::pointed;
use crate::scopes::Until;
use crate::unit::UnitContext;
use heapwise_ir::{
    Body, Callee, Construct, ExternEffects, Function, FunctionId, Instruction, MemoryEffect, Operand, Place, Register,
    RegisterId, RegisterOrigin, Span, Step, Termination, Type, TypeId as IrTypeId,
};
use heapwise_models::{CallParts, Effect};

/// No program has this name.
const EXIT_STATUS: &str = "exit@main";

/// The function to point to for a library function: itself where a call through the pointer is the same call, else a body
/// made from its model.
pub(crate) fn function_to_point_to(link: &mut Linker<'_>, unit: &mut UnitContext<'_>, decl: DeclId) -> FunctionId {
    let plain = unit.function(link, decl);
    if let Some(&made) = link.synthesized.get(&plain) {
        return made;
    }
    let entry = &link.program.functions[plain];
    let effects_stay = matches!(entry.body, Body::Extern(_));
    let name = unit.name(decl).to_owned();
    let library = crate::adapter::library_name(&name).unwrap_or(&name).to_owned();
    let model = link.models.get(&library);
    let effect = model.map(|model| model.effect.clone());
    let parts = model.map(|model| model.parts.clone()).unwrap_or_default();
    let needs_body = match &effect {
        Some(Effect::Extern(_)) | None => entry.variadic || parts != CallParts::default(),
        Some(_) => true,
    };
    if !effects_stay || !needs_body {
        return plain;
    }
    let variadic = entry.variadic;
    let span = entry.span;
    let parameters: Vec<IrTypeId> = entry.parameters.iter().map(|&parameter| entry.registers[parameter].ty).collect();
    let result = entry.result.map(|result| entry.registers[result].ty);
    let mut lowering = empty_lowering(link, unit);
    let mut registers: Vec<RegisterId> = Vec::new();
    lowering.result = result.map(|ty| lowering.named_register("$result", ty, RegisterOrigin::Temporary));
    for (index, &ty) in parameters.iter().enumerate() {
        registers.push(lowering.named_register(&format!("${index}"), ty, RegisterOrigin::Temporary));
    }
    if variadic {
        let void = lowering.intern(Type::Void);
        let ty = lowering.pointer_to(void);
        registers.push(lowering.named_register("$arguments", ty, RegisterOrigin::Temporary));
    }
    lowering.span = span;
    let goes_on = match effect {
        Some(Effect::Extern(_)) if !variadic => {
            let values = registers.iter().map(|&parameter| Operand::Register(parameter)).collect();
            lowering.call_with_parts(&parts, plain, values, lowering.result);
            true
        }
        Some(effect) if !variadic => lowering.modelled_body(&effect, &registers, result),
        _ => lowering.variadic_body(&library, &registers, result),
    };
    if goes_on {
        let exit = lowering.automaton.exit;
        lowering.span = Span::NONE;
        lowering.jump(exit);
    }
    let Lowering { automaton, registers: all, result: result_register, .. } = lowering;
    let automaton = crate::cleanup::tidy(&automaton, &[]);
    let unique = link.unique_name(&format!("{name}@pointer"), "");
    let made = link.program.functions.push(Function {
        name: unique,
        span,
        registers: all,
        parameters: registers,
        result: result_register,
        variadic,
        address_taken: false,
        body: Body::Defined(automaton),
    });
    link.synthesized.insert(plain, made);
    made
}

impl Lowering<'_, '_, '_> {
    /// The effect of a model on the parameters; whether control comes back.
    fn modelled_body(&mut self, effect: &Effect, parameters: &[RegisterId], result: Option<IrTypeId>) -> bool {
        let void = self.intern(Type::Void);
        let values = parameters.iter().map(|&parameter| Operand::Register(parameter)).collect();
        let call = LibraryCall { result_type: result.unwrap_or(void), texts: &[], values, view: None };
        let value = self.library_effect(&call, effect, self.result);
        if self.result.is_some() {
            self.deliver(value, self.result);
        }
        *effect != Effect::AssertionFailure
    }

    /// A variadic function is called with a pointer to its arguments: its sibling that takes a `va_list` does the rest.
    fn variadic_body(&mut self, library: &str, parameters: &[RegisterId], result: Option<IrTypeId>) -> bool {
        let sibling = format!("v{library}");
        let effects: Option<ExternEffects> = self.link.effects_of(&sibling);
        let (Some(effects), Some((&arguments, named))) = (effects, parameters.split_last()) else {
            self.unsupported(Construct::VariadicThroughPointer { function: library.to_owned() });
            return false;
        };
        // i386 hands the pointer on as it is.
        let has_record = self.source.target.va_list == Some(VaList::SysV);
        let list = if has_record { self.variable_list(arguments) } else { arguments };
        let callee = self.sibling(&sibling, named, list, result, effects.clone());
        let mut values: Vec<Operand> = named.iter().map(|&parameter| Operand::Register(parameter)).collect();
        values.push(Operand::Register(list));
        let target = self.result;
        self.emit(Instruction::Call { target, callee: Callee::Direct(callee), arguments: values });
        if has_record {
            self.emit(Instruction::End { pointer: Operand::Register(list) });
        }
        effects.termination == Termination::Returns
    }

    /// A `va_list` that stands at the first of the arguments.
    fn variable_list(&mut self, arguments: RegisterId) -> RegisterId {
        let (ty, _) = self.list_record();
        let bytes = Operand::Int(i128::from(self.size(ty).unwrap_or(24)));
        let list = self.temporary_object(ty, bytes, Until::Operand);
        self.temporaries.clear();
        let place = self.cursor_in_record(Operand::Register(list));
        self.store(place, Operand::Register(arguments));
        list
    }

    /// The record of a `va_list`, and the type of its pointer to the next argument.
    fn list_record(&mut self) -> (IrTypeId, IrTypeId) {
        let void = self.intern(Type::Void);
        let pointer = self.pointer_to(void);
        let unsigned = self.intern(Type::Int(heapwise_ir::IntType::Unsigned(4)));
        let record = self.link.variable_list_record(unsigned, pointer);
        (self.intern(Type::Record(record)), pointer)
    }

    fn cursor_in_record(&mut self, list: Operand) -> Place {
        let (ty, pointer) = self.list_record();
        let mut place = pointed(list, ty);
        if let Type::Record(record) = *self.get(ty) {
            place.path.steps.push(Step::Field(record, crate::varargs::OVERFLOW_AREA));
        }
        place.ty = pointer;
        place
    }

    /// Where a `va_list` that is handed to a function keeps its place; none where a copy is handed over (i386).
    pub(crate) fn cursor_of(&mut self, list: Operand) -> Option<Place> {
        (self.source.target.va_list == Some(VaList::SysV)).then(|| self.cursor_in_record(list))
    }

    /// A function of the library that prints into a buffer of a size.
    pub(crate) fn printer(
        &mut self,
        name: &str,
        types: [IrTypeId; 3],
        result: IrTypeId,
        effects: ExternEffects,
    ) -> FunctionId {
        if let Some(known) = self.link.known_function(name) {
            return known;
        }
        let mut registers = heapwise_ir::entity::PrimaryMap::new();
        let mut register = |name: String, ty| registers.push(Register { name, ty, origin: RegisterOrigin::Temporary });
        let parameters = types.iter().enumerate().map(|(index, &ty)| register(format!("${index}"), ty)).collect();
        let result = Some(register("$result".to_owned(), result));
        self.link.external_function(name, |_| Function {
            name: name.to_owned(),
            span: Span::NONE,
            registers,
            parameters,
            result,
            variadic: true,
            address_taken: false,
            body: Body::Extern(effects),
        })
    }

    /// Who is handed what `main` returns: looks at it and does nothing.
    pub(crate) fn exit_status(&mut self) -> FunctionId {
        let int = self.intern(Type::Int(heapwise_ir::IntType::Signed(4)));
        self.link.external_function(EXIT_STATUS, |_| {
            let mut registers = heapwise_ir::entity::PrimaryMap::new();
            let origin = RegisterOrigin::Temporary;
            let status = registers.push(Register { name: "$status".to_owned(), ty: int, origin });
            let effects = ExternEffects { memory: MemoryEffect::Pure, modelled: true, ..ExternEffects::UNKNOWN };
            Function {
                name: EXIT_STATUS.to_owned(),
                span: Span::NONE,
                registers,
                parameters: vec![status],
                result: None,
                variadic: false,
                address_taken: false,
                body: Body::Extern(effects),
            }
        })
    }

    /// A function of the library that the lowering itself calls: it looks at its arguments, and gives a number.
    pub(crate) fn asked(
        &mut self,
        name: &str,
        parameter: Option<IrTypeId>,
        result: IrTypeId,
        effects: ExternEffects,
    ) -> FunctionId {
        self.link.external_function(name, |_| {
            let origin = RegisterOrigin::Temporary;
            let mut registers = heapwise_ir::entity::PrimaryMap::new();
            let parameter = parameter.map(|ty| registers.push(Register { name: "$argument".to_owned(), ty, origin }));
            let result = registers.push(Register { name: "$result".to_owned(), ty: result, origin });
            Function {
                name: name.to_owned(),
                span: Span::NONE,
                registers,
                parameters: parameter.into_iter().collect(),
                result: Some(result),
                variadic: false,
                address_taken: false,
                body: Body::Extern(effects),
            }
        })
    }

    fn sibling(
        &mut self,
        name: &str,
        named: &[RegisterId],
        list: RegisterId,
        result: Option<IrTypeId>,
        effects: ExternEffects,
    ) -> FunctionId {
        if let Some(known) = self.link.known_function(name) {
            return known;
        }
        let mut registers = heapwise_ir::entity::PrimaryMap::new();
        let types: Vec<IrTypeId> = named.iter().chain([&list]).map(|&register| self.registers[register].ty).collect();
        let mut register = |name: String, ty| registers.push(Register { name, ty, origin: RegisterOrigin::Temporary });
        let parameters = types.iter().enumerate().map(|(index, &ty)| register(format!("${index}"), ty)).collect();
        let result = result.map(|ty| register("$result".to_owned(), ty));
        self.link.external_function(name, |_| Function {
            name: name.to_owned(),
            span: Span::NONE,
            registers,
            parameters,
            result,
            variadic: false,
            address_taken: false,
            body: Body::Extern(effects),
        })
    }
}
