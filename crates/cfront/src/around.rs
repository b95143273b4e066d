//! What surrounds a call of a function of the library that stays a call: whether it comes back, and arrays behind its arguments.

use crate::lowering::Lowering;
use crate::places::pointed;
use heapwise_ir::{
    BinaryOperator, Body, Callee, CompareOperator, Condition, Construct, DecidedBy, Dereference, DescriptorPart,
    ErrorNumber, Expression, ExternEffects, ExternResult, FunctionId, Index, Instruction, Length, MemoryEffect,
    NullArgument, Operand, Place, RegisterId, Step, Termination, Type, TypeId as IrTypeId,
};
use heapwise_models::{ArgumentTest, CallParts, ElementCount, Elements, Gift, Membership, Never, Texts};

/// Arrays of so many elements are written out one by one; longer ones are a loop.
const MOST_WRITTEN_OUT: i128 = 8;

/// A member of each element of an array, or the whole of it.
struct Part {
    /// The first element, as an array of its type.
    place: Place,
    /// The steps from an element.
    steps: Vec<Step>,
    /// Its type.
    ty: IrTypeId,
}

impl Part {
    fn at(&self, index: Operand) -> Place {
        let mut place = self.place.clone();
        place.path.steps.push(Step::Index(Index::Operand(index)));
        place.path.steps.extend(self.steps.iter().cloned());
        place.ty = self.ty;
        place
    }
}

