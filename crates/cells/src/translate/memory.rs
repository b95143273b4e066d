//! Loads, stores and storage. A place in a static or local object is a variable of its own; a place behind a pointer
//! variable is part of a cell.

use super::constants::{self, Environment, Known, Life, Object};
use super::inside::shift_of_type;
use super::kinds::{Scalar, block_kind, cell_kind, scalars, type_name};
use super::{Cursor, Instance, Pending, PendingSlot, Translator, may_fail};
use crate::atom::{Atom, Var};
use crate::program::KindId;
use crate::program::{
    Access, Command, Contents, DataExtent, Origin, Source, Variable, VariableSource, VariableStorage,
};
use heapwise_engine::Kind;
use heapwise_ir::{
    CompareOperator, CopySource, EdgeId, Extent, InitialContents, Initializer, Instruction, Mutability, NullResult,
    Operand, PathUse, Place, RegisterId, Storage, Type, TypeId,
};

/// Where a place lies.
pub(super) enum Spot {
    /// In an object whose address is known.
    Object(Object, i64),
    /// In what a variable points to.
    Cell(Var, i64),
    /// The access surely fails.
    Fails(Kind),
    /// It cannot be said.
    Gap(String),
}

/// What is at an offset of an object.
pub(super) enum Slot {
    /// A scalar with a variable of its own.
    Var(Var),
    /// Data that is not tracked.
    Data,
    Fails(Kind),
    Gap(String),
}

impl<'p> Translator<'p> {
    pub(super) fn spot(&mut self, instance: &Instance<'p>, environment: &Environment, place: &Place) -> Spot {
        let resolved = self.program.resolve(&place.path);
        let is_outside = resolved
            .as_ref()
            .is_some_and(|resolved| constants::leaves_an_array(environment, resolved, PathUse::Access));
        if is_outside {
            return match environment.operand(place.base) {
                Known::Int(_) => Spot::Fails(Kind::NullDereference),
                Known::Address(..) => Spot::Fails(Kind::OutOfBounds),
                _ => Spot::Gap("an index lies outside its array".into()),
            };
        }
        let Some(offset) = resolved.and_then(|resolved| constants::offset_of(environment, &resolved)) else {
            return match environment.operand(place.base) {
                Known::Int(_) => Spot::Fails(Kind::NullDereference),
                _ => Spot::Gap("an array is accessed at an index that is not known".into()),
            };
        };
        match environment.operand(place.base) {
            Known::Int(_) => Spot::Fails(Kind::NullDereference),
            Known::Function(_) => Spot::Gap("a function is accessed as data".into()),
            Known::Address(object, base) => Spot::Object(object, base.wrapping_add(offset)),
            Known::Defined | Known::Uninit | Known::MaybeUninit => {
                let var = place.base.register().and_then(|register| instance.vars.get(&register));
                match var {
                    Some(var) => Spot::Cell(*var, offset.wrapping_add(self.shift(*var))),
                    None => Spot::Gap("an integer is used as a pointer".into()),
                }
            }
        }
    }

    pub(super) fn load(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        cursor: &mut Cursor,
        target: RegisterId,
        place: &Place,
    ) {
        let size = self.program.size_of(place.ty).unwrap_or(0);
        match self.spot(instance, environment, place) {
            Spot::Object(object, offset) => {
                if self.is_library(object) && matches!(self.program.ty(place.ty), Type::Pointer(_)) {
                    self.write_register(instance, cursor, target, Source::Atom(Atom::Library));
                    return;
                }
                match self.slot(environment, object, offset, size) {
                    Slot::Var(var) => {
                        if !instance.vars.contains_key(&target) {
                            let purpose = crate::program::Purpose::Operation;
                            self.then(cursor, Command::Use { var, purpose });
                        }
                        self.write_register(instance, cursor, target, Source::Var(var));
                    }
                    Slot::Data => self.write_register(instance, cursor, target, Source::Atom(Atom::Opaque)),
                    Slot::Fails(kind) => self.close(cursor, Command::Fail { kind }),
                    Slot::Gap(reason) => self.close(cursor, Command::Gap { reason }),
                }
            }
            Spot::Cell(base, offset) => {
                let access = Access { offset, size };
                let target = instance.vars.get(&target).copied();
                self.load_cell(cursor, target, base, access);
            }
            Spot::Fails(kind) => self.close(cursor, Command::Fail { kind }),
            Spot::Gap(reason) => self.gap_after_touch(instance, environment, cursor, place.base, reason),
        }
    }

