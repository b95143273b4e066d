//! Memory: checked loads, stores and copies.

use crate::code::CompiledPlace;
use crate::contents::{CellValue, Loaded};
use crate::describe::count;
use crate::float;
use crate::heap::{Life, ObjectKind};
use crate::inputs::{Doubt, InputId, Origin, PointersInside};
use crate::integer;
use crate::machine::{Executor, Step, Stop, Unasked, low_bits};
use crate::value::{ObjectId, Scalar, Value};
use heapwise_engine::reason::{ArithmeticGap, MemoryGap, PointerGap};
use heapwise_engine::{AccessPlace, Answer, ChoiceQuestion, FailedAccess, InputSource, Kind, Writer};
use heapwise_ir::{BitRange, Initializer, IntType, NullResult, Operand, PathUse, TypeId};

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    /// Reads.
    Read,
    /// Writes.
    Write,
}

impl Access {
    fn verb(self) -> &'static str {
        match self {
            Access::Read => "read",
            Access::Write => "written",
        }
    }
}

/// Below this, an integer used as a pointer counts as null plus an offset, by the bytes of a pointer.
fn null_pages(word_bytes: u8) -> i128 {
    if word_bytes == 4 { 1 << 16 } else { 1 << 32 }
}

const ELSEWHERE: InputSource = InputSource::Bytes { writer: Writer::Elsewhere, offset: 0 };

impl Executor<'_, '_> {
    /// The object and offset of an access of `len` bytes, or the error that it is.
    pub(crate) fn locate(&mut self, pointer: Value, len: u64, access: Access) -> Step<(ObjectId, u64)> {
        let pointer = match self.known(pointer) {
            Value::Pointer(pointer) => pointer,
            value @ Value::Uninitialised(_) => {
                return self.uninitialised(value, "an uninitialised pointer is dereferenced");
            }
            Value::Int(address) => return self.locate_integer(address, len, access),
            Value::Function(function) => {
                let name = &self.machine.program.functions[function].name;
                return self.error(
                    Kind::OutOfBounds,
                    format!("the code of `{name}` is {} as data", access.verb()),
                    None,
                );
            }
            Value::Opaque => return self.gap(PointerGap::NondeterministicDereferenced),
            Value::Symbol(_) => return self.gap(PointerGap::FromInput),
            value @ (Value::Fragment(_) | Value::Float(_)) => {
                let address = self.integer(value)?;
                return self.locate_integer(address, len, access);
            }
        };
        let object = self.state.heap.object(pointer.object);
        let id = Some(pointer.object);
        match object.life {
            Life::Alive => {}
            Life::Freed | Life::Vacant => {
                let message = format!("{} is {} after it was freed", self.name_object(pointer.object), access.verb());
                return self.error(Kind::UseAfterFree, message, id);
            }
            Life::Ended => {
                let message =
                    format!("{} is {} after its lifetime ended", self.name_object(pointer.object), access.verb());
                return self.error(Kind::UseAfterFree, message, id);
            }
        }
        let end = i128::from(pointer.offset) + i128::from(len);
        if pointer.offset < 0 || end > i128::from(object.size) {
            if object.kind == ObjectKind::Library {
                return self.gap(MemoryGap::LibraryStorageExtent);
            }
            let message = format!(
                "{} {} {} at offset {} of {}, which has {}",
                count(len, "byte"),
                if len == 1 { "is" } else { "are" },
                access.verb(),
                pointer.offset,
                self.name_object(pointer.object),
                count(object.size, "byte"),
            );
            let place = AccessPlace::Object { offset: pointer.offset, size: object.size };
            return self.access_error(Kind::OutOfBounds, message, id, FailedAccess { bytes: len, place });
        }
        if object.kind == ObjectKind::Library && len > 0 {
            self.reach_library(pointer.object, pointer.offset as u64 + len, access)?;
        }
        let object = self.state.heap.object(pointer.object);
        if access == Access::Write {
            if let ObjectKind::Literal(_) = object.kind {
                return self.error(Kind::OutOfBounds, "a string literal is written: it is read-only", id);
            }
            if object.contents().is_too_large() {
                return self.gap(MemoryGap::TooLargeToFollow);
            }
        }
        Ok((pointer.object, pointer.offset as u64))
    }

