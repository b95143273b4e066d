//! Which predicates the records of a program may make, and where their links are.
//!
//! A record that leads to records of its own kind (or to a record that is part of it, as Linux's `list_head` is) may be an
//! element. Which of its links belong together is read off the program: links that are written as inverses of each
//! other (`a->next = b; b->prev = a`) make a doubly linked list; two links with one common inverse make a tree with
//! parents; two links without one make a tree.

use crate::colours::Marks;
use crate::predicate::{Colours, Definitions, Layout};
use heapwise_engine::reason::PredicateMisfit;
use heapwise_ir::{
    Expression, Field, Function, Instruction, LinkRole, Operand, Path, Program, RecordId, RecordKind, RegisterId, Type,
    TypeId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::rc::Rc;

/// All layouts, the ones that say most first.
pub(crate) fn layouts(program: &Program, definitions: &Definitions) -> Vec<Rc<Layout>> {
    with_derived(program, &layouts_within(program, definitions, &|_, _| true))
}

/// Elements of one list may be different records that begin with the same one (a base class, in other languages). Such records
/// are seen as that one, then, wherever they have no other links. Where the common record is nothing but links, as Linux's
/// `list_head` is, heads of lists would look like elements: there each record is one of its own.
fn with_derived(program: &Program, layouts: &[Rc<Layout>]) -> Vec<Rc<Layout>> {
    let base_of = |layout: &Rc<Layout>| -> Option<usize> {
        let begins_with = parts_of(program, layout.record).into_iter().filter(|(start, _)| *start == 0);
        let bases = begins_with.map(|(_, record)| record).filter(|record| *record != layout.record);
        let looks_so = |other: &Layout| {
            (other.definition, other.entry, &other.links, &other.widths)
                == (layout.definition, layout.entry, &layout.links, &layout.widths)
        };
        let known = |record: RecordId| layouts.iter().position(|other| other.record == record && looks_so(other));
        bases.filter(|record| !is_nothing_but_links(program, *record)).filter_map(known).next_back()
    };
    let bases: Vec<Option<usize>> =
        layouts.iter().map(|layout| if layout.entry == 0 { base_of(layout) } else { None }).collect();
    let mut all = Vec::new();
    for (index, layout) in layouts.iter().enumerate().filter(|(index, _)| bases[*index].is_none()) {
        let derived: Vec<(RecordId, u64)> = layouts
            .iter()
            .zip(&bases)
            .filter(|(_, base)| **base == Some(index))
            .map(|(other, _)| (other.record, other.size))
            .collect();
        all.push(match derived.is_empty() {
            true => layout.clone(),
            false => Rc::new(Layout { derived: derived.into(), ..(**layout).clone() }),
        });
    }
    all
}

/// Whether all that the record holds are pointers to such records, and to pointers to them.
fn is_nothing_but_links(program: &Program, record: RecordId) -> bool {
    let Some(own) = program.types.lookup(&Type::Record(record)) else { return false };
    let is_link = |field: &Field| {
        let pointee = program.pointee(field.ty);
        pointee == Some(own) || pointee.is_some_and(|pointee| program.pointee(pointee) == Some(own))
    };
    program.records[record].fields().iter().all(is_link)
}

/// Those of links that are followed: by the size of the whole and the offset in it.
pub(crate) fn layouts_within(
    program: &Program,
    definitions: &Definitions,
    is_followed: &dyn Fn(u64, i64) -> bool,
) -> Vec<Rc<Layout>> {
    let inverses = Inverses::of(program);
    let marks = Marks::of(program);
    // What a user says comes first.
    let mut found: Vec<(u8, Layout)> =
        told(program, definitions).into_iter().filter_map(|(_, layout)| Some((0, layout.ok()?))).collect();
    for (id, record) in &program.records {
        if record.kind == RecordKind::Struct && record.size > 0 {
            of_record(program, definitions, (&inverses, &marks), (id, record.size), is_followed, &mut found);
        }
    }
    found.sort_by(|(x, left), (y, right)| (x, left).cmp(&(y, right)));
    let mut layouts: Vec<Rc<Layout>> = found.into_iter().map(|(_, layout)| Rc::new(layout)).collect();
    layouts.dedup();
    layouts
}

/// Those that are no part of another one: a list by one link of a doubly linked one would take in cells that have left it and still
/// lead there.
pub(crate) fn without_parts(layouts: &[Rc<Layout>]) -> Vec<Rc<Layout>> {
    layouts.iter().filter(|layout| !layouts.iter().any(|other| layout.is_part_of(other))).cloned().collect()
}

/// The layouts of predicates that say what their cells are, by the predicate's name; an error where the program has none.
pub(crate) fn told(program: &Program, definitions: &Definitions) -> Vec<(String, Result<Layout, PredicateMisfit>)> {
    let own = definitions.iter().filter_map(|(id, definition)| Some((id, definition, definition.cells.as_ref()?)));
    own.map(|(id, definition, cells)| {
        let find = || -> Result<Layout, PredicateMisfit> {
            let named = program.records.iter().find(|(_, record)| record.name == cells.record);
            let (record, found) = named.ok_or(PredicateMisfit::NoRecord { record: cells.record.clone() })?;
            let ty = program.types.lookup(&Type::Record(record));
            let mut all = Parts::default();
            if let Some(ty) = ty {
                parts(program, ty, 0, "", &mut all);
            }
            let member = |name: &str| {
                let field = found.fields().iter().find(|field| field.name == name);
                let (record, member) = (cells.record.clone(), name.to_owned());
                field.map(|field| field.offset as i64).ok_or(PredicateMisfit::NoMember { record, member })
            };
            let entry = cells.member.as_deref().map_or(Ok(0), member)?;
            let link = |name: &String| {
                let link = all.links.iter().find(|link| link.name == *name && link.offset >= entry);
                let number = all.numbers.iter().find(|number| number.name == *name);
                let pointer_bytes = program.target.pointer_bytes as u8;
                let found = link.map(|link| (link.offset, pointer_bytes));
                found
                    .or(number.map(|number| (number.offset, number.bytes)))
                    .ok_or(PredicateMisfit::NoLink { record: cells.record.clone(), link: name.clone() })
            };
            let places = definition.links.iter().map(link).collect::<Result<Vec<(i64, u8)>, PredicateMisfit>>()?;
            let (links, widths) = places.into_iter().unzip();
            Ok(Layout { definition: id, record, size: found.size, derived: Rc::default(), entry, links, widths })
        };
        (definition.name.clone(), find())
    })
    .collect()
}

/// A pointer somewhere in a record.
struct Link {
    offset: i64,
    name: String,
    pointee: TypeId,
}

/// An integer somewhere in a record.
struct Number {
    offset: i64,
    bytes: u8,
    name: String,
}

#[derive(Default)]
struct Parts {
    links: Vec<Link>,
    numbers: Vec<Number>,
    /// Records in it, itself first.
    records: Vec<(i64, RecordId)>,
}

fn parts(program: &Program, ty: TypeId, offset: i64, name: &str, out: &mut Parts) {
    const MOST_ELEMENTS: u64 = 4;
    match program.ty(ty) {
        Type::Pointer(pointee) => out.links.push(Link { offset, name: name.to_owned(), pointee: *pointee }),
        Type::Record(id) => {
            // Of a union every member may be the one that is used: a list's links often share their place.
            out.records.push((offset, *id));
            for Field { name, ty, offset: within, bits } in program.records[*id].fields() {
                if bits.is_none() {
                    parts(program, *ty, offset + *within as i64, name, out);
                }
            }
        }
        Type::Array(element, Some(count)) if *count <= MOST_ELEMENTS => {
            if let Some(stride) = program.size_of(*element) {
                for index in 0..*count {
                    parts(program, *element, offset + (index * stride) as i64, name, out);
                }
            }
        }
        Type::Int(int) => out.numbers.push(Number { offset, bytes: int.bytes() as u8, name: name.to_owned() }),
        Type::Void | Type::Float(_) | Type::Array(..) | Type::Function(_) => {}
    }
}

/// The records that lie in a record, itself first, with where they start.
pub(crate) fn parts_of(program: &Program, record: RecordId) -> Vec<(i64, RecordId)> {
    let mut all = Parts::default();
    if let Some(ty) = program.types.lookup(&Type::Record(record)) {
        parts(program, ty, 0, "", &mut all);
    }
    all.records
}

fn of_record(
    program: &Program,
    definitions: &Definitions,
    (inverses, marks): (&Inverses, &Marks),
    (whole, size): (RecordId, u64),
    is_followed: &dyn Fn(u64, i64) -> bool,
    found: &mut Vec<(u8, Layout)>,
) {
    let Some(ty) = program.types.lookup(&Type::Record(whole)) else { return };
    let mut all = Parts::default();
    parts(program, ty, 0, "", &mut all);
    all.links.retain(|link| is_followed(size, link.offset));
    for (entry, record) in &all.records {
        let Some(target) = program.types.lookup(&Type::Record(*record)) else { continue };
        let record_size = program.size_of(target).unwrap_or(0) as i64;
        let is_whole = *record == whole;
        let within = |link: &&Link| is_whole || (*entry..*entry + record_size).contains(&link.offset);
        let direct: Vec<&Link> = all.links.iter().filter(|link| link.pointee == target).filter(within).collect();
        let indirect: Vec<&Link> =
            all.links.iter().filter(|link| program.pointee(link.pointee) == Some(target)).filter(within).collect();
        let mut add = |priority: u8, name: &str, links: &[i64]| {
            if let Some(definition) = definitions.named(name) {
                let links: SmallVec<[i64; 4]> = links.iter().copied().collect();
                let pointer_bytes = program.target.pointer_bytes as u8;
                let width = |link: &i64| {
                    let is_pointer = all.links.iter().any(|found| found.offset == *link);
                    let number = all.numbers.iter().find(|number| !is_pointer && number.offset == *link);
                    number.map_or(pointer_bytes, |number| number.bytes)
                };
                let widths = links.iter().map(width).collect();
                let derived = Rc::default();
                found.push((
                    priority,
                    Layout { definition, record: whole, size, derived, entry: *entry, links, widths },
                ));
            }
        };
        let base = if is_whole { 0 } else { *entry };
        let are_inverse = |x: &Link, y: &Link| {
            inverses.contains(*record, x.offset - base, y.offset - base) || is_backward(&y.name) && is_forward(&x.name)
        };
        for next in &direct {
            for back in &indirect {
                add(0, "hls", &[next.offset, back.offset]);
            }
        }
        let parents: Vec<&&Link> = direct
            .iter()
            .filter(|up| {
                let n_down = direct.iter().filter(|down| down.offset != up.offset && are_inverse(down, up)).count();
                n_down >= 2 || is_parent(&up.name)
            })
            .collect();
        let is_up = |link: &Link| parents.iter().any(|up| up.offset == link.offset);
        let mut paired: FxHashSet<i64> = FxHashSet::default();
        for (number, x) in direct.iter().enumerate() {
            for y in &direct[number + 1..] {
                if is_up(x) || is_up(y) || !(are_inverse(x, y) || are_inverse(y, x)) {
                    continue;
                }
                let (next, prev) = if is_backward(&x.name) { (y, x) } else { (x, y) };
                add(1, "dll", &[next.offset, prev.offset]);
                paired.extend([x.offset, y.offset]);
            }
        }
        let down: Vec<&&Link> = direct.iter().filter(|link| !is_up(link) && !paired.contains(&link.offset)).collect();
        let numbers =
            || all.numbers.iter().filter(|number| is_whole || (*entry..*entry + record_size).contains(&number.offset));
        let of_record = |offset: i64| (*record, offset - base);
        let word = numbers().find(|number| marks.is_address(of_record(number.offset)) && down.len() == 2);
        let colour =
            numbers().find(|number| marks.is_colour(of_record(number.offset), &number.name) && down.len() == 2);
        for (number, left) in down.iter().enumerate() {
            for right in &down[number + 1..] {
                let beside = BesideChildren { word, colour, parents: &parents };
                beside.trees(definitions.colours(), [left.offset, right.offset], &mut add);
            }
        }
        for link in &direct {
            if down.len() < 2 || is_up(link) || paired.contains(&link.offset) {
                add(6, "ls", &[link.offset]);
            }
        }
    }
}

/// What lies beside the two links to a cell's children.
struct BesideChildren<'a> {
    /// A number that is an address with flags.
    word: Option<&'a Number>,
    colour: Option<&'a Number>,
    parents: &'a [&'a &'a Link],
}

