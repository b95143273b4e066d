//! `heapwise`: the whole analyser behind one function.
//!
//! **What it is.** [`check`] asks an engine (or, with [`EngineChoice::Auto`], one after the other) about a program and
//! returns a [`Report`]. The command line in this package reads C, calls it, and prints.
//!
//! **What it is not.** There is no analysis here and no output format: engines live in crates of their own, formats in
//! `heapwise-report`.
//!
//! **The law it keeps.** It never makes a verdict better than the engine's: it only adds gaps and assumptions.
//!
//! **Where to start.** [`engines`] is the one list of all engines; `src/cli/` is the command line.
//!
//! ```
//! use heapwise::{CheckOptions, check};
//! use heapwise_engine::Verdict;
//!
//! let program = heapwise_ir::text::parse("
//!     fn main() -> result : i32 {
//!       var p : ptr i32
//!       entry -> got: p = alloc heap 4
//!       got -> exit: result = 0
//!     }
//! ").expect("the text is well-formed");
//! let main = program.function_named("main").expect("it is there");
//! let report = check(&program, &CheckOptions::new(main));
//! assert_eq!(report.verdict, Verdict::Unsafe);
//! assert_eq!(report.findings[0].kind.name(), "leak");
//! ```

pub mod engines;
pub mod properties;

pub use engines::{EngineChoice, EngineSettings};
pub use heapwise_report::Report;

use heapwise_engine::{AllocationFailure, Budget, Cancel, Control, Engine, Gap, Options, Outcome, Verdict};
use heapwise_ir::{FunctionId, Program};
use std::time::{Duration, Instant};

/// What to ask, whom, and how long.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// Who is asked.
    pub engine: EngineChoice,
    /// Settings of single engines.
    pub settings: EngineSettings,
    /// What is asked.
    pub question: Options,
    /// What the answer may cost.
    pub budget: Budget,
    /// Ends the analysis early when raised; the verdict is then unknown.
    pub cancel: Cancel,
}

impl CheckOptions {
    /// All engines, all kinds but leaks at exit, allocation may fail, a minute.
    pub fn new(entry: FunctionId) -> CheckOptions {
        CheckOptions {
            engine: EngineChoice::Auto,
            settings: EngineSettings::default(),
            question: Options::new(entry),
            budget: Budget { time: Some(DEFAULT_TIME), ..Budget::default() },
            cancel: Cancel::default(),
        }
    }
}

/// How long an analysis may take unless told otherwise.
pub const DEFAULT_TIME: Duration = Duration::from_secs(60);

/// Analyses a program.
pub fn check(program: &Program, options: &CheckOptions) -> Report {
    let (engine, outcome) = ask(&options.engine.engines(&options.settings), program, options);
    Report::new(program, engine, &outcome, None)
}

