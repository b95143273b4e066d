//! How many bytes a function without a body looks at or writes behind its arguments. A model names the parameters; their C
//! types say how many bytes: a record or a number is one of its type, bytes are as many as the sizes behind the parameter
//! say (`read(fd, buffer, n)`, `fread(buffer, size, n, stream)`), and bytes without a size are a text that ends with NUL.

use super::values::Direction;
use crate::access::Access;
use crate::contents::Loaded;
use crate::machine::{Executor, Step, Unasked};
use crate::value::Value;
use heapwise_engine::reason::{GapReason, LibraryGap};
use heapwise_ir::{
    Body, Dereference, FormatLanguage, Function, FunctionId, IntType, Length, MemoryEffect, Program, Type, TypeId,
};

/// What lies behind a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extent {
    /// So many bytes.
    Bytes(u64),
    /// As many bytes as the product of these arguments.
    Sized { first: usize, last: usize },
    /// As many bytes as a model says where the number is.
    Told(Length),
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
        for Dereference { parameter, length, .. } in &effects.dereferences {
            let position = *parameter as usize;
            if !written.contains(parameter) {
                self.check_extent(definition, position, arguments, Access::Read)?;
            }
            let direction = if written.contains(parameter) { Direction::Out } else { Direction::In };
            // What is in a list of arguments is read as the format says.
            let is_list = effects.format.is_some_and(|format| {
                format.language == FormatLanguage::PrintList && *parameter == format.parameter + 1
            });
            if *length == Length::ByType && !is_list {
                self.check_values(definition, position, arguments, direction)?;
            }
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
        Ok(match extent(program, definition, parameter as usize) {
            Some(Extent::Bytes(bytes)) => bytes.min(rest),
            Some(Extent::Told(length)) => self.told(definition, length, arguments)?.unwrap_or(rest).min(rest),
            Some(Extent::Sized { first, last }) => {
                let mut bytes: u64 = 1;
                for size in arguments.get(first..=last).unwrap_or_default() {
                    bytes = bytes.saturating_mul(self.size_argument(&definition.name, *size)?);
                }
                bytes.min(rest)
            }
            Some(Extent::Text) | None => rest,
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
            Some(Extent::Bytes(_) | Extent::Told(_) | Extent::Text) => u64::MAX,
            None => return self.gap(GapReason::library(&function.name, LibraryGap::UnknownBytesRead)),
        };
        self.check_text(&function.name, pointer, most)
    }

    /// Whether sizes say how many bytes a function looks at or writes behind a parameter.
    pub(super) fn has_sizes_behind(&self, function: FunctionId, parameter: u32) -> bool {
        let program = self.machine.program;
        matches!(extent(program, &program.functions[function], parameter as usize), Some(Extent::Sized { .. }))
    }

    /// How many bytes the arguments tell; nothing where there is no number.
    fn told(&mut self, function: &Function, length: Length, arguments: &[Value]) -> Step<Option<u64>> {
        let argument = |position: u32| arguments.get(position as usize).copied();
        match length {
            Length::ByType => Ok(None),
            Length::Constant(bytes) => Ok(Some(u64::from(bytes))),
            Length::Argument(told) => {
                let told = argument(told).unwrap_or(Value::UNSET);
                self.size_argument(&function.name, told).map(Some)
            }
            Length::Behind(told) => {
                let pointer = argument(told).unwrap_or(Value::ZERO);
                let register = function.parameters.get(told as usize);
                let pointee = register.and_then(|it| self.machine.program.pointee(function.registers[*it].ty));
                let Some(ty) = pointee.filter(|_| pointer != Value::ZERO) else { return Ok(None) };
                let scalar = self.machine.code.scalar(ty);
                let (object, offset) = self.locate(pointer, scalar.bytes(), Access::Read)?;
                let value = self.load_at(object, offset, scalar)?;
                self.size_argument(&function.name, value).map(Some)
            }
        }
    }

    /// Bytes whose number is told. Of what is written it is the most: whether more than there is room for is ever written is not known.
    fn check_told(
        &mut self,
        function: &Function,
        length: Length,
        pointer: Value,
        arguments: &[Value],
        access: Access,
    ) -> Step<()> {
        let Some(bytes) = self.told(function, length, arguments)?.filter(|bytes| *bytes > 0) else { return Ok(()) };
        if access == Access::Write {
            let is_at_most = match length {
                Length::ByType | Length::Constant(_) => false,
                Length::Argument(_) | Length::Behind(_) => true,
            };
            return match is_at_most && bytes > self.rest_of(pointer)? {
                true => self.gap(GapReason::library(&function.name, LibraryGap::UnknownExtent)),
                false => self.locate(pointer, bytes, access).map(drop),
            };
        }
        let (object, offset) = self.locate(pointer, bytes, access)?;
        if self.machine.options.uninitialised == Unasked::GoesOn || self.is_library(object) {
            return Ok(());
        }
        self.decide_arrival(object, offset, bytes)?;
        let contents = self.state.heap.object(object).contents();
        match (offset..offset + bytes).any(|at| contents.load(at, 1) == Loaded::Uninitialised) {
            true => self.gap(GapReason::library(&function.name, LibraryGap::RecordUnwritten)),
            false => Ok(()),
        }
    }

    fn check_extent(&mut self, function: &Function, parameter: usize, arguments: &[Value], access: Access) -> Step<()> {
        let Some(pointer @ (Value::Pointer(_) | Value::Int(0))) = arguments.get(parameter).copied() else {
            return Ok(());
        };
        match extent(self.machine.program, function, parameter) {
            // That it may not be null is said elsewhere.
            Some(Extent::Bytes(_) | Extent::Told(_)) | None if pointer == Value::ZERO => Ok(()),
            Some(Extent::Told(length)) => self.check_told(function, length, pointer, arguments, access),
            Some(Extent::Text) if pointer == Value::ZERO && access == Access::Read => Ok(()),
            Some(Extent::Bytes(bytes)) => self.locate(pointer, bytes, access).map(drop),
            Some(Extent::Sized { first, last }) => {
                let mut bytes: i128 = 1;
                for size in arguments.get(first..=last).unwrap_or_default() {
                    bytes = bytes.saturating_mul(self.integer_argument(&function.name, *size)?);
                }
                let bytes = u64::try_from(bytes).unwrap_or(u64::MAX >> 1);
                if bytes == 0 {
                    return Ok(());
                }
                // Of a text, as much is read as there is (`stpncpy`), or all that is said: it is not known which.
                if access == Access::Read && is_text(self.machine.program, function, parameter) {
                    self.check_text(&function.name, pointer, bytes)?;
                    if bytes > self.rest_of(pointer)? {
                        return self.gap(GapReason::library(&function.name, LibraryGap::UnknownExtent));
                    }
                }
                self.locate(pointer, bytes, access).map(drop)
            }
            Some(Extent::Text) if access == Access::Write => {
                self.gap(GapReason::library(&function.name, LibraryGap::UnknownExtent))
            }
            Some(Extent::Text) => self.check_text(&function.name, pointer, u64::MAX),
            None => Ok(()),
        }
    }
}

/// Whether a parameter points to characters, not to bytes of any kind.
fn is_text(program: &Program, function: &Function, parameter: usize) -> bool {
    let register = function.parameters.get(parameter);
    let pointee = register.and_then(|register| program.pointee(function.registers[*register].ty));
    pointee.is_some_and(|pointee| *program.ty(pointee) == Type::Int(IntType::Signed(1)))
}

/// What lies behind a parameter, as far as its type says; `None`: nothing that is known.
fn extent(program: &Program, function: &Function, parameter: usize) -> Option<Extent> {
    if let Body::Extern(effects) = &function.body
        && let told @ (Length::Constant(_) | Length::Argument(_) | Length::Behind(_)) =
            effects.length_behind(parameter as u32)
    {
        return Some(Extent::Told(told));
    }
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
