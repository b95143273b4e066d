//! Which values behind its arguments a function without a body looks at: one that was never written is used there.

use crate::access::Access;
use crate::contents::Loaded;
use crate::machine::{Executor, Step, Unasked, low_bits};
use crate::value::{ObjectId, Value};
use heapwise_engine::Kind;
use heapwise_engine::reason::{GapReason, LibraryGap};
use heapwise_ir::{Body, Field, FloatType, Function, Program, ReadFirst, RecordKind, Type, TypeId};

/// What its model says that a function does behind a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    /// It only reads.
    In,
    /// It only writes.
    Out,
}

/// Which values a function looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ValuesRead {
    /// None.
    Nowhere,
    /// All of them.
    Everywhere,
    /// Some of them: which is not known.
    Somewhere,
}

/// Which values a function looks at behind a parameter that points to `pointee`.
fn values_read(direction: Direction, pointee: &Type) -> ValuesRead {
    match (direction, pointee) {
        (Direction::Out, _) => ValuesRead::Nowhere,
        (Direction::In, Type::Record(_) | Type::Array(..)) => ValuesRead::Somewhere,
        (Direction::In, Type::Int(_) | Type::Float(_) | Type::Pointer(_)) => ValuesRead::Everywhere,
        (Direction::In, Type::Void | Type::Function(_)) => ValuesRead::Nowhere,
    }
}

impl Executor<'_, '_> {
    /// Whether the values that a function looks at behind an argument were written. Bytes are looked at elsewhere: how many
    /// there are is not in their type.
    pub(super) fn check_values(
        &mut self,
        function: &Function,
        parameter: usize,
        arguments: &[Value],
        direction: Direction,
    ) -> Step<()> {
        let program = self.machine.program;
        let Some(pointer @ Value::Pointer(_)) = arguments.get(parameter).copied() else { return Ok(()) };
        let register = function.parameters.get(parameter);
        let Some(ty) = register.and_then(|register| program.pointee(function.registers[*register].ty)) else {
            return Ok(());
        };
        let is_byte = matches!(program.ty(ty), Type::Int(int) if int.bytes() == 1);
        let read = values_read(direction, program.ty(ty));
        let Some(size) = program.size_of(ty).filter(|_| !is_byte && read != ValuesRead::Nowhere) else { return Ok(()) };
        let (object, offset) = self.locate(pointer, size, Access::Read)?;
        if self.machine.options.uninitialised == Unasked::GoesOn || self.is_library(object) {
            return Ok(());
        }
        let name = &function.name;
        self.decide_arrival(object, offset, size)?;
        match read {
            ValuesRead::Nowhere => Ok(()),
            ValuesRead::Everywhere | ValuesRead::Somewhere if !self.is_unset(object, offset, ty) => Ok(()),
            ValuesRead::Everywhere => {
                self.error(Kind::Uninitialised, format!("`{name}` reads what was never written"), Some(object))
            }
            ValuesRead::Somewhere => self.gap(GapReason::library(name, LibraryGap::RecordUnwritten)),
        }
    }

