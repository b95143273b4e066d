//! Many programs examined on a few threads. What is found is told at once, so a run that is stopped has told it.

use super::batch::Batch;
use super::sanitizers::Questions;
use super::summary::Summary;
use super::{Examination, Examined, Examiner, Problem, Sanitizing, Stage, reduce, sanitizers};
use crate::lockstep::Effort;
use crate::parallel;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Many programs for one examiner.
pub struct Campaign<'e> {
    /// Who examines.
    pub engines: &'e [Examined],
    /// How long each engine may think about a program.
    pub time: fn(u64) -> Duration,
    /// How much of each program goes through the lock-step test.
    pub lockstep: Option<Effort>,
    /// How many programs at once.
    pub threads: usize,
    /// Which programs are compiled.
    pub sanitizing: fn(u64) -> Sanitizing,
    /// How many are compiled together.
    pub batch: usize,
}

/// A program with a problem.
#[derive(Clone, Debug)]
pub struct Case {
    /// The number of the program.
    pub seed: u64,
    /// What is wrong.
    pub problem: Problem,
    /// The program, as small as it could be made.
    pub text: String,
}

/// Who is told while a campaign runs.
pub trait Audience: Sync {
    /// A problem was found; or a program that was told about is smaller now.
    fn problem(&self, case: &Case);

    /// So much is done; called now and then.
    fn progress(&self, summary: &Summary, resume: u64);
}

/// Of problems that look alike, so many are made small: it takes time.
const REDUCED_ALIKE: usize = 3;

/// How often the audience is told how far it is.
const BETWEEN_TELLINGS: Duration = Duration::from_secs(30);

/// What the threads share.
struct Progress {
    seeds: Range<u64>,
    /// Numbers that were handed out and are not done.
    open: BTreeSet<u64>,
    summary: Summary,
    told: Instant,
    /// Problems that were made small, and how often their like came.
    reduced: Vec<(Problem, usize)>,
}

/// A program that waits for gcc.
struct Waiting {
    seed: u64,
    text: String,
    examination: Examination,
    questions: Questions,
}

