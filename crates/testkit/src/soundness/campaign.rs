//! Many programs examined on a few threads, and the numbers.

use super::{Examination, Examiner, Problem, Sanitizing, reduce};
use crate::parallel;
use heapwise_engine::Verdict;
use std::fmt;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

/// Many programs for one examiner.
pub struct Campaign<'e> {
    /// Who examines.
    pub examiner: Examiner<'e>,
    /// How many programs at once.
    pub threads: usize,
    /// Which programs are compiled.
    pub sanitizing: fn(u64) -> Sanitizing,
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

/// Numbers about all programs.
#[derive(Clone, Default, Debug)]
pub struct Summary {
    /// How many there were.
    pub programs: u64,
    /// Those that some run made fail.
    pub failing: u64,
    /// Those that were compiled.
    pub compiled: u64,
    /// Confirmed findings that compiled programs showed too.
    pub reproduced: u64,
    /// Per engine: safe, unsafe, unknown.
    pub verdicts: Vec<(&'static str, [u64; 3])>,
    /// Per engine: the time of all programs.
    pub times: Vec<Duration>,
    /// Programs with a problem, in the order of their numbers.
    pub cases: Vec<Case>,
}

/// Of problems that look alike, so many are made small: it takes time.
const REDUCED_ALIKE: usize = 3;

impl Campaign<'_> {
    /// Examines the programs of these numbers; `text` may have none for some. Each problem is shown to `report` when it is found.
    pub fn run(
        &self,
        seeds: std::ops::Range<u64>,
        text: impl Fn(u64) -> Option<String> + Sync,
        report: impl Fn(&Case) + Sync,
    ) -> Summary {
        let seeds: Vec<u64> = seeds.collect();
        let reduced: Mutex<Vec<(Problem, usize)>> = Mutex::default();
        let examined = parallel::map(self.threads, &seeds, |seed| {
            let text = text(*seed)?;
            let directory = tempfile::tempdir().ok()?;
            let examination = self.examiner.examine(&text, directory.path(), (self.sanitizing)(*seed));
            let mut cases = Vec::new();
            for problem in &examination.problems {
                let text = if is_among_the_first(&reduced, problem) {
                    self.reduce(&text, problem, directory.path())
                } else {
                    text.clone()
                };
                let case = Case { seed: *seed, problem: problem.clone(), text };
                report(&case);
                cases.push(case);
            }
            Some((examination, cases))
        });
        let names = self.examiner.engines.iter().map(|(name, _)| (*name, [0; 3])).collect();
        let times = vec![Duration::ZERO; self.examiner.engines.len()];
        let mut summary = Summary { verdicts: names, times, ..Summary::default() };
        for (examination, cases) in examined.into_iter().flatten() {
            summary.count(&examination);
            summary.cases.extend(cases);
        }
        summary
    }

    /// A smaller program with the same problem.
    fn reduce(&self, text: &str, problem: &Problem, directory: &Path) -> String {
        let sanitizing = if problem.needs_sanitizers() { Sanitizing::Always(6) } else { Sanitizing::Never };
        let may_be_not_c = matches!(problem, Problem::NotC(_) | Problem::Rejected(_));
        reduce::smallest(text, |smaller| {
            let examination = self.examiner.examine(smaller, directory, sanitizing);
            examination.problems.iter().any(|found| problem.is_like(found))
                && (may_be_not_c || super::sanitizers::syntax(&directory.join("random.c")).is_ok())
        })
    }
}

fn is_among_the_first(reduced: &Mutex<Vec<(Problem, usize)>>, problem: &Problem) -> bool {
    let mut reduced = reduced.lock().expect("no thread panics while it holds this lock");
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

impl Summary {
    fn count(&mut self, examination: &Examination) {
        self.programs += 1;
        self.failing += u64::from(examination.fails);
        self.compiled += u64::from(examination.compiled);
        self.reproduced += examination.reproduced as u64;
        for (sum, time) in self.times.iter_mut().zip(&examination.times) {
            *sum += *time;
        }
        for ((_, counts), verdict) in self.verdicts.iter_mut().zip(&examination.verdicts) {
            match verdict {
                Some(Verdict::Safe) => counts[0] += 1,
                Some(Verdict::Unsafe) => counts[1] += 1,
                Some(Verdict::Unknown) => counts[2] += 1,
                None => {}
            }
        }
    }

    /// The cases in which a verdict is wrong.
    pub fn wrong(&self) -> impl Iterator<Item = &Case> {
        self.cases.iter().filter(|case| case.problem.is_wrong())
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

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |part: u64| 100.0 * part as f64 / self.programs.max(1) as f64;
        writeln!(
            f,
            "{} programs, {:.1} % fail on some run, {} compiled, {} confirmed findings seen there",
            self.programs,
            percent(self.failing),
            self.compiled,
            self.reproduced
        )?;
        for ((name, [safe, unsafe_, unknown]), time) in self.verdicts.iter().zip(&self.times) {
            let decided = percent(*safe + *unsafe_);
            let [safe, unsafe_, unknown] = [*safe, *unsafe_, *unknown].map(percent);
            let milliseconds = 1000.0 * time.as_secs_f64() / self.programs.max(1) as f64;
            writeln!(
                f,
                "  {name:<18} decided {decided:5.1} % (safe {safe:4.1}, unsafe {unsafe_:4.1}), unknown {unknown:4.1} %, {milliseconds:4.0} ms each"
            )?;
        }
        let mut kinds: Vec<(String, Vec<u64>)> = Vec::new();
        for case in &self.cases {
            let title = case.problem.title();
            match kinds.iter_mut().find(|(known, _)| *known == title) {
                Some((_, seeds)) => seeds.push(case.seed),
                None => kinds.push((title, vec![case.seed])),
            }
        }
        kinds.sort();
        for (title, seeds) in kinds {
            let shown: Vec<String> = seeds.iter().take(12).map(u64::to_string).collect();
            let more = if seeds.len() > shown.len() { ", …" } else { "" };
            writeln!(f, "  {:>5} × {title}: seeds {}{more}", seeds.len(), shown.join(", "))?;
        }
        Ok(())
    }
}
