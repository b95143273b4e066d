//! What an engine answers.

use crate::certificate::Certificate;
use crate::control::Exhausted;
use crate::coverage::SiteCoverage;
use crate::finding::{AccessPlace, Certainty, Finding, Kind};
use crate::reason::{Assumption, Doing, GapReason, Note};
use crate::refinement::RefinementStep;
use heapwise_ir::{FunctionId, OPEN_EXTENT, Span};

/// The answer about a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every property asked for holds on every execution, under the stated assumptions.
    Safe,
    /// At least one finding is confirmed.
    Unsafe,
    /// Findings that are only possible, or something that stopped the analysis.
    Unknown,
}

/// Something the analysis could not see through: no *safe* past it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Gap {
    /// Where; [`Span::NONE`] where it concerns the whole run.
    pub span: Span,
    /// What and why.
    pub reason: GapReason,
}

/// A budget that ran out before the analysis was over: no *safe* either.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stopped {
    /// Which one.
    pub why: Exhausted,
    /// Where most of it went; [`Span::NONE`] where that is not known.
    pub span: Span,
    /// What was being done.
    pub doing: Doing,
}

/// Why an engine did not come to look at a program at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unbegun {
    /// Something about the program.
    Gap(Gap),
    /// The budget ran out before.
    Stopped(Stopped),
}

impl Unbegun {
    /// Says so in the outcome.
    pub fn write(self, outcome: &mut Outcome) {
        match self {
            Unbegun::Gap(gap) => outcome.gaps.push(gap),
            Unbegun::Stopped(stopped) => outcome.stopped = Some(stopped),
        }
    }
}

impl From<Gap> for Unbegun {
    fn from(gap: Gap) -> Unbegun {
        Unbegun::Gap(gap)
    }
}

/// Numbers about a run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Stats {
    /// Elements computed (graphs, structures, states).
    pub elements: u64,
    /// Locations visited.
    pub locations: u64,
}

/// Everything an engine says about a program.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Outcome {
    /// What the verdict assumes.
    pub assumptions: Vec<Assumption>,
    /// The findings, in the order of the program text.
    pub findings: Vec<Finding>,
    /// What could not be seen through.
    pub gaps: Vec<Gap>,
    /// The budget that ran out, if one did.
    pub stopped: Option<Stopped>,
    /// How far each allocation site was followed, in the order of the text; empty where the engine does not look at one site
    /// at a time.
    pub sites: Vec<SiteCoverage>,
    /// The refinements that led to the answer, in order.
    pub refinements: Vec<RefinementStep>,
    /// What proves *safe*, for whoever wants to check it.
    pub certificate: Option<Certificate>,
    /// The functions that an execution was seen to enter, sorted.
    pub reached: Vec<FunctionId>,
    /// Numbers.
    pub stats: Stats,
    /// What does not touch the verdict (how far the exploration went).
    pub notes: Vec<Note>,
}

impl Outcome {
    /// Nothing that was found is certain: the runs that show it are runs of a program that may mean something else.
    pub fn doubt_findings(&mut self) {
        self.findings.iter_mut().for_each(Finding::doubt);
    }

    /// Where an object begins and ends that is as large as anybody looks, nobody says: an access that leaves it may be none that fails.
    pub fn doubt_open_extents(&mut self) {
        let leaves_open = |finding: &Finding| match finding.about.access.map(|access| access.place) {
            Some(AccessPlace::Object { size, .. }) => size == OPEN_EXTENT,
            Some(AccessPlace::Nowhere) | None => false,
        };
        let found =
            self.findings.iter_mut().filter(|finding| finding.kind == Kind::OutOfBounds && leaves_open(finding));
        found.for_each(Finding::doubt);
    }

    /// The verdict. This is the only place where [`Verdict::Safe`] is built.
    pub fn verdict(&self) -> Verdict {
        if self.findings.iter().any(|finding| finding.certainty == Certainty::Confirmed) {
            Verdict::Unsafe
        } else if self.findings.is_empty()
            && self.gaps.is_empty()
            && self.stopped.is_none()
            && self.sites.iter().all(|site| site.extent.is_full())
        {
            Verdict::Safe
        } else {
            Verdict::Unknown
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::SiteExtent;
    use crate::finding::Statement;
    use crate::reason::PointerGap;

    #[test]
    fn a_site_that_was_not_fully_followed_is_never_safe() {
        let site = Statement { function: FunctionId::from_u32(0), span: Span::NONE };
        let verdict = |extent| Outcome { sites: vec![SiteCoverage { site, extent }], ..Outcome::default() }.verdict();
        assert_eq!(verdict(SiteExtent::Full), Verdict::Safe);
        assert_eq!(verdict(SiteExtent::Cut(Exhausted::Elements)), Verdict::Unknown);
        assert_eq!(verdict(SiteExtent::UpToGap(PointerGap::FromInteger.into())), Verdict::Unknown);
    }
}
