//! What of shapes is not followed.

use super::MemoryGap;

/// What of shapes is not followed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ShapeGap {
    /// This shape is not one of singly-linked lists.
    NoList,
    /// A record is not complete.
    Incomplete {
        /// The record.
        record: String,
    },
    /// The shape names several links of a record.
    SeveralLinks {
        /// The record.
        record: String,
    },
    /// The shape names a link of a record that is not followed.
    UnfollowedLink {
        /// The record.
        record: String,
    },
    /// A tree assertion without links.
    TreeWithoutLinks,
    /// A doubly-linked assertion needs two links.
    NotTwoLinks,
    /// Cells that it speaks of are not followed.
    Cells {
        /// Why not.
        gap: MemoryGap,
    },
}

impl From<MemoryGap> for ShapeGap {
    fn from(gap: MemoryGap) -> ShapeGap {
        ShapeGap::Cells { gap }
    }
}
