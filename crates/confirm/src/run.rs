//! Concrete runs behind what is suspected: `interp` has the last word.

use crate::judge::Suspicion;
use crate::path::EdgePath;
use heapwise_engine::{Control, Finding, Kind, Options};
use heapwise_interp::{Explicit, Limits, Place};
use heapwise_ir::Program;

/// How far `interp` looks for the run behind a path.
const LIMITS: Limits = Limits { states: 2_000, steps: 400_000, segment: 20_000, random_steps: 0, walk: 0 };

/// The same where other runs are looked at too.
const LIMITS_OF_A_GLANCE: Limits = Limits { states: 500, steps: 50_000, segment: 20_000, random_steps: 0, walk: 0 };

/// The same for cells that are lost somewhere behind a path: most that look lost are not.
const LIMITS_OF_LOSSES: Limits = Limits { states: 500, steps: 30_000, segment: 5_000, random_steps: 0, walk: 0 };

/// How far `interp` looks around, anywhere: most errors show in small heaps.
const LIMITS_OF_A_PROBE: Limits =
    Limits { states: 2_000, steps: 40_000, segment: 10_000, random_steps: 24_000, walk: 400 };

/// The same where an engine does not come to an end.
const LIMITS_OF_A_LONG_PROBE: Limits =
    Limits { states: 20_000, steps: 400_000, segment: 20_000, random_steps: 100_000, walk: 2_000 };

/// How much is done for one suspicion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// The path itself, and little beside it.
    Glance,
    /// All that is near it.
    Search,
}

/// How far short runs go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Distance {
    /// A second at most, as a rule.
    Near,
    /// Several.
    Far,
}

/// Looks for concrete runs of one program, to one question. What is found is handed out at once: it is kept if the engine
/// is stopped.
#[derive(Clone, Copy, Debug)]
pub struct Confirmer<'a> {
    /// The program.
    pub program: &'a Program,
    /// The question.
    pub options: &'a Options,
    /// The budget.
    pub control: &'a Control,
}

impl Confirmer<'_> {
    /// A run that fails as suspected, along a path: the suspicion's own, or another to the same statement.
    pub fn along(&self, suspicion: &impl Suspicion, path: &EdgePath, effort: Effort) -> Option<Finding> {
        let limits = match effort {
            Effort::Glance => LIMITS_OF_A_GLANCE,
            Effort::Search => LIMITS,
        };
        let look = |span| self.run(limits, suspicion.kind(), Place::At(span), path);
        look(suspicion.at().span).or_else(|| suspicion.also_fails_at(self.program).into_iter().find_map(look))
    }

    /// A run that loses a cell, along a path on which no live variable leads to the cell any more. Dead ones may still hold
    /// it at the end of the path: where it is lost, the run says.
    pub fn loss(&self, path: &EdgePath) -> Option<Finding> {
        self.run(LIMITS_OF_LOSSES, Kind::Leak, Place::Anywhere, path)
    }

    /// The errors that short runs from the entry show, wherever they are.
    pub(crate) fn probe(&self, distance: Distance) -> Vec<Finding> {
        let limits = match distance {
            Distance::Near => LIMITS_OF_A_PROBE,
            Distance::Far => LIMITS_OF_A_LONG_PROBE,
        };
        let explicit = Explicit { limits, ..Explicit::default() };
        let findings = explicit.concrete_probe(self.program, self.options, self.control);
        findings.iter().for_each(|finding| self.control.hand_out(self.options, finding));
        findings
    }

    fn run(&self, limits: Limits, kind: Kind, place: Place, path: &EdgePath) -> Option<Finding> {
        let explicit = Explicit { limits, ..Explicit::default() };
        let found = explicit.confirm(self.program, self.options, self.control, kind, place, path.edges());
        found.inspect(|finding| self.control.hand_out(self.options, finding))
    }
}
