//! Field groups: which fields of the program's records make one structure, and which sub-analysis follows each byte.
//!
//! Links belong together if the program writes them as inverses of each other (`a->next = b; b->prev = a`), if one variable
//! walks along both (`p = p->left`, `p = p->right`), or if their names are those of a pair. All other fields of a record with
//! links go to one of its groups: the first, unless a grouping is given.
//!
//! A sub-analysis looks at the bytes of its own group in every object of a size (or in every global of a type) that has such
//! fields, and never at those of another group: so all of them agree on who follows a byte, whatever casts the program makes.

use crate::heap::{Object, Size, Storage};
use crate::layouts::Inverses;
use heapwise_engine::reason::GroupMisfit;
use heapwise_ir::{
    Expression, GlobalId, Instruction, Operand, Path, Program, RecordId, RecordKind, RegisterId, Step, Type, TypeId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

/// A sub-analysis, by its place in [`Groups`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GroupId(pub u8);

/// A field of a record.
pub type FieldKey = (RecordId, u32);

/// Whose a stretch of bytes is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// No group's: every sub-analysis follows them.
    Shared,
    /// That of one.
    Group(GroupId),
    /// Bytes of several.
    Several,
}

/// A partition of fields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Groups {
    fields: Vec<Vec<FieldKey>>,
    owners: FxHashMap<FieldKey, GroupId>,
    /// Start, end and owner of bytes, by the size of the object.
    by_size: FxHashMap<u64, Vec<(u64, u64, GroupId)>>,
    by_global: FxHashMap<GlobalId, Vec<(u64, u64, GroupId)>>,
}

/// What `--groups` says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Grouping {
    /// One group of all fields.
    Single,
    /// Read off the program.
    Inferred,
    /// As given: names of fields, `field` or `record.field`.
    Given(Vec<Vec<String>>),
}

impl Grouping {
    /// Reads `single`, `infer`, or groups like `next+prev,left+right+parent`.
    pub fn parse(text: &str) -> Option<Grouping> {
        match text {
            "single" => return Some(Grouping::Single),
            "infer" => return Some(Grouping::Inferred),
            _ => {}
        }
        let groups: Vec<Vec<String>> =
            text.split(',').map(|group| group.split('+').map(|name| name.trim().to_owned()).collect()).collect();
        let is_name = |name: &String| {
            !name.is_empty() && name.chars().all(|found| found.is_alphanumeric() || found == '_' || found == '.')
        };
        groups.iter().flatten().all(is_name).then_some(Grouping::Given(groups))
    }
}

/// Most groups: their ids are bytes, and every instruction is run once for each.
const MOST_GROUPS: usize = 32;

impl Groups {
    /// The groups of a program. Fails with the name of a field that is not there, or that is in two groups, and if there are
    /// too many.
    pub fn of(program: &Program, grouping: &Grouping) -> Result<Groups, GroupMisfit> {
        let fields = match grouping {
            Grouping::Single => Vec::new(),
            Grouping::Inferred => inferred(program),
            Grouping::Given(names) => given(program, names)?,
        };
        let groups = Groups::new(program, fields);
        match groups.len() > MOST_GROUPS {
            true => Err(GroupMisfit::TooMany { groups: groups.len(), most: MOST_GROUPS }),
            false => Ok(groups),
        }
    }

    /// These groups, with all other fields of their records in the first one of each record.
    pub fn new(program: &Program, mut fields: Vec<Vec<FieldKey>>) -> Groups {
        complete(program, &mut fields);
        let mut groups = Groups::from_fields(program, fields);
        // Records of one size that disagree about a byte are followed together.
        while let Some((x, y)) = groups.conflict(program) {
            let moved = groups.fields.remove(usize::from(y.0));
            groups.fields[usize::from(x.0)].extend(moved);
            groups = Groups::from_fields(program, groups.fields);
        }
        groups
    }

