//! Bytes that are read and written: what becomes of the variables of objects and of the cells that they cover. One set of rules
//! for loads, stores, fills, copies and functions of the library.
//!
//! - A scalar that is written whole by one of the same type holds what that holds.
//! - Bytes that are put together from several scalars, or from parts of one, are some value, if all of them are values and none
//!   is a pointer to a cell; whether they are is asked where they are read ([`Purpose::Copy`]).
//! - Memory of static objects that is not followed always holds a value, so nothing goes there that may have none.
//! - Memory of locals that is not followed, and padding, may hold no value: what is read from there is not followed.

use super::constants::Object;
use super::kinds::scalars;
use super::objects::{Holds, Piece};
use super::{Cursor, Translator};
use crate::atom::{Atom, Var};
use crate::program::{Access, Command, Contents, DataExtent, Purpose, Source, TouchPurpose, Untracked};
use heapwise_engine::Kind;
use heapwise_engine::reason::MemoryGap;
use heapwise_ir::{IntType, Type, TypeId};

/// Where some bytes are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stretch {
    /// In an object that exists, from this byte on.
    Object(Object, i64),
    /// In what a variable points to, from this byte of the cell on.
    Cell(Var, i64),
}

/// What is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Written {
    /// Zero bytes.
    Zeros,
    /// Unknown bytes, no pointers to cells among them.
    Any,
    /// Bytes that may have no value, no pointers to cells among them.
    Perhaps,
    /// A scalar of so many bytes, of a type if that is known.
    Scalar(Source, u64, Option<TypeId>),
    /// What is at another place.
    Bytes(Stretch),
}