impl Campaign<'_> {
    /// Examines the programs of these numbers; `text` may have none for some.
    pub fn run(
        &self,
        seeds: Range<u64>,
        text: impl Fn(u64) -> Option<String> + Sync,
        audience: &impl Audience,
    ) -> Summary {
        let engines = self.engines.iter().map(|examined| examined.name).collect();
        let progress = Mutex::new(Progress {
            seeds,
            open: BTreeSet::new(),
            summary: Summary::new(engines),
            told: Instant::now(),
            reduced: Vec::new(),
        });
        parallel::workers(self.threads, || {
            let directory = tempfile::tempdir().expect("a directory for the files of programs");
            let mut waiting: Vec<Waiting> = Vec::new();
            while let Some(seed) = hand_out(&progress) {
                let Some(text) = text(seed) else {
                    lock(&progress).open.remove(&seed);
                    continue;
                };
                let (examination, questions) =
                    self.examiner(seed).analyse(&text, directory.path(), (self.sanitizing)(seed));
                match questions {
                    None => self.finish(&progress, seed, &text, examination, directory.path(), audience),
                    Some(questions) => waiting.push(Waiting { seed, text, examination, questions }),
                }
                if waiting.len() >= self.batch {
                    self.compile(&progress, std::mem::take(&mut waiting), directory.path(), audience);
                }
            }
            self.compile(&progress, waiting, directory.path(), audience);
        });
        let mut summary = progress.into_inner().expect("no thread panics while it holds this lock").summary;
        summary.cases.sort_by_key(|case| case.seed);
        summary
    }

    fn examiner(&self, seed: u64) -> Examiner<'_> {
        Examiner { engines: self.engines, time: (self.time)(seed), lockstep: self.lockstep }
    }

    /// Compiles the programs that wait, and asks them.
    fn compile(
        &self,
        progress: &Mutex<Progress>,
        mut waiting: Vec<Waiting>,
        directory: &Path,
        audience: &impl Audience,
    ) {
        if waiting.len() > 1 {
            let begun = Instant::now();
            let texts: Vec<&str> = waiting.iter().map(|it| it.text.as_str()).collect();
            let compiled = Batch::compile(directory, &texts);
            let share = begun.elapsed() / waiting.len() as u32;
            waiting.iter_mut().for_each(|it| it.examination.spent.add_share(Stage::Compiling, share));
            if let Ok(batch) = compiled {
                for (number, it) in waiting.into_iter().enumerate() {
                    let Waiting { seed, text, mut examination, questions } = it;
                    self.examiner(seed).ask(Ok(&batch.member(number)), &questions, &mut examination);
                    self.finish(progress, seed, &text, examination, directory, audience);
                }
                return;
            }
        }
        for Waiting { seed, text, mut examination, questions } in waiting {
            let compiled = examination.spent.time(Stage::Compiling, || {
                std::fs::write(sanitizers::file(directory), &text).map_err(|error| error.to_string())?;
                sanitizers::compile(directory)
            });
            examination.is_alone = true;
            self.examiner(seed).ask(compiled.as_ref(), &questions, &mut examination);
            self.finish(progress, seed, &text, examination, directory, audience);
        }
    }

    /// A program is examined: its problems are told, made small, and told again.
    fn finish(
        &self,
        progress: &Mutex<Progress>,
        seed: u64,
        text: &str,
        examination: Examination,
        directory: &Path,
        audience: &impl Audience,
    ) {
        for problem in &examination.problems {
            let mut case = Case { seed, problem: problem.clone(), text: text.to_owned() };
            audience.problem(&case);
            if is_among_the_first(&mut lock(progress).reduced, problem) {
                case.text = self.reduce(seed, text, problem, directory);
                audience.problem(&case);
            }
            lock(progress).summary.cases.push(case);
        }
        let mut progress = lock(progress);
        progress.summary.count(&examination, (self.time)(seed));
        progress.open.remove(&seed);
        if progress.told.elapsed() >= BETWEEN_TELLINGS {
            progress.told = Instant::now();
            let resume = progress.open.first().copied().unwrap_or(progress.seeds.start);
            audience.progress(&progress.summary, resume);
        }
    }

    /// A smaller program with the same problem.
    fn reduce(&self, seed: u64, text: &str, problem: &Problem, directory: &Path) -> String {
        let sanitizing = if problem.needs_sanitizers() { Sanitizing::Always(6) } else { Sanitizing::Never };
        let may_be_not_c = matches!(problem, Problem::NotC(_) | Problem::Rejected(_));
        // What has nothing to do with the problem need not be asked.
        let examiner = Examiner {
            lockstep: self.lockstep.filter(|_| matches!(problem, Problem::Lost { .. })),
            ..self.examiner(seed)
        };
        reduce::smallest(text, |smaller| {
            let examination = examiner.examine(smaller, directory, sanitizing);
            examination.problems.iter().any(|found| problem.is_like(found))
                && (may_be_not_c || sanitizers::syntax(&sanitizers::file(directory)).is_ok())
        })
    }
}

fn lock(progress: &Mutex<Progress>) -> MutexGuard<'_, Progress> {
    progress.lock().expect("no thread panics while it holds this lock")
}

/// The next number.
fn hand_out(progress: &Mutex<Progress>) -> Option<u64> {
    let mut progress = lock(progress);
    let seed = progress.seeds.next()?;
    progress.open.insert(seed);
    Some(seed)
}

fn is_among_the_first(reduced: &mut Vec<(Problem, usize)>, problem: &Problem) -> bool {
    match reduced.iter_mut().find(|(known, _)| known.is_like(problem)) {
        Some((_, count)) => {
            *count += 1;
            *count <= REDUCED_ALIKE
        }
        None => {
            reduced.push((problem.clone(), 1));
            true
        }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {}: {}", self.seed, self.problem)?;
        for (number, line) in self.text.lines().enumerate() {
            writeln!(f, "{:4} {line}", number + 1)?;
        }
        Ok(())
    }
}
