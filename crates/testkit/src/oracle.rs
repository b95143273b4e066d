//! The oracle: an engine against concrete runs.
//!
//! [`check`] runs a program in `interp`, many times with different inputs and failing allocations, and looks over the shoulder of
//! the engine: every state that a run comes to must be represented by what the engine found at that location
//! ([`Represents`]), and every error that a run shows must be among its findings. An engine that met something it cannot
//! model says so with a gap; then nothing is held against it, and [`Agreement::gaps`] tells, so that a test can bound how often
//! that may happen.
//!
//! An engine's tests implement [`Subject`] for it and call [`check_random`] with the [`Knobs`] of the programs it claims to
//! understand: a disagreement comes back with the smallest program that shows it.

mod concrete;
mod runs;

pub use concrete::ConcreteState;
pub use runs::Effort;

use crate::parallel;
use crate::random::{Knobs, RandomProgram, generate, shrink};
use heapwise_engine::{Finding, Kind, Options, Outcome};
use heapwise_interp::{Machine, MachineOptions, RunError};
use heapwise_ir::{FunctionId, LocationId, Program, Span, text};
use std::fmt;

/// Whether the elements that an engine found stand for concrete states.
pub trait Represents {
    /// Whether some element (or some combination of them) at this location of the function on top of the call stack
    /// stands for the state.
    fn represents(&self, function: FunctionId, location: LocationId, state: &ConcreteState<'_>) -> bool;
}

/// An engine under test.
pub trait Subject {
    /// What it found.
    type Model: Represents;

    /// Analyses the program.
    fn analyse(&self, program: &Program, options: &Options) -> Analysed<Self::Model>;

    /// Whether a finding tells of an error that a run shows: by default, if it is of that kind and on that line.
    fn tells_of(&self, finding: &Finding, error: &RunError) -> bool {
        let place = |span: Span| (span.file, span.line);
        finding.kind == error.kind && place(finding.span) == place(error.span)
    }
}

/// What an engine said, and what it found on the way.
pub struct Analysed<M> {
    /// What it said.
    pub outcome: Outcome,
    /// What it found.
    pub model: M,
}

/// How much was compared.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Agreement {
    /// Programs.
    pub programs: u64,
    /// Programs for which the engine reported a gap: nothing was compared.
    pub gaps: u64,
    /// Concrete states that the engine represents.
    pub states: u64,
    /// Concrete errors that the engine reports.
    pub errors: u64,
}

impl std::ops::AddAssign for Agreement {
    fn add_assign(&mut self, other: Agreement) {
        self.programs += other.programs;
        self.gaps += other.gaps;
        self.states += other.states;
        self.errors += other.errors;
    }
}

/// Where an engine is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Disagreement {
    /// A run comes to a state that no element stands for.
    StateMissed {
        /// In which function.
        function: FunctionId,
        /// At which location.
        location: LocationId,
        /// The state, drawn in words.
        state: String,
    },
    /// A run shows an error that is not among the findings.
    ErrorMissed {
        /// What kind.
        kind: Kind,
        /// In which function.
        function: FunctionId,
        /// Where.
        span: Span,
        /// What the run says about it.
        message: String,
    },
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Disagreement::StateMissed { function, location, state } => {
                write!(f, "no element at {location} of {function} stands for this state:\n{state}")
            }
            Disagreement::ErrorMissed { kind, function, span, message } => {
                write!(f, "not reported: {} in {function}, line {}: {message}", kind.name(), span.line)
            }
        }
    }
}

