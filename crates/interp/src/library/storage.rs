//! How far storage of the library goes, and when it ends. What a result points to is one object of its type; a text ends at its
//! NUL, and a list of pointers at its null pointer: behind a place there is more if nothing up to it was zero.

use crate::access::Access;
use crate::contents::{CellValue, Loaded};
use crate::heap::{Holder, LibraryStorage, Life, Terminated};
use crate::inputs::{Among, Doubt, LIBRARY_SIZE, Origin, PointersInside};
use crate::machine::{Executor, Step};
use crate::state::{Issued, StorageGroup};
use crate::value::{ObjectId, Pointer, Value};
use heapwise_engine::Writer;
use heapwise_engine::reason::MemoryGap;
use heapwise_ir::{
    Body, ExternEffects, ExternResult, Function, FunctionId, Program, RecordKind, ResultStorage, Type, TypeId,
};
use std::rc::Rc;

/// Functions that give a text whose storage has so many bytes, whatever is in it.
const TEXTS_WITH_SIZE: [(&str, u64); 2] = [("ctime", 26), ("asctime", 26)];

impl Executor<'_, '_> {
    /// Says how far what a function returned goes.
    pub(crate) fn bound_result(&mut self, function: &Function, result: Value) {
        let Body::Extern(effects) = &function.body else { return };
        let ExternResult::Library { .. } = effects.result else { return };
        let program = self.machine.program;
        let pointee = function.result.and_then(|register| program.pointee(function.registers[register].ty));
        let size = TEXTS_WITH_SIZE.iter().find(|(name, _)| *name == function.name).map(|(_, size)| *size);
        self.bound_library(result, pointee, size);
        if let (Some(member), Some(ty), Value::Pointer(pointer)) = (&effects.non_empty, pointee, result)
            && let Some((offset, part)) = super::values::part_of(program, ty, Some(member))
            && let Loaded::Any(origin) = self.state.heap.object(pointer.object).contents().load(offset, 1)
        {
            let size = program.size_of(part).and_then(|size| u32::try_from(size).ok()).unwrap_or(u32::MAX);
            let last = origin.first.saturating_add(size.saturating_sub(1));
            self.set_among(origin.input, Among::TextWithin { first: origin.first, last });
        }
    }

    /// Says how far what a pointer in storage of the library points to goes.
    pub(crate) fn bound_inner(&mut self, object: ObjectId, offset: u64, pointer: Value) {
        let holder = self.state.heap.object(object);
        let ty = holder.library.map(|library| library.element).or(holder.view);
        let pointee = ty.and_then(|ty| pointee_at(self.machine.program, ty, offset));
        self.bound_library(pointer, pointee, None);
    }

    fn bound_library(&mut self, pointer: Value, pointee: Option<TypeId>, size: Option<u64>) {
        let program = self.machine.program;
        let (Some(id), Some(element)) = (pointer.object(), pointee) else { return };
        if !self.is_library(id) || self.state.heap.object(id).library.is_some() {
            return;
        }
        let unit = match program.ty(element) {
            Type::Int(int) if int.bytes() == 1 && size.is_none() => Some(1),
            Type::Pointer(_) => Some(u64::from(program.target.pointer_bytes)),
            Type::Int(_) | Type::Void | Type::Float(_) | Type::Array(..) | Type::Record(_) | Type::Function(_) => None,
        };
        let terminated = unit.map(|unit| Terminated { unit, reach: 0, is_closed: false });
        let object = self.state.heap.object_mut(id);
        object.library = Some(LibraryStorage { element, terminated });
        object.size = match terminated {
            Some(_) => LIBRARY_SIZE,
            None => size.or_else(|| program.size_of(element)).unwrap_or(0).min(LIBRARY_SIZE),
        };
    }

    /// An access to storage of the library that ends at a zero, up to `end`.
    pub(crate) fn reach_library(&mut self, id: ObjectId, end: u64, access: Access) -> Step<()> {
        let Some(library) = self.state.heap.object(id).library else { return Ok(()) };
        let Some(old @ Terminated { unit, .. }) = library.terminated else { return Ok(()) };
        let needed = end.div_ceil(unit) * unit;
        let mut new = old;
        if needed > old.reach {
            let mut before = (old.reach.saturating_sub(unit)..needed - unit).step_by(unit as usize);
            if old.is_closed || !before.all(|at| self.is_surely_nonzero(id, at, unit)) {
                return self.gap(MemoryGap::LibraryStorageExtent);
            }
            new.reach = needed;
        }
        // Where the end may be, it is still there when something else is written over it.
        let last = new.reach - unit;
        new.is_closed |= access == Access::Write && end > last && !self.is_surely_nonzero(id, last, unit);
        if new != old {
            self.state.heap.object_mut(id).library = Some(LibraryStorage { terminated: Some(new), ..library });
        }
        Ok(())
    }

    fn is_surely_nonzero(&self, id: ObjectId, offset: u64, len: u64) -> bool {
        let value = match self.state.heap.object(id).contents().load(offset, len) {
            Loaded::Bits(bits) => return bits != 0,
            Loaded::Value(value) => value,
            Loaded::Any(origin) => match self.state.inputs.seen(origin, len) {
                Some(value) => value,
                None => return false,
            },
            Loaded::Uninitialised | Loaded::Mixed => return false,
        };
        self.is_surely_not_zero(value)
    }

