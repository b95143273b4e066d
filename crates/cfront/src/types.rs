//! C types into the program's types.

use crate::adapter::{ArrayLen, FloatKind, RecordId, TypeId, TypeKind, integer_info, layout};
use crate::link::Linker;
use crate::unit::UnitContext;
use heapwise_ir::{BitRange, Field, FloatType, IntType, RecordId as IrRecordId, Signature, Type, TypeId as IrTypeId};

impl UnitContext<'_> {
    /// The program's type for a C type. Scalars that the language does not have (complex and decimal numbers, vectors,
    /// half floats) become arrays of bytes or of their parts: they can be copied, and any use of their value is refused.
    pub(crate) fn ty(&mut self, link: &mut Linker<'_>, id: TypeId) -> IrTypeId {
        let id = self.source.types.canonical(id);
        if let Some(&known) = self.types.get(&id) {
            return known;
        }
        let ty = self.make_type(link, id);
        let ty = link.program.types.intern(ty);
        self.types.insert(id, ty);
        ty
    }

    fn make_type(&mut self, link: &mut Linker<'_>, id: TypeId) -> Type {
        let types = &self.source.types;
        match types.kind(id) {
            TypeKind::Void => Type::Void,
            TypeKind::Bool => Type::Int(IntType::Bool),
            TypeKind::Int(_) | TypeKind::Enum(_) | TypeKind::BitInt { .. } => match self.int_type(id) {
                Some(int) => Type::Int(int),
                None => self.opaque(link, id),
            },
            TypeKind::Float(kind) => match kind {
                FloatKind::Float | FloatKind::Float32 => Type::Float(FloatType::Single),
                FloatKind::Double | FloatKind::Float32x | FloatKind::Float64 => Type::Float(FloatType::Double),
                FloatKind::LongDouble | FloatKind::Float64x if self.size(id) == Some(16) => {
                    Type::Float(FloatType::Extended)
                }
                FloatKind::Float128 => Type::Float(FloatType::Quad),
                FloatKind::Float16
                | FloatKind::LongDouble
                | FloatKind::Float64x
                | FloatKind::Decimal32
                | FloatKind::Decimal64
                | FloatKind::Decimal128 => self.opaque(link, id),
            },
            TypeKind::Complex(part) => Type::Array(self.ty(link, part), Some(2)),
            TypeKind::Vector { elem, len } => Type::Array(self.ty(link, elem), Some(u64::from(len))),
            TypeKind::Pointer(pointee) => Type::Pointer(self.ty(link, pointee)),
            TypeKind::Atomic(inner) => {
                let inner = self.ty(link, inner);
                link.program.ty(inner).clone()
            }
            TypeKind::Array { elem, len } => {
                let count = match len {
                    ArrayLen::Fixed(count) => Some(count),
                    ArrayLen::Unknown | ArrayLen::Star | ArrayLen::Variable(_) => None,
                };
                Type::Array(self.ty(link, elem), count)
            }
            TypeKind::Function(function) => {
                let signature = types.signature(function).clone();
                Type::Function(self.signature(link, &signature.params, signature.ret, signature.variadic))
            }
            TypeKind::Record(record) => Type::Record(self.record(link, record)),
            TypeKind::Typedef { underlying, .. } => {
                let underlying = self.ty(link, underlying);
                link.program.ty(underlying).clone()
            }
        }
    }

    /// The signature after lowering: a result by value is a hidden first pointer, a parameter by value a pointer.
    fn signature(&mut self, link: &mut Linker<'_>, params: &[TypeId], ret: TypeId, variadic: bool) -> Signature {
        let result = self.ty(link, ret);
        let mut parameters = Vec::new();
        let result = match link.program.ty(result) {
            Type::Void => None,
            Type::Record(_) | Type::Array(..) => {
                parameters.push(link.program.types.intern(Type::Pointer(result)));
                None
            }
            _ => Some(result),
        };
        for &param in params {
            let ty = self.transparent_member(link, param).unwrap_or_else(|| self.ty(link, param));
            let by_value = matches!(link.program.ty(ty), Type::Record(_) | Type::Array(..));
            parameters.push(if by_value { link.program.types.intern(Type::Pointer(ty)) } else { ty });
        }
        Signature { result, parameters, variadic }
    }

    /// As what a union with the attribute `transparent_union` is passed: its first member, which has its size. `None`: another type.
    pub(crate) fn transparent_member(&mut self, link: &mut Linker<'_>, id: TypeId) -> Option<IrTypeId> {
        let types = &self.source.types;
        let TypeKind::Record(record) = types.kind(types.canonical(id)) else { return None };
        let info = types.record_info(record);
        let first = info.fields.first().filter(|_| info.transparent)?.ty;
        let member = self.ty(link, first);
        (!matches!(link.program.ty(member), Type::Record(_) | Type::Array(..))).then_some(member)
    }

    fn int_type(&self, id: TypeId) -> Option<IntType> {
        let bytes = match integer_info(&self.source.types, id, &self.source.target) {
            Some(info) if info.width == 1 && !info.signed => return Some(IntType::Bool),
            // A width between two sizes (`_BitInt`, wide bit-fields) is kept in the larger one: see `Lowering::fit`.
            Some(info) if info.width <= 128 => (info.width.next_power_of_two().max(8) / 8, info.signed),
            Some(_) => return None,
            // An enumeration that is only declared.
            None => (4, false),
        };
        let width = u8::try_from(bytes.0).ok()?;
        Some(if bytes.1 { IntType::Signed(width) } else { IntType::Unsigned(width) })
    }

    fn size(&self, id: TypeId) -> Option<u64> {
        layout(&self.source.types, id, &self.source.target).ok().map(|layout| layout.size)
    }

    fn opaque(&mut self, link: &mut Linker<'_>, id: TypeId) -> Type {
        let byte = link.program.types.intern(Type::Int(IntType::Unsigned(1)));
        Type::Array(byte, Some(self.size(id).unwrap_or(1)))
    }

    /// The program's record for a C record: the same one for the same name and layout, in whatever unit.
    pub(crate) fn record(&mut self, link: &mut Linker<'_>, id: RecordId) -> IrRecordId {
        if let Some(&known) = self.records.get(&id) {
            return known;
        }
        let name = self.record_name(id);
        let info = self.source.types.record_info(id);
        let complete = info.layout.is_some() && info.variable.is_none();
        let candidates = link.records_named(&name);
        let found = if complete {
            candidates.iter().copied().find(|&candidate| self.same_layout(link, id, candidate))
        } else {
            candidates.first().copied()
        };
        let record = match found {
            Some(record) => record,
            None => {
                let place = self.place.clone();
                link.add_record(&name, info.kind, &place)
            }
        };
        self.records.insert(id, record);
        if complete && link.program.records[record].fields.is_none() {
            let layout = info.layout.expect("complete");
            link.program.records[record].size = layout.size;
            link.program.records[record].align = layout.align;
            // Set before the members are made: a member may point back here.
            link.program.records[record].fields = Some(Vec::new());
            let fields = self.fields(link, id, &name, layout.size);
            link.program.records[record].fields = Some(fields);
        }
        record
    }

    fn fields(&mut self, link: &mut Linker<'_>, id: RecordId, name: &str, size: u64) -> Vec<Field> {
        let source = self.source;
        let members = &source.types.record_info(id).fields;
        let mut fields = Vec::with_capacity(members.len());
        for (index, member) in members.iter().enumerate() {
            let member_name = match member.name {
                Some(name) => source.names.resolve(name).to_owned(),
                None => format!("${index}"),
            };
            self.name_nested(member.ty, name, &member_name);
            let ty = self.ty(link, member.ty);
            fields.push(match member.bits {
                None => Field { name: member_name, ty, offset: member.offset, bits: None },
                Some(width) => {
                    let (offset, ty, bits) = storage_unit(link, ty, member.offset, member.bit, width, size);
                    Field { name: member_name, ty, offset, bits: Some(bits) }
                }
            });
        }
        fields
    }

    /// Names a record without a tag after the member that it is the type of.
    fn name_nested(&mut self, ty: TypeId, outer: &str, member: &str) {
        let types = &self.source.types;
        let mut ty = types.canonical(ty);
        loop {
            match types.kind(ty) {
                TypeKind::Array { elem: inner, .. } | TypeKind::Pointer(inner) => ty = types.canonical(inner),
                TypeKind::Record(id) if types.record_info(id).tag.is_none() => {
                    self.alias_names();
                    self.record_names.entry(id).or_insert_with(|| format!("{outer}.{member}"));
                    return;
                }
                _ => return,
            }
        }
    }

    fn alias_names(&mut self) {
        if !self.record_names.is_empty() {
            return;
        }
        let types = &self.source.types;
        for alias in types.aliases() {
            if let TypeKind::Record(id) = types.kind(types.canonical(alias.of))
                && types.record_info(id).tag.is_none()
            {
                self.record_names.entry(id).or_insert_with(|| self.source.names.resolve(alias.name).to_owned());
            }
        }
    }

    /// The tag; for a record without one the `typedef` name, the path to the member it is, or a number.
    fn record_name(&mut self, id: RecordId) -> String {
        if let Some(tag) = self.source.types.record_info(id).tag {
            return self.source.names.resolve(tag).to_owned();
        }
        self.alias_names();
        match self.record_names.get(&id) {
            Some(name) => name.clone(),
            None => format!("anonymous@{}", self.place),
        }
    }

    /// Whether a record of the program is this one: same members at the same places, of types that look the same.
    /// A record that is only declared so far is.
    fn same_layout(&mut self, link: &Linker<'_>, id: RecordId, candidate: IrRecordId) -> bool {
        let source = self.source;
        let info = source.types.record_info(id);
        let record = &link.program.records[candidate];
        let Some(fields) = &record.fields else { return true };
        let layout = info.layout.expect("complete");
        if record.size != layout.size || record.align != layout.align || fields.len() != info.fields.len() {
            return false;
        }
        info.fields.iter().zip(fields).all(|(member, field)| {
            let same_name = member.name.is_none_or(|name| source.names.resolve(name) == field.name);
            let same_place = match (member.bits, field.bits) {
                (None, None) => member.offset == field.offset,
                (Some(width), Some(bits)) => {
                    u32::from(bits.width) == width
                        && member.offset * 8 + u64::from(member.bit) == field.offset * 8 + u64::from(bits.shift)
                }
                _ => false,
            };
            same_name && same_place && (member.bits.is_some() || self.looks_like(link, member.ty, field.ty))
        })
    }

    fn looks_like(&mut self, link: &Linker<'_>, ty: TypeId, known: IrTypeId) -> bool {
        let types = &self.source.types;
        let ty = types.canonical(ty);
        match (types.kind(ty), link.program.ty(known)) {
            (TypeKind::Pointer(pointee), Type::Pointer(known)) => self.looks_like(link, pointee, *known),
            (TypeKind::Array { elem, len }, Type::Array(known, count)) => {
                let fixed = match len {
                    ArrayLen::Fixed(count) => Some(count),
                    ArrayLen::Unknown | ArrayLen::Star | ArrayLen::Variable(_) => None,
                };
                fixed == *count && self.looks_like(link, elem, *known)
            }
            (TypeKind::Record(record), Type::Record(known)) => {
                let known = &link.program.records[*known].name;
                let name = self.record_name(record);
                name == *known || known.strip_prefix(&name).is_some_and(|rest| rest.starts_with('@'))
            }
            (TypeKind::Function(_), Type::Function(_)) | (TypeKind::Void, Type::Void) => true,
            (TypeKind::Atomic(inner), _) => self.looks_like(link, inner, known),
            (TypeKind::Bool, Type::Int(IntType::Bool)) => true,
            (TypeKind::Int(_) | TypeKind::Enum(_) | TypeKind::BitInt { .. }, Type::Int(int)) => {
                self.int_type(ty) == Some(*int)
            }
            (TypeKind::Float(_) | TypeKind::Complex(_) | TypeKind::Vector { .. }, _) => {
                self.size(ty) == link.program.size_of(known)
            }
            _ => false,
        }
    }
}

