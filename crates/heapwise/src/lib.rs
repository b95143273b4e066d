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

pub use engines::EngineChoice;
pub use heapwise_report::Report;

use heapwise_engine::{AllocationFailure, Budget, Cancel, Control, Gap, Options, Outcome, Verdict};
use heapwise_ir::{FunctionId, Program};
use std::time::{Duration, Instant};

/// What to ask, whom, and how long.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// Who is asked.
    pub engine: EngineChoice,
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
    let started = Instant::now();
    let mut first: Option<(&'static str, Outcome)> = None;
    for engine in options.engine.engines() {
        let budget =
            Budget { time: options.budget.time.map(|time| time.saturating_sub(started.elapsed())), ..options.budget };
        let control = Control::start(budget, options.cancel.clone());
        let mut outcome = engine.check(program, &options.question, &control);
        add_what_holds_for_every_engine(program, options, &mut outcome);
        match outcome.verdict() {
            Verdict::Safe | Verdict::Unsafe => return Report::new(program, engine.name(), &outcome, None),
            // The first engine is the most telling one; the others are asked for a decision.
            Verdict::Unknown => {
                first.get_or_insert((engine.name(), outcome));
            }
        }
    }
    let (name, outcome) = first.unwrap_or_else(|| ("none", no_engine()));
    Report::new(program, name, &outcome, None)
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
