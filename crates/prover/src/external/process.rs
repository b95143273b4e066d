//! A conversation with another process that may be missing, die, hang or babble.
//!
//! Reading and writing happen in threads of their own, so neither a process that says nothing nor one that does not listen
//! holds up the caller. (The crates that talk SMT-LIB wait for an answer without end, which is why none is used.)

use crate::{Limits, Reason};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How often a wait looks at the clock and at the cancel flag.
const TICK: Duration = Duration::from_millis(20);

/// Lines longer than this are cut: no answer is that long.
const LONGEST_LINE: u64 = 1 << 16;

/// A running process; killed when dropped.
#[derive(Debug)]
pub struct Conversation {
    child: Child,
    to: Option<Sender<String>>,
    from: Receiver<String>,
}

impl Conversation {
    /// Starts the program.
    pub fn start(program: &str, arguments: &[String]) -> Result<Conversation, Reason> {
        let failed = |what: String| Reason::Failed(format!("`{program}` {what}"));
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| failed(format!("cannot be started: {error}")))?;
        let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed("has no input or output".to_owned()));
        };
        let (to, texts) = channel::<String>();
        let (lines, from) = channel::<String>();
        std::thread::spawn(move || {
            for text in texts {
                if input.write_all(text.as_bytes()).and_then(|()| input.flush()).is_err() {
                    return;
                }
            }
        });
        std::thread::spawn(move || {
            let mut reader = BufReader::new(output);
            loop {
                let mut line = Vec::new();
                let mut limited = std::io::Read::take(&mut reader, LONGEST_LINE);
                match limited.read_until(b'\n', &mut line) {
                    Ok(0) | Err(_) => return,
                    Ok(_) => {
                        if lines.send(String::from_utf8_lossy(&line).trim().to_owned()).is_err() {
                            return;
                        }
                    }
                }
            }
        });
        Ok(Conversation { child, to: Some(to), from })
    }

    /// Says `text`; whether anyone listens shows when an answer is awaited.
    pub fn say(&mut self, text: String) {
        if let Some(to) = &self.to {
            let _nobody_listens = to.send(text);
        }
    }

    /// Ends the input.
    pub fn hang_up(&mut self) {
        self.to = None;
    }

    /// The next line that is not empty; `None` when the process has ended its output.
    pub fn line(&mut self, limits: &Limits, end: Instant) -> Result<Option<String>, Reason> {
        loop {
            if let Some(reason) = limits.exhausted(end) {
                return Err(reason);
            }
            match self.from.recv_timeout(TICK) {
                Ok(line) if line.is_empty() => {}
                Ok(line) => return Ok(Some(line)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        // An error here means that the process is gone already.
        let _gone = self.child.kill();
        let _status = self.child.wait();
    }
}
