//! The kinds of cells: which fields are links, which are data.

use super::elements::pointers_in_array;
use super::embedded::Embedded;
use crate::program::{CellKind, DataExtent, DataField, Link, LinkTarget};
use heapwise_engine::reason::MemoryGap;
use heapwise_ir::{BitRange, Condition, Field, Instruction, Path, Program, Record, RecordId, RecordKind, Type, TypeId};

/// A scalar (or an aggregate that is not taken apart) within a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scalar {
    /// Offset in bytes.
    pub offset: u64,
    /// Size in bytes.
    pub size: u64,
    /// Its type.
    pub ty: TypeId,
    /// Whether it was taken apart.
    pub extent: DataExtent,
    /// The fields that lead to it, joined by dots.
    pub name: String,
}

/// The scalars of a type; unions, bit-fields and arrays stay whole, but for short arrays of pointers, arrays of one element
/// (a `va_list` is one), and unions of pointers to functions: whichever member is written, it is the same function.
pub fn scalars(program: &Program, ty: TypeId) -> Vec<Scalar> {
    let mut found = Vec::new();
    collect(program, ty, 0, String::new(), &mut found);
    found
}

fn collect(program: &Program, ty: TypeId, offset: u64, name: String, found: &mut Vec<Scalar>) {
    let Some(size) = program.size_of(ty) else { return };
    let extent = match program.ty(ty) {
        Type::Record(record) if program.records[*record].kind == RecordKind::Struct => {
            for field in program.records[*record].fields() {
                let inner = if name.is_empty() { field.name.clone() } else { format!("{name}.{}", field.name) };
                if let Some(bits) = field.bits {
                    let (before, size) = bytes_of_bits(bits);
                    let (offset, extent) = (offset + field.offset + before, DataExtent::Aggregate);
                    found.push(Scalar { offset, size, ty: field.ty, extent, name: inner });
                } else {
                    collect(program, field.ty, offset + field.offset, inner, found);
                }
            }
            return;
        }
        Type::Array(..) => {
            if let Some((element, count)) = pointers_in_array(program, ty) {
                for number in 0..count {
                    collect(program, element, offset + number * (size / count), format!("{name}[{number}]"), found);
                }
                return;
            }
            if let Type::Array(element, Some(1)) = program.ty(ty) {
                return collect(program, *element, offset, format!("{name}[0]"), found);
            }
            DataExtent::Aggregate
        }
        Type::Record(record) => match function_of_union(program, &program.records[*record], size) {
            Some(member) => return collect(program, member, offset, name, found),
            None => DataExtent::Aggregate,
        },
        Type::Void | Type::Int(_) | Type::Float(_) | Type::Pointer(_) | Type::Function(_) => DataExtent::Scalar,
    };
    found.push(Scalar { offset, size, ty, extent, name });
}

/// The type of the first member of a union, if all members are pointers to functions.
fn function_of_union(program: &Program, union: &Record, size: u64) -> Option<TypeId> {
    let is_function = |field: &Field| {
        let is_whole = field.offset == 0 && field.bits.is_none() && program.size_of(field.ty) == Some(size);
        is_whole && matches!(pointed(program, field.ty), Some(Type::Function(_)))
    };
    let first = union.fields().first()?;
    union.fields().iter().all(is_function).then_some(first.ty)
}

/// The bytes of its storage unit that a bit-field lies in: how many are before them, and how many they are.
pub fn bytes_of_bits(bits: BitRange) -> (u64, u64) {
    let (first, end) = (u64::from(bits.shift) / 8, (u64::from(bits.shift) + u64::from(bits.width)).div_ceil(8));
    (first, end - first)
}

/// Which pointers of a cell are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Links {
    /// One to cells of its own kind: lists. Of several such pointers it is the one that the program goes along; in the others a
    /// pointer to a cell is not followed.
    OneToItself,
    /// All.
    Every,
}

/// What a pointer to a function is in a cell whose pointers are all followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionPointers {
    /// A link that holds the address of a function: the program calls through pointers.
    Followed,
    /// Data.
    Data,
}

