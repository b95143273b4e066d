//! The tables on their own, for development; users run `heapwise bench`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let table = arguments.next().unwrap_or_default();
    match heapwise_bench::run(&table.to_string_lossy(), arguments, &mut std::io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