    /// Loads from a cell. A variable that points to other bytes than the link gets no cell.
    pub(super) fn load_cell(&mut self, cursor: &mut Cursor, target: Option<Var>, base: Var, access: Access) {
        let shift = self.link_shift(base, access);
        match target {
            Some(target) if Some(self.shift(target)) != shift => {
                let read = self.load_link(cursor, base, access);
                self.copy_var(cursor, target, read);
            }
            _ => self.close(cursor, Command::Load { target, base, access }),
        }
    }

    /// Loads from a cell, as the link holds it.
    pub(super) fn load_link(&mut self, cursor: &mut Cursor, base: Var, access: Access) -> Var {
        let read = self.temporary(cursor, access.offset);
        let shift = self.link_shift(base, access);
        if let Some(shift) = shift.filter(|shift| *shift != 0) {
            self.shifts.insert(read, shift);
        }
        self.then(cursor, Command::Load { target: Some(read), base, access });
        if shift.is_none() {
            self.escape_var(cursor, read);
        }
        read
    }

    /// Stores into a cell.
    pub(super) fn store_cell(&mut self, cursor: &mut Cursor, base: Var, access: Access, value: Source) {
        self.check_link(cursor, base, access, value);
        self.close(cursor, Command::Store { base, access, value });
    }

    /// Before a store: whether cells may pass.
    pub(super) fn check_link(&mut self, cursor: &mut Cursor, base: Var, access: Access, value: Source) {
        if let Source::Var(var) = value
            && (Some(self.shift(var)) != self.link_shift(base, access) || self.fields.contains_key(&var))
        {
            self.escape_var(cursor, var);
        }
    }

    /// How many bytes into cells a link points; `None` if the links that the access may be of do not agree.
    fn link_shift(&self, base: Var, access: Access) -> Option<i64> {
        let at = |bytes: i64| self.embedded.shift_at(access.offset.wrapping_add(bytes));
        match self.fields.get(&base) {
            None => Some(at(0)),
            Some(field) => {
                let (first, others) = field.places.split_first()?;
                others.iter().all(|place| at(*place) == at(*first)).then(|| at(*first))
            }
        }
    }

    /// A variable that only the commands of one edge know.
    pub(super) fn temporary(&mut self, cursor: &Cursor, offset: i64) -> Var {
        let source = match cursor.edge {
            Some(edge) => VariableSource::Local(edge, offset as u64),
            None => VariableSource::Register(RegisterId::from_u32(0)),
        };
        let storage = VariableStorage::Temporary;
        self.out.vars.push(Variable { name: "a copy".into(), storage, frame: Some(cursor.frame), source })
    }

    pub(super) fn store(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        cursor: &mut Cursor,
        place: &Place,
        value: Operand,
    ) {
        let size = self.program.size_of(place.ty).unwrap_or(0);
        match self.spot(instance, environment, place) {
            Spot::Object(object, offset) => match self.slot(environment, object, offset, size) {
                _ if self.is_read_only(object) => {
                    self.close(cursor, Command::Gap { reason: "a constant object is written".into() });
                }
                Slot::Var(var) => {
                    let source = self.source(instance, environment, value);
                    self.write_var(cursor, var, source);
                }
                Slot::Data => {
                    self.escape(
                        instance,
                        environment,
                        cursor,
                        value,
                        "a pointer to a cell is stored where it is not followed",
                    );
                    self.close(cursor, Command::Skip);
                }
                Slot::Fails(kind) => self.close(cursor, Command::Fail { kind }),
                Slot::Gap(reason) => self.close(cursor, Command::Gap { reason }),
            },
            Spot::Cell(base, offset) => {
                let value = self.source(instance, environment, value);
                self.store_cell(cursor, base, Access { offset, size }, value);
            }
            Spot::Fails(kind) => self.close(cursor, Command::Fail { kind }),
            Spot::Gap(reason) => self.gap_after_touch(instance, environment, cursor, place.base, reason),
        }
    }

