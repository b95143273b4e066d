//! The record types of a program, with the layout that gcc gives them.

use super::theme::{Theme, Themes};
use crate::random_c::random::Random;

/// An integer type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Integer {
    Char,
    UnsignedChar,
    Short,
    Int,
    Unsigned,
    Long,
}

impl Integer {
    pub(super) fn name(self) -> &'static str {
        match self {
            Integer::Char => "char",
            Integer::UnsignedChar => "unsigned char",
            Integer::Short => "short",
            Integer::Int => "int",
            Integer::Unsigned => "unsigned",
            Integer::Long => "long",
        }
    }

    pub(super) fn bytes(self) -> usize {
        match self {
            Integer::Char | Integer::UnsignedChar => 1,
            Integer::Short => 2,
            Integer::Int | Integer::Unsigned => 4,
            Integer::Long => 8,
        }
    }

    pub(super) fn any(random: &mut Random) -> Integer {
        *random.pick(&[
            Integer::Int,
            Integer::Int,
            Integer::Char,
            Integer::UnsignedChar,
            Integer::Short,
            Integer::Unsigned,
            Integer::Long,
        ])
    }
}

/// What a member holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum MemberType {
    Integer(Integer),
    Array(Integer, usize),
    /// A pointer to a record of that number.
    Link(usize),
    IntPointer,
    /// `struct part`, by value.
    Part,
    /// `union word`, by value.
    Word,
}

#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) name: &'static str,
    pub(super) ty: MemberType,
    pub(super) offset: usize,
}

/// A record type that can be linked: `next` leads to its own kind, `peer`, where it has one, to the other kind.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) name: &'static str,
    pub(super) members: Vec<Member>,
    pub(super) bytes: usize,
}

/// An integer inside a record: the path after `.` or `->`.
#[derive(Clone, Debug)]
pub(super) struct IntegerPath {
    pub(super) path: String,
    pub(super) ty: Integer,
}

/// The names of the linked record types.
const NAMES: [&str; 2] = ["a", "b"];

/// The records of a program: one, or two that are linked with each other.
pub(super) fn records(random: &mut Random, themes: &Themes) -> Vec<Record> {
    let count = random.between(1, 2);
    let mut records: Vec<Record> = (0..count).map(|index| record(random, themes, index, count)).collect();
    if count == 2 && random.chance(1, 3) {
        records[1] = longer(random, &records[0]);
    }
    records
}

