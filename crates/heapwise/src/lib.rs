//! `heapwise`: the whole analyser as a library.
//!
//! **What it is.** [`check_files`] reads C files, asks an engine (or, with [`EngineChoice::Auto`], one after the other) and
//! returns a [`Report`], which [`text`], [`json`], [`sarif`], [`html`] and [`drawing`] render. [`check`] does the same for a
//! program that is there already.
//!
//! **What it is not.** There is no analysis here, no output format and no command line: engines live in crates of their own,
//! formats in `heapwise-report`, the command line in `heapwise-cli`.
//!
//! **The law it keeps.** It never makes a verdict better than the engine's: it only adds gaps and assumptions.
//!
//! **Where to start.** [`engines`] is the one list of all engines, [`input`] the way from C files to a program.
//!
//! ```
//! use heapwise::{FileOptions, Verdict, check_files, json};
//!
//! # let directory = tempfile::tempdir().expect("a directory");
//! # let path = directory.path().join("lost.c");
//! # std::fs::write(&path, "void *malloc(unsigned long); int main(void) { malloc(4); return 0; }").expect("written");
//! let report = check_files(&[path], &FileOptions::default())?;
//! assert_eq!(report.verdict, Verdict::Unsafe);
//! assert_eq!(report.findings[0].kind.name(), "leak");
//! println!("{}", json::render(&report));
//! # Ok::<(), heapwise::InputError>(())
//! ```
//!
//! Options say what is asked, whom, and how long; an engine's own settings are named as on the command line:
//!
//! ```
//! use heapwise::{Engines, FileOptions, Kind, check_files, text};
//! use std::time::Duration;
//!
//! # let directory = tempfile::tempdir().expect("a directory");
//! # let path = directory.path().join("list.c");
//! # std::fs::write(&path, "struct n { struct n *next; }; int f(struct n *l) { while (l) l = l->next; return 0; }").expect("written");
//! let mut options = FileOptions { entry: Some("f".into()), ..FileOptions::default() };
//! options.compiler = vec!["-Iinclude".to_owned(), "-DNDEBUG".to_owned()];
//! options.check.engine = Engines::ALL.named("tvl").expect("it is listed");
//! options.check.set("join", "partial")?;
//! options.check.properties = vec![Kind::NullDereference, Kind::UseAfterFree];
//! options.check.budget.time = Some(Duration::from_secs(10));
//! let report = check_files(&[path], &options)?;
//! println!("{}", text::render(&report, text::Colour::Never, text::Detail::Full));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What cannot be read is an error that says where and why:
//!
//! ```
//! use heapwise::{FileOptions, InputError, check_files};
//!
//! let error = check_files(&["nowhere.c"], &FileOptions::default()).expect_err("there is no such file");
//! assert!(matches!(error, InputError::C(_)));
//! assert!(error.to_string().starts_with("nowhere.c: error: "));
//! ```

mod any_caller;
mod asking;
pub mod engines;
pub mod input;
pub mod memory;
pub mod properties;
mod sites;
mod unknown_calls;
mod valid_caller;

pub use engines::{EngineChoice, Engines};
pub use heapwise_engine::refinement;
pub use heapwise_engine::{
    AllocationFailure, Budget, Cancel, Certainty, Followed, Kind, Patience, SettingValues, Start, Verdict,
};
pub use heapwise_report::{Report, drawing, html, json, sarif, text};
pub use input::{Arguments, Entry, FileOptions, Input, InputError, check_files};
pub use unknown_calls::UnknownCalls;

use asking::{Answer, Asked};
use heapwise_engine::reason::Doing;
use heapwise_engine::registry::BadValue;
use heapwise_engine::{Assumption, Engine, Exhausted, Gap, Options, Outcome, Stopped};
use heapwise_ir::{FunctionId, Program, Span};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;
use unknown_calls::Pure;

/// What to ask, whom, and how long.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// Who is asked.
    pub engine: EngineChoice,
    /// Settings of single engines.
    pub settings: SettingValues,
    /// The kinds of error that count, sorted.
    pub properties: Vec<Kind>,
    /// Whether allocation may fail.
    pub allocation_failure: AllocationFailure,
    /// What the answer may cost.
    pub budget: Budget,
    /// Whether its time is used up.
    pub patience: Patience,
    /// How many engines may run at once.
    pub jobs: NonZeroUsize,
    /// Ends the analysis early when raised; the verdict is then unknown.
    pub cancel: Cancel,
    /// What functions without body and model do.
    pub unknown_calls: UnknownCalls,
    /// What the function is in which execution starts.
    pub start: Start,
    /// Which heap cells are followed, for an engine that follows one at a time.
    pub followed: Followed,
}