/// Asks one engine after the other until one decides. Where none does, the first that found anything has the most to
/// tell, else the last one.
fn ask(engines: &[Box<dyn Engine>], program: &Program, options: &CheckOptions) -> (&'static str, Outcome) {
    let started = Instant::now();
    let mut undecided: Vec<(&'static str, Outcome)> = Vec::new();
    for (index, engine) in engines.iter().enumerate() {
        // The engines that are left share the time that is left.
        let share = (engines.len() - index) as u32;
        let time = options.budget.time.map(|time| time.saturating_sub(started.elapsed()) / share);
        let control = Control::start(Budget { time, ..options.budget }, options.cancel.clone());
        let mut outcome = engine.check(program, &options.question, &control);
        add_what_holds_for_every_engine(program, options, &mut outcome);
        match outcome.verdict() {
            Verdict::Safe | Verdict::Unsafe => return (engine.name(), outcome),
            Verdict::Unknown => undecided.push((engine.name(), outcome)),
        }
    }
    let with_findings = undecided.iter().position(|(_, outcome)| !outcome.findings.is_empty());
    let told = with_findings.or(undecided.len().checked_sub(1));
    told.map_or_else(|| ("none", no_engine()), |index| undecided.swap_remove(index))
}

/// Gaps of the program text stand against every verdict, and so does what the user told us to assume.
fn add_what_holds_for_every_engine(program: &Program, options: &CheckOptions, outcome: &mut Outcome) {
    for (span, reason) in &program.gaps {
        let gap = Gap { span: *span, reason: reason.to_string() };
        if !outcome.gaps.contains(&gap) {
            outcome.gaps.push(gap);
        }
    }
    let assumption = "memory allocation never fails";
    let named = outcome.assumptions.iter().any(|sentence| sentence == assumption);
    if options.question.allocation_failure == AllocationFailure::Never && !named {
        outcome.assumptions.push(assumption.to_owned());
    }
}

fn no_engine() -> Outcome {
    let gap = Gap { span: heapwise_ir::Span::NONE, reason: "no engine was asked".to_owned() };
    Outcome { gaps: vec![gap], ..Outcome::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwise_engine::{Certainty, Finding, Kind};
    use heapwise_ir::{Span, UnsupportedReason};

    /// An engine that always says the same.
    struct Says(&'static str, Outcome);

    impl Engine for Says {
        fn name(&self) -> &'static str {
            self.0
        }

        fn check(&self, _: &Program, _: &Options, _: &Control) -> Outcome {
            self.1.clone()
        }
    }

    fn program() -> (Program, CheckOptions) {
        let program = heapwise_ir::text::parse("fn main() { entry -> exit: skip }").unwrap();
        let main = program.function_named("main").unwrap();
        (program, CheckOptions::new(main))
    }

    fn unknown() -> Outcome {
        Outcome { gaps: vec![Gap { span: Span::NONE, reason: "a gap".to_owned() }], ..Outcome::default() }
    }

    fn found(certainty: Certainty) -> Outcome {
        let (_, options) = program();
        let finding = Finding {
            kind: Kind::Leak,
            certainty,
            span: Span::NONE,
            function: options.question.entry,
            message: "lost".to_owned(),
            trace: Vec::new(),
        };
        Outcome { findings: vec![finding], ..Outcome::default() }
    }

    fn answer(engines: Vec<Says>) -> (&'static str, Verdict) {
        let engines: Vec<Box<dyn Engine>> =
            engines.into_iter().map(|engine| Box::new(engine) as Box<dyn Engine>).collect();
        let (program, options) = program();
        let (name, outcome) = ask(&engines, &program, &options);
        (name, outcome.verdict())
    }

    #[test]
    fn the_first_engine_that_decides_answers() {
        let engines = vec![Says("a", unknown()), Says("b", Outcome::default()), Says("c", found(Certainty::Confirmed))];
        assert_eq!(answer(engines), ("b", Verdict::Safe));
        let engines = vec![Says("a", found(Certainty::Possible)), Says("b", found(Certainty::Confirmed))];
        assert_eq!(answer(engines), ("b", Verdict::Unsafe));
    }

    #[test]
    fn where_none_decides_the_one_with_findings_answers_else_the_last() {
        let engines = vec![Says("a", unknown()), Says("b", found(Certainty::Possible)), Says("c", unknown())];
        assert_eq!(answer(engines), ("b", Verdict::Unknown));
        assert_eq!(answer(vec![Says("a", unknown()), Says("b", unknown())]), ("b", Verdict::Unknown));
        assert_eq!(answer(Vec::new()), ("none", Verdict::Unknown));
    }

    #[test]
    fn a_gap_of_the_program_stands_against_safe_and_an_assumption_is_always_named() {
        let (mut program, mut options) = program();
        options.question.allocation_failure = AllocationFailure::Never;
        let engines: Vec<Box<dyn Engine>> = vec![Box::new(Says("a", Outcome::default()))];
        let (_, outcome) = ask(&engines, &program, &options);
        assert_eq!(outcome.verdict(), Verdict::Safe);
        assert_eq!(outcome.assumptions, ["memory allocation never fails"]);
        program.gaps.push((Span::NONE, UnsupportedReason::InlineAssembly));
        let (_, outcome) = ask(&engines, &program, &options);
        assert_eq!(outcome.verdict(), Verdict::Unknown);
    }
}
