//! The types that gcc describes in an object file's debug information: its own account of every record's layout,
//! bit-fields included, that needs no run of the program (Linux' files could not be run).

use crate::BenchError;
use gimli::{
    AttributeValue, DebuggingInformationEntry, Dwarf, DwarfSections, EndianSlice, LittleEndian, Unit, UnitOffset,
    constants as dwarf,
};
use heapwise_ir::RecordKind;
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget};
use rustc_hash::FxHashMap;
use std::path::Path;

/// A type of the object file, by its position in [`DebugTypes`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DebugTypeId(usize);

/// The types of an object file.
#[derive(Default, Debug)]
pub struct DebugTypes {
    types: Vec<DebugType>,
    /// Complete records by tag; a record without one by the `typedef` that names it.
    named: FxHashMap<(RecordKind, String), Vec<DebugTypeId>>,
    /// Complete records of the file scope, as C text names them: `struct tag`, `union tag`, or the name of a `typedef`.
    file_scope: Vec<String>,
}

/// A type.
#[derive(Debug)]
pub enum DebugType {
    /// A number, a pointer, an enumeration: what matters is its size.
    Scalar(Option<u64>),
    /// Another type, perhaps qualified; `None` is `void`.
    Same(Option<DebugTypeId>),
    /// An array; `None` where the count is not written down.
    Array(Option<DebugTypeId>, Option<u64>),
    /// A struct or union.
    Record(DebugRecord),
}

/// A struct or union.
#[derive(Debug)]
pub struct DebugRecord {
    /// The tag.
    pub name: Option<String>,
    /// Struct or union.
    pub kind: RecordKind,
    /// The size in bytes; `None` where it is only declared.
    pub size: Option<u64>,
    /// The members, unnamed bit-fields left out.
    pub members: Vec<DebugMember>,
}

/// A member.
#[derive(Debug)]
pub struct DebugMember {
    /// The name; `None` for an anonymous struct or union.
    pub name: Option<String>,
    /// Where it starts, in bits from the start of the record.
    pub bit_offset: u64,
    /// Its width in bits, for a bit-field.
    pub bit_width: Option<u64>,
    /// Its type.
    pub ty: Option<DebugTypeId>,
}

impl DebugTypes {
    /// The complete records of that kind and name.
    pub fn named(&self, kind: RecordKind, name: &str) -> &[DebugTypeId] {
        self.named.get(&(kind, name.to_owned())).map_or(&[], Vec::as_slice)
    }

    /// The complete records of the file scope, as C text names them.
    pub fn file_scope(&self) -> &[String] {
        &self.file_scope
    }

    /// All complete records.
    pub fn records(&self) -> impl Iterator<Item = (DebugTypeId, &DebugRecord)> {
        self.types.iter().enumerate().filter_map(|(index, ty)| match ty {
            DebugType::Record(record) if record.size.is_some() => Some((DebugTypeId(index), record)),
            _ => None,
        })
    }

    /// The record behind an id, if it is one.
    pub fn record(&self, id: DebugTypeId) -> Option<&DebugRecord> {
        match &self.types[id.0] {
            DebugType::Record(record) => Some(record),
            _ => None,
        }
    }

    /// The size in bytes, where it is written down.
    pub fn size_of(&self, id: DebugTypeId) -> Option<u64> {
        match &self.types[id.0] {
            DebugType::Scalar(size) => *size,
            DebugType::Same(target) => self.size_of((*target)?),
            DebugType::Array(element, count) => self.size_of((*element)?)?.checked_mul((*count)?),
            DebugType::Record(record) => record.size,
        }
    }

    /// The record that a type is, or is an array of.
    pub fn innermost_record(&self, id: DebugTypeId) -> Option<DebugTypeId> {
        match &self.types[id.0] {
            DebugType::Scalar(_) => None,
            DebugType::Same(target) | DebugType::Array(target, _) => self.innermost_record((*target)?),
            DebugType::Record(_) => Some(id),
        }
    }