impl BesideChildren<'_> {
    /// The trees whose cells may look so.
    fn trees(&self, colours: Colours, [left, right]: [i64; 2], add: &mut dyn FnMut(u8, &str, &[i64])) {
        if let Some(word) = self.word {
            let links = [left, right, word.offset];
            let (tree, segment) = match colours {
                Colours::Ignored => ("btree", "bseg"),
                Colours::OneIsBlack => ("rbtree", "rbseg"),
                Colours::ZeroIsBlack => ("rbtree0", "rbseg0"),
            };
            add(2, tree, &links);
            add(3, segment, &links);
            return;
        }
        if let Some(colour) = self.colour
            && colours != Colours::Ignored
        {
            let is_one = colours == Colours::OneIsBlack;
            match self.parents.first() {
                Some(up) => {
                    let links = [left, right, up.offset, colour.offset];
                    add(2, if is_one { "rbtreef" } else { "rbtreef0" }, &links);
                    add(3, if is_one { "rbsegf" } else { "rbsegf0" }, &links);
                }
                None => {
                    let links = [left, right, colour.offset];
                    add(2, if is_one { "rbtreen" } else { "rbtreen0" }, &links);
                    add(3, if is_one { "rbsegn" } else { "rbsegn0" }, &links);
                }
            }
            return;
        }
        for up in self.parents {
            add(2, "ptree", &[left, right, up.offset]);
            add(3, "ptseg", &[left, right, up.offset]);
        }
        if self.parents.is_empty() {
            add(4, "tree", &[left, right]);
            add(5, "tseg", &[left, right]);
        }
    }
}

