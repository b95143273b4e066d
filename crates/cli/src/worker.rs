//! Threads: a stack deep enough for nested C, a clock that always rings, and panics that become messages.

use super::failure::CannotRun;
use super::output;
use heapwise::memory;
use heapwise_engine::{Cancel, Exhausted};
use std::io::{IsTerminal as _, Write as _};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Parsers and walks over syntax trees recurse; address space is cheap.
const STACK_BYTES: usize = 512 << 20;

/// How long an engine may take to notice that it was asked to stop.
const GRACE: Duration = Duration::from_secs(2);

/// How much later than its time an analysis may end: a twelfth, and a little for the shortest ones.
fn grace(time: Duration) -> Duration {
    (time / 12).clamp(Duration::from_millis(200), GRACE)
}

/// How often the clock and the memory are looked at.
const PAUSE: Duration = Duration::from_millis(20);

/// The message of the last panic.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Keeps a panic's message for [`CannotRun::Internal`] instead of printing it at once.
pub(crate) fn keep_panics_quiet() {
    std::panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let text = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "panic".to_owned());
        let place = info.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
        *LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner) = Some(format!("{text}{place}"));
    }));
}

/// Runs `work` on a deep stack. A panic in it is an internal error, never a verdict.
pub(crate) fn guarded<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, CannotRun> + Send + 'static,
) -> Result<T, CannotRun> {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
    let thread = thread.map_err(|error| CannotRun::Internal(format!("cannot start a thread: {error}")))?;
    thread.join().unwrap_or_else(|_| Err(internal_error()))
}

fn internal_error() -> CannotRun {
    let last = LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner).take();
    CannotRun::Internal(last.unwrap_or_else(|| "an analysis thread ended early".to_owned()))
}

/// What the analysing thread tells the watching one.
pub(crate) enum Message<M, T> {
    /// It reached a milestone.
    Milestone(M),
    /// It is done.
    Done(Result<T, CannotRun>),
}

/// How a watched work ended.
pub(crate) enum End<T> {
    /// It finished.
    Finished(T),
    /// This ran out (or the user pressed Ctrl-C), and it did not notice.
    Stopped(Exhausted),
}

/// How a watched work is watched.
pub(crate) struct Watch {
    /// Wall-clock time for everything.
    pub(crate) time: Option<Duration>,
    /// Bytes that the process may hold.
    pub(crate) memory: Option<u64>,
    /// Raised on Ctrl-C.
    pub(crate) cancel: Cancel,
    /// Whether a status line is shown.
    pub(crate) shows_progress: bool,
}

impl Watch {
    /// Runs `work` in a thread of its own and waits for it, for its time and a little grace at most; a thread that does not
    /// stop is left behind, for the process ends soon. `seen` is told the milestones.
    pub(crate) fn run<M: Send + 'static, T: Send + 'static>(
        self,
        work: impl FnOnce(&mpsc::Sender<Message<M, T>>) -> Result<T, CannotRun> + Send + 'static,
        mut seen: impl FnMut(M) -> &'static str,
    ) -> Result<End<T>, CannotRun> {
        let (sender, receiver) = mpsc::channel();
        let spawned = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
            let result = work(&sender);
            // The watcher may have gone home.
            let _ = sender.send(Message::Done(result));
        });
        spawned.map_err(|error| CannotRun::Internal(format!("cannot start a thread: {error}")))?;
        self.stop_on_interrupt();
        let mut clock = Clock { started: Instant::now(), time: self.time, memory: self.memory, interrupted: None };
        let mut status = StatusLine { shown: self.shows_progress, phase: "reading", written: None };
        loop {
            match receiver.recv_timeout(PAUSE) {
                Ok(Message::Milestone(milestone)) => status.phase = seen(milestone),
                Ok(Message::Done(result)) => {
                    status.clear();
                    return result.map(End::Finished);
                }
                Err(RecvTimeoutError::Disconnected) => {
                    status.clear();
                    return Err(internal_error());
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            status.update(clock.started.elapsed());
            if let Some(why) = clock.rings(&self.cancel) {
                status.clear();
                return Ok(End::Stopped(why));
            }
        }
    }

    /// The first Ctrl-C asks the analysis to stop, the second one ends the process.
    fn stop_on_interrupt(&self) {
        let cancel = self.cancel.clone();
        let handler = move || {
            if cancel.is_cancelled() {
                std::process::exit(130);
            }
            cancel.cancel();
        };
        // Without the handler Ctrl-C kills the process, which is no worse than before.
        let _ = ctrlc::set_handler(handler);
    }
}

