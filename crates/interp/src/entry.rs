//! The arguments of the entry point: `main`'s are a well-formed `argc` and `argv`, others are inputs.

use crate::chooser::Question;
use crate::contents::{CellValue, Fill};
use crate::heap::{Holder, ObjectKind};
use crate::inputs::{Doubt, PointersInside, SHORT_TEXT};
use crate::integer;
use crate::machine::{Executor, Step};
use crate::value::{Pointer, Value};
use heapwise_engine::reason::{CallGap, InputGap};
use heapwise_engine::{Answer, ChoiceQuestion, InputSource, Writer};
use heapwise_ir::{Body, IntType, Register, RegisterOrigin, Type, TypeId};

impl Executor<'_, '_> {
    /// Arguments of the entry point: `main`'s are a well-formed `argc` and `argv`, others are inputs.
    pub(crate) fn entry_arguments(&mut self) -> Step<Vec<Value>> {
        let function = &self.machine.program.functions[self.machine.options.entry];
        let types: Vec<TypeId> = function.parameters.iter().map(|register| function.registers[*register].ty).collect();
        if function.name == "main" && matches!(types.len(), 1..=3) {
            return self.main_arguments(types.len());
        }
        if function.variadic {
            return self.gap(CallGap::EntryWithVariableArguments { function: function.name.clone() });
        }
        let registers: Vec<&Register> =
            function.parameters.iter().map(|register| &function.registers[*register]).collect();
        registers.into_iter().map(|register| self.entry_argument(register)).collect()
    }

    /// One argument: an input, or the address of a record that is one, or of the place for a record that is returned.
    fn entry_argument(&mut self, register: &Register) -> Step<Value> {
        let program = self.machine.program;
        let pointee = match (register.origin, program.ty(register.ty)) {
            (RegisterOrigin::AddressOfLocal(_) | RegisterOrigin::Temporary, Type::Pointer(pointee)) => {
                program.size_of(*pointee)
            }
            (RegisterOrigin::Variable(_) | RegisterOrigin::AddressOfLocal(_) | RegisterOrigin::Temporary, _) => None,
        };
        let Some(size) = pointee else {
            return self.nondet(register.ty, InputSource::Parameter(register.name.clone()));
        };
        let input = self.add_input(Writer::Elsewhere, Doubt::None, PointersInside::Opaque);
        let object = self.state.heap.add(ObjectKind::Environment, size, Fill::Any(input), None);
        let pointer = Value::Pointer(Pointer { object, offset: 0 });
        self.state.heap.retain(pointer, Holder::Root);
        Ok(pointer)
    }

    fn main_arguments(&mut self, n: usize) -> Step<Vec<Value>> {
        let longest = self.machine.code.text_lengths.last().copied().unwrap_or(SHORT_TEXT);
        let entry = self.machine.options.entry;
        let function = &self.machine.program.functions[entry];
        let used = |index: usize| {
            let Body::Defined(automaton) = &function.body else { return false };
            function
                .parameters
                .get(index)
                .is_some_and(|register| self.machine.code.is_live(entry, automaton.entry, *register))
        };
        if !(0..n).any(used) {
            return Ok(vec![Value::Int(1), Value::ZERO, Value::ZERO][..n].to_vec());
        }
        if !(1..n).any(used) {
            // The number alone is an input like any other.
            let (_, most) = integer::range(IntType::Signed(4));
            let count = self.new_input_between((1, most), InputSource::ArgumentCount)?;
            return Ok(vec![count, Value::ZERO, Value::ZERO][..n].to_vec());
        }
        self.incomplete(InputGap::ProgramArguments);
        let counts = [1, 2, 3].map(Answer::Integer);
        let count = 1 + self.ask(Question::Arguments, ChoiceQuestion::Input(InputSource::ArgumentCount), &counts)?;
        let word = u64::from(self.machine.program.target.pointer_bytes);
        let vector = self.state.heap.add(ObjectKind::Environment, (count as u64 + 1) * word, Fill::Zero, None);
        for index in 0..count {
            let input = self.add_input(Writer::Argument(index as u32), Doubt::None, PointersInside::Opaque);
            let heap = &mut self.state.heap;
            let string = heap.add(ObjectKind::Environment, longest + 1, Fill::Any(input), None);
            heap.write(string, |contents, changes| contents.store_bits(longest, 1, 0, changes));
            let value = CellValue::Value(Value::Pointer(Pointer { object: string, offset: 0 }));
            heap.write(vector, |contents, changes| contents.store_cell(index as u64 * word, word, value, changes));
        }
        let heap = &mut self.state.heap;
        let environment = heap.add(ObjectKind::Environment, word, Fill::Zero, None);
        for object in [vector, environment] {
            heap.retain(Value::Pointer(Pointer { object, offset: 0 }), Holder::Root);
        }
        let pointer = |object| Value::Pointer(Pointer { object, offset: 0 });
        Ok(vec![Value::Int(count as i128), pointer(vector), pointer(environment)][..n].to_vec())
    }
}