/// The kind of cells of a type, or why it is outside the class.
pub fn cell_kind(
    program: &Program,
    ty: TypeId,
    bytes: u64,
    (followed, functions): (Links, FunctionPointers),
    embedded: &Embedded,
) -> Result<CellKind, MemoryGap> {
    let name = type_name(program, ty);
    let pointer_bytes = u64::from(program.target.pointer_bytes);
    let mut kind = CellKind { name: name.clone(), size: bytes, links: Vec::new(), data: Vec::new(), pointer_bytes };
    let record = match program.ty(ty) {
        Type::Record(record) => Some(*record),
        _ => None,
    };
    let scalars = scalars(program, ty);
    let leads_to_itself = |scalar: &Scalar| record.is_some_and(|record| links_to(program, scalar.ty, record));
    let of_list = match followed {
        Links::OneToItself => {
            let links = scalars.iter().filter(|scalar| leads_to_itself(scalar)).map(|scalar| scalar.offset);
            link_of_list(program, ty, links)
        }
        Links::Every => None,
    };
    for scalar in scalars {
        let to_itself = leads_to_itself(&scalar);
        let target = match program.ty(scalar.ty) {
            Type::Pointer(pointee) if !to_itself && !embedded.leads_to(program, *pointee, ty) => {
                LinkTarget::Other(*pointee)
            }
            _ => LinkTarget::Same,
        };
        let is_link = match followed {
            Links::OneToItself => to_itself && Some(scalar.offset) == of_list,
            Links::Every => match (pointed(program, scalar.ty), functions) {
                (Some(Type::Function(_)), FunctionPointers::Data) | (None, _) => to_itself,
                (Some(_), FunctionPointers::Data | FunctionPointers::Followed) => true,
            },
        };
        match (is_link, scalar.extent) {
            (true, DataExtent::Scalar) => kind.links.push(Link { offset: scalar.offset, name: scalar.name, target }),
            (true, DataExtent::Aggregate) => {
                return Err(MemoryGap::LinksInArray { record: name });
            }
            (false, extent) => {
                kind.data.push(DataField { name: scalar.name, offset: scalar.offset, size: scalar.size, extent });
            }
        }
    }
    Ok(kind)
}

/// The link that lists of such cells go along: one that a claim names, or else the one that is read most often; of several,
/// the first.
fn link_of_list(program: &Program, ty: TypeId, links: impl Iterator<Item = u64>) -> Option<u64> {
    let links: Vec<u64> = links.collect();
    if links.len() < 2 {
        return links.first().copied();
    }
    let mut weights = vec![(0u32, 0u32); links.len()];
    let offset_of = |path: &Path| {
        let offset = program.resolve(path).filter(|_| path.view == ty)?.offset;
        links.iter().position(|link| i64::try_from(*link) == Ok(offset))
    };
    for function in program.functions.values() {
        let Some(automaton) = function.automaton() else { continue };
        for edge in automaton.edges.values() {
            match &edge.instruction {
                Instruction::Load { place, .. } => {
                    offset_of(&place.path).into_iter().for_each(|link| weights[link].1 += 1);
                }
                Instruction::Assert(Condition::Shape(shape)) | Instruction::Assume(Condition::Shape(shape)) => {
                    shape.links.iter().filter_map(offset_of).for_each(|link| weights[link].0 += 1);
                }
                Instruction::Assign { .. }
                | Instruction::Store { .. }
                | Instruction::Copy { .. }
                | Instruction::Alloc { .. }
                | Instruction::Free { .. }
                | Instruction::End { .. }
                | Instruction::Assume(_)
                | Instruction::Call { .. }
                | Instruction::Assert(_)
                | Instruction::Unsupported(_) => {}
            }
        }
    }
    let first_best = weights.iter().zip(&links).rev().max_by_key(|(weight, _)| **weight);
    first_best.map(|(_, link)| *link)
}

/// A block of bytes without a link.
pub fn block_kind(program: &Program, name: String, bytes: u64) -> CellKind {
    let data = vec![DataField { name: String::new(), offset: 0, size: bytes, extent: DataExtent::Aggregate }];
    let pointer_bytes = u64::from(program.target.pointer_bytes);
    CellKind { name, size: bytes, links: Vec::new(), data, pointer_bytes }
}

/// What a scalar of a type points to, if it is a pointer.
fn pointed(program: &Program, ty: TypeId) -> Option<&Type> {
    match program.ty(ty) {
        Type::Pointer(pointee) => Some(program.ty(*pointee)),
        Type::Array(..) | Type::Record(_) | Type::Void | Type::Int(_) | Type::Float(_) | Type::Function(_) => None,
    }
}

/// Whether a value of a type holds a pointer to the record.
fn links_to(program: &Program, ty: TypeId, record: RecordId) -> bool {
    match program.ty(ty) {
        Type::Pointer(pointee) => *program.ty(*pointee) == Type::Record(record),
        Type::Array(element, _) => links_to(program, *element, record),
        Type::Record(inner) => program.records[*inner].fields().iter().any(|field| links_to(program, field.ty, record)),
        Type::Void | Type::Int(_) | Type::Float(_) | Type::Function(_) => false,
    }
}

/// A type's name for the user.
pub fn type_name(program: &Program, ty: TypeId) -> String {
    match program.ty(ty) {
        Type::Record(record) => {
            let record = &program.records[*record];
            match record.kind {
                RecordKind::Struct => format!("struct {}", record.name),
                RecordKind::Union => format!("union {}", record.name),
            }
        }
        Type::Pointer(pointee) => format!("{} *", type_name(program, *pointee)),
        Type::Array(element, _) => format!("{}[]", type_name(program, *element)),
        Type::Void => "void".into(),
        Type::Int(_) => "int".into(),
        Type::Float(_) => "float".into(),
        Type::Function(_) => "function".into(),
    }
}
