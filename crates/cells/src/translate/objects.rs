//! Static and local objects: their scalars are variables, and which of them some bytes cover is decided here, for every
//! load, store, fill and copy and for functions of the library alike.

use super::constants::Object;
use super::inside::shift_of_type;
use super::kinds::{Scalar, scalars};
use super::{Address, Translator};
use crate::atom::{Atom, Var};
use crate::place::{AddressOf, Instances, ObjectId};
use crate::program::{Command, DataExtent, Declared, Variable, VariableSource, VariableStorage};
use heapwise_engine::Kind;
use heapwise_engine::reason::MemoryGap;
use heapwise_ir::{GlobalId, Initializer, InitializerItem, Mutability, NullResult, Operand, Program, Type, TypeId};
use std::rc::Rc;

/// A part of a stretch of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// First byte, counted from the start of the object.
    pub(super) offset: u64,
    /// How many bytes.
    pub(super) size: u64,
    /// What is there.
    pub(super) holds: Holds,
}

/// What is in a part of an object.
#[derive(Clone, Copy, Debug)]
pub(super) enum Holds {
    /// All of a scalar that has a variable.
    Scalar(Var, TypeId),
    /// Some bytes of a scalar that has a variable.
    PartOf(Var),
    /// Bytes of a static object that are not followed; no pointer to a cell is there, and they always hold a value.
    Initialised,
    /// Bytes of a local object that are not followed; no pointer to a cell is there, and perhaps no value.
    Perhaps,
    /// Bytes of no scalar. They may hold anything but a pointer to a cell that is needed, and perhaps no value.
    Padding,
}

