//! How far each allocation site was followed, for engines that follow one site at a time.

use crate::control::Exhausted;
use crate::finding::Statement;
use crate::reason::GapReason;

/// What an engine saw of the cells that one statement allocates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteCoverage {
    /// The statement.
    pub site: Statement,
    /// How far its cells were followed.
    pub extent: SiteExtent,
}

/// How far the cells of an allocation site were followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SiteExtent {
    /// On every execution.
    Full,
    /// Up to something that is not followed.
    UpToGap(GapReason),
    /// Until the site's share of the budget was used up.
    Cut(Exhausted),
}

impl SiteExtent {
    /// Whether all that can happen to the site's cells is known.
    pub fn is_full(&self) -> bool {
        match self {
            SiteExtent::Full => true,
            SiteExtent::UpToGap(_) | SiteExtent::Cut(_) => false,
        }
    }
}
