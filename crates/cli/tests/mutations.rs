//! Damaged C text: 500 mutations of real programs. Whatever comes in, the answer is an error with a place or a verdict, soon, and
//! never a panic.

#![allow(clippy::unwrap_used)]

use heapwise::{CheckOptions, check};
use heapwise_cfront::{Flags, FrontOptions, Unit};
use heapwise_engine::Budget;
use heapwise_models::Models;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, mpsc};
use std::time::Duration;

const N_MUTATIONS: u64 = 500;
/// How long one mutated file may take, on a slow and busy machine.
const LIMIT: Duration = Duration::from_secs(60);

#[test]
fn a_damaged_file_gives_an_error_or_a_verdict() {
    let seeds = seeds();
    assert!(seeds.len() >= 10);
    let directory = tempfile::tempdir().unwrap();
    let models = Arc::new(Models::shipped());
    let (mut n_errors, mut n_verdicts) = (0, 0);
    for number in 0..N_MUTATIONS {
        let mut random = Random(number);
        let (seed, text) = &seeds[number as usize % seeds.len()];
        let mutated = mutate(text.as_bytes(), &mut random);
        let path = directory.path().join(format!("{number}.c"));
        std::fs::write(&path, &mutated).unwrap();
        let what = format!("mutation {number} of {}:\n{}", seed.display(), String::from_utf8_lossy(&mutated));
        match answer(&path, &models).unwrap_or_else(|problem| panic!("{problem} on {what}")) {
            Answer::Errors => n_errors += 1,
            Answer::Verdict => n_verdicts += 1,
        }
        if number % 25 == 0 {
            through_the_command_line(&path, &what);
        }
    }
    // Mutations that change nothing of interest, and mutations that break the syntax, must both occur.
    assert!(n_errors > 50 && n_verdicts > 50, "{n_errors} errors, {n_verdicts} verdicts");
}

enum Answer {
    Errors,
    Verdict,
}

/// What `heapwise check` would say, computed in this process; or what went wrong with it.
fn answer(path: &Path, models: &Arc<Models>) -> Result<Answer, String> {
    let (sender, receiver) = mpsc::channel();
    let (path, models) = (path.to_owned(), Arc::clone(models));
    let work = move || {
        let _ = sender.send(load_and_check(path, &models));
    };
    std::thread::Builder::new().stack_size(512 << 20).spawn(work).unwrap();
    match receiver.recv_timeout(LIMIT) {
        Ok(answer) => answer,
        Err(mpsc::RecvTimeoutError::Timeout) => Err(format!("no answer within {LIMIT:?}")),
        Err(mpsc::RecvTimeoutError::Disconnected) => Err("a panic".to_owned()),
    }
}

fn load_and_check(path: PathBuf, models: &Models) -> Result<Answer, String> {
    let unit = Unit { path, flags: Flags::default() };
    let options = FrontOptions { entries: vec!["main".to_owned()], ..FrontOptions::default() };
    let program = match heapwise_cfront::load(&[unit], &options, models) {
        Ok(loaded) => loaded.program,
        Err(diagnostics) if diagnostics.is_empty() => return Err("an error that says nothing".to_owned()),
        // The front end turns its own panics into this diagnostic.
        Err(diagnostics) if diagnostics.iter().any(|diagnostic| diagnostic.message.contains("front end failed")) => {
            return Err("a panic in the front end".to_owned());
        }
        Err(_) => return Ok(Answer::Errors),
    };
    let Some(main) = program.function_named("main") else { return Ok(Answer::Errors) };
    let budget = Budget { time: Some(Duration::from_millis(50)), ..Budget::default() };
    check(&program, main, &CheckOptions { budget, ..CheckOptions::default() });
    Ok(Answer::Verdict)
}

fn through_the_command_line(path: &Path, what: &str) {
    let output = Command::new(env!("CARGO_BIN_EXE_heapwise"))
        .args(["check", "--time", "0.2", "--format", "json"])
        .arg(path)
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0 | 1 | 3) => assert!(serde_json::from_slice::<serde_json::Value>(&output.stdout).is_ok(), "{what}"),
        Some(2) => {
            assert!(output.stdout.is_empty() && stderr.contains("error: "), "{stderr} on {what}");
            assert!(!stderr.contains("internal error"), "{stderr} on {what}");
        }
        other => panic!("status {other:?}: {stderr} on {what}"),
    }
}

/// The programs that are damaged: the examples and the annotated C tests, in a fixed order.
fn seeds() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    collect_c_files(&root.join("examples"), &mut paths);
    collect_c_files(&root.join("tests/c"), &mut paths);
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), std::fs::read_to_string(&path).unwrap())).collect()
}

fn collect_c_files(directory: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(directory) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect_c_files(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "c") {
            paths.push(path);
        }
    }
}

/// One to three changes.
fn mutate(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..=random.below(3) {
        if bytes.len() < 2 {
            break;
        }
        match random.below(6) {
            0 => {
                let at = random.below(bytes.len());
                bytes[at] ^= 1 << random.below(8);
            }
            1 => {
                let at = random.below(bytes.len());
                let end = (at + 1 + random.below(40)).min(bytes.len());
                bytes.drain(at..end);
            }
            2 => bytes.truncate(random.below(bytes.len())),
            3 => swap_tokens(&mut bytes, random),
            4 => {
                const INSERTED: [&[u8]; 12] = [
                    b"(",
                    b"}",
                    b"*",
                    b"&",
                    b";",
                    b"\"",
                    b"sizeof",
                    b"struct",
                    b"0xffffffffffffffffff",
                    b"->",
                    b"goto x;",
                    b"\n#if 1\n",
                ];
                let at = random.below(bytes.len());
                let inserted = INSERTED[random.below(INSERTED.len())];
                bytes.splice(at..at, inserted.iter().copied());
            }
            _ => {
                let at = random.below(bytes.len());
                let end = (at + 1 + random.below(60)).min(bytes.len());
                let copied = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, copied);
            }
        }
    }
    bytes
}

/// Exchanges two words of the text.
fn swap_tokens(bytes: &mut Vec<u8>, random: &mut Random) {
    let mut words = Vec::new();
    let mut start = None;
    for (at, byte) in bytes.iter().enumerate() {
        match (byte.is_ascii_alphanumeric() || *byte == b'_', start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                words.push(from..at);
                start = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
    }
    if words.len() < 2 {
        return;
    }
    let (a, b) = (random.below(words.len()), random.below(words.len()));
    let (first, second) = (words[a.min(b)].clone(), words[a.max(b)].clone());
    let (left, right) = (bytes[first.clone()].to_vec(), bytes[second.clone()].to_vec());
    bytes.splice(second, left);
    bytes.splice(first, right);
}

/// SplitMix64: the same mutations on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }
}