impl Default for CheckOptions {
    /// All engines, all kinds but leaks at exit, allocation may fail, a minute, half of the memory that there is.
    fn default() -> CheckOptions {
        CheckOptions {
            engine: EngineChoice::Auto(Engines::ALL),
            settings: SettingValues::default(),
            properties: Kind::asked_by_default(),
            allocation_failure: AllocationFailure::Possible,
            budget: Budget { time: Some(DEFAULT_TIME), memory: memory::default_limit(), elements: None },
            patience: Patience::default(),
            jobs: NonZeroUsize::MIN,
            cancel: Cancel::default(),
            unknown_calls: UnknownCalls::default(),
            start: Start::default(),
            followed: Followed::default(),
        }
    }
}

impl CheckOptions {
    /// Sets a setting of the engines that are asked, by its name.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        let entries = self.engine.entries();
        let mut settings = entries.iter().flat_map(|entry| entry.settings);
        let setting = settings.find(|setting| setting.name() == name);
        let setting = setting.ok_or_else(|| SettingError::Unknown { name: name.to_owned() })?;
        Ok(self.settings.set(*setting, value)?)
    }

    /// What an engine is asked.
    fn question(&self, entry: FunctionId) -> Options {
        let mut properties = self.properties.clone();
        properties.sort_unstable();
        properties.dedup();
        let (allocation_failure, patience) = (self.allocation_failure, self.patience);
        let (start, followed) = (self.start, self.followed);
        Options { properties, allocation_failure, patience, start, followed, ..Options::new(entry) }
    }
}

/// Why a setting could not be set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SettingError {
    /// No engine that is asked has it.
    #[error("no engine that is asked has a setting `{name}`")]
    Unknown {
        /// The name.
        name: String,
    },
    /// It cannot be that.
    #[error(transparent)]
    Value(#[from] BadValue),
}

/// How long an analysis may take unless told otherwise.
pub const DEFAULT_TIME: Duration = Duration::from_secs(60);

/// What is known while engines run. It becomes a report only by saying why they are not waited for, so nobody takes it for
/// the whole.
#[derive(Clone, Debug)]
pub struct Progress {
    report: Report,
    running: Vec<(&'static str, usize)>,
}

impl Progress {
    /// The engine that began last, of those that run.
    pub fn running(&self) -> Option<&'static str> {
        self.running.last().map(|(name, _)| *name)
    }

    /// The report if those that run are left behind: what others have answered, what those that run have confirmed so far, and
    /// by whom something is missing. *Safe* is only what another engine has proved.
    pub fn ended(self, why: Exhausted) -> Report {
        let Progress { mut report, running } = self;
        for (name, n_findings) in running {
            let stopped = Stopped { why, span: Span::NONE, doing: Doing::Running { engine: name.to_owned() } };
            report.add_silent_engine(name, n_findings, &stopped);
        }
        report
    }
}

/// Analyses a program from the function `entry` on.
///
/// ```
/// use heapwise::{CheckOptions, Verdict, check};
///
/// let program = heapwise_ir::text::parse("
///     fn main() -> result : i32 {
///       var p : ptr i32
///       entry -> got: p = alloc heap 4
///       got -> exit: result = 0
///     }
/// ").expect("the text is well-formed");
/// let main = program.function_named("main").expect("it is there");
/// let report = check(&program, main, &CheckOptions::default());
/// assert_eq!(report.verdict, Verdict::Unsafe);
/// ```
pub fn check(program: &Program, entry: FunctionId, options: &CheckOptions) -> Report {
    check_watched(program, entry, options, &mut |_| {})
}

/// Analyses a program, and tells how far it is: whoever ends the process before the report is there has what engines have
/// said so far.
pub fn check_watched(
    program: &Program,
    entry: FunctionId,
    options: &CheckOptions,
    watcher: &mut dyn FnMut(Progress),
) -> Report {
    let mut engines = options.engine.engines(&options.settings);
    let pure = match options.unknown_calls {
        UnknownCalls::Havoc => None,
        UnknownCalls::Pure => Pure::of(program).map(Arc::new),
    };
    if let Some(pure) = pure {
        let asked = |engine| Box::new(unknown_calls::Asked { engine, pure: pure.clone() }) as Box<dyn Engine>;
        engines = engines.into_iter().map(asked).collect();
    }
    let question = options.question(entry);
    let mut told = |asked: Asked| watcher(progress(program, &asked));
    let answers = asking::ask(&engines, program, &question, options, &mut told);
    report(program, &answers)
}