    fn locate_integer(&mut self, address: i128, len: u64, access: Access) -> Step<(ObjectId, u64)> {
        let highest = integer::wrap(-1, IntType::Unsigned(self.machine.program.target.pointer_bytes as u8));
        if let Some((object, base)) =
            u64::try_from(address).ok().and_then(|address| self.state.heap.find_address(address))
        {
            let pointer = crate::value::Pointer { object, offset: (address - i128::from(base)) as i64 };
            return self.locate(Value::Pointer(pointer), len, access);
        }
        match address {
            0 => self.error(Kind::NullDereference, format!("memory is {} through a null pointer", access.verb()), None),
            address if address < null_pages(self.machine.word_bytes()) || address > highest - 4096 => {
                let signed = integer::wrap(address, IntType::Signed(self.machine.word_bytes()));
                // A member of a record to which a null pointer leads, or an element of an array.
                let message = format!("memory is {} through a null pointer, at offset {signed}", access.verb());
                self.error(Kind::NullDereference, message, None)
            }
            address => {
                let message = format!("memory is {} at address {address:#x}, where no object is", access.verb());
                let failed = FailedAccess { bytes: len, place: AccessPlace::Nowhere };
                self.access_error(Kind::OutOfBounds, message, None, failed)
            }
        }
    }

    /// How an error message names an object.
    pub(crate) fn name_object(&self, id: ObjectId) -> String {
        let object = self.state.heap.object(id);
        match object.kind {
            ObjectKind::Heap => match self.line_of(id) {
                Some(line) => format!("the heap object allocated at line {line}"),
                None => "a heap object".to_owned(),
            },
            ObjectKind::Auto => match object.site.and_then(|site| self.local_name(site)) {
                Some(name) => format!("the local `{name}`"),
                None => "a local object".to_owned(),
            },
            ObjectKind::Global(global) => format!("the global `{}`", self.machine.program.globals[global].name),
            ObjectKind::Literal(_) => "a string literal".to_owned(),
            ObjectKind::Environment => "the program's arguments".to_owned(),
            ObjectKind::Library => "storage of the library".to_owned(),
        }
    }

    /// Loads a scalar.
    pub(crate) fn load(&mut self, base: Operand, place: &CompiledPlace) -> Step<Value> {
        let pointer = Scalar::Pointer(self.machine.program.target.pointer_bytes as u8);
        let base = self.operand(base, pointer);
        let bytes = match (base, place.indices.as_slice()) {
            (Value::Pointer(table), &[(operand, stride)]) if self.is_character_table(table.object) => {
                let index = self.operand(operand, Scalar::Int(IntType::Signed(8)));
                i128::from(place.offset) + self.table_index(table, index, stride)? * i128::from(stride)
            }
            _ => self.path_bytes(place)?,
        };
        let address = self.place_address(base, bytes)?;
        let size = place.scalar.bytes();
        if let Some(bits) = place.bits {
            let (offset_bytes, unit, bits) = self.shrink_unit(address, size, bits)?;
            let (object, offset) = self.locate(offset_bytes, unit, Access::Read)?;
            self.check_bounds(place, PathUse::Access, base)?;
            return self.load_bit_field(object, offset, unit, bits, place.scalar);
        }
        let (object, offset) = self.locate(address, size, Access::Read)?;
        self.check_bounds(place, PathUse::Access, base)?;
        self.load_at(object, offset, place.scalar)
    }

    /// The address of a place: moving an uninitialised pointer is dereferencing it here.
    pub(crate) fn place_address(&mut self, base: Value, bytes: i128) -> Step<Value> {
        match base {
            Value::Uninitialised(_) => self.uninitialised(base, "an uninitialised pointer is dereferenced"),
            base => self.add_bytes(base, bytes),
        }
    }

