//! Programs for the tests of the graph.

use heapwise_ir::Program;
use heapwise_testkit::differential::load;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

/// The program of a C text.
pub fn program(text: &str) -> Program {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pointsto-programs");
    std::fs::create_dir_all(&directory).unwrap();
    let file = directory.join(format!("{}-{}.c", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
    std::fs::write(&file, text).unwrap();
    let program = load(std::slice::from_ref(&file)).unwrap();
    std::fs::remove_file(&file).unwrap();
    program
}