fn progress(program: &Program, asked: &Asked) -> Progress {
    let is_running = |name: &str| asked.running.iter().any(|(running, _)| *running == name);
    let mut report = report(program, &asked.answers);
    report.engines.retain(|engine| !is_running(&engine.name));
    Progress { report, running: asked.running.clone() }
}

/// What answers come to: the one that counts, and after it what the others were stopped by.
fn report(program: &Program, answers: &[Option<Answer>]) -> Report {
    let (engine, outcome) = asking::conclude(answers);
    let mut report = Report::new(program, engine, &outcome, None);
    let mut others: Vec<&Answer> = answers.iter().flatten().collect();
    others.sort_by_key(|(name, outcome)| {
        (*name != engine, outcome.findings.is_empty(), outcome.stopped.is_some(), outcome.gaps.len())
    });
    for (name, outcome) in others {
        report.add_engine(program, name, outcome);
    }
    report
}

/// Gaps of the program text stand against every verdict, and so does what the user told us to assume.
fn add_what_holds_for_every_engine(program: &Program, question: &Options, outcome: &mut Outcome) {
    for (span, reason) in &program.gaps {
        let gap = Gap { span: *span, reason: reason.clone().into() };
        if !outcome.gaps.contains(&gap) {
            outcome.gaps.push(gap);
        }
    }
    if !program.gaps.iter().all(|(_, reason)| reason.is_confined()) {
        outcome.doubt_findings();
    }
    outcome.doubt_open_extents();
    if let Start::ValidArguments(handed_in) = question.start {
        outcome.assumptions.push(Assumption::ValidArguments);
        if handed_in == heapwise_engine::HandedIn::Part {
            outcome.doubt_findings();
        }
    }
    let named = outcome.assumptions.contains(&Assumption::AllocationSucceeds);
    if question.allocation_failure == AllocationFailure::Never && !named {
        outcome.assumptions.push(Assumption::AllocationSucceeds);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwise_engine::reason::PointerGap;
    use heapwise_engine::{Control, Finding, Subject};
    use heapwise_ir::UnsupportedReason;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// An engine that always says the same.
    struct Says(&'static str, Outcome);

    /// An engine that says nothing until it is stopped.
    struct Waits;

    impl Engine for Waits {
        fn name(&self) -> &'static str {
            "waits"
        }

        fn check(&self, _: &Program, _: &Options, control: &Control) -> Outcome {
            while control.check(0, 0).is_ok() {
                std::thread::sleep(Duration::from_millis(5));
            }
            unknown()
        }
    }

    impl Engine for Says {
        fn name(&self) -> &'static str {
            self.0
        }

        fn check(&self, _: &Program, _: &Options, _: &Control) -> Outcome {
            self.1.clone()
        }
    }

    fn question(program: &Program, options: &CheckOptions) -> Options {
        options.question(program.function_named("main").unwrap())
    }

    /// The answer that counts.
    fn ask(engines: &[Box<dyn Engine>], program: &Program, options: &CheckOptions) -> Answer {
        asking::conclude(&asking::ask(engines, program, &question(program, options), options, &mut |_| {}))
    }

    fn program() -> (Program, CheckOptions) {
        let program = heapwise_ir::text::parse("fn main() { entry -> exit: skip }").unwrap();
        (program, CheckOptions::default())
    }

    fn unknown() -> Outcome {
        Outcome { gaps: vec![Gap { span: Span::NONE, reason: PointerGap::IntoCell.into() }], ..Outcome::default() }
    }

    fn found(certainty: Certainty) -> Outcome {
        let (program, _) = program();
        let finding = Finding {
            kind: Kind::Leak,
            certainty,
            span: Span::NONE,
            function: program.function_named("main").unwrap(),
            message: "lost".to_owned(),
            trace: Vec::new(),
            choices: Vec::new(),
            about: Subject::default(),
            also: Vec::new(),
        };
        Outcome { findings: vec![finding], ..Outcome::default() }
    }

    /// The answer, which does not depend on how many are asked at once.
    fn answer(engines: Vec<Says>) -> (&'static str, Verdict) {
        let engines: Vec<Box<dyn Engine>> =
            engines.into_iter().map(|engine| Box::new(engine) as Box<dyn Engine>).collect();
        let (program, mut options) = program();
        let (name, outcome) = ask(&engines, &program, &options);
        for jobs in 2..4 {
            options.jobs = NonZeroUsize::new(jobs).unwrap();
            assert_eq!(ask(&engines, &program, &options), (name, outcome.clone()));
        }
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
    fn where_none_decides_the_one_with_findings_and_the_fewest_gaps_answers() {
        let engines = vec![Says("a", unknown()), Says("b", found(Certainty::Possible)), Says("c", unknown())];
        assert_eq!(answer(engines), ("b", Verdict::Unknown));
        let mut lost = found(Certainty::Possible);
        lost.gaps = vec![unknown().gaps[0].clone(), Gap { span: Span::NONE, reason: PointerGap::LeavesObject.into() }];
        let engines = vec![Says("a", lost.clone()), Says("b", found(Certainty::Possible)), Says("c", lost)];
        assert_eq!(answer(engines), ("b", Verdict::Unknown));
        assert_eq!(answer(vec![Says("a", unknown()), Says("b", unknown())]), ("b", Verdict::Unknown));
        assert_eq!(answer(Vec::new()), ("none", Verdict::Unknown));
    }

    #[test]
    fn what_an_engine_found_is_not_lost_because_another_one_ran_out_of_time() {
        let stopped = Stopped { why: Exhausted::Time, span: Span::NONE, doing: Doing::Something };
        let silent = Outcome { stopped: Some(stopped.clone()), ..Outcome::default() };
        assert_eq!(answer(vec![Says("a", found(Certainty::Possible)), Says("b", silent.clone())]).0, "a");
        let mut other = found(Certainty::Possible);
        other.findings[0].kind = Kind::Shape;
        other.stopped = Some(stopped);
        let mut lost = found(Certainty::Possible);
        lost.stopped.clone_from(&other.stopped);
        lost.gaps = unknown().gaps;
        let engines: Vec<Box<dyn Engine>> =
            vec![Box::new(Says("a", lost)), Box::new(Says("b", other)), Box::new(Says("c", silent))];
        let (program, options) = program();
        let (name, outcome) = ask(&engines, &program, &options);
        let kinds: Vec<Kind> = outcome.findings.iter().map(|finding| finding.kind).collect();
        assert_eq!((name, kinds), ("b", vec![Kind::Leak, Kind::Shape]));
        let mut partial = Vec::new();
        let report = {
            let question = question(&program, &options);
            let answers = asking::ask(&engines, &program, &question, &options, &mut |asked| {
                if asked.running.is_empty() {
                    partial.push(report(&program, &asked.answers));
                }
            });
            report(&program, &answers)
        };
        assert_eq!(partial.iter().map(|report| report.findings.len()).collect::<Vec<_>>(), [1, 2, 2]);
        assert_eq!(report.engines.iter().map(|engine| engine.name.as_str()).collect::<Vec<_>>(), ["b", "a", "c"]);
    }

    /// An engine that hands out a finding, and then does not stop until it is let go, whatever its control says.
    struct Stays {
        found: Finding,
        is_let_go: AtomicBool,
    }

    impl Engine for Stays {
        fn name(&self) -> &'static str {
            "stays"
        }

        fn check(&self, _: &Program, options: &Options, control: &Control) -> Outcome {
            control.hand_out(options, &self.found);
            // A test that does not let it go fails; it does not hang.
            let begun = std::time::Instant::now();
            while !self.is_let_go.load(Ordering::Relaxed) && begun.elapsed() < Duration::from_secs(120) {
                std::thread::sleep(Duration::from_millis(1));
            }
            Outcome {
                stopped: Some(Stopped { why: Exhausted::Time, span: Span::NONE, doing: Doing::Something }),
                ..unknown()
            }
        }
    }

    impl Engine for &'static Stays {
        fn name(&self) -> &'static str {
            Stays::name(self)
        }

        fn check(&self, program: &Program, options: &Options, control: &Control) -> Outcome {
            Stays::check(self, program, options, control)
        }
    }

    /// What is told of an engine that does not stop, in order, and the report when it did in the end.
    fn left_behind(found: Finding) -> (Vec<Report>, Report) {
        let (program, mut options) = program();
        options.budget.time = Some(Duration::ZERO);
        let stays: &'static Stays = Box::leak(Box::new(Stays { found, is_let_go: AtomicBool::new(false) }));
        let engines: Vec<Box<dyn Engine>> = vec![Box::new(Says("a", unknown())), Box::new(stays)];
        let mut told = Vec::new();
        let question = question(&program, &options);
        let answers = asking::ask(&engines, &program, &question, &options, &mut |asked| {
            let progress = progress(&program, &asked);
            let is_told = progress.running.contains(&("stays", 1));
            told.push(progress.ended(Exhausted::Time));
            // A finding that is not handed out is never told; the end must come all the same.
            if is_told || stays.found.certainty == Certainty::Possible {
                stays.is_let_go.store(true, Ordering::Relaxed);
            }
        });
        (told, report(&program, &answers))
    }

    #[test]
    fn what_an_engine_confirmed_is_kept_if_it_does_not_stop() {
        let (told, last) = left_behind(found(Certainty::Confirmed).findings.remove(0));
        let behind = told.iter().find(|report| report.verdict == Verdict::Unsafe).expect("it is told before the end");
        assert_eq!(behind.findings.len(), 1);
        assert_eq!(behind.stats.engine, "stays");
        assert_eq!(
            behind.gaps.iter().map(|gap| gap.reason.as_str()).collect::<Vec<_>>(),
            ["`stays` did not come to its end"]
        );
        let stays = behind.engines.iter().find(|engine| engine.name == "stays").unwrap();
        let reason = stays.obstacle.as_ref().unwrap().reason.as_str();
        assert_eq!(
            (stays.verdict, stays.n_findings, reason),
            (Verdict::Unsafe, 1, "the time budget ran out while `stays` ran")
        );
        assert!(behind.engines.iter().any(|engine| engine.name == "a"));
        assert_eq!((last.verdict, last.findings.len()), (Verdict::Unsafe, 1), "its own answer does not have it");
    }

    #[test]
    fn what_is_only_possible_is_not_handed_out_and_no_way_to_leave_is_safe() {
        let (told, last) = left_behind(found(Certainty::Possible).findings.remove(0));
        assert!(told.iter().all(|report| report.verdict == Verdict::Unknown && report.findings.is_empty()));
        assert_eq!(last.verdict, Verdict::Unknown);
    }

    #[test]
    fn a_process_that_holds_too_much_memory_stops_its_engines() {
        let (program, mut options) = program();
        options.budget.memory = Some(1);
        options.budget.time = None;
        let engines: Vec<Box<dyn Engine>> = vec![Box::new(Waits)];
        assert_eq!(ask(&engines, &program, &options).0, "waits");
    }

    #[test]
    fn an_engine_that_runs_beside_one_that_decides_is_stopped() {
        let (program, mut options) = program();
        options.jobs = NonZeroUsize::new(2).unwrap();
        options.budget.time = Some(Duration::from_secs(600));
        let started = std::time::Instant::now();
        let engines: Vec<Box<dyn Engine>> = vec![Box::new(Says("a", Outcome::default())), Box::new(Waits)];
        assert_eq!(ask(&engines, &program, &options).0, "a");
        options.budget.time = Some(Duration::from_millis(400));
        let engines: Vec<Box<dyn Engine>> = vec![Box::new(Waits), Box::new(Says("b", Outcome::default()))];
        assert_eq!(ask(&engines, &program, &options).0, "b");
        options.cancel.cancel();
        options.budget.time = None;
        let engines: Vec<Box<dyn Engine>> = vec![Box::new(Waits), Box::new(Waits)];
        assert_eq!(ask(&engines, &program, &options).0, "waits");
        assert!(started.elapsed() < Duration::from_secs(60));
    }

    #[test]
    fn a_gap_of_the_program_stands_against_safe_and_an_assumption_is_always_named() {
        let (mut program, mut options) = program();
        options.allocation_failure = AllocationFailure::Never;
        let engines: Vec<Box<dyn Engine>> = vec![Box::new(Says("a", Outcome::default()))];
        let (_, outcome) = ask(&engines, &program, &options);
        assert_eq!(outcome.verdict(), Verdict::Safe);
        assert_eq!(outcome.assumptions, [Assumption::AllocationSucceeds]);
        program.gaps.push((Span::NONE, UnsupportedReason::InlineAssembly));
        let (_, outcome) = ask(&engines, &program, &options);
        assert_eq!(outcome.verdict(), Verdict::Unknown);
    }
}