    /// An access that cannot be followed; that its pointer is null or dangling is still seen.
    pub(super) fn gap_after_touch(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        cursor: &mut Cursor,
        base: Operand,
        reason: String,
    ) {
        if let Source::Var(base) = self.source(instance, environment, base) {
            let access = Access { offset: self.shift(base), size: 0 };
            self.then(cursor, Command::Load { target: None, base, access });
        }
        self.close(cursor, Command::Gap { reason });
    }

    fn write_var(&mut self, cursor: &mut Cursor, target: Var, source: Source) {
        match source {
            Source::Atom(value) => self.close(cursor, Command::Set { target, value }),
            Source::Var(source) => self.copy_var(cursor, target, source),
        }
    }

    pub(super) fn copy(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        cursor: &mut Cursor,
        place: &Place,
        source: &CopySource,
        extent: Extent,
    ) {
        let size = match extent {
            Extent::Type(ty) => self.program.size_of(ty),
            Extent::Bytes(operand) => match environment.operand(operand) {
                Known::Int(bytes) => u64::try_from(bytes).ok(),
                _ => None,
            },
            Extent::Common => None,
        };
        let Some(size) = size else {
            let reason = "an aggregate of unknown size is copied".into();
            return self.gap_after_touch(instance, environment, cursor, place.base, reason);
        };
        let contents = match source {
            CopySource::Fill(Operand::Int(0)) => Some(Contents::Zeroed),
            CopySource::Fill(_) | CopySource::Nondet => Some(Contents::Opaque),
            CopySource::Place(_) => None,
        };
        match (self.spot(instance, environment, place), contents, source) {
            (Spot::Cell(base, offset), Some(contents), _) => {
                self.close(cursor, Command::Fill { base, access: Access { offset, size }, contents });
            }
            (Spot::Object(object, offset), Some(contents), _) => {
                let value = match contents {
                    Contents::Zeroed => Atom::NULL,
                    Contents::Opaque | Contents::Uninitialised => Atom::Opaque,
                };
                self.fill_object(environment, cursor, object, offset, size, &mut |_| Some(Source::Atom(value)));
            }
            (Spot::Object(object, offset), None, CopySource::Place(from)) => {
                match self.spot(instance, environment, from) {
                    Spot::Object(other, from_offset) => {
                        self.copy_object(environment, cursor, (object, offset), (other, from_offset), size);
                    }
                    Spot::Cell(base, from_offset) => {
                        self.copy_from_cell(environment, cursor, (object, offset), (base, from_offset), size);
                    }
                    Spot::Fails(kind) => self.close(cursor, Command::Fail { kind }),
                    Spot::Gap(reason) => self.gap_after_touch(instance, environment, cursor, from.base, reason),
                }
            }
            (Spot::Cell(base, offset), None, CopySource::Place(from)) => {
                match (self.spot(instance, environment, from), extent) {
                    (Spot::Object(other, from_offset), _) => {
                        self.copy_into_cell(environment, cursor, (base, offset), (other, from_offset), size);
                    }
                    (Spot::Cell(other, from_offset), Extent::Type(ty)) => {
                        self.copy_cell(cursor, (base, offset), (other, from_offset), ty);
                    }
                    (Spot::Cell(..), Extent::Bytes(_) | Extent::Common) => {
                        let reason = "bytes are copied between cells".into();
                        self.gap_after_touch(instance, environment, cursor, from.base, reason);
                    }
                    (Spot::Fails(kind), _) => self.close(cursor, Command::Fail { kind }),
                    (Spot::Gap(reason), _) => {
                        self.gap_after_touch(instance, environment, cursor, from.base, reason);
                    }
                }
            }
            (Spot::Fails(kind), _, _) => self.close(cursor, Command::Fail { kind }),
            (Spot::Gap(reason), _, _) => {
                self.gap_after_touch(instance, environment, cursor, place.base, reason);
            }
            (Spot::Cell(..) | Spot::Object(..), None, CopySource::Fill(_) | CopySource::Nondet) => {
                self.close(cursor, Command::Skip);
            }
        }
    }

