//! The engine: translate, run, judge what was suspected, refine what has no concrete run.

use crate::decompose::Grouping;
use crate::feasible::is_feasible;
use crate::judge::{self, suspect};
use crate::run::{Fixpoint, RunOptions, Suspicion, run};
use crate::settings::{Feasibility, Mode, Settings};
use crate::store::GraphStore;
use heapwise_cells::describe::unasked_ends;
use heapwise_cells::live::Retention;
use heapwise_cells::program::Point;
use heapwise_cells::translate::{Calls, Links, Translation, translate_within};
use heapwise_cells::{Issue, Suspect};
use heapwise_confirm::Confirmer;
use heapwise_engine::reason::{Assumption, ContractGap, Element, Note};
use heapwise_engine::{AllocationFailure, BudgetMeter, Control, Engine, Gap, Kind, Options, Outcome, Stats, Stopped};
use heapwise_ir::Program;

/// The engine `graph`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct GraphEngine {
    /// Its settings.
    pub settings: Settings,
}

/// Everything a run computed, for dumps, tables and tests.
pub struct Analysis {
    /// The list program.
    pub translation: Translation,
    /// The graphs.
    pub store: GraphStore,
    /// The elements of each point, from the first run.
    pub fixpoint: Fixpoint,
}

impl Engine for GraphEngine {
    fn name(&self) -> &'static str {
        "graph"
    }

    fn check(&self, program: &Program, options: &Options, control: &Control) -> Outcome {
        let analysis = self.analyse(program, options, control);
        self.conclude(program, options, control, analysis)
    }
}

impl GraphEngine {
    /// The elements of every location.
    pub fn analyse(&self, program: &Program, options: &Options, control: &Control) -> Analysis {
        self.solve(GraphEngine::translation(program, options, control), control)
    }

    /// The cell program that the engine runs on.
    pub fn translation(program: &Program, options: &Options, control: &Control) -> Translation {
        translate_within(program, options, Links::OneToItself, Calls::Inlined, control)
    }

    /// The fixpoint alone, for a program that is translated already.
    pub fn solve(&self, translation: Translation, control: &Control) -> Analysis {
        let mut store = GraphStore::default();
        let run_options = RunOptions { grouping: self.grouping(), retention: Retention::Live, exact_length: 1 };
        let fixpoint = run(&translation.program, &translation.liveness, &mut store, run_options, control);
        Analysis { translation, store, fixpoint }
    }

    fn grouping(&self) -> Grouping {
        match self.settings.mode {
            Mode::Full => Grouping::Whole,
            Mode::Decomposed => Grouping::decomposed(),
        }
    }

    /// Judges what the analysis suspects.
    pub fn conclude(&self, program: &Program, options: &Options, control: &Control, mut analysis: Analysis) -> Outcome {
        let mut outcome = Outcome::default();
        if options.allocation_failure == AllocationFailure::Never {
            outcome.assumptions.push(Assumption::AllocationSucceeds);
        }
        if analysis.translation.exhausted.is_some() {
            outcome.stopped = analysis.translation.stopped();
            return outcome;
        }
        outcome.reached = analysis.translation.reached_functions(program, |point| analysis.fixpoint.is_reached(point));
        outcome.stats = Stats { elements: analysis.fixpoint.n_elements, locations: analysis.fixpoint.n_reached() };
        outcome
            .gaps
            .extend(analysis.translation.gaps.iter().map(|(span, reason)| Gap { span: *span, reason: reason.clone() }));
        if options.asks_for(Kind::Shape) {
            outcome.gaps.extend(program.contracts.iter().map(|contract| {
                let name = &program.functions[contract.function].name;
                Gap { span: contract.span, reason: ContractGap::Unchecked { function: name.clone() }.into() }
            }));
        }
        let mut suspects = self.suspects(&analysis, options, &analysis.fixpoint, control);
        suspects.extend(self.losses(&mut analysis, options, control, &mut outcome));
        if outcome.stopped.is_none() {
            outcome.stopped = stopped(&analysis.translation, &analysis.fixpoint);
        }
        for suspicion in &analysis.fixpoint.suspicions {
            if let Issue::Gap(reason) = &suspicion.issue
                && self.is_real(&analysis, &analysis.fixpoint, suspicion, control)
            {
                let span = analysis.translation.program.steps[suspicion.step].span;
                outcome.gaps.push(Gap { span, reason: reason.clone() });
            }
        }
        outcome.gaps.sort();
        outcome.gaps.dedup();
        let suspicions = analysis.fixpoint.suspicions.iter();
        let real = suspicions.filter(|found| self.is_real(&analysis, &analysis.fixpoint, found, control));
        let ends = real.map(|found| (found.step, &found.issue));
        outcome.notes.extend(unasked_ends(options, &analysis.translation.program, ends));
        let confirmer = Confirmer { program, options, control };
        judge::judge(self.settings, confirmer, &mut analysis, suspects, &mut outcome);
        outcome
    }

