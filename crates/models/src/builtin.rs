//! The functions behind the macros of `heapwise.h`.

use heapwise_ir::ShapeKind;

/// The text of `heapwise.h`, so that a program can include it with nothing installed.
pub const HEADER: &str = include_str!("../../../include/heapwise.h");

/// What a `__hw_…` function stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// A claim about shapes. The arguments are the pointers and then, where the fields are named, one string literal per
    /// field: a path such as `list.next` within the record of the first pointer.
    Shape {
        /// Whether it is checked or taken for granted.
        claim: Claim,
        /// The shape.
        kind: ShapeKind,
        /// Which link fields it speaks of.
        fields: LinkFields,
    },
    /// `hw_requires`, with the formula as a string literal.
    Requires,
    /// `hw_ensures`, with the formula as a string literal.
    Ensures,
    /// `hw_dump`, with the name as a string literal.
    Dump,
}

/// Whether a claim is checked or taken for granted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// A finding where it may not hold.
    Assert,
    /// Execution goes on only where it holds.
    Assume,
}

/// Which link fields a shape speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinkFields {
    /// Those that the record of the first pointer suggests, as `heapwise.h` describes.
    FromType,
    /// So many, named by string literals after the pointers.
    Named(u32),
}

impl Builtin {
    /// The meaning of a function name.
    pub fn named(name: &str) -> Option<Builtin> {
        match name {
            "__hw_requires" => return Some(Builtin::Requires),
            "__hw_ensures" => return Some(Builtin::Ensures),
            "__hw_dump" => return Some(Builtin::Dump),
            _ => {}
        }
        let (claim, shape) = match (name.strip_prefix("__hw_assert_"), name.strip_prefix("__hw_assume_")) {
            (Some(shape), _) => (Claim::Assert, shape),
            (None, Some(shape)) => (Claim::Assume, shape),
            (None, None) => return None,
        };
        let (shape, named) = match shape.strip_suffix("_by") {
            Some(shape) => (shape, true),
            None => (shape, false),
        };
        let (kind, n_fields) = match shape {
            "acyclic" => (ShapeKind::Acyclic, 1),
            "cyclic" => (ShapeKind::Cyclic, 1),
            "reach" => (ShapeKind::Reach, 1),
            "disjoint" => (ShapeKind::Disjoint, 1),
            "dll" => (ShapeKind::DoublyLinked, 2),
            "tree" => (ShapeKind::Tree, 2),
            "tree_parent" => (ShapeKind::TreeWithParent, 3),
            _ => return None,
        };
        let fields = if named { LinkFields::Named(n_fields) } else { LinkFields::FromType };
        Some(Builtin::Shape { claim, kind, fields })
    }
}