    pub(super) fn alloc(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        cursor: &mut Cursor,
        instruction: &Instruction,
        edge: EdgeId,
    ) {
        let Instruction::Alloc { target, bytes, storage, contents, failure, view } = instruction else { return };
        let contents = match contents {
            InitialContents::Uninitialised => Contents::Uninitialised,
            InitialContents::Zeroed => Contents::Zeroed,
            InitialContents::Nondet => Contents::Opaque,
        };
        let size = match environment.operand(*bytes) {
            Known::Int(bytes) => u64::try_from(bytes).ok(),
            _ => None,
        };
        if *storage == Storage::Auto {
            self.begin_auto(instance, environment, cursor, *target, contents, edge);
            return;
        }
        let Some(size) = size else {
            self.close(cursor, Command::Gap { reason: "a block of unknown size is allocated".into() });
            return;
        };
        let element = view.as_ref().filter(|view| view.count == Operand::Int(1) && !view.has_tail);
        let whole = element.is_some_and(|view| self.program.size_of(view.element) == Some(size));
        let ty = element.filter(|_| whole).map(|view| view.element);
        if let (None, Some(view)) = (ty, view)
            // Too few bytes for one are bytes: an access to what is not there is then out of bounds.
            && self.program.size_of(view.element).is_some_and(|bytes| bytes <= size)
            && self.kind_of(Some(view.element), size).is_ok_and(|kind| !self.out.kinds[kind].links.is_empty())
        {
            let reason = format!("an array (or a part) of `{}` is allocated", type_name(self.program, view.element));
            self.close(cursor, Command::Gap { reason });
            return;
        }
        match (self.kind_of(ty, size), instance.vars.get(target)) {
            (Err(reason), _) => self.close(cursor, Command::Gap { reason }),
            (Ok(_), None) => {
                self.close(cursor, Command::Gap { reason: "an address is allocated into an integer".into() });
            }
            (Ok(_), Some(var)) if self.shift(*var) != 0 => {
                let reason = format!("an array of pointers is allocated: `{}`", self.out.vars[*var].name);
                self.close(cursor, Command::Gap { reason });
            }
            (Ok(kind), Some(var)) => {
                if may_fail(self.options, *failure) {
                    let mut failing = Cursor { at: cursor.at, ..*cursor };
                    self.close(&mut failing, Command::Set { target: *var, value: Atom::NULL });
                }
                self.close(cursor, Command::Alloc { target: *var, kind, contents });
            }
        }
    }

    fn begin_auto(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        cursor: &mut Cursor,
        target: RegisterId,
        contents: Contents,
        edge: EdgeId,
    ) {
        let Some(auto) = self.autos.iter().position(|auto| auto.frame == instance.frame && auto.edge == Some(edge))
        else {
            return;
        };
        let object = Object::Auto(auto as u32);
        let value = match contents {
            Contents::Uninitialised => Atom::Uninit,
            Contents::Zeroed => Atom::NULL,
            Contents::Opaque => Atom::Opaque,
        };
        let address = self.place(super::Address::Object(object, 0));
        if let Some(var) = instance.vars.get(&target) {
            self.then(cursor, Command::Set { target: *var, value: address });
        }
        let mut slots = Vec::new();
        for scalar in self.object_scalars(object) {
            if let Slot::Var(var) = self.slot_of_scalar(object, &scalar) {
                slots.push(var);
            }
        }
        let _ = environment;
        self.autos[auto].slots.clone_from(&slots);
        let pending = Pending::Auto {
            from: cursor.at,
            to: cursor.to,
            span: cursor.span,
            frame: cursor.frame,
            edge,
            slots,
            value,
            life: None,
        };
        self.pending.push(PendingSlot { pending, globals: Vec::new() });
    }

    pub(super) fn end(&mut self, environment: &Environment, cursor: &mut Cursor, pointer: Operand) {
        match environment.operand(pointer) {
            Known::Address(Object::Auto(auto), 0) => {
                let mut vars = self.autos[auto as usize].slots.clone();
                vars.sort_unstable();
                let step = self.step(cursor, cursor.to, Command::EndScope { vars });
                self.ends.push((auto, step));
            }
            _ => self.close(cursor, Command::Gap { reason: "a local's storage ends that is not known".into() }),
        }
    }

