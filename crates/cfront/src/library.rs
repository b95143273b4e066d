//! Calls of functions that a model describes, as instructions.

use crate::adapter::{BinaryOp, Conversion, DeclId, ExprId, ExprKind, ExprList};
use crate::lowering::Lowering;
use crate::places::pointed;
use heapwise_ir::{
    BinaryOperator, Callee, CompareOperator, Condition, Construct, CopySource, DecidedBy, Expression, Extent,
    ExternEffects, ExternResult, Failure, Format, FormatLanguage, InitialContents, Instruction, IntType, MemoryEffect,
    NullResult, Operand, Place, RegisterId, Storage, Type, TypeId as IrTypeId, View,
};
use heapwise_models::{
    Alignment, Allocate, CopyLength, CopyResult, Destination, Duplicate, DuplicateLength, Effect, FillByte, OldObject,
    Original, OutSuccess, Reallocate, Size, ZeroSize,
};

/// A modelled call under lowering.
pub(crate) struct LibraryCall<'a> {
    /// The type of the result.
    pub(crate) result_type: IrTypeId,
    /// The arguments as the text has them; none in a synthesized body.
    pub(crate) texts: &'a [ExprId],
    /// Their values.
    pub(crate) values: Vec<Operand>,
    /// As what a fresh object is seen, if a cast or the register that receives it says so.
    pub(crate) view: Option<IrTypeId>,
}

impl LibraryCall<'_> {
    fn value(&self, parameter: u32) -> Operand {
        self.values.get(parameter as usize).copied().unwrap_or(Operand::ZERO)
    }

    fn text(&self, parameter: u32) -> Option<ExprId> {
        self.texts.get(parameter as usize).copied()
    }
}