    fn from_fields(program: &Program, fields: Vec<Vec<FieldKey>>) -> Groups {
        let mut owners = FxHashMap::default();
        for (index, group) in fields.iter().enumerate() {
            owners.extend(group.iter().map(|field| (*field, GroupId(index as u8))));
        }
        let mut groups = Groups { fields, owners, by_size: FxHashMap::default(), by_global: FxHashMap::default() };
        for (id, record) in &program.records {
            let Some(ty) = program.types.lookup(&Type::Record(id)) else { continue };
            // What no pointer leads to is the type of globals alone, and those are told apart by their types.
            if program.types.lookup(&Type::Pointer(ty)).is_none() {
                continue;
            }
            let spans = groups.spans(program, ty);
            let known = groups.by_size.entry(record.size).or_default();
            known.extend(spans);
            known.sort_unstable();
            known.dedup();
        }
        groups.by_size.retain(|_, spans| !spans.is_empty());
        for (id, global) in &program.globals {
            let spans = groups.spans(program, global.ty);
            if !spans.is_empty() {
                groups.by_global.insert(id, spans);
            }
        }
        groups
    }

    /// Two groups with bytes in common.
    fn conflict(&self, _program: &Program) -> Option<(GroupId, GroupId)> {
        let all = self.by_size.values().chain(self.by_global.values());
        for spans in all {
            for (start, end, x) in spans {
                if let Some((_, _, y)) = spans.iter().find(|(from, to, y)| y > x && from < end && start < to) {
                    return Some((*x, *y));
                }
            }
        }
        None
    }

    /// Where in a type the fields of groups are.
    fn spans(&self, program: &Program, ty: TypeId) -> Vec<(u64, u64, GroupId)> {
        let mut spans = Vec::new();
        self.collect(program, ty, 0, &mut spans);
        spans
    }