    pub(super) fn free(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        cursor: &mut Cursor,
        pointer: Operand,
    ) {
        let command = match self.source(instance, environment, pointer) {
            Source::Var(pointer) if self.shift(pointer) != 0 => {
                let is_null = |operator| Command::Assume {
                    operator,
                    left: Source::Var(pointer),
                    right: Source::Atom(Atom::NULL),
                };
                let mut null = Cursor { ..*cursor };
                self.close(&mut null, is_null(CompareOperator::Equal));
                self.then(cursor, is_null(CompareOperator::NotEqual));
                Command::Fail { kind: Kind::InvalidFree }
            }
            Source::Var(pointer) => {
                if self.is_inside(pointer) {
                    self.escape_var(cursor, pointer);
                }
                Command::Free { pointer }
            }
            Source::Atom(Atom::NULL) => Command::Skip,
            Source::Atom(Atom::Opaque | Atom::Library) => {
                Command::Gap { reason: "a pointer is freed that is not followed".into() }
            }
            Source::Atom(_) => Command::Fail { kind: Kind::InvalidFree },
        };
        self.close(cursor, command);
    }

    /// The kind of cells of a type (or of plain bytes), made on first sight.
    pub(super) fn kind_of(&mut self, ty: Option<TypeId>, size: u64) -> Result<KindId, String> {
        if let Some(kind) = self.kinds.get(&(ty, size)) {
            return kind.clone();
        }
        let kind = match ty {
            Some(ty) => cell_kind(self.program, ty, size, self.links, &self.embedded),
            None => Ok(block_kind(self.program, format!("{size} bytes"), size)),
        };
        let kind = kind.map(|kind| self.out.kinds.push(kind));
        if let (Some(ty), Ok(kind)) = (ty, &kind)
            && self.program.size_of(ty) == Some(size)
        {
            self.out.record_kinds.insert(ty, *kind);
        }
        self.kinds.insert((ty, size), kind.clone());
        kind
    }

    pub(super) fn slot(&mut self, environment: &Environment, object: Object, offset: i64, size: u64) -> Slot {
        match life(environment, object) {
            Life::Alive => self.slot_at(object, offset, size),
            Life::Gone => Slot::Fails(Kind::UseAfterFree),
            Life::Perhaps => Slot::Gap("a local object is accessed that may not exist any more".into()),
        }
    }

    /// What is at an offset of an object, if the object exists.
    pub(super) fn slot_at(&mut self, object: Object, offset: i64, size: u64) -> Slot {
        let Some(object_size) = self.object_size(object) else {
            return Slot::Gap("an object of unknown size is accessed".into());
        };
        let inside = u64::try_from(offset).is_ok_and(|offset| offset.saturating_add(size) <= object_size);
        if !inside {
            return Slot::Fails(Kind::OutOfBounds);
        }
        let (start, end) = (offset as u64, offset as u64 + size);
        for scalar in self.object_scalars(object) {
            if scalar.offset == start && scalar.size == size && scalar.extent == DataExtent::Scalar {
                return self.slot_of_scalar(object, &scalar);
            }
            if scalar.offset < end && start < scalar.offset + scalar.size {
                let holds_pointer = holds_pointer(self.program, scalar.ty);
                let uninitialised = matches!(object, Object::Auto(_));
                return if holds_pointer || uninitialised {
                    Slot::Gap("part of a variable, an array or a union is accessed".into())
                } else {
                    Slot::Data
                };
            }
        }
        if matches!(object, Object::Auto(_)) {
            return Slot::Gap("a local object is accessed whose type is not known".into());
        }
        Slot::Data
    }