struct Clock {
    started: Instant,
    time: Option<Duration>,
    memory: Option<u64>,
    interrupted: Option<Instant>,
}

impl Clock {
    /// What ran out, if the work should have noticed by now (engines are told a little before the limit of memory).
    fn rings(&mut self, cancel: &Cancel) -> Option<Exhausted> {
        if cancel.is_cancelled() {
            let since = *self.interrupted.get_or_insert_with(Instant::now);
            return (since.elapsed() > GRACE).then_some(Exhausted::Cancelled);
        }
        let is_over = |limit: u64| memory::resident_bytes().is_some_and(|bytes| bytes > limit);
        if self.memory.is_some_and(is_over) {
            return Some(Exhausted::Memory);
        }
        let limit = self.time?;
        (self.started.elapsed() > limit.saturating_add(grace(limit))).then_some(Exhausted::Time)
    }
}

/// One line on standard error: overwritten on a terminal, a new one every few seconds elsewhere.
struct StatusLine {
    shown: bool,
    phase: &'static str,
    written: Option<Duration>,
}

impl StatusLine {
    fn update(&mut self, elapsed: Duration) {
        let is_terminal = std::io::stderr().is_terminal();
        let pause = if is_terminal { Duration::from_millis(200) } else { Duration::from_secs(5) };
        let is_due = self.written.map_or(elapsed > Duration::from_millis(500), |last| elapsed >= last + pause);
        if !self.shown || !is_due {
            return;
        }
        self.written = Some(elapsed);
        let line = format!("heapwise: {}, {:.1} s", self.phase, elapsed.as_secs_f64());
        if is_terminal {
            let _ = write!(std::io::stderr(), "\r{line}\x1b[K");
        } else {
            output::complain(&line);
        }
    }

    fn clear(&self) {
        if self.written.is_some() && std::io::stderr().is_terminal() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(time: Duration, cancel: Cancel) -> Watch {
        Watch { time: Some(time), memory: None, cancel, shows_progress: false }
    }

    #[test]
    fn a_panic_is_an_internal_error() {
        let guarded = guarded(|| -> Result<(), CannotRun> { panic!("a defect") });
        assert!(matches!(guarded, Err(CannotRun::Internal(_))));
        let watched: Result<End<()>, _> =
            watch(Duration::from_secs(60), Cancel::default()).run(|_| panic!("a defect"), |()| "working");
        assert!(matches!(watched, Err(CannotRun::Internal(_))));
    }

    #[test]
    fn work_that_does_not_stop_is_left_behind() {
        let endless = |_: &mpsc::Sender<Message<(), ()>>| loop {
            std::thread::sleep(Duration::from_millis(50));
        };
        let started = Instant::now();
        let end = watch(Duration::from_millis(100), Cancel::default()).run(endless, |()| "working");
        assert!(matches!(end, Ok(End::Stopped(Exhausted::Time))));
        let cancel = Cancel::default();
        cancel.cancel();
        let end = watch(Duration::from_secs(600), cancel).run(endless, |()| "working");
        assert!(matches!(end, Ok(End::Stopped(Exhausted::Cancelled))));
        let greedy = Watch { memory: Some(1), ..watch(Duration::from_secs(600), Cancel::default()) };
        assert!(matches!(greedy.run(endless, |()| "working"), Ok(End::Stopped(Exhausted::Memory))));
        assert!(started.elapsed() < 10 * GRACE);
    }

    #[test]
    fn work_in_time_is_heard_with_its_milestones() {
        let mut milestones = Vec::new();
        let end = watch(Duration::from_secs(60), Cancel::default()).run(
            |sender| {
                let _ = sender.send(Message::Milestone(1));
                Ok("done")
            },
            |milestone| {
                milestones.push(milestone);
                "working"
            },
        );
        assert!(matches!(end, Ok(End::Finished("done"))));
        assert_eq!(milestones, [1]);
    }
}