impl Translator<'_> {
    /// Every byte of a stretch of an object, in order, or the command that says what is wrong with it.
    pub(super) fn cover(&mut self, object: Object, offset: i64, size: u64) -> Result<Vec<Piece>, Command> {
        let Some(object_size) = self.object_size(object) else {
            return Err(Command::Gap { reason: MemoryGap::UnknownSizeAccessed.into() });
        };
        let start = u64::try_from(offset).ok();
        let end = start.and_then(|start| start.checked_add(size)).filter(|end| *end <= object_size);
        let (Some(start), Some(end)) = (start, end) else {
            return Err(Command::Fail { kind: Kind::OutOfBounds });
        };
        let mut scalars = self.object_scalars(object);
        scalars.sort_by_key(|scalar| scalar.offset);
        let mut pieces = Vec::new();
        let mut at = start;
        for scalar in &scalars {
            let (from, to) = (scalar.offset.max(at), (scalar.offset + scalar.size).min(end));
            if from >= to {
                continue;
            }
            if from > at {
                pieces.push(Piece { offset: at, size: from - at, holds: Holds::Padding });
            }
            let is_whole = from == scalar.offset && to - from == scalar.size;
            let holds = match self.variable_of(object, scalar) {
                Some(var) if is_whole => Holds::Scalar(var, scalar.ty),
                Some(var) => Holds::PartOf(var),
                None => untracked(object),
            };
            pieces.push(Piece { offset: from, size: to - from, holds });
            at = to;
        }
        if at < end {
            // An object without a type is nothing but bytes; so is what is behind the last member of an array's kind.
            let typed_size = self.object_type(object).and_then(|ty| self.program.size_of(ty)).unwrap_or(0);
            let holds = if at < typed_size { Holds::Padding } else { untracked(object) };
            pieces.push(Piece { offset: at, size: end - at, holds });
        }
        Ok(pieces)
    }

    /// The variable of a scalar of an object; none if it is not followed.
    pub(super) fn variable_of(&mut self, object: Object, scalar: &Scalar) -> Option<Var> {
        let is_pointer = matches!(self.program.ty(scalar.ty), Type::Pointer(_));
        // Integers of globals hold some value, of interest only in flags, unless bytes are copied there; those of locals may not.
        let is_tracked = match object {
            Object::Global(global) => {
                is_pointer || self.flags.contains_global(global) || self.flags.is_copied_to(global)
            }
            Object::Auto(_) => true,
        };
        if scalar.extent == DataExtent::Aggregate || !is_tracked {
            return None;
        }
        if let Some(var) = self.slots.get(&(object, scalar.offset)) {
            return Some(*var);
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
        let declared = Declared::of(self.program.ty(scalar.ty));
        let var = self.out.vars.push(Variable { name, storage, frame, source, declared });
        if let Some(bytes) = shift_of_type(self.program, &self.embedded, scalar.ty).filter(|bytes| *bytes != 0) {
            self.shifts.insert(var, bytes);
        }
        self.types.insert(var, scalar.ty);
        self.slots.insert((object, scalar.offset), var);
        Some(var)
    }

    /// The variable that is all of a stretch of an object, if there is one.
    pub(super) fn variable_at(&mut self, object: Object, offset: i64, size: u64) -> Option<Var> {
        match self.cover(object, offset, size).ok()?.as_slice() {
            [Piece { holds: Holds::Scalar(var, _), .. }] => Some(*var),
            _ => None,
        }
    }

    fn object_type(&self, object: Object) -> Option<TypeId> {
        match object {
            Object::Global(global) => Some(self.program.globals[global].ty),
            Object::Auto(auto) => self.autos[auto as usize].ty,
        }
    }

    pub(super) fn object_scalars(&self, object: Object) -> Vec<Scalar> {
        self.object_type(object).map_or_else(Vec::new, |ty| scalars(self.program, ty))
    }

    pub(super) fn object_size(&self, object: Object) -> Option<u64> {
        match object {
            Object::Global(global) => Some(self.program.globals[global].size),
            Object::Auto(auto) => self.autos[auto as usize].size,
        }
    }

    pub(super) fn object_name(&self, object: Object) -> String {
        match object {
            Object::Global(global) => self.program.globals[global].name.clone(),
            Object::Auto(auto) => self.autos[auto as usize].name.clone(),
        }
    }

    pub(super) fn is_read_only(&self, object: Object) -> bool {
        matches!(object, Object::Global(global) if self.program.globals[global].mutability == Mutability::ReadOnly)
    }

    pub(super) fn is_library(&self, object: Object) -> bool {
        matches!(object, Object::Global(global)
            if matches!(self.program.globals[global].initializer, Initializer::Library(NullResult::Never)))
    }

    /// The bytes of a string literal, its terminator included; none for what is no literal.
    pub(super) fn literal(&self, object: Object) -> Option<Rc<[u8]>> {
        match object {
            Object::Global(global) => literal(self.program, global),
            Object::Auto(_) => None,
        }
    }

    /// What an address is the address of. In a function that calls itself this is a local of the call that runs.
    pub(super) fn address_of(&self, object: Object, offset: i64) -> AddressOf {
        match object {
            Object::Auto(auto) => AddressOf::Object {
                object: ObjectId::Auto(auto),
                offset,
                size: self.object_size(object),
                literal: None,
                instances: Instances::One,
            },
            Object::Global(global) => address_of_global(self.program, global, offset),
        }
    }

    /// The value that an address is.
    pub(super) fn place(&mut self, address: Address) -> Atom {
        let next = self.places.len() as u32;
        let index = *self.places.entry(address).or_insert(next);
        if index == next {
            let (name, of) = match address {
                Address::Object(object, offset) => {
                    let name = self.object_name(object);
                    let name = if offset == 0 { format!("&{name}") } else { format!("&{name}+{offset}") };
                    (name, self.address_of(object, offset))
                }
                Address::Function(function) => {
                    (format!("&{}", self.program.functions[function].name), AddressOf::Function(function))
                }
            };
            self.out.places.push(crate::place::Place { name, of });
        }
        Atom::Place(index)
    }

    /// What a place atom is the address of.
    pub(super) fn address_at(&self, place: u32) -> Address {
        match &self.out.places[place as usize].of {
            AddressOf::Function(function) => Address::Function(*function),
            AddressOf::Object { object: ObjectId::Global(global), offset, .. } => {
                Address::Object(Object::Global(*global), *offset)
            }
            AddressOf::Object { object: ObjectId::Auto(auto), offset, .. } => {
                Address::Object(Object::Auto(*auto), *offset)
            }
        }
    }

    /// The object that a place atom is an address in.
    pub(super) fn object_at(&self, place: u32) -> Option<(Object, i64)> {
        match self.address_at(place) {
            Address::Function(_) => None,
            Address::Object(object, offset) => Some((object, offset)),
        }
    }

    /// What the tracked scalars of globals hold before the program starts.
    pub(super) fn global_values(&mut self) -> Vec<(Var, Atom)> {
        let mut slots: Vec<(GlobalId, u64, Var)> = self
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
                    Some(item) => self.initial_value(item),
                },
                Initializer::Bytes(_) | Initializer::Unknown | Initializer::Library(_) => Atom::Opaque,
            };
            values.push((var, value));
        }
        values
    }

    /// What an initialiser says.
    pub(super) fn initial_value(&mut self, item: &InitializerItem) -> Atom {
        match item.value {
            Operand::Int(value) => Atom::int(value),
            Operand::Global(target) => self.place(Address::Object(Object::Global(target), item.addend)),
            Operand::Function(function) => self.place(Address::Function(function)),
            Operand::Register(_) | Operand::Float(_) => Atom::Opaque,
        }
    }
}

fn untracked(object: Object) -> Holds {
    match object {
        Object::Global(_) => Holds::Initialised,
        Object::Auto(_) => Holds::Perhaps,
    }
}

/// The bytes of a literal, with the zeros behind them.
/// What the address of a byte of a global is the address of.
pub(super) fn address_of_global(program: &Program, global: GlobalId, offset: i64) -> AddressOf {
    AddressOf::Object {
        object: ObjectId::Global(global),
        offset,
        size: Some(program.globals[global].size),
        literal: literal(program, global),
        instances: Instances::One,
    }
}

/// The bytes of a string literal.
fn literal(program: &Program, global: GlobalId) -> Option<Rc<[u8]>> {
    let definition = &program.globals[global];
    match (&definition.initializer, definition.mutability) {
        (Initializer::Bytes(bytes), Mutability::ReadOnly) => Some(literal_bytes(bytes, definition.size)),
        (_, Mutability::ReadOnly | Mutability::Mutable) => None,
    }
}

fn literal_bytes(bytes: &[u8], size: u64) -> Rc<[u8]> {
    let size = usize::try_from(size).unwrap_or(bytes.len()).max(bytes.len());
    bytes.iter().copied().chain(std::iter::repeat(0)).take(size).collect()
}
