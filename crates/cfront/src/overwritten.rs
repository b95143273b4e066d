//! Initializers in which something is initialised twice. The typed tree has their values in the order of the text, each with its
//! place, so that of two values for one scalar the later one stays, as in C. But a part that is made anew, by a braced list or because
//! another member of a union is named, loses values that no later one overwrites: then it is not known what the object holds.

use crate::adapter::{ExprId, ExprKind, InitEntry, InitList, ItemForm, ListItem, ListText, Source};
use crate::initializers::{bit_field_at, evaluate};
use crate::link::Linker;
use crate::pointers::{character_array_at, path_at};
use crate::unit::UnitContext;
use heapwise_ir::{Program, RecordKind, Step, Type, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::ops::Range;

/// Whether an initializer may lose a value that it has given, other than by a value for the same scalar.
pub(crate) fn may_be_initialized_again(
    link: &mut Linker<'_>,
    unit: &mut UnitContext<'_>,
    ty: TypeId,
    init: InitList,
) -> bool {
    let source = unit.source;
    let entries = &source.tast[init];
    let places = || entries.iter().map(|entry| source.tast.expr_span(entry.value).lo);
    let lists: Vec<&ListText> = source.designators.around(places()).flat_map(|text| &text.lists).collect();
    if entries.len() < 2 && lists.is_empty() {
        return false;
    }
    let choice = if lists.is_empty() { MemberChoice::First } else { MemberChoice::Designated };
    let written: Vec<Written> = entries.iter().map(|entry| Written::new(link, unit, ty, *entry)).collect();
    let mut at: FxHashMap<u32, Vec<&Written>> = FxHashMap::default();
    written.iter().for_each(|it| at.entry(it.place).or_default().push(it));
    lists.into_iter().any(|list| comes_back(&link.program, ty, &at, list))
        || overlap(&written)
        || union_changes_member(&link.program, ty, &written.iter().collect::<Vec<_>>(), 0, choice)
}

/// How an initializer comes to a member of a union.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MemberChoice {
    /// By order: it is the first one.
    First,
    /// A designator may name it.
    Designated,
}

/// Whether an item of a list that is a list itself may stand for a part that has values of an earlier item. With so many braces open
/// around the list, what it initialises is at least so many steps below the object, and what its items are for one more. `at`
/// has the values by their places in the text.
fn comes_back(program: &Program, whole: TypeId, at: &FxHashMap<u32, Vec<&Written>>, list: &ListText) -> bool {
    let mut seen: FxHashSet<Vec<Step>> = FxHashSet::default();
    // What has no values is not seen in the tree.
    let mut hidden: Vec<&ListItem> = Vec::new();
    for (index, item) in list.items.iter().enumerate() {
        let values = item.places.iter().filter_map(|place| at.get(place)).flatten();
        let parts: FxHashSet<Vec<Step>> = values
            .map(|it| it.steps(program, whole).unwrap_or_default().into_iter().take(list.depth + 1).collect())
            .collect();
        let may_touch = |other: &ListItem| item.part.may_touch(&other.part);
        if item.form == ItemForm::List
            && (parts.iter().any(|part| seen.contains(part))
                || hidden.iter().any(|other| may_touch(other))
                || parts.is_empty() && list.items[..index].iter().any(may_touch))
        {
            return true;
        }
        if parts.is_empty() {
            hidden.push(item);
        }
        seen.extend(parts);
    }
    false
}

/// A value of an initializer.
struct Written {
    entry: InitEntry,
    /// The first bit, from the start of the object, and how many.
    start: u64,
    bits: u64,
    ty: TypeId,
    form: Form,
    /// Where it stands in the text.
    place: u32,
}

/// How a value is written into its place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A scalar that can be computed without anybody noticing: a constant, or what a variable holds.
    PlainScalar,
    /// Any other: whether it is computed at all where a later one takes its place is left open by C.
    Scalar,
    Text,
    Aggregate,
}

impl Written {
    fn new(link: &mut Linker<'_>, unit: &mut UnitContext<'_>, whole: TypeId, entry: InitEntry) -> Written {
        let source = unit.source;
        let ty = unit.ty(link, source.tast[entry.value].ty);
        let program = &link.program;
        let place = source.tast.expr_span(entry.value).lo;
        let form = match (&source.tast[entry.value].kind, program.ty(ty)) {
            (ExprKind::Str(_), _) => Form::Text,
            (_, Type::Record(_) | Type::Array(..)) => Form::Aggregate,
            _ if is_plain(source, entry.value) => Form::PlainScalar,
            _ => Form::Scalar,
        };
        let bytes = match form {
            // The array may be longer than its text.
            Form::Text => character_array_at(program, whole, entry.offset)
                .and_then(|path| program.resolve(&path))
                .and_then(|resolved| program.size_of(resolved.ty)),
            Form::PlainScalar | Form::Scalar | Form::Aggregate => None,
        };
        let bytes = bytes.or_else(|| program.size_of(ty)).unwrap_or(0);
        let (shift, bits) = match entry.is_bit_field() {
            true => (u64::from(entry.bit_offset), u64::from(entry.bit_width)),
            false => (0, bytes * 8),
        };
        Written { entry, start: entry.offset * 8 + shift, bits, ty, form, place }
    }