impl Lowering<'_, '_, '_> {
    /// A call with what surrounds it.
    pub(crate) fn call_with_parts(
        &mut self,
        parts: &CallParts,
        function: FunctionId,
        arguments: Vec<Operand>,
        target: Option<RegisterId>,
    ) {
        let name = self.link.program.functions[function].name.clone();
        let declared: Vec<IrTypeId> = {
            let entry = &self.link.program.functions[function];
            entry.parameters.iter().map(|&parameter| entry.registers[parameter].ty).collect()
        };
        self.only_where(parts.only_if.as_ref(), &name, &arguments, &declared);
        self.look_at_texts(&parts.texts, &name, &arguments);
        self.ending(parts, &name, &arguments, &declared);
        if let Some(reopened) = parts.reopens {
            return self.reopen(reopened, function, arguments, target);
        }
        if let Some(gift) = parts.gives {
            return self.call_with_gift(gift, function, arguments, target);
        }
        let Some(elements) = &parts.elements else {
            let same = parts.returns_unless_null.and_then(|parameter| arguments.get(parameter as usize).copied());
            let tested = arguments.clone();
            self.emit(Instruction::Call { target, callee: Callee::Direct(function), arguments });
            if let (Some(never), Some(target)) = (&parts.never, target) {
                self.never_gives(never, target, &tested, &declared);
            }
            if let (Some(target), Some(same)) = (target, same) {
                self.same_unless_null(target, same);
            }
            return;
        };
        let reads: Option<Vec<Part>> = elements
            .reads
            .iter()
            .map(|member| self.element_part(elements, Some(member), function, &arguments))
            .collect();
        let writes: Option<Vec<Part>> = match elements.writes.as_slice() {
            [] => self.element_part(elements, None, function, &arguments).map(|whole| vec![whole]),
            members => {
                members.iter().map(|member| self.element_part(elements, Some(member), function, &arguments)).collect()
            }
        };
        let (Some(reads), Some(writes)) = (reads, writes) else {
            self.unsupported(Construct::MemberOfNoRecord);
            return;
        };
        let count = match elements.count {
            ElementCount::Constant(count) => Operand::Int(i128::from(count)),
            ElementCount::Parameter(parameter) => arguments.get(parameter as usize).copied().unwrap_or(Operand::ZERO),
        };
        if !reads.is_empty() {
            self.for_each_element(count, |this, index| {
                for part in &reads {
                    let value = this.load(part.at(index), part.ty, None);
                    // Looked at, whatever it is.
                    let next = this.location();
                    this.branch_on(CompareOperator::Equal, part.ty, value, Operand::ZERO, next, next);
                    this.here = next;
                }
            });
        }
        let entry = &self.link.program.functions[function];
        let result_type = entry.result.map(|result| entry.registers[result].ty);
        let success = match &entry.body {
            Body::Extern(effects) => effects.success,
            Body::Defined(_) => None,
        };
        let result = target.or_else(|| result_type.map(|ty| self.temporary(ty)));
        self.emit(Instruction::Call { target: result, callee: Callee::Direct(function), arguments });
        let (written, next) = (self.location(), self.location());
        match (success, result, result_type) {
            (Some(success), Some(result), Some(ty)) => {
                self.branch_on(success.operator(), ty, Operand::Register(result), Operand::ZERO, written, next);
                self.here = written;
            }
            _ => self.label(written),
        }
        self.for_each_element(count, |this, index| {
            for part in &writes {
                let value = this.element(elements, part, function, result.zip(result_type));
                this.store(part.at(index), value);
            }
        });
        self.label(next);
    }

    /// Goes on where the result is not the one that such arguments never give.
    fn never_gives(&mut self, never: &Never, result: RegisterId, arguments: &[Operand], types: &[IrTypeId]) {
        let (excluded, next) = (self.location(), self.location());
        self.test(&never.test, arguments, types, excluded, next);
        self.here = excluded;
        let ty = self.registers[result].ty;
        let (left, right) = (Operand::Register(result), Operand::Int(i128::from(never.result)));
        self.assume(Condition::Compare { operator: CompareOperator::NotEqual, ty, left, right });
        self.label(next);
    }

    /// The result of a call is this very pointer, where it is not null.
    fn same_unless_null(&mut self, result: RegisterId, pointer: Operand) {
        let ty = self.registers[result].ty;
        let (there, next) = (self.location(), self.location());
        self.branch_on(CompareOperator::NotEqual, ty, Operand::Register(result), Operand::ZERO, there, next);
        self.here = there;
        self.assign(result, Expression::Operand(pointer));
        self.label(next);
    }

    /// A call that, where it succeeds, stores a pointer to storage of the library.
    fn call_with_gift(
        &mut self,
        gift: Gift,
        function: FunctionId,
        arguments: Vec<Operand>,
        target: Option<RegisterId>,
    ) {
        let entry = &self.link.program.functions[function];
        let name = format!("given@{}", entry.name);
        let result_type = entry.result.map(|result| entry.registers[result].ty);
        let parameter = entry.parameters.get(gift.parameter as usize).copied();
        let pointer_type = parameter.map(|parameter| entry.registers[parameter].ty);
        let (success, storage) = match &entry.body {
            Body::Extern(effects) => (effects.success, effects.storage.clone()),
            Body::Defined(_) => (None, None),
        };
        let given = pointer_type.and_then(|ty| self.pointee(ty)).filter(|ty| self.is_pointer(*ty));
        let (Some(given), Some(place)) = (given, arguments.get(gift.parameter as usize).copied()) else {
            self.unsupported(Construct::ArgumentCount);
            return;
        };
        let result = target.or_else(|| result_type.map(|ty| self.temporary(ty)));
        self.emit(Instruction::Call { target: result, callee: Callee::Direct(function), arguments });
        let (stored, next) = (self.location(), self.location());
        match (success, result, result_type) {
            (Some(success), Some(result), Some(ty)) => {
                self.branch_on(success.operator(), ty, Operand::Register(result), Operand::ZERO, stored, next);
                self.here = stored;
            }
            _ => self.label(stored),
        }
        let effects = ExternEffects {
            memory: MemoryEffect::Pure,
            result: ExternResult::Library { null: gift.null },
            storage,
            decided_by: DecidedBy::Outside,
            error_number: ErrorNumber::Kept,
            modelled: true,
            ..ExternEffects::UNKNOWN
        };
        let callee = self.asked(&name, None, given, effects);
        let value = self.temporary(given);
        self.emit(Instruction::Call { target: Some(value), callee: Callee::Direct(callee), arguments: Vec::new() });
        self.store(pointed(place, given), Operand::Register(value));
        self.label(next);
    }

    /// Goes on where the arguments are among those that the model of a function speaks of.
    pub(crate) fn only_where(
        &mut self,
        test: Option<&ArgumentTest>,
        name: &str,
        arguments: &[Operand],
        types: &[IrTypeId],
    ) {
        if let Some(test) = test {
            let (beside, goes_on) = (self.location(), self.location());
            self.test(test, arguments, types, goes_on, beside);
            self.here = beside;
            self.unsupported(Construct::ArgumentNotModelled { function: name.to_owned() });
            self.jump(goes_on);
            self.here = goes_on;
        }
    }

    /// Looks at the texts that a call looks at.
    pub(crate) fn look_at_texts(&mut self, texts: &[Texts], name: &str, arguments: &[Operand]) {
        let argument = |position: u32| arguments.get(position as usize).copied().unwrap_or(Operand::ZERO);
        for text in texts {
            match *text {
                Texts::Parameter(position) => self.looks_through(&format!("text@{name}"), argument(position)),
                Texts::List { parameter, null } => self.look_at_list(name, argument(parameter), null),
                Texts::Arguments(from) => {
                    self.look_at_arguments(name, arguments.get(from as usize..).unwrap_or_default());
                }
            }
        }
    }

    /// Each text of a list of pointers, up to its null pointer.
    fn look_at_list(&mut self, name: &str, list: Operand, null: NullArgument) {
        let byte = self.byte_type();
        let pointer = self.pointer_to(byte);
        let (head, look, after) = (self.location(), self.location(), self.location());
        if null == NullArgument::Allowed {
            let there = self.location();
            self.branch_on(CompareOperator::NotEqual, pointer, list, Operand::ZERO, there, after);
            self.here = there;
        }
        let size = self.size_type();
        let index = self.temporary(size);
        self.assign(index, Expression::Operand(Operand::ZERO));
        self.label(head);
        let array = self.intern(Type::Array(pointer, None));
        let mut place = pointed(list, array);
        place.path.steps.push(Step::Index(Index::Operand(Operand::Register(index))));
        place.ty = pointer;
        let text = self.load(place, pointer, None);
        self.branch_on(CompareOperator::NotEqual, pointer, text, Operand::ZERO, look, after);
        self.here = look;
        self.looks_through(&format!("text@{name}"), text);
        self.binary(BinaryOperator::Add, size, Operand::Register(index), Operand::Int(1), Some(index));
        self.jump(head);
        self.here = after;
    }

    /// Each of these arguments, up to one that is null; without one the call reads what was never passed.
    fn look_at_arguments(&mut self, name: &str, arguments: &[Operand]) {
        let after = self.location();
        for argument in arguments {
            match argument {
                Operand::Int(0) => return self.label(after),
                Operand::Register(register) if self.is_pointer(self.registers[*register].ty) => {
                    let ty = self.registers[*register].ty;
                    let there = self.location();
                    self.branch_on(CompareOperator::NotEqual, ty, *argument, Operand::ZERO, there, after);
                    self.here = there;
                }
                Operand::Global(_) => {}
                Operand::Int(_) | Operand::Register(_) | Operand::Float(_) | Operand::Function(_) => {
                    self.unsupported(Construct::ArgumentNotModelled { function: name.to_owned() });
                    return self.label(after);
                }
            }
            self.looks_through(&format!("text@{name}"), *argument);
        }
        self.unsupported(Construct::ArgumentNotModelled { function: name.to_owned() });
        self.label(after);
    }

    /// A value that a call writes. Numbers are decided as its result is; members of records hang together with it.
    fn element(
        &mut self,
        elements: &Elements,
        part: &Part,
        function: FunctionId,
        result: Option<(RegisterId, IrTypeId)>,
    ) -> Operand {
        let entry = &self.link.program.functions[function];
        let (decided_by, descriptor) = match &entry.body {
            Body::Extern(effects) => (effects.decided_by, effects.descriptor),
            Body::Defined(_) => (DecidedBy::Arguments, None),
        };
        let descriptor = (descriptor == Some(DescriptorPart::OpensWritten)).then_some(DescriptorPart::Opens);
        let (decided_by, told) = match elements.writes.is_empty() {
            true => (decided_by, None),
            false => (DecidedBy::Arguments, result),
        };
        let effects = ExternEffects {
            memory: MemoryEffect::Pure,
            range: elements.range,
            decided_by,
            descriptor,
            error_number: ErrorNumber::Kept,
            modelled: true,
            ..ExternEffects::UNKNOWN
        };
        let name = format!("element@{}", entry.name);
        let callee = self.asked(&name, told.map(|(_, ty)| ty), part.ty, effects);
        let target = self.temporary(part.ty);
        let arguments = told.map(|(result, _)| Operand::Register(result)).into_iter().collect();
        self.emit(Instruction::Call { target: Some(target), callee: Callee::Direct(callee), arguments });
        Operand::Register(target)
    }

    /// A member of the elements behind an argument, or all of them; `None` where the prototype has no such thing.
    fn element_part(
        &mut self,
        elements: &Elements,
        member: Option<&String>,
        function: FunctionId,
        arguments: &[Operand],
    ) -> Option<Part> {
        let entry = &self.link.program.functions[function];
        let parameter = *entry.parameters.get(elements.pointer as usize)?;
        let element = self.pointee(entry.registers[parameter].ty)?;
        let pointer = *arguments.get(elements.pointer as usize)?;
        let (steps, ty) = match (member, self.get(element).clone()) {
            (None, Type::Int(_) | Type::Float(_)) => (Vec::new(), element),
            (Some(member), Type::Record(record)) => {
                let fields = self.link.program.records[record].fields();
                let field = fields.iter().position(|field| field.name == *member && field.bits.is_none())?;
                (vec![Step::Field(record, field as u32)], fields[field].ty)
            }
            (None | Some(_), _) => return None,
        };
        let array = self.intern(Type::Array(element, None));
        Some(Part { place: pointed(pointer, array), steps, ty })
    }

    /// Does something for each index below `count`.
    fn for_each_element(&mut self, count: Operand, mut each: impl FnMut(&mut Self, Operand)) {
        if let Operand::Int(count) = count
            && count <= MOST_WRITTEN_OUT
        {
            (0..count).for_each(|index| each(self, Operand::Int(index)));
            return;
        }
        let ty = self.size_type();
        let count = self.coerce(count, ty);
        let index = self.temporary(ty);
        self.assign(index, Expression::Operand(Operand::ZERO));
        let (head, look, after) = (self.location(), self.location(), self.location());
        self.label(head);
        self.branch_on(CompareOperator::Less, ty, Operand::Register(index), count, look, after);
        self.here = look;
        each(self, Operand::Register(index));
        self.binary(BinaryOperator::Add, ty, Operand::Register(index), Operand::Int(1), Some(index));
        self.jump(head);
        self.here = after;
    }

    /// A call that opens storage of the library anew: it gives the very argument back, or null. Whether the storage is gone then, C
    /// leaves open: no run may choose it.
    fn reopen(&mut self, reopened: u32, function: FunctionId, arguments: Vec<Operand>, target: Option<RegisterId>) {
        let entry = &self.link.program.functions[function];
        let name = entry.name.clone();
        let (result, parameter) = (entry.result, entry.parameters.get(reopened as usize));
        let types = result
            .zip(parameter)
            .map(|(result, parameter)| (entry.registers[result].ty, entry.registers[*parameter].ty));
        let (Some((result_type, stream_type)), Some(stream)) = (types, arguments.get(reopened as usize).copied())
        else {
            self.unsupported(Construct::ArgumentCount);
            return;
        };
        let opened = target.unwrap_or_else(|| self.temporary(result_type));
        self.emit(Instruction::Call { target: Some(opened), callee: Callee::Direct(function), arguments });
        let (same, failed, closes, next) = (self.location(), self.location(), self.location(), self.location());
        self.branch_on(CompareOperator::NotEqual, result_type, Operand::Register(opened), Operand::ZERO, same, failed);
        self.here = same;
        self.assign(opened, Expression::Operand(stream));
        self.jump(next);
        self.here = failed;
        let answer = self.undecided(&format!("closes@{name}"), Operand::ZERO);
        let int = self.int();
        self.branch_on(CompareOperator::NotEqual, int, answer, Operand::ZERO, closes, next);
        self.here = closes;
        let effects = ExternEffects {
            memory: MemoryEffect::Pure,
            takes_ownership: vec![0],
            error_number: ErrorNumber::Kept,
            modelled: true,
            ..ExternEffects::UNKNOWN
        };
        let callee = self.asked(&format!("close@{name}"), Some(stream_type), int, effects);
        self.emit(Instruction::Call { target: None, callee: Callee::Direct(callee), arguments: vec![stream] });
        self.label(next);
    }

    /// A function of the library looks at what an argument points to.
    pub(crate) fn looks_through(&mut self, name: &str, pointer: Operand) {
        let (int, byte) = (self.int(), self.byte_type());
        let ty = self.pointer_to(byte);
        let effects = ExternEffects {
            memory: MemoryEffect::Pure,
            dereferences: vec![Dereference { parameter: 0, null: NullArgument::Error, length: Length::ByType }],
            error_number: ErrorNumber::Kept,
            modelled: true,
            ..ExternEffects::UNKNOWN
        };
        let callee = self.asked(name, Some(ty), int, effects);
        self.emit(Instruction::Call { target: None, callee: Callee::Direct(callee), arguments: vec![pointer] });
    }

    /// A number that is decided by what is there already: no run may choose it.
    fn undecided(&mut self, name: &str, argument: Operand) -> Operand {
        let int = self.int();
        let effects = ExternEffects {
            memory: MemoryEffect::Pure,
            error_number: ErrorNumber::Kept,
            modelled: true,
            ..ExternEffects::UNKNOWN
        };
        let asked = self.asked(name, Some(int), int, effects);
        let answer = self.temporary(int);
        self.emit(Instruction::Call { target: Some(answer), callee: Callee::Direct(asked), arguments: vec![argument] });
        Operand::Register(answer)
    }

    /// The ways on which a call does not come back.
    fn ending(&mut self, parts: &CallParts, name: &str, arguments: &[Operand], types: &[IrTypeId]) {
        if let Some(test) = &parts.ends {
            let (ends, goes_on) = (self.location(), self.location());
            self.test(test, arguments, types, ends, goes_on);
            self.here = ends;
            self.end_program(name);
            self.here = goes_on;
        }
        if let Some(test) = &parts.may_end {
            let (may_end, ends, goes_on) = (self.location(), self.location(), self.location());
            self.test(test, arguments, types, may_end, goes_on);
            self.here = may_end;
            let int = self.int();
            let value = arguments.get(test.parameter as usize).copied().unwrap_or(Operand::ZERO);
            let value = self.coerce(value, int);
            let answer = self.undecided(&format!("return@{name}"), value);
            self.branch_on(CompareOperator::Equal, int, answer, Operand::ZERO, ends, goes_on);
            self.here = ends;
            self.end_program(name);
            self.here = goes_on;
        }
    }

    /// The program is gone: a signal ended it.
    fn end_program(&mut self, name: &str) {
        let int = self.int();
        let effects = ExternEffects {
            termination: Termination::Aborts,
            memory: MemoryEffect::Pure,
            modelled: true,
            ..ExternEffects::UNKNOWN
        };
        let callee = self.asked(&format!("end@{name}"), None, int, effects);
        self.emit(Instruction::Call { target: None, callee: Callee::Direct(callee), arguments: Vec::new() });
        self.stop();
    }

    /// Goes to `holds` if an argument is as a test says, else to `fails`.
    fn test(
        &mut self,
        test: &ArgumentTest,
        arguments: &[Operand],
        types: &[IrTypeId],
        holds: heapwise_ir::LocationId,
        fails: heapwise_ir::LocationId,
    ) {
        let value = arguments.get(test.parameter as usize).copied().unwrap_or(Operand::ZERO);
        let declared = types.get(test.parameter as usize).copied();
        let int = self.int();
        let ty = declared.or_else(|| value.register().map(|register| self.registers[register].ty)).unwrap_or(int);
        let (is_one, is_none) = match test.membership {
            Membership::OneOf => (holds, fails),
            Membership::NoneOf => (fails, holds),
        };
        if let Operand::Int(value) = value {
            let is_among = test.values.iter().any(|known| i128::from(*known) == value);
            return self.jump(if is_among { is_one } else { is_none });
        }
        for known in &test.values {
            let other = self.location();
            self.branch_on(CompareOperator::Equal, ty, value, Operand::Int(i128::from(*known)), is_one, other);
            self.here = other;
        }
        self.jump(is_none);
    }
}
