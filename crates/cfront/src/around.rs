//! What surrounds a call of a function of the library that stays a call: whether it comes back, and arrays behind its arguments.

use crate::lowering::Lowering;
use crate::places::pointed;
use heapwise_ir::{
    BinaryOperator, Body, Callee, CompareOperator, Construct, DecidedBy, Dereference, DescriptorPart, ErrorNumber,
    Expression, ExternEffects, FunctionId, Index, Instruction, Length, MemoryEffect, NullArgument, Operand, Place,
    RegisterId, Step, Termination, Type, TypeId as IrTypeId,
};
use heapwise_models::{ArgumentTest, CallParts, ElementCount, Elements, Membership};

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
        if let Some(test) = &parts.only_if {
            let (modelled, other) = (self.location(), self.location());
            self.test(test, function, &arguments, modelled, other);
            self.here = other;
            let function = self.link.program.functions[function].name.clone();
            self.unsupported(Construct::ArgumentNotModelled { function });
            self.stop();
            self.here = modelled;
        }
        self.ending(parts, function, &arguments);
        if let Some(reopened) = parts.reopens {
            return self.reopen(reopened, function, arguments, target);
        }
        let Some(elements) = &parts.elements else {
            self.emit(Instruction::Call { target, callee: Callee::Direct(function), arguments });
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
    fn ending(&mut self, parts: &CallParts, function: FunctionId, arguments: &[Operand]) {
        let name = self.link.program.functions[function].name.clone();
        if let Some(test) = &parts.ends {
            let (ends, goes_on) = (self.location(), self.location());
            self.test(test, function, arguments, ends, goes_on);
            self.here = ends;
            self.end_program(&name);
            self.here = goes_on;
        }
        if let Some(test) = &parts.may_end {
            let (may_end, ends, goes_on) = (self.location(), self.location(), self.location());
            self.test(test, function, arguments, may_end, goes_on);
            self.here = may_end;
            let int = self.int();
            let value = arguments.get(test.parameter as usize).copied().unwrap_or(Operand::ZERO);
            let value = self.coerce(value, int);
            let answer = self.undecided(&format!("return@{name}"), value);
            self.branch_on(CompareOperator::Equal, int, answer, Operand::ZERO, ends, goes_on);
            self.here = ends;
            self.end_program(&name);
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
        function: FunctionId,
        arguments: &[Operand],
        holds: heapwise_ir::LocationId,
        fails: heapwise_ir::LocationId,
    ) {
        let value = arguments.get(test.parameter as usize).copied().unwrap_or(Operand::ZERO);
        let entry = &self.link.program.functions[function];
        let parameter = entry.parameters.get(test.parameter as usize);
        let declared = parameter.map(|parameter| entry.registers[*parameter].ty);
        let int = self.int();
        let ty = declared.or_else(|| value.register().map(|register| self.registers[register].ty)).unwrap_or(int);
        let (is_one, is_none) = match test.membership {
            Membership::OneOf => (holds, fails),
            Membership::NoneOf => (fails, holds),
        };
        for known in &test.values {
            let other = self.location();
            self.branch_on(CompareOperator::Equal, ty, value, Operand::Int(i128::from(*known)), is_one, other);
            self.here = other;
        }
        self.jump(is_none);
    }
}
