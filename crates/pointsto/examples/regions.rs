//! Prints the points-to graph of C files: `cargo run -p heapwise-pointsto --example regions -- [--contexts] FILES`.

use heapwise_pointsto::{Arithmetic, Entries, Mode, Options, analyse};
use std::path::PathBuf;

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let contexts = arguments.iter().position(|argument| argument == "--contexts");
    let mode = match contexts {
        Some(position) => {
            arguments.remove(position);
            Mode::ContextSensitive
        }
        None => Mode::ContextInsensitive,
    };
    let files: Vec<PathBuf> = arguments.into_iter().map(PathBuf::from).collect();
    match heapwise_testkit::differential::load(&files) {
        Ok(program) => {
            let options = Options { mode, arithmetic: Arithmetic::WithinObjects, entries: Entries::Uncalled };
            print!("{}", analyse(&program, &options).text(&program));
        }
        Err(words) => eprintln!("{words}"),
    }
}