    fn collect(&self, program: &Program, ty: TypeId, at: u64, out: &mut Vec<(u64, u64, GroupId)>) {
        const MOST_ELEMENTS: u64 = 64;
        match program.ty(ty) {
            Type::Record(id) => {
                for (index, field) in program.records[*id].fields().iter().enumerate() {
                    let start = at + field.offset;
                    match self.owners.get(&(*id, index as u32)) {
                        Some(owner) => {
                            let bytes = program.size_of(field.ty).unwrap_or(0);
                            out.push((start, start + bytes, *owner));
                        }
                        None => self.collect(program, field.ty, start, out),
                    }
                }
            }
            Type::Array(element, Some(count)) => {
                let stride = program.size_of(*element).unwrap_or(0);
                for index in 0..(*count).min(MOST_ELEMENTS) {
                    self.collect(program, *element, at + index * stride, out);
                }
            }
            Type::Void | Type::Int(_) | Type::Float(_) | Type::Pointer(_) | Type::Array(..) | Type::Function(_) => {}
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// All of them.
    pub fn ids(&self) -> impl Iterator<Item = GroupId> + use<> {
        (0..self.fields.len()).map(|index| GroupId(index as u8))
    }

    /// The fields of a group.
    pub fn fields(&self, group: GroupId) -> &[FieldKey] {
        &self.fields[usize::from(group.0)]
    }

    /// The group of the last field of a path that has one.
    pub fn of_path(&self, path: &Path) -> Option<GroupId> {
        path.steps.iter().rev().find_map(|step| match step {
            Step::Field(record, field) => self.owners.get(&(*record, *field)).copied(),
            Step::Index(_) => None,
        })
    }

    /// The bytes of an object that a group does not follow.
    pub fn hidden_spans(&self, object: &Object, group: GroupId) -> Vec<(u64, u64)> {
        let spans = self.spans_of(object).into_iter().flatten();
        spans.filter(|(_, _, owner)| *owner != group).map(|(from, to, _)| (*from, *to)).collect()
    }

    fn spans_of(&self, object: &Object) -> Option<&Vec<(u64, u64, GroupId)>> {
        match (object.storage, object.size) {
            (Storage::Global(global) | Storage::Literal(global), _) => self.by_global.get(&global),
            (_, Size::Constant(size)) => self.by_size.get(&size),
            (_, Size::Symbol(_)) => None,
        }
    }

    /// Whose these bytes of an object are.
    pub fn owner(&self, object: &Object, offset: u64, bytes: u64) -> Owner {
        self.spans_of(object).map_or(Owner::Shared, |spans| owner_in(spans, offset, bytes))
    }

    /// Whose these bytes of every object of a size on the heap are.
    pub fn owner_of_size(&self, size: u64, offset: u64, bytes: u64) -> Owner {
        self.by_size.get(&size).map_or(Owner::Shared, |spans| owner_in(spans, offset, bytes))
    }

    /// The groups with two of them made one.
    #[must_use]
    pub fn merged(&self, program: &Program, x: GroupId, y: GroupId) -> Groups {
        let mut fields = self.fields.clone();
        let (first, second) = (x.min(y), x.max(y));
        let moved = fields.remove(usize::from(second.0));
        fields[usize::from(first.0)].extend(moved);
        Groups::from_fields(program, fields)
    }

    /// The name of a group: its links.
    pub fn name(&self, program: &Program, group: GroupId) -> String {
        let links: Vec<&str> = self
            .fields(group)
            .iter()
            .map(|(record, field)| &program.records[*record].fields()[*field as usize])
            .filter(|field| matches!(program.ty(field.ty), Type::Pointer(_)))
            .map(|field| field.name.as_str())
            .collect();
        links.join("+")
    }

    /// All groups, one line each.
    pub fn text(&self, program: &Program) -> String {
        let line = |group: GroupId| {
            let fields: Vec<String> = self.fields(group).iter().map(|field| field_text(program, *field)).collect();
            format!("group {}: {}\n", group.0 + 1, fields.join(", "))
        };
        self.ids().map(line).collect()
    }
}

impl fmt::Display for GroupId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

fn field_text(program: &Program, (record, field): FieldKey) -> String {
    let record = &program.records[record];
    format!("{}.{}", record.name, record.fields()[field as usize].name)
}

fn owner_in(spans: &[(u64, u64, GroupId)], offset: u64, bytes: u64) -> Owner {
    let end = offset.saturating_add(bytes.max(1));
    let mut touched = spans.iter().filter(|(from, to, _)| *from < end && offset < *to);
    let Some((from, to, first)) = touched.next() else { return Owner::Shared };
    let is_within = *from <= offset && end <= *to;
    if is_within && touched.all(|(_, _, other)| other == first) { Owner::Group(*first) } else { Owner::Several }
}

/// The fields that lead to records of the same kind, perhaps to one in which the record lies.
fn links_of(program: &Program, record: RecordId) -> Vec<u32> {
    let target = program.types.lookup(&Type::Record(record));
    let fields = program.records[record].fields().iter().enumerate();
    fields
        .filter(|(_, field)| matches!(program.ty(field.ty), Type::Pointer(pointee) if Some(*pointee) == target))
        .map(|(index, _)| index as u32)
        .collect()
}

fn inferred(program: &Program) -> Vec<Vec<FieldKey>> {
    let inverses = Inverses::of(program);
    let walked = walked_together(program);
    let mut groups: Vec<Vec<FieldKey>> = Vec::new();
    for (id, record) in &program.records {
        if record.kind != RecordKind::Struct {
            continue;
        }
        let mut classes: Vec<Vec<u32>> = Vec::new();
        for link in links_of(program, id) {
            let field = &record.fields()[link as usize];
            let belongs = |other: &u32| {
                let other_field = &record.fields()[*other as usize];
                inverses.contains(id, field.offset as i64, other_field.offset as i64)
                    || walked.contains(&(id, *other, link))
                    || are_named_as_pair(&field.name, &other_field.name)
            };
            let (mut joined, others): (Vec<_>, Vec<_>) =
                classes.into_iter().partition(|class| class.iter().any(belongs));
            let mut class: Vec<u32> = joined.drain(..).flatten().collect();
            class.push(link);
            class.sort_unstable();
            classes = others;
            classes.push(class);
        }
        classes.sort();
        groups.extend(classes.into_iter().map(|class| class.into_iter().map(|field| (id, field)).collect()));
    }
    groups
}

fn are_named_as_pair(x: &str, y: &str) -> bool {
    const PAIRS: [(&str, &str); 6] =
        [("next", "prev"), ("left", "right"), ("left", "parent"), ("right", "parent"), ("forward", "back"), ("l", "r")];
    // The same name but for the word: `next2` and `prev2`, `fifo_next` and `fifo_prev`.
    let swapped =
        |x: &str, y: &str| PAIRS.iter().any(|(a, b)| x.contains(a) && x.replacen(a, b, 1) == y && x.len() > 1);
    swapped(x, y) || swapped(y, x) || PAIRS.contains(&(x, y)) || PAIRS.contains(&(y, x))
}

/// Links along which one variable steps: `p = p->left` and `p = p->right`.
fn walked_together(program: &Program) -> FxHashSet<(RecordId, u32, u32)> {
    let mut pairs = FxHashSet::default();
    for function in program.functions.values() {
        let Some(automaton) = function.automaton() else { continue };
        let mut sources: FxHashMap<RegisterId, (RegisterId, FieldKey)> = FxHashMap::default();
        let mut steps: FxHashMap<RegisterId, Vec<FieldKey>> = FxHashMap::default();
        for edge in automaton.edges.values() {
            if let Instruction::Load { target, place } = &edge.instruction
                && let (Some(base), [Step::Field(record, field)]) = (place.base.register(), place.path.steps.as_slice())
            {
                sources.insert(*target, (base, (*record, *field)));
                if base == *target {
                    steps.entry(base).or_default().push((*record, *field));
                }
            }
        }
        for edge in automaton.edges.values() {
            if let Instruction::Assign { target, value: Expression::Operand(Operand::Register(source)) } =
                &edge.instruction
                && let Some((base, field)) = sources.get(source)
                && base == target
            {
                steps.entry(*base).or_default().push(*field);
            }
        }
        for fields in steps.values() {
            for (record, x) in fields {
                pairs.extend(fields.iter().filter(|(other, _)| other == record).map(|(_, y)| (*record, *x, *y)));
            }
        }
    }
    pairs
}

fn given(program: &Program, names: &[Vec<String>]) -> Result<Vec<Vec<FieldKey>>, GroupMisfit> {
    let mut groups = Vec::new();
    let mut taken: FxHashSet<FieldKey> = FxHashSet::default();
    for group in names {
        let mut fields = Vec::new();
        for name in group {
            let (wanted_record, wanted) = match name.split_once('.') {
                Some((record, field)) => (Some(record), field),
                None => (None, name.as_str()),
            };
            let mut is_found = false;
            for (id, record) in &program.records {
                if wanted_record.is_some_and(|wanted| wanted != record.name) {
                    continue;
                }
                for (index, field) in record.fields().iter().enumerate() {
                    if field.name == wanted {
                        if !taken.insert((id, index as u32)) {
                            return Err(GroupMisfit::InTwoGroups { field: name.clone() });
                        }
                        fields.push((id, index as u32));
                        is_found = true;
                    }
                }
            }
            if !is_found {
                return Err(GroupMisfit::NoSuchField { field: name.clone() });
            }
        }
        groups.push(fields);
    }
    Ok(groups)
}

/// Fields that no group has go to the group of their record (or of a record within it) whose fields are most often accessed
/// beside them: through the same variable of the same function.
fn complete(program: &Program, groups: &mut [Vec<FieldKey>]) {
    let votes = votes(program, groups);
    let of_record = |groups: &[Vec<FieldKey>], record: RecordId| {
        groups.iter().position(|group| group.iter().any(|(other, _)| *other == record))
    };
    for (id, record) in &program.records {
        let within = record.fields().iter().find_map(|field| match program.ty(field.ty) {
            Type::Record(inner) => of_record(groups, *inner),
            _ => None,
        });
        let Some(first) = of_record(groups, id).or(within) else { continue };
        let given: Vec<FieldKey> = groups.iter().flatten().copied().collect();
        for (index, field) in record.fields().iter().enumerate() {
            let key = (id, index as u32);
            let has_groups_within = matches!(program.ty(field.ty), Type::Record(_) | Type::Array(..));
            if has_groups_within || given.contains(&key) {
                continue;
            }
            let most = (0..groups.len())
                .filter_map(|group| Some((*votes.get(&(key, group))?, group)))
                .max_by_key(|(n_votes, group)| (*n_votes, usize::MAX - group));
            groups[most.map_or(first, |(_, group)| group)].push(key);
        }
    }
}

/// How often each field is accessed beside fields of each group.
fn votes(program: &Program, groups: &[Vec<FieldKey>]) -> FxHashMap<(FieldKey, usize), usize> {
    let group_of = |key: &FieldKey| groups.iter().position(|group| group.contains(key));
    let mut votes = FxHashMap::default();
    for function in program.functions.values() {
        let Some(automaton) = function.automaton() else { continue };
        let mut accesses: FxHashMap<RegisterId, Vec<FieldKey>> = FxHashMap::default();
        for edge in automaton.edges.values() {
            if let Instruction::Load { place, .. } | Instruction::Store { place, .. } = &edge.instruction
                && let (Some(base), Some(Step::Field(record, field))) = (place.base.register(), place.path.steps.last())
            {
                accesses.entry(base).or_default().push((*record, *field));
            }
        }
        for fields in accesses.values() {
            for key in fields {
                for group in fields.iter().filter_map(group_of) {
                    *votes.entry((*key, group)).or_insert(0) += 1;
                }
            }
        }
    }
    votes
}
