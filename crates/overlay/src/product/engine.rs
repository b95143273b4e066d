//! The engine with groups of fields.

use super::insert::{Insertions, Start, insertions};
use super::solve::{Mode, Solution, solve};
use super::variable::Scope;
use crate::analysis::Retention;
use crate::engine::{OverlayEngine, Suspected, confirm_or_suspect, opening};
use crate::groups::{GroupId, Grouping, Groups};
use crate::predicate::Definitions;
use crate::transfer::Context;
use heapwise_confirm::EdgePath;
use heapwise_engine::reason::{Doing, Note, SymbolicGap};
use heapwise_engine::{Certainty, Control, Engine, Gap, Kind, Options, Outcome, Statement, Stats, Stopped, Verdict};
use heapwise_fixpoint::{InlineError, ProgramFlow, StepId, StepOrigin};
use heapwise_ir::{AnyAddressTaken, FunctionId, Program, Span};

/// The engine `overlay` with several groups of fields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProductEngine {
    /// Which groups.
    pub grouping: Grouping,
    /// How they are kept together.
    pub mode: Mode,
}

/// Most points of a program whose calls are inlined.
const MOST_POINTS: usize = 20_000;

/// A program with its calls inlined, its groups and its ghost instructions.
pub struct Prepared {
    /// The flow.
    pub flow: ProgramFlow,
    /// The groups.
    pub groups: Groups,
    /// The ghost instructions.
    pub insertions: Insertions,
}

/// Inlines calls and inserts ghost instructions.
pub fn prepare(program: &Program, entry: FunctionId, groups: Groups) -> Result<Prepared, InlineError> {
    let flow = ProgramFlow::inlined(program, entry, &AnyAddressTaken, MOST_POINTS)?;
    let insertions = insertions(Scope { program, flow: &flow }, &groups, &Start::OfProgram);
    Ok(Prepared { flow, groups, insertions })
}

impl Prepared {
    /// How many `trans` there are in the program: one in a function counts once, however often that is called.
    pub fn n_trans(&self) -> usize {
        let mut places: Vec<_> = self
            .insertions
            .trans
            .iter()
            .flat_map(|((context, edge), all)| {
                all.iter().map(|trans| (self.flow.contexts[*context].function, *edge, *trans))
            })
            .collect();
        places.sort_unstable();
        places.dedup();
        places.len()
    }

    /// Runs the product.
    pub fn solve<'p, 'c>(
        &'c self,
        context: &'c Context<'p>,
        (mode, retention): (Mode, Retention),
        control: &Control,
    ) -> Solution<'p, 'c> {
        solve(context, &self.flow, &self.groups, &self.insertions, (mode, retention), control)
    }
}

impl Engine for ProductEngine {
    fn name(&self) -> &'static str {
        "overlay"
    }

    fn check(&self, program: &Program, options: &Options, control: &Control) -> Outcome {
        let mut groups = match Groups::of(program, &self.grouping) {
            Ok(groups) => groups,
            Err(why) => {
                let mut outcome = Outcome::default();
                let reason = SymbolicGap::GroupsCannotBeUsed { why }.into();
                outcome.gaps.push(Gap { span: program.functions[options.entry].span, reason });
                return outcome;
            }
        };
        // Where a doubt is left, two groups become one and all is tried again; with one group, by the general engine.
        loop {
            if groups.len() < 2 {
                return OverlayEngine.check(program, options, control);
            }
            let attempt = self.attempt(program, options, control, &groups);
            let is_over = match &attempt {
                Some(outcome) => outcome.verdict() != Verdict::Unknown || outcome.stopped.is_some(),
                None => false,
            };
            match attempt {
                Some(outcome) if is_over || self.mode == Mode::Coupled => return outcome,
                Some(_) | None => {}
            }
            let last = GroupId(groups.len() as u8 - 1);
            groups = groups.merged(program, GroupId(last.0 - 1), last);
        }
    }
}

impl ProductEngine {
    /// One try with these groups; nothing if calls cannot be inlined.
    pub(crate) fn attempt(
        &self,
        program: &Program,
        options: &Options,
        control: &Control,
        groups: &Groups,
    ) -> Option<Outcome> {
        let mut outcome = match opening(program, options) {
            Ok(outcome) => outcome,
            Err(outcome) => return Some(*outcome),
        };
        let prepared = prepare(program, options.entry, groups.clone()).ok()?;
        let context = Context::new(program, options, Definitions::shipped());
        let first = prepared.solve(&context, (self.mode, Retention::Live), control);
        outcome.stats = Stats {
            elements: first.n_elements(),
            locations: prepared.flow.points.keys().filter(|point| !first.rows_at(*point).is_empty()).count() as u64,
        };
        outcome.reached = prepared
            .flow
            .points
            .iter()
            .filter(|(point, _)| !first.rows_at(*point).is_empty())
            .map(|(_, origin)| prepared.flow.contexts[origin.context].function)
            .collect();
        outcome.reached.sort_unstable();
        outcome.reached.dedup();
        outcome.notes.push(Note::FieldGroups { groups: names(program, groups) });
        gaps(program, &first, &mut outcome);
        let mut exhausted = first.exhausted;
        let mut doubts: Vec<_> = first.doubts.values().filter(|doubt| doubt.kind != Kind::Leak).cloned().collect();
        let may_leak = first.doubts.values().any(|doubt| doubt.kind == Kind::Leak);
        if may_leak && options.asks_for(Kind::Leak) && exhausted.is_none() {
            let second = prepared.solve(&context, (self.mode, Retention::Held), control);
            exhausted = second.exhausted;
            gaps(program, &second, &mut outcome);
            doubts.extend(second.doubts.values().filter(|doubt| doubt.kind == Kind::Leak).cloned());
        }
        if let Some(why) = exhausted {
            let doing = Doing::Running { engine: "overlay".to_owned() };
            outcome.stopped = Some(Stopped { why, span: Span::NONE, doing });
        }
        let mut suspects: Vec<Suspected> = Vec::new();
        for doubt in doubts {
            let Some((function, span)) = place(program, &prepared.flow, doubt.step) else { continue };
            if options.asks_for(doubt.kind) {
                // The rows of components have no way to them of their own: runs are looked for from the start.
                let path = EdgePath::new(program, []);
                let at = Statement { function, span };
                suspects.push(Suspected { kind: doubt.kind, message: doubt.message, at, path });
            } else {
                let certainty = Certainty::Possible;
                outcome.notes.push(Note::UnaskedEnd { kind: doubt.kind, span, certainty });
            }
        }
        confirm_or_suspect(&context, control, suspects, &mut outcome);
        outcome.gaps.sort();
        outcome.gaps.dedup();
        Some(outcome)
    }
}

fn names(program: &Program, groups: &Groups) -> Vec<String> {
    groups.ids().map(|group| groups.name(program, group)).collect()
}

fn gaps(program: &Program, solution: &Solution<'_, '_>, outcome: &mut Outcome) {
    for (step, reason) in &solution.gaps {
        let span = place(program, solution.flow, *step).map_or(Span::NONE, |(_, span)| span);
        outcome.gaps.push(Gap { span, reason: reason.clone() });
    }
}

fn place(program: &Program, flow: &ProgramFlow, step: StepId) -> Option<(FunctionId, Span)> {
    let (context, edge) = match flow.steps[step] {
        StepOrigin::Instruction { context, edge, .. } => (context, edge),
        StepOrigin::Enter { caller, edge, .. } | StepOrigin::Leave { caller, edge, .. } => (caller, edge),
    };
    let function = flow.contexts[context].function;
    Some((function, program.functions[function].automaton()?.edges[edge].span))
}