fn is_backward(name: &str) -> bool {
    matches!(LinkRole::of_word(name), Some(LinkRole::Backward | LinkRole::End))
}

fn is_forward(name: &str) -> bool {
    LinkRole::of_word(name) == Some(LinkRole::Forward)
}

fn is_parent(name: &str) -> bool {
    LinkRole::of_word(name) == Some(LinkRole::Parent)
}

/// Links that the program writes as inverses of each other, by record and offsets.
pub(crate) struct Inverses(FxHashSet<(RecordId, i64, i64)>);

/// A register by where its value came from: a register, and offsets at which it was loaded.
type Name = (RegisterId, Vec<i64>);

impl Inverses {
    pub(crate) fn contains(&self, record: RecordId, x: i64, y: i64) -> bool {
        self.0.contains(&(record, x, y)) || self.0.contains(&(record, y, x))
    }

    pub(crate) fn of(program: &Program) -> Inverses {
        let mut all = FxHashSet::default();
        for function in program.functions.values() {
            let facts = facts(program, function);
            for (x, record, offset, y) in &facts {
                for (other, other_record, other_offset, back) in &facts {
                    if record == other_record && other == y && back == x && offset != other_offset && x != y {
                        all.insert((*record, *offset, *other_offset));
                    }
                }
            }
        }
        Inverses(all)
    }
}

