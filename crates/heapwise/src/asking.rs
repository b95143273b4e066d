//! Asking several engines, and whose answer counts.

use crate::{CheckOptions, memory};
use heapwise_engine::reason::DefectGap;
use heapwise_engine::{
    Budget, Cancel, Control, EarlyFindings, Engine, Gap, MemoryAlarm, Options, Outcome, Statement, Verdict, by_cause,
};
use heapwise_ir::Program;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Walks over deep structures recurse; address space is cheap.
const STACK_BYTES: usize = 512 << 20;

/// How often a running engine, and the memory of the process, are looked at.
const PAUSE: Duration = Duration::from_millis(20);

/// An engine's answer.
pub(crate) type Answer = (&'static str, Outcome);

/// What is known while engines are asked.
pub(crate) struct Asked {
    /// The answers so far, in the order of the engines. One that runs counts with what it has handed out, and with a gap:
    /// nobody knows what it would say.
    pub(crate) answers: Vec<Option<Answer>>,
    /// Those that run, and how many findings they have handed out.
    pub(crate) running: Vec<(&'static str, usize)>,
}

impl Asked {
    fn now(
        program: &Program,
        question: &Options,
        engines: &[Box<dyn Engine>],
        answers: &[Option<Answer>],
        running: &[Running],
    ) -> Asked {
        let mut asked = Asked { answers: answers.to_vec(), running: Vec::new() };
        for (index, engine) in running.iter().enumerate().filter(|(_, engine)| !engine.is_done) {
            let name = engines[index].name();
            let findings = by_cause(program, engine.early.findings());
            asked.running.push((name, findings.len()));
            if !findings.is_empty() || answers.iter().all(Option::is_none) {
                let gap = Gap {
                    span: heapwise_ir::Span::NONE,
                    reason: DefectGap::NotAtItsEnd { engine: name.to_owned() }.into(),
                };
                let mut outcome = Outcome { findings, gaps: vec![gap], ..Outcome::default() };
                crate::add_what_holds_for_every_engine(program, question, &mut outcome);
                asked.answers[index] = Some((name, outcome));
            }
        }
        asked
    }
}

/// Asks the engines, as many at a time as there are jobs, up to the first that decides. Answers are in the order of the
/// engines; one that was not asked, or is not needed, has none.
pub(crate) fn ask(
    engines: &[Box<dyn Engine>],
    program: &Program,
    question: &Options,
    options: &CheckOptions,
    told: &mut dyn FnMut(Asked),
) -> Vec<Option<Answer>> {
    let mut answers = answers(engines, program, question, options, told);
    if let Some(decided) = answers.iter().position(decides) {
        // Whether an engine behind it got to answer depends on the jobs alone.
        answers.truncate(decided + 1);
    }
    answers
}

fn decides(answer: &Option<Answer>) -> bool {
    answer.as_ref().is_some_and(|(_, outcome)| match outcome.verdict() {
        Verdict::Safe | Verdict::Unsafe => true,
        Verdict::Unknown => false,
    })
}

/// Of several answers the one that counts: the first that decides. Where none does: of those that found something, the one
/// that came to its end and saw through most of the program (with the fewest gaps); else that of all; the later one
/// where they are equal. What the others found is told too if that one did not come to its end.
pub(crate) fn conclude(answers: &[Option<Answer>]) -> Answer {
    if let Some(Some(decided)) = answers.iter().find(|answer| decides(answer)) {
        return decided.clone();
    }
    let rank = |(_, outcome): &&Answer| (outcome.findings.is_empty(), outcome.stopped.is_some(), outcome.gaps.len());
    // Of equal ones, `min_by_key` takes the first.
    let telling = answers.iter().flatten().rev().min_by_key(rank);
    let Some((name, mut outcome)) = telling.cloned() else { return ("none", no_engine()) };
    if outcome.stopped.is_some() {
        for finding in answers.iter().flatten().flat_map(|(_, other)| &other.findings) {
            let at = Statement { function: finding.function, span: finding.span };
            if !outcome.findings.iter().any(|known| known.covers(finding.kind, at)) {
                outcome.findings.push(finding.clone());
            }
        }
        outcome.findings.sort_by_key(|finding| (finding.span, finding.kind));
    }
    (name, outcome)
}

fn no_engine() -> Outcome {
    let gap = Gap { span: heapwise_ir::Span::NONE, reason: DefectGap::NoEngine.into() };
    Outcome { gaps: vec![gap], ..Outcome::default() }
}

/// An engine that was started.
struct Running {
    cancel: Cancel,
    since: Instant,
    early: EarlyFindings,
    is_done: bool,
}

/// When what running engines hand out is told. To tell it takes time where the ways to it are long, so that is not done
/// all the time; but always when the time is over.
struct Telling {
    told: usize,
    at: Instant,
    took: Duration,
}

impl Telling {
    fn is_due(&self, n_found: usize, is_late: bool) -> bool {
        n_found != self.told && (is_late || self.at.elapsed() >= 8 * self.took)
    }
}

fn answers(
    engines: &[Box<dyn Engine>],
    program: &Program,
    question: &Options,
    options: &CheckOptions,
    told: &mut dyn FnMut(Asked),
) -> Vec<Option<Answer>> {
    let begun = Instant::now();
    let mut answers: Vec<Option<Answer>> = engines.iter().map(|_| None).collect();
    let mut running: Vec<Running> = Vec::new();
    let alarm = MemoryAlarm::default();
    let mut telling = Telling { told: 0, at: begun, took: Duration::ZERO };
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        loop {
            let is_decided = answers.iter().any(decides);
            let n_running = running.iter().filter(|engine| !engine.is_done).count();
            if n_running < options.jobs.get() && running.len() < engines.len() && !is_decided {
                let index = running.len();
                let budget = share(options, begun.elapsed(), engines.len() - index);
                let cancel = Cancel::default();
                alarm.set(is_over(options));
                let early = EarlyFindings::to(question);
                let control = Control::start(budget, cancel.clone()).with_alarm(alarm.clone());
                let control = control.with_early_findings(early.clone());
                let (engine, sender) = (&engines[index], sender.clone());
                running.push(Running { cancel, since: Instant::now(), early, is_done: false });
                told(Asked::now(program, question, engines, &answers, &running));
                let work = move || {
                    let outcome = catch_unwind(AssertUnwindSafe(|| engine.check(program, question, &control)));
                    // The receiver lives as long as the scope.
                    let _ = sender.send((index, outcome));
                };
                let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
                thread.unwrap_or_else(|error| panic!("cannot start a thread: {error}"));
                continue;
            }
            if n_running == 0 {
                break;
            }
            match receiver.recv_timeout(PAUSE) {
                Ok((index, Ok(mut outcome))) => {
                    running[index].early.complete(&mut outcome);
                    outcome.findings = by_cause(program, std::mem::take(&mut outcome.findings));
                    crate::add_what_holds_for_every_engine(program, question, &mut outcome);
                    running[index].is_done = true;
                    answers[index] = Some((engines[index].name(), outcome));
                    told(Asked::now(program, question, engines, &answers, &running));
                }
                // A defect: the others are stopped, and it goes on its way.
                Ok((_, Err(panic))) => {
                    running.iter().for_each(|engine| engine.cancel.cancel());
                    resume_unwind(panic);
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
            let n_found = running.iter().map(|engine| engine.early.count()).sum();
            let is_late = options.budget.time.is_some_and(|time| begun.elapsed() >= time);
            if telling.is_due(n_found, is_late) {
                let started = Instant::now();
                told(Asked::now(program, question, engines, &answers, &running));
                telling = Telling { told: n_found, at: Instant::now(), took: started.elapsed() };
            }
            alarm.set(is_over(options));
            stop_those_without_a_say(&running, &answers, options);
        }
    });
    answers
}

/// Whether the process holds nearly as much memory as it may: an engine needs some time to notice, and some memory to put
/// into words what it has found.
fn is_over(options: &CheckOptions) -> bool {
    let is_near = |limit: u64| memory::resident_bytes().is_some_and(|bytes| bytes > limit - limit / 10);
    options.budget.memory.is_some_and(is_near)
}

/// The time that is left, by the jobs, among the engines that are left; a sixteenth is for what an engine does when its time
/// is over: to look into what it suspects, and to put it into words.
fn share(options: &CheckOptions, elapsed: Duration, n_left: usize) -> Budget {
    let jobs = options.jobs.get().min(n_left);
    let time = options.budget.time.map(|time| time.saturating_sub(elapsed) * 15 / 16 * jobs as u32 / n_left as u32);
    Budget { time, ..options.budget }
}

/// Cancels the engines behind one that decided; those before it have the time that they would have had alone.
fn stop_those_without_a_say(running: &[Running], answers: &[Option<Answer>], options: &CheckOptions) {
    let decided = answers.iter().position(decides);
    for (index, engine) in running.iter().enumerate() {
        let alone = options.budget.time.map(|time| time / answers.len() as u32);
        let is_late = alone.is_some_and(|alone| engine.since.elapsed() > alone);
        if options.cancel.is_cancelled() || decided.is_some_and(|decided| index > decided || is_late) {
            engine.cancel.cancel();
        }
    }
}