/// The second record begins as the first one does, with links to its own kind, and goes on.
fn longer(random: &mut Random, first: &Record) -> Record {
    let members = first.members.iter().map(|member| {
        let ty = match member.ty {
            MemberType::Link(record) => MemberType::Link(1 - record),
            ref other => other.clone(),
        };
        (member.name, ty)
    });
    let mut members: Vec<(&'static str, MemberType)> = members.collect();
    let more = *random.pick(&[Integer::Int, Integer::Long, Integer::Char]);
    members.push(("more", MemberType::Integer(more)));
    placed(1, members)
}

fn record(random: &mut Random, themes: &Themes, index: usize, count: usize) -> Record {
    let mut members = vec![("next", MemberType::Link(index)), ("v", MemberType::Integer(Integer::Int))];
    if random.chance(1, 4) {
        members.push(("prev", MemberType::Link(index)));
    }
    if count > 1 && random.chance(2, 3) {
        members.push(("peer", MemberType::Link(1 - index)));
    }
    if random.chance(1, 3) {
        members.push(("c", MemberType::Integer(*random.pick(&[Integer::Char, Integer::UnsignedChar, Integer::Short]))));
    }
    if random.chance(1, 4) {
        members.push(("w", MemberType::Integer(*random.pick(&[Integer::Unsigned, Integer::Long, Integer::Int]))));
    }
    if themes.has(Theme::Arrays) && random.chance(1, 2) {
        let element = *random.pick(&[Integer::Int, Integer::Short, Integer::Char]);
        members.push(("t", MemberType::Array(element, random.between(2, 3))));
    }
    if random.chance(1, 4) {
        members.push(("part", MemberType::Part));
    }
    if themes.has(Theme::Unions) && random.chance(1, 2) {
        members.push(("word", MemberType::Word));
    }
    if random.chance(1, 5) {
        members.push(("at", MemberType::IntPointer));
    }
    // Any order: a link, an integer or padding may come first.
    for last in (1..members.len()).rev() {
        members.swap(last, random.below(last + 1));
    }
    placed(index, members)
}

fn placed(index: usize, members: Vec<(&'static str, MemberType)>) -> Record {
    let mut offset = 0;
    let mut align = 1;
    let mut found = Vec::new();
    for (name, ty) in members {
        let (bytes, alignment) = size(&ty);
        offset = usize::next_multiple_of(offset, alignment);
        found.push(Member { name, ty, offset });
        offset += bytes;
        align = align.max(alignment);
    }
    Record { name: NAMES[index], members: found, bytes: offset.next_multiple_of(align) }
}

/// Bytes and alignment.
fn size(ty: &MemberType) -> (usize, usize) {
    match ty {
        MemberType::Integer(integer) => (integer.bytes(), integer.bytes()),
        MemberType::Array(element, length) => (element.bytes() * length, element.bytes()),
        MemberType::Link(_) | MemberType::IntPointer => (8, 8),
        MemberType::Part => (PART_BYTES, 4),
        MemberType::Word => (WORD_BYTES, 8),
    }
}

/// `struct part`: a byte, three bytes of padding, an int.
pub(super) const PART_BYTES: usize = 8;
/// `union word`: read as a number of either sign, as bytes, or as a pointer.
pub(super) const WORD_BYTES: usize = 8;

/// The definitions of the small types.
pub(super) const SMALL_TYPES: &str = "struct part { char k; int n; };
union word { long l; int i; unsigned u; unsigned char b[8]; void *p; };
";

impl Record {
    pub(super) fn has(&self, name: &str) -> bool {
        self.members.iter().any(|member| member.name == name)
    }

    pub(super) fn link_to(&self, record: usize) -> Option<&Member> {
        self.members.iter().find(|member| member.ty == MemberType::Link(record))
    }

    /// Every integer, arrays by their first and last element.
    pub(super) fn integers(&self) -> Vec<IntegerPath> {
        let mut found = Vec::new();
        for member in &self.members {
            let mut add = |path: String, ty| found.push(IntegerPath { path, ty });
            match &member.ty {
                MemberType::Integer(integer) => add(member.name.to_owned(), *integer),
                MemberType::Array(element, length) => {
                    add(format!("{}[0]", member.name), *element);
                    add(format!("{}[{}]", member.name, length - 1), *element);
                }
                MemberType::Part => {
                    add(format!("{}.k", member.name), Integer::Char);
                    add(format!("{}.n", member.name), Integer::Int);
                }
                MemberType::Word => {
                    add(format!("{}.i", member.name), Integer::Int);
                    add(format!("{}.b[3]", member.name), Integer::UnsignedChar);
                }
                MemberType::Link(_) | MemberType::IntPointer => {}
            }
        }
        found
    }

    /// The integers that are an `int`.
    pub(super) fn ints(&self) -> Vec<String> {
        self.integers().into_iter().filter(|it| it.ty == Integer::Int).map(|it| it.path).collect()
    }

    /// The definition in C.
    pub(super) fn definition(&self) -> String {
        let mut text = format!("struct {} {{ ", self.name);
        for member in &self.members {
            let name = member.name;
            let declaration = match &member.ty {
                MemberType::Integer(integer) => format!("{} {name};", integer.name()),
                MemberType::Array(element, length) => format!("{} {name}[{length}];", element.name()),
                MemberType::Link(record) => format!("struct {} *{name};", NAMES[*record]),
                MemberType::IntPointer => format!("int *{name};"),
                MemberType::Part => format!("struct part {name};"),
                MemberType::Word => format!("union word {name};"),
            };
            text += &format!("{declaration} ");
        }
        text + "};\n"
    }

    /// Statements that set every member of `place` (`p->` or `r.`) one by one; padding is left as it is.
    pub(super) fn set_members(&self, place: &str, value: &str) -> Vec<String> {
        let mut lines = Vec::new();
        for member in &self.members {
            let at = format!("{place}{}", member.name);
            match &member.ty {
                MemberType::Integer(_) => {
                    lines.push(format!("{at} = {};", if member.name == "v" { value } else { "0" }));
                }
                MemberType::Array(_, length) => {
                    lines.extend((0..*length).map(|index| format!("{at}[{index}] = {};", index % 3)));
                }
                MemberType::Link(_) | MemberType::IntPointer => lines.push(format!("{at} = 0;")),
                MemberType::Part => lines.extend([format!("{at}.k = 1;"), format!("{at}.n = {value};")]),
                MemberType::Word => lines.push(format!("{at}.l = 0;")),
            }
        }
        lines
    }
}
