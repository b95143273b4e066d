//! A function from its parameters to its exit.

use crate::adapter::{DeclFlags, DeclId, TypeKind};
use crate::link::Linker;
use crate::lowering::{Local, Lowering};
use crate::places::pointed;
use crate::scan::{Scan, ScopeId, scan, written_type};
use crate::unit::UnitContext;
use heapwise_ir::entity::PrimaryMap;
use heapwise_ir::{
    Automaton, Body, Construct, Expression, Failure, FunctionId, InitialContents, Instruction, Operand, RegisterId,
    RegisterOrigin, Span, Storage, Type, TypeId as IrTypeId, UnsupportedReason,
};
use rustc_hash::FxHashMap;

/// The state in which the lowering of a function starts.
pub(crate) fn empty_lowering<'a, 's, 'm>(
    link: &'a mut Linker<'m>,
    unit: &'a mut UnitContext<'s>,
) -> Lowering<'a, 's, 'm> {
    let automaton = Automaton::new();
    Lowering {
        here: automaton.entry,
        automaton,
        scan: Scan::default(),
        source: unit.source,
        link,
        unit,
        registers: PrimaryMap::new(),
        span: Span::NONE,
        locals: FxHashMap::default(),
        scope: ScopeId(0),
        temporaries: Vec::new(),
        branches: None,
        labels: FxHashMap::default(),
        cases: FxHashMap::default(),
        defaults: FxHashMap::default(),
        enclosing: Vec::new(),
        result: None,
        result_pointer: None,
        variable_arguments: None,
        vla_counts: FxHashMap::default(),
        vla_owners: FxHashMap::default(),
        shared_values: FxHashMap::default(),
        allocas: FxHashMap::default(),
        alloca_list: None,
        name_counts: FxHashMap::default(),
        is_main: false,
        is_noreturn: false,
        scope_temporaries: vec![0],
        copied_parameters: Vec::new(),
        contract: Vec::new(),
        infeasible: Vec::new(),
        view_hint: None,
    }
}

/// Lowers the body of a function.
pub(crate) fn lower_function(link: &mut Linker<'_>, unit: &mut UnitContext<'_>, decl: DeclId, function: FunctionId) {
    if link.is_defined(function) {
        return;
    }
    let source = unit.source;
    unit.static_owner = Some(unit.name(decl).to_owned());
    let is_main = unit.name(decl) == "main";
    let fault = unit.faulty.get(&decl).cloned();
    let span = unit.span(link, source.tast.definition_span(decl));
    let mut lowering = empty_lowering(link, unit);
    lowering.scan = scan(source, decl);
    lowering.span = span;
    lowering.is_main = is_main;
    lowering.is_noreturn = source.tast[decl].flags.contains(DeclFlags::NORETURN);
    let (parameters, variadic) = lowering.signature(decl);
    match fault {
        Some(message) => {
            let exit = lowering.automaton.exit;
            lowering.emit_to(exit, Instruction::Unsupported(UnsupportedReason::FrontEndError(message)));
        }
        None => lowering.body(decl),
    }
    lowering.finish_contract(function);
    let Lowering { automaton, registers, result, infeasible, .. } = lowering;
    let automaton = crate::cleanup::tidy(&automaton, &infeasible);
    let entry = &mut link.program.functions[function];
    entry.span = span;
    entry.registers = registers;
    entry.parameters = parameters;
    entry.result = result;
    entry.variadic = variadic;
    entry.body = Body::Defined(automaton);
}