/// Where the bits of a bit-field are: within a unit of its declared type, aligned, where that stays inside the record;
/// else within the smallest unit that holds them.
fn storage_unit(
    link: &mut Linker<'_>,
    ty: IrTypeId,
    offset: u64,
    bit: u32,
    width: u32,
    record_size: u64,
) -> (u64, IrTypeId, BitRange) {
    let declared = link.program.size_of(ty).unwrap_or(4);
    let position = offset * 8 + u64::from(bit);
    let signed = matches!(link.program.ty(ty), Type::Int(IntType::Signed(_)));
    let is_bool = matches!(link.program.ty(ty), Type::Int(IntType::Bool));
    let mut units = vec![(position / 8 / declared * declared, declared)];
    units.extend([1, 2, 4, 8, 16].into_iter().flat_map(|size| [(position / 8 / size * size, size), (offset, size)]));
    let fits = |&(start, size): &(u64, u64)| {
        position + u64::from(width) <= (start + size) * 8 && start + size <= record_size.max(1)
    };
    let (start, size) = units.into_iter().find(fits).unwrap_or((offset, declared));
    let shift = u8::try_from(position - start * 8).unwrap_or(0);
    let ty = if size == declared || is_bool {
        ty
    } else {
        let bytes = u8::try_from(size).unwrap_or(8);
        link.program.types.intern(Type::Int(if signed { IntType::Signed(bytes) } else { IntType::Unsigned(bytes) }))
    };
    (start, ty, BitRange { shift, width: u8::try_from(width).unwrap_or(64) })
}

/// Whether bits lie within a unit of so many bytes.
pub(crate) fn is_within(bits: BitRange, bytes: u64) -> bool {
    u64::from(bits.shift) + u64::from(bits.width) <= bytes * 8
}