    /// Reads the types of an object file that was compiled from `path`.
    pub fn read(object: &[u8], path: &Path) -> Result<DebugTypes, BenchError> {
        let wrong = |problem: String| BenchError::DebugInformation { path: path.to_owned(), problem };
        let file = object::File::parse(object).map_err(|error| wrong(error.to_string()))?;
        let sections =
            DwarfSections::load(|id| relocated(&file, id.name())).map_err(|error| wrong(error.to_string()))?;
        let dwarf = sections.borrow(|section| EndianSlice::new(section, LittleEndian));
        let mut types = DebugTypes::default();
        let mut headers = dwarf.units();
        loop {
            let read = headers.next().and_then(|header| match header {
                None => Ok(false),
                Some(header) => {
                    let unit = dwarf.unit(header)?;
                    Reader { dwarf: &dwarf, unit: &unit, types: &mut types, ids: FxHashMap::default() }.read()?;
                    Ok(true)
                }
            });
            if !read.map_err(|error| wrong(error.to_string()))? {
                return Ok(types);
            }
        }
    }
}

/// The bytes of a section with its relocations applied: in an object file, references to other sections (the strings) are
/// relocations.
fn relocated(file: &object::File<'_>, name: &str) -> Result<Vec<u8>, object::Error> {
    let Some(section) = file.section_by_name(name) else { return Ok(Vec::new()) };
    let mut bytes = section.data()?.to_vec();
    for (offset, relocation) in section.relocations() {
        let base = match relocation.target() {
            RelocationTarget::Symbol(symbol) => file.symbol_by_index(symbol)?.address(),
            _ => 0,
        };
        let value = base.wrapping_add_signed(relocation.addend()).to_le_bytes();
        let length = usize::from(relocation.size() / 8);
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        if let Some(place) = bytes.get_mut(start..start.saturating_add(length)) {
            place.copy_from_slice(&value[..length]);
        }
    }
    Ok(bytes)
}

type Slice<'data> = EndianSlice<'data, LittleEndian>;
type Entry<'data> = DebuggingInformationEntry<Slice<'data>>;

/// Reads one compilation unit.
struct Reader<'data, 'out> {
    dwarf: &'out Dwarf<Slice<'data>>,
    unit: &'out Unit<Slice<'data>>,
    types: &'out mut DebugTypes,
    ids: FxHashMap<UnitOffset, DebugTypeId>,
}