    /// A bit-field's storage unit may stick out of a packed object: access only the bytes that hold its bits.
    fn shrink_unit(&mut self, address: Value, size: u64, bits: BitRange) -> Step<(Value, u64, BitRange)> {
        let first = u64::from(bits.shift) / 8;
        let last = (u64::from(bits.shift) + u64::from(bits.width)).div_ceil(8).max(first + 1).min(size.max(1));
        let moved = self.add_bytes(address, i128::from(first))?;
        Ok((moved, last - first, BitRange { shift: bits.shift - (first * 8) as u8, width: bits.width }))
    }

    /// Loads a scalar that is known to lie within its object.
    pub(crate) fn load_at(&mut self, object: ObjectId, offset: u64, scalar: Scalar) -> Step<Value> {
        let size = scalar.bytes();
        if size == 0 {
            return self.gap(MemoryGap::NoScalarLoaded);
        }
        match self.state.heap.object(object).contents().load(offset, size) {
            Loaded::Bits(bits) => self.bits_as(bits, scalar),
            Loaded::Uninitialised => self.load_unset(object, offset, scalar),
            Loaded::Value(value) => self.retype(value, object, offset, scalar),
            Loaded::Any(origin) => self.load_any(object, offset, origin, scalar),
            Loaded::Mixed => {
                self.make_plain(object, offset, size)?;
                match self.state.heap.object(object).contents().load(offset, size) {
                    Loaded::Bits(bits) => self.bits_as(bits, scalar),
                    Loaded::Uninitialised | Loaded::Value(_) | Loaded::Any(_) | Loaded::Mixed => {
                        self.load_unset(object, offset, scalar)
                    }
                }
            }
        }
    }

    pub(crate) fn bits_as(&mut self, bits: u128, scalar: Scalar) -> Step<Value> {
        match scalar {
            Scalar::Int(IntType::Bool) => Ok(Value::Int((bits & 0xff) as i128)),
            Scalar::Int(int) => Ok(Value::Int(integer::wrap(bits as i128, int))),
            Scalar::Pointer(bytes) => Ok(Value::Int(integer::wrap(bits as i128, IntType::Unsigned(bytes)))),
            Scalar::Float(float) => match float::from_bits(bits, float) {
                Some(value) => Ok(Value::Float(value)),
                None => self.gap(ArithmeticGap::LongDouble),
            },
            Scalar::None => Ok(Value::UNSET),
        }
    }

    /// Bytes that were never written, at least some of them.
    fn load_unset(&mut self, object: ObjectId, offset: u64, scalar: Scalar) -> Step<Value> {
        match self.machine.options.uninitialised {
            Unasked::Ends => Ok(Value::Uninitialised(self.site())),
            Unasked::GoesOn => {
                let input = self.add_input(Writer::Nobody, Doubt::None, PointersInside::Opaque);
                let contents = self.state.heap.object(object).contents();
                let unset: Vec<u64> = (offset..offset + scalar.bytes())
                    .filter(|at| contents.load(*at, 1) == Loaded::Uninitialised)
                    .collect();
                self.state.heap.write(object, |contents, changes| {
                    for at in unset {
                        let origin = Origin { input, first: (at - offset) as u32 };
                        contents.store_cell(at, 1, CellValue::Any(origin), changes);
                    }
                });
                self.load_filled(object, offset, input, scalar)
            }
        }
    }

    /// The same bytes, once they are any: where none of them was written, one input stands for all.
    fn load_filled(&mut self, object: ObjectId, offset: u64, input: InputId, scalar: Scalar) -> Step<Value> {
        let size = scalar.bytes();
        let contents = self.state.heap.object(object).contents();
        let is_new = |cell: crate::contents::Cell| {
            matches!(cell.value, CellValue::Any(origin) if origin.input == input) && cell.len == 1
        };
        let n_new = contents.cells_in(offset, size).filter(|cell| is_new(*cell)).count() as u64;
        if n_new == size {
            let value = self.read_input(Origin { input, first: 0 }, scalar)?;
            self.write_value(object, offset, scalar, value)?;
            return Ok(value);
        }
        self.make_plain(object, offset, size)?;
        match self.state.heap.object(object).contents().load(offset, size) {
            Loaded::Bits(bits) => self.bits_as(bits, scalar),
            Loaded::Uninitialised | Loaded::Value(_) | Loaded::Any(_) | Loaded::Mixed => {
                self.gap(MemoryGap::PartlyWritten)
            }
        }
    }

