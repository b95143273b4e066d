//! Verdicts against runs: nobody may say *safe* about a program that a run makes fail, and what is confirmed must happen.
//!
//! A program goes through every engine, through `interp` on random choices, if asked through the lock-step test, and, if asked,
//! through gcc with its sanitizers on several input streams. The programs come from [`crate::random_memory_c`], or are mutants
//! of C tests ([`mutate`]); one that shows a problem is made small ([`reduce`]). Many programs are a [`campaign`], which compiles
//! them together ([`batch`]).

pub mod batch;
pub mod campaign;
mod examined;
pub mod mutate;
pub mod reduce;
mod sanitizers;
mod stage;
pub mod summary;
mod truth;

use crate::lockstep::{Effort, Mode, Tally, is_access};
use crate::{differential, lockstep};
pub use examined::{Claim, Examined};
use heapwise_cells::translate::Calls;
use heapwise_engine::{Budget, Cancel, Certainty, Control, Finding, Kind, Options, Outcome, SubjectStorage, Verdict};
use heapwise_ir::Program;
use sanitizers::{Compiled, Questions};
pub use sanitizers::{Sanitizing, syntax};
pub use stage::Stage;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// Who is examined, and how long each may think.
pub struct Examiner<'e> {
    /// The engines.
    pub engines: &'e [Examined],
    /// For each engine.
    pub time: Duration,
    /// How much of the program goes through the lock-step test.
    pub lockstep: Option<Effort>,
}

/// An error that a run shows.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Shown {
    /// What.
    pub kind: Kind,
    /// Where.
    pub line: u32,
    /// In the words of the run.
    pub message: String,
    /// What storage it is about.
    pub storage: Option<SubjectStorage>,
}

/// Something that must not be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// *Safe*, but a run of `interp` fails.
    SafeButFails {
        /// Who said so.
        engine: &'static str,
        /// The error.
        shown: Shown,
    },
    /// *Safe*, but the compiled program fails.
    SafeButSanitizer {
        /// Who said so.
        engine: &'static str,
        /// What the sanitizer says.
        report: String,
    },
    /// There are possible findings and no gaps, but a run shows another error.
    Missed {
        /// Who missed it.
        engine: &'static str,
        /// The error.
        shown: Shown,
    },
    /// Confirmed, but the compiled program does not fail on the same choices.
    NotReproduced {
        /// Who confirmed it.
        engine: &'static str,
        /// The finding.
        shown: Shown,
    },
    /// The cell program does not have a run of the program.
    Lost {
        /// How it was translated.
        mode: Mode,
        /// Which run, and where.
        words: String,
    },
    /// Somebody did not answer but panicked.
    Panicked {
        /// Which engine, or what else.
        engine: &'static str,
    },
    /// The engine took much more time than it had.
    Overtime {
        /// Which one.
        engine: &'static str,
        /// How long it took.
        took: Duration,
    },
    /// gcc takes the program, the front end does not.
    Rejected(String),
    /// gcc does not take the program.
    NotC(String),
}

impl Problem {
    /// Whether a verdict is wrong, or there is none.
    pub fn is_wrong(&self) -> bool {
        match self {
            Problem::SafeButFails { .. }
            | Problem::SafeButSanitizer { .. }
            | Problem::NotReproduced { .. }
            | Problem::Lost { .. }
            | Problem::Panicked { .. }
            | Problem::Rejected(_)
            | Problem::NotC(_) => true,
            // A finding more or less does not change the verdict, nor does time.
            Problem::Missed { .. } | Problem::Overtime { .. } => false,
        }
    }

