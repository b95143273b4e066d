//! Loads, stores and storage. A place in a static or local object is a variable of its own; a place behind a pointer
//! variable is part of a cell.

use super::constants::{self, Environment, Known, Object};
use super::kinds::{block_kind, cell_kind, type_name};
use super::transfer::{Stretch, Written};
use super::{Cursor, Instance, Pending, PendingStretch, Translator, may_fail};
use crate::atom::{Atom, Var};
use crate::program::KindId;
use crate::program::{
    Access, Command, Contents, Declared, Origin, Purpose, Source, StepId, TouchPurpose, Untracked, Variable,
    VariableSource, VariableStorage,
};
use heapwise_engine::Kind;
use heapwise_engine::reason::{GapReason, MemoryGap, PointerGap};
use heapwise_ir::{
    CompareOperator, CopySource, EdgeId, Extent, InitialContents, Instruction, Operand, PathUse, Place, RegisterId,
    Storage, Type, TypeId,
};

/// Where a place lies.
pub(super) enum Spot {
    /// There.
    At(Stretch),
    /// The access surely fails.
    Fails(Kind),
    /// It cannot be said.
    Gap(GapReason),
}

/// What becomes of a number that is loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Read {
    /// It is used.
    Used,
    /// It may be copied only.
    Copied,
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
                _ => Spot::Gap(MemoryGap::IndexOutside.into()),
            };
        }
        let Some(offset) = resolved.and_then(|resolved| constants::offset_of(environment, &resolved)) else {
            return match environment.operand(place.base) {
                Known::Int(_) => Spot::Fails(Kind::NullDereference),
                _ => Spot::Gap(MemoryGap::UnknownIndex.into()),
            };
        };
        let offset = offset.wrapping_add(bytes_before(place));
        match environment.operand(place.base) {
            Known::Int(_) => Spot::Fails(Kind::NullDereference),
            Known::Function(_) => Spot::Gap(MemoryGap::FunctionAsData.into()),
            Known::Address(object, base) => Spot::At(Stretch::Object(object, base.wrapping_add(offset))),
            Known::Defined | Known::Uninit | Known::MaybeUninit => {
                let var = place.base.register().and_then(|register| instance.vars.get(&register));
                match var {
                    Some(var) => Spot::At(Stretch::Cell(*var, offset.wrapping_add(self.shift(*var)))),
                    None => Spot::Gap(PointerGap::FromInteger.into()),
                }
            }
        }
    }

    /// A pointer of a type to storage of the library, which is one of what it points to.
    pub(super) fn library(&self, pointer: Option<TypeId>) -> Atom {
        let pointee = pointer.and_then(|pointer| self.program.pointee(pointer));
        let bytes = pointee.and_then(|pointee| self.program.size_of(pointee)).unwrap_or(0);
        Atom::Library(u32::try_from(bytes).unwrap_or(0))
    }

    /// How many bytes a scalar at a place has: of a bit-field, those that its bits lie in.
    fn scalar_size(&self, place: &Place) -> u64 {
        match place.bits {
            None => self.program.size_of(place.ty).unwrap_or(0),
            Some(bits) => super::kinds::bytes_of_bits(bits).1,
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
        let size = self.scalar_size(place);
        let is_copied = cursor.edge.is_some_and(|edge| self.results.copied(instance.function).contains(&edge));
        let read = if is_copied { Read::Copied } else { Read::Used };
        match self.spot(instance, environment, place) {
            Spot::At(Stretch::Object(object, offset)) => {
                if self.is_library(object) && matches!(self.program.ty(place.ty), Type::Pointer(_)) {
                    let library = self.library(Some(place.ty));
                    self.write_register(instance, cursor, target, Source::Atom(library));
                    return;
                }
                match self.read_object(cursor, (object, offset), size, place.ty) {
                    Ok(value) => {
                        if let (Source::Var(var), false) = (value, instance.vars.contains_key(&target)) {
                            let purpose = match read {
                                Read::Used => Purpose::Operation,
                                Read::Copied => Purpose::Copy(Untracked::Perhaps),
                            };
                            self.then(cursor, Command::Use { var, purpose });
                        }
                        self.write_register(instance, cursor, target, value);
                    }
                    Err(command) => self.close(cursor, command),
                }
            }
            Spot::At(Stretch::Cell(base, offset)) => {
                let access = Access { offset, size };
                match (instance.vars.get(&target).copied(), read) {
                    // Nobody looks at the copy.
                    (None, Read::Copied) => {
                        self.close(cursor, Command::Touch { base, access, purpose: TouchPurpose::Access });
                    }
                    (target, _) => self.load_cell(cursor, target, base, access),
                }
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
                let ty = self.types.get(&target).copied();
                let read = self.load_link(cursor, base, access, ty);
                self.copy_var(cursor, target, read);
            }
            _ => self.close(cursor, Command::Load { target, base, access }),
        }
    }

    /// Loads from a cell, as the link holds it.
    pub(super) fn load_link(&mut self, cursor: &mut Cursor, base: Var, access: Access, ty: Option<TypeId>) -> Var {
        let read = self.temporary(cursor);
        if let Some(ty) = ty {
            self.types.insert(read, ty);
        }
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
    pub(super) fn temporary(&mut self, cursor: &Cursor) -> Var {
        let (storage, source) = (VariableStorage::Temporary, VariableSource::Ghost);
        let (name, frame, declared) = ("a copy".into(), Some(cursor.frame), Declared::Other);
        self.out.vars.push(Variable { name, storage, frame, source, declared })
    }

    pub(super) fn store(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        cursor: &mut Cursor,
        place: &Place,
        value: Operand,
    ) {
        let size = self.scalar_size(place);
        match self.spot(instance, environment, place) {
            Spot::At(stretch) => {
                let value = self.source(instance, environment, value);
                self.write_all(cursor, stretch, Written::Scalar(value, size, Some(place.ty)), size, None);
            }
            Spot::Fails(kind) => self.close(cursor, Command::Fail { kind }),
            Spot::Gap(reason) => self.gap_after_touch(instance, environment, cursor, place.base, reason),
        }
    }

    /// The last commands of an edge: bytes are written.
    fn write_all(&mut self, cursor: &mut Cursor, to: Stretch, what: Written, size: u64, ty: Option<TypeId>) {
        let last = match self.write(cursor, to, what, size, ty) {
            Ok(()) => Command::Skip,
            Err(command) => command,
        };
        self.close(cursor, last);
    }

    /// An access that cannot be followed; that its pointer is null or dangling is still seen.
    pub(super) fn gap_after_touch(
        &mut self,
        instance: &Instance<'p>,
        environment: &Environment,
        cursor: &mut Cursor,
        base: Operand,
        reason: GapReason,
    ) {
        if let Source::Var(base) = self.source(instance, environment, base) {
            let access = Access { offset: self.shift(base), size: 0 };
            self.then(cursor, Command::Touch { base, access, purpose: TouchPurpose::Access });
        }
        self.close(cursor, Command::Gap { reason });
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
        let (size, ty) = match extent {
            Extent::Type(ty) => (self.program.size_of(ty), Some(ty)),
            Extent::Bytes(operand) => match environment.operand(operand) {
                Known::Int(bytes) => (u64::try_from(bytes).ok(), None),
                Known::Address(..) | Known::Function(_) | Known::Defined | Known::Uninit | Known::MaybeUninit => {
                    (None, None)
                }
            },
            Extent::Common => (None, None),
        };
        let Some(size) = size else {
            let reason = MemoryGap::UnknownSizeCopied.into();
            return self.gap_after_touch(instance, environment, cursor, place.base, reason);
        };
        if size == 0 {
            return self.close(cursor, Command::Skip);
        }
        if let CopySource::Fill(byte) = source {
            self.use_operands(instance, environment, cursor, &[*byte]);
        }
        let what = match source {
            // What lies between members is not followed: looking at it is a gap.
            CopySource::Fill(Operand::Int(0)) | CopySource::Members => Written::Zeros,
            CopySource::Fill(_) | CopySource::Nondet => Written::Any,
            CopySource::Place(from) => match self.spot(instance, environment, from) {
                Spot::At(stretch) => Written::Bytes(stretch),
                Spot::Fails(kind) => return self.close(cursor, Command::Fail { kind }),
                Spot::Gap(reason) => {
                    return self.gap_after_touch(instance, environment, cursor, from.base, reason);
                }
            },
        };
        match self.spot(instance, environment, place) {
            Spot::At(to) => self.write_all(cursor, to, what, size, ty),
            Spot::Fails(kind) => self.close(cursor, Command::Fail { kind }),
            Spot::Gap(reason) => self.gap_after_touch(instance, environment, cursor, place.base, reason),
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
        let Instruction::Alloc { target, bytes, storage, contents, failure, align: _, view } = instruction else {
            return;
        };
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
            self.close(cursor, Command::Gap { reason: MemoryGap::UnknownSizeAllocated.into() });
            return;
        };
        let element = view.as_ref().filter(|view| view.count == Operand::Int(1) && !view.has_tail);
        let whole = element.is_some_and(|view| self.program.size_of(view.element) == Some(size));
        let ty = match view {
            Some(_) => element.filter(|_| whole).map(|view| view.element),
            None => self.record_in(instance.frame, *target, size),
        };
        if let (None, Some(view)) = (ty, view)
            // Too few bytes for one are bytes: an access to what is not there is then out of bounds.
            && self.program.size_of(view.element).is_some_and(|bytes| bytes <= size)
            && self.kind_of(Some(view.element), size).is_ok_and(|kind| !self.out.kinds[kind].links.is_empty())
        {
            let reason = MemoryGap::ArrayAllocated { element: type_name(self.program, view.element) }.into();
            self.close(cursor, Command::Gap { reason });
            return;
        }
        match (self.kind_of(ty, size), instance.vars.get(target)) {
            (Err(gap), _) => self.close(cursor, Command::Gap { reason: gap.into() }),
            (Ok(_), None) => {
                self.close(cursor, Command::Gap { reason: PointerGap::AllocatedIntoInteger.into() });
            }
            (Ok(_), Some(var)) if self.shift(*var) != 0 => {
                let reason = MemoryGap::PointerArrayAllocated { variable: self.out.vars[*var].name.clone() }.into();
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
        if environment.may_exist(auto as u32) {
            let reason = MemoryGap::SeveralAllocas.into();
            return self.close(cursor, Command::Gap { reason });
        }
        let object = Object::Auto(auto as u32);
        let value = match contents {
            Contents::Uninitialised | Contents::Perhaps => Atom::Uninit,
            Contents::Zeroed => Atom::NULL,
            Contents::Opaque => Atom::Opaque,
        };
        self.retire(cursor, super::Retired::Again(auto as u32));
        let address = self.place(super::Address::Object(object, 0));
        if let Some(var) = instance.vars.get(&target) {
            self.then(cursor, Command::Set { target: *var, value: address });
        }
        let scalars = self.object_scalars(object);
        let slots: Vec<Var> = scalars.iter().filter_map(|scalar| self.variable_of(object, scalar)).collect();
        self.autos[auto].slots.clone_from(&slots);
        let pending = Pending::Auto {
            from: cursor.at,
            to: cursor.to,
            span: cursor.span,
            frame: cursor.frame,
            edge,
            slots,
            value,
        };
        self.pending.push(PendingStretch { pending, globals: Vec::new() });
    }

    pub(super) fn end(&mut self, environment: &Environment, cursor: &mut Cursor, pointer: Operand) {
        match environment.operand(pointer) {
            Known::Address(Object::Auto(auto), 0) => {
                let mut vars = self.autos[auto as usize].slots.clone();
                vars.sort_unstable();
                self.retire(cursor, super::Retired::Ends(auto));
                self.close(cursor, Command::EndScope { vars });
            }
            _ => self.close(cursor, Command::Gap { reason: MemoryGap::UnknownLocalEnds.into() }),
        }
    }

    /// A place for a command that says what becomes of the addresses of locals: which there are is known at the end only.
    pub(super) fn retire(&mut self, cursor: &mut Cursor, what: super::Retired) -> StepId {
        let next = self.between(cursor.frame);
        let step = self.step(cursor, next, Command::Retire { atoms: Vec::new() });
        cursor.at = next;
        self.lives.push((step, what));
        step
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
            Source::Atom(Atom::Opaque | Atom::Library(_)) => {
                Command::Gap { reason: PointerGap::FreedUnfollowed.into() }
            }
            Source::Atom(_) => Command::Fail { kind: Kind::InvalidFree },
        };
        self.close(cursor, command);
    }

    /// The kind of cells of a type (or of plain bytes), made on first sight.
    pub(super) fn kind_of(&mut self, ty: Option<TypeId>, size: u64) -> Result<KindId, MemoryGap> {
        if let Some(kind) = self.kinds.get(&(ty, size)) {
            return kind.clone();
        }
        let kind = match ty {
            Some(ty) => cell_kind(self.program, ty, size, (self.links, self.functions), &self.embedded),
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

    /// A new point that belongs to no location.
    pub(super) fn between(&mut self, frame: u32) -> crate::program::Point {
        self.out.add_point(Origin { frame, location: None })
    }
}

/// How many bytes the bits of a bit-field begin behind its storage unit.
fn bytes_before(place: &Place) -> i64 {
    place.bits.map_or(0, |bits| super::kinds::bytes_of_bits(bits).0 as i64)
}
