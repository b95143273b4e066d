//! Calls.

use crate::adapter::{
    Conversion, DeclFlags, DeclId, ExprId, ExprKind, ExprList, Linkage, TypeId, TypeKind, UnaryOp, library_name,
    unchecked_name,
};
use crate::lowering::Lowering;
use crate::places::pointed;
use crate::scopes::Until;
use heapwise_ir::{
    Body, Callee, Condition, Construct, Expression, FloatType, Instruction, Operand, Program, RegisterId, Signature,
    Termination, Type, TypeId as IrTypeId, UnsupportedReason,
};
use heapwise_models::{CallParts, Effect};

/// What is called, and as what type.
struct Called {
    /// The declaration, for a call by name.
    decl: Option<DeclId>,
    /// The type of the function, as the call sees it.
    ty: TypeId,
    parameters: Vec<TypeId>,
    variadic: bool,
    prototyped: bool,
}

impl Lowering<'_, '_, '_> {
    /// A call whose result is not used.
    pub(crate) fn call_effect(&mut self, expr: ExprId, callee: ExprId, args: ExprList) {
        let called = self.called(callee);
        self.effects_of_called(&called, callee);
        if let Some(decl) = called.decl
            && self.library_call(expr, decl, args, None, None).is_some()
        {
            return;
        }
        let pending = self.temporaries.len();
        let (target, arguments) = self.callee_and_arguments(callee, &called, args, None);
        self.at(expr);
        let _ = self.emit_call(called.decl, target, arguments, None);
        self.end_operand(pending);
    }

    /// A call whose result is a scalar or nothing.
    pub(crate) fn call(
        &mut self,
        expr: ExprId,
        callee: ExprId,
        args: ExprList,
        destination: Option<RegisterId>,
    ) -> Operand {
        let hint = self.view_hint.take();
        let result_type = self.type_of(expr);
        let called = self.called(callee);
        self.effects_of_called(&called, callee);
        if let Some(decl) = called.decl
            && let Some(value) = self.library_call(expr, decl, args, destination, hint)
        {
            return value;
        }
        let pending = self.temporaries.len();
        let (target, arguments) = self.callee_and_arguments(callee, &called, args, None);
        self.at(expr);
        let result = if self.is_void(result_type) {
            None
        } else {
            Some(destination.unwrap_or_else(|| self.temporary(result_type)))
        };
        let value = self.emit_call(called.decl, target, arguments, result);
        self.end_operand(pending);
        value
    }

    /// A call whose result by value goes where `pointer` points.
    pub(crate) fn call_into(&mut self, expr: ExprId, callee: ExprId, args: ExprList, pointer: Operand) {
        let called = self.called(callee);
        self.effects_of_called(&called, callee);
        if let Some(decl) = called.decl
            && !self.has_body(decl)
            && let Some(Effect::Nondet) = self.model_of(decl).map(|model| &model.effect)
        {
            let ty = self.type_of(expr);
            self.effects_of_arguments(args);
            self.at(expr);
            self.emit(Instruction::Copy {
                place: pointed(pointer, ty),
                source: heapwise_ir::CopySource::Nondet,
                extent: heapwise_ir::Extent::Type(ty),
            });
            return;
        }
        let pending = self.temporaries.len();
        let (target, arguments) = self.callee_and_arguments(callee, &called, args, Some(pointer));
        self.at(expr);
        let _ = self.emit_call(called.decl, target, arguments, None);
        self.end_operand(pending);
    }

    fn emit_call(
        &mut self,
        decl: Option<DeclId>,
        callee: Callee,
        mut arguments: Vec<Operand>,
        target: Option<RegisterId>,
    ) -> Operand {
        if let Callee::Direct(function) = callee {
            let entry = &self.link.program.functions[function];
            // Without a prototype in sight, or with a wrong one, the text decides what is passed; the body what it is.
            let parameters: Vec<IrTypeId> =
                entry.parameters.iter().map(|&parameter| entry.registers[parameter].ty).collect();
            // A variadic function whose body is still to be lowered does not have its hidden parameter yet.
            let has_body = decl.is_some_and(|decl| self.has_body(decl));
            let waits = has_body && matches!(entry.body, Body::Extern(_));
            let most = match (entry.variadic, waits, has_body) {
                (true, false, false) => usize::MAX,
                (true, true, _) => parameters.len() + 1,
                _ => parameters.len(),
            };
            if arguments.len() < parameters.len() || arguments.len() > most {
                self.unsupported(Construct::ArgumentCount);
                return target.map_or(Operand::ZERO, |target| {
                    let ty = self.registers[target].ty;
                    self.any(ty, Some(target))
                });
            }
            for (argument, ty) in arguments.iter_mut().zip(parameters) {
                *argument = self.coerce(*argument, ty);
            }
        }
        let parts = decl.filter(|decl| !self.has_body(*decl)).and_then(|decl| self.model_of(decl));
        let parts = parts.map(|model| model.parts.clone()).filter(|parts| *parts != CallParts::default());
        let received = target.map(|target| self.receiver(callee, target));
        let result = received.flatten();
        match (parts, callee) {
            (Some(parts), Callee::Direct(function)) => self.call_with_parts(&parts, function, arguments, result),
            (None, _) | (Some(_), Callee::Indirect(_)) => {
                self.emit(Instruction::Call { target: result, callee, arguments });
            }
        }
        self.end_after_call(decl, callee);
        match (target, result) {
            (Some(target), Some(result)) if target != result => {
                let (from, to) = (self.registers[result].ty, self.registers[target].ty);
                let value = self.convert(Operand::Register(result), from, to, Some(target));
                self.deliver(value, Some(target))
            }
            (Some(target), None) => {
                let ty = self.registers[target].ty;
                self.any(ty, Some(target))
            }
            (target, _) => target.map_or(Operand::ZERO, Operand::Register),
        }
    }

    /// The register that can receive the result of a call: `target`, or one of the callee's own result type.
    fn receiver(&mut self, callee: Callee, target: RegisterId) -> Option<RegisterId> {
        let Callee::Direct(function) = callee else { return Some(target) };
        let entry = &self.link.program.functions[function];
        let given = entry.registers[entry.result?].ty;
        let wanted = self.registers[target].ty;
        if given == wanted || (self.is_pointer(given) && self.is_pointer(wanted)) {
            return Some(target);
        }
        Some(self.temporary(given))
    }

    fn end_after_call(&mut self, decl: Option<DeclId>, callee: Callee) {
        let extern_end = match callee {
            Callee::Direct(function) => match &self.link.program.functions[function].body {
                Body::Extern(effects) if decl.is_some_and(|decl| !self.has_body(decl)) => {
                    effects.termination != Termination::Returns
                }
                _ => false,
            },
            Callee::Indirect(_) => false,
        };
        let declared_end = decl.is_some_and(|decl| self.source.tast[decl].flags.contains(DeclFlags::NORETURN));
        if declared_end && decl.is_some_and(|decl| self.has_body(decl)) {
            // Its body is followed: that it does not come back is checked, not believed (C11 6.7.4p8).
            self.emit(Instruction::Assert(Condition::False));
            self.stop();
        } else if extern_end || declared_end {
            if let Callee::Direct(function) = callee
                && let Body::Extern(effects) = &mut self.link.program.functions[function].body
                && effects.termination == Termination::Returns
            {
                effects.termination = Termination::Exits;
            }
            self.stop();
        }
    }

    fn called(&self, callee: ExprId) -> Called {
        let types = &self.source.types;
        let mut ty = types.canonical(self.source.tast[callee].ty);
        if let TypeKind::Pointer(pointee) = types.kind(ty) {
            ty = types.canonical(pointee);
        }
        let decl = self.direct_callee(callee);
        match types.kind(ty) {
            TypeKind::Function(id) => {
                let signature = types.signature(id);
                Called {
                    decl,
                    ty,
                    parameters: signature.params.clone(),
                    variadic: signature.variadic,
                    prototyped: signature.prototyped,
                }
            }
            _ => Called { decl, ty, parameters: Vec::new(), variadic: false, prototyped: false },
        }
    }

    fn direct_callee(&self, callee: ExprId) -> Option<DeclId> {
        match self.source.tast[callee].kind {
            ExprKind::Decl(decl) if self.unit.is_function(decl) => Some(decl),
            ExprKind::Convert { kind: Conversion::FunctionDecay, operand }
            | ExprKind::Unary { op: UnaryOp::AddrOf | UnaryOp::Deref, operand } => self.direct_callee(operand),
            // `(prepare(), function)(…)`: see `effects_of_callee`.
            ExprKind::Comma { rhs, .. } => self.direct_callee(rhs),
            _ => None,
        }
    }

    fn effects_of_called(&mut self, called: &Called, callee: ExprId) {
        if called.decl.is_some() {
            self.effects_of_callee(callee);
        }
    }

    /// What is evaluated on the way to a function that is called by name.
    fn effects_of_callee(&mut self, callee: ExprId) {
        match self.source.tast[callee].kind {
            ExprKind::Convert { kind: Conversion::FunctionDecay, operand }
            | ExprKind::Unary { op: UnaryOp::AddrOf | UnaryOp::Deref, operand } => self.effects_of_callee(operand),
            ExprKind::Comma { lhs, rhs } => {
                self.effect(lhs);
                self.effects_of_callee(rhs);
            }
            _ => {}
        }
    }

    /// Whether the program has a body for a function.
    pub(crate) fn has_body(&self, decl: DeclId) -> bool {
        let declared = &self.source.tast[decl];
        match declared.linkage {
            Linkage::External => {
                self.link.definitions.contains_key(&self.unit.linked_name(self.link, decl)) || declared.alias.is_some()
            }
            Linkage::Internal | Linkage::None => declared.body.is_some() || declared.alias.is_some(),
        }
    }

    /// The model of a function without a body.
    pub(crate) fn model_of(&self, decl: DeclId) -> Option<&heapwise_models::Model> {
        let name = self.unit.linked_name(self.link, decl);
        let name = library_name(&name).unwrap_or(&name);
        self.link.models.get(name).or_else(|| {
            let unchecked = unchecked_name(name).or_else(|| fortified(name))?;
            self.link.models.get(unchecked)
        })
    }

    fn callee_and_arguments(
        &mut self,
        callee: ExprId,
        called: &Called,
        args: ExprList,
        result: Option<Operand>,
    ) -> (Callee, Vec<Operand>) {
        let target = match called.decl {
            Some(decl) => Callee::Direct(self.unit.function(self.link, decl)),
            None => match self.value(callee) {
                Operand::Function(function)
                    if self.link.program.functions[function].parameters.len()
                        == called.parameters.len() + usize::from(result.is_some()) =>
                {
                    Callee::Direct(function)
                }
                operand => Callee::Indirect(operand),
            },
        };
        let hidden = usize::from(result.is_some());
        let arguments = &self.source.tast[args];
        let named = if called.prototyped { called.parameters.len() } else { arguments.len() };
        let mut operands: Vec<Operand> = result.into_iter().collect();
        for (position, &argument) in arguments.iter().take(named).enumerate() {
            let mut operand = self.argument(argument);
            let declared = called.parameters.get(position).filter(|_| called.prototyped);
            if let Some(member) = declared.and_then(|declared| self.unit.transparent_member(self.link, *declared)) {
                operand = self.load(pointed(operand, member), member, None);
            }
            operands.push(operand);
        }
        let extra = arguments.get(named..).unwrap_or(&[]);
        let packs = called.variadic
            && match (called.decl, target) {
                (Some(decl), _) => self.has_body(decl),
                (None, Callee::Direct(function)) => self.link.program.functions[function].variadic,
                (None, Callee::Indirect(_)) => true,
            };
        if packs {
            let pointer = self.pack_arguments(extra);
            operands.push(pointer);
        } else {
            for &argument in extra {
                let operand = self.argument(argument);
                operands.push(operand);
            }
            self.check_format(called.decl, arguments);
        }
        let target = self.called_as(called, target, &operands, &self.source.tast[args][..], hidden);
        (target, operands)
    }

    /// What is called, in a register whose type is that of the call: engines ask it whether the function suits. Where the
    /// function is known already, it is asked here.
    fn called_as(
        &mut self,
        called: &Called,
        target: Callee,
        operands: &[Operand],
        arguments: &[ExprId],
        hidden: usize,
    ) -> Callee {
        let ty = self.ty(called.ty);
        let Type::Function(mut call) = self.get(ty).clone() else { return target };
        if !called.prototyped {
            call.parameters.truncate(hidden);
            for argument in arguments {
                let ty = self.type_of(*argument);
                let passed = if self.is_aggregate(ty) { self.pointer_to(ty) } else { ty };
                call.parameters.push(passed);
            }
        }
        match target {
            Callee::Direct(function) | Callee::Indirect(Operand::Function(function)) => {
                let program = &self.link.program;
                let suits = match (called.decl, called.prototyped) {
                    // Files that do not agree are another matter: see `Linker::compare_declarations`.
                    (Some(_), true) => true,
                    (None, true) => {
                        program.takes_arguments_of(function, &call) && program.gives_result_of(function, &call)
                    }
                    (_, false) => {
                        let callee = &program.functions[function];
                        let parameters = callee.parameters.iter().map(|parameter| callee.registers[*parameter].ty);
                        let mut pairs = operands.iter().zip(call.parameters.iter().zip(parameters));
                        pairs.all(|(operand, (given, taken))| suits_promoted(program, *operand, *given, taken))
                    }
                };
                if !suits {
                    self.unsupported(Construct::CalledAsOtherType);
                }
                target
            }
            Callee::Indirect(Operand::Register(register)) => {
                if self.is_pointer_to_call(register, &call) {
                    return target;
                }
                let function = self.intern(Type::Function(call));
                let pointer = self.pointer_to(function);
                let typed = self.temporary(pointer);
                self.assign(typed, Expression::Operand(Operand::Register(register)));
                Callee::Indirect(Operand::Register(typed))
            }
            Callee::Indirect(Operand::Global(_) | Operand::Int(_) | Operand::Float(_)) => target,
        }
    }

    /// Whether the type of a register already says how the call passes its values.
    fn is_pointer_to_call(&self, register: RegisterId, call: &Signature) -> bool {
        let Type::Pointer(pointee) = *self.get(self.registers[register].ty) else { return false };
        let Type::Function(known) = self.get(pointee) else { return false };
        let program = &self.link.program;
        let is_result = match (known.result, call.result) {
            (None, None) => true,
            (Some(known), Some(call)) => program.is_passed_as(known, call),
            (None, Some(_)) | (Some(_), None) => false,
        };
        is_result
            && known.variadic == call.variadic
            && known.parameters.len() == call.parameters.len()
            && known.parameters.iter().zip(&call.parameters).all(|(known, call)| program.is_passed_as(*known, *call))
    }

    /// An argument: a scalar as it is, anything else as a pointer to a copy, which ends behind the call.
    pub(crate) fn argument(&mut self, argument: ExprId) -> Operand {
        let ty = self.type_of(argument);
        if !self.is_aggregate(ty) {
            return self.value(argument);
        }
        self.at(argument);
        let bytes = Operand::Int(i128::from(self.size(ty).unwrap_or(0)));
        let copy = self.temporary_object(ty, bytes, Until::Operand);
        self.aggregate_into(argument, pointed(Operand::Register(copy), ty));
        Operand::Register(copy)
    }

    pub(crate) fn effects_of_arguments(&mut self, args: ExprList) {
        for index in 0..self.source.tast[args].len() {
            let argument = self.source.tast[args][index];
            self.effect(argument);
        }
    }

    /// Calls the handler of a `cleanup` attribute.
    pub(crate) fn call_cleanup(&mut self, handler: DeclId, address: RegisterId) {
        let function = self.unit.function(self.link, handler);
        if let Some(Effect::Deallocate { .. }) = self.model_of(handler).map(|model| &model.effect)
            && !self.has_body(handler)
        {
            self.emit(Instruction::Free { pointer: Operand::Register(address) });
            return;
        }
        let arguments = vec![Operand::Register(address)];
        self.emit(Instruction::Call { target: None, callee: Callee::Direct(function), arguments });
    }

    /// `setjmp`, `longjmp` and kin.
    pub(crate) fn is_non_local_jump(&self, decl: DeclId) -> bool {
        let name = self.unit.name(decl);
        let plain = name.trim_start_matches("__builtin_").trim_start_matches('_');
        matches!(
            plain,
            "setjmp" | "sigsetjmp" | "longjmp" | "siglongjmp" | "longjmp_chk" | "setcontext" | "swapcontext"
        ) || (self.source.tast[decl].flags.contains(DeclFlags::RETURNS_TWICE) && plain != "vfork")
    }

    pub(crate) fn refuse_non_local_jump(&mut self, expr: ExprId) -> Operand {
        let ty = self.type_of(expr);
        self.at(expr);
        self.refuse_value(UnsupportedReason::NonLocalJump, ty)
    }

    /// The pointee of a pointer expression before the casts around it (to `void *`, mostly).
    pub(crate) fn pointee_before_casts(&mut self, mut expr: ExprId) -> Option<IrTypeId> {
        let mut best = None;
        loop {
            let ty = self.type_of(expr);
            if let Some(pointee) = self.pointee(ty)
                && !matches!(self.get(pointee), Type::Void)
            {
                best = Some(pointee);
            }
            expr = match self.source.tast[expr].kind {
                ExprKind::Cast(operand) | ExprKind::Convert { kind: Conversion::Pointer, operand } => operand,
                _ => return best,
            };
        }
    }
}

/// Whether an argument that was promoted, for want of a prototype, is what a parameter takes. A small number is the same in
/// each width.
fn suits_promoted(program: &Program, argument: Operand, given: IrTypeId, taken: IrTypeId) -> bool {
    program.is_passed_as(given, taken)
        || match (program.ty(given), program.ty(taken)) {
            (Type::Int(given), Type::Int(taken)) => {
                taken.bytes() < given.bytes() || matches!(argument, Operand::Int(value) if value >= 0)
            }
            (Type::Int(_), Type::Pointer(_)) => matches!(argument, Operand::Int(0)),
            // An old-style definition takes a `float` as the `double` that it is promoted to.
            (Type::Float(FloatType::Double), Type::Float(FloatType::Single)) => true,
            _ => false,
        }
}

/// The function behind a fortified one (`__memcpy_chk`).
fn fortified(name: &str) -> Option<&str> {
    name.strip_prefix("__")?.strip_suffix("_chk").filter(|plain| {
        matches!(
            *plain,
            "memcpy" | "memmove" | "mempcpy" | "memset" | "strcpy" | "stpcpy" | "strcat" | "strncpy" | "strncat"
        )
    })
}