impl Translator<'_> {
    /// The value of a scalar in an object; or the command that ends the run there.
    pub(super) fn read_object(
        &mut self,
        cursor: &mut Cursor,
        (object, offset): (Object, i64),
        size: u64,
        ty: TypeId,
    ) -> Result<Source, Command> {
        self.scalar_of(cursor, Written::Bytes(Stretch::Object(object, offset)), 0, (size, ty))
    }

    /// Writes bytes; or gives the command that ends the run there. `ty` is the type of the bytes, where they have one.
    pub(super) fn write(
        &mut self,
        cursor: &mut Cursor,
        to: Stretch,
        what: Written,
        size: u64,
        ty: Option<TypeId>,
    ) -> Result<(), Command> {
        match to {
            Stretch::Object(object, offset) => self.write_object(cursor, (object, offset), what, size),
            Stretch::Cell(base, offset) => self.write_cell(cursor, (base, offset), what, size, ty),
        }
    }

    fn write_object(
        &mut self,
        cursor: &mut Cursor,
        (object, offset): (Object, i64),
        what: Written,
        size: u64,
    ) -> Result<(), Command> {
        if let Written::Bytes(from) = what {
            self.check_stretch(cursor, from, size)?;
        }
        let pieces = self.cover(object, offset, size)?;
        if self.is_read_only(object) {
            return Err(Command::Fail { kind: Kind::OutOfBounds });
        }
        if let Written::Bytes(Stretch::Object(other, from)) = what
            && other == object
        {
            let distance = i128::from(from).abs_diff(i128::from(offset));
            if distance == 0 {
                return Ok(());
            }
            if distance < u128::from(size) {
                return Err(Command::Gap { reason: MemoryGap::CopiedOverItself.into() });
            }
        }
        // All is read before anything is written: source and target may overlap.
        let mut values: Vec<(Var, Source)> = Vec::new();
        for Piece { offset: piece, size, holds } in pieces {
            let at = piece as i64 - offset;
            match holds {
                Holds::Scalar(var, ty) => values.push((var, self.scalar_of(cursor, what, at, (size, ty))?)),
                Holds::PartOf(var) => {
                    self.bytes_of(cursor, what, at, size, Untracked::Initialised)?;
                    // The other bytes stay: they are values only if they were.
                    self.then(cursor, Command::Use { var, purpose: Purpose::Copy(Untracked::Initialised) });
                    values.push((var, Source::Atom(Atom::Opaque)));
                }
                Holds::Initialised => self.bytes_of(cursor, what, at, size, Untracked::Initialised)?,
                // Whatever padding holds, nobody reads it.
                Holds::Perhaps | Holds::Padding => self.bytes_of(cursor, what, at, size, Untracked::Perhaps)?,
            }
        }
        for (var, value) in values {
            match value {
                Source::Atom(value) => self.then(cursor, Command::Set { target: var, value }),
                Source::Var(source) => {
                    self.check_shift(cursor, var, source);
                    self.then(cursor, Command::Copy { target: var, source });
                }
            }
        }
        Ok(())
    }

    fn write_cell(
        &mut self,
        cursor: &mut Cursor,
        (base, offset): (Var, i64),
        what: Written,
        size: u64,
        ty: Option<TypeId>,
    ) -> Result<(), Command> {
        let access = Access { offset, size };
        match what {
            Written::Zeros => self.then(cursor, Command::Fill { base, access, contents: Contents::Zeroed }),
            Written::Any => self.then(cursor, Command::Fill { base, access, contents: Contents::Opaque }),
            Written::Perhaps => self.then(cursor, Command::Fill { base, access, contents: Contents::Perhaps }),
            Written::Scalar(value, ..) => {
                self.check_link(cursor, base, access, value);
                self.then(cursor, Command::Store { base, access, value });
            }
            Written::Bytes(Stretch::Object(object, from)) => {
                let pieces = self.cover(object, from, size)?;
                self.then(cursor, Command::Touch { base, access, purpose: TouchPurpose::Access });
                let pieces = match ty {
                    Some(_) => pieces,
                    // Bytes may be moved within an object, and all are read before any is written.
                    None => self.held_apart(cursor, pieces),
                };
                for Piece { offset: piece, size, holds } in pieces {
                    let at = piece as i64 - from;
                    let access = Access { offset: offset.wrapping_add(at), size };
                    let command = match holds {
                        Holds::Scalar(var, _) => {
                            self.check_link(cursor, base, access, Source::Var(var));
                            Command::Store { base, access, value: Source::Var(var) }
                        }
                        Holds::PartOf(var) => {
                            let purpose = Purpose::Copy(Untracked::Initialised);
                            self.then(cursor, Command::Use { var, purpose });
                            Command::Fill { base, access, contents: Contents::Opaque }
                        }
                        Holds::Initialised => Command::Fill { base, access, contents: Contents::Opaque },
                        Holds::Perhaps | Holds::Padding => Command::Fill { base, access, contents: Contents::Perhaps },
                    };
                    self.then(cursor, command);
                }
            }
            Written::Bytes(Stretch::Cell(other, from)) => {
                let Some(ty) = ty else {
                    return Err(Command::Gap { reason: MemoryGap::BytesBetweenCells.into() });
                };
                self.copy_record(cursor, (base, offset), (other, from), (size, ty));
            }
        }
        Ok(())
    }

    /// The same, with what variables hold in variables of their own.
    fn held_apart(&mut self, cursor: &mut Cursor, mut pieces: Vec<Piece>) -> Vec<Piece> {
        for piece in &mut pieces {
            if let Holds::Scalar(var, _) | Holds::PartOf(var) = &mut piece.holds {
                let (copy, shift) = (self.temporary(cursor), self.shift(*var));
                if let Some(ty) = self.types.get(var).copied() {
                    self.types.insert(copy, ty);
                }
                if shift != 0 {
                    self.shifts.insert(copy, shift);
                }
                self.then(cursor, Command::Copy { target: copy, source: *var });
                *var = copy;
            }
        }
        pieces
    }

    /// A record is copied from one cell into another, or the same.
    fn copy_record(
        &mut self,
        cursor: &mut Cursor,
        (base, offset): (Var, i64),
        (other, from): (Var, i64),
        (size, ty): (u64, TypeId),
    ) {
        let purpose = TouchPurpose::Access;
        self.then(cursor, Command::Touch { base: other, access: Access { offset: from, size }, purpose });
        self.then(cursor, Command::Touch { base, access: Access { offset, size }, purpose });
        let mut fields = scalars(self.program, ty);
        fields.sort_by_key(|scalar| scalar.offset);
        let mut end = 0;
        for scalar in fields {
            self.copy_unknown(cursor, (base, offset), (other, from), end..scalar.offset);
            end = end.max(scalar.offset + scalar.size);
            let at = scalar.offset as i64;
            match scalar.extent {
                DataExtent::Scalar => {
                    let access = Access { offset: from.wrapping_add(at), size: scalar.size };
                    let value = Source::Var(self.load_link(cursor, other, access, Some(scalar.ty)));
                    let access = Access { offset: offset.wrapping_add(at), size: scalar.size };
                    self.check_link(cursor, base, access, value);
                    self.then(cursor, Command::Store { base, access, value });
                }
                DataExtent::Aggregate => {
                    self.copy_unknown(cursor, (base, offset), (other, from), scalar.offset..end);
                }
            }
        }
        self.copy_unknown(cursor, (base, offset), (other, from), end..size);
    }

    /// Bytes of a cell are copied that are padding or an array as the record's type has it: what they hold is not followed.
    fn copy_unknown(
        &mut self,
        cursor: &mut Cursor,
        (base, offset): (Var, i64),
        (other, from): (Var, i64),
        bytes: std::ops::Range<u64>,
    ) {
        if bytes.is_empty() {
            return;
        }
        let at =
            |offset: i64| Access { offset: offset.wrapping_add_unsigned(bytes.start), size: bytes.end - bytes.start };
        self.then(cursor, Command::Touch { base: other, access: at(from), purpose: TouchPurpose::Copy });
        self.then(cursor, Command::Fill { base, access: at(offset), contents: Contents::Perhaps });
    }

    /// That the bytes exist.
    fn check_stretch(&mut self, cursor: &mut Cursor, stretch: Stretch, size: u64) -> Result<(), Command> {
        match stretch {
            Stretch::Object(object, offset) => self.cover(object, offset, size).map(drop),
            Stretch::Cell(base, offset) => {
                let access = Access { offset, size };
                self.then(cursor, Command::Touch { base, access, purpose: TouchPurpose::Access });
                Ok(())
            }
        }
    }

    /// What a scalar of a type holds after so many of the bytes, from one of them on, were written over it.
    fn scalar_of(
        &mut self,
        cursor: &mut Cursor,
        what: Written,
        at: i64,
        (size, ty): (u64, TypeId),
    ) -> Result<Source, Command> {
        match what {
            Written::Zeros => Ok(Source::Atom(Atom::NULL)),
            Written::Any => Ok(Source::Atom(Atom::Opaque)),
            Written::Perhaps => Err(Command::Gap { reason: MemoryGap::PerhapsNoValue.into() }),
            Written::Scalar(value, bytes, from) if at == 0 && bytes == size => {
                Ok(self.reinterpret(cursor, value, from, ty))
            }
            Written::Bytes(Stretch::Object(object, offset)) => {
                let pieces = self.cover(object, offset.wrapping_add(at), size)?;
                if let [Piece { holds: Holds::Scalar(var, from), .. }] = pieces.as_slice() {
                    return Ok(self.reinterpret(cursor, Source::Var(*var), Some(*from), ty));
                }
                if let Some(value) = self.pointer_in_table(object, offset.wrapping_add(at), (size, ty)) {
                    return Ok(Source::Atom(value));
                }
                self.bytes_of(cursor, what, at, size, Untracked::Initialised)?;
                Ok(Source::Atom(Atom::Opaque))
            }
            Written::Bytes(Stretch::Cell(base, offset)) => {
                let access = Access { offset: offset.wrapping_add(at), size };
                let read = self.load_link(cursor, base, access, Some(ty));
                if !matches!(self.program.ty(ty), Type::Pointer(_)) {
                    let purpose = Purpose::Copy(Untracked::Perhaps);
                    self.then(cursor, Command::Use { var: read, purpose });
                }
                Ok(Source::Var(read))
            }
            Written::Scalar(..) => {
                self.bytes_of(cursor, what, at, size, Untracked::Initialised)?;
                Ok(Source::Atom(Atom::Opaque))
            }
        }
    }

    /// Bytes go to where they are not followed.
    fn bytes_of(
        &mut self,
        cursor: &mut Cursor,
        what: Written,
        at: i64,
        size: u64,
        into: Untracked,
    ) -> Result<(), Command> {
        let copy = |var: Var| Command::Use { var, purpose: Purpose::Copy(into) };
        match what {
            Written::Zeros | Written::Any => {}
            Written::Perhaps => {
                if into == Untracked::Initialised {
                    return Err(Command::Gap { reason: MemoryGap::PerhapsNoValue.into() });
                }
            }
            Written::Scalar(Source::Var(var), ..) => self.then(cursor, copy(var)),
            Written::Scalar(Source::Atom(atom), ..) => {
                if atom == Atom::Uninit && into == Untracked::Initialised {
                    return Err(Command::Gap { reason: MemoryGap::NoValueUntracked.into() });
                }
            }
            Written::Bytes(Stretch::Object(object, offset)) => {
                for Piece { holds, .. } in self.cover(object, offset.wrapping_add(at), size)? {
                    match (holds, into) {
                        (Holds::Scalar(var, _) | Holds::PartOf(var), _) => self.then(cursor, copy(var)),
                        (Holds::Initialised, _) | (Holds::Perhaps | Holds::Padding, Untracked::Perhaps) => {}
                        (Holds::Perhaps, Untracked::Initialised) => {
                            return Err(Command::Gap { reason: MemoryGap::Part.into() });
                        }
                        (Holds::Padding, Untracked::Initialised) => {
                            return Err(Command::Gap { reason: MemoryGap::PaddingRead.into() });
                        }
                    }
                }
            }
            Written::Bytes(Stretch::Cell(base, offset)) => {
                let access = Access { offset: offset.wrapping_add(at), size };
                match into {
                    Untracked::Initialised => {
                        let read = self.load_link(cursor, base, access, None);
                        self.then(cursor, copy(read));
                    }
                    Untracked::Perhaps => {
                        self.then(cursor, Command::Touch { base, access, purpose: TouchPurpose::Copy });
                    }
                }
            }
        }
        Ok(())
    }

    /// What a variable gets that reads a scalar of so many bytes from an object, through a pointer that holds its address.
    pub(super) fn load_through(
        &mut self,
        cursor: &mut Cursor,
        (object, offset): (Object, i64),
        size: u64,
        target: Option<Var>,
    ) -> Result<Source, Command> {
        let ty = target.and_then(|target| self.types.get(&target).copied());
        match (self.cover(object, offset, size)?.as_slice(), target, ty) {
            // Whatever it is read as, it is used.
            ([Piece { holds: Holds::Scalar(var, _), .. }], None, _) => Ok(Source::Var(*var)),
            ([Piece { holds: Holds::Scalar(var, from), .. }], Some(_), None) => match self.class(*from) {
                Class::Pointer => Ok(Source::Var(*var)),
                Class::Integer(_) | Class::Other(_) => {
                    let purpose = Purpose::Copy(Untracked::Initialised);
                    self.then(cursor, Command::Use { var: *var, purpose });
                    Ok(Source::Atom(Atom::Opaque))
                }
            },
            (_, _, Some(ty)) => self.read_object(cursor, (object, offset), size, ty),
            (_, _, None) => {
                let what = Written::Bytes(Stretch::Object(object, offset));
                self.bytes_of(cursor, what, 0, size, Untracked::Initialised)?;
                Ok(Source::Atom(Atom::Opaque))
            }
        }
    }

    /// What is stored: a value of the type of its variable.
    pub(super) fn stored(&self, value: Source, size: u64) -> Written {
        let ty = value.var().and_then(|var| self.types.get(&var).copied());
        Written::Scalar(value, size, ty)
    }

    /// Bytes of an object are touched.
    pub(super) fn touch_object(
        &mut self,
        cursor: &mut Cursor,
        (object, offset): (Object, i64),
        size: u64,
        purpose: TouchPurpose,
    ) -> Result<(), Command> {
        match purpose {
            TouchPurpose::Access => self.cover(object, offset, size).map(drop),
            TouchPurpose::Copy => {
                let what = Written::Bytes(Stretch::Object(object, offset));
                self.bytes_of(cursor, what, 0, size, Untracked::Perhaps)
            }
        }
    }

    /// A scalar of one type is read as one of another type of the same size.
    fn reinterpret(&mut self, cursor: &mut Cursor, value: Source, from: Option<TypeId>, to: TypeId) -> Source {
        let (from, to) = (from.map(|from| self.class(from)), self.class(to));
        if from == Some(to) {
            return value;
        }
        match value {
            Source::Var(var) => {
                self.then(cursor, Command::Use { var, purpose: Purpose::Copy(Untracked::Initialised) });
                Source::Atom(Atom::Opaque)
            }
            Source::Atom(atom) => Source::Atom(atom_as(atom, to)),
        }
    }

    /// Types whose values are the same for the same bytes.
    fn class(&self, ty: TypeId) -> Class {
        match self.program.ty(ty) {
            Type::Pointer(_) => Class::Pointer,
            Type::Int(int) => Class::Integer(*int),
            Type::Float(_) | Type::Void | Type::Array(..) | Type::Record(_) | Type::Function(_) => Class::Other(ty),
        }
    }
}

/// Types whose values are the same for the same bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Pointer,
    Integer(IntType),
    Other(TypeId),
}

/// What a constant of another type is as one of this type.
fn atom_as(atom: Atom, to: Class) -> Atom {
    match (atom, to) {
        // Zero bytes are zero, and no value is none.
        (Atom::Uninit | Atom::NULL, _) => atom,
        (Atom::Int(1..), Class::Integer(IntType::Signed(_) | IntType::Unsigned(_))) => atom,
        // A constant below zero is one of a signed type, of the same bytes.
        (Atom::Int(_), Class::Integer(IntType::Signed(_))) => atom,
        (Atom::Place(_) | Atom::Int(1..) | Atom::Library(_), Class::Pointer) => atom,
        (
            Atom::Int(_)
            | Atom::Freed
            | Atom::Ended(_)
            | Atom::Gone
            | Atom::Opaque
            | Atom::Place(_)
            | Atom::Library(_)
            | Atom::NoLink
            | Atom::Outside,
            Class::Pointer | Class::Integer(_) | Class::Other(_),
        ) => Atom::Opaque,
    }
}