    /// The errors that a fixpoint shows, without losses.
    fn suspects(&self, analysis: &Analysis, options: &Options, fixpoint: &Fixpoint, control: &Control) -> Vec<Suspect> {
        fixpoint
            .suspicions
            .iter()
            .filter(|suspicion| match &suspicion.issue {
                Issue::Error(kind) => options.asks_for(*kind),
                Issue::Broken(_) => options.asks_for(Kind::Shape),
                Issue::Lost | Issue::StillReachable | Issue::Gap(_) => false,
            })
            .filter(|suspicion| self.is_real(analysis, fixpoint, suspicion, control))
            .map(|suspicion| suspect(fixpoint, suspicion))
            .collect()
    }

    /// The leaks: if the first run lost anything, a second one that keeps dead holders says where (see
    /// [`heapwise_cells::live`]).
    fn losses(
        &self,
        analysis: &mut Analysis,
        options: &Options,
        control: &Control,
        outcome: &mut Outcome,
    ) -> Vec<Suspect> {
        let asked = |suspicion: &Suspicion| match suspicion.issue {
            Issue::Lost => options.asks_for(Kind::Leak),
            Issue::StillReachable => options.asks_for(Kind::LeakAtExit),
            Issue::Error(_) | Issue::Broken(_) | Issue::Gap(_) => false,
        };
        let suspected = analysis.fixpoint.suspicions.iter().any(|suspicion| {
            suspicion.issue == Issue::Lost
                && (options.asks_for(Kind::Leak) || options.asks_for(Kind::LeakAtExit))
                && self.is_real(analysis, &analysis.fixpoint, suspicion, control)
        });
        let collect = |analysis: &Analysis, fixpoint: &Fixpoint| -> Vec<Suspect> {
            fixpoint
                .suspicions
                .iter()
                .filter(|suspicion| asked(suspicion) && self.is_real(analysis, fixpoint, suspicion, control))
                .map(|suspicion| suspect(fixpoint, suspicion))
                .collect()
        };
        if !suspected || analysis.fixpoint.exhausted.is_some() {
            return collect(analysis, &analysis.fixpoint);
        }
        let run_options = RunOptions { grouping: self.grouping(), retention: Retention::Holders, exact_length: 1 };
        let Translation { program, liveness, .. } = &analysis.translation;
        let second = run(program, liveness, &mut analysis.store, run_options, control);
        outcome.notes.push(Note::SecondPass { elements: second.n_elements, of: Element::ShapeGraph });
        if second.exhausted.is_some() {
            outcome.stopped = stopped(&analysis.translation, &second);
            let mut both = collect(analysis, &analysis.fixpoint);
            both.extend(collect(analysis, &second));
            return both;
        }
        collect(analysis, &second)
    }

    /// Whether some composition that shows the suspicion is feasible, for all that is known when the budget runs out.
    pub(crate) fn is_real(
        &self,
        analysis: &Analysis,
        fixpoint: &Fixpoint,
        suspicion: &Suspicion,
        control: &Control,
    ) -> bool {
        let meter = BudgetMeter::new(control);
        if self.settings.feasibility == Feasibility::Weak || meter.is_over_now() {
            return true;
        }
        let from: Point = analysis.translation.program.steps[suspicion.step].from;
        suspicion.compositions.iter().any(|composition| {
            is_feasible(fixpoint, from, &analysis.store, analysis.translation.liveness.live(from), composition, &meter)
        })
    }
}

/// What ran out during a fixpoint, and where most of its elements are.
fn stopped(translation: &Translation, fixpoint: &Fixpoint) -> Option<Stopped> {
    let why = fixpoint.exhausted?;
    Some(translation.stopped_in_run(why, |point| fixpoint.elements(point).count(), Element::ShapeGraph))
}
