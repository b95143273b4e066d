//! What memory is that a function allocates for its callers: `void *allocate(size_t size) { return malloc(size); }`. The
//! function does not say; who gets the memory does, by the type of the pointer that it ends up in. Where that is not what the
//! memory is used as, the accesses do not fit the kind of the cell, which is a gap like any other.

use super::Translator;
use heapwise_ir::{Expression, FunctionId, Instruction, Operand, RegisterId, Type, TypeId};

impl Translator<'_> {
    /// The one record of so many bytes that a pointer to fresh memory is used as, by the function that allocates it or by those
    /// on the call string that it is returned to.
    pub(super) fn record_in(&self, frame: u32, register: RegisterId, size: u64) -> Option<TypeId> {
        let (mut frame, mut register) = (frame, register);
        loop {
            let at = &self.out.frames[frame as usize];
            let copies = self.copies_of(at.function, register);
            let mut records = self.records_behind(at.function, &copies, size);
            records.sort_unstable();
            records.dedup();
            match records.as_slice() {
                [] => {}
                [only] => return Some(*only),
                [_, ..] => return None,
            }
            let function = &self.program.functions[at.function];
            if !function.result.is_some_and(|result| copies.contains(&result)) || at.returns.is_none() {
                return None;
            }
            let (caller, edge) = at.caller?;
            let automaton = self.program.functions[self.out.frames[caller as usize].function].automaton()?;
            let Instruction::Call { target: Some(target), .. } = &automaton.edges[edge].instruction else {
                return None;
            };
            (frame, register) = (caller, *target);
        }
    }

    /// The registers of a function that get what one holds.
    fn copies_of(&self, function: FunctionId, register: RegisterId) -> Vec<RegisterId> {
        let mut copies = vec![register];
        let Some(automaton) = self.program.functions[function].automaton() else { return copies };
        let mut index = 0;
        while let Some(&copied) = copies.get(index) {
            for edge in automaton.edges.values() {
                if let Instruction::Assign { target, value: Expression::Operand(Operand::Register(source)) } =
                    &edge.instruction
                    && *source == copied
                    && !copies.contains(target)
                {
                    copies.push(*target);
                }
            }
            index += 1;
        }
        copies
    }

    /// The records of so many bytes that registers point to, or the places that they are stored in.
    fn records_behind(&self, function: FunctionId, registers: &[RegisterId], size: u64) -> Vec<TypeId> {
        let definition = &self.program.functions[function];
        let mut types: Vec<TypeId> = registers.iter().map(|register| definition.registers[*register].ty).collect();
        for edge in definition.automaton().into_iter().flat_map(|automaton| automaton.edges.values()) {
            if let Instruction::Store { place, value: Operand::Register(value) } = &edge.instruction
                && registers.contains(value)
            {
                types.push(place.ty);
            }
        }
        let record = |ty: TypeId| match self.program.ty(ty) {
            Type::Pointer(pointee) => {
                let is_record = matches!(self.program.ty(*pointee), Type::Record(_));
                (is_record && self.program.size_of(*pointee) == Some(size)).then_some(*pointee)
            }
            _ => None,
        };
        types.into_iter().filter_map(record).collect()
    }
}