impl Lowering<'_, '_, '_> {
    /// Lowers a call by the model of the function; `None` where it stays a call.
    pub(crate) fn library_call(
        &mut self,
        expr: ExprId,
        decl: DeclId,
        args: ExprList,
        destination: Option<RegisterId>,
        hint: Option<IrTypeId>,
    ) -> Option<Operand> {
        if self.has_body(decl) {
            return None;
        }
        if self.is_non_local_jump(decl) {
            self.effects_of_arguments(args);
            return Some(self.refuse_non_local_jump(expr));
        }
        if let Some(claim) = self.unit.name(decl).strip_prefix("__hw_") {
            return Some(self.claim(expr, claim, args));
        }
        let model = self.model_of(decl)?;
        let (effect, parts, name) = (model.effect.clone(), model.parts.clone(), model.name.clone());
        if let Effect::Extern(_) = effect {
            return None;
        }
        if let Effect::Assume { parameter } = effect {
            let condition = *self.source.tast[args].get(parameter as usize)?;
            let (holds, fails) = (self.location(), self.location());
            self.branch(condition, holds, fails);
            self.infeasible.push(fails);
            self.here = holds;
            return Some(Operand::ZERO);
        }
        let source = self.source;
        let texts: &[ExprId] = &source.tast[args];
        let values = texts.iter().map(|&argument| self.argument(argument)).collect();
        self.at(expr);
        let values: Vec<Operand> = values;
        let types: Vec<IrTypeId> = texts.iter().map(|&text| self.type_of(text)).collect();
        self.only_where(parts.only_if.as_ref(), &name, &values, &types);
        self.look_at_texts(&parts.texts, &name, &values);
        let view = hint.or_else(|| {
            let register = destination?;
            let pointee = self.pointee(self.registers[register].ty)?;
            self.size(pointee).filter(|&size| size > 0).map(|_| pointee)
        });
        let call = LibraryCall { result_type: self.type_of(expr), texts, values, view };
        Some(self.library_effect(&call, &effect, destination))
    }

    /// What a modelled call does.
    pub(crate) fn library_effect(
        &mut self,
        call: &LibraryCall<'_>,
        effect: &Effect,
        destination: Option<RegisterId>,
    ) -> Operand {
        let result_type = call.result_type;
        match effect {
            Effect::Allocate(allocate) => self.allocate(call, allocate, result_type, destination),
            Effect::Deallocate { pointer } => {
                self.emit(Instruction::Free { pointer: call.value(*pointer) });
                self.result_of_nothing(result_type)
            }
            Effect::Reallocate(reallocate) => self.reallocate(call, reallocate, result_type, destination),
            Effect::GrowBuffer { pointer, capacity, stream } => {
                self.grow_buffer(call, (*pointer, *capacity, *stream), result_type)
            }
            Effect::Copy { to, from, bytes, returns } => self.copy_effect(call, *to, *from, *bytes, *returns),
            Effect::Fill { to, byte, bytes, returns } => self.fill_effect(call, *to, *byte, *bytes, *returns),
            Effect::Duplicate(duplicate) => self.duplicate(call, duplicate, result_type, destination),
            Effect::AssertionFailure => {
                self.emit(Instruction::Assert(Condition::False));
                self.stop();
                self.result_of_nothing(result_type)
            }
            Effect::Nondet => self.any(result_type, destination),
            Effect::Assume { parameter } => {
                let value = call.value(*parameter);
                let int = self.int();
                let ty = value.register().map_or(int, |register| self.registers[register].ty);
                let operator = CompareOperator::NotEqual;
                self.assume(Condition::Compare { operator, ty, left: value, right: Operand::ZERO });
                self.result_of_nothing(result_type)
            }
            // Stays a call: see `library_call`.
            Effect::Extern(_) => self.any(result_type, destination),
        }
    }

    fn result_of_nothing(&mut self, ty: IrTypeId) -> Operand {
        if self.is_void(ty) { Operand::ZERO } else { self.any(ty, None) }
    }

    /// A number of bytes as an operand.
    fn bytes(&mut self, call: &LibraryCall<'_>, size: Size) -> Operand {
        match size {
            Size::Constant(bytes) => Operand::Int(i128::from(bytes)),
            Size::Parameter(parameter) => call.value(parameter),
            Size::Product(left, right) => {
                let (left, right) = (call.value(left), call.value(right));
                // Wide enough not to wrap: no object is as large as a product that overflows.
                let ty = self.intern(Type::Int(IntType::Unsigned(16)));
                if let (Operand::Int(_), Operand::Int(_)) = (left, right) {
                    return self.binary(BinaryOperator::Multiply, ty, left, right, None);
                }
                let (left, right) = (self.coerce(left, ty), self.coerce(right, ty));
                self.binary(BinaryOperator::Multiply, ty, left, right, None)
            }
            Size::Any => {
                let ty = self.size_type();
                let bytes = self.any(ty, None);
                let operator = CompareOperator::GreaterEqual;
                self.assume(Condition::Compare { operator, ty, left: bytes, right: Operand::Int(1) });
                bytes
            }
        }
    }

    /// As what a fresh object of this size is seen.
    fn view(&mut self, call: &LibraryCall<'_>, size: Size, bytes: Operand) -> Option<View> {
        let element = call.view?;
        let element_size = i128::from(self.size(element)?);
        if let Operand::Int(bytes) = bytes {
            let has_tail = bytes > element_size && bytes % element_size != 0;
            let count = if has_tail || bytes < element_size { 1 } else { bytes / element_size };
            return Some(View { element, count: Operand::Int(count), has_tail });
        }
        if let Size::Product(left, right) = size {
            for (count, unit) in [(left, right), (right, left)] {
                if call.value(unit) == Operand::Int(element_size) {
                    return Some(View { element, count: call.value(count), has_tail: false });
                }
            }
        }
        if let Size::Parameter(parameter) = size
            && let Some(text) = call.text(parameter)
        {
            return self.view_of_size(text, element, element_size);
        }
        None
    }

    /// `n * sizeof(T)` is n of them, `sizeof(T) + n` one with a tail.
    fn view_of_size(&mut self, text: ExprId, element: IrTypeId, element_size: i128) -> Option<View> {
        match self.source.tast[text].kind {
            ExprKind::Convert { kind: Conversion::Arithmetic, operand } | ExprKind::Cast(operand) => {
                self.view_of_size(operand, element, element_size)
            }
            ExprKind::Binary { op: BinaryOp::Mul, lhs, rhs } => {
                for (count, unit) in [(lhs, rhs), (rhs, lhs)] {
                    if self.constant_int(unit) == Some(element_size)
                        && let Some(count) = self.plain_value(count)
                    {
                        return Some(View { element, count, has_tail: false });
                    }
                }
                None
            }
            ExprKind::Binary { op: BinaryOp::Add, lhs, rhs } => {
                let fixed = self.constant_int(lhs).or_else(|| self.constant_int(rhs))?;
                (fixed >= element_size).then_some(View { element, count: Operand::Int(1), has_tail: true })
            }
            _ => None,
        }
    }

    /// The value of an expression that needs no instruction to look at again: a register or a constant.
    fn plain_value(&mut self, expr: ExprId) -> Option<Operand> {
        match self.source.tast[expr].kind {
            ExprKind::Convert { kind: Conversion::Arithmetic, operand } => {
                let (to, from) = (self.type_of(expr), self.type_of(operand));
                let wider = self.size(to) >= self.size(from);
                if wider { self.plain_value(operand) } else { None }
            }
            ExprKind::Convert { kind: Conversion::Lvalue, operand } => match self.source.tast[operand].kind {
                ExprKind::Decl(decl) => match self.locals.get(&decl) {
                    Some(crate::lowering::Local::Register(register)) => Some(Operand::Register(*register)),
                    _ => None,
                },
                _ => None,
            },
            _ => self.constant_int(expr).map(Operand::Int),
        }
    }

    fn allocate(
        &mut self,
        call: &LibraryCall<'_>,
        allocate: &Allocate,
        result_type: IrTypeId,
        destination: Option<RegisterId>,
    ) -> Operand {
        if allocate.storage == Storage::Auto {
            return self.refuse_value(Construct::AllocaCalled, result_type);
        }
        if let (Destination::OutParameter { parameter, .. }, Some(printer), Some(format)) =
            (allocate.destination, &allocate.printed_by, allocate.format)
        {
            return self.allocate_printed(call, format, printer, parameter, result_type);
        }
        let bytes = self.bytes(call, allocate.bytes);
        match allocate.destination {
            Destination::Return => {
                let view = self.view(call, allocate.bytes, bytes);
                let target =
                    destination.filter(|_| self.is_pointer(result_type)).unwrap_or_else(|| self.temporary(result_type));
                let (failure, storage) = (allocate.failure, Storage::Heap);
                let align = asked_alignment(call, allocate.alignment);
                let alloc = |contents| Instruction::Alloc {
                    target,
                    bytes,
                    storage,
                    contents,
                    failure,
                    align,
                    view: view.clone(),
                };
                match allocate.zero_flag {
                    None => self.emit(alloc(allocate.contents)),
                    Some(flag) => {
                        let ty = self.intern(Type::Int(IntType::Unsigned(8)));
                        let flags = self.coerce(call.value(flag.parameter), ty);
                        let mask = Operand::Int(i128::from(flag.mask));
                        let set = self.binary(BinaryOperator::And, ty, flags, mask, None);
                        let (zeroed, plain, next) = (self.location(), self.location(), self.location());
                        self.branch_on(CompareOperator::NotEqual, ty, set, Operand::ZERO, zeroed, plain);
                        for (here, contents) in [(zeroed, InitialContents::Zeroed), (plain, allocate.contents)] {
                            self.here = here;
                            self.emit_to(next, alloc(contents));
                        }
                        self.here = next;
                    }
                }
                Operand::Register(target)
            }
            Destination::OutParameter { parameter, success } => match allocate.alignment {
                None | Some(Alignment::Constant(_)) => {
                    self.allocate_out(call, allocate, bytes, parameter, success, result_type)
                }
                Some(Alignment::Parameter(alignment)) => {
                    self.allocate_aligned(call, allocate, bytes, (parameter, success), alignment, result_type)
                }
            },
        }
    }

    /// An allocation that fails where the alignment is no power of two or no multiple of the size of a pointer.
    fn allocate_aligned(
        &mut self,
        call: &LibraryCall<'_>,
        allocate: &Allocate,
        bytes: Operand,
        (parameter, success): (u32, OutSuccess),
        alignment: u32,
        result_type: IrTypeId,
    ) -> Operand {
        let width = i128::from(self.link.program.target.pointer_bytes);
        let alignment = call.value(alignment);
        let ty = self.size_type();
        let failing = |this: &mut Self| {
            let value = this.any(result_type, None);
            let operator = success_operator(success).negated();
            this.assume(Condition::Compare { operator, ty: result_type, left: value, right: Operand::ZERO });
            value
        };
        if let Operand::Int(alignment) = alignment {
            let is_power = alignment > 0 && alignment & (alignment - 1) == 0;
            return match is_power && alignment % width == 0 {
                true => self.allocate_out(call, allocate, bytes, parameter, success, result_type),
                false => failing(self),
            };
        }
        self.choose(
            result_type,
            |this, then, otherwise| {
                let (large, single) = (this.location(), this.location());
                this.branch_on(CompareOperator::GreaterEqual, ty, alignment, Operand::Int(width), large, otherwise);
                this.here = large;
                let before = this.binary(BinaryOperator::Subtract, ty, alignment, Operand::Int(1), None);
                let common = this.binary(BinaryOperator::And, ty, alignment, before, None);
                this.branch_on(CompareOperator::Equal, ty, common, Operand::ZERO, single, otherwise);
                this.here = single;
                this.emit_to(then, Instruction::Assume(Condition::True));
            },
            |this| this.allocate_out(call, allocate, bytes, parameter, success, result_type),
            failing,
        )
    }

    /// An allocation for what a format prints (`asprintf`, `vasprintf`): printed once to count, and once into the fresh object.
    fn allocate_printed(
        &mut self,
        call: &LibraryCall<'_>,
        format: Format,
        printer: &str,
        parameter: u32,
        result_type: IrTypeId,
    ) -> Operand {
        // One that has no model may do anything, as any function without one.
        let effects = self.link.effects_of(printer).unwrap_or(ExternEffects::UNKNOWN);
        let byte = self.byte_type();
        let text_type = self.pointer_to(byte);
        let size_type = self.size_type();
        let callee = self.printer(printer, [text_type, size_type, text_type], result_type, effects);
        let described = call.values.get(format.parameter as usize..).unwrap_or_default().to_vec();
        let print = |this: &mut Self, to: Operand, size: Operand| {
            let target = this.temporary(result_type);
            let arguments = [to, size].into_iter().chain(described.iter().copied()).collect();
            this.emit(Instruction::Call { target: Some(target), callee: Callee::Direct(callee), arguments });
            Operand::Register(target)
        };
        let cursor = match (format.language, described.get(1)) {
            (FormatLanguage::PrintList, Some(list)) => self.cursor_of(*list),
            _ => None,
        };
        let first = cursor.clone().map(|cursor| self.load(cursor.clone(), cursor.ty, None));
        let length = print(self, Operand::ZERO, Operand::ZERO);
        // What is counted is printed again, from the same argument on.
        if let (Some(cursor), Some(first)) = (cursor, first) {
            self.store(cursor, first);
        }
        let target = self.temporary(text_type);
        let place = pointed(call.value(parameter), text_type);
        self.choose(
            result_type,
            |this, then, otherwise| {
                let counted = this.location();
                this.branch_on(CompareOperator::GreaterEqual, result_type, length, Operand::ZERO, counted, otherwise);
                this.here = counted;
                let size = this.coerce(length, size_type);
                let bytes = this.binary(BinaryOperator::Add, size_type, size, Operand::Int(1), None);
                let (storage, contents) = (Storage::Heap, InitialContents::Uninitialised);
                let failure = Failure::Possible;
                this.emit(Instruction::Alloc { target, bytes, storage, contents, failure, align: None, view: None });
                let fresh = Operand::Register(target);
                this.branch_on(CompareOperator::NotEqual, text_type, fresh, Operand::ZERO, then, otherwise);
            },
            |this| {
                let size = this.coerce(length, size_type);
                let bytes = this.binary(BinaryOperator::Add, size_type, size, Operand::Int(1), None);
                print(this, Operand::Register(target), bytes);
                this.store(place, Operand::Register(target));
                length
            },
            |_| Operand::Int(-1),
        )
    }

    fn allocate_out(
        &mut self,
        call: &LibraryCall<'_>,
        allocate: &Allocate,
        bytes: Operand,
        parameter: u32,
        success: OutSuccess,
        result_type: IrTypeId,
    ) -> Operand {
        let stored = call.text(parameter).and_then(|text| self.pointee_before_casts(text));
        let void = self.intern(Type::Void);
        let void_pointer = self.pointer_to(void);
        let stored = stored.filter(|&ty| self.is_pointer(ty)).unwrap_or(void_pointer);
        let target = self.temporary(stored);
        let element = self.pointee(stored).filter(|&ty| self.size(ty).is_some_and(|size| size > 0));
        let view = element.map(|element| View { element, count: Operand::Int(1), has_tail: true });
        let (contents, failure) = (allocate.contents, allocate.failure);
        let align = asked_alignment(call, allocate.alignment);
        self.emit(Instruction::Alloc { target, bytes, storage: Storage::Heap, contents, failure, align, view });
        let fresh = Operand::Register(target);
        let place = pointed(call.value(parameter), stored);
        let good = (success == OutSuccess::Zero).then_some(Operand::ZERO);
        let operator = success_operator(success);
        let restricted = |this: &mut Self, operator| {
            let value = this.any(result_type, None);
            this.assume(Condition::Compare { operator, ty: result_type, left: value, right: Operand::ZERO });
            value
        };
        self.choose(
            result_type,
            |this, then, otherwise| {
                this.branch_on(CompareOperator::NotEqual, stored, fresh, Operand::ZERO, then, otherwise);
            },
            |this| {
                this.store(place, fresh);
                good.unwrap_or_else(|| restricted(this, operator))
            },
            |this| restricted(this, operator.negated()),
        )
    }

    fn reallocate(
        &mut self,
        call: &LibraryCall<'_>,
        reallocate: &Reallocate,
        result_type: IrTypeId,
        destination: Option<RegisterId>,
    ) -> Operand {
        let old = call.value(reallocate.pointer);
        let bytes = self.bytes(call, reallocate.bytes);
        let view = self.view(call, reallocate.bytes, bytes);
        let size_type = self.size_type();
        let compared = match bytes {
            Operand::Register(register) => self.registers[register].ty,
            _ => size_type,
        };
        let (resize, join) = (self.location(), self.location());
        let target = self.temporary(result_type);
        if reallocate.zero == ZeroSize::Frees && !matches!(bytes, Operand::Int(bytes) if bytes != 0) {
            let (zero, frees) = (self.location(), self.location());
            self.branch_on(CompareOperator::Equal, compared, bytes, Operand::ZERO, zero, resize);
            self.here = zero;
            self.branch_on(CompareOperator::NotEqual, result_type, old, Operand::ZERO, frees, resize);
            self.here = frees;
            self.emit(Instruction::Free { pointer: old });
            let nothing = Expression::Operand(Operand::ZERO);
            self.emit_to(join, Instruction::Assign { target, value: nothing });
            self.here = resize;
        } else {
            self.label(resize);
        }
        let (contents, failure) = (reallocate.contents, reallocate.failure);
        self.emit(Instruction::Alloc { target, bytes, storage: Storage::Heap, contents, failure, align: None, view });
        let fresh = Operand::Register(target);
        let (moved, failed, replaces) = (self.location(), self.location(), self.location());
        if failure == Failure::Possible {
            self.branch_on(CompareOperator::NotEqual, result_type, fresh, Operand::ZERO, moved, failed);
            self.here = failed;
            if reallocate.old_on_failure == OldObject::Freed {
                self.emit(Instruction::Free { pointer: old });
            }
            self.emit_to(join, Instruction::Assume(Condition::True));
            self.here = moved;
        } else {
            self.label(moved);
        }
        self.branch_on(CompareOperator::NotEqual, result_type, old, Operand::ZERO, replaces, join);
        self.here = replaces;
        let byte = self.byte_type();
        let ty = call.view.unwrap_or(byte);
        let source = CopySource::Place(pointed(old, ty));
        self.emit(Instruction::Copy { place: pointed(fresh, ty), source, extent: Extent::Common });
        self.emit_to(join, Instruction::Free { pointer: old });
        self.here = join;
        self.deliver(fresh, destination)
    }

    /// `getline`: the end of the input leaves the buffer alone or replaces it (the C library allocates before it reads);
    /// a line of `result` characters is in a fresh buffer, with its NUL.
    fn grow_buffer(
        &mut self,
        call: &LibraryCall<'_>,
        (pointer, capacity, stream): (u32, u32, Option<u32>),
        result_type: IrTypeId,
    ) -> Operand {
        if let Some(stream) = stream {
            self.looks_through("stream@getline", call.value(stream));
        }
        let byte = self.byte_type();
        let buffer_type = self.pointer_to(byte);
        let size_type = self.size_type();
        let int = self.int();
        let place = pointed(call.value(pointer), buffer_type);
        let old = self.load(place.clone(), buffer_type, None);
        let (grows, ends, read, join) = (self.location(), self.location(), self.location(), self.location());
        let target = self.temporary(result_type);
        let choice = self.any(int, None);
        self.branch_on(CompareOperator::NotEqual, int, choice, Operand::ZERO, grows, ends);
        self.here = grows;
        // How large the buffer is counts where there is one: a line may fill it up to there.
        let (has_one, enough) = (self.location(), self.location());
        self.branch_on(CompareOperator::NotEqual, buffer_type, old, Operand::ZERO, has_one, enough);
        self.here = has_one;
        let capacity_place = pointed(call.value(capacity), size_type);
        let known = self.load(capacity_place.clone(), size_type, None);
        let (source, extent) = (CopySource::Nondet, Extent::Bytes(known));
        self.emit(Instruction::Copy { place: pointed(old, byte), source, extent });
        self.label(enough);
        // Freed first, so that the new one may lie where the old one lay: it grew in place.
        self.emit(Instruction::Free { pointer: old });
        let bytes = self.bytes(call, Size::Any);
        let fresh = self.temporary(buffer_type);
        self.emit(Instruction::Alloc {
            target: fresh,
            bytes,
            storage: Storage::Heap,
            contents: InitialContents::Nondet,
            failure: Failure::Never,
            align: None,
            view: None,
        });
        self.store(place, Operand::Register(fresh));
        self.store(capacity_place, bytes);
        let length = self.any(size_type, None);
        self.branch_on(CompareOperator::Less, size_type, length, bytes, read, ends);
        self.here = read;
        self.assume(Condition::Compare {
            operator: CompareOperator::GreaterEqual,
            ty: size_type,
            left: length,
            right: Operand::Int(1),
        });
        let fresh = Operand::Register(fresh);
        let end = self.compute(buffer_type, None, Expression::AddBytes { base: fresh, bytes: length });
        self.store(pointed(end, byte), Operand::ZERO);
        let length = self.coerce(length, result_type);
        self.emit_to(join, Instruction::Assign { target, value: Expression::Operand(length) });
        self.here = ends;
        self.emit_to(join, Instruction::Assign { target, value: Expression::Operand(Operand::Int(-1)) });
        self.here = join;
        Operand::Register(target)
    }

    /// The place behind a pointer argument, seen as what it points to before the casts to `void *`.
    fn place_of_argument(&mut self, call: &LibraryCall<'_>, parameter: u32) -> Place {
        let byte = self.byte_type();
        let pointee = call.text(parameter).and_then(|text| self.pointee_before_casts(text));
        let ty = pointee.filter(|&ty| self.size(ty).is_some()).unwrap_or(byte);
        pointed(call.value(parameter), ty)
    }

    fn extent(&self, bytes: Operand, places: &[&Place]) -> Extent {
        match bytes {
            Operand::Int(count) => places
                .iter()
                .find(|place| self.size(place.ty).is_some_and(|size| i128::from(size) == count))
                .map_or(Extent::Bytes(bytes), |place| Extent::Type(place.ty)),
            _ => Extent::Bytes(bytes),
        }
    }

    fn copy_effect(
        &mut self,
        call: &LibraryCall<'_>,
        to: u32,
        from: u32,
        length: CopyLength,
        returns: CopyResult,
    ) -> Operand {
        let place = self.place_of_argument(call, to);
        let source = self.place_of_argument(call, from);
        let bytes = match length {
            CopyLength::Bytes(size) => self.bytes(call, size),
            CopyLength::String => {
                let length = self.string_length(call.value(from), None);
                let ty = self.size_type();
                self.binary(BinaryOperator::Add, ty, length, Operand::Int(1), None)
            }
        };
        let extent = self.extent(bytes, &[&place, &source]);
        self.emit(Instruction::Copy { place, source: CopySource::Place(source), extent });
        self.copy_result(call, to, bytes, returns)
    }

    fn copy_result(&mut self, call: &LibraryCall<'_>, to: u32, bytes: Operand, returns: CopyResult) -> Operand {
        let ty = call.result_type;
        match returns {
            CopyResult::Nothing => self.result_of_nothing(ty),
            CopyResult::Argument(parameter) => call.value(parameter),
            CopyResult::End => self.compute(ty, None, Expression::AddBytes { base: call.value(to), bytes }),
        }
    }

    fn fill_effect(
        &mut self,
        call: &LibraryCall<'_>,
        to: u32,
        byte: FillByte,
        bytes: Size,
        returns: CopyResult,
    ) -> Operand {
        let place = self.place_of_argument(call, to);
        let bytes = self.bytes(call, bytes);
        let extent = self.extent(bytes, &[&place]);
        let source = match byte {
            FillByte::Constant(byte) => CopySource::Fill(Operand::Int(i128::from(byte))),
            FillByte::Parameter(parameter) => {
                let from = call.text(parameter).map(|text| self.type_of(text));
                let to = self.byte_type();
                let value = call.value(parameter);
                CopySource::Fill(match from {
                    Some(from) => self.convert(value, from, to, None),
                    None => value,
                })
            }
            FillByte::Any => CopySource::Nondet,
        };
        self.emit(Instruction::Copy { place, source, extent });
        self.copy_result(call, to, bytes, returns)
    }

    fn duplicate(
        &mut self,
        call: &LibraryCall<'_>,
        duplicate: &Duplicate,
        result_type: IrTypeId,
        destination: Option<RegisterId>,
    ) -> Operand {
        if duplicate.storage == Storage::Auto {
            return self.refuse_value(Construct::AllocaCalled, result_type);
        }
        let from = match duplicate.from {
            Original::Parameter(parameter) => call.value(parameter),
            Original::Library => self.text_of_library(result_type),
        };
        let size_type = self.size_type();
        let target = self.temporary(result_type);
        let join = self.location();
        if duplicate.null == heapwise_ir::NullArgument::Allowed {
            let (present, absent) = (self.location(), self.location());
            self.branch_on(CompareOperator::NotEqual, result_type, from, Operand::ZERO, present, absent);
            self.here = absent;
            let value = Expression::Operand(Operand::ZERO);
            self.emit_to(join, Instruction::Assign { target, value });
            self.here = present;
        }
        let (length, terminated) = match duplicate.length {
            DuplicateLength::String => (self.string_length(from, None), true),
            DuplicateLength::StringUpTo(limit) => {
                let limit = call.value(limit);
                let limit = self.coerce(limit, size_type);
                (self.string_length(from, Some(limit)), true)
            }
            DuplicateLength::Bytes(size) => (self.bytes(call, size), false),
        };
        let bytes = if terminated {
            self.binary(BinaryOperator::Add, size_type, length, Operand::Int(1), None)
        } else {
            length
        };
        let byte = self.byte_type();
        let ty = self.pointee(result_type).filter(|&ty| self.size(ty).is_some()).unwrap_or(byte);
        let failure = duplicate.failure;
        let view = if terminated { Some(View { element: ty, count: bytes, has_tail: false }) } else { None };
        self.emit(Instruction::Alloc {
            target,
            bytes,
            storage: Storage::Heap,
            contents: InitialContents::Uninitialised,
            failure,
            align: None,
            view,
        });
        let fresh = Operand::Register(target);
        let copies = self.location();
        if failure == Failure::Possible {
            self.branch_on(CompareOperator::NotEqual, result_type, fresh, Operand::ZERO, copies, join);
            self.here = copies;
        } else {
            self.label(copies);
        }
        let (place, source) = (pointed(fresh, ty), CopySource::Place(pointed(from, ty)));
        self.emit(Instruction::Copy { place, source, extent: Extent::Bytes(length) });
        if terminated {
            let end = self.compute(result_type, None, Expression::AddBytes { base: fresh, bytes: length });
            self.store(pointed(end, byte), Operand::ZERO);
        }
        self.label(join);
        self.deliver(fresh, destination)
    }

    /// A text that the library has, or null.
    fn text_of_library(&mut self, ty: IrTypeId) -> Operand {
        let effects = ExternEffects {
            memory: MemoryEffect::Pure,
            result: ExternResult::Library { null: NullResult::Possible },
            decided_by: DecidedBy::Outside,
            modelled: true,
            ..ExternEffects::UNKNOWN
        };
        let callee = self.asked("text of the library", None, ty, effects);
        let text = self.temporary(ty);
        self.emit(Instruction::Call { target: Some(text), callee: Callee::Direct(callee), arguments: Vec::new() });
        Operand::Register(text)
    }

    /// The length of a string, at most `limit`, by a loop over its characters.
    fn string_length(&mut self, string: Operand, limit: Option<Operand>) -> Operand {
        let ty = self.size_type();
        let byte = self.byte_type();
        let length = self.temporary(ty);
        self.assign(length, Expression::Operand(Operand::ZERO));
        let (head, look, next, after) = (self.location(), self.location(), self.location(), self.location());
        self.label(head);
        match limit {
            Some(limit) => {
                let left = Operand::Register(length);
                self.branch_on(CompareOperator::Less, ty, left, limit, look, after);
                self.here = look;
            }
            None => self.label(look),
        }
        let view = self.intern(Type::Array(byte, None));
        let index = heapwise_ir::Index::Operand(Operand::Register(length));
        let mut place = pointed(string, view);
        place.path.steps.push(heapwise_ir::Step::Index(index));
        place.ty = byte;
        let character = self.load(place, byte, None);
        self.branch_on(CompareOperator::NotEqual, byte, character, Operand::ZERO, next, after);
        self.here = next;
        self.binary(BinaryOperator::Add, ty, Operand::Register(length), Operand::Int(1), Some(length));
        self.jump(head);
        self.here = after;
        Operand::Register(length)
    }
}

/// What a fresh object's address is a multiple of, where that may be more than `malloc` gives.
fn asked_alignment(call: &LibraryCall<'_>, alignment: Option<Alignment>) -> Option<Operand> {
    const OF_MALLOC: i128 = 16;
    let asked = match alignment? {
        Alignment::Constant(alignment) => Operand::Int(i128::from(alignment)),
        Alignment::Parameter(parameter) => call.value(parameter),
    };
    match asked {
        Operand::Int(alignment) => (alignment > OF_MALLOC && alignment.count_ones() == 1).then_some(asked),
        Operand::Register(_) => Some(asked),
        Operand::Float(_) | Operand::Global(_) | Operand::Function(_) => None,
    }
}

/// How a result that means success compares with zero.
fn success_operator(success: OutSuccess) -> CompareOperator {
    match success {
        OutSuccess::Zero => CompareOperator::Equal,
        OutSuccess::NonNegative => CompareOperator::GreaterEqual,
        OutSuccess::NonZero => CompareOperator::NotEqual,
    }
}
