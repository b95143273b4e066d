//! Asking several engines, and whose answer counts.

use crate::CheckOptions;
use heapwise_engine::{Budget, Cancel, Control, Engine, Gap, Outcome, Verdict};
use heapwise_ir::Program;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Walks over deep structures recurse; address space is cheap.
const STACK_BYTES: usize = 512 << 20;

/// How often a running engine is looked after.
const PAUSE: Duration = Duration::from_millis(20);

/// An engine's answer.
type Answer = (&'static str, Outcome);

/// Asks the engines, as many at a time as there are jobs. The first of the list that decides answers, however many run at
/// once; where none does, see [`most_telling`].
pub(crate) fn ask(engines: &[Box<dyn Engine>], program: &Program, options: &CheckOptions) -> Answer {
    let mut answers = answers(engines, program, options);
    let decides = |answer: &Option<Answer>| answer.as_ref().is_some_and(|(_, outcome)| is_decided(outcome));
    if let Some(decided) = answers.iter().position(decides) {
        return answers.swap_remove(decided).unwrap_or_else(|| ("none", no_engine()));
    }
    most_telling(answers.into_iter().flatten().collect())
}

fn is_decided(outcome: &Outcome) -> bool {
    match outcome.verdict() {
        Verdict::Safe | Verdict::Unsafe => true,
        Verdict::Unknown => false,
    }
}

/// Where no engine decides: of those that found something, the one that saw through most of the program (with the fewest
/// gaps); else that of all; the later one where they are equal.
fn most_telling(undecided: Vec<Answer>) -> Answer {
    let rank = |(_, outcome): &Answer| (outcome.findings.is_empty(), outcome.gaps.len());
    // Of equal ones, `min_by_key` takes the first.
    undecided.into_iter().rev().min_by_key(rank).unwrap_or_else(|| ("none", no_engine()))
}

fn no_engine() -> Outcome {
    let gap = Gap { span: heapwise_ir::Span::NONE, reason: "no engine was asked".to_owned() };
    Outcome { gaps: vec![gap], ..Outcome::default() }
}

/// An engine that was started.
struct Running {
    cancel: Cancel,
    since: Instant,
    is_done: bool,
}

/// What the engines say, up to the first that decides.
fn answers(engines: &[Box<dyn Engine>], program: &Program, options: &CheckOptions) -> Vec<Option<Answer>> {
    let begun = Instant::now();
    let mut answers: Vec<Option<Answer>> = engines.iter().map(|_| None).collect();
    let mut running: Vec<Running> = Vec::new();
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        loop {
            let first_decided = answers.iter().position(|it| it.as_ref().is_some_and(|(_, it)| is_decided(it)));
            let n_running = running.iter().filter(|engine| !engine.is_done).count();
            if n_running < options.jobs.get() && running.len() < engines.len() && first_decided.is_none() {
                let index = running.len();
                let budget = share(options, begun.elapsed(), engines.len() - index);
                let cancel = Cancel::default();
                let control = Control::start(budget, cancel.clone());
                let (engine, sender) = (&engines[index], sender.clone());
                let work = move || {
                    let outcome = catch_unwind(AssertUnwindSafe(|| engine.check(program, &options.question, &control)));
                    // The receiver lives as long as the scope.
                    let _ = sender.send((index, outcome));
                };
                let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
                thread.unwrap_or_else(|error| panic!("cannot start a thread: {error}"));
                running.push(Running { cancel, since: Instant::now(), is_done: false });
                continue;
            }
            if n_running == 0 {
                break;
            }
            match receiver.recv_timeout(PAUSE) {
                Ok((index, Ok(mut outcome))) => {
                    crate::add_what_holds_for_every_engine(program, options, &mut outcome);
                    running[index].is_done = true;
                    answers[index] = Some((engines[index].name(), outcome));
                }
                // A defect: the others are stopped, and it goes on its way.
                Ok((_, Err(panic))) => {
                    running.iter().for_each(|engine| engine.cancel.cancel());
                    resume_unwind(panic);
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
            stop_those_without_a_say(&running, &answers, options);
        }
    });
    answers
}

/// The time that is left, by the jobs, among the engines that are left; the memory among those that run at once.
fn share(options: &CheckOptions, elapsed: Duration, n_left: usize) -> Budget {
    let jobs = options.jobs.get().min(n_left);
    let time = options.budget.time.map(|time| time.saturating_sub(elapsed) * jobs as u32 / n_left as u32);
    let memory = options.budget.memory.map(|memory| memory / jobs as u64);
    Budget { time, memory, ..options.budget }
}

/// Cancels the engines behind one that decided; those before it have the time that they would have had alone.
fn stop_those_without_a_say(running: &[Running], answers: &[Option<Answer>], options: &CheckOptions) {
    let decided = answers.iter().position(|it| it.as_ref().is_some_and(|(_, outcome)| is_decided(outcome)));
    for (index, engine) in running.iter().enumerate() {
        let alone = options.budget.time.map(|time| time / answers.len() as u32);
        let is_late = alone.is_some_and(|alone| engine.since.elapsed() > alone);
        if options.cancel.is_cancelled() || decided.is_some_and(|decided| index > decided || is_late) {
            engine.cancel.cancel();
        }
    }
}
