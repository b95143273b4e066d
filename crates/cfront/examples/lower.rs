//! Prints the program that C files become: `cargo run -p heapwise-cfront --example lower -- [options] FILES`.
//! With `-q`, only what could not be lowered and what the verifier says.

use heapwise_cfront::{Flags, FrontOptions, Unit, load};
use heapwise_models::Models;
use std::path::{Path, PathBuf};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let quiet = arguments.iter().any(|argument| argument == "-q");
    let compiler = arguments.iter().map(String::as_str).filter(|it| *it != "-q" && !it.starts_with("--entry="));
    let flags = Flags::from_arguments(compiler, Path::new(".")).unwrap_or_else(|refused| {
        eprintln!("{refused}; {}", refused.hint);
        std::process::exit(2)
    });
    let entries: Vec<String> =
        arguments.iter().filter_map(|argument| argument.strip_prefix("--entry=").map(str::to_owned)).collect();
    let units: Vec<Unit> = arguments
        .iter()
        .filter(|argument| argument.ends_with(".c") || argument.ends_with(".i"))
        .map(|path| Unit { path: PathBuf::from(path), flags: flags.clone() })
        .collect();
    match load(&units, &FrontOptions { entries, ..FrontOptions::default() }, &Models::shipped()) {
        Ok(loaded) => {
            for warning in &loaded.warnings {
                eprintln!("{}:{}:{}: {}", warning.file, warning.line, warning.column, warning.message);
            }
            for problem in heapwise_ir::verifier::verify(&loaded.program) {
                eprintln!("verifier: {}", problem.describe(&loaded.program));
            }
            if !quiet {
                print!("{}", heapwise_ir::text::print(&loaded.program, heapwise_ir::text::Spans::Hidden));
            }
        }
        Err(errors) => {
            for error in &errors {
                eprintln!("{}:{}:{}: {}", error.file, error.line, error.column, error.message);
            }
            std::process::exit(2);
        }
    }
}