    /// A stored value read as another type.
    fn retype(&mut self, value: Value, object: ObjectId, offset: u64, scalar: Scalar) -> Step<Value> {
        match (self.known(value), scalar) {
            (Value::Int(number), _) => {
                let bits = number as u128 & low_bits(scalar.bytes() as u32 * 8);
                self.bits_as(bits, scalar)
            }
            (Value::Symbol(term), Scalar::Int(int)) => self.fit(term, int),
            (value @ (Value::Pointer(_) | Value::Function(_) | Value::Opaque), Scalar::Int(_) | Scalar::Pointer(_)) => {
                Ok(value)
            }
            (value @ Value::Fragment(_), Scalar::Int(int)) if int != IntType::Bool => Ok(value),
            _ => {
                self.make_plain(object, offset, scalar.bytes())?;
                self.load_at(object, offset, scalar)
            }
        }
    }

    /// Bytes that nobody has looked at yet become an input.
    fn load_any(&mut self, object: ObjectId, offset: u64, origin: Origin, scalar: Scalar) -> Step<Value> {
        let value = match self.state.heap.object(object).kind {
            ObjectKind::Global(global) => match self.machine.program.globals[global].initializer {
                // Other code may change an extern variable, so every read of it is a new input. Whether that code is ever
                // run in between is not known: what depends on the value is only possible.
                Initializer::Unknown => {
                    let value = self.nondet_scalar(scalar, ELSEWHERE)?;
                    self.doubt(value, Doubt::Some);
                    return Ok(value);
                }
                Initializer::Library(null) if matches!(scalar, Scalar::Pointer(_)) => self.library_variable(null)?,
                Initializer::Library(_) | Initializer::Items(_) | Initializer::Bytes(_) => {
                    self.read_input(origin, scalar)?
                }
            },
            ObjectKind::Heap
            | ObjectKind::Auto
            | ObjectKind::Literal(_)
            | ObjectKind::Environment
            | ObjectKind::Library => self.read_input(origin, scalar)?,
        };
        self.bound_inner(object, offset, value);
        if !self.state.heap.object(object).contents().is_too_large() {
            self.write_value(object, offset, scalar, value)?;
        }
        Ok(value)
    }

    /// What a variable of the library holds: it stays the same, and so do the bytes behind it.
    fn library_variable(&mut self, null: NullResult) -> Step<Value> {
        let options = [Answer::Null, Answer::NotNull];
        let question = ChoiceQuestion::Input(ELSEWHERE);
        if null == NullResult::Possible && self.ask(crate::chooser::Question::Input, question, &options)? == 0 {
            return Ok(Value::ZERO);
        }
        let input = self.add_input(Writer::Elsewhere, Doubt::None, PointersInside::Library);
        Ok(self.library_pointer(input))
    }

    fn load_bit_field(
        &mut self,
        object: ObjectId,
        offset: u64,
        size: u64,
        bits: BitRange,
        scalar: Scalar,
    ) -> Step<Value> {
        self.make_plain(object, offset, size)?;
        let (value, mask) = self.state.heap.object(object).contents().load_bits(offset, size);
        let wanted = low_bits(u32::from(bits.width)) << bits.shift;
        if mask & wanted != wanted {
            return match self.machine.options.uninitialised {
                Unasked::Ends => Ok(Value::Uninitialised(self.site())),
                Unasked::GoesOn => self.gap(MemoryGap::BitFieldUnwritten),
            };
        }
        let raw = (value & wanted) >> bits.shift;
        Ok(Value::Int(match scalar {
            Scalar::Int(IntType::Signed(_)) if bits.width > 0 => {
                let unused = 128 - u32::from(bits.width);
                (raw as i128) << unused >> unused
            }
            _ => raw as i128,
        }))
    }

