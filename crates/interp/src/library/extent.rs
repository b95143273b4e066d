//! How many bytes a function without a body looks at or writes behind its arguments. A model names the parameters; their C
//! types say how many bytes: a record or a number is one of its type, bytes are as many as the sizes behind the parameter
//! say (`read(fd, buffer, n)`, `fread(buffer, size, n, stream)`), and bytes without a size are a text that ends with NUL.

use super::values::Direction;
use crate::access::Access;
use crate::machine::{Executor, Step};
use crate::value::Value;
use heapwise_engine::reason::{GapReason, LibraryGap};
use heapwise_ir::{Body, Dereference, Function, FunctionId, IntType, MemoryEffect, Program, Type, TypeId};

/// What lies behind a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extent {
    /// So many bytes.
    Bytes(u64),
    /// As many bytes as the product of these arguments.
    Sized { first: usize, last: usize },
    /// Bytes up to a NUL.
    Text,
}

impl Executor<'_, '_> {
    /// Whether what a function looks at lies within its object.
    pub(crate) fn check_extents(&mut self, function: FunctionId, arguments: &[Value]) -> Step<()> {
        let program = self.machine.program;
        let definition = &program.functions[function];
        let Body::Extern(effects) = &definition.body else { return Ok(()) };
        let written: &[u32] = match &effects.memory {
            MemoryEffect::Writes(parameters) => parameters,
            MemoryEffect::StoresPointer { through, .. } => std::slice::from_ref(through),
            MemoryEffect::Pure | MemoryEffect::Unknown => &[],
        };
        for Dereference { parameter, .. } in &effects.dereferences {
            let position = *parameter as usize;
            if !written.contains(parameter) {
                self.check_extent(definition, position, arguments, Access::Read)?;
            }
            let direction = if written.contains(parameter) { Direction::Out } else { Direction::In };
            self.check_values(definition, position, arguments, direction)?;
        }
        for read in &effects.reads_first {
            self.check_read_first(definition, read, arguments)?;
        }
        for parameter in written {
            self.check_extent(definition, *parameter as usize, arguments, Access::Write)?;
        }
        Ok(())
    }

    /// How many bytes behind a parameter a function writes, at most. An address whose length is told by the next parameter
    /// may be longer than its type.
    pub(crate) fn written_behind(
        &mut self,
        function: FunctionId,
        parameter: u32,
        arguments: &[Value],
        pointer: Value,
    ) -> Step<u64> {
        let program = self.machine.program;
        let definition = &program.functions[function];
        let rest = self.rest_of(pointer)?;
        let is_told = match &definition.body {
            Body::Extern(effects) => effects.reads_first.iter().any(|read| read.parameter == parameter + 1),
            Body::Defined(_) => false,
        };
        Ok(match extent(program, definition, parameter as usize) {
            Some(Extent::Bytes(bytes)) if !is_told => bytes.min(rest),
            Some(Extent::Sized { first, last }) => {
                let mut bytes: u64 = 1;
                for size in arguments.get(first..=last).unwrap_or_default() {
                    bytes = bytes.saturating_mul(self.size_argument(&definition.name, *size)?);
                }
                bytes.min(rest)
            }
            Some(Extent::Bytes(_) | Extent::Text) | None => rest,
        })
    }

    /// How many bytes one of what argument `counted` counts is, behind a parameter.
    pub(crate) fn unit_behind(
        &mut self,
        function: FunctionId,
        parameter: u32,
        counted: u32,
        arguments: &[Value],
    ) -> Step<Option<u64>> {
        let program = self.machine.program;
        let definition = &program.functions[function];
        let Some(Extent::Sized { first, last }) = extent(program, definition, parameter as usize) else {
            return Ok(None);
        };
        if !(first..=last).contains(&(counted as usize)) {
            return Ok(None);
        }
        let mut unit: u64 = 1;
        for (index, size) in arguments.iter().enumerate().take(last + 1).skip(first) {
            if index != counted as usize {
                unit = unit.saturating_mul(self.size_argument(&definition.name, *size)?);
            }
        }
        Ok(Some(unit))
    }

    /// Bytes that a function reads before it writes them (`strlcat`): a text, in as many bytes as the sizes behind it say.
    pub(super) fn check_text_first(&mut self, function: &Function, parameter: usize, arguments: &[Value]) -> Step<()> {
        let Some(pointer @ Value::Pointer(_)) = arguments.get(parameter).copied() else { return Ok(()) };
        let most = match extent(self.machine.program, function, parameter) {
            Some(Extent::Sized { first, last }) => {
                let mut bytes: u64 = 1;
                for size in arguments.get(first..=last).unwrap_or_default() {
                    bytes = bytes.saturating_mul(self.size_argument(&function.name, *size)?);
                }
                bytes
            }
            Some(Extent::Bytes(_) | Extent::Text) => u64::MAX,
            None => return self.gap(GapReason::library(&function.name, LibraryGap::UnknownBytesRead)),
        };
        self.check_text(&function.name, pointer, most)
    }

    fn check_extent(&mut self, function: &Function, parameter: usize, arguments: &[Value], access: Access) -> Step<()> {
        let Some(pointer @ Value::Pointer(_)) = arguments.get(parameter).copied() else { return Ok(()) };
        match extent(self.machine.program, function, parameter) {
            Some(Extent::Bytes(bytes)) => self.locate(pointer, bytes, access).map(drop),
            Some(Extent::Sized { first, last }) => {
                let mut bytes: i128 = 1;
                for size in arguments.get(first..=last).unwrap_or_default() {
                    bytes = bytes.saturating_mul(self.integer_argument(&function.name, *size)?);
                }
                let bytes = u64::try_from(bytes).unwrap_or(u64::MAX >> 1);
                if bytes == 0 { Ok(()) } else { self.locate(pointer, bytes, access).map(drop) }
            }
            Some(Extent::Text) if access == Access::Write => {
                self.gap(GapReason::library(&function.name, LibraryGap::UnknownExtent))
            }
            Some(Extent::Text) => self.check_text(&function.name, pointer, u64::MAX),
            None => Ok(()),
        }
    }
}

/// What lies behind a parameter, as far as its type says; `None`: nothing that is known.
fn extent(program: &Program, function: &Function, parameter: usize) -> Option<Extent> {
    let ty_of = |index: usize| function.parameters.get(index).map(|register| function.registers[*register].ty);
    let pointee = program.pointee(ty_of(parameter)?)?;
    match program.ty(pointee) {
        Type::Void => {}
        Type::Int(int) if int.bytes() == 1 => {}
        _ => return program.size_of(pointee).map(Extent::Bytes),
    }
    let size = IntType::Unsigned(program.target.pointer_bytes as u8);
    let is_size = |ty: TypeId| *program.ty(ty) == Type::Int(size);
    let first = parameter + 1;
    let n_sizes = (first..).take_while(|index| ty_of(*index).is_some_and(is_size)).count();
    match (n_sizes, program.ty(pointee)) {
        (0, Type::Void) => None,
        (0, _) => Some(Extent::Text),
        (n_sizes, _) => Some(Extent::Sized { first, last: first + n_sizes - 1 }),
    }
}