/// `x.offset = y`, written somewhere in the function. (What is read says less: a rotation reads a link and writes its inverse.)
fn facts(program: &Program, function: &Function) -> Vec<(Name, RecordId, i64, Name)> {
    let Some(automaton) = function.automaton() else { return Vec::new() };
    let mut n_writes: FxHashMap<RegisterId, u32> = FxHashMap::default();
    for edge in automaton.edges.values() {
        if let Some(target) = edge.instruction.target() {
            *n_writes.entry(target).or_default() += 1;
        }
    }
    let place = |path: &Path| -> Option<(RecordId, i64)> {
        let Type::Record(record) = program.ty(path.view) else { return None };
        let resolved = program.resolve(path)?;
        resolved.indices.is_empty().then_some((*record, resolved.offset))
    };
    let mut names: FxHashMap<RegisterId, Name> = FxHashMap::default();
    let name_of = |names: &FxHashMap<RegisterId, Name>, register: RegisterId| {
        names.get(&register).cloned().unwrap_or((register, Vec::new()))
    };
    let mut facts = Vec::new();
    for edge in automaton.edges.values() {
        match &edge.instruction {
            Instruction::Load { target, place: found } => {
                let Some((_, offset)) = place(&found.path) else { continue };
                let Some(base) = found.base.register() else { continue };
                let (base, mut path) = name_of(&names, base);
                if n_writes.get(target) == Some(&1) {
                    path.push(offset);
                    names.insert(*target, (base, path));
                }
            }
            Instruction::Assign { target, value: Expression::Operand(Operand::Register(source)) }
                if n_writes.get(target) == Some(&1) =>
            {
                let name = name_of(&names, *source);
                names.insert(*target, name);
            }
            Instruction::Store { place: found, value: Operand::Register(value) } => {
                let (Some((record, offset)), Some(base)) = (place(&found.path), found.base.register()) else {
                    continue;
                };
                facts.push((name_of(&names, base), record, offset, name_of(&names, *value)));
            }
            _ => {}
        }
    }
    facts
}