    /// Whether a smaller program with that other problem still shows this one.
    pub fn is_like(&self, other: &Problem) -> bool {
        match (self, other) {
            (Problem::SafeButFails { engine, shown }, Problem::SafeButFails { engine: also, shown: that })
            | (Problem::Missed { engine, shown }, Problem::Missed { engine: also, shown: that })
            | (Problem::NotReproduced { engine, shown }, Problem::NotReproduced { engine: also, shown: that }) => {
                engine == also && shown.kind == that.kind
            }
            (
                Problem::SafeButSanitizer { engine, report },
                Problem::SafeButSanitizer { engine: also, report: that },
            ) => engine == also && sanitizers::class(report) == sanitizers::class(that),
            (Problem::Lost { mode, words }, Problem::Lost { mode: also, words: that }) => {
                mode == also && lost_class(words) == lost_class(that)
            }
            (Problem::Panicked { engine }, Problem::Panicked { engine: also })
            | (Problem::Overtime { engine, .. }, Problem::Overtime { engine: also, .. }) => engine == also,
            (Problem::Rejected(_), Problem::Rejected(_)) | (Problem::NotC(_), Problem::NotC(_)) => true,
            (
                Problem::SafeButFails { .. }
                | Problem::SafeButSanitizer { .. }
                | Problem::Missed { .. }
                | Problem::NotReproduced { .. }
                | Problem::Lost { .. }
                | Problem::Panicked { .. }
                | Problem::Overtime { .. }
                | Problem::Rejected(_)
                | Problem::NotC(_),
                _,
            ) => false,
        }
    }

    /// What kind of problem it is, without the particulars.
    pub fn title(&self) -> String {
        match self {
            Problem::SafeButFails { engine, shown } => format!("{engine} safe, run: {}", shown.kind.name()),
            Problem::SafeButSanitizer { engine, report } => {
                format!("{engine} safe, sanitizer: {}", sanitizers::class(report))
            }
            Problem::Missed { engine, shown } => format!("{engine} misses {}", shown.kind.name()),
            Problem::NotReproduced { engine, shown } => format!("{engine} confirms {}, not seen", shown.kind.name()),
            Problem::Lost { mode, words } => format!("{mode} loses a run: {}", lost_class(words)),
            Problem::Panicked { engine } => format!("{engine} panics"),
            Problem::Overtime { engine, .. } => format!("{engine} over time"),
            Problem::Rejected(_) => "rejected by the front end".to_owned(),
            Problem::NotC(_) => "rejected by gcc".to_owned(),
        }
    }

    /// Whether only compiled runs can show it.
    pub fn needs_sanitizers(&self) -> bool {
        matches!(self, Problem::SafeButSanitizer { .. } | Problem::NotReproduced { .. })
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::SafeButFails { engine, shown } => write!(f, "{engine} says safe, but a run shows {shown}"),
            Problem::SafeButSanitizer { engine, report } => {
                write!(f, "{engine} says safe, but the compiled program fails: {report}")
            }
            Problem::Missed { engine, shown } => write!(f, "{engine} has no gap and misses {shown}"),
            Problem::NotReproduced { engine, shown } => {
                write!(f, "{engine} confirms {shown}, but the compiled program does not fail")
            }
            Problem::Lost { mode, words } => write!(f, "the cell program ({mode}) does not have {words}"),
            Problem::Panicked { engine } => write!(f, "{engine} panics"),
            Problem::Overtime { engine, took } => write!(f, "{engine} takes {:.1} s", took.as_secs_f64()),
            Problem::Rejected(message) => write!(f, "the front end rejects it: {}", message.trim()),
            Problem::NotC(message) => write!(f, "gcc rejects it: {}", message.trim()),
        }
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in line {}: {}", self.kind.name(), self.line, self.message)
    }
}

/// Runs that were lost are alike if they were lost the same way.
fn lost_class(words: &str) -> &str {
    let ways = ["no state is left", "is shown by no state", "no state does"];
    ways.into_iter().find(|way| words.contains(way)).unwrap_or("elsewhere")
}