    /// Fixes everything in a range that has no plain bytes.
    pub(crate) fn make_plain(&mut self, object: ObjectId, offset: u64, len: u64) -> Step<()> {
        let cells: Vec<_> = self.state.heap.object(object).contents().cells_in(offset, len).collect();
        for cell in cells {
            match cell.value {
                CellValue::Any(origin) => {
                    let start = u64::from(cell.offset).max(offset);
                    let end = (u64::from(cell.offset) + u64::from(cell.len)).min(offset + len);
                    for at in start..end {
                        self.check_budget()?;
                        let byte = self.input_byte(origin.shifted((at - u64::from(cell.offset)) as u32))?;
                        self.write_bits(object, at, 1, u128::from(byte));
                    }
                }
                CellValue::Value(value) => {
                    let number = self.integer(value)?;
                    self.write_bits(object, u64::from(cell.offset), u64::from(cell.len), number as u128);
                }
            }
        }
        Ok(())
    }

    fn write_bits(&mut self, object: ObjectId, offset: u64, len: u64, bits: u128) {
        self.state.heap.write(object, |contents, changes| contents.store_bits(offset, len, bits, changes));
    }

    /// Fixes symbols that a write or copy would cut in two.
    pub(crate) fn protect_edges(&mut self, object: ObjectId, offset: u64, len: u64) -> Step<()> {
        let cut = |cell: &crate::contents::Cell| {
            let (start, end) = (u64::from(cell.offset), u64::from(cell.offset) + u64::from(cell.len));
            let is_symbol = matches!(cell.value, CellValue::Value(Value::Symbol(_)));
            is_symbol && (start < offset || end > offset + len)
        };
        let cells: smallvec::SmallVec<[crate::contents::Cell; 2]> =
            self.state.heap.object(object).contents().cells_in(offset, len).filter(cut).collect();
        for cell in cells {
            self.make_plain(object, u64::from(cell.offset), u64::from(cell.len))?;
        }
        Ok(())
    }

    /// Stores a scalar.
    pub(crate) fn store(&mut self, base: Operand, place: &CompiledPlace, value: Operand) -> Step<()> {
        let value = self.operand(value, place.scalar);
        let bytes = self.path_bytes(place)?;
        let pointer = Scalar::Pointer(self.machine.program.target.pointer_bytes as u8);
        let base = self.operand(base, pointer);
        let address = self.place_address(base, bytes)?;
        let size = place.scalar.bytes();
        if let Some(bits) = place.bits {
            let (address, unit, bits) = self.shrink_unit(address, size, bits)?;
            let (object, offset) = self.locate(address, unit, Access::Write)?;
            self.check_bounds(place, PathUse::Access, base)?;
            return self.store_bit_field(object, offset, unit, bits, value);
        }
        if size == 0 {
            return self.gap(MemoryGap::NoScalarStored);
        }
        let (object, offset) = self.locate(address, size, Access::Write)?;
        self.check_bounds(place, PathUse::Access, base)?;
        self.write_value(object, offset, place.scalar, value)
    }

    fn store_bit_field(&mut self, object: ObjectId, offset: u64, size: u64, bits: BitRange, value: Value) -> Step<()> {
        self.make_plain(object, offset, size)?;
        let mask = low_bits(u32::from(bits.width)) << bits.shift;
        if value.is_uninitialised() {
            // Copying an uninitialised value is no use of it.
            let (old, written) = self.state.heap.object(object).contents().load_bits(offset, size);
            self.state.heap.write(object, |contents, changes| {
                contents.store_uninitialised(offset, size, changes);
                contents.store_masked(offset, size, old, written & !mask);
            });
            return Ok(());
        }
        let value = self.integer(value)?;
        self.state
            .heap
            .write(object, |contents, _| contents.store_masked(offset, size, (value as u128) << bits.shift, mask));
        Ok(())
    }

