//! The numbers of a campaign.

use super::campaign::Case;
use super::stage::Spent;
use super::{Examination, Stage};
use crate::lockstep::{Mode, Tally};
use heapwise_engine::Verdict;
use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

/// Numbers about all programs.
#[derive(Clone, Debug)]
pub struct Summary {
    /// How many there were.
    pub programs: u64,
    /// How many of them each engine had how much time for.
    pub limits: BTreeMap<Duration, u64>,
    /// Those that some run made fail.
    pub failing: u64,
    /// Those that were compiled.
    pub compiled: u64,
    /// Those of them that were compiled alone, because gcc does not take them together with others.
    pub alone: u64,
    /// Confirmed findings that compiled programs showed too.
    pub reproduced: u64,
    /// What engines said, in their order.
    pub engines: Vec<EngineSummary>,
    /// The time of what is not an engine's.
    pub spent: Spent,
    /// What the lock-step test compared, one for each way of translation.
    pub tallies: [Tally; Mode::ALL.len()],
    /// Programs with a problem, in the order of their numbers.
    pub cases: Vec<Case>,
    begun: Instant,
}

/// What one engine said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSummary {
    /// Who.
    pub name: &'static str,
    /// How often *safe*.
    pub safe: u64,
    /// How often *unsafe*.
    pub unsafe_: u64,
    /// How often *unknown*.
    pub unknown: u64,
    /// The time of all programs.
    pub time: Duration,
    /// The part of it that went to programs of more than a second.
    pub tail: Duration,
    /// How many these were.
    pub slow: u64,
}

/// Programs that take an engine longer are its tail.
const SLOW: Duration = Duration::from_secs(1);

impl Summary {
    pub(super) fn new(engines: Vec<&'static str>) -> Summary {
        let engine = |name| EngineSummary {
            name,
            safe: 0,
            unsafe_: 0,
            unknown: 0,
            time: Duration::ZERO,
            tail: Duration::ZERO,
            slow: 0,
        };
        Summary {
            programs: 0,
            limits: BTreeMap::new(),
            failing: 0,
            compiled: 0,
            alone: 0,
            reproduced: 0,
            engines: engines.into_iter().map(engine).collect(),
            spent: Spent::default(),
            tallies: Default::default(),
            cases: Vec::new(),
            begun: Instant::now(),
        }
    }

    pub(super) fn count(&mut self, examination: &Examination, limit: Duration) {
        self.programs += 1;
        *self.limits.entry(limit).or_default() += 1;
        self.failing += u64::from(examination.fails);
        self.compiled += u64::from(examination.compiled);
        self.alone += u64::from(examination.is_alone);
        self.reproduced += examination.reproduced as u64;
        self.spent.add(&examination.spent);
        self.tallies.iter_mut().zip(&examination.tallies).for_each(|(sum, tally)| sum.add(tally));
        for (engine, time) in self.engines.iter_mut().zip(&examination.times) {
            engine.time += *time;
            if *time > SLOW {
                engine.tail += *time;
                engine.slow += 1;
            }
        }
        for (engine, verdict) in self.engines.iter_mut().zip(&examination.verdicts) {
            match verdict {
                Some(Verdict::Safe) => engine.safe += 1,
                Some(Verdict::Unsafe) => engine.unsafe_ += 1,
                Some(Verdict::Unknown) => engine.unknown += 1,
                None => {}
            }
        }
    }

    /// The cases in which a verdict is wrong.
    pub fn wrong(&self) -> impl Iterator<Item = &Case> {
        self.cases.iter().filter(|case| case.problem.is_wrong())
    }

    /// Programs per second.
    pub fn rate(&self) -> f64 {
        self.programs as f64 / self.begun.elapsed().as_secs_f64().max(0.001)
    }

    fn problems(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |part: u64| 100.0 * part as f64 / self.programs.max(1) as f64;
        let milliseconds = |time: Duration| 1000.0 * time.as_secs_f64() / self.programs.max(1) as f64;
        writeln!(
            f,
            "{} programs, {:.1} a second; {:.1} % fail on some run, {} compiled ({} alone), {} confirmed findings seen there",
            self.programs,
            self.rate(),
            percent(self.failing),
            self.compiled,
            self.alone,
            self.reproduced
        )?;
        let limit = |(limit, count): (&Duration, &u64)| format!("{:.2} s for {count}", limit.as_secs_f64());
        let limits: Vec<String> = self.limits.iter().map(limit).collect();
        writeln!(f, "  each engine had {}", limits.join(", "))?;
        for EngineSummary { name, safe, unsafe_, unknown, time, tail, slow } in &self.engines {
            writeln!(
                f,
                "  {name:<18} decided {:5.1} % (safe {:4.1}, unsafe {:4.1}), unknown {:4.1} %, {:5.1} ms each, {:5.1} of them for {slow} programs of over a second",
                percent(safe + unsafe_),
                percent(*safe),
                percent(*unsafe_),
                percent(*unknown),
                milliseconds(*time),
                milliseconds(*tail),
            )?;
        }
        for stage in Stage::ALL {
            writeln!(f, "  {:<18} {:5.1} ms each", stage.to_string(), milliseconds(self.spent.of(stage)))?;
        }
        for (mode, tally) in Mode::ALL.iter().zip(&self.tallies).filter(|(_, tally)| tally.runs > 0) {
            write!(f, "  {mode}: {tally}\n{}", tally.reasons(12))?;
        }
        self.problems(f)
    }
}