/// What came of one program.
#[derive(Clone, Default, Debug)]
pub struct Examination {
    /// What the engines said, in their order; nothing where one panicked.
    pub verdicts: Vec<Option<Verdict>>,
    /// How long they took.
    pub times: Vec<Duration>,
    /// How long everything else took.
    pub spent: stage::Spent,
    /// What the lock-step test compared, one for each way of translation.
    pub tallies: [Tally; Mode::ALL.len()],
    /// Whether some run failed.
    pub fails: bool,
    /// Whether it was compiled.
    pub compiled: bool,
    /// Whether it was compiled alone though others waited to be compiled with it.
    pub is_alone: bool,
    /// Confirmed findings that the compiled program showed too.
    pub reproduced: usize,
    /// What must not be.
    pub problems: Vec<Problem>,
}

impl Examiner<'_> {
    /// Examines a program; `directory` is for its files.
    pub fn examine(&self, text: &str, directory: &Path, sanitizing: Sanitizing) -> Examination {
        let (mut examination, questions) = self.analyse(text, directory, sanitizing);
        if let Some(questions) = questions {
            let compiled = examination.spent.time(Stage::Compiling, || sanitizers::compile(directory));
            self.ask(compiled.as_ref(), &questions, &mut examination);
        }
        examination
    }

    /// Examines a program but for compiled runs: what these are to be asked comes back.
    fn analyse(&self, text: &str, directory: &Path, sanitizing: Sanitizing) -> (Examination, Option<Questions>) {
        let mut examination = Examination::default();
        let file = sanitizers::file(directory);
        if let Err(error) = std::fs::write(&file, text) {
            examination.problems.push(Problem::NotC(format!("cannot write {}: {error}", file.display())));
            return (examination, None);
        }
        let loaded = examination.spent.time(Stage::FrontEnd, || {
            catch_unwind(|| differential::load(std::slice::from_ref(&file))).map_err(|_| "the front end")
        });
        let program = match loaded {
            Ok(Ok(program)) => program,
            Ok(Err(message)) => {
                let problem = match sanitizers::syntax(&file) {
                    Ok(()) => Problem::Rejected(message),
                    Err(message) => Problem::NotC(message),
                };
                examination.problems.push(problem);
                return (examination, None);
            }
            Err(engine) => {
                examination.problems.push(Problem::Panicked { engine });
                return (examination, None);
            }
        };
        let Some(main) = program.function_named("main") else {
            examination.problems.push(Problem::NotC("no main".to_owned()));
            return (examination, None);
        };
        let options = Options::new(main);
        let mut errors = self.runs(&program, &options, &mut examination);
        self.lock_step(&program, &options, &mut examination);
        let outcomes = self.outcomes(&program, &options, &mut examination);
        for outcome in outcomes.iter().flatten() {
            errors.extend(confirmed(outcome));
        }
        errors.sort();
        errors.dedup_by_key(|error| (error.kind, error.line));
        examination.fails = !errors.is_empty();
        self.compare(&outcomes, &errors, &mut examination);
        (examination, Questions::new(self, sanitizing, text, &outcomes))
    }

    /// Runs of `interp`.
    fn runs(&self, program: &Program, options: &Options, examination: &mut Examination) -> Vec<Shown> {
        let runs = || catch_unwind(|| truth::runs(program, options));
        examination.spent.time(Stage::Runs, runs).unwrap_or_else(|_| {
            examination.problems.push(Problem::Panicked { engine: "interp" });
            Vec::new()
        })
    }

    fn lock_step(&self, program: &Program, options: &Options, examination: &mut Examination) {
        let Some(effort) = self.lockstep else { return };
        for (mode, tally) in Mode::ALL.into_iter().zip(&mut examination.tallies) {
            // Without contracts the calls by contract are procedures.
            if mode.calls == Calls::ByContract && program.contracts.is_empty() {
                continue;
            }
            let check = || catch_unwind(|| lockstep::check(program, options, mode, effort));
            match examination.spent.time(Stage::LockStep, check) {
                Ok(Ok(found)) => *tally = found,
                Ok(Err(lost)) => {
                    let words = format!("{}: {}", lost.run, lost.words);
                    examination.problems.push(Problem::Lost { mode, words });
                }
                Err(_) => examination.problems.push(Problem::Panicked { engine: "the lock-step test" }),
            }
        }
    }

    /// Asks a compiled program.
    fn ask(&self, compiled: Result<&impl Compiled, &String>, questions: &Questions, examination: &mut Examination) {
        match compiled {
            Ok(compiled) => sanitizers::ask(self, compiled, questions, examination),
            // A mutant may call what only its original defines.
            Err(_) if !questions.must_compile() => {}
            Err(message) => examination.problems.push(Problem::NotC(message.clone())),
        }
    }

    fn outcomes(&self, program: &Program, options: &Options, examination: &mut Examination) -> Vec<Option<Outcome>> {
        let mut outcomes = Vec::new();
        for Examined { name, engine, claim } in self.engines {
            let question = claim.question(options);
            let budget = Budget { time: Some(self.time), memory: Some(1 << 30), elements: None };
            let begun = Instant::now();
            let control = Control::start(budget, Cancel::default());
            let outcome = catch_unwind(AssertUnwindSafe(|| engine.check(program, &question, &control))).ok();
            let took = begun.elapsed();
            match outcome {
                None => examination.problems.push(Problem::Panicked { engine: name }),
                Some(_) if took > self.time * 3 + Duration::from_secs(2) => {
                    examination.problems.push(Problem::Overtime { engine: name, took });
                }
                Some(_) => {}
            }
            examination.times.push(took);
            examination.verdicts.push(outcome.as_ref().map(|outcome| verdict(program, outcome)));
            outcomes.push(outcome);
        }
        outcomes
    }

    fn compare(&self, outcomes: &[Option<Outcome>], errors: &[Shown], examination: &mut Examination) {
        for (index, outcome) in outcomes.iter().enumerate() {
            let Some(outcome) = outcome else { continue };
            let Examined { name: engine, claim, .. } = &self.engines[index];
            let mut errors = errors.iter().filter(|error| claim.is_broken_by(error));
            if examination.verdicts[index] == Some(Verdict::Safe) {
                if let Some(shown) = errors.next().cloned() {
                    examination.problems.push(Problem::SafeButFails { engine, shown });
                }
            } else if outcome.gaps.is_empty() && outcome.stopped.is_none() && confirmed(outcome).next().is_none() {
                // Who shows an error may leave the others for the next time.
                // A copy with two faults may fail by either.
                let is_same = |kind: Kind, other: Kind| kind == other || is_access(kind) && is_access(other);
                let told = |error: &Shown| {
                    let is_it = |line: u32, kind: Kind| line == error.line && is_same(kind, error.kind);
                    outcome.findings.iter().any(|it| {
                        is_it(it.span.line, it.kind) || it.also.iter().any(|also| is_it(also.at.span.line, also.kind))
                    })
                };
                if let Some(shown) = errors.find(|error| !told(error)).cloned() {
                    examination.problems.push(Problem::Missed { engine, shown });
                }
            }
        }
    }
}

/// The verdict that a user gets: gaps of the text stand against *safe*.
fn verdict(program: &Program, outcome: &Outcome) -> Verdict {
    match outcome.verdict() {
        Verdict::Safe if !program.gaps.is_empty() => Verdict::Unknown,
        verdict @ (Verdict::Safe | Verdict::Unsafe | Verdict::Unknown) => verdict,
    }
}

fn confirmed(outcome: &Outcome) -> impl Iterator<Item = Shown> {
    outcome.findings.iter().filter(|finding| finding.certainty == Certainty::Confirmed).map(Shown::from)
}

impl From<&Finding> for Shown {
    fn from(finding: &Finding) -> Shown {
        let Finding { kind, span, message, about, .. } = finding;
        Shown { kind: *kind, line: span.line, message: message.clone(), storage: about.storage }
    }
}