    /// Writes a scalar that is known to lie within its object.
    pub(crate) fn write_value(&mut self, object: ObjectId, offset: u64, scalar: Scalar, value: Value) -> Step<()> {
        let size = scalar.bytes();
        self.protect_edges(object, offset, size)?;
        match (value, scalar) {
            (Value::Int(value), _) => self.write_bits(object, offset, size, value as u128),
            (Value::Float(value), Scalar::Float(float)) => {
                self.write_bits(object, offset, size, float::to_bits(value, float));
            }
            (Value::Float(value), _) => self.write_bits(object, offset, size, u128::from(value.to_bits())),
            (Value::Uninitialised(_), _) => {
                self.state.heap.write(object, |contents, changes| contents.store_uninitialised(offset, size, changes));
            }
            (value, _) => {
                self.state.heap.write(object, |contents, changes| {
                    contents.store_cell(offset, size, CellValue::Value(value), changes);
                });
            }
        }
        Ok(())
    }

    /// Copies bytes between objects; overlap is fine.
    pub(crate) fn copy_bytes(&mut self, to: Value, from: Value, len: u64) -> Step<()> {
        if len == 0 {
            return Ok(());
        }
        let (source, source_offset) = self.locate(from, len, Access::Read)?;
        let (target, target_offset) = self.locate(to, len, Access::Write)?;
        if self.state.heap.object(source).contents().is_too_large() {
            return self.gap(MemoryGap::TooLargeToCopy);
        }
        // Steps look at the clock every now and then only; long ones look by themselves.
        const LONG: u64 = 1 << 14;
        if len >= LONG {
            self.machine.check_budget_now().map_err(Stop::Exhausted)?;
        }
        self.protect_edges(source, source_offset, len)?;
        self.protect_edges(target, target_offset, len)?;
        let piece = self.state.heap.object(source).contents().extract(source_offset, len);
        self.state.heap.write(target, |contents, changes| contents.insert(target_offset, piece, changes));
        Ok(())
    }

    /// An object of this type was initialised: what lies between its members C leaves open.
    pub(crate) fn forget_padding(&mut self, to: Value, len: u64, ty: TypeId) -> Step<()> {
        let padding = self.machine.program.padding(ty);
        if padding.is_empty() {
            return Ok(());
        }
        let (object, offset) = self.locate(to, len, Access::Write)?;
        let input = self.add_input(Writer::Padding, Doubt::None, PointersInside::Opaque);
        self.state.heap.write(object, |contents, changes| {
            for (start, len) in padding {
                let value = CellValue::Any(Origin { input, first: start as u32 });
                contents.store_cell(offset + start, len, value, changes);
            }
        });
        Ok(())
    }

    /// Fills bytes with one value, or with any bytes.
    pub(crate) fn fill_bytes(&mut self, to: Value, len: u64, value: FillValue) -> Step<()> {
        if len == 0 {
            return Ok(());
        }
        let (target, offset) = self.locate(to, len, Access::Write)?;
        self.protect_edges(target, offset, len)?;
        match value {
            FillValue::Any(input) => self.state.heap.write(target, |contents, changes| {
                contents.store_cell(offset, len, CellValue::Any(Origin { input, first: 0 }), changes);
            }),
            FillValue::Byte(byte) => {
                // An object may have as many bytes as there is memory.
                const AT_ONCE: usize = 4096;
                let end = offset + len;
                for start in (offset..end).step_by(AT_ONCE) {
                    self.check_budget()?;
                    self.state.heap.write(target, |contents, changes| {
                        for at in start..end.min(start + AT_ONCE as u64) {
                            contents.store_bits(at, 1, u128::from(byte), changes);
                        }
                    });
                }
            }
        }
        Ok(())
    }
}

/// What bytes are filled with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FillValue {
    /// This byte.
    Byte(u8),
    /// The bytes of an input.
    Any(InputId),
}