    /// Storage of the library that a call gave: what hangs together with it is written over, and storage that calls share is
    /// the same object again.
    pub(crate) fn issue(&mut self, effects: &ExternEffects, arguments: &[Value], result: Value) -> Value {
        let (Some(storage), Value::Pointer(pointer)) = (&effects.storage, result) else { return result };
        let group = match storage {
            ResultStorage::New => return result,
            ResultStorage::Shared(name) | ResultStorage::Changing(name) => StorageGroup::Named(name.clone()),
            ResultStorage::OfArgument(position) => {
                match arguments.get(*position as usize).and_then(|argument| argument.object()) {
                    Some(owner) => StorageGroup::PartOf(owner),
                    None => return result,
                }
            }
        };
        let heap = &self.state.heap;
        let known: Vec<Issued> = self.state.issued.iter().cloned().collect();
        let known: Vec<Issued> = known.into_iter().filter(|issued| heap.holds(issued.object, issued.birth)).collect();
        let (same, others): (Vec<Issued>, Vec<Issued>) = known.into_iter().partition(|issued| issued.group == group);
        for issued in &same {
            self.write_over(Value::Pointer(Pointer { object: issued.object, offset: 0 }));
        }
        let mut issued = others;
        let shared = matches!(storage, ResultStorage::Shared(_));
        let result = match same.first().filter(|_| shared) {
            Some(first) => Value::Pointer(Pointer { object: first.object, offset: 0 }),
            None => {
                if shared {
                    // The library keeps it.
                    self.state.heap.retain(result, Holder::Root);
                }
                let birth = self.state.heap.object(pointer.object).birth;
                issued.push(Issued { group, object: pointer.object, birth });
                result
            }
        };
        issued.extend(same);
        self.state.issued = Rc::new(issued);
        result
    }

    /// What storage of the library holds is not known any more.
    pub(crate) fn write_over(&mut self, pointer: Value) {
        let Value::Pointer(Pointer { object, .. }) = pointer else { return };
        if !self.is_library(object) || self.is_closed(object) {
            return;
        }
        let input = self.add_input(Writer::Elsewhere, Doubt::Some, PointersInside::Library);
        let value = CellValue::Any(Origin { input, first: 0 });
        self.state.heap.write(object, |contents, changes| contents.store_cell(0, LIBRARY_SIZE, value, changes));
        let object = self.state.heap.object_mut(object);
        if let Some(LibraryStorage { terminated: Some(terminated), .. }) = &mut object.library {
            *terminated = Terminated { reach: 0, is_closed: false, ..*terminated };
        }
    }

    /// Storage of the library that a function takes over (`fclose`) is gone; streams that were open at the start stay.
    /// A text that is taken over (`putenv`) is still there.
    pub(crate) fn close(&mut self, function: FunctionId, taken: &[u32], arguments: &[Value]) {
        let ended = taken.iter().filter(|parameter| !self.takes_bytes(function, **parameter)).copied();
        for argument in ended.collect::<Vec<_>>().into_iter().filter_map(|parameter| arguments.get(parameter as usize))
        {
            if let Value::Pointer(pointer) = argument
                && self.is_library(pointer.object)
                && !self.is_stream(pointer.object)
                && !self.is_closed(pointer.object)
            {
                let site = self.site();
                self.state.heap.kill(pointer.object, Life::Freed, site);
                let part = StorageGroup::PartOf(pointer.object);
                let parts: Vec<Issued> =
                    self.state.issued.iter().filter(|issued| issued.group == part).cloned().collect();
                for issued in parts {
                    if self.state.heap.holds(issued.object, issued.birth) && !self.is_closed(issued.object) {
                        self.state.heap.kill(issued.object, Life::Freed, site);
                    }
                }
            }
        }
    }

    /// Whether the object is storage of the library that is gone.
    pub(crate) fn is_closed(&self, object: ObjectId) -> bool {
        self.is_library(object) && self.state.heap.object(object).life != Life::Alive
    }
}

/// What a pointer at this place of a type points to.
fn pointee_at(program: &Program, ty: TypeId, offset: u64) -> Option<TypeId> {
    match program.ty(ty) {
        Type::Pointer(pointee) => offset.is_multiple_of(u64::from(program.target.pointer_bytes)).then_some(*pointee),
        Type::Array(element, _) => pointee_at(program, *element, offset.checked_rem(program.size_of(*element)?)?),
        Type::Record(record) => {
            let record = &program.records[*record];
            let mut inside = record.fields().iter().filter(|field| {
                let size = program.size_of(field.ty).unwrap_or(0);
                (field.offset..field.offset + size).contains(&offset)
            });
            let inner = |field: &heapwise_ir::Field| pointee_at(program, field.ty, offset - field.offset);
            match record.kind {
                RecordKind::Struct => inner(inside.next()?),
                RecordKind::Union => inside.find_map(inner),
            }
        }
        Type::Void | Type::Int(_) | Type::Float(_) | Type::Function(_) => None,
    }
}