    pub(super) fn slot_of_scalar(&mut self, object: Object, scalar: &Scalar) -> Slot {
        let is_pointer = matches!(self.program.ty(scalar.ty), Type::Pointer(_));
        // Integers of globals always hold some value, of interest only in flags; those of locals may not.
        let is_tracked = match object {
            Object::Global(global) => is_pointer || self.flags.contains_global(global),
            Object::Auto(_) => true,
        };
        if scalar.extent == DataExtent::Aggregate || !is_tracked {
            return Slot::Data;
        }
        if let Some(var) = self.slots.get(&(object, scalar.offset)) {
            return Slot::Var(*var);
        }
        let name = if scalar.name.is_empty() {
            self.object_name(object)
        } else {
            format!("{}.{}", self.object_name(object), scalar.name)
        };
        let (storage, frame, source) = match object {
            Object::Global(global) => (VariableStorage::Global, None, VariableSource::Global(global, scalar.offset)),
            Object::Auto(auto) => {
                let auto = &self.autos[auto as usize];
                let source = auto.edge.map_or(VariableSource::Ghost, |edge| VariableSource::Local(edge, scalar.offset));
                (VariableStorage::Local, Some(auto.frame), source)
            }
        };
        let var = self.out.vars.push(Variable { name, storage, frame, source });
        if let Some(bytes) = shift_of_type(self.program, &self.embedded, scalar.ty).filter(|bytes| *bytes != 0) {
            self.shifts.insert(var, bytes);
        }
        self.slots.insert((object, scalar.offset), var);
        Slot::Var(var)
    }

    pub(super) fn object_scalars(&self, object: Object) -> Vec<Scalar> {
        let ty = match object {
            Object::Global(global) => Some(self.program.globals[global].ty),
            Object::Auto(auto) => self.autos[auto as usize].ty,
        };
        ty.map_or_else(Vec::new, |ty| scalars(self.program, ty))
    }

    pub(super) fn object_size(&self, object: Object) -> Option<u64> {
        match object {
            Object::Global(global) => Some(self.program.globals[global].size),
            Object::Auto(auto) => self.autos[auto as usize].size,
        }
    }

    pub(super) fn is_read_only(&self, object: Object) -> bool {
        matches!(object, Object::Global(global) if self.program.globals[global].mutability == Mutability::ReadOnly)
    }

    pub(super) fn is_library(&self, object: Object) -> bool {
        matches!(object, Object::Global(global)
            if matches!(self.program.globals[global].initializer, Initializer::Library(NullResult::Never)))
    }

    /// What the tracked scalars of globals hold before the program starts.
    pub(super) fn global_values(&mut self) -> Vec<(Var, Atom)> {
        let mut slots: Vec<(heapwise_ir::GlobalId, u64, Var)> = self
            .slots
            .iter()
            .filter_map(|((object, offset), var)| match object {
                Object::Global(global) => Some((*global, *offset, *var)),
                Object::Auto(_) => None,
            })
            .collect();
        slots.sort_unstable();
        let mut values = Vec::new();
        for (global, offset, var) in slots {
            if self.is_open(global) {
                values.push((var, Atom::Opaque));
                continue;
            }
            let value = match &self.program.globals[global].initializer {
                Initializer::Items(items) => match items.iter().find(|item| item.offset == offset) {
                    None => Atom::NULL,
                    Some(item) => match item.value {
                        Operand::Int(value) => Atom::int(value),
                        Operand::Global(target) => {
                            self.place(super::Address::Object(Object::Global(target), item.addend))
                        }
                        Operand::Function(function) => self.place(super::Address::Function(function)),
                        Operand::Register(_) | Operand::Float(_) => Atom::Opaque,
                    },
                },
                Initializer::Bytes(_) | Initializer::Unknown | Initializer::Library(_) => Atom::Opaque,
            };
            values.push((var, value));
        }
        values
    }

    /// A new point that belongs to no location.
    pub(super) fn between(&mut self, frame: u32) -> crate::program::Point {
        self.out.add_point(Origin { frame, location: None })
    }
}

/// Whether an object exists.
pub(super) fn life(environment: &Environment, object: Object) -> Life {
    match object {
        Object::Global(_) => Life::Alive,
        Object::Auto(auto) => environment.life(auto),
    }
}

/// Whether a value of a type holds a pointer.
fn holds_pointer(program: &heapwise_ir::Program, ty: TypeId) -> bool {
    match program.ty(ty) {
        Type::Pointer(_) => true,
        Type::Array(element, _) => holds_pointer(program, *element),
        Type::Record(record) => program.records[*record].fields().iter().any(|field| holds_pointer(program, field.ty)),
        Type::Void | Type::Int(_) | Type::Float(_) | Type::Function(_) => false,
    }
}
