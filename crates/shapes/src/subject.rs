//! A program and a question about it, as far as they can be looked at at all.

use crate::abstraction::ShapeAbstraction;
use crate::memory::{Memory, ScalarKind, ScalarVariable};
use crate::transfer::{Relevance, StepKey, Transfer};
use heapwise_engine::reason::{CallGap, ContractGap, Doing, PointerGap, RefineGap};
use heapwise_engine::{BudgetMeter, Control, Gap, GapReason, Kind, Options, Stopped, Unbegun};
use heapwise_fixpoint::{InlineError, ProgramFlow, StepId, StepOrigin};
use heapwise_ir::{Body, FunctionId, Liveness, Program, Span, reachable_functions};
use heapwise_pointsto::{Mode as PointsToMode, PointsTo};
use rustc_hash::FxHashMap;

/// The kinds of error that are looked for.
pub const KINDS: [Kind; 11] = [
    Kind::Leak,
    Kind::NullDereference,
    Kind::UseAfterFree,
    Kind::DoubleFree,
    Kind::InvalidFree,
    Kind::OutOfBounds,
    Kind::Uninitialised,
    Kind::DanglingReturn,
    Kind::DivisionByZero,
    Kind::Assertion,
    Kind::Shape,
];

/// Inlined programs with more points are not analysed.
const MOST_POINTS: usize = 20_000;

/// A program, calls inlined, and what is asked about it.
pub struct Subject<'s> {
    /// The program.
    pub program: &'s Program,
    /// The question.
    pub options: &'s Options,
    /// Its memory, as far as it is followed.
    pub memory: &'s Memory<'s>,
    /// Its points and steps.
    pub flow: &'s ProgramFlow,
    /// Which registers matter where.
    pub liveness: &'s FxHashMap<FunctionId, Liveness>,
}

/// What stands against *safe* whatever holds at the locations of a program: what its text, the question and the entry have that
/// is not looked at.
pub fn gaps(program: &Program, options: &Options) -> Vec<Gap> {
    let mut gaps: Vec<Gap> = program
        .gaps
        .iter()
        .map(|(span, reason)| Gap { span: *span, reason: GapReason::Text(reason.clone()) })
        .collect();
    for kind in options.properties.iter().filter(|kind| !KINDS.contains(kind)) {
        gaps.push(Gap { span: Span::NONE, reason: RefineGap::KindNotLookedFor { kind: *kind }.into() });
    }
    if options.asks_for(Kind::Shape) {
        gaps.extend(program.contracts.iter().map(|contract| {
            let function = program.functions[contract.function].name.clone();
            Gap { span: contract.span, reason: ContractGap::Unchecked { function }.into() }
        }));
    }
    let entry = &program.functions[options.entry];
    if let Body::Extern(_) = entry.body {
        let reason = CallGap::EntryWithoutBody { function: entry.name.clone() }.into();
        gaps.push(Gap { span: entry.span, reason });
    }
    gaps
}

/// What the points-to analysis is asked about a program.
fn asked_of_pointsto(options: &Options) -> heapwise_pointsto::Options {
    heapwise_pointsto::Options::new(PointsToMode::ContextInsensitive, options.entry)
}

impl Subject<'_> {
    /// Looks at a program, and hands over what was seen.
    ///
    /// # Errors
    /// It cannot be looked at.
    pub fn with<T>(program: &Program, options: &Options, use_it: impl FnOnce(&Subject<'_>) -> T) -> Result<T, Gap> {
        let pointsto = heapwise_pointsto::analyse(program, &asked_of_pointsto(options));
        Subject::with_pointsto(program, options, &pointsto, use_it)
    }

    /// The same, within a budget of which somebody has said what it is spent on.
    ///
    /// # Errors
    /// It cannot be looked at, or the budget ran out before.
    pub fn within<T>(
        program: &Program,
        options: &Options,
        (control, doing): (&Control, Doing),
        use_it: impl FnOnce(&Subject<'_>) -> T,
    ) -> Result<T, Unbegun> {
        let meter = BudgetMeter::new(control);
        let pointsto = heapwise_pointsto::analyse_while(program, &asked_of_pointsto(options), || meter.check())
            .map_err(|why| Unbegun::Stopped(Stopped { why, span: Span::NONE, doing }))?;
        Subject::with_pointsto(program, options, &pointsto, use_it).map_err(Unbegun::Gap)
    }

    fn with_pointsto<T>(
        program: &Program,
        options: &Options,
        pointsto: &PointsTo,
        use_it: impl FnOnce(&Subject<'_>) -> T,
    ) -> Result<T, Gap> {
        let whole = |reason: GapReason| Gap { span: Span::NONE, reason };
        let flow =
            ProgramFlow::inlined(program, options.entry, pointsto, MOST_POINTS).map_err(|error| match error {
                InlineError::Recursive(function) => {
                    let function = &program.functions[function];
                    Gap { span: function.span, reason: CallGap::Recursion { function: function.name.clone() }.into() }
                }
                InlineError::TooLarge => whole(CallGap::TooLargeInlined.into()),
            })?;
        let functions = reachable_functions(program, options.entry, pointsto);
        let liveness: FxHashMap<FunctionId, Liveness> = functions
            .iter()
            .filter_map(|function| Some((*function, Liveness::of(&program.functions[*function])?)))
            .collect();
        let memory = Memory::new(program, pointsto, functions);
        let subject = Subject { program, options, memory: &memory, flow: &flow, liveness: &liveness };
        subject.inputs_are_followed()?;
        Ok(use_it(&subject))
    }

    /// A pointer that comes from outside is not followed.
    fn inputs_are_followed(&self) -> Result<(), Gap> {
        let entry = &self.program.functions[self.options.entry];
        let Some(automaton) = entry.automaton() else { return Ok(()) };
        for parameter in &entry.parameters {
            let live = self.liveness.get(&self.options.entry);
            let is_live = live.is_none_or(|live| live.is_live(automaton.entry, *parameter));
            let variable = ScalarVariable::Register(self.options.entry, *parameter);
            if is_live && self.memory.variable_kind(variable) == ScalarKind::Pointer {
                return Err(Gap { span: entry.span, reason: PointerGap::FromInput.into() });
            }
        }
        Ok(())
    }

    /// Which registers matter where.
    pub fn relevance(&self) -> Relevance<'_> {
        Relevance { liveness: self.liveness, options: self.options, program: self.program }
    }

    /// What steps do to structures of an abstraction.
    pub fn transfer<'t>(&'t self, abstraction: &'t ShapeAbstraction) -> Transfer<'t> {
        let relevance = self.relevance();
        Transfer { memory: self.memory, abstraction, options: self.options, relevance, lost: None }
    }

    /// What a step of the flow does.
    pub fn key(&self, step: StepId) -> StepKey {
        let function = |context| self.flow.contexts[context].function;
        match self.flow.steps[step] {
            StepOrigin::Instruction { context, edge, callee } => StepKey::Instruction(function(context), edge, callee),
            StepOrigin::Enter { caller, edge, callee } => StepKey::Enter(function(caller), edge, function(callee)),
            StepOrigin::Leave { caller, edge, callee } => StepKey::Leave(function(caller), edge, function(callee)),
        }
    }
}