    /// The way from the whole object to where it is written.
    fn steps(&self, program: &Program, whole: TypeId) -> Option<Vec<Step>> {
        let path = match (self.entry.is_bit_field(), self.form) {
            (true, _) => bit_field_at(program, whole, self.start, self.entry.bit_width).map(|(path, _)| path),
            (false, Form::Text) => character_array_at(program, whole, self.entry.offset),
            (false, Form::PlainScalar | Form::Scalar | Form::Aggregate) => {
                path_at(program, whole, self.entry.offset, Some(self.ty))
            }
        };
        path.map(|path| path.steps.to_vec())
    }

    /// Whether a member of a union that begins at bit `base` has a part that this value can be for.
    fn fits(&self, program: &Program, member: TypeId, base: u64) -> bool {
        let Some(start) = self.start.checked_sub(base) else { return false };
        if self.entry.is_bit_field() {
            return bit_field_at(program, member, start, self.entry.bit_width).is_some();
        }
        let offset = start / 8;
        match self.form {
            Form::Text => character_array_at(program, member, offset).is_some(),
            Form::PlainScalar | Form::Scalar | Form::Aggregate => {
                member == self.ty && offset == 0
                    || path_at(program, member, offset, Some(self.ty))
                        .and_then(|path| program.resolve(&path))
                        .is_some_and(|resolved| resolved.ty == self.ty)
            }
        }
    }
}

/// Whether nothing is seen of the computation of a value: it is a constant, or what a variable or a member of one holds.
fn is_plain(source: &Source, value: ExprId) -> bool {
    match source.tast[value].kind {
        ExprKind::Convert { operand, .. } | ExprKind::Cast(operand) => is_plain(source, operand),
        ExprKind::Member { base, .. } => is_plain(source, base),
        ExprKind::Decl(_) | ExprKind::Str(_) => true,
        _ => evaluate(source, value).is_some(),
    }
}

/// Whether two values share bits, other than two for the same scalar of which the first is a plain one.
fn overlap(written: &[Written]) -> bool {
    let mut earlier: BTreeMap<u64, &Written> = BTreeMap::new();
    for it in written.iter().filter(|it| it.bits > 0) {
        let end = it.start + it.bits;
        let before = earlier.range(..end).next_back().map(|(_, before)| *before);
        if let Some(before) = before.filter(|before| before.start + before.bits > it.start) {
            let is_same = before.start == it.start && before.bits == it.bits;
            let are_scalars = before.form == Form::PlainScalar && matches!(it.form, Form::PlainScalar | Form::Scalar);
            if !is_same || !are_scalars {
                return true;
            }
        }
        earlier.insert(it.start, it);
    }
    false
}

/// Whether the values in a part that begins at bit `base` may be for several members of one union.
fn union_changes_member(program: &Program, ty: TypeId, written: &[&Written], base: u64, choice: MemberChoice) -> bool {
    if written.len() < 2 {
        return false;
    }
    match program.ty(ty) {
        Type::Record(record) if program.records[*record].kind == RecordKind::Union => {
            let members: Vec<TypeId> = program.records[*record].fields().iter().map(|field| field.ty).collect();
            let fitting =
                |it: &Written| -> Vec<bool> { members.iter().map(|&it_is| it.fits(program, it_is, base)).collect() };
            let fits: Vec<Vec<bool>> = written.iter().map(|it| fitting(it)).collect();
            let of_all = (0..members.len()).filter(|&member| fits.iter().all(|it| it[member]));
            let of_some = (0..members.len()).filter(|&member| fits.iter().any(|it| it[member])).count();
            let of_all: Vec<usize> = of_all.collect();
            // Only a designator can name another member than that of the value before.
            let is_open = of_some > 1 && choice == MemberChoice::Designated;
            of_all.is_empty()
                || is_open
                || of_all
                    .into_iter()
                    .any(|member| union_changes_member(program, members[member], written, base, choice))
        }
        Type::Record(record) => program.records[*record].fields().iter().any(|field| {
            let start = base + field.offset * 8;
            let end = program.size_of(field.ty).map_or(u64::MAX, |size| start + size * 8);
            field.bits.is_none() && in_part(program, field.ty, written, start..end, choice)
        }),
        Type::Array(element, _) => {
            let Some(bits) = program.size_of(*element).filter(|&size| size > 0).map(|size| size * 8) else {
                return false;
            };
            if !has_union(program, *element) {
                return false;
            }
            let mut elements: BTreeMap<u64, Vec<&Written>> = BTreeMap::new();
            for it in written {
                elements.entry((it.start - base) / bits).or_default().push(it);
            }
            elements
                .into_iter()
                .any(|(index, written)| union_changes_member(program, *element, &written, base + index * bits, choice))
        }
        Type::Void | Type::Int(_) | Type::Float(_) | Type::Pointer(..) | Type::Function(_) => false,
    }
}

fn in_part(program: &Program, ty: TypeId, written: &[&Written], bits: Range<u64>, choice: MemberChoice) -> bool {
    if !has_union(program, ty) {
        return false;
    }
    let inside: Vec<&Written> = written.iter().copied().filter(|it| bits.contains(&it.start)).collect();
    union_changes_member(program, ty, &inside, bits.start, choice)
}

/// Whether a type is a union or has one inside.
fn has_union(program: &Program, ty: TypeId) -> bool {
    match program.ty(ty) {
        Type::Record(record) => {
            let record = &program.records[*record];
            record.kind == RecordKind::Union || record.fields().iter().any(|field| has_union(program, field.ty))
        }
        Type::Array(element, _) => has_union(program, *element),
        Type::Void | Type::Int(_) | Type::Float(_) | Type::Pointer(..) | Type::Function(_) => false,
    }
}