impl Lowering<'_, '_, '_> {
    /// Makes the parameters and the result, hidden ones included.
    fn signature(&mut self, decl: DeclId) -> (Vec<RegisterId>, bool) {
        let types = &self.source.types;
        let (result, variadic) = match types.kind(types.canonical(self.source.tast[decl].ty)) {
            TypeKind::Function(id) => {
                let signature = types.signature(id);
                (signature.ret, signature.variadic)
            }
            _ => (types.void(), false),
        };
        let result = self.ty(result);
        let mut parameters = Vec::new();
        if self.is_aggregate(result) {
            let ty = self.pointer_to(result);
            let pointer = self.named_register("$result", ty, RegisterOrigin::Temporary);
            self.result_pointer = Some(pointer);
            parameters.push(pointer);
        } else if !self.is_void(result) {
            self.result = Some(self.named_register("$result", result, RegisterOrigin::Temporary));
        }
        for &parameter in &self.source.tast[self.source.tast[decl].params] {
            let register = self.parameter(parameter);
            parameters.push(register);
        }
        if variadic {
            let void = self.intern(Type::Void);
            let ty = self.pointer_to(void);
            let arguments = self.named_register("$arguments", ty, RegisterOrigin::Temporary);
            self.variable_arguments = Some(arguments);
            parameters.push(arguments);
        }
        (parameters, variadic)
    }

    /// The register of one parameter. By value of an aggregate: the caller's copy is the parameter's storage, unless its address
    /// is taken: then the parameter must be an object of this function, which ends where the function returns (C11 6.2.4 p6).
    fn parameter(&mut self, parameter: DeclId) -> RegisterId {
        let ty = self.ty(self.source.tast[parameter].ty);
        let span = self.unit.span(self.link, self.source.tast.decl_span(parameter));
        let name = match self.unit.name(parameter) {
            "" => "$unnamed",
            name => name,
        };
        if let Some(member) = self.unit.transparent_member(self.link, self.source.tast[parameter].ty) {
            return self.named_register(&format!("{name}@argument"), member, RegisterOrigin::Temporary);
        }
        if self.is_aggregate(ty) {
            let pointer = self.pointer_to(ty);
            if self.scan.addressed.contains(&parameter) {
                return self.named_register(&format!("{name}@argument"), pointer, RegisterOrigin::Temporary);
            }
            let register = self.named_register(name, pointer, RegisterOrigin::AddressOfLocal(span));
            self.locals.insert(parameter, Local::Memory(register));
            return register;
        }
        let register = self.named_register(name, ty, RegisterOrigin::Variable(span));
        if !self.scan.in_memory.contains(&parameter) {
            self.locals.insert(parameter, Local::Register(register));
        }
        register
    }

    fn body(&mut self, decl: DeclId) {
        let Some(body) = self.source.tast[decl].body else { return };
        if let Some(expr) = self.scan.evaluated_in_type {
            let span = self.span;
            self.at(expr);
            self.unsupported(Construct::EvaluatedInType);
            self.span = span;
        }
        self.copy_parameters(decl);
        let null = Expression::Operand(Operand::ZERO);
        for index in 0..self.scan.allocas.len() {
            let expr = self.scan.allocas[index];
            let ty = self.type_of(expr);
            let register = self.temporary(ty);
            self.assign(register, null.clone());
            if self.scan.repeated_allocas.contains(&expr) {
                self.alloca_list.get_or_insert(register);
            } else {
                self.allocas.insert(expr, register);
            }
        }
        for &parameter in &self.source.tast[self.source.tast[decl].params] {
            self.evaluate_sizes(parameter, written_type(self.source, parameter));
        }
        self.statement(body);
        // Falling off the end: `main` returns 0, anything else leaves the result uninitialised.
        let end = self.source.tast.stmt_span(body);
        let brace = crate::adapter::Span { lo: end.hi.saturating_sub(1).max(end.lo), hi: end.hi };
        self.span = self.unit.span(self.link, brace);
        if self.is_main
            && let Some(result) = self.result
        {
            self.assign(result, null);
        }
        self.jump_to_exit();
    }

    /// Parameters whose address is taken, and unions that are passed as their first member, move to memory of this function's own.
    fn copy_parameters(&mut self, decl: DeclId) {
        let parameters: Vec<DeclId> = self.source.tast[self.source.tast[decl].params].to_vec();
        // The register of the result (or of the pointer to it) comes before those of the parameters.
        let first = u32::from(self.result_pointer.is_some()) + u32::from(self.result.is_some());
        for (position, parameter) in (first..).zip(parameters) {
            let register = RegisterId::from_u32(position);
            if self.locals.contains_key(&parameter) {
                continue;
            }
            let ty: IrTypeId = self.ty(self.source.tast[parameter].ty);
            let is_aggregate = self.is_aggregate(ty);
            let pointer = self.pointer_to(ty);
            let span = self.unit.span(self.link, self.source.tast.decl_span(parameter));
            let name = match self.unit.name(parameter) {
                name if is_aggregate => name.to_owned(),
                _ => format!("{}@memory", self.registers[register].name),
            };
            let address = self.named_register(&name, pointer, RegisterOrigin::AddressOfLocal(span));
            self.locals.insert(parameter, Local::Memory(address));
            self.copied_parameters.push(address);
            let outer = std::mem::replace(&mut self.span, span);
            self.emit(Instruction::Alloc {
                target: address,
                bytes: Operand::Int(i128::from(self.size(ty).unwrap_or(0))),
                storage: Storage::Auto,
                contents: InitialContents::Uninitialised,
                failure: Failure::Never,
                align: None,
                view: Some(self.view_of_one(ty)),
            });
            let (place, given) = (pointed(Operand::Register(address), ty), Operand::Register(register));
            let member = self.unit.transparent_member(self.link, self.source.tast[parameter].ty);
            if let Some(member) = member {
                self.store(pointed(Operand::Register(address), member), given);
            } else if is_aggregate {
                self.copy(place, pointed(given, ty), ty);
            } else {
                self.store(place, given);
            }
            self.span = outer;
        }
    }
}