/// Compares what an engine says about a program with runs of it.
pub fn check<S: Subject>(
    subject: &S,
    program: &Program,
    options: &Options,
    effort: &Effort,
) -> Result<Agreement, Disagreement> {
    let analysed = subject.analyse(program, options);
    let mut agreement = Agreement { programs: 1, ..Agreement::default() };
    if !analysed.outcome.gaps.is_empty() || analysed.outcome.stopped.is_some() {
        agreement.gaps = 1;
        return Ok(agreement);
    }
    let machine_options =
        MachineOptions { allocation_failure: options.allocation_failure, ..MachineOptions::new(options.entry) };
    let machine = Machine::new(program, machine_options);
    let mut missed = None;
    let mut observe = |machine: &Machine<'_>, state: &heapwise_interp::State| {
        let Some(frame) = state.top() else { return };
        if missed.is_some() {
            return;
        }
        let concrete = ConcreteState::new(machine, state);
        if analysed.model.represents(frame.function, frame.location, &concrete) {
            agreement.states += 1;
        } else {
            let (function, location) = (frame.function, frame.location);
            missed = Some(Disagreement::StateMissed { function, location, state: concrete.describe() });
        }
    };
    let errors = effort.runs(&machine, &mut observe);
    if let Some(missed) = missed {
        return Err(missed);
    }
    for error in errors {
        if !options.asks_for(error.kind) {
            continue;
        }
        if !analysed.outcome.findings.iter().any(|finding| subject.tells_of(finding, &error)) {
            let (kind, function, span, message) = (error.kind, error.function, error.span, error.message);
            return Err(Disagreement::ErrorMissed { kind, function, span, message });
        }
        agreement.errors += 1;
    }
    Ok(agreement)
}

/// A program on which an engine is wrong: nothing can be left out of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// Which program it was before it was made small.
    pub seed: u64,
    /// The program.
    pub program: RandomProgram,
    /// What is wrong.
    pub disagreement: Disagreement,
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lowered = self.program.lower();
        writeln!(f, "seed {}: {}", self.seed, self.disagreement)?;
        for (number, line) in lowered.c_text().lines().enumerate() {
            writeln!(f, "{:4} {line}", number + 1)?;
        }
        write!(f, "{}", text::print(&lowered.program, text::Spans::Hidden))
    }
}

/// How many programs are under way before a disagreement among them is looked for.
const PROGRAMS_AT_A_TIME: usize = 64;

/// Compares on random programs, the seeds beside each of the knobs, on all processors; the first disagreement is made small.
pub fn check_random<S: Subject + Sync>(
    subject: &S,
    programs: &[(Knobs, std::ops::Range<u64>)],
    effort: &Effort,
) -> Result<Agreement, Box<Counterexample>> {
    let one = |program: &RandomProgram| {
        let lowered = program.lower();
        check(subject, &lowered.program, &Options::new(lowered.main), effort)
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut total = Agreement::default();
    let programs: Vec<(&Knobs, u64)> =
        programs.iter().flat_map(|(knobs, seeds)| seeds.clone().map(move |seed| (knobs, seed))).collect();
    for programs in programs.chunks(PROGRAMS_AT_A_TIME) {
        let results = parallel::map(threads, programs, |(knobs, seed)| one(&generate(knobs, *seed)));
        for ((knobs, seed), result) in programs.iter().zip(results) {
            match result {
                Ok(agreement) => total += agreement,
                Err(first) => return Err(Box::new(made_small(*seed, generate(knobs, *seed), first, one))),
            }
        }
    }
    Ok(total)
}

/// The smallest program on which the engine is wrong in the same way: one that is wrong in another way would hide what was
/// found.
fn made_small(
    seed: u64,
    program: RandomProgram,
    first: Disagreement,
    one: impl Fn(&RandomProgram) -> Result<Agreement, Disagreement>,
) -> Counterexample {
    let alike = |other: &Disagreement| match (&first, other) {
        (Disagreement::StateMissed { .. }, Disagreement::StateMissed { .. }) => true,
        (Disagreement::ErrorMissed { kind, .. }, Disagreement::ErrorMissed { kind: other, .. }) => kind == other,
        (Disagreement::StateMissed { .. } | Disagreement::ErrorMissed { .. }, _) => false,
    };
    let program = shrink(program, |smaller| one(smaller).is_err_and(|found| alike(&found)));
    let disagreement = one(&program).err().unwrap_or(first);
    Counterexample { seed, program, disagreement }
}
