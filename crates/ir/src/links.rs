//! Which fields link the cells of a record: by name, or as a shape wants them.

use crate::ids::{RecordId, TypeId};
use crate::instruction::ShapeKind;
use crate::path::{Index, Path, Step};
use crate::program::Program;
use crate::role::LinkRole;
use crate::types::{Field, Type};
use smallvec::SmallVec;
use std::fmt;

/// A shape does not speak of more links than this.
const MAX_LINKS: u64 = 64;

/// Why it is not clear which links a shape speaks of.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum LinkError {
    /// The pointer is not to a struct.
    NoStruct,
    /// A record has no field of this name.
    NoField {
        /// The record.
        record: String,
        /// The field.
        field: String,
    },
    /// No field of a record points to that record.
    NoLink {
        /// The record.
        record: String,
    },
    /// No field of a record has the name of a link to parents.
    NoParent {
        /// The record.
        record: String,
    },
    /// Which field of a record makes a cycle is not clear.
    UnclearCycle {
        /// The record.
        record: String,
    },
    /// Which fields of a record are next and prev is not clear.
    UnclearNeighbours {
        /// The record.
        record: String,
    },
    /// A record has more links than the shape can speak of.
    TooMany {
        /// The record.
        record: String,
    },
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinkError::NoStruct => f.write_str("a shape is claimed of a pointer that is not to a struct"),
            LinkError::NoField { record, field } => write!(f, "`{record}` has no field `{field}`"),
            LinkError::NoLink { record } => write!(f, "`{record}` has no field that points to `{record}`"),
            LinkError::NoParent { record } => write!(f, "`{record}` has no field `parent`"),
            LinkError::UnclearCycle { record } => write!(f, "which field of `{record}` makes the cycle is not clear"),
            LinkError::UnclearNeighbours { record } => {
                write!(f, "which fields of `{record}` are next and prev is not clear")
            }
            LinkError::TooMany { record } => write!(f, "`{record}` has more links than the shape can speak of"),
        }
    }
}

impl std::error::Error for LinkError {}

impl Program {
    /// The field of a viewed record with this name (`list.next` goes through two, anonymous members need no name,
    /// `child[0]` is an element of an array), and its type.
    pub fn field_path(&self, view: TypeId, text: &str) -> Option<(Path, TypeId)> {
        let mut steps = SmallVec::new();
        let mut ty = view;
        for part in text.split('.').map(str::trim) {
            let (name, indices) = part.split_at(part.find('[').unwrap_or(part.len()));
            let Type::Record(record) = *self.ty(ty) else { return None };
            let (found, field_type) = self.member(record, name.trim())?;
            steps.extend(found);
            ty = field_type;
            for index in indices.split('[').skip(1) {
                let Type::Array(element, Some(count)) = *self.ty(ty) else { return None };
                let number: u32 = index.trim().strip_suffix(']')?.trim().parse().ok()?;
                if u64::from(number) >= count {
                    return None;
                }
                steps.push(Step::Index(Index::Constant(number.into())));
                ty = element;
            }
        }
        Some((Path { view, steps }, ty))
    }

    /// A member by name, through anonymous members.
    fn member(&self, record: RecordId, name: &str) -> Option<(SmallVec<[Step; 2]>, TypeId)> {
        for (index, field) in self.records[record].fields().iter().enumerate() {
            let step = Step::Field(record, index as u32);
            if field.name == name {
                return Some((SmallVec::from_slice(&[step]), field.ty));
            }
            if field.name.starts_with('$')
                && let Type::Record(inner) = *self.ty(field.ty)
                && let Some((mut steps, ty)) = self.member(inner, name)
            {
                steps.insert(0, step);
                return Some((steps, ty));
            }
        }
        None
    }

    /// The fields of a viewed record that point to that record, as the shape wants them (see
    /// [`crate::ShapePredicate::links`]).
    ///
    /// # Errors
    /// The view is no record, or it is not clear which fields are meant.
    pub fn links_of(&self, view: TypeId, kind: ShapeKind) -> Result<Vec<Path>, LinkError> {
        let Type::Record(record) = *self.ty(view) else {
            return Err(LinkError::NoStruct);
        };
        let fields = self.records[record].fields();
        let links: Vec<(usize, &Field)> =
            fields.iter().enumerate().filter(|(_, field)| self.n_links(field.ty, view) > 0).collect();
        let is_named = |field: &Field, role| LinkRole::of_word(&field.name) == Some(role);
        let is_parent = |field: &Field| is_named(field, LinkRole::Parent);
        let is_back = |field: &Field| is_named(field, LinkRole::Backward);
        let named = |is_it: &dyn Fn(&Field) -> bool| links.iter().find(|link| is_it(link.1)).map(|link| link.0);
        let next = named(&|field| field.name == "next").or_else(|| named(&|field| is_named(field, LinkRole::Forward)));
        let name = || self.records[record].name.clone();
        let chosen: Vec<usize> = match kind {
            ShapeKind::Acyclic | ShapeKind::Reach | ShapeKind::Disjoint => links.iter().map(|link| link.0).collect(),
            ShapeKind::Cyclic => match (next, links.as_slice()) {
                (Some(next), _) => vec![next],
                (None, [only]) => vec![only.0],
                (None, _) => return Err(LinkError::UnclearCycle { record: name() }),
            },
            ShapeKind::Tree => links.iter().filter(|link| !is_parent(link.1)).map(|link| link.0).collect(),
            ShapeKind::TreeWithParent => {
                let parent = named(&is_parent).ok_or_else(|| LinkError::NoParent { record: name() })?;
                links.iter().map(|link| link.0).filter(|index| *index != parent).chain([parent]).collect()
            }
            ShapeKind::DoublyLinked => match (next, named(&is_back), links.as_slice()) {
                (Some(next), Some(prev), _) => vec![next, prev],
                (_, _, [first, second]) => vec![first.0, second.0],
                _ => return Err(LinkError::UnclearNeighbours { record: name() }),
            },
        };
        if chosen.is_empty() {
            return Err(LinkError::NoLink { record: name() });
        }
        let paths = |index: usize| {
            let field = Step::Field(record, index as u32);
            let path = |steps: &[Step]| Path { view, steps: SmallVec::from_slice(steps) };
            match self.pointee(fields[index].ty) {
                Some(_) => vec![path(&[field])],
                None => {
                    let element = |number| path(&[field, Step::Index(Index::Constant(number as i64))]);
                    (0..self.n_links(fields[index].ty, view)).map(element).collect()
                }
            }
        };
        let paths: Vec<Path> = chosen.into_iter().flat_map(paths).collect();
        let most = match kind {
            ShapeKind::Cyclic => 1,
            ShapeKind::DoublyLinked => 2,
            ShapeKind::Acyclic
            | ShapeKind::Reach
            | ShapeKind::Disjoint
            | ShapeKind::Tree
            | ShapeKind::TreeWithParent => MAX_LINKS,
        };
        if paths.len() as u64 > most {
            return Err(LinkError::TooMany { record: name() });
        }
        Ok(paths)
    }

    /// How many links to the viewed record a field of this type has: itself, or the elements of an array.
    fn n_links(&self, ty: TypeId, view: TypeId) -> u64 {
        match *self.ty(ty) {
            Type::Array(element, Some(count)) if self.pointee(element) == Some(view) => count,
            _ => u64::from(self.pointee(ty) == Some(view)),
        }
    }
}
