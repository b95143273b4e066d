//! What the shapes of `heapwise.h` mean: each is a conjunction of a few clauses about the cells that are reached along some
//! links. Abstractions decide clauses, each in its own way; what a shape is made of stands here alone. (`interp` has a
//! definition of its own on concrete heaps: it is what the others are tested against.)

use crate::instruction::ShapeKind;
use smallvec::{SmallVec, smallvec};

/// The meaning of a shape over links that are named by `L`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShapeDefinition<'l, L> {
    /// The links along which cells are reached.
    pub along: &'l [L],
    /// What must hold, all of it; and every link of a cell that is reached is null or leads to a cell.
    pub clauses: SmallVec<[ShapeClause<L>; 3]>,
}

/// One conjunct of a shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShapeClause<L> {
    /// No cell that is reached is on a cycle.
    Acyclic,
    /// The first pointer's cell is on a cycle.
    Cyclic,
    /// The second pointer's cell is reached; null is where nothing reached is on a cycle.
    Reaches,
    /// No cell is reached from both pointers.
    Disjoint,
    /// No cell that is reached is entered twice from such cells, and none is on a cycle.
    EnteredOnce,
    /// Where `there` leads to a cell from one that is reached, `back` leads back.
    Inverse {
        /// The way there.
        there: L,
        /// The way back.
        back: L,
    },
}

impl ShapeKind {
    /// What the shape means over these links (in the order of [`crate::ShapePredicate::links`]); `None` if it cannot be about
    /// so many.
    pub fn definition<L: Copy>(self, links: &[L]) -> Option<ShapeDefinition<'_, L>> {
        let (along, clauses) = match self {
            ShapeKind::Acyclic => (links, smallvec![ShapeClause::Acyclic]),
            ShapeKind::Cyclic => (links, smallvec![ShapeClause::Cyclic]),
            ShapeKind::Reach => (links, smallvec![ShapeClause::Reaches]),
            ShapeKind::Disjoint => (links, smallvec![ShapeClause::Disjoint]),
            ShapeKind::DoublyLinked => match *links {
                [next, prev] => {
                    let forth = ShapeClause::Inverse { there: next, back: prev };
                    (links, smallvec![forth, ShapeClause::Inverse { there: prev, back: next }])
                }
                _ => return None,
            },
            ShapeKind::Tree => (links, smallvec![ShapeClause::EnteredOnce]),
            ShapeKind::TreeWithParent => {
                let (parent, children) = links.split_last()?;
                let back = children.iter().map(|child| ShapeClause::Inverse { there: *child, back: *parent });
                (children, std::iter::once(ShapeClause::EnteredOnce).chain(back).collect())
            }
        };
        Some(ShapeDefinition { along, clauses })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_about_the_links_they_are_given() {
        let list = ShapeKind::DoublyLinked.definition(&["next", "prev"]).expect("two links");
        assert_eq!(list.along, ["next", "prev"]);
        assert_eq!(list.clauses.len(), 2);
        assert_eq!(ShapeKind::DoublyLinked.definition(&["next"]), None);
        assert_eq!(ShapeKind::TreeWithParent.definition::<u8>(&[]), None);
        let tree = ShapeKind::TreeWithParent.definition(&["left", "right", "up"]).expect("a parent is enough");
        assert_eq!(tree.along, ["left", "right"]);
        let expected = [
            ShapeClause::EnteredOnce,
            ShapeClause::Inverse { there: "left", back: "up" },
            ShapeClause::Inverse { there: "right", back: "up" },
        ];
        assert_eq!(tree.clauses.as_slice(), expected);
    }
}