impl<'data> Reader<'data, '_> {
    fn read(&mut self) -> gimli::Result<()> {
        // Ids first: types refer forwards.
        let mut entries = self.unit.entries();
        while let Some(entry) = entries.next_dfs()? {
            if is_type(entry.tag()) {
                let id = DebugTypeId(self.types.types.len());
                self.types.types.push(DebugType::Same(None));
                self.ids.insert(entry.offset(), id);
            }
        }
        let mut parents: Vec<(isize, DebugTypeId)> = Vec::new();
        let mut entries = self.unit.entries();
        while let Some(entry) = entries.next_dfs()? {
            let depth = entry.depth();
            while parents.last().is_some_and(|(parent, _)| *parent >= depth) {
                parents.pop();
            }
            if let Some(&id) = self.ids.get(&entry.offset()) {
                self.types.types[id.0] = self.read_type(entry)?;
                parents.push((depth, id));
            } else if let Some((_, parent)) = parents.last().filter(|(parent, _)| parent + 1 == depth).copied() {
                self.read_part(entry, parent)?;
            }
        }
        self.name_records()
    }

    fn read_type(&self, entry: &Entry<'data>) -> gimli::Result<DebugType> {
        let size = number(entry, dwarf::DW_AT_byte_size);
        let kind = match entry.tag() {
            dwarf::DW_TAG_structure_type => RecordKind::Struct,
            dwarf::DW_TAG_union_type => RecordKind::Union,
            dwarf::DW_TAG_array_type => return Ok(DebugType::Array(self.ty(entry), Some(1))),
            dwarf::DW_TAG_typedef
            | dwarf::DW_TAG_const_type
            | dwarf::DW_TAG_volatile_type
            | dwarf::DW_TAG_restrict_type
            | dwarf::DW_TAG_atomic_type => return Ok(DebugType::Same(self.ty(entry))),
            _ => return Ok(DebugType::Scalar(size)),
        };
        let size = if entry.has_attr(dwarf::DW_AT_declaration) { None } else { size };
        Ok(DebugType::Record(DebugRecord { name: self.name(entry)?, kind, size, members: Vec::new() }))
    }

    /// A member of the record, or a dimension of the array, that was read last at the level above.
    fn read_part(&mut self, entry: &Entry<'data>, parent: DebugTypeId) -> gimli::Result<()> {
        let member = DebugMember {
            name: self.name(entry)?,
            bit_offset: number(entry, dwarf::DW_AT_data_bit_offset)
                .or_else(|| Some(number(entry, dwarf::DW_AT_data_member_location)? * 8))
                .unwrap_or(0),
            bit_width: number(entry, dwarf::DW_AT_bit_size),
            ty: self.ty(entry),
        };
        match (entry.tag(), &mut self.types.types[parent.0]) {
            (dwarf::DW_TAG_member, DebugType::Record(record)) => record.members.push(member),
            (dwarf::DW_TAG_subrange_type, DebugType::Array(_, total)) => {
                let upper = || number(entry, dwarf::DW_AT_upper_bound)?.checked_add(1);
                let count = number(entry, dwarf::DW_AT_count).or_else(upper);
                *total = total.zip(count).and_then(|(total, count)| total.checked_mul(count));
            }
            _ => {}
        }
        Ok(())
    }

    /// Lists records by tag, and records without one by the `typedef`s that name them.
    fn name_records(&mut self) -> gimli::Result<()> {
        let mut found = Vec::new();
        let mut entries = self.unit.entries();
        while let Some(entry) = entries.next_dfs()? {
            let Some(&id) = self.ids.get(&entry.offset()) else { continue };
            let id = match entry.tag() {
                dwarf::DW_TAG_typedef => self.ty(entry),
                _ => Some(id),
            };
            let Some(id) = id else { continue };
            let Some(record) = self.types.record(id).filter(|record| record.size.is_some()) else { continue };
            let is_alias = entry.tag() == dwarf::DW_TAG_typedef;
            if let Some(name) = self.name(entry)?
                && (!is_alias || record.name.is_none())
            {
                let spelled = match (is_alias, record.kind) {
                    (true, _) => name.clone(),
                    (false, RecordKind::Struct) => format!("struct {name}"),
                    (false, RecordKind::Union) => format!("union {name}"),
                };
                // The unit itself is at depth 0, what is declared in its file scope at depth 1.
                let spelled = (entry.depth() == 1).then_some(spelled);
                found.push(((record.kind, name), id, spelled));
            }
        }
        for (key, id, spelled) in found {
            self.types.named.entry(key).or_default().push(id);
            self.types.file_scope.extend(spelled);
        }
        Ok(())
    }

    fn ty(&self, entry: &Entry<'data>) -> Option<DebugTypeId> {
        match entry.attr_value(dwarf::DW_AT_type)? {
            AttributeValue::UnitRef(offset) => self.ids.get(&offset).copied(),
            _ => None,
        }
    }

    fn name(&self, entry: &Entry<'data>) -> gimli::Result<Option<String>> {
        let Some(value) = entry.attr_value(dwarf::DW_AT_name) else { return Ok(None) };
        let text = self.dwarf.attr_string(self.unit, value)?;
        Ok(Some(text.to_string_lossy().into_owned()))
    }
}

fn number(entry: &Entry<'_>, attribute: gimli::DwAt) -> Option<u64> {
    entry.attr_value(attribute)?.udata_value()
}

fn is_type(tag: gimli::DwTag) -> bool {
    matches!(
        tag,
        dwarf::DW_TAG_structure_type
            | dwarf::DW_TAG_union_type
            | dwarf::DW_TAG_array_type
            | dwarf::DW_TAG_typedef
            | dwarf::DW_TAG_const_type
            | dwarf::DW_TAG_volatile_type
            | dwarf::DW_TAG_restrict_type
            | dwarf::DW_TAG_atomic_type
            | dwarf::DW_TAG_base_type
            | dwarf::DW_TAG_pointer_type
            | dwarf::DW_TAG_enumeration_type
            | dwarf::DW_TAG_subroutine_type
    )
}
