//! Classes: regions that are one, and what is known of them.

use super::cells::Cells;
use crate::GraphId;
use crate::layout::{Change, Fold, Layout};
use crate::nodes::NodeKey;
use crate::object::{Collapse, CollapseReason, Site};

/// The arrays of a region grow up to so many times.
const MOST_FOLDS: u16 = 2048;

/// Regions that are one. The members, and the objects that they are, stand in tables of the solver.
#[derive(Clone, Default, Debug)]
pub(crate) struct Class {
    pub(super) n_members: u32,
    /// Code that nothing is known of may read and write it.
    pub(crate) escaped: bool,
    /// A copy reads it, here or in a graph that is mapped to this one: cells of callers are of interest.
    pub(crate) copied: bool,
    /// Whose graph it is in; `None`: it is reached from a global, and shared by all.
    pub(crate) owner: Option<GraphId>,
    /// How often its arrays grew.
    pub(super) n_folds: u16,
    pub(crate) cells: Cells,
    pub(crate) layout: Layout,
    /// What few have.
    pub(super) rare: Option<Box<Rare>>,
}

/// What few classes have.
#[derive(Clone, Default, Debug)]
pub(super) struct Rare {
    /// Parameters and result of the functions in it, once it is called.
    pub(super) signature: Option<Signature>,
    /// Copies that read it.
    pub(super) copies: Vec<u32>,
    /// Where low bits of addresses in it are cleared.
    pub(super) clears: Vec<u32>,
    /// Stretches that hold bytes of any value.
    pub(super) anything: Vec<Stretch>,
    /// Why it is one cell, or has cells that two views cut differently.
    pub(super) collapses: Vec<Collapse>,
}

/// Bytes of a region: start and end; `None`: to both ends of everything.
pub(crate) type Stretch = Option<(i64, i64)>;

impl Class {
    pub(super) fn rare(&mut self) -> &mut Rare {
        self.rare.get_or_insert_default()
    }

    pub(crate) fn anything(&self) -> &[Stretch] {
        self.rare.as_ref().map_or(&[], |rare| &rare.anything)
    }

    pub(crate) fn collapses(&self) -> &[Collapse] {
        self.rare.as_ref().map_or(&[], |rare| &rare.collapses)
    }

    pub(super) fn copies(&self) -> &[u32] {
        self.rare.as_ref().map_or(&[], |rare| &rare.copies)
    }

    /// The elements of an array become one. Copies within a region, and calls that are given several places of it, can make
    /// arrays grow again and again: beyond a number of times there is one array, as long as the region.
    pub(super) fn fold(&mut self, fold: Fold, site: Option<Site>) -> Change {
        let change = self.layout.fold(fold);
        if change == Change::Coarser {
            self.n_folds += 1;
            if self.n_folds > MOST_FOLDS {
                self.n_folds = 0;
                self.layout.fold_all(self.layout.common_stride());
                self.rare().collapses.push(Collapse { reason: CollapseReason::Endless, site });
            }
        }
        change
    }

    pub(super) fn is_called(&self) -> bool {
        self.rare.as_ref().is_some_and(|rare| rare.signature.is_some())
    }
}

/// Parameters and result of all functions of a class.
#[derive(Clone, Default, Debug)]
pub(crate) struct Signature {
    pub(crate) parameters: Vec<NodeKey>,
    pub(crate) result: Option<NodeKey>,
    /// A function among them does something unknown with arguments beyond its parameters.
    pub(crate) rest_escapes: bool,
}