    /// Whether a value that a function reads before it writes it is there.
    pub(super) fn check_read_first(&mut self, function: &Function, read: &ReadFirst, arguments: &[Value]) -> Step<()> {
        let program = self.machine.program;
        let parameter = read.parameter as usize;
        let Some(pointer @ Value::Pointer(_)) = arguments.get(parameter).copied() else { return Ok(()) };
        let register = function.parameters.get(parameter);
        let pointee = register.and_then(|register| program.pointee(function.registers[*register].ty));
        let part = pointee.and_then(|ty| part_of(program, ty, read.member.as_deref()));
        let name = &function.name;
        let Some((shift, ty)) = part else {
            return self.gap(GapReason::library(name, LibraryGap::UnknownRead));
        };
        let is_null = |parameter: u32| arguments.get(parameter as usize) == Some(&Value::ZERO);
        let is_without_one = match &function.body {
            Body::Extern(effects) => effects.dereferences.iter().any(|dereference| is_null(dereference.parameter)),
            Body::Defined(_) => false,
        };
        let read = match program.ty(ty) {
            Type::Void | Type::Function(_) => return self.check_text_first(function, parameter, arguments),
            Type::Int(int) if int.bytes() == 1 && read.member.is_none() => {
                return self.check_text_first(function, parameter, arguments);
            }
            // Without its other argument a function may not look at all.
            _ if is_without_one => ValuesRead::Somewhere,
            other => values_read(Direction::In, other),
        };
        let Some(size) = program.size_of(ty) else { return Ok(()) };
        let (object, offset) = self.locate(pointer, shift + size, Access::Read)?;
        if self.machine.options.uninitialised == Unasked::GoesOn || self.is_library(object) {
            return Ok(());
        }
        self.decide_arrival(object, offset + shift, size)?;
        match read {
            ValuesRead::Everywhere | ValuesRead::Somewhere if !self.is_unset(object, offset + shift, ty) => Ok(()),
            ValuesRead::Everywhere => {
                self.error(Kind::Uninitialised, format!("`{name}` reads what was never written"), Some(object))
            }
            ValuesRead::Somewhere => self.gap(GapReason::library(name, LibraryGap::PerhapsReadsUnwritten)),
            ValuesRead::Nowhere => Ok(()),
        }
    }

    /// Whether some value of this type at this place, padding aside, was never written.
    fn is_unset(&self, object: ObjectId, offset: u64, ty: TypeId) -> bool {
        let program = self.machine.program;
        let is_some_byte_unset = |size: u64| {
            let contents = self.state.heap.object(object).contents();
            (offset..offset + size).any(|at| contents.load(at, 1) == Loaded::Uninitialised)
        };
        match program.ty(ty) {
            Type::Void | Type::Function(_) => false,
            Type::Float(FloatType::Extended) => is_some_byte_unset(10),
            Type::Int(_) | Type::Float(_) | Type::Pointer(_) => is_some_byte_unset(program.size_of(ty).unwrap_or(0)),
            Type::Array(element, count) => {
                let size = program.size_of(*element).unwrap_or(0);
                (0..count.unwrap_or(0)).any(|index| self.is_unset(object, offset + index * size, *element))
            }
            Type::Record(record) => {
                let record = &program.records[*record];
                let mut fields = record.fields().iter();
                match record.kind {
                    RecordKind::Struct => fields.any(|field| self.is_field_unset(object, offset, field)),
                    // Which member counts is not known: one that was written is enough.
                    RecordKind::Union => {
                        !record.fields().is_empty() && fields.all(|field| self.is_field_unset(object, offset, field))
                    }
                }
            }
        }
    }

    fn is_field_unset(&self, object: ObjectId, offset: u64, field: &Field) -> bool {
        let at = offset + field.offset;
        let Some(bits) = field.bits else { return self.is_unset(object, at, field.ty) };
        let first = u64::from(bits.shift) / 8;
        let len = (u64::from(bits.shift) + u64::from(bits.width)).div_ceil(8).max(first + 1) - first;
        let contents = self.state.heap.object(object).contents();
        if contents.cells_in(at + first, len).next().is_some() {
            return false;
        }
        let wanted = low_bits(u32::from(bits.width)) << (u64::from(bits.shift) - 8 * first);
        let (_, mask) = contents.load_bits(at + first, len);
        mask & wanted != wanted
    }
}

/// Where a member of a type lies, and its type; without a member, all of it.
pub(super) fn part_of(program: &Program, ty: TypeId, member: Option<&str>) -> Option<(u64, TypeId)> {
    let Some(member) = member else { return Some((0, ty)) };
    let Type::Record(record) = program.ty(ty) else { return None };
    let field = program.records[*record].fields().iter().find(|field| field.name == member && field.bits.is_none())?;
    Some((field.offset, field.ty))
}
